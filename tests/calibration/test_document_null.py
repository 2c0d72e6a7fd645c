"""Text whose documents change sides as a whole: randomization over segments rejects too often, over documents it does not."""

from __future__ import annotations

import csv
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import norm

from sigcore import metrics, significance
from sigcore.studies import units
from sigcore.studies.statistics import Measured
from sigcore.study import chosen_unit
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, DOCUMENT, Ints
from tests.calibration.nulls import ALPHAS, Systems, band, exchanged, members, rejections, statistics_of
from tests.conftest import Loader
from tests.made import sentences, with_slips

AR = "approximate_randomization"
DOCUMENTS, LENGTH = 200, 5


def made() -> tuple[Systems, Ints]:
    """Two systems under chrF, each with more slips in half of the documents, and the document of every segment."""
    n = DOCUMENTS * LENGTH
    reference, rng = sentences(n), np.random.default_rng(3)
    few, many = with_slips(reference, 0.1, 4), with_slips(reference, 0.3, 5)
    better = np.repeat(rng.random(DOCUMENTS) < 0.5, LENGTH)
    pair = [
        Outputs(name, tuple(a if first else b for a, b, first in zip(few, many, chosen, strict=True)))
        for name, chosen in (("first", better), ("second", ~better))
    ]
    unit_of = np.arange(n, dtype=np.intp) // LENGTH
    return statistics_of("chrf", Testset("made", "text", n, (reference,)), pair), unit_of


def with_documents(testset: Testset, data: object) -> Testset:
    """The test set of WMT22 en-zh with its documents."""
    with open(f"{data}/mt/wmt22.en-zh/documents.csv", encoding="utf-8", newline="") as file:
        documents = tuple(row["doc_id"] for row in csv.DictReader(file))
    return Testset(testset.name, "text", testset.n, testset.references, documents=documents)


def rates(pair: Systems, unit_of: Ints, count: int, unit: str, replications: int, resamples: int) -> dict[float, float]:
    """The share of null test sets on which two-sided p <= alpha: `count` documents drawn and changing sides as a whole."""
    if unit == "document":
        null = exchanged([units.summed(item, unit_of) for item in pair], count)
    else:
        null = exchanged(pair, count, members(unit_of))
    every = rejections(null, [significance.get(AR)], replications=replications, resamples=resamples, seed=count)
    return {alpha: every[AR, "two-sided", alpha] for alpha in ALPHAS}


def expected(pair: Systems, unit_of: Ints, alpha: float) -> float:
    """How often a test over segments rejects where the gain varies as much more as the design effect of documents says: as
    a normal statistic whose variance is taken to be smaller by that factor."""
    chrf = metrics.get("chrf")
    effect = units.design_effect(Measured(chrf, chrf.chosen(), tuple(pair)), DOCUMENT, unit_of)
    return float(2 * norm.sf(norm.isf(alpha / 2) / np.sqrt(effect.gains[0, 1])))


@pytest.mark.slow
def test_made_text_quick() -> None:
    """40 documents of 5 segments, 400 null test sets: over documents inside the band, over segments far above it."""
    pair, unit_of = made()
    over = {unit: rates(pair, unit_of, 40, unit, 400, 199) for unit in ("document", "segment")}
    for alpha in ALPHAS:
        low, high = band(400, alpha)
        assert low <= over["document"][alpha] <= high < over["segment"][alpha]


def test_fifteen_documents_quick() -> None:
    """15 documents of 5 segments are the unit of all pairs of nine systems, and hold the level on 400 null test sets; segments
    do not."""
    pair, unit_of = made()
    fifteen = Testset("made", "text", 75, documents=tuple(str(k // 5) for k in range(75)))
    assert chosen_unit(fifteen, AUTO, tests=36) == (DOCUMENT, "")
    over = {unit: rates(pair, unit_of, 15, unit, 400, 199) for unit in ("document", "segment")}
    for alpha in ALPHAS:
        low, high = band(400, alpha)
        assert low <= over["document"][alpha] <= high < over["segment"][alpha]


@pytest.mark.slow
@pytest.mark.data
def test_fifteen_documents_of_a_campaign(en_zh: Loader, data: object) -> None:
    """WMT22 en-zh, chrF: 15 of 181 documents with their own lengths and likeness, 400 null test sets of each of ten pairs. Over
    documents .04 to .06 of them are rejected at .05, and each pair is inside its band; over segments more than .1."""
    testset, outputs = en_zh("A")
    told = with_documents(testset, data)
    unit_of = units.groups(told, DOCUMENT)
    assert unit_of is not None
    found: dict[str, list[float]] = {"document": [], "segment": []}
    for pair in list(combinations(statistics_of("chrf", told, outputs[:5]), 2)):
        for unit, of in found.items():
            of.append(rates(list(pair), unit_of, 15, unit, 400, 199)[0.05])
    low, high = band(400, 0.05)
    assert low <= min(found["document"]) <= max(found["document"]) <= high
    assert 0.04 <= np.mean(found["document"]) <= 0.06
    assert np.mean(found["segment"]) > 0.1


@pytest.mark.slow
def test_made_text() -> None:
    """The same on 2000 null test sets."""
    pair, unit_of = made()
    over = {unit: rates(pair, unit_of, 40, unit, 2000, 499) for unit in ("document", "segment")}
    for alpha in ALPHAS:
        low, high = band(2000, alpha)
        assert low <= over["document"][alpha] <= high < over["segment"][alpha] / 2


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("names", [("DLUT", "Online-W"), ("Lan-Bridge", "Online-B")])
def test_a_campaign(names: tuple[str, str], en_zh: Loader, data: object) -> None:
    """WMT22 en-zh, chrF, 181 documents, 1000 null test sets: over documents inside the band; over segments as often as the
    design effect predicts (.16 and .12 at .05), three points either way."""
    testset, outputs = en_zh("A")
    told = with_documents(testset, data)
    unit_of = units.groups(told, DOCUMENT)
    assert unit_of is not None
    pair = statistics_of("chrf", told, [item for item in outputs if item.system in names])
    count = int(unit_of.max()) + 1
    over = {unit: rates(pair, unit_of, count, unit, 1000, 299) for unit in ("document", "segment")}
    for alpha in ALPHAS:
        low, high = band(1000, alpha)
        assert low <= over["document"][alpha] <= high < over["segment"][alpha]
        assert over["segment"][alpha] == pytest.approx(expected(pair, unit_of, alpha), abs=0.03)
