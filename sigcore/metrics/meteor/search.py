"""METEOR's alignment of two segments in plain Python; compiled_search does the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from sigcore.metrics.meteor.words import EXACT, STEM, SYNONYM, WordTable
from sigcore.text import bounds
from sigcore.text.symbols import Joined, Numbers, Symbols
from sigcore.types import Ints

BEAM = 40
NONE = -1


class Match(NamedTuple):
    """A word of the reference, a word of the output, and the stage that says they are the same."""

    reference: int
    output: int
    stage: int


class Path(NamedTuple):
    """An alignment of the first words of the reference.

    A match at `end`, right after the last match in the output, would continue the chunk; NONE: the last word has no match.
    """

    exact: int
    chunks: int  # closed ones
    distance: int
    end: int
    used: int  # bit i: word i of the output is used
    matches: tuple[Match, Any] | None = None  # the last match, and those before it in the same form

    def extended(self, match: Match, distance: int) -> Path:
        """The path with one more match."""
        chunks = self.chunks + (self.end not in (NONE, match.output))
        exact, used = self.exact + (match.stage == EXACT), self.used | 1 << match.output
        return Path(exact, chunks, distance, match.output + 1, used, (match, self.matches))

    def closed(self, distance: int) -> Path:
        """The path without a match of the next word, or at the end: its last chunk is closed."""
        return Path(self.exact, self.chunks + (self.end != NONE), distance, NONE, self.used, self.matches)


def rank(path: Path) -> tuple[int, int, int]:
    """The sort key of paths: most exact matches, fewest chunks, least distance."""
    return -path.exact, path.chunks, path.distance


def align(output: Sequence[int], reference: Sequence[int], stages: int, words: WordTable) -> tuple[int, list[Match]]:
    """(chunks, matches) of the alignment that METEOR 1.5's search finds; `stages` is the number of stages.

    Matches without a rival are fixed; a beam search over the words of the reference chooses among the rest. Two
    departures of the program from its paper are reproduced, so that the numbers are the same: only exact matches count when
    paths are compared; and the distance between the two positions of a match does not count for the path that takes
    it, but for the alternatives that are tried after it.
    Source: Denkowski and Lavie 2014 for the method, METEOR 1.5 for the details.
    """
    matches = candidates(output, reference, stages, words)
    fixed = unrivalled(matches, len(output))
    paths = [Path(0, 0, 0, NONE, sum(1 << match.output for match in fixed.values()))]
    for place, choices in enumerate(matches):
        following = []
        for path in sorted(paths, key=rank)[:BEAM]:
            distance = path.distance
            if place in fixed:  # its distance is the same for all
                following.append(path.extended(fixed[place], distance))
                continue
            for match in choices:
                if not path.used >> match.output & 1:
                    following.append(path.extended(match, distance))
                    distance += abs(match.output - match.reference)
            following.append(path.closed(distance))
        paths = following
    best = min((path.closed(path.distance) for path in sorted(paths, key=rank)[:BEAM]), key=rank)
    return best.chunks, _unrolled(best)


def _unrolled(path: Path) -> list[Match]:
    """The matches of a path, from the first."""
    matches, rest = [], path.matches
    while rest is not None:
        match, rest = rest
        matches.append(match)
    return matches[::-1]


def candidates(output: Sequence[int], reference: Sequence[int], stages: int, words: WordTable) -> list[list[Match]]:
    """All matches of each word of the reference, stage by stage; only exact ones between equal segments.

    Two different words may match as stems and as synonyms; then they are two matches.
    """
    if list(output) == list(reference):
        stages = 1
    marks = (lambda word: [word], words.stem_of, words.sets_of)[:stages]
    where = [_places(output, marks_of) for marks_of in marks]
    return [
        [
            Match(place, k, stage)
            for stage, marks_of in enumerate(marks)
            for k in sorted({k for mark in marks_of(gold) for k in where[stage].get(mark, ())})
            if stage == EXACT or output[k] != gold
        ]
        for place, gold in enumerate(reference)
    ]


def _places(output: Sequence[int], marks_of: Callable[[int], list[int]]) -> dict[int, list[int]]:
    """The positions in the output of each mark: a word itself, a stem, a set of synonyms."""
    places: dict[int, list[int]] = {}
    for place, word in enumerate(output):
        for mark in marks_of(word):
            places.setdefault(mark, []).append(place)
    return places


def unrivalled(candidates: Sequence[Sequence[Match]], length: int) -> dict[int, Match]:
    """The matches, by position in the reference, that are the only match of both their words."""
    rivals = [0] * length
    for choices in candidates:
        for match in choices:
            rivals[match.output] += 1
    return {
        place: choices[0]
        for place, choices in enumerate(candidates)
        if len(choices) == 1 and rivals[choices[0].output] == 1
    }


# Whether segments are short enough for METEOR's search, which tries every pair of words that match.


def check(text: Symbols, gold: Joined, first: int, stages: int, table: WordTable, counted: int) -> Ints:
    """Raise SigError for the first segment over one of METEOR's two bounds; segment i belongs to line first + i.

    The pairs of words that match, at least for each segment and reference that may have more of them than `counted`.
    """
    last = first + text.lengths.size
    lengths = (gold.starts[:, first + 1 : last + 1] - gold.starts[:, first:last]).T  # (segments, references)
    costs = text.lengths[:, None] * lengths
    # the first segment that is over any of the two, however many segments are checked at a time
    over = np.flatnonzero((costs > bounds.METEOR.most).any(axis=1))
    found: list[int] = []
    # no more pairs can match than there are, in each stage: short segments need not be counted
    for i, stream in np.argwhere(
        stages * costs[: over[0] if over.size else None] > min(counted, bounds.METEOR_MATCHES.most)
    ):
        output = text.numbers[text.starts[i] : text.starts[i + 1]]
        start = gold.starts[stream, first + i]
        reference = gold.numbers[start : start + lengths[i, stream]]
        sizes = (output.size, reference.size)
        matches = matching(output, reference, stages, table)
        bounds.refuse(bounds.METEOR_MATCHES, first + int(i), sizes, matches)
        found.append(matches)
    bounds.check(bounds.METEOR, text.lengths, lengths, first)
    return np.array(found, dtype=np.int64)


def matching(output: Numbers, reference: Numbers, stages: int, table: WordTable) -> int:
    """At most how many matches the search has to try: pairs of equal words, of equal stems, and of synonyms.

    Equal words, which have equal stems too, count once; words that share several sets of synonyms may count more often.
    """
    pairs = [_pairs(*(_marks(words, stage, table) for words in (output, reference))) for stage in range(stages)]
    return max(pairs[:SYNONYM]) + sum(min(shared, output.size * reference.size) for shared in pairs[SYNONYM:])


def _pairs(output: Numbers | Ints, reference: Numbers | Ints) -> int:
    """The number of pairs of equal numbers."""
    (one, often), (other, times) = (np.unique(each, return_counts=True) for each in (output, reference))
    _, here, there = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    return int(often[here] @ times[there])


def _marks(words: Numbers, stage: int, table: WordTable) -> Numbers | Ints:
    """What has to be equal for two words to match in a stage: the words, their stems, or one of their sets."""
    if stage == EXACT:
        return words
    if stage == STEM:
        return table.stems[words]
    sets = [table.sets[table.starts[word] : table.starts[word + 1]] for word in words]
    return np.concatenate([np.empty(0, np.int64), *sets])
