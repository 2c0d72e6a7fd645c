"""Which of the loaded items are selected: one test set, one kind, one measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from sigcore.data.checks.contract import Finding
from sigcore.data.testsets import settled
from sigcore.errors import UnknownMember
from sigcore.formatting import count, listed
from sigcore.readers import SHARED, Item, names
from sigcore.types import KINDS, Kind

WITHOUT_GOLD: tuple[Kind, ...] = ("scores", "statistics")
AnyKind = Kind | Literal[""]
Name = TypeVar("Name", bound=str)


@dataclass(frozen=True)
class Choices:
    """What can be selected among the items: test sets, the kinds in the selected one, the measures of its scores."""

    testsets: tuple[str, ...]
    kinds: tuple[Kind, ...]
    measures: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Selected:
    """The selected items, of one test set, kind and measure; () if there are none of the kind."""

    items: tuple[Item, ...]
    testset: str
    kind: Kind


def choices(items: Iterable[Item], testset: str = "", kind: str = "") -> Choices:
    """The available choices, the most frequent first; kinds depend on the test set, measures on both."""
    used = with_labels(settled([item for item in items if item.role != "ignored"])[0])
    testsets = _testsets(used)
    candidates = _of_testset(used, one_of(testsets, testset))
    kinds = _kinds(candidates)
    kind = one_of(kinds, kind)
    measures = dict.fromkeys(item.measure for item in candidates if item.role == "system" and item.kind == kind)
    return Choices(testsets, kinds, tuple(measures))


def one_of(known: Sequence[Name], chosen: str) -> Name | Literal[""]:
    """The chosen name if it is known; else the first known name; "" if there is none."""
    return next((name for name in known if name == chosen), known[0] if known else "")


def known(family: str, name: str, names: Sequence[Name]) -> Name | Literal[""]:
    """The name, if it is known, or "".

    Raises: UnknownMember for any other name: nothing is used in its place.
    """
    if name and name not in names:
        raise UnknownMember(f"{family} in these files", name, filter(None, names))
    return next((one for one in names if one == name), "")


def with_labels(items: Sequence[Item]) -> list[Item]:
    """The items; if a reference holds numbers, those that hold numbers also as text: they are labels to compare."""
    if not any(item.role == "reference" and item.kind == "scores" for item in items):
        return list(items)
    numbers = [item for item in items if item.kind == "scores" and not item.measure]
    return [*items, *(replace(item, kind="text") for item in numbers)]


def selected(items: Sequence[Item], kind: AnyKind, testset: str, measure: str, findings: list[Finding]) -> Selected:
    """The selected items; everything set aside is reported."""
    available = choices(items, testset, kind)
    testset = one_of(available.testsets, testset)
    findings += _others(f"{count(len(available.testsets), 'test set')} are loaded", testset, available.testsets)
    candidates = _of_testset(items, testset)
    kind = kind or _first_kind(available, candidates)
    chosen = [item for item in candidates if item.kind == kind or item.role in SHARED]
    findings += _set_aside(candidates, chosen, kind)
    chosen = _of_measure(chosen, measure, findings)
    return Selected(tuple(chosen) if _own(chosen) else (), testset, kind)


def _own(items: Iterable[Item]) -> list[Item]:
    """The items without documents and domains, which belong to every kind."""
    return [item for item in items if item.role not in SHARED]


def _others(message: str, name: str, names: Sequence[str]) -> list[Finding]:
    """The note that this one of several is selected."""
    if len(names) < 2:
        return []
    message = f"{message}; this is {name or 'the one without a name'}."
    return [Finding("note", message, listed(one or "(no name)" for one in names), "Select another to see it.")]


def _first_kind(available: Choices, candidates: Sequence[Item]) -> Kind:
    """The most frequent kind of the systems; without systems, that of the first item."""
    kinds = [*available.kinds, *(item.kind for item in _own(candidates))]
    return kinds[0] if kinds else "text"


def _set_aside(candidates: Sequence[Item], chosen: Sequence[Item], kind: Kind) -> list[Finding]:
    """The finding about items of other kinds, if there are any."""
    used = {id(item.segments) for item in chosen}  # numbers appear both as labels and as scores
    aside = [item for item in _own(candidates) if id(item.segments) not in used]
    if not aside:
        return []
    files = listed(item.file for item in aside)
    beside_links = {(item.kind, item.role) for item in aside} <= {("text", "source"), ("text", "system")}
    if kind == "alignments" and beside_links:
        message = (
            "Text next to links is their words, not the links of a system: links to words that it does not have are "
            "reported, and Preview shows the words."
        )
        return [Finding("note", message, files)]
    other = aside[0].kind
    number = len({item.file for item in aside})
    message = f"{kind.capitalize()} and {other} are separate test sets; {count(number, 'file')} of {other} set aside."
    return [Finding("warning", message, files, f"Select {other} to see them.")]


def _of_measure(chosen: list[Item], measure: str, findings: list[Finding]) -> list[Item]:
    """The items, without the systems of other measures than the selected one."""
    measures = tuple(dict.fromkeys(item.measure for item in chosen if item.role == "system"))
    if len(measures) < 2:
        return chosen
    measure = one_of(measures, measure)
    findings += _others(f"The scores are of {count(len(measures), 'measure')}", measure, measures)
    return [item for item in chosen if item.role != "system" or item.measure == measure]


def _kinds(items: Sequence[Item]) -> tuple[Kind, ...]:
    """The kinds of the systems, the most frequent first."""
    numbers = Counter(item.kind for item in items if item.role == "system")
    # a kind with a reference was meant to be scored; scores of the same systems are often loaded with it
    referenced = {item.kind for item in items if item.role == "reference"}
    if _are_scored(items):
        referenced = {"scores"}
    return tuple(sorted(numbers, key=lambda k: (k not in referenced, -numbers[k], KINDS.index(k))))


def _are_scored(items: Sequence[Item]) -> bool:
    """Whether every output has its scores by a metric in its own file: the metric wrote the file for these scores."""
    systems = [item for item in items if item.role == "system"]
    scored = {i.file for i in systems if i.kind == "scores" and (i.better or names.measure_word(i.measure))}
    return bool(scored) and {item.file for item in systems if item.kind == "text"} <= scored


def _testsets(items: Sequence[Item]) -> tuple[str, ...]:
    """The names of the test sets, the one with most systems first; () if none has a name.

    "" is among them if files without a test set form their own, of another length than all the others.
    """
    names = {item.testset for item in items if item.role not in SHARED} - {""}
    if not names:
        return ()
    unnamed = _own_length(items)
    systems = [item for item in items if item.role == "system"]
    numbers = Counter(item.testset for item in systems if item.testset or len(item.segments) == unnamed)
    return tuple(sorted(names | ({""} if unnamed else set()), key=lambda name: (-numbers[name], name)))


def _own_length(items: Iterable[Item]) -> int:
    """The number of segments of files without a test set that form their own, next to others; 0 if none do."""
    lengths: dict[tuple[str, str, bool], set[int]] = {}
    for item in items:
        lengths.setdefault((item.kind, item.role, bool(item.testset)), set()).add(len(item.segments))
    others = {n for (_, role, named), numbers in lengths.items() if named and role not in SHARED for n in numbers}
    for kind in KINDS:
        systems = lengths.get((kind, "system", False), set())
        gold = systems if kind in WITHOUT_GOLD else lengths.get((kind, "reference", False), set())
        shared = sorted((systems & gold) - others)
        if others and shared:
            return shared[-1]
    return 0


def _of_testset(items: Sequence[Item], testset: str) -> list[Item]:
    """The items of a test set, and those without one that may belong to it."""
    unnamed = _own_length(items)
    if unnamed and not testset:
        return [item for item in items if not item.testset]
    return [item for item in items if item.testset in ("", testset) and (item.testset or len(item.segments) != unnamed)]
