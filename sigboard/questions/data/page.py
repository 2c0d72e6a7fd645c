"""What have I loaded, and is it sound? The drop zone, the table of files, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st

from sigboard.shell import captions, links, page, session, settings
from sigboard.shell import drop as load
from sigboard.shell.inputs import MISSING, UNANSWERED, choice, switches
from sigcore import Collection, Outputs, SigError, Testset, data, formatting, readers

# The files as one list: what is used, what is set aside, what needs the user, with the fix as a button in the row.

State = Literal["used", "set aside", "needs you"]
MARKS: dict[State, str] = {"used": "✓ used", "set aside": "– set aside", "needs you": "! needs you"}
COLOURS: dict[State, str] = {"used": "green", "set aside": "gray", "needs you": "red"}
MOST_ROWS = 20  # of the rows with buttons; the table has all files


def _state(collection: Collection, item: readers.Item, left_out: bool) -> State:
    """An item is used if it belongs to the selected test set, kind and measure; numbers may be labels of text."""
    if item.role == "ignored":
        return "set aside"
    if left_out:
        return "needs you"
    if item.testset not in ("", collection.testset):
        return "set aside"
    alike = item.kind == collection.kind or (item.kind, collection.kind) == ("scores", "text")
    measured = alike and (item.role != "system" or item.measure == collection.measure)
    return "used" if measured or item.role in (*readers.SHARED, "source") else "set aside"


def files(collection: Collection) -> None:
    """The list: how many files are in each state, the rows that need the user, those set aside, and all in a table."""
    if not collection.items:
        return
    st.header("Files", anchor=False)
    outside = {id(item) for item in collection.left_out()}
    known = [_state(collection, item, id(item) in outside) for item in collection.edited()]
    counts = {state: known.count(state) for state in MARKS}
    st.markdown(" ".join(f":{COLOURS[state]}-badge[{counts[state]} {state}]" for state in MARKS if counts[state]))
    _needing(collection, known)
    _aside(collection)
    _table(collection, known)


def _needing(collection: Collection, known: Sequence[State]) -> None:
    """What is wrong with each file that could not be used, and the button that leaves it out."""
    items = collection.edited()
    places = [place for place, state in enumerate(known) if state == "needs you"]
    for place in places[:MOST_ROWS]:
        item, finding = items[place], cause(collection, items[place])
        with st.container(horizontal=True, vertical_alignment="center"):
            if finding is None:
                page.show(SigError(f"{item.name} could not be used.", item.file, "Change its role in the table below."))
            else:
                page.show(SigError(finding.what, finding.where, finding.fix))
            key, given = f"sigboard.out.{collection.version}.{place}", (collection, [place], "ignored")
            st.button("Leave it out", key=key, on_click=_give_role, args=given, icon=":material/visibility_off:")
            if finding is not None and finding.answer == "accept_order":
                key, said = f"sigboard.order.{collection.version}.{place}", {"accept_order": True}
                st.button("The lines are in order", key=key, on_click=collection.select, kwargs=said)
    if len(places) > 1:
        label, given = f"Leave all {len(places)} out", (collection, places, "ignored")
        st.button(label, on_click=_give_role, args=given, icon=":material/visibility_off:")


def cause(collection: Collection, item: readers.Item) -> data.Finding | None:
    """The error because of which the item could not be used."""
    errors = [finding for finding in collection.loaded().of("error") if item.file in finding.where]
    return next((finding for finding in errors if finding.what.startswith(item.name)), None)


def _aside(collection: Collection) -> None:
    """The files and columns that are set aside because they contain no outputs; a button uses one anyway."""
    items = collection.edited()
    places = [place for place, item in enumerate(items) if item.role == "ignored"]
    if not places:
        return
    label = f"{set_aside(items)} set aside: no outputs, or left out by you"
    with st.expander(label, icon=":material/inventory_2:"):
        for place in places[:MOST_ROWS]:
            item = items[place]
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f":gray[{page.literal(item.file)}: {page.literal(item.note)}]")
                key, given = f"sigboard.use.{collection.version}.{place}", (collection, [place], "system")
                said = f"{page.literal(item.name)} becomes a system."
                st.button("Use anyway", key=key, on_click=_give_role, args=given, help=said)
        if len(places) > MOST_ROWS:
            st.caption(f"{len(places) - MOST_ROWS} more are in the table: change their role there.")


def set_aside(items: Sequence[readers.Item]) -> str:
    """What of the items is ignored, with its verb: "1 file and 2 columns are". Something else of a column's file is used."""
    used = {item.file for item in items if item.role != "ignored"}
    columns = sum(item.role == "ignored" and item.file in used for item in items)
    whole = len({item.file for item in items} - used)
    parts = [formatting.count(number, noun) for number, noun in ((whole, "file"), (columns, "column")) if number]
    return f"{' and '.join(parts)} {'is' if whole + columns == 1 else 'are'}"


