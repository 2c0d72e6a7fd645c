"""Thresholds, neighbours and mixtures: each as the paper says it, by loops, or by scoring the mixed texts."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sacrebleu

from sigcore import OptionError, Settings, Undefined, results
from sigcore.results import GainResult
from sigcore.studies import gain, matrix, pairs, units
from sigcore.study import Study
from sigcore.testset import Outputs, Testset
from tests.made import score_set, text_set
from tests.oracles import thresholds as slow
from tests.unit.factories import built
from tests.unit.factories import gain as scatter_of

QUICK: dict[str, Any] = {"resamples": 400, "seed": 3}


def points(gains: Any, p: Any, classes: tuple[str, ...] = (), **changes: Any) -> GainResult:
    """A result with these gains and p."""
    count = len(gains)
    settings: dict[str, Any] = {
        "metric": "bleu",
        "metric_title": "BLEU",
        "better": "higher",
        "test": "two_delta_bootstrap",
        "test_title": "Two-delta bootstrap",
        "n": 100,
        "resamples": 1000,
        "seed": 1,
        "systems": tuple(f"a{k}" for k in range(count)),
        "baselines": tuple(f"b{k}" for k in range(count)),
        "pair_class": classes or ("",) * count,
        "gains": np.asarray(gains, dtype=float),
        "p_values": np.asarray(p, dtype=float),
        "confidence": 1 - np.asarray(p, dtype=float),
    }
    return built(GainResult, settings | changes)  # type: ignore[no-any-return]


def many(seed: int = 0, count: int = 1000) -> GainResult:
    """Pairs of two classes whose p falls with the gain, with noise."""
    rng = np.random.default_rng(seed)
    gains = rng.exponential(1.0, count)
    p = np.clip(0.5 * np.exp(-2 * gains) * rng.lognormal(0, 0.4, count), 0.001, 1)
    return points(gains, p, tuple(rng.choice(["same group", "different groups"], count).tolist()))


def test_threshold_is_that_of_loops() -> None:
    """n, the threshold and the spread of each class are those of a loop over its pairs."""
    result = many()
    found = gain.thresholds(result)
    assert [item.pair_class for item in found] == ["different groups", "same group"]
    for item in found:
        own = [k for k, name in enumerate(result.pair_class) if name == item.pair_class]
        near = slow.borderline(result.gains[own].tolist(), result.p_values[own].tolist())
        assert item.n == len(near) >= gain.LEAST_PAIRS
        assert item.threshold == pytest.approx(slow.percentile(near, 95), abs=1e-12)
        assert item.spread == pytest.approx(slow.percentile(near, 95) - slow.percentile(near, 5), abs=1e-12)
        assert item.reason == ""


def test_interval_is_that_of_loops() -> None:
    """The interval of a threshold is that of other draws by a loop, within the Monte Carlo error of both."""
    item = gain.thresholds(points(np.linspace(0.2, 1.4, 40), np.full(40, 0.05)))[0]
    ends = slow.interval(np.linspace(0.2, 1.4, 40).tolist(), 4000, 1)
    assert (item.low, item.high) == pytest.approx(ends, abs=0.02)
    assert item.low < item.threshold <= item.high


def test_threshold_does_not_depend_on_the_order() -> None:
    """The pairs in another order have the same threshold and the same interval."""
    result = many(1)
    turn = np.random.default_rng(0).permutation(len(result.gains))
    other = points(result.gains[turn], result.p_values[turn], tuple(result.pair_class[k] for k in turn))
    assert gain.thresholds(result) == gain.thresholds(other)


@pytest.mark.parametrize(("count", "refused"), [(0, True), (9, True), (10, False)])
def test_few_pairs_have_no_threshold(count: int, refused: bool) -> None:
    """Below 10 pairs with p in [.04, .06] there is no threshold, with n and a reason in words."""
    p = [0.05] * count + [0.5] * (12 - count)
    (item,) = gain.thresholds(points(np.arange(12.0), p))
    assert item.pair_class == gain.ALL
    assert item.n == count
    assert math.isnan(item.threshold) == math.isnan(item.low) == math.isnan(item.high) == refused
    assert ("at least 10" in item.reason) == refused


def test_ends_and_undefined_p() -> None:
    """p of exactly .04 and .06 are borderline; an undefined p is not."""
    p = [0.04] * 5 + [0.06] * 5 + [0.0399, 0.0601, math.nan]
    assert gain.thresholds(points(np.arange(13.0), p))[0].n == 10


def test_without_a_p_the_reason_is_another() -> None:
    """Where no pair has a p, that is the reason, and `tested` is 0."""
    (item,) = gain.thresholds(points([1.0, 2.0], [math.nan, math.nan]))
    assert (item.n, item.tested) == (0, 0)
    assert item.reason.startswith("no pair has a p; a bootstrap needs at least 10 units")


def test_pairs_without_a_class_have_no_threshold_beside_others() -> None:
    """Where some pairs have a class, those without one are in none."""
    names = ("same group",) * 10 + ("",) * 10
    found = gain.thresholds(points(np.arange(20.0), [0.05] * 20, names))
    assert [(item.pair_class, item.n) for item in found] == [("same group", 10)]


def test_rule_is_true_of_every_pair() -> None:
    """Above the first number every pair is significant, below the second none, as gains are printed; both are those of
    pairs."""
    for seed in range(5):
        result = many(seed)
        above, below = (float(part.split()[1]) for part in gain.rule(result, 0.05).split(";"))
        assert (result.p_values[result.gains.round(2) > above] <= 0.05).all()
        assert (result.p_values[result.gains.round(2) < below] > 0.05).all()
        largest = slow.largest_not_significant(result.gains.tolist(), result.p_values.tolist(), 0.05)
        assert above == round(largest, 2)


@pytest.mark.parametrize(
    ("p", "resamples", "words"),
    [
        ([0.2, 0.3], 1000, "Tested alone, no pair was significant at alpha 0.05: gains up to 2.00 BLEU."),
        ([0.01, 0.02], 1000, "Tested alone, every pair was significant at alpha 0.05: gains from 1.00 BLEU."),
        ([math.nan, math.nan], 1000, ""),
        (
            [0.2, 0.01],
            1000,
            "Tested alone, every pair with a gain of 2.00 BLEU or more was significant at alpha 0.05; none with 1.00 BLEU or less.",
        ),
        (
            [0.01, 0.2],
            1000,
            "Above 2.00 BLEU every pair tested alone was significant at alpha 0.05; below 1.00 BLEU none.",
        ),
    ],
)
def test_rule_of_few_pairs(p: list[float], resamples: int, words: str) -> None:
    """The sentence where none, or all, are significant, and where no p is defined."""
    assert gain.rule(points([1.0, 2.0], p, resamples=resamples), 0.05) == words


def test_rule_where_rounding_would_make_it_false() -> None:
    """Gains that printed digits cannot separate are not said to be separate."""
    assert gain.rule(points([1.002, 1.004], [0.2, 0.01]), 0.05).startswith("Above 1.00 BLEU every pair")
    assert gain.rule(points([1.002, 1.008], [0.2, 0.01]), 0.05).startswith(
        "Tested alone, every pair with a gain of 1.01 BLEU"
    )


def test_no_rule_without_verdicts() -> None:
    """A p as it is printed in papers gives no rule and no neighbours."""
    result = points([1.0, 2.0], [0.01, 0.2], estimator="paper")
    assert gain.rule(result, 0.05) == ""
    assert gain.near(result, 1.0, 0.05).pairs == 0


def test_neighbours_by_hand() -> None:
    """Of gains .7 to 1.3, three are within a fifth of 1, two of them significant: 9.4 to 99.2% (Clopper & Pearson)."""
    result = points([0.7, 0.9, 1.0, 1.1, 1.3], [0.5, 0.2, 0.03, 0.02, 0.001])
    found = gain.near(result, 1.0, 0.05)
    assert (found.pairs, found.significant) == (3, 2)
    assert (found.low, found.high) == pytest.approx((0.0943, 0.9916), abs=1e-4)
    assert "2 of the 3 pairs here with about such a gain (0.80 to 1.20 BLEU) were significant" in str(found)
    assert "say nothing about it" in str(gain.near(result, 5.0, 0.05))
    with pytest.raises(OptionError):
        gain.near(result, 0.0, 0.05)


@pytest.mark.parametrize("side", ["greater", "two-sided", "less"])
@pytest.mark.parametrize("test", ["two_delta_bootstrap", "paired_bootstrap", "approximate_randomization"])
def test_p_of_pairs_is_that_of_the_grid(test: str, side: Any) -> None:
    """Pairs tested on given statistics have the gain, p and interval of the same pairs of a grid."""
    testset, outputs = text_set(60, (0.1, 0.25, 0.12, 0.12), seed=4)
    counted = matrix.run(Study(testset, [*outputs, replace(outputs[0], system="copy")], tests=[test], **QUICK))
    wanted = gain.read(matrix.read(counted, "bleu", test, Settings(side, correction="none")))
    systems = counted.measured[0].systems
    both = pairs.by_gain(systems)
    found = pairs.examine(systems, both, pairs.How(test, side, **QUICK))
    names = [item.system for item in systems]
    by_name = {frozenset((names[a], names[b])): k for k, (a, b) in enumerate(both.tolist())}
    order = [by_name[frozenset(pair)] for pair in zip(wanted.systems, wanted.baselines, strict=True)]
    assert found.gains[order].tolist() == wanted.gains.tolist()
    assert found.p_values[order].tolist() == wanted.p_values.tolist()
    assert wanted.p_low is not None
    assert found.p_low[order].tolist() == wanted.p_low.tolist()


def test_pairs_that_differ_on_few_rows_have_no_p() -> None:
    """As in a grid: no bootstrap p where two systems differ on fewer than 10 rows; 1 where on none."""
    base = np.arange(40.0)
    apart = base + (base < 5)
    testset, outputs = score_set(base, apart, base)
    systems = matrix.run(Study(testset, outputs, (("own_scores", {}),), **QUICK)).measured[0].systems
    found = pairs.examine(systems, np.array([[1, 0], [0, 2]]), pairs.How(**QUICK))
    assert np.isnan(found.p_values[0])
    assert found.p_values[1] == 1.0


def test_mixtures_are_mixed_texts() -> None:
    """The score of a mixture is sacrebleu's on the text whose segments come from the one or the other system."""
    testset, outputs = text_set(80, (0.1, 0.3), seed=2)
    systems = matrix.run(Study(testset, outputs, resamples=10)).measured[0].systems
    made = gain.mix(systems, [(1, 0)], 3, seed=9)
    for k, item in enumerate(made.systems, start=1):
        from_second = pairs.generator(9, pairs.MIXTURES, 0, k).random(80) < k / 4
        text = [outputs[0 if second else 1].segments[i] for i, second in enumerate(from_second)]
        assert item.corpus_score == pytest.approx(sacrebleu.corpus_bleu(text, [testset.references[0]]).score, abs=1e-9)
        assert abs(from_second.mean() - k / 4) < 4 * math.sqrt(k / 4 * (1 - k / 4) / 80)
        assert item.system == f"sys1 with {25 * k}% sys0"


