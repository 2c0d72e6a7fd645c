"""Conclusions of people and of metrics on all pairs: Graham et al. 2014, Figures 7 and 8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
TOP = 46  # pixels above the cells of a grid
HEAD, BETWEEN, RANKS = 62, 76, 18  # pixels over the first row of grids, between rows, and of the ranks over a grid
PHONE = 90  # pixels for the cells of one grid on a phone
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
    across: Part = {"side": "top", "range": edge, "ticktext": [str(k + 1) for k in range(size)], "tickangle": 0}
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


def metrics(result: human.HumanResult, alpha: float, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The conclusions of every metric (rows) under every test (columns), in the order of the human ranking: Figure 8.

    Colours as in `grid`; a cross marks a pair on which people reach another conclusion. Above each grid are the correct
    pairs. Each cell can be clicked (`clicked`). A `compact` figure has no names.
    """
    names, tests, size = list(result.metrics), list(result.tests), len(result.systems)
    cell = int(np.clip((PHONE if compact else GRID) / max(size, 1), *CELL_RANGE))
    high, named = cell * size, size <= LABEL_LIMIT and not compact
    inside = len(names) * high + (len(names) - 1) * BETWEEN
    across = 1 / len(tests)
    axes: Part = {}
    notes: list[Part] = []
    parts: list[Part] = []
    for k, (metric, test) in enumerate((metric, test) for metric in names for test in tests):
        row, column = divmod(k, len(tests))
        top = 1 - row * (high + BETWEEN) / inside
        x, y = [column * across, (column + 0.92) * across], [max(top - high / inside, 0.0), top]
        axes |= _axes_of(result, k + 1, x, y, theme, named and column == 0, named)
        notes.append(_over(result, metric, test, alpha, x[0], y[1], theme))
        parts += _small(result, metric, test, alpha, theme, k + 1)
    layout = base_layout(
        theme, inside + HEAD + 8, margin={"l": 8, "r": 8, "t": HEAD, "b": 8}, annotations=notes, **axes
    )
    return go.Figure(parts, layout)


def _axes_of(
    result: human.HumanResult, k: int, x: list[float], y: list[float], theme: Theme, names: bool, ranks: bool
) -> Part:
    """The k-th pair of axes: names of the rows on the left of the first column, ranks over each grid."""
    size = len(result.systems)
    edge = [-0.5, size - 0.5]
    ink: Part = {"size": SMALL - 1, "color": palette(theme).ink}
    ticks: Part = {
        "tickmode": "array",
        "tickvals": list(range(size)),
        "ticks": "",
        "fixedrange": True,
        "constrain": "domain",
    }
    rows = [f"{label(system, NAME_LETTERS)} <b>{place}</b>" for place, system in enumerate(result.systems, 1)]
    step = ceil(size / 12)  # ranks that have space
    ranked = [str(place) if (place - 1) % step == 0 else "" for place in range(1, size + 1)]
    over: Part = {"side": "top", "range": edge, "ticktext": ranked, "tickangle": 0, "showticklabels": ranks}
    over |= {"domain": x, "anchor": f"y{k}", "constraintoward": "left", "automargin": False, "tickfont": ink}
    down: Part = {"range": edge[::-1], "ticktext": rows, "showticklabels": names, "domain": y, "anchor": f"x{k}"}
    down |= {
        "scaleanchor": f"x{k}",
        "constraintoward": "top",
        "automargin": "left" if names else False,
        "tickfont": ink,
    }
    return {f"xaxis{k}": axis(theme) | ticks | over, f"yaxis{k}": axis(theme) | ticks | down}


def _over(result: human.HumanResult, metric: str, test: str, alpha: float, x: float, y: float, theme: Theme) -> Part:
    """What a grid is, over it: metric, test, and how many conclusions are people's."""
    found = result.accuracy(metric, test, alpha)
    text = f"<b>{escape(found.metric_title)}</b>, {_share(found)}<br>{escape(found.test_title)}"
    note: Part = {
        "text": text,
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
    }
    font: Part = {"size": SMALL, "color": palette(theme).ink}
    return note | {"yshift": RANKS, "showarrow": False, "align": "left", "font": font}


def _small(result: human.HumanResult, metric: str, test: str, alpha: float, theme: Theme, k: int) -> list[Part]:
    """One grid on the k-th pair of axes, its crosses, and what takes clicks: a heatmap has no points to select."""
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
        mark: Part = {"symbol": "x-thin", "size": 6, "line": {"width": 1.2, "color": palette(theme).ink}}
        crosses: Part = {"type": "scatter", "x": across, "y": down, "mode": "markers", "marker": mark}
        traces.append(crosses | {"hoverinfo": "skip"} | at)
        down, across = np.nonzero(~np.eye(size, dtype=bool))
        clicks: Part = {"type": "scatter", "x": across, "y": down, "mode": "markers"}
        clicks |= {
            "marker": {"symbol": "square", "size": 14, "opacity": 0},
            "customdata": np.column_stack((down, across)),
        }
        clicks |= {"hovertext": [hover[i][j] for i, j in zip(down, across, strict=True)], "hoverinfo": "text"}
        traces.append(clicks | at)
    return traces


def clicked(points: Sequence[Mapping[str, object]]) -> tuple[int, int] | None:
    """The row and the column of a clicked cell of `metrics`, as places in the systems of the result; None for anything
    else."""
    for point in points:
        data = point.get("customdata")
        if isinstance(data, Mapping):
            data = [data.get("0"), data.get("1")]
        if isinstance(data, Sequence) and len(data) == 2 and all(isinstance(place, int | float) for place in data):
            return int(data[0]), int(data[1])
    return None


def _small_hover(names: Sequence[str], levels: Floats, decided: human.Decided, i: int, j: int) -> str:
    metric = "no conclusion" if np.isnan(levels[i, j]) else WORDS[int(np.sign(levels[i, j]))]
    people = WORDS[int(decided.conclusions[i, j])] if decided.known[i, j] else "unknown"
    return f"{names[i]}<br>against {names[j]}<br>metric: {metric}<br>people: {people}"


def _share(cell: human.Accuracy) -> str:
    return f"{cell.correct} of {cell.pairs}" if cell.pairs else "no conclusions"


def metrics_alt(result: human.HumanResult, alpha: float) -> str:
    """One sentence that describes the grids of all metrics and tests."""
    shares = []
    for test, title in result.tests.items():
        cells = (result.accuracy(metric, test, alpha) for metric in result.metrics)
        shares.append(f"{title}: {', '.join(f'{cell.metric_title} {_share(cell)}' for cell in cells)}")
    return f"Conclusions at alpha {alpha:g}; pairs on which metric and people agree, by test. {'; '.join(shares)}."
