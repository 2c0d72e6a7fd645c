"""Counts the n-grams that a segment shares with its references by sorting, with numpy alone: nothing has to be compiled.

Each position of a text becomes one number: its segment, the symbols from there on, and whose text it is. Once these
numbers are sorted, equal n-grams of any length are neighbours: those of length k agree in all bits up to symbol k.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sigcore.text.symbols import Joined, Symbols
from sigcore.types import Ints

Keys = NDArray[np.uint64]

BITS = 64  # of one key


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of all segments in one row, each followed by a 0: symbols from 1 on, and for each position the segment
    and the owner of its line (0 = the system, from 1 on the references)."""

    symbols: Keys
    segment: Keys
    owner: Keys
    segments: int
    owners: int


@dataclass(frozen=True, eq=False)
class Ordered:
    """Sorted keys with `width` bits per symbol; the bits in which each differs from the one before; for each owner the
    number of its keys before each place (owners, keys + 1)."""

    keys: Keys
    differ: Keys
    before: list[Ints]
    last: np.uint64  # the bits of one symbol


def matches(text: Symbols, references: Joined, first: int, totals: Ints) -> None:
    """Fill totals (segments, order) with clipped matches; segment i belongs to segment first + i of the references.

    It does the same as the kernel `matches`. Cost: O(N log N + order * N) for N symbols.
    """
    lines = _lines(text, references, first)
    if not lines.symbols.size:
        return
    sizes = np.bincount(lines.segment.astype(np.intp), minlength=lines.segments)
    begins = np.concatenate([[0], np.cumsum(sizes)])  # of each segment among the sorted keys
    for k, (ordered, shift) in enumerate(_sorted(lines, totals.shape[1])):
        totals[:, k] = _clipped(ordered, shift, begins)


def _lines(text: Symbols, references: Joined, first: int) -> Lines:
    segments = text.lengths.size
    parts = [(text.numbers, text.starts)]
    for starts in references.starts:
        own = starts[first : first + segments + 1]
        parts.append((references.numbers[own[0] : own[-1]], own - own[0]))
    symbols = _dense(np.concatenate([numbers for numbers, _ in parts]))
    lengths = np.concatenate([np.diff(starts) for _, starts in parts])
    row = np.zeros(symbols.size + lengths.size, dtype=np.uint64)
    line = np.repeat(np.arange(lengths.size), lengths)
    row[np.arange(symbols.size) + line] = symbols
    lines = np.repeat(np.arange(lengths.size), lengths + 1)
    whole = max(segments, 1)
    return Lines(row, (lines % whole).astype(np.uint64), (lines // whole).astype(np.uint64), segments, len(parts))


def _dense(numbers: NDArray[np.int32]) -> NDArray[np.int64]:
    """The numbers (from -1 on) renamed 1, 2, ... without gaps, so that they need few bits."""
    used = np.zeros(int(numbers.max(initial=0)) + 2, dtype=np.int64)
    used[numbers + 1] = 1
    return np.asarray(np.cumsum(used)[numbers + 1])


def _sorted(lines: Lines, order: int) -> Iterator[tuple[Ordered, int]]:
    """For each length of n-grams the sorted keys, and how many bits of a key are after an n-gram of that length.

    As many symbols as fit are in one key. Where that is too few, an n-gram gets a name that keeps their order, and the
    next keys are made of the names and the symbols after them.
    """
    width, whose = _bits(int(lines.symbols.max(initial=0))), _bits(lines.owners - 1)
    names, done = lines.segment, 0
    goes_on = np.ones(names.size, dtype=bool)  # whether the n-gram so far is not longer than its line
    while done < order:
        name_bits = _bits(int(names.max(initial=0)))
        more = min(order - done, (BITS - name_bits - whose) // width)
        ahead = np.where(goes_on, _ahead(_windows(lines.symbols, more, width), done), np.uint64(0))
        keys = (names << np.uint64(more * width)) | ahead
        ordered = _ordered((keys << np.uint64(whose)) | lines.owner, whose, width, lines.owners)
        for k in range(1, more + 1):
            yield ordered, whose + (more - k) * width
        done += more
        if done < order:
            goes_on = (ahead & np.uint64(2**width - 1)) > 0
            names = np.unique(keys, return_inverse=True)[1].astype(np.uint64)


def _ordered(keys: Keys, whose: int, width: int, owners: int) -> Ordered:
    keys = np.sort(keys)
    owner = keys & np.uint64(2**whose - 1)
    before = [np.concatenate([[0], np.cumsum(owner == k)]) for k in range(owners)]
    return Ordered(keys, keys[1:] ^ keys[:-1], before, np.uint64(2**width - 1))


def _windows(symbols: Keys, size: int, width: int) -> Keys:
    """At each position the next `size` symbols as one number; 0 in place of those after the end of the line."""
    ends = np.flatnonzero(symbols == 0)
    windows = symbols.copy()
    for k in range(1, size):
        windows[:-1] = (symbols[:-1] << np.uint64(k * width)) | windows[1:]  # the symbol here, then the window after it
        windows[ends] = 0
    return windows


def _ahead(values: Keys, places: int) -> Keys:
    """The values `places` positions further on; 0 after the last."""
    return np.concatenate([values[places:], np.zeros(min(places, values.size), dtype=np.uint64)])


def _clipped(ordered: Ordered, shift: int, begins: Ints) -> Ints:
    """The clipped matches of each segment (segments,) among n-grams that agree in all bits but the last `shift`."""
    keys = ordered.keys
    change = np.flatnonzero(ordered.differ >= np.uint64(2**shift)) + 1
    starts = np.concatenate([[0], change])  # of each group of equal n-grams
    ends = np.append(change, keys.size)
    counts = [before[ends] - before[starts] for before in ordered.before]
    match = np.minimum(counts[0], np.max(counts[1:], axis=0))
    match[(keys[starts] >> np.uint64(shift)) & ordered.last == 0] = 0  # the line ends before the n-gram does
    summed = np.concatenate([[0], np.cumsum(match)])
    return np.diff(summed[np.searchsorted(starts, begins)])


def _bits(largest: int) -> int:
    """The bits of whole numbers up to this one."""
    return max(1, largest.bit_length())
