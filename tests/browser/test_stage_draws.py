"""What the lessons' stage draws in the browser equals the core: scores, resamples, rules for counting, and p."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page
from scipy.stats import binom, binomtest

from sigboard.questions.learn import stage
from sigboard.shell import live as scripts
from sigcore import Outputs, Testset, UnknownMember
from sigcore.data import Collection
from sigcore.resampling.pvalues import exceedances, p_values, tolerance
from sigcore.studies import learn
from sigcore.studies.learn import rates
from tests.oracles import browser_draws
from tests.unit.sigcore.studies.learn.test_steps import OUTPUTS, TESTSET

WORDS = Testset("words", "text", 40, TESTSET.references)
LABELS = Testset("labels", "text", 40, (tuple("abcd"[i % 4] for i in range(40)),))
LABELLED = [
    Outputs("A", tuple("abcd"[(i + (i % 5 == 0)) % 4] for i in range(40))),
    Outputs("B", tuple("abcd"[(i + (i % 3 == 0)) % 4] for i in range(40))),
]
SCORES = Testset("scores", "scores", 40, ())
SCORED = [
    Outputs("A", tuple(f"{i % 7 / 7}" for i in range(40))),
    Outputs("B", tuple(f"{i % 5 / 5}" for i in range(40))),
]
RARE = [Outputs("A", tuple("the boat" if i % 9 else line for i, line in enumerate(TESTSET.references[0]))), OUTPUTS[1]]
# words in another order: no two in a row are right, so three orders are smoothed
TURNED = [
    Outputs(name, tuple(" ".join(line.split()[::step]) for line in TESTSET.references[0]))
    for name, step in (("A", -1), ("B", -2))
]
CASES: tuple[tuple[Testset, Any, str, dict[str, object]], ...] = (
    (WORDS, OUTPUTS, "bleu", {}),
    (WORDS, TURNED, "bleu", {}),
    (WORDS, TURNED, "bleu", {"smooth": "floor", "smooth_value": 0.3}),
    (WORDS, RARE, "bleu", {"smooth": "floor", "order": 3}),
    (WORDS, RARE, "bleu", {"smooth": "add-k"}),
    (WORDS, RARE, "bleu", {"smooth": "none", "effective_order": True}),
    (WORDS, OUTPUTS, "chrf", {}),
    (WORDS, OUTPUTS, "chrf", {"word_order": 2, "beta": 3}),
    (WORDS, OUTPUTS, "ter", {}),
    (WORDS, OUTPUTS, "wer", {}),
    (WORDS, OUTPUTS, "cer", {}),
    (WORDS, OUTPUTS, "token_f1", {}),
    (WORDS, OUTPUTS, "exact_match", {}),
    (WORDS, OUTPUTS, "cover_em", {}),
    (LABELS, LABELLED, "accuracy", {}),
    (SCORES, SCORED, "own_scores", {}),
)


@pytest.fixture(scope="module")
def script(browser: Browser) -> Iterator[Page]:
    """A page with the draws, and nothing else."""
    page = browser.new_page()
    page.add_script_tag(content=(scripts.SCRIPTS / "draws.js").read_text(encoding="utf-8"))
    page.evaluate("window.draws = sigboardDraws")
    yield page
    page.close()


def drawn(script: Page, pair: Any, kind: str, seed: int, many: int) -> list[dict[str, Any]]:
    """The first draws of the browser, with what was drawn."""
    command = """([pair, kind, seed, many]) => {
      const draw = draws.KINDS[kind]({ pair }, {});
      return Array.from({ length: many }, (_, k) => { const one = draw(seed, k + 1); return { ...one, weights: [...one.weights] }; });
    }"""
    found: list[dict[str, Any]] = script.evaluate(command, [pair, kind, seed, many])
    return found


@pytest.mark.parametrize(("testset", "outputs", "metric", "options"), CASES)
def test_gains_are_those_of_the_core(
    script: Page, testset: Testset, outputs: Any, metric: str, options: dict[str, object]
) -> None:
    """The scores and gains of a shuffle and of a draw are those of the metric on the same units; the units are those of the twin
    of the generator."""
    of = learn.data(testset, outputs, [(metric, options)])
    pair, (first, second) = stage.statistics(of), of.measured.systems
    assert pair is not None
    sign = -1 if first.better == "lower" else 1
    for k, one in enumerate(drawn(script, pair, "swap", 7, 12), 1):
        mask = browser_draws.coins(7, k, first.n)
        assert one["weights"] == mask.tolist()
        moved = mask @ (second.values - first.values)
        scores = [float(first.score(first.total + moved)), float(second.score(second.total - moved))]
        assert one["scores"] == pytest.approx(scores, rel=1e-12, abs=1e-10)
        assert one["gain"] == pytest.approx(sign * (scores[0] - scores[1]), rel=1e-9, abs=1e-10)
    for k, one in enumerate(drawn(script, pair, "bootstrap", 7, 12), 1):
        times = browser_draws.counts(7, k, first.n)
        assert one["weights"] == times.tolist()
        scores = [float(first.score(times @ first.values)), float(second.score(times @ second.values))]
        assert one["scores"] == pytest.approx(scores, rel=1e-12, abs=1e-10)


def test_other_metrics_have_no_formula() -> None:
    """Where the browser cannot compute a score exactly, there are no statistics: the server's draws are shown."""
    for metric, options in (("meteor", {}), ("chrf", {"eps_smoothing": True}), ("nist", {})):
        try:
            of = learn.data(WORDS, OUTPUTS, [(metric, options)])
        except UnknownMember:
            continue
        assert stage.statistics(of) is None


