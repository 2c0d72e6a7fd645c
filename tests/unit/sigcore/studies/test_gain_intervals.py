"""The interval of a gain holds the gains that its test does not reject; that of a score has the jackknife's width."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

from sigcore import metrics, significance
from sigcore.metrics.contract import from_values
from sigcore.resampling import inversion, pvalues
from sigcore.resampling.blocks import blocks, generator, swap_masks
from sigcore.resampling.inversion import Inversion, reached
from sigcore.studies import compare, intervals, matrix, segments
from sigcore.studies.matrix import Settings
from sigcore.study import Runtime, Study
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.types import PLANNED_PAIR
from tests.drawn import DRAWN
from tests.made import score_set, text_set
from tests.oracles.inverted_intervals import p_under, tango_rejects

QUICK = {"resamples": 700}
RANDOMIZATION = "approximate_randomization"
OWN = [("own_scores", {})]
OWN_SCORES = metrics.get("own_scores")


def masks_of(resamples: int, n: int, seed: int = 12345) -> np.ndarray:
    """The units that the engine swaps, (R, n)."""
    found = [swap_masks(generator(seed, "swap", block.index), block.size, n) for block in blocks(resamples)]
    return np.concatenate(found)


@pytest.mark.parametrize("metric", ["bleu", "ter", "chrf"])
def test_inside_p_is_above_alpha_and_outside_it_is_not(metric):
    """p of a true gain, draw by draw in plain Python, is above .05 just inside both ends and not just outside."""
    testset, outputs = text_set(14, (0.1, 0.3))
    study = Study(testset, outputs, [(metric, {})], [RANDOMIZATION], resamples=300)
    run = matrix.run(study)
    low, high = run.gain_intervals[0][RANDOMIZATION][0]
    pair = run.summed[0].systems
    sign = 1 if pair[0].better == "higher" else -1
    sizes = {"bleu": "reference_length", "ter": "reference_length", "chrf": "reference_char1"}[metric]
    sizes = [item.values[:, item.columns.index(sizes)] for item in pair]
    both = (sizes[0] + sizes[1]).tolist()
    data = [item.values.tolist() for item in pair]
    masks = masks_of(300, 14).astype(int).tolist()

    def p(delta: float) -> float:
        return p_under(delta, *data, masks, lambda sums: sign * float(pair[0].score(np.array(sums))), both)

    step = (high - low) * 1e-6
    assert p(low + step) > 0.05 >= p(low - step)
    assert p(high - step) > 0.05 >= p(high + step)
    assert low < run.draws[0].tallies[RANDOMIZATION].gains[0] < high


def test_documents_weigh_by_what_they_hold():
    """A unit's part of a gain is its words of the reference; where the statistics do not say it, its segments."""
    testset, outputs = text_set(30, (0.1, 0.3))
    run = matrix.run(Study(testset, outputs, [("bleu", {})], unit="block:7", **QUICK))
    _, question = matrix.compute.begin(Study(testset, outputs, [("bleu", {})], unit="block:7", **QUICK))
    lengths = run.measured[0].systems[0].values[:, 1]
    np.testing.assert_array_equal(question.shares(0)[0][:, 0], [lengths[k : k + 7].sum() for k in range(0, 30, 7)])
    np.testing.assert_array_equal(question.sizes, [7, 7, 7, 7, 2])


def test_statistics_without_a_size_have_that_of_their_unit():
    """Where no column says how large a unit is, its segments do; a unit without statistics has no size."""
    values = np.array([[1.0, 2.0], [3.0, 2.0], [0.0, 0.0]])
    items = [
        SufficientStatistics(f"s{k}", ("a", "b"), values + k * (values > 0), np.sum, "higher", "x") for k in (0, 1)
    ]
    for sizes, expected in ((None, [1, 1, 0]), (np.array([5.0, 2.0, 4.0]), [5, 2, 0])):
        question = significance.Resampling((tuple(items),), (), np.array([[0, 1]]), 10, 1, sizes)
        for found in question.shares(0):
            np.testing.assert_array_equal(found[:, 0], expected)


def test_signs_are_those_of_the_draws():
    """The mean sign of a draw is 1 - 2 x the swapped share of all words, and 1 for no swap."""
    testset, outputs = text_set(12, (0.1, 0.3))
    _, question = matrix.compute.begin(Study(testset, outputs, [("bleu", {})], [RANDOMIZATION], resamples=512))
    masks = masks_of(512, 12)
    found = question.signs(question.columns.sums(masks.astype(np.float32)), 0, question.pairs)
    size = question.shares(0)[0][:, 0]
    np.testing.assert_allclose(found[0], 1 - 2 * (masks @ size) / size.sum(), atol=1e-12)


