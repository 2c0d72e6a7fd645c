"""BLEU of single hypotheses by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sigcore.kbest.sentence_bleu import background_bleu, bleu_plus_one

# 6 words against 7, with 4, 2, 1 and 0 matches of 6, 5, 4 and 3 n-grams
ROW = np.array([6, 7, 4, 2, 1, 0, 6, 5, 4, 3], dtype=float)
PENALTY = math.exp(1 - 7 / 6)


def test_lin_och_leaves_the_words_alone():
    """Lin & Och add one to matches and n-grams above order 1."""
    assert bleu_plus_one(ROW) == pytest.approx(PENALTY * (4 / 6 * 3 / 6 * 2 / 5 * 1 / 4) ** 0.25)


def test_moses_adds_one_everywhere():
    """Moses adds one to every order."""
    assert bleu_plus_one(ROW, "all_orders") == pytest.approx(PENALTY * (5 / 7 * 3 / 6 * 2 / 5 * 1 / 4) ** 0.25)


def test_perfect_short_hypothesis_has_one():
    """A single right word has BLEU+1 of 1 in both variants: orders without n-grams count 1 / 1."""
    row = np.array([1, 1, 1, 0, 0, 0, 1, 0, 0, 0], dtype=float)
    assert bleu_plus_one(row) == bleu_plus_one(row, "all_orders") == 1.0


def test_nothing_right_and_nothing_said():
    """Without a matching word Lin & Och give 0; an empty hypothesis has 0 in both variants."""
    wrong = np.array([2, 2, 0, 0, 0, 0, 2, 1, 0, 0], dtype=float)
    empty = np.array([0, 2, 0, 0, 0, 0, 0, 0, 0, 0], dtype=float)
    np.testing.assert_array_equal(bleu_plus_one(np.array([wrong, empty])), [0, 0])
    assert bleu_plus_one(wrong, "all_orders") > 0
    assert bleu_plus_one(empty, "all_orders") == 0


def test_background_is_bleu_times_the_reference_length():
    """On a background of ones, BLEU of the sums is multiplied by their reference length."""
    precision = (5 / 7 * 3 / 6 * 2 / 5 * 1 / 4) ** 0.25
    assert background_bleu(ROW + 1) == pytest.approx(precision * math.exp(1 - 8 / 7) * 8)
