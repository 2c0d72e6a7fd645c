"""The parts of the data page that load: drop zone, samples, known test sets, and files that could not be read."""

from __future__ import annotations

import streamlit as st

from sigboard.ui import jobs, page
from sigcore import Collection, SigError, readers


def name(collection: Collection) -> None:
    """What the test set is called on every page and in every file that is handed out."""
    if not collection.items or collection.sample:
        return
    key = f"sigboard.name.{collection.version}"
    st.text_input(
        "Name of the test set",
        collection.name,
        key=key,
        max_chars=80,
        placeholder="for example WMT22 cs-en",
        on_change=_rename,
        args=(collection, key),
    )


def _rename(collection: Collection, key: str) -> None:
    collection.name = str(st.session_state[key]).strip()


def drop_zone(collection: Collection) -> None:
    """The one drop zone; what is dropped is read at once, so the list below it stays empty."""
    st.file_uploader(
        "Drop files: references, system outputs, trees, alignments, scores, whole folders as .zip",
        accept_multiple_files=True,
        key=f"sigboard.drop.{collection.version}",
        on_change=_add,
        args=(collection,),
        help="Text with one segment per line in UTF-8, TSV, CSV, JSON lines, WMT XML and SGML, n-best lists, CoNLL-X/-U, "
        "word alignments, bracketed trees, scores per segment; gzipped or in a zip. Files whose name starts with ref are "
        "references, src are sources, all others systems; everything can be changed below.",
    )
    if not collection.sample:
        st.caption(
            "Your files stay in this server's memory only. Whoever has the address of this page can see them; "
            "Clear everything removes them."
        )


def _add(collection: Collection) -> None:
    dropped = st.session_state[f"sigboard.drop.{collection.version}"]
    if dropped:
        collection.add((file.name, file.getvalue()) for file in dropped)


def samples(collection: Collection) -> None:
    """Buttons for the samples, and one that clears everything."""
    st.markdown("**Or load a sample**")
    with st.container(horizontal=True):
        for name in readers.sample_names():
            title = name.replace("-", " ")
            st.button(title, on_click=collection.add_sample, args=(name,), icon=":material/dataset:")
        if collection.items or collection.ratings:
            st.button("Clear everything", on_click=collection.clear, icon=":material/delete:")


def known(collection: Collection) -> None:
    """A test set by its name, with the outputs that were published with it."""
    with st.expander("A test set by its name (WMT and others)", icon=":material/cloud_download:"):
        sets = readers.known_sets()
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.selectbox("test set", list(sets), key="sigboard.known.name", width=200)
            pair = st.selectbox("language pair", sets[name], key="sigboard.known.pair", width=160)
            if st.button("Fetch it", icon=":material/download:"):
                st.session_state["sigboard.known"] = (name, pair)
        st.caption(
            "Source, references and, from 2021 on, the outputs of the systems. What is not yet in this server's cache "
            "is fetched over the network; your own outputs can be added to it."
        )
        if "sigboard.known" in st.session_state:
            _fetch(collection, *st.session_state["sigboard.known"])


def _fetch(collection: Collection, name: str, pair: str) -> None:
    def work(job: jobs.Job) -> readers.Intake:
        job.report(f"looking for {name} {pair}", 0, 0)
        return readers.load_known(name, pair, job.report)

    # asked again only while it is on its way: an error, or a Cancel, must not close the rest of the page
    asked = st.session_state.pop("sigboard.known")
    with page.guard("data"):
        intake = jobs.result(f"known:{name}:{pair}", work, ends=False)
        if intake is None:
            st.session_state["sigboard.known"] = asked
            return
        collection.add_intake(intake)
        st.rerun()


def problems(collection: Collection) -> None:
    """Files that could not be read, all at once."""
    for problem in collection.problems:
        if isinstance(problem, SigError):
            page.show(problem)
    if collection.problems:
        st.button("Hide these", on_click=collection.dismiss, icon=":material/close:")
