"""Exact p of randomization, without draws: all ways to swap the outputs of units, counted or convolved.

Right and wrong answers have one binomial for each number of units on which a pair differs, for any number of pairs. Another
whole-number sum is convolved, several are counted in a table of their sums, and other scores are enumerated. Where that
takes more than about a second, p is counted on the draws.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sigcore.resampling.pvalues import tolerance
from sigcore.significance import Draws, Resampling, Tally
from sigcore.studies.intervals import discordant, whole_of
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.types import SIDES, Better, Floats, Ints

MOST_UNITS = 20  # units on which two systems differ: 2^20 ways to swap them
MOST_WORK = 3 << 20  # ways that all pairs of a run may have together, where they are enumerated
MOST_STEPS = 200_000_000  # products of a convolution, and cells added to a table, all pairs of a run together
MOST_CELLS = 10_000_000  # of a table of several sums
SPARSE = 256  # from this size on the zeros between two sums cost more than adding each of them
SCORED = 20  # steps that scoring one cell costs
BLOCK = 1 << 13  # ways that are scored at once
SCALES = (1, 2, 4, 5, 10, 100, 1_000, 10_000)  # whole numbers after this factor; tried in this order
LEAST = float(np.finfo(np.float64).tiny)
HALVED = 500  # units after which the counts of a table become shares
ROUNDING = 1e-7  # a scaled difference this near a whole number is one


def add_exact(question: Resampling, draws: Sequence[Draws]) -> None:
    """Add the exact p-values of every randomization test to the tallies, where all pairs are cheap enough."""
    for metric, one in enumerate(draws):
        swapped = [test.name for test in question.tests if test.draws == "swap" and not test.shifts]
        found = exact_swaps(question, metric) if swapped else None
        for name in swapped if found is not None else ():
            one.tallies[name] = replace(one.tallies[name], swaps=found)


def without_draws(question: Resampling) -> list[Draws] | None:
    """The exact p-values of every test and metric, with no draws beside them; None where answers are not right or wrong, or
    a test does more than swap them."""
    if not all(test.draws == "swap" and not test.shifts for test in question.tests):
        return None
    if not all(whole_of(systems) for systems in question.statistics):
        return None
    none: Ints = np.broadcast_to(np.int64(0), (len(SIDES), 2, len(question.pairs)))  # no memory for millions of pairs
    out = []
    for metric in range(len(question.statistics)):
        gains, units, found = question.gains(metric), question.units(metric), exact_swaps(question, metric)
        means = np.broadcast_to(0.0, len(question.pairs))
        one = Tally(question.pairs, gains, units, means, none, none[0, 0], 0, swaps=found)
        out.append(Draws({test.name: one for test in question.tests}))
    return out


def exact_swaps(question: Resampling, metric: int) -> Floats | None:
    """The exact p-values (sides, P) of all pairs, sides as in SIDES; None where they cost too much.

    Under the null each unit's two outputs change places with probability 1/2. p is the share of all ways whose gain is
    at least the observed one, on the side; ties are counted. Source: Fisher 1935; Noreen 1989; for sums Zmigrod, Vieira
    and Cotterell 2022.
    """
    systems = question.statistics[metric]
    if whole := whole_of(systems):
        return _of_answers(*discordant(systems, question.pairs, whole), systems[0].better)
    gains, units = question.gains(metric), question.units(metric)
    if not math.isfinite(float(gains.sum())) or not _cheap(systems, question.pairs):
        return None
    out = np.empty((len(SIDES), len(question.pairs)))
    for k, (a, b) in enumerate(question.pairs):
        slack = float(tolerance(gains[k], units[k]))
        out[:, k] = _shares(_distribution(systems[a], systems[b]), float(gains[k]), slack)
    return None if np.isnan(out).any() else out


def _of_answers(first: Floats, second: Floats, better: Better) -> Floats:
    """The exact p-values (sides, P) of pairs whose first, and whose second system is right alone on so many units, (P,) each:
    McNemar's test. All pairs that differ on the same number of units read one binomial."""
    out = np.empty((len(SIDES), len(first)))
    differ, behind = (first + second).astype(np.int64), second.astype(np.int64)
    order = np.argsort(differ, kind="stable")
    sizes, starts = np.unique(differ[order], return_index=True)
    for size, here in zip(sizes.tolist(), np.split(order, starts)[1:], strict=True):  # one system has no pair
        chances, own = _binomial(size), behind[here]
        most, least = np.cumsum(chances), np.cumsum(chances[::-1])[::-1]  # at most, and at least so many
        nearer = np.minimum(own, size - own)
        both = most[nearer] + least[size - nearer]  # above 1 where the middle is counted twice
        gained, lost = (most[own], least[own]) if better == "higher" else (least[own], most[own])
        sides = {"two-sided": both, "greater": gained, "less": lost}
        out[:, here] = [sides[side] for side in SIDES]
    return np.clip(out, LEAST, 1.0, out=out)


