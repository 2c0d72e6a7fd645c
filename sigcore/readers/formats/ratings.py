"""Ratings by people, one per line: direct assessment (WMT, Appraise, ESA), or scores per system and segment."""

from __future__ import annotations

import math
import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, get_args

from sigcore import measures
from sigcore.errors import ReadError, SigError
from sigcore.formatting import count, listed
from sigcore.judgments import NOT_SAID, Judgments, judgments
from sigcore.proof import parsed
from sigcore.readers import names, reports
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Notice, Options, Reader, described, options_of
from sigcore.readers.tables import (
    applied,
    appraise,
    completed,
    crossing,
    directions,
    evident,
    numbers,
    outcomes,
    plan,
    programs,
    proposals,
    ranked,
    rated,
    raters,
    said,
    shapes,
    summary_rows,
    wide,
    wide_ratings,
)
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.columns import Column
from sigcore.readers.tables.rated import TYPES, RatingColumn, RatingColumns
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, Way

SHORT = {"ad": "adequacy", "fl": "fluency"}
MANY = 30  # ratings; fewer can be the same number
PARTS: tuple[RatingColumn, ...] = get_args(RatingColumn)


@dataclass(frozen=True)
class _Ratings:
    """The columns of the ratings of one pair of languages, and the line of each rating."""

    columns: dict[RatingColumn, list[str]]
    lines: list[int]

    def kept(self, places: Sequence[int]) -> _Ratings:
        """The ratings at these places, in this order."""
        if len(places) == len(self.lines):
            return self
        columns = {part: [column[k] for k in places] for part, column in self.columns.items()}
        return _Ratings(columns, [self.lines[k] for k in places])


def _looks(content: Content) -> int:
    if content.suffix == "xml":
        return NO
    if rated.is_form(content) or any("ImportId" in line for line in content.lines[2:3]):  # a form, or Qualtrics
        return CERTAIN
    if appraise.ROW.match(content.lines[0]) or rated.LISTENED.fullmatch(content.lines[0].strip()):
        return CERTAIN
    headings, row = rated.first_rows(content)
    known = programs.recognised(headings)
    return CERTAIN if known is None and rated.are_ratings(content.file, headings, row) else NO


def _read(content: Content, options: Options) -> Found:
    file = content.file
    if not said.said(options):
        reports.refuse_printed(content)
    table, meant, notices = _table(content, options)
    given = raters.without_known(table, meant)
    table, given = wide_ratings.of_said(*completed.unjoined(table, given, notices), notices)
    table, meant = raters.said_ratings(table, given, notices)
    if meant:
        named = Found()
        table = _as_ratings(applied.to(table, meant, named), meant, str(options["dimension"] or ""))
        notices += named.notices
    columns = _columns(table)
    for k in columns.table.where("task")[:1] if "task" in dict(given.columns).values() else ():
        columns.parts["task"] = k
    notices.append(Notice(file, columns.sentence()))
    result, by_languages = Found(notices=notices), _by_languages(columns)
    for languages, ratings in by_languages.items():
        name = names.display_name(file) + (f" {languages}" if len(by_languages) > 1 else "")
        try:
            result.judgments.append(_judgments(file, name, ratings, options, result))
        except SigError as problem:
            result.problems.append(problem)
    return result


def _rows_of(table: Table, result: Found) -> Table:
    """The table without rows and columns that sum up others."""
    return evident.without_extremes(summary_rows.without(table, result), result)


