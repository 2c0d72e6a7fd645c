"""Tables in wide form, a column per system, reference or score, to one stream per column."""

from __future__ import annotations

import itertools
import operator
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sigcore.errors import ReadError, SigError
from sigcore.formatting import count, listed
from sigcore.measures import PLACE, better_of
from sigcore.readers import lines, names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import crossing, doubts, evident, layouts, long, numbers, plan, ranked, said
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.columns import counts
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear

# Text below these headings is not an output where other columns hold scores, or where it is a few short names.
NOT_OUTPUTS = ("judge", "rating type")
AS_SCORES = "The columns of numbers were read as scores, one system each; "
LONGEST_JUDGE = 40
# What systems are given: its own toxicity or length is no result of a system.
INPUT = pattern("wide.input")
LEAST_WIDTH = 2  # an id, and an output
WRITTEN = words.normalised(said.HEADINGS["text"])  # below it even numbers are text, such as predicted labels
NEEDED = "ratings by people need a column of systems, one of segments and one of scores."


def read_bare(file: str, rows: Sequence[Sequence[str]], places: Sequence[int], result: Found) -> Found:
    """The columns of a table without a header, numbered if there are several, added to `result`."""
    stem, width = names.display_name(file), len(rows[0])
    bare = Table(file, numbered(file, width), rows, places, role=names.guess_role(file))
    if width > 1 and _names_rows(bare):
        message = f"Its first column names the segments ({rows[0][0].strip()} ...); it is not an output."
        result.notices.append(Notice(file, message))
        keys = tuple(cell.strip() for cell in bare.column(0))
        rest = bare.without({0})
        one = replace(rest, headings=[stem]) if width == LEAST_WIDTH else rest
        result = read_columns(one, result)
        result.items = [replace(item, keys=keys) for item in result.items]
        return result
    bare = _without_names(bare, result) if bare.role == "reference" else bare
    width = len(bare.headings)
    if width > 1:
        message = "No header row was recognised, so its columns are numbered. (A header contains reference, source or "
        result.notices.append(Notice(file, message + "segment.)"))
    return read_columns(bare if width > 1 else replace(bare, headings=[stem]), result)


def _without_names(table: Table, result: Found) -> Table:
    """The table of references without columns of a few names that come again next to one text, such as that of a database; a notice
    says so."""
    few = [k for k in range(len(table.headings)) if 3 * len(table.column(k).counts) <= len(table.rows)]
    if not few or len(table.headings) - len(few) != 1 or len(table.rows) < LEAST_ROWS:
        return table
    message = (
        f"Not used: {listed(table.named(few))}. A few names come again there, and the other column holds the reference."
    )
    result.notices.append(Notice(table.file, message))
    return table.without({*few})


LEAST_ROWS = 10  # of which a few names can come again


def numbered(file: str, width: int) -> list[str]:
    """The headings of a table that has none."""
    return [f"{names.display_name(file)} column {k + 1}" for k in range(width)]


def by_place(file: str, width: int, said: Sequence[str]) -> list[str]:
    """The headings of a table that has none, where somebody names columns by them or by their places (column 3), which are called
    so in all files then; else []."""
    called, plain = numbered(file, width), [f"column {k + 1}" for k in range(width)]
    if not said or not {*said} <= {*called, *plain}:
        return []
    return plain if {*said} <= {*plain} else called


def without_header(table: Table, said: Sequence[str]) -> Table:
    """The table with the headings of one that has none, where somebody names columns by these; else as it is."""
    called = by_place(table.file, len(table.headings), said)
    if not called:
        return table
    return replace(table, headings=called, rows=[table.headings, *table.rows], places=[1, *table.places])


def _names_rows(table: Table) -> bool:
    """Whether the first column has another whole number in every row, and the others have text."""
    first = table.column(0)
    texts = all(not table.numeric(k) for k in range(1, len(table.headings)))
    return texts and long.are_whole(first, digits=18) and table.differ([0])


