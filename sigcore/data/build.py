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
    """The test set; None for a kind that needs a reference where none has the right length."""
    references = [item.segments for item in gold if item.role == "reference"]
    if not n or (kind not in WITHOUT_GOLD and not references):
        return None
    sources, documents, domains = (_single(gold, role, findings) for role in ONCE)
    return Testset(name, kind, n, tuple(references), sources, domains, documents)


def outputs(systems: Sequence[Item], groups: Mapping[str, str]) -> tuple[Outputs, ...]:
    """The outputs of the systems; `groups` has the groups of systems whose item has none."""
    return tuple(Outputs(i.name, i.segments, group=i.group or groups.get(i.name, "")) for i in systems)


def named(systems: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The systems that have a name of their own; of two that share one, the first."""
    kept: dict[str, Item] = {}
    for item in systems:
        if not item.name.strip():
            findings.append(Finding("error", "A system has no name; it is left out.", item.file, "Give it a name."))
        elif item.name in kept:
            what = f"Two systems are named {item.name!r}; the second is left out."
            where = f"{kept[item.name].file} and {item.file}"
            findings.append(Finding("error", what, where, "Give each system a name of its own."))
        else:
            kept[item.name] = item
    return list(kept.values())


def without_gold(gold: Sequence[Item], kind: Kind, findings: list[Finding]) -> list[Item]:
    """Only the documents and domains: scores are compared as they are, without reference or source."""
    for item in gold:
        if item.role not in SHARED:
            what = f"{kind.capitalize()} need no {item.role}; {item.name} is not used."
            findings.append(Finding("note", what, item.file, "If it is a system, set its role to system."))
    return [item for item in gold if item.role in SHARED]


def no_reference(items: Sequence[Item]) -> Finding:
    """The error on a kind that needs a reference, where none of these items can be used as one."""
    if any(item.role == "reference" for item in items):
        return Finding("error", "No reference has the length of the other files.", "", "Fix it, or load another.")
    fix = "Load one, or set the role of a file to reference."
    return Finding("error", "There is no reference to score the text against.", "", fix)


def _single(gold: Sequence[Item], role: Role, findings: list[Finding]) -> tuple[str, ...]:
    """The segments of the first item in a role that a test set has once; () where none has content."""
    items = [item for item in gold if item.role == role]
    for extra in (item for item in items[1:] if item.segments != items[0].segments):
        what = f"There is more than one file in the role {role}; {extra.name} is not used."
        findings.append(Finding("warning", what, extra.file, "Set its role to ignored, or that of the other."))
    if items and not any(segment.strip() for segment in items[0].segments):
        findings.append(Finding("note", f"The {role} are all empty; not used.", items[0].file))
        return ()
    return items[0].segments if items else ()
