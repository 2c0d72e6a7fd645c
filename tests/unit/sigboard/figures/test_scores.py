"""The heatmap, the intervals of mean ranks, and the figures of one pair."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sigboard.questions.scores import figure
from sigboard.questions.scores import figure_pair as pair_figure
from sigboard.render.style import palette
from sigcore.executors import Serial
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies import scores
from sigcore.study import Runtime
from tests.unit.factories import HOSTILE
from tests.unit.sigcore.studies.scores.test_study import RUN, matrix

MATRIX = RUN.matrix
RESULT = scores.read(RUN)


def test_cells_are_the_scores_in_the_order_asked_for() -> None:
    """Rows and columns follow the order, down and across."""
    rows, columns = figure.row_order(MATRIX, "mean score"), figure.column_order(MATRIX, "name")
    drawn = figure.heatmap(MATRIX, rows, columns)
    np.testing.assert_allclose(drawn.data[0].z, MATRIX.values[np.ix_(rows, columns)], rtol=1e-6)


def test_what_the_pointer_shows_has_a_blank_before_the_name() -> None:
    """The word for a row, a blank, and its name: "document d3"."""
    for trace in figure.heatmap(MATRIX).data:
        assert trace.hovertemplate.startswith(f"{MATRIX.row} %{{y}}<br>")


def test_a_missing_score_has_a_colour_of_its_own() -> None:
    """Holes are drawn by a trace of another hue, just where scores are missing, and the key says so."""
    for theme in ("light", "dark"):
        drawn = figure.heatmap(MATRIX, theme=theme)
        holes = drawn.data[1]
        np.testing.assert_array_equal(np.isnan(holes.z), ~np.isnan(drawn.data[0].z))
        assert holes.colorscale[0][1] == figure.MISSING[theme]
        assert holes.colorscale[0][1] not in figure.SHADES[theme]
        assert any("no score" in note.text for note in drawn.layout.annotations)
    assert len(figure.heatmap(matrix(humans=0)).data) == 1


def test_human_systems_are_marked_and_come_last() -> None:
    """Bold names and a bar below each of their columns, which come last in every order."""
    for by in figure.SORTED:
        assert [MATRIX.systems[k][0] for k in figure.column_order(MATRIX, by)] == ["m"] * 5 + ["h"] * 2
    drawn = figure.heatmap(MATRIX)
    assert [text.startswith("<b>") for text in drawn.layout.xaxis.ticktext] == [False] * 5 + [True] * 2
    assert [(shape.x0 + shape.x1) / 2 for shape in drawn.layout.shapes] == [5, 6]
    assert [note.text for note in drawn.layout.annotations if note.text == "human"] == ["human"]


def test_documents_can_be_sorted_by_anything() -> None:
    """As loaded, by mean, by name, by one system; missing scores come last, low ones first where lower is better."""
    assert figure.row_order(MATRIX) == list(range(24))
    means = np.nanmean(MATRIX.values, axis=1)
    assert np.all(np.diff(means[figure.row_order(MATRIX, "mean score")]) <= 0)
    by_one = MATRIX.values[figure.row_order(MATRIX, "h0"), 5]
    assert np.isnan(by_one[12:]).all()
    assert np.all(np.diff(by_one[:12]) <= 0)
    low = matrix(better="lower")
    assert np.all(np.diff(np.nanmean(low.values, axis=1)[figure.row_order(low, "mean score")]) >= 0)
    assert [MATRIX.documents[k] for k in figure.row_order(MATRIX, "name")][:3] == ["d0", "d1", "d10"]


@pytest.mark.parametrize("n", [1, 100, 2000])
@pytest.mark.parametrize("compact", [False, True])
def test_any_number_of_documents_fits(n: int, compact: bool) -> None:
    """The figure is never taller than a screen, and labels leave each other room."""
    drawn = figure.heatmap(matrix(n=n), compact=compact)
    assert drawn.layout.height < 900
    inside = drawn.layout.height - drawn.layout.margin.t - drawn.layout.margin.b
    assert len(drawn.layout.yaxis.ticktext) <= inside / figure.LINE + 1


def test_many_systems_have_no_room_for_names_on_a_phone() -> None:
    """Their names are left to the hover."""
    wide = matrix(machines=40)
    assert figure.heatmap(wide).layout.xaxis.showticklabels
    assert not figure.heatmap(wide, compact=True).layout.xaxis.showticklabels


def test_hostile_names_are_literal() -> None:
    """No name reaches Plotly text alive."""
    names = ScoreMatrix("x", HOSTILE, HOSTILE, np.eye(5), HOSTILE[:1], title=HOSTILE[4])
    run = scores.run(names, resamples=20, runtime=Runtime(executor=Serial()))
    ranks = run.ranks("systems")
    assert ranks is not None
    drawn = [figure.heatmap(names), figure.intervals(ranks, HOSTILE[0], 0.05)]
    drawn.append(pair_figure.differences(np.arange(-3.0, 4.0), HOSTILE[0], HOSTILE[1], HOSTILE[4]))
    for one in drawn:
        assert "<img" not in one.to_json()
        assert "<b>bold" not in one.to_json()


def test_intervals_show_what_differs_from_the_highlighted() -> None:
    """One diamond in the accent colour, filled warm markers for those that differ, hollow grey ones for the others."""
    ranks = RUN.ranks("documents")
    assert ranks is not None
    drawn = figure.intervals(ranks, "d3", 0.05)
    by_name = {trace.name: trace for trace in drawn.data}
    differ = set(np.nonzero(ranks.differing(3, 0.05))[0].tolist())
    assert {int(k) for k in by_name["differs"].customdata[:, 0]} == differ
    assert by_name["highlighted"].customdata.tolist() == [[3]]
    assert by_name["highlighted"].marker.color == palette("light").accent
    assert by_name["not shown to differ"].marker.symbol == "circle-open"
    assert sum(len(trace.x) for trace in drawn.data) == 24
    assert [shape.x0 for shape in drawn.layout.shapes] == [ends[3] for ends in ranks.ends(0.05)]
    bar = by_name["highlighted"].error_x
    assert [ranks.means[3] - bar.arrayminus[0], ranks.means[3] + bar.array[0]] == pytest.approx(
        [ends[3] for ends in ranks.ends(0.05)]
    )
    assert f"{len(differ)} differ from d3" in figure.intervals_alt(ranks, "d3", 0.05)


def test_of_many_groups_some_are_drawn_and_the_highlighted_always() -> None:
    """At most MOST_GROUPS, from the best to the worst."""
    run = scores.run(matrix(n=300, humans=0), resamples=10, runtime=Runtime(executor=Serial()))
    ranks = run.ranks("documents")
    assert ranks is not None
    for chosen in (0, 77, 299):
        order = figure.drawn_groups(ranks, chosen)
        assert len(order) <= figure.MOST_GROUPS
        assert chosen in order
        assert {int(ranks.means.argmax()), int(ranks.means.argmin())} <= set(order)


def test_a_click_names_the_group() -> None:
    """A click is read in every form Streamlit sends."""
    ranks = RUN.ranks("systems")
    assert ranks is not None
    for data in ([2], {"0": 2}, 2, {"0": 2.0}):
        assert figure.clicked_group([{"customdata": data}], ranks) == "m2"
    assert figure.clicked_group([], ranks) is None
    assert figure.clicked_group([{"customdata": [99]}], ranks) is None


@pytest.mark.parametrize("compact", [False, True])
def test_nulls_hold_every_draw_and_the_lines(compact: bool) -> None:
    """Three panels; bars and outline count all draws; the solid line is the observed size, the dashed one theory."""
    place, _ = RESULT.place("m0", "m4")
    drawn = pair_figure.nulls(RESULT, place, scores.null_of(RUN, place), 0.05, compact=compact)
    assert len(drawn.data) == 6
    assert [int(np.sum(trace.y)) for trace in drawn.data] == [400] * 6
    solid = [shape.x0 for shape in drawn.layout.shapes if shape.line.dash == "solid"]
    np.testing.assert_allclose(solid, np.abs(RUN.statistics[:, place]))
    dashed = [shape.x0 for shape in drawn.layout.shapes if shape.line.dash != "solid"]
    np.testing.assert_allclose(dashed, RESULT.cutoffs(0.05)[0, :, place])
    assert any("|Wilcoxon W|" in note.text for note in drawn.layout.annotations)


def test_nulls_leave_out_what_has_no_place() -> None:
    """A T without bound is neither drawn nor an error."""
    x = np.random.default_rng(0).normal(size=10)
    made = ScoreMatrix("x", tuple(map(str, range(10))), ("A", "B"), np.column_stack([x + 1, x]))
    result = scores.read(scores.run(made, resamples=300, runtime=Runtime(executor=Serial())))
    drawn = pair_figure.nulls(result, 0, scores.null_of(result.run, 0), 0.05)
    json.loads(drawn.to_json(), parse_constant=pytest.fail)


def test_differences_part_better_from_worse() -> None:
    """Every document is counted once, in the colour of its side; the lines are the mean and the Hodges-Lehmann median."""
    z = np.array([-2.0, -1.0, 0.0, 0.0, 1.0, 3.0, 5.0])
    drawn = pair_figure.differences(z, "A", "B", "BLEU")
    assert {trace.name: int(np.sum(trace.y)) for trace in drawn.data} == {"worse": 2, "same score": 2, "better": 3}
    assert sorted(shape.x0 for shape in drawn.layout.shapes) == sorted([z.mean(), scores.hodges_lehmann(z)])
    assert "better on 3, worse on 2, the same on 2" in pair_figure.differences_alt(z, "A", "B")


def test_alternative_texts_say_what_is_shown() -> None:
    """Sizes, human systems and missing scores are in the sentence of the heatmap, p in that of the nulls."""
    output = figure.heatmap_alt(MATRIX)
    assert "24 documents by 7 systems, 2 of them human" in output
    assert "24 scores missing" in output
    assert "by MC" in pair_figure.nulls_alt(RESULT, 0)
