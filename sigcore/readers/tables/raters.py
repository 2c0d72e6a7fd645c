"""Columns of people (annotator_1, rater 2, judge A) beside a column of systems: who rated the system of each row."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from sigcore.formatting import listed
from sigcore.readers.contract import Found, Notice
from sigcore.readers.tables import evident, long, numbers
from sigcore.readers.tables.table import Table

PERSON = re.compile(
    r"(?:(?:score|rating)s?[-_. ]+)?(?:ann(?:ot(?:ator)?)?|rater|worker|judge|expert|coder|evaluator|reviewer|assessor|"
    r"participant|human|labell?er|person|turker|linguist)[-_. ]*(?:#?[0-9]{1,3}|(?-i:[A-Z])|(?<=[-_. ])[a-z])(?:[-_. ]+(?:score|rating)s?)?",
    re.IGNORECASE,
)
LONG = ["system", "segment", "judge", "dimension", "score"]
RATING = "rating"  # what people gave, where no heading says more


def are_people(headings: Sequence[str]) -> bool:
    """Whether several headings name a person each."""
    return len(headings) > 1 and all(PERSON.fullmatch(name.strip()) for name in headings)


def columns(table: Table) -> list[int]:
    """The columns of numbers below the names of people, where one other column names the system that each row rates; []
    without it, and for fewer than two people."""
    named = table.headed(PERSON.fullmatch)
    systems = [k for k in table.where("system") if k not in named]
    if (
        table.role
        or table.basis == "program"
        or len(systems) != 1
        or not table.repeats(systems[0])
        or table.numeric(systems[0])
    ):
        return []
    rated = all(_is_rated(table, k) for k in named)
    return named if rated and are_people(table.named(named)) else []


def _is_rated(table: Table, k: int) -> bool:
    """Whether a column holds numbers, or nothing where this person did not rate."""
    cells = [cell for cell in table.column(k).counts if not numbers.is_missing(cell)]
    return bool(cells) and all(map(numbers.is_number, cells))


def long_form(table: Table, notices: list[Notice]) -> Table | None:
    """The ratings with a row each, and their judges; None for another table, and where no column names the segments."""
    people, system = columns(table), table.where("system")
    segment = _segments(table, system) if people else []
    if not segment:
        return None
    criterion = table.where("dimension")[:1]
    rows = [
        [row[system[0]], row[segment[0]], table.headings[k].strip(), row[criterion[0]] if criterion else RATING, row[k]]
        for row in table.rows
        for k in people
    ]
    notices.append(
        Notice(table.file, f"A column for each judge was read as the ratings of one: {_named(table, people)}.")
    )
    return Table(table.file, LONG, rows, [line for line in table.places for _ in people])


def _segments(table: Table, system: Sequence[int]) -> list[int]:
    """The column that names what was rated, if there is one."""
    return (table.where("segment", "perhaps segment") or long.named_ids(table, system))[:1]


def averaged(table: Table, result: Found) -> Table:
    """The table with the mean of all people in place of a column for each; as it is, where no columns are people."""
    people = columns(table)
    if not people or table.headed(lambda name: name.strip().lower() == RATING):
        return table
    means = [_mean([row[k] for k in people]) for row in table.rows]
    gone = {*people}
    kept = [k for k in range(len(table.headings)) if k not in gone]
    rows = [[*(row[k] for k in kept), mean] for row, mean in zip(table.rows, means, strict=True)]
    named = _named(table, people)
    message = f"{named} are people: their ratings of each row were averaged ({RATING})."
    result.notices.append(Notice(table.file, message))
    result.claims += [evident.claim(table, k, "score", "one of the people whose ratings were averaged") for k in people]
    return replace(table, headings=[*table.named(kept), RATING], rows=rows)


def _named(table: Table, people: Sequence[int]) -> str:
    return listed(table.named(people))


def _mean(cells: Sequence[str]) -> str:
    """The mean of the ratings that are there; "" without any."""
    known = numbers.numbers_in([cell for cell in cells if not numbers.is_missing(cell)])
    return repr(math.fsum(known) / len(known)) if known else ""
