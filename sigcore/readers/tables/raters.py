"""Columns of people (annotator_1, rater 2, judge A, or as somebody says) beside a column of systems: who rated the system
of each row."""

from __future__ import annotations

import itertools
import math
import re
import shlex
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers import names
from sigcore.readers.contract import Found, Notice, Part
from sigcore.readers.tables import evident, gridded, long, numbers, printed, said
from sigcore.readers.tables.columns import Column, replaced
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear

LONG = ["system", "segment", "judge", "dimension", "score"]
RATING = "rating"  # what people gave, where no heading says more


def are_people(headings: Sequence[str]) -> bool:
    """Whether several headings name a person each."""
    return len(headings) > 1 and all(map(names.is_person, headings))


def columns(table: Table) -> list[int]:
    """The columns of numbers below the names of people, where one other column names the system that each row rates; []
    without it, and for fewer than two people."""
    named = table.headed(names.is_person)
    systems = [k for k in table.where("system") if k not in named]
    if (
        table.role
        or table.basis == "program"
        or len(systems) != 1
        or not table.repeats(systems[0])
        or table.numeric(systems[0])
    ):
        return []
    rated = all(is_rated(table, k) for k in named)
    return named if rated and are_people(table.named(named)) else []


def is_rated(table: Table, k: int) -> bool:
    """Whether a column holds numbers, or nothing where nobody rated."""
    cells = [cell for cell in table.column(k).counts if not numbers.is_missing(cell)]
    return bool(cells) and all(map(numbers.is_number, cells))


def said_by(table: Table, meant: said.Said) -> list[int]:
    """The columns of numbers that somebody called judges: each holds the ratings of one; [] where none is, and for one beside
    scores, or beside systems in columns: it numbers the judges.

    Raises: ReadError for some of numbers and some of names.
    """
    named = _called(table, meant)
    if len(named) == 1 and (meant.scores or any(_is_scored(table, *one) for one in meant.columns)):
        return []
    people = [k for k in named if is_rated(table, k)]
    if people and len(people) < len(named):
        rest = table.named([k for k in named if k not in people])
        others = listed(rest)
        ignored = shlex.join(f"{name}=ignored" for name in rest)
        fix = f"Give --columns {ignored}, or a column of ratings for each judge."
        raise ReadError(f"{_named(table, people)} hold ratings, but {others} do not.", table.file, 1, fix)
    return people


def _is_scored(table: Table, name: str, part: Part) -> bool:
    """Whether somebody called a column scores, or one of numbers a system."""
    return part == "score" or (part == "system" and is_rated(table, said.place(table, name)))


def named(table: Table, meant: said.Said, result: Found) -> tuple[Table, said.Said]:
    """The table with the mean of the judges that somebody named, and what else was said; as they are without judges."""
    people, rest = said_by(table, meant), _without_judges(meant)
    if people:
        scored = (*rest.columns, (RATING, "score"))
        return _with_mean(table, people, dict(meant.cells), result), replace(rest, columns=scored)
    return _headed(table, meant), rest


def without_known(table: Table, meant: said.Said) -> said.Said:
    """What was said, but that known judges are runs, and criteria tasks: of ratings they say who gave them, and of what, where fewer
    errors are better."""
    known = {(name, "run") for name in table.named(table.where("judge"))}
    known |= {(name, "task") for name in table.named(table.where("dimension"))}
    return replace(meant, columns=tuple(one for one in meant.columns if one not in known))


def _called(table: Table, meant: said.Said) -> list[int]:
    """The columns that somebody called judges."""
    return [said.place(table, name) for name, part in meant.columns if part == "judge"]


def _headed(table: Table, meant: said.Said) -> Table:
    """The table with the usual heading above the column of names that somebody called judges."""
    return table.renamed(dict.fromkeys(_called(table, meant), "judge"))


def _without_judges(meant: said.Said) -> said.Said:
    return replace(meant, columns=tuple(one for one in meant.columns if one[1] != "judge"))


