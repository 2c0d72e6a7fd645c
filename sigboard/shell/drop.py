"""The head of the first page: what Sigboard is in one sentence, and the drop zone that turns the page into the visitor's."""

from __future__ import annotations

import streamlit as st

from sigboard.server import jobs, limits
from sigboard.shell import page, plan, session, uploads
from sigboard.shell.session import Visit
from sigcore import Collection, ReadError, SigError, formatting, readers

# The parts of the page Files that load: drop zone, samples, known test sets, and files that could not be read.


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
    every = "references, system outputs, scores, ratings, pairwise judgments, trees, alignments, entities, runs and qrels, a folder as .zip, or a project"
    key = f"sigboard.drop.{collection.version}"
    st.file_uploader(
        "Drop your files" if short else f"Drop files: {every}",
        accept_multiple_files=True,
        key=key,
        on_change=uploads.take,
        args=(collection, key),
        help="Plain text (UTF-8, one segment per line), TSV, CSV, JSON lines, WMT XML and SGML, n-best lists, CoNLL-X and "
        "CoNLL-U, words with tags (BIO), entities in JSON, TREC runs and qrels, word alignments, bracketed trees, scores and ratings; also gzipped or in a zip. A file whose name starts "
        "with ref is a reference, with src a source; other outputs are systems. Roles can be changed in the table of files. A "
        "project (.sigboard, saved on the page Report) takes the place of all that is loaded.",
    )
    if not collection.sample:
        st.caption(session.where_kept())


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


def problems(collection: Collection, ratings: bool = False) -> None:
    """The problems of files that could not be read; what is asked about is then read as `ratings` by people."""
    for problem in collection.problems:
        if isinstance(problem, readers.Unclear):
            plan.show(collection, problem, ratings)
        elif isinstance(problem, SigError):
            page.show(problem)
        if isinstance(problem, ReadError):
            plan.offer(collection, problem)
    if collection.problems:
        st.button("Hide these messages", on_click=collection.dismiss, icon=":material/close:")


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
        drop_zone(collection, short=True)
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
