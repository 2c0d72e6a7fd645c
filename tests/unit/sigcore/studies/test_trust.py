"""Calibration on the user's own data: the plain loop, units, grids, planted gains, verdicts, and rules that fail."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta, kstest

import sigcore
from sigcore import Cancelled, OptionError, Outputs, Runtime, Settings, Study, Testset, Undefined, executors
from sigcore.resampling.blocks import blocks, bootstrap_counts, generator, swap_masks
from sigcore.studies import trust
from sigcore.studies.intervals import tango
from sigcore.studies.trust.result import Rate, rates, uniformity
from sigcore.studies.trust.worlds import TRUST
from sigcore.types import Comparisons
from tests.made import score_set
from tests.oracles import trust_loop
from tests.oracles.printed_tests import abs_before_shift

SEED, N = 7, 24
RANDOMIZATION = "approximate_randomization"


def scores(systems: int, n: int = N, seed: int = 3, documents: int = 0) -> Study:
    """Systems with scores of one decimal, in documents of unequal length where asked."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(1, n))
    testset, outputs = score_set(*np.round(shared + rng.normal(size=(systems, n)), 1))
    if documents:
        names = tuple(f"d{k}" for k in sorted(rng.integers(0, documents, n)))
        testset = replace(testset, documents=names)
    return Study(testset, outputs, (("own_scores", {}),), (RANDOMIZATION,), "segment", Settings(), seed=SEED)


def seeds(count: int, stream: int = 0) -> list[np.random.SeedSequence]:
    """The seed of every repetition."""
    return [np.random.SeedSequence(SEED, spawn_key=(TRUST, stream, k)) for k in range(count)]


def numbers(study: Study) -> list[list[list[float]]]:
    """The statistics of every system: (score, 1) of every segment."""
    return [[[float(text), 1.0] for text in item.segments] for item in study.outputs]


def groups(study: Study) -> list[int]:
    """The document of every segment, counted from 0 as they appear."""
    order = list(dict.fromkeys(study.testset.documents))
    return [order.index(name) for name in study.testset.documents]


def shuffled_p(one: list[list[float]], other: list[list[float]], seed: int, resamples: int = 999) -> float:
    """Two-sided p of randomization of means, shuffle by shuffle."""
    first, second = np.array(one), np.array(other)
    gain = abs(first.sum(axis=0)[0] - second.sum(axis=0)[0])
    count = 0
    for block in blocks(resamples):
        masks = swap_masks(generator(seed, "swap", block.index), block.size, len(first))
        for mask in masks:
            sign = np.where(mask > 0, -1, 1)
            count += abs(float((sign * (first[:, 0] - second[:, 0])).sum())) >= gain - 1e-9
    return (count + 1) / (resamples + 1)


def resampled_p(one: list[list[float]], other: list[list[float]], seed: int, resamples: int = 999) -> float:
    """p as Riezler and Maxwell print it, resample by resample."""
    first, second = np.array(one), np.array(other)
    means = []
    for block in blocks(resamples):
        for counts in bootstrap_counts(generator(seed, "bootstrap", block.index), block.size, len(first)):
            means.append(float((counts * (first[:, 0] - second[:, 0])).sum() / (counts * first[:, 1]).sum()))
    gain = float((first[:, 0] - second[:, 0]).sum() / first[:, 1].sum())
    return (abs_before_shift(means, gain) + 1) / (resamples + 1)


def in_order(study: Study, plan: trust.TrustPlan) -> list[float]:
    """p of the repetitions of a plan, sorted."""
    return trust.run(study, plan).p_values.tolist()


def test_repetitions_are_those_of_a_plain_loop() -> None:
    """A coin for each segment, an exchange, the shuffles one by one: the same p in every repetition."""
    study, whole = scores(2), list(range(N))
    wanted = trust_loop.pair(*numbers(study), whole, whole, seeds(9), shuffled_p)
    assert in_order(study, trust.TrustPlan(9)) == pytest.approx(sorted(wanted), abs=1e-12)
    assert len(set(wanted)) > 5


