"""Fixtures of the browser tests: a live server, a real Chromium, and pages that fail a test on any fault."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser import chromium
from tests.browser.actions import LIMIT, SOON, shot, watched_page
from tests.browser.server import ROOT, RUNNING, serve

expect.set_options(timeout=SOON)


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running Sigboard."""
    with serve(ROOT / "serve.py", tmp_path_factory.mktemp("live")) as server:
        yield server.url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium; without one the tests are skipped, or fail where CI=true."""
    try:
        path = chromium.find()
    except chromium.ChromiumMissing as missing:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(str(missing))
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS), timeout=LIMIT)
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A function (width, height, theme) -> fresh page; the test fails at its end where a page showed a fault or a
    server printed a traceback."""
    watches: list[list[str]] = []
    read = {server: len(server.text()) for server in RUNNING}
    with ExitStack() as stack:

        def opened(**looks: Any) -> Page:
            page, faults = stack.enter_context(watched_page(browser, **looks))
            watches.append(faults)
            return page

        yield opened
    faults = [fault for watch in watches for fault in watch]
    faults += [text for server in RUNNING for text in server.tracebacks(read.get(server, 0))]
    assert not faults, "Faults of the page or its server:\n" + "\n".join(faults)


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """A fresh light page of 1440 x 900."""
    return open_page()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test that needs the browser gets its mark. It runs once more if it fails, and the closing line counts that.

    A busy machine can make a browser drop one click or key in thousands. A fault of the product fails twice.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failing test shows the log of its server and leaves a screenshot of its page."""
    report = yield
    if report.failed:
        for server in RUNNING:
            report.sections.append((f"log of {server.url}", server.printed()))
        seen = getattr(item, "funcargs", {}).get("page")
        if call.when == "call" and seen is not None and not seen.is_closed():
            report.sections.append(("picture", str(shot(seen, f"failed-{item.name}"))))
    return report