def _table(content: Content, options: Options) -> tuple[Table, said.Said, list[Notice]]:
    """The table in a file of ratings, what was said about its columns, and notices on how it was read."""
    meant = said.said(options)
    if appraise.ROW.match(content.lines[0]):
        table, notices = appraise.table(content, options)
        return table, meant, notices
    if rated.LISTENED.fullmatch(content.lines[0].strip()):
        how = "It was read as ratings of clips (VoiceMOS): system, clip, rating, and last the listener of each line."
        return rated.of_listeners(content), meant, [Notice(content.file, how)]
    named = content.file.lower().removesuffix(".gz").endswith(".seg.score")
    table, notices = (rated.pairs_table(content), []) if named else rated.load_table(content, str(options["table"]))
    table, rest = raters.below(wide.without_header(table, [name for name, _ in meant.columns]), meant)
    summed = Found()
    table = raters.of_heads(summary_rows.without_copies(table, notices), notices)
    table = _rows_of(table, summed) if table.rows else table
    table = raters.of_marks(ranked.best_worst(table, notices), rest, notices)
    given = raters.without_known(table, rest)
    table = said.with_cells(summary_rows.without_missing(table, dict(given.cells), given.parts, summed), given)
    notices += summed.notices
    if not meant:
        told, table = table.headings, rated.by_document(table)
        renamed = [one for one, new in zip(told, table.headings, strict=True) if one != new]
        notices += [Notice(content.file, f"{one} names what was rated.") for one in renamed]
    if not rated.has_needed(table.headings) and not meant:
        table = raters.long_form(table, notices) or wide_ratings.long_form(table, notices) or table
    return appraise.without_tutorial(rated.with_plain_names(table, notices), notices), rest, notices


def _as_ratings(table: Table, meant: said.Said, dimension: str) -> Table:
    """The table with the columns of scores that were named below the heading score, one row for each of them; what was
    rated is their heading, where it says so, nobody else does, and no column names it.

    Raises: ReadError if several were named, and a column says what was rated.
    """
    named = (*meant.scores, *(name for name, part in meant.columns if part == "score"))
    if not named:
        return table
    says = table.named(table.where("dimension"))
    if says and len(named) > 1:
        message = f"{listed(named)} are scores, and {listed(says)} says what was rated."
        raise ReadError(message, table.file, 1, "Name one column of scores, or call the other one ignored.")
    plain = len(named) == 1 and words.is_plain(table.headings[-1].strip())
    if says or plain or (len(named) == 1 and dimension):
        return table.renamed({len(table.headings) - 1: "score"})
    return _each_named(table, len(named))


def _each_named(table: Table, number: int) -> Table:
    """The table with a row for each of so many last columns of scores, and their headings as what was rated."""
    first = len(table.headings) - number
    rows = [
        [*row[:first], name.strip(), cell]
        for row in table.rows
        for name, cell in zip(table.headings[first:], row[first:], strict=True)
    ]
    places = [place for place in table.places for _ in range(number)]
    return replace(table, headings=[*table.headings[:first], "dimension", "score"], rows=rows, places=places)


NEEDED: Mapping[str, tuple[set[words.Meaning], str]] = {
    "the system": ({"system"}, "SYSTEM=system"),
    "what was rated": ({"segment", "perhaps segment"}, "ITEM=question"),
    "the scores": ({"score", "z"}, "RATING=score"),
}


def _lacking(table: Table, joined: tuple[str, str]) -> Unclear:
    """The error for a table that is known to lack a column which ratings need: what each column was taken for, and how to
    say which it is; or what is said of ids that join two of them."""
    missing = {what: say for what, (known, say) in NEEDED.items() if not known & {*table.meanings}}
    if rated.are_scored(table.headings):
        missing.pop("the scores", None)
    message = f"{table.file} has no recognisable ratings: no column is known to name {listed(missing)}.{outcomes.unfilled(table)}"
    claims = plan.unclear(table, message).claims
    # what nobody knows is no system of ratings
    shown = [
        replace(one, role="ignored", reason="no known heading") if one.role == "system" and not one.sure else one
        for one in claims
    ]
    fix = _advice(table, missing)
    if any(joined):
        message, fix = f"{message} {joined[0]}", joined[1]
    return Unclear(table, message, shown, fix=fix)


