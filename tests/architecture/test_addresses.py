"""The parameters of the address: each has one owner."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEEPERS = ("choose", "_choose", "_part", "keep")  # the settings keep what these write (shell/address.py)


def named(call: ast.Call, name: str) -> str:
    """The text of a keyword argument; "" for none, or one that is not written out."""
    values = [word.value for word in call.keywords if word.arg == name]
    return str(values[0].value) if values and isinstance(values[0], ast.Constant) else ""


def calls() -> list[ast.Call]:
    """All calls of the screen."""
    files = [path for part in ("shell", "questions") for path in (ROOT / "sigboard" / part).rglob("*.py")]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files]
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]


def test_no_parameter_has_two_owners() -> None:
    """A parameter that Streamlit binds to a widget is not one that the settings write: they would take it from each other."""
    bound = {named(call, "key") for call in calls() if named(call, "bind") == "query-params"}
    kept = Counter(
        str(call.args[0].value)
        for call in calls()
        if getattr(call.func, "attr", getattr(call.func, "id", "")) in KEEPERS
        and call.args
        and isinstance(call.args[0], ast.Constant)
    )
    assert len(bound) > 10
    assert {"alpha", "draws", "sets"} <= set(kept)
    assert bound & set(kept) == set()
