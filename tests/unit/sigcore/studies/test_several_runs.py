"""Several runs of each system: shuffles against all divisions, spread and t by hand, and what changes nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import ttest_ind

from sigcore import significance
from sigcore.errors import OptionError, Undefined
from sigcore.executors import Serial, Threads
from sigcore.resampling.blocks import blocks, multeval_masks, split_masks
from sigcore.resampling.spool import Spool
from sigcore.studies import matrix, runs
from sigcore.studies.matrix import Settings
from sigcore.studies.runs.draws import nested_scores, tally_shuffles
from sigcore.studies.statistics import measure
from sigcore.study import LOCAL, Runtime, Study
from sigcore.testset import Outputs, Testset
from sigcore.types import SIDES
from tests import some
from tests.made import score_set, text_set
from tests.oracles.all_divisions import division_gains, multeval_gains
from tests.oracles.all_swaps import exact_p

QUICK = {"resamples": 400, "seed": 3}


def made(n=60, sizes=(3, 3), documents=0):
    """A test set of text, and systems A, B ... with these numbers of runs, A better than the others."""
    rates = [0.12 + 0.1 * (s > 0) + 0.02 * k for s, size in enumerate(sizes) for k in range(size)]
    testset, outputs = text_set(n, tuple(rates))
    if documents:
        testset = Testset(
            "t", "text", n, testset.references, documents=tuple(f"d{i * documents // n}" for i in range(n))
        )
    rest = iter(outputs)
    return testset, {name: [next(rest) for _ in range(size)] for name, size in zip("ABCDE", sizes, strict=False)}


def result(testset, systems, metric="bleu", settings=None, shuffle="exact", runtime=LOCAL, **more):
    """The result of one metric."""
    study = Study(testset, (), [(metric, {})], **QUICK | more)
    return runs.read(runs.run(study, runs.RunsPlan(systems, shuffle), runtime), metric, settings)


def all_statistics(testset, systems, metric):
    """The statistics of every run by system."""
    flat = [Outputs(f"{name}{k}", item.segments) for name, own in systems.items() for k, item in enumerate(own)]
    (item,) = measure(testset, flat, [(metric, {})])
    rest = iter(item.systems)
    return [[next(rest) for _ in own] for own in systems.values()]


def counted(statistics, shuffle, resamples=20_000):
    """p of the only pair on every side, as the shuffle counts it."""
    pair = np.array([[0, 1]])
    (tally,) = tally_shuffles([statistics], pair, shuffle, resamples, 5, Serial(), lambda: None)
    test = runs.SHUFFLES[shuffle]
    return {side: float(matrix.p_of_pairs(tally, test, Settings(side))[0][0]) for side in SIDES}


@pytest.mark.parametrize("metric", ["bleu", "ter"])
@pytest.mark.parametrize(
    ("sizes", "n"), some.first([((2, 2), 5), ((1, 3), 5), ((3, 3), 3), ((3, 1), 5), ((1, 1), 9)], 2)
)
def test_exact_p_is_that_of_all_divisions(sizes, n, metric):
    """On few segments p of both sides is that of every division of the outputs, within its Monte Carlo error."""
    testset, systems = made(n, sizes)
    statistics = all_statistics(testset, systems, metric)
    score, sign = statistics[0][0].score, -1 if metric == "ter" else 1
    rows = [[run.values.tolist() for run in own] for own in statistics]
    gains = division_gains(*rows, lambda sums: sign * float(score(np.array(sums))))
    got = counted(statistics, "exact")
    for side in SIDES:
        exact = exact_p(gains, side)
        assert abs(got[side] - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4


@pytest.mark.parametrize(("m", "n"), [(2, 3), (3, 2)])
def test_multevals_p_is_that_of_all_outcomes(m, n):
    """The other shuffle has the p of every order of the runs and every coin, as the program draws them."""
    testset, systems = made(n, (m, m))
    statistics = all_statistics(testset, systems, "ter")
    rows = [[run.values.tolist() for run in own] for own in statistics]
    score = statistics[0][0].score
    gains = multeval_gains(*rows, lambda sums: -float(score(np.array(sums))))
    observed = -float(score(sum(run.total for run in statistics[0])) - score(sum(run.total for run in statistics[1])))
    exact = sum(abs(gain) >= abs(observed) - 1e-9 for gain in gains) / len(gains)
    got = counted(statistics, "multeval")["two-sided"]
    assert abs(got - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4


def test_gains_of_multevals_shuffle_vary_too_little():
    """With three runs the variance of gains is 5/6 of that of the exact shuffle, with two runs it is the same."""
    rng = np.random.default_rng(1)
    for m, share in ((2, 1.0), (3, 5 / 6)):
        values = rng.normal(size=(2 * m, 400))
        first, second = multeval_masks(rng, 3000, 400, m)
        exact = split_masks(rng, 3000, 400, 2 * m, m)
        gains = np.einsum("rkn,kn->r", first - second, values), np.einsum("rkn,kn->r", 2 * exact - 1, values)
        assert np.var(gains[0]) / np.var(gains[1]) == pytest.approx(share, abs=0.12)


def test_every_division_is_equally_likely():
    """Each of the six ways to choose two of four outputs is drawn as often as the others, with two of them each time."""
    masks = split_masks(np.random.default_rng(2), 500, 60, 4, 2)
    assert set(masks.sum(axis=1).ravel().tolist()) == {2.0}
    codes = np.tensordot(masks, [1, 2, 4, 8], axes=(1, 0)).ravel()
    counts = np.unique(codes, return_counts=True)[1]
    assert len(counts) == 6
    assert np.abs(counts / 30_000 - 1 / 6).max() < 5 * math.sqrt(5 / 36 / 30_000)


def test_spread_and_t_by_hand():
    """Average, s_opt, s_sel and t are those of the definitions; documents and segments give different errors."""
    testset, systems = made(120, (4, 3), documents=24)
    got = result(testset, systems, unit="segment")
    statistics = all_statistics(testset, systems, "bleu")
    scores = [[run.corpus_score for run in own] for own in statistics]
    for k, own in enumerate(scores):
        assert got.scores[k] == pytest.approx(own)
        assert got.average[k] == pytest.approx(np.mean(own))
        assert got.s_opt[k] == pytest.approx(np.std(own, ddof=1))
    rng = np.random.default_rng(1)
    drawn = [
        np.std([float(one.score(one.values[rng.integers(0, one.n, one.n)].sum(axis=0))) for _ in range(400)])
        for one in statistics[0]
    ]
    assert got.s_sel[0] == pytest.approx(np.mean(drawn), rel=0.12)
    assert got.over_segments[0] == pytest.approx(np.mean(drawn), rel=0.12)
    assert np.isfinite(got.over_documents).all()
    for side in SIDES:
        one = result(testset, systems, settings=Settings(side))
        expected = ttest_ind(*scores, alternative=side)
        assert (one.run_t[0, 1], one.run_p[0, 1]) == (
            pytest.approx(expected.statistic),
            pytest.approx(expected.pvalue),
        )
        assert one.run_df[0, 1] == 5


def test_drawn_runs_vary_as_much_as_runs():
    """Over many draws the variance of the average of drawn runs is that of an average of m runs, s_opt^2 / m."""
    scores = np.random.default_rng(3).normal(size=(4, 1))
    spool = Spool(4, 40_000)
    for block in blocks(40_000):
        spool.put(block.index, np.repeat(scores, block.size, axis=1))
    drawn = np.concatenate(list(nested_scores(spool, [np.arange(4)], [(1, 2)], seed=5)), axis=1)
    assert drawn.mean() == pytest.approx(scores.mean(), abs=0.02)
    assert drawn.var() == pytest.approx(scores.var(ddof=1) / 4, rel=0.04)


def test_one_run_each_is_randomization_of_two_outputs():
    """Without other runs the shuffle, and swapping all runs as one, are approximate randomization; nothing has a spread."""
    testset, systems = made(9, (1, 1))
    statistics = [own[0] for own in all_statistics(testset, systems, "bleu")]
    member = significance.get("approximate_randomization")
    question = significance.Resampling((tuple(statistics),), (member,), np.array([[0, 1]]), 20_000, 5)
    tally = significance.tally(question, Serial())[0].tallies[member.name]
    plain = float(matrix.p_of_pairs(tally, member, Settings())[0][0])
    assert counted([[one] for one in statistics], "exact")["two-sided"] == pytest.approx(plain, abs=0.02)
    got = result(testset, systems)
    assert np.isnan(got.s_opt).all()
    assert np.isnan(got.run_p).all()
    assert any("Only one run of A, B was given" in note for note in got.grid.notes)


@pytest.mark.parametrize("shuffle", ["exact", "multeval"])
def test_the_same_runs_in_two_systems_have_p_one(shuffle):
    """A system against itself under another name, its runs in another order, has p = 1 on every side of every test."""
    testset, systems = made(50, (3,))
    for side in SIDES:
        got = result(testset, {"A": systems["A"], "B": systems["A"][::-1]}, settings=Settings(side), shuffle=shuffle)
        assert got.shuffled_p.tolist() == got.swapped_p.tolist() == got.nested_p.tolist() == [[1, 1], [1, 1]]
        assert got.grid.p_values.tolist() == [[1, 1], [1, 1]]
    assert got.run_p[0, 1] == pytest.approx(0.5)
    assert any("p = 1" in note for note in got.grid.notes)


def test_executors_and_other_metrics_change_nothing():
    """Threads, another metric beside it and a third system leave p as it is."""
    testset, systems = made(60, (2, 2, 2))
    two = {name: systems[name] for name in "AB"}
    alone = result(testset, two)
    threaded = result(testset, two, runtime=Runtime(executor=Threads(2)))
    beside = runs.run(Study(testset, (), [("ter", {}), ("bleu", {})], **QUICK), runs.RunsPlan(systems))
    third = runs.read(beside, "bleu")
    for other in (threaded, third):
        for name in ("shuffled_p", "swapped_p", "nested_p"):
            assert getattr(other, name)[0, 1] == getattr(alone, name)[0, 1]
        assert other.grid.p_values[0, 1] == alone.grid.p_values[0, 1]


def test_a_grid_is_corrected():
    """Three systems have Holm's correction by default, none where it is switched off; max-T is refused."""
    testset, systems = made(60, (2, 3, 1))
    run = runs.run(Study(testset, (), [("chrf", {})], **QUICK), runs.RunsPlan(systems))
    holm, none = (runs.read(run, "chrf", Settings(correction=name)) for name in ("auto", "none"))
    cells = np.triu_indices(3, k=1)
    assert (holm.grid.p_values == none.grid.p_values).all()
    assert (none.grid.adjusted == none.grid.p_values).all()
    smallest = none.grid.p_values[cells].min()
    assert holm.grid.adjusted[cells].min() == pytest.approx(min(1, 3 * smallest))
    assert holm.setup.correction == "holm"
    with pytest.raises(Undefined, match="joint null"):
        runs.read(run, "chrf", Settings(correction="joint"))