def read_columns(table: Table, result: Found) -> Found:
    """An item per column that does not name the segments, added to `result`; a bad column goes to its problems.

    Raises: ReadError if all columns name segments.
    """
    measures = [] if table.role else long.measures_of(table)
    if measures:
        return long.by_measure(table, measures[0], result, read_columns)
    table = _in_order(table, result)
    called, places = _keys(table), list[int]()
    for k, means in enumerate(table.meanings):
        try:
            if means != "segment":
                result.items.append(replace(_item(table, k, result), keys=called))
                places.append(k)
        except SigError as problem:
            result.problems.append(problem)
    if not result.items and not result.problems:
        message = f"{table.file} contains nothing except the numbers of segments."
        raise ReadError(message, table.file, table.places[0], "Add a column with texts or scores.")
    layouts.without_files(table, result)
    _without_counter(table, result)
    _set_aside(table, result)
    result.items = long.paired(_with_sparse(table, _without_inputs(table, _without_prompts(table, result), result)))
    result.items = layouts.labels(table, layouts.of_several_measures(result.items, table), result)
    result.items = layouts.with_input(table, result.items)
    result.items = _beside_measures(table, result)
    plan.wide(table, list(zip(places, result.items, strict=True)), _is_of_one_system(table, result.items), result)
    if _is_of_one_system(table, result.items):
        _ask_names(table, result.items)
    result.items = ranked.as_ranks(table, _of_one_measure(_of_one_system(table, result.items)), result)
    _notice_empty(table.file, result)
    _notice_references(table.file, result)
    result.notices += _notice_unused(table, called)
    return result


def _of_one_measure(items: Sequence[Item]) -> list[Item]:
    """The items; scores below headings that all name one measure (A_wer, B_wer) are scores of it, unless the file names
    another."""
    scores = [item for item in items if _is_score(item)]
    measure = _named_by_all([item.name for item in scores]) if len(scores) >= LEAST_WIDTH else ""
    known = (item.measure for item in scores if item.measure.removesuffix("s") != names.NO_MEASURE)
    if not measure or any(map(words.is_measure, known)):
        return list(items)
    return [replace(item, measure=measure) if _is_score(item) else item for item in items]


def _named_by_all(headings: Sequence[str]) -> str:
    """The measure that all headings name, or words that all begin or end with, and that are better in a known direction."""
    named = {measure for heading in headings for measure in words.measures_in(heading) or ("",)}
    shared = _shared_words(headings) if named == {""} else ""
    known = better_of(shared) is not None and not PLACE.fullmatch(shared)
    return named.pop() if len(named) == 1 and named != {""} else shared if known else ""


def _shared_words(headings: Sequence[str]) -> str:
    """The words with which all headings begin, or end: errors left A, errors left B."""
    parts = [re.split(r"[-_. ]+", heading.strip()) for heading in headings]
    first = [one[0] for one in itertools.takewhile(lambda one: len({*one}) == 1, zip(*parts, strict=False))]
    last = [
        one[0] for one in itertools.takewhile(lambda one: len({*one}) == 1, zip(*map(reversed, parts), strict=False))
    ]
    return " ".join(first or reversed(last)) if len(headings) > 1 else ""


def _keys(table: Table) -> tuple[str, ...]:
    """The names of the segments from the columns of ids; () if two segments would have the same name."""
    named = [k for k in range(len(table.headings)) if crossing.is_id(table, k)]
    ids = table.where("segment") or evident.recordings(table) or (named if len(named) == 1 else [])
    documents = table.where("document")
    ids = ids or _of_one_segment(table, documents[:1])
    choices = [[k] for k in ids] + [[k, *documents[:1]] for k in ids]
    called = (_called(table, chosen) for chosen in choices)
    return next((keys for keys in called if len(set(keys)) == len(keys) and all(keys)), ())


def _of_one_segment(table: Table, documents: Sequence[int]) -> list[int]:
    """Those of the columns of documents that have another one in each row: they name the segments, too."""
    return [k for k in documents if table.differ([k])]


def _called(table: Table, chosen: Sequence[int]) -> tuple[str, ...]:
    """The name of each row by the cells of one column, or of several together."""
    stripped = [tuple(map(str.strip, table.column(k))) for k in chosen]
    return stripped[0] if len(stripped) == 1 else tuple(map(names.of_segment, zip(*stripped, strict=True)))


MOST_BELOW = 3  # rows with means and the like


def _notice_unused(table: Table, called: Sequence[str]) -> Iterator[Notice]:
    """A notice if there are ids that are not used, because a segment has none, or that of another.

    Raises: ReadError where the last rows alone have none: they rather sum up the others.
    """
    for k in table.where("segment")[:1] if not called else ():
        cells, seen = [cell.strip() for cell in table.column(k)], set[str]()
        first = next((i + 1 for i in range(len(cells) - 1, -1, -1) if cells[i]), 0)
        if 0 < len(cells) - first <= MOST_BELOW < first and all(cells[:first]) and len({*cells[:first]}) == first:
            what = f"Only the last {count(len(cells) - first, 'row')} of {len(cells)} have no {table.headings[k]}: do they sum up the others?"
            raise ReadError(what, table.file, table.places[first], "Leave them out, or give each an id.")
        for i, cell in enumerate(cells if any(cells) else ()):
            if not cell or cell in seen:
                why = f"row {i + 1} has {f'{cell[:40]} a second time' if cell else 'no id'}"
                message = f"Column {table.headings[k]}: {why}, so its ids are not used: segments are matched by place."
                yield Notice(table.file, message, table.places[i])
                break
            seen.add(cell)


