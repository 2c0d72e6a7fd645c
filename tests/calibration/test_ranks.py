"""All ranges of ranks hold together in at least 1 - alpha of all test sets, whichever systems are equal, and none is wider
than Bonferroni's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from sigcore import rank
from sigcore.results import Ranks
from sigcore.significance import Test
from sigcore.studies.matrix.compute import cells_of
from sigcore.types import Floats, Side
from tests import some
from tests.calibration.families import BOOTSTRAP, RANDOMIZATION, adjusted, equal_means
from tests.calibration.nulls import ALPHA, Systems, allowance, band, permuted
from tests.unit import factories

# Which of six systems are equal, and how far the groups are apart: about three standard errors on 100 segments, or one.
WORLDS: dict[str, tuple[list[list[int]], float]] = {
    "all equal": ([[0, 1, 2, 3, 4, 5]], 0.0),
    "two groups": ([[0, 1, 2], [3, 4, 5]], 0.4),
    "a ladder of ties": ([[0, 1], [2, 3], [4, 5]], 0.4),
    "a ladder": ([[0], [1], [2], [3], [4], [5]], 0.4),
    "a low ladder": ([[0], [1], [2], [3], [4], [5]], 0.12),
    "one better": ([[0, 1, 2, 3, 4], [5]], 0.4),
}
KNOWN = ("bonferroni", "holm", "joint")
SIDED: tuple[Side, ...] = ("two-sided", "greater")


def world(name: str) -> tuple[Systems, list[list[int]], Floats]:
    """The systems, the groups of equals, and the true score of each."""
    groups, step = WORLDS[name]
    of = {place: step * k for k, group in enumerate(groups) for place in group}
    systems = equal_means([of[place] for place in sorted(of)])
    scores = np.array([item.corpus_score for item in systems])
    for group in groups:
        scores[group] = scores[group].mean()  # their rows change places by chance
    return systems, groups, scores


def true_ranks(scores: Floats) -> list[tuple[int, int]]:
    """The best and the worst rank of each system: equals share their ranks."""
    return [(1 + int((scores > own).sum()), int((scores >= own).sum())) for own in scores]


def ranges(systems: Systems, p: Floats, correction: str, side: Side) -> dict[str, tuple[int, int]]:
    """The range of ranks of each system, from p of every test."""
    row, column = cells_of(len(systems), side)
    square = np.ones((len(systems),) * 2)
    square[row, column] = p
    if side == "two-sided":
        square[column, row] = p
    scores = [item.corpus_score for item in systems]
    found: Ranks = rank(factories.matrix(scores, p=square, correction=correction, side=side, resamples=999), ALPHA)
    assert found.simultaneous
    return {one.system: one.range for one in found.systems}


def holds(name: str, tests: Sequence[Test], n: int, replications: int) -> None:
    """Each correction misses a true rank in at most alpha of all test sets; the ranges of Holm are never wider than
    Bonferroni's, and those of max-T are not wider in the mean."""
    systems, groups, scores = world(name)
    null, true = permuted(systems, n, groups), true_ranks(scores)
    missed: dict[tuple[str, str, Side], int] = {}
    widths: dict[tuple[str, str, Side], int] = {}
    for child in np.random.SeedSequence(n).spawn(replications):
        rng = np.random.default_rng(child)
        drawn = null(rng)
        grids = adjusted(drawn, tests, 999, int(rng.integers(2**62)))
        for test in tests:
            for side in SIDED:
                raw = grids["none", test.name, side][0]
                p = {"bonferroni": np.minimum(1, raw * len(raw))}
                p |= {other: grids[other, test.name, side][0] for other in KNOWN[1:]}
                found = {one: list(ranges(drawn, p[one], one, side).items()) for one in KNOWN}
                for one in KNOWN:
                    out = [got[0] > true[int(k[3:])][0] or got[1] < true[int(k[3:])][1] for k, got in found[one]]
                    key = one, test.name, side
                    missed[key] = missed.get(key, 0) + any(out)
                    widths[key] = widths.get(key, 0) + sum(high - low for _, (low, high) in found[one])
                pairs = zip(found["holm"], found["bonferroni"], strict=True)
                assert all(low[0] >= wide[0] and low[1] <= wide[1] for (_, low), (_, wide) in pairs)
    for (one, test, side), times in missed.items():
        most = band(replications, ALPHA)[1] + allowance(test, n)
        assert times / replications <= most, (name, one, test, side, times / replications)
        assert widths[one, test, side] <= widths["bonferroni", test, side], (name, one, test, side)
    if name == "all equal":  # the ranges are not careful without need
        low = band(replications, ALPHA)[0]
        assert all(missed["joint", test.name, "two-sided"] / replications >= low for test in tests), missed


@pytest.mark.parametrize("name", some.first(WORLDS))
def test_ranks_hold_together_quick(name: str) -> None:
    """Randomization, 100 segments, 150 test sets."""
    holds(name, [RANDOMIZATION], 100, 150)


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize("name", WORLDS)
def test_ranks_hold_together(name: str, n: int) -> None:
    """Randomization, 1000 test sets."""
    holds(name, [RANDOMIZATION], n, 1000)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_ranks_of_a_bootstrap_hold_together(name: str) -> None:
    """The shifted bootstrap, 200 segments, 1000 test sets."""
    holds(name, BOOTSTRAP[:1], 200, 1000)


def test_a_false_discovery_rate_does_not_hold_together() -> None:
    """With two groups of equals far apart, Benjamini-Hochberg misses a true rank more often than alpha: the ranges of
    such a correction are not called simultaneous."""
    systems, groups, scores = world("two groups")
    null, true, replications, missed = permuted(systems, 400, groups), true_ranks(scores), 200, 0
    from sigcore import corrections

    for child in np.random.SeedSequence(5).spawn(replications):
        rng = np.random.default_rng(child)
        drawn = null(rng)
        raw = adjusted(drawn, [RANDOMIZATION], 999, int(rng.integers(2**62)))["none", RANDOMIZATION.name, "two-sided"]
        p = corrections.get("benjamini_hochberg").grid(raw, None, 999)[0]
        square = np.ones((6, 6))
        row, column = cells_of(6, "two-sided")
        square[row, column] = square[column, row] = p
        result = factories.matrix([s.corpus_score for s in drawn], p=square, correction="benjamini_hochberg")
        found = rank(result, ALPHA)
        assert not found.simultaneous
        got = {int(one.system[3:]): one.range for one in found.systems}
        missed += any(got[k][0] > true[k][0] or got[k][1] < true[k][1] for k in got)
    assert missed / replications > band(replications, ALPHA)[1]
