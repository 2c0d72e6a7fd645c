"""Every sentence with a number in README.md and the pages listed here and in vouched.py has a test that vouches for it."""

from __future__ import annotations

import ast
import inspect
import json
import re
from pathlib import Path

import numpy as np
import pytest

from sigcore.studies import scores
from sigcore.studies.human import metrics_differ
from sigcore.studies.human.gold import people
from sigcore.studies.human.judges import rank_sum
from sigcore.studies.human.metrics_differ import FEWEST_SYSTEMS, Target
from sigcore.studies.scores import pairs
from sigcore.studies.scores.ranks import efficiency
from tests.architecture import vouched
from tests.oracles import cutoffs
from tests.unit.judged import made, ratings

ROOT = Path(__file__).resolve().parents[2]
HERE = "tests/architecture/test_numbers_in_docs.py"
UNIT = "tests/unit/sigcore/studies"
DIFFER, SCORES = "tests/calibration/test_metrics_differ.py", f"{UNIT}/scores"

# A part of the sentence, and the test (file::name) that fails where its numbers are wrong.
VOUCHED = {
    "human.md": {
        "SD of the judge (n - 1)": f"{UNIT}/human/test_judges.py::test_z_is_that_of_the_slow_way",
        "non-translation 25 points": "tests/unit/sigcore/readers/test_ratings.py::test_points_of_an_error",
        "never more than 20 %": f"{HERE}::test_two_dimensions_give_at_most_four_alpha",
        "less than 2 % of itself": "tests/golden/test_human_data.py::test_own_z_gives_the_same_pairs",
        "a change of 17 %": f"{HERE}::test_broken_ties_move_p",
        "All 72 cells": "tests/golden/test_graham2014.py::test_cell_as_printed",
        "a t quantile with S - 1": f"{UNIT}/human/test_agreement.py::test_leaving_out_one_system_is_what_it_says",
        "in about 97 %": f"{DIFFER}::test_intervals_by_systems_hold_the_accuracy",
        "in only 1 to 3 %": f"{DIFFER}::test_the_plain_jackknife_is_too_careful",
        "S - 1 for the jackknife": f"{UNIT}/human/test_metrics_differ.py::test_the_t_is_that_of_loops",
        "with 8 systems or fewer": f"{DIFFER}::test_the_t_of_accuracies_with_few_and_many_systems",
        "can be twice as high": f"{DIFFER}::test_the_t_of_accuracies_holds_its_level",
        "It takes 4 systems": f"{HERE}::test_limits_are_those_of_the_code",
        "p is 1 and there is no interval": f"{UNIT}/human/test_metrics_differ.py::test_where_nothing_differs_p_is_one",
        "1,999 are drawn": f"{HERE}::test_limits_are_those_of_the_code",
        "2 / 2^S": f"{HERE}::test_few_systems_bound_p",
        "Five equally good metrics": f"{DIFFER}::test_cochrans_q_rejects_too_often",
        "11 systems | 20 systems": f"{DIFFER}::test_cochrans_q_rejects_too_often",
        "| 29 % | 52 % |": f"{DIFFER}::test_cochrans_q_rejects_too_often",
        "| 50 % |": f"{DIFFER}::test_cochrans_q_rejects_too_often",
        "| 11 % |": f"{DIFFER}::test_cochrans_q_rejects_too_often",
        "would be 0 / 0": f"{UNIT}/human/test_agreement.py::test_where_nothing_can_differ_nothing_is_claimed",
        "with 33, 32 and 32": f"{HERE}::test_the_paper_contradicts_itself_on_nist",
        "at 0.05 than at 0.001": f"{UNIT}/human/test_gold.py::test_conclusions_follow_the_first_dimension_that_decides",
    },
    "scores.md": {
        "with 2n - 2 degrees": f"{SCORES}/test_pairs.py::test_p_is_that_of_scipy",
        "with n - 1 degrees": f"{SCORES}/test_pairs.py::test_p_is_that_of_scipy",
        "exact up to 50 documents": f"{HERE}::test_limits_are_those_of_the_code",
        "fewer than 6 documents": f"{HERE}::test_five_documents_cannot_reach_a_twentieth",
        "0.3 - 0.1 and 0.4 - 0.2": f"{SCORES}/test_pairs.py::test_a_tie_does_not_depend_on_rounding",
        "p = 1 under every test": f"{SCORES}/test_pairs.py::test_identical_systems_give_one",
        "n (n + 1) (2n + 1) / 6": f"{SCORES}/test_pairs.py::test_the_variance_of_w_is_the_textbook_one_without_ties",
        "sqrt(n³ / 12)": f"{SCORES}/test_pairs.py::test_the_printed_cutoff_of_w_is_that_of_another_statistic",
        "sqrt(n³ / 3)": f"{SCORES}/test_pairs.py::test_the_printed_cutoff_of_w_is_that_of_another_statistic",
        "about a third of all cases": f"{SCORES}/test_pairs.py::test_the_printed_cutoff_of_w_is_that_of_another_statistic",
        "with probability 1/2": f"{SCORES}/test_draws.py::test_hybrid_counts_draw_and_swap",
        "2000 in the paper and by default": f"{HERE}::test_limits_are_those_of_the_code",
        "P(|W| ≥ 19) = 0.0625": f"{SCORES}/test_draws.py::test_six_documents_need_all_six_signs",
        "would be 19": f"{HERE}::test_the_quantile_of_six_documents_is_nineteen",
        "no p is below 1 / (R + 1)": f"{SCORES}/test_study.py::test_p_of_the_draws_follows_the_estimator",
        "0.955 for normal ones": f"{SCORES}/test_ranks.py::test_theory_is_what_the_formula_gives",
        "0.4 for Laplace": f"{HERE}::test_the_error_of_the_efficiency_with_fifty_documents",
    },
} | vouched.PAGES

