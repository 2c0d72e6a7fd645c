"""The report page without a browser: checks with their fixes, sentences, downloads, and projects saved and opened."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sigboard import terminal
from sigboard.shell import downloads, session
from sigcore import project
from sigcore.studies import report
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
from tests.browser.test_runs_page import FILES as RUNS

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
    assert "your call" in text
    assert "badge[✗" not in text
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


Checks = Callable[[], dict[str, dict[str, Any]]]


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Checks:
    """The checks in the JSON of the page that was drawn last, by name."""
    contents: list[Callable[[], dict[str, Any]]] = []
    monkeypatch.setattr(downloads, "as_json", lambda label, content, name: contents.append(content))
    return lambda: {check["name"]: check for check in contents[-1]()["checks"]}


CHINESE = "".join(f"这是第{i}个句子，关于海边的小船。\n" for i in range(40))
ZH = {"ref.zh": CHINESE, "one.zh": CHINESE.replace("小船", "大船"), "two.zh": CHINESE.replace("海边", "山边")}
FEW = {name: "".join(text.splitlines(keepends=True)[:25]) for name, text in FILES.items()}
# documents of two segments, which one output has wholly right or wholly wrong
ALIKE = {
    "ref.txt": GOOD,
    "one.txt": "".join("x y z\n" if k // 2 % 3 else f"{line}\n" for k, line in enumerate(GOOD.splitlines())),
    "two.txt": GOOD.replace("home", "away"),
    "parts.tsv": "segment\tdocument\n" + "".join(f"{k + 1}\td{k // 2}\n" for k in range(40)),
}
# check, what is loaded (the sample where it is None), the address, and how many presses it takes
FIXED: tuple[tuple[str, dict[str, str] | None, dict[str, str], int], ...] = (
    ("correction", None, {"correction": "none"}, 1),
    ("correction", None, {"compared": "baseline", "late": "1"}, 1),
    ("sides", None, {"sides": "less"}, 1),
    ("rule", None, {"ties": "strict", "estimator": "paper"}, 2),
    ("unit", ALIKE, {"unit": "segment"}, 1),
    ("resamples", None, {"resamples": "1000", "correction": "bonferroni", "alpha": "0.001"}, 1),
    ("metric", ZH, {"bleu.tokenize": "13a"}, 1),
    ("runs", RUNS, {"runs": "no"}, 1),
    ("size", FEW, {"test": "paired_bootstrap"}, 1),
)


@pytest.mark.parametrize(("name", "files", "given", "presses"), FIXED)
def test_every_button_does_what_it_says(
    name: str, files: dict[str, str] | None, given: dict[str, str], presses: int, checks: Checks
) -> None:
    """A check with a setting is not green, and after its button its answer is another one, better or green."""
    app = start(**({"resamples": "1000"} | given))
    app = page(app if files is None else dropped(files, app), "report")
    before = checks()[name]
    assert before["state"] != "green"
    for _ in range(presses):
        assert checks()[name]["setting"]
        press(app, checks()[name]["fix"])
    after = checks()[name]
    assert report.STATES.index(after["state"]) <= report.STATES.index(before["state"])
    assert after["answer"] != before["answer"]
    assert after["state"] == "green" or name in ("size", "resamples")


def test_all_metrics_that_were_tried_are_reported_by_a_press(checks: Checks) -> None:
    """After two metrics the check offers to report both; then both are in the report, and it is green."""
    app = page(dropped(FILES, start(resamples="1000")), "matrix")
    app.selectbox(key="metric").set_value("chrf").run()
    app = page(sound(app), "report")
    assert checks()["tried"]["setting"] == {"name": "also", "value": "chrf,bleu"}
    press(app, "Report all metrics.")
    assert checks()["tried"]["state"] == "green"


def test_no_fix_is_a_command(checks: Checks) -> None:
    """What the page says to do can be done on the page: no option of the terminal is in it."""
    for files, given in [
        (None, {"correction": "none", "unit": "segment"}),
        (RUNS, {"runs": "no"}),
        (ZH, {"sides": "greater"}),
    ]:
        app = start(resamples="1000", **given)
        page(app if files is None else dropped(files, app), "report")
        for check in checks().values():
            assert "--" not in check["fix"] + check["answer"]
            assert "sigboard " not in check["fix"]


def test_a_check_is_acknowledged_with_a_reason(checks: Checks) -> None:
    """It stays in its state with its reason beside it, in this visit, in a link and in a project; an empty text takes it
    back."""
    app = page(start(), "report")
    box = app.text_input(key="sigboard.ack.runs")
    assert checks()["runs"]["acknowledged"] is None
    assert "acknowledged" not in said(app)
    before = checks()["runs"] | {"acknowledged": "one run, *as usual*"}
    sound(box.set_value(" one run, *as usual* ").run())
    assert checks()["runs"] == before
    assert "1 acknowledged" in said(app)
    assert "Reason: one run, *as usual*" in said(app)
    assert held(app, "ack.runs") == "one run, *as usual*"
    page(page(app, "matrix"), "report")
    assert checks()["runs"] == before
    page(start(**{"ack.runs": "one run, *as usual*"}), "report")
    assert checks()["runs"] == before
    page(dropped({"mine.sigboard": saved(app)}, start()), "report")
    assert checks()["runs"] == before
    sound(app.text_input(key="sigboard.ack.runs").set_value("").run())
    assert checks()["runs"]["acknowledged"] is None
    assert "ack.runs" not in app.query_params


def test_a_reason_of_a_check_that_is_green_is_not_shown(checks: Checks) -> None:
    """What is in order needs no reason; when it is in order no more, the reason is there again."""
    app = page(start(**{"ack.sides": "planned"}), "report")
    assert checks()["sides"]["acknowledged"] is None
    app.selectbox(key="sides").set_value("greater").run()
    sound(app)
    assert checks()["sides"]["acknowledged"] == "planned"


def test_runs_are_reported_as_runs(checks: Checks, tmp_path: Path) -> None:
    """Nothing is reported before the answer; after the button the grid has the systems, the check is about their runs, and the
    answer can be taken back."""
    app = page(dropped(RUNS, start(resamples="1000")), "report")
    assert "of 15 pairs" not in said(app)
    press(app, "No, different systems")
    assert "of 15 pairs" in said(app)
    press(app, "Compare them as runs.")
    assert "of 15 pairs" not in said(app)
    assert "6 outputs as runs of 2 systems" in said(app)
    assert checks()["runs"]["answer"].startswith(
        "Yes, 3 runs" if checks()["runs"]["state"] == "amber" else "Yes: 3 runs"
    )
    press(app, "Compare them as different systems")
    assert "of 15 pairs" in said(app)
    assert checks()["runs"]["setting"] == {"name": "runs", "value": "{system}.seed{run}"}


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
    assert before[0].split(". ")[0] in " ".join(plain(capsys.readouterr().out).split())


def test_a_bad_project_is_a_message_and_changes_nothing() -> None:
    """A damaged file is reported with its name; what was loaded stays."""
    app = dropped({"bad.sigboard": saved(page(dropped(FILES), "report"))[:500]}, dropped(FILES))
    assert "The project file is damaged" in said(app)
    assert "bad.sigboard" in said(app)
    assert len(visit(app).collection.loaded().outputs) == 3
