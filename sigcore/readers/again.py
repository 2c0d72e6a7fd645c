"""Files that are read again once all are known: what somebody said of columns is about the files that have them, and the
reference is the column that the outputs of other files are compared with."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from sigcore.errors import ReadError, SigError
from sigcore.formatting import listed
from sigcore.readers.contract import Claim, Detected, Found, Item, Notice, Part
from sigcore.readers.tables import doubts, said
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.evident import MOST_LABELS, SAME, TIMES
from sigcore.readers.tables.table import CONFIRM, Absent, Unclear

Settings = dict[str, object]
ReadOne = Callable[[str, Settings], Found]  # what is in a file that is read with these options; raises SigError
MOST_CANDIDATES = 12  # columns of a file of references that are tried
BY_HEADING = "by its heading"  # begins the reason of such a claim
UNLIKE = 3  # times less in common with the outputs than another text has: no reference
OPEN: tuple[Part, ...] = ("system", "text", "score", "reference")
OF_TEXTS: tuple[Part, ...] = ("system", "text", "reference", "source", "ignored")


# What was said of columns that some files have, and others do not.


def absent(result: Found, detected: Sequence[Detected]) -> dict[str, Settings]:
    """The options of each file that lacks columns of which somebody said something, without these columns; only where
    other files have all that it lacks."""
    problems = {one.file: one for one in result.problems if isinstance(one, Absent)}
    had = {words.normalised(claim.column) for claim in _claims(result) if claim.basis == "said"}
    had |= {words.normalised(claim.column) for one in problems.values() for claim in one.claims}
    out = dict[str, Settings]()
    for one in detected:
        problem = problems.get(one.file)
        lacks = _lacks(problem, said.named(one.options)) if problem else []
        if problem and lacks and {*map(words.normalised, lacks)} <= had:
            out[one.file] = said.without(one.options, lacks)
            roles = said.said(one.options).columns
            told = [name for name in lacks if (name, "ignored") not in roles and (name, "reference") not in roles]
            message = f"It has no column {listed(told)}, which other files have: it was read without."
            result.notices += [Notice(one.file, message)] if told else []
    return out


def _claims(result: Found) -> list[Claim]:
    """What was said of all columns, also of those in tables that were refused."""
    refused = [one for one in result.problems if isinstance(one, Unclear) and not isinstance(one, Absent)]
    return [*result.claims, *(claim for one in refused for claim in one.claims)]


def _lacks(problem: Absent, named: Collection[str]) -> list[str]:
    """The names that are no headings of a table."""
    own = {words.normalised(claim.column) for claim in problem.claims}
    return [name for name in named if words.normalised(name) not in own]


# Which column of a file is the reference.


def as_reference(result: Found, given: Collection[str], read: ReadOne) -> dict[str, Settings]:
    """The roles by file of tables that were asked about, and one of whose columns is the reference of the outputs in other
    files. `given` are files that somebody called references: none of their columns is a system."""
    out = dict[str, Settings]()
    for problem in [one for one in result.problems if isinstance(one, Unclear) and not isinstance(one, Absent)]:
        file, right = str(problem.file), None
        if file in given or _has_labels(problem):
            right = _right(problem, _outputs(result.items, file), read, file in given)
        if right is not None and _texts(problem, right, read):
            out[file] = {"columns": "\n".join(_roles(problem.claims, right))}
            why = "of the file that was given as it" if file in given else "its words are those of the outputs"
            result.notices.append(Notice(file, f"{right} was read as the reference: {why}."))
        elif file in given:
            _ask(problem)
        elif _outputs(result.items, file):
            _confirm(problem, read)
    return out


def refuse_sources(result: Found, given: Collection[str]) -> None:
    """Add a problem for each file that was given as reference, and has texts that are like the outputs beside others that are
    not: all would be references."""
    for file in given:
        texts = [item for item in result.items if item.file == file and item.role == "system" and item.kind == "text"]
        outputs = _outputs(result.items, file)
        if len(texts) < 2 or not outputs:
            continue
        like = {item.name: max(doubts.shared(item, one) for one in outputs) for item in texts}
        most = max(like.values())
        unlike = [name for name, share in like.items() if share * UNLIKE < most] if most >= doubts.SHARED else []
        if unlike:
            message = f"Of its texts only {listed(set(like) - {*unlike})} is like the outputs, not {listed(unlike)}."
            none = " ".join(shlex.quote(f"{name}=ignored") for name in unlike)
            fix = f"All would be references. If {listed(unlike)} is none: --columns {none}."
            result.problems.append(ReadError(message, file, 1, fix))


def _outputs(items: Sequence[Item], file: str) -> list[Item]:
    """The texts of systems in other files."""
    return [item for item in items if item.role == "system" and item.kind == "text" and item.file != file]


def _has_labels(problem: Unclear) -> bool:
    """Whether exactly one column is the reference by its heading."""
    return sum(map(_says_right, problem.claims)) == 1


def _says_right(one: Claim) -> bool:
    return one.role == "reference" and (one.sure or one.reason.startswith(BY_HEADING))


def _right(problem: Unclear, outputs: Sequence[Item], read: ReadOne, given: bool) -> str | None:
    """The heading of the column that is right: the only one whose few words the outputs repeat; or, in a file that was
    `given` as reference, the only one whose heading says so. None where it is not known."""
    named = [one.column for one in problem.claims if _says_right(one)]
    tried = named if not given else [one.column for one in problem.claims if one.role in OF_TEXTS][:MOST_CANDIDATES]
    fitting = [name for name in tried if outputs and _repeats(outputs, _texts(problem, name, read))]
    if len(fitting) == 1:
        return fitting[0]
    named = named or [one.column for one in problem.claims if words.is_label(one.column)]
    named = named or [one.column for one in problem.claims if one.role in ("system", "text", "reference")]
    return named[0] if given and len(named) == 1 and not fitting else None


def as_predictions(result: Found, read: ReadOne) -> dict[str, Settings]:
    """The roles by file of tables of predicted numbers that were asked about, where these are labels such as the right ones."""
    right = [item.segments for item in result.items if item.role == "reference"]
    out = dict[str, Settings]()
    for problem in [one for one in result.problems if isinstance(one, Unclear)] if len(right) == 1 else ():
        open_ = [one.column for one in problem.claims if not one.sure]
        if len(open_) != 1 or not doubts.PREDICTED.fullmatch(open_[0]):
            continue
        labels = {"columns": f"{open_[0]}=text"}
        try:
            made = [item for item in read(str(problem.file), labels).items if item.role == "system"]
        except SigError:
            continue
        if len(made) == 1 and _repeats(made, right[0]):
            out[str(problem.file)] = labels
            message = f"The numbers in {open_[0]} were read as labels: they are those of the reference."
            result.notices.append(Notice(str(problem.file), message))
    if out:  # right numbers alone would be scores
        result.items = [replace(i, kind="text", measure="") if i.role == "reference" else i for i in result.items]
    return out


def _roles(claims: Sequence[Claim], right: str) -> list[str]:
    """What to say of the columns: one is the reference, and none that is open, might be a system, or asks in words, is
    another."""
    out = [f"{right}=reference"]
    for one in claims:
        asks = one.role == "question" and any(" " in cell.strip() for cell in one.cells)
        if one.column != right and (one.role in OPEN or asks or not one.sure):
            out.append(f"{one.column}={one.role if one.role == 'question' and not asks else 'ignored'}")
    return out


def _texts(problem: Unclear, name: str, read: ReadOne) -> Sequence[str]:
    """The cells of a column read as the reference; () where the file cannot be read so."""
    try:
        found = read(str(problem.file), {"columns": "\n".join(_roles(problem.claims, name))})
    except SigError:
        return ()
    return next((item.segments for item in found.items if item.role == "reference"), ())


def _repeats(outputs: Sequence[Item], right: Sequence[str]) -> bool:
    """Whether a few right words come again and again, and nearly all cells of each output are among them."""
    known = {cell.strip() for cell in right}
    few = 1 < len(known) <= MOST_LABELS and TIMES * len(known) <= len(right)
    return few and all(
        sum(cell.strip() in known for cell in item.segments) >= SAME * len(item.segments) for item in outputs
    )


def _ask(problem: Unclear) -> None:
    """Ask which column of a file that was given as reference it is: none is a system."""
    guessed = [one.column for one in problem.claims if one.role == "reference"]
    texts = [one.column for one in problem.claims if one.role in ("system", "text")]
    likely = next(iter([*guessed, *reversed(texts)]), "")
    if not likely:
        return
    others = [name for name in (*guessed, *texts) if name != likely]
    problem.claims = tuple(_no_system(one, likely) for one in problem.claims)
    problem.why = "Which of its columns is the reference?"
    instead = f" (or {listed(others)} in place of it)" if others else ""
    problem.fix = f"Say it: --columns {shlex.quote(f'{likely}=reference')}{instead}."


def _confirm(problem: Unclear, read: ReadOne) -> None:
    """Let a command confirm the one column that may be the reference of the outputs in other files, in a file without systems."""
    guessed = [one.column for one in problem.claims if one.role == "reference"]
    others = any(one.role in ("system", "text", "score", "winner") for one in problem.claims)
    if len(guessed) == 1 and not others and not problem.plan and _texts(problem, guessed[0], read):
        parts = " ".join(map(shlex.quote, _roles(problem.claims, guessed[0])))
        problem.fix = f"{CONFIRM} --columns {parts}. If not, give other roles."


def _no_system(one: Claim, likely: str) -> Claim:
    """The claim on a column of a file that was given as reference."""
    if one.column == likely:
        return replace(one, role="reference", reason="only a guess", basis="guess")
    return replace(one, role="ignored", reason="beside the reference") if one.role in ("system", "text") else one


def merged(options: Mapping[str, object], more: Settings) -> Settings:
    """The options with further roles of columns; what somebody said stays."""
    lines = [line for one in (options, more) for line in str(one.get("columns") or "").split("\n") if line.strip()]
    return {**options, "columns": "\n".join(lines)}
