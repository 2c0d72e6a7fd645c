"""The list of questions and the files its words name; a new question is its own files and one record."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from sigboard import catalogue, terminal
from sigboard.catalogue import QUESTIONS, Question
from sigcore import UnknownMember
from tests import guide
from tests.architecture import rules
from tests.architecture.test_imports import project

ROOT = Path(__file__).resolve().parents[2]

# AppTest takes the folder pages/ for the old kind of app with many pages, unless it is told that app.py has a navigation
VISIT = """
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

PagesManager.uses_pages_directory = False
begin = PagesManager.__init__


def begin_with_navigation(self, *parts, **more):
    begin(self, *parts, **more)
    PagesManager.uses_pages_directory = False


PagesManager.__init__ = begin_with_navigation
app = AppTest.from_file("app.py", default_timeout=600).run()
assert not app.exception, app.exception
app.session_state["sigboard"].collection.add_sample("harbour")
app.switch_page("pages/length.py").run()
while not app.dataframe:
    assert not app.exception and not app.error, (app.exception, app.error)
    app.run()
print(app.title[0].value, app.main.markdown[-1].value, len(app.dataframe[0].value))
"""


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.word)
def test_word_names_the_files(question: Question) -> None:
    """The word of a question names its page, its command, its study and its figure."""
    assert (ROOT / question.page).is_file()
    for module in (question.command, question.study, question.figure):
        assert not module or find_spec(module) is not None, module
    assert question.icon.startswith(":material/")


def test_no_page_or_command_is_forgotten() -> None:
    """Every page is the page of a question; every command is that of a question, or a tool."""
    words = {question.word for question in QUESTIONS}
    assert len(words) == len(QUESTIONS)
    # the class room of the lessons asks no question
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} == words | {"room"}
    rooms = ROOT / "sigboard" / "questions"
    assert {path.parent.name for path in rooms.glob("*/page.py")} == words
    assert {path.parent.name for path in rooms.glob("*/command.py")} == words
    assert all((ROOT / "sigboard" / "terminal" / f"{tool}.py").is_file() for tool in terminal.TOOLS)


def test_unknown_word_is_refused() -> None:
    """A word that is not in the list is refused with the nearest one."""
    with pytest.raises(UnknownMember, match="matrix"):
        catalogue.get("matrx")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the product with the question of the guide: its four files and its record."""
    project = tmp_path_factory.mktemp("project")
    for folder in ("sigcore", "sigboard", "pages", "samples", "docs", "lessons", "benchmarks"):
        shutil.copytree(ROOT / folder, project / folder, ignore=shutil.ignore_patterns("__pycache__", "*.png"))
    for file in ("app.py", "serve.py", "cli.py", "README.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / file, project / file)
    files, record = guide.question()
    for path, text in files.items():
        (project / path).parent.mkdir(exist_ok=True)
        (project / path).write_text(text, encoding="utf-8")
    listed = project / "sigboard" / "catalogue.toml"
    listed.write_text(f"{listed.read_text(encoding='utf-8')}\n{record}", encoding="utf-8")
    return project


def run(folder: Path, *arguments: str) -> str:
    """What Python prints for these arguments in the folder."""
    own = {"PYTHONPATH": str(folder), "SIGBOARD_CACHE": "off", "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=os.environ | own, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_question_of_the_guide_has_few_files() -> None:
    """A question with a study is four files and a record."""
    files, record = guide.question()
    assert len(files) == 4
    assert record.count("[[question]]") == 1


@pytest.mark.slow
def test_the_question_of_the_guide_keeps_the_rules(copy: Path) -> None:
    """Its files import what they may, are in no circle, catch nothing, and are formatted as the others."""
    sources = project() | guide.question()[0]
    for check in (rules.broken_rows, rules.swallowed):
        assert check(sources) == []
    assert rules.circles(sources) == sorted(rules.KNOWN_CIRCLES)
    files = [copy / path for path in guide.question()[0]]
    for words in (["check"], ["format", "--check"]):
        run(copy, "-m", "ruff", *words, "--config", str(ROOT / "pyproject.toml"), *map(str, files))


def test_the_question_of_the_guide_has_a_command(copy: Path) -> None:
    """The command line lists it; the command prints the verdict with a table, and writes JSON and CSV."""
    assert "the words of each system for one word of the reference" in run(copy, "cli.py", "--help")
    asked = ["cli.py", "length", "--reference", "samples/harbour/ref.A.en", "--systems", "samples/harbour/systems"]
    verdict, _, head, *lines = run(copy, *asked).splitlines()
    assert "has the shortest outputs" in verdict
    assert head.split() == ["system", "words", "for", "one"]
    assert len(lines) == 8
    content = json.loads(run(copy, *asked, "--json", "-"))
    assert content["verdict"] == verdict
    assert len(content["systems"]) == 8
    assert len(run(copy, *asked, "--csv", "-").splitlines()) == 9


def test_the_question_of_the_guide_has_a_page(copy: Path) -> None:
    """The navigation leads to it, and with the sample it shows the verdict and a row for each system."""
    shown = run(copy, "-c", VISIT)
    assert "Are the outputs as long as the references?" in shown
    assert "has the shortest outputs" in shown
    assert shown.strip().endswith(" 8")


@pytest.mark.slow
def test_make_docs_adds_the_question_of_the_guide(copy: Path) -> None:
    """The README gets its row."""
    run(copy, "docs/make.py")
    assert "| Length | `length` |" in (copy / "README.md").read_text(encoding="utf-8")
