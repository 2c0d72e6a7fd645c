"""Small scripts in the browser: details of the point under the pointer, the stage of a lesson, theme and screen, the tab's secret."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from sigcore.types import Json

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
def _component(name: str, html: str, css: str = "") -> ComponentRenderer:
    """The component of a script; without `css`, its style is the file beside the script."""
    script = (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
    style = css or (SCRIPTS / f"{name}.css").read_text(encoding="utf-8")
    return st.components.v2.component(f"sigboard_{name}", html=html, css=style, js=script)


def details(chart: str, invitation: str) -> None:
    """A panel with the details of the cell of the grid of that key that has the pointer or the focus; before, an invitation."""
    mount = _component("details", '<div id="lines" aria-live="polite"></div>', PANEL_STYLE)
    mount(key=f"{chart}.details", data={"chart": chart.replace(".", "-"), "invitation": invitation})


def grid(chart: str, cells: Mapping[str, Json], opened: Callable[[], None]) -> None:
    """The grid of all pairs, drawn by the browser alone; after a click on a cell `opened` finds its pair with `cell_of`."""
    mount = _component("grid", '<div id="grid"></div>')
    mount(key=chart, data={**cells, "chart": chart.replace(".", "-")}, on_cell_change=opened)


def clicks(chart: str, opened: Callable[[], None]) -> None:
    """Wait for a click on a cell of the large grid of that key; then `opened` finds its ranks with `cell_of(clicks_of(chart))`."""
    mount = _component("click", "<i></i>", "i { display: none; }")
    mount(key=clicks_of(chart), data={"chart": chart.replace(".", "-")}, on_cell_change=opened)


def clicks_of(chart: str) -> str:
    """The key of what waits for clicks on a large grid."""
    return f"{chart}.clicks"


def cell_of(chart: str) -> tuple[int, int] | None:
    """The positions of the two systems of the cell that was clicked; None for anything else that a browser may send."""
    pair = getattr(st.session_state[chart], "cell", None)
    whole = isinstance(pair, list) and len(pair) == 2 and all(type(place) is int and place >= 0 for place in pair)
    return (pair[0], pair[1]) if pair and whole and pair[0] != pair[1] else None


def rows(key: str, content: Mapping[str, Json], turned: Callable[[], None]) -> None:
    """Segments with their texts, drawn by the browser; `turned` is called when a key asks for the rows before or after."""
    mount = _component("rows", '<div id="rows"></div>')
    mount(key=key, data=dict(content), on_turn_change=turned)


def turn_of(key: str) -> int:
    """Which rows a key asked for: -1 those before, 1 those after, 0 for anything else that a browser may send."""
    by = getattr(st.session_state[key], "turn", None)
    return by if type(by) is int and by in (-1, 1) else 0


STAGE = "sigboard.stage.live"
REVEALED = "sigboard.revealed"  # the stages of this visit whose answers were revealed, by their tokens


@cache
def _stage() -> ComponentRenderer:
    """The component of the lessons' stage: the draws and what shows them, in the document itself, so that scripts find it."""
    script = "\n".join((SCRIPTS / f"{name}.js").read_text(encoding="utf-8") for name in ("draws", "stage"))
    style, html = (SCRIPTS / "stage.css").read_text(encoding="utf-8"), '<div class="sb-place"></div>'
    return st.components.v2.component("sigboard_stage", html=html, css=style, js=script, isolate_styles=False)


def stage(content: Mapping[str, Json], go: Callable[[int], None]) -> None:
    """The stage of a lesson, which draws in the browser; `go` is called with -1 or 1 when a key asks for another lesson."""

    def moved() -> None:
        by = getattr(st.session_state[STAGE], "go", None)
        if type(by) is int and by in (-1, 1):
            go(by)

    def told() -> None:
        token = getattr(st.session_state[STAGE], "revealed", None)
        # only the stage that is shown can be revealed or hidden: the browser may send anything
        known, own = revealed_stages(), str(content["token"])
        (known.add if token == own else known.discard)(own)

    _stage()(key=STAGE, data=dict(content), on_revealed_change=told, on_go_change=moved)


def revealed_stages() -> set[str]:
    """The tokens of the stages whose answers were revealed in this visit."""
    found: set[str] = st.session_state.setdefault(REVEALED, set())
    return found


def follow(is_phone: bool) -> None:
    """Run the page again when the browser changes between light and dark, or to or from a narrow screen: figures are drawn
    for one of them. A narrow screen does not show the page before it has its narrow form."""
    mount = _component("theme", "<i></i>", THEME_STYLE)
    data = {"narrow": NARROW, "known": narrow()}
    seen = mount(key="sigboard.theme", data=data, on_changed_change=lambda: None, on_narrow_change=lambda: None)
    if isinstance(getattr(seen, "narrow", None), bool):
        st.session_state[IS_NARROW] = seen.narrow
    widest = 0 if is_phone or narrow() else NARROW
    st.html(f'<style>@media (max-width: {widest}px) {{ [data-testid="stMain"] {{ visibility: hidden; }} }}</style>')


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
