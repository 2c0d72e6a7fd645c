"""The studies matrix, compare and gain: notes, refusals, caches, histograms, small and degenerate inputs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore.errors import Cancelled, MismatchError, OptionError, SigError, Undefined
from sigcore.executors import Serial, Threads
from sigcore.studies import compare, gain, matrix
from sigcore.studies.matrix import Settings
from sigcore.studies.statistics import read_asked
from sigcore.study import Runtime, Study
from sigcore.testset import Outputs, Testset
from sigcore.types import SIDES
from tests.drawn import DRAWN
from tests.made import score_set, text_set

OWN = [("own_scores", {})]
QUICK = {"resamples": 600}


@pytest.fixture(scope="module")
def scores():
    """Four systems with scores on 20 segments."""
    rng = np.random.default_rng(0)
    base = rng.normal(size=20)
    return score_set(*(base + shift + rng.normal(size=20) for shift in (1.5, 1.4, 0.1, 0.0)))


def test_cached_statistics_of_another_setting_are_not_taken():
    """One cache serves all settings of all metrics: what comes out is as without a cache."""
    testset, outputs = text_set(8)
    cache: dict[str, np.ndarray] = {}
    for options in ({}, {"order": 2}, {"lowercase": True}, {"smooth": "floor", "smooth_value": 0.101}, {"order": 2}):
        asked = [("bleu", options)]
        with_cache = matrix.run(
            Study(testset, outputs, asked, [], resamples=1), runtime=Runtime(cache=cache, executor=Serial())
        )
        without = matrix.run(Study(testset, outputs, asked, [], resamples=1), runtime=Runtime(executor=Serial()))
        np.testing.assert_array_equal(with_cache.measured[0].scores, without.measured[0].scores)
    assert len(cache) == 4 * len(outputs)


def test_cached_statistics_of_another_test_set_are_not_taken():
    """The same outputs against other references, or against one more, have statistics of their own."""
    testset, outputs = text_set(8)
    other = (text_set(8, seed=50)[0].references[0],)
    cache: dict[str, np.ndarray] = {}
    for references in (testset.references, other, testset.references + other):
        again = Testset("made", "text", 8, references)
        with_cache, without = (
            matrix.run(Study(again, outputs, tests=[], resamples=1), runtime=Runtime(cache=c, executor=Serial()))
            for c in (cache, None)
        )
        np.testing.assert_array_equal(with_cache.measured[0].scores, without.measured[0].scores)
    assert len(cache) == 3 * len(outputs)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("resamples", [1, 2, 513])
def test_tiny_inputs(n, resamples):
    """One segment and one resample are enough for every number to exist."""
    testset, outputs = score_set(np.arange(n) + 1.0, np.zeros(n))
    run = compare.run(Study(testset, outputs, OWN, DRAWN, resamples=resamples), runtime=Runtime(executor=Serial()))
    for result in compare.read(run, "own_scores").results:
        given = result.setup.test == "approximate_randomization" or n >= 10
        assert 0 < result.p_value <= 1 if given else np.isnan(result.p_value)
        assert result.histogram.counts.sum() == resamples
        assert len(result.null) == resamples


@pytest.mark.parametrize(
    "columns",
    [([1.0, 2, 3], [0.0, 0, 0]), ([1.0, 1, 1], [0.0, 0, 0]), ([0.1, 0.2, 0], [0.3, 0, 0]), ([5.0, 5, 5], [5, 5, 5])],
    ids=["spread", "constant", "noise", "equal"],
)
def test_every_resample_lies_in_a_bin(columns):
    """Histograms have rising edges, hold every resample once, and hold the observed gain."""
    testset, outputs = score_set(*columns)
    run = compare.run(Study(testset, outputs, OWN, DRAWN, **QUICK))
    result = compare.read(run, "own_scores")
    for item in result.results:
        edges = item.histogram.edges
        assert (np.diff(edges) > 0).all()
        assert item.histogram.counts.sum() == 600
        assert edges[0] <= -abs(result.gain) <= abs(result.gain) <= edges[-1]


def test_the_tail_of_the_histogram_is_the_count():
    """The bins at and beyond the cut-offs hold exactly the resamples that were counted, with many ties too."""
    rng = np.random.default_rng(2)
    whole_numbers = score_set(rng.integers(1, 5, size=12), rng.integers(0, 5, size=12))
    for metric, (testset, outputs) in (("bleu", text_set(25, (0.15, 0.2), seed=9)), ("own_scores", whole_numbers)):
        result = compare.read(compare.run(Study(testset, outputs, [(metric, {})], DRAWN, **QUICK)), metric)
        assert result.gain > 0
        assert metric == "bleu" or all(
            item.ties > 0 for item in result.results if item.setup.test != "bootstrap_shift_printed"
        )
        for item in result.results:
            if item.setup.side == "less" and item.ties:
                continue  # one histogram serves all sides: a tie at the upper cut-off lies in the bin above it
            middle = (item.histogram.edges[1:] + item.histogram.edges[:-1]) / 2
            low, high = item.cutoffs
            assert item.histogram.counts[(middle > high) | (middle < low)].sum() == item.tail


def test_the_null_is_kept_or_not_but_counts_stay(scores, monkeypatch):
    """A null too long to keep is None, and every other number is the same."""
    testset, outputs = scores
    first = compare.read(compare.run(Study(testset, outputs[:2], OWN, DRAWN, **QUICK)), "own_scores")
    monkeypatch.setattr(compare, "KEEP", 599)
    second = compare.read(compare.run(Study(testset, outputs[:2], OWN, DRAWN, **QUICK)), "own_scores")
    for a, b in zip(first.results, second.results, strict=True):
        assert b.null is None
        assert (a.p_value, a.tail, a.interval) == (b.p_value, b.tail, b.interval)
        np.testing.assert_array_equal(a.histogram.counts, b.histogram.counts)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_direction_turns_gains_not_scores(scores, better):
    """A metric that is better when lower has the gains turned, and scores and their intervals as they are."""
    testset, outputs = scores
    run = matrix.run(Study(testset, outputs, [("own_scores", {"better": better})], **QUICK))
    result = matrix.read(run, "own_scores", "approximate_randomization")
    sign = 1 if better == "higher" else -1
    np.testing.assert_allclose(result.gains, sign * (result.scores[:, None] - result.scores[None, :]))
    assert (result.score_intervals[:, 0] < result.scores).all()
    assert (result.scores < result.score_intervals[:, 1]).all()
    assert result.scores[result.order[0]] == (max if better == "higher" else min)(result.scores)


def test_one_system_alone(scores):
    """A single system has a score and an interval, and no pair."""
    testset, outputs = scores
    result = matrix.read(
        matrix.run(Study(testset, outputs[:1], OWN, **QUICK)), "own_scores", "approximate_randomization"
    )
    assert result.p_values.tolist() == [[1.0]]
    assert result.score_intervals.shape == (1, 2)


def test_correction_counts_pairs_or_directions(scores):
    """Two-sided a pair is one test, one-sided each direction is: Bonferroni's factor of the smallest p shows it."""
    testset, outputs = scores
    run = matrix.run(Study(testset, outputs, OWN, resamples=5000), runtime=Runtime(executor=Serial()))
    for side, tests in (("two-sided", 6), ("greater", 12), ("less", 12)):
        result = matrix.read(run, "own_scores", "approximate_randomization", Settings(side, correction="holm"))
        off = ~np.eye(4, dtype=bool)
        least = result.p_values[off].min()
        assert result.adjusted[off].min() == pytest.approx(tests * least)
        assert (result.adjusted >= result.p_values).all()


