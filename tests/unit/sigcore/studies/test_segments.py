"""What each segment adds to a gain against rescoring without it, fragility against the plain test, differences by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER

import sigcore
from sigcore import Runtime, Study
from sigcore.errors import OptionError, Undefined
from sigcore.studies import compare, segments
from sigcore.studies.segments import select
from sigcore.studies.segments.slices import chosen
from sigcore.studies.segments.words import matched
from sigcore.study import Settings
from sigcore.testset import Outputs, Testset
from sigcore.types import PLANNED_PAIR
from tests.made import score_set, text_set
from tests.oracles import left_out

AR = "approximate_randomization"


def pair_of(testset: Testset, outputs: Sequence[Outputs], metric: str = "bleu", **more: object) -> Study:
    """A study of the first two outputs."""
    settings = {"unit": "segment", "resamples": 500} | more
    return Study(testset, outputs[:2], [(metric, {})], [AR], family=PLANNED_PAIR, **settings)


def quick(
    testset: Testset, outputs: Sequence[Outputs], metric: str = "bleu", **more: object
) -> segments.SegmentsResult:
    """What its segments add, without the fragility."""
    (found,) = segments.run(pair_of(testset, outputs, metric, **more), Runtime(cache={}), whole=False)
    return found


def two_texts(system: Sequence[str], baseline: Sequence[str], reference: Sequence[str]) -> segments.SegmentsResult:
    """The result of two outputs and a reference."""
    testset = Testset("t", "text", len(system), (tuple(reference),))
    return quick(testset, [Outputs("A", tuple(system)), Outputs("B", tuple(baseline))])


# ---- influence


@pytest.mark.parametrize(
    ("metric", "scorer", "sign"), [("bleu", BLEU(), 1.0), ("chrf", CHRF(), 1.0), ("ter", TER(), -1.0)]
)
def test_gains_without_are_those_of_rescored_strings(metric, scorer, sign):
    """For every segment, the gain without it is that of sacrebleu on the files without the line."""
    testset, outputs = text_set(n=40)
    found = quick(testset, outputs, metric)
    slow = left_out.gains_without(scorer, outputs[0].segments, outputs[1].segments, testset.references, sign)
    assert found.without == pytest.approx(slow, abs=1e-9)
    assert found.influences == pytest.approx(left_out.influences(found.gain, slow), abs=1e-9)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "wer", "cer"])
def test_influences_sum_to_the_gain(metric):
    """Their sum is the gain, also where an output is as long as the reference, where BLEU's penalty has its kink."""
    testset, outputs = text_set(n=300)
    short, long = (" ".join(outputs[0].segments[k].split()[cut:]) for k, cut in ((0, 1), (1, 0)))
    level = (short, f"{long} of", *testset.references[0][2:])
    for system in (outputs[0], replace(outputs[0], segments=level, digest="")):
        found = quick(testset, [system, outputs[1]], metric)
        assert found.total == pytest.approx(found.gain, abs=1e-9)


def test_of_a_mean_they_are_differences():
    """Of scores, each influence is the difference of the segment divided by n, and the sum is the gain."""
    rng = np.random.default_rng(1)
    one, other = rng.normal(size=(2, 50))
    found = quick(*score_set(one, other), "own_scores")
    assert found.influences == pytest.approx((one - other) / 50, abs=1e-12)
    assert found.total == pytest.approx(found.gain, abs=1e-12)


def test_the_other_order_turns_every_sign():
    """B over A has the negative of each influence of A over B."""
    testset, outputs = text_set(n=30)
    here, there = quick(testset, outputs), quick(testset, outputs[1::-1])
    assert here.influences == pytest.approx(-there.influences, abs=1e-12)
    assert here.sides.ups == there.sides.downs
    assert here.sides.up == pytest.approx(-there.sides.down)


