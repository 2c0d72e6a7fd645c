"""Which family? Of more than two systems a pair is the grid's, however it was opened; a person can declare it planned."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from sigboard.shell import downloads
from sigboard.shell import pair as pairs
from sigcore.formatting import format_p
from tests.browser import actions, test_pages
from tests.browser.actions import goto, settle
from tests.browser.test_pages import GOOD, dropped, plain, sound, start
from tests.browser.test_pages import page as page_of
from tests.browser.test_visit import click_cell, download, open_page_of

a_server_that_knows_its_pages = test_pages.a_server_that_knows_its_pages
RESAMPLES = 10_000
# settings of the address, under which some pairs of the sample are significant only before the correction
SETTINGS = "metric=chrf&correction=holm&unit=segment&resamples=10000&alpha=0.05"
FAMILY = {
    "kind": "all pairs",
    "tests": 28,
    "what": "all 28 pairs",
    "pairs": 28,
    "correction": "holm",
    "planned": False,
    "late": False,
}
LATE = "chosen after scores were shown"
PLANNED, GRID = "a single planned comparison", "one of the grid's 28 pairs"


def sentence(page: Page) -> str:
    """The main sentence of the page."""
    return page.get_by_role("heading", level=2).inner_text()


def said(page: Page) -> str:
    """The whole verdict of the page Pair, which is behind its details."""
    details = page.locator(".st-key-sigboard-compare-details")
    if not details.locator("details[open]").count():
        details.locator("summary").click()
        settle(page)
    return details.get_by_test_id("stMarkdownContainer").filter(has_text="; ").first.inner_text()


def choose(page: Page, family: str) -> None:
    """Switch the family of the pair."""
    page.get_by_role("radiogroup").get_by_text(family, exact=True).click()
    settle(page)


def open_cell(page: Page, live: str) -> dict[str, str]:
    """Click a cell whose p is below alpha and whose adjusted p is above; returns its row of the table."""
    goto(page, f"{live}/?{SETTINGS}")
    pairs = list(csv.DictReader(io.StringIO(download(page, "All pairs (CSV)"))))
    order = list(dict.fromkeys([pairs[0]["system"], *(pair["baseline"] for pair in pairs)]))
    pair = next(pair for pair in pairs if float(pair["p_value"]) <= 0.05 < float(pair["adjusted"]))
    click_cell(page, order.index(pair["system"]), order.index(pair["baseline"]))
    expect(page.get_by_role("heading", name="Is one really better than the other?")).to_be_visible()
    return pair


def numbers(pair: dict[str, str]) -> tuple[str, str]:
    """The p and the adjusted p of a pair as the sentence writes them."""
    return format_p(float(pair["p_value"]), RESAMPLES), format_p(float(pair["adjusted"]), RESAMPLES)


@pytest.mark.slow
def test_a_cell_opens_the_verdict_of_its_grid(live: str, page: Page, open_page: Callable[..., Page]) -> None:
    """Both numbers are those of the grid, the verdict is on the adjusted one, and the switch changes it. A reload and a link
    show the same verdict, and so do the menu, the matrix button, and Forward after Back."""
    pair = open_cell(page, live)
    p, adjusted = numbers(pair)
    assert (
        f"this is 1 of 28 pairs; p = {p}, adjusted {adjusted} (Holm), so at alpha 0.05 it is not significant"
        in said(page)
    )
    expect(page).to_have_url(re.compile("[?&]family=grid"))
    found = json.loads(download(page, "Everything (JSON)"))["results"][0]
    assert found["p_values"][0][1] == float(pair["p_value"])
    assert found["adjusted"][0][1] == float(pair["adjusted"])
    assert found["family"] == FAMILY

    words = said(page)
    choose(page, PLANNED)
    assert f"(p = {p}, {PLANNED}, {LATE}), so at alpha 0.05 it is significant" in said(page)
    expect(page).to_have_url(re.compile("[?&]family=planned"))
    choose(page, GRID)
    assert "not significant" in said(page)

    page.reload()
    settle(page)
    assert said(page) == words
    friend = open_page()
    goto(friend, f"{page.url}&seed=77")  # nothing of it is computed yet: the grid is a job of its own
    assert "this is 1 of 28 pairs; " in said(friend)

    open_page_of(page, "Grid")
    open_page_of(page, "Pair")
    assert said(page) == words
    open_page_of(page, "Grid")
    page.get_by_role("button", name="Compare", exact=True).click()
    settle(page)
    assert said(page) == words
    page.go_back()
    settle(page)
    page.go_forward()
    settle(page)
    assert said(page) == words


@pytest.mark.slow
def test_the_second_combination_is_counted(live: str, page: Page) -> None:
    """The first metric and test are not remarked on; from the second on, Matrix and Compare have one quiet line."""
    goto(page, f"{live}/?{SETTINGS}")
    line = page.get_by_text("In this visit:")
    expect(line).to_have_count(0)
    actions.choose(page, "sides", "one-sided: row better")
    expect(line).to_contain_text("1 metric × 2 tests on these files.")
    open_page_of(page, "Pair")
    expect(line).to_contain_text("1 metric × 2 tests on these files.")


@pytest.mark.slow
def test_a_pair_of_gain_is_uncorrected(live: str, page: Page) -> None:
    """A pair from Gain is one of all pairs, uncorrected, and the sentence of Gain says so too."""
    own = f"{SETTINGS}&paper.test=approximate_randomization&paper.sides=two-sided"
    goto(page, f"{live}/gain?{own}")
    page.locator(".st-key-sigboard-gain-details summary").click()
    settle(page)
    words = "The p-values are not corrected for the number of pairs: if no systems differed, about 1.4 of the 28"
    expect(page.get_by_text(words)).to_be_visible()
    goto(page, f"{live}/compare?{own}&family=gain")
    assert "this is 1 of 28 pairs shown; p" in said(page)
    assert ", uncorrected, so at alpha 0.05" in said(page)
    open_page_of(page, "Gain")
    page.go_back()
    settle(page)
    assert "this is 1 of 28 pairs" in said(page)
    assert PLANNED not in said(page)


# ---- without a browser


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The contents of the JSON buttons of the pages that are drawn."""
    contents: list[Any] = []
    monkeypatch.setattr(
        downloads, "as_json", lambda label, content, name: contents.append(content() if callable(content) else content)
    )
    return contents


