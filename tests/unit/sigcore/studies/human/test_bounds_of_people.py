"""Bounds and words of ratings by people: judges, names, conclusions, what is left out, and how metrics agree with them."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, chi2, norm, rankdata

from sigcore.errors import OptionError, Undefined
from sigcore.judgments import Judgments, judgments
from sigcore.studies import human
from sigcore.studies.human import compute, gold, judges, metrics_differ, one_judge, result
from sigcore.testset import Outputs, Testset


def rated(*rows: tuple[str, str, str, float], **columns: Any) -> Judgments:
    """Ratings: (judge, system, segment, score)."""
    names = ("judge", "system", "segment", "score")
    absolute = columns.pop("absolute", False)
    return judgments("made", {**dict(zip(names, zip(*rows, strict=True), strict=True)), **columns}, absolute=absolute)


def two_systems(n: int, apart: float = 1.0, judge: str = "j") -> list[tuple[str, str, str, float]]:
    """Two systems on n segments, the second better by so much."""
    return [(judge, s, str(k), k + apart * (s == "B")) for k in range(n) for s in "AB"]


# Judges.


def test_a_judge_needs_two_ratings_that_differ() -> None:
    """With as many of them, z is the distance from the mean in deviations with n - 1."""
    for scores, why in (
        ([], "no ratings"),
        ([3.0], "1 rating"),
        ([3.0, 3.0], "all ratings are the same"),
        ([3.0, 4.0], ""),
    ):
        assert judges._no_scale(len(scores), float(np.std(scores, ddof=1)) if len(scores) > 1 else math.nan) == why
    found = judges.standardise(rated(("j", "A", "1", 3.0), ("j", "B", "1", 5.0)), "all")
    assert found.z.tolist() == pytest.approx([-1 / math.sqrt(2), 1 / math.sqrt(2)])
    (judge,) = found.judges
    assert (judge.ratings, judge.controls, judge.mean, judge.ordinary) == (2, 0, 4, 4)
    assert judge.sd == pytest.approx(math.sqrt(2))
    assert math.isnan(judge.degraded)
    assert math.isnan(judge.trust)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1, 2, 3], [4, 5, 6]),
        ([4, 5, 6], [1, 2, 3]),
        ([1, 1, 2], [1, 2, 2, 3]),
        ([5], [5]),
        ([1], [2]),
        ([2, 2], [2, 2]),
    ],
)
def test_rank_sums_by_their_definition(one: list[float], other: list[float]) -> None:
    """Ranks, the variance with ties, and half a step of continuity, in both directions; 1 where all are the same."""
    n, m = len(one), len(other)
    ranks = rankdata([*one, *other])
    u = ranks[:n].sum() - n * (n + 1) / 2
    _, times = np.unique([*one, *other], return_counts=True)
    variance = n * m / 12 * (n + m + 1 - ((times**3 - times).sum()) / ((n + m) * (n + m - 1)))
    wanted = (1.0, 1.0)
    if variance > 0:
        wanted = tuple(float(norm.sf((x - n * m / 2 - 0.5) / math.sqrt(variance))) for x in (u, n * m - u))  # type: ignore[assignment]
    assert judges.rank_sums(np.array(one), np.array(other)) == pytest.approx(wanted)
    assert judges.rank_sum(np.array(one), np.array(other)) == pytest.approx(wanted[0])


def test_the_control_of_each_judge_is_of_their_own_ratings() -> None:
    """Whatever the order of the rows, and whoever has no degraded text has no p."""
    rng = np.random.default_rng(3)
    kinds = ["ordinary", "degraded", "reference"]
    rows = [(f"j{rng.integers(5)}", str(rng.choice(kinds)), float(rng.integers(0, 9))) for _ in range(70)]
    rows += [("none", "ordinary", 1.0), ("none", "ordinary", 2.0), ("only", "degraded", 1.0)]
    made = rated(*((j, "A", str(k), score) for k, (j, _, score) in enumerate(rows)), kind=[kind for _, kind, _ in rows])
    for judge in judges.standardise(made, "none").judges:
        better, worse = (
            np.array([score for name, kind, score in rows if (name, kind) == (judge.name, wanted)])
            for wanted in kinds[:2]
        )
        p = judges.rank_sum(better, worse) if len(better) and len(worse) else math.nan
        assert judge.trust == pytest.approx(p, nan_ok=True)
        assert judge.ordinary == pytest.approx(better.mean() if len(better) else math.nan, nan_ok=True)
        assert judge.degraded == pytest.approx(worse.mean() if len(worse) else math.nan, nan_ok=True)
        own = [kind for name, kind, _ in rows if name == judge.name]
        assert (judge.ratings, judge.controls) == (len(own), len(own) - own.count("ordinary"))


def test_ratings_of_one_named_judge_say_more_than_means() -> None:
    """Then more ratings, then the first."""
    one, means = rated(*two_systems(3)), rated(*two_systems(9, judge=""))
    assert gold.most_detailed([means, one]) is one
    longer, same = rated(*two_systems(4)), rated(*two_systems(3))
    assert gold.most_detailed([one, longer]) is longer
    assert gold.most_detailed([one, same]) is one
    assert gold.of_outputs([], ["A"], {}) is None
    found = gold.of_outputs([means, one], ["a", "B"], {"x": "y"})
    assert found is not None
    assert set(found.system.tolist()) == {"a", "B"}


def test_how_ratings_are_standardised_where_nobody_said() -> None:
    """By z of the file where every rating that counts has one; points as they are; else by judge."""
    rows = two_systems(2)
    assert judges.default_standard(rated(*rows)) == "all"
    assert judges.default_standard(rated(*rows, absolute=True)) == "none"
    assert judges.default_standard(rated(*rows, z=[0.0, 1, 2, 3])) == "given"
    assert judges.default_standard(rated(*rows, z=[0.0, 1, 2, math.nan])) == "all"
    kinds = ["ordinary"] * 3 + ["degraded"]
    assert judges.default_standard(rated(*rows, z=[0.0, 1, 2, math.nan], kind=kinds)) == "given"
    assert judges.standards(rated(*rows)) == ("all", "ordinary", "none")
    assert judges.standards(rated(*two_systems(2, judge=""), z=[0.0, math.nan, math.nan, math.nan])) == (
        "given",
        "none",
    )
    for made, standard, words in (
        (rated(*rows), "given", "no column z"), (rated(*two_systems(2, judge="")), "all", "name no judge"),
        (rated(*two_systems(2, judge="")), "ordinary", "name no judge"), (rated(*rows), "best", "standardise ="),
    ):  # fmt: skip
        with pytest.raises(OptionError, match=words):
            judges.standardise(made, standard)
    assert judges.standardise(rated(*two_systems(2, judge="")), "none").z.tolist() == [0, 1, 1, 2]


def test_the_mean_of_a_segment_has_as_many_digits_as_its_file() -> None:
    """Fifteen of z in a file, ten decimals of a computed one."""
    rows = [("j", "A", "1", 1.0), ("j", "A", "1", 2.0), ("k", "A", "1", 3.0), ("j", "B", "2", 1.0)]
    given = judges.segments(judges.standardise(rated(*rows, z=[0.1, 0.2, 0.7, 1 / 3]), "given"), "adequacy")
    assert given.z.tolist() == [round(1 / 3, 15), round(1 / 3, 15)]
    assert (given.ratings.tolist(), given.raw.tolist(), given.system.tolist()) == ([3, 1], [2.0, 1.0], ["A", "B"])
    made = judges.segments(judges.standardise(rated(*two_systems(3)), "all"), "adequacy")
    assert made.z.tolist() == [round(z, 10) for z in judges.standardise(rated(*two_systems(3)), "all").z.tolist()]


@pytest.mark.parametrize(("dropped", "more"), [(6, ""), (7, " and 1 more"), (8, " and 2 more")])
def test_six_judges_who_are_left_out_are_named(dropped: int, more: str) -> None:
    """In the note of a comparison, and in the error where nothing is left."""
    alone = [(f"j{k}", "A", str(k), 1.0) for k in range(dropped)]
    names = ", ".join(f"j{k} (1 rating)" for k in range(6))
    with pytest.raises(Undefined) as refused:
        human.people(rated(*alone), "all")
    assert refused.value.what == f"No rating for adequacy counts: the judges are left out, {names}{more}."
    kept = human.people(rated(*alone, *two_systems(12, judge="sound")), "all").notes
    said = [note for note in kept if "left out: " in note]
    assert said == [f"{dropped} judges with {dropped} ratings left out: {names}{more}."]


def test_one_judge_who_is_left_out() -> None:
    found = human.people(rated(("", "C", "1", 1.0), *two_systems(12, judge="sound")), "all")
    assert "Rated only by judges who are left out: C." in found.notes
    assert "1 judge with 1 rating left out: without a name (1 rating)." in found.notes
    assert [judge.name for judge in found.dropped] == [""]


# Names and segments.


@pytest.mark.parametrize(
    ("name", "same"), [("Online-B", True), ("b.1", True), ("b.12", True), ("b.x", False), ("b1", False)]
)
def test_names_that_differ_in_case_or_in_a_number_behind_a_dot(name: str, same: bool) -> None:
    outputs = ["online-b"] if name.startswith("O") else ["B"]
    assert human.match([name], outputs).names == ({name: outputs[0]} if same else {})


def test_a_name_with_two_partners_has_none() -> None:
    assert human.match(["a"], ["A", "a.1"]).names == {}
    assert human.match(["a.1", "a.2"], ["A"]).names == {}
    assert human.match(["a.1", "b"], ["A", "B"]).names == {"a.1": "A", "b": "B"}


@pytest.mark.parametrize("segments", [9, 10])
def test_fewer_than_ten_segments_are_few(segments: int) -> None:
    found = human.people(rated(*two_systems(segments)))
    few = [note for note in found.notes if note.startswith("Few segments")]
    words = "Few segments were rated for adequacy, so p is approximate: "
    assert few == ([f"{words}B ({segments}), A ({segments})."] if segments < 10 else [])
    assert not any(note.startswith("No rating") for note in found.notes)


def test_the_numbers_of_people() -> None:
    """Segments and ratings of each system, controls, means, and p in both directions by the rank-sum test."""
    rows = [*two_systems(12), ("j", "B", "0", 9.0), ("j", "A", "x", 0.0)]
    found = human.people(rated(*rows, kind=["ordinary"] * 25 + ["degraded"]), "none")
    (dimension,) = found.rated
    assert found.systems == ("B", "A")
    assert (dimension.segments.tolist(), dimension.ratings.tolist()) == ([12, 12], [13, 12])
    assert (found.ratings, found.controls, found.scale, found.chance(0.05)) == (26, 1, "score", pytest.approx(0.1))
    said = "1 rating is for quality control, and counted for no system. In the mean and SD of the judge, all ratings count."
    assert said not in found.notes
    assert said in human.people(rated(*rows, kind=["ordinary"] * 25 + ["degraded"]), "all").notes
    own = [[5.0, *(k + 1.0 for k in range(1, 12))], [float(k) for k in range(12)]]
    assert dimension.scores.tolist() == pytest.approx([np.mean(own[0]), np.mean(own[1])])
    up, down = judges.rank_sums(np.array(own[0]), np.array(own[1]))
    assert dimension.p_values.tolist() == [[1, pytest.approx(up)], [pytest.approx(down), 1]]


def people_with(p: list[list[list[float]]], scores: Any = None) -> human.People:
    """People with these one-sided p in each dimension."""
    systems = len(p[0])
    values = np.array(scores if scores is not None else range(systems, 0, -1), dtype=float)
    ones = np.ones(systems, dtype=np.int64)
    dimensions = tuple(human.Rated(f"d{k}", values, values, ones, ones, np.array(own)) for k, own in enumerate(p))
    return replace(human.people(rated(*two_systems(12))), systems=tuple("ABCD"[:systems]), rated=dimensions)


@pytest.mark.parametrize(
    ("p", "level"),
    [(0.05, 1.0), (math.nextafter(0.05, 1), 0.0), (0.01, 2.0), (math.nextafter(0.01, 1), 1.0), (0.001, 3.0),
     (math.nextafter(0.001, 1), 2.0)],
)  # fmt: skip
def test_levels_at_their_bounds(p: float, level: float) -> None:
    """For the row and against the column, of one dimension and of all together; nan on the diagonal."""
    found = people_with([[[1.0, p], [1 - p, 1.0]]])
    for levels in (found.levels(0.05), found.levels(0.05, 0)):
        assert levels[0, 1] == level
        assert levels[1, 0] == -level
        assert np.isnan(np.diag(levels)).all()


def test_later_dimensions_break_ties_only() -> None:
    """What is decided stays, and p is that of the dimension that decided, else that of the last one with a p."""
    first, second = [[1.0, 0.01], [0.99, 1.0]], [[1.0, 0.99], [0.01, 1.0]]
    open_, none = [[1.0, 0.3], [0.7, 1.0]], [[1.0, math.nan], [math.nan, 1.0]]
    for p, conclusion, by, shown, known in (
        ([first, second], 1, 0, 0.01, True), ([open_, second], -1, 1, 0.99, True), ([open_, open_], 0, -1, 0.3, True),
        ([open_, none], 0, -1, 0.3, True), ([none, none], 0, -1, math.nan, False),
    ):  # fmt: skip
        found = people_with(p).decided(0.05)
        assert (found.conclusions[0, 1], found.conclusions[1, 0], found.by[0, 1]) == (conclusion, -conclusion, by)
        assert found.p_values[0, 1] == pytest.approx(shown, nan_ok=True)
        assert (found.known[0, 1], found.known[0, 0]) == (known, False)


@pytest.mark.parametrize(("systems", "more"), [(2, ""), (3, ""), (4, " and 3 more")])
def test_three_conclusions_against_the_means_are_named(systems: int, more: str) -> None:
    """Each is better than the following ones, whose means are higher."""
    p = np.where(np.triu(np.ones((systems, systems)), 1) > 0, 0.01, 0.99)
    (note,) = result.ranks_against_means(people_with([p.tolist()], range(systems)), 0.05)
    named = [f"{a} over {b}" for k, a in enumerate("ABCD"[:systems]) for b in "ABCD"[k + 1 : systems]]
    assert f"lower mean: {', '.join(named[:3])}{more}. It" in note
    assert list(result.ranks_against_means(people_with([p.tolist()], [1.0] * systems), 0.05)) == []


def test_notes_on_z_of_a_file() -> None:
    """How many are missing, and how far the others are from those that are computed again."""
    rows = [("j", s, str(k), float(k + 3 * (s == "B"))) for k in range(12) for s in "AB"]
    again = judges.recomputed(rated(*rows))
    for off, doubt in ((0.0099, False), (0.0101, True)):
        z = again.copy()
        z[3] += off
        (note,) = [one for one in human.people(rated(*rows, z=z)).notes if one.startswith("z is taken")]
        assert f"at most {off:.1g}." in note
        assert ("other ratings?" in note) == doubt
    for missing, words in (
        (1, "1 rating has no z in the file, and is"),
        (2, "2 ratings have no z in the file, and are"),
    ):
        z = again.copy()
        z[:missing] = math.nan
        assert any(words in note for note in human.people(rated(*rows, z=z), "given").notes)
    assert not any("no z in the file" in note for note in human.people(rated(*rows, z=again)).notes)


@pytest.mark.parametrize(
    ("nameless", "words"), [(0, ""), (1, "1 rating names no judge."), (2, "2 ratings name no judge."), (24, "")]
)
def test_ratings_without_a_judge_are_noted_beside_others(nameless: int, words: str) -> None:
    rows = [("" if k < nameless else j, *rest) for k, (j, *rest) in enumerate(two_systems(12))]
    notes = human.people(rated(*rows), "none").notes  # type: ignore[arg-type]
    assert [note.split(" One")[0] for note in notes if "no judge" in note] == ([words] if words else [])


@pytest.mark.parametrize(
    ("segments", "places"),
    [(["1", "6"], [True, True]), (["0", "5"], [True, True]), (["0", "6"], [False, True]), (["7", "1"], [False, True]),
     (["0", "1", "6", "5"], [False, True, True, True]), (["x", "1"], None)],
)  # fmt: skip
def test_numbered_segments_count_from_1_or_from_0(segments: list[str], places: list[bool] | None) -> None:
    """From 0 where there is a 0 and no last number."""
    assert gold._places([("", one) for one in segments], 6) == places


def test_a_segment_in_words() -> None:
    assert gold._shown(("", "3")) == "segment 3"
    assert gold._shown(("d", "3")) == "segment 3 of document d"
    assert gold._shown(("d", "")) == "document d"
    assert gold._names(("d", "3")) == {"3", "3 of d"}
    assert gold._names(("", "3")) == {"3"}


def test_ratings_outside_of_the_test_set_are_counted() -> None:
    """Every rating of such a segment, of both systems."""
    rows = [*two_systems(6), ("j", "A", "900", 3.0), ("k", "A", "900", 4.0), ("k", "B", "900", 5.0)]
    found = human.within(human.people(rated(*rows), "none"), Testset("t", "text", 6, (("x",) * 6,)))
    assert any(note.startswith("3 of 15 ratings are of 1 segment that") for note in found.notes)


# One judge.


def test_conclusions_that_hang_on_one_judge() -> None:
    """Those who change most first; of several judges with the most ratings only as many as are asked for."""
    rows = [
        (f"j{n}", s, str(k), float(k + (30 if n == 0 else -0.1 * n) * (s == "B")))
        for n in range(3)
        for k in range(12)
        for s in "AB"
    ]
    made = rated(*rows, ("j2", "A", "99", 0.0), ("j0", "A", "98", 5.0), ("j0", "A", "97", 5.0))
    found = one_judge.without_each(made, 0.05, "none")
    assert [(one.judge, one.ratings, one.changed) for one in found] == [("j0", 26, 1), ("j2", 25, 0), ("j1", 24, 0)]
    assert found[0].pairs == ("A and B",)
    assert [one.judge for one in one_judge.without_each(made, 0.05, "none", most=1)] == ["j0"]
    assert one_judge.without_each(rated(*two_systems(12)), 0.05) == []
    assert one_judge.without_each(rated(*two_systems(12, judge="")), 0.05, "none") == []


def test_what_hangs_on_one_judge_in_words() -> None:
    def of(*changed: int) -> str:
        pairs = ("A and B", "A and C", "B and C", "B and D")
        found = [one_judge.WithoutJudge(f"j{k}", 10, pairs[:number]) for k, number in enumerate(changed)]
        return one_judge.sentence(found, 0.05)

    assert of() == "The ratings name fewer than two judges."
    assert of(0, 0) == "Without any one of 2 judges, all conclusions at alpha 0.05 stay."
    assert of(1, 0) == "Without j0, 1 conclusion at alpha 0.05 would be another: A and B."
    assert of(4, 1, 0) == (
        "Without j0, 4 conclusions at alpha 0.05 would be another: A and B, A and C, B and C and 1 more. "
        "2 judges of 3 change at least one."
    )


# Metrics beside people.


@pytest.mark.parametrize("alphas", [(), (0.0,), (0.5,), (0.05, -0.1)])
def test_levels_are_between_0_and_a_half(alphas: tuple[float, ...]) -> None:
    with pytest.raises(OptionError, match="alpha ="):
        compute._checked(alphas)
    assert compute._checked((0.4999, 0.05, 0.4999, 1e-9)) == (0.4999, 0.05, 1e-9)


@pytest.mark.parametrize(
    ("names", "words"), [((), "No system has"), (("A",), "Only one system has"), (("B", "x", "A"), "")]
)
def test_two_judged_outputs_are_needed(names: tuple[str, ...], words: str) -> None:
    """They come in the order of people."""
    people = human.people(rated(*two_systems(12)))
    outputs = [Outputs(name, ("1",)) for name in names]
    if not words:
        assert [one.system for one in human.judged_outputs(people, outputs)] == ["B", "A"]
        return
    with pytest.raises(Undefined, match=words):
        human.judged_outputs(people, outputs)


@pytest.mark.parametrize(("systems", "known"), [(2, False), (3, True)])
def test_leaving_out_one_needs_three_systems(systems: int, known: bool) -> None:
    pairs = np.column_stack(np.triu_indices(systems, k=1))
    right = np.arange(len(pairs)) > 0
    assert np.isfinite(result.leave_one_out(right, pairs)).all() == known


def test_leaving_out_one_system_stays_within_0_and_100() -> None:
    """The jackknife by hand: of four systems one pair is wrong, so two shares are 2 / 3 and two are 1."""
    pairs = np.column_stack(np.triu_indices(4, k=1))
    low, high = result.leave_one_out(np.arange(6) > 0, pairs)
    error = math.sqrt(3 / 4 * 4 * (1 / 6) ** 2)
    assert low == pytest.approx(100 * max(0.0, 5 / 6 - 3.182446 * error), rel=1e-6)
    assert high == 100
    flat, _ = result.leave_one_out(np.arange(6) == 0, pairs)
    assert flat == 0


@pytest.mark.parametrize(
    ("correct", "pairs", "value", "df"),
    [([3, 5], 10, 5 / 6, 1), ([0, 0], 4, math.nan, 1), ([4, 4], 4, math.nan, 1), ([3], 4, math.nan, 0), ([], 4, math.nan, 0),
     ([1, 3, 5], 6, 8 / 3 + 8 / 3, 2)],
)  # fmt: skip
def test_chi_square_by_hand(correct: list[int], pairs: int, value: float, df: int) -> None:
    """Squares over right and over wrong ones; nothing where all or none are right, or one column is alone."""
    if not correct:
        correct_array = np.zeros(0)
        with np.errstate(invalid="ignore"), pytest.warns(RuntimeWarning):
            found = result.chi_square(correct_array, pairs)
    else:
        found = result.chi_square(np.array(correct), pairs)
    p = chi2.sf(value, df) if not math.isnan(value) else math.nan
    assert found == pytest.approx((value, df, p), nan_ok=True)


@pytest.mark.parametrize(
    ("right", "value", "df"),
    [([[1, 1, 1, 0], [0, 0, 1, 0]], 2.0, 1), ([[1, 0], [1, 0]], math.nan, 1), ([[1, 0]], math.nan, 0),
     ([[1, 1, 0], [1, 0, 0], [0, 0, 0]], 3.0, 2)],
)  # fmt: skip
def test_cochran_q_by_hand(right: list[list[int]], value: float, df: int) -> None:
    found = result.cochran_q(np.array(right, dtype=bool))
    p = chi2.sf(value, df) if not math.isnan(value) else math.nan
    assert found == pytest.approx((value, df, p), nan_ok=True)


@pytest.mark.parametrize(("one", "other"), [(0, 0), (1, 0), (0, 1), (1, 1), (5, 0), (2, 6), (4, 3)])
def test_mcnemar_by_the_binomial_law(one: int, other: int) -> None:
    first = np.array([True] * one + [False] * other + [True, False])
    second = np.array([False] * one + [True] * other + [True, False])
    p = min(1.0, 2 * float(binom.cdf(min(one, other), one + other, 0.5)))
    assert result.mcnemar(first, second) == (one, other, pytest.approx(p))
    assert result.mcnemar(first[:0], second[:0]) == (0, 0, pytest.approx(math.nan, nan_ok=True))


def accuracy(share: float, pairs: int = 10, alpha: float = 0.05) -> human.Accuracy:
    """A cell of the table."""
    return human.Accuracy("m", "M", "t", "T", alpha, 0, pairs, share, 0.0, 1.0, 0.0, 1.0)


def test_the_best_cells_of_each_alpha() -> None:
    """Several may be; one without a pair never is."""
    cells = [
        accuracy(50),
        accuracy(70),
        accuracy(70),
        accuracy(math.nan, 0),
        accuracy(60, alpha=0.01),
        accuracy(math.nan, 0, 0.001),
    ]
    assert [cell.best for cell in result._best(cells)] == [False, True, True, False, True, False]


def test_the_smallest_p_that_is_defined() -> None:
    pairs = tuple(result.McNemar("a", "b", "A", "B", 0, 0, p) for p in (math.nan, 0.3, 0.2))
    one = result.Difference("metrics", "t", "T", 0.05, ("a", "b"), 1, 1, 1, 1, 1, pairs, 5)
    assert one.smallest.p_value == 0.2


@pytest.mark.parametrize("systems", [3, 4])
def test_a_t_over_pairs_needs_four_systems(systems: int) -> None:
    pairs = np.column_stack(np.triu_indices(systems, k=1))
    found = metrics_differ.mean_over_pairs(np.arange(len(pairs)) % 3 - 1.0, pairs)
    assert math.isfinite(found.p_value) == (systems == 4)
    assert found.value == pytest.approx(np.mean(np.arange(len(pairs)) % 3 - 1))


def test_a_t_over_pairs_of_nothing() -> None:
    """Without pairs nothing is known; without any difference p is 1."""
    none = metrics_differ.mean_over_pairs(np.zeros(0), np.zeros((0, 2), dtype=int))
    assert np.isnan([none.value, none.error, none.p_value]).all()
    zeros = metrics_differ.mean_over_pairs(np.zeros(6), np.column_stack(np.triu_indices(4, k=1)))
    assert (zeros.value, zeros.error, zeros.p_value) == (0, 0, 1)
    assert np.isnan([zeros.freedom, zeros.low, zeros.high]).all()


@pytest.mark.parametrize(
    ("gaps", "people", "accuracy", "epsilon"),
    [([1.0, -2.0, 3.0], [1, -1, 1], 1.0, 0.0), ([1.0, -2.0, 3.0], [0, -1, 1], 1.0, 1.0), ([1.0, 1.0, 3.0], [0, 1, 1], 2 / 3, 0.0),
     ([1.0, -1.0, 3.0], [0, 0, 1], 1.0, 1.0), ([1.0, 2.0], [0, 0], 1.0, 2.0), ([0.0, 2.0], [0, 1], 1.0, 0.0),
     ([1.0, 2.0], [-1, -1], 0.0, 0.0)],
)  # fmt: skip
def test_calibrated_ties_by_trying_all(gaps: list[float], people: list[int], accuracy: float, epsilon: float) -> None:
    """Epsilon is 0 or the size of a gap: the smallest with the most correct pairs."""
    tried = {
        e: np.mean([(0 if abs(g) <= e else np.sign(g)) == p for g, p in zip(gaps, people, strict=True)])
        for e in (0.0, *map(abs, gaps))
    }
    best = min(tried, key=lambda e: (-tried[e], e))
    ((share, found),) = metrics_differ.tie_calibrated(np.array(gaps), {0.05: np.array(people)})
    assert (float(share), float(found)) == pytest.approx((accuracy, epsilon))
    assert (tried[best], best) == pytest.approx((accuracy, epsilon))


@pytest.mark.parametrize(("systems", "exact"), [(13, True), (14, False)])
def test_thirteen_systems_are_swapped_in_all_ways(systems: int, exact: bool) -> None:
    """Only whole systems ever are."""
    assert metrics_differ.all_tried(systems, "systems") == exact
    assert not metrics_differ.all_tried(systems, "inputs")
    assert not metrics_differ.all_tried(2, "both")


def test_all_swaps_of_systems_and_no_swap_twice() -> None:
    """Half of them: the others are their mirrors."""
    (moved,) = metrics_differ._moved(np.ones((1, 4, 1)), "systems", 1)
    assert len({tuple(row) for row in moved[0].tolist()}) == moved.shape[1] == 8
    assert moved[0, :, 3].tolist() == [0] * 8


@pytest.mark.parametrize("swapped", ["systems", "inputs", "both"])
def test_drawn_swaps_held_a_few_at_a_time_are_as_many(swapped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics_differ, "AT_ONCE", 16 * 500)
    monkeypatch.setattr(metrics_differ, "ALL_UP_TO", 3)
    parts = list(metrics_differ._moved(np.ones((2, 4, 16)), swapped, 1))
    assert [part.shape for part in parts] == [(2, 500, 4)] * 3 + [(2, 499, 4)]
    monkeypatch.setattr(metrics_differ, "AT_ONCE", 1)
    assert next(metrics_differ._moved(np.ones((2, 4, 16)), swapped, 1)).shape == (2, 1, 4)


def test_columns_are_compared_on_the_pairs_of_all() -> None:
    """A pair that one column does not count is in none of the tests."""
    first = (np.array([1, 1, 0, 1], bool), np.array([1, 1, 1, 0], bool))
    second = (np.array([0, 1, 1, 0], bool), np.array([1, 1, 1, 1], bool))
    found = result._difference("metrics", "t", {"a": "A", "b": "B", "t": "T"}, 0.05, {"a": first, "b": second})
    assert (found.pairs, found.names, found.held_title, found.df) == (3, ("a", "b"), "T", 1)
    assert [(one.only_first, one.only_second) for one in found.mcnemar] == [(1, 1)]


def test_resamples_that_cannot_show_a_level_are_noted_once() -> None:
    """For each number of resamples, with all levels that it cannot show."""
    grids = {
        (metric, "t"): SimpleNamespace(
            setup=SimpleNamespace(resamples=99, least_p=0.01, reaches=lambda alpha: alpha >= 0.01)
        )
        for metric in "ab"
    }
    made = SimpleNamespace(alphas=(0.05, 0.01, 0.005, 0.001), grids=grids)
    (note,) = result.too_few(made)  # type: ignore[arg-type]
    assert note.startswith("With 99 resamples the smallest p is 0.01")
    assert "at alpha 0.005, 0.001 no metric" in note
