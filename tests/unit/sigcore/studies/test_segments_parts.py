"""Influences of every metric, repeats, the curve of a gain, more slices, and trees and links beside the gold ones."""

from __future__ import annotations

import itertools
import json
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sigcore
from sigcore import Runtime, Study, metrics
from sigcore.errors import MismatchError, ReadError
from sigcore.studies import compare, segments
from sigcore.studies.segments import structures
from sigcore.studies.segments.slices import chosen, labels
from sigcore.studies.segments.words import words
from sigcore.testset import Outputs, Testset
from sigcore.types import PLANNED_PAIR
from tests.made import sample_of, score_set, text_set
from tests.made_structures import structure_set
from tests.oracles import left_out

AR = "approximate_randomization"
MEMBERS = metrics.members()


def study_of(testset: Testset, outputs: Sequence[Outputs], metric: str, **more: object) -> Study:
    settings = {"unit": "segment", "resamples": 400} | more
    return Study(testset, outputs[:2], [(metric, {})], [AR], family=PLANNED_PAIR, **settings)


def influences_of(testset: Testset, outputs: Sequence[Outputs], metric: str) -> segments.SegmentsResult:
    (found,) = segments.run(study_of(testset, outputs, metric), Runtime(cache={}), whole=False)
    return found


def only(testset: Testset, outputs: Sequence[Outputs], kept: Sequence[int]) -> tuple[Testset, list[Outputs]]:
    """The test set and the outputs with these segments alone."""

    def of(stream: Sequence[str]) -> tuple[str, ...]:
        return tuple(stream[k] for k in kept) if stream else ()

    fewer = Testset(testset.name, testset.kind, len(kept), tuple(map(of, testset.references)), of(testset.sources))
    return fewer, [replace(item, segments=of(item.segments)) for item in outputs]


@pytest.mark.parametrize("name", MEMBERS)
def test_gains_without_a_segment_are_those_of_files_without_its_line(name: str) -> None:
    """Every metric is extracted and scored again on files without one line."""
    testset, outputs = sample_of(MEMBERS[name].kind, 9, seed=3)
    found = influences_of(testset, outputs, name)
    slow = []
    for left in range(testset.n):
        kept = [k for k in range(testset.n) if k != left]
        slow.append(influences_of(*only(testset, outputs, kept), name).gain)
    np.testing.assert_allclose(found.without, slow, atol=1e-9)
    np.testing.assert_allclose(found.influences, left_out.influences(found.gain, slow), atol=1e-9)
    assert found.total == pytest.approx(found.gain, abs=1e-9)


@pytest.mark.parametrize("name", [name for name, one in MEMBERS.items() if one.whole_references])
def test_weights_and_classes_without_a_segment_are_those_of_fewer_references(name: str) -> None:
    """Of two references, in which n-grams come again, also within a line, and lines are empty or of one word; or with a label
    that one segment alone has, and outputs of others too."""
    gold = ["a b a b c", "a b c d e f", "", "a", "c d a b a b", "x y"], ["b a b", "a b c", "a", "", "c d e f", "x"]
    if name == "macro_f1":
        gold = list("aabbbc"), list("aaabbb")
    testset = Testset("t", "text", 6, tuple(map(tuple, gold)))
    outputs = [Outputs("A", ("a b a b a b", "a b c d q f", "a", "a a", "c d", "x y")), Outputs("B", gold[1][::-1])]
    if name == "macro_f1":
        outputs = [Outputs("A", tuple("cababc")), Outputs("B", tuple("abcbcb"))]
    found = influences_of(testset, outputs, name)
    slow = [influences_of(*only(testset, outputs, [k for k in range(6) if k != left]), name).gain for left in range(6)]
    np.testing.assert_allclose(found.without, slow, atol=1e-9)


