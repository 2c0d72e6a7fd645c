"""Boards: a row for each system, a column for each task, and columns that sum up others."""

from __future__ import annotations

import itertools
import re
import shlex
from collections import Counter
from collections.abc import Sequence

from sigcore.errors import ReadError, Settled
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import evident, numbers, outcomes
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, Way

SUMMED = re.compile(r"(?:macro|micro)?[-_ ]?(?:average|avg|ave|mean|aggregated?|overall|total)", re.IGNORECASE)
CUT = re.compile(r"[-_ ./]+")
# Headings of names of test sets, each of which has many questions.
PARTS = pattern("boards.parts")
GROUPS = pattern("boards.groups")  # of questions: a row for each of them may be a mean
MOST_OUTCOMES = 4  # different words of a column with words for right and wrong
FEWEST_TASKS = 5  # columns that may count as questions, also beside a mean of them
OF_SEGMENTS: tuple[Meaning, ...] = (
    "segment", "perhaps segment", "document", "system", "task", "domain", "text", "reference",
)  # fmt: skip


def is_board_sum(table: Table, k: int) -> bool:
    """Whether a column of a board sums up others: arc_aggregate beside arc_de, Average WER beside SADA WER, or the only WER."""
    heads = list(map(words.bare, table.headings))
    if heads[k].lower() in _of_means(heads):
        return True
    first, *rest = CUT.split(heads[k])
    if not rest or not (SUMMED.fullmatch(first) or SUMMED.fullmatch(rest[-1])):
        return SUMMED.fullmatch(heads[k]) is not None
    others = [name.lower() for i, name in enumerate(heads) if i != k]
    if words.measures_in(heads[k]) and not any(map(words.measures_in, others)):
        return True
    parts = {part.lower() for part in (first, *rest) if not SUMMED.fullmatch(part)}
    # the average over languages, language_aggregate, shares its word with other sums alone
    shared = (parts, {first.lower(), rest[-1].lower()})
    return any(not own.isdisjoint(CUT.split(name)) for own in shared for name in others)


ONE_RUN = pattern("boards.one_run")  # headings of what tells the runs of one system apart
OF_RUNS = "Load the scores of every segment in each run: a test of so few numbers shows nothing."


def refuse_each_run(table: Table) -> None:
    """Raise Unclear for a row for each seed, fold, checkpoint or value of a setting, with known measures and nothing else: each is a
    mean over all questions."""
    apart = table.headed(ONE_RUN.fullmatch)
    rest = [k for k in range(len(table.headings)) if k not in apart]
    if not apart or table.where(*OF_SEGMENTS) or not all(map(table.numeric, (*apart, *rest))):
        return
    measured = all(words.has_measure(name) and not words.is_spread(name) for name in table.named(rest))
    if measured and table.differ(apart) and any("." in cell for k in rest for cell in table.column(k)):
        named = listed(table.named(apart))
        message = f"Each row is a whole run, by its {named}: a mean over all questions, and no score of a segment."
        raise Unclear(table, message, evident.claims(table, "of a whole run"), fix=OF_RUNS)


OF_WHOLE = "If each score is a mean over questions, load the score of each question."


LIMIT = re.compile(r"(.+?)[-_ ](?:ci[-_ ]?)?(lo|hi|low|high|lower|upper)(?:[-_ ](?:ci|bound|limit))?", re.IGNORECASE)


def _of_means(headings: Sequence[str]) -> set[str]:
    """The headings of both ends of an interval, and of what it is of: a question has none."""
    ends = {name.lower(): match for name in headings if (match := LIMIT.fullmatch(name))}
    whole = {of for of, n in Counter(match[1].lower() for match in ends.values()).items() if n > 1}
    return whole | {name for name, match in ends.items() if match[1].lower() in whole}


def tasks_of(table: Table) -> list[int]:
    """The columns of numbers that sum up no others."""
    return [k for k in range(len(table.headings)) if has_values(table.column(k)) and not is_board_sum(table, k)]


RAW = re.compile(r"[-_ ./]*\b(?:raw|unnormali[sz]ed)\b[-_ ./]*", re.IGNORECASE)


def without_twins(table: Table, asked: Sequence[int]) -> list[int]:
    """These columns without those whose heading only adds raw to another one's: IFEval Raw beside IFEval has the same results."""
    heads = {words.bare(table.headings[k]).lower(): k for k in asked}
    twins = {k: heads.get(RAW.sub("", words.bare(table.headings[k])).lower(), k) for k in asked}
    return [k for k, twin in twins.items() if twin == k or not _says_the_same(table, k, twin)]


def _says_the_same(table: Table, one: int, other: int) -> bool:
    """Whether two columns of numbers are on two scales, or put the rows in the same order."""
    cells = [numbers.numbers_in(table.column(k)) for k in (one, other)]
    ranks = [sorted(range(len(own)), key=own.__getitem__) for own in cells]
    return on_two_scales(table, [one, other]) or ranks[0] == ranks[1]


