"""Two small scripts in the browser: details of the point under the pointer, and whether theme or screen change."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

SCRIPTS = Path(__file__).parent / "assets"

NARROW = 640  # pixels: the widest screen for which figures have their narrow form
IS_NARROW = "sigboard.narrow"
PANEL_STYLE = """
div { font: 0.875rem var(--st-font); line-height: 1.35; color: var(--st-text-color); overflow-wrap: anywhere; }
#lines { border-left: 2px solid var(--st-border-color); padding-left: 0.75rem; min-height: 6.9rem; }
#lines.found > :first-child { font-weight: 600; }
"""
THEME_STYLE = """
i { display: block; height: 0; background-color: var(--st-background-color); transition: background-color 1ms linear; }
"""


@cache
def _component(name: str, html: str, css: str) -> Any:
    script = (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
    return st.components.v2.component(f"sigboard_{name}", html=html, css=css, js=script)


def details(chart: str, invitation: str) -> None:
    """A panel with the details of the point of the chart of that key that is under the pointer; before, an invitation."""
    mount = _component("details", '<div id="lines" aria-live="polite"></div>', PANEL_STYLE)
    mount(key=f"{chart}.details", data={"chart": chart.replace(".", "-"), "invitation": invitation})


def follow() -> None:
    """Run the page again when the browser changes between light and dark, or to or from a narrow screen: figures are drawn
    for one of them."""
    mount = _component("theme", "<i></i>", THEME_STYLE)
    data = {"narrow": NARROW, "known": narrow()}
    seen = mount(key="sigboard.theme", data=data, on_changed_change=lambda: None, on_narrow_change=lambda: None)
    if isinstance(getattr(seen, "narrow", None), bool):
        st.session_state[IS_NARROW] = seen.narrow


def narrow() -> bool:
    """Whether the screen is narrow, as far as the browser has reported it."""
    return bool(st.session_state.get(IS_NARROW, False))