@pytest.mark.parametrize("name", [name for name, one in MEMBERS.items() if one.whole_references])
def test_metrics_of_all_references_are_extracted_again_without_a_set(name: str) -> None:
    """p without the fragile segments is p of the plain test on files without them, and a part adds what its segments do."""
    assert MEMBERS[name].left_out is not None
    testset, outputs = text_set(60, (0.1, 0.13), seed=1)
    if name == "macro_f1":
        testset = Testset("t", "text", 60, (tuple("abcd" * 15),))
        outputs = [Outputs("A", tuple("abcd" * 13 + "xxxxabcx")), Outputs("B", tuple("abcd" * 9 + "xbxd" * 6))]
    study = study_of(testset, outputs, name)
    (whole,) = segments.run(study)
    one = whole.fragility
    assert one is not None
    assert one.verified
    fewer = only(testset, outputs, np.setdiff1d(np.arange(60), one.removed).tolist())
    (left,) = compare.results(study_of(*fewer, name), Runtime(cache={}), ["two-sided"])
    assert (one.gain_after, one.p_after) == (left.results[0].gain, left.results[0].p_value)
    (parts,) = segments.sliced(study, segments.Texts(testset, *outputs), columns={"half": ["x", "y"] * 30})
    (x,) = [part for part in parts if part.name == "x"]
    assert x.added == pytest.approx(whole.influences[::2].sum(), abs=1e-12)


def test_prompts_repeat_only_where_they_are_the_same() -> None:
    """Another number is another question, and so is another end of the same examples; case and punctuation are not."""
    start = "Q: how many boats are in the harbour now? A: 5. "
    prompts = (f"{start}Q: 3 + 4?", f"{start}Q: 3 + 5?", f"{start}q: 3 + 4", f"{start}Q: who?", "", "")
    assert segments.repeated(prompts, exact=True).tolist() == [0, 1, 0, 3, 4, 5]
    assert segments.repeated(prompts).tolist() == [0, 0, 0, 0, 4, 5]
    texts = segments.Texts(Testset("t", "scores", 6, sources=prompts), *(Outputs(name, ("1",) * 6) for name in "AB"))
    study = study_of(*score_set(range(6), [0] * 6), "own_scores")
    (found,) = segments.run(study, texts=texts)
    assert found.repeats is not None
    assert found.repeats.segments.tolist() == [2]


# ---- behind a bar


@pytest.mark.parametrize("unit", ["segment", "document"])
@pytest.mark.parametrize("test", [AR, "bootstrap_shift", "two_delta_bootstrap", "paired_bootstrap"])
def test_segments_add_up_to_the_gains_of_a_bar(test: str, unit: str) -> None:
    """For a mean, what all segments add is the mean gain of the resamples of the bar, less the middle of its null: 0, and the
    gain itself for the bootstrap that is not shifted."""
    rng = np.random.default_rng(1)
    testset, outputs = score_set(rng.normal(size=60) + 0.2, rng.normal(size=60))
    testset = replace(testset, documents=tuple(f"d{k // 3}" for k in range(60)))
    study = replace(study_of(testset, outputs, "own_scores", unit=unit, resamples=700), tests=(test,))
    run = compare.run(study)
    null = run.nulls[0][test]
    low, high = np.quantile(null, [0.8, 0.95])
    inside = null[(null >= low) & (null <= high)]
    found = segments.behind_bar(study, (low, high))
    assert (found.resamples, found.of) == (len(inside), 700)
    middle = run.matrix.draws[0].tallies[test].gains[0] if test == "paired_bootstrap" else 0.0
    assert found.added.sum() == pytest.approx(inside.mean() - middle, abs=1e-9)
    result = replace(influences_of(testset, outputs, "own_scores"), behind=found)
    assert found.added[result.select()].tolist() == sorted(found.added.tolist(), reverse=True)


