"""Ranks, pairs and their notes at their bounds: how many groups, documents and draws there must be, and what is said of fewer."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sigcore import Outputs, Runtime, ScoreMatrix, Testset
from sigcore.errors import OptionError, Undefined
from sigcore.executors import Serial
from sigcore.resampling.blocks import BLOCK
from sigcore.studies import scores
from sigcore.studies.scores import ranks as module
from sigcore.studies.scores.pairs import (
    _cutoff,
    exact_cutoff,
    exact_kind,
    from_shares,
    most_exceedances,
    nulls,
    pairs,
    shares,
    signed_sums,
    student,
    theoretical_p,
)
from sigcore.studies.scores.ranks import MeanRanks, efficiency, examine, hodges_lehmann, humans_among
from sigcore.types import read_unit


def matrix(values: Any, **changes: Any) -> ScoreMatrix:
    values = np.asarray(values, dtype=float)
    n, count = values.shape
    named = tuple(f"d{k}" for k in range(n)), tuple(f"s{k}" for k in range(count))
    return ScoreMatrix("made", *named, values, **changes)


def run(values: Any, resamples: int = 50, **changes: Any) -> scores.ScoresRun:
    made = values if isinstance(values, ScoreMatrix) else matrix(values)
    return scores.run(made, resamples=resamples, runtime=Runtime(executor=Serial()), **changes)


def groups(sizes: list[int], means: list[float], factor: str = "systems", variance: float = 12.0) -> MeanRanks:
    return MeanRanks(factor, tuple("abcdefgh"[: len(sizes)]), np.array(means), np.array(sizes), variance)


# ---- mean ranks


def test_one_group_has_nothing_to_be_compared_with() -> None:
    """Nor has any where all ranks are the same."""
    one = groups([4], [2.5])
    assert math.isnan(one.critical(0.05))
    assert np.isnan(one.half_widths(0.05)).tolist() == [True]
    assert groups([4, 4], [2.5, 2.5], variance=0.0).p_values(0).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("count", [2, 3, 5])
def test_intervals_touch_where_a_difference_is_just_not_significant(count: int) -> None:
    """Of groups of one size: twice the half width is the studentized range times the error. A difference of just that size is
    not significant."""
    q = float(stats.studentized_range.isf(0.05, count, np.inf))
    size, variance = 4, 12.0
    needed = q * math.sqrt(variance / 2 * (2 / size))
    ranks = groups([size] * count, [1.0] * count, variance=variance)
    assert ranks.critical(0.05) == pytest.approx(q)
    assert 2 * ranks.half_widths(0.05) == pytest.approx([needed] * count)
    for apart, differs in ((needed * (1 - 1e-9), False), (needed * (1 + 1e-9), True)):
        moved = groups([size] * count, [1.0, 1.0 + apart, *[1.0] * (count - 2)], variance=variance)
        assert moved.differing(0, 0.05)[1] == differs
        assert not moved.differing(0, 0.05)[0]
        assert moved.p_values(0)[1] == pytest.approx(0.05, abs=1e-6)


def test_two_groups_of_different_sizes_have_exact_intervals() -> None:
    """Half of the needed difference each."""
    ranks = groups([2, 8], [3.0, 7.0])
    needed = float(stats.studentized_range.isf(0.05, 2, np.inf)) * math.sqrt(6.0 * (1 / 2 + 1 / 8))
    assert ranks.half_widths(0.05) == pytest.approx([needed / 2] * 2)
    assert ranks.errors(0) == pytest.approx([math.sqrt(6.0 * (1 / 2 + 1 / 2)), math.sqrt(6.0 * (1 / 2 + 1 / 8))])


@pytest.mark.parametrize(("factor", "last"), [("systems", 9), ("documents", 9), ("systems within documents", 3)])
def test_ends_are_cut_at_the_first_and_last_rank(factor: str, last: int) -> None:
    """Of all scores, or of the systems of one document."""
    low, high = groups([3, 3, 3], [1.5, 2.0, 2.5], factor, variance=1e6).ends(0.05)
    assert low.tolist() == [1.0] * 3
    assert high.tolist() == [float(last)] * 3


@pytest.mark.parametrize(
    ("values", "factor", "freedom", "why"),
    [
        ([[1, 2, 3]], "documents", 0, "two groups"), ([[1, 2, 3], [4, 5, 6]], "documents", 1, ""), ([[1, 2], [3, 4], [5, 6]], "documents", 2, ""),
        ([[1, 2, 3]], "systems", 2, "only one score"), ([[1], [1]], "systems", 0, "two groups"), ([[2, 2], [2, 2]], "systems", 1, "All scores are the same"),
        ([[math.nan, math.nan], [1, 2]], "documents", 0, "two groups"), ([[1, 2, math.nan], [3, 4, math.nan]], "systems", 1, ""),
    ],
)  # fmt: skip
def test_kruskal_wallis_needs_two_groups_that_vary(
    values: list[list[float]], factor: str, freedom: int, why: str
) -> None:
    """One degree of freedom less than there are groups with scores."""
    (found,) = (test for test in examine(matrix(values))[0] if (test.test, test.factor) == ("kruskal", factor))
    assert found.freedom == freedom
    assert found.groups == freedom + 1
    assert found.n == int(np.isfinite(np.array(values, dtype=float)).sum())
    assert why in found.why
    assert bool(found.why) is bool(why) is bool(math.isnan(found.p_value))


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        ((2, 3), ""),
        ((1, 3), "two blocks"),
        ((2, 2), "three groups"),
        ((5, 2), "three groups"),
        ((1, 2), "three groups"),
        ((3, 4), ""),
    ],
)
def test_friedman_needs_three_systems_on_two_documents(shape: tuple[int, int], why: str) -> None:
    values = np.arange(shape[0] * shape[1], dtype=float).reshape(shape)
    (found,) = (test for test in examine(matrix(values))[0] if (test.test, test.factor) == ("friedman", "systems"))
    assert why in found.why
    assert bool(found.why) is bool(why)
    assert (found.groups, found.n, found.freedom) == (shape[1], shape[0], max(shape[1] - 1, 0))
    names = {rank.factor for rank in examine(matrix(values))[1]}
    assert ("systems within documents" in names) is (shape[0] > 1 and shape[1] > 1)


def test_ranks_within_documents_have_the_variance_of_their_ties() -> None:
    """k (k + 1) / 12 without ties; with a tie of two of three systems on every document (0.5 + 0 + 0.5 of squares less)."""
    (plain,) = (
        rank for rank in examine(matrix([[1, 2, 3], [3, 1, 2]]))[1] if rank.factor == "systems within documents"
    )
    assert plain.variance == pytest.approx(3 * 4 / 12)
    (tied,) = (rank for rank in examine(matrix([[1, 1, 3], [3, 1, 1]]))[1] if rank.factor == "systems within documents")
    assert tied.variance == pytest.approx(((1.5 - 2) ** 2 * 2 + 1) / 2)
    assert tied.means == pytest.approx([(1.5 + 3) / 2, 1.5, (3 + 1.5) / 2])
    assert tied.counts.tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    ("gaps", "used"),
    [(0, ""), (1, "only the 3 of 4 documents"), (2, "only the 2 of 4 documents"), (3, "only the 2 of 3 systems")],
)
def test_the_larger_complete_part_is_used(gaps: int, used: str) -> None:
    """Of 4 documents by 3 systems, the last of which lacks some: 3 or 2 whole documents have as many scores as 2 systems at least."""
    values = np.arange(12.0).reshape(4, 3)
    values[:gaps, 2] = math.nan
    (found,) = (test for test in examine(matrix(values))[0] if (test.test, test.factor) == ("friedman", "systems"))
    wanted = {2: "only the 2 of 3 systems that have every document"}.get(gaps, used)  # 6 scores against 8
    assert found.used.startswith(wanted)
    assert bool(found.used) is bool(gaps)


# ---- efficiency


def test_the_efficiency_of_w_by_hand() -> None:
    """The order statistics of all means of two, counted from both ends at the quantile of W."""
    z = np.array([0.3, 1.1, 2.9, 4.2, 4.9, 7.0, 11.0, 12.5])
    n = len(z)
    means = sorted((z[i] + z[j]) / 2 for i in range(n) for j in range(i, n))
    low = round(len(means) / 2 - 1.959963984540054 * math.sqrt(n * (n + 1) * (2 * n + 1) / 24))
    length = means[len(means) - 1 - low] - means[low]
    error = length / (2 * 1.959963984540054)
    assert efficiency(z[:, None])[0] == pytest.approx((z.std(ddof=1) / math.sqrt(n) / error) ** 2)
    assert hodges_lehmann(z) == pytest.approx(np.median(means))
    few = np.array([1.0, 5.0])  # all three means
    assert efficiency(few[:, None])[0] == pytest.approx(
        (few.std(ddof=1) / math.sqrt(2) / (4.0 / (2 * 1.959963984540054))) ** 2
    )


@pytest.mark.parametrize(("extra", "is_whole"), [(0, True), (1, False)])
def test_a_thousand_differences_are_used(extra: int, is_whole: bool) -> None:
    """Of more, places at equal distances, with both ends."""
    rng = np.random.default_rng(3)
    z = np.sort(rng.normal(size=1_000 + extra))
    used = z if is_whole else z[np.round(np.linspace(0, 1_000, 1_000)).astype(int)]
    means = (used[:, None] + used)[np.triu_indices(1_000)] / 2
    assert hodges_lehmann(z) == pytest.approx(np.median(means), abs=1e-15)
    assert len(used) == 1_000
    assert efficiency(z[:, None])[0] == pytest.approx(efficiency(used[:, None])[0], rel=1e-12)


# ---- matrices of loaded data


def loaded(**changes: Any) -> tuple[Testset, list[Outputs]]:
    testset = Testset("t", "scores", 4, **changes)
    return testset, [Outputs("a", ("1", "2", "nan", "5")), Outputs("b", ("4", "", "n/a", "2"))]


@pytest.mark.parametrize(
    ("documents", "domains", "unit", "rows", "sets", "row"),
    [
        ((), (), "segment", ("1", "2", "3", "4"), (), "segment"), ((), ("x", "x", "y", "y"), "segment", ("1", "2", "3", "4"), ("x", "x", "y", "y"), "segment"),
        (("p", "p", "q", "q"), ("x", "x", "y", "y"), "segment", ("1", "2", "3", "4"), ("p", "p", "q", "q"), "segment"),
        (("p", "q", "r", "s"), ("x", "x", "y", "y"), "segment", ("p", "q", "r", "s"), ("x", "x", "y", "y"), "document"),
        (("p", "p", "q", "q"), ("x", "x", "y", "y"), "document", ("p", "q"), ("x", "y"), "document"),
        (("p", "p", "q", "q"), ("x", "z", "y", "y"), "document", ("p", "q"), (), "document"), (("p", "p", "q", "q"), (), "document", ("p", "q"), (), "document"),
        ((), (), "block:3", ("1-3", "4-4"), (), "block"), ((), (), "block:2", ("1-2", "3-4"), (), "block"),
    ],
)  # fmt: skip
def test_rows_are_named_by_the_files(documents: Any, domains: Any, unit: str, rows: Any, sets: Any, row: str) -> None:
    """By documents where each segment has its own, else by numbers; a document has a set where it is of one domain."""
    testset, outputs = loaded(documents=documents, domains=domains)
    found = module.from_scores(testset, outputs, unit=read_unit(unit))
    assert (found.documents, found.sets, found.row) == (rows, sets, row)
    assert found.systems == ("a", "b")


def test_means_of_units_leave_out_missing_scores() -> None:
    testset, outputs = loaded(documents=("p", "p", "q", "r"))
    found = module.from_scores(testset, outputs, unit=read_unit("document"))
    assert np.array_equal(found.values, [[1.5, 4.0], [math.nan, math.nan], [5.0, 2.0]], equal_nan=True)


@pytest.mark.parametrize(
    ("name", "group", "is_human"),
    [
        ("Human A", "", True),
        ("human", "", True),
        ("ahuman", "", False),
        ("x", "HUMAN", True),
        ("x", "humans", False),
        ("huma", "", False),
    ],
)
def test_people_are_known_by_name_or_group(name: str, group: str, is_human: bool) -> None:
    assert humans_among([Outputs(name, ("1",), group=group)]) == ((name,) if is_human else ())


# ---- pairs


@pytest.mark.parametrize("resamples", [1, 19, 20, 99, 1_000])
@pytest.mark.parametrize("level", [Fraction(1, 20), Fraction(1, 100), Fraction(1, 2), Fraction(99, 100)])
def test_how_many_draws_may_reach_a_cut_off(resamples: int, level: Fraction) -> None:
    """The largest c with (c + 1) / (R + 1), or c / R, at most the level."""
    assert most_exceedances(float(level), resamples, "valid") == math.floor(level * (resamples + 1)) - 1
    assert most_exceedances(float(level), resamples, "paper") == math.floor(level * resamples)


@pytest.mark.parametrize(
    ("most", "wanted"), [(-1, math.nan), (0, math.nan), (1, math.nan), (2, 6.0), (3, 4.5), (4, 4.0)]
)
def test_a_cut_off_is_the_smallest_size_that_few_enough_draws_reach(most: int, wanted: float) -> None:
    """Of draws 3, 4, 5, 6 and 6, and of the observed 4.5, which three reach; two draws that tie reach each other."""
    draws = np.array([3.0, 4.0, 5.0, 6.0, 6.0]).reshape(1, 1, 1, 5).repeat(2, 0).repeat(3, 1)
    found = _cutoff(draws, np.full((3, 1), 4.5), np.full((2, 3, 1), 3), most)
    assert np.allclose(found, wanted, equal_nan=True)


@pytest.mark.parametrize(
    ("ranks", "alpha"),
    [((2, 4, 6), 0.5), ((2, 4, 6, 8, 10, 12), 0.05), ((3, 3, 6, 8), 0.3), ((2,), 1.0), ((2, 4), 0.5), ((2, 4, 6), 0.2)],
)
def test_the_exact_cut_off_of_w_by_all_signs(ranks: tuple[int, ...], alpha: float) -> None:
    """Ranks are doubled; the smallest sum whose size is reached by at most alpha of all signs."""
    sums = np.array([0])
    for rank in ranks:
        sums = np.concatenate([sums + rank, sums - rank])
    within = [
        size for size in sorted({abs(int(s)) for s in sums} - {0}) if np.mean(np.abs(sums) >= size) <= alpha + 1e-12
    ]
    assert exact_cutoff(ranks, alpha) == (within[0] / 2 if within else math.inf)
    chance = signed_sums(ranks)
    assert chance.tolist() == pytest.approx([np.mean(sums == s) for s in range(-sum(ranks), sum(ranks) + 1)])


@pytest.mark.parametrize(
    ("n", "is_tied", "is_exact"),
    [(13, True, True), (14, True, False), (14, False, True), (50, False, True), (51, False, False)],
)
def test_w_is_exact_up_to_fifty_documents_or_thirteen_with_ties(n: int, is_tied: bool, is_exact: bool) -> None:
    z = np.arange(1.0, n + 1)
    if is_tied:
        z[1] = -z[0]
    assert exact_kind(pairs(z[:, None], np.zeros((n, 1)))).tolist() == [is_exact]
    with_zero = np.append(z[:-1], 0.0)
    assert exact_kind(pairs(with_zero[:, None], np.zeros((n, 1)))).tolist() == [n <= 13]


def test_shares_of_t_and_back() -> None:
    """T^2 / (T^2 + degrees of freedom); 1 for an infinite T, also where rounding alone keeps it from 1."""
    assert shares(np.array([0.0, 2.0, -2.0, math.inf]), 4).tolist() == [0.0, 0.5, 0.5, 1.0]
    assert from_shares(np.array([0.0, 0.5, 1.0, 1 - 1e-13]), 4).tolist() == [0.0, 2.0, math.inf, math.inf]
    assert math.isfinite(from_shares(np.array([1 - 1e-11]), 4)[0])


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e150, 1e-150])
def test_t_by_hand_at_any_scale(scale: float) -> None:
    """Unpaired and paired, with 2n - 2 and n - 1 degrees of freedom."""
    x, y = np.array([1.0, 3.0, 4.0, 8.0, 2.0, 6.0]), np.array([0.5, 2.0, 4.5, 5.0, 1.0, 5.5])
    found = pairs(scale * x[:, None], scale * y[:, None])
    t, paired = student(found)
    z = x - y
    assert t[0] == pytest.approx((x.mean() - y.mean()) / math.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 6))
    assert paired[0] == pytest.approx(z.mean() / math.sqrt(z.var(ddof=1) / 6))
    p = theoretical_p(found)
    assert p[0, 0] == pytest.approx(2 * stats.t.sf(abs(t[0]), 10))
    assert p[1, 0] == pytest.approx(2 * stats.t.sf(abs(paired[0]), 5))


# ---- all pairs


@pytest.mark.parametrize(("name", "low", "high"), [("resamples", 0, 1), ("resamples", 1_000_001, 1_000_000)])
def test_the_number_of_draws_has_bounds(name: str, low: int, high: int) -> None:
    """High ones are tried on a matrix without a pair that can be tested."""
    made = np.arange(4.0).reshape(2, 2)
    with pytest.raises(OptionError):
        run(made, **{name: low})
    assert run(made, **{name: high}).resamples == high


@pytest.mark.parametrize(
    ("levels", "is_right"), [((0.5, 0.01), True), ((0.5, 0.0), False), ((1.0, 0.5), False), ((0.999,), True)]
)
def test_levels_are_between_0_and_1(levels: tuple[float, ...], is_right: bool) -> None:
    if is_right:
        assert run(np.arange(4.0).reshape(2, 2), levels=levels).levels == levels
    else:
        with pytest.raises(OptionError):
            run(np.arange(4.0).reshape(2, 2), levels=levels)


@pytest.mark.parametrize("n", [5, 6])
def test_six_documents_are_tested(n: int) -> None:
    """Of fewer there are the gain and the number, and no p, cut-off, rank sum or efficiency."""
    rng = np.random.default_rng(n)
    values = rng.normal(size=(8, 2))
    values[n:, 1] = math.nan
    found = run(values)
    assert (found.n.tolist(), found.few.tolist()) == ([n], [n < 6])
    assert found.gains == pytest.approx([(values[:n, 0] - values[:n, 1]).mean()])
    for part in (found.statistics, found.p_theory, found.plus, found.efficiency):
        assert bool(np.isnan(part).all()) is (n < 6)
        assert bool(np.isnan(part).any()) is (n < 6)
    assert found.apart.tolist() == [0 if n < 6 else n]
    if n == 6:
        z = values[:n, 0] - values[:n, 1]
        order = stats.rankdata(np.abs(z))
        assert found.plus.tolist() == [order[z > 0].sum()]
        assert found.statistics[2].tolist() == [order[z > 0].sum() - order[z < 0].sum()]


def test_a_pair_without_a_shared_document_has_no_gain() -> None:
    values = np.array([[1.0, math.nan, 3.0], [math.nan, 2.0, 5.0]])
    found = run(values)
    assert found.n.tolist() == [0, 1, 1]
    assert np.array_equal(found.gains, [math.nan, -2.0, -3.0], equal_nan=True)


def result(
    correction: str = "holm", estimator: str = "valid", resamples: int = 59, **changes: Any
) -> scores.ScoresResult:
    rng = np.random.default_rng(1)
    made = matrix(rng.normal(size=(8, 3)) + np.array([0, 0.3, 0.6]))
    return scores.read(run(made, resamples, **changes), correction, estimator)


@pytest.mark.parametrize(
    ("resamples", "alpha", "note"), [(59, 0.05, None), (58, 0.05, 60), (299, 0.01, None), (298, 0.01, 300)]
)
def test_too_few_draws_for_holm_over_three_pairs(resamples: int, alpha: float, note: int | None) -> None:
    """The smallest p is 3 / (R + 1); the note says how many are needed. Not without a correction, nor where p is c / R."""
    notes = [one for one in result(resamples=resamples).notes(alpha) if "no empirical p" in one]
    assert bool(notes) is (note is not None)
    if note is not None:
        assert f"With {resamples} draws" in notes[0]
        assert f"over 3 pairs. Use at least {note} draws." in notes[0]
    for other in (result("none", resamples=resamples), result(estimator="paper", resamples=resamples)):
        assert not [one for one in other.notes(alpha) if "no empirical p" in one]


@pytest.mark.parametrize(
    ("resamples", "raw", "corrected"), [(18, False, False), (19, True, False), (58, True, False), (59, True, True)]
)
def test_a_count_that_draws_cannot_give_is_not_shown(resamples: int, raw: bool, corrected: bool) -> None:
    """1 / (R + 1), and three times that."""
    found = result(resamples=resamples)
    one = found.count("all", "mc", "t", 0.05)
    assert (one.raw_possible, one.corrected_possible) == (raw, corrected)
    assert str(one) == f"{one.raw if raw else 'n/a'} ({one.corrected if corrected else 'n/a'})"
    theory = found.count("all", "theory", "t", 0.05)
    assert (theory.raw_possible, theory.corrected_possible) == (True, True)
    assert found.least_p("mc") == pytest.approx(1 / (resamples + 1))
    assert found.least_p("hb", 3) == pytest.approx(3 / (resamples + 1))
    assert found.least_p("hb", 0) == pytest.approx(1 / (resamples + 1))
    assert found.least_p("mc", 1_000) == 1.0
    assert result(estimator="paper").least_p("mc", 3) == 0.0


def test_counts_are_those_of_p_at_most_alpha() -> None:
    """A p of alpha counts; pairs without p are not tested; people against machines are a family of their own."""
    found = result()
    p = np.full((3, 3, 3), 0.2)
    p[1, 0] = [0.05, 0.0501, math.nan]
    adjusted = np.full((3, 3, 3), 0.2)
    adjusted[1, 0] = [0.0501, 0.05, math.nan]
    changed = replace(found, p_values=p, adjusted=adjusted, adjusted_human=p, mixed=np.array([True, False, True]))
    one = changed.count("all", "mc", "t", 0.05)
    assert (one.raw, one.corrected, one.tested, one.pairs) == (1, 1, 2, 3)
    one = changed.count("human_machine", "mc", "t", 0.05)
    assert (one.raw, one.corrected, one.tested, one.pairs) == (1, 1, 1, 2)
    with pytest.raises(Undefined, match="no pairs of human and machine"):
        found.count("human_machine", "mc", "t", 0.05)


@pytest.mark.parametrize(
    ("copies", "named", "more"), [(2, 1, ""), (3, 3, ""), (4, 5, "So does 1 more pair."), (5, 5, "So do 5 more pairs.")]
)
def test_identical_systems_are_named_up_to_five_pairs(copies: int, named: int, more: str) -> None:
    column = np.arange(8.0)[:, None]
    notes = scores.read(run(np.hstack([column] * copies))).notes(0.05)
    assert sum("have the same score on every document" in note for note in notes) == named
    told = [note for note in notes if note.startswith("So do")]
    assert len(told) == bool(more)
    if more:
        assert told[0].split()[2:3] == more.split()[2:3]


@pytest.mark.parametrize(
    ("holes", "words"),
    [
        (0, ""),
        (1, "1 of 24 scores is missing. Each pair is compared on the 7 to 8 documents"),
        (2, "2 of 24 scores are missing. Each pair is compared on the 6 to 8"),
    ],
)
def test_missing_scores_are_counted(holes: int, words: str) -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(8, 3))
    values[:holes, 0] = math.nan
    told = [note for note in scores.read(run(values)).notes(0.05) if "missing" in note]
    assert len(told) == bool(words)
    assert not told or told[0].startswith(words)
    values[0] = math.nan
    again = [note for note in scores.read(run(values)).notes(0.05) if "missing" in note]
    assert holes > 1 or "on the 7 documents" in again[0]


@pytest.mark.parametrize(("constant", "verb"), [(2, "1 pair differs"), (3, "3 pairs differ")])
def test_pairs_that_differ_by_the_same_amount_are_told(constant: int, verb: str) -> None:
    base = np.array([0.0, 2.0, 1.0, 5.0, 3.0, 4.0, 8.0])[:, None]
    notes = scores.read(run(np.hstack([base + k for k in range(constant)]))).notes(0.05)
    assert any(note.startswith(f"{verb} by the same amount on every document") for note in notes)


def test_an_omnibus_test_is_found_by_name_and_factor() -> None:
    found = run(np.arange(24.0).reshape(8, 3) % 7)
    for one in found.omnibus:
        assert found.test(one.test, one.factor) is one
    assert found.test("kruskal", "nothing") is None
    assert found.test("nothing", "systems") is None
    assert found.ranks("nothing") is None
    assert all(found.ranks(one.factor) is one for one in found.mean_ranks)


def test_cut_offs_of_other_levels_are_refused() -> None:
    found = result(levels=(0.05, 0.01))
    for k, level in enumerate((0.05, 0.01)):
        assert np.array_equal(found.cutoffs(level), found.run.cutoffs[..., k], equal_nan=True)
    paper = scores.read(found.run, estimator="paper")
    assert np.array_equal(paper.cutoffs(0.01), found.run.paper_cutoffs[..., 1], equal_nan=True)
    with pytest.raises(Undefined, match=r"Computed: 0\.05, 0\.01"):
        found.cutoffs(0.1)


def test_the_null_of_a_pair_goes_on_over_blocks() -> None:
    """One number for each draw; the first ones are those of fewer draws."""
    rng = np.random.default_rng(4)
    one = pairs(rng.normal(size=(8, 1)), rng.normal(size=(8, 1)))
    more, few = nulls(one, BLOCK + 30, 5), nulls(one, BLOCK, 5)
    assert (more.shape, few.shape) == ((2, 3, BLOCK + 30), (2, 3, BLOCK))
    assert np.array_equal(more[..., :BLOCK], few)
    assert len(np.unique(more[0, 2, BLOCK:])) > 5
