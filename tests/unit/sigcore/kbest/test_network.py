"""Confusion networks by hand, and their best paths against all paths."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.kbest.network import best_paths, decode, feature_names, hand_weights, network, trained
from tests.oracles.all_paths import paths

OUTPUTS = [["the", "red", "cat", "sat"], ["The", "cat", "sat", "down"], ["a", "cat", "is", "sat", "down", "."]]


def words(made):
    """The words of every slot with the systems that voted for them."""
    return [
        {made.vocabulary[w]: np.flatnonzero(row).tolist() for w, row in zip(slot.words, slot.votes, strict=True)}
        for slot in made.slots
    ]


def test_two_systems_by_hand():
    """Words that match (case ignored) share a slot, others share one with the empty word."""
    made = network([["a", "b", "c"], ["A", "c", "d"]], 0)
    assert words(made) == [{"a": [0], "A": [1]}, {"b": [0], "": [1]}, {"c": [0, 1]}, {"": [0], "d": [1]}]


def test_every_system_votes_once_in_every_slot():
    """Each slot has one vote of each system, and the votes of a system spell its output."""
    made = network(OUTPUTS, 0)
    for slot in made.slots:
        assert slot.votes.sum(axis=0).tolist() == [1, 1, 1]
    for system, output in enumerate(OUTPUTS):
        spelled = [made.vocabulary[slot.words[slot.votes[:, system].argmax()]] for slot in made.slots]
        assert [word for word in spelled if word] == output


def test_support_is_the_share_of_systems():
    """The support of two neighbours is the share of the systems that have them, also at the begin and the end."""
    made = network(OUTPUTS, 0)
    number = {word: k for k, word in enumerate(made.vocabulary)}
    assert made.support[number["sat"], number["down"]] == pytest.approx(2 / 3)
    assert made.support[number["<s>"], number["a"]] == pytest.approx(1 / 3)
    assert made.support[number["down"], number["sat"]] == 0


def test_empty_outputs():
    """A system without words votes for the empty word everywhere; if no system has words, the only path is empty."""
    made = network([["a", "b"], []], 0)
    assert words(made) == [{"a": [0], "": [1]}, {"b": [0], "": [1]}]
    assert best_paths(network([[], []], 1), hand_weights(2), 3)[0] == [""]


@pytest.mark.parametrize("model", [None, trained(["the cat sat", "a cat ran", "the dog sat down"])], ids=["", "model"])
@pytest.mark.parametrize("seed", range(5))
def test_best_paths_are_the_best_of_all(seed, model):
    """With a beam that holds everything the list is the top of all paths, with their scores and features."""
    made = network(OUTPUTS, seed % 3, model)
    weights = np.random.default_rng(seed).normal(size=7 if model is None else 8)
    every = paths(made, weights.tolist())
    texts, features, scores = best_paths(made, weights, len(every))
    assert sorted(texts) == sorted(every)
    np.testing.assert_allclose(scores, sorted((score for score, _ in every.values()), reverse=True))
    for text, row, score in zip(texts, features, scores, strict=True):
        assert score == pytest.approx(every[text][0])
        assert row @ weights == pytest.approx(score)
        if model is not None:
            assert row[-1] == pytest.approx(model.score(text))


def test_a_trusted_system_is_reproduced():
    """If only one system's votes count, its output is the best path."""
    made = network(OUTPUTS, 1)
    for system, output in enumerate(OUTPUTS):
        weights = np.zeros(7)
        weights[system] = 1.0
        assert best_paths(made, weights, 1)[0] == [" ".join(output)]


def test_lists_of_all_segments():
    """Decoding gives at most k different texts for each segment, the best first."""
    lists = decode([network(OUTPUTS, 0), network([["x"], ["x"], ["y"]], 0)], ("A", "B", "C"), hand_weights(3), 4, "two")
    assert lists.names == feature_names(("A", "B", "C"))
    assert lists.lengths.tolist() == [4, 2]
    assert lists.texts[4:] == ("x", "y")
    assert len(set(lists.texts[:4])) == 4
    assert (np.diff(lists.scores[:4]) <= 0).all()