def _advice(table: Table, missing: Mapping[str, str]) -> str:
    """What to do about a table without these columns, each with how it is said."""
    if "the scores" in missing and not any(map(table.numeric, _open(table))):
        if ranked := [table.headings[k] for k in table.headed(measures.PLACE.fullmatch) if table.numeric(k)]:
            return f"If people ranked the systems, 1 for the best: --columns {shlex.quote(f'{ranked[0]}=score')}."
        marked = " Errors that are marked in texts have to be counted first." if _are_marked(table) else ""
        return f"No column holds numbers, so nothing is rated here.{marked} {_words_as_scores(table) or 'Load the ratings.'}"
    if "the system" in missing and not completed.perhaps_systems(table):
        return "No column can name the systems: add one, headed system, with the system of each row."
    if [*missing] == ["what was rated"] and (k := _rated_id(table)) is not None:
        name = table.headings[k]
        return f"If {name} names what was rated: --columns {shlex.quote(f'{name}=question')}."
    said = " ".join(missing.values())
    return f"Say which it is, with your headings: --columns {said}. Ratings without it cannot be compared."


def _words_as_scores(table: Table) -> str:
    """How somebody says what words mean as ratings, of all columns with the same ones, and what names the system and what was
    rated, if nothing does; "" where no column repeats a few of them below an unknown heading."""
    if together := _answers(table):
        return outcomes.said_of(together, "ratings")
    marks, asked = outcomes.marked(table), table.where("segment", "perhaps segment", "document")[:1]
    # what is the same for all systems of an item is no rating of one
    own = {k: found for k, found in marks.items() if not (asked and crossing.is_fact(table, k, asked))} or marks
    judged = [k for k in own if JUDGED.search(table.headings[k])] or list(own)
    if not judged:
        return ""
    found = own[judged[0]]
    same = [k for k in own if {*own[k]} <= {*found}]
    return outcomes.said_of(found, "ratings", table.named(same), _named_besides(table, same, asked))


def _named_besides(table: Table, used: Sequence[int], asked: Sequence[int]) -> list[str]:
    """The roles of what may name the system, if nothing does, and of documents that are what was rated."""
    open_ = [] if table.where("system") else [k for k in completed.perhaps_systems(table) if k not in used]
    documents = [k for k in asked if table.meanings[k] == "document"]
    return [*(f"{table.headings[k]}=system" for k in open_[:1]), *(f"{table.headings[k]}=question" for k in documents)]


def _rated_id(table: Table) -> int | None:
    """The column of ids with the most names that systems have in common; None without one."""
    system = table.where("system")[0]
    ids = [k for k in table.headed(crossing.ID.search) if k != system and table.repeats(k)]
    shared = [
        k for k in ids if len({*zip(table.column(system), table.column(k), strict=True)}) > len(table.column(k).counts)
    ]
    return max(shared, key=lambda k: len(table.column(k).counts), default=None)


def _open(table: Table) -> list[int]:
    """The columns that may be anything: no known heading, no field of a log, no remark."""
    heads = enumerate(zip(table.headings, table.meanings, strict=True))
    return [k for k, (name, means) in heads if means is None and not (words.is_field(name) or words.is_remark(name))]


def _answers(table: Table) -> list[str]:
    """The words that most columns below unknown headings hold, as the answers to a form; [] for other tables."""
    found = [numbers.few_words(table.column(k)) for k in _open(table)]
    together = sorted({word for own in found for word in own})
    most = len(found) > 1 and all(found) and 2 * len(found) > len(table.headings)
    return together if most and len(together) <= numbers.MOST_WORDS else []


JUDGED = re.compile(r"label|rat(?:ing|ed)|scor|judg|verdict|quality|grade(?!r)|human", re.IGNORECASE)
MARKED = re.compile(r"<(?:mqm:)?(?:startIssue|endIssue|v|error)\b")


def _are_marked(table: Table) -> bool:
    """Whether a text has marks of errors inside, as annotations of MQM write them."""
    return any(MARKED.search(cell) for k in range(len(table.headings)) for cell in table.column(k).counts)


