"""Ranks: ranges, ties and clusters follow from the verdicts of the grid, counted by another route."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from sigcore import rank
from sigcore.errors import MismatchError
from sigcore.results import RANKS, STABILITY, MatrixResult, Rankings, Ranks, as_json
from sigcore.results import ranks as ranks_module
from sigcore.results.squares import of_matrix
from tests.oracles import power, square_ranks
from tests.unit import factories

SCORES = [40.0, 43.0, 41.0, 42.0]


def p_of(pairs: dict[tuple[int, int], float], size: int = 4) -> np.ndarray:
    """A symmetric square of p: 1, but for these pairs."""
    p = np.ones((size, size))
    for (one, other), value in pairs.items():
        p[one, other] = p[other, one] = value
    return p


def drawn(seed: int, size: int, better: str) -> MatrixResult:
    """A grid of tied and untied scores with p at random, some of them undefined."""
    rng = np.random.default_rng(seed)
    p = p_of({(i, j): rng.choice([0.001, 0.03, 0.2, np.nan]) for i in range(size) for j in range(i)}, size)
    return factories.matrix(rng.integers(20, 24, size).astype(float).tolist(), p=p, better=better)


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("seed", range(40))
def test_ranges_and_clusters_are_those_of_the_square(seed, better):
    """Ranges and clusters are those counted pair by pair from the scores and p."""
    result = drawn(seed, 2 + seed % 7, better)
    sign, order = 1 if better == "higher" else -1, result.order
    beats = [
        [sign * (result.scores[i] - result.scores[j]) > 0 and result.adjusted[i, j] <= 0.05 for j in order]
        for i in order
    ]
    ranks = Ranks(result)
    assert [one.range for one in ranks.systems] == square_ranks.ranges(beats)
    assert ranks.clusters == square_ranks.clusters([result.systems[k] for k in order], beats)


def test_ties_and_sentences():
    """Who is first, alone or with others, is said in one sentence."""
    first = {(1, 0): 0.01, (1, 2): 0.01, (1, 3): 0.01}
    names = factories.matrix(SCORES).systems
    said = [str(Ranks(factories.matrix(SCORES, p=p_of(pairs)))) for pairs in (first, {(1, 0): 0.01, (1, 2): 0.01}, {})]
    assert said == [
        f"{names[1]} is first.",
        f"{names[1]} leads, but {names[3]} may also be first.",
        f"{names[1]} leads, but 3 others may also be first.",
    ]


def test_alpha_decides():
    """A smaller alpha widens the ranges: nothing is left at .001."""
    result = factories.matrix(SCORES, p=p_of({(1, 0): 0.01}))
    assert [one.range for one in Ranks(result, 0.05).systems] == [(1, 3), (1, 4), (1, 4), (2, 4)]
    assert {one.range for one in Ranks(result, 0.001).systems} == {(1, 4)}


def test_no_verdict_leaves_every_rank():
    """A p as it is printed elsewhere gives no verdict, so every system may have every rank."""
    made = factories.matrix(SCORES, p=p_of({(1, 0): 0.0001, (1, 2): 0.0001, (1, 3): 0.0001}))
    ranks = Ranks(replace(made, setup=replace(made.setup, estimator="paper")))
    assert {one.range for one in ranks.systems} == {(1, 4)}
    assert ranks.clusters == [[ranks.result.systems[k] for k in made.order]]
    assert str(ranks) == "No verdict on any pair, so no rank is certain."


def test_the_gain_to_the_next_is_that_of_neighbours():
    """Each gain and p is that against the next system by score; the last has neither."""
    result = factories.matrix(SCORES, p=p_of({(1, 3): 0.01, (3, 2): 0.02, (2, 0): 0.03}))
    found = [as_json(RANKS, one) for one in Ranks(result).systems]
    assert [one["adjusted_to_next"] for one in found] == [0.01, 0.02, 0.03, None]
    assert [one["gain_to_next"] for one in found] == [1.0, 1.0, 1.0, None]
    assert [one["score"] for one in found] == [43.0, 42.0, 41.0, 40.0]
    assert [one["tied_with_best"] for one in found] == [one["rank_low"] == 1 for one in found]


def test_of_two_one_sided_tests_the_p_to_the_next_is_that_of_being_better():
    """Under "greater" it is in the row of the better system; tests of being worse have the same p in the row of the other."""
    p = np.arange(16.0).reshape(4, 4) / 100
    greater, less = (Ranks(factories.matrix(SCORES, p=square, side=side))
                     for square, side in ((p, "greater"), (p.T, "less")))  # fmt: skip
    for ranks in (greater, less):
        assert [one.adjusted_to_next for one in ranks.systems] == [p[1, 3], p[3, 2], p[2, 0], None]


def tie(gain: float, error: float, n: int = 150, **changes: Any) -> Ranks:
    """Two systems that no verdict separates, with a normal interval of their gain."""
    half = NormalDist().inv_cdf(0.975) * error
    ends = np.array([[[0, 0], [gain - half, gain + half]], [[-gain - half, half - gain], [0, 0]]], dtype=float)
    given = {"p": p_of({}, 2), "correction": "none", "n": n, "gain_intervals": ends, **changes}
    return rank(factories.matrix([40.0 + gain, 40.0], **given))


def test_half_of_the_test_sets_of_that_size_separate_a_tie() -> None:
    """The extrapolated number of segments has power one half, in a simulation with shuffles of each drawn test set."""
    rng = np.random.default_rng(11)
    rows = rng.normal(40, 5, (150, 1))
    other = rows - 1.0 + rng.normal(0, 9, (150, 1))
    gaps = rows - other
    ranks = tie(float(gaps.mean()), float(gaps.std(ddof=1)) / 150**0.5)
    needed = ranks.systems[0].segments_to_separate
    assert needed is not None
    units = [np.array([k]) for k in range(150)]
    share = power.simulated((rows, other), lambda sums: sums[..., 0], units, needed, sets=300, seed=5)
    assert 0.41 < share < 0.59  # three standard errors of 300 test sets


@pytest.mark.parametrize("side", ["two-sided", "greater"])
def test_segments_that_separate_are_found_by_counting(side: str) -> None:
    """The smallest number of segments whose p is at most alpha over the number of tests, each number tried in turn."""
    wide = np.tile([-3.0, 5.0], (4, 4, 1))
    result = factories.matrix(SCORES, n=20, side=side, p=p_of({}), gain_intervals=wide)
    tests, error = (6 if side == "two-sided" else 12), 4.0 / NormalDist().inv_cdf(0.975)
    sides = 2 if side == "two-sided" else 1
    n = next(n for n in range(1, 10_000) if sides * NormalDist().cdf(-1.0 / error * (n / 20) ** 0.5) <= 0.05 / tests)
    assert [one.segments_to_separate for one in rank(result).systems] == [n, n, n, None]


def test_what_has_no_number_of_segments() -> None:
    """Without a gain, without an interval, for a pair that differs, for almost no gain, and for several runs: None."""
    assert tie(1.0, 2.0).systems[0].segments_to_separate == math.ceil(150 * (NormalDist().inv_cdf(0.975) * 2) ** 2)
    assert tie(1.0, 2.0).separation == "About 2,300 segments like these would separate sys0 and sys1."
    made = [tie(0.0, 2.0), tie(1.0, math.nan), tie(1.0, 2.0, p=p_of({(0, 1): 0.001}, 2)), tie(1e-6, 2.0)]
    runs = tie(1.0, 2.0)
    made.append(Ranks(replace(runs.result, setup=replace(runs.result.setup, by_formula=True))))
    assert [(ranks.systems[0].segments_to_separate, ranks.separation) for ranks in made] == [(None, "")] * 5


@pytest.mark.parametrize("side", ["greater", "less"])
@pytest.mark.parametrize("seed", range(10))
def test_one_sided_verdicts_count_in_their_direction(seed, side):
    """Of two one-sided tests of a pair, a p of being better raises the row, and a p of being worse lowers it."""
    rng = np.random.default_rng(seed)
    result = factories.matrix(rng.normal(30, 3, 5).tolist(), p=rng.choice([0.001, 0.4], (5, 5)), side=side)
    order = result.order
    better = [[i != j and (result.adjusted[i, j] if side == "greater" else result.adjusted[j, i]) <= 0.05
               for j in order] for i in order]  # fmt: skip
    net = [[better[a][b] and not better[b][a] for b in range(5)] for a in range(5)]
    assert [one.range for one in Ranks(result).systems] == square_ranks.ranges(net)


def test_only_verdicts_hold_together():
    """A p as it is printed elsewhere holds nothing together, and neither do too few resamples, whatever the correction."""
    made = factories.matrix(SCORES, p=p_of({(1, 0): 0.0001}))
    assert rank(made).simultaneous
    assert not rank(replace(made, setup=replace(made.setup, estimator="paper"))).simultaneous
    few = rank(replace(made, setup=replace(made.setup, least_p=0.1)))
    assert (few.simultaneous, few.confidence) == (False, None)
    assert few.assurance.startswith("Every system may have every rank. ")


def test_one_pair_needs_no_correction():
    """Without a correction two systems have ranges that hold together, and three systems have not."""
    assert rank(factories.matrix([40.0, 43.0], correction="none")).simultaneous
    assert not rank(factories.matrix([40.0, 43.0, 41.0], correction="none")).simultaneous


def test_leaders_are_held_against_the_other_metrics():
    """The first places change with another order, or with another system, and with nothing else."""
    tied = p_of({(0, 2): 0.001, (1, 2): 0.001, (0, 3): 0.001, (1, 3): 0.001})
    first = rank(factories.matrix([43.0, 42.0, 41.0, 40.0], p=tied))

    def held(*scores):
        other = rank(factories.matrix(list(scores), metric="chrf", metric_title="chrF"))
        return Rankings((first, other))

    assert first.tied == ["sys0", "sys1"]
    same, turned, new = held(60, 50, 10, 20), held(50, 60, 10, 20), held(60, 10, 50, 20)
    assert [[one.changes for one in r.others] for r in (same, turned, new)] == [[False], [True], [True]]
    assert str(same) == "The first places by score stay the same under chrF."
    assert str(turned) == str(new) == "The first places by score change under chrF."
    assert [as_json(STABILITY, one)["places"] for one in new.others] == [["sys0", "sys2"]]
    with pytest.raises(MismatchError):
        Rankings((first, first))


def test_the_cutoff_is_counted_once_for_all_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks at every pair: for each of 3,000 systems that took minutes."""
    counted = list[object]()
    monkeypatch.setattr(ranks_module, "of_matrix", lambda result: counted.append(result) or of_matrix(result))
    ranks = Ranks(factories.matrix([40.0, 40.01, 40.02, 40.03], gain_intervals=np.full((4, 4, 2), (-1.0, 1.0))))
    assert [one.segments_to_separate for one in ranks.systems][:3] != [None] * 3
    assert len(counted) == 1
