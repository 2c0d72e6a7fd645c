"""The frame of every page: its heading, and the only place on the screen that shows an error."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from sigboard import catalogue
from sigboard.render.style import Part, enlarged, finished, palette
from sigboard.server import cache
from sigboard.shell import live, session
from sigcore import SigError
from sigcore.formatting import count

# Present mode: one figure fills the screen, without sidebar, with large type. The session owns its state, the address shows
# it: a browser that reports something else at the moment of a click sends the address of before the click with it.

PARAMETER, KEY = "present", "p"
ESCAPE = "sigboard.escape"  # the key of a container that is not shown
PRESENTED = "sigboard.presented"  # of the session: whether its page is presented
FIGURE = "sigboard.stage"  # the key of the container whose figure fills the screen
STEPS = "sigboard.shown"  # the key of the row below it
HIDDEN = "sigboard.pair"  # the key of a container that is drawn, for the state of its widgets, but not shown
FACTOR = 2.0  # how much larger the texts of the figure are
WHOLE = "sigboard.whole.key"  # of the session: the key of the figure that fills the page, of those without a Present of their own
WHOLE_FACTOR = 1.5
HEIGHT = 640  # pixels of the figure before the browser fits it to the screen

STYLE = Path(__file__).with_name("assets") / "present.css"


def active() -> bool:
    """Whether the page is presented."""
    return bool(st.session_state.get(PRESENTED))


def style() -> bool:
    """Hide everything but the page if it is presented; returns whether it is."""
    if active():
        st.html(f"<style>{STYLE.read_text('utf-8')}</style>")
    return active()


def button() -> None:
    """The button that enters Present mode or leaves it; so does the key P, and Escape leaves it."""
    words, icon = ("Leave", ":material/fullscreen_exit:") if active() else ("Present", ":material/fullscreen:")
    st.button(words, on_click=_toggle, key="sigboard.present", icon=icon, shortcut=KEY, type="tertiary")
    if active():
        # a button has one key: this one is only there for the second
        with st.container(key=ESCAPE):
            st.button("Leave by Escape", on_click=_toggle, key="sigboard.leave", shortcut="Escape")


def _toggle() -> None:
    st.session_state[PRESENTED] = not active()


def _address(new: bool) -> None:
    """Read the state from the address with which a page is opened (`new`); correct that of an open page."""
    if new or PRESENTED not in st.session_state:
        st.session_state[PRESENTED] = st.query_params.get(PARAMETER) == "1"
    if not active():
        st.query_params.pop(PARAMETER, None)
    elif st.query_params.get(PARAMETER) != "1":
        st.query_params[PARAMETER] = "1"


BEFORE = ("data", "learn")  # pages that show no score of what is loaded
ASSETS = Path(__file__).parent / "assets"
# The browser draws the picture file itself: no server-side browser is needed.
CHART = {
    "displaylogo": False,
    "toImageButtonOptions": {"format": "svg", "filename": "sigboard"},
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
}


# Where Streamlit makes a link of escaped text, too: an address of the web, or of mail. A word joiner, which is not seen, is put there.
LINKED = re.compile(r"(https?:)(?=//)|(www)(?=\.)|(@)(?=[-\w]+\.)", re.IGNORECASE)
JOINER = "\u2060"


def literal(text: str) -> str:
    """The text, escaped so that Markdown shows it literally, and makes no link of it."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", LINKED.sub(rf"\g<0>{JOINER}", text))


def theme() -> Literal["light", "dark"]:
    """ "light" or "dark", as the browser shows it."""
    return "dark" if st.context.theme.type == "dark" else "light"


def phone() -> bool:
    """Whether the screen is narrow, or belongs to a phone; figures then use their narrow form."""
    return live.narrow() or is_phone()


def is_phone() -> bool:
    """Whether the browser identifies itself as a phone."""
    return "Mobi" in (st.context.headers.get("User-Agent") or "")


@contextmanager
def guard(word: str = "sidebar") -> Iterator[None]:
    """Show every error inside as a box, never as a traceback."""
    try:
        yield
    except SigError as error:
        show(error)
    except Exception as error:
        # A newer run of the page may have replaced this one and changed the state while it was being read. Streamlit ends
        # such a run, with a BaseException, as soon as it asks for the state: it has nothing to report.
        st.session_state.get(session.CHOSEN)
        logging.getLogger("sigboard").exception("unexpected error on page %s", word)
        st.error(
            "An unexpected error occurred. Your files are still loaded; the server's log contains the details. "
            f"Please report it with this line: {literal(type(error).__name__)}: {literal(str(error)[:300])}",
            icon=":material/bug_report:",
        )