def test_few_units_give_no_bootstrap_p():
    """With nine segments, or nine that differ, the hierarchical bootstrap has no p; the others have one, and a caveat."""
    testset, systems = made(9, (2, 2))
    got = result(testset, systems)
    assert math.isnan(got.nested_p[0, 1])
    assert np.isfinite([got.grid.p_values, got.shuffled_p]).all()
    assert "which 9 of them cannot show" in got.setup.caveat
    base = np.arange(60.0)
    shifted = [base + np.where(base < 9, 1 + k, 0) for k in range(2)]
    few, outputs = score_set(base, base, *shifted)
    got = result(few, {"A": outputs[:2], "B": outputs[2:]}, "own_scores")
    assert math.isnan(got.nested_p[0, 1])
    assert np.isnan(got.nested_intervals[0, 1]).all()


@pytest.mark.parametrize(("sizes", "noted"), [((3, 3), False), ((1, 1), True)])
def test_rates_of_a_bootstrap_are_not_those_of_runs(sizes, noted):
    """With several runs the hierarchical bootstrap is careful, and a shuffle of runs is no way out; one run each is a bootstrap."""
    testset, systems = made(26, sizes)
    notes = " ".join(result(testset, systems).grid.notes)
    assert ("tends to be too small" in notes) == ("prefer it here" in notes) == noted


