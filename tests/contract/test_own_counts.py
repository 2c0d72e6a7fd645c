"""Every test that counts for itself: a p-value on every side, symmetric, 1 without a difference, and at most alpha wrong."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from sigboard.questions.compare.figure import small, stage
from sigboard.render.json import compare_json, matrix_json
from sigboard.render.text import compare_table, matrix_table
from sigcore import significance
from sigcore.errors import Undefined
from sigcore.significance import Test
from sigcore.studies import compare, matrix
from sigcore.studies.matrix import MatrixRun, Settings
from sigcore.study import Study
from sigcore.testset import Outputs, Testset, renamed
from sigcore.types import SIDES
from tests import proofs
from tests.calibration.nulls import ALPHAS, band, exchanged, rejections, statistics_of
from tests.drawn import OWN_COUNTS
from tests.made import text_set
from tests.proofs import of_tests

CHEAP: dict[str, Any] = {"resamples": 100, "seed": 5}
REPLICATIONS = 300


@dataclass(frozen=True)
class Data:
    """Three systems with more and more slips on n segments, and the metrics they are scored with."""

    n: int
    metrics: tuple[str, ...]

    def run(self, test: str, systems: tuple[int, ...] = (0, 1, 2), **more: Any) -> MatrixRun:
        """The matrix of some of the systems."""
        testset, outputs = self.made()
        asked: list[Any] = [(name, {}) for name in self.metrics]
        return matrix.run(Study(testset, [outputs[k] for k in systems], asked, [test], **{**CHEAP, **more}))

    def made(self, rates: tuple[float, ...] = (0.05, 0.3, 0.5)) -> tuple[Testset, tuple[Outputs, ...]]:
        """The test set and the outputs."""
        testset, outputs = text_set(self.n, rates, seed=3)
        return testset, tuple(outputs)


# A test may be limited to few units, or to segments that are right or wrong: it is run on the first data that fit it.
CHOICES = (
    Data(40, ("bleu", "chrf", "ter")),
    Data(10, ("bleu", "chrf", "ter")),
    Data(40, ("exact_match", "accuracy")),
    Data(10, ("exact_match", "accuracy")),
)


@cache
def misfit(test: str, data: Data) -> str:
    """Why the test cannot be run on the data; "" where it can."""
    try:
        data.run(test)
    except Undefined as error:
        return error.what
    return ""


@pytest.fixture(params=sorted(OWN_COUNTS))
def test(request) -> Test:
    """Every significance test that counts for itself."""
    return significance.get(request.param)


@pytest.fixture
def data(test) -> Data:
    """The first data that the test can be run on."""
    fitting = [choice for choice in CHOICES if not misfit(test.name, choice)]
    assert fitting, f"{test.name} can be run on none of CHOICES: add data that fit it."
    return fitting[0]


def test_it_says_what_it_is(test):
    """A test has a title, a help text, a source, and a word for what it counts."""
    assert test.title
    assert test.help.endswith(".")
    assert test.source
    assert test.counted


def test_a_misfit_has_a_reason(test):
    """Where the test cannot be run, a sentence says why."""
    reasons = [misfit(test.name, choice) for choice in CHOICES]
    assert all(reason.endswith(".") for reason in reasons if reason), reasons


@pytest.mark.parametrize("side", SIDES)
def test_p_is_a_probability(test, data, side):
    """p lies in [0, 1], the diagonal is 1, and an exact p has no Monte Carlo interval."""
    run = data.run(test.name)
    for metric in data.metrics:
        result = matrix.read(run, metric, test.name, Settings(side))
        assert ((result.p_values >= 0) & (result.p_values <= 1)).all()
        assert (np.diag(result.p_values) == 1).all()
        if not result.setup.resamples:
            assert np.isnan(result.p_low[result.gains != 0]).all()


@pytest.mark.parametrize("side", SIDES)
def test_identical_systems(test, data, side):
    """Equal outputs give p = 1 on every side, with no gain and a note."""
    testset, outputs = data.made()
    twins = [outputs[0], renamed(outputs[0], "twin"), outputs[1]]
    run = matrix.run(Study(testset, twins, [(name, {}) for name in data.metrics], [test.name], **CHEAP))
    for metric in data.metrics:
        result = matrix.read(run, metric, test.name, Settings(side))
        assert result.p_values[0, 1] == result.p_values[1, 0] == 1.0
        assert result.gains[0, 1] == 0.0
        assert any("p = 1" in note for note in result.notes)
        assert result.p_values[0, 2] == result.p_values[1, 2]


def test_the_grid_is_its_own_mirror(test, data):
    """Row against column under "greater" is column against row under "less"; two-sided is symmetric."""
    run = data.run(test.name)
    for metric in data.metrics:
        read = {side: matrix.read(run, metric, test.name, Settings(side)).p_values for side in SIDES}
        np.testing.assert_allclose(read["greater"], read["less"].T, rtol=1e-12)
        np.testing.assert_allclose(read["two-sided"], read["two-sided"].T, rtol=1e-12)


def test_swapping_system_and_baseline(test, data):
    """The two-sided p stays, "greater" becomes "less", and the gain changes its sign."""
    there, back = data.run(test.name, (0, 1)), data.run(test.name, (1, 0))
    turned = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
    for metric in data.metrics:
        for side in SIDES:
            one = matrix.read(there, metric, test.name, Settings(side))
            other = matrix.read(back, metric, test.name, Settings(turned[side]))
            assert one.p_values[0, 1] == pytest.approx(other.p_values[0, 1], rel=1e-12)
            assert one.gains[0, 1] == -other.gains[0, 1]


def test_the_better_system_is_greater(test, data):
    """A system with far fewer slips is better: small p for "greater", large for "less", for TER too."""
    run = data.run(test.name)
    for metric in data.metrics:
        greater = matrix.read(run, metric, test.name, Settings("greater"))
        assert greater.gains[0, 2] > 0
        assert greater.p_values[0, 2] < 0.05
        assert greater.p_values[2, 0] > 0.9
        assert matrix.read(run, metric, test.name).p_values[0, 2] < 0.05


def test_the_tails_overlap(test, data):
    """Every outcome is in one of the tails, and the two-sided p is not below the smaller one-sided p."""
    run = data.run(test.name)
    for metric in data.metrics:
        greater, less, both = (
            matrix.read(run, metric, test.name, Settings(side)).p_values for side in ("greater", "less", "two-sided")
        )
        assert (greater + less >= 1 - 1e-12).all()
        assert (both >= np.minimum(greater, less) - 1e-12).all()


@pytest.mark.parametrize("side", SIDES)
def test_a_pair_does_not_depend_on_its_company(test, data, side):
    """Compare gives the p of the matrix."""
    testset, outputs = data.made()
    asked: list[Any] = [(name, {}) for name in data.metrics]
    pair = compare.run(Study(testset, [outputs[1], outputs[2]], asked, [test.name], **CHEAP))
    whole = data.run(test.name)
    for metric in data.metrics:
        alone = compare.read(pair, metric).result(test.name, side)
        assert alone.p_value == matrix.read(whole, metric, test.name, Settings(side)).p_values[1, 2]


def test_an_exact_p_hangs_on_no_draw(test, data):
    """Another seed and another R give the same p, where the test says that it is exact."""
    one, other = data.run(test.name), data.run(test.name, resamples=300, seed=9)
    for metric in data.metrics:
        first, second = (matrix.read(run, metric, test.name) for run in (one, other))
        if not first.setup.resamples:
            np.testing.assert_array_equal(first.p_values, second.p_values)


def test_it_is_written_and_drawn(test, data):
    """Tables, JSON and the figure of the pair take its results."""
    testset, outputs = data.made()
    asked: list[Any] = [(name, {}) for name in data.metrics]
    run = compare.run(Study(testset, [outputs[0], outputs[1]], asked, [test.name], **CHEAP))
    result = compare.read(run, data.metrics[0])
    assert test.title in str(result)
    assert test.title in compare_table(result, 0.05)
    assert stage(result, result.chief).data
    assert small(result, result.chief).data
    beside = matrix.run(Study(testset, outputs, asked, [test.name, "approximate_randomization"], **CHEAP))
    grids = [matrix.read(beside, data.metrics[0], name) for name in (test.name, "approximate_randomization")]
    assert matrix_json(grids)["resamples"] == 100
    assert test.title in matrix_table(grids[0], 0.05)
    assert len(compare_json([result], (), "two-sided")["results"]) == 1


def test_it_holds_its_level(test, data):
    """Where two systems do not differ, at most alpha of the test sets give a p of at most alpha, but for chance."""
    larger = Data(200, data.metrics[:1])
    testset, outputs = larger.made((0.2, 0.22))
    null = exchanged(statistics_of(larger.metrics[0], testset, outputs), data.n)
    rates = rejections(null, [test], replications=REPLICATIONS, resamples=1, seed=1)
    for alpha in ALPHAS:
        for side in SIDES:
            assert rates[test.name, side, alpha] <= band(REPLICATIONS, alpha)[1]


def test_it_has_a_proof(test):
    """A test names worked examples with their origin, or an oracle that does not use what it checks."""
    assert not (found := proofs.unfounded(test)), "\n".join(found)


def test_its_proof_holds(test):
    """Every worked example and the oracle give the p of a run, up to the error of the draws."""
    assert not (found := [*of_tests.faults(test)]), "\n".join(found)


def test_its_proof_notices_breaks(test):
    """A test that counts one too many on both sides, swaps its sides or halves p contradicts its own proof."""
    assert not (found := of_tests.unnoticed(test)), "\n".join(found)


def test_an_exact_p_is_the_share_of_all_swaps(test):
    """Of all ways to swap the outputs of units, exactly the share p gives p or less, ties included, on every side."""
    assert not (found := [*of_tests.wrong_levels(test)]), "\n".join(found)
