"""Pairwise judgments that say how one of two systems did (win, loss), which of them is worse, or how often one was preferred."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Callable, Mapping, Sequence

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers.contract import Claim, Part
from sigcore.readers.tables import evident, facing, numbers, versus
from sigcore.readers.tables.preferred import NONE, TIES
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, Way

# What one of two systems did; the other one did the opposite.
RESULTS = {
    **dict.fromkeys(("win", "wins", "won", "victory"), "first"),
    **dict.fromkeys(("loss", "loses", "lose", "lost", "losses", "defeat"), "second"),
}
LETTERS = {"w": "first", "l": "second", "d": "tie", "t": "tie"}  # in tables of games
WIN = re.compile(r"(?:is[-_ ])?(?:wins?|won|winner|victory)", re.IGNORECASE)  # above yes and no
VERSUS = re.compile(r".+[-_ ](?:vs?|versus|against)[-_. ]+.+", re.IGNORECASE)
SHARE = re.compile(r"(?:.+[-_ ])?pref(?:erence|erred|ers)?(?:[-_ ].+)?", re.IGNORECASE)
BEHIND = re.compile(r"(?:baseline|opponent|rival|other|reference|against|second)(?:[-_ ].*)?", re.IGNORECASE)
MOST_COLUMNS = 2  # of numbers that may say who is better
MOST_WORDS = 10  # in a column of wins and losses
Pair = tuple[int, int]


def found(table: Table) -> list[int]:
    """The columns that say win and loss, perhaps with ties."""
    return [k for k in range(len(table.headings)) if {"first", "second"} == {*_said(table, k).values()} - {"tie"}]


def _said(table: Table, k: int) -> dict[str, str]:
    """What each word of a column says of the system that it is about, without ties in words; {} for other columns."""
    if len(own := table.column(k).counts) > MOST_WORDS:
        return {}
    cells = [cell.strip() for cell in own if cell.strip().lower() not in NONE]
    decided = [cell for cell in cells if facing.bare(cell) not in TIES]
    if found := _meant(decided, RESULTS):
        return found
    letters = _meant(cells, LETTERS)
    if {"first", "second"} <= {*letters.values()}:
        return letters
    return _truths(decided) if WIN.fullmatch(table.headings[k].strip()) else {}


def _meant(cells: Sequence[str], words: Mapping[str, str]) -> dict[str, str]:
    """What each of these cells says, if all are such words; else {}."""
    found = {cell: words.get(facing.bare(cell), "") for cell in cells}
    return found if all(found.values()) else {}


def _truths(cells: Sequence[str], known: Mapping[str, str] = numbers.TRUTH) -> dict[str, str]:
    """Yes as the first and no as the second, if all cells are words for these; else {}."""
    found = zip(cells, numbers.truths(cells, known), strict=False)
    return {cell: "first" if truth == "1" else "second" for cell, truth in found}


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


SAYS_BETTER = {"is", "better", "wins", "win", "won", "preferred", "best"}  # in a heading with one side: a_better


def of_side(table: Table, pair: Pair, asked: Callable[[dict[int, Part]], Sequence[int]]) -> Unclear | None:
    """The question whether yes below the heading of one side (a_better, model_1_wins) says that it won; None without such a column.
    `asked` is as above."""
    if (found := _sided(table, pair)) is None:
        return None
    k, side = found
    cells = [cell.strip() for cell in table.column(k).counts if cell.strip().lower() not in NONE]
    decided = [cell for cell in cells if facing.bare(cell) not in TIES]
    truths = _truths(decided, numbers.ALL_OUTCOMES)
    if len({*truths.values()}) != 2:
        return None
    roles: dict[int, Part] = {pair[0]: "first", pair[1]: "second", k: "winner"}
    roles |= dict.fromkeys(asked(roles), "question")
    columns = shlex.join(f"{table.headings[i]}={part}" for i, part in roles.items())
    other, heads = facing.TURNED[side], dict(zip(("first", "second"), table.named(pair), strict=True))
    no = f"{next(cell for cell, truth in truths.items() if truth == 'second')} in {table.headings[k]}"
    meant = {f"{no} is a win of {heads[other]}": other}
    if len(decided) == len(cells):  # where nothing else says that nobody won
        meant[f"{no} is a tie"] = "tie"
    ways = list[Way]()
    for what, who in meant.items():
        said = (f"{cell}={side if truth == 'first' else who}" for cell, truth in sorted(truths.items()))
        ways.append((what, f"{columns} --cells {shlex.join(said)}"))
    why = f"Does {table.headings[k]} say whether {heads[side]} is better than {heads[other]} in each row?"
    return Unclear(table, why, evident.claims(table, "next to two systems", roles), ways)


def _sided(table: Table, pair: Pair) -> tuple[int, str] | None:
    """The only column whose heading says that one side is better, and this side; None without it, or with several."""
    places = facing.place_in(table.named(pair))
    found = [(k, side) for k in range(len(table.headings)) if k not in pair and (side := _side_of(table, k, places))]
    return found[0] if len(found) == 1 else None


def _side_of(table: Table, k: int, places: tuple[str, str]) -> str:
    """Which of two sides a heading says is better: first for a_better beside model_a and model_b; "" for others."""
    parts = facing.PARTS.findall(table.headings[k].lower())
    named = [part for part in parts if part in places]
    said = SAYS_BETTER & {*parts} and len(named) == 1 and {*parts} <= {*places, *SAYS_BETTER, *facing.BEFORE}
    return ("second" if named[0] == places[1] else "first") if said and all(places) else ""


def _with_scores(table: Table, pair: Pair, asked: Callable[[dict[int, Part]], Sequence[int]]) -> Unclear | None:
    """The question which scores of both sides count, where numbers stand below headings that differ in the places of a pair of
    columns alone (scores.clarity.A beside A); None without them."""
    places = facing.place_in([f"x {name}" for name in table.named(pair)])
    numeric = [k for k in range(len(table.headings)) if k not in pair and table.numeric(k)]
    both = [
        one for one in itertools.permutations(numeric, 2) if facing.place_in(table.named(one)) == places != ("", "")
    ]
    if not both:
        return None
    roles: dict[int, Part] = {pair[0]: "first", pair[1]: "second"}
    roles |= dict.fromkeys(_questions(table, pair, asked(roles)), "question")
    said = [f"{table.headings[k]}={role}" for k, role in roles.items()]
    ways = list[Way]()
    for one in both:
        names = table.named(one)
        ways.append(
            (f"{listed(names)} are the scores of both", shlex.join([*said, *(f"{name}=score" for name in names)]))
        )
    why = f"Which scores say who is better? Each row names two systems ({listed(table.named(pair))})."
    return Unclear(table, why, evident.claims(table, "next to two systems", roles), ways)


def _questions(table: Table, pair: Pair, asked: Sequence[int]) -> list[int]:
    """The columns that name the question: with one that comes again for the same pair the first that tells these rows apart."""
    if not asked or table.differ([*asked, *pair]):
        return list(asked)
    few = (k for k in table.where(None) if k not in (*pair, *asked) and not table.numeric(k))
    return [*asked, *itertools.islice((k for k in few if table.differ([*asked, *pair, k])), 1)]


def by_number(table: Table, pair: Pair, asked: Callable[[dict[int, Part]], Sequence[int]]) -> Unclear | None:
    """The question whether the numbers of a column say which of two systems in each row is better; None where no other column than
    ids and runs holds the numbers of a scale. `asked` is as above."""
    known = {*pair, *table.where("segment", "perhaps segment", "document", "run", "dimension")}
    heads = enumerate(table.headings)
    said = [k for k, name in heads if k not in known and facing.leaning([*table.column(k).counts], name)]
    if not said or (both := _with_scores(table, pair, asked)):
        return both if said else None
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


def by_scores(table: Table, pair: Pair, won: int, asked: Callable[[dict[int, Part]], Sequence[int]]) -> Unclear | None:
    """The question whether the numbers below both systems are their scores, next to a column that says who won; None for names, and
    for numbers that the winners repeat. `asked` is as above."""
    if not all(map(table.numeric, pair)):
        return None
    sides, winner, cells = table.named(pair), table.headings[won], table.column(won)
    rows = zip(*map(table.column, pair), cells, strict=True)
    if all(cell.strip() in (a.strip(), b.strip()) for a, b, cell in rows if not _is_open(cell)):
        return None
    roles: dict[int, Part] = {pair[0]: "first", pair[1]: "second", won: "winner"}
    questions = list(asked(roles))
    named = [f"{name}=question" for name in table.named(questions)]
    shown: dict[int, Part] = {**roles, **dict.fromkeys(questions, "question")}
    scored = shlex.join([*named, *(f"{name}=system" for name in sides), f"{winner}=ignored"])
    judged = shlex.join([*named, f"{sides[0]}=first", f"{sides[1]}=second", f"{winner}=winner"])
    by_heading = {*map(str.strip, sides)} <= {*map(str.strip, cells.counts)} and facing.sides_of(table.headings) is None
    what = "says who won" if by_heading else "says who won, and the numbers are names of systems"
    whole = by_heading or not any(numbers.scale(table.column(k)).fractions for k in pair)
    ways = [(f"{listed(sides)} are scores of two systems", scored), *([(f"{winner} {what}", judged)] if whole else [])]
    why = f"Are the numbers in {listed(sides)} scores of two systems? {winner} says which is better in each row."
    return Unclear(table, why, evident.claims(table, "next to who won", shown), ways)


def _is_open(cell: str) -> bool:
    """Whether a cell names no winner: a tie, or nothing."""
    return cell.strip().lower() in NONE or facing.bare(cell) in TIES


def _shares(table: Table) -> list[int]:
    """The columns of numbers that lean to one of both systems, in more steps than words can be said for."""
    numeric = list(filter(table.numeric, range(len(table.headings))))
    named = table.headed(lambda name: SHARE.fullmatch(name) or facing.SHARE.fullmatch(name), numeric)
    found = [k for k in named if numbers.scale(table.column(k)).fractions]
    found += table.headed(facing.MARGIN.fullmatch, numeric)
    return [k for k in found if not facing.leaning([*table.column(k).counts], table.headings[k])]


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
    # names stand on both sides: then the side of whoever is named is turned
    turned = sides or {"first": "first", "second": "second"}
    cells = shlex.join(f"{cell}={facing.TURNED[side]}" for cell, side in sorted(turned.items()))
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
    if shares := _shares(table):
        message = f"{table.headings[shares[0]]} says by a number which of {listed(table.named(sides))} is better."
        fix = "Write the name of the better system of each row, or tie, in a column winner."
        raise ReadError(message, table.file, 1, fix)
