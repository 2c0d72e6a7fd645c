"""Winners by place (left, A, first) in tables where another column says which system stood where in each row."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from sigcore.formatting import listed
from sigcore.readers.contract import Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import evident, facing, numbers, preferred
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, Way

# Headings of columns that say whether the systems of a row changed their places.
ORDER = pattern("standing.order")
TELLS = pattern("standing.tells")  # who won, by another judge
TURNED = re.compile(r"swap|flip|turn|revers|exchang|invert", re.IGNORECASE)
BEHIND = re.compile(r"(?:^|[-_. ])(?:right|second|b|2)(?:$|[-_. ])", re.IGNORECASE)
FEWEST = 2  # rows in which both systems stood first
Sides = tuple[int, int]


def ask(table: Table, sides: Sides, won: int) -> None:
    """Raise Unclear where the winners are places, and another column may say who stood where: then a place is none of these
    columns. Pairs in both orders say it themselves, unless a column of orders says something else."""
    if not _by_place(table, sides, won):
        return
    rest = _others(table, (*sides, won))
    both = _in_both_orders(table, sides)
    if not both and (named := [k for k in rest if _names_one(table, k, sides)][:2]):
        raise _asked(table, sides, won, named, _ways_by_name(table, won, named))
    order = table.headed(ORDER.fullmatch, [k for k in rest if len(_values(table, k)) == 2])[:1]
    if order and sides == facing.sides_of(table.headings) and not (both and _repeats_order(table, order[0], sides)):
        raise _asked(table, sides, won, order, _ways_by_order(table, sides, won, order[0]))


def _others(table: Table, known: Sequence[int]) -> list[int]:
    """The columns without those that are known, judges, and what other judges said."""
    rest = [k for k in range(len(table.headings)) if k not in known and table.meanings[k] != "judge"]
    return [k for k in rest if not TELLS.search(table.headings[k])]


def _values(table: Table, k: int) -> list[str]:
    return sorted({cell.strip() for cell in table.column(k).counts} - {""})


def _by_place(table: Table, sides: Sides, won: int) -> bool:
    """Whether all winners are places, and none is the heading or the name of a system."""
    known = {*map(facing.bare, table.named(sides))} | {
        facing.bare(cell) for k in sides for cell in table.column(k).counts
    }
    words = {facing.bare(cell) for cell in table.column(won).counts if cell.strip().lower() not in preferred.NONE}
    words -= {*preferred.TIES, preferred.MIXED, "0"}
    return bool(words) and known.isdisjoint(words) and words <= preferred.FIRST | preferred.SECOND


def _pairs(table: Table, sides: Sides) -> list[tuple[str, str]]:
    """Both names of each row."""
    return [(a.strip(), b.strip()) for a, b in zip(*map(table.column, sides), strict=True)]


def _in_both_orders(table: Table, sides: Sides) -> bool:
    """Whether a pair of systems stands in both orders: then these columns say who stood where."""
    pairs = {*_pairs(table, sides)}
    return any((b, a) in pairs for a, b in pairs)


def _repeats_order(table: Table, k: int, sides: Sides) -> bool:
    """Whether a column of two values says the same as the order in which each pair is written: with one value a pair never stands
    in both orders, and no order has both values."""
    rows = {(*pair, cell.strip()) for pair, cell in zip(_pairs(table, sides), table.column(k), strict=True)}
    return len({row[:2] for row in rows}) == len({(*sorted(row[:2]), row[2]) for row in rows}) == len(rows)


def _names_one(table: Table, k: int, sides: Sides) -> bool:
    """Whether a column names one of both systems of its row, and each place of them several times."""
    if table.numeric(k):
        return False
    rows = list(zip(map(str.strip, table.column(k)), _pairs(table, sides), strict=True))
    first = sum(cell == a for cell, (a, _) in rows)
    return all(cell in pair for cell, pair in rows) and FEWEST <= first <= len(rows) - FEWEST


def _ways_by_name(table: Table, won: int, named: Sequence[int]) -> list[Way]:
    """How to say that the columns which name systems say who stood where; of one, the other system follows."""
    one, winner = named[0], table.headings[won]
    part: Part = "second" if BEHIND.search(table.headings[one]) else "first"
    roles = [f"{table.headings[one]}={part}"]
    if len(named) > 1:
        roles.append(f"{table.headings[named[1]]}={'first' if part == 'second' else 'second'}")
    shown = listed(table.named(named[:2]))
    verb = "say" if len(named) > 1 else "says"
    return [(f"{shown} {verb} who stood where", shlex.join([*roles, f"{winner}=winner"]))]


def _ways_by_order(table: Table, sides: Sides, won: int, k: int) -> list[Way]:
    """How to say in which rows the first system stood first: where an order has one value, or the other."""
    name, winner, first = table.headings[k], table.headings[won], table.headings[sides[0]]
    one, other = _values(table, k)
    # swapped: False and 0 come first by name, and say so; a_is_left: True and 1 do
    truths = bool(numbers.truths([one, other])) or {one, other} == {"0", "1"}
    behind = not truths and bool(BEHIND.search(name))  # right: A
    later = (truths and not TURNED.search(name)) or behind
    order = [(other, one), (one, other)] if later else [(one, other), (other, one)]
    roles = shlex.join([f"{name}=first", f"{winner}=winner"])
    return [
        (f"{first} stood first where {name} is {a}", f"{roles} --cells {shlex.join([f'{a}=first', f'{b}=second'])}")
        for a, b in order
    ]


def _asked(table: Table, sides: Sides, won: int, told: Sequence[int], ways: Sequence[Way]) -> Unclear:
    """The question whether a winner by place is meant as these columns say it, with the ways to read it."""
    first, second = table.named(sides)
    winner = table.headings[won]
    why = f"Which system does {winner} mean? It says a place, and {listed(table.named(told))} may say who stood there."
    roles: dict[int, Part] = {sides[0]: "first", sides[1]: "second", won: "winner"}
    claims = evident.claims(table, "next to a winner by its place", roles)
    ignored = [f"{name}=ignored" for name in table.named(told)]
    fixed = shlex.join([*(f"{table.headings[k]}={part}" for k, part in roles.items()), *ignored])
    return Unclear(table, why, claims, [*ways, (f"{first} always stood first, and {second} second", fixed)])


# An order that names both systems: AB and BA.

MARK = re.compile(r"\s*(?:[-_/|,;>]|\bvs\.?\b|\bthen\b)\s*", re.IGNORECASE)


def in_order(cells: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The two names that each of two different cells has, in the order in which they stood: AB and BA, gpt-llama and llama-gpt;
    {} for other cells."""
    found = dict[str, tuple[str, str]]()
    for cell in sorted({one.strip() for one in cells}):
        parts = list(cell) if len(cell) == 2 and cell.isalpha() else MARK.split(cell)
        if len(parts) != 2 or not all(parts) or len(found) == 2:
            return {}
        found[cell] = (parts[0], parts[1])
    pairs = [*found.values()]
    return found if len(pairs) == 2 and pairs[0] == pairs[1][::-1] != pairs[1] else {}


