"""Tables whose rows are whole systems, or sum up others: tests need the scores of every segment, so these are refused."""

from __future__ import annotations

import itertools
import math
import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers import names as naming
from sigcore.readers.contract import Claim, Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import boards, crossing, evident, numbers, outcomes, sums
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import OF_ROWS, Table
from sigcore.readers.tables.unclear import SAY, Unclear

ROWS = "--columns rows=system"  # what turns a table
FEWEST_CROSSED, CROSSED = 3, 0.8  # names of rows that are headings, too, and their share
MOST_WAYS, MOST_MEASURES = 3, 12  # measures alone and together
MOST_WORDS = MOST_NAMING = 6  # words of a system's name, and columns of names

# Headings of names of systems: by themselves, and beside a measure.
MODELS = pattern("whole.models")
METHODS = pattern("whole.methods")
SPLIT = re.compile(r"(?:data[-_ ]?)?(?:split|subset|partition|phase)", re.IGNORECASE)
ASKED: tuple[Meaning, ...] = ("segment", "perhaps segment", "document", "text", "judge")


def refuse_crossed(table: Table) -> None:
    """Raise ReadError where rows and columns of numbers have the same names: confusions of labels, or results of pairs."""
    cells = {*map(str.strip, table.column(0).counts)}
    if len(cells.intersection(map(str.strip, table.headings))) < FEWEST_CROSSED:
        return  # most tables: no number is parsed
    named = {name.strip() for k, name in enumerate(table.headings) if k and table.numeric(k)}
    rows = {name for name in cells if not numbers.is_number(name)}  # both may be numbered
    if min(len(named), len(rows)) >= FEWEST_CROSSED and len(named & rows) > CROSSED * max(len(named), len(rows)):
        what = "Its rows and columns have the same names: confusions of labels, or results of pairs, not of segments."
        raise ReadError(what, table.file, 1, "Load the scores of every segment, or its label by each system.")


def refuse(table: Table, said: bool) -> None:
    """Raise ReadError for a row that is a mean or a total of the others by its id, where a table has ids and numbers; and,
    unless somebody said what the columns are, for a table whose rows are whole systems, or the measures of one."""
    numeric = [k for k in range(len(table.headings)) if outcomes.is_numeric(table, k)]
    ids = (table.where("segment") or table.where("perhaps segment", "document"))[:1]
    if ids and set(numeric) - {*ids}:
        sums.refuse(table.file, table.column(ids[0]), table.places)
    if numeric and not (said or table.role or table.basis):
        _refuse_one_row(table, [k for k in numeric if k not in ids])
        _refuse_whole(table, _named_apart(table, numeric))
        boards.refuse_many(table)


def refuse_sums(table: Table) -> None:
    """Raise ReadError for rows that sum up others (AVG_50_ARTICLES) in a column that numbers the rest, whatever its heading."""
    for k in (k for k, cell in enumerate(table.rows[0]) if cell.strip().isdigit()):
        own = [cell for cell in table.column(k).counts if not cell.strip().isdigit()]
        if own and all(map(sums.is_sum, own)):
            sums.refuse(table.file, table.column(k), table.places)


def _refuse_one_row(table: Table, numeric: Sequence[int]) -> None:
    """Raise ReadError for one row with the numbers of several systems."""
    if len(table.rows) == 1 and len(numeric) == len(table.headings) > 2:
        message = f"{table.file} has one row for {len(numeric)} systems: scores of whole systems, not of segments."
        raise ReadError(message, table.file, 1, "Load the scores of every segment: tests need them.")


OF_RUNS = "Load the scores of every segment in each run: tests need them."
# The headings of tables of runs that programs export which track them.
TRACKED: Mapping[str, frozenset[str]] = {
    "Weights & Biases": frozenset(("Name", "Created", "Runtime")),
    "MLflow": frozenset(("run_id", "experiment_id", "artifact_uri")),
}
RUN_NAME = re.compile(r"(?:run|experiment|trial|exp)[-_ ]name", re.IGNORECASE)
MOST_SETTINGS = 12  # names of what was tried: more are questions
NEARLY = 0.8  # of the rows: so many different systems
FEWEST_RUNS = 6  # that several of them have in common: fewer show nothing