def documented(n: int) -> tuple[Testset, list[Any]]:
    """A test set of text with documents of three segments."""
    testset, outputs = text_set(n, (0.1, 0.2, 0.15, 0.3), seed=6)
    return replace(testset, documents=tuple(f"d{i // 3}" for i in range(n))), outputs


def test_pairs_of_mixtures() -> None:
    """Every pair of mixtures once, in its class, marked; p is that of a grid of the mixtures on the same unit."""
    testset, outputs = documented(90)
    counted = matrix.run(Study(testset, outputs, tests=["two_delta_bootstrap"], **QUICK))
    real = gain.read(matrix.read(counted, "bleu", "two_delta_bootstrap", Settings("greater", correction="none")))
    systems = counted.measured[0].systems
    made = gain.mix(systems, gain.bases(systems), 4, seed=1)
    mixed = gain.read_mixtures(made, units.groups(testset, counted.unit), real.setup, pairs.How(**QUICK))
    assert str(counted.unit) == "document"
    assert len(mixed.gains) == 8 * 7 / 2
    assert (mixed.gains >= 0).all()
    assert mixed.synthetic
    assert not real.synthetic
    assert sorted(mixed.pair_class) == [gain.MIXED_APART] * 16 + [gain.MIXED_TOGETHER] * 12
    one = mixed.systems.index(mixed.systems[5])
    chosen = [item for item in made.systems if item.system in (mixed.systems[one], mixed.baselines[one])]
    own = tuple(units.summed(item, units.groups(testset, counted.unit)) for item in chosen)  # type: ignore[arg-type]
    alone = pairs.examine(own, pairs.by_gain(own), pairs.How(**QUICK))
    assert alone.p_values[0] == mixed.p_values[one]
    assert "mixtures" in mixed.setup.signature
    assert {item.synthetic for item in gain.thresholds(mixed)} == {True}
    assert results.of_gain(real).pairs == 6


