"""The parts of the data page: drop zone, samples, the table of files, problems and findings, a look inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st

from sigboard.ui import jobs, page, session, sidebar
from sigcore import Outputs, SigError, Testset, inside, readers

FACES = {"error": ":material/error:", "warning": ":material/warning:", "note": ":material/info:"}
SHOWN = 8
GOLDLESS = ("scores", "statistics")
KINDS = {
    "text": "text",
    "scores": "scores",
    "trees": "dependency trees",
    "alignments": "word alignments",
    "brackets": "constituency trees",
    "statistics": "statistics",
}


def status(visit: session.Visit) -> None:
    """One line that says what is loaded, and the choice between text and scores where both are."""
    if not visit.items and visit.judgments:
        st.info("Judgments of people are loaded, but no outputs of systems yet.", icon=":material/how_to_vote:")
        return
    if not visit.items:
        st.info(
            "Nothing is loaded. Drop a reference and the outputs of two or more systems below (one segment per line), "
            "or files of scores, or take a sample.",
            icon=":material/upload_file:",
        )
        return
    looked_at(visit)
    loaded = visit.loaded()
    n = loaded.testset.n if loaded.testset else 0
    references = len(loaded.testset.references) if loaded.testset else 0
    sample = "sample " if visit.sample else ""
    page.cards(
        [
            ("Test set", f"{sample}{visit.name or visit.testset}" if visit.name or visit.testset else "your files", ""),
            ("Segments", f"{n:,}", ""),
            ("Systems", str(len(loaded.outputs)), ""),
            (
                "References",
                str(references),
                "Scores and statistics of your own need none." if visit.kind in GOLDLESS else "",
            ),
        ]
    )


def name(visit: session.Visit) -> None:
    """What the test set is called on every page and in every file that is handed out."""
    if not visit.items or visit.sample:
        return
    key = f"sigboard.name.{visit.version}"
    st.text_input(
        "Name of the test set",
        visit.name,
        key=key,
        max_chars=80,
        placeholder="for example WMT22 cs-en",
        on_change=_rename,
        args=(visit, key),
    )


def _rename(visit: session.Visit, key: str) -> None:
    visit.name = str(st.session_state[key]).strip()


def looked_at(visit: session.Visit) -> None:
    """What is looked at where several test sets, kinds or measures are loaded, and what becomes of missing scores."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _switches(visit, "page", 300)
        if visit.loaded().gaps:
            _pick(visit, "missing", "where a score is missing", tuple(MISSING), "page", 300)


def choose_test_set(visit: session.Visit) -> None:
    """The same choice on top of the sidebar, so that every page can go from one test set to another."""
    with st.sidebar:
        _switches(visit, "sidebar", "stretch")


def _switches(visit: session.Visit, place: str, width: int | Literal["stretch"]) -> None:
    there = visit.choices
    if len(there.testsets) > 1:
        _pick(visit, "testset", "test set", there.testsets, place, width)
    if len(there.kinds) > 1:
        _pick(visit, "kind", "kind of test set", there.kinds, place, width)
    if len(there.measures) > 1:
        _pick(visit, "measure", "scores of", there.measures, place, width)


MISSING = {"refuse": "leave the system out", "drop": "leave the segment out for all systems"}


def _pick(
    visit: session.Visit, what: str, label: str, names: tuple[str, ...], place: str, width: int | Literal["stretch"]
) -> None:
    key = f"sigboard.{place}.{what}.{visit.version}"
    now = getattr(visit, what)
    # the visit owns the choice: a box elsewhere may have changed it since this one was drawn
    st.session_state[key] = now if now in names else names[0]
    st.selectbox(
        label,
        names,
        key=key,
        format_func=lambda name: (KINDS | MISSING).get(name, name) or "(no name)",
        on_change=_picked,
        args=(visit, what, key),
        width=width,
    )


def _picked(visit: session.Visit, what: str, key: str) -> None:
    chosen = st.session_state[key]
    visit.settle()  # the tables of what was looked at before go, with the edits they hold
    setattr(visit, what, chosen)
    visit.settle_on()