def refuse_runs(table: Table) -> None:
    """Raise ReadError for a table of whole runs: a ranking of systems, what a tracker exports, or a row for each seed of each of a few settings and no
    questions, which may be compared seed by seed if there are enough and somebody says so."""
    if table.role or table.basis:
        return
    _refuse_slots(table)
    boards.refuse_tests(table)
    if any(map(crossing.says_both, table.headings)) and any(joined := crossing.glued(table)):
        raise ReadError(joined[0], table.file, 1, joined[1])
    _refuse_ranking(table)
    seeds = table.headed(boards.SEED.search, table.where(None, "run"))
    one = [k for k in table.where("task", "domain") if len(table.column(k).counts) == 1]  # tells nothing apart
    known = {*table.where(*boards.OF_SEGMENTS)} - {*one}
    open_ = bool(seeds) and not known and any(map(words.has_measure, table.headings))
    if tried := [k for k in range(len(table.headings)) if open_ and _is_setting(table, k, seeds[0])]:
        likely = min(tried, key=lambda k: (table.numeric(k), not naming.says_system(table.headings[k])))
        raise _of_seeds(table, likely, seeds[0])
    _refuse_named_runs(table)
    _refuse_dated(table)
    _refuse_search(table)
    _refuse_steps(table)
    boards.refuse_each_run(table)


# Settings of a training: a table with several of them beside a measure is a search, where each row is a training.
TUNED = naming.pattern("whole.tuned")
FEWEST_TUNED = 3


def _refuse_search(table: Table) -> None:
    """Raise ReadError for a table of trials with their settings (lr, batch_size, dropout) and what each reached."""
    tuned = table.named(table.headed(TUNED.fullmatch))
    if len(tuned) >= FEWEST_TUNED and not table.where("segment", "perhaps segment", "text", "reference"):
        message = f"Each row is a whole training with its settings ({listed(tuned)}), and no question."
        raise ReadError(message, table.file, 1, OF_SYSTEMS)


SLOT = re.compile(r"Answer\.(.+?)[-_.](\d+)")


def _refuse_slots(table: Table) -> None:
    """Raise ReadError for a batch of Mechanical Turk with answers on numbered texts (Answer.fluency-0), whose systems it does not name."""
    slots = {match[2] for name in table.headings if (match := SLOT.fullmatch(name))}
    inputs = (name.partition(".")[2] for name in table.headings if name.startswith("Input."))
    if "HITId" in table.headings and len(slots) > 1 and not any(map(naming.says_system, inputs)):
        message = f"Each row rates {len(slots)} texts by their places, and no column says which system each is of."
        fix = "Write a row for each text, with columns item, system, annotator and one for each criterion."
        raise ReadError(message, table.file, 1, fix)


TRAINED = re.compile(r"\s*train", re.IGNORECASE)


def _refuse_steps(table: Table) -> None:
    """Raise ReadError for the log of a training: what was measured after each epoch, on the parts of the data."""
    steps = table.headed(words.is_step)
    if not steps or table.where("segment", "text", "reference"):
        return  # most tables: no cell is read
    parts = (table.column(k).counts for k in range(len(table.headings)))
    if any(len(own) > 1 and crossing.are_splits(own) and any(map(TRAINED.match, own)) for own in parts):
        message = f"It is the log of a training: a row for each {table.headings[steps[0]]} and part of the data."
        raise ReadError(message, table.file, 1, OF_SYSTEMS)


OF_SYSTEMS = "Load the scores of every segment by the models to compare: tests need them."


def _refuse_named_runs(table: Table) -> None:
    """Raise ReadError for the table of a tracker, and for one whose rows are named runs, with measures alone."""
    if tracker := next((name for name, needs in TRACKED.items() if needs <= {*table.headings}), ""):
        message = f"It looks like an export of {tracker}: each row is a whole run, with no scores of segments."
        claims = evident.claims(table, "of a whole run")
        ways = boards.on_sets(table)
        raise Unclear(table, message, claims, ways, fix="" if ways else OF_RUNS)
    named = table.headed(RUN_NAME.fullmatch) if not table.where(*boards.OF_SEGMENTS) else []
    numeric = [name for k, name in enumerate(table.headings) if named and table.numeric(k)]
    if numeric and all(map(words.has_measure, numeric)):
        message = f"Each row is a whole run, which {table.headings[named[0]]} names, and no scores of segments."
        raise ReadError(message, table.file, 1, OF_RUNS)


RUN_DATE = naming.pattern("whole.run_date")


