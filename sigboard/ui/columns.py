"""Headings and number formats of tables on the screen; files use the plain column names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from sigcore.formatting import format_p, format_p_interval

MONTE_CARLO = "95 % Monte Carlo interval: for the p that infinitely many resamples would give."
EFFECT = "The variance when whole units are resampled, divided by the variance if segments were independent."

HEADINGS = {
    "rank": ("Rank", ""),
    "system": ("System", ""),
    "group": ("Group", ""),
    "score": ("Score", ""),
    "baseline": ("Baseline", "What the system is compared with."),
    "baseline_score": ("Baseline's score", ""),
    "pair_class": ("Pair class", ""),
    "chosen": ("Chosen", "The test and the side of the sidebar: the verdict above is that of this row."),
    "test": ("Test", ""),
    "alternative": ("Side", ""),
    "gain": ("Gain", "Positive: the system is better, for metrics where lower is better too."),
    "interval_low": ("Interval from", "Percentile interval of a bootstrap."),
    "interval_high": ("Interval to", "Percentile interval of a bootstrap."),
    "p_value": ("p", "Not corrected for the number of pairs."),
    "p_interval": ("Monte Carlo", MONTE_CARLO),
    "adjusted": ("Adjusted p", "p after the correction over all pairs."),
    "confidence": ("Confidence", "1 - p, uncorrected; not the probability that the gain is real."),
    "cutoff_low": ("Cut-off below", "Resamples on or below it count towards p. n/a: this tail is not counted."),
    "cutoff_high": ("Cut-off above", "Resamples on or above it count towards p. n/a: this tail is not counted."),
    "tail": ("Counted resamples", "Number of resamples on or beyond a cut-off."),
    "doubled": (
        "Doubled",
        "Whether p is twice the share of the counted resamples: for two sides, twice the smaller side.",
    ),
    "gain_low": ("Gain from", "Percentile interval of a bootstrap."),
    "gain_high": ("Gain to", "Percentile interval of a bootstrap."),
    "ties": ("On the cut-off", "Number of resamples exactly on a cut-off."),
    "resamples": ("Resamples", ""),
    "design_effect": ("Design effect", EFFECT),
    "verdict": ("Verdict", ""),
}

SCORES = (
    "score",
    "baseline_score",
    "gain_low",
    "gain_high",
    "interval_low",
    "interval_high",
    "cutoff_low",
    "cutoff_high",
)
FORMATS = {"confidence": "%.6g", "design_effect": "%.2f"}


def written(row: Mapping[str, Any], resamples: int) -> dict[str, Any]:
    """The row with its p-values as they are written everywhere; the two ends of the interval of p become one column.

    Texts of p in decimals are sorted as their numbers are.
    """
    cells: dict[str, Any] = {}
    drawn = int(row.get("resamples", resamples))
    for name, value in row.items():
        if name in ("p_value", "adjusted"):
            high = row.get(f"{name.removesuffix('_value')}_high", math.nan)
            cells[name] = format_p(value, drawn, high)
        elif name == "p_low":
            cells["p_interval"] = format_p_interval((value, row["p_high"]), drawn)
        elif name not in ("p_high", "adjusted_low", "adjusted_high"):
            cells[name] = value
    return cells


def configure(columns: Iterable[str], decimals: int | None = None) -> dict[str, Any]:
    """The column_config of those columns that have a heading; scores and gains use `decimals` if given."""
    configured: dict[str, Any] = {}
    for name in columns:
        if name in HEADINGS:
            label, help_text = HEADINGS[name]
            form = _format(name, decimals)
            kind: Any = st.column_config.NumberColumn if form else st.column_config.Column
            configured[name] = kind(label, help=help_text or None, **({"format": form} if form else {}))
    return configured


def _format(name: str, decimals: int | None) -> str:
    if decimals is not None and name in (*SCORES, "gain"):
        return f"%{'+' if name == 'gain' else ''}.{decimals}f"
    return FORMATS.get(name, "")
