"""Files with the same columns that no rule understands: each may be a system, and its columns measures; or the only column that
differs has what each says."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress

from sigcore.errors import SigError
from sigcore.formatting import listed
from sigcore.measures import better_of
from sigcore.readers.contract import Claim, Detected, Found, Notice
from sigcore.readers.shared import Columns, called_plainly, tables_of
from sigcore.readers.tables import doubts, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.unclear import Absent, Unclear, Way, said_as
from sigcore.readers.together import ReadOne, Settings

FEWEST = 5  # segments: no exact test of fewer can give a p of 0.05
EACH = "each file is a system, and these are its measures"
BY_PLACE = "each file is a system, these are its measures, and equal rows of all files are of one question"
VALUES = ("score", "system", "ignored")  # roles of columns that may hold a measure


def offer(problems: Sequence[SigError], read: ReadOne) -> None:
    """Add to each question about files with the same columns the reading that takes each file for a system, where none of its
    own does. `read` reads a file as somebody says."""
    groups: dict[frozenset[str], list[Unclear]] = {}
    for one in problems:
        if isinstance(one, Unclear) and not isinstance(one, Absent):
            groups.setdefault(frozenset(claim.column for claim in one.claims), []).append(one)
    for own in groups.values():
        if len(own) > 1 and not any(map(_leads_on, own)) and (way := _way(own, read)) is not None:
            for problem in own:
                problem.with_ways([way, *problem.ways])


def beside_right(
    result: Found, detected: Sequence[Detected], given: Collection[str], columns: Columns
) -> dict[str, Settings]:
    """The roles by file of tables that were asked about, one of which is `given` as the reference, and whose cells are the same but
    for one column: there each of the others has what a system said. `columns` gives the columns of a file."""
    asked = [one for one in result.problems if isinstance(one, Unclear)]
    right = [str(one.file) for one in asked if one.file in given]
    if len(right) != 1:
        return {}
    tables = called_plainly(asked, tables_of(detected, columns))
    own = {str(one.file): tables.get(str(one.file), {}) for one in asked}
    own = {file: table for file, table in sorted(own.items()) if table.keys() == own[right[0]].keys()}
    name = _differs([*own.values()])
    if not name:
        return {}
    message = f"{name} is the only column in which {listed(own)} differ: what is right, and what the others say."
    result.notices.append(Notice(right[0], message))
    rest = dict.fromkeys(own[right[0]], "ignored")
    roles = {file: "reference" if file in right else "text" for file in own}
    return {file: {"columns": _in_lines({**rest, name: role})} for file, role in roles.items()}


def _differs(tables: Sequence[Mapping[str, Sequence[str]]]) -> str:
    """The only column that is not the same in all tables of as many rows, which are not few; "" for others."""
    differ = [name for name in tables[0] if any(one[name] != tables[0][name] for one in tables)]
    rows = {len(one[name]) for one in tables for name in differ}
    return differ[0] if len(differ) == len(rows) == 1 and min(rows) >= FEWEST else ""


def _leads_on(problem: Unclear) -> bool:
    """Whether a command of the question takes the file for one system, or rows for pairs of systems; or it has other advice."""
    said = [
        set(problem.plan.values()),
        *({word.rpartition("=")[2] for word in shlex.split(way[1])} for way in problem.ways),
    ]
    return bool(problem.advice) or any("system" not in roles or "first" in roles for roles in said if roles)


def _way(problems: Sequence[Unclear], read: ReadOne) -> Way | None:
    """The reading that takes each of these files for one system; None where it is refused, or nothing says which rows belong
    together."""
    claims = problems[0].claims
    measures = _measures(claims)
    asked = [one.column for one in claims if one.role == "question"]
    if not measures or not (asked or all(map(_is_of_question, claims))):
        return None
    roles = {one.column: "ignored" for one in claims if not one.sure}
    roles |= {**dict.fromkeys(asked, "question"), **dict.fromkeys(measures, "score")}
    for why, own in _apart(claims, roles):
        if differ := _fit(problems, own, read, bool(asked)):
            same = dict.fromkeys((name for name in measures if name not in differ), "ignored")
            return why, said_as({**own, **same})
    return None


def _measures(claims: Sequence[Claim]) -> list[str]:
    """The columns that may hold measures: those that their headings name, then other scores; without any what an answer cost."""
    open_ = {one.column: one.role for one in claims if _is_number(one)}
    named = [name for name, role in open_.items() if role in VALUES and _names_measure(name)]
    scores = [name for name, role in open_.items() if role == "score" and not words.is_field(name)]
    costs = [name for name in open_ if words.is_field(name) and better_of(name) == "lower"]
    return list(dict.fromkeys([*named, *scores])) or costs


def _apart(claims: Sequence[Claim], roles: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The readings with these roles: who rated, or a seed, may tell the rows of a question apart."""
    what = EACH if "question" in roles.values() else BY_PLACE
    yield what, roles
    for name in (one.column for one in claims if words.meaning(one.column) in ("judge", "run")):
        yield f"{what}, and {name} tells rows of a question apart", {**roles, name: "run"}


def _in_lines(roles: Mapping[str, str]) -> str:
    """The roles as the setting of a file has them."""
    return "\n".join(f"{name}={role}" for name, role in roles.items())


def _names_measure(heading: str) -> bool:
    return words.has_measure(heading) or words.is_rated(heading)


def _is_of_question(claim: Claim) -> bool:
    """Whether a column has numbers, and its heading says nothing of a run or its settings: then rows may be of questions."""
    heading = claim.column.strip()
    tried = words.meaning(heading) == "run" or words.is_field(heading) or doubts.SETTING.fullmatch(heading)
    return _is_number(claim) and not tried


def _is_number(claim: Claim) -> bool:
    """Whether the first cells of a column are numbers, or missing."""
    return bool(claim.cells) and all(numbers.is_missing(cell) or numbers.is_number(cell) for cell in claim.cells)


def _fit(problems: Sequence[Unclear], roles: Mapping[str, str], read: ReadOne, keyed: bool) -> set[str]:
    """The measures that are not the same in all files, where each of these, read with these roles, has the same measures of one
    system, with the same questions, or as many rows; none for others."""
    found = list[Found]()
    with suppress(SigError):
        found = [read(str(one.file), {"columns": _in_lines(roles)}) for one in problems]
    cells = list(filter(None, map(_cells, found)))
    if not cells or len(cells) < len(found) or any(one.keys() != cells[0].keys() for one in cells):
        return set()
    rows = [_questions(one) if keyed else {str(len(one.items[0].segments))} for one in found]
    shared = 2 * len(set.intersection(*rows)) >= len(rows[0])
    return {name for name in cells[0] if shared and any(one[name] != cells[0][name] for one in cells)}


def _cells(found: Found) -> dict[str, dict[str | int, str]]:
    """The scores of the one system of a file, by measure and segment; {} for other files, and for few segments."""
    own = [item for item in found.items if item.role == "system"]
    if len({item.name for item in own}) != 1 or len(own[0].segments) < FEWEST:
        return {}
    return {item.measure: dict(zip(item.keys or range(len(item.segments)), item.segments, strict=True)) for item in own}


def _questions(found: Found) -> set[str]:
    """The questions of a file, without the names of their runs."""
    asked = next((item.segments for item in found.items if item.name == words.QUESTIONS), None)
    return {*(asked or next(item.keys for item in found.items if item.role == "system"))}
