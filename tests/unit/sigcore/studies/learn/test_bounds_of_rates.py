"""Rules of p with draws that tie, error rates by counting, and the rounds of the games at their bounds."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sigcore import Outputs, Runtime, Testset
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.studies import learn
from sigcore.studies.learn import draws, promises, rates
from sigcore.studies.learn.rates import Errors, Factory, Game, Many, Mean, Round

SWAP = learn.Rule(learn.Draw("swap"))
DRAWN = np.array([[-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 2.0, 3.0, math.nan]])  # mean .25 without the undefined one


def data(*columns: Any) -> learn.Data:
    outputs = [
        Outputs(name, tuple(map(repr, map(float, column)))) for name, column in zip("ABCD", columns, strict=False)
    ]
    return learn.data(Testset("numbers", "scores", len(columns[0]), ()), outputs, [("own_scores", {})])


@pytest.mark.parametrize("gain", [2.0, -2.0, 3.0, 0.0, 1.75, -1.75])
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("kind", ["swap", "bootstrap", "slip"])
def test_what_each_rule_counts(kind: str, one_sided: bool, strict: bool, gain: float) -> None:
    """Swaps as they are, a bootstrap less its mean, the slip absolute values less theirs; an undefined resample counts; what
    equals the gain counts unless the rule is strict."""
    rule = learn.Rule(
        learn.Draw("swap" if kind == "swap" else "bootstrap"), strict=strict, one_sided=one_sided, slip=kind == "slip"
    )
    known = DRAWN[0][:-1]
    if kind == "swap":
        own, folded = known, False
    elif kind == "slip" and not one_sided:
        own, folded = np.abs(known) - np.abs(known).mean(), True
    else:
        own, folded = known - known.mean(), False
    size = gain if one_sided else abs(gain)
    compared = own if one_sided or folded else np.abs(own)
    count = sum(bool(x > size + 1e-9 or (abs(x - size) <= 1e-9 and not strict)) for x in compared) + 1
    assert rates.p_of(rule, np.array([gain]), DRAWN, 1.0).tolist() == [pytest.approx((count + 1) / 10)]
    assert rates.p_of(replace(rule, plus_one=False), np.array([gain]), DRAWN, 1.0).tolist() == [
        pytest.approx(count / 9)
    ]
    assert rates.statistics(rule, DRAWN)[0, :-1].tolist() == pytest.approx(own.tolist())
    drawn = rates.Drawn(gain, DRAWN[0, :-1], 1.0, draws.Worlds(np.zeros(0), np.zeros((0, 1))), learn.SIZES[0])
    shown = rates.counted(rule, drawn)
    assert shown.cutoffs == (-math.inf if one_sided or folded else -size, size)
    assert int(shown.counts.sum()) == count - 1
    assert shown.p == pytest.approx(count / 9)


def test_errors_so_far_are_counted_at_alpha() -> None:
    """A p of alpha is an error; the interval is of the first data sets, or of all."""
    pseudo = np.tile(np.arange(1.0, 20.0), (4, 1))
    worlds = draws.Worlds(np.array([20.0, 19.0, 18.0, 20.0]), pseudo)
    drawn = rates.Drawn(0.0, pseudo[0], 1.0, worlds, learn.SIZES[0])
    found = rates.errors(SWAP, drawn, 0.1)  # 1/20, 2/20, 3/20, 1/20
    assert found.p == pytest.approx([0.05, 0.1, 0.15, 0.05])
    assert found.so_far.tolist() == [1.0, 2.0, 2.0, 3.0]
    assert found.rate == 0.75
    assert found.interval() == pytest.approx(tuple(map(float, clopper_pearson(3, 4))))
    assert found.interval(3) == pytest.approx(tuple(map(float, clopper_pearson(2, 3))))


@pytest.mark.parametrize(
    ("p", "part"),
    [
        (Fraction(1, 200), 0),
        (Fraction(1, 20), 0),
        (Fraction(11, 200), 1),
        (Fraction(1, 2), 9),
        (Fraction(101, 200), 10),
        (Fraction(1), 19),
    ],
)
def test_a_p_on_an_edge_is_in_the_part_below_it(p: Fraction, part: int) -> None:
    made = Factory(np.array([float(p), 0.01]), np.zeros(2), 9, True)
    assert made.counts(1).tolist() == [float(k == part) for k in range(20)]
    assert made.counts(2).sum() == 2


def test_rejections_of_the_factory() -> None:
    made = Factory(np.array([0.05, 0.0501, 0.01, 0.2]), np.zeros(4), 9, True)
    assert (made.rejected(0.05), made.rejected(0.05, 2), made.rejected(0.05, 1)) == (2, 1, 1)
    assert made.interval(0.05) == pytest.approx(tuple(map(float, clopper_pearson(2, 4))))


def test_false_alarms_of_many_pairs() -> None:
    """At most alpha, in each world; any in a world is one."""
    p = np.array([[0.05, 0.01, 0.2], [0.0501, 0.3, 0.4], [0.05, 0.3, 0.4]])
    made = Many(p, np.minimum(1, 5 * p), 9)
    assert made.found(0.05).tolist() == [2, 0, 1]
    assert made.kept(0.05).tolist() == [1, 0, 0]
    assert learn.any_of(made.found(0.05)) == pytest.approx((2, *map(float, clopper_pearson(2, 3))))
    assert [part.tolist()[:3] for part in learn.cells()] == [[0, 0, 0], [1, 2, 3]]
    assert len(learn.cells()[0]) == 105


@pytest.mark.parametrize(("worlds", "shown"), [(9, []), (10, []), (11, [10]), (20, [10]), (21, [10, 20])])
def test_every_tenth_world_is_shown_but_the_last(
    worlds: int, shown: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rates.pairs, "examine", lambda *_: type("T", (), {"p_values": np.linspace(0.01, 1, 105)}))
    seen: list[Many] = []
    made = learn.many(data([1, 2, 3], [3, 1, 2]), 1, worlds, Runtime(publish=seen.append))
    assert [len(part.p) for part in seen] == shown
    assert made.p.shape == (worlds, 105)
    assert made.units == 3


@pytest.mark.parametrize("n", [99, 100, 101])
def test_worlds_of_many_pairs_have_a_hundred_units_at_most(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        rates.pairs,
        "examine",
        lambda systems, *_: type("T", (), {"p_values": np.full(105, 1 / len(systems[0].values))}),
    )
    made = learn.many(data(np.arange(n), np.arange(n)), 1, 1)
    assert made.units == min(n, 100)
    assert made.p[0, 0] == 1 / min(n, 100)


def test_a_mean_of_units_is_the_corpus_score() -> None:
    """Of own scores: both curves are those of the same order, and p and t are of the differences."""
    one, other = np.array([1.0, 5.0, 2.0, 8.0, 3.0]), np.array([0.5, 4.0, 2.5, 6.0, 1.0])
    made = learn.mean(data(one, other), 3)
    assert made.is_mean
    assert made.corpus == pytest.approx(made.means)
    assert made.corpus[:, -1] == pytest.approx([one.mean(), other.mean()])
    assert made.gains == pytest.approx((np.mean(one - other),) * 2)
    assert made.t_p == pytest.approx(stats.ttest_rel(one, other).pvalue)
    assert not replace(made, means=made.means + 1e-6).is_mean
    assert replace(made, means=made.means + 1e-10).is_mean
    order = np.argsort(np.argsort(made.corpus[0] * np.arange(1, 6)))
    assert len(order) == 5
    steps = np.diff(made.corpus[0] * np.arange(1, 6), prepend=0.0)
    assert sorted(steps) == pytest.approx(sorted(one))


def test_a_gain_near_its_tie_is_not_the_mean() -> None:
    """Every number of the means counts, of both systems."""
    made = Mean(
        ("a", "b"),
        "t",
        2,
        "units",
        np.array([[1.0, 2.0], [1.0, 2.0]]),
        np.array([[9.0, 2.0], [9.0, 2.0]]),
        (0.0, 0.0),
        1.0,
        1.0,
    )
    assert made.is_mean
    assert not replace(made, means=np.array([[1.0, 2.0], [1.0, 3.0]])).is_mean


# ---- the game


def rounds(*p: float) -> tuple[Round, ...]:
    return tuple(Round("a", "b", 10, 1.0, np.arange(99.0), one, False) for one in p)


def test_a_game_is_paid_by_squared_errors() -> None:
    """25 less 100 times the square; a p of alpha is significant."""
    made = Game(rounds(0.05, 0.0501, 0.01), ((0, 0.8), (1, 0.3)), 2, 0.05, "t", 2, "units")
    assert [made.is_found(k) for k in range(3)] == [True, False, True]
    assert made.points == pytest.approx(25 - 100 * 0.2**2 + 25 - 100 * 0.3**2)
    assert made.always(0.7) == pytest.approx(25 - 100 * 0.3**2 + 25 - 100 * 0.7**2)
    assert (made.answer(0), made.answer(2)) == (0.8, None)
    assert rounds(0.04)[0].tail == 3


@pytest.mark.parametrize(
    ("n", "offered"),
    [
        (4, {10}),
        (10, {10}),
        (19, {10}),
        (20, {10, 20}),
        (320, {10, 20, 40, 80, 160, 320}),
        (319, {10, 20, 40, 80, 160}),
    ],
)
def test_rounds_are_offered_up_to_the_size_of_the_data(n: int, offered: set[int]) -> None:
    """Without a difference every size that there is, and at least the smallest."""
    found = rates._offered(data(np.ones(n), np.ones(n)))
    assert {size for _, _, size in found.tolist()} == offered


def test_rounds_are_neither_too_easy_nor_hopeless() -> None:
    """A gain of half a standard error to four on so many units: its ratio grows with the root of their number."""
    rng = np.random.default_rng(2)
    differences = rng.normal(size=400)
    differences = (differences - differences.mean()) / differences.std(ddof=1)
    for ratio in (0.4, 1.5, 12.0):  # standard errors of the gain on all 400 units
        values = differences + ratio / 20
        found = rates._offered(data(values, np.zeros(400)))
        wanted = [size for size in (10, 20, 40, 80, 160, 320) if 0.5 <= ratio * math.sqrt(size / 400) <= 4]
        assert [size for _, _, size in found.tolist()] == (wanted or [10, 20, 40, 80, 160, 320])
    three = rates._offered(data(differences, np.zeros(400), np.zeros(400)))  # equal systems have no error
    assert {(a, b) for a, b, _ in three.tolist()} == {(0, 1), (0, 2), (1, 2)}


@pytest.mark.parametrize("is_found", [True, False])
def test_a_round_is_looked_for_until_it_is_of_the_wanted_kind(is_found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty times at most; a p of alpha is significant."""
    made: list[Round] = []

    def once(*_: object) -> Round:
        made.extend(rounds(0.05 if (len(made) == 4) is is_found else 0.0501))
        return made[-1]

    monkeypatch.setattr(rates, "_round", once)
    offered = np.array([[0, 1, 10]])
    rng = np.random.default_rng(1)
    assert rates._wanted(data([1, 2], [2, 1]), offered, rng, is_found, 0.05) is made[4]
    made.clear()
    monkeypatch.setattr(rates, "_round", lambda *_: made.extend(rounds(0.0501 if is_found else 0.05)) or made[-1])
    assert rates._wanted(data([1, 2], [2, 1]), offered, rng, is_found, 0.05) is made[-1]
    assert len(made) == 60


