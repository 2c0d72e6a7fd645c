"""Takes the pictures of the pages in docs/pictures/, light and dark, of the running app with its first sample.

`python -m tests.browser.pictures [WORD ...]`: all pages, or those. docs/pictures/pages.json records the title and the
question of each page at that time; tests/architecture/test_docs.py compares them with the navigation.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from sigboard.catalogue import FIRST, QUESTIONS, Question, get
from tests.browser import chromium
from tests.browser.actions import goto, watched_page
from tests.browser.server import ROOT, serve

FOLDER = ROOT / "docs" / "pictures"
RECORD = FOLDER / "pages.json"
THEMES = ("light", "dark")
CACHE = ROOT / ".pytest_cache" / "sigboard"  # the kernels of the tests: nothing is compiled again
MOST = 200_000  # bytes of a picture
COLOURS = (256, 128, 64, 32)  # the first number of colours with which a picture is small enough
SETTINGS = "resamples=10%2C000"  # the same on every machine, and done in seconds


def record(questions: Iterable[Question]) -> dict[str, dict[str, str]]:
    """What a picture shows of the navigation: by word, title and question of the page."""
    return {question.word: {"title": question.title, "question": question.question} for question in questions}


def small(picture: bytes) -> bytes:
    """The picture as PNG of few enough colours for its size.

    Raises: ValueError where the fewest colours are not enough.
    """
    image = Image.open(BytesIO(picture)).convert("RGB")
    for colours in COLOURS:
        out = BytesIO()
        image.quantize(colours, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        if out.tell() < MOST:
            return out.getvalue()
    raise ValueError(f"A picture of {image.width} x {image.height} pixels has more than {MOST:,} bytes.")


def take(browser: Browser, url: str, question: Question, theme: str) -> bytes:
    """A picture of the page of a question, once its job is done and its figure is drawn."""
    with watched_page(browser, theme=theme) as (page, faults):
        # the first page is at the root, not under its word
        goto(page, f"{url}/{'' if question.word == FIRST else question.word}?{SETTINGS}")
        if question.has_figure:
            page.locator(".js-plotly-plot .main-svg, .st-key-sigboard-grid [data-cell], [data-stage]").first.wait_for()
        faded_in(page)
        if faults:
            raise RuntimeError(f"The page {question.title} has faults: {faults}")
        return page.screenshot()


def faded_in(page: Page) -> None:
    """Wait until the figure has faded in, which nothing on the page reports."""
    page.wait_for_timeout(1000)


def write(pictures: Mapping[tuple[str, str], bytes], taken: Iterable[Question]) -> None:
    """Write pictures by (word, theme), and the record of those pages beside that of the others."""
    FOLDER.mkdir(exist_ok=True)
    for (word, theme), picture in pictures.items():
        (FOLDER / f"{word}-{theme}.png").write_bytes(small(picture))
    before = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    known = {question.word for question in QUESTIONS}
    after = {word: shown for word, shown in (before | record(taken)).items() if word in known}
    RECORD.write_text(json.dumps(after, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def main(words: list[str]) -> None:
    """Start the app and take the pictures of these pages, or of all."""
    questions = [get(word) for word in words] or list(QUESTIONS)
    with (
        tempfile.TemporaryDirectory() as home,
        serve(ROOT / "app.py", Path(home), SIGBOARD_CACHE=str(CACHE)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        pictures = {}
        for question in questions:
            for theme in THEMES:
                pictures[question.word, theme] = take(browser, server.url, question, theme)
                print(f"{question.title}, {theme}", flush=True)
        browser.close()
    write(pictures, questions)
    print(f"{len(pictures)} pictures in {FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main(sys.argv[1:])
