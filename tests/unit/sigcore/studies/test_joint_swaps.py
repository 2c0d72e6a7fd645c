"""Max-T over shuffles: every way to swap gives the same adjusted p, for every family and side."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sigcore.corrections import joint
from sigcore.significance import engine
from sigcore.studies import matrix
from sigcore.studies.matrix.compute import begin
from sigcore.study import Settings, Study
from sigcore.types import ALL_PAIRS, SIDES, Comparisons, Side
from tests.made import score_set, text_set
from tests.oracles import joint_swaps

NAMES = ("sys0", "sys1", "sys2", "sys3")
FAMILIES = {
    "all pairs": ALL_PAIRS,
    "one baseline": Comparisons("one baseline", "sys2"),
    "chosen pairs": Comparisons("chosen pairs", pairs=(("sys3", "sys0"), ("sys1", "sys2"))),
}
TESTS = {
    "all pairs": [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)],
    "one baseline": [(0, 2), (1, 2), (3, 2)],
    "chosen pairs": [(3, 0), (1, 2)],
}
JOINT = Settings(correction="joint")


def scores(seed: int = 1, n: int = 9) -> list[list[float]]:
    """Four systems of n scores; the last is clearly better."""
    rng = np.random.default_rng(seed)
    return [(rng.normal(size=n) + 0.9 * (k == 3)).tolist() for k in range(4)]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", FAMILIES)
def test_adjusted_p_are_those_of_all_swaps(name: str, side: Side) -> None:
    """20,000 shuffles give the share of all 512, up to Monte Carlo error; a pair outside of the family has no p."""
    values, resamples = scores(), 20_000
    testset, outputs = score_set(*values)
    assert tuple(item.system for item in outputs) == NAMES
    study = Study(testset, outputs, (("own_scores", {}),), family=FAMILIES[name], settings=replace(JOINT, side=side))
    (result,) = matrix.results(replace(study, resamples=resamples))
    directed = TESTS[name]
    tests = directed + [pair[::-1] for pair in directed if side != "two-sided" and name == "all pairs"]
    rows = [[(value, 1.0) for value in own] for own in values]
    expected = joint_swaps.adjusted(rows, tests, lambda sums: sums[0] / sums[1], side)
    for (system, baseline), p in zip(tests, expected, strict=True):
        found = result.adjusted[system, baseline]
        assert found == pytest.approx(p, abs=4.5 * math.sqrt(p * (1 - p) / resamples) + 2 / resamples)
        assert found >= result.p_values[system, baseline]
    others = ~result.tested & ~np.eye(4, dtype=bool)
    assert np.isnan(result.p_values[others]).all()
    assert np.isnan(result.adjusted[others]).all()


@pytest.mark.parametrize("side", SIDES)
def test_two_systems_are_two_tests_where_sides_count(side: Side) -> None:
    """Two-sided they are one test, which needs no correction; one-sided both directions are corrected together."""
    values, resamples = scores()[2:], 20_000
    testset, outputs = score_set(*values)
    study = Study(testset, outputs, (("own_scores", {}),), settings=replace(JOINT, side=side), resamples=resamples)
    (result,) = matrix.results(study)
    rows = [[(value, 1.0) for value in own] for own in values]
    tests = [(0, 1)] if side == "two-sided" else [(0, 1), (1, 0)]
    expected = joint_swaps.adjusted(rows, tests, lambda sums: sums[0] / sums[1], side)
    assert result.setup.correction == ("none" if side == "two-sided" else "joint")
    for cell, p in zip(tests, expected, strict=True):
        error = 4.5 * math.sqrt(p * (1 - p) / resamples) + 2 / resamples
        assert result.adjusted[cell] == pytest.approx(p, abs=error)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_changes_no_p(name: str) -> None:
    """The p of a pair before the correction is that of the grid of all pairs, bit for bit."""
    testset, outputs = text_set(30, (0.1, 0.2, 0.3, 0.4))
    study = Study(testset, outputs, settings=JOINT, resamples=600)
    (whole,), (part,) = matrix.results(study), matrix.results(replace(study, family=FAMILIES[name]))
    asked = part.tested
    np.testing.assert_array_equal(part.p_values[asked], whole.p_values[asked])
    assert (part.adjusted[asked] <= whole.adjusted[asked]).all()


@pytest.mark.parametrize("at_once", [1, 3, 10])
def test_the_spread_of_a_mean_is_that_of_its_swaps(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The root of the sum of squared differences of the units over n; a pair without a difference has none. Ties are
    recognised by the largest difference. Pairs that are read one, three or all at once have the same."""
    values = scores()
    monkeypatch.setattr("sigcore.significance.contract.IN_CACHE", at_once * len(values[0]))
    testset, outputs = score_set(*values, values[0])
    _, question = begin(Study(testset, outputs, (("own_scores", {}),)))
    for (a, b), spread in zip(question.pairs, question.swap_spread(0), strict=True):
        left, right = (values[k % 4] for k in (a, b))
        squares = sum((x - y) ** 2 for x, y in zip(left, right, strict=True))
        assert spread == pytest.approx(math.sqrt(squares) / len(left), abs=1e-12)
    largest = [max(abs(x - y) for x, y in zip(values[a % 4], values[b % 4], strict=True)) for a, b in question.pairs]
    assert question.units(0) == pytest.approx(largest, abs=0.005 * max(map(max, values)))


