"""Sheets of votes as forms write them: a row for each person, a column for each question, and in the cells who won."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers.names import pattern
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
