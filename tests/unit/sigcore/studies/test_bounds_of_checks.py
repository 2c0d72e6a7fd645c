"""The check before submission at its bounds, with its words, and how many resamples are enough."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sigcore.data import Finding
from sigcore.studies import enough, report, statistics, units
from sigcore.studies.report import Case, Check
from sigcore.studies.units import DesignEffect
from sigcore.testset import Testset
from sigcore.types import DOCUMENT, SEGMENT
from tests.made import score_set
from tests.unit import factories
from tests.unit.sigcore.studies.test_report import SEGMENTS, case, outputs, with_setup

NOT_DOCUMENTED = Testset("t", "text", 100, (SEGMENTS,))
DOCUMENTED = replace(NOT_DOCUMENTED, documents=(*(f"d{k // 2}" for k in range(98)), "", " "), digest="")


def answer(name: str, of: Case) -> tuple[str, str]:
    (found,) = (one for one in report.check(of) if one.name == name)
    return found.state, found.answer


@pytest.mark.parametrize(
    ("severities", "state", "words"),
    [
        ((), "green", "The data checks found no error and no warning."), (("note",), "green", "The data checks found"),
        (("warning",), "amber", "It is warning 0."), (("warning", "warning", "error"), "red", "It is error 2."),
        (("error", "warning", "error"), "red", "It is error 0. (2 errors in all)"),
    ],
)  # fmt: skip
def test_the_most_serious_finding_is_named(severities: tuple[str, ...], state: str, words: str) -> None:
    findings = tuple(Finding(severity, f"It is {severity} {k}.") for k, severity in enumerate(severities))  # type: ignore[arg-type]
    found = answer("data", case(findings=findings))
    assert found[0] == state
    assert found[1].startswith(words)
    assert ("in all" in found[1]) is ("in all" in words)


@pytest.mark.parametrize(
    ("kind", "same", "state"), [("text", 95, "amber"), ("text", 94, "green"), ("scores", 95, "green")]
)
def test_outputs_with_95_percent_equal_segments_are_nearly_identical(kind: str, same: int, state: str) -> None:
    """Texts alone, and not runs of one system."""
    pair = (outputs("a", 0), outputs("b", 100 - same))
    testset = Testset("t", kind, 100, (SEGMENTS,) if kind == "text" else ())  # type: ignore[arg-type]
    found = answer("outputs", case(testset=testset, outputs=pair))
    assert found[0] == state
    if state == "amber":
        assert found[1] == "Nearly identical: a and b (95% of segments are identical)."
        assert answer("outputs", case(outputs=pair, runs={"x": ("a", "b")}))[0] == "green"
        assert answer("outputs", case(outputs=pair, runs={"x": ("a",), "y": ("b", "c")}))[0] == "amber"
        three = (outputs("c", 100), *pair)
        assert answer("outputs", case(outputs=three))[1] == found[1]


@pytest.mark.parametrize(
    ("runs", "unstable", "state", "words"),
    [
        ({"x": ("a", "b"), "y": ("c",)}, (), "amber", "Not of every system: there is only one run of y."),
        ({"x": ("a", "b"), "y": ("c", "d")}, (), "green", "Yes: 2 runs of each."),
        ({"x": ("a", "b", "e"), "y": ("c", "d")}, (), "green", "Yes: 2 to 3 runs of each."),
        ({"x": ("a", "b"), "y": ("c", "d")}, ("x",), "amber", "Yes, 2 runs; those of x differ so much"),
    ],
)
def test_runs_are_counted(runs: dict[str, tuple[str, ...]], unstable: tuple[str, ...], state: str, words: str) -> None:
    found = answer("runs", case(runs=runs, unstable=unstable))
    assert found[0] == state
    assert found[1].startswith(words)


@pytest.mark.parametrize(
    ("scores", "words"),
    [((40.0, 42.0), "the difference was chosen"), ((40.0, 42.0, 41.0), "each difference was chosen")],
)
def test_a_direction_is_chosen_before(scores: tuple[float, ...], words: str) -> None:
    assert words in answer("sides", case(factories.matrix(scores, side="greater")))[1]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "Yes: (c + 1) / (R + 1), with all ties counted against the gain."), ({"resamples": 0}, "Yes: it is exact."),
        ({"resamples": 0, "by_formula": True}, "Yes: it comes from a t distribution."),
    ],
)  # fmt: skip
def test_a_valid_p_says_of_what_it_is(changes: dict[str, Any], words: str) -> None:
    assert answer("rule", case(with_setup(**changes))) == ("green", words)


def test_the_setting_that_makes_p_valid_is_ties_first() -> None:
    (found,) = (
        one for one in report.check(case(with_setup(tie_rule="strict", estimator="paper"))) if one.name == "rule"
    )
    assert found.setting == ("ties", "counted")


@pytest.mark.parametrize(
    ("scores", "grids", "correction", "state", "words"),
    [
        ((1.0, 2.0), 1, "holm", "green", "There is one test: no correction is needed."),
        ((1.0, 2.0, 3.0), 1, "holm", "green", "Yes: Holm over 3 tests of 3 pairs."),
        ((1.0, 2.0, 3.0), 2, "holm", "green", "Yes: Holm over 3 tests of 3 pairs, in each grid."),
        ((1.0, 2.0, 3.0), 1, "none", "red", "No: 3 p-values without a correction; "),
    ],
)
def test_a_family_is_counted(scores: tuple[float, ...], grids: int, correction: str, state: str, words: str) -> None:
    found = answer("correction", replace(case(), results=(factories.matrix(scores, correction=correction),) * grids))
    assert found[0] == state
    assert found[1].startswith(words)
    assert ("each grid" in found[1]) is ("each grid" in words)


def test_the_grid_without_a_correction_decides_and_then_the_largest() -> None:
    """Of several grids."""
    small, large = factories.matrix((1.0, 2.0, 3.0)), factories.matrix((1.0, 2.0, 3.0, 4.0))
    none = factories.matrix((1.0, 2.0, 3.0), correction="none")
    for grids in ((small, large), (large, small)):
        assert "over 6 tests of 6 pairs" in answer("correction", replace(case(), results=grids))[1]
    for grids in ((none, large), (large, none)):
        assert answer("correction", replace(case(), results=grids))[0] == "red"


@pytest.mark.parametrize(
    ("changes", "documents", "state", "words"),
    [
        ({}, False, "unknown", "1,448 segments are resampled. The files do not say"),
        ({}, True, "amber", "1,448 segments are resampled, although the test set has 49 documents. These data cannot tell"),
        ({"left_aside": (1.1, 0.9, 1.25)}, True, "green", "1,448 segments are resampled, although the test set has 49 documents; their design effect is 1.10 [0.90, 1.25], so it matters little."),
        ({"left_aside": (1.1, 0.9, 1.2501)}, True, "amber", "1,448 segments are resampled, although the test set has 49 documents; their design effect is 1.10 [0.90, 1.25]. These"),
        ({"instead": "Because."}, True, "amber", "Because."),
        ({"caveat": "The documents matter.", "instead": "Because."}, True, "red", "The documents matter."),
        ({"caveat": "Few units.", "instead": "Because."}, True, "amber", "Because."),
        ({"unit": "document", "n": 49, "segments": 100}, True, "green", "49 documents (100 segments) are resampled."),
    ],
)  # fmt: skip
def test_the_unit_that_is_resampled(changes: dict[str, Any], documents: bool, state: str, words: str) -> None:
    found = answer("unit", case(with_setup(**changes), testset=DOCUMENTED if documents else NOT_DOCUMENTED))
    assert found[0] == state
    assert found[1].startswith(words)


def test_the_effect_of_the_unit_is_in_the_answer() -> None:
    result = factories.matrix(
        (1.0, 2.0), unit="document", n=30, segments=100, design_effect=np.array([[math.nan, 1.5], [1.5, math.nan]])
    )
    assert answer("unit", case(result)) == ("green", "30 documents (100 segments) are resampled; design effect 1.50.")


@pytest.mark.parametrize(
    ("n", "test", "state", "words"),
    [
        (report.LEAST_UNITS - 1, "approximate_randomization", "amber", "No: "), (report.LEAST_UNITS - 1, "bootstrap_shift", "red", "No: "),
        (report.LEAST_UNITS, "approximate_randomization", "amber", "Only "), (report.LEAST_UNITS, "bootstrap_shift", "amber", "Only "),
        (report.FEW_UNITS - 1, "approximate_randomization", "amber", "Only "), (report.FEW_UNITS - 1, "bootstrap_shift", "amber", "Only "),
        (report.FEW_UNITS, "approximate_randomization", "green", f"{report.FEW_UNITS} segments."), (report.FEW_UNITS, "bootstrap_shift", "green", f"{report.FEW_UNITS} segments."),
    ],
)  # fmt: skip
def test_enough_units(n: int, test: str, state: str, words: str) -> None:
    found = answer("size", case(with_setup(n=n, test=test)))
    assert found[0] == state
    assert found[1].startswith(words)
    assert ("bootstrap" in found[1]) is (state != "green" and (words == "No: " or test == "bootstrap_shift"))


@pytest.mark.parametrize(("least", "state"), [(0.05, "green"), (0.0501, "red")])
def test_units_and_resamples_that_can_reach_alpha(least: float, state: str) -> None:
    """A smallest p of alpha is small enough."""
    assert answer("size", case(with_setup(least_by_units=least)))[0] == state
    assert answer("resamples", case(with_setup(least_p=least)))[0] == state


@pytest.mark.parametrize(
    ("resamples", "setting"),
    [
        (9_999, "auto"),
        (10_000, "1000000"),
        (999_999, "1000000"),
        (1_000_000, None),
    ],
)
def test_more_resamples_are_the_next_of_some_numbers(resamples: int, setting: str | None) -> None:
    """Two open verdicts of three pairs, counted once for each pair; after a million they are borderline."""
    open_ = case(factories.matrix(p=[[1, 0.05, 0.2], [0.05, 1, 0.05], [0.2, 0.05, 1]], resamples=resamples))
    (found,) = (one for one in report.check(open_) if one.name == "resamples")
    assert found.state == "amber"
    left = f"2 verdicts could change with more than {resamples:,} resamples."
    assert found.answer == (left if setting else "2 verdicts are borderline: 1,000,000 resamples did not settle them.")
    assert found.setting == (None if setting is None else ("resamples", setting))


@pytest.mark.parametrize(
    ("by_formula", "words"), [(False, "None are needed: p is exact."), (True, "None are needed: p is by formula.")]
)
def test_without_resamples_none_are_needed(by_formula: bool, words: str) -> None:
    assert answer("resamples", case(with_setup(resamples=0, by_formula=by_formula))) == ("green", words)


def test_one_sided_verdicts_are_counted_in_both_directions() -> None:
    """Each cell is a test."""
    grid = factories.matrix((40.0, 42.0), p=[[1, 0.05], [0.05, 1]], side="greater")
    assert answer("resamples", case(grid))[1].startswith("2 verdicts could change")
    assert answer("resamples", case(replace(grid, setup=replace(grid.setup, side="two-sided"))))[1].startswith(
        "1 verdict could change"
    )


@pytest.mark.parametrize(
    ("metrics", "tests", "reported", "known", "state", "words", "also"),
    [
        (1, 1, ["bleu"], (), "green", "One metric with one test in this command.", None),
        (2, 1, ["bleu", "chrf"], (), "green", "2 metrics and 1 test in this command, and all are reported.", None),
        (
            2,
            1,
            ["bleu"],
            ("bleu", "chrf"),
            "amber",
            "2 metrics and 1 test in this command. A result chosen",
            "bleu,chrf",
        ),
        (2, 1, ["bleu"], (), "amber", "2 metrics and 1 test in this command. A result chosen", None),
        (1, 2, ["bleu"], ("bleu",), "amber", "1 metric and 2 tests in this command. A result chosen", None),
        (1, 2, ["bleu", "chrf"], ("bleu",), "amber", "1 metric and 2 tests in this command. A result chosen", None),
    ],
)
def test_what_was_tried_is_reported(
    metrics: int, tests: int, reported: list[str], known: tuple[str, ...], state: str, words: str, also: str | None
) -> None:
    grids = tuple(with_setup(metric=name) for name in reported)
    checks = report.check(replace(case(), results=grids, metrics=metrics, tests=tests, tried_metrics=known))
    (found,) = (one for one in checks if one.name == "tried")
    assert found.state == state
    assert found.answer.startswith(words)
    assert found.setting == (None if also is None else ("also", also))
    assert found.fix == (
        ""
        if state == "green"
        else "Report all metrics."
        if also
        else "Say which was chosen before the results were seen."
    )


def levels_of(*above: float) -> Any:
    """People's verdicts on three systems: of (a, b), (a, c), (b, c)."""
    grid = np.full((3, 3), math.nan)
    for (i, j), value in zip(((0, 1), (0, 2), (1, 2)), above, strict=True):
        grid[i, j], grid[j, i] = value, -value
    return SimpleNamespace(systems=("sys0", "sys1", "sys2"), levels=lambda _: grid)