def test_bases_are_apart() -> None:
    """Up to three pairs of systems are mixed, the best with the one in the middle; one system cannot be mixed."""
    testset, outputs = text_set(30, (0.1, 0.4, 0.2, 0.3, 0.5, 0.15, 0.25))
    systems = matrix.run(Study(testset, outputs, resamples=10)).measured[0].systems
    chosen = gain.bases(systems)
    ranked = sorted(range(7), key=lambda k: -systems[k].corpus_score)
    assert chosen == tuple(zip(ranked[:3], ranked[3:6], strict=True))
    assert gain.bases(systems[:1]) == ()
    with pytest.raises(Undefined):
        gain.mix(systems[:1], (), 3, 1)
    with pytest.raises(OptionError):
        gain.mix(systems, chosen, 0, 1)
    with pytest.raises(OptionError):
        gain.mix(systems, chosen, 334, 1)


@pytest.mark.parametrize(
    ("groups", "kinds", "name"),
    [
        (("a", "a"), ("", ""), "same group"),
        (("a", "b"), ("system", ""), "different groups"),
        (("a", "b"), ("combination", "combination"), "combination"),
        (("a", "a"), ("combination", "combination"), "combination"),
        (("a", "a"), ("combination", "system"), ""),
        (("", "a"), ("", ""), ""),
    ],
)
def test_class_of_a_pair(groups: tuple[str, str], kinds: tuple[str, str], name: str) -> None:
    """Classes as in the paper's Figure 4: combinations are compared with each other only."""
    assert gain.pair_class(*groups, kinds) == name


def test_retuned_systems_are_synthetic_and_named_by_method() -> None:
    """Every tuning run is a system, its method its group; the pairs are of the same method or of different ones."""
    tuned = [Outputs(method, ("x",), str(run)) for method in ("pro", "mert") for run in (1, 2)]
    made = gain.retuned_outputs(tuned)
    assert [(o.system, o.group, o.run) for o in made] == [
        ("pro.1", "pro", ""),
        ("pro.2", "pro", ""),
        ("mert.1", "mert", ""),
        ("mert.2", "mert", ""),
    ]
    found = gain.as_retuned(scatter_of(4, pair_class=("same group", "different groups") * 2))
    assert found.pair_class == (gain.RETUNED_TOGETHER, gain.RETUNED_APART) * 2
    assert found.synthetic