def said_ratings(table: Table, meant: said.Said, notices: list[Notice]) -> tuple[Table, said.Said]:
    """The ratings of the judges that somebody named with a row each, and what else was said; as they are without judges.

    Raises: ReadError where no column names the systems or the segments.
    """
    people = said_by(table, meant)
    if not people:
        return _headed(table, meant), _without_judges(meant)
    system, segment = _rated_by(table, meant)
    if not system or not segment:
        fix = "Say both: --system-field NAME --id-field NAME, with your headings."
        raise ReadError("Ratings need a column of systems and one of segments beside the judges.", table.file, 1, fix)
    return _by_person(table, people, system[0], segment[0], notices), said.Said()


def _rated_by(table: Table, meant: said.Said) -> tuple[list[int], list[int]]:
    """The column of systems and that of segments, as somebody says or by their headings; [] for a missing one."""
    told = {part: name for name, part in meant.columns}
    system = [said.place(table, name) for name in (told.get("system") or meant.system,) if name] or table.where(
        "system"
    )
    asked = [*meant.segment, *filter(None, [told.get("question")])]
    segment = [said.place(table, name) for name in asked] or _segments(table, system) or table.where("document")
    return system[:1], segment[:1]


def long_form(table: Table, notices: list[Notice]) -> Table | None:
    """The ratings with a row each, and their judges; None for another table, and where no column names the segments."""
    people, system = columns(table), table.where("system")
    segment = _segments(table, system) if people else []
    return _by_person(table, people, system[0], segment[0], notices) if segment else None


def _by_person(table: Table, people: Sequence[int], system: int, segment: int, notices: list[Notice]) -> Table:
    criterion = table.where("dimension")[:1]
    rows = [
        [row[system], row[segment], table.headings[k].strip(), row[criterion[0]] if criterion else RATING, row[k]]
        for row in table.rows
        for k in people
    ]
    notices.append(
        Notice(table.file, f"A column for each judge was read as the ratings of one: {_named(table, people)}.")
    )
    return Table(table.file, LONG, rows, [line for line in table.places for _ in people])


def _segments(table: Table, system: Sequence[int]) -> list[int]:
    """The column that names what was rated, if there is one."""
    return (table.where("segment", "perhaps segment") or long.named_ids(table, system))[:1]


IN_ONE = re.compile(  # [4, 5, 3]; 4;5;3; and 4,5,3, where two would be a number with a decimal comma
    r"\s*[\[(]\s*{0}(?:\s*[,;|]\s*{0}){{1,19}}\s*[\])]\s*|\s*{0}(?:\s*[;|]\s*{0}){{1,19}}\s*|\s*{0}(?:\s*,\s*{0}){{2,19}}\s*".format(
        r"\d{1,3}(?:\.\d+)?"
    )
)
ONE = re.compile(r"\d+(?:\.\d+)?")
PEOPLE = re.compile(r"(?:participant|annotator|worker|rater|judge|listener|user)s?(?:[-_ ]?ids?)?", re.IGNORECASE)
AGAIN = 0.8  # of cells of unequal length have a mark twice, and another one: people agree, and sets do not
MOST_MARKS = 21  # different marks of a scale: 0 to 10 in halves


def of_marks(table: Table, given: said.Said, notices: list[Notice]) -> Table:
    """The table with a row for each person whose marks a cell lists, or with the mean of marks of which nobody says whose they are."""
    found = Found()
    table = of_lists(table, notices)
    table = out_of_cells(table, found, given) if table.rows else table
    notices += found.notices
    return table


def of_lists(table: Table, notices: list[Notice]) -> Table:
    """The table with a row for each person, where cells list their marks ([4, 5, 3]) and perhaps, in the same order, who they
    are; as it is for others."""
    listed_in = [k for k in range(len(table.headings)) if all(map(IN_ONE.fullmatch, table.column(k).counts))]
    people = [k for k in listed_in if PEOPLE.fullmatch(table.headings[k].strip())]
    if len(people) != 1 or len(listed_in) < 2:
        return table
    cells = [{k: ONE.findall(row[k]) for k in listed_in} for row in table.rows]
    if not all(map(_are_even, cells)):
        return table
    rows = [_of_person(row, own, i) for row, own in zip(table.rows, cells, strict=True) for i in _places(own)]
    places = [place for place, own in zip(table.places, cells, strict=True) for _ in _places(own)]
    message = f"Each cell of {_named(table, listed_in)} lists several people, each of whom has a row."
    notices.append(Notice(table.file, message))
    return replace(table, rows=rows, places=places).renamed({people[0]: "judge"})


