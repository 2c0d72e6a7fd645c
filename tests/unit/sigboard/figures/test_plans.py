"""The figures of Size and Domains, and thresholds and mixtures on that of Gain."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sigboard.questions.domains import figure as domains_figure
from sigboard.questions.gain import figure as gain_classes
from sigboard.questions.size import figure as size_figure
from sigcore.studies import domains, gain, pairs, size
from tests.made import text_set
from tests.unit.factories import gain as scatter_of
from tests.unit.sigcore.studies.test_size import BLEU

HOW = pairs.How(resamples=300, seed=3)


def test_thresholds_are_lines_and_refusals_are_not() -> None:
    """Each threshold is one vertical line at its gain with its number; a refused one has none."""
    known = gain.Threshold("same group", 0.62, 20, 0.5, 0.7, 0.3, 40)
    refused = gain.Threshold("different groups", math.nan, 3, math.nan, math.nan, math.nan, 40)
    whole = gain_classes.drawn(scatter_of(60), 0.05, "light", "confidence", True, False, None, (known, refused))
    upright = [line.x0 for line in whole.layout.shapes if line.type == "line" and line.x0 == line.x1]
    assert upright == [0.62]
    assert any("same group 0.62" in note.text for note in whole.layout.annotations)


def test_mixtures_are_below_the_real_pairs_and_cannot_be_clicked() -> None:
    """Mixtures are hollow, drawn first, and lead to no pair; the real points are unchanged."""
    real, mixed = scatter_of(60), replace(scatter_of(30, seed=4), synthetic=True)
    alone = gain_classes.drawn(real, 0.05, "dark", "log", True, False, None, ())
    both = gain_classes.drawn(real, 0.05, "dark", "log", True, False, mixed, ())
    own, others = both.data[:3], both.data[3:]
    assert all(trace.marker.symbol.endswith("-open") and trace.customdata is None for trace in own)
    assert [trace.name for trace in others] == [trace.name for trace in alone.data]
    assert np.array_equal(others[0].x, alone.data[0].x)
    assert sum(len(trace.x) for trace in own) == 30


@pytest.fixture(scope="module")
def planned() -> size.SizeResult:
    """Thresholds at two sizes, and detectable gains for a planned one."""
    testset, outputs = text_set(120, (0.1, 0.2, 0.3, 0.15, 0.22))
    return size.run(testset, outputs, BLEU, size.SizePlan((40, 80), "random", draws=12, gain=2.0), HOW)


def test_lines_of_detectable_gains_fall_as_the_root(planned: size.SizeResult) -> None:
    """Every point of a line is the detectable gain of that many segments, and the cross is where the plan is met."""
    found = {(i.system, i.segments, i.power): i.gain for i in planned.detectable}
    ((name, constant), *_) = size_figure.lines(planned, ("", ""), 0.8)
    assert name == size.MEDIAN
    assert constant / math.sqrt(40) == pytest.approx(found[size.MEDIAN, 40, 0.8])
    assert constant / math.sqrt(80) == pytest.approx(found[size.MEDIAN, 80, 0.8])
    figure = size_figure.detectable(planned, ("", ""), 0.8, 120, 2.0, 900.0)
    assert list(figure.data[-1].x) == [900.0]
    assert list(figure.data[-1].y) == [2.0]
    line = figure.data[0]
    assert line.y[0] / line.y[1] == pytest.approx(math.sqrt(line.x[1] / line.x[0]))


def test_scatter_by_size_has_every_pair(planned: size.SizeResult) -> None:
    """All pairs of all parts of a size, with 1 - p, or at the lower edge; the pairs of the first segments are those of the
    study of gains on these segments alone."""
    figure = size_figure.scatter(planned)
    assert [trace.name for trace in figure.data] == ["40 segments (120)", "80 segments (120)"]
    for trace, segments in zip(figure.data, (40, 80), strict=True):
        own = [item for item in planned.curve if item.segments == segments]
        assert sorted(trace.x) == sorted(np.concatenate([item.gains for item in own]).tolist())
        assert min(trace.y) >= 0.5
        assert sum(y > 0.95 for y in trace.y) == sum(int((item.p_values < 0.05).sum()) for item in own)
    testset, outputs = text_set(120, (0.1, 0.2, 0.3, 0.15, 0.22))
    first = size.run(testset, outputs, BLEU, size.SizePlan((40,), mixtures=2), HOW)
    few = replace(testset, references=tuple(r[:40] for r in testset.references), n=40, digest="")
    alone = size.run(
        few, [replace(o, segments=o.segments[:40], digest="") for o in outputs], BLEU, size.SizePlan((40,)), HOW
    )
    gains = [item.gains for item in (*first.curve, *alone.curve) if not item.threshold.synthetic]
    assert sorted(gains[0].tolist()) == pytest.approx(sorted(gains[1].tolist()))
    names = [trace.name for trace in size_figure.scatter(first).data]
    assert names == ["40 segments, mixtures (6)", "40 segments (10)"]
    assert "40 segments: 16 pairs" in size_figure.scatter_alt(first)


def test_curve_has_a_point_for_each_threshold(planned: size.SizeResult) -> None:
    """Thresholds are where the result has them, with their intervals; refused ones are left out."""
    known = [item for item in planned.curve if not item.reason]
    figure = size_figure.curve(planned)
    points = [trace for trace in figure.data if trace.name and trace.name.startswith("threshold")]
    assert sum(len(trace.x) for trace in points) == len(known)
    for trace in points:
        assert list(trace.y) == [item.threshold.threshold for item in known]
        assert trace.y + trace.error_y.array == pytest.approx([item.threshold.high for item in known])
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    none = replace(planned, curve=tuple(i for i in planned.curve if i.reason), lines=())
    assert "No class has a threshold" in size_figure.curve(none).layout.annotations[0].text
    assert "no class has a threshold" in size_figure.curve_alt(none)


def test_domains_draw_shares_with_their_intervals() -> None:
    """Every bin with pairs is a point with its exact interval; an empty bin is none, and mixtures are hollow."""
    testset, outputs = text_set(120, (0.1, 0.2, 0.3, 0.15))
    names = tuple("ab"[i % 2] for i in range(120))
    result = domains.run(testset, outputs, BLEU, domains.DomainsPlan(names, draws=3, mixtures=4), HOW, unit="segment")
    assert result.real.calibration is not None
    assert result.mixed is not None
    real, mixed = domains_figure.calibration(result).data
    used = [item for item in result.real.calibration.bins if item.pairs]
    assert list(real.y) == [100 * item.agree / item.pairs for item in used]
    assert real.y - real.error_y.arrayminus == pytest.approx([item.as_dict()["low_ci"] for item in used])
    assert real.y + real.error_y.array == pytest.approx([item.as_dict()["high_ci"] for item in used])
    assert real.hovertext[0].startswith(f"{used[0].agree} of {used[0].pairs}: ")
    assert (real.marker.symbol, mixed.marker.symbol) == ("circle", "diamond-open")
    drawn = domains_figure.signs(result, mixed=True).data[0]
    assert list(drawn.y) == [cell.as_dict()["same_sign_percent"] for cell in result.mixed.table if cell.pairs]
    nothing = replace(result, real=replace(result.real, calibration=None), mixed=None)
    assert "No test set has been drawn." in domains_figure.calibration(nothing).layout.annotations[-1].text
