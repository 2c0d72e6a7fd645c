"""Scores of sums against sacrebleu's own, under all options."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from sigcore import metrics
from sigcore.errors import ReadError
from sigcore.metrics import extractor
from sigcore.testset import Outputs, Testset
from tests.oracles.segment_scores import score_of_segment, score_of_sums, scorer

SMOOTH = [("exp", None), ("floor", None), ("floor", 0.3), ("add-k", None), ("add-k", 0.5), ("none", None)]
BLEU_OPTIONS = [
    {"smooth": smooth, "smooth_value": value, "order": order, "effective_order": effective}
    for (smooth, value), order, effective in product(SMOOTH, (1, 2, 4, 6), (False, True))
]


def bleu_sums(order: int, rng: np.random.Generator, size: int = 60) -> np.ndarray:
    """Random sums of BLEU statistics: lengths 0 to 60, orders without a match or without n-grams among them."""
    rows = []
    for _ in range(size):
        length = int(rng.choice([0, 1, 2, 3, 5, 20, 60]))
        totals = [max(0, length - k) for k in range(order)]
        matches, most = [], length
        for total in totals:
            most = int(rng.integers(0, min(most, total) + 1)) if rng.random() < 0.8 else 0
            matches.append(most)
        rows.append([length, int(rng.choice([0, 1, 4, 21, 60])), *matches, *totals])
    return np.array(rows, dtype=float)


@pytest.mark.parametrize("options", BLEU_OPTIONS, ids=lambda o: "-".join(map(str, o.values())))
def test_bleu_of_sums(options):
    """BLEU of one sum equals sacrebleu's to the last bit, of a block of sums nearly so: every smoothing, order, empty
    output and order without n-grams."""
    metric, made = metrics.get("bleu"), scorer("bleu", options)
    chosen = metric.chosen(options)
    sums = bleu_sums(options["order"], np.random.default_rng(options["order"]))
    expected = [score_of_sums(made, row) for row in sums]
    np.testing.assert_array_equal([metric.score(row, chosen) for row in sums[:50]], expected[:50])
    np.testing.assert_allclose(metric.score(np.repeat(sums, 20, axis=0), chosen)[::20], expected, rtol=1e-13, atol=0)


@pytest.mark.parametrize(
    ("sums", "options", "score"),
    [
        ([4, 4, 4, 3, 2, 1, 4, 3, 2, 1], {}, 100.0),
        ([0, 4, 0, 0, 0, 0, 0, 0, 0, 0], {}, 0.0),
        ([4, 4, 0, 0, 0, 0, 4, 3, 2, 1], {"smooth": "add-k"}, 0.0),
        ([4, 4, 2, 0, 2, 0], {"order": 2, "smooth": "none"}, 0.0),
        ([4, 4, 2, 0, 4, 3], {"order": 2}, 100 * (0.5 / 6) ** 0.5),
        ([2, 4, 2, 1, 2, 1], {"order": 2}, 100 * np.exp(-1)),
        ([1, 1, 1, 0, 1, 0], {"order": 2, "effective_order": True}, 100.0),
    ],
)
def test_bleu_by_hand(sums, options, score):
    """BLEU of a few sums worked out on paper."""
    metric = metrics.get("bleu")
    assert float(metric.score(np.array(sums, dtype=float), metric.chosen(options))) == pytest.approx(score, abs=1e-9)


CHRF_OPTIONS = [
    {"char_order": c, "word_order": w, "beta": b, "eps_smoothing": e}
    for c, w, b, e in product((1, 6), (0, 2), (1, 2, 3), (False, True))
]


@pytest.mark.parametrize("options", CHRF_OPTIONS, ids=lambda o: "-".join(map(str, o.values())))
def test_chrf_of_sums(options):
    """chrF of any sums equals sacrebleu's: every order, beta and smoothing, orders empty on either side among them."""
    metric, made, rng = metrics.get("chrf"), scorer("chrf", options), np.random.default_rng(1)
    orders = options["char_order"] + options["word_order"]
    output, reference = (rng.choice([0, 0, 1, 7, 400], size=(80, orders)) for _ in range(2))
    match = rng.integers(0, np.minimum(output, reference) + 1)
    sums = np.stack([output, reference, match], axis=-1).reshape(80, -1).astype(float)
    expected = [score_of_sums(made, row) for row in sums]
    np.testing.assert_allclose(metric.score(sums, metric.chosen(options)), expected, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("sums", [[0, 0], [3, 0], [0, 7], [2, 8], [9, 6], [1, 2.5]])
def test_ter_of_sums(sums):
    """TER of any sums equals sacrebleu's, without reference words too."""
    metric = metrics.get("ter")
    got = float(metric.score(np.array(sums, dtype=float), metric.chosen()))
    assert got == score_of_sums(scorer("ter", {}), sums)


def test_own_scores_by_hand():
    """The mean of the numbers; no segment has no mean."""
    metric = metrics.get("own_scores")
    rows = metric.statistics(["1", "2.5", "-4e0"], (), metric.chosen(), None)
    np.testing.assert_array_equal(rows, [[1, 1], [2.5, 1], [-4, 1]])
    assert float(metric.score(rows.sum(axis=0), metric.chosen())) == pytest.approx(-0.5 / 3)
    assert np.isnan(metric.score(np.zeros(2), metric.chosen()))


@pytest.mark.parametrize("text", ["", "n/a", "nan", "inf", "1e400", "1,5", "1_000", "١٢"])
def test_own_scores_refuse(text):
    """What is not a plain finite number is refused with its line."""
    metric = metrics.get("own_scores")
    with pytest.raises(ReadError, match="line 2"):
        metric.statistics(["1", text], (), metric.chosen(), None)


def test_bleu_of_a_resample_does_not_depend_on_its_company():
    """A resample that misses an order has the same bits alone and among thousands."""
    metric = metrics.get("bleu")
    sums = np.random.default_rng(4).integers(1, 60, (6000, 2, 10)).astype(float)
    sums[..., 5] = 0.0  # no match of order 4
    whole = metric.score(sums, metric.chosen())
    np.testing.assert_array_equal(metric.score(sums[:100], metric.chosen()), whole[:100])


PAIRS = [
    ("the house is red .", "the house is red ."),
    ("the house is red", "the old house was red , they say ."),
    ("", "a reference"),
    ("an output", ""),
    ("", ""),
    ("the the the the the", "the cat"),
    ("red is house the", "the house is red"),
    ("a", "a"),
]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bleu", {}),
        ("bleu", {"effective_order": True}),
        ("bleu", {"smooth": "add-k", "lowercase": True}),
        ("chrf", {}),
        ("chrf", {"word_order": 2, "whitespace": True}),
        ("chrf", {"eps_smoothing": True}),
        ("ter", {}),
        ("ter", {"normalized": True, "case_sensitive": True}),
    ],
)
def test_segments_one_by_one(name, options):
    """A segment's row scores what sacrebleu gives to a corpus of that segment, with one and with two references."""
    metric, made = metrics.get(name), scorer(name, options)
    outputs = tuple(output for output, _ in PAIRS)
    first, second = tuple(gold for _, gold in PAIRS), tuple(gold for _, gold in PAIRS[::-1])
    for streams in ((first,), (first, second)):
        extract = extractor(metric, Testset("t", "text", len(PAIRS), streams), metric.chosen(options))
        item = extract(Outputs("s", outputs))
        expected = [score_of_segment(made, output, [s[i] for s in streams]) for i, output in enumerate(outputs)]
        np.testing.assert_allclose(item.score(item.values), expected, rtol=1e-13, atol=1e-13)
