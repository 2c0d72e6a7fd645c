"""The other test sets that are loaded beside the selected one, for pages that compare several."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sigboard.ui import session
from sigcore import SigError

KEPT = "sigboard.test_sets"


def others(visit: session.Visit) -> tuple[str, ...]:
    """The names of the other test sets of the selected kind, as they first appear."""
    collection = visit.collection
    own = (item.testset for item in collection.edited() if item.role == "system" and item.kind == collection.kind)
    return tuple(dict.fromkeys(name for name in own if name and name != collection.testset))


def loaded(visit: session.Visit, name: str, least: int = 2) -> Any:
    """The test set of that name and its outputs, as if it were selected; the selection stays as it is.

    Raises: SigError if it has fewer than `least` systems that can be compared.
    """
    state = visit.collection.state
    kept: tuple[object, dict[str, Any]] = st.session_state.get(KEPT, ((), {}))
    if kept[0] != state:
        kept = st.session_state[KEPT] = (state, {})
    if name not in kept[1]:
        other = visit.collection.copy()
        other.select(testset=name)
        kept[1][name] = other.loaded()
    found = kept[1][name]
    if found.testset is None or len(found.outputs) < least:
        fix = "Select it on the data page: its errors are listed there."
        raise SigError(f"The test set {name} has fewer than {least} systems that can be compared.", "", fix)
    return found
