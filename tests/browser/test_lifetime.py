"""How long files are kept: deleted, expired and unknown links say so, and a reload keeps its owner."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from sigboard.server import limits
from sigboard.shell import session, uploads
from tests.browser.actions import goto, settle, upload
from tests.browser.test_pages import (  # noqa: F401 (a fixture for all)
    GOOD,
    a_server_that_knows_its_pages,
    dropped,
    held,
    page,
    press,
    said,
    start,
)

FILES = {"ref.txt": GOOD, "one.txt": GOOD.replace("red", "r"), "two.txt": GOOD.replace("boat", "ship")}
GONE = "The files of this link are not here."


def is_lost(app: AppTest, link: str, why: str) -> None:
    """The page says that the files are gone, and why; the address keeps the link, and no number is shown."""
    assert [title.value for title in app.title] == [GONE]
    assert why in said(app)
    assert held(app, "analysis") == link
    assert not app.get("plotly_chart")
    assert not app.metric


def reloaded(app: AppTest, link: str) -> AppTest:
    """The page after a reload: a new session, to which the browser tells the secret that it has kept."""
    again = start(analysis=link)
    again.session_state[session.OWNER] = app.session_state[session.OWNER]
    del again.session_state[session.BORROWED]
    return page(again, "data")


@pytest.mark.parametrize("word", ["", "data", "matrix", "compare"])
def test_an_unknown_link_says_so(word: str) -> None:
    """A link that the server does not know, as after a restart, says so on every page, on the next run too."""
    app = start(analysis="nonsense")
    app = page(app, word) if word else app
    is_lost(app, "nonsense", "This server does not know the link.")
    is_lost(app.run(), "nonsense", "This server does not know the link.")


def test_the_sample_is_one_click_away_from_an_unknown_link() -> None:
    """The sample is opened by its button only, and the address then no longer has the link."""
    app = press(start(analysis="nonsense"), "Open the sample")
    assert "pairs differ" in said(page(app, "matrix"))
    assert "analysis" not in app.query_params


def test_an_unknown_link_leads_to_the_drop_zone() -> None:
    """Load files opens the page Files with nothing loaded, and files dropped there get a link of their own."""
    app = press(start(analysis="nonsense"), "Load files")
    assert "Nothing is loaded" in said(page(app, "data"))
    assert held(dropped(FILES, app), "analysis") != "nonsense"


def test_clear_everything_deletes_what_is_kept() -> None:
    """Upload, reload, clear: the old link says that its files were deleted, also to whom it is open already."""
    first = dropped(FILES)
    link = held(first, "analysis")
    reader = page(start(analysis=link), "data")
    press(reloaded(first, link), "Clear everything")
    is_lost(start(analysis=link), link, "It was deleted by the visitor who loaded its files.")
    is_lost(reader.run(), link, "It was deleted")
    is_lost(first.run(), link, "It was deleted")


def test_copies_behind_a_link_are_deleted_with_it() -> None:
    """They go from the copy of another visitor, which has a link of its own; what this visitor has added stays, and the page
    says so. A copy with nothing else is gone."""
    first = dropped(FILES)
    second = dropped({"three.txt": GOOD.replace("small", "tiny")}, start(analysis=held(first, "analysis")))
    third = page(start(analysis=held(first, "analysis")), "data")
    link = held(second, "analysis")
    press(page(first, "data"), "Clear everything")
    is_lost(third.run(), held(third, "analysis"), "It was deleted")
    for app in (page(second, "data"), page(start(analysis=link), "data")):
        assert not any(name in said(app) for name in ("one.txt", "two.txt"))
        assert "three" in said(app) or any("three" in str(frame.value) for frame in app.dataframe)
        assert "were deleted by the visitor who loaded them" in said(app)


def test_a_visitor_behind_a_link_deletes_nothing() -> None:
    """Clear everything of one who followed the link empties that page only, and the page says so before."""
    link = held(dropped(FILES), "analysis")
    reader = page(start(analysis=link), "data")
    assert any("empties your page only" in text.value for text in reader.caption)
    press(reader, "Clear everything")
    assert "Systems: 2" in said(page(start(analysis=link), "data"))


def test_after_clearing_new_files_get_a_new_link() -> None:
    """A deleted link stays deleted, whatever its owner loads next."""
    app = dropped(FILES)
    link = held(app, "analysis")
    app = dropped(FILES, press(page(app, "data"), "Clear everything"))
    assert held(app, "analysis") != link
    is_lost(start(analysis=link), link, "It was deleted")


def test_a_sample_leaves_the_files_of_an_old_link() -> None:
    """Who loads a sample afterwards does not turn the old link into the sample; Clear everything still deletes it."""
    app = dropped(FILES)
    link = held(app, "analysis")
    app = press(page(app, "data"), "harbour")
    assert "Systems: 2" in said(page(start(analysis=link), "data"))
    press(app, "Clear everything")
    is_lost(start(analysis=link), link, "It was deleted")


def test_the_page_says_until_when(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page Files shows the expiry; after it the link, and the page that is still open, say that it is over."""
    app = page(dropped(FILES), "data")
    link = held(app, "analysis")
    caption = next(text.value for text in app.caption if "kept in the memory" in text.value)
    assert re.search(r"until \d+ \w+ \d{4}, \d\d:\d\d \(UTC\), 30 days after their last use", caption)
    monkeypatch.setattr(limits, "HOURS", limits.Limit("hours", -1, -1))
    app.run()  # its last use, in the past
    monkeypatch.undo()
    is_lost(app.run(), link, "It has expired: files are kept for 30 days after their last use.")
    is_lost(start(analysis=link), link, "It has expired")


@pytest.mark.slow
def test_a_reload_in_the_browser_still_owns_its_files(live: str, open_page: Callable[..., Page]) -> None:
    """The tab keeps the secret: after a reload Clear everything deletes, and a second browser sees that it did."""
    mine, other = open_page(), open_page()
    goto(mine, f"{live}/data")
    upload(mine, {name: text.encode() for name, text in FILES.items()})
    link = mine.url
    mine.reload()
    settle(mine)
    goto(other, link)
    expect(other.get_by_text("empties your page only")).to_be_visible()
    expect(mine.get_by_text("Clear everything deletes them now")).to_be_visible()
    mine.get_by_role("button", name="Clear everything").click()
    settle(mine)
    goto(other, link)
    expect(other.get_by_role("heading", level=1)).to_have_text(GONE)
    assert other.url == link


def test_what_is_dropped_while_clearing_is_not_read() -> None:
    """Files that still wait to be read when everything is cleared are forgotten with the rest."""
    app = page(dropped(FILES), "data")
    app.session_state[session.DROPPED] = uploads.Dropped((("late.txt", GOOD.encode()),), False, "read:late")
    next(button for button in app.button if button.label == "Clear everything").click()
    assert "late" not in said(app.run())
    assert "Nothing is loaded" in said(app)