def _cheap(systems: Sequence[SufficientStatistics], pairs: NDArray[np.intp]) -> bool:
    """Whether all pairs together cost little; the first that is too much decides."""
    enumerated = steps = 0
    for a, b in pairs:
        found = _ways(systems[a], systems[b])
        if found is None:
            return False
        enumerated += 0 if found[1] else 2 ** found[0]
        steps += found[1]
        if enumerated > MOST_WORK or steps > MOST_STEPS:
            return False
    return True


def _ways(one: SufficientStatistics, other: SufficientStatistics) -> tuple[int, int] | None:
    """On how many units two systems differ, and the steps of a convolution (0: all ways are enumerated); None for too many."""
    differences = one.values - other.values
    changed = int(np.count_nonzero((differences != 0).any(axis=1)))
    sums = _whole(differences)
    if sums is not None and sums.single:
        sizes, counts = np.unique(np.abs(sums.rows[sums.rows != 0]), return_counts=True)
        return changed, 1 + int((sizes * counts).sum()) * int(counts.sum())
    steps = None if sums is None else _steps(sums.rows)
    if steps is not None and (changed > MOST_UNITS or steps < SCORED * 2**changed):
        return changed, steps
    return (changed, 0) if changed <= MOST_UNITS else None


def _steps(rows: Floats) -> int | None:
    """The steps of a table of several sums (m, A); None where it has too many cells."""
    cells = (np.abs(_smallest_first(rows)).cumsum(axis=0) + 1).prod(axis=1)
    return None if cells[-1] > MOST_CELLS else int(cells.sum() + SCORED * cells[-1])


def _smallest_first(rows: Floats) -> Floats:
    """The rows in the order of their largest number: a table then grows late."""
    return np.asarray(rows[np.argsort(np.abs(rows).max(axis=1), kind="stable")])


@dataclass(frozen=True, eq=False)
class _Whole:
    """The differences of two systems as whole numbers: `rows` (m, A) of the units that differ, an axis for each different
    column. `columns` (C,) differ, `axis` (C,) has their axes, and `step` (C,) is one on it."""

    rows: Floats
    columns: NDArray[np.intp]
    axis: NDArray[np.intp]
    step: Floats

    @property
    def single(self) -> bool:
        """Whether one sum is all that changes."""
        return self.rows.shape[1] == 1


def _whole(differences: Floats) -> _Whole | None:
    """Differences (n, K) as whole numbers; None where they are none, or nothing differs."""
    columns = np.flatnonzero((differences != 0).any(axis=0))
    found = [scaled for column in columns if (scaled := _whole_column(differences[:, column])) is not None]
    if not found or len(found) < len(columns):
        return None
    together = np.column_stack(found)
    step = np.abs(differences[:, columns]).sum(axis=0) / np.abs(together).sum(axis=0)
    each = list(map(tuple, together.T.tolist()))  # np.unique makes a field of each of the n rows, which is slow
    place = {column: k for k, column in enumerate(sorted(set(each)))}
    rows = np.array(list(place)).T
    return _Whole(rows[rows.any(axis=1)], columns, np.array([place[column] for column in each]), step)


def _whole_column(values: Floats) -> Floats | None:
    """Numbers as whole numbers without a common factor; None where they are none."""
    for scale in SCALES:
        scaled = np.rint(values * scale)
        if scaled.any() and (np.abs(values * scale - scaled) <= ROUNDING).all():
            return np.asarray(scaled / np.gcd.reduce(scaled.astype(np.int64)))
    return None


Distribution = Iterator[tuple[Floats, Floats]]  # gains, and their probabilities


def _distribution(one: SufficientStatistics, other: SufficientStatistics) -> Distribution:
    """The gains under all ways to swap, with their probabilities, in blocks."""
    differences = one.values - other.values
    sums, ways = _whole(differences), _ways(one, other)
    if sums is None or ways is None or not ways[1]:
        return _enumerated(one, other, differences)
    return _moved(one, other, sums)


