"""Every test that uses draws: the same shapes, symmetric, p = 1 without a difference, and the printed counts.

Those that count for themselves: test_own_counts.py.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from sigcore import significance
from sigcore.executors import Serial
from sigcore.significance import Test
from sigcore.studies import compare, matrix
from sigcore.studies.matrix import Settings
from sigcore.study import Runtime, Study
from sigcore.testset import renamed
from sigcore.types import ESTIMATORS, SIDES, TIE_RULES
from tests import proofs
from tests.drawn import DRAWN
from tests.made import score_set, text_set
from tests.oracles import printed_tests
from tests.proofs import of_tests

CHEAP = {"resamples": 700, "seed": 5}
EVERY = [Settings(a, e, t) for a, e, t in product(SIDES, ESTIMATORS, TIE_RULES)]


@pytest.fixture(params=sorted(DRAWN))
def test(request) -> Test:
    """Every significance test that uses draws."""
    return significance.get(request.param)


@pytest.fixture(scope="module")
def three():
    """Three systems on 40 segments, sys0 clearly best, under BLEU, chrF and TER, and every test."""
    testset, outputs = text_set(40, (0.1, 0.2, 0.25), seed=3)
    return matrix.run(Study(testset, outputs, [("bleu", {}), ("chrf", {}), ("ter", {})], DRAWN, **CHEAP))


@pytest.fixture(scope="module")
def same():
    """Two systems with equal outputs, and one that differs."""
    testset, outputs = text_set(30, (0.1, 0.2), seed=4)
    systems = [outputs[0], renamed(outputs[0], "twin"), outputs[1]]
    return matrix.run(Study(testset, systems, [("bleu", {}), ("chrf", {}), ("ter", {})], DRAWN, **CHEAP))


def test_it_says_what_it_is(test):
    """A test has a title, a help text, a source, and a word for what it counts."""
    assert test.title
    assert test.help.endswith(".")
    assert test.source
    assert test.counted
    assert test.draws in ("bootstrap", "swap")


def test_null_and_cutoffs_keep_shapes(test):
    """The null of (P, B) pseudo-gains is (P, B), and the cut-offs are one pair (low <= high) for each gain."""
    pseudo, gain = np.random.default_rng(0).normal(size=(3, 8)), np.array([-1.0, 0.0, 2.0])
    assert test.statistics(pseudo, pseudo.mean(axis=1, keepdims=True), gain[:, None]).shape == (3, 8)
    for side in SIDES:
        low, high = test.cutoffs(gain, side)
        assert low.shape == high.shape == (3,)


def test_null_turns_round_with_the_pair(test):
    """Naming the pair the other way round negates the null."""
    pseudo, gain = np.random.default_rng(0).normal(size=(3, 8)), np.array([[-1.0], [0.0], [2.0]])
    mean = pseudo.mean(axis=1, keepdims=True)
    np.testing.assert_array_equal(test.statistics(-pseudo, -mean, -gain), -test.statistics(pseudo, mean, gain))


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
@pytest.mark.parametrize("settings", EVERY, ids=lambda s: f"{s.side}-{s.estimator}-{s.ties}")
def test_identical_systems(test, same, metric, settings):
    """Equal outputs give p = 1 on every side, under every estimator and tie rule, with no gain and a note."""
    result = matrix.read(same, metric, test.name, settings)
    assert result.p_values[0, 1] == result.p_values[1, 0] == 1.0
    assert result.adjusted[0, 1] == 1.0
    assert result.gains[0, 1] == 0.0
    assert any("p = 1" in note for note in result.notes)
    assert result.p_values[0, 2] == result.p_values[1, 2]


@pytest.mark.parametrize("metric", ["bleu", "ter"])
@pytest.mark.parametrize("settings", EVERY, ids=lambda s: f"{s.side}-{s.estimator}-{s.ties}")
def test_p_is_a_probability(test, three, metric, settings):
    """p lies in [0, 1], is never 0 when valid, lies in its own interval, and the diagonal is 1."""
    result = matrix.read(three, metric, test.name, settings)
    assert ((result.p_values >= 0) & (result.p_values <= 1)).all()
    assert (np.diag(result.p_values) == 1).all()
    if settings.estimator == "valid":
        assert (result.p_values > 0).all()
    else:
        off = ~np.eye(3, dtype=bool)
        assert (result.p_low <= result.p_values)[off].all()
        assert (result.p_values <= result.p_high)[off].all()


@pytest.mark.parametrize("settings", EVERY, ids=lambda s: f"{s.side}-{s.estimator}-{s.ties}")
def test_swapping_system_and_baseline(test, settings):
    """With the same seed the two-sided p stays, "greater" becomes "less", and the gain changes its sign."""
    testset, outputs = text_set(25, (0.2, 0.25), seed=6)
    turned = {"greater": "less", "less": "greater"}
    one, two = (
        compare.read(compare.run(Study(testset, [a, b], [("bleu", {})], [test.name], **CHEAP)), "bleu", settings)
        for a, b in (outputs, outputs[::-1])
    )
    assert one.gain == -two.gain
    there = one.result(test.name, settings.side)
    back = two.result(test.name, turned.get(settings.side, settings.side))
    assert there.p_value == back.p_value


def test_the_grid_is_its_own_mirror(test, three):
    """Row against column under "greater" is column against row under "less"; two-sided is symmetric."""
    read = {side: matrix.read(three, "bleu", test.name, Settings(side)).p_values for side in SIDES}
    np.testing.assert_array_equal(read["greater"], read["less"].T)
    np.testing.assert_array_equal(read["two-sided"], read["two-sided"].T)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_both_sides_add_up(test, three, metric):
    """As a share of resamples, "greater" and "less" add up to 1 where ties count half, up to the centre's shift."""
    greater, less = (
        matrix.read(three, metric, test.name, Settings(side, "paper", "half")).p_values for side in ("greater", "less")
    )
    off = ~np.eye(3, dtype=bool)
    np.testing.assert_allclose((greater + less)[off], 1.0, atol=1e-12)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_the_better_system_is_greater(test, three, metric):
    """A system with far fewer slips is better: small p for "greater", large for "less", for TER too."""
    greater = matrix.read(three, metric, test.name, Settings("greater"))
    assert greater.gains[0, 2] > 0
    assert greater.p_values[0, 2] < 0.05
    assert greater.p_values[2, 0] > 0.9
    assert greater.levels()[0, 2] > 0
    assert matrix.read(three, metric, test.name).levels()[2, 0] < 0