def test_progress_reaches_the_end_and_can_stop(scores):
    """Progress counts up to its total, and an exception raised in it ends the run."""
    testset, outputs = scores
    told = []
    matrix.run(
        Study(testset, outputs, OWN, DRAWN, resamples=1100),
        runtime=Runtime(progress=lambda *p: told.append(p), executor=Threads(2)),
    )
    counted = [(done, total) for name, done, total in told if name == "resampling"]
    assert counted == [(k, 9) for k in range(1, 10)]

    def stop(name: str, done: int, total: int) -> None:
        if done == 2:
            raise Cancelled

    for executor in (Serial(), Threads(2)):
        with pytest.raises(Cancelled):
            matrix.run(
                Study(testset, outputs, OWN, DRAWN, resamples=5000), runtime=Runtime(progress=stop, executor=executor)
            )


@pytest.mark.parametrize("bad", [{"resamples": 0}, {"resamples": 10**9}, {"seed": -1}, {"seed": 2**63}])
def test_impossible_numbers_are_refused(scores, bad):
    """No resample at all, too many, and a negative seed are refused; seed 0 is a seed."""
    testset, outputs = scores
    with pytest.raises(OptionError):
        matrix.run(Study(testset, outputs, OWN, **bad))
    again = [
        matrix.read(
            matrix.run(Study(testset, outputs, OWN, seed=0, **QUICK)), "own_scores", "approximate_randomization"
        )
        for _ in range(2)
    ]
    np.testing.assert_array_equal(again[0].p_values, again[1].p_values)


