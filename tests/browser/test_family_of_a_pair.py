"""Which family? A cell of the corrected grid opens a verdict on its adjusted p; a person can read it as planned."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from sigcore.formatting import format_p
from tests.browser import actions
from tests.browser.actions import goto, settle
from tests.browser.test_visit import click_cell, download, open_page_of

RESAMPLES = 10_000
# settings of the address, under which some pairs of the sample are significant only before the correction
SETTINGS = "metric=chrf&correction=holm&unit=segment&resamples=10000&alpha=0.05"
PLANNED, GRID = "a single planned comparison", "one of the grid's 28 pairs"


def said(page: Page) -> str:
    """The main sentence of the page."""
    return page.get_by_role("heading", level=2).inner_text()


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


def test_a_cell_opens_the_verdict_of_its_grid(live: str, page: Page, open_page: Callable[..., Page]) -> None:
    """Both numbers are those of the grid, the verdict is on the adjusted one, and the switch changes it. A reload and a link
    show the same verdict; the menu opens a planned comparison; the matrix button, the grid's."""
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
    assert found["family"] == {"tests": 28, "pairs": 28, "correction": "holm", "planned": False}

    words = said(page)
    choose(page, PLANNED)
    assert f"(p = {p}, {PLANNED}), so at alpha 0.05 it is significant" in said(page)
    expect(page).to_have_url(re.compile("[?&]family=planned"))
    choose(page, GRID)
    assert "not significant" in said(page)

    page.reload()
    settle(page)
    assert said(page) == words
    friend = open_page()
    goto(friend, f"{page.url}&seed=77")  # nothing of it is computed yet: the grid is a job of its own
    assert "this is 1 of 28 pairs; " in said(friend)

    open_page_of(page, "Matrix")
    open_page_of(page, "Compare")
    assert PLANNED in said(page)
    assert pair["system"] in said(page)
    open_page_of(page, "Matrix")
    page.get_by_role("button", name="Compare", exact=True).click()
    settle(page)
    assert said(page) == words


def test_the_second_combination_is_counted(live: str, page: Page) -> None:
    """The first metric and test are not remarked on; from the second on, Matrix and Compare have one quiet line."""
    goto(page, f"{live}/?{SETTINGS}")
    line = page.get_by_text("In this visit:")
    expect(line).to_have_count(0)
    actions.choose(page, "sides", "one-sided: row better")
    expect(line).to_contain_text("1 metric × 2 tests on these files.")
    open_page_of(page, "Compare")
    expect(line).to_contain_text("1 metric × 2 tests on these files.")


def test_a_pair_of_gain_is_uncorrected(live: str, page: Page) -> None:
    """A pair from Gain is one of all pairs, uncorrected, and the sentence of Gain says so too."""
    own = f"{SETTINGS}&paper.test=approximate_randomization&paper.sides=two-sided"
    goto(page, f"{live}/gain?{own}")
    words = "The p-values are not corrected for the number of pairs: if no systems differed, about 1.4 of the 28"
    expect(page.get_by_text(words)).to_be_visible()
    goto(page, f"{live}/compare?{own}&family=gain")
    assert "this is 1 of 28 pairs shown; p" in said(page)
    assert ", uncorrected, so at alpha 0.05" in said(page)
