"""People's grids and the metrics' beside them."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import plotly.graph_objects as go
import pytest

from sigboard.questions.human.figure import clicked, grid, grid_alt, metrics, metrics_alt
from sigboard.render.style import palette
from sigcore.judgments import judgments
from sigcore.studies import human
from tests.unit.factories import HOSTILE
from tests.unit.judged import SYSTEMS, made, ratings, result_of


@cache
def result() -> human.HumanResult:
    return result_of(made(("adequacy", ratings()), ("fluency", ratings("fluency"))))


def cells(figure: go.Figure, k: int = 0) -> np.ndarray:
    return np.array(figure.data[k].z, dtype=float)


@pytest.mark.parametrize("place", [0, 1, None])
def test_cells_are_the_levels(place):
    """The colours are people's verdicts, best system first, and the title counts the pairs that differ."""
    found = result().people
    figure = grid(found, 0.05, place)
    assert np.array_equal(cells(figure), found.levels(0.05, place).astype(np.float32), equal_nan=True)
    differ = int((found.levels(0.05, place) > 0).sum())
    assert f"{differ} of 10 pairs" in figure.layout.title.text
    assert [text.split(" <b>")[0] for text in figure.layout.yaxis.ticktext] == list(found.systems)
    assert f"{differ} of 10 pairs differ at alpha 0.05" in grid_alt(found, 0.05, place)


def test_every_verdict_has_a_colour_and_a_symbol():
    """A plus where the row is better, a minus where it is worse, a dot where neither; colours of the theme."""
    for theme in ("light", "dark"):
        figure = grid(result().people, 0.05, 0, theme)
        for value, word in zip(cells(figure).ravel(), np.array(figure.data[0].text).ravel(), strict=True):
            assert word == ("" if np.isnan(value) else "+" if value > 0 else "\u2212" if value < 0 else "·")
        scale = [colour for _, colour in figure.data[0].colorscale]
        assert scale[::2] == scale[1::2] == [palette(theme).verdict(level) for level in range(-3, 4)]


def test_the_combined_grid_says_who_decided():
    """Hover text names the dimension that decided, and gives the p of each in both directions."""
    found = result().people
    hover = np.array(grid(found, 0.05, None).data[0].hovertext)
    decided = found.decided(0.05)
    for i, j in np.argwhere(decided.by >= 0):
        assert f"decided by {found.dimensions[decided.by[i, j]]}" in hover[i, j]
        assert hover[i, j].count("better: p") == 2
    assert "segments" in hover[0, 0]


def test_unknown_pairs_have_a_question_mark():
    """A pair without a common dimension is empty and marked; nothing on the figure reads nan."""
    rows = [
        ("j", s, str(k), float(10 * n + k), d)
        for d, part in (("adequacy", "AB"), ("fluency", "BC"))
        for n, s in enumerate(part)
        for k in range(12)
    ]
    columns = ("judge", "system", "segment", "score", "dimension")
    found = human.people(judgments("x", dict(zip(columns, zip(*rows, strict=True), strict=True))))
    figure = grid(found, 0.05, None)
    assert list(figure.data[1].text) == ["?", "?"]
    hover = np.array(figure.data[0].hovertext)
    a, c = (found.systems.index(name) for name in "AC")
    assert "one of the two was not rated" in hover[a, c]
    assert "unknown" in hover[a, c]
    output = json.dumps([hover.tolist(), [str(n) for n in figure.data[0].text], figure.layout.title.text])
    assert "nan" not in output.lower()


def places(found: human.HumanResult) -> list[tuple[str, str]]:
    """Metric and test of every grid of Figure 8: metrics are the rows, tests the columns."""
    return [(metric, test) for metric in found.metrics for test in found.tests]


