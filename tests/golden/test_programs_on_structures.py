"""The samples of trees, brackets, links and summaries under the field's own programs, which give these numbers.

The numbers are in tests/golden/data, so this needs no outside data.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sigcore import metrics
from sigcore.metrics import extractor
from sigcore.testset import Outputs, Testset
from sigcore.text.wordnet import VARIABLE
from tests.golden.printed import ROOT, measured, printed

TREES, BRACKETS, LINKS, SUMMARIES = (f"harbour-{name}" for name in ("trees", "brackets", "links", "summaries"))


@pytest.mark.parametrize(("metric", "column"), [("uas", 0), ("las", 1)])
def test_attachment_is_that_of_the_conll_2018_script(metric: str, column: int) -> None:
    """Counts of every sentence of every system, and F1 of all of them to all digits."""
    figures, ours = printed(f"uaslas.conll18.{TREES}"), measured(TREES, metric)
    assert ours.keys() == figures["corpus"].keys()
    for system, expected in figures["corpus"].items():
        correct, gold, own, aligned = expected[metric.upper()]["counts"]
        assert gold == own == aligned
        assert ours[system].total.tolist() == [correct, gold]
        assert ours[system].corpus_score == pytest.approx(100 * expected[metric.upper()]["f1"], rel=1e-12)
        np.testing.assert_array_equal(ours[system].values, np.array(figures["segment"][system])[:, [column, 2]])


@pytest.mark.parametrize(("punctuation", "first"), [("all", 1), ("unicode", 4)])
@pytest.mark.parametrize(("metric", "place"), [("uas", 0), ("las", 1)])
def test_attachment_is_that_of_eval_pl(metric: str, place: int, punctuation: str, first: int) -> None:
    """CoNLL-X: whole labels, with and without punctuation: counts of every sentence, and the printed scores."""
    strict = {"labels": "strict"} if metric == "las" else {}
    figures, ours = printed(f"uaslas.evalpl.{TREES}"), measured(TREES, metric, punctuation=punctuation, **strict)
    assert ours.keys() == figures["corpus"].keys()
    for system, found in figures["corpus"].items():
        expected = found[punctuation]
        assert ours[system].total.tolist() == [expected["counts"][place], expected["counts"][3]]
        assert f"{ours[system].corpus_score:.2f}" == expected["printed"][place]
        rows = np.array(figures["segment"][system])[:, [first + place, first + 2]]
        np.testing.assert_array_equal(ours[system].values, rows)


@pytest.mark.parametrize(("metric", "column"), [("uas", 0), ("las", 1)])
def test_attachment_without_punctuation_is_that_of_nltk(metric: str, column: int) -> None:
    """Whole labels, and no words of Unicode punctuation: the scores of every sentence, and of all."""
    strict = {"labels": "strict"} if metric == "las" else {}
    figures, ours = printed(f"uaslas.nltk.{TREES}"), measured(TREES, metric, punctuation="unicode", **strict)
    everything = measured(TREES, metric, **strict)
    for system, expected in figures["corpus"].items():
        assert ours[system].corpus_score == pytest.approx(100 * expected[metric], rel=1e-12)
        assert ours[system].total[1] < everything[system].total[1]
        rows = ours[system].values
        np.testing.assert_allclose(rows[:, 0] / rows[:, 1], np.array(figures["segment"][system])[:, column], rtol=1e-12)


@pytest.mark.parametrize(
    ("metric", "given", "place"), [("uas", {}, 0), ("las", {"labels": "strict"}, 1), ("las", {}, 2)]
)
def test_attachment_with_whole_labels_is_that_of_udapi(metric: str, given: dict[str, str], place: int) -> None:
    """Correct heads, with whole labels, and with labels without subtypes: counts of all words."""
    figures, ours = printed(f"uaslas.udapi.{TREES}"), measured(TREES, metric, **given)
    for system, expected in figures["corpus"].items():
        assert ours[system].total.tolist() == [expected["correct"][place], expected["words"][0]], system


def test_brackets_are_those_of_evalb() -> None:
    """Counts of every sentence, those that are skipped, and the printed summary."""
    figures = printed(f"evalb.{BRACKETS}")
    for average in ("f", "precision", "recall"):
        ours = measured(BRACKETS, "constituency_f1", average=average)
        assert ours.keys() == figures["corpus"].keys()
        for system, expected in figures["corpus"].items():
            assert f"{ours[system].corpus_score:.2f}" == expected[average], system
            assert ours[system].total[3] == expected["errors"] + expected["skipped"]
            same_brackets(ours[system].values, figures["segment"][system])


def same_brackets(rows: np.ndarray, theirs: list[list[int]]) -> None:
    """Rows of ours and evalb's, which counts nothing where its status is not 0."""
    status, counts = np.array(theirs)[:, 0], np.array(theirs)[:, 1:]
    np.testing.assert_array_equal(rows[:, 3], status != 0)
    np.testing.assert_array_equal(rows[:, :3], counts * (status == 0)[:, None])


