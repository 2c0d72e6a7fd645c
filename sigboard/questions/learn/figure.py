"""The game: a gain and ten shuffles as a hint; after the prediction all of them, and p; at the end the results."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from sigboard.questions.learn import frames
from sigboard.render.style import HEADING, NORMAL, Part, Theme, axis, escape, label, minus, palette
from sigcore.formatting import format_gain, format_p, format_size
from sigcore.studies import learn

HINT = 10  # shuffles that are shown before the prediction
SLOW, FAST = 450, 90  # milliseconds of a frame
BINS, HEIGHT = 40, 410


def draw(numbers: learn.Game, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The round that is shown, or the results of all rounds."""
    if numbers.at is None:
        return _results(numbers, theme)
    shown = numbers.rounds[numbers.at]
    whole = HINT if numbers.answer(numbers.at) is None else len(shown.null)
    course = _course(whole)
    begin = 0 if whole == HINT else whole
    figure = go.Figure(data=_traces(numbers, begin, theme, compact), layout=_layout(numbers, course, theme))
    frames.over(figure)
    ends = [(shown.gain, "the gain", True), (-shown.gain, "mirror", False)]
    frames.cut_lines(figure, ends if shown.gain else ends[:1], theme)
    figure.frames = [
        frames.frame(str(first), _traces(numbers, first, theme, compact), _top(shown, first)) for first in course
    ]
    return figure


def alt(numbers: learn.Game) -> str:
    """One sentence that describes the figure."""
    if numbers.at is None:
        return f"Results: {points(numbers.points)} points in {len(numbers.answers)} rounds."
    shown = numbers.rounds[numbers.at]
    said = "p is shown after the prediction" if numbers.answer(numbers.at) is None else f"p = {_p(shown)}"
    return (
        f"Round {numbers.at + 1}: on {shown.n} {numbers.unit}, {shown.system} has "
        f"{format_size(shown.gain, numbers.decimals)} more {numbers.title} than {shown.baseline}; {said}."
    )


def points(value: float) -> str:
    """Points as they are written, always with a sign."""
    return f"{value:+.0f}".replace("-", "\u2212")


def _p(shown: learn.Round) -> str:
    return format_p(shown.p, len(shown.null))


def _course(whole: int) -> list[int]:
    return [*range(HINT + 1)] if whole == HINT else [*range(0, 100, 10), *range(100, whole, 50), whole]


def _bins(shown: learn.Round) -> np.ndarray:
    """The edges of the bars: the gain and its mirror are edges, and a shuffle that equals them is outside."""
    reach = max(float(np.nanmax(np.abs(shown.null))), shown.gain, 1e-9) * 1.02
    slack = 1e-9 * reach
    width = shown.gain / max(1, round(shown.gain * BINS / (2 * reach))) if shown.gain > 0 else 2 * reach / BINS
    steps = math.ceil(reach / width)
    edges = np.arange(-steps, steps + 1) * width
    return np.where(edges > 0, edges - slack, edges + slack)


def _counts(shown: learn.Round, first: int) -> np.ndarray:
    return np.histogram(shown.null[:first], _bins(shown))[0]


def _top(shown: learn.Round, first: int) -> float:
    return max(6.0, 1.35 * float(_counts(shown, first).max(initial=0)))


def _layout(numbers: learn.Game, course: list[int], theme: Theme) -> Part:
    assert numbers.at is not None
    shown = numbers.rounds[numbers.at]
    edges, names = _bins(shown), [str(first) for first in course]
    words, each = ("a hint: ten shuffles", SLOW) if course[-1] == HINT else ("Play again", FAST)
    reach = 1.15 * float(edges[-1])
    title = f"gain on a shuffle ({escape(numbers.title)})"
    return frames.layout(
        theme,
        [(words, names, each)],
        height=HEIGHT,
        xaxis=frames.gain_axis(theme, title, (-reach, reach), domain=[0, 1], anchor="y"),
        yaxis=frames.count_axis(theme, 0.62, _top(shown, course[-1] if course[-1] > HINT else 0)),
    )


def _traces(numbers: learn.Game, first: int, theme: Theme, compact: bool) -> list[go.Bar | go.Scatter]:
    """The shuffles so far, and the words."""
    assert numbers.at is not None
    shown, colours = numbers.rounds[numbers.at], palette(theme)
    edges = _bins(shown)
    middles = (edges[:-1] + edges[1:]) / 2
    tail = np.abs(middles) >= shown.gain
    bars = go.Bar(
        x=middles.tolist(),
        y=_counts(shown, first).tolist(),
        width=(np.diff(edges) * 0.94).tolist(),
        marker={"color": [colours.accent if t else colours.bars for t in tail], "line": {"width": 0}},
        hovertemplate="%{y:,} shuffles<extra></extra>",
    )
    return [bars, frames.captions(_texts(numbers, first, theme, compact))]


