"""The fields of the JSON whose results do not describe them themselves (see sigcore/results/fields.py), once.

size and domains are in fields_of_planning.py, tuning in fields_of_studies.py. docs/json_schema.py makes docs/schema.json and docs/schema.md of it.

A line is `NAME: TYPE  MEANING`; deeper lines are the fields of an object. Types: text, whole, number, flag, any object
of the list as #NAME; `?` after a type: or null; `[]`: a list of it; `{}`: an object whose keys are names of
the data; `-`: may be absent. The name * is that of all other fields.
"""

from __future__ import annotations

from collections.abc import Iterable

from sigboard.render.json import NAMED, SETUP
from sigcore.results import Field


def written(fields: Iterable[Field], depth: int = 0) -> str:
    """The fields of a result in this notation; records that have a name of their own are only named."""
    lines = []
    for field in fields:
        if field.data:
            lines.append(f"{'  ' * depth}{field.name}: {field.type}  {field.sentence}\n")
            inside = field.fields is not None and not field.type.startswith("#")
            lines.append(written(field.fields or (), depth + 1) if inside else "")
    return "".join(lines)


COMMON = written(SETUP.only("n", "unit", "segments", "resamples", "seed"))
HEAD = written(NAMED, 1)