def drop_zone(visit: session.Visit) -> None:
    """The one drop zone; what is dropped is read at once and kept, so the list below it stays empty."""
    st.file_uploader(
        "Drop files: references, system outputs, trees, alignments, scores, whole folders as .zip",
        accept_multiple_files=True,
        key=f"sigboard.drop.{visit.version}",
        on_change=_take,
        args=(visit,),
        help="Text with one segment per line in UTF-8, TSV, CSV, JSON lines, WMT XML and SGML, n-best lists, CoNLL-X/-U, "
        "word alignments, bracketed trees, scores per segment; gzipped or in a zip. Files whose name starts with ref are "
        "references, src are sources, all others systems; everything can be changed below.",
    )
    if not visit.sample:
        st.caption(
            "Your files stay in this server's memory only. Whoever has the address of this page can see them; "
            "Clear everything removes them."
        )


def _take(visit: session.Visit) -> None:
    dropped = st.session_state[f"sigboard.drop.{visit.version}"]
    if dropped:
        intake = readers.read((file.name, file.getvalue()) for file in dropped)
        visit.take(intake, visit.name if not visit.sample else "")


def samples(visit: session.Visit) -> None:
    """Buttons for the samples, and one that clears everything."""
    st.markdown("**Or take a sample**")
    with st.container(horizontal=True):
        for name in readers.sample_names():
            st.button(
                name.replace("-", " "), on_click=session.load_sample, args=(visit, name), icon=":material/dataset:"
            )
        if visit.items or visit.judgments:
            st.button("Clear everything", on_click=visit.clear, icon=":material/delete:")


def known(visit: session.Visit) -> None:
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
            _fetch(visit, *st.session_state["sigboard.known"])


def _fetch(visit: session.Visit, name: str, pair: str) -> None:
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
        visit.take(intake, visit.name if not visit.sample else "")
        st.rerun()


def problems(visit: session.Visit) -> None:
    """Files that could not be read, all at once."""
    for problem in visit.problems:
        if isinstance(problem, SigError):
            page.show(problem)
    if visit.problems:
        st.button("Hide these", on_click=visit.dismiss, icon=":material/close:")


def table(visit: session.Visit) -> None:
    """The files with what each was taken for; name, role and group can be edited."""
    if not visit.items:
        return
    st.subheader("Files", anchor=False)
    key = f"sigboard.files.{visit.version}"
    several = len(visit.choices.testsets) > 0
    rows = [
        {
            "name": i.name,
            "role": i.role,
            "group": i.group,
            **({"test set": i.testset} if several else {}),
            "segments": len(i.segments),
            "taken for": i.note,
            "file": i.file,
        }
        for i in visit.items
    ]
    st.data_editor(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        width="stretch",
        disabled=["segments", "taken for", "file"],
        on_change=_edit,
        args=(visit, key),
        column_config={
            "name": st.column_config.TextColumn("name", required=True, help="How the system is called everywhere."),
            "role": st.column_config.SelectboxColumn("role", options=list(readers.ROLES), required=True),
            "group": st.column_config.TextColumn("group", help="Systems of one group are close relatives (gain page)."),
            "test set": st.column_config.TextColumn("test set", help="Empty: goes with whichever is looked at."),
        },
    )
    st.caption("Click into name, role or group to change it; the role ignored leaves a file out.")


def judgments(visit: session.Visit) -> None:
    """The ratings of people that are loaded, and the way to the page about them."""
    if not visit.judgments:
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
        for part in visit.judgments
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")
    st.page_link("pages/human.py", label="Do the metrics agree with them?", icon=":material/how_to_vote:")


def taken(visit: session.Visit) -> None:
    """What each file was taken for, and the way to take it for something else."""
    if not visit.taken or visit.sample:
        return
    members = readers.members()
    with st.expander("Read a file in another way", icon=":material/swap_horiz:"):
        files = {taken.file: taken for taken in visit.taken}
        names = list(members)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            file = st.selectbox("file", list(files), key="sigboard.again.file", width=340)
            if file not in files:
                return
            now = files[file].reader
            name = st.selectbox(
                "is",
                names,
                index=names.index(now) if now in names else 0,
                format_func=lambda n: members[n].title,
                key=f"sigboard.again.reader.{visit.version}.{file}",
                width=260,
                help="What the file was taken for stands here first.",
            )
            options = {
                option.name: sidebar.widget(f"again.{name}.{option.name}", option, bound=False)
                for option in members[name].options
            }
            st.button("Read it again", on_click=visit.read_again, args=(file, name, options), icon=":material/replay:")
        st.caption(members[name].help)


