"""TSV: a column per system, with or without a header; split at TAB only, quotes are text."""

from __future__ import annotations

from sigcore.readers import names
from sigcore.readers.contract import BY_LOOK, BY_NAME, NO, Content, Found, Options, Reader
from sigcore.readers.tables import wide as tables


def _looks(content: Content) -> int:
    if names.guess_role(content.file) == "ignored" or "\t" not in content.text:
        return NO
    if content.suffix == "tsv":
        return BY_NAME
    return BY_LOOK if len(content.lines) > 1 and tables.equal_fields(content.lines) else NO


def _read(content: Content, options: Options) -> Found:
    tables.refuse_ragged(content.file, content.lines)
    return tables.read_table(content.file, [line.split("\t") for line in content.lines])


READER = Reader(
    name="tsv",
    title="table (TSV)",
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    help="A column per system, reference or score, separated by TAB; quotes are text.",
    example=("outputs.tsv", "segment\treference\tOne\tTwo\n1\tIt rains.\tIt is raining.\tRain falls.\n"),
)