@pytest.mark.parametrize(
    ("people", "state", "words"),
    [
        ((3.0, 0.0, 0.0), "green", "Yes: on all 3 pairs, of BLEU."), ((1.0, math.nan, 0.0), "green", "Yes: on all 2 pairs, of BLEU."),
        ((0.0, 0.0, 0.0), "amber", "Not on 1 of 3 pairs: BLEU has another verdict there, and the opposite one on none."),
        ((-1.0, 2.0, 0.0), "amber", "Not on 2 of 3 pairs: BLEU has another verdict there, and the opposite one on 1."),
        ((math.nan,) * 3, "green", "No pair was both rated and tested under BLEU."),
    ],
)  # fmt: skip
def test_people_and_the_metric(people: tuple[float, ...], state: str, words: str) -> None:
    """By the metric the first system is better than the second, and no other pair differs."""
    result = factories.matrix((42.0, 40.0, 41.0), p=[[1, 0.001, 0.5], [0.001, 1, 0.5], [0.5, 0.5, 1]])
    assert answer("people", case(result, people=levels_of(*people))) == (state, words)


def test_a_reason_acknowledges_what_is_not_green() -> None:
    """The worst state is that of the checks without one."""
    reasons = {"tuning": "Never seen.", "runs": "One.", "sides": "x"}
    checks = report.check(case(reasons=reasons))
    assert {one.name: one.reason for one in checks if one.reason} == {"tuning": "Never seen.", "runs": "One."}
    assert [one.open for one in checks if one.name in ("tuning", "sides", "unit")] == [False, False, True]
    every = [Check("a", "?", "amber", "."), Check("b", "?", "unknown", ".", reason="x"), Check("c", "?", "green", ".")]
    assert report.worst(every) == "amber"
    assert report.worst(every[1:]) == "green"


