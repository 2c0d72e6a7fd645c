"""One JSON shape."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sigboard.render.json import compare_json, matrix_json
from sigcore.errors import MismatchError, Undefined
from tests.unit.factories import compare, matrix, one_test

TOP = {"systems", "n", "unit", "segments", "resamples", "seed", "alternative", "warnings", "results"}
OBJECT = {"metric", "test", "scores", "gains", "p_values", "p_low", "p_high", "adjusted", "signature", "design_effect"}


def read(document: object) -> object:
    """The document after a trip through strict JSON."""
    return json.loads(json.dumps(document, allow_nan=False))


def test_matrix_shape() -> None:
    """The top level and each result hold exactly the agreed fields, with S x S tables."""
    document = matrix_json([matrix(), matrix(metric="ter", better="lower")], ["two warnings"])
    assert set(document) == TOP | {"metrics"}
    assert set(matrix_json([matrix()])) == TOP
    assert read(document) == document
    assert [found["metric"] for found in document["results"]] == ["bleu", "ter"]
    for found in document["results"]:
        assert set(found) >= OBJECT
        for field in ("gains", "p_values", "p_low", "p_high", "adjusted"):
            assert np.shape(found[field]) == (3, 3)
        assert np.diag(found["gains"]).tolist() == [0, 0, 0]
        assert np.diag(found["p_values"]).tolist() == [1, 1, 1]
    assert document["results"][0]["gains"][1][0] == 2.0


def test_what_p_was_made_of() -> None:
    """Each result says whether p is doubled and how ties count, and has the intervals of gains and of adjusted p."""
    three = np.arange(18.0).reshape(3, 3, 2)
    grid = matrix(
        doubled=True, tie_rule="half", gain_intervals=three, adjusted_low=np.eye(3), adjusted_high=np.ones((3, 3))
    )
    found = matrix_json([grid])["results"][0]
    assert (found["doubled"], found["tie_rule"]) == (True, "half")
    assert found["gain_intervals"] == three.tolist()
    assert found["adjusted_low"] == np.eye(3).tolist()
    pair = compare_json([compare(one_test("paired_bootstrap"))])["results"][0]
    assert (pair["doubled"], pair["tie_rule"]) == (True, "counted")
    assert pair["gain_intervals"] == [[[0, 0], [0.2, 1.0]], [[-1.0, -0.2], [0, 0]]]
    assert pair["adjusted_high"] == pair["p_high"]


def test_undefined_is_null() -> None:
    """nan becomes null, so that every reader can read it."""
    p = np.array([[1, np.nan], [np.nan, 1]])
    found = matrix_json([matrix([2.0, 1.0], p=p)])["results"][0]
    assert found["p_values"] == [[1.0, None], [None, 1.0]]


def test_one_system() -> None:
    """One system gives the same shape with 1 x 1 tables."""
    document = matrix_json([matrix([2.0])])
    assert document["results"][0]["gains"] == [[0.0]]


def test_nothing_is_refused() -> None:
    """No result has no shape."""
    with pytest.raises(Undefined):
        matrix_json([])
    with pytest.raises(Undefined):
        compare_json([compare()], side="less")


def test_exact_test_beside_a_drawn_one() -> None:
    """An exact test draws nothing: its results are written beside those of a drawn one, whose R the document has."""
    exact = {"test": "mcnemar", "resamples": 0}
    for results in ([matrix(), matrix(**exact)], [matrix(**exact), matrix()]):
        document = matrix_json(results)
        assert document["resamples"] == 10_000
        assert [item["exact"] for item in document["results"]] == [not r.setup.resamples for r in results]
    assert matrix_json([matrix(**exact)])["resamples"] == 0
    pair = compare(one_test("mcnemar", resamples=0, exact=True), one_test())
    assert compare_json([pair])["resamples"] == 10_000


def test_strangers_are_refused() -> None:
    """Results of different seeds or systems do not share one document."""
    with pytest.raises(MismatchError, match="seed"):
        matrix_json([matrix(), matrix(seed=1)])
    with pytest.raises(MismatchError, match="unit: segment and document"):
        matrix_json([matrix(), matrix(unit="document")])
    with pytest.raises(MismatchError, match="systems"):
        matrix_json([matrix(), matrix([1.0, 2.0])])


def test_compare_has_the_same_shape_and_the_null() -> None:
    """A pair is a matrix of two systems, with the interval and the null of each test."""
    document = compare_json([compare(one_test(), one_test("paired_bootstrap", cutoffs=(0.0, np.inf)))])
    assert set(document) == TOP
    assert read(document) == document
    assert document["systems"] == ["Online-B", "Online-A"]
    assert [found["test"] for found in document["results"]] == ["approximate_randomization", "paired_bootstrap"]
    first, second = document["results"]
    assert set(first) >= OBJECT | {"interval", "level", "histogram", "cutoffs", "tail", "ties"}
    assert first["gains"] == [[0.0, 0.62], [-0.62, 0.0]]
    assert first["gain_intervals"] == [[[0.0, 0.0], [0.2, 1.0]], [[-1.0, -0.2], [0.0, 0.0]]]
    assert len(first["histogram"]["edges"]) == len(first["histogram"]["counts"]) + 1
    assert sum(first["histogram"]["counts"]) == 10_000
    assert second["cutoffs"] == [0.0, None]


def test_two_sided_p_is_the_same_both_ways() -> None:
    """Swapping the systems keeps a two-sided p."""
    p = compare_json([compare()])["results"][0]["p_values"]
    assert p[0][1] == p[1][0]


def test_one_sided_p_of_the_other_way_is_the_other_side() -> None:
    """The p of the baseline over the system is that of the opposite side, null where it was not run."""
    both = compare(one_test(side="greater", tail=100), one_test(side="less", tail=9900))
    p = compare_json([both], side="greater")["results"][0]["p_values"]
    assert p == [[1.0, 101 / 10_001], [9901 / 10_001, 1.0]]
    alone = compare_json([compare(one_test(side="greater"))])["results"][0]
    assert alone["p_values"][1][0] is None
