"""Small decisions of studies, one step to either side: what repeats, what is a slice, what wins a question, what is enough."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest

from sigcore.data import Collection
from sigcore.errors import MismatchError, SigError, Undefined
from sigcore.judgments import judgments
from sigcore.preferences import preferences
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies import enough, pairs, units
from sigcore.studies.human import judges, metrics_differ
from sigcore.studies.matrix import notes
from sigcore.studies.pairwise import compute as pairwise
from sigcore.studies.segments import influence, repeats, slices
from sigcore.studies.segments.texts import Texts
from sigcore.studies.tasks import compute as tasks
from sigcore.studies.tasks import fragile
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.types import DOCUMENT, SEGMENT, Unit

# ---- segments that repeat another


TEN = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (TEN, [*TEN[1:], "x"], True),  # 9 of 11 words are in both
        (TEN, [*TEN[2:], "x", "y"], False),  # 8 of 12
        (TEN[:5], TEN[4::-1], True),  # five words in another order
        (TEN[:4], TEN[3::-1], False),  # four are alike by chance
        (TEN[:4], [word.upper() for word in TEN[:4]], True),  # the same but for capitals
        ([*TEN[:3], "7"], [*TEN[:3], "12"], True),  # and numbers
    ],
)
def test_texts_that_are_nearly_the_same(one: list[str], other: list[str], alike: bool) -> None:
    """Four fifths of the different words of both, of texts of five words or more."""
    assert repeats.repeated([" ".join(one), "quite another text of words", " ".join(other)]).tolist() == [
        0,
        1,
        0 if alike else 2,
    ]


def test_prompts_repeat_only_word_for_word() -> None:
    """Other numbers ask for something else."""
    assert repeats.repeated(["add 7 and 8", "add 7 and 9", "Add 7 and 8"], exact=True).tolist() == [0, 1, 0]


@pytest.mark.parametrize(("sources", "first"), [(("q w e r t y",) * 3, [0, 0, 0]), ((), [0, 1, 1])])
def test_repeats_are_those_of_the_source(sources: tuple[str, ...], first: list[int]) -> None:
    """Without one, those of the first reference."""
    stream = ("a b c d e f", "g h i j k l", "g h i j k l")
    testset = Testset("t", "text", 3, (stream,), sources)
    both = Texts(testset, Outputs("A", stream), Outputs("B", stream))
    systems = means([1.0, 2.0, 3.0], [0.5, 2.5, 1.0])
    found = repeats.repeats(systems, both, pairs.How("approximate_randomization", resamples=50), 0.05, 0.5)
    assert found is not None
    assert found.first.tolist() == first


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [(0.05, 0.06, True), (0.05, 0.04, False), (0.06, 0.05, True), (0.06, 0.07, False)],
)
def test_a_verdict_that_changes_without_repeats(before: float, after: float, changes: bool) -> None:
    """p at alpha is significant."""
    found = repeats.Repeats(np.array([0, 1, 0, 1, 0]), before, after, 1.0, 0.05, 1000)
    assert (found.changes, found.groups, found.segments.tolist()) == (changes, 2, [2, 3, 4])
    columns = {field.name: field for field in repeats.REPEATS}
    assert columns["segments"].of(found).tolist() == [3, 4, 5]  # type: ignore[operator]
    assert columns["of"].of(found).tolist() == [1, 2, 1]  # type: ignore[operator]


# ---- slices


def test_a_slice_has_twenty_segments_and_not_all() -> None:
    """A name for missing ones is none; kinds that would be too many are left out whole."""
    names = np.array(["a"] * 20 + ["b"] * 19 + [""] * 21)
    assert [(kind, name) for kind, name, _ in slices.chosen({"k": names})] == [("k", "a")]
    assert slices.chosen({"k": np.array(["a"] * 60)}) == []
    many, few = np.repeat([f"n{k}" for k in range(23)], 20), np.tile(np.array(["x", "y"]), 230)
    assert {kind for kind, *_ in slices.chosen({"many": many, "few": few})} == {"many"}
    fewer = np.where(many == "n22", "n21", many)
    assert len(slices.chosen({"fewer": fewer, "few": few})) == slices.MOST


def texts(stream: tuple[str, ...]) -> Texts:
    testset = Testset("t", "text", len(stream), (stream,))
    return Texts(testset, Outputs("A", stream), Outputs("B", stream))


def test_more_rare_words_than_the_median() -> None:
    """A word of one segment alone is rare, a word of two is not; a share at the median is not above it."""
    found = slices.labels(texts(("all one", "all two", "all all", "all pair pair2", "all pair pair3")))["rare words"]
    assert found.tolist() == [
        "more rare words",
        "more rare words",
        "fewer rare words",
        "fewer rare words",
        "fewer rare words",
    ]


@pytest.mark.parametrize(("different", "cut"), [(12, False), (13, True)])
def test_many_different_numbers_are_cut_into_quarters(different: int, cut: bool) -> None:
    """More than twelve; one of the names of a declared kind is marked as somebody's own."""
    stream = tuple(f"text {k}" for k in range(39))
    column = [str(k % different) for k in range(39)]
    found = slices.labels(texts(stream), {"length": column, "size": column})
    assert {"length (own)", "length", "size"} <= found.keys()
    assert (len(set(found["size"].tolist())) == different) is not cut
    with pytest.raises(MismatchError, match="size has 3 rows"):
        slices.labels(texts(stream), {"size": ["1"] * 3})


