"""Columns with a role beside questions, systems and scores: runs, tasks, categories, and labels by people."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.judgments import judgments
from sigcore.readers import names
from sigcore.readers.contract import Found, Notice, Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import agreement, compared, crossing, numbers, plan, splits, sums, unnamed
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.long import are_whole, in_common, named_ids
from sigcore.readers.tables.said import HEADINGS, RUNS, Said, place
from sigcore.readers.tables.table import Table

SAMPLE = words.normalised("sample")  # beside another column of questions, it counts the samples of one
LABEL = HEADINGS["label"]
MOST_MEASURES = 50
SURELY = re.compile(r"(?:gold|true|correct)[-_ ]", re.IGNORECASE)  # `label` alone may be predicted
NUMBERED = re.compile(r"\s*[A-Za-z]+[-_ ]?\d+\s*")
MOST_WORDS = 4  # of the name of a document
PAIRED = 0.75  # of all pairs of a question and a run, at least what each system has where runs are the same for all


def with_categories(table: Table) -> Table:
    """The table with its categories as subsets of the segments, where no other column names these."""
    places = table.where("category")
    if not places or table.where("domain") or (not table.basis and agreement.is_predicted(table, places[0])):
        return table
    return table.renamed({places[0]: HEADINGS["category"]})


PARTS: tuple[words.Meaning, ...] = (
    "aside",
    "domain",
    "category",
    *words.LANGUAGES,
)  # of which each counts its segments


def with_joint_ids(table: Table, result: Found) -> Table:
    """The table with one id for each row, where its ids count the segments of each language or category again."""
    ids = (table.where("segment") or table.where("perhaps segment"))[:1]
    if (
        table.role
        or not ids
        or table.differ(ids)
        or table.where("system", "run", "judge", "document", "measure", "task")
    ):
        return table
    # what differs in every row counts nothing again: a file name, a link
    part = next((k for k in _parts(table, ids[0]) if table.repeats(k) and table.differ([ids[0], k])), None)
    if part is None:
        return table
    splits.ask_prompts(table, ids[0], part)
    sums.refuse(table.file, table.column(ids[0]), table.places)  # a mean below each part has the same name
    both, names = table.joined([part, ids[0]]), listed(table.named([part, ids[0]]))
    result.notices.append(Notice(table.file, f"{names} name the segment together: 1 of each is another one."))
    rows = [[*row, name] for row, name in zip(table.rows, both, strict=True)]
    headings = ["part" if k == ids[0] else heading for k, heading in enumerate(table.headings)]
    return replace(table, headings=[*headings, "segment"], rows=rows).without({ids[0]})


def _parts(table: Table, segment: int) -> list[int]:
    """The columns that may be a part of what names the segment: a picture, about which several things are asked, but no number
    of a turn, which may be more."""
    pictures = [k for k in table.where("perhaps segment") if k != segment and not table.numeric(k)]
    return [*table.where(*PARTS), *pictures]


NAMING = pattern("roles.naming")


def _are_measured(table: Table) -> bool:
    """Whether all numbers of several rows are of measures, or costs beside some."""
    open_ = [name for k, name in enumerate(table.headings) if table.numeric(k) and table.meanings[k] is None]
    known = any(map(words.has_measure, open_)) and all(words.has_measure(one) or words.is_field(one) for one in open_)
    return known and len(table.rows) > 1


def with_system(table: Table, result: Found) -> Table:
    """The table with the system of its file, where a column headed method or the like has one word and all numbers are of measures
    or costs."""
    named = [k for k in table.headed(NAMING.fullmatch) if not table.numeric(k) and len(table.column(k).counts) == 1]
    if table.role or table.basis or table.where("system") or len(named) != 1 or not _are_measured(table):
        return table
    message = f"{table.headings[named[0]]} is {table.rows[0][named[0]]} in every row: it names the system."
    result.notices.append(Notice(table.file, message))
    return table.renamed({named[0]: "system"})


def with_measures(table: Table, result: Found) -> Table:
    """The table with a column of names of measures below that heading, where a column `value` or `score` holds their scores."""
    if table.where("measure", "judge") or not any(map(words.is_plain, table.headings)):
        return table
    for k in range(len(table.headings)):
        times = Counter(table.column(k)) if table.meanings[k] is None else Counter[str]()
        named = set(times)
        # every question has every measure, so each of these comes as often as the others; labels hardly do
        fields = {name for name in named if words.is_field(name)}
        measures = named - fields
        whole = 1 < len(named) <= MOST_MEASURES and len(set(times.values())) == 1 and len(fields) < len(measures)
        if whole and all(map(words.is_measure, measures)):
            kept = [i for i, name in enumerate(table.column(k)) if name not in fields]
            less = f"; not used: {listed(sorted(fields))}, which is no measure" if fields else ""
            message = f"{table.headings[k]} names what each row measures: {listed(sorted(measures))}{less}."
            result.notices.append(Notice(table.file, message))
            return table.kept(kept).renamed({k: "metric"})
    return table


def with_gold(table: Table, result: Found) -> Table:
    """The table with its right labels as reference, where other columns are predictions of them and none is a reference;
    without the texts that were labelled, which are no predictions."""
    right, predictions = table.headed(words.is_label), table.headed(words.is_prediction)
    alone = len(right) == 1 and _is_gold_alone(table, right[0])
    if table.basis or len(right) != 1 or table.gold or not (predictions or alone):
        return table
    texts = _labelled(table, right[0], predictions)
    if table.where("system") and len(predictions) == 1 and not table.numeric(predictions[0]):
        # a model's one prediction is its output; a hypothesis is then what was labelled
        texts = sorted({*texts, *table.where("text")} - {*predictions})
        table = table.renamed({predictions[0]: HEADINGS["text"]})
    if texts:
        message = f"Not used next to labels and predictions: {listed(table.named(texts))}."
        result.notices.append(Notice(table.file, message))
    return table.renamed({right[0]: "reference"}).without(texts)


def _is_gold_alone(table: Table, right: int) -> bool:
    """Whether a table has ids and one column of words, which its heading calls gold."""
    rest = {k for k in range(len(table.headings)) if table.meanings[k] not in ("segment", "perhaps segment")}
    return rest == {right} and not table.numeric(right) and SURELY.match(table.headings[right]) is not None


def _labelled(table: Table, right: int, predictions: Sequence[int]) -> list[int]:
    """The columns of texts, most of them different, next to a few labels: what was labelled."""
    kept = {right, *predictions, *table.where("segment", "perhaps segment", "source", "document", "domain")}
    few = 2 * len(table.column(right).counts)
    others = (k for k in range(len(table.headings)) if k not in kept)
    texts = (k for k in others if not table.numeric(k) and crossing.ID.search(table.headings[k]) is None)
    return [k for k in texts if len(table.column(k).counts) > few]


def with_ids(table: Table, said: Container[str], result: Found) -> Table:
    """The table with whole numbers below item, question and the like as ids, if all differ, or those of each document do,
    and nothing else names the segments; `said` are headings whose role somebody named."""
    if table.role or table.where("segment", "system") or len(table.headings) < 2:
        return table
    parent = _parent(table, said)
    for k in table.headed(words.CONTEXT.fullmatch):
        # xsum_12 below article: no text, but the name of one
        if table.headings[k] not in said and table.differ([k]) and all(map(NUMBERED.fullmatch, table.column(k))):
            return table.renamed({k: "segment"})
    for k in table.where("perhaps segment"):
        if table.headings[k] in said or not are_whole(table.column(k), digits=18):
            continue
        if table.differ([k]):
            return table.renamed({k: "segment"})
        if parent is not None and table.differ([parent, k]):
            message = f"{table.headings[parent]} names the documents, and {table.headings[k]} the questions in each."
            result.notices.append(Notice(table.file, message))
            return table.renamed({k: "segment", parent: "document"})
    return _with_runs_of(table, said)


def _with_runs_of(table: Table, said: Container[str]) -> Table:
    """The table with an id that repeats as that of the questions, where a column of runs tells its rows apart."""
    run = table.where("run")[:1]
    if not _are_numbered(table, run):  # names below run_id may be of systems
        return table
    named = [k for k in table.headed(crossing.ID.search) if table.headings[k] not in said and k not in run]
    found = next((k for k in named if table.repeats(k) and table.differ([k, *run])), None)
    return table if found is None else table.renamed({found: "segment"})


def _are_numbered(table: Table, run: Sequence[int]) -> bool:
    """Whether there is a column of runs, the first of which holds whole numbers."""
    return bool(run) and all(map(str.isdigit, table.column(run[0]).counts))


def _parent(table: Table, said: Container[str]) -> int | None:
    """The column that names the document of each row, or a dialogue and the like with a few words; None without one."""
    named = table.where("document") or table.headed(crossing.PARENT.fullmatch)
    return next((k for k in named if table.headings[k] not in said and _is_short(table, k)), None)


def _is_short(table: Table, k: int) -> bool:
    """Whether a column holds short names that come again, and no texts."""
    return table.repeats(k) and all(cell.strip() and len(cell.split()) <= MOST_WORDS for cell in table.column(k).counts)


# Runs: several rows of one question and one system. They belong together: a question is drawn with all its runs.


OF_RUNS = ("question", "document", "task")  # what is tried again in each run


def numbered(table: Table, what: Said, result: Found) -> tuple[Table, Said]:
    """The table with a column that counts the rows of each system and question, where somebody said that these are its runs,
    and the same with this column; as they are where nobody did. Where systems have more or fewer, none have a run in common."""
    if RUNS not in what.columns:
        return table, what
    rest = tuple(one for one in what.columns if one != RUNS)
    keys, seen, counted = _tried(table, what, rest), Counter[tuple[str, ...]](), list[str]()
    alike = len({*Counter(keys).values()}) == 1
    for key in keys:
        seen[key] += 1
        counted.append(str(seen[key]) if alike else f"{key[0]} {seen[key]}")
    result.notices.append(Notice(table.file, "Rows of one system and question were read as its runs, in their order."))
    return table.beside(["run"], ([[one]] for one in counted)), replace(what, columns=(*rest, ("run", "run")))


def in_columns(table: Table, what: Said, result: Found) -> tuple[Table, Said]:
    """The table with a row for each of several columns of numbers that somebody called runs, or with one column for several that
    name a run together; and the same about it."""
    runs = [place(table, name) for name, part in what.columns if part == "run" and (name, part) != RUNS]
    if len(runs) < 2:
        return table, what
    gone = {table.headings[k] for k in runs}
    kept = tuple(one for one in what.columns if table.headings[place(table, one[0])] not in gone)
    if what.scores or "score" in dict(what.columns).values() or not all(map(table.numeric, runs)):
        return unnamed.joint(table, runs, result), replace(what, columns=(*kept, (unnamed.RUN, "run")))
    columns: tuple[tuple[str, Part], ...] = (*kept, (unnamed.RUN, "run"), (unnamed.SCORE, "score"))
    return unnamed.in_rows(table, runs, result), replace(what, columns=columns)


def _tried(table: Table, what: Said, roles: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """The system and the question of each row, as somebody said, or else by their headings. Raises: ReadError without both."""
    named = [name for name, part in roles if part == "system"]
    named = named if len(named) == 1 or "score" in dict(roles).values() else []  # several are systems themselves
    system = [place(table, name) for name in (what.system, *named) if name]
    asked = [place(table, name) for name in (*what.segment, *(n for n, part in roles if part in OF_RUNS))]
    known = (system or table.where("system")[:1], asked or table.where("segment", "perhaps segment")[:1])
    cells = [*map(table.joined, filter(None, known))]
    if not cells:
        fix = "Say both, with your headings: --columns NAME=system ID=question rows=run."
        raise ReadError("No column is known to name the systems or the questions of its runs.", table.file, 1, fix)
    return list(zip(*cells, strict=True))


def with_runs(table: Table, result: Found) -> Table:
    """The table with each run as a segment inside its question, which is a document; as it is without repeated questions."""
    questions = questions_of(table) or [k for k in table.where("document")[:1] if table.repeats(k)]
    runs = [k for k in _runs(table) if k not in questions]
    system = table.where("system")[:1] if table.basis != "program" else []
    if not runs:
        return _with_samples(table, questions[:1], result)
    if not questions or table.differ([*system, *questions]):
        return table
    shared = _shared(table, system, questions, runs)
    if shared is None:
        return _averaged(table, system[0], questions, runs[0], result)
    rest = table.without({k for k in runs if k != shared and table.meanings[k] == "run"})
    return _inside(rest, *_places(table, rest, questions, shared), result)


WORDS = 3  # of a prompt: less may be the id of a question


def _are_prompts(table: Table, k: int) -> bool:
    """Whether nothing but its prompts names the rows of one system, each of which has several: a few images of each, for example."""
    cells = table.column(k).counts
    named = table.where("segment", "system", "document") or table.meanings[k] != "perhaps segment"
    if named or min(cells.values()) < 2:
        return False
    # rows of a prompt with other right answers are other questions: "where is John?" after another story
    if any(len({*zip(table.column(k), table.column(gold), strict=True)}) > len(cells) for gold in table.gold):
        return False
    # what tells the rows of each prompt apart may name systems
    others = (j for j in range(len(table.headings)) if 1 < len(table.column(j).counts) < len(table.rows) / 2)
    return all(len(cell.split()) >= WORDS for cell in cells) and not any(table.differ([k, j]) for j in others)


def _with_samples(table: Table, prompts: Sequence[int], result: Found) -> Table:
    """The table with the rows of each prompt as its samples, in their order; as it is where it has no prompts."""
    if not prompts or not _are_prompts(table, prompts[0]):
        return table
    seen, counted = Counter[str](), list[str]()
    for cell in table.column(prompts[0]):
        seen[cell] += 1
        counted.append(str(seen[cell]))
    more = table.beside(["sample"], ([[one]] for one in counted))
    return _inside(more, prompts, len(table.headings), result)


def _shared(table: Table, system: Sequence[int], questions: Sequence[int], runs: Sequence[int]) -> int | None:
    """The first column of runs that all systems have in common: a seed, beside ids of runs; None where there is none."""
    found = next((k for k in runs if not (system and _differ(table, system[0], questions, k))), None)
    if found is not None and table.meanings[found] == "judge":
        plan.ask(table, compared.of_criteria(table))
    return found


def _places(table: Table, rest: Table, questions: Sequence[int], run: int) -> tuple[list[int], int]:
    """The columns of questions and of the run in a table without others."""
    return [rest.headings.index(table.headings[k]) for k in questions], rest.headings.index(table.headings[run])


def _inside(table: Table, questions: Sequence[int], run: int, result: Found) -> Table:
    """The table with each run as a segment inside its question."""
    rest, own, first = table.without({run, *questions}), table.joined(questions), table.headings[run]
    each = [f"{first} {one.strip()} of {name}" for one, name in zip(table.column(run), own, strict=True)]
    headings, columns = ["segment"], [each]
    if not rest.where("document"):  # where the documents are the questions, nothing else groups their runs
        headings, columns = [*headings, words.QUESTIONS], [*columns, own]
    rows = [[*new, *row] for new, row in zip(zip(*columns, strict=True), rest.rows, strict=True)]
    message = (
        f"{count(len(set(own)), 'question')} with several rows each: {first} names the run, and a question is drawn "
    )
    result.notices.append(Notice(table.file, message + "with all its runs."))
    return replace(table, headings=[*headings, *rest.headings], rows=rows)


def _differ(table: Table, system: int, questions: Sequence[int], run: int) -> bool:
    """Whether the systems have other runs of a question, as where each output has its own listeners: many pairs of a question
    and a run are missing for a system, or one of them was run more often."""
    runs: dict[str, set[str]] = {}
    for name, one in zip(table.column(system), table.column(run), strict=True):
        runs.setdefault(name, set()).add(one)
    if table.meanings[run] == "run" and 2 * min(map(len, runs.values())) <= len(table.column(run).counts):
        return True
    known = set(zip(*map(table.column, (*questions, run)), strict=True))
    return len(table.rows) < PAIRED * len(known) * len(table.column(system).counts)


def _averaged(table: Table, system: int, questions: Sequence[int], run: int, result: Found) -> Table:
    """The table with one row for each system and question, with the means of its numbers."""
    parts: dict[tuple[str, ...], list[int]] = {}
    for i, key in enumerate(zip(*map(table.column, (system, *questions)), strict=True)):
        parts.setdefault(key, []).append(i)
    first, unlike = _first_with_means(table, {system, *questions}, list(parts.values()))
    sizes = sorted(map(len, parts.values()))
    each = f"{sizes[0]}" if sizes[0] == sizes[-1] else f"{sizes[0]} to {sizes[-1]}"
    message = f"Each system has other runs or raters of a question, so its {each} rows of each question were averaged."
    result.notices.append(Notice(table.file, message))
    return first.without({run, *unlike})


def _first_with_means(table: Table, fixed: set[int], parts: Sequence[Sequence[int]]) -> tuple[Table, set[int]]:
    """The first row of each part with the means of the numbers and outcomes in it, and the columns of which rows of a part say
    other words: these have no mean, and what the first one says is not theirs."""
    values = [numbers.truths(own, numbers.OUTCOMES) or own for own in map(table.column, range(len(table.headings)))]
    open_ = sorted({*range(len(values))} - fixed)
    means = [k for k in open_ if all(map(_is_value, values[k]))]
    whole = {k: [mean_of([values[k][i] for i in rows]) for rows in parts] for k in means}
    first = table.kept([rows[0] for rows in parts])
    columns = [whole.get(k, first.column(k)) for k in range(len(values))]
    unlike = {k for k in open_ if k not in whole and not _are_same(table.column(k), parts)}
    return replace(first, rows=list(zip(*columns, strict=True))), unlike


def _is_value(cell: str) -> bool:
    return numbers.is_number(cell) or numbers.is_missing(cell)


def _are_same(cells: Sequence[str], parts: Iterable[Sequence[int]]) -> bool:
    """Whether all rows of each part have one cell."""
    return all(len({cells[i] for i in rows}) == 1 for rows in parts)


def mean_of(cells: Sequence[str]) -> str:
    """The mean of the numbers among the cells, as it is written; "" without one."""
    values = numbers.numbers_in([cell for cell in cells if not numbers.is_missing(cell)])
    return repr(math.fsum(values) / len(values)) if values else ""


def questions_of(table: Table) -> list[int]:
    """The column that names the question: an id, or a word such as question over ids or short texts."""
    ids = table.where("segment") or table.where("perhaps segment")
    if not ids and table.where("system") and _are_numbered(table, table.where("run")):
        ids = named_ids(table, table.where("system")[:1])  # task_id
    ids = [k for k in ids if words.normalised(table.headings[k]) != SAMPLE] or ids
    repeated = [k for k in ids if table.repeats(k)]
    for system in table.where("system")[:1]:
        repeated = [k for k in repeated if in_common(table, system, k)] or repeated
    return repeated[:1]


def _runs(table: Table) -> list[int]:
    """The columns that may name the run: of a repetition, or of one who judged."""
    samples = [k for k, heading in enumerate(table.headings) if words.normalised(heading) == SAMPLE]
    return table.where("run") or samples or [k for k in table.where("judge") if table.repeats(k)]


# Tasks: each is a test set of its own.


def by_task(table: Table, column: int, result: Found, read: Callable[[Table, Found], Found]) -> Found:
    """The streams of each task in a column, read by `read` and added to `result`, each in a test set of its own.

    Raises: ReadError for a row that names no task.
    """
    whole = table.differ([*table.where("system")[:1], *table.where("segment", "perhaps segment")])
    table.refuse_nameless(column, "task", " If it names no test sets" if whole else "")
    parts: dict[str, list[int]] = {}
    for i, cell in enumerate(table.column(column)):
        parts.setdefault(names.clean(cell), []).append(i)
    rest = table.without({column})
    for task in _without_scores(table, parts):
        result.notices.append(Notice(table.file, f"{task} has no scores: it was left out."))
        del parts[task]
    for task, places in parts.items():
        result.add(of_task(read(rest.kept(places), Found()), task, result))
    return result


def _without_scores(table: Table, parts: Mapping[str, Sequence[int]]) -> list[str]:
    """The tasks with nothing below all headings of measures, where others have something there."""
    measured = [
        k for k in table.headed(words.has_measure) if table.numeric(k) and not words.is_field(table.headings[k])
    ]
    own = [table.column(k) for k in measured]
    empty = [task for task, rows in parts.items() if all(numbers.is_missing(cells[i]) for cells in own for i in rows)]
    return empty if own and len(empty) < len(parts) else []


def of_task(part: Found, task: str, before: Found) -> Found:
    """What was read of one task, in its test set, without what was said already of other tasks."""
    said = {claim.column for claim in before.claims}
    part.items = [replace(item, testset=task) for item in part.items]
    part.judgments = [replace(rated, name=task) for rated in part.judgments]
    part.notices = [notice for notice in part.notices if notice not in before.notices]
    part.claims = [claim for claim in part.claims if claim.column not in said]
    return part


# Labels by people, one for each row of a system and a question.


def labels(table: Table, questions: Sequence[int], result: Found) -> Table:
    """The table without its column of labels, which is added to the ratings by people.

    Raises: ReadError for labels in a table without a column of systems, and for one that is no number.
    """
    if LABEL not in table.headings:
        return table
    place, system = table.headings.index(LABEL), table.where("system")
    if not system or not questions:
        fix = "Give a row per system and question, with a column for each of the two."
        raise ReadError("Labels by people need a row per system and question.", table.file, 1, fix)
    cells = numbers.truths(table.column(place), numbers.ALL_OUTCOMES) or table.column(place)
    rated = table.kept([i for i, cell in enumerate(cells) if not numbers.is_missing(cell)])
    columns: dict[str, list[str] | list[float]] = {
        "system": list(map(names.clean, rated.column(system[0]))),
        "segment": rated.joined(questions),
        "score": _labels(table, cells),
    }
    result.judgments.append(judgments(names.display_name(table.file), columns, absolute=True, file=table.file))
    return table.without({place})


def _labels(table: Table, cells: Sequence[str]) -> list[float]:
    """The labels as numbers, without missing ones.

    Raises: ReadError for one that is no number.
    """
    out = []
    for line, cell in zip(table.places, cells, strict=True):
        if numbers.is_missing(cell):
            continue
        if not numbers.is_number(cell):
            message = f"{cell[:40]!r} is no label that counts: a number, or true and false."
            raise ReadError(message, table.file, line, "Write a number in every row, or leave the cell empty.")
        out.append(float(cell))
    return out
