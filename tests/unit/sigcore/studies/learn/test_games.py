"""The other lessons: BLEU beside a mean, 105 pairs without a difference, and the rounds of predictions."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from scipy.stats import t

from sigcore import Testset
from sigcore.studies import learn
from sigcore.studies.learn import draws
from sigcore.studies.learn.rates import many_world
from sigcore.study import Runtime
from tests.oracles import resample_strings, step_procedures
from tests.unit.sigcore.studies.learn.test_rules import ASKED, OUTPUTS
from tests.unit.sigcore.studies.learn.test_rules import TESTSET as NUMBERS
from tests.unit.sigcore.studies.learn.test_steps import FIRST, REFERENCE, SECOND
from tests.unit.sigcore.studies.learn.test_steps import OUTPUTS as TEXTS
from tests.unit.sigcore.studies.learn.test_steps import TESTSET as BOATS

SCORES = learn.data(NUMBERS, OUTPUTS, ASKED)


# ---- a mean


def test_corpus_scores_and_means_are_those_of_the_strings() -> None:
    """The scores of the first k segments are sacrebleu's of these strings, the means those of single segments."""
    made = learn.mean(learn.data(BOATS, TEXTS, [("bleu", {})]), 5)
    order = np.random.default_rng(np.random.SeedSequence(5, spawn_key=(draws.ORDER,))).permutation(40)
    for k in (1, 7, 40):
        for row, lines in enumerate((FIRST, SECOND)):
            chosen, gold = [lines[i] for i in order[:k]], [REFERENCE[i] for i in order[:k]]
            assert made.corpus[row, k - 1] == pytest.approx(resample_strings.corpus_score(BLEU(), chosen, [gold]))
            single = [resample_strings.corpus_score(BLEU(), [a], [[b]]) for a, b in zip(chosen, gold, strict=True)]
            assert made.means[row, k - 1] == pytest.approx(sum(single) / k)
    assert not made.is_mean
    assert made.gains[0] == pytest.approx(made.corpus[0, -1] - made.corpus[1, -1])
    assert made.gains[1] == pytest.approx(made.means[0, -1] - made.means[1, -1])


def test_t_test_by_hand() -> None:
    """p is that of the mean difference divided by its standard error."""
    made = learn.mean(SCORES, 1)
    first, second = (np.array([float(x) for x in outputs.segments]) for outputs in OUTPUTS)
    d = first - second
    statistic = d.mean() / (d.std(ddof=1) / math.sqrt(len(d)))
    assert made.t_p == pytest.approx(2 * t.sf(abs(statistic), len(d) - 1))
    assert made.is_mean
    assert made.gains[0] == pytest.approx(made.gains[1])


def test_equal_outputs_have_no_t_test() -> None:
    """Two systems with the same scores: p of shuffles is 1, that of the t-test is undefined."""
    same = learn.data(NUMBERS, [OUTPUTS[0], replace(OUTPUTS[0], system="C")], ASKED)
    made = learn.mean(same, 1)
    assert made.p == 1
    assert math.isnan(made.t_p)


# ---- 105 pairs


def test_worlds_take_their_outputs_from_the_systems() -> None:
    """Every row of an artificial system is that of one of the loaded systems."""
    systems = many_world(SCORES, 60, np.random.default_rng(2))
    assert len(systems) == learn.SYSTEMS
    known = {tuple(row) for item in SCORES.measured.systems for row in item.values.tolist()}
    assert {tuple(row) for item in systems for row in item.values.tolist()} <= known


def test_false_alarms_and_holm() -> None:
    """About 5 of 100 pairs are found in worlds without a difference; Holm is the procedure of its paper, and finds less."""
    made = learn.many(SCORES, 3, worlds=12)
    assert made.p.shape == (12, 105)
    for row, adjusted in zip(made.p, made.adjusted, strict=True):
        assert adjusted == pytest.approx(step_procedures.adjusted(row.tolist(), step_procedures.holm_rejects))
    assert 1.0 < made.found(0.05).mean() < 15.0
    assert (made.kept(0.05) <= made.found(0.05)).all()
    some, low, high = learn.any_of(made.found(0.05))
    assert low < some / 12 <= high
    assert some > 2 * learn.any_of(made.kept(0.05))[0]


def test_partial_worlds_are_the_first_ones() -> None:
    """What is published while worlds are drawn are the first of them."""
    seen: list[learn.Many] = []
    whole = learn.many(SCORES, 3, worlds=11, runtime=Runtime(publish=seen.append))
    assert [len(part.p) for part in seen] == [10]
    assert np.array_equal(seen[0].p, whole.p[:10])


# ---- predictions


def test_rounds_are_reproducible_and_counted() -> None:
    """The same seed gives the same rounds; p counts the shuffles at least as large as the gain, which is never negative."""
    drawn, again, other = (learn.rounds(SCORES, seed) for seed in (7, 7, 8))
    assert [one.p for one in drawn] == [one.p for one in again] != [one.p for one in other]
    assert len(drawn) == learn.ROUNDS
    for one in drawn:
        assert one.gain >= 0
        count = sum(abs(value) >= one.gain - 1e-9 for value in one.null.tolist())
        assert one.p == pytest.approx((count + 1) / (len(one.null) + 1))
        assert one.tail == count
    kinds = [one.is_null for seed in range(30) for one in learn.rounds(SCORES, seed)]
    assert 0.2 < sum(kinds) / len(kinds) < 0.65


def test_four_to_six_rounds_are_significant() -> None:
    """So whoever always says no, or always yes, has lost at the end of a game, and whoever says 50% has neither won nor lost."""
    found = []
    for seed in range(20):
        drawn = learn.rounds(SCORES, seed)
        made = learn.game(SCORES, drawn, tuple((k, 0.0) for k in range(learn.ROUNDS)), None, 0.05)
        found.append(sum(made.is_found(k) for k in range(learn.ROUNDS)))
        assert made.points == made.always(0.0) < 0
        assert made.always(1.0) < 0
        assert made.always(0.5) == 0
    assert set(found) == {4, 5, 6}


def test_points_are_largest_for_the_chance_that_is_believed() -> None:
    """By hand: sure and right 25, sure and wrong -75; on average the true chance pays best."""
    drawn = learn.rounds(SCORES, 7)
    made = learn.game(SCORES, drawn, (), 0, 0.05)
    yes, no = (next(k for k in range(learn.ROUNDS) if made.is_found(k) is wanted) for wanted in (True, False))
    assert (made.paid(yes, 1.0), made.paid(yes, 0.0), made.paid(no, 0.0), made.paid(no, 1.0)) == (25, -75, 25, -75)
    for true in (0.1, 0.3, 0.8):
        average = {
            chance: true * made.paid(yes, chance) + (1 - true) * made.paid(no, chance)
            for chance in np.linspace(0, 1, 21).round(2).tolist()
        }
        assert max(average, key=lambda chance: average[chance]) == true
    assert made.answer(5) is None


def test_small_data_has_rounds_too() -> None:
    """Four segments with two systems that do not differ: every round has p = 1 and no gain."""
    testset = Testset("few", "scores", 4, ())
    outputs = [replace(one, segments=("0.5",) * 4) for one in OUTPUTS]
    drawn = learn.rounds(learn.data(testset, outputs, ASKED), 1)
    assert {(one.p, one.gain) for one in drawn} == {(1.0, 0.0)}