def test_columns_that_say_different_things_of_a_segment_are_not_used() -> None:
    """Rows are matched by the column that has all ids."""
    table = b"name,same,other\ns2,x,1\ns1,y,2\ns1,y,3\n"
    assert slices.columns_of("t.csv", table, ("s1", "s2")) == {"same": ("y", "x")}
    assert set(slices.columns_of("t.csv", table, ("s9",))) == {"name", "same", "other"}


@pytest.mark.parametrize(
    ("p", "adjusted", "significant"), [(0.01, 0.05, True), (0.01, 0.06, False), (0.05, 0.2, False)]
)
def test_a_slice_is_significant_after_the_correction(p: float, adjusted: float, significant: bool) -> None:
    """At alpha it is."""
    found = slices.Slice(None, "k", "n", 20, 0.1, 0.2, (0.0, 0.4), p, adjusted, 0.05)  # type: ignore[arg-type]
    assert found.significant is significant


# ---- what is behind some resamples


def behind(low: float, high: float, *, swapped: bool, n: int = 3) -> influence.Behind:
    return influence.Behind(low, high, n, 1000, swapped, np.array([0.25]), np.array([0.5]))


@pytest.mark.parametrize(
    ("low", "high", "where"),
    [
        (1.0, 2.0, "from +1.0 to +2.0"),
        (1.0, 1.0, "of +1.0"),
        (-math.inf, 2.0, "of at most +2.0"),
        (1.0, math.inf, "of at least +1.0"),
    ],
)
def test_resamples_by_their_gains_in_words(low: float, high: float, where: str) -> None:
    """An open end has one bound."""
    text = behind(low, high, swapped=True).sentence(1)
    assert text.startswith(f"3 of the first 1,000 shuffles have a gain {where}."), text
    assert text.endswith("times how much more often it was kept than swapped.")
    assert behind(low, high, swapped=False, n=1).sentence(1).startswith("1 of the first 1,000 resamples has a gain")


def test_how_often_a_segment_was_swapped_or_drawn() -> None:
    """In how many of the shuffles, or how many times in each resample."""
    assert behind(0, 1, swapped=True).fact(0, 1).endswith("swapped in 25% of them")
    assert behind(0, 1, swapped=False).fact(0, 1).endswith("drawn 0.25 times in each")


# ---- how many resamples are enough


