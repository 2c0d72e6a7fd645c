"""Rankings before and after they form a test set: the judged questions in one order, and documents without a judgment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sigcore.data.checks import Checked, Finding
from sigcore.formatting import count, counted, listed
from sigcore.readers import Item
from sigcore.text.rankings import read_judgments, read_ranking, relevant
from sigcore.types import Kind, Missing

FIRST = 10  # documents of a question that are looked at
MANY = 0.2  # share of them without a judgment that is worth a word
OTHERS = "Load the judgments of the questions and documents of the run."


def aligned(items: Sequence[Item], kind: Kind, missing: Missing, findings: list[Finding]) -> list[Item]:
    """The items with the judged questions in the order of the judgments; those that a run does not have are empty.

    If `missing` is "drop", only questions that all runs have are kept. Runs without a judged question are left out. Where
    questions have no names, nothing changes.
    """
    references = [item for item in items if item.role == "reference"]
    if kind != "rankings" or not references or not _named(items):
        return list(items)
    judgments = references[0]
    findings += _other_judgments(references)
    runs = [item for item in items if item.role == "system" and _shares(item, judgments, findings)]
    keys = _in_all(judgments, runs) if missing == "drop" else judgments.keys
    findings += _left(judgments, runs, keys)
    rest = [item for item in items if item.role not in ("reference", "system")]
    return [*(_of(item, keys) for item in (judgments, *runs)), *rest]


def _in_all(judgments: Item, runs: Sequence[Item]) -> tuple[str, ...]:
    """The judged questions that every run has."""
    of_all = set(judgments.keys).intersection(*(item.keys for item in runs))
    return tuple(key for key in judgments.keys if key in of_all)


def _named(items: Sequence[Item]) -> bool:
    """Whether the questions have names, as in files; without them the place counts."""
    return all(item.keys for item in items if item.role in ("reference", "system"))


def incomplete(items: Sequence[Item]) -> bool:
    """Whether some run lacks a judged question."""
    rankings = [item for item in items if item.kind == "rankings"]
    if not _named(rankings):
        return False
    judged = {key for item in rankings if item.role == "reference" for key in item.keys}
    return any(item.role == "system" and not judged <= {*item.keys} for item in rankings)


def _other_judgments(references: Sequence[Item]) -> Iterator[Finding]:
    """The errors of judgments that are not those of the first file."""
    first, *others = (dict(zip(item.keys, item.segments, strict=True)) for item in references)
    for item, own in zip(references[1:], others, strict=True):
        if own != first:
            message = f"Two files of judgments are loaded; {item.name} is not used."
            yield Finding("error", message, item.file, "Set the role of one of them to ignored.")


def _of(item: Item, keys: tuple[str, ...]) -> Item:
    """The item with these questions, the missing ones empty."""
    known = dict(zip(item.keys, item.segments, strict=True))
    return replace(item, segments=tuple(known.get(key, "") for key in keys), keys=keys)


def _shares(item: Item, judgments: Item, findings: list[Finding]) -> bool:
    """Whether a run has a judged question, and a judged document; the error is reported otherwise."""
    known = dict(zip(judgments.keys, judgments.segments, strict=True))
    if not known.keys() & {*item.keys}:
        what = f"{item.name} has no question of {judgments.name}: it has {item.keys[0]}, the judgments have {judgments.keys[0]}."
        findings.append(Finding("error", what, item.file, OTHERS))
        return False
    both = [(read_ranking(own), read_judgments(known[key], 0)) for key, own in _judged(item, known)]
    if any(document in judged for ranked, judged in both for document in ranked):
        return True
    ranked, judged = both[0]
    what = f"No document of {item.name} is judged: it has {ranked[0]}, the judgments have {next(iter(judged))}."
    findings.append(Finding("error", what, item.file, OTHERS))
    return False


def _judged(item: Item, known: dict[str, str]) -> Iterator[tuple[str, str]]:
    return (pair for pair in zip(item.keys, item.segments, strict=True) if pair[0] in known)


def _left(judgments: Item, runs: Sequence[Item], keys: tuple[str, ...]) -> Iterator[Finding]:
    """What is said of questions that are left out, or count as 0."""
    everything, used = set(judgments.keys), set(keys)
    if len(keys) < len(judgments.keys):
        message = (
            f"{len(judgments.keys) - len(keys)} of {count(len(judgments.keys), 'judged question')} are not in every "
        )
        yield Finding("note", message + "run; they are left out for all systems.")
    none = used - {key for run in runs for key in run.keys}
    for run in runs:
        extra, lacking = set(run.keys) - everything, used - set(run.keys) - none
        if extra:
            verb = "was" if len(extra) == 1 else "were"
            message = (
                f"{count(len(extra), 'question')} of {run.name} without judgments {verb} left out, as in trec_eval."
            )
            yield Finding("note", message, run.file)
        if lacking:
            message = f"{run.name} lacks {len(lacking)} of {count(len(keys), 'judged question')}, which count as 0 (trec_eval -c)."
            yield Finding("warning", message, f"{run.file}, the first is {_first(keys, lacking)}", "Complete the run.")
    if none and runs:
        message = f"{counted(len(none), 'judged question', 'is', 'are')} in no run, and 0 for all (trec_eval -c): scores are lower."
        fix = "Leave them out with --missing drop. Differences are the same, divided by fewer questions."
        yield Finding("warning", message, f"the first is {_first(keys, none)}", fix)
    by_key = dict(zip(judgments.keys, judgments.segments, strict=True))
    empty = {key for key in keys if not relevant(read_judgments(by_key[key], 0))}
    if empty:
        message = (
            f"{counted(len(empty), 'question', 'has', 'have')} no relevant document, and 0 for all, as in trec_eval."
        )
        yield Finding("note", message, f"{judgments.file}, the first is {_first(keys, empty)}")


def _first(keys: Sequence[str], of: set[str]) -> str:
    return next(key for key in keys if key in of)


def examine(checked: Checked) -> Iterator[Finding]:
    """Systems many of whose first documents nobody judged."""
    if not checked.references:
        return
    judged = [read_judgments(segment, 0) for segment in checked.references[0].segments]
    shares = {}
    for item in checked.systems:
        first = [read_ranking(segment)[:FIRST] for segment in item.segments]
        unknown = sum(document not in known for own, known in zip(first, judged, strict=True) for document in own)
        shares[item.name] = unknown / max(1, sum(map(len, first)))
    if max(shares.values(), default=0.0) >= MANY:
        each = listed(f"{name} {100 * share:.0f}%" for name, share in shares.items())
        message = f"Documents among the first {FIRST} without a judgment count as not relevant: {each}."
        fix = "A system whose documents nobody judged looks worse than it is."
        yield Finding("warning", message, "", fix)