def _item(table: Table, k: int, result: Found) -> Item:
    """The stream of a column; numbers that were written in another way are noted."""
    file, heading, cells = table.file, table.headings[k], table.column(k)
    role = table.roles[k]
    written = bool(table.texts) or WRITTEN in map(words.normalised, table.headings)
    compared = (role == "reference" and written) or heading in table.texts
    if role not in ("reference", "system") or words.normalised(heading) == WRITTEN or compared:
        return Item(heading, role, "text", cells, file, _note("text", cells))
    known = numbers.TRUTH if table.gold else numbers.OUTCOMES
    found, how = numbers.as_numbers(
        file, cells, heading, table.places, {} if any(numbers.truths(table.column(k)) for k in table.gold) else known
    )
    if found:
        result.notices.append(Notice(file, f"Column {heading}: {how}."))
    elif not numbers.are_scores(file, cells, heading, table.places):
        return Item(heading, role, "text", cells, file, _note("text", cells))
    note, better = _note("scores", cells), numbers.better_of(cells)
    return Item(heading, role, "scores", found or cells, file, note, measure=_measure(table), better=better)


def _note(kind: str, cells: Sequence[str]) -> str:
    return f"a column of a table, {kind}, {count(len(cells), 'segment')}"


def _measure(table: Table) -> str:
    return "" if table.role else table.measured or names.measure_of(table.file)


def _notice_empty(file: str, result: Found) -> None:
    """Add notices about columns with empty cells."""
    for item in (item for item in result.items if item.role != "ignored" and any(item.segments)):
        column = f"Column {item.name}: " if len(result.items) > 1 else ""
        result.notices += lines.empty_notice(file, item.segments, column)


def _notice_references(file: str, result: Found) -> None:
    """Add a notice where several columns with other texts are references."""
    right = [item for item in result.items if item.role == "reference"]
    if len({item.segments for item in right}) > 1:
        message = f"{listed(item.name for item in right)} are references: each output is scored against all of them."
        result.notices.append(Notice(file, f"{message} To use one, give the others the role ignored."))


def _is_score(item: Item) -> bool:
    return item.kind == "scores" and item.role == "system"


def _is_output(item: Item) -> bool:
    return item.kind == "text" and item.role == "system"


def _without_counter(table: Table, result: Found) -> None:
    """Ignore the only column of numbers if it counts the rows, next to what is right or an output; a notice says so."""
    scores = list(filter(_is_score, result.items))
    named = [item for item in scores if words.has_measure(item.name) or words.is_value(item.name) or table.basis]
    counted = [item.name for item in scores if item not in named and doubts.counts_rows(item)]
    if len(scores) == len(counted) == 1 < sum(item.role != "ignored" for item in result.items):
        result.items = [replace(item, role="ignored") if item is scores[0] else item for item in result.items]
        result.notices.append(Notice(table.file, f"Not used: {counted[0]}. It counts the rows."))


def _set_aside(table: Table, result: Found) -> None:
    """Beside scores and other texts, one that a heading calls a comment or a judge is ignored, with a notice; so are names of
    judges beside text."""
    scored = any(map(_is_score, result.items))
    texts = list(filter(_is_output, result.items))
    remarks = _remarks([item.name for item in texts], scored)
    others = [] if table.role else [item.name for item in texts if _names_people(item, scored)]
    if remarks:
        message = f"Judging by their headings they contain remarks, not outputs; not used: {listed(remarks)}."
        result.notices.append(Notice(table.file, message))
    if others:
        why = AS_SCORES + NEEDED if scored else f"It holds no outputs; {NEEDED}"
        result.notices.append(Notice(table.file, f"Not used: {listed(others)}. {why}"))
    result.items = [
        _ignored(item)
        if item.name in (*remarks, *others) or (scored and not any(map(str.strip, counts(item.segments))))
        else item
        for item in result.items
    ]


def _remarks(names: Sequence[str], scored: bool) -> list[str]:
    """The names of remarks beside scores, or beside two other texts, which have each other to be compared with."""
    found = list(filter(words.is_remark, names))
    return found if scored or len(names) - len(found) > 1 else []


