"""What segments add, repeats, slices, words and filters at their bounds, from small made-up results."""

from __future__ import annotations

import importlib
import itertools
import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sigcore.errors import MismatchError, OptionError
from sigcore.studies import statistics
from sigcore.studies.segments import result as module
from sigcore.studies.segments.influence import Behind
from sigcore.studies.segments.repeats import Repeats, repeated
from sigcore.studies.segments.result import Segment, SegmentsResult
from sigcore.studies.segments.select import NO_END, Filter, read_lengths, selected
from sigcore.studies.segments.texts import Texts, edit
from sigcore.testset import Outputs, Testset
from tests.made import score_set
from tests.unit import factories

# the package has functions of these names
repeated_module, slices, words = (
    importlib.import_module(f"sigcore.studies.segments.{name}") for name in ("repeats", "slices", "words")
)


def texts_of(first: Any, second: Any, reference: Any = (), source: Any = (), **more: Any) -> Texts:
    n = len(first)
    testset = Testset("t", more.pop("kind", "text"), n, (tuple(reference),) if reference else (), tuple(source), **more)
    return Texts(testset, Outputs("A", tuple(first)), Outputs("B", tuple(second)))


def result_of(
    influences: Any, apart: Any = None, gain: float | None = None, texts: Texts | None = None, **more: Any
) -> SegmentsResult:
    values = np.asarray(influences, dtype=float)
    n = len(values)
    whole = float(np.nansum(values)) if gain is None else gain
    return SegmentsResult(
        setup=factories.matrix().setup, system="A", baseline="B", scores=(1.0, 1.0 - whole), gain=whole, influences=values, without=np.zeros(n),
        segment_scores=np.zeros((2, n)), scored_apart=np.ones(n, dtype=bool) if apart is None else np.asarray(apart),
        texts=texts or texts_of(["a"] * n, ["b"] * n, ["a"] * n), **more,
    )  # fmt: skip


# ---- what segments add


@pytest.mark.parametrize(
    ("influences", "apart", "sides"),
    [
        ([2.0, 1.0, -0.5, 0.0], [True, True, True, True], (2, 3.0, 1, -0.5, 1, 0.0)), ([2.0, 1.0, -0.5, 0.25], [True, False, True, False], (1, 2.0, 1, -0.5, 2, 1.25)),
        ([math.nan, 1.0, -0.5], [True, True, True], (1, 1.0, 1, -0.5, 1, 0.0)), ([0.0, 0.0], [True, True], (0, 0.0, 0, 0.0, 2, 0.0)),
    ],
)  # fmt: skip
def test_segments_speak_for_a_side_or_for_neither(
    influences: list[float], apart: list[bool], sides: tuple[float, ...]
) -> None:
    assert tuple(result_of(influences, apart).sides) == pytest.approx(sides)


@pytest.mark.parametrize(
    ("influences", "apart", "gain", "words_"),
    [
        ([2.0, 1.0, -0.5], None, None, "A is ahead of B by 2.50 BLEU: 2 segments for A (+3.00), 1 for B (-0.50), 0 for neither."),
        ([-2.0, 1.0, -0.5], None, None, "B is ahead of A by 1.50 BLEU: 1 segment for A (+1.00), 2 for B (-2.50), 0 for neither."),
        ([1.0, -1.0], None, 0.0, "A and B have the same score: 1 segment for A (+1.00), 1 for B (-1.00), 0 for neither."),
        ([1.0, 0.25], [True, False], None, "A is ahead of B by 1.25 BLEU: 1 segment for A (+1.00), 0 for B (0.00), 1 for neither (+0.25)."),
        ([1.0, 0.0], [True, False], None, "A is ahead of B by 1.00 BLEU: 1 segment for A (+1.00), 0 for B (0.00), 1 for neither."),
        ([-1.0], None, None, "B is ahead of A by 1.00 BLEU: 0 segments for A (0.00), 1 for B (-1.00), 0 for neither."),
        ([0.0, 0.0], None, None, "A and B have the same BLEU on every segment."),
    ],
)  # fmt: skip
def test_who_is_ahead_in_words(influences: list[float], apart: Any, gain: float | None, words_: str) -> None:
    found = str(result_of(influences, apart, gain)).replace("\N{MINUS SIGN}", "-").replace("+0.00", "0.00")
    assert found == words_