def _are_even(own: Mapping[int, Sequence[str]]) -> bool:
    return len({*map(len, own.values())}) == 1


def _places(own: Mapping[int, Sequence[str]]) -> range:
    """The places in lists of one length."""
    return range(len(next(iter(own.values()))))


def _of_person(row: Sequence[str], own: Mapping[int, Sequence[str]], place: int) -> list[str]:
    """A row with what its lists have at a place."""
    return [own[k][place] if k in own else cell for k, cell in enumerate(row)]


def out_of_cells(table: Table, result: Found, given: said.Said) -> Table:
    """The table with the mean of each cell that has the marks of several people: [4, 5, 3] or 4;5;3. `given` is what somebody says
    of the columns."""
    if table.role or table.gold:
        return table  # beside what is right they are predictions
    listed_in = [k for k, cell in enumerate(table.rows[0]) if IN_ONE.fullmatch(cell)]
    open_ = [k for k in listed_in if not _NO_MARKS.search(table.headings[k])]
    found = {k: own for k in open_ if (own := _means(table.column(k), _are_told(table.headings[k], given)))}
    if not found:
        return table
    message = f"Each cell of {_named(table, [*found])} has the marks of several people, which were averaged."
    result.notices.append(Notice(table.file, message))
    marks = {k: [means[cell] for cell in table.column(k)] for k, means in found.items()}
    return replace(table, rows=replaced(table.rows, marks))


def _are_told(heading: str, given: said.Said) -> bool:
    """Whether a heading, or somebody, says that numbers are marks."""
    scored = {*given.scores, *given.called("score"), *given.called("system")}
    return heading in scored or _MARKS.search(heading) is not None


_MARKS = re.compile(r"scores?|ratings?|marks?|judge?ments?|annotations?|grades?|likert", re.IGNORECASE)
_NO_MARKS = re.compile(r",|\bids?$|_ids?$|key|index|indices|tokens?$|spans?$", re.IGNORECASE)
LEAST, BEST = 1, 10  # on a scale, where no heading says that numbers are marks


def _means(cells: Column, told: bool) -> dict[str, str]:
    """The mean of the marks in each different cell of a column; {} for one that holds anything else: other numbers of marks
    that hardly come again in a cell are sets, and marks that differ in every cell are ranks. `told`: the heading says that they
    are marks; others are on a scale from 1 on, as many in each cell."""
    known = [cell for cell in cells.counts if not numbers.is_missing(cell)]
    if len(cells) < numbers.FEWEST or not all(map(IN_ONE.fullmatch, known)):
        return {}
    given = {cell: ONE.findall(cell) for cell in known}
    return {cell: _mean(given.get(cell, [])) for cell in cells.counts} if _are_marks([*given.values()], told) else {}


def _are_marks(cells: Sequence[Sequence[str]], told: bool) -> bool:
    """Whether the numbers in cells are on a scale, as many in each, or come again in most where a heading says what they are."""
    different = [len({*own}) for own in cells]
    again = sum(1 < number < len(own) for number, own in zip(different, cells, strict=True))
    alike = len({*map(len, cells)}) == 1 and any(map(int.__lt__, different, map(len, cells)))
    scale = {float(mark) for own in cells for mark in own}
    if len(scale) > MOST_MARKS:
        return False
    return alike or again >= AGAIN * len(cells) if told else alike and min(scale) >= LEAST and max(scale) <= BEST


def averaged(table: Table, told: Container[str], result: Found) -> Table:
    """The table with the mean of all people in place of a column for each; as it is, where no columns are people. `told` are
    the cells of which somebody said what they mean."""
    people = columns(table)
    if not people or table.headed(lambda name: name.strip().lower() == RATING):
        return table
    return _with_mean(table, people, told, result)


def _with_mean(table: Table, people: Sequence[int], told: Container[str], result: Found) -> Table:
    """The table with the mean of these people in place of a column for each.

    Raises: ReadError where a number below all other ratings may say that there is none.
    """
    _refuse_codes(table, people, told)
    named = _named(table, people)
    message = f"{named} are people: their ratings of each row were averaged ({RATING})."
    result.notices.append(Notice(table.file, message))
    result.claims += [evident.claim(table, k, "judge", "one of the people whose ratings were averaged") for k in people]
    return table.without({*people}).beside([RATING], ([[_mean([row[k] for k in people])]] for row in table.rows))