# ---- how many resamples are enough


@pytest.mark.parametrize(
    ("number", "found"),
    [(1, 1), (10_000, 10_000), (10_001, 20_000), (20_000, 20_000), (20_001, 50_000), (50_000, 50_000), (50_001, 100_000), (100_000, 100_000), (100_001, 200_000), (500_001, 1_000_000)],
)  # fmt: skip
def test_numbers_are_rounded_up_to_1_2_5(number: int, found: int) -> None:
    assert enough.rounded(number) == found


@pytest.mark.parametrize(
    ("pairs", "metrics", "first"),
    [(1, 1, 10_000), (50_000, 1, 10_000), (50_001, 1, 9_900), (25_000, 2, 10_000), (25_001, 2, 9_900), (100_000, 1, 5_000), (500_000, 1, 1_000), (5_000_000, 1, 1_000), (0, 1, 10_000)],
)  # fmt: skip
def test_the_first_resamples_fit_into_half_a_minute(pairs: int, metrics: int, first: int) -> None:
    """5 x 10^11 products, of which a pair has a thousand under each metric; at least a thousand, in two digits."""
    assert 5 * 10**11 // (1_000 * max(pairs * metrics, 1)) >= first or first == 1_000
    assert enough.opening(pairs, metrics) == first


def grid(p: float, low: float, high: float, resamples: int = 10_000, **changes: Any) -> Any:
    square = {
        name: np.array([[1.0, x], [x, 1.0]])
        for name, x in (("adjusted", p), ("adjusted_low", low), ("adjusted_high", high))
    }
    return factories.matrix((40.0, 42.0), resamples=resamples, least_p=1 / (resamples + 1), **square, **changes)


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_verdict_is_open_within_1_7_half_intervals_of_alpha(alpha: float, sign: int) -> None:
    """On both sides of p; it then needs four times as many, and none beyond that."""
    for times, is_open in ((1.69, True), (1.71, False)):
        p = alpha + sign * times * 0.001
        need = enough.needs(grid(p, p - 0.001, p + 0.001), alpha)
        assert need.tolist() == [[0, 40_000.0 * is_open], [40_000.0 * is_open, 0]]


