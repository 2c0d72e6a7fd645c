"""Scores per segment: which are numbers, which are missing, and what happens to segments without a score."""

from __future__ import annotations

import shlex
from collections.abc import Container, Sequence
from dataclasses import replace

from sigcore import readers
from sigcore.data import direction, matching, sentinels
from sigcore.data.checks import Finding
from sigcore.data.mean_ratings import READER as OF_PEOPLE
from sigcore.formatting import count, listed
from sigcore.readers import Item
from sigcore.types import Missing

FEWEST_SHOWN = 3  # systems with few segments


def numeric(
    systems: Sequence[Item], gold: Sequence[Item], n: int, missing: Missing, findings: list[Finding]
) -> tuple[list[Item], list[Item], int]:
    """The systems whose segments are all finite numbers, the gold side, and the number of remaining segments.

    Segments without a score are left out for all systems if `missing` is "drop", and where no system has one: nobody chose
    them by what a system did.
    """
    if missing != "drop" and _are_common(systems, n):
        missing = "drop"
    kept, gaps, incomplete = [], set[int](), list[Item]()
    for item in systems:
        without_score, fault = gaps_of(item), _not_a_number(item)
        if fault is not None:
            findings.append(fault)
        elif len(without_score) == n or (without_score and missing in ("refuse", "zero")):
            incomplete.append(item)
        else:
            kept.append(item)
            gaps |= set(without_score)
    if incomplete:
        findings.append(_no_score(incomplete, n, len(systems) - len(incomplete)))
    if not gaps or missing != "drop":
        return kept, list(gold), n
    return _dropped(kept, gold, n, gaps, findings)


