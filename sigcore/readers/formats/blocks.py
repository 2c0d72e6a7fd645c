"""Scores that programs print in a block for each item: the old trec_eval, smatch --ms, the scorer of CoNLL-2012, chrF++."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from statistics import mean

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.proof import parsed
from sigcore.readers import names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Item, Notice, Options, Reader, described, scores
from sigcore.readers.names import pattern
from sigcore.readers.tables import said
from sigcore.readers.tables.numbers import is_number

Blocks = dict[str, dict[str, str]]  # the values of each item by what they are called

QUERY = re.compile(r"\s*Queryid \(Num\):\s*(\S+(?: \S+)*)\s*")
AT = pattern("blocks.at")
AVERAGE = re.compile(r"Average precision \(non-interpolated\).*")
EXACT = re.compile(r"\s*Exact:\s*([\d.]+)\s*")
ROUNDED = 6e-4  # how far a mean of numbers with four digits may be from what is printed

PART = re.compile(r"====> (.+?):\s*")
CORE = pattern("blocks.coreference")
METRIC = re.compile(r"METRIC (\S+):\s*")

NAMED = re.compile(r"\s*([A-Za-z][\w-]*(?: [\w-]+)?)\s*[:=]\s*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*")
FEWEST, LOOKED_AT = 5, 200  # items without a name, and lines that are looked at


def _of_queries(content: Content) -> Blocks:
    """The values of each query, as trec_eval printed them before version 9."""
    found, average = list[tuple[int, str, dict[str, str]]](), False
    for number, line in enumerate(content.lines, 1):
        if query := QUERY.fullmatch(line):
            found.append((number, query[1], {}))
        elif found:
            own = found[-1][2]
            if average:
                own["map"] = line.strip()
            elif row := AT.fullmatch(line):
                own[f"P_{row['k']}"] = row["value"]
            elif row := EXACT.fullmatch(line):
                own["Rprec"] = row[1]
        average = AVERAGE.fullmatch(line) is not None
    queries = Blocks()
    for number, query_id, own in found[:-1] if _is_of_all(found) else found:
        if queries.setdefault(query_id, own) is not own:
            what = f"line {number}: query {query_id} comes twice."
            raise ReadError(what, content.file, number, "Load one run per file.")
    return {name: {"map": own.get("map", ""), **own} for name, own in queries.items()}


def _is_of_all(found: Sequence[tuple[int, str, Mapping[str, str]]]) -> bool:
    """Whether the last block is of all queries: it has their number for an id, and the mean of their values."""
    values = [own.get("map", "") for _, _, own in found]
    if len(found) < 2 or not all(map(is_number, values)):
        return False
    *own, last = map(float, values)
    return found[-1][1].split(" ")[0] in ("All", "all", f"{len(own)}") and abs(mean(own) - last) < ROUNDED


def _of_parts(content: Content) -> Blocks:
    """The counts and the F1 of each part of a document, as the scorer of CoNLL-2012 prints them."""
    found, part = Blocks(), ""
    for line in content.lines:
        if start := PART.fullmatch(line):
            part = start[1]
        elif (row := CORE.fullmatch(line)) and part:
            found[part], part = row.groupdict(), ""
    return found


def _of_cycles(content: Content) -> Blocks:
    """The values in lines NAME: VALUE whose names come again and again in one order: an item for each time."""
    rows = [NAMED.fullmatch(line) for line in content.lines if line.strip()]
    called, values = ([row[k] for row in rows if row] for k in (1, 2))
    width = len({*called})
    times, rest = divmod(len(rows), width or 1)
    if width < 2 or rest or times < FEWEST or called != called[:width] * times:
        return {}
    return {
        str(k + 1): dict(zip(called[:width], values[k * width : (k + 1) * width], strict=True)) for k in range(times)
    }


CHRF = re.compile(r"(?P<k>\d+)::c\d+\+w(?P<words>\d+)-F\d+\t(?P<value>[\d.]+)\s*")


def _of_chrf(content: Content, rows: Sequence[re.Match[str]]) -> Found:
    """The score of each sentence that chrF++.py -s prints between the times, the scores of all and their means, which are left out."""
    measure = "chrF++" if rows[0]["words"] != "0" else "chrF"
    name = re.sub(r"^chrf[-_.]|[-_.](?:sent|chrf)$", "", names.display_name(content.file), flags=re.IGNORECASE)
    keys = tuple(row["k"] for row in rows)
    if len({*keys}) < len(keys):
        raise ReadError("It has a sentence twice.", content.file, 1, "Load one run per file.")
    item = scores(content.file, name, [row["value"] for row in rows], measure, measure, "higher", keys)
    others = sum(bool(line.strip()) for line in content.lines) - len(rows)
    what = f"It has the {measure} of {count(len(rows), 'sentence')}; {count(others, 'line')} of times and of all were left out."
    return Found(items=[item], notices=[Notice(content.file, what)])


def _looks(content: Content) -> int:
    head = content.lines[:LOOKED_AT]
    if sum(map(bool, map(CHRF.fullmatch, head))) >= FEWEST:
        return CERTAIN
    if any(map(QUERY.fullmatch, head[:5])) or any(map(PART.fullmatch, head)):
        return CERTAIN
    first = next((line for line in head if line.strip()), "")
    return CERTAIN if NAMED.fullmatch(first) and _of_cycles(content) else NO


def _read(content: Content, options: Options) -> Found:
    file, name = content.file, names.display_name(content.file)
    if chrf := [row for row in map(CHRF.fullmatch, content.lines) if row]:
        return _of_chrf(content, chrf)
    if parts := _of_parts(content):
        return _of_coreference(content, re.sub(r"[.\-_](?:log|scorer)$", "", name), parts)
    queries = _of_queries(content)
    found = queries or _of_cycles(content)
    if not found:
        raise ReadError("It has no values of single items.", file, 1, "Print those of each query, part or pair, too.")
    called = _measures(found)
    _refuse_gaps(file, found, called, "an old trec_eval" if queries else "another program")
    better, keys, note = said.said(options).better, tuple(found) if queries else (), count(len(found), "segment")
    items = [
        scores(file, name, [own[one] for own in found.values()], f"{one}, {note}", one, better, keys) for one in called
    ]
    begins = next(iter(next(iter(found.values()))))
    what = f"Each {begins} begins another segment"
    what = "Each query is a segment (trec_eval before version 9)" if queries else what
    return Found(items=items, notices=[Notice(file, f"{what}; {count(len(called), 'measure')}.")])


FIRST = re.compile(r"map|f[-_ ]?(?:score|1|measure)", re.IGNORECASE)  # what is shown first


def _measures(found: Blocks) -> list[str]:
    """What the values are called, those first that sum up others."""
    called = dict.fromkeys(name for own in found.values() for name in own)
    return sorted(called, key=lambda name: FIRST.fullmatch(name) is None)


def _refuse_gaps(file: str, found: Blocks, called: Sequence[str], program: str) -> None:
    """Raise ReadError where an item lacks a value."""
    for item, own in found.items():
        if missing := [one for one in called if not own.get(one)]:
            message = f"It is the output of {program}, but item {item} has no {missing[0]}."
            raise ReadError(message, file, fix="Load the complete output of the program.")


def _of_coreference(content: Content, name: str, parts: Mapping[str, Mapping[str, str]]) -> Found:
    """The counts of each part; where recall and precision have other numerators (B3, CEAF) the F1 of each part."""
    file = content.file
    metric = next((row[1] for row in map(METRIC.fullmatch, content.lines) if row), "")
    own, keys = list(parts.values()), tuple(parts)
    note = f"{metric or 'coreference'}, {count(len(keys), 'part')} of documents"
    if all(one["recalled"] == one["precise"] for one in own):
        segments = [f"tp={one['recalled']} pred={one['proposed']} gold={one['true']}" for one in own]
        item = Item(name, "system", "statistics", tuple(segments), file, note, keys=keys)
        what = f"Read as the counts of {metric or 'coreference'} in each part of a document, which are summed up."
    else:
        item = scores(file, name, [one["f"] for one in own], note, f"{metric} F1".strip(), "higher", keys)
        what = f"Read as the F1 of {metric or 'coreference'} of each part of a document; the mean of these is not that of all parts together."
    return Found(items=[item], notices=[Notice(file, what)])


READER = Reader(
    **described("blocks"),
    kinds=("scores", "statistics"),
    looks=_looks,
    read=_read,
    options=(said.BETTER,),
    proof=parsed(
        ("system", "One", ("0.8", "0.5", "1.0", "0.4", "0.6")),
        ("system", "One", ("1.0", "0.5", "1.0", "0.3", "0.5")),
        ("system", "One", ("0.7", "0.5", "1.0", "0.6", "0.75")),
    ),
)
