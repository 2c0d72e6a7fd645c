"""JSON: one record per line, or a list of records; a record is a row of a table."""

from __future__ import annotations

from sigcore.readers.contract import BY_LOOK, BY_NAME, CERTAIN, NO, Content, Found, Options, Reader
from sigcore.readers.tables import read as tables
from sigcore.readers.tables import records, said
from sigcore.readers.tables.rated import are_ratings


def _looks(content: Content) -> int:
    if content.suffix in records.SUFFIXES:
        return BY_LOOK if are_ratings(content.file, records.first_headings(content)) else CERTAIN
    return BY_NAME if records.looks_like_records(content) else NO


def _read(content: Content, options: Options) -> Found:
    table, notices = records.read(content)
    result = tables.read_records(table, options)
    result.notices[:0] = notices
    return result


READER = Reader(
    name="jsonl",
    title="records (JSON)",
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    options=said.FIELDS,
    help="One record per segment, or per system and segment; names become headings, lists of references become columns.",
    example=(
        "summaries.jsonl",
        '{"id": "a", "model_id": "One", "decoded": "It rains.", "references": ["Rain falls."]}\n'
        '{"id": "a", "model_id": "Two", "decoded": "Rain.", "references": ["Rain falls."]}\n',
    ),
)
