"""The pairwise grid as a table of plain values, which the browser draws at once, without Plotly."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.questions.matrix import figure
from sigboard.render.style import NORMAL, SMALL, Theme, escape, minus, palette
from sigcore import Ints, MatrixResult
from sigcore.formatting import (
    NO_VERDICT,
    SYMBOLS,
    format_gain,
    format_interval,
    format_level,
    format_p_interval,
    format_score,
    thresholds,
    verdict_word,
)
from sigcore.types import Bools, Floats

# The colour key of a grid: one field per verdict that its numbers can reach, above the cells.

FIELD, FIELD_COMPACT = 76, 50  # pixels of one field with its label
HEIGHT, HEIGHT_COMPACT = 72, 90  # pixels of the heading, the fields and their labels
HEADING = 22  # pixels of the heading
UNDECIDED = "hatched: more resamples could change the verdict"
LINES = "line: every system above it is better than every system below it"


def classes(result: MatrixResult, alpha: float) -> list[int]:
    """The verdicts that are possible at alpha with these resamples, from worst to best."""
    reachable = sorted(size for size, bound in thresholds(alpha).items() if bound >= result.setup.least_p)
    return [-size for size in reversed(reachable)] + [0, *reachable]


def height(compact: bool) -> int:
    """Pixels of the key with its heading."""
    return HEIGHT_COMPACT if compact else HEIGHT


def steps(possible: list[int], theme: Theme) -> list[tuple[float, str]]:
    """A colour scale of flat steps, one per class, worse to better."""
    colours = [palette(theme).verdict(level) for level in possible]
    return [((k + end) / len(possible), colour) for k, colour in enumerate(colours) for end in (0, 1)]


def look(possible: list[int], alpha: float, whole: int, theme: Theme, compact: bool) -> dict[str, Any]:
    """The colours of the cells and their key, in a figure `whole` pixels high."""
    ends = {"zmin": -0.5, "zmax": len(possible) - 0.5}
    return {**ends, "colorscale": steps(possible, theme), "colorbar": _bar(possible, alpha, whole, theme, compact)}


def meaning(result: MatrixResult, alpha: float) -> str:
    """What the colours of the cells mean."""
    adjusted = "" if result.setup.correction == "none" else f" ({result.setup.correction_title})"
    return f"Row against column, p{adjusted}" + (f": {NO_VERDICT}" if result.setup.no_verdict(alpha) else "")


def heading(result: MatrixResult, alpha: float, theme: Theme, marks: list[str]) -> dict[str, Any]:
    """The heading of the key: what the cells mean, and what the other `marks` on them mean."""
    return {
        "text": " · ".join([escape(meaning(result, alpha)), *marks]),
        "font": {"size": NORMAL, "color": palette(theme).ink},
        "x": 0,
        "xref": "container",
        "xanchor": "left",
        "y": 1,
        "yref": "container",
        "yanchor": "top",
        "pad": {"l": 8, "t": 2},
    }


def key_words(possible: list[int], alpha: float, compact: bool) -> list[str]:
    """The label of each field: its symbol, its largest p, and what it means for the row."""
    bounds = {size: bound for size, bound in thresholds(alpha).items() if size in possible}
    middle = sorted(bounds)[len(bounds) // 2] if bounds else 0
    meanings = {-middle: "row worse", middle: "row better"}
    found = {0: "·<br>not<br>significant" if compact else "· not<br>significant"}
    for size, bound in bounds.items():
        for level in (size, -size):
            limit = f"≤ {bound:g}".replace("≤ 0.", "≤ .")
            symbol = minus(SYMBOLS[level])
            found[level] = f"{symbol}{'<br>' if compact else ' '}{limit}<br>{meanings.get(level, '')}"
    return [found[level] for level in possible]


def _bar(possible: list[int], alpha: float, whole: int, theme: Theme, compact: bool) -> dict[str, Any]:
    """The fields of the key; their position is in pixels from the upper left corner."""
    return {
        "orientation": "h",
        "thickness": 12,
        "len": (FIELD_COMPACT if compact else FIELD) * len(possible),
        "lenmode": "pixels",
        "x": 0,
        "xanchor": "left",
        "xref": "container",
        "xpad": 8,
        "y": 1 - HEADING / whole,
        "yanchor": "top",
        "yref": "container",
        "ypad": 0,
        "outlinewidth": 0,
        "ticks": "",
        "tickangle": 0,
        "ticklabeloverflow": "allow",
        "tickmode": "array",
        "tickvals": list(range(len(possible))),
        "ticktext": key_words(possible, alpha, compact),
        "tickfont": {"size": SMALL, "color": palette(theme).muted},
    }


# The details of the cells of a grid; over those of a large one invisible markers, for clicks and hover text.

MONTE_CARLO = "Monte Carlo "
TEXT_LIMIT = 30  # systems up to which a cell has space for its symbol and its own hover text


def _invisible(across: Ints, down: Ints, **more: Any) -> go.Scatter:
    """Invisible markers; a click selects the nearest one, for any size of the cells on the screen.

    They are small on purpose: markers as large as a cell overlap on a narrow screen, and the wrong one gets the click.
    """
    unseen = {"marker": {"opacity": 0}}
    return go.Scatter(
        x=across.astype(np.int16),
        y=down.astype(np.int16),
        mode="markers",
        marker={"symbol": "square", "size": 4, "opacity": 0, "line": {"width": 0}},
        selected=unseen,
        unselected=unseen,
        **more,
    )


def markers(result: MatrixResult) -> go.Scatter:
    """One marker per pair of a large grid: a heatmap reports no clicks, markers do."""
    count = len(result.systems)
    down, across = np.nonzero(~np.eye(count, dtype=bool))
    places = np.asarray(result.order, dtype=np.int64)
    return _invisible(across, down, **_lean(result, places[down], places[across]))


def diagonal(result: MatrixResult) -> go.Scatter:
    """One marker per system, so that a click on the diagonal does not select a neighbour; its hover text is the score."""
    places = np.arange(len(result.systems))
    order = np.asarray(result.order, dtype=np.int64)
    words = [about_system(result, i) for i in order]
    pairs = np.stack([order, order], axis=1).astype(np.int16)
    return _invisible(places, places, customdata=pairs, hovertext=words, hovertemplate="%{hovertext}<extra></extra>")


def about_system(result: MatrixResult, i: int) -> str:
    """The details of a cell of the diagonal: the score of the system with its interval."""
    score = format_score(float(result.scores[i]), result.setup.decimals)
    interval = minus(format_interval(_ends(result, i), result.setup.decimals))
    return (
        f"<b>{escape(result.systems[i])}</b> {score} {escape(result.setup.metric_title)}, "
        f"{format_level(result.setup.level)} interval {interval}"
    )


def _ends(result: MatrixResult, i: int) -> tuple[float, float]:
    return float(result.score_intervals[i, 0]), float(result.score_intervals[i, 1])


def about_pair(result: MatrixResult, row: int, column: int, level: int, alpha: float) -> str:
    """The details of a cell, as lines of text: both scores, the gain with its verdict, p and adjusted p."""
    at = (row, column)
    adjusted = float(result.adjusted[at])
    word = verdict_word(level, adjusted, result.setup.no_verdict(alpha))
    lines = [
        f"<b>{escape(result.systems[row])}</b> {format_score(float(result.scores[row]), result.setup.decimals)}",
        f"against <b>{escape(result.systems[column])}</b> {format_score(float(result.scores[column]), result.setup.decimals)}",
        f"gain {minus(format_gain(float(result.gains[at]), result.setup.decimals))} {escape(result.setup.metric_title)}: {word}",
    ]
    p, counted = _p(result, row, column)
    lines.append(f"p {p}, {counted}")
    if result.setup.correction != "none":
        lines.append(
            f"adjusted ({escape(result.setup.correction_title)}) p {_statement(result.written_p(row, column))}"
        )
    return "<br>".join(lines)


def _p(result: MatrixResult, row: int, column: int) -> tuple[str, str]:
    """p of a cell as the end of a statement ("= 0.034"), and its Monte Carlo interval."""
    drawn, low, high = result.setup.resamples, float(result.p_low[row, column]), float(result.p_high[row, column])
    interval = format_p_interval((low, high), drawn)
    p = _statement(result.written_p(row, column, adjusted=False))
    return p, f"{MONTE_CARLO}{interval}" if drawn else interval


def _statement(p: str) -> str:
    """A written p after the letter: "= 0.034", "< 0.00037"."""
    return escape(p) if p.startswith("<") else f"= {p}"


def _lean(result: MatrixResult, rows: Ints, columns: Ints) -> dict[str, Any]:
    """Numbers as one typed array, and only the texts of p: the message of 60 systems stays below 300 kB."""
    data = np.stack([rows, columns, result.gains[rows, columns]], axis=1).astype(np.float32)
    texts = []
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        p, counted = _p(result, row, column)
        texts.append(f"{p}, {counted.removeprefix(MONTE_CARLO)}; {_statement(result.written_p(row, column))}")
    gain = f"gain %{{customdata[2]:+.{result.setup.decimals}f}}"
    hover = f"%{{y}}<br>against %{{x}}<br>{gain}<br>p, Monte Carlo; adjusted p:<br>%{{text}}<extra></extra>"
    return {"customdata": data, "text": texts, "hovertemplate": hover}


ALONE = "one system: no pairs to compare"


def cells(result: MatrixResult, alpha: float, theme: Theme = "light", compact: bool = False) -> dict[str, Any]:
    """The coloured grid, systems sorted by score, as in `matrix.grid`: what assets/grid.js draws.

    Names and details are literal texts. A cell holds its positions in `result.systems`, its colours, its words (a gain
    where there is space, and a symbol), its details, and whether it is hatched. `lines` are the ranks below which a line
    is drawn.
    """
    order, space, colours = result.order, figure.space_of(result, compact), palette(theme)
    levels = result.levels(alpha)[np.ix_(order, order)].astype(np.float64)
    levels[np.isnan(result.adjusted[np.ix_(order, order)])] = np.nan
    hatched = result.undecided(alpha)[np.ix_(order, order)] & ~np.isnan(levels)
    lines = figure.edges(result, alpha)
    rows, columns = figure.names_of(result, space)
    return {
        "heading": _heading(result, alpha, levels, hatched, bool(lines), compact),
        "key": _key(result, alpha, theme, compact) if len(order) > 1 and not result.setup.no_verdict(alpha) else [],
        "columns": columns,
        "rows": [
            {
                "name": name,
                "score": "" if compact else minus(format_score(float(result.scores[i]), result.setup.decimals)),
                "cells": _row(result, alpha, theme, space, (row, levels[row], hatched[row])),
            }
            for row, (name, i) in enumerate(zip(rows, order, strict=True))
        ],
        "lines": lines,
        "height": space.cell,
        "size": NORMAL if len(order) <= 20 else SMALL,
        "ink": colours.ink,
        "muted": colours.muted,
        "alt": figure.alt_text(result, alpha),
    }


def _heading(result: MatrixResult, alpha: float, levels: Floats, hatched: Bools, lines: bool, compact: bool) -> str:
    """The heading of the key: what the cells mean, and what the marks on them mean."""
    if len(levels) < 2:
        return ALONE
    marks = {UNDECIDED: hatched.any(), LINES: lines}
    parts = [meaning(result, alpha), *(words for words, shows in marks.items() if shows and not compact)]
    unknown = np.isnan(levels) & ~np.eye(len(levels), dtype=bool)
    return " · ".join([*parts, figure.UNKNOWN] if unknown.any() else parts)


def _key(result: MatrixResult, alpha: float, theme: Theme, compact: bool) -> list[dict[str, Any]]:
    """One field for each verdict that the numbers can reach, from worse to better: its colour and the lines below it."""
    possible = classes(result, alpha)
    words = key_words(possible, alpha, compact)
    return [
        {"back": palette(theme).verdict(level), "lines": text.split("<br>")}
        for level, text in zip(possible, words, strict=True)
    ]


def _row(
    result: MatrixResult, alpha: float, theme: Theme, space: figure.Space, shown: tuple[int, Floats, Bools]
) -> list[dict[str, Any]]:
    """The cells of one row: its rank, its verdicts, and which of them are hatched."""
    row, levels, hatched = shown
    i, out = result.order[row], []
    for column, j in enumerate(result.order):
        if row == column:
            out.append({"details": about_system(result, i)})
            continue
        known = not np.isnan(levels[column])
        words = figure.written(result, i, j, levels[column], space.gains) if space.symbols and known else ""
        if result.setup.no_verdict(alpha):
            words = ""
        cell: dict[str, Any] = {
            "pair": [i, j],
            "words": "?" if not known else words,
            "details": about_pair(result, i, j, int(levels[column]) if known else 0, alpha),
        }
        if known:
            back = palette(theme).verdict(int(levels[column]))
            cell |= {"back": back, "ink": _ink(back)}
        if hatched[column]:
            cell["hatched"] = True
        out.append(cell)
    return out


def _ink(back: str) -> str:
    """Black or white: what can be read better on this colour (the contrast of WCAG 2, at least 4.5 for one of them)."""
    parts = np.array([int(back[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    light = float(linear @ (0.2126, 0.7152, 0.0722)) + 0.05
    return "#000000" if light / 0.05 > 1.05 / light else "#FFFFFF"
