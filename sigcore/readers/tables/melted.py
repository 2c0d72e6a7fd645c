"""Columns that somebody calls systems, to a row for each system: where rows are runs of a question, or headings are words that would be
read as something else."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigcore.errors import Asking, ReadError, Settled
from sigcore.formatting import count, listed
from sigcore.measures import better_of
from sigcore.readers.contract import Found, Notice, Part
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers, outcomes
from sigcore.readers.tables.said import Said, place
from sigcore.readers.tables.table import Table

SYSTEM, SEGMENT, LABEL, SCORE = "system", "segment", "text", "score"  # headings of the vocabulary
RIGHT = re.compile(r"(?:right|correct|expected)?[-_ ]?answers?|target|truth", re.IGNORECASE)
OTHERS: frozenset[Part] = frozenset(("score", "text", "measure", "first", "second", "winner", "judge"))


def melted(table: Table, what: Said, result: Found) -> tuple[Table, Said]:
    """The table with a row for each of the columns that are systems, and what was said of it; as they are where nothing asks for it,
    where something else was said of scores, and where systems hold neither scores alone nor labels as what is right.

    Raises: ReadError where it has to be said what is right, and what tells the rows of a question apart.
    """
    table, what = _of_summary(table, what, result)
    parts = {} if _says_scores(what) else {place(table, name): part for name, part in what.columns}
    systems, gold = _of(parts, "system"), _gold(table, parts)
    _ask_right(table, parts, systems, gold)
    value = _value(table, systems, gold) if len(systems) > 1 else ""
    if not value:
        return table, what
    # what a heading says is right counts as said
    parts |= dict.fromkeys(gold, "reference") if value == LABEL else dict.fromkeys(_runs(table, parts, what), "run")
    if "run" not in parts.values() and not _are_words(table, systems):
        return table, replace(what, columns=tuple((table.headings[k], part) for k, part in parts.items()))
    numbered = not (what.segment or "question" in parts.values() or table.where("segment", "perhaps segment"))
    columns: list[tuple[str, Part]] = [(table.headings[k], part) for k, part in parts.items() if part != "system"]
    columns += [(SYSTEM, "system"), (value, "text" if value == LABEL else "score")]
    return _long(table, parts, value, numbered, result), replace(what, columns=tuple(columns))


MODULE = re.compile(r"opencompass\.models\.\w+\.")
OF_SUMMARY = ["dataset", "version", "metric", "mode"]  # of OpenCompass, before a column for each model


def _of_summary(table: Table, what: Said, result: Found) -> tuple[Table, Said]:
    """The table with a row for each data set and model, where somebody says that each data set of a summary counts as one
    question; without its averages. Each file has the models in columns of their own."""
    models = table.headings[len(OF_SUMMARY) :]
    if table.headings[: len(OF_SUMMARY)] != OF_SUMMARY or what.columns != (("dataset", "question"),) or not models:
        return table, what
    kept = [i for i, cell in enumerate(table.column(2)) if "average" not in cell.lower()]
    metrics = {table.rows[i][2].strip() for i in kept}
    measure = metrics.pop() if len(metrics) == 1 else "score"
    cells = [
        (i, [table.rows[i][0], MODULE.sub("", name), table.rows[i][k]])
        for i in kept
        for k, name in enumerate(models, 4)
    ]
    means = len(table.rows) - len(kept)
    message = f"Each data set counts as one question, as stated: its {measure} is a mean over many. "
    message += (
        f"{count(means, 'row')} with averages of others {'was' if means == 1 else 'were'} not used." if means else ""
    )
    result.notices.append(Notice(table.file, message.strip()))
    rows, places = [row for _, row in cells], [table.places[i] for i, _ in cells]
    columns: tuple[tuple[str, Part], ...] = (("dataset", "question"), ("system", "system"), (measure, "score"))
    return replace(table, headings=["dataset", "system", measure], rows=rows, places=places), replace(
        what, columns=columns
    )


def _ask_right(table: Table, parts: Mapping[int, Part], systems: Sequence[int], gold: Sequence[int]) -> None:
    """Raise ReadError where systems have the numbers of a column that is right by its heading, of which nobody said anything: many
    of them may be classes, or scores; and 0 and 1, or yes and no, may say whether an answer was right."""
    open_ = [k for k in gold if k not in parts] if len(systems) > 1 else []
    for k in open_:
        same = all(_is_label(table, one, [k], outcomes.MOST_CLASSES) for one in systems)
        if same and not (all(_is_label(table, one, [k]) for one in systems) and not _are_outcomes(table, systems)):
            name = table.headings[k]
            said = [shlex.quote(f"{name}={part}") for part in ("reference", "ignored")]
            message = f"Is {name} what is right for {listed(table.named(systems))}? They have its numbers or words."
            raise Settled(message, table.file, 1, f"If so: --columns {said[0]}. If not: --columns {said[1]}.")


def _are_outcomes(table: Table, systems: Sequence[int]) -> bool:
    """Whether all cells of some columns may say whether an answer was right."""
    words_ = {numbers.word(cell) for k in systems for cell in table.column(k).counts}
    return all(word in ("0", "1", "") or word in numbers.ALL_OUTCOMES for word in words_)


def _says_scores(what: Said) -> bool:
    """Whether something was said of scores, of names of systems in rows, or of the whole table."""
    return bool(what.system or what.scores or what.rows or OTHERS & {part for _, part in what.columns})


def _gold(table: Table, parts: Mapping[int, Part]) -> list[int]:
    """What is right, as somebody says, or else by its heading."""
    said = [k for k, part in parts.items() if part == "reference"]
    if any(map(outcomes.names_scores, table.named(_of(parts, "system")))):
        return said  # plain_correct says itself whether an answer was right
    headed = [*table.gold, *table.headed(words.is_label), *table.headed(RIGHT.fullmatch)]
    return said or [k for k in dict.fromkeys(headed) if k not in parts][:1]


def _long(table: Table, parts: Mapping[int, Part], value: str, numbered: bool, result: Found) -> Table:
    """The table with a row for each system; rows that nothing names are `numbered`. What is not used is noted."""
    systems = _of(parts, "system")
    named = [name for name, _ in _measured(table, systems)]
    open_ = [k for k in range(len(table.headings)) if k not in systems]
    rest = [k for k in open_ if k in parts or not _would_compete(table, k)]
    if unused := sorted({*open_} - {*rest}):
        result.notices.append(Notice(table.file, f"Columns that are not used: {listed(table.named(unused))}."))
    rows = [
        [*[str(i + 1)] * numbered, *(row[k] for k in rest), name, row[one]]
        for i, row in enumerate(table.rows)
        for one, name in zip(systems, named, strict=True)
    ]
    headings = [*[SEGMENT] * numbered, *table.named(rest), SYSTEM, value]
    places = [line for line in table.places for _ in systems]
    return replace(table, headings=headings, rows=rows, places=places, numbered=table.numbered or numbered)


def _runs(table: Table, parts: Mapping[int, Part], what: Said) -> list[int]:
    """The column of runs by its heading that tells rows of a question apart, where somebody named the questions alone; [] where
    nothing has to.

    Raises: ReadError where nothing does: as questions of their own the rows would count more than once.
    """
    asked = [place(table, name) for name in what.segment] + _of(parts, "question")
    own = [*asked, *_of(parts, "run", "task", "document")]
    if not asked or table.differ(own) or "run" in parts.values():
        return []
    open_ = [k for k in range(len(table.headings)) if k not in parts and table.repeats(k)]
    told = [k for k in open_ if table.differ([*own, k])]
    runs = [k for k in told if table.meanings[k] == "run"][:1]
    if not runs:
        raise _apart(table, asked, told, what)
    return runs


def _of(parts: Mapping[int, Part], *named: Part) -> list[int]:
    return [k for k, part in parts.items() if part in named]


def _apart(table: Table, asked: Sequence[int], told: Sequence[int], what: Said) -> ReadError:
    """The question what tells the rows of one question apart, with the commands that say it."""
    name, times = Counter(table.joined(asked)).most_common(1)[0]
    message = f"{name} stands in {times} rows of {listed(table.named(asked))}."
    said = shlex.join(f"{one}={part}" for one, part in what.columns)
    known = [
        f"If {one} names their runs or people: --columns {said} {shlex.quote(f'{one}=run')}."
        for one in table.named(told)[:2]
    ]
    fix = " ".join([*known, f"If they are runs of it: --columns {said} rows=run."])
    return Asking(message, table.file, 1, fix)


def _are_words(table: Table, systems: Sequence[int]) -> bool:
    """Whether a heading of a system is a word that means something else, or all of them name measures."""
    named = table.named(systems)
    known = [words.role(name) != "system" or words.meaning(name) not in (None, "score", "rated") for name in named]
    return any(known) or all(map(words.is_measure, named))


def _value(table: Table, systems: Sequence[int], gold: Sequence[int]) -> str:
    """The heading of what the systems have: labels as what is right, or scores of a measure; "" for anything else."""
    if gold and all(_is_label(table, k, gold) for k in systems):
        return LABEL
    scored = not gold and all(outcomes.is_numeric(table, k) for k in systems)
    return _measured(table, systems)[0][1] if scored else ""


def _measured(table: Table, systems: Sequence[int]) -> list[tuple[str, str]]:
    """The name and the measure of each system: of base_wer and ours_wer these are base and ours; of names that are measures of errors
    themselves, all of them, so that lower stays better."""
    named = table.named(systems)
    cut = list(map(words.cut, named))
    if len({measure for _, measure in cut}) == 1 and all(map(all, cut)) and len(dict(cut)) == len(cut):
        return cut
    lower = all(better_of(name) == "lower" for name in named)
    return [(name, " / ".join(named) if lower else SCORE) for name in named]


def _is_label(table: Table, k: int, gold: Sequence[int], most: int = outcomes.MOST_LABELS) -> bool:
    """Whether a column has numbers, at `most` so many, or words as what is right has."""
    return outcomes.are_labels(table, k, gold, most) or (
        not table.numeric(k) and outcomes.are_answers(table, [k], gold)
    )


def _would_compete(table: Table, k: int) -> bool:
    """Whether a column of which nobody said anything would be read as a system, as scores or as what they wrote."""
    known = table.meanings[k] in ("system", "score", "z", "rated", "measure", "text", "run")
    return known or (table.meanings[k] is None and (table.numeric(k) or bool(numbers.truths(table.column(k)))))
