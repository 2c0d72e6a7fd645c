"""Families in reports: JSON of a pair from a grid, the verdict lines of the terminal, notes on choices."""

from __future__ import annotations

import numpy as np
import pytest

from sigboard.render import sentences
from sigboard.render.json import compare_json, matrix_json
from sigboard.render.text import compare_table
from sigcore.results import PLANNED, InGrids, of_cell
from tests.unit.factories import compare, matrix, one_test

PLAN = {
    "kind": "one planned pair",
    "tests": 1,
    "what": "a single planned comparison",
    "pairs": 1,
    "correction": "none",
    "planned": True,
    "late": False,
}
GRID = {
    "kind": "all pairs",
    "tests": 6,
    "what": "6 one-sided tests of 3 pairs",
    "pairs": 3,
    "correction": "holm",
    "planned": False,
    "late": False,
}
NAMES = ("sys0", "sys1")
KINDS, SIDES = ("approximate_randomization", "paired_bootstrap"), ("greater", "less")


def pair(*results, **changes):
    """A pair of the systems of the grid."""
    return compare(*results, system=NAMES[0], baseline=NAMES[1], **changes)


def test_a_pair_alone_is_a_planned_comparison_in_json() -> None:
    """One test of a pair is planned, several are not, and their adjusted p is p."""
    alone = compare_json([compare(one_test(), one_test(side="greater"))])["results"]
    assert [item["family"] for item in alone] == [PLAN]
    several = compare_json([compare(one_test(), one_test("paired_bootstrap"))])["results"]
    assert [item["family"] for item in several] == 2 * [
        PLAN | {"kind": "tests of one pair", "tests": 2, "what": "2 tests in this command", "planned": False}
    ]
    assert all(item["adjusted"] == item["p_values"] for item in (*alone, *several))


def test_a_grid_has_its_family_in_json() -> None:
    """The number of tests that were corrected together, and how."""
    three = matrix_json([matrix()])["results"][0]["family"]
    assert three == GRID | {"tests": 3, "what": "all 3 pairs"}
    assert matrix_json([matrix(side="less")])["results"][0]["family"]["tests"] == 6


def test_a_pair_from_a_grid_has_the_adjusted_p_of_both_cells() -> None:
    """One-sided, the two directions have their own adjusted p; other tests of the pair are uncorrected."""
    adjusted = np.array([[1, 0.3, 0.4], [0.9, 1, 0.8], [0.7, 0.6, 1]])
    grid = matrix(adjusted=adjusted, side="greater")
    tests = [one_test(kind, side=side, system=NAMES[0], baseline=NAMES[1]) for kind in KINDS for side in SIDES]
    alone = compare_json([pair(*tests)])
    chosen, other = compare_json([pair(*tests)], in_family=InGrids((grid,)))["results"]
    assert chosen["adjusted"] == [[1.0, 0.3], [0.9, 1.0]]
    assert chosen["correction"] == "holm"
    assert chosen["family"] == GRID
    assert chosen["p_values"] == alone["results"][0]["p_values"]
    assert other["adjusted"] == other["p_values"]
    assert other["family"] == GRID | {"correction": "none"}


def test_the_table_marks_the_verdict_and_says_what_the_others_are() -> None:
    """The rows on the chosen side are marked; the sentence on other tests is there only if there are any."""
    both = compare_table(compare(one_test(), one_test(side="greater")), 0.05)
    rows = [line for line in both.splitlines() if line.startswith("Approximate")]
    assert ["*" in row for row in rows] == [True, False]
    assert sentences.OTHER_TESTS in both
    assert "a single planned comparison), so at alpha 0.05" in both
    assert sentences.OTHER_TESTS not in compare_table(compare(), 0.05)


def test_several_chosen_tests_have_a_verdict_each() -> None:
    """Where several tests were requested, each verdict names its test."""
    lines = sentences.verdict_lines(compare(one_test(), one_test("paired_bootstrap")), 0.05)
    assert [line.split(":")[0] for line in lines] == ["Approximate randomization", "Paired bootstrap"]


def test_the_methods_sentence_has_the_family() -> None:
    """A paper reads whether the comparison was planned, or one of how many, with the adjusted p."""
    item = one_test(p_value=0.031)
    assert sentences.family_methods(PLANNED, item) == "It was a single planned comparison, not corrected for others."
    cell = of_cell(matrix(p=np.full((3, 3), 0.031), adjusted=np.full((3, 3), 0.093)), *NAMES)
    assert sentences.family_methods(cell, item) == "It was 1 of 3 pairs; p = 0.031, adjusted 0.093 (Holm)."
    none = of_cell(matrix(p=np.full((3, 3), np.nan), adjusted=np.full((3, 3), np.nan)), *NAMES)
    assert sentences.family_methods(none, one_test(p_value=np.nan)) == "No pair of its grid has a p-value."


@pytest.mark.parametrize(
    ("metrics", "tests", "noted"),
    [(["bleu"], ["a"], 0), (["bleu", "bleu"], ["a"], 0), (["bleu", "ter"], ["a"], 1), (["bleu"], ["a", "b", "c"], 1)],
)
def test_choices_have_one_note(metrics: list[str], tests: list[str], noted: int) -> None:
    """Several metrics or tests have one note; the same one twice is no choice."""
    notes = sentences.of_choices(metrics, tests, sentences.within_grids("holm"))
    assert len(notes) == noted
    assert all(note.startswith("p-values are corrected within each grid, not over the ") for note in notes)