def on_two_scales(table: Table, asked: Sequence[int]) -> bool:
    """Whether some columns have fractions from 0 to 1, and others larger numbers: a mean of both says nothing."""
    found = {k: numbers.scale(table.column(k)) for k in asked if table.numeric(k)}
    shares = [k for k, scale in found.items() if len(scale) and scale.fractions and scale.largest <= 1]
    return bool(shares) and any(len(scale) and scale.usual > LARGE for scale in found.values())


LARGE = 2  # a usual score above it is no share


def named_measures(heading: str) -> list[str]:
    """The measures in a heading, as it writes them."""
    return [part for part in CUT.split(heading) if part.lower() in words.measures_in(heading)]


def measures_of(table: Table, asked: Sequence[int]) -> dict[int, str]:
    """The measure that the heading of each of these columns names, as it is written, of several the one in most other headings:
    DROP_f1 beside RACE_f1; "" where none is named."""
    found = {k: named_measures(table.headings[k].strip()) for k in asked}
    often = Counter(name.lower() for own in found.values() for name in {*own})
    return {k: max(own, key=lambda name: often[name.lower()], default="") for k, own in found.items()}


def of_boards(table: Table, asked: Sequence[int]) -> list[Way]:
    """How to say which measure is meant, where each of several tasks has the same ones (SADA WER, SADA CER); [] for others."""
    tasks: dict[str, set[tuple[str, ...]]] = {}
    for k, name in measures_of(table, asked).items():
        rest = tuple(part for part in CUT.split(table.headings[k].strip()) if part != name)
        tasks.setdefault(name, set()).add(rest)
    # BLEU.score, BLEU.p_value: what is said of one result
    said_of = any(
        words.is_plain(" ".join(rest)) or words.is_field(" ".join(rest)) for own in tasks.values() for rest in own
    )
    if said_of or "" in tasks or len(tasks) < 2 or len({*map(frozenset, tasks.values())}) > 1:
        return []
    said = ((name, shlex.quote(f"{name}=measure")) for name in tasks)
    return [(f"each row is a system, and {name} of each task counts", f"rows=system {role}") for name, role in said]


def as_questions(table: Table) -> list[Way]:
    """The reading in which each column counts as one question of the systems in the rows: recordings, or tasks with one measure."""
    tasks = [table.headings[k] for k in tasks_of(table) if table.meanings[k] is None]
    asked = [name for name in tasks if not words.is_field(name)]
    several = 4 * sum(map(words.has_measure, asked)) >= len(asked)
    two = on_two_scales(table, without_twins(table, list(map(table.headings.index, asked))))
    if len(asked) < FEWEST_TASKS or several or two or table.where("rated", "score"):
        return []
    what = "each row is a system, and each column of numbers counts as one question (NAME=ignored for sums)"
    return [(what, "rows=system")]


def has_values(cells: Sequence[str]) -> bool:
    """Whether cells are mostly numbers, percentages, or words for right and wrong, perhaps beside another word or two."""
    percent = any(map(numbers.is_percent, cells)) and all(
        numbers.is_percent(one) or numbers.is_missing(one) for one in cells
    )
    return percent or numbers.mostly_numbers(cells) or _are_outcomes(cells)


def _are_outcomes(cells: Sequence[str]) -> bool:
    """Whether most cells are words for right and wrong, and the others few words: no-response."""
    own = Counter(map(numbers.word, cells))
    known = sum(n for word, n in own.items() if word in numbers.OUTCOMES)
    return bool(numbers.truths(cells, numbers.OUTCOMES)) or (len(own) <= MOST_OUTCOMES and 2 * known > len(cells))


def of_tasks(table: Table, named: Sequence[int]) -> list[Way]:
    """The reading in which each row, of another task, counts as one question, where one column says score; [] for others."""
    tasks = [k for k in named if table.meanings[k] == "task" or PARTS.fullmatch(table.headings[k].strip())]
    scores = [k for k in table.where("score") if table.numeric(k)]
    if not tasks or len(scores) != 1 or len(table.rows) < FEWEST_TASKS:
        return []
    task, score = table.named([tasks[0], scores[0]])
    return [(f"each {task} counts as one question", shlex.join([f"{task}=question", f"{score}=score"]))]


def parts_of(table: Table, named: Sequence[int]) -> list[int]:
    """The columns among these whose heading says test sets, or groups of questions where no heading is a measure of one system."""
    measured = any(words.is_measure(name) and not evident.DIFFERENCE.search(name) for name in table.headings)
    return table.headed(lambda name: PARTS.fullmatch(name) or (not measured and GROUPS.fullmatch(name)), named)


