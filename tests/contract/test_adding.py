"""Adding a metric, a test or a correction touches one file: put it into the folder and everything finds it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import binom

import sigcore
from sigboard import terminal
from sigboard.questions.compare.figure import small, stage
from sigboard.render.json import compare_json
from sigboard.render.text import compare_table
from sigcore import corrections, metrics, significance
from sigcore.errors import Undefined
from sigcore.executors import Serial
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies import compare, matrix, scores
from sigcore.studies.matrix import Settings
from sigcore.study import Runtime, Study
from sigcore.types import SIDES
from tests.guide import example
from tests.made import score_set, text_set
from tests.oracles.all_swaps import exact_p, pseudo_gains

METRIC = '''
"""Share of words that stand at the same place in the reference."""
import numpy as np
from sigcore.proof import Proof, Scored
from sigcore.registry import Option
from sigcore.metrics.contract import Metric

def statistics(segments, prepared, options, done):
    rows = []
    for segment, reference in zip(segments, prepared[0], strict=True):
        words, gold = segment.split(), reference.split()
        rows.append([sum(w[: options["letters"]] == g[: options["letters"]] for w, g in zip(words, gold)), len(gold)])
    return np.array(rows, dtype=float)

def score(sums, options):
    return 100 * sums[..., 0] / np.maximum(sums[..., 1], 1)

METRIC = Metric(name="in_place", title="In place", kind="text", better="higher", columns=("same", "words"),
                statistics=statistics, score=score, options=(Option("letters", 99, low=1, high=99, help="How many."),),
                source="made for this test", help="Words at their place.",
                proof=Proof((Scored((("a b", "a c"),), "100 / 2", "one of two words is in place"),)))
'''

TEST = '''
"""Sign of the bootstrap gain, a test that is added for a test."""
from sigcore.proof import Proof
from sigcore.significance.contract import Test

def null(pseudo, mean, gain):
    return pseudo - 0.5 * (mean + gain)

TEST = Test(name="between", title="Between", draws="bootstrap", null=null, counted="resamples", help="Between two.", source="none",
            proof=Proof(oracle="of_tests:bootstrap_shift"))
'''

CORRECTION = '''
"""Sidak."""
import numpy as np
from sigcore.corrections.contract import Correction
from sigcore.proof import Adjusted, Proof

CORRECTION = Correction(name="sidak", title="Sidak", adjust=lambda p: 1 - (1 - p) ** len(p), controls="any false finding", source="Sidak 1967",
                        rate="family-wise", proof=Proof((Adjusted((0.5, 0.1), ("1 - 0.5 ** 2", "1 - 0.9 ** 2"), "by hand, of two tests"),)))
'''

EXACT = '''
"""Exact randomization: every way in which the outputs of the units can change places, each once."""
import numpy as np
from sigcore.proof import Proof
from sigcore.resampling.pvalues import tolerance
from sigcore.significance.contract import Test, exact_tally
from sigcore.sufficient import oriented
from sigcore.types import SIDES

def unfit(question):
    n = question.columns.n
    return "" if n <= 12 else f"{n} units can change places in 2 to the {n} ways."

def tally(question, mapper):
    n = question.columns.n
    swaps = (np.arange(2**n)[:, None] >> np.arange(n)) & 1  # (2^n, n)
    return [exact_tally(question, metric, p_values(question, metric, swaps)) for metric in range(len(question.statistics))]

def p_values(question, metric, swaps):
    p = np.empty((len(SIDES), len(question.pairs)))
    for k, (row, column) in enumerate(question.pairs):
        one, other = question.statistics[metric][row], question.statistics[metric][column]
        moved = swaps @ (other.values - one.values)
        gains = oriented(one.score(one.total + moved), one.better) - oriented(one.score(other.total - moved), one.better)
        slack = tolerance(gains[0], question.units(metric)[k])
        p[:, k] = [(np.abs(gains) >= abs(gains[0]) - slack).mean(), (gains >= gains[0] - slack).mean(), (gains <= gains[0] + slack).mean()]
    return p

TEST = Test(name="exact_randomization", title="Exact randomization", tally=tally, unfit=unfit,
            help="Counts every way of swapping.", source="Noreen 1989", proof=Proof(oracle="of_tests:approximate_randomization"))
'''

MAX_T = '''
"""Single-step max-T: the largest studentised gain of all pairs under the joint null."""
import numpy as np
from sigcore.corrections.contract import Correction
from sigcore.proof import Proof

def count(statistic, null):
    return (null.max(axis=0)[None, :] >= statistic[:, None]).sum(axis=1)

def adjust(p, reached, resamples):
    adjusted = np.maximum(p, (reached + 1) / (resamples + 1))
    return adjusted, adjusted, adjusted

CORRECTION = Correction(name="single_step", title="single-step max-T", count=count, adjust_prepared=adjust,
                        controls="the chance of any false finding", source="Westfall & Young 1993", rate="family-wise",
                        proof=Proof(oracle="of_corrections:joint"))
'''


def test_a_metric_in_one_file(add):
    """A metric's file is all it takes: it is listed, run, tested on every pair and described."""
    add(metrics, "in_place", METRIC)
    assert "in_place" in metrics.members()
    testset, outputs = text_set(40, (0.1, 0.5))
    run = matrix.run(
        Study(testset, outputs, [("in_place", {"letters": "2"}), ("bleu", {})], resamples=800),
        runtime=Runtime(executor=Serial()),
    )
    result = matrix.read(run, "in_place", "approximate_randomization")
    assert result.setup.metric_title == "In place"
    assert 0 < result.scores[1] < result.scores[0] < 100
    assert result.p_values[0, 1] < 0.01
    assert "in_place|refs:1|letters:2" in result.setup.signature


