"""NIST of real systems: equal to what NIST's own mteval-v14 printed, and to the definition row by row.

mteval has one slip, "0" being false in Perl: a 2-gram after the word "0" is taken for one word, so its information is
log2 of all words over its count. `slip` repeats that for the few segments it touches; the golden file has both corpus
values for the default options.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from sigcore import metrics
from sigcore.metrics import extractor
from tests import some
from tests.oracles import nist_counts
from tests.routes import ROUTES, route

pytestmark = pytest.mark.data

SETS = {
    "default": {},
    "case": {"case": True},
    "intl": {"tokenize": "intl"},
    "intl_case": {"tokenize": "intl", "case": True},
}
HALF = 5.0001e-5  # of the fourth and last printed decimal
METRIC = metrics.get("nist")


@pytest.fixture(params=["B", "BC"])
def letters(request) -> str:
    """One reference and two."""
    return request.param


@pytest.fixture(params=SETS)
def options(request) -> tuple[str, dict]:
    """The four sets of mteval's options: their name and ours."""
    return request.param, SETS[request.param]


def slip(testset, given) -> Callable[[tuple[str, ...]], np.ndarray]:
    """A function from a system's segments to what mteval's slip adds to the sum of their statistics."""
    cut = nist_counts.words(given.get("tokenize", "13a"), given.get("case", False))
    golds = [[cut(text) for text in texts] for texts in zip(*testset.references, strict=True)]
    flat = [text for texts in golds for text in texts]
    right, wrong = nist_counts.information(flat), nist_counts.information(flat, zero_is_false=True)
    touched = [i for i, texts in enumerate(golds) if any("0" in text[:-1] for text in texts)]
    assert 0 < len(touched) < 5

    def of(segments: tuple[str, ...]) -> np.ndarray:
        pairs = [(cut(segments[i]), golds[i]) for i in touched]
        rows = [np.subtract(nist_counts.row(*pair, wrong), nist_counts.row(*pair, right)) for pair in pairs]
        return np.sum(rows, axis=0)

    return of


def test_corpus_scores_are_mtevals(letters, options, cs_en, golden):
    """Eleven systems under four sets of options, one reference and two: all four printed decimals."""
    name, given = options
    figures = golden(f"nist.mteval14.cs-en.ref{letters}.json")
    testset, outputs = cs_en(letters)
    extract, more = extractor(METRIC, testset, METRIC.chosen(given)), slip(testset, given)
    assert len(outputs) == len(figures["corpus"][name]) == 11
    with route(ROUTES[0]):  # the plain route, which takes long for all systems, has the segments below
        items = [extract(output) for output in outputs]
    for output, item in zip(outputs, items, strict=True):
        expected = figures["corpus"][name][output.system]
        assert abs(item.score(item.total + more(output.segments)) - expected["nist"]) <= HALF, output.system
        assert item.total[5] == expected["words"]
        if name == "default":
            assert item.corpus_score == pytest.approx(figures["known_quirk"]["systems"][output.system][1], abs=6e-7)


def test_segments_are_mtevals(letters, options, cs_en, golden):
    """Sixty segments of two systems: score and information to all printed decimals, n-grams exactly."""
    name, given = options
    figures = golden(f"nist.mteval14.cs-en.ref{letters}.json")
    testset, outputs = cs_en(letters)
    extract = extractor(METRIC, testset, METRIC.chosen(given))
    chosen = np.array(figures["segments"]) - 1
    for system in figures["segment_systems"]:
        (item,) = (extract(output) for output in outputs if output.system == system)
        rows, expected = item.values[chosen], figures["segment"][name][system]
        counts = np.array(expected["nist_counts"])  # (segments, orders, 5): matches, ngrams, ..., information, ...
        np.testing.assert_allclose(item.score(rows), expected["nist"], rtol=0, atol=HALF)
        np.testing.assert_allclose(rows[:, :5], counts[:, :, 3], rtol=0, atol=HALF)
        np.testing.assert_array_equal(rows[:, 5:10], counts[:, :, 1])
        np.testing.assert_array_equal(rows[:, 5], expected["words"])


@pytest.mark.parametrize("given", some.first(SETS.values(), 2), ids=SETS)
def test_rows_are_those_of_the_definition(given, cs_en):
    """Every row of a system against two references."""
    testset, outputs = cs_en("BC")
    ours = extractor(METRIC, testset, METRIC.chosen(given))(outputs[0])
    expected = nist_counts.rows(outputs[0].segments, testset.references, **given)
    np.testing.assert_allclose(ours.values, expected, rtol=1e-12, atol=1e-12)
