"""Columns with a role beside questions, systems and scores: runs, tasks, categories, and labels by people."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.judgments import judgments
from sigcore.readers import names
from sigcore.readers.contract import Found, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers
from sigcore.readers.tables.long import are_whole
from sigcore.readers.tables.said import HEADINGS
from sigcore.readers.tables.table import Table

SAMPLE = words.normalised("sample")  # beside another column of questions, it counts the samples of one
LABEL = HEADINGS["label"]


def with_categories(table: Table) -> Table:
    """The table with its categories as subsets of the segments, where no other column names these."""
    places = table.where("category")
    if not places or table.where("domain"):
        return table
    return replace(
        table, headings=[HEADINGS["category"] if k == places[0] else h for k, h in enumerate(table.headings)]
    )


def with_ids(table: Table, said: Container[str]) -> Table:
    """The table with whole numbers below item, question and the like as ids, if all differ and nothing else names the
    segments; `said` are headings whose role somebody named."""
    if table.role or table.where("segment", "system") or len(table.headings) < 2:
        return table
    for k in table.where("perhaps segment"):
        if table.headings[k] not in said and table.differ([k]) and are_whole(table.column(k), digits=18):
            return replace(table, headings=["segment" if i == k else h for i, h in enumerate(table.headings)])
    return table


# Runs: several rows of one question and one system. They belong together: a question is drawn with all its runs.


def with_runs(table: Table, result: Found) -> Table:
    """The table with each run as a segment inside its question, which is a document; as it is without repeated questions."""
    questions = questions_of(table)
    runs = [k for k in _runs(table) if k not in questions]
    system = table.where("system")[:1] if table.basis != "program" else []
    if not runs or not questions or table.differ([*system, *questions]):
        return table
    drop = {runs[0], *questions}
    kept = [k for k in range(len(table.headings)) if k not in drop]
    own = [" of ".join(row[k].strip() for k in reversed(questions)) for row in table.rows]
    each = [
        f"{table.headings[runs[0]]} {row[runs[0]].strip()} of {name}" for row, name in zip(table.rows, own, strict=True)
    ]
    headings, columns = ["segment"], [each]
    if not table.where("document"):
        headings, columns = [*headings, "document"], [*columns, own]
    rows = [[*new, *(row[k] for k in kept)] for new, row in zip(zip(*columns, strict=True), table.rows, strict=True)]
    first = table.headings[runs[0]]
    message = (
        f"{count(len(set(own)), 'question')} with several rows each: {first} names the run, and a question is drawn "
    )
    result.notices.append(Notice(table.file, message + "with all its runs."))
    return replace(table, headings=[*headings, *(table.headings[k] for k in kept)], rows=rows)


def questions_of(table: Table) -> list[int]:
    """The column that names the question: an id, or a word such as question over ids or short texts."""
    ids = table.where("segment") or table.where("perhaps segment")
    ids = [k for k in ids if words.normalised(table.headings[k]) != SAMPLE] or ids
    repeated = [k for k in ids if table.repeats(k)]
    return repeated[:1]


def _runs(table: Table) -> list[int]:
    """The columns that may name the run."""
    samples = [k for k, heading in enumerate(table.headings) if words.normalised(heading) == SAMPLE]
    return table.where("run") or samples


# Tasks: each is a test set of its own.


def by_task(table: Table, column: int, result: Found, read: Callable[[Table, Found], Found]) -> Found:
    """The streams of each task in a column, read by `read` and added to `result`, each in a test set of its own.

    Raises: ReadError for a row that names no task.
    """
    table.refuse_nameless(column, "task")
    parts: dict[str, list[int]] = {}
    for i, row in enumerate(table.rows):
        parts.setdefault(names.clean(row[column]), []).append(i)
    kept = [k for k in range(len(table.headings)) if k != column]
    headings, rows = [table.headings[k] for k in kept], [[row[k] for k in kept] for row in table.rows]
    for task, places in parts.items():
        part = read(replace(table, headings=headings, rows=rows).kept(places), Found())
        part.items = [replace(item, testset=task) for item in part.items]
        part.judgments = [replace(rated, name=task) for rated in part.judgments]
        part.notices = [notice for notice in part.notices if notice not in result.notices]
        part.claims = [claim for claim in part.claims if claim.column not in {one.column for one in result.claims}]
        result.add(part)
    return result


# Labels by people, one for each row of a system and a question.


def labels(table: Table, questions: Sequence[int], result: Found) -> Table:
    """The table without its column of labels, which is added to the ratings by people.

    Raises: ReadError for labels in a table without a column of systems, and for one that is no number.
    """
    places = [k for k, heading in enumerate(table.headings) if heading == LABEL]
    if not places:
        return table
    system = table.where("system")
    if not system or not questions:
        fix = "Give a row per system and question, with a column for each of the two."
        raise ReadError("Labels by people need a row per system and question.", table.file, 1, fix)
    cells = table.column(places[0])
    scores = numbers.truths(cells, wide=True) or cells
    rated = [i for i, cell in enumerate(scores) if not numbers.is_missing(cell)]
    for i in rated:
        if not numbers.is_number(scores[i]):
            message = f"{scores[i][:40]!r} is no label that counts: a number, or true and false."
            raise ReadError(
                message, table.file, table.places[i], "Write a number in every row, or leave the cell empty."
            )
    columns: dict[str, list[str] | list[float]] = {
        "system": [names.clean(table.rows[i][system[0]]) for i in rated],
        "segment": [" of ".join(table.rows[i][k].strip() for k in reversed(questions)) for i in rated],
        "score": [float(scores[i]) for i in rated],
    }
    result.judgments.append(judgments(names.display_name(table.file), columns, absolute=True, file=table.file))
    kept = [k for k in range(len(table.headings)) if k != places[0]]
    return replace(
        table, headings=[table.headings[k] for k in kept], rows=[[row[k] for k in kept] for row in table.rows]
    )
