"""Scores and p-values on real data against the organisers' and sacrebleu's figures."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.executors import Threads
from sigcore.studies import compare, matrix
from sigcore.studies.matrix import Settings
from sigcore.studies.statistics import measure
from sigcore.study import Runtime, Study
from sigcore.testset import Outputs, Testset
from sigcore.types import SIDES
from tests import some
from tests.conftest import lines
from tests.drawn import DRAWN
from tests.oracles import sacre_draws

pytestmark = pytest.mark.data

BASELINE = "Lan-Bridge"
FEW = ("CUNI-Transformer", "Online-W")
slow = pytest.mark.slow


# The one published score made with the references in another order (see the test of that name).
OTHER_ORDER = ("BC", "chrf", "ALMAnaCH-Inria")


def chosen(outputs: list[Outputs], names: tuple[str, ...] | None) -> list[Outputs]:
    """The systems of those names; all without names."""
    return [item for item in outputs if names is None or item.system in names]


def scores(testset, outputs, asked, cache) -> dict[tuple[str, str], float]:
    """Our corpus scores by (system, metric)."""
    out = {}
    for (metric, _), item in zip(asked, measure(testset, outputs, asked, Runtime(cache=cache)), strict=True):
        out.update({(s.system, metric): s.corpus_score for s in item.systems})
    return out


EVERY_REFERENCE = [("B", None), ("C", None), ("BC", None)]


@pytest.mark.parametrize(("references", "names"), EVERY_REFERENCE)
def test_cs_en_scores(references, names, cs_en, published, golden, statistics_cache):
    """BLEU and chrF equal the organisers' scores exactly, and sacrebleu's to all six printed decimals."""
    testset, outputs = cs_en(references)
    got = scores(testset, chosen(outputs, names), [("bleu", {}), ("chrf", {})], statistics_cache)
    theirs, suffix = published("wmt22.cs-en"), {"BC": "all"}.get(references, references)
    printed = {row["system"]: row for row in golden(f"cs-en.ref{references}.scores.json")}
    assert len(got) == 2 * len(names or outputs)
    for (system, metric), score in got.items():
        if (references, metric, system) != OTHER_ORDER:
            assert score == theirs[system, f"{metric}-{suffix}"]
        assert f"{score:.6f}" == printed[f"systems/{system}.en"][{"bleu": "BLEU", "chrf": "chrF2"}[metric]]


def test_chrf_may_depend_on_the_order_of_references(cs_en, published, golden, statistics_cache):
    """Where no reference shares anything with the output the first one counts: the organisers had C before B."""
    printed = {row["system"]: row for row in golden("cs-en.refBC.scores.json")}
    _, metric, system = OTHER_ORDER
    got = {}
    for references in ("BC", "CB"):
        testset, outputs = cs_en(references)
        got[references] = scores(testset, chosen(outputs, (system,)), [(metric, {})], statistics_cache)[system, metric]
    assert got["CB"] == published("wmt22.cs-en")[system, "chrf-all"]
    assert f"{got['BC']:.6f}" == printed[f"systems/{system}.en"]["chrF2"]
    assert got["BC"] != got["CB"]


@pytest.mark.parametrize(
    ("references", "names"),
    [pytest.param("B", FEW), *(pytest.param(r, None, marks=slow) for r in ("B", "C", "BC"))],
)
def test_cs_en_ter(references, names, cs_en, golden, statistics_cache):
    """TER equals sacrebleu's to all six printed decimals."""
    testset, outputs = cs_en(references)
    printed = {row["system"]: row for row in golden(f"cs-en.ref{references}.scores.json")}
    for (system, _), score in scores(testset, chosen(outputs, names), [("ter", {})], statistics_cache).items():
        assert f"{score:.6f}" == printed[f"systems/{system}.en"]["TER"]


@pytest.mark.parametrize(
    ("reference", "metric", "names"),
    some.first([(r, m, None) for r in "AB" for m in ("bleu", "chrf")], 2),
)
def test_en_zh_scores(reference, metric, names, en_zh, published, statistics_cache):
    """With the target language given, Chinese BLEU (and chrF) equal the organisers' scores exactly."""
    testset, outputs = en_zh(reference)
    options = {"language": "zh"} if metric == "bleu" else {}
    theirs = published("wmt22.en-zh")
    for (system, _), score in scores(testset, chosen(outputs, names), [(metric, options)], statistics_cache).items():
        assert score == theirs[system, f"{metric}-{reference}"]


@pytest.fixture(scope="module")
def against_baseline(cs_en, statistics_cache):
    """All cs-en systems on reference B under BLEU and chrF with every test, 10 000 resamples."""
    testset, outputs = cs_en("B")
    return matrix.run(
        Study(testset, outputs, [("bleu", {}), ("chrf", {})], DRAWN, resamples=10_000),
        runtime=Runtime(cache=statistics_cache, executor=Threads(2)),
    )


