"""Differences between metrics: the t over systems, measures of system scores and swap tests, against loops."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from sigcore import corrections
from sigcore.judgments import judgments
from sigcore.studies import human
from sigcore.studies.human import metrics_differ as pairs_of_systems
from sigcore.studies.human.metrics_differ import (
    Target,
    agreement,
    mean_over_pairs,
    standardised,
    swap_tests,
    tie_calibrated,
)
from sigcore.study import Study
from tests.made import score_set
from tests.oracles import metrics_differ as slow
from tests.unit.judged import ASKED, SYSTEMS, TESTS, TESTSET, made, outputs, ratings, result_of

PLACES = np.column_stack(np.triu_indices(7, k=1))


def random_values(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(-1, 2, len(PLACES)).astype(float)


def target(seed: int, systems: int = 7) -> Target:
    rng = np.random.default_rng(seed)
    pairs = np.column_stack(np.triu_indices(systems, k=1))
    return Target(rng.normal(size=systems), pairs, {0.05: rng.integers(-1, 2, len(pairs))})


@pytest.fixture(scope="module")
def result() -> human.HumanResult:
    return result_of(made(("adequacy", ratings()), ("fluency", ratings("fluency"))))


# ---- the t over systems


@pytest.mark.parametrize("kept", [21, 15])
@pytest.mark.parametrize("seed", range(6))
def test_the_t_is_that_of_loops(seed: int, kept: int) -> None:
    """Mean, error, degrees of freedom, interval and p, with all pairs and with some missing."""
    values, places = random_values(seed)[:kept], PLACES[:kept]
    found = mean_over_pairs(values, places)
    mean, error, freedom = slow.t_over_systems(dict(zip(map(tuple, places.tolist()), values.tolist(), strict=True)))
    assert (found.value, found.error, found.freedom) == pytest.approx((mean, error, freedom))
    half = stats.t.ppf(0.975, freedom) * error
    assert (found.low, found.high) == pytest.approx((mean - half, mean + half))
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(mean) / error, freedom))


def test_the_variance_is_unbiased_where_systems_matter() -> None:
    """With an effect of each system and one of each pair, the mean estimated variance is that of the mean; the
    jackknife's is half as large again."""
    rng = np.random.default_rng(1)
    left, right = PLACES.T
    means, unbiased, jackknife = [], [], []
    for _ in range(4000):
        systems = rng.normal(size=7)
        values = systems[left] + systems[right] + 2 * rng.normal(size=len(PLACES))
        found = _variances(values)
        means.append(values.mean())
        unbiased.append(found.unbiased)
        jackknife.append(found.jackknife)
    assert np.mean(unbiased) == pytest.approx(np.var(means), rel=0.1)
    assert np.mean(jackknife) > 1.2 * np.var(means)


def _variances(values: np.ndarray):
    from sigcore.studies.human import metrics_differ as pairs_of_systems

    return pairs_of_systems._variances(values, PLACES, 7)


def test_where_nothing_differs_p_is_one() -> None:
    """No pair on which two metrics differ: p = 1 and no interval, as an error of 0 would claim certainty."""
    found = mean_over_pairs(np.zeros(len(PLACES)), PLACES)
    assert (found.value, found.p_value) == (0.0, 1.0)
    assert math.isnan(found.low)


@pytest.mark.parametrize(
    ("values", "places"),
    [([1.0, 0.0, -1.0], [(0, 1), (0, 2), (1, 2)]), ([1.0] * 21, PLACES), ([1.0, 0.0, 1.0], [(0, 1), (0, 2), (0, 3)])],
)
def test_where_no_error_can_be_estimated_there_is_no_p(values, places) -> None:
    """Three systems, pairs that are all alike, and pairs that all share a system: undefined, not zero."""
    found = mean_over_pairs(np.array(values), np.array(places))
    assert math.isnan(found.p_value)
    assert math.isnan(found.low)
    assert found.value == pytest.approx(np.mean(values))
    assert math.isnan(mean_over_pairs(np.zeros(0), np.zeros((0, 2), dtype=int)).value)


