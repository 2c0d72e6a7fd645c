"""Tables as they are laid out for people: printed data frames, tables with rules, and headings in two lines; those between bars
are in `markdown`.

Each is read for its layout alone: a rule below the headings, cells that all end below the end of their heading, or groups
of columns that hold the same.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import NamedTuple

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Content, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import markdown, numbers, ruled
from sigcore.readers.tables.markdown import FEWEST_ROWS, WHOLE, Printed

FEWEST_COLUMNS, LOOKED_AT = 2, 6  # of a table, and lines that decide whether the others are looked at
README = re.compile(r"(?:readme|licen[sc]e|copying|changelog|notice|contributing)(?:\..*)?", re.IGNORECASE)
DASHES = re.compile(r"\s*-{2,}(?:\s+-{2,})+\s*")
SIZE = re.compile(r"\[\d+ rows x \d+ columns\]")
CUT = re.compile(r"\.{2,3}")
SPACED = re.compile(r"\S+(?: \S+)*")  # cells between two blanks


def found(content: Content, start: str = "") -> Printed | None:
    """The one table in a text, or the one that begins at the line `start`; None where there is none.

    Raises: ReadError for a data frame that was printed in part, and for several tables.
    """
    if README.fullmatch(names.base_name(content.file)):
        return None
    if (table := markdown.found(content, start) or ruled.found(content)) is not None:
        return table
    skipped = _above_rule(content.lines)
    lines = ((i, line.rstrip()) for i, line in enumerate(content.lines, 1) if line.strip() and i > skipped)
    first = list(itertools.islice(lines, LOOKED_AT))
    if len(first) > 1 and all(QUOTED.fullmatch(line) for _, line in first):
        return _of_r(content, [*first, *lines])
    if len(first) <= FEWEST_ROWS or not (DASHES.fullmatch(first[1][1]) or _ends_alike(first)):
        return None
    return _ruled(used := [*first, *lines]) or _frame(content.file, used)


MOST_ABOVE = 60  # lines of a log above the headings of a table


def _above_rule(lines: Sequence[str]) -> int:
    """How many lines stand above the headings of the one table with dashes below them; 0 where there is none, or are several."""
    ruled = [i for i, line in enumerate(lines[:MOST_ABOVE]) if line.startswith("-") and DASHES.fullmatch(line)]
    return ruled[0] - 1 if len(ruled) == 1 and ruled[0] > 1 else 0


def is_printed(content: Content) -> bool:
    """Whether a text is a table that a program printed; also where it will be refused."""
    try:
        return found(content) is not None
    except ReadError:
        return True


# Notebooks of Jupyter.

NOTEBOOK = "ipynb"
SAVE = "Save the table with the scores of every question in the notebook: df.to_csv('scores.csv'), and load that."


def in_notebook(content: Content) -> tuple[Content, Notice]:
    """The only output of a notebook that is a table, as the content of a file, and which cell printed it.

    Raises: ReadError for what is no notebook, and for one without such a table or with several.
    """
    try:
        cells = json.loads(content.text)["cells"]
        texts = [
            (k, replace(content, data=text.encode())) for k, cell in enumerate(cells, 1) for text in _outputs(cell)
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ReadError(f"It is no notebook of Jupyter ({error!r}).", content.file, fix="Save it again.") from None
    tables = [(k, one) for k, one in texts if is_printed(one)]
    if len(tables) != 1:
        what = f"{len(tables)} tables printed by cells {listed(str(k) for k, _ in tables)}"
        message = f"It is a notebook with {what if tables else 'no table in its outputs'}."
        raise ReadError(message, content.file, fix=SAVE)
    ((cell, table),) = tables
    return table, Notice(content.file, f"It is a notebook: the table that cell {cell} printed was read.")


def _outputs(cell: Mapping[str, Sequence[Mapping[str, object]]]) -> Iterator[str]:
    """What a cell printed, and the value of its last line, as text."""
    for output in cell.get("outputs", ()):
        data = output.get("data")
        text = output.get("text") or (data.get("text/plain") if isinstance(data, dict) else "")
        yield text if isinstance(text, str) else "".join(map(str, text)) if isinstance(text, list) else ""


# write.table of R: texts in quotes, blanks between all cells, and names of the rows without a heading.

QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"(?: (?:"(?:[^"\\]|\\.)*"|[^\s"]+))+')


def _of_r(content: Content, used: Sequence[tuple[int, str]]) -> Printed | None:
    """The table that R wrote; None where rows have other numbers of cells."""
    text = "\n".join(line for _, line in used)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=" ", escapechar="\\"))
    head, body = rows[0], rows[1:]
    if len(rows) != len(used) or {*map(len, body)} - {len(head), len(head) + 1} or len({*map(len, body)}) > 1:
        return None
    named = [row[len(row) - len(head) :] for row in body]
    how = "It was read as write.table of R writes it: quotes around texts, and blanks between cells."
    return Printed([head, *named], [number for number, _ in used], how)


# A rule of dashes below the headings, as tabulate writes by default.


def _ruled(used: Sequence[tuple[int, str]]) -> Printed | None:
    """The table below whose headings each column has its own dashes; None for another text."""
    if not DASHES.fullmatch(used[1][1]):
        return None
    starts = [match.start() for match in re.finditer(r"-+", used[1][1])]
    body = used[2:-1] if DASHES.fullmatch(used[-1][1]) else used[2:]
    rows = [_cut(line, starts) for _, line in (used[0], *body)]
    if len(rows) < FEWEST_ROWS or not all(rows):
        return None
    return Printed(
        rows, [used[0][0], *(i for i, _ in body)], "Its columns begin where the dashes below their headings do."
    )


def _cut(line: str, starts: Sequence[int]) -> list[str]:
    """The cells that begin at these places; [] where a text goes through one of them."""
    if any(start and line[start - 1 : start].strip() for start in starts):
        return []
    return [line[a:b].strip() for a, b in zip(starts, [*starts[1:], len(line) + 1], strict=True)]


# Data frames: all cells of a column end below the end of its heading.


def _ends_alike(first: Sequence[tuple[int, str]]) -> bool:
    """Whether the first rows end where the headings do, which stand apart, and have numbers."""
    (_, head), *rows = first
    return "  " in head and all(
        len(line) == len(head) and any(map(numbers.is_number, line.split())) for _, line in rows[1:3]
    )


def _frame(file: str, used: Sequence[tuple[int, str]]) -> Printed | None:
    """The printed data frame; None for another text.

    Raises: ReadError for one of which only a part was printed.
    """
    (first, head), body = used[0], [one for one in used[1:] if not SIZE.fullmatch(one[1].strip())]
    index = body[0][1] if head.startswith(" ") and SPACED.fullmatch(body[0][1]) else ""
    body = body[bool(index) :]  # the name of its index has a line of its own
    whole = list(itertools.filterfalse(_is_cut, body))
    rows = _aligned(head, [line for _, line in whole])
    if len(whole) < FEWEST_ROWS or not rows:
        return None
    missing = "rows" if len(whole) < len(body) else "columns" if any(map(CUT.fullmatch, rows[0])) else ""
    if missing:
        raise ReadError(f"It is a printed data frame without some of its {missing} (...).", file, first, WHOLE)
    named = index or not _are_counted(rows[1:])
    rows = [[index, *rows[0][1:]], *rows[1:]] if named else [row[1:] for row in rows]
    how = "It is a printed data frame: cells end below their headings. Printed numbers may be rounded."
    return Printed(rows, [first, *map(itemgetter(0), whole)], how)


def _is_cut(line: tuple[int, str]) -> bool:
    """Whether a line stands for rows that were not printed."""
    return all(map(CUT.fullmatch, line[1].split()))


def _are_counted(rows: Rows) -> bool:
    """Whether the names of the rows only count them, or there are none."""
    named = [row[0] for row in rows]
    return not any(named) or named in ([str(i) for i in range(k, k + len(rows))] for k in (0, 1))


def _aligned(head: str, lines: Sequence[str]) -> list[list[str]]:
    """The headings and the rows, with the names of the rows first ("" where they have none); [] unless all cells end below
    their headings."""
    for pattern in (re.compile(r"\S+"), SPACED):
        named = list(pattern.finditer(head))
        ends = [match.end() for match in named]
        cells = [[line[a:b] for a, b in itertools.pairwise([0, *ends])] for line in lines]
        even = all(len(line) == len(head) for line in lines) and all(map(_end_there, cells))
        if (
            len(named) >= FEWEST_COLUMNS
            and even
            and _differ([[match[0] for match in named], *cells])
            and (rows := _named(cells))
        ):
            return [["", *(match[0] for match in named)], *rows]
    return []


def _differ(cells: Rows) -> bool:
    """Whether a column has cells of several lengths, with its heading: lines of one pattern are as long as each other, too."""
    return any(len({len(cell.strip()) for cell in column}) > 1 for column in zip(*cells, strict=True))


def _named(cells: Rows) -> list[list[str]]:
    """The rows with their names first, or "" where not all have one; [] where two have the same."""
    rows = list(map(_with_name, cells))
    if not all(row[0] for row in rows):
        return [["", *map(str.strip, own)] for own in cells]
    return rows if len({row[0] for row in rows}) == len(rows) else []


def _end_there(cells: Sequence[str]) -> bool:
    """Whether each cell ends with a character, and another one begins with a blank."""
    return all(cell[-1:].strip() for cell in cells) and all(cell[:1] == " " for cell in cells[1:])


def _with_name(cells: Sequence[str]) -> list[str]:
    """The name of a row, which stands before its first cell, and its cells."""
    name, _, first = cells[0].strip().partition("  ")
    if not first:
        name, _, first = cells[0].strip().partition(" ")
    return [name if first else "", first.strip(), *map(str.strip, cells[1:])]


# Headings in two lines: groups of columns, often merged cells, above what each column of a group holds.

Rows = Sequence[Sequence[str]]
Parts = dict[int, tuple[str, str]]  # the heading of its group, and its own, of each column
TITLED = 6  # lines that a title, and blank lines below it, may take


class Levels(NamedTuple):
    """The rows of each measure, with a column for each system, and the place of the first line of headings."""

    tables: dict[str, list[list[str]]]
    start: int
    above: str  # what the upper line holds


def of_two(file: str, rows: Rows, places: Sequence[int]) -> Levels | None:
    """The tables of a sheet whose systems stand above its measures, or the other way round; None for other sheets.

    Raises: ReadError where every group has the same columns, but neither line names measures.
    """
    start = _first(rows)
    parts = {} if start is None else grouped(rows[start:])
    if start is None or not parts:
        return None
    scored = _without_texts(parts, rows[start + 2 :])
    return _of_people(rows, scored, start) or _of_groups(file, rows, places, start, parts, scored)


def _of_groups(file: str, rows: Rows, places: Sequence[int], start: int, whole: Parts, parts: Parts) -> Levels:
    """The tables of measures by systems; the `whole` groups have the columns of texts, too."""
    above, below = (list(dict.fromkeys(part[k] for part in parts.values())) for k in (0, 1))
    upper_measures, lower_measures = any(map(_is_measure, above)), any(map(_is_measure, below))
    if upper_measures == lower_measures:
        shown = listed(f"{one}_{below[0]}" for one in above[:2])
        fix = f"Join them: one heading for each column, such as {shown}, and name the measures as usual."
        raise ReadError("It has two lines of headings, and none of both names measures.", file, places[start], fix)
    measures = above if upper_measures else below
    plain = [k for k in range(len(rows[start])) if k not in whole]
    tables = {one: _of_measure(rows[start:], plain, parts, one, 0 if upper_measures else 1) for one in measures}
    return Levels(tables, start, "measures" if upper_measures else "systems")


PERSON = re.compile(r"(?:rater|annotator|judge|ann|expert)[-_ ]?\w{1,2}|[RAJ][-_ ]?\d{1,2}", re.IGNORECASE)
NUMBERED = re.compile(r"[RAJ][-_ ]?(\d+)", re.IGNORECASE)
MOST_MARKS = 10


def _of_people(rows: Rows, parts: Parts, start: int) -> Levels | None:
    """The table of systems above people who gave marks; None for others."""
    below = list(dict.fromkeys(name for _, name in parts.values()))
    if not all(map(PERSON.fullmatch, below)):
        return None
    marks = {cell for row in rows[start + 2 :] for k in parts if (cell := row[k].strip())}
    whole = all(mark.lstrip("-").isdigit() for mark in marks)
    if not whole or not _may_be_people(below, marks):
        return None
    return Levels({"": _joined(rows[start:], parts)}, start, "systems above people who rated them")


def _may_be_people(below: Sequence[str], marks: Collection[str]) -> bool:
    """Whether whole numbers below R1 and R2 are marks of people: these may be ROUGE, or recall at 1 and 5. People are counted from 1,
    and give several marks, up to 10. Raters and judges are people anyhow."""
    counted = [match[1] for one in below if (match := NUMBERED.fullmatch(one))]
    few = len(marks) > 2 and all(mark.isdigit() and int(mark) <= MOST_MARKS for mark in marks)
    return not counted or (few and counted == [str(k + 1) for k in range(len(below))])


def _joined(rows: Rows, parts: Parts) -> list[list[str]]:
    """The rows below one line of headings: `A: R1`, and those of columns without a group."""
    plain = [
        above.strip() or below.strip() or ("segment" if k == 0 else "")
        for k, (above, below) in enumerate(zip(*rows[:2], strict=True))
    ]
    return [[": ".join(parts[k]) if k in parts else name for k, name in enumerate(plain)], *map(list, rows[2:])]


def grouped(rows: Rows) -> Parts:
    """Both headings of each column where every group in the first line has the same columns in the second, or one of both lines
    names one measure; {} for other rows. A group may have columns of texts beside its numbers, such as comments."""
    if len(rows) < 2 + FEWEST_ROWS:
        return {}
    parts = _parts(*(list(map(str.strip, row)) for row in rows[:2]))
    return parts if _are_groups(_without_texts(parts, rows[2:]), rows[2:], parts) else {}


def _without_texts(parts: Parts, body: Rows) -> Parts:
    """The columns of groups without those of texts: no group has numbers below such a heading of the second line."""
    scored = {part[1] for k, part in parts.items() if numbers.mostly_numbers([row[k] for row in body])}
    return {k: part for k, part in parts.items() if part[1] in scored}


def _of_measure(rows: Rows, plain: Sequence[int], parts: Parts, measure: str, line: int) -> list[list[str]]:
    """The rows with the `plain` columns, which belong to no group, and those of one measure, which is in the first or the second
    line, below one line of headings."""
    systems = {k: part[1 - line] for k, part in parts.items() if part[line] == measure}
    # the index of a data frame may have no name
    named = [rows[0][k].strip() or rows[1][k].strip() or ("segment" if k == 0 else "") for k in plain]
    return [[*named, *systems.values()], *([row[k] for k in (*plain, *systems)] for row in rows[2:])]


def _first(rows: Rows) -> int | None:
    """The place of the first row with several cells, or with a measure that is merged above all of them, below a title."""
    return next(
        (
            i
            for i, row in enumerate(rows[:TITLED])
            if len(named := [k for k, cell in enumerate(row) if cell.strip()]) > 1 or _merged(row, named)
        ),
        None,
    )


def _merged(row: Sequence[str], named: Sequence[int]) -> bool:
    """Whether the only cell of a row names a measure, above others than the first column: there it is a title."""
    return len(named) == 1 and named[0] > 0 and words.is_measure(row[named[0]].strip())


def _parts(upper: Sequence[str], lower: Sequence[str]) -> Parts:
    """Both headings of each column of a group; a merged cell is above the columns that follow it."""
    found, group = Parts(), ""
    for k, (above, below) in enumerate(zip(upper, lower, strict=True)):
        group = above or group
        if group and below:
            found[k] = (group, below)
    return found


def _are_groups(parts: Parts, body: Rows, whole: Parts) -> bool:
    """Whether several groups have the same columns, or all columns have one measure, with numbers below words; the `whole`
    groups have the columns of texts, too."""
    above, below = ({part[k] for part in parts.values()} for k in (0, 1))
    complete = len({*parts.values()}) == len(parts) == len(above) * len(below)
    if not complete or max(len(above), len(below)) < 2 or any(map(numbers.is_number, above | below)):
        return False
    # one measure may stand above all systems, or below each; the first column numbers the rows
    one = next(iter(above if len(above) == 1 else below)) if 1 in (len(above), len(below)) else ""
    start = 1 if len(above) == 1 else max(1, min(whole))
    if one and not (_is_measure(one) and whole.keys() >= {*range(start, len(body[0]))}):
        return False
    return all(numbers.mostly_numbers([row[k] for row in body]) for k in parts)


def _is_measure(heading: str) -> bool:
    return words.has_measure(heading) or names.measure_word(heading)