def test_one_shuffle_is_behind_its_dot() -> None:
    """The gain of one shuffle is the gain with the outputs that changed places. It is in the second part of a block that is
    drawn in parts."""
    rng = np.random.default_rng(2)
    one, other = rng.normal(size=(2, 5_000))
    study = study_of(*score_set(one, other), "own_scores", resamples=500)
    null = compare.run(study).nulls[0][AR]
    found = segments.behind_bar(study, (null[450], null[450]))
    assert set(found.often) == {0.0, 1.0}
    swapped = np.where(found.often == 1, other, one), np.where(found.often == 1, one, other)
    assert (swapped[0] - swapped[1]).mean() == pytest.approx(null[450], abs=1e-12)
    assert found.sentence(2).startswith(f"1 of the first 500 shuffles has a gain of {null[450]:+.2f}. ")
    assert "swapped in" in found.fact(0, 2)
    none = segments.behind_bar(study, (99.0, np.inf))
    assert (none.resamples, not none.added.any(), none.sentence(2)) == (
        0,
        True,
        "0 of the first 500 shuffles have a gain of at least +99.00.",
    )


# ---- repeats and concentration


TEXT = "the quick brown fox jumps over the lazy dog near a river"


def test_texts_that_repeat_an_earlier_one() -> None:
    """The same but for case, punctuation and numbers; nearly the same words; short and empty texts only if they are the same."""
    stream = [
        TEXT,
        TEXT.upper() + " !",
        TEXT.replace("river", "lake"),
        "room 12",
        "room 7",
        "room 12 b",
        "",
        "",
        "other text",
    ]
    assert segments.repeated(stream).tolist() == [0, 0, 0, 3, 3, 5, 6, 7, 8]
    nine = [f"{' '.join('abcdefgh')} {last}" for last in "xy"]  # 8 of 10 different words are in both
    assert segments.repeated(nine).tolist() == [0, 0]
    assert segments.repeated([TEXT, "a wholly different sentence about ships and harbours", TEXT]).tolist() == [0, 1, 0]


@given(st.lists(st.lists(st.sampled_from("abcdefghij"), min_size=5, max_size=9), min_size=2, max_size=12))
def test_near_repeats_are_those_of_all_pairs(texts: list[list[str]]) -> None:
    """Jaccard's index of every pair: a text that has an alike earlier one repeats something, others nothing."""
    stream = [" ".join(text) for text in texts]
    found = segments.repeated(stream)
    for k, text in enumerate(stream):
        sets = [set(words(one)) for one in stream[: k + 1]]
        alike = [
            j
            for j in range(k)
            if min(len(sets[j]), len(sets[k])) >= 5 and len(sets[j] & sets[k]) >= 0.8 * len(sets[j] | sets[k])
        ]
        same = [j for j in range(k) if stream[j] == text]
        assert (found[k] != k) == bool(alike or same)
        assert found[found[k]] == found[k] <= k


def test_p_without_repeats_is_that_of_files_without_their_lines() -> None:
    """Half of the segments are there twice; without them p is that of compare on the others."""
    testset, outputs = text_set(30, (0.1, 0.25), seed=4)
    again = [*range(30), *range(15)]
    doubled, both = only(testset, outputs, again)
    (found,) = segments.run(study_of(doubled, both, "bleu"), Runtime(cache={}))
    assert found.repeats is not None
    assert found.repeats.segments.tolist() == list(range(30, 45))
    assert found.repeats.groups == 15
    (plain,) = compare.results(study_of(testset, outputs[:2], "bleu"))
    single = next(one for one in plain.results if one.setup.side == "two-sided")
    assert found.repeats.p_after == single.p_value
    assert found.repeats.gain_after == pytest.approx(single.gain, abs=1e-9)
    assert found.repeats.p_before == found.fragility.p_before  # type: ignore[union-attr]
    for before, after in ((0.04, 0.06), (0.06, 0.04), (0.05, 0.01), (0.06, 0.9)):
        changed = replace(found.repeats, p_before=before, p_after=after).changes
        assert changed == (len({before <= 0.05, after <= 0.05}) == 2)
    assert found.segment(44).repeats == 15
    assert found.segment(3).repeats is None
    assert any("15 segments repeat an earlier one" in line for line in segments.sentences(found))


