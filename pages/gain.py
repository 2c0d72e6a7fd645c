"""How large a gain is usually real? Confidence against gain for all pairs, coloured by pair class."""

import streamlit as st

from figures import gain as figure
from ui import ask, downloads, frame, pick, words

with frame.page("gain", "How large a gain is usually real?") as visit:
    now = ask.chosen()
    words.context(visit)
    ask.ready(visit)
    result = ask.gain_result(visit)
    pick.offer(words.systems(visit))
    words.gain_cards(result, now.alpha)
    chart, side = st.columns([3, 1], gap="medium")
    with chart:
        st.plotly_chart(
            figure.scatter(result, now.alpha, frame.theme()),
            key="sigboard.gain",
            theme=None,
            on_select=pick.clicked_names(lambda points: figure.clicked(points, result), "sigboard.gain"),
            selection_mode="points",
            alt=figure.alt_text(result, now.alpha),
            config=pick.CHART,
        )
        words.gain_caption(result)
    with side:
        st.markdown("**Groups**")
        pick.groups(visit)

    rows = downloads.tables.gain_rows(result)
    st.subheader("All pairs", anchor=False)
    downloads.table(rows, result.decimals)
    name = downloads.file_name("sigboard", visit.name, "gain", now.metric, now.test)
    with st.container(horizontal=True):
        downloads.csv("All pairs (CSV)", rows, name)
        downloads.as_json(
            "Everything (JSON)", {"pairs": [dict(row) for row in rows], "signature": result.signature}, name
        )
