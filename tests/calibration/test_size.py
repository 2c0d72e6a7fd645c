"""Under a true null every test rejects about as often as it says; a flawed one does not."""

from __future__ import annotations

import pytest

from sigcore import significance
from sigcore.testset import Outputs, Testset
from sigcore.types import SIDES
from tests.calibration.nulls import ALPHAS, FLAWED, Systems, allowance, band, exchanged, rejections, statistics_of
from tests.conftest import DATA, wmt
from tests.drawn import DRAWN
from tests.made import text_set

TESTS = [significance.get(name) for name in DRAWN]
NAMES = [test.name for test in TESTS]


def population(metric: str) -> Systems:
    """The statistics of two systems: real text where it is there, made-up text where not."""
    if DATA.is_dir():
        testset, outputs = wmt(DATA / "mt/wmt22.cs-en", "B", "en")
        pair = [item for item in outputs if item.system in ("Online-A", "CUNI-Transformer")]
        keep = slice(None) if metric != "ter" else slice(0, 600)
        testset = Testset("t", "text", len(testset.references[0][keep]), (testset.references[0][keep],))
        pair = [Outputs(item.system, item.segments[keep]) for item in pair]
    else:
        testset, pair = text_set(1000, (0.2, 0.22))
    return statistics_of(metric, testset, pair)


@pytest.fixture(scope="module")
def quick():
    """Rejection rates of all tests, chrF, 100 segments, 1000 null test sets of 199 resamples."""
    return rejections(exchanged(population("chrf"), 100), TESTS, replications=1000, resamples=199, seed=1)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", NAMES)
def test_size_quick(name, side, alpha, quick):
    """The rejection rate lies in the exact binomial 99.9% band."""
    low, high = band(1000, alpha)
    assert low <= quick[name, side, alpha] <= high


def test_a_flawed_test_fails_quick(quick):
    """The bootstrap that takes absolute values before the shift rejects about twice too often, and the band sees it."""
    assert quick[FLAWED, "two-sided", 0.05] > band(1000)[1]


CELLS = [("bleu", 50), ("bleu", 400), ("chrf", 50), ("chrf", 400), ("ter", 50), ("ter", 200)]


@pytest.fixture(scope="module", params=CELLS, ids=lambda c: f"{c[0]}-{c[1]}")
def cell(request):
    """A metric, a size, and the rejection rates of all tests on 2000 null test sets of 499 resamples."""
    metric, n = request.param
    return n, rejections(exchanged(population(metric), n), TESTS, replications=2000, resamples=499, seed=n)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", NAMES)
def test_size(name, side, alpha, cell):
    """The rejection rate lies in the exact binomial 99.9% band; a bootstrap may exceed it by its allowance."""
    n, rates = cell
    low, high = band(2000, alpha)
    assert low <= rates[name, side, alpha] <= high + allowance(name, n, alpha)


@pytest.mark.slow
def test_a_flawed_test_fails(cell):
    """The flawed bootstrap rejects far outside the band under every metric and size."""
    assert cell[1][FLAWED, "two-sided", 0.05] > band(2000)[1] + 0.02


@pytest.mark.parametrize(
    ("replications", "printed"),
    [(1000, (0.033, 0.069)), (2000, (0.038, 0.063)), (5000, (0.0422, 0.0582)), (10_000, (0.0445, 0.0557))],
)
def test_the_band_itself(replications, printed):
    """The 99% bands of a test of size .05 are those worked out before."""
    assert band(replications, level=0.99) == pytest.approx(printed, abs=6e-4)
