"""Lines of a log that say the same with other values: what they call each value, and a row for each item.

`BLEU = 0.18 for system "A" on segment 3`, `ppl= 352.0 ppl1= 520.4` or `# correct : 2`: lines of one shape come again
and again. Which of them is a score, and of what, is decided where tables are read.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from sigcore.formatting import unique
from sigcore.readers.names import pattern
from sigcore.readers.tables import numbers

FEWEST, MOST_COLUMNS = 5, 60  # lines of one shape, and columns of their table
COVERED, LACKING = 0.3, 0.1  # least share of the lines that have values, and most items that lack a column
OF_REPORT = 0.05  # least share of such lines in a report
MOST_LINES = 300_000  # of a log that somebody waits for
LONGEST = 400  # characters of a line that is looked at
LOOKED_AT, AGAIN = 100, 2  # lines among which a shape must come again more often
NUMBER_NAMED = re.compile(r"(?:[=:]|score is)\s*(?:[-+.]?\d|(?:True|False|true|false)\b)")
VALUE = pattern("messages.value")
NAME = pattern("messages.name")  # of an item: a word with a digit in it, or a path
WIDER = re.compile(f"{VALUE.pattern}|{NAME.pattern}", re.IGNORECASE)
BEFORE = pattern("messages.before")  # the time and the level at the start of a line
BETWEEN = re.compile(r"[,;|()\[\]]+(?:\s+|$)|\s{2,}|[(\[|]")  # the parts of the words between two values
SIGN = re.compile(r"\s*([:=])\s*")
NAMED = re.compile(r'(?:[:=]|\bscore is)\s*"?$')
EDGES = " \t#>*-:=,;.()[]|\"'"
LETTERS = re.compile(r"[^\W\d_]")
UNNAMED = re.compile(r"id|value \d+")
# total WER beside WER is of all items so far; a thread, and a number behind it that nothing names, are the program's own
RUNNING = re.compile(r"(?:total|running|cumulative|overall) (.+)", re.IGNORECASE)
THREAD = re.compile(r"(?:thread|worker|rank|progress)", re.IGNORECASE)
SCORE = re.compile(r"(?<=\w) scores?(?: .*)?$", re.IGNORECASE)  # BLEU score using 4-grams is BLEU
MOST_WORDS = 5  # of a name before = or :


class Line(NamedTuple):
    """A line with values: its place from 1, its words with gaps, and what each value is called."""

    place: int
    shape: tuple[str, ...]
    called: tuple[str, ...]
    values: tuple[str, ...]


class Table(NamedTuple):
    """The rows of all items below what their values are called, the line each begins at, how many lines were left out, and the first one
    behind the last row."""

    headings: list[str]
    rows: list[list[str]]
    places: list[int]
    end: float
    left_out: int = 0


Shape = tuple[str, ...]


def table(lines: Sequence[str], report: bool = False) -> Table | None:
    """The table of the values in lines of one shape; None where too few come again, or none has a number with a name. A `report` has
    texts between them."""
    if len(lines) > MOST_LINES or not _begins(lines):
        return None
    full = sum(bool(line.strip()) for line in lines)
    found = _repeated(lines)
    if len(found) < (OF_REPORT if report else COVERED) * full or not any(map(_has_score, _by_shape(found).values())):
        return None
    kept = _without_sums(found)
    made = _joined(kept) or _in_turn(kept)
    if made is None or not 1 < len(made.headings) <= MOST_COLUMNS:
        return None
    used = {one.place for one in kept if one.place < made.end}
    return made._replace(left_out=full - len(used))


def _begins(lines: Sequence[str]) -> bool:
    """Whether one shape with a named value comes again among the first lines: most texts are left here."""
    head = lines[:LOOKED_AT]
    if sum(map(bool, map(NUMBER_NAMED.search, head))) <= AGAIN:
        return False
    often = Counter(one.shape for value in (VALUE, WIDER) for one in {*_cut(head, value)} if _is_named(one.shape))
    return any(count > AGAIN for count in often.values())


def _is_named(shape: Shape) -> bool:
    return any(map(NAMED.search, shape[:-1]))


def _repeated(lines: Sequence[str]) -> list[Line]:
    """The lines whose shape comes often enough; names of items are values where only they tell rare shapes apart."""
    found = _with_names(list(_cut(lines)))
    often = Counter(one.shape for one in found)
    rare = {one.place for one in found if often[one.shape] < FEWEST}
    others = [line if place in rare else "" for place, line in enumerate(lines, 1)] if rare else []
    wider = [one for one in _cut(others, WIDER) if _is_named(one.shape)]
    times = Counter(one.shape for one in wider)
    kept = [one for one in found if often[one.shape] >= FEWEST]
    return sorted([*kept, *(one for one in wider if times[one.shape] >= FEWEST)])


def _with_names(found: Sequence[Line]) -> list[Line]:
    """The lines, in which a number before = or : that comes again and again belongs to the name behind it: Precision At 5: 0.4."""
    out, by_shape = list[Line](), _by_shape(found)
    for shape, own in by_shape.items():
        named = [
            k
            for k in range(1, len(shape) - 1)
            if NAMED.fullmatch(shape[k]) and _come_again([one.values[k - 1] for one in own])
        ]
        out += [_renamed(one, named[0]) for one in own] if named else own
    return sorted(out)


def _come_again(values: Sequence[str]) -> bool:
    """Whether each of several values comes as often as the others, and often enough."""
    times = Counter(values)
    return len(times) > 1 and len({*times.values()}) == 1 and len(values) >= FEWEST * len(times)


def _renamed(one: Line, k: int) -> Line:
    """The line with the value before a gap as a part of the name of the value behind it."""
    gap = f"{one.shape[k - 1]} {one.values[k - 1]}{one.shape[k]}"
    shape = (*one.shape[: k - 1], gap, *one.shape[k + 1 :])
    return Line(one.place, shape, tuple(_called(shape)), (*one.values[: k - 1], *one.values[k:]))


def _cut(lines: Sequence[str], value: re.Pattern[str] = VALUE) -> Iterator[Line]:
    """The lines that have values, cut at them."""
    for place, line in enumerate(lines, 1):
        if len(line) > LONGEST or not (text := BEFORE.sub("", line).strip()):
            continue
        shape, values, end = list[str](), list[str](), 0
        for match in value.finditer(text):
            own = match.lastgroup or 0
            shape.append(text[end : match.start(own)])
            values.append(match[own])
            end = match.end()
        if values:
            gaps = (*shape, text[end:])
            yield Line(place, *_named_shape(gaps), tuple(values))


@lru_cache(maxsize=4096)  # lines of one shape have the same words
def _named_shape(gaps: Shape) -> tuple[Shape, tuple[str, ...]]:
    """The words between the values, and what each value is called."""
    bare = tuple(SIGN.sub(r"\1", gap) for gap in gaps)
    return tuple(" ".join(gap.split()) for gap in bare), tuple(_called(bare))


def _called(gaps: Sequence[str]) -> list[str]:
    """What each value between the gaps is called: by the words before = or :, by the word before it, or by the word behind it."""
    named = [_before(gaps[0], BETWEEN.split(gaps[0]))]
    for gap in gaps[1:-1]:
        parts = BETWEEN.split(gap)
        behind = len(parts) > 1 or not NAMED.search(gap)  # else its words name the next value
        if taken := not named[-1] and behind:
            named[-1] = _word(parts[0], 0)
        named.append("" if taken and len(parts) == 1 else _before(gap, parts))
    if not named[-1]:
        named[-1] = _word(BETWEEN.split(gaps[-1])[0], 0)
    # 301 Stats: begins what is said of 301
    named[0] = (
        named[0] if named[0] and not (len(gaps) == 2 and not gaps[0] and gaps[1].rstrip().endswith(":")) else "id"
    )
    return unique([name if any(map(str.isalnum, name)) else f"value {k + 1}" for k, name in enumerate(named)])


def _before(gap: str, parts: Sequence[str]) -> str:
    """The name that the words before a value give it; "" where there are none."""
    if NAMED.search(gap):
        name = " ".join(parts[-1].strip(EDGES).split()[-MOST_WORDS:])
        return SCORE.sub("", name.removesuffix(" is"))
    return _word(parts[-1], -1)


def _word(text: str, which: int) -> str:
    words = text.strip(EDGES).split()
    return words[which] if words else ""


def _by_shape(found: Sequence[Line]) -> dict[Shape, list[Line]]:
    out = dict[Shape, list[Line]]()
    for one in found:
        out.setdefault(one.shape, []).append(one)
    return out


def _has_score(own: Sequence[Line]) -> bool:
    """Whether a value behind = or : is a number in all lines, or true or false, and not always the same."""
    shape = own[0].shape
    columns = zip(*(one.values for one in own), strict=True)
    return any(
        NAMED.search(shape[k])
        and len({*cells}) > 1
        and (all(numbers.is_number(cell.removesuffix("%")) for cell in cells) or numbers.truths(cells))
        for k, cells in enumerate(columns)
    )


def _without_sums(found: Sequence[Line]) -> list[Line]:
    """The lines without those of shapes that give a value of the same name in fewer lines: means of documents or of all."""
    shapes = _by_shape(found)
    most = Counter[str]()
    for shape, own in shapes.items():
        for name in _named(shape, own[0].called):
            most[name] = max(most[name], len(own))
    dropped = {
        shape
        for shape, own in shapes.items()
        if (names := _named(shape, own[0].called)) and all(most[name] > len(own) for name in names)
    }
    return [one for one in found if one.shape not in dropped]


def _named(shape: Shape, called: Sequence[str]) -> list[str]:
    return [name for k, name in enumerate(called) if NAMED.search(shape[k])]


def _are_fractions(own: Sequence[Line], k: int) -> bool:
    """Whether a value has a point in some lines: a score names no item."""
    return any("." in one.values[k] and numbers.is_number(one.values[k]) for one in own)


def _joined(found: Sequence[Line]) -> Table | None:
    """A row for each item that lines of several shapes, or each line of one, name in the same way; None where they do not."""
    shapes = list(_by_shape(found).values())
    shared = [name for k, name in enumerate(shapes[0][0].called) if not _are_fractions(shapes[0], k)]
    shared = [name for name in shared if all(name in own[0].called for own in shapes)]
    if len(shapes) > 1 and not shared:
        return None
    rows = dict[tuple[str, ...], tuple[int, dict[str, str]]]()
    for own in shapes:
        seen = set[tuple[str, ...]]()
        for one in own:
            cells = dict(zip(one.called, one.values, strict=True))
            key = tuple(cells[name] for name in shared)
            if len(shapes) > 1 and key in seen:
                return None
            seen.add(key)
            key = key if len(shapes) > 1 else (str(one.place),)
            rows.setdefault(key, (one.place, {}))[1].update(cells)
    return _of_rows([*rows.values()])


def _in_turn(found: Sequence[Line]) -> Table | None:
    """A row for each block of lines: the next one begins where a shape comes again. None where blocks before the last begin with
    different ones: a line that comes twice in a block would join the rest of it with the next block."""
    rows, seen, starts = list[tuple[int, dict[str, str]]](), set[Shape](), list[Shape]()
    for one in found:
        if not rows or one.shape in seen:
            rows.append((one.place, {}))
            starts.append(one.shape)
            seen = set()
        seen.add(one.shape)
        rows[-1][1].update(_told_apart(rows[-1][1], one))
    return _of_rows(rows) if len({*starts[:-1]}) == 1 else None


def _told_apart(row: Mapping[str, str], one: Line) -> dict[str, str]:
    """The values of a line; one that is called as another is in this row has a number behind its name."""
    out = dict[str, str]()
    for name, value in zip(one.called, one.values, strict=True):
        free = (
            name
            if row.get(name, value) == value
            else next(f"{name} {k}" for k in range(2, 99) if f"{name} {k}" not in row)
        )
        out[free] = value
    return out


def _of_rows(rows: Sequence[tuple[int, Mapping[str, str]]]) -> Table | None:
    """The table of the rows; without a last one that lacks what all others have, which sums them up. None where one lacks most."""
    *others, (_, last) = rows
    always = {name for _, row in others for name in row}.intersection(*(row for _, row in others))
    body = others if always.difference(last) else list(rows)
    usual = _usual(body)
    if len(body) < FEWEST or any(2 * len(row.keys() & {*usual}) <= len(usual) for _, row in body):
        return None
    kept = [name for name in _of_items(usual) if not _says_nothing(name, body)]
    cells = [[row.get(name, "") for name in kept] for _, row in body]
    return Table(kept, cells, [place for place, _ in body], math.inf if len(body) == len(rows) else rows[-1][0])


def _usual(rows: Sequence[tuple[int, Mapping[str, str]]]) -> list[str]:
    """The names that nearly all rows have, in order."""
    often = Counter(name for _, row in rows for name in row)
    return [name for name in often if often[name] >= (1 - LACKING) * len(rows)]


def _of_items(usual: Sequence[str]) -> list[str]:
    """The names without those of values about all items so far (total WER beside WER), or about how far the program is."""
    kept, last = list[str](), ""
    for name in usual:
        running = RUNNING.fullmatch(name)
        own = THREAD.fullmatch(name) or (UNNAMED.fullmatch(name) and THREAD.fullmatch(last))
        if not own and not (running and running[1] in usual):
            kept.append(name)
        last = name
    return kept


def _says_nothing(name: str, rows: Sequence[tuple[int, Mapping[str, str]]]) -> bool:
    """Whether a value without a name is the same in all rows, or counts them beside words that name each."""
    if not UNNAMED.fullmatch(name):
        return False
    cells = [row.get(name, "") for _, row in rows]
    if numbers.go_up(cells, FEWEST):
        others = [[row.get(other, "") for _, row in rows] for other in rows[0][1] if other != name]
        return any(len({*own}) == len(own) and all(map(LETTERS.search, own)) for own in others)
    return len({*cells}) == 1
