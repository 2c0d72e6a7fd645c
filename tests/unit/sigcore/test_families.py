"""The family of a p: what its sentence says, and on which p the verdict is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore import results
from sigcore.formatting import format_p, p_text
from sigcore.results import PLANNED, Family, gain_summary, verdict
from sigcore.studies.matrix.compute import cells_of
from sigcore.types import SIDES, Comparisons
from tests.unit.factories import compare, gain, matrix, one_test

P = np.array([[1, 0.02, 0.03], [0.02, 1, 0.2], [0.03, 0.2, 1]])
ADJUSTED = np.array([[1, 0.06, 0.06], [0.06, 1, 0.2], [0.06, 0.2, 1]])


def grid(**changes: object):
    """Three systems whose p are below alpha and, adjusted, above it."""
    settings = {"p": P, "adjusted": ADJUSTED, **changes}
    return matrix([42.0, 40.0, 40.5], **settings)


def said(family: Family | None, alpha: float = 0.05, **changes: object) -> str:
    return verdict(one_test(p_value=0.031, **changes), alpha, family)


def test_the_verdict_is_on_the_adjusted_p() -> None:
    """A p below alpha whose adjusted p is above it is not significant, and both numbers and the family are there."""
    family = Family(55, 55, "holm", "Holm", 0.21, (0.18, 0.25))
    words = said(family)
    p, adjusted = p_text(0.031, 10_000), format_p(0.21, 10_000)
    assert f"this is 1 of 55 pairs; {p}, adjusted {adjusted} (Holm), so at alpha 0.05 it is not significant" in words
    assert words.startswith("Online-B is ahead of Online-A")
    assert "beats" in said(replace(family, adjusted=0.049))


def test_a_planned_comparison_says_so_and_changes_nothing_else() -> None:
    """The sentence of a planned comparison is the plain one with its name beside p."""
    assert said(PLANNED) == said(None).replace("(p = 0.031)", "(p = 0.031, a single planned comparison)") != said(None)
    assert str(compare()) == verdict(compare().chief, 0.05, PLANNED)


def test_pairs_without_a_correction_say_what_chance_finds() -> None:
    """An uncorrected family has the verdict of p itself, and says how many pairs chance alone would find."""
    words = said(results.uncorrected(55, "two-sided"))
    assert "this is 1 of 55 pairs shown; p = 0.031, uncorrected, so at alpha 0.05 it is significant" in words
    assert "if no systems differed, about 2.8 of the 55 pairs would be significant by chance, on average" in words


def test_a_family_of_both_directions_counts_tests() -> None:
    """One-sided, both directions of a pair are tests, and chance finds twice as many pairs."""
    family = results.uncorrected(28, "greater")
    assert family.place == "1 of 56 one-sided tests of 28 pairs"
    assert "about 2.8 of the 28 pairs" in family.by_chance(0.05)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("systems", [2, 3, 7])
def test_the_family_of_a_grid_is_what_was_corrected(side: str, systems: int) -> None:
    """The number of tests is that of the cells which a correction is applied to, on each side."""
    family = results.of_matrix(matrix(np.linspace(40, 44, systems), side=side))
    assert family.tests == len(cells_of(systems, side)[0])
    assert family.pairs == systems * (systems - 1) // 2


def test_a_test_without_a_p_is_not_in_the_family() -> None:
    """Undefined p are not corrected over, so they are not counted."""
    p = P.copy()
    p[0, 2] = p[2, 0] = np.nan
    assert results.of_matrix(grid(p=p)).tests == 2


def test_the_family_of_a_cell_has_its_adjusted_p() -> None:
    """A cell of a corrected grid has its adjusted p and interval; of an uncorrected grid, none."""
    cell = results.of_cell(grid(adjusted_low=ADJUSTED / 2, adjusted_high=ADJUSTED * 2), "sys0", "sys2")
    assert (cell.adjusted, cell.adjusted_interval) == (0.06, (0.03, 0.12))
    assert (cell.correction_title, cell.place) == ("Holm", "1 of 3 pairs")
    assert results.of_cell(grid(correction="none"), "sys0", "sys2").adjusted is None


def test_undecided_is_about_the_adjusted_p() -> None:
    """Where the interval of the adjusted p includes alpha, the sentence says of which p."""
    words = said(Family(3, 3, "holm", "Holm", 0.0495, (0.045, 0.055), resamples=10_000))
    assert "the Monte Carlo interval of the adjusted p, [0.045" in words


def test_an_undefined_p_is_no_verdict_in_any_family() -> None:
    """Without a p the family has nothing to say."""
    family = Family(3, 3, "holm", "Holm", float("nan"))
    item = one_test(p_value=np.nan, p_interval=(np.nan, np.nan))
    assert "gives no p-value here" in verdict(item, 0.05, family)


def test_the_sentence_on_gains_says_what_is_not_corrected() -> None:
    """It has the number of pairs, that their p are uncorrected, and what chance alone would find."""
    words = gain_summary(gain(60, side="two-sided"), 0.05)
    assert "of 60 pairs significant at alpha 0.05 (uncorrected)" in words
    assert words.endswith(
        "The p-values are not corrected for the number of pairs: if no systems differed, about 3 of the 60 pairs would "
        "be significant by chance, on average."
    )


@pytest.mark.parametrize("late", [False, True])
def test_a_grid_says_that_its_pairs_were_chosen_late(late: bool) -> None:
    """That some pairs were chosen after the scores is part of the family of the grid and of each of its cells."""
    result = grid(family=Comparisons("one baseline", "sys0", late=late))
    assert results.of_matrix(result).late is late
    assert results.of_cell(result, "sys1", "sys0").late is late