PRINTED = {
    ("bootstrap_shift_printed", "two-sided"): (printed_tests.graham_figure_1, "counted"),
    ("bootstrap_shift_printed", "greater"): (printed_tests.graham_figure_3, "counted"),
    ("approximate_randomization", "greater"): (printed_tests.graham_figure_2, "counted"),
    ("approximate_randomization", "two-sided"): (printed_tests.two_sided_randomization, "counted"),
    ("paired_bootstrap", "greater"): (printed_tests.graham_figure_4, "strict"),
    ("two_delta_bootstrap", "greater"): (printed_tests.berg_kirkpatrick_figure_1, "strict"),
}


def pseudo_gains(run: compare.CompareRun, test: str) -> list[float]:
    """The pseudo-gains behind the nulls of a pair: every null moved back by what its test took off."""
    tally = run.matrix.draws[0].tallies[test]
    null = run.nulls[0][test]
    shift = {"bootstrap_shift_printed": tally.means[0], "two_delta_bootstrap": tally.gains[0]}.get(test, 0.0)
    return list(null + shift)


@pytest.mark.parametrize(("name", "side"), list(PRINTED))
@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_counts_are_those_of_the_papers(name, side, metric):
    """The count equals that of the printed pseudo-code, run loop by loop over the same pseudo-gains."""
    testset, outputs = text_set(30, (0.2, 0.24), seed=8)
    run = compare.run(Study(testset, outputs, [(metric, {})], DRAWN, **CHEAP))
    printed, ties = PRINTED[name, side]
    got = compare.read(run, metric, Settings(side, "paper", ties)).result(name, side)
    gain = got.gain
    # the cut-off is moved by the tolerance for ties, as the engine's is: none of these lies on a real difference
    count = printed(pseudo_gains(run, name), gain - np.sign(gain) * 1e-9 if ties == "counted" else gain)
    assert got.tail == count
    assert got.p_value == count / 700
    assert 0 < count < 700


