"""Error rates, labels and answers of small inputs of our own against jiwer, scikit-learn and the scripts of SQuAD."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sigcore import metrics
from sigcore.metrics import extractor
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from tests.golden.printed import printed

HERE = Path(__file__).parent


def statistics(name: str, references: list[str], segments: list[str], **given) -> SufficientStatistics:
    """The statistics of one system against one reference."""
    metric = metrics.get(name)
    testset = Testset("t", "text", len(segments), (tuple(references),))
    return extractor(metric, testset, metric.chosen(given))(Outputs("s", tuple(segments)))


@pytest.mark.parametrize(("name", "column"), [("wer", 2), ("cer", 4)])
def test_error_rates_are_jiwers(name, column):
    """Edits and lengths of every segment exactly, and the rate of all to the last digits; scripts of all kinds."""
    figures = json.loads((HERE / "jiwer.json").read_text(encoding="utf-8"))
    references, outputs, *counts = zip(*figures["segments"], strict=True)
    item = statistics(name, references, outputs)
    np.testing.assert_array_equal(item.values, np.transpose(counts)[:, column - 2 : column])
    assert item.corpus_score == pytest.approx(100 * figures[name], rel=1e-14)


@pytest.fixture(scope="module")
def labels() -> dict:
    """The labels and scikit-learn's figures; the output has a label that is no class."""
    figures = json.loads((HERE / "scikit_learn.json").read_text(encoding="utf-8"))
    return figures | {side: figures[side].split() for side in ("gold", "output")}


def test_macro_f1_is_scikit_learns(labels):
    """The mean of the classes' F1 over the classes of the references, and each class alone."""
    item = statistics("macro_f1", labels["gold"], labels["output"])
    assert item.corpus_score == pytest.approx(100 * labels["macro_f1"], rel=1e-14)
    assert item.columns[::3] == tuple(f"match_{name}" for name in labels["classes"])
    for k, value in enumerate(labels["by_class"]):
        alone = item.total[3 * k : 3 * k + 3]
        assert float(item.score(alone)) == pytest.approx(100 * value, rel=1e-14)


def test_macro_f1_of_a_part_leaves_out_a_class_it_lacks(labels):
    """What a class that is on neither side does to a sum: nothing, as with zero_division=nan."""
    item = statistics("macro_f1", labels["gold"], labels["output"])
    part = item.values[labels["part"]].sum(axis=0)
    assert float(item.score(part)) == pytest.approx(100 * labels["part_macro_f1"], rel=1e-14)


def test_accuracy_is_scikit_learns(labels):
    """The share of equal labels."""
    item = statistics("accuracy", labels["gold"], labels["output"])
    assert item.corpus_score == pytest.approx(100 * labels["accuracy"], rel=1e-14)


@pytest.mark.parametrize(("name", "column"), [("exact_match", 0), ("token_f1", 1)])
def test_answers_are_scored_as_by_the_script_of_squad_2(name, column):
    """Every answer and all of them: articles, punctuation, accents, several and empty references."""
    figures = printed("squad.answers")
    references, outputs, first, second = zip(*figures["answers"].values(), strict=True)
    streams = tuple(tuple(own[k] if k < len(own) else "" for own in references) for k in range(3))
    metric = metrics.get(name)
    item = extractor(metric, Testset("t", "text", len(outputs), streams), metric.chosen())(Outputs("s", outputs))
    scores = item.score(item.values)
    np.testing.assert_allclose(scores, 100 * np.array(second)[:, column], rtol=1e-14)
    assert item.corpus_score == pytest.approx(figures["corpus"]["2.0"][column], rel=1e-14)
    # the script of 1.1 differs where an answer, or a reference that it uses, has no words: the notes of both metrics
    differs = ~np.isclose(scores, 100 * np.array(first)[:, column])
    assert [references[k] for k in np.flatnonzero(differs)] == {
        "exact_match": [["", "a buoy"]],
        "token_f1": [["the"], ["the"], [""], ["..."]],
    }[name]