@pytest.mark.parametrize(
    ("influences", "few"),
    [([8.0, 2.0], 1), ([7.9, 2.1], 2), ([-8.0, -2.0], 1), ([10.0, 5.0, -5.0], 1), ([4.0, 4.0, 1.0, 1.0], 2), ([1.0, -1.0], None), ([5.0, math.nan], 1), ([-1.0, -1.0, 1.0], 1)],
)  # fmt: skip
def test_the_fewest_segments_that_bring_80_percent(influences: list[float], few: int | None) -> None:
    """Those that speak most for the gain first; none without a gain."""
    result = result_of(influences)
    assert result.most_of_it == few
    towards = sorted((math.copysign(1, result.gain) * (0 if math.isnan(x) else x) for x in influences), reverse=True)
    shares = np.cumsum(towards) / abs(result.gain) if result.gain else []
    assert result.curve.tolist() == pytest.approx(list(shares))
    said = module.concentration(result)
    assert said == ("" if few is None else said)
    if few is not None:
        noun, verb = ("segment", "brings") if few == 1 else ("segments", "bring")
        assert said == f"{few} {noun} ({few / len(influences):.1%} of all) {verb} 80% of the gain."


@pytest.mark.parametrize(
    ("n", "places"), [(1, [1]), (3, [1, 2, 3]), (40, [1, 2, 4, 8, 20, 40]), (200, [2, 4, 10, 20, 40, 100, 200])]
)
def test_the_curve_is_written_at_some_shares(n: int, places: list[int]) -> None:
    """1, 2, 5, 10, 20, 50 and 100 percent of the segments, rounded up, each number once."""
    found = result_of(np.ones(n)).concentration
    assert [one.segments for one in found] == places
    assert [one.share for one in found] == pytest.approx([place / n for place in places])
    assert {one.of for one in found} == {n}
    assert result_of([1.0, -1.0]).concentration == []


def test_a_segment_has_its_numbers() -> None:
    """From 1; what it repeats, its texts and ratings."""
    shown = texts_of(["a b", "c"], ["a", "c"], ["a b", "c d e"], ["x", "y"], documents=("d", "e"), domains=("n", "m"))
    shown = replace(shown, ids=("one", "two"), ratings=np.array([[1.0, math.nan], [2.0, 3.0]]))
    first = np.array([0, 0])
    result = result_of([1.0, -0.5], texts=shown, repeats=Repeats(first, 0.1, 0.2, 0.3, 0.05, 99))
    result = replace(result, segment_scores=np.array([[1.0, math.nan], [2.0, 3.0]]), without=np.array([5.0, 6.0]))
    one, two = (result.segment(place) for place in range(2))
    assert (one.number, two.number, one.name, two.name) == (1, 2, "one", "two")
    assert (one.repeats, two.repeats) == (None, 1)
    assert (two.document, two.domain, two.source, two.references, two.outputs) == (
        "e",
        "m",
        "y",
        ("c d e",),
        ("c", "c"),
    )
    assert (two.influence, two.gain_without, one.length, two.length) == (-0.5, 6.0, 2, 3)
    assert (one.ratings, one.scores) == ((1.0, 2.0), (1.0, 2.0))
    assert [module.score_of(two, k) for k in (0, 1)] == ["n/a", "3.00"]
    assert one.given == [("source", "x"), ("reference", "a b")]
    row = module.flat(two)
    assert math.isnan(row["rating"])  # type: ignore[arg-type]
    assert (row["baseline_rating"], row["reference"]) == (3.0, "c d e")
    plain = result_of([1.0], texts=texts_of(["a"], ["b"])).segment(0)
    assert (plain.name, plain.document, plain.domain, plain.source, plain.ratings, plain.repeats, plain.given) == (
        "",
        "",
        "",
        "",
        None,
        None,
        [],
    )
    assert "rating" not in module.flat(plain)


