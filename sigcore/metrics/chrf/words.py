"""The words of chrF++: one punctuation mark is split off each word."""

from __future__ import annotations

from itertools import chain

MARKS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class WordMarks(dict[str, tuple[str, ...]]):
    """Word -> the words of chrF++: one mark is split off the end, or else off the beginning."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(word) > 1 and word[-1] in MARKS:
            parts: tuple[str, ...] = (word[:-1], word[-1])
        elif len(word) > 1 and word[0] in MARKS:
            parts = (word[0], word[1:])
        else:
            parts = (word,)
        self[word] = parts
        return parts

    def tokens(self, line: str) -> list[str]:
        """The words of one line."""
        return list(chain.from_iterable(map(self.__getitem__, line.split())))
