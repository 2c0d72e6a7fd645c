"""What a page computes with: the loaded test set, or the reason why there is nothing to compute, or an invitation."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from sigboard.shell import session
from sigcore import Missing, SigError, data, readers

FILES = "Open the data page."
KEEP: Missing = "keep"  # missing scores stay missing: each pair is compared on the documents that both systems have


def ready(visit: session.Visit, missing: Missing | None = None) -> None:
    """Stop the page, with the reason, unless two systems can be compared.

    `missing` overrides the user's choice for missing scores.

    Raises: SigError if files are loaded that cannot be compared.
    """
    sound(visit, 2, missing)


def sound(visit: session.Visit, least: int, missing: Missing | None = None) -> data.Ready:
    """The loaded test set.

    Raises: SigError if there is nothing to compute, with the reason.
    """
    if not visit.collection.items:
        _invite(visit)
    loaded = visit.collection.loaded(missing)
    found = loaded.ready
    if found is None:
        for first in loaded.of("error")[:1]:
            raise SigError(
                f"There is nothing to compare yet. {first.what}", first.where, f"{first.fix} {FILES}".strip()
            )
        raise SigError("There is nothing to compare yet.", "", FILES)
    if len(found.outputs) < least:
        raise SigError(
            f"There is only one system: {found.outputs[0].system}.",
            "",
            "Add another system's output on the data page.",
        )
    return found


def invite(needs: str, icon: str = ":material/upload_file:", label: str = "Load your files") -> NoReturn:
    """Say what the page needs, with the way to the data page, and stop the script."""
    st.info(needs, icon=icon)
    st.page_link("pages/data.py", label=label, icon=":material/upload_file:", width="content")
    st.stop()


def _invite(visit: session.Visit) -> None:
    """Show what to load, and stop the script."""
    if visit.collection.preferences:
        st.info("Pairwise judgments are loaded, but no system outputs or scores.", icon=":material/thumbs_up_down:")
        st.page_link("pages/pairwise.py", label="Which system is preferred?", icon=":material/thumbs_up_down:")
        st.stop()
    st.info(
        "Nothing is loaded yet. This page needs a reference and the outputs of two or more systems, or files of scores.",
        icon=":material/upload_file:",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link("pages/data.py", label="Load your files", icon=":material/upload_file:", width="content")
        for name in readers.sample_names():
            st.button(
                f"Load the sample {name.replace('-', ' ')}",
                on_click=visit.collection.add_sample,
                args=(name,),
                icon=":material/dataset:",
            )
    st.stop()
