"""The verdict strip on the page Pair, without a browser: nothing is computed until it is opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from sigboard.questions.compare import page as room
from sigboard.shell import queries
from sigboard.terminal import main
from tests.browser.test_pages import APP, GOOD, a_server_that_knows_its_pages, dropped, page, said, sound, start

__all__ = ["a_server_that_knows_its_pages"]
SAMPLE = APP.parent / "samples" / "harbour"
STEPS = (("A.txt", 5), ("B.txt", 3), ("C.txt", 4))  # which lines are spoilt
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
    table = next(frame.value for frame in app.dataframe if "asked for" in frame.value)
    assert all(one["why"] in said(app) for one in content["programs"])
    assert [p for p in table["p"] if p != "n/a"][-4:] == [one["printed"] for one in content["programs"][:4]]
    marked = table[table["asked for"] == "*"]
    assert list(marked["over"]) == ["26 documents"]


def test_the_strip_follows_the_sidebar() -> None:
    """Another metric has other programs, and segments as the unit mark another tile."""
    app = opened(metric="chrf", unit="segment")
    table = next(frame.value for frame in app.dataframe if "asked for" in frame.value)
    assert "MultEval: It tests BLEU, METEOR, TER and the length alone." in said(app)
    assert list(table[table["asked for"] == "*"]["over"]) == ["300 segments"]


@pytest.mark.parametrize("family", ["planned", "grid"])
def test_the_marked_p_is_that_of_the_page(family: str) -> None:
    """With automatic resamples a planned pair has an exact p, and so has a pair of a grid: in the strip, too."""
    lines = GOOD.split("\n")[:-1]
    spoilt = {
        name: "".join(f"{'a boat' if k % step == 1 else line}\n" for k, line in enumerate(lines))
        for name, step in STEPS
    }
    app = page(dropped({"ref.txt": GOOD, **spoilt}, start(family=family)), "compare")
    app.session_state["sigboard.strip.fold"] = True
    sound(app.run())
    strip, tests = (next(one.value for one in app.dataframe if name in one.value) for name in ("asked for", "chosen"))
    (marked,) = strip[strip["asked for"] == "*"]["p"]
    chosen = tests[tests["chosen"] != ""].iloc[0]
    assert marked == chosen["p_value"] + " (exact)" * (chosen["counted"] == "exact")
    assert chosen["counted"] == "exact"
