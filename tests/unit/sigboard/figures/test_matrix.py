"""The pairwise grid of many systems (here of few), and what it shares with the small one."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from sigboard.questions.matrix.figure import alt, clicked, grid
from sigboard.render.grid import BORDERLINE, UNDECIDED, heading
from sigboard.render.style import minus
from sigcore.results import Grid
from sigcore.types import MOST_DRAWN
from tests.unit.factories import HOSTILE, matrix


def test_cells_follow_the_verdicts_in_score_order() -> None:
    """The best system is the first row, and each cell holds the class of row against column."""
    p = np.array([[1, 0.0005, 0.03], [0.0005, 1, 0.2], [0.03, 0.2, 1]])
    figure = grid(matrix([40.0, 42.0, 41.5], p=p), 0.05)
    names = [text.split("\u2002")[0] for text in figure.layout.yaxis.ticktext]
    assert names == ["sys1", "sys2", "sys0"] == list(figure.layout.xaxis.ticktext)
    classes = np.array(figure.data[0].z)
    assert np.isnan(np.diag(classes)).all()
    # Seven classes, -3 .. 3 at 0 .. 6: sys1 against sys2 is not significant, against sys0 "+++".
    assert classes[0, 1] == 3
    assert classes[0, 2] == 6
    assert classes[2, 0] == 0
    assert classes[1, 2] == 4


def test_lower_is_better_turns_the_order() -> None:
    """Under TER the lowest score comes first and is the better one."""
    figure = grid(matrix([50.0, 40.0], better="lower", metric_title="TER"), 0.05)
    assert figure.layout.yaxis.ticktext[0].startswith("sys1")
    assert figure.data[0].z[0][1] == 6


def test_squares_carry_positions_in_systems() -> None:
    """The clickable square at (x, y) carries the positions of its row and column in `systems`."""
    result = matrix([40.0, 42.0, 41.5])
    squares = grid(result, 0.05).data[1]
    assert len(squares.x) == 6
    for x, y, data in zip(squares.x, squares.y, squares.customdata, strict=True):
        assert [data[0], data[1]] == [result.order[y], result.order[x]]


def test_a_selection_does_not_fade_the_squares() -> None:
    """Selected and unselected squares are as invisible as before."""
    for marks in grid(matrix(), 0.05).data[1:]:
        assert marks.marker.opacity == marks.selected.marker.opacity == marks.unselected.marker.opacity == 0


def test_markers_are_too_small_to_overlap() -> None:
    """On a narrow screen cells shrink and markers do not: a marker wider than such a cell answers for its neighbour."""
    figure = grid(matrix(np.arange(11)), 0.05)
    assert figure.data[1].marker.size <= 4
    assert figure.layout.hoverdistance == -1  # the nearest one, however wide the cells are


def test_the_diagonal_answers_with_no_pair() -> None:
    """A click on the diagonal is a click on one system, not on the pair beside it."""
    result = matrix([40.0, 42.0])
    diagonal = grid(result, 0.05).data[2]
    assert diagonal.customdata.tolist() == [[1, 1], [0, 0]]
    assert clicked([{"customdata": diagonal.customdata[0].tolist()}]) is None


@pytest.mark.parametrize("data", [[2, 0, "words"], {"0": 2, "1": 0, "2": 0.5}, {"0": 2.0, "1": 0.0}])
def test_clicked_reads_both_forms_of_customdata(data: object) -> None:
    """A click is read from a list and from a dict with string keys."""
    assert clicked([{"x": 1, "customdata": data}]) == (2, 0)


def test_clicked_nothing() -> None:
    """No point, or a point without data, is not a pair."""
    assert clicked([]) is None
    assert clicked([{"x": 1}]) is None


def test_hostile_names_are_literal() -> None:
    """No name reaches Plotly text with its markup alive."""
    figure = grid(matrix([5, 4, 3, 2, 1], systems=HOSTILE, groups=("",) * 5), 0.05)
    texts = [*figure.layout.yaxis.ticktext, *figure.layout.xaxis.ticktext]
    assert not any("<img" in text or "<b>bold" in text for text in texts)
    assert any("&lt;img src=x&gt;" in text for text in texts)


def test_undefined_p_is_a_question_mark() -> None:
    """A pair without a p-value has an empty cell, not the colour of no difference, and the heading says so."""
    p = np.array([[1, np.nan], [np.nan, 1]])
    figure = grid(matrix([2, 1], p=p), 0.05)
    assert np.isnan(np.array(figure.data[0].z)).all()
    assert "? = no p-value" in figure.layout.title.text


def test_the_key_names_only_possible_classes() -> None:
    """At alpha 0.005 the key has no field for p at most 0.05."""
    seven, five = (grid(matrix(), alpha).data[0].colorbar.ticktext for alpha in (0.05, 0.005))
    assert len(seven) == 7
    assert len(five) == 5
    assert not any(".05<" in text for text in five)
    assert any("row better" in text for text in five)


def test_the_key_has_only_reachable_colours() -> None:
    """Where the smallest p of these resamples is above a level, its colour is neither in the key nor on the scale."""
    few = matrix([40.0, 42.0], p=np.array([[1, 0.02], [0.02, 1]]), least_p=0.004)
    cells = grid(few, 0.05).data[0]
    assert len(cells.colorbar.ticktext) == 5
    assert not any(".001" in text for text in cells.colorbar.ticktext)
    assert cells.zmax == 4.5
    assert cells.z[0][1] == 3  # "+", between "not significant" (2) and "++" (4)
    assert len(grid(matrix([40.0, 42.0], least_p=0.2), 0.05).data[0].colorbar.ticktext) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_sixty_systems_stay_small(theme: str) -> None:
    """The message of 60 systems is below 300 kB, without cell text, and still clickable."""
    result = matrix(np.linspace(30, 40, 60), systems=tuple(f"primary-system-name-{i:03d}" for i in range(60)))
    figure = grid(result, 0.05, theme)  # type: ignore[arg-type]
    assert len(figure.to_json()) < 300_000
    assert figure.data[0].text is None
    assert len(figure.data[1].x) == 60 * 59


def test_more_than_eighty_systems_are_colours_only() -> None:
    """Beyond 80 systems there are no squares and no labels, the hover comes from the cells."""
    figure = grid(matrix(np.linspace(30, 40, 100)), 0.05)
    assert not [trace for trace in figure.data if trace.type == "scatter"]
    assert not figure.layout.xaxis.showticklabels
    assert "adjusted p %{customdata}" in figure.data[0].hovertemplate


@pytest.mark.parametrize("least", [0.0004, 0.0])
def test_each_cell_of_a_board_has_its_own_gain_and_p(least: float) -> None:
    """Texts are written once for each value, and reach every cell that has it; undefined and zero p included."""
    p = np.tile(np.linspace(least, 0.3, 9), 1000)[: 90 * 90].reshape(90, 90)
    p = np.triu(p, 1) + np.triu(p, 1).T + np.eye(90)
    p[3, 5] = p[5, 3] = np.nan
    high = np.full_like(p, np.nan) if least else p
    result = replace(matrix(np.repeat(np.linspace(30, 40, 45), 2), p=p), adjusted_high=high)
    cells, trace = Grid.of(result, 0.05).cells, grid(result, 0.05).data[0]
    assert trace.text.tolist() == [[minus(cell.gain) for cell in line] for line in cells]
    assert trace.customdata.tolist() == [[cell.adjusted for cell in line] for line in cells]


def test_a_thousand_systems_are_sent_as_a_byte_for_each_cell() -> None:
    """Colours of the same verdicts, names and scores for the pointer, no marks too small to be seen: below 2 MB."""
    p = np.full((1000, 1000), 0.0499)
    p[0, 999] = p[999, 0] = 0.0001
    result = matrix(np.linspace(40, 30, 1000), p=p)
    figure = grid(result, 0.05)
    (trace,) = figure.data
    assert len(figure.to_json()) < 2_000_000
    assert (trace.z[0, 999], trace.z[999, 0], trace.z[0, 1], trace.z[1, 0]) == (6, 0, 4, 2)
    assert trace.z.dtype == np.uint8
    assert figure.layout.xaxis.ticktext[999] == "1000 sys999, 30.00"
    assert "%{x}" in trace.hovertemplate
    assert "hatched" not in figure.layout.title.text
    assert len(figure.layout.shapes) == 2 * len(Grid.of(result, 0.05).lines) > 1000
    off = ~np.eye(1000, dtype=bool)
    assert set(trace.z[~off].tolist()) == {
        Grid.of(result, 0.05).possible.index(0)
    }  # no verdict on oneself, enlarged too
    assert Grid.of(result, 0.05).undecided.any()  # what is not drawn is there
    classes = np.searchsorted(Grid.of(result, 0.05).possible, np.nan_to_num(Grid.of(result, 0.05).levels))
    np.testing.assert_array_equal(trace.z[off], classes[off])


def test_a_missing_p_of_a_large_grid_keeps_its_blank() -> None:
    """A byte has no word for a missing p: such a grid is sent in numbers that have one."""
    p = np.full((301, 301), 0.3)
    p[4, 7] = p[7, 4] = np.nan
    trace = grid(matrix(np.linspace(40, 30, 301), p=p), 0.05).data[0]
    assert np.isnan(trace.z[4, 7])
    assert np.isnan(trace.z).sum() == 301 + 2


def test_compact_has_ranks_for_columns() -> None:
    """The narrow form numbers the systems and needs less room."""
    figure = grid(matrix(np.arange(11)), 0.05, compact=True)
    assert list(figure.layout.xaxis.ticktext) == [str(k) for k in range(1, 12)]
    assert figure.layout.height < grid(matrix(np.arange(11)), 0.05).layout.height


def test_lines_separate_groups() -> None:
    """A line is below a rank exactly if every system above it is better than every system below it: one line across and
    one down."""
    p = np.array([[1, 0.2, 0.01], [0.2, 1, 0.01], [0.01, 0.01, 1]])
    result = matrix([42.0, 41.5, 40.0], p=p)
    assert Grid.of(result, 0.05).lines == (2,)
    assert Grid.of(result, 0.005).lines == ()
    figure = grid(result, 0.05)
    assert [(s.x0, s.x1, s.y0, s.y1) for s in figure.layout.shapes] == [(-0.5, 2.5, 1.5, 1.5), (1.5, 1.5, -0.5, 2.5)]
    assert "every system above it is better" in figure.layout.title.text
    assert "every system above" not in grid(result, 0.005).layout.title.text


@pytest.mark.parametrize("seed", range(5))
def test_lines_agree_with_a_loop(seed: int) -> None:
    """All pairs across a rank, one by one."""
    draw = np.random.default_rng(seed)
    p = draw.choice([0.01, 0.2], size=(6, 6), p=[0.85, 0.15])
    result = matrix(draw.normal(40, 3, 6), p=np.triu(p) + np.triu(p).T)
    order, levels = result.order, result.levels(0.05)
    expected = [k for k in range(1, 6) if all(levels[i, j] > 0 for i in order[:k] for j in order[k:])]
    assert list(Grid.of(result, 0.05).lines) == expected


def test_undecided_cells_are_hatched() -> None:
    """Exactly the pairs whose Monte Carlo interval includes alpha, with words in the heading."""
    p = np.array([[1, 0.049, 0.5], [0.049, 1, 0.001], [0.5, 0.001, 1]])
    result = matrix([42.0, 41.5, 40.0], p=p)
    figure = grid(result, 0.05)
    (bars,) = [trace for trace in figure.data if trace.type == "bar"]
    squares = {(int(base + 0.5), int(x)) for x, base in zip(bars.x, bars.base, strict=True)}
    assert squares == {(int(i), int(j)) for i, j in np.argwhere(result.undecided(0.05))} == {(0, 1), (1, 0)}
    assert bars.marker.pattern.shape == "/"
    assert "hatched" in figure.layout.title.text
    assert not [trace for trace in grid(result, 0.2).data if trace.type == "bar"]


@pytest.mark.parametrize(
    ("drawn", "said", "not_said"),
    [
        ((500_000, 500_000), UNDECIDED, BORDERLINE),
        ((MOST_DRAWN, 500_000), UNDECIDED, BORDERLINE),
        ((MOST_DRAWN, MOST_DRAWN), BORDERLINE, UNDECIDED),
    ],
)
def test_the_key_says_borderline_only_where_every_hatched_pair_is(
    drawn: tuple[int, int], said: str, not_said: str
) -> None:
    """As long as more resamples could change one verdict, the key says so."""
    p = np.array([[1, 0.049, 0.001], [0.049, 1, 0.049], [0.001, 0.049, 1]])
    each = np.array([[0, drawn[0], MOST_DRAWN], [drawn[0], 0, drawn[1]], [MOST_DRAWN, drawn[1], 0]])
    result = matrix([42.0, 41.5, 40.0], p=p, drawn=each, resamples=int(each.max()))
    assert result.undecided(0.05).sum() == 4
    words = heading(Grid.of(result, 0.05), compact=False)
    assert said in words
    assert not_said not in words


def test_long_names_become_ranks() -> None:
    """Columns have names where they fit without a slant, otherwise ranks; the rows then have both."""
    figure = grid(matrix([2.0, 1.0], systems=("a-long-name-indeed-1", "b")), 0.05)
    assert list(figure.layout.xaxis.ticktext) == ["a-long-name-indeed-1", "b"]
    names = tuple(f"a-long-name-indeed-{k}" for k in range(6))
    figure = grid(matrix(np.arange(6.0), systems=names), 0.05)
    assert list(figure.layout.xaxis.ticktext) == ["1", "2", "3", "4", "5", "6"]
    assert figure.layout.yaxis.ticktext[0].startswith("1 a-long-name-indeed-5")
    assert figure.layout.xaxis.tickangle == 0


def test_alt_text_counts_pairs() -> None:
    """The alternative text counts the pairs that differ, or says that there are none."""
    assert "no pair" in Grid.of(matrix([40.0]), 0.05).alt
    p = np.array([[1, 0.0005, 0.03], [0.0005, 1, 0.2], [0.03, 0.2, 1]])
    assert "2 of 3 pairs differ significantly at alpha 0.05" in Grid.of(matrix([40.0, 42.0, 41.5], p=p), 0.05).alt


def test_figure_is_valid_json() -> None:
    """The figure can be sent."""
    assert json.loads(grid(matrix(), 0.05).to_json())["data"]


def test_the_key_is_above_the_cells() -> None:
    """The colour key and its heading are inside the upper margin for any number of systems."""
    for count in (2, 11, 40):
        layout = (figure := grid(matrix(np.linspace(30, 40, count)), 0.05)).layout
        assert layout.title.y == 1
        key = (1 - figure.data[0].colorbar.y) * layout.height
        assert 15 < key < layout.margin.t - 50


def test_a_cell_without_a_p_is_not_undecided() -> None:
    """A pair without a p has no verdict that more resamples could change, whatever its interval is."""
    p = np.array([[1, np.nan], [np.nan, 1]])
    shown = Grid.of(matrix([2, 1], p=p, p_low=np.full((2, 2), 0.01), p_high=np.full((2, 2), 0.2)), 0.05)
    assert [(cell.level, cell.undecided) for cell in shown.pairs] == [(None, False)] * 2


@pytest.mark.parametrize("ranks", [range(0, 3), range(2, 7), range(0, 7, 2), range(6, 7), range(0, 7)])
def test_some_ranks_are_drawn_as_in_the_whole_grid(ranks: range) -> None:
    """Each cell, name and text is that of the whole grid, and a line is where it is there."""
    rng = np.random.default_rng(2)
    p = np.where(np.add.outer(range(7), range(7)) % 3 > 0, 1e-4, 0.3)
    p[:2, 2:] = p[2:, :2] = 1e-4
    result = matrix(np.arange(47.0, 40.0, -1.0), p=p, systems=tuple(rng.permutation(list("abcdefg")).tolist()))
    whole, part = Grid.of(result, 0.05), Grid.of(result, 0.05).at(ranks)
    assert part.names == [whole.names[k] for k in ranks]
    for row, a in enumerate(ranks):
        for column, b in enumerate(ranks):
            assert vars(part.cell(row, column)) == vars(whole.cell(a, b))
    for line in part.lines:
        assert any(ranks[line - 1] < own <= ranks[line] for own in whole.lines)
    inside = [own for own in whole.lines if ranks[0] < own <= ranks[-1]]
    assert bool(part.lines) == bool(inside)
    shown, drawn = grid(result, 0.05), grid(result, 0.05, ranks=ranks)
    own = np.ix_(list(ranks), list(ranks))
    np.testing.assert_array_equal(np.asarray(drawn.data[0].z), np.asarray(shown.data[0].z)[own])
    places = {
        (x, y): data
        for x, y, data in zip(drawn.data[1].x, drawn.data[1].y, drawn.data[1].customdata.tolist(), strict=True)
    }
    assert places == {
        (x, y): [result.order[ranks[y]], result.order[ranks[x]]]
        for x in range(len(ranks))
        for y in range(len(ranks))
        if x != y
    }
    assert ("of 7: " in part.alt) == (1 < len(ranks) < 7)
    assert (alt(result, 0.05, ranks), alt(result, 0.05)) == (part.alt, whole.alt)


def test_the_texts_of_some_ranks_are_their_own() -> None:
    """Above 80 systems each cell has the text of its gain and its p."""
    result = matrix(np.linspace(30, 40, 90))
    shown, drawn = grid(result, 0.05).data[0], grid(result, 0.05, ranks=range(3, 88)).data[0]
    np.testing.assert_array_equal(np.array(drawn.text), np.array(shown.text)[3:88, 3:88])
    np.testing.assert_array_equal(np.array(drawn.customdata), np.array(shown.customdata)[3:88, 3:88])
