"""Votes that are no comparisons of two systems in each row: sheets of forms, with a row for each person and a column for each
question, and rows of three systems or more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers.names import pattern
from sigcore.readers.tables import facing, preferred
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table

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


LONG_TEXT = 30  # characters of an output, rather than of a name
BEST = ("best", "better", "winner", "preferred", "preference")  # not label: that of a class, beside a column for each
THIRD = {f"{word}{end}" for word in facing.BEFORE for end in ("c", "3", "middle")}  # normalised


def refuse_three(table: Table) -> None:
    """Raise ReadError for a table in which each row compares three systems or more."""
    known, pair = facing.pair_of(table.headings)
    chosen = {*preferred.WINNERS} & known.keys()
    best = table.headed(lambda name: words.normalised(name) in BEST)
    beside = _is_third(table, best) or any(
        {*table.column(k).counts} <= {*table.headings} - {""} and len(table.column(k).counts) > 2 for k in best
    )
    third = (pair and THIRD & known.keys()) or facing.has_third(table.headings)
    if (chosen and third) or beside:
        fix = "Write a row for each pair, with columns system_1, system_2 and winner: the best one wins against each other."
        raise ReadError("Each row compares three systems or more, and says which is best.", table.file, 1, fix)


def _is_third(table: Table, best: Sequence[int]) -> bool:
    """Whether the best one is one of two columns of texts, and another one of texts without a known meaning stands next to one of
    them, which never was the best."""
    known = [k for k, means in enumerate(table.meanings) if means is None and not table.numeric(k)]
    texts = {k for k in known if k not in best and median(map(len, table.column(k))) > LONG_TEXT}
    won = {cell.strip() for k in best for cell in table.column(k).counts}
    named = {k for k in texts if table.headings[k].strip() in won}
    return len(named) == 2 and any({k - 1, k + 1} & named for k in texts - named)