def test_p_of_a_thousand_draws_is_the_cores(script: Page) -> None:
    """p of 1,000 shuffles of the browser equals the core's on the same masks, ties counted in the same way."""
    for testset, outputs, metric in ((WORDS, OUTPUTS, "bleu"), (LABELS, LABELLED, "accuracy")):
        of = learn.data(testset, outputs, [(metric, {})])
        pair, (first, second) = stage.statistics(of), of.measured.systems
        assert pair is not None
        masks = np.array([browser_draws.coins(12345, k, first.n) for k in range(1, 1001)])
        moved = masks @ (second.values - first.values)
        gains = first.score(first.total + moved) - second.score(second.total - moved)
        cut = abs(learn.gain_of((first, second)))
        slack = float(tolerance(cut, learn.unit_of((first, second))))
        count = exceedances(
            np.sum(np.abs(gains) > cut + slack), np.sum(np.abs(np.abs(gains) - cut) <= slack), "counted"
        )
        command = """([pair, cut]) => {
          const draw = draws.KINDS.swap({ pair }, {});
          let count = 0;
          for (let k = 1; k <= 1000; k++) count += draws.reaches(Math.abs(draw(12345, k).gain), cut, pair.unit);
          return draws.pOf(count, 1000);
        }"""
        p = script.evaluate(command, [pair, cut])
        assert p == pytest.approx(float(p_values(count, 1000, "valid")), abs=1e-12)
        assert 0.001 < p < 1


RULES = [
    rates.Rule(),
    rates.Rule(slip=True),
    rates.Rule(one_sided=True),
    rates.Rule(strict=True),
    rates.Rule(plus_one=False),
    rates.Rule(one_sided=True, slip=True),
    rates.Rule(rates.Draw("swap")),
    rates.Rule(rates.Draw("swap"), strict=True, one_sided=True),
]


@pytest.mark.parametrize("rule", RULES)
def test_rules_count_as_in_the_core(script: Page, rule: rates.Rule) -> None:
    """p of the same gains under each rule of the tail lab, with ties and an undefined gain."""
    rng = np.random.default_rng(4)
    for gain in (1.0, -1.0, 0.25):
        pseudo = np.round(rng.normal(0.3, 1.0, 99) * 4) / 4
        asked = {name: getattr(rule, name) for name in ("strict", "plus_one", "one_sided", "slip")}
        asked |= {"kind": rule.draw.kind}
        found = script.evaluate(
            "([rule, gain, gains]) => draws.ruled(rule, gain, Float64Array.from(gains), 1)",
            [asked, gain, pseudo.tolist()],
        )
        assert found == pytest.approx(float(rates.p_of(rule, np.array([gain]), pseudo[None], 1.0)[0]))


def test_coins_and_quantiles_are_scipys(script: Page) -> None:
    """The exact p of coins, and the ends of an interval."""
    for heads, tosses in ((0, 0), (0, 5), (0, 6), (4, 16), (12, 16), (900, 2000), (250, 500)):
        expected = binomtest(heads, tosses).pvalue if tosses else 1.0
        assert script.evaluate("([h, n]) => draws.coinP(h, n)", [heads, tosses]) == pytest.approx(expected)
    values = np.sort(np.random.default_rng(1).normal(0, 1, 200))
    for q in (0.025, 0.5, 0.975):
        assert script.evaluate("([v, q]) => draws.quantile(v, q)", [values.tolist(), q]) == pytest.approx(
            np.quantile(values, q)
        )