def test_the_curve_of_a_gain_is_cumulative() -> None:
    """Those that speak most for the gain come first, against the sign of the gain too; all together are the gain."""
    rng = np.random.default_rng(5)
    one, other = rng.normal(size=(2, 50))
    for a, b in ((one, other), (other, one)):
        found = influences_of(*score_set(a, b), "own_scores")
        towards = sorted((np.sign(found.gain) * found.influences).tolist(), reverse=True)
        for row in found.concentration:
            assert row.share == pytest.approx(sum(towards[: row.segments]) / abs(found.gain))
        assert (found.concentration[-1].segments, found.curve[-1]) == (50, pytest.approx(1.0))
        assert found.most_of_it == next(k for k, share in enumerate(found.curve, start=1) if share >= 0.8)
    same = influences_of(*score_set(one, one + 0.0), "own_scores")
    assert (same.concentration, same.curve.tolist()) == ([], [])


# ---- slices


def test_parts_are_declared_by_names_rare_words_and_script() -> None:
    """A capital inside a sentence, words that are in no other segment, a second script; columns come first."""
    reference = ("we met Anna there", "We met her there", "the sofa costs 20 лв today", "zyx wvu tsr qpo") * 2
    testset = Testset("t", "text", 8, (reference,))
    outputs = [Outputs(name, reference) for name in "AB"]
    found = labels(segments.Texts(testset, *outputs), {"topic": ["x", "y"] * 4})
    assert next(iter(found)) == "topic"
    assert found["name"].tolist() == ["with a capital inside", *["without a capital inside"] * 3] * 2
    assert found["script"].tolist() == ["one script", "one script", "a second script", "one script"] * 2
    assert found["rare words"].tolist() == ["fewer rare words"] * 8
    once = Testset("t", "text", 8, ((*reference[:7], "unique words all of them"),))
    assert labels(segments.Texts(once, *outputs))["rare words"].tolist().index("more rare words") in (3, 7)
    with pytest.raises(MismatchError, match="2 rows"):
        labels(segments.Texts(testset, *outputs), {"topic": ["x", "y"]})


def test_columns_of_tables_are_matched_by_the_names_of_segments() -> None:
    """By a column with all names, also where a segment has several rows that agree; else rows stay as they are. A text is one
    column of its lines."""
    by_id = b"id,topic,level,note\ns2,b,1,x\ns1,a,2,x\ns3,a,3,x\ns1,a,4,x\n"
    assert segments.columns_of("x.csv", by_id, ("s1", "s2", "s3")) == {
        "topic": ("a", "b", "a"),
        "note": ("x", "x", "x"),
    }
    assert segments.columns_of("x.csv", by_id)["topic"] == ("b", "a", "a", "a")
    assert segments.columns_of("x.tsv", b"topic\tlevel\na, b\t1\n c \t2\n") == {
        "topic": ("a, b", "c"),
        "level": ("1", "2"),
    }
    assert segments.columns_of("x.jsonl", b'{"k": 2, "topic": "b"}\n{"k": 1, "topic": "a"}\n', ("1", "2")) == {
        "topic": ("a", "b")
    }
    assert segments.columns_of("of/topic.txt", b"a, b\nc\n") == {"topic": ("a, b", "c")}
    with pytest.raises(ReadError, match="line 2 has 1 cell"):
        segments.columns_of("x.csv", b"a,b\n1\n")


def test_many_numbers_are_cut_into_quarters() -> None:
    """Of more than twelve different numbers, with what is missing left out, in the order of the numbers; few are names."""
    reference = tuple(f"w{k}" for k in range(104))
    testset = Testset("t", "text", 104, (reference,))
    texts = segments.Texts(testset, *(Outputs(name, reference) for name in "AB"))
    level = [f"{k / 2}" for k in range(100, 0, -1)] + ["NA", "", "nan", ""]
    found = labels(texts, {"level": level, "year": ["2020", "1999"] * 52, "length": ["x", "y"] * 52})
    assert Counter(found["level"].tolist()) == {
        "0.5 to 12.5": 25,
        "13 to 25": 25,
        "25.5 to 37.5": 25,
        "38 to 50": 25,
        "": 4,
    }
    assert set(found["year"].tolist()) == {"1999", "2020"}
    grades = labels(texts, {"grade": [str(k % 8) for k in range(104)]})["grade"]
    assert sorted(set(grades.tolist())) == [str(k) for k in range(8)]
    assert found["length (own)"].tolist()[:2] == ["x", "y"]
    assert found["length"].tolist() == ["1"] * 104
    order = [name for kind, name, _ in chosen(found) if kind in ("level", "year")]
    assert order == ["0.5 to 12.5", "13 to 25", "25.5 to 37.5", "38 to 50", "1999", "2020"]


