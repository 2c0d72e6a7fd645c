"""Exact p of randomization: all ways to swap, equal to counting them one by one, without seed and without draws."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import sigcore
from sigcore.results import CompareResult
from sigcore.studies import exact

Numbers = Sequence[float]


def compared(one: Numbers, other: Numbers, side: str = "two-sided", **more: object) -> CompareResult:
    texts = [[f"{value:.10g}" for value in values] for values in (one, other)]
    return sigcore.compare(*texts, metric="own_scores", side=side, **more)  # type: ignore[arg-type]


def brute(gain: Callable[[Sequence[int]], float], n: int, side: str) -> float:
    """The share of all 2^n ways to swap whose gain is at least the observed one: one by one."""
    observed, count = gain([0] * n), 0
    for swapped in itertools.product((0, 1), repeat=n):
        found = gain(swapped)
        if side == "two-sided":
            count += abs(found) >= abs(observed) - 1e-9
        else:
            count += found >= observed - 1e-9 if side == "greater" else found <= observed + 1e-9
    return count / 2**n


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
@given(st.integers(2, 9), st.integers(0, 2**32), st.sampled_from([0, 1, 2, 6]))
def test_scores_are_counted_one_by_one(side: str, n: int, seed: int, digits: int) -> None:
    """Whole numbers and decimals by convolution, long decimals by enumeration: the p of all ways."""
    draw = random.Random(seed)
    one, other = ([round(draw.random() * (10 if digits == 0 else 1), digits) for _ in range(n)] for _ in "ab")
    result = compared(one, other, side).results[0]
    wanted = brute(
        lambda swapped: sum((b - a if s else a - b) for a, b, s in zip(one, other, swapped, strict=True)) / n, n, side
    )
    assert result.exact
    assert result.p_value == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("side", ["two-sided", "greater"])
@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "wer", "accuracy"])
def test_every_metric_is_scored_again_on_every_way(metric: str, side: str) -> None:
    """The outputs are swapped as texts and scored from the beginning, 2^8 times."""
    draw = random.Random(5)
    reference = [" ".join(draw.choices(["one", "two", "three", "four", "five", "six", "seven"], k=9)) for _ in range(8)]
    if metric == "accuracy":
        reference = [line.split()[0] for line in reference]
    noise = [[" ".join(w if draw.random() > p else "x" for w in r.split()) for r in reference] for p in (0.2, 0.4)]
    lower = metric in ("ter", "wer")

    def score(outputs: Sequence[str]) -> float:
        value = sigcore.compare(list(outputs), noise[1], [reference], metric, names=("a", "b"), resamples=10).scores[0]
        return -value if lower else value

    def gain(swapped: Sequence[int]) -> float:
        sides = [[noise[s if k == 0 else 1 - s][i] for i, s in enumerate(swapped)] for k in (0, 1)]
        return score(sides[0]) - score(sides[1])

    result = sigcore.compare(*noise, [reference], metric, side=side).results[0]  # type: ignore[misc, arg-type]
    assert result.exact
    assert result.p_value == pytest.approx(brute(gain, 8, side), abs=1e-12)


def test_twenty_units_are_scipys_and_outcomes_are_mcnemars() -> None:
    """The exact permutation test of scipy at n = 20; the binomial test of the discordant outcomes at n = 5,000."""
    rng = np.random.default_rng(6)
    one, other = rng.normal(0.5, 1, 20), rng.normal(0, 1, 20)
    found = compared(one.tolist(), other.tolist()).results[0]
    wanted = stats.permutation_test((one, other), lambda x, y, axis: (x - y).mean(axis), permutation_type="samples",
                                    vectorized=True, n_resamples=np.inf)  # fmt: skip
    assert found.p_value == pytest.approx(wanted.pvalue, abs=1e-9)
    right = [(rng.random(5_000) < share).astype(int) for share in (0.72, 0.70)]
    ahead, behind = (int(((right[k] == 1) & (right[1 - k] == 0)).sum()) for k in (0, 1))
    for side in ("two-sided", "greater", "less"):
        p = compared(right[0].tolist(), right[1].tolist(), side).results[0].p_value
        assert p == pytest.approx(stats.binomtest(ahead, ahead + behind, alternative=side).pvalue, rel=1e-9)


def test_no_seed_changes_it_and_requested_resamples_are_counted() -> None:
    """An exact p has no draws and no interval; who asks for a number of resamples gets their count."""
    draw = random.Random(7)
    one, other = ([round(draw.random(), 3) for _ in range(30)] for _ in "ab")
    first, second = (compared(one, other, seed=seed) for seed in (1, 2))
    assert first.results[0].p_value == second.results[0].p_value
    assert first.setup.resamples == 0
    assert "(exact)" in str(first)
    assert "p:exact" in first.setup.signature
    assert np.isnan(first.results[0].p_interval).all()
    counted = compared(one, other, resamples=999).results[0]
    assert (counted.exact, counted.setup.resamples) == (False, 999)
    low, high = counted.p_interval
    assert low <= first.results[0].p_value <= high


def test_large_or_many_values_are_drawn() -> None:
    """Where exactness would take more than about a second, p is counted on draws as before."""
    rng = np.random.default_rng(8)
    one, other = rng.normal(0.1, 1, 21), rng.normal(0, 1, 21)
    assert not compared(one.tolist(), other.tolist()).results[0].exact
    assert exact.MOST_UNITS == 20


def test_a_grid_is_exact_only_without_a_joint_null() -> None:
    """With Holm every p of a small grid is exact; the joint null is counted on draws, and so is p beside it."""
    rng = np.random.default_rng(9)
    systems = {name: [f"{x:.2f}" for x in rng.random(10) + shift] for name, shift in (("a", 0.4), ("b", 0.2), ("c", 0))}
    holm = sigcore.matrix(systems, metric="own_scores", correction="holm")
    joint = sigcore.matrix(systems, metric="own_scores")
    assert holm.setup.resamples == 0
    assert joint.setup.resamples > 0
    np.testing.assert_allclose(holm.p_values, joint.p_values, atol=0.02)
    values = [[float(x) for x in systems[name]] for name in "ab"]
    wanted = brute(lambda s: sum((b - a if k else a - b) for a, b, k in zip(*values, s, strict=True)), 10, "two-sided")
    assert holm.p_values[0, 1] == pytest.approx(wanted, abs=1e-12)


def test_no_p_is_0() -> None:
    """1,500 wins of 1,500: 2 / 2^1500 is too small for a double, and p is still above 0."""
    result = compared([1.0] * 1_500, [0.0] * 1_500).results[0]
    assert 0 < result.p_value < 1e-300


def test_equal_systems_have_p_1() -> None:
    """No unit differs: every way gives the gain 0."""
    result = compared([0.1, 0.2, 0.3], [0.1, 0.2, 0.3])
    assert result.results[0].p_value == 1


def test_intervals_of_shares_have_a_width_and_their_coverage() -> None:
    """40 of 40 right is not certain: Wilson's interval; a share of .97 in 50 is covered; other scores keep their draws."""
    perfect = compared([1.0] * 40, [1.0] * 39 + [0.0])
    low, high = perfect.score_intervals[0]
    assert (round(low, 4), high) == (0.9124, 1.0)  # 40 / (40 + 1.96^2)
    rng, covered = np.random.default_rng(11), 0
    for _ in range(300):
        right = (rng.random(50) < 0.97).astype(float)
        ends = compared(right.tolist(), [0.0] * 50, resamples=100).score_intervals[0]
        covered += ends[0] <= 0.97 <= ends[1]
    assert 0.92 < covered / 300 < 0.99
    half = compared([0.5] * 40, [0.25] * 40).score_intervals[0]
    assert half == (0.5, 0.5)
