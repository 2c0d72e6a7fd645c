"""The harness itself: a server starts, settles, takes an upload and a click, and faults are seen."""

from __future__ import annotations

import os
import signal
import sys
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import chromium
from tests.browser.actions import HELP, QUIET, TALKS, goto, settle, until, upload, watched_page
from tests.browser.server import Server, serve
from tests.waiting import LIMIT

APP = """
import time
import streamlit as st

def home():
    files = st.file_uploader("Files", accept_multiple_files=True)
    st.text("received " + ", ".join(f"{f.name}:{len(f.getvalue())}" for f in files))
    if st.button("Work"):
        time.sleep(1)
        st.text("worked")
    if st.button("Job"):
        with st.container(key="job-running"):
            st.text("busy")
        time.sleep(0.5)
        st.rerun()
    st.slider("Level", 0, 9, 3, key="level", help="A level. " * 200)
    if st.button("Below", width="stretch"):
        st.text("reached")
    st.text(f"level {st.session_state.level}")

def other():
    st.text("the other page")

st.navigation([st.Page(home, title="Home", default=True), st.Page(other, title="Other", url_path="other")]).run()
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of a small app."""
    folder = tmp_path_factory.mktemp("small")
    script = folder / "small.py"
    script.write_text(APP, encoding="utf-8")
    with serve(script, folder / "home") as server:
        yield server


def test_upload_click_and_slider(small: Server, page: Page) -> None:
    """After each action, settle() returns only when its effect is on the page."""
    goto(page, small.url)
    upload(page, {"a.txt": b"one\n", "b.txt": b"three\n"})
    assert page.get_by_text("received a.txt:4, b.txt:6").is_visible()
    page.get_by_role("button", name="Work").click()
    settle(page)
    assert page.get_by_text("worked").is_visible()
    page.get_by_role("slider").press("ArrowRight")
    settle(page)
    assert page.get_by_text("level 4").is_visible()


@pytest.mark.slow
def test_a_help_under_the_pointer_is_in_no_way(small: Server, page: Page) -> None:
    """A click reaches a control that the help of another one covers, wherever the pointer rested before."""
    goto(page, small.url)
    page.get_by_test_id("stTooltipHoverTarget").hover()
    page.wait_for_selector(HELP)
    page.get_by_role("button", name="Below").click()
    settle(page)
    assert page.get_by_text("reached").is_visible()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be stopped for a while")
def test_settle_waits_for_a_busy_server(small: Server, page: Page) -> None:
    """settle() does not return before the server's first answer."""
    goto(page, small.url)
    looks = 0

    def is_idle(of_many: int = 3 * QUIET) -> bool:
        nonlocal looks
        looks += 1
        assert not TALKS[page].over
        return looks == of_many

    asked = TALKS[page].asked
    os.kill(small.process.pid, signal.SIGSTOP)
    try:
        page.get_by_role("button", name="Work").click()
        until(page, lambda: TALKS[page].asked > asked, "the click was sent")
        until(page, is_idle, "there was time to be mistaken")
    finally:
        os.kill(small.process.pid, signal.SIGCONT)
    settle(page)
    assert page.get_by_text("worked").is_visible()


@pytest.mark.slow
def test_settle_looks_for_the_longer_while_where_nothing_was_asked(small: Server, page: Page) -> None:
    """A widget may still wait before it asks for a run, so all QUIET looks are made."""
    goto(page, small.url)
    settle(page)
    assert page.evaluate("window.sigboardWatch.looks") == QUIET + 1


@pytest.mark.slow
def test_settle_waits_for_a_job(small: Server, page: Page) -> None:
    """settle() returns only when the mark of a background job is gone."""
    goto(page, small.url)
    page.get_by_role("button", name="Job").click()
    settle(page)
    assert page.get_by_text("busy").count() == 0


@pytest.mark.slow
def test_deep_link_has_a_clean_console(small: Server, open_page: Callable[..., Page]) -> None:
    """A page opened by its own address, narrow and dark, shows no fault of ours."""
    page = open_page(width=390, height=800, theme="dark")
    goto(page, f"{small.url}/other")
    expect(page.get_by_text("the other page")).to_be_visible()


def test_faults_are_seen(small: Server, browser: Browser) -> None:
    """Console errors, uncaught exceptions and requests to other machines are caught."""
    with watched_page(browser) as (page, faults):
        goto(page, small.url)
        assert faults == []
        page.route("http://elsewhere.invalid/**", lambda route: route.abort())
        page.evaluate("console.error('a console fault')")
        with page.expect_event("pageerror"):
            page.evaluate("setTimeout(() => { throw new Error('an uncaught fault') })")
        with page.expect_event("requestfailed"):
            page.evaluate("() => { new Image().src = 'http://elsewhere.invalid/t.png' }")
    seen = "\n".join(faults)
    assert "a console fault" in seen
    assert "an uncaught fault" in seen
    assert "request to another machine: http://elsewhere.invalid/t.png" in seen


