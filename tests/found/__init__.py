"""Examples of Hypothesis at which a test once failed: stored at night, one file each, and tried in every run since."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example

FOLDER = Path(__file__).parent
SHOWN = re.compile(r"^Failing test case: \w+\((.*?)^\)", re.MULTILINE | re.DOTALL)


def name_of(item: pytest.Item) -> str:
    """The file and the function of a test, without its parameters."""
    return f"{item.location[0]}::{getattr(item, 'originalname', item.name)}".replace("\\", "/")


def arguments(text: str) -> dict[str, Any]:
    """The arguments written in such a text, as `seed=121, words=['a']`.

    Raises: ValueError or SyntaxError where one is no literal.
    """
    called = ast.parse(f"f({text}\n)", mode="eval").body
    assert isinstance(called, ast.Call)
    return {str(word.arg): ast.literal_eval(word.value) for word in called.keywords}


def failing(error: BaseException) -> Iterator[str]:
    """The arguments of each example that Hypothesis names in an error, as one line; those that are no literals are left out."""
    notes = "\n".join(getattr(error, "__notes__", ()))
    for text in SHOWN.findall(notes):
        try:
            yield ", ".join(f"{name}={value!r}" for name, value in arguments(text).items())
        except (ValueError, SyntaxError):
            continue


def keep(item: pytest.Item, error: BaseException, folder: Path = FOLDER) -> list[Path]:
    """Store the examples that an error names; the files."""
    kept = []
    for text in failing(error):
        content = f"{name_of(item)}\n{text}\n"
        path = folder / f"{hashlib.sha256(content.encode()).hexdigest()[:12]}.txt"
        path.write_text(content, encoding="utf-8")
        kept.append(path)
    return kept


def stored(folder: Path = FOLDER) -> dict[str, list[str]]:
    """By name of the test, the arguments of all stored examples."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.txt")):
        name, text = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
        found.setdefault(name, []).append(text)
    return found


def attach(name: str, function: Callable[..., object], examples: dict[str, list[str]]) -> None:
    """Let a test of Hypothesis try its stored examples first."""
    for text in examples.get(name, ()):
        example(**arguments(text))(function)