def test_blocks_give_the_ends_of_all_draws_at_once():
    """Taken block by block, and thrown away as it goes, the ends are the k-th of all; undefined draws count for every gain."""
    rng = np.random.default_rng(3)
    gains, slack = np.array([0.4, -0.2]), np.full(2, 1e-11)
    pseudo, signs = rng.normal(0, 0.3, (2, 6000)), rng.uniform(-0.6, 0.6, (2, 6000))
    pseudo[0, :40] = np.nan
    one = Inversion(gains, slack, 6000, 0.05)
    for start in range(0, 6000, 512):
        one.add(pseudo[:, start : start + 512], signs[:, start : start + 512])
        if start == 512:
            few = reached(pseudo[:, :1024], signs[:, :1024], gains, slack)
            np.testing.assert_array_equal(one.ends()[:, 0], np.sort(few[0], axis=1)[:, 50])  # floor(.05 x 1025) = 51
    low, high = reached(pseudo, signs, gains, slack)
    rank = math.floor(0.05 * 6001)
    np.testing.assert_array_equal(one.ends()[:, 0], np.sort(low, axis=1)[:, rank - 1])
    np.testing.assert_array_equal(one.ends()[:, 1], np.sort(high, axis=1)[:, -rank])
    assert (low[0, :40] == -np.inf).all()
    assert (high[0, :40] == np.inf).all()


def test_ties_at_no_gain_and_draws_without_a_swap():
    """A draw that equals the gain but for rounding counts from 0 exactly; the observed outputs, and all of them swapped, count
    for every true gain."""
    pseudo, signs = np.array([[1.0 + 1e-13, -1.0 - 1e-13, 1.0, -1.0]]), np.array([[0.5, 0.5, 1.0, -1.0]])
    low, high = reached(pseudo, signs, np.array([1.0]), np.array([1e-11]))
    np.testing.assert_array_equal(low, [[0.0, 0.0, -np.inf, -np.inf]])
    np.testing.assert_allclose(high, [[4 / 3, 4.0, np.inf, np.inf]])
    found = inversion.possible(pseudo[0], signs[0], 1.0, 1e-11)
    np.testing.assert_allclose(found, [0.0, 4.0, np.nan, np.nan])
    assert found[0] == 0


def test_too_few_draws_have_no_ends():
    """With 18 draws no gain can be rejected at .05, so there is no interval; with 19 there can be."""
    for resamples, found in ((18, False), (19, True)):
        one = Inversion(np.array([1.0]), np.array([1e-11]), resamples, 0.05)
        one.add(np.zeros((1, resamples)), np.linspace(-0.5, 0.5, resamples)[None])
        assert np.isfinite(one.ends()).all() == found


@pytest.mark.parametrize("test", ["bootstrap_shift", "bootstrap_shift_printed", "two_delta_bootstrap"])
def test_a_shifted_bootstrap_has_its_own_interval(test):
    """Moved to the true gain delta, the resamples reach |g - delta| with p above .05 inside the ends only."""
    testset, outputs = text_set(40, (0.1, 0.2))
    # .05 x 720 is a whole number, which .05 x 719 is below
    run = matrix.run(Study(testset, outputs, [("bleu", {})], [test], resamples=719), keep=True)
    low, high = run.gain_intervals[0][test][0]
    scores = np.concatenate(list(run.draws[0].scores), axis=1)
    run.close()
    gain = run.draws[0].tallies[test].gains[0]
    centre = gain if test == "two_delta_bootstrap" else run.draws[0].tallies[test].means[0]
    away = np.abs(scores[0] - scores[1] - centre)

    def p(delta: float) -> float:
        return (1 + np.count_nonzero(away >= abs(gain - delta))) / 720

    step = (high - low) * 1e-9
    for inside, outside in ((low + step, low - step), (high - step, high + step)):
        assert p(inside) > 0.05 >= p(outside)
    assert low + high == pytest.approx(2 * gain)


