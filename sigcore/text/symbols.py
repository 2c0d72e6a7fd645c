"""Text as numbers for the kernels: characters as code points, words as the numbers a vocabulary gives them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, count, repeat

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import MismatchError, SigError
from sigcore.types import Ints

Numbers = NDArray[np.int32]
Streams = Sequence[Sequence[str]]

UNKNOWN = -1  # the number of every word that no reference has: it matches nothing


@dataclass(frozen=True, eq=False)
class Symbols:
    """Lines as one row of numbers: line i is `numbers[starts[i] : starts[i + 1]]`."""

    numbers: Numbers
    starts: Ints  # (lines + 1,)

    @property
    def lengths(self) -> Ints:
        """The number of symbols in each line."""
        return np.diff(self.starts)


def starts_of(lengths: Iterable[int]) -> Ints:
    """The position in the row of all lines where each line starts, and where the last one ends."""
    return np.fromiter(accumulate(lengths, initial=0), dtype=np.int64)


def code_points(lines: Sequence[str], whitespace: bool) -> Symbols:
    """The lines' characters, with or without whitespace."""
    if not whitespace:
        lines = ["".join(line.split()) for line in lines]
    # "surrogatepass": a lone surrogate is a character like any other here
    data = bytearray("".join(lines).encode("utf-32-le", "surrogatepass"))
    return Symbols(np.frombuffer(data, dtype="<i4").astype(np.int32, copy=False), starts_of(map(len, lines)))


class Vocabulary:
    """Numbers for the words of all references; built once, then read only, so threads may share it."""

    def __init__(self, tokens: Callable[[str], list[str]]) -> None:
        self._tokens = tokens
        self._numbers: dict[str, int] = defaultdict(count().__next__)

    def learn(self, lines: Sequence[str]) -> Symbols:
        """The lines' words; every new one gets the next number."""
        return self._symbols(lines, lambda words: map(self._numbers.__getitem__, words))

    def read(self, lines: Sequence[str]) -> Symbols:
        """The lines' words, UNKNOWN where no reference has them."""
        return self._symbols(lines, self.numbers)

    def numbers(self, words: Iterable[str]) -> Iterable[int]:
        """The numbers of words, UNKNOWN where no reference has them."""
        return map(self._numbers.get, words, repeat(UNKNOWN))

    def _symbols(self, lines: Sequence[str], numbered: Callable[[Iterable[str]], Iterable[int]]) -> Symbols:
        words = list(map(self._tokens, lines))
        starts = starts_of(map(len, words))
        return Symbols(np.fromiter(numbered(chain.from_iterable(words)), np.int32, count=starts[-1]), starts)


@dataclass(frozen=True, eq=False)
class Joined:
    """Several streams of n lines in one row of numbers; line i of stream r starts at `starts[r, i]`."""

    numbers: Numbers
    starts: Ints  # (streams, n + 1)


def joined(streams: Sequence[Symbols]) -> Joined:
    """The symbols of several streams of equally many lines in one row."""
    shifts = accumulate((stream.numbers.size for stream in streams[:-1]), initial=0)
    starts = np.stack([stream.starts + shift for stream, shift in zip(streams, shifts, strict=True)])
    return Joined(np.concatenate([stream.numbers for stream in streams]), starts)


def checked(references: Streams) -> Streams:
    """The references: one or more streams of equal length.

    Raises: SigError if there is none, MismatchError if two differ in length.
    """
    if not references:
        raise SigError("There is no reference.", "", "Give at least one reference for every segment.")
    for k, stream in enumerate(references[1:], start=2):
        if len(stream) != len(references[0]):
            what = f"Reference {k} has {len(stream)} segments, reference 1 has {len(references[0])}."
            raise MismatchError(what, "", "All references must have one line per segment.")
    return references


def check_length(segments: Sequence[str], n: int) -> None:
    """Raise MismatchError unless there are n segments, as many as the references have."""
    if len(segments) != n:
        what = f"A system has {len(segments)} segments; the references have {n}."
        raise MismatchError(what, "", "Every system must have one line per segment.")
