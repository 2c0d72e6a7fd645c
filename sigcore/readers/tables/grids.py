"""Columns that name what is compared: a column of systems, grids of headings with a measure of each of several systems, and
what is right of X beside what was said (X_ref, X_pred)."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import boards, by_measure, crossing, evident, likeness, numbers, outcomes, ways, whole
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.evident import claim, left_out
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear

# What a system says or does beside the measure of it: llama_output, llama_pred, llama_correct.
PARTS_OF_ONE = pattern("grids.parts_of_one")
# The first, or the last word of a heading, and the name of a system behind or before it.
FIRST = re.compile(r"(?P<part>[^_\s.\-/]+)[_\s.\-/]+(?P<system>.+)")
LAST = re.compile(r"(?P<system>.+?)[_\s.\-/]+(?P<part>[^_\s.\-/]+)")
# Words above names of what is compared, whatever it is: several of them answered the same questions.
COMPARED = frozenset(
    ("config", "configuration", "method", "approach", "pipeline", "retriever", "algorithm", "checkpoint", "variant")
)
Columns = dict[str, int]  # by system
FEWEST_ROWS, LONGEST_NUMBER = 10, 9  # whose numbers go up; and of the digits of a number


def named(table: Table, result: Found) -> Table:
    """The table with a column of systems: the only one whose heading says so, where each question has one row of each."""
    ids = [k for k in table.where("segment") if table.repeats(k)]
    measured = table.headed(lambda name: words.has_measure(name) or words.is_scored(name))
    scored = any(map(table.numeric, measured))
    if len(ids) != 1 or not scored or table.where("system", "judge", "run", "measure", "task"):
        return table
    says = [k for k in table.headed(_says_what_is_compared) if k not in ids]
    if len(says) != 1 or not _is_crossed(table, says[0], ids[0]):
        return table
    k, why = says[0], "each question has one row of each"
    result.notices.append(Notice(table.file, f"{table.headings[k]} names the systems: {why}."))
    result.claims.append(claim(table, k, "system", why))
    return table.renamed({k: "system"})


BY_REFERENCE = re.compile(r"ref(?:erence)?[-_ ]?([a-z0-9])", re.IGNORECASE)


def by_reference(table: Table, result: Found) -> Table:
    """The table whose columns of fractions below references are scores with each of them, where it has nothing that could be
    compared with a reference; named after the measure that its file names.

    Raises: Unclear where the file names no measure.
    """
    found = {k: name for k in table.gold if (name := BY_REFERENCE.fullmatch(table.headings[k].strip()))}
    others = [k for k in range(len(table.headings)) if k not in found]
    scored = all(table.numeric(k) and numbers.scale(table.column(k)).fractions for k in found)
    if len(found) < 2 or not scored or not all(_is_beside_scores(table, k) for k in others):
        return table
    shown, (measure, _) = listed(table.named(found)), names.measure_in_name(table.file)
    if not measure:
        raise _with_references(table, [*found], others)
    result.notices.append(Notice(table.file, f"{shown} were read as {measure} with each reference."))
    return table.renamed({k: f"{measure} ref{name[1].upper()}" for k, name in found.items()})


def _with_references(table: Table, found: Sequence[int], others: Sequence[int]) -> Unclear:
    """The question whether columns below references are scores, where the file names no measure."""
    claims = [
        replace(evident.claim(table, k, "score", "numbers, and no text"), basis="guess")
        if k in found
        else evident.claim(table, k, "question" if k in others[:1] else "ignored", "beside them")
        for k in range(len(table.headings))
    ]
    why = f"Are {listed(table.named(found))} scores of one system, with a reference each?"
    return Unclear(table, why, claims, [ways.way("so it is", [f"{name}=score" for name in table.named(found)])])


def _is_beside_scores(table: Table, k: int) -> bool:
    """Whether a column names the rows, or holds another known measure."""
    named = table.meanings[k] in ("segment", "perhaps segment", "document", "domain")
    return named or (table.numeric(k) and words.is_measure(table.headings[k]))


def identified(table: Table, result: Found) -> Table:
    """The table with the one column that is called an id as the names of its rows, beside columns of numbers alone. Paired by
    place, files in other orders would be compared wrongly."""
    table = by_measure.named(table, result)
    if table.where("segment", "system", "judge", "run", "text", "reference", "source"):
        return table
    found = [k for k in range(len(table.headings)) if crossing.is_id(table, k)] or _ascending(table)
    if [k for k in table.where("measure") if k not in found]:
        return table
    others = [k for k in range(len(table.headings)) if k not in found]
    if len(found) != 1 or not others or not all(outcomes.is_numeric(table, k) for k in others):
        return table
    result.claims.append(claim(table, found[0], "question", "each row has another one"))
    return table.renamed({found[0]: "segment"})


def _ascending(table: Table) -> list[int]:
    """The first column, where whole numbers go up from row to row beside measures alone, and it is no known one itself: metric,
    above the numbers of queries."""
    first, rest = table.column(0), range(1, len(table.headings))
    measured = len(rest) > 1 and all(
        words.is_measure(table.headings[k]) and table.meanings[k] != "measure" for k in rest
    )
    if not measured or table.meanings[0] not in (None, "measure") or len(first) < FEWEST_ROWS:
        return []
    numbered = all(cell.isdigit() and len(cell) <= LONGEST_NUMBER for cell in first.counts)
    return [0] if numbered and all(int(a) < int(b) for a, b in itertools.pairwise(first)) else []


def _says_what_is_compared(heading: str) -> bool:
    return not COMPARED.isdisjoint(re.split(r"[.\-_ ]+", heading.lower()))


def _is_crossed(table: Table, system: int, question: int) -> bool:
    """Whether every question has exactly one row of each of several short names."""
    own, asked = table.column(system).counts, table.column(question).counts
    short = all(cell.strip() and len(cell) <= crossing.LONGEST_NAME for cell in own)
    whole = len(own) * len(asked) == len(table.rows) and table.differ([system, question])
    return short and 1 < len(own) < len(asked) and whole


def measured(table: Table, result: Found) -> Table:
    """The table with the measure of each of several systems, without what else it has of each of them; or with the names of
    its rows, where it has the scores of several criteria."""
    if _are_criteria(table):
        return _named_rows(table, [], result) if words.role(table.headings[0]) == "source" else table
    for first in (False, True):
        parts = _cut(table.headings, first)
        grid = next((own for part, own in parts.items() if _is_measured(table, part, own)), None)
        if grid is None and (judged := _judged(table, parts)):
            return _of_each(table, judged, parts, result)
        if grid:
            grid, odd = _that_answered(table, parts, grid)
            rest = _rest(table, parts, grid) | odd | {*table.where("text")}
            values = [k for k in range(len(table.headings)) if outcomes.is_numeric(table, k)]
            crossed = crossing.found(table, values)
            if crossed is not None and crossed.question in rest:
                return table  # what would be left out names the questions: each would count once for every system
            table = left_out(table, sorted(rest), "beside a measure of each system", result)
            return _named_rows(table, [*grid], result)
    return table


def _that_answered(table: Table, parts: dict[str, Columns], grid: Columns) -> tuple[Columns, set[int]]:
    """The columns of the systems whose answers the table has, too, and those that are then none: the best score that could be
    had (max_score), and other numbers of one of them (a_chunks). All systems where it has no answers."""
    spoken = {one for part, own in parts.items() if PARTS_OF_ONE.fullmatch(part) for one in own}
    answered = {system: grid[system] for system in grid if system in spoken}
    if len(answered) < 2:
        return grid, set()
    of_one = _of_one_alone(table, list(answered))
    odd = {*grid.values(), *filter(partial(outcomes.is_numeric, table), of_one)}
    return answered, odd - {*answered.values()}


def _of_one_alone(table: Table, systems: Sequence[str]) -> list[int]:
    """The columns whose headings begin with the name of a system, and which not all systems have."""
    begins = re.compile(rf"(?:{'|'.join(map(re.escape, systems))})([-_. ].+)")
    rests = {k: match[1] for k, match in enumerate(map(begins.fullmatch, table.headings)) if match}
    times = Counter(rests.values())
    return [k for k, rest in rests.items() if times[rest] < len(systems)]


def _cut(headings: Sequence[str], first: bool) -> dict[str, Columns]:
    """The columns by the part and the system that their headings name; `first`: the part comes first."""
    out: dict[str, Columns] = {}
    for k, heading in enumerate(headings):
        if found := (FIRST if first else LAST).fullmatch(heading.strip()):
            out.setdefault(found["part"].lower(), {})[found["system"]] = k
    return out


def _is_measured(table: Table, part: str, own: Columns) -> bool:
    """Whether a part is a measure of several systems, and no numbered people or runs."""
    scored = len(own) > 1 and words.is_measure(part) and all(_has_numbers(table, k) for k in own.values())
    return scored and not any(map(words.is_numbered, own))


JUDGED = re.compile(r"judge|judge?ment|verdict|grade|graded|eval|evaluation", re.IGNORECASE)


def _judged(table: Table, parts: dict[str, Columns]) -> Columns | None:
    """The verdicts, right or wrong, on what each system answered (answer_A, judge_A, answer_B, judge_B); None without them."""
    said = [own.keys() for part, own in parts.items() if PARTS_OF_ONE.fullmatch(part)]
    for part, own in parts.items():
        truths = JUDGED.fullmatch(part) and all(numbers.truths(table.column(k), numbers.OUTCOMES) for k in own.values())
        if truths and len(own) > 1 and own.keys() in said:
            return own
    return None


def _of_each(table: Table, judged: Columns, parts: dict[str, Columns], result: Found) -> Table:
    """The table with a row for each system, and the verdict on it."""
    own = {k for columns in parts.values() if columns.keys() <= judged.keys() for k in columns.values()}
    flags = [k for k in range(len(table.headings)) if k not in own and numbers.truths(table.column(k))]
    rest = left_out(table, sorted({*flags, *own} - {*judged.values()}), "beside a verdict on each system", result)
    verdicts = table.named(judged.values())
    rest = rest.without({rest.headings.index(name) for name in verdicts})
    message = f"{listed(verdicts)} are verdicts on {listed(judged)}, so each row was read as one of each."
    result.notices.append(Notice(table.file, message))
    result.claims += [claim(table, k, "system", "a verdict on each system") for k in judged.values()]
    each = ([[system, row[k]] for system, k in judged.items()] for row in table.rows)
    return rest.beside(["system", "is_correct"], each)


def _are_criteria(table: Table) -> bool:
    """Whether several headings name a measure and say score (correctness_score, relevance_score): these are no systems."""
    own = _cut(table.headings, first=False)
    rated = [*own.get("score", {}), *own.get("rating", {})]
    return len(rated) > 1 and all(map(words.is_measure, rated))


def _has_numbers(table: Table, k: int) -> bool:
    """Whether a column holds numbers, and is not empty (error_category and error_message, of a log without errors)."""
    return outcomes.is_numeric(table, k) and not all(map(numbers.is_missing, table.column(k).counts))


def _rest(table: Table, parts: dict[str, Columns], grid: Columns) -> set[int]:
    """The columns of the systems of a grid that are no measures, and those that a program noted."""
    own_parts = {part: own for part, own in parts.items() if own.keys() <= grid.keys()}
    others = {
        part: own for part, own in own_parts.items() if PARTS_OF_ONE.fullmatch(part) or not words.is_measure(part)
    }
    of_systems = {k for part, own in others.items() for k in own.values() if _is_of_system(table, k, part)}
    noted = {k for k in table.headed(words.is_logged) if table.meanings[k] is None}
    return (of_systems | noted | {*table.headed(lambda name: _notes_one(name, grid))}) - {*grid.values()}


def _notes_one(heading: str, grid: Columns) -> bool:
    """Whether a heading is that of a field of a log behind the name of a system: llama_prompt_tokens."""
    rests = (heading[len(name) :].lstrip("_ .-/") for name in grid if heading.startswith(name))
    return any(map(words.is_field, filter(None, rests)))


def _is_of_system(table: Table, k: int, part: str) -> bool:
    """Whether a column below the name of a system and another word holds what belongs to the measure of that system."""
    if words.is_remark(table.headings[k]):
        return False  # set aside where all remarks are
    return PARTS_OF_ONE.fullmatch(part) is not None or not (outcomes.is_numeric(table, k) or table.meanings[k])


def _named_rows(table: Table, systems: Sequence[str], result: Found) -> Table:
    """The table with its first column as the names of the segments, where no other names them and each has another."""
    first = table.headings[0]
    others = table.where("segment", "perhaps segment", "document", "system") or table.meanings[0] not in (None, "task")
    if (
        others
        or any(of.fullmatch(first.strip()) for of in (whole.METHODS, boards.GROUPS))  # a row of each may be a mean
        or table.numeric(0)
        or not table.differ([0])
        or words.has_measure(first)
    ):
        return table
    if any(first.startswith(name) or first.endswith(name) for name in systems):
        return table
    result.claims.append(claim(table, 0, "question", "it names the rows"))
    return replace(table, headings=["segment", *table.headings[1:]])


# X_ref and X_pred: what is right of X and what one system said, where X is a language or a part of the task.

RIGHT = re.compile(r"(?P<stem>.+?)[-_. ](?:ref|reference|gold|truth)", re.IGNORECASE)
SAID = re.compile(r"(?P<stem>.+?)[-_. ](?:pred|prediction|predicted|hyp|hypothesis|mt)", re.IGNORECASE)
SOURCE, OUTPUT = "source", "prediction"  # headings of the vocabulary
Stems = dict[str, tuple[int, int]]  # the columns of what is right and of what was said


def paired(table: Table, result: Found) -> Table:
    """The table with a reference and one output, or with a system for each stem where all have the same reference; as it
    is where no two headings are like that, or where each stem has a reference of its own (see `parts`)."""
    found = _stems(table)
    if not found or _differ(table, found):
        return table
    right = next(iter(found.values()))[0]
    said = {k: stem if len(found) > 1 else OUTPUT for stem, (_, k) in found.items()}
    gone = [gold for gold, _ in found.values() if gold != right]
    message = f"{table.headings[right]} was read as the reference of {listed(table.named(said))}."
    result.notices.append(Notice(table.file, message))
    result.claims.append(evident.claim(table, right, "reference", "by its heading what is right"))
    result.claims += [
        evident.claim(table, k, "system" if len(found) > 1 else "text", "beside its reference") for k in said
    ]
    headed = table.renamed({right: evident.GOLD, **said, **_sources(table, found)})
    if len(found) > 1:
        headed = replace(headed, basis="said")
    rest = [k for k in _others(table, found) if k not in _sources(table, found)]
    evident.left_out(table, rest, f"beside {listed(table.named(said))}", result)
    return headed.without({*gone, *rest})


def parts(table: Table) -> Iterator[tuple[str, Table]]:
    """The part of the table about each stem, where each has a reference of its own; nothing for others."""
    found = _stems(table)
    if not found or not _differ(table, found):
        return
    own = {k for pair in found.values() for k in pair}
    for stem, pair in found.items():
        yield stem, table.without(own - {*pair})


def _differ(table: Table, found: Stems) -> bool:
    """Whether stems have other references."""
    return len({tuple(table.column(right)) for right, _ in found.values()}) > 1


def _are_alike(table: Table, found: Stems) -> bool:
    """Whether two references are nearly the same: one text, raw and normalised, and no two languages."""
    right = [_item(table, k) for k, _ in found.values()]
    pairs = itertools.combinations(right, 2)
    return any(
        one.segments != other.segments and likeness.shared(one, other) >= likeness.SHARED for one, other in pairs
    )


def _once(table: Table, found: Stems) -> bool:
    """Whether each row has another reference: no rows of several systems."""
    return all(len(table.column(k).counts) >= evident.SAME * len(table.rows) for k, _ in found.values())


def _stems(table: Table) -> Stems:
    """The stems with both columns, which hold texts; {} where another column may be a reference, or the output of a system."""
    if table.role or table.basis or table.where("system", "judge", "text") or _has_measures(table):
        return {}
    right, said = (_by_stem(table, pattern) for pattern in (RIGHT, SAID))
    found = {stem: (right[stem], said[stem]) for stem in right if stem in said}
    used = {*itertools.chain.from_iterable(found.values())}
    if {*table.gold, *table.headed(SAID.fullmatch)} - used or any(map(table.numeric, used)):
        return {}
    return found if _are_plain(table, found) else {}


def _has_measures(table: Table) -> bool:
    """Whether a table has scores by a heading, not only what a program noted."""
    return any(map(table.numeric, table.headed(lambda name: words.has_measure(name) and not words.is_field(name))))


def _are_plain(table: Table, found: Stems) -> bool:
    """Whether each row is one segment, each reference a text of its own, and no other text like one of them."""
    unclear = any(_like_right(table, k, found) for k in _others(table, found)) or _are_alike(table, found)
    return _once(table, found) and not unclear


def _by_stem(table: Table, pattern: re.Pattern[str]) -> Mapping[str, int]:
    return {match["stem"]: k for k, name in enumerate(table.headings) if (match := pattern.fullmatch(name.strip()))}


def _others(table: Table, found: Stems) -> list[int]:
    """The other columns of texts without a known heading."""
    used = {*itertools.chain.from_iterable(found.values())}
    open_ = [k for k, means in enumerate(table.meanings) if means is None and k not in used and not table.numeric(k)]
    return [k for k in open_ if words.role(table.headings[k]) == "system"]


def _like_right(table: Table, k: int, found: Stems) -> bool:
    """Whether a column of texts shares most of its words with what is right in every part: it may be another output."""
    own = _item(table, k)
    return all(likeness.shared(own, _item(table, right)) >= likeness.SHARED for right, _ in found.values())


def _item(table: Table, k: int) -> Item:
    return Item(table.headings[k], "system", "text", tuple(table.column(k)), table.file, "")


def _sources(table: Table, found: Stems) -> dict[int, str]:
    """The one other column of texts below the code of a language, which is what was translated, with its new heading."""
    named = [k for k in _others(table, found) if words.is_kind(table.headings[k])]
    return {named[0]: SOURCE} if len(named) == 1 and all(map(words.is_kind, found)) else {}
