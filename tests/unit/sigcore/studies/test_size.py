"""Sizes: thresholds as of test sets that are that small, detectable gains as by simulation."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sigcore import Cancelled, OptionError, Settings, Undefined
from sigcore.executors import Threads
from sigcore.studies import gain, matrix, pairs, prepared, size, units
from sigcore.studies.statistics import Measured, measure
from sigcore.study import Runtime, Study
from sigcore.testset import Outputs, Testset
from sigcore.types import DOCUMENT
from tests.made import score_set, text_set
from tests.oracles import power as slow_power
from tests.oracles import thresholds as slow
from tests.oracles import units as slow_units

OWN = (("own_scores", {}),)
BLEU = (("bleu", {}),)
RATES = (0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22, 0.24)
HOW = pairs.How(resamples=300, seed=5)


def shorter(testset: Testset, outputs: list[Outputs], n: int) -> tuple[Testset, list[Outputs]]:
    """The first n segments."""
    references = tuple(stream[:n] for stream in testset.references)
    cut = replace(testset, n=n, references=references, documents=testset.documents[:n])
    return cut, [replace(item, segments=item.segments[:n]) for item in outputs]


def with_documents(testset: Testset, length: int = 4) -> Testset:
    """The test set with documents of this many segments, and a shorter last one."""
    return replace(testset, documents=tuple(f"d{i // length}" for i in range(testset.n)))


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_initial_parts_are_smaller_test_sets(unit: str) -> None:
    """The pairs of the first n segments are those of a test set that has only these; loops find the same threshold."""
    testset, outputs = text_set(120, RATES * 2, seed=1)
    outputs = [replace(item, segments=item.segments, system=f"s{k}") for k, item in enumerate(outputs)]
    testset = with_documents(testset)
    ready = prepared.prepare(testset, outputs, BLEU, HOW, unit=unit)
    for n in (60, 118, 120):
        part = ready.part(size.subset(ready, n, "initial", 5, 0))
        found = prepared.points(ready.real, part, HOW)
        cut = matrix.run(
            Study(*shorter(testset, outputs, n), tests=["two_delta_bootstrap"], unit=unit, resamples=300, seed=5)
        )
        wanted = gain.read(matrix.read(cut, "bleu", "two_delta_bootstrap", Settings("greater", correction="none")))
        assert sorted(found.gains.tolist()) == pytest.approx(sorted(wanted.gains.tolist()), abs=1e-9)
        assert sorted(found.p_values.tolist()) == sorted(wanted.p_values.tolist())
        (item,) = size.run(testset, outputs, BLEU, size.SizePlan((n,)), HOW, unit=unit).curve
        near = slow.borderline(wanted.gains.tolist(), wanted.p_values.tolist())
        assert item.threshold.n == len(near)
        assert item.drawn == n
        if len(near) >= 10:
            assert item.threshold.threshold == pytest.approx(slow.percentile(near, 95), abs=1e-9)


def test_random_parts_are_counted_together() -> None:
    """The pairs of all random parts of a size are one sample for the threshold; each part has no segment twice."""
    testset, outputs = text_set(100, RATES, seed=2)
    ready = prepared.prepare(testset, outputs, BLEU, HOW)
    gains, p = list[float](), list[float]()
    parts = [size.subset(ready, 40, "random", 5, number) for number in range(6)]
    for chosen in parts:
        assert len(set(chosen.tolist())) == 40
        assert (np.diff(chosen) > 0).all()
        found = prepared.points(ready.real, ready.part(chosen), HOW)
        gains += found.gains.tolist()
        p += found.p_values.tolist()
    assert len({tuple(chosen.tolist()) for chosen in parts}) == 6
    (item,) = size.run(testset, outputs, BLEU, size.SizePlan((40,), "random", draws=6), HOW).curve
    near = slow.borderline(gains, p)
    assert item.threshold.n == len(near) >= 10
    assert item.threshold.threshold == pytest.approx(slow.percentile(near, 95), abs=1e-9)


@pytest.mark.parametrize("kind", ["random", "documents"])
def test_the_whole_test_set_is_tested_once(kind: size.Subsets) -> None:
    """All its parts are the same, so they are no sample of several."""
    testset, outputs = text_set(40, RATES, seed=2)
    plan = size.SizePlan((40,), kind, draws=3)
    (item,) = size.run(with_documents(testset), outputs, BLEU, plan, HOW).curve
    assert len(item.gains) == len(RATES) * (len(RATES) - 1) // 2


def test_documents_are_whole() -> None:
    """Parts by documents have whole ones, about as many segments as requested, and report how many."""
    testset, outputs = text_set(103, (0.1, 0.2), seed=3)
    testset = with_documents(testset)
    ready = prepared.prepare(testset, outputs, BLEU, HOW)
    for number in range(8):
        chosen = size.subset(ready, 50, "documents", 1, number)
        names = [testset.documents[i] for i in chosen]
        assert all(names.count(name) == testset.documents.count(name) for name in set(names))
        assert abs(len(chosen) - 50) <= 2
    assert len(size.subset(ready, 1, "documents", 1, 0)) in (3, 4)
    (item,) = size.run(testset, outputs, BLEU, size.SizePlan((50,), "documents", draws=4), HOW).curve
    assert 48 <= item.drawn <= 52


def test_no_thresholds_beyond_the_test_set() -> None:
    """A size above that of the test set has detectable gains but no threshold, and says why."""
    testset, outputs = text_set(60, (0.1, 0.2, 0.3))
    result = size.run(testset, outputs, BLEU, size.SizePlan((60, 500)), HOW)
    last = result.curve[-1]
    assert last.reason == "the test set has only 60 segments"
    assert math.isnan(last.as_dict()["threshold"])
    assert sum(item.segments == 500 and item.gain > 0 for item in result.detectable) == (3 + 1) * 2


def test_line_by_hand() -> None:
    """Thresholds 4, 2 and 1 on 100, 400 and 1,600 segments: 40 / sqrt(n), slope -0.5."""
    made = gain.threshold(np.linspace(1, 2, 12), np.full(12, 0.05), "all", 1)
    sizes = [size.Size(replace(made, threshold=t), n, n, 2000) for t, n in ((4.0, 100), (2.0, 400), (1.0, 1600))]
    from sigcore.studies.size.parts import lines

    (line,) = lines(sizes)
    assert (line.constant, line.slope) == pytest.approx((40.0, -0.5))
    assert lines(sizes[:1]) == ()


def measured(testset: Testset, outputs: list[Outputs], asked: Any = BLEU) -> Measured:
    return measure(testset, outputs, asked)[0]


@pytest.mark.parametrize("by_documents", [False, True])
def test_deviation_is_that_of_loops(by_documents: bool) -> None:
    """The deviation is the root of n times the jackknife variance of the gain, one unit left out at a time."""
    testset, outputs = text_set(45, (0.1, 0.3, 0.2), seed=8)
    testset = with_documents(testset, 3)
    own = measured(testset, outputs)
    unit_of = units.groups(testset, DOCUMENT) if by_documents else None
    found = size.variation(own, unit_of, np.array([[0, 1], [2, 1]]))
    rows = [item.values.tolist() for item in own.systems]
    if by_documents:
        rows = [slow_units.sums(part, testset.documents) for part in rows]
    score = own.systems[0].score
    for k, (a, b) in enumerate(((0, 1), (2, 1))):
        variance = slow_units.jackknife_variance(
            [rows[a], rows[b]], lambda sums: float(score(np.array(sums[0])) - score(np.array(sums[1])))
        )
        assert found.deviation[k] == pytest.approx(math.sqrt(45 * variance), rel=1e-9)


def test_deviation_of_means_is_their_standard_deviation() -> None:
    """Of a metric that is a mean it is the standard deviation of the differences; the gain is the textbook's."""
    rng = np.random.default_rng(4)
    one, two = rng.integers(0, 100, (2, 80)).astype(float)
    own = measured(*score_set(one, two), OWN)
    found = size.variation(own, None, np.array([[0, 1]]))
    assert found.deviation[0] == pytest.approx(np.std(one - two, ddof=1), rel=1e-9)
    assert found.design_effect[0] == 1
    assert size.detectable_gain(10.0, 400, 0.8) == pytest.approx((1.959964 + 0.841621) * 10 / 20, rel=1e-5)
    assert size.needed_segments(10.0, 1.4, 0.8) == math.ceil((2.8015852 * 10 / 1.4) ** 2)
    assert size.power(10.0, 400, size.detectable_gain(10.0, 400, 0.95), 0.05) == pytest.approx(0.95)