def sacre_p(golden, kind: str, metric: str, references: str = "B", numpy: str = "np2") -> dict[str, float]:
    """sacrebleu's p of every system against the baseline."""
    rows = golden(f"cs-en.ref{references}.paired-{kind}.{numpy}.json")
    name = {"bleu": "BLEU", "chrf": "chrF2"}[metric]
    return {r["system"].split("/")[-1].removesuffix(".en"): r[name]["p_value"] for r in rows if r[name]["p_value"]}


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_randomization_agrees_with_sacrebleu(metric, against_baseline, golden):
    """Our p and sacrebleu's, 10 000 shuffles each with other draws, differ by no more than chance allows (4 sigma)."""
    result = matrix.read(against_baseline, metric, "approximate_randomization", Settings(ties="strict"))
    theirs, base = sacre_p(golden, "ar", metric), result.systems.index(BASELINE)
    assert len(theirs) == 10
    for system, p in theirs.items():
        ours = result.p_values[result.systems.index(system), base]
        middle = (p + ours) / 2
        assert abs(ours - p) <= 4 * np.sqrt(2 * middle * (1 - middle) / 10_000) + 1e-4


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_two_sided_shift_is_about_twice_sacrebleus_bootstrap(metric, against_baseline, golden):
    """sacrebleu's paired bootstrap is one-sided in effect: our two-sided p is about twice, our one-sided about equal."""
    base = against_baseline.systems.index(BASELINE)
    two, one = (
        matrix.read(against_baseline, metric, "bootstrap_shift_printed", Settings(side))
        for side in ("two-sided", "greater")
    )
    unclear = {s: p for s, p in sacre_p(golden, "bs", metric).items() if p > 0.01}
    assert unclear
    for system, p in unclear.items():
        row = against_baseline.systems.index(system)
        winning = one.p_values[row, base] if two.gains[row, base] > 0 else one.p_values[base, row]
        chance = 4 * np.sqrt(p * (1 - p) / 1000)
        assert abs(two.p_values[row, base] - 2 * p) <= 2 * chance
        assert abs(winning - p) <= chance


CASES = [
    ("bleu", "ar", "B", None),
    ("chrf", "ar", "B", None),
    ("bleu", "bs", "B", None),
    ("chrf", "bs", "B", None),
    ("bleu", "bs", "BC", FEW),
    ("chrf", "bs", "BC", FEW),
]


@pytest.mark.parametrize(("metric", "kind", "references", "names"), some.first(CASES, 3))
def test_sacrebleus_draws_give_sacrebleus_p(metric, kind, references, names, cs_en, golden, statistics_cache):
    """With sacrebleu's own draws and rules, our statistics and scores give its p-values bit for bit."""
    testset, outputs = cs_en(references)
    wanted = None if names is None else (*names, BASELINE)
    (item,) = measure(testset, chosen(outputs, wanted), [(metric, {})], Runtime(cache=statistics_cache))
    by_name = {s.system: s for s in item.systems}
    base = by_name.pop(BASELINE)
    theirs = sacre_p(golden, kind, metric, references, "np1" if references == "BC" else "np2")
    test = {"ar": sacre_draws.paired_ar, "bs": sacre_draws.paired_bs}[kind]
    for name, system in by_name.items():
        assert test(system.values, base.values, base.score) == theirs[name]


def multirun(data, system: str, run: int) -> Outputs:
    """One run of a system of the MultEval example."""
    return Outputs(system, lines(data / f"mt/multirun/{system}.opt{run}.en"), run=str(run))


NONE = [("bleu", {"tokenize": "none"})]


def test_multirun_scores(data, golden, statistics_cache):
    """BLEU without tokenization equals the golden figures of single runs exactly."""
    reference = lines(data / "mt/multirun/ref.en")
    testset = Testset("multirun", "text", len(reference), (reference,))
    figures = golden("multirun.bleu.json")
    for system, run in (("baseline", 0), ("sys1", 0), ("sys2", 0)):
        (item,) = measure(testset, [multirun(data, system, run)], NONE, Runtime(cache=statistics_cache))
        assert item.systems[0].corpus_score == figures[system]["runs"][run]["bleu"]


@pytest.mark.parametrize("ties", ["counted", "strict", "half"])
@pytest.mark.parametrize("estimator", ["valid", "paper"])
def test_multirun_twins(ties, estimator, data, statistics_cache):
    """sys2 is the baseline under another name: p = 1 under every test and side, where MultEval printed 0.00."""
    reference = lines(data / "mt/multirun/ref.en")
    testset = Testset("multirun", "text", len(reference), (reference,))
    pair = [multirun(data, name, 0) for name in ("sys2", "baseline")]
    run = compare.run(
        Study(testset, pair, NONE, DRAWN, resamples=600), runtime=Runtime(cache=statistics_cache, executor=Threads(2))
    )
    for side in SIDES:
        result = compare.read(run, "bleu", Settings(side, estimator, ties))
        assert {item.p_value for item in result.results} == {1.0}
        assert result.gain == 0.0
