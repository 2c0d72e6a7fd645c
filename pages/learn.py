"""How does each test decide? Eight lessons: the text, and beside it a figure that moves."""

import streamlit as st

from sigboard.figures import learn as figure
from sigboard.figures import style
from sigboard.figures.style import finished
from sigboard.ui import captions, inputs, memory, page, present
from sigboard.ui.pages import learn as part
from sigboard.ui.pages import learn_settings

with page.question("learn") as visit:
    presenting = present.active()
    if not presenting:
        captions.context(visit)
    inputs.ready(visit)
    lesson, pair = part.choose(visit)
    text, beside = (st.container(), st.container()) if presenting else part.columns(lesson)
    with beside:
        keys = (
            (present.FIGURE, present.STEPS)
            if presenting or not part.has_settings(lesson)
            else (present.STEPS, present.FIGURE)
        )
        places = {key: st.container(key=key) for key in keys}
        chart, steps = places[present.FIGURE], places[present.STEPS]
        with steps, st.container(horizontal=True, vertical_alignment="center"):
            asked = learn_settings.of(lesson.word, visit)
            present.button()
        with chart:
            numbers = part.numbers(visit, lesson, pair, asked)
            drawn = memory.once(finished, figure.draw, lesson.word, numbers, page.theme(), page.phone())
            page.chart(
                style.enlarged(drawn, part.FACTOR, present.HEIGHT) if presenting else drawn,
                key=f"sigboard.lesson.{lesson.word}",
                height="stretch" if presenting else "content",
                alt=figure.alt(lesson.word, numbers),
                bar=False,
            )
        if presenting:
            st.stop()
        part.facts(lesson, numbers)
    with text:
        part.text(lesson)
    part.questions(lesson)
    part.words(lesson)
    part.save(visit, lesson, numbers)
    part.others(lesson)