# ---- measures of system scores


@pytest.mark.parametrize("seed", range(5))
def test_measures_are_those_of_scipy_and_of_loops(seed: int) -> None:
    """Pairwise accuracy, tau-b, r and the accuracy with calibrated ties, with equal scores among them."""
    people = target(seed)
    scores = np.random.default_rng(seed).integers(0, 5, 7).astype(float)
    pairwise, tau, r, calibrated = agreement(scores, people)
    assert pairwise == pytest.approx(slow.pairwise(scores.tolist(), people.scores.tolist()))
    assert tau == pytest.approx(stats.kendalltau(scores, people.scores).statistic)
    assert r == pytest.approx(stats.pearsonr(scores, people.scores).statistic)
    said = dict(zip(map(tuple, people.pairs.tolist()), people.conclusions[0.05].tolist(), strict=True))
    accuracy, epsilon = slow.calibrated(scores.tolist(), said)
    left, right = people.pairs.T
    ((fast, size),) = tie_calibrated(scores[left] - scores[right], people.conclusions)
    assert (calibrated, float(fast), float(size)) == pytest.approx((accuracy, accuracy, epsilon))


def test_many_rows_of_scores_are_measured_at_once() -> None:
    """Rows of scores (4, 5, S) give the measures of each row."""
    people, scores = target(1), np.random.default_rng(2).normal(size=(4, 5, 7))
    whole = agreement(scores, people)
    assert whole.shape == (4, 4, 5)
    np.testing.assert_allclose(whole[:, 2, 3], agreement(scores[2, 3], people))


def test_without_any_tie_pairwise_accuracy_is_tau() -> None:
    """tau = 2 accuracy - 1; and where all scores are the same there is no correlation."""
    people = target(3)
    pairwise, tau, *_ = agreement(np.random.default_rng(3).normal(size=7), people)
    assert tau == pytest.approx(2 * pairwise - 1)
    assert np.isnan(agreement(np.ones(7), people)[1:3]).all()


# ---- swaps


@pytest.mark.parametrize("seed", range(3))
def test_swaps_of_systems_are_all_tried(seed: int) -> None:
    """p of every measure is the share of all 2^S swaps; Pearson's r is compared as Fisher's z."""
    people, scores = target(seed, 6), np.random.default_rng(seed + 100).normal(size=(3, 6))
    p = swap_tests(scores[..., None], people, "systems", 1)
    assert p.shape == (4, 3)
    for k, (a, b) in enumerate(combinations(range(3), 2)):
        for m, (name, _) in enumerate(people.asked):

            def measure(x: list[float], m: int = m, name: str = name) -> float:
                value = float(agreement(np.array(x), people)[m])
                return math.atanh(value) if name == "pearson" else value

            assert p[m, k] == pytest.approx(slow.swap_systems(scores[a].tolist(), scores[b].tolist(), measure))


