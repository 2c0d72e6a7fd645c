"""Conclusions of people and of metrics on all pairs: Graham et al. 2014, Figures 7 and 8."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil

import numpy as np
import plotly.graph_objects as go

from sigboard.render.style import NORMAL, SMALL, Part, Theme, axis, base_layout, escape, label, minus, palette
from sigcore import Floats
from sigcore.formatting import count, format_gain, p_text
from sigcore.studies import human
from sigcore.types import Ints

SYMBOL_LIMIT = 24  # systems up to which a cell has space for its symbol
MARK_LIMIT = 40  # systems up to which disagreements are marked
LABEL_LIMIT = 40  # systems up to which rows and columns are named
NAME_LETTERS, HOVER_LETTERS = (
    15,
    28,
)  # characters of a name on an axis, and in the hover text, which must fit the figure
CELL_RANGE = (5, 24)  # pixels
GRID = 196  # pixels for the cells of one grid: a third of the page without the names
ROW, TITLE, TOP = 150, 38, 46  # pixels of a small grid, of its two-line title, and above the cells of a large grid
HEADING = 26  # pixels of the title of all small grids
WORDS = {1: "better", -1: "worse", 0: "no significant difference"}


def grid(people: human.People, alpha: float, place: int | None = None, theme: Theme = "light") -> go.Figure:
    """The grid of one dimension (its index in `people.dimensions`), or of the combined conclusion (None).

    Rows and columns are sorted from best to worst; columns are labelled with ranks. Blue: the row is better; orange: worse.
    """
    levels = people.levels(alpha, place)
    size = len(people.systems)
    cell = int(np.clip(GRID / max(size, 1), *CELL_RANGE))
    title = "combined conclusion" if place is None else people.dimensions[place]
    differ = int((levels > 0).sum())
    whole = f"<b>{escape(title)}</b>: {differ} of {count(_pairs(levels), 'pair')} differ"
    cells = _cells(levels, _hovers(people, alpha, place, levels), theme, symbols=size <= SYMBOL_LIMIT)
    return go.Figure([cells, *_unknown(levels, theme)], _layout(people, whole, cell, theme))


def _pairs(levels: Floats) -> int:
    return int((~np.isnan(levels)).sum()) // 2


def _layout(people: human.People, title: str, cell: int, theme: Theme) -> Part:
    size, colours = len(people.systems), palette(theme)
    named = size <= LABEL_LIMIT
    ticks: Part = {"tickmode": "array", "tickvals": list(range(size)), "ticks": "", "fixedrange": True}
    ticks |= {"showticklabels": named, "constrain": "domain", "ticklabeloverflow": "allow"}
    ink: Part = {"size": SMALL, "color": colours.ink}
    edge = [-0.5, max(size, 1) - 0.5]
    rows = [f"{label(system, NAME_LETTERS)} <b>{k}</b>" for k, system in enumerate(people.systems, start=1)]
    across: Part = {
        "side": "top",
        "range": edge,
        "ticktext": [str(k + 1) for k in range(size)],
        "tickangle": 0,
    }
    down: Part = {"range": edge[::-1], "scaleanchor": "x", "ticktext": rows, "constraintoward": "top"}
    head: Part = {"text": title, "font": {"size": NORMAL, "color": colours.ink}, "x": 0, "xref": "container"}
    head |= {"xanchor": "left", "y": 1, "yref": "container", "yanchor": "top", "pad": {"l": 8, "t": 6}}
    return base_layout(
        theme,
        TOP + cell * size + 8,
        title=head,
        margin={"l": 8, "r": 8, "t": TOP, "b": 8},
        xaxis=axis(theme, **ticks, **across, constraintoward="left") | {"tickfont": ink, "automargin": False},
        yaxis=axis(theme, **ticks, **down) | {"tickfont": ink, "automargin": "left"},
    )


def _cells(levels: Floats, hover: Sequence[Sequence[str]], theme: Theme, symbols: bool, gap: float = 1) -> Part:
    """A heatmap in flat colours of the seven verdicts, with a plus, minus or dot where there is space. Plain, so that
    Plotly checks it once."""
    colours = palette(theme)
    scale = [((k + end) / 7, colours.verdict(level)) for k, level in enumerate(range(-3, 4)) for end in (0, 1)]
    trace: Part = {"type": "heatmap", "z": levels.astype(np.float32), "zmin": -3.5, "zmax": 3.5}
    trace |= {
        "colorscale": scale,
        "showscale": False,
        "xgap": gap,
        "ygap": gap,
        "hovertext": hover,
        "hoverinfo": "text",
    }
    if symbols:
        words = [["" if np.isnan(v) else "+" if v > 0 else "\u2212" if v < 0 else "·" for v in row] for row in levels]
        font = {"size": SMALL} | ({"color": "#FFFFFF"} if theme == "dark" else {})
        trace |= {"text": words, "texttemplate": "%{text}", "textfont": font}
    return trace


def _hovers(people: human.People, alpha: float, place: int | None, levels: Floats) -> list[list[str]]:
    """The text of every cell: what was found, which no alpha changes, and the verdict at alpha."""
    by = people.decided(alpha).by if place is None else None
    verdicts = [[_verdict(people, i, j, levels, by) for j in range(len(levels))] for i in range(len(levels))]
    return [
        [facts if i == j else f"{facts}<br>at alpha {alpha:g}: {verdicts[i][j]}" for j, facts in enumerate(row)]
        for i, row in enumerate(_facts(people, place))
    ]


@lru_cache(maxsize=32)
def _facts(people: human.People, place: int | None) -> list[list[str]]:
    """What was found on every pair of systems, in the order of `people.systems`."""
    places = range(len(people.systems))
    return [[_found(people, i, j, place) for j in places] for i in places]


def _found(people: human.People, i: int, j: int, place: int | None) -> str:
    row, column = (f"<b>{label(people.systems[k], HOVER_LETTERS)}</b>" for k in (i, j))
    if i == j:
        scores = (_score(people, k, i) for k in range(len(people.rated)) if place in (None, k))
        return f"{row}<br>" + "<br>".join(scores)
    lines = [row, f"against {column}"]
    for k, rated in enumerate(people.rated):
        if place not in (None, k):
            continue
        if np.isnan(rated.p_values[i, j]):
            lines.append(f"{escape(rated.dimension)}: one of the two was not rated")
            continue
        gain = minus(format_gain(float(rated.scores[i] - rated.scores[j])))
        better, worse = (p_text(float(rated.p_values[at]), 0) for at in ((i, j), (j, i)))
        lines += [f"{escape(rated.dimension)} {people.scale} {gain}", f"better: {better}; worse: {worse}"]
    return "<br>".join(lines)


def _verdict(people: human.People, i: int, j: int, levels: Floats, by: Ints | None) -> str:
    level = levels[i, j]
    verdict = "unknown" if np.isnan(level) else WORDS[int(np.sign(level))]
    if by is not None and level and by[i, j] >= 0:
        verdict += f" (decided by {escape(people.dimensions[int(by[i, j])])})"
    return verdict


def _score(people: human.People, place: int, i: int) -> str:
    rated = people.rated[place]
    if not rated.segments[i]:
        return f"{escape(rated.dimension)}: no rating"
    score = minus(f"{rated.scores[i]:+.3f}")
    return f"{escape(rated.dimension)} {people.scale} {score}, {count(int(rated.segments[i]), 'segment')}"


def _unknown(levels: Floats, theme: Theme) -> list[Part]:
    """A question mark for each pair on which people have no conclusion."""
    unknown = np.isnan(levels) & ~np.eye(len(levels), dtype=bool)
    if not unknown.any() or len(levels) > SYMBOL_LIMIT:
        return []
    down, across = np.nonzero(unknown)
    font: Part = {"size": SMALL, "color": palette(theme).muted}
    marks: Part = {"type": "scatter", "x": across, "y": down, "mode": "text", "text": ["?"] * len(down)}
    return [marks | {"textfont": font, "hoverinfo": "skip"}]


def grid_alt(people: human.People, alpha: float, place: int | None = None) -> str:
    """One sentence that describes a grid of human conclusions."""
    levels = people.levels(alpha, place)
    subject = "combined conclusion of judges" if place is None else f"judgments of {people.dimensions[place]}"
    return (
        f"Grid of {count(len(people.systems), 'system')}, {subject}, from {people.systems[0]} to {people.systems[-1]}: "
        f"{int((levels > 0).sum())} of {count(_pairs(levels), 'pair')} differ at alpha {alpha:g}."
    )


def metrics(result: human.HumanResult, test: str, alpha: float, theme: Theme = "light") -> go.Figure:
    """The conclusions of every metric under one test: small grids, two or three in a row, in the order of the human ranking.

    Colours as in `grid`; a cross marks a pair on which people reach another conclusion. The title counts the correct pairs.
    """
    names = list(result.metrics)
    across = min(len(names), 2 if len(names) <= 4 else 3)
    down = ceil(len(names) / across)
    height = down * (ROW + TITLE) + HEADING + 8
    cells = [result.accuracy(metric, test, alpha) for metric in names]
    titles = [f"{escape(cell.metric_title)}<br>{_share(cell)}" for cell in cells]
    between = TITLE / (height - HEADING - TITLE - 8) if down > 1 else 0.0
    boxes = [_box(k, across, down, (0.06, between)) for k in range(len(names))]
    colours = palette(theme)
    parts = [_small(result, metric, test, alpha, theme, k + 1) for k, metric in enumerate(names)]
    edge = [-0.5, len(result.systems) - 0.5]
    axes: Part = {}
    for k, (x, y) in enumerate(boxes, 1):
        hidden: Part = {"visible": False, "fixedrange": True, "constrain": "domain"}
        axes[f"xaxis{k}"] = hidden | {"range": edge, "domain": x, "anchor": f"y{k}"}
        axes[f"yaxis{k}"] = hidden | {"range": edge[::-1], "domain": y, "anchor": f"x{k}", "scaleanchor": f"x{k}"}
    font: Part = {"size": SMALL, "color": colours.ink}
    over: Part = {"xref": "paper", "yref": "paper", "xanchor": "center", "yanchor": "bottom", "showarrow": False}
    head: Part = {"text": f"<b>{escape(result.tests[test])}</b>", "font": {"size": NORMAL, "color": colours.ink}}
    head |= {"x": 0, "xref": "container", "xanchor": "left", "y": 1, "yref": "container", "yanchor": "top"}
    layout = base_layout(
        theme,
        height,
        title=head | {"pad": {"l": 8, "t": 4}},
        margin={"l": 8, "r": 8, "t": HEADING + TITLE, "b": 8},
        annotations=[
            over | {"text": title, "x": sum(x) / 2, "y": y[1], "font": font}
            for title, (x, y) in zip(titles, boxes, strict=True)
        ],
        **axes,
    )
    return go.Figure([trace for part in parts for trace in part], layout)


def _box(k: int, across: int, down: int, gaps: tuple[float, float]) -> tuple[list[float], list[float]]:
    """The domains of both axes of the k-th small grid: row by row from the top left."""
    width, height = ((1 - gap * (number - 1)) / number for gap, number in zip(gaps, (across, down), strict=True))
    left, top = (k % across) * (width + gaps[0]), 1 - (k // across) * (height + gaps[1])
    return [left, min(left + width, 1.0)], [max(top - height, 0.0), top]


def _small(result: human.HumanResult, metric: str, test: str, alpha: float, theme: Theme, k: int) -> list[Part]:
    """One small grid with its crosses, on the k-th pair of axes."""
    levels = result.levels(metric, test, alpha)
    size = len(levels)
    decided = result.decided(alpha)
    known = decided.known & ~np.isnan(levels)
    wrong = known & (np.sign(levels) != decided.conclusions)
    names = [f"<b>{label(system, HOVER_LETTERS)}</b>" for system in result.systems]
    hover = [
        [escape(result.systems[i]) if i == j else _small_hover(names, levels, decided, i, j) for j in range(size)]
        for i in range(size)
    ]
    at = {"xaxis": f"x{k}", "yaxis": f"y{k}"}
    traces = [_cells(levels, hover, theme, symbols=False, gap=1 if size <= MARK_LIMIT else 0) | at]
    if size <= MARK_LIMIT:
        down, across = np.nonzero(wrong)
        mark: Part = {"symbol": "x-thin", "size": 5, "line": {"width": 1.2, "color": palette(theme).ink}}
        crosses: Part = {"type": "scatter", "x": across, "y": down, "mode": "markers", "marker": mark}
        traces.append(crosses | {"hoverinfo": "skip"} | at)
    return traces


def _small_hover(names: Sequence[str], levels: Floats, decided: human.Decided, i: int, j: int) -> str:
    metric = "no conclusion" if np.isnan(levels[i, j]) else WORDS[int(np.sign(levels[i, j]))]
    people = WORDS[int(decided.conclusions[i, j])] if decided.known[i, j] else "unknown"
    return f"{names[i]}<br>against {names[j]}<br>metric: {metric}<br>people: {people}"


def _share(cell: human.Accuracy) -> str:
    return f"{cell.correct} of {cell.pairs}" if cell.pairs else "no conclusions"


def metrics_alt(result: human.HumanResult, test: str, alpha: float) -> str:
    """One sentence that describes the small grids."""
    cells = [result.accuracy(metric, test, alpha) for metric in result.metrics]
    shares = ", ".join(f"{cell.metric_title} {_share(cell)}" for cell in cells)
    return (
        f"Conclusions under {result.tests[test]} at alpha {alpha:g}; pairs on which metric and people agree: {shares}."
    )
