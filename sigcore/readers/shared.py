"""What several files of scores have in common: numbers about the segments, and names of test sets."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from statistics import fmean, pstdev

from sigcore.errors import ReadError, SigError
from sigcore.formatting import listed
from sigcore.readers import folders, names
from sigcore.readers.contract import Claim, Detected, Item, Notice, Part
from sigcore.readers.tables import compared, guesses, likeness, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.unclear import ALONE, Unclear, Way, is_tested, said_as
from sigcore.readers.together import Settings, by_file, is_score


def shared(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items; numbers that no file has for itself are left out, and files of the same names for each of several systems are
    test sets."""
    items, same = _without_same(items)
    items, sets = _of_sets(items)
    items, grid = _of_grid(items)
    return items, [*same, *sets, *grid]


Columns = Callable[[str, bytes], Mapping[str, Sequence[str]]]  # the cells of a file by heading
ABOUT_SYSTEMS = ("score", "system", "text")  # roles of what differs between systems
ALIKE = 10  # segments; fewer scores may be equal by chance


def _without_same(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items without numbers that are the same in every file, or for every system of one file, where something else can be
    compared: they are about the segments."""
    alike = _of_alike(items)
    more = _without_items(items, alike)
    same = [own for own in alike if all(_says_more(item, more) for item in own)]
    if not same:
        return list(items), []
    named = listed(dict.fromkeys(own[0].measure for own in same))
    where = "files" if same[0][0].file != same[0][1].file else "systems"
    message = f"Not used, the same numbers in all {len(same[0])} {where}, so they are about the segments: {named}."
    return _without_items(items, same), [Notice("", message)]


def _without_items(items: Sequence[Item], groups: Sequence[Sequence[Item]]) -> list[Item]:
    """The items that are in none of these groups."""
    left = {id(item) for own in groups for item in own}
    return [item for item in items if id(item) not in left]


def _of_alike(items: Sequence[Item]) -> list[list[Item]]:
    """The scores of each test set and measure that are the same for all systems."""
    found: dict[tuple[str, str], list[Item]] = {}
    for item in filter(is_score, items):
        found.setdefault((item.testset, item.measure), []).append(item)
    return list(filter(_is_same, found.values()))


def _is_same(items: Sequence[Item]) -> bool:
    """Whether scores are in a file each, or all in one, and equal for each segment."""
    if len(items) < 2 or len({item.file for item in items}) not in (1, len(items)) or len(items[0].segments) < ALIKE:
        return False
    cells = [sorted(zip(item.keys, item.segments, strict=True)) if item.keys else item.segments for item in items]
    return all(one == cells[0] for one in cells)


def _says_more(item: Item, items: Sequence[Item]) -> bool:
    """Whether these others have an output or scores in the file, too: then what is the same in all is no result. A known
    metric may be the same by itself, unless labels are compared, or a different whole number in each row counts the questions."""
    others = [one for one in items if one.file == item.file and one.role == "system"]
    labels = any(one.kind == "text" and 2 * len({*one.segments}) <= len(one.segments) for one in others)
    compared = labels and any(one.role == "reference" for one in items)
    measure = words.has_measure(item.measure) and not (words.is_criterion(item.measure) and len({*item.segments}) > 2)
    known = words.is_outcome(item.measure) or (measure and not compared)
    return bool(others) and (_is_numbered(item.segments) or not known)


def _is_numbered(cells: Sequence[str]) -> bool:
    """Whether each cell is another whole number."""
    return len({*cells}) == len(cells) and all(map(str.isdigit, cells))


def about_questions(
    problems: Sequence[SigError], detected: Sequence[Detected], columns: Columns
) -> dict[str, Settings]:
    """Change what is asked about files of a system each: the columns that have the same cells in all of them are about the
    questions, and no command takes them for scores. `columns` gives the columns of a file.

    Returns the options that answer what is asked, by file: whether such a column names systems.
    """
    answers, asked = dict[str, Settings](), [one for one in problems if isinstance(one, Unclear) and one.claims]
    tables = tables_of(detected, columns) if asked else {}
    tables = called_plainly(asked, tables)
    for problem in asked:
        alike = _alike(problem, tables)
        if sum(one.keys() == tables.get(str(problem.file), {}).keys() for one in tables.values()) > 1:
            problem.fix = problem.fix.replace(ALONE, "Each file is one system. ")
        if answer := _answer(problem, alike, tables):
            answers[str(problem.file)] = {"columns": answer}
        if alike:
            _ignore(problem, alike)
            own = tables.get(str(problem.file), {})
            _as_right(problem, alike, own)
            _predicted(problem, alike, own)
        _with_keys(problem, tables)
    return answers


NUMBERED = guesses.NAMELESS  # what columns without headings are called


def called_plainly(
    asked: Sequence[Unclear], tables: Mapping[str, Mapping[str, Sequence[str]]]
) -> dict[str, Mapping[str, Sequence[str]]]:
    """The columns of each file, by their numbers where a question is about files without headings; the questions call them so."""
    for problem in asked:
        problem.called_plainly()
    nameless = {len(one.claims) for one in asked if all(NUMBERED.fullmatch(claim.column) for claim in one.claims)}
    return {file: _without_heading(own) if len(own) in nameless else own for file, own in tables.items()}


def _without_heading(columns: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """The columns of a table whose first row is no heading, by their number."""
    return {f"column {k}": (first, *cells) for k, (first, cells) in enumerate(columns.items(), 1)}


def _answer(problem: Unclear, alike: Sequence[str], tables: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    """What columns are that may name systems, and do not: they have the same cells in all files. "" where another one may."""
    naming = [one.column for one in problem.claims if f"Does {one.column} name systems" in problem.why]
    rows = [name for name in naming if _names_rows(name, tables)]
    part = "question" if rows else "ignored"
    return "\n".join(f"{name}={part}" for name in naming) if {*naming} <= {*alike, *rows} else ""


RIGHT = "the same in all files, and like the outputs"


def _as_right(problem: Unclear, alike: Sequence[str], own: Mapping[str, Sequence[str]]) -> None:
    """Take the one text that all files have alike, and that is like one output beside it, for the reference; others are ignored."""
    outputs = [one.column for one in problem.claims if one.role in ("system", "text") and one.column not in alike]
    if not problem.plan or any(one.role == "reference" for one in problem.claims):
        return
    pairs = itertools.product(alike, outputs)
    like = [(name, output) for name, output in pairs if likeness.alike(own.get(name, ()), own.get(output, ()))]
    if len(like) == 1:
        known: dict[str, tuple[Part, str]] = dict.fromkeys(outputs, ("ignored", "unlike what is right"))
        known |= {like[0][0]: ("reference", RIGHT)}
        del known[like[0][1]]
        problem.claims = tuple(_with_role(one, known.get(one.column)) for one in problem.claims)
        problem.with_plan({one.column: one.role for one in problem.claims if one.column in problem.plan})


EQUAL = 0.3  # of the rows: a number that a system answers is often the right one
NEAR = 0.5  # of the spread of what is right: predictions are nearer to it than its mean is
MADE = ("system", "text", "score")


def _predicted(problem: Unclear, alike: Sequence[str], own: Mapping[str, Sequence[str]]) -> None:
    """Offer the reading in which the one column of numbers that all files have alike is right, and the one that differs predicts it."""
    cells = {name: numbers.numbers_in(own[name]) for name in own if all(map(numbers.is_number, own[name]))}
    right = [name for name in alike if len({*cells.get(name, ())}) >= ALIKE and not words.is_field(name)]
    given = [name for name in _made(problem) if name in cells and name not in alike]
    role = _as_prediction(cells[given[0]], cells[right[0]]) if len(given) == len(right) == 1 else ""
    if role:
        roles: dict[str, str] = {one.column: "ignored" for one in problem.claims if not one.sure}
        way = (
            f"{right[0]} is right, and {given[0]} predicts it",
            said_as({**roles, given[0]: role, right[0]: "reference"}),
        )
        plan = [(f"{given[0]} is a score", said_as(problem.plan))] * bool(problem.plan)
        problem.with_ways([way, *problem.ways, *plan])
        problem.why = compared.not_as_scores(problem.why, given[0])


def _with_keys(problem: Unclear, tables: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Offer the reading of files without headings in which a column that all have alike names the questions, and the numbers that
    differ are scores of a system each: 9083 1.0."""
    own = tables.get(str(problem.file), {})
    if problem.ways or problem.plan or not own or not all(map(NUMBERED.fullmatch, own)):
        return
    key = next((name for name in own if _names_rows(name, tables)), "")
    scores = _that_differ(own, key, tables) if key else []
    if scores:
        problem.why = f"{key} is the same in all files, and another one in each row: does it name the questions?"
        verb = "is a score" if len(scores) == 1 else "are scores, one of them with --measure"
        roles: dict[str, tuple[Part, str]] = dict.fromkeys(scores, ("score", "other numbers in each file"))
        roles[key] = "question", f"{SAME}, another one in each row"
        problem.claims = tuple(_with_role(one, roles.get(one.column)) for one in problem.claims)
        said = shlex.join([f"{key}=question", *(f"{name}=score" for name in scores)])
        problem.with_ways([(f"{key} names the questions, and {listed(scores)} {verb}", said)])


def _that_differ(
    own: Mapping[str, Sequence[str]], key: str, tables: Mapping[str, Mapping[str, Sequence[str]]]
) -> list[str]:
    """The columns that differ between files with these ids, without what is the same in every row; [] where some are no numbers."""
    found = [one for one in tables.values() if one.keys() == own.keys()]
    differ = [name for name in own if not _is_alike([_cells(one, [key], name) for one in found])]
    differ = [name for name in differ if len({*own[name]}) > 1]  # the same in every row: it names the file's system
    return differ if all(map(numbers.is_number, (cell for name in differ for cell in own[name]))) else []


def _made(problem: Unclear) -> list[str]:
    """The columns that may hold what systems made, where nothing is known to be right."""
    if any(one.role == "reference" for one in problem.claims):
        return []
    return [one.column for one in problem.claims if one.role in MADE or one.reason == guesses.PREDICTIONS]


def _as_prediction(given: Sequence[float], right: Sequence[float]) -> str:
    """What numbers are that predict others: answers (text) if many are equal, else numbers (system) if they are near; "" for others."""
    both = list(zip(given, right, strict=True))
    if sum(one == aim for one, aim in both) >= EQUAL * len(both):
        return "text"
    return "system" if fmean(abs(one - aim) for one, aim in both) <= NEAR * pstdev(right) else ""


def _with_role(claim: Claim, role: tuple[Part, str] | None) -> Claim:
    """The claim with another role, and why; as it is without one."""
    return claim if role is None else replace(claim, role=role[0], reason=role[1])


SAME, NONE = "the same in all files", "No other column is known to hold outputs or scores."


def _ignore(problem: Unclear, columns: Sequence[str]) -> None:
    """Ignore these columns, which are the same in all files, in the claims of a question, in its plan and in its readings."""
    plan, asked = (
        problem.plan,
        any(f" {shlex.quote(f'{one}={role}')}" in problem.why for one in columns for role in ABOUT_SYSTEMS),
    )
    left = [claim for claim in problem.claims if claim.column not in columns]
    problem.claims = tuple(_without(one) if one.column in columns else one for one in problem.claims)
    problem.why = f"What is compared? {listed(columns)}: {SAME}." if asked else problem.why
    kept = _unsaid(problem.ways or problem.spare, columns)
    offered, plan = bool(plan or problem.ways or asked), plan if is_tested(left) else {}
    _offer(problem, kept or ([] if plan else _unsaid(problem.last, columns)), plan, offered)


def _unsaid(ways: Sequence[Way], columns: Sequence[str]) -> list[Way]:
    """The readings that take none of these columns for scores, outputs or systems."""
    return [way for way in ways if not _says(way[1], columns)]


def _offer(problem: Unclear, ways: Sequence[Way], plan: Mapping[str, str], offered: bool) -> None:
    """Offer the readings or the plan that are left, and say so where none is and something was `offered` before."""
    if ways:
        problem.with_ways(ways)
    elif plan:
        problem.with_plan({claim.column: claim.role for claim in problem.claims if claim.column in plan})
    elif offered:
        problem.ways, problem.fix = (), NONE


def _says(command: str, columns: Sequence[str]) -> bool:
    """Whether a command takes one of these columns for scores, outputs or systems."""
    return not {f"{name}={role}" for name in columns for role in ABOUT_SYSTEMS}.isdisjoint(shlex.split(command))


def _without(claim: Claim) -> Claim:
    """The claim that a column is not used; what is right, was read or names the questions stays so."""
    return claim if claim.role in ("reference", "source", "question") else replace(claim, role="ignored", reason=SAME)


def tables_of(detected: Sequence[Detected], columns: Columns) -> dict[str, Mapping[str, Sequence[str]]]:
    """The columns of each file that has some."""
    found = dict[str, Mapping[str, Sequence[str]]]()
    for one in detected:
        with suppress(SigError):
            found[one.file] = columns(one.file, one.data)
    return found


def _alike(problem: Unclear, tables: Mapping[str, Mapping[str, Sequence[str]]]) -> list[str]:
    """The columns that a plan uses as scores or outputs, and whose cells are the same in all files with these columns."""
    own = tables.get(str(problem.file), {})
    found = [one for one in tables.values() if one.keys() == own.keys()]
    asked = {
        claim.column for claim in problem.claims if claim.role in ABOUT_SYSTEMS and not words.has_measure(claim.column)
    }
    asked |= {claim.column for claim in problem.claims if f"{claim.column}=score" in problem.why}
    ids = [claim.column for claim in problem.claims if claim.role == "question"]
    named = filter(asked.__contains__, own) if len(found) > 1 else ()  # in their order
    return [name for name in named if _is_alike([_cells(one, ids, name) for one in found])]


def _names_rows(name: str, tables: Mapping[str, Mapping[str, Sequence[str]]]) -> bool:
    """Whether each row has another name in a column, and all of several files with such a column have the same names."""
    found = [sorted(one[name]) for one in tables.values() if name in one]
    several = len(found) > 1 and len(found[0]) >= ALIKE
    return several and len({*found[0]}) == len(found[0]) and all(one == found[0] for one in found)


def _cells(columns: Mapping[str, Sequence[str]], ids: Sequence[str], name: str) -> list[tuple[str, ...]]:
    """The cells of a column, those with ids sorted by these: rows in another order are of the same questions."""
    cells = list(zip(*(columns.get(one, ()) for one in (*ids, name)), strict=False))  # exploded rows are more
    return sorted(cells) if ids else cells


def _is_alike(found: Sequence[Sequence[tuple[str, ...]]]) -> bool:
    return len(found[0]) >= ALIKE and all(one == found[0] for one in found)


def _of_sets(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items; files with one column of scores, called after a system and a measure (llama_correct), are those of several
    test sets where each of several systems has files of the same names."""
    alone = [own[0] for own in by_file(items).values() if len(own) == 1 and not own[0].testset]
    named = [item for item in alone if words.cut(item.name)[0]]
    stems = _same_stems(named)
    if not stems:
        return list(items), []
    made = {id(item): _of_set(item, *words.cut(item.name)) for item in named}
    systems = dict.fromkeys(words.cut(item.name)[0] for item in named)
    message = f"Each of {listed(systems)} has files of these names: {listed(stems)}. Each is a test set."
    return [made.get(id(item), item) for item in items], [Notice("", message)]


def _same_stems(items: Sequence[Item]) -> tuple[str, ...]:
    """The names of the files that each of several systems and measures has, in its own folder; () where they differ, and for
    those of runs (seed1, seed2), which are of one test set."""
    files: dict[tuple[str, str], list[str]] = {}
    for item in items:
        files.setdefault(words.cut(item.name), []).append(names.display_name(item.file))
    known = {tuple(sorted(own)) for own in files.values()}
    stems = known.pop() if len(known) == 1 and len(files) > 1 else ()
    several = 1 < len({*stems}) == len(stems)
    return stems if several and not any(map(folders.RUN_FOLDER.fullmatch, stems)) else ()


def _of_set(item: Item, system: str, measure: str) -> Item:
    return replace(item, name=system, measure=measure, testset=names.display_name(item.file))


SHARE = 0.9  # of the segments: files that have as many in common are of one test set


def _of_grid(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items; where each of several folders has a file of each name, and files have the segments of those of the same name, but
    not of the others in their folder, the names are test sets and the folders systems; or the other way round."""
    cells = _grid(items)
    at = next((k for k in (0, 1) if cells and _are_sets(cells, k)), None)
    if at is None:
        return list(items), []
    place = {item.file: key for key, item in cells.items()}
    sets, systems = (list(dict.fromkeys(key[k] for key in cells)) for k in (at, 1 - at))
    what = f"Each of {listed(systems)} has {listed(sets)}, with segments of its own: each of these is a test set."
    return [_in_cell(item, place.get(item.file), at) for item in items], [Notice("", what)]


def _grid(items: Sequence[Item]) -> dict[tuple[str, str], Item]:
    """The system of each file by the names of the file and its folder, where each of several folders has each of several names; {}
    for others."""
    single = {file: own[0] for file, own in _by_any_file(items).items() if _is_of_file(own)}
    stems: dict[str, list[str]] = {}
    for file in single:
        stems.setdefault(names.display_name(file), []).append(file)
    above = {stem: folders.told_apart(own) for stem, own in stems.items()}
    rows = {tuple(sorted(own.values())) for own in above.values()}
    if len(stems) < 2 or len(rows) != 1 or len(rows.pop()) < 2:
        return {}
    return {(stem, folder): single[file] for stem, own in above.items() for file, folder in own.items()}


def _by_any_file(items: Sequence[Item]) -> dict[str, list[Item]]:
    """The systems of each file that names no test set."""
    found: dict[str, list[Item]] = {}
    for item in items:
        if item.role == "system" and not item.testset:
            found.setdefault(item.file, []).append(item)
    return found


def _is_of_file(own: Sequence[Item]) -> bool:
    """Whether a file has one system, which is called after the file."""
    return {item.name for item in own} == {names.display_name(own[0].file)}


def _are_sets(cells: Mapping[tuple[str, str], Item], at: int) -> bool:
    """Whether the files of each name (0) or folder (1) have the same segments, and not all of those of another."""
    found: dict[str, list[Item]] = {}
    for key, item in cells.items():
        found.setdefault(key[at], []).append(item)
    first = [own[0] for own in found.values()]
    alike = all(_have_the_same(own[0], one) for own in found.values() for one in own[1:])
    return alike and not all(_have_the_same(first[0], one) for one in first[1:])


def _have_the_same(one: Item, other: Item) -> bool:
    """Whether two files have nearly the same segments: by their ids, or else as many."""
    if one.keys and other.keys:
        return len({*one.keys} & {*other.keys}) >= SHARE * max(len(one.keys), len(other.keys))
    return len(one.segments) == len(other.segments)


def _in_cell(item: Item, key: tuple[str, str] | None, at: int) -> Item:
    """The item with its test set, and a system with its name; the item as it is where its file is in no cell."""
    if key is None or item.testset:
        return item
    return replace(item, testset=key[at], name=key[1 - at] if item.role == "system" else item.name)


CODES = frozenset("0123")  # labels of classes count from 0; 0 and 1 alone are rather wrong and right answers


def _codes(items: Sequence[Item]) -> list[ReadError]:
    """A problem for each file with nothing but 0, 1, 2 and perhaps 3, one in each line, of which nothing says whether they are
    scores or labels that a system predicted; none where a reference is loaded."""
    if any(item.role == "reference" for item in items):
        return []
    alone = [item for item in items if is_score(item) and item.reader == "plain" and not (item.measure or item.better)]
    problems = []
    for item in alone:
        cells = {cell.strip() for cell in item.segments}
        if len(item.segments) >= ALIKE and "0" in cells <= CODES and not cells <= {"0", "1"}:
            message = f"Each of its lines is one of {listed(sorted(cells))}, and nothing says what these are."
            scores = "If they are scores, say which are better: --better higher (or lower)."
            fix = f"{scores} If they are labels that a system predicted, load the right ones, too."
            problems.append(ReadError(message, item.file, 1, fix))
    return problems


AVERAGED = "Lists of ratings were averaged in each record"
NAMED = 'If each place is a system, write {"A": 0.5, "B": 0.3} in place of [0.5, 0.3]. If they are of one system, load another, too.'


def unexplained(items: Sequence[Item], notices: Sequence[Notice]) -> list[ReadError]:
    """The problem of one system alone whose scores are lists in its records: they may as well be those of several systems."""
    systems = [item for item in items if item.role == "system"]
    lists = {
        notice.file: notice.message.partition(": ")[2].rstrip(".")
        for notice in notices
        if notice.message.startswith(AVERAGED)
    }
    if len(systems) != 1 or systems[0].name not in lists.get(systems[0].file, "").split(", "):
        return [*_codes(items), *predicted(items), *_of_one_measure(systems)]
    message = f"Each record has a list of numbers below {systems[0].name}, and nothing says whose they are."
    return [ReadError(message, systems[0].file, 1, NAMED)]


COLUMN = "a column of a table"  # begins the note on scores of no known program
BEHIND = re.compile(r"(?P<who>.+)[-_. ](?P<what>[^-_. ]+)")


def _of_one_measure(systems: Sequence[Item]) -> list[ReadError]:
    """The problem of one system alone whose scores are called after several words and one measure: base_loss, tuned_loss."""
    alone = len({(one.file, one.name, one.testset) for one in systems}) == 1 and systems[0].note.startswith(COLUMN)
    cut = [match for one in systems if (match := BEHIND.fullmatch(one.measure)) and words.has_measure(match["what"])]
    if not alone or len(cut) < 2 or len(cut) < len(systems) or len({one["what"].lower() for one in cut}) > 1:
        return []
    columns = [one.measure for one in systems]
    message = f"{listed(columns)} have one measure behind other words, and nothing says whose they are."
    said = shlex.join(f"{name}=system" for name in columns)
    fix = f"If each is of a system of its own: --columns {said}. If all are of one system, load another one, too."
    return [ReadError(message, systems[0].file, 1, fix)]


PREDICTED = re.compile(r"(?:^|[-_.])pred(?:ict(?:ed|ions?))?s?(?:[-_.]|$)", re.IGNORECASE)


def predicted(items: Sequence[Item]) -> list[ReadError]:
    """A problem for files of numbers that are called predictions beside one that is not: it may hold what they predict, and who
    predicts higher numbers is no better."""
    scored = {one.file: PREDICTED.search(names.base_name(one.file)) for one in items if one.kind == "scores"}
    named = [file for file, found in scored.items() if found]
    right = [file for file, found in scored.items() if not found]
    if len(right) != 1 or not named:
        return []
    stem = names.base_name(right[0]).split(".")[0]
    if not all(names.base_name(file).startswith(stem) for file in named):
        return []
    message = f"{right[0]} seems to hold what {listed(named)} predict: the mean of predictions says nothing."
    fix = "Load the error of each line (the distance from what is right), a file for each system."
    return [ReadError(message, right[0], fix=fix)]
