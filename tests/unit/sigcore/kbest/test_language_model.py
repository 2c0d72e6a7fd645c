"""The language model of pairs of words, by hand and as a distribution."""

from __future__ import annotations

import math

import pytest

from sigcore.errors import Undefined
from sigcore.kbest.network import BEGIN_MARK, END_MARK, trained

TEXT = ["a b a", "a c", "", "b b a"]


def test_probabilities_by_hand():
    """P(b | a) of two pairs: a is followed by b, c and the end (4 times in all), b is 3 of 11 words of 4 types."""
    model = trained(TEXT)
    # words and ends: a 4, b 3, c 1, end 3; after a: b once, c once, the end twice
    alone = (3 + 4 / 5) / (11 + 4)
    assert model.probability("b", "a") == pytest.approx((1 + 3 * alone) / (4 + 3))
    assert model.probability("b", "never seen") == pytest.approx(alone)
    assert model.probability("new", "a") == pytest.approx(3 * (4 / 5 / 15) / 7)


@pytest.mark.parametrize("before", [BEGIN_MARK, "a", "b", "c", "never seen"])
def test_probabilities_sum_to_one(before):
    """After every word, over all known words, the end, and one unknown word."""
    model = trained(TEXT)
    assert sum(model.probability(word, before) for word in ("a", "b", "c", END_MARK, "unknown")) == pytest.approx(1)


def test_a_segment_is_the_sum_of_its_pairs():
    """The score of a segment has its first word, every pair and its end; the matrix has the same numbers."""
    model = trained(TEXT)
    pairs = [(BEGIN_MARK, "a"), ("a", "b"), ("b", END_MARK)]
    assert model.score("a b") == pytest.approx(sum(math.log(model.probability(w, v)) for v, w in pairs))
    words = [BEGIN_MARK, "a", "b", END_MARK]
    assert model.between(words)[1, 2] == pytest.approx(math.log(model.probability("b", "a")))
    assert model.score("a b a") > model.score("c c c")


def test_a_text_without_words_is_refused():
    """Empty lines are not a text."""
    with pytest.raises(Undefined, match="no words"):
        trained(["", " "])
