"""Tuning on real text: candidates from files, combined systems, and MultEval's published spread of runs."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest

from sigcore.readers import read_kbest
from sigcore.studies import tuning
from sigcore.studies.runs import against
from sigcore.studies.statistics import measure
from sigcore.studies.tuning import Target, TuningPlan
from sigcore.testset import Outputs, Testset
from sigcore.types import DOCUMENT, SEGMENT
from tests.conftest import lines, wmt

pytestmark = pytest.mark.data

# (tune on, in all) segments of the slow test
DEV, ALL = 200, 600


def test_spread_of_runs_is_multevals(data):
    """Average, s_sel and s_opt of MultEval's example are its published table; equal systems have p = 1, not its 0.00."""
    folder = data / "mt/multirun"
    gold = lines(folder / "ref.en")
    outputs = [
        Outputs(system, lines(folder / f"{system}.opt{k}.en"), str(k))
        for system in ("baseline", "sys1", "sys2")
        for k in range(3)
    ]
    testset = Testset("multirun", "text", len(gold), (gold,))
    (measured,) = measure(testset, outputs, [("bleu", {"tokenize": "none"})])
    runs = {name: [item for item in measured.systems if item.system == name] for name in ("baseline", "sys1", "sys2")}
    titles = {name: name for name in runs}
    got = {
        item.system: item for item in against(runs["baseline"][0], runs, titles, "approximate_randomization", 500, 1)
    }
    with (folder / "published_table.csv").open(encoding="utf-8", newline="") as file:
        table = {row["system"]: row for row in csv.DictReader(file) if row["metric"] == "BLEU"}
    for name, item in got.items():
        printed = [f"{value:.1f}" for value in (item.average, item.s_sel, item.s_opt)]
        assert printed == [table[name][column] for column in ("avg", "s_sel", "s_opt")]
    same = against(
        runs["baseline"][0], {"copy": runs["baseline"][:1] * 3}, {"copy": ""}, "approximate_randomization", 500, 1
    )
    assert same[0].p_value == 1


def test_candidates_from_a_file(data):
    """The pooled candidates of WMT22 cs-en run through tuning from the file to the tests."""
    folder = data / "nbest/derived.wmt22.cs-en.pooled"
    lists, _ = read_kbest("nbest.txt", (folder / "nbest.txt").read_bytes())
    gold = lines(folder / "ref.B.en")
    testset = Testset("pooled", "text", len(gold), (gold,), lines(folder / "src.cs"))
    methods = (
        ("te_listmle", {}),
        ("listmle", {}),
        ("pro", {}),
        ("kb_mira", {}),
        ("mert", {"restarts": 3}),
        ("mbr", {}),
    )
    plan = TuningPlan(methods=methods, replicates=2, resamples=1000, seed=1)
    result = tuning.rerank(lists, testset, Target.of("bleu"), plan, features=["words"])
    weights = np.array([float(line.split()[1]) for line in lines(folder / "weights.initial.txt")])
    # the list was sorted by these weights, so they are found again from its scores
    assert any("begins with the weights" in note for note in result.notes)
    first = lists.features @ weights
    assert all(first[a] == first[a:b].max() for a, b in zip(lists.offsets, lists.offsets[1:], strict=False))
    assert result.test.baseline < result.test.oracle
    for item in result.replicates:
        assert result.test.worst < item.test < result.test.oracle
        if item.method == "mert":
            assert item.dev > result.dev.baseline  # it maximises this metric
    assert all(0 < item.p_value <= item.adjusted <= 1 for item in result.tests)


@pytest.mark.slow
def test_combination_beats_the_best_system(data):
    """On WMT22 uk-en, split by documents, the combination tuned with top-rank enhanced ListMLE beats the best single
    system on held-out segments, in every replicate, also with documents as the unit of the test."""
    testset, outputs = wmt(data / "mt/wmt22.uk-en", "A", "en")
    with (data / "mt/wmt22.uk-en/documents.csv").open(encoding="utf-8", newline="") as file:
        documents = tuple(row["doc_id"] for row in csv.DictReader(file))
    part = replace(testset, n=ALL, references=(testset.references[0][:ALL],), documents=documents[:ALL], digest="")
    some = [Outputs(item.system, item.segments[:ALL]) for item in outputs]
    plan = TuningPlan(methods=(("te_listmle", {}),), split=DEV / ALL, replicates=3, iterations=4, seed=1)
    by_segment, by_document = (
        tuning.combine(some, part, Target.of("bleu"), replace(plan, unit=unit)) for unit in (SEGMENT, DOCUMENT)
    )
    for result in (by_segment, by_document):
        (item,) = result.tests
        assert (item.gains > 0).all()
        assert item.p_value < 0.05