def test_drawn_swaps_estimate_those_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a sample of swaps p lies within 5 standard errors of that of all swaps, and never is 0."""
    people, scores = target(4, 9), np.random.default_rng(4).normal(size=(2, 9, 1))
    exact = swap_tests(scores, people, "systems", 1)
    monkeypatch.setattr(pairs_of_systems, "ALL_UP_TO", 5)
    drawn = swap_tests(scores, people, "systems", 1)
    assert (np.abs(drawn - exact) <= 5 * np.sqrt(exact * (1 - exact) / pairs_of_systems.DRAWS) + 1e-3).all()
    assert (drawn * (pairs_of_systems.DRAWS + 1) == np.round(drawn * (pairs_of_systems.DRAWS + 1))).all()
    assert not np.array_equal(drawn, swap_tests(scores, people, "systems", 2))
    np.testing.assert_array_equal(drawn, swap_tests(scores, people, "systems", 1))


@pytest.mark.parametrize("swapped", ["inputs", "both"])
def test_swaps_of_inputs_move_whole_inputs_or_single_scores(swapped: pairs_of_systems.Swapped, monkeypatch) -> None:
    """What moves is, for whole inputs, the same inputs of every system; p does not depend on how many are held at once."""
    people, scores = target(5, 5), np.random.default_rng(5).normal(size=(2, 5, 12))
    ones = np.ones((1, 5, 12))
    (moved,) = pairs_of_systems._moved(ones, swapped, 3)
    assert moved.shape == (1, pairs_of_systems.DRAWS, 5)
    assert (np.ptp(moved[0], axis=-1) == 0).all() == (swapped == "inputs")
    assert moved.mean() == pytest.approx(0.5, abs=0.02)
    p = swap_tests(scores, people, swapped, 3)
    assert ((p > 0) & (p <= 1)).all()
    same = swap_tests(np.repeat(scores[:1], 2, axis=0), people, swapped, 3)
    assert (same == 1).all()


def test_scores_are_standardised_by_what_is_swapped() -> None:
    """System scores have mean 0 and SD 1 where systems are swapped, all scores where inputs are; a constant stays 0."""
    scores = np.random.default_rng(6).normal(3, 7, (2, 5, 8))
    systems, inputs = standardised(scores, "systems"), standardised(scores, "inputs")
    assert systems.shape == (2, 5, 1)
    for part in (systems, inputs):
        np.testing.assert_allclose(part.mean(axis=(1, 2)), 0, atol=1e-12)
        np.testing.assert_allclose(part.std(axis=(1, 2)), 1)
    assert not standardised(np.full((1, 4, 2), 5.0), "inputs").any()


# ---- in a result


def test_every_pair_of_metrics_is_compared(result: human.HumanResult) -> None:
    """Conclusions under every test and alpha by t; each measure of system scores by three kinds of swaps; Holm in each."""
    of_conclusions = [d for d in result.metric_differences if d.measure == "three_way"]
    assert {(d.test, d.alpha) for d in of_conclusions} == {(t, a) for t in TESTS for a in human.ALPHAS}
    assert {d.method for d in of_conclusions} == {"jackknife_t"}
    of_scores = [d for d in result.metric_differences if d.measure != "three_way"]
    assert {d.method for d in of_scores} == {"perm_systems", "perm_inputs", "perm_both"}
    assert len(of_scores) == 3 * (3 + len(human.ALPHAS))
    for item in of_conclusions:
        first, second = (result.accuracy(m, item.test, item.alpha).percent for m in (item.metric_a, item.metric_b))
        assert item.difference == pytest.approx(first - second)
        assert math.isnan(item.low) or item.low <= item.difference <= item.high


def test_holm_is_over_all_pairs_of_metrics() -> None:
    """Ten p-values of five metrics are corrected together, undefined ones left out."""
    p = np.array([0.001, 0.02, np.nan, 0.5])
    items = [
        human.MetricDifference("a", "b", "three_way", "t", 0.05, 0, 0, 0, float(x), math.nan, "jackknife_t") for x in p
    ]
    adjusted = [item.adjusted for item in pairs_of_systems._adjusted(items)]
    expected = corrections.get("holm").adjust(p[[0, 1, 3]])
    np.testing.assert_allclose([adjusted[k] for k in (0, 1, 3)], expected)
    assert math.isnan(adjusted[2])


def test_system_level_is_that_of_the_scores(result: human.HumanResult) -> None:
    """Per metric: pairwise accuracy and correlations of corpus scores with people's scores in the first dimension."""
    grid = result.grids["bleu", TESTS[0]]
    order = [grid.systems.index(system) for system in result.systems]
    theirs = result.people.rated[0].scores
    found = result.system_level[0]
    assert (found.metric, found.systems, found.pairs) == ("bleu", 5, 10)
    assert found.pairwise == pytest.approx(100 * slow.pairwise(grid.scores[order].tolist(), theirs.tolist()))
    assert found.pearson == pytest.approx(stats.pearsonr(grid.scores[order], theirs).statistic)
    assert [alpha for alpha, _, _ in found.tie_calibrated] == list(human.ALPHAS)