@pytest.mark.parametrize("segments", [60, 120, 240])
def test_detectable_gain_is_that_of_simulation(segments: int) -> None:
    """On test sets drawn from a population, randomization finds its gain about as often as the formula says (BLEU)."""
    testset, outputs = text_set(400, (0.2, 0.24), seed=13)
    own = measured(testset, outputs)
    first, second = own.systems
    truth = abs(first.corpus_score - second.corpus_score)
    deviation = float(size.variation(own, None, np.array([[0, 1]])).deviation[0])
    single = [np.array([i]) for i in range(400)]
    found = slow_power.simulated((first.values, second.values), first.score, single, segments, 400, seed=segments)
    expected = size.power(deviation, segments, truth)
    assert 0.1 < expected < 0.99
    assert found == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("documents", [30, 60, 120])
def test_documents_are_in_the_detectable_gain(documents: int) -> None:
    """Where segments of a document are alike, the formula holds for drawn documents, with a design effect far above 1."""
    rng = np.random.default_rng(0)
    alike = np.repeat(rng.normal(0, 8, 200), 5)
    base = rng.normal(50, 10, 1000)
    testset, outputs = score_set(base + alike + rng.normal(2.2, 6, 1000), base)
    testset = with_documents(testset, 5)
    own = measured(testset, outputs, OWN)
    found = size.variation(own, units.groups(testset, DOCUMENT), np.array([[0, 1]]))
    assert found.design_effect[0] > 2
    first, second = own.systems
    blocks = [np.arange(k, k + 5) for k in range(0, 1000, 5)]
    simulated = slow_power.simulated((first.values, second.values), first.score, blocks, documents, 400, documents)
    truth = abs(first.corpus_score - second.corpus_score)
    assert simulated == pytest.approx(size.power(float(found.deviation[0]), 5 * documents, truth), abs=0.05)


