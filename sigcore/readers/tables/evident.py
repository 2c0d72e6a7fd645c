"""Tables whose headings, taken together, say what each column holds: what is no system is left out, with a notice.

Each rule needs a positive reason: several columns that form a grid, recordings beside texts, words that come again in
every column. What a rule changed is a claim, so that a plan that is asked about something else shows it, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from sigcore.formatting import listed
from sigcore.readers.contract import SPOKEN, Claim, Found, Item, Notice
from sigcore.readers.tables import crossing, numbers, plan
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table, Unclear, first_cells

GOLD = "reference"  # the heading of the vocabulary
# What a system says or does beside the measure of it: llama_output, llama_pred, llama_correct.
PARTS_OF_ONE = re.compile(
    r"outputs?|pred(?:ictions?|icted)?|answers?|responses?|texts?|raw|generations?|generated|completions?|extracted|parsed|"
    r"reasoning|rationale|explanation|comments?|latency|time|seconds|duration|tokens|cost|confidence|prob(?:ability)?|label|choice",
    re.IGNORECASE,
)
SOUND = re.compile(r"\S+\.(?:wav|mp3|flac|ogg|m4a|opus|aac|wma|webm)", re.IGNORECASE)
SAID = re.compile(
    r"(?:text|transcript|transcription|sentence|utterance|normali[sz]ed[-_ ]text|text[-_ ]normali[sz]ed|words)",
    re.IGNORECASE,
)
PREDICTED = re.compile(
    r"(?:.*[-_. ])?(?:pred(?:icted|ictions?|s)?|hyp(?:othes[ie]s)?|outputs?|asr)(?:[-_. ].*)?", re.IGNORECASE
)
# What people wrote, or what is aimed at: the reference, where other columns are outputs.
BY_PEOPLE = re.compile(
    r"(?:human|professional|expert|target)[-_ ](?:translations?|summar(?:y|ies)|texts?|transcripts?|transcriptions?|answers?|"
    r"references?|simplifications?|captions?|sentences?|responses?|outputs?)",
    re.IGNORECASE,
)
OF_OTHERS: tuple[Meaning, ...] = (
    "segment",
    "perhaps segment",
    "document",
    "domain",
    "category",
    "source",
    "aside",
    "run",
)
# The first, or the last word of a heading, and the name of a system behind or before it.
FIRST = re.compile(r"(?P<part>[^_\s.\-/]+)[_\s.\-/]+(?P<system>.+)")
LAST = re.compile(r"(?P<system>.+?)[_\s.\-/]+(?P<part>[^_\s.\-/]+)")
MOST_LABELS, SAME, TIMES = 20, 0.9, 3  # different labels, the share of cells that are such, and rows for each


def graded(table: Table, problem: Unclear) -> Unclear:
    """The problem; where answers were graded in words, beside what was answered, it asks which number each of them means."""
    found = [k for k, name in enumerate(table.headings) if words.is_grade(name) and numbers.few_words(table.column(k))]
    answered = [k for k in table.where("text") if k not in found and not table.numeric(k)]
    known = any(claim.role == "score" for claim in problem.claims)
    if table.role or len(found) != 1 or not answered or known or table.where("judge"):
        return problem
    claims = [replace(one, basis="heading") for one in problem.claims]
    claims[found[0]] = replace(claims[found[0]], role="score", reason="it grades the answers", basis="guess")
    given, name = listed(numbers.few_words(table.column(found[0]))), table.headings[found[0]]
    return Unclear(table, f"{name} grades each answer in words ({given}): which number does each mean?", claims)


def asked(claim: Claim) -> Claim:
    """The claim as one that somebody has to confirm, where another column is asked about."""
    return replace(claim, basis="guess") if claim.basis == "layout" else claim


def plain(table: Table, result: Found) -> Table:
    """The table without the columns that are evidently no systems, and with what is right below the heading reference."""
    if table.role or table.basis:
        return table
    for rule in (_of_names, _grid, _outcomes, _of_recordings, _of_people, _of_labels, _without_log, _without_constants):
        table = rule(table, result)
    return table


def _left_out(table: Table, columns: Sequence[int], why: str, result: Found) -> Table:
    """The table without these columns, which is noted."""
    if not columns:
        return table
    result.notices.append(Notice(table.file, f"Not used, {why}: {listed(table.named(columns))}."))
    result.claims += [_claim(table, k, "ignored", why) for k in columns]
    return table.without(columns)


def _claim(table: Table, k: int, role: str, why: str) -> Claim:
    return Claim(
        table.file,
        table.headings[k],
        "reference" if role == GOLD else "ignored",
        why,
        "layout",
        cells=first_cells(table, k),
    )


def _as_gold(table: Table, k: int, why: str, result: Found) -> Table:
    """The table with this column as the reference, which is noted."""
    result.notices.append(Notice(table.file, f"{table.headings[k]} was read as the reference: {why}."))
    result.claims.append(_claim(table, k, GOLD, why))
    return replace(table, headings=[GOLD if i == k else name for i, name in enumerate(table.headings)])


# A column that names what is compared.

# Words above names of what is compared, whatever it is: several of them answered the same questions.
COMPARED = frozenset(
    ("config", "configuration", "method", "approach", "pipeline", "retriever", "algorithm", "checkpoint", "variant")
)


def _of_names(table: Table, result: Found) -> Table:
    """The table with a column of systems: the only one whose heading says so, where each question has one row of each."""
    ids = [k for k in table.where("segment") if table.repeats(k)]
    scored = [
        k
        for k, name in enumerate(table.headings)
        if table.numeric(k) and (words.has_measure(name) or words.is_scored(name))
    ]
    if len(ids) != 1 or not scored or table.where("system", "judge", "run", "measure", "task"):
        return table
    named = [k for k, name in enumerate(table.headings) if {*re.split(r"[.\-_ ]+", name.strip().lower())} & COMPARED]
    whole = [k for k in named if k not in ids and _is_crossed(table, k, ids[0])]
    if len(named) != 1 or len(whole) != 1:
        return table
    k, name = whole[0], table.headings[whole[0]]
    result.notices.append(Notice(table.file, f"{name} names the systems: each question has one row of each."))
    result.claims.append(replace(_claim(table, k, "", "each question has one row of each"), role="system"))
    return replace(table, headings=["system" if i == k else one for i, one in enumerate(table.headings)])


def _is_crossed(table: Table, system: int, question: int) -> bool:
    """Whether every question has exactly one row of each of several short names."""
    own, asked = table.column(system).counts, table.column(question).counts
    short = all(cell.strip() and len(cell) <= crossing.LONGEST_NAME for cell in own)
    return (
        short
        and 1 < len(own) < len(asked)
        and len(own) * len(asked) == len(table.rows)
        and table.differ([system, question])
    )


# A grid of headings: each of several systems with each of several parts, one of which is a measure.


def _grid(table: Table, result: Found) -> Table:
    """The table with the measure of each of several systems, without what else it has of each of them."""
    for first in (False, True):
        cut = _cut(table.headings, first)
        measured = {part for part in cut if words.is_measure(part) and len(cut[part]) > 1}
        grid = next(
            (cut[part] for part in cut if part in measured and all(map(_is_scored(table), cut[part].values()))), {}
        )
        if not grid or any(map(words.is_numbered, grid)):
            continue
        parts = {part: own for part, own in cut.items() if part not in measured and own.keys() <= grid.keys()}
        rest = [k for part, own in parts.items() for k in own.values() if _is_of_system(table, k, part)]
        rest += [
            k
            for k, name in enumerate(table.headings)
            if k not in rest and words.is_logged(name) and table.meanings[k] is None
        ]
        table = _left_out(table, sorted(rest), "beside a measure of each system", result)
        return _named_rows(table, [*grid], result)
    return table


def _is_of_system(table: Table, k: int, part: str) -> bool:
    """Whether a column below the name of a system and another word holds what belongs to the measure of that system."""
    if words.is_remark(table.headings[k]):
        return False  # set aside where all remarks are
    return PARTS_OF_ONE.fullmatch(part) is not None or not (_is_scored(table)(k) or table.meanings[k])


def _named_rows(table: Table, systems: Sequence[str], result: Found) -> Table:
    """The table with its first column as the names of the segments, where no other names them and each has another."""
    unnamed = not table.where("segment", "perhaps segment", "document", "system")
    if (
        not unnamed
        or len(table.headings) < 2
        or table.numeric(0)
        or not table.differ([0])
        or table.meanings[0] not in (None, "task")
    ):
        return table
    if any(
        table.headings[0].startswith(name) or table.headings[0].endswith(name) for name in systems
    ) or words.has_measure(table.headings[0]):
        return table
    result.claims.append(replace(_claim(table, 0, "", "it names the rows"), role="question"))
    return replace(table, headings=["segment", *table.headings[1:]])


def _cut(headings: Sequence[str], first: bool) -> dict[str, dict[str, int]]:
    """The columns by the part and the system that their headings name; `first`: the part comes first."""
    out: dict[str, dict[str, int]] = {}
    for k, heading in enumerate(headings):
        if found := (FIRST if first else LAST).fullmatch(heading.strip()):
            out.setdefault(found["part"].lower(), {})[found["system"]] = k
    return out


def _is_scored(table: Table) -> Callable[[int], bool]:
    return lambda k: plan.is_numeric(table, k)


def _outcomes(table: Table, result: Found) -> Table:
    """The table without how sure the system was, beside a column that says which of its answers were right."""
    right = [k for k in range(len(table.headings)) if plan.says_right(table, k)]
    if len(right) != 1 or table.where("system"):
        return table
    sure = [
        k for k, name in enumerate(table.headings) if k not in right and words.is_sureness(name) and table.numeric(k)
    ]
    return _left_out(table, sure, f"beside {table.headings[right[0]]}", result)


# What is right: beside recordings what was said, what people wrote, and the labels that outputs repeat.


def _of_recordings(table: Table, result: Found) -> Table:
    """The table with what was said in each recording as the reference of what was recognised."""
    said = [k for k, name in enumerate(table.headings) if SAID.fullmatch(name.strip()) and not table.numeric(k)]
    heard = [k for k, name in enumerate(table.headings) if k not in said and PREDICTED.fullmatch(name.strip())]
    if table.gold or len(said) != 1 or not heard or table.where("system") or not any(map(_is_sound, _columns(table))):
        return table
    return _as_gold(table, said[0], "what was said in the recordings", result)


def spoken(table: Table, items: Sequence[Item]) -> list[Item]:
    """The items; texts beside a column of recordings say so in their note: they are transcripts."""
    found = bool(items) and any(map(_is_sound, _columns(table)))
    texts = [item for item in items if item.kind == "text" and item.role == "system"] if found else []
    made = {id(item): replace(item, note=f"{item.note}, {SPOKEN}") for item in texts}
    return [made.get(id(item), item) for item in items]


def _columns(table: Table) -> Iterable[Sequence[str]]:
    return map(table.column, range(len(table.headings)))


def _is_sound(cells: Sequence[str]) -> bool:
    return bool(cells) and all(map(SOUND.fullmatch, map(str.strip, set(cells))))


def _of_people(table: Table, result: Found) -> Table:
    """The table with what people wrote as the reference, where several other columns, or one by its heading, are outputs."""
    found = [k for k, name in enumerate(table.headings) if BY_PEOPLE.fullmatch(name.strip()) and not table.numeric(k)]
    if table.gold or len(found) != 1:
        return table
    others = [k for k in range(len(table.headings)) if k not in found and _may_be_output(table, k)]
    named = [k for k in others if table.meanings[k] == "text" or PREDICTED.fullmatch(table.headings[k].strip())]
    if not named and len(others) < 2:
        return table
    return _as_gold(table, found[0], "by its heading what is right", result)


def _may_be_output(table: Table, k: int) -> bool:
    """Whether a column of texts has no heading with another meaning."""
    heading = table.headings[k]
    known = table.meanings[k] not in (None, "text") or words.role(heading) != "system" or words.is_field(heading)
    return not known and not table.numeric(k) and not words.is_remark(heading) and not _is_sound(table.column(k))


def _of_labels(table: Table, result: Found) -> Table:
    """The table with the right labels as the reference, where every other column of words repeats the same few."""
    right = [k for k, name in enumerate(table.headings) if words.is_label(name) and not table.numeric(k)]
    own = table.column(right[0]).counts if len(right) == 1 else {}
    if table.gold or table.where("system") or not 1 < len(own) <= MOST_LABELS or TIMES * len(own) > len(table.rows):
        return table
    others = [k for k in range(len(table.headings)) if k not in right and _may_be_output(table, k)]
    alike = [k for k in others if sum(table.column(k).counts.get(one, 0) for one in own) >= SAME * len(table.rows)]
    texts = [k for k in others if k not in alike]
    longer = all(len(table.column(k).counts) > MOST_LABELS for k in texts)
    if not alike or not longer or len(texts) > 1:
        return table
    table = _as_gold(table, right[0], "the other columns repeat its words", result)
    return _left_out(table, texts, "what was labelled", result)


def _without_constants(table: Table, result: Found) -> Table:
    """The table without words that are the same in every row, beside an output by its heading."""
    outputs = [k for k in range(len(table.headings)) if table.meanings[k] == "text" and len(table.column(k).counts) > 1]
    same = [
        k for k in range(len(table.headings))
        if table.meanings[k] is None and len(table.rows) >= numbers.FEWEST and len(table.column(k).counts) == 1
        and words.role(table.headings[k]) == "system" and not _is_scored(table)(k)
    ]  # fmt: skip
    return _left_out(table, same, "the same in every row", result) if outputs and not table.where("system") else table


def _without_log(table: Table, result: Found) -> Table:
    """The table without what a program noted beside its outputs, where no other number is a score."""
    outputs = [k for k in range(len(table.headings)) if table.meanings[k] == "text" and not table.numeric(k)]
    outputs += [
        k for k, name in enumerate(table.headings) if PREDICTED.fullmatch(name.strip()) and not table.numeric(k)
    ]
    noted = [k for k, name in enumerate(table.headings) if words.is_logged(name) and table.meanings[k] is None]
    scored = [
        k
        for k in range(len(table.headings))
        if k not in noted and table.meanings[k] not in OF_OTHERS and _is_scored(table)(k)
    ]
    if not outputs or scored or not noted or table.where("system"):
        return table
    return _left_out(table, noted, "by the heading no output", result)
