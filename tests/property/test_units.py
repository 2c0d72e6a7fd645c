"""What must hold for every unit of resampling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigcore.executors import Serial, Threads
from sigcore.studies import compare, matrix, units
from sigcore.studies.matrix import Settings
from sigcore.studies.statistics import measure
from sigcore.study import Runtime, Study
from sigcore.types import SIDES, read_unit
from tests.drawn import DRAWN
from tests.made import score_set, text_set
from tests.oracles.resample_strings import bootstrap_scores, drawn, swap_gains
from tests.oracles.segment_scores import scorer
from tests.oracles.units import spread_out, sums

ASKED = [("bleu", {}), ("chrf", {"word_order": 2}), ("ter", {})]
OWN = [("own_scores", {})]


@pytest.fixture(scope="module")
def four():
    """A test set with four systems, and a document for each segment that holds it alone."""
    testset, outputs = text_set(30, (0.1, 0.15, 0.2, 0.3), seed=11)
    return replace(testset, documents=tuple(f"d{i}" for i in range(30))), outputs


def numbers(run: matrix.MatrixRun) -> list[np.ndarray]:
    """Everything that was computed."""
    out = list(run.score_intervals)
    for draws in run.draws:
        for tally in draws.tallies.values():
            out += [tally.counts, tally.gains, tally.means]
    return out


@pytest.mark.parametrize("unit", ["block:1", "document"])
def test_units_of_one_segment_are_the_segments(four, unit):
    """Blocks of one, and documents of one segment each, give the results of segments bit for bit."""
    testset, outputs = four
    runs = [matrix.run(Study(testset, outputs, ASKED, DRAWN, unit=u, resamples=600)) for u in ("segment", unit)]
    for a, b in zip(*map(numbers, runs), strict=True):
        np.testing.assert_array_equal(a, b)
    for metric, _ in ASKED:
        for test in DRAWN:
            for side in SIDES:
                a, b = (matrix.read(run, metric, test, Settings(side)) for run in runs)
                for field in ("scores", "gains", "p_values", "p_low", "p_high", "adjusted", "score_intervals"):
                    np.testing.assert_array_equal(getattr(a, field), getattr(b, field))
                np.testing.assert_allclose(b.design_effects, 1.0)


@settings(max_examples=60)
@given(data=st.data())
def test_sums_are_manual_sums(data):
    """The row of a unit is the sum of its segments' rows, in whatever order the documents come."""
    n = data.draw(st.integers(1, 20))
    scores = data.draw(st.lists(st.integers(-50, 50), min_size=n, max_size=n))
    names = data.draw(st.lists(st.sampled_from("abcde"), min_size=n, max_size=n))
    testset, outputs = score_set(scores)
    testset = replace(testset, documents=tuple(names))
    item = measure(testset, outputs, OWN)[0]
    found = units.in_units(item, units.groups(testset, read_unit("document"))).systems[0]
    assert found.values.tolist() == sums(item.systems[0].values.tolist(), names)
    assert found.corpus_score == item.systems[0].corpus_score
    length = data.draw(st.integers(1, 25))
    found = units.in_units(item, units.groups(testset, read_unit(f"block:{length}"))).systems[0]
    rows = item.systems[0].values
    expected = [rows[start : start + length].sum(axis=0).tolist() for start in range(0, n, length)]
    assert found.values.tolist() == expected


@pytest.mark.parametrize("length", [2, 7, 30])
def test_documents_that_follow_one_another_are_blocks(four, length):
    """Documents of N consecutive segments give the numbers of block:N."""
    testset, outputs = four
    testset = replace(testset, documents=tuple(str(i // length) for i in range(30)))
    runs = [
        matrix.run(Study(testset, outputs, ASKED, DRAWN, unit=u, resamples=600))
        for u in ("document", f"block:{length}")
    ]
    for a, b in zip(*map(numbers, runs), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_units_are_the_same_on_every_executor(four, workers):
    """Serial and any number of threads give the same counts, means and intervals over units, bit for bit."""
    testset, outputs = four
    runs = [
        matrix.run(
            Study(testset, outputs, ASKED, DRAWN, unit="block:4", resamples=1300), runtime=Runtime(executor=executor)
        )
        for executor in (Serial(), Threads(workers))
    ]
    for a, b in zip(*map(numbers, runs), strict=True):
        np.testing.assert_array_equal(a, b)
    for a, b in zip(runs[0].design, runs[1].design, strict=True):
        np.testing.assert_array_equal(a.gains, b.gains)


def test_a_pair_over_units_does_not_depend_on_its_company(four):
    """Compare over blocks gives what matrix gives over blocks, design effect included."""
    testset, outputs = four
    whole = matrix.run(
        Study(testset, outputs, ASKED, DRAWN, unit="block:4", resamples=700), runtime=Runtime(executor=Serial())
    )
    alone = compare.run(
        Study(testset, [outputs[1], outputs[2]], ASKED, DRAWN, unit="block:4", resamples=700),
        runtime=Runtime(executor=Serial()),
    )
    for metric, _ in ASKED:
        grid, pair = matrix.read(whole, metric, DRAWN[0]), compare.read(alone, metric)
        assert pair.result(DRAWN[0], "two-sided").p_value == grid.p_values[1, 2]
        assert pair.design_effect == grid.design_effect[1, 2]
        assert pair.score_design_effect == tuple(grid.score_design_effect[[1, 2]])


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
def test_drawing_documents_is_scoring_their_segments(name):
    """Bootstrap scores and shuffled gains over documents equal sacrebleu's of the segments of the documents drawn."""
    testset, outputs = text_set(14, (0.15, 0.3), seed=1)
    names = tuple("aabbbcadeefdba")
    testset = replace(testset, documents=names)
    run = compare.run(
        Study(testset, outputs, [(name, {})], DRAWN, unit="document", resamples=40, seed=9),
        runtime=Runtime(executor=Serial()),
    )
    made, sign = scorer(name, {}), -1.0 if name == "ter" else 1.0
    weights, masks = (spread_out(drawn(9, draws, 40, 6), names) for draws in ("bootstrap", "swap"))
    streams = testset.references
    scores = [np.array(bootstrap_scores(made, item.segments, streams, weights)) for item in outputs]
    expected = sign * (scores[0] - scores[1])
    np.testing.assert_allclose(run.nulls[0]["paired_bootstrap"], expected, rtol=0, atol=1e-10)
    shuffled = sign * np.array(swap_gains(made, outputs[0].segments, outputs[1].segments, streams, masks))
    np.testing.assert_allclose(run.nulls[0]["approximate_randomization"], shuffled, rtol=0, atol=1e-10)
