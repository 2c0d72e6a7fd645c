"""A grid read from the counts: p, its interval and the correction; nothing is resampled again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

import numpy as np

from sigcore import corrections, metrics, significance
from sigcore.errors import MismatchError, SigError, Undefined
from sigcore.resampling.blocks import BLOCK
from sigcore.resampling.pvalues import doubled, p_of_counts, tolerance
from sigcore.results import MatrixResult
from sigcore.significance import Draws, Tally, Test
from sigcore.storage import archive
from sigcore.storage.archive import Array
from sigcore.studies import intervals, statistics
from sigcore.studies.intervals import LEVEL
from sigcore.studies.matrix import further
from sigcore.studies.matrix.compute import (
    Cells,
    MatrixRun,
    Prepared,
    as_printed,
    begin,
    caveat,
    cells_of,
    in_both_directions,
    instead,
    left_aside,
    of_both_sides,
    of_design,
    of_undefined,
)
from sigcore.studies.signature import signature as signed
from sigcore.studies.statistics import too_few
from sigcore.study import LOCAL, Runtime, Settings, Study, digest_of, settled
from sigcore.sufficient import gains
from sigcore.testset import digest
from sigcore.types import SEGMENT, SIDES, Bools, Floats, IntervalMethod, Ints, Setup, Side, Value

# p of every test, and the ends of its Monte Carlo interval
GridOfP = tuple[Floats, Floats, Floats]
OTHER: Mapping[Side, Side] = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


def results(study: Study, runtime: Runtime = LOCAL) -> list[MatrixResult]:
    """The grid of every metric and test of the study, from one run of as many resamples as it says, or as pairs need."""

    def grids(done: MatrixRun) -> list[MatrixResult]:
        tests = [test.name for test in done.tests] if study.tests is None else study.tests
        return [read(done, metric, test, study.settings) for metric in study.named for test in tests]

    return grids(further.settled(study, runtime, grids))


def read(run: MatrixRun, metric: str, test: str, settings: Settings | None = None) -> MatrixResult:
    """The grid of one metric and test under the given side, estimator, tie rule and correction.

    Cost: O(S^2), and O(R S^2) for a correction that needs the joint null; nothing is resampled again.

    Raises: Undefined for a metric or a test that was not computed, and for a correction that needs the joint null
    if there is none.
    """
    settings = settings or Settings()
    cells = cells_of(len(run.systems), settings.side, run.directed)
    settings = settled(settings, test, len(cells[0]))
    corrections.get(settings.correction)  # refused even where nothing is corrected
    if len(cells[0]) <= 1:
        settings = replace(settings, correction="none")  # a single test, or none of a single system
    position = run.position(metric)
    measured, draws = run.measured[position], run.draws[position]
    if test not in draws.tallies:
        raise Undefined(f"{test} was not computed.", run.testset, f"Computed: {', '.join(draws.tallies)}.")
    member, tally = significance.get(test), draws.tallies[test]
    if not (tally.resamples or exactly(tally, settings)):
        raise Undefined(
            "Only exact p was computed.", run.testset, "Run with these settings, or read it by the usual ones."
        )
    grid = p_of(run, position, member, settings)
    adjusted, low, high = adjust(grid, cells, settings, _prepared(run, position, member, settings), tally.resamples)
    design = run.drawn_design(position)
    effects = () if design is None else design.of_pairs.tolist()
    return MatrixResult(
        setup=setup(run, position, member, settings),
        systems=run.systems,
        groups=run.groups,
        scores=measured.scores,
        score_intervals=run.score_intervals[position],
        gains=gains(measured.scores, measured.systems[0].better),
        p_values=grid[0],
        p_low=grid[1],
        p_high=grid[2],
        adjusted=adjusted,
        notes=tuple(filter(None, (instead(run, position),)))
        + run.notes
        + of_both_sides(settings)
        + as_printed(settings)
        + of_undefined([tally], measured.title)
        + of_design(run, position, effects),
        adjusted_low=low,
        adjusted_high=high,
        design_effect=None if design is None else design.gains,
        score_design_effect=None if design is None else design.scores,
        gain_intervals=_gain_intervals(run, position, member, settings),
        interval_method=interval_method(run, position, member),
        score_interval_method=score_interval_method(run, position),
        doubled=member.doubled and settings.side == "two-sided",
        family=run.family,
        drawn=_counts_of_draws(run, tally, settings),
    )


def _counts_of_draws(run: MatrixRun, tally: Tally, settings: Settings) -> Ints:
    """The number of resamples of every pair, (S, S); 0 where p is exact."""
    if not _drawn(tally, settings):
        return np.broadcast_to(np.int64(0), (len(run.systems),) * 2)
    out = np.zeros((len(run.systems),) * 2, dtype=np.int64)
    left, right = tally.pairs.T
    out[left, right] = out[right, left] = tally.each
    return out


def _gain_intervals(run: MatrixRun, position: int, test: Test, settings: Settings) -> Floats | None:
    """The intervals (S, S, 2) of all gains, row minus column; None if the run has none."""
    if not run.gain_intervals:
        return None
    return in_both_directions(gain_intervals(run, position, test, settings), len(run.systems), run.pairs)


def gain_intervals(run: MatrixRun, position: int, test: Test, settings: Settings) -> Floats:
    """The intervals (P, 2) of the gains of all pairs: they exclude 0 exactly where the two-sided p of the pair is at most
    .05, as far as the test says which gains it rejects."""
    tally, ends = run.draws[position].tallies[test.name], run.gain_intervals[position][test.name]
    p, _, _ = p_of_pairs(tally, test, Settings("two-sided", exact=settings.exact))
    return intervals.agreeing(ends, p, tolerance(tally.gains, tally.units))


def interval_method(run: MatrixRun, position: int, test: Test) -> IntervalMethod:
    """How the intervals of the gains are made; "" where there are none."""
    return intervals.method_of(test, run.whole[position]) if run.gain_intervals else ""


def score_interval_method(run: MatrixRun, position: int) -> IntervalMethod:
    """How the intervals of the scores are made; "" where units are too few for any."""
    if np.isnan(run.score_intervals[position]).all():
        return ""
    return "Wilson" if run.whole[position] else "jackknife t"


def setup(run: MatrixRun, position: int, test: Test, settings: Settings) -> Setup:
    """How the result of one metric and test was made."""
    measured, tally = run.measured[position], run.draws[position].tallies[test.name]
    drawn = _drawn(tally, settings)
    return Setup(
        metric=measured.metric.name,
        metric_title=measured.title,
        better=measured.systems[0].better,
        why=measured.systems[0].why,
        test=test.name,
        test_title=test.title,
        side=settings.side,
        unit=run.unit,
        n=run.n,
        segments=run.segments,
        resamples=drawn,
        fewest=int(tally.each.min(initial=drawn)) if drawn else 0,
        seed=run.seed,
        estimator=settings.estimator,
        ties=settings.ties,
        correction=settings.correction,
        correction_title=corrections.get(settings.correction).title,
        level=LEVEL,
        least_p=_least_p(test, settings, drawn, _tests(run, position, test, settings)),
        least_by_units=_least_by_units(run, position, test, settings),
        decimals=measured.decimals,
        caveat=caveat(run, position, test),
        left_aside=left_aside(run.design[position], run.unit),
        instead=instead(run, position),
        signature=signature(run, position, test, settings),
        p_exact=exactly(tally, settings),
    )


def _tests(run: MatrixRun, position: int, test: Test, settings: Settings) -> int:
    """How many tests of the grid have a p, at least 1: those that are corrected together."""
    counts = run.differing[position][cells_of(len(run.systems), settings.side, run.directed)]
    without = int(np.count_nonzero(too_few(counts))) if test.draws == "bootstrap" else 0
    return max(len(counts) - without, 1)


def _least_by_units(run: MatrixRun, position: int, test: Test, settings: Settings) -> float:
    """The smallest adjusted p that swaps of the units on which two systems differ can give with any scores; 0 for
    other tests. The observed outcome is one of 2^d, and two-sided its opposite is as extreme."""
    if test.draws != "swap":
        return 0.0
    most = min(int(run.differing[position].max(initial=0)), 1000)
    least = (2 if settings.side == "two-sided" else 1) * 2.0**-most
    return min(1.0, least * corrections.get(settings.correction).factor(_tests(run, position, test, settings)))


def _least_p(test: Test, settings: Settings, resamples: int, tests: int) -> float:
    """The smallest adjusted p that R resamples can give; 0 where p is exact, or c / R."""
    if not resamples or settings.estimator == "paper":
        return 0.0
    times = 2 if test.doubled and settings.side == "two-sided" else 1
    return min(1.0, times * corrections.get(settings.correction).factor(tests) / (resamples + 1))


def p_of(run: MatrixRun, position: int, test: Test, settings: Settings) -> GridOfP:
    """p and its Monte Carlo interval for every ordered pair, each (S, S); nan for a bootstrap of two systems that
    differ on too few units."""
    differing = run.differing[position]
    same = differing == 0
    grid = p_grid(run.draws[position].tallies[test.name], test, same, settings)
    for part in grid:
        if test.draws == "bootstrap":
            part[too_few(differing)] = np.nan
        part[~tested(run, settings.side)] = np.nan
    return grid


def tested(run: MatrixRun, side: Side) -> Bools:
    """(S, S): the cells whose p is one of the family's tests, and the diagonal."""
    asked = np.eye(len(run.systems), dtype=bool)
    asked[cells_of(len(run.systems), side, run.directed)] = True
    return asked | asked.T if side == "two-sided" else asked