def test_a_resample_without_a_score_counts_for_every_gain():
    """Of 39 resamples 2 decide; two without a score leave no interval, one leaves the largest distance of the others."""
    values = np.linspace(-1.0, 1.0, 39)
    tally = SimpleNamespace(pairs=np.array([[0, 1]]), means=np.array([0.0]), gains=np.array([0.5]))
    for missing, half in ((0, 1.0), (1, 1.0), (2, None)):
        found = np.where(np.arange(39) - 19 < missing, np.where(np.arange(39) >= 19, np.nan, values), values)
        draws = SimpleNamespace(
            tallies={"t": tally}, scores=SimpleNamespace(first=lambda used, v=found: [np.stack([v, 0 * v])])
        )
        test = replace(significance.get("bootstrap_shift"), name="t")
        expected = [np.nan, np.nan] if half is None else [0.5 - half, 0.5 + half]
        np.testing.assert_allclose(intervals.basic(draws, test, 39)[0], expected)


def test_few_units_that_differ_have_no_interval_of_randomization():
    """Scores of any size that differ on four of 300 units: no draw can show how such differences vary."""
    left = np.random.default_rng(1).normal(size=300)
    right = left.copy()
    right[:4] += 1.5
    testset, outputs = score_set(left, right)
    run = matrix.run(Study(testset, outputs, OWN, [RANDOMIZATION], **QUICK))
    assert np.isnan(run.gain_intervals[0][RANDOMIZATION]).all()
    right[4:12] += 1.5
    run = matrix.run(Study(*score_set(left, right), OWN, [RANDOMIZATION], **QUICK))
    assert np.isfinite(run.gain_intervals[0][RANDOMIZATION]).all()


def test_the_paired_bootstrap_has_percentiles():
    """They are numpy's, of the gains that the test counts."""
    testset, outputs = text_set(40, (0.1, 0.2))
    run = matrix.run(Study(testset, outputs, [("bleu", {})], ["paired_bootstrap"], **QUICK), keep=True)
    scores = np.concatenate(list(run.draws[0].scores), axis=1)
    run.close()
    np.testing.assert_allclose(
        run.gain_intervals[0]["paired_bootstrap"][0], np.quantile(scores[0] - scores[1], [0.025, 0.975]), rtol=1e-12
    )


@settings(max_examples=60)
@given(
    n=st.integers(10, 16),
    kind=st.sampled_from(["normal", "whole", "right or wrong", "skewed"]),
    shift=st.sampled_from([0.0, 0.3, 1.0]),
    seed=st.integers(0, 10_000),
)
def test_p_and_interval_never_contradict_each_other(n, kind, shift, seed):
    """For every test, drawn or exact, two-sided p is at most .05 exactly where the interval excludes 0."""
    rng = np.random.default_rng(seed)
    left, right = {
        "normal": lambda: (rng.normal(shift, 1, n), rng.normal(0, 1, n)),
        "whole": lambda: (rng.integers(0, 4, n) + np.rint(shift), rng.integers(0, 4, n)),
        "right or wrong": lambda: (rng.integers(0, 2, n) | (rng.random(n) < shift), rng.integers(0, 2, n)),
        "skewed": lambda: (rng.exponential(1 + shift, n), rng.exponential(1, n)),
    }[kind]()
    testset, outputs = score_set(left, right)
    run = compare.run(Study(testset, outputs, OWN, DRAWN, resamples=399, seed=seed))
    for exact in (True, False):
        for item in compare.read(run, "own_scores", Settings(exact=exact), sides=["two-sided"]).results:
            if np.isfinite(item.interval).all() and np.isfinite(item.p_value):
                low, high = item.interval
                assert (item.p_value <= 0.05) == (not low <= 0 <= high), (item.setup.test, item.p_value, item.interval)
                assert low <= item.gain <= high


def test_an_exact_p_decides_before_a_drawn_one():
    """With few draws the two may lie on both sides of .05: the interval follows the p that is shown."""
    found = set()
    for seed in range(200):
        rng = np.random.default_rng(seed)
        testset, outputs = score_set(rng.normal(0.62, 1, 12), rng.normal(0, 1, 12))
        run = compare.run(Study(testset, outputs, OWN, [RANDOMIZATION], resamples=99, seed=seed))
        for exact in (True, False):
            item = compare.read(run, "own_scores", Settings(exact=exact), sides=["two-sided"]).results[0]
            assert item.exact == exact
            low, high = item.interval
            assert (item.p_value <= 0.05) == (not low <= 0 <= high)
            found.add((seed, item.p_value <= 0.05))
    assert len(found) > 200  # for some they decide differently