@pytest.mark.parametrize(
    ("sizes", "warned"), [((2, 2), True), ((3, 1), True), ((3, 3), False), ((4, 2, 2), True), ((1, 1), False)]
)
def test_two_runs_are_a_caveat(sizes, warned):
    """The verdict has a caveat where some pair has four runs or fewer, and more than one of each."""
    testset, systems = made(20, sizes)
    got = result(testset, systems)
    assert ("Two runs of a system" in got.setup.caveat) == warned
    assert got.setup.by_formula == (max(sizes) > 1)


def test_runs_that_differ_much_are_reported():
    """Where s_opt is above half of s_sel a note names the system; the verdict counts how much runs differ."""
    rng = np.random.default_rng(4)
    scores = 4 * rng.normal(size=200) + rng.normal(size=(6, 200)) + np.array([0, 0, 0, -2, -1, 0])[:, None]
    testset, outputs = score_set(*scores)
    got = result(testset, {"A": outputs[:3], "B": outputs[3:]}, "own_scores")
    assert got.unstable == ("B",)
    assert not got.setup.caveat
    assert got.shuffled_p[0, 1] < 0.01 < 0.05 < got.grid.p_values[0, 1]
    assert "The runs of B differ" in " ".join(got.grid.notes)


@pytest.mark.parametrize(("sizes", "shared", "expected"), [((3, 3), 0.0, 1.0), ((3, 3), 1.0, 2.5), ((3, 1), 0.0, 1.0)])
def test_how_alike_runs_are_is_measured(sizes, shared, expected):
    """The ratio is 1 for exchangeable outputs, and by the formula where a system shares half of the variance; then a
    note says so."""
    rng, n = np.random.default_rng(6), 2000
    segments = rng.normal(size=n)
    rows = [
        segments + shared * own + rng.normal(size=n)
        for size in sizes
        for own in [rng.normal(size=n)]
        for _ in range(size)
    ]
    testset, outputs = score_set(*rows)
    systems = {"A": outputs[: sizes[0]], "B": outputs[sizes[0] :]}
    got = result(testset, systems, "own_scores")
    assert got.alike[0, 1] == got.alike[1, 0] == pytest.approx(expected, rel=0.12)
    assert ("are alike on a segment" in " ".join(got.grid.notes)) == (expected > 1)
    # by hand: S^2 and the difference of the means, unit by unit, without the means over the units
    values = [[row - row.mean() for row in own] for own in (rows[: sizes[0]], rows[sizes[0] :])]
    pairs = [([row[i] for row in values[0]], [row[i] for row in values[1]]) for i in range(n)]
    assumed = sum(np.var([*a, *b], ddof=1) for a, b in pairs) * (1 / sizes[0] + 1 / sizes[1])
    assert got.alike[0, 1] == pytest.approx(sum((np.mean(a) - np.mean(b)) ** 2 for a, b in pairs) / assumed)


