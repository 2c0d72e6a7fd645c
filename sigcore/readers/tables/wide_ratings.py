"""Ratings in wide form, a column for each system (and criterion, or segment), as forms and sheets have them, to long form."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers import names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbered, numbers, plan, ranked, raters, said, sums
from sigcore.readers.tables.crossing import ID, is_fact
from sigcore.readers.tables.table import Table

PARTS = re.compile(r"\s*[:/|_\u2013-]\s*|\s{2,}")  # between a system and what was rated: `A: Adequacy`
INSIDE = re.compile(r"(.*\S)\s*\[([^\]]+)\]\s*")  # a form asks `How good is it? [System X]`
BETWEEN = re.compile(r"\s+[-\u2013:|]\s+")  # between a segment and a system: `Sentence 1 - System X`
CLIP = re.compile(r"(\d+)[-_ ]([^\W\d].*?)\.(?:wav|mp3|flac|ogg|png|jpe?g|mp4)")  # a number and a system: 005-tcn.wav
ASKED = re.compile(r"\s*\[[^\]]*\]\s*$")  # what a form asks, after each of its rows
NESTED = re.compile(r"[^.]+(?:\.[A-Za-z_][^.]*)+")  # not v1.2
FEWEST_SEGMENTS = 3
ASKED_OF_SYSTEMS = 0.8  # of the columns of numbers in a form
LETTER = re.compile(r"[A-Da-d1-4]|left|right", re.IGNORECASE)  # names of sides, where nobody should know the systems
MANY = 11  # rows that a column counts
FEWEST_ASKED = 4  # words of a question
RATINGS = re.compile(r"(?:[\w-]+[-_ ])?(?:ratings?|scores?|judge?ments?)", re.IGNORECASE)  # mean-ratings
FEWEST_RANKED = 3  # of two systems, 1 and 2 may be ratings
RANKED = (
    "Each row is a ranking, 1 the best: ranks count with a minus, so higher is better. "
    "Otherwise: --better higher, or the option better of the file."
)
LONG = ["system", "segment", "judge", "dimension", "score"]


@dataclass(frozen=True)
class _Rated:
    """A column of ratings: its place, and the system, the segment ("" where the row names it) and what was rated."""

    place: int
    system: str
    segment: str = ""
    dimension: str = ""


def long_form(table: Table, notices: list[Notice]) -> Table | None:
    """The ratings with a row each, and what is said of it; None for a table that has not a column for each of two systems."""
    judge, segment = _who(table), _ids(table)
    clips = table.headed(CLIP.fullmatch) if are_clips(table.headings) else []
    if clips:
        segment = None
    elif segment is not None and not table.where("segment", "perhaps segment") and _is_form(table, judge):
        segment = None  # a native language comes again, too
    places = clips or _places(table, {judge, segment})
    columns = _of_segments(table, places) if segment is None else _of_criteria(table, places)
    if not (clips or _compete(columns)) or _are_of_rows(table, segment, judge) or _names_systems(table):
        return None
    _refuse_other(table, columns)
    systems = list(dict.fromkeys(one.system for one in columns))
    _refuse_few(table, systems)
    message = f"A column for each system was read as its ratings: {listed(systems)}.{_blind(systems)}"
    notices.append(Notice(table.file, message))
    _note_others(table, {*places} - {one.place for one in columns}, notices)
    return _each(table, columns, judge, segment, notices)


def _blind(systems: Sequence[str]) -> str:
    """What is said of systems whose names may be sides."""
    sides = all(map(LETTER.fullmatch, systems))
    return " By these names they may be sides, shuffled from row to row: then load the key, too." if sides else ""


def _note_others(table: Table, places: Iterable[int], notices: list[Notice]) -> None:
    """Note the columns that are like ratings, and ask for something else."""
    if other := table.named(sorted(places)):
        notices.append(Notice(table.file, f"Not used, as they name no system: {listed(other)}."))


FEW_ROWS, MANY_COLUMNS = 5, 4  # rows, and systems for each of them: such columns are rather trials of few systems


def _refuse_few(table: Table, systems: Sequence[str]) -> None:
    """Raise ReadError where there would be many more systems than rows, of which there are few: a column may be a trial."""
    n = len(table.rows)
    if n < FEW_ROWS and len(systems) >= MANY_COLUMNS * n:
        what = f"Are all {len(systems)} columns systems? There are only {count(n, 'row')}, so they may be trials of fewer ones."
        fix = "Save a row for each rating, with columns headed system, segment, judge and score."
        raise ReadError(what, table.file, 1, fix)


def _names_systems(table: Table) -> bool:
    """Whether a column names the systems of the rows, so that no other column is one."""
    return any(len(table.column(k).counts) > 1 for k in table.where("system"))


def of_said(table: Table, meant: said.Said, notices: list[Notice]) -> tuple[Table, said.Said]:
    """The ratings with a row each, where somebody says which parts of headings are measures (A_fluency, B_fluency:
    fluency=measure), or that several columns of numbers are systems, and what else was said; else as they are.

    Raises: ReadError for a measure that no heading has, and where no column names the segments.
    """
    spread, rest = said.with_grid(table, meant)
    columns = _said(table, spread.grid, meant)
    if not columns:
        return table, meant
    told = {part: said.place(table, name) for name, part in rest.columns if part in ("question", "judge")}
    asked = [said.place(table, name) for name in meant.segment]
    segment, judge = told.get("question", asked[0] if asked else _ids(table)), told.get("judge", _who(table))
    segment = next(iter(table.where("document")), None) if segment is None else segment
    if segment is None:
        fix = "Say which: --id-field NAME, with your heading."
        raise ReadError("Ratings need a column of segments beside those of the systems.", table.file, 1, fix)
    return _each(table, columns, judge, segment, notices), said.Said()


def _said(table: Table, grid: Mapping[str, tuple[str, str]], meant: said.Said) -> list[_Rated]:
    """The columns of ratings that somebody named: by measures in their headings, or several of numbers as systems."""
    if grid:
        cut = ((k, grid[name]) for k, name in enumerate(table.headings) if name in grid)
        return [_Rated(k, system, "", rated) for k, (system, rated) in cut]
    systems = [said.place(table, name) for name, part in meant.columns if part == "system"]
    rated = len(systems) > 1 and all(raters.is_rated(table, k) for k in systems)
    rated = rated and not any(numbers.different([(str(k), numbers.scale(table.column(k))) for k in systems]))
    return [_Rated(k, table.headings[k].strip()) for k in systems if rated]


def _each(
    table: Table, columns: Sequence[_Rated], judge: int | None, segment: int | None, notices: list[Notice]
) -> Table:
    """The ratings below these columns with a row each; ranks count with a minus, which is said."""
    if ranks := _are_ranks(table, columns):
        notices.append(Notice(table.file, RANKED))
    rated_by = [""] * len(table.rows) if judge is None else [cell.strip() for cell in table.column(judge)]
    if judge is None and segment is None:  # a row of all segments is of a person
        rated_by = [f"row {place}" for place in table.places]
    rows = [_row(one, row, by, segment, ranks) for row, by in zip(table.rows, rated_by, strict=True) for one in columns]
    return Table(table.file, LONG, rows, [line for line in table.places for _ in columns])


def _refuse_other(table: Table, columns: Sequence[_Rated]) -> None:
    """Raise Unclear for columns below whole headings that are no rivals by the rules for scores: other scales, the same number
    in every row, times and counts."""
    streams = [(one.place, _item(table, one.place)) for one in columns if not (one.segment or one.dimension)]
    if streams:
        plan.wide(table, streams, False, Found())


def _item(table: Table, k: int) -> Item:
    return Item(table.headings[k], "system", "scores", table.column(k), table.file, "", measure=names.NO_MEASURE)


TIME = re.compile(r"timestamp|zeitstempel|horodat(?:eur|age)|marca temporal|informazioni cronologiche", re.IGNORECASE)
NAMED = re.compile(r"(?:system|model|output|translation|summary|response|candidate)[-_ ]?\w+", re.IGNORECASE)


def are_of_a_form(headings: Sequence[str]) -> bool:
    """Whether several questions have a column for each of the same systems, which say that they are such, behind the time of the answer
    (Google Forms)."""
    found = [match.groups() for name in headings if (match := INSIDE.fullmatch(name.strip()))]
    asked, systems = ({pair[k] for pair in found} for k in (0, 1))
    whole = len({*found}) == len(found) == len(asked) * len(systems)
    called = len(systems) > 1 and all(map(NAMED.fullmatch, systems))
    return whole and called and len(asked) >= FEWEST_SEGMENTS and TIME.fullmatch(headings[0].strip()) is not None


def are_clips(headings: Sequence[str]) -> bool:
    """Whether the headings are files of several numbers and several systems, each of which has each (webMUSHRA and others)."""
    found = [match.groups() for name in headings if (match := CLIP.fullmatch(name.strip()))]
    numbers_, systems = ({pair[k] for pair in found} for k in (0, 1))
    whole = len({*found}) == len(found) == len(numbers_) * len(systems)
    return whole and len(numbers_) >= FEWEST_SEGMENTS and len(systems) > 1


def _compete(columns: Sequence[_Rated]) -> bool:
    """Whether the columns are about two systems or more; one that is rated by several criteria has no other beside it."""
    systems = {one.system for one in columns}
    # a mean and its spread are about one system
    summed = any(sums.WORDS.fullmatch(name) or words.is_spread(name) for name in systems)
    # ratings beside what is not called so are those of the row
    rated = {RATINGS.fullmatch(name) is not None for name in systems}
    other = (
        summed
        or len(rated) > 1
        or any(map(_is_criterion, systems))
        or raters.are_people([*systems])
        or _are_nested([*systems])
    )
    return len(systems) > 1 and not other


def _are_nested(names: Sequence[str]) -> bool:
    """Whether names of nested values (0.bart.rating, bart.fluency) have more in them than a system: a number, or another
    criterion for each."""
    if any(map(numbered.PART.search, names)) or not all(map(NESTED.fullmatch, names)):
        return any(map(numbered.PART.search, names))
    firsts, lasts = {name.partition(".")[0] for name in names}, {name.rpartition(".")[2] for name in names}
    rated = any(words.is_plain(word) for name in lasts for word in re.split(r"[-_ ]+", name))
    return len(lasts) > 1 and (len(firsts) > 1 or rated)


def _are_of_rows(table: Table, segment: int | None, judge: int | None) -> bool:
    """Whether segments come again, and another column of few names tells their rows apart: it may name the systems."""
    ids = [k for k in (segment, judge) if k is not None]
    if segment is None or table.differ(ids):
        return False
    open_ = [k for k, means in enumerate(table.meanings) if means is None and k not in ids and not table.numeric(k)]
    few = [k for k in open_ if 2 * len(table.column(k).counts) <= len(table.rows)]
    return any(table.differ([*ids, k]) for k in few)


def _is_criterion(name: str) -> bool:
    bare = words.SCALE.sub("", name)
    return words.is_measure(bare) or words.has_measure(bare)


def _row(one: _Rated, row: Sequence[str], by: str, segment: int | None, ranks: bool) -> list[str]:
    """The rating in a column of a row, as a row of its own; `by` is who rated."""
    cell = row[one.place].strip()
    asked = (one.segment or by) if segment is None else row[segment].strip()
    dimension = one.dimension or ("rank" if ranks else "rating")
    return [one.system, asked, by, dimension, repr(-float(cell)) if ranks and cell else cell]


def _ids(table: Table) -> int | None:
    """The column that names the segment: by its heading, as an id that differs in every row, or because it counts the rows."""
    named = (k for k, name in enumerate(table.headings) if ID.search(name) and table.differ([k]))
    counted = (k for k in range(len(table.headings)) if _counts(table.column(k)))
    return next(iter((*table.where("segment", "perhaps segment"), *named, *counted, *_told_by_judges(table))), None)


def _told_by_judges(table: Table) -> list[int]:
    """The columns of unknown names, each of which every judge rated at most once, and several did."""
    judge = _who(table)
    open_ = [k for k, means in enumerate(table.meanings) if means is None and not table.numeric(k)]
    return [] if judge is None else [k for k in open_ if table.repeats(k) and table.differ([judge, k])]


def _counts(cells: Sequence[str]) -> bool:
    """Whether a column counts many rows from 0 or 1 on: no scale has so many steps, each of them once and in order."""
    first = cells[0].strip() if len(cells) >= MANY else ""
    return first in ("0", "1") and all(cell.strip() == str(k) for k, cell in enumerate(cells, int(first)))


def _who(table: Table) -> int | None:
    """The column that names who rated; in a form it asks for the name."""
    named = [k for k, name in enumerate(table.headings) if name.strip().lower() == "your name"]
    return next(iter(table.where("judge") or named), None)


def _places(table: Table, used: Container[int | None]) -> list[int]:
    """The columns of numbers that may be ratings."""
    aside = {*table.where("document", "domain", "aside", "remark")}
    open_ = (k for k in range(len(table.headings)) if k not in used and k not in aside)
    return [
        k
        for k in open_
        if not (words.is_field(table.headings[k]) or ID.search(table.headings[k])) and raters.is_rated(table, k)
    ]


def _of_criteria(table: Table, places: Sequence[int]) -> list[_Rated]:
    """The columns of systems, with what was rated where all headings end in, or begin with, a criterion."""
    cut = {k: PARTS.split(table.headings[k].strip()) for k in places}
    for last in (True, False):
        criteria = {k: (parts[-1] if last else parts[0]) for k, parts in cut.items() if len(parts) > 1}
        rest = {k: " ".join(parts[:-1] if last else parts[1:]) for k, parts in cut.items()}
        crossed = len(places) == len({*criteria.values()}) * len({*rest.values()}) > 1
        if len(criteria) == len(places) and crossed and any(map(words.CRITERION.fullmatch, criteria.values())):
            return [_Rated(k, rest[k], dimension=words.normalised(criteria[k])) for k in places]
    return [_Rated(k, table.headings[k]) for k in places]


def _of_segments(table: Table, places: Sequence[int]) -> list[_Rated]:
    """The columns of a form, each of which names a segment and a system; [] unless every segment has every system."""
    cut = _of_both(table, places)
    if not cut:
        return []
    sides = [list(dict.fromkeys(parts[side] for parts in cut.values())) for side in (0, 1)]
    crossed = len({tuple(parts) for parts in cut.values()}) == len(cut) == len(sides[0]) * len(sides[1])
    if crossed and _are_of_systems(*sides):
        return [_Rated(k, system, dimension=asked) for k, (asked, system) in cut.items()]
    system = 0 if len(sides[0]) < len(sides[1]) else 1
    if not crossed or len(sides[1 - system]) < FEWEST_SEGMENTS:
        return []
    return [_Rated(k, parts[system], parts[1 - system]) for k, parts in cut.items()]


def _of_both(table: Table, places: Sequence[int]) -> dict[int, list[str]]:
    """The two parts of headings that name a segment and a system; {} where more than a few do not: those ask for the age, or how it
    was."""
    cut = {k: parts for k, parts in _cut(table, places).items() if len(parts) == 2}
    return cut if len(cut) >= ASKED_OF_SYSTEMS * len(places) else {}


def _are_of_systems(asked: Sequence[str], systems: Sequence[str]) -> bool:
    """Whether few questions are asked about each of several systems; more of them are about a segment each."""
    few = len(systems) > 1 and len(asked) < FEWEST_SEGMENTS
    return few and _are_asked(asked) and not _are_asked(systems)


def _are_asked(texts: Sequence[str]) -> bool:
    """Whether all texts are questions that people answer about a system, and none names a segment."""
    return all("?" in text and len(text.split()) >= FEWEST_ASKED for text in texts)


def _is_form(table: Table, judge: int | None) -> bool:
    """Whether everybody has one row, and the headings name each segment with each system."""
    return judge is not None and table.differ([judge]) and bool(_of_segments(table, _places(table, {judge})))


def _cut(table: Table, places: Sequence[int]) -> dict[int, list[str]]:
    """The segment and the system in each heading: the system inside brackets at the end or behind a number, or both with a
    mark between."""
    for pattern in (INSIDE, CLIP):
        found = {k: [*match.groups()] for k in places if (match := pattern.fullmatch(table.headings[k].strip()))}
        if len(found) == len(places) and len({system for _, system in found.values()}) > 1:
            same = len({asked for asked, _ in found.values()}) == 1  # how good is it? [Sentence 1 - System X]
            return {
                k: BETWEEN.split(system, maxsplit=1) if same else [asked, system]
                for k, (asked, system) in found.items()
            }
    return {k: BETWEEN.split(ASKED.sub("", table.headings[k]).strip(), maxsplit=1) for k in places}


def _are_ranks(table: Table, columns: Sequence[_Rated]) -> bool:
    """Whether nothing but systems was rated, and every row that is filled in ranks three systems or more: 1, 2, 3 and so on,
    each once; in a form, those of each segment."""
    places: dict[str, list[int]] = {}
    for one in columns:
        places.setdefault(one.segment, []).append(one.place)
    if any(one.dimension for one in columns) or min(map(len, places.values())) < FEWEST_RANKED:
        return False
    return all(ranked.rank_all(table, some) for some in places.values())


# What a heading says that no criterion has.
NO_CRITERIA = (words.is_field, words.is_personal, words.is_sureness, words.is_size, words.is_numbered)
NO_CRITERION = re.compile(
    r"(?:.*[-_. ])?(?:order|rank|position|place|slot|turn|worker|round|trial|time|seconds)(?:[-_ ]\w+)?", re.IGNORECASE
)


def on_their_scale(table: Table, rated: Sequence[int], columns: Iterable[int], segment: int | None) -> list[int]:
    """Those of the columns whose whole numbers are on the scale of ratings, and differ between the systems of a segment: criteria
    whose names nobody knows."""
    levels = set[str]().union(*(_levels(table, k) for k in rated))
    if segment is None or not all(map(str.isdigit, levels)):
        return []
    open_ = [k for k in columns if k not in rated and table.meanings[k] is None and table.numeric(k)]
    few = [k for k in open_ if len(own := _levels(table, k)) >= FEWEST_LEVELS and own <= levels]
    return [k for k in few if not (_is_no_criterion(table.headings[k]) or is_fact(table, k, [segment]))]


def _levels(table: Table, k: int) -> set[str]:
    return {cell for cell in table.column(k).counts if not numbers.is_missing(cell)}


def _is_no_criterion(heading: str) -> bool:
    if words.is_overall(heading):
        return False
    return NO_CRITERION.fullmatch(heading.strip()) is not None or any(says(heading) for says in NO_CRITERIA)


FEWEST_LEVELS = 3  # of a scale