def test_several_references_are_numbered() -> None:
    testset = Testset("t", "text", 1, (("a",), ("b",)))
    shown = Texts(testset, Outputs("A", ("a",)), Outputs("B", ("b",)))
    one = Segment(result_of([1.0], texts=shown), 0)
    assert one.given == [("reference 1", "a"), ("reference 2", "b")]
    row = module.flat(one)
    assert (row["reference"], row["reference_2"]) == ("a", "b")


def test_sentences_are_those_that_there_are() -> None:
    none = Repeats(np.array([0, 1]), 0.1, 0.2, 0.3, 0.05, 99)
    some = Repeats(np.array([0, 0]), 0.1, 0.2, 0.3, 0.05, 99)
    base = result_of([1.0, 1.0])
    assert len(module.sentences(base)) == 2
    assert len(module.sentences(replace(base, repeats=none))) == 2
    assert len(module.sentences(replace(base, repeats=some))) == 3
    assert len(module.sentences(result_of([1.0, -1.0]))) == 1


# ---- repeats


@pytest.mark.parametrize(
    ("first", "before", "after", "words_"),
    [
        ([0, 1, 2], 0.01, 0.01, "No segment repeats another one."), ([0, 0, 2], 0.01, 0.05, "1 segment repeats an earlier one or nearly so. Without it p is 0.050 (0.010 with it)."),
        ([0, 0, 0], 0.05, 0.0501, "2 segments repeat an earlier one or nearly so. Without them p is 0.050 (0.050 with them), and the verdict changes."),
        ([0, 0, 2], 0.2, 0.05, "1 segment repeats an earlier one or nearly so. Without it p is 0.050 (0.20 with it), and the verdict changes."),
    ],
)  # fmt: skip
def test_repeats_in_words(first: list[int], before: float, after: float, words_: str) -> None:
    one = Repeats(np.array(first), before, after, 0.1, 0.05, 9_999)
    assert str(one).replace("0.0501", "0.050").replace("0.051", "0.050") == words_
    assert one.groups == len({k for place, k in enumerate(first) if k != place})
    assert one.segments.tolist() == [place for place, k in enumerate(first) if k != place]


@pytest.mark.parametrize(
    ("same", "own", "is_near"), [(8, 1, True), (8, 2, True), (7, 2, False), (4, 1, True), (4, 2, False), (3, 1, False)]
)
def test_texts_are_nearly_the_same_by_four_fifths_of_their_words(same: int, own: int, is_near: bool) -> None:
    """Of the different words of both, and only of five words or more: so many are in both, and so many in one alone."""
    shared = [f"w{chr(97 + k)}" for k in range(same)]
    one, other = shared + [f"x{chr(97 + k)}" for k in range(own)], shared
    wanted = is_near and same >= 4
    if len(other) < 5:
        wanted = False
    assert repeated([" ".join(one), " ".join(other)]).tolist() == ([0, 0] if wanted else [0, 1])
    assert repeated([" ".join(one), " ".join(other)], exact=True).tolist() == [0, 1]
    assert repeated([" ".join(other), "z", " ".join(reversed(other))], exact=True).tolist() == [0, 1, 2]


@pytest.mark.parametrize(("count", "is_near"), [(3, False), (4, False), (5, True), (6, True)])
def test_short_texts_are_not_compared(count: int, is_near: bool) -> None:
    """Five different words at least: the same ones in another order are alike."""
    letters = [f"w{chr(97 + k)}" for k in range(count)]
    assert repeated([" ".join(letters), " ".join(letters[::-1])]).tolist() == ([0, 0] if is_near else [0, 1])