def ask_tasks(table: Table, task: int) -> None:
    """Raise Unclear if each row is a run of a system on a task, with its outcome. Each task may then count as one question."""
    system, run = (next(filter(table.repeats, table.where(means)), None) for means in ("system", "run"))
    scores = [k for k in range(len(table.headings)) if _is_outcome(table, k)]
    if system is None or run is None or not scores or {*table.where(*OF_SEGMENTS)} - {system, task}:
        return
    if len(table.column(task).counts) < numbers.FEWEST or not table.differ([system, task, run]):
        return
    what, asked, again = table.named([system, task, run])
    fixed: dict[int, Part] = {system: "system", task: "question", run: "run", **dict.fromkeys(scores, "score")}
    claims = evident.claims(table, "each row is one run", fixed)
    roles = [f"{what}=system", f"{asked}=question", f"{again}=run", *(f"{one}=score" for one in table.named(scores))]
    message = f"Each row is one {again} of a {what} on a {asked}, and no scores of segments."
    raise Unclear(table, message, claims, [(f"each {asked} counts as one question", shlex.join(roles))])


def on_sets(table: Table) -> list[Way]:
    """The reading of an export of runs in which each data set counts as one question, tried with several seeds; [] for others."""
    measured = list(filter(table.numeric, table.headed(_is_of_answers)))
    heads = (names.says_system, PARTS.fullmatch, SEED.search)
    tried = itertools.product(*(filter(table.repeats, table.headed(head)) for head in heads))
    pairs = [one for one in tried if len(table.column(one[1]).counts) >= numbers.FEWEST and table.differ(one)]
    if not pairs or not measured:
        return []
    system, part, seed = table.named(pairs[0])
    roles = [f"{system}=system", f"{part}=question", f"{seed}=run", *(f"{one}=score" for one in table.named(measured))]
    return [(f"each {part} counts as one question, and {seed} names its runs", shlex.join(roles))]


def _is_of_answers(heading: str) -> bool:
    """Whether a heading names a measure, and not what an answer cost."""
    return words.has_measure(heading) and not words.is_field(heading)


SEED = re.compile(r"(?:^|[._ -])seed$", re.IGNORECASE)  # env.task_seed


def _is_outcome(table: Table, k: int) -> bool:
    """Whether a column holds right or wrong, or a score, of what was done in a run."""
    heading = table.headings[k]
    return outcomes.names_scores(heading) and outcomes.is_numeric(table, k) and not words.is_field(heading)


P_VALUE = re.compile(
    r"(?:adj(?:usted)?[-_ ])?p[-_. ]?(?:val(?:ue)?s?|raw|adj(?:usted)?|holm|bonf\w*|corr\w*|fdr|bh)(?:[-_ ]\w+)?",
    re.IGNORECASE,
)


VERDICT = re.compile(r"(?:is[-_ ])?sig(?:nificant|nif|nificance)?(?:[-_ ]\w+)?", re.IGNORECASE)
DELTA = re.compile(r"(?:mean[-_ ])?(?:delta|diff|difference|gain|effect)(?:[-_ ]\w+)*", re.IGNORECASE)


def refuse_tests(table: Table) -> None:
    """Raise Unclear for a table of finished tests: each row has a p-value; and ReadError for one of counts."""
    _refuse_counts(table)
    found = [k for k in table.headed(P_VALUE.fullmatch) if table.numeric(k)]
    found = found or (table.headed(VERDICT.fullmatch) if table.headed(DELTA.fullmatch) else [])
    if found and not table.where("text", "reference", "segment", "perhaps segment"):
        message = f"Each row is a finished test with its result ({table.headings[found[0]]}), and no question."
        claims = evident.claims(table, "of a finished test")
        raise Unclear(table, message, claims, fix="Load the outputs, or the scores of every segment: tests need them.")


STATISTIC = re.compile(
    r"mean|avg|average|std|stdev|stderr|sd|se|min|max|median|lower|upper|low|high|ci\d*", re.IGNORECASE
)


def of_rivals(table: Table, named: Sequence[int]) -> list[Way]:
    """How to say that each row is a question, where several columns are systems by their headings, with one measure (f1_A, f1_B)."""
    rivals = {measure: own for measure, own in table.systems_by_measure.items() if measure and len(own) > 1}
    if len(rivals) != 1 or any(map(STATISTIC.fullmatch, *rivals.values())):
        return []
    (measure,) = rivals
    own = table.headed(lambda name: words.cut(name)[1] == measure and not words.is_spread(name))
    rest = [k for k in range(len(table.headings)) if k not in (*own, *named)]
    systems = table.named(own)
    roles = [f"{name}=question" for name in table.named(named)] + [f"{name}=system" for name in systems]
    said = shlex.join(roles + [f"{name}=ignored" for name in table.named(rest)])
    return [(f"each row is one question, and {listed(systems)} are the systems", said)] if len(own) > 1 else []