def shares(script: Page, kind: str, data: Any, settings: dict[str, float], many: int) -> list[float]:
    """How often each p is at most 0.05, in the first draws of the browser."""
    command = """([kind, data, settings, many]) => {
      const draw = draws.KINDS[kind](data, settings), found = [0, 0];
      for (let k = 1; k <= many; k++) draw(3, k).values.forEach((p, i) => (found[i] += p <= 0.05));
      return found.map((count) => count / many);
    }"""
    found: list[float] = script.evaluate(command, [kind, data, settings, many])
    return found


def near(found: float, chance: float, many: int) -> bool:
    """Whether a share is inside the exact band of its chance, which holds all but 1 of 10,000."""
    low, high = binom.interval(0.9999, many, chance)
    return bool(low <= found * many <= high)


def test_judges_and_people_err_as_often_as_computed(script: Page) -> None:
    """In the long run the browser's judge and people find a difference as often as the exact chances say."""
    exact = learn.judge(20, (100, 400))
    for size, judge, people in zip(exact.sizes, exact.judge, exact.people, strict=True):
        found = shares(script, "judge", {"longer": learn.LONGER}, {"items": size, "habit": 20}, 2000)
        assert near(found[0], judge, 2000)
        assert near(found[1], people, 2000)


def test_exams_err_as_often_as_in_the_core(script: Page) -> None:
    """False alarms by answers and by questions: those of as many exams of the core, within their Monte Carlo error."""
    core = (learn.exam(11).p <= 0.05).mean(axis=0)
    found = shares(script, "exam", {"resamples": 199}, {"questions": 50, "runs": 5}, 1000)
    for one, other in zip(found, core.tolist(), strict=True):
        mean = (one + other) / 2
        assert abs(one - other) < 4 * np.sqrt(2 * mean * (1 - mean) / 1000)
    assert found[0] > 2.5 * found[1]


def test_worlds_err_and_find_as_in_the_core(script: Page) -> None:
    """The factory without a difference keeps alpha, and finds the pair's gain as often as the core; intervals hold the true gain
    as often."""
    of = learn.data(SCORES, SCORED, [("own_scores", {})])
    pair, systems = stage.statistics(of), of.measured.systems
    null = shares(script, "factory", {"pair": pair, "resamples": 199, "kept": 0}, {"units": 40}, 600)[0]
    assert near(null, 0.05, 600)
    found = shares(script, "factory", {"pair": pair, "resamples": 199, "kept": 100}, {"units": 40}, 600)[0]
    core = (learn.factory(systems, 5, is_null=False).p <= 0.05).mean()
    assert abs(found - core) < 4 * np.sqrt(2 * core * (1 - core) / 600)
    command = """([data]) => {
      const draw = draws.KINDS.intervals(data, { units: 40 });
      let held = 0;
      for (let k = 1; k <= 600; k++) held += draw(3, k).holds;
      return held / 600;
    }"""
    held, holds = script.evaluate(command, [{"pair": pair, "resamples": 200}]), learn.intervals(systems, 5).holds.mean()
    assert abs(held - holds) < 4 * np.sqrt(2 * holds * (1 - holds) / 600)


def test_the_servers_draws_come_in_the_order_of_the_seed(script: Page) -> None:
    """A table of draws is shuffled by the seed, each row once; an ordered one stays."""
    rows = [{"values": [k], "gain": k} for k in range(20)]
    command = """([rows, seed, ordered]) => {
      const draw = draws.KINDS.table({ rows, ordered });
      return rows.map((_, k) => draw(seed, k + 1).gain);
    }"""
    one, again, other = (script.evaluate(command, [rows, seed, False]) for seed in (1, 1, 2))
    assert one == again != other
    assert sorted(one) == sorted(other) == list(range(20))
    assert script.evaluate(command, [rows, 1, True]) == list(range(20))


def test_a_lesson_draws_what_the_sample_has(script: Page) -> None:
    """The stage of the sample's pair: the lesson's cut is the core's gain, and its centre that of the shifted test."""
    collection = Collection()
    collection.add_sample("harbour")
    loaded = collection.loaded()
    assert loaded.testset is not None
    outputs = [next(o for o in loaded.outputs if o.system == name) for name in ("Curlew", "Albatross-1")]
    of = learn.data(loaded.testset, outputs, [("bleu", {})])
    pair = stage.statistics(of)
    assert pair is not None
    gains = [one["gain"] for one in drawn(script, pair, "bootstrap", 1, 2000)]
    assert np.mean(gains) == pytest.approx(
        learn.gain_of(of.measured.systems), abs=4 * np.std(gains) / np.sqrt(2000) + 0.1
    )
    assert pair["gain"] == learn.gain_of(of.measured.systems)
