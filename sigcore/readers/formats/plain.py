"""Plain text with one segment per line, or one score per line: the fallback for all other files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.proof import parsed
from sigcore.readers import lines, names, reports
from sigcore.readers.contract import (
    BY_ITS_NAME,
    BY_LINES,
    FALLBACK,
    OF_TASKS,
    Content,
    Found,
    Item,
    Notice,
    Options,
    Reader,
    described,
    options_of,
)
from sigcore.readers.contract import scores as scores_of
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import markdown, said
from sigcore.readers.tables import numbers as scores
from sigcore.types import Kind, Role

NUMBERED = re.compile(r"Segment (\d+) score:\s+([-\d.eE]+)")  # as METEOR prints it
# a sentence in the table of tercom: its id, four kinds of edits, words that moved, edits, words, TER
EDITED = re.compile(r"(\S+)\s*\|(?:\s*\d+\s*\|){5}\s*[\d.]+\s*\|\s*[\d.]+\s*\|\s*([\d.]+)")
TERCOM, TOTAL = re.compile(r"Sent Id\s*\|.*\|\s*TER\s*|Hypothesis File: .*"), "TOTAL"
EDITS = re.compile(r"(\S+) [\d.]+ [\d.]+ ([\d.]+)")  # a sentence in its shorter report: edits, words, TER
FEWEST_NUMBERED, ABOVE = 3, 20  # scores, and lines in which the first of them stands


def _looks(content: Content) -> int:
    """Nothing else may fit; lines of METEOR and of tercom are known."""
    return BY_LINES if any(map(TERCOM.fullmatch, content.lines[:ABOVE])) or _numbered(content.lines) else FALLBACK


def _read(content: Content, options: Options) -> Found:
    file, role = content.file, names.guess_role(content.file)
    if any(map(TERCOM.fullmatch, content.lines[:ABOVE])):
        return _of_tercom(content)
    changed, notices = _as_numbers(content, role, options)
    if options["holds"] == "automatic" and not changed and role in ("system", "reference"):
        reports.refuse(content)
        reports.refuse_numbers(content)
    segments = changed or _without_numbers(content, notices)
    kind: Kind = "scores" if changed or _are_scores(content, role, options) else "text"
    note = f"{kind}, {count(len(segments), 'segment')}"
    note = _aside(content, note) if role == "ignored" else note
    measure, name = _named(content) if kind == "scores" else ("", names.display_name(file))
    # COMET-refA names the reference that was used
    role = "system" if measure and role == "reference" else role
    if role != "ignored":
        notices += lines.empty_notice(file, segments)
    better = said.said(options).better if kind == "scores" else ""
    item = Item(name, role, kind, segments, file, note, measure=measure, better=better)
    return Found(items=[item], notices=[*notices, *_unnamed(item, changed, options)])


def _aside(content: Content, note: str) -> str:
    """What a file holds that is no data by its name; more than its size where it has a table."""
    if markdown.are_of_tasks(content):
        return OF_TASKS
    return "; ".join(filter(None, (note, BY_ITS_NAME, markdown.long_table(content))))


def _unnamed(item: Item, changed: Sequence[str], options: Options) -> list[Notice]:
    """A notice on scores of no measure, where neither somebody nor the file says that its numbers, which were not `changed`, are
    some."""
    named = (
        changed
        or options["holds"] != "automatic"
        or item.measure
        or re.search(r"scores?\b", names.base_name(item.file), re.IGNORECASE)
    )
    if item.kind != "scores" or named:
        return []
    message = "Each line is a number, which was read as the score of its segment. Predicted values need the right ones."
    return [Notice(item.file, message)]


def _without_numbers(content: Content, notices: list[Notice]) -> tuple[str, ...]:
    """The lines without the number from 0 or 1 on above each of them, which is noted; other lines as they are."""
    above, n = content.lines[::2], len(content.lines) // 2
    if n < FEWEST_NUMBERED or 2 * n < len(content.lines) or above[0] not in ("0", "1"):
        return content.lines
    if any(line != str(int(above[0]) + k) for k, line in enumerate(above)):
        return content.lines
    notices.append(
        Notice(content.file, f"Above each of its {count(n, 'line')} stands its number, which is no text: left out.")
    )
    return content.lines[1::2]


def _of_tercom(content: Content) -> Found:
    """The TER of each sentence in an output of tercom (.sum or .ter), without the sum of all."""
    texts = [line.strip() for line in content.lines]
    found = [match.groups() for text in texts if (match := EDITED.fullmatch(text) or EDITS.fullmatch(text))]
    rows = [(name, score) for name, score in found if name != TOTAL]
    if not rows:
        raise ReadError("It has no sentences, only sums.", content.file, fix="Load the complete output of tercom.")
    keys, cells = zip(*rows, strict=True)
    name = names.measure_in_name(re.sub(r"\.(?:sum|ter)$", "", content.file, flags=re.IGNORECASE))[1]
    item = scores_of(content.file, name, cells, f"tercom, {count(len(cells), 'segment')}", "TER", "", keys)
    return Found(
        items=[item], notices=[Notice(content.file, f"It has the TER of {count(len(cells), 'sentence')} (tercom).")]
    )


def _as_numbers(content: Content, role: Role, options: Options) -> tuple[tuple[str, ...], list[Notice]]:
    """The lines as numbers with decimal points, if they have commas or are true and false and may be scores; else ()."""
    file = content.file
    if options["holds"] == "text" or role not in ("system", "reference"):
        return (), []
    if numbered := _numbered(content.lines):
        return numbered, [Notice(file, f"It has {count(len(numbered), 'line')} with the score of a segment (METEOR).")]
    if heading := _heading(content):
        return content.lines[1:], [Notice(file, f"Its first line is a heading: {heading}.", 1)]
    found, how = scores.as_numbers(file, content.lines)
    return found, [Notice(file, f"{how[:1].upper()}{how[1:]}.")] if found else []


def _named(content: Content) -> tuple[str, str]:
    """The measure by the heading or the name of the file, and the name of the system."""
    measure, name = names.measure_in_name(content.file)
    heading = _heading(content)
    return (measure if not heading or words.is_value(heading) else heading), name


def _heading(content: Content) -> str:
    """The name of a measure above nothing but numbers, as a data frame of one column is written; "" where there is none."""
    first, *rest = content.lines
    named = words.is_measure(heading := names.clean(first).strip('"')) or words.is_value(heading)
    return heading if named and len(rest) > 1 and all(map(scores.is_number, rest)) else ""


def _numbered(texts: Sequence[str]) -> tuple[str, ...]:
    """The scores in lines that number them from 1, below what METEOR says of itself and above its statistics; () for fewer
    than three, and where one is missing or in another place."""
    if not any(NUMBERED.fullmatch(text.strip()) for text in texts[:ABOVE]):
        return ()
    found = [match for text in texts if (match := NUMBERED.fullmatch(text.strip()))]
    in_order = [int(match[1]) for match in found] == list(range(1, len(found) + 1))
    return tuple(match[2] for match in found) if in_order and len(found) >= FEWEST_NUMBERED else ()


def _are_scores(content: Content, role: Role, options: Options) -> bool:
    if options["holds"] == "automatic":
        return role in ("system", "reference") and scores.are_scores(content.file, content.lines)
    return options["holds"] == "scores"


READER = Reader(
    **described("plain"),
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    options=(
        *options_of("plain"),
        said.BETTER,
    ),
    proof=parsed(("system", "One", ("The ferry leaves at nine.", "It rains."))),
)
