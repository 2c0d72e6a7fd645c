"""Which of the loaded items are looked at: one test set, one kind, one measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from sigcore.data.checks.contract import Finding
from sigcore.data.testsets import settled
from sigcore.formatting import count, listed
from sigcore.readers import SHARED, Item
from sigcore.types import KINDS, Kind

WITHOUT_GOLD: tuple[Kind, ...] = ("scores", "statistics")
NO_NAME = "(no name)"
AnyKind = Kind | Literal[""]
Name = TypeVar("Name", bound=str)


@dataclass(frozen=True)
class Choices:
    """What may be looked at among the items: test sets, the kinds in the one selected, the measures of its scores."""

    testsets: tuple[str, ...]
    kinds: tuple[Kind, ...]
    measures: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Selected:
    """The items that are looked at, of one test set, kind and measure; () where there are none of the kind."""

    items: tuple[Item, ...]
    testset: str
    kind: Kind


def choices(items: Iterable[Item], testset: str = "", kind: str = "") -> Choices:
    """The choices there are, the most usual first; those after the first depend on the ones before."""
    used = with_labels(settled([item for item in items if item.role != "ignored"])[0])
    testsets = _testsets(used)
    candidates = _of_testset(used, one_of(testsets, testset))
    kinds = _kinds(candidates)
    kind = one_of(kinds, kind)
    measures = dict.fromkeys(item.measure for item in candidates if item.role == "system" and item.kind == kind)
    return Choices(testsets, kinds, tuple(measures))


def one_of(known: Sequence[Name], chosen: str) -> Name | Literal[""]:
    """What was chosen, if it is known; else the first that is; "" where none is."""
    return next((name for name in known if name == chosen), known[0] if known else "")


def with_labels(items: Sequence[Item]) -> list[Item]:
    """The items, and as text too those that hold numbers, where a reference does: they are labels to be compared."""
    if not any(item.role == "reference" and item.kind == "scores" for item in items):
        return list(items)
    numbers = [item for item in items if item.kind == "scores" and not item.measure]
    return [*items, *(replace(item, kind="text") for item in numbers)]


def selected(items: Sequence[Item], kind: AnyKind, testset: str, measure: str, findings: list[Finding]) -> Selected:
    """The items that are looked at; everything that is set aside is reported."""
    available = choices(items, testset, kind)
    testset = one_of(available.testsets, testset)
    if len(available.testsets) > 1:
        what = (
            f"{count(len(available.testsets), 'test set')} are loaded; this is {testset or 'the one without a name'}."
        )
        names = listed(name or NO_NAME for name in available.testsets)
        findings.append(Finding("note", what, names, "Choose another to see it."))
    candidates = _of_testset(items, testset)
    kind = kind or _first_kind(available, candidates)
    chosen = [item for item in candidates if item.kind == kind or item.role in SHARED]
    findings += _set_aside(candidates, chosen, kind)
    chosen = _of_measure(chosen, measure, findings)
    loaded = any(item.role not in SHARED for item in chosen)
    return Selected(tuple(chosen) if loaded else (), testset, kind)


def _first_kind(available: Choices, candidates: Sequence[Item]) -> Kind:
    """The most usual kind of the systems; without systems, that of the first item."""
    kinds = [*available.kinds, *(item.kind for item in candidates if item.role not in SHARED)]
    return kinds[0] if kinds else "text"


def _set_aside(candidates: Sequence[Item], chosen: Sequence[Item], kind: Kind) -> list[Finding]:
    """The finding on items of other kinds, if there are any."""
    used = {id(item.segments) for item in chosen}  # numbers are there as labels and as scores
    aside = [i for i in candidates if i.kind != kind and i.role not in SHARED and id(i.segments) not in used]
    if not aside:
        return []
    files = listed(item.file for item in aside)
    if kind == "alignments" and all(item.kind == "text" and item.role != "reference" for item in aside):
        what = (
            "The text beside the links: links to words that it does not have are reported, and Preview shows the words."
        )
        return [Finding("note", what, files)]
    other = aside[0].kind
    what = f"{kind.capitalize()} and {other} are two test sets; "
    what += f"{count(len({item.file for item in aside}), other + ' file')} set aside."
    return [Finding("warning", what, files, f"Choose {other} to see them.")]


def _of_measure(chosen: list[Item], measure: str, findings: list[Finding]) -> list[Item]:
    """The items, of several measures only the systems of the one that is looked at."""
    measures = tuple(dict.fromkeys(item.measure for item in chosen if item.role == "system"))
    if len(measures) < 2:
        return chosen
    measure = one_of(measures, measure)
    what = f"The scores are of {count(len(measures), 'measure')}; this is {measure or 'the one without a name'}."
    findings.append(Finding("note", what, listed(name or NO_NAME for name in measures), "Choose another to see it."))
    return [item for item in chosen if item.role != "system" or item.measure == measure]


def _kinds(items: Sequence[Item]) -> tuple[Kind, ...]:
    """The kinds of the systems, the most usual first."""
    numbers = Counter(item.kind for item in items if item.role == "system")
    # what has a reference was meant to be scored; scores of the same systems often come along
    referenced = {item.kind for item in items if item.role == "reference"}
    return tuple(sorted(numbers, key=lambda k: (k not in referenced, -numbers[k], KINDS.index(k))))


def _testsets(items: Sequence[Item]) -> tuple[str, ...]:
    """The names of the test sets, the one with most systems first; () where there is one without a name.

    "" is among them where files without a test set make one of their own, of another length than all the others.
    """
    systems = [item for item in items if item.role == "system"]
    numbers = Counter({item.testset: 0 for item in items if item.testset and item.role not in SHARED})
    if not numbers:
        return ()
    numbers.update(item.testset for item in systems if item.testset)
    own = _own_length(items)
    if own:
        numbers[""] = sum(len(item.segments) == own for item in systems if not item.testset)
    return tuple(sorted(numbers, key=lambda name: (-numbers[name], name)))


def _own_length(items: Iterable[Item]) -> int:
    """The number of segments of files without a test set that make one by themselves, beside others; 0 where none do."""
    lengths: dict[tuple[str, str, bool], set[int]] = {}
    for item in items:
        lengths.setdefault((item.kind, item.role, bool(item.testset)), set()).add(len(item.segments))
    others = {n for (_, role, named), numbers in lengths.items() if named and role not in SHARED for n in numbers}
    for kind in KINDS:
        systems = lengths.get((kind, "system", False), set())
        gold = systems if kind in WITHOUT_GOLD else lengths.get((kind, "reference", False), set())
        own = sorted((systems & gold) - others)
        if others and own:
            return own[-1]
    return 0


def _of_testset(items: Sequence[Item], testset: str) -> list[Item]:
    """The items of a test set, and those without one that may belong to it."""
    own = _own_length(items)
    if own and not testset:
        return [item for item in items if not item.testset]
    return [item for item in items if item.testset in ("", testset) and (item.testset or len(item.segments) != own)]