def test_a_test_in_one_file(add):
    """A test's file is all it takes."""
    add(significance, "between", TEST)
    testset, outputs = text_set(30, (0.1, 0.4))
    run = compare.run(Study(testset, outputs, tests=None, resamples=300), runtime=Runtime(executor=Serial()))
    result = compare.read(run, "bleu").result("between", "two-sided")
    assert result.setup.test_title == "Between"
    assert 0 < result.p_value < 0.1


def test_a_correction_in_one_file(add):
    """A correction's file is all it takes."""
    add(corrections, "sidak", CORRECTION)
    testset, outputs = text_set(20, (0.1, 0.2, 0.3))
    run = matrix.run(Study(testset, outputs, resamples=300), runtime=Runtime(executor=Serial()))
    result = matrix.read(run, "bleu", "approximate_randomization", Settings(correction="sidak"))
    upper = np.triu_indices(3, 1)
    np.testing.assert_allclose(result.adjusted[upper], 1 - (1 - result.p_values[upper]) ** 3)


@pytest.mark.parametrize("side", SIDES)
def test_an_exact_test_in_one_file(add, side):
    """A test that draws nothing is read, written and drawn like any other; its p is that of all swaps."""
    add(significance, "exact_randomization", EXACT)
    testset, outputs = text_set(10, (0.1, 0.4))
    run = compare.run(
        Study(testset, outputs, [("chrf", {})], ["exact_randomization"], resamples=300),
        runtime=Runtime(executor=Serial()),
    )
    result = compare.read(run, "chrf", Settings(side))
    one = result.chief
    values = [item.values for item in run.matrix.measured[0].systems]
    score = run.matrix.measured[0].systems[0].score
    every = pseudo_gains(*values, lambda sums: float(score(np.array(sums))))
    assert one.p_value == pytest.approx(exact_p(every, side), abs=1e-12)
    assert one.exact
    assert np.isnan(one.p_interval).all()
    assert one.setup.resamples == 0
    assert "(exact)" in str(result)
    assert "Exact randomization" in compare_table(result, 0.05)
    assert compare_json([result], (), side)["results"][0]["exact"] is True
    assert stage(result, result.chief).data
    assert small(result, result.chief).data


def test_a_test_that_does_not_fit_is_left_out_or_refused(add):
    """Asked for by name, a test that cannot be run on the data is refused with its reason; else it is left out."""
    add(significance, "exact_randomization", EXACT)
    testset, outputs = text_set(30, (0.1, 0.4))
    with pytest.raises(Undefined, match="Exact randomization cannot be run: 30 units"):
        matrix.run(
            Study(testset, outputs, tests=["exact_randomization"], resamples=100), runtime=Runtime(executor=Serial())
        )
    run = compare.run(Study(testset, outputs, tests=None, resamples=100), runtime=Runtime(executor=Serial()))
    assert "exact_randomization" not in run.matrix.draws[0].tallies


