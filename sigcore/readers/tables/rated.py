"""Ratings by people in a table: the one rule that distinguishes them from scores, and the roles of the columns."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Content, Notice, Options
from sigcore.readers.names import pattern
from sigcore.readers.tables import annotation, cells, layouts, long, numbers, printed, shapes, sums, wide_ratings
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.cells import Rows
from sigcore.readers.tables.table import OF_ROWS, Table
from sigcore.registry import Option

# The points of errors that people mark (MQM): by category and severity, or in the spans of a rating.

NO_ERROR = ("no-error", "no error", "neutral", "", "undecided")


def _points(name: str, default: float, help: str) -> Option:
    return Option(name, default, low=0.0, help=help)


POINTS = (
    _points("major", 5.0, "Points for a major error."),
    _points("minor", 1.0, "Points for a minor error."),
    _points("punctuation", 0.1, "Points for a minor punctuation error."),
    _points("non_translation", 25.0, "Points for a segment that is not a translation."),
    _points("critical", 10.0, "Points for a critical error, if there are any."),
)


def points_in(options: Options) -> str:
    """What each kind of error counts, in words: major 5.0, minor 1.0 ..."""
    return ", ".join(f"{option.name.replace('_', ' ')} {options.get(option.name)}" for option in POINTS)


def weight(category: str, severity: str, options: Options) -> float | None:
    """The points of one error; None if the severity is unknown."""
    category, severity = category.strip().lower(), severity.strip().lower()
    if category.startswith("non-translation"):
        name = "non_translation"
    elif severity in NO_ERROR or category in NO_ERROR[:2]:
        return 0.0
    elif severity == "trivial" or (severity == "minor" and category.endswith("punctuation")):
        name = "punctuation"
    else:
        name = severity if severity in ("minor", "major", "critical") else ""
    value = options.get(name)
    return float(value) if isinstance(value, int | float) else None


def of_spans(cell: str, options: Options) -> float | None:
    """The points of the errors in a JSON list of spans, each with its severity and perhaps error_type (or category).

    None for a cell that is not such a list, or that has a severity without points.
    """
    try:
        spans = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    if not isinstance(spans, list) or not all(isinstance(span, dict) and "severity" in span for span in spans):
        return None
    kinds = [str(span.get("error_type") or span.get("category") or "") for span in spans]
    points = [weight(kind, str(span["severity"]), options) for kind, span in zip(kinds, spans, strict=True)]
    return sum(value for value in points if value is not None) if None not in points else None


# A file of ratings or errors to a table with headings, with any separator or from JSON records.


def first_rows(content: Content) -> tuple[list[str], list[str]]:
    """The headings and the first row below them, as far as the first lines show them; ([], []) if they show none."""
    if shapes.are_records(content):
        return shapes.first_headings(content), []
    head = content.lines[0][: cells.LONGEST_HEAD]
    titled = bool(head.strip()) and layouts.is_title(cells.cut(head, cells.mark_of(head)))
    lines = content.lines[1:] if titled else content.lines
    first, second = (*lines[:2], "", "")[:2]
    if len(first) > cells.LONGEST_HEAD:
        return [], []
    mark = cells.mark_of(first)
    headings, row = (cells.cut(line[: cells.LONGEST_HEAD], mark) for line in (first, second))
    headings = annotation.renamed(headings)
    if mark == " ":  # spaces separate cells and not words if the first rows have equally many, with a number among them
        rows = [line.split() for line in content.lines[1 : cells.LOOKED_AT] if line.strip()]
        if not rows or any(len(row) != len(headings) for row in rows) or not any(map(numbers.is_number, rows[0])):
            return [], []
    return headings, row


def is_form(content: Content) -> bool:
    """Whether a file is an export of a form with two lines of headings (SurveyMonkey), with a time and several questions on the same
    systems (Google Forms), or of a known program in which people rate, or has a column for each clip."""
    head = content.lines[0][: cells.LONGEST_HEAD]
    headings = cells.cut(head, cells.mark_of(head))
    asked = annotation.are_responses(headings) or annotation.rates(headings) or wide_ratings.are_clips(headings)
    return asked or wide_ratings.are_of_a_form(headings)


# A rating of the VoiceMOS challenges, without headings: the system, a clip of it, the rating, something else, the listener.
LISTENED = re.compile(r"(\w+),(\1-[^,]+\.wav),(\d+(?:\.\d+)?),([^,]*),([^,]*)")


def of_listeners(content: Content) -> Table:
    """The ratings of clips by listeners in the layout of the VoiceMOS challenges.

    Raises: ReadError for a line of another form.
    """
    found = [(i, line, LISTENED.fullmatch(line.strip())) for i, line in enumerate(content.lines, 1) if line.strip()]
    for i, line, match in found:
        if match is None:
            message = f"line {i}: {line.strip()[:40]!r} is no rating of a clip."
            raise ReadError(
                message, content.file, i, "Write system, clip, rating, anything and listener in every line."
            )
    rows = [[match[1], match[2], match[3], match[5], "MOS"] for _, _, match in found if match]
    return Table(content.file, ["system", "segment", "score", "judge", "dimension"], rows, [i for i, _, _ in found])


def load_table(content: Content, start: str = "") -> tuple[Table, list[Notice]]:
    """The table in a file that has headings, of several the one at the line `start`, and notices on how it was read.

    Raises: ReadError for rows of unequal length, a quoted cell without an end, and text that is not JSON.
    """
    table, notices = shapes.rated_by_people(content) if shapes.are_records(content) else _of_cells(content, start)
    table = annotation.of_choices(annotation.of_tool(annotation.counting(table, notices), notices), notices)
    return annotation.of_files(annotation.by_place(table, notices), notices), notices


def _of_cells(content: Content, start: str) -> tuple[Table, list[Notice]]:
    """The table in a file that is not JSON, as `load_table`."""
    if content.suffix not in ("csv", "tsv") and (shown := printed.found(content, start)):  # as R writes it
        head, body = shown.rows[0], shown.rows[1:]
        return Table(content.file, list(map(names.clean, head)), body, shown.places[1:]), [
            Notice(content.file, shown.how)
        ]
    rows = cells.rows(content, cells.mark_of(content.lines[0])).without_blank()
    if not rows.cells:
        return Table(content.file, [], [], []), []
    rows, mixed = _without_mixture(content, rows)
    cells.refuse_ragged(rows)
    rows, notices = cells.without_margins(rows)
    notices = [*mixed, *notices]
    if first := layouts.below_title(rows.cells):
        message = f"Its headings are in line {rows.lines[first]}, below a title."
        notices.append(Notice(content.file, message, rows.lines[first]))
        rows = rows.kept(range(first, len(rows.cells)))
    rows = annotation.of_responses(annotation.of_survey(rows, notices), notices)
    rows = annotation.joined(rows, notices)
    return Table(content.file, list(map(names.clean, rows.cells[0])), rows.cells[1:], rows.lines[1:]), notices


def _without_mixture(content: Content, rows: Rows) -> tuple[Rows, list[Notice]]:
    """The rows; if TABs alone give them different numbers of cells, but TABs and spaces equal ones, cut at both (noted)."""
    if rows.mark != "\t" or all(len(row) == len(rows.cells[0]) for row in rows.cells):
        return rows, []
    used = [(number, line.split()) for number, line in enumerate(content.lines, 1) if line.strip()]
    if len({len(row) for _, row in used}) > 1:
        return rows, []
    message = "Its cells are separated by TABs and by spaces; it was cut at both."
    cut = Rows(rows.file, " ", [row for _, row in used], [number for number, _ in used])
    return cut, [Notice(content.file, message)]


# Lines of a system and its score, the segments of a system in order, as mt-metrics-eval writes scores and ratings.

NOT_SYSTEMS = ("synthetic_ref",)  # made of several references, for the metrics alone


def pair(line: str) -> tuple[str, str] | None:
    """(system, score) of a line, or None for another kind of line."""
    fields = line.split()
    if len(fields) != 2 or numbers.is_number(fields[0]):
        return None
    return (fields[0], fields[1]) if numbers.is_number(fields[1]) or numbers.is_missing(fields[1]) else None


def columns(content: Content) -> dict[str, list[str]]:
    """The scores of each system, "" where one is missing.

    Raises: ReadError for a line of another kind.
    """
    cells: dict[str, list[str]] = {}
    owners = _owners(content.lines)
    for number, line in enumerate(content.lines, 1):
        both = (owners[number - 1], line.strip()) if owners and _is_nameless(line) else pair(line)
        if both is None:
            message = f"line {number}: {line[:40]!r} is not a system followed by its score."
            raise ReadError(message, content.file, number, "Write: SYSTEM SCORE (None if a score is missing).")
        cells.setdefault(both[0], []).append("" if numbers.is_missing(both[1]) else both[1])
    return cells


def _is_nameless(line: str) -> bool:
    """Whether a line has no system, and no score."""
    return "\t" in line and len(line.split()) == 1 and numbers.is_missing(line.strip())


def _owners(lines: Sequence[str]) -> list[str]:
    """The system of each line in blocks of one length, where lines without a score name none; [] for other files."""
    if not any(map(_is_nameless, lines)):
        return []
    named = [("" if _is_nameless(line) else line.split()[0]) if line.strip() else "" for line in lines]
    systems = list(dict.fromkeys(filter(None, named)))
    size, rest = divmod(len(lines), max(len(systems), 1))
    blocks = [{*named[k * size : (k + 1) * size]} - {""} for k in range(len(systems))]
    whole = not rest and blocks == [{system} for system in systems]
    return [system for system in systems for _ in range(size)] if whole else []


def pairs_table(content: Content) -> Table:
    """The scores as ratings with a row each: the system, the number of the segment, the score.

    Raises: ReadError for a line of another kind.
    """
    rows = [
        [system, str(i), score]
        for system, scores in columns(content).items()
        for i, score in enumerate(scores, 1)
        if system not in NOT_SYSTEMS
    ]
    return Table(content.file, ["system", "segment", "score"], rows, range(1, len(rows) + 1))


RatingColumn = Literal[
    "system", "segment", "score", "z", "judge", "document", "dimension", "type", "source language", "target language", "task",
]  # fmt: skip
Type = Literal["ordinary", "repeat", "reference", "degraded"]

_WORDS: dict[Type, tuple[str, ...]] = {
    "ordinary": ("", "system", "tgt", "ordinary"),
    "repeat": ("repeat", "chk"),
    "reference": ("ref", "reference"),
    "degraded": ("bad_ref", "bad", "badref", "degraded"),
}
TYPES = {word: kind for kind, words_of in _WORDS.items() for word in words_of}
HUMAN = re.compile(r"(?:^|[^a-z])(?:human|assess\w*|judge?ments?|ratings?|da|esa|sqm|mqm)(?:[^a-z]|$)", re.IGNORECASE)
ROW_NUMBERS = ("id", "uid", "index", "idx")  # segments, or only the rows
QUESTIONS = ("item", "question")
MOST_DIMENSIONS, LONGEST_DIMENSION = 20, 40
TESTSET = re.compile(r"(?:wmt|newstest|generaltest)[0-9]{2,4}\.(?=[^.])", re.IGNORECASE)
CODE = re.compile(r"[A-Za-z]{2,3}")


NO_SYSTEM = " Practice items without one are left out where it is said which column names it: --system-field NAME. In merged cells, "
NO_SYSTEM += "write the name in each row."


def refuse_rows(
    file: str, lines: Sequence[int], systems: Sequence[str], segments: Sequence[str], documents: Sequence[str]
) -> None:
    """Raise ReadError for the first rating that does not name its system, or neither its segment nor its document, or that
    is a mean or a total of others, or whose system is a list of several."""
    for line, system, segment, document in zip(lines, systems, segments, documents, strict=True):
        lacking = "system" if not system else "segment" if not (segment or document) else ""
        if lacking:
            fix = f"Name the {lacking} of every rating, or leave the line out."
            fix += NO_SYSTEM * (not system)
            raise ReadError(f"A rating names no {lacking}.", file, line, fix)
    sums.refuse(file, segments, lines)
    sums.refuse_lists(file, systems, lines)


def are_ratings(file: str, headings: Sequence[str], row: Sequence[str] = ()) -> bool:
    """Whether a table contains ratings by people, and not scores of systems by a metric.

    Both have columns for the system, the segment and a score. A column of judges makes them ratings. Without one, a
    column that names measures or contains outputs makes them scores; a column of z scores, a type of rating in the first
    row, or a word such as ratings, human or DA in the name of the file makes them ratings. All others are scores.
    """
    meanings = {words.meaning(heading) for heading in headings}
    if not has_needed(headings):
        return False
    if "judge" in meanings:
        return True
    if meanings & {"measure", "text"}:
        return False
    return "z" in meanings or _is_typed(headings, row) or HUMAN.search(names.base_name(file)) is not None


def has_needed(headings: Sequence[str]) -> bool:
    """Whether there are columns for the system, the segment and a score."""
    meanings = {words.meaning(heading) for heading in headings}
    named: tuple[set[words.Meaning], ...] = ({"system"}, {"segment", "perhaps segment"})
    return all(meanings & one for one in named) and are_scored(headings)


def are_scored(headings: Sequence[str]) -> bool:
    """Whether a column holds scores, or the marks of what was rated."""
    known = any(
        words.meaning(heading) in ("score", "z") or HUMAN_SCORE.fullmatch(heading.strip()) for heading in headings
    )
    return known or any(is_rated(headings, heading) for heading in headings)


def by_document(table: Table) -> Table:
    """The table; where no column names segments, the documents on which systems were rated are these, or the one id that
    tells the rows of a system apart (phrase_id), or what several judges read."""
    systems, documents = table.where("system"), table.where("document")
    if not systems or table.where("segment", "perhaps segment") or len(documents) > 1:
        return table
    found = documents or long.named_ids(table, systems[:1]) or _judged_texts(table, systems[0])
    if len(found) > 1:
        rows = (
            [" | ".join(row[one] for one in found) if k == found[0] else cell for k, cell in enumerate(row)]
            for row in table.rows
        )
        table = replace(table, rows=list(rows))
    named = table.renamed(dict.fromkeys(found[:1], "segment"))
    return named if has_needed(named.headings) else table


def _judged_texts(table: Table, system: int) -> list[int]:
    """The first column of texts that several judges read, each once with each system; or the first two that are so together
    (a dialogue and its last turn)."""
    texts = [
        k
        for k, name in enumerate(table.headings)
        if table.meanings[k] in ("source", "text") or words.CONTEXT.fullmatch(name.strip())
    ]
    judges, apart = table.where("judge")[:1], [system, *table.where("judge")[:1], *table.where("dimension")[:1]]
    read = [k for k in texts if judges and table.repeats(k)]
    alone = ([k] for k in read if table.differ([*apart, k]))
    return next(alone, read[:2] if len(read) > 1 and table.differ([*apart, *read[:2]]) else [])


def _is_typed(headings: Sequence[str], row: Sequence[str]) -> bool:
    """Whether the row names a type of rating below a heading for it."""
    below = [cell.strip().lower() for h, cell in zip(headings, row, strict=False) if words.meaning(h) == "rating type"]
    return any(cell and cell in TYPES for cell in below)


@dataclass(frozen=True)
class RatingColumns:
    """The role of each column of a table of ratings; `rated` are columns of scores, each named by its dimension."""

    table: Table
    parts: dict[RatingColumn, int]
    rated: list[int]

    def sentence(self) -> str:
        """A sentence about how each column was read, and which were not used."""
        headings, used = self.table.headings, {k: part for part, k in self.parts.items()}
        read = [f"{headings[k]} = {used[k]}" for k in sorted(used)] + [f"{headings[k]} = score" for k in self.rated]
        others = [k for k in range(len(headings)) if k not in used and k not in self.rated]
        unused = [headings[k] or f"column {k + 1}" for k in others]
        return f"Its columns were read as: {', '.join(read)}" + (f"; not used: {listed(unused)}." if unused else ".")


def assign(table: Table) -> RatingColumns:
    """The role of each column. If several columns could have the same role, the vocabulary decides."""
    places: dict[RatingColumn, int | None] = {
        "system": _first(table, "system"),
        "segment": _segment(table),
        "score": _score(table),
        "z": _first(table, "z"),
        "judge": _first(table, "judge"),
        "document": _first(table, "document"),
        "type": _type(table),
        "source language": _language(table, "source language", ("src",)),
        "target language": _language(table, "target language", ("trg", "tgt")),
    }
    places["dimension"] = _dimension(table, places["segment"])
    parts = {part: k for part, k in places.items() if k is not None}
    rated = _with_siblings(table, table.headed(lambda heading: is_rated(table.headings, heading)))
    return RatingColumns(table, parts, [] if "score" in parts else rated)


def _with_siblings(table: Table, rated: Sequence[int]) -> list[int]:
    """These columns of ratings, and others on their scale that belong to them: in the same object (scores.overall beside
    scores.tone), with the same scale in the heading (Style (1-5)), and an overall one."""
    inside = {table.headings[k].strip().rpartition(".")[0] for k in rated} - {""}
    scales = {words.SCALE.search(table.headings[k]) for k in rated} - {None}
    ends = tuple({match[0].strip() for match in scales if match})
    same = table.headed(
        lambda heading: (
            heading.rpartition(".")[0] in inside
            or (bool(ends) and heading.strip().endswith(ends))
            or words.is_overall(heading)
        )
    )
    return sorted({*rated, *wide_ratings.on_their_scale(table, rated, same, _segment(table))})


def is_rated(headings: Sequence[str], heading: str) -> bool:
    """Whether a heading names what was rated; of the names of all criteria those that are usual, and others beside judges."""
    judged = any(words.meaning(one) == "judge" for one in headings)
    last = words.SCALE.sub("", heading).strip().rpartition(".")[2]  # Answer.simplicity, output.Fluency
    named = judged and words.CRITERION.fullmatch(last) is not None
    return words.meaning(heading) == "rated" or named


def with_plain_names(table: Table, notices: list[Notice]) -> Table:
    """The table without quotation marks around whole cells, and without a test set (wmt22.) before all systems; noted."""
    if any(_quoted(cell) for k in range(len(table.headings)) for cell in table.column(k).counts):
        table = replace(table, rows=[[cell[1:-1] if _quoted(cell) else cell for cell in row] for row in table.rows])
        notices.append(Notice(table.file, "Quotation marks around its cells are not part of them."))
    k = _first(table, "system")
    start = _common_start(table.column(k)) if k is not None else ""
    if not start:
        return table
    notices.append(Notice(table.file, f"{start} before the name of every system is the test set, and was left out."))
    rows = [[cell.removeprefix(start) if i == k else cell for i, cell in enumerate(row)] for row in table.rows]
    return replace(table, rows=rows)


def _common_start(systems: Sequence[str]) -> str:
    """The test set that every name starts with; "" if there is none."""
    match = TESTSET.match(systems[0]) if systems else None
    return match[0] if match and all(name.startswith(match[0]) for name in set(systems)) else ""


def _quoted(cell: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == '"'


def _first(table: Table, *meanings: words.Meaning) -> int | None:
    return next(iter(words.preferred(table.headings, *meanings)), None)


HUMAN_SCORE = pattern("rated.human_score")


def _score(table: Table) -> int | None:
    """The column of scores, or else the one that says that people gave them: human_score."""
    known, named = _first(table, "score"), table.headed(HUMAN_SCORE.fullmatch)
    return named[0] if known is None and len(named) == 1 else known


def _segment(table: Table) -> int | None:
    """The column that names segments; a column that only numbers the rows or outputs is not one."""
    ids = words.preferred(table.headings, "segment", "perhaps segment")
    own = next((k for k in ids if not _numbers_rows(table, k)), ids[0] if ids else None)
    if own is None or table.repeats(own):
        return own
    # each row has another: an id that several systems share names what they answered
    others = [k for k in table.headed(OF_ROWS.search) if table.meanings[k] is None and table.repeats(k)]
    return next((k for k in others if not _is_of_one(table, k)), own)


def _numbers_rows(table: Table, k: int) -> bool:
    """Whether a column such as id only numbers rows or outputs: no two systems share a value."""
    system = _first(table, "system")
    if words.normalised(table.headings[k]) not in ROW_NUMBERS or system is None:
        return False
    if not table.repeats(system) or len(set(table.column(system))) == 1:
        return not table.repeats(k)
    return _is_of_one(table, k)


def _is_of_one(table: Table, k: int) -> bool:
    """Whether no two systems share a value of a column."""
    system, owner = _first(table, "system"), dict[str, str]()
    return system is None or all(owner.setdefault(row[k], row[system]) == row[system] for row in table.rows)


def _type(table: Table) -> int | None:
    """The column of types of ratings; one without any known type is something else."""
    k = _first(table, "rating type")
    return k if k is not None and any(cell.strip().lower() in TYPES for cell in table.column(k)) else None


def _dimension(table: Table, segment: int | None) -> int | None:
    """The column that says what was rated."""
    asked = [k for k in words.preferred(table.headings, "perhaps segment") if k != segment]
    asked = [k for k in asked if words.normalised(table.headings[k]) in QUESTIONS and _says_what(table, k, segment)]
    measures = [k for k in table.where("measure") if not table.numeric(k)]
    return next(iter([*words.preferred(table.headings, "dimension"), *asked, *measures]), None)


def _says_what(table: Table, k: int, segment: int | None) -> bool:
    """Whether item or question says what was rated: it is a few short names, or a segment has several of them.

    A longer text that is the same for all ratings of a segment is a part of the segment.
    """
    cells = set(table.column(k))
    if len(cells) <= MOST_DIMENSIONS and all(len(c) <= LONGEST_DIMENSION and len(c.split()) <= 4 for c in cells):
        return True
    asked: dict[str, str] = {}
    return segment is not None and any(asked.setdefault(row[segment], row[k]) != row[k] for row in table.rows)


def _language(table: Table, meaning: words.Meaning, perhaps: Sequence[str]) -> int | None:
    """The column of one of the two languages; src and trg count only if they contain language codes; otherwise they are texts."""
    known = _first(table, meaning)
    if known is not None:
        return known
    named = [k for k in table.where("perhaps language") if words.normalised(table.headings[k]) in perhaps]
    return next((k for k in named if all(CODE.fullmatch(cell.strip()) for cell in table.column(k))), None)
