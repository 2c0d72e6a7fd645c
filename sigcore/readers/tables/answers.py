"""The prompts, right answers and answers that a log has next to its scores, record by record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sigcore.readers.contract import Content
from sigcore.readers.tables.objects import CONTAINERS

# Where programs write them, the most telling place first; names in names are joined by dots.
PROMPTS = (
    "input", "doc.question", "doc.query", "doc.problem", "doc.prompt", "doc.goal", "doc.sentence", "arguments.gen_args_0.arg_0",
    "arguments", "question", "query", "prompt", "instruction", "problem", "user_input", "origin_prompt",
)  # fmt: skip
RIGHT = ("target", "gold", "gold_answer", "expected", "expected_output", "ideal", "reference", "answers")
ANSWERS = (
    "output.completion", "resps", "filtered_resps", "model_output", "response", "prediction", "pred", "output", "completion",
    "generation", "actualOutput", "answer",
)  # fmt: skip


@dataclass(frozen=True)
class Answered:
    """One record of a log: `cell` is any of its values as text, the others are "" where the log has none."""

    record: Mapping[str, object]

    def cell(self, column: str) -> str:
        """The value below a name, or below names joined by dots."""
        value: object = self.record.get(column)
        if value is None and "." in column:
            value = self.record
            for name in column.split("."):
                value = value.get(name) if isinstance(value, dict) else None
        return text_of(value).strip()

    def _first(self, columns: tuple[str, ...]) -> str:
        return next((text for column in columns if (text := self.cell(column))), "")

    @property
    def prompt(self) -> str:
        """What was asked."""
        return self._first(PROMPTS)

    @property
    def right(self) -> str:
        """The right answer."""
        return self._first(RIGHT)

    @property
    def answer(self) -> str:
        """What the system answered."""
        return self._first(ANSWERS)


def text_of(value: object) -> str:
    """A value as text: of messages what they say, of a list its texts; "" for lists of anything else."""
    if isinstance(value, dict):
        return text_of(value.get("content") or value.get("text"))
    if not isinstance(value, list):
        return "" if value is None else str(value)
    if len(value) == 1:
        return text_of(value[0]) if isinstance(value[0], str | list | dict) else ""
    return "\n\n".join(map(text_of, value)) if value and all(isinstance(one, str | dict) for one in value) else ""


def records(content: Content) -> list[Mapping[str, object]]:
    """The records of a file of JSON: one per line, a list of them, or such a list in an object; [] for anything else."""
    try:
        value = json.loads(content.text)
    except (ValueError, RecursionError):
        try:
            value = [json.loads(line) for line in content.lines if line.strip()]
        except (ValueError, RecursionError):
            return []
    if isinstance(value, dict):
        lists = {name: part for name, part in value.items() if isinstance(part, list)}
        value = next((lists[name] for name in CONTAINERS if name in lists), next(iter(lists.values()), []))
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
