"""Which system is better on several tasks? The gain of a pair on each task and on average, and all scores."""

import streamlit as st

from sigboard.figures import tasks as figure
from sigboard.ui import captions, page
from sigboard.ui.pages import tasks as part

with page.question("tasks") as visit:
    captions.context(visit)
    result = part.result(visit)
    captions.sentence(part.summary(result))
    part.source(result)

    one, tables = st.tabs(["One pair", "Tables"], key="sigboard.tasks", on_change="rerun")
    with one:
        gains = part.pair(result)
        if one.open:
            level = 1 - result.alpha
            page.chart(
                figure.gains(gains, result.run.resamples, level, page.theme(), compact=page.phone()),
                key="sigboard.tasks.gains",
                alt=figure.gains_alt(gains),
            )
            part.caption()
    if tables.open:
        with tables:
            part.tables(result)
    part.save(result, visit)
