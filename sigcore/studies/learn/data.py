"""The class's own data: the statistics of systems under one metric, one row for each unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sigcore.studies import units
from sigcore.studies.statistics import Asked, Cache, Measured, Progress, measure
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, Unit


@dataclass(frozen=True, eq=False)
class Data:
    """What a lesson draws from: the statistics of `measured` have one row for each `unit`."""

    measured: Measured
    unit: Unit
    segments: int

    @property
    def n(self) -> int:
        """The number of units."""
        return self.measured.systems[0].n

    @property
    def names(self) -> tuple[str, ...]:
        """The systems."""
        return tuple(item.system for item in self.measured.systems)


def data(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    unit: str | Unit = AUTO,
    cache: Cache | None = None,
    progress: Progress | None = None,
) -> Data:
    """These systems under the first metric of `asked`. Raises: as `statistics.measure`."""
    drawn, _ = units.chosen(testset, unit)
    (measured,) = measure(testset, outputs, asked[:1], cache, progress)
    return Data(units.in_units(measured, units.groups(testset, drawn)), drawn, testset.n)
