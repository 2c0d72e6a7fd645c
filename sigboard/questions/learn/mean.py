"""BLEU is not a mean: the corpus score and the mean of single scores, as one unit after the other is added."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from sigboard.questions.learn import stage
from sigboard.render.style import HEADING, NORMAL, Part, Theme, axis, escape, label, minus, palette
from sigcore.formatting import format_gain, format_score, p_text
from sigcore.studies import learn

SPEED, MOST = 140, 60  # milliseconds of a frame, and the most frames


def draw(numbers: learn.Mean, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """Both scores of both systems on all units, and frames with the first few, more and more of them."""
    whole = numbers.corpus.shape[1]
    figure = go.Figure(data=_traces(numbers, whole, theme, compact), layout=_layout(numbers, theme))
    stage.over(figure)
    figure.frames = [stage.frame(str(k), _traces(numbers, k, theme, compact)) for k in _course(whole)]
    return figure


def alt(numbers: learn.Mean) -> str:
    """One sentence that describes the figure."""
    corpus, mean = (minus(format_gain(gain, numbers.decimals)) for gain in numbers.gains)
    return (
        f"{numbers.title} of {numbers.systems[0]} and {numbers.systems[1]} as {numbers.unit} are added: the gain is {corpus} "
        f"for the score of all, and {mean} for the mean of single scores."
    )


def _course(whole: int) -> list[int]:
    return sorted({round(float(k)) for k in np.linspace(min(2, whole), whole, MOST)})


def _layout(numbers: learn.Mean, theme: Theme) -> Part:
    whole = numbers.corpus.shape[1]
    course = _course(whole)
    settled = np.concatenate(
        [part[:, min(len(part[0]) - 1, max(1, whole // 20)) :] for part in (numbers.corpus, numbers.means)]
    )
    finite = settled[np.isfinite(settled)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    margin = 0.12 * (high - low) or 1.0
    return stage.layout(
        theme,
        [("Play", [str(k) for k in course], SPEED)],
        [(f"{k:,}", str(k)) for k in course],
        at_end=True,
        xaxis=axis(
            theme, f"{numbers.unit} so far", range=[0, 1.02 * whole], fixedrange=True, showline=True, domain=[0, 1], anchor="y"
        ),
        yaxis=axis(
            theme, escape(numbers.title), range=[low - margin, high + margin], fixedrange=True, domain=[0, 0.72],
            anchor="x", nticks=6,
        ),
    )  # fmt: skip


def _traces(numbers: learn.Mean, first: int, theme: Theme, compact: bool) -> list[go.Scatter]:
    """Four lines, the corpus scores solid and the means dotted, and the words."""
    colours = palette(theme)
    out = []
    for values, dash in ((numbers.corpus, "solid"), (numbers.means, "dot")):
        for k, colour in enumerate((colours.accent, colours.warm)):
            out.append(
                go.Scatter(
                    x=list(range(1, first + 1)),
                    y=[None if np.isnan(v) else float(v) for v in values[k, :first]],
                    mode="lines",
                    line={"color": colour, "width": 2.5, "dash": dash},
                    hoverinfo="skip",
                )
            )
    return [*out, stage.captions(_texts(numbers, first, theme, compact))]


def _texts(numbers: learn.Mean, first: int, theme: Theme, compact: bool) -> list[stage.Line]:
    colours, limit, places = palette(theme), 12 if compact else 22, (0.0, 0.5)
    names = [
        stage.Line(place, 0.97, f"<b>{label(who, limit)}</b>", colour, HEADING)
        for place, who, colour in zip(places, numbers.systems, (colours.accent, colours.warm), strict=True)
    ]
    heights = (0.92, 0.87, 0.81, 0.76) if compact else (0.9, 0.83, 0.9, 0.83)
    at, side = (0.0, "middle right") if compact else (1.0, "middle left")
    rows = []
    for y, words, values in (
        (heights[0], "solid: all together", numbers.corpus),
        (heights[1], "dotted: mean", numbers.means),
    ):
        both = " and ".join(format_score(float(v), numbers.decimals) for v in values[:, first - 1])
        rows.append(stage.Line(0.0, y, f"{words}: {both}", colours.ink, NORMAL))
    if first == numbers.corpus.shape[1]:
        tests = zip(heights[2:], numbers.gains, (numbers.p, numbers.t_p), ("shuffles", "t-test"), strict=True)
        for y, gain, p, test in tests:
            words = f"gain {minus(format_gain(gain, numbers.decimals))}; {test}: {p_text(p, 0)}"
            rows.append(stage.Line(at, y, words, colours.ink, NORMAL, side))
    return [*names, *rows]
