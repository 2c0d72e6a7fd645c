"""Tables whose rows are systems and whose columns are questions, which are turned."""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers import names
from sigcore.readers.contract import Found, Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import boards, evident, numbers, sums
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.boards import FEWEST_TASKS, MOST_OUTCOMES
from sigcore.readers.tables.failed import words_for
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear

CLOCK = re.compile(r"\s*\d{1,2}:\d{2}(?::\d{2})?\s*")  # how long it took
MOST_WORDS = 2  # of an answer that is neither right nor wrong: no response
FEWEST = 10  # questions in the columns of a table with a row per system
MOST_SYSTEMS = 20_000
ASKED = pattern("turned.asked")
OTHERS: tuple[Meaning, ...] = ("segment", "perhaps segment", "document", "run", "judge", "measure", "reference")


def turned(table: Table, explained: Container[str], result: Found) -> Table:
    """The table with a column for each system, if it has a row for each and a column for each of many questions.

    Numbered questions (q1, q2 ... or 1, 2 ...) show it, and words for right and wrong, which are no means; other headings, such
    as names of tasks, do not. `explained` are words whose meaning a user gave.

    Raises: Unclear for other words beside those for right and wrong, and for true and false that may be facts of a system.
    """
    if table.role or table.basis or not 1 < len(table.rows) <= MOST_SYSTEMS:
        return table
    if judged := _judged(table):
        _ask_facts(table, judged)
        _ask_words(table, judged, explained)
        return _turned(table, 0, judged, result)
    # what sums up the questions is none
    places = [k for k, name in enumerate(table.headings) if k and not sums.WORDS.fullmatch(name.strip())]
    asked = table.named(places)
    numbered = len(asked) >= FEWEST and all(map(ASKED.fullmatch, asked))
    if numbered and _is_of_systems(table):
        return _turned(table, 0, places, result)
    _ask_rows(table, places)
    return table


def _ask_rows(table: Table, places: Sequence[int]) -> None:
    """Raise the question whether each row is a system, where more columns of scores than rows have ids for headings (doc-7.txt, 3fa0c1d2)."""
    asked = table.named(places)
    # names below a heading of systems may be of whole ones: others ask; q1, q2 below question name questions
    aside: tuple[Meaning, ...] = ("segment", "document", "judge", "measure", *(() if table.numeric(0) else ("system",)))
    asks = table.meanings[0] in ("perhaps segment", "source") and _are_ids(table.column(0))
    of_rows = table.meanings[0] not in aside and table.differ([0]) and not asks
    if len(asked) < max(FEWEST, len(table.rows) + 1) or not of_rows or not _are_ids(asked):
        return
    if all(boards.has_values([row[k] for k in places]) for row in table.rows):
        why = f"Is each of its {count(len(table.rows), 'row')} a system, and each of {count(len(asked), 'column')} a question?"
        way = (f"each row is a system, and {asked[0]} to {asked[-1]} are questions", "rows=system")
        raise Unclear(table, why, evident.claims(table, "a question?"), [way])


def _are_ids(headings: Sequence[str]) -> bool:
    """Whether headings are alike but for their numbers, or are codes that nobody chose."""
    alike = {NUMBER.sub("#", name) for name in headings}
    return (len(alike) == 1 and "#" in alike.pop()) or all(map(CODE.fullmatch, headings))


NUMBER, CODE = re.compile(r"\d+"), re.compile(r"(?=.*\d)[0-9a-f-]{8,}", re.IGNORECASE)


def _judged(table: Table) -> list[int]:
    """The columns of words for right and wrong, where several stand beside a name of another system in each row; [] for others."""
    if table.meanings[0] != "system" or table.where(*OTHERS) or not table.differ([0]):
        return []
    found = _of_outcomes(table, range(1, len(table.headings)))
    return found if len(found) >= FEWEST_TASKS else []


def _of_outcomes(table: Table, columns: Sequence[int]) -> list[int]:
    """Those of the columns that hold words for right and wrong, and others with the same few words: no-response."""
    words_of = {k: {*map(numbers.word, table.column(k).counts)} for k in columns if not table.numeric(k)}
    short = {k: own for k, own in words_of.items() if all(len(word.split()) <= MOST_WORDS for word in own)}
    known = [own for own in short.values() if not own.isdisjoint(numbers.OUTCOMES) and len(own) <= MOST_OUTCOMES]
    every = set[str]().union(*known)
    return [k for k, own in words_of.items() if own <= every and len(every) <= MOST_OUTCOMES]


