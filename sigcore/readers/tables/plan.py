"""What every column of a table is taken for, and whether that is more than a guess.

A column becomes the rival of another only for a positive reason: somebody said so, a known program writes it so, or the
layout shows it: columns that are alike, and none of which has a heading with another known meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Basis, Claim, Found, Item, Part
from sigcore.readers.tables import (
    apart,
    compared,
    crossing,
    doubts,
    failed,
    gridded,
    guesses,
    likeness,
    numbers,
    outcomes,
    unnamed,
    ways,
    whole,
)
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.guesses import PARTS
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, first_cells

MOST_JUDGED = 40  # systems that people judge


def unclear(table: Table, why: str, result: Found | None = None) -> Unclear:
    """The error for a table whose columns are not understood: what each was taken for, and how to say what is meant."""
    known = {claim.column: claim for claim in result.claims if claim.file == table.file} if result else {}
    claims = [known.get(name) or by_heading(table, k) for k, name in enumerate(table.headings)]
    return Unclear(table, why, claims)


def repeated(table: Table, k: int, what: str, result: Found) -> ReadError:
    """The error for ids that come again: they may name documents, where another column tells the rows of one apart."""
    others = (i for i in range(len(table.headings)) if i != k and crossing.ID.search(table.headings[i]))
    told = next((i for i in others if table.differ([k, i])), None)
    problem = unclear(table, f"{what}{_if_systems(table, k)}", result)
    if told is None:
        return problem
    roles: dict[int, Part] = {k: "document", told: "question"}
    claims = [
        claim(table, i, roles[i], "only a guess", "guess") if i in roles else one
        for i, one in enumerate(problem.claims)
    ]
    return Unclear(table, f"{what} Does it name documents, and {table.headings[told]} the questions in each?", claims)


def refuse_repeated(table: Table, result: Found) -> None:
    """Raise ReadError, which shows the columns, for a second row of a segment."""
    ids = table.where("segment") or _come_again(table)
    several = [k for k in table.where("measure") if len(table.column(k).counts) > 1]
    if not ids or table.role or any(item.keys for item in result.items) or table.where("system") or several:
        return
    seen: dict[str, int] = {}
    heading = table.headings[ids[0]]
    for i, row in enumerate(table.rows):
        first = seen.setdefault(row[ids[0]], i)
        if first != i and row[ids[0]].strip():
            what = f"Row {i + 1} has {heading} {row[ids[0]]} a second time (first in row {first + 1})."
            raise repeated(table, ids[0], what, result)


def _come_again(table: Table) -> list[int]:
    """The columns whose heading may be that of ids (item, instance), and each of whose cells comes equally often, more than once."""
    again = {k: table.column(k).counts for k in table.where("perhaps segment") if table.column(k).times}
    return [k for k, own in again.items() if len(own) >= numbers.FEWEST and not any(" " in id_.strip() for id_ in own)]


def _if_systems(table: Table, k: int) -> str:
    """What a table lacks if ids that come again name its systems: a few words, each of several rows; "" for other ids."""
    times = table.column(k).counts.values()
    if table.numeric(k) or not 1 < len(times) <= crossing.MOST_NAMES or min(times) < FEW_ROWS:
        return ""
    rows = f"{min(times)} to {max(times)} rows" if min(times) < max(times) else f"{min(times)} rows"
    return f" If these are systems, they have {rows} each, and no column names the questions: add one with their ids."


def by_heading(table: Table, k: int) -> Claim:
    means = table.meanings[k]
    role = PARTS.get(means, "ignored") if means else None
    if role is None and words.is_field(table.headings[k]):
        return claim(table, k, "ignored", "by its heading no score", "heading")
    return claim(
        table, k, role or "system", "by its heading" if role else "only a guess", "heading" if role else "guess"
    )


def claim(table: Table, k: int, role: Part, reason: str, basis: Basis) -> Claim:
    return Claim(table.file, table.headings[k], role, reason, basis, cells=first_cells(table, k))


FEW_ROWS = 4  # of a system; a question may well have two or three


def nameless(table: Table, system: int) -> ReadError | None:
    """The error for a table in long form whose questions no heading names: it asks whether a column without which the rows
    of a system are not apart does. None where no column may."""
    if (crossed := _tried(table, system)) is not None:
        return _crossed(table, crossed)
    # what is another one in each row names no question that two systems have
    if not (found := sorted(_may_name(table, system), key=lambda k: not table.repeats(k))):
        return None
    claims = [_value_or_nothing(table, k) for k in range(len(table.headings))]
    claims = guesses.with_reached(table, claims)
    claims[found[0]] = claim(table, found[0], "question", "only a guess", "guess")
    if (told := _told_apart(table, system, found[0])) is not None:
        part: Part = "measure" if table.meanings[told] == "dimension" else "run"
        claims[told] = claim(table, told, part, "it tells rows of one question apart", "guess")
    runs, name = unnamed.as_runs(table, system, found[0]) if told is None else [], table.headings[found[0]]
    return Unclear(table, f"Does {name} name the questions? Each system has several rows.", claims, runs)


def _tried(table: Table, system: int) -> crossing.Crossing | None:
    """The columns that cross as systems and questions where the column of systems has one value; None for others."""
    open_ = [k for k, means in enumerate(table.meanings) if means in (None, "score", "rated", "z")]
    alone = len(table.column(system).counts) == 1
    return crossing.found(table, [k for k in open_ if table.numeric(k)]) if alone else None


def ask_tried(table: Table, system: int) -> None:
    """Ask whether a condition names what is compared, where there is one system, and ids hide that questions come again."""
    found = None if table.basis else _tried(table, system)
    if found is not None and names.says_system(table.headings[found.system]):
        raise _crossed(table, found)
    ask(table, compared.of_columns(table, system))


def ask(table: Table, asked: compared.Asked | None) -> None:
    """Raise the question about these columns; the others are what their headings say."""
    if asked is not None:
        why, roles, several = asked
        claims = [by_heading(table, k) for k in range(len(table.headings))]
        claims = [one if one.sure else replace(one, role="ignored") for one in claims]
        for k, role in roles.items():
            claims[k] = claim(table, k, role, "only a guess", "guess")
        raise Unclear(table, why, claims, several)


def _told_apart(table: Table, system: int, question: int) -> int | None:
    """The first column of a few words without which a system has several rows of a question: a judge, or a run."""
    if table.differ([system, question]):
        return None
    few = (k for k in range(len(table.headings)) if k not in (system, question) and not _has_values(table, k))
    return next((k for k in few if table.repeats(k) and table.differ([system, question, k])), None)


def _has_values(table: Table, k: int) -> bool:
    """Whether a column has numbers, also with decimal commas."""
    return table.numeric(k) or bool(numbers.with_points(table.file, table.column(k), table.headings[k], table.places))


def _crossed(table: Table, found: crossing.Crossing) -> ReadError:
    """The error for a table whose one system was tried in several ways, which another column names."""
    roles: dict[int, Part] = {found.system: "system", found.question: "question"}
    claims = [_value_or_nothing(table, k) for k in range(len(table.headings))]
    guessed = [
        claim(table, k, roles.get(k, "ignored"), "only a guess", "guess") if k in roles or one.role == "system" else one
        for k, one in enumerate(claims)
    ]
    name = table.headings[found.system]
    return Unclear(table, f"Does {name} name what is compared? The column of systems has one value.", guessed)


def _may_name(table: Table, system: int) -> list[int]:
    """The columns that may name the questions: ids, whole numbers and texts that tell rows of a system apart, and other ids."""
    # the place of an answer among others of one system names no question, nor does the time when it was given
    others = (doubts.PLACE.fullmatch, unnamed.APART.search, words.WHEN.fullmatch)
    places = {system, *(k for other in others for k in table.headed(other))}
    columns = [k for k in range(len(table.headings)) if k not in places]
    ids = [k for k in columns if crossing.ID.search(table.headings[k])]
    whole = [k for k in columns if k not in ids and _counts(table, k)]
    texts = [k for k in columns if not table.numeric(k)]
    return [*(k for k in (*ids, *whole, *texts) if table.differ([system, k])), *_judged_by(table, system, ids), *ids]


def _judged_by(table: Table, system: int, ids: Sequence[int]) -> list[int]:
    """The columns of ids that tell the rows of a system and a judge apart, where a column names judges."""
    people = table.where("judge")
    return [k for k in ids if people and k not in people and table.differ([system, *people, k])]


def _counts(table: Table, k: int) -> bool:
    """Whether a column has whole numbers below a heading that names no score."""
    unnamed = table.meanings[k] in (None, "run") and not words.has_measure(table.headings[k])
    return unnamed and all(map(str.isdigit, table.column(k).counts))


def _value_or_nothing(table: Table, k: int) -> Claim:
    """What a column is by its heading; else a score if it has numbers, and nothing if it has words."""
    known = by_heading(table, k)
    if known.sure:
        return known
    constant = len(table.rows) >= compared.COUNTED and len(table.column(k).counts) == 1
    if (constant and not words.has_measure(table.headings[k])) or words.is_spread(table.headings[k]):
        return replace(known, role="ignored", reason="the same in every row" if constant else "of a mean")
    if numbers.go_up(table.column(k), compared.COUNTED) and not words.has_measure(table.headings[k]):
        return replace(known, role="ignored", reason="it counts the rows")
    truths = bool(numbers.truths(table.column(k), numbers.OUTCOMES)) and words.has_measure(table.headings[k])
    # what says which answers are right wins over all other numbers
    other = any(map(words.is_outcome, table.headings)) and not words.has_measure(table.headings[k])
    return replace(known, role="score" if truths or (_has_values(table, k) and not other) else "ignored")


# Tables in wide form: the columns that would be rivals.


def wide(table: Table, streams: Sequence[tuple[int, Item]], one_system: bool, result: Found) -> None:
    """Add what each column of a table in wide form is taken for; `streams` are its columns with the items made of them.

    `one_system`: its values are all about one system.
    Raises: Unclear where columns would be rivals only by a guess.
    """
    if _says_itself(table):
        return
    made = dict(streams)
    rivals = {k: item for k, item in made.items() if item.role == "system"}
    failed.ask(table, rivals, likeness.references(made))
    doubt, right = _doubt(table, rivals, made, one_system), likeness.right_text(table, made)
    found = apart.of(table, rivals) if doubt or not one_system else None
    why = likeness.about_right(table, right) or doubt or apart.why(found)
    claims = [_wide(table, k, made.get(k), one_system, why) for k in range(len(table.headings))]
    if right is not None:
        claims[right] = claim(table, right, "reference", "like the outputs", "guess")
    _ask_grid(table, _grid(table, rivals, why), claims)
    likeness.ask_labels(table, made, claims if doubt and right is None else [])
    if why:
        claims = apart.with_roles(found, rivals, likeness.related(table, claims), not doubt)
        claims = _naming_one(table, rivals, claims, one_system)
        claims = _judged(table, rivals, claims)
        result.claims += claims
        known = ways.of_wide(table, rivals, claims, found)
        raise apart.question(table, why, None if doubt else found, claims, known)
    result.claims += _alone(table, rivals, claims)


def _doubt(table: Table, rivals: Mapping[int, Item], made: Mapping[int, Item], one_system: bool) -> str:
    """What is asked first about columns that would be rivals; "" where nothing is, or somebody says what they are."""
    asked = doubts.about_one(table, rivals) if one_system else doubts.about(table, rivals, likeness.references(made))
    return "" if table.basis else next(asked, "")


def _grid(table: Table, rivals: Mapping[int, Item], why: str) -> gridded.Grid | None:
    """The systems and measures that headings name, neither of them known: of all rivals, or in a table that is asked about."""
    if table.role or table.basis or doubts.judges(table, rivals) or compared.are_classes(table, rivals):
        return None
    scores = [one for one in rivals.values() if one.kind == "scores"]
    if (found := gridded.of_measure([one.name for one in scores])) is not None:
        return found
    if why and doubts.apart(table, rivals):
        return None
    return (why and gridded.of(table)) or _whole_grid(scores, len(rivals), why)


def _whole_grid(scores: Sequence[Item], rivals: int, why: str) -> gridded.Grid | None:
    """The grid of all rivals; in a table that is asked about, without one that counts the rows."""
    scored = [one.name for one in scores if not (why and doubts.counts_rows(one))]
    return gridded.whole(scored) if len(scored) == rivals - bool(why) else None


def _ask_grid(table: Table, grid: gridded.Grid | None, claims: Sequence[Claim]) -> None:
    """Raise the question which part of the headings of a grid names the systems; or that one names people."""
    if grid is None:
        return
    if grid.people:
        rated = [name for name in (*grid.named(0), *grid.named(1)) if name not in grid.people]
        if not any(map(guesses.has_criterion, rated)):
            why = f"Are {listed(grid.people)} people who rated several systems, {listed(rated)}?"
            raise Unclear(table, why, claims, gridded.of_people(grid.people, rated))
        message = f"{listed(grid.people)} are people, who rated {listed(rated)} of one system: nothing is compared."
        raise ReadError(message, table.file, 1, "Load the ratings of two systems, with a row or a column for each.")
    gridded.ask_whole(table, grid)
    shown = [
        claim(table, k, "system", "a system and a measure?", "guess")
        if one.column in grid.parts
        else replace(one, role="ignored" if one.role in ("system", "score", "text") else one.role)
        for k, one in enumerate(claims)
    ]
    raise Unclear(table, grid.question, shown, grid.ways)


def _says_itself(table: Table) -> bool:
    """Whether the file says what it is."""
    return bool(table.role) and (table.role != "system" or len(table.headings) == 1)


def _alone(table: Table, rivals: Mapping[int, Item], claims: list[Claim]) -> list[Claim]:
    """The claims; one system that is a guess has no rival, so its column rather holds what the file's system wrote, or its
    scores."""
    if sum(claim.role == "system" for claim in claims) != 1:
        return claims
    wrote = {k for k, item in rivals.items() if item.kind == "text" and not doubts.marks_in([item])}
    return [
        replace(one, role="text" if k in wrote else "score") if one.role == "system" and not one.sure else one
        for k, one in enumerate(claims)
    ]


def _naming_one(table: Table, rivals: Mapping[int, Item], claims: list[Claim], one_system: bool) -> list[Claim]:
    """The claims of a table that is asked about; a column without which the ids repeat may name systems."""
    found = doubts.apart(table, rivals)
    if found is None:
        arms = one_system or doubts.untold(table, rivals) is not None
        return _with_arms(table, rivals, claims) if arms else _alone(table, rivals, claims)
    scores = _told_by(table, rivals)
    used = guesses.used_in(table, found, scores, claims)
    claims = guesses.without_asides(table, claims, scores, used)
    return [_crossing_claim(table, k, one, found, used if k in scores else None) for k, one in enumerate(claims)]


def _told_by(table: Table, rivals: Mapping[int, Item]) -> list[int]:
    """The columns of numbers that may be scores of the systems; without one, those of outputs."""
    more = [k for k in table.headed(outcomes.SCORED.search, table.where(None)) if table.numeric(k) and k not in rivals]
    return [*doubts.of_scores(rivals), *more] or [k for k in rivals if doubts.is_its_output(table.headings[k])]


def _with_arms(table: Table, rivals: Mapping[int, Item], claims: list[Claim]) -> list[Claim]:
    """The claims on a table of one system, one of whose columns may name several."""
    arms = doubts.named(table, rivals)
    if arms is None:
        return claims
    asked = (doubts.ids_of(table) or table.where("run"))[:1]
    roles: dict[int, Part] = {arms: "system", **dict.fromkeys(asked, "question")}
    return [claim(table, k, roles[k], "only a guess", "guess") if k in roles else one for k, one in enumerate(claims)]


def _crossing_claim(table: Table, k: int, one: Claim, found: crossing.Crossing, used: Sequence[int] | None) -> Claim:
    """The claim on a column of a table whose systems and questions cross; `used` are the scores, for a column of numbers."""
    if k == found.system:
        return claim(table, k, "system", "only a guess", "guess")
    if k == found.question:
        if table.meanings[k] == "segment":
            return claim(table, k, "question", "by its heading", "heading")
        return claim(table, k, "question", "it crosses the systems", "guess")
    if k == found.other and table.meanings[k] != "judge":
        part: Part = "task" if crossing.are_tasks(table.column(k)) else "run"
        return claim(table, k, part, "it tells rows of one question apart", "guess")
    # one column names the systems, so no other is one, and one the questions
    if used is not None or one.role in ("system", "question"):
        return replace(one, role=guesses.part_of_numbers(table, k) if used and k in used else "ignored", basis="guess")
    return _reference_of_all(table, k, one, found.question)


def _reference_of_all(table: Table, k: int, one: Claim, question: int) -> Claim:
    """The claim; a reference that is a guess, and another one for each system, is what the systems wrote."""
    guessed = one.role == "reference" and not one.sure
    own = guessed and not crossing.is_fact(table, k, (question,))
    return replace(one, role="text", reason="each system has its own") if own else one


def _judged(table: Table, rivals: Mapping[int, Item], claims: list[Claim]) -> list[Claim]:
    """The claims on ratings by people; the first column of a few short names that come again may name the systems, and the
    first of ids the segments. What every judge rated once are the systems, and the judges what they are compared on. Others as
    they are."""
    if not doubts.judges(table, rivals):
        return claims
    rated = doubts.crossed(table, rivals)
    roles: dict[int, Part] = (
        _of_people(table, claims) if not rated else {rated[0]: "system", doubts.judges(table, rivals)[0]: "question"}
    )
    return [claim(table, k, roles[k], "only a guess", "guess") if k in roles else one for k, one in enumerate(claims)]


def _of_people(table: Table, claims: Sequence[Claim]) -> dict[int, Part]:
    """The columns that may name the systems and the segments of ratings, with their roles."""
    open_ = [k for k, one in enumerate(claims) if one.role == "ignored" and table.meanings[k] is None]
    ids = [k for k in open_ if crossing.ID.search(table.headings[k])][:1] if not doubts.ids_of(table) else []
    named = [
        k for k in open_ if k not in ids and not table.numeric(k) and whole.are_names(list(table.column(k).counts))
    ]
    few = [k for k in named if 1 < len(set(table.column(k))) <= MOST_JUDGED]
    return {**dict.fromkeys(few[:1], "system"), **dict.fromkeys(ids, "question")}


def _wide(table: Table, k: int, item: Item | None, one_system: bool, why: str) -> Claim:
    if item is None or item.role != "system":
        role = _part_of(item) if item is not None and item.role != "ignored" else by_heading(table, k).role
        return claim(table, k, "ignored" if role == "system" else role, "by its heading", "heading")
    if one_system:
        predicts = doubts.PREDICTED.fullmatch(item.name) is not None
        text = item.kind == "text" or (why and predicts)
        role = guesses.output(table, item) if text else "judge" if table.meanings[k] == "judge" else "score"
        if why:
            return claim(table, k, role, "only a guess", "guess")
        return claim(table, k, role, "by its heading, of the one system of the file", "heading")
    if table.basis:
        return claim(table, k, "system", "as it was said", table.basis)
    if not why:
        return claim(table, k, "system", "its column is like the others", "layout")
    role, reason = guesses.likeliest(table, k, item)
    return claim(table, k, role, reason, "guess")


def _part_of(item: Item) -> Part:
    parts: dict[str, Part] = {
        "reference": "reference",
        "source": "source",
        "documents": "document",
        "domains": "category",
    }
    return parts.get(item.role, "ignored")


def completed(table: Table, said: Mapping[str, Part], claims: Sequence[Claim]) -> list[Claim]:
    """The claims on the columns of the file, in their order: as somebody said, as they were read, or by their headings.

    `said` are the roles by heading; `claims` those on the table that was read, where columns may have other names.
    """
    known = {one.column: one for one in claims}
    out = []
    for k, heading in enumerate(table.headings):
        if heading in said:
            out.append(claim(table, k, said[heading], "as it was said", "said"))
        elif heading in known:
            out.append(replace(known[heading], file=table.file))
        else:
            one = by_heading(table, k)
            role = one.role if one.sure else "ignored"
            out.append(claim(table, k, role, one.reason if one.sure else "no known heading", "heading"))
    return out
