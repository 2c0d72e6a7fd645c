"""What a test does in the browser: open a page, wait until the app is idle, upload files, take a screenshot."""

from __future__ import annotations

import itertools
import mimetypes
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    FilePayload,
    Page,
    Request,
    Response,
    WebSocket,
)
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests import waiting

SHOTS = Path(__file__).parent / "shots"
RESTING_APP = '[data-testid="stApp"][data-test-script-state="notRunning"]'
# What ui/ shows while a background job runs; a container with key="job-running" gets this class.
RUNNING_JOB = '[class*="st-key-job-running"]'
HELP = '[data-testid="stTooltipContent"]'  # it covers what stands beside its control
UPLOAD_INPUT = '[data-testid="stFileUploaderDropzoneInput"]'
# Looks, LOOK ms apart, without a run before the app counts as resting: longer than any debounce of a widget. They are
# counted, not timed, so that a page that stalls cannot take its stall for rest. Fewer are enough once the run that an
# action asks for has ended: no widget waits any more.
QUIET, ANSWERED, LOOK = 12, 5, 25
# ms, against a hang only: for the app to come to rest, and for the page to show what a resting app has sent.
LIMIT, SOON = waiting.LIMIT * 1000, 60_000
CALLS = itertools.count()

# Streamlit looks for its own routes beside a deep link before it finds them at the root; those 404s mean nothing.
PROBING = re.compile(r"^/.+/_stcore/(health|host-config)$")

# True once the app has rested for `quiet` looks; they are counted again with every settle().
RESTED = """([resting, job, quiet, start]) => {
  const busy = !document.querySelector(resting) || document.querySelector(job);
  const watch = window.sigboardWatch;
  if (busy || !watch || watch.start !== start) window.sigboardWatch = {start, looks: 0};
  return ++window.sigboardWatch.looks > quiet;
}"""