@pytest.mark.parametrize(
    ("needed", "drawn"),
    [(enough.START, enough.START), (3, 3), (20_000, 20_000), (20_001, 50_000), (50_001, 100_000), (100_001, 200_000)],
)
def test_resamples_are_round_numbers(needed: int, drawn: int) -> None:
    """1, 2, 5 and 10 times a power of ten; what a first run has is not rounded."""
    assert enough.rounded(needed) == drawn


# ---- questions that are won


def test_the_better_score_wins_a_question() -> None:
    """Lower for errors; equal ones are a tie, and a row that one has not is none."""
    cells = np.array([[1.0, 2.0], [2.0, 2.0], [3.0, 2.0], [np.nan, 1.0], [0.0, 5.0]])
    for better, wins in (("higher", [1, 1, 2]), ("lower", [2, 1, 1])):
        battles = pairwise.of_scores(ScoreMatrix("m", tuple("12345"), ("A", "B"), cells, better=better))  # type: ignore[arg-type]
        assert pairwise.majorities(battles).tolist() == [wins]
        assert not battles.binary


def test_only_rounding_is_a_tie() -> None:
    """Half a point of a hundred is none, and what adding in another order changes is one."""
    cells = np.array([[100.0, 99.5], [100.0, 100.0 - 1e-10], [99.5, 100.0]])
    battles = pairwise.of_scores(ScoreMatrix("m", tuple("123"), ("A", "B"), cells))
    assert pairwise.majorities(battles).tolist() == [[1, 1, 1]]


def test_both_right_are_counted_where_all_scores_are_right_or_wrong() -> None:
    """1 is right."""
    cells = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0]])
    battles = pairwise.of_scores(ScoreMatrix("m", tuple("1234"), ("A", "B"), cells))
    assert battles.binary
    assert battles.both is not None
    assert battles.both.tolist() == [2]


def test_a_question_that_was_judged_several_times_counts_once() -> None:
    """By the sum of its judgments, in either order of the systems."""
    rows = [("A", "B", 1.0, "q1", ""), ("B", "A", 1.0, "q1", ""), ("A", "B", 1.0, "q2", ""), ("B", "A", 0.0, "q2", ""), ("A", "B", 0.5, "q2", ""),
            ("B", "A", 1.0, "q3", ""), ("A", "B", 0.75, "q4", "")]  # fmt: skip
    battles = pairwise.of_preferences(preferences("p", rows))
    assert pairwise.majorities(battles).tolist() == [[2, 1, 1]]
    assert sorted(battles.outcome.tolist()) == [0.0, 0.0, 0.5, 0.75, 1.0, 1.0, 1.0]


def test_a_pair_that_was_not_drawn_has_no_rate() -> None:
    """Neither a half nor zero."""
    battles = pairwise.of_preferences(preferences("p", [("A", "B", 1.0, "q1", ""), ("A", "C", 0.0, "q2", "")]))
    rates, _ = pairwise._scored(battles, pairwise._sums(battles), np.array([[1, 0], [0, 2]]))
    assert np.isnan(rates).tolist() == [[False, True], [True, False]]
    assert (rates[0, 0], rates[1, 1]) == (1.0, 0.0)


# ---- tasks


def task(name: str, values: list[list[float]], units_of: list[int] | None = None, better: str = "higher") -> tasks.Task:
    cells = np.array(values)
    own = np.arange(len(cells)) if units_of is None else np.array(units_of)
    names = tuple(f"{name}-{k}" for k in range(int(own.max()) + 1))
    return tasks.Task(name, "score", better, ("A", "B"), cells, own, "segment", names=names)  # type: ignore[arg-type]


