"""The tail lab and the null factory: rules counted loop by loop, and error rates in the long run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom, chisquare

from sigcore import Outputs, Testset
from sigcore.resampling.blocks import bootstrap_counts, part_counts, swap_masks
from sigcore.studies import compare, learn
from sigcore.studies.learn import draws, rates
from sigcore.study import Study
from tests.oracles import null_worlds, printed_tests

RNG = np.random.default_rng(3)
SCORES = RNG.integers(0, 9, (60, 2)) / 8 + np.array([0.1, 0.0])
OUTPUTS = [Outputs(name, tuple(map(repr, SCORES[:, k].tolist()))) for k, name in enumerate("AB")]
TESTSET = Testset("numbers", "scores", 60, ())
ASKED = [("own_scores", {})]
SYSTEMS = learn.data(TESTSET, OUTPUTS, ASKED).measured.systems
BOOTSTRAP, SWAP = learn.Draw("bootstrap"), learn.Draw("swap")


def rows() -> list[tuple[float, float]]:
    return [(float(a), float(b)) for a, b in SCORES]


def test_draws_of_the_usual_rule_are_the_engines() -> None:
    """The lab's gains of the data as they are equal the pseudo-gains that the page Pair counts."""
    run = compare.read(compare.run(Study(TESTSET, OUTPUTS, ASKED, tests=None, resamples=1000, seed=5)), "own_scores")
    swaps = run.result("approximate_randomization", "two-sided").null
    assert draws.engine_gains(SYSTEMS, SWAP, 1000, 5) == pytest.approx(swaps)
    boots = run.result("paired_bootstrap", "two-sided").null
    assert draws.engine_gains(SYSTEMS, BOOTSTRAP, 1000, 5) == pytest.approx(boots)


@pytest.mark.parametrize("how", [SWAP, BOOTSTRAP, replace(BOOTSTRAP, ratio=0.5), replace(BOOTSTRAP, paired=False)])
def test_gains_are_those_of_written_out_rows(how: learn.Draw) -> None:
    """Every kind of draw gives the gains of rows that are written out again."""
    gains = draws.pseudo_gains(SYSTEMS, how, 40, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    if how.kind == "swap":
        expected = null_worlds.swapped_gains(rows(), swap_masks(rng, 40, 60))
    else:

        def once() -> np.ndarray:
            return part_counts(rng, 40, 60, 30) if how.ratio == 0.5 else bootstrap_counts(rng, 40, 60)

        counts = once()
        expected = null_worlds.drawn_gains(rows(), counts, counts if how.paired else once())
    assert gains == pytest.approx(expected)


def test_half_of_the_units_are_drawn() -> None:
    """Each row of counts sums to the number that is drawn."""
    counts = part_counts(np.random.default_rng(1), 7, 60, 30)
    assert counts.shape == (7, 60)
    assert counts.sum(axis=1).tolist() == [30] * 7


@pytest.mark.parametrize(
    ("rule", "loop"),
    [
        (learn.Rule(), printed_tests.graham_figure_1),
        (learn.Rule(one_sided=True), printed_tests.graham_figure_3),
        (learn.Rule(slip=True), printed_tests.abs_before_shift),
        (learn.Rule(SWAP), printed_tests.two_sided_randomization),
        (learn.Rule(SWAP, one_sided=True), printed_tests.graham_figure_2),
    ],
)
def test_rules_count_as_the_papers_print_them(rule: learn.Rule, loop: object) -> None:
    """c of each rule is that of the printed loop; p is (c + 1) / (R + 1), or c / R without the + 1."""
    pseudo = RNG.normal(0.4, 1.0, (5, 99))
    gains = RNG.normal(0.4, 1.0, 5)
    c = np.array([loop(p.tolist(), g) for p, g in zip(pseudo, gains, strict=True)])  # type: ignore[operator]
    assert rates.p_of(rule, gains, pseudo, 1.0) == pytest.approx((c + 1) / 100)
    assert rates.p_of(replace(rule, plus_one=False), gains, pseudo, 1.0) == pytest.approx(c / 99)


def test_one_unit_has_no_evidence() -> None:
    """With one unit every shuffle equals the gain: p = 1 with `>=`, and the least p there is with `>`."""
    gains, pseudo = np.array([0.5]), np.array([[0.5, -0.5, 0.5, -0.5]])
    assert rates.p_of(learn.Rule(SWAP), gains, pseudo, 1.0) == 1.0
    assert rates.p_of(learn.Rule(SWAP, strict=True), gains, pseudo, 1.0) == 1 / 5


def test_what_counts_is_what_p_counts() -> None:
    """The resamples that the figure shows as the tail are those in p, for every rule."""
    drawn = learn.draw(SYSTEMS, BOOTSTRAP, learn.SIZES[0], 1)
    for rule in (learn.Rule(), learn.Rule(slip=True), learn.Rule(one_sided=True), learn.Rule(strict=True)):
        shown = rates.counted(rule, drawn)
        assert shown.p == pytest.approx((shown.counts.sum() + 1) / (rates.OBSERVED + 1))


def test_error_rates_in_the_long_run() -> None:
    """At alpha 0.05 with 100 units: shuffles keep their level, the slip errs at least one and a half times as often as the
    sound bootstrap, half of the units makes it timid, and 20 resamples without the + 1 err twice as often."""
    usual, few = learn.SIZES[0], learn.SIZES[2]
    low, high = binom.interval(0.999, rates.REPETITIONS, 0.05) / np.array(rates.REPETITIONS)

    def rate(rule: learn.Rule, size: learn.Size) -> float:
        return rates.errors(rule, learn.draw(SYSTEMS, rule.draw, size, 11), 0.05).rate

    assert rate(learn.Rule(SWAP), usual) <= high
    sound = rate(learn.Rule(), usual)
    assert low <= sound <= high + 0.02
    assert rate(learn.Rule(slip=True), usual) > 1.5 * sound
    assert rate(learn.Rule(replace(BOOTSTRAP, ratio=0.5)), usual) < 0.5 * sound
    assert rate(learn.Rule(SWAP, plus_one=False), few) > 1.4 * rate(learn.Rule(SWAP), few)


def test_worlds_without_a_difference_have_none() -> None:
    """The gains of null worlds vary around zero, those of the pair as it is around its gain."""
    null = draws.worlds(SYSTEMS, SWAP, 60, 1, 800, 2)
    real = draws.worlds(SYSTEMS, SWAP, 60, 1, 800, 2, is_null=False)
    error = null.gains.std() / np.sqrt(800)
    assert abs(null.gains.mean()) < 4 * error
    assert abs(real.gains.mean() - draws.gain_of(SYSTEMS)) < 4 * error


def test_p_of_the_factory_is_uniform() -> None:
    """Of data without ties, p falls into each of ten equal parts equally often; with a difference, mostly into the first."""
    values = np.random.default_rng(8).normal(0, 1, (80, 2)) + np.array([0.6, 0])
    outputs = [Outputs(name, tuple(map(repr, values[:, k].tolist()))) for k, name in enumerate("AB")]
    systems = learn.data(Testset("n", "scores", 80, ()), outputs, ASKED).measured.systems
    made = learn.factory(systems, 4)
    assert made.counts(len(made.p)).sum() == len(made.p)
    assert chisquare(made.counts(len(made.p)).reshape(10, 2).sum(axis=1)).pvalue > 0.001
    assert made.counts(len(made.p))[0] == made.rejected(0.05)
    low, high = made.interval(0.05)
    assert low < made.rejected(0.05) / len(made.p) < high
    assert learn.factory(systems, 4, is_null=False).rejected(0.05) > 5 * made.rejected(0.05)