def test_documents_change_places_as_wholes() -> None:
    """The null exchanges documents, and the test swaps documents: rows are sums over them."""
    study = replace(scores(2, documents=9), unit="document")
    of = groups(study)
    wanted = trust_loop.pair(*numbers(study), of, of, seeds(6), shuffled_p)
    result = trust.run(study, trust.TrustPlan(6))
    assert result.p_values.tolist() == pytest.approx(sorted(wanted), abs=1e-12)
    assert (str(result.null), result.changed, result.setup.n) == ("document", max(of) + 1, max(of) + 1)


def test_segments_change_places_under_a_test_of_documents() -> None:
    """The null may be finer than the test: coins for segments, sums over documents."""
    study = replace(scores(2, documents=9), unit="document")
    wanted = trust_loop.pair(*numbers(study), list(range(N)), groups(study), seeds(6), shuffled_p)
    assert in_order(study, trust.TrustPlan(6, null="segment")) == pytest.approx(sorted(wanted), abs=1e-12)


def test_a_coarser_null_takes_the_means_off_first() -> None:
    """Whole documents are exchanged under a test of segments: a real gain must not become a difference between documents."""
    study = scores(2, documents=9)
    first, second = (np.array(rows) for rows in numbers(study))
    middle = (first[:, 0].mean() + second[:, 0].mean()) / 2
    for values in (first, second):
        values[:, 0] += np.rint((middle - values[:, 0].mean()) * 2**16) / 2**16
    whole = list(range(N))
    wanted = trust_loop.pair(first.tolist(), second.tolist(), groups(study), whole, seeds(6), shuffled_p)
    assert in_order(study, trust.TrustPlan(6)) == pytest.approx(sorted(wanted), abs=2e-3)


def test_riezler_and_maxwell_is_the_printed_rule() -> None:
    """Absolute values before the shift, resample by resample."""
    study, whole = scores(2), list(range(N))
    wanted = trust_loop.pair(*numbers(study), whole, whole, seeds(5), resampled_p)
    assert in_order(study, trust.TrustPlan(5, rule="riezler_maxwell")) == pytest.approx(sorted(wanted), abs=1e-12)


@pytest.mark.parametrize("rule", ["unpaired_t", "rank_sum"])
@pytest.mark.parametrize("unit", ["segment", "document"])
def test_halves_are_of_one_system(rule: str, unit: str) -> None:
    """The units of one system are split by chance, the systems take turns, and scipy gives p; with documents an odd one is left."""
    study = replace(scores(3, n=25, documents=9), unit=unit)
    of = list(range(25)) if unit == "segment" else groups(study)
    wanted = trust_loop.halves(numbers(study), of, seeds(8), rule)
    result = trust.run(study, trust.TrustPlan(8, rule=rule))
    assert result.p_values.tolist() == pytest.approx(sorted(wanted), rel=1e-9)
    assert len(set(wanted)) > 3
    assert (result.tests, result.halves, result.setup.resamples) == (1, True, 0)


def test_an_unpaired_test_of_exchanged_outputs_is_corrected() -> None:
    """Under an exchange every pair of systems is a test, and the smallest adjusted p of the three counts."""
    study = scores(3)
    result = trust.run(study, trust.TrustPlan(6, null="segment", rule="unpaired_t"))
    wanted = [min(1.0, 3 * min(p)) for p in trust_loop.unpaired_grid(numbers(study), seeds(6))]
    assert result.p_values.tolist() == pytest.approx(sorted(wanted), rel=1e-9)
    assert (result.tests, result.halves, result.setup.correction) == (3, False, "holm")
    against = replace(study, family=Comparisons("one baseline", "sys1"))
    two = [min(1.0, 2 * min(p[0], p[2])) for p in trust_loop.unpaired_grid(numbers(study), seeds(6))]
    result = trust.run(against, trust.TrustPlan(6, null="segment", rule="unpaired_t"))
    assert result.p_values.tolist() == pytest.approx(sorted(two), rel=1e-9)


