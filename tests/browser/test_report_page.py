"""The report page without a browser: checks with their fixes, sentences, downloads, and projects saved and opened."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from sigboard import terminal
from sigboard.shell import session, uploads
from sigcore import project
from tests.browser.test_pages import (
    GOOD,
    a_server_that_knows_its_pages,
    dropped,
    held,
    page,
    plain,
    press,
    said,
    sound,
    start,
)

__all__ = ["a_server_that_knows_its_pages"]  # a fixture that every test uses

FILES = {
    "ref.txt": GOOD,
    "one.txt": GOOD.replace("red", "rouge"),
    "sys_a%&<b>.txt": GOOD.replace("boat", "ship"),
    "two.txt": GOOD.replace("home", "away"),
}


def visit(app: AppTest) -> session.Visit:
    """The visit of the app."""
    found: session.Visit = app.session_state[session.KEY]
    return found


def test_the_sample_has_every_check_and_download() -> None:
    """Each check has a word for its state; all files are offered; nothing of the sample is red."""
    app = page(start(), "report")
    text = said(app)
    assert "Is p corrected, and over which family?" in text
    assert "not known: you must say" in text
    assert "change it" not in text.replace("say it or change it", "")
    labels = {button.proto.label for button in app.get("download_button")}
    assert {"Report (HTML)", "Tables (LaTeX)", "Tables (XLSX)", "Figures (SVG and PNG)"} <= labels
    assert len(labels) == 9


def test_a_fix_is_a_button_that_sets_the_setting() -> None:
    """Without a correction the check is red; its button sets the correction, in the sidebar and in the address."""
    app = page(start(correction="none", sides="greater", resamples="1000"), "report")
    assert "p-values without a correction" in said(app)
    press(app, "Correct for the number of pairs")
    assert app.selectbox(key="correction").value == "auto"
    assert "Yes: max-T" in said(app)
    press(app, "Use a two-sided test")
    assert app.selectbox(key="sides").value == "two-sided"
    assert "sides" not in app.query_params


def test_what_only_the_author_knows_is_said_with_a_box() -> None:
    """The box turns the check green and is part of the address; a link with it has the box set."""
    app = page(start(), "report")
    app.checkbox(key="sigboard.unseen").check().run()
    assert "Yes, as the author says." in said(sound(app))
    assert held(app, "unseen") == "1"
    assert page(start(unseen="1"), "report").checkbox(key="sigboard.unseen").value


def test_names_are_literal_and_the_command_reads_the_project() -> None:
    """A hostile name is shown letter by letter in sentence and table; the command names the project file."""
    app = page(dropped(FILES), "report")
    app.session_state["sigboard.report"] = "Sentences"
    sound(app.run())
    words = shlex.split(next(code.value for code in app.code if code.value.startswith("sigboard report")))
    assert words[words.index("--project") + 1].endswith(".sigboard")
    app.session_state["sigboard.report"] = "Scores"
    sound(app.run())
    assert r"sys\_a%\&\<b\>" in "\n".join(text.value for text in app.markdown)


def saved(app: AppTest) -> bytes:
    """The project file of the visit, without a grid: AppTest cannot press a download."""
    settings = {name: text for name, text in app.session_state["sigboard.settings"].items() if text}
    return project.save(project.Project(visit(app).collection, settings))


def test_a_project_restores_files_names_and_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Dropped in another visit, a project brings the same sentence, settings and names; the command line reads it too."""
    app = page(dropped(FILES), "report")
    app.selectbox(key="metric").set_value("chrf").run()
    app.selectbox(key="alpha").set_value(0.01).run()
    before = re.findall(r"\d of \d pairs.*", said(sound(app)))
    content = saved(app)
    other = page(dropped({"mine.sigboard": content}, start(sides="less")), "report")
    assert re.findall(r"\d of \d pairs.*", said(other)) == before
    assert (other.selectbox(key="metric").value, other.selectbox(key="alpha").value) == ("chrf", 0.01)
    assert other.selectbox(key="sides").value == "two-sided"
    file = tmp_path / "mine.sigboard"
    file.write_bytes(content)
    assert terminal.main(["matrix", "--project", str(file), "--metric", "chrf", "--alpha", "0.01"]) == 0
    assert before[0].split(". ")[0] in plain(capsys.readouterr().out)


def test_a_bad_project_is_a_message_and_changes_nothing() -> None:
    """A damaged file is reported with its name; what was loaded stays."""
    app = dropped({"bad.sigboard": saved(page(dropped(FILES), "report"))[:500]}, dropped(FILES))
    assert "The project file is damaged" in said(app)
    assert "bad.sigboard" in said(app)
    assert len(visit(app).collection.loaded().outputs) == 3


def test_only_settings_of_the_app_are_taken_from_a_file() -> None:
    """Names that are keys of the session, and options of no metric, are not settings."""
    assert all(map(uploads.known, ("metric", "alpha", "block", "bleu.tokenize", "unseen")))
    assert not any(map(uploads.known, ("sigboard", "analysis", "sigboard.token", "bleu.nothing", "", "no.tokenize")))
