"""On campaigns of WMT22: pairs that go on alone have the verdicts of full runs, and influences sum to the gain."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from sigcore.executors import Threads
from sigcore.studies import matrix
from sigcore.studies.segments import influences
from sigcore.studies.statistics import measure
from sigcore.study import Runtime, Settings, Study
from tests.conftest import wmt

CAMPAIGNS = (("cs-en", "B", "en", "13a"), ("uk-en", "A", "en", "13a"), ("en-zh", "A", "zh", "zh"))
TEST, LEAST = "approximate_randomization", 200_000


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize(("pair", "reference", "language", "tokenizer"), CAMPAIGNS)
def test_verdicts_are_those_of_full_runs(
    data: Path,
    statistics_cache: dict[str, np.ndarray],
    pair: str,
    reference: str,
    language: str,
    tokenizer: str,
    alpha: float,
) -> None:
    """BLEU, Holm: with the most resamples of any pair, and at least 200,000, all pairs have the same verdicts, and p where R
    is the same."""
    testset, outputs = wmt(data / f"mt/wmt22.{pair}", reference, language)
    asked = Study(testset, outputs, (("bleu", {"tokenize": tokenizer}),), [TEST], alpha=alpha, resamples="auto")
    asked = replace(asked, settings=Settings(correction="holm"))
    here = Runtime(executor=Threads(2), cache=statistics_cache)
    (result,) = matrix.results(asked, here)
    whole = matrix.run(replace(asked, resamples=max(result.setup.resamples, LEAST)), here)
    full = matrix.read(whole, "bleu", TEST, asked.settings)
    decided = ~result.borderline(alpha)
    np.testing.assert_array_equal((result.adjusted <= alpha)[decided], (full.adjusted <= alpha)[decided])
    most = result.resamples == whole.resamples
    np.testing.assert_array_equal(result.p_values[most], full.p_values[most])


@pytest.mark.data
@pytest.mark.parametrize(("pair", "reference", "language", "tokenizer"), CAMPAIGNS[::2])
def test_influences_sum_to_the_gain_of_every_pair(
    data: Path, statistics_cache: dict[str, np.ndarray], pair: str, reference: str, language: str, tokenizer: str
) -> None:
    """BLEU of two campaigns; one system has two words more than its references, where the penalty has its kink."""
    testset, outputs = wmt(data / f"mt/wmt22.{pair}", reference, language)
    here = Runtime(cache=statistics_cache)
    (measured,) = measure(testset, outputs, (("bleu", {"tokenize": tokenizer}),), here)
    for two in combinations(measured.systems, 2):
        found = influences(two)
        assert found.gain == pytest.approx(two[0].corpus_score - two[1].corpus_score, abs=1e-9)
        assert found.influences.sum() == pytest.approx(found.gain, abs=1e-9)
