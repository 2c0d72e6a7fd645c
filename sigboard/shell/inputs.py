"""What a page computes with: the loaded test set, or the reason why there is nothing to compute, or an invitation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NoReturn

import streamlit as st

from sigboard.shell import drop, session
from sigcore import Collection, Missing, SigError, data, readers

FILES = "Open the page Files."
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
        # because of which other systems were left out
        for first in [one for one in loaded.of("error") if one.answer][:1]:
            raise SigError(first.what, first.where, f"{first.fix} {FILES}".strip())
        raise SigError(
            f"There is only one system: {found.outputs[0].system}.",
            "",
            "Add another system's output on the page Files.",
        )
    return found


def invite(
    visit: session.Visit,
    needs: str,
    icon: str = ":material/upload_file:",
    label: str = "Load your files",
    samples: Sequence[str] = (),
) -> NoReturn:
    """Say what the page needs, with the way to the page Files and the `samples` that open here, and stop the script."""
    st.info(needs, icon=icon)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link("pages/data.py", label=label, icon=":material/upload_file:", width="content")
        sample_buttons(visit, samples)
    st.stop()


def sample_buttons(visit: session.Visit, names: Sequence[str]) -> None:
    """A button for each of these samples, which takes the place of what is loaded."""
    for name in names:
        title = f"Load the sample {name.replace('-', ' ')}"
        st.button(title, on_click=visit.collection.add_sample, args=(name,), icon=":material/dataset:")


def _invite(visit: session.Visit) -> None:
    """Show what to load, and stop the script."""
    if visit.collection.preferences:
        st.info("Pairwise judgments are loaded, but no system outputs or scores.", icon=":material/thumbs_up_down:")
        st.page_link("pages/pairwise.py", label="Which system wins more often?", icon=":material/thumbs_up_down:")
        st.stop()
    if visit.collection.ratings:
        _offer_means(visit.collection)
    if visit.collection.problems:
        st.markdown("## These files could not be read yet.")
        drop.problems(visit.collection)
        st.page_link("pages/data.py", label="Load other files", icon=":material/upload_file:")
        st.stop()
    st.info(
        "Nothing is loaded yet. This page needs a reference and the outputs of two or more systems, or files of scores.",
        icon=":material/upload_file:",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link("pages/data.py", label="Load your files", icon=":material/upload_file:", width="content")
        sample_buttons(visit, readers.sample_names())
    st.stop()


def _offer_means(collection: Collection) -> NoReturn:
    """Say that ratings are loaded, with the click that tests their means, as the commands do at once, and stop the script."""
    st.info("Ratings by people are loaded, but no system outputs or scores.", icon=":material/groups:")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Test the mean rating of each segment",
            type="primary",
            on_click=lambda: collection.add_intake(data.as_scores(collection.ratings)),
        )
        st.page_link("pages/human.py", label="What do people conclude?", icon=":material/groups:")
    st.stop()


Selection = Literal["testset", "kind", "measure", "missing"]
Width = int | Literal["stretch"]
MISSING = {
    "refuse": "leave the system out",
    "drop": "leave the segment out for all systems",
    "zero": "count as 0 (a failure)",
}
# of questions that a run does not have
UNANSWERED = {"refuse": "count as 0 (trec_eval -c)", "drop": "leave the question out for all systems"}
KINDS = {
    "text": "text", "scores": "scores", "trees": "dependency trees", "alignments": "word alignments",
    "brackets": "constituency trees", "spans": "entities", "rankings": "rankings", "statistics": "statistics",
}  # fmt: skip


def choose_test_set(collection: Collection) -> None:
    """The same choice at the top of the sidebar, on every page."""
    with st.sidebar:
        switches(collection, "sidebar", "stretch")


def switches(collection: Collection, place: str, width: Width) -> None:
    """A box for test set, kind and measure, each only if there are several."""
    available = collection.choices
    if len(available.testsets) > 1:
        choice(collection, "testset", "test set", available.testsets, place, width)
    if len(available.kinds) > 1:
        choice(collection, "kind", "kind of data", available.kinds, place, width)
    if len(available.measures) > 1:
        choice(collection, "measure", "measure", available.measures, place, width)


def choice(collection: Collection, of: Selection, label: str, names: Sequence[str], place: str, width: Width) -> None:
    key = f"sigboard.{place}.{of}.{collection.version}"
    now = getattr(collection, of)
    words = KINDS | (UNANSWERED if collection.kind == "rankings" else MISSING)
    # the collection owns the choice: another widget may have changed it since this one was drawn
    st.session_state[key] = now if now in names else names[0]
    st.selectbox(
        label,
        names,
        key=key,
        format_func=lambda name: words.get(name, name) or "(no name)",
        on_change=_select,
        args=(collection, of, key),
        width=width,
    )


def _select(collection: Collection, of: Selection, key: str) -> None:
    collection.select(**{of: st.session_state[key]})