def p_grid(tally: Tally, test: Test, same: Bools, settings: Settings) -> GridOfP:
    """p and its Monte Carlo interval for every ordered pair, each (S, S); the diagonal is 1."""
    p, low, high = (np.ones(same.shape) for _ in range(3))
    forward = p_of_pairs(tally, test, settings)
    backward = p_of_pairs(tally, test, settings, turned=True)
    left, right = tally.pairs.T
    for grid, ahead, back in zip((p, low, high), forward, backward, strict=True):
        grid[left, right], grid[right, left] = ahead, back
        grid[same] = 1.0
    return p, low, _once(high, low)


def _once(values: Floats, *known: Floats) -> Floats:
    """The known array with these values, else they themselves: of thousands of systems an array is large, and where p is
    exact both ends of its interval are alike, before and after the correction."""
    return next((one for one in known if np.array_equal(one, values, equal_nan=True)), values)


def p_of_pairs(tally: Tally, test: Test, settings: Settings, turned: bool = False) -> GridOfP:
    """p, low, high (P,) of the pairs as tallied, or reversed (the second system against the first)."""
    side = settings.side
    if side == "two-sided" and test.doubled:
        one, other = _one_side(tally, "greater", settings), _one_side(tally, "less", settings)
        p = doubled(one[0], other[0])
        nearer = one[0] <= other[0]
        low, high = (np.minimum(1.0, 2 * np.where(nearer, one[k], other[k])) for k in (1, 2))
    else:
        p, low, high = _one_side(tally, OTHER[side] if turned else side, settings)
    if side == "two-sided":
        # no gain: every resample is at least as large
        none = np.abs(tally.gains) <= tolerance(0.0, tally.units)
        p, low, high = (np.where(none, 1.0, grid) for grid in (p, low, high))
    return p, low, high


