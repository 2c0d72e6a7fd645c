"""The verdict strip on the page Compare, without a browser: nothing is computed until it is opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from sigboard.questions.compare import page as room
from sigboard.shell import queries
from sigboard.terminal import main
from tests.browser.test_pages import APP, a_server_that_knows_its_pages, page, said, sound, start

__all__ = ["a_server_that_knows_its_pages"]
SAMPLE = APP.parent / "samples" / "harbour"
SETTINGS = {"system": "Curlew", "baseline": "Grebe", "family": "planned", "resamples": "2000", "seed": "61"}


def folded(app: AppTest) -> bool:
    """Whether the section of the strip is on the page, closed."""
    titles = [one.label for one in app.expander]
    assert room.STRIP in titles
    return "a difference is found by" not in said(app)


def opened(**address: str) -> AppTest:
    """The page with the strip open."""
    app = page(start(**SETTINGS | address), "compare")
    app.session_state["sigboard.strip.fold"] = True
    return sound(app.run())


def test_nothing_is_computed_before_it_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """The closed section asks for no strip."""
    monkeypatch.setattr(queries, "strip_result", None)
    assert folded(page(start(**SETTINGS), "compare"))


def test_the_page_has_the_numbers_of_the_command(tmp_path: Path) -> None:
    """The sentence, and every p of the table, are those of `sigboard compare --strip`."""
    app = opened()
    systems = [f"{SAMPLE}/systems/{name}.en" for name in ("Curlew", "Grebe")]
    references = [f"{SAMPLE}/ref.A.en", f"{SAMPLE}/ref.B.en"]
    files = ["--reference", *references, "--systems", *systems, "--documents", f"{SAMPLE}/documents.tsv"]
    file = tmp_path / "strip.json"
    assert main(["compare", *files, "--strip", "--resamples", "2000", "--seed", "61", "--json", str(file)]) == 0
    (content,) = json.loads(file.read_text())["strip"]
    assert content["summary"] in said(app)
    table = next(frame.value for frame in app.dataframe if "how it differs" in frame.value)
    assert list(table["how it differs"])[10:] == [one["why"] for one in content["programs"]]
    assert [p for p in table["p"] if p != "n/a"][-4:] == [one["printed"] for one in content["programs"][:4]]
    marked = table[table["asked for"] == "*"]
    assert list(marked["over"]) == ["26 documents"]


def test_the_strip_follows_the_sidebar() -> None:
    """Another metric has other programs, and segments as the unit mark another tile."""
    app = opened(metric="chrf", unit="segment")
    table = next(frame.value for frame in app.dataframe if "how it differs" in frame.value)
    assert "MultEval tests BLEU, METEOR, TER and the length alone." in list(table["how it differs"])
    assert list(table[table["asked for"] == "*"]["over"]) == ["300 segments"]
