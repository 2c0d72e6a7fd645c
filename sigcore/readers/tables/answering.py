"""Judges whose own answers are right or wrong: who wrote a text, which is better. Then the judges may be what is compared, and what
they judged may be it, too."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from sigcore.formatting import listed
from sigcore.readers.tables import crossing, doubts, numbers, outcomes, proposals
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Way

GUESSED = re.compile(
    r"(?:guess(?:ed)?|pred(?:icted)?|chosen|answered?)(?:[-_. ]|$)", re.IGNORECASE
)  # what a judge said
MOST_TRIED = 20  # pairs of columns: each takes a pass over the rows


def ways(table: Table) -> list[Way]:
    """Both readings of a column of judges beside an outcome, where no other column names systems: the judges compete, or what
    they judged; what does not names the question together with an id. [] for other tables."""
    judges = [k for k in table.where("judge") if _are_names(table, k)]
    right = [k for k in range(len(table.headings)) if outcomes.says_right(table, k)]
    if len(judges) != 1 or len(right) != 1 or _has_systems(table, judges[0]):
        return []
    (judge,), (score,) = judges, right
    for asked, k in itertools.islice(_pairs(table, judge), MOST_TRIED):
        if table.differ([judge, asked, k]) and crossing.cross(table, (judge,), (asked, k)):
            return [_way(table, judge, [asked, k], score), _way(table, k, [asked, judge], score)]
    return []


def _has_systems(table: Table, judge: int) -> bool:
    """Whether another column names systems by its heading, and is not what a judge said."""
    others = [k for k in proposals.named_in(table) if k != judge and proposals.is_called_system(table, k)]
    return not all(_is_guess(table, k) for k in others)


def _pairs(table: Table, judge: int) -> Iterator[tuple[int, int]]:
    """The columns of ids, each with one of what may have been judged."""
    ids = [k for k in range(len(table.headings)) if _may_ask(table, k)]
    judged = [k for k in range(len(table.headings)) if k not in (judge, *ids) and _may_be_judged(table, k)]
    return itertools.product(ids, judged)


def _may_ask(table: Table, k: int) -> bool:
    """Whether a column holds ids of what was asked, which come again, and no ids of what one judge did."""
    known = proposals.says_id(table, k) and not crossing.OF_ROWS.match(table.headings[k].strip())
    return known and table.repeats(k) and len(table.column(k).counts) > 1


def _may_be_judged(table: Table, k: int) -> bool:
    """Whether a column names what was judged: no place among others, and nothing that a judge said."""
    return _are_names(table, k) and not (_is_guess(table, k) or doubts.ORDER.fullmatch(table.headings[k].strip()))


def _is_guess(table: Table, k: int) -> bool:
    return GUESSED.match(table.headings[k].strip()) is not None


def _are_names(table: Table, k: int) -> bool:
    """Whether a column has a few short names, each in several rows."""
    own = table.column(k).counts
    short = all(cell.strip() and len(cell) <= proposals.LONGEST_NAME for cell in own)
    few = 1 < len(own) <= proposals.MOST_SYSTEMS and min(own.values()) > 1
    return few and short and not (table.numeric(k) or numbers.truths(table.column(k), numbers.ALL_OUTCOMES))


def _way(table: Table, system: int, asked: list[int], score: int) -> Way:
    """The reading in words, and the roles that say it."""
    what = f"{table.headings[system]} names the systems, and {listed(table.named(asked))} the questions"
    roles: outcomes.Roles = [(system, "system"), *((k, "question") for k in asked), (score, "score")]
    return what, outcomes.said(table, roles)