def exactly(tally: Tally, settings: Settings) -> bool:
    """Whether p is exact: the test computes it, or all ways to swap were counted, and these settings ask for that p."""
    if tally.exact is not None:
        return True
    usual = settings.ties == "counted" and settings.estimator == "valid"
    return tally.swaps is not None and settings.exact and usual


def _drawn(tally: Tally, settings: Settings) -> int:
    """The resamples behind the adjusted p: none where p is exact and the correction needs no more than that."""
    joint = tally.exact is None and corrections.get(settings.correction).needs_joint
    return 0 if exactly(tally, settings) and not joint else tally.resamples


def _one_side(tally: Tally, side: Side, settings: Settings) -> GridOfP:
    if tally.swaps is not None and exactly(tally, settings):
        p = tally.swaps[SIDES.index(side)]
        return p, np.full_like(p, np.nan), np.full_like(p, np.nan)
    if tally.exact is not None:
        p = tally.exact[SIDES.index(side)]
        return p, np.full_like(p, np.nan), np.full_like(p, np.nan)
    beyond, ties = tally.counts[SIDES.index(side)]
    drawn = tally.resamples if tally.drawn is None else tally.drawn
    return p_of_counts(beyond, ties, drawn, settings.ties, settings.estimator, tally.error)


def adjust(grid: GridOfP, cells: Cells, settings: Settings, prepared: Floats | None, resamples: int) -> GridOfP:
    """The grids (S, S) of adjusted p and of its Monte Carlo interval."""
    defined = ~np.isnan(grid[0][cells])
    if not defined.all():
        cells = tuple(place[defined] for place in cells)
        prepared = None if prepared is None else prepared[defined]
    p, low = (part[cells] for part in grid[:2])
    tests = p, low, low if grid[2] is grid[1] else grid[2][cells]
    if len(p):
        tests = corrections.get(settings.correction).grid(tests, prepared, resamples)
    both = settings.side == "two-sided"
    adjusted, low = (_square(grid[0], cells, values, both) for values in tests[:2])
    low = _once(low, grid[1])
    return adjusted, low, low if tests[2] is tests[1] else _square(grid[0], cells, tests[2], both)


