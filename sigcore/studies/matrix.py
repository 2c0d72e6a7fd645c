"""Which of my systems differ? All pairs under every asked metric and test, from shared draws."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sigcore import corrections, executors, formatting, significance
from sigcore.errors import OptionError, Undefined
from sigcore.registry import Value
from sigcore.resampling.blocks import BLOCK
from sigcore.resampling.pvalues import ESTIMATORS, TIES, clopper_pearson, doubled, exceedances, p_values, tolerance
from sigcore.resampling.quantiles import quantiles
from sigcore.results import ALTERNATIVES, MatrixResult
from sigcore.significance import INTERVAL_RESAMPLES, Draws, Question, Tally, Test
from sigcore.studies import units
from sigcore.studies.statistics import Asked, Cache, Measured, Progress, measure
from sigcore.studies.units import DesignEffect
from sigcore.sufficient import gains, oriented
from sigcore.testset import Outputs, Testset, digest
from sigcore.types import Floats
from sigcore.version import __version__

LEVEL = 0.95
MOST_RESAMPLES = 100_000_000
FEW_UNITS = 30  # below it the bootstrap tests reject clearly more often than they should


@dataclass(frozen=True)
class Settings:
    """How results are read from the counts; changing any of these computes nothing again."""

    alternative: str = "two-sided"
    estimator: str = "valid"
    ties: str = "counted"
    correction: str = "holm"

    def __post_init__(self) -> None:
        known = {"alternative": ALTERNATIVES, "estimator": tuple(ESTIMATORS), "ties": TIES}
        for name, choices in known.items():
            if getattr(self, name) not in choices:
                raise OptionError(f"{name} = {getattr(self, name)!r}.", "", f"Choose from: {', '.join(choices)}.")


@dataclass(frozen=True, eq=False)
class MatrixRun:
    """What was computed: the scores, their intervals, and the counts of every test on every pair.

    `measured` has a row per segment, `summed` one for each of the n units that were drawn. `design` is the design
    effect of each metric: of the unit, of documents where segments were drawn from a test set that has some, or None.
    """

    testset: str
    systems: tuple[str, ...]
    groups: tuple[str, ...]
    measured: tuple[Measured, ...]
    summed: tuple[Measured, ...]
    design: tuple[DesignEffect | None, ...]
    tests: tuple[Test, ...]
    draws: tuple[Draws, ...]
    score_intervals: tuple[Floats, ...]
    unit: str
    n: int
    segments: int
    resamples: int
    seed: int
    notes: tuple[str, ...]
    data: str  # a mark of the contents of all files

    def position(self, metric: str) -> int:
        """Where a metric stands (Undefined where it was not asked for)."""
        names = [item.metric.name for item in self.measured]
        if metric not in names:
            raise Undefined(f"{metric} was not computed.", self.testset, f"Computed: {', '.join(names)}.")
        return names.index(metric)

    def drawn_design(self, position: int) -> DesignEffect | None:
        """The design effect of what was drawn; None where that are segments."""
        return self.design[position] if self.unit != units.SEGMENT else None


def run(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked = (("bleu", {}),),
    tests: Sequence[str] = ("approximate_randomization",),
    *,
    unit: str = units.SEGMENT,
    resamples: int = 10_000,
    seed: int = 12345,
    executor: executors.Executor | None = None,
    cache: Cache | None = None,
    progress: Progress | None = None,
    keep: bool = False,
    partial_result: Callable[[MatrixRun], None] | None = None,
) -> MatrixRun:
    """The counts of all tests on all pairs of systems under all metrics.

    `unit` is what a draw takes or swaps: "segment", "document" (as the test set has them) or "block:N" (N segments one
    after the other); statistics are made, and kept in `cache`, per segment all the same. `keep` holds on to the draws
    (for the pictures of one pair). `partial_result` is called now and then with what the first so many resamples give:
    a complete run of that smaller R. The result depends on the files, the metrics, the unit, R and the seed alone: not
    on the executor, nor on which other systems or metrics are asked for at once.

    Raises: Undefined without systems, OptionError, MismatchError, UnknownMember; Cancelled from `progress`.
    """
    check_numbers(resamples, seed)
    unit = units.read_unit(unit)
    chosen = tuple(significance.get(name) for name in dict.fromkeys(tests))
    groups = units.groups(testset, unit)
    measured = measure(testset, outputs, asked, cache, progress)
    summed = tuple(units.in_units(item, groups) for item in measured)
    pairs = np.column_stack(np.triu_indices(len(outputs), k=1))
    question = Question(tuple(item.systems for item in summed), chosen, pairs, resamples, seed)

    n = question.columns.n
    notes = tuple(_notes(measured, summed, unit)) + _few_units(unit, n, chosen)
    design = tuple(_design(testset, item, unit, groups) for item in measured)

    def so_far(draws: Sequence[Draws], done: int) -> MatrixRun:
        return MatrixRun(
            testset=testset.name,
            systems=tuple(item.system for item in outputs),
            groups=tuple(item.group for item in outputs),
            measured=tuple(measured),
            summed=summed,
            design=design,
            tests=chosen,
            draws=tuple(draws),
            score_intervals=tuple(_score_intervals(d, m, done) for d, m in zip(draws, measured, strict=True)),
            unit=unit,
            n=n,
            segments=testset.n,
            resamples=done,
            seed=seed,
            notes=notes,
            data=_mark(testset, outputs, unit),
        )

    def tell(draws: Sequence[Draws], done: int) -> None:
        if partial_result is not None:
            partial_result(replace(so_far(draws, done), draws=tuple(Draws(dict(d.tallies)) for d in draws)))

    draws = significance.tally(
        question, executor or executors.local(), progress, keep, tell if partial_result is not None else None
    )
    whole = so_far(draws, resamples)
    if not keep:
        for item in draws:
            item.close()
    return whole


def check_numbers(resamples: int, seed: int) -> None:
    """Refuse numbers that no computation can use (OptionError)."""
    if not 1 <= resamples <= MOST_RESAMPLES:
        raise OptionError(f"resamples = {resamples}.", "", f"It must lie in [1, {MOST_RESAMPLES}].")
    if not 0 <= seed < 2**63:
        raise OptionError(f"seed = {seed}.", "", "It must be a whole number from 0 on; 0 is a seed like any other.")


def _score_intervals(draws: Draws, measured: Measured, done: int) -> Floats:
    assert draws.scores is not None
    spool, used = draws.scores, min(done, INTERVAL_RESAMPLES)
    both = quantiles(lambda: spool.first(used), used, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return np.sort(oriented(both, measured.systems[0].better), axis=1)


def _mark(testset: Testset, outputs: Sequence[Outputs], unit: str) -> str:
    """Twelve letters that differ where any file differs; what the documents are counts only where they are drawn."""
    documents = [testset.documents_digest] if unit == units.DOCUMENT else []
    return digest([testset.digest, *(item.digest for item in outputs), *documents])[:12]


def _design(testset: Testset, measured: Measured, unit: str, groups: units.Groups | None) -> DesignEffect | None:
    """The design effect of the unit; of the documents where segments are drawn, and every one has a document."""
    if groups is not None:
        return units.design_effect(measured, unit, groups)
    if not testset.documents or not all(name.strip() for name in testset.documents):
        return None
    found = units.groups(testset, units.DOCUMENT)
    return None if found is None else units.design_effect(measured, units.DOCUMENT, found)


def same_statistics(measured: Measured) -> NDArray[np.bool_]:
    """(S, S): whether two systems have equal statistics on every row (segment, or other unit)."""
    # adding 0 turns -0.0, which some score files hold, into 0.0
    marks = [hashlib.sha256((item.values + 0.0).tobytes()).digest() for item in measured.systems]
    return np.array([[a == b for b in marks] for a in marks])


def _notes(measured: Sequence[Measured], summed: Sequence[Measured], unit: str) -> list[str]:
    notes, noun = [], formatting.unit_noun(unit, 1)
    for rows, item in zip(measured, summed, strict=True):
        same = np.triu(same_statistics(item), k=1)
        for a, b in zip(*np.nonzero(same), strict=True):
            names = f"{item.systems[a].system} and {item.systems[b].system}"
            notes.append(f"{names} have the same {item.title} statistics on every {noun}: p = 1 under every test.")
        notes += rows.remarks()
    return notes


def _few_units(unit: str, n: int, tests: Sequence[Test]) -> tuple[str, ...]:
    """Notes on tests that find differences too easily, or never, where there are few units to draw from."""
    noun, out = formatting.unit_noun(unit, n), []
    titles = [test.title for test in tests if test.draws == "bootstrap"]
    if n < FEW_UNITS and titles:
        out.append(
            f"{', '.join(titles)}: with {n} {noun} a bootstrap gives p-values that are too small (at 10 "
            f"{formatting.unit_noun(unit, 10)} about one true null in ten is rejected at alpha 0.05). Approximate "
            "randomization holds its level at any size."
        )
    if unit != units.SEGMENT and 2.0 ** (1 - n) > 0.05 and any(test.draws == "swap" for test in tests):
        out.append(
            f"{n} {noun} can be swapped in {2**n} ways only: a two-sided p of a randomization test hardly falls below "
            f"{min(1.0, 2.0 ** (1 - n)):.2g}."
        )
    return tuple(out)


def design_notes(run: MatrixRun, position: int, effects: Sequence[float]) -> tuple[str, ...]:
    """What the unit does to the gains; or, where segments are drawn that are clearly alike within documents, what is
    left out of account."""
    design = run.design[position]
    if design is None or not len(design.of_pairs):
        return ()
    if design.unit == run.unit:
        return (formatting.design_effect_sentence(run.unit, effects),) if effects else ()
    return (formatting.ignored_documents(design.n, design.of_pairs.tolist()),) if design.clear else ()


def read(run: MatrixRun, metric: str, test: str, settings: Settings | None = None) -> MatrixResult:
    """The grid of one metric and test under the given sides, estimator, tie rule and correction.

    Cost: O(S^2); nothing is drawn again.
    """
    settings = settings or Settings()
    position = run.position(metric)
    measured, draws = run.measured[position], run.draws[position]
    if test not in draws.tallies:
        raise Undefined(f"{test} was not computed.", run.testset, f"Computed: {', '.join(draws.tallies)}.")
    member = significance.get(test)
    tally = draws.tallies[test]
    grid = p_grid(tally, member, same_statistics(run.summed[position]), settings)
    adjusted, low, high = (_adjust(part, settings) for part in grid)
    note = _granularity(len(adjusted), member, settings, tally.resamples) + _both_sides(settings)
    note += undefined_note([tally], measured.title)
    design = run.drawn_design(position)
    pairs = () if design is None else design.of_pairs.tolist()
    return MatrixResult(
        systems=run.systems,
        groups=run.groups,
        metric=metric,
        metric_title=measured.title,
        better=measured.systems[0].better,
        test=test,
        test_title=member.title,
        alternative=settings.alternative,
        scores=measured.scores,
        score_intervals=run.score_intervals[position],
        level=LEVEL,
        gains=gains(measured.scores, measured.systems[0].better),
        p_values=grid[0],
        p_low=grid[1],
        p_high=grid[2],
        adjusted=adjusted,
        correction=settings.correction,
        estimator=settings.estimator,
        n=run.n,
        resamples=tally.resamples,
        seed=run.seed,
        signature=signature(run, position, member, settings),
        notes=run.notes + note + design_notes(run, position, pairs),
        adjusted_low=low,
        adjusted_high=high,
        unit=run.unit,
        segments=run.segments,
        design_effect=None if design is None else design.gains,
        score_design_effect=None if design is None else design.scores,
        decimals=measured.decimals,
    )


def p_grid(tally: Tally, test: Test, same: NDArray[np.bool_], settings: Settings) -> tuple[Floats, Floats, Floats]:
    """p and its Monte Carlo interval for every ordered pair, each (S, S); the diagonal is 1."""
    p, low, high = (np.ones(same.shape) for _ in range(3))
    forward = p_of_pairs(tally, test, settings)
    backward = p_of_pairs(tally, test, settings, turned=True)
    left, right = tally.pairs.T
    for grid, ahead, back in zip((p, low, high), forward, backward, strict=True):
        grid[left, right], grid[right, left] = ahead, back
        grid[same] = 1.0
    return p, low, high


def p_of_pairs(tally: Tally, test: Test, settings: Settings, turned: bool = False) -> tuple[Floats, Floats, Floats]:
    """p, low, high (P,) of the pairs as tallied, or turned round (the second system against the first)."""
    side = settings.alternative
    if side == "two-sided" and test.doubled:
        one, other = (_one_side(tally, name, settings) for name in ("greater", "less"))
        p = doubled(one[0], other[0])
        nearer = one[0] <= other[0]
        low, high = (np.minimum(1.0, 2 * np.where(nearer, one[k], other[k])) for k in (1, 2))
    else:
        turn = {"greater": "less", "less": "greater"} if turned else {}
        p, low, high = _one_side(tally, turn.get(side, side), settings)
    if side == "two-sided":
        # no gain: every resample is at least as large
        none = np.abs(tally.gains) <= tolerance(0.0, tally.units)
        p, low, high = (np.where(none, 1.0, grid) for grid in (p, low, high))
    return p, low, high


def _one_side(tally: Tally, side: str, settings: Settings) -> tuple[Floats, Floats, Floats]:
    beyond, ties = tally.counts[ALTERNATIVES.index(side)]
    count = exceedances(beyond, ties, settings.ties)
    low, high = clopper_pearson(count, tally.resamples)
    return p_values(count, tally.resamples, settings.estimator), low, high


def _cells(size: int, settings: Settings) -> tuple[NDArray[np.intp], ...]:
    """Where the tests of a grid stand: two-sided, each pair is one test; one-sided, each direction is one."""
    return np.triu_indices(size, k=1) if settings.alternative == "two-sided" else np.nonzero(~np.eye(size, dtype=bool))


def _adjust(p: Floats, settings: Settings) -> Floats:
    """The adjusted grid."""
    correction = corrections.get(settings.correction)
    cells = _cells(len(p), settings)
    adjusted = np.ones_like(p)
    if len(cells[0]):
        adjusted[cells] = correction.adjust(p[cells])
    return np.minimum(adjusted, adjusted.T) if settings.alternative == "two-sided" else adjusted


def _granularity(size: int, test: Test, settings: Settings, resamples: int) -> tuple[str, ...]:
    """A note where R is too small for any pair to be significant at 0.05, whatever the files hold."""
    correction, count = corrections.get(settings.correction), len(_cells(size, settings)[0])
    if count == 0 or settings.estimator == "paper":
        return ()
    steps = 2 if test.doubled and settings.alternative == "two-sided" else 1
    factor = steps * correction.factor(count)
    if factor / (resamples + 1) <= 0.05:
        return ()
    after = f"after {correction.title} over {count} test{'s' * (count > 1)} " if settings.correction != "none" else ""
    return (
        f"With {resamples} resamples the smallest p is {steps}/{resamples + 1}; {after}no p can fall below "
        f"{factor / (resamples + 1):.2g}. Ask for at least {int(20 * factor / 0.05)} resamples.",
    )


def _both_sides(settings: Settings) -> tuple[str, ...]:
    """A note where one-sided tests are read in both directions with nothing to pay for it."""
    if settings.alternative == "two-sided" or settings.correction != "none":
        return ()
    return (
        "Every pair is tested one-sided in both directions: two equal systems are called different with a chance of "
        "twice alpha, unless the direction was fixed before the scores were seen.",
    )


def undefined_note(tallies: Iterable[Tally], title: str) -> tuple[str, ...]:
    """A note where the score of a system does not exist on some resamples."""
    worst = max(tallies, key=lambda tally: int(tally.undefined.max(initial=0)), default=None)
    count = 0 if worst is None else int(worst.undefined.max(initial=0))
    if worst is None or not count:
        return ()
    return (
        f"{title} is not defined for a system on up to {count} of {worst.resamples} resamples. They count against every "
        "gain, so no p is too small for it; intervals leave them out.",
    )


def signature(run: MatrixRun, position: int, test: Test, settings: Settings) -> str:
    """Everything that is needed to run one result again, in one string."""
    parts: Mapping[str, Value] = {
        "metric": run.measured[position].systems[0].signature,
        "test": test.name,
        "sides": settings.alternative,
        "estimator": settings.estimator,
        "ties": settings.ties,
        "resamples": run.draws[position].tallies[test.name].resamples,
        "seed": run.seed,
        "n": run.n,
        "unit": run.unit,
        **({"segments": run.segments} if run.unit != units.SEGMENT else {}),
        "correction": settings.correction,
        "systems": len(run.systems),
        "data": run.data,
        "block": BLOCK,
        "sigcore": __version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())