def _texts(numbers: learn.Game, first: int, theme: Theme, compact: bool) -> list[frames.Line]:
    assert numbers.at is not None
    shown, colours, limit = numbers.rounds[numbers.at], palette(theme), 14 if compact else 24
    gain = minus(format_gain(shown.gain, numbers.decimals))
    what = (
        f"Round {numbers.at + 1} of {len(numbers.rounds)}: {gain} {escape(numbers.title)} on {shown.n} {numbers.unit}"
    )
    systems = f"{label(shown.system, limit)} against {label(shown.baseline, limit)}"
    out = [
        frames.Line(0.0, 0.95, f"<b>{what}</b>", colours.ink, HEADING + 2),
        frames.Line(0.0, 0.87, systems, colours.muted, NORMAL),
    ]
    answer = numbers.answer(numbers.at)
    if answer is None:
        words = f"How likely is p of at most {numbers.alpha:g}?"
        out.append(frames.Line(0.0, 0.78, f"<b>{words}</b>", colours.accent, HEADING + 2))
        return out
    if first == len(shown.null):
        verdict = "significant" if numbers.is_found(numbers.at) else "not significant"
        paid = f"You said {100 * answer:.0f}%: {points(numbers.paid(numbers.at, answer))} points."
        out.append(frames.Line(0.0, 0.79, f"<b>p = {_p(shown)}: {verdict}. {paid}</b>", colours.accent, HEADING + 2))
        out.append(frames.Line(0.0, 0.72, _truth(shown), colours.ink, NORMAL))
    return out


def _truth(shown: learn.Round) -> str:
    """What only the one who made the round knows."""
    if shown.is_null:
        return "Made without a difference: a coin decided who gets which output."
    return "Made of the outputs as they are, on units drawn from your test set."


def _results(numbers: learn.Game, theme: Theme) -> go.Figure:
    """p of every round that was played, on a logarithmic axis; blue: points won, orange: points lost."""
    played = sorted(k for k, _ in numbers.answers)
    figure = go.Figure(data=_played(numbers, played, theme), layout=_results_layout(numbers, played, theme))
    frames.over(figure)
    figure.add_shape(
        type="line", x0=numbers.alpha, x1=numbers.alpha, y0=0, y1=1, yref="y domain",
        line={"color": palette(theme).ink, "width": 1.5, "dash": "5px,3px"},
    )  # fmt: skip
    figure.frames = [frames.frame(str(k), _played(numbers, played[:k], theme)) for k in range(len(played) + 1)]
    return figure


def _results_layout(numbers: learn.Game, played: list[int], theme: Theme) -> Part:
    names = [str(k) for k in range(len(played) + 1)]
    ticks = [0.001, 0.01, 0.05, 0.1, 1]
    rows: Part = {"range": [len(numbers.rounds) + 0.5, 0.5], "dtick": 1}
    return frames.layout(
        theme,
        [("one by one", names, 600)],
        height=HEIGHT,
        xaxis=axis(
            theme, "p (logarithmic)", type="log", range=[-3.3, 0.6], tickvals=ticks, ticktext=[f"{t:g}" for t in ticks],
            fixedrange=True, domain=[0, 1], anchor="y", showline=True,
        ),
        yaxis=axis(theme, "round", fixedrange=True, domain=[0, 0.82], anchor="x", **rows),
    )  # fmt: skip


def _played(numbers: learn.Game, played: list[int], theme: Theme) -> list[go.Scatter]:
    colours = palette(theme)
    paid = [numbers.paid(k, dict(numbers.answers)[k]) for k in played]
    words = []
    for k in played:
        shown, said = numbers.rounds[k], f"{100 * dict(numbers.answers)[k]:.0f}%"
        gain = minus(format_gain(shown.gain, numbers.decimals))
        words.append(f"  {gain} on {shown.n}; you said: {said}{' (no difference)' if shown.is_null else ''}")
    dots = go.Scatter(
        x=[numbers.rounds[k].p for k in played],
        y=[k + 1 for k in played],
        mode="markers+text",
        text=words,
        textposition=["middle left" if numbers.rounds[k].p > 0.03 else "middle right" for k in played],
        textfont={"size": NORMAL, "color": colours.ink},
        marker={
            "size": 15,
            "color": [colours.accent if one >= 0 else colours.warm for one in paid],
            "symbol": ["circle" if one >= 0 else "x" for one in paid],
        },
        hoverinfo="skip",
        cliponaxis=False,
    )
    score = f"<b>{points(sum(paid))} points in {len(played)} rounds</b>"
    key = f"circle: points won, cross: points lost; dashed: alpha {numbers.alpha:g}"
    texts = [
        frames.Line(0.0, 0.96, score, colours.accent, HEADING + 4),
        frames.Line(0.0, 0.88, key, colours.muted, NORMAL),
    ]
    return [dots, frames.captions(texts)]
