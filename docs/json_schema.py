"""Makes docs/schema.json and the tables of docs/schema.md of the fields of the results (sigcore/results/fields.py).

Those of results that are not described there are in the lists of fields.py.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from fields import written
from fields_of_planning import PARTS_OF_PLANNING, PLANNING
from fields_of_studies import STUDIES

from sigboard.questions.gain.report import GAIN
from sigboard.questions.human.files import HUMAN
from sigboard.questions.pairwise.report import PAIRWISE
from sigboard.questions.rank.report import DOCUMENT as RANK
from sigboard.questions.scores.report import SCORES
from sigboard.questions.segments.report import DOCUMENT as SEGMENTS
from sigboard.questions.tasks.report import TASKS
from sigboard.questions.trust.report import DOCUMENT as TRUST
from sigboard.render.json import COMPARE_DOCUMENT, MATRIX, MATRIX_DOCUMENT, STRIPS
from sigcore.results import DIRECTION, FAMILY, Field, Fields
from sigcore.studies.runs import RUNS
from sigcore.studies.scores import fields as of

# Commands, and the records that several of them share, whose fields are described beside their results.
COMMANDS = (MATRIX_DOCUMENT, RANK, COMPARE_DOCUMENT, SEGMENTS, TRUST, GAIN, HUMAN, SCORES, PAIRWISE, TASKS)
GROUPS = replace(MATRIX["groups"], sentence="Empty texts.")
# with runs, a grid has more; with one metric, what is more stands at the top once again
GRID_OF_RUNS = Fields("runs", *(field for field in MATRIX if field.name != "groups"), GROUPS, *RUNS)
WITH_RUNS = Fields(
    "runs",
    *(field for field in MATRIX_DOCUMENT if field.name != "results"),
    Field("results", "object[]", "One for each metric.", fields=GRID_OF_RUNS),
    *(replace(field, type=f"{field.type.removesuffix('-')}-") for field in RUNS),
    STRIPS,
)
OF_SCORES = (of.THREE, of.STATISTIC, of.SIGNED_RANK, of.STATISTICS, of.CELLS, of.COUNTS, of.OMNIBUS, of.RANKS)
RECORDS = (FAMILY, DIRECTION, *OF_SCORES)
DESCRIBED = {fields.name: written(fields) for fields in (*COMMANDS, WITH_RUNS)} | PLANNING | STUDIES
ORDER = [
    "matrix",
    "rank",
    "compare",
    "segments",
    "trust",
    "gain",
    "size",
    "domains",
    "runs",
    "human",
    "scores",
    "pairwise",
    "tasks",
    "tuning",
    "lab",
]
TABLES = {name: DESCRIBED[name] for name in ORDER}
PARTS = {fields.name: written(fields) for fields in RECORDS} | PARTS_OF_PLANNING
TITLES = {
    "runs": "`sigboard compare` and `sigboard matrix` with `--runs`",
    "lab": "`sigboard tuning` with `--dev`, `--baseline` or `--feature-set`",
}

TYPE = {"text": "string", "whole": "integer", "number": "number", "flag": "boolean", "object": "object"}
LINE = re.compile(r"(?P<indent> *)(?P<name>[\w*]+): (?P<type>\S+)  (?P<meaning>\S.*)")


def _kind(written: str) -> dict[str, Any]:
    """The JSON schema of a type of the list."""
    for end, wrap in (
        ("[]", lambda inner: {"type": "array", "items": inner}),
        ("{}", lambda inner: {"type": "object", "additionalProperties": inner}),
        ("-", lambda inner: inner),
        ("?", lambda inner: {"anyOf": [inner, {"type": "null"}]}),
    ):
        if written.endswith(end):
            return wrap(_kind(written.removesuffix(end)))
    if written.startswith("#"):
        return {"$ref": f"#/$defs/{written[1:]}"}
    return {"type": TYPE[written]} if written != "any" else {}


def _innermost(content: dict[str, Any]) -> dict[str, Any]:
    """The schema of the objects in a list, or under the names, of a type."""
    inner = content.get("items") or content.get("additionalProperties") or content.get("anyOf", [None])[0]
    return _innermost(inner) if inner else content


def rows(table: str) -> list[tuple[int, str, str, str]]:
    """(depth, name, type, meaning) of every field, the fields of an object after it."""
    found = []
    for line in filter(str.strip, table.split("\n")):
        match = LINE.fullmatch(line)
        if match is None:
            raise ValueError(f"docs/fields.py has a line that cannot be read: {line}")
        found.append((len(match["indent"]) // 2, match["name"], match["type"], match["meaning"]))
    return found


def _object(fields: list[tuple[int, str, str, str]]) -> dict[str, Any]:
    """The JSON schema of an object with these fields: no other field, and only those with "-" may be absent."""
    depth = fields[0][0]
    starts = [k for k, field in enumerate(fields) if field[0] == depth]
    properties = {}
    for start, end in zip(starts, [*starts[1:], len(fields)], strict=True):
        _, name, kind, meaning = fields[start]
        content = _kind(kind)
        if end > start + 1:
            _innermost(content).update(_object(fields[start + 1 : end]))
        properties[name] = {"description": meaning} | content
    others: dict[str, Any] | bool = properties.pop("*", False)
    required = [fields[k][1] for k in starts if not fields[k][2].endswith("-") and fields[k][1] != "*"]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": others}


def schema() -> str:
    """docs/schema.json: under `$defs`, one schema for each command, and those of the objects that they share."""
    content = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "JSON of Sigboard",
        "$defs": {name: _object(rows(table)) for name, table in (*TABLES.items(), *PARTS.items())},
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def page() -> str:
    """The tables of docs/schema.md."""
    parts = []
    for name, table in (*TABLES.items(), *PARTS.items()):
        title = TITLES.get(name) or (f"`sigboard {name}`" if name in TABLES else f"#{name}")
        parts += [f"## {title}\n", "| field | type | meaning |", "| --- | --- | --- |"]
        path: list[str] = []
        for depth, field, kind, meaning in rows(table):
            path[depth:] = [field]
            absent = " (may be absent)" if kind.endswith("-") else ""
            parts.append(f"| `{'.'.join(path)}` | `{kind.removesuffix('-')}`{absent} | {meaning} |")
        parts.append("")
    return "\n".join(parts)