def _enumerated(one: SufficientStatistics, other: SufficientStatistics, differences: Floats) -> Distribution:
    """Every way: a bit for each unit on which the systems differ."""
    changed = differences[(differences != 0).any(axis=1)]
    total = 2 ** len(changed)
    bits = np.arange(len(changed))
    for start in range(0, total, BLOCK):
        masks = (np.arange(start, min(start + BLOCK, total))[:, None] >> bits & 1).astype(np.float64)
        moved = masks @ changed
        yield _gains(one, other, moved), np.full(len(masks), 1.0 / total)


def _moved(one: SufficientStatistics, other: SufficientStatistics, sums: _Whole) -> Distribution:
    """The gains where these sums are moved, with their probabilities, in blocks."""
    chances, least = _convolved(sums.rows[:, 0]) if sums.single else _tabled(sums.rows)
    cells = np.flatnonzero(chances)
    for start in range(0, len(cells), BLOCK):
        part = cells[start : start + BLOCK]
        places = least + np.column_stack(np.unravel_index(part, chances.shape))  # (m, A)
        moved = np.zeros((len(part), one.values.shape[1]))
        moved[:, sums.columns] = places[:, sums.axis] * sums.step
        yield _gains(one, other, moved), chances.reshape(-1)[part]


def _convolved(scaled: Floats) -> tuple[Floats, Floats]:
    """The chances of what is moved, a sum of whole numbers (m,), each with probability 1/2, from the least sum (1,) on: one
    binomial for every size."""
    sizes, counts = np.unique(np.abs(scaled).astype(np.int64), return_counts=True)
    chances = np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        chances = _spaced(chances, _binomial(count), size)
    # a difference below 0 that is moved is one above 0 that stays
    return chances, np.minimum(scaled, 0).sum(keepdims=True)


def _spaced(chances: Floats, heads: Floats, size: int) -> Floats:
    """The chances of a sum after so many heads, each of which adds `size`."""
    if size < SPARSE:
        spaced = np.zeros(size * (len(heads) - 1) + 1)
        spaced[::size] = heads
        return np.convolve(chances, spaced)
    grown = np.zeros(len(chances) + size * (len(heads) - 1))
    for number, chance in enumerate(heads.tolist()):
        grown[number * size : number * size + len(chances)] += chance * chances
    return grown


def _tabled(rows: Floats) -> tuple[Floats, Floats]:
    """The chances of what is moved, sums of whole numbers (m, A), an axis for each, from the least sums (A,) on.

    Unit by unit, as Zmigrod, Vieira and Cotterell 2022: either it stays, or all its differences are moved.
    """
    chances = np.ones((1,) * rows.shape[1])
    for number, row in enumerate(_smallest_first(rows).astype(np.int64).tolist(), start=1):
        known = list(zip(row, chances.shape, strict=True))
        grown = np.zeros([size + abs(moved) for moved, size in known])
        grown[tuple(slice(max(-moved, 0), max(-moved, 0) + size) for moved, size in known)] += chances
        grown[tuple(slice(max(moved, 0), max(moved, 0) + size) for moved, size in known)] += chances
        # counts stay far below the largest double, and powers of two change no digit
        chances = grown * 2.0**-HALVED if number % HALVED == 0 else grown
    return chances * 2.0 ** -(len(rows) % HALVED), np.minimum(rows, 0).sum(axis=0)


def _binomial(n: int) -> Floats:
    """The probabilities of 0 to n heads of a fair coin."""
    heads = np.arange(n + 1)
    steps = np.concatenate([[0.0], np.cumsum(np.log(n - heads[:-1]) - np.log(heads[1:]))])
    return np.asarray(np.exp(steps - n * math.log(2)))


def _gains(one: SufficientStatistics, other: SufficientStatistics, moved: Floats) -> Floats:
    """The gain where these sums (m, K) of differences change places, (m,)."""
    first = oriented(one.score(one.total - moved), one.better)
    return np.asarray(first - oriented(other.score(other.total + moved), other.better))


def _shares(found: Distribution, gain: float, slack: float) -> Floats:
    """The shares of the ways that count on each side, as in SIDES; nan where a score does not exist."""
    out = dict.fromkeys(SIDES, 0.0)
    for gains, chances in found:
        if np.isnan(gains).any():
            return np.full(len(SIDES), np.nan)
        out["greater"] += float(chances[gains >= gain - slack].sum())
        out["less"] += float(chances[gains <= gain + slack].sum())
        out["two-sided"] += float(chances[np.abs(gains) >= abs(gain) - slack].sum())
    # the observed way is one of those that count, so p is above 0, also where a double is too coarse for 2 / 2^1500
    return np.clip([out[side] for side in SIDES], LEAST, 1.0)
