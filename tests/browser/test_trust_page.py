"""The page Calibration without a browser: nothing before the button, then the numbers of the command, and the report quotes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from sigboard.terminal import main
from tests.browser.test_pages import (
    APP,
    a_server_that_knows_its_pages,
    captions,
    figure,
    page,
    press,
    said,
    start,
)

__all__ = ["a_server_that_knows_its_pages"]
SAMPLE = APP.parent / "samples" / "harbour"


def opened(**address: str) -> AppTest:
    """The page with few repetitions."""
    return page(start(repetitions="200", **address), "trust")


def test_nothing_is_computed_before_the_button() -> None:
    """The page says what it would do, and draws nothing."""
    app = opened(seed="71")
    assert "A sound test rejects a share alpha" in said(app)
    assert not app.get("progress")
    assert not app.get("plotly_chart")
    assert not app.dataframe


def test_the_page_has_the_numbers_of_the_command(tmp_path: Path) -> None:
    """The sentence, the rates and the figure of all systems; the report has the sentence, too."""
    app = press(opened(seed="72"), "Calibrate")
    systems = [str(path) for path in sorted((SAMPLE / "systems").iterdir())]
    references = [f"{SAMPLE}/ref.A.en", f"{SAMPLE}/ref.B.en"]
    files = ["--reference", *references, "--systems", *systems, "--documents", f"{SAMPLE}/documents.tsv"]
    file = tmp_path / "trust.json"
    assert main(["trust", *files, "--repetitions", "200", "--seed", "72", "--json", str(file)]) == 0
    content = json.loads(file.read_text())
    assert content["verdict"] in said(app)
    table = app.dataframe[0].value
    assert list(table["rejected"]) == [f"{rate['rejected']} of 200" for rate in content["rates"]]
    assert "smallest adjusted p" in figure(app)
    assert "999 resamples each, seed 72" in captions(app)
    assert content["verdict"] in captions(page(app, "report"))


def test_unpaired_tests_have_halves() -> None:
    """An unpaired test splits one system, and offers no planted gain."""
    app = opened(seed="75", rule="unpaired_t")
    assert "One system is split into two halves by chance" in said(app)
    app = press(app, "Calibrate")
    assert "of one system are split by chance in each repetition. Seed 75." in captions(app)
    assert "unpaired t (pooled variance)" in said(app) + captions(app)
    assert not [toggle for toggle in app.toggle if toggle.key == "planted"]


@pytest.mark.slow
def test_other_settings_ask_again() -> None:
    """Another seed has not been calibrated: the button is back."""
    app = press(opened(seed="73"), "Calibrate")
    app.number_input(key="seed").set_value(74)
    app.run()
    assert any("Calibrate" in button.label for button in app.button)
    assert not app.get("plotly_chart")