def test_documents_are_shuffled_as_units():
    """With documents as the unit, n is their number, and p is that of the outputs of whole documents."""
    testset, systems = made(60, (2, 2), documents=4)
    got = result(testset, systems, unit="document", resamples=4000)
    assert (got.setup.n, got.setup.segments) == (4, 60)
    statistics = all_statistics(testset, systems, "bleu")
    place = [int(name[1:]) for name in testset.documents]
    rows = [
        [[run.values[np.array(place) == d].sum(axis=0).tolist() for d in range(4)] for run in own] for own in statistics
    ]
    score = statistics[0][0].score
    exact = exact_p(division_gains(*rows, lambda sums: float(score(np.array(sums)))), "two-sided")
    assert abs(got.shuffled_p[0, 1] - exact) < 4 * math.sqrt(exact * (1 - exact) / 4000) + 1e-3


@pytest.mark.parametrize(
    ("unit", "spread", "told"), [("segment", 3.0, True), ("segment", 0.0, False), ("document", 3.0, False)]
)
def test_documents_that_are_left_out_of_account_are_told(unit, spread, told):
    """Where segments are shuffled although gains are alike within documents, a note and the caveat say so."""
    rng = np.random.default_rng(2)
    common = np.repeat(spread * rng.normal(size=40), 5)
    testset, outputs = score_set(*(common + rng.normal(size=200) for _ in range(2)), *rng.normal(size=(2, 200)))
    testset = Testset("t", "scores", 200, documents=tuple(f"d{i // 5}" for i in range(200)))
    got = result(testset, {"A": outputs[:2], "B": outputs[2:]}, "own_scores", unit=unit)
    assert any("alike within the 40 documents" in note for note in got.grid.notes) is told
    assert ("alike within the 40 documents" in got.setup.caveat) is told


def test_what_cannot_be_run_is_refused():
    """One system, a system without runs, an unknown shuffle, and MultEval's of unequal numbers are errors."""
    testset, systems = made(20, (2, 3))
    with pytest.raises(Undefined, match="only one system"):
        runs.run(Study(testset, ()), runs.RunsPlan({"A": systems["A"]}))
    with pytest.raises(Undefined, match="B has no runs"):
        runs.run(Study(testset, ()), runs.RunsPlan({"A": systems["A"], "B": []}))
    with pytest.raises(OptionError, match="exact, multeval"):
        runs.run(Study(testset, ()), runs.RunsPlan(systems, "other"))
    with pytest.raises(OptionError, match="as many runs of each system; there are 2 and 3"):
        runs.run(Study(testset, (), resamples=10), runs.RunsPlan(systems, "multeval"))
