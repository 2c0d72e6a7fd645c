"""Intervals, plans, exams, judges and the shuffles of a class room, against loops and chances worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from sigcore.resampling.blocks import blocks, generator, swap_masks
from sigcore.studies import learn
from sigcore.studies.learn import draws, promises
from tests.oracles import null_worlds
from tests.unit.sigcore.studies.learn.test_rules import SYSTEMS, rows


def test_the_shuffles_of_a_phone_are_counted_one_by_one() -> None:
    """As many as the loop over the engine's masks of that seed; another seed has others."""
    (block,) = blocks(promises.OWN)
    masks = swap_masks(generator(9, "swap", block.index), block.size, 60)
    gain = abs(learn.gain_of(SYSTEMS))
    count = sum(abs(value) >= gain - 1e-12 for value in null_worlds.swapped_gains(rows(), masks))
    assert learn.own_shuffles(SYSTEMS, 9) == (count, 200)
    assert len({learn.own_shuffles(SYSTEMS, seed)[0] for seed in range(8)}) > 1


def test_intervals_are_the_middle_of_each_test_sets_draws() -> None:
    """The ends are sorted draws 2.5% from both ends; an interval holds the true gain if that is between them, ends included."""
    made = learn.intervals(SYSTEMS, 4)
    drawn = draws.worlds(SYSTEMS, learn.Draw("bootstrap"), made.units, promises.RESAMPLES, 3, 4, is_null=False)
    for k in range(3):
        ordered = np.sort(drawn.pseudo[k])
        at = 0.025 * (len(ordered) - 1)
        low = ordered[math.floor(at)] + (at - math.floor(at)) * (ordered[math.floor(at) + 1] - ordered[math.floor(at)])
        assert made.ends[k, 0] == pytest.approx(low)
    assert made.true == learn.gain_of(SYSTEMS)
    by_hand = learn.Intervals(np.zeros(3), np.array([[0.0, 1.0], [1.0, 2.0], [1.1, 2.0]]), 1.0, 5)
    assert by_hand.holds.tolist() == [True, True, False]
    assert learn.share(by_hand.holds)[:2] == (2, 3)


def test_an_exam_with_one_run_has_two_nearly_equal_tests() -> None:
    """With one run a question is one answer: the sign test is what shuffles of questions estimate."""
    made = learn.exam(3, questions=30, runs=1)
    assert np.abs(made.p[:, 0] - made.p[:, 1]).max() < 4 * math.sqrt(0.25 / promises.SHUFFLES)
    assert (made.p > 0).all()


def test_the_chance_of_a_find_is_summed_over_all_outcomes() -> None:
    """Of 20 items: the chances of every number of wins whose two-sided p is at most 0.05."""
    made = learn.judge(40, (20,))
    assert made.wins == pytest.approx(0.5 + 0.4 * 0.2)
    found = [
        k for k in range(21) if min(1.0, 2 * sum(math.comb(20, j) for j in range(min(k, 20 - k) + 1)) / 2**20) <= 0.05
    ]
    assert found == [*range(6), *range(15, 21)]
    assert made.judge[0] == pytest.approx(sum(binom.pmf(k, 20, made.wins) for k in found))
    assert made.people[0] == pytest.approx(sum(math.comb(20, k) for k in found) / 2**20)
    assert learn.sign_test(0, 0) == 1.0