@pytest.mark.parametrize("test", [RANDOMIZATION, "bootstrap_shift"])
def test_p_and_interval_of_a_slice_agree(test):
    """On every slice p is at most .05 exactly where its interval excludes 0, for scores with few values too."""
    seen = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        left, right = rng.integers(0, 3, (2, 90)) / 2.0
        testset, outputs = score_set(left + 0.5 * (rng.random(90) < 0.4), right)
        testset = replace(testset, domains=tuple(f"d{k % 4}" for k in range(90)))
        study = Study(testset, outputs, OWN, [test], resamples=99, seed=seed, family=PLANNED_PAIR)
        (parts,) = segments.sliced(study, segments.Texts(testset, *outputs), Runtime(cache={}))
        for one in parts:
            low, high = one.interval
            assert np.isnan(low) or (one.p_value <= 0.05) == (not low <= 0 <= high), (seed, one)
            seen += np.isfinite(low)
    assert seen > 40


def test_p_decides_where_the_interval_ends():
    """An end on the wrong side of 0 moves to 0, or just beyond it; the other end stays, and what is undefined stays so."""
    ends = np.array([[0.1, 2.0], [-0.1, 2.0], [-2.0, 0.1], [-2.0, -0.1], [0.1, 2.0], [np.nan, np.nan]])
    p = np.array([0.06, 0.05, 0.05, 0.06, 0.05, 0.5])
    found = intervals.agreeing(ends, p, np.full(6, 1e-9))
    expected = [[0.0, 2.0], [1e-9, 2.0], [-2.0, -1e-9], [-2.0, 0.0], [0.1, 2.0], [np.nan, np.nan]]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("first", "second", "n"), [(0, 0, 12), (3, 0, 12), (8, 2, 26), (1, 9, 50), (40, 40, 300)])
def test_paired_shares_have_the_interval_of_tango(first, second, n):
    """Just inside its ends the score test does not reject the difference, just outside it does, by a search of its own."""
    low, high = intervals.tango(first, second, n)
    for end, outward in ((low, -1), (high, 1)):
        assert not tango_rejects(first, second, n, end - outward * 1e-4)
        assert abs(end) == 1 or tango_rejects(first, second, n, end + outward * 1e-4)
    assert intervals.tango(second, first, n) == pytest.approx((-high, -low))


def test_intervals_of_many_pairs_are_made_in_parts(monkeypatch):
    """Each pair has the interval that it has alone, to the bit."""
    first, second = np.arange(11), np.arange(11)[::-1]
    whole = intervals.tango(first, second, 30)
    monkeypatch.setattr(intervals, "TOGETHER", 4)
    np.testing.assert_array_equal(intervals.tango(first, second, 30), whole)
    assert whole.shape == (11, 2)


def test_the_published_interval_of_tango():
    """Fagerland, Lydersen and Laake 2014 print it for 1 and 7 discordant pairs of 21: -.517 to -.026."""
    low, high = intervals.tango(1, 7, 21)
    assert (low, high) == pytest.approx((-0.517, -0.026), abs=5e-4)


@pytest.mark.parametrize("whole", [1.0, 100.0])
@pytest.mark.parametrize("better", ["higher", "lower"])
def test_right_and_wrong_units_have_tango_and_wilson(whole, better):
    """On units that are right or wrong, shares decide, in the units and the direction of the score."""
    left, right = np.zeros(60), np.zeros(60)
    left[:40], right[:30] = whole, whole
    right[45:48] = whole  # 10 right on the left only, 3 on the right only
    testset, outputs = score_set(left, right)
    study = Study(testset, outputs, [("own_scores", {"better": better})], [RANDOMIZATION], **QUICK)
    result = matrix.read(matrix.run(study), "own_scores", RANDOMIZATION)
    assert (result.interval_method, result.score_interval_method) == ("Tango", "Wilson")
    ends = whole * np.array(intervals.tango(10, 3, 60))
    np.testing.assert_allclose(result.gain_intervals[0, 1], ends if better == "higher" else -ends[::-1])
    np.testing.assert_allclose(result.score_intervals[0], whole * np.array(intervals.wilson(40, 60)))


