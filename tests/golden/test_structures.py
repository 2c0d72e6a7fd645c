"""Scores of trees, word links and bracketings against the figures of the field's programs."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from sigcore import data as loading
from sigcore import metrics, readers
from sigcore.metrics import extractor
from sigcore.testset import Outputs, Testset

pytestmark = pytest.mark.data

TREES, RAW_TREES = "dep/conll18.en_pud.aligned", "dep/conll18.fr_spoken.raw"
LINKS = "align/hansards.en-fr"
GOLD_LINKS = [("gold.1based.sp.txt",), ("gold.naacl",), ("gold.sure.pharaoh", "gold.sure+possible.pharaoh")]


@pytest.fixture(scope="session")
def assembled(data: Path) -> Callable[..., loading.Loaded]:
    """A folder as the app would load it: these gold files, and all systems; read once, unless a file's reader is chosen."""

    @cache
    def known(folder: str, *gold: str) -> loading.Loaded:
        return read(folder, *gold)

    def load(folder: str, *gold: str, **chosen: tuple[str, dict]) -> loading.Loaded:
        return read(folder, *gold, **chosen) if chosen else known(folder, *gold)

    def read(folder: str, *gold: str, **chosen: tuple[str, dict]) -> loading.Loaded:
        root = data / folder
        paths = [*(root / name for name in gold), *sorted((root / "systems").iterdir())]
        intake = readers.read([(str(p.relative_to(root)), p.read_bytes()) for p in paths], chosen=chosen)
        assert intake.problems == ()
        return loading.assemble(intake.items, folder)

    return load


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def measured(loaded: loading.Loaded, metric: str, **options) -> dict[str, tuple[np.ndarray, float]]:
    """Rows and score of every system."""
    member = metrics.get(metric)
    assert loaded.testset is not None
    extract = extractor(member, loaded.testset, member.chosen(options))
    found = [extract(item) for item in loaded.outputs]
    return {item.system: (item.values, item.corpus_score) for item in found}


# our metric and options -> the columns of per_sentence_counts.csv (ours) with correct and scored words
COUNTED = [
    ("uas", {}, "uas", "tokens"),
    ("las", {"labels": "strict"}, "las", "tokens"),
    ("las", {}, "las_universal", "tokens"),
    ("uas", {"punctuation": "upos"}, "uas_nopunct", "tokens_nopunct"),
    ("las", {"punctuation": "upos", "labels": "strict"}, "las_nopunct", "tokens_nopunct"),
]


@pytest.mark.parametrize(("metric", "options", "correct", "words"), COUNTED)
def test_attachment_per_sentence(metric, options, correct, words, assembled, data):
    """Every sentence of every system has the counted words."""
    got = measured(assembled(TREES, "gold.conllu"), metric, **options)
    rows = table(data / TREES / "per_sentence_counts.csv")
    assert len(got) == 7
    assert len(rows) == 7 * 890
    for row in rows:
        counts = got[row["system"]][0][int(row["sentence"]) - 1]
        assert list(counts) == [int(row[correct]), int(row[words])], row


def test_attachment_scores(assembled, data, golden):
    """UAS and LAS are those of the CoNLL 2018 script (all digits) and of eval.pl with and without punctuation."""
    loaded, theirs = assembled(TREES, "gold.conllu"), golden("uaslas.conll18.en_pud.json")
    published = {row["system"]: row for row in table(data / TREES / "system_scores.csv")}
    for metric, place in (("uas", 0), ("las", 1)):
        official = measured(loaded, metric)
        strict = {"labels": "strict"} if metric == "las" else {}
        marked, bare = (measured(loaded, metric, punctuation=p, **strict) for p in ("all", "unicode"))
        for system, row in theirs["corpus"].items():
            column = {"uas": "UAS", "las": "LAS_universal"}[metric]
            assert official[system][1] == pytest.approx(100 * row["conll18"]["f1"][metric.upper()], rel=1e-12)
            assert f"{official[system][1] / 100:.6f}" == published[system][column]
            for name, found in (("evalpl_punct", marked), ("evalpl_nopunct", bare)):
                counts = row[name]["counts"]
                assert list(found[system][0].sum(axis=0)) == [counts[place], counts[3]]
                assert f"{found[system][1]:.2f}" == f"{row[name]['printed_uas_las_la'][place]:.2f}"


def test_attachment_as_eval_pl_prints_it_per_sentence(assembled, golden):
    """Correct heads and scored words are eval.pl's in each of its 61 sentences, with and without punctuation."""
    loaded, theirs = assembled(TREES, "gold.conllu"), golden("uaslas.conll18.en_pud.json")
    for punctuation, name in (("all", "evalpl_punct"), ("unicode", "evalpl_nopunct")):
        uas = measured(loaded, "uas", punctuation=punctuation)
        las = measured(loaded, "las", punctuation=punctuation, labels="strict")
        for system, found in theirs["segment"].items():
            for segment, row in zip(theirs["segments"], found[name], strict=True):
                heads, labels = uas[system][0][segment - 1], las[system][0][segment - 1]
                assert [heads[0], labels[0], labels[1]] == row[1:]


