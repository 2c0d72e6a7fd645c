"""What must hold for all inputs of the engine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigcore import metrics
from sigcore.executors import Serial, Threads
from sigcore.metrics import extractor
from sigcore.resampling.blocks import bootstrap_counts
from sigcore.significance import LEAST_UNITS
from sigcore.significance.engine import portions
from sigcore.studies import compare, matrix
from sigcore.studies.matrix import Settings
from sigcore.study import Runtime, Study
from sigcore.testset import Outputs, Testset
from sigcore.types import SIDES
from tests.drawn import DRAWN
from tests.made import score_set, text_set
from tests.oracles.resample_strings import bootstrap_scores, drawn, repeated, swap_gains
from tests.oracles.segment_scores import scorer

# those whose rows hang on one segment alone
TEXT = [name for name, m in metrics.members().items() if m.kind == "text" and not m.whole_references]
SACREBLEUS = ["bleu", "chrf", "ter"]
WORDS = st.sampled_from(["a", "b", "c", "the", "The", "house", "houses", ",", ".", "12", "été", "中文", "&amp;"])
SEGMENT = st.lists(WORDS, max_size=9).map(" ".join) | st.text(max_size=8)
SCORES = st.integers(-5, 5) | st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 4))


@st.composite
def corpora(draw):
    """A reference and an output of 2 to 6 segments."""
    n = draw(st.integers(2, 6))
    return tuple(draw(SEGMENT) for _ in range(n)), tuple(draw(SEGMENT) for _ in range(n))


@st.composite
def columns(draw):
    """Scores of two systems on 1 to 16 segments: too few for a p by bootstrap, and enough."""
    n = draw(st.integers(1, 16))
    return [draw(st.lists(SCORES, min_size=n, max_size=n)) for _ in range(2)]


@pytest.mark.parametrize("name", TEXT)
@settings(max_examples=25)
@given(corpus=corpora(), seed=st.integers(0, 1000))
def test_weights_times_statistics_is_the_repeated_corpus(name, corpus, seed):
    """Weights @ statistics are the statistics of the corpus in which every segment stands as often as drawn."""
    reference, segments = corpus
    metric, n = metrics.get(name), len(reference)
    options = metric.chosen()
    weights = bootstrap_counts(np.random.default_rng(seed), 1, n)[0]
    rows = extractor(metric, Testset("t", "text", n, (reference,)), options)(Outputs("s", segments)).values
    again = Testset("again", "text", n, (tuple(repeated(reference, weights)),))
    expected = extractor(metric, again, options)(Outputs("s", tuple(repeated(segments, weights))))
    np.testing.assert_allclose(weights @ rows, expected.total, rtol=1e-13, atol=0)


@pytest.mark.parametrize("name", SACREBLEUS)
@settings(max_examples=25)
@given(corpus=corpora())
def test_corpus_score_is_sacrebleus(name, corpus):
    """The score of the sum is sacrebleu's corpus score of the strings."""
    reference, segments = corpus
    metric = metrics.get(name)
    item = extractor(metric, Testset("t", "text", len(reference), (reference,)), metric.chosen())(
        Outputs("s", segments)
    )
    made = scorer(name, {})
    assert item.corpus_score == pytest.approx(
        made.corpus_score(list(segments), [list(reference)]).score, rel=1e-13, abs=1e-13
    )


def no_p(item, scores):
    """A bootstrap test of two systems that differ on too few units, which has no p."""
    differing = np.count_nonzero(np.not_equal(*scores))
    few = 0 < differing < LEAST_UNITS and item.setup.test != "approximate_randomization"
    return few and np.isnan(item.p_value)


@settings(max_examples=60)
@given(scores=columns(), resamples=st.sampled_from([1, 99, 600]), seed=st.integers(0, 2**53 - 1))
def test_p_lies_in_its_range(scores, resamples, seed):
    """0 < p <= 1 under the valid estimator for every test, side and tie rule, and in [0, 1] as printed."""
    testset, outputs = score_set(*scores)
    run = compare.run(
        Study(testset, outputs, [("own_scores", {})], DRAWN, resamples=resamples, seed=seed),
        runtime=Runtime(executor=Serial()),
    )
    for ties in ("counted", "strict", "half"):
        for item in compare.read(run, "own_scores", Settings(ties=ties)).results:
            assert 0 < item.p_value <= 1 or no_p(item, scores)
            assert item.histogram.counts.sum() == resamples
        for item in compare.read(run, "own_scores", Settings(estimator="paper", ties=ties)).results:
            assert 0 <= item.p_value <= 1 or no_p(item, scores)
            inside = item.p_interval[0] <= item.p_value <= item.p_interval[1]
            assert inside or item.p_value == 1.0 or no_p(item, scores)