def _refuse_dated(table: Table) -> None:
    """Raise ReadError for rows that name a system and when it was run, with measures and nothing that names a question."""
    dated, systems = table.headed(RUN_DATE.fullmatch), table.headed(naming.says_system)
    rest = [k for k in range(len(table.headings)) if k not in (*dated, *systems)]
    if not dated or not systems or not all(map(table.numeric, rest)) or table.where("segment", "perhaps segment"):
        return
    asked = any(table.differ([systems[0], k]) and crossing.cross(table, systems[:1], (k,)) for k in rest)
    if not asked and any(map(words.has_measure, table.named(rest))):
        when, who = table.headings[dated[0]], table.headings[systems[0]]
        message = f"Each row is a whole run of what {who} names ({when}), and no scores of segments."
        raise ReadError(message, table.file, 1, OF_RUNS)


# Known measures beside names of ways to prompt: so many, of so many words.
FEWEST_MEANS, MOST_PROMPTS, LONGEST_PROMPT = 3, 5, 2


def _names_ways(table: Table, k: int) -> bool:
    """Whether a few short names stand below prompt, beside several measures: ways in which models were asked, and no questions."""
    few = len(own := table.column(k).counts) <= MOST_PROMPTS and all(
        len(name.split()) <= LONGEST_PROMPT for name in own
    )
    return few and not table.numeric(k) and len(table.headed(words.has_measure)) >= FEWEST_MEANS


def refuse_board(table: Table) -> None:
    """Raise Unclear for a table with a row for each system and each of several test sets, with known measures and no questions:
    the test sets may be compared as if each were one question, if there are enough of them and somebody says so."""
    ways = [k for k in table.where("perhaps segment") if _names_ways(table, k)]
    asked = {*table.where(*ASKED, "reference")} - {*ways}
    if table.role or table.basis or asked or (table.where("score") and not ways):
        return
    named = table.headed(MODELS.fullmatch, table.where(None))
    if not any(map(words.is_spread, table.headings)):
        named += table.headed(naming.NAMING.fullmatch, table.where(None))
    systems = {*table.where("system"), *named}
    parts = {*table.where("task", "domain"), *table.headed(boards.PARTS.fullmatch), *ways}
    both = itertools.product(sorted(filter(table.repeats, systems)), sorted(filter(table.repeats, parts - systems)))
    pairs = list(filter(table.differ, both))
    measured = list(filter(table.numeric, table.headed(_is_mean)))
    if pairs and measured:
        gaps = {k: sum(map(numbers.is_missing, table.column(k))) for k in measured}
        raise _of_board(table, *pairs[0], sorted(measured, key=lambda k: gaps[k]))
    _refuse_conditions(table, measured, sorted(systems), sorted(parts - systems))


def _is_mean(heading: str) -> bool:
    """Whether a heading names a measure, and not how far it may be off."""
    return words.has_measure(heading) and not words.is_spread(heading)


def _refuse_conditions(table: Table, measured: Sequence[int], systems: Sequence[int], parts: Sequence[int]) -> None:
    """Raise Unclear for means of so many, with a row for each system, test set and condition."""
    counted = table.headed(COUNTED.fullmatch)
    scores = [table.headings[k] for k in measured if k not in counted]
    if scores and counted and (three := _with_condition(table, systems, parts)):
        name, *cells = table.named(three)
        joint = " and ".join(cells)
        message = f"Each row is the result of one {name} on one {joint}, and no scores of segments: tests need them."
        claims = [_of_whole(table, k, ()) for k in range(len(table.headings))]
        said = shlex.join([f"{name}=system", *(f"{one}=question" for one in cells), f"{scores[0]}=score"])
        raise Unclear(table, message, claims, [(f"each {joint} counts as one question", said)])


COUNTED = re.compile(r"(?:n|num|number|total)[-_ ]\w+|n|support|count", re.IGNORECASE)  # of what the row is a mean


def _with_condition(table: Table, systems: Sequence[int], parts: Sequence[int]) -> tuple[int, int, int] | None:
    """The columns of systems, of test sets and of conditions that only together tell the rows apart; None without them."""
    texts = (k for k in range(len(table.headings)) if not table.numeric(k))
    few = [k for k in texts if len(table.column(k).counts) <= MOST_SETTINGS]
    three = ((one, part, k) for one in systems for part in parts for k in few if k not in (one, part))
    return next((found for found in three if table.differ(found)), None)


DEVIATION = re.compile(r"(?:^|[-_. ])(?:std(?:ev|err)?|sd|se|ci)(?:$|[-_. ])", re.IGNORECASE)