def test_other_words_are_refused(assembled):
    """Systems that cut sentences of their own are left out, with the first word that differs."""
    loaded = assembled(RAW_TREES, "gold.conllu")
    assert loaded.outputs == ()
    errors = [finding.what for finding in loaded.of("error")]
    assert errors[0].startswith("Stanford-18, sentence 3, token 18: system 'tu', gold no more words.")
    assert errors[1].startswith("conll18-baseline, sentence 3, token 18: system 'tu', gold no more words.")


@pytest.mark.parametrize("gold", GOLD_LINKS, ids=["talp", "naacl", "two files"])
def test_links_per_sentence(gold, assembled, data):
    """Every sentence of every system has the counted links, whichever form the gold links are in."""
    loaded = assembled(LINKS, *gold)
    assert loaded.of("warning") == ()
    got = measured(loaded, "aer")
    rows = table(data / LINKS / "per_sentence_counts.csv")
    assert len(got) == 13
    assert len(rows) == 13 * 447
    for row in rows:
        counts = got[row["system"]][0][int(row["sentence"]) - 1]
        assert list(counts) == [int(row[name]) for name in ("A", "S", "A_and_S", "A_and_P")], row


def test_link_scores(assembled, data, golden):
    """AER, precision, recall and F1 are those of aer.py, to all digits."""
    loaded, theirs = assembled(LINKS, "gold.1based.sp.txt"), golden("aer.hansards.json")
    published = {row["system"]: row for row in table(data / LINKS / "system_scores.csv")}
    names = {"aer": "aer", "alignment_precision": "precision", "alignment_recall": "recall", "alignment_f1": "f"}
    for metric, name in names.items():
        for system, (_, score) in measured(loaded, metric).items():
            assert score / 100 == pytest.approx(theirs["corpus"][system][name], rel=1e-12)
            if name != "f":
                assert f"{score / 100:.6f}" == published[system]["AER" if name == "aer" else name]


def test_aer_of_single_sentences(assembled, golden):
    """The AER of one sentence is that of aer.py."""
    loaded, theirs = assembled(LINKS, "gold.1based.sp.txt"), golden("aer.hansards.json")
    member = metrics.get("aer")
    for system, found in theirs["segment"].items():
        rows = measured(loaded, "aer")[system][0]
        scores = member.score(rows, member.chosen())
        for segment, row in zip(theirs["segments"], found, strict=True):
            assert list(rows[segment - 1]) == row[:4]
            assert scores[segment - 1] == pytest.approx(100 * row[4], abs=1e-10)


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (("pharaoh", {}), "with 1 added to every index"),
        (("talp", {"reverse": True}), "with source and target swapped"),
        (("pharaoh", {"reverse": True}), "with source and target swapped and 1 added to every index"),
    ],
)
def test_wrong_base_or_direction_is_told(choice, words, assembled):
    """Gold links counted from the wrong number, or read in the wrong direction, give a warning that says so."""
    loaded = assembled(LINKS, "gold.1based.sp.txt", **{"gold.1based.sp.txt": choice})
    warnings = [finding.what for finding in loaded.of("warning")]
    assert any(f"far better {words}" in what and "to 4.1." in what for what in warnings)
    assert any("never have an index 0" in what for what in warnings) == (choice[0] == "pharaoh")


def rows(metric: str, gold: tuple[str, ...], own: tuple[str, ...], **options) -> tuple[np.ndarray, float]:
    """Statistics and score of one output."""
    member = metrics.get(metric)
    testset = Testset("t", member.kind, len(gold), (gold,))
    found = extractor(member, testset, member.chosen(options))(Outputs("s", own))
    return found.values, found.corpus_score


@pytest.mark.parametrize("which", ["pairs", "edge_pairs"])
def test_evalb(which, golden):
    """Every pair has evalb's counts, is skipped where evalb has an error or no parse, and the sums give its summary."""
    evalb = golden("evalb.samples.json")
    pairs = evalb[which]
    gold, own = (tuple(pair[side] for pair in pairs) for side in ("gold", "test"))
    for average, name in (("f", "f"), ("precision", "precision"), ("recall", "recall")):
        got, score = rows("constituency_f1", gold, own, average=average)
        summary = evalb["summary" if which == "pairs" else "edge_summary"]
        assert f"{score:.2f}" == f"{summary['all'][name]:.2f}"
    for pair, row in zip(pairs, got, strict=True):
        status, counts = pair["row"][1], pair["row"][4:7]
        assert row[3] == (status != 0), pair["note"]
        assert list(row[:3]) == (counts if status == 0 else [0, 0, 0]), pair["note"]
    total = summary["total_row"]
    assert list(got.sum(axis=0)) == [
        total["matched"],
        total["gold"],
        total["test"],
        summary["all"]["error"] + summary["all"]["skip"],
    ]
