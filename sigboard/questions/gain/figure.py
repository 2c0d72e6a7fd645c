"""How large a gain is usually real: confidence against gain for all pairs, after Berg-Kirkpatrick et al. 2012, Fig. 2."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from sigboard.render.style import (
    CLEAR,
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
from sigcore import Floats, GainResult, Ints
from sigcore.formatting import NO_VERDICT, count, format_draws, format_gain, format_size, format_units
from sigcore.studies import gain

SHAPES = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star")
HOVER_LIMIT = 3000  # pairs up to which each has its names in the hover text; with more, megabytes would be sent
HEIGHT, TOP = 372, 56  # with the short head of the page, the axis of gains is on the first screen of 1280 x 720
NO_CLASS = "no class"
NAME = 16  # characters of a name in the label of a pair
LOWEST = 0.5  # confidence at the lower edge, as in the paper's figures
BELOW = "triangle-down-open"  # the symbol of a pair below it

SIDED = {"two-sided": "two-sided", "greater": "one-sided", "less": "one-sided, in the other direction"}

Scale = Literal["confidence", "log"]
SCALES: dict[Scale, str] = {"confidence": "confidence, 0.5 to 1", "log": "\u2212log\u2081\u2080 p"}


def scatter(
    result: GainResult,
    alpha: float,
    theme: Theme = "light",
    scale: Scale = "confidence",
    whole: bool = False,
    compact: bool = False,
) -> go.Figure:
    """Confidence (1 - p), or -log10 p, against gain: one colour and shape per pair class (one for all where there are none).

    The dashed line is alpha; the grey band and the two labelled pairs are those of `border`. The axis of gains ends where
    no verdict changes any more (see `reach`), or with `whole` at the largest gain. Each point has customdata [k], its
    position in `result.systems` and `result.baselines` (see `clicked`). `compact` is the form for a narrow screen.
    """
    drawn, right = heights(result, scale), None if whole else reach(result, alpha)
    figure = unchecked(_layout(result, theme) | _axes(result, drawn, right, scale, theme))
    # sorted: a class keeps its colour when gains or groups change; pairs without a class are last
    for k, name in enumerate(sorted(set(result.pair_class), key=lambda name: (not name, name))):
        places = np.array([i for i, c in enumerate(result.pair_class) if c == name], dtype=np.int64)
        # the first point gives the symbol of the legend: not a pair below the edge, which has another
        places = places[np.argsort(result.confidence[places] < LOWEST, kind="stable")]
        figure.add_trace(_points(result, name, places, k, drawn, scale, theme))
    below = int((result.confidence < LOWEST).sum())
    if below and scale != "log":
        text = f"\u25bd {count(below, 'pair')} below {LOWEST:g}"
        _note(figure, text, theme, x=0, xref="paper", xanchor="left", y=LOWEST, yanchor="bottom", yshift=8, xshift=8)
    _draw_threshold(figure, alpha, scale, theme)
    _draw_border(figure, result, alpha, drawn, theme, compact)
    _draw_beyond(figure, result, right, theme)
    return figure


@dataclass(frozen=True)
class Border:
    """Where verdicts change with the gain: the pair with the smallest significant gain, and the one with the largest gain
    that is not significant, as positions in the result."""

    smallest: int
    largest: int

    def ends(self, result: GainResult) -> tuple[float, float]:
        """The two gains, in order."""
        low, high = sorted(float(result.gains[k]) for k in (self.smallest, self.largest))
        return low, high


def border(result: GainResult, alpha: float) -> Border | None:
    """The two pairs between which verdicts change; None unless some pairs are significant and some are not."""
    defined = np.isfinite(result.p_values) & np.isfinite(result.gains)
    real = result.significant(alpha) & defined
    rest = defined & ~real
    if result.setup.as_printed or not real.any() or not rest.any():
        return None
    inside, outside = np.flatnonzero(real), np.flatnonzero(rest)
    return Border(int(inside[result.gains[inside].argmin()]), int(outside[result.gains[outside].argmax()]))


def border_words(result: GainResult, alpha: float) -> str:
    """What the grey band is, in a sentence or two; "" where there is none."""
    found = border(result, alpha)
    if found is None:
        return ""
    low, high = found.ends(result)
    decimals, title = result.setup.decimals, result.setup.metric_title
    gains = {k: f"{format_size(float(result.gains[k]), decimals)} {title}" for k in (found.smallest, found.largest)}
    if result.gains[found.smallest] > result.gains[found.largest]:
        return (
            f"Grey band: from the largest gain that is not significant ({gains[found.largest]}) to the smallest that is "
            f"({gains[found.smallest]}). No pair is between them."
        )
    defined = np.isfinite(result.p_values) & (result.gains >= low) & (result.gains <= high)
    return (
        f"Grey band: from the smallest significant gain ({gains[found.smallest]}) to the largest that is not significant "
        f"({gains[found.largest]}). Of the {count(int(defined.sum()), 'pair')} in it, "
        f"{int((defined & result.significant(alpha)).sum()):,} are significant at alpha {alpha:g} (uncorrected); below it "
        "none is, above it all are."
    )


def reach(result: GainResult, alpha: float) -> float | None:
    """Where the axis of gains ends so that the band is in its middle; None for the largest gain. All pairs with larger
    gains are significant."""
    found = border(result, alpha)
    if found is None:
        return None
    right = 2 * found.ends(result)[1]
    return right if right < 0.8 * float(np.nanmax(result.gains)) else None


def clicked(points: Sequence[Mapping[str, object]], result: GainResult) -> tuple[str, str] | None:
    """The (system, baseline) of a clicked point, in the direction in which the pair was tested; None where nothing useful
    was clicked."""
    for point in points:
        data = point.get("customdata")
        place = data.get("0") if isinstance(data, Mapping) else data[0] if isinstance(data, Sequence) and data else data
        if isinstance(place, int | float) and 0 <= place < len(result.systems):
            pair = result.systems[int(place)], result.baselines[int(place)]
            # "less" tests whether the first is worse: the pair was read from the losing side
            return pair[::-1] if result.setup.side == "less" else pair
    return None


def alt_text(result: GainResult, alpha: float) -> str:
    """One sentence that describes the scatterplot."""
    pairs = len(result.systems)
    if not pairs:
        return "Scatterplot of confidence against gain: there are no pairs."
    real = int(result.significant(alpha).sum())
    verdicts = NO_VERDICT if result.setup.no_verdict(alpha) else f"{real:,} are significant at alpha {alpha:g}"
    return (
        f"Scatterplot of confidence against gain in {result.setup.metric_title} over {count(pairs, 'pair')} "
        f"({format_units(result.setup.n, result.setup.unit)}, {count(result.setup.resamples, 'resample')}): {verdicts}."
    )


def heights(result: GainResult, scale: Scale) -> Floats:
    """The height of each point; a p of 0 (c / R) is drawn at 1 / R."""
    if scale == "confidence":
        return np.maximum(result.confidence, LOWEST)
    least = 1 / max(result.setup.resamples, 1)
    return -np.log10(np.where(result.p_values > 0, result.p_values, least))


def _layout(result: GainResult, theme: Theme) -> Part:
    colours = palette(theme)
    pairs = len(result.systems)
    caption = f"{count(pairs, 'pair')}, n = {format_units(result.setup.n, result.setup.unit)}, {format_draws(result.setup.resamples)}"
    legend: Part = {"x": 1, "xanchor": "right", "y": 0.02, "yanchor": "bottom", "font": {"size": NORMAL}}
    legend |= {"itemclick": "toggle", "bgcolor": CLEAR}
    return base_layout(
        theme,
        HEIGHT,
        margin={"l": 8, "r": 14, "t": TOP, "b": 8},
        showlegend=len(set(result.pair_class)) > 1,
        legend=legend,
        title={
            "text": f"<b>{escape(result.setup.test_title)}</b>, {SIDED[result.setup.side]}: {caption}",
            "font": {"size": NORMAL, "color": colours.ink},
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "y": 1,
            "yanchor": "top",
            "pad": {"l": 8, "t": 2},
        },
    )


def _axes(result: GainResult, heights: Floats, right: float | None, scale: Scale, theme: Theme) -> Part:
    """Both axes, as parts of the layout."""
    finite = result.gains[np.isfinite(result.gains)]
    end = right or 1.06 * (float(finite.max()) if len(finite) else 1.0) or 1.0
    shared: Part = {"fixedrange": False, "showgrid": True, "ticks": ""}
    across = axis(theme, f"gain ({escape(result.setup.metric_title)})", range=[-0.02 * end, end], **shared)
    if scale == "log":
        drawn = heights[np.isfinite(heights)]
        top = 1.08 * max(float(drawn.max()) if len(drawn) else 1.0, 2.0)
        return {"xaxis": across, "yaxis": axis(theme, SCALES["log"], range=[-0.02 * top, top], **shared)}
    up = axis(theme, "confidence, 1 \u2212 p", range=[LOWEST - 0.02, 1.02], tickformat=".2~f", **shared)
    return {"xaxis": across, "yaxis": up}


def _note(figure: go.Figure, text: str, theme: Theme, **place: Any) -> None:
    font = {"size": SMALL, "color": palette(theme).ink}
    figure.add_annotation(**{"text": text, "showarrow": False, "font": font, **place})


def _points(
    result: GainResult, name: str, places: Ints, k: int, heights: Floats, scale: Scale, theme: Theme
) -> go.Scatter | go.Scattergl:
    colours = palette(theme)
    many = len(result.systems) > HOVER_LIMIT
    colour = colours.classes[k % len(colours.classes)]
    shape = SHAPES[k % len(SHAPES)]
    full = {"marker": {"opacity": 0.75}}
    trace = (go.Scattergl if many else go.Scatter)(
        x=result.gains[places],
        y=heights[places],
        name=f"{label(name or NO_CLASS, 32)} ({len(places):,})",
        mode="markers",
        marker={"color": colour, "symbol": shape, "size": 5 if many else 8, "opacity": 0.75, "line": {"width": 0}},
        selected=full,
        unselected=full,
        customdata=places[:, None].astype(np.int32),
        hovertemplate=f"gain %{{x:+.{result.setup.decimals}f}}<br>{'confidence' if scale != 'log' else '-log10 p'} %{{y:.4f}}<extra></extra>",
    )
    low = result.confidence[places] < LOWEST
    if scale == "confidence" and low.any():
        trace.marker.symbol = [BELOW if one else shape for one in low]
    if not many:
        trace.update(hovertext=[_hover(result, i) for i in places], hovertemplate="%{hovertext}<extra></extra>")
    return trace


def _hover(result: GainResult, i: int) -> str:
    gain = (
        f"gain {minus(format_gain(float(result.gains[i]), result.setup.decimals))} {escape(result.setup.metric_title)}"
    )
    pair = f"<b>{escape(result.systems[i])}</b> against <b>{escape(result.baselines[i])}</b>"
    p = result.written_p(i)
    return f"{pair}<br>{gain}, p {escape(p) if p.startswith('<') else f'= {p}'}"


def _draw_threshold(figure: go.Figure, alpha: float, scale: Scale, theme: Theme) -> None:
    place = 1 - alpha if scale == "confidence" else -math.log10(alpha)
    text = f"1 \u2212 alpha = {1 - alpha:g}" if scale == "confidence" else f"p = alpha = {alpha:g}"
    figure.add_hline(y=place, line={"color": palette(theme).ink, "width": 1, "dash": "5px,3px"})
    _note(figure, text, theme, x=1, xref="paper", xanchor="right", y=place, yanchor="top")


def _draw_border(
    figure: go.Figure, result: GainResult, alpha: float, heights: Floats, theme: Theme, compact: bool
) -> None:
    """The grey band and the labels of the two pairs at its ends."""
    found = border(result, alpha)
    if found is None:
        return
    low, high = found.ends(result)
    figure.add_vrect(x0=low, x1=high, fillcolor=palette(theme).bars, opacity=0.3, layer="below", line={"width": 0})
    mixed = result.gains[found.smallest] <= result.gains[found.largest]
    letters = NAME // 2 if compact else NAME
    text = "may or may not be real" + ("" if mixed else " (no pair here)")
    _note(figure, text, theme, x=(low + high) / 2, y=1, yref="paper", yanchor="bottom")
    # both labels are at the right of their points, one below the other: at the left they may leave the figure
    for k, words, below in (
        (found.smallest, "smallest significant", 58),
        (found.largest, "largest not significant", 98),
    ):
        pair = f"{label(result.systems[k], letters)}, {label(result.baselines[k], letters)}"
        figure.add_annotation(
            text=f"{words}:<br>{pair}",
            x=float(result.gains[k]),
            y=float(heights[k]),
            ax=38,
            ay=below,
            xanchor="left",
            align="left",
            arrowhead=0,
            arrowwidth=1,
            arrowcolor=palette(theme).ink,
            standoff=5,
            font={"size": SMALL, "color": palette(theme).ink},
        )


def _draw_beyond(figure: go.Figure, result: GainResult, right: float | None, theme: Theme) -> None:
    """The number of pairs beyond the end of the axis."""
    if right is None:
        return
    beyond = int((result.gains > right).sum())
    text = f"{count(beyond, 'pair')} with larger gains, all significant \u2192"
    _note(figure, text, theme, x=1, xref="paper", xanchor="right", y=1, yref="paper", yanchor="bottom", yshift=16)


# Thresholds of the classes of pairs, and mixtures of systems, on the scatter of confidence against gain.

BEYOND = 0.18  # of the axis: the part after the break
LEGEND = 60  # pixels of height that the legend needs below the axis
RIGHT = 0.7  # of the axis: labels of lines beyond it are at their left
DASH, DASH_OF_MIXTURES = "solid", "dot"
SHORT = {"mixtures of the same two systems": "same two", "mixtures of different systems": "different"}


def drawn(
    result: GainResult,
    alpha: float,
    theme: Theme,
    scale: Scale,
    whole: bool,
    compact: bool,
    mixed: GainResult | None,
    thresholds: Sequence[gain.Threshold],
    over: GainResult | None = None,
    named: str = "",
) -> go.Figure:
    """The scatter of the real pairs; `mixed` pairs are hollow, with other colours, and named as mixtures in the legend;
    those of `over`, another test set or metric, are crosses under its name.

    A vertical line is the threshold of a class: solid for real pairs, dotted for mixtures.
    """
    figure = scatter(result, alpha, theme, scale, whole, compact)
    real = len(figure.data)
    classes = sorted({name for name in result.pair_class if name})
    if mixed is not None:
        _draw_mixtures(figure, mixed, len(classes), scale, theme)
    if over is not None:
        _draw_over(figure, over, named, scale, theme)
    if mixed is not None or over is not None:
        figure.data = (*figure.data[real:], *figure.data[:real])  # real pairs are drawn last, above the others
        # below the axis: with as many kinds of pairs it would cover points
        below = {"orientation": "h", "x": 0, "xanchor": "left", "y": -0.2, "yanchor": "top"}
        figure.update_layout(showlegend=True, legend=below, height=HEIGHT + LEGEND)
    right = None if whole else reach(result, alpha)
    _draw_thresholds(figure, thresholds, classes, result.setup.decimals, right, theme, compact)
    if right is not None and len(result.systems) <= HOVER_LIMIT:
        _break(figure, right, theme)
    return figure


def _break(figure: go.Figure, right: float, theme: Theme) -> None:
    """Draw gains beyond `right` too, in a narrow part of the axis after a break, so that every point is visible."""
    gains = [np.asarray(trace.x, dtype=float) for trace in figure.data]
    last = max(float(np.nanmax(x)) for x in gains if len(x))
    if last <= right:
        return
    for trace, x in zip(figure.data, gains, strict=True):
        beyond = right * (1 + BEYOND * (x - right) / (last - right))
        trace.x = np.where(x > right, beyond, x)
    kept = [tick for tick in ticks(right) if tick < 0.97 * right]
    end = right * (1 + BEYOND)
    figure.layout.xaxis = figure.layout.xaxis.to_plotly_json() | {
        "range": [-0.02 * right, 1.02 * end],
        "tickmode": "array",
        "tickvals": [*kept, right, end],
        "ticktext": [f"{tick:g}" for tick in (*kept, float(f"{right:.3g}"), float(f"{last:.3g}"))],
    }
    figure.add_vline(x=right, line={"color": palette(theme).muted, "width": 1, "dash": "1px,3px"})


def ticks(end: float) -> list[float]:
    """Round numbers from 0 to the end of an axis, about five."""
    step = 10 ** math.floor(math.log10(end / 4))
    step *= next(k for k in (1, 2, 5, 10) if k * step >= end / 5)
    return [float(f"{k * step:.6g}") for k in range(int(end / step) + 1)]


def _draw_mixtures(figure: go.Figure, mixed: GainResult, taken: int, scale: Scale, theme: Theme) -> None:
    colours = palette(theme).classes
    own = heights(mixed, scale)
    for k, name in enumerate(sorted(set(mixed.pair_class))):
        places = np.flatnonzero(np.array(mixed.pair_class) == name)
        kind = go.Scattergl if len(mixed.gains) > HOVER_LIMIT else go.Scatter
        full = {"marker": {"opacity": 0.45}}
        trace = kind(
            x=mixed.gains[places],
            y=own[places],
            name=f"{name} ({len(places):,})",
            mode="markers",
            marker={
                "color": colours[_colour(taken, k)],
                "symbol": f"{SHAPES[_colour(taken, k)]}-open",
                "size": 5,
                "opacity": 0.45,
            },
            selected=full,
            unselected=full,
            text=[format_gain(gain, mixed.setup.decimals) for gain in mixed.gains[places].tolist()],
            hovertemplate=f"{name}<br>gain %{{text}}<extra></extra>",
        )
        figure.add_trace(trace)


def _draw_over(figure: go.Figure, over: GainResult, named: str, scale: Scale, theme: Theme) -> None:
    """The pairs of another test set or metric, all in one colour; gains of another metric are in its units."""
    full = {"marker": {"opacity": 0.8}}
    gained = f"gain %{{text}} {escape(over.setup.metric_title)}"
    figure.add_trace(
        go.Scatter(
            x=over.gains,
            y=heights(over, scale),
            text=[format_gain(gain, over.setup.decimals) for gain in over.gains.tolist()],
            name=f"{label(named, 32)} ({len(over.gains):,})",
            mode="markers",
            marker={
                "color": palette(theme).muted,
                "symbol": "x-thin-open",
                "size": 7,
                "opacity": 0.8,
                "line": {"width": 1.5},
            },
            selected=full,
            unselected=full,
            hovertemplate=f"{escape(named)}<br>{gained}<extra></extra>",
        )
    )


def _colour(taken: int, k: int) -> int:
    """The colours of mixtures follow those of the real classes."""
    return (max(taken, 1) + k) % len(SHAPES)


def _number(item: gain.Threshold, classes: Sequence[str], mixtures: Sequence[str]) -> int:
    """Which colour the points of this class have."""
    if item.synthetic:
        return _colour(len(classes), mixtures.index(item.pair_class))
    return [*classes, item.pair_class].index(item.pair_class)


def _draw_thresholds(
    figure: go.Figure,
    thresholds: Sequence[gain.Threshold],
    classes: Sequence[str],
    decimals: int,
    right: float | None,
    theme: Theme,
    compact: bool,
) -> None:
    colours, end = palette(theme), figure.layout.xaxis.range[1]
    mixtures = sorted(item.pair_class for item in thresholds if item.synthetic)
    shown = [item for item in thresholds if not item.reason and (right is None or item.threshold <= right)]
    for k, item in enumerate(sorted(shown, key=lambda item: item.threshold)):
        colour = colours.classes[_number(item, classes, mixtures) % len(colours.classes)]
        dash = DASH_OF_MIXTURES if item.synthetic else DASH
        figure.add_vline(x=item.threshold, line={"color": colour, "width": 2, "dash": dash})
        name = SHORT.get(item.pair_class, item.pair_class)
        figure.add_annotation(
            text=f"{label(name, 12 if compact else 24)} {format_size(item.threshold, decimals)}",
            x=item.threshold,
            y=0.02 + 0.07 * k,
            yref="paper",
            xanchor="right" if item.threshold > RIGHT * end else "left",
            yanchor="bottom",
            xshift=-2 if item.threshold > RIGHT * end else 2,
            showarrow=False,
            font={"size": SMALL, "color": colour},
        )
