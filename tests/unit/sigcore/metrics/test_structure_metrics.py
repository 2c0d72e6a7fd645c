"""Metrics of trees, word links and bracketings on cases small enough to count by hand, and against slow twins."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from sigcore import metrics
from sigcore.errors import MismatchError, ReadError
from sigcore.metrics import extractor
from sigcore.metrics.constituency_f1 import COLLINS
from sigcore.studies import compare, matrix
from sigcore.studies.statistics import measure
from sigcore.study import Study
from sigcore.testset import Outputs, Testset
from sigcore.text import trees
from sigcore.text.links import with_possible
from tests.drawn import DRAWN
from tests.made_structures import structure_set
from tests.oracles import structures

TREE = "She\tPRON\t2\tnsubj:pass\nwas\tVERB\t0\troot\n.\tPUNCT\t2\tpunct"
SLIPPED = "She\tPRON\t2\tnsubj\nwas\tVERB\t0\troot\n.\tPUNCT\t1\tpunct"
PENN = "``\t``\t2\tpunct\ntime\tNN\t0\troot\n.\t.\t2\tpunct"


def found(metric: str, gold: tuple[str, ...], own: tuple[str, ...], **options) -> tuple[list[list[float]], float]:
    """Rows and score of one output."""
    member = metrics.get(metric)
    testset = Testset("t", member.kind, len(gold), (gold,))
    item = extractor(member, testset, member.chosen(options))(Outputs("own", own))
    return item.values.tolist(), item.corpus_score


@pytest.mark.parametrize(
    ("metric", "options", "row"),
    [
        ("uas", {}, [2, 3]),
        ("uas", {"punctuation": "unicode"}, [2, 2]),
        ("las", {}, [2, 3]),
        ("las", {"labels": "strict"}, [1, 3]),
        ("las", {"labels": "strict", "punctuation": "upos"}, [1, 2]),
    ],
)
def test_attachment_by_hand(metric, options, row):
    """One wrong head of a full stop and one wrong subtype, under each rule."""
    rows, score = found(metric, (TREE,), (SLIPPED,), **options)
    assert rows == [row]
    assert score == pytest.approx(100 * row[0] / row[1])


def test_a_word_of_punctuation_only_gives_no_score():
    """A sentence without scored words has an undefined score, not 0."""
    rows, score = found("uas", ("...\tPUNCT\t0\troot",), ("...\tPUNCT\t0\troot",), punctuation="unicode")
    assert rows == [[0, 0]]
    assert np.isnan(score)


@pytest.mark.parametrize(
    ("tree", "punctuation", "words"),
    [
        (TREE, "wsj", "punctuation = wsj needs Penn Treebank tags (such as , and .); the gold trees have 'PUNCT'."),
        (PENN, "upos", "punctuation = upos needs universal tags (PUNCT); the gold trees have '.'."),
        (
            "a\t_\t0\troot",
            "wsj",
            "punctuation = wsj needs Penn Treebank tags (such as , and .); the gold trees have '_'.",
        ),
        ("a\t_\t0\troot", "upos", "punctuation = upos needs universal tags (PUNCT); the gold trees have '_'."),
    ],
)
def test_tags_of_another_kind_are_refused(tree, punctuation, words):
    """A rule that would find no punctuation, because the tags are of another kind, says so."""
    with pytest.raises(MismatchError) as error:
        found("las", (tree,), (tree,), punctuation=punctuation)
    assert error.value.what == words


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ("She\tX\t0\ta\nwere\tX\t1\ta\n.\tX\t1\ta", "sentence 2, token 2: system 'were', gold 'was'."),
        ("She\tX\t0\ta", "sentence 2, token 2: system no more words, gold 'was'."),
        (TREE + "\n!\tX\t1\ta", "sentence 2, token 4: system '!', gold no more words."),
        ("", "sentence 2, token 1: system no more words, gold 'She'."),
    ],
)
def test_other_words_are_refused(own, words):
    """A tree over other words is refused with the sentence, the token and both words."""
    with pytest.raises(MismatchError) as error:
        found("uas", (TREE, TREE), (TREE, own))
    assert error.value.what == words
    assert error.value.where == "own"


def test_a_tree_with_other_fields_is_refused():
    """A word without its four fields is named."""
    with pytest.raises(ReadError, match="sentence 1, token 1: 3 fields"):
        found("uas", ("a\tX\t0",), ("a\tX\t0",))


def test_one_gold_stream_is_needed():
    """Two gold answers are refused: which of them is meant cannot be guessed."""
    for name, kind, segment in (
        ("uas", "trees", TREE),
        ("aer", "alignments", "0-0"),
        ("constituency_f1", "brackets", "(A (B c))"),
    ):
        testset = Testset("t", kind, 1, ((segment,), (segment,)))
        with pytest.raises(MismatchError, match="2 are loaded"):
            extractor(metrics.get(name), testset, metrics.get(name).chosen())


GOLD_LINKS, OWN_LINKS = ("0-0 1-1 2p2 3-3",), ("0-0 2-2 4-4 1-2",)  # A 4, S 3, A and S 1, A and P 2


@pytest.mark.parametrize(
    ("metric", "options", "score"),
    [
        ("aer", {}, 100 * (1 - 3 / 7)),
        ("alignment_precision", {}, 50.0),
        ("alignment_recall", {}, 100 / 3),
        ("alignment_f1", {}, 40.0),
        ("alignment_f1", {"precision_weight": 0.2}, 100 / (0.2 / 0.5 + 0.8 * 3)),
    ],
)
def test_links_by_hand(metric, options, score):
    """Four links of which one is sure and one only possible, three sure ones in gold."""
    rows, got = found(metric, GOLD_LINKS, OWN_LINKS, **options)
    assert rows == [[4, 3, 1, 2]]
    assert got == pytest.approx(score)


def test_marks_of_a_system_do_not_matter():
    """A link that a system calls possible is one of its links like any other; repeated links count once."""
    assert found("aer", GOLD_LINKS, ("0p0 0-0 2p2 4-4 1p2",))[0] == [[4, 3, 1, 2]]


@pytest.mark.parametrize(
    ("metric", "score"),
    [("aer", 100.0), ("alignment_precision", np.nan), ("alignment_recall", 0.0), ("alignment_f1", 0.0)],
)
def test_a_system_without_links(metric, score):
    """Without any link precision is undefined, recall and F are 0, and AER is 100."""
    assert found(metric, GOLD_LINKS, ("",))[1] == pytest.approx(score, nan_ok=True)


def test_no_link_on_either_side_is_undefined():
    """A segment without any link has no score, and changes no sum."""
    for metric in ("aer", "alignment_precision", "alignment_recall", "alignment_f1"):
        rows, score = found(metric, ("",), ("",))
        assert rows == [[0, 0, 0, 0]]
        assert np.isnan(score)


@pytest.mark.parametrize("bad", ["0_0", "0-", "a-b", "01-1", "0-0:1", "-1-0", "0--1", "١-١"])
def test_what_is_no_link_is_refused(bad):
    """The message has the sentence and the word."""
    with pytest.raises(ReadError, match="sentence 1: "):
        found("aer", ("0-0",), (bad,))


TIME = "(TOP (S (NP (NN time)) (VP (VBZ flies))))"


def test_skipped_sentences_count_nothing_and_are_told():
    """Sentences without a parse leave the sums, unless failures count; either way their number reaches the notes."""
    gold, own = (TIME, TIME, TIME), (TIME, "", "(S (NN tide))")
    assert found("constituency_f1", gold, own) == ([[3, 3, 3, 0], [0, 0, 0, 1], [0, 0, 0, 1]], 100.0)
    rows, score = found("constituency_f1", gold, own, count_failures=True)
    assert rows == [[3, 3, 3, 0], [0, 3, 0, 1], [0, 3, 0, 1]]
    assert score == pytest.approx(100 * 2 * 3 / (9 + 3))
    testset = Testset("t", "brackets", 3, (gold,))
    outputs = [Outputs("A", own), Outputs("B", gold), Outputs("C", (TIME, TIME, "("))]
    for options, words in (({}, "They are left out"), ({"count_failures": True}, "count as missed")):
        run = matrix.run(Study(testset, outputs, [("constituency_f1", options)], resamples=10))
        (note,) = [note for note in run.notes if "skips" in note]
        assert "gold tree: A 2, C 1." in note
        assert words in note
        assert note in matrix.read(run, "constituency_f1", "approximate_randomization").notes


def test_resamples_without_a_score_speak_for_no_gain():
    """Where a resample leaves a score undefined it counts against every gain, on each side, and a note says so."""
    gold = (TIME,) * 12
    good = ("(S (NP (NN time)) (VP (VBZ flies)))",) * 2 + ("",) * 10
    poor = ("(S (X (NN time)) (VP (VBZ flies)))",) * 2 + ("",) * 10
    testset = Testset("t", "brackets", 12, (gold,))
    pair = Outputs("good", good), Outputs("poor", poor)
    resamples = 2000
    run = compare.run(Study(testset, pair, [("constituency_f1", {})], DRAWN, resamples=resamples))
    result = compare.read(run, "constituency_f1")
    assert any("is not defined for a system on up to" in note for note in result.notes)
    # on two trees alone no bootstrap gives a p or an interval; their counts are there
    assert np.isnan(result.interval).all()
    for one in result.results:
        tally = run.matrix.draws[0].tallies[one.setup.test]
        assert one.tail >= tally.undefined[0]
        if one.setup.test == "approximate_randomization":
            assert one.p_value >= (tally.undefined[0] + 1) / (resamples + 1)
        else:
            assert np.isnan(one.p_value)
        assert one.histogram.counts.sum() + tally.undefined[0] == resamples
    drawn = run.matrix.draws[0].tallies["paired_bootstrap"].undefined[0]
    assert binom.cdf(drawn, resamples, (10 / 12) ** 12) > 1e-6  # none of the two scored segments is drawn
    assert binom.sf(drawn, resamples, (10 / 12) ** 12) > 1e-6


def test_nothing_is_remarked_where_nothing_is_skipped():
    """No note without a reason; and metrics without remarks give none."""
    testset = Testset("t", "brackets", 1, ((TIME,),))
    (item,) = measure(testset, [Outputs("A", (TIME,))], [("constituency_f1", {})])
    assert item.remarks() == []


@pytest.mark.parametrize(
    "bad", ["((A (B c))", "(A (B c)))", "A (B c)", "(A (B c d))", "(A (B c) d)", "(A b (B c))", ")("]
)
def test_what_is_no_tree_is_skipped(bad):
    """A line that is no tree is a failed parse, on either side."""
    assert found("constituency_f1", (TIME,), (bad,))[0] == [[0, 0, 0, 1]]
    assert found("constituency_f1", (bad,), (TIME,))[0] == [[0, 0, 0, 1]]


@pytest.mark.parametrize("average", ["f", "precision", "recall"])
def test_no_bracket_at_all_is_undefined(average):
    """Words without brackets give no score."""
    assert np.isnan(found("constituency_f1", ("(TOP (NN a))",), ("(TOP (NN a))",), average=average)[1])


def test_rows_of_trees_are_those_of_the_slow_twin():
    """Random trees, every rule for punctuation and labels."""
    testset, outputs = structure_set("trees", 60, (0.4,), seed=5)
    for punctuation in ("all", "unicode", "upos"):
        for metric, options, labels in (
            ("uas", {}, None),
            ("las", {"labels": "strict"}, "strict"),
            ("las", {"labels": "universal"}, "universal"),
        ):
            rows, _ = found(metric, testset.references[0], outputs[0].segments, punctuation=punctuation, **options)
            pairs = zip(testset.references[0], outputs[0].segments, strict=True)
            assert rows == [list(structures.attachment(*pair, punctuation, labels)) for pair in pairs]


@pytest.mark.parametrize(
    ("kind", "metric", "count"),
    [("alignments", "aer", structures.link_counts), ("brackets", "constituency_f1", structures.bracket_counts)],
)
def test_rows_are_those_of_the_slow_twin(kind, metric, count):
    """Random links and random bracketings."""
    testset, outputs = structure_set(kind, 80, (0.4,), seed=7)
    rows, _ = found(metric, testset.references[0], outputs[0].segments)
    pairs = zip(testset.references[0], outputs[0].segments, strict=True)
    assert rows == [list(count(*pair)) for pair in pairs]
    assert len({tuple(row) for row in rows}) > 10


@pytest.mark.parametrize(
    ("label", "plain"), [("nsubj", "nsubj"), ("nsubj:pass", "nsubj"), ("obl:arg:loc", "obl"), (":x", ""), ("", "")]
)
def test_a_universal_label_has_no_subtype_at_all(label, plain):
    """Everything from the first colon on is the subtype, also where there are two."""
    assert trees.universal(label) == plain


@pytest.mark.parametrize(
    ("label", "compared"),
    [("NP", "NP"), ("NP-SBJ-1", "NP"), ("PRT", "ADVP"), ("PRT-CLR", "ADVP"), ("ADVP=2", "ADVP")],
)
def test_labels_are_compared_without_function_tags_also_where_they_have_an_alias(label, compared):
    """PRT is ADVP, as for evalb, with a function tag too."""
    assert COLLINS.label(label) == compared


def test_possible_links_of_both_files_are_kept():
    """A link that the sure file marks as possible stays one beside a file of possible links; a sure one wins."""
    assert with_possible("0-0 1p1", "2-2 0-0") == "0-0 1p1 2p2"
    assert with_possible("1p1", "1-1 3-0") == "1p1 3p0"
    assert with_possible("", "0-0") == "0p0"


@pytest.mark.parametrize(
    ("form", "marks"),
    [(".", True), ("''", True), ("\u2026", True), ("U.S.", False), ("'s", False), ("3.5", False), ("", False)],
)
def test_a_word_with_a_mark_inside_is_no_punctuation(form: str, marks: bool) -> None:
    """CoNLL-X leaves out words of nothing but marks."""
    assert trees.is_marks(form) is marks
