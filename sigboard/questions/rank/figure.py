"""Who is first: the scores with their intervals, and beside them a bar for the places that the verdicts leave."""

from __future__ import annotations

import plotly.graph_objects as go

from sigboard.render.style import SMALL, Part, Theme, axis, base_layout, escape, label, minus, palette
from sigcore import MatrixResult, rank
from sigcore.formatting import count, format_level
from sigcore.results import RANKS, Ranked, Ranks

# Pixels of a row and of its letters, for at most so many systems.
ROWS = ((14, 26, SMALL), (40, 20, SMALL), (10**9, 14, 10))
TOP = 62  # pixels of both axes with their titles, which stand above the rows
WRITTEN = 60  # systems up to which the range of ranks is written beside its bar
# The shares of the width: scores to the left, ranks to the right.
SCORES, PLACES = (0.0, 0.56), (0.62, 1.0)


def ranks(result: MatrixResult, alpha: float, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """A row for each system, best score first: its score with the interval, and its range of ranks as a bar.

    Blue are the systems that no system beats significantly. A line across both parts lies between clusters: every
    system above it is significantly better than every system below it. `compact` is the form for a narrow screen.
    """
    shown = rank(result, alpha)
    systems, written = shown.systems, len(shown.systems) <= WRITTEN and not compact
    figure = go.Figure(layout=_layout(shown, systems, theme, compact, written))
    hover = [_about(one) for one in systems]
    for tied in (False, True):
        rows = [k for k, one in enumerate(systems) if one.tied_with_best is tied]
        if rows:
            colour = palette(theme).accent if tied else palette(theme).muted
            figure.add_traces(_traces([systems[k] for k in rows], rows, [hover[k] for k in rows], colour, written))
    for end in shown.grid.lines:
        line = {"color": palette(theme).ink, "width": 1}
        figure.add_shape(type="line", xref="paper", x0=0, x1=1, y0=end - 0.5, y1=end - 0.5, line=line)
    return figure


def alt(result: MatrixResult, alpha: float) -> str:
    """One sentence that describes the figure."""
    shown = rank(result, alpha)
    words = f"Scores with intervals and ranges of ranks of {count(len(shown.systems), 'system')}"
    return f"{words} in {result.setup.metric_title}, {count(len(shown.clusters), 'cluster')}: {shown}"


def _about(one: Ranked) -> str:
    """The details of a system: score and interval, its ranks, and whether it is tied with the best."""
    score, interval = (minus(RANKS[name].cell(one)) for name in ("score", "interval"))
    ends = "rank" if one.rank_low == one.rank_high else "ranks"
    lines = [
        f"<b>{escape(one.system)}</b> {score} {escape(one.setup.metric_title)}",
        f"{format_level(one.setup.level)} interval {interval}",
        f"{ends} {RANKS['range'].cell(one)}",
        *(["no system is significantly better"] if one.tied_with_best else []),
    ]
    return "<br>".join(lines)


def _traces(systems: list[Ranked], rows: list[int], hover: list[str], colour: str, written: bool) -> list[Part]:
    """The points with intervals and the bars of these systems, in their rows, in one colour."""
    said: Part = {"hovertext": hover, "hovertemplate": "%{hovertext}<extra></extra>", "y": rows}
    reach = {
        "array": [one.interval[1] - one.score for one in systems],
        "arrayminus": [one.score - one.interval[0] for one in systems],
    }
    points: Part = {
        "type": "scatter",
        "mode": "markers",
        "x": [one.score for one in systems],
        "marker": {"size": 6, "color": colour},
        "error_x": reach | {"color": colour, "thickness": 2, "width": 0},
    }
    bars: Part = {
        "type": "bar",
        "orientation": "h",
        "xaxis": "x2",
        "base": [one.rank_low - 0.5 for one in systems],
        "x": [one.rank_high - one.rank_low + 1 for one in systems],
        "width": 0.56,
        "marker": {"color": colour, "line": {"width": 0}},
        "text": [f" {RANKS['range'].cell(one)}" for one in systems] if written else None,
        "textposition": "outside",
        "cliponaxis": False,
        "constraintext": "none",
        "textfont": {"size": SMALL},
    }
    return [points | said, bars | said]


def _layout(shown: Ranks, systems: list[Ranked], theme: Theme, compact: bool, written: bool) -> Part:
    number, setup = len(systems), shown.result.setup
    row, letters = next((row, letters) for most, row, letters in ROWS if number <= most)
    above: Part = {"side": "top", "showgrid": True, "fixedrange": True, "tickangle": 0, "ticklabeloverflow": "allow"}
    titles = [setup.metric_title, "ranks"]
    if not compact:
        titles[0] += f", {format_level(setup.level)} interval"
    ends = [0.5, number + (0.5 if not written else 0.5 + max(number * 0.22, 0.5))]
    return base_layout(
        theme,
        TOP + row * max(number, 2) + 8,
        margin={"l": 8, "r": 8, "t": TOP, "b": 8},
        hovermode="closest",
        barmode="overlay",
        xaxis=axis(theme, titles[0], **above, domain=SCORES, nticks=3 if compact else 7),
        xaxis2=axis(theme, titles[1], **above, domain=PLACES, range=ends, **_places(number, compact)),
        yaxis=axis(theme)
        | {
            "tickmode": "array",
            "tickvals": list(range(number)),
            "ticktext": [f"{label(one.system, 14 if compact else 30)} " for one in systems],
            "range": [number - 0.5, -0.5],
            "tickfont": {"size": letters, "color": palette(theme).ink},
            "fixedrange": True,
            "automargin": "left",
            "ticks": "",
        },
    )


def _places(number: int, compact: bool) -> Part:
    """Whole ranks as ticks: the first, the last, and some between."""
    most = 3 if compact else 8
    step = max(1, -(-number // most))
    round_ = next(size * 10**k for k in range(9) for size in (1, 2, 5) if size * 10**k >= step)
    between = [place for place in range(round_, number, round_) if min(place - 1, number - place) > round_ / 2]
    return {"tickmode": "array", "tickvals": sorted({1, *between, max(number, 1)})}