def test_repeats_go_to_the_first_one() -> None:
    """Also through others; case, punctuation and numbers do not matter, but prompts ask for other numbers. Empty texts repeat nothing."""
    base = "one two three four five six seven eight nine ten"
    nearly = base.replace("ten", "eleven")
    further = nearly.replace("nine", "twelve")
    assert repeated([base, "x", nearly, further, base.upper() + "!"]).tolist() == [0, 1, 0, 0, 0]
    assert repeated(["a 1 b", "a 22 b", "A, 3: B."]).tolist() == [0, 0, 0]
    assert repeated(["a 1 b", "a 22 b", "A, 1: B."], exact=True).tolist() == [0, 1, 0]
    assert repeated(["", "", "...", "a"]).tolist() == [0, 1, 2, 3]


def test_only_the_last_texts_with_a_word_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not more pairs than there is time for."""
    base = "one two three four five six seven eight nine"
    texts = [f"{base} {word}" for word in ("a", "b", "c", "d")]
    assert repeated(texts).tolist() == [0, 0, 0, 0]
    monkeypatch.setattr(repeated_module, "MOST_PAIRS", 0)
    assert repeated(texts).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("source", "reference", "kind", "is_there"),
    [
        (("a", "a"), (), "text", True),
        ((), ("a", "a"), "text", True),
        ((), (), "text", False),
        (("a", "a"), (), "scores", True),
    ],
)
def test_repeats_need_a_source_or_a_reference(
    source: Any, reference: Any, kind: str, is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a repeat p is that of before, and there is no other gain."""
    monkeypatch.setattr(repeated_module, "without", lambda *_: (7.0, 0.3))
    shown = texts_of(("1", "2"), ("2", "3"), reference, source, kind=kind)
    found = repeated_module.repeats((), shown, SimpleNamespace(resamples=9), 0.05, 0.04)  # type: ignore[arg-type]
    assert (found is not None) is is_there
    if found is not None:
        assert (found.p_before, found.p_after, found.gain_after) == (0.04, 0.3, 7.0)
        other = texts_of(
            ("1", "2"), ("2", "3"), ("a", "b") if reference else (), ("a", "b") if source else (), kind=kind
        )
        again = repeated_module.repeats((), other, SimpleNamespace(resamples=9), 0.05, 0.04)  # type: ignore[arg-type]
        assert again is not None
        assert (again.p_after, math.isnan(again.gain_after)) == (0.04, True)


# ---- behind a bar


@pytest.mark.parametrize(
    ("low", "high", "number", "swapped", "words_"),
    [
        (0.5, 0.75, 2, True, "2 of the first 1,000 shuffles have a gain from +0.50 to +0.75. To these gains, each segment adds its influence, times how much more often it was kept than swapped."),
        (0.5, 0.5, 1, False, "1 of the first 1,000 resamples has a gain of +0.50. To these gains, each segment adds its influence, times how much more often than once it was drawn."),
        (-math.inf, 0.5, 0, True, "0 of the first 1,000 shuffles have a gain of at most +0.50."), (0.5, math.inf, 0, True, "0 of the first 1,000 shuffles have a gain of at least +0.50."),
    ],
)  # fmt: skip
def test_resamples_behind_a_bar_in_words(low: float, high: float, number: int, swapped: bool, words_: str) -> None:
    one = Behind(low, high, number, 1_000, swapped, np.array([0.25, 1.5]), np.array([0.125, 0.5]))
    assert one.sentence(2) == words_
    assert (
        one.fact(0, 2)
        == f"adds +0.1250 to these gains, {'swapped in 25% of them' if swapped else 'drawn 0.25 times in each'}"
    )


# ---- filters