def _give_role(collection: Collection, places: Sequence[int], role: str) -> None:
    changes = {place: dict(edit) for place, edit in collection.edits.items()}
    for place in places:
        changes.setdefault(place, {})["role"] = role
    collection.edit(changes)
    collection.settle()


def _table(collection: Collection, known: Sequence[State]) -> None:
    """All files with their state and what each was detected as; name, role and group can be edited."""
    key = f"sigboard.files.{collection.version}"
    several = len(collection.choices.testsets) > 0
    # by the roles before any edit in this table, so that no row moves while it is edited
    places = sorted(range(len(collection.items)), key=lambda place: collection.items[place].role == "ignored")
    rows = [
        {
            "state": MARKS[known[place]],
            "name": i.name,
            "role": i.role,
            "group": i.group,
            **({"test set": i.testset} if several else {}),
            "segments": len(i.segments),
            "detected as": i.note,
            "file": i.file,
        }
        for place in places
        for i in (collection.items[place],)
    ]
    st.data_editor(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        width="stretch",
        disabled=["state", "segments", "detected as", "file"],
        on_change=_edit,
        args=(collection, key, places),
        alt="The files: state, name, role, group, number of segments, and what each was detected as.",
        column_config={
            "state": st.column_config.TextColumn("state", width="small"),
            "name": st.column_config.TextColumn("name", required=True, help="The name of the system on all pages."),
            "role": st.column_config.SelectboxColumn("role", options=list(readers.ROLES), required=True),
            "group": st.column_config.TextColumn(
                "group", help="Systems in one group are closely related (used on the gain page)."
            ),
            "test set": st.column_config.TextColumn("test set", help="Empty: used with the selected test set."),
        },
    )
    st.caption("Names, roles and groups can be edited in this table. The role ignored leaves a file out.")


def _edit(collection: Collection, key: str, places: Sequence[int]) -> None:
    edited: dict[int, dict[str, str]] = st.session_state[key]["edited_rows"]
    collection.edit({places[int(row)]: change for row, change in edited.items()})


# The parts of the page Files: cards, the table of files, human judgments, findings, a preview.

ICONS = {"error": ":material/error:", "warning": ":material/warning:", "note": ":material/info:"}
SHOWN = 8
WITHOUT_GOLD = ("scores", "statistics")


def status(collection: Collection) -> None:
    """What is loaded, as cards, and the choice of what to use if several test sets are loaded."""
    if not collection.items:
        _invite(collection)
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="sigboard.boxes"):
        switches(collection, "page", 300)
        if collection.loaded().gaps:
            ranked = collection.kind == "rankings"
            label, answers = ("missing questions", UNANSWERED) if ranked else ("missing scores", MISSING)
            choice(collection, "missing", label, tuple(answers), "page", 300)
        if collection.kind == "scores" or collection.ratings:
            key = f"sigboard.codes.{collection.version}.{','.join(collection.codes)}"
            st.text_input(
                "missing codes",
                ", ".join(collection.codes),
                key=key,
                width=160,
                placeholder="-1, -999",
                help="Numbers that mean a missing score, separated by commas. Write none if all numbers are scores.",
                on_change=_select_codes,
                args=(collection, key),
            )
    loaded = collection.loaded()
    n = loaded.testset.n if loaded.testset else 0
    references = len(loaded.testset.references) if loaded.testset else 0
    captions.sentence(_standing(loaded, n))
    sample = "sample " if collection.sample else ""
    no_gold = collection.kind in WITHOUT_GOLD
    page.cards(
        [
            ("Test set", f"{sample}{session.title(collection)}", ""),
            ("Segments", f"{n:,}", ""),
            ("Systems", str(len(loaded.outputs)), ""),
            ("References", str(references), "Scores and statistics need no references." if no_gold else ""),
        ]
    )


