"""Parts of the learn page: the lesson and the pair, the text, the numbers, the questions, the terms and the handout."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sigboard import lessons
from sigboard.lessons import Lesson
from sigboard.reports import handout, learn_pictures
from sigboard.reports import learn as reports
from sigboard.ui import captions, controls, downloads, learn_queries, page, pair_picker, present, session
from sigboard.ui.pages import learn_settings

KEY = "lesson"
PAIR = "sigboard.lesson.pair"
TERM = "term-"  # before the slug of a term, the id of its text on the page
WIDE = ("three", "tail", "many")  # lessons whose figures need the whole width
ALL = ("many", "predict")  # lessons on all systems, which show no choice of a pair
FACTOR = 1.6  # how much larger the texts of a figure are in Present mode: they are more than those of other pages


def choose(visit: session.Visit) -> tuple[Lesson, learn_queries.Pair]:
    """The lesson and the pair, chosen in one row, which Present mode hides."""
    pair_picker.offer(captions.systems(visit), () if pair_picker.named() else learn_queries.usual_pair(visit))
    titles = {lesson.word: lesson.label for lesson in lessons.lessons()}
    with st.container(key=present.HIDDEN):
        first, boxes = st.columns([2, 3], gap="medium")
        with first:
            word = controls.choose(KEY, titles, help=None)
        if word in ALL:
            st.html(f"<style>.st-key-{PAIR.replace('.', '-')} {{ display: none; }}</style>")
        # drawn in every lesson: the pair is kept for the next one
        with boxes, st.container(key=PAIR):
            return lessons.get(word), pair_picker.pair(horizontal=True)


def columns(lesson: Lesson) -> tuple[Any, Any]:
    """The places of the text and of the figure: beside it, where it stays on the screen while the text is read, or, if it is
    wide, above it."""
    if lesson.word in WIDE:
        figure, text = st.container(), st.container()
        return text, figure
    st.html("<style>.st-key-sigboard-beside { position: sticky; top: 3.5rem; }</style>")
    text, figure = st.columns([2, 3], gap="medium")
    with figure:
        return text, st.container(key="sigboard.beside")


def has_settings(lesson: Lesson) -> bool:
    """Whether the lesson has its own settings, which are then above its figure."""
    return lesson.word in learn_settings.SETTINGS


def numbers(visit: session.Visit, lesson: Lesson, pair: learn_queries.Pair, asked: dict[str, Any]) -> Any:
    """The numbers of the lesson on the loaded data."""
    return learn_queries.QUERIES[lesson.word](visit, pair, **asked)


def facts(lesson: Lesson, numbers: Any) -> None:
    """The numbers in words."""
    lines = [f"**{what}**: {page.literal(value)}" for what, value in reports.facts(lesson.word, numbers)]
    st.markdown("  \n".join(lines))


def text(lesson: Lesson) -> None:
    """The lesson itself."""
    st.markdown(f"**{lesson.lead}**")
    st.markdown(lessons.linked(lesson.text, TERM))


def questions(lesson: Lesson) -> None:
    """The questions, each with its answer behind a click."""
    st.header("Three questions", anchor=False)
    for question, answer in lesson.questions:
        with st.expander(question, icon=":material/help:"):
            st.markdown(lessons.linked(answer, TERM))


def words(lesson: Lesson) -> None:
    """The terms that the lesson links."""
    st.header("Terms of this lesson", anchor=False)
    st.html("".join(f'<p id="{TERM}{term.slug}"><b>{term.name}</b>: {term.meaning}</p>' for term in lesson.terms))


def save(visit: session.Visit, lesson: Lesson, numbers: Any) -> None:
    """The handout."""
    name = downloads.file_name("sigboard", "lesson", str(lesson.number), lesson.word, visit.collection.name)
    with st.container(horizontal=True):
        downloads.later("Handout to print (HTML)", lambda: _handout(lesson, numbers), name, "html")
        if lesson.word == "predict" and numbers.answers:
            downloads.csv("Results (CSV)", lambda: reports.round_rows(numbers), name)


def _handout(lesson: Lesson, numbers: Any) -> str:
    return handout.html(lesson, reports.facts(lesson.word, numbers), learn_pictures.picture(lesson.word, numbers))


def others(lesson: Lesson) -> None:
    """The next lesson."""
    after = next((one for one in lessons.lessons() if one.number == lesson.number + 1), None)
    if after is not None:
        st.button(f"Next: {after.title}", on_click=_go, args=(after.word,), icon=":material/arrow_forward:")


def _go(word: str) -> None:
    st.session_state[KEY] = word
