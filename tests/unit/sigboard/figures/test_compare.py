"""The null of one test of a pair, large and small."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from sigboard.questions.compare.figure import FEW, alt_text, clicked, small, stacked, stage, steps
from sigboard.render.bars import bars, lines, p_label, span
from sigboard.render.style import enlarged
from sigcore.formatting import format_gain
from sigcore.results import Histogram, TestResult
from tests.unit.factories import HOSTILE, compare, one_test

HISTOGRAM = Histogram(np.array([-1.0, 0.0, 1.0]), np.array([40, 60]))


def test_bins_aligned_to_the_cutoff_are_not_split() -> None:
    """Where the cut-off is an edge, each bin is one bar."""
    pieces = bars(HISTOGRAM, (0.0, np.inf))
    assert pieces.tail.tolist() == [True, False]
    assert pieces.heights.tolist() == [40, 60]
    assert not pieces.split.any()


def test_a_straddling_bin_is_split_at_the_cutoff() -> None:
    """A bin with the cut-off inside becomes two pieces of one height, only the outer one coloured."""
    pieces = bars(HISTOGRAM, (-np.inf, 0.25))
    assert pieces.left.tolist() == [-1.0, 0.0, 0.25]
    assert pieces.heights.tolist() == [40, 60, 60]
    assert pieces.tail.tolist() == [False, False, True]
    assert pieces.split.tolist() == [False, True, True]


def test_both_cutoffs_in_one_bin() -> None:
    """Two cut-offs inside one bin leave the middle piece neutral."""
    pieces = bars(Histogram(np.array([-1.0, 1.0]), np.array([10])), (-0.5, 0.5))
    assert pieces.tail.tolist() == [True, False, True]


def test_area_is_mass_for_unequal_bins() -> None:
    """A bin half as wide is twice as high for the same count."""
    pieces = bars(Histogram(np.array([0.0, 1.0, 2.0, 2.5]), np.array([10, 10, 10])), (-np.inf, np.inf))
    assert pieces.heights.tolist() == [10, 10, 20]


def test_a_null_of_one_value_is_one_bar() -> None:
    """Identical systems: all resamples at 0 are one bar that counts."""
    pieces = bars(Histogram(np.array([0.0, 0.0]), np.array([100])), (0.0, 0.0))
    assert pieces.tail.tolist() == [True]
    assert pieces.left[0] < 0 < pieces.right[0]


def texts(figure: go.Figure) -> list[str]:
    """All annotations of a figure."""
    return [note.text for note in figure.layout.annotations]


def drawn(item: TestResult, **more: Any) -> go.Figure:
    """The large histogram of a pair that has only this test."""
    return stage(compare(item), item, **more)


def test_a_clicked_bar_has_its_ends_and_a_dot_its_gain() -> None:
    """The browser sends the two gains of a bar as a list or by their places; nothing else is a bar."""
    bar, dots = (
        figure.data[0] for figure in (drawn(one_test()), drawn(replace(one_test(), null=np.arange(3.0)), first=2))
    )
    ends = [float(end) for end in bar.customdata[0]]
    assert (
        clicked([{"customdata": ends}]) == clicked([{"customdata": dict(zip("01", ends, strict=True))}]) == tuple(ends)
    )
    assert ends == pytest.approx([bar.x[0] - bar.width[0] / 2, bar.x[0] + bar.width[0] / 2])
    assert clicked([{"customdata": dots.customdata[1].tolist()}]) == (1.0, 1.0)
    assert clicked([]) is clicked([{"x": 1.0}]) is clicked([{"customdata": {"0": 1.0}}]) is None


@pytest.mark.parametrize("edges", [[0.0, 0.0], [-0.5, 0.5]])
def test_identical_systems_do_not_break(edges: list[float]) -> None:
    """A pair without any difference gives a figure, all of it in the tail."""
    item = one_test(
        gain=0.0, histogram=Histogram(np.array(edges), np.array([100])), cutoffs=(-0.0, 0.0), tail=100, ties=100
    )
    figure = drawn(item)
    assert len(set(figure.data[0].marker.color)) == 1
    assert [text for text in texts(figure) if "100 on the cut-off" in text]


def test_all_tests_of_a_side_share_one_axis() -> None:
    """The large and the small histograms of a side have the same axis of gains; a test of another side does not count."""
    far = Histogram(np.array([-9.0, 9.0]), np.array([100]))
    tests = one_test(), one_test("bootstrap_shift"), one_test("paired_bootstrap", side="greater", histogram=far)
    result = compare(*tests)
    whole = stage(result, tests[0]).layout.xaxis.range
    assert whole == small(result, tests[1]).layout.xaxis.range
    assert whole[1] < 9 < small(result, tests[2]).layout.xaxis.range[1]


def test_both_histograms_have_scales() -> None:
    """The large and the small histogram say what both axes count, with readable ticks inside the figure."""
    for figure, foot in ((stage(compare(), compare().chief), 40), (small(compare(), compare().chief), 32)):
        x, y = figure.layout.xaxis, figure.layout.yaxis
        assert x.title.text.startswith("gain")
        assert "BLEU" in x.title.text
        assert y.title.text.startswith("resamples")
        for axis in (x, y):
            assert (axis.visible, axis.showticklabels) == (None, None)  # as usual: drawn
            assert axis.tickfont.size >= 11
        assert figure.layout.margin.b >= foot
        assert figure.layout.margin.l >= 40


def test_lines_name_gain_and_mirror() -> None:
    """A two-sided null has the gain solid and its mirror dashed, even where the cut-off carries a tolerance."""
    drawn_lines = lines(one_test(cutoffs=(-0.62 + 1e-9, 0.62 - 1e-9)))
    assert [(words, solid) for _, words, solid in drawn_lines] == [("mirror −0.62", False), ("gain +0.62", True)]


def test_paired_bootstrap_has_its_cutoff_at_zero() -> None:
    """The null of the paired bootstrap is cut at zero, not at the gain."""
    drawn_lines = lines(one_test("paired_bootstrap", cutoffs=(0.0, np.inf)))
    assert [(words, solid) for _, words, solid in drawn_lines] == [("cut-off 0", False), ("gain +0.62", True)]


def test_twice_the_gain_is_named() -> None:
    """The null of the two-delta bootstrap is cut at twice the gain."""
    assert [words for _, words, _ in lines(one_test(cutoffs=(-np.inf, 1.24)))] == ["gain +0.62", "2 × gain"]


def test_p_and_tail_are_written() -> None:
    """The tail area is labelled with p and its count; ties only where there are some."""
    words = texts(drawn(one_test()))
    assert "p = 0.0039, 38 of 10,000 resamples" in words
    assert not any("on the cut-off" in text for text in words)
    assert any("7 on the cut-off" in text for text in texts(drawn(one_test(ties=7))))


NULL = np.random.default_rng(3).normal(0, 0.24, 10_000)


def kept(null: np.ndarray = NULL, cutoffs: tuple[float, float] = (-0.62, 0.62)) -> TestResult:
    """A test whose resamples were kept, with the tail they have."""
    tail = int(((null <= cutoffs[0]) | (null >= cutoffs[1])).sum())
    edges = np.arange(-62, 63) / 50  # edges on the cut-offs
    counts = np.histogram(null, edges)[0]
    return one_test(null=null, histogram=Histogram(edges, counts), tail=tail, cutoffs=cutoffs)


def test_few_resamples_of_a_tail_are_dots() -> None:
    """Each resample at or beyond a cut-off is one dot of an inset at its own gain, and the inset has their number."""
    item = kept()
    figure = drawn(item)
    for axis, own, sign in (("x2", NULL[NULL <= -0.62], "≤ −0.62"), ("x3", NULL[NULL >= 0.62], "≥ 0.62")):
        (dots,) = [trace for trace in figure.data if trace.xaxis == axis]
        assert 0 < len(own) <= FEW
        assert dots.mode == "markers"
        assert sorted(dots.x) == sorted(own)
        assert len(set(zip(dots.x, dots.y, strict=True))) == len(own)
        assert f"{len(own)} at {sign}<br>each a dot" in texts(figure)


def test_dots_do_not_need_the_single_resamples() -> None:
    """Where only the histogram was kept, the number of dots is that of its bins; where a bin contains the cut-off, the
    number is not known and not written."""
    item = replace(kept(), null=None)
    figure = drawn(item)
    assert f"{int((NULL >= 0.62).sum())} at ≥ 0.62<br>each a dot" in texts(figure)
    wide = Histogram(np.array([-1.24, -0.61, 0.0, 0.61, 1.24]), np.array([30, 4970, 4970, 30]))
    straddled = drawn(replace(item, histogram=wide, tail=60, cutoffs=(-0.62, 0.62)))
    assert "≥ 0.62<br>magnified" in texts(straddled)


def test_a_larger_tail_is_magnified_bars() -> None:
    """The bars of the inset are those of the tail, on a scale of their own."""
    item = kept(cutoffs=(-np.inf, 0.5))
    figure = drawn(item)
    (inset,) = [trace for trace in figure.data if trace.xaxis == "x2"]
    assert inset.type == "bar"
    assert round(float(np.sum(inset.y))) == item.tail == int((NULL >= 0.5).sum()) > FEW
    assert figure.layout.yaxis2.range[1] < figure.layout.yaxis.range[1]


@pytest.mark.parametrize("cutoff", [0.0, 5.0])
def test_only_a_small_tail_is_magnified(cutoff: float) -> None:
    """Half of the resamples, or none of them, need no inset."""
    assert len(drawn(kept(cutoffs=(-np.inf, cutoff))).data) == 1


def spanned(item: TestResult) -> tuple[float, float]:
    return span([item], compare(item))


def test_an_empty_tail_takes_no_space_from_the_axis() -> None:
    """Without a magnified tail the range is that of bars and lines, as with a tail that is large enough to be seen."""
    few, empty, large = (spanned(one_test(tail=tail, cutoffs=(-0.95, 0.95))) for tail in (38, 0, 2_000))
    assert empty == large
    assert few[0] < empty[0] < empty[1] < few[1]


def test_an_inset_is_beside_the_lines() -> None:
    """No inset covers a line, whichever side has the space."""
    for item in (kept(), kept(cutoffs=(-0.62, np.inf)), kept(NULL + 0.3, (-np.inf, 0.95))):
        figure = drawn(item)
        low, high = figure.layout.xaxis.range
        shares = [(place - low) / (high - low) for place, _, _ in lines(item)]
        insets = [trace.xaxis for trace in figure.data if trace.xaxis in ("x2", "x3")]
        assert insets
        for name in insets:
            left, right = figure.layout[f"xaxis{name[1]}"].domain
            assert 0 <= left < right <= 1
            assert not any(left < share < right for share in shares)


def test_steps_are_the_first_resamples() -> None:
    """One, ten, all: the first resamples as dots, with the number at or beyond a cut-off."""
    item = kept()
    one, ten = drawn(item, first=1), drawn(item, first=10)
    assert list(one.data[0].x) == [NULL[0]]
    assert list(ten.data[0].x) == list(NULL[:10])
    assert any(f"its gain is {format_gain(NULL[0]).replace('-', '−')}, not at or beyond" in text for text in texts(one))
    beyond_ten = int((np.abs(NULL[:10]) >= 0.62).sum())
    assert any(f"first 10 resamples, each a dot: {beyond_ten} of them at or beyond" in text for text in texts(ten))
    everything = drawn(item, first=10_000)
    assert everything.to_json() == drawn(item).to_json()
    assert one.layout.xaxis.range == everything.layout.xaxis.range
    beyond = kept(np.array([0.7, -0.7, 0.1, 0.2] * 100))
    assert any("2 of them at or beyond" in text for text in texts(drawn(beyond, first=4)))


def test_no_steps_without_single_resamples() -> None:
    """What was not kept cannot be shown one by one."""
    assert steps(one_test(), 10) is None
    assert drawn(one_test(), first=10).data[0].type == "bar"


def test_dots_are_stacked() -> None:
    """Dots of one column are one above the other, from the axis upwards."""
    assert stacked(np.array([0.1, 0.2, 0.9]), (0.0, 1.0), 2).tolist() == [0.5, 1.5, 0.5]


def test_present_mode_doubles_the_type() -> None:
    """Texts, margins and marks are twice as large; data and positions stay."""
    item = kept()
    figure = drawn(item)
    large = enlarged(figure, 2, 640)
    assert large.layout.height == 640
    assert large.layout.font.size == 2 * figure.layout.font.size
    assert large.layout.margin.t == 2 * figure.layout.margin.t
    assert large.layout.xaxis.tickfont.size == 2 * figure.layout.xaxis.tickfont.size
    assert large.layout.annotations[0].font.size == 2 * figure.layout.annotations[0].font.size
    assert large.layout.xaxis.range == figure.layout.xaxis.range
    assert [large.data[0][name] for name in ("x", "y", "width")] == [
        figure.to_plotly_json()["data"][0][name] for name in ("x", "y", "width")
    ]


def test_hostile_names_are_literal() -> None:
    """Names and titles cannot bring markup into the figure."""
    figure = drawn(one_test(system=HOSTILE[0], test_title="<b>x</b>"))
    assert "<img" not in figure.to_json()
    assert any("&lt;b&gt;x" in text for text in texts(figure))


def test_undefined_p_is_said() -> None:
    """A test without a p-value says so instead of printing nan."""
    item = one_test(p_value=np.nan)
    assert any(text.startswith("p is undefined") for text in texts(drawn(item)))
    assert any(text.startswith("p is undefined") for text in texts(small(compare(item), item)))


def test_message_is_small() -> None:
    """Only bins and the dots of a small tail are sent, never the raw null."""
    item = one_test(null=np.random.default_rng(0).normal(size=100_000), tail=40_000)
    assert len(drawn(item).to_json()) < 20_000


def test_alt_text_names_test_and_p() -> None:
    """The alternative text names the test with its p and how many resamples are shown."""
    assert "Approximate randomization, two-sided: p = 0.0039" in alt_text(compare(), compare().chief)
    item = kept()
    assert "the first 10 of 10,000 resamples" in alt_text(compare(item), item, 10)


def test_a_panel_without_a_p_has_no_count() -> None:
    """The heading gives no counted resamples from which the refused p could be computed."""
    assert p_label(one_test(p_value=np.nan)) == "p is undefined"