def test_unpaired_tests_keep_alpha_on_halves_and_find_too_little_on_pairs() -> None:
    """On halves the rate has alpha in its interval; on common segments with a large common part it is far below."""
    study = replace(
        scores(2, n=40), outputs=score_set(*[np.round(np.arange(40) + np.sin(np.arange(40) * k), 1) for k in (1, 2)])[1]
    )
    halves, common = (
        trust.run(study, trust.TrustPlan(600, null=null, rule="unpaired_t")) for null in ("auto", "segment")
    )
    assert halves.at(0.05).verdict == "holds its level"
    assert common.at(0.05).verdict == "too seldom"


def test_halves_are_refused_where_they_say_nothing() -> None:
    """Paired tests, planted gains and three units have no halves."""
    with pytest.raises(OptionError, match="unpaired tests"):
        trust.TrustPlan(null="halves")
    with pytest.raises(OptionError, match="have no gain"):
        trust.TrustPlan(rule="rank_sum", planted=(0.5,))
    with pytest.raises(Undefined, match="at least 4 units"):
        trust.run(scores(2, n=3), trust.TrustPlan(5, rule="unpaired_t"))


def test_a_planted_share_keeps_that_share_of_the_units() -> None:
    """A unit keeps its place with probability (1 + q) / 2, and the gain is that of the expected sums."""
    study, whole = scores(2), list(range(N))
    result = trust.run(study, trust.TrustPlan(6, planted=(0.5, 1.0)))
    wanted = trust_loop.pair(*numbers(study), whole, whole, seeds(6, 1), shuffled_p, stays=0.5)
    assert result.planted_p[0].tolist() == pytest.approx(sorted(wanted), abs=1e-12)
    first, second = (np.array(rows)[:, 0].mean() for rows in numbers(study))
    assert [one.gain for one in result.planted] == pytest.approx([(first - second) / 2, first - second])
    assert len(set(np.round(result.planted_p[1], 2))) <= 6  # the data are always the user's own


def test_the_smallest_p_of_a_grid_is_kept() -> None:
    """Outputs are permuted in each unit, every pair is tested, and the smallest p after Bonferroni is that of the repetition."""
    study = replace(scores(3), settings=Settings(correction="bonferroni"))
    values, found = np.array(numbers(study)), []
    for seed in seeds(4):
        rng = np.random.default_rng(seed)
        order = rng.permuted(np.tile(np.arange(3), (N, 1)), axis=1)
        drawn = [values[order[:, s], np.arange(N)].tolist() for s in range(3)]
        child = int(rng.integers(2**62))
        found.append(min(1, min(3 * shuffled_p(drawn[a], drawn[b], child) for a, b in ((0, 1), (0, 2), (1, 2)))))
    assert in_order(study, trust.TrustPlan(4, resamples=999)) == pytest.approx(sorted(found), abs=1e-12)


def test_a_planted_share_of_a_grid_keeps_whole_units() -> None:
    """All outputs of a unit stay with that probability; the gain is the largest of the tests, and all tests are counted."""
    study = replace(scores(3), settings=Settings(correction="bonferroni"))
    values, found = np.array(numbers(study)), []
    for seed in seeds(5, stream=1):
        rng = np.random.default_rng(seed)
        order = rng.permuted(np.tile(np.arange(3), (N, 1)), axis=1)
        order[rng.random(N) < 0.5] = np.arange(3)
        drawn = [values[order[:, s], np.arange(N)].tolist() for s in range(3)]
        child = int(rng.integers(2**62))
        found.append([min(1, 3 * shuffled_p(drawn[a], drawn[b], child)) for a, b in ((0, 1), (0, 2), (1, 2))])
    (planted,) = (result := trust.run(study, trust.TrustPlan(5, resamples=999, planted=(0.5,)))).planted
    assert result.planted_p[0].tolist() == pytest.approx(sorted(map(min, found)), abs=1e-12)
    assert planted.found[0] == pytest.approx(np.mean(np.array(found) <= 0.05))
    means = [np.mean([score for score, _ in system]) for system in numbers(study)]
    largest = max(means) - min(means)
    assert abs(planted.gain) == pytest.approx(largest / 2)


