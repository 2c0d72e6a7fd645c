"""What completes the roles that somebody named: the questions, what tells their rows apart, and the scores.

Nothing is read by it. Each reading is a command for a person that repeats what was said, and is tried before it is printed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from sigcore.formatting import listed
from sigcore.readers.contract import Part
from sigcore.readers.tables import crossing, numbers, outcomes, proposals
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.numbers import FEWEST
from sigcore.readers.tables.table import Table, Way

MOST = 2  # readings that are shown
MOST_TOGETHER, MOST_FACTORS = 4, 10  # columns that name a question together, and of those that may
MOST_TRIED = 200  # sets of them
LONGEST_FACTOR = 60  # characters of a part of the name of a question
OTHERS: tuple[Part, ...] = ("text", "winner", "first", "second", "judge")  # said of it, the scores are known


def of(table: Table, said: Mapping[str, Part]) -> list[Way]:
    """The likeliest readings in which columns of names are the systems that somebody named; [] where he says another thing."""
    known = {table.headings.index(name): part for name, part in said.items()}
    system = tuple(k for k, part in known.items() if part == "system" and _are_names(table, k))
    if not system or len(table.rows) > proposals.MOST_ROWS or set(OTHERS) & {*known.values()}:
        return []
    return list(itertools.islice(_ways(table, known), MOST))


def for_each(table: Table) -> list[Way]:
    """The likeliest reading for each column whose heading says system: one column names the questions."""
    if table.role or not 2 * FEWEST <= len(table.rows) <= proposals.MOST_ROWS:
        return []
    named = [k for k in proposals.names_of(table) if crossing.says(table, k)]
    named = [k for k in named if not any(_is_kind(table, k, one) for one in named)]
    found = ((k, way) for k in named for way in itertools.islice(_ways(table, {k: "system"}, 1), 1))
    return [
        (f"{table.headings[k]} names the systems, and {why}", said) for k, (why, said) in itertools.islice(found, MOST)
    ]


def _is_kind(table: Table, k: int, other: int) -> bool:
    """Whether a column has kinds of the systems that another one names, or other names of them behind it."""
    coarser = k != other and proposals.is_fact(table, k, (other,))
    return coarser and (other < k or not proposals.is_fact(table, other, (k,)))


def _ways(table: Table, known: Mapping[int, Part], most: int = MOST_TOGETHER) -> Iterator[Way]:
    """The readings with these roles, in which at most so many columns name the questions together."""
    return (way for one in _readings(table, known, most) if (way := _way(table, one, known)) is not None)


def _are_names(table: Table, k: int) -> bool:
    """Whether a column that somebody calls a system has names that come again, and no outputs or scores."""
    own = table.column(k).counts
    return 1 < len(own) <= proposals.MOST_SYSTEMS and 2 * len(own) <= len(table.rows)


def _readings(table: Table, known: Mapping[int, Part], most: int) -> Iterator[proposals.Reading]:
    """What may name the questions, with what tells rows of a system apart besides; without anything, rows are runs."""
    system, told = (tuple(k for k, one in known.items() if one == part) for part in ("system", "question"))
    apart = [k for k, part in known.items() if part in ("run", "task")]
    runs = [k for k in _open(table, known) if proposals.names_part(table, k)]
    tried = [told] if told else itertools.islice(_asked(table, known, runs, most), MOST_TRIED)
    seen = list[set[int]]()
    for asked in tried:
        if any(one <= {*asked} for one in seen) or not _shared(table, system, asked):
            continue
        few = [k for k in _open(table, known) if len(asked) == 1 and most > 1 and _are_few(table, k)]
        rest = (None, *(k for k in (*runs, *few) if k not in asked))
        ways = (k for k in rest if table.differ([*system, *asked, *apart, *([] if k is None else [k])]))
        for other in itertools.islice(ways, 1):
            seen += [{*asked}] if other is None or other in runs else []
            yield proposals.Reading(system, asked, other)
    ids = [told] if told else [(k,) for k in _open(table, known) if proposals.says_id(table, k) and k not in runs]
    if not seen:
        yield from (proposals.Reading(system, one, rows=True) for one in ids if _shared(table, system, one))


def _open(table: Table, known: Mapping[int, Part]) -> list[int]:
    return [k for k in range(len(table.headings)) if k not in known and len(table.column(k).counts) > 1]


def _asked(table: Table, known: Mapping[int, Part], runs: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """The columns that may name the questions, alone and together: ids first, then texts, then words and levels."""
    open_ = list[int]()
    for k in _open(table, known):
        others = (*open_, *(one for one, part in known.items() if part == "system"))
        if k not in runs and _may_ask(table, k) and not any(proposals.name_the_same(table, k, one) for one in others):
            open_.append(k)
    ids = [k for k in open_ if proposals.says_id(table, k)]
    texts = [k for k in open_ if k not in ids and not table.numeric(k) and table.meanings[k] not in ("text", "remark")]
    factors = [k for k in (*ids, *texts) if max(map(len, table.column(k).counts)) <= LONGEST_FACTOR]
    levels = [k for k in open_ if k not in (*ids, *texts) and _are_levels(table, k)]
    yield from ((k,) for k in (*ids, *texts) if table.meanings[k] != "aside")
    for size in range(2, most + 1):
        yield from itertools.combinations([*factors, *levels][:MOST_FACTORS], size)


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
    own: dict[str, int] = {}
    for _, question in pairs:
        own[question] = own.get(question, 0) + 1
    several = sum(number > 1 for number in own.values())
    return several >= FEWEST and several >= proposals.SHARED * len(own)


def _way(table: Table, one: proposals.Reading, known: Mapping[int, Part]) -> Way | None:
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
