"""What completes the roles that somebody named: the questions, what tells their rows apart, and the scores.

Nothing is read by it. Each reading is a command for a person that repeats what was said, and is tried before it is printed.
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers.contract import Claim, Notice, Part
from sigcore.readers.tables import (
    answering,
    costs,
    crossing,
    labels,
    likeness,
    numbers,
    other_words,
    outcomes,
    plan,
    proposals,
    summary_rows,
)
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.numbers import FEWEST
from sigcore.readers.tables.outcomes import Roles
from sigcore.readers.tables.proposals import Reading
from sigcore.readers.tables.said import Said, place, said_columns
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Absent, Unclear, Way

MOST, MOST_NAMES = 2, 3  # readings that are shown, and columns that may name the systems
MOST_TOGETHER, MOST_FACTORS = 4, 10  # columns that name a question together, and of those that may
MOST_TRIED = 200  # sets of them
MOST_WHOLE = 30  # rows that may be a system each
LONGEST_FACTOR = 60  # characters of a part of the name of a question
OTHERS: tuple[Part, ...] = ("text", "winner", "first", "second", "judge")  # said of it, the scores are known


def of(table: Table, said: Mapping[str, Part]) -> list[Way]:
    """The likeliest readings in which columns of names are the systems that somebody named; [] if other things are said."""
    known = {table.headings.index(name): part for name, part in said.items()}
    system = tuple(k for k, part in known.items() if part == "system" and _are_names(table, k))
    if not system or len(table.rows) > proposals.MOST_ROWS or set(OTHERS) & {*known.values()}:
        return []
    found = itertools.chain.from_iterable(_ways(table, one, known) for one in _readings(table, known))
    return list(itertools.islice(found, MOST))


def guessed(table: Table) -> list[Way]:
    """The same for columns that nobody named: the likeliest reading of each that may name the systems, called so first, and of
    two of them together where one alone would be a part of the question."""
    if len(table.rows) > proposals.MOST_ROWS:
        return []
    open_ = perhaps_systems(table)[:MOST_NAMES]
    open_ = [k for i, k in enumerate(open_) if not any(crossing.name_the_same(table, k, other) for other in open_[:i])]
    called = [k for k in open_ if proposals.is_called_system(table, k)] or open_[:MOST]
    pairs = (pair for pair in itertools.combinations(open_, 2) if {*pair} & {*called})
    found = (way for system in (*((k,) for k in called), *pairs) for way in _guessed(table, system, open_))
    return list(itertools.islice(found, MOST))


def _guessed(table: Table, system: tuple[int, ...], names: Sequence[int]) -> list[Way]:
    """The readings in which these columns name the systems, if what completes them is neither another one of the `names`, but
    beside a heading that says system, nor runs by a judge, nor what an answer costs."""
    one = next(_readings(table, dict.fromkeys(system, "system")), None)
    if one is None or (one.rows and table.where("judge")):
        return []
    if {*one.asked} & {*names} and not all(table.meanings[k] == "system" for k in system):
        return []
    shown = f"{listed(table.named(system))} name{'s' * (len(system) == 1)} the systems"
    ways = _ways(table, one, dict.fromkeys(system, "system"))
    return [(f"{shown}, and {what}", said) for what, said in ways if not _are_costs(said)]


def of_one(table: Table) -> list[Way]:
    """The reading in which the file is of one system: what names its rows, alone or together, and its scores."""
    asked = _of_rows(table) if len(table.rows) <= proposals.MOST_ROWS else ()
    scores = next(iter(proposals.compared(table, Reading((), asked))), []) if asked else []
    shown = f"the file is of one system, and {listed(table.named(asked))} name{'s' * (len(asked) == 1)} the questions"
    return [(shown, outcomes.said(table, [*((k, "question") for k in asked), *scores]))] if scores else []


def _of_rows(table: Table) -> tuple[int, ...]:
    """What names the rows, alone or together; () without it, and for a few rows without ids: these may be a system each."""
    texts = table.where("source")
    asked = next(filter(table.differ, _names_of_rows(table, texts)), ())
    few = len(table.rows) < MOST_WHOLE and not any(proposals.says_id(table, k) or k in texts for k in asked)
    return () if few else asked


def _names_of_rows(table: Table, texts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """What may name the rows: ids, the first column, what was asked; or an id with a level or a run."""
    runs, open_ = _open(table, {})
    ids, _, levels = _factors(table, (), open_)
    ids = [k for k in ids if table.meanings[k] != "judge"] or ids  # who rated, beside an id of what was rated
    first = [k for k in open_ if k == 0 and table.headings[0].strip() and not table.numeric(0)]
    yield from ((k,) for k in dict.fromkeys((*ids, *first, *texts)) if k in open_)
    yield from ((k, other) for k in ids for other in (*levels, *runs) if k != other)


def _are_costs(said: str) -> bool:
    """Whether a command compares nothing but what an answer costs."""
    scores = [one.rpartition("=")[0] for one in shlex.split(said) if one.endswith("=score")]
    return bool(scores) and all(map(words.is_field, scores))


def _are_names(table: Table, k: int) -> bool:
    """Whether a column that somebody calls a system has names that come again, and no outputs or scores."""
    own = table.column(k).counts
    return 1 < len(own) <= proposals.MOST_SYSTEMS and 2 * len(own) <= len(table.rows)


def _readings(table: Table, known: Mapping[int, Part]) -> Iterator[Reading]:
    """What may name the questions, with what tells rows of a system apart besides; without anything, rows are runs."""
    system, named, apart = _said(known, "system"), _said(known, "question"), _said(known, "run", "task")
    runs, open_ = _open(table, known)
    seen = list[set[int]]()
    for asked in [named] if named else itertools.islice(_asked(table, system, open_), MOST_TRIED):
        new = _shared(table, system, asked) and not any(one <= {*asked} for one in seen)
        few = list(filter(partial(_are_few, table), open_)) if new and len(asked) == 1 else []
        found = _apart(table, Reading(system, asked), apart, [*runs, *few]) if new else []
        seen += [{*asked} for one in found if one.other not in few]
        yield from found
    ids = [named] if named else list(zip(filter(partial(proposals.says_id, table), open_), strict=True))
    yield from (Reading(system, one, rows=True) for one in ids if not seen and _shared(table, system, one))


def _open(table: Table, known: Mapping[int, Part]) -> tuple[list[int], list[int]]:
    """The columns of which nothing was said that name runs, and the others."""
    open_ = [k for k in range(len(table.headings)) if k not in known and len(table.column(k).counts) > 1]
    runs = list(filter(partial(proposals.names_part, table), open_))
    return runs, [k for k in open_ if k not in runs]


def _said(known: Mapping[int, Part], *parts: Part) -> tuple[int, ...]:
    return tuple(k for k, part in known.items() if part in parts)


def _apart(table: Table, one: Reading, apart: Sequence[int], others: Sequence[int]) -> list[Reading]:
    """The reading, with one of the others where rows of a system and a question differ in it alone; [] where nothing tells
    them apart."""
    own = [*one.system, *one.asked, *apart]
    if table.differ(own):
        return [one]
    found = (k for k in others if k not in one.asked and table.differ([*own, k]))
    return [replace(one, other=k) for k in itertools.islice(found, 1)]


def _asked(table: Table, system: Sequence[int], columns: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The columns that may name the questions, alone and together: ids first, then texts, then words and levels."""
    ids, texts, levels = _factors(table, system, columns)
    factors = [k for k in (*ids, *texts, *levels) if max(map(len, table.column(k).counts)) <= LONGEST_FACTOR]
    yield from ((k,) for k in (*ids, *texts) if table.meanings[k] != "aside")
    sizes = range(2, MOST_TOGETHER + 1)
    yield from itertools.chain.from_iterable(map(partial(itertools.combinations, factors[:MOST_FACTORS]), sizes))
    yield from ((k,) for k in levels)