CODES = (-1.0, -9.0, -99.0, -999.0)  # for no rating, below scales that begin at 0 or 1


def _refuse_codes(table: Table, people: Sequence[int], told: Container[str]) -> None:
    """Raise Unclear where ratings hold one of the numbers that say that there is none, and nobody `told` what it means: a mean
    would hide it."""
    cells = [cell for k in people for cell in table.column(k) if numbers.is_number(cell)]
    low = sorted({float(cell) for cell in cells})[:2]
    if len(low) == 2 and low[0] in CODES and low[1] >= 0 and f"{low[0]:g}" not in told:
        code = f"{low[0]:g}"
        held = count(sum(float(cell) == low[0] for cell in cells), "rating")
        message = (
            f"{held} of {_named(table, people)} {'is' if held.startswith('1 ') else 'are'} {code}, below all others."
        )
        roles = shlex.join(f"{name}=judge" for name in table.named(people))
        ways = [
            (f"{code} says that there is no rating", f"{roles} --cells {code}=missing"),
            (f"{code} is a rating", f"{roles} --cells {code}={code}"),
        ]
        claims = [evident.claim(table, k, "judge", "one of the people") for k in people]
        problem = Unclear(table, message, claims, ways)
        problem.settled = True
        raise problem


def _named(table: Table, people: Sequence[int]) -> str:
    return listed(table.named(people))


def _mean(cells: Sequence[str]) -> str:
    """The mean of the ratings that are there; "" without any."""
    known = numbers.numbers_in([cell for cell in cells if not numbers.is_missing(cell)])
    return repr(math.fsum(known) / len(known)) if known else ""


# Two lines of headings: a system, and below it the people who rated it.

BELOW = re.compile(r"(.+?): (.+)")  # gpt: R1


def below(table: Table, meant: said.Said) -> tuple[Table, said.Said]:
    """The table with people below systems, where somebody named some who are no columns but parts of headings (rater1=judge of
    gpt_rater1, llama_rater1), and the rest of what was said; as they are without such people."""
    people = [name for name, part in meant.columns if part == "judge" and name not in table.headings]
    found = gridded.spread(table.headings, people)
    if not people or {name for _, name in found.values()} != {*people} or not all(map(_is_person, people)):
        return table, meant
    named = {k: ": ".join(found[name]) for k, name in enumerate(table.headings) if name in found}
    return table.renamed(named), replace(meant, columns=tuple(one for one in meant.columns if one[0] not in people))


def _is_person(name: str) -> bool:
    return printed.PERSON.fullmatch(name) is not None or names.is_person(name)


def _below_systems(table: Table) -> dict[str, list[int]]:
    """The columns of the same several people below each of several systems (A: R1, A: R2, B: R1, B: R2); {} for others."""
    found: dict[str, list[int]] = {}
    for k, heading in enumerate(table.headings):
        if (match := BELOW.fullmatch(heading.strip())) and _is_person(match[2]):
            found.setdefault(match[1].strip(), []).append(k)
    sizes = {*map(len, found.values())}
    return found if len(found) > 1 and len(sizes) == 1 and min(sizes) > 1 else {}


def out_of_heads(table: Table, result: Found) -> Table:
    """The table with the mean of the people below each system, which is noted."""
    systems = _below_systems(table) if not table.role else {}
    if not systems:
        return table
    message = f"{listed(systems)} stand above the people who rated them: the ratings of each row were averaged."
    result.notices.append(Notice(table.file, message))
    means = ([[_mean([row[k] for k in own]) for own in systems.values()]] for row in table.rows)
    return table.without({*itertools.chain(*systems.values())}).beside([*systems], means)


def of_heads(table: Table, notices: list[Notice]) -> Table:
    """The table with a row for each system and person below it, which is noted."""
    systems = _below_systems(table)
    if not systems:
        return table
    each = [(name, k, table.headings[k].rpartition(": ")[2]) for name, own in systems.items() for k in own]
    notices.append(Notice(table.file, f"{listed(systems)} stand above the people who rated them."))
    cells = ([(name, who, row[k]) for name, k, who in each] for row in table.rows)
    return table.without({k for _, k, _ in each}).beside(["system", "judge", "score"], cells)