def headline(app: AppTest) -> str:
    """The main sentence of the page, and the whole verdict behind its details."""
    (first,) = (plain(text.value) for text in app.markdown if text.value.startswith("## "))
    return "\n".join([first, *(plain(text.value) for text in app.markdown if " by " in text.value)])


def paper(app: AppTest) -> str:
    """The sentences for a paper."""
    return str(app.code[0].value)


def by_menu(app: AppTest) -> AppTest:
    """The page Pair, opened from the menu: its links have the settings, but no family."""
    app.query_params.pop("family", None)
    return page_of(app, "compare")


def settings(**more: str) -> dict[str, str]:
    """The settings of the address, and these."""
    return dict(part.split("=") for part in SETTINGS.split("&")) | more


def borderline(written: list[Any]) -> tuple[dict[str, str], str, str]:
    """A pair that is significant only before the correction, with both p, as the page Grid has them."""
    page_of(start(**settings()), "matrix")
    (grid,) = written[-1]["results"]
    names, p, adjusted = written[-1]["systems"], grid["p_values"], grid["adjusted"]
    cells = [(i, j) for i in range(len(names)) for j in range(i)]
    i, j = next((i, j) for i, j in cells if p[i][j] <= 0.05 < adjusted[i][j])
    pair = {"system": names[i], "baseline": names[j]}
    return pair, format_p(p[i][j], RESAMPLES), format_p(adjusted[i][j], RESAMPLES)


