"""Columns that name what is compared: a column of systems, and grids of headings with a measure of each of several systems."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sigcore.readers.contract import Found, Notice
from sigcore.readers.tables import crossing, numbers, outcomes
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.evident import claim, left_out
from sigcore.readers.tables.table import Table

# What a system says or does beside the measure of it: llama_output, llama_pred, llama_correct.
PARTS_OF_ONE = re.compile(
    r"outputs?|pred(?:ictions?|icted)?|answers?|responses?|texts?|raw|generations?|generated|completions?|extracted|parsed|"
    r"reasoning|rationale|explanation|comments?|latency|time|seconds|duration|tokens|cost|confidence|prob(?:ability)?|label|choice",
    re.IGNORECASE,
)
# The first, or the last word of a heading, and the name of a system behind or before it.
FIRST = re.compile(r"(?P<part>[^_\s.\-/]+)[_\s.\-/]+(?P<system>.+)")
LAST = re.compile(r"(?P<system>.+?)[_\s.\-/]+(?P<part>[^_\s.\-/]+)")
# Words above names of what is compared, whatever it is: several of them answered the same questions.
COMPARED = frozenset(
    ("config", "configuration", "method", "approach", "pipeline", "retriever", "algorithm", "checkpoint", "variant")
)
Columns = dict[str, int]  # by system


def named(table: Table, result: Found) -> Table:
    """The table with a column of systems: the only one whose heading says so, where each question has one row of each."""
    ids = [k for k in table.where("segment") if table.repeats(k)]
    measured = table.headed(lambda name: words.has_measure(name) or words.is_scored(name))
    scored = any(map(table.numeric, measured))
    if len(ids) != 1 or not scored or table.where("system", "judge", "run", "measure", "task"):
        return table
    says = [k for k in table.headed(_says_what_is_compared) if k not in ids]
    if len(says) != 1 or not _is_crossed(table, says[0], ids[0]):
        return table
    k, why = says[0], "each question has one row of each"
    result.notices.append(Notice(table.file, f"{table.headings[k]} names the systems: {why}."))
    result.claims.append(claim(table, k, "system", why))
    return table.renamed({k: "system"})


def identified(table: Table, result: Found) -> Table:
    """The table with the one column that is called an id as the names of its rows, beside columns of numbers alone. Paired by
    place, files in other orders would be compared wrongly."""
    if table.where("segment", "system", "judge", "measure", "run", "text", "reference", "source"):
        return table
    found = [k for k in range(len(table.headings)) if crossing.is_id(table, k)]
    others = [k for k in range(len(table.headings)) if k not in found]
    if len(found) != 1 or not others or not all(outcomes.is_numeric(table, k) for k in others):
        return table
    result.claims.append(claim(table, found[0], "question", "each row has another one"))
    return table.renamed({found[0]: "segment"})


def _says_what_is_compared(heading: str) -> bool:
    return not COMPARED.isdisjoint(re.split(r"[.\-_ ]+", heading.lower()))


def _is_crossed(table: Table, system: int, question: int) -> bool:
    """Whether every question has exactly one row of each of several short names."""
    own, asked = table.column(system).counts, table.column(question).counts
    short = all(cell.strip() and len(cell) <= crossing.LONGEST_NAME for cell in own)
    whole = len(own) * len(asked) == len(table.rows) and table.differ([system, question])
    return short and 1 < len(own) < len(asked) and whole


def measured(table: Table, result: Found) -> Table:
    """The table with the measure of each of several systems, without what else it has of each of them; or with the names of
    its rows, where it has the scores of several criteria."""
    if _are_criteria(table):
        return _named_rows(table, [], result) if words.role(table.headings[0]) == "source" else table
    for first in (False, True):
        parts = _cut(table.headings, first)
        grid = next((own for part, own in parts.items() if _is_measured(table, part, own)), None)
        if grid:
            rest = _rest(table, parts, grid)
            values = [k for k in range(len(table.headings)) if outcomes.is_numeric(table, k)]
            crossed = crossing.found(table, values)
            if crossed is not None and {crossed.system, crossed.question} <= rest:
                return table  # what would be left out names the rows: pooled, they would be one system
            table = left_out(table, sorted(rest), "beside a measure of each system", result)
            return _named_rows(table, [*grid], result)
    return table


def _cut(headings: Sequence[str], first: bool) -> dict[str, Columns]:
    """The columns by the part and the system that their headings name; `first`: the part comes first."""
    out: dict[str, Columns] = {}
    for k, heading in enumerate(headings):
        if found := (FIRST if first else LAST).fullmatch(heading.strip()):
            out.setdefault(found["part"].lower(), {})[found["system"]] = k
    return out


def _is_measured(table: Table, part: str, own: Columns) -> bool:
    """Whether a part is a measure of several systems, and no numbered people or runs."""
    scored = len(own) > 1 and words.is_measure(part) and all(_has_numbers(table, k) for k in own.values())
    return scored and not any(map(words.is_numbered, own))


def _are_criteria(table: Table) -> bool:
    """Whether several headings name a measure and say score (correctness_score, relevance_score): these are no systems."""
    own = _cut(table.headings, first=False)
    rated = [*own.get("score", {}), *own.get("rating", {})]
    return len(rated) > 1 and all(map(words.is_measure, rated))


def _has_numbers(table: Table, k: int) -> bool:
    """Whether a column holds numbers, and is not empty (error_category and error_message, of a log without errors)."""
    return outcomes.is_numeric(table, k) and not all(map(numbers.is_missing, table.column(k).counts))


def _rest(table: Table, parts: dict[str, Columns], grid: Columns) -> set[int]:
    """The columns of the systems of a grid that are no measures, and those that a program noted."""
    others = {part: own for part, own in parts.items() if own.keys() <= grid.keys() and not words.is_measure(part)}
    of_systems = {k for part, own in others.items() for k in own.values() if _is_of_system(table, k, part)}
    noted = {k for k in table.headed(words.is_logged) if table.meanings[k] is None}
    return (of_systems | noted) - {*grid.values()}


def _is_of_system(table: Table, k: int, part: str) -> bool:
    """Whether a column below the name of a system and another word holds what belongs to the measure of that system."""
    if words.is_remark(table.headings[k]):
        return False  # set aside where all remarks are
    return PARTS_OF_ONE.fullmatch(part) is not None or not (outcomes.is_numeric(table, k) or table.meanings[k])


def _named_rows(table: Table, systems: Sequence[str], result: Found) -> Table:
    """The table with its first column as the names of the segments, where no other names them and each has another."""
    first = table.headings[0]
    others = table.where("segment", "perhaps segment", "document", "system") or table.meanings[0] not in (None, "task")
    if others or table.numeric(0) or not table.differ([0]) or words.has_measure(first):
        return table
    if any(first.startswith(name) or first.endswith(name) for name in systems):
        return table
    result.claims.append(claim(table, 0, "question", "it names the rows"))
    return replace(table, headings=["segment", *table.headings[1:]])
