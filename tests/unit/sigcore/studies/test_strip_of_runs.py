"""The verdict strip of several runs: its tests are those of the study of runs, and MultEval is its shuffle with strict ties."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from sigcore.results import as_json
from sigcore.studies import runs, strip
from sigcore.study import Settings, Study
from sigcore.testset import Outputs
from tests.made import text_set

MULTEVAL = 2  # the place of the program


def made(first=(0.1, 0.12), second=(0.14, 0.15), n=60):
    """A test set with documents, and two systems with so many runs."""
    testset, outputs = text_set(n, (*first, *second))
    documents = tuple(f"d{k // 5}" for k in range(n))
    names = ["A"] * len(first) + ["B"] * len(second)
    named = [Outputs(name, item.segments, str(k)) for k, (name, item) in enumerate(zip(names, outputs, strict=True))]
    systems = {name: tuple(item for item in named if item.system == name) for name in "AB"}
    return replace(testset, documents=documents), systems


def of(testset, systems, shuffle="exact", **more):
    """The strip under BLEU."""
    study = Study(testset, (), **{"resamples": 300} | more)
    (result,) = strip.of_runs(study, runs.RunsPlan(systems, shuffle))
    return result


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_tiles_are_the_tests_of_runs(unit):
    """Over each unit: both shuffles, all runs swapped as one, the hierarchical bootstrap and the mixed model; then t, and both sides of each."""
    testset, systems = made()
    result = of(testset, systems)
    tiles = {tile.test: tile for tile in result.over(unit)}
    assert list(tiles) == ["runs_exact", "runs_multeval", "runs_swapped", "hierarchical_bootstrap", "runs_mixed"]
    for shuffle in ("exact", "multeval"):
        study = Study(testset, (), unit=unit, resamples=300)
        run = runs.run(study, runs.RunsPlan(systems, shuffle))
        own, one = (runs.read(run, "bleu", Settings(side)) for side in ("two-sided", "greater"))
        assert own.grid.gains[0, 1] > 0
        assert tiles[f"runs_{shuffle}"].p_value == own.shuffled_p[0, 1]
        assert tiles[f"runs_{shuffle}"].p_one_sided == one.shuffled_p[0, 1]
        assert tiles["runs_swapped"].p_value == own.swapped_p[0, 1]
        assert tiles["runs_swapped"].p_one_sided == one.swapped_p[0, 1]
        assert tiles["hierarchical_bootstrap"].p_value == own.nested_p[0, 1]
        assert (tiles["runs_mixed"].p_value, tiles["runs_mixed"].resamples) == (own.mixed_p[0, 1], 0)
    (t,) = result.over("run")
    assert (t.p_value, t.p_one_sided) == (own.run_p[0, 1], one.run_p[0, 1])
    assert (t.n, t.drawn) == (4, "2 + 2 runs")
    assert [(tile.test, tile.unit) for tile in result.tiles if tile.chosen] == [("runs_mixed", "document")]


def test_multeval_alone_takes_runs():
    """Its p is that of its shuffle over segments, larger gains alone counted; the others say that they compare one output."""
    testset, systems = made()
    result = of(testset, systems)
    study = Study(testset, (), unit="segment", resamples=10_000)
    run = runs.run(study, runs.RunsPlan(systems, "multeval"))
    wanted = runs.read(run, "bleu", Settings(ties="strict")).shuffled_p[0, 1]
    assert result.elsewhere[MULTEVAL].p_value == wanted
    assert result.elsewhere[MULTEVAL].printed == f"{wanted:.2f}"
    others = [one for k, one in enumerate(result.elsewhere) if k != MULTEVAL]
    assert {one.why for one in others} == {"It compares one output of each system, and runs were given."}
    assert [one.program.name for one in result.shown] == ["MultEval"]


def test_different_numbers_of_runs_have_no_shuffle_of_multeval():
    """Two runs against three: the row is left out, and the program says why."""
    testset, systems = made(second=(0.14, 0.15, 0.2))
    result = of(testset, systems)
    assert "runs_multeval" not in {tile.test for tile in result.tiles}
    assert result.shown == ()
    assert result.elsewhere[MULTEVAL].why == "It needs as many runs of each system."
    assert result.runs == (2, 3)


def test_a_copy_run_by_run():
    """The same runs under another name, in another order: p is 1 here, and MultEval prints its smallest p, as it published."""
    testset, systems = made()
    copies = {"A": systems["A"], "B": tuple(replace(one, system="B", digest="") for one in reversed(systems["A"]))}
    result = of(testset, copies)
    shuffled = [tile.p_value for tile in result.tiles if tile.test != "runs_t"]
    assert shuffled == [1.0] * len(shuffled)
    assert result.elsewhere[MULTEVAL].p_value == 1 / 10_001
    assert result.elsewhere[MULTEVAL].printed == "0.00"
    assert result.elsewhere[MULTEVAL].level == 0
    assert result.sentence.endswith("Summed over the runs, both systems have the same statistics everywhere.")


def test_the_gain_decides_the_side():
    """The systems the other way round: the same two-sided p, the gain with the other sign, and the same one-sided p."""
    testset, systems = made()
    one = of(testset, systems, shuffle="multeval")
    other = of(testset, {name: systems[name] for name in "BA"}, shuffle="multeval")
    assert one.gain == pytest.approx(-other.gain)
    assert (one.system, other.system) == ("A", "B")
    for left, right in zip(one.tiles, other.tiles, strict=True):
        assert left.p_value == right.p_value
        assert left.p_one_sided == pytest.approx(right.p_one_sided)
    assert [(tile.test, tile.unit) for tile in one.tiles if tile.chosen] == [("runs_mixed", "document")]


def test_one_run_each_has_no_t():
    """Single runs: the t test is undefined, and is not counted; everything can be written as JSON."""
    testset, systems = made(first=(0.1,), second=(0.3,))
    result = of(testset, systems)
    (t,) = result.over("run")
    assert math.isnan(t.p_value)
    assert t.verdict == "undefined"
    assert "and 0 of 0 tests over runs." in result.sentence
    content = json.loads(json.dumps(as_json(strip.STRIP, result), allow_nan=False))
    assert content["runs"] == [1, 1]
    assert content["tests"][-1]["unit"] == "run"


def test_rules_of_print_give_no_verdict():
    """With strict ties p is as printed elsewhere: no tile that draws has a verdict, and the mixed model has one."""
    testset, systems = made()
    result = of(testset, systems, settings=Settings(ties="strict"))
    verdicts = {tile.test: tile.verdict for tile in result.over("segment")}
    assert verdicts.pop("runs_mixed") in ("significant", "not significant")
    assert set(verdicts.values()) == {"no verdict"}
