"""The parts of the data page: drop zone, samples, the table of files, problems and findings, a preview."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st

from sigboard.ui import jobs, page, sidebar
from sigcore import Collection, Outputs, SigError, Testset, data, inside, readers

ICONS = {"error": ":material/error:", "warning": ":material/warning:", "note": ":material/info:"}
SHOWN = 8
WITHOUT_GOLD = ("scores", "statistics")
Selection = Literal["testset", "kind", "measure", "missing"]
Width = int | Literal["stretch"]
MISSING = {"refuse": "leave the system out", "drop": "leave the segment out for all systems"}
KINDS = {
    "text": "text",
    "scores": "scores",
    "trees": "dependency trees",
    "alignments": "word alignments",
    "brackets": "constituency trees",
    "statistics": "statistics",
}


def status(collection: Collection) -> None:
    """One line that says what is loaded, and the choice between text and scores where both are."""
    if not collection.items:
        _invite(collection)
        return
    looked_at(collection)
    loaded = collection.loaded()
    n = loaded.testset.n if loaded.testset else 0
    references = len(loaded.testset.references) if loaded.testset else 0
    sample = "sample " if collection.sample else ""
    name = collection.name or collection.testset
    no_gold = collection.kind in WITHOUT_GOLD
    page.cards(
        [
            ("Test set", f"{sample}{name}" if name else "your files", ""),
            ("Segments", f"{n:,}", ""),
            ("Systems", str(len(loaded.outputs)), ""),
            ("References", str(references), "Scores and statistics of your own need none." if no_gold else ""),
        ]
    )


def _invite(collection: Collection) -> None:
    """What to do where no outputs are loaded."""
    if collection.ratings:
        st.info("Judgments of people are loaded, but no outputs of systems yet.", icon=":material/how_to_vote:")
        return
    st.info(
        "Nothing is loaded. Drop a reference and the outputs of two or more systems below (one segment per line), "
        "or files of scores, or load a sample.",
        icon=":material/upload_file:",
    )


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


def looked_at(collection: Collection) -> None:
    """What is looked at where several test sets, kinds or measures are loaded, and what becomes of missing scores."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _switches(collection, "page", 300)
        if collection.loaded().gaps:
            _choice(collection, "missing", "where a score is missing", tuple(MISSING), "page", 300)


def choose_test_set(collection: Collection) -> None:
    """The same choice on top of the sidebar, so that every page can go from one test set to another."""
    with st.sidebar:
        _switches(collection, "sidebar", "stretch")


def _switches(collection: Collection, place: str, width: Width) -> None:
    """A box for each of test set, kind and measure of which there are several."""
    available = collection.choices
    if len(available.testsets) > 1:
        _choice(collection, "testset", "test set", available.testsets, place, width)
    if len(available.kinds) > 1:
        _choice(collection, "kind", "kind of test set", available.kinds, place, width)
    if len(available.measures) > 1:
        _choice(collection, "measure", "scores of", available.measures, place, width)


def _choice(collection: Collection, of: Selection, label: str, names: Sequence[str], place: str, width: Width) -> None:
    key = f"sigboard.{place}.{of}.{collection.version}"
    now = getattr(collection, of)
    # the collection owns the choice: a box elsewhere may have changed it since this one was drawn
    st.session_state[key] = now if now in names else names[0]
    st.selectbox(
        label,
        names,
        key=key,
        format_func=lambda name: (KINDS | MISSING).get(name, name) or "(no name)",
        on_change=_select,
        args=(collection, of, key),
        width=width,
    )


def _select(collection: Collection, of: Selection, key: str) -> None:
    collection.select(**{of: st.session_state[key]})


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


def table(collection: Collection) -> None:
    """The files with what each was detected as; name, role and group can be edited."""
    if not collection.items:
        return
    st.subheader("Files", anchor=False)
    key = f"sigboard.files.{collection.version}"
    several = len(collection.choices.testsets) > 0
    rows = [
        {
            "name": i.name,
            "role": i.role,
            "group": i.group,
            **({"test set": i.testset} if several else {}),
            "segments": len(i.segments),
            "detected as": i.note,
            "file": i.file,
        }
        for i in collection.items
    ]
    st.data_editor(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        width="stretch",
        disabled=["segments", "detected as", "file"],
        on_change=_edit,
        args=(collection, key),
        column_config={
            "name": st.column_config.TextColumn("name", required=True, help="How the system is called everywhere."),
            "role": st.column_config.SelectboxColumn("role", options=list(readers.ROLES), required=True),
            "group": st.column_config.TextColumn("group", help="Systems of one group are close relatives (gain page)."),
            "test set": st.column_config.TextColumn("test set", help="Empty: goes with whichever is looked at."),
        },
    )
    st.caption("Click a name, a role or a group to change it; the role ignored leaves a file out.")


