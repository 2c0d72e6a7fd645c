"""Pairwise judgments as somebody says: which columns are both sides (first, second), and which says who won (winner)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigcore import measures
from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers.contract import Found, Notice, Part
from sigcore.readers.tables import facing, numbers, preferred, results, standing, versus, votes
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.columns import replaced
from sigcore.readers.tables.said import Said, place
from sigcore.readers.tables.table import Table

SIDES: dict[Part, str] = {"first": versus.FIRST, "second": versus.SECOND, "winner": versus.WINNER}
MOST_WORDS = 6  # of the name of a system
# Words that judge one answer, and no two of them.
VERDICTS = frozenset(
    [
        "safe",
        "unsafe",
        "harmful",
        "harmless",
        "refused",
        "complied",
        "refusal",
        "supported",
        "unsupported",
        "valid",
        "invalid",
        "good",
        "bad",
    ]
)
OUTCOMES = preferred.FIRST | preferred.SECOND | preferred.TIES | preferred.NONE | {*numbers.ALL_OUTCOMES} | VERDICTS


def said(table: Table, meant: Said, result: Found) -> tuple[Table, Said]:
    """The table with the usual headings above both systems of a row and the winner, where somebody said which columns these
    are, and what else was said; as they are for others.

    Raises: Absent for a column that the table does not have, ReadError where one of the three is missing.
    """
    if not _are_meant(meant):
        return table, meant
    parts = {place(table, name): part for name, part in meant.columns}
    table, parts = _of_best(*_by_scores(*_of_people(table, parts, result), meant.better, result), result)
    table, parts = standing.with_other(*_with_both(table, parts), dict(meant.cells))
    sides = [(part, k) for k, part in parts.items() if part in SIDES]
    named = {SIDES[part]: k for part, k in sides}
    if len(named) != len(SIDES) or len(sides) != len(SIDES):
        fix = "Say three columns: --columns LEFT=first RIGHT=second BEST=winner, with your headings."
        raise ReadError("Of pairwise judgments, both systems and the winner have to be known.", table.file, 1, fix)
    one, other, won = table.named(map(named.__getitem__, SIDES.values()))
    how = "worse" if _is_turned(dict(meant.cells)) else "better"
    result.notices.append(Notice(table.file, f"{won} says which of {one} and {other} is {how}."))
    both = _of_texts(table, named)
    headed = _with_places(table, named, dict(meant.cells)).renamed(_headings(parts, named))
    if both:
        headed = _with_headings(headed, table, both, result)
    asked = tuple(name for name, part in meant.columns if part == "question")
    rest = replace(meant, segment=(*meant.segment, *asked), columns=((versus.WINNER, "winner"),))
    return headed.without(_not_used(table, parts)), rest


Parts = dict[int, Part]
Sides = Mapping[str, int]


def _headings(parts: Parts, named: Sides) -> dict[int, str]:
    """The usual headings of both sides and the winner, and of people."""
    people = {k: "judge" for k, part in parts.items() if part == "judge"}
    return {**people, **{k: name for name, k in named.items()}}


def _of_people(table: Table, parts: Parts, result: Found) -> tuple[Table, Parts]:
    """The table with a row for each vote, and the role of each column, where somebody said of several that they say who won."""
    won = [k for k, part in parts.items() if part == "winner"]
    if len(won) < 2:
        return table, parts
    heads, rest = table.headings, [k for k in range(len(table.headings)) if k not in won]
    new = {heads[k]: parts[k] for k in rest if k in parts}
    each = votes.for_each(table, won, result)
    width = len(each.headings)
    return each, {**{i: new[name] for i, name in enumerate(each.headings[:-2]) if name in new}, width - 1: "winner"}


def _by_scores(table: Table, parts: Parts, better: str, result: Found) -> tuple[Table, Parts]:
    """The table with a column of winners, and the role of each column, where somebody said which are both systems and the
    scores of both: the better score wins its row."""
    places = {part: k for k, part in parts.items()}
    scored = sorted(k for k, part in parts.items() if part == "score")
    if "winner" in places or not {"first", "second"} <= places.keys() or len(scored) != 2:
        return table, parts
    names, heads = table.named((places["first"], places["second"])), table.named(scored)
    if facing.place_in(names[::-1]) == facing.place_in(heads) != ("", ""):
        scored, heads = scored[::-1], heads[::-1]  # score_a, score_b beside b as the first
    low = better == "lower" or (better != "higher" and measures.better_of(heads[0]) == "lower")
    message = f"{heads[0]} is the score of {names[0]}, {heads[1]} of {names[1]}: "
    result.notices.append(Notice(table.file, f"{message}the {'lower' if low else 'higher'} one wins its row."))
    won = [[[_better(a, b, low)]] for a, b in zip(*map(table.column, scored), strict=True)]
    rest: Parts = {**parts, **dict.fromkeys(scored, "ignored"), len(table.headings): "winner"}
    return table.beside(["better score"], won), rest


def _of_best(table: Table, parts: Parts, result: Found) -> tuple[Table, Parts]:
    """The table with a row for each system that the best one of a row is compared with, and the role of each column, where
    somebody said which columns are systems, and which one names the best of them.

    Raises: ReadError for a cell that names none of them.
    """
    systems, won = ([k for k, part in parts.items() if part == own] for own in ("system", "winner"))
    if len(systems) < 2 or len(won) != 1 or {"first", "second"} & {*parts.values()}:
        return table, parts
    winner, heads = table.headings[won[0]], table.named(systems)
    compared = {cell: _with_others(cell, heads) for cell in table.column(won[0]).counts}
    if odd := next((cell for cell, own in compared.items() if not own), None):
        message = f"{winner} names none of {listed(heads)}: {odd[:40]!r}."
        raise ReadError(message, table.file, 1, "Write one of these names, or tie.")
    message = (
        f"The one below {winner} wins against each other of {listed(heads)}, which are not compared with each other."
    )
    result.notices.append(Notice(table.file, message))
    added = table.beside(["best one", "another one", "better one"], map(compared.__getitem__, table.column(won[0])))
    width = len(table.headings)
    rest: Parts = {**parts, **dict.fromkeys([*systems, *won], "ignored")}
    return added, {**rest, width: "first", width + 1: "second", width + 2: "winner"}


def _with_others(cell: str, heads: Sequence[str]) -> list[list[str]]:
    """The comparisons of the best system with each other; one without a winner where a cell says that none is best, and [] for
    other cells."""
    if best := votes.best_of(cell, heads):
        return [[best, other, versus.FIRST] for other in heads if other != best]
    return [[*heads[:2], ""]] if _is_none(cell) else []


def _is_none(cell: str) -> bool:
    """Whether a cell says that none of several is best; a letter is rather the name of one."""
    return cell.strip().lower() in preferred.NONE or facing.bare(cell) in preferred.TIES - {*versus.LETTERS}


def _better(one: str, other: str, low: bool) -> str:
    """Which of two scores is better, as a place; "" where one is missing."""
    if not (numbers.is_number(one) and numbers.is_number(other)):
        return ""
    a, b = float(one), float(other)
    return "tie" if a == b else versus.FIRST if (a < b) == low else versus.SECOND


def _of_texts(table: Table, named: Sides) -> list[int]:
    """The columns of both sides below whose headings no names are: what they wrote, or scores where the winners are headings; a
    number beside names is one, too."""
    sides = [named[versus.FIRST], named[versus.SECOND]]
    both = [k for k in sides if _are_texts(table, k)]
    if all(map(table.numeric, sides)):
        return sides if both == sides or _are_scores(table, sides, named[versus.WINNER]) else []
    return [] if len(both) == 1 and table.numeric(both[0]) else both


def _are_scores(table: Table, sides: Sequence[int], won: int) -> bool:
    """Whether numbers of two columns are no names: they have fractions, or who won is said by the headings, which are no places."""
    heads = [name.strip() for name in table.named(sides)]
    by_heading = {*heads} <= {cell.strip() for cell in table.column(won).counts} and not are_places(heads)
    return by_heading or any(numbers.scale(table.column(k)).fractions for k in sides)


def _with_both(table: Table, parts: Parts) -> tuple[Table, Parts]:
    """The table with two columns for the systems, and the role of each column, where only the winner was named, and is always one of
    the same two, or of the two names in another column: no column has to say who else was compared."""
    won = [k for k, part in parts.items() if part in SIDES]
    if len(won) != 1 or parts[won[0]] != "winner":
        return table, parts
    width, pair = len(table.headings), only_two(table, won[0])
    sides: Parts = {**parts, width: "first", width + 1: "second"}
    if (found := versus.pairs_of(table, won[0])) is not None:
        name = table.headings[found[0]]
        return table.beside([f"{name} 1", f"{name} 2"], ([one] for one in found[1])), {**sides, found[0]: "ignored"}
    return (table, parts) if pair is None else (table.beside(pair, ([pair] for _ in table.rows)), sides)


def only_two(table: Table, k: int) -> tuple[str, str] | None:
    """The two names that are the cells of a column of winners, beside ties and missing answers; None for other columns."""
    given = {cell.strip() for cell in table.column(k).counts}
    open_ = {cell for cell in given if side(cell, ("", "")) == "open"}
    names = sorted(given - open_ - {""})
    plain = (
        len(names) == 2
        and not table.numeric(k)
        and ({*map(facing.bare, names)}.isdisjoint(OUTCOMES | {*results.RESULTS}) or are_places(names))
    )
    return (names[0], names[1]) if plain and all(len(name.split()) <= MOST_WORDS for name in names) else None


def are_places(names: Sequence[str]) -> bool:
    """Whether two names call the sides systems: Model A and Model B."""
    sides = [side(name, ("", "")) for name in names]
    return sides == ["first", "second"] and all(facing.bare(name).startswith(facing.BEFORE) for name in names)


def _not_used(table: Table, parts: dict[int, Part]) -> set[int]:
    """The columns that somebody ignores, and others that have the headings which those that were named get."""
    taken = {k for k, name in enumerate(table.headings) if words.normalised(name) in _TAKEN}
    return {k for k, part in parts.items() if part == "ignored"} | {k for k in taken if parts.get(k) not in SIDES}


_TAKEN = frozenset(map(words.normalised, SIDES.values()))


def _are_meant(meant: Said) -> bool:
    return any(part in SIDES for _, part in meant.columns)


def _is_turned(said: Mapping[str, str]) -> bool:
    """Whether somebody said that the one who is named has lost."""
    return said.get("first") == "second" and said.get("second") == "first"


def _with_places(table: Table, named: Sides, said: Mapping[str, str]) -> Table:
    """The table whose winners are places where they are the headings of both systems, and nobody said what they mean; where
    somebody said first=second second=first, the one that a cell names has lost."""
    won, both = named[versus.WINNER], (named[versus.FIRST], named[versus.SECOND])
    known = dict(zip((name.strip().lower() for name in table.named(both)), SIDES.values(), strict=False))
    cells = [
        cell if numbers.word(cell) in said else known.get(cell.strip().lower(), cell) for cell in table.column(won)
    ]
    if _is_turned(said):
        lost = {"first": versus.SECOND, "second": versus.FIRST}
        pairs = zip(*map(table.column, both), strict=True)
        cells = [
            lost.get(side(cell.strip(), (a.strip(), b.strip())), cell)
            for cell, (a, b) in zip(cells, pairs, strict=True)
        ]
    return replace(table, rows=replaced(table.rows, {won: cells}))


def _are_texts(table: Table, k: int) -> bool:
    """Whether a column holds what two systems wrote, and no names of systems that come again."""
    own = table.column(k).counts
    return 2 * len(own) > len(table.rows) or any(len(cell.split()) > MOST_WORDS for cell in own)


def _with_headings(headed: Table, table: Table, columns: Sequence[int], result: Found) -> Table:
    """The table in which the headings of two columns of outputs are the names of both systems of every row."""
    named = table.named(columns)
    what = "scores" if all(map(table.numeric, columns)) else "outputs"
    message = f"{listed(named)} hold {what}, so they are the systems: each is always on one side. "
    message += "If the sides were drawn anew for each row, name both systems of each row in columns."
    result.notices.append(Notice(table.file, message))
    return replace(headed, rows=replaced(headed.rows, {k: [table.headings[k]] * len(headed.rows) for k in columns}))


def without_ignored(table: Table, meant: Said) -> Table:
    """The table without the columns that somebody ignores, which are no winners and no ids of comparisons."""
    gone = {k for k in range(len(table.headings)) if (table.headings[k], "ignored") in meant.columns}
    return table.without(gone) if gone and preferred.columns(table.headings) is not None else table


def of(table: Table, meant: Said) -> preferred.PreferenceColumns | None:
    """The columns of preferences of a table; None also where somebody says that one of them is anything else."""
    found = None if meant.system or meant.scores else preferred.of(table)
    if found is None or not meant:
        return found
    named = table.named((found.first, found.second, *found.outcome))
    return None if any(meant.parts.get(name, "winner") not in SIDES for name in named) else found


# What a cell says.


def side(cell: str, pair: tuple[str, str], headings: Sequence[str] = ()) -> str:
    """Who won by a cell: first, second, or neither (open); "" for a word that is not known."""
    if cell in pair:
        return "first" if cell == pair[0] else "second"
    if cell.lower() in (named := [name.strip().lower() for name in headings]):
        return "first" if cell.lower() == named[0] else "second"
    word = facing.bare(cell)
    if word in preferred.TIES or cell.lower() in preferred.NONE or word == preferred.MIXED:
        return "open"
    told = {word, facing.graded(word)}
    return "first" if told & preferred.FIRST else "second" if told & preferred.SECOND else ""
