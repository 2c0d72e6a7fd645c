"""What a printed p may claim, for any p: every statement that can be read from the digits is true."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigcore.formatting import ALPHAS, format_p, format_p_interval
from sigcore.resampling.pvalues import clopper_pearson, p_values
from sigcore.types import ESTIMATORS, Estimator

RESAMPLES = st.integers(1, 10**7)


def ends(text: str) -> tuple[float, float]:
    """The two numbers of a printed interval."""
    low, high = text.strip("[]").split(", ")
    return float(low), float(high)


@given(st.floats(1e-9, 1.0))
def test_a_printed_p_is_on_the_side_of_every_alpha(p: float) -> None:
    """A p above a common alpha never prints as at or below it, and the reverse."""
    printed = float(format_p(p, 10_000))
    assert [printed <= alpha for alpha in ALPHAS] == [p <= alpha for alpha in ALPHAS]


@given(st.floats(1e-9, 1.0))
def test_a_counted_p_is_a_number_of_two_digits(p: float) -> None:
    """It is within 5% of p (half a unit of the second digit) and never zero or in powers of ten."""
    text = format_p(p, 10_000)
    assert float(text) == pytest.approx(p, rel=0.05)
    assert "e" not in text
    assert float(text) > 0
    if not any(alpha < p < 1.06 * alpha for alpha in ALPHAS):
        assert len(text.lstrip("0.").replace(".", "")) == 2


@given(RESAMPLES, st.floats(0, 1), st.sampled_from(ESTIMATORS), st.sampled_from([1, 2]))
def test_p_never_contradicts_its_interval(resamples: int, share: float, estimator: Estimator, times: int) -> None:
    """A printed number is inside the printed interval; a printed bound is at or above the end of the interval."""
    count = int(share * resamples)
    p = min(1.0, times * float(p_values(count, resamples, estimator)))
    low, high = (min(1.0, times * float(end)) for end in clopper_pearson(count, resamples))
    text, shown = format_p(p, resamples, high), ends(format_p_interval((low, high), resamples))
    assert shown[0] <= low
    assert high <= shown[1]
    if text.startswith("<"):
        assert p == 0
        assert high <= float(text.removeprefix("< ")) <= shown[1]
        assert float(format_p(p, resamples).removeprefix("< ")) >= high  # where the end is not known
    else:
        assert shown[0] <= float(text) <= shown[1]


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_printed_interval_holds_alpha_only_if_the_interval_does(one: float, other: float) -> None:
    """What is called undecided can be seen in the digits: low <= alpha < high."""
    low, high = sorted((one, other))
    shown = ends(format_p_interval((low, high), 10_000))
    held = [low <= alpha < high for alpha in ALPHAS]
    assert [shown[0] <= alpha < shown[1] for alpha in ALPHAS] == held


@given(st.floats(1e-9, 1.0), st.floats(1e-9, 1.0))
def test_texts_of_p_sort_as_numbers(one: float, other: float) -> None:
    """Decimals without exponents have the order of their numbers, so a column of texts can be sorted."""
    low, high = sorted((one, other))
    assert format_p(low, 10_000) <= format_p(high, 10_000)
