"""NIST worked out on paper, its edges, and its two routes: compiled and plain."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sigcore import metrics
from sigcore.errors import MismatchError, SigError, Undefined
from sigcore.metrics import extractor
from sigcore.metrics.nist import MtevalWords, NistReferences, information
from sigcore.studies.statistics import measure
from sigcore.testset import Outputs, Testset
from sigcore.text.symbols import Symbols, joined
from sigcore.text.tokens import Tokenizer
from tests.oracles import nist_counts
from tests.oracles.corpora import corpus
from tests.routes import ROUTES, route

METRIC = metrics.get("nist")


def rows(references, segments, **given):
    """The statistics of a system."""
    testset = Testset("t", "text", len(segments), tuple(map(tuple, references)))
    return extractor(METRIC, testset, METRIC.chosen(given))(Outputs("s", tuple(segments))).values


def test_information_by_hand():
    """Seven words, "a" four times, "a b" three times: log2 7/4 and log2 4/3 bits; no n-gram reaches over a segment."""
    streams = [
        Symbols(np.array(numbers, dtype=np.int32), np.array(starts))
        for numbers, starts in (([0, 1, 0], [0, 2, 3]), ([0, 1, 0, 1], [0, 2, 4]))
    ]
    bits = information(joined(streams), 2)
    a, b, ab = math.log2(7 / 4), math.log2(7 / 3), math.log2(4 / 3)
    np.testing.assert_allclose(bits, [[a, ab], [b, 0], [a, 0], [a, ab], [b, 0], [a, ab], [b, 0]])


def test_rows_by_hand():
    """Eight words in two references: the second "the" has no match left, "cat" is rarer than "the"."""
    got = rows([["the cat sat"], ["the old cat sat there"]], ["the the cat"])[0]
    one, pair = [math.log2(8 / 2), math.log2(8 / 2)], [math.log2(2 / 1)]
    np.testing.assert_allclose(got, [sum(one), sum(pair), 0, 0, 0, 3, 2, 1, 0, 0, 4])


def test_score_by_hand():
    """A length of two thirds halves the score; a longer output is not rewarded; no output is 0."""
    full = [6.0, 2.0, 0, 0, 0, 6, 5, 4, 3, 2]
    options = METRIC.chosen()
    sums = np.array([[*full, 6], [*full, 9], [*full, 3], [0] * 10 + [6]])
    np.testing.assert_allclose(METRIC.score(sums, options), [1.4, 0.7, 1.4, 0.0])


def test_no_reference_words_is_undefined():
    """Without a word in the references there is no score, and a study says so."""
    sums = np.array([[0.0] * 11, [0, 0, 0, 0, 0, 3, 2, 1, 0, 0, 0]])
    assert np.isnan(METRIC.score(sums, METRIC.chosen())).all()
    with pytest.raises(Undefined, match="NIST is not defined for s"):
        measure(Testset("t", "text", 1, (("",),)), [Outputs("s", ("a",))], [("nist", {})])


@pytest.mark.parametrize(
    ("segment", "references"),
    [
        ("", ["a b"]),
        ("a b", ["", "a"]),
        ("a", ["a"]),
        ("a a a a a a a", ["a a", "b"]),
        ("她 看见了 那座老房子。", ["她 看见 那座老房子。"]),
        ("ΟΔΟΣ İstanbul straße", ["οδοσ i̇stanbul STRASSE"]),
        ("0 to 14 0", ["aged 0 to 14"]),
        ("a\u00a0b\u3000c", ["a b c"]),
        ("&quot;Hi&quot; &QUOT;", ['"hi" &quot;']),
    ],
)
@pytest.mark.parametrize("tokenize", ["13a", "intl"])
@pytest.mark.parametrize("case", [False, True])
def test_edges_are_those_of_the_definition(segment, references, tokenize, case):
    """Empty sides, one word, repeats, scripts without blanks, odd blanks and entities, among other segments."""
    streams = [[gold, "the end ."] for gold in references]
    given = {"tokenize": tokenize, "case": case}
    expected = nist_counts.rows([segment, "The end ."], streams, **given)
    np.testing.assert_allclose(rows(streams, [segment, "The end ."], **given), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_rows_are_those_of_the_definition(seed):
    """Random segments of all scripts with one to three references."""
    system, references = corpus(seed, segments=6)
    given = {"tokenize": ("13a", "intl")[seed % 2], "case": seed % 3 == 0}
    expected = nist_counts.rows(system, references, **given)
    np.testing.assert_allclose(rows(references, system, **given), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_plain_rows_are_the_compiled_ones(seed):
    """Without the kernel the same bits come out."""
    system, references = corpus(seed, segments=5)
    found = []
    for name in ROUTES:
        with route(name):
            found.append(NistReferences(references).rows(system))
    np.testing.assert_array_equal(found[0], found[-1])


def test_lower_case_is_mtevals():
    """With 13a only ASCII letters become small; with the others all do, each for itself; entities are read first."""
    assert MtevalWords("13a").tokens("ÉCOLE &quot;Hi&quot;") == ["École", '"', "hi", '"']
    assert MtevalWords("13a").tokens("&AMP; &amp;") == ["&", "amp", ";", "&"]
    assert MtevalWords("intl").tokens("ÉCOLE ΟΔΟΣ") == ["école", "οδοσ"]
    assert MtevalWords("13a", case=True).tokens("ÉCOLE Hi") == ["ÉCOLE", "Hi"]


def test_weights_are_those_of_the_whole_set():
    """A segment's row is another when other references are: rare words count for more."""
    rare, common = (rows([["boat", other]], ["boat", ""])[0, 0] for other in ("a b c", "boat boat"))
    assert rare == 2
    assert common == 0


def test_signature_says_what_matters():
    """References, case, tokenizer, and where the information comes from."""
    assert METRIC.signature((("a",),), METRIC.chosen()) == "nist|nrefs:1|case:ascii-lc|tok:13a|info:all-references"
    given = METRIC.chosen({"tokenize": "intl"})
    assert METRIC.signature((("a",), ("b",)), given) == "nist|nrefs:2|case:lc|tok:intl|info:all-references"
    assert "case:mixed" in METRIC.signature((("a",),), METRIC.chosen({"case": True}))


def test_unequal_lengths_are_refused():
    """A missing line is an error, and so is a missing reference."""
    with pytest.raises(MismatchError, match="Reference 2 has 1"):
        NistReferences([["a", "b"], ["a"]])
    with pytest.raises(MismatchError, match="has 1 segments"):
        NistReferences([["a", "b"]]).rows(["a"])
    with pytest.raises(SigError, match="no reference"):
        NistReferences([])
    assert NistReferences([[]]).rows([]).shape == (0, 11)


def test_punctuation_after_a_final_digit_stays():
    """With the international tokenizer, as in mteval for a segment without a blank before its end tag; 13a splits it."""
    words = {name: Tokenizer(name).tokens for name in ("intl", "13a")}
    assert words["intl"]("It was $100 or $200?") == ["It", "was", "$", "100", "or", "$", "200?"]
    assert words["intl"]("At 18:40! He came.") == ["At", "18:40", "!", "He", "came", "."]
    assert words["intl"]("It is 19:15!")[-1] == "19:15!"
    assert words["13a"]("It is 19:15!")[-1] == "!"
