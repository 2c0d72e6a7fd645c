"""How large a gain is usually real? Confidence against gain for all pairs, coloured by pair class where groups are given."""

import streamlit as st

from sigboard.figures import gain as figure
from sigboard.ui import captions, downloads, memory, page, pair_picker, queries, tried
from sigboard.ui.pages import gain as part

with page.question("gain") as visit:
    now = queries.chosen()
    captions.context(visit)
    queries.ready(visit)
    result = queries.gain_result(visit)
    pair_picker.offer(captions.systems(visit))
    captions.gain_cards(result, now.alpha)
    captions.sentence(captions.gain_summary(result, now.alpha))
    tried.look(visit, now)
    chart, side = st.columns([3, 1], gap="medium")
    with chart:
        st.plotly_chart(
            memory.once(figure.scatter, result, now.alpha, page.theme()),
            key="sigboard.gain",
            theme=None,
            on_select=pair_picker.clicked_names(lambda points: figure.clicked(points, result), "sigboard.gain"),
            selection_mode="points",
            alt=figure.alt_text(result, now.alpha),
            config=pair_picker.CHART,
        )
        captions.gain_caption(result)
    with side:
        st.markdown("**Groups**")
        part.groups(visit)

    rows = downloads.tables.gain_rows(result)
    st.subheader("All pairs", anchor=False)
    downloads.table(rows, result.setup)
    name = downloads.file_name("sigboard", visit.collection.name, "gain", now.metric, now.test)
    with st.container(horizontal=True):
        downloads.csv("All pairs (CSV)", rows, name)
        downloads.as_json(
            "Everything (JSON)", {"pairs": [dict(row) for row in rows], "signature": result.setup.signature}, name
        )