def test_standard_errors_by_hand() -> None:
    """Of 1, 2, 4: the squares around 7/3 are 14/3, so the variance of the mean is 14/3 / 2 / 3. A cluster of two adds their
    products."""
    scores = np.array([[1.0], [2.0], [4.0]])
    assert tasks.standard_error(scores) == pytest.approx([math.sqrt(7 / 9)])
    products = 2 * (-4 / 3) * (-1 / 3)
    assert tasks.standard_error(scores, np.array([0, 0, 1])) == pytest.approx([math.sqrt(7 / 9 + products / 9)])
    assert np.isnan(tasks.standard_error(scores[:1])).all()


def test_an_average_of_two_tasks() -> None:
    """Its error is that of independent tasks: half the root of the sum of squares."""
    found = tasks.run([task("x", [[1, 0], [2, 1], [4, 1]]), task("y", [[0, 1], [1, 0], [1, 1]])], resamples=50)
    assert found.scores[2] == pytest.approx((found.scores[0] + found.scores[1]) / 2)
    assert found.errors[2] == pytest.approx(np.sqrt(found.errors[0] ** 2 + found.errors[1] ** 2) / 2)
    # the draws of the average are its own: independent of each other, so not the mean of the drawn tasks
    assert not np.array_equal(found.drawn[2], (found.drawn[0] + found.drawn[1]) / 2)


def test_tasks_that_cannot_be_averaged_are_refused() -> None:
    """Of other directions, and with one unit."""
    first = task("x", [[1, 0], [2, 1]])
    with pytest.raises(MismatchError, match="On y lower scores are better, on x higher ones"):
        tasks.run([first, task("y", [[1, 0], [2, 1]], better="lower")], resamples=10)
    with pytest.raises(Undefined, match="y has only one segment"):
        tasks.run([first, task("y", [[1, 0], [2, 1]], [0, 0])], resamples=10)


# ---- notes and units


def grid(*counts: int) -> list[np.ndarray]:
    """The number of units on which A and B, A and C, B and C differ."""
    out = np.zeros((3, 3), dtype=np.int64)
    out[np.triu_indices(3, k=1)] = counts
    return [out + out.T]


def few(n: int, unit: Unit = SEGMENT, counts: tuple[int, ...] = ()) -> str:
    from sigcore import significance

    members = [significance.get(name) for name in ("paired_bootstrap", "approximate_randomization")]
    return " ".join(notes.of_few_units(unit, n, members, grid(*counts) if counts else ()))


@pytest.mark.parametrize(
    ("n", "counts", "said", "unsaid"),
    [
        (9, (), "With 9 segments no interval is given", "tends"),
        (10, (), "With 10 segments p of", "no interval is given"),
        (59, (), "intervals of bootstrap tests are too narrow", "no interval is given"),
        (60, (), "", "segments"),
        (100, (9, 80, 80), "differ on only 9 of 100 segments", "tends"),
        (100, (10, 59, 80), "differ on only 10 to 59 of 100 segments", "no interval is given"),
        (100, (3, 7, 60), "differ on only 3 to 7 of 100 segments", "tends"),
    ],
)
def test_notes_on_few_units(n: int, counts: tuple[int, ...], said: str, unsaid: str) -> None:
    """Fewer than ten allow no bootstrap p, fewer than sixty make it small; units that do not differ add nothing."""
    text = few(n, counts=counts)
    assert said in text, text
    assert unsaid not in text, text


def test_the_rates_of_the_pair_that_differs_least_are_told() -> None:
    """They are the worst."""
    worst, best = few(100, counts=(10, 59, 80)), few(100, counts=(59, 59, 80))
    assert worst.partition("true nulls of ")[2][:3] != best.partition("true nulls of ")[2][:3]


@pytest.mark.parametrize(("unit", "n", "ways"), [(DOCUMENT, 6, "64"), (DOCUMENT, 5, "32"), (SEGMENT, 6, "")])
def test_few_documents_can_be_swapped_in_few_ways(unit: Unit, n: int, ways: str) -> None:
    """p hardly falls below two of them; of segments nothing is said of that."""
    text = few(n, unit)
    assert (f"{n} documents can be swapped in only {ways} ways" in text) is bool(ways)
    assert ("can be swapped" in text) is bool(ways)
    if n == 6 and ways:
        assert "hardly falls below 0.031" in text


