"""Tables in wide form (a column per system, reference or score) to one stream per column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sigcore.errors import ReadError, SigError
from sigcore.formatting import count, listed
from sigcore.readers import lines, names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import long, numbers
from sigcore.readers.tables.table import Table

# Text below these headings is not an output where other columns hold scores, or where it is a few short names.
NOT_OUTPUTS = ("judge", "rating type")
AS_SCORES = "The columns of numbers were read as scores, one system each; "
LONGEST_JUDGE = 40
NEEDED = "ratings by people need a column of systems, one of segments and one of scores."


def read_bare(file: str, rows: Sequence[Sequence[str]], places: Sequence[int], result: Found) -> Found:
    """The columns of a table without a header, numbered if there are several, added to `result`."""
    stem, width = names.display_name(file), len(rows[0])
    if width > 1:
        result.notices.append(
            Notice(
                file,
                "No header row was recognised, so its columns are numbered. (A header contains reference, source or "
                "segment.)",
            )
        )
    headings = [f"{stem} column {k + 1}" if width > 1 else stem for k in range(width)]
    return read_columns(Table(file, headings, rows, places, role=names.guess_role(file)), result)


def read_columns(table: Table, result: Found) -> Found:
    """An item per column that does not name the segments, added to `result`; a bad column goes to its problems.

    Raises: ReadError if all columns name segments.
    """
    measures = [k for k in table.where("measure")[:1] if not numbers.mostly_numbers(table.column(k))]
    if measures and not table.role:
        return long.by_measure(table, measures[0], result, read_columns)
    table = _in_order(table, result)
    called = _keys(table)
    for k, means in enumerate(table.meanings):
        try:
            if means != "segment":
                result.items.append(replace(_item(table, k, result), keys=called))
        except SigError as problem:
            result.problems.append(problem)
    if not result.items and not result.problems:
        message = f"{table.file} contains nothing except the numbers of segments."
        raise ReadError(message, table.file, table.places[0], "Add a column with texts or scores.")
    _set_aside(table, result)
    result.items = _without_prompts(table, result)
    result.items = long.paired(_of_one_system(table, _with_sparse(table, result.items)))
    _notice_empty(table.file, result)
    result.notices += _notice_unused(table, called)
    return result


def _keys(table: Table) -> tuple[str, ...]:
    """The names of the segments from the columns of ids; () if two segments would have the same name."""
    ids, documents = table.where("segment"), table.where("document")
    choices = [[k] for k in ids] + [[k, *documents[:1]] for k in ids]
    called = (tuple(" of ".join(row[k].strip() for k in chosen) for row in table.rows) for chosen in choices)
    return next((keys for keys in called if len(set(keys)) == len(keys) and all(keys)), ())


def _notice_unused(table: Table, called: Sequence[str]) -> Iterator[Notice]:
    """A notice if there are ids that are not used, because a segment has none, or that of another."""
    for k in table.where("segment")[:1] if not called else ():
        cells, seen = [cell.strip() for cell in table.column(k)], set[str]()
        for i, cell in enumerate(cells if any(cells) else ()):
            if not cell or cell in seen:
                why = f"row {i + 1} has {f'{cell[:40]} a second time' if cell else 'no id'}"
                message = f"Column {table.headings[k]}: {why}, so its ids are not used: segments are matched by place."
                yield Notice(table.file, message, table.places[i])
                break
            seen.add(cell)


def _item(table: Table, k: int, result: Found) -> Item:
    """The stream of a column; decimal commas read as points are noted."""
    file, heading, cells = table.file, table.headings[k], table.column(k)
    role = table.role or words.role(heading)
    if role not in ("reference", "system"):
        return Item(heading, role, "text", cells, file, _note("text", cells))
    pointed = numbers.with_points(file, cells, heading, table.places)
    if pointed:
        result.notices.append(Notice(file, f"Column {heading}: its decimal commas were read as points."))
    truths = () if pointed or _has_labels(table) else numbers.truths(cells)
    if truths:
        result.notices.append(Notice(file, f"Column {heading}: true and false were read as 1 and 0."))
    if not (pointed or truths) and not numbers.are_scores(file, cells, heading, table.places):
        return Item(heading, role, "text", cells, file, _note("text", cells))
    return Item(
        heading, role, "scores", pointed or truths or cells, file, _note("scores", cells), measure=_measure(table)
    )


def _has_labels(table: Table) -> bool:
    """Whether a reference holds true and false: then these are labels to compare, not scores."""
    return any(
        words.role(name) == "reference" and numbers.truths(table.column(k)) for k, name in enumerate(table.headings)
    )


def _note(kind: str, cells: Sequence[str]) -> str:
    return f"a column of a table, {kind}, {count(len(cells), 'segment')}"


def _measure(table: Table) -> str:
    return "" if table.role else names.measure_of(table.file)


def _notice_empty(file: str, result: Found) -> None:
    """Add notices about columns with empty cells."""
    for item in (item for item in result.items if item.role != "ignored" and any(item.segments)):
        column = f"Column {item.name}: " if len(result.items) > 1 else ""
        result.notices += lines.empty_notice(file, item.segments, column)


def _is_score(item: Item) -> bool:
    return item.kind == "scores" and item.role == "system"


def _is_output(item: Item) -> bool:
    return item.kind == "text" and item.role == "system"


def _set_aside(table: Table, result: Found) -> None:
    """Beside scores, text that a heading calls a comment or a judge is ignored, with a notice; so are names of judges
    beside text."""
    scored = any(map(_is_score, result.items))
    texts = list(filter(_is_output, result.items))
    remarks = [item.name for item in texts if scored and words.is_remark(item.name)]
    others = [] if table.role else [item.name for item in texts if _names_people(item, scored)]
    if remarks:
        message = f"Judging by their headings they contain remarks, not outputs; not used: {listed(remarks)}."
        result.notices.append(Notice(table.file, message))
    if others:
        why = AS_SCORES + NEEDED if scored else f"It holds no outputs; {NEEDED}"
        result.notices.append(Notice(table.file, f"Not used: {listed(others)}. {why}"))
    result.items = [_ignored(item) if item.name in (*remarks, *others) else item for item in result.items]


def _without_prompts(table: Table, result: Found) -> list[Item]:
    """The items; a question or a prompt beside outputs or scores is ignored, with a notice: it is what they answer."""
    prompts = [item.name for item in result.items if _is_output(item) and words.meaning(item.name) == "perhaps segment"]
    systems = [item for item in result.items if item.role == "system" and item.name not in prompts]
    if table.role or not prompts or not systems:
        return result.items
    result.notices.append(Notice(table.file, f"Not used: {listed(prompts)}. By the heading it is not an output."))
    return [_ignored(item) if item.name in prompts else item for item in result.items]


def _names_people(item: Item, scored: bool) -> bool:
    """Whether a column of text with a heading for judges or types holds those, and not outputs."""
    return words.meaning(item.name) in NOT_OUTPUTS and (scored or _are_few_names(item.segments))


def _are_few_names(cells: Sequence[str]) -> bool:
    """Whether the cells are short and repeat, as the names of judges do."""
    return 2 * len(set(cells)) <= len(cells) and all(len(cell) <= LONGEST_JUDGE for cell in cells)


def _ignored(item: Item) -> Item:
    return replace(item, role="ignored") if _is_output(item) else item


def _with_sparse(table: Table, items: list[Item]) -> list[Item]:
    """The items; next to scores, an otherwise empty column with a few numbers is also scores: a person who wrote for
    fewer than half of the documents."""
    if not any(map(_is_score, items)):
        return items

    def is_sparse(item: Item) -> bool:
        present = [cell for cell in item.segments if not numbers.is_missing(cell)]
        return (item.role, item.kind) == ("system", "text") and bool(present) and all(map(numbers.is_number, present))

    return [
        replace(item, kind="scores", note=_note("scores", item.segments), measure=_measure(table))
        if is_sparse(item)
        else item
        for item in items
    ]


def _of_one_system(table: Table, items: list[Item]) -> list[Item]:
    """The items; if the table is about one system, its columns are named after the file, and scores after their
    measure."""
    if table.role or not _has_one_system([item for item in items if item.role == "system"]):
        return items
    return list(_named_after_file(table.file, items))


def _has_one_system(items: Sequence[Item]) -> bool:
    """Whether there is one output with its scores (src, mt, ref, COMET), or only scores of usual measures."""
    texts = [item for item in items if item.kind == "text"]
    scores = [item for item in items if item.kind == "scores"]
    if texts:
        return len(texts) == 1 and words.meaning(texts[0].name) == "text"
    return bool(scores) and all(words.is_measure(item.name) for item in scores)


def _named_after_file(file: str, items: Sequence[Item]) -> Iterator[Item]:
    measure, name = names.measure_in_name(file)
    for item in items:
        if item.role != "system":
            yield item
        elif item.kind == "text":
            yield replace(item, name=name, measure="")
        else:
            yield replace(item, name=name, measure=measure if measure and words.is_value(item.name) else item.name)


def _in_order(table: Table, result: Found) -> Table:
    """The table; if its ids are distinct whole numbers that are not in order, with its rows sorted by them, and a notice."""
    for k in table.where("segment"):
        column = table.column(k)
        if not all(cell.isascii() and cell.isdigit() and len(cell) < 19 for cell in column):
            continue
        ids = [int(cell) for cell in column]
        order = sorted(range(len(ids)), key=lambda i: ids[i])
        if len(set(ids)) == len(ids) and order != list(range(len(ids))):
            result.notices.append(Notice(table.file, f"Its rows were sorted by {table.headings[k]}."))
            return replace(table, rows=[table.rows[i] for i in order], places=[table.places[i] for i in order])
    return table