def _without_prompts(table: Table, result: Found) -> list[Item]:
    """The items; a question or a prompt beside outputs, scores or what is right is ignored, with a notice: it is what they
    answer."""
    prompts = [item.name for item in result.items if _is_output(item) and words.meaning(item.name) == "perhaps segment"]
    others = [item for item in result.items if item.role in ("system", "reference") and item.name not in prompts]
    if table.role or not prompts or not others:
        return result.items
    result.notices.append(Notice(table.file, f"Not used: {listed(prompts)}. By the heading it is not an output."))
    return [_ignored(item) if item.name in prompts else item for item in result.items]


def _without_inputs(table: Table, items: Sequence[Item], result: Found) -> list[Item]:
    """The items; where several systems have a measure, that of the prompt is a fact about the question: it is ignored, with a
    notice."""
    named = {item.name: _cut(item.name) for item in items if _is_score(item)}
    others = Counter(measure for system, measure in named.values() if measure and not INPUT.fullmatch(system))
    facts = [name for name, (system, measure) in named.items() if INPUT.fullmatch(system) and others[measure] > 1]
    if table.role or not facts:
        return list(items)
    message = f"Not used: {listed(facts)}. By the heading it is a score of what the systems were given."
    result.notices.append(Notice(table.file, message))
    return [replace(item, role="ignored") if item.name in facts else item for item in items]


def _cut(heading: str) -> tuple[str, str]:
    """The parts of a heading before and after its last mark, where the last one is a measure; ("", "") for others."""
    first, _, last = re.sub(r"[.\-_ /]+(?=[^.\-_ /]+$)", " ", heading.strip()).rpartition(" ")
    return (first.strip(), last) if words.is_measure(last) else ("", "")


def _beside_measures(table: Table, result: Found) -> list[Item]:
    """The items; where all scores are known measures of one system, other fields and texts are ignored, with a notice."""
    measures, others = _measures(table, result.items)
    if measures and not table.role and any(joined := crossing.glued(table)):
        if crossing.of_files(table):
            raise plan.unclear(table, joined[0])
        result.notices.append(Notice(table.file, " ".join(joined)))
    if table.role or table.basis or not others or not measures:
        return result.items
    result.notices.append(Notice(table.file, f"Not used beside {listed(measures)}: {listed(others)}."))
    return [replace(item, role="ignored") if item.name in others else item for item in result.items]


def _ask_names(table: Table, items: Sequence[Item]) -> None:
    """Raise Unclear for measures of one system beside two columns of names that come again, which tell all rows apart together
    where no id does: one of them may name systems, and the other one the questions."""
    scores = [item.name for item in items if _is_score(item)]
    pairs = itertools.combinations(_are_named(table, scores), 2) if all(map(words.is_measure, scores)) else ()
    pair = next((table.named(pair) for pair in pairs if table.differ(pair)), None)
    if pair is None:
        return
    claims = evident.claims(table, "beside them")
    said = [f"{name}=score" for name in scores]
    ways = [
        (f"{a} names the systems, and {b} the questions", shlex.join([f"{a}=system", f"{b}=question", *said]))
        for a, b in (pair, pair[::-1])
    ]
    raise Unclear(table, f"{listed(pair)} tell all rows apart together: does one of them name systems?", claims, ways)


def _are_named(table: Table, scores: Sequence[str]) -> list[int]:
    """The columns of unknown names that come again, in a table without ids of which nobody said anything."""
    if table.role or table.basis or doubts.ids_of(table):
        return []
    open_ = [k for k in table.where(None) if not table.numeric(k) and table.headings[k] not in scores]
    own = {k: table.column(k).counts for k in open_}
    return [k for k, one in own.items() if 1 < len(one) <= len(table.rows) / 2 and not crossing.are_splits(one)]


def _measures(table: Table, items: Sequence[Item]) -> tuple[list[str], list[str]]:
    """The measures in a table about one system, and the columns that are neither these nor its output; ([], []) for others:
    with unknown numbers, with steps of a training, or with several outputs. An output and a field of a log show that a
    program wrote about one system; its unknown numbers are then no rivals."""
    scores, texts = ([item.name for item in filter(is_it, items)] for is_it in (_is_score, _is_output))
    fields, outputs = list(filter(words.is_field, scores)), _outputs(items)
    named = words.has_measure if (about_one := doubts.is_log(table)) else words.is_measure
    measures = list(filter(named, [name for name in scores if name not in fields]))
    about_one = (
        about_one
        or len(measures) + len(fields) == len(scores)
        or layouts.says_which_are_right(list(filter(_is_score, items)), items)
    )
    if not about_one or len(outputs) > 1 or any(map(words.is_step, fields)):
        return [], []
    return measures, [name for name in (*scores, *texts) if name not in (*measures, *outputs)]


