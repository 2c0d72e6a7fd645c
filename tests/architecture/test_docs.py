"""The documents are in step with the code: made pages, numbers, links, navigation, settings and pictures."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sigboard.catalogue import QUESTIONS
from sigcore import corrections
from tests.browser.pictures import FOLDER, MOST, RECORD, THEMES, record
from tests.stored import ENTRIES

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
TEXTS = {path.name if path.parent == ROOT else f"docs/{path.name}": path.read_text(encoding="utf-8") for path in PAGES}
INSIDE_ANOTHER = {"loading.md"}  # it is the beginning of formats.md
ABOVE = {"project.md", "changelog.md", "contributing.md", "samples.md"}  # documents outside of docs/, on the site
# What names an environment variable; tests set variables, and read only the one of the browser.
READING = ("sigcore", "sigboard", "pages", "benchmarks", "demos", "docs", "tests/browser/chromium.py", "app.py")
SETTINGS = ("cli.py", "Makefile", "Dockerfile", ".streamlit/config.toml")
NUMBER = re.compile(r"<!-- n:(\S+) -->")


def test_made_pages_are_up_to_date() -> None:
    """`make docs` would change nothing: neither a made page, nor a number that is stored."""
    outcome = subprocess.run([sys.executable, DOCS / "make.py", "--check"], capture_output=True, text=True)
    assert outcome.returncode == 0, f"Run make docs. Out of date:\n{outcome.stderr}"


# ---- numbers


def test_every_stored_number_is_printed() -> None:
    """Each name of docs/numbers.json is in a page, and each name in a page is stored."""
    assert {name for text in TEXTS.values() for name in NUMBER.findall(text)} == set(ENTRIES)


def test_no_line_begins_with_a_number() -> None:
    """A comment at the beginning of a line would end its paragraph on the web; tables are on lines of their own."""
    assert [page for page, text in TEXTS.items() if re.search(r"^<!-- n:\S+ -->(?!\n)", text, re.MULTILINE)] == []


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if not {"code", "file"} & set(entry)])
def test_a_stored_number_is_measured(name: str) -> None:
    """The test that a number names reads it, as `stored("NAME")`; a number that was measured once says how."""
    entry = ENTRIES[name]
    assert ("once" in entry) != ("from" in entry)
    assert len(entry.get("once", "explained")) > 8
    if "from" in entry:
        file, test = entry["from"].split("::")
        nodes = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
        (found,) = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == test]
        assert name in _read(found)


def _read(function: ast.FunctionDef) -> set[str]:
    """The stored numbers that a test reads, or its decorators."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and ast.unparse(node.func) == "stored"]
    return {str(ast.literal_eval(call.args[0])) for call in calls}


# ---- links and navigation


def links(page: Path) -> set[Path]:
    """The files that the relative links of a page name."""
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", page.read_text(encoding="utf-8"))
    return {(page.parent / target).resolve() for target in targets if "://" not in target}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file that is there."""
    assert [target for target in links(page) if not target.exists()] == []


def test_every_file_is_linked() -> None:
    """Every file of docs/ but the pictures is linked from its first page or from the README of the project."""
    files = {path for path in DOCS.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    files -= set((DOCS / "pictures").glob("*.png"))
    linked = links(ROOT / "README.md") | links(DOCS / "README.md")
    assert sorted(path.name for path in files - linked - {DOCS / "README.md"}) == []
    assert DOCS / "README.md" in links(ROOT / "README.md")


def test_every_page_is_in_the_navigation_once() -> None:
    """The navigation of the site has every page of docs/, every lesson and every document above it, and nothing else."""
    named = re.findall(r"([\w-]+\.md)", (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2])
    pages = {path.name for path in DOCS.glob("*.md")} - INSIDE_ANOTHER
    lessons = {f"lesson_{path.name.replace('-', '_')}" for path in (ROOT / "lessons").glob("*.md")}
    assert sorted(named) == sorted(pages | lessons | ABOVE)


# ---- in step with the code


def test_every_variable_is_documented() -> None:
    """docs/settings.md has each environment variable of the project once, and no other."""
    files = [
        path for name in READING for path in ((ROOT / name).rglob("*.py") if (ROOT / name).is_dir() else [ROOT / name])
    ]
    found = {
        name
        for path in (*files, *(ROOT / name for name in SETTINGS))
        for name in re.findall(r"\bSIGBOARD_[A-Z]+(?:_[A-Z]+)*\b", path.read_text(encoding="utf-8"))
    }
    assert sorted(re.findall(r"^\| `(SIGBOARD_\w+)` \|", TEXTS["docs/settings.md"], re.MULTILINE)) == sorted(found)
    assert "SIGBOARD_CACHE" in found


def test_the_readme_is_read_in_a_minute() -> None:
    """Its prose, without tables, commands and comments, has at most 400 words."""
    prose = re.sub(r"```.*?```|<!--.*?-->|^\|.*?$", "", TEXTS["README.md"], flags=re.DOTALL | re.MULTILINE)
    assert 100 < len(prose.split()) <= 400


def test_the_pages_list_every_correction() -> None:
    """The row of corrections has the title of each."""
    row = re.search(r"\| corrections \| (.*)", TEXTS["docs/pages.md"])
    assert row is not None
    assert [c.title for c in corrections.members().values() if c.name != "none" and c.title not in row[1]] == []


def test_pictures_show_the_navigation() -> None:
    """Every page has a light and a dark picture below the limit, taken since its title and question were last changed."""
    taken = json.loads(RECORD.read_text(encoding="utf-8"))
    assert taken == record(QUESTIONS), "The pictures are older than the list of questions: run make pictures."
    pictures = {path.name: path.stat().st_size for path in FOLDER.glob("*.png")}
    assert set(pictures) == {f"{word}-{theme}.png" for word in taken for theme in THEMES}
    assert {name: size for name, size in pictures.items() if size >= MOST} == {}