def test_equal_segments_speak_for_neither():
    """A segment with two equal outputs is on no side, whatever the brevity penalty makes of it."""
    found = two_texts(["a b c d e", "x y z"], ["a b c d e", "x y w v u"], ["a b c d e", "x y z w v"])
    assert (found.sides.equal, found.sides.ups + found.sides.downs) == (1, 1)
    assert found.sides.up + found.sides.down + found.sides.rest == pytest.approx(found.total)


def test_one_segment_is_the_whole_gain():
    """Without the only segment there is no gain, so it is all of it."""
    found = two_texts(["a b c d"], ["a b c x"], ["a b c d"])
    assert found.influences.tolist() == [found.gain]
    assert np.isnan(found.without[0])


def test_a_system_against_itself_is_refused():
    """There is no difference to look for."""
    testset, outputs = text_set(n=5)
    with pytest.raises(Undefined, match="compared with itself"):
        segments.run(replace(pair_of(testset, outputs), outputs=(outputs[0], outputs[0])))


# ---- fragility


def p_on(study: Study, kept: np.ndarray) -> float:
    """p of `compare` on the test set without the other lines."""
    lines = kept.tolist()

    def few(stream: Sequence[str]) -> tuple[str, ...]:
        return tuple(stream[k] for k in lines)

    testset, documents = study.testset, few(study.testset.documents) if study.testset.documents else ()
    references = tuple(map(few, testset.references))
    smaller = Testset(testset.name, testset.kind, len(lines), references, documents=documents)
    outputs = [replace(item, segments=few(item.segments), digest="") for item in study.outputs]
    (found,) = compare.results(replace(study, testset=smaller, outputs=outputs), Runtime(cache={}), ["two-sided"])
    return found.results[0].p_value


@pytest.mark.parametrize("unit", ["segment", "document"])
@pytest.mark.parametrize("shift", [0.35, 0.1])
def test_a_removed_set_is_verified_by_the_plain_test(shift, unit):
    """Compare on the lines that are left gives the p of the fragility, on the other side of alpha."""
    rng = np.random.default_rng(3)
    testset, outputs = score_set(rng.normal(size=120) + shift, rng.normal(size=120))
    testset = replace(testset, documents=tuple(f"d{k // 3}" for k in range(120)))
    study = pair_of(testset, outputs, "own_scores", unit=unit)
    (found,) = segments.run(study, Runtime(cache={}))
    everything = np.arange(120)
    for one in (found.fragility, found.fragility_of_documents):
        assert one is not None
        assert one.verified
        assert one.p_before == p_on(study, everything)
        assert one.p_after == p_on(study, np.setdiff1d(everything, one.removed))
        assert (one.p_before <= 0.05) != (one.p_after <= 0.05)
    assert found.fragility_of_documents is not None
    assert len(found.fragility_of_documents.removed) == 3 * found.fragility_of_documents.count


def test_no_smaller_set_is_found_by_trying_all():
    """On twelve segments, where all sets can be tried, no set with fewer segments moves p across alpha."""
    rng = np.random.default_rng(5)
    testset, outputs = score_set(rng.normal(size=12) + 1.3, rng.normal(size=12))
    study = pair_of(testset, outputs, "own_scores", resamples=300)
    (found,) = segments.run(study, Runtime(cache={}))
    one = found.fragility
    assert one is not None
    assert one.verified
    for size in range(1, one.count):
        for gone in combinations(range(12), size):
            assert (p_on(study, np.setdiff1d(np.arange(12), gone)) <= 0.05) == (one.p_before <= 0.05)


@pytest.mark.parametrize(("seed", "fewest"), [(9, 2), (73, 5), (10, 1)])
def test_no_segment_of_a_set_can_come_back(seed, fewest):
    """Where one of the segments comes back, p is on the side of before again; without trying that, more would be removed."""
    rng = np.random.default_rng(seed)
    testset, outputs = score_set(rng.normal(size=80) + 0.5, rng.normal(size=80))
    study = pair_of(testset, outputs, "own_scores", resamples=300)
    (found,) = segments.run(study, Runtime(cache={}))
    one = found.fragility
    assert one is not None
    assert one.count == fewest
    for back in one.removed.tolist():
        kept = np.setdiff1d(np.arange(80), [gone for gone in one.removed.tolist() if gone != back])
        assert (p_on(study, kept) <= 0.05) == (one.p_before <= 0.05)


