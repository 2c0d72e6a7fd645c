"""A last row that sums up the rows above it: it is left out where its numbers are their means or sums, as a check shows. So are
copies of all rows."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median, pstdev, stdev

from sigcore.formatting import count, listed
from sigcore.readers.contract import Found, Notice, Part
from sigcore.readers.tables import numbers, sums
from sigcore.readers.tables.header import LEAST_COLUMNS
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table

FEWEST = 3  # rows above it; fewer have a number as their mean by chance
FEWEST_COPIED = 10  # different rows; fewer may come equally often by chance
FEWEST_NUMBERS, MOST_ROWS = 2, 10_000  # columns of numbers below titles of parts, and rows of a table that has titles
MOST_SUMS = 100  # rows that sum up parts: each is compared with all others
SPREAD = re.compile(
    r"stde?v?\.?|sd|std?[-. ]?abw(?:eichung)?\.?|standardabweichung|[ée]cart[- ]type|desv\b.*", re.IGNORECASE
)
PERCENT = re.compile(r"-?\d+(?:[.,]\d+)? ?%")
TITLE = re.compile(r"[-=*#~_]{2,}|# ")
ROUNDED = 0.5 + 1e-6  # of the last digit that is written
EXACT = 1e-9  # of the size of a number that is written in full
MEAN_OF = re.compile(r"(?:macro[- ]|micro[- ])?(?:avg\.?|average)(?: \S+){1,4}(?<!\?)", re.IGNORECASE)
PART = re.compile(r"(.*\S)[ _-]+(?:avg\.?|average|mean|total|sum|subtotal)", re.IGNORECASE)  # de avg


def without(table: Table, result: Found) -> Table:
    """The table without rows that are called mean, total and the like, of all or of a part, and are it; notices say so."""
    return _without_parts(_without_last(_without_means(table, result), result), result)


# Meanings of columns of names, and what somebody says of them.
NAMES: tuple[Meaning, ...] = ("system", "segment", "perhaps segment", "document", "task")
NAMED: tuple[Part, ...] = ("system", "question", "document", "task")


def names_of(table: Table, known: Mapping[str, Part]) -> set[int]:
    """The columns that name systems, questions and the like, by what was said of them, or else by their headings. Several systems,
    or one of numbers, are columns of values."""
    parts = [known.get(name) for name in table.headings]
    said = {k for k, part in enumerate(parts) if part in NAMED}
    systems = {k for k in said if parts[k] == "system"}
    values = systems if len(systems) > 1 else set(filter(table.numeric, systems))
    return (said - values) | {k for k, part in enumerate(parts) if part is None and table.meanings[k] in NAMES}


def without_missing(table: Table, cells: Mapping[str, str], known: Mapping[str, Part], result: Found) -> Table:
    """The table without rows of which somebody said that the name is none (overall=missing), which is noted; `cells` are the
    words that were said, and `known` the roles."""
    missing = {word for word, meaning in cells.items() if not (meaning or numbers.is_number(word))}
    named = names_of(table, known) if missing else set()
    # a row that sums up others is called so in the first column, whatever its heading
    named |= {0} if any(map(sums.is_sum, missing & _words(table, {0}))) else set()
    # among scores it says that there is none, and nothing about names
    missing = (missing & _words(table, named)) - _words(table, {*range(len(table.headings))} - named)
    gone = {i for k in named for i, cell in enumerate(table.column(k)) if numbers.word(cell) in missing}
    if not gone:
        return table
    message = f"{count(len(gone), 'row')} called {listed(sorted(missing))} left out, as it was said."
    result.notices.append(Notice(table.file, message))
    return table.kept([i for i in range(len(table.rows)) if i not in gone])


def _words(table: Table, columns: Iterable[int]) -> set[str]:
    """The different cells of some columns, as somebody says them."""
    return {numbers.word(cell) for k in columns for cell in table.column(k).counts}


def _without_headers(table: Table, result: Found) -> Table:
    """The table without rows that repeat its headings, as where files were put one below the other."""
    head = [name.strip() for name in table.headings]
    if all(map(numbers.is_number, head)):
        return table  # a row of scores may well be 0 and 1 below the headings 0 and 1
    again = [i for i, row in enumerate(table.rows) if row[0].strip() == head[0] and [*map(str.strip, row)] == head]
    if not again or len(head) < LEAST_COLUMNS or len(again) == len(table.rows):
        return table
    message = f"{count(len(again), 'row')} repeat{'s' * (len(again) == 1)} its headings, and no segments: left out."
    result.notices.append(Notice(table.file, message, table.places[again[0]]))
    gone = {*again}
    return table.kept([i for i in range(len(table.rows)) if i not in gone])


def each_once(table: Table, result: Found) -> Table:
    """The table without rows that repeat its headings, and without copies of all of its rows."""
    return without_copies(_without_headers(table, result), result.notices)


def without_copies(table: Table, notices: list[Notice]) -> Table:
    """The table with each row once, where each stands equally often, more than once: a file that was stored twice has no more
    questions than once. A notice says so. Rows of which no column has many values, such as votes, are as they are."""
    if not table.rows or table.rows.count(table.rows[0]) < 2:
        return table
    own = Counter(map(tuple, table.rows))
    times = {*own.values()}
    varied = max(len(table.column(k).counts) for k in range(len(table.headings)))
    if len(own) < FEWEST_COPIED or len(times) > 1 or 2 * varied < len(own):
        return table
    message = f"Each of {count(len(own), 'row')} stands {count(times.pop(), 'time')}: the copies are left out."
    notices.append(Notice(table.file, message))
    first = dict(reversed([(tuple(row), i) for i, row in enumerate(table.rows)]))
    return table.kept(sorted(first.values()))


def _without_means(table: Table, result: Found) -> Table:
    """The table without its last rows whose first cell says which mean they are: Avg. without MS MARCO, Avg. gain."""
    first = len(table.rows)
    while first > FEWEST and MEAN_OF.fullmatch(table.rows[first - 1][0].strip()):
        first -= 1
    if table.role or first in (FEWEST, len(table.rows)):
        return table
    named = listed(row[0].strip() for row in table.rows[first:])
    message = f"{named}: by the name no segment, so it is left out."
    result.notices.append(Notice(table.file, message, table.places[first]))
    return table.kept(range(first))


def without_titles(
    file: str, rows: Sequence[Sequence[str]], places: Sequence[int], result: Found
) -> tuple[Sequence[Sequence[str]], Sequence[int]]:
    """The rows, and their places, without those below the first that only have a name, between rows with numbers: titles of
    parts. A notice names them."""
    titles = _titles(rows)
    rest = sorted({*range(len(rows))} - {*titles})
    if not titles or len(rest) <= max(FEWEST, len(titles)) or not _have_numbers([rows[i] for i in rest[1:]]):
        return rows, places
    shown, what = listed(rows[i][0].strip() for i in titles), "is a title" if len(titles) == 1 else "are titles"
    message = f"{count(len(titles), 'row')} without numbers {what} of parts, and no segments: {shown}."
    result.notices.append(Notice(file, message, places[titles[0]]))
    return [rows[i] for i in rest], [places[i] for i in rest]


def without_blank_start(
    rows: Sequence[Sequence[str]], places: Sequence[int]
) -> tuple[Sequence[Sequence[str]], Sequence[int]]:
    """The rows, and their places, without blank ones before the first of several cells."""
    first = next((i for i, row in enumerate(rows) if not _is_blank(row)), 0) if len(rows[0]) > 1 else 0
    return (rows[first:], places[first:]) if first else (rows, places)


def without_gap(rows: Sequence[Sequence[str]], places: Sequence[int]) -> tuple[Sequence[Sequence[str]], Sequence[int]]:
    """The rows, and their places, without blank ones at the end and above means and totals there: a sheet sets these apart."""
    end = len(rows)
    while end > FEWEST and len(rows[end - 1]) > 1 and (_is_blank(rows[end - 1]) or _is_of_sums(rows[end - 1])):
        end -= 1
    kept = [*range(end), *(i for i in range(end, len(rows)) if not _is_blank(rows[i]))]
    return (rows, places) if len(kept) == len(rows) else ([rows[i] for i in kept], [places[i] for i in kept])


def _is_blank(row: Sequence[str]) -> bool:
    return not any(map(str.strip, row))


def _titles(rows: Sequence[Sequence[str]]) -> list[int]:
    """The rows below the first that may be titles, in a table that may have some."""
    if len(rows[0]) < 1 + FEWEST_NUMBERS or len(rows) > MOST_ROWS:
        return []
    return [i for i, row in enumerate(rows) if i and _is_title(row)]


def _is_title(row: Sequence[str]) -> bool:
    """Whether a row has a name that is written as a title, and nothing or dashes beside it. Another name may be that of a
    segment for which nobody has a score."""
    return TITLE.match(row[0].strip()) is not None and not "".join(row[1:]).strip("-\u2013\u2014 ")


def _have_numbers(rows: Sequence[Sequence[str]]) -> bool:
    """Whether several columns hold a number in every row."""
    whole = (all(map(numbers.is_number, cells)) for cells in zip(*rows, strict=True))
    return sum(whole) >= FEWEST_NUMBERS


def _without_parts(table: Table, result: Found) -> Table:
    """The table without the means or sums of its parts, each below the rows of its part, and of all rows at its end."""
    # the last row is one of them: a table may have millions of others
    columns = [k for k, cell in enumerate(table.rows[-1]) if _sums_part(cell)]
    if table.role or not columns:
        return table
    column = max(columns, key=lambda k: sum(map(_sums_part, table.column(k))))
    named = {i: cell.strip() for i, cell in enumerate(table.column(column)) if _sums_part(cell)}
    rows = [i for i in range(len(table.rows)) if i not in named]
    if not 2 <= len(named) <= MOST_SUMS or len(rows) < FEWEST:
        return table
    if not _are_sums(replace(table, rows=list(map(_pointed, table.rows))), list(named), rows):
        return table
    message = f"{count(len(named), 'row')} sum up others ({listed(named.values())}): they were left out."
    result.notices.append(Notice(table.file, message))
    return table.kept(rows)


def _sums_part(cell: str) -> bool:
    """Whether a row is called the mean or sum of a part (de avg), or of the rows above it, which may be those of a system."""
    return (PART.fullmatch(cell.strip()) or sums.WORDS.fullmatch(cell.strip())) is not None


def _are_sums(table: Table, named: Sequence[int], rows: Sequence[int]) -> bool:
    """Whether each of the named rows sums up the others since the one before; below the last part, all of them."""
    start = 0
    for i in named:
        block = [k for k in rows if start <= k < i] or rows
        alike = _of_same_names(table, i, rows)
        if not (_is_sum if alike is None else _are_means)(table.rows[i], table.kept(block if alike is None else alike)):
            return False
        start = i + 1
    return True


def _of_same_names(table: Table, i: int, rows: Sequence[int]) -> list[int] | None:
    """The rows that have the other names of a row called AVERAGE or the like, such as that of its system; all without such names,
    and None for a row that is called otherwise."""
    cells = list(map(str.strip, table.rows[i]))
    if not any(map(sums.WORDS.fullmatch, cells)):
        return None
    named = [k for k, cell in enumerate(cells) if cell and not table.numeric(k) and not sums.WORDS.fullmatch(cell)]
    return [r for r in rows if all(table.rows[r][k].strip() == cells[k] for k in named)]


def _are_means(row: Sequence[str], part: Table) -> bool:
    """Whether all numbers of a row are means of their columns, which may be rounded, and some of these vary: `total` may be what
    was asked."""
    if len(part.rows) < FEWEST:
        return False
    columns = [k for k in range(len(row)) if numbers.is_number(row[k]) and part.numeric(k)]
    means = {k: math.fsum(own) / len(own) for k in columns if (own := numbers.numbers_in(part.column(k)))}
    near = all(abs(mean - float(row[k])) <= 2 * _slack(row[k]) for k, mean in means.items())
    return near and any(len(part.column(k).counts) > 1 for k in means)


def _is_sum(row: Sequence[str], part: Table) -> bool:
    """Whether a number in a row is the mean or the sum of its column in a part of the table."""
    columns = [k for k in range(len(row)) if numbers.is_number(row[k]) and part.numeric(k)]
    return any(_sums_up(row[k], part.column(k)) for k in columns)


def _without_last(table: Table, result: Found) -> Table:
    """The table without its last rows that are called mean, total and the like, if each of them is it."""
    first = len(table.rows)
    while first > FEWEST and _is_of_sums(table.rows[first - 1]):
        first -= 1
    last = list(table.rows[first:])
    if table.role or not last:
        return table
    above = table.kept(range(first))
    if any(_is_usual(row, above) for row in last) or not _are_of_all(last, above):
        return table
    named = listed(map(_first, last))
    verb = "sums" if len(last) == 1 else "sum"
    message = f"Its last {'row' if len(last) == 1 else 'rows'}, {named}, {verb} up the others: left out."
    result.notices.append(Notice(table.file, message, table.places[first]))
    return above


def _are_of_all(last: Sequence[Sequence[str]], above: Table) -> bool:
    """Whether one of several rows sums up those above, and each other one does, too, or is what stands beside a sum."""
    pointed, rows = replace(above, rows=list(map(_pointed, above.rows))), list(map(_pointed, last))
    told = [_tells(row, pointed) for row in rows]
    # a deviation beside a mean may be of another kind, or rounded further
    other = [SPREAD.fullmatch(_first(row)) or _is_beside(row, pointed) for row in rows]
    return any(told) and all(one or beside for one, beside in zip(told, other, strict=True))


# Below a mean, and no segments beside it.
BESIDE = re.compile(
    r"(?:min(?:imum)?|max(?:imum)?|median|rank|param(?:eter)?s|n|count|var(?:iance)?|ci|range)(?: \(.+\))?",
    re.IGNORECASE,
)


def _is_of_sums(row: Sequence[str]) -> bool:
    """Whether a row may be one of a block of means and the like, by its name, or because it has none."""
    return bool(_name(row)) or BESIDE.fullmatch(_first(row)) is not None or _is_nameless(row)


def _is_nameless(row: Sequence[str]) -> bool:
    """Whether a row has numbers alone, and nothing in its first cell."""
    cells = list(filter(None, map(str.strip, row)))
    return (
        not row[0].strip() and bool(cells) and all(numbers.is_number(cell) or PERCENT.fullmatch(cell) for cell in cells)
    )


EXTREMES: Mapping[str, Callable[[Sequence[float]], float]] = {"min": min, "max": max, "med": median}


def _is_beside(row: Sequence[str], above: Table) -> bool:
    """Whether a row is called as what may stand below a mean, and a least, greatest or median number is that of its column."""
    name = _first(row)
    if BESIDE.fullmatch(name) is None:
        return False
    of = EXTREMES.get(name[:3].lower())
    columns = [k for k, cell in enumerate(row) if numbers.is_number(cell) and above.numeric(k)]
    return of is None or any(
        abs(of(numbers.numbers_in(above.column(k))) - float(row[k])) <= _slack(row[k]) for k in columns
    )


def _first(row: Sequence[str]) -> str:
    """What a row of a block of means and the like is called."""
    return _name(row) or ("without a name" if _is_nameless(row) else next(filter(None, map(str.strip, row)), ""))


def _is_usual(row: Sequence[str], above: Table) -> bool:
    """Whether other rows are called so, too: sum may be a task."""
    return any(cell.strip() == _name(row) and cell in above.column(k).counts for k, cell in enumerate(row))


def pointed(table: Table) -> Table:
    """The table with points in place of decimal commas, and without percent signs."""
    first = table.rows[:1]
    return (
        replace(table, rows=list(map(_pointed, table.rows)))
        if any("," in cell or "%" in cell for cell in itertools.chain(*first))
        else table
    )


def _pointed(row: Sequence[str]) -> list[str]:
    """A row with points in place of decimal commas, and without percent signs behind numbers."""
    bare = [cell.strip().removesuffix("%").rstrip() if PERCENT.fullmatch(cell.strip()) else cell for cell in row]
    return [cell.replace(",", ".") if numbers.WITH_COMMA.fullmatch(cell) else cell for cell in bare]


def _name(row: Sequence[str]) -> str:
    """What a row of means or totals is called, perhaps in brackets; "" for another row. Of a row called all, `_tells` decides."""
    return next((cell.strip() for cell in row if _is_name(cell.strip().strip("()[]"))), "")


def _is_name(cell: str) -> bool:
    return sums.WORDS.fullmatch(cell) is not None or cell.lower() == "all"


def _tells(row: Sequence[str], above: Table) -> bool:
    """Whether a number in a row is the sum, the mean or the weighted mean of its column."""
    columns = (k for k, cell in enumerate(row) if numbers.is_number(cell) and above.numeric(k))
    telling = [k for k in columns if len(above.column(k).counts) > 1]
    # the error rate of all is no mean of rates, but what it was counted on is a sum
    sums = any(_sums_up(row[k], above.column(k)) or _is_weighted(row[k], above, k) for k in telling)
    return sums or any(_counts(cell, above.column(k).counts) for k, cell in enumerate(row) if not above.numeric(k))


COUNT = re.compile(r"(\d+(?:\.\d+)?)(?: ?/ ?\d+)?")  # 17, or 17/20
FEW_WORDS = 3  # whose number a row of totals counts: pass, fail, and none


def _counts(cell: str, words: Mapping[str, int]) -> bool:
    """Whether a number is how often one of a few words is above it (pass, fail), or in how many of a hundred rows."""
    told = COUNT.fullmatch(cell.strip())
    if told is None or not 1 < len(words) <= FEW_WORDS:
        return False
    of_hundred = (100 * times / sum(words.values()) for times in words.values())
    return any(abs(one - float(told[1])) <= _slack(told[1]) for one in (*words.values(), *of_hundred))


def _is_weighted(cell: str, above: Table, k: int) -> bool:
    """Whether a number is the mean of a column, weighted by another one: words, or weights."""
    values = numbers.numbers_in(above.column(k))
    for other in range(len(above.headings)):
        weights = numbers.numbers_in(above.column(other)) if other != k and above.numeric(other) else []
        if len(weights) == len(values) == len(above.rows) and sum(weights) > 0:
            mean = math.fsum(w * x for w, x in zip(weights, values, strict=True)) / math.fsum(weights)
            if abs(mean - float(cell)) <= _slack(cell):
                return True
    return False


def _slack(cell: str) -> float:
    """How far a number may be from what its digits say."""
    digits = len(cell.partition(".")[2]) if "e" not in cell.lower() else 15
    return max(ROUNDED * 10.0**-digits, EXACT * abs(float(cell)))


def _sums_up(cell: str, column: Sequence[str]) -> bool:
    """Whether a number is the mean, the sum or the standard deviation of a column, as far as its digits say."""
    values = numbers.numbers_in([one for one in column if not numbers.is_missing(one)])
    total, told = math.fsum(values), float(cell)
    spread = (stdev(values), pstdev(values)) if len(values) > 1 else ()
    return any(abs(told - one) <= _slack(cell) for one in (total, total / max(1, len(values)), *spread))
