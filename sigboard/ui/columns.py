"""What the columns of a table are called on the screen, and how their numbers look; files keep the plain names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

MONTE_CARLO = "The 95 % Monte Carlo interval of p: what other draws might have given."
EFFECT = "How many times as much the number varies where whole units are drawn as if segments were independent."

WORDS = {
    "rank": ("Rank", ""),
    "system": ("System", ""),
    "group": ("Group", ""),
    "score": ("Score", ""),
    "baseline": ("Baseline", "What the system is compared with."),
    "baseline_score": ("Baseline's score", ""),
    "pair_class": ("Pair class", ""),
    "test": ("Test", ""),
    "alternative": ("Side", ""),
    "gain": ("Gain", "Positive: the system is better, for metrics where lower is better too."),
    "interval_low": ("Interval from", "Percentile interval of a bootstrap."),
    "interval_high": ("Interval to", "Percentile interval of a bootstrap."),
    "p_value": ("p", "Of this test alone."),
    "p_low": ("p from", MONTE_CARLO),
    "p_high": ("p to", MONTE_CARLO),
    "adjusted": ("p, corrected", "p after the correction over all pairs."),
    "confidence": ("Confidence", "1 - p, uncorrected."),
    "cutoff_low": ("Cut-off below", "Resamples at or below it count for p; None where that side does not count."),
    "cutoff_high": ("Cut-off above", "Resamples at or above it count for p; None where that side does not count."),
    "tail": ("Resamples that count", "How many lie at a cut-off or beyond it."),
    "ties": ("On the cut-off", "How many lie on the cut-off itself."),
    "resamples": ("Resamples", ""),
    "design_effect": ("Design effect", EFFECT),
    "verdict": ("Verdict", ""),
}

SCORES = ("score", "baseline_score", "interval_low", "interval_high", "cutoff_low", "cutoff_high")
# p has no fixed decimals: the smallest ones would read as zero
FORMATS = dict.fromkeys(("p_value", "p_low", "p_high", "adjusted"), "%.3g") | {
    "confidence": "%.6g",
    "design_effect": "%.2f",
}


def configure(columns: Iterable[str], decimals: int | None = None) -> dict[str, Any]:
    """The column_config of those columns that have a heading; scores and gains take the decimals, where told."""
    found: dict[str, Any] = {}
    for name in columns:
        if name in WORDS:
            label, help_text = WORDS[name]
            form = _format(name, decimals)
            kind: Any = st.column_config.NumberColumn if form else st.column_config.Column
            found[name] = kind(label, help=help_text or None, **({"format": form} if form else {}))
    return found


def _format(name: str, decimals: int | None) -> str:
    if decimals is not None and name in (*SCORES, "gain"):
        return f"%{'+' if name == 'gain' else ''}.{decimals}f"
    return FORMATS.get(name, "")
