"""What all pairs have from the same bootstrap scores: the intervals of gains, and the joint null for corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sigcore import corrections
from sigcore.corrections import JointNull
from sigcore.significance import INTERVAL_RESAMPLES, LEAST_UNITS, Draws, Tally, Test
from sigcore.studies.statistics import too_few
from sigcore.types import AUTO, SIDES, Floats, Ints, Side

Cells = tuple[NDArray[np.intp], ...]
LEVEL = 0.95
ENDS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
MOST_GAINS = 200_000_000  # bootstrap gains that are sorted for intervals: some seconds
# (correction, test, side) -> what the correction prepared
Prepared = dict[tuple[str, str, Side], Floats]


def in_both_directions(ends: Floats, systems: int) -> Floats:
    """The intervals (P, 2) of the gains of all pairs of S systems as a grid (S, S, 2), row minus column; 0 on the diagonal."""
    left, right = np.triu_indices(systems, k=1)
    out = np.zeros((systems, systems, 2))
    out[left, right] = ends
    out[right, left] = -ends[:, ::-1]
    return out


def gain_intervals(
    draws: Sequence[Draws], pairs: NDArray[np.intp], differing: Sequence[Ints], n: int, resamples: int
) -> tuple[Floats, ...]:
    """The percentile intervals (P, 2) of the gains of the pairs (P, 2) under each metric.

    They are those of the first INTERVAL_RESAMPLES resamples, nan where n units, or those on which a pair differs
    (`differing`, (S, S) for each metric), are too few; undefined gains are left out. None at all for more pairs than
    MOST_GAINS allows.

    Cost: O(P R) per metric.
    """
    used = min(resamples, INTERVAL_RESAMPLES)
    if len(pairs) * used > MOST_GAINS:
        return ()
    if n < LEAST_UNITS or not len(pairs):
        return tuple(np.full((len(pairs), 2), np.nan) for _ in draws)
    out = tuple(_quantiles_of_gains(each, pairs, used) for each in draws)
    for ends, counts in zip(out, differing, strict=True):
        ends[too_few(counts[pairs[:, 0], pairs[:, 1]])] = np.nan
    return out


def _quantiles_of_gains(draws: Draws, pairs: NDArray[np.intp], used: int) -> Floats:
    """The ends (P, 2) of the intervals; nan for a pair whose gain is undefined on every resample."""
    assert draws.scores is not None
    scores = np.concatenate(list(draws.scores.first(used)), axis=1)  # (S, used)
    out = np.full((len(pairs), 2), np.nan)
    for k, (left, right) in enumerate(pairs):
        gains = scores[left] - scores[right]
        defined = gains[~np.isnan(gains)]
        if len(defined):
            out[k] = np.quantile(defined, ENDS)
    return out


def cells_of(systems: int, side: Side) -> Cells:
    """The cells of the grid that are tests: two-sided, each pair is one; one-sided, each direction is one."""
    return np.triu_indices(systems, k=1) if side == "two-sided" else np.nonzero(~np.eye(systems, dtype=bool))


def prepare(
    draws: Draws, tests: Sequence[Test], differing: Ints, names: Sequence[str], sides: Sequence[Side] = SIDES
) -> Prepared:
    """What each of these corrections that needs it makes of the joint null, for every bootstrap test and these sides.

    The joint null is that of the pairs that have a p: `differing` (S, S) is the number of units on which two systems
    differ. All resamples reach a pair that differs on none.
    """
    chosen = [
        corrections.get(corrections.usual(bootstrap=True) if name == AUTO else name) for name in dict.fromkeys(names)
    ]
    return {
        (correction.name, test.name, side): _of_all(correction.prepare, draws, test, side, differing)
        for correction in chosen
        if correction.prepare is not None
        for test in tests
        if test.draws == "bootstrap"
        for side in sides
    }


def _of_all(prepare: Callable[[JointNull], Floats], draws: Draws, test: Test, side: Side, differing: Ints) -> Floats:
    """What a correction prepares for the tests that have a p, at the places of all tests; nan for those without."""
    cells = cells_of(len(differing), side)
    counts = differing[cells]
    tested = counts >= LEAST_UNITS
    out = np.where(counts == 0, float(draws.tallies[test.name].resamples), np.nan)
    if tested.any():
        row, column = (place[tested] for place in cells)
        out[tested] = prepare(_joint(draws, test, side, (row, column)))
    return out


def _joint(draws: Draws, test: Test, side: Side, cells: Cells) -> JointNull:
    """The joint null of the tests in these cells: bootstrap gains moved so that they are centred on zero."""
    tally = draws.tallies[test.name]
    turn = _Turn(tally, cells, side)
    return JointNull(turn(tally.gains[:, None])[:, 0], partial(_blocks, draws, tally, turn), tally.resamples)


def _blocks(draws: Draws, tally: Tally, turn: _Turn) -> Iterator[Floats]:
    """The centred gains (m, B) of the tests, block by block."""
    left, right = tally.pairs.T
    assert draws.scores is not None
    return (turn(scores[left] - scores[right] - tally.means[:, None]) for scores in draws.scores.first(tally.resamples))


class _Turn:
    """Values (P, B) of the pairs as values (m, B) of the tests in some cells, larger = more extreme on that side."""

    def __init__(self, tally: Tally, cells: Cells, side: Side) -> None:
        row, column = cells
        place = {tuple(pair): k for k, pair in enumerate(tally.pairs.tolist())}
        self.pairs = [place[min(a, b), max(a, b)] for a, b in zip(row.tolist(), column.tolist(), strict=True)]
        self.sign = np.where(row < column, 1.0, -1.0)[:, None] * (-1 if side == "less" else 1)
        self.two_sided = side == "two-sided"

    def __call__(self, values: Floats) -> Floats:
        chosen = values[self.pairs]
        return np.asarray(np.abs(chosen) if self.two_sided else chosen * self.sign)
