"""Readers: files to named streams of segments, with all problems of the files."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from sigcore.errors import ReadError, SigError
from sigcore.formatting import listed
from sigcore.readers import (
    archives,
    each_one,
    edits,
    folders,
    gold,
    lacking,
    lines,
    names,
    own_references,
    persons,
    pieces,
    recipe,
    reordered,
    rivals,
    shared,
    sheets,
    shelves,
    timed,
    together,
    trial,
)
from sigcore.readers.contract import (
    BY_ITS_NAME,
    FALLBACK,
    IN_HTML,
    PARTS_OF_TABLES,
    SHARED,
    WHY,
    Claim,
    Content,
    Detected,
    Found,
    Intake,
    Item,
    Limits,
    Notice,
    Part,
    Reader,
)
from sigcore.readers.kbest import read_kbest, read_weights
from sigcore.readers.known import finished_grid, known_sets, load_files, load_known, sample_candidates, sample_names
from sigcore.readers.lines import evened
from sigcore.readers.names import (
    Given,
    clean,
    display_name,
    files_apart,
    guess_testset,
    of_segment,
    same_pair,
    with_roles,
)
from sigcore.readers.tables import answers, cells, likeness, said, shapes
from sigcore.readers.tables.answers import Answered
from sigcore.readers.tables.choices import LETTER, letter_of, says_letter
from sigcore.readers.tables.headings import QUESTIONS, normalised
from sigcore.readers.tables.headings import is_field as is_cost
from sigcore.readers.tables.numbers import Scale, is_copy, is_missing, is_number, is_often, parsed, scale, times
from sigcore.readers.tables.numbers import different as different_scales
from sigcore.readers.tables.said import said_columns
from sigcore.readers.tables.unclear import Nameless, Unclear, with_all_words
from sigcore.readers.together import belonging
from sigcore.readers.trial import offers, parts
from sigcore.registry import member
from sigcore.registry import members as _members
from sigcore.types import KINDS, ROLES, Value

PUBLISHED = "published"  # the reader of results that others published
OF_NUMBERS = ("scores", "statistics", "rankings")  # kinds whose scores do not depend on the letters of a file
SUMMARY = "harness_summary"  # that of results of whole runs

# Formats that look like text but are not: reading one segment per line would be wrong without any warning.
TABLES = ("csv", "tsv", "tab")  # endings of tables whose first row has headings
IN_ROWS = (*TABLES, "xlsx", "ods")  # the sheets of a workbook are unpacked to CSV
MARKED_UP = ("xml", "sgm", "sgml", "html", "htm", "xhtml", "xlf", "xliff", "tmx", "ttml")


class Choice(NamedTuple):
    """How a file is to be read: by this reader, with these options. The surest reader (None) takes those that it has."""

    reader: str | None = None
    options: Mapping[str, object] = MappingProxyType({})


def members() -> dict[str, Reader]:
    """All readers by name."""
    return _members("sigcore.readers.formats", "READER")


def get(name: str) -> Reader:
    """The reader of that name.

    Raises: UnknownMember, with the nearest names.
    """
    reader: Reader = member("sigcore.readers.formats", "READER", "reader", name)
    return reader


def read(
    files: Iterable[tuple[str, bytes]],
    keep_bom: bool = False,
    limits: Limits | None = None,
    chosen: Mapping[str, Choice] | None = None,
    roles: Given = (),
    every: Choice | None = None,
) -> Intake:
    """Everything in the files, given as (name, bytes): any known format, a .gz of one file, a .zip of many.

    Problems are collected, never raised: a bad file does not prevent the others from being read.
    `keep_bom` leaves a byte order mark in the first segment; `limits` bounds what archives unpack to; `chosen` says how
    to read a file (by its name in the intake), `every` how to read all others; `roles` are the roles that the user gave
    to files, folders or archives.
    """
    files, result = list(files), Found()
    plain = timed.sorted_in(folders.gathered(_unpacked(result, files, limits or Limits())))
    chosen = chosen or {}
    plain = _joined(result, plain, roles)
    if not any(reader for reader, _ in (*chosen.values(), every or Choice())):
        plain = _summaries(result, plain, keep_bom)
    # a browser omits the folders of files
    labels = files_apart(file for file, _ in plain)
    each = zip(plain, labels, strict=True)
    detected = tuple(
        _read_one(result, _content(label, data, keep_bom), chosen.get(file, every)) for (file, data), label in each
    )
    if every is not None and every.reader is None:
        _refuse_unused(result, every.options, detected)
    detected = _once_more(result, detected, every, (set(chosen), names.of_role(labels, roles, "reference")), keep_bom)
    _set_aside(result)
    items, problems = with_roles(result.items, roles, [getattr(problem, "file", "") for problem in result.problems])
    items, refused = _without_summaries(items)
    other = _other_than_published(items, plain, set(chosen), keep_bom)
    if other:
        return read(files, keep_bom, limits, {**chosen, **other}, roles, every)
    people = _people(every, chosen)
    problems += persons.unknown(people, labels)
    items, whole = pieces.joined(items)
    items, belong = together.belonging(items, people)
    items, alike = shared.shared(items)
    items, own, unclear = own_references.told_apart(items, names.of_role(labels, roles, "reference"))
    problems += [*unclear, *together.alike(items), *persons.unnamed(items), *shared.unexplained(items, result.notices)]
    items, notices = folders.named_apart(folders.once(items))
    problems += rivals.asked(items, names.of_role(labels, roles, "system"))
    ratings, judged = persons.joined(result.judgments, people)
    return Intake(
        tuple(items),
        (*result.notices, *whole, *belong, *alike, *own, *notices, *judged),
        (*likeness.of_predictions(result.problems, items, result.claims), *problems, *refused),
        detected,
        tuple(ratings),
        tuple(result.preferences),
        result.groups,
        result.kinds,
        tuple(dict.fromkeys(result.claims)),
    )


def _joined(result: Found, plain: list[tuple[str, bytes]], roles: Given) -> list[tuple[str, bytes]]:
    """The plain files, in which what several files hold of one thing is in one."""
    counted = edits.counted(result, plain, names.of_role([file for file, _ in plain], roles, "reference"))
    return persons.unblinded(result, shelves.joined(result, counted))


def _set_aside(result: Found) -> None:
    """Set aside the sheets, and the files beside others, that are not compared."""
    sheets.set_aside(result)
    folders.set_aside_beside(result)


def _people(every: Choice | None, chosen: Mapping[str, Choice]) -> frozenset[str]:
    """The files or sheets of which somebody says that they are of one person each."""
    given = [choice[1].get(together.PEOPLE) or "" for choice in (every, *chosen.values()) if choice is not None]
    return frozenset(name for one in given for name in said.listed_in({together.PEOPLE: str(one)}, together.PEOPLE))


def _other_than_published(
    items: Sequence[Item], plain: Sequence[tuple[str, bytes]], chosen: set[str], keep_bom: bool
) -> dict[str, Choice]:
    """The reader for files that look like published results, although the user says that they are something else."""
    named = {item.file for item in items if item.reader == PUBLISHED and item.role != "ignored"} - chosen
    return {
        file: Choice(surest(_content(file, data, keep_bom), {PUBLISHED}).name) for file, data in plain if file in named
    }


def _without_summaries(items: Sequence[Item]) -> tuple[list[Item], list[SigError]]:
    """The items, with results of whole runs still ignored although the user says that they are systems, and the problems."""
    out, problems = list[Item](), list[SigError]()
    for item in items:
        if item.reader == SUMMARY and item.role != "ignored":
            message = f"It has {item.note.partition(';')[0]}, not scores of segments."
            problems.append(ReadError(message, item.file, fix="Load the scores of every segment: tests need them."))
            item = replace(item, role="ignored")
        out.append(item)
    return out, problems


def _unpacked(result: Found, files: Iterable[tuple[str, bytes]], limits: Limits) -> list[tuple[str, bytes]]:
    """The plain files in these files; notices and problems are added to `result`."""
    budget, plain = archives.Budget(limits), list[tuple[str, bytes]]()
    for name, data in files:
        unpacked = archives.unpack(name, bytes(data), budget)
        result.notices += unpacked.notices
        result.problems += unpacked.problems
        plain += unpacked.files
    return plain


def read_ratings(files: Iterable[tuple[str, bytes]], options: Mapping[str, object] | None = None) -> Intake:
    """The same as `read`, except that a file of either human ratings or scores of a metric is read as ratings.

    `options` are those of the readers of tables.
    """
    blind = Found()
    given = persons.unblinded(blind, [(name, bytes(data)) for name, data in files])
    first = read(given, every=Choice(options=options) if options else None)
    judged = _only_judged(first)
    without = {one.file for one in first.detected} - {part.file for part in first.judgments}
    # a table whose columns somebody names is read as he says, whatever it looked like before
    failed = {getattr(problem, "file", "") for problem in first.problems} if not options else set()
    # files that were read have a question about all of them together: are they of people?
    failed -= {item.file for item in first.items}
    asked = _asked(first) & failed & without
    again = _as_ratings(given, without - failed | asked, options, first)
    # what is asked of a table of scores may be plain for one of ratings; else the question stays
    unread = (asked & {getattr(problem, "file", "") for problem in again.problems}) - (
        _with_command(again) - _with_command(first)
    )
    read_as = _as_ratings(given, without - failed | asked - unread, options, first) if unread else again
    # what may be judgments of pairs may be ratings, too
    rated = judged if judged is not None and not read_as.judgments else sheets.without_texts(read_as, first.items)
    problems = (*blind.problems, *rated.problems)
    return replace(rated, notices=(*blind.notices, *rated.notices), problems=problems)


def _asked(intake: Intake) -> set[str]:
    """The files that are asked about, or whose rows have no names."""
    return {problem.file for problem in intake.problems if isinstance(problem, Unclear | Nameless)}


def _with_command(intake: Intake) -> set[str]:
    """The files of which a problem prints a command that says what columns are."""
    told = [problem for problem in intake.problems if trial.SAYS in problem.fix and not trial.BLANK.search(problem.fix)]
    return {getattr(problem, "file", "") for problem in told}


def _only_judged(first: Intake) -> Intake | None:
    """The intake of files that hold pairwise judgments, or are asked about as such, and nothing else; None for others."""
    asked = [one for one in first.problems if isinstance(one, Unclear) and any(c.role == "winner" for c in one.claims)]
    if first.items or first.judgments or not (first.preferences or asked):
        return None
    files = sorted({one.file for one in first.preferences} | {one.file for one in asked})
    message = "It holds pairwise judgments (which of two is better), not ratings."
    problems = [
        ReadError(message, file, 1, "Compare them with `sigboard pairwise`, or on the page Preferences.")
        for file in files
    ]
    return replace(first, problems=(*problems, *(one for one in first.problems if one not in asked)), preferences=())


def _as_ratings(
    given: list[tuple[str, bytes]], files: Collection[str], options: Mapping[str, object] | None, first: Intake
) -> Intake:
    """The intake with these files read as ratings; the first one without any."""
    return read(given, chosen={file: Choice("ratings", options or {}) for file in files}) if files else first


def _summaries(result: Found, files: list[tuple[str, bytes]], keep_bom: bool) -> list[tuple[str, bytes]]:
    """The files that are not summaries with one file per document; the summaries are read and added to `result`."""
    streams, rest = folders.gather(files)
    if not streams:
        return files
    used = {file for stream in streams.values() for file in stream.values()}
    contents = {file: _content(file, data, keep_bom) for file, data in files if file in used}
    try:
        result.add(folders.read(streams, contents))
    except SigError as problem:
        result.problems.append(problem)
    return rest


def _content(file: str, data: bytes, keep_bom: bool) -> Content:
    return Content(file, data, partial(lines.decode, keep_bom=keep_bom), lines.split)


def columns(file: str, data: bytes) -> dict[str, tuple[str, ...]]:
    """The columns of a table by their headings (CSV, TSV, JSON records, printed ones, logs); the lines of any other file, by its
    name.

    Raises: ReadError for bytes that are not text, and for rows of unequal length.
    """
    content = _content(file, data, False)
    reader = None if content.suffix in (*shapes.SUFFIXES, *IN_ROWS) else surest(content)
    if content.suffix in shapes.SUFFIXES:
        table, _ = shapes.read(content)
        headings, rows = table.headings, table.rows
    elif reader is not None and reader.table is not None and (found := reader.table(content)):
        headings, rows = list(found[0]), found[1:]
    elif reader is None or reader.name in TABLES:
        content, _, _ = cells.below_comments(content)
        read = cells.rows(content, cells.mark_of(content.lines[0], blanks=False)).without_blank()
        cells.refuse_ragged(read)
        headings, rows = [clean(cell) for cell in read.cells[0]], read.cells[1:]
    else:
        return {Path(file).stem: content.lines}
    return {name: tuple(row[k].strip() for row in rows) for k, name in enumerate(headings) if name}


def answered(file: str, data: bytes) -> list[Answered]:
    """What a log or a table says of each question: its prompt, the right answer, the answer; [] for other files.

    Raises: as `columns`.
    """
    content = _content(file, data, False)
    if content.text.lstrip()[:1] in ("{", "["):
        return [Answered(record) for record in answers.records(content)]
    if content.suffix not in IN_ROWS:
        return []
    table = columns(file, data)
    return [Answered(dict(zip(table, row, strict=True))) for row in zip(*table.values(), strict=True)]


def _recoded(content: Content, choice: Choice | None) -> tuple[Found, Detected] | None:
    """The content of a file that is not UTF-8, and what it was detected as, where it holds scores or votes alone: letters are names
    there. None for other files: the scores of text would depend on a guess."""
    if content.is_text:
        return None
    data, encoding = lines.recoded(content.data)
    other = replace(content, data=data)
    if not other.is_text:
        return None
    found = Found()
    detected = _read_one(found, other, choice)
    asked = any(isinstance(problem, Unclear) for problem in found.problems)
    used = [item for item in found.items if item.role not in ("ignored", "domains", "documents")]
    numbers = bool(used) and all(item.kind in OF_NUMBERS for item in used)
    message = f"It is not UTF-8. Its numbers do not depend on that, and its letters were read as {encoding}."
    found.notices.insert(0, Notice(content.file, message))
    known = numbers or found.judgments or found.preferences or (asked and not used)
    return (found, detected) if known else None


def _read_one(result: Found, content: Content, choice: Choice | None) -> Detected:
    """What one plain file was detected as; its content is added to `result`."""
    if (recoded := _recoded(content, choice)) is not None:
        result.add(recoded[0])
        return recoded[1]
    name, options, why = "", dict[str, Value](), ""
    reader: Reader | None = None
    try:
        reader = get(choice[0]) if choice and choice[0] else _of_roles(content, surest(content), choice)
        why = "as chosen" if choice and choice[0] else WHY.get(reader.looks(content), "")
        name, options = reader.name, reader.chosen(_options(reader, choice) if choice else None)
        part = reader.read(content, options)
        if (asked := trial.as_rows(content, reader, options, part)) is not None:
            raise asked
        part.items = [_placed(item, name) for item in part.items]
        part.notices[:0] = content.notices
        result.add(part)
    except SigError as problem:
        result.problems.append(problem if reader is None else trial.helped(content, reader, options, problem))
    return Detected(content.file, name, options, zlib.compress(content.data, 1), why)


def _of_roles(content: Content, reader: Reader, choice: Choice | None) -> Reader:
    """The reader of the file; of tables, where another one knows its program, and somebody says what its columns hold."""
    if not (choice and choice[1].get(OF_COLUMNS)) or OF_COLUMNS in {option.name for option in reader.options}:
        return reader
    with suppress(SigError):
        named = said.named({name: str(value) for name, value in choice[1].items()})
        own = {*map(normalised, columns(content.file, content.data))}
        if own.issuperset(map(normalised, named)):
            others = {
                one.name for one in members().values() if OF_COLUMNS not in {option.name for option in one.options}
            }
            return surest(content, others)
    return reader


OF_COLUMNS = "columns"  # the option that says what columns hold
MOST_ANSWERED = 3  # questions about a file, one after the other, to which the other files are the answer


def _once_more(
    result: Found, detected: Sequence[Detected], every: Choice | None, known: tuple[set[str], set[str]], keep_bom: bool
) -> tuple[Detected, ...]:
    """What each file was detected as, after some were read again: without columns that only others have, and with the
    reference of their outputs. `known` are the files for which somebody chose how, and those that were called references."""
    chosen, given = known
    out = {one.file: one for one in detected}

    def again_as(more: Mapping[str, together.Settings]) -> None:
        for file, options in more.items():
            result.problems = [one for one in result.problems if getattr(one, "file", "") != file]
            content = _content(file, out[file].data, keep_bom)
            out[file] = _read_one(result, content, Choice(out[file].reader, options))

    def only(file: str, options: together.Settings) -> Found:
        reader = get(out[file].reader)
        return reader.read(
            _content(file, out[file].data, keep_bom), reader.chosen(together.merged(out[file].options, options))
        )

    if every is not None:
        more = {file: said for file, said in lacking.absent(result, detected).items() if file not in chosen}
        again_as(more)
        lacking.refuse_nameless(result, detected, more)
    together.refuse_sources(result, given)
    again_as(_merged(out, each_one.beside_right(result, tuple(out.values()), given, columns)))
    again_as(_merged(out, together.as_reference(result, given, only)))
    again_as(_merged(out, together.as_predictions(result, only)))
    for _ in range(MOST_ANSWERED):
        again_as(_merged(out, shared.about_questions(result.problems, tuple(out.values()), columns)))
    gold.asked(result, tuple(out.values()), columns)
    again_as(_merged(out, reordered.keyed(result, tuple(out.values()), columns, only)))
    for file in reordered.with_ids(result.items):  # as others have them
        result.items = [item for item in result.items if item.file != file]
        out[file] = _read_one(result, _content(file, out[file].data, keep_bom), Choice("utterances"))
    each_one.offer(result.problems, only)
    with_all_words(result.problems)
    return tuple(out.values())


def _merged(known: Mapping[str, Detected], more: Mapping[str, together.Settings]) -> dict[str, together.Settings]:
    """The options of these files with further roles of columns."""
    return {file: together.merged(known[file].options, said) for file, said in more.items()}


def _options(reader: Reader, choice: Choice) -> Mapping[str, object]:
    """The options of a choice; of those for any detected reader, the ones that this reader has."""
    known = {option.name for option in reader.options}
    named, options = choice
    return options if named else {name: value for name, value in options.items() if name in known}


def _refuse_unused(result: Found, given: Mapping[str, object], detected: Sequence[Detected]) -> None:
    """Add a problem if no file has a reader that takes these options, which were given for the surest ones."""
    used = {option for one in detected for option in one.options}
    unused = [option for option in given if option not in used]
    if unused:
        known = listed(dict.fromkeys(members()[one.reader].title for one in detected if one.reader))
        what = f"The files were read as {known}, so" if known else "No file is a table or has scores, so"
        message = f"{what} this does not apply to any: {', '.join(unused)}."
        fix = "Leave it out, or set the format of the files (csv, tsv, jsonl, ratings)."
        result.problems.append(ReadError(message, "the files", fix=fix))


def _placed(item: Item, reader: str) -> Item:
    """The item with its reader, its test set, and a name without the test set's."""
    testset = item.testset or names.guess_testset(item.file)
    short = item.name.removeprefix(f"{testset}.") if testset else item.name
    return replace(item, reader=reader, testset=testset, name=short or item.name)


def surest(content: Content, without: Collection[str] = ()) -> Reader:
    """The reader that is surest about the file; of equally sure ones the first by name; none of `without`.

    Raises: ReadError for bytes that are not text, and for formats known by their suffix that have no reader.
    """
    content.text  # noqa: B018  (raises for bytes that are not text, before any reader looks)
    sure = {reader.name: reader.looks(content) for reader in members().values() if reader.name not in without}
    best = get(max(sure, key=lambda name: sure[name]))
    if sure[best.name] <= FALLBACK and content.suffix in MARKED_UP:
        message = f"{content.file} is marked-up text without segments in a known format."
        raise ReadError(message, content.file, fix="Save it as plain text with one segment per line, or as TSV.")
    return best


def load_sample(name: str, root: str | Path | None = None) -> Intake:
    """The sample of that name, read as if it had been dropped on the page; `root` is the folder of samples.

    Those of the package are read once in a process.

    Raises: UnknownMember, with the nearest names.
    """
    return _own_sample(name) if root is None else read(load_files(name, root))


@cache
def _own_sample(name: str) -> Intake:
    return read(load_files(name))
