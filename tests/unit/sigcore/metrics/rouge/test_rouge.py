"""ROUGE on examples small enough to check by hand, those of Lin 2004 among them, and at its edges."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import metrics
from sigcore.errors import MismatchError, OptionError, SigError
from sigcore.metrics import extractor
from sigcore.testset import Outputs, Testset

ALL = ("rouge_1", "rouge_2", "rouge_l", "rouge_su4")


def rouge(name: str, summary: str, *references: str, **given) -> float:
    """The score of one summary."""
    metric = metrics.get(name)
    testset = Testset("t", "text", 1, tuple((text,) for text in references))
    return extractor(metric, testset, metric.chosen(given))(Outputs("s", (summary,))).corpus_score


@pytest.mark.parametrize(
    ("name", "summary", "expected"),
    [
        ("rouge_1", "police kill the gunman", 3 / 4),
        ("rouge_2", "police kill the gunman", 1 / 3),
        ("rouge_2", "the gunman kill police", 1 / 3),
        ("rouge_l", "police kill the gunman", 3 / 4),
        ("rouge_l", "the gunman kill police", 2 / 4),
        # three or one of six pairs, and police and the (or the and gunman): the last word of a summary never counts
        ("rouge_su4", "police kill the gunman", (3 + 2) / (6 + 3)),
        ("rouge_su4", "the gunman kill police", (1 + 1) / (6 + 3)),
    ],
)
def test_the_papers_example(name, summary, expected):
    """ "police killed the gunman" against two outputs. Source: Lin 2004, 3.1 and 5 (the words of SU4 by the program)."""
    assert rouge(name, summary, "police killed the gunman", score="recall") == pytest.approx(100 * expected)


def test_the_papers_union():
    """A sentence shares what any sentence of the summary shares with it: 4 of 5. Source: Lin 2004, 3.2."""
    found = rouge("rouge_l", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5", score="recall")
    assert found == pytest.approx(80)


def test_a_word_counts_no_more_often_than_the_summary_has_it():
    """Two sentences of the reference cannot both use the one "boat" of the summary."""
    assert rouge("rouge_l", "the boat", "a boat\nthat boat", score="recall") == pytest.approx(25)


def test_pairs_reach_over_four_words_and_over_sentences():
    """The first and the sixth word form a pair, the first and the seventh do not; sentences do not part pairs."""
    near = rouge("rouge_su4", "a b", "a v w x y b", score="recall")
    far = rouge("rouge_su4", "a b", "a v w x y z b", score="recall")
    assert near == pytest.approx(100 * 2 / (15 + 5))  # the pair, and "a"
    assert far == pytest.approx(100 * 1 / (20 + 6))
    assert rouge("rouge_su4", "a b", "a v w\nx y b", score="recall") == near


@pytest.mark.parametrize(
    ("multi", "expected"),
    [("A", (1 + 3) / (1 + 6)), ("B", 1 / 1), ("max_f", 3 / 6)],
)
def test_several_references(multi, expected):
    """All counts together; the reference with the best recall (a single word); or with the best F."""
    found = rouge("rouge_1", "a b c d", "a", "b c d e f g", multi=multi, score="recall")
    assert found == pytest.approx(100 * expected)


def test_macro_and_micro():
    """The mean of 1/1 and 0/3, or 1 of 4."""
    metric = metrics.get("rouge_1")
    testset = Testset("t", "text", 2, (("a", "b c d"),))
    for average, expected in (("macro", 50), ("micro", 25)):
        options = metric.chosen({"average": average, "score": "recall"})
        assert extractor(metric, testset, options)(Outputs("s", ("a", "a"))).corpus_score == expected


@pytest.mark.parametrize("average", ["macro", "micro"])
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("summary", "reference"), [("", "a b"), ("a b", ""), ("", ""), ("。", "--"), ("a", "b")])
def test_without_words_or_anything_in_common_it_is_zero(name, summary, reference, average):
    """What cannot be divided is 0, as ROUGE-1.5.5 prints it, and never nan on the screen."""
    for score in ("f", "recall", "precision"):
        assert rouge(name, summary, reference, average=average, score=score) == 0.0


def test_one_word_has_no_pairs():
    """A summary of one word has nothing that ROUGE-2 or SU4 count, not even against itself."""
    assert rouge("rouge_1", "a", "a") == rouge("rouge_l", "a", "a") == 100
    assert rouge("rouge_2", "a", "a") == rouge("rouge_su4", "a", "a") == 0


@pytest.mark.parametrize("name", ALL)
def test_mean_of_no_summary_is_undefined(name):
    """No summary at all has no mean."""
    metric = metrics.get(name)
    assert np.isnan(metric.score(np.zeros(4), metric.chosen()))


@pytest.mark.parametrize("name", ALL)
def test_other_scripts_are_refused_with_the_way_on(name):
    """The program's tokens would lose all these letters; with unicode or char they are words."""
    russian = "Полиция задержала вооружённого человека у банка в 2014 году. " * 5
    with pytest.raises(OptionError, match="100% of the references' letters") as caught:
        rouge(name, russian, russian)
    assert "unicode" in caught.value.fix
    for tokenization in ("unicode", "whitespace", "char"):
        assert rouge(name, russian, russian, tokenization=tokenization) == 100


def test_accents_and_names_are_not_refused():
    """Text in Latin letters loses those with accents, as in the program, and is scored."""
    french = "L'été dernier, le maire a inauguré une nouvelle école près de la rivière. " * 5
    assert rouge("rouge_1", french, french) == 100


@pytest.mark.parametrize("name", ALL)
def test_references_must_be_there_and_of_one_length(name):
    """No reference, or too few summaries, is an error that says so."""
    metric = metrics.get(name)
    with pytest.raises(SigError, match="no reference"):
        metric.prepare((), metric.chosen())
    with pytest.raises(MismatchError):
        metric.statistics(("a",), metric.prepare((("a", "b"),), metric.chosen()), metric.chosen(), None)


@pytest.mark.parametrize("name", ALL)
def test_signature_names_every_setting(name):
    """The signature needs no knowledge of defaults; few stop words stand in it, many by a digest."""
    metric = metrics.get(name)
    told = metric.signature((("a",),), metric.chosen())
    assert told.startswith(f"{name}|refs:1|score:f|average:macro|multi:A|stem:none|tokenization:rouge|")
    for option in metric.options:
        assert f"|{option.name}:" in told
    few = metric.signature((("a",),), metric.chosen({"stop_words": "of The,the"}))
    assert few.endswith("|stop_words:of,the")
    many = [metric.signature((("a",),), metric.chosen({"stop_words": " ".join("abcdefghi" + c)})) for c in "xy"]
    assert "|stop_words:10-" in many[0]
    assert many[0] != many[1]


def test_title_says_which_share():
    """ROUGE-2 alone would not say whether it is recall or F."""
    metric = metrics.get("rouge_2")
    titles = [metric.title_of(metric.chosen({"score": score})) for score in ("f", "recall", "precision")]
    assert titles == ["ROUGE-2 F", "ROUGE-2 recall", "ROUGE-2 precision"]