def test_columns_of_loaded_tables_are_offered() -> None:
    """What no score, reference or system is in, and has parts: here the topic, not the scores, ids and notes."""
    rows = [f"q{k},{'ab'[k % 2]},{k % 2},1,note {k}" for k in range(60)]
    table = "\n".join(["id,level,A,B,remark", *rows]).encode()
    collection = sigcore.Collection()
    collection.add(
        [("t.csv", table)],
        every=sigcore.readers.Choice(None, {"columns": "level=ignored\nA=system\nB=system"}),
    )
    loaded = collection.sound()
    found = segments.loaded_columns(collection.detected, collection.claims, loaded.ids, loaded.testset.n)
    assert found == {"level": ("a", "b") * 30}


def test_slices_by_a_column_in_one_call() -> None:
    """`by` names a part for every segment; the gain on it is that of its lines."""
    testset, outputs = text_set(60, (0.1, 0.3), seed=2)
    topic = ["a"] * 25 + ["b"] * 35
    found = sigcore.segments(
        outputs[0].segments, outputs[1].segments, testset.references[0], resamples=200, by={"topic": topic}
    )
    own = {one.name: one for one in found.slices if one.kind == "topic"}
    assert {name: one.segments for name, one in own.items()} == {"a": 25, "b": 35}
    fewer = only(testset, outputs, range(25))
    assert own["a"].gain == pytest.approx(influences_of(*fewer, "bleu").gain, abs=1e-9)


# ---- trees and links


def pieces(kind: str, one: str, other: str, gold: str) -> list[list[tuple[str, str]]]:
    found = structures.compared(kind, (one, other), gold)  # type: ignore[arg-type]
    return [[(piece.kind, piece.text.strip()) for piece in side] for side in (found.system, found.baseline)]


def test_words_of_trees_by_hand() -> None:
    """Right in both, right in one alone, a wrong head, a wrong label; a subtype of a label does not count."""
    gold = "a\tX\t2\tdet\nb\tX\t0\troot\nc\tX\t2\tobj:x"
    one = "a\tX\t2\tdet\nb\tX\t0\troot\nc\tX\t2\tobj"
    other = "a\tX\t3\tdet\nb\tX\t0\troot\nc\tX\t2\tnsubj"
    first, second = pieces("trees", one, other, gold)
    assert first == [("own", "a(det: b)"), ("match", "b(root: root)"), ("own", "c(obj: b)")]
    assert second == [("insertion", "a(det: c)"), ("match", "b(root: root)"), ("insertion", "c(nsubj: b)")]


def test_links_by_hand() -> None:
    """A possible link is right, a sure one that is missing is named."""
    first, second = pieces("alignments", "0-0 1-1", "0-0 2-2", "0-0 1p1 3-1")
    assert first == [("match", "0-0"), ("own", "1-1"), ("deletion", "3-1")]
    assert second == [("match", "0-0"), ("insertion", "2-2"), ("deletion", "3-1")]


def test_constituents_by_hand() -> None:
    """Labels with their words; functions do not count, and a missing constituent is at the end with its words."""
    gold = "(TOP (S (NP-SBJ (D a) (N b)) (VP (V c))))"
    one = "(TOP (S (NP (D a) (N b)) (VP (V c))))"
    other = "(TOP (S (D a) (NP (N b)) (VP (V c))))"
    first, second = pieces("brackets", one, other, gold)
    assert ("own", "(NP") in first
    assert not {"insertion", "deletion"} & {kind for kind, _ in first}
    assert ("insertion", "(NP") in second
    assert second[-1] == ("deletion", "(NP 1-2)")


