"""The parts of the data page: drop zone, samples, the table of files, problems and findings, a look inside."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from sigcore import SigError, readers
from ui import frame, state

FACES = {"error": ":material/error:", "warning": ":material/warning:", "note": ":material/info:"}
SHOWN = 8


def status(visit: state.Visit) -> None:
    """One line that says what is loaded, and the choice between text and scores where both are."""
    loaded = visit.loaded()
    if not visit.items:
        st.info(
            "Nothing is loaded. Drop a reference and the outputs of two or more systems below (one segment per line), "
            "or files of scores, or take a sample.",
            icon=":material/upload_file:",
        )
        return
    if len(visit.kinds) > 1:
        st.segmented_control(
            "kind of test set",
            visit.kinds,
            default=visit.kind,
            key="sigboard.kind",
            on_change=_choose_kind,
            args=(visit,),
        )
    n = loaded.testset.n if loaded.testset else 0
    references = len(loaded.testset.references) if loaded.testset else 0
    sample = "sample " if visit.sample else ""
    frame.cards(
        [
            ("Test set", f"{sample}{visit.name}" if visit.name else "your files", ""),
            ("Segments", f"{n:,}", ""),
            ("Systems", str(len(loaded.outputs)), ""),
            ("References", str(references), "Scores of your own need none." if visit.kind == "scores" else ""),
        ]
    )


def name(visit: state.Visit) -> None:
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


def _rename(visit: state.Visit, key: str) -> None:
    visit.name = str(st.session_state[key]).strip()


def _choose_kind(visit: state.Visit) -> None:
    visit.kind = st.session_state["sigboard.kind"] or visit.kind


def drop_zone(visit: state.Visit) -> None:
    """The one drop zone; what is dropped is read at once and kept, so the list below it stays empty."""
    st.file_uploader(
        "Drop files: references, system outputs, scores (txt, gz, zip of many, TSV with a column per system)",
        accept_multiple_files=True,
        key=f"sigboard.drop.{visit.version}",
        on_change=_take,
        args=(visit,),
        help="One segment per line in UTF-8, the same order in every file. Files whose name starts with ref are "
        "references, src are sources, all others systems; the table below lets you change that.",
    )
    if not visit.sample:
        st.caption(
            "Your files stay in this server's memory only. Whoever has the address of this page can see them; "
            "Clear everything removes them."
        )


def _take(visit: state.Visit) -> None:
    dropped = st.session_state[f"sigboard.drop.{visit.version}"]
    if dropped:
        intake = readers.read((file.name, file.getvalue()) for file in dropped)
        visit.take(intake, visit.name if not visit.sample else "")


def samples(visit: state.Visit) -> None:
    """Buttons for the samples, and one that clears everything."""
    st.markdown("**Or take a sample**")
    with st.container(horizontal=True):
        for name in readers.sample_names():
            st.button(name.replace("-", " "), on_click=state.load_sample, args=(visit, name), icon=":material/dataset:")
        if visit.items:
            st.button("Clear everything", on_click=visit.clear, icon=":material/delete:")


def problems(visit: state.Visit) -> None:
    """Files that could not be read, all at once."""
    for problem in visit.problems:
        if isinstance(problem, SigError):
            frame.show(problem)
    if visit.problems:
        st.button("Hide these", on_click=visit.dismiss, icon=":material/close:")


def table(visit: state.Visit) -> None:
    """The files with what each was taken for; name, role and group can be edited."""
    if not visit.items:
        return
    st.subheader("Files", anchor=False)
    key = f"sigboard.files.{visit.version}"
    rows = [
        {
            "name": i.name,
            "role": i.role,
            "group": i.group,
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
        },
    )
    st.caption("Click into name, role or group to change it; the role ignored leaves a file out.")


def _edit(visit: state.Visit, key: str) -> None:
    edited: dict[int, dict[str, Any]] = st.session_state[key]["edited_rows"]
    visit.edits = {int(row): dict(change) for row, change in edited.items()}


def findings(visit: state.Visit) -> None:
    """What the doctor found in the files together: errors first, then warnings, then notes."""
    if not visit.items:
        return
    loaded = visit.loaded()
    for finding in loaded.of("error"):
        frame.show(SigError(finding.what, finding.where, finding.mend))
    rows = [
        {"": FACES[f.severity], "what": f.what, "where": f.where, "how to mend it": f.mend}
        for severity in ("warning", "note")
        for f in loaded.of(severity)
    ]
    rows += [
        {
            "": FACES["note"],
            "what": n.message,
            "where": n.file + (f", line {n.line}" if n.line else ""),
            "how to mend it": "",
        }
        for n in visit.notices
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


def _line(row: dict[str, str]) -> None:
    parts = [frame.literal(row["what"])]
    if row["where"]:
        parts.append(f"*{frame.literal(row['where'])}*")
    if row["how to mend it"]:
        parts.append(frame.literal(row["how to mend it"]))
    st.markdown(f"{row['']} " + "  \n".join(parts))


def preview(visit: state.Visit) -> None:
    """A look inside: segments side by side, a few at a time."""
    loaded = visit.loaded()
    if loaded.testset is None or not loaded.outputs:
        return
    n = loaded.testset.n
    with st.expander("Look inside"):
        first = st.number_input("from segment", 1, n, 1, step=20, key="sigboard.preview")
        part = slice(int(first) - 1, int(first) + 19)
        columns = {"segment": list(range(part.start + 1, min(part.stop, n) + 1))}
        shown: dict[str, list[Any]] = dict(columns)
        for k, reference in enumerate(loaded.testset.references):
            shown[f"reference {k + 1}"] = list(reference[part])
        for outputs in loaded.outputs:
            shown[outputs.system] = list(outputs.segments[part])
        st.dataframe(pd.DataFrame(shown), hide_index=True, width="stretch")