def test_median_pair_and_needed_segments() -> None:
    """The median pair has the median deviation; the segments for a gain are those whose detectable gain it is."""
    testset, outputs = text_set(80, (0.1, 0.2, 0.3, 0.15), seed=9)
    result = size.run(testset, outputs, BLEU, size.SizePlan((80, 320), gain=1.5), HOW)
    of_pairs = [d.gain for d in result.detectable if d.system != size.MEDIAN and (d.segments, d.power) == (80, 0.8)]
    by_name = {(d.system, d.segments, d.power): d.gain for d in result.detectable}
    assert by_name[size.MEDIAN, 80, 0.8] == pytest.approx(np.median(of_pairs), rel=1e-12)
    assert by_name[size.MEDIAN, 320, 0.8] == pytest.approx(by_name[size.MEDIAN, 80, 0.8] / 2, rel=1e-12)
    middle, _, nearly, _ = result.needed[:4]
    assert middle.segments == pytest.approx(80 * (by_name[size.MEDIAN, 80, 0.8] / 1.5) ** 2, abs=1)
    assert nearly.segments >= middle.segments
    assert any("true gain of 1.50 BLEU with a probability of 80%" in words for words in result.sentences)
    assert any("observed gain" in note for note in result.notes)


def test_pairs_that_hardly_differ_have_no_deviation() -> None:
    """Two systems that differ on fewer than 10 segments have no detectable gain; identical ones are not in the median."""
    base = np.arange(60.0)
    few, far = base + (base < 5), base * np.where(base % 2, 1.3, 0.9)
    result = size.run(*score_set(base, few, base, far), OWN, size.SizePlan((60,)), HOW)
    gains = {(d.system, d.baseline): d.gain for d in result.detectable if d.power == 0.8}
    assert math.isnan(gains["sys1", "sys0"])
    assert gains["sys0", "sys2"] == 0
    assert gains[size.MEDIAN, ""] > 0