def _standing(loaded: data.Loaded, n: int) -> str:
    """What is loaded, and whether it can be compared, in a short sentence."""
    errors, warnings = (len(loaded.of(level)) for level in ("error", "warning"))
    of = f"{formatting.count(len(loaded.outputs), 'system')} on {formatting.count(n, 'segment')}"
    if errors:
        return f"{of}: {formatting.count(errors, 'error')} to fix."
    if loaded.ready is None or len(loaded.outputs) < 2:
        return f"{of}: not enough to compare yet."
    aside = f", with {formatting.count(warnings, 'warning')}" if warnings else ""
    return f"{of}: ready to compare{aside}."


def _select_codes(collection: Collection, key: str) -> None:
    """Select the codes in the box; the page shows what is wrong with others, and keeps those before."""
    with page.guard("data"):
        collection.select(codes=[st.session_state[key]])


def _suspect(collection: Collection) -> None:
    """The buttons that say what numbers that look like codes mean."""
    suspect = collection.loaded().suspect
    if suspect is None:
        return
    codes = formatting.listed(suspect.codes)
    with st.container(horizontal=True):
        for label, chosen, icon in (
            (f"{codes}: missing", suspect.codes, ":material/block:"),
            (f"{codes}: a score", (data.NONE,), ":material/check:"),
        ):
            key = f"sigboard.suspect.{collection.version}.{chosen[0]}"
            st.button(label, key=key, on_click=collection.select, kwargs={"codes": chosen}, icon=icon)


def _invite(collection: Collection) -> None:
    """What to do if no outputs are loaded."""
    if collection.preferences:
        st.info("Pairwise judgments are loaded, but no system outputs.", icon=":material/thumbs_up_down:")
        return
    if collection.ratings:
        st.info("Human judgments are loaded, but no system outputs yet.", icon=":material/how_to_vote:")
        return
    if collection.problems:
        asked = [problem for problem in collection.problems if isinstance(problem, readers.Unclear)]
        few = len(collection.problems) == 1
        what = "needs" if few else "need"
        answer = f"{what} your answer" if len(asked) == len(collection.problems) else f"{what} another look"
        st.info(
            f"Nothing is compared yet. {'The file' if few else f'{len(collection.problems)} files'} below {answer}.",
            icon=":material/contact_support:",
        )
        return
    st.info(
        "Nothing is loaded. Drop a reference and the outputs of two or more systems below (one segment per line), "
        "or files of scores, or load a sample.",
        icon=":material/upload_file:",
    )


def people(collection: Collection) -> None:
    """The human ratings and the pairwise judgments that are loaded, each with a link to their page."""
    ratings = [
        {
            "name": part.name,
            "ratings": part.n,
            "quality control": int((~part.counted).sum()),
            "judges": len(set(part.judge.tolist()) - {""}),
            "systems": len(set(part.system[part.counted].tolist())),
            "dimensions": ", ".join(part.dimensions),
            "file": part.file,
        }
        for part in collection.ratings
    ]
    preferences = [
        {
            "name": part.name,
            "comparisons": part.n,
            "questions": len(set(part.question.tolist())),
            "systems": len(part.systems),
            "judges": len(set(part.judge.tolist()) - {""}),
            "ties": int((part.outcome == 0.5).sum()),
            "file": part.file,
        }
        for part in collection.preferences
    ]
    for title, rows, word, label, icon in (
        ("Human judgments", ratings, "human", "Do the metrics agree with them?", ":material/how_to_vote:"),
        ("Pairwise judgments", preferences, "pairwise", "Which system wins more often?", ":material/thumbs_up_down:"),
    ):
        if rows:
            st.header(title, anchor=False)
            st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")
            st.page_link(f"pages/{word}.py", label=label, icon=icon)


def detected(collection: Collection) -> None:
    """The control that re-reads a file as another format."""
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
                help="Initially the format that was detected.",
            )
            options = {
                option.name: settings.widget(f"again.{name}.{option.name}", option, bound=False)
                for option in members[name].options
            }
            st.button("Re-read", on_click=collection.re_read, args=(file, name, options), icon=":material/replay:")
        st.caption(members[name].help)


def findings(collection: Collection) -> None:
    """The findings of the data checks: errors first, then warnings, then notes."""
    if not (collection.items or collection.ratings or collection.preferences):
        return
    loaded = collection.loaded()
    # pairwise judgments alone need no outputs
    errors = loaded.of("error") if collection.items or not collection.preferences else ()
    in_rows = [cause(collection, item) for item in collection.left_out()]  # in the list of files, beside its button
    for finding in (one for one in errors if one not in in_rows):
        page.show(SigError(finding.what, finding.where, finding.fix))
    _suspect(collection)
    _lesser(collection, loaded, bool(errors))


