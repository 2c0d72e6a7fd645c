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
Counts = NDArray[np.int32]

BITS = 64  # of one key


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of all segments in one row, each followed by its end: symbols, and for each position the segment and the
    owner of its line (0 = the system, from 1 on the references). The symbols are numbers from 2 on; 0 ends the lines of
    the system, 1 those of the references, so that n-grams that reach beyond both ends are not equal.
    """

    symbols: Keys
    ends: Ints
    segment: Keys
    owner: Keys
    segments: int
    owners: int


@dataclass(frozen=True, eq=False)
class Ordered:
    """Sorted keys: the bits in which each differs from the one before, and how many of the keys before each place belong
    to the system, and to each reference but the last (keys + 1)."""

    differ: Keys
    before: list[Counts]


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
    lengths = np.concatenate([np.diff(starts) for _, starts in parts])
    ends = np.cumsum(lengths + 1) - 1
    row = np.empty(int(lengths.sum()) + lengths.size, dtype=np.uint64)
    inside = np.ones(row.size, dtype=bool)
    inside[ends] = False
    row[inside] = _dense(np.concatenate([numbers for numbers, _ in parts]))
    row[ends] = np.arange(lengths.size) >= segments
    owner, segment = np.divmod(np.arange(lengths.size, dtype=np.uint64), np.uint64(max(segments, 1)))
    return Lines(row, ends, np.repeat(segment, lengths + 1), np.repeat(owner, lengths + 1), segments, len(parts))


def _dense(numbers: NDArray[np.int32]) -> Ints:
    """The numbers (from -1 on) renamed 2, 3, ... without gaps, so that they need few bits."""
    used = np.zeros(int(numbers.max(initial=0)) + 2, dtype=np.int64)
    used[numbers + 1] = 1
    return np.asarray(np.cumsum(used)[numbers + 1] + 1)


def _sorted(lines: Lines, order: int) -> Iterator[tuple[Ordered, int]]:
    """For each length of n-grams the sorted keys, and how many bits of a key are after an n-gram of that length.

    As many symbols as fit are in one key. Where that is too few, an n-gram gets a name that keeps their order, and the
    next keys are made of the names and the symbols after them.
    """
    width, whose = _bits(int(lines.symbols.max(initial=0))), _bits(lines.owners - 1)
    names, done = lines.segment, 0
    while done < order:
        name_bits = _bits(int(names.max(initial=0)))
        more = min(order - done, (BITS - name_bits - whose) // width)
        keys = (names << np.uint64(more * width)) | _ahead(_windows(lines, more, width), done)
        ordered = _ordered((keys << np.uint64(whose)) | lines.owner, whose, lines.owners)
        for k in range(1, more + 1):
            yield ordered, whose + (more - k) * width
        done += more
        if done < order:
            names = np.unique(keys, return_inverse=True)[1].astype(np.uint64)


def _ordered(keys: Keys, whose: int, owners: int) -> Ordered:
    keys.sort()
    owner = keys & np.uint64(2**whose - 1)
    before = [np.zeros(keys.size + 1, dtype=np.int32) for _ in range(owners - 1)]
    for k, count in enumerate(before):
        np.cumsum(owner == k, out=count[1:])
    return Ordered(keys[1:] ^ keys[:-1], before)


def _windows(lines: Lines, size: int, width: int) -> Keys:
    """At each position the next `size` symbols as one number; after the end of the line the end is repeated."""
    symbols = lines.symbols
    windows, end = symbols.copy(), symbols[lines.ends]
    beyond = end.copy()
    for k in range(1, size):
        beyond |= end << np.uint64(k * width)
        windows[:-1] = (symbols[:-1] << np.uint64(k * width)) | windows[1:]  # the symbol here, then the window after it
        windows[lines.ends] = beyond
    return windows


def _ahead(values: Keys, places: int) -> Keys:
    """The values `places` positions further on; 0 after the last."""
    return np.concatenate([values[places:], np.zeros(min(places, values.size), dtype=np.uint64)]) if places else values


def _clipped(ordered: Ordered, shift: int, begins: Ints) -> Ints:
    """The clipped matches of each segment (segments,) among n-grams that agree in all bits but the last `shift`."""
    change = np.flatnonzero(ordered.differ >= np.uint64(2**shift))
    bounds = np.empty(change.size + 2, dtype=np.intp)  # of each group of equal n-grams
    np.add(change, 1, out=bounds[1:-1])
    bounds[0], bounds[-1] = 0, ordered.differ.size + 1
    own, *others = (np.diff(before[bounds]) for before in ordered.before)
    most = np.diff(bounds) - own
    for other in others:
        most -= other  # the rest are those of the last reference
    for other in others:
        np.maximum(most, other, out=most)
    summed = np.zeros(bounds.size, dtype=np.int64)
    np.cumsum(np.minimum(own, most), out=summed[1:])
    return np.diff(summed[np.searchsorted(bounds, begins)])


def _bits(largest: int) -> int:
    """The bits of whole numbers up to this one."""
    return max(1, largest.bit_length())