def test_equal_outputs_have_no_set():
    """Where both outputs are the same, p stays 1."""
    testset, outputs = score_set(np.arange(20.0), np.arange(20.0))
    (found,) = segments.run(pair_of(testset, outputs, "own_scores"), Runtime(cache={}))
    assert found.fragility is not None
    assert (found.fragility.verified, found.fragility.count) == (False, 0)
    assert "No set of up to half" in str(found.fragility)


# ---- words


def test_a_diff_by_hand():
    """Matches, words that only one output has, insertions and deletions of a small example."""
    found = segments.differences(
        "the small cat sat on a mat.", "A cat was on the mat.", ["The small cat sat on the mat."]
    )
    assert segments.marked(found.system) == "[-The-]{+the+} {=small=} cat {=sat=} on [-the-] {+a+} mat."
    assert segments.marked(found.baseline) == "[-The small-]{+A+} cat [-sat-] {+was+} on {=the=} mat."
    assert found.reference == 0


def test_the_nearest_reference_is_used():
    """With two references, both outputs are compared with the one that needs fewer edits in both together."""
    found = segments.differences("a b c", "a b d", ["x y z", "a b c"])
    assert found.reference == 1
    assert segments.marked(found.baseline) == "a b [-c-] {+d+}"


def test_without_a_reference_the_outputs_are_compared():
    """An insertion is only here, a deletion only in the other output."""
    found = segments.differences("a b", "a c", [])
    assert (segments.marked(found.system), segments.marked(found.baseline)) == ("a [-c-] {+b+}", "a [-b-] {+c+}")


def test_scripts_without_blanks_are_compared_by_letters():
    """Chinese, Thai with its marks, and Latin words between them."""
    found = segments.differences("我喜欢茶", "我不喜欢喝茶", ["我很喜欢喝茶。"])
    assert segments.marked(found.baseline) == "我[-很-]{+不+}喜欢{=喝=}茶[-。-]"
    assert segments.words("我用iPhone。") == ["我", "用", "iPhone", "。"]
    assert segments.words("สวัสดี") == ["ส", "วั", "ส", "ดี"]


def test_words_of_other_scripts_are_whole():
    """Vowel signs, joined letters of a script from right to left, numbers and contractions stay together."""
    assert segments.words("हिन्दी में") == ["हिन्दी", "में"]
    assert segments.words("مرحبا بالعالم!") == ["مرحبا", "بالعالم", "!"]
    assert segments.words("don't pay 3,500.50, fine,ok") == ["don't", "pay", "3,500.50", ",", "fine", ",", "ok"]


TEXTS = st.lists(st.sampled_from(["a", "b", "c", "我", "."]), max_size=9)


@given(TEXTS, TEXTS)
def test_a_common_subsequence_is_one_and_the_longest(text, other):
    """The places rise in both texts, their words are equal, and no longer one exists."""
    found = matched(text, other)
    assert all(text[k] == other[j] for k, j in found)
    assert all(k < m and j < n for (k, j), (m, n) in pairwise(found))
    assert len(found) == left_out.longest(tuple(text), tuple(other))


@given(st.text(max_size=20), st.text(max_size=20), st.lists(st.text(max_size=20), max_size=2))
def test_pieces_hold_every_word_of_the_output(system, baseline, references):
    """Without the deletions, the pieces are the output as it is written, but for blanks at its end."""
    found = segments.differences(system, baseline, references)
    for output, pieces in ((system, found.system), (baseline, found.baseline)):
        whole = "".join(piece.text for piece in pieces if piece.kind != "deletion")
        assert output.startswith(whole)
        assert not output[len(whole) :].strip()