def test_blocks_are_neighbours() -> None:
    """The last one may be shorter."""
    testset = Testset("t", "text", 5, (("a",) * 5,))
    assert units.groups(testset, Unit("block", 2)).tolist() == [0, 0, 1, 1, 2]  # type: ignore[union-attr]
    named = Testset("t", "text", 4, (("a",) * 4,), documents=("y", "x", "y", "x"))
    assert units.groups(named, DOCUMENT).tolist() == [0, 1, 0, 1]  # type: ignore[union-attr]


@pytest.mark.parametrize(("effect", "clear"), [(1.8, False), (1.95, True), (1.0, False)])
def test_a_design_effect_is_clear_beyond_two_standard_errors(effect: float, clear: bool) -> None:
    """Of nine units: 1 + 2 times the root of 2 / 8 is 2; of ten it is 1.94."""
    found = units.DesignEffect(DOCUMENT, 10, np.array([[np.nan, effect], [effect, np.nan]]), np.array([1.0, 1.0]))
    assert found.clear is clear


def test_the_jackknife_variance_by_hand() -> None:
    """Of 1, 2, 6: the squares around 3 are 14, two thirds of which it is."""
    assert units.variance(np.array([1.0, 2.0, 6.0])) == pytest.approx(28 / 3)


def test_a_pair_that_is_turned_to_its_gain_has_one_direction() -> None:
    """Less is greater the other way round."""
    sides: Mapping[str, str] = {"less": "greater", "greater": "greater", "two-sided": "two-sided"}
    assert {side: pairs.How(side=side).settings.side for side in sides} == sides  # type: ignore[arg-type]


# ---- pairs of statistics


def means(*columns: list[float], better: str = "higher") -> list[SufficientStatistics]:
    """Systems whose score is the mean of these numbers."""
    whole = tasks.Task(
        "t", "m", better, tuple("ABCDEF"[: len(columns)]), np.array(columns).T, np.arange(len(columns[0])), "segment"
    )  # type: ignore[arg-type]
    return [tasks.statistics(whole, k) for k in range(len(columns))]


@pytest.mark.parametrize(
    ("better", "order"), [("higher", [[1, 2], [1, 0], [2, 0]]), ("lower", [[0, 1], [0, 2], [1, 2]])]
)
def test_the_better_system_of_a_pair_comes_first(better: str, order: list[list[int]]) -> None:
    """Equal ones in their order."""
    systems = means([1.0, 1.0], [2.0, 2.0], [2.0, 2.0], better=better)
    assert pairs.by_gain(systems).tolist() == order


@pytest.mark.parametrize(
    ("test", "differing", "p"),
    [
        ("paired_bootstrap", 0, "one"),
        ("paired_bootstrap", 9, "none"),
        ("paired_bootstrap", 10, "some"),
        ("approximate_randomization", 0, "one"),
        ("approximate_randomization", 9, "some"),
    ],
)
def test_p_of_a_pair_that_differs_on_few_rows(test: str, differing: int, p: str) -> None:
    """Of equal systems it is 1; a bootstrap needs ten rows on which they differ."""
    first = [k % 7 / 3 + (0.3 if k < differing else 0.0) for k in range(30)]
    systems = means(first, [k % 7 / 3 for k in range(30)])
    found = pairs.examine(systems, np.array([[0, 1]]), pairs.How(test, "two-sided", resamples=200)).p_values[0]
    assert ("one" if found == 1 else "none" if math.isnan(found) else "some") == p


# ---- the fewest questions


