"""What have I loaded, and is it sound? Items to one test set and its outputs, with every finding at once."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from sigcore.data import (
    blocks,
    checks,
    entities,
    finals,
    forms,
    gaps,
    letters,
    matching,
    order,
    rankings,
    select,
    sentinels,
)
from sigcore.data.artefacts import artefacts, queries
from sigcore.data.checks import Check, Checked, Finding
from sigcore.data.direction import agreed_direction
from sigcore.data.nature import LABELS, RUNNING, Texts, texts_of, wholes
from sigcore.data.select import WITHOUT_GOLD, AnyKind, settled
from sigcore.data.sentinels import Sentinel
from sigcore.errors import SigError, refuse
from sigcore.formatting import count, listed
from sigcore.readers import BY_ITS_NAME, IN_HTML, QUESTIONS, SHARED, Item, is_number
from sigcore.testset import Outputs, Testset
from sigcore.text import links, trees
from sigcore.types import DOCUMENT, HIGHER, QUESTION, Better, Direction, Kind, Missing, Role, Severity

# Trees and word links before they form a test set: two gold files merged, missing ends filled, words compared.

FILLED = "naacl"  # the reader of a format that leaves out sentences without a link


def prepared(items: Sequence[Item], kind: Kind, findings: list[Finding]) -> list[Item]:
    """The items of one kind, ready for the comparison of lengths; every change and omission is reported.

    Word links: a file in the role possible is merged into the reference, and sentences that the NAACL format leaves
    out at the end are added. Identical references are used once. Trees: a system whose words are not those of gold
    is left out.
    """
    if kind == "alignments":
        items = _merged(_filled(items, findings), findings)
    kept = [item for item in items if item.role != "possible"]
    for item in items:
        if item.role == "possible" and kind != "alignments":
            message = f"Only word links can have a file in the role possible; {item.name} is not used."
            findings.append(Finding("warning", message, item.file, "Choose another role for it."))
    if kind == "spans":  # how often each gold answer occurs says which is right
        return kept
    kept = once(kept, findings)
    return _of_gold_words(kept, findings) if kind == "trees" else kept


def _filled(items: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The items of a format that leaves out sentences without links, with as many sentences as the longest item."""
    n = max((len(item.segments) for item in items), default=0)
    result = []
    for item in items:
        short = n - len(item.segments) if item.reader == FILLED else 0
        if short:
            last = len(item.segments)
            message = f"{item.name} has no link after segment {last}: {short} more without links were added."
            findings.append(Finding("note", message, item.file))
        result.append(replace(item, segments=(*item.segments, *[""] * short)))
    return result


