"""One whole visit in a real browser: drop, matrix, a click on a cell, compare, gain, download, reload."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from sigboard.catalogue import FIRST, QUESTIONS
from sigboard.shell import drop
from sigcore import significance
from tests.browser.actions import LIMIT, RUNNING_JOB, choose, goto, settle, shot, upload, watched_page
from tests.browser.server import serve
from tests.conftest import KEPT

ROOT = Path(__file__).resolve().parents[2]
NARROW = 390
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
FITS = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  return main && main.scrollWidth <= main.clientWidth + 1;
}"""
WATCH_JOBS = """job => {
  window.jobsSeen = 0;
  const look = () => { window.jobsSeen += document.querySelectorAll(job).length; };
  new MutationObserver(look).observe(document.body, {childList: true, subtree: true, attributes: true});
}"""


def files_of(folder: Path) -> list[Path]:
    """The references and systems of a test set in the layout of the samples."""
    return sorted(folder.glob("ref.*")) + sorted((folder / "systems").glob("*"))


def click_cell(page: Page, row: int, column: int) -> None:
    """Click one cell of the grid (positions in the drawn order)."""
    page.locator(f'[data-cell="{row},{column}"]').click()
    settle(page)


def download(page: Page, button: str) -> str:
    """The content of a download."""
    with page.expect_download() as caught:
        page.get_by_role("button", name=button, exact=True).click()
    text = Path(caught.value.path()).read_text(encoding="utf-8")
    settle(page)
    return text


def open_page_of(page: Page, name: str) -> None:
    """Go to a page by the sidebar; once more where the first click was lost.

    Streamlit joins two requests of one moment and keeps the page of the later one: what a component reports right after a
    reload (the tab's secret) can so undo a click, as no hand is fast enough to see.
    """
    word = next(question.word for question in QUESTIONS if question.title == name)
    for _ in range(2):
        link = page.get_by_test_id("stSidebarNavLink").filter(has_text=re.compile(f"{name}$"))
        link.click()
        settle(page)
        if urlsplit(page.url).path.strip("/") == ("" if word == FIRST else word):
            return


def has_its_shape(page: Page) -> None:
    """The page has a heading and no alert, and nothing on it is wider than the screen."""
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    # figures take their width from the page a moment after they are drawn
    page.wait_for_function(FITS)


