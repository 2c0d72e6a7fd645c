"""Bounds and words of pairwise judgments: ties, the largest sizes, intervals, ranks and notes, one step to either side."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from sigcore.errors import OptionError, Undefined
from sigcore.preferences import Preferences
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies import pairwise
from sigcore.studies.pairwise import compute, result
from sigcore.testset import Outputs, Testset


def preferred(*rows: tuple[str, str, float, str]) -> Preferences:
    """Comparisons: (first, second, outcome, question)."""
    first, second, outcome, question = zip(*rows, strict=True)
    return Preferences("made", np.array(first), np.array(second), np.array(outcome, dtype=float), np.array(question))


def counted(
    wins: int, ties: int, losses: int, first: str = "A", second: str = "B"
) -> list[tuple[str, str, float, str]]:
    """So many questions that the first won, tied and lost, each compared once."""
    outcomes = [1.0] * wins + [0.5] * ties + [0.0] * losses
    return [(first, second, outcome, f"q{k}") for k, outcome in enumerate(outcomes)]


def of_counts(wins: int, ties: int, losses: int, **more: Any) -> pairwise.PairwiseResult:
    """The result of one pair with these counts."""
    battles = pairwise.of_preferences(preferred(*counted(wins, ties, losses)))
    return pairwise.read(pairwise.run(battles, resamples=40), **more)


def scored(*columns: object, better: Any = "higher") -> ScoreMatrix:
    """Scores of systems, one column each."""
    values = np.array(columns, dtype=float).T
    items = tuple(str(k) for k in range(len(values)))
    return ScoreMatrix("made", items, tuple("ABCD"[: values.shape[1]]), values, better=better)


@pytest.mark.parametrize(
    ("wins", "losses"), [(0, 0), (1, 0), (0, 1), (1, 1), (5, 0), (6, 0), (4, 2), (2, 4), (7, 6), (30, 14)]
)
def test_p_of_few_wins_by_the_binomial_law(wins: int, losses: int) -> None:
    """Twice the tail of the smaller count, at most 1; the mid-p takes off what was observed once."""
    n, k = wins + losses, min(wins, losses)
    tail = 2 * sum(math.comb(n, j) for j in range(k + 1)) / 2**n
    assert float(pairwise.sign_test(wins, losses)) == pytest.approx(min(1.0, tail))
    assert float(pairwise.mid_p(wins, losses)) == pytest.approx(min(1.0, tail - binom.pmf(k, n, 0.5)) if n else 1.0)


def test_a_difference_that_is_rounding_is_a_tie() -> None:
    """At most 1e-11 of the largest score, in either direction."""
    apart = [0.0, 1e-9, 2e-9, -1e-9, -2e-9, 50.0]
    battles = pairwise.of_scores(scored([100.0 + one for one in apart], [100.0] * 6))
    assert battles.outcome.tolist() == [0.5, 0.5, 1, 0.5, 0, 1]
    small = pairwise.of_scores(scored([0.0, 1.0], [0.5, 1.0]))
    assert small.outcome.tolist() == [0, 0.5]
    zeros = pairwise.of_scores(scored([0.0, 0.0], [0.0, 0.0]))
    assert (zeros.outcome.tolist(), zeros.binary, zeros.both.tolist()) == ([0.5, 0.5], True, [0])  # type: ignore[union-attr]


def test_only_scores_of_0_and_1_are_right_or_wrong() -> None:
    """Then questions that both have right are counted; a missing score is neither."""
    battles = pairwise.of_scores(scored([1, 1, 0, 1, math.nan], [1, 0, 0, 1, 1]))
    assert battles.binary
    assert battles.both is not None
    assert battles.both.tolist() == [2]
    assert battles.outcome.tolist() == [0.5, 1, 0.5, 0.5]
    (pair,) = pairwise.read(pairwise.run(battles, resamples=20)).pairs
    assert (pair.both_right, pair.both_wrong, pair.wins, pair.ties, pair.losses) == (2, 1, 1, 3, 0)
    other = pairwise.of_scores(scored([1, 0.5], [1, 0]))
    assert (other.binary, other.both) == (False, None)
    (pair,) = pairwise.read(pairwise.run(other, resamples=20)).pairs
    assert (pair.both_right, pair.both_wrong) == (None, None)


def test_the_largest_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many systems, comparisons, resamples and drawn numbers as are said, and not one more."""
    monkeypatch.setattr(compute, "MOST", 3 * 4)
    three = scored([1, 2, 3, 4], [2, 2, 2, 2], [0, 0, 5, 5])
    assert len(pairwise.of_scores(three).pairs) == 3
    monkeypatch.setattr(compute, "MOST", 3 * 4 - 1)
    with pytest.raises(Undefined, match="3 pairs on 4"):
        pairwise.of_scores(three)
    with pytest.raises(Undefined, match="fewer than two systems"):
        pairwise.of_scores(scored([1, 2]))
    rows = preferred(("A", "B", 1, "q"), ("B", "C", 1, "q"))
    monkeypatch.setattr(compute, "MOST_SYSTEMS", 3)
    assert pairwise.of_preferences(rows).systems == ("A", "B", "C")
    monkeypatch.setattr(compute, "MOST_SYSTEMS", 2)
    with pytest.raises(Undefined, match="3 systems are more than 2"):
        pairwise.of_preferences(rows)


