"""What have I loaded, and is it sound? Items to one test set and its outputs, with every finding at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sigcore.data import align, build, checks, lengths, numbers, orientation, select, structures
from sigcore.data.checks import Checked, Finding
from sigcore.data.checks.text import writing
from sigcore.data.select import AnyKind, Choices, choices
from sigcore.data.testsets import settled
from sigcore.formatting import count, listed
from sigcore.readers import Item
from sigcore.testset import Outputs, Testset
from sigcore.types import Better, Kind, Missing, Role, Severity

__all__ = ["Choices", "Finding", "Loaded", "assemble", "choices", "writing"]


@dataclass(frozen=True, eq=False)
class Loaded:
    """The test set (None if it cannot be made), the outputs that agree with it, and all findings.

    `measure` is the name of the scores, if their file names it; `gaps` says whether some are missing; `better` which of
    them are better; `ids` are the names that the files give to the segments (() if they give none); `files` are those of
    which something is used, each with its role.
    """

    testset: Testset | None
    outputs: tuple[Outputs, ...]
    findings: tuple[Finding, ...] = field(repr=False)
    measure: str = ""
    gaps: bool = False
    better: Better = "higher"
    ids: tuple[str, ...] = field(default=(), repr=False)
    files: frozenset[tuple[str, Role]] = field(default=frozenset(), repr=False)

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
    """The test set that the items form, its outputs, and everything that is wrong or suspicious.

    Names, roles and groups are used as they are in the items. Files of the wrong length are left out and reported.
    `testset`, `kind` and `measure` choose if the items contain several (see `choices`); "" is the first. `missing` says
    what happens to segments without a score for some system (see `sigcore.types.Missing`).
    """
    findings: list[Finding] = []
    used = _settled([item for item in items if item.role != "ignored"], findings)
    selected = select.selected(used, kind, testset, measure, findings)
    if not selected.items:
        return Loaded(None, (), (*findings, _nothing(selected.kind)))
    kind = selected.kind
    agreed = _agreed(_aligned(selected.items, kind, missing, findings), kind, missing, findings)
    assembled = build.testset(agreed.gold, name or selected.testset or "test set", kind, agreed.n, findings)
    outputs = build.outputs(agreed.systems, _groups(used))
    findings += checks.examine(Checked(kind, agreed.n, agreed.systems, outputs, agreed.gold, used))
    measured = agreed.systems[0].measure if agreed.systems else ""
    better = orientation.agreed(agreed.systems, findings) if kind == "scores" else "higher"
    both = (*agreed.gold, *agreed.systems)
    ids = next((item.keys for item in both if len(item.keys) == agreed.n), ())
    files = frozenset((item.file, item.role) for item in both)
    return Loaded(assembled, outputs, tuple(findings), measured, agreed.gaps, better, ids, files)


def _settled(items: list[Item], findings: list[Finding]) -> list[Item]:
    """The items without doubtful test sets, and with numbers also as labels if a reference has numbers; both reported."""
    items, dropped = settled(items)
    for item, reference in dropped:
        message = f"{item.testset} in the name of {item.file} is not a test set: no other file has it, and its "
        message += f"{count(len(item.segments), 'segment')} agree with {reference.name}."
        findings.append(Finding("note", message, "", "If it is a test set, assign it to its reference too."))
    labelled = select.with_labels(items)
    if len(labelled) > len(items):
        message = "A reference contains numbers, so the files can be compared as labels (kind text), or as scores."
        findings.append(Finding("note", message, listed(item.file for item in labelled[len(items) :])))
    return labelled


def _nothing(kind: Kind) -> Finding:
    fix = "Load a reference and at least two systems, or a file of scores for each of two systems."
    return Finding("error", f"No {kind} is loaded.", "", fix)


def _groups(items: Sequence[Item]) -> dict[str, str]:
    """The groups of the systems: a system's group under one measure, or of its text, is its group everywhere."""
    return {item.name: item.group for item in reversed(items) if item.group and item.role == "system"}


def _aligned(items: Sequence[Item], kind: Kind, missing: Missing, findings: list[Finding]) -> list[Item]:
    """The items with their segments in one order."""
    matched = align.matched(structures.prepared(items, kind, findings), kind, findings, missing)
    # two copies of a reference in different orders are equal only now
    return structures.once(matched, findings)


def _agreed(items: Sequence[Item], kind: Kind, missing: Missing, findings: list[Finding]) -> _Agreed:
    """The systems and the gold side that agree in length; everything left out is reported."""
    systems, gold = build.named(items, findings), [item for item in items if item.role != "system"]
    n, other = lengths.agreed_length([*systems, *gold], blank_end=kind != "scores" or missing == "keep")
    systems, gold = (lengths.of_length(side, n, other, findings) for side in (systems, gold))
    gold = build.usable_gold(gold, items, kind, findings)
    if kind != "scores":
        return _Agreed(systems, gold, n, gaps=False)
    gaps = numbers.has_gaps(systems)
    systems, gold, n = numbers.numeric(systems, gold, n, missing, findings)
    return _Agreed(systems, gold, n, gaps)
