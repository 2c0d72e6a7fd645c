"""The exports of Appraise, which have no header: ratings of segments (DA, ESA), or marked errors (MQM)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.readers.contract import Content, Notice, Options
from sigcore.readers.tables import cells, numbers, rated
from sigcore.readers.tables.cells import Rows
from sigcore.readers.tables.table import Table

# user, system, item, type, source, target, score [, document, whole document or not [, spans]], times
HEADINGS = ("user_name", "system", "item_id", "item_type", "src_lang", "trg_lang", "score")
ROW = re.compile(r"[^,]+,[^,]+,\d+,(?:TGT|BAD|REF|CHK)\d*,[a-z]{2,3}[^,]*,[a-z]{2,3}[^,]*,-?[\d.]+,")
SYSTEM, TYPE, SCORE, DOCUMENT, WHOLE, SPANS = 1, 3, 6, 7, 8, 9
NARROWEST, WITH_SPANS = 11, 12  # columns from which on there are documents, and spans
DOCUMENT_MARK = re.compile(r"(?:#(?:bad|incomplete|dup\w*))+$")
TUTORIAL = re.compile(r"(?:^|[-_.#])tutorial[-_]?\d*(?:$|[-_.#])", re.IGNORECASE)
MQM = "MQM"


def table(content: Content, options: Options) -> tuple[Table, list[Notice]]:
    """The rows with headings, without rows of the tutorial and ratings of whole documents; notices count what is left out.

    If all scores are 0, the points of the errors in the spans are the scores (dimension MQM, more is better).
    Raises: ReadError if only whole documents or the tutorial are rated, or if all scores are 0 without errors to count.
    """
    rows = cells.rows(content, ",").without_blank()
    cells.refuse_ragged(rows)
    width, notices = len(rows.cells[0]), list[Notice]()
    with_documents = width >= NARROWEST
    named = (SYSTEM, DOCUMENT) if with_documents else (SYSTEM,)
    tutorial = [any(TUTORIAL.search(row[k].strip()) for k in named) for row in rows.cells]
    rows = _without(rows, tutorial, "of the tutorial", notices)
    if with_documents:
        whole = [row[WHOLE].strip().lower() == "true" for row in rows.cells]
        rows = _without(rows, whole, "of whole documents", notices)
    body = [list(row) for row in rows.cells]
    for row in body if with_documents else ():
        row[DOCUMENT] = DOCUMENT_MARK.sub("", row[DOCUMENT].strip())
    headings = [*HEADINGS, *(("doc_id", "rates the whole document") if with_documents else ())]
    headings += [f"column {k + 1}" for k in range(len(headings), width)]
    if _are_errors(body, width):
        body = _scored(content.file, body, rows.lines, options)
        message = f"All its scores are 0; the errors in the spans were scored as MQM ({rated.points_in(options)})."
        headings, notices = [*headings, "dimension"], [*notices, Notice(content.file, message)]
    return Table(content.file, headings, body, rows.lines), notices


def without_tutorial(table: Table, notices: list[Notice]) -> Table:
    """A table with a header without the rows whose system or document is the tutorial; they are counted in a notice."""
    places = table.where("system", "document")
    out = {k: {cell for cell in table.column(k).counts if TUTORIAL.search(cell.strip())} for k in places}
    if not any(out.values()):
        return table
    kept = [i for i, row in enumerate(table.rows) if not any(row[k] in cells for k, cells in out.items())]
    if not kept:
        return table
    notices.append(Notice(table.file, f"{count(len(table.rows) - len(kept), 'score')} of the tutorial are left out."))
    return table.kept(kept)


def _without(rows: Rows, out: Sequence[bool], what: str, notices: list[Notice]) -> Rows:
    """The rows that are not left out, which are counted in a notice.

    Raises: ReadError if nothing is left.
    """
    kept = rows.kept([i for i, leave in enumerate(out) if not leave])
    if not kept.cells:
        message = f"{rows.file} contains only scores {what}."
        raise ReadError(message, rows.file, 1, "Load a file with ratings of segments.")
    if len(kept.cells) < len(rows.cells):
        message = f"{count(len(rows.cells) - len(kept.cells), 'score')} {what} are left out."
        notices.append(Notice(rows.file, message))
    return kept


def _are_errors(body: Sequence[Sequence[str]], width: int) -> bool:
    """Whether the scores are all 0 and the ratings are in the spans."""
    scores = {row[SCORE].strip() for row in body}
    zero = all(numbers.is_number(cell) and float(cell) == 0 for cell in scores)
    return zero and width >= WITH_SPANS and len(body) > 1


def _scored(file: str, body: Sequence[Sequence[str]], lines: Sequence[int], options: Options) -> list[list[str]]:
    """The rows with the negated points of their errors as scores, and the dimension MQM; "" where a rating is missing.

    Raises: ReadError if a cell that is not empty is not a list of errors, or if no rating has one.
    """
    points = [rated.of_spans(row[SPANS], options) for row in body]
    for row, line, value in zip(body, lines, points, strict=True):
        if value is None and not numbers.is_missing(row[SPANS]):
            message = f"line {line}: all scores are 0, and {row[SPANS][:40]!r} is not a list of errors with severities."
            raise ReadError(message, file, line, "Export the ratings again with their scores, or with their errors.")
    if not any(points):
        message = f"All scores in {file} are 0, and no errors are marked."
        raise ReadError(message, file, 1, "Export the ratings with their scores, or with their errors.")
    shown = ["" if value is None else repr(-value if value else 0.0) for value in points]
    return [[*row[:SCORE], score, *row[SCORE + 1 :], MQM] for row, score in zip(body, shown, strict=True)]
