"""The parts of the data page that load: drop zone, samples, known test sets, and files that could not be read."""

from __future__ import annotations

import streamlit as st

from sigboard.ui import jobs, limits, page, session, uploads
from sigcore import Collection, SigError, readers


def name(collection: Collection) -> None:
    """The box for the name of the test set, which pages and downloaded files show."""
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


def drop_zone(collection: Collection, short: bool = False) -> None:
    """The one drop zone; what is dropped is read at once, so the list below it stays empty. `short`: with a short label."""
    every = "references, system outputs, scores, ratings, pairwise judgments, trees, alignments, a folder as .zip, or a project"
    key = f"sigboard.drop.{collection.version}"
    st.file_uploader(
        "Drop your files" if short else f"Drop files: {every}",
        accept_multiple_files=True,
        key=key,
        on_change=uploads.take,
        args=(collection, key),
        help="Plain text (UTF-8, one segment per line), TSV, CSV, JSON lines, WMT XML and SGML, n-best lists, CoNLL-X and "
        "CoNLL-U, word alignments, bracketed trees, scores and ratings; also gzipped or in a zip. A file whose name starts "
        "with ref is a reference, with src a source; other outputs are systems. Roles can be changed in the table of files. A "
        "project (.sigboard, saved on the page Report) takes the place of all that is loaded.",
    )
    if not collection.sample:
        st.caption(session.about_keeping())


def samples(collection: Collection) -> None:
    """Buttons for the samples, and one that clears everything."""
    st.markdown("**Or load a sample**")
    with st.container(horizontal=True):
        for name in readers.sample_names():
            title = name.replace("-", " ")
            st.button(title, on_click=collection.add_sample, args=(name,), icon=":material/dataset:")
        if collection.items or collection.ratings or collection.preferences:
            st.button("Clear everything", on_click=session.clear, icon=":material/delete:")


def known(collection: Collection) -> None:
    """A published test set, with the outputs that were published with it."""
    if not limits.DOWNLOADS.most:
        st.caption("Loading published test sets is off on this server. Download one, and drop its files here.")
        return
    with st.expander("Load a published test set (WMT and others)", icon=":material/cloud_download:"):
        sets = readers.known_sets()
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.selectbox("test set", list(sets), key="sigboard.known.name", width=200)
            pair = st.selectbox("language pair", sets[name], key="sigboard.known.pair", width=160)
            if st.button("Load", icon=":material/download:"):
                st.session_state["sigboard.known"] = (name, pair)
        st.caption(
            "Contains the source, the references and, from 2021 on, the outputs of the systems. A test set that is not in "
            "this server's cache is downloaded. You can add your own outputs."
        )
        if "sigboard.known" in st.session_state:
            _fetch(collection, *st.session_state["sigboard.known"])


def _fetch(collection: Collection, name: str, pair: str) -> None:
    before = collection.version

    def work(job: jobs.Job) -> readers.Intake:
        job.report(f"loading {name} {pair}", 0, 0)
        return readers.load_known(name, pair, job.report)

    waits = False
    with page.guard("data"):
        intake = jobs.result(f"known:{name}:{pair}", work, ends=False)
        waits = intake is None
        if not waits:
            collection.add_intake(intake)
    # Not before: where the job ends just now, the page begins again from above. An error or a cancellation must not
    # block the rest of the page.
    if not waits:
        del st.session_state["sigboard.known"]
        if collection.version != before:
            st.rerun()


def problems(collection: Collection) -> None:
    """The problems of files that could not be read."""
    for problem in collection.problems:
        if isinstance(problem, SigError):
            page.show(problem)
    if collection.problems:
        st.button("Hide these messages", on_click=collection.dismiss, icon=":material/close:")