def as_zeros(systems: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The systems with 0 for each missing score, of those that have some: a failure counts as the lowest score (reported).

    Where lower is better, or a score is below 0, that is an error, and the gaps stay.
    """
    known = [item for item in systems if 0 < len(gaps_of(item)) < len(item.segments)]
    if not known:
        return list(systems)
    if why := _against_zero(systems):
        message = f"A missing {_scored_by(known)} cannot count as 0: {why}, so 0 would not be the worst."
        findings.append(Finding("error", message, "", "Use --missing drop, or complete the files."))
        return list(systems)
    number = sum(len(gaps_of(item)) for item in known)
    message = (
        f"{count(number, 'missing score')} of {listed(item.name for item in known)} count{'s' * (number == 1)} as 0."
    )
    fix = "That is right where a missing score means a failure. Otherwise use --missing drop."
    findings.append(Finding("warning", message, listed(dict.fromkeys(item.file for item in known)), fix))
    return [_with_zeros(item) if item in known else item for item in systems]


def _against_zero(systems: Sequence[Item]) -> str:
    """Why 0 is not the worst score of these systems; "" where it is."""
    if direction.agreed_direction(systems, []).better == "lower":
        return f"lower is better in {systems[0].measure or 'the scores'}"
    below = (item.name for item in systems if min(readers.parsed(item.segments).values(), default=0) < 0)
    return next((f"{name} has scores below 0" for name in below), "")


def _with_zeros(item: Item) -> Item:
    gaps = {*gaps_of(item)}
    return replace(item, segments=tuple("0" if i in gaps else cell for i, cell in enumerate(item.segments)))


def _dropped(
    systems: Sequence[Item], gold: Sequence[Item], n: int, gaps: set[int], findings: list[Finding]
) -> tuple[list[Item], list[Item], int]:
    """The systems and the gold side without the segments of these gaps, and the number of remaining segments."""
    if len(gaps) == n:
        findings.append(_nothing_left(systems, n))
        return [], list(gold), n
    verb = "was" if len(gaps) == 1 else "were"
    who = "no system has a" if _are_common(systems, n) else "some system has no"
    message = f"{len(gaps)} of {count(n, 'segment')} {verb} left out for all systems, because {who} score there."
    where = f"the first is segment {min(gaps) + 1}"
    findings.append(Finding("warning", message, where, "Complete the files to keep them."))
    return *_without(systems, gold, n, gaps), n - len(gaps)


def _are_common(systems: Sequence[Item], n: int) -> bool:
    """Whether several systems lack the same segments, but not all."""
    gaps = {tuple(gaps_of(item)) for item in systems}
    return len(systems) > 1 and len(gaps) == 1 and 0 < len(next(iter(gaps))) < n


def gaps_of(item: Item) -> list[int]:
    """The segments without a score."""
    known = readers.parsed(item.segments)
    gaps = {cell for cell in item.segments if cell not in known and readers.is_missing(cell)}
    return [i for i, cell in enumerate(item.segments) if cell in gaps] if gaps else []


def _not_a_number(item: Item) -> Finding | None:
    """The error of an item with a cell that is neither a number nor marked as missing."""
    known = readers.parsed(item.segments)
    odd = {cell for cell in set(item.segments) if not (cell in known or readers.is_missing(cell))}
    bad = next((i for i, cell in enumerate(item.segments) if cell in odd), None) if odd else None
    if bad is None:
        return None
    message = f"{item.name}: {item.segments[bad][:40]!r} is not a number."
    fix = "Give every segment a finite number, or leave the file out."
    return Finding("error", message, f"{item.file}, segment {bad + 1}", fix)


def _scored_by(items: Sequence[Item]) -> str:
    """The measure of scores; score where only the name of their file says it."""
    named = {item.measure for item in items if item.measure not in item.file}
    return named.pop() if len(named) == 1 else "score"


def _no_score(items: Sequence[Item], n: int, others: int) -> Finding:
    """The error of the items that lack scores, together; so many others have all."""
    if len(items) > 1 and not others and not _shared(items, n):
        return _unpaired(items)
    missing, segments, what = [len(gaps_of(item)) for item in items], count(n, "segment"), _scored_by(items)
    fix = _how_to_complete(items, n, others)
    if len(items) > 1:
        least, most = min(missing), max(missing)
        some = f"{least}" if least == most else f"{least} to {most}"
        named = listed(item.name for item in items)
        message = f"{named} have no {what} for {some} of {segments} each; they are left out."
        return Finding("error", message, listed(dict.fromkeys(item.file for item in items)), fix)
    (item,), first = items, gaps_of(items[0])[0]
    message = f"{item.name} has no {what} for {missing[0]} of {segments}; it is left out."
    called = f" ({item.keys[first]})" if item.keys and item.keys[first] != str(first + 1) else ""
    return Finding("error", message, f"{item.file}, segment {first + 1}{called}", fix)


def _how_to_complete(items: Sequence[Item], n: int, others: int) -> str:
    """What to do about items that lack scores, and how many segments are kept without those that some of them lack."""
    gaps = list(map(gaps_of, items))
    few, partial = _few(items, list(map(len, gaps)), n, others), [own for own in gaps if len(own) < n]
    left = n - len(set[int]().union(*partial)) if partial else 0
    drop = f"leave these segments out for all systems (--missing drop keeps {left} of {n}), " if left else ""
    if not left and not few:  # nothing is kept, unless a system goes
        drop = f"leave out a system with few (--leave-out NAME: {_fewest(items, n)}), "
    zero = "count them as 0 if they mean failures (--missing zero), "
    return f"Complete {'them' if len(items) > 1 else 'it'}, {drop}{zero}or use the page Documents.{few}"


def _shared(items: Sequence[Item], n: int) -> int:
    """How many segments have the scores of two or more of these systems."""
    gaps = [set(gaps_of(item)) for item in items]
    return sum(sum(i not in own for own in gaps) > 1 for i in range(n))


def _nothing_left(items: Sequence[Item], n: int) -> Finding:
    """The error of systems with gaps of which no segment is left."""
    if not _shared(items, n):
        return _unpaired(items)
    message = f"No segment has the scores of all of {count(len(items), 'system')}, so none is left."
    fix = f"Leave out a system with few (--leave-out NAME): {_fewest(items, n)}."
    return Finding("error", message, listed(dict.fromkeys(item.file for item in items)), fix)


def _fewest(items: Sequence[Item], n: int) -> str:
    """The systems that have the fewest of n segments, with their number."""
    fewest = sorted((n - len(gaps_of(item)), item.name) for item in items)[:FEWEST_SHOWN]
    return ", ".join(f"{name} has {number}" for number, name in fewest)


def _unpaired(items: Sequence[Item]) -> Finding:
    """The error of systems none of which has a segment in common with another."""
    message = f"{listed(item.name for item in items)} share no segment, so no {_scored_by(items)} of one has a partner."
    fix = "If their rows are about the same segments, give these the same id. Tests here compare systems on the same "
    fix += "segments. "
    if all(item.reader == OF_PEOPLE for item in items):
        fix += "`sigboard human` compares ratings of different ones."
    else:
        fix += "Scores of different ones need a test for independent samples, which is not among them."
    return Finding("error", message, listed(dict.fromkeys(item.file for item in items)), fix)


def _few(items: Sequence[Item], gaps: Sequence[int], n: int, others: int) -> str:
    """How to leave out systems with a score for at most half of the segments, where at least two others have more."""
    few = [item.name for item, number in zip(items, gaps, strict=True) if 2 * number >= n]
    if not few or others + len(items) - len(few) < 2:
        return ""
    more = " --missing drop" * (len(few) < len(items))
    return (
        f" {listed(few)} {'has' if len(few) == 1 else 'have'} few: without {'it' if len(few) == 1 else 'them'}, "
        f"--leave-out {shlex.join(few)}{more}, or set the role to ignored on the page Files."
    )


FEW_LABELS, ROWS_EACH = 20, 3  # different labels, and rows for each


def right_labels(
    systems: Sequence[Item],
    gold: Sequence[Item],
    n: int,
    missing: Missing,
    codes: Sequence[str],
    findings: list[Finding],
) -> tuple[list[Item], list[Item], int]:
    """The systems, the gold side and the number of segments, without those for which no reference has a label: there a system
    without one would be right. They are left out if `missing` is "drop", and an error otherwise; texts stay as they are. `codes`
    are numbers that mean a missing label."""
    if codes and _are_labels(gold, n):  # an answer may well be -1
        systems, gold = ([sentinels.emptied(item, codes) for item in side] for side in (systems, gold))
    right = [item.segments for item in gold if item.role == "reference"]
    empty = {i for i, cells in enumerate(zip(*right, strict=True)) if not "".join(cells).strip()}
    if not empty or not _are_labels(gold, n):
        return list(systems), list(gold), n
    message = f"{len(empty)} of {count(n, 'segment')} {'has' if len(empty) == 1 else 'have'} no right label"
    where = f"the first is segment {min(empty) + 1}"
    if missing != "drop":
        fix = "Fill them in, or leave these segments out (--missing drop)."
        findings.append(Finding("error", f"{message}.", where, fix))
        return list(systems), list(gold), n
    findings.append(
        Finding("warning", f"{message}, and left out for all systems.", where, "Fill them in to keep them.")
    )
    return *_without(systems, gold, n, empty), n - len(empty)


def _are_labels(gold: Sequence[Item], n: int) -> bool:
    """Whether what is right in n rows are a few labels that come again; next to one alone, nothing is the other label."""
    known = {cell.strip() for item in gold if item.role == "reference" for cell in item.segments} - {""}
    return 1 < len(known) <= FEW_LABELS and ROWS_EACH * len(known) <= n


def _without(
    systems: Sequence[Item], gold: Sequence[Item], n: int, gone: Container[int]
) -> tuple[list[Item], list[Item]]:
    """The systems and the gold side without these of n segments."""
    remaining = [i for i in range(n) if i not in gone]
    kept, other = ([matching.only(item, remaining) for item in side] for side in (systems, gold))
    return kept, other