def _factors(table: Table, system: Sequence[int], columns: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """The ids, texts and levels, without those that only repeat another one, or the systems."""
    open_ = list[int]()
    for k in filter(partial(_may_ask, table), columns):
        open_ += [] if any(crossing.name_the_same(table, k, one) for one in (*open_, *system)) else [k]
    ids = list(filter(partial(_is_id, table, system), open_))
    rest = [k for k in open_ if k not in ids]
    texts = [k for k in rest if not table.numeric(k) and table.meanings[k] not in ("text", "remark")]
    return ids, texts, [k for k in rest if table.numeric(k) and _are_levels(table, k)]


def _is_id(table: Table, system: Sequence[int], k: int) -> bool:
    """Whether a column is called an id, or numbers from 0 or 1 on what each of the systems has once."""
    own = table.column(k).counts
    if proposals.says_id(table, k) or not system:
        return proposals.says_id(table, k)
    if len(own) < FEWEST_COUNTED or not all(map(str.isdigit, own)) or not table.differ([*system, k]):
        return False
    whole = {*own.values()} == {len({*table.joined(system)})}
    return whole and sorted(map(int, own)) in (list(range(len(own))), list(range(1, len(own) + 1)))


FEWEST_COUNTED = 5  # questions that are only numbered


def _may_ask(table: Table, k: int) -> bool:
    """Whether a column is no score: neither by its heading, nor outcomes or fractions."""
    heading = table.headings[k]
    if not table.numeric(k):
        return not numbers.truths(table.column(k), numbers.OUTCOMES) and not all(
            map(words.is_measure, table.column(k).counts)
        )
    scored = outcomes.names_scores(heading) and not words.is_field(heading)
    scored = scored or proposals.RANK.search(heading) is not None
    return not (scored or numbers.scale(table.column(k)).fractions)


def _are_levels(table: Table, k: int) -> bool:
    """Whether a column has a few whole numbers, each in several rows; 25.0 is one, too."""
    own = table.column(k).counts
    whole = all(numbers.is_number(cell) and float(cell).is_integer() and float(cell) >= 0 for cell in own)
    return len(own) <= proposals.MOST_LEVELS and whole and table.repeats(k)


def _are_few(table: Table, k: int) -> bool:
    """Whether a column has a few words, which may tell rows of a question apart."""
    return not table.numeric(k) and len(table.column(k).counts) <= proposals.MOST_LEVELS and _may_ask(table, k)


def _shared(table: Table, system: Sequence[int], asked: Sequence[int]) -> bool:
    """Whether enough questions are named that several systems have."""
    pairs = {*zip(table.joined(system), table.joined(asked), strict=True)}
    own = Counter(question for _, question in pairs)
    several = sum(number > 1 for number in own.values())
    return several >= FEWEST and several >= crossing.SHARED * len(own)


def _ways(table: Table, one: Reading, known: Mapping[int, Part]) -> Iterator[Way]:
    """A reading in words, with all roles that say it: those that somebody named, and the others, for each that may be compared."""
    more: outcomes.Roles = [] if one.other is None else [(one.other, crossing.told_by(table, one.other))]
    roles = [*known.items(), *((k, "question") for k in one.asked if k not in known), *more]
    runs = [f"{table.headings[k]} their {part}s" for k, part in more] + ["their rows are runs"] * one.rows
    asked = f"{listed(table.named(one.asked))} name{'s' * (len(one.asked) == 1)} the questions"
    what, rows = ", and ".join([asked, *runs]), ["rows=run"] * one.rows
    if {"score", "reference"} & {*known.values()}:
        yield what, outcomes.said(table, roles, *rows)
        return
    for compared in proposals.compared(table, one):
        if scores := [(k, part) for k, part in compared if k not in known]:
            yield what, outcomes.said(table, [*roles, *scores], *rows)
    if one.other is not None and "question" in crossing.parts_of(table, one.other):
        yield from _ways(table, replace(one, asked=(*one.asked, one.other), other=None), known)


FOUND = "a search found it"  # why a column has its role in a reading
COMPARED: tuple[Part, ...] = ("system", "score", "question", "text")


def claims(known: Sequence[Claim], way: Way) -> list[Claim]:
    """What the columns are taken for in a reading: nothing else is compared, so no other column is a system or a score, nor
    names the questions where one of the reading does."""
    roles = said_columns(shlex.split(way[1].partition(" --cells ")[0]))
    others = COMPARED if "question" in roles.values() else set(COMPARED) - {"question"}
    return [
        replace(one, role=roles[one.column], reason=FOUND, basis="guess")
        if one.column in roles
        else replace(one, role="ignored")
        if one.role in others
        else one
        for one in known
    ]


def joined(table: Table, problem: ReadError) -> ReadError | None:
    """The question about ids such as q1|gpt-4 in a table that would be of one system, or in names of files that have that of the system,
    with the command that takes them apart; None for others."""
    claims_ = problem.claims if isinstance(problem, Unclear) else ()
    files = crossing.of_files(table)
    heard = bool(files or table.headed(crossing.HEARD.fullmatch))
    several = sum(one.role in ("system", "text") for one in claims_) > 1 and not heard
    # a column that names the systems, too, does not say what they share
    bare = table.without(table.where("system")) if files and not proposals.of(table) else table
    found = None if several or not claims_ else crossing.glued_in(bare, [crossing.STRONG])
    if found is None or _say_parts(bare, found[0]):
        return None
    ids, systems = found
    heading = bare.headings[ids]
    what, fix = crossing.joins(heading, systems)
    own = crossing.unjoined(bare, ids)
    if scores := _scores_of(own):
        way = (f"{heading} joins both", shlex.join([f"{heading}=joined"]) + " " + outcomes.said(own, scores))
        return Unclear(table, what, claims(claims_, way), [way])
    if told := outcomes.words_as_scores(bare.without({ids})):
        fix = told.replace("--columns ", f"--columns {shlex.quote(f'{heading}=joined')} ")
    return ReadError(what, table.file, 1, fix)


def _scores_of(own: Table) -> Roles:
    """What may be compared in a table whose last two columns are of systems and segments, and is no field of a log."""
    n = len(own.headings)
    found = next(iter(proposals.compared(own, Reading((n - 2,), (n - 1,)))), [])
    open_: Roles = [(k, "score") for k in range(n - 2) if own.numeric(k)]
    return [one for one in found or open_ if not words.is_field(own.headings[one[0]])]


def _say_parts(table: Table, ids: int) -> bool:
    """Whether another column, of words that come again, has a part of the id of each row."""
    words_ = (
        table.column(k) for k in range(len(table.headings)) if k != ids and table.repeats(k) and not table.numeric(k)
    )
    return any(
        len(own.counts) > 1
        and all(cell.strip() and cell.strip() in name for cell, name in zip(own, table.column(ids), strict=True))
        for own in words_
    )


def found(table: Table, guess: bool = True, open_: bool = False) -> list[Way]:
    """The readings that a search finds, where nobody says what the columns are; `guess`: also those of columns that only may name
    the systems; `open_`: and those of columns that are alike."""
    table = summary_rows.pointed(table)
    predicted_ = labels.labelled(table) or (_asked_labels(table) if open_ else [])
    predicted_ = [] if _is_measured(table) else predicted_
    others = _with_other(table, proposals.of(table)) or (guessed(table) if guess else [])
    first = any("=system" in said for _, said in predicted_)
    both = answering.ways(table) or ([*predicted_, *others] if first else [*others, *predicted_])
    both = both or (labels.alike_columns(table) if open_ else [])
    return both or _at_last(table, guess)


def _at_last(table: Table, guess: bool) -> list[Way]:
    """The readings where nothing else is found."""
    return (list(_by_number(table)) or of_one(table) if guess else []) or costs.ways(table, _of_rows(table))


def _is_measured(table: Table) -> bool:
    """Whether a row of each of several systems has a measure of its own: then its texts are no systems."""
    several = any(len(table.column(k).counts) > 1 for k in table.where("system"))
    return several and any(table.numeric(k) for k in table.headed(words.has_measure))


def _with_other(table: Table, ways: list[Way]) -> list[Way]:
    """The readings; where one pairs the systems of a column by another one that names systems, too, also the one that compares
    these over all rows: of models and methods both may be meant."""
    roles = [said_columns(shlex.split(command.partition(" --cells ")[0])) for _, command in ways]
    shown = [_of(own, "system") for own in roles]
    for (_, command), own in zip(ways, roles, strict=True):
        named, asked = _of(own, "system"), _of(own, "question")
        called = [name for name in asked if [name] not in shown and _is_called(table, name)]
        if len(named) == len(called) == 1 < len(asked):
            return [*ways, _turned(command, named[0], called[0], asked)]
    return ways


def _of(roles: Mapping[str, Part], part: Part) -> list[str]:
    return [name for name, own in roles.items() if own == part]


def _is_called(table: Table, name: str) -> bool:
    return proposals.is_called_system(table, table.headings.index(name))


def _turned(command: str, system: str, other: str, asked: Sequence[str]) -> Way:
    """The reading of a command in which another one of the columns that name the question names the systems, and the reverse."""
    rest = [system if name == other else name for name in asked]
    said = [f"{other}=system", *(f"{name}=question" for name in rest)]
    more = [one for one in shlex.split(command) if not one.endswith(("=system", "=question"))]
    return f"{other} names the systems, and {listed(rest)} the questions", shlex.join([*said, *more])


def _asked_labels(table: Table) -> list[Way]:
    """The readings of labels of which nothing says enough: which are right, numbers beside them, or other words for them."""
    return labels.each_right(table) or labels.beside_labels(table) or other_words.ways(table)


BARE = re.compile(r"\s*(?:id|idx|index|no|nr|number)\.?\s*", re.IGNORECASE)  # what it numbers is not said


def _by_number(table: Table) -> Iterator[Way]:
    """The reading in which an id numbers the systems, where each of several texts has a row for each of its numbers."""
    ids = [k for k in table.headed(BARE.fullmatch) if len(table.column(k).counts) <= proposals.MOST_LEVELS]
    named = [
        k for k in table.where("source", "document", None) if not (table.numeric(k) or proposals.says_id(table, k))
    ]
    texts = [k for k in named if len(table.column(k).counts) >= FEWEST]
    for k, asked in itertools.product(ids, texts):
        sizes = [len(table.column(i).counts) for i in (k, asked)]
        if min(sizes) > 1 and sizes[0] * sizes[1] == len(table.rows) and table.differ([k, asked]):
            what, asking = table.named([k, asked])
            for _, said in _ways(table, Reading((k,), (asked,)), {k: "system"}):
                yield f"{what} names the systems, and {asking} the questions", said


def perhaps_systems(table: Table) -> list[int]:
    """The columns that could name the systems: a few names that come again, and are neither parts of the data nor texts; those
    whose headings say so first."""
    aside = (*proposals.PARTS, "source", "reference", "text", "segment", "perhaps segment", "document")
    open_ = [
        k
        for k in proposals.named_in(table)
        if table.meanings[k] not in aside and (proposals.is_called_system(table, k) or not proposals.says_id(table, k))
    ]
    return sorted(open_, key=lambda k: not proposals.is_called_system(table, k))


def may_be_id(table: Table, k: int) -> bool:
    """Whether a heading says that ids are below it, perhaps of a fold."""
    named = crossing.ID.search(table.headings[k]) or proposals.FOLD.fullmatch(table.headings[k])
    return named is not None or table.meanings[k] in ("segment", "perhaps segment")


def equally_often(table: Table) -> dict[int, int]:
    """The columns of ids each of which comes equally often, and how often, more than once; where none does, documents or names."""
    ids = {k for k in range(len(table.headings)) if may_be_id(table, k)}
    others = {*table.where("document"), *(k for k in table.where(None) if not table.numeric(k))}
    return _come_again(table, ids) or _come_again(table, others)


def crossing_again(table: Table, again: Collection[int]) -> list[Way]:
    """The readings in which one of the columns that come equally often names the questions, and another one the systems."""
    asked = {f"{table.headings[k]}=question" for k in again}
    # of two columns of names each may be the one of systems; an id is none
    ids = {f"{table.headings[k]}=system" for k in again if may_be_id(table, k)}
    roles = [(way, {*shlex.split(way[1])}) for way in found(table)]
    return [way for way, own in roles if "=system" in way[1] and asked & own and not ids & own]


def _come_again(table: Table, columns: Set[int]) -> dict[int, int]:
    """The columns in which each cell comes equally often, more than once, with how often."""
    return {k: one.times for k in sorted(columns) if len((one := table.column(k)).counts) >= FEWEST and one.times}


def unjoined(table: Table, what: Said, notices: list[Notice]) -> tuple[Table, Said]:
    """The table with a column of systems and one of questions in place of the first of which somebody said that it joins both,
    and what else was said; a notice says how the ids were cut."""
    joined = [name for name, part in what.columns if part == "joined"][:1]
    for name in joined:
        heading = table.headings[place(table, name)]
        table = crossing.unjoined(table, place(table, name))
        rest = [one for one in what.columns if one[0] != name]
        both: list[tuple[str, Part]] = [(f"{heading}: system", "system"), (f"{heading}: segment", "question")]
        systems, segments = (table.column(place(table, one)).counts for one, _ in both)
        message = (
            f"The ids below {heading} were cut into systems ({listed(systems)}) and segments ({listed(segments)})."
        )
        notices.append(Notice(table.file, message))
        what = replace(what, columns=(*rest, *both))
    return table, what


def proposed(table: Table, asked: Unclear, ways: Sequence[Way], again: bool) -> Unclear:
    """The question with readings that a search found; where all are refused, it looks `again` for others."""
    found_ = Unclear(table, asked.why, claims(asked.claims, ways[0]), ways)
    found_.again = partial(guessed, table) if again else None
    return found_


SEGMENTS = "Load the scores of every segment"  # what is said of means


def _is_settled(problem: ReadError) -> bool:
    """Whether a problem is about judgments of pairs, says what to do in place of roles, or is about what is not there."""
    if not isinstance(problem, Unclear):
        return isinstance(problem, Absent) or problem.settled
    return bool(problem.advice) or problem.settled or any(claim.role == "winner" for claim in problem.claims)


def with_readings(table: Table, meant: Said, problem: ReadError) -> ReadError:
    """The problem with readings that a search finds, where nobody says what the columns are, and they are no judgments of
    pairs; they are tried before they are shown."""
    if _is_settled(problem):
        return problem
    if both := None if meant else joined(table, problem):
        return both
    told = not isinstance(problem, Unclear) and ("--" in problem.fix or problem.fix.startswith(SEGMENTS))
    told |= any(crossing.glued(table))
    open_ = isinstance(problem, Unclear)
    if ways := of(table, meant.roles(table)) if meant else found(table, not told, open_):
        asked = problem if isinstance(problem, Unclear) else plan.unclear(table, problem.what)
        problem.proposed = proposed(table, asked, ways, again=not (meant or told))
    if isinstance(problem, Unclear) and not meant:
        problem.at_last = partial(_last, table, problem)
    return problem


def _last(table: Table, asked: Unclear) -> Unclear | None:
    """The question with the readings of a search that takes nothing from headings; None where it finds none."""
    judged = any(claim.role == "judge" for claim in asked.claims)
    ways = [] if judged else likeness.either_right(table)
    return proposed(table, asked, ways, again=False) if ways else None
