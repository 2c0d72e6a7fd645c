"""One metric on one test set, prepared for the studies that test pairs on parts of it, or on drawn test sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sigcore import significance
from sigcore.errors import Undefined
from sigcore.resampling.pvalues import p_values
from sigcore.studies import gain, units
from sigcore.studies.matrix.compute import mark
from sigcore.studies.pairs import TEST_SETS, How, by_gain, examine, generator, rows
from sigcore.studies.signature import signature
from sigcore.studies.statistics import Asked, Measured, measure
from sigcore.study import LOCAL, Runtime, check_alpha, check_numbers, chosen_unit
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, Floats, Names, Setup, Unit


@dataclass(frozen=True, eq=False)
class PreparedPart:
    """Rows of a test set, in order and perhaps repeated, and the number of the unit of each; None if units are segments."""

    segments: NDArray[np.intp]
    unit_of: units.Groups | None

    @property
    def n(self) -> int:
        """The number of segments."""
        return len(self.segments)

    def of(self, systems: Sequence[SufficientStatistics]) -> tuple[SufficientStatistics, ...]:
        """The statistics of these rows, one row for each unit."""
        chosen = rows(systems, self.segments)
        if self.unit_of is None:
            return chosen
        place = np.unique(self.unit_of, return_inverse=True)[1]
        return tuple(units.summed(item, place) for item in chosen)


@dataclass(frozen=True, eq=False)
class Compared:
    """Systems all of whose pairs are tested: their statistics per segment, and the class of each pair (S, S)."""

    systems: tuple[SufficientStatistics, ...]
    classes: Names
    synthetic: bool = False


@dataclass(frozen=True, eq=False)
class Points:
    """Pairs that were tested, each turned so that its gain is not negative: `pairs` (P, 2), the others (P,)."""

    pairs: NDArray[np.intp]
    gains: Floats
    p_values: Floats
    classes: Names


@dataclass(frozen=True, eq=False)
class Prepared:
    """The statistics of all systems under one metric, the unit, and the setup of the tests."""

    testset: Testset
    measured: Measured
    unit: Unit
    unit_of: units.Groups | None
    real: Compared
    setup: Setup
    notes: tuple[str, ...]

    @property
    def n(self) -> int:
        """The number of segments."""
        return self.testset.n

    def part(self, segments: NDArray[np.intp]) -> PreparedPart:
        """These segments, each in its unit."""
        return PreparedPart(segments, None if self.unit_of is None else self.unit_of[segments])

    def mixed(self, each: int, pairs: Sequence[tuple[int, int]] = ()) -> Compared:
        """Mixtures of these pairs of systems, or of the usual ones."""
        systems = self.measured.systems
        made = gain.mix(systems, pairs or gain.bases(systems), each, self.setup.seed)
        together = made.base[:, None] == made.base[None, :]
        return Compared(made.systems, np.where(together, gain.MIXED_TOGETHER, gain.MIXED_APART), synthetic=True)


def prepare(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    how: How,
    *,
    unit: str | Unit = AUTO,
    kinds: Mapping[str, str] | None = None,
    runtime: Runtime = LOCAL,
    measured: Measured | None = None,
) -> Prepared:
    """The first metric of `asked` on this test set; `measured` are its statistics where they are known.

    Raises: as `statistics.measure`; OptionError for numbers out of range; UnknownMember for a test.
    """
    check_numbers(how.resamples, how.seed)
    measured = measured or measure(testset, outputs, asked[:1], runtime)[0]
    drawn, why = chosen_unit(testset, unit, len(outputs) * (len(outputs) - 1) // 2)
    unit_of = units.groups(testset, drawn)
    groups = [item.group for item in outputs]
    known = [(kinds or {}).get(item.system, "") for item in outputs]
    names = [
        [gain.pair_class(a, b, (k, m)) for b, m in zip(groups, known, strict=True)]
        for a, k in zip(groups, known, strict=True)
    ]
    flat = gain.classes([name for k, row in enumerate(names) for name in row[k + 1 :]])
    classes = np.full((len(outputs), len(outputs)), "", dtype=object)
    classes[np.triu_indices(len(outputs), k=1)] = flat
    classes = np.where(classes == "", classes.T, classes).astype(str)
    setup = _setup(testset, outputs, measured, how, drawn, unit_of)
    notes = (*filter(None, (why,)), *measured.remarks())
    return Prepared(testset, measured, drawn, unit_of, Compared(measured.systems, classes), setup, notes)


def check_pairs(testset: Testset, outputs: Sequence[Outputs], alpha: float) -> None:
    """Refuse a single system (Undefined), and a level that no test can have (OptionError)."""
    if len(outputs) < 2:
        raise Undefined("Pairs need at least two systems.", testset.name, "Add another system's output.")
    check_alpha(alpha)


def points(compared: Compared, part: PreparedPart, how: How, runtime: Runtime = LOCAL) -> Points:
    """All pairs of the systems on a part of the test set. Cost: that of a grid on it."""
    systems = part.of(compared.systems)
    pairs = by_gain(systems)
    found = examine(systems, pairs, how, runtime)
    return Points(pairs, found.gains, found.p_values, compared.classes[pairs[:, 0], pairs[:, 1]])


def drawn_sets(prepared: Prepared, size: int, draws: int, seed: int, stream: int = TEST_SETS) -> Iterator[PreparedPart]:
    """Test sets drawn from the segments with replacement: `size` segments, or whole units until they have that many.

    A unit that is drawn twice is two units of the test set. `stream` is the one of child seeds that the study draws from.
    """
    for number in range(draws):
        rng = generator(seed, stream, number)
        if prepared.unit_of is None:
            yield PreparedPart(rng.integers(0, prepared.n, size), None)
            continue
        members = [np.nonzero(prepared.unit_of == k)[0] for k in range(int(prepared.unit_of.max()) + 1)]
        chosen, segments = list[int](), 0
        while segments < size:
            chosen.append(int(rng.integers(0, len(members))))
            segments += len(members[chosen[-1]])
        unit_of = np.repeat(np.arange(len(chosen)), [len(members[k]) for k in chosen])
        yield PreparedPart(np.concatenate([members[k] for k in chosen]), unit_of)


def _setup(
    testset: Testset, outputs: Sequence[Outputs], measured: Measured, how: How, unit: Unit, unit_of: units.Groups | None
) -> Setup:
    """How the p-values are made; the number of units is that of the whole test set."""
    test, settings = significance.get(how.test), how.settings
    n = testset.n if unit_of is None else int(unit_of.max()) + 1
    least = float(p_values(0, how.resamples, how.estimator))
    made = {
        "metric": measured.systems[0].signature,
        "test": test.name,
        "sides": settings.side,
        "estimator": settings.estimator,
        "ties": settings.ties,
        "resamples": how.resamples,
        "seed": how.seed,
        "n": testset.n,
        "unit": str(unit),
        "systems": len(outputs),
        "data": mark(testset, outputs, unit),
    }
    return Setup(
        metric=measured.metric.name,
        metric_title=measured.title,
        better=measured.systems[0].better,
        why=measured.systems[0].why,
        test=test.name,
        test_title=test.title,
        n=n,
        resamples=how.resamples,
        seed=how.seed,
        side=settings.side,
        unit=unit,
        segments=testset.n,
        estimator=how.estimator,
        ties=how.ties,
        least_p=least * (2 if test.doubled and settings.side == "two-sided" else 1),
        decimals=measured.decimals,
        signature=signature(made),
    )
