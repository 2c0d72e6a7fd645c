"""What is found of the claims of papers, from small made-up results: every number by hand, and each conclusion at its bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sigcore.resampling.pvalues import clopper_pearson
from sigcore.results import GainResult
from sigcore.studies.domains import Cell
from sigcore.studies.gain import DIFFERENT, MIXED_APART, MIXED_TOGETHER, SAME, Threshold
from sigcore.studies.reproduce import berg_kirkpatrick
from sigcore.studies.size import Size
from tests.unit import factories


def points(gains: Sequence[float], p: Sequence[float], classes: Sequence[str] = ()) -> GainResult:
    names = tuple(classes) or ("",) * len(gains)
    values = np.array(p)
    return factories.gain(
        len(gains), gains=np.array(gains), p_values=values, confidence=1 - values, pair_class=names, segments=1, n=1
    )


def claim_of(*part: str, printed: float | None = None) -> Any:
    return SimpleNamespace(part=part, needs="text", printed=printed)


def bench_of(real: GainResult, mixed: GainResult | None = None) -> Any:
    return (
        SimpleNamespace(points=lambda _, __, mixed: made[mixed], seed=7)
        if (made := {False: real, True: mixed})
        else None
    )


def limit(name: str, value: float, low: float, high: float, n: int = 20) -> Threshold:
    return Threshold(name, value, n, low, high, 0.1, 99, synthetic=True)


NEAR = [0.05] * 30  # borderline pairs, enough for a threshold


# ---- Berg-Kirkpatrick et al. 2012


@pytest.mark.parametrize(("significant", "same"), [(200, True), (95, True), (94, False), (0, False)])
def test_a_threshold_holds_where_95_percent_above_it_are_significant(significant: int, same: bool) -> None:
    """p of .05 is not significant: of 101 borderline gains from 0 to 1 the threshold is .95, and five are above it."""
    gains = [k / 100 for k in range(101)]
    real = points([*gains, *[2.0] * significant], [*[0.05] * 101, *[0.01] * significant])
    found = berg_kirkpatrick.has_threshold(bench_of(real), claim_of("bleu"))
    assert found.value == pytest.approx(0.95)
    assert found.same is same
    assert f"Of {significant + 5} pairs above the threshold {significant} are significant" in found.said
    assert "real systems" in found.said
    assert "101 are borderline" in found.said
    assert found.reason == ""


@pytest.mark.parametrize("p", [0.0499, 0.05])
def test_real_pairs_are_taken_where_they_have_a_threshold(p: float) -> None:
    """Else mixtures, in a panel of their own beside the first; and where no pair is above it, nothing is concluded."""
    few, many = points([1.0], [0.05]), points([1.0] * 30 + [2.0], [*NEAR, 0.001], [MIXED_APART] * 31)
    found = berg_kirkpatrick.has_threshold(bench_of(few, many), claim_of("bleu"))
    assert (found.value, found.same) == (1.0, True)
    assert "mixtures, because real pairs are few" in found.said
    assert [(panel.row, panel.column) for panel in found.panels] == [(0, 0), (0, 1)]
    none = berg_kirkpatrick.has_threshold(bench_of(few, few), claim_of("bleu"))
    assert math.isnan(none.value)
    assert none.same is None
    assert none.reason.startswith("No threshold: 1 pair with p from 0.04 to 0.06")
    alone = berg_kirkpatrick.has_threshold(bench_of(points([1.0] * 30, [p] * 30)), claim_of("bleu"))
    assert (alone.value, alone.same, alone.reason) == (1.0, None, "No pair has a gain above the threshold.")
    assert len(alone.panels) == 1


def test_a_scatter_has_a_series_for_each_class_with_a_p() -> None:
    """By name; pairs without a class or p are left out where others have one."""
    result = points([1.0, 2.0, 3.0, 4.0], [0.1, 0.2, math.nan, 0.4], ["b", "a", "a", ""])
    panel = berg_kirkpatrick.scatter(result, "t")
    assert [(one.name, np.asarray(one.x).tolist(), np.asarray(one.y).tolist()) for one in panel.series] == [
        ("a", [2.0], [0.8]), ("b", [1.0], [0.9]),
    ]  # fmt: skip
    assert berg_kirkpatrick.scatter(points([1.0], [math.nan]), "t").series == ()
    many = points([1.0] * 9, [0.1] * 9, list("hcafbdgie"))
    assert "".join(one.name for one in berg_kirkpatrick.scatter(many, "t").series) == "abcdefghi"


@pytest.mark.parametrize(
    ("p", "is_used"), [(0.00099, False), (0.001, True), (0.05, True), (0.4, True), (0.401, False), (math.nan, False)]
)
def test_the_gain_that_a_pair_needs_follows_from_its_p(p: float, is_used: bool) -> None:
    """A gain of z standard errors needs 1.645 of them for p .05; p that is too small or too large says little."""
    (needed,) = berg_kirkpatrick.needed_gains(points([2.0], [p]))
    if is_used:
        assert needed == pytest.approx(2.0 / stats.norm.isf(p) * 1.6448536269514722)
    else:
        assert math.isnan(needed)


@pytest.mark.parametrize(
    ("same", "apart", "conclusion"),
    [([1.0, 1.1], [2.0, 2.1], True), ([2.0, 2.1], [1.0, 1.1], False), ([1.0, 3.0], [1.5, 3.5], None), ([1.0], [2.0, 2.1], None), ([1.0, 1.1], [2.0], None)],
)  # fmt: skip
def test_groups_are_told_apart_by_their_medians(same: list[float], apart: list[float], conclusion: bool | None) -> None:
    """Two pairs of each are needed, and an interval without 0. With p .05 a pair needs the gain that it has."""
    real = points(
        [*same, *apart, 9.0],
        [*[0.05] * len(same + apart), math.nan],
        [SAME] * len(same) + [DIFFERENT] * len(apart) + [SAME],
    )
    found = berg_kirkpatrick.alike_are_lower(bench_of(real), claim_of("bleu"))
    assert found.same is conclusion
    assert [row["pairs used"] for row in found.rows] == [len(same), len(apart)]
    assert [row["median gain with p 0.05"] for row in found.rows] == pytest.approx([np.median(same), np.median(apart)])
    if min(len(same), len(apart)) < 2:
        assert math.isnan(found.value)
        assert "Two each are needed" in found.reason
    else:
        assert found.value == pytest.approx(np.median(apart) - np.median(same))
        assert found.low <= found.value <= found.high
        # all resamples of two values: both the same in one half of them, else their mean
        ends = min(apart) - max(same), max(apart) - min(same)
        assert (found.low, found.high) == pytest.approx(ends)
        assert ("cannot tell" in found.reason) is (conclusion is None)


@pytest.mark.parametrize(
    ("low", "high", "same"), [(0.0, 2.0, None), (1e-9, 2.0, True), (-2.0, 0.0, None), (-2.0, -1e-9, False)]
)
def test_an_interval_that_ends_at_0_contains_it(
    low: float, high: float, same: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of medians, and of thresholds."""
    made = (high + low) / 2, low, high
    monkeypatch.setattr(berg_kirkpatrick, "_median_difference", lambda *_: made)
    monkeypatch.setattr(berg_kirkpatrick, "difference", lambda *_: made)
    limits = (limit(MIXED_APART, 2.0, 1.0, 3.0), limit(MIXED_TOGETHER, 1.0, 0.5, 2.0))
    monkeypatch.setattr(berg_kirkpatrick.gain, "thresholds", lambda _: limits)
    real = points([1.0, 1.0, 2.0, 2.0], [0.05] * 4, [SAME, SAME, DIFFERENT, DIFFERENT])
    for found in (
        berg_kirkpatrick.alike_are_lower(bench_of(real), claim_of("bleu")),
        berg_kirkpatrick.two_thresholds(bench_of(real, real), claim_of("bleu")),
    ):
        assert found.same is same
        assert ("contains 0" in found.reason) is (same is None)


