"""What must hold for any input: no exception, sound items, every file accounted for, and no line without a trace."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import get_args

from sigcore.errors import ReadError, SigError
from sigcore.readers import Choice, Intake, Item, Limits, read
from sigcore.types import Kind, Role
from tests.fuzz.inputs import Input

LIMITS = Limits(total_bytes=1 << 20, members=50)
WORD = re.compile(r"\w+")
MARKER = re.compile(r"q[0-9]{1,9}z")  # in words that are nowhere else (inputs.marked)
MARKUP = re.compile(r"<[^<>]*>|&[^\s;]*;")
# one line, one segment: the number of segments is the number of lines
LINE_BY_LINE = frozenset({"plain", "docs", "talp", "pharaoh", "utterances"})
TABLES = frozenset({"tsv", "csv"})
COMMENTS = {"conll": "#", "tagged": ("#", "-DOCSTART-"), "aligned": "sentence "}  # lines about the sentences
NOT_COMPARED = frozenset({"published", ""})  # set aside as a whole, with a line on the page; not read
RESPELT = frozenset({"naacl", "talp", "pharaoh"})  # links are written in one way, counted from 0
COUNTED = frozenset(
    {"evalb", "rouge155", "tag_columns", "tag_lines", "outcomes", "blocks"}
)  # what is read of a sentence are counts, or tags alone
# formats with columns, or lines for the whole test set, that are never used; in logs of fairseq H- where there is D-
SELECTIVE = frozenset({"conll", "tagged", "entities", "trec", "mqm", "comet_score", "wmt_metrics", "fairseq"})
NOT_USED = re.compile("left out|[Nn]ot used|only counts the rows|not counted for|the first of the hypotheses|are not")
HEADED = frozenset({"mqm"})  # the headings are those of the format, and in no notice
MARKED_UP = frozenset({"wmt_sgm", "wmt_xml", "appraise_xml"})


def faults(given: Input, forced: bool = True) -> list[str]:
    """What is wrong with the way in which this input is read; [] for nothing."""
    every = Choice(given.reader) if given.reader and forced else None
    try:
        intake = read(given.files, limits=LIMITS, every=every)
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]
    return [*unsound(intake), *unaccounted(given, intake), *losses(intake)]


def unsound(intake: Intake) -> Iterator[str]:
    """Items without a name, segments or a known role; problems that do not explain themselves."""
    for item in intake.items:
        if not item.name.strip() or not item.segments:
            yield f"An item of {item.file!r} has no name or no segments."
        if item.role not in get_args(Role) or item.kind not in get_args(Kind):
            yield f"{item.file!r} has the role {item.role!r} and the kind {item.kind!r}."
        if item.keys and len(item.keys) != len(item.segments):
            yield f"{item.file!r} has {len(item.keys)} ids for {len(item.segments)} segments."
    for problem in intake.problems:
        if (
            not isinstance(problem, SigError)
            or not problem.what.strip()
            or not (problem.where or getattr(problem, "file", ""))
        ):
            yield f"A problem does not explain itself: {problem!r}"


def unaccounted(given: Input, intake: Intake) -> Iterator[str]:
    """A file that is in no item, notice or problem."""
    parts = (
        len(intake.items)
        + len(intake.judgments)
        + len(intake.preferences)
        + len(intake.groups)
        + len(intake.problems)
        + len(intake.notices)
    )
    if given.files and not parts:
        yield "The files gave nothing at all."
    for one in intake.detected:
        about = " ".join(
            one_of.file for one_of in (*intake.items, *intake.judgments, *intake.preferences, *intake.notices)
        )
        about += " ".join(f"{getattr(problem, 'file', '')} {problem.where}" for problem in intake.problems)
        if one.file not in about and not intake.groups:
            yield f"{one.file!r} is in nothing that was read or reported."


def losses(intake: Intake) -> Iterator[str]:
    """Files of which a part is gone without a notice or a problem, where that can be said."""
    for one in intake.detected:
        items = [item for item in intake.items if item.file == one.file]
        aside = any(item.role == "ignored" for item in items)
        if (
            aside
            or one.reader in NOT_COMPARED
            or excused(one.file, intake)
            or not (items or intake.judgments or intake.preferences)
        ):
            continue
        lines = text_of(one.data).replace("\r\n", "\n").removesuffix("\n").split("\n")
        if one.reader == "utterances":  # an utterance has an id, so an empty line is none
            lines = [line for line in lines if line.strip()]
        if one.reader in LINE_BY_LINE and any(len(item.segments) != len(lines) for item in items):
            yield f"{one.file!r} has {len(lines)} lines, and {[len(item.segments) for item in items]} segments."
        if one.reader in TABLES:
            yield from short_columns(one.file, lines, items)
        if one.reader in RESPELT | COUNTED:
            continue
        if one.reader in MARKED_UP:  # a tag may be on several lines
            lines = MARKUP.sub(lambda tag: "\n" * tag[0].count("\n") or " ", "\n".join(lines)).split("\n")
        seen, comment = words_of(one.file, intake, items), COMMENTS.get(one.reader)
        for number, line in enumerate(lines, 1):
            if (comment and line.startswith(comment)) or (number == 1 and one.reader in HEADED):
                continue
            present = set(WORD.findall(line))
            if present and not present & seen:
                yield f"Line {number} of {one.file!r} left no trace ({one.reader}): {line[:80]!r}"
            if one.reader not in SELECTIVE and (lost := {*MARKER.findall(line)} - {*MARKER.findall(" ".join(seen))}):
                yield f"Line {number} of {one.file!r} lost {sorted(lost)} ({one.reader}): {line[:80]!r}"


def text_of(data: bytes) -> str:
    """The text by its byte order mark; what is not UTF-8 is a problem of the file, and never comes here."""
    marks = {"utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE), "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)}
    codec = next((codec for codec, either in marks.items() if data.startswith(either)), "utf-8-sig")
    return data.decode(codec)


def excused(file: str, intake: Intake) -> bool:
    """Whether it was said that a part of the file, or all of it, was not used."""
    notices = (notice.message for notice in intake.notices if notice.file == file)
    return (
        any(problem.file in ("", file) for problem in intake.problems if isinstance(problem, ReadError))
        or any(NOT_USED.search(message) for message in notices)
        or any(not isinstance(problem, ReadError) for problem in intake.problems)
    )


def short_columns(file: str, lines: list[str], items: list[Item]) -> Iterator[str]:
    """Columns of a table in wide form that have fewer segments than the table has rows below its header."""
    quoted = any('"' in line for line in lines)  # then a row may have several lines
    rows = sum(bool(line.strip()) for line in lines)
    for item in items:
        # a column of tasks has a part in each test set
        parts = [one for one in items if (one.name, one.measure) == (item.name, item.measure)]
        size = sum(len(one.segments) for one in parts)
        if item.note.startswith("a column of a table") and not quoted and size < rows - 1:
            yield f"{file!r} has {rows} lines; its column {item.name!r} has {size} segments."


def words_of(file: str, intake: Intake, items: list[Item]) -> set[str]:
    """All words of what was read from the file, and of the notices about it."""
    texts = [word for item in items for word in (item.name, item.measure, item.testset, item.group)]
    texts += [text for item in items for text in (*item.segments, *item.keys)]
    texts += [notice.message for notice in intake.notices if notice.file == file]
    for part in intake.judgments:
        if part.file == file:
            texts += [str(cell) for column in (part.system, part.segment, part.judge, part.document) for cell in column]
    texts += [text for pair in (*intake.groups.items(), *intake.kinds.items()) for text in pair]
    return {word for text in texts for word in WORD.findall(text)}