def test_grids_of_metrics_are_rows_and_those_of_tests_columns():
    """As in the paper: grids of one metric have one height on the screen, grids of one test one place across."""
    found = result()
    layout = metrics(found, 0.05).layout
    boxes = [(layout[f"xaxis{k}"].domain, layout[f"yaxis{k}"].domain) for k in range(1, len(places(found)) + 1)]
    for place, (metric, test) in enumerate(places(found)):
        for other, (metric_of, test_of) in enumerate(places(found)):
            assert (boxes[place][1] == boxes[other][1]) == (metric == metric_of)
            assert (boxes[place][0] == boxes[other][0]) == (test == test_of)
    tops = [box[1][1] for box in boxes]
    assert tops == sorted(tops, reverse=True)
    first = next(iter(found.tests))
    named = [layout[f"yaxis{k}"].showticklabels for k in range(1, len(boxes) + 1)]
    assert named == [test == first for _, test in places(found)]


def test_grids_mark_disagreements_with_people():
    """One grid per metric and test with its count of correct pairs; a cross on each of the others, on both sides."""
    found = result()
    figure = metrics(found, 0.05)
    crosses = [trace for trace in figure.data if isinstance(trace, go.Scatter) and trace.marker.symbol == "x-thin"]
    titles = [note.text for note in figure.layout.annotations]
    for k, (metric, test) in enumerate(places(found)):
        cell = found.accuracy(metric, test, 0.05)
        assert len(crosses[k].x) == 2 * (cell.pairs - cell.correct)
        assert titles[k] == f"<b>{cell.metric_title}</b>, {cell.correct} of {cell.pairs}<br>{cell.test_title}"
        assert f"{cell.metric_title} {cell.correct} of {cell.pairs}" in metrics_alt(found, 0.05)
        wrong = np.sign(np.nan_to_num(cells(figure, 3 * k))) != found.decided(0.05).conclusions
        assert sorted(zip(crosses[k].y, crosses[k].x, strict=True)) == [tuple(at) for at in np.argwhere(wrong)]


def test_every_cell_can_be_clicked():
    """A click on a cell gives its row and its column; a cross, the diagonal and nothing at all give none."""
    found = result()
    layer = metrics(found, 0.05).data[2]
    size = len(found.systems)
    assert len(layer.x) == size * (size - 1)
    for x, y, data in zip(layer.x, layer.y, layer.customdata.tolist(), strict=True):
        assert clicked([{"customdata": data}]) == (y, x)
        assert clicked([{"customdata": {"0": data[0], "1": data[1]}}]) == (y, x)
    assert clicked([]) is None
    assert clicked([{"x": 1, "y": 2}]) is None


def test_names_stay_literal():
    """Whatever a system is called, its name is shown letter by letter."""
    found = result_of(human.named(made(), dict(zip(SYSTEMS, HOSTILE, strict=True))), HOSTILE, 100)
    for figure in (grid(found.people, 0.05), metrics(found, 0.05)):
        spec = figure.to_json()
        assert "<img" not in spec
        assert "\\u003cimg" not in spec
        assert "&lt;img" in spec or "\\u0026lt;img" in spec


@pytest.mark.parametrize("count", [2, 30, 60])
def test_any_number_of_systems_is_drawn(count):
    """Two systems and sixty fit; many lose their symbols and labels, not their colours."""
    rows = [("j", f"s{n}", str(k), float((7 * n + 3 * k) % 50), "adequacy") for n in range(count) for k in range(4)]
    columns = ("judge", "system", "segment", "score", "dimension")
    found = human.people(judgments("many", dict(zip(columns, zip(*rows, strict=True), strict=True))))
    figure = grid(found, 0.05)
    assert cells(figure).shape == (count, count)
    assert (figure.data[0].text is None) == (count > 24)
    assert figure.layout.yaxis.showticklabels == (count <= 40)
    assert figure.layout.height < 700


def test_a_pair_without_a_p_is_an_empty_cell():
    """Neither a tie nor wrong: no colour, no cross, and the hover text says that there is no conclusion."""
    found = result()
    figure = metrics(found, 0.05)
    unknown = ~found.known("bleu", "paired_bootstrap", 0.05)
    assert unknown.sum() == 4
    assert np.isnan(cells(figure, 0)[unknown]).all()
    hover = np.array(figure.data[0].hovertext, dtype=object)
    assert all("metric: no conclusion" in words for words in hover[unknown])
    few = result_of(made(), resamples=100)
    assert "BLEU no conclusions" in metrics_alt(few, 0.001)
