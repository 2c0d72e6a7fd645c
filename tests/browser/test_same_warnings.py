"""The JSON of a page has the warnings that the terminal's has, for the same files and settings."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sigboard.shell import downloads, session
from sigboard.terminal import main
from sigcore import project
from tests import some
from tests.browser import test_pages
from tests.browser.test_pages import dropped, page, press, sound, start
from tests.browser.test_runs_page import FILES as RUNS

a_server_that_knows_its_pages = test_pages.a_server_that_knows_its_pages
CHINESE = "".join(f"这是第{i}个句子，关于海边的小船。\n" for i in range(70))  # enough for every test
# read as UTF-16, a tokeniser that does not fit the language
FILES = {
    "ref.zh": CHINESE.encode(),
    "one.zh": CHINESE.replace("小船", "大船").encode("utf-16"),
    "two.zh": CHINESE.replace("海边", "山边").encode(),
}


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The contents of the JSON buttons of the pages that are drawn."""
    contents: list[Any] = []

    def keep(label: str, content: dict[str, Any] | Callable[[], dict[str, Any]], name: str) -> None:
        contents.append(content() if callable(content) else content)

    monkeypatch.setattr(downloads, "as_json", keep)
    return contents


def in_terminal(word: str, folder: Path, *more: str) -> list[str]:
    """The warnings of the command's JSON."""
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    words = [word, "--reference", "ref.zh", "--systems", "one.zh", "two.zh", *more, "--json", "made.json"]
    with chdir(folder):
        assert not main(words)
    warnings: list[str] = json.loads((folder / "made.json").read_text(encoding="utf-8"))["warnings"]
    return warnings


# what the command is asked that the page asks without being told
ASKED = {"gain": ["--alternative", "greater", "--mixtures", "3"], "size": ["--gain", "0.5"]}


@pytest.mark.parametrize("word", ["matrix", "compare", "gain", "report", "size"])
def test_the_warnings_are_those_of_the_terminal(word: str, written: list[Any], tmp_path: Path) -> None:
    """They are one list, in one order; there is one on a file and one on the text."""
    page(dropped(FILES), word)
    warnings = written[-1]["warnings"]
    assert any("UTF-16" in line for line in warnings)
    assert any("Chinese" in line for line in warnings)
    assert len(warnings) == len(set(warnings))
    assert in_terminal(word, tmp_path, *ASKED.get(word, [])) == warnings


def by_its_command(app: AppTest, folder: Path) -> dict[str, Any]:
    """The JSON of the command on the report page, run where the project of the visit was saved."""
    app.session_state["sigboard.report"] = "Sentences"
    sound(app.run())
    words = shlex.split(next(code.value for code in app.code if code.value.startswith("sigboard report")))
    settings = {name: text for name, text in app.session_state["sigboard.settings"].items() if text}
    saved = project.save(project.Project(app.session_state[session.KEY].collection, settings))
    (folder / words[words.index("--project") + 1]).write_bytes(saved)
    with chdir(folder):
        assert not main(words[1:])
    content: dict[str, Any] = json.loads((folder / words[words.index("--json") + 1]).read_text(encoding="utf-8"))
    return content


@pytest.mark.parametrize("also", ["", "chrf"])
def test_the_report_is_that_of_its_command(also: str, written: list[Any], tmp_path: Path) -> None:
    """Results, warnings and acknowledgements of the page are those of the printed command, with one metric or two."""
    given = {"also": also} if also else {}
    app = page(dropped(FILES, start(resamples="1000", **{"ack.tuning": "a new test set"}, **given)), "report")
    own = written[-1]
    assert len(own["results"]) == (2 if also else 1)
    assert any("chosen among several" in line for line in own["warnings"]) == bool(also)
    content = by_its_command(app, tmp_path)
    assert content["warnings"] == own["warnings"]
    for result, other in zip(json.loads(json.dumps(own["results"])), content["results"], strict=True):
        assert other | {"notes": []} == result | {"notes": []}  # notes of a run are on all of its metrics
    assert content["sentences"] == own["sentences"]
    assert [check["acknowledged"] for check in content["checks"]] == [c["acknowledged"] for c in own["checks"]]


def test_a_report_of_runs_is_that_of_its_command(written: list[Any], tmp_path: Path) -> None:
    """Where outputs are runs, the printed command compares them as runs, too, and gives the same file."""
    given = {"runs": "{system}.seed{run}", "correction": "joint", "also": "chrf"}
    app = page(dropped(RUNS, start(resamples="1000", **given)), "report")
    own = json.loads(json.dumps(written[-1]))
    assert [set(one["runs"]) for one in own["results"]] == [{"A", "B"}, {"A", "B"}]
    content = by_its_command(app, tmp_path)
    assert [one["metric"] for one in content["results"]] == ["bleu", "chrf"]
    assert content["warnings"] == own["warnings"]
    assert content["sentences"] == own["sentences"]
    for result, other in zip(own["results"], content["results"], strict=True):
        assert other | {"notes": []} == result | {"notes": []}


def test_matrix_and_report_have_one_list(written: list[Any]) -> None:
    """On the samples the file of the report has the warnings of the page Grid."""
    app = page(start(), "matrix")
    first = written[-1]["warnings"]
    page(app, "report")
    assert first == written[-1]["warnings"] != []


@pytest.mark.parametrize("word", some.first(["gain", "size", "domains"]))
def test_notes_on_files_are_in_every_file(word: str, written: list[Any]) -> None:
    """Where the test set has domains: what was found in the files comes first."""
    app = page(start(), word)
    found = downloads.warned(app.session_state[session.KEY].collection)
    assert written[-1]["warnings"][: len(found)] == found != []


def test_runs_have_one_list(written: list[Any], tmp_path: Path) -> None:
    """Where outputs are runs, a copy is a note on the runs of its system, on the page and in the terminal."""
    files = {name: text.encode() for name, text in RUNS.items()} | {"A.seed3.txt": RUNS["A.seed2.txt"].encode()}
    press(page(dropped(files, start(resamples="1000")), "matrix"), "Yes, they are runs")
    warnings = written[-1]["warnings"]
    assert "3 runs of A have only 2 different outputs: a copy is not another run." in warnings
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    systems = [name for name in files if name != "ref.txt"]
    words = ["matrix", "--reference", "ref.txt", "--systems", *systems, "--runs-from-names", "{system}.seed{run}"]
    with chdir(tmp_path):
        assert not main([*words, "--resamples", "1000", "--json", "made.json"])
    assert json.loads((tmp_path / "made.json").read_text(encoding="utf-8"))["warnings"] == warnings
