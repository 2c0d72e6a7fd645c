"""The null factory: the p of data sets without a difference drop, one after the other, on a chart of twenty columns."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from sigboard.questions.learn import stage
from sigboard.render.style import HEADING, SMALL, Part, Theme, axis, palette
from sigcore.formatting import format_p
from sigcore.studies import learn

ALPHA = 0.05  # the width of a column
SLOW, FAST = 800, 200  # milliseconds of a frame
HEIGHT = 420


def draw(numbers: learn.Factory, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """All p-values, and frames: the first ten one by one, then tens, then fifties."""
    whole = len(numbers.p)
    figure = go.Figure(data=_traces(numbers, whole, theme, False), layout=_layout(numbers, theme))
    stage.over(figure)
    figure.frames = [
        stage.frame(str(first), _traces(numbers, first, theme, first <= 10), _top(numbers, first))
        for first in _course(whole)
    ]
    return figure


def alt(numbers: learn.Factory) -> str:
    """One sentence that describes the figure."""
    kind = "without a difference" if numbers.is_null else "drawn from the pair as it is"
    return (
        f"A histogram of the p-values of {len(numbers.p):,} data sets {kind}, in {learn.BINS} columns: "
        f"{numbers.rejected(ALPHA):,} are at most {ALPHA:g}."
    )


def _course(whole: int) -> list[int]:
    return [*range(1, 11), *range(20, 101, 10), *range(150, whole + 1, 50)]


def _top(numbers: learn.Factory, first: int) -> float:
    return max(6.0, 1.2 * float(numbers.counts(first).max()), 1.6 * first / learn.BINS)


def _layout(numbers: learn.Factory, theme: Theme) -> Part:
    course = _course(len(numbers.p))
    plays: list[stage.Play] = [
        ("Play", [str(first) for first in course], FAST),
        ("first 10, slowly", [str(first) for first in course if first <= 10], SLOW),
    ]
    return stage.layout(
        theme,
        plays,
        [(f"{first:,}", str(first)) for first in course],
        at_end=True,
        height=HEIGHT,
        xaxis=axis(
            theme, "p of a data set", range=[0, 1], fixedrange=True, dtick=0.1, showline=True, domain=[0, 1], anchor="y"
        ),
        yaxis=stage.count_axis(theme, 0.82, _top(numbers, len(numbers.p)), nticks=5),
    )


def _traces(numbers: learn.Factory, first: int, theme: Theme, falls: bool) -> list[go.Bar | go.Scatter]:
    """The columns, the expected height, the p that was the last one, and the words."""
    colours = palette(theme)
    edges = np.linspace(0, 1, learn.BINS + 1)
    bars = go.Bar(
        x=((edges[:-1] + edges[1:]) / 2).tolist(),
        y=numbers.counts(first).tolist(),
        width=0.94 / learn.BINS,
        marker={"color": [colours.accent, *[colours.bars] * (learn.BINS - 1)], "line": {"width": 0}},
        hovertemplate="%{y:,} data sets<extra></extra>",
    )
    expected = go.Scatter(
        x=[0, 1],
        y=[first / learn.BINS] * 2,
        mode="lines",
        line={"color": colours.ink, "width": 1.5, "dash": "5px,3px"},
        hoverinfo="skip",
    )
    last = float(numbers.p[first - 1])
    drop = go.Scatter(
        x=[last] if falls else [None],
        y=[0.9 * _top(numbers, first)] if falls else [None],
        mode="markers+text",
        text=[f"p = {format_p(last, 0)}"],
        textposition="middle right" if last < 0.8 else "middle left",
        textfont={"size": HEADING, "color": colours.ink},
        marker={"size": 13, "symbol": "square", "color": colours.ink},
        hoverinfo="skip",
    )
    return [bars, expected, drop, stage.captions(_texts(numbers, first, theme))]


def _texts(numbers: learn.Factory, first: int, theme: Theme) -> list[stage.Line]:
    colours, found = palette(theme), numbers.rejected(ALPHA, first)
    kind = "no difference" if numbers.is_null else "the pair as it is"
    share = f"<b>{found:,} of {first:,} data sets ({100 * found / first:.1f} %) have p \u2264 {ALPHA:g}</b>"
    return [
        stage.Line(0.0, 0.96, share, colours.accent, HEADING + 2),
        stage.Line(0.0, 0.89, f"{kind}; dashed: {first / learn.BINS:g} in each column", colours.muted, SMALL + 1),
    ]