# ---- draws and promises


@pytest.mark.parametrize(("ratio", "n", "size"), [(1.0, 7, 7), (0.5, 7, 4), (0.5, 1, 1), (0.01, 7, 1), (0.4, 10, 4)])
def test_a_share_of_the_units_is_drawn(ratio: float, n: int, size: int) -> None:
    counts = draws._counts(learn.Draw("bootstrap", ratio), 5, n, np.random.default_rng(1))
    assert counts.sum(axis=1).tolist() == [size] * 5


def test_the_usual_pair_is_two_standard_errors_apart() -> None:
    """The better one first; the first pair where none varies."""
    rng = np.random.default_rng(5)
    noise = rng.normal(size=100)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    base = np.zeros(100)
    columns = [base, noise + 0.1, -noise - 0.2, 3 * noise + 3.0]  # 1, 2 and 10 standard errors from the first
    assert learn.usual_pair(data(*columns[:3])) == ("A", "C")
    assert learn.usual_pair(data(columns[2], base, columns[1])) == ("B", "A")
    assert learn.usual_pair(data(base, base + 1, base)) == ("B", "A")


def test_intervals_hold_the_true_gain_at_their_ends() -> None:
    ends = np.array([[1.0, 2.0], [2.0, 3.0], [2.1, 3.0], [1.0, 1.9]])
    assert promises.Intervals(np.zeros(4), ends, 2.0, 9).holds.tolist() == [True, True, False, False]


