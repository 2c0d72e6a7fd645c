"""Ratings by people, one per line: direct assessment (WMT, Appraise, ESA), or scores per system and segment."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sigcore.errors import ReadError, SigError
from sigcore.judgments import Judgments, judgments
from sigcore.readers import names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Notice, Options, Reader
from sigcore.readers.tables import numbers as scores
from sigcore.registry import Option

# What a column holds, by its heading in small letters and digits alone; of two that fit, the earlier word wins.
COLUMNS = {
    "judge": "judge judgeid worker workerid rater raterid annotator annotatorid user userid username evaluator",
    "system": "system systemid systemname sys sysid",
    "segment": "segment segmentid segid sid seg globalsegid itemid line",
    "document": "document documentid doc docid docname",
    "kind": "type itemtype segmenttype kind",
    "dimension": "dimension item aspect criterion question",
    "score": "raw rawscore rawscr rawmean score rating scr da esa esascore mqm mqmscore mqmavgscore value judgment",
    "z": "z zscore zscr zmean",
    "source": "srclang sourcelang sourcelanguage src",
    "target": "trglang tgtlang targetlang targetlanguage trg tgt",
}
# Headings that name what was rated and hold the rating at once.
RATED = ("adequacy", "fluency", "coherence", "consistency", "relevance", "grammaticality", "informativeness")
SHORT = {"ad": "adequacy", "fl": "fluency"}
KINDS = {
    **dict.fromkeys(("", "system", "tgt", "ordinary"), "ordinary"),
    **dict.fromkeys(("repeat", "chk"), "repeat"),
    **dict.fromkeys(("ref", "reference"), "reference"),
    **dict.fromkeys(("bad_ref", "bad", "badref", "degraded"), "degraded"),
}
# Appraise writes no header: user, system, item, type, source, target, score [, document, is it all of it [, spans]], times
APPRAISE = ("username", "system", "itemid", "itemtype", "srclang", "trglang", "score")
APPRAISE_ROW = re.compile(r"[^,]+,[^,]+,\d+,(?:TGT|BAD|REF|CHK)\d*,[a-z]{2,3}[^,]*,[a-z]{2,3}[^,]*,-?[\d.]+,")
DOCUMENT_MARK = re.compile(r"(?:#(?:bad|incomplete|dup\w*))+$")
HUMAN = re.compile(r"(?:^|[^a-z])(?:human|assess\w*|judge?ments?|ratings?|da|esa|sqm|mqm)(?:[^a-z]|$)", re.IGNORECASE)


LONGEST_HEAD = 10_000  # letters; a longer first line is no head of a table of ratings
LONGEST_CELL = 1 << 28  # the csv module refuses cells over 128 kB by itself


@dataclass
class _Ratings:
    """The columns of the ratings of one pair of languages."""

    columns: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    lines: list[int] = field(default_factory=list)


def _heading(cell: str) -> str:
    return re.sub(r"[^a-z0-9]", "", names.clean(cell).lower().removeprefix("input."))


def _roles(headings: Sequence[str]) -> dict[str, int]:
    """Where each kind of column stands, of those that are there."""
    found = {}
    for role, known in COLUMNS.items():
        places = [headings.index(word) for word in known.split() if word in headings]
        if places:
            found[role] = places[0]
    return found


def _rated(headings: Sequence[str]) -> list[int]:
    return [k for k, heading in enumerate(headings) if heading in RATED]


def _delimiter(line: str) -> str:
    """What parts the cells of a line: TAB, comma, semicolon, else blanks."""
    return next((mark for mark in "\t,;" if mark in line), " ")


def _rows(content: Content) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of every row; a table with a head of blanks may use TABs and blanks below it.

    Raises: ReadError where a quoted cell has no end.
    """
    mark = _delimiter(content.lines[0])
    if mark in "\t ":
        cut = (lambda line: line.split("\t")) if mark == "\t" else str.split
        yield from ((k, cut(line)) for k, line in enumerate(content.lines, start=1))
        return
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(io.StringIO(content.text, newline=""), delimiter=mark, strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        what = f"{content.file} cannot be read as a table: {error}."
        raise ReadError(what, content.file, reader.line_num, "Is a quotation mark without its partner?") from None


def _looks(content: Content) -> int:
    first = content.lines[0] if content.lines else ""
    if not first or len(first) > LONGEST_HEAD or content.suffix in ("xml", "json", "jsonl"):
        return NO
    if APPRAISE_ROW.match(first):
        return CERTAIN
    headings = [_heading(cell) for cell in (first.split() if _delimiter(first) == " " else re.split("[\t,;]", first))]
    roles = _roles(headings)
    if not {"system", "segment"} <= roles.keys() or "metric" in headings:
        return NO
    if not ({"score", "z"} & roles.keys() or _rated(headings)):
        return NO
    if "judge" in roles:
        return CERTAIN
    # without judges it may as well be what a metric gives: the name or a column z must say that people gave it
    return CERTAIN - 1 if "z" in roles or HUMAN.search(names.base_name(content.file)) else NO


def _read(content: Content, options: Options) -> Found:
    found = Found()
    by_pair = _gather(content, found)
    if not by_pair and not found.notices:
        raise ReadError(f"{content.file} has a head but no ratings.", content.file, 1, "Load the whole file.")
    for pair, ratings in by_pair.items():
        name = names.display_name(content.file) + (f" {pair}" if len(by_pair) > 1 else "")
        try:
            found.judgments.append(_judgments(content.file, name, ratings, options, found))
        except SigError as problem:
            found.problems.append(problem)
    return found


def _gather(content: Content, found: Found) -> dict[str, _Ratings]:
    """The ratings of each pair of languages, one entry per rating; a line with several dimensions gives several."""
    rows = _rows(content)
    appraise = bool(APPRAISE_ROW.match(content.lines[0]))
    headings = _appraise_headings(content) if appraise else [_heading(cell) for cell in next(rows)[1]]
    roles, rated = _roles(headings), _rated(headings)
    if not {"system", "segment"} <= roles.keys() or not ({"score", "z"} & roles.keys() or rated):
        fix = "It needs a head with a column for the system, one for the segment and one for the score."
        raise ReadError(f"{content.file} has no ratings that are recognised.", content.file, 1, fix)
    by_pair: dict[str, _Ratings] = {}
    whole = 0
    for line, row in rows:
        if not row:
            continue
        _refuse_ragged(content.file, line, row, headings)
        if appraise and len(headings) > 9 and row[8].strip().lower() == "true":
            whole += 1  # one score for a document, not for a segment
            continue
        cells = {role: row[k] for role, k in roles.items()}
        pair = "-".join(cells[side] for side in ("source", "target") if side in cells)
        _add(by_pair.setdefault(pair, _Ratings()), line, cells, {headings[k]: row[k] for k in rated}, appraise)
    if whole:
        found.notices.append(Notice(content.file, f"{whole:,} scores of whole documents are left out."))
    if not by_pair:
        what = "holds scores of whole documents only" if whole else "has a head but no ratings"
        raise ReadError(f"{content.file} {what}.", content.file, 1, "Load a file with ratings of segments.")
    return by_pair


def _appraise_headings(content: Content) -> list[str]:
    width = len(next(_rows(content))[1])
    documents = ("docid", "isdocscore") if width >= 11 else ()
    rest = width - len(APPRAISE) - len(documents)
    return [*APPRAISE, *documents, *(f"more{k}" for k in range(rest))]


def _refuse_ragged(file: str, line: int, row: Sequence[str], headings: Sequence[str]) -> None:
    # a trailing blank in the head of a table separated by blanks is no column
    if len(row) != len(headings):
        what = f"{file}: line {line} has {len(row)} fields, the first has {len(headings)}."
        raise ReadError(what, file, line, "Give every line the same number of fields.")


def _add(ratings: _Ratings, line: int, cells: dict[str, str], rated: dict[str, str], appraise: bool) -> None:
    if appraise and "document" in cells:
        cells["document"] = DOCUMENT_MARK.sub("", cells["document"])
    several = [{"dimension": dimension, "score": score} for dimension, score in rated.items()]
    for more in several if "score" not in cells and several else [{}]:
        for role, column in ratings.columns.items():
            column.append(names.clean({**cells, **more}.get(role, "")))
        ratings.lines.append(line)


def _judgments(file: str, name: str, ratings: _Ratings, options: Options, found: Found) -> Judgments:
    """The ratings as the study takes them; what is left out is told.

    Raises: SigError where nothing is left.
    """
    columns = ratings.columns
    only_z = not any(columns["score"])
    values = columns["z"] if only_z else columns["score"]
    keep = _numbers(file, values, ratings.lines, found)
    down = -1.0 if options["better"] == "lower" else 1.0
    dimension = str(options["dimension"] or "") or _dimension_of(file)
    picked = {role: [column[k] for k in keep] for role, column in columns.items()}
    read: dict[str, Sequence[Any]] = {
        "system": [_system(cell) for cell in picked["system"]],
        "segment": picked["segment"],
        "score": [down * float(values[k]) for k in keep],
        "judge": picked["judge"],
        "document": picked["document"],
        "dimension": [SHORT.get(cell.lower(), cell) or dimension for cell in picked["dimension"]],
        "kind": [KINDS.get(cell.lower(), "other") for cell in picked["kind"]],
        "z": [float(cell) if scores.is_number(cell) else float("nan") for cell in picked["z"]],
    }
    made = judgments(name, read, absolute=only_z or not any(picked["judge"]), file=file)
    _tell(file, made, picked["kind"], found)
    return made


def _system(cell: str) -> str:
    """The name in the file name of a system, where that is how it is given."""
    return names.display_name(cell) if names.WMT.match(cell) else cell


def _dimension_of(file: str) -> str:
    """What a file that does not say it was rated for: fluency, ESA or MQM by its name, else adequacy."""
    words = re.split(r"[^a-z]+", names.base_name(file).lower())
    known = {"fluency": "fluency", "esa": "ESA", "mqm": "MQM"}
    return next((known[word] for word in words if word in known), "adequacy")


def _numbers(file: str, values: Sequence[str], lines: Sequence[int], found: Found) -> list[int]:
    """The places that hold a number; missing scores give a notice, others that are no number a problem."""
    keep = [k for k, cell in enumerate(values) if scores.is_number(cell)]
    kept = set(keep)
    missing = [k for k, cell in enumerate(values) if k not in kept and cell.lower() in scores.MISSING]
    bad = [k for k, cell in enumerate(values) if k not in kept and cell.lower() not in scores.MISSING]
    if missing:
        told = f"{len(missing):,} of {len(values):,} ratings have no score; they are left out."
        found.notices.append(Notice(file, told, lines[missing[0]]))
    if bad:
        more = f" ({len(bad):,} such ratings; they are left out.)" if len(bad) > 1 else " The rating is left out."
        what = f"{values[bad[0]][:40]!r} is not a number.{more}"
        found.problems.append(ReadError(what, file, lines[bad[0]], "Give every rating a number, or leave it empty."))
    return keep


def _tell(file: str, made: Judgments, kinds: Sequence[str], found: Found) -> None:
    """Notices on what was taken for what."""
    judges = len(set(made.judge.tolist()) - {""})
    systems = len(set(made.system[made.counted].tolist()))
    who = f"by {judges:,} judges" if judges else "that name no judge"
    told = f"{made.n:,} ratings {who}, {systems} systems, for {', '.join(made.dimensions)}."
    control = int((~made.counted).sum())
    if control:
        told += f" {control:,} of them are for quality control and count for no system."
    found.notices.append(Notice(file, told))
    odd = sorted({kind for kind in kinds if kind.lower() not in KINDS})
    if odd:
        told = f"Ratings of type {', '.join(odd[:6])} are not known; they count for no system."
        found.notices.append(Notice(file, told))


READER = Reader(
    name="ratings",
    title="ratings by people",
    kinds=("judgments",),
    looks=_looks,
    read=_read,
    options=(
        Option("dimension", "", help="What was rated, where the file does not say (adequacy, fluency ...)."),
        Option("better", "higher", choices=("higher", "lower"), help="Whether a higher or a lower score is better."),
    ),
    help="One rating per line with system, segment and score, perhaps judge, type, dimension, z (CSV, TSV, Appraise).",
    example=("assessments.csv", "judge,system,segment,type,score\nP1,One,1,SYSTEM,80\nP1,Two,1,BAD_REF,20\n"),
)