def _columns(table: Table) -> RatingColumns:
    """The role of each column.

    Raises: ReadError if a required column is missing, or there are no rows.
    """
    if not rated.has_needed(table.headings):
        joined = crossing.glued(table)
        problem = _lacking(table, joined)
        if not any(joined) and (ways := _of_judges(table, proposals.of(table))):
            problem.proposed = Unclear(table, problem.why, completed.claims(problem.claims, ways[0]), ways)
        raise problem
    if not table.rows:
        raise ReadError(f"{table.file} has a header but no ratings.", table.file, 1, "Load the complete file.")
    return rated.assign(table)


def _of_judges(table: Table, ways: Sequence[Way]) -> list[Way]:
    """The readings without saying of known judges that they are runs: what nobody says of them is right already."""
    known = {f"{heading}=run" for heading in table.named(table.where("judge"))}
    return [(why, shlex.join(one for one in shlex.split(said) if one not in known)) for why, said in ways]


def _by_languages(columns: RatingColumns) -> dict[str, _Ratings]:
    """The ratings of each pair of languages, and of each task that somebody said, one entry per rating; a row may have several
    dimensions."""
    table = columns.table
    blank = [""] * len(table.rows)
    read = {part: _clean(table.column(columns.parts[part])) if part in columns.parts else blank for part in PARTS}
    whole = _Ratings(read, list(table.places))
    if columns.rated:
        heads = table.named(columns.rated)
        last = [name.rpartition(".")[2] for name in heads]  # scores.fluency
        named = map(words.normalised, last if len({*last}) == len(last) else heads)
        whole = _each_dimension(whole, dict(zip(named, map(table.column, columns.rated), strict=True)))
    sides: tuple[RatingColumn, ...] = ("source language", "target language", "task")
    return _apart(whole, [whole.columns[side] for side in sides if side in columns.parts])


def _each_dimension(rows: _Ratings, rated: Mapping[str, Column]) -> _Ratings:
    """One entry per rating of rows that have a rating for each of some dimensions."""
    times = len(rated)
    read = {part: [cell for cell in cells for _ in range(times)] for part, cells in rows.columns.items()}
    scores = zip(*map(_clean, rated.values()), strict=True)
    read["dimension"] = list(rated) * len(rows.lines)
    read["score"] = [cell for row in scores for cell in row]
    return _Ratings(read, [line for line in rows.lines for _ in range(times)])


def _apart(whole: _Ratings, sides: Sequence[Sequence[str]]) -> dict[str, _Ratings]:
    """The ratings of each pair of languages, or task, by its name; all of them where no column names one."""
    places = dict[str, list[int]]() if sides else {"": list(range(len(whole.lines)))}
    for k, pair in enumerate(map("-".join, zip(*sides, strict=True))):
        places.setdefault(pair, []).append(k)
    return {pair: whole.kept(some) for pair, some in places.items()}


def _clean(column: Column) -> list[str]:
    """The cells of a column without what nobody sees; each different cell is cleaned once."""
    return _each(names.clean, column)


def _with_system(file: str, ratings: _Ratings, keep: list[int], meant: said.Said, result: Found) -> list[int]:
    """The positions of ratings with a system, where somebody said which column names it, and those without one are of other
    segments: practice items have none. In merged cells a name stands for what is below it, too."""
    systems, segments = ratings.columns["system"], ratings.columns["segment"]
    named = [k for k in keep if systems[k]]
    if len(named) == len(keep) or "system" not in meant.parts.values():
        return keep
    others = {segments[k] for k in keep if not systems[k]}
    if _are_merged(systems, keep) or not _are_enough([(systems[k], segments[k]) for k in named], others):
        return keep
    gone = count(len(keep) - len(named), "rating")
    result.notices.append(Notice(file, f"{gone} of {len(keep)} without a system left out."))
    return named


