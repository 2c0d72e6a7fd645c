"""The way through the app: the pages by the steps of a visit; those for data that are not loaded are under More."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from sigboard import catalogue
from sigboard.catalogue import Question
from sigboard.shell import session, tuned
from sigcore import Collection, readers
from sigcore.studies import tasks


def fits(word: str, collection: Collection) -> bool:
    """Whether what is loaded is what the page of that word is for; pages for every test set always fit."""
    if word == "pairwise":
        return bool(collection.preferences or collection.items)
    if word == "tasks":
        return bool(tasks.testsets(collection.edited()))
    if word == "tuning":
        sample = collection.sample and readers.sample_candidates(collection.name) is not None
        return (
            bool(sample or tuned.lists_of(collection)) or tuned.OWN in st.session_state or tuned.LAB in st.session_state
        )
    return True


def sections() -> dict[str, list[Question]]:
    """The questions under the headings of the navigation; headings without any are left out."""
    collection = session.expected()
    out: dict[str, list[Question]] = {name: [] for name in catalogue.SECTIONS}
    for question in catalogue.QUESTIONS:
        here = not question.needs or (collection is not None and fits(question.word, collection))
        out[question.section if here else catalogue.MORE].append(question)
    return {name: questions for name, questions in out.items() if questions}


def listed(pages: Mapping[str, st.Page]) -> dict[str, list[st.Page]]:
    """These pages (by word) under their headings, as Streamlit's navigation takes them."""
    return {name: [pages[question.word] for question in questions] for name, questions in sections().items()}
