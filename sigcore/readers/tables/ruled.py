"""Tables that programs print for people: in boxes with a title or with names that span rows, or between rules of dashes.

The boxes are those of sclite and of reStructuredText; rows between rules have blanks between their cells.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sigcore.readers.contract import Content
from sigcore.readers.tables import numbers
from sigcore.readers.tables.markdown import Printed

MARKS = ("----------", "==========")  # of a rule
FEWEST_ROWS, FEWEST_LINES = 3, 6  # of a table, and of a box
MOST_SPANNED = 12  # rows that one name stands beside
EDGE = re.compile(r"\s*[|+,`'].*[|+.'`]\s*")  # a line of a box
RULE = re.compile(r"[\s|+,`'.=-]*(?:--|==)[\s|+,`'.=-]*")  # a line of a box without cells
LINE = re.compile(r"\s*(?:-{10,}|={10,})\s*")  # a rule of its own
ENDING = re.compile(
    r"\.(?:ctm|trn|hyp|txt|stm)$", re.IGNORECASE
)  # of a file of outputs, in place of the name of a system
MEASURES = {"WER": "word error", "CER": "character error"}  # in a title
TITLED, MOST_HEADS = 3, 2  # lines of a title, and of headings
PARTLY = re.compile(r"[-=]{2,}\+|\+[-=]{2,}")  # a rule below some cells
BELOW_SOME = re.compile(r"\s*\|\s+\+")  # a rule that is not below the first cell
BETWEEN = re.compile(r"\s{2,}")


class Line(NamedTuple):
    place: int
    text: str


def found(content: Content) -> Printed | None:
    """The one table in a box, or between rules; None where there is none, or are several."""
    if not any(mark in content.text for mark in MARKS):  # as in most texts: no line is looked at
        return None
    lines = [Line(place, text.rstrip()) for place, text in enumerate(content.lines, 1) if text.strip()]
    tables = [table for table in (*map(_of_box, _boxes(lines)), *_between(lines)) if table is not None]
    return tables[0] if len(tables) == 1 else None


def _boxes(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of each box that stand together."""
    box = list[Line]()
    for line in (*lines, Line(0, "")):
        if box and not (EDGE.fullmatch(line.text) and line.place == box[-1].place + 1):
            yield from [box] * (len(box) >= FEWEST_LINES)
            box = []
        box += [line] * bool(EDGE.fullmatch(line.text))


def _of_box(box: Sequence[Line]) -> Printed | None:
    """The rows of a box, with the names of rows that span several in each of these, without a title over its whole width, whose measure
    is kept, and without what stands below a double rule behind the headings."""
    blocks = _blocks(box)
    width = _width(blocks)
    rows = [row for block in blocks for row in _filled([one for one in block if _is_row(one[1], width)], width)]
    if width < 2 or len(rows) <= FEWEST_ROWS or not all(rows[0][1][1:]):
        return None
    head = [ENDING.sub("", name.rpartition("/")[2]) for name in rows[0][1]]
    head = head if len({*head}) == len(head) else rows[0][1]
    cells = [head, *(own for _, own in rows[1:])]
    return Printed(cells, [place for place, _ in rows], "Its cells stand in a box.", _measure(box))


def _measure(box: Sequence[Line]) -> str:
    """The measure that a title over the whole width names; "" for another title, and without one."""
    titles = [cells[0].lower() for line in box[: 2 * TITLED] if len(cells := _cells(line.text)) == 1]
    return next((name for name, said in MEASURES.items() if any(said in title for title in titles)), "")


def _width(blocks: Sequence[Sequence[tuple[int, list[str]]]]) -> int:
    """How many cells most lines of a box have."""
    own = Counter(len(cells) for block in blocks for _, cells in block if not any(map(PARTLY.search, cells)))
    return max(own, key=lambda n: (own[n], n), default=0)


def _blocks(box: Sequence[Line]) -> list[list[tuple[int, list[str]]]]:
    """The lines between rules, each with its cells; none below a double rule but the one below the headings."""
    blocks = [list[tuple[int, list[str]]]()]
    for line in box:
        if RULE.fullmatch(line.text) and not BELOW_SOME.match(line.text):
            if "==" in line.text and sum(map(len, blocks)) > MOST_HEADS:
                break
            blocks.append([])
        elif cells := _cells(line.text):
            blocks[-1].append((line.place, cells))
    return blocks


def _is_row(cells: Sequence[str], width: int) -> bool:
    return len(cells) == width or PARTLY.search(" ".join(cells)) is not None


def _cells(text: str) -> list[str]:
    """The cells of a line of a box; [] for one without any."""
    cells = [cell.strip() for cell in text.strip()[1:-1].split("|")]
    return cells if any(cells) else []


def _filled(block: Sequence[tuple[int, list[str]]], width: int) -> list[tuple[int, list[str]]]:
    """The rows between two rules, with the one name of all of them in each, where it stands in one line alone."""
    whole = [one for one in block if len(one[1]) == width and not any(map(PARTLY.search, one[1]))]
    named = {cells[0].partition("+")[0].strip() for _, cells in block} - {""}
    named = {name for name in named if not re.fullmatch(r"[-=\s]+", name)}
    spans = (
        1 < len(whole) <= MOST_SPANNED and len(named) == 1 and sum(not cells[0] for _, cells in whole) >= len(whole) - 1
    )
    return [(place, [next(iter(named)), *cells[1:]] if spans else cells) for place, cells in whole]


def _between(lines: Sequence[Line]) -> Iterator[Printed]:
    """The tables whose headings stand between two rules, and whose rows are below them up to the next one."""
    rules = [i for i, line in enumerate(lines) if LINE.fullmatch(line.text)]
    for first, second in itertools.pairwise(rules):
        if second - first != 2:
            continue
        head = BETWEEN.split(lines[first + 1].text.strip())
        end = next((i for i in rules if i > second), len(lines))
        rows = [_cut(line.text, len(head)) for line in lines[second + 1 : end]]
        if len(head) > 1 and len(rows) >= FEWEST_ROWS and all(rows) and any(map(numbers.is_number, rows[0])):
            places = [line.place for line in lines[second + 1 : end]]
            yield Printed([head, *rows], [lines[first + 1].place, *places], "Its headings stand between two rules.")


def _cut(text: str, n: int) -> list[str]:
    """The n cells of a row with blanks between them; [] where it has another number."""
    for cells in (BETWEEN.split(text.strip()), text.split()):
        if len(cells) == n:
            return cells
    return []