@pytest.mark.parametrize(
    ("text", "ends"),
    [("10-20", (10, 20)), ("10-", (10, NO_END)), ("-20", (0, 20)), ("10", (10, 10)), (" 10 - 20 ", (10, 20)), ("0", (0, 0)), ("-", None), ("", None), ("a", None), ("1-b", None), ("1-2-3", None)],
)  # fmt: skip
def test_a_range_of_lengths(text: str, ends: tuple[int, int] | None) -> None:
    if ends is None:
        with pytest.raises(OptionError):
            read_lengths(text)
    else:
        assert read_lengths(text) == ends


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ({}, [1, 3, 0, 2]), ({"sort": "loss"}, [2, 0, 3, 1]), ({"sort": "size"}, [2, 1, 3, 0]), ({"sort": "segment"}, [0, 1, 2, 3]), ({"least": 2, "sort": "segment"}, [1, 2, 3]),
        ({"least": 3, "sort": "segment"}, [2, 3]), ({"most": 2, "sort": "segment"}, [0, 1]), ({"most": 1, "sort": "segment"}, [0]), ({"least": 2, "most": 2, "sort": "segment"}, [1]),
        ({"segments": (1, 4), "sort": "segment"}, [0, 3]), ({"differing": True, "sort": "segment"}, [1, 2, 3]), ({"edit": "case", "sort": "segment"}, [2]),
        ({"edit": "words", "sort": "segment"}, [1]), ({"search": "SIX", "sort": "segment"}, [3]), ({"pattern": "^b", "sort": "segment"}, [1]), ({"document": "d", "sort": "segment"}, [0, 1]),
        ({"domain": "n", "sort": "segment"}, [3]), ({"document": "d", "segments": (2, 3)}, [1]), ({"search": "nothing"}, []),
    ],
)  # fmt: skip
def test_a_filter_leaves_segments_in_its_order(asked: dict[str, Any], places: list[int]) -> None:
    """Ties as in the file; an undefined influence is 0."""
    shown = texts_of(
        ["a", "b c", "d e f", "four five six."], ["a", "b x", "D e f", "four five six"], ["a", "b c", "d e f", "four five six"],
        documents=("d", "d", "e", "e"), domains=("m", "m", "m", "n"),
    )  # fmt: skip
    found = selected(shown, np.array([math.nan, 2.0, -3.0, 1.0]), Filter(**asked))
    assert found.tolist() == places
    tied = selected(shown, np.array([1.0, 0.0, 1.0, 0.0]), Filter())
    assert tied.tolist() == [0, 2, 1, 3]


@pytest.mark.parametrize("asked", [{"document": "x"}, {"domain": "x"}, {"pattern": "("}, {"pattern": "a" * 301}])
def test_what_cannot_be_looked_for_is_refused(asked: dict[str, Any]) -> None:
    shown = texts_of(["a"], ["b"], documents=("d",))
    with pytest.raises(OptionError):
        selected(shown, np.zeros(1), Filter(**asked))
    assert selected(shown, np.zeros(1), Filter(pattern="a" * 300)).tolist() == []


@pytest.mark.parametrize("wrong", [{"sort": "x"}, {"edit": "x"}, {"least": 2, "most": 1}])
def test_a_wrong_filter_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        Filter(**wrong)
    assert Filter(least=2, most=2).least == 2


# ---- words


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("a", "a", ""), ("A b", "a B", "case"), ("a, b", "a b", "punctuation"), ("a b.", "A b", "punctuation"), ("a 1 b", "a 22.5 b", "numbers"), ("a b c", "c b a", "order"),
        ("a b c", "a b d", "words"), ("a b", "a b c", "words"), ("ab c", "a bc", "punctuation"), ("abc d", "d bca", "words"), ("a 1", "a one", "words"),
        ("aaaaaaaa b", "aaaaaaaa c", "words"), ("ab ba", "ba ab", "order"),
    ],
)  # fmt: skip
def test_in_what_two_texts_differ(one: str, other: str, kind: str) -> None:
    assert edit(one, other) == edit(other, one) == kind


def lcs(one: str, other: str) -> int:
    """The length of a longest common subsequence, by all subsequences."""
    for size in range(min(len(one), len(other)), 0, -1):
        parts = set(itertools.combinations(other, size))
        if any(part in parts for part in itertools.combinations(one, size)):
            return size
    return 0