def test_odd_brackets_are_read_as_evalb_does() -> None:
    """Traces, function tags, punctuation, other words, broken and missing trees: counts of each, and the summary."""
    figures = printed("evalb.pairs")
    _, gold, own, theirs = zip(*figures["pairs"].values(), strict=True)
    assert {row[0] for row in theirs} == {0, 1, 2}
    member = metrics.get("constituency_f1")
    testset = Testset("pairs", member.kind, len(gold), (gold,))
    for average in ("f", "precision", "recall"):
        ours = extractor(member, testset, member.chosen({"average": average}))(Outputs("One", own))
        assert f"{ours.corpus_score:.2f}" == figures["corpus"][average]
        same_brackets(ours.values, list(theirs))


@pytest.mark.parametrize("program", ["lilt", "nltk"])
def test_links_are_scored_as_by_other_programs(program: str) -> None:
    """AER, precision and recall of every system, and AER of every sentence, to all digits."""
    figures = printed(f"aer.{program}.{LINKS}")
    for metric, name in (("aer", "aer"), ("alignment_precision", "precision"), ("alignment_recall", "recall")):
        ours = measured(LINKS, metric)
        assert ours.keys() == figures["corpus"].keys()
        for system, expected in figures["corpus"].items():
            assert ours[system].corpus_score == pytest.approx(100 * expected[name], rel=1e-12)
            assert ours[system].total[0] == expected.get("links", ours[system].total[0])
            if metric == "aer":
                found = ours[system].score(ours[system].values)
                np.testing.assert_allclose(found, 100 * np.array(figures["segment"][system]), rtol=0, atol=1e-10)


@pytest.fixture
def own_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lists of irregular forms of the tests, with which the program was run."""
    monkeypatch.setenv(VARIABLE, str(ROOT / "tests" / "wordnet"))


TYPES = {"ROUGE-1": "rouge_1", "ROUGE-2": "rouge_2", "ROUGE-L": "rouge_l", "ROUGE-SU4": "rouge_su4"}
FLAGS: dict[str, dict[str, Any]] = {
    "plain": {"multi": "A"},
    "oneref": {"references": 1},
    "fB": {"multi": "B"},
    "m": {"stem": "wordnet"},
    "s": {},
    "l": {"limit_words": 25},
    "b": {"limit_bytes": 150},
}


# Under -b the program's lengths of ROUGE-L are wrong: docs/rouge.md, and the test after this one.
FLAGGED = [(flag, type) for flag in FLAGS for type in TYPES if (flag, type) != ("b", "ROUGE-L")]


@pytest.mark.usefixtures("own_lists")
@pytest.mark.parametrize(("flag", "type"), FLAGGED)
def test_summaries_of_several_sentences_are_scored_as_by_rouge(flag: str, type: str) -> None:
    """Counts of documents and of all of them, and the means of recall, precision and F to all six decimals."""
    figures = printed(f"rouge.perl155.{SUMMARIES}")
    given = FLAGS[flag] | ({"stop_words": " ".join(figures["stop_words"])} if flag == "s" else {})
    counted = measured(SUMMARIES, TYPES[type], average="micro", **given)
    means = measured(SUMMARIES, TYPES[type], **given)
    assert counted.keys() == figures["counts_total"][flag].keys()
    for system, expected in figures["counts_total"][flag].items():
        assert counted[system].total[[1, 2, 0]].tolist() == expected[type], system
        mean = figures["mean_of_documents"][flag][system][type]
        np.testing.assert_allclose(means[system].values[:, :3].mean(axis=0), mean, rtol=0, atol=0.5e-6 + 1e-12)
    for system, rows in figures["document_counts"][flag].items():
        np.testing.assert_array_equal(counted[system].values[:, [1, 2, 0]], rows[type])


def test_a_limit_in_bytes_is_forgotten_in_rouge_l_of_the_program() -> None:
    """Its ROUGE-L under -b divides the shared words by the lengths of whole references, as docs/rouge.md says."""
    figures = printed(f"rouge.perl155.{SUMMARIES}")["document_counts"]
    ours = measured(SUMMARIES, "rouge_l", average="micro", limit_bytes=150)
    for system, expected in figures["b"].items():
        theirs, whole = np.array(expected["ROUGE-L"]), np.array(figures["plain"][system]["ROUGE-L"])
        np.testing.assert_array_equal(ours[system].values[:, 2], theirs[:, 1])
        assert (theirs[:, 0] > ours[system].values[:, 1]).all()
        assert np.mean(theirs[:, 0] == whole[:, 0]) > 0.8  # it does cut a sentence that is too long by itself


GOOGLE = {
    "rouge1": ("rouge_1", {}),
    "rouge2": ("rouge_2", {}),
    "rougeL": ("rouge_l", {"sentences": "none"}),
    "rougeLsum": ("rouge_l", {}),
}


@pytest.mark.parametrize("type", GOOGLE)
@pytest.mark.parametrize(("references", "number"), [("one", 1), ("two", 2)])
def test_the_best_f_is_that_of_rouge_score(references: str, number: int, type: str) -> None:
    """F of every document, with one reference, and with the better of two."""
    figures = printed(f"rouge.google.{SUMMARIES}")[references]
    metric, given = GOOGLE[type]
    ours = measured(SUMMARIES, metric, number, multi="max_f", **given)
    assert ours.keys() == figures.keys()
    for system, expected in figures.items():
        np.testing.assert_allclose(ours[system].values[:, 2], expected[type], rtol=0, atol=1e-11)
