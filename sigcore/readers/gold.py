"""Predicted labels in one file, and what is right in another: one question about both, with the command that joins them."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Container, Mapping, Sequence

from sigcore.formatting import listed
from sigcore.readers.contract import Claim, Detected, Found, Item
from sigcore.readers.shared import Columns, tables_of
from sigcore.readers.tables import crossing, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.evident import MOST_LABELS, SAME, TIMES
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Absent, Unclear, Way

Cells = Mapping[str, Sequence[str]]  # the cells of a file by heading
Known = Mapping[str, Sequence[Claim]]  # what was said of the columns, by file
RIVALS = ("system", "text", "score")
KEY = re.compile(r"(?:answers?|solution)(?:[-_ ]key)?", re.IGNORECASE)  # of the questions
FEWEST = 3  # questions that both files have


def asked(result: Found, detected: Sequence[Detected], columns: Columns) -> None:
    """Ask about tables of predicted labels with the column of another file that is right, and no more about that file: they have
    the same ids. `columns` gives the columns of a file."""
    claims = _claims(result) if len(detected) > 1 else {}
    files = _with_predictions(result, claims) if claims else []
    rights = _with_right(result, claims) if files else []
    cells = tables_of(detected, columns) if rights else {}
    for other in rights:
        if questions := _questions(claims, [file for file in files if file != other], other, cells):
            settled = {other, *(str(one.file) for one in questions)}
            result.problems = [one for one in result.problems if getattr(one, "file", "") not in settled]
            result.problems += questions
            return


def _questions(claims: Known, files: Sequence[str], other: str, cells: Mapping[str, Cells]) -> list[Unclear]:
    """What is asked about each of these files of predictions, to which another one has what is right."""
    right = cells.get(other, {})
    named = {one.column for one in claims.get(other, ()) if _says_right(one)}
    ways = {file: _ways(claims[file], cells.get(file, {}), right, named) for file in files}
    return [_question(file, claims[file], own, other, cells) for file, own in ways.items() if own]


def _claims(result: Found) -> dict[str, list[Claim]]:
    """What was said of the columns of each file, first where it is asked about."""
    found: dict[str, list[Claim]] = {}
    for problem in _open(result):
        found.setdefault(str(problem.file), list(problem.claims))
    for claim in result.claims:
        found.setdefault(claim.file, []).append(claim)
    return found


def _open(result: Found) -> list[Unclear]:
    return [one for one in result.problems if isinstance(one, Unclear)]


def _with_predictions(result: Found, claims: Known) -> list[str]:
    """The files that may hold predicted labels, and nothing that is right or was said to be compared: tables of words that are
    asked about, and numbers that were read as scores of several systems."""
    open_ = [one for one in _open(result) if not isinstance(one, Absent) and _may_predict(one)]
    files = dict.fromkeys([*(str(one.file) for one in open_), *sorted(_scored(result.items))])
    return [file for file in files if file in claims and not any(map(_is_settled, claims[file]))]


def _is_settled(claim: Claim) -> bool:
    """Whether a column is right, or somebody said that it is compared."""
    return _says_right(claim) or (claim.basis == "said" and claim.role in RIVALS)


def _scored(items: Sequence[Item]) -> set[str]:
    """The files that have scores of systems, and nothing else."""
    scores = {item.file for item in items if item.role == "system" and item.kind == "scores"}
    return scores - {item.file for item in items if item.role == "reference" or item.kind != "scores"}


def _may_predict(problem: Unclear) -> bool:
    """Whether columns of words, of whole numbers or of predictions by their heading may be systems."""
    rivals = [one for one in problem.claims if one.role in RIVALS]
    worded = any(cell and not numbers.is_number(cell) for one in rivals for cell in one.cells)
    whole = [one for one in rivals if one.cells and all(map(str.isdigit, filter(None, one.cells)))]
    return worded or len(whole) > 1 or any(words.is_prediction(one.column) for one in rivals)


def _with_right(result: Found, claims: Known) -> list[str]:
    """The files that have a column of what is right, and nothing else that could be compared: one column of labels looks like an
    output."""
    asked_ = [str(one.file) for one in _open(result) if any(map(_says_right, one.claims))]
    systems = Counter(item.file for item in result.items if item.role == "system")
    read = {item.file for item in result.items if item.role == "reference" and not systems[item.file]}
    texts = {item.file for item in result.items if item.kind == "text" and systems[item.file] == 1}
    labels = {file for file in texts if any(map(_says_right, claims.get(file, ())))}
    return list(dict.fromkeys([*asked_, *sorted(read | labels)]))


def _says_right(claim: Claim) -> bool:
    return claim.role == "reference" or _is_right(claim.column) or KEY.fullmatch(claim.column.strip()) is not None


def _ways(claims: Sequence[Claim], own: Cells, right: Cells, named: Container[str]) -> list[Way]:
    """The readings that join two files by their ids, one for each of the `named` columns that may be right; [] where none is."""
    ids = [name for name in own if name in right and _name_the_same(own[name], right[name])]
    if not ids:
        return []
    ids.sort(key=lambda name: crossing.count_rows(own[name]) and crossing.count_rows(right[name]))
    known = {one.column: one.role for one in claims}
    gold = [name for name in right if name not in ids and (name in named or _is_right(name))]
    return [way for name in gold for way in _way(known, own, right, ids[0], name)]


def _is_right(heading: str) -> bool:
    return words.role(heading) == "reference" or words.is_label(heading)


def _way(known: Mapping[str, str], own: Cells, right: Cells, asked: str, gold: str) -> list[Way]:
    """What joins the files, with the column that names systems where each question comes again; [] where nothing predicts."""
    made = [one for one in own if one not in right and _predicts(own[one], right[gold])]
    again = len({*own[asked]}) < len(own[asked])
    systems = _systems(known, own, asked, made) if again else []
    if not made or (again and (not systems or len(made) > 1)):
        return []
    said = {**dict.fromkeys(systems, "system"), asked: "question", **dict.fromkeys(made, "text"), gold: "reference"}
    rest = dict.fromkeys((one for one in (*own, *right) if one not in said), "ignored")
    what = f"{gold} is what is right for {listed(made)}"
    return [(what, " ".join(shlex.quote(f"{name}={role}") for name, role in {**said, **rest}.items()))]


def _systems(known: Mapping[str, str], own: Cells, asked: str, made: Sequence[str]) -> list[str]:
    """The first column that names systems, each of which has a question once; [] without one."""
    open_ = (one for one in own if one not in made and (words.meaning(one) == "system" or known.get(one) == "system"))
    return [one for one in open_ if len({*zip(own[one], own[asked], strict=True)}) == len(own[asked])][:1]


def _name_the_same(own: Sequence[str], right: Sequence[str]) -> bool:
    """Whether nearly all cells of one column are ids that the other one has once each."""
    known = {*map(str.strip, right)}
    shared = known & {*map(str.strip, own)}
    return len(known) == len(right) and len(shared) >= max(FEWEST, SAME * min(len(known), len({*own})))


def _predicts(own: Sequence[str], right: Sequence[str]) -> bool:
    """Whether nearly all cells are among a few that are right, each of which comes again."""
    known = {*map(str.strip, right)} - {""}
    few = 1 < len(known) <= MOST_LABELS and TIMES * len(known) <= len(right)
    return few and len({*own}) > 1 and sum(cell.strip() in known for cell in own) >= SAME * len(own)


def _question(
    file: str, claims: Sequence[Claim], ways: Sequence[Way], other: str, cells: Mapping[str, Cells]
) -> Unclear:
    """What is asked about both files; numbers may be scores of what is right."""
    own = cells[file]
    rows = list(zip(*own.values(), strict=True))
    table = Table(file, list(own), rows, range(1, len(rows) + 1))
    made = [one.removesuffix("=text") for one in shlex.split(ways[0][1]) if one.endswith("=text")]
    marks = all({*own[name]} <= {"0", "1"} for name in made)
    scored = f" If 1 is right and 0 is wrong, leave {other} out." if marks else ""
    problem = Unclear(table, f"Are these predicted labels, and is what is right in {other}?{scored}", claims, ways)
    problem.headings_of = {one: tuple(cells[one]) for one in (file, other)}
    return problem