def covered_by_hand(study: Study, count: int, of: list[int], share: float) -> int:
    """Answers right or wrong: documents drawn with replacement, coins, Tango's interval of the segments, repetition by
    repetition."""
    first, second = (np.array(rows)[:, 0] for rows in numbers(study))
    truth, held = share * (first.mean() - second.mean()), 0
    for seed in seeds(count, stream=1_000):
        rng = np.random.default_rng(seed)
        documents = [np.flatnonzero(np.array(of) == k) for k in range(max(of) + 1)]
        drawn = [documents[k] for k in rng.integers(0, len(documents), len(documents))]
        swap = rng.random(len(drawn)) < 0.5 * (1 - share)
        one = np.concatenate([(second if s else first)[d] for s, d in zip(swap, drawn, strict=True)])
        other = np.concatenate([(first if s else second)[d] for s, d in zip(swap, drawn, strict=True)])
        ahead, behind = (one > other).sum(), (one < other).sum()
        low, high = tango(ahead, behind, len(one))
        held += bool(low <= truth <= high)
    return held


@pytest.mark.parametrize("documents", [0, 12])
def test_coverage_is_that_of_a_plain_loop(documents: int) -> None:
    """Units are drawn with replacement and keep a share of the gain; the interval of the test holds it, or not."""
    rng = np.random.default_rng(5)
    testset, outputs = score_set(*(rng.random((2, 60)) < np.array([[0.7], [0.5]])).astype(int))
    if documents:
        testset = replace(testset, documents=tuple(f"d{k}" for k in sorted(rng.integers(0, documents, 60))))
    study = replace(scores(2), testset=testset, outputs=outputs)
    of = groups(study) if documents else list(range(60))
    (found,) = trust.run(study, trust.TrustPlan(25, coverage=True)).coverage
    assert (found.share, found.of) == (0.5, 25)
    assert found.covered == covered_by_hand(study, 25, of, 0.5)
    assert found.gain == pytest.approx(
        0.5 * np.mean(np.array(numbers(study))[0, :, 0] - np.array(numbers(study))[1, :, 0])
    )


@pytest.mark.slow
@pytest.mark.parametrize("test", [RANDOMIZATION, "bootstrap_shift", "paired_bootstrap"])
def test_coverage_of_many_units_is_about_that_of_the_interval(test: str) -> None:
    """80 segments: about 95% of intervals hold each planted gain."""
    study = replace(scores(2, n=80), tests=(test,))
    result = trust.run(study, trust.TrustPlan(100, planted=(0.3, 1.0), coverage=True))
    assert [one.share for one in result.coverage] == [0.3, 1.0]
    for one in result.coverage:
        assert one.low < 0.95 < one.high + 0.03
        assert f"{one.covered:.1f}" in one.sentence


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.90, 0.94, "too seldom"), (0.93, 0.97, "as often as it says"), (0.96, 0.99, "safe")],
)
def test_the_interval_of_a_coverage_decides_its_verdict(low: float, high: float, verdict: str) -> None:
    """Wholly below or above .95; with .95 inside it is as it should be."""
    assert trust.Coverage(0.5, 1.0, 95, 100, low, high).verdict == verdict


