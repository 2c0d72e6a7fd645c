"""The verdict strip against the programs whose rules it shows: sacreBLEU, compare-mt and comet-compare, in every digit."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from sigcore.studies import runs, strip
from sigcore.studies.statistics import measure
from sigcore.study import Runtime, Study
from sigcore.testset import Outputs, Testset
from tests import some
from tests.conftest import lines
from tests.golden.printed import ROOT, printed
from tests.golden.test_programs_on_samples import SETS, extracted, sample

OF = {"bs": "--paired-bs", "ar": "--paired-ar"}
TITLES = {"BLEU": "bleu", "chrF2": "chrf", "TER": "ter"}
statistics = cache(extracted)


def program(name: str, option: str = "") -> strip.Program:
    """The program of that name, and of that option where it has two."""
    (found,) = [one for one in strip.PROGRAMS if one.name == name and one.option.startswith(option)]
    return found


def counted(of: strip.Program, system, baseline, seed: int = 12345) -> strip.Counted:
    """What the rule of a program gives."""
    return of.rule(strip.Pair(system, baseline, seed))


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("kind", OF)
@pytest.mark.parametrize("name", SETS)
def test_sacrebleu_prints_these_p(name: str, kind: str, title: str) -> None:
    """Both tests of sacreBLEU on the samples, twins included: every p that it printed, to the last bit."""
    figures, ours = printed(f"sacrebleu260.p.{name}"), statistics(name, TITLES[title])
    base, of = ours[figures["baseline"]], program("sacreBLEU", OF[kind])
    assert len(figures[kind]) >= 5
    for system, expected in figures[kind].items():
        assert counted(of, ours[system], base).p == expected[title], system


@pytest.mark.parametrize("title", ["BLEU", "chrF2"])
def test_compare_mt_prints_these_p(title: str) -> None:
    """compare-mt's function with the seed: its win shares, and p with its four decimals."""
    figures, ours = printed("comparemt0210.harbour.refA"), statistics("harbour.refA", TITLES[title])
    of = program("compare-mt")
    for system, expected in figures["systems"].items():
        found = counted(of, ours[system], ours[figures["baseline"]])
        assert f"{found.p:.4f}" == expected[title]["printed"], system
        # a sample on which both have the same score is counted as lost by both
        assert found.wins == pytest.approx(expected[title]["wins"], abs=1e-12), system


def test_comet_compare_prints_these_p() -> None:
    """The t test and the shares of wins of comet-compare's functions, on the chrF of segments in place of COMET."""
    from sacrebleu.metrics import CHRF

    figures, (_, outputs) = printed("comet227.harbour.refA"), sample("harbour.refA")
    reference, scorer = lines(ROOT / "samples/harbour/ref.A.en"), CHRF()
    scores = [
        Outputs(
            name,
            tuple(
                repr(round(scorer.sentence_score(segment, [gold]).score / 100, 6))
                for segment, gold in zip(output.segments, reference, strict=True)
            ),
        )
        for name, output in outputs.items()
    ]
    (measured,) = measure(Testset("scores", "scores", len(reference)), scores, [("own_scores", {})], Runtime(cache={}))
    ours, of = {item.system: item for item in measured.systems}, program("comet-compare")
    for system, expected in figures["systems"].items():
        found = counted(of, ours[system], ours[figures["baseline"]])
        assert of.printed(found.p) == f"{expected['p']:.4f}", system
        assert found.p == pytest.approx(expected["p"], rel=1e-4), system  # single precision there
        assert found.wins == pytest.approx((expected["x_wins"], expected["y_wins"]), abs=1e-12), system


@pytest.mark.data
@pytest.mark.parametrize("metric", some.first(["bleu", "chrf"]))
@pytest.mark.parametrize("kind", OF)
def test_sacrebleu_on_a_campaign(metric, kind, cs_en, golden, statistics_cache):
    """WMT22 Czech-English, ten systems against the first: the p of both tests, to the last bit."""
    rows = golden(f"cs-en.refB.paired-{kind}.np2.json")
    title = {"bleu": "BLEU", "chrf": "chrF2"}[metric]
    theirs = {row["system"].split("/")[-1].removesuffix(".en"): row[title]["p_value"] for row in rows}
    testset, outputs = cs_en("B")
    (measured,) = measure(testset, outputs, [(metric, {})], Runtime(cache=statistics_cache))
    ours = {item.system: item for item in measured.systems}
    pairs = {name: p for name, p in theirs.items() if p is not None}
    assert len(pairs) == 10
    found = {name: counted(program("sacreBLEU", OF[kind]), ours[name], ours["Lan-Bridge"]).p for name in pairs}
    assert found == pairs


@pytest.mark.data
def test_sacrebleu_alone_finds_a_difference(cs_en):
    """JDExploreAcademy under chrF: .048 as sacreBLEU's bootstrap counts, and nothing under any test that is two-sided."""
    testset, outputs = cs_en("B")
    of = {item.system: item for item in outputs}
    pair = [of["JDExploreAcademy"], of["Lan-Bridge"]]
    result = strip.run(Study(testset, pair, [("chrf", {})]))
    assert [tile.significant for tile in result.tiles] == [False] * len(result.tiles)
    assert [one.program.option for one in result.shown if one.significant] == ["--paired-bs"]
    assert "p is below alpha in sacreBLEU --paired-bs, and not in" in result.sentence
    assert not result.agree
    assert np.isclose(result.gain, 0.4699, atol=1e-3)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", ["sys1", "sys2"])
def test_multeval_on_its_own_example(name, data, statistics_cache):
    """Three runs of each system: the p of BLEU in MultEval's published table, that of the copy of the baseline too."""
    folder = data / "mt/multirun"
    reference = lines(folder / "ref.en")
    plan = runs.RunsPlan(
        {
            one: tuple(Outputs(one, lines(folder / f"{one}.opt{k}.en"), str(k)) for k in range(3))
            for one in (name, "baseline")
        }
    )
    testset = Testset("multirun", "text", len(reference), (reference,))
    study = Study(testset, (), [("bleu", {"tokenize": "none"})])
    (result,) = strip.of_runs(study, plan, Runtime(cache=statistics_cache), resamples=512)
    table = json.loads((Path(__file__).parent / "multeval.multirun.json").read_text(encoding="utf-8"))["rows"]
    (published,) = [p for metric, system, *_, p in table if (metric, system) == ("BLEU", name)]
    (theirs,) = result.shown
    assert theirs.printed == published
    assert result.same == (name == "sys2")
