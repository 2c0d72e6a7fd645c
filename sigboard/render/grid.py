"""The pairwise grid as a table of plain values, which the browser draws at once, without Plotly; and what fits into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigboard.render.style import NORMAL, SMALL, Theme, escape, minus, palette
from sigcore import MatrixResult
from sigcore.formatting import (
    NO_VERDICT,
    SYMBOLS,
    format_interval,
    format_level,
    format_p_interval,
    format_score,
    shorten,
    shorten_all,
    thresholds,
)
from sigcore.results import Cell, Grid, out_of_reach
from sigcore.types import Row

UNKNOWN = "? = no p-value"
CLICK_LIMIT = 80  # systems up to which cells respond to clicks and labels are shown
DRAWN_LIMIT = 300  # systems up to which a cell has its hover text, and marks can be seen on it
NAME_LIMIT = 20  # characters of a name on an axis
PHONE = 374  # pixels available on a narrow screen
GRID_HEIGHT = 396  # pixels for the cells of a small grid: with the head of the page, they fit a laptop screen
CELL_RANGE = (14, 46)  # pixels
LEAST_WIDTH = 480  # pixels of all cells on a small laptop beside the sidebar; on wider screens they are wider
LETTER = 7  # pixels of a letter of a name
GAINS_LIMIT = 8  # systems up to which a cell has space for its gain
TEXT_LIMIT = 30  # systems up to which a cell has space for its symbol and its own hover text
MONTE_CARLO = "Monte Carlo "
ALONE = "one system: no pairs to compare"
UNDECIDED = "hatched: more resamples could change the verdict"
BORDERLINE = "hatched: borderline, alpha is in the interval of p"
LINES = "line: every system above it is better than every system below it"


@dataclass(frozen=True)
class Space:
    """What fits: pixels of a cell, characters of a name; whether cells have symbols, and gains; whether axes have labels,
    and columns names (or else ranks)."""

    cell: int
    letters: int
    symbols: bool
    gains: bool
    labels: bool
    names: bool
    compact: bool


def space_of(names: Sequence[str], compact: bool) -> Space:
    """What fits into the grid of these systems, or into its narrow form."""
    count = len(names)
    cell = int(np.clip(GRID_HEIGHT / max(count, 1), *CELL_RANGE)) if count <= CLICK_LIMIT else max(900 // count, 2)
    if not compact:
        longest = max((len(shorten(name, NAME_LIMIT)) for name in names), default=0)
        fits = longest * LETTER * count <= LEAST_WIDTH
        symbols, labels = count <= TEXT_LIMIT, count <= CLICK_LIMIT
        return Space(cell, NAME_LIMIT, symbols, count <= GAINS_LIMIT, labels, fits, False)
    cell = min(cell, (PHONE - (120 if count <= 22 else 0)) // max(count, 1))
    return Space(max(cell, 1), 12, count <= 12, False, count <= 22, False, True)


def names_of(systems: Sequence[str], space: Space) -> tuple[list[str], list[str]]:
    """The names of rows and columns; where they are too long for the columns, these have ranks, and rows both."""
    names = shorten_all(systems, space.letters)
    if space.names:
        return names, names
    ranks = [str(k + 1) for k in range(len(names))]
    return [f"{rank} {name}" for rank, name in zip(ranks, names, strict=True)], ranks


def has_details(result: MatrixResult) -> bool:
    """Whether cells have space for words, and their details are sent as text (`cells`)."""
    return len(result.systems) <= TEXT_LIMIT


# The colour key of a grid: one field per verdict that its numbers can reach, above the cells.


def heading(shown: Grid, compact: bool) -> list[str]:
    """The heading of the key: what the colours mean, and what the marks on the cells mean."""
    setup = shown.setup
    adjusted = "" if setup.correction == "none" else f" ({setup.correction_title})"
    meaning = f"Row against column, p{adjusted}" + (f": {NO_VERDICT}" if shown.no_verdict else "")
    open_ = shown.undecided & (len(shown.names) <= DRAWN_LIMIT)
    borderline = shown.result.borderline(shown.alpha)[np.ix_(shown.order, shown.order)]
    borders = bool(open_.any()) and bool(borderline[open_].all())
    marks = {BORDERLINE if borders else UNDECIDED: bool(open_.any()), LINES: bool(shown.lines)}
    drawn = [words for words, shows in marks.items() if shows and not compact]
    if not compact and not shown.no_verdict and (least := out_of_reach(shown.result)):
        drawn.append(least[0].lower() + least[1:])
    return [meaning, *drawn, *([UNKNOWN] if shown.unknown else [])]


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


# The details of the cells of a grid.


def about_system(cell: Cell) -> str:
    """The details of a cell of the diagonal: the score of the system with its interval."""
    result, i = cell.result, cell.row
    low, high = (float(end) for end in result.score_intervals[i])
    score = format_score(float(result.scores[i]), result.setup.decimals)
    interval = minus(format_interval((low, high), result.setup.decimals))
    return (
        f"<b>{escape(result.systems[i])}</b> {score} {escape(result.setup.metric_title)}, "
        f"{format_level(result.setup.level)} interval {interval}"
    )


def about_pair(cell: Cell) -> str:
    """The details of a cell, as lines of text: both scores, the gain with its verdict, p and adjusted p."""
    setup = cell.setup
    first, second = (format_score(float(cell.result.scores[i]), setup.decimals) for i in (cell.row, cell.column))
    p, counted = p_of(cell)
    lines = [
        f"<b>{escape(cell.system)}</b> {first}",
        f"against <b>{escape(cell.baseline)}</b> {second}",
        f"gain {minus(cell.gain)} {escape(setup.metric_title)}: {cell.word}",
        *([f"p {p}, {counted}"] if cell.asked else []),
    ]
    if cell.asked and setup.correction != "none":
        lines.append(f"adjusted ({escape(setup.correction_title)}) p {statement(cell.adjusted)}")
    return "<br>".join(lines)


def p_of(cell: Cell) -> tuple[str, str]:
    """p of a cell as the end of a statement ("= 0.034"), and its Monte Carlo interval."""
    drawn, result = 0 if cell.setup.exact else cell.setup.resamples, cell.result
    interval = format_p_interval((float(cell.of(result.p_low)), float(cell.of(result.p_high))), drawn)
    return statement(cell.p), f"{MONTE_CARLO}{interval}" if drawn else interval


def statement(p: str) -> str:
    """A written p after the letter: "= 0.034", "< 0.00037"."""
    return escape(p) if p.startswith("<") else f"= {p}"


def cells(result: MatrixResult, alpha: float, theme: Theme = "light", compact: bool = False) -> Row:
    """The coloured grid, systems sorted by score, as in the figure of the page: what assets/grid.js draws.

    Names and details are literal texts. A cell holds its positions in `result.systems`, its colours, its words (a gain
    where there is space, and a symbol), its details, and whether it is hatched. `lines` are the ranks below which a line
    is drawn.
    """
    shown, colours = Grid.of(result, alpha), palette(theme)
    count, space = len(shown.cells), space_of(shown.names, compact)
    rows, columns = names_of(shown.names, space)
    return {
        "heading": " · ".join(heading(shown, compact)) if count > 1 else ALONE,
        "key": _key(shown, theme, compact) if count > 1 and not shown.no_verdict else [],
        "columns": columns,
        "rows": [
            {
                "name": name,
                "score": "" if compact else minus(score),
                "cells": [_cell(cell, theme, space) for cell in line],
            }
            for name, score, line in zip(rows, shown.scores, shown.cells, strict=True)
        ],
        "lines": list(shown.lines),
        "height": space.cell,
        "size": NORMAL if count <= 20 else SMALL,
        "ink": colours.ink,
        "muted": colours.muted,
        "alt": shown.alt,
    }


def _key(shown: Grid, theme: Theme, compact: bool) -> list[Row]:
    """One field for each verdict that the numbers can reach, from worse to better: its colour and the lines below it."""
    words = key_words(shown.possible, shown.alpha, compact)
    return [
        {"back": palette(theme).verdict(level), "lines": text.split("<br>")}
        for level, text in zip(shown.possible, words, strict=True)
    ]


def _cell(cell: Cell, theme: Theme, space: Space) -> Row:
    if cell.row == cell.column:
        return {"details": about_system(cell)}
    pair, details = [cell.row, cell.column], about_pair(cell)
    if cell.level is None:
        return {"pair": pair, "words": "?" if cell.asked else "", "details": details}
    back = palette(theme).verdict(cell.level)
    words = _words(cell, space.gains) if space.symbols and cell.symbol else ""
    drawn: Row = {"pair": pair, "words": words, "details": details, "back": back, "ink": _ink(back)}
    return drawn | {"hatched": True} if cell.undecided else drawn


def _words(cell: Cell, with_gain: bool) -> str:
    """The words in a cell: the symbol of the verdict, and the gain above it where that is asked."""
    symbol = minus(cell.symbol).replace(".", "·")
    return f"{minus(cell.gain)}<br>{symbol}" if with_gain else symbol


def _ink(back: str) -> str:
    """Black or white: what can be read better on this colour (the contrast of WCAG 2, at least 4.5 for one of them)."""
    parts = np.array([int(back[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    light = float(linear @ (0.2126, 0.7152, 0.0722)) + 0.05
    return "#000000" if light / 0.05 > 1.05 / light else "#FFFFFF"
