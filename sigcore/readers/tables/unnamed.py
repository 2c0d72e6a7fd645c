"""What is said of rows of systems that nothing tells apart: they have no names, or one has the same name twice."""

from __future__ import annotations

import itertools
import re
import shlex
from collections import Counter
from collections.abc import Container, Sequence

from sigcore.errors import Asking, ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Found, Notice, Part
from sigcore.readers.tables import crossing, summary_rows, sums
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import SAY_RUNS, Nameless, Way

LONGEST_NAME = 100  # characters of the name of a setting
MOST_FACTORS, MOST_TOGETHER = 10, 4  # columns (and values of one) that may name rows, and so many of them together
FEWEST_SHARED = 5  # questions that two systems have: no test of fewer can show anything


def nameless(table: Table, system: int) -> Nameless:
    """The error for rows of systems without a column that names the segment: which columns may do so together, if any."""
    message = f"{table.file} has a row per system and segment, and no heading says which column names the segment."
    both = _together(table, system)
    tried = both or _together(table, system, systems=True)
    if tried and _shared_by_two(table, system, tried) < FEWEST_SHARED:
        what = f"Each row is a whole system with a setting ({listed(tried)}): a mean, and no scores of segments."
        return Nameless(what, table.file, 1, "Load the scores of every segment: tests need them.")
    seeds = table.headed(SEEDS.fullmatch)
    texts = [system, *(k for k in range(len(table.headings)) if k != system and not table.numeric(k))]
    if seeds and table.differ([*texts, *seeds]) and not table.differ(texts):
        what = f"Each row is a whole run of a system ({listed(table.named(seeds))}), and no scores of segments."
        return Nameless(what, table.file, 1, "Load the scores of every segment in each run: tests need them.")
    fix = "Add a column headed segment or seg_id or id."
    if both:
        them = f"{', '.join(both[:-1])} and {both[-1]}"
        fix = f"If {them} name it together, say so: --id-field {shlex.quote(','.join(both))}.{_by_task(table, both)}"
    return Nameless(message, table.file, 1, fix)


def _by_task(table: Table, both: Sequence[str]) -> str:
    """How somebody says that one of the columns that name rows together names tasks, each of which is tested by itself."""
    tasks = [name for name in both if not table.numeric(table.headings.index(name))]
    if len(tasks) != 1 or len(both) < 2:
        return ""
    roles = [f"{name}={'task' if name in tasks else 'question'}" for name in both]
    return f" If each {tasks[0]} is tested by itself: --columns {shlex.join(roles)}."


def would_compete(table: Table, means: Meaning | None) -> bool:
    """Whether numbers of judges or runs, beside systems in columns, tell no rows of a question apart."""
    ids = table.where("segment", "perhaps segment", "document")
    return means == "run" or (means == "judge" and not any(map(table.repeats, ids)))


def other_metric(table: Table, scores: Sequence[str], said: Container[int]) -> list[int]:
    """The column that names one metric in all rows, of which nobody said anything, where the scores have names of their own."""
    own = bool(scores) and not any(map(words.is_plain, scores))
    return [k for k in table.where("measure") if own and k not in said and len(table.column(k).counts) == 1]


def paired_runs(table: Table, result: Found) -> list[int]:
    """The column of runs, which are what is paired where nothing names the questions of systems in columns; [] without it."""
    runs = [] if table.where("segment") else table.where("run")[:1]
    for name in table.named(runs):
        message = f"{name} names what is paired: runs of whole systems, and no questions."
        result.notices.append(Notice(table.file, message))
    return runs


def as_runs(table: Table, system: int, asked: int) -> list[Way]:
    """How to say that rows of one question are its runs, where a system has several of it; [] for others."""
    name = table.headings[asked]
    said = f"{shlex.quote(f'{name}=question')} rows=run"
    # people who rated it are no runs
    people = table.where("judge", "rated") or table.headed(words.is_personal)
    return [] if people or table.differ([system, asked]) else [(f"the rows of one {name} are its runs", said)]


def _together(table: Table, system: int, systems: bool = False) -> list[str]:
    """The headings of the fewest columns of words or levels that only together tell the rows of a system apart (also of those
    that say system: `systems`); [] without them."""
    open_ = (k for k in range(len(table.headings)) if k != system and 1 < len(table.column(k).counts) < len(table.rows))
    own = (k for k in open_ if systems or not names.says_system(table.headings[k]))
    factors = [k for k in own if _may_tell(table, k)][:MOST_FACTORS]
    sets = itertools.chain.from_iterable(itertools.combinations(factors, n) for n in range(2, MOST_TOGETHER + 1))
    return next((table.named(chosen) for chosen in sets if table.differ([system, *chosen])), [])


def _may_tell(table: Table, k: int) -> bool:
    """Whether a column has words, or a few whole numbers that are no scores: levels of what was tried, no seeds."""
    if APART.search(table.headings[k].strip()):
        return False
    if not table.numeric(k):
        return not _are_long(table, k)
    levels = table.column(k).counts
    return len(levels) <= MOST_FACTORS and all(map(str.isdigit, levels)) and not words.has_measure(table.headings[k])


