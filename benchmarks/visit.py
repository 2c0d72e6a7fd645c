"""What a person does in the browser, and what it costs: seconds until the page is there, CPU seconds of the server."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks import common
from benchmarks.common import Took
from tests.browser import actions, chromium
from tests.browser.actions import goto, settle, watched_page
from tests.browser.server import Server, flags, running, serve

LIMIT = 600_000  # ms, against a hang only
GRID = ".st-key-sigboard-grid [data-cell]"
ALPHA = ".st-key-settings-alpha button"  # the part of the sidebar's sentence that opens its choices
# Streamlit alone, with one box to click.
EMPTY = """import streamlit as st

st.set_page_config(layout="wide")
st.write("chosen:", st.sidebar.selectbox("alpha", [0.1, 0.05, 0.01, 0.005, 0.001]))
"""


@contextmanager
def chrome() -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS), timeout=LIMIT)
        yield browser
        browser.close()


@contextmanager
def fresh_page(browser: Browser) -> Iterator[Page]:
    """A page without cookies that waits as long as it takes."""
    with watched_page(browser, width=1440, height=900) as (page, _):
        page.set_default_timeout(LIMIT)
        yield page


@contextmanager
def empty_app(home: Path) -> Iterator[Server]:
    """A server of an empty Streamlit page."""
    home.mkdir(parents=True, exist_ok=True)
    script = home / "empty.py"
    script.write_text(EMPTY, encoding="utf-8")
    with serve(script, home) as server:
        yield server


@contextmanager
def sigboard(home: Path) -> Iterator[Server]:
    """A server of Sigboard, whose caches are in that home."""
    # as `make run` starts it
    arguments = ["cli.py", "app", "--port", "0", "--", *flags()]
    with running(arguments, common.ROOT, home) as server:
        yield server


def cpu(server: Server) -> float:
    """The CPU seconds that the server has used, without its children; nan where the system does not tell."""
    stat = Path(f"/proc/{server.process.pid}/stat")
    if not stat.exists():
        return float("nan")
    user, system = stat.read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def measured(server: Server, page: Page, act: Callable[[], object]) -> Took:
    """Seconds until the act is answered, and the CPU seconds of the server until it rests."""
    settle(page)
    before, begun = cpu(server), time.perf_counter()
    act()
    actions.until(page, lambda: actions.TALKS[page].over, "the answer has arrived")
    wall = time.perf_counter() - begun
    settle(page)
    return Took(cpu(server) - before, wall)


def first_words(server: Server, browser: Browser) -> float:
    """Seconds until an empty page shows its words."""
    with fresh_page(browser) as page:
        begun = time.perf_counter()
        page.goto(server.url)
        page.get_by_text("chosen:").wait_for()
        return time.perf_counter() - begun


def first_grid(server: Server, browser: Browser) -> float:
    """Seconds until the sample's finished grid is there."""
    with fresh_page(browser) as page:
        begun = time.perf_counter()
        page.goto(server.url)
        finished_grid(page)
        return time.perf_counter() - begun


def finished_grid(page: Page) -> None:
    """Wait for the grid of a run that is finished."""
    page.locator(GRID).first.wait_for()
    page.locator(actions.RUNNING_JOB).first.wait_for(state="detached")


def drop(server: Server, browser: Browser, dropped: list[Path]) -> float:
    """Seconds from the drop on the first page (including the upload) to the finished grid of those systems."""
    systems = len(dropped) - 1
    with fresh_page(browser) as page:
        goto(page, server.url)
        begun = time.perf_counter()
        actions.upload(page, dropped)
        page.get_by_text(f"{systems} systems ·").wait_for()
        finished_grid(page)
        return time.perf_counter() - begun


def choose_alpha(page: Page, alpha: str) -> Callable[[], None]:
    """The last click of choosing another alpha, ready to be made."""
    box = page.get_by_role("combobox", name="alpha", exact=True)
    part = page.locator(ALPHA)
    if part.count():  # an empty page has the box alone
        page.keyboard.press("Escape")  # what an earlier click has opened
        box.wait_for(state="hidden")
        part.first.click()
    box.click()
    option = page.get_by_role("option", name=alpha, exact=True)
    option.wait_for()
    return option.click


def open_page(page: Page, title: str) -> None:
    """Click a page in the navigation."""
    page.keyboard.press("Escape")  # closes what was opened in the sidebar
    page.get_by_test_id("stSidebarNavLink").filter(has_text=title).click()
