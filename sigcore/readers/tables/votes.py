"""Votes of several people in one row, and votes that are no comparisons of two systems: sheets of forms, with a row for each
person and a column for each question, and rows of three systems or more."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence
from statistics import median

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers.contract import Found, Notice, Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import evident, facing, preferred
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear

ANNOTATOR = re.compile(r"(?:winner|preference|vote|verdict)\d")  # normalised: winner1, winner2 of as many people
FEWEST_QUESTIONS, MOST_WORDS = 3, 6
# 1. Which response do you prefer?  Q3  Question 2: which is better?
QUESTION = pattern("votes.question")
NAMED = (
    "response|model|system|option|output|answer|translation|summary|assistant|bot|chatbot|text|version|candidate|sentence|"
    "image|sample|audio"
)
# A number alone is rather a rating.
SIDE = re.compile(
    rf"(?:the )?(?:(?:{NAMED})[-_ ]?)?(?P<letter>[ABXY])|(?:the )?(?:{NAMED})[-_ ]?(?P<number>[12])|"
    r"(?P<word>left|right|first|second)(?: one)?",
    re.IGNORECASE,
)
TIE = pattern("votes.tie")


def per_annotator(table: Table, result: Found) -> Table:
    """The table with a row for each annotator, where each has a column of winners (winner1, winner2 ...)."""
    places = table.headed(lambda name: ANNOTATOR.fullmatch(words.normalised(name))) or _of_people(table)
    if table.role or len(places) < 2 or table.where("judge"):
        return table
    return for_each(table, places, result)


def is_person(heading: str) -> bool:
    """Whether a heading says that the votes of one of several people are below it: winner1, annotator_2."""
    return any(one.fullmatch(words.normalised(heading)) for one in (ANNOTATOR, preferred.VOTER))


def for_each(table: Table, places: Sequence[int], result: Found) -> Table:
    """The table with a row for each vote, where each of these columns has those of one person."""
    people = all(map(is_person, table.named(places)))
    who = f"{len(places)} people" if people else count(len(places), "column")
    message = f"The votes of {who} count ({listed(table.named(places))}), each as a comparison. "
    message += "In the test a question counts once, for the system with more votes there."
    result.notices.append(Notice(table.file, message))
    # where no column names the question, all votes in a row are on one
    own = [] if preferred.question(table) else [preferred.ROW]
    each = ([[*[str(i)][: len(own)], table.headings[k], row[k]] for k in places] for i, row in enumerate(table.rows, 1))
    return table.without({*places}).beside([*own, "judge", "winner"], each)


def _of_people(table: Table) -> list[int]:
    """The columns of numbered people (annotator_1) who all say which of both systems of a row is better, by place or name."""
    known, pair = facing.pair_of(table.headings)
    if pair is None:
        return []
    people = table.headed(lambda name: preferred.VOTER.fullmatch(words.normalised(name)))
    first, second = (table.column(known[name]) for name in pair)
    judged = (zip(table.column(k), first, second, strict=True) for k in people)
    cells = [(c.strip(), (a, b)) for rows in judged for c, a, b in rows]
    unknown = {preferred.UNKNOWN}
    return people if all({preferred.by_name(*one), preferred.by_place(*one)} != unknown for one in cells) else []


def refuse(table: Table) -> None:
    """Raise ReadError, which says what was seen, for columns of questions whose cells name one of two sides, or a tie."""
    asked = [k for k in table.headed(QUESTION.fullmatch) if _are_votes(table, k)]
    every = {cell.strip() for k in asked for cell in table.column(k).counts} - {""}
    sides = {_side(cell) for cell in every} - {""}
    if table.role or table.basis or len(asked) < FEWEST_QUESTIONS or len(sides) != 2 or len(every) > MOST_WORDS:
        return
    people = count(len(table.rows), "row")
    what = f"Its cells are votes ({listed(sorted(every))}) on {count(len(asked), 'question')}, a column each."
    message = f"{what} Its {people} would be people. Which system each side was is not said."
    fix = "Write a row for each vote: question, annotator, model_a, model_b, winner. winner is model_a, model_b or tie."
    raise ReadError(message, table.file, 1, f"{fix} Then load it with pairwise.")


def _are_votes(table: Table, k: int) -> bool:
    """Whether all cells of a column name a side or a tie, or are empty."""
    cells: Sequence[str] = [cell.strip() for cell in table.column(k).counts if cell.strip()]
    return bool(cells) and all(SIDE.fullmatch(cell) or TIE.fullmatch(cell) for cell in cells) and any(map(_side, cells))


def _side(cell: str) -> str:
    """The side that a cell names, as a letter, a number or a word; "" for a tie."""
    match = SIDE.fullmatch(cell)
    return next(filter(None, match.groups())).lower() if match else ""


FEWEST_SYSTEMS = 3
LONG_TEXT = 30  # characters of an output, rather than of a name
BEST = ("best", "better", "winner", "preferred", "preference")  # not label: that of a class, beside a column for each
THIRD = {f"{word}{end}" for word in facing.BEFORE for end in ("c", "3", "middle")}  # normalised


def refuse_three(table: Table) -> None:
    """Raise ReadError for a table in which each row compares three systems or more."""
    known, pair = facing.pair_of(table.headings)
    chosen = {*preferred.WINNERS} & known.keys()
    best = table.headed(lambda name: words.normalised(name) in BEST)
    beside = _third(table, best) or any(_names_one_of_three(table, k) for k in best)
    third = (pair and THIRD & known.keys()) or facing.has_third(table.headings)
    if (chosen and third) or beside:
        _ask_best(table, best or [known[word] for word in preferred.WINNERS if word in chosen], pair)
        fix = "Write a row for each pair, with columns system_1, system_2 and winner: the best one wins against each other."
        raise ReadError("Each row compares three systems or more, and says which is best.", table.file, 1, fix)


def _names_one_of_three(table: Table, k: int) -> bool:
    """Whether the cells of a column are headings of three columns or more, or say that none is best."""
    known = {name.strip() for name in table.headings} - {""}
    own = {cell.strip() for cell in table.column(k).counts}
    named = own & known
    return len(named) > 2 and all(
        facing.bare(cell) in preferred.TIES or cell.lower() in preferred.NONE for cell in own - named
    )


def _ask_best(table: Table, best: Sequence[int], pair: tuple[str, str] | None) -> None:
    """Raise Unclear where each of several systems has a column of its own, of scores or of texts, and one column names the best."""
    own = {cell.strip() for cell in table.column(best[0]).counts}
    named = [k for k in range(len(table.headings)) if k not in best and _of_system(table.headings[k], own, pair)]
    columns = sorted({*named, *_third(table, best)})
    scored = all(map(table.numeric, columns))
    # names of systems come again: then no heading is one
    texts = all(2 * len(table.column(k).counts) > len(table.rows) for k in columns)
    if len(best) != 1 or len(columns) < FEWEST_SYSTEMS or not (scored or texts):
        return
    winner, heads, asked = table.headings[best[0]], table.named(columns), preferred.question(table)
    roles: dict[int, Part] = {**dict.fromkeys(asked, "question"), **dict.fromkeys(columns, "system")}
    said = [f"{table.headings[k]}={part}" for k, part in roles.items()]
    ways = [(f"{listed(heads)} are scores of a system each", shlex.join([*said, f"{winner}=ignored"]))]
    judged = (f"{winner} says who won against all others of its row", shlex.join([*said, f"{winner}=winner"]))
    why = "Each row compares three systems or more, and says which is best."
    claims = evident.claims(table, "next to the best one", {**roles, best[0]: "winner"})
    raise Unclear(table, why, claims, [*ways, judged] if scored else [judged])


def _of_system(heading: str, won: Collection[str], pair: tuple[str, str] | None) -> bool:
    """Whether a heading is of a system: the best one of a row, or one of those beside two sides: ModelC beside ModelA and ModelB."""
    name = words.normalised(heading)
    begin = pair[0][:-1] if pair else ""
    return heading.strip() in won or (bool(begin) and name.startswith(begin) and len(name) == len(begin) + 1)


def best_of(name: str, heads: Sequence[str]) -> str:
    """Which of several systems, by their headings, a cell names: by its heading, or by its place (A of Model A); "" for others."""
    cell = facing.bare(name)
    found = [one for one in heads if cell and facing.bare(one) in (cell, *(f"{word}{cell}" for word in facing.BEFORE))]
    return found[0] if len(found) == 1 else ""


def _third(table: Table, best: Sequence[int]) -> set[int]:
    """The columns of texts without a known meaning that stand next to one of two of which one is the best, and never were the best."""
    known = [k for k, means in enumerate(table.meanings) if means is None and not table.numeric(k)]
    texts = {k for k in known if k not in best and median(map(len, table.column(k))) > LONG_TEXT}
    won = {cell.strip() for k in best for cell in table.column(k).counts}
    named = {k for k in texts if table.headings[k].strip() in won}
    return {k for k in texts - named if len(named) == 2 and {k - 1, k + 1} & named}
