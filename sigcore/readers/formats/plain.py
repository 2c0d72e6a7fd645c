"""Plain text with one segment per line, or one score per line: what a file is when it looks like nothing else."""

from __future__ import annotations

from sigcore.readers import lines, names, scores
from sigcore.readers.contract import FALLBACK, Content, Found, Item, Options, Reader


def _looks(content: Content) -> int:
    return FALLBACK


def _read(content: Content, options: Options) -> Found:
    file, segments = content.file, content.lines
    role = names.guess_role(file)
    kind = "scores" if role in ("system", "reference") and scores.are_scores(file, segments) else "text"
    count = "1 segment" if len(segments) == 1 else f"{len(segments)} segments"
    note = f"{kind}, {count}" + ("; no data by its name" if role == "ignored" else "")
    item = Item(names.display_name(file), role, kind, segments, file, note)
    told = lines.empty_notice(file, segments) if role != "ignored" else []
    return Found(items=[item], notices=told)


READER = Reader(
    name="plain",
    title="plain text",
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    help="One segment, or one score, per line.",
    example=("One.en", "The ferry leaves at nine.\nIt rains.\n"),
)