@settings(max_examples=40)
@given(scores=columns(), seed=st.integers(0, 100))
def test_swapping_negates_the_gain_and_keeps_p(scores, seed):
    """The other way round the gain is negated, the two-sided p stays and the sides change places."""
    testset, outputs = score_set(*scores)
    arguments = {"resamples": 300, "seed": seed}
    one, two = (
        compare.read(compare.run(Study(testset, pair, [("own_scores", {})], DRAWN, **arguments)), "own_scores")
        for pair in (outputs, outputs[::-1])
    )
    assert one.gain == -two.gain
    for name in DRAWN:
        for side, other in zip(SIDES, ("two-sided", "less", "greater"), strict=True):
            here, there = one.result(name, side), two.result(name, other)
            assert here.p_value == there.p_value or (no_p(here, scores) and no_p(there, scores))


@pytest.fixture(scope="module")
def four():
    """A test set with four systems."""
    return text_set(30, (0.1, 0.15, 0.2, 0.3), seed=11)


def numbers(run: matrix.MatrixRun) -> list[np.ndarray]:
    """Everything that was computed."""
    out = list(run.score_intervals)
    for draws in run.draws:
        for tally in draws.tallies.values():
            out += [tally.counts, tally.gains, tally.means]
    return out


ASKED = [("bleu", {}), ("chrf", {"word_order": 2}), ("ter", {})]


@pytest.mark.parametrize("resamples", [100, 1300])
@pytest.mark.parametrize("workers", [1, 2, 8])
def test_same_on_every_executor(four, workers, resamples):
    """Serial and any number of threads give the same counts, means and intervals, bit for bit."""
    testset, outputs = four
    runs = [
        matrix.run(Study(testset, outputs, ASKED, DRAWN, resamples=resamples), runtime=Runtime(executor=e))
        for e in (Serial(), Threads(workers))
    ]
    for a, b in zip(*map(numbers, runs), strict=True):
        np.testing.assert_array_equal(a, b)