@pytest.mark.parametrize(("kind", "metric", "right"), [("trees", "las", 0), ("alignments", "aer", 2)])
def test_marked_parts_are_those_that_the_score_counts(kind: str, metric: str, right: int) -> None:
    """The right words of a tree are LAS's, the right links those of AER's last count."""
    testset, outputs = structure_set(kind, 12)
    found = influences_of(testset, outputs, metric)
    (measured,) = sigcore.studies.statistics.measure(testset, outputs[:2], [(metric, {})], Runtime(cache={}))
    place = measured.systems[0].columns.index({0: "correct", 2: "links_and_possible"}[right])
    for k, (system, which) in itertools.product(range(12), ((0, "system"), (1, "baseline"))):
        marked = getattr(found.segment(k).compared, which)
        assert sum(piece.kind in ("match", "own") for piece in marked) == measured.systems[system].values[k, place]
        drawn = found.segment(k).drawings[system]
        assert drawn is not None
        assert all(0 <= shape.x <= drawn.width and 0 <= shape.y <= drawn.height for shape in drawn.shapes)
        assert "".join(piece.text for piece in marked) in found.segment(k).marked[system].replace("{=", "").replace(
            "=}", ""
        ).replace("{+", "").replace("+}", "").replace("[-", "").replace("-]", "")


def test_wrong_and_missing_constituents_are_those_of_the_score() -> None:
    """As evalb counts them: punctuation, its brackets, TOP and functions do not count, and PRT is ADVP. The drawing has them too."""
    testset, outputs = structure_set("brackets", 12)
    gold = "(TOP (S (NP-SBJ (D a) (, ,)) (PRN (, ,)) (VP (V c) (PRT (R d))) (. .)))"
    own = "(TOP (S (NP (D a)) (VP (V c) (ADVP (R d)) (. .))))", "(S (, ,) (NP (D a)) (X (V c) (NP (R d))))"
    testset = replace(testset, n=13, references=((*testset.references[0], gold),), digest="")
    outputs = [
        replace(item, segments=(*item.segments, one), digest="") for item, one in zip(outputs, own, strict=False)
    ]
    found = influences_of(testset, outputs, "constituency_f1")
    (measured,) = sigcore.studies.statistics.measure(testset, outputs, [("constituency_f1", {})], Runtime(cache={}))
    assert [item.values[12].tolist() for item in measured.systems] == [[4, 4, 4, 0], [2, 4, 4, 0]]
    for k, system in itertools.product(range(13), range(2)):
        matched, gold_brackets, brackets, _ = measured.systems[system].values[k].tolist()
        drawn = found.segment(k).drawings[system]
        assert drawn is not None
        labels = [shape.kind for shape in drawn.shapes if shape.name == "text"]
        for kinds in ([piece.kind for piece in found.segment(k).compared[system]], labels):
            assert kinds.count("insertion") == brackets - matched
            assert kinds.count("deletion") == gold_brackets - matched
        assert all(0 <= shape.x <= drawn.width and 0 <= shape.y <= drawn.height for shape in drawn.shapes)


def test_a_constituency_tree_by_hand() -> None:
    """Words in a row, each constituent above its parts, the wrong one and its line marked, the missing one below its words."""
    gold, own = "(S (NP (D a) (N bb)) (V c))", "(S (D a) (VP (N bb) (V c)))"
    drawn = structures.drawing("brackets", own, own, gold)
    assert drawn is not None
    texts = {shape.text: shape for shape in drawn.shapes if shape.name == "text"}
    assert texts["a"].x < texts["bb"].x < texts["c"].x
    assert texts["a"].y == texts["bb"].y == texts["c"].y > texts["D"].y > texts["VP"].y > texts["S"].y
    assert texts["VP"].x == (texts["bb"].x + texts["c"].x) // 2
    assert {text: shape.kind for text, shape in texts.items() if shape.kind != "match"} == {
        "VP": "insertion",
        "NP": "deletion",
    }
    assert texts["NP"].y > texts["a"].y
    lines = [shape.kind for shape in drawn.shapes if shape.name == "path"]
    assert (len(lines), lines.count("insertion"), lines.count("deletion")) == (8, 1, 1)
    for broken in ("", "(((", ")", "()", "(S"):
        assert structures.drawing("brackets", broken, own, gold) is None
    deep = "(A " * 40 + "(D a)" + ")" * 40
    assert structures.drawing("brackets", deep, deep, deep) is None


