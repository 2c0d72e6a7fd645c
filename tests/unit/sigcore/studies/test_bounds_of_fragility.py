"""The search for the fewest segments that carry a verdict: each step by hand or by trying all, and the bounds of what is removed."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sigcore.significance import LEAST_UNITS
from sigcore.studies import statistics
from sigcore.studies.pairs import How
from sigcore.studies.segments.fragility import Fragility, _Search, _smaller, fragility
from sigcore.study import LOCAL
from sigcore.sufficient import SufficientStatistics
from tests.made import score_set


def pair_of(differences: np.ndarray) -> tuple[SufficientStatistics, ...]:
    """Two systems with these differences of own scores."""
    testset, outputs = score_set(differences, np.zeros(len(differences)))
    (measured,) = statistics.measure(testset, outputs, [("own_scores", {})])
    return measured.systems


def search_of(
    differences: Any, side: str = "two-sided", unit_of: Any = None, item_of: Any = None, alpha: float = 0.05
) -> _Search:
    how = How("approximate_randomization", side, resamples=99)  # type: ignore[arg-type]
    groups = [None if one is None else np.asarray(one, dtype=np.intp) for one in (unit_of, item_of)]
    return _Search(pair_of(np.asarray(differences, float)), *groups, how, alpha, LOCAL, None)


PARTS = np.array([3.0, -1.0, 0.5, 2.0, -2.0, 1.0]) / 6


@pytest.mark.parametrize(
    ("side", "sign", "before", "first"),
    [
        ("two-sided", 1, 0.05, 0), ("two-sided", 1, 0.06, 4), ("two-sided", -1, 0.05, 0), ("two-sided", -1, 0.06, 4),
        ("greater", 1, 0.05, 0), ("greater", 1, 0.06, 4), ("greater", -1, 0.06, 0), ("greater", -1, 0.05, 4),
        ("less", 1, 0.05, 4), ("less", 1, 0.06, 0), ("less", -1, 0.05, 0), ("less", -1, 0.06, 4),
    ],
)  # fmt: skip
def test_what_carries_the_verdict_goes_first(side: str, sign: int, before: float, first: int) -> None:
    """Of a significant result what speaks for it, of another what speaks against it; by its direction, or that of the side."""
    order = search_of(6 * sign * PARTS, side).order(before)
    assert order[0] == first
    assert order[-1] == {0: 4, 4: 0}[first]
    assert sorted(order.tolist()) == list(range(6))


@pytest.mark.parametrize(("side", "sign"), [("two-sided", 1.0), ("greater", 1.0), ("less", -1.0)])
def test_without_a_gain_it_is_looked_for_in_the_direction_of_the_side(side: str, sign: float) -> None:
    order = search_of([1.0, -2.0, 1.0, 0.0], side).order(0.5)
    assert order[0] == {1.0: 1, -1.0: 0}[sign]


@pytest.mark.parametrize(
    ("p", "before", "crosses"),
    [(0.05, 0.06, True), (0.06, 0.05, True), (0.05, 0.04, False), (0.06, 0.07, False), (math.nan, 0.01, False), (math.nan, 0.5, False)],
)  # fmt: skip
def test_p_at_alpha_is_significant(p: float, before: float, crosses: bool) -> None:
    assert search_of(6 * PARTS).crosses(p, before) is crosses


def test_strengths_are_gains_in_standard_errors() -> None:
    """What is left of the gain, by the root of the squares that are left: of segments, of documents, and of segments whose
    documents are drawn."""
    order = np.array([0, 3, 5, 2, 1])
    plain = search_of(6 * PARTS)
    left = [[k for k in range(6) if k not in order[: j + 1]] for j in range(5)]
    assert plain.gain == pytest.approx(PARTS.sum())
    assert plain.strengths(order) == pytest.approx([PARTS[k].sum() / math.sqrt((PARTS[k] ** 2).sum()) for k in left])
    units = np.array([0, 0, 1, 1, 2, 2])
    coarse = search_of(6 * PARTS, unit_of=units)
    sums = [[PARTS[[k for k in kept if units[k] == unit]].sum() for unit in range(3)] for kept in left]
    assert coarse.strengths(order) == pytest.approx([sum(one) / math.sqrt(sum(x**2 for x in one)) for one in sums])
    items = search_of(6 * PARTS, unit_of=units, item_of=units)
    by_unit = np.array([PARTS[units == unit].sum() for unit in range(3)])
    assert items.parts == pytest.approx(by_unit)
    assert items.strengths(np.array([0, 1])) == pytest.approx(
        [(by_unit[1] + by_unit[2]) / math.hypot(*by_unit[1:]), math.copysign(1, by_unit[2])]
    )
    fine = search_of(6 * PARTS, item_of=units)  # documents are removed, segments drawn
    squares = [sum(PARTS[units > unit] ** 2) for unit in (0, 1)]
    assert fine.strengths(np.array([0, 1])) == pytest.approx(
        [by_unit[1:].sum() / math.sqrt(squares[0]), by_unit[2] / math.sqrt(squares[1])]
    )


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("before", [0.01, 0.5])
def test_the_first_guess_is_that_of_the_normal_distribution(side: str, before: float) -> None:
    """The first number of segments without which p is on the other side of alpha; at most so many."""
    rng = np.random.default_rng(4)
    found = search_of(rng.normal(0.8 if before < 0.1 else 0.1, 1, 40) * (-1 if side == "less" else 1), side)
    order = found.order(before)
    normal, wanted = NormalDist(), 20
    for k in range(1, 21):
        left = found.parts[order[k:]]
        z = float(left.sum() / math.sqrt((left**2).sum()))
        p = {"greater": normal.cdf(-z), "less": normal.cdf(z), "two-sided": 2 * normal.cdf(-abs(z))}[side]
        if (p <= 0.05) != (before <= 0.05):
            wanted = k
            break
    assert 1 < wanted < 20
    assert found.first(order, before, 20) == wanted
    assert found.first(order, before, wanted - 1) == wanted - 1


@pytest.mark.parametrize("guess", [1, 2, 7, 40, 64, 130, 200])
@pytest.mark.parametrize("needed", [1, 2, 3, 6, 8, 39, 63, 64, 65, 129, 131, 199, 200, 201])
def test_the_fewest_are_found_from_every_guess(guess: int, needed: int) -> None:
    """Where p crosses alpha from one number on, that number is found, in few tests; None beyond the most."""
    found = search_of(6 * PARTS)
    asked: list[int] = []

    def test(removed: np.ndarray) -> tuple[float, float]:
        asked.append(len(removed))
        return float(len(removed)), 0.5 if len(removed) >= needed else 0.01

    found.test, found.first = test, lambda *_: guess  # type: ignore[method-assign, assignment]
    answer = found.fewest(np.arange(300), 0.01, 200)
    assert answer == (None if needed > 200 else (needed, (float(needed), 0.5)))
    assert len(asked) == len(set(asked))
    assert max(asked) <= 200
    assert min(asked) >= 1
    assert len(asked) <= 19
    if needed == guess:
        assert len(asked) <= 4  # the guess itself, and what is just below it


@pytest.mark.parametrize("before", [0.01, 0.5])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_exchanged_sets_are_the_best_of_all_with_one_item_less(before: float, size: int) -> None:
    """All sets that leave out one item, or two and take another one: the four with the smallest strength, or the largest."""
    rng = np.random.default_rng(size)
    found = search_of(rng.normal(0.4, 1, 30))
    order = found.order(before)
    removed, others = order[:size], order[size : size + 20]
    every = [set(kept) for kept in combinations(removed.tolist(), size - 1)]
    every += (
        [{*kept, other} for kept in combinations(removed.tolist(), size - 2) for other in others.tolist()]
        if size > 1
        else []
    )

    def strength(gone: set[int]) -> float:
        left = [k for k in range(30) if k not in gone]
        return abs(float(found.parts[left].sum())) / math.sqrt(float((found.parts[left] ** 2).sum()))

    every.sort(key=strength, reverse=before > 0.05)
    sets = [one.tolist() for one in found.exchanged(removed, order, before)]
    assert all(len(one) == len(set(one)) for one in sets)
    assert [set(one) for one in sets][: len(every)] == every[:4]


@pytest.mark.parametrize(
    ("size", "items", "left"),
    [(1, 40, 1), (2, 40, 1), (2, 21, 2), (2, 22, 1), (3, 22, 3), (3, 23, 1), (60, 80, 1), (61, 200, 61)],
)
def test_sets_are_made_smaller_while_they_are_small_and_others_are_left(size: int, items: int, left: int) -> None:
    """Up to sixty, with twenty others beside them, down to one."""
    search = SimpleNamespace(
        exchanged=lambda removed, *_: [removed[1:]],
        test=lambda removed: (float(len(removed)), 0.5),
        crosses=lambda *_: True,
    )
    removed, found = _smaller(search, np.arange(items), np.arange(size), (0.0, 0.3), 0.01)  # type: ignore[arg-type]
    assert len(removed) == left
    assert found == ((0.0, 0.3) if left == size else (float(left), 0.5))


def test_the_first_set_that_crosses_is_taken() -> None:
    """Of those that are tried; where none does, the set stays."""
    sets = [np.array([7, 8]), np.array([8, 9]), np.array([9, 5])]
    tried: list[list[int]] = []

    def test(removed: np.ndarray) -> tuple[float, float]:
        tried.append(removed.tolist())
        return 1.0, 0.5 if removed.tolist() == [8, 9] else 0.01

    search = SimpleNamespace(
        exchanged=lambda removed, *_: sets if len(removed) == 3 else [np.array([8])],
        test=test,
        crosses=lambda p, before: p > 0.05,
    )
    removed, found = _smaller(search, np.arange(40), np.array([7, 8, 9]), (0.0, 0.3), 0.01)  # type: ignore[arg-type]
    assert (removed.tolist(), found) == ([8, 9], (1.0, 0.5))
    assert tried == [[7, 8], [8, 9], [8]]


@pytest.mark.parametrize(
    ("test", "n", "most"),
    [("approximate_randomization", 9, 4), ("approximate_randomization", 2, 1), ("two_delta_bootstrap", 100, 50)],
)
def test_at_most_half_of_the_segments_are_removed(
    test: str, n: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(_Search, "test", lambda *_: (0.1, 0.5))
    monkeypatch.setattr(_Search, "fewest", lambda _, order, before, most: asked.append(most))
    rng = np.random.default_rng(1)
    one = fragility(pair_of(rng.normal(0, 1, n)), How(test, "two-sided", resamples=99), 0.05)
    assert asked == [most]
    assert one is not None
    assert (one.of, one.count, one.verified, one.removed.tolist(), one.names) == (n, 0, False, [], ())


@pytest.mark.parametrize("more", [-1, 0, 1, 2])
def test_a_bootstrap_keeps_as_many_segments_as_it_needs(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is tried where no segment can go; randomization keeps one."""
    asked: list[int] = []
    monkeypatch.setattr(_Search, "test", lambda *_: (0.1, 0.5))
    monkeypatch.setattr(_Search, "fewest", lambda _, order, before, most: asked.append(most))
    pair = pair_of(np.arange(LEAST_UNITS + more) - 3.0)
    assert fragility(pair, How("two_delta_bootstrap", "two-sided", resamples=99), 0.05) is not None
    assert asked == ([more] if more > 0 else [])
    asked.clear()
    fragility(pair_of(np.ones(1)), How("approximate_randomization", "two-sided", resamples=99), 0.05)
    assert asked == []


def test_without_p_there_is_no_fragility(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Search, "test", lambda *_: (0.1, math.nan))
    assert fragility(pair_of(np.arange(9.0)), How("approximate_randomization", "two-sided", resamples=99), 0.05) is None


@pytest.mark.parametrize(
    ("p_before", "verified", "words"),
    [
        (0.05, False, "No set of up to half of the segments takes the significance away (p 0.050, alpha 0.05)."),
        (0.0501, False, "No set of up to half of the segments makes the gain significant"),
        (
            0.05,
            True,
            "Without 12 segments of 1,200 (1.0%) the gain, tested alone, is no longer significant: p moves from 0.050 to 0.20.",
        ),
        (0.0501, True, "the gain, tested alone, becomes significant"),
    ],
)
def test_a_fragility_in_words(p_before: float, verified: bool, words: str) -> None:
    one = Fragility("segment", 1200, 12, np.arange(12), (), p_before, 0.2, 0.1, verified, 0.05, 9_999)
    assert words in str(one)
    assert one.significant is (p_before <= 0.05)
