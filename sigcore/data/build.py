"""The test set and the outputs, from items that agree in length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sigcore.data.checks.contract import Finding
from sigcore.data.select import WITHOUT_GOLD
from sigcore.readers import SHARED, Item
from sigcore.testset import Outputs, Testset
from sigcore.types import Kind, Role

ONCE: tuple[Role, ...] = ("source", "documents", "domains")  # roles that a test set has once


def testset(gold: Sequence[Item], name: str, kind: Kind, n: int, findings: list[Finding]) -> Testset | None:
    """The test set; None for a kind that needs a reference if none has the right length."""
    references = [item.segments for item in gold if item.role == "reference"]
    if not n or (kind not in WITHOUT_GOLD and not references):
        return None
    sources, documents, domains = (_single(gold, role, findings) for role in ONCE)
    return Testset(name, kind, n, tuple(references), sources, domains, documents)


def outputs(systems: Sequence[Item], groups: Mapping[str, str]) -> tuple[Outputs, ...]:
    """The outputs of the systems; `groups` has the groups of systems whose item has none."""
    return tuple(Outputs(i.name, i.segments, group=i.group or groups.get(i.name, "")) for i in systems)


def named(items: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The systems with a name; of two with the same name, the first."""
    kept: dict[str, Item] = {}
    for item in (item for item in items if item.role == "system"):
        if not item.name.strip():
            findings.append(Finding("error", "A system has no name; it is left out.", item.file, "Give it a name."))
        elif item.name in kept:
            message = f"Two systems are named {item.name!r}; the second is left out."
            where = f"{kept[item.name].file} and {item.file}"
            findings.append(Finding("error", message, where, "Give each system its own name."))
        else:
            kept[item.name] = item
    return list(kept.values())


def usable_gold(gold: Sequence[Item], items: Sequence[Item], kind: Kind, findings: list[Finding]) -> list[Item]:
    """The gold side that the kind of test set uses; a missing reference is reported."""
    if kind in WITHOUT_GOLD:
        return _without_gold(gold, kind, findings)
    if not any(item.role == "reference" for item in gold):
        findings.append(_no_reference(items))
    return list(gold)


def _without_gold(gold: Sequence[Item], kind: Kind, findings: list[Finding]) -> list[Item]:
    """Only the documents and domains: scores are compared without a reference or source."""
    for item in gold:
        if item.role not in SHARED:
            message = f"{kind.capitalize()} need no {item.role}; {item.name} is not used."
            findings.append(Finding("note", message, item.file, "If it is a system, set its role to system."))
    return [item for item in gold if item.role in SHARED]


def _no_reference(items: Sequence[Item]) -> Finding:
    """The error for a kind that needs a reference, if none of these items can be used as one."""
    if any(item.role == "reference" for item in items):
        return Finding("error", "No reference has as many segments as the other files.", "", "Fix it, or load another.")
    fix = "Load one, or set the role of a file to reference."
    return Finding("error", "There is no reference to score the text against.", "", fix)


def _single(gold: Sequence[Item], role: Role, findings: list[Finding]) -> tuple[str, ...]:
    """The segments of the first item in a role that a test set has once; () if none has content."""
    items = [item for item in gold if item.role == role]
    for extra in (item for item in items[1:] if item.segments != items[0].segments):
        message = f"More than one file has the role {role}; {extra.name} is not used."
        findings.append(Finding("warning", message, extra.file, "Set the role of one of them to ignored."))
    if items and not any(segment.strip() for segment in items[0].segments):
        findings.append(Finding("note", f"The {role} are all empty; not used.", items[0].file))
        return ()
    return items[0].segments if items else ()