def judgments(collection: Collection) -> None:
    """The ratings of people that are loaded, and the way to the page about them."""
    if not collection.ratings:
        return
    st.subheader("Judgments of people", anchor=False)
    rows = [
        {
            "name": part.name,
            "ratings": part.n,
            "quality control": int((~part.counted).sum()),
            "judges": len(set(part.judge.tolist()) - {""}),
            "systems": len(set(part.system[part.counted].tolist())),
            "rated": ", ".join(part.dimensions),
            "file": part.file,
        }
        for part in collection.ratings
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")
    st.page_link("pages/human.py", label="Do the metrics agree with them?", icon=":material/how_to_vote:")


def detected(collection: Collection) -> None:
    """What each file was detected as, and a way to read it again as something else."""
    if not collection.detected or collection.sample:
        return
    members = readers.members()
    with st.expander("Re-read a file as another format", icon=":material/swap_horiz:"):
        files = {one.file: one for one in collection.detected}
        formats = list(members)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            file = st.selectbox("file", list(files), key="sigboard.again.file", width=340)
            if file not in files:
                return
            now = files[file].reader
            name = st.selectbox(
                "re-read as",
                formats,
                index=formats.index(now) if now in formats else 0,
                format_func=lambda n: members[n].title,
                key=f"sigboard.again.reader.{collection.version}.{file}",
                width=260,
                help="At first, this shows what the file was detected as.",
            )
            options = {
                option.name: sidebar.widget(f"again.{name}.{option.name}", option, bound=False)
                for option in members[name].options
            }
            st.button("Re-read", on_click=collection.re_read, args=(file, name, options), icon=":material/replay:")
        st.caption(members[name].help)


def _edit(collection: Collection, key: str) -> None:
    edited: dict[int, dict[str, Any]] = st.session_state[key]["edited_rows"]
    collection.edit({int(row): change for row, change in edited.items()})


def findings(collection: Collection) -> None:
    """What the data checks found in the files together: errors first, then warnings, then notes."""
    if not collection.items and not collection.ratings:
        return
    loaded = collection.loaded()
    errors = loaded.of("error")
    for finding in errors:
        page.show(SigError(finding.what, finding.where, finding.fix))
    lesser = [*loaded.of("warning"), *loaded.of("note")]
    lesser += [data.Finding("note", message, where) for message, where in data.together(collection.notices)]
    if not lesser and not errors:
        st.success("Nothing odd was found in these files.", icon=":material/check_circle:")
    if lesser:
        st.subheader("Worth knowing", anchor=False)
    for finding in lesser[:SHOWN]:
        _line(finding)
    if len(lesser) > SHOWN:
        with st.expander(f"{len(lesser) - SHOWN} more"):
            for finding in lesser[SHOWN:]:
                _line(finding)


def _line(finding: data.Finding) -> None:
    parts = [page.literal(finding.what)]
    if finding.where:
        parts.append(f"*{page.literal(finding.where)}*")
    if finding.fix:
        parts.append(page.literal(finding.fix))
    st.markdown(f"{ICONS[finding.severity]} " + "  \n".join(parts))


def preview(collection: Collection) -> None:
    """Segments side by side, a few at a time; trees and word links one segment at a time."""
    loaded = collection.loaded()
    if loaded.testset is None or not loaded.outputs:
        return
    n = loaded.testset.n
    with st.expander("Preview"):
        if loaded.testset.kind in inside.KINDS and loaded.testset.references:
            _word_by_word(collection, loaded.testset, loaded.outputs)
            return
        first = st.number_input("from segment", 1, n, 1, step=20, key="sigboard.preview")
        part = slice(int(first) - 1, int(first) + 19)
        shown: dict[str, list[Any]] = {"segment": list(range(part.start + 1, min(part.stop, n) + 1))}
        for k, reference in enumerate(loaded.testset.references):
            shown[f"reference {k + 1}"] = list(reference[part])
        for outputs in loaded.outputs:
            shown[outputs.system] = list(outputs.segments[part])
        st.dataframe(pd.DataFrame(shown), hide_index=True, width="stretch")


def _word_by_word(collection: Collection, testset: Testset, outputs: Sequence[Outputs]) -> None:
    """One segment of trees or word links: a row per word, what is not as in the reference marked."""
    k = int(st.number_input("segment", 1, testset.n, 1, key="sigboard.preview")) - 1
    source, target = (inside.words(collection.edited(), side, testset.n, k) for side in ("source", "target"))
    own = {output.system: output.segments[k] for output in outputs}
    rows = inside.rows(testset.kind, testset.references[0][k], own, source, target)
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, width="stretch", column_config={"word": {"pinned": True, "width": 130}}
    )
    captions = {
        "trees": "label of head; ≠: another head or label (subtypes aside).",
        "alignments": "The target words of each source word, counted from 0; ?: only possible; ≠: not as in the "
        "reference (a sure link is missing, or a link is not even possible).",
    }
    st.caption(captions[testset.kind])
