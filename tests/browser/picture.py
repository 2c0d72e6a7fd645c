"""Takes docs/matrix.png, the screenshot in the README, of the running app with its first sample."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser import chromium
from tests.browser.actions import goto, watched_page
from tests.browser.server import ROOT, serve


def main() -> None:
    """Start the app, wait for the grid, take the screenshot."""
    with (
        tempfile.TemporaryDirectory() as home,
        serve(ROOT / "app.py", Path(home)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        with watched_page(browser) as (page, _):
            goto(page, f"{server.url}/?resamples=100%2C000")
            page.locator(".st-key-sigboard-grid .nsewdrag").first.wait_for()
            page.wait_for_timeout(1000)  # the figure fades in
            page.screenshot(path=ROOT / "docs" / "matrix.png")
        browser.close()


if __name__ == "__main__":
    main()
