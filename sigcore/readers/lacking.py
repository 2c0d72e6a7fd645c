"""What was said of columns that some files have, and others do not."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers.contract import Claim, Detected, Found, Notice, Options
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers, said
from sigcore.readers.tables.unclear import Absent, Unclear
from sigcore.readers.together import NAMED, Settings


def absent(result: Found, detected: Sequence[Detected]) -> dict[str, Settings]:
    """The options of each file that lacks columns of which somebody said something, without these columns; only where
    other files have all that it lacks."""
    problems = {one.file: one for one in result.problems if isinstance(one, Absent)}
    claims = [*_claims(result), *(claim for one in problems.values() for claim in one.claims)]
    had = {words.normalised(claim.column) for claim in _claims(result) if claim.basis == "said"}
    had |= {words.normalised(claim.column) for one in problems.values() for claim in one.claims}
    out = dict[str, Settings]()
    for one in filter(lambda one: one.file in problems, detected):
        lacks = _lacks(problems[one.file], said.named(one.options))
        if lacks and {*map(words.normalised, lacks)} <= had:
            problem = problems[one.file]
            rest = _compared(problem, said.without(one.options, lacks), lacks, one.options, claims)
            out[one.file] = _beside_right(problem, rest, one.options)
            _tell(one, lacks, result)
    return out


def _beside_right(problem: Unclear, options: Settings, before: Options) -> Settings:
    """The options of a file that has the reference, and none of the systems that somebody named: it has no others."""
    parts, own = said.said(before).parts, {words.normalised(one.column) for one in problem.claims}
    systems = [name for name, part in parts.items() if part in ("system", "text")]
    right = [name for name, part in parts.items() if part == "reference" and words.normalised(name) in own]
    if not (systems and right) or not own.isdisjoint(map(words.normalised, systems)):
        return options
    given = {*map(words.normalised, parts)}
    rest = [f"{one.column}=ignored" for one in problem.claims if words.normalised(one.column) not in given]
    return {**options, "columns": "\n".join([*str(options.get("columns") or "").split("\n"), *rest])}


def _compared(
    problem: Unclear, options: Settings, lacks: Sequence[str], before: Options, claims: Sequence[Claim]
) -> Settings:
    """The options of a file that lacks the reference: what somebody calls systems is compared with it, where both hold words, or
    whole numbers, which are labels. `claims` are those on all columns."""
    parts = said.said(before).parts
    gold = [name for name in lacks if parts.get(name) == "reference"]
    if not gold or not {"score", "text"}.isdisjoint(parts.values()):
        return options
    right = [one for one in claims if one.column in gold and one.cells]
    labels = {one.column for one in problem.claims if any(_are_alike(one, other) for other in right)}
    return _as_texts(options, labels)


def _as_texts(options: Settings, labels: Container[str]) -> Settings:
    """The options with several systems that hold labels as texts."""
    lines = said.said(options).columns
    labelled = {name for name, part in lines if part == "system" and name in labels}
    if len(labelled) < 2:
        return options
    return {
        **options,
        "columns": "\n".join(f"{name}={'text' if name in labelled else part}" for name, part in lines),
    }


def _are_alike(one: Claim, right: Claim) -> bool:
    """Whether the first cells of both are words, or whole numbers."""
    cells = [cell for cell in (*one.cells, *right.cells) if cell]
    return all(map(str.isdigit, cells)) or not any(map(numbers.is_number, cells))


def _tell(one: Detected, lacks: Sequence[str], result: Found) -> None:
    """Add a notice on columns that a file lacks, unless they are not used, or the reference, which one file has for all."""
    roles = said.said(one.options).columns
    without = [name for name in lacks if {(name, "ignored"), (name, "reference")}.isdisjoint(roles)]
    message = f"It has no column {listed(without)}, which other files have: it was read without."
    result.notices += [Notice(one.file, message)] if without else []


def refuse_nameless(result: Found, detected: Sequence[Detected], more: Mapping[str, Settings]) -> None:
    """Add a problem for each file that lacks what names the segments elsewhere, and has no ids of its own: its rows would be
    matched by place. `more` are the options with which these files were read again."""
    for one in filter(lambda one: one.file in more, detected):
        asked = {*said.segments(one.options)} - {*said.segments(more[one.file])}
        nameless = (item for item in result.items if item.file == one.file and item.role in NAMED and not item.keys)
        if asked and next(nameless, None) is not None:
            message = f"It has no column {listed(sorted(asked))}, which names the segments elsewhere, and no other ids."
            result.problems.append(ReadError(message, one.file, 1, "Give all files the same ids."))


def _claims(result: Found) -> list[Claim]:
    """What was said of all columns, also of those in tables that were refused."""
    refused = [one for one in result.problems if isinstance(one, Unclear) and not isinstance(one, Absent)]
    return [*result.claims, *(claim for one in refused for claim in one.claims)]


def _lacks(problem: Absent, named: Collection[str]) -> list[str]:
    """The names that are no headings of a table."""
    own = {words.normalised(claim.column) for claim in problem.claims}
    return [name for name in named if words.normalised(name) not in own]
