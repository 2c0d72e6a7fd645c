"""docs/settings.md has every environment variable of the project, and no other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Tests are left out, except what starts a browser: they set variables, but read only this one.
READING = (
    "sigcore",
    "sigboard",
    "pages",
    "benchmarks",
    "demos",
    "docs",
    "tests/browser/chromium.py",
    "app.py",
    "cli.py",
)
OTHERS = ("Makefile", "Dockerfile", ".streamlit/config.toml")
VARIABLE = re.compile(r"\bSIGBOARD_[A-Z]+(?:_[A-Z]+)*\b")


def in_the_code() -> set[str]:
    """Every SIGBOARD_* that is written in a module or in a file of settings."""
    files = [ROOT / name for name in (*READING, *OTHERS)]
    paths = [path for file in files for path in ([file] if file.is_file() else file.rglob("*.py"))]
    return {name for path in paths for name in VARIABLE.findall(path.read_text(encoding="utf-8"))}


def in_the_table() -> list[str]:
    """The first column of the table."""
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `(SIGBOARD_\w+)` \|", text, re.MULTILINE)


def test_every_variable_is_in_the_table_once() -> None:
    """The table and the code name the same variables."""
    assert sorted(in_the_table()) == sorted(in_the_code())
    assert "SIGBOARD_CACHE" in in_the_code()
