"""Plain text with one segment per line, or one score per line: the fallback for all other files."""

from __future__ import annotations

from sigcore.formatting import count
from sigcore.proof import parsed
from sigcore.readers import lines, names
from sigcore.readers.contract import FALLBACK, Content, Found, Item, Notice, Options, Reader
from sigcore.readers.tables import numbers as scores
from sigcore.readers.tables import said
from sigcore.registry import Option
from sigcore.types import Kind, Role


def _read(content: Content, options: Options) -> Found:
    file, role = content.file, names.guess_role(content.file)
    changed, notices = _as_numbers(content, role, options)
    segments = changed or content.lines
    kind: Kind = "scores" if changed or _are_scores(content, role, options) else "text"
    why = "; not data, judging by its name" if role == "ignored" else ""
    note = f"{kind}, {count(len(segments), 'segment')}{why}"
    measure, name = names.measure_in_name(file) if kind == "scores" else ("", names.display_name(file))
    # COMET-refA names the reference that was used
    role = "system" if measure and role == "reference" else role
    if role != "ignored":
        notices += lines.empty_notice(file, segments)
    better = said.said(options).better if kind == "scores" else ""
    return Found(items=[Item(name, role, kind, segments, file, note, measure=measure, better=better)], notices=notices)


def _as_numbers(content: Content, role: Role, options: Options) -> tuple[tuple[str, ...], list[Notice]]:
    """The lines as numbers with decimal points, if they have commas or are true and false and may be scores; else ()."""
    file = content.file
    if options["holds"] == "text" or role not in ("system", "reference"):
        return (), []
    found, how = scores.as_numbers(file, content.lines)
    return found, [Notice(file, f"{how[:1].upper()}{how[1:]}.")] if found else []


def _are_scores(content: Content, role: Role, options: Options) -> bool:
    if options["holds"] == "automatic":
        return role in ("system", "reference") and scores.are_scores(content.file, content.lines)
    return options["holds"] == "scores"


READER = Reader(
    name="plain",
    title="plain text",
    kinds=("text", "scores"),
    looks=lambda content: FALLBACK,
    read=_read,
    options=(
        Option(
            "holds",
            "automatic",
            choices=("automatic", "text", "scores"),
            help="What the lines are; automatic reads a file that contains only numbers as scores.",
        ),
        said.BETTER,
    ),
    help="One segment, or one score, per line.",
    example=("One.en", "The ferry leaves at nine.\nIt rains.\n"),
    proof=parsed(("system", "One", ("The ferry leaves at nine.", "It rains."))),
)
