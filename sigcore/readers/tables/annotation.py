"""Exports of the programs in which people rate (webMUSHRA, CrowdFlower, Qualtrics, SurveyMonkey), below the headings of the vocabulary."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from sigcore.errors import ReadError
from sigcore.formatting import count, counted, listed
from sigcore.readers import names as naming
from sigcore.readers.contract import Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers, printed, programs
from sigcore.readers.tables.cells import Rows
from sigcore.readers.tables.table import Table


@dataclass(frozen=True)
class Tool:
    """A program whose exports are known by the headings `needs`; `called` are its headings and their meanings, of those with
    one meaning the first that a file has. `rated` is what people rate in it, where it is always the same, `left_out` has the
    values of rows that do not count, by heading (`*`: any), `before` what stands before others, and `only` the
    values of the rows that are ratings. Headings are in lower case.
    """

    name: str
    needs: tuple[str, ...]
    called: Mapping[str, str] = field(default_factory=dict)
    rated: str = ""
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


TOOLS = tuple(Tool(**one) for one in programs.RECORDS["platform"])


def _tool(headings: Sequence[str]) -> Tool | None:
    """The program that writes these headings; None for others."""
    known = {one.strip().lower() for one in headings}
    return next((tool for tool in TOOLS if known.issuperset(tool.needs)), None)


def _called(headings: Sequence[str], tool: Tool) -> dict[int, str]:
    """The words of the vocabulary for the headings of a program, by their places."""
    known = [one.strip().lower() for one in headings]
    first = {word: heading for heading, word in reversed([*tool.called.items()]) if heading in known}
    return {known.index(heading): word for word, heading in first.items()}


def renamed(headings: Sequence[str]) -> list[str]:
    """The headings with the words of the vocabulary for those of a known program."""
    tool = _tool(headings)
    named = _called(headings, tool) if tool else {}
    return [named.get(k, heading) for k, heading in enumerate(headings)]


def rates(headings: Sequence[str]) -> bool:
    """Whether these are the headings of a program in which people rate, with their ratings."""
    tool = _tool(headings)
    return tool is not None and "score" in tool.called.values()


def of_tool(table: Table, notices: list[Notice]) -> Table:
    """The table of a known program below the words of the vocabulary, which is noted; another table as it is."""
    tool = _tool(table.headings)
    if tool is None or not tool.called:
        return table
    named = dict(sorted(_called(table.headings, tool).items()))
    shown = ", ".join(f"{table.headings[k]} = {word}" for k, word in named.items())
    notices.append(Notice(table.file, f"It was recognised as a file of {tool.name}: {shown}."))
    table = _bare(table.renamed(named), tool)
    return table.beside(["dimension"], ([[tool.rated]] for _ in table.rows)) if tool.rated else table


# Qualtrics writes three lines of headings: codes, what was asked, and where each answer comes from.

IMPORTED = re.compile(r'\s*\{\s*"ImportId"\s*:.*\}\s*')
ANSWER = re.compile(r"QID\d+")
PERSON, STATUS = "_recordId", "status"  # of a response
TRIED = ("survey preview", "survey test")  # by who made the survey
HEADINGS = 3


def of_survey(rows: Rows, notices: list[Notice]) -> Rows:
    """The answers in an export of Qualtrics, below what was asked, and beside them who answered; other rows as they are."""
    sources = _sources(rows.cells)
    if not sources:
        return rows
    person = [k for k, source in enumerate(sources) if source == PERSON]
    answers = _answers(rows.cells[0], sources)
    kept = _answered(rows, sources)
    tried = len(rows.cells) - HEADINGS - len(kept)
    more = f", and {count(tried, 'response')} of a preview are left out." if tried else "."
    message = f"It was recognised as a file of Qualtrics: its second line says what was asked{more}"
    message += _unfinished(rows, sources, kept)
    notices.append(Notice(rows.file, message))
    codes, texts = ([row[k] for k in answers] for row in rows.cells[:2])
    # what a code such as Alma_useful is about, its question says in too many words
    shown = list(codes) if _of_grid(codes, range(len(codes))) else texts
    head = ["judge"] * len(person) + (_crossed(codes) or shown)
    body = [[rows.cells[i][k] for k in (*person, *answers)] for i in kept]
    return Rows(rows.file, rows.mark, [head, *body], [1, *(rows.lines[i] for i in kept)])


UNFINISHED = ("false", "0", "no")


def _unfinished(rows: Rows, sources: Sequence[str], kept: Sequence[int]) -> str:
    """What is said of those of the kept responses that are not finished."""
    told = sources.index("finished") if "finished" in sources else None
    n = 0 if told is None else sum(rows.cells[i][told].strip().lower() in UNFINISHED for i in kept)
    return f" {counted(n, 'response', 'is not finished and counts', 'are not finished and count')}, too." if n else ""


# Codes of what Qualtrics says of each response.
OF_RESPONSE = pattern("annotation.of_response")


def _answers(codes: Sequence[str], sources: Sequence[str]) -> list[int]:
    """The columns of what people said, without what Qualtrics says of each response."""
    found = [k for k, source in enumerate(sources) if ANSWER.match(source) and not OF_RESPONSE.fullmatch(codes[k])]
    return _of_grid(codes, found) or found


def _of_grid(codes: Sequence[str], columns: Sequence[int]) -> list[int]:
    """The columns whose codes join a name and what it was rated for (Alma_natural, Ruta_natural, Alma_useful,
    Ruta_useful), each name with each of these; [] without several of both."""
    parts = {
        k: codes[k].partition("_")[::2] for k in columns if codes[k].partition("_")[2] and not NUMBERED.match(codes[k])
    }
    rated: dict[str, set[str]] = {}
    for first, last in parts.values():
        rated.setdefault(first, set()).add(last)
    whole = max((own for own in rated.values() if len(own) > 1), key=len, default=set())
    found = [k for k, (first, _) in parts.items() if rated[first] == whole]
    criteria = any(map(words.has_measure, whole))
    return found if criteria and len(found) > len(whole) > 1 else []


NUMBERED = re.compile(r"Q?\d")  # Q3_1: codes that nobody chose


def _sources(cells: Sequence[Sequence[str]]) -> list[str]:
    """Where each answer comes from, as the third line says in JSON; [] for another table."""
    if len(cells) <= HEADINGS or not all(map(IMPORTED.fullmatch, cells[HEADINGS - 1])):
        return []
    try:
        return [str(json.loads(cell)["ImportId"]) for cell in cells[HEADINGS - 1]]
    except (ValueError, KeyError, RecursionError):
        return []


def _crossed(codes: Sequence[str]) -> list[str]:
    """The segment and the system in codes such as S01_BART, where each segment comes with each named system; [] for others."""
    for cut in (re.compile(r"(.+)[-_. ](.+)"), re.compile(r"(.+?)[-_. ](.+)")):
        parts = [match.groups() for match in map(cut.fullmatch, codes) if match]
        firsts, lasts = ({part[k] for part in parts} for k in (0, 1))
        whole = len(parts) == len(codes) == len({*parts}) == len(firsts) * len(lasts)
        few = min(firsts, lasts, key=len)
        rated = any(map(words.has_measure, firsts | lasts))  # natural, useful: no system is called so
        apart = len(firsts) != len(lasts) and not rated
        if whole and len(few) > 1 and apart and not any(map(str.isdigit, few)):
            return [" - ".join(part) for part in parts]
    return []


def _answered(rows: Rows, sources: Sequence[str]) -> list[int]:
    """The places of the responses that are no preview."""
    body = range(HEADINGS, len(rows.cells))
    status = sources.index(STATUS) if STATUS in sources else None
    return [i for i in body if status is None or rows.cells[i][status].strip().lower() not in TRIED]


# SurveyMonkey writes two lines of headings: a question above the first of its columns, and below what each of them is about.

RESPONSES = ("respondent id", "collector id")  # of its first headings
ONLY = re.compile(r"(?:open-ended )?response", re.IGNORECASE)  # below a question with one answer


def are_responses(headings: Sequence[str]) -> bool:
    """Whether these are the first headings of SurveyMonkey: of who answered, and to whom the form was sent."""
    first = tuple(one.strip().lower().replace("_", " ") for one in headings[: len(RESPONSES)])
    return first == RESPONSES


def of_responses(rows: Rows, notices: list[Notice]) -> Rows:
    """The answers in an export of SurveyMonkey with one heading for each column, `question [what the answer is about]`, and
    who answered; other rows as they are."""
    if len(rows.cells) < HEADINGS or not are_responses(rows.cells[0]):
        return rows
    upper = [cell.strip() for cell in rows.cells[0]]
    lower = [cell.strip() for cell in rows.cells[1]]
    answers = [k for k, cell in enumerate(lower) if cell]
    asked = list[str]()
    for cell in upper:  # the cells of a question are merged
        asked.append(cell or (asked[-1] if asked else ""))
    head = [asked[k] if ONLY.fullmatch(lower[k]) else f"{asked[k]} [{lower[k]}]" for k in answers]
    message = "It was recognised as a file of SurveyMonkey: its second line says what each answer is about."
    notices.append(Notice(rows.file, message))
    body = [[row[k] for k in (0, *answers)] for row in rows.cells[2:]]
    return Rows(rows.file, rows.mark, [["judge", *head], *body], [rows.lines[0], *rows.lines[2:]])


def joined(rows: Rows, notices: list[Notice]) -> Rows:
    """The rows with one heading for each column, where every group in a first line has the same columns in the second; other
    rows as they are."""
    parts = printed.grouped(rows.cells)
    if not parts:
        return rows
    plain = [one.strip() or other for one, other in zip(*rows.cells[:2], strict=True)]
    head = [": ".join(parts[k]) if k in parts else name for k, name in enumerate(plain)]
    notices.append(Notice(rows.file, "Its headings are in two lines, which were joined.", rows.lines[0]))
    return Rows(rows.file, rows.mark, [head, *rows.cells[2:]], [rows.lines[0], *rows.lines[2:]])


# Potato writes a column for each mark: fluency:::4 holds true where that was chosen.

CHOICE = re.compile(r"(.+):::([0-9]+(?:\.[0-9]+)?)")


def of_choices(table: Table, notices: list[Notice]) -> Table:
    """The table with one column for each criterion, where columns of its marks say which was chosen (Potato)."""
    marks: dict[str, dict[int, str]] = {}
    for k, name in enumerate(table.headings):
        if match := CHOICE.fullmatch(name.strip()):
            marks.setdefault(match[1], {})[k] = match[2]
    if not marks:
        return table
    used = {k for own in marks.values() for k in own}
    rest = [k for k in range(len(table.headings)) if k not in used]
    rows = [[*(row[k] for k in rest), *(_chosen(row, own) for own in marks.values())] for row in table.rows]
    notices.append(
        Notice(table.file, f"It was recognised as a file of Potato: the mark that was chosen of {listed(marks)}.")
    )
    return Table(table.file, [*table.named(rest), *marks], rows, table.places)


def _chosen(row: Sequence[str], own: Mapping[int, str]) -> str:
    """The mark whose column is not empty; "" where none is, or several are."""
    found = [mark for k, mark in own.items() if row[k].strip().lower() not in ("", "false", "0")]
    return found[0] if len(found) == 1 else ""


# Rows that name several systems by place, and have the marks of each: sys1, quality1, sys2, quality2.

PLACED = re.compile(r"(.*\D)[-_ ]?([1-9])")
MOST_NAMES = 40


def by_place(table: Table, notices: list[Notice]) -> Table:
    """The table with a row for each system, where numbered columns name those of each row and others have their marks."""
    places = _by_stem(table.headings)
    named = [stem for stem in places if _name_systems(table, places[stem])]
    marked = _marked(table, places, named[0]) if len(named) == 1 else []
    if table.where("system") or not marked:
        return table
    rest = table.without({k for own in places.values() for k in own.values()})
    message = f"{named[0]}1 names the system of {marked[0]}1, and so on: each row was read as one of each."
    notices.append(Notice(table.file, message))
    return _each_place(table, [places[stem] for stem in (named[0], *marked)], rest, marked)


def _each_place(table: Table, places: Sequence[Mapping[str, int]], rest: Table, marked: Sequence[str]) -> Table:
    """The rest of a table with a row for each system: its name and marks, whose places are given by number."""
    each = [[own[i] for own in places] for i in places[0]]
    parts = [[[row[k] for k in own] for own in each] for row in table.rows]
    if any(map(_is_known, marked)):
        return rest.beside(["system", *marked], parts)
    return rest.beside(["system", "score", "dimension"], ([[*own, marked[0]] for own in part] for part in parts))


def _marked(table: Table, places: Mapping[str, Mapping[str, int]], named: str) -> list[str]:
    """The stems below which are marks of each of the named systems: by their names, or the only numbers that are all there."""
    marks = [stem for stem in places if _are_marks(table, stem, places[stem], places[named])]
    filled = [
        stem
        for stem, own in places.items()
        if own.keys() == places[named].keys()
        and all(map(numbers.is_number, (c for k in own.values() for c in table.column(k).counts)))
    ]
    return marks or (filled if len(filled) == 1 else [])


def _by_stem(headings: Sequence[str]) -> dict[str, dict[str, int]]:
    """The places of numbered headings, by what is before the number."""
    places: dict[str, dict[str, int]] = {}
    for k, name in enumerate(headings):
        if match := PLACED.fullmatch(name.strip()):
            places.setdefault(match[1].rstrip("-_ "), {})[match[2]] = k
    return places


def _name_systems(table: Table, own: Mapping[str, int]) -> bool:
    """Whether numbered columns hold the same few names, below a heading of systems."""
    names = {cell.strip() for k in own.values() for cell in table.column(k).counts}
    stem = PLACED.fullmatch(table.headings[next(iter(own.values()))].strip())
    headed = stem is not None and (words.meaning(stem[1]) == "system" or naming.says_system(stem[1]))
    return headed and 1 < len(own) <= len(names) <= MOST_NAMES and not any(map(numbers.is_number, names))


def _is_known(stem: str) -> bool:
    """Whether a heading is a criterion, or says score."""
    return words.CRITERION.fullmatch(stem) is not None or words.is_plain(stem)


def _are_marks(table: Table, stem: str, own: Mapping[str, int], systems: Mapping[str, int]) -> bool:
    """Whether numbered columns hold the marks of a criterion for each system."""
    return _is_known(stem) and own.keys() == systems.keys() and all(map(table.numeric, own.values()))


# Files that people heard or saw, in a folder for each system: audio/vits/utt_004.wav.

STIMULUS = re.compile(r"(?:.*[/\\])?([^/\\]+)[/\\]([^/\\]+)\.(?:wav|mp3|flac|ogg|m4a|mp4|png|jpe?g)", re.IGNORECASE)
MET = 0.5  # of all pairs of a folder and a name


def of_files(table: Table, notices: list[Notice]) -> Table:
    """The table with the system and the segment of each file, where the files of several folders have the same names and nothing
    else names the systems."""
    for k in range(len(table.headings)) if not table.where("system") else ():
        found = {cell: match for cell in table.column(k).counts if (match := STIMULUS.fullmatch(cell.strip()))}
        folders, files = ({match[i] for match in found.values()} for i in (1, 2))
        whole = len(found) == len(table.column(k).counts) and len(found) >= MET * len(folders) * len(files)
        if whole and 1 < len(folders) < len(files):
            parts = ([[found[cell][1], found[cell][2]]] for cell in table.column(k))
            message = (
                f"{table.headings[k]} was read as the system (its folder) and the segment: {listed(sorted(folders))}."
            )
            notices.append(Notice(table.file, message))
            rest = table.without({k, *table.where("segment", "perhaps segment")})
            return rest.beside(["system", "segment"], parts)
    return table


# Answers that do not count: to test questions, or such as the requester has rejected.


def counting(table: Table, notices: list[Notice]) -> Table:
    """The table without the rows that do not count in its program, which are counted in a notice.

    Raises: ReadError where none is left.
    """
    tool = _tool(table.headings)
    for k, heading in enumerate(table.headings):
        if gone := _practised(table, k) | (_uncounted(table, k, tool) if tool else {}):
            notices.append(_left_out(table, heading, gone))
            table = table.kept([i for i in range(len(table.rows)) if i not in gone])
    return table


# What a row is for, and the rows that only try the task or the people, whatever program wrote them.
PHASE = pattern("annotation.phase")
PRACTICE = pattern("annotation.practice")


def _practised(table: Table, k: int) -> dict[int, str]:
    """The rows of practice and of attention checks by a column that says what each row is for; none where all are."""
    if not PHASE.fullmatch(table.headings[k].strip()):
        return {}
    gone = {i: cell.strip() for i, cell in enumerate(table.column(k)) if PRACTICE.fullmatch(cell.strip())}
    return gone if len(gone) < len(table.rows) else {}


def _uncounted(table: Table, k: int, tool: Tool) -> dict[int, str]:
    """The rows that do not count in a program, by what it notes in a column."""
    heading = table.headings[k].strip().lower()
    marks = next((own for name, own in tool.left_out.items() if fnmatchcase(heading, name)), ())
    own = tool.only.get(heading, ())
    if not marks and not own:
        return {}
    cells = enumerate(table.column(k))
    return {
        i: cell.strip() for i, cell in cells if (_is_marked(cell, marks) if marks else cell.strip().lower() not in own)
    }


def _left_out(table: Table, heading: str, gone: Mapping[int, str]) -> Notice:
    """The notice on rows that do not count, by their places with what stands below a heading.

    Raises: ReadError where these are all rows.
    """
    shown = listed(sorted({*gone.values()} - {""}))
    if len(gone) == len(table.rows):
        message = f"None of its answers counts: {heading} is {shown}."
        raise ReadError(message, table.file, 1, "Load answers that count.")
    which = f"with {heading} {shown}" if shown else ""
    which += (" or " if shown else "") + f"without {heading}" if "" in gone.values() else ""
    return Notice(table.file, f"{count(len(gone), 'answer')} {which} {'is' if len(gone) == 1 else 'are'} left out.")


def _is_marked(cell: str, marks: Sequence[str]) -> bool:
    """Whether a cell is one of these marks, in any case, or not empty where any counts."""
    word = cell.strip().lower()
    return word in marks or ("*" in marks and bool(word))


def _bare(table: Table, tool: Tool) -> Table:
    """The table with its headings without what a program writes before them (INPUT:model_left)."""
    for start in tool.before:
        bare = {k: name[len(start) :] for k, name in enumerate(table.headings) if name.lower().startswith(start)}
        table = table.renamed({k: name for k, name in bare.items() if name not in table.headings})
    return table


def platform(table: Table, notices: list[Notice]) -> Table:
    """The table without the rows that do not count, and with bare headings, where a platform writes more before them."""
    tool, table = _tool(table.headings), counting(table, notices)
    return of_tool(table, notices) if tool and tool.before else table
