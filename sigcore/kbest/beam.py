"""The k best different paths through a confusion network under weights, by beam search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sigcore.kbest import language_model
from sigcore.kbest.lists import KBest, offsets_of
from sigcore.kbest.network import BEGIN, EMPTY, END, Network
from sigcore.types import Floats, Ints

BEAM = 3  # paths kept at every slot, in multiples of k
MORE = ("empty", "words", "bigram_support", "unseen_bigrams")
PRIME = np.uint64(1_000_003)  # of the hash that recognises equal texts


def feature_names(systems: Sequence[str], model: bool = False) -> tuple[str, ...]:
    """The features of a path: the votes of every system for its words, the empty words, the words, the share of systems
    that have each pair of neighbours (summed), the pairs that none has, and, with a language model, its log
    probability."""
    return (*(f"votes {system}" for system in systems), *MORE, *([language_model.NAME] if model else []))


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