class Talk:
    """The messages between a page and its server: whether a run was requested, is running, or has ended.

    The page itself shows none of it between a click and the first answer, however long a busy server takes for that.
    """

    def __init__(self, page: Page) -> None:
        self.asked, self._page = 0, page
        self.settled = 0  # of the requested runs, those before the page was idle last
        self._ended = False
        self._connect(None)
        page.on("request", self._navigates)
        page.on("websocket", self._connect)

    @property
    def over(self) -> bool:
        """Whether every requested run has started and ended, and at least one has."""
        return self._ended and not (self._waits or self._runs)

    def _navigates(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame == self._page.main_frame:
            self._ended = False
            self._connect(None)

    def _connect(self, line: WebSocket | None) -> None:
        """A new connection; a page that lost its connection repeats only the requests without an answer."""
        self._line, self._waits, self._runs = line, False, False
        if line is not None:
            line.on("framesent", lambda frame: self._asks(frame) if self._line is line else None)
            line.on("framereceived", lambda frame: self._answers(frame) if self._line is line else None)

    def _asks(self, frame: bytes | str) -> None:
        message = BackMsg.FromString(frame) if isinstance(frame, bytes) else BackMsg()
        # a fragment that runs again by itself, or is gone, may be left without an answer
        if message.HasField("rerun_script") and not message.rerun_script.fragment_id:
            self.asked += 1
            self._waits = True

    def _answers(self, frame: bytes | str) -> None:
        message = ForwardMsg.FromString(frame) if isinstance(frame, bytes) else ForwardMsg()
        if message.HasField("new_session"):
            self._waits, self._runs = False, True
        elif message.HasField("script_finished") and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self._runs, self._ended = False, True


TALKS: dict[Page, Talk] = {}


class Looks(NamedTuple):
    """What a page is shown on."""

    width: int
    height: int
    theme: Literal["light", "dark"]


Profile = tuple[BrowserContext, set[str]]  # with the addresses that were opened in it
IDLE: defaultdict[tuple[Browser, Looks], list[Profile]] = defaultdict(list)


def until(page: Page, condition: Callable[[], object], what: str) -> None:
    """Wait until the condition is true; the page continues meanwhile."""
    waiting.until(condition, what, pause=lambda: page.wait_for_timeout(LOOK))


def settle(page: Page) -> None:
    """Wait until no script is running or requested and no background job is shown, for a short while."""

    talk = TALKS[page]

    def rests(quiet: int, call: int) -> bool:
        looks = [RESTING_APP, RUNNING_JOB, quiet, call]
        page.wait_for_function(RESTED, arg=looks, timeout=LIMIT, polling=LOOK)
        return talk.over

    call = next(CALLS)
    over = rests(ANSWERED, call)
    # where nothing was asked for, the looks so far are the first of the longer while
    if not (over and (talk.asked > talk.settled or rests(QUIET, call))):
        until(page, lambda: rests(QUIET, next(CALLS)), "the app is idle")
    talk.settled = talk.asked


def goto(page: Page, url: str) -> None:
    """Open a URL of the app and settle."""
    page.goto(url)
    settle(page)


def upload(page: Page, files: Mapping[str, bytes] | Sequence[Path], nth: int = 0) -> None:
    """Upload files (paths, or name -> content) with the nth file uploader, and settle when all have arrived."""
    payload = [_payload(item) for item in (files.items() if isinstance(files, Mapping) else files)]
    arrived: list[str] = []

    def all_arrived(response: Response) -> bool:
        if response.request.method == "PUT" and "/_stcore/upload_file/" in response.url:
            assert response.ok, f"The upload was refused: {response.status} {response.url}"
            arrived.append(response.url)
        return len(arrived) == len(payload)

    asked = TALKS[page].asked
    with page.expect_response(all_arrived, timeout=LIMIT):
        page.locator(UPLOAD_INPUT).nth(nth).set_input_files(payload)
    until(page, lambda: TALKS[page].asked > asked, "the page has sent its files to the app")
    settle(page)


def choose(page: Page, setting: str, label: str) -> None:
    """Open the part of the sidebar's sentence with that setting, choose by label, and settle."""
    page.locator(f".st-key-settings-{setting} button").first.click()
    page.get_by_role("combobox", name=setting, exact=True).click()
    page.get_by_role("option", name=label, exact=True).click()
    settle(page)
    page.keyboard.press("Escape")


def shot(page: Page, name: str) -> Path:
    """A screenshot of the visible page, in tests/browser/shots/."""
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
    looks = Looks(width, height, "dark" if theme == "dark" else "light")
    context, visited = _profile(browser, looks)
    page = _fresh(context, visited)
    page.set_default_timeout(SOON)
    page.set_default_navigation_timeout(LIMIT)
    # A help opens under a pointer that rests, of what was clicked or has moved there, and can cover what is clicked next.
    page.add_locator_handler(page.locator(HELP).first, lambda: page.mouse.move(0, 0), no_wait_after=True)
    TALKS[page] = Talk(page)
    faults: list[str] = []
    page.on("console", lambda message: faults.extend(_console_fault(message)))
    page.on("pageerror", lambda error: faults.append(f"uncaught: {error}"))
    page.on("request", lambda request: faults.extend(_outside(request.url)))
    page.on("framenavigated", lambda frame: visited.add(frame.url))
    try:
        yield page, faults
    finally:
        del TALKS[page]
        _leave(page)
        if IDLE[browser, looks]:  # one of each is enough
            context.close()
        else:
            IDLE[browser, looks].append((context, visited))


def _leave(page: Page) -> None:
    """Close all pages of the profile; another one stays at the same server, outside of the app. It keeps the process of
    the browser alive that has compiled the app's scripts, which takes more time than most tests (with --process-per-site)."""
    pages = page.context.pages
    if page in pages and page.url.startswith("http"):
        resting = page.context.new_page()
        try:
            resting.goto(f"{_origin(page.url)}/_stcore/health")
        except Error:  # the server has ended
            resting.close()
    for each in pages:
        each.close()


def _profile(browser: Browser, looks: Looks) -> Profile:
    """A profile of the browser that no page uses; one that was used before is taken again."""
    if IDLE[browser, looks]:
        return IDLE[browser, looks].pop()
    context = browser.new_context(
        viewport={"width": looks.width, "height": looks.height},
        color_scheme=looks.theme,
        locale="en-US",
        reduced_motion="reduce",
    )
    return context, set()


def _fresh(context: BrowserContext, visited: set[str]) -> Page:
    """A page of the profile, in which nothing is left of the pages before but the scripts of their servers."""
    page = context.new_page()
    context.set_offline(False)
    context.clear_cookies()
    line = context.new_cdp_session(page)
    for origin in {_origin(url) for url in visited if url.startswith("http")}:
        line.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    line.detach()
    visited.clear()
    return page


def _origin(url: str) -> str:
    return "{0.scheme}://{0.netloc}".format(urlsplit(url))


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
