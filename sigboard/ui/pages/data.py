"""The parts of the data page: drop zone, samples, the table of files, problems and findings, a preview."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st

from sigboard.ui import page, sidebar
from sigcore import Collection, Outputs, SigError, Testset, data, readers

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
        if loaded.testset.kind in data.side_by_side.KINDS and loaded.testset.references:
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
    source, target = (data.side_by_side.words(collection.edited(), side, testset.n, k) for side in ("source", "target"))
    own = {output.system: output.segments[k] for output in outputs}
    rows = data.side_by_side.rows(testset.kind, testset.references[0][k], own, source, target)
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, width="stretch", column_config={"word": {"pinned": True, "width": 130}}
    )
    captions = {
        "trees": "label of head; ≠: another head or label (subtypes aside).",
        "alignments": "The target words of each source word, counted from 0; ?: only possible; ≠: not as in the "
        "reference (a sure link is missing, or a link is not even possible).",
    }
    st.caption(captions[testset.kind])


def headings() -> None:
    """The headings of columns that tables may have, and what happens with them."""
    with st.expander("Which column headings are understood?", icon=":material/table:"):
        st.markdown(readers.tables.headings.INTRODUCTION)
        names = ["heading", "read as", "what happens"]
        st.table(pd.DataFrame(readers.tables.headings.rows(), columns=names).set_index("heading"))