def test_same_from_an_executor_of_processes_or_any_map(four):
    """Anything with an ordered map will do, even one that computes from the end."""

    class Backwards:
        def map(self, work, items):
            items = list(items)
            done = {k: work(item) for k, item in reversed(list(enumerate(items)))}
            return iter([done[k] for k in range(len(items))])

    testset, outputs = four
    runs = [
        matrix.run(Study(testset, outputs, ASKED, DRAWN, resamples=1300), runtime=Runtime(executor=e))
        for e in (Serial(), Backwards())
    ]
    for a, b in zip(*map(numbers, runs), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("resamples", [60, 100, 700])
def test_a_pair_does_not_depend_on_its_company(four, resamples):
    """Compare gives what matrix gives, bit for bit, whatever other systems, metrics and tests are present."""
    testset, outputs = four
    whole = matrix.run(Study(testset, outputs, ASKED, DRAWN, resamples=resamples), runtime=Runtime(executor=Serial()))
    for metric, options in ASKED:
        for test in DRAWN:
            alone = compare.run(
                Study(testset, [outputs[1], outputs[2]], [(metric, options)], [test], resamples=resamples),
                runtime=Runtime(executor=Serial()),
            )
            for side in SIDES:
                grid = matrix.read(whole, metric, test, Settings(side))
                pair = compare.read(alone, metric, Settings(side))
                assert pair.result(test, side).p_value == grid.p_values[1, 2]
                assert pair.result(test, side).p_interval == (grid.p_low[1, 2], grid.p_high[1, 2])
                assert pair.gain == grid.gains[1, 2]
                assert pair.scores == tuple(grid.scores[[1, 2]])
                assert pair.score_intervals == tuple(map(tuple, grid.score_intervals[[1, 2]]))
            tally = whole.draws[[m for m, _ in ASKED].index(metric)].tallies[test]
            place = [tuple(p) for p in tally.pairs].index((1, 2))
            assert alone.matrix.draws[0].tallies[test].means[0] == tally.means[place]
            assert alone.matrix.draws[0].tallies[test].gains[0] == tally.gains[place]


@pytest.mark.parametrize("order", [[3, 2, 1, 0], [1, 3, 0, 2]])
def test_order_of_systems_only_permutes(four, order):
    """Another order of the systems permutes the grid and changes no number."""
    testset, outputs = four
    first = matrix.run(Study(testset, outputs, ASKED, DRAWN, resamples=700), runtime=Runtime(executor=Serial()))
    second = matrix.run(
        Study(testset, [outputs[i] for i in order], ASKED, DRAWN, resamples=700), runtime=Runtime(executor=Serial())
    )
    for metric, _ in ASKED:
        for test in DRAWN:
            for side in SIDES:
                a, b = (matrix.read(run, metric, test, Settings(side)) for run in (first, second))
                for field in ("gains", "p_values", "adjusted", "p_low", "p_high"):
                    np.testing.assert_array_equal(getattr(a, field)[np.ix_(order, order)], getattr(b, field))
                np.testing.assert_array_equal(a.score_intervals[order], b.score_intervals)


@pytest.mark.parametrize("name", SACREBLEUS)
@pytest.mark.parametrize("references", [1, 2])
def test_bootstrap_is_scoring_the_drawn_strings(name, references):
    """Bootstrap scores and shuffled gains equal sacrebleu's scores of the strings drawn."""
    testset, outputs = text_set(14, (0.15, 0.3), seed=1)
    streams = (testset.references[0], text_set(14, (0.2,), seed=1)[1][0].segments)[:references]
    testset = Testset("t", "text", 14, streams)
    run = compare.run(
        Study(testset, outputs, [(name, {})], DRAWN, resamples=40, seed=9), runtime=Runtime(executor=Serial())
    )
    made, sign = scorer(name, {}), -1.0 if name == "ter" else 1.0
    weights, masks = drawn(9, "bootstrap", 40, 14), drawn(9, "swap", 40, 14)
    scores = [np.array(bootstrap_scores(made, item.segments, streams, weights)) for item in outputs]
    expected = sign * (scores[0] - scores[1])
    np.testing.assert_allclose(run.nulls[0]["paired_bootstrap"], expected, rtol=0, atol=1e-10)
    np.testing.assert_allclose(run.nulls[0]["bootstrap_shift_printed"], expected - expected.mean(), rtol=0, atol=1e-10)
    shuffled = sign * np.array(swap_gains(made, outputs[0].segments, outputs[1].segments, streams, masks))
    np.testing.assert_allclose(run.nulls[0]["approximate_randomization"], shuffled, rtol=0, atol=1e-10)


@pytest.mark.parametrize("resamples", [100, 513])
def test_every_bootstrap_score_is_the_same_in_any_company(four, resamples):
    """Each system's score on each resample is the same bit for bit, alone, with one other or with three."""
    testset, outputs = four
    kept = []
    for systems in (outputs, outputs[:2], outputs[:1]):
        run = matrix.run(
            Study(testset, systems, ASKED, ["paired_bootstrap"], resamples=resamples),
            runtime=Runtime(executor=Serial()),
            keep=True,
        )
        kept.append([np.concatenate(list(draws.scores), axis=1)[0] for draws in run.draws])
        for draws in run.draws:
            draws.close()
    for other in kept[1:]:
        for a, b in zip(kept[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_many_pairs_are_all_counted():
    """With more pairs than are counted at once, every pair has the p it has alone."""
    rng = np.random.default_rng(7)
    testset, outputs = score_set(*(rng.integers(0, 9, size=15) + 0.1 * k for k in range(18)))
    arguments = {"tests": DRAWN, "resamples": 520}
    whole = matrix.run(Study(testset, outputs, [("own_scores", {})], **arguments))
    assert len(whole.draws[0].tallies[DRAWN[0]].pairs) == 153
    for test in DRAWN:
        grid = matrix.read(whole, "own_scores", test).p_values
        for row, column in ((0, 1), (1, 17), (7, 12), (8, 9), (16, 17)):
            alone = matrix.run(Study(testset, [outputs[row], outputs[column]], [("own_scores", {})], **arguments))
            assert matrix.read(alone, "own_scores", test).p_values[0, 1] == grid[row, column]


def test_every_position_of_many_pairs():
    """Counting in portions leaves out no pair and counts none twice."""
    for pairs in (0, 1, 31, 32, 33, 127, 128, 129, 300):
        for size in (32, 128):
            seen = [i for part in portions(pairs, size) for i in range(pairs)[part]]
            assert seen == list(range(pairs))
