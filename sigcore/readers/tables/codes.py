"""What words in columns of scores mean, as the option --cells says it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence

from sigcore.formatting import listed
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


# True and false, or yes and no, below a heading that names no outcome: as scores they say which answers are right. Predicted
# labels look the same, and the mean of these only tells how often one was predicted.

TRUE_FALSE = {"true": "1", "false": "0"} | dict.fromkeys(numbers.YES, "1") | dict.fromkeys(numbers.NO, "0")


def as_right(headings: Sequence[str], column: Callable[[int], Column]) -> dict[str, str]:
    """What each column of such words says as scores, by heading."""
    open_ = [k for k, name in enumerate(headings) if not names_outcome(name)]
    return {headings[k]: _says_right(headings[k], own) for k in open_ if numbers.truths(own := column(k), TRUE_FALSE)}


def names_outcome(heading: str) -> bool:
    """Whether a heading says that what is below it is a score."""
    known = (words.is_outcome, words.has_measure, words.is_criterion, words.is_scored)
    return any(one(heading) for one in known)


def _says_right(heading: str, cells: Column) -> str:
    good = next((word for one in cells.counts if TRUE_FALSE.get(word := one.strip().lower()) == "1"), "")
    return f"{heading} says which answers are right{f' ({good} is 1)' if good else ''}"


def with_right(way: tuple[str, str], right: Mapping[str, str]) -> tuple[str, str]:
    """A reading in words and its roles; where it calls such a column a score, its words say what this means."""
    scored = [one.removesuffix("=score") for one in shlex.split(way[1]) if one.endswith("=score")]
    meanings = [right[name] for name in scored if name in right and right[name] not in way[0]]
    return ", and ".join([way[0], *meanings]), way[1]


def about_scores(right: Mapping[str, str], scored: Sequence[str]) -> str:
    """What is said before a plan in which such columns are scores; "" without one."""
    return "".join(f"As a score {right[name]}. " for name in scored if name in right)


def about_labels(right: Mapping[str, str], fix: str) -> str:
    """What to load where such columns, which a `fix` calls scores, are predicted labels; "" without one."""
    named = [name for name, what in right.items() if what in fix]
    return f"If {listed(named)} holds predicted labels, load the right ones, too: --reference FILE." if named else ""


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