def _of_board(table: Table, system: int, part: int, measured: Sequence[int]) -> Unclear:
    """The question about a table with a row for each system (a column) and test set (a column), and these measures."""
    name, of = table.headings[system], table.headings[part]
    message = f"Each row is the result of one {name} on one {of}, and no scores of segments: tests need them."
    fixed: dict[int, Part] = {system: "system", part: "question"}
    claims = [
        evident.claim(table, k, fixed.get(k, "score" if k in measured else "ignored"), "of a whole row of others")
        for k in range(len(table.headings))
    ]
    if table.headed(DEVIATION.search):  # a question has none
        return Unclear(table, message, claims, fix="Load the scores of every segment: tests need them.")
    each = [[k] for k in measured] if len(measured) <= MOST_WAYS else [list(measured[:MOST_MEASURES])]
    ways = []
    for own in each:
        by, rest = table.named(own), "" if len(own) == 1 else ", one of them with --measure"
        said = shlex.join([f"{name}=system", f"{of}=question", *(f"{one}=score" for one in by)])
        ways.append((f"each {of} counts as one question, by {listed(by)}{rest}", said))
    return Unclear(table, message, claims, ways)


def _of_seeds(table: Table, k: int, seed: int) -> Unclear:
    """The error for a table with a row for each seed of each setting in column k."""
    runs = table.column(seed).counts
    claims = [_of_run(table, i, k, seed) for i in range(len(table.headings))]
    scores = [f"{one.column}=score" for one in claims if one.role == "score"][:1]
    way = ""
    if scores and sum(number > 1 for number in Counter(table.column(seed)).values()) >= FEWEST_RUNS:
        roles = shlex.join([f"{table.headings[k]}=system", f"{table.headings[seed]}=question", *scores])
        way = f" To compare whole runs, seed by seed: --columns {roles}."
    message = (
        f"Each row is a whole run: {count(len(runs), 'seed')} of each {table.headings[k]}, and no scores of segments."
    )
    few = f" {count(len(runs), 'seed')} of each are too few to pair them: no exact p can be as small as 0.05."
    return Unclear(table, message, claims, fix=f"{OF_RUNS}{way or few if len(runs) < FEWEST_RUNS else way}")


def _is_setting(table: Table, k: int, seed: int) -> bool:
    """Whether a column names a few things that were tried, each with several seeds."""
    own, heading = table.column(k).counts, table.headings[k]
    few = 1 < len(own) <= MOST_SETTINGS and 2 * len(own) <= len(table.rows) and _are_told(table, k, seed)
    known = table.meanings[k] is not None or words.has_measure(heading) or words.is_spread(heading)
    fractions = table.numeric(k) and numbers.scale(table.column(k)).fractions
    return k != seed and few and not (known or fractions) and are_names(list(own))


def _are_told(table: Table, k: int, seed: int) -> bool:
    """Whether a setting and a seed tell all rows apart, or these with a part of the data: a split, a language."""
    parts = [i for i in table.headed(lambda name: SPLIT.fullmatch(name) or boards.PARTS.fullmatch(name)) if i != k]
    return table.differ([k, seed]) or any(table.differ([k, seed, i]) for i in parts)


def _of_run(table: Table, k: int, named: int, seed: int) -> Claim:
    """What a column of a table of runs is taken for."""
    if k in (named, seed):
        return evident.claim(
            table, k, "system" if k == named else "run", "it names what was tried" if k == named else "a seed"
        )
    scored = outcomes.is_numeric(table, k) and words.has_measure(table.headings[k])
    return evident.claim(table, k, "score" if scored else "ignored", "of a whole run")


def _named_apart(table: Table, numeric: Sequence[int]) -> list[int]:
    """The columns that may name each row: different words, or different whole numbers below a heading of systems, beside
    other numbers."""
    numbered = [k for k in table.where("system") if {*numeric} - {k} and all(map(str.isdigit, table.column(k)))]
    names = (k for k in range(len(table.headings)) if k not in numeric or k in numbered)
    return [k for k in names if table.differ([k]) or _nearly_differ(table, k)]


def _nearly_differ(table: Table, k: int) -> bool:
    """Whether nearly every row has another system by its heading, and a few come again: one was run twice, others failed."""
    own = len(table.column(k).counts)
    named = MODELS.fullmatch(table.headings[k].strip()) is not None or _are_called(table, k)
    return own >= max(FEWEST_RUNS, NEARLY * len(table.rows)) and named


