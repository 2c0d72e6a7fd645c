"""Measures how often bootstrap tests reject a true null with few units; `python -m tests.calibration.few_units` writes the table
that the notes quote."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from sigcore import significance
from sigcore.data import Collection
from sigcore.significance import TABLE
from sigcore.sufficient import SufficientStatistics
from tests.calibration import discrete
from tests.calibration.nulls import exchanged, rejections, statistics_of
from tests.made import score_set

UNITS, ALPHAS = (10, 12, 15, 20, 25, 30, 40, 50), (0.1, 0.05, 0.01)
SIDED = {"rates": "two-sided", "one_sided": "greater"}
REPLICATIONS, RESAMPLES, SEED = 4000, 999, 20261121
ORIGIN = (
    "Rejection rates on true nulls, two-sided and one-sided (greater): the outputs of two systems change places at random, n units drawn from a "
    "population; the largest of four populations: BLEU on the sample harbour, the mean of skewed scores, accuracy of labels of "
    "which a quarter are wrong, and AER of word links."
)


def populations() -> dict[str, list[SufficientStatistics]]:
    """Two systems under BLEU on a sample of ours, the mean of skewed scores, and two metrics of few values."""
    collection = Collection()
    collection.add_sample("harbour")
    loaded = collection.sound()
    assert loaded.testset is not None
    rng = np.random.default_rng(1)
    base = rng.exponential(size=2000)
    testset, outputs = score_set(base + rng.exponential(size=2000), base + rng.exponential(size=2000))
    return {
        "bleu": statistics_of("bleu", loaded.testset, loaded.outputs[:2]),
        "mean": statistics_of("own_scores", testset, outputs),
        "accuracy": discrete.population("accuracy"),
        "aer": discrete.population("aer"),
    }


def rates(pair: list[SufficientStatistics], n: int, replications: int, seed: int) -> dict[str, dict[str, list[float]]]:
    """The share of null test sets of n units that each bootstrap test rejects, by kind of side: one number for each alpha."""
    tests = [test for test in significance.members().values() if test.draws == "bootstrap"]
    found = rejections(
        exchanged(pair, n), tests, replications=replications, resamples=RESAMPLES, seed=seed, alphas=ALPHAS
    )
    return {
        kind: {test.name: [found[test.name, side, alpha] for alpha in ALPHAS] for test in tests}
        for kind, side in SIDED.items()
    }


def table(replications: int = REPLICATIONS) -> dict[str, object]:
    """The table as it is stored."""
    largest: dict[str, dict[str, dict[str, list[float]]]] = {kind: {} for kind in SIDED}
    for name, pair in populations().items():
        for n in UNITS:
            for kind, of_tests in rates(pair, n, replications, SEED + n).items():
                for test, found in of_tests.items():
                    row = largest[kind].setdefault(test, {})
                    row[str(n)] = [round(max(a, b), 4) for a, b in zip(found, row.get(str(n), found), strict=True)]
        print(name, "done", flush=True)
    head = {"origin": ORIGIN, "replications": replications, "resamples": RESAMPLES, "alphas": ALPHAS}
    return {**head, **largest}


if __name__ == "__main__":
    Path(TABLE).write_text(json.dumps(table(), indent=1) + "\n", encoding="utf-8")