@pytest.mark.parametrize("bad", [{"side": "both"}, {"estimator": "mid"}, {"ties": "some"}])
def test_unknown_settings_are_refused(bad):
    """A side, estimator or tie rule that does not exist is refused."""
    with pytest.raises(OptionError, match="Choose from"):
        Settings(**bad)


def test_what_was_not_computed_is_named(scores):
    """Reading a metric or a test that was not asked for names those that were."""
    testset, outputs = scores
    run = matrix.run(Study(testset, outputs, OWN, **QUICK))
    with pytest.raises(Undefined, match=r"bleu was not computed.*own_scores"):
        matrix.read(run, "bleu", "approximate_randomization")
    with pytest.raises(Undefined, match=r"bootstrap_shift was not computed.*approximate_randomization"):
        matrix.read(run, "own_scores", "bootstrap_shift")


def test_wrong_calls_are_refused(scores):
    """No system, other lengths, a name twice, a metric of another kind, a system against itself: each is explained."""
    testset, outputs = scores
    with pytest.raises(Undefined, match="no system"):
        matrix.run(Study(testset, [], OWN))
    with pytest.raises(MismatchError, match="has 1 line, scores has 20"):
        matrix.run(Study(testset, [*outputs, Outputs("short", ("1",))], OWN))
    with pytest.raises(MismatchError, match="named 'sys0'"):
        matrix.run(Study(testset, [outputs[0], outputs[0]], OWN))
    with pytest.raises(MismatchError, match="needs text"):
        matrix.run(Study(testset, outputs, [("bleu", {})]))
    with pytest.raises(Undefined, match="with itself"):
        compare.run(Study(testset, [outputs[0], outputs[0]], OWN, tests=None))
    with pytest.raises(Undefined, match="No test"):
        compare.run(Study(testset, outputs[:2], OWN, []))
    with pytest.raises(SigError):
        matrix.run(Study(Testset("empty", "scores", 0), [Outputs("a", ()), Outputs("b", ())], OWN))


def test_a_metric_asked_twice_is_refused(scores):
    """One metric under two settings at once could not be told apart when read."""
    testset, outputs = scores
    with pytest.raises(SigError, match="own_scores is requested twice"):
        matrix.run(Study(testset, outputs, [*OWN, ("own_scores", {"better": "lower"})], **QUICK))


def test_signature_holds_what_is_needed(scores):
    """The signature names metric, test, sides, estimator, ties, R, seed, n, block and versions."""
    testset, outputs = scores
    run = matrix.run(Study(testset, outputs, OWN, seed=77, **QUICK))
    text = matrix.read(
        run, "own_scores", "approximate_randomization", Settings("less", "paper", "half")
    ).setup.signature
    for part in ("own_scores", "approximate_randomization", "sides:less", "estimator:paper", "ties:half", "seed:77"):
        assert part in text
    for part in ("resamples:600", "n:20", "block:512", "sigcore:", "correction:holm"):
        assert part in text
    assert not any(part in text for part in ("numpy", "python", "Python"))  # equal results look equal on any machine


def test_options_as_text():
    """metric.name=value sets an option; another form or an unasked metric is refused."""
    assert read_asked(["bleu.tokenize=zh", "bleu.order=2"], ["bleu", "chrf"]) == [
        ("bleu", {"tokenize": "zh", "order": "2"}),
        ("chrf", {}),
    ]
    for bad in ("bleu", "bleu=2", "tokenize=zh", "ter.x=1", ".x=1"):
        with pytest.raises(SigError):
            read_asked([bad], ["bleu"])


