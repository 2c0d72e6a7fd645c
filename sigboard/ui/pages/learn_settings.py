"""The few settings of single lessons: the rule of the tail lab, what is true in the null factory."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sigboard.ui import learn_queries, session
from sigcore.studies import learn

CHANGES = {
    "strict": "> in place of ≥",
    "no_plus_one": "no + 1",
    "one_sided": "one-sided",
    "slip": "mean after |d|",
    "half": "half of the units",
    "unpaired": "not paired",
}
OF_BOOTSTRAP = ("slip", "half", "unpaired")
TRUTHS = {True: "no difference", False: "the pair as it is"}
KINDS = {"bootstrap": "bootstrap", "swap": "shuffles"}


def of(word: str, visit: session.Visit) -> dict[str, Any]:
    """The settings of the lesson of that word, as its query takes them."""
    return SETTINGS[word](visit) if word in SETTINGS else {}


def _tail(visit: session.Visit) -> dict[str, Any]:
    kind = st.segmented_control(
        "test",
        list(KINDS),
        format_func=lambda name: KINDS[name],
        default="bootstrap",
        required=True,
        key="kind",
        bind="query-params",
        label_visibility="collapsed",
    )
    words = {f"{size.units} units, {size.resamples} resamples": size for size in learn.SIZES}
    size = st.selectbox(
        "in the long run", list(words), key="sigboard.lab.size", label_visibility="collapsed", width=230
    )
    offered = [name for name in CHANGES if kind == "bootstrap" or name not in OF_BOOTSTRAP]
    changes = st.pills(
        "changes of the rule",
        offered,
        format_func=lambda name: CHANGES[name],
        selection_mode="multi",
        key=f"rule_of_{kind}",
        bind="query-params",
        label_visibility="collapsed",
    )
    draw = learn.Draw(
        "swap" if kind == "swap" else "bootstrap", 0.5 if "half" in changes else 1.0, "unpaired" not in changes
    )
    rule = learn.Rule(
        draw, "strict" in changes, "no_plus_one" not in changes, "one_sided" in changes, "slip" in changes
    )
    return {"rule": rule, "size": words[size]}


def _null(visit: session.Visit) -> dict[str, Any]:
    truth = st.segmented_control(
        "what is true",
        list(TRUTHS),
        format_func=lambda is_null: TRUTHS[is_null],
        default=True,
        required=True,
        key="truth",
        bind="query-params",
        label_visibility="collapsed",
    )
    return {"is_null": bool(truth)}


def _predict(visit: session.Visit) -> dict[str, Any]:
    said = learn_queries.predictions(visit)
    at = said.at
    if at is None:
        st.button("Play again", on_click=said.again, icon=":material/replay:")
    elif not said.is_answered:
        st.button("Yes, significant", on_click=said.say, args=(True,), type="primary")
        st.button("No, not significant", on_click=said.say, args=(False,), type="primary")
    else:
        last = at + 1 == said.rounds
        label = "Show the results" if last else "Next round"
        st.button(label, on_click=said.show, args=(at + 1,), type="primary", icon=":material/arrow_forward:")
    if at is not None and said.answers:
        st.button("Results so far", on_click=said.show, args=(None,), type="tertiary")
    elif at is None and len(said.answers) < said.rounds:
        st.button("Back to the rounds", on_click=said.show, args=(len(said.answers),), type="tertiary")
    return {}


SETTINGS = {"tail": _tail, "null": _null, "predict": _predict}
