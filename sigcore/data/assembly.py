"""What have I loaded, and is it sound? Items to one test set and its outputs, with every finding at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sigcore import readers
from sigcore.data import align, structures
from sigcore.data.checks import brackets, links
from sigcore.data.checks.text import Finding, count, examine, listed, writing
from sigcore.data.testsets import settled
from sigcore.readers import Item
from sigcore.testset import Outputs, Testset, length_mismatch
from sigcore.types import KINDS

__all__ = ["Choices", "Finding", "Loaded", "assemble", "choices", "writing"]

SHARED = ("documents", "domains")  # roles that serve every kind alike
WITHOUT_GOLD = ("scores", "statistics")
BY_LINE = ("", "plain")  # readers that take every line for a segment, the last one too


@dataclass(frozen=True, eq=False)
class Loaded:
    """The test set (None where it cannot be made), the outputs that agree with it, and all findings.

    `measure` is what scores measure, where their file says so; `gaps` says whether some are missing.
    """

    testset: Testset | None
    outputs: tuple[Outputs, ...]
    findings: tuple[Finding, ...]
    measure: str = ""
    gaps: bool = False

    @property
    def ready(self) -> bool:
        """Whether there is a test set with at least one system on it."""
        return self.testset is not None and bool(self.outputs)

    def of(self, severity: str) -> tuple[Finding, ...]:
        """The findings of that severity, in order."""
        return tuple(finding for finding in self.findings if finding.severity == severity)


@dataclass(frozen=True)
class Choices:
    """What may be looked at among the items: test sets, the kinds in the one taken, the measures of its scores."""

    testsets: tuple[str, ...]
    kinds: tuple[str, ...]
    measures: tuple[str, ...]


def choices(items: Iterable[Item], testset: str = "", kind: str = "") -> Choices:
    """The choices there are, the most usual first; those after the first depend on the ones before."""
    used = with_labels(settled([item for item in items if item.role != "ignored"])[0])
    testsets = _testsets(used)
    inside = _inside(used, testset if testset in testsets else next(iter(testsets), ""))
    found = Counter(item.kind for item in inside if item.role == "system")
    # what has a reference was meant to be scored; scores of the same systems often come along
    referenced = {item.kind for item in inside if item.role == "reference"}
    kinds = tuple(sorted(found, key=lambda k: (k not in referenced, -found[k], KINDS.index(k))))
    kind = kind if kind in kinds else next(iter(kinds), "")
    measures = dict.fromkeys(item.measure for item in inside if item.role == "system" and item.kind == kind)
    return Choices(testsets, kinds, tuple(measures))


def with_labels(items: Sequence[Item]) -> list[Item]:
    """The items, and as text too those that hold numbers, where a reference does: they are labels to be compared."""
    if not any(item.role == "reference" and item.kind == "scores" for item in items):
        return list(items)
    numbers = [item for item in items if item.kind == "scores" and not item.measure]
    return [*items, *(replace(item, kind="text") for item in numbers)]


def _testsets(items: Sequence[Item]) -> tuple[str, ...]:
    """The names of the test sets, the one with most systems first; () where there is one without a name.

    "" is among them where files without a test set make one of their own, of another length than all the others.
    """
    found = Counter({item.testset: 0 for item in items if item.testset and item.role not in SHARED})
    if not found:
        return ()
    found.update(item.testset for item in items if item.testset and item.role == "system")
    own = _own_length(items)
    if own:
        found[""] = sum(len(item.segments) == own for item in items if not item.testset and item.role == "system")
    return tuple(sorted(found, key=lambda name: (-found[name], name)))


def _own_length(items: Iterable[Item]) -> int:
    """The number of segments of files without a test set that make one by themselves, beside others; 0 where none do."""
    lengths: dict[tuple[str, str, bool], set[int]] = {}
    for item in items:
        lengths.setdefault((item.kind, item.role, bool(item.testset)), set()).add(len(item.segments))
    others = {n for (_, role, named), found in lengths.items() if named and role not in SHARED for n in found}
    for kind in KINDS:
        systems = lengths.get((kind, "system", False), set())
        gold = systems if kind in WITHOUT_GOLD else lengths.get((kind, "reference", False), set())
        own = sorted((systems & gold) - others)
        if others and own:
            return own[-1]
    return 0


def _inside(items: Sequence[Item], testset: str) -> list[Item]:
    """The items of a test set, and those without one that may belong to it."""
    own = _own_length(items)
    if own and not testset:
        return [item for item in items if not item.testset]
    return [item for item in items if item.testset in ("", testset) and (item.testset or len(item.segments) != own)]


def assemble(
    items: Iterable[Item], name: str = "", kind: str = "", testset: str = "", measure: str = "", missing: str = "refuse"
) -> Loaded:
    """The test set that the items form, its outputs, and everything wrong or odd about them.

    Names, roles and groups are taken as they stand in the items. Files of the wrong length are left out and
    reported. `testset`, `kind` and `measure` choose where the items hold several (see `choices`); "" takes the first.
    `missing` says what happens to segments that some system has no score for: "refuse" leaves the system out, "drop"
    the segment for all systems, "keep" nothing (for studies that take each pair on what both systems have).
    """
    findings: list[Finding] = []
    used = _settled([item for item in items if item.role != "ignored"], findings)
    groups = {item.name: item.group for item in reversed(used) if item.group and item.role == "system"}
    kind, chosen, testset = _picked(used, kind, testset, measure, findings)
    if not chosen:
        fix = "Load a reference and at least two systems, or a file of scores for each of two systems."
        findings.append(Finding("error", f"No {kind or 'text'} is loaded.", "", fix))
        return Loaded(None, (), tuple(findings))
    chosen = align.matched(structures.prepared(chosen, kind, findings), kind, findings)
    systems = _systems([item for item in chosen if item.role == "system"], findings)
    gold = [item for item in chosen if item.role != "system"]
    whole = systems + [item for item in gold if item.role not in SHARED]
    n, other = _agreed_length(whole, blank_end=kind != "scores" or missing == "keep")
    systems, gold = _of_length(systems, n, other, findings), _of_length(gold, n, other, findings)
    gaps = kind == "scores" and any(readers.is_missing(cell) for item in systems for cell in item.segments)
    if kind in WITHOUT_GOLD:
        gold = _without_gold(gold, kind, findings)
        if kind == "scores":
            systems, gold, n = _numeric(systems, gold, n, missing, findings)
    elif not any(item.role == "reference" for item in gold):
        findings.append(_no_reference(chosen))
    made = _testset(gold, name or testset or "test set", kind, n, findings)
    # a group given to a system under one measure, or to its text, is its group everywhere
    outputs = tuple(Outputs(i.name, i.segments, group=i.group or groups.get(i.name, "")) for i in systems)
    findings += examine(systems, outputs, [item for item in gold if item.role == "reference"], gold, n, kind)
    findings += links.examine([*gold, *systems], used) if kind == "alignments" else ()
    findings += brackets.examine([*gold, *systems]) if kind == "brackets" else ()
    return Loaded(made, outputs, tuple(findings), systems[0].measure if systems else "", gaps)


def _settled(items: list[Item], findings: list[Finding]) -> list[Item]:
    """The items with the test sets that are sure, and numbers as labels where these are compared; both are told."""
    items, dropped = settled(items)
    for item, reference in dropped:
        what = f"{item.testset} in the name of {item.file} was not taken for a test set: no other file has it, and its "
        what += f"{count(len(item.segments), 'segment')} agree with {reference.name}."
        findings.append(Finding("note", what, "", "If it is one, give its reference the same test set."))
    made = with_labels(items)
    if len(made) > len(items):
        what = "A reference holds numbers, so the files can be compared as labels (kind text), or as scores."
        findings.append(Finding("note", what, listed(item.file for item in made[len(items) :])))
    return made


def _picked(
    items: list[Item], kind: str, testset: str, measure: str, findings: list[Finding]
) -> tuple[str, list[Item], str]:
    """The kind, the items and the test set that are looked at; all that is set aside is told."""
    there = choices(items, testset, kind)
    testset = testset if testset in there.testsets else next(iter(there.testsets), "")
    if len(there.testsets) > 1:
        what = f"{count(len(there.testsets), 'test set')} are loaded; this is {testset or 'the one without a name'}."
        told = listed(name or "(no name)" for name in there.testsets)
        findings.append(Finding("note", what, told, "Choose another to see it."))
    inside = _inside(items, testset)
    kind = kind or next(iter(there.kinds), "") or next((i.kind for i in inside if i.role not in SHARED), "text")
    chosen = [item for item in inside if item.kind == kind or item.role in SHARED]
    seen = {id(item.segments) for item in chosen}  # numbers stand there as labels and as scores
    aside = [i for i in inside if i.kind != kind and i.role not in SHARED and id(i.segments) not in seen]
    if aside and kind == "alignments" and all(i.kind == "text" and i.role != "reference" for i in aside):
        what = "The text beside the links: links to words that it does not have are told, Look inside shows it."
        findings.append(Finding("note", what, listed(i.file for i in aside)))
        aside = []
    if aside:
        what = f"{kind.capitalize()} and {aside[0].kind} are two test sets; "
        what += f"{count(len({i.file for i in aside}), aside[0].kind + ' file')} set aside."
        findings.append(Finding("warning", what, listed(i.file for i in aside), f"Choose {aside[0].kind} to see them."))
    measures = tuple(dict.fromkeys(i.measure for i in chosen if i.role == "system"))
    if len(measures) > 1:
        measure = measure if measure in measures else measures[0]
        what = f"The scores are of {count(len(measures), 'measure')}; this is {measure or 'the one without a name'}."
        findings.append(Finding("note", what, listed(m or "(no name)" for m in measures), "Choose another to see it."))
        chosen = [item for item in chosen if item.role != "system" or item.measure == measure]
    return kind, chosen if any(item.role not in SHARED for item in chosen) else [], testset


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
    """The number of segments without an empty last one, which only a file of lines can have by mistake."""
    n = len(item.segments)
    return n - 1 if n > 1 and item.reader in BY_LINE and not item.segments[-1].strip() else n


def _agreed_length(items: Sequence[Item], blank_end: bool) -> tuple[int, str]:
    """The number of segments that most files can have, and the name of one that has it.

    A file with an empty last line can have one less, and must where the last segment cannot be blank. Among equals: the fewest lines dropped, then the
    reference's length, then the longer (a cut-off file is likelier than one with added lines).
    """
    if not items:
        return 0, ""
    if not blank_end:
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
            findings.append(Finding("error", fault.what, _place(item.file, fault.where), fault.fix))
    return kept


# ---- the gold side


def _testset(gold: list[Item], name: str, kind: str, n: int, findings: list[Finding]) -> Testset | None:
    """The test set; None for text without a reference of the right length."""
    references = [item for item in gold if item.role == "reference"]
    if not n or (kind not in WITHOUT_GOLD and not references):
        return None
    sources, documents, domains = (_single(gold, role, findings) for role in ("source", "documents", "domains"))
    streams = tuple(item.segments for item in references)
    return Testset(name, kind, n, streams, sources, domains, documents)


def _no_reference(items: list[Item]) -> Finding:
    if any(item.role == "reference" for item in items):
        return Finding("error", "No reference has the length of the other files.", "", "Fix it, or load another.")
    fix = "Load one, or set the role of a file to reference."
    return Finding("error", "There is no reference to score the text against.", "", fix)


def _single(gold: list[Item], role: str, findings: list[Finding]) -> tuple[str, ...]:
    """The segments of the first item in a role that a test set has once; () where none has content."""
    found = [item for item in gold if item.role == role]
    for extra in (item for item in found[1:] if item.segments != found[0].segments):
        what = f"There is more than one file in the role {role}; {extra.name} is not used."
        findings.append(Finding("warning", what, extra.file, "Set its role to ignored, or that of the other."))
    if found and not any(segment.strip() for segment in found[0].segments):
        findings.append(Finding("note", f"The {role} are all empty; not used.", found[0].file))
        return ()
    return found[0].segments if found else ()


def _without_gold(gold: list[Item], kind: str, findings: list[Finding]) -> list[Item]:
    """Only the documents and domains: scores are compared as they are, without reference or source."""
    for item in gold:
        if item.role not in SHARED:
            what = f"{kind.capitalize()} need no {item.role}; {item.name} is not used."
            findings.append(Finding("note", what, item.file, "If it is a system, set its role to system."))
    return [item for item in gold if item.role in SHARED]


def _numeric(
    systems: list[Item], gold: list[Item], n: int, missing: str, findings: list[Finding]
) -> tuple[list[Item], list[Item], int]:
    """The systems whose every segment is a finite number, without segments that are missing where so chosen."""
    kept, holes = [], dict[int, None]()
    for item in systems:
        gaps = [i for i, cell in enumerate(item.segments) if readers.is_missing(cell)]
        bad = _first_bad(item.segments)
        if bad is not None:
            what = f"{item.name}: {item.segments[bad][:40]!r} is not a number."
            fix = "Give every segment a finite number, or leave the file out."
            findings.append(Finding("error", what, f"{item.file}, segment {bad + 1}", fix))
        elif len(gaps) == n or (gaps and missing == "refuse"):
            what = f"{item.name} has no score for {len(gaps)} of {n} segments; it is left out."
            fix = "Complete it, choose to leave these segments out for all systems, or see it on the scores page."
            findings.append(Finding("error", what, f"{item.file}, segment {gaps[0] + 1}", fix))
        else:
            kept.append(item)
            holes |= dict.fromkeys(gaps if missing == "drop" else ())
    if not holes:
        return kept, gold, n
    what = f"{len(holes)} of {n} segments were left out for all systems, because some system has no score there."
    findings.append(
        Finding("warning", what, f"the first is segment {min(holes) + 1}", "Complete the files to keep them.")
    )
    stay = [i for i in range(n) if i not in holes]
    return [_only(item, stay) for item in kept], [_only(item, stay) for item in gold], len(stay)


def _first_bad(cells: Sequence[str]) -> int | None:
    """The position of the first cell that is neither a number nor says that it is missing."""
    return next((i for i, c in enumerate(cells) if not (readers.is_number(c) or readers.is_missing(c))), None)


def _only(item: Item, stay: Sequence[int]) -> Item:
    return replace(item, segments=tuple(item.segments[i] for i in stay))


def _place(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