@pytest.mark.parametrize("own", ["(S (NP (D a) (N bb)) (V c)) (X d)", "(X d) (S (NP (D a) (N bb)) (V c))"])
def test_trees_side_by_side_share_the_line_of_their_words(own: str) -> None:
    """The highest of them decides how high the drawing is: nothing stands above its upper edge."""
    drawn = structures.drawing("brackets", own, own, own)
    assert drawn is not None
    texts = {shape.text: shape.y for shape in drawn.shapes if shape.name == "text"}
    assert texts["a"] == texts["bb"] == texts["c"] == texts["d"] < drawn.height
    assert 0 < texts["S"] < texts["NP"] < texts["X"] == texts["D"]


def test_large_trees_are_not_drawn_and_texts_neither() -> None:
    """A drawing has a bound; pieces remain."""
    word = "w\tX\t0\troot"
    large = "\n".join([word] * (structures.MOST_ARCS + 1))
    assert structures.drawing("trees", large, large, large) is None
    assert len(structures.compared("trees", (large, large), large).system) == structures.MOST_ARCS + 1
    assert structures.drawing("text", "a", "b", "a") is None
    assert structures.drawing("alignments", "", "", "0-0") is not None
    assert structures.drawing("alignments", "", "", "") is None


LOG = {
    "lm.jsonl": lambda k, ok: {"doc_id": k, "doc": {"question": f"<b>{k}</b>?"}, "target": f"#{k}", "resps": [[f"=it is {k + ok}"]],
                               "filtered_resps": [str(k + ok)], "filter": "strict", "metrics": ["exact_match"], "exact_match": ok},
    "inspect.json": lambda k, ok: {"id": k, "epoch": 1, "input": [{"role": "user", "content": f"<b>{k}</b>?"}], "target": f"#{k}",
                                   "scores": {"match": {"value": "CI"[1 - ok]}}, "output": {"completion": f"=it is {k + ok}"}},
}  # fmt: skip


@pytest.mark.parametrize("layout", LOG)
def test_scores_of_logs_have_their_prompts_and_answers(layout: str, tmp_path: Path) -> None:
    """Prompt, right answer and both answers stand where the log has them, matched by the names of the segments, not by place."""
    for system, places in (("A", range(12)), ("B", range(11, -1, -1))):
        records = [LOG[layout](k, int(k % 3 > 0 if system == "A" else k % 2)) for k in places]
        log = {"eval": {"model": system, "task": "t"}, "samples": records}
        lines = json.dumps(log) if layout == "inspect.json" else "\n".join(map(json.dumps, records))
        (tmp_path / system).mkdir()
        (tmp_path / system / f"{system}{layout}").write_text(lines, encoding="utf-8")
    collection = sigcore.Collection.of(str(tmp_path / "A"), str(tmp_path / "B"))
    loaded = collection.sound()
    shown = segments.texts_of(collection, loaded, *(one.system for one in loaded.outputs))
    assert shown.labels == ("prompt", "right answer")
    for k in range(12):
        place = loaded.ids.index(f"{k}" if layout == "lm.jsonl" else f"{k} of 1")
        assert shown.all_of(place) == [f"<b>{k}</b>?", f"#{k}", f"=it is {k + (k % 3 > 0)}", f"=it is {k + k % 2}"]
    assert not shown.readable  # a long answer is not compared word by word with the right one


