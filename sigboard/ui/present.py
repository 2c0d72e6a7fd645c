"""Present mode: one figure fills the screen, without sidebar, with large type; its state is in the address."""

from __future__ import annotations

import streamlit as st

PARAMETER, KEY = "present", "p"
FIGURE = "sigboard.stage"  # the key of the container whose figure fills the screen
STEPS = "sigboard.shown"  # the key of the row below it
HIDDEN = "sigboard.pair"  # the key of a container that is drawn, for the state of its widgets, but not shown
FACTOR = 2.0  # how much larger the texts of the figure are
HEIGHT = 640  # pixels of the figure before the browser fits it to the screen

STYLE = """<style>
[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stSidebarCollapsedControl"],
[data-testid="stExpandSidebarButton"], .st-key-sigboard-pair { display: none !important; }
[data-testid="stMainBlockContainer"] { padding: 0.5rem 1rem 0 1rem !important; max-width: none !important; }
[data-testid="stMain"] { overflow: hidden; }
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: 0 !important; }
.st-key-sigboard-stage, .st-key-sigboard-stage > div { height: calc(100vh - 4rem) !important; }
</style>"""


def active() -> bool:
    """Whether the page is presented."""
    return str(st.query_params.get(PARAMETER, "")) == "1"


def style() -> bool:
    """Hide everything but the page if it is presented; returns whether it is."""
    if active():
        st.html(STYLE)
    return active()


def button() -> None:
    """The button that enters Present mode or leaves it; so does the key P."""
    words, icon = ("Leave", ":material/fullscreen_exit:") if active() else ("Present", ":material/fullscreen:")
    st.button(words, on_click=_toggle, key="sigboard.present", icon=icon, shortcut=KEY, type="tertiary")


def _toggle() -> None:
    if active():
        del st.query_params[PARAMETER]
    else:
        st.query_params[PARAMETER] = "1"
