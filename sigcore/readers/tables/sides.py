"""Pairwise judgments under headings that nobody knows, as a plan proposes them: both systems of each row, and who won."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator, Sequence
from functools import partial

from sigcore.formatting import listed
from sigcore.readers.contract import Basis, Claim, Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import (
    crossing,
    evident,
    facing,
    gridded,
    judged,
    numbers,
    preferred,
    results,
    standing,
    versus,
    votes,
)
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import CONFIRM, WHO, Unclear, Way, first_cells

MOST_NAMES, MOST_ANSWERS = 40, 8  # systems, and different outcomes
APART = 0.9  # the share of rows in which a system is compared with another one
TELLS = re.compile(r"prefer|winner|better|vote|verdict|choice|chosen", re.IGNORECASE)  # in a heading of who won
TIED = ("tie", "tied", "draw")  # say by themselves that two are compared
MOST_ALONE = 3  # of several columns that may say who won
LONG = 4  # words that a text has at least which asks something


def proposed(table: Table) -> Unclear | None:
    """The question whether two columns of names are systems and another one says which of them is better; None where no
    columns are like that."""
    if table.role:
        return None
    pair = facing.sides_of(table.headings) or _by_headings(table) or _pair(table)
    won = _winners(table, pair) if pair else []
    if pair is None or not won:
        found = (_of_result(table, pair) if pair else None) or _of_two(table)
        return found or standing.of_order(table, table.headed(versus.WINS.fullmatch), partial(_asked, table))
    if (problem := results.by_scores(table, pair, won[0], partial(_asked, table))) is not None:
        return problem
    roles: dict[int, Part] = {pair[0]: "first", pair[1]: "second", won[0]: "winner"}
    roles |= dict.fromkeys(_asked(table, roles), "question")
    claims = [_claim(table, k, roles) for k in range(len(table.headings))]
    if preferred.WORSE.search(table.headings[won[0]]):
        return results.of_worse(table, claims, won[0], _sides_by_cell(table, won[0], pair))
    return _of_winner(table, pair, won, claims)


def _of_result(table: Table, pair: tuple[int, int]) -> Unclear | None:
    """The question whether one column says how one of two systems did: whether its side won, or that it did."""
    asked = partial(_asked, table)
    return results.of_side(table, pair, asked) or results.of_one(table, pair, asked)


def _of_winner(table: Table, pair: tuple[int, int], won: Sequence[int], claims: Sequence[Claim]) -> Unclear:
    """The question whether the first of some columns says which of two systems is better, and what its words mean."""
    name = table.headings[won[0]]
    others = f" Others may say it, too: {listed(table.named(won[1:]))}." if won[1:] else ""
    why = f"Does {name} say which of {listed(table.named(pair))} is better in each row?{others}"
    unknown = _unknown(table, won[0], pair)
    also = [] if unknown else [k for k in won[1:] if _says_who(table, k, pair) and _differ(table, won[0], k, pair)]
    problem = Unclear(table, why, claims, _of_several(table, [won[0], *also], claims) if also else ())
    if unknown:
        cells = " ".join(shlex.quote(f"{cell}={WHO}") for cell in unknown)
        parts = " ".join(shlex.quote(f"{one.column}={one.role}") for one in claims if not one.sure)
        problem.fix = f"{CONFIRM} --columns {parts} --cells {cells}. If not, give other roles. "
        problem.fix += f"Write first, second, tie or missing for each {WHO}."
    return problem


def _differ(table: Table, one: int, other: int, pair: tuple[int, int]) -> bool:
    """Whether two columns name different winners in a row: otherwise one only repeats the other."""
    sides = table.named(pair)
    both = zip(*([judged.side(*row, sides) for row in _with_pair(table, k, pair)] for k in (one, other)), strict=True)
    return any({*row} == {"first", "second"} for row in both)


# Behind what was judged, in headings of the votes of people: fluency_rater1, fluency_rater2.
PERSON = re.compile(r"[-_. ]*(?:annotator|rater|judge|expert|evaluator|worker)[-_. ]*\d+$", re.IGNORECASE)


def _of_several(table: Table, won: Sequence[int], claims: Sequence[Claim]) -> list[Way]:
    """The readings of several columns that all may say who won: the columns of one aspect or all of them as votes, or one alone.
    Votes of people come first."""
    rest = [f"{one.column}={one.role}" for one in claims if not one.sure and one.role != "winner"]
    heads = table.named(won)
    aspects = dict[str, list[str]]()
    for name in heads:
        aspects.setdefault(PERSON.sub("", name), []).append(name)

    def said(used: Sequence[str]) -> str:
        return shlex.join([*rest, *(f"{own}={'winner' if own in used else 'ignored'}" for own in heads)])

    if 1 < len(aspects) < len(heads):
        return [(f"{listed(own)} say{'s' * (len(own) == 1)} who won", said(own)) for own in aspects.values()]
    every = (f"{listed(heads)} are votes that all count", said(heads))
    alone = [(f"{name} alone says who won", said([name])) for name in heads[:MOST_ALONE]]
    return [every, alone[0]] if all(map(votes.is_person, heads)) else [*alone, every]


def ask_of_pairs(table: Table) -> None:
    """Raise the question what a table means whose headings are those of comparisons: where numbers stand for both systems, and
    where a winner is a place that another column may explain."""
    found = preferred.of(table)
    if found is None:
        return
    both, won = (found.first, found.second), found.outcome[0]
    if len(found.outcome) == 1 and (asked := results.by_scores(table, both, won, partial(_asked, table))) is not None:
        raise asked
    standing.ask(table, both, won)


def ask(table: Table) -> None:
    """Raise the question for a table whose column of winners, by its heading, repeats the headings of two others (left, right)
    that hold names: nothing in it is a score of its own."""
    if table.role or table.where("measure"):
        return
    results.refuse(table)
    problem = _of_counts(table) or _by_result(table)
    if problem is None and _won(table):
        problem = _by_winner(table)
    problem = problem or _of_pairs(table)
    if problem is not None:
        raise problem


def _of_pairs(table: Table) -> Unclear | None:
    """The question which of several columns says who won, where each has one of the two names in another column (base,large); None
    without them."""
    # most tables have no such heading, and of hundreds of columns no two are compared then
    pairs = table.headed(versus.OPTIONS.fullmatch)
    found = _winners_of(table, pairs[0]) if len(pairs) == 1 and not table.where("system") else []
    if len(found) < 2:
        return None
    pair = table.headings[pairs[0]]
    why = f"Does each of {listed(table.named(found))} say which of the two in {pair} is better?"
    claims = [_claim(table, k, {}) for k in range(len(table.headings))]
    ways = [(f"{table.headings[k]} says who won", f"{shlex.quote(table.headings[k])}=winner") for k in found]
    return Unclear(table, why, claims, ways)


def _winners_of(table: Table, pair: int) -> list[int]:
    """The columns that say who won of the two in each cell of a column, and of no other one."""
    few = (k for k in table.where(None) if k != pair and len(table.column(k).counts) <= MOST_WINNERS)
    won = [k for k in few if not table.numeric(k) and versus.pairs_in(table, pair, k)]
    return [k for k in won if (both := versus.pairs_of(table, k)) is not None and both[0] == pair]


MOST_WINNERS = 12  # different names, and words for ties, in a column that says who won


def _by_result(table: Table) -> Unclear | None:
    """The question about a column that says how one of two systems of each row did, by words or by numbers; None without one."""
    asked, placed = partial(_asked, table), facing.sides_of(table.headings)
    if placed is not None and (found := results.of_side(table, placed, asked)) is not None:
        return found
    alone = placed is None and bool(results.found(table))
    named = (_pair(table) or _against(table)) if alone else None
    if named is not None and (found := results.of_one(table, named, asked)) is not None:
        return found
    named = None if _won(table) else placed or _pair(table)
    return results.by_number(table, named, asked) if named is not None and _face(table, named) else None


def _by_winner(table: Table) -> Unclear | None:
    """The question about a column of winners: the headings of two columns of names, or the same two names in all rows; None
    where scores say who won."""
    pair = _by_headings(table)
    if pair is not None and all(_are_names(table, k) for k in pair) and (problem := proposed(table)):
        return problem
    scored = any(words.has_measure(name) and table.numeric(k) for k, name in enumerate(table.headings))
    return None if scored or facing.sides_of(table.headings) is not None else _of_two(table)


VOTES = re.compile(r"votes?|prefer", re.IGNORECASE)
TIES = pattern("sides.ties")  # headings above how many said that none is better
RESULT = re.compile(
    r"(?:.+[-_ ])?(?:wins?|won|loss(?:es)?|lost)", re.IGNORECASE
)  # of one system, which another column names


def _of_counts(table: Table) -> Unclear | None:
    """The question whether two columns of counts are of two systems, beside one that counts ties, which is none; None without it."""
    tied = table.headed(TIES.fullmatch)
    if not tied or table.where("system", "judge") or table.headed(RESULT.fullmatch):
        return None
    open_ = [k for k in table.where(None) if not crossing.ID.search(table.headings[k])]
    both = [k for k in open_ if k not in tied and table.numeric(k)]
    if len(both) != 2 or not all(map(table.numeric, tied)) or not _are_votes(table, [*both, *tied], tied):
        return None
    roles: dict[int, Part] = {**dict.fromkeys(both, "system"), **dict.fromkeys(tied, "ignored")}
    roles = {**dict.fromkeys(_asked(table, roles), "question"), **roles}
    shown = listed(table.named(both))
    why = f"Are {shown} two systems, with the votes for each? {listed(table.named(tied))} counts those for none."
    told = shlex.join(f"{table.headings[k]}={part}" for k, part in roles.items())
    claims = evident.claims(table, "next to votes", roles)
    problem = Unclear(table, why, claims, [(f"{shown} are systems, and the one with more votes is better", told)])
    problem.settled = True  # a search would take ties for a system
    return problem


def _are_votes(table: Table, columns: Sequence[int], tied: Sequence[int]) -> bool:
    """Whether whole numbers count votes: by the headings of ties, or because every row has as many in all."""
    if any(numbers.scale(table.column(k)).fractions for k in columns):
        return False
    rows = [cells for cells in zip(*map(table.column, columns), strict=True) if all(map(numbers.is_number, cells))]
    same = len({sum(map(float, cells)) for cells in rows}) == 1 and len(rows) == len(table.rows)
    return same or bool(table.headed(VOTES.search, tied))


def _against(table: Table) -> tuple[int, int] | None:
    """The column of systems, and the one whose heading and short names say with which others each is compared."""
    rivals = [k for k in range(len(table.headings)) if results.is_behind(table, k) and table.meanings[k] != "reference"]
    systems = [k for k in table.where("system") if k not in rivals]
    if len(rivals) != 1 or len(systems) != 1 or table.numeric(rivals[0]):
        return None
    own, other = ({*map(str.strip, table.column(k).counts)} for k in (systems[0], rivals[0]))
    short = all(cell and len(cell.split()) <= judged.MOST_WORDS for cell in other)
    return (systems[0], rivals[0]) if short and own.isdisjoint(other) else None


def _face(table: Table, pair: tuple[int, int]) -> bool:
    """Whether two columns name systems that are compared with each other: by headings that differ in a place alone, or as one
    against the other (model, opponent). A judge is none of them."""
    one, other = table.named(pair)
    sides = _differ_in_place(one, other) or results.is_behind(table, pair[0]) != results.is_behind(table, pair[1])
    if not sides or any(table.meanings[k] == "judge" for k in pair):
        return False
    # by their headings, one system may always be on its side
    apart = facing.sides_of(table.headings) == pair and versus.are_apart(table, *pair)
    return apart or (all(_are_names(table, k) for k in pair) and _are_rivals(table, *pair))


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
    found = [(k, pair) for k in _won(table) if _is_filled(table, k) and (pair := judged.only_two(table, k)) is not None]
    if len({pair for _, pair in found}) != 1:
        return None
    (won, pair), *others = found
    if all(_has_scores(table, name) for name in pair):
        return None  # whoever is best in a row follows from them
    roles: dict[int, Part] = {won: "winner", **dict.fromkeys(_asked(table, {won: "winner"}), "question")}
    claims = [_claim(table, k, roles) for k in range(len(table.headings))]
    question = f"Does each row compare {listed(pair)}, and {table.headings[won]} say which is better?"
    also = sorted({k for k, _ in others} | {*_also_of(table, pair)} - {won})
    if also:
        question += f" Others may say it, too: {listed(table.named(also))}."
    if judged.are_places(pair):
        question += " These may be places: if the sides were drawn anew for each row, name both systems in columns model_a and model_b."
    ways = _or_measured(table, won, claims) or (_of_several(table, sorted([won, *also]), claims) if also else [])
    return Unclear(table, question, claims, ways)


def _is_filled(table: Table, k: int) -> bool:
    """Whether most rows have something in a column."""
    return 2 * sum(map(bool, map(str.strip, table.column(k)))) > len(table.rows)


def _also_of(table: Table, pair: tuple[str, str]) -> list[int]:
    """The columns of numbered people who voted for one of two systems, or for a tie: perhaps for the same one in all rows."""
    people = table.headed(votes.is_person)
    given = {k: {cell.strip() for cell in table.column(k).counts} for k in people}
    return [k for k in people if given[k] & {*pair} and all(judged.side(cell, pair) for cell in given[k])]


def _or_measured(table: Table, won: int, claims: Sequence[Claim]) -> list[Way]:
    """Both ways to read a column of winners beside a measure of each system, from which they may come; [] without one."""
    grid = gridded.of(table)
    if grid is None:
        return []
    winner = table.headings[won]
    told = " ".join(shlex.quote(f"{one.column}={one.role}") for one in claims if not one.sure)
    aside = shlex.quote(f"{winner}=ignored")
    ways = [
        *((f"{winner} comes from the scores, and {words}", f"{roles} {aside}") for words, roles in grid.ways),
        (f"{winner} says who won, by judges", told),
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
    return few and not table.numeric(k) and all(cell.strip() and len(cell.split()) <= judged.MOST_WORDS for cell in own)


def _are_rivals(table: Table, one: int, other: int) -> bool:
    """Whether two columns have names in common, and hardly a row compares a system with itself. Outcomes are no names."""
    known = [{cell.strip() for cell in table.column(k).counts} for k in (one, other)]
    both, rows = known[0] & known[1], list(zip(table.column(one), table.column(other), strict=True))
    said = {facing.bare(cell) for cell in both}
    outcomes = said <= judged.OUTCOMES or not said.isdisjoint(TIED)
    apart = sum(a.strip() != b.strip() for a, b in rows)
    return len(both) > 1 and not outcomes and 2 * len(both) >= len(known[0] | known[1]) and apart >= APART * len(rows)


def _differ_in_place(one: str, other: str) -> bool:
    """Whether two headings differ in a place alone: 1 and 2, left and right."""
    return facing.place_in((one, other)) in versus.PLACED


def _winners(table: Table, pair: tuple[int, int]) -> list[int]:
    """The columns that may say who won, the likeliest first: by their headings, or by their cells, which are places of both
    systems or their names."""
    most = max(MOST_ANSWERS, len(table.column(pair[0]).counts) + 2)
    others = {*range(len(table.headings))} - {*pair}
    few = [k for k in sorted(others) if 1 < len(table.column(k).counts) <= most]
    headed = [k for k in few if versus.WINS.fullmatch(table.headings[k].strip())]
    places = _untwinned(table, [k for k in few if _says_who(table, k, pair)], pair)
    found = sorted({*places} & {*headed}) or headed[: len(headed) == 1]
    found = found or _telling(table, places, pair) or _in_other_words(table, few, pair) or _by_number(table, few, pair)
    return list(dict.fromkeys([*_fuller(table, places, found), *found, *places])) if found else []


def _untwinned(table: Table, places: Sequence[int], pair: tuple[int, int]) -> list[int]:
    """The columns that may name who won. Two columns are left out if one names the first and the other the second system of each
    row: together they name the pair."""
    sides = {k: [judged.side(*row, table.named(pair)) for row in _with_pair(table, k, pair)] for k in places}
    both = {(a, b): {frozenset(pair) for pair in zip(sides[a], sides[b], strict=True)} for a in places for b in places}
    return [k for k in places if {frozenset(("first", "second"))} not in [both[k, other] for other in places]]


def _in_other_words(table: Table, few: Sequence[int], pair: tuple[int, int]) -> list[int]:
    """The one column with a word for a preference that names both places, and another word, which a person explains."""
    told = [k for k in few if TELLS.search(table.headings[k])]
    found = [
        k for k in told if {"first", "second"} <= {judged.side(cell, row) for cell, row in _with_pair(table, k, pair)}
    ]
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


def _telling(table: Table, places: Sequence[int], pair: tuple[int, int]) -> list[int]:
    """Those of the columns whose headings have a word for a preference; without it, those that name no measure, or any (judgement,
    rating) beside two systems by their headings."""
    told = [k for k in places if TELLS.search(table.headings[k])]
    told = told or [k for k in places if not words.has_measure(table.headings[k])]
    names = {cell.strip() for k in pair for cell in table.column(k).counts}  # fluency, above the name of the better one
    told = told or [k for k in places if len(names & {cell.strip() for cell in table.column(k).counts}) > 1]
    return told or (list(places) if facing.sides_of(table.headings) == pair else [])


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
    won = {judged.side(cell, row, sides) for cell, row in own}
    # where headings say who won, another word is a tie, or says that there is no winner
    by_heading = {name.strip().lower() for name in sides} <= {cell.lower() for cell, _ in own}
    return {"first", "second"} <= won and ("" not in won or by_heading)


def _with_pair(table: Table, k: int, pair: tuple[int, int]) -> list[tuple[str, tuple[str, str]]]:
    """Each cell of a column, with both names of its row."""
    own = (table.column(k), table.column(pair[0]), table.column(pair[1]))
    return [(cell.strip(), (a.strip(), b.strip())) for cell, a, b in zip(*own, strict=True)]


def _sides_by_cell(table: Table, k: int, pair: tuple[int, int]) -> dict[str, str]:
    """The side that each cell of a column of winners names (first, second) in all rows; {} where it depends on the row."""
    named = {(cell, judged.side(cell, row, table.named(pair))) for cell, row in _with_pair(table, k, pair)}
    named = {(cell, side) for cell, side in named if side in ("first", "second")}
    return dict(named) if len({cell for cell, _ in named}) == len(named) else {}


def _unknown(table: Table, k: int, pair: tuple[int, int]) -> list[str]:
    """The words of a column of winners that are not known."""
    if table.numeric(k) and {*table.column(k).counts} <= {"0", "1", "2"}:
        return sorted({*table.column(k).counts}) if "0" in table.column(k).counts else []  # 1 the first, 2 the second
    unknown = {cell for cell, row in _with_pair(table, k, pair) if not judged.side(cell, row, table.named(pair))}
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