def _edit(visit: session.Visit, key: str) -> None:
    edited: dict[int, dict[str, Any]] = st.session_state[key]["edited_rows"]
    visit.edits = {int(row): dict(change) for row, change in edited.items()}
    visit.settle_on()  # what was looked at may be gone: all its files set to ignored


def findings(visit: session.Visit) -> None:
    """What the data checks found in the files together: errors first, then warnings, then notes."""
    if not visit.items and not visit.judgments:
        return
    loaded = visit.loaded()
    for finding in loaded.of("error"):
        page.show(SigError(finding.what, finding.where, finding.fix))
    rows = [
        {"": FACES[f.severity], "what": f.what, "where": f.where, "how to fix it": f.fix}
        for severity in ("warning", "note")
        for f in loaded.of(severity)
    ]
    rows += [
        {"": FACES["note"], "what": what, "where": where, "how to fix it": ""} for what, where in _told(visit.notices)
    ]
    if not rows and not loaded.of("error"):
        st.success("Nothing odd was found in these files.", icon=":material/check_circle:")
    if rows:
        st.subheader("Worth knowing", anchor=False)
        for row in rows[:SHOWN]:
            _line(row)
        if len(rows) > SHOWN:
            with st.expander(f"{len(rows) - SHOWN} more"):
                for row in rows[SHOWN:]:
                    _line(row)


def _told(notices: Sequence[readers.Notice]) -> list[tuple[str, str]]:
    """What is said of files, and of which: the same words about several files are one line."""
    places: dict[str, list[str]] = {}
    for notice in notices:
        where = notice.file + (f", line {notice.line}" if notice.line else "")
        places.setdefault(notice.message, []).append(where)
    return [(what, _some(found)) for what, found in places.items()]


def _some(places: list[str]) -> str:
    more = [f"{len(places) - SHOWN} more"] if len(places) > SHOWN else []
    return "; ".join(places[:SHOWN] + more)


def _line(row: dict[str, str]) -> None:
    parts = [page.literal(row["what"])]
    if row["where"]:
        parts.append(f"*{page.literal(row['where'])}*")
    if row["how to fix it"]:
        parts.append(page.literal(row["how to fix it"]))
    st.markdown(f"{row['']} " + "  \n".join(parts))


def preview(visit: session.Visit) -> None:
    """A look inside: segments side by side, a few at a time; trees and word links one segment at a time."""
    loaded = visit.loaded()
    if loaded.testset is None or not loaded.outputs:
        return
    n = loaded.testset.n
    with st.expander("Look inside"):
        if loaded.testset.kind in inside.KINDS and loaded.testset.references:
            _word_by_word(visit, loaded.testset, loaded.outputs)
            return
        first = st.number_input("from segment", 1, n, 1, step=20, key="sigboard.preview")
        part = slice(int(first) - 1, int(first) + 19)
        shown: dict[str, list[Any]] = {"segment": list(range(part.start + 1, min(part.stop, n) + 1))}
        for k, reference in enumerate(loaded.testset.references):
            shown[f"reference {k + 1}"] = list(reference[part])
        for outputs in loaded.outputs:
            shown[outputs.system] = list(outputs.segments[part])
        st.dataframe(pd.DataFrame(shown), hide_index=True, width="stretch")


def _word_by_word(visit: session.Visit, testset: Testset, outputs: Sequence[Outputs]) -> None:
    """One segment of trees or word links: a row per word, what is not as in the reference marked."""
    k = int(st.number_input("segment", 1, testset.n, 1, key="sigboard.preview")) - 1
    source, target = (inside.words(visit.edited(), side, testset.n, k) for side in ("source", "target"))
    said = {output.system: output.segments[k] for output in outputs}
    rows = inside.rows(testset.kind, testset.references[0][k], said, source, target)
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, width="stretch", column_config={"word": {"pinned": True, "width": 130}}
    )
    told = {
        "trees": "label of head; ≠: another head or label (subtypes aside).",
        "alignments": "The target words of each source word, counted from 0; ?: only possible; ≠: not as in the "
        "reference (a sure link is missing, or a link is not even possible).",
    }
    st.caption(told[testset.kind])


def headings() -> None:
    """The headings of columns that tables may have, and what happens with them."""
    with st.expander("Which column headings are understood?", icon=":material/table:"):
        st.markdown(readers.tables.headings.INTRODUCTION)
        names = ["heading", "read as", "what happens"]
        st.table(pd.DataFrame(readers.tables.headings.rows(), columns=names).set_index("heading"))