@pytest.mark.parametrize(
    ("p_values", "excess", "at"),
    [([0.01, 0.02, 0.9, 1.0], 0.48, 0.02), ([0.5, 0.75, 1.0], 1 / 3 - 0.5, 0.5), ([0.2, 0.2, 0.2], 0.8, 0.2)],
)
def test_uniformity_is_smirnovs_largest_excess(p_values: list[float], excess: float, at: float) -> None:
    """The share of p at most x, less x, where it is largest; its p is that of scipy's one-sided test."""
    found = uniformity(np.array(p_values))
    wanted = kstest(p_values, "uniform", alternative="greater", method="exact")
    assert found.excess == pytest.approx(max(wanted.statistic, 0.0) if excess > 0 else 0.0, abs=1e-12)
    assert found.p == pytest.approx(wanted.pvalue if excess > 0 else 1.0)
    assert excess <= 0 or (found.excess, found.at) == pytest.approx((excess, at))


def test_a_test_whose_p_is_too_small_is_named() -> None:
    """The paired bootstrap of 12 units is too small somewhere, randomization is nowhere."""
    paired = trust.run(replace(skewed(12), tests=("paired_bootstrap",)), trust.TrustPlan(600))
    sound = trust.run(skewed(12), trust.TrustPlan(600))
    assert paired.uniformity is not None
    assert sound.uniformity is not None
    assert paired.uniformity.sentence.startswith("Somewhere p is too small")
    assert sound.uniformity.sentence == "Nowhere is p clearly too small."


def test_a_family_has_fewer_tests() -> None:
    """Against one baseline a grid of three has two tests, and a planned pair has one, uncorrected."""
    study = scores(3)
    against = replace(study, family=Comparisons("one baseline", study.outputs[2].system))
    assert trust.run(against, trust.TrustPlan(2)).tests == 2
    assert trust.run(study, trust.TrustPlan(2)).tests == 3
    pair = trust.run(replace(study, outputs=study.outputs[:2]), trust.TrustPlan(2))
    assert (pair.tests, pair.setup.correction) == (1, "none")


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_change_nothing(workers: int) -> None:
    """One after the other or on several threads: the same p, and another seed gives others."""
    study, plan = scores(3), trust.TrustPlan(10)
    alone = trust.run(study, plan, Runtime(executors.Serial())).p_values
    assert np.array_equal(trust.run(study, plan, Runtime(executors.local(workers))).p_values, alone)
    assert not np.array_equal(trust.run(replace(study, seed=8), plan).p_values, alone)


def test_more_repetitions_begin_with_the_same_ones() -> None:
    """The first repetitions do not depend on how many there are."""
    few, more = (trust.run(scores(2), trust.TrustPlan(n)).p_values.tolist() for n in (5, 12))
    assert not set(few) - set(more)


def test_progress_ends_at_the_number_of_repetitions_and_may_cancel() -> None:
    """Every piece of work is reported; the first report after a cancel ends the run."""
    seen: list[tuple[int, int]] = []
    trust.run(scores(2), trust.TrustPlan(10, planted=(0.5,)), Runtime(progress=lambda _, a, b: seen.append((a, b))))
    assert seen[-1] == (20, 20)
    assert len(seen) >= 6
    with pytest.raises(Cancelled):
        trust.run(scores(2), trust.TrustPlan(10), Runtime(cancel=lambda: len(seen) > 0))


def test_what_is_known_so_far_is_shown() -> None:
    """Partial results have fewer p, and the same sentence form."""
    shown: list[trust.TrustResult] = []
    trust.run(scores(2), trust.TrustPlan(80), Runtime(publish=shown.append))
    assert [one.done for one in shown] == [40, 80]
    assert "rejects" in str(shown[0])