def of_order(table: Table, won: Sequence[int], asked: Callable[[dict[int, Part]], Sequence[int]]) -> Unclear | None:
    """The question whether the places of one column of winners are those of an order that names both systems; None without one.
    `asked` finds the columns that name the question, beside those that have a role."""
    orders = [k for k in table.headed(ORDER.fullmatch) if k not in won and in_order(table.column(k).counts)]
    if len(orders) != 1 or len(won) != 1:
        return None
    order, names = orders[0], in_order(table.column(orders[0]).counts)
    words = {facing.bare(cell) for cell in table.column(won[0]).counts if cell.strip().lower() not in preferred.NONE}
    words -= preferred.TIES
    named = {facing.bare(name) for pair in names.values() for name in pair}
    if not words or not words <= preferred.FIRST | preferred.SECOND or not words.isdisjoint(named):
        return None
    roles: dict[int, Part] = {order: "first", won[0]: "winner"}
    roles |= dict.fromkeys(asked(roles), "question")
    cell, (first, _) = next(iter(names.items()))
    head, winner = table.named((order, won[0]))
    why = f"Which system does {winner} mean? It says a place, and {head} may say who stood there."
    told = shlex.join(f"{table.headings[k]}={part}" for k, part in roles.items())
    ways = [(f"{head} says who stood first ({cell}: {first})", told)]
    return Unclear(table, why, evident.claims(table, "next to a winner by its place", roles), ways)


# What is said of one side: the other one follows.


def with_other(table: Table, parts: dict[int, Part], cells: Mapping[str, str]) -> tuple[Table, dict[int, Part]]:
    """The table with a column for both systems, and the role of each column, where somebody said which column has one of them,
    or in which rows the first of them stood first; as it is for others."""
    roles: dict[Part, int] = {part: k for k, part in parts.items() if part in ("first", "second", "winner")}
    one: Part = "first" if "first" in roles else "second"
    other: Part = "second" if one == "first" else "first"
    if {*roles} != {one, "winner"}:
        return table, parts
    found = _stood(table, roles[one], cells)
    if not found or None in found:
        return table, parts
    won, width = roles["winner"], len(table.headings)
    placed = [[pair] for pair in found if pair]
    rows = [[*row[:won], _word(row[won]), *row[won + 1 :]] for row in table.rows]
    both = replace(table, rows=rows).beside([f"{one} system", f"{other} system"], placed)
    return both, {**parts, roles[one]: "ignored", width: one, width + 1: other}


def _stood(table: Table, k: int, cells: Mapping[str, str]) -> Sequence[tuple[str, str] | None]:
    """The pair of each row with the system first that a column says: by a name, a code, or an order of both; [] where nothing
    names both systems, or the column is one of them."""
    sides, column = facing.sides_of(table.headings), table.column(k)
    if sides is None:
        names = in_order(column.counts)
        return [names[cell.strip()] for cell in column] if names else []
    if k in sides:
        return []
    given = [cells.get(numbers.word(cell), cell.strip()) for cell in column]
    return [_placed(cell, pair) for cell, pair in zip(given, _pairs(table, sides), strict=True)]


def _placed(one: str, pair: tuple[str, str]) -> tuple[str, str] | None:
    """A pair as it stood: with this name first, or turned where it says second; None for another word."""
    if one in pair:
        return pair if one == pair[0] else (pair[1], pair[0])
    return {"first": pair, "second": (pair[1], pair[0])}.get(one)


def _word(cell: str) -> str:
    """A winner by place as the heading of its side, so that a code of another column is none of it."""
    word = facing.bare(cell)
    return "model_a" if word in preferred.FIRST else "model_b" if word in preferred.SECOND else cell
