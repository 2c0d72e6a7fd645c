"""JSON: one record per line, or a list of records; a record is a row of a table."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

from sigcore.formatting import count, listed
from sigcore.proof import parsed
from sigcore.readers import names
from sigcore.readers.contract import (
    ASKED,
    BY_LOOK,
    BY_NAME,
    CERTAIN,
    NO,
    Claim,
    Content,
    Found,
    Options,
    Part,
    Reader,
    described,
    options_of,
)
from sigcore.readers.tables import cubes, entries, jsontext, said, shapes, trec
from sigcore.readers.tables import read as tables
from sigcore.readers.tables.plan import claim
from sigcore.readers.tables.rated import are_ratings
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, said_as


def _looks(content: Content) -> int:
    if trec.in_json(content.text):
        return NO
    if content.suffix in shapes.SUFFIXES:
        return BY_LOOK if are_ratings(content.file, shapes.first_headings(content)) else CERTAIN
    return BY_NAME if jsontext.looks_like_records(content) else NO


def _read(content: Content, options: Options) -> Found:
    table, notices = shapes.read(content, said.listed_in(options, "explode"))
    if not said.said(options):
        cubes.ask(table)
        _ask_classes(table)
    role = names.guess_role(content.file)
    if table.headings == ["id", "text"] and role in ("reference", "source"):
        table = table.renamed({1: role})  # texts by their ids
    result = tables.read_records(table, options)
    if table.inside and result.items and not (result.problems or said.said(options) or options["explode"]):
        _ask_entries(table, result.claims)
    result.notices[:0] = notices
    if '"paragraphs"' in content.text and '"qas"' in content.text:
        said_so = (
            replace(item, note=f"{item.note}, {ASKED}") if item.role == "reference" else item for item in result.items
        )
        result.items = list(said_so)
    return result


def _ask_entries(table: Table, claims: Sequence[Claim]) -> None:
    """Raise Unclear for an object of objects: what has a name and some numbers may well be a task, or a whole system."""
    what = f"{count(len(table.rows), 'entry')} ({listed(table.column(0)[:3])} ...)"
    known = [f"{claim.column}={claim.role}" for claim in claims if claim.role in ("question", "score")]
    sure = all(claim.sure for claim in claims)  # then nothing else is confirmed
    ways = [("each is a question", shlex.join(known))] if sure and known else []
    raise Unclear(table, f"Is each of its {what} a question?", claims, ways)


def _ask_classes(table: Table) -> None:
    """Raise Unclear for the rates of classes, which share one test set."""
    if not (table.inside and entries.are_classes([table.headings])):
        return
    roles: dict[str, Part] = {name: "score" if entries.RATE.fullmatch(name) else "task" for name in table.headings}
    roles[entries.KEY] = "question"
    claims = [claim(table, k, roles[name], "of each class", "heading") for k, name in enumerate(table.headings)]
    why = f"It is a report on {len(table.rows)} classes ({listed(table.column(table.headings.index(entries.KEY))[:3])} ...). Is each of them a question?"
    better = "Better load the right and the predicted label of each text: a test of a few classes can show little."
    way = "the classes are what is compared on", said_as(roles)
    raise Unclear(table, f"{why} {better}", claims, [way])


READER = Reader(
    **described("jsonl"),
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    options=(
        *said.FIELDS,
        *options_of("jsonl"),
    ),
    proof=parsed(
        ("system", "One", ("It rains.",)), ("system", "Two", ("Rain.",)), ("reference", "references", ("Rain falls.",))
    ),
)