def _are_merged(systems: Sequence[str], keep: Sequence[int]) -> bool:
    """Whether most names stand alone above blank cells, as a sheet merges them."""
    after = [systems[other] for k, other in pairwise(keep) if systems[k]]
    return 2 * after.count("") > len(after)


def _are_enough(rated: Sequence[tuple[str, str]], others: Set[str]) -> bool:
    """Whether each system has several segments, none of which is one of the others."""
    each = Counter(system for system, _ in set(rated))
    return min(each.values(), default=0) >= FEWEST_NAMED and others.isdisjoint(segment for _, segment in rated)


FEWEST_NAMED = 3  # segments of each system


def _judgments(file: str, name: str, ratings: _Ratings, options: Options, result: Found) -> Judgments:
    """The ratings in the form that the study needs, with a notice about ratings that are left out.

    Raises: SigError if nothing is left.
    """
    columns = ratings.columns
    only_z = not any(columns["score"])
    values = _with_points(file, columns["z"] if only_z else columns["score"], ratings.lines, result)
    keep = _with_numbers(file, values, ratings.lines, result)
    keep = _with_system(file, ratings, keep, said.said(options), result)
    keep = directions.directed(file, columns["dimension"], keep, options, result)
    picked = (kept := ratings.kept(keep)).columns
    rated.refuse_rows(file, kept.lines, picked["system"], picked["segment"], picked["document"])
    score, named = [float(values[k]) for k in keep], picked["dimension"]
    named = named if any(named) else [_dimension_of(file, picked["type"], options)] * len(named)
    about = (picked["document"], picked["segment"], picked["system"], picked["judge"])
    signs = directions.signs_of(file, directions.Rated(named, score, about), str(options["better"]), result)
    read: dict[str, Sequence[Any]] = {
        "segment": picked["segment"],
        "judge": picked["judge"],
        "document": picked["document"],
        "system": _each(_system, picked["system"]),
        "score": [sign * x for sign, x in zip(signs, score, strict=True)],
        "dimension": _dimensions(picked["dimension"], _dimension_of(file, picked["type"], options)),
        "kind": _each(lambda cell: TYPES.get(cell.lower(), "other"), picked["type"]),
        # of the scores, so it has their direction
        "z": [
            sign * (float(cell) if numbers.is_number(cell) else math.nan)
            for sign, cell in zip(signs, picked["z"], strict=True)
        ],
    }
    if len(set(score)) == 1 and len(score) >= MANY:
        message = f"All {count(len(score), 'rating')} are {score[0]:g}."
        raise ReadError(message, file, fix="Check which column has the scores: name it with --score-field.")
    read["judge"] = _judges(file, picked["judge"], read["dimension"], result)
    absolute = only_z or not any(read["judge"]) or {*picked["dimension"]} == {appraise.MQM}
    turned = {name for name, sign in zip(read["dimension"], signs, strict=True) if sign < 0}
    people = replace(judgments(name, read, absolute=absolute, file=file), turned=tuple(sorted(turned)))
    _notice(file, people, picked["type"], result)
    return people


def _judges(file: str, judges: Sequence[str], dimensions: Sequence[str], result: Found) -> Sequence[str]:
    """The judge of each rating; none where a place in a list stands for one, or where nearly each rating has another, so that no
    judge could be standardised, which is noted."""
    if any(shapes.NAMELESS in notice.message for notice in result.notices):
        return [""] * len(judges)
    known = {pair for pair in zip(judges, dimensions, strict=True) if pair[0]}
    if len(judges) < MANY or 2 * len(known) <= len(judges):
        return judges
    message = "Nearly each rating has a judge of its own, so none can be standardised: judges are not used."
    result.notices.append(Notice(file, message))
    return [""] * len(judges)


def _each(function: Callable[[str], str], cells: Sequence[str]) -> list[str]:
    """The function of every cell; it is called once for each different one."""
    known = {cell: function(cell) for cell in set(cells)}
    return [known[cell] for cell in cells]