def _lesser(collection: Collection, loaded: data.Loaded, wrong: bool) -> None:
    """Warnings, and behind a click the rest of them and all notes; that nothing was found, if nothing is `wrong` either."""
    warnings, notes = loaded.of("warning"), list(loaded.of("note"))
    notes += [data.Finding("note", message, where) for message, where in data.together(collection.notices)]
    if warnings:
        st.header("Warnings", anchor=False)
        _lines(warnings[:SHOWN])
    elif not wrong and not notes:
        st.success("No problems were found in these files.", icon=":material/check_circle:")
    for title, rest in (("more warning", warnings[SHOWN:]), ("notice", notes)):
        if rest:
            with st.expander(formatting.count(len(rest), title)):
                _lines(rest)


def _lines(findings: Sequence[data.Finding]) -> None:
    for finding in findings:
        parts = [page.literal(finding.what)]
        parts += [f"*{page.literal(finding.where)}*"] if finding.where else []
        parts += [page.literal(finding.fix)] if finding.fix else []
        st.markdown(f"{ICONS[finding.severity]} " + "  \n".join(parts))


def preview(collection: Collection) -> None:
    """Segments side by side, a few at a time; trees, word links and entities one segment at a time."""
    loaded = collection.loaded()
    if loaded.testset is None or not loaded.outputs:
        return
    n = loaded.testset.n
    with st.expander("Preview"):
        if loaded.testset.kind in data.BY_WORD and loaded.testset.references:
            _by_word(collection, loaded.testset, loaded.outputs)
            return
        first = st.number_input("from segment", 1, n, 1, step=20, key="sigboard.preview")
        part = slice(int(first) - 1, int(first) + 19)
        shown: dict[str, list[Any]] = {"segment": list(range(part.start + 1, min(part.stop, n) + 1))}
        for k, reference in enumerate(loaded.testset.references):
            shown[f"reference {k + 1}"] = list(reference[part])
        for outputs in loaded.outputs:
            shown[outputs.system] = list(outputs.segments[part])
        st.dataframe(pd.DataFrame(shown), hide_index=True, width="stretch")


def _by_word(collection: Collection, testset: Testset, outputs: Sequence[Outputs]) -> None:
    """One segment of trees, word links or entities: one row per word, with differences from the reference marked."""
    k = int(st.number_input("segment", 1, testset.n, 1, key="sigboard.preview")) - 1
    source, target = (data.words_of(collection.edited(), side, testset.n, k) for side in ("source", "target"))
    segments_of = {output.system: output.segments[k] for output in outputs}
    rows = data.word_rows(testset.kind, testset.references[0][k], segments_of, source, target)
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, width="stretch", column_config={"word": {"pinned": True, "width": 130}}
    )
    captions = {
        "trees": "Each cell: the label and the head of the word. ≠: another head or label than in the reference (ignoring "
        "subtypes of labels).",
        "alignments": "Each cell: the target words linked to the source word, counted from 0. ?: a possible link. ≠: "
        "not as in the reference (a sure link is missing, or a link is neither sure nor possible).",
        "rankings": "Each row: a rank, with the document and its judgment. -: not judged. ≠: not relevant.",
        "spans": "Each row: the words of an entity; their place counts words (0-2) or letters (0:9). ≠: not as in the "
        "reference.",
    }
    st.caption(captions[testset.kind])


def show() -> None:
    """The page."""
    with page.question("data") as visit:
        status(visit.collection)
        left, right = st.container(key="sigboard.load").columns([3, 2], gap="large")
        with left:
            load.drop_zone(visit.collection)
        with right:
            load.samples(visit.collection)
            load.name(visit.collection)
            load.known(visit.collection)
        links.analyses()
        load.problems(visit.collection)
        files(visit.collection)
        people(visit.collection)
        detected(visit.collection)
        findings(visit.collection)
        preview(visit.collection)
        with st.expander("Which column headings are recognised?", icon=":material/table:"):
            st.markdown(readers.tables.headings.INTRODUCTION)
            names = ["heading", "read as", "what happens"]
            st.table(pd.DataFrame(readers.tables.headings.rows(), columns=names).set_index("heading"))