def test_shares_count_what_was_found() -> None:
    some, whole, ends = promises.share(np.array([True, False, True]))
    assert (some, whole) == (2, 3)
    assert ends == pytest.approx(tuple(map(float, clopper_pearson(2, 3))))


@pytest.mark.parametrize(("habit", "agreement", "wins"), [(0, 1.0, 0.5), (20, 0.9, 0.54), (100, 0.5, 0.7)])
def test_a_judge_with_a_habit(habit: int, agreement: float, wins: float) -> None:
    """In so many percent of the items the longer answer wins, which is the first system's in 70%; people agree with half of it."""
    made = promises.judge(habit, (10,))
    assert (made.agreement, made.wins) == (pytest.approx(agreement), pytest.approx(wins))
    significant = [k for k in range(11) if stats.binomtest(k, 10).pvalue <= 0.05]
    assert made.judge[0] == pytest.approx(sum(stats.binom.pmf(k, 10, wins) for k in significant))
    assert made.people[0] == pytest.approx(sum(stats.binom.pmf(k, 10, 0.5) for k in significant))


@pytest.mark.parametrize("n", [199, 200, 201])
def test_intervals_are_of_two_hundred_units_at_most(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The middle 95% of the draws of each test set."""
    pseudo = np.vstack([np.arange(201.0), np.append(np.arange(200.0), math.nan)])
    asked: list[Any] = []

    def worlds(
        pair: Any, how: Any, units: int, resamples: int, repetitions: int, seed: int, is_null: bool, progress: Any
    ) -> draws.Worlds:
        asked.append((how.kind, units, is_null))
        return draws.Worlds(np.zeros(2), pseudo)

    monkeypatch.setattr(promises, "worlds", worlds)
    pair = data(np.arange(n) + 1.0, np.arange(n)).measured.systems
    made = promises.intervals(pair, 1)
    assert asked == [("bootstrap", min(n, 200), False)]
    assert made.units == min(n, 200)
    assert made.ends[0] == pytest.approx([5.0, 195.0])
    assert made.ends[1] == pytest.approx([0.025 * 199, 0.975 * 199])
    assert made.true == pytest.approx(1.0)


def test_an_empty_error_rate_is_frozen() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Errors(np.array([0.1]), np.array([1.0])).p[0] = 1