def _system(cell: str) -> str:
    """The name of a system; taken from a file name if the cell is one."""
    return names.display_name(cell) if names.WMT.match(cell) else cell


def _dimensions(cells: Sequence[str], otherwise: str) -> list[str]:
    """The dimension of each rating: `otherwise` if the row does not name it."""
    return _each(lambda cell: SHORT.get(cell.lower(), cell) or otherwise, cells)


def _with_points(file: str, values: Sequence[str], lines: Sequence[int], result: Found) -> Sequence[str]:
    """The scores, decimal commas read as points with a notice."""
    pointed = numbers.with_points(file, values, "score", lines)
    if pointed:
        result.notices.append(Notice(file, "The decimal commas of its scores were read as points."))
    return pointed or values


def _dimension_of(file: str, kinds: Sequence[str], options: Options) -> str:
    """The dimension of rows that do not name it: as somebody says, by the name of the file, or adequacy where it has kinds of ratings, as the direct
    assessments of WMT do; else NOT_SAID."""
    if options["dimension"]:
        return str(options["dimension"])
    parts = re.split(r"[^a-z]+", names.base_name(file).lower())
    known = {"adequacy": "adequacy", "ad": "adequacy", "fluency": "fluency", "esa": "ESA", "mqm": "MQM"}
    assessed = any(kind.lower() in TYPES for kind in {*kinds} - {""})
    return next((known[part] for part in parts if part in known), "adequacy" if assessed else NOT_SAID)


def _with_numbers(file: str, values: Sequence[str], lines: Sequence[int], result: Found) -> list[int]:
    """The positions of numbers; missing scores are a notice, other cells that are not numbers a problem."""
    missing = [k for k, cell in enumerate(values) if numbers.is_missing(cell)]
    keep = [k for k, cell in enumerate(values) if numbers.is_number(cell)]
    bad = sorted(set(range(len(values))) - {*missing, *keep})
    if missing:
        has, verb = ("has", "is") if len(missing) == 1 else ("have", "are")
        message = f"{len(missing):,} of {count(len(values), 'rating')} {has} no score, and {verb} left out."
        result.notices.append(Notice(file, message, lines[missing[0]]))
    if bad:
        more = f" ({len(bad):,} such ratings; they are left out.)" if len(bad) > 1 else " The rating is left out."
        message, fix = (
            f"{values[bad[0]][:40]!r} is not a number.{more}",
            "Give every rating a number, or leave the cell empty.",
        )
        result.problems.append(ReadError(message, file, lines[bad[0]], fix))
    return keep


def _notice(file: str, people: Judgments, types: Sequence[str], result: Found) -> None:
    """Add notices that describe the ratings."""
    judges = len(set(people.judge.tolist()) - {""})
    systems = len(set(people.system[people.counted].tolist()))
    who = f"by {count(judges, 'judge')}" if judges else "without the names of judges"
    message = f"{count(people.n, 'rating')} {who}, {count(systems, 'system')}, for {', '.join(people.dimensions)}."
    control = int((~people.counted).sum())
    if control:
        message += f" {control:,} of them are for quality control and are not counted for any system."
    result.notices.append(Notice(file, message))
    odd = sorted(cell for cell in set(types) if cell.lower() not in TYPES)
    if odd:
        result.notices.append(Notice(file, f"Ratings of unknown type ({listed(odd)}) are not counted for any system."))


READER = Reader(
    **described("ratings"),
    kinds=("judgments",),
    looks=_looks,
    read=_read,
    options=(
        *(
            option
            for option in said.FIELDS
            if option.name in ("id_field", "system_field", "score_field", "columns", "cells", "table", "people")
        ),
        *options_of("ratings"),
        *rated.POINTS,
        *options_of("ratings_direction", better=("automatic", *directions.BETTERS)),
    ),
    proof=parsed(("judgments", "assessments", ("One 1 80", "Two 1 20"))),
)
