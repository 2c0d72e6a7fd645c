"""Predicted labels in one file, and what is right in another: one question about both, with the command that joins them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress

from sigcore.errors import SigError
from sigcore.formatting import listed
from sigcore.readers.contract import Claim, Detected, Found
from sigcore.readers.shared import Columns
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers
from sigcore.readers.tables.evident import MOST_LABELS, SAME, TIMES
from sigcore.readers.tables.table import Absent, Table, Unclear, Way

Cells = Mapping[str, Sequence[str]]  # the cells of a file by heading
RIVALS = ("system", "text", "score")
FEWEST = 3  # questions that both files have


def asked(result: Found, detected: Sequence[Detected], columns: Columns) -> None:
    """Ask about a table of predicted labels with the column of another file that is right, and no more about that file: the two
    have the same ids. `columns` gives the columns of a file."""
    data = {one.file: one.data for one in detected}
    files = _with_predictions(result) if len(data) > 1 else []
    for file, other in [(one, other) for one in files for other in _with_right(result, one)]:
        with suppress(SigError):
            own, right = (columns(one, data[one]) for one in (file, other))
            claims = _claims(result, file)
            told = any(one.basis == "said" and one.role in RIVALS for one in claims)
            if not told and (ways := _ways(claims, own, right)):
                result.problems = [one for one in result.problems if getattr(one, "file", "") not in (file, other)]
                result.problems.append(_question(file, own, claims, ways, other))
                return


def _with_predictions(result: Found) -> list[str]:
    """The files that may hold predicted labels, and nothing that is right: tables of words that are asked about, and numbers that
    were read as scores of several systems."""
    open_ = [one for one in result.problems if isinstance(one, Unclear) and not isinstance(one, Absent)]
    scored = {item.file for item in result.items if item.role == "system" and item.kind == "scores"}
    rest = {item.file for item in result.items if item.role == "reference" or item.kind != "scores"}
    apart = (file for file in scored - rest if not any(map(_says_right, _claims(result, file))))
    return [*(str(one.file) for one in open_ if _may_predict(one)), *sorted(apart)]


def _claims(result: Found, file: str) -> list[Claim]:
    """What was said of the columns of a file, also where it is asked about."""
    asked_ = (one.claims for one in result.problems if isinstance(one, Unclear) and one.file == file)
    return [*next(asked_, ()), *(one for one in result.claims if one.file == file)]


def _may_predict(problem: Unclear) -> bool:
    """Whether columns of words may be systems, and nothing in the table is what is right."""
    rivals = [one for one in problem.claims if one.role in RIVALS]
    worded = any(cell and not numbers.is_number(cell) for one in rivals for cell in one.cells)
    return worded and not any(map(_says_right, problem.claims))


def _with_right(result: Found, file: str) -> list[str]:
    """The other files that have a column of what is right, and nothing else that could be compared."""
    asked_ = [one for one in result.problems if isinstance(one, Unclear) and str(one.file) != file]
    found = [str(one.file) for one in asked_ if any(map(_says_right, one.claims))]
    read = {item.file for item in result.items if item.role == "reference"}
    return [*found, *(read - {item.file for item in result.items if item.role == "system"} - {file})]


def _says_right(claim: Claim) -> bool:
    return claim.role == "reference" or words.is_label(claim.column)


def _ways(claims: Sequence[Claim], own: Cells, right: Cells) -> list[Way]:
    """The readings that join two files by their ids, one for each column that may be right; [] where none is."""
    ids = [name for name in own if name in right and _name_the_same(own[name], right[name])]
    if not ids:
        return []
    known = {one.column: one.role for one in claims}
    ways = list[Way]()
    for name, cells in right.items():
        if name not in ids and (words.role(name) == "reference" or words.is_label(name)):
            made = [one for one in own if one not in right and _predicts(own[one], cells)]
            ways += _way(known, own, right, ids[0], name, made) if made else []
    return ways


def _way(known: Mapping[str, str], own: Cells, right: Cells, asked: str, gold: str, made: Sequence[str]) -> list[Way]:
    """What joins the files, with the column that names systems where each question comes again."""
    systems = list[str]()
    if len({*own[asked]}) < len(own[asked]):
        named = (
            one for one in own if one not in made and (words.meaning(one) == "system" or known.get(one) == "system")
        )
        systems = [one for one in named if len({*zip(own[one], own[asked], strict=True)}) == len(own[asked])][:1]
        if not systems or len(made) > 1:
            return []
    said = {**dict.fromkeys(systems, "system"), asked: "question", **dict.fromkeys(made, "text"), gold: "reference"}
    rest = dict.fromkeys((one for one in (*own, *right) if one not in said), "ignored")
    what = f"{gold} is what is right for {listed(made)}"
    return [(what, " ".join(shlex.quote(f"{name}={role}") for name, role in {**said, **rest}.items()))]


def _name_the_same(own: Sequence[str], right: Sequence[str]) -> bool:
    """Whether nearly all cells of one column are ids that the other one has once each."""
    known = {*map(str.strip, right)}
    shared = known & {*map(str.strip, own)}
    return len(known) == len(right) and len(shared) >= max(FEWEST, SAME * min(len(known), len({*own})))


def _predicts(own: Sequence[str], right: Sequence[str]) -> bool:
    """Whether nearly all cells are among a few that are right, each of which comes again."""
    known = {*map(_label, right)} - {""}
    few = 1 < len(known) <= MOST_LABELS and TIMES * len(known) <= len(right)
    return few and len({*own}) > 1 and sum(_label(cell) in known for cell in own) >= SAME * len(own)


def _label(cell: str) -> str:
    return cell.strip()


def _question(file: str, own: Cells, claims: Sequence[Claim], ways: Sequence[Way], other: str) -> Unclear:
    """What is asked about both files; numbers may be scores of what is right."""
    rows = list(zip(*own.values(), strict=True))
    table = Table(file, list(own), rows, range(1, len(rows) + 1))
    marks = all({*own[name]} <= {"0", "1"} for name in own if f"{shlex.quote(f'{name}=text')} " in f"{ways[0][1]} ")
    scored = f" If 1 is right and 0 is wrong, leave {other} out." if marks else ""
    why = f"Are these predicted labels, and is what is right in {other}?{scored}"
    return Unclear(table, why, claims, ways)
