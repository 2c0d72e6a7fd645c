"""Batches of Amazon Mechanical Turk: answers that the requester has rejected."""

from __future__ import annotations

from collections.abc import Sequence

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.readers.contract import Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table

HIT, STATUS, REJECTED = "HITId", "AssignmentStatus", "Rejected"


def without_rejected(table: Table, notices: list[Notice]) -> Table:
    """The table without the answers that the requester has rejected, which are counted in a notice.

    Raises: ReadError where none is left.
    """
    named = [words.normalised(name) for name in table.headings]
    if words.normalised(HIT) not in named or words.normalised(STATUS) not in named:
        return table
    kept = _others(table.column(named.index(words.normalised(STATUS))))
    if len(kept) == len(table.rows):
        return table
    if not kept:
        raise ReadError("All its answers were rejected.", table.file, 1, "Load a batch with answers that count.")
    gone = len(table.rows) - len(kept)
    message = f"{count(gone, 'answer')} with {STATUS} {REJECTED} {'is' if gone == 1 else 'are'} left out."
    notices.append(Notice(table.file, message))
    return table.kept(kept)


def _others(cells: Sequence[str]) -> list[int]:
    return [k for k, cell in enumerate(cells) if cell.strip() != REJECTED]
