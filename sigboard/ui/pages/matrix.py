"""Parts of the matrix page: the sentence and the line above the grid, the pair picker below it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from sigboard.ui import captions, live, pair_picker
from sigcore import MatrixResult, formatting

CHART = "sigboard.grid"
BLUE = "A blue cell: the system of the row beats that of the column, by more than chance explains at the level alpha."
POINT = f"{BLUE} Point at a cell for its numbers; click it to compare the pair."


def head(result: MatrixResult, alpha: float, details: bool) -> None:
    """The result in a sentence; beside it the panel with the details of a cell, where cells have them."""
    words, panel = st.columns([3, 2], gap="medium") if details else (st.container(), None)
    with words:
        captions.sentence(captions.matrix_summary(result, alpha))
    if panel is None:
        st.caption(BLUE)
        return
    with panel:
        live.details(CHART, POINT)


def line(result: MatrixResult, alpha: float) -> str:
    """What the sentence leaves out: the smallest significant gain, and whether more resamples could change a verdict."""
    setup = result.setup
    if setup.no_verdict(alpha) or len(result.systems) < 2:
        return formatting.format_draws(setup.resamples)
    real = np.abs(result.gains[np.triu(result.levels(alpha) != 0, k=1)])
    size = formatting.format_size(float(real.min()), setup.decimals) if len(real) else ""
    gain = f"Smallest significant gain {size} {setup.metric_title}" if size else "No gain is significant"
    if not setup.resamples:
        return f"{gain} · p is exact"
    undecided = int(np.triu(result.undecided(alpha), k=1).sum())
    need = "no pair needs more" if not undecided else f"{formatting.count(undecided, 'pair')} could need more (hatched)"
    least = max(setup.least_p, setup.least_by_units)
    possible = f" · smallest possible p {formatting.format_p(least, setup.resamples)}" if least else ""
    return f"{gain} · {formatting.format_draws(setup.resamples)}, {need}{possible}"


def picture(result: MatrixResult, alpha: float) -> str:
    """The grid as a picture for a paper or a talk: an SVG file."""
    from sigboard.reports.picture import grid
    from sigboard.reports.svg import svg_file

    return svg_file(grid(result, alpha))


def compare_a_pair() -> None:
    """Two boxes and a button: the way to the compare page without a click on the grid."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pair_picker.pair()
        pair_picker.go()