def _merged(items: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The items with the possible links in the references."""
    possible = [item for item in items if item.role == "possible"]
    references = [item for item in items if item.role == "reference"]
    if not possible:
        return list(items)
    more = possible[0]
    for extra in possible[1:]:
        message = f"More than one file of possible links is loaded; {extra.name} is not used."
        findings.append(Finding("warning", message, extra.file, "Set the role of one of them to ignored."))
    if not references:
        message = f"{more.name} has possible links, but there is no file of sure ones."
        fix = "Load it as reference, or set the role of this one to reference."
        findings.append(Finding("error", message, more.file, fix))
    return [_with_possible(item, more, findings) if item.role == "reference" else item for item in items]


def _with_possible(sure: Item, possible: Item, findings: list[Finding]) -> Item:
    if len(sure.segments) != len(possible.segments):
        size = count(len(possible.segments), "segment")
        message = f"{possible.name} has {size}, {sure.name} has {len(sure.segments):,}."
        findings.append(Finding("error", message, possible.file, "Both gold files must have one line per segment."))
        return sure
    both = zip(sure.segments, possible.segments, strict=True)
    merged = tuple(links.with_possible(one, more) for one, more in both)
    if merged == sure.segments:
        return sure
    message = f"Gold links: sure from {sure.name}, possible from {possible.name}."
    findings.append(Finding("note", message, f"{sure.file} and {possible.file}"))
    return replace(sure, segments=merged)


def once(items: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The items without references that are identical to an earlier one."""
    copies: dict[tuple[str, ...], list[Item]] = {}
    kept = []
    for item in items:
        if item.role == "reference":
            same = copies.setdefault(item.segments, [])
            same.append(item)
            if len(same) > 1:
                continue
        kept.append(item)
    for first, *more in copies.values():
        if more:
            who = f"{more[0].name} is" if len(more) == 1 else f"{len(more)} references are"
            message = f"{who} identical to {first.name}; it is used once."
            findings.append(Finding("note", message, listed(item.file for item in more)))
    return kept


def _of_gold_words(items: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The items without systems whose words differ from gold; their first such word is reported."""
    gold = next((item for item in items if item.role == "reference"), None)
    kept = []
    for item in items:
        fault = trees.first_difference(item.segments, gold.segments) if gold and item.role == "system" else None
        if fault is None:
            kept.append(item)
            continue
        assert gold is not None
        message = f"{item.name}, {fault.what}"
        if len(item.segments) != len(gold.segments):
            message += f" It has {len(item.segments)} sentences, gold has {len(gold.segments)}."
        findings.append(Finding("error", message, item.file, fault.fix))
    return kept


# The test set and the outputs, from items that agree in length.

SCORED: dict[Kind, str] = {
    "trees": "trees", "alignments": "word links", "brackets": "trees", "spans": "entities", "rankings": "runs",
}  # fmt: skip
Agreed = tuple[list[Item], list[Item], int, bool]
# One side of training data, or a treebank.
# the ends of targets of training data, and names that say so; not of what a system made of them
TARGET = re.compile(
    r"^(?!.*(?:pred|hyp|out|sys|gen)[^/]*$)(?:.*\.(?:dst|tgt|trg|target)(?:\.[^/]*)?|.*-ud-(?:test|dev|train)\.[^/]*"
    r"|(?:.*/)?(?:tgt|targets?)(?:[-_.][^/]*)?)$",
    re.IGNORECASE,
)
ONCE: tuple[Role, ...] = ("source", "documents", "domains")  # roles that a test set has once


def build_testset(gold: Sequence[Item], name: str, kind: Kind, n: int, findings: list[Finding]) -> Testset | None:
    """The test set; None for a kind that needs a reference if none has the right length."""
    references = [item.segments for item in gold if item.role == "reference"]
    if not n or (kind not in WITHOUT_GOLD and not references):
        return None
    sources, documents, domains = (_single(gold, role, findings) for role in ONCE)
    questions = any(item.role == "documents" and item.name == QUESTIONS for item in gold)
    unit = QUESTION if questions else DOCUMENT
    return Testset(name, kind, n, tuple(references), sources, domains, documents, unit)


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
    """The gold side that the kind of test set uses; a missing reference is reported.

    Scores are compared without a reference or source: only documents and domains are used.
    """
    if kind not in WITHOUT_GOLD:
        if not any(item.role == "reference" for item in gold):
            what = f"There is no reference to score the {SCORED.get(kind, 'text')} against."
            fix = "Load one, or set the role of a file, or of a column of a table (--columns NAME=reference), to reference."
            if kind == "rankings":
                fix = "Load the judgments which documents are relevant (qrels), too."
            else:
                outputs = [item for item in items if item.role == "system"]
                fix += _which_is_right(outputs) + _which_column(outputs)
            if any(item.role == "reference" for item in items):
                what, fix = "No reference has as many segments as the other files.", "Fix it, or load another."
            findings.append(Finding("error", what, "", fix))
        return list(gold)
    for item in gold:
        if item.role not in SHARED:
            message = f"{kind.capitalize()} need no {item.role}; {item.name} is not used."
            findings.append(Finding("note", message, item.file, "If it is a system, set its role to system."))
    return [item for item in gold if item.role in SHARED]


def _which_column(outputs: Sequence[Item]) -> str:
    """How to say which of several columns in one file is the reference: the one of people by its heading, beside the source; of
    columns without headings the last one."""
    if len(outputs) > 2 and len({item.file for item in outputs}) == 1 and (people := _headed(outputs, PEOPLE)):
        said = [f"{people}=reference", *(f"{name}=source" for name in [_headed(outputs, ASKED)] if name)]
        return f" If {people} is right: --columns {shlex.join(said)}."
    last = NAMELESS.search(outputs[-1].name) if outputs and not _is_numbers(outputs[-1]) else None
    return f" If it is the last one: --columns '{last[0]}=reference'." if last and len(outputs) > 1 else ""


PEOPLE = re.compile(r"\b(?:human|people|manual|gold(?:en)?|professional|translator)\b", re.IGNORECASE)
ASKED = re.compile(r"\b(?:original|source|src)\b", re.IGNORECASE)


def _headed(outputs: Sequence[Item], words: re.Pattern[str]) -> str:
    """The one name that has these words; "" without one."""
    named = [item.name for item in outputs if words.search(item.name.replace("_", " "))]
    return named[0] if len(named) == 1 else ""


def _is_numbers(item: Item) -> bool:
    """Whether most of its segments that are not blank are numbers, which no output is compared with as text."""
    filled = [cell.strip().rstrip("%") for cell in item.segments if cell.strip()]
    return 2 * sum(map(is_number, filled)) > len(filled)


NAMELESS = re.compile(r"column \d+$")


MOST_NAMED, COMPARED = 6, 50  # files that are named, and segments that tell which of them stands apart


def _which_is_right(outputs: Sequence[Item]) -> str:
    """How to say that one of the files of several outputs is the reference: first the one that ends as targets of training data do, or
    that has least in common with the others, which translate alike. One output may be a data set."""
    if len(outputs) == 1:
        return f" If {outputs[0].file} is a data set (questions, right answers), load outputs of systems for it."
    texts = {item.file: item for item in sorted(outputs, key=lambda item: item.file)}
    if len(texts) < 2:
        return ""
    target = next((file for file in texts if TARGET.match(file)), "")
    if target or len(texts) > MOST_NAMED:
        return f" If {target or 'one of these files'} is the reference: --reference {shlex.quote(target or 'FILE')}."
    return _or_the_others(sorted(texts, key=lambda file: sum(_in_common(texts[file], one) for one in texts.values())))


def _or_the_others(by_likeness: Sequence[str]) -> str:
    """How to say that the first of these files is the reference, or one of the others; "" where all are called outputs."""
    files = [file for file in by_likeness if not OUTPUT.search(file.rpartition("/")[2])]
    if not files:
        return ""
    others = f" (or {listed(map(shlex.quote, files[1:]))} in place of it)" if len(files) > 1 else ""
    return f" If one of these files is the reference: --reference {shlex.quote(files[0])}{others}."


OUTPUT = re.compile(
    r"^(?!test|dev|valid|ref|gold)(?:.*[-_.])?(?:hyps?|hypothes[ie]s|outputs?|preds?|predict\w*|generated|decoded)(?:[-_.]|$)",
    re.IGNORECASE,
)


def _in_common(one: Item, other: Item) -> float:
    """The share of the words in the first segments of two outputs that both outputs have."""
    pairs = [({*a.split()}, {*b.split()}) for a, b in list(zip(one.segments, other.segments, strict=False))[:COMPARED]]
    return sum(len(a & b) for a, b in pairs) / max(1, sum(len(a | b) for a, b in pairs))


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


@dataclass(frozen=True, eq=False)
class Loaded:
    """The test set (None if it cannot be made), the outputs that agree with it, and all findings.

    `measure` is the name of the scores, if their file names it; `gaps` says whether some are missing; `direction` which of
    them are better, and why; `ids` are the names that the files give to the segments (() if they give none); `files` are those of
    which something is used, each with its role; `suspect` are numbers that look like codes for missing scores.
    """

    testset: Testset | None
    outputs: tuple[Outputs, ...]
    findings: tuple[Finding, ...] = field(repr=False)
    measure: str = ""
    gaps: bool = False
    direction: Direction = HIGHER
    ids: tuple[str, ...] = field(default=(), repr=False)
    files: frozenset[tuple[str, Role]] = field(default=frozenset(), repr=False)
    suspect: Sentinel | None = None
    texts: Texts = RUNNING

    @property
    def better(self) -> Better:
        """Which scores are better."""
        return self.direction.better

    @property
    def ready(self) -> Ready | None:
        """What can be computed with: a test set with at least one system on it, whose numbers are all scores."""
        usable = self.outputs and self.suspect is None
        return self._with(self.testset) if self.testset is not None and usable else None

    def sound(self) -> Ready:
        """What can be computed with, if nothing had to be left out.

        Raises: SigError with every error that was found.
        """
        refuse([SigError(finding.what, finding.where, finding.fix) for finding in self.of("error")])
        if self.testset is None:
            raise SigError("There is nothing to compare yet.", "", "Add a reference and the outputs of systems.")
        return self._with(self.testset)

    def _with(self, testset: Testset) -> Ready:
        parts = {one.name: getattr(self, one.name) for one in fields(self)}
        return Ready(**{**parts, "testset": testset})

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        """The findings of that severity, in order."""
        return tuple(finding for finding in self.findings if finding.severity == severity)


@dataclass(frozen=True, eq=False)
class Ready(Loaded):
    """What was loaded, with a test set: something to compute with."""

    testset: Testset

    @property
    def systems(self) -> tuple[Testset, tuple[Outputs, ...]]:
        """The test set and the outputs."""
        return self.testset, self.outputs


# Checks of one kind that are modules of their own.
MORE_CHECKS: dict[Kind, tuple[Check, ...]] = {
    "text": (*LABELS, forms.never_right, artefacts, queries),
    "spans": (entities.examine,),
    "scores": (wholes,),
    "rankings": (rankings.examine,),
}


def assemble(
    items: Iterable[Item],
    name: str = "",
    kind: AnyKind = "",
    testset: str = "",
    measure: str = "",
    missing: Missing = "refuse",
    codes: Sequence[str] = (),
    accept_order: bool = False,
) -> Loaded:
    """The test set that the items form, its outputs, and everything that is wrong or suspicious.

    Names, roles and groups are used as they are in the items. Files of the wrong length are left out and reported.
    `testset`, `kind` and `measure` choose if the items contain several (see `choices`); "" is the first. `missing` says
    what happens to segments without a score for some system (see `sigcore.types.Missing`). `codes` are numbers that mean a
    missing score (see `sentinels.read_codes`); without any, numbers that look like codes are an error. `accept_order` says
    that the lines of all outputs are in order, whatever their words say.
    """
    findings, items = list[Finding](), list(items)
    used = _settled(blocks.apart([item for item in items if item.role != "ignored"], findings), findings)
    selected = select.selected(used, kind, testset, measure, findings)
    if not selected.items:
        return Loaded(
            None, (), (*findings, Finding("error", f"No {selected.kind} is loaded.", "", _what_is_needed(items)))
        )
    kind = selected.kind
    ready = prepared(rankings.aligned(selected.items, kind, missing, findings), kind, findings)
    matched = matching.matched(ready, kind, findings, missing, used)
    matched = entities.agreeing(matched, kind, findings)
    # two copies of a reference in different orders are equal only when their segments are in one order
    matched, suspect = sentinels.asked(matched, kind, codes, findings)
    systems, gold, n, gaps = _agreed(once(matched, findings), kind, missing, codes, findings)
    if kind == "text":
        systems, gold = order.kept(systems, gold, accept_order, findings, selected.items)
        systems, gold = letters.counted(*finals.counted(systems, gold, findings), findings)
        systems, gold = forms.counted(systems, gold, findings)
    assembled = build_testset(gold, name or selected.testset or "test set", kind, n, findings)
    outputs = _outputs(systems, used)
    checked = Checked(kind, n, systems, outputs, gold, used)
    for check in (checks.examine, *MORE_CHECKS.get(kind, ())):
        findings += check(checked)
    measured = systems[0].measure if systems else ""
    direction = agreed_direction(systems, findings) if kind == "scores" else HIGHER
    both = (*gold, *systems)
    ids = next((item.keys for item in both if len(item.keys) == n), ())
    files = frozenset((item.file, item.role) for item in both)
    texts = texts_of(assembled, outputs, both)
    gaps |= rankings.incomplete(selected.items)
    return Loaded(assembled, outputs, tuple(findings), measured, gaps, direction, ids, files, suspect, texts)


def of_whole_tasks(items: Iterable[Item]) -> str:
    """What to load beside a file that has the mean of each task alone; "" where there is none."""
    found = next((item.file for item in items if item.note.startswith("results of whole tasks")), "")
    more = "has the mean of each task alone. Load the samples, too: lm_eval --log_samples writes them, lighteval --save-details."
    return found and f"{found} {more}"


def _what_is_needed(items: Sequence[Item]) -> str:
    """What to load where nothing of what is loaded is used, and what was not used."""
    aside = [f"{item.file} ({item.note})" for item in items if item.role == "ignored"]
    fix = "Load a reference and at least two systems, or a file of scores for each of two systems."
    return of_whole_tasks(items) or fix + (f" Not used: {listed(aside)}.{_if_data(items)}" if aside else "")


def _if_data(items: Sequence[Item]) -> str:
    """What to do with files that were set aside for their names alone, and what their tables have to hold; "" without."""
    aside = [item.note for item in items if item.role == "ignored" and BY_ITS_NAME in item.note]
    if not aside:
        return ""
    fix = " If one has a table of scores, "
    if any(IN_HTML in note for note in aside):
        fix += "save it as CSV, with a row for each question and a column for each system."
    else:
        fix += "copy the table to a file of its own, such as scores.md."
    fix += " Outputs of systems are named behind --systems. One number for each system is not enough: tests need the scores of "
    return f"{fix}every question."


def _outputs(systems: Sequence[Item], items: Sequence[Item]) -> tuple[Outputs, ...]:
    """The outputs of the systems: a system's group under one measure, or of its text, is its group everywhere."""
    groups = {item.name: item.group for item in reversed(items) if item.group and item.role == "system"}
    return tuple(Outputs(i.name, i.segments, group=i.group or groups.get(i.name, "")) for i in systems)


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


def _where_lost(systems: Sequence[Item], gold: Sequence[Item], n: int, kind: Kind) -> Callable[[Item], str]:
    """What says of a text of another length where lines were lost, by the references with n segments, or else by an output."""
    references = [item.segments for item in gold if item.role == "reference" and len(item.segments) == n]
    others = references or [item.segments for item in systems if len(item.segments) == n][:1]
    called = "the reference" if references else "the outputs"
    return lambda item: order.lost(item.segments, others, called) if others and kind == "text" else ""


def _agreed(
    items: Sequence[Item], kind: Kind, missing: Missing, codes: Sequence[str], findings: list[Finding]
) -> Agreed:
    """The systems and the gold side that agree in length, this length, and whether scores were missing; everything left
    out is reported."""
    systems, gold = named(items, findings), [item for item in items if item.role != "system"]
    n, other = select.agreed_length([*systems, *gold], blank_end=kind != "scores" or missing == "keep")
    found = _where_lost(systems, gold, n, kind)
    systems, gold = (select.of_length(side, n, other, findings, found) for side in (systems, gold))
    gold = usable_gold(gold, items, kind, findings)
    if kind == "text":
        return *gaps.right_labels(systems, gold, n, missing, codes, findings), False
    if kind != "scores":
        return systems, gold, n, False
    missed = any(map(gaps.gaps_of, systems))
    systems = gaps.as_zeros(systems, findings) if missing == "zero" else systems
    systems, gold, n = gaps.numeric(systems, gold, n, missing, findings)
    return systems, gold, n, missed


_SAMPLES: dict[tuple[object, ...], tuple[tuple[Any, ...], Loaded]] = {}


def of_sample(content: tuple[Any, ...]) -> Loaded:
    """What the items of a sample form, made once in a process for each selection: every visitor of a server begins with it."""
    key = content[1:]  # the name of the sample, and the selection
    known = _SAMPLES.get(key)
    if known is None or known[0] != content:
        known = _SAMPLES[key] = (content, assemble(*content))
    return known[1]