def test_rows_without_names_are_those_of_the_segments_in_order(tmp_path: Path) -> None:
    """A table without a column of ids has its texts by place; one with another number of rows has only its scores."""
    for system in "AB":
        rows = [f"How many? {k},{system} says {k},{k % 2}" for k in range(6)]
        (tmp_path / f"{system}.csv").write_text("\n".join(["prompt,answer,correct", *rows]), encoding="utf-8")
    collection = sigcore.Collection.of(str(tmp_path / "A.csv"), str(tmp_path / "B.csv"))
    loaded = collection.sound()
    assert loaded.ids == ()
    shown = segments.texts_of(collection, loaded, "A", "B")
    assert [shown.all_of(k) for k in range(6)] == [[f"How many? {k}", f"A says {k}", f"B says {k}"] for k in range(6)]
    longer = [zlib.compress(zlib.decompress(one.packed) + b"\nHow many? 6,more,1") for one in collection.detected]
    collection.detected = tuple(
        replace(one, packed=packed) for one, packed in zip(collection.detected, longer, strict=True)
    )
    assert segments.texts_of(collection, loaded, "A", "B").system.segments == loaded.outputs[0].segments


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
def test_rows_that_say_different_things_of_a_question_say_nothing(name: str, tmp_path: Path) -> None:
    """Of a table with the rows of both systems, each has its own answers; a question with two answers of one system has none,
    and so has a file whose rows do not fit."""
    rows = [
        (f"q{k}", f"How many? {k}", system, f"{system} says {k}", (k + len(system)) % 2)
        for system in ("A", "BB")
        for k in range(6)
    ]
    table = [("id", "prompt", "model", "answer", "correct"), *rows]
    if name == "t.csv":
        (tmp_path / name).write_text("\n".join(",".join(map(str, row)) for row in table), encoding="utf-8")
    else:
        book = openpyxl.Workbook()
        for row in table:
            book.active.append(row)
        book.save(tmp_path / name)
    collection = sigcore.Collection.of(str(tmp_path / name))
    loaded = collection.sound()
    shown = segments.texts_of(collection, loaded, "A", "BB")
    assert shown.all_of(2) == ["How many? 2", "A says 2", "BB says 2"]
    collection.detected += (replace(collection.detected[0], packed=zlib.compress(b"id,model,answer\nq2,A,other\n")),)
    again = segments.texts_of(collection, loaded, "A", "BB")
    assert (again.system.segments[2], again.system.segments[3]) == ("1", "A says 3")
    collection.detected = (replace(collection.detected[0], packed=zlib.compress(b"id,model,answer\nq2,A\n")),)
    assert segments.texts_of(collection, loaded, "A", "BB").system.segments == loaded.outputs[0].segments


def test_entities_are_marked_beside_the_gold_ones() -> None:
    """Right in both, right in one alone, wrong, and missing, in the order of their places; words or letters."""
    gold = "Anna\tBell\tsees\tOslo\n0-2\tPER\n3-4\tLOC"
    own, other = "Anna\tBell\tsees\tOslo\n0-2\tPER\n2-3\tORG", "Anna\tBell\tsees\tOslo\n0-1\tPER\n3-4\tLOC"
    found = structures.compared("spans", (own, other), gold)
    assert [(piece.kind, piece.text) for piece in found.system] == [
        ("match", "Anna Bell sees Oslo"),
        ("own", " [Anna Bell: PER]"),
        ("insertion", " [sees: ORG]"),
        ("deletion", " [Oslo: LOC]"),
    ]
    assert [piece.kind for piece in found.baseline] == ["match", "insertion", "deletion", "own"]
    letters = structures.compared("spans", ("Anna sees\n0:4\tPER",) * 2, "Anna sees\n0:4\tPER")
    assert [piece.text for piece in letters.system] == ["Anna sees", " [Anna: PER]"]
    assert structures.drawing("spans", own, other, gold) is None


def test_rankings_are_marked_beside_the_judgments() -> None:
    """The first documents with their judgments; relevant ones that are not among them come last."""
    found = structures.compared("rankings", ("a\nx\nc", "b\na"), "a\t2\nb\t1\nc\t1\nd\t0")
    assert [(piece.kind, piece.text) for piece in found.system] == [
        ("match", "a (2)"),
        ("insertion", " x (-)"),
        ("own", " c (1)"),
        ("deletion", " b (1)"),
    ]
    assert [piece.kind for piece in found.baseline] == ["own", "match", "deletion"]
