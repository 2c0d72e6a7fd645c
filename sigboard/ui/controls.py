"""Controls whose state is in the address: a box of choices, and the widget of an option."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sigboard import terms
from sigboard.ui import address
from sigcore import Option, OptionError


def current(key: str, choices: dict[Any, str], usual: Any) -> Any:
    """The choice of the box with that key, which may not be on this page."""
    if key in st.session_state and st.session_state[key] in choices:
        return st.session_state[key]
    return address.member(key, choices, usual)


def choose(key: str, choices: dict[Any, str], default: Any = None, label: str = "", **more: Any) -> Any:
    """The choice in a box whose state is in the address, by name; the first choice if there is no default.

    The current value is also the default of the widget: a browser that opens a popover later shows the default, and sends
    it with the next click.
    """
    names = list(choices)
    usual = default if default in names else names[0]
    value = current(key, choices, usual)
    if st.session_state.get(key) != value:
        st.session_state[key] = value
    value = st.selectbox(
        label or key,
        names,
        names.index(value),
        format_func=lambda name: choices.get(name, str(name)),
        key=key,
        **{"help": terms.meaning(key), **more},
    )
    address.keep(key, None if value == usual else str(value))
    return value


def value_of(key: str, option: Option) -> Any:
    """The value of an option whose widget may not be on this page; a value that it cannot have is the default."""
    text = address.text_of(key)
    try:
        return option.default if text is None else option.read(text)
    except OptionError:
        return option.default


def widget(key: str, option: Option, bound: bool = True) -> Any:
    """The value of an option, from its widget; `bound` keeps it in the address."""
    if key not in st.session_state:
        start = value_of(key, option) if bound else option.default
        st.session_state[key] = _text(start) if option.choices or _is_written(option) else start
    value = _drawn(option.name.replace("_", " "), option, {"key": key, "help": option.help or None})
    if bound:
        address.keep(key, None if value == option.default else _text(value))
    return value


def _drawn(label: str, option: Option, common: dict[str, Any]) -> Any:
    held = st.session_state[common["key"]]  # also the default, see `choose`
    if option.choices:
        names = ([""] if option.optional else []) + [str(choice) for choice in option.choices if choice is not None]
        place = names.index(held) if held in names else 0
        return option.read(st.selectbox(label, names, place, format_func=lambda name: name or "automatic", **common))
    if option.type is bool:
        return st.checkbox(label, bool(held), **common)
    if _is_written(option):
        return option.read(st.text_input(label, str(held), **common))
    kind: Any = int if option.type is int else float
    low, high = (None if end is None else kind(end) for end in (option.low, option.high))
    # all digits of a small step or a share near 1 are shown
    shown = {"step": 1} if kind is int else {"format": "%g"}
    return kind(st.number_input(label, low, high, kind(held), **shown, **common))


def _is_written(option: Option) -> bool:
    """Whether the option is a text field."""
    return option.type is str or (option.optional and option.type is not bool)


def _text(value: object) -> str:
    return "" if value is None else str(value)
