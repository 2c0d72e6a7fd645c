"""The files as one list: what is used, what is set aside, what needs the user, with the fix as a button in the row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st

from sigboard.ui import page
from sigcore import Collection, SigError, data, formatting, readers

State = Literal["used", "set aside", "needs you"]
MARKS: dict[State, str] = {"used": "✓ used", "set aside": "– set aside", "needs you": "! needs you"}
COLOURS: dict[State, str] = {"used": "green", "set aside": "gray", "needs you": "red"}
MOST_ROWS = 20  # of the rows with buttons; the table has all files


def states(collection: Collection) -> list[State]:
    """Whether each item is used, set aside (by its role or the selection), or needs the user, in the order of the items."""
    outside = {id(item) for item in collection.left_out()}
    return [
        "set aside"
        if item.role == "ignored"
        else "needs you"
        if id(item) in outside
        else "used"
        if _is_selected(collection, item)
        else "set aside"
        for item in collection.edited()
    ]


def _is_selected(collection: Collection, item: readers.Item) -> bool:
    """Whether the item belongs to the selected test set, kind and measure; numbers may be labels of text."""
    if item.testset not in ("", collection.testset):
        return False
    if item.role in (*readers.SHARED, "source"):
        return True
    alike = item.kind == collection.kind or (item.kind, collection.kind) == ("scores", "text")
    return alike and (item.role != "system" or item.measure == collection.measure)


def files(collection: Collection) -> None:
    """The list: how many files are in each state, the rows that need the user, those set aside, and all in a table."""
    if not collection.items:
        return
    st.header("Files", anchor=False)
    known = states(collection)
    counts = {state: known.count(state) for state in MARKS}
    st.markdown(" ".join(f":{COLOURS[state]}-badge[{counts[state]} {state}]" for state in MARKS if counts[state]))
    _needing(collection, known)
    _aside(collection, known)
    _table(collection, known)


def _needing(collection: Collection, known: Sequence[State]) -> None:
    """What is wrong with each file that could not be used, and the button that leaves it out."""
    items = collection.edited()
    places = [place for place, state in enumerate(known) if state == "needs you"]
    for place in places[:MOST_ROWS]:
        item, finding = items[place], cause(collection, items[place])
        with st.container(horizontal=True, vertical_alignment="center"):
            if finding is None:
                page.show(SigError(f"{item.name} could not be used.", item.file, "Change its role in the table below."))
            else:
                page.show(SigError(finding.what, finding.where, finding.fix))
            st.button(
                "Leave it out",
                key=f"sigboard.out.{collection.version}.{place}",
                on_click=_give_role,
                args=(collection, [place], "ignored"),
                icon=":material/visibility_off:",
            )
    if len(places) > 1:
        st.button(
            f"Leave all {len(places)} out",
            on_click=_give_role,
            args=(collection, places, "ignored"),
            icon=":material/visibility_off:",
        )


def cause(collection: Collection, item: readers.Item) -> data.Finding | None:
    """The error because of which the item could not be used."""
    errors = [finding for finding in collection.loaded().of("error") if item.file in finding.where]
    return next((finding for finding in errors if finding.what.startswith(item.name)), None)


def _aside(collection: Collection, known: Sequence[State]) -> None:
    """The files that are set aside because they contain no outputs; a button uses one anyway."""
    items = collection.edited()
    places = [place for place, item in enumerate(items) if item.role == "ignored"]
    if not places:
        return
    number = formatting.count(len({items[place].file for place in places}), "file")
    verb = "is" if number.startswith("1 ") else "are"
    with st.expander(f"{number} {verb} set aside: no outputs, or left out by you", icon=":material/inventory_2:"):
        for place in places[:MOST_ROWS]:
            item = items[place]
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f":gray[{page.literal(item.file)}: {page.literal(item.note)}]")
                st.button(
                    "Use anyway",
                    key=f"sigboard.use.{collection.version}.{place}",
                    on_click=_give_role,
                    args=(collection, [place], "system"),
                    help=f"{page.literal(item.name)} becomes a system.",
                )
        if len(places) > MOST_ROWS:
            st.caption(f"{len(places) - MOST_ROWS} more are in the table: change their role there.")


def _give_role(collection: Collection, places: Sequence[int], role: str) -> None:
    changes = {place: dict(edit) for place, edit in collection.edits.items()}
    for place in places:
        changes.setdefault(place, {})["role"] = role
    collection.edit(changes)
    collection.settle()


def _table(collection: Collection, known: Sequence[State]) -> None:
    """All files with their state and what each was detected as; name, role and group can be edited."""
    key = f"sigboard.files.{collection.version}"
    several = len(collection.choices.testsets) > 0
    # by the roles before any edit in this table, so that no row moves while it is edited
    places = sorted(range(len(collection.items)), key=lambda place: collection.items[place].role == "ignored")
    rows = [
        {
            "state": MARKS[known[place]],
            "name": i.name,
            "role": i.role,
            "group": i.group,
            **({"test set": i.testset} if several else {}),
            "segments": len(i.segments),
            "detected as": i.note,
            "file": i.file,
        }
        for place in places
        for i in (collection.items[place],)
    ]
    st.data_editor(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        width="stretch",
        disabled=["state", "segments", "detected as", "file"],
        on_change=_edit,
        args=(collection, key, places),
        alt="The files: state, name, role, group, number of segments, and what each was detected as.",
        column_config={
            "state": st.column_config.TextColumn("state", width="small"),
            "name": st.column_config.TextColumn("name", required=True, help="The name of the system on all pages."),
            "role": st.column_config.SelectboxColumn("role", options=list(readers.ROLES), required=True),
            "group": st.column_config.TextColumn(
                "group", help="Systems in one group are closely related (used on the gain page)."
            ),
            "test set": st.column_config.TextColumn("test set", help="Empty: used with the selected test set."),
        },
    )
    st.caption("Names, roles and groups can be edited in this table. The role ignored leaves a file out.")


def _edit(collection: Collection, key: str, places: Sequence[int]) -> None:
    edited: dict[int, dict[str, Any]] = st.session_state[key]["edited_rows"]
    collection.edit({places[int(row)]: change for row, change in edited.items()})
