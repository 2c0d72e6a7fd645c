"""Exact p of randomization: all ways to swap, equal to counting them one by one, without seed and without draws."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import sigcore
from sigcore import corrections, study
from sigcore.errors import Undefined
from sigcore.results import CompareResult
from sigcore.results.grid import of_cell
from sigcore.studies import exact, matrix
from sigcore.studies.matrix import further
from sigcore.studies.matrix.compute import begin
from sigcore.study import Settings, Study
from sigcore.testset import Outputs, Testset
from sigcore.types import SIDES
from tests import some
from tests.made import score_set

Numbers = Sequence[float]
OWN, NAMES = [("own_scores", {})], ("own_scores", "approximate_randomization")


def compared(one: Numbers, other: Numbers, side: str = "two-sided", **more: object) -> CompareResult:
    texts = [[f"{value:.10g}" for value in values] for values in (one, other)]
    return sigcore.compare(*texts, metric="own_scores", side=side, **more)  # type: ignore[arg-type]


def brute(gain: Callable[[Sequence[int]], float], n: int, side: str) -> float:
    """The share of all 2^n ways to swap whose gain is at least the observed one: one by one."""
    return counted_ways(np.array([gain(swapped) for swapped in itertools.product((0, 1), repeat=n)]), side)


def counted_ways(gains: np.ndarray, side: str) -> float:
    """The share of the gains of all ways, of which the first swaps nothing, that are at least as extreme as that one."""
    observed = gains[0]
    if side == "two-sided":
        return float(np.mean(np.abs(gains) >= abs(observed) - 1e-9))
    return float(np.mean(gains >= observed - 1e-9 if side == "greater" else gains <= observed + 1e-9))


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


@pytest.mark.parametrize("digits", [0, 3])
def test_large_whole_numbers_are_counted_one_by_one(digits: int) -> None:
    """Milliseconds, of which some differences are large and come twice: sums far apart, as few as there are ways."""
    draw = random.Random(digits)
    one = [round(draw.random() * 10_000, digits) for _ in range(9)]
    steps = [*[draw.choice((-3, 300, 4_000, 250_000))] * 3, 255, -256, 257, 12, 999_983, 1]
    other = [round(a - step * 10**-digits, digits) for a, step in zip(one, steps, strict=True)]
    for side in SIDES:
        result = compared(one, other, side).results[0]
        differences = [a - b for a, b in zip(one, other, strict=True)]
        wanted = brute(
            lambda swapped, d=differences: sum(-x if s else x for x, s in zip(d, swapped, strict=True)) / 9, 9, side
        )
        assert result.exact
        assert result.p_value == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("metric", some.first(["bleu", "accuracy", "ter", "chrf", "wer"], 2))
def test_every_metric_is_scored_again_on_every_way(metric: str) -> None:
    """The outputs are swapped as texts and scored from the beginning, 2^6 times."""
    draw, n = random.Random(5), 6
    reference = [" ".join(draw.choices(["one", "two", "three", "four", "five", "six", "seven"], k=9)) for _ in range(n)]
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

    gains = np.array([gain(swapped) for swapped in itertools.product((0, 1), repeat=n)])
    for side in ("two-sided", "greater"):
        result = sigcore.compare(*noise, [reference], metric, side=side).results[0]  # type: ignore[misc, arg-type]
        assert result.exact
        assert result.p_value == pytest.approx(counted_ways(gains, side), abs=1e-12)


def test_units_are_scipys_and_outcomes_are_mcnemars() -> None:
    """The exact permutation test of scipy at n = 14, the sums of all signs at n = 20; the binomial test of the discordant
    outcomes at n = 5,000."""
    rng = np.random.default_rng(6)
    one, other = rng.normal(0.5, 1, 20), rng.normal(0, 1, 20)
    few = compared(one[:14].tolist(), other[:14].tolist()).results[0]
    wanted = stats.permutation_test((one[:14], other[:14]), lambda x, y, axis: (x - y).mean(axis), permutation_type="samples",
                                    vectorized=True, n_resamples=np.inf)  # fmt: skip
    assert few.p_value == pytest.approx(wanted.pvalue, abs=1e-9)
    sums = np.zeros(1)
    for difference in one - other:
        sums = np.concatenate([sums + difference, sums - difference])
    found = compared(one.tolist(), other.tolist()).results[0]
    assert found.p_value == pytest.approx(counted_ways(sums, "two-sided"), abs=1e-12)
    right = [(rng.random(5_000) < share).astype(int) for share in (0.72, 0.70)]
    ahead, behind = (int(((right[k] == 1) & (right[1 - k] == 0)).sum()) for k in (0, 1))
    for side in ("two-sided", "greater", "less"):
        p = compared(right[0].tolist(), right[1].tolist(), side).results[0].p_value
        assert p == pytest.approx(stats.binomtest(ahead, ahead + behind, alternative=side).pvalue, rel=1e-9)


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_all_pairs_of_answers_are_binomial(side: str, better: str) -> None:
    """scipy's binomial test of each pair of a grid, with two systems that are alike and two that differ once; so many units
    that a convolution of each pair would be too much."""
    rng = np.random.default_rng(11)
    right = (rng.random((9_000, 6)) < [0.5, 0.5, 0.5, 0.52, 0.55, 0.9]).astype(int)
    right[:, 1] = right[:, 0]
    right[:, 2] = right[:, 0] ^ (np.arange(9_000) == 7)
    texts = {f"s{k}": right[:, k].astype(str).tolist() for k in range(6)}
    options = {"better": better}
    grid = sigcore.matrix(texts, metric="own_scores", options=options, side=side, correction="none")  # type: ignore[arg-type]
    assert grid.setup.p_exact
    for i, j in itertools.permutations(range(6), 2):
        ahead, behind = (int(((right[:, a] == 1) & (right[:, b] == 0)).sum()) for a, b in ((i, j), (j, i)))
        won = ahead if better == "higher" else behind
        wanted = stats.binomtest(won, ahead + behind, alternative=side).pvalue if ahead + behind else 1.0
        assert grid.p_values[i, j] == pytest.approx(wanted, rel=1e-9)


def test_one_system_of_answers_has_no_pair() -> None:
    """Right and wrong answers of one system are scored, although there is nothing to swap."""
    grid = sigcore.matrix({"A": ["1", "0", "1", "1"]}, metric="own_scores")
    assert [*grid.scores] == [0.75]


@pytest.mark.parametrize("better", ["higher", "lower"])
@given(st.integers(1, 9), st.integers(0, 2**32))
def test_binomials_are_the_ways_one_by_one(better: str, n: int, seed: int) -> None:
    """The three p of all pairs of four systems by enumeration of all ways to swap; scores of 0 and 100 alike."""
    rng = np.random.default_rng(seed)
    right = rng.integers(0, 2, (4, n))
    pairs = np.column_stack(np.triu_indices(4, k=1))
    first, second = (((right[x] == 1) & (right[y] == 0)).sum(axis=1) for x, y in (pairs.T, pairs.T[::-1]))
    found = exact._of_answers(first.astype(float), second.astype(float), better)  # type: ignore[arg-type]
    for k, (a, b) in enumerate(pairs.tolist()):
        sign = 1 if better == "higher" else -1
        ways = [sign * sum(s * (right[a] - right[b])) for s in itertools.product((1, -1), repeat=n)]
        assert found[:, k] == pytest.approx([counted_ways(np.array(ways), side) for side in SIDES], abs=1e-12)


def test_large_grids_of_answers_draw_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same p, adjusted p and intervals without a draw, at every side; where draws are asked for, or other scores need
    them, there are some."""
    rng = np.random.default_rng(12)
    answers = score_set(*(rng.random((4, 60)) < [[0.4], [0.5], [0.6], [0.8]]).astype(float))
    one = Study(*answers, OWN, resamples="auto", settings=Settings(correction="holm"))
    drawn = matrix.run(one)
    key = one.draws
    monkeypatch.setattr(study, "MANY", 5)
    large = replace(one)
    found = matrix.run(large)
    assert (drawn.resamples, found.resamples) == (10_000, 0)
    assert large.draws != key  # no run with draws is taken for one without
    for side in SIDES:
        first, second = (matrix.read(run, *NAMES, replace(one.settings, side=side)) for run in (drawn, found))
        for name in ("p_values", "adjusted", "gain_intervals", "scores", "resamples"):
            np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
        assert second.setup.signature == first.setup.signature.replace("resamples:10000", "resamples:0")
    with pytest.raises(Undefined, match="Only exact p"):
        matrix.read(found, *NAMES, replace(one.settings, ties="half"))
    for more in ({"ties": "half"}, {"estimator": "paper"}, {"correction": "joint"}):
        assert matrix.run(replace(one, settings=replace(one.settings, **more))).resamples == 10_000
    assert matrix.run(replace(one, resamples=700, settings=Settings(correction="holm"))).resamples == 700
    assert matrix.run(replace(one, tests=("approximate_randomization", "paired_bootstrap"))).resamples == 10_000
    assert not replace(large, settings=replace(one.settings, correction="joint")).undrawn
    other = score_set(*rng.random((4, 60)))
    assert matrix.run(Study(*other, OWN, resamples="auto", settings=one.settings)).resamples == 10_000


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