@pytest.mark.slow
def test_nothing_is_left_of_the_page_before(small: Server, browser: Browser) -> None:
    """A page is that of a new visitor, also where the profile of the browser was used before."""
    profiles = set()
    for _ in range(2):
        with watched_page(browser) as (page, faults):
            profiles.add(page.context)
            goto(page, small.url)
            assert page.evaluate("[localStorage.getItem('left'), sessionStorage.getItem('left')]") == [None, None]
            assert "left" not in page.evaluate("document.cookie")
            page.evaluate("localStorage.left = sessionStorage.left = document.cookie = 'left=1'")
            page.context.set_offline(True)
        assert not faults
    assert len(profiles) == 1


def test_server_that_cannot_start(tmp_path: Path) -> None:
    """A script that does not exist gives the message of the server, not a time-out."""
    with pytest.raises(RuntimeError, match="did not start"), serve(tmp_path / "missing.py", tmp_path / "home"):
        pass


def test_server_is_stopped(tmp_path: Path) -> None:
    """In the block the server answers at its address; after it its process is gone."""
    script = tmp_path / "empty.py"
    script.write_text("", encoding="utf-8")
    with serve(script, tmp_path / "home") as server:
        with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=LIMIT) as answer:
            assert answer.read() == b"ok"
        assert server.process.poll() is None
    assert server.process.poll() is not None


LOG = """\
started
Exception in ASGI application
Traceback (most recent call last):
  File "a.py", line 1, in f
    data = await receive()
starlette.websockets.WebSocketDisconnected: WebSocket is not connected.

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 2, in f
    await close()
starlette.websockets.WebSocketDisconnected: Cannot call "send" once a close message has been sent.
unexpected error on page matrix
Traceback (most recent call last):
  File "b.py", line 3, in g

    1 / 0
ZeroDivisionError: division by zero
going on
"""


def test_tracebacks_of_the_app_are_seen(small: Server, tmp_path: Path) -> None:
    """An error of the app counts; what Streamlit prints when a page leaves in the middle does not."""
    log = tmp_path / "log"
    log.write_text(LOG, encoding="utf-8")
    (found,) = replace(small, log=log).tracebacks()
    assert found.startswith("Traceback")
    assert found.endswith("ZeroDivisionError: division by zero")
    assert replace(small, log=log).tracebacks(start=LOG.index("going on")) == []


def test_named_chromium_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong SIGBOARD_CHROMIUM is an error that says how to fix it; no other browser is used silently."""
    monkeypatch.setenv("SIGBOARD_CHROMIUM", "/nowhere/chromium")
    with pytest.raises(chromium.ChromiumMissing, match="SIGBOARD_CHROMIUM"):
        chromium.find()
    assert chromium.main() == 1


def test_first_chromium_that_starts_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that exists but does not start (a stub that asks for a snap) is skipped."""
    for name, body in (("chromium", "exit 1"), ("google-chrome", "echo Google Chrome 1.2")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.delenv("SIGBOARD_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chromium.find() == str(tmp_path / "google-chrome")


@pytest.mark.parametrize(
    ("arguments", "ci", "installs"), [((), "", False), (("--install",), "", True), ((), "true", True)]
)
def test_nothing_is_installed_unless_requested(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    ci: str,
    installs: bool,
) -> None:
    """`make test` only says how to install Chromium; `make chromium` does, and so does a machine with CI=true."""
    monkeypatch.delenv("SIGBOARD_CHROMIUM", raising=False)
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(chromium, "COMMANDS", ())
    monkeypatch.setattr(chromium, "_of_playwright", lambda: None)
    monkeypatch.setattr(chromium, "_install_commands", lambda: [["apt-get", "install", "chromium"]])
    ran: list[list[str]] = []
    monkeypatch.setattr(chromium.subprocess, "run", lambda command, **how: ran.append(command))
    assert chromium.main(arguments) == 1
    assert bool(ran) == installs
    if not installs:
        said = capsys.readouterr().err
        assert "`make chromium`" in said
        assert "It would run: apt-get install chromium." in said


def test_failed_installation_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no Chromium is found and none can be installed, main() says so, says how to fix it, and returns 1."""
    monkeypatch.delenv("SIGBOARD_CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "COMMANDS", ())
    monkeypatch.setattr(chromium, "_of_playwright", lambda: None)
    monkeypatch.setattr(chromium, "_install_commands", lambda: [["sh", "-c", "exit 3"]])
    assert chromium.main([chromium.INSTALL]) == 1
    shown = capsys.readouterr()
    assert "$ sh -c exit 3" in shown.out
    assert "SIGBOARD_CHROMIUM" in shown.err
