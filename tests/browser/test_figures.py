"""The figures in a real browser: details beside the grid, live themes, Present mode, clicks on small histograms."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import goto, settle, shot, until, upload
from tests.browser.test_visit import FITS

SETTINGS = "metric=chrf&unit=segment&resamples=1000"
STAGE = ".st-key-sigboard-nulls .main-svg"
TICKS = ".js-plotly-plot .xtick text"
THEMES: tuple[Literal["light", "dark"], ...] = ("dark", "light")
TITLE = ".st-key-sigboard-nulls .annotation-text"


def colour_of(page: Page, selector: str) -> str:
    """The colour in which the first text of that selector is drawn."""
    return str(
        page.locator(selector).first.evaluate("text => getComputedStyle(text).fill + getComputedStyle(text).color")
    )


def height_of(page: Page, selector: str) -> float:
    """The height of the first element of that selector, 0 while it is not drawn."""
    box = page.locator(selector).first.bounding_box()
    return 0.0 if box is None else box["height"]


def follows_the_theme(page: Page, text: str) -> None:
    """When the browser changes to dark and back, the texts of that selector change with it."""
    light = colour_of(page, text)
    page.emulate_media(color_scheme="dark")
    until(page, lambda: colour_of(page, text) != light, "the figure is drawn for the dark theme")
    page.emulate_media(color_scheme="light")
    until(page, lambda: colour_of(page, text) == light, "the figure is drawn for the light theme")


@pytest.mark.slow
def test_the_grid_follows_pointer_keyboard_and_theme(live: str, page: Page) -> None:
    """A cell under the pointer fills the panel, and no box covers the cells beside it. Tab reaches one cell, arrows go from
    cell to cell and fill the panel, and Enter opens the pair. The texts follow the theme."""
    goto(page, f"{live}/?{SETTINGS}")
    panel = page.locator(".st-key-sigboard-grid-details")
    expect(panel).to_contain_text("Point at a cell")
    for row, column in ((0, 3), (5, 2)):
        page.locator(f'[data-cell="{row},{column}"]').hover()
        expect(panel).to_contain_text(re.compile(r"against .*gain .*p [=<]"))
    follows_the_theme(page, ".st-key-sigboard-grid tbody th")

    page.mouse.move(0, 0)
    page.locator('[data-cell="0,1"]').focus()
    assert page.locator('[data-cell][tabindex="0"]').count() == 1
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    at = page.locator('[data-cell="2,2"]')
    expect(at).to_be_focused()
    expect(panel).to_contain_text(re.compile(r"interval \["))
    page.keyboard.press("Enter")  # one system is no pair
    page.keyboard.press("ArrowLeft")
    name = page.locator('[data-cell="2,1"]').get_attribute("aria-label") or ""
    assert re.search(r"against .*; gain .*; p [=<]", name)
    page.keyboard.press("Enter")
    settle(page)
    expect(page).to_have_url(re.compile("/compare[?].*family=grid"))
    expect(page.get_by_role("heading", level=1)).to_be_focused()


@pytest.mark.slow
def test_gain_follows_the_theme(live: str, page: Page) -> None:
    """When the browser changes to dark and back, the texts of the figure change with it."""
    goto(page, f"{live}/gain?{SETTINGS}")
    follows_the_theme(page, TICKS)


@pytest.mark.slow
def test_a_key_presents_the_figure(live: str, page: Page) -> None:
    """P fills the screen with one figure of doubled type, without sidebar; the address keeps it; P leaves, and the pair
    is the same."""
    page.set_viewport_size({"width": 1280, "height": 720})
    goto(page, f"{live}/compare?{SETTINGS}&system=Grebe&baseline=Dunlin")
    expect(page.locator(TITLE).first).to_be_visible()
    before = page.locator(TITLE).first.bounding_box()
    page.keyboard.press("p")
    settle(page)
    expect(page).to_have_url(re.compile("[?&]present=1"))
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    assert before is not None
    drawn = before["height"]
    until(page, lambda: height_of(page, TITLE) > 1.8 * drawn, "the figure is drawn in doubled type")
    box = page.locator(STAGE).first.bounding_box()
    assert box is not None
    assert box["width"] > 1200
    assert box["height"] > 600
    assert box["y"] + box["height"] <= 720
    shot(page, "present")
    page.reload()
    settle(page)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.keyboard.press("p")
    settle(page)
    expect(page).not_to_have_url(re.compile("present"))
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(page.get_by_role("heading", level=2)).to_contain_text("Grebe")
    expect(page.get_by_role("heading", level=2)).to_contain_text("Dunlin")


@pytest.mark.slow
def test_the_histogram_is_on_the_first_screen(live: str, page: Page) -> None:
    """At 1280 x 720 and 125%, that is 1024 x 576, the whole histogram with its axis is visible without scrolling, in the dark
    and in the light."""
    page.set_viewport_size({"width": 1024, "height": 576})
    page.emulate_media(color_scheme="dark")
    goto(page, f"{live}/compare?{SETTINGS}")
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        settle(page)
        box = page.locator(STAGE).first.bounding_box()
        assert box is not None
        assert box["height"] > 250
        assert box["y"] + box["height"] <= 576
        page.wait_for_function(FITS)
        shot(page, f"compare-1024-{theme}")


@pytest.mark.slow
def test_a_click_on_a_small_histogram_chooses_its_test(live: str, page: Page) -> None:
    """The large histogram follows the theme. On a laptop screen, all columns of the table are visible. After a click on a small
    histogram, the large one is that of its test, and the sidebar has it."""
    goto(page, f"{live}/compare?{SETTINGS}")
    follows_the_theme(page, TICKS)
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    scroller = table.locator(".dvn-scroller").first
    assert scroller.evaluate("part => part.scrollWidth <= part.clientWidth + 1")

    plot = page.locator(".st-key-sigboard-small-paired_bootstrap .nsewdrag").first
    plot.scroll_into_view_if_needed()
    settle(page)
    box = plot.bounding_box()
    assert box is not None
    # on its bars; it waits until the figure no longer moves
    plot.click(position={"x": box["width"] / 2, "y": box["height"] - 4})
    settle(page)
    expect(page.locator(TITLE).first).to_contain_text("Paired bootstrap")
    expect(page).to_have_url(re.compile("test=paired_bootstrap"))


@pytest.mark.slow
def test_a_click_on_a_small_cell_opens_its_pair(live: str, page: Page) -> None:
    """Above 80 systems the cells are a heatmap: a click opens the system of the row against that of the column."""
    systems = 84
    right = [[int((7 * k + 3 * row * row) % 97 < row + 5) for row in range(systems)] for k in range(40)]
    lines = [",".join(["question", *(f"s{row:02d}" for row in range(systems))])]
    lines += [",".join([f"q{k}", *map(str, line)]) for k, line in enumerate(right)]
    goto(page, live)
    upload(page, {"right.csv": "\n".join(lines).encode()})
    goto(page, f"{live}/matrix?{urlsplit(page.url).query}")
    plot = page.locator(".st-key-sigboard-grid .nsewdrag").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box
    best = sorted(range(systems), key=lambda row: -sum(line[row] for line in right))  # equal scores keep their order
    row, column = 3, 60
    at = [
        box[side] + box[size] * (k + 0.5) / systems for side, size, k in (("y", "height", row), ("x", "width", column))
    ]
    page.locator(".js-plotly-plot[data-clicks]").wait_for()
    page.mouse.move(at[1] - 3, at[0])
    page.mouse.move(at[1], at[0])
    page.mouse.click(at[1], at[0])
    page.wait_for_url(re.compile("/compare"))
    settle(page)
    address = parse_qs(urlsplit(page.url).query)
    assert {f"s{best[row]:02d}", f"s{best[column]:02d}"} <= {one for values in address.values() for one in values}
