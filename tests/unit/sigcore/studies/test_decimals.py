"""The decimals of a metric reach every place where its scores and gains are printed, and nothing that is computed."""

from __future__ import annotations

import numpy as np
import pytest

from sigboard.questions.compare import figure as compare_figure
from sigboard.questions.gain import figure as gain_figure
from sigboard.questions.matrix import figure as matrix_figure
from sigboard.render import grid as matrix_cells
from sigboard.render.json import matrix_json
from sigboard.render.text import compare_table, matrix_table
from sigcore import Outputs, Testset, metrics
from sigcore.formatting import format_gain, format_interval, format_score, format_size
from sigcore.results import CompareResult, Histogram, scores_rows, verdict
from sigcore.studies import compare as compare_study
from sigcore.studies import gain as gain_study
from sigcore.studies import matrix
from sigcore.study import Study
from tests.unit import factories

NAME = "approximate_randomization"
SCORES = (0.84124, 0.84571)
SEGMENTS = ("a small red boat in the harbour of the town", "another one , two and three of them") * 4


def fine() -> CompareResult:
    """A pair of COMET: scores below one, a gain of 0.00447, four decimals."""
    test = factories.one_test(
        scores=SCORES[::-1],
        gain=0.00447,
        interval=(0.00123, 0.00812),
        cutoffs=(-0.00447, 0.00447),
        histogram=Histogram(np.linspace(-0.01, 0.01, 11), np.array([5, 20, 300, 1500, 3175, 3175, 1500, 300, 20, 5])),
    )
    spread = ((0.83, 0.85), (0.84, 0.86))
    return factories.compare(test, metric_title="COMET", score_intervals=spread, decimals=4)


def test_numbers_in_the_decimals_asked_for() -> None:
    """Scores, gains, sizes and intervals take the decimals; a gain keeps its sign, a rounded zero has none."""
    assert [format_score(x, 4) for x in (11.4561, -0.00001)] == ["11.4561", "0.0000"]
    assert [format_gain(x, 4) for x in (0.00447, -0.5, 0.0, 0.000031)] == ["+0.0045", "-0.5000", "0.0000", "+0.00003"]
    assert format_size(-0.00447, 4) == "0.0045"
    assert format_interval((0.00123, 1), 3) == "[0.001, 1.000]"


@pytest.mark.parametrize(
    ("ends", "printed"),
    [
        ((0.004, 1.0), "[0.004, 1.00]"),
        ((-1.0, -0.0004), "[-1.00, -0.0004]"),
        ((-0.00002, 0.0), "[-0.00002, 0.00]"),
        ((3e-11, 1.0), "(0.00, 1.00]"),
        ((-1.0, -3e-11), "[-1.00, 0.00)"),
        ((-3e-11, 3e-11), "[0.00, 0.00]"),
        ((1e-17, 1.0), "[0.00, 1.00]"),
        ((float("nan"), 1.0), "[n/a, 1.00]"),
    ],
)
def test_a_printed_interval_has_0_in_it_where_the_interval_has(ends: tuple[float, float], printed: str) -> None:
    """Rounding never puts 0 into an interval of a gain that is significant."""
    assert format_interval(ends) == printed


@pytest.mark.parametrize("name", list(metrics.members()))
def test_every_metric_says_how_many(name: str) -> None:
    """Each metric has a sensible number of decimals."""
    member = metrics.get(name)
    assert 0 <= member.decimals_of(member.chosen()) <= 6


@pytest.mark.parametrize(
    ("name", "options", "decimals"),
    [
        ("bleu", {}, 2),
        ("nist", {}, 4),
        ("own_scores", {}, 4),
        ("own_statistics", {}, 2),
        ("own_statistics", {"scale": 1.0}, 4),
        ("own_statistics", {"formula": "mean"}, 4),
    ],
)
def test_two_up_to_a_hundred_four_around_one(name: str, options: dict[str, object], decimals: int) -> None:
    """Two decimals for what counts to a hundred, four for what lies around one or may lie anywhere."""
    member = metrics.get(name)
    assert member.decimals_of(member.chosen(options)) == decimals


def test_studies_pass_them_on() -> None:
    """The grid, its points and the pair carry the decimals of their metric."""
    testset = Testset("small", "text", len(SEGMENTS), (SEGMENTS,))
    systems = [Outputs(word, tuple(text.replace(word, "?") for text in SEGMENTS)) for word in ("red", "two")]
    asked = (("nist", {}), ("bleu", {}))
    run = matrix.run(Study(testset, systems, asked, resamples=20))
    assert [matrix.read(run, name, NAME).setup.decimals for name, _ in asked] == [4, 2]
    assert gain_study.read(matrix.read(run, "nist", NAME)).setup.decimals == 4
    assert (
        compare_study.read(
            compare_study.run(Study(testset, systems, asked, tests=None, resamples=20)), "nist"
        ).setup.decimals
        == 4
    )


def test_the_sentence_and_the_tables_of_a_terminal() -> None:
    """The verdict and both text tables print four decimals where the metric has four."""
    assert "by 0.0045 COMET" in verdict(fine().result(NAME, "two-sided"), 0.05)
    assert "interval of the gain is [0.0012, 0.0081]" in verdict(fine().result(NAME, "two-sided"), 0.05)
    assert "0.8457  [0.8300, 0.8500]" in compare_table(fine(), 0.05)
    assert "+0.0045" in compare_table(fine(), 0.05)
    assert "0.8412" in matrix_table(factories.matrix(SCORES, decimals=4), 0.05)


def test_figures_show_them() -> None:
    """Labels, hover texts, lines and alt texts print four decimals where the metric has four."""
    grid = str(matrix_cells.cells(factories.matrix(SCORES, decimals=4), 0.05))
    assert "0.8412" in grid
    assert "+0.0045" in grid
    for systems in (70, 90):  # the hover of squares, and of cells
        many = matrix_figure.grid(factories.matrix(np.linspace(0.8, 0.9, systems), decimals=4), 0.05).to_json()
        assert "+0.1000" in many
    assert "+0.0045" in compare_figure.alt_text(fine(), fine().chief)
    words = [note.text for note in compare_figure.stage(fine(), fine().chief).layout.annotations]
    assert {"gain +0.0045", "mirror \u22120.0045"} <= set(words)
    points = gain_figure.scatter(factories.gain(3, gains=np.array([0.00447, 0.1, 0.2]), decimals=4), 0.05)
    assert "+0.0045" in points.to_json()


def test_small_gains_fill_the_axis() -> None:
    """The axis of the nulls of a metric around one fits them; it is not that of a metric up to a hundred."""
    low, high = compare_figure.stage(fine(), fine().chief).layout.xaxis.range
    assert -0.012 < low < -0.01
    assert 0.01 < high < 0.012


def test_what_is_handed_out_is_not_rounded() -> None:
    """CSV rows and JSON hold the full numbers."""
    result = factories.matrix(SCORES, decimals=4)
    assert [row["score"] for row in scores_rows(result)] == [0.84571, 0.84124]
    assert matrix_json([result])["results"][0]["scores"] == list(SCORES)
