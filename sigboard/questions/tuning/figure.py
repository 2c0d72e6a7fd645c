"""Did tuning help? The held-out scores of every method beside the baseline, after the question of Chen et al. 2017."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from sigboard.render.style import SMALL, Part, Theme, axis, base_layout, label, minus, palette
from sigcore import tuning as family
from sigcore.formatting import format_gain, format_score, p_text
from sigcore.studies import tuning
from sigcore.types import Better, Floats

ROW, AROUND = 46, 92  # pixels of one method, and of everything around the rows
LETTERS = 28
UPPER, LOWER = -0.14, 0.18  # held-out and tuned-on circles, relative to the middle of their row


def scores(result: tuning.TuningResult, theme: Theme, compact: bool = False) -> go.Figure:
    """One row for each method: the gains of its runs on both parts, each over the baseline of the same segments, and the
    interval of its average gain on the held-out ones.

    Without held-out segments there are only the gains on the segments tuned on. Positive is better.
    """
    colours, methods = palette(theme), result.methods
    held_out = result.test is not None
    figure = go.Figure(layout=_layout(result, theme, compact))
    figure.add_vline(x=0, line={"color": colours.ink, "width": 1, "dash": "dash"})
    figure.add_annotation(_baselines(result, theme) | {"x": 0, "y": 1, "yref": "paper"})
    if held_out:
        _intervals(figure, result, theme)
    sides = (("dev", "tuned on", "circle-open", colours.muted), ("test", "held out", "circle", colours.accent))
    for side, name, symbol, colour in sides[: 1 + held_out]:
        rows = [(methods.index(item.method), getattr(item, side), item) for item in result.replicates]
        figure.add_scatter(
            x=[_gain(result, side, score) for _, score, _ in rows],
            y=[row + (LOWER if side == "dev" else UPPER) for row, _, _ in rows],
            mode="markers",
            name=name,
            marker={"symbol": symbol, "size": 10, "color": colour, "line": {"width": 1.5, "color": colour}},
            hovertext=[
                f"{label(item.title, LETTERS)} {item.number}, {name}: {format_score(score, result.setup.decimals)}, "
                f"gain {minus(format_gain(_gain(result, side, score), result.setup.decimals))}"
                for _, score, item in rows
            ],
            hoverinfo="text",
        )
    return figure


def _gain(result: tuning.TuningResult, side: str, score: float) -> float:
    """The score minus that of the baseline on the same segments, positive where it is better."""
    part = result.dev if side == "dev" or result.test is None else result.test
    return (score - part.baseline) * (1 if result.setup.better == "higher" else -1)


def _baseline(result: tuning.TuningResult, theme: Theme) -> Part:
    """The label of the line at the baseline, without its place."""
    score = format_score((result.test or result.dev).baseline, result.setup.decimals)
    return _mark(f"baseline {score}", theme)


def _baselines(result: tuning.TuningResult, theme: Theme) -> Part:
    """The label of the line at no gain: the score of the baseline on each part."""
    parts = [("held out", result.test), ("tuned on", result.dev)]
    shown = [f"{format_score(part.baseline, result.setup.decimals)} {name}" for name, part in parts if part is not None]
    return _mark(f"baseline: {', '.join(shown)}", theme)


def _mark(text: str, theme: Theme) -> Part:
    font: Part = {"size": SMALL, "color": palette(theme).muted}
    return {"text": text, "yanchor": "bottom", "showarrow": False, "font": font}


def _intervals(figure: go.Figure, result: tuning.TuningResult, theme: Theme) -> None:
    """The interval of the average gain of every method; methods without one have none."""
    known = [(row, item) for row, item in enumerate(result.tests) if not math.isnan(item.interval[0])]
    ends = np.array([item.interval for _, item in known]).reshape(-1, 2)
    averages = np.array([item.gain for _, item in known])
    decimals, ink = result.setup.decimals, palette(theme).ink
    reach: Part = {"type": "data", "symmetric": False, "color": ink, "thickness": 1.5, "width": 0}
    figure.add_scatter(
        x=averages,
        y=[row + UPPER for row, _ in known],
        mode="markers",
        name=f"average, {result.setup.level:.0%} interval",
        marker={"symbol": "line-ns", "size": 16, "color": ink, "line": {"width": 2, "color": ink}},
        error_x=reach | {"array": ends[:, 1] - averages, "arrayminus": averages - ends[:, 0]},
        hovertext=[
            f"{label(item.title, LETTERS)}: gain {minus(format_gain(item.gain, decimals))}, "
            f"{p_text(item.adjusted, result.setup.resamples)} after correction"
            for _, item in known
        ],
        hoverinfo="text",
    )


def _layout(result: tuning.TuningResult, theme: Theme, compact: bool) -> Part:
    titles = [result.of(name)[0].title for name in result.methods]
    return in_rows(titles, f"gain in {result.setup.metric_title} over the baseline", theme, compact)


def in_rows(titles: Sequence[str], words: str, theme: Theme, compact: bool) -> Part:
    """The layout of a figure with a row for each title; `words` are those of the axis below."""
    return base_layout(
        theme,
        ROW * len(titles) + AROUND + (24 if compact else 0),
        margin={"l": 8, "r": 16, "t": 26, "b": 8},
        xaxis=axis(theme, words, showgrid=True),
        yaxis=axis(
            theme,
            tickvals=list(range(len(titles))),
            ticktext=[label(title, LETTERS // 2 if compact else LETTERS) for title in titles],
            range=[len(titles) - 0.4, -0.6],
            tickfont={"size": SMALL, "color": palette(theme).ink},
        ),
        showlegend=True,
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0, "font": {"size": SMALL}},
    )


def scores_alt(result: tuning.TuningResult) -> str:
    """The figure in words."""
    part = result.test or result.dev
    where = "held-out segments" if result.test else "the segments tuned on"
    decimals = result.setup.decimals
    rows = []
    for name in result.methods:
        runs = [item.test if result.test else item.dev for item in result.of(name)]
        rows.append(f"{result.of(name)[0].title} {', '.join(format_score(score, decimals) for score in runs)}")
    baseline = format_score(part.baseline, decimals)
    return f"{result.setup.metric_title} on {where}: baseline {baseline}; {'; '.join(rows)}."


# The metric and the loss while a method tunes, after Chen et al. 2017, Fig. 3.

ONE, TWO = 260, 420  # pixels of a figure with one panel, and with two
COURSE_LETTERS = 28

Courses = Mapping[tuple[str, int], Sequence[tuning.Step]]


def live(courses: Courses, metric: str, better: Better, theme: Theme, compact: bool = False) -> go.Figure:
    """The metric of every run so far, a colour for each method."""
    names = list(dict.fromkeys(method for method, _ in courses))
    figure = go.Figure(layout=_course_layout(theme, metric, False, compact))
    for (method, replicate), steps in sorted(courses.items()):
        k = names.index(method)
        colour = palette(theme).classes[k % len(palette(theme).classes)]
        figure.add_trace(_line(steps, better, label(row_title(method), COURSE_LETTERS), colour))
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
    figure = go.Figure(layout=_course_layout(theme, result.setup.metric_title, with_loss, compact))
    for k, run in enumerate(runs):
        colour = colours.classes[k % len(colours.classes)]
        steps = _steps(run)
        figure.add_trace(_line(steps, result.setup.better, f"replicate {run.number}", colour))
        if not result.fixed:
            starts = [sum(len(one.steps) for one in run.iterations[:i]) for i in range(len(run.iterations))]
            marker = {"symbol": "diamond", "size": 8, "color": colour}
            scores = [one.dev for one in run.iterations]
            figure.add_scatter(x=starts, y=scores, mode="markers", marker=marker, showlegend=False)
        if with_loss:
            losses, line = [step.loss for step in steps], {"color": colour, "width": 1.5}
            places = list(range(1, len(steps) + 1))
            figure.add_scatter(x=places, y=losses, mode="lines", line=line, yaxis="y2", showlegend=False)
    return figure


def course_alt(result: tuning.TuningResult, method: str) -> str:
    """The figure in words."""
    what = f"{result.setup.metric_title} and loss" if has_loss(result, method) else result.setup.metric_title
    runs = result.of(method)
    return f"{what} of {runs[0].title} by epoch, {len(runs)} replicates with {len(_steps(runs[0]))} epochs."


def overlay(result: tuning.TuningResult, methods: Sequence[str], theme: Theme, compact: bool = False) -> go.Figure:
    """The metric and the loss of several methods by epoch, a colour for each method: Chen et al. 2017, Fig. 3.

    Losses of different methods have different scales, so each run's loss is drawn as a share of its range over the epochs:
    1 is its largest, 0 its smallest value.
    """
    colours = palette(theme).classes
    with_loss = any(has_loss(result, method) for method in methods)
    figure = go.Figure(layout=_course_layout(theme, result.setup.metric_title, with_loss, compact))
    if with_loss:
        figure.update_layout(yaxis2_title_text="loss, share of its range")
    for k, method in enumerate(methods):
        colour = colours[k % len(colours)]
        for number, run in enumerate(result.of(method)):
            steps = _steps(run)
            line = _line(steps, result.setup.better, label(run.title, COURSE_LETTERS), colour)
            figure.add_trace(line.update(legendgroup=method, showlegend=number == 0))
            losses = np.array([step.loss for step in steps])
            if with_loss and len(losses) and np.isfinite(losses).all():
                figure.add_scatter(
                    x=list(range(1, len(steps) + 1)),
                    y=_share(losses).tolist(),
                    mode="lines",
                    line={"color": colour, "width": 1.5, "dash": "dot"},
                    yaxis="y2",
                    showlegend=False,
                    customdata=losses.tolist(),
                    hovertemplate=f"{label(run.title, COURSE_LETTERS)}<br>epoch %{{x}}: loss %{{customdata:.4g}}<extra></extra>",
                )
    return figure


def _share(losses: Floats) -> Floats:
    """Where each loss is between the smallest (0) and the largest (1)."""
    reach = float(np.ptp(losses))
    return (losses - losses.min()) / reach if reach else np.zeros_like(losses)


def overlay_alt(result: tuning.TuningResult, methods: Sequence[str]) -> str:
    """The figure in words."""
    ends = []
    for method in methods:
        for run in result.of(method):
            values = [step.value for step in _steps(run)]
            sign = 1 if result.setup.better == "higher" else -1
            best = int(np.argmax(values)) + 1
            ends.append(
                f"{run.title} {run.number}: best {sign * max(values):.2f} at epoch {best}, last {sign * values[-1]:.2f}"
            )
    return f"{result.setup.metric_title} and loss by epoch. {'; '.join(ends)}."


def has_course(result: tuning.TuningResult) -> list[str]:
    """The methods that report steps."""
    return [name for name in result.methods if any(_steps(run) for run in result.of(name))]


def has_loss(result: tuning.TuningResult, method: str) -> bool:
    """Whether the method has a loss."""
    return any(not math.isnan(step.loss) for run in result.of(method) for step in _steps(run))


def row_title(label: str) -> str:
    """The printed name of a row of the lab or of a method, with its set of features and the options in its label."""
    if label in (tuning.FIRST, tuning.START):
        return label
    words, space, options = label.partition(" ")
    of, colon, name = words.rpartition(":")
    return f"{of}{colon} {family.get(name).title}{space}{options}".strip()


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


def _course_layout(theme: Theme, metric: str, below: bool, compact: bool) -> Part:
    """One panel for the metric, and one below it for the loss, with the same epochs."""
    both = {"yaxis2": axis(theme, "loss per list", domain=[0.0, 0.42], showgrid=True)} if below else {}
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


# The score by a setting of which several values were tuned: n of top-n ListMLE (Chen et al. 2017, Fig. 2), list sizes
# (Table 4).

HEIGHT, SWEEP_LETTERS = 320, 30
NAMES = {"k": "size of the lists (k)", "policy": "earlier lists (aggregated or merged)"}


POLICY = "policy"


def settings(result: tuning.TuningResult) -> list[str]:
    """The settings with several values."""
    several = [POLICY] if _policies(result) else []
    return [*dict.fromkeys(item.setting for item in result.sweeps), *several]


def _policies(result: tuning.TuningResult) -> dict[str, dict[str, str]]:
    """By the printed name of a method, its label under every policy, where the plan compares policies."""
    found: dict[str, dict[str, str]] = {}
    for policy in result.plan.policies if len(result.plan.policies) > 1 else ():
        for name in result.methods:
            if name.split()[-1] == policy:
                found.setdefault(result.of(name)[0].title.removesuffix(f" {policy}"), {})[policy] = name
    return found


def policies(result: tuning.TuningResult, theme: Theme, compact: bool = False) -> go.Figure:
    """The scores of every listwise method under aggregated and under merged lists, one row each: Chen et al. 2017, Table 2.

    Large marks are averages of the runs, small ones single runs; a line joins the averages. Dashed: the baseline.
    """
    found, colours = _policies(result), palette(theme)
    part, where = result.test or result.dev, "held out" if result.test else "tuned on"
    words = f"{result.setup.metric_title}, {where}"
    figure = go.Figure(layout=in_rows(list(found), words, theme, compact))
    figure.add_vline(x=part.baseline, line={"color": colours.ink, "width": 1, "dash": "dash"})
    figure.add_annotation(_baseline(result, theme) | {"x": part.baseline, "y": 1, "yref": "paper"})
    averages = {
        title: {p: float(np.mean(_scores(result, name))) for p, name in own.items()} for title, own in found.items()
    }
    for row, ends in enumerate(averages.values()):
        line = {"color": colours.muted, "width": 2}
        figure.add_scatter(
            x=[*ends.values()], y=[row] * len(ends), mode="lines", line=line, showlegend=False, hoverinfo="skip"
        )
    for k, policy in enumerate(result.plan.policies):
        colour, symbol = colours.classes[k], ("circle", "diamond")[k % 2]
        single = [(row, score) for row, own in enumerate(found.values()) for score in _scores(result, own[policy])]
        figure.add_scatter(
            x=[score for _, score in single],
            y=[row + 0.2 for row, _ in single],
            mode="markers",
            showlegend=False,
            marker={"symbol": f"{symbol}-open", "size": 7, "color": colour},
            hovertemplate=f"{policy}, one run: %{{x:.2f}}<extra></extra>",
        )
        figure.add_scatter(
            x=[own[policy] for own in averages.values()],
            y=list(range(len(averages))),
            mode="markers",
            name={"aggregate": "aggregated lists", "merge": "merged lists"}[policy],
            marker={"symbol": symbol, "size": 12, "color": colour},
            hovertemplate=f"{policy}, average: %{{x:.2f}}<extra></extra>",
        )
    return figure


def policies_alt(result: tuning.TuningResult) -> str:
    """The figure in words."""
    where = "held-out segments" if result.test else "the segments tuned on"
    rows = []
    for title, own in _policies(result).items():
        scores = [
            f"{policy} {format_score(float(np.mean(_scores(result, name))), result.setup.decimals)}"
            for policy, name in own.items()
        ]
        rows.append(f"{title} {', '.join(scores)}")
    return f"{result.setup.metric_title} on {where} by what becomes of earlier lists: {'; '.join(rows)}."


def title(setting: str) -> str:
    """The printed name of a setting."""
    return NAMES.get(setting, setting.replace("_", " "))


def sweep(result: tuning.TuningResult, setting: str, theme: Theme, compact: bool = False) -> go.Figure:
    """The average score of the runs by the values of a setting, a line for each method; circles are single runs.

    Held-out scores, or without a held-out part those of the segments tuned on. Dashed: the baseline. Values are evenly
    spaced.
    """
    chosen = [item for item in result.sweeps if item.setting == setting]
    values = sorted({value for item in chosen for value, _ in item.values})
    colours = palette(theme)
    figure = go.Figure(layout=_sweep_layout(result, setting, values, theme, len(chosen) > 1, compact))
    part = result.test or result.dev
    figure.add_hline(y=part.baseline, line={"color": colours.ink, "width": 1, "dash": "dash"})
    figure.add_annotation(_baseline(result, theme) | {"x": 1, "xref": "paper", "xanchor": "right", "y": part.baseline})
    for k, item in enumerate(chosen):
        colour = colours.classes[k % len(colours.classes)]
        places = [values.index(value) for value, _ in item.values]
        figure.add_traces(_sweep_line(result, item, places, colour))
    return figure


def _sweep_line(
    result: tuning.TuningResult, item: tuning.Sweep, places: Sequence[int], colour: str
) -> list[go.Scatter]:
    """The averages of one method, and its single runs."""
    scores = [_scores(result, name) for _, name in item.values]
    name, decimals = label(item.title, SWEEP_LETTERS), result.setup.decimals
    averages = [sum(own) / len(own) for own in scores]
    average = go.Scatter(
        x=places,
        y=averages,
        mode="lines+markers",
        name=name,
        line={"color": colour, "width": 2},
        marker={"symbol": "diamond", "size": 9, "color": colour},
        hovertext=[
            f"{name}, {title(item.setting)} {value:g}: {format_score(score, decimals)}"
            for (value, _), score in zip(item.values, averages, strict=True)
        ],
        hoverinfo="text",
    )
    single = go.Scatter(
        x=[place for place, own in zip(places, scores, strict=True) for _ in own],
        y=[score for own in scores for score in own],
        mode="markers",
        showlegend=False,
        marker={"symbol": "circle-open", "size": 8, "color": colour, "line": {"width": 1.5, "color": colour}},
        hovertemplate=f"{name}, one run: %{{y:.{decimals}f}}<extra></extra>",
    )
    return [average, single]


def sweep_alt(result: tuning.TuningResult, setting: str) -> str:
    """The figure in words."""
    where = "held-out segments" if result.test else "the segments tuned on"
    rows = []
    for item in result.sweeps:
        if item.setting == setting:
            averages = [(value, _scores(result, name)) for value, name in item.values]
            points = [
                f"{value:g}: {format_score(sum(own) / len(own), result.setup.decimals)}" for value, own in averages
            ]
            rows.append(f"{item.title} {', '.join(points)}")
    return f"{result.setup.metric_title} on {where} by {title(setting)}: {'; '.join(rows)}."


def _scores(result: tuning.TuningResult, name: str) -> list[float]:
    return [item.test if result.test else item.dev for item in result.of(name)]


def _sweep_layout(
    result: tuning.TuningResult, setting: str, values: Sequence[float], theme: Theme, several: bool, compact: bool
) -> Part:
    where = "held out" if result.test else "tuned on"
    return base_layout(
        theme,
        HEIGHT + (24 if compact else 0),
        margin={"l": 8, "r": 12, "t": 30, "b": 8},
        xaxis=axis(
            theme,
            title(setting),
            tickvals=list(range(len(values))),
            ticktext=[f"{value:g}" for value in values],
            range=[-0.4, len(values) - 0.6],
        ),
        yaxis=axis(theme, f"{result.setup.metric_title}, {where}", showgrid=True),
        showlegend=several,
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "font": {"size": SMALL}},
    )
