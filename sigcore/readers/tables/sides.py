"""Pairwise judgments under headings that nobody knows: as somebody says (first, second, winner), or as a plan proposes."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers.contract import Basis, Claim, Found, Notice, Part
from sigcore.readers.tables import crossing, facing, gridded, numbers, preferred, results, standing, versus
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.said import Said, place
from sigcore.readers.tables.table import CONFIRM, WHO, Table, Unclear, Way, first_cells

SIDES: dict[Part, str] = {"first": versus.FIRST, "second": versus.SECOND, "winner": versus.WINNER}
MOST_NAMES, MOST_WORDS, MOST_ANSWERS = 40, 6, 8  # systems, words of the name of one, and different outcomes
APART = 0.9  # the share of rows in which a system is compared with another one
TELLS = re.compile(r"prefer|winner|better|vote|verdict|choice|chosen", re.IGNORECASE)  # in a heading of who won
TIED = ("tie", "tied", "draw")  # say by themselves that two are compared
LONG = 4  # words that a text has at least which asks something


def said(table: Table, meant: Said, result: Found) -> tuple[Table, Said]:
    """The table with the usual headings above both systems of a row and the winner, where somebody said which columns these
    are, and what else was said; as they are for others.

    Raises: Absent for a column that the table does not have, ReadError where one of the three is missing.
    """
    if not _are_meant(meant):
        return table, meant
    parts = {place(table, name): part for name, part in meant.columns}
    table, parts = standing.with_other(*_with_both(table, parts), dict(meant.cells))
    named = {SIDES[part]: k for k, part in parts.items() if part in SIDES}
    if sorted(part for part in parts.values() if part in SIDES) != sorted(SIDES):
        fix = "Say three columns: --columns LEFT=first RIGHT=second BEST=winner, with your headings."
        raise ReadError("Of pairwise judgments, both systems and the winner have to be known.", table.file, 1, fix)
    one, other, won = table.named(map(named.__getitem__, SIDES.values()))
    result.notices.append(Notice(table.file, f"{won} says which of {one} and {other} is better."))
    headed = _with_places(table, named, dict(meant.cells)).renamed({k: name for name, k in named.items()})
    if both := _of_texts(table, named):
        headed = _with_headings(headed, table, both, result)
    asked = tuple(name for name, part in meant.columns if part == "question")
    rest = replace(meant, segment=(*meant.segment, *asked), columns=((versus.WINNER, "winner"),))
    return headed.without(_not_used(table, parts)), rest


def _of_texts(table: Table, named: Mapping[str, int]) -> list[int]:
    """The columns of both sides that hold what they wrote; a number beside names is one, too."""
    both = [k for k in (named[versus.FIRST], named[versus.SECOND]) if _are_texts(table, k)]
    return [] if len(both) == 1 and table.numeric(both[0]) else both


def _with_both(table: Table, parts: dict[int, Part]) -> tuple[Table, dict[int, Part]]:
    """The table with two columns for the systems, and the role of each column, where only the winner was named and is always
    one of the same two: no column has to say who else was compared."""
    won = [k for k, part in parts.items() if part in SIDES]
    pair = _only_two(table, won[0]) if len(won) == 1 and parts[won[0]] == "winner" else None
    if pair is None:
        return table, parts
    width = len(table.headings)
    both = table.beside(pair, ([pair] for _ in table.rows))
    return both, {**parts, width: "first", width + 1: "second"}


def _only_two(table: Table, k: int) -> tuple[str, str] | None:
    """The two names that are the cells of a column of winners, beside ties and missing answers; None for other columns."""
    given = {cell.strip() for cell in table.column(k).counts}
    open_ = {cell for cell in given if _side(cell, ("", "")) == "open"}
    names = sorted(given - open_ - {""})
    plain = (
        len(names) == 2
        and not table.numeric(k)
        and ({*map(facing.bare, names)}.isdisjoint(_OUTCOMES | {*results.RESULTS}) or _are_places(names))
    )
    return (names[0], names[1]) if plain and all(len(name.split()) <= MOST_WORDS for name in names) else None


def _are_places(names: Sequence[str]) -> bool:
    """Whether two names call the sides systems: Model A and Model B."""
    sides = [_side(name, ("", "")) for name in names]
    return sides == ["first", "second"] and all(facing.bare(name).startswith(facing.BEFORE) for name in names)


def _not_used(table: Table, parts: dict[int, Part]) -> set[int]:
    """The columns that somebody ignores, and others that have the headings which those that were named get."""
    taken = {k for k, name in enumerate(table.headings) if words.normalised(name) in _TAKEN}
    return {k for k, part in parts.items() if part == "ignored"} | {k for k in taken if parts.get(k) not in SIDES}


_TAKEN = frozenset(map(words.normalised, SIDES.values()))


def _are_meant(meant: Said) -> bool:
    return any(part in SIDES for _, part in meant.columns)


def _with_places(table: Table, named: dict[str, int], said: Container[str]) -> Table:
    """The table whose winners are places where they are the headings of both systems, and nobody said what they mean."""
    known = {table.headings[named[side]].strip().lower(): side for side in (versus.FIRST, versus.SECOND)}
    won = named[versus.WINNER]
    cells = [
        cell if numbers.word(cell) in said else known.get(cell.strip().lower(), cell) for cell in table.column(won)
    ]
    rows = [[*row[:won], cell, *row[won + 1 :]] for row, cell in zip(table.rows, cells, strict=True)]
    return replace(table, rows=rows)


def _are_texts(table: Table, k: int) -> bool:
    """Whether a column holds what two systems wrote, and no names of systems that come again."""
    own = table.column(k).counts
    return 2 * len(own) > len(table.rows) or any(len(cell.split()) > MOST_WORDS for cell in own)


def _with_headings(headed: Table, table: Table, columns: Sequence[int], result: Found) -> Table:
    """The table in which the headings of two columns of outputs are the names of both systems of every row."""
    named = table.named(columns)
    rows = [[table.headings[k] if k in columns else cell for k, cell in enumerate(row)] for row in headed.rows]
    message = f"{listed(named)} hold outputs, so they are the systems: each is always on one side. "
    message += "If the sides were drawn anew for each row, name both systems of each row in columns."
    result.notices.append(Notice(table.file, message))
    return replace(headed, rows=rows)


# What a plan proposes.


def proposed(table: Table) -> Unclear | None:
    """The question whether two columns of names are systems and another one says which of them is better; None where no
    columns are like that."""
    if table.role:
        return None
    pair = facing.sides_of(table.headings) or _by_headings(table) or _pair(table)
    won = _winners(table, pair) if pair else []
    if pair is None or not won:
        return (results.of_one(table, pair, partial(_asked, table)) if pair else None) or _of_two(table)
    roles: dict[int, Part] = {pair[0]: "first", pair[1]: "second", won[0]: "winner"}
    roles |= dict.fromkeys(_asked(table, roles), "question")
    claims = [_claim(table, k, roles) for k in range(len(table.headings))]
    if preferred.WORSE.search(table.headings[won[0]]):
        return results.of_worse(table, claims, won[0], _sides_by_cell(table, won[0], pair))
    return _of_winner(table, pair, won, claims)


def _of_winner(table: Table, pair: tuple[int, int], won: Sequence[int], claims: Sequence[Claim]) -> Unclear:
    """The question whether the first of some columns says which of two systems is better, and what its words mean."""
    name = table.headings[won[0]]
    others = f" Others may say it, too: {listed(table.named(won[1:]))}." if won[1:] else ""
    why = f"Does {name} say which of {listed(table.named(pair))} is better in each row?{others}"
    problem = Unclear(table, why, claims)
    if unknown := _unknown(table, won[0], pair):
        cells = " ".join(shlex.quote(f"{cell}={WHO}") for cell in unknown)
        parts = " ".join(shlex.quote(f"{one.column}={one.role}") for one in claims if not one.sure)
        problem.fix = f"{CONFIRM} --columns {parts} --cells {cells}. If not, give other roles. "
        problem.fix += f"Write first, second, tie or missing for each {WHO}."
    return problem


def ask(table: Table) -> None:
    """Raise the question for a table whose column of winners, by its heading, repeats the headings of two others (left, right)
    that hold names: nothing in it is a score of its own."""
    if table.role or table.where("measure"):
        return
    results.refuse(table)
    alone = bool(results.found(table)) and facing.sides_of(table.headings) is None
    named = (_pair(table) or _against(table)) if alone else None
    if named is not None and (asked := results.of_one(table, named, partial(_asked, table))) is not None:
        raise asked
    if not _won(table):
        named = facing.sides_of(table.headings) or _pair(table)
        if (
            named is not None
            and _face(table, named)
            and (asked := results.by_number(table, named, partial(_asked, table)))
        ):
            raise asked
        return
    pair = _by_headings(table)
    if pair is not None and all(_are_names(table, k) for k in pair) and (problem := proposed(table)):
        raise problem
    scored = any(words.has_measure(name) and table.numeric(k) for k, name in enumerate(table.headings))
    if facing.sides_of(table.headings) is None and not scored and (asked := _of_two(table)) is not None:
        raise asked


def _against(table: Table) -> tuple[int, int] | None:
    """The column of systems, and the one whose heading and short names say with which others each is compared."""
    rivals = [k for k in range(len(table.headings)) if results.is_behind(table, k) and table.meanings[k] != "reference"]
    systems = [k for k in table.where("system") if k not in rivals]
    if len(rivals) != 1 or len(systems) != 1 or table.numeric(rivals[0]):
        return None
    own, other = ({*map(str.strip, table.column(k).counts)} for k in (systems[0], rivals[0]))
    short = all(cell and len(cell.split()) <= MOST_WORDS for cell in other)
    return (systems[0], rivals[0]) if short and own.isdisjoint(other) else None


def _face(table: Table, pair: tuple[int, int]) -> bool:
    """Whether two columns name systems that are compared with each other: by headings that differ in a place alone, or as one
    against the other (model, opponent). A judge is none of them."""
    one, other = table.named(pair)
    sides = _differ_in_place(one, other) or results.is_behind(table, pair[0]) != results.is_behind(table, pair[1])
    judges = any(table.meanings[k] == "judge" for k in pair)
    return sides and not judges and all(_are_names(table, k) for k in pair) and _are_rivals(table, *pair)


def _won(table: Table) -> list[int]:
    """The columns that may say who won: by their headings, else because one of a few words is a tie."""
    few = (k for k in range(len(table.headings)) if len(table.column(k).counts) <= MOST_ANSWERS)
    return table.headed(versus.WINS.fullmatch) or [
        k for k in few if not {*map(facing.bare, table.column(k).counts)}.isdisjoint(TIED)
    ]


def _has_scores(table: Table, name: str) -> bool:
    """Whether a system has a column of numbers of its own: bart, or scores.bart."""
    own = name.strip().lower()
    return any(table.numeric(k) for k in table.headed(lambda heading: f".{heading.lower()}".endswith(f".{own}")))


def _of_two(table: Table) -> Unclear | None:
    """The question whether every row compares the same two systems, which a column of winners names; None without it."""
    found = [(k, pair) for k in _won(table) if (pair := _only_two(table, k)) is not None]
    if len({pair for _, pair in found}) != 1:
        return None
    (won, pair), *others = found
    if all(_has_scores(table, name) for name in pair):
        return None  # whoever is best in a row follows from them
    roles: dict[int, Part] = {won: "winner", **dict.fromkeys(_asked(table, {won: "winner"}), "question")}
    claims = [_claim(table, k, roles) for k in range(len(table.headings))]
    question = f"Does each row compare {listed(pair)}, and {table.headings[won]} say which is better?"
    if others:
        question += f" Others may say it, too: {listed(table.named(k for k, _ in others))}."
    if _are_places(pair):
        question += " These may be places: if the sides were drawn anew for each row, name both systems in columns model_a and model_b."
    return Unclear(table, question, claims, _or_measured(table, won, claims))


def _or_measured(table: Table, won: int, claims: Sequence[Claim]) -> list[Way]:
    """Both ways to read a column of winners beside a measure of each system, from which they may come; [] without one."""
    grid = gridded.of(table)
    if grid is None:
        return []
    winner = table.headings[won]
    judged = " ".join(shlex.quote(f"{one.column}={one.role}") for one in claims if not one.sure)
    aside = shlex.quote(f"{winner}=ignored")
    ways = [
        *((f"{winner} comes from the scores, and {words}", f"{roles} {aside}") for words, roles in grid.ways),
        (f"{winner} says who won, by judges", judged),
    ]
    written = [k for k in range(len(table.headings)) if k != won and _is_written(table, k)]
    if len(written) > 1 and table.where("reference"):
        outputs = " ".join(shlex.quote(f"{table.headings[k]}=system") for k in written)
        ways.append((f"{listed(table.named(written))} are outputs, whose text is to be scored", f"{outputs} {aside}"))
    return ways


def _is_written(table: Table, k: int) -> bool:
    """Whether a column holds texts below a heading that says so: direct_translation."""
    said = any(map(versus.TEXTS.fullmatch, re.split(r"[-_ ]+", table.headings[k].lower())))
    return said and table.meanings[k] is None and not table.numeric(k)


def _claim(table: Table, k: int, roles: dict[int, Part]) -> Claim:
    reasons = {"winner": "it may say who won", "question": "what was asked"}
    reasons |= dict.fromkeys(("first", "second"), "names of systems")
    part = roles.get(k, "ignored")
    basis: Basis = "guess" if k in roles else "heading"
    return Claim(
        table.file, table.headings[k], part, reasons.get(part, "beside judgments"), basis, cells=first_cells(table, k)
    )


def _by_headings(table: Table) -> tuple[int, int] | None:
    """The only two columns whose headings are words of another column of a few words: it says which of both is better."""
    places = {name.strip().lower(): k for k, name in enumerate(table.headings)}
    found = set[tuple[int, int]]()
    for k in range(len(table.headings)):
        own = table.column(k).counts
        if len(own) <= MOST_ANSWERS and not table.numeric(k):
            named = sorted({places[cell.strip().lower()] for cell in own if cell.strip().lower() in places} - {k})
            if len(named) == 2:
                found.add((named[0], named[1]))
    return found.pop() if len(found) == 1 else None


def _pair(table: Table) -> tuple[int, int] | None:
    """The only two columns of names that are compared with each other; of several, those whose headings differ in a place."""
    won = table.headed(versus.WINS.fullmatch)
    names = [k for k in range(len(table.headings)) if k not in won and _are_names(table, k)]
    found = [(a, b) for a, b in itertools.combinations(names, 2) if _are_rivals(table, a, b)]
    placed = [pair for pair in found if _differ_in_place(*table.named(pair))]
    return next(iter(found if len(found) == 1 else placed if len(placed) == 1 else ()), None)


def _are_names(table: Table, k: int) -> bool:
    own = table.column(k).counts
    few = 1 < len(own) <= MOST_NAMES and 2 * len(own) <= len(table.rows)
    return few and not table.numeric(k) and all(cell.strip() and len(cell.split()) <= MOST_WORDS for cell in own)


def _are_rivals(table: Table, one: int, other: int) -> bool:
    """Whether two columns have names in common, and hardly a row compares a system with itself. Outcomes are no names."""
    known = [{cell.strip() for cell in table.column(k).counts} for k in (one, other)]
    both, rows = known[0] & known[1], list(zip(table.column(one), table.column(other), strict=True))
    said = {facing.bare(cell) for cell in both}
    outcomes = said <= _OUTCOMES or not said.isdisjoint(TIED)
    apart = sum(a.strip() != b.strip() for a, b in rows)
    return len(both) > 1 and not outcomes and 2 * len(both) >= len(known[0] | known[1]) and apart >= APART * len(rows)


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
_OUTCOMES = preferred.FIRST | preferred.SECOND | preferred.TIES | preferred.NONE | {*numbers.ALL_OUTCOMES} | VERDICTS


def _differ_in_place(one: str, other: str) -> bool:
    """Whether two headings differ in a place alone: 1 and 2, left and right."""
    both = [facing.PARTS.findall(name.lower()) for name in (one, other)]
    apart = [pair for pair in zip(*both, strict=False) if pair[0] != pair[1]]
    return len(both[0]) == len(both[1]) and len(apart) == 1 and apart[0] in versus.PLACED


def _winners(table: Table, pair: tuple[int, int]) -> list[int]:
    """The columns that may say who won, the likeliest first: by their headings, or by their cells, which are places of both
    systems or their names."""
    most = max(MOST_ANSWERS, len(table.column(pair[0]).counts) + 2)
    others = {*range(len(table.headings))} - {*pair}
    few = [k for k in sorted(others) if 1 < len(table.column(k).counts) <= most]
    headed = [k for k in few if versus.WINS.fullmatch(table.headings[k].strip())]
    places = [k for k in few if _says_who(table, k, pair)]
    found = sorted({*places} & {*headed}) or headed[: len(headed) == 1]
    found = found or _telling(table, places) or _in_other_words(table, few, pair) or _by_number(table, few, pair)
    return list(dict.fromkeys([*_fuller(table, places, found), *found, *places])) if found else []


def _in_other_words(table: Table, few: Sequence[int], pair: tuple[int, int]) -> list[int]:
    """The one column with a word for a preference that names both places, and another word, which a person explains."""
    told = [k for k in few if TELLS.search(table.headings[k])]
    found = [k for k in told if {"first", "second"} <= {_side(cell, row) for cell, row in _with_pair(table, k, pair)}]
    return found if len(found) == 1 else []


# Headings above 1 and 2 that say nothing about who won.
OTHER = re.compile(
    r"(?:rounds?|turns?|annotators?|raters?|batch|session|part|page|group|phase|step|level|n|no|num)", re.IGNORECASE
)


def _by_number(table: Table, few: Sequence[int], pair: tuple[int, int]) -> list[int]:
    """The one column of 1 and 2 beside two systems that headings name: system_a and system_b."""
    open_ = [k for k in few if table.meanings[k] in (None, "category") and not crossing.ID.search(table.headings[k])]
    open_ = [k for k in open_ if not OTHER.fullmatch(table.headings[k].strip())]
    found = [k for k in open_ if {*table.column(k).counts} - {""} == {"1", "2"}]
    return found if len(found) == 1 and facing.sides_of(table.headings) == pair else []


def _telling(table: Table, places: Sequence[int]) -> list[int]:
    """Those of the columns whose headings have a word for a preference; without it, those that name no measure."""
    told = [k for k in places if TELLS.search(table.headings[k])]
    return told or [k for k in places if not words.has_measure(table.headings[k])]


def _fuller(table: Table, places: Sequence[int], found: Sequence[int]) -> list[int]:
    """The columns that say who won, and have fewer empty cells than the likeliest one: they say where nobody won, too."""
    empty = {k: _empty(table, k) for k in {*places, *found}}
    return sorted((k for k in places if found and empty[k] < empty[found[0]]), key=lambda k: (empty[k], k))


def _empty(table: Table, k: int) -> int:
    """How many cells of a column are empty."""
    return sum(number for cell, number in table.column(k).counts.items() if not cell.strip())


def _says_who(table: Table, k: int, pair: tuple[int, int]) -> bool:
    """Whether all cells of a column are places, ties, or names in their row, and both sides win."""
    if table.numeric(k):
        return False
    own, sides = _with_pair(table, k, pair), table.named(pair)
    won = {_side(cell, row, sides) for cell, row in own}
    # where headings say who won, another word is a tie, or says that there is no winner
    by_heading = {name.strip().lower() for name in sides} <= {cell.lower() for cell, _ in own}
    return {"first", "second"} <= won and ("" not in won or by_heading)


def _with_pair(table: Table, k: int, pair: tuple[int, int]) -> list[tuple[str, tuple[str, str]]]:
    """Each cell of a column, with both names of its row."""
    own = (table.column(k), table.column(pair[0]), table.column(pair[1]))
    return [(cell.strip(), (a.strip(), b.strip())) for cell, a, b in zip(*own, strict=True)]


def _side(cell: str, pair: tuple[str, str], headings: Sequence[str] = ()) -> str:
    """Who won by a cell: first, second, or neither (open); "" for a word that is not known."""
    if cell in pair:
        return "first" if cell == pair[0] else "second"
    if cell.lower() in (named := [name.strip().lower() for name in headings]):
        return "first" if cell.lower() == named[0] else "second"
    word = facing.bare(cell)
    if word in preferred.TIES or cell.lower() in preferred.NONE or word == preferred.MIXED:
        return "open"
    return "first" if word in preferred.FIRST else "second" if word in preferred.SECOND else ""


def _sides_by_cell(table: Table, k: int, pair: tuple[int, int]) -> dict[str, str]:
    """The side that each cell of a column of winners names (first, second) in all rows; {} where it depends on the row."""
    named = {(cell, _side(cell, row, table.named(pair))) for cell, row in _with_pair(table, k, pair)}
    named = {(cell, side) for cell, side in named if side in ("first", "second")}
    return dict(named) if len({cell for cell, _ in named}) == len(named) else {}


def _unknown(table: Table, k: int, pair: tuple[int, int]) -> list[str]:
    """The words of a column of winners that are not known."""
    if table.numeric(k) and {*table.column(k).counts} <= {"0", "1", "2"}:
        return sorted({*table.column(k).counts}) if "0" in table.column(k).counts else []  # 1 the first, 2 the second
    unknown = {cell for cell, row in _with_pair(table, k, pair) if not _side(cell, row, table.named(pair))}
    return sorted(facing.with_codes(sorted(unknown), table.column(k).counts))


def _asked(table: Table, roles: dict[int, Part]) -> list[int]:
    """The column that names the question: an id, or the first longer text that comes again; else what was talked about, which
    several people judged."""
    known = [k for k in preferred.question(table) if k not in roles]
    if known:
        return crossing.with_image(table, known[:1])
    documents = [k for k in table.where("document") if k not in roles and table.repeats(k)]
    return documents[:1] or list(itertools.islice(_asking_texts(table, roles), 1))


def _asking_texts(table: Table, roles: dict[int, Part]) -> Iterator[int]:
    """The columns of longer texts that come again, without what each of both systems wrote."""
    pairs = itertools.combinations(range(len(table.headings)), 2)
    both = {k for pair in pairs if _differ_in_place(*table.named(pair)) for k in pair}
    yield from (k for k in range(len(table.headings)) if k not in roles and k not in both and _asks(table, k))


def _asks(table: Table, k: int) -> bool:
    own = table.column(k).counts
    long = sum(len(cell.split()) >= LONG for cell in own)
    asks = not table.numeric(k) and not words.is_remark(table.headings[k])
    return asks and len(own) > 1 and 2 * len(own) <= len(table.rows) and 2 * long >= len(own)
