"""Constituency trees as segments: words and labelled brackets under evalb's conventions, and those that two share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sigcore.text.chunks import Done, paced

TOKEN = re.compile(r"[()]|[^()\s]+")
FUNCTION = re.compile("[-=]")
COLUMNS = ("matched", "gold_brackets", "system_brackets", "skipped")

Bracket = tuple[str, int, int]


@dataclass(frozen=True)
class Conventions:
    """What is not counted: `deleted` labels (words with these tags, brackets with these labels), and which labels are
    taken for one another (`alias` -> label)."""

    deleted: frozenset[str]
    alias: tuple[tuple[str, str], ...]

    def label(self, label: str) -> str:
        """The label as it is compared: without function tag or index, one name for labels that are equal."""
        plain = FUNCTION.split(label, maxsplit=1)[0]
        return dict(self.alias).get(plain, plain)


# The parameters of Collins (1999), with which most figures on the Penn Treebank were made.
COLLINS = Conventions(frozenset(("TOP", "-NONE-", ",", ":", "``", "''", ".")), (("PRT", "ADVP"),))


@dataclass(frozen=True, eq=False)
class Parse:
    """The words that are left, and how often each bracket (label, first word, word after the last) stands there."""

    words: tuple[str, ...]
    brackets: Counter[Bracket]


@dataclass
class _Open:
    """A bracket that is not closed yet: its label, where it starts, and what stands in it."""

    label: str | None
    start: int
    word: bool = False
    brackets: bool = False


def read_parse(segment: str, conventions: Conventions = COLLINS) -> Parse | None:
    """The parse of one segment; None where brackets do not close, or a word stands where none may.

    Several trees in one segment are read as one, an outer bracket without a label has the label "", and a bracket
    in which no word is left vanishes.
    """
    words: list[str] = []
    found: list[Bracket] = []
    stack: list[_Open] = []
    for token in TOKEN.findall(segment):
        if token == "(":
            if stack:
                stack[-1].label, stack[-1].brackets = stack[-1].label or "", True
            stack.append(_Open(None, len(words)))
        elif not stack:
            return None
        elif token == ")":
            closed = stack.pop()
            if closed.word and closed.brackets:
                return None
            if not closed.word and len(words) > closed.start and closed.label not in conventions.deleted:
                found.append((conventions.label(closed.label or ""), closed.start, len(words)))
        elif stack[-1].label is None:
            stack[-1].label = token
        elif stack[-1].word or stack[-1].brackets:
            return None
        else:
            stack[-1].word = True
            if stack[-1].label not in conventions.deleted:
                words.append(token)
    return None if stack else Parse(tuple(words), Counter(found))


@dataclass(frozen=True, eq=False)
class GoldParses:
    """The gold trees, read once for all systems."""

    parses: list[Parse | None]

    def rows(self, segments: Sequence[str], count_failures: bool, done: Done | None) -> NDArray[np.float64]:
        """(n, 4): brackets matched, of gold, of the system, and 1 where the segment is skipped.

        A segment is skipped where there is no parse, or its words are not those of gold; it then counts nothing, or
        with `count_failures` the gold brackets as missed.
        """
        counts = np.zeros((len(segments), len(COLUMNS)))

        def work(start: int, stop: int) -> None:
            for i in range(start, stop):
                counts[i] = _count(read_parse(segments[i]), self.parses[i], count_failures)

        paced(len(segments), work, done)
        return counts


def _count(own: Parse | None, gold: Parse | None, count_failures: bool) -> tuple[int, int, int, int]:
    if own is None or gold is None or not own.words or own.words != gold.words:
        missed = gold.brackets.total() if gold is not None and count_failures else 0
        return 0, missed, 0, 1
    return (own.brackets & gold.brackets).total(), gold.brackets.total(), own.brackets.total(), 0


def gold_parses(segments: Sequence[str]) -> GoldParses:
    """The gold side."""
    return GoldParses([read_parse(segment) for segment in segments])
