"""Two boxes for choosing a pair, and clicks on figures that open the compare page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import streamlit as st

from sigboard.ui import origin
from sigboard.ui.origin import Origin

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
        origin.to(COMPARE, "grid")


def _open(system: str, baseline: str, source: Origin) -> None:
    st.session_state["system"], st.session_state["baseline"] = system, baseline
    origin.to(COMPARE, source)


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