@pytest.mark.parametrize("side", SIDES)
def test_gain_turns_every_pair(scores, side):
    """Every pair is a point with a gain that is not negative and the p of its winner."""
    testset, outputs = scores
    result = matrix.read(
        matrix.run(Study(testset, outputs, OWN, **QUICK)), "own_scores", "approximate_randomization", Settings(side)
    )
    points = gain.read(result)
    assert len(points.gains) == 6
    assert (points.gains >= 0).all()
    for system, baseline, p, g in zip(points.systems, points.baselines, points.p_values, points.gains, strict=True):
        row, column = result.systems.index(system), result.systems.index(baseline)
        assert result.gains[row, column] == g
        assert p == (result.p_values[column, row] if side == "less" else result.p_values[row, column])
    if side != "two-sided":
        assert (points.p_values < 0.6).all()
    np.testing.assert_array_equal(points.confidence, 1 - points.p_values)


@pytest.mark.parametrize(
    ("given", "classes"),
    [
        ({}, {("Online-A", "Online-B"): "", ("Online-A", "Lab"): "", ("Online-B", "Lab"): ""}),
        (
            {"Online-A": "web", "Online-B": "web", "Lab": "lab"},
            {
                ("Online-A", "Online-B"): "same group",
                ("Online-A", "Lab"): "different groups",
                ("Online-B", "Lab"): "different groups",
            },
        ),
        (
            {"Online-A": "web", "Lab": "lab"},
            {("Online-A", "Online-B"): "", ("Online-A", "Lab"): "different groups", ("Online-B", "Lab"): ""},
        ),
    ],
    ids=["none", "all", "some"],
)
def test_classes_come_from_given_groups(scores, given, classes):
    """A pair has a class only where both of its systems were given a group, however alike the names are."""
    testset, outputs = scores
    names = ("Online-A", "Online-B", "Lab")
    named = [replace(o, system=name, group=given.get(name, "")) for o, name in zip(outputs, names, strict=False)]
    points = gain.read(
        matrix.read(matrix.run(Study(testset, named, OWN, **QUICK)), "own_scores", "approximate_randomization")
    )
    pairs = zip(points.systems, points.baselines, points.pair_class, strict=True)
    assert {frozenset((a, b)): word for a, b, word in pairs} == {frozenset(k): word for k, word in classes.items()}


@pytest.mark.parametrize(
    ("system", "group"), [("Online-A", "Online"), ("sys1.opt0", "sys"), ("JDExplore", "JDExplore"), ("4you", "4you")]
)
def test_proposed_groups(system, group):
    """The proposal for a system is its name up to the first digit or dash; never an empty one."""
    assert gain.propose_groups([system]) == {system: group}


def test_scores_without_a_sum_are_refused():
    """Scores so large that their sum is infinite are refused with a message, not with a warning of numpy's."""
    outputs = [Outputs(name, ("1e308",) * 3) for name in "ab"]
    with pytest.raises(Undefined, match="mean score is not defined for a, b"):
        matrix.run(Study(Testset("huge", "scores", 3), outputs, OWN, **QUICK))


def test_the_signature_marks_the_data(scores):
    """The signature changes with one character of one file, and not with the settings of the reading."""
    testset, outputs = scores

    def mark(systems) -> str:
        result = matrix.read(
            matrix.run(Study(testset, systems, OWN, **QUICK)), "own_scores", "approximate_randomization"
        )
        return next(part for part in result.setup.signature.split("|") if part.startswith("data:"))

    changed = Outputs(outputs[0].system, (outputs[0].segments[0] + "1", *outputs[0].segments[1:]))
    assert mark(outputs) == mark(outputs)
    assert mark(outputs) != mark([changed, *outputs[1:]])


