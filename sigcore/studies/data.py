"""What have I loaded, and is it sound? Items to one test set and its outputs, with every finding at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sigcore import readers
from sigcore.readers import Item
from sigcore.studies.doctor import Finding, count, examine, listed, writing
from sigcore.testset import Outputs, Testset, length_mismatch

__all__ = ["Finding", "Loaded", "assemble", "writing"]

FEW_SEGMENTS = 30
SHORT, LONG = 0.5, 2.0  # bounds on the length of a system against the references
MANY_TOKENISED = 0.5
NAMES_SHOWN = 6
SHARED = ("documents", "domains")  # roles that serve text and scores alike

# Languages whose words BLEU's usual tokeniser does not find: a share of letters that tells them, and the option.
LOOKED_AT, MANY_LETTERS = 500, 0.1  # segments; share of all characters
WRITINGS = (
    ("Japanese", re.compile("[\u3041-\u30ff]"), "ja-mecab (or char)"),
    ("Korean", re.compile("[\uac00-\ud7a3]"), "ko-mecab (or char)"),
    ("Chinese", re.compile("[\u3400-\u9fff]"), "zh"),
)


@dataclass(frozen=True, eq=False)
class Loaded:
    """The test set (None where it cannot be made), the outputs that agree with it, and all findings."""

    testset: Testset | None
    outputs: tuple[Outputs, ...]
    findings: tuple[Finding, ...]

    @property
    def ready(self) -> bool:
        """Whether there is a test set with at least one system on it."""
        return self.testset is not None and bool(self.outputs)

    def of(self, severity: str) -> tuple[Finding, ...]:
        """The findings of that severity, in order."""
        return tuple(finding for finding in self.findings if finding.severity == severity)


def assemble(items: Iterable[Item], name: str = "", kind: str = "") -> Loaded:
    """The test set that the items form, its outputs, and everything wrong or odd about them.

    Names, roles and groups are taken as they stand in the items. Files of the wrong length are left out and
    reported. `kind` ("text" or "scores") chooses where both were loaded; "" takes the one with more systems.
    """
    findings: list[Finding] = []
    kind, chosen = _of_one_kind([item for item in items if item.role != "ignored"], kind, findings)
    if not chosen:
        mend = "Load a reference and at least two systems, or a file of scores for each of two systems."
        findings.append(Finding("error", f"No {kind} is loaded.", "", mend))
        return Loaded(None, (), tuple(findings))
    systems = _systems([item for item in chosen if item.role == "system"], findings)
    gold = [item for item in chosen if item.role != "system"]
    n, other = _agreed_length(systems + [item for item in gold if item.role not in SHARED], kind)
    systems, gold = _of_length(systems, n, other, findings), _of_length(gold, n, other, findings)
    if kind == "scores":
        systems, gold = _numeric(systems, findings), _without_gold(gold, findings)
    elif not any(item.role == "reference" for item in gold):
        findings.append(_no_reference(chosen))
    testset = _testset(gold, name or "test set", kind, n, findings)
    outputs = tuple(Outputs(item.name, item.segments, group=item.group) for item in systems)
    findings += examine(systems, outputs, [item for item in gold if item.role == "reference"], gold, n, kind)
    return Loaded(testset, outputs, tuple(findings))


def _of_one_kind(items: list[Item], kind: str, findings: list[Finding]) -> tuple[str, list[Item]]:
    """The kind taken, and its items; the others are reported, since text and scores are two test sets."""
    systems = Counter(item.kind for item in items if item.role == "system")
    present = {item.kind for item in items if item.role not in SHARED}
    if not kind:
        kind = "scores" if systems["scores"] > systems["text"] or present == {"scores"} else "text"
    chosen = [item for item in items if item.kind == kind or item.role in SHARED]
    aside = [item for item in items if item.kind != kind and item.role not in SHARED]
    if aside:
        what = f"Text and scores are two test sets; {count(len(aside), aside[0].kind + ' file')} set aside."
        findings.append(Finding("warning", what, listed(i.file for i in aside), f"Choose {aside[0].kind} to see them."))
    return kind, chosen if kind in present else []


def _systems(items: list[Item], findings: list[Finding]) -> list[Item]:
    """The systems with a name of their own; the first of two that share one is kept."""
    kept: dict[str, Item] = {}
    for item in items:
        if not item.name.strip():
            findings.append(Finding("error", "A system has no name; it is left out.", item.file, "Give it a name."))
        elif item.name in kept:
            what = f"Two systems are named {item.name!r}; the second is left out."
            where = f"{kept[item.name].file} and {item.file}"
            findings.append(Finding("error", what, where, "Give each system a name of its own."))
        else:
            kept[item.name] = item
    return list(kept.values())


# ---- lengths


def _trimmed(item: Item) -> int:
    """The number of segments without an empty last one."""
    n = len(item.segments)
    return n - 1 if n > 1 and not item.segments[-1].strip() else n


def _agreed_length(items: Sequence[Item], kind: str) -> tuple[int, str]:
    """The number of segments that most files can have, and the name of one that has it.

    A file with an empty last line can have one less. Among equals: the fewest lines dropped, then the
    reference's length, then the longer (a cut-off file is likelier than one with added lines).
    """
    if not items:
        return 0, ""
    if kind == "scores":  # an empty last line cannot be a score
        items = [replace(item, segments=item.segments[: _trimmed(item)]) for item in items]

    def merit(n: int) -> tuple[int, int, int, int]:
        as_is = [item for item in items if len(item.segments) == n]
        fits = len(as_is) + sum(_trimmed(item) == n != len(item.segments) for item in items)
        return fits, len(as_is), sum(item.role == "reference" for item in as_is), n

    n = max({len(item.segments) for item in items} | {_trimmed(item) for item in items}, key=merit)
    agreeing = [item for item in items if n in (len(item.segments), _trimmed(item))]
    return n, min(agreeing, key=lambda item: item.role != "reference").name


def _of_length(items: list[Item], n: int, other: str, findings: list[Finding]) -> list[Item]:
    """The items with n segments; an empty last line too many is dropped with a note, the rest is reported."""
    kept = []
    for item in items:
        if len(item.segments) == n:
            kept.append(item)
        elif _trimmed(item) == n:
            kept.append(replace(item, segments=item.segments[:-1]))
            what = f"The empty last line of {item.name} was left out: without it the counts agree."
            findings.append(Finding("note", what, f"{item.file}, line {n + 1}"))
        else:
            fault = length_mismatch(item.name, item.segments, other, n)
            findings.append(Finding("error", fault.what, _place(item.file, fault.where), fault.mend))
    return kept


# ---- the gold side


def _testset(gold: list[Item], name: str, kind: str, n: int, findings: list[Finding]) -> Testset | None:
    """The test set; None for text without a reference of the right length."""
    references = [item for item in gold if item.role == "reference"]
    if not n or (kind == "text" and not references):
        return None
    sources, documents, domains = (_single(gold, role, findings) for role in ("source", "documents", "domains"))
    streams = tuple(item.segments for item in references)
    return Testset(name, kind, n, streams, sources, domains, documents)


def _no_reference(items: list[Item]) -> Finding:
    if any(item.role == "reference" for item in items):
        return Finding("error", "No reference has the length of the other files.", "", "Mend it, or load another.")
    mend = "Load one, or set the role of a file to reference."
    return Finding("error", "There is no reference to score the text against.", "", mend)


def _single(gold: list[Item], role: str, findings: list[Finding]) -> tuple[str, ...]:
    """The segments of the first item in a role that a test set has once; () where none has content."""
    found = [item for item in gold if item.role == role]
    for extra in found[1:]:
        what = f"There is more than one file in the role {role}; {extra.name} is not used."
        findings.append(Finding("warning", what, extra.file, "Set its role to ignored, or that of the other."))
    if found and not any(segment.strip() for segment in found[0].segments):
        findings.append(Finding("note", f"The {role} are all empty; not used.", found[0].file))
        return ()
    return found[0].segments if found else ()


def _without_gold(gold: list[Item], findings: list[Finding]) -> list[Item]:
    """Only the documents and domains: scores are compared as they are, without reference or source."""
    for item in gold:
        if item.role in ("reference", "source"):
            what = f"Scores need no {item.role}; {item.name} is not used."
            findings.append(Finding("note", what, item.file, "If it is a system, set its role to system."))
    return [item for item in gold if item.role in ("documents", "domains")]


def _numeric(systems: list[Item], findings: list[Finding]) -> list[Item]:
    """The systems whose every segment is a finite number; the others are reported."""
    kept = []
    for item in systems:
        bad = readers.first_non_number(item.segments)
        if bad is None:
            kept.append(item)
            continue
        what = f"{item.name}: {item.segments[bad][:40]!r} is not a number."
        mend = "Give every segment a finite number, or leave the file out."
        findings.append(Finding("error", what, f"{item.file}, segment {bad + 1}", mend))
    return kept


def _place(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
