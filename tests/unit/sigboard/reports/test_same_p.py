"""One p has one text: in figures, tables, sentences, CSV, the terminal and a notebook."""

from __future__ import annotations

import numpy as np
import pytest

from sigboard.questions.compare import figure as compare_figure
from sigboard.questions.gain import figure as gain_figure
from sigboard.questions.gain.report import Scatter, gain_table
from sigboard.render.grid import cells as cells_of
from sigboard.render.text import compare_table
from sigboard.shell import downloads
from sigcore import results
from sigcore.results import compare_rows, gain_rows, grid_rows, matrix_rows, verdict
from tests.unit.factories import compare, gain, matrix, one_test


@pytest.mark.parametrize(
    ("p", "high", "text"),
    [
        (0.00123, 0.0017, "p = 0.0012"),
        (0.0504, 0.06, "p = 0.0504"),
        (1 / 10_001, 0.00037, "p = 0.00010"),
        (0.47, 0.49, "p = 0.47"),
        (1.0, 1.0, "p = 1.0"),
        (0.0, 0.00037, "p < 0.00037"),
    ],
)
def test_the_same_p_reads_the_same_everywhere(p: float, high: float, text: str) -> None:
    """The number after "p" is one text, whoever writes it."""
    bare = text.removeprefix("p ").removeprefix("= ")
    pair = compare(one_test(p_value=p, p_interval=(0.9 * p, high)))
    assert f"({text})" in verdict(pair.results[0], 0.05)
    assert text in compare_figure.alt_text(pair, pair.chief)
    for draw in (compare_figure.stage, compare_figure.small):
        assert any(note.text.startswith(text) for note in draw(pair, pair.chief).layout.annotations)
    assert f"  {bare}  [" in compare_table(pair, 0.05)
    assert downloads.written(compare_rows(pair)[0], 0)["p_value"] == bare
    cells, ends = np.array([[1, p], [p, 1]]), np.array([[1, high], [high, 1]])
    whole = matrix([42.0, 41.0], p=cells, p_high=ends, adjusted_low=0.9 * cells, adjusted_high=ends)
    assert grid_rows(whole, 0.05)[0]["vs sys1"].startswith(bare)
    row = downloads.written(matrix_rows(whole, 0.05)[0], 10_000)
    assert (row["p_value"], row["adjusted"]) == (bare, bare)
    details = str(cells_of(whole, 0.05)["rows"][0]["cells"][1]["details"]).replace("&lt;", "<")
    assert f"{text}, Monte Carlo" in details
    assert f"(Holm) {text}" in details
    assert bare.replace("<", "&lt;") in results.grid_html(results.Grid.of(whole))
    points = gain(1, p_values=np.array([p]), p_low=np.array([0.9 * p]), p_high=np.array([high]))
    assert f"  {bare}" in gain_table(Scatter.of(points))
    assert str(gain_figure.scatter(points, 0.05).data[0].hovertext[0]).replace("&lt;", "<").endswith(text)
    assert downloads.written(gain_rows(points)[0], 10_000)["p_value"] == bare
