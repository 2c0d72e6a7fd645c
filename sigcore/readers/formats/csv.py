"""CSV: like TSV, but separated by commas or semicolons, with quoted cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.proof import parsed
from sigcore.readers import names
from sigcore.readers.contract import BY_LOOK, BY_NAME, CERTAIN, NO, Content, Found, Notice, Options, Reader, described
from sigcore.readers.tables import cells, headings, layouts, markdown, numbers, preferred, printed, said
from sigcore.readers.tables import read as tables

TABLES = ("csv", "tsv", "xlsx", "ods", "json", "jsonl")  # whose cells are separated by marks, or named


def _looks(content: Content) -> int:
    return CERTAIN if content.suffix == printed.NOTEBOOK else _looks_like_table(content)


def _looks_like_table(content: Content) -> int:
    if layouts.piped(content.lines) or (content.suffix not in TABLES and printed.is_printed(content)):
        return BY_LOOK
    if names.guess_role(content.file) == "ignored":
        return NO
    if content.suffix in ("csv", "xlsx", "ods") or _is_misnamed(content):  # a sheet of a workbook is unpacked to CSV
        return BY_NAME
    head = content.lines[0]
    mark = cells.quoted_mark(head)
    named = cells.cut(head, mark)
    known = sum(headings.is_header_word(cell) or headings.is_value(cell) for cell in named)
    known += 2 * (preferred.columns(named) is not None or _is_quoted(content))
    known += 2 * (known < 2 and _is_plain(content, mark))
    return BY_LOOK if known >= 2 and len(content.lines) > 1 and cells.is_even(content.lines, mark) else NO


NAMED = re.compile(r"[A-Za-z][\w@.]*")  # ndcg@20


def _is_plain(content: Content, mark: cells.Mark) -> bool:
    """Whether three names or more, or one and a measure, stand above rows of as many cells, with a number in one column of all of them: a table,
    whatever the file is called, and none of its headings known."""
    shown = [cells.cut(line, mark) for line in content.lines[: cells.LOOKED_AT] if line.strip()]
    head, *rows = shown or [[]]
    even = len(rows) > 1 and _are_several(head) and all(len(row) == len(head) for row in rows)
    if not even or not all(map(NAMED.fullmatch, head)) or len({*head}) < len(head):
        return False
    below = [row for row in rows if row != head]  # some programs repeat their headings
    return any(all(map(numbers.is_number, column)) for column in zip(*below, strict=True))


def _are_several(head: Sequence[str]) -> bool:
    return len(head) > 2 or (len(head) == 2 and headings.is_measure(head[1]))


QUOTED = re.compile(r'"[^"]+"(?:[,;]"[^"]+"){2,}')


def _is_quoted(content: Content) -> bool:
    """Whether words in quotes stand above numbers, as R writes them."""
    below = [cells.cut(line, cells.quoted_mark(line)) for line in content.lines[1 : cells.LOOKED_AT] if line.strip()]
    return QUOTED.fullmatch(content.lines[0].strip()) is not None and all(
        any(map(numbers.is_number, row)) for row in below
    )


def _is_misnamed(content: Content) -> bool:
    """Whether a file is called .tsv and has no TAB, but the same number of other marks in its first lines, with known
    headings or numbers between them: text has commas, too."""
    if content.suffix != "tsv" or "\t" in content.text or len(content.lines) < 2:
        return False
    mark = cells.quoted_mark(content.lines[0])
    shown = [cells.cut(line, mark) for line in content.lines[: cells.LOOKED_AT] if line.strip()]
    if not shown:
        return False
    has_header = any(map(headings.is_header_word, shown[0])) or any(map(numbers.is_number, shown[-1]))
    return has_header and len(shown[0]) > 1 and cells.is_even(content.lines, mark)


def _read(content: Content, options: Options) -> Found:
    if content.suffix == printed.NOTEBOOK:
        content, notice = printed.in_notebook(content)
        result = _table(content, options)
        result.notices.insert(0, notice)
        return result
    return _table(content, options)


def _table(content: Content, options: Options) -> Found:
    if piped := layouts.piped(content.lines):
        if markdown.are_of_tasks(content):
            markdown.refuse_of_tasks(content.file, 1)
        return tables.read_rows(content.file, piped, (1, *range(3, len(piped) + 2)), options, headed=True)
    if content.suffix not in TABLES and (shown := printed.found(content, str(options["table"]))) is not None:
        result = tables.read_rows(content.file, shown.rows, shown.places, options, headed=shown.ruled)
        result.notices.insert(0, Notice(content.file, shown.how, shown.places[0]))
        if shown.measure:
            result.items = [
                replace(one, measure=shown.measure) if one.kind == "scores" else one for one in result.items
            ]
        return result
    content, above, noted = cells.below_comments(content)
    # a blank line is not a row; the count of rows is checked against the other files
    rows = cells.rows(content, cells.quoted_mark(content.lines[0])).without_blank().moved(above)
    if not rows.cells:
        raise ReadError(f"{content.file} has no rows.", content.file, fix="Load the complete table.")
    summed = list[Notice]()
    rows = cells.closed(cells.without_last_sum(rows, summed))
    cells.refuse_ragged(rows)
    kept, notices = cells.without_margins(rows)
    if not said.said(options):
        layouts.refuse_stacked(content.file, kept.cells, kept.lines)
    result = tables.read_rows(content.file, kept.cells, kept.lines, options)
    if content.suffix == "tsv":
        notices.append(Notice(content.file, f"It is called .tsv, but its cells are separated by {rows.mark!r}."))
    result.notices[:0] = [*noted, *summed, *notices]
    return result


def _rows(content: Content) -> Sequence[Sequence[str]]:
    """The cells between the marks of Markdown, or in columns of a text; [] where marks separate them."""
    if piped := layouts.piped(content.lines):
        return piped
    shown = None if content.suffix in TABLES else printed.found(content)
    return shown.rows if shown else []


READER = Reader(
    **described("csv"),
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    table=_rows,
    options=said.FIELDS,
    proof=parsed(("system", "One", ("0.81", "0.64")), ("system", "Two", ("0.79", "0.70"))),
)