def _ask_facts(table: Table, judged: Sequence[int]) -> None:
    """Raise the question what true and false say below headings that number no questions, or beside the scores of several tasks:
    whether a model is open, or merged, says nothing of its answers."""
    named, asked = table.named(judged), _questions(table, ())
    words_ = {numbers.word(cell) for k in judged for cell in table.column(k).counts}
    numbered = words.numbered_questions(named) or _are_ids(named) or all(name.strip().endswith("?") for name in named)
    questions = numbered or len(named) >= FEWEST or not words_ <= {*numbers.TRUTH, *numbers.MISSING}
    if questions and set(judged) <= {*asked}:
        return
    why = f"Do {listed(named)} say who was right? They may be facts of each {table.headings[0]}."
    what = (
        f"{listed(named)} say who was right" if set(judged) <= {*asked} else f"{listed(table.named(asked))} are scores"
    )
    claims = evident.claims(table, "of a whole row of others")
    raise Unclear(table, why, claims, [(f"each row is a system, and {what}", "rows=system")], boards.OF_WHOLE)


def _ask_words(table: Table, judged: Sequence[int], explained: Container[str]) -> None:
    """Raise the question what other words stand for beside right and wrong: no-response."""
    cells = itertools.chain.from_iterable(table.column(k).counts for k in judged)
    others = dict.fromkeys(cell.strip() for cell in cells if not numbers.is_missing(cell))
    odd = [word for word in others if numbers.word(word) not in numbers.OUTCOMES and word not in explained]
    if odd:
        why = f"Each row is a system, and {count(len(judged), 'column')} say who was right. What do {listed(odd)} stand for?"
        raise Unclear(table, why, evident.claims(table, "right and wrong answers"), words_for(odd, "rows=system"))


def _is_of_systems(table: Table) -> bool:
    """Whether each row is of another system, which the first column names, and the rest are values."""
    named = words.meaning(table.headings[0]) in (None, "system") and table.differ([0]) and not table.numeric(0)
    return named and all(boards.has_values(row[1:]) for row in table.rows)


def by_rows(
    table: Table, result: Found, measures: Sequence[str] = (), ignored: Sequence[str] = (), systems: Sequence[str] = ()
) -> Table:
    """The table with a column for each system, where somebody said that each row is one, and perhaps which of the measures in
    the headings is meant, which columns are `ignored`, and which one names the `systems`; without columns that sum up others.

    Raises: ReadError without a column that names the rows, or one of scores, and for several measures of one task.
    """
    places = range(len(table.headings))
    open_ = _questions(table, ignored)
    numbered = _are_numbered(table, open_)
    asked, measure = _of_measure(table, [k for k in open_ if k] if numbered else open_, measures)
    named = 0 if numbered else _naming(table, asked, table.headed(lambda name: name in systems) or places)
    if named < 0 or not asked:
        raise _nameless(table, asked)
    rest = [k for k in places if k not in (*asked, named)]
    if rest:
        result.notices.append(Notice(table.file, f"Columns that are not used: {listed(table.named(rest))}."))
    result.notices.extend(_about_scales(table, asked))
    measure = measure or _summed(table, rest) or table.measured
    return replace(_turned(table, named, asked, result), basis="said", measured=measure)


def _about_scales(table: Table, asked: Sequence[int]) -> list[Notice]:
    """What to say of columns on two scales, a judge's 7.01 and an accuracy of 0.587; [] for others."""
    message = (
        f"Some of {listed(table.named(asked))} are from 0 to 1, and others are larger: a mean of both says nothing."
    )
    notice = Notice(table.file, f"{message} Leave out those of one scale (--columns NAME=ignored).")
    return [notice] if boards.on_two_scales(table, asked) else []


def _are_numbered(table: Table, open_: Sequence[int]) -> bool:
    """Whether the first column has another number in each row, 1, 2, 3, beside ids of questions: these are names of systems."""
    return not _may_name(table, 0) and table.differ([0]) and _are_ids(table.named(k for k in open_ if k))


