"""The page Reproduce without a browser: the paper beside the data, own files, and a button before what takes minutes."""

from __future__ import annotations

import json
from pathlib import Path

from sigboard.terminal import main
from tests.browser.test_pages import (
    GOOD,
    a_server_that_knows_its_pages,
    captions,
    dropped,
    figure,
    page,
    said,
    sound,
    start,
)

__all__ = ["a_server_that_knows_its_pages"]


def test_the_paper_stands_beside_the_data(tmp_path: Path) -> None:
    """The number, its interval and the conclusion are those of the command, with the figure of the claim."""
    app = page(start(paper="bk", place="Figure 8", claim="bk-fig8"), "reproduce")
    out = tmp_path / "out.json"
    assert main(["reproduce", "bk-fig8", "--json", str(out)]) == 0
    found = json.loads(out.read_text(encoding="utf-8"))
    shown = {metric.label: metric.value.replace("\\", "") for metric in app.metric}
    assert shown["paper"] == "0.1 F1"
    assert shown[f"here: {found['data']}"].startswith(f"{found['value']:.3g} F1")
    assert shown["conclusion"] == {True: "same", False: "another", None: "cannot tell"}[found["same_conclusion"]]
    assert f"Rule: {found['rule']}" in said(app).replace("\\", "")
    assert "mixtures of different systems" in figure(app)
    assert found["origin"] in captions(app).replace("\\", "")


def test_a_paper_and_a_place_choose_the_claims() -> None:
    """Another paper offers its own figures and claims, and the address has them."""
    app = page(start(), "reproduce")
    sound(app.selectbox(key="paper").set_value("rankel").run())
    places = app.selectbox(key="place").options
    assert "Figure 1" in places
    assert "Figure 8" not in places
    sound(app.selectbox(key="place").set_value("Section 3").run())
    assert len(app.selectbox(key="claim").options) == 3
    assert app.query_params["paper"] == "rankel"
    app = sound(app)
    assert {metric.label: metric.value for metric in app.metric}["conclusion"] == "same"


def test_tuning_waits_for_a_press() -> None:
    """Nothing is tuned before the button."""
    app = page(start(paper="chen", place="Table 3"), "reproduce")
    assert "takes minutes" in captions(app)
    assert not app.metric
    assert [button.label for button in app.button if button.label == "Run the claim"]


def test_own_files_are_the_data_and_say_what_they_lack() -> None:
    """Loaded outputs take the place of the sample; without ratings a claim about people says so, and the sample is offered."""
    files = {
        "ref.en": GOOD,
        "A.en": GOOD.replace("home", "away", 9),
        "B.en": GOOD.replace("boat", "ship", 15),
    }
    app = page(dropped(files), "reproduce")
    assert "here: your files" in [metric.label for metric in app.metric]
    app = sound(app.selectbox(key="place").set_value("Figure 8").run())
    assert "ratings by people, but there are no ratings" in said(app)
    app = sound(app.selectbox(key="on").set_value("sample").run())
    assert "here: the sample harbour" in [metric.label for metric in app.metric]
