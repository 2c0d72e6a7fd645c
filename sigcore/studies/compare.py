"""Is A really better than B? One pair under every test, with the nulls as histograms."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import Undefined
from sigcore.resampling.pvalues import exceedances, tolerance
from sigcore.results import CompareResult, Histogram, TestResult
from sigcore.significance import Draws, Test
from sigcore.studies import enough, matrix
from sigcore.studies.intervals import Possible, equivalence, possible_gains
from sigcore.studies.matrix import MatrixRun
from sigcore.study import LOCAL, Runtime, Settings, Study
from sigcore.sufficient import gains
from sigcore.types import SIDES, Floats, Side

# Bins over the range of all nulls of a pair, and the most numbers of a null that are stored unbinned.
BINS = 60
MOST_BINS = 400
KEEP = 100_000
NO_CUTOFFS = np.array([-np.inf]), np.array([np.inf])  # for a test that counts for itself


@dataclass(frozen=True, eq=False)
class CompareRun:
    """What was computed for one pair: the counts, and for each metric the histograms, short nulls, and what the tests say
    of every true gain."""

    matrix: MatrixRun
    histograms: tuple[dict[str, Histogram], ...]
    nulls: tuple[dict[str, Floats | None], ...]
    possible: tuple[dict[str, Possible | None], ...]

    @property
    def resamples(self) -> int:
        """R."""
        return self.matrix.resamples

    @property
    def products(self) -> int:
        """The products of a weight and a statistic in one resample."""
        return self.matrix.products


def run(study: Study, runtime: Runtime = LOCAL) -> CompareRun:
    """The counts and nulls of the two systems of the study under its tests (None: all that can be run on this data).

    The draws are those of the matrix with the same seed, so both give the same p-values.
    """
    (system, baseline), tests, name = study.outputs, study.tests, study.testset.name
    if system.system == baseline.system and system.run == baseline.run:
        raise Undefined(f"{system.system} is compared with itself.", name, "Choose two systems.")
    if tests is not None and not tests:
        raise Undefined("No test was selected.", name, "Choose at least one test.")
    # the partial results of the grid would be grids
    whole = matrix.run(study, replace(runtime, publish=None), keep=True, corrections=())
    pictures = [_picture(draws, whole) for draws in whole.draws]
    possible = [
        {test.name: possible_gains(measured.systems, draws, test, full) for test in whole.tests}
        for measured, draws, full in zip(whole.summed, whole.draws, whole.whole, strict=True)
    ]
    for draws in whole.draws:
        draws.close()
    histograms, nulls = zip(*pictures, strict=True)
    return CompareRun(whole, histograms, nulls, tuple(possible))


def results(
    study: Study, runtime: Runtime = LOCAL, sides: Sequence[Side] = SIDES, margin: float | None = None
) -> list[CompareResult]:
    """The pair under every metric of the study, on these sides, from one run of as many resamples as its side needs; `margin`
    as of `read`."""

    def of_metrics(done: CompareRun) -> list[CompareResult]:
        return [read(done, metric, study.settings, sides, margin) for metric in study.named]

    def verdicts(done: CompareRun) -> list[TestResult]:
        tests = [item for found in of_metrics(done) for item in found.results]
        return [item for item in tests if item.setup.side == study.settings.side]

    return of_metrics(enough.draw(study, lambda one: run(one, runtime), verdicts))


def _picture(draws: Draws, whole: MatrixRun) -> tuple[dict[str, Histogram], dict[str, Floats | None]]:
    edges = _edges(draws, whole.tests)
    histograms = {test.name: Histogram(edges, _binned(draws, test, edges)) for test in whole.tests}
    short = [test for test in whole.tests if whole.resamples <= KEEP and test.draws]
    nulls = {test.name: np.concatenate(list(_null(draws, test))) if test in short else None for test in whole.tests}
    return histograms, nulls


def _boot_gains(draws: Draws, resamples: int) -> Iterator[Floats]:
    """The first `resamples` bootstrap gains of the pair, block by block, (1, size)."""
    assert draws.scores is not None
    return (scores[:1] - scores[1:2] for scores in draws.scores.first(resamples))


def _null(draws: Draws, test: Test) -> Iterator[Floats]:
    """Pseudo-statistics of one test, block by block, (size,); none of a test that counts for itself."""
    if test.draws is None:
        return iter(())
    tally = draws.tallies[test.name]
    assert draws.gains is not None or test.draws == "bootstrap"
    pseudo = _boot_gains(draws, tally.resamples) if test.draws == "bootstrap" else iter(draws.gains or ())
    return (test.statistics(block, tally.means[:, None], tally.gains[:, None])[0] for block in pseudo)


def _edges(draws: Draws, tests: Sequence[Test]) -> Floats:
    """Common bin edges of all nulls of a pair, with edges on zero and (where bins are fine enough) on the gain.

    The edges at cut-offs are moved by the tie tolerance, so that a tie is plotted on the side where it counts.
    """
    tally = draws.tallies[tests[0].name]
    gain = abs(float(tally.gains[0]))
    ends = [_ends(draws, test) for test in tests if test.draws] or [(-gain, gain)]
    low, high = min(-gain, *(e[0] for e in ends)), max(gain, *(e[1] for e in ends))
    slack = 2 * float(tolerance(gain, tally.units[0]))
    # fine enough for the narrowest null even if the gain is far from it, but never more than MOST_BINS
    narrowest = min(e[1] - e[0] for e in ends)
    width = max(min((high - low) / BINS, narrowest / (BINS / 2)), (high - low) / MOST_BINS)
    if width <= 2 * slack:
        margin = max(1.0, high - low)  # all numbers are the same, except for rounding
        return np.array([low - margin, high + margin])
    if gain > width / 2:
        width = gain / max(1, round(gain / width))
    # one more bin at each end, for numbers on the outermost edges
    first, last = int(np.floor(low / width)) - 1, int(np.ceil(high / width)) + 1
    edges = np.arange(first, last + 1) * width
    # a tie at the upper cut-off belongs to the bin above it, one at the lower cut-off to the bin below; zero is the
    # lower cut-off of a gain and the upper one of a loss
    loss = float(tally.gains[0]) < 0
    return np.where((edges > 0) | ((edges == 0) & loss), edges - slack, edges + slack)


def _ends(draws: Draws, test: Test) -> tuple[float, float]:
    """The least and the largest pseudo-statistic of one test."""
    blocks = (block[~np.isnan(block)] for block in _null(draws, test))
    ends = [(float(block.min()), float(block.max())) for block in blocks if len(block)] or [(0.0, 0.0)]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _binned(draws: Draws, test: Test, edges: Floats) -> NDArray[np.int64]:
    counts = np.zeros(len(edges) - 1, dtype=np.int64)
    for block in _null(draws, test):
        counts += np.histogram(block, edges)[0]
    return counts


def read(
    run: CompareRun,
    metric: str,
    settings: Settings | None = None,
    sides: Sequence[Side] = SIDES,
    margin: float | None = None,
) -> CompareResult:
    """Every computed test on every requested side for one metric; nothing is resampled again.

    The result's setup is that of the first test on the side of `settings`. With a `margin`, in points of the metric, each
    test also says whether the two systems are equal within it.

    Raises: OptionError for a margin that is not above 0.
    """
    settings = replace(settings or Settings(), correction="none")
    whole = run.matrix
    position = whole.position(metric)
    measured, design = whole.measured[position], whole.drawn_design(position)
    effects = () if design is None else tuple(design.of_pairs.tolist())
    scores, spread = measured.scores, whole.score_intervals[position]
    tallies = whole.draws[position].tallies.values()
    return CompareResult(
        setup=matrix.setup(whole, position, whole.tests[0], settings),
        system=whole.systems[0],
        baseline=whole.systems[1],
        scores=(float(scores[0]), float(scores[1])),
        score_intervals=((float(spread[0, 0]), float(spread[0, 1])), (float(spread[1, 0]), float(spread[1, 1]))),
        gain=float(gains(scores, measured.systems[0].better)[0, 1]),
        interval=_interval(run, position, whole.tests[0], settings),
        interval_method=matrix.interval_method(whole, position, whole.tests[0]),
        score_interval_method=matrix.score_interval_method(whole, position),
        results=tuple(
            _read_one(run, position, test, replace(settings, side=side), margin)
            for test, side in product(whole.tests, sides)
        ),
        notes=tuple(filter(None, (matrix.instead(whole, position),)))
        + whole.notes
        + matrix.as_printed(settings)
        + matrix.of_undefined(tallies, measured.title)
        + matrix.of_design(whole, position, effects),
        design_effect=None if design is None else float(design.gains[0, 1]),
        score_design_effect=None if design is None else (float(design.scores[0]), float(design.scores[1])),
    )


def _interval(run: CompareRun, position: int, test: Test, settings: Settings) -> tuple[float, float]:
    """The interval of the gain that belongs to a test."""
    low, high = matrix.gain_intervals(run.matrix, position, test, settings)[0]
    return float(low), float(high)


def _read_one(run: CompareRun, position: int, test: Test, settings: Settings, margin: float | None) -> TestResult:
    whole = run.matrix
    measured, tally = whole.measured[position], whole.draws[position].tallies[test.name]
    p, p_low, p_high = (float(grid[0, 1]) for grid in matrix.p_of(whole, position, test, settings))
    counted, _, _ = matrix.p_of(whole, position, test, Settings(settings.side))
    low, high = test.cutoffs(tally.gains, settings.side) if test.draws else NO_CUTOFFS
    beyond, ties = tally.counts[SIDES.index(settings.side)][:, 0]
    setup = matrix.setup(whole, position, test, settings)
    if exact := matrix.exactly(tally, settings):
        beyond, ties = np.zeros_like(beyond), np.zeros_like(ties)  # of draws that only the figure shows
    return TestResult(
        setup=setup,
        system=whole.systems[0],
        baseline=whole.systems[1],
        scores=(float(measured.scores[0]), float(measured.scores[1])),
        gain=float(gains(measured.scores, measured.systems[0].better)[0, 1]),
        p_value=p,
        p_interval=(p_low, p_high),
        interval=_interval(run, position, test, settings),
        interval_method=matrix.interval_method(whole, position, test),
        equivalence=None if margin is None else equivalence(run.possible[position][test.name], margin),
        histogram=run.histograms[position][test.name],
        cutoffs=(float(low[0]), float(high[0])),
        tail=int(exceedances(beyond, ties, settings.ties)),
        ties=int(ties),
        null=run.nulls[position][test.name],
        counted=test.counted,
        doubled=test.doubled and settings.side == "two-sided",
        exact=exact,
        counted_p=float(counted[0, 1]) if setup.as_printed else math.nan,
    )