SEEDS = re.compile(r"(?:random[-_ ]?)?seeds?", re.IGNORECASE)
APART = re.compile(r"seed$|^run|kwargs|params?$|^(?:trial|repeat|rep|attempt)s?\b", re.IGNORECASE)


def _are_long(table: Table, k: int) -> bool:
    """Whether most cells are texts of several lines or sentences, which name nothing."""
    cells = table.column(k)
    return 2 * sum(len(cell) > LONGEST_NAME or "\n" in cell for cell in cells) > len(cells)


def _shared_by_two(table: Table, system: int, both: Sequence[str]) -> int:
    """How many names that two columns make together several systems have."""
    asked = zip(*(table.column(table.headings.index(name)) for name in both), strict=True)
    pairs = set(zip(table.column(system), asked, strict=True))
    return sum(number > 1 for number in Counter(name for _, name in pairs).values())


def twice(table: Table, ids: list[int], system: int) -> ReadError:
    """The error for the first row that repeats a segment of its system."""
    seen: dict[tuple[str, ...], int] = {}
    for i, row in enumerate(table.rows):
        key = (names.clean(row[system]), *(row[k] for k in ids))
        first = seen.setdefault(key, i)
        if first != i and not any(map(str.strip, key[1:])):
            return _empty(table, ids, system, i)
        if first != i:
            segment = " ".join(key[1:])
            message = f"row {i + 1}: {row[system]} has segment {segment} a second time (first in row {first + 1})."
            return Asking(message, table.file, table.places[i], _several_rows(table, ids, system))
    raise AssertionError("a pair of rows must agree")  # pragma: no cover


def _empty(table: Table, ids: Sequence[int], system: int, i: int) -> ReadError:
    """The error for a row whose ids are empty; what was asked may name the questions in their place."""
    called = listed(table.named(ids))
    asked = [k for k in table.where("source", "perhaps segment") if k not in ids and table.differ([system, k])]
    fix = "Fill it in, or leave the row out."
    if asked:
        said = [*(f"{name}=ignored" for name in table.named(ids)), f"{table.headings[asked[0]]}=question"]
        fix = f"If {table.headings[asked[0]]} names the questions: --columns {shlex.join(said)}. Otherwise fill it in."
    return ReadError(f"{called} is empty: nothing names the question of this row.", table.file, table.places[i], fix)


# What has several numbered turns or steps of its own.
STORY = re.compile(
    r"(?:scenario|story|case|conversation|dialog(?:ue)?|topic|problem|passage|document|game|episode|level|puzzle|session)s?"
    r"(?:[-_ ]?(?:id|no|nr|number))?",
    re.IGNORECASE,
)


def _several_rows(table: Table, ids: Sequence[int], system: int) -> str:
    """What to do with several rows of one system and segment."""
    judge = next(iter(table.named(table.where("judge"))), "")
    if judge:
        named = [f"--id-field {shlex.quote(table.headings[k])}" for k in ids[:1] if table.meanings[k] is None]
        how = " ".join([*named, f"--run-field {shlex.quote(judge)}"])
        return f"The column {judge} names judges. To test the ratings, each segment with all its judges, add {how}."
    if run := _run(table, ids, system):
        if crossing.are_splits(table.column(table.headings.index(run)).counts):
            said = shlex.quote(f"{run}=task")
            return f"If {run} names parts of the data, each of which is a test set of its own: --columns {said}."
        if words.meaning(run) in ("domain", "category", "task", "aside", *words.LANGUAGES) or STORY.fullmatch(
            run.strip()
        ):
            both = f"--id-field {shlex.quote(run)},ID, with the heading of the ids for ID"
            if ids and table.meanings[ids[0]] == "perhaps segment":
                both = f"--id-field {shlex.quote(f'{run},{table.headings[ids[0]]}')}"
            return f"If questions are numbered anew in each {run}, both columns name them: {both}."
        if len(ids) == 1 and _counts_anew(table, ids[0], table.headings.index(run)):
            both = shlex.quote(f"{run},{table.headings[ids[0]]}")
            task = shlex.quote(f"{run}=task")
            return f"If questions are numbered anew in each {run}, both columns name them: --id-field {both}. If each {run} is a test set of its own: --columns {task}."
        runs = f"If {run} names the runs of a question, say so: --columns {shlex.quote(f'{run}=run')}. If it names people, head it judge."
        if len(table.column(system).counts) == 1:
            said = shlex.quote(f"{run}=system")
            return f"If {run} names what is compared: --columns {said}. {runs}"
        return f"{_joint(table, ids, [system, table.headings.index(run)])}{runs}"
    return (
        f"If these rows are runs of one question: {SAY_RUNS}. Several ratings of one segment need a column for the judge, "
        "headed judge, annotator, rater, worker or user."
    )