@pytest.mark.parametrize(
    ("low", "high", "same"),
    [
        (-0.5, -0.1, True),
        (-0.9, -0.5, True),
        (-0.49, -0.1, False),
        (-0.9, -0.51, False),
        (-0.9, 0.0, None),
        (-0.9, -1e-9, True),
    ],
)
def test_an_interval_of_a_slope_may_end_at_a_half(
    low: float, high: float, same: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(berg_kirkpatrick, "fitted", lambda *_: ((low + high) / 2, low, high))
    result = sizes_of((MIXED_APART, (100, 200, 400), (4.0, 2.0, 1.0)))
    found = berg_kirkpatrick.slope_of_sizes(SimpleNamespace(sizes=lambda *_: result), claim_of("bleu"))
    assert found.same is same
    assert ("contains 0" in found.reason) is (same is None)


def test_a_group_without_pairs_has_no_median() -> None:
    found = berg_kirkpatrick.alike_are_lower(bench_of(points([1.0], [0.05], [DIFFERENT])), claim_of("bleu"))
    assert [row["median gain with p 0.05"] for row in found.rows] == [None, pytest.approx(1.0)]


@pytest.mark.parametrize(
    ("apart", "together", "same"),
    [
        ((2.0, 1.9, 2.1), (1.0, 0.9, 1.1), True),
        ((1.0, 0.9, 1.1), (2.0, 1.9, 2.1), False),
        ((2.0, 1.0, 3.0), (1.5, 0.5, 2.5), None),
    ],
)
def test_two_thresholds_differ_where_the_interval_excludes_zero(
    apart: tuple[float, ...], together: tuple[float, ...], same: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = (limit(MIXED_APART, *apart), limit(MIXED_TOGETHER, *together))
    monkeypatch.setattr(berg_kirkpatrick.gain, "thresholds", lambda _: limits)
    bench = bench_of(points([1.0], [0.1]), points([1.0], [0.1]))
    found = berg_kirkpatrick.two_thresholds(bench, claim_of("bleu"))
    assert (found.value, found.same) == (apart[0] - together[0], same)
    assert (found.low, found.high) == berg_kirkpatrick.difference(*limits)[1:]
    assert ("cannot tell" in found.reason) is (same is None)
    assert [row["threshold"] for row in found.rows] == [apart[0], together[0]]
    assert [(panel.row, panel.column) for panel in found.panels] == [(0, 0), (0, 1)]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ([limit(MIXED_TOGETHER, 1.0, 0.9, 1.1)], "All mixtures are of the same two systems."),
        (
            [limit(MIXED_APART, math.nan, math.nan, math.nan, 3), limit(MIXED_TOGETHER, 1.0, 0.9, 1.1)],
            f"No threshold of {MIXED_APART}: 3 pairs",
        ),
        ([limit(MIXED_TOGETHER, math.nan, math.nan, math.nan, 3)], f"No threshold of {MIXED_TOGETHER}: 3 pairs"),
    ],
)
def test_without_both_thresholds_there_is_no_difference(
    limits: list[Threshold], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers that are not there are null in the table."""
    monkeypatch.setattr(berg_kirkpatrick.gain, "thresholds", lambda _: tuple(limits))
    found = berg_kirkpatrick.two_thresholds(bench_of(points([1.0], [0.1]), points([1.0], [0.1])), claim_of("bleu"))
    assert math.isnan(found.value)
    assert found.reason.startswith(reason)
    for row, one in zip(found.rows, limits, strict=True):
        values = [None if math.isnan(one.threshold) else number for number in (one.threshold, one.low, one.high)]
        assert [row[name] for name in ("threshold", "low", "high")] == values


@pytest.mark.parametrize(("significant", "same"), [(20, True), (19, True), (18, False)])
def test_a_threshold_of_one_class_holds_for_pairs_of_the_class(significant: int, same: bool) -> None:
    gains = [1.0] * 400 + [2.0] * 20 + [3.0] * 5
    p = [0.05] * 400 + [0.01] * significant + [0.3] * (20 - significant) + [0.9] * 5
    mixed = points(gains, p, [MIXED_APART] * 420 + [MIXED_TOGETHER] * 5)
    found = berg_kirkpatrick.one_threshold(bench_of(mixed, mixed), claim_of("bleu", MIXED_APART))
    assert (found.value, found.same) == (1.0, same)
    assert f"Of 20 pairs of the class above the threshold {significant} are significant" in found.said
    none = berg_kirkpatrick.one_threshold(bench_of(mixed, mixed), claim_of("bleu", MIXED_TOGETHER))
    assert none.reason.startswith("No threshold: 0 pairs")
    gone = berg_kirkpatrick.one_threshold(
        bench_of(mixed, points([1.0], [0.1], [MIXED_APART])), claim_of("bleu", MIXED_TOGETHER)
    )
    assert gone.reason == "There are no mixtures of different systems."
    equal = points(gains[:400], p[:400], [MIXED_APART] * 400)
    found = berg_kirkpatrick.one_threshold(bench_of(equal, equal), claim_of("bleu", MIXED_APART))
    spaced = points([k / 100 for k in range(101)], [0.05] * 101, [MIXED_APART] * 101)
    above = berg_kirkpatrick.one_threshold(bench_of(spaced, spaced), claim_of("bleu", MIXED_APART))
    assert (above.same, above.reason) == (False, "")
    assert "Of 5 pairs of the class above the threshold 0 are significant" in above.said
    assert (found.same, found.reason) == (None, "No pair has a gain above the threshold.")


def sizes_of(*curves: tuple[str, Sequence[int], Sequence[float]]) -> Any:
    """Thresholds by size, with one pair of each."""
    made = tuple(
        Size(limit(name, value, value - 0.1, value + 0.2), segments, float(segments), 2_000, np.array([value, 9.0]), np.array([0.25, math.nan]))
        for name, of, limits in curves
        for segments, value in zip(of, limits, strict=True)
    )  # fmt: skip
    return SimpleNamespace(setup=SimpleNamespace(metric_title="BLEU"), curve=made)


@pytest.mark.parametrize(
    ("apart", "together", "name", "value"),
    [(3, 3, MIXED_APART, -1.0), (3, 2, MIXED_APART, -1.0), (2, 3, MIXED_TOGETHER, -0.5), (2, 2, MIXED_APART, None), (2, 0, MIXED_APART, None)],
)  # fmt: skip
def test_a_slope_needs_three_sizes(apart: int, together: int, name: str, value: float | None) -> None:
    """Of different systems, else of the same two. Sizes beyond the test set have no threshold."""
    result = sizes_of(
        (MIXED_APART, (100, 200, 400)[:apart], (4.0, 2.0, 1.0)[:apart]),
        (MIXED_TOGETHER, (100, 400, 1600)[:together], (2.0, 1.02, 0.5)[:together]),
        (MIXED_APART, (3_000,), (7.0,)),
    )
    found = berg_kirkpatrick.slope_of_sizes(SimpleNamespace(sizes=lambda *_: result), claim_of("bleu"))
    assert found.said.startswith(f"Thresholds of {name} on the first 100, ")
    assert len(found.rows) == len(result.curve)
    if value is None:
        assert math.isnan(found.value)
        assert found.reason == "A slope needs thresholds on three sizes."
    else:
        assert found.value == pytest.approx(value)
        assert found.same is (value == -0.5)


def test_a_slope_below_zero_says_the_same_only_with_a_half_inside() -> None:
    """Neither end may be beyond it."""
    for limits, same in (
        ((4.0, 2.8, 2.0, 1.42), True),
        ((4.0, 3.9, 3.8, 3.7), False),
        ((4.0, 1.0, 0.25, 0.0625), False),
    ):
        result = sizes_of((MIXED_APART, (100, 200, 400, 800), limits))
        found = berg_kirkpatrick.slope_of_sizes(
            SimpleNamespace(sizes=lambda *_, result=result: result), claim_of("bleu")
        )
        assert found.high < 0
        assert found.same is (found.low <= -0.5 <= found.high) is same


def test_the_panels_of_sizes() -> None:
    """Confidence by size without pairs that have no p, and a line for each class with a threshold."""
    pairs, lines = berg_kirkpatrick.by_size(
        sizes_of((MIXED_APART, (100, 200), (4.0, 2.0)), (MIXED_TOGETHER, (100,), (1.0,)), ("none", (3_000,), (1.0,)))
    )
    assert [(one.name, np.asarray(one.x).tolist(), np.asarray(one.y).tolist()) for one in pairs.series] == [
        ("100 segments", [4.0, 1.0], [0.75, 0.75]), ("200 segments", [2.0], [0.75]), ("3,000 segments", [1.0], [0.75]),
    ]  # fmt: skip
    assert [(one.name, one.x, one.y) for one in lines.series] == [
        (MIXED_APART, [100, 200], [4.0, 2.0]),
        (MIXED_TOGETHER, [100], [1.0]),
    ]
    assert lines.series[0].low == pytest.approx([3.9, 1.9])
    assert lines.series[0].high == pytest.approx([4.2, 2.2])
    assert (pairs.row, pairs.column, lines.row, lines.column, pairs.log, lines.log) == (0, 0, 0, 1, False, True)


@pytest.mark.parametrize(
    ("values", "width", "same"),
    [
        ((2.0, 3.0, 2.4), 0.01, True),
        ((1.0, 2.0), 0.0, False),
        ((1.0, 1.9), 0.0, True),
        ((1.0, 3.0), 0.01, False),
        ((1.0, 2.0), 0.01, None),
        ((1.0, 1.9), 0.5, None),
        ((1.0,), 0.01, None),
    ],
)
def test_domains_are_alike_where_no_threshold_is_twice_another(
    values: tuple[float, ...], width: float, same: bool | None
) -> None:
    """The interval takes the relative half widths of both."""
    names = "abc"
    sizes = [(names[k], Size(limit(MIXED_APART, x, x - width, x + width), 50, 50.0, 80)) for k, x in enumerate(values)]
    sizes += [
        ("z", Size(limit(MIXED_TOGETHER, 99.0, 98.0, 100.0), 50, 50.0, 80)),
        ("y", Size(limit(MIXED_APART, 99.0, 98.0, 100.0), 90, 50.0, 80)),
    ]
    curves = [
        SimpleNamespace(domain=name, gains=np.array([1.0]), p_values=np.array([0.2]), synthetic=made)
        for name, made in (("a", True), ("b", False))
    ]
    result = SimpleNamespace(
        sizes=sizes,
        curves=curves,
        setup=SimpleNamespace(metric_title="BLEU"),
        domains=names[: len(values)],
        segments=[70, 50],
    )
    found = berg_kirkpatrick.domains_alike(
        SimpleNamespace(elsewhere=lambda metric: {"bleu": result}[metric]), claim_of("bleu")
    )
    assert "with 50 segments each" in found.said
    assert [row["domain"] for row in found.rows] == list(names[: len(values)])
    assert [(one.name, one.y.tolist()) for one in found.panels[0].series] == [("a", [0.8])]  # type: ignore[union-attr]
    assert found.same is same
    if len(values) < 2:
        assert found.reason == "Fewer than two domains have a threshold."
        return
    ratio = max(values) / min(values)
    spread = math.hypot(width / max(values), width / min(values))
    assert (found.value, found.low, found.high) == pytest.approx(
        (ratio, ratio * math.exp(-spread), ratio * math.exp(spread))
    )
    assert ("cannot tell" in found.reason) is (same is None)


@pytest.mark.parametrize(
    ("agree", "pairs", "same"), [(46, 50, True), (10, 50, False), (869, 942, True), (942, 942, False), (0, 0, None)]
)
def test_a_calibration_says_the_same_where_intervals_overlap(agree: int, pairs: int, same: bool | None) -> None:
    bins = [
        SimpleNamespace(low=0.0, high=0.04, agree=3, pairs=4),
        SimpleNamespace(low=0.04, high=0.09, agree=0, pairs=0),
    ]
    made = SimpleNamespace(agree=agree, pairs=pairs, bins=bins)
    prepared = SimpleNamespace(n=1700, real=None, setup=SimpleNamespace(metric_title="BLEU"))
    bench = SimpleNamespace(prepared=lambda *_: prepared, once=lambda *_: made, metric="")
    found = berg_kirkpatrick.calibrated(bench, claim_of("bleu"))
    assert found.same is same
    assert "200 test sets of 1600 segments drawn from 1,700" in found.said
    assert (found.low, found.high) == pytest.approx([100 * float(end) for end in clopper_pearson(agree, pairs)])
    assert math.isnan(found.value) if not pairs else found.value == pytest.approx(100 * agree / pairs)
    assert found.rows == ({"p from": 0.0, "p to": 0.04, "right": 3, "tests": 4},)
    (line,) = found.panels[0].series
    assert (line.x, line.y) == ([pytest.approx(math.sqrt(1e-4 * 0.04))], [75.0])
    assert [line.low, line.high] == [[pytest.approx(100 * float(end))] for end in clopper_pearson(3, 4)]
    assert bool(found.reason) is (pairs == 0)


@pytest.mark.parametrize(
    ("low", "high", "tells"),
    [(50.01, 90, True), (50, 90, None), (10, 59.99, False), (10, 60, None), (55, 58, True), (40, 50, False)],
)
def test_what_a_share_of_signs_tells(low: float, high: float, tells: bool | None) -> None:
    assert berg_kirkpatrick.informs(low, high) is tells


@pytest.mark.parametrize(
    ("same", "pairs", "printed", "conclusion"),
    [
        (95, 100, 60, True),
        (95, 100, 59, False),
        (5, 100, 59, True),
        (5, 100, 60, False),
        (55, 100, 92, None),
        (0, 0, 92, None),
    ],
)
def test_signs_elsewhere_are_compared_with_the_printed_share(
    same: int, pairs: int, printed: float, conclusion: bool | None
) -> None:
    """Both are useful (from 60% on, or above a coin), or neither is. Mixtures stand for real systems where there are some."""
    table = [Cell(0.01, 0.02, "a", pairs, same), Cell(0.02, 0.04, "a", 0, 0), Cell(0.01, 0.02, "b", 9, 0)]
    held = SimpleNamespace(table=table, borderline=(Cell(0.04, 0.06, "a", 4, 4),))
    other = SimpleNamespace(table=[], borderline=())
    result = SimpleNamespace(mixed=held, real=other, home="home", setup=SimpleNamespace(metric_title="BLEU"))
    part = ("bleu", "0.01", "0.02", "near")
    found = berg_kirkpatrick.signs_elsewhere(
        SimpleNamespace(elsewhere=lambda metric: {"bleu": result}[metric]), claim_of(*part, printed=printed)
    )
    assert found.same is conclusion
    assert len(found.rows) == 4
    if not pairs:
        assert found.reason == "No pair has p from 0.01 to 0.02 on home."
        return
    assert found.said.startswith(f"{same} of {pairs} pairs.")
    assert (found.value, found.low, found.high) == pytest.approx(
        (100 * same / pairs, *(100 * float(end) for end in clopper_pearson(same, pairs)))
    )
    assert ("cannot tell" in found.reason) is (conclusion is None)
    lines = {one.name: one for one in found.panels[0].series}
    assert np.asarray(lines["a"].x) == pytest.approx([math.sqrt(0.01 * 0.02)])
    assert lines["a"].y == [100 * same / pairs]
    assert [lines["a"].low, lines["a"].high] == [[found.low], [found.high]]
    alone = SimpleNamespace(**{**vars(result), "mixed": None, "real": held})
    again = berg_kirkpatrick.signs_elsewhere(
        SimpleNamespace(elsewhere=lambda metric: {"bleu": alone}[metric]), claim_of(*part, printed=printed)
    )
    assert again.value == found.value


def test_a_cell_without_pairs_has_no_share() -> None:
    assert berg_kirkpatrick.sign_row(Cell(0.01, 0.02, "a", 0, 0))["percent"] is None
    row = berg_kirkpatrick.sign_row(Cell(0.01, 0.02, "a", 4, 3))
    assert (row["percent"], row["same sign"], row["pairs"]) == (75.0, 3, 4)