def test_the_tests_agree_where_they_should():
    """On symmetric data the three bootstraps and randomization give nearly one p (specs of 2014: same conclusions)."""
    rng = np.random.default_rng(0)
    base = rng.normal(size=300)
    testset, outputs = score_set(base + 0.12 + rng.normal(size=300), base)
    run = compare.run(
        Study(testset, outputs, [("own_scores", {})], DRAWN, resamples=4000), runtime=Runtime(executor=Serial())
    )
    p = [compare.read(run, "own_scores").result(name, "two-sided").p_value for name in DRAWN]
    assert max(p) - min(p) < 0.03


def test_one_differing_segment():
    """Where one segment of many differs, randomization gives p = 1 with ties and 1 / (R + 1) without."""
    testset, outputs = text_set(60, (0.1,), seed=2)
    other = renamed(outputs[0], "other")
    object.__setattr__(other, "segments", (testset.references[0][0], *outputs[0].segments[1:]))
    object.__setattr__(other, "digest", "another")
    assert other.segments != outputs[0].segments
    run = compare.run(Study(testset, [other, outputs[0]], [("bleu", {})], DRAWN, **CHEAP))
    for ties, p in (("counted", 1.0), ("strict", 1 / 701), ("half", 351 / 701)):
        result = compare.read(run, "bleu", Settings(ties=ties)).result("approximate_randomization", "two-sided")
        assert result.p_value == pytest.approx(p, rel=1e-12)
        assert result.ties == 700


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 1e6])
@pytest.mark.parametrize("settings", EVERY, ids=lambda s: f"{s.side}-{s.estimator}-{s.ties}")
def test_the_unit_of_scores_does_not_matter(settings, scale):
    """Scores in another unit give the same p: what counts as a tie goes with the size of the scores."""
    rng = np.random.default_rng(4)
    first, second = rng.integers(0, 9, size=30), rng.integers(0, 9, size=30)
    p = []
    for unit in (1.0, scale):
        testset, outputs = score_set(first * unit, second * unit)
        run = compare.run(Study(testset, outputs, [("own_scores", {})], DRAWN, **CHEAP))
        p.append([r.p_value for r in compare.read(run, "own_scores", settings, [settings.side]).results])
    assert p[0] == p[1]


def test_float_noise_does_not_break_ties():
    """.1 + .2 against .3 is no gain: p = 1 on two sides under every tie rule."""
    testset, outputs = score_set([0.1, 0.2] * 5 + [0.0] * 2, [0.3, 0.0] * 5 + [0.0] * 2)
    run = compare.run(Study(testset, outputs, [("own_scores", {})], DRAWN, **CHEAP))
    for settings in EVERY:
        if settings.side == "two-sided":
            assert {r.p_value for r in compare.read(run, "own_scores", settings, ["two-sided"]).results} == {1.0}


def test_it_has_a_proof(test):
    """A test names worked examples with their origin, or an oracle that does not use what it checks."""
    assert not (found := proofs.unfounded(test)), "\n".join(found)


def test_its_proof_holds(test):
    """Every worked example and the oracle give the p of a run, up to the error of the draws."""
    assert not (found := [*of_tests.faults(test)]), "\n".join(found)


def test_its_proof_notices_breaks(test):
    """A test that subtracts something else, swaps its sides or draws otherwise contradicts its own proof."""
    assert not (found := of_tests.unnoticed(test)), "\n".join(found)