def test_shares_of_units_have_the_score_as_their_mean(result: human.HumanResult) -> None:
    """What each segment adds: its mean is the corpus score of the metric, whatever the metric is."""
    run = human.run(Study(TESTSET, outputs(), [*ASKED, ("ter", {})], TESTS[:1], resamples=50), result.people)
    found = pairs_of_systems.system_scores(human.read(result.people, run), run)
    assert found is not None
    assert found.shares is not None
    np.testing.assert_allclose(found.shares.mean(axis=-1), found.scores)
    assert (found.scores[2] <= 0).all()  # TER counts errors: turned so that more is better


def test_the_shares_of_a_mean_are_the_scores_of_the_segments(result: human.HumanResult) -> None:
    """What a segment adds to a mean of scores is its own score."""
    values = np.random.default_rng(7).normal(size=(len(SYSTEMS), 20)).round(2)
    testset, made_up = score_set(*values)
    named = [replace(item, system=name) for item, name in zip(made_up, SYSTEMS, strict=True)]
    run = human.run(Study(testset, named, (("own_scores", {}),), TESTS[:1], resamples=50), result.people)
    read = human.read(result.people, run)
    found = pairs_of_systems.system_scores(read, run)
    assert found is not None
    assert found.shares is not None
    order = [SYSTEMS.index(name) for name in read.systems]
    np.testing.assert_allclose(found.shares[0], values[order], atol=1e-12)


def test_fewer_errors_agree_with_people_too(result: human.HumanResult) -> None:
    """TER is turned: a low error rate of a system that people like counts as agreement."""
    run = human.run(Study(TESTSET, outputs(), (("bleu", {}), ("ter", {})), TESTS[:1], resamples=50), result.people)
    bleu, ter = human.read(result.people, run).system_level
    assert bleu.pearson > 0
    assert ter.pearson > 0


def test_one_metric_has_no_difference_but_a_level(result: human.HumanResult) -> None:
    """A single metric has measures of its system scores and nothing to differ from."""
    run = human.run(Study(TESTSET, outputs(), ASKED[:1], TESTS[:1], resamples=50), result.people)
    found = human.read(result.people, run)
    assert found.metric_differences == ()
    assert len(found.system_level) == 1


def test_two_systems_have_no_system_level() -> None:
    """Correlations of two systems say nothing: they are left out, and p of conclusions is undefined or 1."""
    said = human.people(made())
    two = [item for item in outputs() if item.system in SYSTEMS[:2]]
    found = human.read(said, human.run(Study(TESTSET, two, ASKED, TESTS[:1], resamples=50), said))
    assert found.system_level == ()
    assert all(math.isnan(d.p_value) or d.p_value == 1 for d in found.metric_differences)


def test_systems_without_a_score_of_people_are_left_out() -> None:
    """A system that nobody rated in the first dimension is no part of the system level."""
    rows = [
        ("j", s, str(k), float(10 * n + k % 7), d)
        for d, part in (("adequacy", "ABCD"), ("fluency", "ABCDE"))
        for n, s in enumerate(part)
        for k in range(12)
    ]
    columns = ("judge", "system", "segment", "score", "dimension")
    said = human.people(judgments("x", dict(zip(columns, zip(*rows, strict=True), strict=True))))
    five = [type(item)(name, item.segments) for name, item in zip("ABCDE", outputs(), strict=True)]
    found = human.read(said, human.run(Study(TESTSET, five, ASKED, TESTS[:1], resamples=50), said))
    assert (found.system_level[0].systems, found.system_level[0].pairs) == (4, 6)
    assert len(found.pairs) == 10
