"""Rows of BLEU, chrF and TER that can be checked by hand, and what is refused."""

from __future__ import annotations

from random import Random

import pytest
from sacrebleu.metrics import CHRF

from sigcore import metrics
from sigcore.errors import Cancelled, MismatchError, OptionError, SigError
from sigcore.metrics.bleu import columns
from sigcore.metrics.chrf import ChrfReferences
from sigcore.metrics.ter import TerReferences
from sigcore.text.bleu import BleuReferences
from sigcore.text.compiled import available

pytestmark = pytest.mark.skipif(not available(), reason="numba is not installed")

ALL = (BleuReferences, ChrfReferences, TerReferences)


def test_bleu_clips_by_the_reference_that_has_most() -> None:
    """Three times "the" against two and one: two match; of two equally close references the shorter counts."""
    references = BleuReferences([["the a the"], ["b the b c d"]], max_order=2)
    row = references.rows(["the the the the"])[0]
    assert dict(zip(columns({"order": 2}), row, strict=True)) == {
        "length": 4, "reference_length": 3, "match1": 2, "match2": 0, "total1": 4, "total2": 3,
    }  # fmt: skip


def test_chrf_takes_the_best_reference_and_ignores_orders_it_lacks() -> None:
    """Against "ab" the second reference is perfect; it has no 3-grams, so those of the system do not count."""
    rows = ChrfReferences([["xyz", "c"], ["ab", ""]], char_order=3).rows(["a b", "c d"])
    assert rows[0].tolist() == [2, 2, 2, 1, 1, 1, 0, 0, 0]
    assert rows[1].tolist() == [2, 1, 1, 0, 0, 0, 0, 0, 0]


def test_ter_counts_a_shift_as_one_edit() -> None:
    """A block of two words in the wrong place is one edit; the best of two references counts, their mean length too."""
    rows = TerReferences([["c d a b e"], ["x"]]).rows(["A b c d e"])
    assert rows.tolist() == [[1, 3]]


def test_no_segments_give_no_rows() -> None:
    """An empty test set has as many columns as any other."""
    for make, width in zip(ALL, (10, 18, 2), strict=True):
        assert make([[]]).rows([]).shape == (0, width)


@pytest.mark.parametrize("make", ALL)
def test_unequal_lengths_are_refused(make: type) -> None:
    """A missing line is an error, never a test set cut to the shorter file."""
    with pytest.raises(MismatchError, match="Reference 2 has 1"):
        make([["a", "b"], ["a"]])
    with pytest.raises(MismatchError, match="has 1 segments"):
        make([["a", "b"]]).rows(["a"])
    with pytest.raises(SigError, match="no reference"):
        make([])


def test_orders_without_ngrams_are_refused() -> None:
    """Options that leave nothing to count are named."""
    with pytest.raises(OptionError, match="max_order"):
        BleuReferences([["a"]], max_order=0)
    for char_order, word_order in ((0, 0), (-1, 2), (6, -1)):
        with pytest.raises(OptionError, match="char_order"):
            ChrfReferences([["a"]], char_order=char_order, word_order=word_order)


@pytest.mark.parametrize("make", ALL)
def test_rows_report_and_can_be_stopped(make: type) -> None:
    """Reports rise to the number of segments, and a report that raises ends the work."""
    text = ["a b c d"] * 500
    reports: list[int] = []
    make([text]).rows(text, reports.append)
    assert reports == sorted(reports)
    assert reports[-1] == 500

    def cancel(finished: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        make([text]).rows(text, cancel)


@pytest.mark.parametrize("beta", [1, 2, 3])
def test_chrf_chooses_its_reference_by_its_own_beta(beta: int) -> None:
    """Which of two references is the best one depends on the weight of recall; sacrebleu says which."""
    chance = Random(beta)
    lines = [["".join(chance.choices("abc ", k=chance.randrange(1, 12))) for _ in range(60)] for _ in range(3)]
    row = ChrfReferences(lines[1:], beta=beta).rows(lines[0]).sum(axis=0)
    metric = metrics.get("chrf")
    expected = CHRF(beta=beta).corpus_score(lines[0], lines[1:]).score
    assert float(metric.score(row, metric.chosen({"beta": beta}))) == pytest.approx(expected, abs=1e-9)