@pytest.mark.parametrize(
    ("rejected", "of", "verdict"),
    [
        (50, 1000, "holds its level"),
        (70, 1000, "too often"),
        (30, 1000, "too seldom"),
        (5, 100, "cannot tell"),
        (0, 20, "cannot tell"),
        (0, 200, "too seldom"),
    ],
)
def test_the_interval_decides_the_verdict(rejected: int, of: int, verdict: str) -> None:
    """Above or below alpha with its whole interval, inside a narrow one, or nothing."""
    (rate,) = rates(np.sort(np.r_[np.full(rejected, 0.04), np.full(of - rejected, 0.9)]), (0.05,))
    assert rate.verdict == verdict
    low = beta.ppf(0.025, rejected, of - rejected + 1) if rejected else 0.0
    assert (rate.low, rate.high) == pytest.approx((low, beta.ppf(0.975, rejected + 1, of - rejected)), abs=1e-9)


def test_p_at_alpha_counts() -> None:
    """p of exactly .05 is at most .05, in the rates and in the histogram."""
    result = replace(trust.run(scores(2), trust.TrustPlan(4)), p_values=np.array([0.05, 0.050001, 0.1, 1.0]))
    assert rates(result.p_values, (0.05,))[0].rejected == 1
    assert result.histogram.tolist() == [1, 2, *[0] * 17, 1]


def test_the_sentence_says_what_was_measured() -> None:
    """Segments, systems, test, unit, the rate with its interval, and the verdict."""
    result = trust.run(scores(2), trust.TrustPlan(40))
    rate = result.at(0.05)
    assert f"On your {N} segments and 2 systems" in str(result)
    assert f"over segments rejects {100 * rate.rejected / 40:.1f}%" in str(result)
    assert str(result).endswith("40 repetitions are too few to tell.")


def test_only_a_single_test_keeps_alpha_by_construction() -> None:
    """The notes of one pair say so; of a grid the correction decides as well, and they say nothing of it."""
    for systems, kept in ((2, True), (3, False)):
        result = trust.run(scores(systems), trust.TrustPlan(2))
        assert any("by construction" in note for note in result.notes) == kept


def test_max_t_counts_with_the_joint_null() -> None:
    """Of a grid max-T and Bonferroni agree for one test, and max-T is never above it for more."""
    study, plan = scores(4), trust.TrustPlan(20, resamples=999)
    strict, joint = (
        trust.run(replace(study, settings=Settings(correction=name)), plan).p_values for name in ("bonferroni", "joint")
    )
    assert (joint <= strict + 0.03).all()
    assert joint.mean() < strict.mean()


def test_holm_gets_the_resamples_that_it_needs() -> None:
    """The smallest adjusted p of all pairs is below alpha .01."""
    study = replace(scores(9), settings=Settings(correction="holm"))
    result = trust.run(study, trust.TrustPlan(1))
    assert result.tests / (result.setup.resamples + 1) < 0.01


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"repetitions": 0}, "repetitions"),
        ({"null": "line"}, "null"),
        ({"rule": "mine"}, "rule"),
        ({"planted": (0.0,)}, "planted"),
        ({"planted": (1.5,)}, "planted"),
        ({"resamples": -1}, "resamples"),
        ({"rule": "riezler_maxwell", "coverage": True}, "interval"),
    ],
)
def test_a_plan_without_sense_is_refused(plan: dict[str, object], words: str) -> None:
    """Numbers out of range and unknown words."""
    with pytest.raises(OptionError, match=words):
        trust.TrustPlan(**plan)  # type: ignore[arg-type]


def test_what_cannot_be_calibrated_is_refused() -> None:
    """One system, equal systems, a bootstrap of few units, coverage of a grid or of a rule, a one-sided rule."""
    study, plan = scores(2), trust.TrustPlan(2)
    same = replace(study, outputs=(study.outputs[0], replace(study.outputs[0], system="other")))
    few = replace(scores(2, n=9), tests=("bootstrap_shift",))
    for asked, of in (
        (replace(study, outputs=study.outputs[:1]), plan),
        (same, plan),
        (few, plan),
        (scores(3), trust.TrustPlan(2, coverage=True)),
    ):
        with pytest.raises(Undefined):
            trust.run(asked, of)
    with pytest.raises(OptionError):
        trust.run(replace(study, settings=Settings("greater")), trust.TrustPlan(2, rule="riezler_maxwell"))


