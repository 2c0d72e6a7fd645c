"""k-best lists of Moses: its statistics, and what its own mert, pro and kbmira find on the same lists.

The numbers of the synthetic lists were made with Moses' programs (HEAD 3445289); those of Europarl are in Moses'
regression tests (36ca9c2). Moses' kbmira compares an object with itself and so leaves out hypotheses; its numbers are
those of a build with that one comparison corrected.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from sigcore import tuning
from sigcore.readers import read_kbest
from sigcore.studies.tuning.statistics import Target, instances, rows
from sigcore.testset import Testset
from sigcore.tuning import kb_mira, pro
from tests.conftest import lines

pytestmark = pytest.mark.data

MERT_SYNTHETIC = {20: 88.6645, 0: 88.6382}  # Moses' mert with this many restarts
MERT_OPTIMA = 0.15  # how far optima of two programs may differ
MERT_EUROPARL = 30.4339
# kbmira without shuffling, C = 0.01; Moses' start is not recorded: with 0.1 for every feature all digits agree
MIRA_START, MIRA_INITIAL = 0.1, 0.510260
MIRA_EPOCHS = [0.816366, 0.825146, 0.839293, 0.851765]
PRO_LINES = 15_000  # 150 segments, 50 pairs, each with its reverse


def load(folder, file, reference, tokens="none"):
    """The lists of a file, their statistics, and both as instances with the features of the file."""
    lists, _ = read_kbest(file, (folder / file).read_bytes())
    gold = lines(folder / reference)
    target = Target.of("bleu", {"tokenize": tokens})
    statistics = rows(lists, Testset("gold", "text", len(gold), (gold,)), target)
    return lists, statistics, instances(lists, lists.features, statistics, target)


@pytest.fixture(scope="module")
def synthetic(data):
    """The synthetic lists: 150 segments, 40 hypotheses, 6 features."""
    return load(data / "nbest/synthetic.moses-anchor", "nbest.txt", "ref.txt")


@pytest.fixture(scope="module")
def europarl(data):
    """The lists of Moses' regression test: 10 segments, 100 hypotheses, 14 features."""
    return load(data / "nbest/moses.europarl", "nbest.run1.txt", "ref.en")


def test_europarl_statistics(europarl, data):
    """All 1000 rows are those of Moses' extractor: matches and n-grams of each order, reference length."""
    lists, statistics, _ = europarl
    text = lines(data / "nbest/moses.europarl/bleu_sufficient_statistics.run1.txt")
    theirs = np.array([line.split() for line in text if re.match(r"[0-9 ]+$", line)], dtype=float)
    matches, totals = statistics[:, 2:6], statistics[:, 6:10]
    ours = np.column_stack([np.stack([matches, totals], axis=2).reshape(-1, 8), statistics[:, 1]])
    assert ours.shape == (1000, 9)
    np.testing.assert_array_equal(ours, theirs)
    assert len(lists.names) == 14


@pytest.mark.slow
def test_mert_on_europarl(europarl):
    """From 100 random starts MERT finds at least the BLEU that Moses' mert prints, and from 20 nearly as much.

    The features are divided by their standard deviations, since random starts are uniform; Moses draws them uniformly
    too, but from other ranges.
    """
    _, _, lists = europarl
    deviations = lists.features.std(axis=0)
    scaled = replace(lists, features=lists.features / np.where(deviations > 0, deviations, 1))
    method = tuning.get("mert")
    for restarts, least in ((100, MERT_EUROPARL - 5e-5), (20, MERT_EUROPARL - MERT_OPTIMA)):
        options = method.chosen({"restarts": restarts})
        found = tuning.tune(method, scaled, np.zeros(14), options, np.random.default_rng(1))
        assert scaled.value(scaled.best(found.weights)) >= least


def test_europarl_point_of_moses(europarl, data):
    """Moses' best point has the BLEU that Moses prints for it."""
    _, _, lists = europarl
    text = (data / "nbest/moses.europarl/mert.basic.truth.txt").read_text(encoding="utf-8")
    point = np.array(re.search(r"Best point: (.*?)\s*=>", text)[1].split(), dtype=float)
    assert lists.value(lists.best(point)) == pytest.approx(MERT_EUROPARL, abs=5e-5)


def test_mert_on_the_synthetic_lists(synthetic):
    """With 20 restarts and with none, MERT finds as good an optimum as Moses' mert, within the spread of optima."""
    _, statistics, lists = synthetic
    assert statistics.shape[0] == 6000
    method = tuning.get("mert")
    for restarts, theirs in MERT_SYNTHETIC.items():
        options = method.chosen({"restarts": restarts})
        found = tuning.tune(method, lists, np.ones(6), options, np.random.default_rng(1))
        assert found.course[-1].value >= theirs - MERT_OPTIMA
        assert found.course[-1].value == pytest.approx(lists.value(lists.best(found.weights)))


def test_pro_on_the_synthetic_lists(synthetic):
    """PRO has as many lines as Moses' pro, each pair and its reverse, in both variants of BLEU+1."""
    read, statistics, _ = synthetic
    method = tuning.get("pro")
    for variant in ("lin_och", "all_orders"):
        lists = instances(read, read.features, statistics, Target.of("bleu", {"tokenize": "none"}, variant))
        assert 2 * len(pro.lines(lists, method.chosen(), np.random.default_rng(1))) == PRO_LINES


def test_mira_on_the_synthetic_lists(synthetic):
    """The first four epochs have kbmira's BLEU in all six digits; later ones depend on its single precision."""
    _, _, lists = synthetic
    start = np.full(6, MIRA_START)
    assert lists.value(lists.best(start)) / 100 == pytest.approx(MIRA_INITIAL, abs=5e-7)
    options = tuning.get("kb_mira").chosen({"shuffle": False, "epochs": 4})
    weights = kb_mira.epochs(lists, start, options, np.random.default_rng(0))
    found = [lists.value(lists.best(w)) / 100 for w in weights]
    np.testing.assert_allclose(found, MIRA_EPOCHS, atol=5e-7)
