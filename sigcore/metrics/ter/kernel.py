"""Translation edit rate of word numbers: the search of sacrebleu 2.6.0 (after Tercom), with the same result in every step.

Its search shifts one block of words at a time, always the one that lowers the edit distance most,
until none does. What it may try, how it ranks the trials and when it gives up are exactly the same;
only the computation is shorter:

* The edit distance is a shortest path through a grid (words of the system x words of the
  reference) in a beam around the diagonal. A shift changes the rows between the block's old place
  and its new one and no others. So one pass forward gives the distances from the start to every
  cell, one pass backward those from every cell to the end, and a shift costs only its changed rows:
  its distance is the least sum of both at the end of the changed rows.
* A trial ends at a row in which every distance is above that of the best shift so far.
* Surplus words of one side must be edited after any shift: a bound for all rounds.
* A round that reaches the cap on trials discards its best shift. Trials can be counted before any
  of them is made, so such a round costs nothing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sigcore.text.compiled import kernel, part
from sigcore.text.symbols import Numbers
from sigcore.types import Ints

LONGEST_BLOCK = 10
LONGEST_WAY = 50
BEAM = 25
MOST_TRIALS = 1000
NARROWEST = 4  # the first beam allows this many edits above the bound
FAR = 1 << 29  # the distance of a cell outside the beam


class Beam(NamedTuple):
    """The cells of the grid that count, and their places in a flat array of `size` cells.

    Row i (the first i words of the system) has the columns first[i] .. last[i] - 1, and cell (i, j) is at
    base[i] + j. The cells next to each row are set to FAR, so that the next row can be filled without testing whether
    its neighbours are in the beam.
    """

    first: Ints
    last: Ints
    base: Ints
    size: int


class Search(NamedTuple):
    """The working arrays of the search for one segment and one reference; every round overwrites them."""

    words: Numbers  # of the segment, as shifted so far
    moved: Numbers  # the words that the shift on trial puts in their place
    gold: Numbers  # the words of the reference
    ahead: Numbers  # grid of distances from the start
    back: Numbers  # grid of distances to the end
    trial: Numbers  # grid of distances from the start after the shift on trial
    place: Ints  # for each word of the reference the last word of the segment at or before it, -1: none
    wrong: Ints  # running total of the segment's words in error
    gold_wrong: Ints  # running total of the reference's words in error
    shifts: Ints  # (MOST_TRIALS, 3): length, start and target of the shifts to try


@part
def beam_for(words: int, gold: int) -> Beam:
    """The beam for a segment and a reference with these numbers of words, both 1 or more."""
    ratio = gold / words
    width = BEAM if ratio / 2 <= BEAM else math.ceil(ratio / 2 + BEAM)
    first, last, base = np.zeros(words + 1, np.int64), np.zeros(words + 1, np.int64), np.zeros(words + 1, np.int64)
    margin = math.ceil(ratio) + 2  # the ends of a row are at most this many columns away from those of the next
    last[0], base[0] = gold + 1, margin
    end = gold + 1 + 2 * margin
    for i in range(1, words + 1):
        middle = math.floor(i * ratio)
        first[i] = max(0, middle - width)
        last[i] = gold + 1 if i == words else min(gold + 1, middle + width)
        base[i] = end + margin - first[i]
        end += last[i] - first[i] + 2 * margin
    return Beam(first, last, base, end)


@part
def narrowed(beam: Beam, words: int, gold: int, limit: int) -> Beam:
    """The part of the beam that paths of at most `limit` can reach.

    On diagonal d = j - i a path has made |d| insertions or deletions, and |gold - words - d| are still to come.
    """
    spare = (limit - abs(gold - words)) // 2
    lowest, highest = min(0, gold - words) - spare, max(0, gold - words) + spare
    first, last = beam.first.copy(), beam.last.copy()
    for i in range(words + 1):
        first[i] = max(first[i], i + lowest)
        last[i] = min(last[i], i + highest + 1)
    return Beam(first, last, beam.base, beam.size)


@part
def wall(grid: Numbers, beam: Beam, i: int) -> None:
    """Set the cells next to row i that row i + 1 reads to FAR."""
    grid[beam.base[i] + beam.first[i] - 1] = FAR
    if i + 1 < beam.last.size:
        for j in range(beam.last[i], beam.last[i + 1]):
            grid[beam.base[i] + j] = FAR


@part
def fill_row(grid: Numbers, beam: Beam, i: int, word: int, gold: Numbers) -> int:
    """The least distance in row i, which is filled for the given word from the row above it."""
    first, last, row, above = beam.first[i], beam.last[i], beam.base[i], beam.base[i - 1]
    left = least = FAR
    if first == 0:
        left = least = grid[above] + 1
        grid[row] = left
        first = 1
    # slices: numba would test in each step whether an index is negative
    upper = grid[above + first - 1 : above + last]
    here = grid[row + first : row + last]
    rest = gold[first - 1 : last - 1]
    for k in range(here.size):
        left = min(min(upper[k] + (word != rest[k]), upper[k + 1] + 1), left + 1)
        here[k] = left
        least = min(least, left)
    wall(grid, beam, i)
    return least


@part
def fill_forward(grid: Numbers, beam: Beam, words: Numbers, gold: Numbers) -> int:
    """The distance of the whole; all rows are filled with distances from the start."""
    for j in range(beam.last[0]):
        grid[beam.base[0] + j] = j
    wall(grid, beam, 0)
    for i in range(1, words.size + 1):
        fill_row(grid, beam, i, words[i - 1], gold)
    return grid[beam.base[words.size] + gold.size]


@part
def fill_backward(grid: Numbers, beam: Beam, words: Numbers, gold: Numbers) -> None:
    """Fill rows 1 and below with distances to the end, by the same steps as forward."""
    end = words.size
    for j in range(beam.first[end], beam.last[end]):
        grid[beam.base[end] + j] = gold.size - j
    for i in range(end - 1, 0, -1):
        row, below = beam.base[i], beam.base[i + 1]
        for j in range(beam.first[i], beam.first[i + 1]):
            grid[below + j] = FAR
        grid[below + beam.last[i + 1]] = FAR
        right = FAR
        last = min(beam.last[i], gold.size)
        if last < beam.last[i]:  # after the last word of the reference: the remaining words are deleted
            right = grid[row + last] = grid[below + last] + 1
        here = grid[row + beam.first[i] : row + last]
        lower = grid[below + beam.first[i] : below + last + 1]
        rest = gold[beam.first[i] : last]
        for k in range(here.size - 1, -1, -1):
            right = min(min(lower[k + 1] + (words[i] != rest[k]), lower[k] + 1), right + 1)
            here[k] = right


@part
def align(search: Search, beam: Beam) -> None:
    """Fill place, wrong and gold_wrong by following the cheapest path back through `ahead`.

    Of equally cheap steps substitution comes first, then deletion, then insertion.
    """
    words, gold, grid, place = search.words, search.gold, search.ahead, search.place
    wrong, gold_wrong = search.wrong, search.gold_wrong
    wrong[:] = 0
    gold_wrong[:] = 0
    i, j = words.size, gold.size
    while i > 0 or j > 0:
        here = grid[beam.base[i] + j]
        if i > 0 and j > 0 and here == grid[beam.base[i - 1] + j - 1] + (words[i - 1] != gold[j - 1]):
            wrong[i] = gold_wrong[j] = words[i - 1] != gold[j - 1]
            i, j = i - 1, j - 1
            place[j] = i
        elif i > 0 and here == grid[beam.base[i - 1] + j] + 1:
            wrong[i] = 1
            i -= 1
        else:
            gold_wrong[j] = 1
            j -= 1
            place[j] = i - 1
    for k in range(words.size):
        wrong[k + 1] += wrong[k]
    for k in range(gold.size):
        gold_wrong[k + 1] += gold_wrong[k]


@part
def list_shifts(search: Search, most: int) -> tuple[int, int]:
    """(trials, never more than `most`; shifts that are listed to be tried).

    A block may be shifted to a place where it equals words of the reference.
    """
    words, gold, wrong = search.words, search.gold, search.wrong
    trials = listed = 0
    for start in range(words.size):
        if words[start] < 0 or wrong[min(start + LONGEST_BLOCK, words.size)] == wrong[start]:
            continue  # saves time: no block that starts here equals the reference, or none has an error
        nearest = max(0, start - LONGEST_WAY)
        reach = gold[nearest : start + LONGEST_WAY + 1]
        for k in range(reach.size):
            if reach[k] != words[start]:
                continue
            there = nearest + k
            for length in range(1, min(LONGEST_BLOCK, words.size - start, gold.size - there) + 1):
                if words[start + length - 1] != gold[there + length - 1]:
                    break
                if may_move(search, start, there, length):
                    trials, listed = list_targets(search, start, there, length, most, trials, listed)
                if trials >= most:
                    return trials, listed
    return trials, listed


@part
def may_move(search: Search, start: int, there: int, length: int) -> bool:
    """True if the block and the words it equals both have errors and are not aligned already."""
    if search.wrong[start + length] == search.wrong[start]:
        return False
    if search.gold_wrong[there + length] == search.gold_wrong[there]:
        return False
    return not start <= search.place[there] < start + length


@part
def list_targets(
    search: Search, start: int, there: int, length: int, most: int, trials: int, listed: int
) -> tuple[int, int]:
    """(trials, listed) after adding the targets of one block: after the word before its equals, and after each of these.

    A target that changes nothing counts as a trial, but is not listed.
    """
    before = -1
    for word in range(there - 1, there + length):
        target = 0 if word < 0 else search.place[word] + 1
        if target == before or trials >= most:
            continue
        before = target
        trials += 1
        if target != start:
            shift = search.shifts[listed]
            shift[0], shift[1], shift[2] = length, start, target
            listed += 1
    return trials, listed


@part
def make_shift(search: Search, shift: Ints) -> tuple[int, int]:
    """(first, last): the shift changes the words first .. last - 1, which are written into `moved`.

    Where the target is inside the block, the block moves that many words to the right.
    """
    words, moved = search.words, search.moved
    length, start, target = shift
    if target < start:
        first, last, cut = target, start + length, start
    elif target > start + length:
        first, last, cut = start, target, start + length
    else:
        first, last, cut = start, min(target + length, words.size), start + length
    for k in range(first, last):
        moved[k] = words[k + cut - first] if k + cut - first < last else words[k + cut - last]
    return first, last


@part
def distance_after(search: Search, beam: Beam, first: int, last: int, limit: int) -> int:
    """The distance when the words first .. last - 1 are the `moved` ones; any number above the limit where it exceeds it."""
    trial, row = search.trial, beam.base[first]
    for j in range(beam.first[first], beam.last[first]):
        trial[row + j] = search.ahead[row + j]
    wall(trial, beam, first)
    for i in range(first + 1, last + 1):
        if fill_row(trial, beam, i, search.moved[i - 1], search.gold) > limit:
            return FAR
    row, least = beam.base[last], FAR
    for j in range(beam.first[last], beam.last[last]):
        least = min(least, trial[row + j] + search.back[row + j])
    return least


@part
def best_shift(search: Search, beam: Beam, listed: int, distance: int, bound: int) -> tuple[int, int]:
    """The listed shift that lowers the distance most (-1: none does) and the distance then.

    Equal ones rank by length, start and target: the longest first, then the leftmost. Long blocks
    are tried first, so that a later shift must be strictly better and most trials end early.
    """
    shifts = search.shifts[:listed]
    best, before, longest = -1, distance, shifts[:, 0].max()
    # Where no path that matters leaves the beam, a shift of k words saves at most 2 k: without it they could be
    # deleted in one place and inserted in the other.
    inside = before + abs(search.words.size - search.gold.size) < 2 * BEAM
    for length in range(longest, 0, -1):
        for k in range(listed):
            if shifts[k, 0] != length:
                continue
            limit = distance if best >= 0 and ranks_higher(shifts[k], shifts[best]) else distance - 1
            if limit < bound or (inside and limit < before - 2 * length):
                continue
            first, last = make_shift(search, shifts[k])
            reached = distance_after(search, beam, first, last, limit)
            if reached <= limit:
                best, distance = k, reached
    return best, distance


@part
def ranks_higher(shift: Ints, other: Ints) -> bool:
    """True if a shift ranks above an equally good one that is at least as long."""
    return shift[0] == other[0] and (shift[1], shift[2]) < (other[1], other[2])


@part
def least_possible(words: Numbers, gold: Numbers) -> int:
    """A lower bound of the distance for every order of the words: the words that the other side does not have."""
    free = np.ones(gold.size, np.bool_)
    shared = 0
    for word in words:
        for j in range(gold.size):
            if free[j] and gold[j] == word:
                free[j] = False
                shared += 1
                break
    return max(words.size, gold.size) - shared


@part
def search_for(text: Numbers, gold: Numbers, cells: int) -> Search:
    """Working arrays for a search in grids with this many cells."""
    words, moved = text.copy(), np.empty_like(text)
    ahead, back, trial = np.empty(cells, np.int32), np.empty(cells, np.int32), np.empty(cells, np.int32)
    place = np.empty(gold.size, np.int64)
    wrong, gold_wrong = np.empty(text.size + 1, np.int64), np.empty(gold.size + 1, np.int64)
    shifts = np.empty((MOST_TRIALS, 3), np.int64)
    return Search(words, moved, gold, ahead, back, trial, place, wrong, gold_wrong, shifts)


@part
def edits(text: Numbers, gold: Numbers) -> int:
    """The number of shifts and edits that turn a segment into a reference, as the search finds it."""
    if text.size == 0 or gold.size == 0:
        return max(text.size, gold.size)
    whole = beam_for(text.size, gold.size)
    search = search_for(text, gold, whole.size)
    bound = least_possible(text, gold)
    limit = bound + NARROWEST
    rounds = trials = 0
    while True:
        beam = narrowed(whole, text.size, gold.size, limit)
        distance = fill_forward(search.ahead, beam, search.words, gold)
        if distance > limit:  # may not be the true distance: try a wider beam
            limit *= 2
            continue
        if distance == bound:
            break
        align(search, beam)
        more, listed = list_shifts(search, MOST_TRIALS - trials)
        trials += more
        if trials >= MOST_TRIALS or listed == 0:
            break
        fill_backward(search.back, beam, search.words, gold)
        best, limit = best_shift(search, beam, listed, distance, bound)
        if best < 0:
            break
        first, last = make_shift(search, search.shifts[best])
        search.words[first:last] = search.moved[first:last]
        rounds += 1
    return rounds + distance


@kernel
def least_edits(text: Numbers, text_starts: Ints, references: Numbers, starts: Ints, first: int, least: Ints) -> None:
    """Fill least (segments,) with the fewest edits over the references; segment i belongs to line first + i of them."""
    for i in range(least.size):
        words = text[text_starts[i] : text_starts[i + 1]]
        least[i] = FAR
        for stream in range(starts.shape[0]):
            gold = references[starts[stream, first + i] : starts[stream, first + i + 1]]
            least[i] = min(least[i], edits(words, gold))
