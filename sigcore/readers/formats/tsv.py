"""TSV: a column per system, with or without a header; split at TAB only, quotes are text unless all headings have them."""

from __future__ import annotations

import re
from dataclasses import replace

from sigcore.formatting import listed
from sigcore.proof import parsed
from sigcore.readers import names, reports
from sigcore.readers.contract import BY_LOOK, BY_NAME, NO, Content, Found, Notice, Options, Reader, described
from sigcore.readers.tables import cells, said, trec
from sigcore.readers.tables import read as tables

SPACED = re.compile(r"(\S+(?: (?= ))?) +(\S+) +(\S+)")  # NDCG@10   12725   0.3047, as RankLib writes it with -idv
LOGGED = 12  # lines that show a log of a training


def _of_queries(content: Content) -> list[list[str]]:
    """The measure, the query and the value in each line of a file with blanks between them; [] for other files."""
    found = [SPACED.fullmatch(line.rstrip()) for line in content.lines if line.strip()]
    rows = [[*row.groups()] for row in found if row]
    return rows if 1 < len(rows) == len(found) and trec.is_trec(rows) else []


def _looks(content: Content) -> int:
    if "\t" not in content.text:
        return BY_NAME if SPACED.fullmatch(content.lines[0].rstrip()) and _of_queries(content) else NO
    if names.guess_role(content.file) == "ignored" or reports.is_training(content.lines[:LOGGED]):
        return NO
    if content.suffix == "tsv":
        return BY_NAME
    if len(content.lines) < 2:
        return NO
    if _is_table(content):
        return BY_LOOK
    return BY_NAME if cells.logged(content) else NO  # whoever knows the lines between its rows is surer


def _is_table(content: Content) -> bool:
    """Whether all lines have the same number of TABs, or nearly all, with numbers between them."""
    return cells.has_equal_tabs(content.lines) or cells.is_nearly_even(content)


def _without_blank(rows: cells.Rows) -> cells.Rows:
    """The rows of a table without blank lines between them: in a file with one column each may be an empty segment."""
    full = [i for i, row in enumerate(rows.cells) if any(map(str.strip, row))]
    widths = {len(rows.cells[i]) for i in full}
    return rows.kept(full) if len(full) < len(rows.cells) and len(widths) == 1 and widths != {1} else rows


def _with_headings(rows: cells.Rows) -> cells.Rows:
    """The rows with as many headings as the others have cells, where spaces separate the headings alone."""
    head, *rest = rows.cells
    named = head[0].split() if len(head) == 1 else []
    if (
        not rest
        or len(named) < 2
        or {len(named)} != {*map(len, rest)}
        or not all(name.isidentifier() for name in named)
    ):
        return rows
    return replace(rows, cells=[named, *rest])


def _read(content: Content, options: Options) -> Found:
    reports.refuse_tables(content)
    if "\t" not in content.text and (spaced := _of_queries(content)):
        places = [k for k, line in enumerate(content.lines, 1) if line.strip()]
        return tables.read_rows(content.file, spaced, places, options)
    values, places = trec.by_system(content.lines)
    if values:
        result = tables.read_rows(content.file, values, places, options)
        named = listed(dict.fromkeys(row[0] for row in values[1:]))
        said_so = Notice(
            content.file, f"Read as values of trec_eval, those of each system below a line with its name: {named}."
        )
        result.notices = [said_so, *(one for one in result.notices if not one.message.startswith("Its first line"))]
        return result
    content, logged = cells.without_log(content)
    content, above, noted = cells.below_comments(content)
    noted = [*logged, *noted]
    rows = _with_headings(_without_blank(cells.rows(content, "\t"))).moved(above)
    rows = cells.closed(cells.realigned(rows, noted))
    cells.refuse_ragged(rows)
    result = tables.read_rows(content.file, rows.cells, rows.lines, options)
    result.notices[:0] = noted
    return result


READER = Reader(
    **described("tsv"),
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    options=said.FIELDS,
    proof=parsed(
        ("reference", "reference", ("It rains.",)),
        ("system", "One", ("It is raining.",)),
        ("system", "Two", ("Rain falls.",)),
    ),
)