@pytest.mark.parametrize(("metric", "worst"), [("accuracy", 0.0), ("bleu", 0.0), ("wer", 100.0)])
def test_scores_have_intervals_within_their_scale(metric, worst):
    """Over documents of five segments: with two errors, with none and with errors alone. No interval ends below 0, no score ends
    above 100 where higher is better, and a perfect score has Wilson's interval of all documents, not one without width."""
    reference = tuple(f"a{k} b c d e" for k in range(60))
    some = ("x", *reference[1:59], "y")
    outputs = [Outputs("some", some), Outputs("all", reference), Outputs("none", ("x",) * 60)]
    testset = Testset("t", "text", 60, (reference,), documents=tuple(str(k // 5) for k in range(60)))
    study = Study(testset, outputs, [(metric, {})], [RANDOMIZATION], unit="document", **QUICK)
    result = matrix.read(matrix.run(study), metric, RANDOMIZATION)
    best = 100.0 - worst
    low, high = result.score_intervals.T
    assert (low >= 0).all()
    assert (low < high).all()
    assert (low <= result.scores).all()
    assert (result.scores <= high + 1e-9).all()
    if best == 100:
        assert (high <= 100).all()
        np.testing.assert_allclose(result.scores[1:], (100, 0))
        np.testing.assert_allclose(result.score_intervals[1], 100 * np.array(intervals.wilson(12, 12)))
        np.testing.assert_allclose(result.score_intervals[2], 100 * np.array(intervals.wilson(0, 12)))
    else:
        np.testing.assert_allclose(result.score_intervals[1], 100 * np.array(intervals.wilson(0, 12)))


def test_few_right_answers_that_differ_have_an_interval_and_no_note_against_it():
    """Three of 300 that differ: Tango's interval is given, and no note says that there is none; a bootstrap has the note."""
    right = np.ones(300)
    wrong = right.copy()
    wrong[:3] = 0
    testset, outputs = score_set(right, wrong)
    for test, noted in ((RANDOMIZATION, False), ("bootstrap_shift", True)):
        run = matrix.run(Study(testset, outputs, OWN, [test], **QUICK))
        result = matrix.read(run, "own_scores", test)
        assert np.isnan(result.gain_intervals[0, 1]).all() == noted
        assert any("no interval is given" in note for note in result.notes) == noted


@pytest.mark.parametrize("metric", ["bleu", "own_scores"])
def test_a_score_has_the_width_of_its_jackknife(metric):
    """Half the width is t times the root of (n - 1) / n times the squared distances of the scores without one unit."""
    if metric == "bleu":
        testset, outputs = text_set(20, (0.1, 0.3))
    else:
        testset, outputs = score_set(np.random.default_rng(1).normal(5, 1, 20), np.zeros(20))
    run = matrix.run(Study(testset, outputs, [(metric, {})], **QUICK))
    item = run.measured[0].systems[0]
    without = [float(item.score(np.delete(item.values, k, axis=0).sum(axis=0))) for k in range(20)]
    half = student.ppf(0.975, 19) * math.sqrt(19 / 20 * sum((x - np.mean(without)) ** 2 for x in without))
    np.testing.assert_allclose(run.score_intervals[0][0], item.corpus_score + np.array([-half, half]), rtol=1e-9)


@pytest.mark.parametrize("alpha", [0.05, 0.2, 0.001])
def test_quantiles_of_t_are_those_of_scipy(alpha):
    """From one degree of freedom, also between whole numbers, to many."""
    freedom = np.array([1.0, 1.5, 2, 9, 11.7, 49, 1447, 99_999])
    np.testing.assert_allclose(pvalues.student(freedom, alpha), student.ppf(1 - alpha / 2, freedom), rtol=1e-9)


def test_a_score_is_not_below_zero():
    """Where no unit scores below 0 the interval ends there; where one does, it goes on."""
    scores = np.zeros(12)
    scores[0] = 5.0
    for values, below in ((scores, False), (scores - 0.1, True)):
        testset, outputs = score_set(values, np.ones(12))
        run = matrix.run(Study(testset, outputs, OWN, **QUICK))
        assert (run.score_intervals[0][0, 0] < 0) == below


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_grid_and_pair_have_the_same_interval(metric):
    """Each cell has the interval that compare gives the pair alone, its mirror the negative one, for every test."""
    testset, outputs = text_set(40, (0.1, 0.15, 0.3))
    run = matrix.run(Study(testset, outputs, [(metric, {})], DRAWN, **QUICK))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        pair = compare.run(Study(testset, [outputs[i], outputs[j]], [(metric, {})], DRAWN, **QUICK))
        for test in DRAWN:
            result = matrix.read(run, metric, test)
            alone = compare.read(pair, metric).result(test, "two-sided")
            assert alone.interval == tuple(result.gain_intervals[i, j])
            assert alone.interval_method == result.interval_method
            np.testing.assert_array_equal(result.gain_intervals[j, i], -result.gain_intervals[i, j][::-1])


def test_randomization_alone_draws_no_bootstrap():
    """No interval needs it: only shuffles are drawn."""
    testset, outputs = text_set(20, (0.1, 0.3))
    run = matrix.run(Study(testset, outputs, tests=[RANDOMIZATION], **QUICK), keep=True)
    assert run.draws[0].scores is None
    assert np.isfinite(matrix.read(run, "bleu", RANDOMIZATION).gain_intervals).all()
    run.close()


def test_few_units_have_no_interval():
    """As for one pair: below the least number of units there is none."""
    testset, outputs = score_set(np.arange(9) + 1.0, np.zeros(9))
    result = matrix.read(matrix.run(Study(testset, outputs, OWN, **QUICK)), "own_scores", RANDOMIZATION)
    assert np.isnan(result.gain_intervals[0, 1]).all()


def test_too_many_pairs_have_none(monkeypatch):
    """The work is bounded: beyond the bound the result is without intervals, not slow."""
    monkeypatch.setattr(inversion, "MOST_GAINS", 1000)
    testset, outputs = text_set(12, (0.1, 0.2, 0.3))
    run = matrix.run(Study(testset, outputs, **QUICK))
    assert matrix.read(run, "bleu", RANDOMIZATION).gain_intervals is None


def test_a_slice_counts_its_own_units_only():
    """Units outside of a slice have no statistics, and no part in the mean sign."""
    values = np.array([[1.0, 1.0], [3.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    items = [
        from_values(OWN_SCORES, OWN_SCORES.chosen(), Outputs(f"s{k}", ("0",)), values * [k + 1, 1], "slice")
        for k in (0, 1)
    ]
    question = significance.Resampling((tuple(items),), (significance.get(RANDOMIZATION),), np.array([[0, 1]]), 100, 1)
    masks = np.array([[1, 0, 1, 1], [0, 0, 1, 1]], dtype=np.float32)
    np.testing.assert_allclose(question.signs(question.columns.sums(masks), 0, question.pairs), [[0.0, 1.0]])


def test_one_pair_alone_is_not_corrected():
    """A single test has nothing to correct: neither the setup nor the signature names a correction."""
    testset, outputs = text_set(12, (0.1, 0.2))
    run = matrix.run(Study(testset, outputs, **QUICK))
    for correction in ("holm", "auto", "joint"):
        alone = matrix.read(run, "bleu", RANDOMIZATION, Settings(correction=correction))
        assert alone.setup.correction == "none"
        assert "correction:none" in alone.setup.signature
        np.testing.assert_array_equal(alone.adjusted, alone.p_values)
    # one-sided, both directions are tested
    both = matrix.read(run, "bleu", RANDOMIZATION, Settings("greater", correction="holm"))
    assert "correction:holm" in both.setup.signature


def test_the_average_of_tasks_is_as_lopsided_as_they_are():
    """Below it are the distances to the low ends, above it those to the high ones: roots of 0.3^2 + 0.4^2 and 0.6^2 + 0.8^2."""
    scores, ends = np.array([1.0, 3.0]), np.array([[0.7, 1.6], [2.6, 3.8]])
    assert intervals.averaged(scores, ends, np.eye(2)) == pytest.approx((2 - 0.5 / 2, 2 + 1.0 / 2))


@pytest.mark.parametrize("metric", ["wer", "ter"])
def test_an_error_rate_above_100_is_inside_of_its_interval(metric):
    """Errors can be more than the words of the reference: the interval is not cut at 100."""
    reference = tuple(f"a{k} b c" for k in range(40))
    long = tuple(f"x y z u v {k % 3 and 'w'} {k % 2 and 'q r s'}" for k in range(40))
    testset = Testset("t", "text", 40, (reference,))
    study = Study(
        testset, [Outputs("long", long), Outputs("right", reference)], [(metric, {})], [RANDOMIZATION], **QUICK
    )
    result = matrix.read(matrix.run(study), metric, RANDOMIZATION)
    low, high = result.score_intervals[0]
    assert result.scores[0] > 120
    assert 100 < low < result.scores[0] < high
    assert result.scores[0] - low == pytest.approx(high - result.scores[0])
