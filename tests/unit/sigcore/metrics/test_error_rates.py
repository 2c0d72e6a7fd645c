"""WER and CER: distances by three routes, several references, and the edges."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from sigcore import metrics
from sigcore.errors import Cancelled, MismatchError, SigError, Undefined
from sigcore.metrics import extractor
from sigcore.studies.statistics import measure
from sigcore.testset import Outputs, Testset
from sigcore.text.levenshtein import LAST, edit_distances, of_characters, of_words, texts_of
from sigcore.text.symbols import Symbols, starts_of
from tests import routes
from tests.oracles import edit_grid
from tests.oracles.corpora import corpus
from tests.routes import ROUTES


def rows(name, references, segments, **given):
    """The statistics of a system as lists of whole numbers."""
    metric = metrics.get(name)
    testset = Testset("t", "text", len(segments), tuple(map(tuple, references)))
    return extractor(metric, testset, metric.chosen(given))(Outputs("s", tuple(segments))).values.tolist()


@pytest.fixture(params=ROUTES)
def route(request):
    """Both ways to the distances."""
    with routes.route(request.param):
        yield


@pytest.mark.parametrize(
    ("output", "reference", "words", "characters"),
    [
        ("a b c", "a b c", [0, 3], [0, 5]),
        ("", "the end", [2, 2], [7, 7]),
        ("the end", "", [2, 0], [7, 0]),
        ("", "", [0, 0], [0, 0]),
        ("x", "y", [1, 1], [1, 1]),
        ("  a  b ", "a b", [0, 2], [1, 3]),
        ("kitten", "sitting", [1, 1], [3, 7]),
        ("她看见了", "她看了", [1, 1], [1, 3]),
        ("A\u00a0b", "a b", [1, 2], [2, 3]),
        ("e\u0301", "\u00e9", [1, 1], [2, 1]),
        ("👩‍👩‍👧 ok", "👩 ok", [1, 2], [4, 4]),
    ],
)
def test_by_hand(route, output, reference, words, characters):
    """Empty sides, one word, odd blanks, scripts without blanks, accents and signs of several code points."""
    assert rows("wer", [[reference]], [output]) == [words]
    assert rows("cer", [[reference]], [output]) == [characters]


@pytest.mark.parametrize("seed", range(30))
def test_rows_are_those_of_the_grid(route, seed):
    """Random segments of all scripts with one to three references, against the whole grid."""
    system, references = corpus(seed, segments=5)
    golds = list(zip(*references, strict=True))
    for name, cut in (("wer", edit_grid.words), ("cer", edit_grid.characters)):
        pairs = zip(system, golds, strict=True)
        expected = [list(edit_grid.row(cut(output), [cut(text) for text in texts])) for output, texts in pairs]
        assert rows(name, references, system) == expected


def symbols(lines):
    """Lines of numbers as one row."""
    return Symbols(np.array([number for line in lines for number in line], dtype=np.int32), starts_of(map(len, lines)))


@pytest.mark.parametrize("largest", [0, LAST - 40, LAST])
def test_bits_grid_and_library_agree(largest):
    """The library's distance on random sequences with unknown symbols (-1), also of more words than there are
    characters, against the whole grid and a row of it in one number."""
    random = Random(0)
    for _ in range(500):
        kinds = random.choice([1, 2, 3, 30])
        text = [random.randrange(-1, kinds) for _ in range(random.randrange(random.choice([1, 4, 12, 80])))]
        gold = [random.randrange(kinds) for _ in range(random.randrange(random.choice([1, 4, 12, 80])))]
        expected = edit_grid.distance(text, gold)
        assert edit_grid.bit_distance(text, gold) == expected
        high = [[number + largest * (number >= 0) for number in line] for line in (text, gold)]
        known = list(range(largest, largest + 30))  # every word of a system that is not -1 is one of a reference
        found = edit_distances(symbols([[], high[0]]), texts_of([symbols([[], [], high[1], known])]), 1)
        assert found.tolist() == [[0], [expected]]


def test_the_closest_reference_counts(route):
    """Fewest edits first; of equally close references the longest, whichever comes first."""
    close, short = "a b c d", "a x"
    assert rows("wer", [[close], [short]], ["a b c"]) == [[1, 4]]
    assert rows("wer", [["a b c d"], ["a b"]], ["a b c"]) == [[1, 4]]
    assert rows("wer", [["a b"], ["a b c d"]], ["a b c"]) == [[1, 4]]
    assert rows("wer", [[""], ["a b c"]], [""]) == [[0, 0]]


def test_options():
    """Case, tokenizers and blanks."""
    assert rows("wer", [["The end."]], ["the end ."]) == [[3, 2]]
    assert rows("wer", [["The end."]], ["the end ."], tokenize="13a", lowercase=True) == [[0, 3]]
    assert rows("cer", [["The end."]], ["the e nd."], lowercase=True) == [[1, 8]]
    assert rows("cer", [["The end."]], ["the e nd."], whitespace=False) == [[1, 7]]


@pytest.mark.parametrize("name", ["wer", "cer"])
def test_no_reference_text_is_undefined(name):
    """Without a word there is no rate, with or without edits; more edits than words are above 100."""
    metric = metrics.get(name)
    score = metric.score(np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 2.0]]), metric.chosen())
    assert list(map(math.isnan, score)) == [True, True, False]
    assert score[2] == 150
    with pytest.raises(Undefined, match="is not defined for s"):
        measure(Testset("t", "text", 1, (("",),)), [Outputs("s", ("a",))], [(name, {})])


def test_unequal_lengths_are_refused():
    """A missing line is an error, and so is a missing reference; no segments give no rows."""
    with pytest.raises(MismatchError, match="Reference 2 has 1"):
        of_words([["a", "b"], ["a"]], "none", False)
    with pytest.raises(MismatchError, match="has 1 segments"):
        of_characters([["a", "b"]], False, True).rows(["a"])
    with pytest.raises(SigError, match="no reference"):
        of_words([], "none", False)
    assert of_words([[]], "none", False).rows([]).shape == (0, 2)


def test_rows_can_be_stopped():
    """A report that raises ends the work."""

    def cancel(finished: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        of_characters([["a b c d"] * 500], False, True).rows(["a b c d"] * 500, cancel)


@pytest.mark.parametrize("name", ["wer", "cer"])
def test_of_equally_close_references_the_longest_counts(name: str) -> None:
    """One deletion from the shorter, one substitution from the longer: the rate is the lower one in any order of the files."""
    output, short, long = ("a b x", "a b", "a b c") if name == "wer" else ("abx", "ab", "abc")
    for references in ([[short], [long]], [[long], [short]]):
        assert rows(name, references, [output]) == [[1.0, 3.0]]


@pytest.mark.parametrize(
    ("references", "said"),
    [
        (["一二三四五六"] * 9 + ["one two"], True),
        (["一二三四五六"] * 8 + ["one two"] * 2, False),
        (["stop", "", "go"], True),
        (["stop"], False),
    ],
)
def test_a_rate_of_single_words_says_what_it_counts(references, said):
    """In a writing without spaces each line is one word: right or wrong."""
    member = metrics.get("wer")
    testset = Testset("t", "text", len(references), (tuple(references),))
    measured = extractor(member, testset, member.chosen({}))(Outputs("A", tuple(references)))
    told = member.remarks({"A": measured.values}, {})
    assert (
        told
        == [
            "Nearly every reference is one word, so WER counts the segments that are not equal. Where words have no spaces between them, choose CER."
        ]
        * said
    )
    assert member.remarks({}, {}) == []