def visit(page: Page, address: str, files: list[Path], systems: int, segments: str) -> None:
    """The whole visit with these files, which begins at that address."""
    goto(page, address)
    expect(page.get_by_role("heading", level=1)).to_have_text(drop.CLAIM)
    expect(page.get_by_text("Sample harbour, invented")).to_be_visible()

    upload(page, files)
    expect(page.get_by_role("heading", level=1)).to_have_text("Which of my systems differ?")
    expect(page.get_by_text(f"your files · {systems} systems ·")).to_be_visible()
    open_page_of(page, "Files")
    expect(page.get_by_test_id("stMetric").filter(has_text="Systems")).to_contain_text(str(systems))
    expect(page.get_by_test_id("stMetric").filter(has_text="Segments")).to_contain_text(segments)
    expect(page.get_by_role("alert")).to_have_count(0)

    open_page_of(page, "Grid")
    expect(page.get_by_text(f"{systems} systems ·")).to_be_visible()
    shot(page, f"visit-matrix-{systems}")
    pairs = list(csv.DictReader(io.StringIO(download(page, "All pairs (CSV)"))))
    assert len(pairs) in (systems * (systems - 1), systems * (systems - 1) // 2)
    whole = json.loads(download(page, "Everything (JSON)"))
    assert len(whole["systems"]) == systems
    assert len(whole["results"][0]["p_values"]) == systems

    click_cell(page, 0, 1)
    expect(page.get_by_role("heading", name="Is one really better than the other?")).to_be_visible()
    scores = whole["results"][0]["scores"]
    best, second = sorted(range(systems), key=lambda i: -scores[i])[:2]
    for label, position in (("system", best), ("baseline", second)):
        expect(page.get_by_role("combobox", name=re.compile(f"^{label}|{label}$"))).to_have_value(
            whole["systems"][position]
        )
    shot(page, f"visit-compare-{systems}")
    rows = list(csv.DictReader(io.StringIO(download(page, "Tests (CSV)"))))
    assert len(rows) == 3 * len(significance.members())

    open_page_of(page, "Gain")
    expect(page.get_by_role("heading", name="How large a gain is usually real?")).to_be_visible()
    shot(page, f"visit-gain-{systems}")

    page.reload()
    settle(page)
    expect(page.get_by_text(f"{systems} systems ·")).to_be_visible()
    open_page_of(page, "Files")
    expect(page.get_by_test_id("stMetric").filter(has_text="Segments")).to_contain_text(segments)


@pytest.mark.slow
@pytest.mark.data
def test_visit_with_real_files(live: str, page: Page, data: Path) -> None:
    """A whole folder of WMT goes through the visit: its published results cause no error, and a reload finds it again."""
    files = [path for path in (data / "mt" / "wmt22.cs-en").rglob("*") if path.is_file()]
    visit(page, f"{live}/?resamples=1000", files, 11, "1,448")


def test_visit_with_a_sample(live: str, page: Page) -> None:
    """A person's own files (here those of a sample) go through the whole visit, and a reload finds them again."""
    visit(page, f"{live}/?resamples=1000", files_of(ROOT / "samples" / "kitchen-radio"), 7, "319")


@pytest.mark.slow
def test_pages_hold_their_shape_on_a_phone(live: str, page: Page) -> None:
    """Every page opens by its own address without a fault, nothing wider than a phone, half of them in the dark theme. (In both
    themes on a wide screen: test_landing.)"""
    page.set_viewport_size({"width": NARROW, "height": 900})
    for k, word in enumerate(("", "data", "compare", "gain", "scores", "human")):
        theme = THEMES[k % 2]
        page.emulate_media(color_scheme=theme)
        goto(page, f"{live}/{word}")
        has_its_shape(page)
        shot(page, f"{word or 'matrix'}-{NARROW}-{theme}")


def test_alpha_and_correction_compute_nothing(live: str, page: Page) -> None:
    """A change of alpha or of the correction re-reads results: no job is shown, and the address keeps the setting."""
    # a fixed number of resamples: an automatic one may draw more for another correction
    goto(page, f"{live}/?resamples=10000")
    page.evaluate(WATCH_JOBS, RUNNING_JOB)
    choose(page, "correction", "Benjamini-Hochberg")
    expect(page).to_have_url(re.compile("correction=benjamini_hochberg"))
    assert page.evaluate("window.jobsSeen") == 0


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[str]:
    """The address of a Sigboard that computes on one core however many there are: its long jobs are long anywhere."""
    with serve(ROOT / "app.py", tmp_path, SIGBOARD_EXECUTOR="serial", SIGBOARD_CACHE=str(KEPT)) as server:
        yield server.url


@pytest.mark.slow
def test_cancel_works(slow: str, page: Page) -> None:
    """Ten million resamples show a progress bar; Cancel stops them at once, and the page says how to go on."""
    page.goto(f"{slow}/?resamples=10%2C000%2C000&seed=77")  # not settled: the job is what is looked at
    page.get_by_role("button", name="Cancel").click(timeout=LIMIT)
    settle(page)
    expect(page.get_by_text("Cancelled.")).to_be_visible()
    expect(page.get_by_role("button", name="Run again")).to_be_visible()


def test_bad_files_are_named(live: str, page: Page) -> None:
    """Bad files of every sort are refused or shown literally, all at once, and the good ones stay."""
    goto(page, f"{live}/data")
    good = b"a small boat\nthe red house\nno more rain\n"
    upload(
        page,
        {
            "ref.txt": good,
            "good.txt": good.replace(b"red", b"blue"),
            "short.txt": b"a small boat\nthe red house\n",
            "latin.txt": b"caf\xe9\nb\nc\n",
            "empty.txt": b"",
            "nul.txt": b"a\0b\nb\nc\n",
            "<img src=x>.txt": good,
            "![x](http:..evil.example.x.png).txt": good,
            "sys_a_b*c*.txt": good.replace(b"more", b"less"),
        },
    )
    for words in ("short.txt", "latin.txt", "empty.txt", "nul.txt"):
        expect(page.get_by_role("alert").filter(has_text=words.removesuffix(".txt")).first).to_be_visible()
    expect(page.get_by_text("0xE9")).to_be_visible()
    expect(page.get_by_test_id("stMetric").filter(has_text="Systems")).to_contain_text("4")
    open_page_of(page, "Grid")
    expect(page.get_by_text("Traceback")).to_have_count(0)
    expect(page.locator(".st-key-sigboard-grid").get_by_text("sys_a_b*c*").first).to_be_visible()
    shot(page, "bad-files-matrix")


@pytest.mark.slow
def test_two_visitors_never_mix(live: str, open_page: Callable[..., Page]) -> None:
    """Two people with different files at once each see their own systems, and a third sees the sample."""
    words = [
        f"the {colour} boat left the {place} at dawn" for colour in ("red", "blue") for place in ("quay", "pier")
    ] * 8
    text = "\n".join(words).encode()
    visitors = {"one": open_page(), "two": open_page()}
    for name, page in visitors.items():
        goto(page, f"{live}/data")
        files = {
            "ref.txt": text,
            f"{name}-a.txt": text.replace(b"dawn", b"noon"),
            f"{name}-b.txt": text.replace(b"red", b""),
        }
        upload(page, files)
    for name, page in visitors.items():
        open_page_of(page, "Grid")
        found = json.loads(download(page, "Everything (JSON)"))
        assert found["systems"] == [f"{name}-a", f"{name}-b"]
    third = open_page()
    goto(third, live)
    expect(third.get_by_text("Sample harbour")).to_be_visible()


@pytest.mark.slow
def test_the_first_visitor_of_a_server_may_come_by_a_link_with_settings(browser: Browser, tmp_path: Path) -> None:
    """A link to a page with settings works on a server without earlier visitors, and the address keeps them."""
    with serve(ROOT / "app.py", tmp_path) as server, watched_page(browser) as (page, faults):
        goto(page, f"{server.url}/data?metric=ter&resamples=1000")  # a page that computes nothing
        expect(page.get_by_role("heading", name="What have I loaded, and is it sound?")).to_be_visible()
        expect(page).to_have_url(re.compile(r"/data\?metric=ter&resamples=1000$"))
        assert not faults
        assert "Traceback" not in server.text()
