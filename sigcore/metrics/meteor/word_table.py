"""Facts about each distinct word for METEOR: its stem, its sets of synonyms, and whether it is a function word."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sigcore.text.symbols import Numbers, Symbols, starts_of
from sigcore.types import Ints

EXACT, STEM, SYNONYM = range(3)
Stage = Literal["exact", "stem", "synonym"]
STAGES: tuple[Stage, ...] = get_args(Stage)


@dataclass(frozen=True, eq=False)
class WordTable:
    """Facts about V words by number. Word w is in the sets `sets[starts[w] : starts[w + 1]]`, sorted."""

    stems: Numbers  # (V,): equal numbers for equal stems
    sets: Ints
    starts: Ints  # (V + 1,)
    function: NDArray[np.bool_]  # (V,)

    def stem_of(self, word: int) -> list[int]:
        """The stem of a word, in a list."""
        return [int(self.stems[word])]

    def sets_of(self, word: int) -> list[int]:
        """The sets of synonyms of a word."""
        sets: list[int] = self.sets[self.starts[word] : self.starts[word + 1]].tolist()
        return sets


class Words:
    """Numbers for all words that are read, and a table of facts about them; threads may share it.

    `stems` returns the stem of a word, `sets` its sets of synonyms; None = the stage is not used.
    """

    def __init__(
        self,
        tokens: Callable[[str], list[str]],
        stems: Mapping[str, str] | None = None,
        sets: Callable[[str], tuple[int, ...]] | None = None,
        function: Collection[str] = (),
    ) -> None:
        self.stages = 1 + (stems is not None) + (sets is not None)
        self._tokens, self._stem, self._sets_of, self._is_function = tokens, stems, sets, function
        self._numbers: dict[str, int] = {}
        self._stems: dict[str, int] = defaultdict(count().__next__)
        self._new: list[tuple[int, tuple[int, ...], bool]] = []  # facts that are not in the table yet
        self._table = WordTable(
            np.empty(0, np.int32), np.empty(0, np.int64), np.zeros(1, np.int64), np.empty(0, np.bool_)
        )
        self._turn = threading.Lock()

    def read(self, lines: Sequence[str]) -> tuple[Symbols, WordTable]:
        """The lines as numbers of words, and a table with all of these words."""
        with self._turn:
            words = list(map(self._tokens, lines))
            numbers = list(map(self._number, chain.from_iterable(words)))
            if self._new:
                self._table = _longer(self._table, self._new)
                self._new = []
            return Symbols(np.array(numbers, dtype=np.int32), starts_of(map(len, words))), self._table

    def _number(self, word: str) -> int:
        number = self._numbers.get(word)
        if number is None:
            number = self._numbers[word] = len(self._numbers)
            lower = word.lower()  # lists and dictionaries are in lower case
            stem = self._stems[word if self._stem is None else self._stem[word]]
            self._new.append((stem, self._sets_of(lower) if self._sets_of else (), lower in self._is_function))
        return number


def _longer(table: WordTable, facts: Sequence[tuple[int, tuple[int, ...], bool]]) -> WordTable:
    stems, sets, function = zip(*facts, strict=True)
    return WordTable(
        np.concatenate((table.stems, np.array(stems, np.int32))),
        np.concatenate((table.sets, np.fromiter(chain.from_iterable(sets), np.int64))),
        np.concatenate((table.starts, table.starts[-1] + starts_of(map(len, sets))[1:])),
        np.concatenate((table.function, np.array(function, np.bool_))),
    )