def test_numbers_of_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """From 1 to the most, and no more numbers of pairs and systems than fit: the message names how many do."""
    battles = pairwise.of_preferences(preferred(("A", "B", 1, "q"), ("B", "C", 1, "q")))  # two pairs, three systems
    for asked in (0, compute.MOST_RESAMPLES + 1):
        with pytest.raises(OptionError, match="resamples is"):
            compute._check(battles, asked, 1)
    compute._check(battles, 1, 1)
    compute._check(battles, compute.MOST_RESAMPLES, 1)
    monkeypatch.setattr(compute, "MOST_HELD", 7 * 5)
    compute._check(battles, 7, 1)
    with pytest.raises(OptionError, match="8 resamples of 2 pairs are too many") as refused:
        compute._check(battles, 8, 1)
    assert refused.value.fix == "Use 7 or fewer."
    monkeypatch.setattr(compute, "MOST_HELD", 2)
    with pytest.raises(OptionError) as none:
        compute._check(battles, 8, 1)
    assert none.value.fix == "Use 1 or fewer."


def test_the_seed_that_nobody_named() -> None:
    battles = pairwise.of_preferences(preferred(*counted(6, 2, 5)))
    named, usual = pairwise.run(battles, resamples=30, seed=12345), pairwise.run(battles, resamples=30)
    assert (usual.seed, usual.drawn_rates.tolist()) == (12345, named.drawn_rates.tolist())
    assert pairwise.RESAMPLES == 10_000


def test_judgments_are_graded_where_one_is_between() -> None:
    """Wins, losses and ties are not graded; scores never are."""
    assert not pairwise.of_preferences(preferred(*counted(2, 2, 2))).graded
    assert pairwise.of_preferences(preferred(*counted(2, 2, 2), ("A", "B", 0.75, "q"))).graded
    assert not replace(pairwise.of_scores(scored([1, 2], [2, 1])), outcome=np.array([0.3, 1.0])).graded


def test_a_pair_in_the_other_order_is_the_same_pair() -> None:
    """The outcome is turned, graded ones too."""
    one = pairwise.of_preferences(preferred(("A", "B", 1, "1"), ("B", "A", 1, "2"), ("B", "A", 0.7, "3")))
    assert (one.pairs.tolist(), one.outcome.tolist()) == ([[0, 1]], pytest.approx([1, 0, 0.3]))
    assert compute.majorities(one).tolist() == [[1, 0, 2]]


