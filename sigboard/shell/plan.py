"""The plan of a table that was refused: a role for each column, which a person confirms, and the plans that were confirmed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from sigboard.shell import page
from sigcore import Collection, ReadError, readers

CONFIRMED = "sigboard.recipes"  # what was confirmed in this visit, by the headings of the table
HELP = "What the column holds. Only columns with the role system are compared with each other. Of pairwise judgments, first and "
HELP += "second name both systems of a row, or hold their outputs, and winner says which is better. A judge is a column of names, or the ratings of one person."


def show(collection: Collection, problem: readers.Unclear, ratings: bool = False) -> None:
    """Why nothing was computed, the columns with their first cells and likely roles, and the button that confirms them; as
    `ratings` by people, or as what the file looked like."""
    doubt = f"{problem.why} {problem.means}".strip()
    st.warning(f"**{page.literal(problem.file)}**: {page.literal(doubt)}", icon=":material/help:")
    cells = max((len(claim.cells) for claim in problem.claims), default=0)
    rows = [
        {
            "column": claim.column,
            "role": claim.role,
            **{f"row {k + 1}": claim.cells[k] if k < len(claim.cells) else "" for k in range(cells)},
            "why": claim.reason,
        }
        for claim in problem.claims
    ]
    edited = st.data_editor(
        pd.DataFrame(rows),
        key=f"sigboard.plan.{collection.version}.{problem.file}",
        hide_index=True,
        width="stretch",
        disabled=["column", "why", *(f"row {k + 1}" for k in range(cells))],
        column_config={
            "role": st.column_config.SelectboxColumn(
                "role", options=list(readers.PARTS_OF_TABLES), required=True, help=HELP
            )
        },
        alt="The columns of the table: role, first cells, and why each has this role.",
    )
    ways, shown = _of_roles(problem), _shown(problem)
    # roles that only lack what words mean would be asked about again
    if not (ways and all(words and shown.issuperset(roles) for _, roles, words in ways)):
        st.button(
            "Read it with these roles",
            key=f"sigboard.plan.confirm.{collection.version}.{problem.file}",
            on_click=_confirm,
            args=(collection, problem, [str(role) for role in edited["role"]], ratings),
            type="primary",
            icon=":material/check:",
        )
        if problem.outcome:
            st.caption(f"With the roles as they are: {page.literal(problem.outcome)}")
    for k, (what, roles, words) in enumerate(ways):
        st.button(
            f"Read it so: {page.literal(what)}",
            key=f"sigboard.plan.way.{k}.{collection.version}.{problem.file}",
            on_click=_say_of_files if problem.headings_of else _say,
            args=(collection, problem, "\n".join(roles), ratings, "\n".join(words)),
        )


def offer(collection: Collection, problem: ReadError) -> None:
    """A button for each way to read the file again that the advice names; of a question, for lists and tables: it has its own for
    roles."""
    known, asked = _detected(collection, problem.file), isinstance(problem, readers.Unclear)
    if known is None or not known.reader:
        return
    for k, (what, options) in enumerate(readers.offers(problem.fix)):
        if not asked or not {"columns", "cells"} & {*options}:
            st.button(
                f"Read it so: {page.literal(what)}",
                key=f"sigboard.plan.offer.{k}.{collection.version}.{problem.file}",
                on_click=_again,
                args=(collection, known, options),
            )


def _again(collection: Collection, known: readers.Detected, options: Mapping[str, str]) -> None:
    """Read the file again, with these options besides those that were said before."""
    joined = {name: "\n".join(filter(None, [str(known.options.get(name) or ""), own])) for name, own in options.items()}
    collection.re_read(known.file, known.reader, {**known.options, **joined})


def _of_roles(problem: readers.Unclear) -> list[tuple[str, list[str], list[str]]]:
    """The readings that are possible, with the roles and the meanings of words of each; not the one that the table shows,
    which has its own button."""
    cut = [(problem.in_words(way), *readers.parts(way[1])) for way in (*problem.ways, *problem.others)]
    known = [one for one in cut if not any(word.endswith("=NUMBER") for word in one[2])]  # a button writes no numbers
    return [(what, roles, words) for what, roles, words in known if words or not _shown(problem).issuperset(roles)]


def _shown(problem: readers.Unclear) -> set[str]:
    """The roles that the table shows, as a command says them."""
    return {f"{claim.column}={claim.role}" for claim in problem.claims}


def _confirm(collection: Collection, problem: readers.Unclear, roles: Sequence[str], ratings: bool = False) -> None:
    """Read the file again with these roles, and others with the same headings now and later in this visit."""
    said = [
        (claim, role)
        for claim, role in zip(problem.claims, roles, strict=True)
        if not (ratings and _is_known(claim, role))
    ]
    _say(collection, problem, "\n".join(f"{claim.column}={role}" for claim, role in said), ratings)


def _is_known(claim: readers.Claim, role: str) -> bool:
    """Whether nobody changed what the heading says: of ratings it may be more than a role, such as a judge."""
    return claim.sure and claim.role == role


def _say(collection: Collection, problem: readers.Unclear, said: str, ratings: bool = False, cells: str = "") -> None:
    """Read the file again as it is said, and others with the same headings now and later in this visit; of ratings, and where
    `cells` say what words mean, this file alone."""
    if ratings or cells:
        _read_as(collection, problem.file, said, ratings, cells)
        return
    st.session_state.setdefault(CONFIRMED, {})[_layout(problem.claims)] = said
    apply(collection)


def _say_of_files(
    collection: Collection, problem: readers.Unclear, said: str, ratings: bool = False, cells: str = ""
) -> None:
    """Read all files again of which the question is, each with the roles of its own columns; so are other files of which the same is
    asked."""
    alike = [one for one in collection.problems if isinstance(one, readers.Unclear) and one.why == problem.why]
    headings = {file: own for one in (problem, *alike) for file, own in one.headings_of.items()}
    roles = readers.said_columns(said.split("\n"))
    for file, own in headings.items():
        columns = "\n".join(f"{name}={role}" for name, role in roles.items() if name in own)
        _read_as(collection, file, columns, ratings, cells)


def apply(collection: Collection) -> None:
    """Read refused tables again that have the headings of a plan confirmed in this visit, or of a file that was read so
    before (in a project that was opened)."""
    known = _of_files(collection) | st.session_state.get(CONFIRMED, {})
    for problem in [one for one in collection.problems if isinstance(one, readers.Unclear)]:
        said = known.get(_layout(problem.claims))
        found = _detected(collection, problem.file)
        if said is not None and found is not None and found.reader:
            _read_as(collection, problem.file, said)


KEPT = ("explode", "table")  # where in the file the table is: that holds, whatever its columns are


def _read_as(collection: Collection, file: str, columns: str, ratings: bool = False, cells: str = "") -> None:
    """Read a file again with these roles of its columns, and what its words mean; where in it the table is remains as it was said."""
    known = _detected(collection, file)
    reader, said = ("ratings", {}) if known is None or ratings else (known.reader, known.options)
    kept = {name: said[name] for name in KEPT if said.get(name)}
    collection.re_read(file, reader, kept | {"columns": columns} | ({"cells": cells} if cells else {}))


def _detected(collection: Collection, file: str) -> readers.Detected | None:
    """What a file was detected as; None where it is gone."""
    return next((one for one in collection.detected if one.file == file), None)


def _of_files(collection: Collection) -> dict[tuple[str, ...], str]:
    """What was said about columns of the files that are loaded, by all headings of the file."""
    out = dict[tuple[str, ...], str]()
    for one in collection.detected:
        if columns := one.options.get("columns"):
            own = [claim for claim in collection.claims if claim.file == one.file and claim.column]
            # a project does not hold the claims: a plan confirmed on the page has all columns
            out[_layout(own) or tuple(readers.said_columns(str(columns).split("\n")))] = str(columns)
    return out


def _layout(claims: Sequence[readers.Claim]) -> tuple[str, ...]:
    return readers.recipe.headings(claims)
