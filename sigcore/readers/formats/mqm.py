"""MQM: one error per line; the errors of a rater in a segment are summed, and fewer points of error are better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sigcore.errors import ReadError
from sigcore.judgments import judgments
from sigcore.readers import names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Notice, Options, Reader
from sigcore.registry import Option

NEEDED = ("system", "rater", "category", "severity")
SEGMENT = ("seg_id", "global_seg_id", "globalsegid", "segment")
NO_ERROR = ("no-error", "no error", "neutral", "")
LONGEST_HEAD = 10_000  # letters; a longer first line is no head of a table of errors
Key = tuple[str, str, str, str]  # rater, system, document, segment


def _headings(line: str) -> list[str]:
    return [names.clean(cell).lower() for cell in line.split("\t")]


def _looks(content: Content) -> int:
    first = content.lines[0] if content.lines else ""
    headings = _headings(first) if len(first) < LONGEST_HEAD else []
    return CERTAIN if set(NEEDED) <= set(headings) and set(SEGMENT) & set(headings) else NO


def weight(category: str, severity: str, options: Options) -> float | None:
    """The points of one error; None where the severity is not known."""
    category, severity = category.strip().lower(), severity.strip().lower()
    if category.startswith("non-translation"):
        name = "non_translation"
    elif severity in NO_ERROR or category in NO_ERROR[:2]:
        return 0.0
    elif severity == "trivial" or (severity == "minor" and category.endswith("punctuation")):
        name = "punctuation"
    else:
        name = severity if severity in ("minor", "major", "critical") else ""
    value = options.get(name)
    return float(value) if isinstance(value, int | float) else None


def _read(content: Content, options: Options) -> Found:
    headings = _headings(content.lines[0])
    if not _looks(content):
        fix = f"It needs a head with {', '.join(NEEDED)} and {SEGMENT[0]}, separated by TAB."
        raise ReadError(f"{content.file} has no errors marked by people.", content.file, 1, fix)
    place = {name: headings.index(name) for name in NEEDED}
    segment = next(headings.index(name) for name in SEGMENT if name in headings)
    document = headings.index("doc") if "doc" in headings else None
    found, unknown = Found(), dict[str, int]()
    points: dict[Key, float] = {}
    for line, text in enumerate(content.lines[1:], start=2):
        row = text.split("\t")
        if len(row) != len(headings):
            what = f"{content.file}: line {line} has {len(row)} fields, the first has {len(headings)}."
            raise ReadError(what, content.file, line, "Give every line the same number of TABs; text may hold none.")
        severity = row[place["severity"]]
        value = weight(row[place["category"]], severity, options)
        if value is None:
            unknown[severity.strip()] = unknown.get(severity.strip(), 0) + 1
            continue
        cells = (row[place["rater"]], row[place["system"]], "" if document is None else row[document], row[segment])
        rater, system, doc, seg = (names.clean(cell) for cell in cells)
        points[rater, system, doc, seg] = points.get((rater, system, doc, seg), 0.0) + value
    _finish(content.file, points, unknown, found)
    return found


def _finish(file: str, points: dict[Key, float], unknown: dict[str, int], found: Found) -> None:
    for severity, count in unknown.items():
        told = f"{count:,} lines of severity {severity!r} are no errors that are known; they are left out."
        found.notices.append(Notice(file, told))
    keys: Sequence[Key] = list(points)
    if not keys:
        raise ReadError(f"{file} has no ratings.", file, fix="Load the whole file.")
    raters, systems, documents, segments = zip(*keys, strict=True)
    columns: dict[str, Sequence[Any]] = {"judge": raters, "system": systems, "document": documents}
    columns |= {"segment": segments, "score": [-points[key] for key in keys], "dimension": ["MQM"] * len(keys)}
    found.judgments.append(judgments(names.display_name(file), columns, absolute=True, file=file))
    told = (
        f"{len(keys):,} segments rated by {len(set(raters))} raters, {len(set(systems))} systems, as points of error."
    )
    found.notices.append(Notice(file, told))


def _points(name: str, default: float, help: str) -> Option:
    return Option(name, default, low=0.0, help=help)


READER = Reader(
    name="mqm",
    title="errors marked by people (MQM)",
    kinds=("judgments",),
    looks=_looks,
    read=_read,
    options=(
        _points("major", 5.0, "Points of a major error."),
        _points("minor", 1.0, "Points of a minor error."),
        _points("punctuation", 0.1, "Points of a minor error of punctuation."),
        _points("non_translation", 25.0, "Points of a segment that is no translation."),
        _points("critical", 10.0, "Points of a critical error, where there are any."),
    ),
    help="One error per line, separated by TAB: system, doc, doc_id, seg_id, rater, source, target, category, severity.",
    example=(
        "mqm.tsv",
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
        "One\tnews\t1\t1\trater1\ta\tb\tAccuracy/Mistranslation\tMajor\n"
        "One\tnews\t1\t1\trater1\ta\tb\tFluency/Punctuation\tMinor\n",
    ),
)
