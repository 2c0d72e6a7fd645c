"""Systems whose scores take few values: labels, answers and word links made for the tests, alone and in documents."""

from __future__ import annotations

import numpy as np

from sigcore.studies import units
from sigcore.testset import Outputs, Testset
from sigcore.types import DOCUMENT, Ints
from tests.calibration.nulls import Systems, members, statistics_of
from tests.made_structures import structure_set

SEGMENTS = 2000
LENGTH = 5  # segments in a document
RIGHT = {"accuracy": 0.75, "exact_match": 0.9}  # how often a system is right
DISCRETE = ("accuracy", "exact_match", "aer")


def answers(right: np.ndarray) -> tuple[Testset, list[Outputs]]:
    """Answers of a system for each row of `right` (S, n): the reference where it is true."""
    gold = np.arange(right.shape[1]) % 7
    systems = [Outputs(f"sys{k}", tuple(map(str, np.where(row, gold, gold + 1)))) for k, row in enumerate(right)]
    documents = tuple(str(i // LENGTH) for i in range(len(gold)))
    return Testset("answers", "text", len(gold), (tuple(map(str, gold)),), documents=documents), systems


def population(metric: str) -> Systems:
    """Two systems that are about equally good, and wrong on segments of their own."""
    if metric == "aer":
        return statistics_of(metric, *structure_set("alignments", SEGMENTS, (0.1, 0.12)))
    return statistics_of(metric, *answers(np.random.default_rng(1).random((2, SEGMENTS)) < RIGHT[metric]))


def documents() -> tuple[Systems, list[Ints]]:
    """Two systems under accuracy, each much better in some documents than in others, and the segments of each document."""
    rng = np.random.default_rng(2)
    right = rng.random((2, SEGMENTS)) < np.repeat(rng.beta(1, 0.5, (2, SEGMENTS // LENGTH)), LENGTH, axis=1)
    testset, outputs = answers(right)
    found = units.groups(testset, DOCUMENT)
    assert found is not None
    return statistics_of("accuracy", testset, outputs), members(found)
