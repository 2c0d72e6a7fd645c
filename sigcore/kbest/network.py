"""Confusion networks: the outputs of several systems for one segment, aligned word by word; and a language model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import Undefined
from sigcore.kbest.lists import KBest, offsets_of
from sigcore.types import Floats, Ints

# A language model of pairs of words, from monolingual text: how likely a word is after another one.

BEGIN_MARK, END_MARK = "<s>", "</s>"
NAME = "language_model"  # of the feature


@dataclass(frozen=True, eq=False)
class BigramModel:
    """Counts of words and of pairs of words; BEGIN_MARK and END_MARK are the borders of segments.

    `followers` is how many different words follow each word. Words that the text does not have share one probability.
    """

    words: Counter[str]
    pairs: Counter[tuple[str, str]]
    before: Counter[str]
    followers: Counter[str]

    def probability(self, word: str, before: str) -> float:
        """P(word | before), interpolated with that of the word alone, and this with a uniform one.

        P(w | v) = (c(v, w) + t(v) P(w)) / (c(v) + t(v)) with t(v) different followers of v. Source: Witten & Bell 1991,
        as in Chen & Goodman 1998.
        """
        types = len(self.words)
        alone = (self.words[word] + types / (types + 1)) / (self.words.total() + types)
        seen, kinds = self.before[before], self.followers[before]
        return (self.pairs[before, word] + kinds * alone) / (seen + kinds) if seen else alone

    def between(self, vocabulary: Sequence[str]) -> Floats:
        """log P of every word (columns) after every word (rows), (V, V)."""
        return np.array([[math.log(self.probability(word, first)) for word in vocabulary] for first in vocabulary])

    def score(self, text: str) -> float:
        """log P of a segment with its end; its words are separated by spaces."""
        return sum(
            math.log(self.probability(word, first)) for first, word in pairwise([BEGIN_MARK, *text.split(), END_MARK])
        )


def trained(segments: Iterable[str]) -> BigramModel:
    """The model of a text, one segment each, words separated by spaces.

    Raises: Undefined for a text without words.
    """
    pairs = Counter[tuple[str, str]]()
    for segment in segments:
        if own := segment.split():
            pairs.update(pairwise([BEGIN_MARK, *own, END_MARK]))
    if not pairs:
        raise Undefined("The text for the language model has no words.", "", "Give plain text, one segment per line.")
    words, before, followers = Counter[str](), Counter[str](), Counter[str]()
    for (first, word), number in pairs.items():
        words[word] += number
        before[first] += number
        followers[first] += 1
    return BigramModel(words, pairs, before, followers)


EMPTY = 0  # the number of the empty word; begin and end of a segment are 1 and 2
BEGIN, END = 1, 2
RESERVED = ("", BEGIN_MARK, END_MARK)
# the cost of an edit, and that of two equal words, which decides between alignments with as many edits
EDIT, EQUAL = 1_000_000, -1


@dataclass(frozen=True, eq=False)
class Slot:
    """One place of a network: its different words (A,), by number, and which of M systems voted for each (A, M)."""

    words: Ints
    votes: Floats


@dataclass(frozen=True, eq=False)
class Network:
    """The slots of one segment, its vocabulary, and the share of the systems that have each pair of words (V, V).

    `model` (V, V) are log probabilities of the second word after the first; None without a language model.
    """

    slots: tuple[Slot, ...]
    vocabulary: tuple[str, ...]
    support: Floats
    model: Floats | None = None


def network(outputs: Sequence[Sequence[str]], skeleton: int, model: BigramModel | None = None) -> Network:
    """The network of the words of M systems, aligned to those of the skeleton by the fewest edits, and of such alignments
    by one with the most equal words; case is ignored.

    Words that the skeleton does not have get slots between its own; a system without a word at a slot votes for the
    empty word. Source: Bangalore et al. 2001; Rosti et al. 2007.
    """
    base = outputs[skeleton]
    aligned = [_against(base, words) for words in outputs]
    numbers: dict[str, int] = {word: k for k, word in enumerate(RESERVED)}
    columns: list[list[str]] = []
    for place in range(len(base) + 1):
        extra = [gaps[place] for _, gaps in aligned]
        for k in range(max(map(len, extra))):
            columns.append([own[k] if k < len(own) else "" for own in extra])
        if place < len(base):
            columns.append([own[place] for own, _ in aligned])
    slots = tuple(_slot(column, numbers) for column in columns)
    known = None if model is None else model.between(tuple(numbers))
    return Network(slots, tuple(numbers), _support(outputs, numbers), known)


def _slot(column: Sequence[str], numbers: dict[str, int]) -> Slot:
    voters: dict[int, list[int]] = {}
    for system, word in enumerate(column):
        voters.setdefault(numbers.setdefault(word, len(numbers)), []).append(system)
    votes = np.zeros((len(voters), len(column)))
    for row, systems in enumerate(voters.values()):
        votes[row, systems] = 1.0
    return Slot(np.array(list(voters), dtype=np.int64), votes)


def _support(outputs: Sequence[Sequence[str]], numbers: dict[str, int]) -> Floats:
    support = np.zeros((len(numbers), len(numbers)))
    for words in outputs:
        path = [BEGIN, *(numbers[word] for word in words), END]
        for pair in dict.fromkeys(pairwise(path)):
            support[pair] += 1 / len(outputs)
    return support


def _against(base: Sequence[str], words: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """The word (or "") at every place of the base, and the words in each of the gaps before, between and behind."""
    gold, own = [word.lower() for word in base], [word.lower() for word in words]
    grid = _grid(gold, own)
    places, gaps = [""] * len(gold), [list[str]() for _ in range(len(gold) + 1)]
    i, j = len(gold), len(own)
    while i or j:
        # where several ways are equally short, words share a slot
        if i and j and grid[i][j] == grid[i - 1][j - 1] + (EQUAL if gold[i - 1] == own[j - 1] else EDIT):
            i, j = i - 1, j - 1
            places[i] = words[j]
        elif i and grid[i][j] == grid[i - 1][j] + EDIT:
            i -= 1
        else:
            j -= 1
            gaps[i].insert(0, words[j])
    return places, gaps


def _grid(gold: Sequence[str], own: Sequence[str]) -> list[list[int]]:
    """The least cost of aligning the first i words of the one with the first j words of the other."""
    grid = [[EDIT * j for j in range(len(own) + 1)]]
    for i, word in enumerate(gold, start=1):
        above, row = grid[-1], [EDIT * i]
        for j, other in enumerate(own):
            row.append(min(above[j] + (EQUAL if word == other else EDIT), above[j + 1] + EDIT, row[j] + EDIT))
        grid.append(row)
    return grid


# The k best different paths through a confusion network under weights, by beam search.

BEAM = 3  # paths kept at every slot, in multiples of k
MORE = ("empty", "words", "bigram_support", "unseen_bigrams")
PRIME = np.uint64(1_000_003)  # of the hash that recognises equal texts


def feature_names(systems: Sequence[str], model: bool = False) -> tuple[str, ...]:
    """The features of a path: the votes of every system for its words, the empty words, the words, the share of systems
    that have each pair of neighbours (summed), the pairs that none has, and, with a language model, its log
    probability."""
    return (*(f"votes {system}" for system in systems), *MORE, *([NAME] if model else []))


def hand_weights(systems: int, model: bool = False) -> Floats:
    """Weights that trust all systems equally, like pairs of words that systems have, and dislike those that none has; they
    ignore a language model."""
    return np.array([*([1 / systems] * systems), 0.0, 0.0, 1.0, -1.0, *([0.0] if model else [])])


class Paths:
    """The paths through the first slots: features (B, F), scores, last words, a hash of the text, and the way back."""

    def __init__(self, features: int) -> None:
        self.features = np.zeros((1, features))
        self.scores = np.zeros(1)
        self.last = np.array([BEGIN])
        self.hashes = np.zeros(1, dtype=np.uint64)
        self.steps: list[tuple[NDArray[np.intp], Ints]] = []

    def extend(self, words: Ints, arcs: Floats, network: Network, weights: Floats, most: int) -> None:
        """Extend every path by every arc (A, F of votes, empty and words), and keep the `most` best different texts."""
        pairs, own = network.support[self.last[:, None], words[None, :]], arcs.shape[1]  # (B, A)
        real = words != EMPTY
        seen, unseen = pairs * real, (pairs == 0) & real
        of_pairs = [seen, unseen]
        if network.model is not None:
            of_pairs.append(network.model[self.last[:, None], words[None, :]] * real)
        gains = arcs @ weights[:own]
        for weight, values in zip(weights[own:], of_pairs, strict=True):
            gains = gains + weight * values
        scores = (self.scores[:, None] + gains).ravel()
        hashes = np.where(
            real, self.hashes[:, None] * PRIME + words.astype(np.uint64) + np.uint64(1), self.hashes[:, None]
        ).ravel()
        order = np.argsort(-scores, kind="stable")
        order = order[np.sort(np.unique(hashes[order], return_index=True)[1])[:most]]
        parents, chosen = order // len(words), order % len(words)
        more = np.column_stack([arcs[chosen], *(values[parents, chosen] for values in of_pairs)])
        self.features = self.features[parents] + more
        self.scores, self.hashes = scores[order], hashes[order]
        self.last = np.where(real[chosen], words[chosen], self.last[parents])
        self.steps.append((parents, words[chosen]))

    def text(self, path: int, vocabulary: Sequence[str]) -> str:
        """The words of a path."""
        words = []
        for parents, chosen in reversed(self.steps):
            words.append(int(chosen[path]))
            path = int(parents[path])
        return " ".join(vocabulary[word] for word in reversed(words) if word not in (EMPTY, END))


def best_paths(network: Network, weights: Floats, k: int) -> tuple[list[str], Floats, Floats]:
    """Up to k different texts, the best first, with their features (P, F) and scores (P,).

    Of several paths with one text the best one within the beam counts.
    """
    paths = Paths(len(weights))
    for slot in network.slots:
        real = (slot.words != EMPTY).astype(np.float64)
        arcs = np.column_stack([slot.votes, 1 - real, real])
        paths.extend(slot.words, arcs, network, weights, BEAM * k)
    # the end of the segment has neighbours, but no votes
    own = len(weights) - (2 if network.model is None else 3)
    paths.extend(np.array([END]), np.zeros((1, own)), network, weights, k)
    texts = [paths.text(path, network.vocabulary) for path in range(len(paths.scores))]
    return texts, paths.features, paths.scores


def decode(
    networks: Sequence[Network],
    systems: Sequence[str],
    weights: Floats,
    k: int,
    name: str,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> KBest:
    """The k-best lists of all segments under the weights.

    `step` is called with the number of finished segments, and of all, before each of them; it may raise to end the search.
    """
    parts = []
    for done, network in enumerate(networks):
        step(done, len(networks))
        parts.append(best_paths(network, weights, k))
    return KBest(
        name=name,
        texts=tuple(text for texts, _, _ in parts for text in texts),
        offsets=offsets_of([len(texts) for texts, _, _ in parts]),
        names=feature_names(systems, any(network.model is not None for network in networks)),
        features=np.concatenate([features for _, features, _ in parts]),
        scores=np.concatenate([scores for _, _, scores in parts]),
    )
