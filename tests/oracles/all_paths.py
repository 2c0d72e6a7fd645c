"""Every path through a confusion network, with its features counted on the words."""

from __future__ import annotations

from itertools import pairwise, product

from sigcore.kbest.network import EMPTY, Network


def paths(network: Network, weights: list[float]) -> dict[str, tuple[float, list[float]]]:
    """The score and the features of the best path of every text."""
    best: dict[str, tuple[float, list[float]]] = {}
    for arcs in product(*(range(len(slot.words)) for slot in network.slots)):
        chosen = [int(slot.words[arc]) for slot, arc in zip(network.slots, arcs, strict=True)]
        votes = [
            sum(float(slot.votes[arc, system]) for slot, arc in zip(network.slots, arcs, strict=True))
            for system in range(network.slots[0].votes.shape[1])
        ]
        words = [network.vocabulary[word] for word in chosen if word != EMPTY]
        numbers = [network.vocabulary.index(word) for word in ["<s>", *words, "</s>"]]
        support = [float(network.support[pair]) for pair in pairwise(numbers)]
        empty = sum(word == EMPTY for word in chosen)
        features = [*votes, empty, len(words), sum(support), sum(share == 0 for share in support)]
        if network.model is not None:
            features.append(sum(float(network.model[pair]) for pair in pairwise(numbers)))
        score = sum(w * f for w, f in zip(weights, features, strict=True))
        text = " ".join(words)
        if text not in best or score > best[text][0]:
            best[text] = (score, features)
    return best
