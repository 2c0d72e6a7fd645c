"""Tables that look like those of known programs: any other columns and cells give streams or a problem, and never a crash."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sigcore.readers import read
from sigcore.readers.tables.facing import PAIRS
from sigcore.readers.tables.preferred import WINNERS
from sigcore.readers.tables.programs import PROGRAMS, Program

OTHERS = (
    "system", "model", "id", "segment", "document", "judge", "metric", "score", "reference", "source", "text", "turn", "COMET",
    "domain", "passed", "correct", "type", "z", "epoch", "group",
)  # fmt: skip
CELLS = st.sampled_from(
    ["", "1", "0.5", "-1", "true", "false", "A", "B", "tie", "model_a", "two words", "nan", "pass", "C"]
)


def headings(program: Program) -> list[str]:
    """The headings that the program needs, and one of its scores."""
    needed = [need.replace("*", "x") for need in program.needs if not need.startswith("^")]
    return [*needed, *(name.replace("*", "x").replace("?", "l") for name in program.scores[:1]), *program.texts]


def rows(draw: Any, names: list[str]) -> list[dict[str, str]]:
    return [{name: draw(CELLS) for name in names} for _ in range(draw(st.integers(1, 5)))]


def safe(table: list[dict[str, str]]) -> None:
    """Both as records and as CSV there is something to say about every file."""
    names = list(table[0])
    csv = "\n".join([",".join(names), *(",".join(row.values()) for row in table)]) + "\n"
    for file, text in (("t.jsonl", "".join(json.dumps(row) + "\n" for row in table)), ("t.csv", csv)):
        intake = read([(file, text.encode())])
        assert intake.items or intake.judgments or intake.preferences or intake.groups or intake.problems


@given(st.data(), st.sampled_from(PROGRAMS), st.lists(st.sampled_from(OTHERS), unique=True, max_size=4))
def test_a_known_layout_with_other_columns(data: Any, program: Program, others: list[str]) -> None:
    """With ids, systems, judges and more beside what the program writes."""
    safe(rows(data.draw, list(dict.fromkeys([*headings(program), *others]))))


@given(
    st.data(),
    st.sampled_from(PAIRS),
    st.sampled_from(WINNERS),
    st.lists(st.sampled_from(OTHERS), unique=True, max_size=3),
)
def test_pairs_with_other_columns(data: Any, pair: tuple[str, str], winner: str, others: list[str]) -> None:
    """Two systems, a winner and whatever else."""
    safe(rows(data.draw, list(dict.fromkeys([*pair, winner, *others]))))