def test_python_has_it_in_one_call() -> None:
    """`sigcore.trust` takes lists, and Riezler and Maxwell's rule by its name."""
    study = scores(2)
    systems = {item.system: item.segments for item in study.outputs}
    result = sigcore.trust(systems, metric="own_scores", repetitions=5, seed=SEED)
    assert result.p_values.tolist() == in_order(study, trust.TrustPlan(5))
    failing = sigcore.trust(systems, metric="own_scores", repetitions=5, seed=SEED, test="riezler_maxwell")
    assert failing.setup.test == "riezler_maxwell"


def skewed(n: int) -> Study:
    """Two systems whose scores are mostly equal and sometimes far apart."""
    rng = np.random.default_rng(1)
    return replace(
        scores(2),
        **dict(zip(("testset", "outputs"), score_set(*np.round(rng.exponential(size=(2, n)), 3)), strict=True)),
    )


def test_rules_that_fail_are_seen_to_fail() -> None:
    """The paired bootstrap of 12 units rejects too often, and Riezler and Maxwell's rule does not hold its level of 60."""
    paired = trust.run(replace(skewed(12), tests=("paired_bootstrap",)), trust.TrustPlan(800))
    slip = trust.run(skewed(60), trust.TrustPlan(300, rule="riezler_maxwell"))
    assert paired.at(0.05).verdict == "too often"
    assert slip.at(0.05).verdict in ("too often", "too seldom")


def of_documents(n: int) -> Study:
    """Two systems that are each better in some documents of 10 segments, under all of them together equal."""
    rng = np.random.default_rng(4)
    own = np.repeat(rng.normal(size=(2, n // 10)), 10, axis=1)
    testset, outputs = score_set(*np.round(own + rng.normal(size=(2, n)), 2))
    testset = replace(testset, documents=tuple(str(k // 10) for k in range(n)))
    return replace(scores(2), testset=testset, outputs=outputs)


@pytest.mark.slow
def test_segments_of_documents_are_seen_to_reject_too_often() -> None:
    """Where systems are better by document, a test of segments fails, and one of documents holds its level."""
    plan = trust.TrustPlan(400)
    fine = trust.run(of_documents(200), plan)
    whole = trust.run(replace(of_documents(200), unit="document"), plan)
    assert fine.at(0.05).low > 0.1
    assert whole.at(0.05).verdict == "holds its level"
    assert any("alike within documents" in note for note in fine.notes)


def uniform(values: Sequence[float]) -> float:
    """The largest distance of the shares of p from the diagonal."""
    ordered = np.sort(values)
    steps = np.arange(1, len(ordered) + 1) / len(ordered)
    return float(np.abs(steps - ordered).max())


def test_p_of_randomization_is_uniform() -> None:
    """Of 300 repetitions without a difference the distance from the diagonal is inside its 99.9% band."""
    p = trust.run(scores(2, n=60), trust.TrustPlan(300)).p_values
    assert uniform(p.tolist()) < 1.95 / math.sqrt(300)


def test_rates_are_frozen() -> None:
    """A rate knows its share and its words."""
    rate = Rate(0.05, 49, 1000, 0.0364, 0.0643)
    assert (rate.share, rate.words) == (0.049, "4.9% [3.6%, 6.4%]")
    assert isinstance(scores(2).testset, Testset)
    assert isinstance(scores(2).outputs[0], Outputs)


@pytest.mark.parametrize("systems", [2, 3])
def test_only_one_pair_keeps_its_level_by_construction(systems: int) -> None:
    """Of more systems at least one rejection counts, which no exchange of outputs holds at alpha."""
    notes = trust.run(scores(systems), trust.TrustPlan(4, null="segment")).notes
    assert any("by construction" in note for note in notes) == (systems == 2)
