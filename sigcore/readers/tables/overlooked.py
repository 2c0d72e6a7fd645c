"""What is asked before predictions are compared with what is right: columns that would be left out of it although they may predict it,
too, and right numbers that may be scores of one more system."""

from __future__ import annotations

import re
import shlex
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Part
from sigcore.readers.tables import compared, evident, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, Way

CONDITION = re.compile(r"gold|target|oracle", re.IGNORECASE)  # also what a system was given, or was trained on
MOSTLY = 0.75  # the share of right numbers that no prediction exceeds: these may be scores


def ask_labels(table: Table, right: int, systems: Sequence[int], rest: Sequence[int]) -> None:
    """Raise Unclear where a column that would not be used repeats the right labels as those of the systems do."""
    known = table.column(right).counts
    same = [k for k in rest if _repeats(table, k, known) and _is_open(table, k)]
    if same:
        _ask(table, right, systems, same, "the right labels, as the predictions do")


def ask_numbers(table: Table, right: int, known: Mapping[int, Sequence[str]], stay: Container[Meaning | None]) -> None:
    """Raise Unclear where right numbers may be scores themselves, or a column that would be left out has such numbers, below a
    heading like those of the systems, or with the same last word. `known` are the numbers of what is right and of its
    predictions, none where somebody says what they are, and `stay` the meanings of columns that are not left out."""
    systems = [k for k in known if k != right]
    if systems:
        _ask_scores(table, right, systems, known)
    rest = [k for k, means in enumerate(table.meanings) if known and k not in known and means not in stay]
    if same := [k for k in _alike(table, rest, known) if _on_one_scale(table, k, right)]:
        _ask(table, right, systems, same, "numbers such as the right ones")


def _alike(table: Table, columns: Sequence[int], known: Container[int]) -> list[int]:
    """The columns of numbers whose heading may be that of a system, or ends as those of all `known` columns."""
    ends = {words.last(name) for k, name in enumerate(table.headings) if k in known}
    own = filter(table.numeric, columns)
    return [k for k in own if _is_open(table, k) or ends == {words.last(table.headings[k])}]


def _on_one_scale(table: Table, k: int, right: int) -> bool:
    """Whether two columns of numbers are on one scale, both with fractions or both without."""
    one, other = (numbers.scale(table.column(i)) for i in (k, right))
    return bool(one.fractions) == bool(other.fractions) and not any(numbers.different([("", one), ("", other)]))


def _repeats(table: Table, k: int, known: Mapping[str, int]) -> bool:
    """Whether nearly all cells of a column are among these, and several of these among its cells."""
    own = table.column(k).counts
    alike = sum(times for cell, times in own.items() if cell in known)
    return alike >= evident.SAME * len(table.rows) and len(own.keys() & known.keys()) > 1


def _is_open(table: Table, k: int) -> bool:
    """Whether a heading names no field, no measure, no person and nothing else that is known."""
    heading = table.headings[k].strip()
    known = table.meanings[k] not in (None, "text") or words.role(heading) != "system" or names.is_person(heading)
    more = (words.is_field, words.has_measure, words.is_sureness, words.is_about_question, words.is_remark)
    return not known and not any(says(heading) for says in more)


def _ask(table: Table, right: int, systems: Sequence[int], same: Sequence[int], what: str) -> None:
    """Raise Unclear about columns that may be systems, too."""
    gold, shown = table.headings[right], listed(table.named(same))
    one = len(same) == 1
    ways = [
        (f"{shown} {'is a system' if one else 'are systems'}, too", _said(table, right, [*systems, *same], [])),
        (f"{shown} {'is no system' if one else 'are no systems'}", _said(table, right, systems, same)),
    ]
    roles: dict[int, Part] = {right: "reference", **dict.fromkeys([*systems, *same], "system")}
    why = f"Does {shown} predict {gold}, too? It holds {what}."
    _raise(table, why if one else f"Do {shown} predict {gold}, too? They hold {what}.", roles, ways)


