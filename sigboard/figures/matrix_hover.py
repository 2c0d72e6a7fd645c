"""The details of the cells of a grid; over those of a large one invisible markers, for clicks and hover text."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.figures.style import (
    escape,
    format_gain,
    format_interval,
    format_level,
    format_p_interval,
    format_score,
    minus,
)
from sigcore import Ints, MatrixResult
from sigcore.formatting import verdict_word

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