@pytest.mark.parametrize("one", ["", "a", "ab", "abcab", "aabb", "cbabac"])
@pytest.mark.parametrize("other", ["", "a", "b", "abc", "bbaa", "abcbdab"])
def test_matched_words_are_a_longest_common_subsequence(one: str, other: str) -> None:
    """In the order of both texts."""
    found = words.matched(one, other)
    assert len(found) == lcs(one, other)
    assert all(one[k] == other[j] for k, j in found)
    assert all(a < c and b < d for (a, b), (c, d) in itertools.pairwise(found))


@pytest.mark.parametrize(("most", "inner"), [(2, False), (3, True)])
def test_long_texts_are_compared_from_both_ends_alone(most: int, inner: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is between has three words of the longer one."""
    monkeypatch.setattr(words, "MOST_WORDS", most)
    wanted = [(0, 0), *([(2, 1)] if inner else []), (4, 3)]
    assert words.matched("axbyz", "abcz") == wanted


def test_the_nearest_of_several_references_is_the_first_of_equal_ones() -> None:
    assert words.differences("a b", "a c", ["x", "a b", "a c"]).reference == 1
    assert words.differences("a", "a", ["a", "a"]).reference == 0
    assert words.differences("a", "b", []).reference is None
    assert words.marked(words.differences("a b", "a c", []).system) == "a [-c-] {+b+}"


@pytest.mark.parametrize(
    ("longest", "gained"),
    [("a b c d", ("a b c d", "a b c", "b c d", "a b", "b c", "c d", "a", "b", "c", "d")), ("a b", ("a b", "a", "b"))],
)
def test_ngrams_of_up_to_four_words_match(longest: str, gained: tuple[str, ...]) -> None:
    """As often as the reference has them; the longest first."""
    assert words.matches(longest, "", [longest]).gained == gained
    assert words.matches("", longest, [longest]).lost == gained
    assert all(len(one.split()) <= 4 for one in words.matches("a b c d e f", "", ["a b c d e f"]).gained)
    assert words.matches("a a a", "a", ["a a", "x"]).gained == ("a a", "a")
    assert words.matches("\u6c34\u706b", "", ["\u6c34\u706b"]).gained[0] == "\u6c34\u706b"


# ---- parts of the test set


@pytest.mark.parametrize(
    ("size", "n", "is_there"), [(19, 40, False), (20, 40, True), (39, 40, True), (40, 40, False), (20, 20, False)]
)
def test_a_part_has_twenty_segments_but_not_all(size: int, n: int, is_there: bool) -> None:
    names = np.array(["x"] * size + [""] * (n - size))
    found = slices.chosen({"kind": names})
    assert [(kind, name) for kind, name, _ in found] == ([("kind", "x")] if is_there else [])
    assert not found or found[0][2].sum() == size


@pytest.mark.parametrize(
    ("first", "second", "kinds"), [(12, 12, {"a", "b"}), (13, 12, {"a"}), (24, 1, {"a"}), (25, 12, {"b"})]
)
def test_a_kind_with_too_many_parts_is_left_out(first: int, second: int, kinds: set[str]) -> None:
    """Twenty-four in all."""

    def named(count: int) -> np.ndarray:
        return np.resize(np.repeat([f"p{k}" for k in range(count)] + ["rest"] * (count == 1), 20), 520)

    assert {kind for kind, _, _ in slices.chosen({"a": named(first), "b": named(second)})} == kinds


def test_parts_are_in_the_order_of_their_numbers() -> None:
    names = np.repeat(["10 to 12", "2 to 9", "x", "-3 to 1"], 20)
    assert [name for _, name, _ in slices.chosen({"k": names})] == ["-3 to 1", "2 to 9", "10 to 12", "x"]


@pytest.mark.parametrize(("different", "is_cut"), [(12, False), (13, True)])
def test_many_different_numbers_are_cut_into_quarters(different: int, is_cut: bool) -> None:
    """Of numbers from 1 on, a missing one in no part; names are never cut."""
    numbers = [str(k + 1) for k in range(different)] + ["n/a"]
    found = slices._column("k", numbers, different + 1).tolist()
    if is_cut:
        assert found == ["1 to 4"] * 4 + ["5 to 7"] * 3 + ["8 to 10"] * 3 + ["11 to 13"] * 3 + [""]
    else:
        assert found == numbers
    texts = [f"t{k}" for k in range(different + 1)]
    assert slices._column("k", texts, different + 1).tolist() == texts
    with pytest.raises(MismatchError, match=f"{different:,} segments"):
        slices._column("k", numbers, different)


def test_rare_words_are_those_of_one_segment() -> None:
    """More than the median share of the different words."""
    assert slices._rare(["a a b", "a c d", "a", "A"]).tolist() == [
        "more rare words",
        "more rare words",
        "fewer rare words",
        "fewer rare words",
    ]
    assert slices._rare(["", "a"]).tolist() == ["fewer rare words", "more rare words"]


def test_a_second_script_is_not_that_of_most_texts() -> None:
    assert slices._scripts(["a", "b \u03b1", "\u03b1", "c"]).tolist() == [
        "one script",
        "a second script",
        "a second script",
        "one script",
    ]


@pytest.mark.parametrize(
    ("text", "question", "number", "name"),
    [("Is it so?", True, False, False), ('"Is it?" ', True, False, False), ("No. Is it", False, False, False), ("I saw Anna", False, False, True), ("Anna saw 3", False, True, False), ("I see, Bo.", False, False, True)],
)  # fmt: skip
def test_texts_declare_their_parts(text: str, question: bool, number: bool, name: bool) -> None:
    found = slices._of_texts([text])
    assert found["question"].tolist() == ["question" if question else "no question"]
    assert found["number"].tolist() == ["with a number" if number else "without a number"]
    assert found["name"].tolist() == ["with a capital inside" if name else "without a capital inside"]


def test_lengths_are_words_or_letters() -> None:
    """Of the reference; without one of the source, or the longer output; letters where a script has no blanks."""
    assert texts_of(["a b c", "a"], ["a", "a b"], ["x y", "x"]).lengths.tolist() == [2, 1]
    assert texts_of(["a b c", "a"], ["a", "a b"], (), ["x", "x y z w"]).lengths.tolist() == [1, 4]
    assert texts_of(["a b c", "a"], ["a", "a b"]).lengths.tolist() == [3, 2]
    assert texts_of(["\u3053\u308c\u306f \u732b\u3067\u3059"] * 2, ["\u732b"] * 2).lengths.tolist() == [6, 6]


def test_a_part_is_the_test_set_without_the_other_segments() -> None:
    """With a row for each unit that is drawn; its spread is the root of the squares of what its units add."""
    testset, outputs = score_set([1.0, 3.0, 4.0, 9.0], np.zeros(4))
    (measured,) = statistics.measure(testset, outputs, [("own_scores", {})])
    one = measured.systems[0]
    mask = np.array([1.0, 0.0, 1.0, 1.0])
    assert slices._part(one, mask, None).values.tolist() == (one.values * mask[:, None]).tolist()
    units = np.array([0, 0, 1, 1])
    assert slices._part(one, mask, units).values.tolist() == [
        one.values[0].tolist(),
        (one.values[2] + one.values[3]).tolist(),
    ]
    wanted = [("kind", "name", mask)]
    (plain,), (by_unit,) = (slices._spreads(measured.systems, wanted, of) for of in (None, units))
    assert plain == pytest.approx(math.sqrt(1 + 16 + 81) / 3)
    gain, without = 14 / 3, (13 / 2, 1 / 1)  # of all, and without the first and the second unit
    adds = [gain / 2 + (sum(without) / 2 - one) / 2 for one in without]
    assert by_unit == pytest.approx(math.hypot(*adds))
