"""Two boxes for choosing a pair, and clicks on figures that open the compare page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Literal, get_args

import streamlit as st

from sigboard.shell import session
from sigcore import PLANNED, Family
from sigcore.formatting import count
from sigcore.types import Comparisons

# Where the pair of the compare page came from: the family of its p-value, in the address of the page.

# The grid of all pairs with its correction, the scatter of all pairs without one, or this pair alone.
Source = Literal["planned", "grid", "gain"]
SOURCES: tuple[Source, ...] = get_args(Source)

PARAMETER = "family"  # in the address; a link without it has the usual family
MANY = 3  # systems; from here on the app offers a pair among several, so only a person can say that it was planned
CONTROL = "sigboard.family"
DECLARED = "declared"  # in the address: "late" where a pair was declared planned after its scores were shown

HELP = (
    "One of the grid's pairs: p is corrected as on the matrix page, and the verdict is on the adjusted p. With more than "
    "two systems this is so until you say otherwise. A single planned comparison: you chose this pair before any score "
    "was known. A pair that was picked because of its score or its p is not a planned comparison. Where its scores have "
    "been shown in this visit already, the verdict says so. To plan before, load the files on the data page, and choose the "
    "pairs in the sidebar there."
)


def to(page: str, source: Source) -> None:
    """Open the page, with the family in its address.

    The settings of the sidebar return to the address when they are drawn. (Without parameters, Streamlit refuses to
    leave a page whose address has a setting.)
    """
    st.switch_page(page, query_params={PARAMETER: source})


def given() -> Source | None:
    """The family in the address; None if it names none."""
    name = st.query_params.get(PARAMETER)
    return next((source for source in SOURCES if source == name), None)


def usual(systems: int) -> Source:
    """The family of a pair that nobody declared planned: the grid, or the pair alone where there is no other."""
    return "grid" if systems >= MANY else "planned"


def choose(systems: int, family: Comparisons) -> Source:
    """The control with which the family is chosen; its state is in the address. `family` is that of the grid."""
    current = given() or usual(systems)
    labels = _labels(systems, family)
    offered = [source for source in SOURCES if source != "gain" or current == "gain"]
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
    st.query_params.pop(DECLARED, None)
    if st.session_state[CONTROL] == "planned" and session.scores_shown():
        st.query_params[DECLARED] = "late"


def planned() -> Family:
    """The family of a pair that was declared planned: before its scores were shown, or after."""
    return replace(PLANNED, late=st.query_params.get(DECLARED) == "late")


def _labels(systems: int, family: Comparisons) -> dict[Source, str]:
    pairs = count(systems * (systems - 1) // 2, "pair")
    grid = f"the grid's {pairs}"
    of = {"one baseline": f"the {count(systems - 1, 'system')} against {family.baseline}"}
    of["chosen pairs"] = count(len(family.pairs), "chosen pair")
    return {
        "planned": "a single planned comparison",
        "grid": f"one of {of.get(family.kind, grid)}",
        "gain": f"one of {pairs} shown on Gain, uncorrected",
    }


COMPARE = "pages/compare.py"
OFFERED = "sigboard.offered"
KEYS = ("system", "baseline")


def offer(systems: Sequence[str], first: Sequence[str] = ()) -> None:
    """Set the systems that can be chosen, those of `first` before the others, and drop a choice that is no longer available.

    The first two are the pair until another is chosen, so every page should put the best systems first: a pair that was
    shown, but not chosen, is not in the address, and another page does not know it.
    """
    known = [name for name in first if name in systems]
    st.session_state[OFFERED] = [*known, *(name for name in systems if name not in known)]
    for key in KEYS:
        if key in st.session_state and st.session_state[key] not in systems:
            del st.session_state[key]


def named() -> bool:
    """Whether the address names both systems of the pair, so that no usual pair has to be looked for."""
    return all(key in st.query_params for key in KEYS)


def pair(horizontal: bool = False) -> tuple[str, str]:
    """Two boxes: the system, and the baseline it is compared with; one below the other where the caller sets no row."""
    names: list[str] = st.session_state[OFFERED]
    places = st.columns(2) if horizontal else [nullcontext(), nullcontext()]
    for k, key in enumerate(KEYS):
        # set, not only offered: after a drop on this page the browser would still show the former pair
        if key not in st.session_state and st.query_params.get(key) not in names:
            st.session_state[key] = names[min(k, len(names) - 1)]
    with places[0]:
        system = st.selectbox("system", names, index=0, key="system", bind="query-params")
    with places[1]:
        baseline = st.selectbox("baseline", names, index=min(1, len(names) - 1), key="baseline", bind="query-params")
    return str(system), str(baseline)


def go() -> None:
    """The button that opens the compare page with the chosen pair."""
    if st.button("Compare", type="primary", icon=":material/balance:"):
        to(COMPARE, "grid")


def _open(system: str, baseline: str, source: Source) -> None:
    st.session_state["system"], st.session_state["baseline"] = system, baseline
    to(COMPARE, source)


def clicked(
    read: Callable[[Sequence[Any]], tuple[int, int] | None], systems: Sequence[str], key: str
) -> Callable[[], None]:
    """A callback that opens the pair of the cell of a chart that was clicked."""
    return opened(lambda: read(st.session_state[key]["selection"]["points"]), systems)


def opened(read: Callable[[], tuple[int, int] | None], systems: Sequence[str]) -> Callable[[], None]:
    """A callback that opens the pair at the positions that `read` gives, if there are any."""

    def open_cell() -> None:
        cell = read()
        if cell is not None and max(cell) < len(systems):
            _open(systems[cell[0]], systems[cell[1]], "grid")

    return open_cell


def clicked_names(read: Callable[[Sequence[Any]], tuple[str, str] | None], key: str) -> Callable[[], None]:
    """A callback that opens the pair of the point that was clicked."""

    def open_point() -> None:
        names = read(st.session_state[key]["selection"]["points"])
        if names is not None:
            _open(*names, "gain")

    return open_point