def test_p_is_exact_beside_a_joint_null() -> None:
    """Every p of a small grid is exact; under max-T the adjusted p is counted on draws, and never below it."""
    rng = np.random.default_rng(9)
    systems = {name: [f"{x:.2f}" for x in rng.random(10) + shift] for name, shift in (("a", 0.4), ("b", 0.2), ("c", 0))}
    holm = sigcore.matrix(systems, metric="own_scores", correction="holm")
    joint = sigcore.matrix(systems, metric="own_scores")
    assert holm.setup.resamples == 0
    assert joint.setup.resamples > 0
    assert holm.setup.exact
    assert joint.setup.exact
    np.testing.assert_array_equal(holm.p_values, joint.p_values)
    assert (joint.adjusted >= joint.p_values).all()
    assert (joint.adjusted_low <= joint.adjusted).all()
    assert (joint.adjusted <= joint.adjusted_high + 1 / joint.setup.resamples).all()
    cell = of_cell(joint, "a", "c")
    assert (cell.resamples, of_cell(holm, "a", "c").resamples) == (joint.setup.resamples, 0)
    pair = sigcore.compare(systems["a"], systems["c"], metric="own_scores", names=("a", "c")).results[0]
    assert pair.p_value == joint.p_values[0, 2]
    judged = cell.decides(pair)
    assert (judged.setup.exact, judged.setup.resamples) == (False, joint.setup.resamples)
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
    for _ in range(100):
        right = (rng.random(50) < 0.97).astype(float)
        ends = compared(right.tolist(), [0.0] * 50, resamples=100).score_intervals[0]
        covered += ends[0] <= 0.97 <= ends[1]
    assert 0.92 < covered / 100 < 0.99
    half = compared([0.5] * 40, [0.25] * 40).score_intervals[0]
    assert half == (0.5, 0.5)


