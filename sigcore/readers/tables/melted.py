"""Columns that somebody calls systems, to a row for each system: where rows are runs of a question, or headings are words that would be
read as something else."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers.contract import Part
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers, outcomes
from sigcore.readers.tables.said import Said, place
from sigcore.readers.tables.table import Table

SYSTEM, SEGMENT, LABEL, SCORE = "system", "segment", "text", "score"  # headings of the vocabulary
OTHERS: frozenset[Part] = frozenset(("score", "text", "measure", "first", "second", "winner", "judge"))


def melted(table: Table, what: Said) -> tuple[Table, Said]:
    """The table with a row for each of the columns that are systems, and what was said of it; as they are where nothing asks for it,
    and where something else was said of scores."""
    parts = {} if _says_scores(what) else {place(table, name): part for name, part in what.columns}
    systems = _systems(parts)
    value = _value(table, systems, _gold(table, parts)) if len(systems) > 1 else ""
    parts |= dict.fromkeys(_runs(table, parts, what.segment) if value == SCORE else [], "run")
    if not value or not ("run" in parts.values() or _are_words(table, systems)):
        return table, what
    numbered = not (what.segment or "question" in parts.values() or table.where("segment", "perhaps segment"))
    columns: list[tuple[str, Part]] = [(table.headings[k], part) for k, part in parts.items() if part != "system"]
    columns += [(SYSTEM, "system"), (value, "text" if value == LABEL else "score")]
    return _long(table, parts, value, numbered), replace(what, columns=tuple(columns))


def _says_scores(what: Said) -> bool:
    """Whether something was said of scores, of names of systems in rows, or of the whole table."""
    return bool(what.system or what.scores or what.rows or OTHERS & {part for _, part in what.columns})


def _systems(parts: Mapping[int, Part]) -> list[int]:
    return [k for k, part in parts.items() if part == "system"]


def _gold(table: Table, parts: Mapping[int, Part]) -> list[int]:
    """What is right, as somebody says, or else by its heading."""
    return [k for k, part in parts.items() if part == "reference"] or [
        k for k in table.where("reference") if k not in parts
    ]


def _long(table: Table, parts: Mapping[int, Part], value: str, numbered: bool) -> Table:
    """The table with a row for each system; rows that nothing names are `numbered`."""
    systems = _systems(parts)
    rest = [k for k in range(len(table.headings)) if k not in systems and (k in parts or not _would_compete(table, k))]
    rows = [
        [*[str(i + 1)] * numbered, *(row[k] for k in rest), table.headings[one], row[one]]
        for i, row in enumerate(table.rows)
        for one in systems
    ]
    headings = [*[SEGMENT] * numbered, *table.named(rest), SYSTEM, value]
    places = [line for line in table.places for _ in systems]
    return replace(table, headings=headings, rows=rows, places=places, numbered=table.numbered or numbered)


def _runs(table: Table, parts: Mapping[int, Part], segment: Sequence[str]) -> list[int]:
    """The column of runs by its heading that tells rows of a question apart, where somebody named the questions alone; [] where
    nothing has to.

    Raises: ReadError where nothing does: as questions of their own the rows would count more than once.
    """
    asked = [place(table, name) for name in segment] + [k for k, part in parts.items() if part == "question"]
    beside = [k for k, part in parts.items() if part in ("run", "task", "document")]
    if not asked or table.differ([*asked, *beside]) or "run" in parts.values():
        return []
    if runs := [k for k in table.where("run") if k not in parts and table.differ([*asked, *beside, k])][:1]:
        return runs
    own = Counter(table.joined(asked)).most_common(1)[0]
    message = (
        f"{own[0]} stands in {own[1]} rows of {listed(table.named(asked))}, and nothing says what tells them apart."
    )
    named = shlex.join(f"{name}=question" for name in table.named(asked))
    problem = ReadError(message, table.file, 1, f"If they are runs of one question: --columns {named} rows=run.")
    problem.asks = True
    raise problem


def _are_words(table: Table, systems: Sequence[int]) -> bool:
    """Whether a heading of a system is a word that means something else, or all of them name measures."""
    named = table.named(systems)
    known = [words.role(name) != "system" or words.meaning(name) not in (None, "score", "rated") for name in named]
    return any(known) or all(map(words.is_measure, named))


def _value(table: Table, systems: Sequence[int], gold: Sequence[int]) -> str:
    """The heading of what the systems have: texts, or scores; "" where some have the one and some the other."""
    labels = [outcomes.are_labels(table, k, gold) or not outcomes.is_known(table, k) for k in systems]
    labels = [True] * len(systems) if gold and all(_is_label(table, k, gold) for k in systems) else labels
    return LABEL if all(labels) else "" if any(labels) else SCORE


def _is_label(table: Table, k: int, gold: Sequence[int]) -> bool:
    """Whether a column has numbers or words as what is right has."""
    return outcomes.are_labels(table, k, gold) or (not table.numeric(k) and outcomes.are_answers(table, [k], gold))


def _would_compete(table: Table, k: int) -> bool:
    """Whether a column of which nobody said anything would be read as a system, as scores or as what they wrote."""
    known = table.meanings[k] in ("system", "score", "z", "rated", "measure", "text", "run")
    return known or (table.meanings[k] is None and (table.numeric(k) or bool(numbers.truths(table.column(k)))))
