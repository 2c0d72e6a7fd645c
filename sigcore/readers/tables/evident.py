"""Tables whose headings, taken together, say what each column holds: what is no system is left out, with a notice.

Each rule needs a positive reason: several columns that form a grid, recordings beside texts, words that come again in
every column. What a rule changed is a claim, so that a plan that is asked about something else shows it, too.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import SPOKEN, Claim, Found, Item, Notice, Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import crossing, numbers, outcomes
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.columns import counts
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, first_cells

GOLD = "reference"  # the heading of the vocabulary
SOUND = re.compile(r"\S+\.(?:wav|mp3|flac|ogg|m4a|opus|aac|wma|webm)", re.IGNORECASE)
SAID = pattern("evident.said")
PREDICTED = pattern("evident.predicted")
# What people wrote, or what is aimed at: the reference, where other columns are outputs.
BY_PEOPLE = pattern("evident.by_people")
# Behind the name of a system: what it wrote. A fact beside it is shorter by this factor.
WRITTEN = pattern("evident.written")
FACT = 1.5
OF_OTHERS: tuple[Meaning, ...] = (
    "segment", "perhaps segment", "document", "domain", "category", "source", "aside", "run",
)  # fmt: skip
WORDS_OF_KIND = 3  # of a kind or a place, which is no sentence
FINAL, FEWEST_MARKED = re.compile(r"final|consensus|majority|adjudicated|resolved", re.IGNORECASE), 2
MOST_LABELS, SAME, TIMES = 20, 0.9, 3  # different labels, the share of cells that are such, and rows for each


def _grades(table: Table) -> list[int]:
    """The columns of grades in words; the final one alone, where others led to it."""
    found = [k for k, name in enumerate(table.headings) if words.is_grade(name) and numbers.few_words(table.column(k))]
    last = [k for k in found if FINAL.match(table.headings[k])]
    return last if len(last) == 1 else found


def graded(table: Table, problem: Unclear) -> Unclear:
    """The problem; where answers were graded in words, beside what was answered, it asks which number each of them means."""
    found = _grades(table)
    answered = [k for k in table.where("text") if k not in found and not table.numeric(k)]
    known = any(claim.role == "score" for claim in problem.claims)
    if table.role or len(found) != 1 or not answered or known or table.where("judge"):
        return problem
    claims = [replace(one, basis="heading") for one in problem.claims]
    claims[found[0]] = replace(claims[found[0]], role="score", reason="it grades the answers", basis="guess")
    given, name = listed(numbers.few_words(table.column(found[0]))), table.headings[found[0]]
    return Unclear(table, f"{name} grades each answer in words ({given}): which number does each mean?", claims)


def marked(table: Table, problem: Unclear) -> Unclear:
    """The problem; several columns of marks for right and wrong are systems, whatever their headings: no text, source or
    remark holds ticks alone."""
    found = [k for k in range(len(table.headings)) if numbers.truths(table.column(k), numbers.MARKS)]
    named = [k for k in found if words.has_measure(table.headings[k]) and table.meanings[k] != "score"]
    if table.role or len(found) < FEWEST_MARKED or 2 * len(named) > len(found) or table.where("system"):
        return problem
    claims = [
        replace(one, role="system", reason="marks for right and wrong", basis="guess")
        if k in found and k not in named
        else replace(one, basis="heading")
        for k, one in enumerate(problem.claims)
    ]
    return Unclear(
        table, f"Are {listed(table.named(found))} systems? They hold marks for right and wrong answers.", claims
    )


def asked(claim: Claim) -> Claim:
    """The claim as one that somebody has to confirm, where another column is asked about."""
    return replace(claim, basis="guess") if claim.basis == "layout" else claim


def plain(table: Table, result: Found) -> Table:
    """The table without the columns that are evidently no systems, and with what is right below the heading reference."""
    for rule in RULES:
        table = rule(table, result)
    return table


def left_out(table: Table, columns: Sequence[int], why: str, result: Found) -> Table:
    """The table without these columns, which is noted."""
    if not columns:
        return table
    result.notices.append(Notice(table.file, f"Not used, {why}: {listed(table.named(columns))}."))
    result.claims += [claim(table, k, "ignored", why) for k in columns]
    return table.without(columns)


def claim(table: Table, k: int, role: Part, why: str) -> Claim:
    """What a column evidently is."""
    return Claim(table.file, table.headings[k], role, why, "layout", cells=first_cells(table, k))


def claims(table: Table, why: str, roles: Mapping[int, Part] | None = None) -> list[Claim]:
    """What all columns evidently are: those without one of the roles are ignored."""
    return [claim(table, k, (roles or {}).get(k, "ignored"), why) for k in range(len(table.headings))]


def _as_gold(table: Table, k: int, why: str, result: Found) -> Table:
    """The table with this column as the reference, which is noted."""
    result.notices.append(Notice(table.file, f"{table.headings[k]} was read as the reference: {why}."))
    result.claims.append(claim(table, k, "reference", why))
    return table.renamed({k: GOLD})


def _outcomes(table: Table, result: Found) -> Table:
    """The table without how sure the system was, and numbers that it answered, beside a column that says which were right."""
    right = [k for k in range(len(table.headings)) if outcomes.says_right(table, k) or _says_right_of(table, k)]
    if not right or table.where("system"):
        return table
    others = [k for k in table.headed(words.is_sureness) if len(right) == 1 and k not in right and table.numeric(k)]
    return left_out(table, [*others, *outcomes.answers(table, right)], f"beside {table.headings[right[0]]}", result)


def _says_right_of(table: Table, k: int) -> bool:
    """Whether a column says which answers of a system are right, which its heading names: llama_correct."""
    system, measure = words.cut(table.headings[k])
    return bool(system) and outcomes.says_right(table.renamed({k: measure}), k)


FEWEST_SHARES, FEWEST_WHOLE, ROUNDED = 3, 5, 0.01  # columns, rows, and how far their sum may be from 1


def _without_shares(table: Table, result: Found) -> Table:
    """The table without the probabilities of several labels: neighbouring columns that add up to 1 in every row, beside a
    column of labels."""
    labelled = table.headed(words.is_label) or table.headed(words.is_prediction)
    if not labelled or len(table.rows) < FEWEST_WHOLE:
        return table
    runs = itertools.groupby(range(len(table.headings)), lambda k: _is_share(table, k))
    own = next((found for is_one, run in runs if is_one and _add_up(table, found := [*run])), [])
    return left_out(table, own, "they add up to 1 in every row, as the probabilities of labels do", result)


def _add_up(table: Table, columns: Sequence[int]) -> bool:
    """Whether the numbers of several columns add up to 1 in every row."""
    sums = (math.fsum(map(float, cells)) for cells in zip(*map(table.column, columns), strict=True))
    return len(columns) >= FEWEST_SHARES and all(abs(one - 1) <= ROUNDED for one in sums)


def _is_share(table: Table, k: int) -> bool:
    """Whether a column has a number from 0 to 1 in every row, and not these alone."""
    own = table.column(k).counts if table.numeric(k) else {}
    values = [float(cell) for cell in own if numbers.is_number(cell)]
    return len(values) == len(own) > 0 and 0 <= min(values) <= max(values) <= 1 and not {*values} <= {0.0, 1.0}


# What is right: beside recordings what was said, what people wrote, and the labels that outputs repeat.


def _of_recordings(table: Table, result: Found) -> Table:
    """The table with what was said in each recording as the reference of what was recognised."""
    said = _texts(table, SAID.fullmatch)
    heard = [k for k in table.headed(PREDICTED.fullmatch) if k not in said]
    if table.gold or len(said) != 1 or not heard or not any(map(_is_sound, _columns(table))):
        return table
    return _as_gold(table, said[0], "what was said in the recordings", result)


def spoken(table: Table, items: Sequence[Item], known: bool | None) -> list[Item]:
    """The items; those of a program for speech (`known`; None: no program), and texts beside a column of recordings, say so in their
    note: they are transcripts."""
    found = bool(items) and (any(map(_is_sound, _columns(table))) if known is None else known)
    texts = [item for item in items if item.kind == "text" and item.role == "system"] if found else []
    made = {id(item): replace(item, note=f"{item.note}, {SPOKEN}") for item in texts}
    return [made.get(id(item), item) for item in items]


def _columns(table: Table) -> Iterable[Sequence[str]]:
    return map(table.column, range(len(table.headings)))


def recordings(table: Table) -> list[int]:
    """The column that names the recording of each row; [] without it."""
    return [k for k in table.where("perhaps segment") if _is_sound(table.column(k))][:1]


def _is_sound(cells: Sequence[str]) -> bool:
    return bool(cells) and all(map(SOUND.fullmatch, map(str.strip, counts(cells))))


def _of_people(table: Table, result: Found) -> Table:
    """The table with what people wrote as the reference, where several other columns, or one by its heading, are outputs."""
    found = _texts(table, BY_PEOPLE.fullmatch)
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


def _texts(table: Table, test: Callable[[str], object]) -> list[int]:
    """The columns of texts whose headings pass a test."""
    return [k for k in table.headed(test) if not table.numeric(k)]


WORD = pattern("evident.word")  # what is tagged
NAMELESS = re.compile(r"column \d+")  # a heading that nobody wrote


def _of_labels(table: Table, result: Found) -> Table:
    """The table with the right labels as the reference, where every other column of words repeats the same few."""
    right = _texts(table, words.is_label)
    if table.gold or table.where("system") or len(right) != 1 or not are_few(table, right[0]):
        return table
    others = [k for k in range(len(table.headings)) if k not in right and _may_be_output(table, k)]
    texts = [k for k in others if not repeats(table, k, right[0])]
    if len(texts) == len(others) or len(texts) > 1 or any(_is_short(table, k) for k in texts):
        return table
    table = _as_gold(table, right[0], "the other columns repeat its words", result)
    sure = _how_sure(table)
    left_out(table, texts, "what was labelled", result)
    left_out(table, sure, "how sure a system was, or the number of a row", result)
    return table.without({*sure, *texts})


def _how_sure(table: Table) -> list[int]:
    """The columns of numbers beside labels that say how sure a system was, or without a heading name the rows."""
    return [k for k in range(len(table.headings)) if table.numeric(k) and _says_how_sure(table, k)]


def _says_how_sure(table: Table, k: int) -> bool:
    return words.is_sureness(table.headings[k]) or (
        NAMELESS.fullmatch(table.headings[k]) is not None and table.differ([k])
    )


def _without_facts(table: Table, result: Found) -> Table:
    """The table without short texts, such as a company, beside the answers of several systems below headings with one end:
    A_answer, B_answer."""
    texts = [k for k in range(len(table.headings)) if table.meanings[k] is None and _may_be_output(table, k)]
    ends = {k: match[1].lower() for k in texts if (match := WRITTEN.fullmatch(table.headings[k].strip()))}
    if table.where("system") or len(ends) < 2 or len({*ends.values()}) > 1:
        return table
    long = min(_usual(table, k) for k in ends)
    facts = [k for k in texts if k not in ends and _usual(table, k) * FACT <= long]
    return left_out(table, facts, f"beside {listed(table.named(ends))}", result)


def _usual(table: Table, k: int) -> float:
    """The median number of characters of a column."""
    return median(map(len, table.column(k)))


def repeats(table: Table, k: int, gold: int) -> bool:
    """Whether nearly all cells of a column are among the words of another."""
    own = table.column(k).counts
    return sum(own.get(one, 0) for one in table.column(gold).counts) >= SAME * len(table.rows)


def _is_short(table: Table, k: int) -> bool:
    return len(table.column(k).counts) <= MOST_LABELS


def are_few(table: Table, k: int) -> bool:
    """Whether a column has a few words, each several times."""
    own = len(table.column(k).counts)
    return 1 < own <= MOST_LABELS and TIMES * own <= len(table.rows)


def without_kinds_as_source(table: Table, said: Container[str], result: Found) -> Table:
    """The table without a column that is called source, but repeats a few words: where a row comes from is no text. `said`
    are headings whose role somebody named."""
    if table.role:
        return table
    called = [k for k in table.where("source") if table.headings[k] not in said]
    return left_out(table, [k for k in called if _are_kinds(table, k)], "a few words again and again, no text", result)


def _are_kinds(table: Table, k: int) -> bool:
    """Whether a column has a few different cells, each several times, and none of them is a sentence."""
    own = [cell.strip() for cell in table.column(k).counts]
    # of a row for each system, questions count: each may have its own word (dog), which may even be its only name
    several = bool(table.where("system", "judge", "run", "measure"))
    named = {*table.where("segment", "perhaps segment", "document", "task"), *table.headed(crossing.ID.search)}
    asked = [len(table.column(i).counts) for i in named if i != k]
    most = max(asked, default=0) if several else len(table.rows)
    few = len(own) <= MOST_LABELS and TIMES * len(own) <= most
    return few and all(len(cell.split()) <= WORDS_OF_KIND and not numbers.is_number(cell) for cell in own)


def names_kind(table: Table, k: int) -> bool:
    """Whether a column of a few whole numbers has a heading that ends in level, type, class and the like: these sort the
    rows, whatever the words before say (error_class, distance_level)."""
    if not words.is_sorting(table.headings[k]) or not table.numeric(k):
        return False
    values = numbers.scale(table.column(k))
    return not values.fractions and len(values.values) <= MOST_LABELS


def _without_log(table: Table, result: Found) -> Table:
    """The table without what a program noted beside its outputs, where no other number is a score."""
    outputs = [*table.where("text"), *table.headed(PREDICTED.fullmatch)]
    noted = [k for k in table.headed(words.is_logged) if table.meanings[k] is None]
    others = (k for k in range(len(table.headings)) if k not in noted and table.meanings[k] not in OF_OTHERS)
    if table.where("system") or all(map(table.numeric, outputs)) or any(outcomes.is_numeric(table, k) for k in others):
        return table
    return left_out(table, noted, "by the heading no output", result)


def _without_constants(table: Table, result: Found) -> Table:
    """The table without words that are the same in every row, beside an output by its heading."""
    outputs = [k for k in table.where("text") if len(table.column(k).counts) > 1]
    if not outputs or table.where("system") or len(table.rows) < numbers.FEWEST:
        return table
    same = [k for k, means in enumerate(table.meanings) if means is None and len(table.column(k).counts) == 1]
    kept = [k for k in same if words.role(table.headings[k]) == "system" and not outcomes.is_numeric(table, k)]
    return left_out(table, kept, "the same in every row", result)


# Objects in which a service says what an answer took.
USAGE = pattern("evident.usage")


def without_usage(table: Table, result: Found) -> Table:
    """The table without the numbers in objects that say what an answer took, where other numbers are in objects, too."""
    if not table.nested or table.role:
        return table
    numeric = [k for k in range(len(table.headings)) if table.numeric(k) and "." in table.headings[k]]
    used = [k for k in numeric if any(map(USAGE.fullmatch, table.headings[k].split(".")[:-1]))]
    return left_out(table, used, "what an answer took", result) if len(used) < len(numeric) else table


def without_same(table: Table, said: Sequence[tuple[str, Part]], result: Found) -> Table:
    """The table without a column that names one system in all rows, where somebody says of several others, and not of it, that they
    are the systems."""
    several = sum(part == "system" for _, part in said) > 1 and len(table.rows) > 1
    named = {name.strip().lower() for name, _ in said}
    open_ = [k for k in table.where("system") if table.headings[k].strip().lower() not in named]
    same = [k for k in open_ if len(table.column(k).counts) == 1]
    return left_out(table, same, "the same in all rows", result) if several else table


def without_words(table: Table, result: Found) -> Table:
    """The table without the words that were tagged, in a column that its heading calls so, next to a few right tags which another
    column of texts repeats."""
    right = table.headed(lambda name: words.is_label(name) or words.role(name) == "reference")
    if len(right) != 1 or not are_few(table, right[0]):
        return table
    own = [k for k in table.headed(WORD.fullmatch) if not (table.numeric(k) or repeats(table, k, right[0]))]
    tagged = any(repeats(table, k, right[0]) for k in range(len(table.headings)) if k not in (*own, *right))
    return left_out(table, own, "what was labelled", result) if tagged else table


DIFFERENCE = re.compile(
    r"diff|delta|drop|gain|change|improve|minus|\u0394|\(\w+ ?[-\u2212] ?\w+\)", re.IGNORECASE
)  # (B-A)
MOST_COMPARED = 12  # columns of numbers, each of which may be the difference of two others


def without_differences(table: Table, result: Found) -> Table:
    """The table without columns that are the difference of two others in each row, and say so by their headings."""
    named = table.headed(DIFFERENCE.search)
    if not named or len(table.rows) < FEWEST_WHOLE:
        return table  # most tables: no cell is read
    numeric = [k for k in range(len(table.headings)) if table.numeric(k) and len(table.column(k).counts) > 1]
    used = _near_each(table, named, numeric)
    values = _values(table, {*used, *itertools.chain.from_iterable(used.values())})
    found = [k for k, own in used.items() if k in values and _is_difference(values, k, own)]
    return left_out(table, found, "the difference of two others", result)


EXTREME = re.compile(r"(?:best|worst|max(?:imum)?|min(?:imum)?|highest|lowest)(?:[-_ ]\w+)?", re.IGNORECASE)


def without_extremes(table: Table, result: Found) -> Table:
    """The table without columns that are the largest, or the smallest, of several others in each row, and are called so."""
    named = [k for k in table.headed(EXTREME.fullmatch) if table.numeric(k)]
    if not named or len(table.rows) < FEWEST_WHOLE:
        return table
    others = _values(table, (k for k in range(len(table.headings)) if table.numeric(k) and k not in named))
    rivals = list(zip(*others.values(), strict=True)) if len(others) > 1 else []
    values, ends = _values(table, named), [list(map(end, rivals)) for end in (min, max)] if rivals else []
    return left_out(table, [k for k in named if values.get(k) in ends], "the best or the worst of others", result)


def _near_each(table: Table, named: Sequence[int], numeric: Sequence[int]) -> dict[int, list[int]]:
    """The columns near each of those that say difference, where there are not too many to compare."""
    others = [k for k in numeric if k not in named]
    near = {k: _near(table, k, others) for k in named if k in numeric}
    return {k: own for k, own in near.items() if len(own) <= MOST_COMPARED}


def _near(table: Table, k: int, others: Sequence[int]) -> list[int]:
    """The columns of the same measure as one, by the last word of its heading; all without two of them."""
    own = [i for i in others if _last(table, i) == _last(table, k)]
    return own if len(own) > 1 else list(others)


def _values(table: Table, columns: Iterable[int]) -> dict[int, list[float]]:
    """The numbers of these columns, without those in which one is missing."""
    whole = (k for k in columns if all(map(numbers.is_number, table.column(k))))
    return {k: list(map(float, table.column(k))) for k in whole}


def _last(table: Table, k: int) -> str:
    """The last word of a heading, which often is the measure: UFR of E2_delta_UFR."""
    return re.split(r"[-_. ]+", table.headings[k].strip())[-1].lower()


def _is_difference(values: Mapping[int, Sequence[float]], k: int, others: Container[int]) -> bool:
    """Whether a column is the difference of two of the others in every row, but for the last digit."""
    pairs = itertools.permutations((one for one in values if one in others), 2)
    return any(
        all(abs(a - b - d) <= ROUNDED for a, b, d in zip(values[i], values[j], values[k], strict=True))
        for i, j in pairs
    )


SIZES = re.compile(r"(?P<stem>.+)[-_. ](?:total|max(?:imum)?|possible|count)", re.IGNORECASE)


def is_size_of(table: Table, k: int, ids: Sequence[int]) -> bool:
    """Whether a column says how large something is of which another column counts a part, the same for all systems:
    criteria_total beside criteria_met."""
    heading = table.headings[k].strip()
    match = SIZES.fullmatch(heading)
    beside = match and any(name.startswith(match["stem"]) for name in table.headings if name.strip() != heading)
    return bool(beside) and len(ids) == 1 and crossing.is_fact(table, k, ids)


CUT = re.compile(r"k|top[-_ ]?k|cut[-_ ]?off", re.IGNORECASE)


def _without_cuts(table: Table, result: Found) -> Table:
    """The table without a cut-off (recall of the first k documents) that is another number in each row: it is no system."""
    cuts = [k for k in table.headed(CUT.fullmatch) if table.numeric(k) and table.differ([k])]
    if cuts and len(table.headings) > len(cuts) and all(map(table.numeric, range(len(table.headings)))):
        of = table.headings[cuts[0]]
        message = f"Each row is a cut-off ({of}): means of whole systems, and no scores of segments."
        raise ReadError(message, table.file, 1, "Load the scores of every query: tests need them.")
    return left_out(table, cuts, "a cut-off", result)


def _without_unlike(table: Table, result: Found) -> Table:
    """The table without numbers below a heading such as files_changed_gold, beside several columns of words, none of which has them."""
    gold = table.gold if len(table.gold) == 1 and table.numeric(table.gold[0]) else []
    few = [k for k in table.where(None) if k not in gold and numbers.few_words(table.column(k))]
    others = {cell.strip() for k in range(len(table.headings)) if k not in gold for cell in table.column(k).counts}
    unlike = [k for k in gold if len(few) > 1 and others.isdisjoint(map(str.strip, table.column(k).counts))]
    return left_out(table, unlike, "by its numbers not what is right", result)


RULES = (
    _without_unlike, _without_shares, _outcomes, _of_recordings, _of_people, _of_labels, _without_facts, _without_log, _without_constants, _without_cuts,
)  # fmt: skip


def is_empty_for_one(table: Table, k: int, systems: Sequence[int]) -> bool:
    """Whether a column has nothing for one of the systems, which these columns name: it tells something of the others alone."""
    named = [*zip(*map(table.column, systems), strict=True)]
    filled = {name for name, cell in zip(named, table.column(k), strict=False) if not numbers.is_missing(cell)}
    return len(filled) < len(set(named))


CODE = re.compile(r".+[-_ ]([a-z]{2,3}|[A-Z]{2,3})")


def _code(table: Table, k: int) -> str:
    """The language that a heading ends in; "" for another word."""
    match = CODE.fullmatch(table.headings[k].strip())
    return match[1] if match and names.is_language(match[1].lower()) else ""


def without_languages(table: Table, result: Found) -> Table:
    """The table without texts whose headings end in a language in which the one reference is not: predicted_hi next to
    reference_en."""
    right = table.headed(lambda name: words.role(name) == "reference")
    known = {k: code for k in range(len(table.headings)) if (code := _code(table, k)) and not table.numeric(k)}
    if table.role or len(right) != 1 or right[0] not in known:
        return table
    own = known[right[0]]
    # beside reference_en the MT of OPUS-MT is no Maltese
    unlike = [k for k, code in known.items() if code != own and code.islower() == own.islower()]
    others = [k for k in unlike if table.meanings[k] in (None, "text")]
    return left_out(table, others, f"in another language than {table.headings[right[0]]}", result)
