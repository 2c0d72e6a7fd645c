"""The tail lab: what a rule counts on the data as they are, and how its error rate settles in the long run."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from sigboard.questions.learn import stage
from sigboard.render.style import HEADING, NORMAL, Part, Theme, axis, minus, palette
from sigcore.formatting import count, format_gain, format_p
from sigcore.studies import learn

STEP, SPEED = 20, 90  # data sets, and milliseconds, of a frame
HEIGHT = 360
BINS = 50


def draw(numbers: learn.Lab, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """Above, the statistics of the rule with its tail; below, the error rate after 20, 40, ... data sets, in frames."""
    colours, whole = palette(theme), len(numbers.errors.p)
    # once for all frames, each of which shows those of the data sets before
    ends = np.array([numbers.errors.interval(first) for first in _course(whole)])
    figure = go.Figure(layout=_layout(numbers, theme, compact))
    bars = [_bars(numbers, tail, theme) for tail in (False, True)]
    figure.add_traces([*bars, *_lines(numbers, whole, ends, theme, compact)])
    stage.over(figure)
    cuts = [cut for cut in numbers.shown.cutoffs if np.isfinite(cut)]
    words = {cuts[-1]: "gain" if len(cuts) == 1 else "observed gain"} | ({cuts[0]: "mirror"} if len(cuts) > 1 else {})
    stage.cut_lines(
        figure, [(c, f"{words[c]} {minus(format_gain(c, 2))}", c == cuts[-1]) for c in dict.fromkeys(cuts)], theme
    )
    figure.add_shape(
        type="line", x0=0, x1=whole, y0=numbers.alpha, y1=numbers.alpha, xref="x2", yref="y2",
        line={"color": colours.ink, "width": 1.5, "dash": "5px,3px"},
    )  # fmt: skip
    # what does not change is part of every frame, too: Plotly draws a frame with nothing else
    figure.frames = [
        stage.frame(str(first), [*bars, *_lines(numbers, first, ends, theme, compact)]) for first in _course(whole)
    ]
    return figure


def alt(numbers: learn.Lab) -> str:
    """One sentence that describes the figure."""
    low, high = numbers.errors.interval()
    return (
        f"The tail of {count(len(numbers.shown.counts), 'resample')} under the chosen rule, p {_p(numbers.shown.p)}; in "
        f"{len(numbers.errors.p):,} data sets without a difference, {100 * numbers.errors.rate:.1f} % false alarms "
        f"(95 % interval {100 * low:.1f} % to {100 * high:.1f} %) at alpha {numbers.alpha:g}."
    )


def _p(p: float) -> str:
    return "= 0" if p == 0 else f"= {format_p(p, 0)}"


def _course(whole: int) -> list[int]:
    return list(range(STEP, whole + 1, STEP))


def _layout(numbers: learn.Lab, theme: Theme, compact: bool) -> Part:
    whole = len(numbers.errors.p)
    plays: list[stage.Play] = [("Play", [str(first) for first in _course(whole)], SPEED)]
    top = max(3 * numbers.alpha, 1.25 * numbers.errors.rate, 1.25 * numbers.sound.rate)
    finite = numbers.shown.statistics[np.isfinite(numbers.shown.statistics)]
    values = [*finite.tolist(), *(c for c in numbers.shown.cutoffs if np.isfinite(c))]
    margin = 0.15 * (max(values) - min(values)) or 1.0
    ends = (min(values) - margin, max(values) + margin)
    folded = numbers.rule.slip and not numbers.rule.one_sided and numbers.rule.draw.kind == "bootstrap"
    title = "|d| \u2212 mean of |d|" if folded else "gain of a resample, as the rule compares it"
    # beside each other, or on a narrow screen below each other
    places = (
        ((0.0, 1.0), (0.6, 0.81), (0.0, 1.0), (0.0, 0.32)) if compact else ((0, 0.46), (0, 0.78), (0.54, 1), (0, 0.85))
    )
    return stage.layout(
        theme,
        plays,
        height=stage.HEIGHT if compact else HEIGHT,
        barmode="overlay",
        xaxis=stage.gain_axis(theme, title, ends, domain=places[0], anchor="y"),
        yaxis=axis(theme, visible=False, fixedrange=True, domain=places[1], anchor="x"),
        xaxis2=axis(
            theme,
            "data sets without a difference",
            range=[0, whole],
            fixedrange=True,
            domain=places[2],
            anchor="y2",
            showline=True,
        ),
        yaxis2=axis(theme, range=[0, top], tickformat=".0%", fixedrange=True, domain=places[3], anchor="x2", nticks=5),
    )


def _bars(numbers: learn.Lab, tail: bool, theme: Theme) -> go.Bar:
    own, counts = numbers.shown.statistics, numbers.shown.counts
    keep = np.isfinite(own)
    edges = np.histogram_bin_edges(own[keep], BINS)
    heights = np.histogram(own[keep & (counts == tail)], edges)[0]
    colours = palette(theme)
    return go.Bar(
        x=((edges[:-1] + edges[1:]) / 2).tolist(),
        y=heights.tolist(),
        width=(np.diff(edges) * 0.94).tolist(),
        # a bin at the cut-off has resamples of both kinds: one above the other
        base=np.histogram(own[keep & ~counts], edges)[0].tolist() if tail else None,
        marker={"color": colours.accent if tail else colours.bars, "line": {"width": 0}},
        hovertemplate="%{y:,} resamples<extra></extra>",
    )


def _lines(numbers: learn.Lab, first: int, every: np.ndarray, theme: Theme, compact: bool) -> list[go.Scatter]:
    """The interval of the rule's error rate, the two rates, and the words, after the first data sets; `every` has the ends
    of the intervals of the whole course."""
    colours = palette(theme)
    steps = np.array([k for k in _course(len(numbers.errors.p)) if k <= first])
    ends = every[: len(steps)]
    common: Part = {"xaxis": "x2", "yaxis": "y2", "mode": "lines", "hoverinfo": "skip"}
    band = go.Scatter(
        x=[*steps.tolist(), *steps[::-1].tolist()],
        y=[*ends[:, 1].tolist(), *ends[::-1, 0].tolist()],
        fill="toself",
        fillcolor=colours.accent,
        opacity=0.18,
        line={"width": 0},
        **common,
    )
    rates = [
        go.Scatter(
            x=steps.tolist(),
            y=(errors.so_far[steps - 1] / steps).tolist(),
            line={"color": colour, "width": width},
            **common,
        )
        for errors, colour, width in ((numbers.sound, colours.muted, 2), (numbers.errors, colours.accent, 3))
    ]
    return [band, *rates, stage.captions(_texts(numbers, first, theme, compact))]


def _texts(numbers: learn.Lab, first: int, theme: Theme, compact: bool) -> list[stage.Line]:
    colours, low_high = palette(theme), numbers.errors.interval(first)
    rate, sound = (100 * errors.so_far[first - 1] / first for errors in (numbers.errors, numbers.sound))
    said = f"<b>your rule: {rate:.1f} % false alarms</b>, 95 % interval {100 * low_high[0]:.1f} to {100 * low_high[1]:.1f} %"
    left, high = (0.0, 0.43) if compact else (0.54, 0.97)
    return [
        stage.Line(0.0, 0.97, f"<b>this pair: p {_p(numbers.shown.p)}</b>", colours.accent, HEADING + 2),
        stage.Line(0.0, 0.91, f"sound rule: p {_p(numbers.sound_p)}", colours.muted, NORMAL),
        stage.Line(left, high, said, colours.accent, NORMAL),
        stage.Line(left, high - 0.06, f"sound rule: {sound:.1f} %; dashed: alpha", colours.muted, NORMAL),
    ]
