"""Tables in wide form (a column per system, reference or score) to one stream per column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sigcore.errors import ReadError, SigError
from sigcore.formatting import listed
from sigcore.readers import lines, names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers
from sigcore.readers.tables.table import Table

# Text below these headings is not an output where other columns hold scores, or where it is a few short names.
NOT_OUTPUTS = ("judge", "rating type")
AS_SCORES = "The columns of numbers were read as scores, one system each; "
LONGEST_JUDGE = 40
NEEDED = "ratings by people need a column of systems, one of segments and one of scores."


def read_bare(file: str, rows: Sequence[Sequence[str]], places: Sequence[int], found: Found) -> Found:
    """The columns of a table without a header, numbered where there are several, added to `found`."""
    stem, width = names.display_name(file), len(rows[0])
    if width > 1:
        found.notices.append(
            Notice(
                file,
                "No header row was recognised, so its columns are numbered. (A header has reference, source or segment "
                "in it.)",
            )
        )
    headings = [f"{stem} column {k + 1}" if width > 1 else stem for k in range(width)]
    return read_columns(Table(file, headings, rows, places, role=names.guess_role(file)), found)


def read_columns(table: Table, found: Found) -> Found:
    """An item per column that does not name the segments, added to `found`; a bad column goes to its problems.

    Raises: ReadError where all columns name segments.
    """
    called = _keys(table)
    for k, means in enumerate(table.meanings):
        try:
            if means == "segment":
                _check_order(table, k)
            else:
                found.items.append(replace(_item(table, k, found), keys=called))
        except SigError as problem:
            found.problems.append(problem)
    if not found.items and not found.problems:
        message = f"{table.file} holds nothing but the numbers of segments."
        raise ReadError(message, table.file, table.places[0], "Add a column with texts or scores.")
    _set_aside(table, found)
    found.items = _of_one_system(table, _with_sparse(table, found.items))
    _notice_empty(table.file, found)
    return found


def _keys(table: Table) -> tuple[str, ...]:
    """What the columns of ids call the segments; () where two segments would be called the same."""
    ids, documents = table.where("segment"), table.where("document")
    choices = [[k] for k in ids] + [[k, *documents[:1]] for k in ids]
    called = (tuple(" of ".join(row[k].strip() for k in chosen) for row in table.rows) for chosen in choices)
    return next((keys for keys in called if len(set(keys)) == len(keys) and all(keys)), ())


def _item(table: Table, k: int, found: Found) -> Item:
    """The stream of a column; decimal commas read as points give a notice."""
    file, heading, cells = table.file, table.headings[k], table.column(k)
    role = table.role or words.role(heading)
    if role not in ("reference", "system"):
        return Item(heading, role, "text", cells, file, _note("text", cells))
    pointed = numbers.with_points(file, cells, heading, table.places)
    if pointed:
        found.notices.append(Notice(file, f"Column {heading}: its decimal commas were read as points."))
    if not pointed and not numbers.are_scores(file, cells, heading, table.places):
        return Item(heading, role, "text", cells, file, _note("text", cells))
    return Item(heading, role, "scores", pointed or cells, file, _note("scores", cells), measure=_measure(table))


def _note(kind: str, cells: Sequence[str]) -> str:
    return f"a column of a table, {kind}, {len(cells)} segments"


def _measure(table: Table) -> str:
    return "" if table.role else names.measure_of(table.file)


def _notice_empty(file: str, found: Found) -> None:
    """Notices on columns that have empty cells."""
    for item in (item for item in found.items if item.role != "ignored" and any(item.segments)):
        column = f"Column {item.name}: " if len(found.items) > 1 else ""
        found.notices += lines.empty_notice(file, item.segments, column)


def _is_score(item: Item) -> bool:
    return item.kind == "scores" and item.role == "system"


def _is_output(item: Item) -> bool:
    return item.kind == "text" and item.role == "system"


def _set_aside(table: Table, found: Found) -> None:
    """Beside scores, text that a heading calls a comment or a judge is ignored, with a notice; so are names of judges
    beside text."""
    scored = any(map(_is_score, found.items))
    texts = [item for item in found.items if _is_output(item)]
    remarks = [item.name for item in texts if scored and words.is_remark(item.name)]
    headed = [] if table.role else [item for item in texts if words.meaning(item.name) in NOT_OUTPUTS]
    others = [item.name for item in headed if scored or _are_few_names(item.segments)]
    if remarks:
        message = f"By their headings they hold remarks, not outputs; not used: {listed(remarks)}."
        found.notices.append(Notice(table.file, message))
    if others:
        why = AS_SCORES + NEEDED if scored else f"It holds no outputs; {NEEDED}"
        found.notices.append(Notice(table.file, f"Not used: {listed(others)}. {why}"))
    found.items = [_ignored(item) if item.name in (*remarks, *others) else item for item in found.items]


def _are_few_names(cells: Sequence[str]) -> bool:
    """Whether the cells are short and repeat, as the names of judges do."""
    return 2 * len(set(cells)) <= len(cells) and all(len(cell) <= LONGEST_JUDGE for cell in cells)


def _ignored(item: Item) -> Item:
    return replace(item, role="ignored") if _is_output(item) else item


def _with_sparse(table: Table, items: list[Item]) -> list[Item]:
    """The items; beside scores, a column of a few numbers and else nothing is scores too: a person who wrote for fewer
    than half of the documents."""
    if not any(map(_is_score, items)):
        return items

    def is_sparse(item: Item) -> bool:
        there = [cell for cell in item.segments if not numbers.is_missing(cell)]
        return (item.role, item.kind) == ("system", "text") and bool(there) and all(map(numbers.is_number, there))

    return [
        replace(item, kind="scores", note=_note("scores", item.segments), measure=_measure(table))
        if is_sparse(item)
        else item
        for item in items
    ]


def _of_one_system(table: Table, items: list[Item]) -> list[Item]:
    """The items; where the table is of one system, its columns are called after the file, and scores after their
    measure."""
    if table.role or not _has_one_system([item for item in items if item.role == "system"]):
        return items
    return list(_named_after_file(table.file, items))


def _has_one_system(items: Sequence[Item]) -> bool:
    """Whether one output with scores of it (src, mt, ref, COMET), or scores of usual measures only, are there."""
    texts = [item for item in items if item.kind == "text"]
    scores = [item for item in items if item.kind == "scores"]
    if texts:
        return len(texts) == 1 and words.meaning(texts[0].name) == "text"
    return bool(scores) and all(words.is_measure(item.name) for item in scores)


def _named_after_file(file: str, items: Sequence[Item]) -> Iterator[Item]:
    measure, name = names.told_measure(file)
    for item in items:
        if item.role != "system":
            yield item
        elif item.kind == "text":
            yield replace(item, name=name, measure="")
        else:
            yield replace(item, name=name, measure=measure if measure and words.is_value(item.name) else item.name)


def _check_order(table: Table, k: int) -> None:
    """Raise ReadError where the ids are distinct whole numbers, and shuffled: rows count by their place."""
    column = table.column(k)
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 19 for cell in column):
        return
    ids = [int(cell) for cell in column]
    fault = next((i for i in range(1, len(ids)) if ids[i] < ids[i - 1]), None)
    if fault is not None and len(set(ids)) == len(ids):
        heading = table.headings[k]
        message = (
            f"column {heading}, row {fault + 1}: {ids[fault]} follows {ids[fault - 1]}; the rows are not in order."
        )
        fix = f"Sort the rows by {heading}: segments are matched by their place."
        raise ReadError(message, table.file, table.places[fault], fix)
