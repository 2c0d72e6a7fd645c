"""Small scripts in the browser: details of the point under the pointer, whether theme or screen change, the tab's secret."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
GRID_STYLE = """
#grid { font: var(--size) var(--st-font); color: var(--ink); line-height: 1.25; overflow-x: auto; padding: 2px; }
p { margin: 0 0 4px 0; }
.key { display: flex; margin-bottom: 4px; color: var(--muted); font-size: 12px; text-align: center; }
.key div { min-width: 76px; } .key i { display: block; height: 12px; }
.key span { display: block; white-space: nowrap; }
table { width: 100%; border-collapse: collapse; }
th { font-weight: 400; white-space: nowrap; padding: 0 4px; }
tbody th { text-align: right; padding-right: 8px; } th span { padding-left: 0.6em; font-variant-numeric: tabular-nums; }
tbody td { width: var(--share); height: var(--cell); padding: 0; text-align: center; background-clip: padding-box;
  border: 1px solid var(--st-background-color); }
tbody td.pair { cursor: pointer; }
tbody td.below { border-bottom: 2px solid var(--ink); } tbody td.beside { border-right: 2px solid var(--ink); }
tbody td:hover, tbody td:focus-visible { outline: 2px solid var(--ink); outline-offset: -1px; }
.hatched { background-image: repeating-linear-gradient(-45deg, transparent 0 5px, var(--ink) 5px 6px); }
@media (max-width: 640px) { .key div { min-width: 50px; } }
"""


@cache
def _component(name: str, html: str, css: str) -> Any:
    script = (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
    return st.components.v2.component(f"sigboard_{name}", html=html, css=css, js=script)


def details(chart: str, invitation: str) -> None:
    """A panel with the details of the point of the chart of that key that is under the pointer; before, an invitation."""
    mount = _component("details", '<div id="lines" aria-live="polite"></div>', PANEL_STYLE)
    mount(key=f"{chart}.details", data={"chart": chart.replace(".", "-"), "invitation": invitation})


def grid(chart: str, cells: Mapping[str, Any], opened: Callable[[], None]) -> None:
    """The grid of all pairs, drawn by the browser alone; after a click on a cell `opened` finds its pair with `cell_of`."""
    mount = _component("grid", '<div id="grid"></div>', GRID_STYLE)
    mount(key=chart, data={**cells, "chart": chart.replace(".", "-")}, on_cell_change=opened)


def cell_of(chart: str) -> tuple[int, int] | None:
    """The positions of the two systems of the cell that was clicked; None for anything else that a browser may send."""
    pair = getattr(st.session_state[chart], "cell", None)
    whole = isinstance(pair, list) and len(pair) == 2 and all(type(place) is int and place >= 0 for place in pair)
    return (pair[0], pair[1]) if pair and whole and pair[0] != pair[1] else None


def follow() -> None:
    """Run the page again when the browser changes between light and dark, or to or from a narrow screen: figures are drawn
    for one of them."""
    mount = _component("theme", "<i></i>", THEME_STYLE)
    data = {"narrow": NARROW, "known": narrow()}
    seen = mount(key="sigboard.theme", data=data, on_changed_change=lambda: None, on_narrow_change=lambda: None)
    if isinstance(getattr(seen, "narrow", None), bool):
        st.session_state[IS_NARROW] = seen.narrow


def owner(offer: str) -> str:
    """The secret that this tab of the browser has kept; the offered one, which it then keeps, where it had none."""
    mount = _component("owner", "<i></i>", "i { display: none; }")
    seen = mount(key="sigboard.owner.kept", data={"offer": offer}, on_owner_change=lambda: None)
    secret = getattr(seen, "owner", None)
    # the browser may send anything: only a text of the length of ours is a secret
    return secret if isinstance(secret, str) and 24 <= len(secret) <= 64 else offer


def narrow() -> bool:
    """Whether the screen is narrow, as far as the browser has reported it."""
    return bool(st.session_state.get(IS_NARROW, False))