def test_an_unreached_gain_needs_what_brings_its_upper_end_below_alpha() -> None:
    """The end falls as 1 / R: from 1.7 half intervals above p to alpha."""
    p, high = 0.0004, 0.0008
    assert enough.needs(grid(p, 0.0, high), 0.001)[0, 1] == pytest.approx(10_000 * (p + 1.7 * (high - p)) / 0.001)


@pytest.mark.parametrize(
    ("changes", "is_needed"),
    [({}, True), ({"resamples": 0}, False), ({"least_by_units": 0.05}, True), ({"least_by_units": 0.0501}, False), ({"least_p": 500.0}, True), ({"least_p": 501.0}, False)],
)  # fmt: skip
def test_nothing_is_needed_where_no_number_helps(changes: dict[str, Any], is_needed: bool) -> None:
    """Exact p, too few units, or a correction that keeps the smallest p of ten million resamples above alpha."""
    result = grid(0.05, 0.045, 0.055)
    if "least_p" in changes:
        changes = {"least_p": changes["least_p"] * 1_000 / 10_001 * enough.MOST / 10**7}
    result = replace(result, setup=replace(result.setup, **changes))
    assert bool(enough.needs(result, 0.05).any()) is is_needed


# ---- statistics and units


@pytest.mark.parametrize("number", [0, 1, 2, 9])
def test_differing_rows_are_counted(number: int) -> None:
    """Of right and wrong answers, of scores, and of systems with a value that only a third one has; -0 is 0."""
    for values in ([0.0, 1.0], [0.0, 0.5], [0.0, 1.0, 7.0], [-0.0, 3.0]):
        one = np.resize([0.0, values[1]], 9)
        other = one.copy()
        other[:number] = values[1] - other[:number]
        third = np.resize(values, 9)
        testset, outputs_ = score_set(one, other, third)
        (measured,) = statistics.measure(testset, outputs_, [("own_scores", {})])
        rows = [one, other, third]
        wanted = [[int((a != b).sum()) for b in rows] for a in rows]
        assert statistics.differing(measured.systems).tolist() == wanted
    assert statistics.differing([]).shape == (0, 0)


