"""Numbers as people read them."""

from __future__ import annotations

import math

import pytest

from sigcore import formatting
from sigcore.formatting import (
    format_gain,
    format_p,
    format_p_interval,
    format_score,
    format_share,
    shorten,
    shorten_all,
    thresholds,
    verdict_word,
)
from sigcore.types import read_unit


@pytest.mark.parametrize(
    ("p", "resamples", "text"),
    [
        (0.0342, 10_000, "0.034"),
        (0.21, 10_000, "0.21"),
        (0.5, 10_000, "0.50"),
        (1.0, 10_000, "1.0"),
        (0.00123, 10_000, "0.0012"),
        (1 / 10_001, 10_000, "0.00010"),
        (1 / 1_000_001, 1_000_000, "0.0000010"),
        (1e-12, 0, "< 0.000001"),
        (0.0, 0, "< 0.000001"),
        (1 / 1000, 999, "0.0010"),
        (math.nan, 100, "n/a"),
    ],
)
def test_p_in_two_significant_digits(p: float, resamples: int, text: str) -> None:
    """A counted p-value is a number of two digits; only a computed one below a millionth is a bound."""
    assert format_p(p, resamples) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0504, "0.0504"),
        (0.0496, "0.050"),
        (0.01004, "0.01004"),
        (0.05, "0.050"),
        (0.00503, "0.00503"),
    ],
)
def test_p_just_above_alpha_does_not_read_as_alpha(p: float, text: str) -> None:
    """Rounding must not move a p-value onto an alpha that it misses."""
    assert format_p(p, 10_000) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.62, "+0.62"),
        (-0.31, "-0.31"),
        (0.0, "0.00"),
        (-0.0, "0.00"),
        (0.004, "+0.004"),
        (-0.00012, "-0.0001"),
        (1e-13, "0.00"),
        (math.nan, "n/a"),
    ],
)
def test_gain_always_has_its_sign(value: float, text: str) -> None:
    """A gain shows its sign and is never a signed zero."""
    assert format_gain(value) == text


def test_score_has_two_decimals_and_no_negative_zero() -> None:
    """A score has two decimals; rounding to zero loses the minus."""
    assert [format_score(x) for x in (64.178, -0.001, math.nan)] == ["64.18", "0.00", "n/a"]


@pytest.mark.parametrize(
    ("value", "text"), [(3.125, "3.13"), (0.375, "0.38"), (-3.125, "-3.13"), (2.675, "2.67"), (1e300, f"{1e300:.2f}")]
)
def test_a_half_is_rounded_as_browsers_do(value: float, text: str) -> None:
    """Sentences and tables of the page have the same digits: away from zero where the number is exactly a half, as
    JavaScript's toFixed; 2.675 as a number of the machine is less."""
    assert format_score(value) == text
    assert format_gain(value).lstrip("+") == text


@pytest.mark.parametrize(
    ("part", "text"), [(0, "none"), (10_000, "all"), (39, "0.4%"), (3, "0.03%"), (9_999, "99.99%"), (339, "3.4%")]
)
def test_share_is_never_a_rounded_nothing(part: int, text: str) -> None:
    """A share is "none" or "all" only when it is."""
    assert format_share(part, 10_000) == text


def test_thresholds_follow_alpha() -> None:
    """A verdict size that alpha rules out has no threshold."""
    assert thresholds(0.05) == {1: 0.05, 2: 0.01, 3: 0.001}
    assert thresholds(0.005) == {2: 0.005, 3: 0.001}
    assert thresholds(0.0005) == {3: 0.0005}
    # at these two levels the next size has the same bound: the smaller one can never be shown
    assert thresholds(0.01) == {2: 0.01, 3: 0.001}
    assert thresholds(0.001) == {3: 0.001}


def test_undefined_p_is_not_called_insignificant() -> None:
    """A missing p-value is undefined, which is not the same as no difference."""
    assert verdict_word(0, math.nan) == "undefined"
    assert verdict_word(0, 0.4) == "no significant difference"


def test_shorten_keeps_both_ends() -> None:
    """A long name loses its middle and keeps the limit; a short one stays."""
    assert shorten("abcdefghij", 5) == "ab…ij"
    assert shorten("abc", 3) == "abc"
    assert all(len(shorten("x" * 50, k)) == k for k in range(3, 50))


