"""Figures of claims: the panels in the places of the paper, their points, intervals and names."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from sigboard.questions.reproduce import figure
from sigcore.studies import reproduce
from sigcore.studies.reproduce import Found, Outcome, Panel, Series

NAN = float("nan")


def outcome(*panels: Panel) -> Outcome:
    """An outcome with these panels."""
    return Outcome(reproduce.CLAIMS[0], Found(1.0, 0.5, 2.0, True, "said", panels=panels), "data", 100, 1)


def grid(row: int, column: int) -> Panel:
    """A grid of three systems."""
    cells = np.array([[NAN, 3, 0], [-3, NAN, 1], [0, -1, NAN]])
    names = ("<b>A", "B", "C")
    return Panel(f"{row} {column}", "cells", "", "", row=row, column=column, cells=cells, rows=names, columns=names)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_grids_stand_as_in_the_paper(theme):
    """Metrics are rows and tests columns; only the first column has names, and all have places."""
    drawn = figure.drawn(outcome(*(grid(row, column) for row in range(4) for column in range(3))), theme)
    assert len(drawn.data) == 12
    boxes = [(drawn.layout[f"xaxis{k}"], drawn.layout[f"yaxis{k}"]) for k in range(1, 13)]
    for k, (across, down) in enumerate(boxes):
        row, column = divmod(k, 3)
        assert across.domain == boxes[column][0].domain
        assert down.domain == boxes[3 * row][1].domain
        assert down.showticklabels == (column == 0)
        assert list(across.ticktext) == ["1", "2", "3"]
    assert len({down.domain for _, down in boxes}) == 4
    assert len({across.domain for across, _ in boxes}) == 3
    assert [note.text for note in drawn.layout.annotations][5] == "<b>1 2</b>"


def test_a_phone_has_one_panel_in_a_row():
    """Panels stand one below the other."""
    drawn = figure.drawn(outcome(grid(0, 0), grid(0, 1)), compact=True)
    assert drawn.layout.xaxis.domain == drawn.layout.xaxis2.domain == (0, 1)
    assert drawn.layout.yaxis.domain[0] > drawn.layout.yaxis2.domain[1]


def test_every_point_is_drawn_with_its_interval():
    """All points of all series, in thousands too, and the ends of intervals as they are."""
    many = Series("many", np.linspace(0, 9, 4000), np.linspace(0.5, 1, 4000))
    few = Series("few", [1.0, 2.0], [3.0, 4.0], [2.5, 3.0], [3.25, 6.0])
    drawn = figure.drawn(outcome(Panel("x", "points", "gain", "1 - p", (many, few), lines=((2.0, "cut"),))))
    first, second = drawn.data
    assert isinstance(first, go.Scattergl)
    assert len(first.x) == 4000
    assert list(second.error_y.array) == [0.25, 2.0]
    assert list(second.error_y.arrayminus) == [0.5, 1.0]
    assert drawn.layout.showlegend
    assert drawn.layout.shapes[0].x0 == 2.0
    assert drawn.layout.xaxis.title.text == "gain"
    assert drawn.layout.yaxis.title.text == "1 - p"


def test_names_are_rows():
    """Series over names have horizontal intervals, and each name is a row, in order."""
    both = tuple(Series(name, [1.0, 2.0], ["b", "a"], [0.5, 1.0], [1.5, 4.0]) for name in ("paper", "here"))
    drawn = figure.drawn(outcome(Panel("x", "points", "share (%)", "", both)))
    assert list(drawn.layout.yaxis.ticktext) == ["b", "a"]
    assert list(drawn.data[1].error_x.array) == [0.5, 2.0]
    assert drawn.data[1].error_y.array is None


def test_names_stay_literal():
    """Whatever a system is called, its name is shown letter by letter."""
    assert "&lt;b&gt;A" in figure.drawn(outcome(grid(0, 0))).layout.yaxis.ticktext[0]


def test_alt_text_says_what_is_drawn():
    """The claim, its place, the panels and the verdict."""
    words = figure.alt_text(outcome(grid(0, 0)))
    assert "graham-fig5, Figure 5: 0 0. The same conclusion on data." in words


@pytest.mark.parametrize("name", ["bk-fig5", "bk-fig11", "rankel-fig5", "rankel-table1-rouge-2-2010"])
def test_real_panels_are_drawn(name):
    """As many traces as series and grids."""
    found = reproduce.run(name, reproduce.Bench(resamples=500))
    series = sum(len(panel.series) or 1 for panel in found.found.panels)
    assert len(figure.drawn(found).data) == series
