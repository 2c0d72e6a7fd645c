"""p-values on the samples against those of sacreBLEU's paired tests, without outside data."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from sigcore.executors import Threads
from sigcore.studies import matrix
from sigcore.studies.matrix import Settings
from sigcore.study import Runtime, Study
from tests.golden.printed import printed
from tests.golden.test_programs_on_samples import SETS, extracted, sample
from tests.oracles import sacre_draws

statistics = cache(extracted)  # the same ones for both tests of sacreBLEU

TITLES = {"BLEU": "bleu", "chrF2": "chrf", "TER": "ter"}
DRAWS = {"ar": sacre_draws.paired_ar, "bs": sacre_draws.paired_bs}


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("kind", DRAWS)
@pytest.mark.parametrize("name", SETS)
def test_the_draws_of_sacrebleu_give_its_p(name: str, kind: str, title: str) -> None:
    """With sacreBLEU's own draws and rules, our statistics and scores give its p-values, bit for bit.

    Scores are rounded to 9 decimals: the twins of harbour have resamples with exactly the observed gain, and whether such
    a tie counts must not depend on the last bit of a logarithm.
    """
    figures, ours = printed(f"sacrebleu260.p.{name}"), statistics(name, TITLES[title])
    base = ours[figures["baseline"]]
    assert ours.keys() - {figures["baseline"]} == figures[kind].keys()
    for system, expected in figures[kind].items():
        found = DRAWS[kind](ours[system].values, base.values, lambda sums: np.round(base.score(sums), 9))
        assert found == expected[title], system


@pytest.mark.parametrize("name", SETS)
def test_randomization_agrees_with_sacrebleu(name: str) -> None:
    """Our p and sacreBLEU's, 10,000 shuffles each with other draws, differ by no more than chance allows (4 sigma)."""
    figures, (testset, outputs) = printed(f"sacrebleu260.p.{name}"), sample(name)
    asked = [(metric, {}) for metric in TITLES.values()]
    test = "approximate_randomization"
    run = matrix.run(
        Study(testset, list(outputs.values()), asked, [test], resamples=10_000), runtime=Runtime(executor=Threads(2))
    )
    for title, metric in TITLES.items():
        result = matrix.read(run, metric, test, Settings(ties="strict"))
        base = result.systems.index(figures["baseline"])
        for system, expected in figures["ar"].items():
            found = result.p_values[result.systems.index(system), base]
            middle = (found + expected[title]) / 2
            assert abs(found - expected[title]) <= 4 * np.sqrt(2 * middle * (1 - middle) / 10_000) + 1e-4, system