def test_ngrams_gained_and_lost_by_hand():
    """An n-gram counts as often as the reference that has it most often; what both match is in neither list."""
    found = segments.matches("the the cat", "the cat sat", ["the cat", "a cat sat the the"])
    assert found.gained == ("the the", "the")
    assert found.lost == ("cat sat", "sat")
    assert segments.matches("a a", "a", ["a b", "a c"]) == ((), ())


# ---- filters


@pytest.fixture
def six() -> segments.SegmentsResult:
    """Six segments with documents and domains, one for each kind of difference."""
    reference = ["one two", "It is 12 now", "a b c", "Yes, well", "up and down", "the long way home"]
    system = ["one two", "It is 12 now", "a b c", "Yes, well", "up and down", "the long way home"]
    baseline = ["one two", "It is 13 now", "A b c", "Yes well", "down and up", "the road home"]
    testset = Testset(
        "t", "text", 6, (tuple(reference),), documents=("d", "d", "d", "e", "e", "e"), domains=("n", "s", "n", "s", "n", "s")
    )  # fmt: skip
    return quick(testset, [Outputs("A", tuple(system)), Outputs("B", tuple(baseline))])


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ({}, [1, 2, 3, 4, 5, 6]),
        ({"differing": True}, [2, 3, 4, 5, 6]),
        ({"edit": "numbers"}, [2]),
        ({"edit": "case"}, [3]),
        ({"edit": "punctuation"}, [4]),
        ({"edit": "order"}, [5]),
        ({"edit": "words"}, [6]),
        ({"search": "YES"}, [4]),
        ({"search": "(.*)"}, []),
        ({"pattern": r"\b1\d\b"}, [2]),
        ({"pattern": "^the.*home$"}, [6]),
        ({"least": 3, "most": 3}, [3, 5]),
        ({"least": 4}, [2, 6]),
        ({"document": "e", "domain": "s"}, [4, 6]),
        ({"segments": (6, 1)}, [1, 6]),
    ],
)
def test_a_filter_leaves(six, asked, left):
    """Each filter leaves the segments that fit, in the order of the file where it is asked for."""
    assert (six.select(segments.Filter(sort="segment", **asked)) + 1).tolist() == left


def test_orders_begin_at_both_ends(six):
    """The largest influence first, the smallest first, or the largest size; ties as in the file."""
    order = {sort: six.influences[six.select(segments.Filter(sort=sort))].tolist() for sort in segments.SORTS}
    assert order["gain"] == sorted(order["gain"], reverse=True)
    assert order["loss"] == sorted(order["loss"])
    assert [abs(x) for x in order["size"]] == sorted(map(abs, order["size"]), reverse=True)
    assert order["segment"] == six.influences.tolist()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"document": "f"}, "no document 'f'"),
        ({"domain": "f"}, "no domain 'f'"),
        ({"pattern": "("}, "cannot be read"),
        ({"pattern": "a" * 301}, "too long"),
        ({"least": 4, "most": 3}, "No length"),
        ({"sort": "up"}, "sort = 'up'"),
        ({"edit": "up"}, "edit = 'up'"),
    ],
)
def test_what_cannot_be_looked_for_is_refused(six, asked, message):
    """A name that does not exist, an expression that cannot be read, an empty range."""
    with pytest.raises(OptionError, match=message):
        six.select(segments.Filter(**asked))


def test_an_endless_expression_ends(monkeypatch):
    """An expression with nested repeats is stopped, and named."""
    monkeypatch.setattr(select, "SECONDS", 0.2)
    found = two_texts(["a" * 40 + "!"], ["a" * 41 + "!"], ["b"])
    with pytest.raises(OptionError, match="takes too long"):
        found.select(segments.Filter(pattern="^(a|a|aa)+$"))


@pytest.mark.parametrize(("text", "range_"), [("10-20", (10, 20)), ("10-", (10, segments.NO_END)), ("-20", (0, 20)), ("7", (7, 7))])  # fmt: skip
def test_lengths_are_read(text, range_):
    """A range, one that is open at an end, or one length."""
    assert segments.read_lengths(text) == range_


