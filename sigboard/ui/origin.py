"""Where the pair of the compare page came from: the family of its p-value, in the address of the page."""

from __future__ import annotations

from typing import Literal, get_args

import streamlit as st

from sigcore.formatting import count

# The grid of all pairs with its correction, the scatter of all pairs without one, or this pair alone.
Origin = Literal["planned", "grid", "gain"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)

PARAMETER = "family"  # in the address; a link without it is a single planned comparison
CONTROL = "sigboard.family"

HELP = (
    "A single planned comparison: this pair was chosen before any score was known. One of the grid's pairs: p is "
    "corrected as on the matrix page, and the verdict is on the adjusted p. A pair that was picked because of its "
    "score or its p is not a planned comparison."
)


def to(page: str, source: Origin) -> None:
    """Open the page, with the family in its address.

    The settings of the sidebar return to the address when they are drawn. (Without parameters, Streamlit refuses to
    leave a page whose address has a setting.)
    """
    st.switch_page(page, query_params={PARAMETER: source})


def given() -> Origin:
    """The family in the address."""
    name = st.query_params.get(PARAMETER, "planned")
    return next((source for source in ORIGINS if source == name), "planned")


def choose(systems: int) -> Origin:
    """The control with which the family is chosen; its state is in the address."""
    current = given()
    labels = _labels(systems)
    offered = [source for source in ORIGINS if source != "gain" or current == "gain"]
    # the address is the only state: a link, a click on a cell and the control cannot disagree
    st.session_state[CONTROL] = current
    st.radio(
        "This pair is",
        offered,
        format_func=lambda source: labels[source],
        key=CONTROL,
        on_change=_change,
        horizontal=True,
        help=HELP,
    )
    return current


def _change() -> None:
    st.query_params[PARAMETER] = str(st.session_state[CONTROL])


def _labels(systems: int) -> dict[Origin, str]:
    pairs = count(systems * (systems - 1) // 2, "pair")
    return {
        "planned": "a single planned comparison",
        "grid": f"one of the grid's {pairs}",
        "gain": f"one of {pairs} shown on Gain, uncorrected",
    }
