"""Tables with a row for each question and measure and a column for each system: each measure is read with its rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from sigcore.formatting import count, listed
from sigcore.readers.contract import Found, Notice
from sigcore.readers.tables import crossing, grids, numbers, roles, sums
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table

MOST_MEASURES, FEWEST_QUESTIONS = 12, 3
CUT = re.compile(r"(.+?)\s*[:|]\s*([^:|]+)")  # page-3:cer
ALL = re.compile(r"_*all_*|overall|corpus", re.IGNORECASE)  # beside names of questions, what is about all of them
OTHERS: tuple[Meaning, ...] = ("system", "run", "judge", "text", "reference", "source", "score", "task")


def parts(table: Table, result: Found) -> list[tuple[str, Table]]:
    """The tables in one table, each with the name of its test set: pairs of right and predicted columns, or the rows of each measure,
    which is noted, without a name; [] for a table of another kind."""
    return list(grids.parts(table)) or _of_measures(table, result)


def add(parts: Sequence[tuple[str, Table]], result: Found, read: Callable[[Table, Found], Found]) -> None:
    """Add what `read` finds in each of several tables to `result`, in the test set of its name."""
    for name, part in parts:
        result.add(roles.of_task(read(part, Found()), name, result))


def _of_measures(table: Table, result: Found) -> list[tuple[str, Table]]:
    """The rows of each measure as a table of their own, which is noted; [] for a table of another kind."""
    if table.role or table.basis or table.where(*OTHERS):
        return []
    table, k = _cut(table) or (table, next(iter(table.where("measure")), -1))
    asked = _asked(table, k) if k >= 0 and _are_measures(table, k) else None
    if asked is None:
        return []
    measures = sorted(table.column(k).counts, key=lambda name: not words.has_measure(name))  # known ones first
    table = table.renamed({asked: "segment"})
    kept = table.kept([i for i, cell in enumerate(table.column(asked)) if not _sums_up(cell)])
    if lost := len(table.rows) - len(kept.rows):
        result.notices.append(Notice(table.file, f"{count(lost, 'row')} of all segments left out."))
    message = f"Its rows are of {count(len(measures), 'measure')}, each read with its own: {listed(measures)}."
    result.notices.append(Notice(table.file, message))
    return [("", replace(_of(kept, k, one), measured=one)) for one in measures if not words.is_field(one)]


def _asked(table: Table, k: int) -> int | None:
    """The one column beside that of measures and those of several systems, which names the questions; None without it."""
    rivals = [i for i, means in enumerate(table.meanings) if means is None and table.numeric(i)]
    asked = [i for i in range(len(table.headings)) if i not in (k, *rivals)]
    measured = any(words.has_measure(table.headings[i]) for i in rivals)
    if len(asked) != 1 or len(rivals) < 2 or measured or not table.differ([k, *asked]):
        return None
    return asked[0] if crossing.cross(table, (k,), (asked[0],)) else None


def _cut(table: Table) -> tuple[Table, int] | None:
    """The table with a column for the question and one for the measure, where the first column names both; None for another."""
    found = [CUT.fullmatch(cell.strip()) for cell in table.column(0)]
    whole = [match for match in found if match]
    if len(whole) < len(found) or table.numeric(0):
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


def _of(table: Table, k: int, measure: str) -> Table:
    """The rows of one measure, without the column that names it."""
    rows: Sequence[int] = [i for i, cell in enumerate(table.column(k)) if cell == measure]
    return table.kept(rows).without({k})