@pytest.mark.parametrize(
    ("outcomes", "place"),
    [([1, 0], 1), ([1, 0.5], 0), ([0.5, 0], 2), ([0.9, 0.1], 1), ([0.9, 0.11], 0), ([0.3, 0.6], 2)],
)
def test_a_question_goes_to_whoever_won_more_there(outcomes: list[float], place: int) -> None:
    battles = pairwise.of_preferences(preferred(*(("A", "B", one, "q") for one in outcomes)))
    assert compute.majorities(battles)[0].tolist() == [int(k == place) for k in range(3)]


@pytest.mark.parametrize(("wins", "losses"), [(1, 1), (3, 1), (1, 9), (200, 1)])
def test_two_strengths_are_the_log_odds(wins: int, losses: int) -> None:
    """Half of them to each side of 0, a tie as half a win; Elo points are 400 for a factor of ten."""
    found = of_counts(wins, 2, losses)
    odds = math.log((wins + 1) / (losses + 1))
    strengths = {one.system: one for one in found.ranking}
    assert strengths["A"].strength == pytest.approx(odds / 2, abs=1e-7)
    assert strengths["A"].elo - strengths["B"].elo == pytest.approx(
        400 * math.log10((wins + 1) / (losses + 1)), abs=1e-4
    )
    assert strengths["A"].elo + strengths["B"].elo == pytest.approx(2000)
    assert [one.compared for one in found.ranking] == [wins + losses + 2] * 2


