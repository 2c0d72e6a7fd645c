"""Accuracy, exact match, token F1 and macro-F1: by hand, by the oracle, and at their edges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sigcore import metrics
from sigcore.errors import SigError
from sigcore.metrics import extractor, macro_f1
from sigcore.testset import Outputs, Testset
from sigcore.text.answers import accepted, normalized
from tests.oracles import answers
from tests.oracles.corpora import corpus


def measured(name, references, segments, **given):
    """The statistics of a system."""
    metric = metrics.get(name)
    testset = Testset("t", "text", len(segments), tuple(map(tuple, references)))
    return extractor(metric, testset, metric.chosen(given))(Outputs("s", tuple(segments)))


def rows(name, references, segments, **given):
    """The statistics of a system as lists."""
    return measured(name, references, segments, **given).values.tolist()


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("  The  U.S.A.! ", "usa"),
        ("A theory of an answer", "theory of answer"),
        ("the-end", "theend"),
        ("a_b, the", "ab"),
        ("The", ""),
        ("«Да», a", "«да»"),
        ("她，the 他", "她， 他"),
        ("a\u0301 b", "\u0301 b"),
    ],
)
def test_normal_form(text, form):
    """Case, ASCII punctuation, English articles and blanks go, and nothing else."""
    assert normalized(text) == form
    assert normalized(text).split() == answers.normal(text)


def test_normal_form_with_case_or_articles():
    """What is asked for is kept; an article goes in any case."""
    assert normalized("The House, the", case=True) == "House"
    assert normalized("The House, the", articles=True) == "the house the"


def test_empty_references_fill_up():
    """An empty reference counts only where all are empty."""
    assert accepted(["", "The", "Cat"]) == ["cat"]
    assert accepted(["", "the"]) == [""]


def test_accuracy_by_hand():
    """Equal but for blanks at the ends; any reference will do; case counts unless told otherwise."""
    references = [["yes", "no ", "", "да"], ["YES", "no", "", "нет"]]
    segments = [" YES", "No", "", "нет\t"]
    assert rows("accuracy", references, segments) == [[1, 1], [0, 1], [1, 1], [1, 1]]
    assert rows("accuracy", references, segments, lowercase=True)[1] == [1, 1]
    assert measured("accuracy", references, segments).corpus_score == 75


def test_exact_match_by_hand():
    """Any reference will do, after normalisation; an empty answer is right only where nothing is to be said."""
    references = [["The boat.", "x", "", "1990"], ["a ship", "", "the", "in 1990"]]
    assert rows("exact_match", references, ["Ship!", "", "", "1991"]) == [[1, 1], [0, 1], [1, 1], [0, 1]]


def test_cover_em_by_hand():
    """Whole words anywhere in the output, of any reference; nothing is covered by nothing alone."""
    references = [["The boat.", "kit", "", "1990", "x y"], ["a ship", "", "the", "in 1990", "y z"]]
    segments = ["It is a ship, I think", "the kitchen", "", "Surely in 1990!", "y, x"]
    assert rows("cover_em", references, segments) == [[1, 1], [0, 1], [1, 1], [1, 1], [0, 1]]
    assert rows("cover_em", [[""], ["the"]], ["a word"] * 1) == [[0, 1]]
    assert rows("cover_em", [["Ship"]], ["a ship"], case=True) == [[0, 1]]
    assert rows("cover_em", [["the ship"]], ["a ship"], articles=True) == [[0, 1]]
    assert rows("cover_em", [["42"], ["US"]], ["It is id:42."]) == [[1, 1]]
    assert rows("cover_em", [["US"]], ["in the U.S. today"]) == [[1, 1]]
    assert rows("cover_em", [["老房子"]], ["那座老房子。"]) == [[1, 1]]  # no blanks between words
    assert measured("cover_em", references, segments).corpus_score == 60


def test_token_f1_by_hand():
    """Two of three words against two of four; the best reference; empty against empty is perfect, against text 0."""
    references = [["old red boat house", "x", "", "a b"], ["zzz", "", "the", "a b"]]
    segments = ["the old boat sank", "", "", "zzz"]
    expected = [[2 * 2 / 7, 1], [0, 1], [1, 1], [0, 1]]
    np.testing.assert_allclose(rows("token_f1", references, segments), expected)
    assert rows("token_f1", references, segments, average="micro") == [[2, 3, 4], [0, 0, 1], [0, 0, 0], [0, 1, 1]]
    micro = measured("token_f1", references, segments, average="micro")
    assert micro.corpus_score == pytest.approx(100 * 2 * 2 / (4 + 6))


def test_token_f1_does_not_depend_on_the_order_of_references():
    """Of equally good references the one with most words in common counts, and of these the shortest."""
    for streams in ([["x"], ["x y z u v"]], [["x y z u v"], ["x"]]):  # 2 * 1 / 4 = 2 * 2 / 8
        assert rows("token_f1", streams, ["x y k"], average="micro") == [[2, 3, 5]]
    for streams in ([["p q"], ["p"]], [["p"], ["p q"]]):
        assert rows("token_f1", streams, ["x"], average="micro") == [[0, 1, 1]]


def test_token_f1_of_text_without_blanks():
    """Words of Chinese need a tokenizer."""
    assert rows("token_f1", [["那座老房子"]], ["老房子"]) == [[0, 1]]
    assert rows("token_f1", [["那座老房子"]], ["老房子"], tokenize="char", average="micro") == [[3, 3, 5]]


@pytest.mark.parametrize("seed", range(40))
def test_answers_are_those_of_the_oracle(seed):
    """Exact match and F1 of random segments of all scripts with one to three references."""
    system, references = corpus(seed, segments=6, longest=5)
    golds = list(zip(*references, strict=True))
    for name, oracle in (
        ("exact_match", answers.exact),
        ("token_f1", answers.f1),
        ("cover_em", answers.covered),
    ):
        expected = [[oracle(output, texts), 1] for output, texts in zip(system, golds, strict=True)]
        np.testing.assert_allclose(rows(name, references, system), expected, rtol=1e-14)


def test_macro_f1_by_hand():
    """Class a: 1 right of 2 given and 1 there, F 2/3; b: 1 of 1 and 2, F 2/3; c: nothing right, 0."""
    item = measured("macro_f1", [["a", "b", "b", "c"]], ["a", "b", "a", "other"])
    assert item.columns[:3] == ("match_a", "output_a", "reference_a")
    assert item.total.tolist() == [1, 2, 1, 1, 1, 2, 0, 0, 1]
    assert item.corpus_score == pytest.approx(100 * (2 / 3 + 2 / 3 + 0) / 3)


def test_macro_f1_takes_the_reference_that_fits():
    """With two references the one that the output equals is the gold label, else the first."""
    item = measured("macro_f1", [["a", "b"], ["b", "a"]], ["b", "c"])
    assert item.values.tolist() == [[0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 1]]


@pytest.mark.parametrize("seed", range(10))
def test_macro_f1_of_resamples_is_the_oracles(seed):
    """The sum over any draw of segments scores what the drawn labels do."""
    rng = np.random.default_rng(seed)
    golds, outputs = rng.choice(["x", "y", "z", ""], 30), rng.choice(["x", "y", "z", "", "?"], 30)
    item = measured("macro_f1", [golds.tolist()], outputs.tolist())
    for size in (1, 4, 30):
        drawn = rng.integers(0, 30, size)
        expected = answers.macro_f1(outputs[drawn], golds[drawn], ["", "x", "y", "z"])
        assert float(item.score(item.values[drawn].sum(axis=0))) == pytest.approx(expected)


def test_only_a_class_of_one_reference_is_no_class_without_it():
    """Without its only segment the others lose their counts of b; a has two, and stays a class without either."""
    chosen = metrics.get("macro_f1").chosen()
    prepared = macro_f1.prepare([["a", "a", "b"]], chosen)
    without = macro_f1.left_out(["a", "b", "b"], prepared, chosen)
    assert without.tolist() == [[0] * 6, [0] * 6, [0, 0, 0, 0, -1, 0]]


def test_macro_f1_refuses_text():
    """More classes than anyone has are text, and the message says what to do."""
    many = [str(k) for k in range(201)]
    with pytest.raises(SigError, match=r"201 different labels.*choose another metric"):
        measured("macro_f1", [many], many)
    assert measured("macro_f1", [many[:200]], many[:200]).corpus_score == 100


@pytest.mark.parametrize("name", ["accuracy", "exact_match", "cover_em", "token_f1", "macro_f1"])
def test_nothing_is_undefined(name):
    """No segment, no score."""
    metric = metrics.get(name)
    columns = 6 if name == "macro_f1" else 2
    assert math.isnan(metric.score(np.zeros(columns), metric.chosen()))


def test_micro_f1_of_nothing_is_undefined():
    """No word on either side, no score."""
    metric = metrics.get("token_f1")
    assert math.isnan(metric.score(np.zeros(3), metric.chosen({"average": "micro"})))


@pytest.mark.parametrize("golds", [("a b c d", "x"), ("x", "a b c d"), ("x y", "x", "p q r")])
def test_micro_f1_does_not_hang_on_the_order_of_the_references(golds):
    """An answer that shares no word with any reference counts against the shortest one, wherever it stands."""
    assert rows("token_f1", [[gold] for gold in golds], ["n m"], average="micro") == [[0.0, 2.0, 1.0]]
