"""Score matrices of REALSumm (25 summarizers, 100 documents): the counts of significant pairs are scipy's."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from sigcore.studies import scores
from tests import some
from tests.made import matrix_of

METRICS = ("litepyramid_recall", "rouge_1_f_score", "rouge_2_f_score", "rouge_l_f_score", "bert_f_score")
pytestmark = pytest.mark.data


@cache
def run(folder: Path, metric: str) -> scores.ScoresRun:
    path = folder / "summ" / "realsumm" / f"scores.{metric}.csv"
    return scores.run(matrix_of(path.name, path.read_bytes()))


def by_scipy(values: np.ndarray, i: int, j: int) -> tuple[float, ...]:
    """p of unpaired T, paired T, W of two columns, and W of their differences in nine digits; 1 for equal columns.

    The scores have six digits, so in nine no difference changes, but those that are equal become so for scipy too.
    """
    x, y = values[:, i], values[:, j]
    if (x == y).all():
        return 1.0, 1.0, 1.0, 1.0
    tests = [stats.ttest_ind(x, y), stats.ttest_rel(x, y), stats.wilcoxon(x, y, zero_method="pratt")]
    tests.append(stats.wilcoxon(np.round(x - y, 9), zero_method="pratt"))
    return tuple(float(test.pvalue) for test in tests)


@pytest.mark.parametrize("metric", some.first(METRICS, 2))
def test_counts_of_significant_pairs_are_those_of_scipy(metric: str, data: Path) -> None:
    """For each statistic as many pairs are significant as scipy finds, pair by pair, at three levels.

    At 0.05 that holds for W on the differences as floating point leaves them, too.
    """
    found = run(data, metric)
    result = scores.read(found)
    expected = np.array([by_scipy(found.matrix.values, i, j) for i, j in found.pairs]).T
    np.testing.assert_allclose(found.p_theory, expected[[0, 1, 3]], rtol=1e-8)
    assert result.count("all", "theory", "wilcoxon", 0.05).raw == int((expected[2] <= 0.05).sum())
    for alpha in (0.05, 0.01, 0.001):
        for s, statistic in enumerate(scores.STATISTICS):
            count = result.count("all", "theory", statistic, alpha)
            assert count.raw == int((expected[[0, 1, 3][s]] <= alpha).sum())
            assert (count.pairs, count.tested) == (300, 300)


@pytest.mark.parametrize("metric", METRICS)
def test_one_system_under_two_names_gives_one(metric: str, data: Path) -> None:
    """abs.bart_out and ext.bart_out are one system: p = 1 in theory and by drawing."""
    result = scores.read(run(data, metric))
    place, _ = result.place("abs.bart_out", "ext.bart_out")
    assert (result.p_values[..., place] == 1).all()


@pytest.mark.parametrize("metric", METRICS)
def test_empirical_cutoffs_are_near_those_of_theory(metric: str, data: Path) -> None:
    """Cut-offs of paired T and W at 0.05 lie within 2% of theory on average, and MC decides as theory nearly always.

    One quantile of 2000 draws has a relative error of about 2%; the average over 299 pairs that share draws is bounded
    by it. Unpaired T has no theory here, and its empirical cut-offs lie far below those of independent samples.
    """
    found = run(data, metric)
    cut = np.nanmean(found.cutoffs[..., 1], axis=-1)
    assert np.abs(cut[1:, 1:] / cut[0, 1:] - 1).max() < 0.02
    assert (cut[1:, 0] < 0.95 * cut[0, 0]).all()
    result = scores.read(found)
    agree = (result.p_values[1, 1:] <= 0.05) == (result.p_values[0, 1:] <= 0.05)
    assert agree.mean() > 0.97


def test_documents_differ_in_difficulty(data: Path) -> None:
    """Under ROUGE-2 Kruskal-Wallis over documents is beyond doubt, and equals scipy's."""
    found = run(data, "rouge_2_f_score")
    kruskal = found.test("kruskal", "documents")
    assert kruskal is not None
    said = stats.kruskal(*found.matrix.values)
    assert kruskal.statistic == pytest.approx(said.statistic)
    assert kruskal.p_value < 1e-100
