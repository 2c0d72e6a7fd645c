"""METEOR's alignment of word numbers, compiled: the same search as in plain_search, path for path.

A path is a row in a few small arrays. The words of the output that it has used are bits, and its matches are read at
the end by going back from parent to parent. Only the BEAM best new paths of a step are held, in their order; a path
that equals another comes after it, which gives the same order as the stable sort of the plain search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sigcore.metrics.meteor.search import BEAM, NONE
from sigcore.metrics.meteor.words import EXACT, STEM
from sigcore.text.compiled import kernel, part
from sigcore.text.symbols import Numbers
from sigcore.types import Floats, Ints

Bits = NDArray[np.uint64]
Flags = NDArray[np.bool_]

# The columns of a path. A smaller key is better: most exact matches, fewest chunks, least distance, in one number.
KEY, END, PARENT, CHOICE = range(4)
ONE = np.uint64(1)


class Known(NamedTuple):
    """Stem, sets of synonyms and class of each word, as in WordTable."""

    stems: Numbers
    sets: Ints
    starts: Ints
    function: Flags


class Candidates(NamedTuple):
    """The matches of reference word k are starts[k] .. starts[k + 1] - 1: a word of the output and a stage for each."""

    starts: Ints
    words: Numbers
    stages: Numbers
    fixed: Flags  # (reference words,): its only match is the only one of both words


@part
def share_a_set(a: int, b: int, known: Known) -> bool:
    """True if two words are synonyms; their sets are sorted."""
    i, j = known.starts[a], known.starts[b]
    last_i, last_j = known.starts[a + 1], known.starts[b + 1]
    while i < last_i and j < last_j:
        if known.sets[i] == known.sets[j]:
            return True
        if known.sets[i] < known.sets[j]:
            i += 1
        else:
            j += 1
    return False


@part
def is_match(stage: int, word: int, gold: int, known: Known) -> bool:
    """True if the stage matches the two words."""
    if stage == EXACT or word == gold:
        return stage == EXACT and word == gold
    if stage == STEM:
        return known.stems[word] == known.stems[gold]
    return share_a_set(word, gold, known)


@part
def list_candidates(output: Numbers, gold: Numbers, stages: int, known: Known) -> Candidates:
    """All matches, in the order in which they are tried; only exact ones between equal segments."""
    if output.size == gold.size and np.all(output == gold):
        stages = 1
    starts = np.zeros(gold.size + 1, np.int64)
    words, kinds = np.empty(4 * gold.size + 4, np.int32), np.empty(4 * gold.size + 4, np.int32)
    count = 0
    for place in range(gold.size):
        for stage in range(stages):
            for k in range(output.size):
                if is_match(stage, output[k], gold[place], known):
                    if count == words.size:
                        words, kinds = np.concatenate((words, words)), np.concatenate((kinds, kinds))
                    words[count], kinds[count] = k, stage
                    count += 1
        starts[place + 1] = count
    rivals = np.zeros(output.size, np.int64)
    for k in range(count):
        rivals[words[k]] += 1
    fixed = np.zeros(gold.size, np.bool_)
    for place in range(gold.size):
        fixed[place] = starts[place + 1] - starts[place] == 1 and rivals[words[starts[place]]] == 1
    return Candidates(starts, words, kinds, fixed)


class Weights(NamedTuple):
    """What an exact match takes from the key of a path, and what a chunk adds; a step of distance adds 1."""

    exact: int
    chunk: int


@part
def weights(candidates: Candidates, length: int) -> Weights:
    """Weights with which no sum of smaller parts reaches a larger one. The bounds of METEOR keep them far below 2^63."""
    size = candidates.fixed.size
    chunk = candidates.starts[size] * max(size, length) + 1
    return Weights(chunk * (min(size, length) + 2), chunk)


@part
def push(paths: Ints, held: int, key: int, end: int, parent: int, choice: int) -> int:
    """The number of paths held after a path was put into its place among the `held` ones, after its equals."""
    if held == BEAM:
        if key >= paths[BEAM - 1, KEY]:
            return held
        held -= 1
    place = held
    while place > 0 and key < paths[place - 1, KEY]:
        for column in range(4):
            paths[place, column] = paths[place - 1, column]
        place -= 1
    paths[place, KEY], paths[place, END], paths[place, PARENT], paths[place, CHOICE] = key, end, parent, choice
    return held + 1


@part
def step(
    paths: Ints, held: int, used: Bits, place: int, candidates: Candidates, weighs: Weights, following: Ints
) -> int:
    """The number of paths after all were continued over one word of the reference."""
    count = 0
    fixed = candidates.fixed[place]
    for parent in range(held):
        key, end = paths[parent, KEY], paths[parent, END]
        closed = key + weighs.chunk * (end != NONE)
        distance = 0
        for choice in range(candidates.starts[place], candidates.starts[place + 1]):
            word = candidates.words[choice]
            if not fixed and used[parent, word >> 6] >> np.uint64(word & 63) & ONE:
                continue
            longer = (key if end == word else closed) + distance - weighs.exact * (candidates.stages[choice] == EXACT)
            count = push(following, count, longer, word + 1, parent, choice)
            distance += abs(word - place)  # for those that are tried after it
        if not fixed:
            count = push(following, count, closed + distance, NONE, parent, NONE)
    return count


@part
def best_of(paths: Ints, held: int, weighs: Weights) -> int:
    """The best path, the first among equals, once all have closed their last chunk."""
    best = 0
    for k in range(held):
        paths[k, KEY] += weighs.chunk * (paths[k, END] != NONE)
        if paths[k, KEY] < paths[best, KEY]:
            best = k
    return best


@part
def search(candidates: Candidates, length: int, chosen: Ints) -> int:
    """The number of chunks; the match of each word of the reference (NONE: none) is written into `chosen`."""
    size = chosen.size
    parents, choices = np.empty((size, BEAM), np.int32), np.empty((size, BEAM), np.int32)
    paths, following = np.empty((BEAM, 4), np.int64), np.empty((BEAM, 4), np.int64)
    used = np.zeros((BEAM, (length >> 6) + 1), np.uint64)
    taken = np.zeros_like(used)
    paths[0] = 0
    paths[0, END] = NONE
    for place in range(size):
        if candidates.fixed[place]:
            word = candidates.words[candidates.starts[place]]
            used[0, word >> 6] |= ONE << np.uint64(word & 63)
    held, weighs = 1, weights(candidates, length)
    for place in range(size):
        held = step(paths, held, used, place, candidates, weighs, following)
        for k in range(held):
            parent, choice = following[k, PARENT], following[k, CHOICE]
            parents[place, k], choices[place, k] = parent, choice
            for part_of in range(used.shape[1]):  # faster than a slice
                taken[k, part_of] = used[parent, part_of]
            if choice != NONE:
                word = candidates.words[choice]
                taken[k, word >> 6] |= ONE << np.uint64(word & 63)
        paths, following = following, paths
        used, taken = taken, used
    k = best_of(paths, held, weighs)
    chunks = paths[k, KEY] % weighs.exact // weighs.chunk  # exact matches make the key negative; % is never
    for place in range(size - 1, -1, -1):
        chosen[place] = choices[place, k]
        k = parents[place, k]
    return chunks


@part
def fill_row(output: Numbers, gold: Numbers, stages: int, known: Known, row: Floats) -> None:
    """Fill one row (23,) of zeros. A segment that is one chunk as a whole counts no chunk."""
    candidates = list_candidates(output, gold, stages, known)
    chosen = np.empty(gold.size, np.int64)
    chunks = search(candidates, output.size, chosen)
    row[0], row[1] = output.size, gold.size
    for word in output:
        row[2] += known.function[word]
    matched = 0
    for place in range(gold.size):
        row[3] += known.function[gold[place]]
        if chosen[place] != NONE:
            first = 4 + 4 * candidates.stages[chosen[place]]
            row[first + 2 * known.function[output[candidates.words[chosen[place]]]]] += 1
            row[first + 1 + 2 * known.function[gold[place]]] += 1
            matched += 1
    whole = chunks == 1 and matched == output.size and matched == gold.size
    row[20] = 0 if whole else chunks
    row[21] = row[22] = matched


@kernel
def meteor_rows(
    text: Numbers,
    text_starts: Ints,
    references: Numbers,
    starts: Ints,
    first: int,
    stages: int,
    stems: Numbers,
    sets: Ints,
    set_starts: Ints,
    function: Flags,
    rows: Floats,
) -> None:
    """Fill rows (references, segments, 23) of zeros.

    Segment i is `text[text_starts[i] : text_starts[i + 1]]`. Its reference r is line first + i of stream r, which
    starts at starts[r, first + i].
    """
    known = Known(stems, sets, set_starts, function)
    for i in range(text_starts.size - 1):
        output = text[text_starts[i] : text_starts[i + 1]]
        for stream in range(starts.shape[0]):
            gold = references[starts[stream, first + i] : starts[stream, first + i + 1]]
            fill_row(output, gold, stages, known, rows[stream, i])
