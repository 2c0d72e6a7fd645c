"""What a test does in the browser: open a page, wait until the app rests, upload files, take a picture."""

from __future__ import annotations

import itertools
import mimetypes
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, FilePayload, Page, Response

SHOTS = Path(__file__).parent / "shots"
RESTING_APP = '[data-testid="stApp"][data-test-script-state="notRunning"]'
# What ui/ shows while a background job runs; a container with key="job-running" gets this class.
RUNNING_JOB = '[class*="st-key-job-running"]'
UPLOAD_INPUT = '[data-testid="stFileUploaderDropzoneInput"]'
QUIET = 300  # ms without a run before the app counts as resting: longer than any debounce of a widget
LIMIT = 60_000  # ms
CALLS = itertools.count()

# Streamlit looks for its own routes beside a deep link before it finds them at the root; those 404s mean nothing.
PROBING = re.compile(r"^/.+/_stcore/(health|host-config)$")

# True once the app has rested for `quiet` ms; the clock starts anew with every settle().
RESTED = """([resting, job, quiet, start]) => {
  const now = performance.now();
  const busy = !document.querySelector(resting) || document.querySelector(job);
  const watch = window.sigboardWatch;
  if (busy || !watch || watch.start !== start) window.sigboardWatch = {start, since: now};
  return now - window.sigboardWatch.since >= quiet;
}"""


def settle(page: Page, limit: float = LIMIT) -> None:
    """Returns once no script runs and no background job is shown, and has not for a moment."""
    page.wait_for_function(RESTED, arg=[RESTING_APP, RUNNING_JOB, QUIET, next(CALLS)], timeout=limit, polling=25)


def goto(page: Page, url: str) -> None:
    """Opens an address of the app and settles."""
    page.goto(url)
    page.wait_for_selector('[data-testid="stApp"]', timeout=LIMIT)
    settle(page)


def upload(page: Page, files: Mapping[str, bytes] | Sequence[Path], nth: int = 0) -> None:
    """Gives the nth file uploader these files (paths, or name -> content), and settles when all have arrived."""
    payload = [_payload(item) for item in (files.items() if isinstance(files, Mapping) else files)]
    arrived: list[str] = []

    def all_arrived(response: Response) -> bool:
        if response.request.method == "PUT" and "/_stcore/upload_file/" in response.url:
            assert response.ok, f"The upload was refused: {response.status} {response.url}"
            arrived.append(response.url)
        return len(arrived) == len(payload)

    with page.expect_response(all_arrived, timeout=LIMIT):
        page.locator(UPLOAD_INPUT).nth(nth).set_input_files(payload)
    settle(page)


def shot(page: Page, name: str) -> Path:
    """A picture of the page as it is seen, in tests/browser/shots/."""
    SHOTS.mkdir(exist_ok=True)
    path = SHOTS / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', name)}.png"
    page.screenshot(path=path)
    return path


@contextmanager
def watched_page(
    browser: Browser, width: int = 1440, height: int = 900, theme: str = "light"
) -> Iterator[tuple[Page, list[str]]]:
    """A fresh page (no cookies, no storage) and the list of faults it will have shown: console errors, uncaught
    exceptions, and requests that leave the machine."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        locale="en-US",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(30_000)
    faults: list[str] = []
    page.on("console", lambda message: faults.extend(_console_fault(message)))
    page.on("pageerror", lambda error: faults.append(f"uncaught: {error}"))
    page.on("request", lambda request: faults.extend(_outside(request.url)))
    try:
        yield page, faults
    finally:
        context.close()


def _payload(item: Path | tuple[str, bytes]) -> FilePayload:
    name, content = (item.name, item.read_bytes()) if isinstance(item, Path) else item
    return {"name": name, "mimeType": mimetypes.guess_type(name)[0] or "text/plain", "buffer": content}


def _console_fault(message: ConsoleMessage) -> list[str]:
    url = message.location.get("url", "")
    if message.type != "error" or ("404" in message.text and PROBING.match(urlsplit(url).path)):
        return []
    return [f"console: {message.text} [{url}]"]


def _outside(url: str) -> list[str]:
    parts = urlsplit(url)
    leaves = parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in ("127.0.0.1", "localhost")
    return [f"request to another machine: {url}"] if leaves else []
