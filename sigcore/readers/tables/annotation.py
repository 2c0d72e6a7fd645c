"""Exports of the programs in which people rate (webMUSHRA, CrowdFlower, Qualtrics), below the headings of the vocabulary."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sigcore.formatting import count
from sigcore.readers.contract import Notice
from sigcore.readers.tables import printed
from sigcore.readers.tables.cells import Rows
from sigcore.readers.tables.table import Table


@dataclass(frozen=True)
class Tool:
    """A program whose exports are known by the headings `needs`; `called` are its headings and their meanings, of those with
    one meaning the first that a file has."""

    name: str
    needs: tuple[str, ...]
    called: Mapping[str, str]


TOOLS = (
    Tool(
        "webMUSHRA",
        ("trial_id", "rating_stimulus", "rating_score"),
        {
            "trial_id": "segment",
            "rating_stimulus": "system",
            "rating_score": "score",
            "session_uuid": "judge",
            "email": "judge",
        },
    ),
    Tool("CrowdFlower", ("_unit_id", "_worker_id"), {"_unit_id": "segment", "_worker_id": "judge"}),
)


def renamed(headings: Sequence[str]) -> tuple[list[str], str]:
    """The headings with the words of the vocabulary for those of a known program, and its name; ("" for others)."""
    known = [one.strip().lower() for one in headings]
    for tool in TOOLS:
        if {*tool.needs} <= {*known}:
            first = {word: heading for heading, word in reversed([*tool.called.items()]) if heading in known}
            words = {known.index(heading): word for word, heading in first.items()}
            return [words.get(k, heading) for k, heading in enumerate(headings)], tool.name
    return list(headings), ""


def of_tool(table: Table, notices: list[Notice]) -> Table:
    """The table of a known program below the words of the vocabulary, which is noted; another table as it is."""
    named, tool = renamed(table.headings)
    if not tool:
        return table
    changed = {k: word for k, word in enumerate(named) if word != table.headings[k]}
    shown = ", ".join(f"{table.headings[k]} = {word}" for k, word in changed.items())
    notices.append(Notice(table.file, f"It was recognised as a file of {tool}: {shown}."))
    return table.renamed(changed)


# Qualtrics writes three lines of headings: codes, what was asked, and where each answer comes from.

IMPORTED = re.compile(r'\s*\{\s*"ImportId"\s*:.*\}\s*')
ANSWER = re.compile(r"QID\d+")
PERSON, STATUS = "_recordId", "status"  # of a response
TRIED = ("survey preview", "survey test")  # by who made the survey
HEADINGS = 3


def of_survey(rows: Rows, notices: list[Notice]) -> Rows:
    """The answers in an export of Qualtrics, below what was asked, and beside them who answered; other rows as they are."""
    if len(rows.cells) <= HEADINGS or not all(map(IMPORTED.fullmatch, rows.cells[HEADINGS - 1])):
        return rows
    sources = [str(json.loads(cell)["ImportId"]) for cell in rows.cells[HEADINGS - 1]]
    own = [k for k, source in enumerate(sources) if ANSWER.match(source) or source == PERSON]
    kept = _answered(rows, sources)
    tried = len(rows.cells) - HEADINGS - len(kept)
    more = f", and {count(tried, 'response')} of a preview are left out." if tried else "."
    message = f"It was recognised as a file of Qualtrics: its second line says what was asked{more}"
    notices.append(Notice(rows.file, message))
    head = ["judge" if sources[k] == PERSON else rows.cells[1][k] for k in own]
    body = [[rows.cells[i][k] for k in own] for i in kept]
    return Rows(rows.file, rows.mark, [head, *body], [1, *(rows.lines[i] for i in kept)])


def _answered(rows: Rows, sources: Sequence[str]) -> list[int]:
    """The places of the responses that are no preview."""
    body = range(HEADINGS, len(rows.cells))
    status = sources.index(STATUS) if STATUS in sources else None
    return [i for i in body if status is None or rows.cells[i][status].strip().lower() not in TRIED]


def joined(rows: Rows, notices: list[Notice]) -> Rows:
    """The rows with one heading for each column, where every group in a first line has the same columns in the second; other
    rows as they are."""
    parts = printed.grouped(rows.cells)
    if not parts:
        return rows
    plain = [one.strip() or other for one, other in zip(*rows.cells[:2], strict=True)]
    head = [": ".join(parts[k]) if k in parts else name for k, name in enumerate(plain)]
    notices.append(Notice(rows.file, "Its headings are in two lines, which were joined.", rows.lines[0]))
    return Rows(rows.file, rows.mark, [head, *rows.cells[2:]], [rows.lines[0], *rows.lines[2:]])