def _naming(table: Table, asked: Sequence[int], columns: Sequence[int]) -> int:
    """The first of the columns with another name in each row; -1 where none has."""
    open_ = [k for k in columns if k not in asked and table.differ([k]) and _may_name(table, k)]
    named = [k for k in open_ if not all(map(CLOCK.fullmatch, table.column(k)))]
    return next(iter(named), -1)


def _questions(table: Table, ignored: Sequence[str]) -> list[int]:
    """The columns that are questions; where some are numbered (Q. 1), or say who was right, these alone: what counts them is none.

    Beside several columns of fractions, yes and no are facts of a system (Merged, Flagged), and no questions.
    """
    open_ = [k for k, name in enumerate(table.headings) if name not in ignored]
    asked, judged = [k for k in open_ if _is_question(table, k)], _of_outcomes(table, open_)
    numbered = words.numbered_questions(table.named(asked))
    if found := [k for k in asked if table.headings[k] in numbered]:
        return found
    measured = [k for k in asked if k not in judged and numbers.scale(table.column(k)).fractions]
    if len(judged) >= FEWEST_TASKS:
        asked = measured if len(measured) >= max(FEWEST_TASKS, len(judged)) else judged
    return boards.without_twins(table, asked)


def _summed(table: Table, rest: Sequence[int]) -> str:
    """The one measure that the columns of sums name, where no other heading says it: Average WER; "" without it."""
    sums = {words.bare(table.headings[k]) for k in rest if boards.is_board_sum(table, k)}
    found = {one for name in sums for one in boards.named_measures(name)}
    return found.pop() if len(found) == 1 else ""


def _of_measure(table: Table, asked: list[int], said: Sequence[str]) -> tuple[list[int], str]:
    """The columns of the measure that somebody said, or all, and the one measure that they name ("" for several).

    Raises: ReadError for a measure that no heading names, and Unclear where a task has several.
    """
    named = boards.measures_of(table, asked)
    if said:
        meant = [k for k in asked if named[k].lower() == said[0].lower()]
        if not meant:
            fix = f"Its headings name {listed(dict.fromkeys(filter(None, named.values()))) or 'no measure'}."
            raise ReadError(f"No column is of {said[0]}.", table.file, 1, fix)
        return meant, said[0]
    different = list(dict.fromkeys(named.values()))
    if len(different) == 1:
        return asked, different[0]
    if ways := boards.of_boards(table, asked):
        claims = evident.claims(table, "a task and a measure?")
        raise Unclear(table, f"Its columns are of several measures: {listed(filter(None, different))}.", claims, ways)
    return asked, ""


def _nameless(table: Table, asked: Sequence[int]) -> ReadError:
    """The error for rows without a name of their own, beside these scores: two systems may have one name."""
    named = (cell for k in table.where("system")[:1] for cell, n in table.column(k).counts.items() if n > 1)
    if asked and (again := next(named, "")):
        return ReadError(f"Two rows are named {again}.", table.file, 1, "Keep one row of each system.")
    message = "Its rows are said to be systems, but it has no column of different names beside columns of scores."
    return ReadError(message, table.file, 1, "Name every row, and give each question a column.")


def _may_name(table: Table, k: int) -> bool:
    """Whether a column may hold the names of systems."""
    return table.meanings[k] == "system" or not boards.has_values(table.column(k))


def _is_question(table: Table, k: int) -> bool:
    """Whether a column holds a score of each row: no mean of the others, and no size of a model."""
    heading = words.bare(table.headings[k])
    means = sums.WORDS.fullmatch(heading) is not None or boards.is_board_sum(table, k)
    return not (means or words.is_field(heading) or _may_name(table, k))


def _turned(table: Table, named: int, asked: Sequence[int], result: Found) -> Table:
    """The table with a row for each of the columns that are questions, and a column for each row."""
    shown = table.named(asked)
    message = f"Its rows are systems and its columns are {count(len(asked), 'question')} ({shown[0]} to {shown[-1]})."
    result.notices.append(Notice(table.file, message))
    judged = {*_of_outcomes(table, asked)}
    rows = [[table.headings[k], *(_as_number(one) if k in judged else one for one in table.column(k))] for k in asked]
    return replace(
        table, headings=["segment", *map(names.clean, table.column(named))], rows=rows, places=[1] * len(rows)
    )


def _as_number(cell: str) -> str:
    """1 and 0 for right and wrong; another cell as it is."""
    return numbers.OUTCOMES.get(numbers.word(cell), cell)