# What claims nothing: years, tables and sections of papers, code, targets of links, names, and the numbers of a list.
NO_CLAIM = re.compile(
    r"`[^`]*`|\]\([^)]*\)"
    r"|\b(19|20)\d\d\b(?! in the paper)|(Table|Section|Chapter|Figure|section)s? \d+(\.\d+)?( and \d+)?"
    r"|WMT\d\d|ROUGE-(1\.5\.5|SU4|[12](, 2)?)|METEOR 1\.5|mteval-v14|WordNet \d\.0|(macro-|token )F1|\b13a\b"
    r"|SHA-256|Apache-2\.0|UTF-\d+|U\+\d{4}|127\.0\.0\.1|Python \(?3\.x"
    r"|(^|(?<=[.:?!]) )\d\.$"
)


def sentences(page: str) -> list[str]:
    """The sentences and rows of tables of a page that hold a number."""
    path = ROOT / page if page == "README.md" else ROOT / "docs" / page
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    blocks = (" ".join(block.split()) for block in re.split(r"\n\n|\n(?=\|)|\n(?=- )", text))
    parts = [part for block in blocks for part in re.split(r"(?<=[.:;?!])\s+(?=[A-Z*(`])", block)]
    return [part for part in parts if re.search(r"\d", NO_CLAIM.sub("", part))]


@pytest.mark.parametrize("page", list(VOUCHED))
def test_every_number_has_a_test(page: str) -> None:
    """Each sentence with a number holds a phrase of the list, and each phrase is still in such a sentence."""
    found, phrases = sentences(page), (*VOUCHED[page], *vouched.UNTESTED.get(page, ()))
    assert [s for s in found if not any(phrase in s for phrase in phrases)] == []
    assert [phrase for phrase in phrases if not any(phrase in s for s in found)] == []