def test_mcnemar_in_one_file(add):
    """The exact test of the guide gives the binomial p of the segments on which the systems differ."""
    add(significance, "mcnemar", example("significance")[1])
    first, second = np.repeat([100.0, 100, 0, 0], [9, 8, 2, 6]), np.repeat([100.0, 0, 100, 0], [9, 8, 2, 6])
    testset, outputs = score_set(first, second)
    run = matrix.run(
        Study(testset, outputs, [("own_scores", {})], ["mcnemar"], resamples=100), runtime=Runtime(executor=Serial())
    )
    result = matrix.read(run, "own_scores", "mcnemar")
    assert result.p_values[0, 1] == pytest.approx(2 * binom.cdf(2, 10, 0.5))
    assert result.adjusted[1, 0] == result.p_values[0, 1]


@pytest.mark.parametrize("side", SIDES)
def test_a_correction_that_needs_the_joint_null_in_one_file(add, side):
    """A correction that looks at all pairs at once gets their joint null: adjusted p lies between p and Bonferroni's."""
    add(corrections, "single_step", MAX_T)
    testset, outputs = text_set(60, (0.1, 0.14, 0.18, 0.3))
    run = matrix.run(
        Study(testset, outputs, tests=["approximate_randomization"], resamples=2000),
        runtime=Runtime(executor=Serial()),
        corrections=["single_step"],
    )
    result = matrix.read(run, "bleu", "approximate_randomization", Settings(side, correction="single_step"))
    tests = 6 if side == "two-sided" else 12
    off = ~np.eye(4, dtype=bool)
    assert (result.adjusted >= result.p_values)[off].all()
    assert (result.adjusted <= np.minimum(1, tests * result.p_values) + 1e-12)[off].all()
    assert (result.adjusted < np.minimum(1, tests * result.p_values))[off].any()


def test_a_correction_that_needs_the_joint_null_everywhere(tmp_path, capsys):
    """One line in Python and the command keep the draws for it; a matrix of scores, which has no joint null, refuses it."""
    testset, outputs = text_set(30, (0.1, 0.2, 0.3))
    systems = {item.system: item.segments for item in outputs}
    asked = {"test": "bootstrap_shift", "correction": "joint", "resamples": 300}
    result = sigcore.matrix(systems, testset.references[0], **asked)
    files = []
    for name, segments in [("ref", testset.references[0]), *systems.items()]:
        files.append(tmp_path / f"{name}.txt")
        files[-1].write_text("\n".join(segments) + "\n", encoding="utf-8")
    words = ["matrix", "--reference", files[0], "--systems", *files[1:], "--resamples", 300, "--json", "-"]
    words += ["--test", "bootstrap_shift", "--correction", "joint"]
    assert terminal.main(list(map(str, words))) == 0
    (grid,) = json.loads(capsys.readouterr().out)["results"]
    np.testing.assert_array_equal(grid["adjusted"], result.adjusted)
    values = np.random.default_rng(0).normal(size=(9, 2))
    run = scores.run(ScoreMatrix("m", tuple("abcdefghi"), ("x", "y"), values), resamples=100)
    with pytest.raises(Undefined, match="max-T needs the joint null"):
        scores.read(run, correction="joint")


def test_draws_that_were_not_counted_together_are_named(add):
    """A correction that was not asked for when the test drew has nothing to read."""
    add(corrections, "single_step", MAX_T)
    testset, outputs = text_set(10, (0.1, 0.2, 0.3))
    drawn = ("bootstrap_shift", "approximate_randomization")
    run = matrix.run(Study(testset, outputs, tests=drawn, resamples=100))
    for test in drawn:
        with pytest.raises(Undefined, match="was not prepared"):
            matrix.read(run, "bleu", test, Settings(correction="single_step"))


def test_a_joint_null_that_is_not_there_is_named(add):
    """Exact tests have no joint null of all pairs."""
    add(significance, "exact_randomization", EXACT)
    testset, outputs = text_set(10, (0.1, 0.2, 0.3))
    run = matrix.run(Study(testset, outputs, tests=["exact_randomization"], resamples=100))
    with pytest.raises(Undefined, match="Exact randomization has none"):
        matrix.read(run, "bleu", "exact_randomization", Settings(correction="joint"))


def test_nothing_is_left_behind():
    """What a test added is gone after it."""
    assert "in_place" not in metrics.members()
    assert "between" not in significance.members()
    assert "sidak" not in corrections.members()
