"""What docs/human.md and docs/scores.md claim in words, and no other test measures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sigcore.studies.human import metrics_differ
from sigcore.studies.human.gold import people
from sigcore.studies.human.judges import rank_sum
from sigcore.studies.human.metrics_differ import Target
from sigcore.studies.scores.ranks import efficiency
from tests.oracles import cutoffs
from tests.unit.judged import made, ratings

ROOT = Path(__file__).resolve().parents[2]


def test_two_dimensions_give_at_most_four_alpha() -> None:
    """1 - (1 - 2 alpha)^2 is 19% at 0.05; however two dimensions depend on each other, their chances add to 4 alpha."""
    assert people(made(("adequacy", ratings()), ("fluency", ratings("fluency")))).chance(0.05) == pytest.approx(0.19)
    for alpha, bound in ((0.05, 0.20), (0.01, 0.04), (0.001, 0.004)):
        assert 1 - (1 - 2 * alpha) ** 2 < 2 * alpha + 2 * alpha == pytest.approx(bound)


def test_broken_ties_move_p() -> None:
    """Where many values tie, breaking all ties one way in the last digit moves p by more than 17%, tiny p by a factor."""
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
    """The smallest value that at least 95% of the null of W do not exceed is 19, and its p is above 0.05."""
    assert np.quantile(_null_of_w(6), 0.95, method="inverted_cdf") == 19


def test_the_error_of_the_efficiency_with_fifty_documents() -> None:
    """About 0.1 for uniform and normal differences, 0.2 for logistic, 0.4 for Laplace ones: within 0.05."""
    rng = np.random.default_rng(1)
    for shape, error in (("uniform", 0.1), ("normal", 0.1), ("logistic", 0.2), ("laplace", 0.4)):
        estimates = efficiency(getattr(rng, shape)(size=(50, 400)))
        assert float(np.nanstd(estimates)) == pytest.approx(error, abs=0.05)
