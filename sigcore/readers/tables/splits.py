"""Parts of the data in one table: rows of train and test are no questions of one test set."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sigcore.formatting import listed
from sigcore.readers.contract import Claim
from sigcore.readers.tables import crossing, evident, plan
from sigcore.readers.tables.table import Table, Unclear


def ask(table: Table, known: Sequence[Claim]) -> None:
    """Raise Unclear for a table that would be read as one test set where a column only holds names of parts of the data, and
    several of them. `known` is what its columns were taken for."""
    if table.role or table.basis:
        return
    for k in table.where(None, "rating type"):
        own = [cell.strip() for cell in table.column(k).counts]
        if len(own) > 1 and crossing.are_splits(own):
            raise _several(table, k, own, known)


def _several(table: Table, k: int, own: Sequence[str], known: Sequence[Claim]) -> Unclear:
    """The question whether the parts of the data in a column are test sets of their own."""
    name = table.headings[k]
    claims = plan.completed(table, {}, [one for one in known if one.column != name])
    claims = [evident.claim(table, k, "task", "parts of the data") if one.column == name else one for one in claims]
    why = f"Its rows are of several parts of the data: {listed(own)}. Is each a test set of its own?"
    said = [shlex.quote(f"{name}={role}") for role in ("task", "ignored")]
    ways = [("each part is a test set of its own", said[0]), ("all rows count together as one test set", said[1])]
    asked = Unclear(table, why, claims, ways)
    asked.settled = True
    return asked
