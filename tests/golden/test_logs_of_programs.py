"""Logs that Inspect, lm-evaluation-harness and sacrebleu wrote themselves: the numbers of the programs come back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sigcore.data import Collection
from sigcore.studies import tasks

LOGS = Path(__file__).parent / "data" / "programs"
PRINTED = {"mockllm/one": 2 / 3, "mockllm/two": 1 / 3}  # "accuracy" of the scorer match, in the headers of the logs


def test_logs_of_inspect_packed_with_zstd() -> None:
    """Both scorers of both models, two epochs of six questions each, in one task; the means are those in the logs."""
    collection = Collection.of(LOGS / "inspect")
    assert collection.problems == ()
    systems = [item for item in collection.items if item.role == "system"]
    assert {(item.name, item.measure, len(item.segments), item.testset) for item in systems} == {
        (f"mockllm/{name}", scorer, 12, "threes") for name in ("one", "two") for scorer in ("match", "includes")
    }
    (task,) = tasks.of_collection(collection, measures=["match"])
    assert (task.units, task.clustered) == (6, True)
    means = dict(zip(task.systems, task.values.mean(axis=0), strict=True))
    assert means == pytest.approx(PRINTED)


@pytest.mark.parametrize("run", ["one", "two"])
def test_means_are_those_that_lm_eval_reports(run: str) -> None:
    """The mean of the samples is the accuracy in the results of the same run, which are named and set aside."""
    collection = Collection.of(LOGS / "lm-eval" / run)
    assert collection.problems == ()
    (summary,) = (LOGS / "lm-eval" / run).glob("results*.json")
    results = json.loads(summary.read_text(encoding="utf-8"))["results"]["sums"]
    found = {item.measure: item for item in collection.items if item.role == "system"}
    assert {measure.rpartition(" ")[2] for measure in found} == {"acc", "acc_norm"}
    for measure, item in found.items():
        mean = sum(map(float, item.segments)) / len(item.segments)
        assert mean == pytest.approx(results[f"{measure.rpartition(' ')[2]},none"])
        assert item.testset == "sums"
    assert any("not used" in notice.message for notice in collection.notices if notice.file.endswith(summary.name))


def test_the_standard_error_is_that_of_lm_eval() -> None:
    """lm-eval prints the standard error of the mean by the same formula."""
    for run in ("one", "two"):
        collection = Collection.of(LOGS / "lm-eval" / run)
        (summary,) = (LOGS / "lm-eval" / run).glob("results*.json")
        results = json.loads(summary.read_text(encoding="utf-8"))["results"]["sums"]
        cells = next(i for i in collection.items if i.role == "system" and i.measure.endswith("acc")).segments
        column = np.array([[float(cell)] for cell in cells])
        assert tasks.standard_error(column)[0] == pytest.approx(results["acc_stderr,none"])


def test_sentence_scores_of_sacrebleu() -> None:
    """TER of each segment, lower is better; both systems have twenty."""
    collection = Collection.of(LOGS / "sacrebleu")
    assert {(i.name, i.measure, len(i.segments)) for i in collection.items} == {
        (name, "TER", 20) for name in ("Curlew", "Grebe")
    }
    assert collection.sound().better == "lower"
