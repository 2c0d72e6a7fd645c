"""One pair under one test: a histogram of its resamples with the tail magnified, after Graham et al. 2014, Figure 5."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.render.bars import Bars, bars, lines, p_label, small_tail, span
from sigboard.render.style import (
    CLEAR,
    HEADING,
    NORMAL,
    SMALL,
    Part,
    Theme,
    axis,
    base_layout,
    escape,
    label,
    minus,
    palette,
    unchecked,
)
from sigcore import CompareResult, Floats, TestResult
from sigcore.formatting import count, format_gain, format_score, p_text
from sigcore.studies import runs

# The magnified tail of a histogram: the resamples that count, as bars, or each as a dot where they are few.

FEW = 60  # resamples of one tail up to which each is a dot
TAIL_COLUMNS = 20  # columns in which they are stacked
BOTTOM, TOP = 0.30, 0.70  # of an inset, in shares of the figure
WIDE, NARROW, NARROW_COMPACT, GAP = (
    0.24,
    0.12,
    0.22,
    0.025,
)  # largest and least width of an inset, and the space around it
TAIL_DOT = 6  # pixels of a resample


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
    frame: Part = {
        "showline": True,
        "mirror": True,
        "linecolor": colours.muted,
        "fixedrange": True,
        "automargin": False,
    }
    inside: Part = {
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
        text=_tail_heading(test, one),
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
        heights = stacked(one.values, one.ends, TAIL_COLUMNS)
        marks: Any = go.Scatter(x=one.values, y=heights, mode="markers", hoverinfo="skip")
        marks.update(marker={"size": TAIL_DOT, "color": colours.accent})
        return marks, max(4.0, float(heights.max()) + 1)
    x, width = ((pieces.left + pieces.right) / 2)[one.own], (pieces.right - pieces.left)[one.own]
    heights = pieces.heights[one.own]
    bar = go.Bar(x=x, width=width, y=heights, marker={"color": colours.accent, "line": {"width": 0}}, hoverinfo="skip")
    return bar, float(heights.max()) * 1.1


def _tail_heading(test: TestResult, one: _Tail) -> str:
    """ "217 at ≤ −4.38", and how they are drawn."""
    sign = "≤" if one.lower else "≥"
    number = "" if one.values is None else f"{len(one.values):,} at {sign} "
    where = minus(format_score(one.cutoff, test.setup.decimals))
    return f"{number or f'{sign} '}{where}<br>{'each a dot' if one.few else 'magnified'}"


HEIGHT, HEIGHT_SMALL = 320, 150  # pixels of the large histogram and of a small one
HEAD, HEAD_SMALL, FOOT, SIDE = 52, 22, 44, 64  # pixels above for the name and p, below and beside for the axes
FOOT_SMALL, SIDE_SMALL = 36, 44  # the same for the axes of a small one
LABEL_SHARE = 0.22  # share above the bars that is reserved for the labels of the lines
DOT = 9  # pixels of a single resample
COLUMNS = 60  # columns in which single resamples are stacked


@dataclass(frozen=True)
class _Scene:
    """What all parts of one figure share."""

    result: CompareResult
    test: TestResult
    span: tuple[float, float]
    theme: Theme
    compact: bool = False

    @property
    def decimals(self) -> int:
        return self.result.setup.decimals


def stage(
    result: CompareResult, test: TestResult, theme: Theme = "light", first: int | None = None, compact: bool = False
) -> go.Figure:
    """The histogram of one test of the pair, with its axes; where the tail is small, it is magnified in an inset.

    Accent = the resamples that count; the solid line = the observed gain; dashed lines = the other cut-offs. With
    `first`, only that many resamples are drawn, the first ones, each as a dot (see `steps`). `compact` is the form for a
    narrow screen.
    """
    scene = _Scene(result, test, span(of_side(result, test.setup.side), result), theme, compact)
    title = f"gain on a resample ({escape(result.setup.metric_title)}, positive: {label(result.system, 24)} is better)"
    gains = axis(theme, title, range=list(scene.span), fixedrange=True, nticks=8, automargin=False)
    figure = unchecked(_layout(scene, HEIGHT, HEAD, FOOT, SIDE) | {"xaxis": gains})
    _heading(figure, f"<b>{escape(test.setup.test_title)}</b>, {_side(test)}", HEAD - 2, palette(theme).ink, HEADING)
    values = steps(test, first)
    if values is None:
        _draw_bars(figure, scene)
    else:
        _draw_dots(figure, scene, values)
    return figure


def clicked(points: Sequence[Mapping[str, object]]) -> tuple[float, float] | None:
    """The two gains of a clicked bar, or the gain of a clicked dot twice; None for nothing."""
    for point in points:
        data = point.get("customdata")
        ends = [data.get("0"), data.get("1")] if isinstance(data, Mapping) else data
        if isinstance(ends, Sequence) and len(ends) == 2 and None not in ends:
            return float(ends[0]), float(ends[1])
    return None


def small(result: CompareResult, test: TestResult, theme: Theme = "light") -> go.Figure:
    """A small histogram of one test on the axis of gains of all tests of its side, with p, and lines without labels."""
    scene = _Scene(result, test, span(of_side(result, test.setup.side), result), theme)
    pieces = bars(test.histogram, test.cutoffs, scene.decimals)
    top = float(pieces.heights.max()) * 1.05 or 1.0
    few: Part = {"fixedrange": True, "automargin": False, "title_standoff": 2, "title_font_size": SMALL}
    gains = axis(theme, f"gain ({escape(result.setup.metric_title)})", range=list(scene.span), nticks=5)
    heights = axis(theme, "resamples", range=[0, top], nticks=4, tickformat="~s")
    layout = _layout(scene, HEIGHT_SMALL, HEAD_SMALL, FOOT_SMALL, SIDE_SMALL)
    figure = unchecked(layout | {"xaxis": gains | few, "yaxis": heights | few}, _bars_trace(pieces, scene))
    _draw_lines(figure, scene, top, labels=False)
    text = p_text(test.p_value, test.setup.resamples, test.p_interval[1])
    _heading(figure, text, HEAD_SMALL - 2, _p_colour(test, theme), NORMAL)
    return figure


def of_side(result: CompareResult, side: str) -> list[TestResult]:
    """The tests that were run on that side."""
    return [item for item in result.results if item.setup.side == side]


def steps(test: TestResult, first: int | None) -> Floats | None:
    """The first resamples of a test, in the order in which they were drawn; None for all, and where they are not kept."""
    if first is None or test.null is None or first >= len(test.null):
        return None
    return test.null[:first]


def alt_text(result: CompareResult, test: TestResult, first: int | None = None) -> str:
    """One sentence that describes the histogram."""
    shown = steps(test, first)
    drawn = "" if shown is None else f"the first {len(shown):,} of "
    return (
        f"{'Histogram' if shown is None else 'Dot plot'} of the gains on {drawn}{count(test.drawn, 'resample')}, "
        f"{result.system} against {result.baseline}, observed gain {format_gain(result.gain, result.setup.decimals)} "
        f"{result.setup.metric_title}. {test.setup.test_title}, {test.setup.side}: {p_label(test)}."
    )


def _side(test: TestResult) -> str:
    return {"two-sided": "two-sided", "greater": "one-sided: better", "less": "one-sided: worse"}[test.setup.side]


def _p_colour(test: TestResult, theme: Theme) -> str:
    return palette(theme).accent if test.p_value == test.p_value else palette(theme).muted


def _layout(scene: _Scene, height: int, head: int, foot: int, side: int) -> Part:
    margin = {"l": side, "r": 12, "t": head, "b": foot}
    return base_layout(scene.theme, height, margin=margin, bargap=0, barmode="overlay", hovermode="closest")


def _heading(figure: go.Figure, text: str, shift: int, colour: str, size: int) -> None:
    figure.add_annotation(
        text=text,
        x=0,
        xref="paper",
        xanchor="left",
        y=1,
        yref="paper",
        yanchor="top",
        yshift=shift,
        showarrow=False,
        align="left",
        font={"size": size, "color": colour},
    )


def _draw_bars(figure: go.Figure, scene: _Scene) -> None:
    """All resamples as bars, with the scale of their heights, p, and the magnified tail."""
    test, theme = scene.test, scene.theme
    pieces = bars(test.histogram, test.cutoffs, scene.decimals)
    figure.add_trace(_bars_trace(pieces, scene))
    top = float(pieces.heights.max()) / (1 - LABEL_SHARE) or 1.0
    scale: Part = {"range": [0, top], "fixedrange": True, "nticks": 5, "tickformat": ",d", "automargin": False}
    figure.layout.yaxis = axis(theme, "resamples per bin", **scale)
    _draw_lines(figure, scene, top)
    _heading(figure, p_label(test), HEAD - 24, _p_colour(test, theme), HEADING)
    draw(figure, test, pieces, scene.span, theme, scene.compact)


def _draw_dots(figure: go.Figure, scene: _Scene, values: Floats) -> None:
    """The given resamples as single dots, and how many of them are at or beyond a cut-off."""
    colours = palette(scene.theme)
    tail = (values <= scene.test.cutoffs[0]) | (values >= scene.test.cutoffs[1])
    heights = stacked(values, scene.span, COLUMNS)
    hover = [minus(format_gain(float(value), scene.decimals)) for value in values]
    figure.add_trace(
        go.Scatter(
            x=values,
            y=heights,
            mode="markers",
            marker={"size": DOT, "color": [colours.accent if one else colours.muted for one in tail]},
            customdata=np.column_stack((values, values)),
            hovertext=hover,
            hovertemplate="one resample: gain %{hovertext}<extra></extra>",
        )
    )
    top = max(12.0, float(heights.max()) * 1.1) / (1 - LABEL_SHARE)
    figure.layout.yaxis = {"visible": False, "range": [0, top], "fixedrange": True}
    figure.add_hline(y=0, line={"color": colours.line, "width": 1})
    _draw_lines(figure, scene, top)
    which = "the first resample" if len(values) == 1 else f"the first {len(values):,} resamples"
    beyond = f"{int(tail.sum()):,} of them at or beyond a cut-off"
    if len(values) == 1:
        beyond = f"its gain is {hover[0]}, {'' if tail[0] else 'not '}at or beyond a cut-off"
    _heading(figure, f"{which}, each a dot: {beyond}", HEAD - 24, colours.accent, HEADING)


def _bars_trace(pieces: Bars, scene: _Scene) -> go.Bar:
    colours, decimals = palette(scene.theme), scene.decimals
    share = np.where(pieces.split, " (the cut-off is inside this bin)", "")
    hover = [
        f"{_edge(a, decimals)} to {_edge(b, decimals)}{note}<br>{'counts towards p' if t else 'does not count'}"
        for a, b, t, note in zip(pieces.left, pieces.right, pieces.tail, share, strict=True)
    ]
    title = escape(scene.test.setup.test_title)
    full = {"marker": {"opacity": 1}}
    return go.Bar(
        x=(pieces.left + pieces.right) / 2,
        width=pieces.right - pieces.left,
        y=pieces.heights,
        marker={"color": [colours.accent if t else colours.bars for t in pieces.tail], "line": {"width": 0}},
        selected=full,
        unselected=full,
        customdata=np.column_stack((pieces.left, pieces.right)),
        hovertext=hover,
        hovertemplate="%{hovertext}<br>%{y:,.0f} resamples per bin<extra>" + title + "</extra>",
    )


def _edge(place: float, decimals: int) -> str:
    """The edge of a bar, one digit finer than the gains."""
    return minus(f"{place:.{decimals + 1}f}")


def _draw_lines(figure: go.Figure, scene: _Scene, top: float, labels: bool = True) -> None:
    colours, drawn = palette(scene.theme), lines(scene.test, scene.decimals)
    low, high = scene.span
    for k, (place, words, solid) in enumerate(drawn):
        line: Part = {"color": colours.ink, "width": 1.5, "dash": "solid" if solid else "5px,3px"}
        figure.add_shape(type="line", x0=place, x1=place, y0=0, y1=top, line=line)
        middle = 0 < k < len(drawn) - 1
        leftwards = _leftwards(k, len(drawn), (place - low) / (high - low))
        if labels:
            figure.add_annotation(
                x=place,
                y=top * (1 - LABEL_SHARE / 2 if middle else 1),
                text=words,
                xanchor="right" if leftwards else "left",
                yanchor="top",
                xshift=-3 if leftwards else 3,
                showarrow=False,
                bgcolor=colours.paper if middle else CLEAR,
                font={"size": SMALL, "color": colours.ink},
            )


def _leftwards(k: int, count: int, share: float) -> bool:
    """Whether the label of line k is on its left: outwards where there is space, otherwise inwards."""
    if count > 1 and k == 0:
        return share > 0.28
    return share > 0.72


# What makes the score of a system with several runs uncertain: runs, documents, segments, after Clark et al. 2011.

BAR, AROUND, LETTERS = 20, 84, 24


def spread(result: runs.RunsResult, chosen: Sequence[int], theme: Theme, compact: bool = False) -> go.Figure:
    """The standard deviations of the score over runs, documents and segments, a bar for each of the chosen systems.

    What is undefined (one run, no documents) has no bar.
    """
    parts = _parts(result, chosen)
    colours = palette(theme).classes
    height = BAR * len(parts) * (len(chosen) + 1) + AROUND + (16 if compact else 0)
    figure = go.Figure(
        layout=base_layout(
            theme,
            height,
            margin={"l": 8, "r": 16, "t": 30, "b": 8},
            barmode="group",
            xaxis=axis(theme, f"standard deviation, {result.setup.metric_title}", showgrid=True, rangemode="tozero"),
            yaxis=axis(theme, autorange="reversed", tickfont={"size": SMALL, "color": palette(theme).ink}),
            showlegend=True,
            legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "font": {"size": SMALL}},
        )
    )
    for place, k in enumerate(chosen):
        values = [values[k] for values in parts.values()]
        figure.add_trace(
            go.Bar(
                x=[float(value) for value in values],
                y=list(parts),
                orientation="h",
                name=label(result.systems[k], LETTERS),
                marker={"color": colours[place % len(colours)]},
                text=[format_score(float(value), result.setup.decimals) for value in values],
                textposition="outside",
                cliponaxis=False,
                hoverinfo="skip",
            )
        )
    return figure


def spread_alt(result: runs.RunsResult, chosen: Sequence[int]) -> str:
    """The figure in words."""
    parts = _parts(result, chosen)
    rows = [
        f"{result.systems[k]}: "
        + ", ".join(f"{name} {format_score(float(values[k]), result.setup.decimals)}" for name, values in parts.items())
        for k in chosen
    ]
    return f"Standard deviations of {result.setup.metric_title} {'; '.join(rows)}."


def _parts(result: runs.RunsResult, chosen: Sequence[int]) -> dict[str, Sequence[float]]:
    """What a score varies over; without the parts that no chosen system has."""
    parts = {"over runs": result.s_opt, "over documents": result.over_documents, "over segments": result.over_segments}
    return {
        name: values.tolist() for name, values in parts.items() if any(not math.isnan(float(values[k])) for k in chosen)
    }
