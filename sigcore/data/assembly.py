"""What have I loaded, and is it sound? Items to one test set and its outputs, with every finding at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sigcore.data import align, build, checks, lengths, numbers, select, structures
from sigcore.data.checks import Checked, Finding
from sigcore.data.checks.text import writing
from sigcore.data.select import WITHOUT_GOLD, AnyKind, Choices, choices
from sigcore.data.testsets import settled
from sigcore.formatting import count, listed
from sigcore.readers import SHARED, Item
from sigcore.testset import Outputs, Testset
from sigcore.types import Kind, Missing, Severity

__all__ = ["Choices", "Finding", "Loaded", "assemble", "choices", "writing"]


@dataclass(frozen=True, eq=False)
class Loaded:
    """The test set (None where it cannot be made), the outputs that agree with it, and all findings.

    `measure` is what scores measure, where their file says so; `gaps` says whether some are missing.
    """

    testset: Testset | None
    outputs: tuple[Outputs, ...]
    findings: tuple[Finding, ...] = field(repr=False)
    measure: str = ""
    gaps: bool = False

    @property
    def ready(self) -> bool:
        """Whether there is a test set with at least one system on it."""
        return self.testset is not None and bool(self.outputs)

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        """The findings of that severity, in order."""
        return tuple(finding for finding in self.findings if finding.severity == severity)


@dataclass(frozen=True, eq=False)
class _Agreed:
    """Systems and gold side that agree in length; `gaps` says whether scores were missing before."""

    systems: Sequence[Item]
    gold: Sequence[Item]
    n: int
    gaps: bool


def assemble(
    items: Iterable[Item],
    name: str = "",
    kind: AnyKind = "",
    testset: str = "",
    measure: str = "",
    missing: Missing = "refuse",
) -> Loaded:
    """The test set that the items form, its outputs, and everything wrong or odd about them.

    Names, roles and groups are used as they are in the items. Files of the wrong length are left out and reported.
    `testset`, `kind` and `measure` choose where the items hold several (see `choices`); "" is the first. `missing` says
    what happens to segments that some system has no score for (see `sigcore.types.Missing`).
    """
    findings: list[Finding] = []
    used = _settled([item for item in items if item.role != "ignored"], findings)
    selected = select.selected(used, kind, testset, measure, findings)
    if not selected.items:
        return Loaded(None, (), (*findings, _nothing(selected.kind)))
    kind = selected.kind
    agreed = _agreed(_aligned(selected.items, kind, findings), kind, missing, findings)
    made = build.testset(agreed.gold, name or selected.testset or "test set", kind, agreed.n, findings)
    outputs = build.outputs(agreed.systems, _groups(used))
    findings += checks.examine(Checked(kind, agreed.n, agreed.systems, outputs, agreed.gold, used))
    measured = agreed.systems[0].measure if agreed.systems else ""
    return Loaded(made, outputs, tuple(findings), measured, agreed.gaps)


def _settled(items: list[Item], findings: list[Finding]) -> list[Item]:
    """The items with the test sets that are sure, and numbers as labels where these are compared; both are reported."""
    items, dropped = settled(items)
    for item, reference in dropped:
        what = f"{item.testset} in the name of {item.file} is not a test set: no other file has it, and its "
        what += f"{count(len(item.segments), 'segment')} agree with {reference.name}."
        findings.append(Finding("note", what, "", "If it is one, give its reference the same test set."))
    made = select.with_labels(items)
    if len(made) > len(items):
        what = "A reference holds numbers, so the files can be compared as labels (kind text), or as scores."
        findings.append(Finding("note", what, listed(item.file for item in made[len(items) :])))
    return made


def _nothing(kind: Kind) -> Finding:
    fix = "Load a reference and at least two systems, or a file of scores for each of two systems."
    return Finding("error", f"No {kind} is loaded.", "", fix)


def _groups(items: Sequence[Item]) -> dict[str, str]:
    """The groups of the systems: a group given to a system under one measure, or to its text, is its group everywhere."""
    return {item.name: item.group for item in reversed(items) if item.group and item.role == "system"}


def _aligned(items: Sequence[Item], kind: Kind, findings: list[Finding]) -> list[Item]:
    """The items with their segments in one order."""
    return align.matched(structures.prepared(items, kind, findings), kind, findings)


def _agreed(items: Sequence[Item], kind: Kind, missing: Missing, findings: list[Finding]) -> _Agreed:
    """The systems and the gold side that agree in length; everything that is left out is reported."""
    systems = build.named([item for item in items if item.role == "system"], findings)
    gold = [item for item in items if item.role != "system"]
    whole = systems + [item for item in gold if item.role not in SHARED]
    n, other = lengths.agreed_length(whole, blank_end=kind != "scores" or missing == "keep")
    systems, gold = (lengths.of_length(side, n, other, findings) for side in (systems, gold))
    gaps = kind == "scores" and numbers.has_gaps(systems)
    if kind in WITHOUT_GOLD:
        gold = build.without_gold(gold, kind, findings)
    elif not any(item.role == "reference" for item in gold):
        findings.append(build.no_reference(items))
    if kind == "scores":
        systems, gold, n = numbers.numeric(systems, gold, n, missing, findings)
    return _Agreed(systems, gold, n, gaps)
