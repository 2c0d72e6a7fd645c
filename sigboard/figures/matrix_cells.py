"""The pairwise grid as a table of plain values, which the browser draws at once, without Plotly."""

from __future__ import annotations

from typing import Any

import numpy as np

from sigboard.figures import matrix, matrix_key
from sigboard.figures.matrix_hover import about_pair, about_system
from sigboard.figures.style import (
    NORMAL,
    SMALL,
    Theme,
    format_score,
    minus,
    palette,
)
from sigcore import MatrixResult
from sigcore.types import Bools, Floats

ALONE = "one system: no pairs to compare"


def cells(result: MatrixResult, alpha: float, theme: Theme = "light", compact: bool = False) -> dict[str, Any]:
    """The coloured grid, systems sorted by score, as in `matrix.grid`: what assets/grid.js draws.

    Names and details are literal texts. A cell holds its positions in `result.systems`, its colours, its words (a gain
    where there is space, and a symbol), its details, and whether it is hatched. `lines` are the ranks below which a line
    is drawn.
    """
    order, space, colours = result.order, matrix.space_of(result, compact), palette(theme)
    levels = result.levels(alpha)[np.ix_(order, order)].astype(np.float64)
    levels[np.isnan(result.adjusted[np.ix_(order, order)])] = np.nan
    hatched = result.undecided(alpha)[np.ix_(order, order)] & ~np.isnan(levels)
    lines = matrix.edges(result, alpha)
    rows, columns = matrix.names_of(result, space)
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
        "alt": matrix.alt_text(result, alpha),
    }


def _heading(result: MatrixResult, alpha: float, levels: Floats, hatched: Bools, lines: bool, compact: bool) -> str:
    """The heading of the key: what the cells mean, and what the marks on them mean."""
    if len(levels) < 2:
        return ALONE
    marks = {matrix_key.UNDECIDED: hatched.any(), matrix_key.LINES: lines}
    parts = [matrix_key.meaning(result, alpha), *(words for words, shows in marks.items() if shows and not compact)]
    unknown = np.isnan(levels) & ~np.eye(len(levels), dtype=bool)
    return " · ".join([*parts, matrix.UNKNOWN] if unknown.any() else parts)


def _key(result: MatrixResult, alpha: float, theme: Theme, compact: bool) -> list[dict[str, Any]]:
    """One field for each verdict that the numbers can reach, from worse to better: its colour and the lines below it."""
    possible = matrix_key.classes(result, alpha)
    words = matrix_key.words(possible, alpha, compact)
    return [
        {"back": palette(theme).verdict(level), "lines": text.split("<br>")}
        for level, text in zip(possible, words, strict=True)
    ]


def _row(
    result: MatrixResult, alpha: float, theme: Theme, space: matrix.Space, shown: tuple[int, Floats, Bools]
) -> list[dict[str, Any]]:
    """The cells of one row: its rank, its verdicts, and which of them are hatched."""
    row, levels, hatched = shown
    i, out = result.order[row], []
    for column, j in enumerate(result.order):
        if row == column:
            out.append({"details": about_system(result, i)})
            continue
        known = not np.isnan(levels[column])
        words = matrix.written(result, i, j, levels[column], space.gains) if space.symbols and known else ""
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
