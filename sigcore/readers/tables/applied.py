"""A table with the columns that somebody named, or a known program has, below the headings of the vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from sigcore.formatting import listed
from sigcore.measures import better_of
from sigcore.readers import names
from sigcore.readers.contract import Found, Notice, Part
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import long, numbers, outcomes, unnamed
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.said import HEADINGS, Said, place
from sigcore.readers.tables.table import Table

JOINED = ", "  # between the names of a combination that is a system
# Beside the scores that were named, only these columns are used; judges and the like belong to ratings.
BESIDE: tuple[Meaning, ...] = ("document", "domain", "judge", "measure", "dimension", "rating type", "source language", "target language", "run", "task", "reference", "source", "category")  # fmt: skip
Column = tuple[str, tuple[str, ...]]  # a heading and its cells


def to(table: Table, what: Said, result: Found, system: str = "") -> Table:
    """The table with the columns that were named under the headings of the vocabulary.

    If scores are named, no other values are used. If one column of scores is named and none of systems, all rows are of
    one system: `system`, or the file. Every column that is not used is reported.
    Raises: ReadError for a column that the table does not have, or a score that is not a number.
    """
    table, what = _joint(table, what, result)
    what = _resolved(table, what)
    table = _renamed(table, what, result)
    system_of = (what.system,) if what.system else ()
    ids, own, scores = ([place(table, name) for name in said] for said in (what.segment, system_of, what.scores))
    ids = ids or (_asked(table, own or table.where("system")[:1]) if scores else [])
    ids = ids or (unnamed.paired_runs(table, result) if what.in_columns(table) else [])
    _refuse(table, what, own, scores, ids)
    values = _beside(table, what, {*ids, *own, *scores}, result)
    values += _named(table, scores, what)
    segments = _segments(table, ids, values, bool(scores))
    columns = [*_systems(table, own, values, system, what.one_system or len(scores) == 1), *segments, *values]
    rows = list(zip(*(cells for _, cells in columns), strict=True))
    headings, numbered = [name for name, _ in columns], bool(segments) and not ids
    basis: Literal["said", ""] = "said" if what.scores else ""
    return replace(
        table, headings=headings, rows=rows, numbered=numbered, basis=basis, texts=_called_texts(table, what)
    )


def _called_texts(table: Table, what: Said) -> list[str]:
    """The headings below which numbers are labels, as somebody says."""
    several = _headings(table, [place(table, name) for name in what.texts])
    return several + [HEADINGS["text"]] * ("text" in dict(what.columns).values())


def _refuse(table: Table, what: Said, own: Sequence[int], scores: Sequence[int], ids: Sequence[int]) -> None:
    """Raise ReadError where the columns that were named have no questions, sums of them, or labels that are called scores."""
    long.refuse_nameless(table, own, scores, ids)
    unnamed.refuse_sums(table, ids)
    outcomes.refuse_labels(table, scores, {part for _, part in what.columns})


def _named(table: Table, scores: Sequence[int], what: Said) -> Iterator[Column]:
    """The columns that were named as scores or as systems, each below its heading.

    Raises: ReadError for a score that is not a number.
    """
    written = _outputs(table, scores, what)
    # the one output that was named is that of the file's system
    alone = len(scores) == 1 and bool(written)
    cells = (table.column(k) if k in written else outcomes.as_scores(table, k, dict(what.cells)) for k in scores)
    return zip([HEADINGS["text"]] if alone else _headings(table, scores), cells, strict=True)


def _joint(table: Table, what: Said, result: Found) -> tuple[Table, Said]:
    """The table with one name for each combination, where several columns of names were called systems beside questions that
    come again and scores: a retriever and a model are tried together."""
    parts: dict[Part, list[int]] = {}
    for name, part in what.columns:
        parts.setdefault(part, []).append(place(table, name))
    both, asked = parts.get("system", []), parts.get("question", [])
    if what.system or "score" not in parts or not _name_together(table, both, asked):
        return table, what
    heading = " + ".join(table.named(both))
    cells = (JOINED.join(filter(None, map(str.strip, row))) for row in zip(*map(table.column, both), strict=True))
    result.notices.append(Notice(table.file, f"{listed(table.named(both))} name the systems together."))
    columns = tuple(one for one in what.columns if one[1] != "system")
    table = table.beside([heading], ([[cell]] for cell in cells))
    return table, replace(what, columns=columns, system=heading)


def _name_together(table: Table, both: Sequence[int], asked: Sequence[int]) -> bool:
    """Whether several columns name a system together: some hold names, and numbers only where questions come again."""
    if len(both) < 2 or not asked or all(map(table.numeric, both)):
        return False
    come_again = not table.differ(asked) or not any(map(table.numeric, both))
    return come_again and all(_names_part(table, k) for k in both)


def _names_part(table: Table, k: int) -> bool:
    """Whether a column holds short names, or a few settings in numbers that only some systems have: b of BM25."""
    few = 2 * len(table.column(k).counts) <= len(table.rows)
    return _names_systems(table, k, numbered=True) or (few and not all(map(str.strip, table.column(k).counts)))


def _resolved(table: Table, what: Said) -> Said:
    """The same with the roles of single columns sorted in: questions, systems and scores.

    One column of short names that is called a system names the system of each row; others are the systems themselves.
    Raises: ReadError for a column that the table does not have.
    """
    parts: dict[Part, list[str]] = {}
    for name, part in what.columns:
        parts.setdefault(part, []).append(table.headings[place(table, name)])
    systems = parts.get("system", [])
    if _are_named(table, what, parts):
        what, systems = replace(what, system=systems[0]), []
    segment = (*what.segment, *parts.get("question", ()))
    if "score" in parts and not (systems or what.scores):
        what = replace(what, one_system=True)
    return replace(what, segment=segment, scores=(*what.scores, *systems, *parts.get("score", ())))


def _are_named(table: Table, what: Said, parts: Mapping[Part, Sequence[str]]) -> bool:
    """Whether one column that is called a system names the system of each row, and has no labels as what is right has."""
    systems, gold = ([place(table, name) for name in parts.get(part, ())] for part in ("system", "reference"))
    if len(systems) != 1 or what.system:
        return False
    # beside questions and what is compared, numbers that come again are names
    numbered = "question" in parts and not {"score", "text"}.isdisjoint(parts)
    asked = [place(table, name) for name in parts.get("question", ())]
    again = numbered and not table.differ(asked)  # so several systems answered a question, however few names come again
    # words beside scores, however few rows each has
    named = "score" in parts and (unnamed.are_names(table, systems[0]) or _are_words(table, systems[0]))
    labels = not {"score", "text"} & parts.keys() and outcomes.are_answers(table, systems, gold)
    return not labels and (again or named or _names_systems(table, systems[0], numbered))


def _are_words(table: Table, k: int) -> bool:
    """Whether a column has neither numbers nor words for right and wrong: beside scores these name what was scored."""
    return not table.numeric(k) and not numbers.truths(table.column(k), numbers.ALL_OUTCOMES)


def _names_systems(table: Table, k: int, numbered: bool) -> bool:
    """Whether a column holds short names, each in several rows; `numbered`: whole numbers may be names, too. A setting, such as
    a temperature, is no score, so its numbers are names."""
    cells = table.column(k)
    setting = words.is_field(table.headings[k])
    return 2 * len(set(cells)) <= len(cells) and (
        not table.numeric(k) or setting or (numbered and all(map(str.isdigit, set(cells))))
    )


NAMED_ONCE: tuple[Meaning, ...] = ("source", "text", "run")


def _named_again(table: Table, parts: Mapping[int, Part]) -> list[int]:
    """The columns that would have the role of another one, which somebody named: Source may then say where a text is from, Text be
    what several systems read, and Run ID say when a trial was made."""
    once = [role for role in NAMED_ONCE if role in parts.values()]
    return [k for k in table.where(*once) if k not in parts] if once else []


def _renamed(table: Table, what: Said, result: Found) -> Table:
    """The table with the columns of other roles below the headings of the vocabulary, without those to ignore."""
    parts = {place(table, name): part for name, part in what.columns}
    one = [k for k, part in parts.items() if part == "run" and len(table.column(k).counts) == 1]
    dropped = one + [k for k, part in parts.items() if part in ("ignored", "weight")]
    dropped += unnamed.other_metric(table, what.scores, parts)
    dropped += _named_again(table, parts)
    if dropped:
        result.notices.append(Notice(table.file, f"Columns that are not used: {listed(table.named(dropped))}."))
    named = [HEADINGS.get(parts[k], name) if k in parts else name for k, name in enumerate(table.headings)]
    return replace(table, headings=named).without(dropped)


def _beside(table: Table, what: Said, named: set[int], result: Found) -> list[Column]:
    """The columns that are used although they were not named; the others are reported."""
    others = [k for k in range(len(table.headings)) if k not in named]
    right = _right_labels(table, what, others)
    kept = [k for k in others if k in right or _stays(table, k, what)]
    unused = [table.headings[k] for k in others if k not in kept]
    if unused:
        result.notices.append(Notice(table.file, f"Columns that are not used: {listed(unused)}."))
    return [(HEADINGS["reference"] if k in right else table.headings[k], table.column(k)) for k in kept]


def _right_labels(table: Table, what: Said, others: Sequence[int]) -> list[int]:
    """The one column of these that is headed gold or the like, beside texts of which somebody says that systems wrote them, where
    nothing else is right."""
    texts = bool(what.texts) or "text" in dict(what.columns).values()
    found = table.headed(words.is_label, others) if texts and not table.where("reference") else []
    return found if len(found) == 1 else []


def _asked(table: Table, system: Sequence[int]) -> list[int]:
    """The column of items, questions and the like that tells the rows of a system apart, where no other names segments."""
    if table.where("segment"):
        return []
    several = bool(system) and bool(table.where("judge", "run"))  # who judged, or the run, tells the rows of one apart
    with_run = [*system, *table.where("run")[:1]]
    found = [k for k in table.where("perhaps segment") if several or table.differ([*with_run, k])][:1]
    # a document that tells the rows of a system apart is what was asked
    documents = [k for k in table.where("document")[:1] if system and table.differ([*system, k])]
    return found or long.named_ids(table, system) or documents


def _outputs(table: Table, columns: Sequence[int], what: Said) -> list[int]:
    """The columns of systems that somebody calls texts, or that hold such."""
    told = [place(table, name) for name in what.texts]
    return [*told, *(k for k in _worded(table, columns, what) if k not in told)]


def _worded(table: Table, columns: Sequence[int], what: Said) -> list[int]:
    """The columns of systems that hold texts: beside a reference also a few words that come again, but no numbers, unless it
    holds the same few, and none where somebody says what was measured."""
    systems = [place(table, name) for name, part in what.columns if part == "system"]
    right = table.where("reference") if "reference" in dict(what.columns).values() else []
    gold = bool(table.where("reference")) and not table.grid
    texts = [
        k
        for k in columns
        if k in systems
        and (outcomes.are_labels(table, k, right) or not numbers.mostly_numbers(_cells(table.column(k), what)))
    ]
    scored = numbers.ALL_OUTCOMES if not gold else {}
    return [
        k for k in texts if not numbers.truths(table.column(k), scored) and (gold or not numbers.marks(table.column(k)))
    ]


def _cells(column: Sequence[str], what: Said) -> list[str]:
    """The cells with the numbers that somebody gave for words."""
    known = dict(what.cells)
    return [known.get(numbers.word(cell), cell) for cell in column]


def _has(columns: Iterable[Column], means: Meaning) -> bool:
    return any(words.meaning(name) == means for name, _ in columns)


def _segments(table: Table, ids: Sequence[int], values: Sequence[Column], scored: bool) -> list[Column]:
    """The column of ids that were named; of numbers, if a table of scores has none; else none."""
    if ids:
        return [("segment", tuple(names.of_segment(row[k] for k in ids) for row in table.rows))]
    if not scored or _has(values, "segment"):
        return []
    return [("segment", tuple(str(i) for i in range(1, len(table.rows) + 1)))]


def _systems(table: Table, own: Sequence[int], values: Sequence[Column], system: str, one: bool) -> list[Column]:
    """The column of systems that was named; of the one system that all rows are about; else none."""
    if own:
        return [("system", table.column(own[0]))]
    if not (system or one) or _has(values, "system"):
        return []
    return [("system", (system or names.measure_in_name(table.file)[1],) * len(table.rows))]


def _stays(table: Table, k: int, what: Said) -> bool:
    """Whether a column that was not named is still used; not numbers of judges or runs that would compete with systems in columns."""
    means = words.meaning(table.headings[k])
    named = (what.segment and means in ("segment", "perhaps segment")) or (what.system and means == "system")
    if table.headings[k] == HEADINGS["label"]:
        return True
    # beside outputs that were named, a text is what is right by its heading alone: Gold standard
    texts = not all(outcomes.is_numeric(table, place(table, name)) for name in what.scores)
    right = texts and table.gold[:1] == [k] and not table.where("reference")
    if _would_compete(table, k, what):
        return False
    return not named and (not what.scores or right or means in (*BESIDE, "segment", "system"))


def _would_compete(table: Table, k: int, what: Said) -> bool:
    """Whether a column that nobody named would be a rival: of systems in columns, or of the output of the file."""
    means = words.meaning(table.headings[k])
    parts = {part for _, part in what.columns}
    if means in (None, "score") and "text" in parts and (table.numeric(k) or "reference" in parts):
        return True  # how sure a system is of its answer says nothing about it
    if means is None and words.is_field(table.headings[k]) and not table.numeric(k):
        return True  # a date is no output
    return what.in_columns(table) and unnamed.would_compete(table, means)


def _headings(table: Table, columns: Sequence[int]) -> list[str]:
    """The headings of the scores; one that would be read as something else becomes score."""
    shown = list[str]()
    for k in columns:
        heading = table.headings[k]
        fits = words.role(heading) == "system" and words.meaning(heading) in (None, "score", "rated")
        directed = len(columns) > 1 or better_of(f"{heading} score") is not None  # severity: lower is better
        other = f"{heading} score" if directed else "score"  # the name of the file says what it is
        shown.append(heading if fits else other if other not in shown else f"{other} {len(shown) + 1}")
    return shown
