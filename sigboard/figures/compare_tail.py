"""The magnified tail of a histogram: the resamples that count, as bars, or each as a dot where they are few."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.figures.compare_bars import Bars, small_tail
from sigboard.figures.style import CLEAR, SMALL, Theme, axis, format_score, minus, palette
from sigcore import Floats, TestResult

FEW = 60  # resamples of one tail up to which each is a dot
COLUMNS = 20  # columns in which they are stacked
BOTTOM, TOP = 0.30, 0.70  # of an inset, in shares of the figure
WIDE, NARROW, NARROW_COMPACT, GAP = (
    0.24,
    0.12,
    0.22,
    0.025,
)  # largest and least width of an inset, and the space around it
DOT = 6  # pixels of a resample


@dataclass(frozen=True)
class _Tail:
    """The resamples at or beyond one cut-off: which of the bars, where they end, and each of them where it is known."""

    lower: bool
    cutoff: float
    own: Any
    ends: tuple[float, float]
    values: Floats | None

    @property
    def few(self) -> bool:
        return self.values is not None and len(self.values) <= FEW


def draw(
    figure: go.Figure, test: TestResult, pieces: Bars, span: tuple[float, float], theme: Theme, compact: bool
) -> None:
    """Add an inset for each small tail, beside the lines; none where they leave no space.

    `compact` is the form for a narrow screen, where an inset needs a larger share of the width.
    """
    if not small_tail(test):
        return
    found = [_tail(test, pieces, lower) for lower in (True, False)]
    tails = [one for one in found if one is not None]
    places = _places(test, tails, span, NARROW_COMPACT if compact else NARROW)
    for one, place, name in zip(tails, places, "23", strict=False):
        _inset(figure, test, pieces, one, place, name, theme)


def stacked(values: Floats, span: tuple[float, float], columns: int) -> Floats:
    """The height of each value in a stack of dots: the values of one of `columns` equal parts of `span` are in one stack."""
    width = (span[1] - span[0]) / columns or 1.0
    column = np.floor((values - span[0]) / width)
    heights = np.zeros(len(values))
    for k in np.unique(column):
        own = column == k
        heights[own] = np.arange(own.sum()) + 0.5
    return heights


def _tail(test: TestResult, pieces: Bars, lower: bool) -> _Tail | None:
    cutoff = test.cutoffs[0 if lower else 1]
    own = (pieces.heights > 0) & (pieces.right <= cutoff if lower else pieces.left >= cutoff)
    if not math.isfinite(cutoff) or not own.any():
        return None
    ends = (float(pieces.left[own].min()), cutoff) if lower else (cutoff, float(pieces.right[own].max()))
    margin = 0.06 * (ends[1] - ends[0])
    return _Tail(lower, cutoff, own, (ends[0] - margin, ends[1] + margin), _values(test, cutoff, lower))


def _values(test: TestResult, cutoff: float, lower: bool) -> Floats | None:
    """The resamples at or beyond one cut-off; where they were not kept, each is in the middle of its bin.

    None where a bin contains the cut-off, so that their number is not known.
    """
    if test.null is not None:
        return test.null[test.null <= cutoff] if lower else test.null[test.null >= cutoff]
    edges, counts = test.histogram.edges, test.histogram.counts
    if counts[(edges[:-1] < cutoff) & (cutoff < edges[1:])].any():
        return None
    beyond = edges[1:] <= cutoff if lower else edges[:-1] >= cutoff
    return np.repeat(((edges[:-1] + edges[1:]) / 2)[beyond], counts[beyond])


def _places(test: TestResult, tails: list[_Tail], span: tuple[float, float], least: float) -> list[tuple[float, float]]:
    """The part of the width for each inset: on its own side of all lines where there is space, or else side by side on
    the other side."""
    marks = [test.gain, *(one.cutoff for one in tails)]
    low, high = ((place - span[0]) / (span[1] - span[0]) for place in (min(marks), max(marks)))
    left, right = (GAP, low - GAP), (high + GAP, 1.0)
    sides = [left if one.lower else right for one in tails]
    if all(end - start >= least for start, end in sides):
        return [_at(side, outwards=side is left) for side in sides]
    start, end = max(left, right, key=lambda side: side[1] - side[0])
    width = min(WIDE, (end - start - GAP * len(tails)) / max(len(tails), 1))
    if width < least:
        return []
    return [(start + k * (width + 2 * GAP), start + k * (width + 2 * GAP) + width) for k in range(len(tails))]


def _at(side: tuple[float, float], outwards: bool) -> tuple[float, float]:
    """An inset at one end of a free part of the width."""
    width = min(WIDE, side[1] - side[0])
    return (side[0], side[0] + width) if outwards else (side[1] - width, side[1])


def _inset(
    figure: go.Figure, test: TestResult, pieces: Bars, one: _Tail, place: tuple[float, float], name: str, theme: Theme
) -> None:
    colours = palette(theme)
    marks, top = _marks(pieces, one, theme)
    figure.add_trace(marks.update(xaxis=f"x{name}", yaxis=f"y{name}"))
    frame: dict[str, Any] = {
        "showline": True,
        "mirror": True,
        "linecolor": colours.muted,
        "fixedrange": True,
        "automargin": False,
    }
    inside: dict[str, Any] = {
        "showticklabels": not one.few,
        "ticklabelposition": "inside",
        "ticks": "inside",
        "tickcolor": CLEAR,
        "side": "left" if one.lower else "right",
    }
    across = axis(theme, range=list(one.ends), domain=list(place), anchor=f"y{name}", nticks=4, **frame)
    down = axis(theme, range=[0, top], domain=[BOTTOM, TOP], anchor=f"x{name}", nticks=4, **inside, **frame)
    figure.update_layout({f"xaxis{name}": across, f"yaxis{name}": down | {"tickformat": ",d"}})
    figure.add_annotation(
        text=_heading(test, one),
        x=place[0],
        xanchor="left",
        xref="paper",
        y=TOP,
        yref="paper",
        yanchor="bottom",
        align="left",
        showarrow=False,
        font={"size": SMALL, "color": colours.accent},
    )
    # the part of the large axis that the inset shows
    line = {"color": colours.accent, "width": 3}
    left, right = float(pieces.left[one.own].min()), float(pieces.right[one.own].max())
    figure.add_shape(type="line", x0=left, x1=right, y0=0, y1=0, line=line, xref="x", yref="y")


def _marks(pieces: Bars, one: _Tail, theme: Theme) -> tuple[Any, float]:
    """The dots or the bars of an inset, and the top of its axis."""
    colours = palette(theme)
    if one.values is not None and one.few:
        heights = stacked(one.values, one.ends, COLUMNS)
        marks: Any = go.Scatter(x=one.values, y=heights, mode="markers", hoverinfo="skip")
        marks.update(marker={"size": DOT, "color": colours.accent})
        return marks, max(4.0, float(heights.max()) + 1)
    x, width = ((pieces.left + pieces.right) / 2)[one.own], (pieces.right - pieces.left)[one.own]
    heights = pieces.heights[one.own]
    bar = go.Bar(x=x, width=width, y=heights, marker={"color": colours.accent, "line": {"width": 0}}, hoverinfo="skip")
    return bar, float(heights.max()) * 1.1


def _heading(test: TestResult, one: _Tail) -> str:
    """ "217 at ≤ −4.38", and how they are drawn."""
    sign = "≤" if one.lower else "≥"
    number = "" if one.values is None else f"{len(one.values):,} at {sign} "
    where = minus(format_score(one.cutoff, test.setup.decimals))
    return f"{number or f'{sign} '}{where}<br>{'each a dot' if one.few else 'magnified'}"
