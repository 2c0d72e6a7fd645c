"""k-best lists: selection, union, repetitions, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore.errors import MismatchError, SigError, UnknownMember
from sigcore.kbest.instances import first_of_largest
from sigcore.kbest.lists import KBest, merged
from sigcore.kbest.scaling import scale_of


def small(texts=("a", "b", "c", "c"), features=((1.0,), (2.0,), (3.0,), (3.0,)), offsets=(0, 2, 4)):
    """Two lists of two hypotheses; those of the second are the same."""
    return KBest("small", texts, np.array(offsets), ("f",), np.array(features), np.full(len(texts), np.nan))


def test_selection_repeats_lists():
    """A segment that is selected twice is there twice, with its features."""
    got = small().of([1, 0, 1])
    assert got.texts == ("c", "c", "a", "b", "c", "c")
    assert got.offsets.tolist() == [0, 2, 4, 6]
    assert got.features[:, 0].tolist() == [3, 3, 1, 2, 3, 3]
    assert got.segment_of.tolist() == [0, 0, 1, 1, 2, 2]


def test_repetitions_are_left_out():
    """Of equal texts with equal features the first is kept; equal texts with other features are not equal."""
    assert small().distinct().texts == ("a", "b", "c")
    other = small(features=((1.0,), (2.0,), (3.0,), (4.0,)))
    assert other.distinct() is other


def test_union_keeps_the_first_lists_first():
    """Merging appends what is new to each list."""
    more = small(texts=("b", "d", "e", "c"), features=((2.0,), (4.0,), (5.0,), (3.0,)))
    got = merged(small(), more)
    assert got.texts == ("a", "b", "d", "c", "e")
    assert got.lengths.tolist() == [3, 2]
    with pytest.raises(MismatchError):
        merged(small(), small().of([0]))


def test_columns_by_name():
    """Features are added by name; a column that is set aside is no longer a feature, but selected with its list."""
    lists = small().with_features(["g"], np.arange(4.0))
    assert lists.column("g").tolist() == [0, 1, 2, 3]
    aside = lists.aside("f")
    assert (aside.names, aside.others, aside.features.tolist()) == (("g",), ("f",), [[0], [1], [2], [3]])
    assert aside.of([1, 0]).column("f").tolist() == [3, 3, 1, 2]
    assert aside.aside("f") is aside
    assert merged(aside, aside).column("f").tolist() == [1, 2, 3, 3]
    with pytest.raises(UnknownMember):
        lists.column("h")


def test_what_does_not_fit_is_refused():
    """Empty lists, features that are not finite, repeated names and other lengths are refused."""
    with pytest.raises(SigError, match="Segment 2 has no hypotheses"):
        small(offsets=(0, 4, 4))
    for odd, why in ((np.inf, "not a finite number"), (np.nan, "not a finite number"), (-1e308, "too large")):
        with pytest.raises(SigError, match=f"The feature f is {why}"):
            small(features=((1.0,), (odd,), (3.0,), (3.0,)))
    with pytest.raises(SigError, match="Two columns"):
        replace(small(), names=("f", "f"), features=np.ones((4, 2)))
    with pytest.raises(MismatchError):
        small(offsets=(0, 3))


def test_digest_follows_the_content():
    """Equal lists have one digest, other features another."""
    assert small().digest == small().digest
    assert small().digest != small(features=((1.0,), (2.0,), (3.0,), (4.0,))).digest


def test_first_of_equal_scores_wins():
    """Of equally high scores the first counts, in every list."""
    assert first_of_largest(np.array([1.0, 1, 0, 2, 5, 5]), np.array([0, 3, 6])).tolist() == [0, 4]


def test_scale_keeps_the_ranking():
    """Weights of z-scores rank as the weights made of them; what never varies within a list has weight 0."""
    rng = np.random.default_rng(1)
    features = np.column_stack([rng.normal(5, 20, 30), rng.normal(size=30), np.repeat([1.0, 2.0, 3.0], 10)])
    segment_of = np.repeat([0, 1, 2], 10)
    scale = scale_of(features, segment_of)
    assert scale.varies.tolist() == [True, True, False]
    weights = scale.weights(np.array([0.7, -0.2, 3.0]))
    assert weights[2] == 0
    scores = scale.applied(features) @ np.array([0.7, -0.2, 3.0]) - features @ weights
    np.testing.assert_allclose(scores, scores[0])
    np.testing.assert_allclose(scale.scaled(weights), [0.7, -0.2, 0])
