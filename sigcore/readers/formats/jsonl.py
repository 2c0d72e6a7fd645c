"""JSON: one record per line, or a list of records; a record is a row of a table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from sigcore.errors import ReadError
from sigcore.readers import tables
from sigcore.readers.contract import BY_NAME, CERTAIN, NO, Content, Found, Notice, Options, Reader

Record = dict[str, object]
DEEPEST = 20


def _looks(content: Content) -> int:
    if content.suffix in ("json", "jsonl", "ndjson"):
        return CERTAIN
    start = content.text.lstrip()[:1]
    return BY_NAME if start == "{" and content.text.rstrip().endswith("}") and '":' in content.lines[0] else NO


def _read(content: Content, options: Options) -> Found:
    records = _records(content)
    notices: list[Notice] = []
    rows = [_flat(content.file, number, record) for number, record in records]
    headings = list(dict.fromkeys(heading for row in rows for heading in row))
    if not headings:
        raise ReadError("Its records hold nothing.", content.file, mend="Give every record a text or a score.")
    averaged = sorted({heading.partition(" (mean")[0] for heading in headings if heading.endswith(")")})
    if averaged:
        told = f"Lists of ratings were averaged in each record: {', '.join(averaged)}."
        notices.append(Notice(content.file, told))
    plain = [heading.partition(" (mean")[0] for heading in headings]
    found = tables.read_table(content.file, [plain, *([row.get(h, "") for h in headings] for row in rows)])
    found.notices[:0] = notices
    return found


def _records(content: Content) -> list[tuple[int, Record]]:
    """The records with the line (or, in one list, the place) each stands at.

    Raises: ReadError for what is no JSON, or no record.
    """
    start = content.text.lstrip()[:1]
    found = _whole(content) if start == "[" or content.suffix == "json" else list(_by_line(content))
    for number, record in found:
        if not isinstance(record, dict):
            what = f"record {number} is no object with names and values."
            raise ReadError(what, content.file, number, 'Write {"name": value, ...} for every segment.')
    if not found:
        raise ReadError("There are no records.", content.file, mend="Load the whole file.")
    return [(number, record) for number, record in found if isinstance(record, dict)]


def _whole(content: Content) -> list[tuple[int, object]]:
    try:
        value = json.loads(content.text)
    except (ValueError, RecursionError) as error:
        if "\n{" in content.text.strip():
            return list(_by_line(content))
        line = getattr(error, "lineno", None)
        raise ReadError(f"It is no JSON ({error}).", content.file, line, "Mend or make it again.") from None
    records = value if isinstance(value, list) else [value]
    if len(records) == 1 and isinstance(records[0], dict):
        inner = list(records[0].values())
        if len(inner) == 1 and isinstance(inner[0], list):
            records = inner[0]  # {"data": [...]}
    return list(enumerate(records, 1))


def _by_line(content: Content) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(content.lines, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            what = f"line {number} is no JSON ({error})."
            raise ReadError(what, content.file, number, "Write one whole record per line.") from None


def _flat(file: str, number: int, record: Record, prefix: str = "", depth: int = 0) -> dict[str, str]:
    """The record as cells: records inside get names with a dot, lists of texts a number, lists of ratings a mean."""
    out: dict[str, str] = {}
    if depth > DEEPEST:
        raise ReadError(f"record {number} is nested more than {DEEPEST} deep.", file, number, "Flatten it.")
    for name, value in record.items():
        heading = f"{prefix}{name}"
        if isinstance(value, dict):
            out |= _flat(file, number, value, f"{heading}.", depth + 1)
        elif isinstance(value, list):
            out |= _flat_list(heading, value)
        else:
            out[heading] = _cell(value)
    return out


def _flat_list(heading: str, values: Sequence[object]) -> dict[str, str]:
    if values and all(isinstance(value, dict) for value in values):
        names = dict.fromkeys(key for value in values if isinstance(value, dict) for key in value)
        lists = {n: [v[n] for v in values if isinstance(v, dict) and n in v] for n in names}
        return {
            f"{heading}.{n} (mean)": repr(sum(map(float, found)) / len(found))
            for n, found in lists.items()
            if all(isinstance(v, int | float) and not isinstance(v, bool) for v in found)
        }
    if values and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
        return {f"{heading} (mean)": repr(sum(map(float, values)) / len(values))}  # type: ignore[arg-type]
    if all(isinstance(value, str) for value in values):
        return {f"{heading} {k}" if len(values) > 1 else heading: str(value) for k, value in enumerate(values, 1)}
    return {heading: json.dumps(values, ensure_ascii=False)}


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


READER = Reader(
    name="jsonl",
    title="records (JSON)",
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    help="One record per segment, or per system and segment; names become headings, lists of references columns.",
    example=(
        "summaries.jsonl",
        '{"id": "a", "model_id": "One", "decoded": "It rains.", "references": ["Rain falls."]}\n'
        '{"id": "a", "model_id": "Two", "decoded": "Rain.", "references": ["Rain falls."]}\n',
    ),
)
