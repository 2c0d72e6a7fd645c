"""MultEval's example, three systems with three runs each: the published table, from the texts beside the project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigcore.executors import Threads
from sigcore.studies import runs
from sigcore.study import Runtime, Study
from sigcore.testset import Outputs, Testset
from tests.conftest import lines
from tests.stored import stored

pytestmark = pytest.mark.data

TABLE = json.loads((Path(__file__).parent / "multeval.multirun.json").read_text(encoding="utf-8"))["rows"]
SYSTEMS = ("sys1", "sys2", "baseline")


@pytest.fixture(scope="module")
def texts(data):
    """The reference and the runs of every system."""
    folder = data / "mt/multirun"
    return lines(folder / "ref.en"), {name: [lines(folder / f"{name}.opt{k}.en") for k in range(3)] for name in SYSTEMS}


def bleu(texts, names=SYSTEMS):
    """The test set and the outputs, with BLEU of tokenized text."""
    reference, systems = texts
    testset = Testset("multirun", "text", len(reference), (reference,))
    return testset, {s: [Outputs(s, text) for text in systems[s]] for s in names}, ("bleu", {"tokenize": "none"})


def length(texts, names=SYSTEMS):
    """Words of the output by words of the reference, as own statistics."""
    reference, systems = texts
    of = {
        s: [tuple(f"num={len(h.split())} den={len(r.split())}" for h, r in zip(t, reference, strict=True)) for t in own]
        for s, own in systems.items()
    }
    testset = Testset("multirun", "statistics", len(reference))
    return testset, {s: [Outputs(s, text) for text in of[s]] for s in names}, ("own_statistics", {"formula": "ratio"})


def result(made, cache, shuffle="exact", **more):
    """The result of the only metric."""
    testset, systems, asked = made
    found = runs.run(
        Study(testset, (), [asked], **more),
        runs.RunsPlan(systems, shuffle),
        runtime=Runtime(cache=cache, executor=Threads(2)),
    )
    return runs.read(found, asked[0])


@pytest.mark.parametrize(("metric", "make"), [("BLEU", bleu), ("Length", length)])
def test_averages_and_spreads_are_the_published_ones(metric, make, texts, statistics_cache):
    """Average, s_sel and s_opt of every system equal the table in all printed digits."""
    got = result(make(texts), statistics_cache, resamples=2000)
    for name, system, *printed, _ in TABLE:
        if name == metric:
            k = got.systems.index(system)
            assert [f"{x[k]:.1f}" for x in (got.average, got.s_sel, got.s_opt)] == printed


def test_a_copy_of_the_baseline_has_p_one(texts, statistics_cache):
    """sys2 is the baseline, run by run: p = 1 where MultEval printed 0.00; sys1 has a p that is printed so."""
    got = result(bleu(texts), statistics_cache, resamples=10_000)
    first, copy, base = range(3)
    assert (
        got.grid.p_values[copy, base]
        == got.shuffled_p[copy, base]
        == got.swapped_p[copy, base]
        == got.nested_p[copy, base]
        == 1
    )
    assert got.shuffled_p[first, base] < 0.0005
    assert got.swapped_p[first, base] == pytest.approx(stored("runs.example.swapped"), abs=0.005)
    assert got.alike[first, base] == pytest.approx(stored("runs.example.alike"), abs=0.05)
    # what the table does not show: other runs of sys1 need not be better
    assert got.unstable == ("sys1",)
    assert got.nested_p[first, base] == pytest.approx(stored("runs.example.hierarchical"), abs=0.05)
    assert got.run_p[first, base] > 0.1


@pytest.mark.slow
def test_multevals_shuffle_gives_multevals_p(texts):
    """The length of sys1 has the published 0.09 under MultEval's shuffle; the exact one and whole segments give others."""
    made = length(texts, ("sys1", "baseline"))
    exact_p, swapped_p = stored("runs.length.exact"), stored("runs.length.swapped")
    published = next(p for metric, system, *_, p in TABLE if (metric, system) == ("Length", "sys1"))
    assert float(published) == stored("runs.length.multeval")
    theirs = result(made, {}, shuffle="multeval", resamples=10_000)
    assert abs(theirs.shuffled_p[0, 1] - float(published)) < 0.005 + 4 * (0.09 * 0.91 / 10_000) ** 0.5
    exact = result(made, {}, resamples=10_000)
    assert exact.shuffled_p[0, 1] == pytest.approx(exact_p, abs=0.005 + 4 * (0.05 * 0.95 / 10_000) ** 0.5)
    assert exact.swapped_p[0, 1] == pytest.approx(swapped_p, abs=0.03)
