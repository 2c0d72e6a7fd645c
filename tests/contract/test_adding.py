"""Adding a metric, a test or a correction touches one file: put it into the folder and everything finds it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from sigcore import corrections, metrics, registry, significance
from sigcore.executors import Serial
from sigcore.studies import compare, matrix
from sigcore.studies.matrix import Settings
from tests.made import text_set

METRIC = '''
"""Share of words that stand at the same place in the reference."""
import numpy as np
from sigcore.registry import Option
from sigcore.metrics.contract import Metric

def statistics(segments, prepared, options, done):
    rows = []
    for segment, reference in zip(segments, prepared[0], strict=True):
        words, gold = segment.split(), reference.split()
        rows.append([sum(w[: options["letters"]] == g[: options["letters"]] for w, g in zip(words, gold)), len(gold)])
    return np.array(rows, dtype=float)

def score(sums, options):
    return 100 * sums[..., 0] / np.maximum(sums[..., 1], 1)

METRIC = Metric(name="in_place", title="In place", kind="text", better="higher", columns=("same", "words"),
                statistics=statistics, score=score, options=(Option("letters", 99, low=1, high=99, help="How many."),),
                source="made for this test", help="Words at their place.")
'''

TEST = '''
"""Sign of the bootstrap gain, a test that is added for a test."""
from sigcore.significance.contract import Test

def null(pseudo, mean, gain):
    return pseudo - 0.5 * (mean + gain)

TEST = Test(name="between", title="Between", draws="bootstrap", null=null, counted="resamples", help="Between two.", source="none")
'''

CORRECTION = '''
"""Bonferroni."""
import numpy as np
from sigcore.corrections.contract import Correction

CORRECTION = Correction("bonferroni", "Bonferroni", lambda p, joint: np.minimum(1.0, p * len(p)), "any false finding", "Dunn 1961")
'''


@pytest.fixture
def add(tmp_path: Path, monkeypatch):
    """A function that adds a file to a family for one test."""
    made: list[str] = []

    def put(family, name: str, text: str) -> None:
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.setattr(family, "__path__", [*family.__path__, str(tmp_path)])
        made.append(f"{family.__name__}.{name}")
        registry.forget()

    yield put
    for name in made:
        sys.modules.pop(name, None)
        parent, _, child = name.rpartition(".")
        if hasattr(sys.modules[parent], child):
            delattr(sys.modules[parent], child)
    monkeypatch.undo()
    registry.forget()


def test_a_metric_in_one_file(add):
    """A metric's file is all it takes: it is listed, run, tested on every pair and described."""
    add(metrics, "in_place", METRIC)
    assert "in_place" in metrics.members()
    testset, outputs = text_set(40, (0.1, 0.5))
    run = matrix.run(testset, outputs, [("in_place", {"letters": "2"}), ("bleu", {})], resamples=800, executor=Serial())
    result = matrix.read(run, "in_place", "approximate_randomization")
    assert result.setup.metric_title == "In place"
    assert 0 < result.scores[1] < result.scores[0] < 100
    assert result.p_values[0, 1] < 0.01
    assert "in_place|refs:1|letters:2" in result.setup.signature


def test_a_test_in_one_file(add):
    """A test's file is all it takes."""
    add(significance, "between", TEST)
    testset, outputs = text_set(30, (0.1, 0.4))
    run = compare.run(testset, *outputs, resamples=300, executor=Serial())
    result = compare.read(run, "bleu").result("between", "two-sided")
    assert result.setup.test_title == "Between"
    assert 0 < result.p_value < 0.1


def test_a_correction_in_one_file(add):
    """A correction's file is all it takes."""
    add(corrections, "bonferroni", CORRECTION)
    testset, outputs = text_set(20, (0.1, 0.2, 0.3))
    run = matrix.run(testset, outputs, resamples=300, executor=Serial())
    result = matrix.read(run, "bleu", "approximate_randomization", Settings(correction="bonferroni"))
    upper = np.triu_indices(3, 1)
    np.testing.assert_array_equal(result.adjusted[upper], np.minimum(1, 3 * result.p_values[upper]))


def test_nothing_is_left_behind():
    """What a test added is gone after it."""
    assert "in_place" not in metrics.members()
    assert "between" not in significance.members()
    assert "bonferroni" not in corrections.members()
