"""Counts per segment of one system: `name=number` separated by blanks, or a table with a column per count."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sigcore.errors import ReadError
from sigcore.readers import names
from sigcore.readers.contract import BY_LOOK, CERTAIN, NO, Content, Found, Item, Notice, Options, Reader
from sigcore.readers.tables import headings
from sigcore.readers.tables.numbers import is_number

ROUNDED = 1e-6
HEAD, LONGEST = 50, 2_000  # lines looked at, and letters of the first one
PAIR = re.compile(r"([^\s=]+)=(\S+)")
# A table of numbers under these alone is one of counts: systems have other names. (A and S could be two systems.)
WORDS = (
    "tp fp fn tn pred predicted gold num den numerator denominator correct total hits errors edits words matched test "
    "length reference_length sys_len ref_len links sure links_and_sure links_and_possible a_and_s a_and_p"
)
COUNTS, SHORT = frozenset(WORDS.split()), ("a", "s")
ORDERED = re.compile(r"(?:match|matches|counts?|correct|totals?)_?[1-4]")

# METEOR prints its rows (-ssOut) without a header; by these names the formula meteor knows them.
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
    return CERTAIN if len(lines) > 1 and _counts(_cut(lines[0]), _cut(lines[1])) else NO


def _meteor(lines: Sequence[str]) -> bool:
    """Whether every line is a row of METEOR: 23 numbers, and the matches of each side add up."""
    for line in lines:
        cells = line.split()
        if len(cells) != len(METEOR) or not all(map(is_number, cells)):
            return False
        row = [float(cell) for cell in cells]
        if any(abs(sum(row[4 + side : 20 : 2]) - row[21 + side]) > ROUNDED for side in (0, 1)):
            return False
    return True


def _counts(head: list[str], row: list[str]) -> bool:
    """Whether the headings name nothing but counts, two or more, and numbers stand below them."""
    cells = [(name.lower(), cell) for name, cell in zip(head, row, strict=False)]
    cells = [(name, cell) for name, cell in cells if name not in headings.IDS | headings.DOCUMENTS]
    known = sum(name in COUNTS or bool(ORDERED.fullmatch(name)) for name, _ in cells)
    short = sum(name in SHORT for name, _ in cells)
    return known >= 2 and known + short == len(cells) and all(is_number(cell) for _, cell in cells)


def _pairs(lines: Sequence[str]) -> bool:
    """Whether every line is name=number throughout, with the names of the first."""
    found = [[PAIR.fullmatch(part) for part in line.split()] for line in lines]
    if not all(all(parts) for parts in found):
        return False
    each = [{part[1] for part in parts if part and is_number(part[2])} for parts in found]
    return bool(each and each[0]) and all(one == each[0] for one in each)


def _cut(line: str) -> list[str]:
    """The cells of a line of a table: separated by TAB, else by semicolon or comma, else by blanks."""
    mark = next((mark for mark in "\t;," if mark in line), None)
    return [names.clean(cell).strip('"') for cell in line.split(mark)]


def _read(content: Content, options: Options) -> Found:
    file, lines = content.file, content.lines
    if any("=" in part for part in lines[0].split()):
        return Found(items=[_item(file, tuple(line.strip() for line in lines))])
    if _meteor(lines[:HEAD]):
        return _meteor_rows(file, lines)
    columns = _columns(file, _cut(lines[0]))
    rows = [_cut(line) for line in lines[1:]]
    if not rows:
        raise ReadError("A table of counts has a header and a row per segment.", file, 1, "Load the whole table.")
    odd = next((i for i, row in enumerate(rows) if len(row) != len(columns)), None)
    if odd is not None:
        what = f"{file}: line {odd + 2} has {len(rows[odd])} cells, line 1 has {len(columns)}."
        raise ReadError(what, file, odd + 2, "Give every row one number for each column.")
    return Found(items=_items(file, columns, rows))


def _meteor_rows(file: str, lines: Sequence[str]) -> Found:
    rows = [line.split() for line in lines]
    odd = next((i for i, row in enumerate(rows) if len(row) != len(METEOR)), None)
    if odd is not None:
        what = f"line {odd + 1} has {len(rows[odd])} numbers, a row of METEOR has {len(METEOR)}."
        raise ReadError(what, file, odd + 1, "Take the rows that METEOR prints with -ssOut, one for each segment.")
    told = "Its rows of 23 numbers were read as METEOR's (-ssOut): choose the formula meteor."
    return Found(items=_items(file, list(METEOR), rows), notices=[Notice(file, told)])


def _columns(file: str, columns: list[str]) -> list[str]:
    """The names, blanks inside them as underscores (ReadError for numbers, no name, and a name given twice)."""
    columns = [re.sub(r"[\s=]+", "_", column) for column in columns]
    bad = next((c for c in columns if not c or is_number(c) or columns.count(c) > 1), None)
    if bad is not None:
        why = "stands over two columns" if bad and columns.count(bad) > 1 else "is no name of a column"
        fix = "Write the names of the counts in the first line, or name=number in every line."
        raise ReadError(f"line 1: {bad[:40]!r} {why}.", file, 1, fix)
    return columns


def _items(file: str, columns: list[str], rows: list[list[str]]) -> list[Item]:
    lower = [column.lower() for column in columns]
    kept = [k for k, name in enumerate(lower) if name not in headings.IDS | headings.DOCUMENTS]
    for i, row in enumerate(rows):
        bad = next((k for k in kept if not is_number(row[k])), None)
        if bad is not None:
            what = f"column {columns[bad]}, row {i + 1}: {row[bad][:40]!r} is not a number."
            raise ReadError(what, file, i + 2, "Give every segment a finite number in each column.")
    if not kept:
        raise ReadError("No column holds counts.", file, 1, "Add the counts, one column each.")
    items = [_item(file, tuple(" ".join(f"{columns[k]}={row[k].strip()}" for k in kept) for row in rows))]
    for k in (k for k, name in enumerate(lower) if name in headings.DOCUMENTS):
        note = f"a column of a table, {len(rows)} segments"
        items.append(Item(columns[k], "documents", "text", tuple(row[k] for row in rows), file, note))
    return items


def _item(file: str, segments: tuple[str, ...]) -> Item:
    return Item(
        names.display_name(file), "system", "statistics", segments, file, f"statistics, {len(segments)} segments"
    )


READER = Reader(
    name="statistics",
    title="counts per segment",
    kinds=("statistics",),
    looks=_looks,
    read=_read,
    help="name=number separated by blanks on every line, or a table with a column per count, or METEOR's rows (-ssOut); one "
    "file per system.",
    example=("One.stats", "tp=3 pred=5 gold=4\ntp=0 pred=1 gold=2\ntp=1 pred=1 gold=1\n"),
)
