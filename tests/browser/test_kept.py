"""Analyses that are kept: after a refresh, a kill and a restart, in a second profile, and deleted everywhere."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from sigboard.server import store as server_store
from sigboard.shell import session
from sigcore import store
from tests.browser.actions import goto, settle, until, upload
from tests.browser.server import KERNELS, ROOT, Server, flags, running, serve
from tests.browser.test_lifetime import GONE, is_lost
from tests.browser.test_pages import (
    GOOD,
    a_server_that_knows_its_pages,
    dropped,
    held,
    page,
    press,
    said,
    start,
)
from tests.browser.test_visit import open_page_of

__all__ = ["a_server_that_knows_its_pages"]  # a fixture that every test uses

FILES = {"ref.txt": GOOD, "one.txt": GOOD.replace("red", "r"), "two.txt": GOOD.replace("boat", "ship")}
FILES["three.txt"] = GOOD.replace("home", "away")


@pytest.fixture
def kept_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of the store; the server of the page is new, and so is that of the next test."""
    file = tmp_path / "store.sqlite"
    monkeypatch.setenv(store.VARIABLE, f"sqlite:///{file}")
    st.cache_resource.clear()
    yield file
    st.cache_resource.clear()


def written(app: AppTest) -> str:
    """The link of the visit, once everything is written, as the server does some seconds later."""
    link = held(app, "analysis")
    session.keeper().flush(0.0)
    assert session.keeper().is_kept(link)
    return link


def restart() -> None:
    """A new server: nothing is in its memory."""
    st.cache_resource.clear()


def mine(app: AppTest, word: str, **address: str) -> AppTest:
    """That page in a new tab of the same browser, which has kept the secret."""
    again = start(**address)
    again.session_state[session.OWNER] = app.session_state[session.OWNER]
    if session.BORROWED in again.session_state:
        del again.session_state[session.BORROWED]
    return page(again, word)


def verdicts(app: AppTest) -> list[str]:
    """The sentences with numbers of a page with a grid."""
    return re.findall(r"\d+ of \d+ pairs.*", said(app))


def listed(app: AppTest) -> list[str]:
    """The kept analyses that the page lists."""
    return [text.value for text in app.markdown if ":small[since" in text.value]


@pytest.mark.usefixtures("kept_in")
def test_a_restart_keeps_grid_settings_and_owner() -> None:
    """After a restart the link shows the same verdicts under the same settings, and its owner can still delete it."""
    app = page(dropped(FILES), "matrix")
    app.selectbox(key="metric").set_value("chrf").run()
    before = verdicts(page(app, "matrix"))
    assert before
    link = written(app)
    restart()
    other = page(start(analysis=link, metric="chrf"), "matrix")
    assert verdicts(other) == before
    assert any("empties your page only" in text.value for text in page(other, "data").caption)
    press(mine(app, "data", analysis=link), "Clear everything")
    restart()
    is_lost(start(analysis=link), link, "It was deleted by the visitor who loaded its files.")


@pytest.mark.usefixtures("kept_in")
def test_the_list_is_its_owners_and_opens() -> None:
    """The owner has the analysis in a list, opens it with its settings, and deletes it; a stranger sees no list."""
    app = page(dropped(FILES), "matrix")
    app.selectbox(key="alpha").set_value(0.01).run()
    link = written(page(app, "matrix"))
    assert not listed(page(start(), "data"))
    again = mine(app, "data")
    (row,) = listed(again)
    assert "3 systems" in row
    assert "kB" in row
    again.button(key=f"open.{link}").click().run()
    assert held(again, "analysis") == link
    assert again.selectbox(key="alpha").value == 0.01
    third = mine(app, "data")
    third.button(key=f"delete.{link}").click().run()
    assert not listed(third)
    is_lost(start(analysis=link), link, "It was deleted")


@pytest.mark.usefixtures("kept_in")
def test_the_sample_is_not_kept() -> None:
    """Who only looks at a sample leaves nothing, whatever page they open."""
    app = page(page(start(), "matrix"), "data")
    session.keeper().flush(0.0)
    assert session.keeper().store is not None
    assert session.keeper().store.changes(0.0) == (frozenset(), {})
    assert not listed(app)


def test_a_store_that_cannot_be_used_is_a_note(kept_in: Path) -> None:
    """The page says that nothing is kept over a restart, and works; it names no path."""
    kept_in.mkdir()
    app = page(dropped(FILES), "matrix")
    assert verdicts(app)
    session.keeper().flush(0.0)
    app = page(app, "data")
    assert any("Analyses are not kept" in box.value and "unable to open" in box.value for box in app.warning)
    assert any("in the memory of this server only" in text.value for text in app.caption)
    assert not any(str(kept_in.parent) in text.value for text in (*app.warning, *app.caption))


