"""Counts the n-grams that a segment shares with its references, of words or characters, up to any order.

The n-grams of the references form a tree: a node is an n-gram, a child is that n-gram with one more symbol. The tree is
stored in a hash table whose key is (node, symbol) and whose slot is the child node. So n-grams are never packed or
copied, any alphabet and any order work, and one walk down the tree from each position of a segment finds the matches of
all orders; it ends at the first n-gram that the references do not have.

The tree is built again for each segment and system: such a small table stays in the processor's fastest cache. That is
as fast as reading the tables of all segments from memory, and needs no memory for them.

All numbers that lead to an index are unsigned: numba would otherwise test each for being negative, and a mixture of
signed and unsigned numbers would become a float.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sigcore.text.compiled import kernel, part
from sigcore.text.symbols import Numbers
from sigcore.types import Ints

Keys = NDArray[np.uint64]
Weights = NDArray[np.float64]

EMPTY = ROOT = np.uint64(0)
ONE = np.uint64(1)
HALF = np.uint64(32)
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio: spreads neighbouring numbers


@part
def find(keys: Keys, mask: np.uint64, place: np.uint64, key: np.uint64) -> np.uint64:
    """The slot of the key or, if keys[slot] is EMPTY, the slot for it; the search begins at `place`."""
    slot = (place >> HALF) & mask
    while keys[slot] != EMPTY and keys[slot] != key:
        slot = (slot + ONE) & mask
    return slot


@part
def plant(text: Numbers, order: int, keys: Keys, mask: np.uint64, counts: Numbers) -> None:
    """Add a reference's n-grams to the tree and their occurrences to `counts`."""
    for start in range(text.size):
        node = place = ROOT
        for k in range(min(order, text.size - start)):
            symbol = np.uint64(text[start + k]) + ONE  # so that no key is EMPTY
            # the n-gram's own hash, not the node's: it does not depend on the search before
            place = (place + symbol) * MULTIPLIER
            key = (node << HALF) | symbol
            slot = find(keys, mask, place, key)
            keys[slot] = key
            counts[slot] += 1
            node = slot + ONE


@part
def harvest(text: Numbers, order: int, keys: Keys, mask: np.uint64, counts: Numbers, totals: Ints) -> None:
    """Add the matches of order k + 1 to totals[k]; each match uses up one of the `counts`, which is clipping."""
    for start in range(text.size):
        node = place = ROOT
        for k in range(min(order, text.size - start)):
            if text[start + k] < 0:  # a word that no reference has
                break
            symbol = np.uint64(text[start + k]) + ONE
            place = (place + symbol) * MULTIPLIER
            slot = find(keys, mask, place, (node << HALF) | symbol)
            if keys[slot] == EMPTY:
                break
            match = counts[slot] > 0
            counts[slot] -= match
            totals[k] += match
            node = slot + ONE


@part
def slots_for(starts: Ints, segment: int, order: int) -> int:
    """The size of a segment's table: a power of two, at least three quarters of it empty so that searches are short."""
    ngrams = 0
    for stream in range(starts.shape[0]):
        length = starts[stream, segment + 1] - starts[stream, segment]
        ngrams += length * min(order, length)
    slots = 2
    while slots < 4 * ngrams:
        slots *= 2
    return slots


@part
def grow(
    references: Numbers, starts: Ints, segment: int, order: int, keys: Keys, counts: Numbers, others: Numbers
) -> np.uint64:
    """The mask of the table of one segment's tree, which is built here.

    `counts` has for each n-gram the largest number of times that any reference has it.
    """
    slots = slots_for(starts, segment, order)
    mask = np.uint64(slots - 1)
    keys[:slots] = EMPTY
    counts[:slots] = 0
    plant(references[starts[0, segment] : starts[0, segment + 1]], order, keys, mask, counts)
    for stream in range(1, starts.shape[0]):
        others[:slots] = 0
        plant(references[starts[stream, segment] : starts[stream, segment + 1]], order, keys, mask, others)
        for slot in range(slots):
            counts[slot] = max(counts[slot], others[slot])
    return mask


@part
def most_slots(starts: Ints, first: int, segments: int, order: int) -> int:
    """The size of the largest table that any of these segments needs."""
    largest = 2
    for i in range(segments):
        largest = max(largest, slots_for(starts, first + i, order))
    return largest


@kernel
def matches(text: Numbers, text_starts: Ints, references: Numbers, starts: Ints, first: int, totals: Ints) -> None:
    """Fill totals (segments, order) with clipped matches; segment i belongs to segment first + i of the references."""
    segments, order = totals.shape
    largest = most_slots(starts, first, segments, order)
    keys = np.empty(largest, np.uint64)
    counts = np.empty(largest, np.int32)
    others = np.empty(largest, np.int32)
    for i in range(segments):
        mask = grow(references, starts, first + i, order, keys, counts, others)
        harvest(text[text_starts[i] : text_starts[i + 1]], order, keys, mask, counts, totals[i])


@part
def label(text: Numbers, order: int, keys: Keys, mask: np.uint64, given: Weights, weights: Weights) -> None:
    """Set the weight of every n-gram of a reference: given[start, k] is that of order k + 1 from `start`."""
    for start in range(text.size):
        node = place = ROOT
        for k in range(min(order, text.size - start)):
            symbol = np.uint64(text[start + k]) + ONE
            place = (place + symbol) * MULTIPLIER
            slot = find(keys, mask, place, (node << HALF) | symbol)
            weights[slot] = given[start, k]
            node = slot + ONE


@part
def weigh(
    text: Numbers, order: int, keys: Keys, mask: np.uint64, counts: Numbers, weights: Weights, totals: Weights
) -> None:
    """Do the same as harvest, but add the weight of each match instead of 1."""
    for start in range(text.size):
        node = place = ROOT
        for k in range(min(order, text.size - start)):
            if text[start + k] < 0:  # a word that no reference has
                break
            symbol = np.uint64(text[start + k]) + ONE
            place = (place + symbol) * MULTIPLIER
            slot = find(keys, mask, place, (node << HALF) | symbol)
            if keys[slot] == EMPTY:
                break
            if counts[slot] > 0:
                counts[slot] -= 1
                totals[k] += weights[slot]
            node = slot + ONE


@kernel
def weighted_matches(
    text: Numbers, text_starts: Ints, references: Numbers, starts: Ints, given: Weights, first: int, totals: Weights
) -> None:
    """Add the weights of clipped matches to totals (segments, order); given (symbols of the references, order)."""
    segments, order = totals.shape
    largest = most_slots(starts, first, segments, order)
    keys = np.empty(largest, np.uint64)
    counts = np.empty(largest, np.int32)
    others = np.empty(largest, np.int32)
    weights = np.empty(largest, np.float64)
    for i in range(segments):
        mask = grow(references, starts, first + i, order, keys, counts, others)
        for stream in range(starts.shape[0]):
            begin, end = starts[stream, first + i], starts[stream, first + i + 1]
            label(references[begin:end], order, keys, mask, given[begin:end], weights)
        weigh(text[text_starts[i] : text_starts[i + 1]], order, keys, mask, counts, weights, totals[i])
