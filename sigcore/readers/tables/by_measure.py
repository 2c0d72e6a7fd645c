"""Tables with a row for each question and measure and a column for each system: which column names the questions, and the measures."""

from __future__ import annotations

import re
from dataclasses import replace

from sigcore.formatting import count
from sigcore.readers.contract import Found, Notice
from sigcore.readers.tables import crossing, numbers, sums
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table

MOST_MEASURES, FEWEST_QUESTIONS = 12, 3
CUT = re.compile(r"(.+?)\s*[:|]\s*([^:|]+)")  # page-3:cer
ALL = re.compile(r"_*all_*|corpus", re.IGNORECASE)  # beside names of questions, what is about all of them
OTHERS: tuple[Meaning, ...] = ("system", "run", "judge", "text", "reference", "source", "score", "task")


def named(table: Table, result: Found) -> Table:
    """The table with the usual headings above its questions and measures, where several systems have a number for each of both, also
    where one column names both (page-3:cer); without rows about all questions, which is noted. Another one as it is."""
    if table.role or table.basis or table.where(*OTHERS):
        return table
    cut, k = _cut(table) or (table, next(iter(table.where("measure")), -1))
    asked = _asked(cut, k) if k >= 0 and _are_measures(cut, k) else None
    if asked is None:
        return table
    kept = cut.kept([i for i, cell in enumerate(cut.column(asked)) if not _sums_up(cell)])
    if lost := len(cut.rows) - len(kept.rows):
        result.notices.append(Notice(table.file, f"{count(lost, 'row')} of all segments left out."))
    return kept.renamed({asked: "segment"})


def _asked(table: Table, k: int) -> int | None:
    """The one column that names the questions, next to a column of measures and the columns of systems; None without it."""
    rivals = [i for i, means in enumerate(table.meanings) if means is None and table.numeric(i)]
    asked = [i for i in range(len(table.headings)) if i not in (k, *rivals)]
    measured = any(words.has_measure(table.headings[i]) for i in rivals)
    if len(asked) != 1 or len(rivals) < 2 or measured or not table.differ([k, *asked]):
        return None
    return asked[0] if crossing.cross(table, (k,), (asked[0],)) else None


def _cut(table: Table) -> tuple[Table, int] | None:
    """The table with a column for the question and one for the measure, where the first column names both; None for another."""
    cells = table.column(0)
    if not cells or CUT.fullmatch(cells[0].strip()) is None:  # as in most tables
        return None
    whole = [match for cell in cells if (match := CUT.fullmatch(cell.strip()))]
    if len(whole) < len(cells):
        return None
    rows = [[match[1], match[2], *row[1:]] for match, row in zip(whole, table.rows, strict=True)]
    return replace(table, headings=["segment", "measure", *table.headings[1:]], rows=rows), 1


def _are_measures(table: Table, k: int) -> bool:
    """Whether a column repeats a few names, some of which are known measures, in other rows of the same questions."""
    own = table.column(k).counts
    few = 1 < len(own) <= MOST_MEASURES and len(table.rows) >= FEWEST_QUESTIONS * len(own)
    return few and not any(map(numbers.is_number, own)) and any(map(words.has_measure, own))


def _sums_up(cell: str) -> bool:
    return ALL.fullmatch(cell.strip()) is not None or sums.WORDS.fullmatch(cell.strip("_ ")) is not None