@pytest.mark.parametrize("text", ["", "-", "ten", "1-2-3", "²"])
def test_other_lengths_are_refused(text):
    """What is no range is refused with an example."""
    with pytest.raises(OptionError, match="10-20"):
        segments.read_lengths(text)


# ---- slices


def sliced(n: int = 120, shift: float = 0.0, **more: object) -> tuple[Study, tuple[segments.Slice, ...]]:
    """Scores of two systems in two domains, with a gain in the first alone, and their slices."""
    rng = np.random.default_rng(8)
    gain = np.where(np.arange(n) < n // 2, shift, 0.0)
    testset, outputs = score_set(rng.normal(size=n) + gain, rng.normal(size=n))
    testset = replace(testset, domains=("news",) * (n // 2) + ("talks",) * (n - n // 2), documents=("d",) * n)
    study = pair_of(testset, outputs, "own_scores", **more)
    (found,) = segments.sliced(study, segments.Texts(testset, *outputs[:2]))
    return study, found


def test_the_gain_on_a_slice_is_that_of_its_lines():
    """Gain and p of a slice are nearly those of compare on its lines alone; what slices of a kind add sums to the gain."""
    study, found = sliced(shift=0.5, resamples=20_000)
    assert [(one.kind, one.name, one.segments) for one in found] == [("domain", "news", 60), ("domain", "talks", 60)]
    for one, lines in zip(found, (np.arange(60), np.arange(60, 120)), strict=True):
        differences = [float(study.outputs[0].segments[k]) - float(study.outputs[1].segments[k]) for k in lines]
        assert one.gain == pytest.approx(np.mean(differences))
        assert one.interval[0] < one.gain < one.interval[1]
        assert one.p_value == pytest.approx(p_on(replace(study, testset=study.testset), lines), abs=0.015)
        assert one.adjusted >= one.p_value
    assert sum(one.added for one in found) == pytest.approx(quick(study.testset, study.outputs, "own_scores").gain)


def test_a_gain_in_one_domain_is_found_there():
    """Where the systems differ in the news alone, the news are significant after the correction."""
    _, (news, talks) = sliced(shift=1.5)
    assert news.significant
    assert not talks.significant
    assert "1 of 2 parts" in segments.about_slices([news, talks])
    assert "domain news" in segments.about_slices([news, talks])


def test_a_document_is_no_slice_where_documents_are_drawn():
    """Alone it is one unit, which no test can judge; where segments are drawn, it is a slice like others."""
    testset, outputs = score_set(*np.random.default_rng(8).normal(size=(2, 120)))
    testset = replace(testset, documents=tuple(f"d{k // 30}" for k in range(120)))
    texts = segments.Texts(testset, *outputs)
    for unit, slices in (("segment", 4), ("document", 0)):
        (found,) = segments.sliced(pair_of(testset, outputs, "own_scores", unit=unit), texts)
        assert len(found) == slices


def test_slices_are_declared_by_text():
    """Quarters of length, questions and numbers of the reference; slices of fewer than 20 segments are none."""
    reference = ["Is it so ?", "one two three 4", "a b c d e f", "a b c d e f g h"] * 25 + ["x"] * 3
    testset = Testset("t", "text", 103, (tuple(reference),), domains=("n",) * 100 + ("s",) * 3)
    outputs = [Outputs("A", tuple(reference)), Outputs("B", ("a b c d",) * 103)]
    (found,) = segments.sliced(pair_of(testset, outputs, resamples=50), segments.Texts(testset, *outputs))
    named = {(one.kind, one.name): one.segments for one in found}
    assert named["question", "question"] == named["number", "with a number"] == 25
    assert named["domain", "n"] == 100
    assert ("domain", "s") not in named
    assert sum(one.segments for one in found if one.kind == "length") == 103


@pytest.mark.parametrize("side", ["greater", "less"])
def test_one_sided_slices_are_corrected_on_their_side(side):
    """Two parts share no segment, so their nulls are independent: the clearer p is corrected by Sidak's formula, and the
    other is at least as large."""
    shift = 0.5 if side == "greater" else -0.4
    _, parts = sliced(shift=shift, resamples=20_000, settings=Settings(side))
    first, last = sorted(parts, key=lambda one: one.p_value)
    sidak = 1 - (1 - first.p_value) ** 2
    assert first.name == "news"
    assert 0 < first.p_value < 0.06
    assert first.adjusted == pytest.approx(sidak, abs=0.01)
    assert last.adjusted == pytest.approx(max(sidak, last.p_value), abs=0.01)


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_the_gain_of_what_is_left_is_that_of_the_first_on_every_side(side):
    """Without the fragile segments the gain is the difference of the two scores on the others, with its own sign."""
    rng = np.random.default_rng(2)
    testset, outputs = score_set(*(shift + rng.normal(size=60) for shift in (0.0, 0.3 if side == "greater" else -0.3)))
    (found,) = segments.run(pair_of(testset, outputs, "own_scores", settings=Settings(side)))
    one = found.fragility
    assert one is not None
    kept = np.setdiff1d(np.arange(60), one.removed)
    first, second = (np.mean([float(item.segments[k]) for k in kept]) for item in outputs)
    assert one.gain_after == pytest.approx(first - second)


def test_a_slice_of_twenty_segments_is_tested():
    """One of 19 segments is not, and neither is one of all segments."""
    kinds = {"topic": np.repeat(["a", "b", "c"], [20, 19, 21]), "all": np.repeat(["x"], 60)}
    assert [(kind, name, mask.sum()) for kind, name, mask in chosen(kinds)] == [("topic", "a", 20), ("topic", "c", 21)]


# ---- ratings, texts beside scores, Python


def test_ratings_are_means_by_segment():
    """Ratings of both outputs, under the names of the files or by number; nan where nobody rated."""
    testset, outputs = text_set(n=3)
    shown = segments.Texts(testset, *outputs[:2])
    names = [outputs[0].system] * 3 + [outputs[1].system, "another"]
    rated = sigcore.Judgments("r", np.array(names), np.array(["1", "1", "3", "2", "2"]), np.array([10.0, 20, 5, 7, 9]))
    found = segments.ratings_of(rated, shown)
    assert found is not None
    assert np.array_equal(found, [[15, np.nan, 5], [np.nan, 7, np.nan]], equal_nan=True)
    from_zero = replace(rated, segment=np.array(["0", "0", "2", "1", "1"]), digest="")
    assert np.array_equal(segments.ratings_of(from_zero, shown), found, equal_nan=True)
    assert segments.ratings_of(replace(rated, segment=np.array(["x"] * 5), digest=""), shown) is None


def test_texts_are_shown_beside_scores(tmp_path):
    """Where scores of systems are compared and their texts are loaded, too, the segments have the texts."""
    for name, lines in {"ref": "a b\nc d\n", "A": "a b\nc x\n", "B": "a y\nc d\n"}.items():
        (tmp_path / f"{name}.txt").write_text(lines, encoding="utf-8")
    (tmp_path / "scores.csv").write_text("segment,A,B\n1,0.9,0.1\n2,0.2,0.7\n", encoding="utf-8")
    collection = sigcore.Collection.of(
        str(tmp_path / "scores.csv"), references=[str(tmp_path / "ref.txt")], systems=[str(tmp_path / f"{s}.txt") for s in "AB"]
    )  # fmt: skip
    collection.select(kind="scores")
    loaded = collection.sound()
    shown = segments.texts_of(collection, loaded, "A", "B")
    assert shown.readable
    assert shown.all_of(0) == ["a b", "a b", "a y"]


def test_one_call_in_python():
    """`sigcore.segments` gives the influences, the texts and the fragility of two lists."""
    testset, outputs = text_set(n=30)
    found = sigcore.segments(outputs[0].segments, outputs[1].segments, testset.references[0], resamples=200)
    assert found.influences == pytest.approx(quick(testset, outputs).influences)
    assert found.segments()[0].influence == found.influences.max()
    assert "segments for system" in str(found) or "segment for system" in str(found)