def _has_spread(table: Table) -> bool:
    """Whether a heading says how much the scores of a row differ, which those of one question do not; several votes on a recording do."""
    asked = table.where(*ASKED) or _are_crossed(table) or crossing.of_files(table)
    return any(map(words.is_spread, table.headings)) and not asked


def _refuse_whole(table: Table, names: Sequence[int]) -> None:
    """Raise ReadError for a table with a row for each system, or each measure of one; `names` are columns of different words."""
    named = [k for k in names if are_names(table.column(k)) or _are_called(table, k)]
    # a question has no standard error, no number of questions, and no difference from the best
    if _has_spread(table) and (first := named[:1] or _named_together(table)):
        message = "Each row sums up others: scores of whole systems, or of parts."
        fix = f"Load the scores of every segment: tests need them. If each row is one segment, say so: {SAY}."
        claims = [_of_whole(table, k, first) for k in range(len(table.headings))]
        ways = boards.of_rivals(table, first) or boards.of_tasks(table, first)
        raise Unclear(table, message, claims, ways, fix="" if ways else fix)
    if any(_are_measures(table.column(k)) for k in names):
        raise systems(table, "measure")
    _refuse_named(table, names, named)


FEWEST_NAMED = 8  # in one of two columns that cross: the questions, where the spread is that of judges or runs


def _are_crossed(table: Table) -> bool:
    """Whether two columns of names cross, and one has many of them: systems and questions."""
    pair = _named_together(table)
    own = [len(table.column(k).counts) for k in pair]
    return bool(own) and max(own) >= FEWEST_NAMED and 4 * len(table.rows) >= 3 * math.prod(own)


def _are_measures(cells: Sequence[str]) -> bool:
    """Whether words name measures, or several of them and costs."""
    known = sum(map(words.is_measure, cells))
    return known == len(cells) or (known > 1 and all(words.has_measure(one) or words.is_field(one) for one in cells))


RANK = re.compile(r"rank(?:ing)?|place|position", re.IGNORECASE)


def _refuse_ranking(table: Table) -> None:
    """Raise ReadError where a column ranks the rows from 1 on, and another names systems, perhaps again with other settings."""
    ranks = (table.column(k) for k in table.headed(RANK.fullmatch))
    ranked = any(list(map(str.strip, cells)) == [str(i) for i in range(1, len(cells) + 1)] for cells in ranks)
    if ranked and table.headed(MODELS.fullmatch) and not table.where(*ASKED):
        raise systems(table)


def _numbers_rows(table: Table, k: int) -> bool:
    """Whether an id (Variant_ID) only numbers what systems of another column were tried on: these come again."""
    others = [i for i in table.headed(naming.says_system) if i != k and not table.numeric(i)]
    return crossing.ID.search(table.headings[k].strip()) is not None and any(map(table.repeats, others))


def _refuse_named(table: Table, names: Sequence[int], named: Sequence[int]) -> None:
    """Raise ReadError for rows that are systems or test sets by a heading of the columns `named`, or models by an id in `names`."""
    asked = {*table.where("segment", "perhaps segment")} & {*names}
    if len(table.rows) < MOST_CALLED and any(naming.are_models(table.column(k)) for k in asked):
        raise systems(table)
    parts = boards.parts_of(table, named)
    if _asks(table) and not (set() < {*table.where(*ASKED)} <= {*parts}):
        return
    if any(_names_system(table, k) for k in named if not _numbers_rows(table, k)):
        raise systems(table)
    if parts:
        raise _of_testsets(table, parts[0])


def _asks(table: Table) -> bool:
    """Whether a table has questions: run_id names a whole run, which is none, and what all rows have asks nothing of each."""
    one = [k for k in table.where("perhaps segment", "document") if len(table.column(k).counts) == 1]
    same = [k for k in one if table.meanings[k] == "document" or " " in table.rows[0][k]]
    runs = (k for k in table.where("run") if table.repeats(k) or not OF_ROWS.search(table.headings[k].strip()))
    return bool({*table.where(*ASKED)} - {*same}) or next(runs, None) is not None


def _of_testsets(table: Table, k: int) -> Unclear:
    """The error for a table with a row for each language, or for each data set: column k names them."""
    name = table.headings[k].strip()
    message = f"Each row has another {name}: scores of whole test sets, not of segments."
    said = shlex.quote(f"{name}=question")
    fix = f"Load the scores of every segment: tests need them. If each row is one question: --columns {said}."
    return Unclear(table, message, [_of_whole(table, i, [k]) for i in range(len(table.headings))], fix=fix)


