"""k-best lists from Moses' format, JSON lines or a table; what is wrong with a line is reported with its number."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.kbest.lists import KBest, offsets_of
from sigcore.kbest.sparse import Features, Sparse, worth
from sigcore.readers import archives, lines, names
from sigcore.readers.contract import Limits, Notice
from sigcore.readers.tables import cells
from sigcore.types import Floats, Ints

# The layout of the features in a line of a k-best list, so that lines with the same layout are read in one step.


@dataclass(frozen=True)
class LineLayout:
    """Where names and values are in the features of a line with separate values (`Name= 1 2`): most lines have the layout
    of the line before, and then only their values are read."""

    tokens: int = -1
    marks: tuple[tuple[int, str], ...] = ()  # (place, "Name=")
    places: tuple[int, ...] = ()  # of the values
    columns: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @classmethod
    def of(cls, tokens: Sequence[str], columns: Ints) -> LineLayout:
        """The layout of these tokens; one that fits no line where a token has both a name and a value."""
        marks = tuple((k, token) for k, token in enumerate(tokens) if "=" in token or NAME.fullmatch(token))
        known = {k for k, _ in marks}
        places = tuple(k for k in range(len(tokens)) if k not in known)
        separate = all(token.endswith(("=", ":")) for _, token in marks)
        return cls(len(tokens) if separate else -1, marks, places, columns)

    def values(self, tokens: Sequence[str]) -> Floats | None:
        """The values of a line with this layout, (F,); None if it has another one, or if any value is doubtful."""
        if len(tokens) != self.tokens or any(tokens[k] != mark for k, mark in self.marks):
            return None
        texts = [tokens[k] for k in self.places]
        joined = "".join(texts)
        if not joined.isascii() or "_" in joined:
            return None
        try:
            values = np.array(list(map(float, texts)))
        except ValueError:
            return None
        return values if np.isfinite(values).all() else None


MARK = "|||"
NAME = re.compile(r"[^=:]+:")  # the name of a feature in old lists of Moses, "d: 0 -7.6 lm: -23.1"
PIECES = re.compile(r"\S@@(?:\s|$)|(?:^|\s)▁")
# where a phrase of the hypothesis comes from, "a strategy |0-1|", as Moses and Joshua print it on demand
PLACES = re.compile(r"(?:^|\s+)\|\d+-\d+(?:,[^|]*)?\|(?=\s|$)")
FEW_PIECES = 0.01  # of the hypotheses, which may have such signs by chance
ID = re.compile(r"[ \t]*([0-9]{1,15})[ \t]*$")
WRITE = "Write: segment ||| hypothesis ||| Name= value ... ||| score."
MOST_NUMBERS = (
    100_000_000  # of a full array of features, 8 bytes each; of sparse ones those that are not 0, 12 bytes each
)
# lists are longer than test sets; the memory they take is bounded by the line above
LISTS = Limits(lines=20_000_000, parts=200_000_000)
# headings of the columns that are not features
IDS, TEXTS, SCORES = ("id", "segment", "segment_id"), ("hyp", "hypothesis", "text", "output"), ("score", "model_score")


@dataclass(frozen=True, slots=True)
class ListLine:
    """One hypothesis: its line in the file, the number of its segment there, its text, score, and features.

    `columns` are the places of its features among all names; lines with the same layout share them.
    """

    number: int
    segment: int
    text: str
    columns: Ints
    values: Floats
    score: float


class Names(dict[str, int]):
    """The names of all features in the order of their first appearance, with their places."""

    def places(self, names: Sequence[str]) -> Ints:
        """The places of these names, new ones after all others."""
        return np.array([self.setdefault(name, len(self)) for name in names], dtype=np.int32)


def read_kbest(file: str, data: bytes, sparse: bool = False, join: bool = False) -> tuple[KBest, list[Notice]]:
    """The k-best lists in a file, and notices about it.

    Formats: `segment ||| hypothesis ||| features ||| score` of Moses (features as `Name= 1 2`, in old lists `Name: 1 2`)
    and of cdec or travatar (`Name=1`); JSON lines and tables (TSV, CSV) with the columns id, hyp, features or one column
    for each, and score. Segments count from 0 or from 1, without gaps, and the hypotheses of each are consecutive.
    Several values of one feature become Name_1, Name_2 ... The file may be a .gz. `sparse` says that a feature that a line
    does not have is 0; large lists of such features are `Sparse`. `join` joins pieces of words (`wor@@ ds`, `▁word s`). Places of phrases (`a strategy |0-1|`) are left out.

    Raises: ReadError with the line for anything else: a feature that is missing, or has another number of values,
    something that is not a number, a gap, a segment that comes back, pieces of words; and for more numbers than memory
    should hold.
    """
    unpacked, known = archives.Unpacked(), Names()
    text, notices = lines.decode(*archives.plain(file, data, archives.Budget(LISTS), unpacked))
    rows = lines.split(file, text)[0]
    first = next((row for row in rows if row.strip()), "")
    if MARK in first:
        hypotheses = list(_marked(file, rows, known))
    elif first.lstrip().startswith("{"):
        hypotheses = [_record(file, number, row, known) for number, row in enumerate(rows, 1) if row.strip()]
    else:
        hypotheses = list(_table(file, text, first, known))
    if not hypotheses:
        raise ReadError("It contains no hypotheses.", file, fix=f"Load the complete list. {WRITE}")
    lengths, start = _lengths(file, hypotheses)
    gaps = _gaps(file, hypotheses, list(known), sparse)
    lists = KBest(
        name=names.display_name(file),
        texts=_texts(file, hypotheses, join),
        offsets=offsets_of(lengths),
        names=tuple(known),
        features=_features(file, hypotheses, len(known), sparse),
        scores=np.array([line.score for line in hypotheses]),
        start=start,
    )
    return lists, [*unpacked.notices, *notices, *_notices(file, lists, hypotheses, gaps)]


def _marked(file: str, rows: Sequence[str], known: Names) -> Iterator[ListLine]:
    """The hypotheses of a list with marks; marks beyond the usual number belong to the text."""
    counts = Counter(row.count(MARK) for row in rows if row.strip())
    usual = max(counts, key=lambda marks: counts[marks])
    before = LineLayout()
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        parts = row.split(MARK)
        found = ID.match(parts[0])
        if found is None:
            raise ReadError(f"line {number}: {row[:40]!r} is not a line of a k-best list.", file, number, WRITE)
        more = max(len(parts) - 1 - usual, 0)
        text, rest = MARK.join(parts[1 : 2 + more]), parts[2 + more :]
        if not rest:
            raise ReadError(f"line {number} has no features.", file, number, WRITE)
        score = _number(file, number, rest[1], "the score") if len(rest) > 1 and rest[1].strip() else math.nan
        tokens = rest[0].split()
        values = before.values(tokens)
        if values is None:
            named, values = _named_values(file, number, rest[0])
            before = LineLayout.of(tokens, known.places(named))
        yield ListLine(number, int(found[1]), text.strip(" \t"), before.columns, values, score)


def _named_values(file: str, number: int, field: str) -> tuple[tuple[str, ...], Floats]:
    """The features of one line: `Name= 1 2` and `Name: 1 2` give Name_1 and Name_2, `Name= 1` and `Name=1` give Name."""
    groups: dict[str, list[float]] = {}
    name, what = "feature", "a feature without a name"
    for token in field.split():
        head, equals, value = token.rpartition(":" if NAME.fullmatch(token) else "=")
        if equals:
            name, what = head, f"the feature {head}"
            if name in groups:
                twice = f"line {number}: the feature {name} appears twice."
                raise ReadError(twice, file, number, "Give each feature its own name.")
            groups[name] = []
        value = value if equals else token
        if value:
            groups.setdefault(name, []).append(_number(file, number, value, what))
    empty = next((name for name, values in groups.items() if not values), None)
    if empty is not None:
        raise ReadError(f"line {number}: the feature {empty} has no value.", file, number, WRITE)
    return _numbered(groups), np.array([value for values in groups.values() for value in values])


def _numbered(groups: Mapping[str, Sequence[float]]) -> tuple[str, ...]:
    """The names of all values: those of several values are numbered."""
    return tuple(
        name if len(values) == 1 else f"{name}_{k + 1}" for name, values in groups.items() for k in range(len(values))
    )


def _record(file: str, number: int, row: str, known: Names) -> ListLine:
    """One line of JSON."""
    try:
        record = json.loads(row)
    except (ValueError, RecursionError) as error:
        message = f"line {number} is not JSON: {error}."
        raise ReadError(message, file, number, "Write one record on each line.") from None
    if not isinstance(record, dict):
        raise ReadError(f"line {number} is not a record.", file, number, 'Write {"id": 0, "hyp": "...", ...}.')
    features = record.pop("features", {})
    if not isinstance(features, dict):
        raise ReadError(f"line {number}: features is not a record.", file, number, 'Write "features": {"lm": -4.1}.')
    named = {name: _cell(value) for name, value in {**record, **features}.items()}
    return _named_cells(file, number, named, known)


def _cell(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _table(file: str, text: str, head: str, known: Names) -> Iterator[ListLine]:
    """The hypotheses of a table with a header."""
    rows = cells.quoted_rows(file, text, cells.mark_of(head, blanks=False))
    rows = rows.kept([i for i, row in enumerate(rows.cells) if any(cell.strip() for cell in row)])
    if not rows.cells:
        return
    cells.refuse_ragged(rows)
    headings = [names.clean(cell) for cell in rows.cells[0]]
    for number, row in zip(rows.lines[1:], rows.cells[1:], strict=True):
        yield _named_cells(file, number, dict(zip(headings, row, strict=True)), known)


def _named_cells(file: str, number: int, row: dict[str, str], known: Names) -> ListLine:
    """One hypothesis from cells with names."""
    place, text, score = (_heading(row, usual) for usual in (IDS, TEXTS, SCORES))
    if place is None or text is None:
        missing = "the segment (id)" if place is None else "the hypothesis (hyp)"
        fix = "Name the columns id, hyp, and features."
        raise ReadError(f"line {number}: {missing} is missing.", file, number, fix)
    if ID.match(row[place]) is None:
        fix = "Number the segments 0, 1, 2 ..."
        raise ReadError(f"line {number}: {row[place]!r} is not the number of a segment.", file, number, fix)
    given = "" if score is None else row[score].strip()
    named = tuple(name for name, cell in row.items() if name not in (place, text, score) and cell.strip())
    values = np.array([_number(file, number, row[name], f"the feature {name}") for name in named])
    own = _number(file, number, given, "the score") if given else math.nan
    return ListLine(number, int(row[place]), row[text].strip(" \t"), known.places(named), values, own)


def _heading(row: Iterable[str], known: Sequence[str]) -> str | None:
    """The first of the known names that the row has, in any case."""
    by_name = {name.lower(): name for name in row}
    return next((by_name[name] for name in known if name in by_name), None)


def _number(file: str, number: int, text: str, what: str) -> float:
    try:
        value = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        fix = "Every feature and score must be a finite number."
        raise ReadError(f"line {number}: {text.strip()!r} is not a number ({what}).", file, number, fix)
    return value


def _lengths(file: str, hypotheses: Sequence[ListLine]) -> tuple[list[int], int]:
    """The number of hypotheses of each segment, and the number of the first segment, 0 or 1."""
    start = hypotheses[0].segment
    if start > 1:
        what = f"line {hypotheses[0].number}: the first segment is number {start}."
        fix = f"Count segments from 0 or 1. If the list is a part of another one, subtract {start} from the numbers, and give the references of these segments alone."
        raise ReadError(what, file, hypotheses[0].number, fix)
    lengths: list[int] = []
    for line in hypotheses:
        place, expected = line.segment - start, len(lengths) - 1
        if place == expected + 1:
            lengths.append(1)
        elif place == expected:
            lengths[-1] += 1
        else:
            raise _out_of_order(file, line, expected + start)
    return lengths, start


def _out_of_order(file: str, line: ListLine, before: int) -> ReadError:
    """The error for a segment that neither continues the one before nor is the next one."""
    what = f"line {line.number}: segment {line.segment} follows segment {before}."
    if line.segment > before:
        fix = f"Segment {before + 1} has no hypotheses. Add some, or leave its reference out and number the segments without gaps."
    else:
        fix = "The hypotheses of a segment must be consecutive: sort the list by segment. Lists of several iterations or files belong in files of their own."
    return ReadError(what, file, line.number, fix)


def _texts(file: str, hypotheses: Sequence[ListLine], join: bool) -> tuple[str, ...]:
    """The texts of all hypotheses, with pieces of words joined if that is wanted.

    Raises: ReadError for pieces of words otherwise: a metric would take them for words.
    """
    if join:
        return tuple(_joined(_without_places(line.text)) for line in hypotheses)
    pieces = [line for line in hypotheses if PIECES.search(line.text)]
    if len(pieces) > FEW_PIECES * len(hypotheses):
        what = f"line {pieces[0].number} has pieces of words ({pieces[0].text[:40]!r}), which metrics would take for words."
        fix = "Join them as they are read (--join-pieces), or in the file: sed -E 's/@@( |$)//g'. References are words, too."
        raise ReadError(what, file, pieces[0].number, fix)
    return tuple(_without_places(line.text) for line in hypotheses)


def _without_places(text: str) -> str:
    return PLACES.sub("", text).strip(" \t") if "|" in text else text


def _joined(text: str) -> str:
    """The text with its pieces of words joined: `wor@@ ds`, or pieces of which ▁ begins a word."""
    if "▁" in text:
        text = text.replace(" ", "").replace("▁", " ").strip()
    return re.sub(r"@@(?: |$)", "", text)


def _gaps(file: str, hypotheses: Sequence[ListLine], columns: Sequence[str], sparse: bool) -> list[tuple[int, int]]:
    """(line, number of missing features) of the lines that do not have them all.

    Raises: ReadError where a feature is missing, unless the list is sparse.
    """
    gaps = [(line.number, len(columns) - len(line.columns)) for line in hypotheses if len(line.columns) < len(columns)]
    if gaps and not sparse:
        without = next(line for line in hypotheses if line.number == gaps[0][0])
        missing = min(set(range(len(columns))) - set(without.columns.tolist()))
        raise _other_features(file, hypotheses, without.number, columns[missing], missing)
    return gaps


def _features(file: str, hypotheses: Sequence[ListLine], width: int, sparse: bool) -> Features:
    """The features (H, F) of all hypotheses, 0 where one is missing; sparse where that is smaller than a large array.

    Raises: ReadError for more numbers than memory should hold.
    """
    full, size = width * len(hypotheses), sum(len(line.columns) for line in hypotheses)
    small = sparse and worth(size, full)
    if (size if small else full) > MOST_NUMBERS:
        what = f"{len(hypotheses):,} hypotheses with {width:,} features are more than {MOST_NUMBERS:,} numbers"
        fix = "Leave out features that are rare, or hypotheses."
        if not sparse:
            fix = "If most of them are 0, leave zeros out and read the list as sparse (--sparse)."
        raise ReadError(f"{what}{' other than 0' if small else ''}.", file, None, fix)
    if small:
        starts = offsets_of([len(line.columns) for line in hypotheses])
        columns, values = (
            np.concatenate(part) for part in zip(*((x.columns, x.values) for x in hypotheses), strict=True)
        )
        return Sparse.of(starts, columns, values, width)
    features = np.zeros((len(hypotheses), width))
    for row, line in enumerate(hypotheses):
        features[row, line.columns] = line.values
    return features


def _other_features(file: str, hypotheses: Sequence[ListLine], without: int, name: str, column: int) -> ReadError:
    """The error for a feature that some lines have and others do not; the less frequent case is reported as wrong."""
    having = [line.number for line in hypotheses if column in line.columns]
    fix = "Give every hypothesis the same features, or read the list as sparse (--sparse): then a missing feature is 0."
    if 2 * len(having) < len(hypotheses):
        return ReadError(f"line {having[0]} has the feature {name}, line {without} has not.", file, having[0], fix)
    return ReadError(f"line {without} has no feature {name}, line {having[0]} has.", file, without, fix)


def _notices(
    file: str, lists: KBest, hypotheses: Sequence[ListLine], gaps: Sequence[tuple[int, int]]
) -> Iterable[Notice]:
    if lists.start:
        yield Notice(file, "Its segments count from 1.")
    placed = [line.number for line in hypotheses if PLACES.search(line.text)]
    if placed:
        what = f"Places of phrases such as |0-1| are left out of {count(len(placed), 'hypothesis')}."
        yield Notice(file, what, placed[0])
    if gaps:
        missing = sum(number for _, number in gaps)
        yield Notice(file, f"{count(missing, 'missing feature')} read as 0.", gaps[0][0])
    unscored = [line.number for line in hypotheses if math.isnan(line.score)]
    if unscored and len(unscored) < lists.size:
        who = f"{len(unscored):,} of {count(lists.size, 'hypothesis')} {'has' if len(unscored) == 1 else 'have'}"
        yield Notice(file, f"{who} no score; tuning does not need it.", unscored[0])
    single = int((lists.lengths == 1).sum())
    if single:
        of_all = f"{single} of {count(lists.n, 'list')}"
        yield Notice(file, f"{of_all} contain one hypothesis, so tuning cannot change these segments.")


def read_weights(file: str, data: bytes) -> dict[str, float]:
    """The weights in a file by the name of the feature: `Name= 1 2`, `Name=1`, `Name: 1` or `Name 1` on each line, as Moses,
    cdec and Joshua write them, or one record of JSON. Several values of one feature become Name_1, Name_2 ...

    Headings in brackets and lines that begin with # are left out. Raises: ReadError with the line for anything else.
    """
    text = lines.decode(*archives.plain(file, data, archives.Budget(LISTS), archives.Unpacked()))[0]
    rows = lines.split(file, text)[0]
    if text.lstrip().startswith("{"):
        return _of_record(file, text)
    weights = dict[str, float]()
    for number, row in enumerate(rows, 1):
        tokens = row.split()
        if not tokens or row.lstrip()[0] in "#[":
            continue
        if len(tokens) == 2 and not any(sign in tokens[0] for sign in "=:"):
            tokens[0] += "="
        if not (NAME.fullmatch(tokens[0]) or "=" in tokens[0]):
            fix = "Write the name of a feature and its weight on each line: LM0= 0.5."
            raise ReadError(f"line {number}: {row.strip()[:40]!r} is no named weight.", file, number, fix)
        named, values = _named_values(file, number, " ".join(tokens))
        twice = next((name for name in named if name in weights), None)
        if twice is not None:
            raise ReadError(f"line {number}: the feature {twice} appears twice.", file, number, "Give each one weight.")
        weights |= zip(named, values.tolist(), strict=True)
    if not weights:
        raise ReadError("It contains no weights.", file, fix="Write the name of a feature and its weight on each line.")
    return weights


def _of_record(file: str, text: str) -> dict[str, float]:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"It is not JSON: {error}.", file, None, 'Write {"LM0": 0.5, ...}.') from None
    return {name: _number(file, 1, _cell(value), f"the weight of {name}") for name, value in record.items()}
