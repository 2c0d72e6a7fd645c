"""The generated pages of docs/ are up to date, every file is linked, and every link names a file."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_made_pages_are_up_to_date() -> None:
    """`make docs` would change nothing."""
    outcome = subprocess.run([sys.executable, ROOT / "docs" / "make.py", "--check"], capture_output=True, text=True)
    assert outcome.returncode == 0, (
        "A page of docs/ or the README's table of questions is out of date: run make docs.\n" + outcome.stderr
    )


def links(page: Path) -> set[Path]:
    """The files that the relative links of a page name."""
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", page.read_text(encoding="utf-8"))
    return {(page.parent / target).resolve() for target in targets if "://" not in target}


def test_every_file_is_linked() -> None:
    """Every file of docs/ is linked from its first page or from the README of the project; for pictures see test_pictures."""
    files = {path for path in (ROOT / "docs").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    files -= set((ROOT / "docs" / "pictures").glob("*.png"))
    linked = links(ROOT / "README.md") | links(ROOT / "docs" / "README.md")
    assert sorted(path.name for path in files - linked - {ROOT / "docs" / "README.md"}) == []
    assert ROOT / "docs" / "README.md" in links(ROOT / "README.md")


def test_p_is_explained_once() -> None:
    """No paragraph of pvalues.md is repeated in the page of the tests, which links to it."""
    tests = (ROOT / "docs" / "tests.md").read_text(encoding="utf-8")
    paragraphs = (ROOT / "docs" / "pvalues.md").read_text(encoding="utf-8").split("\n\n")
    assert [text for text in paragraphs if text.strip() in tests] == []
    assert ROOT / "docs" / "pvalues.md" in links(ROOT / "docs" / "tests.md")


def test_python_of_the_readme_runs() -> None:
    """Every Python example of the README runs as printed, in the folder of the project."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert examples
    for example in examples:
        outcome = subprocess.run([sys.executable, "-c", example], cwd=ROOT, capture_output=True, text=True)
        assert outcome.returncode == 0, outcome.stderr
        assert outcome.stdout.strip()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name + "/" + page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file that is there."""
    assert [target for target in links(page) if not target.exists()] == []