def _counts_anew(table: Table, k: int, part: int) -> bool:
    """Whether ids are whole numbers that begin anew in each part, some of which have more of them: runs would have as many."""
    found: dict[str, set[str]] = {}
    for cell, name in zip(table.column(part), table.column(k), strict=True):
        found.setdefault(cell, set()).add(name.strip())
    counted = all(name.isdigit() for own in found.values() for name in own)
    starts = {min(map(int, own)) for own in found.values()} if counted else set()
    return len(starts) == 1 and starts <= {0, 1} and len({*map(len, found.values())}) > 1


def _joint(table: Table, ids: Sequence[int], both: Sequence[int]) -> str:
    """How to say that two columns name the systems together, each combination of them; "" without scores."""
    measured = filter(table.numeric, table.headed(words.has_measure))
    scores = [table.headings[k] for k in measured if k not in (*ids, *both)]
    scores = [name for name in scores if not words.is_field(name)] or scores
    if not scores:
        return ""
    roles = [*(f"{name}=system" for name in table.named(both)), *(f"{name}=question" for name in table.named(ids[:1]))]
    said = shlex.join([*roles, *(f"{name}=score" for name in scores[:MOST_FACTORS])])
    return f"If {' and '.join(table.named(both))} name the systems together: --columns {said}. "


def _run(table: Table, ids: Sequence[int], system: int) -> str:
    """The heading of the one column that tells rows of one system and segment apart by a few values; "" if there is none."""
    rest = [k for k, name in enumerate(table.headings) if k not in (system, *ids) and not words.is_outcome(name)]
    few = [k for k in rest if ids and 2 * len(set(table.column(k))) <= len(set(table.column(ids[0])))]
    told = [table.headings[k] for k in few if table.differ([system, *ids, k])]
    return told[0] if len(told) == 1 else ""


# Runs side by side: a column for each.

RUN_COLUMN = re.compile(
    r"(?:\w+[-_. ])?(?:seed|run|trial|rep(?:eat|etition|lica|licate)?|attempt|try|iter(?:ation)?|sample)[-_ ]?\d+",
    re.IGNORECASE,
)
SCORE, RUN = "score", "run"


def in_rows(table: Table, columns: Sequence[int], result: Found) -> Table:
    """The table with a row for each of these columns, which are runs: its name below `run`, and its number below `score`."""
    table = summary_rows.without(table, result)
    runs = table.named(columns)
    result.notices.append(Notice(table.file, f"{listed(runs)} are runs, each of which has a row."))
    other = table.headed(lambda heading: heading.lower() in (SCORE, RUN))
    cells = ([(name, row[k]) for name, k in zip(runs, columns, strict=True)] for row in table.rows)
    return table.without({*columns, *other}).beside([RUN, SCORE], cells)


def joint(table: Table, columns: Sequence[int], result: Found) -> Table:
    """The table with one column of runs in place of several that name a run together: a prompt and a temperature."""
    result.notices.append(Notice(table.file, f"{listed(table.named(columns))} name the runs together."))
    rest = table.headed(lambda heading: heading.lower() == RUN)
    cells = ([[", ".join(row[k].strip() for k in columns)]] for row in table.rows)
    return table.without({*columns, *rest}).beside([RUN], cells)


def several(table: Table, scores: Sequence[int], used: Container[int | None], named: bool) -> list[tuple[int, Part]]:
    """Runs (seed1, seed2) among scores, or people (judge_1, judge_2) where a column names systems, with a column each; [] without
    them."""
    runs = [k for k in scores if RUN_COLUMN.fullmatch(table.headings[k].strip())]
    if len(runs) > 1:
        return [(k, "run") for k in runs]
    people = [k for k in table.headed(names.is_person) if k not in used and table.numeric(k)]
    # rather than what an answer cost
    costs = named and len(people) > 1 and all(words.is_field(table.headings[k]) for k in scores)
    return [(k, "judge") for k in people] if costs else []


def refuse_sums(table: Table, ids: Sequence[int]) -> None:
    """Raise ReadError for a row that sums up others by one of several columns that name the questions together: the word comes with
    one name in the others alone, which a word of a text would not."""
    for k in ids if len(ids) > 1 else ():
        rest = table.joined([one for one in ids if one != k])
        beside: dict[str, set[str]] = {}
        for cell, other in zip(table.column(k), rest, strict=True):
            beside.setdefault(cell.strip(), set()).add(other)
        if any(len(own) == 1 and sums.is_sum(cell) for cell, own in beside.items()):
            sums.refuse(table.file, table.column(k), table.places)


LONGEST_NAME, MOST_WORDS = 60, 6  # of a system


def are_names(table: Table, k: int) -> bool:
    """Whether a column holds names, and neither numbers nor texts."""
    own = table.column(k).counts
    return not table.numeric(k) and all(len(cell) <= LONGEST_NAME and len(cell.split()) <= MOST_WORDS for cell in own)