@pytest.mark.parametrize(
    ("high", "text"), [(0.000368819, "< 0.00037"), (0.0133, "< 0.014"), (1.0, "< 1.0"), (math.nan, "< 0.00074")]
)
def test_a_p_of_zero_is_below_the_end_of_its_interval(high: float, text: str) -> None:
    """c / R with c = 0 is not printed as 0, but as below the upper end of its interval, rounded up."""
    assert format_p(0.0, 10_000, high) == text


@pytest.mark.parametrize(
    ("interval", "resamples", "text"),
    [
        ((0.0312, 0.0371), 10_000, "[0.031, 0.038]"),
        ((0.0, 0.000368819), 10_000, "[0, 0.00037]"),
        ((0.0501, 0.0549), 10_000, "[0.0501, 0.055]"),
        ((math.nan, math.nan), 0, "exact"),
        ((math.nan, math.nan), 10_000, "n/a"),
    ],
)
def test_the_interval_of_p_has_the_digits_of_p(interval: tuple[float, float], resamples: int, text: str) -> None:
    """Two digits, rounded outwards; exact where nothing was drawn, and n/a where there is no p."""
    assert format_p_interval(interval, resamples) == text


def test_a_share_is_never_rounded_to_all() -> None:
    """One resample short of all does not read as 100%."""
    assert format_share(99_999, 100_000) == "99.99%"


@pytest.mark.parametrize(
    ("n", "unit", "segments", "words"),
    [
        (2037, "segment", 2037, "2,037 segments"),
        (1, "segment", None, "1 segment"),
        (448, "document", 2037, "448 documents (2,037 segments)"),
        (1, "document", 30, "1 document (30 segments)"),
        (41, "block:50", 2037, "41 blocks of 50 segments (2,037 segments)"),
        (1, "block:1000", 40, "1 block of 1,000 segments (40 segments)"),
        (7, "block:1", 7, "7 blocks of 1 segment (7 segments)"),
        (12, "document", None, "12 documents"),
    ],
)
def test_units_are_counted_in_words(n: int, unit: str, segments: int | None, words: str) -> None:
    """What a result rests on: segments alone, or units and the segments they are made of."""
    assert formatting.format_units(n, read_unit(unit), segments) == words


@pytest.mark.parametrize(
    ("n", "noun", "words"),
    [
        (0, "pair", "0 pairs"),
        (1, "pair", "1 pair"),
        (2037, "segment", "2,037 segments"),
        (1, "hypothesis", "1 hypothesis"),
        (0, "hypothesis", "0 hypotheses"),
    ],
)
def test_a_noun_agrees_with_its_number(n: int, noun: str, words: str) -> None:
    """One has no s, none and several have; the verb agrees, too."""
    assert formatting.count(n, noun) == words
    assert formatting.counted(n, noun, "has", "have") == f"{words} {'has' if n == 1 else 'have'}"


def test_design_effects_in_words() -> None:
    """One pair is told by its own effect, several by their median and range; documents left out by what that does to p."""
    assert formatting.format_effect([1.834]) == "1.83"
    assert formatting.format_effect([1.0, 4.0, 2.0]) == "2.00 [1.00, 4.00]"
    assert formatting.design_effect_sentence(read_unit("document"), [1.8]) == (
        "Documents: the difference varies 1.80 times as much as if segments were independent (design effect: a ratio of "
        "variances)."
    )
    several = formatting.design_effect_sentence(read_unit("block:50"), [1.0, 4.0, 2.0])
    assert several.startswith("Blocks of 50 segments: the differences vary 2.00 times as much")
    assert several.endswith("the median of 3 pairs, from 1.00 to 4.00).")
    ignored = formatting.ignored_documents(448, [1.0, 4.0, 2.0])
    assert "alike within the 448 documents" in ignored
    assert "over documents the differences vary 2.00 times as much (design effect" in ignored
    assert ignored.endswith(", so p is too small.")


def test_names_that_would_look_the_same_are_told_apart() -> None:
    """Two systems had one name in the table, and nothing said which was which."""
    own = [f"a-long-name-of-an-experiment_{k}_with-the-same-end-of-it" for k in (1, 100)]
    first, second, other = shorten_all([*own, "short"], 24)
    assert other == "short"
    assert first != second
    assert max(map(len, (first, second))) <= 24
    assert "_1_" in first
    assert "_100_" in second
    assert shorten_all(own[:1], 24) == [shorten(own[0], 24)]
    assert shorten_all([own[0]] * 2, 24) == [shorten(own[0], 24)] * 2
    ends = [f"{'x' * 40}{k}" for k in "ab"]
    assert [name[-1] for name in shorten_all(ends, 12)] == ["a", "b"]