def _ask_scores(table: Table, right: int, systems: Sequence[int], own: Mapping[int, Sequence[str]]) -> None:
    """Raise Unclear where right numbers are hardly ever smaller than what predicts them: a system that was given what is right is
    called gold, too. `own` are the numbers of these columns, with decimal points."""
    if not CONDITION.fullmatch(table.headings[right].strip()):
        return
    gold = own[right]
    pairs = [
        (float(a), float(b))
        for k in systems
        for a, b in zip(gold, own[k], strict=True)
        if not any(map(numbers.is_missing, (a, b)))
    ]
    if len(gold) < compared.COUNTED or sum(a >= b for a, b in pairs) < MOSTLY * len(pairs):
        return
    name, shown = table.headings[right], listed(table.named(systems))
    every = shlex.join(f"{table.headings[k]}=system" for k in sorted((right, *systems)))
    ways = [
        (f"{name} competes with {shown}", every),
        (f"{name} is right, and {shown} predict{'s' * (len(systems) == 1)} it", _said(table, right, systems, [])),
    ]
    roles: dict[int, Part] = dict.fromkeys([right, *systems], "system")
    why = f"Does {name} compete with {shown}, or is it what they predict? Its numbers are mostly the largest."
    _raise(table, why, roles, ways)


def _said(table: Table, right: int, systems: Sequence[int], rest: Sequence[int]) -> str:
    part = "system" if len(systems) > 1 else "text"
    roles = {right: "reference", **dict.fromkeys(systems, part), **dict.fromkeys(rest, "ignored")}
    return shlex.join(f"{table.headings[k]}={roles[k]}" for k in sorted(roles))


def _raise(table: Table, why: str, roles: Mapping[int, Part], ways: Sequence[Way]) -> None:
    claims = evident.claims(table, "beside predictions", roles)
    claims = [replace(one, basis="guess", reason="only a guess") if k in roles else one for k, one in enumerate(claims)]
    problem = Unclear(table, why, claims, ways)
    problem.settled = True  # all readings are known
    raise problem


ESTIMATES = 4  # columns of estimated quality: pair, method, number of the segment, estimate


def ask_estimates(file: str, rows: Sequence[Sequence[str]], places: Sequence[int]) -> None:
    """Raise Unclear for a submission of WMT's quality estimation: pair, method, number and score of each segment, and perhaps more.
    The mean of what a method estimates says nothing of the method."""
    known = all(
        len(row) >= ESTIMATES
        and names.PAIR.fullmatch(row[0].strip())
        and not numbers.is_number(row[1].strip())
        and row[2].strip().isdigit()
        and numbers.is_number(row[3].strip())
        for row in rows
    )
    if not known:
        return
    table = Table(file, [f"column {k + 1}" for k in range(len(rows[0]))], rows, places)
    roles: dict[int, Part] = {1: "system", 2: "question", 3: "score"}
    claims = evident.claims(table, "by the cells below", roles)
    claims[3] = replace(claims[3], basis="guess", reason="only a guess")
    why = "It looks like estimates of quality (WMT): the mean of what a method estimates says nothing of the method."
    fix = "Only the scores of people on the same segments say which method is better. On one scale with these: load a table with a row "
    fix += "for each segment, a column for each method, and one headed gold. Their absolute errors are compared then."
    raise Unclear(table, why, claims, fix=fix)


MODEL = re.compile(r"https?://\S+|\S+\.(?:zip|pt|bin|ckpt|tar\.gz)")


def refuse_models(file: str, rows: Sequence[Sequence[str]]) -> None:
    """Raise ReadError for lines with a number and the address or the file of a model each (OPUS-MT)."""
    pairs = [(row[0].strip(), row[-1].strip()) for row in rows]
    if len(rows[0]) == 2 and all(numbers.is_number(a) and MODEL.fullmatch(b) for a, b in pairs):
        what = "It has one score for each model, by its file: scores of whole systems, not of segments."
        raise ReadError(
            what, file, 1, "Load the outputs of two models and their reference, or the scores of every segment."
        )
