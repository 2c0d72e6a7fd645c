"""ROUGE as computed and ROUGE by its definition agree on any small texts, under every option that both have."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigcore import metrics
from sigcore.metrics import extractor
from sigcore.metrics.rouge import overlap
from sigcore.metrics.rouge.overlap import common, place
from sigcore.testset import Outputs, Testset
from tests import some
from tests.oracles import rouge_definition

NAMES = sorted(rouge_definition.KINDS)
WORDS = st.sampled_from(["a", "b", "c", "d", "A", "B-c", "d.", "'tis", "12", "$5", "--", "x_y", "isn't"])
SENTENCE = st.lists(WORDS, max_size=9).map(" ".join)
SUMMARY = st.lists(SENTENCE, max_size=4).map("\n".join)


@st.composite
def summaries(draw):
    """One to three summaries, and one to three references of each."""
    n = draw(st.integers(1, 3))
    streams = draw(st.lists(st.lists(SUMMARY, min_size=n, max_size=n), min_size=2, max_size=4))
    return streams[0], streams[1:]


@st.composite
def options(draw):
    """Options that the definition knows too."""
    limit = draw(st.sampled_from(["limit_words", "limit_bytes"]))
    return {
        "score": draw(st.sampled_from(["f", "recall", "precision"])),
        "average": draw(st.sampled_from(["macro", "micro"])),
        "multi": draw(st.sampled_from(["A", "B", "max_f"])),
        "stop_words": draw(st.sampled_from([None, "a", "B, 12"])),
        limit: draw(st.sampled_from([0, 0, 1, 4, 7, 20])),
    }


def both(name: str, texts, **given) -> tuple[float, float]:
    """The score as computed, and by the definition."""
    segments, references = texts
    metric = metrics.get(name)
    testset = Testset("t", "text", len(segments), tuple(map(tuple, references)))
    found = extractor(metric, testset, metric.chosen(given))(Outputs("s", tuple(segments))).corpus_score
    words = (given.pop("stop_words", None) or "").lower().replace(",", " ").split()
    reading = {"stop_words": words, "words": given.pop("limit_words", 0), "size": given.pop("limit_bytes", 0)}
    return found, rouge_definition.rouge(name, segments, references, **given, **reading)


@pytest.mark.parametrize("name", some.first(NAMES, 2))
@settings(max_examples=150)
@given(texts=summaries(), given_options=options())
def test_rouge_is_its_definition(name, texts, given_options):
    """Any sentences, references and options give the score of the definition."""
    found, expected = both(name, texts, **given_options)
    assert found == pytest.approx(expected, rel=1e-13, abs=1e-13)


def test_the_first_of_equally_good_references_counts():
    """Two references with the same F but other counts: the first one's counts are summed, whatever rounding does."""
    words = "a b c d"
    texts = ([words, words], [["a", words], ["a b c e e e e e e e e", words]])  # 2/5 and 6/15
    found, expected = both("rouge_1", texts, score="f", average="micro", multi="max_f")
    assert found == expected == pytest.approx(100 * 2 * 5 / (5 + 8))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("multi", ["A", "B", "max_f"])
def test_long_summaries_too(name, multi):
    """Summaries of a usual length, of few words so that most of them repeat, are no exception."""
    random = Random(7)
    streams = [
        [
            "\n".join(
                " ".join(f"w{random.randrange(12)}" for _ in range(random.randint(0, 80)))
                for _ in range(random.randint(1, 4))
            )
            for _ in range(6)
        ]
        for _ in range(4)
    ]
    found, expected = both(name, (streams[0], streams[1:]), multi=multi)
    assert found == pytest.approx(expected, rel=1e-13)


@settings(max_examples=300)
@given(gold=st.lists(st.sampled_from("abcd"), max_size=12), sentence=st.lists(st.sampled_from("abcd"), max_size=12))
def test_the_same_one_of_several_subsequences(gold, sentence):
    """Not any longest common subsequence, but the very one that is found when the table is followed back."""
    marked = common(gold, place(sentence))
    places = {i for i in range(len(gold)) if marked >> i & 1}
    assert places == set(rouge_definition.subsequence(gold, sentence))


@settings(max_examples=150)
@given(
    gold=st.lists(st.sampled_from("abcdefgh"), max_size=30),
    sentence=st.lists(st.sampled_from("abcdefgh"), max_size=30),
    spare=st.sampled_from([0, 1, 8]),
)
def test_long_sentences_take_the_same_way(gold, sentence, spare):
    """With only some rows and places held, as for sentences of thousands of words, it is the same subsequence."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlap, "WHOLE", -1)
        patch.setattr(overlap, "SHORT", 0)
        patch.setattr(overlap, "BITS", spare)
        marked = common(gold, place(sentence))
    assert marked == common(gold, place(sentence))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40)
@given(texts=summaries())
def test_rows_do_not_depend_on_the_neighbours(name, texts):
    """A summary has the same row alone and among others, and every row lies in [0, 1]."""
    segments, references = texts
    metric = metrics.get(name)

    def rows(which: slice) -> np.ndarray:
        part = segments[which]
        testset = Testset("t", "text", len(part), tuple(tuple(stream[which]) for stream in references))
        return extractor(metric, testset, metric.chosen())(Outputs("s", tuple(part))).values

    whole = rows(slice(None))
    assert ((whole >= 0) & (whole <= 1)).all()
    np.testing.assert_array_equal(whole, np.concatenate([rows(slice(k, k + 1)) for k in range(len(segments))]))