def _outputs(items: Sequence[Item]) -> list[str]:
    """The outputs by their headings, where there is a text to compare them with, and predicted labels beside the right
    ones."""
    gold = {cell for item in items if item.role == "reference" for cell in item.segments}
    return [item.name for item in items if _is_output(item) and _says_output(item, gold)]


def _says_output(item: Item, gold: set[str]) -> bool:
    """Whether a column of text is an output by its heading, or holds predictions that repeat a few gold labels."""
    if words.meaning(item.name) in doubts.OUTPUTS:
        return True
    few = len(gold) > 0 and 2 * len(gold) <= len(item.segments)
    return few and words.is_prediction(item.name) and gold.issuperset(item.segments)


def _names_people(item: Item, scored: bool) -> bool:
    """Whether a column of text with a heading for judges or types holds those, and not outputs: names of judges are short
    and repeat."""
    cells = item.segments
    few = 2 * len(set(cells)) <= len(cells) and all(len(cell) <= LONGEST_JUDGE for cell in cells)
    return words.meaning(item.name) in NOT_OUTPUTS and (scored or few)


def _ignored(item: Item) -> Item:
    return replace(item, role="ignored") if _is_output(item) else item


def _with_sparse(table: Table, items: list[Item]) -> list[Item]:
    """The items; next to scores, an otherwise empty column with a few numbers is also scores: a person who wrote for
    fewer than half of the documents."""
    if not any(map(_is_score, items)):
        return items

    def is_sparse(item: Item) -> bool:
        if not _is_output(item):
            return False
        present = [cell for cell in set(item.segments) if not numbers.is_missing(cell)]
        return bool(present) and all(map(numbers.is_number, present))

    def as_scores(item: Item) -> Item:
        return replace(item, kind="scores", note=_note("scores", item.segments), measure=_measure(table))

    return [as_scores(item) if is_sparse(item) else item for item in items]


def _of_one_system(table: Table, items: list[Item]) -> list[Item]:
    """The items; if the table is about one system, its columns are named after the file, and scores after their
    measure."""
    if table.role or not _is_of_one_system(table, items):
        return items
    measure, name = names.measure_in_name(table.file)

    def named(item: Item) -> Item:
        if item.role != "system" or item.kind == "text":
            return replace(item, name=name, measure="") if item.role == "system" else item
        return replace(item, name=name, measure=measure if measure and words.is_value(item.name) else item.name)

    return list(map(named, items))


def _is_of_one_system(table: Table, items: Sequence[Item]) -> bool:
    """Whether there is one output with its scores (src, mt, ref, COMET), or only scores of usual measures."""
    items = [item for item in items if item.role == "system"]
    texts = [item for item in items if item.kind == "text"]
    scores = [item for item in items if item.kind == "scores"]
    if _are_of_several(scores):
        return False
    if texts:
        return len(texts) == 1 and doubts.is_its_output(texts[0].name)
    named = words.has_measure if doubts.is_log(table) else words.is_measure
    return bool(scores) and all(named(item.name) or doubts.is_its_output(item.name) for item in scores)


def _are_of_several(scores: Sequence[Item]) -> bool:
    """Whether all headings of scores name a measure, and one of these several systems: A.uas, A.las, B.uas, B.las."""
    if any(words.is_measure(item.name) for item in scores):
        return False
    parts = [words.cut(item.name) for item in scores]
    if any(names.column_role(system) == "reference" for system, _ in parts):
        return False
    systems, measures = {system for system, _ in parts}, {measure for _, measure in parts}
    return "" not in systems and len(systems) > 1 and len(parts) == len(systems) * len(measures)


def _in_order(table: Table, result: Found) -> Table:
    """The table; if its ids are distinct whole numbers that are not in order, with its rows sorted by them, and a notice."""
    for k in table.where("segment"):
        column = table.column(k)
        if not long.are_whole(column, digits=18):
            continue
        ids = list(map(int, column))
        if all(map(operator.lt, ids, ids[1:])):
            continue
        order = sorted(range(len(ids)), key=lambda i: ids[i])
        if len(set(ids)) == len(ids):
            result.notices.append(Notice(table.file, f"Its rows were sorted by {table.headings[k]}."))
            return table.kept(order)
    return table