def _square(p: Floats, cells: Cells, values: Floats, both: bool) -> Floats:
    """The values of these cells of a grid whose p is `p` (S, S): `both` of the pair; 1 elsewhere, nan without a p."""
    out = np.where(np.isnan(p), np.nan, 1.0)
    out[cells] = values
    return np.minimum(out, out.T) if both else out


def _prepared(run: MatrixRun, position: int, test: Test, settings: Settings) -> Floats | None:
    """What the correction made of the joint null, for one that needs it.

    Raises: Undefined where the test has no joint null, or where the run was not asked to prepare the correction.
    """
    correction = corrections.get(settings.correction)
    if not correction.needs_joint:
        return None
    if test.draws is None:
        fix = "Choose a test that draws, or another correction."
        raise Undefined(f"{correction.title} needs the joint null, and {test.title} has none.", run.testset, fix)
    prepared = run.prepared[position].get((correction.name, test.name, settings.side))
    if prepared is None:
        fix = f"Run with corrections=[{correction.name!r}]."
        raise Undefined(f"{correction.title} was not prepared.", run.testset, fix)
    return prepared


def _signed(run: MatrixRun, tally: Tally) -> Mapping[str, Value]:
    """How many resamples there are, in a signature; where undecided pairs went on, also at which alpha they were."""
    if tally.drawn is None:
        return {"resamples": tally.resamples}
    return {"resamples": f"{tally.drawn.min()}-{tally.resamples}", "alpha": f"{run.alpha:g}"}


def signature(run: MatrixRun, position: int, test: Test, settings: Settings) -> str:
    """Everything that is needed to reproduce one result, in one string."""
    tally = run.draws[position].tallies[test.name]
    parts: Mapping[str, Value] = {
        "metric": run.measured[position].systems[0].signature,
        "test": test.name,
        "sides": settings.side,
        "estimator": settings.estimator,
        "ties": settings.ties,
        **_signed(run, tally),
        **({"p": "exact"} if exactly(tally, settings) else {}),
        "seed": run.seed,
        "n": run.n,
        "unit": str(run.unit),
        **({"segments": run.segments} if run.unit != SEGMENT else {}),
        "correction": settings.correction,
        "systems": len(run.systems),
        "data": run.data,
    }
    return signed(parts)


# Finished runs of one question as a file: the statistics and every count, so that nothing has to be drawn again.

FORMAT = 3  # increase it when the file changes
QUESTION, RUNS, GAINS = (
    "question",
    "resamples",
    "intervals",
)  # the name of the mark, of the numbers of resamples, of intervals
JOINT = "joint"  # what a correction counted together


def save(runs: Sequence[MatrixRun]) -> bytes:
    """Runs of one question, of fewer and more resamples, as the bytes of a file; of one whose pairs went on, the run that
    they began with.

    Raises: MismatchError for runs of different questions.
    """
    runs = [one.first or one for one in runs]
    first = runs[0]
    if len({_mark(run) for run in runs}) > 1:
        raise MismatchError("Only runs of one question can be saved together.")
    arrays: dict[str, Array] = {
        QUESTION: np.array(_mark(first)),
        RUNS: np.array([run.resamples for run in runs], dtype=np.int64),
    }
    for m, measured in enumerate(first.measured):
        arrays[f"statistics.{m}"] = np.array([system.values for system in measured.systems])
        arrays[f"signature.{m}"] = np.array(measured.systems[0].signature)
    for one in runs:
        arrays |= _counts(one)
    return archive.write(arrays)


