"""The nulls of one pair."""

from __future__ import annotations

import numpy as np
import pytest

from sigboard.figures.compare import alt_text, bars, lines, nulls
from sigcore.results import Histogram
from tests.unit.factories import HOSTILE, compare, one_test

HISTOGRAM = Histogram(np.array([-1.0, 0.0, 1.0]), np.array([40, 60]))


def test_bins_aligned_to_the_cutoff_are_not_split() -> None:
    """Where the cut-off is an edge, each bin is one bar."""
    pieces = bars(HISTOGRAM, (0.0, np.inf))
    assert pieces.tail.tolist() == [True, False]
    assert pieces.heights.tolist() == [40, 60]
    assert not pieces.split.any()


def test_a_straddling_bin_is_split_at_the_cutoff() -> None:
    """A bin with the cut-off inside becomes two pieces of one height, only the outer one coloured."""
    pieces = bars(HISTOGRAM, (-np.inf, 0.25))
    assert pieces.left.tolist() == [-1.0, 0.0, 0.25]
    assert pieces.heights.tolist() == [40, 60, 60]
    assert pieces.tail.tolist() == [False, False, True]
    assert pieces.split.tolist() == [False, True, True]


def test_both_cutoffs_in_one_bin() -> None:
    """Two cut-offs inside one bin leave the middle piece neutral."""
    pieces = bars(Histogram(np.array([-1.0, 1.0]), np.array([10])), (-0.5, 0.5))
    assert pieces.tail.tolist() == [True, False, True]


def test_area_is_mass_for_unequal_bins() -> None:
    """A bin half as wide is twice as high for the same count."""
    pieces = bars(Histogram(np.array([0.0, 1.0, 2.0, 2.5]), np.array([10, 10, 10])), (-np.inf, np.inf))
    assert pieces.heights.tolist() == [10, 10, 20]


def test_a_null_of_one_value_is_one_bar() -> None:
    """Identical systems: all resamples at 0 are one bar that counts."""
    pieces = bars(Histogram(np.array([0.0, 0.0]), np.array([100])), (0.0, 0.0))
    assert pieces.tail.tolist() == [True]
    assert pieces.left[0] < 0 < pieces.right[0]


@pytest.mark.parametrize("edges", [[0.0, 0.0], [-0.5, 0.5]])
def test_identical_systems_do_not_break(edges: list[float]) -> None:
    """A pair without any difference gives a figure, all of it in the tail."""
    item = one_test(
        gain=0.0, histogram=Histogram(np.array(edges), np.array([100])), cutoffs=(-0.0, 0.0), tail=100, ties=100
    )
    figure = nulls(compare(item), "two-sided")
    assert len(set(figure.data[0].marker.color)) == 1
    assert [text for text in (a.text for a in figure.layout.annotations) if "100 on the cut-off" in text]


def test_one_panel_per_test_of_that_side() -> None:
    """Only the tests of the side are drawn, on one common axis."""
    result = compare(one_test(), one_test("bootstrap_shift"), one_test("paired_bootstrap", side="greater"))
    figure = nulls(result, "two-sided")
    assert len(figure.data) == 2
    assert figure.layout.xaxis.range == figure.layout.xaxis2.range


def test_no_test_on_that_side_says_so() -> None:
    """A side without a test gives a sentence instead of an empty frame."""
    assert "no test" in nulls(compare(), "greater").layout.annotations[0].text


def test_lines_name_gain_and_mirror() -> None:
    """A two-sided null has the gain solid and its mirror dashed, even where the cut-off carries a tolerance."""
    drawn = lines(one_test(cutoffs=(-0.62 + 1e-9, 0.62 - 1e-9)))
    assert [(words, solid) for _, words, solid in drawn] == [("mirror −0.62", False), ("gain +0.62", True)]


def test_paired_bootstrap_has_its_cutoff_at_zero() -> None:
    """The null of the paired bootstrap is cut at zero, not at the gain."""
    drawn = lines(one_test("paired_bootstrap", cutoffs=(0.0, np.inf)))
    assert [(words, solid) for _, words, solid in drawn] == [("cut-off 0", False), ("gain +0.62", True)]


def test_twice_the_gain_is_named() -> None:
    """The null of the two-delta bootstrap is cut at twice the gain."""
    assert [words for _, words, _ in lines(one_test(cutoffs=(-np.inf, 1.24)))] == ["gain +0.62", "2 × gain"]


def test_p_and_tail_are_written() -> None:
    """The tail area is labelled with p and its count; ties only where there are some."""
    texts = [a.text for a in nulls(compare(), "two-sided").layout.annotations]
    assert "p = 0.0039, 38 of 10,000 resamples" in texts
    assert not any("on the cut-off" in text for text in texts)
    texts = [a.text for a in nulls(compare(one_test(ties=7)), "two-sided").layout.annotations]
    assert any("7 on the cut-off" in text for text in texts)


def test_hostile_names_are_literal() -> None:
    """Names and titles cannot bring markup into the figure."""
    figure = nulls(compare(one_test(system=HOSTILE[0], test_title="<b>x</b>")), "two-sided")
    assert "<img" not in figure.to_json()
    assert "&lt;b&gt;x" in figure.layout.annotations[1].text or any(
        "&lt;b&gt;x" in a.text for a in figure.layout.annotations
    )


def test_undefined_p_is_said() -> None:
    """A test without a p-value says so instead of printing nan."""
    texts = [a.text for a in nulls(compare(one_test(p_value=np.nan)), "two-sided").layout.annotations]
    assert any(text.startswith("p is undefined") for text in texts)


def test_message_is_small() -> None:
    """Only bins are sent, never the raw null."""
    item = one_test(null=np.random.default_rng(0).normal(size=100_000))
    assert len(nulls(compare(item), "two-sided").to_json()) < 20_000


def test_alt_text_names_tests_and_p() -> None:
    """The alternative text names each test with its p."""
    assert "Approximate randomization p = 0.0039" in alt_text(compare(), "two-sided")
    assert "none was run" in alt_text(compare(), "less")


def test_a_panel_without_a_p_has_no_count() -> None:
    """The title of a panel gives no counted resamples from which the refused p could be computed."""
    titles = [note.text for note in nulls(compare(one_test(p_value=np.nan)), "two-sided").layout.annotations]
    assert "p is undefined" in titles
    assert not any("of 10,000" in title for title in titles)