FEWEST_NAMED, NAMED, MOST_ROWS = 3, 0.6, 200  # measures, their share of the names, and rows
OF_MEASURES = re.compile(
    r"\W*|(?:eval(?:uation)?[-_ ])?(?:metric|measure|scorer|score)s?(?:[-_ ](?:name|type))?", re.IGNORECASE
)


def refuse_measures(table: Table, asked: Sequence[str]) -> None:
    """Raise ReadError where each row is a measure, beside numbers of several systems: these are of whole systems. `asked` are
    the columns that name the questions together, as somebody says; else a column without a heading, or called metric, is looked at."""
    open_ = table.headed(OF_MEASURES.fullmatch) if len(table.rows) <= MOST_ROWS else []
    ids = table.where("segment", "perhaps segment", "document")
    for k in open_ if not ids and {*asked} <= {*table.named(open_)} else ():
        own = table.column(k).counts
        named = [cell for cell in own if words.is_measure(cell)]
        alone = len(table.rows) <= 2 * len(own) and any(i != k and table.numeric(i) for i in range(len(table.headings)))
        if alone and len(named) >= max(FEWEST_NAMED, NAMED * len(own)) and not all(cell[-1:].isdigit() for cell in own):
            message = f"It has one row per measure ({listed(named)}): scores of whole systems, not of segments."
            raise ReadError(message, table.file, 1, "Load the scores of every segment: tests need them.")


COUNTS = re.compile(r"counts?|n|freq(?:uency)?|number|cases|support", re.IGNORECASE)
OF_MANY = re.compile(
    r"(?:n|num|number[-_ ]of|no\.?[-_ ]of)[-_ ](?:questions|queries|items|examples|instances|prompts|cases|tasks)",
    re.IGNORECASE,
)


def _refuse_counts(table: Table) -> None:
    """Raise ReadError where each row says how often several words come together."""
    counted = [k for k in table.headed(COUNTS.fullmatch) if table.numeric(k)]
    rest = [k for k in range(len(table.headings)) if k not in counted]
    if len(counted) != 1 or numbers.scale(table.column(counted[0])).fractions or not _are_crossed(table, rest):
        return
    message = f"Each row counts how often {listed(table.named(rest))} come together: {table.headings[counted[0]]} is no score."
    raise ReadError(message, table.file, 1, "Load the rows that were counted, one for each segment.")


def _are_crossed(table: Table, columns: Sequence[int]) -> bool:
    """Whether two columns hold the same few words, and each combination of all of them stands once."""
    if any(map(table.numeric, columns)) or not all(map(table.repeats, columns)) or not table.differ(columns):
        return False
    return any(outcomes.are_answers(table, [one], [other]) for one, other in itertools.combinations(columns, 2))


# What is counted, and its opposite.
GOOD = re.compile(r"(?:num[-_ ]|n[-_ ])?(?:correct|right|passed|solved|success(?:es)?|wins?)", re.IGNORECASE)
BAD = re.compile(r"(?:num[-_ ]|n[-_ ])?(?:incorrect|wrong|failed|fail(?:ure)?s?|unsolved|loss(?:es)?)", re.IGNORECASE)


def _refuse_totals(table: Table) -> None:
    """Raise ReadError where each row counts right and wrong answers, always as many, and no column names a question."""
    pair = [*table.headed(GOOD.fullmatch)[:1], *table.headed(BAD.fullmatch)[:1]]
    if (
        len(pair) < 2
        or len(table.rows) < 2
        or table.where("segment", "perhaps segment", "document", "text", "reference")
    ):
        return
    cells = list(zip(*map(table.column, pair), strict=True))
    if not all(str(cell).strip().isdigit() for row in cells for cell in row):
        return
    sums = {sum(map(int, row)) for row in cells}
    if len(sums) == 1 and max(sums) > 1:
        named = " and ".join(table.named(pair))
        what = f"Each row counts {max(sums)} answers ({named}). Which question was right is not in the file."
        fix = "Load each answer, right or wrong, with its question: tests need them."
        raise Settled(what, table.file, 1, fix)


def refuse_many(table: Table) -> None:
    """Raise ReadError where a column says of how many questions the numbers of each row are the mean, or where right and wrong
    answers are counted."""
    _refuse_totals(table)
    numeric = list(filter(table.numeric, range(len(table.headings))))
    many = table.headed(OF_MANY.fullmatch, numeric)
    fractions = any(numbers.scale(table.column(k)).fractions for k in numeric if k not in many)
    for k in many if fractions else ():
        if min(numbers.scale(table.column(k)).values, default=0) > 1:
            message = f"Each row is of several questions ({table.headings[k]}), so its scores are means."
            fix = "Load the scores of every question: tests need them. If each row is a question all the same, say what its columns are."
            raise Settled(message, table.file, 1, fix)
