"""A table of outputs or scores to streams: find its header, then read it as groups, in long form or in wide form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers import names
from sigcore.readers.contract import Claim, Found, Item, Notice, Options, Part
from sigcore.readers.tables import (
    annotation,
    applied,
    boards,
    cells,
    choices,
    compared,
    completed,
    crossing,
    evident,
    gridded,
    grids,
    header,
    judged,
    labels,
    layouts,
    long,
    melted,
    numbered,
    numbers,
    opposed,
    outcomes,
    overlooked,
    plan,
    predicted,
    preferred,
    printed,
    programs,
    ranked,
    raters,
    roles,
    said,
    sides,
    splits,
    summary_rows,
    sums,
    ties,
    totals,
    trec,
    turned,
    versus,
    votes,
    whole,
    wide,
)
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Absent, Unclear, Way

# Names of segments that repeat, which a table with a column per system cannot have.


def _refuse_again(table: Table, meant: said.Said, result: Found) -> None:
    """Raise ReadError for a second row of a segment, with readings in which it is none."""
    try:
        plan.refuse_repeated(table, result)
    except ReadError as problem:
        raise completed.with_readings(table, meant, problem) from None


def _again(table: Table, items: Sequence[Item]) -> Iterator[Notice]:
    """A notice on an id that comes equally often in all rows, more than once, where every row counts as a segment."""
    known = table.role or table.where("segment", "system", "judge", "run", "measure")
    if known or any(item.keys for item in items) or not any(item.kind == "scores" for item in items):
        return
    for k in table.headed(crossing.ID.search):
        heading, own = table.headings[k].strip(), table.column(k)
        other = crossing.OF_ROWS.match(heading) or heading.lower().startswith("doc")
        if not other and len(own.counts) >= numbers.FEWEST and own.times:
            message = f"Each {heading} has {own.times} rows, and each row was counted as a segment of its own."
            fix = "If another column tells them apart, say what it names: --columns NAME=system or NAME=run."
            yield Notice(table.file, f"{message} {fix}")


NOTHING: Mapping[str, bool | int | float | str | None] = {}


def read_rows(
    file: str,
    rows: Sequence[Sequence[str]],
    places: Sequence[int] = (),
    options: Options = NOTHING,
    headed: bool = False,
) -> Found:
    """The items, or the groups, in rows of equal length, the first of which is a header if it looks like one, or is `headed`.

    `places` are the lines at which the rows start (1, 2, 3 ... if it is not given); `options` say what columns hold.
    Raises: ReadError for a table without rows, with too many columns, or in a long form that cannot be read.
    """
    cells.refuse_wide(file, len(rows[0]))
    result, places = Found(), places or range(1, len(rows) + 1)
    rows, places = summary_rows.without_blank_start(rows, places)
    if (unusual := _unusual(file, rows, places, options)) is not None:
        return unusual
    if not said.said(options):
        layouts.refuse(file, rows)
    rows = cells.without_blank(file, rows, result)
    rows, places = summary_rows.without_gap(rows, places)
    rows, places = summary_rows.without_titles(file, rows, places, result)
    rows, beside = header.beside_counts(file, rows, result)
    named = header.called(rows[0])
    if not said.said(options):
        if (known := _of_known(file, rows, places, result)) is not None:
            return _read_below(known, result, options)
        votes.refuse(Table(file, named, rows[1:], places[1:]))
    by_place = wide.by_place(file, len(rows[0]), [*dict(said.said(options).columns)])
    if by_place and not all(map(header.is_known, named)):
        return _read_below(Table(file, by_place, rows, places), result, options)
    if not (said.said(options) or headed or beside or header.is_header(rows, named)):
        return _read_bare(file, rows, places, result)
    result.notices.append(Notice(file, f"Its first line was read as a header: {listed(named)}.", places[0]))
    return _read_below(Table(file, by_place or header.filled(named), rows[1:], places[1:]), result, options)


def _of_known(file: str, rows: Sequence[Sequence[str]], places: Sequence[int], result: Found) -> Table | None:
    """The table of a known program that writes no headings, trec_eval; None for others. Raises: Unclear for estimates of quality."""
    if trec.is_trec(ordered := trec.in_order(rows)):
        return trec.table(file, ordered, places, result)
    overlooked.ask_estimates(file, rows, places)
    overlooked.refuse_models(file, rows)
    return None


def _read_bare(file: str, rows: Sequence[Sequence[str]], places: Sequence[int], result: Found) -> Found:
    """The columns of a table without headings. Raises: Unclear, with the readings that a search finds."""
    try:
        return wide.read_bare(file, rows, places, result)
    except Unclear as problem:
        table = Table(file, [f"column {k + 1}" for k in range(len(rows[0]))], rows, places)
        raise completed.with_readings(table, said.Said(), problem) from None


def _unusual(file: str, rows: Sequence[Sequence[str]], places: Sequence[int], options: Options) -> Found | None:
    """The content of rows that begin below their first, have headings in two lines or those of promptfoo; None for others."""
    if len(rows) > 1 and not any(map(str.strip, rows[0])):
        return read_rows(file, rows[1:], places[1:], options)  # a sheet that begins below its first row
    if (flat := layouts.of_levels(rows)) is not rows:
        return read_rows(file, flat, [places[2], *places[3:]], options)
    if (grouped := _of_levels(file, rows, places, options)) is not None:
        return grouped
    if start := layouts.below_title(rows):
        found = read_rows(file, rows[start:], places[start:], options)
        found.notices.append(Notice(file, f"Its headings are in line {places[start]}, below a title.", places[start]))
        return found
    if not said.said(options) and (known := _of_programs(file, rows, places, options)) is not None:
        return known
    if (n := numbered.counted(rows)) and not said.said(options):
        shown = listed(list(map(str.strip, rows[0][:n])))
        result = read_rows(file, [row[n:] for row in rows], places, options)
        result.notices.append(Notice(file, f"Not used, the columns without names that its first line counts: {shown}."))
        return result
    return None


def _of_programs(file: str, rows: Sequence[Sequence[str]], places: Sequence[int], options: Options) -> Found | None:
    """The scores in a table of promptfoo, or in a summary of OpenCompass; None for others."""
    if (scored := layouts.of_promptfoo(rows)) is not rows:
        failed = sum(cell.lstrip().startswith("[ERROR]") for row in rows[1:] for cell in row)
        measure, message = "Score", "It was recognised as a file of promptfoo (CSV): Score of each provider."
        message += (
            f" {count(failed, 'output')} with [ERROR] count{'s' * (failed == 1)} as they are scored." if failed else ""
        )
    elif (scored := layouts.of_opencompass(rows)) is not rows:
        named = {row[2].strip() for row in rows[1:] if any(cell.strip() != "-" for cell in row[4:])}
        measures = {name for name in named if not sums.WORDS.fullmatch(name)}
        measure = measures.pop() if len(measures) == 1 else "score"
        message = f"It was recognised as a summary of OpenCompass: {measure} of each model, without averages. Each dataset counts as one segment."
    else:
        return None
    head = list(map(names.clean, scored[0]))
    known = "\n".join(["segment=question", *(f"{name}=system" for name in head[1:])])
    found = read_rows(file, [head, *scored[1:]], places[: len(scored)], {**options, "columns": known})
    found.items = [replace(item, measure=measure) for item in found.items]
    found.notices.append(Notice(file, message))
    return found


def _of_levels(file: str, rows: Sequence[Sequence[str]], places: Sequence[int], options: Options) -> Found | None:
    """The content of a sheet with headings in two lines, each measure with its scores; None for another sheet."""
    if (both := printed.of_two(file, rows, places)) is None:
        return None
    result, start = Found(), both.start
    each = "" if "" in both.tables else " above; each measure was read with its scores"
    message = f"Its headings are in two lines, {both.above}{each}."
    result.notices.append(Notice(file, message, places[start]))
    for measure, table in both.tables.items():
        part = read_rows(file, table, [places[start + 1], *places[start + 2 :]], options)
        part.items = [replace(one, measure=measure) if measure and one.kind == "scores" else one for one in part.items]
        part.notices = [notice for notice in part.notices if notice not in result.notices]
        part.claims = [claim for claim in part.claims if claim not in result.claims]
        result.add(part)
    return result


def read_records(table: Table, options: Options = NOTHING) -> Found:
    """The items, or the groups, in a table whose format defines the headings; `options` say what columns hold.

    Raises: ReadError as `read_rows` does.
    """
    result = Found()
    if table.role:
        return wide.read_columns(table, result)
    if not said.said(options):
        votes.refuse(table)
    rows = header.without_counts(table.file, [table.headings, *table.rows], result)
    headings = header.filled([names.clean(cell) for cell in rows[0]])
    return _read_below(replace(table, headings=headings, rows=rows[1:]), result, options)


def _read_below(table: Table, result: Found, options: Options) -> Found:
    """The content of the rows below the header, added to `result`: as the user says, or as the layout of a known program
    does, or else as the headings say."""
    if not table.rows:
        raise ReadError(f"{table.file} has a header but no rows.", table.file, 1, "Load the complete table.")
    table = annotation.platform(summary_rows.each_once(layouts.spread(table), result), result.notices)
    table = ranked.best_worst(gridded.of_search(table, result.notices), result.notices)
    meant, before = said.said(options), len(result.claims)
    table, meant = raters.below(raters.out_of_cells(table, result, meant), meant)
    table = outcomes.in_one_unit(outcomes.without_marks(raters.out_of_heads(table, result), result), result)
    table, meant = _turned(outcomes.answered(outcomes.without_groups(table, result), result), meant, result)
    table, meant = said.with_grid(*roles.in_columns(*roles.numbered(table, meant, result), result))
    table, meant = completed.unjoined(table, meant, result.notices)
    table = summary_rows.without_missing(table, dict(meant.cells), meant.parts, result)
    table = said.with_cells(table if meant else turned.turned(table, dict(meant.cells), result), meant)
    table, meant = judged.said(opposed.apart(table, meant, result), meant, result)
    own, roles_said = table, meant.roles(table)
    _refuse_lists(own, roles_said)
    table, meant = raters.named(*melted.melted(table, meant, result), result)
    program = None if meant else programs.of(table)
    if _read_preferences(table, meant, result, alone=program is None):
        return result
    try:
        if program is None and not meant:
            sides.ask(table)
        _read_as(table, meant, program, result)
    except Absent:
        raise
    except ReadError as problem:
        shown = summary_rows.without(table, Found())
        raise completed.with_readings(shown, meant, _asked(shown, meant, problem, result.claims[before:])) from None
    outcomes.of_attacks(own, [name for name, part in roles_said.items() if part == "system"], result)
    result.items = _directed(evident.spoken(table, result.items, program.spoken if program else None), meant)
    if program is None:
        _finish(table, meant, result)
    known = programs.claims(own, program, result.claims[before:])
    result.claims[before:] = plan.completed(own, roles_said, known)
    return result


def _refuse_lists(table: Table, roles_said: Mapping[str, Part]) -> None:
    """Raise ReadError for a column of lists of systems, by its heading, or as somebody says who also says what holds the scores."""
    said_so = [k for k, name in enumerate(table.headings) if roles_said.get(name) == "system"]
    named = said_so if len(said_so) == 1 and "score" in roles_said.values() else []
    for k in named if roles_said else table.where("system"):
        sums.refuse_lists(table.file, table.column(k), table.places)


def _finish(table: Table, meant: said.Said, result: Found) -> None:
    """Ask about what was read of a table that no known program wrote, where rows, labels or settings may be something else."""
    if not (meant.system or meant.called("system")) and names.guess_role(table.file) == "reference":
        result.items = _as_right(result.items)
    if not meant.scores:
        _refuse_again(table, meant, result)
        _ask_right(table, meant, result)
        _ask_people(table, meant, result)
        _ask_settings(table, meant, result)
        if not meant:
            splits.ask(table, result.claims)
            splits.ask_runs(table, result.claims)
        result.notices += _again(table, result.items)


def _as_right(items: Sequence[Item]) -> list[Item]:
    """The items; the one text, or the one column of numbers that names no measure, of a file that is called gold or the like is what is
    right, whatever its heading."""
    own = [item for item in items if item.role == "system"]
    texts = [item for item in own if item.kind == "text"]
    texts = texts or [item for item in own if not (words.has_measure(item.name) or words.has_measure(item.measure))]
    alone = len(texts) == 1 and not any(item.role == "reference" for item in items)
    return [replace(item, role="reference") if alone and item is texts[0] else item for item in items]


def _turned(table: Table, meant: said.Said, result: Found) -> tuple[Table, said.Said]:
    """The table with a column for each row, where somebody said that rows are systems; and without differences of others, where
    somebody named measures in headings."""
    if meant.rows and "rows" not in map(words.normalised, table.headings):
        ignored, named = meant.called("ignored"), meant.called("system")
        return turned.by_rows(table, result, meant.called("measure"), ignored, named), meant.without_rows()
    gridded.ask_rows(table, meant.called("system"), meant.called("measure"))
    return evident.without_differences(table, result) if meant.called("measure") else table, meant


def _directed(items: Sequence[Item], meant: said.Said) -> list[Item]:
    """The items, whose scores are better in the direction that somebody says."""
    return [replace(item, better=meant.better) if meant.better and item.kind == "scores" else item for item in items]


def _asked(table: Table, meant: said.Said, problem: ReadError, claims: Sequence[Claim]) -> ReadError:
    """The question about a table with the columns of its file, as it has them; another problem as it is."""
    if not isinstance(problem, Unclear):
        return problem
    why = " ".join(filter(None, [problem.why, programs.nearly(table.headings)]))
    known = [*problem.claims, *map(evident.asked, claims)]
    asked = Unclear(table, why, plan.completed(table, meant.roles(table), known), problem.ways, problem.advice)
    asked.settled = problem.settled
    if meant or any("=winner" in command for _, command in problem.ways):
        return asked
    return sides.proposed(table) or evident.marked(table, evident.graded(table, splits.with_tasks(table, asked)))


def _claims(table: Table, result: Found, way: Way) -> list[Claim]:
    """What all columns of a table are taken for in a reading."""
    return completed.claims(plan.completed(table, {}, result.claims), way)


def _ask_right(table: Table, meant: said.Said, result: Found) -> None:
    """Raise Unclear where only texts of systems were read, and a column may hold what is right."""
    texts = [item.kind == "text" for item in result.items if item.role == "system"]
    right = any(item.role == "reference" for item in result.items)
    ways = labels.labelled(table) if len(texts) > 1 and all(texts) and not (right or meant) else []
    if ways:
        known = _claims(table, result, ways[0])
        raise Unclear(table, labels.about_right(known), known, ways)


def _ask_people(table: Table, meant: said.Said, result: Found) -> None:
    """Raise Unclear where the scores of a column are by people, by its heading, and those of others are not: they may be what
    these predict, or the people may compete."""
    names_ = {item.name for item in result.items if item.role == "system" and item.kind == "scores"}
    systems = [k for k, name in enumerate(table.headings) if name in names_ and table.numeric(k)]
    people = labels.of_people(table, systems)
    if meant or not people:
        return
    ways = labels.beside_people(table, people, [k for k in systems if k not in people])
    why = f"Are the numbers of {listed(table.named(people))} by people, who do not compete?"
    raise Unclear(table, why, _claims(table, result, ways[0]), ways)


def _ask_settings(table: Table, meant: said.Said, result: Found) -> None:
    """Raise Unclear where all rows would be of one system, an id comes equally often in them, and a search finds what may name
    several: each row would count as a question of its own."""
    systems = {(item.name, item.testset) for item in result.items if item.role == "system"}
    again = completed.equally_often(table) if len(systems) == 1 and not meant else {}
    ways = completed.crossing_again(table, again) if again else []
    if ways:
        k = next(iter(again))
        why = f"All rows would be of {systems.pop()[0]}, but each {table.headings[k]} has {again[k]}."
        claims = _claims(table, result, ways[0])
        raise Unclear(table, f"{why} What tells them apart?", claims, ways)


def _read_as(table: Table, meant: said.Said, program: programs.Program | None, result: Found) -> None:
    """Add the content of a table that a known program wrote, or that is as the user or the headings say."""
    known = meant.roles(table) if program is None else {*program.needs, *program.segment, *program.texts}
    table = evident.without_kinds_as_source(table, known, result)
    if program is None:
        _read_own(table, meant, result)
        return
    for task, part in programs.by_task(table):
        result.add(_of_program(program, part, task))


def _read_own(table: Table, meant: said.Said, result: Found) -> None:
    """Add the content of a table that no known program wrote."""
    if "question" not in meant.roles(table).values():
        compared.refuse_classes(table)
    if not meant:
        whole.refuse_crossed(table)
        whole.refuse_runs(table)
        choices.refuse_questions(table)
        whole.refuse_board(table)
    one = roles.with_ids(totals.without(summary_rows.without(table, result), result), meant.roles(table), result)
    boards.refuse_measures(one, [name for name, part in meant.roles(one).items() if part == "question"])
    whole.refuse_sums(one)
    compared.refuse_curve(one)
    one = evident.without_same(one, meant.columns, result)
    if meant.only_scores:
        one = grids.named(one, result)  # whose scores these are does not depend on which are named
    one = (
        predicted.with_said(applied.to(one, meant, result), [part for _, part in meant.columns], result)
        if meant
        else roles.with_joint_ids(_plain(roles.with_system(layouts.translations(one, result), result), result), result)
    )
    if not meant and (apart := list(grids.parts(one))):
        for stem, part in apart:
            own = Found()
            result.add(roles.of_task(_read_table(_plain(part, own), own, long_form=False), stem, result))
        return
    one = raters.averaged(one, dict(meant.cells), result)
    whole.refuse(one, bool(meant))
    _read_table(one, result, long_form=bool(meant.system or (meant.scores and one.where("system"))))


def _of_program(program: programs.Program, table: Table, task: str) -> Found:
    """What the table of a known program holds, as the test set `task`, or as the program names it."""
    found = Found()
    read, testset = programs.read_as(program, table, found)
    _read_table(read, found, long_form=not program.texts)
    found.items = [programs.finished(program, item, task or testset) for item in found.items]
    return found


def _plain(table: Table, result: Found) -> Table:
    """The table without the columns that are evidently no systems."""
    if table.role or table.basis:
        return table
    table = evident.without_extremes(evident.without_languages(table, result), result)
    table = evident.without_words(evident.without_differences(table, result), result)
    table = grids.by_reference(table, result)
    table = grids.identified(evident.without_usage(table, result), result)
    table = predicted.compared(grids.paired(table, result), result)
    return table if table.basis else evident.plain(grids.measured(grids.named(table, result), result), result)


def _read_preferences(table: Table, meant: said.Said, result: Found, alone: bool) -> bool:
    """Whether the table has pairwise judgments, which are added to `result`, and (`alone`) nothing else; not where the user
    names other columns."""
    if not meant and ranked.found(table, result, alone):
        return True
    if not meant:
        programs.refuse_other(table.file, table.headings)
        votes.refuse_three(table)
        table = preferred.of_service(preferred.of_key(preferred.of_crowd(table, result), result), result)
        sides.ask_of_pairs(table)
        table = versus.as_pairs(votes.per_annotator(table, result), result)
    table = judged.without_ignored(table, meant)
    if (pairs := judged.of(table, meant)) is not None:
        ids = [said.place(table, name) for name in meant.segment]
        table = ties.with_ties(table, pairs.outcome, result)
        how = preferred.read_said if meant else preferred.read
        how(said.with_words(table, meant, pairs.outcome), pairs, result, ids)
    elif not meant:
        preferred.refuse_published(table)
    return pairs is not None and alone


def _read_table(table: Table, result: Found, long_form: bool) -> Found:
    """The content of a table in the form that it has, or in long form, added to `result`."""
    if sorted(map(str, table.meanings)) in (["group", "system"], ["group", "rating type", "system"]):
        return _read_groups(table, result)
    table = labels.with_right(table, result)
    if table.basis != "program" and not table.role:
        for system in table.where("system")[:1]:
            plan.ask_tried(table, system)
        tasks = [k for k in table.where("task")[:1] if table.repeats(k)]
        if tasks and not whole.are_names(list(table.column(tasks[0]).counts)):
            table, tasks = table.renamed({tasks[0]: "prompt"}), []  # the text of a task names no test set
        if tasks:
            boards.ask_tasks(table, tasks[0])
            return roles.by_task(table, tasks[0], result, lambda part, found: _read_table(part, found, long_form))
        table = roles.with_measures(roles.with_gold(table, result), result)
        table = roles.labels(roles.with_categories(table), roles.questions_of(table), result)
        table = roles.with_runs(table, result)
    if long_form or long.is_long(table):
        result.add(long.pivot(table))
        return result
    return wide.read_columns(table, result)


def _read_groups(table: Table, result: Found) -> Found:
    """The group of each system, and in a column `kind`, where there is one, what it is (a system, a combination).

    Raises: ReadError for a system with two groups or two kinds.
    """
    (system,), (group,) = table.where("system"), table.where("group")
    for line, row in zip(table.places, table.rows, strict=True):
        name = names.clean(row[system])
        given = [(result.groups, names.clean(row[group]))]
        given += [(result.kinds, row[kind].strip().lower()) for kind in table.where("rating type")]
        for known, new in given:
            if known.setdefault(name, new) != new:
                message = f"{name} is in two groups or of two kinds: {known[name]} and {new}."
                raise ReadError(message, table.file, line, "Give each system one row.")
    return result
