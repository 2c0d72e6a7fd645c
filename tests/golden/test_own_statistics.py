"""Formulas over counts that other programs printed give the scores that they printed."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np
import pytest

from sigcore import metrics
from sigcore.metrics import extractor
from sigcore.testset import Outputs, Testset
from sigcore.text.meteor_score import METEOR_COLUMNS
from tests.golden.printed import printed as printed_for

OWN = metrics.get("own_statistics")
BLEU = ["sys_len", "ref_len", *(f"counts{k}" for k in range(1, 5)), *(f"totals{k}" for k in range(1, 5))]


def score(rows: Iterable[Mapping[str, object]], **options) -> float:
    """The score of rows of counts by name."""
    segments = tuple(" ".join(f"{name}={value}" for name, value in row.items()) for row in rows)
    return extractor(OWN, Testset("t", "statistics", len(segments)), OWN.chosen(options))(
        Outputs("s", segments)
    ).corpus_score


def by_system(path, columns: Mapping[str, str]) -> dict[str, list[dict[str, str]]]:
    """The rows of a table of counts per sentence, by system, its columns renamed."""
    out: dict[str, list[dict[str, str]]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            out[row["system"]].append({new: row[old] for old, new in columns.items()})
    return out


def test_aer_of_printed_counts(data, golden):
    """AER, precision and recall of 13 aligners from counts per sentence are the unrounded ones of lilt's aer.py."""
    names = {name: name for name in ("A", "S", "A_and_S", "A_and_P")}
    systems = by_system(data / "align/hansards.en-fr/per_sentence_counts.csv", names)
    expected = golden("aer.hansards.json")["corpus"]
    assert len(systems) == 13
    for name, rows in systems.items():
        assert len(rows) == 447
        assert score(rows, formula="aer", scale=1) == pytest.approx(expected[name]["aer"], rel=1e-12)
        precision = score(rows, formula="precision", columns="A_and_P,A", scale=1)
        recall = score(rows, formula="recall", columns="A_and_S,S", scale=1)
        assert (precision, recall) == pytest.approx((expected[name]["precision"], expected[name]["recall"]), rel=1e-12)


def test_attachment_scores_of_printed_counts(data, golden):
    """UAS and LAS of 7 parsers, as ratios of counts per sentence, are those that eval.pl -p prints."""
    columns = {"tokens": "total", "uas": "correct", "las": "labelled"}
    systems = by_system(data / "dep/conll18.en_pud.aligned/per_sentence_counts.csv", columns)
    expected = golden("uaslas.conll18.en_pud.json")["corpus"]
    assert len(systems) == 7
    for name, rows in systems.items():
        uas, las, _ = expected[name]["evalpl_punct"]["printed_uas_las_la"]
        assert score(rows, formula="ratio") == pytest.approx(uas, abs=0.0051)
        assert score(rows, formula="ratio", columns="labelled,total") == pytest.approx(las, abs=0.0051)


def test_bleu_of_printed_counts(golden):
    """BLEU of nine runs from lengths and counts is the one that sacrebleu printed beside them."""
    systems = [found for found in golden("multirun.bleu.json").values() if isinstance(found, dict)]
    runs = [run for system in systems for run in system["runs"]]
    assert len(runs) == 9
    for run in runs:
        row = [run["sys_len"], run["ref_len"], *run["counts"], *run["totals"]]
        assert score([dict(zip(BLEU, row, strict=True))], formula="bleu") == pytest.approx(run["bleu"], rel=1e-14)


@pytest.mark.parametrize("references", ["refB", "refBC"])
def test_meteor_of_printed_rows(golden, references):
    """METEOR of the rows of -ssOut is the score that the Java program printed beside each, and so is the final one."""
    found = golden(f"meteor.java15.cs-en.{references}.json")
    for modules in found["segment"].values():
        for system in modules.values():
            for row, printed in zip(system["ssOut"], system["score"], strict=True):
                got = score([dict(zip(METEOR_COLUMNS, row, strict=True))], formula="meteor", scale=1)
                assert got == pytest.approx(printed, rel=1e-12)
    finals = [system for modules in found["corpus"].values() for system in modules.values()]
    for system in finals:
        sums = np.array([*system["ssOut_column_sums"][:20], system["chunks"], *system["ssOut_column_sums"][21:]])
        got = score([dict(zip(found["ssOut_columns"], sums.tolist(), strict=True))], formula="meteor", scale=1)
        assert got == pytest.approx(system["final"], rel=1e-12)


def test_bracketing_f_of_printed_counts(golden):
    """Precision, recall and F of evalb's sample, from matched, test and gold brackets, are those of its summary."""
    found = golden("evalb.samples.json")
    place = {name: k for k, name in enumerate(found["columns"])}
    rows = [pair["row"] for pair in found["pairs"] if pair["row"][place["status"]] == 0]
    counts = [
        {name: row[place[old]] for name, old in (("tp", "matched"), ("pred", "test"), ("gold", "gold"))} for row in rows
    ]
    whole = found["summary"]["all"]
    for formula, printed in (("precision", "precision"), ("recall", "recall"), ("f_beta", "f")):
        assert score(counts, formula=formula) == pytest.approx(whole[printed], abs=0.0051)


# ---- the same on the samples, without outside data


@pytest.mark.parametrize(("punctuation", "first"), [("all", 1), ("unicode", 4)])
def test_attachment_scores_of_counts_printed_for_the_sample(punctuation, first):
    """UAS and LAS of six parsers, as ratios of the counts that eval.pl prints for each sentence, are those it prints."""
    figures = printed_for("uaslas.evalpl.harbour-trees")
    for system, rows in figures["segment"].items():
        named = [dict(zip(("correct", "labelled", "total"), row[first : first + 3], strict=True)) for row in rows]
        uas, las, _ = figures["corpus"][system][punctuation]["printed"]
        assert f"{score(named, formula='ratio', columns='correct,total'):.2f}" == uas
        assert f"{score(named, formula='ratio', columns='labelled,total'):.2f}" == las


def test_bracketing_f_of_counts_printed_for_the_sample():
    """Precision, recall and F of five parsers, from the counts that evalb prints for each sentence."""
    figures = printed_for("evalb.harbour-brackets")
    for system, rows in figures["segment"].items():
        named = [dict(zip(("tp", "gold", "pred"), row[1:], strict=True)) for row in rows if row[0] == 0]
        for formula, name in (("precision", "precision"), ("recall", "recall"), ("f_beta", "f")):
            assert f"{score(named, formula=formula):.2f}" == figures["corpus"][system][name]


@pytest.mark.parametrize("name", ["harbour.refA", "harbour.refAB", "kitchen-radio.refA"])
def test_meteor_of_sums_printed_for_the_samples(name):
    """METEOR of the sums of -ssOut is the final score of the Java program, for all systems and sets of stages."""
    figures = printed_for(f"meteor.java15.{name}")
    for systems in figures["corpus"].values():
        for found in systems.values():
            sums = [*found["ssOut_column_sums"][:20], found["chunks"], *found["ssOut_column_sums"][21:]]
            got = score([dict(zip(figures["ssOut_columns"], sums, strict=True))], formula="meteor", scale=1)
            assert got == pytest.approx(found["final"], rel=1e-12)
