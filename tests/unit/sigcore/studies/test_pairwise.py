"""Pairwise judgments: the sign test, McNemar's test, Bradley-Terry strengths and their intervals, each in two ways."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar

from sigboard.questions.pairwise.report import sentence, summary
from sigcore.errors import OptionError, SigError, Undefined
from sigcore.executors import Serial, Threads
from sigcore.preferences import Preferences, gathered_preferences, preferences
from sigcore.resampling.blocks import blocks, bootstrap_counts, generator
from sigcore.results import printed
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies import pairwise
from sigcore.studies.pairwise import result as pairwise_result
from sigcore.studies.pairwise.compute import has_maximum
from sigcore.study import Runtime
from sigcore.testset import Outputs, Testset
from tests.oracles.all_swaps import exact_p, pseudo_gains

Row = tuple[str, str, float, str, str]


def judged(systems: int, comparisons: int, seed: int = 1, each: int = 1) -> list[Row]:
    """Comparisons of systems of known strengths, `each` on a question."""
    rng = np.random.default_rng(seed)
    strength = np.linspace(1, -1, systems)
    rows = []
    for k in range(comparisons):
        i, j = rng.choice(systems, 2, replace=False)
        won = rng.random() < 1 / (1 + math.exp(strength[j] - strength[i]))
        outcome = 0.5 if rng.random() < 0.2 else float(won)
        rows.append((f"S{i}", f"S{j}", outcome, f"q{k // each}", "judge"))
    return rows


def table(rows: list[Row]) -> np.ndarray:
    """How often each system was preferred to each, ties as half, by a loop."""
    names = sorted({name for row in rows for name in row[:2]})
    wins = np.zeros((len(names), len(names)))
    for first, second, outcome, _, _ in rows:
        i, j = names.index(first), names.index(second)
        wins[i, j] += outcome
        wins[j, i] += 1 - outcome
    return wins


def by_optimizer(wins: np.ndarray) -> np.ndarray:
    """Bradley-Terry strengths by a general optimizer of the likelihood."""

    def loss(theta: np.ndarray) -> float:
        return float((wins * np.logaddexp(0, theta[None, :] - theta[:, None])).sum())

    found = minimize(loss, np.zeros(len(wins)), method="BFGS", options={"gtol": 1e-10}).x
    return np.asarray(found - found.mean())


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (5, 0), (6, 0), (12, 5), (7, 7), (40, 61)])
def test_p_is_that_of_other_programs(wins: int, losses: int) -> None:
    """The exact p is scipy's binomial test and statsmodels' McNemar; mid-p counts half of what was observed."""
    p = float(pairwise.sign_test(wins, losses))
    if wins + losses:
        assert p == pytest.approx(binomtest(wins, wins + losses).pvalue, rel=1e-12)
    assert p == pytest.approx(mcnemar([[3, wins], [losses, 4]], exact=True).pvalue, rel=1e-12)
    n, low = wins + losses, min(wins, losses)
    pmf = [math.comb(n, k) / 2**n for k in range(n + 1)]
    assert float(pairwise.mid_p(wins, losses)) == pytest.approx(min(1, 2 * sum(pmf[:low]) + pmf[low]), rel=1e-12)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=9))
def test_mcnemar_is_randomization_of_zeros_and_ones(answers: list[tuple[int, int]]) -> None:
    """With all swaps, approximate randomization of 0/1 scores has exactly the p of McNemar's test."""
    matrix = ScoreMatrix("x", tuple(map(str, range(len(answers)))), ("A", "B"), np.array(answers, dtype=float))
    pair = pairwise.read(pairwise.run(pairwise.of_scores(matrix), resamples=1)).pairs[0]
    gains = pseudo_gains([[a] for a, _ in answers], [[b] for _, b in answers], lambda row: row[0])
    assert pair.p_value == pytest.approx(exact_p(gains, "two-sided"), rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_strengths_have_the_highest_likelihood(seed: int) -> None:
    """Newton's method finds what a general optimizer finds."""
    wins = table(judged(5, 200, seed))
    assert pairwise.strengths(wins[None])[0] == pytest.approx(by_optimizer(wins), abs=1e-6)


def test_two_systems_have_the_log_odds() -> None:
    """With 30 wins and 10 losses the strengths differ by log 3."""
    strong, weak = pairwise.strengths(np.array([[[0, 30], [10, 0]]], dtype=float))[0]
    assert strong - weak == pytest.approx(math.log(3))


@given(st.lists(st.sampled_from([(i, j) for i in range(4) for j in range(4) if i != j]), max_size=9))
def test_a_maximum_exists_if_no_group_always_wins(won: list[tuple[int, int]]) -> None:
    """Ford's condition, by all ways to cut the systems in two: each group lost once to the others."""
    wins = np.zeros((4, 4))
    for i, j in won:
        wins[i, j] += 1
    groups = [set(g) for size in (1, 2, 3) for g in itertools.combinations(range(4), size)]
    expected = all(any(wins[j, i] for i in g for j in set(range(4)) - g) for g in groups)
    assert bool(has_maximum(wins[None])[0]) == expected
    assert np.isfinite(pairwise.strengths(wins[None])).all() == expected


def test_draws_are_those_of_a_loop() -> None:
    """Shares and strengths of every draw, computed from repeated rows."""
    rows = judged(4, 90, each=3)
    run = pairwise.run(pairwise.of_preferences(preferences("x", rows)), resamples=6, seed=5)
    questions = sorted({row[3] for row in rows})
    counts = bootstrap_counts(generator(5, "bootstrap", blocks(6)[0].index), 6, len(questions))
    for weights, rates, strength in zip(counts, run.drawn_rates, run.drawn, strict=True):
        drawn = [row for row in rows for _ in range(int(weights[questions.index(row[3])]))]
        wins = table(drawn)
        for (i, j), rate in zip(run.battles.pairs, rates, strict=True):
            assert rate == pytest.approx(wins[i, j] / (wins[i, j] + wins[j, i]))
        if np.isfinite(strength).all():
            assert strength == pytest.approx(by_optimizer(wins), abs=1e-5)


def test_a_pair_of_which_no_question_is_drawn_has_no_rate_there() -> None:
    """A and C met on one of 21 questions: the rate is 1 where that is drawn and nothing elsewhere, so its interval has no width."""
    rows: list[Row] = [("A", "B", float(k % 2), str(k), "") for k in range(20)] + [("A", "C", 1.0, "20", "")]
    run = pairwise.run(pairwise.of_preferences(preferences("x", rows)), resamples=200, seed=5)
    (place,) = np.flatnonzero((run.battles.pairs == (0, 2)).all(axis=1))
    rates = run.drawn_rates[:, place]
    assert 40 < np.isnan(rates).sum() < 110  # (20 / 21)^21 of 200 is 72
    assert set(rates[~np.isnan(rates)]) == {1.0}


@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_the_order_of_rows_and_sides_changes_nothing(chance: object, each: int) -> None:
    """Shuffled rows, with the two systems exchanged in some, give the same result."""
    rows = judged(3, 30, each=each)
    first = pairwise.read(pairwise.run(pairwise.of_preferences(preferences("x", rows)), resamples=20))
    turned = [(b, a, 1 - o, q, j) if k % 2 else (a, b, o, q, j) for k, (a, b, o, q, j) in enumerate(rows)]
    chance.shuffle(turned)  # type: ignore[attr-defined]
    again = pairwise.read(pairwise.run(pairwise.of_preferences(preferences("x", turned)), resamples=20))
    assert (first.pairs, first.ranking) == (again.pairs, again.ranking)


def test_a_question_counts_once() -> None:
    """Two wins and a loss on a question are one win; a win in each order is a tie."""
    rows = [("A", "B", 1.0, "1", ""), ("B", "A", 0.0, "1", ""), ("A", "B", 0.0, "1", ""),
            ("A", "B", 1.0, "2", ""), ("B", "A", 1.0, "2", "")]  # fmt: skip
    result = pairwise.read(pairwise.run(pairwise.of_preferences(preferences("x", rows)), resamples=1))
    (pair,) = result.pairs
    assert (pair.wins, pair.ties, pair.losses, pair.compared) == (1, 1, 0, 5)
    assert pair.rate == pytest.approx(3 / 5)
    assert any("counts once" in note for note in result.notes())


def test_workers_change_nothing() -> None:
    """One thread or two: the same numbers."""
    battles = pairwise.of_preferences(preferences("x", judged(4, 60)))
    one, two = (
        pairwise.run(battles, resamples=1100, runtime=Runtime(executor=where)) for where in (Serial(), Threads(2))
    )
    assert np.array_equal(one.drawn, two.drawn, equal_nan=True)
    assert np.array_equal(one.drawn_rates, two.drawn_rates, equal_nan=True)


def test_draws_without_a_maximum_widen_the_intervals() -> None:
    """A system that rarely loses has no upper end; the note says how many draws have no estimate."""
    rows = [("A", "B", 1.0, str(k), "") for k in range(30)] + [("A", "B", 0.0, "30", "")]
    result = pairwise.read(pairwise.run(pairwise.of_preferences(preferences("x", rows)), resamples=400))
    assert result.undefined > 0
    assert result.ranking[0].interval[1] == math.inf
    assert any("no finite" in note for note in result.notes())
    alone = pairwise.read(pairwise.run(pairwise.of_preferences(preferences("x", rows[:30])), resamples=10))
    assert alone.ranking == ()
    assert any("no Bradley-Terry ranking" in note for note in alone.notes())


@pytest.mark.parametrize("lost", [0, 4])
def test_ranks_follow_the_tests_where_strengths_have_no_end(lost: int) -> None:
    """A beats B, and B beats C, on nearly all questions: strengths have no end, and ranks are what the tests say. Where B and C
    are not told apart, both may be second."""
    rows = [("A", "B", float(k > 0), f"q{k}", "") for k in range(15)]
    rows += [("B", "C", float(k > lost), f"q{k}", "") for k in range(15)]
    rows += [("A", "C", 1.0, f"q{k}", "") for k in range(15)]
    result = pairwise.read(pairwise.run(pairwise.of_preferences(preferences("x", rows)), resamples=400))
    assert math.inf in (end for one in result.ranking for end in one.interval)
    told = {(one.system, one.baseline): one.adjusted <= 0.05 for one in result.pairs}
    assert [told["A", "B"], told["A", "C"], told["B", "C"]] == [True, True, lost == 0]
    second = (2, 2) if lost == 0 else (2, 3)
    third = (3, 3) if lost == 0 else (2, 3)
    assert {one.system: one.ranks for one in result.ranking} == {"A": (1, 1), "B": second, "C": third}
    assert summary(result).endswith(" A is first of 3.")
    assert any("Ranks are those that the corrected tests leave." in note for note in result.notes())


def test_lower_scores_may_be_better() -> None:
    """The better score wins, whichever direction that is; missing scores are compared by no pair."""
    values = np.array([[1.0, 2.0], [3.0, 3.0], [np.nan, 1.0], [1.0, 4.0]])
    for better, first in (("lower", "A"), ("higher", "B")):
        matrix = ScoreMatrix("x", tuple("abcd"), ("A", "B"), values, better=better)  # type: ignore[arg-type]
        (pair,) = pairwise.read(pairwise.run(pairwise.of_scores(matrix), resamples=5)).pairs
        assert (pair.system, pair.wins, pair.ties, pair.losses, pair.compared) == (first, 2, 1, 0, 3)


def test_wrong_questions_are_refused() -> None:
    """Too many draws, one system, a correction with a joint null, outcomes out of range."""
    battles = pairwise.of_preferences(preferences("x", judged(3, 20)))
    with pytest.raises(OptionError, match="resamples"):
        pairwise.run(battles, resamples=0)
    with pytest.raises(OptionError, match="joint null"):
        pairwise.read(pairwise.run(battles, resamples=1), correction="joint")
    with pytest.raises(Undefined):
        pairwise.of_scores(ScoreMatrix("x", ("a",), ("A",), np.ones((1, 1))))
    many: list[Row] = [(f"S{k}", f"S{k + 1}", 1.0, str(k), "") for k in range(400)]
    with pytest.raises(Undefined, match="more than"):
        pairwise.of_preferences(preferences("x", many))
    for bad in ([("A", "B", 2.0, "1", "")], [("A", "A", 1.0, "1", "")], [("", "A", 1.0, "1", "")]):
        with pytest.raises(SigError):
            preferences("x", bad)  # type: ignore[arg-type]
    with pytest.raises(SigError, match="no comparisons"):
        gathered_preferences([])


def test_mcnemar_of_two_systems_of_zeros_and_ones() -> None:
    """The counts and both p; nothing for other scores, missing ones or texts."""
    test = Testset("t", "scores", 8)
    first, second = Outputs("A", tuple("11110001")), Outputs("B", tuple("10000101"))
    found = pairwise.mcnemar(test, first, second)
    assert found is not None
    assert (found.only_first, found.only_second) == (3, 1)
    assert found.p_value == pytest.approx(binomtest(3, 4).pvalue)
    assert "only A is right on 3, only B on 1" in str(found)
    assert pairwise.mcnemar(test, first, Outputs("B", ("0.5", *"1000010"))) is None
    assert pairwise.mcnemar(test, first, Outputs("B", ("", *"1000010"))) is None
    assert pairwise.mcnemar(Testset("t", "text", 8, (("x",) * 8,)), first, second) is None


def test_files_are_gathered() -> None:
    """The comparisons of two files are those of both."""
    rows = judged(3, 20)
    parts = [preferences("x", rows[:8]), preferences("y", rows[8:])]
    whole: Preferences = gathered_preferences(parts)
    assert whole.digest == preferences("z", rows).digest


def ranks_by_counting(strengths: np.ndarray) -> list[list[tuple[int, int]]]:
    """The best and the worst rank of each system in each draw, by comparing it with every other."""
    return [
        [(1 + sum(other > own for other in row), sum(other >= own for other in row)) for own in row]
        for row in strengths
    ]


@pytest.mark.parametrize("seed", range(20))
def test_systems_of_equal_strength_share_their_ranks(seed: int) -> None:
    """Ranks from 1 + those that are better to all that are not worse, in every draw."""
    drawn = np.random.default_rng(seed).integers(0, 4, size=(7, 1 + seed % 6)).astype(float)
    best, worst = pairwise_result._ranks(drawn)
    assert [list(zip(*pair, strict=True)) for pair in zip(best, worst, strict=True)] == ranks_by_counting(drawn)
    drawn[3] = np.nan
    assert np.isnan(pairwise_result._ranks(drawn)[0][3]).all()


def test_a_circle_of_wins_has_no_first() -> None:
    """x beats y, y beats z, z beats x: nobody is first alone, in no order of the file."""
    for names in ("xyz", "zyx", "yxz"):
        circle = list(zip(names, names[1:] + names[:1], strict=True))
        rows = [(a, b, 1.0, f"q{k}", "judge") for k in range(20) for a, b in circle]
        result = pairwise.read(
            pairwise.run(pairwise.of_preferences(preferences("circle", rows)), resamples=100, seed=1)
        )
        assert [(one.rank, one.ranks) for one in result.ranking] == [(1, (1, 3))] * 3
        assert "x, y, z have the same strength" in summary(result) or sorted(names) != list(names)
        assert "is first" not in summary(result)


def test_an_order_against_the_test_is_said() -> None:
    """A wins a hundred comparisons of one question and loses twelve others: first by strength, and p is evidence for B."""
    rows = [("A", "B", 1.0, "q0", f"judge {k}") for k in range(100)] + [
        ("A", "B", 0.0, f"q{k}", "judge") for k in range(1, 13)
    ]
    result = pairwise.read(pairwise.run(pairwise.of_preferences(preferences("judged", rows)), resamples=50))
    (pair,) = result.pairs
    assert (pair.system, pair.wins, pair.losses, pair.against) == ("A", 1, 12, True)
    assert "A is first of 2" in summary(result)
    assert summary(result).endswith("But B wins significantly more questions against it.")
    (note,) = (note for note in result.notes() if "is ahead of" in note)
    assert note.startswith("A is ahead of B, but wins fewer questions: 1 to 12 (p = 0.0034).")
    assert note.endswith("The p is evidence for B.")
    assert sentence(result, pair).startswith("B wins 12 questions against A, ties 0 and loses 1: p = 0.0034")
    agreed = pairwise.read(
        pairwise.run(pairwise.of_preferences(preferences("judged", rows[100:] + rows[:1])), resamples=50)
    )
    assert not any("is ahead of" in note for note in agreed.notes())
    assert "But" not in summary(agreed)


def test_an_interval_of_single_comparisons_agrees_with_the_sign_test() -> None:
    """Of all wins, ties and losses up to 14: 1/2 is outside exactly where p is at most alpha; wins and losses can be turned."""
    for wins, ties, losses in itertools.product(range(15), (0, 1, 4), range(15)):
        if losses > wins:  # turned below
            continue
        if not wins + losses:
            assert all(math.isnan(end) for end in pairwise_result._of_single(wins, ties, losses, 0.05))
            continue
        low, high = pairwise_result._of_single(wins, ties, losses, 0.05)
        rate = (wins + ties / 2) / (wins + ties + losses)
        assert 0 <= low <= rate <= high <= 1
        assert low < high
        assert (low > 0.5 or high < 0.5) == bool(pairwise_result.sign_test(wins, losses) <= 0.05)
        turned = pairwise_result._of_single(losses, ties, wins, 0.05)
        assert (1 - turned[1], 1 - turned[0]) == pytest.approx((low, high), abs=1e-8)
        assert (turned[0] > 0.5 or turned[1] < 0.5) == bool(pairwise_result.sign_test(losses, wins) <= 0.05)


@pytest.mark.parametrize(("win", "lose"), [(0.5, 0.3), (0.5, 0.0), (0.2, 0.1)])
def test_an_interval_of_single_comparisons_holds_the_true_share(win: float, lose: float) -> None:
    """Ties are drawn, too: about 95% of intervals of 40 questions hold the share of wins with ties as half."""
    rng, held = np.random.default_rng(1), 0
    drawn = Counter(map(tuple, rng.multinomial(40, [win, lose, 1 - win - lose], 1_000).tolist()))
    for (wins, losses, ties), times in drawn.items():
        low, high = pairwise_result._of_single(wins, ties, losses, 0.05)
        held += times * (math.isnan(low) or low <= 0.5 + (win - lose) / 2 <= high)
    assert 0.93 <= held / 1_000 <= 0.985


@pytest.mark.parametrize(("questions", "known"), [(9, False), (10, True)])
def test_several_comparisons_of_few_questions_have_no_interval(questions: int, known: bool) -> None:
    """Below ten questions drawn ones cannot show how a share varies."""
    rows = [("A", "B", float((q + k) % 3 > 0), f"q{q}", "judge") for q in range(questions) for k in range(2)]
    (pair,) = pairwise.read(pairwise.run(pairwise.of_preferences(preferences("x", rows)), resamples=50)).pairs
    assert math.isfinite(pair.interval[0]) == math.isfinite(pair.interval[1]) == known


def test_an_interval_of_comparisons_that_all_agree_is_that_of_the_questions() -> None:
    """Where one system won all comparisons of each question, drawn questions do not vary: 12 of 12 may still be 11 of 12."""

    def interval(wins: list[float]) -> tuple[float, float]:
        rows = [("A", "B", win, f"q{k}", f"j{j}") for k in range(12) for j, win in enumerate(wins)]
        (pair,) = pairwise.read(pairwise.run(pairwise.of_preferences(preferences("x", rows)), resamples=50)).pairs
        return pair.interval

    assert interval([1.0, 1.0]) == pytest.approx(clopper(12, 12))
    assert interval([0.0, 0.0]) == pytest.approx(clopper(12, 12))  # the better one is listed first
    assert all(map(math.isnan, interval([1.0, 0.0])))  # every question is a tie: nothing is decided
    assert interval([0.7, 0.7]) == pytest.approx((0.7, 0.7))  # graded: a mean


def test_a_share_of_few_questions_has_no_interval() -> None:
    """Eight questions of three comparisons each are too few to draw: the table says n/a, and no numbers."""
    compared = preferences("judgments", [("A", "B", float(k % 4 > 0), f"q{k // 3}", f"j{k % 3}") for k in range(24)])
    found = pairwise.read(pairwise.run(pairwise.of_preferences(compared)))
    assert math.isnan(found.pairs[0].interval[0])
    shown = printed(pairwise.PAIRS, found.pairs)
    (row,) = (dict(zip(shown.head, cells, strict=True)) for cells in shown.cells)
    assert row["interval"] == "n/a"
    assert row["share"] == "75.0%"


@pytest.mark.parametrize(("wins", "losses", "says"), [(7, 2, "A wins 7"), (2, 7, "B wins 7")])
def test_the_sentence_is_about_the_system_for_which_p_speaks(wins, losses, says):
    """Wins and losses change places with the systems, whichever of them is listed first."""
    pair = pairwise_result.JudgedPair("A", "B", 12, wins, 3, losses, 0.5, None, 0.18, 0.1, 0.18)
    scores = ScoreMatrix("x", tuple("abcd"), ("A", "B"), np.array([[1.0, 2.0], [3.0, 3.0], [0.0, 1.0], [1.0, 4.0]]))
    result = pairwise.read(pairwise.run(pairwise.of_scores(scores), resamples=5))
    words = sentence(result, pair)
    other = "B" if says[0] == "A" else "A"
    assert words.startswith(f"{says} {result.run.battles.noun}s against {other}, ties 3 and loses 2: ")


def test_the_interval_of_graded_preferences_is_that_of_their_mean() -> None:
    """A share of graded preferences is a mean: its interval is that of means of drawn questions, and holds it. Weights of 0
    and 1 alone keep the interval that agrees with p."""
    weights = np.r_[np.full(14, 0.45), np.full(6, 0.99)]
    made = [("A", "B", float(value), f"q{k}", "judge") for k, value in enumerate(weights)]
    result = pairwise.read(pairwise.run(pairwise.of_preferences(preferences("x", made)), resamples=4_000, seed=3))
    (pair,) = result.pairs
    assert (pair.system, pair.wins, pair.ties, pair.losses) == ("A", 6, 0, 14)
    assert pair.rate == pytest.approx(weights.mean())
    means = np.random.default_rng(1).choice(weights, (20_000, 20)).mean(axis=1)
    assert pair.interval == pytest.approx(np.quantile(means, [0.025, 0.975]), abs=0.01)
    assert any("Preferences are graded" in note for note in result.notes())
    assert any("how much a system is preferred" in note for note in result.notes())
    whole = [(first, second, float(value > 0.5), question, judge) for first, second, value, question, judge in made]
    plain = pairwise.read(pairwise.run(pairwise.of_preferences(preferences("x", whole)), resamples=100))
    assert plain.pairs[0].interval == pytest.approx(clopper(14, 20))
    assert not any("graded" in note for note in plain.notes())


def clopper(wins: int, of: int) -> tuple[float, float]:
    """The exact 95% interval of a share, by scipy."""
    found = binomtest(wins, of).proportion_ci(0.95, method="exact")
    return found.low, found.high


def test_ranks_of_tests_follow_who_wins_questions() -> None:
    """The system that is ahead by strength may lose significantly more questions: the test decides on ranks."""

    def pair(wins: int, losses: int, p: float) -> pairwise_result.JudgedPair:
        return pairwise_result.JudgedPair("A", "B", 30, wins, 0, losses, 0.5, (0.0, 1.0), p, p, p)

    ranks = pairwise_result._ranks_of_tests
    assert ranks(["A", "B"], [pair(20, 5, 0.01)], 0.05) == {"A": (1, 1), "B": (2, 2)}
    assert ranks(["A", "B"], [pair(5, 20, 0.01)], 0.05) == {"A": (2, 2), "B": (1, 1)}
    assert ranks(["A", "B"], [pair(20, 5, 0.05)], 0.05) == {"A": (1, 1), "B": (2, 2)}
    assert ranks(["A", "B"], [pair(20, 5, 0.051)], 0.05) == {"A": (1, 2), "B": (1, 2)}