@pytest.mark.parametrize(
    ("test", "side", "correction", "words"),
    [
        ("approximate_randomization", "two-sided", "holm", "after Holm is 0.30; at least 119 are needed"),
        ("approximate_randomization", "less", "holm", "after Holm is 0.60; at least 239 are needed"),
        ("paired_bootstrap", "two-sided", "none", "the smallest p they can give is 0.10; at least 39 are needed"),
        ("approximate_randomization", "two-sided", "none", ""),
    ],
)
def test_too_few_resamples_for_any_verdict_are_named(scores, test, side, correction, words):
    """Where no p can reach alpha the summary says so and claims nothing; a doubled p is at least 2 / (R + 1)."""
    testset, outputs = scores
    run = matrix.run(Study(testset, outputs, OWN, ["approximate_randomization", "paired_bootstrap"], resamples=19))
    summary = str(matrix.read(run, "own_scores", test, Settings(side, correction=correction)))
    assert words in summary
    assert ("cannot show a difference" in summary) == bool(words)
    assert ("pairs differ" in summary) == (not words)


def test_uncorrected_one_sided_grids_say_what_they_risk(scores):
    """One-sided tests in both directions, uncorrected, reject twice alpha: the result says it, corrected ones do not."""
    testset, outputs = scores
    run = matrix.run(Study(testset, outputs, OWN, **QUICK))
    for settings, noted in [
        (Settings("less", correction="none"), True),
        (Settings("less"), False),
        (Settings(), False),
    ]:
        notes = matrix.read(run, "own_scores", "approximate_randomization", settings).notes
        assert any("twice alpha" in note for note in notes) == noted


def test_bootstraps_on_few_segments_are_noted(scores):
    """Under 30 segments a bootstrap test carries a note, approximate randomization none."""
    testset, outputs = scores
    for test, noted in (("bootstrap_shift", True), ("approximate_randomization", False)):
        notes = matrix.run(Study(testset, outputs, OWN, [test], resamples=99)).notes
        assert any("tends to be too small: of true nulls" in note for note in notes) == noted


def test_minus_zero_is_zero():
    """Scores of -0 and of 0 are the same statistics: p = 1 on every side, ties counted or not."""
    outputs = [Outputs("a", ("0", "1", "0")), Outputs("b", ("-0", "1", "-0.0"))]
    run = matrix.run(Study(Testset("t", "scores", 3), outputs, OWN, **QUICK))
    result = matrix.read(run, "own_scores", "approximate_randomization", Settings("greater", ties="strict"))
    np.testing.assert_array_equal(result.p_values, 1.0)


def test_undecided_is_told_after_the_correction(scores):
    """The interval of p is corrected as p is, so that the doubt belongs to the verdict that is shown."""
    testset, outputs = scores
    result = matrix.read(matrix.run(Study(testset, outputs, OWN, **QUICK)), "own_scores", "approximate_randomization")
    assert (result.adjusted_low <= result.adjusted).all()
    assert (result.adjusted_high >= result.adjusted - 1e-12).all()
    pair = np.unravel_index(np.argmin(result.adjusted), result.adjusted.shape)
    alpha = float(result.adjusted[pair])
    assert result.undecided(alpha)[pair]
    assert not result.undecided(float(result.adjusted_high[pair]))[pair]


@pytest.mark.parametrize("turn", [False, True])
def test_ties_at_zero_are_drawn_where_they_count(turn):
    """The area beyond zero in the picture of the paired bootstrap is its tail, for a gain and for a loss."""
    one, other = Outputs("a", ("1", "1", "0", "1", "0")), Outputs("b", ("0", "1", "1", "0", "0"))
    pair = (other, one) if turn else (one, other)
    run = compare.run(Study(Testset("t", "scores", 5), pair, OWN, ["paired_bootstrap"], resamples=2000))
    item = compare.read(run, "own_scores").result("paired_bootstrap", "two-sided")
    middle = (item.histogram.edges[:-1] + item.histogram.edges[1:]) / 2
    assert item.ties > 0
    assert item.histogram.counts[middle > 0 if turn else middle < 0].sum() == item.tail


def test_verdicts_of_one_result(scores):
    """A result is significant where p <= alpha, the bound included, and undecided where its interval holds alpha."""
    testset, outputs = scores
    run = compare.run(Study(testset, [outputs[0], outputs[2]], OWN, ["approximate_randomization"], **QUICK))
    result = compare.read(run, "own_scores").results[0]
    p, (low, high) = result.p_value, result.p_interval
    assert [result.significant(a) for a in (p * 0.99, p, p * 1.01)] == [False, True, True]
    assert low < high
    assert [result.undecided(a) for a in (low - 1e-9, low, (low + high) / 2, high)] == [False, True, True, False]
