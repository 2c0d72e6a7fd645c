"""The settings in the address of the browser: read when a visit begins, written whenever one changes.

The session owns the settings. An address that the browser returns to (Back) may be older than them, so it is corrected,
not read. A change of a setting replaces the address; only a change of page makes an entry in the browser's history.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

import streamlit as st

Choice = TypeVar("Choice")

GIVEN = "sigboard.address"  # the parameters with which the visit began
SETTINGS = "sigboard.settings"  # name -> text of every setting drawn so far; None for the default
BOXLESS = ("also", "pairs", "late")  # settings without a box of their own that would keep them
PAIR = ("system", "baseline", "family", "declared")  # the pair that is shown, and what was declared of it
REASON = "ack."  # before the name of a check of the report: what the author says of it
PAPER = "paper."  # before the name of a setting that the pages after one paper have for themselves

# one entry in the history per page, and the focus in what a key has opened
ASSETS = Path(__file__).parent / "assets"
SCRIPT, STYLE = ASSETS / "browser.js", ASSETS / "page.css"


@cache
def _script() -> str:
    style, script = (file.read_text(encoding="utf-8") for file in (STYLE, SCRIPT))
    return f"<script>window.sigboardStyle = {json.dumps(style)};\n{script}</script>"


def look() -> None:
    """Send the browser its script and style; before the navigation, so that nothing moves once they arrive."""
    st.html(_script(), unsafe_allow_javascript=True)


def begin(own: Collection[str] = ()) -> None:
    """Before any setting is drawn: remember the parameters of a new visit, correct those of a running one.

    `own` are the settings that the page has for itself. A link to it may name them as on other pages, too.
    """
    if GIVEN not in st.session_state:
        given = st.query_params.to_dict()
        st.session_state[GIVEN] = {f"{PAPER}{name}": given[name] for name in own if name in given} | given
    held: dict[str, str | None] = st.session_state.setdefault(SETTINGS, {})
    for name, text in st.session_state[GIVEN].items():
        if name in BOXLESS or name.startswith(REASON):
            held.setdefault(name, text)
    if any(name in st.query_params for name in PAIR):
        # an entry of the browser's history has its own pair, with what was declared of it
        held |= {name: st.query_params.get(name) for name in PAIR}
    elif held.get("family") == "gain":
        held["family"] = None  # only the way from Gain leads to it
    for name, text in held.items():
        _write(name, text)


def text_of(name: str) -> str | None:
    """The setting as text: as it was set last in this visit, else as in the address; None for the default."""
    settings: dict[str, str | None] = st.session_state.get(SETTINGS, {})
    if name in settings:
        return settings[name]
    given: dict[str, str] = st.session_state.get(GIVEN, {})
    return given.get(name)


def member(name: str, choices: Mapping[Choice, str], usual: Choice) -> Choice:
    """The chosen one of the choices (name -> label). Addresses hold names; labels are accepted, as older links hold them."""
    text = text_of(name)
    by_name = [choice for choice in choices if str(choice) == text]
    by_label = [choice for choice, label in choices.items() if label == text]
    return next(iter([*by_name, *by_label]), usual)


def keep(name: str, text: str | None) -> None:
    """Store a setting and write it to the address; None for the default, which the address omits."""
    st.session_state.setdefault(SETTINGS, {})[name] = text
    _write(name, text)


def replace(settings: Mapping[str, str]) -> None:
    """Replace all settings, before any is drawn; those that are not given get their defaults."""
    before: dict[str, str | None] = st.session_state.setdefault(SETTINGS, {})
    for name in {*before, *settings}:
        st.session_state.pop(name, None)
        before[name] = settings.get(name)


def settings() -> dict[str, str]:
    """All settings that are not the default, as texts."""
    held: dict[str, str | None] = st.session_state.get(SETTINGS, {})
    return {name: text for name, text in held.items() if text is not None}


def _write(name: str, text: str | None) -> None:
    if text is None:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != text:
        st.query_params[name] = text