@contextmanager
def question(word: str, head: Callable[[session.Visit], bool] | None = None) -> Iterator[session.Visit]:
    """The page of one question: draw its heading, and provide the visit.

    `head` draws what is above the heading, and returns whether it drew a title for the page.
    """
    asked = catalogue.get(word)
    if session.CHOSEN not in st.session_state:
        # Where the first visitor of a server follows a link to this page, Streamlit runs it without app.py.
        st.session_state[session.LANDING] = asked.page
        st.switch_page("app.py", query_params=st.query_params.to_dict())
    live.follow(is_phone())
    with guard(word):
        visit = session.visit()
        _address(visit.page != word)
        if visit.page != word:
            # edits in a table that is no longer on the screen become part of the items
            visit.collection.settle()
            visit.page = word
            _show_whole()
        if word not in BEFORE and visit.collection.items:
            session.scores_are_shown(visit)
        if not style() and (head is None or not head(visit)):
            st.title(asked.question, anchor=False)
        yield visit


def chart(figure: Any, key: str, alt: str, bar: bool = True, **more: Any) -> None:
    """Draw a Plotly figure in its own colours; `alt` describes it in a sentence, `bar`: with Plotly's buttons over it.

    Figures have a button that lets them fill the page, but small ones (without a `bar`) and those that their page presents
    (with a `height`).
    """
    config = CHART if bar else CHART | {"displayModeBar": False}
    if not bar or "height" in more:
        st.plotly_chart(figure, key=key, theme=None, alt=alt, config=config, **more)
        return
    whole = st.session_state.get(WHOLE) == key
    with st.container(key="sigboard.whole" if whole else f"sigboard.figure.{key}"):
        if whole:
            ground = palette(theme()).paper
            st.html(f"<style>.st-key-sigboard-whole {{ background: {ground}; }}</style>")
            figure = enlarged(figure, WHOLE_FACTOR, HEIGHT).update_layout(paper_bgcolor=ground)
            config, more = (
                CHART | {"displayModeBar": True, "toImageButtonOptions": _leave()},
                more | {"height": "stretch"},
            )
        st.plotly_chart(figure, key=key, theme=None, alt=alt, config=config, **more)
        if not whole:
            help = "This figure alone, on the whole page and with larger type; there it can be saved as SVG or PNG."
            st.button(
                "Present", on_click=_show_whole, args=(key,), key=f"sigboard.present.{key}", type="tertiary", help=help
            )


def _leave() -> Part:
    """The row above a figure on the whole page; returns how the camera over the figure saves it."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        leave, icon = "Leave", ":material/fullscreen_exit:"
        st.button(
            leave, on_click=_show_whole, key="sigboard.whole.leave", icon=icon, shortcut="Escape", type="tertiary"
        )
        formats = ["SVG", "PNG"]
        chosen = st.segmented_control(
            "the camera saves", formats, default="SVG", key="sigboard.whole.format", width="content"
        )
    return {"format": str(chosen or "SVG").lower(), "filename": "sigboard", "scale": 2}


def _show_whole(key: str = "") -> None:
    st.session_state[WHOLE] = key


def plot(key: str, draw: Callable[..., Any], say: Callable[..., str], *given: Any, **more: Any) -> None:
    """Draw the figure of a result, which is made once for all visitors; `say` describes it, from the same."""
    chart(cache.once(finished, draw, *given, theme=theme(), **more), key, say(*given))


def tabs(key: str, parts: Mapping[str, Callable[[], None]]) -> None:
    """Tabs with these names, of which only the open one is drawn."""
    for tab, draw in zip(st.tabs(list(parts), key=key, on_change="rerun"), parts.values(), strict=True):
        if tab.open:
            with tab:
                draw()


def fold(key: str, title: str, draw: Callable[[], object]) -> None:
    """What a click on the title opens; it is only drawn while it is open."""
    whole = st.expander(title, key=key, on_change="rerun")
    if whole.open:
        with whole:
            draw()


def details(word: str, draw: Callable[[], object], notes: int = 0) -> None:
    """What the first look at the page of that word leaves out, one click away; the title counts its `notes`."""
    fold(f"sigboard.{word}.details", f"Details and {count(notes, 'note')}" if notes else "Details", draw)


def caption(text: str) -> None:
    """A caption that shows the text literally."""
    st.caption(literal(text))


def show(error: SigError) -> None:
    """An error as a box: what is wrong, where, how to fix it."""
    lines = [f"**{literal(error.what)}**"]
    if error.where:
        lines.append(f"Where: {literal(error.where)}")
    if error.fix:
        lines.append(f"How to fix it: {literal(error.fix)}")
    st.error("  \n".join(lines), icon=":material/error:")


def cards(items: list[tuple[str, str, str]]) -> None:
    """A row of at most four figures: (label, value, help)."""
    with st.container(horizontal=True, key="sigboard.cards"):
        for label, value, help_text in items[:4]:
            st.metric(label, literal(value), border=True, help=help_text or None)