@pytest.mark.parametrize("differ", [0, 1, statistics.LEAST_UNITS - 1, statistics.LEAST_UNITS])
def test_too_few_units_differ(differ: int) -> None:
    """None at all is not too few: then p is 1."""
    assert statistics.too_few(np.array([differ])).tolist() == [0 < differ < statistics.LEAST_UNITS]


@pytest.mark.parametrize("n", [2, 3, 10])
def test_the_interval_of_a_design_effect_is_that_of_a_variance(n: int) -> None:
    """n - 1 degrees of freedom; of the median pair. It is clear two standard errors above 1."""
    from scipy.stats import chi2

    gains = np.full((3, 3), math.nan)
    gains[np.triu_indices(3, k=1)] = [1.5, 4.0, 2.0]
    effect = DesignEffect(DOCUMENT, n, gains, np.ones(3))
    ends = [2.0 * (n - 1) / chi2.ppf(tail, n - 1) for tail in (0.975, 0.025)]
    assert effect.interval == pytest.approx((2.0, *ends))
    bound = 1 + 2 * math.sqrt(2 / (n - 1))
    for value, clear in ((bound - 1e-9, False), (bound + 1e-9, True)):
        gains = np.full((2, 2), math.nan)
        gains[0, 1] = value
        assert DesignEffect(DOCUMENT, n, gains, np.ones(2)).clear is clear


@pytest.mark.parametrize("n", [0, 1])
def test_one_unit_has_no_interval_of_its_effect(n: int) -> None:
    gains = np.array([[math.nan, 2.0], [2.0, math.nan]])
    assert all(math.isnan(value) for value in DesignEffect(DOCUMENT, n, gains, np.ones(2)).interval)
    none = DesignEffect(DOCUMENT, 9, np.full((2, 2), math.nan), np.ones(2))
    assert all(math.isnan(value) for value in none.interval)
    assert none.clear is False


@pytest.mark.parametrize(
    ("blank", "words", "place"), [((2,), "1 segment has no document.", 3), ((0, 3), "2 segments have no document.", 1)]
)
def test_segments_without_a_document_are_named(blank: tuple[int, ...], words: str, place: int) -> None:
    names = tuple(" " if k in blank else "d" for k in range(4))
    testset = Testset("t", "text", 4, (("a",) * 4,), documents=names)
    with pytest.raises(units.MismatchError) as refused:
        units.groups(testset, DOCUMENT)
    assert words in str(refused.value)
    assert f"segment {place}" in str(refused.value)
    assert units.documents_of(testset) is None
    assert units.groups(testset, SEGMENT) is None


def test_sums_of_units_are_those_of_their_segments() -> None:
    testset, outputs_ = score_set([1.0, 2.0, 4.0, 8.0], np.zeros(4))
    (measured,) = statistics.measure(testset, outputs_, [("own_scores", {})])
    item = measured.systems[0]
    sums = units.summed(item, np.array([1, 0, 1, 2]))
    assert sums.values.tolist() == [
        item.values[[1]].sum(axis=0).tolist(),
        item.values[[0, 2]].sum(axis=0).tolist(),
        item.values[3].tolist(),
    ]
    assert units.summed(replace(item, values=item.values[:0]), np.zeros(0, dtype=np.intp)).values.shape == (
        0,
        item.values.shape[1],
    )