@pytest.mark.parametrize(("better", "named"), [("higher", ("A", "B")), ("lower", ("C", "B"))])
def test_the_two_best_systems_of_a_task(better: str, named: tuple[str, str]) -> None:
    """Lower scores may be better; a question is called by its number from 1."""
    cells = np.array([[3.0 + k % 3, 2.0 + k % 2, 1.0] for k in range(20)])
    whole = tasks.Task("t", "m", better, ("A", "B", "C"), cells, np.arange(20) // 2, "document")  # type: ignore[arg-type]
    (found,) = fragile.hanging(tasks.run([whole], resamples=200), 0.05)
    assert (found.system, found.baseline) == named
    called = found.fragility.names
    assert called == tuple(
        str(k + 1)
        for k in sorted({int(k) // 2 for k in found.fragility.removed.tolist()}, key=lambda k: called.index(str(k + 1)))
    )


def test_mean_signs_of_an_average_are_no_more_than_one() -> None:
    """All units of all tasks together have the size 1."""
    found = tasks.run([task("x", [[1, 0], [2, 1]]), task("y", [[0, 1], [1, 0]])], resamples=200)
    assert np.abs(found.signs[2]).max() == pytest.approx(1.0)


# ---- gains of some resamples


def test_units_behind_some_gains() -> None:
    """The ends belong to it, and the segments of a document were drawn equally often."""
    found = influence.Influences(1.0, np.array([0.25, 0.25, 0.5]), np.zeros(3))
    null = np.array([1.0, 2.0, 3.0])
    assert [
        influence.behind(found, null, ends, "swap", 7).resamples for ends in ((1.0, 2.0), (1.5, 3.0), (4.0, 5.0))
    ] == [2, 2, 0]
    of_documents = influence.behind(found, null, (1.0, 3.0), "bootstrap", 7, unit_of=np.array([0, 0, 1]))
    assert len(of_documents.often) == 3
    assert of_documents.often[0] == of_documents.often[1]
    assert of_documents.often[0] + of_documents.often[2] == pytest.approx(2.0)


# ---- people


def rated(z: list[float], **more: object) -> object:
    columns: dict[str, list[object]] = {
        "system": ["A", "A", "B", "B"],
        "segment": ["1", "2", "1", "2"],
        "score": [1.0, 2.0, 3.0, 4.0],
        "judge": ["Ann", "Ann", "Eve", "Eve"],
        "z": list(z),
    }
    return judgments("j", columns | more, absolute=False)  # type: ignore[operator,arg-type]


def test_how_ratings_are_standardised_where_nobody_says() -> None:
    """By the z of the file if all that count have one; points stay as they are; else by all ratings of a judge."""
    nan = math.nan
    assert judges.default_standard(rated([0.5, -0.5, 1.0, 0.0])) == "given"  # type: ignore[arg-type]
    both = ["Ann", "Eve", "Ann", "Eve"]
    assert judges.default_standard(rated([0.5, -0.5, 1.0, nan], judge=both)) == "all"  # type: ignore[arg-type]
    assert judges.default_standard(rated([0.5, -0.5, 1.0, nan])) == "none"  # type: ignore[arg-type]
    control = rated([0.5, -0.5, 1.0, nan], kind=["ordinary", "ordinary", "ordinary", "degraded"])
    assert judges.default_standard(control) == "given"  # type: ignore[arg-type]
    points = judgments("j", {"system": ["A"], "segment": ["1"], "score": [1.0]}, absolute=True)
    assert judges.default_standard(points) == "none"


def test_a_judge_by_hand() -> None:
    """1 and 2 have the mean 1.5 and the SD of n - 1 0.707; a judge with one rating, or with equal ones, has none."""
    found = judges.standardise(rated([math.nan] * 4), "all")  # type: ignore[arg-type]
    assert found.z == pytest.approx([-math.sqrt(0.5), math.sqrt(0.5)] * 2)
    same = judges.standardise(rated([math.nan] * 4, score=[1.0, 1.0, 3.0, 4.0]), "all")  # type: ignore[arg-type]
    assert [judge.dropped for judge in same.judges] == ["all ratings are the same", ""]
    alone = judges.standardise(rated([math.nan] * 4, judge=["Ann", "Eve", "Eve", "Eve"]), "all")  # type: ignore[arg-type]
    assert [judge.dropped for judge in alone.judges] == ["1 rating", ""]


def test_ratings_for_quality_control_count_for_the_judge_and_for_no_segment() -> None:
    """Under `all` they are a part of its mean, under `ordinary` not."""
    kinds = ["ordinary", "ordinary", "ordinary", "degraded"]
    means = {
        standard: [
            judge.mean
            for judge in judges.standardise(rated([math.nan] * 4, judge=["Ann"] * 4, kind=kinds), standard).judges
        ]  # type: ignore[arg-type]
        for standard in ("all", "ordinary")
    }
    assert means == {"all": [2.5], "ordinary": [2.0]}
    found = judges.segments(
        judges.standardise(rated([math.nan] * 4, judge=["Ann"] * 4, kind=kinds), "none"), "adequacy"
    )  # type: ignore[arg-type]
    assert list(zip(found.system.tolist(), found.segment.tolist(), found.raw.tolist(), strict=True)) == [
        ("A", "1", 1.0),
        ("A", "2", 2.0),
        ("B", "1", 3.0),
    ]


def test_a_judge_without_degraded_texts_is_not_dropped_for_them() -> None:
    """Nothing is known of it."""
    found = judges.standardise(rated([math.nan] * 4), "all", control=0.05)  # type: ignore[arg-type]
    assert [judge.dropped for judge in found.judges] == ["", ""]


def test_no_difference_of_metrics_has_an_interval_of_its_own() -> None:
    """Nothing differs: p is 1. Two systems are too few for an interval."""
    pairs_of = np.array([[0, 1], [0, 2], [1, 2]])
    nothing = metrics_differ.mean_over_pairs(np.zeros(3), pairs_of)
    assert (nothing.value, nothing.p_value) == (0.0, 1.0)
    assert math.isnan(metrics_differ.mean_over_pairs(np.array([1.0]), np.array([[0, 1]])).low)


def test_wrong_measures_of_tasks_are_named() -> None:
    """The first that is wanted and there; the only one where none is said."""
    assert tasks_measure("x", ["acc", "f1"], ["f1", "acc"]) == "f1"
    assert tasks_measure("x", ["acc"], []) == "acc"
    with pytest.raises(SigError, match="x has 2 measures"):
        tasks_measure("x", ["acc", "f1"], [])
    with pytest.raises(SigError, match="does not have the measure 'em'"):
        tasks_measure("x", ["acc"], ["em"])


def tasks_measure(name: str, available: list[str], wanted: list[str]) -> str:
    return tasks._measure(name, available, wanted)


def test_files_of_scores_are_tasks_unless_they_are_called_like_measures() -> None:
    """One task for each file; BLEU and chrF are two measures of one."""

    def names(*files: str) -> list[str]:
        collection, of = Collection(), "".join(f"{{0}}-{k},{k % 2},{(k + 1) % 3 % 2}\n" for k in range(12))
        collection.add([(file, f"id,A,B\n{of.format(file)}".encode()) for file in files])
        return [one.name for one in tasks.of_collection(collection)]

    assert names("copa.csv", "boolq.csv") == ["boolq", "copa"]
    with pytest.raises(SigError, match="2 measures"):
        names("bleu.csv", "chrf.csv")


def test_equal_systems_have_p_1_under_every_rule_for_ties() -> None:
    """Also where ties do not count, and p alone would be the smallest."""
    same = [k % 7 / 3 for k in range(30)]
    how = pairs.How("approximate_randomization", "two-sided", ties="strict", resamples=200)
    found = pairs.examine(means(same, same), np.array([[0, 1]]), how)
    assert (found.p_values.tolist(), found.gains.tolist()) == ([1.0], [0.0])
