"""The n-grams that a report on segments lists."""

from __future__ import annotations

from sigboard.questions.segments import report


def test_an_n_gram_is_left_out_only_as_words_of_a_longer_one() -> None:
    """Letters inside a word are no part: `is` is not in `this dog`, and `the` is in `the cat`."""
    assert report.longest(["this dog", "is", "dog", "the cat", "he", "cat"]) == ["this dog", "is", "the cat", "he"]