def test_equal_systems_take_no_part() -> None:
    """A pair that does not differ keeps p = 1 and changes no other adjusted p, though it is one test more."""
    values = scores()
    asked = Settings(correction="joint")
    for systems in (values[:2], values[:3]):
        testset, outputs = score_set(*systems, systems[0])
        study = Study(testset, outputs, (("own_scores", {}),), settings=asked, resamples=2_000)
        pairs = tuple((a.system, b.system) for k, a in enumerate(outputs[:-1]) for b in outputs[k + 1 : -1])
        (whole,) = matrix.results(
            replace(study, family=Comparisons("chosen pairs", pairs=(*pairs, ("sys0", outputs[-1].system))))
        )
        assert whole.adjusted[0, len(systems)] == 1.0
        if len(pairs) > 1:
            (alone,) = matrix.results(replace(study, family=Comparisons("chosen pairs", pairs=pairs)))
            np.testing.assert_array_equal(whole.adjusted[:3, :3], alone.adjusted[:3, :3])


@pytest.mark.parametrize("m", [1, 6])
def test_the_smallest_adjusted_p_is_the_smallest_p_of_one_test(m: int) -> None:
    """Where no shuffle reaches any test, max-T leaves each at 1 / (R + 1), however many there are; `factor` says so."""
    least = 1 / 1000
    adjusted, _, _ = joint.adjust_prepared(np.full(m, least), np.zeros(m), 999)
    assert adjusted.tolist() == [least] * m
    assert joint.CORRECTION.factor(m) * least == adjusted.min()


def test_workers_and_blocks_change_nothing() -> None:
    """Counts are added block by block: one worker or many, and the partial results of a longer run, are the same."""
    from sigcore.executors import Serial, local
    from sigcore.study import Runtime

    testset, outputs = text_set(25, (0.1, 0.2, 0.3))
    study = Study(testset, outputs, settings=JOINT, resamples=3_000)
    found = [matrix.results(study, Runtime(executor=one))[0].adjusted for one in (Serial(), local(3))]
    np.testing.assert_array_equal(*found)


def test_few_draws_at_a_time_change_nothing(monkeypatch) -> None:
    """Of many pairs few draws are in memory at once: counts, intervals and adjusted p are those of whole blocks."""
    testset, outputs = score_set(*scores())
    study = Study(testset, outputs, (("own_scores", {}),), settings=JOINT, resamples=1_300)

    def found() -> list[np.ndarray]:
        (one,) = matrix.results(study)
        ends = one.gain_intervals
        assert ends is not None
        return [one.p_values, one.adjusted, one.adjusted_high, ends]

    whole = found()
    monkeypatch.setattr(engine, "IN_MEMORY", 200)  # 33 draws of six pairs at a time, and one block of 276 at the end
    for one, other in zip(whole, found(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("at_once", [1, 40, 1 << 16])
def test_parts_of_the_tests_count_as_all_of_them(monkeypatch, at_once):
    """The largest null statistic of the tests after a part is carried into it, however small the parts are."""
    draw = np.random.default_rng(4)
    statistic, null = draw.normal(1.0, 1.0, 23), draw.normal(size=(23, 20))
    order = np.argsort(-statistic)
    expected = [sum(null[order[k:], r].max() >= statistic[order[k]] for r in range(20)) for k in range(23)]
    monkeypatch.setattr(joint, "AT_ONCE", at_once)
    assert joint.count(statistic, null)[order].tolist() == expected
    assert joint.count(statistic[order], null[order]).tolist() == expected


@pytest.mark.parametrize("side", SIDES)
def test_shuffles_that_tie_with_a_gain_are_counted(side: Side) -> None:
    """Tenths are no exact numbers in binary: a shuffle with the same gain reaches it, whatever its rounding says."""
    rng, resamples = np.random.default_rng(6), 20_000
    values = [(rng.integers(0, 4, 8) / 10 + 0.1 * (k == 3)).tolist() for k in range(4)]
    testset, outputs = score_set(*values)
    study = Study(testset, outputs, (("own_scores", {}),), settings=replace(JOINT, side=side), resamples=resamples)
    (result,) = matrix.results(study)
    directed = TESTS["all pairs"]
    tests = directed + [pair[::-1] for pair in directed if side != "two-sided"]
    rows = [[(round(10 * value), 1) for value in own] for own in values]
    expected = joint_swaps.adjusted(rows, tests, lambda sums: sums[0] / sums[1], side)
    for (system, baseline), p in zip(tests, expected, strict=True):
        found = result.adjusted[system, baseline]
        assert found == pytest.approx(p, abs=4.5 * math.sqrt(p * (1 - p) / resamples) + 2 / resamples)
