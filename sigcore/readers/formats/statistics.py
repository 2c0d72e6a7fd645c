"""Counts per segment of one system: `name=number` separated by spaces, or a table with a column per count."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.proof import parsed
from sigcore.readers import names
from sigcore.readers.contract import BY_LOOK, CERTAIN, NO, Content, Found, Item, Notice, Options, Reader, described
from sigcore.readers.tables import cells, headings
from sigcore.readers.tables.headings import Meaning, meaning
from sigcore.readers.tables.numbers import is_number
from sigcore.readers.tables.table import Table

ROUNDED = 1e-6
HEAD, LONGEST = 50, 2_000  # lines examined, and characters of the first one
PAIR = re.compile(r"([^\s=]+)=(\S+)")
# A table of numbers with only these headings is one of counts: systems have other names. (A and S could be two systems.)
WORDS = (
    "tp fp fn tn pred predicted gold num den numerator denominator correct total hits errors edits words matched test "
    "length reference_length sys_len ref_len links sure links_and_sure links_and_possible a_and_s a_and_p"
)
COUNTS, SHORT = frozenset(WORDS.split()), ("a", "s")
LABELS = frozenset(("pred", "predicted", "gold"))  # alone they are labels, of which nothing is counted
# Columns that name a segment or its origin, and are not counts.
ASIDE: tuple[Meaning, ...] = ("segment", "perhaps segment", "document", "domain")
ORDERED = re.compile(r"(?:match|matches|counts?|correct|totals?)_?[1-4]")

# METEOR prints its rows (-ssOut) without a header; the formula meteor expects these names.
METEOR = (
    *("hyp_len", "ref_len", "hyp_function", "ref_function"),
    *(f"m{k}_{side}_{kind}" for k in range(1, 5) for kind in ("content", "function") for side in ("hyp", "ref")),
    *("chunks", "hyp_matches", "ref_matches"),
)


def _looks(content: Content) -> int:
    if names.guess_role(content.file) == "ignored":
        return NO
    if content.suffix in ("stats", "statistics"):
        return CERTAIN
    lines = content.lines[:HEAD]
    if len(lines[0]) > LONGEST:
        return NO
    if "=" in lines[0]:
        return BY_LOOK if _pairs(lines) else NO
    if _meteor(lines):
        return CERTAIN
    mark = cells.mark_of(lines[0])
    head = [[names.clean(cell).strip('"') for cell in cells.cut(line, mark)] for line in lines[:2]]
    return CERTAIN if len(lines) > 1 and _counts(*head) else NO


def _meteor(lines: Sequence[str]) -> bool:
    """Whether every line is a row of METEOR: 23 numbers, and the matches of each side add up."""
    for line in lines:
        parts = line.split()
        if len(parts) != len(METEOR) or not all(map(is_number, parts)):
            return False
        row = [float(part) for part in parts]
        if any(abs(sum(row[4 + side : 20 : 2]) - row[21 + side]) > ROUNDED for side in (0, 1)):
            return False
    return True


def _counts(head: list[str], row: list[str]) -> bool:
    """Whether the headings name nothing but counts, two or more, and numbers are below them."""
    counts = [(name.lower(), cell) for name, cell in zip(head, row, strict=False) if meaning(name) not in ASIDE]
    known = sum(name in COUNTS or bool(ORDERED.fullmatch(name)) for name, _ in counts)
    short = sum(name in SHORT for name, _ in counts)
    if {name for name, _ in counts} <= LABELS:
        return False
    return known >= 2 and known + short == len(counts) and all(is_number(cell) for _, cell in counts)


def _pairs(lines: Sequence[str]) -> bool:
    """Whether every line consists of name=number pairs, with the names of the first."""
    named = [_named(line) for line in lines]
    return bool(named[0]) and all(names_of == named[0] for names_of in named)


def _named(line: str) -> set[str]:
    """The names in a line of name=number pairs; empty if it is something else."""
    pairs = [PAIR.fullmatch(part) for part in line.split()]
    return {pair[1] for pair in pairs if pair and is_number(pair[2])} if all(pairs) else set()


def _read(content: Content, options: Options) -> Found:
    file, lines = content.file, content.lines
    if any("=" in part for part in lines[0].split()):
        return Found(items=[_item(file, tuple(line.strip() for line in lines))])
    if _meteor(lines[:HEAD]):
        return _meteor_rows(file, lines)
    rows = cells.rows(content, cells.mark_of(lines[0]))
    columns = _columns(file, [names.clean(cell) for cell in rows.cells[0]])
    if len(rows.cells) < 2:
        raise ReadError("A table of counts has a header and a row per segment.", file, 1, "Load the complete table.")
    cells.refuse_ragged(rows)
    body = [[names.clean(cell).strip('"') for cell in row] for row in rows.cells[1:]]
    return Found(items=_items(Table(file, columns, body, rows.lines[1:])))


def _meteor_rows(file: str, lines: Sequence[str]) -> Found:
    rows = [line.split() for line in lines]
    odd = next((i for i, row in enumerate(rows) if len(row) != len(METEOR)), None)
    if odd is not None:
        message = f"line {odd + 1} has {len(rows[odd])} numbers, a row of METEOR has {len(METEOR)}."
        raise ReadError(message, file, odd + 1, "Use the rows that METEOR prints with -ssOut, one for each segment.")
    message = "Its rows of 23 numbers were read as METEOR's (-ssOut): choose the formula meteor."
    items = _items(Table(file, list(METEOR), rows, range(1, len(rows) + 1)))
    return Found(items=items, notices=[Notice(file, message)])


def _columns(file: str, columns: list[str]) -> list[str]:
    """The names, with underscores for spaces (ReadError for numbers, missing names, and repeated names)."""
    columns = [re.sub(r"[\s=]+", "_", column.strip('"')) for column in columns]
    bad = next((c for c in columns if not c or is_number(c) or columns.count(c) > 1), None)
    if bad is not None:
        why = "is the name of two columns" if bad and columns.count(bad) > 1 else "is not the name of a column"
        fix = "Write the names of the counts in the first line, or name=number in every line."
        raise ReadError(f"line 1: {bad[:40]!r} {why}.", file, 1, fix)
    return columns


def _items(table: Table) -> list[Item]:
    """The counts of all columns except those of ids, and the documents and domains."""
    counts = [k for k, means in enumerate(table.meanings) if means not in ASIDE]
    if not counts:
        raise ReadError("No column contains counts.", table.file, 1, "Add the counts, one column each.")
    _refuse_words(table, counts)
    segments = tuple(" ".join(f"{table.headings[k]}={row[k].strip()}" for k in counts) for row in table.rows)
    note = f"a column of a table, {count(len(segments), 'segment')}"
    shared = [
        Item(table.headings[k], headings.role(table.headings[k]), "text", table.column(k), table.file, note)
        for k in table.where("document", "domain")
    ]
    return [_item(table.file, segments), *shared]


def _refuse_words(table: Table, counts: Sequence[int]) -> None:
    """Raise ReadError unless every count is a number."""
    for i, row in enumerate(table.rows):
        bad = next((k for k in counts if not is_number(row[k])), None)
        if bad is not None:
            message = f"column {table.headings[bad]}, row {i + 1}: {row[bad][:40]!r} is not a number."
            raise ReadError(message, table.file, table.places[i], "Give every segment a finite number in each column.")


def _item(file: str, segments: tuple[str, ...]) -> Item:
    note = f"statistics, {count(len(segments), 'segment')}"
    return Item(names.display_name(file), "system", "statistics", segments, file, note)


READER = Reader(
    **described("statistics"),
    kinds=("statistics",),
    looks=_looks,
    read=_read,
    proof=parsed(("system", "One", ("tp=3 pred=5 gold=4", "tp=0 pred=1 gold=2", "tp=1 pred=1 gold=1"))),
)