def test_tables_in_small_portions_have_the_same_strengths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those between them that have no finite maximum."""
    wins = np.random.default_rng(2).integers(1, 9, (7, 3, 3)).astype(float)
    wins[:, range(3), range(3)] = 0
    wins[4] = [[0, 2, 2], [0, 0, 1], [0, 0, 0]]
    whole = compute.strengths(wins)
    assert np.isnan(whole).all(axis=1).tolist() == [k == 4 for k in range(7)]
    alone = np.array([compute.strengths(one[None])[0] for one in wins])
    np.testing.assert_allclose(whole, alone, atol=1e-9)
    for most in (1, 9, 18):
        monkeypatch.setattr(compute, "AT_ONCE", most)
        np.testing.assert_allclose(compute.strengths(wins), whole, atol=1e-9)


def test_draws_in_small_portions_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    battles = pairwise.of_preferences(preferred(*counted(9, 2, 8), *counted(7, 1, 9, "B", "C")))
    whole = pairwise.run(battles, resamples=30).drawn
    monkeypatch.setattr(compute, "AT_ONCE", 9 * 4)
    np.testing.assert_allclose(pairwise.run(battles, resamples=30).drawn, whole, atol=1e-9)


@pytest.mark.parametrize("systems", [2, 3, 4, 5, 6, 9])
def test_a_circle_has_a_maximum_and_a_chain_has_none(systems: int) -> None:
    """Each is reached from each along a circle of wins, however long it is."""
    chain = np.eye(systems, k=1)[None]
    circle = chain.copy()
    circle[0, -1, 0] = 1
    assert compute.has_maximum(np.concatenate([chain, circle])).tolist() == [False, True]


@pytest.mark.parametrize(
    ("wins", "ties", "losses", "low", "high"),
    [(5, 0, 0, 0.05 ** (1 / 5) / 2 ** (1 / 5), 1.0), (1, 0, 0, 0.025, 1.0), (0, 3, 0, math.nan, math.nan)],
)
def test_intervals_of_few_single_comparisons(wins: int, ties: int, losses: int, low: float, high: float) -> None:
    """Of n wins without a loss the low end is the n-th root of alpha / 2; of ties alone there is none."""
    found = result._of_single(wins, ties, losses, 0.05)
    assert found == pytest.approx((low, high), nan_ok=True)


@pytest.mark.parametrize("ties", [0, 3])
def test_an_interval_of_wins_mirrors_that_of_losses(ties: int) -> None:
    one, other = result._of_single(9, ties, 2, 0.1), result._of_single(2, ties, 9, 0.1)
    assert one == pytest.approx((1 - other[1], 1 - other[0]))
    assert 0.5 < one[0] < (9 + ties / 2) / (11 + ties) < one[1] <= 1


@pytest.mark.parametrize("counts", [(7, 0, 2), (7, 3, 2), (2, 5, 7), (12, 1, 4)])
def test_single_comparisons_have_that_interval_with_ties_too(counts: tuple[int, int, int]) -> None:
    """Seen from the system that is ahead; one more comparison of a question takes it away."""
    wins, ties, losses = counts if counts[0] > counts[2] else counts[::-1]
    (pair,) = of_counts(*counts).pairs
    assert (pair.wins, pair.ties, pair.losses) == (wins, ties, losses)
    assert pair.interval == pytest.approx(result._of_single(wins, ties, losses, 0.05))
    again = pairwise.of_preferences(preferred(*counted(*counts), ("A", "B", 0.5, "q0")))
    (other,) = pairwise.read(pairwise.run(again, resamples=40)).pairs
    assert other.interval != pytest.approx(pair.interval, nan_ok=True)


@pytest.mark.parametrize(("questions", "known"), [(9, False), (10, True)])
def test_several_comparisons_have_an_interval_from_ten_questions_on(questions: int, known: bool) -> None:
    """Of drawn questions, within 0 and 1."""
    rows = [("A", "B", float((k + j) % 3 > 0), f"q{k}") for k in range(questions) for j in range(2)]
    (pair,) = pairwise.read(pairwise.run(pairwise.of_preferences(preferred(*rows)), resamples=99)).pairs
    assert np.isfinite(pair.interval).all() == known
    if known:
        assert 0 <= pair.interval[0] <= pair.rate <= pair.interval[1] <= 1


def test_ends_of_draws_are_drawn_ones_and_a_missing_draw_is_beyond_both() -> None:
    """Of 0 to 100 the fifth and the 95th at a tenth; with six draws missing, the ends lie beyond them."""
    drawn = np.arange(101.0)[:, None]
    assert result._limits(drawn, 0.1).tolist() == [[5, 95]]
    few = drawn.copy()
    few[50:56] = math.nan
    assert result._limits(few, 0.1).tolist() == [[-math.inf, math.inf]]
    assert result._limits(np.where(drawn == 50, math.nan, drawn), 0.1).tolist() == [[4, 96]]


@pytest.mark.parametrize(
    ("strengths", "best", "worst"),
    [([3, 2, 1], [1, 2, 3], [1, 2, 3]), ([1, 1, 1], [1, 1, 1], [3, 3, 3]), ([1, 2, 1], [2, 1, 2], [3, 1, 3]),
     ([0, 0.9e-7, 1], [2, 2, 1], [3, 3, 1]), ([0, 1.1e-7, 1], [3, 2, 1], [3, 2, 1])],
)  # fmt: skip
def test_ranks_of_strengths(strengths: list[float], best: list[int], worst: list[int]) -> None:
    """Systems of equal strength share the places that they take; what differs by rounding only is equal."""
    found = result._ranks(np.array([strengths, [math.nan] * 3], dtype=float))
    assert [one[0].tolist() for one in found] == [best, worst]
    assert all(np.isnan(one[1]).all() for one in found)


def test_without_strengths_systems_stand_by_their_mean_share() -> None:
    """A system that was never compared has none, and no division by it."""
    battles = pairwise.of_scores(scored([1, 5, 3, 4], [2, 2, 2, 2], [0, 0, 5, 5]))
    run = pairwise.run(battles, resamples=20)
    rates = {(0, 1): 0.75, (0, 2): 0.5, (1, 2): 0.5}
    assert run.rates.tolist() == list(rates.values())
    assert result._places(run).tolist() == pytest.approx([0.625, 0.375, 0.5])
    first = pairwise.read(run).pairs
    assert [(one.system, one.baseline) for one in first] == [("A", "C"), ("A", "B"), ("C", "B")]
    assert pairwise.read(run).ranking == ()
    missing = pairwise.run(pairwise.of_scores(scored([1, 2], [2, 3], [math.nan] * 2)), resamples=20)
    assert result._places(missing).tolist() == [0, 1, 0]


@pytest.mark.parametrize(("alpha", "number"), [(0.03125, 1), (math.nextafter(0.03125, 0), 0)])
def test_p_equal_to_alpha_is_significant(alpha: float, number: int) -> None:
    """Six wins of six: p is 2 / 64."""
    assert of_counts(6, 0, 0, alpha=alpha).significant == number


@pytest.mark.parametrize(("decided", "few"), [(5, True), (6, False)])
def test_six_decided_questions_are_not_few(decided: int, few: bool) -> None:
    """Ties do not decide."""
    said = [note for note in of_counts(decided - 1, 4, 1).notes() if "decided questions" in note]
    assert said == (["1 of 1 pair has fewer than 6 decided questions: its p cannot be below 0.05."] if few else [])


def test_notes_on_single_and_repeated_questions() -> None:
    """A question that was judged several times counts once; where none was, nothing is said of it."""
    once = of_counts(7, 1, 5).notes()
    again = pairwise.run(pairwise.of_preferences(preferred(*counted(7, 1, 5), ("A", "B", 1, "q0"))), resamples=20)
    assert not any("several times" in note for note in once)
    assert sum("several times" in note for note in pairwise.read(again).notes()) == 1


def against(pairs: int) -> pairwise.PairwiseResult:
    """So many pairs whose order and test point to different systems."""
    one = of_counts(7, 1, 5).pairs[0]
    made = [replace(one, system=f"S{k}", wins=3, losses=9, p_value=0.2 - k / 100) for k in range(pairs)]
    return replace(of_counts(7, 1, 5), pairs=(*made, one))


@pytest.mark.parametrize(("pairs", "more"), [(0, ""), (1, ""), (3, ""), (4, "1 other pair."), (5, "2 other pairs.")])
def test_three_pairs_against_the_test_are_named(pairs: int, more: str) -> None:
    """Those with the smallest p; the others are counted."""
    found = list(result._against(against(pairs)))
    named = [note.split(" ")[0] for note in found if "is ahead of" in note]
    assert named == [f"S{k}" for k in reversed(range(pairs))][:3]
    assert found[len(named) :] == ([f"So it is for {more}"] if more else [])
    assert [pair.against for pair in against(1).pairs] == [True, False]
    assert not replace(against(1).pairs[0], wins=9).against


def test_draws_without_a_ranking_are_counted() -> None:
    """One loss in fourteen questions is missing from about a third of the draws."""
    found = of_counts(13, 0, 1)
    undefined = int(np.isnan(found.run.drawn).any(axis=1).sum())
    assert found.undefined == undefined > 0
    assert any(note.startswith(f"{undefined} of 40 draws have no finite") for note in found.notes())
    assert any(note.startswith("1 of 40 draws has no finite") for note in replace(found, undefined=1).notes())
    assert not any("no finite" in note for note in replace(found, undefined=0).notes())
    alone = of_counts(6, 0, 0)
    assert (alone.ranking, alone.undefined) == ((), 40)
    assert sum("There is no Bradley-Terry ranking" in note for note in alone.notes()) == 1


@pytest.mark.parametrize(
    ("one", "other", "counts"),
    [(("1", "0", "1"), ("0", "1", "1"), (1, 1)), (("1.0", "1"), ("0", "0.0"), (2, 0)), (("1", "0.5"), ("0", "1"), None),
     (("1", ""), ("0", "1"), None), (("1", "2"), ("0", "1"), None)],
)  # fmt: skip
def test_mcnemar_needs_zeros_and_ones(
    one: tuple[str, ...], other: tuple[str, ...], counts: tuple[int, int] | None
) -> None:
    testset = Testset("x", "scores", len(one))
    found = pairwise.mcnemar(testset, Outputs("A", one), Outputs("B", other))
    assert (None if found is None else (found.only_first, found.only_second)) == counts
