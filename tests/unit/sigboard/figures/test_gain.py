"""The scatter of confidence against gain."""

from __future__ import annotations

import numpy as np

from sigboard.figures.gain import alt_text, clicked, scatter
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
    assert figure.layout.annotations[0].text == "1 − alpha = 0.99"


def test_there_is_room_above_certainty() -> None:
    """The axis starts at zero and ends above one."""
    low, high = scatter(gain(), 0.05).layout.yaxis.range
    assert low == 0
    assert high > 1


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