@pytest.mark.parametrize("link", [{}, {"family": "unheard-of"}], ids=["no family", "unknown family"])
def test_a_pair_without_a_family_is_the_grids(written: list[Any], link: dict[str, str]) -> None:
    """Opened from the menu or by a link that names no family, the headline, the sentence for a paper and the JSON have the
    adjusted p of Matrix."""
    pair, p, adjusted = borderline(written)
    app = page_of(start(**settings(**pair)), "compare")
    app.query_params.update(link)
    sound(app.run())
    among = f"1 of 28 pairs; p = {p}, adjusted {adjusted} (Holm)"
    assert f"this is {among}, so at alpha 0.05 it is not significant" in headline(app)
    assert f"It was {among}." in paper(app)
    assert app.radio(key=pairs.CONTROL).value == "grid"
    (found,) = {json.dumps(item["family"]) for item in written[-1]["results"] if item["correction"] == "holm"}
    assert json.loads(found) == FAMILY


def test_a_person_declares_a_planned_comparison(written: list[Any]) -> None:
    """The control changes the headline and the sentence for a paper, and says that it was late; the address keeps it, and so
    does the navigation. Another pair is the grid's."""
    pair, p, _ = borderline(written)
    app = page_of(start(**settings(**pair)), "compare")
    sound(app.radio(key=pairs.CONTROL).set_value("planned").run())
    assert f"(p = {p}, {PLANNED}, {LATE}), so at alpha 0.05 it is significant" in headline(app)
    assert f"It was {PLANNED}, {LATE}, not corrected for others." in paper(app)
    assert app.query_params["family"] in ("planned", ["planned"])
    app = by_menu(page_of(app, "matrix"))
    assert PLANNED in headline(app)
    another = next(name for name in app.selectbox(key="system").options if name not in pair.values())
    sound(app.selectbox(key="system").set_value(another).run())
    assert "this is 1 of 28 pairs; p" in headline(app)


def test_the_page_after_gain_is_not_planned() -> None:
    """A pair from Gain is uncorrected among all; where the way back loses its family, it is the grid's."""
    app = page_of(start(**settings(**{"paper.sides": "two-sided"})), "compare")
    app.query_params["family"] = "gain"
    assert "this is 1 of 28 pairs shown; p" in headline(sound(app.run()))
    app = by_menu(page_of(app, "gain"))
    assert "this is 1 of 28 pairs; p" in headline(app)
    assert PLANNED not in headline(app) + paper(app)


def test_two_systems_are_a_planned_comparison_and_three_are_not() -> None:
    """Where there is no other pair, nothing is corrected; a third system makes the same pair one of three."""
    files = {"ref.txt": GOOD, "one.txt": GOOD.replace("red", "r"), "two.txt": GOOD.replace("boat", "ship")}
    app = page_of(dropped(files, start(resamples="1000")), "compare")
    assert PLANNED in headline(app)
    assert f"It was {PLANNED}" in paper(app)
    assert "family" not in app.query_params
    app = page_of(dropped({"three.txt": GOOD.replace("small", "tiny")}, app), "compare")
    assert "this is 1 of 3 pairs; p" in headline(app)
    assert "It was 1 of 3 pairs; p" in paper(app)


def test_the_preferable_test_is_not_planned_either() -> None:
    """With few units, the sentence on the other test has the pair's place among all pairs; of two systems it is alone."""
    few = "\n".join(GOOD.split("\n")[:8]) + "\n"
    files = {"ref.txt": few, "one.txt": few.replace("red", "r"), "two.txt": few.replace("boat", "ship")}
    app = page_of(dropped(files, start(resamples="1000", test="bootstrap_shift")), "compare")
    assert f", {PLANNED})" in preferable(app)
    app = page_of(dropped({"three.txt": few.replace("small", "tiny")}, app), "compare")
    assert "this is 1 of 3 pairs shown; p" in preferable(app)
    assert PLANNED not in preferable(app) + paper(app)
    assert "No pair of its grid has a p-value." in paper(app)


def preferable(app: AppTest) -> str:
    """The sentence on the test that is preferable with few units."""
    (text,) = (plain(text.value) for text in app.markdown if text.value.startswith("Preferable with few units"))
    return text