def counted(rows: Sequence[Sequence[int]]) -> list[str]:
    return [f"tp={tp} pred={predicted} gold={gold}" for tp, predicted, gold in rows]


def made_counts(n: int, seed: int, most: int = 6) -> list[list[tuple[int, int, int]]]:
    """Right, predicted and all names of n texts, of two systems."""
    draw = random.Random(seed)
    gold = [draw.randint(1, most) for _ in range(n)]
    rows = []
    for missed in (0.2, 0.3):
        right = [sum(draw.random() > missed for _ in range(k)) for k in gold]
        rows.append([(r, r + draw.randint(0, 2), k) for r, k in zip(right, gold, strict=True)])
    return rows


F1 = {"formula": "f_beta"}


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(("n", "seed"), [(5, 1), (9, 2), (12, 3)])
def test_two_sums_are_a_table_of_all_ways(side: str, n: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """F1 of counts: two sums differ. The table gives the p of all ways, which are swapped one by one."""
    rows = made_counts(n, seed)
    monkeypatch.setattr(exact, "MOST_UNITS", 0)  # nothing is enumerated
    result = sigcore.compare(*map(counted, rows), metric="own_statistics", options=F1, side=side).results[0]  # type: ignore[arg-type]

    def gain(swapped: Sequence[int]) -> float:
        sums = [np.sum([rows[s if k == 0 else 1 - s][i] for i, s in enumerate(swapped)], axis=0) for k in (0, 1)]
        one, other = (200 * int(tp) / int(predicted + gold) for tp, predicted, gold in sums)
        return one - other

    assert result.exact
    assert result.p_value == pytest.approx(brute(gain, n, side), abs=1e-12)


@given(st.integers(0, 2**32), st.integers(1, 12), st.integers(1, 3))
def test_a_table_is_the_sums_of_all_subsets(seed: int, n: int, axes: int) -> None:
    """Every subset of the rows once, whatever the signs."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(-3, 4, (n, axes)).astype(float)
    rows = rows[rows.any(axis=1)] if rows.any() else np.ones((1, axes))
    chances, least = exact._tabled(rows)
    wanted: dict[tuple[float, ...], float] = {}
    for chosen in itertools.product((0, 1), repeat=len(rows)):
        key = tuple(np.array(chosen) @ rows)
        wanted[key] = wanted.get(key, 0.0) + 0.5 ** len(rows)
    found = {tuple(np.array(cell) + least): chances[cell] for cell in zip(*np.nonzero(chances), strict=True)}
    assert found == pytest.approx(wanted, rel=1e-12)


def test_more_units_than_a_double_can_count_keep_their_chances() -> None:
    """1,100 units: 2^1100 is no double, the shares are."""
    chances, _ = exact._tabled(np.ones((1_100, 2)))
    wanted = stats.binom.pmf(np.arange(1_101), 1_100, 0.5)
    np.testing.assert_allclose(np.diag(chances), wanted, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize(("n", "most"), [(120, 6), (300, 3)])
def test_hundreds_of_counts_are_exact_without_a_seed(n: int, most: int) -> None:
    """The p of 20,000 shuffles has the exact p in its interval, and no seed changes the latter."""
    rows = made_counts(n, 5, most)
    one, other, drawn = (
        sigcore.compare(*map(counted, rows), metric="own_statistics", options=F1, **more)  # type: ignore[arg-type]
        for more in ({"seed": 1}, {"seed": 2}, {"resamples": 20_000})
    )
    assert one.results[0].exact
    assert one.results[0].p_value == other.results[0].p_value
    low, high = drawn.results[0].p_interval
    assert low <= one.results[0].p_value <= high


def test_equal_columns_are_one_axis_and_a_table_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums that always move together need no table of their own, and a table that is too large is not made."""
    rng = np.random.default_rng(3)
    values = rng.integers(-2, 3, (40, 2))
    found = exact._whole(np.column_stack([values, 2 * values[:, :1], np.zeros(40)]).astype(float))
    assert found is not None
    assert found.rows.shape[1] == 2
    assert found.columns.tolist() == [0, 1, 2]
    assert found.axis[0] == found.axis[2] != found.axis[1]
    assert found.step.tolist() == [1.0, 1.0, 2.0]
    cells = int(np.prod(np.abs(found.rows).sum(axis=0) + 1))
    assert exact._steps(found.rows) is not None
    monkeypatch.setattr(exact, "MOST_CELLS", cells - 1)
    assert exact._steps(found.rows) is None


def test_the_unit_of_counts_changes_no_p() -> None:
    """Counts of pairs, and in tenths: one step of the table is two, or a tenth, and p is the same."""
    rows = made_counts(60, 6)
    twice = [[tuple(2 * value for value in row) for row in of] for of in rows]
    tenths = [[f"tp={tp / 10} pred={predicted / 10} gold={gold / 10}" for tp, predicted, gold in of] for of in rows]
    found = [
        sigcore.compare(*of, metric="own_statistics", options=F1).results[0]  # type: ignore[misc, arg-type]
        for of in (list(map(counted, rows)), list(map(counted, twice)), tenths)  # type: ignore[arg-type]
    ]
    assert all(one.exact for one in found)
    assert 0.001 < found[0].p_value < 0.9
    assert [one.p_value for one in found[1:]] == pytest.approx([found[0].p_value] * 2, rel=1e-9)


@pytest.mark.parametrize("values", [(0.0, 1.0), (0.0, 100.0), (0.25, 0.75), (0.0, 1.0, 2.0), (1.0,), (0.1, 0.3, -7.0)])
def test_ties_are_recognised_by_the_largest_difference_of_a_unit(values: Numbers) -> None:
    """That of each pair, unit by unit: two scores, which are counted together, as well as others."""
    drawn = np.random.default_rng(4).choice(values, size=(6, 40))
    drawn[3] = drawn[2]
    _, question = begin(Study(*score_set(*drawn), OWN))
    a, b = question.pairs.T
    largest = np.abs(drawn)[question.pairs].max(axis=(1, 2))
    wanted = np.maximum(np.abs(drawn[a] - drawn[b]).max(axis=1), 5e-3 * largest)
    np.testing.assert_array_equal(question.units(0), wanted)


def test_without_draws_nothing_is_gathered_for_them() -> None:
    """The matrix that draws are multiplied with is another copy of all answers; the gains are those that it gives."""
    answers = (np.random.default_rng(12).random((4, 60)) < 0.5).astype(float)
    _, question = begin(Study(*score_set(*answers), OWN))
    (draws,) = exact.without_draws(question) or ()
    assert "columns" not in vars(question)
    found = draws.tallies["approximate_randomization"].gains
    np.testing.assert_array_equal(found, (question.columns.totals(0)[:, 0] / 60)[question.pairs] @ (1, -1))
    np.testing.assert_array_equal(found, question.gains(0))


def test_a_grid_without_draws_keeps_what_is_alike_once() -> None:
    """Both ends of the interval of an exact p are the same, before and after the correction, and no pair has resamples: of
    3,000 systems each table is 72 MB."""
    answers = (np.random.default_rng(12).random((4, 60)) < [[0.3], [0.4], [0.6], [0.9]]).astype(float)
    asked = Study(*score_set(*answers), OWN, resamples="auto", settings=Settings(correction="holm", exact=True))
    draws = exact.without_draws(begin(asked)[1])
    assert draws is not None
    run = replace(matrix.run(asked), draws=tuple(draws))
    for correction in corrections.members():
        if not corrections.get(correction).needs_joint:
            found = matrix.read(run, *NAMES, replace(asked.settings, correction=correction))
            assert found.p_low is found.p_high
            assert found.adjusted_low is found.adjusted_high is found.p_low
            assert np.isnan(found.p_low[~np.eye(4, dtype=bool)]).all()
            assert np.diag(found.p_low).tolist() == [1.0] * 4
            assert not any(found.resamples.strides)
            assert found.resamples.tolist() == [[0] * 4] * 4


def test_a_run_without_draws_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pair of it can need more resamples."""
    monkeypatch.setattr(study, "MANY", 5)
    answers = (np.random.default_rng(12).random((4, 60)) < 0.5).astype(float)
    monkeypatch.setattr(further, "next_step", lambda *_: pytest.fail("it was looked at"))
    (found,) = matrix.results(Study(*score_set(*answers), OWN, resamples="auto", settings=Settings(correction="holm")))
    assert not found.setup.resamples


@pytest.mark.parametrize(("systems", "used"), [(4, "joint"), (1_001, "holm")])
def test_the_automatic_correction_of_a_run_is_that_of_its_study(systems: int, used: str) -> None:
    """Read by the automatic settings, as the page reads it: above 500,000 tests both are Holm."""
    rng = np.random.default_rng(1)
    outputs = [Outputs(f"s{k}", tuple("10"[x] for x in rng.integers(0, 2, 9))) for k in range(systems)]
    auto = Settings(correction="auto", exact=True)
    asked = Study(Testset("t", "scores", 9), outputs, OWN, settings=auto, resamples=200)
    run = matrix.run(replace(asked, resamples="auto" if asked.settings.correction == "holm" else 200))
    assert matrix.read(run, *NAMES, auto).setup.correction == used
