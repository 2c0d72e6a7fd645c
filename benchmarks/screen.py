"""How long a user waits: from the drop of eleven systems to the grid, and from a new alpha or correction to its result.

Needs a browser (make chromium) and the real data beside the project; a sample is used if it is missing.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks import common
from benchmarks.common import Goal, Spread
from tests.browser import chromium
from tests.browser.actions import UPLOAD_INPUT, goto, settle, watched_page
from tests.browser.server import serve

GOALS = {"first grid after the drop": 3.0, "change of alpha": 0.5, "change of correction": 0.5}
GRID = ".st-key-sigboard-grid .nsewdrag"


def drop(page: Page, url: str, dropped: list[Path]) -> float:
    """Seconds from the drop on a new page (including the upload) to the coloured grid of those systems."""
    goto(page, f"{url}/data")
    begun = time.perf_counter()
    page.locator(UPLOAD_INPUT).first.set_input_files(dropped)
    page.get_by_test_id("stMetric").filter(has_text="Systems").get_by_text(str(len(dropped) - 1), exact=True).wait_for()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Matrix").click()
    page.get_by_text(f"{len(dropped) - 1} systems ·").wait_for()
    page.locator(GRID).first.wait_for()
    return time.perf_counter() - begun


def change(page: Page, box: str, choice: str, words: str) -> float:
    """Seconds from the choice of another alpha or correction to the sentence that contains it."""
    page.get_by_role("combobox", name=box).click()
    option = page.get_by_role("option", name=choice, exact=True)
    begun = time.perf_counter()
    option.click()
    page.get_by_text(words).first.wait_for()
    return time.perf_counter() - begun


def visits(dropped: list[Path], repeats: int) -> dict[str, list[float]]:
    """The seconds of `repeats` visits, each on a new page of one server."""
    times: dict[str, list[float]] = {name: [] for name in GOALS}
    with (
        tempfile.TemporaryDirectory() as home,
        serve(common.ROOT / "app.py", Path(home)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        for repeat in range(repeats + 1):
            with watched_page(browser, width=1440, height=900) as (page, _):
                seconds = drop(page, f"{server.url}", dropped)
                settle(page)
                alpha = change(page, "alpha", "0.01", "at alpha 0.01")
                settle(page)
                correction = change(page, "correction", "none", "(uncorrected)")
            if repeat:  # the first visit also starts the server's libraries
                for name, value in zip(times, (seconds, alpha, correction), strict=True):
                    times[name].append(value)
        browser.close()
    return times


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table and write results/screen.json."""
    args = common.options(__doc__).parse_args(arguments)
    corpus = common.corpus(root=args.data)
    print(corpus.title())
    times = visits([corpus.reference, *corpus.files], 2 if args.quick else 5)
    goals = [Goal(f"screen: {name}", GOALS[name], "s", Spread.of(taken)) for name, taken in times.items()]
    common.write("screen", args, corpus.title(), goals)


if __name__ == "__main__":
    main()