def _counts(run: MatrixRun) -> dict[str, Array]:
    """The counts and the intervals of one run, by names that begin with its number of resamples."""
    arrays: dict[str, Array] = {}
    for m, draws in enumerate(run.draws):
        head = f"{run.resamples}.{m}"
        arrays |= {f"{head}.{test}.{GAINS}": ends for test, ends in run.gain_intervals[m].items()}
        for test, tally in draws.tallies.items():
            values = {field.name: getattr(tally, field.name) for field in fields(Tally)}
            arrays |= {f"{head}.{test}.{k}": v for k, v in values.items() if isinstance(v, np.ndarray)}
    for m, prepared in enumerate(run.prepared):
        arrays |= {f"{run.resamples}.{m}.{JOINT}.{'.'.join(of)}": reached for of, reached in prepared.items()}
    return arrays


def load(content: bytes, study: Study) -> dict[int, MatrixRun]:
    """The saved runs by their number of resamples; none if they answer another question, or other files were loaded.

    Raises: SigError for a damaged file; what `matrix.run` raises before it draws.
    """
    try:
        return _load(archive.read(content), study)
    except (KeyError, ValueError, TypeError) as error:
        raise SigError("The finished runs are damaged.", "", "Save them again, or draw them again.") from error


def _load(arrays: Mapping[str, Array], study: Study) -> dict[int, MatrixRun]:
    testset, outputs = study.testset, study.outputs
    cache: dict[str, Floats] = {}
    for m, (name, given) in enumerate(study.metrics):
        metric = metrics.get(name)
        signature = metric.signature(testset.references, metric.chosen(given))
        rows = np.asarray(arrays.get(f"statistics.{m}", ()), dtype=np.float64)
        if len(rows) != len(outputs) or str(arrays[f"signature.{m}"]) != signature:
            return {}
        cache |= {statistics.key(testset, item, signature): row for item, row in zip(outputs, rows, strict=True)}
    start, _ = begin(study, Runtime(cache=cache))
    if str(arrays[QUESTION]) != _mark(start):
        return {}
    return {int(done): _run(start, arrays, int(done)) for done in arrays[RUNS]}


def _run(start: MatrixRun, arrays: Mapping[str, Array], done: int) -> MatrixRun:
    """The run of that many resamples."""
    every = range(len(start.measured))
    return replace(
        start,
        draws=tuple(
            Draws({test.name: _tally(arrays, f"{done}.{m}.{test.name}.", done) for test in start.tests}) for m in every
        ),
        gain_intervals=tuple(
            {test.name: np.asarray(arrays[f"{done}.{m}.{test.name}.{GAINS}"], dtype=np.float64) for test in start.tests}
            for m in every
        ),
        prepared=tuple(_prepared_of(arrays, f"{done}.{m}.{JOINT}.") for m in every),
        resamples=done,
    )


def _prepared_of(arrays: Mapping[str, Array], head: str) -> Prepared:
    """What was counted together, by (correction, test, side)."""
    found = {}
    for name in arrays:
        if name.startswith(head):
            correction, test, side = name.removeprefix(head).split(".")
            found[correction, test, next(one for one in SIDES if one == side)] = np.asarray(arrays[name], np.float64)
    return found


def _tally(arrays: Mapping[str, Array], head: str, done: int) -> Tally:
    kept = {field.name: arrays[head + field.name] for field in fields(Tally) if head + field.name in arrays}
    return Tally(**kept, resamples=done)  # type: ignore[arg-type]


def _mark(run: MatrixRun) -> str:
    """What the counts depend on besides R, and the versions of how they are written and drawn."""
    asked = [f"{item.metric.name} {sorted(item.options.items())}" for item in run.measured]
    tests = [test.name for test in run.tests]
    parts = [run.data, *run.systems, *asked, *tests, str(run.unit), str(run.seed), digest_of(run.family)]
    versions = [str(version) for version in (FORMAT, BLOCK, statistics.EXTRACTION)]
    jointly = ["joint null by swaps"] if any(test.draws == "bootstrap" for test in run.tests) else []
    return digest([*parts, *versions, *jointly])
