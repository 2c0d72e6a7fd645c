"""The way through the app in the sidebar: the pages by the steps of a visit, those for other data folded away."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from sigboard import catalogue
from sigboard.catalogue import Question
from sigboard.shell import settings, tuned
from sigcore import Collection, readers

MORE = "Pages for other data. Each says what it needs."


def fits(word: str, collection: Collection) -> bool:
    """Whether what is loaded is what the page of that word is for."""
    sample = collection.sample and readers.sample_candidates(collection.name) is not None
    return {
        "pairwise": bool(collection.preferences),
        "tasks": "scores" in collection.choices.kinds,
        "tuning": sample or tuned.OWN in st.session_state,
    }.get(word, True)


def sections(collection: Collection, asked: str) -> tuple[dict[str, list[Question]], list[Question]]:
    """The questions of each section of the navigation, and those that are folded; the page that is open never is."""
    shown: dict[str, list[Question]] = {name: [] for name in catalogue.SECTIONS}
    folded = []
    for question in catalogue.QUESTIONS:
        if question.word == asked or not question.needs or fits(question.word, collection):
            shown[question.section].append(question)
        else:
            folded.append(question)
    return shown, folded


def draw(collection: Collection, pages: Mapping[str, st.Page], asked: str) -> None:
    """The navigation, which a press of a key or a click can use as any list of links."""
    shown, folded = sections(collection, asked)
    with st.sidebar, st.container(key="journey", gap=None):
        for name, questions in shown.items():
            if not questions and not (folded and name == "For these data"):
                continue
            with st.container(horizontal=True, gap=None, vertical_alignment="center"):
                st.markdown(f":small[:gray[{name}]]", width="content")
                for question in questions:
                    st.page_link(pages[question.word], label=question.title, width="content")
                if folded and name == "For these data":
                    _more(folded, pages)
                if name == "Help":
                    settings.glossary()


def _more(folded: list[Question], pages: Mapping[str, st.Page]) -> None:
    """The pages for data that are not loaded, each with what it needs."""
    with st.popover("More", type="tertiary", help=MORE, key="journey.more"):
        for question in folded:
            st.page_link(pages[question.word], label=question.title, icon=question.icon)
            st.caption(f"{question.question} Needs {question.needs}.")