def test_result_does_not_depend_on_workers() -> None:
    """One thread or three give the same result; mixtures are compared too, and partial results come before the first size and after each."""
    testset, outputs = text_set(70, (0.1, 0.2, 0.3, 0.15))
    plan = size.SizePlan((30, 70), "random", draws=3, mixtures=4)
    so_far = list[size.SizeResult]()
    how = pairs.How(resamples=1100, seed=2)
    one = size.run(testset, outputs, BLEU, plan, how, runtime=Runtime(executor=Threads(1), publish=so_far.append))
    many = size.run(testset, outputs, BLEU, plan, how, runtime=Runtime(executor=Threads(3)))
    assert [str(item.as_dict()) for item in one.curve] == [str(item.as_dict()) for item in many.curve]
    assert [len(item.curve) for item in so_far] == [0, 3, 6]
    assert {item.pair_class for item in one.curve} == {gain.ALL, gain.MIXED_APART, gain.MIXED_TOGETHER}


def test_progress_and_cancel() -> None:
    """Progress is reported by parts, and an exception from it ends the study."""
    testset, outputs = text_set(40, (0.1, 0.2))
    seen = list[tuple[str, int, int]]()
    plan = size.SizePlan((20,), "random", draws=3)
    size.run(testset, outputs, BLEU, plan, HOW, runtime=Runtime(progress=lambda *step: seen.append(step)))
    assert {step[1:] for step in seen if step[0].startswith("parts of 20")} == {(0, 3), (1, 3), (2, 3)}

    def stop(stage: str, done: int, total: int) -> None:
        if stage.startswith("parts") and done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        size.run(testset, outputs, BLEU, plan, HOW, runtime=Runtime(progress=stop))


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"sizes": ()}, OptionError),
        ({"sizes": (0,)}, OptionError),
        ({"draws": 0}, OptionError),
        ({"alpha": 1.0}, OptionError),
        ({"gain": 0.0}, OptionError),
        ({"subsets": "some"}, OptionError),
        ({"subsets": "documents"}, Undefined),
    ],
)
def test_plans_that_cannot_be_used_are_refused(changes: dict[str, Any], error: type[Exception]) -> None:
    """Numbers out of range, unknown parts, and documents where there are none are errors; so is a single system."""
    testset, outputs = text_set(40, (0.1, 0.2))
    with pytest.raises(error):
        size.run(testset, outputs, BLEU, replace(size.SizePlan((20,)), **changes), HOW)
    with pytest.raises(Undefined):
        size.run(testset, outputs[:1], BLEU, size.SizePlan((20,)), HOW)


# ---- the formula checked by simulation, and runs


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_simulated_power_is_that_of_loops_over_drawn_test_sets(unit: str) -> None:
    """Every drawn test set as a test set of its own, tested by the grid with its own seed; the same number finds the gain."""
    testset, outputs = text_set(120, (0.2, 0.32, 0.25), seed=13)
    testset = with_documents(testset)
    run = size.draw(testset, outputs, BLEU, size.SizePlan((60,)), HOW, unit=unit)
    so_far = list[size.Simulated]()
    found = size.simulate(
        run, ("sys1", "sys0"), 50, 0.05, 24, runtime=Runtime(publish=so_far.append, executor=Threads(2))
    )
    parts = prepared.drawn_sets(run.prepared, 50, 24, 5, pairs.SIMULATED)
    seeds, count = pairs.generator(5, pairs.SIMULATED), 0
    for part in parts:
        documents = () if part.unit_of is None else tuple(f"drawn {k}" for k in part.unit_of)
        rows = part.segments.tolist()
        whole = Testset(
            "drawn", "text", part.n, tuple(tuple(s[i] for i in rows) for s in testset.references), documents=documents
        )
        own = [Outputs(o.system, tuple(o.segments[i] for i in rows)) for o in outputs[:2]]
        seed = int(seeds.integers(2**53))
        test = "approximate_randomization"
        counted = matrix.run(Study(whole, own, tests=[test], unit=unit, resamples=999, seed=seed))
        grid = matrix.read(counted, "bleu", test, Settings(correction="none"))
        count += bool(grid.p_values[0, 1] <= 0.05 and grid.gains[0, 1] > 0)
    assert (found.system, found.baseline) == ("sys0", "sys1")
    assert (found.found, found.draws) == (count, 24)
    assert 0 < count < 24
    assert [item.draws for item in so_far] == [20]
    assert "the formula says" in str(found)


