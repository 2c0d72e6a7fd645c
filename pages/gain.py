"""How large a gain is usually real? Confidence against gain for all pairs, coloured by pair class where groups are given."""

import streamlit as st

from sigboard.figures import gain as figure
from sigboard.ui import captions, downloads, inputs, memory, page, pair_picker, queries, tried
from sigboard.ui.pages import gain as part

with page.question("gain") as visit:
    now = queries.chosen()
    captions.context(visit)
    inputs.ready(visit)
    result = queries.gain_result(visit)
    pair_picker.offer(captions.systems(visit))
    captions.sentence(captions.gain_summary(result, now.alpha))
    tried.look(visit, now)
    scale, whole = part.axes(figure.SCALES, figure.reach(result, now.alpha) is not None)
    st.plotly_chart(
        memory.once(figure.scatter, result, now.alpha, page.theme(), scale, whole, page.phone()),
        key="sigboard.gain",
        theme=None,
        on_select=pair_picker.clicked_names(lambda points: figure.clicked(points, result), "sigboard.gain"),
        selection_mode="points",
        alt=figure.alt_text(result, now.alpha),
        config=pair_picker.CHART,
    )
    captions.gain_caption(result, figure.border_words(result, now.alpha))
    with st.expander("Groups of systems: a colour for each class of pairs", icon=":material/palette:"):
        part.groups(visit)

    rows = downloads.tables.gain_rows(result)
    st.subheader("All pairs", anchor=False)
    downloads.table(rows, result.setup)
    name = downloads.file_name("sigboard", visit.collection.name, "gain", now.metric, now.test)
    with st.container(horizontal=True):
        downloads.csv("All pairs (CSV)", rows, name)
        content = {"pairs": [dict(row) for row in rows], "signature": result.setup.signature}
        said = downloads.warned(visit.collection, queries.uncorrected(visit).notes)
        downloads.as_json("Everything (JSON)", {**content, "warnings": said}, name)
