"""MQM: one error per line; the errors of a rater in a segment are summed, and fewer error points are better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.judgments import judgments
from sigcore.proof import parsed
from sigcore.readers import names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Notice, Options, Reader, described
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import rated as load
from sigcore.readers.tables.headings import Meaning

NEEDED: tuple[Meaning, ...] = ("system", "judge", "segment", "category", "severity")
OPTIONAL: tuple[Meaning, ...] = ("document",)
# What exports of annotation tools call them, without spaces and lines between the words.
ALSO: Mapping[Meaning, frozenset[str]] = {
    "system": frozenset(("mt", "mtsystem", "mtengine", "engine")),
    "category": frozenset(("errorcategory", "errortype", "errorclass", "issuetype")),
}
SpanKey = tuple[str, str, str, str]  # rater, system, document, segment


def _places(headings: Sequence[str]) -> dict[Meaning, int]:
    """The available columns: the required ones and the document."""
    places = {means: words.preferred(headings, means) for means in (*NEEDED, *OPTIONAL)}
    places["segment"] = words.preferred(headings, "segment", "perhaps segment")
    for means, also in ALSO.items():
        places[means] = places[means] or [k for k, name in enumerate(headings) if words.normalised(name) in also]
    return {means: columns[0] for means, columns in places.items() if columns}


def _looks(content: Content) -> int:
    return CERTAIN if set(NEEDED) <= _places(load.first_rows(content)[0]).keys() else NO


def _read(content: Content, options: Options) -> Found:
    table, notices = load.load_table(content)
    place = _places(table.headings)
    lacking = [means for means in NEEDED if means not in place]
    if lacking:
        fix = f"It needs a header with {', '.join(NEEDED)}, and optionally doc, separated by TABs or commas."
        message = f"{content.file} has no errors marked by people: it lacks a column for {listed(lacking)}."
        raise ReadError(message, content.file, 1, fix)
    result, unknown = Found(notices=notices), dict[str, int]()
    points: dict[SpanKey, float] = {}
    lines: dict[SpanKey, int] = {}  # the first of each
    for line, row in zip(table.places, table.rows, strict=True):
        severity = row[place["severity"]]
        value = load.weight(row[place["category"]], severity, options)
        if value is None:
            unknown[severity.strip()] = unknown.get(severity.strip(), 0) + 1
            continue
        key = _key(row, place)
        points[key] = points.get(key, 0.0) + value
        lines.setdefault(key, line)
    _finish(content.file, points, list(lines.values()), unknown, result, options)
    return result


def _key(row: Sequence[str], place: Mapping[Meaning, int]) -> SpanKey:
    judge, system, segment = (names.clean(row[place[means]]) for means in ("judge", "system", "segment"))
    return judge, system, names.clean(row[place["document"]]) if "document" in place else "", segment


def _finish(
    file: str,
    points: dict[SpanKey, float],
    lines: Sequence[int],
    unknown: dict[str, int],
    result: Found,
    options: Options,
) -> None:
    for severity, n in unknown.items():
        message = f"Left out: {count(n, 'line')} with the unknown severity {severity!r}."
        result.notices.append(Notice(file, message))
    keys: Sequence[SpanKey] = list(points)
    if not keys:
        raise ReadError(f"{file} has no ratings.", file, fix="Load the complete file.")
    raters, systems, documents, segments = zip(*keys, strict=True)
    columns: dict[str, Sequence[Any]] = {"judge": raters, "system": systems, "document": documents}
    load.refuse_rows(file, lines, systems, segments, documents)
    columns |= {"segment": segments, "score": [-points[key] for key in keys], "dimension": ["MQM"] * len(keys)}
    result.judgments.append(judgments(names.display_name(file), columns, absolute=True, file=file))
    message = f"{count(len(keys), 'segment')} rated by {count(len(set(raters)), 'rater')}"
    message += f", {count(len(set(systems)), 'system')}, as error points ({load.points_in(options)})."
    result.notices.append(Notice(file, message))


READER = Reader(
    **described("mqm"),
    kinds=("judgments",),
    looks=_looks,
    read=_read,
    options=load.POINTS,
    proof=parsed(("judgments", "mqm", ("One 1 -5.1",))),
)
