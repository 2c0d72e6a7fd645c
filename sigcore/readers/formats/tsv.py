"""TSV: a column per system, with or without a header; split at TAB only, quotes are text unless all headings have them."""

from __future__ import annotations

from sigcore.proof import parsed
from sigcore.readers import names
from sigcore.readers.contract import BY_LOOK, BY_NAME, NO, Content, Found, Options, Reader
from sigcore.readers.tables import cells, said
from sigcore.readers.tables import read as tables


def _looks(content: Content) -> int:
    if names.guess_role(content.file) == "ignored" or "\t" not in content.text:
        return NO
    if content.suffix == "tsv":
        return BY_NAME
    return BY_LOOK if len(content.lines) > 1 and cells.has_equal_tabs(content.lines) else NO


def _read(content: Content, options: Options) -> Found:
    content, above, noted = cells.below_comments(content)
    rows = cells.rows(content, "\t").moved(above)
    cells.refuse_ragged(rows)
    result = tables.read_rows(content.file, rows.cells, rows.lines, options)
    result.notices[:0] = noted
    return result


READER = Reader(
    name="tsv",
    title="table (TSV)",
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    options=said.FIELDS,
    help="A column per system, reference or score, separated by TAB; quotes are text, unless all headings are in quotes.",
    example=("outputs.tsv", "segment\treference\tOne\tTwo\n1\tIt rains.\tIt is raining.\tRain falls.\n"),
    proof=parsed(
        ("reference", "reference", ("It rains.",)),
        ("system", "One", ("It is raining.",)),
        ("system", "Two", ("Rain falls.",)),
    ),
)
