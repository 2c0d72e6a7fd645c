"""Two boxes for choosing a pair, clicks on figures that open the compare page, and the groups of systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from sigboard.ui import origin, session
from sigboard.ui.origin import Origin
from sigcore.studies import gain

COMPARE = "pages/compare.py"
OFFERED = "sigboard.offered"

# The browser draws the picture file itself: no server-side browser is needed.
CHART = {
    "displaylogo": False,
    "toImageButtonOptions": {"format": "svg", "filename": "sigboard"},
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
}


def offer(systems: Sequence[str]) -> None:
    """Set the systems that can be chosen, best first if known, and drop a choice that is no longer available."""
    st.session_state[OFFERED] = list(systems)
    for key in ("system", "baseline"):
        if key in st.session_state and st.session_state[key] not in systems:
            del st.session_state[key]


def suggest(best_first: Callable[[], Sequence[str]]) -> None:
    """Preselect the two best systems if their scores are known and neither the session nor the URL has a pair."""
    if any(key in st.session_state or key in st.query_params for key in ("system", "baseline")):
        return
    best = best_first()
    if best:
        # in the URL, so that a link shows others the same pair
        st.query_params["system"], st.query_params["baseline"] = best[0], best[1]
        st.rerun()


def pair(horizontal: bool = False) -> tuple[str, str]:
    """Two boxes: the system, and the baseline it is compared with."""
    names: list[str] = st.session_state[OFFERED]
    places = st.columns(2) if horizontal else [st.container(), st.container()]
    with places[0]:
        system = st.selectbox("system", names, index=0, key="system", bind="query-params")
    with places[1]:
        baseline = st.selectbox("baseline", names, index=min(1, len(names) - 1), key="baseline", bind="query-params")
    return str(system), str(baseline)


def go() -> None:
    """The button that opens the compare page with the chosen pair."""
    if st.button("Compare", type="primary", icon=":material/balance:", width="stretch"):
        origin.to(COMPARE, "grid")


def _open(system: str, baseline: str, source: Origin) -> None:
    st.session_state["system"], st.session_state["baseline"] = system, baseline
    origin.to(COMPARE, source)


def clicked(
    read: Callable[[Sequence[Any]], tuple[int, int] | None], systems: Sequence[str], key: str
) -> Callable[[], None]:
    """A callback that opens the pair of the cell that was clicked."""

    def open_cell() -> None:
        cell = read(st.session_state[key]["selection"]["points"])
        if cell is not None:
            _open(systems[cell[0]], systems[cell[1]], "grid")

    return open_cell


def clicked_names(read: Callable[[Sequence[Any]], tuple[str, str] | None], key: str) -> Callable[[], None]:
    """A callback that opens the pair of the point that was clicked."""

    def open_point() -> None:
        names = read(st.session_state[key]["selection"]["points"])
        if names is not None:
            _open(*names, "gain")

    return open_point


def groups(visit: session.Visit) -> None:
    """A small table in which the group of every selected system can be edited."""
    collection = visit.collection
    selected = (collection.kind, collection.testset, collection.measure)
    key = f"sigboard.groups.{collection.version}.{selected}"
    places = [
        place
        for place, item in enumerate(collection.items)
        if item.role == "system" and (item.kind, item.testset or collection.testset, item.measure) == selected
    ]
    systems = [collection.items[place] for place in places]
    rows = [{"system": item.name, "group": item.group or gain.default_group(item.name)} for item in systems]
    st.data_editor(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        width="stretch",
        disabled=["system"],
        column_config={
            "system": st.column_config.TextColumn(width=110),
            "group": st.column_config.TextColumn(width=90),
        },
        on_change=_edit_groups,
        args=(visit, key, places),
    )
    st.caption("Systems in one group are closely related. Gains between them are usually smaller.")


def _edit_groups(visit: session.Visit, key: str, places: list[int]) -> None:
    edited: dict[int, dict[str, Any]] = st.session_state[key]["edited_rows"]
    visit.collection.edit({places[int(row)]: change for row, change in edited.items()})
