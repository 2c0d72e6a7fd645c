"""What completes the roles that somebody named: the questions, what tells their rows apart, and the scores.

Nothing is read by it. Each reading is a command for a person that repeats what was said, and is tried before it is printed.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from sigcore.formatting import listed
from sigcore.readers.contract import Part
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers, outcomes, proposals
from sigcore.readers.tables.numbers import FEWEST
from sigcore.readers.tables.proposals import Reading
from sigcore.readers.tables.table import Table, Way

MOST = 2  # readings that are shown
MOST_TOGETHER, MOST_FACTORS = 4, 10  # columns that name a question together, and of those that may
MOST_TRIED = 200  # sets of them
LONGEST_FACTOR = 60  # characters of a part of the name of a question
OTHERS: tuple[Part, ...] = ("text", "winner", "first", "second", "judge")  # said of it, the scores are known


def of(table: Table, said: Mapping[str, Part]) -> list[Way]:
    """The likeliest readings in which columns of names are the systems that somebody named; [] if other things are said."""
    known = {table.headings.index(name): part for name, part in said.items()}
    system = tuple(k for k, part in known.items() if part == "system" and _are_names(table, k))
    if not system or len(table.rows) > proposals.MOST_ROWS or set(OTHERS) & {*known.values()}:
        return []
    found = (way for one in _readings(table, known) if (way := _way(table, one, known)) is not None)
    return list(itertools.islice(found, MOST))


def _are_names(table: Table, k: int) -> bool:
    """Whether a column that somebody calls a system has names that come again, and no outputs or scores."""
    own = table.column(k).counts
    return 1 < len(own) <= proposals.MOST_SYSTEMS and 2 * len(own) <= len(table.rows)


def _readings(table: Table, known: Mapping[int, Part]) -> Iterator[Reading]:
    """What may name the questions, with what tells rows of a system apart besides; without anything, rows are runs."""
    system, named, apart = _said(known, "system"), _said(known, "question"), _said(known, "run", "task")
    runs, open_ = _open(table, known)
    seen = list[set[int]]()
    for asked in [named] if named else itertools.islice(_asked(table, system, open_), MOST_TRIED):
        new = _shared(table, system, asked) and not any(one <= {*asked} for one in seen)
        few = list(filter(partial(_are_few, table), open_)) if new and len(asked) == 1 else []
        found = _apart(table, Reading(system, asked), apart, [*runs, *few]) if new else []
        seen += [{*asked} for one in found if one.other not in few]
        yield from found
    ids = [named] if named else list(zip(filter(partial(proposals.says_id, table), open_), strict=True))
    yield from (Reading(system, one, rows=True) for one in ids if not seen and _shared(table, system, one))


def _open(table: Table, known: Mapping[int, Part]) -> tuple[list[int], list[int]]:
    """The columns of which nothing was said that name runs, and the others."""
    open_ = [k for k in range(len(table.headings)) if k not in known and len(table.column(k).counts) > 1]
    runs = list(filter(partial(proposals.names_part, table), open_))
    return runs, [k for k in open_ if k not in runs]


def _said(known: Mapping[int, Part], *parts: Part) -> tuple[int, ...]:
    return tuple(k for k, part in known.items() if part in parts)


def _apart(table: Table, one: Reading, apart: Sequence[int], others: Sequence[int]) -> list[Reading]:
    """The reading, with one of the others where rows of a system and a question differ in it alone; [] where nothing tells
    them apart."""
    own = [*one.system, *one.asked, *apart]
    if table.differ(own):
        return [one]
    found = (k for k in others if k not in one.asked and table.differ([*own, k]))
    return [replace(one, other=k) for k in itertools.islice(found, 1)]


def _asked(table: Table, system: Sequence[int], columns: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The columns that may name the questions, alone and together: ids first, then texts, then words and levels."""
    ids, texts, levels = _factors(table, system, columns)
    factors = [k for k in (*ids, *texts, *levels) if max(map(len, table.column(k).counts)) <= LONGEST_FACTOR]
    yield from ((k,) for k in (*ids, *texts) if table.meanings[k] != "aside")
    sizes = range(2, MOST_TOGETHER + 1)
    yield from itertools.chain.from_iterable(map(partial(itertools.combinations, factors[:MOST_FACTORS]), sizes))


def _factors(table: Table, system: Sequence[int], columns: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """The ids, texts and levels, without those that only repeat another one, or the systems."""
    open_ = list[int]()
    for k in filter(partial(_may_ask, table), columns):
        open_ += [] if any(proposals.name_the_same(table, k, one) for one in (*open_, *system)) else [k]
    ids = [k for k in open_ if proposals.says_id(table, k)]
    rest = [k for k in open_ if k not in ids]
    texts = [k for k in rest if not table.numeric(k) and table.meanings[k] not in ("text", "remark")]
    return ids, texts, [k for k in rest if table.numeric(k) and _are_levels(table, k)]


def _may_ask(table: Table, k: int) -> bool:
    """Whether a column is no score: neither by its heading, nor outcomes or fractions."""
    heading = table.headings[k]
    if not table.numeric(k):
        return not numbers.truths(table.column(k), numbers.OUTCOMES)
    scored = words.has_measure(heading) or words.is_outcome(heading) or outcomes.says_score(heading)
    return not (scored or numbers.scale(table.column(k)).fractions)


def _are_levels(table: Table, k: int) -> bool:
    """Whether a column has a few whole numbers, each in several rows."""
    own = table.column(k).counts
    return len(own) <= proposals.MOST_LEVELS and all(map(str.isdigit, own)) and table.repeats(k)


def _are_few(table: Table, k: int) -> bool:
    """Whether a column has a few words, which may tell rows of a question apart."""
    return not table.numeric(k) and len(table.column(k).counts) <= proposals.MOST_LEVELS and _may_ask(table, k)


def _shared(table: Table, system: Sequence[int], asked: Sequence[int]) -> bool:
    """Whether enough questions are named that several systems have."""
    pairs = {*zip(table.joined(system), table.joined(asked), strict=True)}
    own = Counter(question for _, question in pairs)
    several = sum(number > 1 for number in own.values())
    return several >= FEWEST and several >= proposals.SHARED * len(own)


def _way(table: Table, one: Reading, known: Mapping[int, Part]) -> Way | None:
    """A reading in words, and all roles that say it: those that somebody named, and the others; None without scores."""
    more: proposals.Roles = [] if one.other is None else [(one.other, proposals.told_by(table, one.other))]
    roles = [*known.items(), *((k, "question") for k in one.asked if k not in known), *more]
    if not {"score", "reference"} & {*known.values()}:
        scores = [(k, part) for k, part in proposals.compared(table, one) if k not in known]
        if not scores:
            return None
        roles += scores
    runs = [f"{table.headings[k]} their {part}s" for k, part in more] + ["their rows are runs"] * one.rows
    asked = f"{listed(table.named(one.asked))} name{'s' * (len(one.asked) == 1)} the questions"
    return ", and ".join([asked, *runs]), proposals.said(table, roles, *["rows=run"] * one.rows)
