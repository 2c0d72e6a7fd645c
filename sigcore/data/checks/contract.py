"""The contract of data checks: functions of the files that agree in length, which yield findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sigcore.readers import Item
from sigcore.testset import Outputs
from sigcore.types import Kind, Severity


@dataclass(frozen=True)
class Finding:
    """One result of a data check: what is wrong, where, and how to fix it (see `sigcore.types.Severity`)."""

    severity: Severity
    what: str
    where: str = ""
    fix: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.what, self.where, self.fix)))


@dataclass(frozen=True, eq=False)
class Checked:
    """The input of a check: the systems with their outputs, the gold side, and all loaded items.

    `gold` has the references, sources, documents and domains; `n` is the number of segments.
    """

    kind: Kind
    n: int
    systems: Sequence[Item]
    outputs: Sequence[Outputs]
    gold: Sequence[Item]
    everything: Sequence[Item]

    @property
    def references(self) -> list[Item]:
        """The references."""
        return [item for item in self.gold if item.role == "reference"]


Check = Callable[[Checked], Iterable[Finding]]
