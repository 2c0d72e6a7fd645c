"""Which of my systems differ? The coloured grid of all pairs, its table twin, and the way to compare."""

import streamlit as st

from figures import matrix as figure
from ui import ask, downloads, frame, pick, words

with frame.page("matrix", "Which of my systems differ?") as visit:
    now = ask.chosen()
    words.context(visit)
    ask.ready(visit)
    result = ask.matrix_result(visit)
    pick.offer([result.systems[i] for i in result.order])
    words.matrix_cards(result, now.alpha)
    words.sentence(words.matrix_summary(result, now.alpha))

    chart, side = st.columns([7, 2], gap="medium")
    with chart:
        st.plotly_chart(
            figure.grid(result, now.alpha, frame.theme(), compact=frame.phone()),
            key="sigboard.grid",
            theme=None,
            on_select=pick.clicked(figure.clicked, result.systems, "sigboard.grid"),
            selection_mode="points",
            alt=figure.alt_text(result, now.alpha),
            config=pick.CHART,
        )
        words.caption(result)
    with side:
        st.markdown("**Look at one pair**")
        pick.pair()
        pick.go()
        words.notes(result.notes, result, now.alpha)

    grid, pairs, scores = st.tabs(["Grid as a table", "All pairs", "Scores"])
    with grid:
        downloads.table(downloads.tables.grid_rows(result, now.alpha), result.decimals)
    with pairs:
        downloads.table(downloads.tables.matrix_rows(result, now.alpha), result.decimals)
    with scores:
        downloads.table(downloads.tables.scores_rows(result), result.decimals)
    name = downloads.file_name("sigboard", visit.name, "matrix", now.metric, now.test)
    with st.container(horizontal=True):
        downloads.csv("All pairs (CSV)", downloads.tables.matrix_rows(result, now.alpha), name)
        downloads.csv("Grid (CSV)", downloads.tables.grid_rows(result, now.alpha), f"{name}_grid")
        downloads.csv("Scores (CSV)", downloads.tables.scores_rows(result), f"{name}_scores")
        downloads.as_json("Everything (JSON)", downloads.matrix_json([result], result.notes), name)
    words.methods(result)