@pytest.mark.slow
@pytest.mark.parametrize("segments", [60, 120, 240])
def test_the_formula_is_within_five_percent_of_the_simulation(segments: int) -> None:
    """At three sizes the power of the formula is within .05 of the one that the page simulates."""
    testset, outputs = text_set(400, (0.2, 0.24), seed=13)
    run = size.draw(testset, outputs, BLEU, size.SizePlan((100,)), HOW)
    found = size.simulate(run, ("sys0", "sys1"), segments, 0.05, 300)
    assert 0.1 < found.expected < 0.99
    assert found.found / found.draws == pytest.approx(found.expected, abs=0.05)


def test_pairs_without_a_gain_are_not_simulated() -> None:
    """Names that are not loaded, copies of one system and impossible numbers are refused."""
    base = np.arange(60.0)
    run = size.draw(*score_set(base, base, base * np.where(base % 2, 1.3, 0.9)), OWN, size.SizePlan((60,)), HOW)
    with pytest.raises(Undefined, match="no gain"):
        size.simulate(run, ("sys0", "sys1"), 50, 0.05, 5)
    with pytest.raises(Undefined, match="not both loaded"):
        size.simulate(run, ("sys0", "other"), 50, 0.05, 5)
    with pytest.raises(OptionError):
        size.simulate(run, ("sys0", "sys2"), 0, 0.05, 5)


def test_variation_between_runs_by_hand() -> None:
    """The spread is the root of both variances between runs, and the design effect that of the formula, by loops."""
    rng = np.random.default_rng(0)
    base = rng.normal(50, 10, 80)
    scores = [base + rng.normal(0, 3, 80) + shift for shift in (0, 0.4, -0.3, 2, 2.5)]
    testset, outputs = score_set(*scores)
    run = size.draw(testset, outputs, OWN, size.SizePlan((80,)), HOW)
    systems = {"A": ["sys0", "sys1", "sys2"], "B": ["sys3", "sys4"]}
    (found,) = size.between_runs(run, systems)
    means = [float(np.mean(s)) for s in scores]
    a, b = np.var(means[:3], ddof=1), np.var(means[3:], ddof=1)
    squares = [np.var(scores[i] - scores[j], ddof=1) for i in range(3) for j in (3, 4)]
    assert found.runs == (3, 2)
    assert found.spread == pytest.approx(math.sqrt(a + b), rel=1e-9)
    assert found.deviation == pytest.approx(math.sqrt(np.mean(squares)), rel=1e-6)
    error = math.sqrt(np.mean(squares) / 200 + a + b)
    assert found.effect(200) == pytest.approx(error**2 / (np.mean(squares) / 200), rel=1e-6)
    assert found.detectable(200, 0.8, 0.05) == pytest.approx((1.959964 + 0.841621) * error, rel=1e-5)
    assert found.least(0.8, 0.05) == pytest.approx((1.959964 + 0.841621) * math.sqrt(a + b), rel=1e-5)
    with pytest.raises(Undefined, match="single run"):
        size.between_runs(run, {"A": ["sys0", "sys1"], "B": ["sys3"]})
    with pytest.raises(Undefined, match="not loaded"):
        size.between_runs(run, {"A": ["sys0", "sys9"], "B": ["sys3", "sys4"]})


@pytest.mark.parametrize(
    ("needed", "said"), [(7.2, 8), (99.0, 99), (100.0, 100), (100.5, 110), (1_448.0, 1_500), (9_901.0, 10_000)]
)
def test_segments_are_said_in_two_digits_and_never_too_few(needed: float, said: int) -> None:
    """A number of segments is rounded up, so that as many are enough."""
    assert size.rounded(needed) == said


def test_a_run_is_read_at_another_level_and_for_another_gain() -> None:
    """What is read of finished draws is what a plan with that level and that gain computes from the beginning."""
    testset, outputs = text_set(60, RATES[:4], seed=3)
    plan = size.SizePlan((30, 60), gain=1.0)
    run, other = size.draw(testset, outputs, BLEU, plan, HOW), replace(plan, alpha=0.01, gain=2.0)
    found, wanted = size.read(run, 0.01, 2.0), size.run(testset, outputs, BLEU, other, HOW)
    assert (found.alpha, found.detectable, found.needed) == (0.01, wanted.detectable, wanted.needed)
    assert size.read(run).detectable != found.detectable
