"""Columns of numbers that come from others in each row: a difference, a sum, a mean, who won, or a bound. They compete with none."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal

from sigcore.formatting import listed
from sigcore.readers.names import pattern
from sigcore.readers.tables import compared, gridded, numbers
from sigcore.readers.tables.table import Table

Values = Mapping[int, Sequence[float]]
MOST = 12  # columns whose pairs are tried
FEWEST_EACH = 3  # rows that each part of a sum changes, and rows that each of two has won: fewer are alike by chance
MOST_TIES = 0.2  # the share of rows in which nobody wins
SAYS = pattern("derived.says")  # headings of what comes from others
BOUND = pattern("derived.bound")  # behind the heading of another column


def found(table: Table, columns: Sequence[int]) -> dict[int, str]:
    """The columns that others determine in every row, each with how, and those that are differences by their headings; {} where there
    are none."""
    named = dict.fromkeys(table.headed(DIFFERENCE.fullmatch, columns), "a difference by its heading")
    values = {k: own for k in columns if len(own := _numbers(table, k)) == len(table.rows) >= compared.COUNTED}
    spread = _spread(table, columns, values)
    # what has bounds is their mean, and no less a system
    values = {k: own for k, own in values.items() if k not in spread}
    return {**named, **spread, **_of_pairs(table, values), **_of_all(table, values)}


DIFFERENCE = re.compile(r"(?:delta|diff(?:erence)?|\u0394)[-_ ].+|.+[-_ ](?:delta|diff(?:erence)?)", re.IGNORECASE)


def _numbers(table: Table, k: int) -> list[float]:
    """The numbers of a column that changes; [] where one is missing, or all are the same."""
    try:
        own = [float(cell) for cell in table.column(k)]
    except ValueError:
        return []
    return own if len({*own}) > 1 else []


def _rounding(table: Table, columns: Sequence[int]) -> float:
    """How far numbers may be off that come from others, by the digits behind their points; whole numbers are exact."""
    digits = [len(cell.strip().partition(".")[2]) for k in columns for cell in table.column(k).counts]
    return 1.01 * 10.0 ** -max(digits) if max(digits) else 1e-9


def _of_pairs(table: Table, values: Values) -> dict[int, str]:
    """The columns that are the sum, the difference or the mean of two others, or say which of them won."""
    out: dict[int, str] = {}
    if len(values) > MOST:
        return out
    for k in values:
        for pair in itertools.combinations([i for i in values if i != k and i not in out], 2):
            if how := next(_how(table, values, k, pair), ""):
                out[k] = how
                break
    return out


def _how(table: Table, values: Values, k: int, pair: tuple[int, int]) -> Iterator[str]:
    """How a column comes from two others, if it does."""
    near, own, shown = _rounding(table, (k, *pair)), values[k], listed(table.named(pair))
    both = [*zip(values[pair[0]], values[pair[1]], strict=True)]
    of = _of_larger(own, both, near)
    if of and (of != "difference" or _says(table, k, pair)):
        yield f"the {of} of {shown}"
    if all(abs(x - (y + z) / 2) <= near for x, (y, z) in zip(own, both, strict=True)) and _change(both):
        yield f"the mean of {shown}"
    if all(abs(x - y - z) <= near for x, (y, z) in zip(own, both, strict=True)) and _change(both):
        yield from [f"the sum of {shown}"] * _is_result(table, values, k, pair)
    for ordered in (pair, pair[::-1]):
        yield from _of_order(table, values, k, ordered, near)


def _of_order(table: Table, values: Values, k: int, pair: Sequence[int], near: float) -> Iterator[str]:
    """How a column comes from two others in this order: as their difference, or as who of them won."""
    y, z = pair
    parts = [*zip(values[k], values[z], strict=True)]
    fits = all(abs(x + w - v) <= near for (x, w), v in zip(parts, values[y], strict=True))
    if fits and _change(parts) and _is_result(table, values, k, (y, z)):
        yield f"{table.headings[y]} minus {table.headings[z]}"
    if _says_winner(values[k], values[y], values[z]):
        yield f"1 where {table.headings[y]} is larger than {table.headings[z]}"


def _of_larger(own: Sequence[float], both: Sequence[tuple[float, float]], near: float) -> str:
    """Whether a column is the larger, the smaller or the difference without a sign of two others in every row; "" for others."""
    each = min(sum(y > z for y, z in both), sum(z > y for y, z in both))
    ways: tuple[tuple[str, Callable[[float, float], float]], ...] = (
        ("larger", max),
        ("smaller", min),
        ("difference", lambda y, z: abs(y - z)),
    )
    found = (how for how, of in ways if all(abs(x - of(y, z)) <= near for x, (y, z) in zip(own, both, strict=True)))
    marks = {*own} <= {0.0, 1.0}  # right answers of three systems may be such by chance
    return next(found, "") if each >= FEWEST_EACH and not marks else ""


def _change(pairs: Sequence[tuple[float, float]]) -> bool:
    """Whether each of two columns is another number than 0 in several rows, and they differ."""
    own = [sum(map(bool, column)) for column in zip(*pairs, strict=True)]
    return min(own) >= FEWEST_EACH and sum(a != b for a, b in pairs) >= FEWEST_EACH


def _is_result(table: Table, values: Values, k: int, pair: tuple[int, int]) -> bool:
    """Whether of three columns, two of which add up to the third, this one comes from the others: its heading says so, or it
    alone is below 0, or else it is the sum."""
    three = (k, *pair)
    said = [i for i in three if _says(table, i, [other for other in three if other != i])]
    below = [i for i in three if min(values[i]) < 0]
    largest = max(three, key=lambda i: sum(values[i]))
    return k in (said or below) if len(said or below) == 1 else k == largest


def _says(table: Table, k: int, others: Sequence[int]) -> bool:
    """Whether a heading says that its column comes from others: it has a word for it, or names them."""
    heading = table.headings[k].strip().lower()
    return SAYS.search(heading) is not None or all(table.headings[i].strip().lower() in heading for i in others)


def _says_winner(own: Sequence[float], first: Sequence[float], second: Sequence[float]) -> bool:
    """Whether a column is 1 where the first of two has more, and 0 where the second has."""
    if {*own} != {0.0, 1.0} or {*first, *second} <= {0.0, 1.0}:
        return False  # right and wrong answers of three systems may be such by chance
    won = [(x, y > z) for x, y, z in zip(own, first, second, strict=True) if y != z]
    each = min(sum(more for _, more in won), sum(not more for _, more in won))
    return each >= FEWEST_EACH and len(won) >= (1 - MOST_TIES) * len(own) and all((x == 1) == more for x, more in won)


def _of_all(table: Table, values: Values) -> dict[int, str]:
    """The column that is the mean or the sum of all others, of three at least."""
    if len(values) <= 3:
        return {}
    totals = [sum(row) for row in zip(*values.values(), strict=True)]
    others, near = len(values) - 1, _rounding(table, [*values])
    for k, own in values.items():
        # most columns differ in the first row
        rest = [*zip(own, totals, strict=True)]
        if all(abs((total - x) / others - x) <= near for x, total in rest):
            return {k: f"the mean of the other {others}"}
        if all(abs(total - x - x) <= near * others for x, total in rest):
            return {k: f"the sum of the other {others}"}
    return {}


def _spread(table: Table, columns: Sequence[int], values: Values) -> dict[int, str]:
    """The columns below the heading of another with a word for its bound, which has them in every row, or for how far it
    spreads."""
    out: dict[int, str] = {}
    stems = {table.headings[k].strip().lower(): k for k in columns}
    for k in columns:
        own = table.headings[k].strip().lower()
        for other, behind in ((stems[own[:i]], own[i:].lstrip("-_. ")) for i in range(1, len(own)) if own[:i] in stems):
            if BOUND.fullmatch(behind) and _bounds(values.get(k, ()), values.get(other, ())):
                out[k] = f"a bound of {table.headings[other]}"
            elif gridded.SPREAD.fullmatch(behind):
                out[k] = f"how far {table.headings[other]} spreads"
    return out


def _bounds(own: Sequence[float], other: Sequence[float]) -> bool:
    """Whether a column is never larger than another, or never smaller."""
    pairs = [*zip(own, other, strict=False)]
    return bool(pairs) and (all(a <= b for a, b in pairs) or all(a >= b for a, b in pairs))


def errors(predicted: Sequence[str], right: Sequence[str]) -> list[str]:
    """The absolute error in each row, exactly; "" where one of the two is missing."""
    pairs = zip(predicted, right, strict=True)
    return [
        format(abs(Decimal(one.strip()) - Decimal(gold.strip())), "f")
        if not any(map(numbers.is_missing, (one, gold)))
        else ""
        for one, gold in pairs
    ]
