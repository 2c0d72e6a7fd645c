"""A grid of all pairs as an HTML table, for notebooks: the colours and symbols of the figure, no script, no style sheet."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sigcore.formatting import NO_VERDICT, SYMBOLS, format_gain, format_score
from sigcore.verdicts import ALPHA, corrected, matrix_summary

if TYPE_CHECKING:
    from sigcore.results import MatrixResult

# Background and text colour, from the weakest to the strongest verdict (.05, .01, .001).
BETTER = (("#BBDCEF", "#262523"), ("#5DA9D6", "#262523"), ("#0072B2", "#FFFFFF"))
WORSE = (("#F8D6BE", "#262523"), ("#EA9A62", "#262523"), ("#D55E00", "#FFFFFF"))
NEUTRAL = ("#ECEAE6", "#262523")
CELL = "padding:4px 8px;text-align:center"


def grid(result: MatrixResult, alpha: float = ALPHA) -> str:
    """The grid, systems from best to worst: blue = the row is significantly better than the column, orange = worse."""
    levels, order, no_verdict = result.levels(alpha), result.order, result.setup.no_verdict(alpha)
    symbols = {} if no_verdict else SYMBOLS
    ranks = "".join(f'<th style="{CELL}">{rank}</th>' for rank in range(1, len(order) + 1))
    rows = [f"<tr><th></th><th>{html.escape(result.setup.metric_title)}</th>{ranks}</tr>"]
    for rank, i in enumerate(order, start=1):
        name = f'<th style="text-align:left">{rank} {html.escape(result.systems[i])}</th>'
        score = f'<td style="{CELL}">{format_score(float(result.scores[i]), result.setup.decimals)}</td>'
        rows.append(f"<tr>{name}{score}{''.join(_cell(result, i, j, int(levels[i, j]), symbols) for j in order)}</tr>")
    key = (
        f"Row against column, adjusted p ({corrected(result.setup)}), {result.setup.test_title}, {result.setup.side}. "
        f"Blue: the row is significantly better; orange: worse; grey: {NO_VERDICT if no_verdict else 'no significant difference'}."
    )
    summary = html.escape(matrix_summary(result, alpha))
    return f"<p>{summary}</p><table>{''.join(rows)}</table><p><small>{html.escape(key)}</small></p>"


def _cell(result: MatrixResult, i: int, j: int, level: int, symbols: Mapping[int, str]) -> str:
    if i == j:
        return "<td></td>"
    back, ink = NEUTRAL if level == 0 else (BETTER if level > 0 else WORSE)[abs(level) - 1]
    gain = format_gain(float(result.gains[i, j]), result.setup.decimals)
    text = "?" if math.isnan(result.adjusted[i, j]) else f"{result.written_p(i, j)} {symbols.get(level, '')}".strip()
    return f'<td style="{CELL};background:{back};color:{ink}" title="gain {gain}">{html.escape(text)}</td>'
