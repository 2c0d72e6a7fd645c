"""The groups of systems on the gain page: a table to edit, and a proposal that a person has to ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from sigboard.ui import session
from sigcore import Collection
from sigcore.studies import gain

PURPOSE = (
    "A group contains closely related systems, for example those of one team. Their outputs are often alike, so a smaller "
    "gain can be significant. A system without a group gives its pairs no class."
)
WHOLE = "The axis of gains ends at twice the end of the grey band, because all larger gains are significant."
CAUTION = "Names do not show who built a system: Online-A and Online-B are different vendors. Check every group."


def axes(scales: Mapping[Any, str], clipped: bool) -> tuple[Any, bool]:
    """The scale of the vertical axis, and whether the other one shows all gains; a choice only where it would not."""
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        scale = st.segmented_control(
            "vertical axis",
            list(scales),
            format_func=lambda name: scales[name],
            default=next(iter(scales)),
            required=True,
            key="vertical",
            bind="query-params",
            label_visibility="collapsed",
        )
        whole = clipped and st.toggle("all gains", key="whole", bind="query-params", help=WHOLE)
    return scale or next(iter(scales)), bool(whole)


def groups(visit: session.Visit) -> None:
    """A small table in which the group of every selected system can be edited; empty unless groups were given."""
    collection = visit.collection
    places = _places(collection)
    systems = [collection.items[place] for place in places]
    key = f"sigboard.groups.{collection.version}.{collection.kind, collection.testset, collection.measure}"
    st.data_editor(
        pd.DataFrame([{"system": item.name, "group": item.group} for item in systems]),
        key=key,
        hide_index=True,
        width="stretch",
        disabled=["system"],
        column_config={
            "system": st.column_config.TextColumn(width=110),
            "group": st.column_config.TextColumn(width=90),
        },
        on_change=_edit,
        args=(collection, key, places),
    )
    st.caption(PURPOSE)
    items = collection.edited()
    proposed = gain.propose_groups(items[place].name for place in places)
    fill = {place: proposed[items[place].name] for place in places}
    given = {place: items[place].group for place in places}
    if any(given.values()):
        st.button("Remove all groups", on_click=_fill, args=(collection, dict.fromkeys(places, "")), width="stretch")
    else:
        st.button("Propose groups from names", on_click=_fill, args=(collection, fill), width="stretch")
    if given == fill or not any(given.values()):
        st.caption(CAUTION)


def _places(collection: Collection) -> list[int]:
    """Where the systems of the selected test set are among the items."""
    selected = (collection.kind, collection.testset, collection.measure)
    return [
        place
        for place, item in enumerate(collection.items)
        if item.role == "system" and (item.kind, item.testset or collection.testset, item.measure) == selected
    ]


def _edit(collection: Collection, key: str, places: list[int]) -> None:
    edited: dict[int, dict[str, Any]] = st.session_state[key]["edited_rows"]
    collection.edit({places[int(row)]: change for row, change in edited.items()})


def _fill(collection: Collection, of: dict[int, str]) -> None:
    collection.settle()
    collection.edit({place: {"group": group} for place, group in of.items()})
    collection.settle()
