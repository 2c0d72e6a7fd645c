"""The figure of ranks: one row for each system, bars as long as their ranges, lines between clusters, in every size."""

from __future__ import annotations

import numpy as np
import pytest

from sigboard.questions.rank.figure import alt, ranks
from sigcore import MatrixResult, rank
from tests.unit.factories import HOSTILE, matrix


def of_size(systems: int) -> MatrixResult:
    """Scores that fall by 0.4, so that neighbours are tied and others are not."""
    return matrix((60 - 0.4 * np.arange(systems)).tolist())


def drawn(result: MatrixResult, **look: object) -> dict[str, tuple[float, float]]:
    """The ends of the bar of each row, by the label of the row."""
    figure = ranks(result, 0.05, **look)
    labels = [text.strip() for text in figure.layout.yaxis.ticktext]
    bars = [trace for trace in figure.data if trace.type == "bar"]
    return {
        labels[row]: (base, base + length)
        for trace in bars
        for row, base, length in zip(trace.y, trace.base, trace.x, strict=True)
    }


@pytest.mark.parametrize("systems", [2, 3, 11, 31, 300])
def test_bars_are_the_ranges(systems: int) -> None:
    """Each system has one bar, from half a place before its best rank to half a place after its worst."""
    result = of_size(systems)
    ends = {one.system: (one.rank_low - 0.5, one.rank_high + 0.5) for one in rank(result).systems}
    assert drawn(result) == ends


def test_points_and_intervals_are_the_scores() -> None:
    """The first row has the best score; the bars of errors end where the interval ends."""
    result = of_size(5)
    points = [trace for trace in ranks(result, 0.05).data if trace.type == "scatter"]
    found = {y: (x, x - down, x + up) for t in points for y, x, down, up in zip(
        t.y, t.x, t.error_x.arrayminus, t.error_x.array, strict=True)}  # fmt: skip
    for row, place in enumerate(result.order):
        low, high = result.score_intervals[place]
        assert found[row] == pytest.approx((result.scores[place], low, high))


def test_blue_are_the_systems_tied_with_the_best() -> None:
    """One colour for the systems that nobody beats, another for all others."""
    result = of_size(6)
    tied = {row for row, one in enumerate(rank(result).systems) if one.tied_with_best}
    rows = {trace.marker.color: set(trace.y) for trace in ranks(result, 0.05).data if trace.type == "bar"}
    assert tied in rows.values()
    assert len(rows) == 2


def test_lines_are_those_of_the_clusters() -> None:
    """A line lies below the last system of each cluster but the last."""
    p = np.full((4, 4), 0.5)
    p[:2, 2:] = p[2:, :2] = 0.001
    result = matrix([40.0, 41.0, 30.0, 31.0], p=p)
    assert [shape.y0 for shape in ranks(result, 0.05).layout.shapes] == [1.5]
    assert [len(cluster) for cluster in rank(result).clusters] == [2, 2]


@pytest.mark.parametrize(("systems", "most"), [(3, 200), (31, 700), (300, 4400)])
def test_rows_have_space_for_their_names(systems: int, most: int) -> None:
    """No figure is higher than it needs to be, every row has its name, and letters fit into the row."""
    for compact in (False, True):
        layout = ranks(of_size(systems), 0.05, compact=compact).layout
        assert layout.height <= most
        assert len(layout.yaxis.ticktext) == systems
        assert (layout.height - layout.margin.t - layout.margin.b) / systems >= layout.yaxis.tickfont.size + 2


@pytest.mark.parametrize("systems", [2, 3, 10, 11, 31, 300])
@pytest.mark.parametrize("compact", [False, True])
def test_ticks_of_ranks_are_whole_and_apart(systems: int, compact: bool) -> None:
    """The first and the last rank are marked, and no two marks are too close to be read."""
    ticks = ranks(of_size(systems), 0.05, compact=compact).layout.xaxis2.tickvals
    assert ticks[0] == 1
    assert ticks[-1] == systems
    assert all(tick == int(tick) for tick in ticks)
    if systems > 10:
        assert min(np.diff(ticks)) > systems * 0.04


def test_names_are_literal_in_both_themes() -> None:
    """Names with markup are escaped in labels and hover texts."""
    names = HOSTILE[:3]
    for theme in ("light", "dark"):
        figure = ranks(matrix([40.0, 42.0, 41.5], systems=tuple(names)), 0.05, theme)
        text = str(figure.to_plotly_json())
        assert "<img" not in text
        assert "&lt;img" in text


def test_the_sentence_for_readers_names_the_first() -> None:
    """The alternative text has the number of systems and clusters, and the verdict."""
    words = alt(matrix([40.0, 42.0, 41.5]), 0.05)
    assert "3 systems in BLEU" in words
    assert "sys1" in words
