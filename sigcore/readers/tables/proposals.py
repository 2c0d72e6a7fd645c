"""Readings of a table that no rule understands: which columns could name the systems and the questions, and hold the scores.

Nothing is read by them. Each is a command for a person, and is tried before it is printed.
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sigcore import measures
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import boards, crossing, doubts, evident, labels, numbers, outcomes, unnamed
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.compared import COUNTED, are_marks
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.numbers import FEWEST
from sigcore.readers.tables.outcomes import Roles
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Way

MOST_SYSTEMS, LONGEST_NAME, MOST_WORDS = 100, 60, 6  # of names, and the longest of them
MOST = 3  # readings that are shown
JUDGED = re.compile(r"is[-_ ]", re.IGNORECASE)  # is_factual: in a log a flag, in a sheet of judgments what was judged
ABOUT_JUDGES = re.compile(r"(?:judge|annotator|rater|grader)[-_. ]", re.IGNORECASE)  # judge_model names no system
OF_LABELS = re.compile(r"(?:ground[-_ ]?truth|gold(?:en)?|true|expected|actual|pred(?:icted)?)[-_. ]", re.IGNORECASE)
PREDICTS = re.compile(r"pred(?:icted)?[-_. ]", re.IGNORECASE)
RANK = re.compile(r"(?:^|[-_. ])(?:rank|position|place|slot)$", re.IGNORECASE)  # of an answer among others
INDEX = re.compile(r"[-_ .](?:index|idx|nr|no|num|number)$", re.IGNORECASE)  # advbench_index, above whole numbers
UNITS = pattern("proposals.units")  # of what was tried, above numbers
NAMES = "names"  # what columns hold that are looked for once
TOTAL = "overall"  # beside names of systems in rows it is that of their criteria
MOST_COLUMNS = 12  # that may name systems, or questions
FEWEST_FACTOR = 5  # values of one of two factors that cross: fewer can show nothing
VERSION = re.compile(
    r"(?:prompt|template|variant|version|config|setup)[-_ ]?id", re.IGNORECASE
)  # a few of which were tried
FOLD = re.compile(r"(?:cv[-_ ]?)?(?:fold|split)(?:[-_ ]?(?:id|idx|no|number))?", re.IGNORECASE)  # tried by all systems
MOST_LEVELS = 10  # numbers that set one system
MOST_ROWS = 100_000  # of larger tables nobody waits for a search
MOST_TRIED = 60  # pairs of columns that are looked at: each takes a pass over the rows
MOST_SCORES = 12  # columns of scores that a command names
SWITCHES = {"true": "1", "false": "0", "yes": "1", "no": "0", "on": "1", "off": "0"}  # of settings
PARTS = ("task", "domain", "category")  # of the data: no systems beside a column that says it names some
SAYS: Mapping[Part, str] = {"task": "test sets of their own", "reference": "is right"}  # of a column
ASIDE = (
    "source", "reference", "dimension", "aside", "remark", "source language", "target language", "perhaps language",
)  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """The columns that name the system of each row (() where the file is of one), those that name the question together, and
    what tells rows of both apart (or None); `rows` says that they are runs."""

    system: tuple[int, ...]
    asked: tuple[int, ...]
    other: int | None = None
    rows: bool = False
    tasks: tuple[int, ...] = ()  # in each of which the questions are others


def of(table: Table) -> list[Way]:
    """The likeliest readings of a table in long form, each in words, and as the roles and the meanings of words that say it."""
    if table.role or not 2 * FEWEST <= len(table.rows) <= MOST_ROWS:
        return []
    texts = crossing.has_texts(table)  # two columns whose headings say nothing may be factors of what was asked
    found = sorted((_unlikely(table, one), k, one) for k, one in enumerate(_readings(table)))
    ways: dict[frozenset[str], Way] = {}
    open_ = (one for why, _, one in found if not (texts and why[0]) or labels.in_rows(table, one.asked, {*one.system}))
    for what, said in (way for one in open_ for way in _ways(table, one)):
        ways.setdefault(frozenset(shlex.split(said)), (what, said))
        if len(ways) == MOST:
            break
    return list(ways.values())


def _unlikely(table: Table, one: Reading) -> tuple[bool, ...]:
    """What speaks against a reading, the heaviest first."""
    known = all(is_called_system(table, k) for k in one.system)
    asked = table.headings[one.asked[0]]
    called = crossing.ID.search(asked) is not None or words.meaning(asked) in ("segment", "perhaps segment", "document")
    # what tells the rows apart may rather be a part of the system: a retriever beside a model
    part = one.other is not None and names.says_system(table.headings[one.other])
    part = part or any(is_called_system(table, k) for k in one.asked)
    joined = one.other is not None or len(one.asked) > 1
    return (
        not known,
        part,
        len(one.system) > 1,
        not called,
        joined,
        one.other is not None and crossing.told_by(table, one.other) != "document",
    )


def _readings(table: Table) -> Iterator[Reading]:
    """The columns that cross each other as systems and questions do."""
    names, asked = named_in(table), _asked(table)
    if not names:
        yield from (Reading((), (k,)) for k in asked if table.differ([k]) and says_id(table, k))
    pairs = ((system, k) for system in _systems(table, names) for k in asked if k not in system)
    found = list(_crossings(table, itertools.islice(pairs, MOST_TRIED))) or list(_joint(table, names))
    # numbers that set a system name it where nothing else does
    levels = (((k,), question) for k in _levels(table) for question in asked if k != question)
    yield from found or _crossings(table, itertools.islice(levels, MOST_TRIED))


def _crossings(table: Table, pairs: Iterable[tuple[tuple[int, ...], int]]) -> Iterator[Reading]:
    """The readings in which these columns of systems and of questions cross."""
    whole = set[frozenset[int]]()
    for system, question in pairs:
        # a pair of columns says no more than one of them that tells the rows of a question apart
        if not any(one <= {*system} for one in whole) and (found := _crossing(table, system, question)) is not None:
            runs = found.other is None or table.meanings[found.other] in ("run", "judge")
            whole |= {frozenset(system)} if runs else set()
            yield found


def _may_ask_jointly(table: Table, k: int) -> bool:
    """Whether a column may name the question together with another one: it repeats, and is no order."""
    if doubts.ORDER.fullmatch(table.headings[k].strip()) or not table.repeats(k):
        return False
    return table.meanings[k] == "run" or _may_ask(table, k, fewest=2)


def _joint(table: Table, names: Sequence[int]) -> Iterator[Reading]:
    """The readings in which two columns name the question together, where no column does it alone."""
    asked = [k for k in range(len(table.headings)) if _may_ask_jointly(table, k)][:MOST_COLUMNS]
    tried = ((k, both) for k in names for both in itertools.combinations(asked, 2) if k not in both)
    for k, both in itertools.islice(tried, MOST_TRIED):
        if table.differ([k, *both]):
            yield from _with_run(table, k, both) or _of_two(table, names, k, both)


def _with_run(table: Table, k: int, both: tuple[int, int]) -> list[Reading]:
    """The reading in which one of both columns names runs of the other: more rows of a question are no further questions."""
    runs = [one for one in both if table.meanings[one] == "run"]
    return [Reading((k,), tuple(one for one in both if one not in runs), runs[0])] if len(runs) == 1 else []


def _of_two(table: Table, names: Sequence[int], k: int, both: tuple[int, int]) -> Iterator[Reading]:
    """The readings in which both columns name the question; a prompt or a template beside a model is rather a part of the system."""
    parts = [one for one in both if one in names and table.meanings[one] is None]
    yield from (Reading((k, one), rest) for one in parts if (rest := _rest(table, (k, one), both)))
    yield from [Reading((k,), both)] * crossing.cross(table, (k,), both)


def _rest(table: Table, system: tuple[int, ...], both: tuple[int, ...]) -> tuple[int, ...]:
    """What names many questions beside a system of two parts, one of which is of `both`; () where it does not."""
    rest = tuple(k for k in both if k not in system)
    asks = len({*table.joined(rest)}) >= FEWEST_FACTOR and any(table.meanings[k] != "run" for k in rest)
    return rest if asks and crossing.cross(table, system, rest) else ()


def _levels(table: Table) -> list[int]:
    """The columns of a few numbers, each equally often, below headings of settings of one system (k, chunk_size)."""
    open_ = [k for k in table.headed(_says_setting) if table.numeric(k) and not _is_aside(table, k)]
    often = {k: [*table.column(k).counts.values()] for k in open_ if not says_id(table, k)}
    return [k for k, own in often.items() if 1 < len(own) <= MOST_LEVELS and {*own} == {own[0]} and own[0] >= FEWEST]


def _says_setting(heading: str) -> bool:
    return doubts.SETTING.fullmatch(heading) is not None or (
        names.says_system(heading) and not words.has_measure(heading)
    )


def _may_name(table: Table, k: int) -> bool:
    """Whether a heading may stand above names: an id is no score, but summarizer_id may well name the systems."""
    heading = table.headings[k]
    items = [i for i in table.where("perhaps segment", "document") if i != k]
    tried = names.says_system(heading) or (bool(items) and VERSION.fullmatch(heading.strip()) is not None)
    field = (words.is_field(heading) or (INDEX.search(heading) or RANK.search(heading)) is not None) and not tried
    marks = MARKS.search(heading) is not None or OF_LABELS.match(heading) is not None
    marks = marks or "verdict" in heading.lower() or words.NUMBER.search(heading) is not None  # calls 1: of a list
    return not (field or marks or _is_aside(table, k) or doubts.PLACE.fullmatch(heading.strip()))


# Words below it are marks or units, no names.
MARKS = re.compile(r"(?:^|[-_. ])(?:scores?|ratings?|grades?|marks?|units?)$", re.IGNORECASE)


def _systems(table: Table, names: Sequence[int]) -> list[tuple[int, ...]]:
    """The columns that may name the systems, and two or three of them together, some of which may be settings."""
    settings = _settings(table) if names else []
    joint = itertools.chain.from_iterable(itertools.combinations([*names, *settings], n) for n in (2, 3))
    return [(k,) for k in names] + [several for several in joint if several[0] in names]


def _crossing(table: Table, system: tuple[int, ...], question: int) -> Reading | None:
    """The reading in which these columns name the systems and the questions; None where they do not cross, and where nothing
    tells the rows of both apart."""
    if not crossing.cross(table, system, (question,)):
        return None
    if table.differ([*system, question]):
        return Reading(system, (question,))
    if len(system) == 1 and (other := _apart(table, system, question)) is not None:
        return Reading(system, (question,), other)
    # an index may start again in each task
    tasks = [k for k in table.where("task") if k not in (*system, question) and table.repeats(k)][:1]
    if tasks and table.differ([*system, question, *tasks]):
        return Reading(system, (question,), tasks[0])
    other = _apart(table, system, question, tasks, ("run", "judge")) if tasks or len(system) > 1 else None
    return None if other is None else Reading(system, (question,), other, tasks=tuple(tasks))


def named_in(table: Table) -> list[int]:
    """The columns of a few short names that come again; without them, those that number something."""
    open_ = [k for k in range(len(table.headings)) if _may_name(table, k)]
    open_ = [k for k in open_ if table.meanings[k] != "run" and not crossing.repeats_labels(table, k)]
    found = list(filter(partial(_are_names, table), open_)) or list(filter(partial(_are_numbered, table), open_))
    # a task, a domain or what was asked only where nothing else names any
    others = [k for k in found if table.meanings[k] not in (*PARTS, "document", "segment", "perhaps segment")]
    return (others or found)[:MOST_COLUMNS]


def is_called_system(table: Table, k: int) -> bool:
    """Whether a heading says that names of systems are below it."""
    return table.meanings[k] == "system" or names.says_system(table.headings[k])


def _settings(table: Table) -> list[int]:
    """The columns of yes and no that are no outcome by their headings: whether a system did something (rerank)."""
    told = (k for k in range(len(table.headings)) if numbers.truths(table.column(k), SWITCHES))
    found = [k for k in told if table.meanings[k] is None and not outcomes.names_scores(table.headings[k])]
    return [*found, *(k for k in _few_numbers(table) if k not in found)]


def _few_numbers(table: Table) -> list[int]:
    """The columns of a few whole numbers below headings of systems: the first and the second submission of a team."""
    open_ = [k for k in table.headed(names.says_system) if table.numeric(k) and table.meanings[k] is None]
    few = {k: table.column(k).counts for k in open_}
    return [k for k, own in few.items() if 1 < len(own) <= MOST_LEVELS and all(map(str.isdigit, own))]


def _are_numbered(table: Table, k: int) -> bool:
    """Whether a column holds the numbers from 0 or 1 on, each of them equally often and more than once, in a table without
    names: no scores."""
    if NAMES not in table.known:
        places = range(len(table.headings))
        table.known[NAMES] = [i for i in places if not _is_aside(table, i) and _are_names(table, i)]
    if table.known[NAMES] and not names.says_system(table.headings[k]):
        return False
    own = table.column(k).counts
    few = 1 < len(own) <= MOST_SYSTEMS and all(map(str.isdigit, own)) and not words.has_measure(table.headings[k])
    if not few or len({*own.values()}) > 1 or len(own) == len(table.rows):
        return False
    known = sorted(map(int, own))
    return known in (list(range(len(own))), list(range(1, len(own) + 1)))


def _are_names(table: Table, k: int) -> bool:
    own = table.column(k).counts
    few = 1 < len(own) <= MOST_SYSTEMS and FEWEST * len(own) <= len(table.rows)
    short = all(cell.strip() and len(cell) <= LONGEST_NAME and len(cell.split()) <= MOST_WORDS for cell in own)
    short = short and not all(words.has_measure(cell) and len(cell) > 3 for cell in own)
    named = not table.numeric(k) and not crossing.are_splits(own)
    return few and short and named and not numbers.truths(table.column(k), numbers.ALL_OUTCOMES)


def _is_aside(table: Table, k: int) -> bool:
    heading = table.headings[k]
    if table.meanings[k] == "source" and _are_names(table, k):
        return False  # a few names that come again, where a text would stand
    said_right = words.has_measure(heading) or bool(numbers.truths(table.column(k), numbers.ALL_OUTCOMES))
    judges = ABOUT_JUDGES.match(heading) is not None and not said_right
    return (
        judges
        or words.is_personal(heading)
        or words.is_remark(heading)
        or words.CONTEXT.fullmatch(heading.strip()) is not None
        or table.meanings[k] in (*ASIDE, "judge", "measure")
    )


def _asked(table: Table) -> list[int]:
    """The columns that may name the questions, ids first; of those that name the same, such as an id and its text, the first."""
    asked = list(filter(partial(_may_ask, table), range(len(table.headings))))
    # who rated names no question beside an id of what was rated
    others = [k for k in asked if table.meanings[k] != "judge"]
    named = others if any(says_id(table, k) for k in others) else asked
    open_ = sorted(named or _asked_else(table), key=lambda k: (not says_id(table, k), table.numeric(k)))[:MOST_COLUMNS]
    return [k for i, k in enumerate(open_) if not any(crossing.name_the_same(table, k, other) for other in open_[:i])]


def _asked_else(table: Table) -> list[int]:
    """Who rated, where each rated what is compared, and nothing else names the questions; or one of two factors that cross: each
    may be tried on the other."""
    open_ = [*table.where("judge"), *table.headed(FOLD.fullmatch)]
    judges = [k for k in open_ if len(table.column(k).counts) >= FEWEST and table.repeats(k)]
    return judges or [k for k in named_in(table) if len(table.column(k).counts) >= FEWEST_FACTOR]


def _may_ask(table: Table, k: int, fewest: int = FEWEST) -> bool:
    """Whether a column has a name in every row, not too few different ones, and holds no scores."""
    own = table.column(k).counts
    named = all(map(str.strip, own)) and not all(map(words.has_measure, own))
    if len(own) < fewest or not named or _is_tried(table, k):
        return False
    counts = words.is_field(table.headings[k]) and not says_id(table, k)
    fractions = table.numeric(k) and (counts or numbers.scale(table.column(k)).fractions)
    # what several systems read, or are compared with, may name what was asked
    again = table.meanings[k] in ("source", "reference") and table.repeats(k)
    aside = _is_score(table, k) or (_is_aside(table, k) and not again)
    return not fractions and (_are_numbered(table, k) or says_id(table, k) or not aside)


def _is_tried(table: Table, k: int) -> bool:
    """Whether a column names runs, systems or places by its heading: a mode or a variant is tried on questions, and is none."""
    heading = table.headings[k].strip()
    other = PREDICTS.match(heading) or RANK.search(heading)
    # beside another column of runs, the index of a sample is that of a question
    index = INDEX.search(heading) is not None and len(table.where("run")) > 1
    return bool(other) or crossing.says(table, k) or table.meanings[k] in ("run", "system")[index:]


def says_id(table: Table, k: int) -> bool:
    name = table.headings[k].strip()
    return (
        table.meanings[k] in ("segment", "perhaps segment", "document")
        or crossing.ID.search(name) is not None
        or ((INDEX.search(name) or UNITS.fullmatch(name)) is not None and all(map(str.isdigit, table.column(k).counts)))
    )


def _apart(
    table: Table, system: Sequence[int], question: int, tasks: Sequence[int] = (), means: Sequence[Meaning] = ()
) -> int | None:
    """The one column of a few values that tells rows of a system and a question (in a task) apart: judges, runs or measures; with
    one of these meanings, where some are given."""
    few = [k for k in _of_few_values(table) if k not in (*system, question, *tasks)]
    few = [k for k in few if not means or table.meanings[k] in means]
    # a session of one system is no run of several, and what is about a question none
    told = [k for k in few if not any(crossing.is_fact(table, one, (k,)) for one in (*system, question))]
    told = [k for k in told if table.differ([*system, question, *tasks, k])]
    # of several columns about the judge, the one that names it
    found = _meaning(table, told, "judge") or _meaning(table, told, "run") or told
    return found[0] if len(found) == 1 else None


def _of_few_values(table: Table) -> list[int]:
    """The columns of a few values that are no scores, among them settings: 5 and 10 below budget."""
    levels = _levels(table)
    rest = [k for k in range(len(table.headings)) if k in levels or not _is_score(table, k)]
    few = [k for k in rest if 2 * len(table.column(k).counts) <= len(table.rows)]
    return [k for k in few if table.numeric(k) or table.meanings[k] != "segment"]


def _meaning(table: Table, columns: Sequence[int], means: Meaning) -> list[int]:
    return [k for k in columns if table.meanings[k] == means]


# What is compared.


# what a heading says that no score has: a size, a fact about people, a label, or what was predicted
NO_SCORES = (words.is_size, words.is_personal, words.is_label, words.is_prediction)


def _is_score(table: Table, k: int) -> bool:
    """Whether a column may hold scores: numbers or outcomes below a heading that is no id and no field of a log."""
    heading = table.headings[k]
    field = words.is_field(heading) and not JUDGED.match(heading)
    no_score = field or heading.strip().lower() == "n" or any(is_other(heading) for is_other in NO_SCORES)
    if heading.strip().lower() == TOTAL:
        return outcomes.is_numeric(table, k)
    if _counts(table, k) or names_part(table, k) or heading.lower().startswith("raw_"):
        return False
    values = outcomes.is_numeric(table, k) or (len(table.column(k).counts) > 1 and outcomes.is_known(table, k))
    return values and not (no_score or says_id(table, k) or _is_aside(table, k))


def _counts(table: Table, k: int) -> bool:
    return k in table.turned or _are_numbered(table, k) or numbers.go_up(table.column(k), COUNTED)


def names_part(table: Table, k: int) -> bool:
    """Whether a heading is that of a run, a seed, or the number of a conversation; or the numbers are those of a clock."""
    heading = table.headings[k].strip()
    named = table.meanings[k] == "run" or boards.SEED.search(heading) or crossing.PARENT.fullmatch(heading)
    return bool(named) or numbers.are_moments(table.column(k))


def _scores(table: Table, one: Reading) -> list[int]:
    """The columns of scores of a reading: those whose headings name measures or say score; without them all that differ within
    systems, and within questions."""
    used = {*one.system, *one.asked, one.other, *one.tasks}
    places = [k for k in range(len(table.headings)) if k not in used and _is_of_all(table, k, one)]
    found = _told(table, [k for k in places if _is_score(table, k)], one)
    known = any(outcomes.names_scores(table.headings[k]) and len(table.column(k).counts) > 1 for k in found)
    if known or not one.system or any(map(words.is_prediction, table.headings)):
        return found[:MOST_SCORES]
    # where no other measure is known, a time or a price may be what is compared
    return [*_told(table, [k for k in places if is_cost(table, k)], one), *found][:MOST_SCORES]


def _told(table: Table, open_: Sequence[int], one: Reading) -> list[int]:
    """Those of the columns whose headings say score; without them all that differ within systems, and within questions."""
    varied, varying = _varied(table, open_, one), [k for k in open_ if len(table.column(k).counts) > 1] or open_
    called = {k: table.headings[k].strip() for k in varying}
    named = [k for k, name in called.items() if outcomes.names_scores(name) or crossing.SUMMED.fullmatch(name)]
    named = crossing.in_order(table, named, one.asked)
    return [*named, *_also(table, named, varied)] or varied


def _also(table: Table, named: Sequence[int], varied: Sequence[int]) -> list[int]:
    """The columns of right and wrong answers beside those of known measures, and of criteria on the scale of a known one."""
    marks = {_marks(table, k) for k in named} - {None}
    others = [k for k in varied if k not in named]
    return [k for k in others if numbers.truths(table.column(k), numbers.OUTCOMES) or _marks(table, k) in marks]


def _marks(table: Table, k: int) -> tuple[float, float] | None:
    """The lowest and the highest of the marks in a column; None for others than a few whole numbers."""
    values = numbers.scale(table.column(k)).values if are_marks(table, k) else ()
    return (values[0], values[-1]) if values else None


def _varied(table: Table, open_: Sequence[int], one: Reading) -> list[int]:
    return [k for k in open_ if not any(crossing.is_fact(table, k, own) for own in (one.system, one.asked))]


def is_cost(table: Table, k: int) -> bool:
    """Whether a column has numbers below the heading of a cost: a time, tokens, money; not what sets a system."""
    setting = words.SET.match(table.headings[k]) is not None
    known = not setting and words.is_field(table.headings[k]) and measures.better_of(table.headings[k]) is not None
    return known and table.numeric(k) and not numbers.are_moments(table.column(k))


def _is_of_all(table: Table, k: int, one: Reading) -> bool:
    """Whether the numbers, or words for them, are known, every system has some, and a heading names them in a command."""
    return (
        bool(table.headings[k].strip())
        and outcomes.is_known(table, k)
        and not evident.is_empty_for_one(table, k, one.system)
    )


def _ways(table: Table, one: Reading) -> Iterator[Way]:
    """The ways to say a reading: what tells rows apart may be a part of the data, or name the questions with the others."""
    parts = (None,) if one.other is None else crossing.parts_of(table, one.other)
    if one.other is not None and doubts.SETTING.fullmatch(table.headings[one.other].strip()):
        parts = ("system", "task")
    parts = parts if not one.tasks else parts[:1]
    yield from (_way(table, one, other, scores) for other in parts for scores in compared(table, one))


def _way(table: Table, one: Reading, part: Part | None, scores: Roles) -> Way:
    """A reading in words, and the roles that say it."""
    right = [k for k, _ in scores if outcomes.IS_RIGHT.fullmatch(table.headings[k].strip())]
    if not one.system and len(right) > 1:  # plain_correct, tuned_correct: what several systems answered
        own: Roles = [*_named_parts(one, part), *((k, "system") for k in right)]
        return f"{listed(table.named(right))} are of a system each", outcomes.said(table, own)
    roles = [*_named_parts(one, part), *scores]
    roles += [(k, "ignored") for k in crossing.others_for_each(table, [k for k, _ in roles], one.asked)]
    # each task has its measure: then this is no other one of the same questions
    measures = [k for k in table.where("measure") if k not in (*one.system, *one.asked, one.other)]
    roles += [
        (k, "ignored") for k in measures if crossing.is_fact(table, k, one.asked) and len(table.column(k).counts) > 1
    ]
    return _named_by(table, roles), outcomes.said(table, roles)


def compared(table: Table, one: Reading) -> list[Roles]:
    """What may be compared in a reading: scores, or right and predicted labels."""
    used = {*one.system, *one.asked, one.other, *one.tasks}
    scores, both = _scores(table, one), labels.in_rows(table, one.asked, used)
    several = unnamed.several(table, scores, used, bool(one.system))
    found: list[Roles] = [several or [(k, "score") for k in scores]] if scores or several else []
    if both:
        return [*found, [(both[0], "reference"), (both[1], "text")]]
    graded = _varied(table, labels.verdicts(table, used), one) if one.system else []
    # words below verdict are rather what is compared than whether something changed
    weak = not any(outcomes.names_scores(table.headings[k]) or table.numeric(k) for k in scores) and not several
    return [[(k, "score")] for k in graded[:1]] if weak and graded else found


def _named_by(table: Table, roles: Roles) -> str:
    """Which columns name the systems and the questions, and which one is right, in words."""
    by = {role: table.named(k for k, own in roles if own == role) for role in ("system", "question", *SAYS)}
    names, more = by["system"], "".join(f", and {name} {says}" for role, says in SAYS.items() for name in by[role])
    systems = f"{listed(names)} name{'s' * (len(names) == 1)} the systems" if names else "the file is of one system"
    return f"{systems}, and {listed(by['question'])} the questions{more}"


def _named_parts(one: Reading, part: Part | None) -> list[tuple[int, Part]]:
    """The columns of systems and questions, and of what tells their rows apart, with their roles."""
    roles: list[tuple[int, Part]] = [(k, "system") for k in one.system] + [(k, "question") for k in one.asked]
    roles += [] if one.other is None or part is None else [(one.other, part)]
    return roles + [(k, "task") for k in one.tasks]
