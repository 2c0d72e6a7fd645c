"""Plain text with one segment per line, or one score per line: the fallback for all other files."""

from __future__ import annotations

from sigcore.readers import lines, names
from sigcore.readers.contract import FALLBACK, Content, Found, Item, Notice, Options, Reader
from sigcore.readers.tables import numbers as scores
from sigcore.readers.tables import said
from sigcore.registry import Option
from sigcore.types import Kind, Role


def _looks(content: Content) -> int:
    return FALLBACK


def _read(content: Content, options: Options) -> Found:
    file, segments = content.file, content.lines
    role, notices = names.guess_role(file), list[Notice]()
    pointed = _with_points(content, role, options)
    if pointed:
        notices.append(Notice(file, "Its decimal commas were read as points."))
        segments = pointed
    truths = scores.truths(segments) if options["holds"] != "text" and role in ("system", "reference") else ()
    if truths:
        notices.append(Notice(file, "Its lines true and false were read as 1 and 0."))
        segments = truths
    kind: Kind = "scores" if pointed or truths or _are_scores(content, role, options) else "text"
    count = "1 segment" if len(segments) == 1 else f"{len(segments)} segments"
    note = f"{kind}, {count}" + ("; not data, judging by its name" if role == "ignored" else "")
    measure, name = names.measure_in_name(file) if kind == "scores" else ("", names.display_name(file))
    # COMET-refA names the reference that was used
    role = "system" if measure and role == "reference" else role
    if role != "ignored":
        notices += lines.empty_notice(file, segments)
    better = said.said(options).better if kind == "scores" else ""
    return Found(items=[Item(name, role, kind, segments, file, note, measure=measure, better=better)], notices=notices)


def _with_points(content: Content, role: Role, options: Options) -> tuple[str, ...]:
    """The lines with decimal points, if they are numbers with commas and may be scores; else ()."""
    may_be = options["holds"] != "text" and role in ("system", "reference")
    return scores.with_points(content.file, content.lines) if may_be else ()


def _are_scores(content: Content, role: Role, options: Options) -> bool:
    if options["holds"] == "automatic":
        return role in ("system", "reference") and scores.are_scores(content.file, content.lines)
    return options["holds"] == "scores"


READER = Reader(
    name="plain",
    title="plain text",
    kinds=("text", "scores"),
    looks=_looks,
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
)
