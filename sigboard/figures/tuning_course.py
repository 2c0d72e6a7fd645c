"""The metric and the loss while a method tunes, after Chen et al. 2017, Fig. 3."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from sigboard.figures.style import SMALL, Theme, axis, base_layout, label, palette
from sigcore import tuning as family
from sigcore.studies import tuning
from sigcore.types import Better

ONE, TWO = 260, 420  # pixels of a figure with one panel, and with two
LETTERS = 24

Courses = Mapping[tuple[str, int], Sequence[tuning.Step]]


def live(courses: Courses, metric: str, better: Better, theme: Theme, compact: bool = False) -> go.Figure:
    """The metric of every run so far, a colour for each method."""
    names = list(dict.fromkeys(method for method, _ in courses))
    figure = go.Figure(layout=_layout(theme, metric, [], compact))
    for (method, replicate), steps in sorted(courses.items()):
        k = names.index(method)
        figure.add_trace(
            _line(
                steps, better, label(_title(method), LETTERS), palette(theme).classes[k % len(palette(theme).classes)]
            )
        )
        figure.data[-1].update(legendgroup=method, showlegend=replicate == min(r for m, r in courses if m == method))
    return figure


def live_alt(courses: Courses, metric: str) -> str:
    """The figure in words."""
    return f"{metric} of the lists tuned on, step by step, of {len(courses)} tuning runs so far."


def course(result: tuning.TuningResult, method: str, theme: Theme, compact: bool = False) -> go.Figure:
    """The metric and, if the method has one, the loss of every replicate of a method, epoch by epoch.

    Where new lists are decoded, diamonds are the metric of the new lists, at the epoch after which they were decoded.
    """
    runs, colours = result.of(method), palette(theme)
    with_loss = has_loss(result, method)
    panels = ["loss per list"] if with_loss else []
    figure = go.Figure(layout=_layout(theme, result.setup.metric_title, panels, compact))
    for k, run in enumerate(runs):
        colour = colours.classes[k % len(colours.classes)]
        steps = _steps(run)
        figure.add_trace(_line(steps, result.setup.better, f"replicate {run.number}", colour))
        if not result.fixed:
            starts = [sum(len(one.steps) for one in run.iterations[:i]) for i in range(len(run.iterations))]
            marker = {"symbol": "diamond", "size": 8, "color": colour}
            scores = [one.dev for one in run.iterations]
            figure.add_trace(go.Scatter(x=starts, y=scores, mode="markers", marker=marker, showlegend=False))
        if with_loss:
            losses = go.Scatter(
                x=list(range(1, len(steps) + 1)),
                y=[step.loss for step in steps],
                mode="lines",
                line={"color": colour, "width": 1.5},
                yaxis="y2",
                showlegend=False,
            )
            figure.add_trace(losses)
    return figure


def course_alt(result: tuning.TuningResult, method: str) -> str:
    """The figure in words."""
    what = f"{result.setup.metric_title} and loss" if has_loss(result, method) else result.setup.metric_title
    runs = result.of(method)
    return f"{what} of {runs[0].title} by epoch, {len(runs)} replicates with {len(_steps(runs[0]))} epochs."


def has_course(result: tuning.TuningResult) -> list[str]:
    """The methods that report steps."""
    return [name for name in result.methods if any(_steps(run) for run in result.of(name))]


def has_loss(result: tuning.TuningResult, method: str) -> bool:
    """Whether the method has a loss."""
    return any(not math.isnan(step.loss) for run in result.of(method) for step in _steps(run))


def _title(method: str) -> str:
    """The printed name of a method, followed by the options in its label."""
    name, space, options = method.partition(" ")
    return family.get(name).title + space + options


def _steps(run: tuning.Replicate) -> list[tuning.Step]:
    return [step for one in run.iterations for step in one.steps]


def _line(steps: Sequence[tuning.Step], better: Better, name: str, colour: str) -> go.Scatter:
    sign = 1 if better == "higher" else -1
    return go.Scatter(
        x=list(range(1, len(steps) + 1)),
        y=[sign * step.value for step in steps],
        mode="lines" if len(steps) > 1 else "markers",
        name=name,
        line={"color": colour, "width": 1.5},
        hovertemplate="%{fullData.name}<br>epoch %{x}: %{y:.2f}<extra></extra>",
    )


def _layout(theme: Theme, metric: str, below: Sequence[str], compact: bool) -> dict[str, Any]:
    """One panel for the metric, and one below it for the loss, with the same epochs."""
    both: dict[str, dict[str, object]] = {}
    if below:
        both = {"yaxis2": axis(theme, below[0], domain=[0.0, 0.42], showgrid=True)}
    return base_layout(
        theme,
        (TWO if below else ONE) + (20 if compact else 0),
        margin={"l": 8, "r": 12, "t": 30, "b": 8},
        xaxis=axis(theme, "epoch or step", anchor="free" if below else "y", position=0.0),
        yaxis=axis(theme, metric, domain=[0.52 if below else 0.0, 1.0], showgrid=True),
        showlegend=True,
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "font": {"size": SMALL}},
        **both,
    )
