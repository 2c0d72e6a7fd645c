"""The magnified tail of a histogram: the resamples that count, as bars, or each as a dot where they are few."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.figures.compare_bars import Bars
from sigboard.figures.style import SMALL, Theme, axis, palette
from sigcore import Floats, TestResult

SMALL_TAIL = 0.05  # largest share of the resamples that is magnified
FEW = 60  # resamples of one tail up to which each is a dot
COLUMNS = 20  # columns in which they are stacked
WIDTH, BOTTOM, TOP = 0.23, 0.36, 0.84  # of an inset, in shares of the figure
DOT = 6  # pixels of a resample


def draw(figure: go.Figure, test: TestResult, pieces: Bars, span: tuple[float, float], theme: Theme) -> None:
    """Add an inset for each small tail: on the left for the lower cut-off, on the right for the upper one."""
    if not 0 < test.tail <= SMALL_TAIL * test.setup.resamples:
        return
    for left, cutoff in ((True, test.cutoffs[0]), (False, test.cutoffs[1])):
        own = pieces.tail & (pieces.heights > 0) & ((pieces.right <= cutoff) if left else (pieces.left >= cutoff))
        if math.isfinite(cutoff) and own.any():
            _inset(figure, test, pieces, own, cutoff, span, left, theme)


def stacked(values: Floats, span: tuple[float, float], columns: int) -> Floats:
    """The height of each value in a stack of dots: the values of one of `columns` equal parts of `span` are in one stack."""
    width = (span[1] - span[0]) / columns or 1.0
    column = np.floor((values - span[0]) / width)
    heights = np.zeros(len(values))
    for k in np.unique(column):
        own = column == k
        heights[own] = np.arange(own.sum()) + 0.5
    return heights


def _inset(
    figure: go.Figure,
    test: TestResult,
    pieces: Bars,
    own: Any,
    cutoff: float,
    span: tuple[float, float],
    left: bool,
    theme: Theme,
) -> None:
    ends = (float(pieces.left[own].min()), cutoff) if left else (cutoff, float(pieces.right[own].max()))
    margin = 0.06 * (ends[1] - ends[0])
    ends = (ends[0] - margin, ends[1] + margin)
    name = "2" if left else "3"
    colours = palette(theme)
    values = _values(test, cutoff, left)
    number = "" if values is None else f"{len(values):,} at or beyond this cut-off, "
    if values is not None and len(values) <= FEW:
        heights = stacked(values, ends, COLUMNS)
        marks: Any = go.Scatter(x=values, y=heights, mode="markers", hoverinfo="skip")
        marks.update(marker={"size": DOT, "color": colours.accent})
        top, words = max(4.0, float(heights.max()) + 1), f"{number}each a dot"
    else:
        x, width = (pieces.left + pieces.right)[own] / 2, (pieces.right - pieces.left)[own]
        marks = go.Bar(x=x, width=width, y=pieces.heights[own], marker={"color": colours.accent}, hoverinfo="skip")
        top, words = float(pieces.heights[own].max()) * 1.1, f"{number}magnified"
    figure.add_trace(marks.update(xaxis=f"x{name}", yaxis=f"y{name}"))
    domain = [0.02, 0.02 + WIDTH] if left else [1 - WIDTH, 1]
    thin = {"showline": True, "mirror": True, "linecolor": colours.muted, "fixedrange": True, "automargin": False}
    across = axis(theme, range=list(ends), domain=domain, anchor=f"y{name}", nticks=4, **thin)
    down = axis(theme, range=[0, top], domain=[BOTTOM, TOP], anchor=f"x{name}", nticks=4, showticklabels=False, **thin)
    if marks.type == "bar":
        down |= {"showticklabels": True, "side": "right" if left else "left", "tickformat": ",d"}
    figure.update_layout({f"xaxis{name}": across, f"yaxis{name}": down})
    figure.add_annotation(
        text=words,
        x=domain[0] if left else domain[1],
        xanchor="left" if left else "right",
        xref="paper",
        y=TOP,
        yref="paper",
        yanchor="bottom",
        showarrow=False,
        font={"size": SMALL, "color": colours.accent},
    )
    # the part of the large axis that the inset shows
    figure.add_shape(
        type="line", x0=ends[0], x1=ends[1], y0=0, y1=0, line={"color": colours.accent, "width": 4}, xref="x", yref="y"
    )


def _values(test: TestResult, cutoff: float, left: bool) -> Floats | None:
    """The resamples at or beyond one cut-off; where they were not kept, each is in the middle of its bin.

    None where a bin contains the cut-off, so that their number is not known.
    """
    if test.null is not None:
        return test.null[test.null <= cutoff] if left else test.null[test.null >= cutoff]
    edges, counts = test.histogram.edges, test.histogram.counts
    if counts[(edges[:-1] < cutoff) & (cutoff < edges[1:])].any():
        return None
    beyond = edges[1:] <= cutoff if left else edges[:-1] >= cutoff
    return np.repeat(((edges[:-1] + edges[1:]) / 2)[beyond], counts[beyond])
