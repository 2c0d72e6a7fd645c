"""The head of the first page: what Sigboard is in one sentence, and the drop zone that turns the page into the visitor's."""

from __future__ import annotations

import streamlit as st

from sigboard.ui import page
from sigboard.ui.pages import data_load
from sigboard.ui.session import Visit
from sigcore import formatting

CLAIM = "Is the difference real?"
WHAT = (
    "Drop a reference and the outputs of your systems: Sigboard tests whether one is better than another, or was only lucky "
    "on this test set."
)
SAMPLE = "**Shown now: a sample with invented systems.**"


def head(visit: Visit) -> bool:
    """The claim and the drop zone, as long as a sample or nothing is loaded; after that, what could not be read.

    Returns whether the claim was drawn.
    """
    collection = visit.collection
    if collection.items and not collection.sample:
        _unread(visit)
        return False
    st.title(CLAIM, anchor=False)
    words, drop = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with words:
        st.markdown(f"{WHAT} {SAMPLE}" if collection.sample else WHAT)
    with drop:
        data_load.drop_zone(collection, short=True)
    return True


def _unread(visit: Visit) -> None:
    """How many of the dropped files could not be read, with the way to the page that says why."""
    number = len(visit.collection.problems)
    if number:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(
                f"{formatting.count(number, 'file')} could not be read: {page.literal(str(visit.collection.problems[0].what))}",
                icon=":material/warning:",
            )
            st.page_link("pages/data.py", label="Look closer", icon=":material/upload_file:", width="content")