@pytest.mark.parametrize("test", sorted({test for tests in VOUCHED.values() for test in tests.values()}))
def test_the_tests_are_there(test: str) -> None:
    """Every named file has a test of that name."""
    file, name = test.split("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


# ---- what no other test holds


def test_limits_are_those_of_the_code() -> None:
    """Numbers of documents, systems and draws are the constants."""
    assert (pairs.MOST_EXACT, pairs.MOST_SWAPS, scores.LEAST) == (50, 13, 6)
    assert (FEWEST_SYSTEMS, metrics_differ.ALL_UP_TO, metrics_differ.DRAWS) == (4, 13, 1999)
    assert inspect.signature(scores.run).parameters["resamples"].default == 2000


def test_two_dimensions_give_at_most_four_alpha() -> None:
    """1 - (1 - 2 alpha)^2 is 19 % at 0.05; however two dimensions depend on each other, their chances add to 4 alpha."""
    assert people(made(("adequacy", ratings()), ("fluency", ratings("fluency")))).chance(0.05) == pytest.approx(0.19)
    for alpha, bound in ((0.05, 0.20), (0.01, 0.04), (0.001, 0.004)):
        assert 1 - (1 - 2 * alpha) ** 2 < 2 * alpha + 2 * alpha == pytest.approx(bound)


def test_broken_ties_move_p() -> None:
    """Where many values tie, breaking all ties one way in the last digit moves p by more than 17 %, tiny p by a factor."""
    rng = np.random.default_rng(0)
    for size, shift, factor in ((200, 0.2, 1.17), (1300, 0.4, 100)):
        first, second = (np.round(rng.normal(middle, 1, size), 1) for middle in (shift, 0.0))
        assert rank_sum(first, second) / rank_sum(np.nextafter(first, np.inf), second) > factor


def test_few_systems_bound_p() -> None:
    """The smallest p of a swap test is 2 / 2^S: here of metrics that differ as much as they can."""
    assert [2 / 2**systems for systems in (5, 11)] == pytest.approx([0.0625, 0.001], rel=0.03)
    for systems in (5, 11):
        quality = np.arange(systems, dtype=float)
        couples = np.column_stack(np.triu_indices(systems, k=1))
        best = np.stack([quality, -quality])[..., None] + np.linspace(0, 0.1, systems)[None, :, None] ** 2
        p = metrics_differ.swap_tests(best, Target(quality, couples, {}), "systems", 1)
        assert p.min() == 2 / 2**systems


def test_the_paper_contradicts_itself_on_nist() -> None:
    """Table 2, alpha .001: NIST has 33, 32 and 32 correct pairs; BLEU is the same across tests."""
    text = (ROOT / "tests/golden/graham2014.tables.json").read_text(encoding="utf-8")
    cells = json.loads(text)["tables"][1]["cells"]
    correct = {name: [c[3] for c in cells if (c[0], c[1]) == (0.001, name)] for name in ("BLEU", "NIST")}
    assert correct["NIST"] == [33, 32, 32]
    assert len(set(correct["BLEU"])) == 1


def test_five_documents_cannot_reach_a_twentieth() -> None:
    """All five signs alike have p = 2 / 32 > 0.05; all six 2 / 64."""
    smallest = [min(cutoffs.reached(null, size) / len(null) for size in null) for null in map(_null_of_w, (5, 6))]
    assert smallest == [2 / 32, 2 / 64]
    assert smallest[0] > 0.05 > smallest[1]


def _null_of_w(n: int) -> list[float]:
    return [sizes[2] for sizes in cutoffs.sizes_of_all_swaps([float(k + 1) for k in range(n)], [0.0] * n)]


def test_the_quantile_of_six_documents_is_nineteen() -> None:
    """The smallest value that at least 95 % of the null of W do not exceed is 19, and its p is above 0.05."""
    assert np.quantile(_null_of_w(6), 0.95, method="inverted_cdf") == 19


def test_the_error_of_the_efficiency_with_fifty_documents() -> None:
    """About 0.1 for uniform and normal differences, 0.2 for logistic, 0.4 for Laplace ones: within 0.05."""
    rng = np.random.default_rng(1)
    for shape, error in (("uniform", 0.1), ("normal", 0.1), ("logistic", 0.2), ("laplace", 0.4)):
        estimates = efficiency(getattr(rng, shape)(size=(50, 400)))
        assert float(np.nanstd(estimates)) == pytest.approx(error, abs=0.05)
