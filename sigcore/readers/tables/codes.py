"""What words in columns of scores mean, as the option --cells says it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers
from sigcore.readers.tables.columns import Column

LETTERS = {"C": "1", "I": "0", "P": "0.5", "N": "0"}  # correct, incorrect, partial, no answer: as Inspect writes them


def option(means: Mapping[str, str]) -> str:
    """The option that says what words mean as scores; "" where there are none."""
    shown = " ".join(shlex.quote(f"{word}={meaning}") for word, meaning in means.items())
    return f" --cells {shown}" if means else ""


def meant(columns: Mapping[str, Column]) -> dict[str, str]:
    """What the words of columns, by heading, mean: those of the first that repeats a few; NUMBER where only the user knows it."""
    marks = next(filter(None, (_marks(name, column) for name, column in columns.items())), [])
    unknown = [word for word in marks if not (numbers.is_number(word) or numbers.is_percent(word))]
    # beside numbers, words say why there is none
    means = ["missing"] * len(unknown) if len(unknown) < len(marks) else _meant(unknown)
    return dict(zip(unknown, means, strict=True))


def _marks(heading: str, column: Column) -> list[str]:
    """The words of a column that repeats a few; below a heading of grades each may come only twice."""
    found = numbers.marks(column)
    return found or (numbers.few_words(column) if words.is_grade(heading) else [])


def _meant(unknown: Sequence[str]) -> list[str]:
    """The number that each word means, or NUMBER; beside a word that is known as good, one other word is its opposite."""
    letters = LETTERS if set(unknown) <= LETTERS.keys() else {}
    known = [letters.get(word) or numbers.meant(word) or "NUMBER" for word in unknown]
    # which of two other words is better nobody but the user knows
    opposite = sorted(known) == ["1", "NUMBER"]
    return ["0" if opposite and meaning == "NUMBER" else meaning for meaning in known]
