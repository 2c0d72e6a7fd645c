"""Bounds and words of sizes and gains: thresholds, neighbours, mixtures, lines and planned tests, at each number."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta, norm

from sigcore import MismatchError, OptionError, Undefined
from sigcore.errors import SigError
from sigcore.studies import gain, pairs, prepared, size
from sigcore.studies.size import compute as size_compute
from sigcore.studies.size import parts as size_parts
from sigcore.sufficient import SufficientStatistics
from tests.made import score_set
from tests.unit.factories import gain as scatter_of

OWN = (("own_scores", {}),)
HOW = pairs.How(resamples=99, seed=5)
UP, DOWN = math.nextafter(0.06, 1), math.nextafter(0.04, 0)


def scatter(gains: list[float], p: list[float], **more: Any) -> Any:
    """Pairs with these gains and p."""
    count = len(gains)
    names = {"systems": tuple(f"a{k}" for k in range(count)), "baselines": tuple(f"b{k}" for k in range(count))}
    made = {
        "gains": np.array(gains),
        "p_values": np.array(p),
        "confidence": 1 - np.array(p),
        "pair_class": ("",) * count,
    }
    return scatter_of(count, **{**names, **made, **more})


# The threshold and the pairs with about a gain.


@pytest.mark.parametrize("p", [0.04, 0.05, 0.06, DOWN, UP])
def test_borderline_pairs_have_p_from_04_to_06(p: float) -> None:
    """Ends included; ten of them have a threshold, the 95th percentile of their gains."""
    gains = np.arange(1.0, 11.0)
    found = gain.threshold(gains, np.full(10, p), "all", 1)
    inside = 0.04 <= p <= 0.06
    assert (found.n, found.tested, found.reason == "") == (10 * inside, 10, inside)
    if inside:
        assert found.threshold == pytest.approx(1 + 9 * 0.95)
        assert found.spread == pytest.approx(9 * 0.9)
        assert 1 <= found.low < found.threshold <= found.high == 10


def test_nine_borderline_pairs_have_no_threshold() -> None:
    found = gain.threshold(np.arange(9.0), np.full(9, 0.05), "all", 1, True)
    assert (found.n, found.tested, found.synthetic) == (9, 9, True)
    assert np.isnan([found.threshold, found.low, found.high, found.spread]).all()
    assert found.reason.startswith("9 pairs with p from 0.04 to 0.06; a threshold needs at least 10")
    one = gain.threshold(np.arange(3.0), np.array([0.05, 0.5, math.nan]), "all", 1)
    assert (one.n, one.tested) == (1, 2)
    assert one.reason.startswith("1 pair with p")


def test_pairs_without_a_class_are_of_all_only_where_none_has_one() -> None:
    assert gain.classes(("", "")) == (gain.ALL, gain.ALL)
    assert gain.classes(("", "x")) == ("", "x")
    with pytest.raises(MismatchError):
        gain.thresholds(replace(scatter([1.0, 2.0], [0.1, 0.2]), pair_class=("x",)))


@pytest.mark.parametrize("asked", [1.0, 2.5])
def test_neighbours_are_within_a_fifth(asked: float) -> None:
    """Ends included; the interval is Clopper's and Pearson's, all of [0, 1] without a pair."""
    least, most = asked * 0.8, asked * 1.2
    gains = [math.nextafter(least, 0), least, asked, most, math.nextafter(most, 9)]
    found = gain.near(scatter(gains, [0.01, 0.01, 0.9, 0.01, 0.01]), asked, 0.05)
    assert (found.pairs, found.significant) == (3, 2)
    assert (found.low, found.high) == pytest.approx((beta.ppf(0.025, 2, 2), beta.ppf(0.975, 3, 1)))
    none = gain.near(scatter([9.0], [0.01]), asked, 0.05)
    assert (none.pairs, none.significant, none.low, none.high) == (0, 0, 0, 1)


@pytest.mark.parametrize(("significant", "verb"), [(0, "were"), (1, "was"), (2, "were")])
def test_neighbours_in_words(significant: int, verb: str) -> None:
    """The share and its interval are in whole percent."""
    found = gain.near(scatter([1.0, 1.0], [0.01] * significant + [0.9] * (2 - significant)), 1.0, 0.05)
    low, high = (0 if not significant else beta.ppf(0.025, significant, 3 - significant)), (
        1 if significant == 2 else beta.ppf(0.975, significant + 1, 2 - significant)
    )  # fmt: skip
    assert f"{significant} of the 2 pairs here with about such a gain (0.80 to 1.20 BLEU) {verb} significant" in str(
        found
    )
    assert f"is [{100 * low:.0f}%, {100 * high:.0f}%]." in str(found)


@pytest.mark.parametrize("asked", [0.0, -1.0, math.nan])
def test_a_gain_that_is_not_above_0_has_no_neighbours(asked: float) -> None:
    with pytest.raises(OptionError, match="gain ="):
        gain.near(scatter([1.0], [0.01]), asked, 0.05)


@pytest.mark.parametrize(
    ("gains", "p", "words"),
    [
        ([1.0, 2.0], [0.5, 0.5], "Tested alone, none of the 2 pairs of mixtures was significant at alpha 0.05: gains up to 2.00 BLEU."),
        ([1.0, 2.0], [0.01, 0.01], "Tested alone, each of the 2 pairs of mixtures was significant at alpha 0.05: gains from 1.00 BLEU."),
        ([1.0, 2.0], [0.5, 0.01], "Tested alone, every pair of mixtures with a gain of 2.00 BLEU or more was significant at alpha 0.05; none with 1.00 BLEU or less."),
        ([2.0, 1.0], [0.5, 0.01], "Above 2.00 BLEU every pair of mixtures tested alone was significant at alpha 0.05; below 1.00 BLEU none."),
        ([1.0, 1.0], [0.5, 0.01], "Above 1.00 BLEU every pair of mixtures tested alone was significant at alpha 0.05; below 1.00 BLEU none."),
    ],
)  # fmt: skip
def test_the_rule_of_mixtures_says_that_they_are(gains: list[float], p: list[float], words: str) -> None:
    assert gain.rule(scatter(gains, p, synthetic=True), 0.05) == words


def statistics(*scores: list[float]) -> list[SufficientStatistics]:
    """Systems whose score is the mean of their column."""
    testset, outputs = score_set(*scores)
    return list(prepared.prepare(testset, outputs, OWN, HOW).measured.systems)


@pytest.mark.parametrize(("systems", "number"), [(2, 1), (3, 1), (5, 2), (6, 3), (7, 3), (8, 3)])
def test_the_best_is_mixed_with_the_one_in_the_middle(systems: int, number: int) -> None:
    """At most three pairs, no system in two of them."""
    scores = [[float((7 * k) % systems)] * 3 for k in range(systems)]
    ranked = sorted(range(systems), key=lambda k: -scores[k][0])
    half = systems // 2
    assert gain.bases(statistics(*scores)) == tuple((ranked[k], ranked[k + half]) for k in range(number))


@pytest.mark.parametrize("units", [None, 2])
def test_pairs_of_mixtures_are_read_as_points(units: int | None) -> None:
    """Turned to their gain, with 1 - p as their confidence; on sums of segments where these are the units."""
    scores = np.random.default_rng(3).normal(size=(2, 40)) + np.array([[0.0], [1.0]])
    systems = statistics(*scores.tolist())
    made = gain.mix(systems, [(0, 1)], 3, 1)
    groups = None if units is None else np.arange(40) // units
    setup = scatter([1.0], [0.5]).setup
    found = gain.read_mixtures(made, groups, replace(setup, caveat="x"), HOW)
    assert len(found.gains) == 3
    assert (found.gains >= 0).all()
    assert found.confidence == pytest.approx(1 - found.p_values)
    assert found.pair_class == (gain.MIXED_TOGETHER,) * 3
    assert (found.synthetic, found.setup.caveat) == (True, "")
    assert found.setup.signature == f"{setup.signature}|mixtures:3"
    means = {item.system: item.corpus_score for item in made.systems}
    for system, baseline, own in zip(found.systems, found.baselines, found.gains, strict=True):
        assert own == pytest.approx(means[system] - means[baseline])


def test_numbers_of_mixtures() -> None:
    """At least one of each pair, at most 1,000 in all."""
    systems = statistics([1.0, 2.0], [3.0, 4.0], [0.0, 9.0])
    three = [(0, 1), (0, 2), (1, 2)]
    for chosen, most in ((three[:1], 1000), (three, 333)):
        for asked in (0, most + 1):
            with pytest.raises(OptionError, match=f"mixtures = {asked} of each") as refused:
                gain.mix(systems, chosen, asked, 1)
            assert refused.value.fix == f"It must be in [1, {most}]: at most 1,000 mixtures in all."
    made = gain.mix(systems, three, 1, 1)
    assert [item.system for item in made.systems] == [
        "sys0 with 50% sys1", "sys0 with 50% sys2", "sys1 with 50% sys2",
    ]  # fmt: skip
    assert made.base.tolist() == [0, 1, 2]
    assert len(gain.mix(systems, three, 333, 1).systems) == 999


def test_a_kind_that_is_none_is_refused() -> None:
    gain.check_kinds({"a": "", "b": "system", "c": "combination"})
    with pytest.raises(SigError, match="'other' is not a kind of system"):
        gain.check_kinds({"a": "system", "b": "other"})


@pytest.mark.parametrize(
    ("name", "group"),
    [("online-A", "online"), ("sys1", "sys"), ("a_b", "a"), ("x.y", "x"), ("a b", "a"), ("7up", "7up")],
)
def test_a_proposed_group_ends_at_the_first_digit_or_sign(name: str, group: str) -> None:
    assert gain.propose_groups([name]) == {name: group}


# Sizes.


@pytest.mark.parametrize("side", ["two-sided", "greater"])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_planned_tests_by_the_normal_law(side: Any, alpha: float) -> None:
    """The detectable gain, the segments for it and the power are three readings of one law."""
    reach = norm.ppf(1 - alpha / (2 if side == "two-sided" else 1)) + norm.ppf(0.8)
    found = size.detectable_gain(12.0, 300, 0.8, alpha, side)
    assert found == pytest.approx(reach * 12 / math.sqrt(300))
    assert size.power(12.0, 300, found, alpha, side) == pytest.approx(0.8)
    assert size.needed_segments(12.0, found * 1.0001, 0.8, alpha, side) == 300
    assert size.needed_segments(12.0, found * 0.9999, 0.8, alpha, side) == 301


def test_impossible_plans_are_refused() -> None:
    for power in (0.0, 1.0):
        with pytest.raises(OptionError, match="power ="):
            size.detectable_gain(1.0, 10, power)
    assert size.detectable_gain(1.0, 10, 0.001) < size.detectable_gain(1.0, 10, 0.999)
    for asked in (0.0, -1.0):
        with pytest.raises(OptionError, match="gain ="):
            size.needed_segments(1.0, asked, 0.8)
    assert math.isnan(size.needed_segments(math.nan, 1.0, 0.8))


@pytest.mark.parametrize(
    ("needed", "said"),
    [(0.5, 1), (1, 1), (9.5, 10), (10, 10), (99.5, 100), (101, 110), (110, 110), (999, 1_000), (1_001, 1_100), (12_001, 13_000)],
)  # fmt: skip
def test_numbers_of_segments_in_two_digits(needed: float, said: int) -> None:
    assert size_compute.rounded(needed) == said


def of_size(threshold: float, segments: int, drawn: float, name: str = "all") -> size.Size:
    """A threshold on so many segments."""
    return size.Size(gain.Threshold(name, threshold, 10, 0.0, 1.0, 1.0, 20), segments, drawn, 1000)


def test_a_line_needs_two_sizes_with_a_threshold() -> None:
    """The slope and the constant are those of least squares on the logarithms; each class has its own."""
    sizes = [of_size(t, n, n) for t, n in ((4.0, 100), (3.0, 200), (1.0, 400))]
    (line,) = size_parts.lines(sizes)
    slope, _ = np.polyfit(np.log([100, 200, 400]), np.log([4, 3, 1]), 1)
    assert line.slope == pytest.approx(slope)
    assert line.constant == pytest.approx(float(np.prod([4 * 10, 3 * math.sqrt(200), 20])) ** (1 / 3))
    assert size_parts.lines([of_size(4.0, 100, 100.0), of_size(2.0, 110, 100.0)]) == ()
    assert size_parts.lines([of_size(4.0, 100, 100.0), of_size(math.nan, 200, 200.0)]) == ()
    assert size_parts.lines([of_size(4.0, 100, 100.0), of_size(0.0, 200, 200.0)]) == ()
    both = size_parts.lines([of_size(t, n, n, c) for c in "ba" for t, n in ((4.0, 100), (2.0, 400))])
    assert [(one.pair_class, one.constant, one.slope) for one in both] == [
        ("b", pytest.approx(40), pytest.approx(-0.5)), ("a", pytest.approx(40), pytest.approx(-0.5)),
    ]  # fmt: skip


@pytest.mark.parametrize(("segments", "reason"), [(1000, ""), (1001, "the test set has only 1,000 segments")])
def test_a_size_above_the_test_set_has_another_reason(segments: int, reason: str) -> None:
    assert of_size(1.0, segments, 1.0).reason == reason


def ready(n: int = 30, documents: tuple[str, ...] = (), systems: int = 2, **more: Any) -> prepared.Prepared:
    """A prepared test set of scores."""
    columns = np.random.default_rng(2).normal(size=(systems, n))
    testset, outputs = score_set(*columns)
    return prepared.prepare(replace(testset, documents=documents), outputs, OWN, HOW, **more)


def test_parts_of_a_test_set() -> None:
    """The first segments; a random choice; whole documents that come nearest, and at least one."""
    lengths = [1, 2, 3, 4, 5]
    names = tuple(f"d{k}" for k, number in enumerate(lengths) for _ in range(number))
    whole = ready(15, names)
    assert size_parts.subset(whole, 4, "initial", 1, 0).tolist() == [0, 1, 2, 3]
    assert sorted({*size_parts.subset(whole, 15, "random", 1, 0).tolist()}) == list(range(15))
    for number in range(12):
        order = pairs.generator(1, size_parts.STREAM, 7, number).permutation(5)
        sums = [sum(lengths[k] for k in order[: many + 1]) for many in range(5)]
        best = min(range(5), key=lambda many: abs(sums[many] - 7))
        found = size_parts.subset(whole, 7, "documents", 1, number)
        assert {names[k] for k in found} == {f"d{k}" for k in order[: best + 1]}
        assert len(found) == sums[best]
    assert len(size_parts.subset(whole, 1, "documents", 1, 0)) in lengths


@pytest.mark.parametrize(
    ("kind", "asked", "times"),
    [
        ("initial", 20, 1),
        ("random", 20, 4),
        ("random", 29, 4),
        ("random", 30, 1),
        ("random", 31, 0),
        ("initial", 31, 0),
    ],
)
def test_parts_of_one_size_are_tested_as_often_as_they_differ(kind: Any, asked: int, times: int) -> None:
    """The first segments and the whole test set are there once; beyond it nothing is."""
    made = ready()
    (found,) = size_parts.curve(made, made.real, asked, kind, 4, HOW)
    assert len(found.gains) == len(found.p_values) == times
    assert (found.segments, found.most) == (asked, 30)
    assert found.drawn == pytest.approx(asked if times else math.nan, nan_ok=True)


def test_sizes_and_draws_begin_at_one() -> None:
    made = ready()
    size_parts.check(made, (1,), "random", 1)
    for sizes, draws, what in (((0, 5), 1, "sizes"), ((), 1, "sizes"), ((5,), 0, "draws")):
        with pytest.raises(OptionError, match=what):
            size_parts.check(made, sizes, "random", draws)
    size_parts.check(ready(30, ("d",) * 30), (1,), "documents", 1)
    with pytest.raises(Undefined, match="does not assign"):
        size_parts.check(made, (1,), "documents", 1)


@pytest.mark.parametrize("scale", [0.01, 1.0])
def test_the_variation_of_pairs_that_differ_on_few_units(scale: float) -> None:
    """nan below ten units on which they differ, 0 where they are the same, else the deviation of the differences; however
    small scores are."""
    base, step = scale * np.arange(30.0), scale * np.arange(1.0, 31.0)
    nine, ten = (np.where(np.arange(30) < number, step, 0.0) for number in (9, 10))
    testset, outputs = score_set(base, base + nine, base + ten, base)
    made = prepared.prepare(testset, outputs, OWN, HOW)
    found = size.variation(made.measured, None, np.array([[1, 0], [2, 0], [3, 0]]))
    assert found.deviation.tolist() == pytest.approx([math.nan, ten.std(ddof=1), 0.0], nan_ok=True)
    assert found.design_effect.tolist() == pytest.approx([math.nan, 1.0, math.nan], nan_ok=True)
    assert found.quantile(0.5) == pytest.approx(ten.std(ddof=1))
    assert math.isnan(replace(found, deviation=np.array([0.0, math.nan])).quantile(0.5))
    assert replace(found, deviation=np.array([0.0, 0.5, math.nan, 1.5])).quantile(0.5) == 1


def test_the_middle_of_the_values_that_are_known() -> None:
    assert size_parts.median([3.0, math.nan, 1.0, 2.0]) == 2
    assert size_compute._mean([3.0, math.nan, 1.0]) == 2
    for function in (size_parts.median, size_compute._mean):
        assert math.isnan(function([math.nan]))
        assert math.isnan(function([]))


def test_a_gain_is_planned_for_the_median_pair_and_for_nearly_all() -> None:
    """By the rows of the result: the median pair, 95% of the pairs, each pair; each at both powers."""
    testset, outputs = score_set(*np.random.default_rng(1).normal(size=(3, 40)))
    found = size.run(testset, outputs, OWN, size.SizePlan((20,), gain=0.5), HOW)
    assert [(one.system, one.power) for one in found.needed][:4] == [
        (size.MEDIAN, 0.8), (size.MEDIAN, 0.95), ("95% of the pairs", 0.8), ("95% of the pairs", 0.95),
    ]  # fmt: skip
    assert len(found.needed) == 2 * (3 + 2)
    assert len(found.detectable) == 2 * (3 + 1)
    of_pairs = {(one.system, one.baseline): one.gain for one in found.detectable if one.power == 0.8}
    deviations = [v for (name, _), v in of_pairs.items() if name != size.MEDIAN]
    assert of_pairs[size.MEDIAN, ""] == pytest.approx(sorted(deviations)[1])
    assert math.isnan(found.design_effect)
    said = [words for words in found.sentences if "To find a true gain" in words]
    assert len(said) == 2
    for words, middle, nearly in zip(said, found.needed[:2], found.needed[2:4], strict=True):
        assert f"about {size_compute.rounded(middle.segments):,} segment" in words
        assert f"about {size_compute.rounded(nearly.segments):,} are enough for 95% of the pairs" in words
        assert f"a probability of {100 * middle.power:g}%" in words


def test_runs_add_a_variation_that_segments_do_not_reduce() -> None:
    """The design effect is 1 + n times the ratio of the variances; nan where segments add nothing."""
    one = size_compute.BetweenRuns("A", "B", (2, 3), 10.0, 0.5)
    assert one.effect(200) == pytest.approx(1 + 200 * 0.25 / 100)
    reach = norm.ppf(0.975) + norm.ppf(0.8)
    assert one.detectable(200, 0.8, 0.05) == pytest.approx(reach * math.sqrt(100 / 200 + 0.25))
    assert one.least(0.8, 0.05) == pytest.approx(reach * 0.5)
    assert math.isnan(replace(one, deviation=0.0).effect(200))
    assert one.as_dict(200, 0.8, 0.05)["runs"] == [2, 3]


@pytest.mark.parametrize(
    ("systems", "what"),
    [({"A": ["s0", "s1"]}, "only one system"), ({"A": ["s0", "s1"], "B": ["s2"]}, "B: a single run"),
     ({"A": ["s0", "s1"], "B": ["s2", "x"]}, "x is not loaded"), ({"A": ["s0", "s1"], "B": ["s2", "s3"]}, "")],
)  # fmt: skip
def test_variation_between_runs_needs_two_systems_with_two_runs(systems: dict[str, list[str]], what: str) -> None:
    names = ["s0", "s1", "s2", "s3"]
    if not what:
        size_compute._check(names, systems)
        return
    with pytest.raises(Undefined, match=what):
        size_compute._check(names, systems)


@pytest.mark.parametrize("found", [0, 11, 20])
def test_a_simulated_power_in_words(found: int) -> None:
    """Where the formula is outside of the exact interval, it says so."""
    for expected in (0.02, 0.55, 0.98):
        one = size_compute.Simulated("A", "B", 1.5, 100, 0.05, 20, found, expected, "BLEU", 2)
        low = beta.ppf(0.025, found, 21 - found) if found else 0.0
        high = beta.ppf(0.975, found + 1, 20 - found) if found < 20 else 1.0
        assert one.interval == pytest.approx((low, high), abs=1e-9)
        assert (
            f"in {5 * found}% of them [{100 * low:.0f}%, {100 * high:.0f}%]; the formula says {100 * expected:.0f}%."
            in str(one)
        )
        assert ("They differ" in str(one)) == (not low <= expected <= high)
        assert one.as_dict()["power"] == found / 20


def test_the_better_of_two_is_simulated_whatever_their_order() -> None:
    """From one segment and one draw on, up to the largest number of segments."""
    rng = np.random.default_rng(6)
    base = rng.normal(size=40)
    testset, outputs = score_set(base, base + rng.normal(0.8, 0.5, 40), base + rng.normal(0.8, 0.5, 40))
    run = size.draw(testset, outputs, OWN, size.SizePlan((20,)), HOW)
    one, other = (size.simulate(run, pair, 15, 0.05, 2) for pair in (("sys0", "sys1"), ("sys1", "sys0")))
    assert one == other
    assert (one.system, one.baseline, one.draws) == ("sys1", "sys0", 2)
    deviation = np.std(np.subtract(*[[float(x) for x in outputs[k].segments] for k in (1, 0)]), ddof=1)
    assert one.expected == pytest.approx(norm.cdf(one.gain / (deviation / math.sqrt(15)) - norm.ppf(0.975)))
    assert size.simulate(run, ("sys0", "sys1"), 1, 0.05, 1).draws == 1
    for segments, draws in ((0, 1), (size_compute.MOST_SEGMENTS + 1, 1), (1, 0)):
        with pytest.raises(OptionError, match="segments ="):
            size.simulate(run, ("sys0", "sys1"), segments, 0.05, draws)


@pytest.mark.parametrize("end", [0, 1])
def test_a_formula_at_an_end_of_the_simulation_does_not_differ(end: int) -> None:
    """An interval holds its ends: beyond one of them the simulation is what to plan with."""
    one = size_compute.Simulated("A", "B", 1.0, 100, 0.05, 40, 30, 0.5, "BLEU", 2)
    edge = one.interval[end]
    assert replace(one, expected=edge)._differ == ""
    beyond = np.nextafter(edge, -1.0 if end == 0 else 2.0)
    assert replace(one, expected=float(beyond))._differ.startswith(" They differ")
