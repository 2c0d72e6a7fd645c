"""Values among the words of a log: lines of one shape that come again with other numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.proof import parsed
from sigcore.readers import messages, names, reports
from sigcore.readers.contract import BY_SHAPE, NO, Content, Found, Item, Notice, Options, Reader, described
from sigcore.readers.tables import read as tables
from sigcore.readers.tables import said
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear

MOST_SHOWN = 6  # names of columns

# Counts of each item that F sums up over all of them: their names in a log (M2 scorer), and in statistics.
COUNTS = {"correct": "tp", "proposed": "pred", "gold": "gold"}
F_HALF = (
    "the F1 of these is shown; --option own_statistics.beta=0.5 gives F0.5, which is usual for corrections of grammar"
)


_KNOWN: WeakKeyDictionary[Content, messages.Table | None] = WeakKeyDictionary()  # each file is cut once


def _table(content: Content) -> messages.Table | None:
    if content not in _KNOWN:
        _KNOWN[content] = messages.table(content.lines, names.is_written_for_people(content.file))
    return _KNOWN[content]


def _looks(content: Content) -> int:
    notes = names.guess_role(content.file) == "ignored" and not names.is_written_for_people(content.file)
    if notes or content.suffix in reports.SETTINGS:
        return NO
    if _table(content) is None:  # most texts
        return NO
    try:
        reports.refuse_printed(content)
        reports.refuse_training(content, content.lines[: reports.MOST])
    except ReadError:
        return NO
    return BY_SHAPE


def _read(content: Content, options: Options) -> Found:
    found = _table(content)
    if found is None:
        fix = "Save the scores of all items as a table. If it is text, set its format to plain."
        raise ReadError("It has no values that lines of one shape give again and again.", content.file, fix=fix)
    if counted := _counts(content.file, found):
        return counted
    rows = [found.headings, *found.rows]
    result = tables.read_rows(content.file, rows, [found.places[0], *found.places], options)
    if not (result.problems or said.said(options)):
        _ask_named(content.file, found, result)
    what = f"Its lines give {listed(found.headings[:MOST_SHOWN])}{' ...' if len(found.headings) > MOST_SHOWN else ''}"
    what += (
        f" for {count(len(found.rows), 'item')}, which were read as a table. If it is text, set its format to plain."
    )
    left = f" {count(found.left_out, 'other line')} {'was' if found.left_out == 1 else 'were'} left out."
    result.notices.insert(0, Notice(content.file, what + left * bool(found.left_out)))
    return result


def _ask_named(file: str, found: messages.Table, result: Found) -> None:
    """Raise Unclear where the words before values were taken for systems: nothing in a log says that they are."""
    named = [item.name for item in result.items if item.kind == "scores" and item.name in found.headings]
    if len(named) > 1:
        guessed = [
            replace(one, reason="only a guess", basis="guess") if one.column in named else one for one in result.claims
        ]
        why = f"Are {listed(named)} rival systems, or do they all say something of one?"
        rows = [[cell.removesuffix("%") for cell in row] for row in found.rows]
        raise Unclear(Table(file, found.headings, rows, found.places), why, guessed)


def _counts(file: str, found: messages.Table) -> Found | None:
    """The counts of each item where a log of one system has those of F; the mean of its rates would be another measure."""
    columns = dict(zip(found.headings, zip(*found.rows, strict=True), strict=True))
    if not columns.keys() >= {*COUNTS} or not all(cell.isdigit() for name in COUNTS for cell in columns[name]):
        return None
    if _are_running(list(map(int, columns["gold"]))):
        message = "Its counts are running totals: each block has those of all sentences before it, for each annotator."
        fix = "Count the right, the proposed and the gold edits of each sentence, and load a table of these counts."
        raise ReadError(message, file, found.places[0], fix)
    own = zip(*(columns[name] for name in COUNTS), strict=True)
    segments = tuple(" ".join(map("=".join, zip(COUNTS.values(), cells, strict=True))) for cells in own)
    note = f"statistics, {count(len(segments), 'segment')}"
    item = Item(names.display_name(file), "system", "statistics", segments, file, note)
    what = f"Its lines give the counts {listed(COUNTS)} of {count(len(segments), 'segment')}, which are summed up: {F_HALF}."
    return Found(items=[item], notices=[Notice(file, what)])


FEWEST_TOTALS = 5  # from which on a total does not fall far


def _are_running(totals: Sequence[int]) -> bool:
    """Whether numbers grow from the first to the last, as totals of all sentences so far do, but for other annotators of one sentence:
    the M2 scorer prints such ones."""
    most = 0
    for one in totals:
        if most >= FEWEST_TOTALS and 2 * one < most:
            return False
        most = max(most, one)
    return most >= FEWEST_TOTALS and 2 * sum(totals[: len(totals) // 2]) < sum(totals[len(totals) // 2 :])


def _rows(content: Content) -> Sequence[Sequence[str]]:
    found = _table(content)
    return [found.headings, *found.rows] if found else []


READER = Reader(
    **described("log"),
    kinds=("scores", "statistics"),
    looks=_looks,
    read=_read,
    table=_rows,
    options=said.FIELDS,
    proof=parsed(
        ("system", "One", ("0.51", "0.63", "0.70", "0.44", "0.58")),
        ("system", "Two", ("0.42", "0.55", "0.58", "0.40", "0.61")),
    ),
)