def _named_together(table: Table) -> list[int]:
    """The first two columns of a few names that together name each row: a data set and a condition. [] without them."""
    few = [k for k in range(len(table.headings)) if not table.numeric(k) and table.repeats(k)]
    short = [k for k in few if are_names(list(table.column(k).counts))][:MOST_NAMING]
    return next((list(pair) for pair in itertools.combinations(short, 2) if table.differ(pair)), [])


def _names_system(table: Table, k: int) -> bool:
    """Whether a heading says that its column names systems, method and the like only beside a measure; or an unknown one stands
    above names of large models."""
    heading = table.headings[k].strip()
    if table.meanings[k] is None and naming.are_models(table.column(k)):
        return True
    measured = any(map(words.has_measure, table.headings)) or _has_mean(table)
    said = MODELS.fullmatch(heading) or (measured and (METHODS.fullmatch(heading) or _are_called(table, k)))
    return table.meanings[k] == "system" or (table.meanings[k] is None and bool(said))


FILES = re.compile(r".*\.\w{1,5}|.*\d")  # names of files, and ids that end in digits
MOST_CALLED = 30  # systems in a table: more names are of what was asked


def _are_called(table: Table, k: int) -> bool:
    """Whether a few names, not those of files or ids, stand below `name`: as PyTerrier and others write their systems."""
    cells = table.column(k)
    few = table.headings[k].strip().lower() == "name" and len(cells) < MOST_CALLED
    return few and 2 * sum(map(bool, map(FILES.fullmatch, cells))) < len(cells)


def _has_mean(table: Table) -> bool:
    """Whether a column is headed mean, total and the like: it sums up the others."""
    return bool(table.headed(sums.WORDS.fullmatch))


def _of_whole(table: Table, k: int, named: Sequence[int]) -> Claim:
    reason = "it names the rows" if k in named else "of a whole row of others"
    return replace(evident.claim(table, k, "ignored", reason), basis="heading")


def are_names(cells: Sequence[str]) -> bool:
    return all(len(cell.split()) <= MOST_WORDS for cell in cells)


def systems(table: Table, what: str = "system") -> ReadError:
    """The error for a table with a row for each system, or for each measure of one."""
    message = f"{table.file} has one row per {what}: scores of whole systems, not of segments."
    ways = boards.of_boards(table, boards.tasks_of(table)) or boards.as_questions(table) if what == "system" else []
    if ways:
        claims = [_of_whole(table, k, ()) for k in range(len(table.headings))]
        return Unclear(table, f"{message} Tests need the scores of every segment.", claims, ways)
    asked = [name for name in table.headings if words.meaning(name) is None and not words.is_field(name)]
    turn = what == "system" and len(asked) > 1 and len(table.rows) > 1 and not _are_test_sets(table, asked)
    way = f" If its columns are questions or recordings, and no means of test sets: {ROWS}." if turn else ""
    return ReadError(message, table.file, 1, f"Load the scores of every segment: tests need them.{way}")


def _are_test_sets(table: Table, asked: Sequence[str]) -> bool:
    """Whether a mean beside columns, their measures or their scales say that they are test sets rather than questions."""
    measured = 4 * sum(map(words.has_measure, asked)) >= len(asked)
    told = _has_mean(table) or bool(table.where("rated", "score")) or measured
    return told or boards.on_two_scales(table, range(len(table.headings)))


def runs(table: Table, system: int) -> ReadError | None:
    """The error for a table with a row for each run (seed) of a system, on each task; None for another table."""
    own = table.where("run")
    told = [k for k in own if table.repeats(k)][:1] or own[:1]  # an id of each row counts no runs
    parts = [system, *told, *table.where("task", "domain", "measure", "category")]
    # a model may have been trained in several ways, which another column names
    others = [[], *([k] for k in table.headed(lambda name: name.lower() in WAYS) if k not in parts)]
    if not told or not any(table.differ([*parts, *other]) for other in others):
        return None
    if any(
        crossing.cross(table, (system,), (k,))
        for k in table.headed(crossing.ID.search)
        if k not in own and table.repeats(k)
    ):
        return None  # an id of what was asked
    number, of = len(table.column(told[0]).counts), table.headings[told[0]]
    message = f"Each row is a whole run of a system: {count(number, 'run')} by {of}, and no scores of segments."
    return Unclear(table, message, evident.claims(table, "of a whole run"), fix=boards.OF_RUNS)


WAYS = ("name", "variant", "config", "configuration", "setting", "experiment", "condition", "method")
