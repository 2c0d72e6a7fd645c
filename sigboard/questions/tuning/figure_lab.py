"""The lab: every row against the baseline, on each test set and on their average."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from sigboard.questions.tuning.figure import LETTERS, LOWER, UPPER, in_rows
from sigboard.render.style import Theme, label, minus, palette
from sigcore.formatting import format_gain, p_text
from sigcore.studies import tuning

SYMBOLS = ("diamond-open", "square-open", "triangle-up-open", "cross-open", "x-open")  # of test sets of the lab


def gains(result: tuning.LabResult, alpha: float, theme: Theme, compact: bool = False) -> go.Figure:
    """The gain of every row over the baseline with its interval, in the last place; small marks are single test sets.

    Filled: significant at alpha after the correction.
    """
    colours, others = palette(theme), result.others()
    titles = [result.row(one.system).title for one in others]
    words = f"gain in {result.setup.metric_title} over {label(result.row(result.baseline).title, LETTERS)}"
    figure = go.Figure(layout=in_rows(titles, words, theme, compact))
    figure.add_vline(x=0, line={"color": colours.ink, "width": 1, "dash": "dash"})
    _add_test_sets(figure, result, theme)
    for known, name in ((True, "significant"), (False, "not significant")):
        own = [(row, one) for row, one in enumerate(others) if one.significant(alpha) == known]
        low, high = (np.array([abs(one.gain - one.interval[k]) for _, one in own]) for k in (0, 1))
        figure.add_scatter(
            x=[one.gain for _, one in own],
            y=[row + UPPER for row, _ in own],
            mode="markers",
            name=f"{result.places[-1]}, {name}",
            marker={"symbol": "circle" if known else "circle-open", "size": 11, "color": colours.accent},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": high,
                "arrayminus": low,
                "color": colours.ink,
                "width": 0,
            },
            hovertext=[_of_place(result, one) for _, one in own],
            hoverinfo="text",
        )
    return figure


def _add_test_sets(figure: go.Figure, result: tuning.LabResult, theme: Theme) -> None:
    """The gains on each of several test sets, a symbol for each."""
    for k, place in enumerate(result.places[:-1]):
        found = [result.against(one.system, result.baseline, place) for one in result.others()]
        figure.add_scatter(
            x=[one.gain for one in found],
            y=[row + LOWER for row in range(len(found))],
            mode="markers",
            name=label(place, LETTERS),
            marker={"symbol": SYMBOLS[k % len(SYMBOLS)], "size": 8, "color": palette(theme).muted},
            hovertext=[_of_place(result, one) for one in found],
            hoverinfo="text",
        )


def _of_place(result: tuning.LabResult, one: tuning.Comparison) -> str:
    gain = minus(format_gain(one.gain, result.setup.decimals))
    title = label(result.row(one.system).title, LETTERS)
    return f"{title}, {label(one.place, LETTERS)}: gain {gain}, corrected {p_text(one.adjusted, 0)}"


def gains_alt(result: tuning.LabResult, alpha: float) -> str:
    """The figure in words."""
    rows = [f"{result.row(one.system).title} {format_gain(one.gain, result.setup.decimals)}" for one in result.others()]
    return f"Gains over {result.row(result.baseline).title}, {result.places[-1]}: {'; '.join(rows)}."
