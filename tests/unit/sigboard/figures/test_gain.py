"""The scatter of confidence against gain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigboard.questions.gain.figure import (
    BELOW,
    HOVER_LIMIT,
    alt_text,
    border,
    border_words,
    clicked,
    drawn,
    reach,
    scatter,
    ticks,
)
from sigcore import GainResult
from tests.unit.factories import HOSTILE, gain


def test_one_trace_per_class_with_its_own_colour_and_shape() -> None:
    """Classes differ by colour and by shape, and name their size."""
    figure = scatter(gain(60), 0.05)
    assert [trace.name for trace in figure.data] == ["combinations (20)", "different groups (20)", "same group (20)"]
    assert (
        len({trace.marker.color for trace in figure.data}) == len({trace.marker.symbol for trace in figure.data}) == 3
    )


def test_pairs_without_a_class_have_one_colour_and_no_legend() -> None:
    """Where no group is given there is one trace and no legend; where some are, their pairs are last and named."""
    figure = scatter(gain(6, pair_class=("",) * 6), 0.05)
    assert len(figure.data) == 1
    assert figure.layout.showlegend is False
    mixed = scatter(gain(6, pair_class=("same group", "") * 3), 0.05)
    assert [trace.name for trace in mixed.data] == ["same group (3)", "no class (3)"]
    assert mixed.data[0].marker.color == figure.data[0].marker.color != mixed.data[1].marker.color


def test_points_carry_their_pair() -> None:
    """The customdata of each point leads back to its pair and its gain."""
    result = gain(60)
    for trace in scatter(result, 0.05).data:
        for x, data in zip(trace.x, trace.customdata, strict=True):
            assert result.gains[data[0]] == x


def test_of_very_many_points_the_pointer_shows_numbers_after_their_names() -> None:
    """ "confidence 0.9500", or "-log10 p 1.3010", with a blank between the two."""
    many = gain(HOVER_LIMIT + 3)
    for scale, name in (("confidence", "confidence"), ("log", "-log10 p")):
        for trace in scatter(many, 0.05, scale=scale).data[:3]:
            assert trace.hovertemplate.endswith(f"<br>{name} %{{y:.4f}}<extra></extra>")


def test_clicked_gives_the_tested_direction() -> None:
    """Under "less" the worse system was tested against the better one, so that pair opens, and its p is the one shown."""
    result = gain(6)
    less = replace(result, setup=replace(result.setup, side="less"))
    pair = clicked([{"customdata": [4]}], result)
    assert pair is not None
    assert clicked([{"customdata": [4]}], less) == pair[::-1]


def test_clicked_gives_the_pair() -> None:
    """A click is read in every form Streamlit sends."""
    result = gain(6)
    for data in ([4], {"0": 4}, 4, {"0": 4.0}):
        assert clicked([{"customdata": data}], result) == ("sys4", "sys5")
    assert clicked([], result) is None
    assert clicked([{"customdata": [99]}], result) is None


def test_the_line_is_at_one_minus_alpha() -> None:
    """The dashed line lies at the confidence that alpha asks for."""
    figure = scatter(gain(), 0.01)
    assert figure.layout.shapes[0].y0 == 0.99
    assert "1 − alpha = 0.99" in [note.text for note in figure.layout.annotations]


def few(gains: list[float], p: list[float]) -> GainResult:
    """Pairs with these gains and p."""
    values = np.array(p)
    return gain(len(p), gains=np.array(gains), p_values=values, confidence=1 - values, pair_class=("",) * len(p))


MIXED = few([0.1, 0.4, 0.9, 1.5, 2.0, 20.0], [0.8, 0.01, 0.2, 0.001, 0.0005, 0.0001])


def test_the_axis_is_that_of_the_paper() -> None:
    """Confidence from 0.5 to 1; a pair below is at the edge with a symbol of its own, and their number is written."""
    figure = scatter(MIXED, 0.05)
    low, high = figure.layout.yaxis.range
    assert 0.45 < low < 0.5 < 1 < high < 1.1
    points = figure.data[0]
    below = [symbol == BELOW for symbol in points.marker.symbol]
    assert [MIXED.p_values[data[0]] for data, one in zip(points.customdata, below, strict=True) if one] == [0.8]
    assert [y for y, one in zip(points.y, below, strict=True) if one] == [0.5]
    assert any("1 pair below 0.5" in note.text for note in figure.layout.annotations)


def test_the_other_scale_is_the_logarithm_of_p() -> None:
    """-log10 p, with alpha at its place; a p of 0 is drawn at 1 / R."""
    figure = scatter(MIXED, 0.05, scale="log")
    for data, y in zip(figure.data[0].customdata, figure.data[0].y, strict=True):
        assert 10**-y == pytest.approx(MIXED.p_values[data[0]])
    assert figure.layout.shapes[0].y0 == pytest.approx(1.30103)
    assert max(scatter(few([1.0, 2.0], [0.5, 0.0]), 0.05, scale="log").data[0].y) == pytest.approx(4)


def test_the_band_is_between_the_border_pairs() -> None:
    """From the smallest significant gain to the largest that is not, each end labelled, and the words are true."""
    found = border(MIXED, 0.05)
    assert found is not None
    assert (found.smallest, found.largest) == (1, 2)
    figure = scatter(MIXED, 0.05)
    band = next(shape for shape in figure.layout.shapes if shape.type == "rect")
    assert (band.x0, band.x1) == (0.4, 0.9)
    words = [note.text for note in figure.layout.annotations]
    assert "may or may not be real" in words
    assert "smallest significant:<br>sys1, sys2" in words
    assert "largest not significant:<br>sys2, sys3" in words
    assert (
        "(0.40 BLEU) to the largest that is not significant (0.90 BLEU). Of the 2 pairs in it, 1 are"
        in border_words(MIXED, 0.05)
    )


def test_a_gap_has_no_pairs() -> None:
    """Where all significant gains are larger than all others, the band is the gap between them."""
    apart = few([0.1, 0.4, 0.9, 1.5], [0.8, 0.3, 0.01, 0.001])
    assert "No pair is between them" in border_words(apart, 0.05)
    assert "may or may not be real (no pair here)" in [note.text for note in scatter(apart, 0.05).layout.annotations]


def test_no_band_without_a_border() -> None:
    """All or none significant, or no verdicts at all: there is no band and no label."""
    assert border(few([1.0, 2.0], [0.01, 0.02]), 0.05) is None
    assert border(few([1.0, 2.0], [0.3, 0.2]), 0.05) is None
    assert border_words(few([1.0], [0.2]), 0.05) == ""
    assert not [s for s in scatter(few([1.0, 2.0], [0.3, 0.2]), 0.05).layout.shapes if s.type == "rect"]


def test_the_axis_of_gains_ends_where_verdicts_no_longer_change() -> None:
    """Gains beyond twice the band are counted, all significant, and there with `whole`."""
    end = reach(MIXED, 0.05)
    assert end == pytest.approx(1.8)
    assert MIXED.significant(0.05)[MIXED.gains > end].all()
    assert scatter(MIXED, 0.05).layout.xaxis.range[1] == end
    assert any("2 pairs with larger gains, all significant" in n.text for n in scatter(MIXED, 0.05).layout.annotations)
    whole = scatter(MIXED, 0.05, whole=True)
    assert whole.layout.xaxis.range[1] > 20
    assert not any("larger gains" in note.text for note in whole.layout.annotations)
    assert len(scatter(MIXED, 0.05).data[0].x) == 6
    assert reach(few([0.9, 1.0, 1.1], [0.2, 0.01, 0.001]), 0.05) is None


def test_every_pair_is_on_the_axis_after_its_break() -> None:
    """Gains up to the break are where they were, larger ones follow in order up to the end, which names the largest."""
    end = reach(MIXED, 0.05)
    assert end is not None
    figure = drawn(MIXED, 0.05, "light", "confidence", False, False, MIXED, ())
    for trace in figure.data:
        places = dict(zip(MIXED.gains.tolist(), sorted(trace.x), strict=True))
        assert [places[gain] for gain in (0.1, 0.4, 0.9, 1.5)] == [0.1, 0.4, 0.9, 1.5]
        assert end < places[2.0] < places[20.0] == pytest.approx(1.18 * end)
    low, high = figure.layout.xaxis.range
    assert low < 0 < 1.18 * end < high
    named = dict(zip(figure.layout.xaxis.ticktext, figure.layout.xaxis.tickvals, strict=True))
    assert named["20"] == pytest.approx(1.18 * end)
    assert named["1.8"] == pytest.approx(1.8)
    assert all(float(text) == value for text, value in named.items() if value < end)
    mixed = next(trace for trace in figure.data if trace.text is not None)
    assert list(mixed.text)[-1] == "+20.00"
    whole = drawn(MIXED, 0.05, "light", "confidence", True, False, None, ())
    assert max(whole.data[0].x) == 20.0


def test_labels_hide_no_point() -> None:
    """No text on the figure has a ground of its own, nor has the legend."""
    figure = drawn(MIXED, 0.05, "light", "confidence", False, False, None, ())
    assert {note.bgcolor for note in figure.layout.annotations} == {None}
    assert figure.layout.legend.bgcolor == "rgba(0,0,0,0)"


@pytest.mark.parametrize(
    ("end", "expected"),
    [(4.94, [0, 1, 2, 3, 4]), (1.8, [0, 0.5, 1, 1.5]), (0.37, [0, 0.1, 0.2, 0.3]), (100, [0, 20, 40, 60, 80, 100])],
)
def test_ticks_are_round(end: float, expected: list[float]) -> None:
    """From 0 in steps of 1, 2 or 5."""
    assert ticks(end) == expected


def test_title_gives_n_and_resamples() -> None:
    """The title can be used as a caption."""
    assert "60 pairs, n = 1,448 segments, R = 10,000" in scatter(gain(60), 0.05).layout.title.text


def test_hostile_names_are_literal() -> None:
    """No name or class reaches Plotly text alive."""
    figure = scatter(gain(3, systems=HOSTILE[:3], baselines=HOSTILE[2:5], pair_class=(HOSTILE[0],) * 3), 0.05)
    assert "<img" not in figure.to_json()


def test_many_pairs_stay_small() -> None:
    """11,000 pairs are drawn without a text each and stay below 600 kB."""
    figure = scatter(gain(11_000), 0.05)
    assert figure.data[0].type == "scattergl"
    assert len(figure.to_json()) < 600_000


def test_no_pairs() -> None:
    """No pair at all gives an empty figure and a sentence."""
    empty = gain(0)
    assert len(scatter(empty, 0.05).data) == 0
    assert "no pair" in alt_text(empty, 0.05)


def test_undefined_p_is_not_significant() -> None:
    """A pair without a p is not counted as significant."""
    result = gain(2, p_values=np.array([np.nan, 0.01]), confidence=np.array([np.nan, 0.99]))
    assert "1 are significant at alpha 0.05" in alt_text(result, 0.05)
    assert scatter(result, 0.05).data