def test_a_damaged_store_is_made_again(kept_in: Path) -> None:
    """The page says what was lost, and the analysis that is open is in the list."""
    kept_in.write_bytes(b"not a database" * 1000)
    app = page(dropped(FILES), "matrix")
    written(app)
    again = mine(app, "data")
    assert any("was damaged and made new" in box.value for box in again.warning)
    assert len(listed(again)) == 1
    assert any("over a restart, too" in text.value for text in page(app, "data").caption)


@pytest.mark.usefixtures("kept_in")
def test_the_report_page_has_the_link() -> None:
    """The page Report shows the link with its settings; that of a sample has none."""
    app = page(dropped(FILES, start(alpha="0.01", resamples="1000")), "report")
    shown = [code.value for code in app.code if "analysis=" in code.value]
    assert len(shown) == 1
    assert f"report?analysis={held(app, 'analysis')}&alpha=0.01" in shown[0]
    assert not [code.value for code in page(start(resamples="1000"), "report").code if "analysis=" in code.value]


@pytest.mark.usefixtures("kept_in")
def test_files_that_are_too_large_are_said_to_be_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page does not promise a restart for files that the store does not take."""
    monkeypatch.setattr(server_store, "LARGEST_FILES", 100)
    app = page(dropped(FILES), "data")
    assert any("kept in the memory of this server until" in text.value for text in app.caption)
    session.keeper().flush(0.0)
    assert not session.keeper().is_kept(held(app, "analysis"))


def test_a_setting_that_cannot_be_read_is_an_error_with_its_fix(kept_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A SIGBOARD_STORE that is not a URL is reported on the page, and nothing is computed."""
    monkeypatch.setenv(store.VARIABLE, str(kept_in))
    app = start()
    assert any("SIGBOARD\\_STORE is not the URL" in box.value and "sqlite" in box.value for box in app.error)
    assert not app.exception


def kept_by(server: Server) -> list[str]:
    """The ids in the store of that server, with their grid."""
    file = server.log.parent / "cache" / store.FILE
    if not file.exists():
        return []
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as raw:
        try:
            rows = raw.execute("SELECT token FROM parts WHERE part = 'grid' AND length(content) > 0").fetchall()
        except sqlite3.OperationalError:  # its tables are not there yet
            rows = []
    raw.close()
    return [row[0] for row in rows]


def numbers(of: Page) -> str:
    """The sentence with the numbers of the grid."""
    return of.get_by_text(re.compile(r"\d+ of \d+ pairs differ")).first.inner_text()


@pytest.mark.slow
def test_kill_restart_second_profile_delete(tmp_path: Path, open_page: Callable[..., Page]) -> None:
    """Refresh, kill -9 and restart, open the link in a second profile: the same grid and the same p. A visitor without the
    link sees nothing, and what the owner deletes is gone everywhere, also from the disk."""
    files = {name: text.encode() for name, text in FILES.items()}
    own = open_page()
    with serve(ROOT / "app.py", tmp_path) as first:
        goto(own, f"{first.url}/data?seed=77&resamples=1000")
        upload(own, files)
        open_page_of(own, "Grid")
        before = numbers(own)
        own.reload()
        settle(own)
        assert numbers(own) == before
        until(own, lambda: kept_by(first), "the grid is in the store")
        path = own.url.removeprefix(first.url)
        own.goto("about:blank")
        first.process.kill()  # kill -9
        first.process.wait()
    # the same port: for the browser another port would be another place, with another secret
    again = [*flags(), f"--server.port={first.url.rpartition(':')[2]}"]
    arguments = ["-m", "streamlit", "run", str(ROOT / "app.py"), *again]
    with running(arguments, ROOT, tmp_path, NUMBA_CACHE_DIR=str(KERNELS)) as second:
        other, stranger = open_page(), open_page()
        goto(other, second.url + path)
        assert numbers(other) == before
        goto(stranger, f"{second.url}/data")
        expect(stranger.get_by_text("Kept analyses")).to_have_count(0)
        open_page_of(other, "Files")
        expect(other.get_by_text("empties your page only")).to_be_visible()
        own.goto(second.url + path)
        settle(own)
        assert numbers(own) == before
        open_page_of(own, "Files")
        own.get_by_role("button", name="Clear everything").click()
        settle(own)
        goto(other, second.url + path)
        expect(other.get_by_role("heading", level=1)).to_have_text(GONE)
        assert kept_by(second) == []
        assert b"number 3 sails home" not in (tmp_path / "cache" / store.FILE).read_bytes()
        for each in (own, other, stranger):  # before the server ends, for which they would look
            each.goto("about:blank")
