"""Pairwise judgments that say how one of two systems did (win, loss), which of them is worse, or how often one was preferred."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers.contract import Claim, Part
from sigcore.readers.tables import evident, facing, numbers, versus
from sigcore.readers.tables.preferred import NONE, TIES
from sigcore.readers.tables.table import Table, Unclear, Way

# What one of two systems did; the other one did the opposite.
RESULTS = {
    **dict.fromkeys(("win", "wins", "won", "victory"), "first"),
    **dict.fromkeys(("loss", "loses", "lose", "lost", "losses", "defeat"), "second"),
}
VERSUS = re.compile(r".+[-_ ](?:vs?|versus|against)[-_. ]+.+", re.IGNORECASE)
SHARE = re.compile(r"(?:.+[-_ ])?pref(?:erence|erred|ers)?(?:[-_ ].+)?", re.IGNORECASE)
BEHIND = re.compile(r"(?:baseline|opponent|rival|other|reference|against|second)(?:[-_ ].*)?", re.IGNORECASE)
MOST_COLUMNS = 2  # of numbers that may say who is better
MOST_WORDS = 10  # in a column of wins and losses
Pair = tuple[int, int]


def found(table: Table) -> list[int]:
    """The columns that say win and loss, perhaps with ties."""
    return [k for k in range(len(table.headings)) if {"first", "second"} == {*_said(table, k).values()}]


def _said(table: Table, k: int) -> dict[str, str]:
    """What each word of a column says of the system that it is about, without ties; {} for other columns."""
    if len(own := table.column(k).counts) > MOST_WORDS:
        return {}
    cells = [cell.strip() for cell in own if cell.strip().lower() not in NONE]
    decided = [cell for cell in cells if facing.bare(cell) not in TIES]
    known = {cell: RESULTS.get(facing.bare(cell), "") for cell in decided}
    return known if all(known.values()) else {}


def of_one(table: Table, pair: Pair, asked: Callable[[dict[int, Part]], Sequence[int]]) -> Unclear | None:
    """The question which of two systems in each row won where a column says win; None without such a column. `asked` finds the
    columns that name the question, beside those that have a role."""
    said = [k for k in found(table) if k not in pair]
    if len(said) != 1:
        return None
    won, (one, other) = table.headings[said[0]], sorted(pair, key=lambda k: bool(is_behind(table, k)))
    roles: dict[int, Part] = {one: "first", other: "second", said[0]: "winner"}
    questions = list(asked(roles))
    named = [f"{name}=question" for name in table.named(questions)]
    roles |= dict.fromkeys(questions, "question")
    cells = shlex.join(f"{word}={side}" for word, side in sorted(_said(table, said[0]).items()))
    ways = []
    for k, i in ((one, other), (other, one)):
        columns = shlex.join([f"{table.headings[k]}=first", f"{table.headings[i]}=second", f"{won}=winner", *named])
        ways.append((f"a win in {won} is one of {table.headings[k]}", f"{columns} --cells {cells}"))
    why = f"Whose result does {won} tell? Each row names two systems ({listed(table.named(pair))})."
    return Unclear(table, why, evident.claims(table, "next to a result", roles), ways)


def by_number(table: Table, pair: Pair, asked: Callable[[dict[int, Part]], Sequence[int]]) -> Unclear | None:
    """The question whether the numbers of a column say which of two systems in each row is better; None where no other column than
    ids and runs holds the numbers of a scale. `asked` is as above."""
    known = {*pair, *table.where("segment", "perhaps segment", "document", "run", "dimension")}
    said = [k for k in range(len(table.headings)) if k not in known and facing.leaning([*table.column(k).counts])]
    if not said:
        return None
    one, other = sorted(pair, key=lambda k: bool(is_behind(table, k)))
    roles: dict[int, Part] = {one: "first", other: "second", said[0]: "winner"}
    questions = list(asked(roles))
    shown: dict[int, Part] = {**roles, **dict.fromkeys(questions, "question")}
    sides = (table.headings[one], table.headings[other])
    named = [f"{name}=question" for name in table.named(questions)]
    ways = list[Way]()
    for k in said[:MOST_COLUMNS]:
        won = table.headings[k]
        parts = shlex.join([f"{sides[0]}=first", f"{sides[1]}=second", f"{won}=winner", *named])
        ways += facing.ways_of_scale([*table.column(k).counts], won, sides, parts)
    why = (
        f"Does {' or '.join(table.named(said))} say which system of each row is better? It names two ({listed(sides)})."
    )
    return Unclear(table, why, evident.claims(table, "next to two systems", shown), ways)


def is_behind(table: Table, k: int) -> bool:
    """Whether a heading says that its systems are those with which others are compared."""
    return BEHIND.fullmatch(table.headings[k].strip()) is not None


def of_worse(table: Table, claims: Sequence[Claim], won: int, sides: Mapping[str, str]) -> Unclear:
    """The question whether a column names the worse of both systems, with a command for each answer. `sides` says which system
    each of its words names."""
    name = table.headings[won]
    columns = shlex.join(f"{one.column}={one.role}" for one in claims if not one.sure)
    better = (f"{name} names the better one", columns)
    why = f"Does {name} name the worse system of each row? By its heading it does."
    if not sides:
        fix = f"If so, write the name of the better system in {name}. If it names the better one: --columns {columns}."
        return Unclear(table, why, claims, fix=fix)
    turned = {"first": "second", "second": "first"}
    cells = shlex.join(f"{cell}={turned[side]}" for cell, side in sorted(sides.items()))
    return Unclear(table, why, claims, [(f"{name} names the worse one", f"{columns} --cells {cells}"), better])


def refuse(table: Table) -> None:
    """Raise ReadError for wins and losses of a pair that only a heading names (x_vs_y), and for numbers that say how often one
    of two named systems was preferred."""
    sides = facing.sides_of(table.headings)
    for k in found(table) if sides is None else ():
        if VERSUS.fullmatch(table.headings[k].strip()):
            message = f"{table.headings[k]} says win or loss, and no column names both systems."
            fix = "Name them in columns model_a and model_b, and the better one of each row in a column winner."
            raise ReadError(message, table.file, 1, fix)
    if sides is None or table.headed(versus.WINS.fullmatch) or not versus.are_named(table, *sides):
        return
    shares = [k for k in table.headed(SHARE.fullmatch) if table.numeric(k) and numbers.scale(table.column(k)).fractions]
    if shares:
        message = f"{table.headings[shares[0]]} says by a number which of {listed(table.named(sides))} is better."
        fix = "Write the name of the better system of each row, or tie, in a column winner."
        raise ReadError(message, table.file, 1, fix)
