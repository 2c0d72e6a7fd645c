"""The list of questions and the files its words name; a new question is its own files and one record."""

from __future__ import annotations

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

ROOT = Path(__file__).resolve().parents[2]

RECORD = """
    Question("effort", "Effort", "How much work is it?", ":material/straighten:", "the work that a gain needs"),
)
FIRST"""
SCRIPT = """
from sigboard.questions.effort import page

page.show()
"""
PAGE = """
import streamlit as st
from sigboard.shell import page


def show():
    with page.question("effort"):
        st.write("As many as you can get.")
"""
COMMAND = """
def add_arguments(command):
    command.add_argument("--gain", type=float, default=1.0)


def run(args):
    print(f"For a gain of {args.gain:g}: as many as you can get.")
"""
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
app.switch_page("pages/effort.py").run()
assert not app.exception, app.exception
print(app.title[0].value, app.markdown[-1].value)
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
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} == words
    rooms = ROOT / "sigboard" / "questions"
    assert {path.parent.name for path in rooms.glob("*/page.py")} == words
    assert {path.parent.name for path in rooms.glob("*/command.py")} == words
    assert all((ROOT / "sigboard" / "terminal" / f"{tool}.py").is_file() for tool in terminal.TOOLS)


def test_unknown_word_is_refused() -> None:
    """A word that is not in the list is refused with the nearest one."""
    with pytest.raises(UnknownMember, match="matrix"):
        catalogue.get("matrx")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the product with one more question: a page, a command and a record."""
    for folder in ("sigboard", "pages"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("app.py", "cli.py"):
        shutil.copy(ROOT / file, tmp_path / file)
    (tmp_path / "pages" / "effort.py").write_text(SCRIPT, encoding="utf-8")
    room = tmp_path / "sigboard" / "questions" / "effort"
    room.mkdir()
    (room / "page.py").write_text(PAGE, encoding="utf-8")
    (room / "command.py").write_text(COMMAND, encoding="utf-8")
    listed = tmp_path / "sigboard" / "catalogue.py"
    text = listed.read_text(encoding="utf-8")
    assert text.count("\n)\nFIRST") == 1
    listed.write_text(text.replace("\n)\nFIRST", RECORD), encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str) -> str:
    """What Python prints for these arguments in the folder, with the core of this checkout."""
    paths = {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]), "SIGBOARD_CACHE": "off", "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=os.environ | paths, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_new_question_has_a_command(copy: Path) -> None:
    """The command line lists the new question and answers it."""
    assert "the work that a gain needs" in run(copy, "cli.py", "--help")
    assert run(copy, "cli.py", "effort", "--gain", "0.5") == "For a gain of 0.5: as many as you can get.\n"


def test_new_question_has_a_page(copy: Path) -> None:
    """The navigation leads to the new page, under the heading of the record."""
    assert "How much work is it? As many as you can get." in run(copy, "-c", VISIT)
