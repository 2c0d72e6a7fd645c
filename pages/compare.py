"""Is A really better than B? The verdict, the nulls of all tests on one axis, and all tests on all sides."""

import streamlit as st

from sigboard.figures import compare as figure
from sigboard.ui import captions, downloads, page, pair_picker, queries

with page.question("compare") as visit:
    now = queries.chosen()
    captions.context(visit)
    queries.ready(visit)
    pair_picker.offer(captions.systems(visit))
    pair_picker.suggest(lambda: queries.best_first(visit))
    system, baseline = pair_picker.pair(horizontal=True)
    result = queries.compare_result(visit, system, baseline)
    captions.compare_cards(result, now)
    captions.sentence(captions.verdict(result, now))
    captions.notes(result.notes)

    st.plotly_chart(
        figure.nulls(result, now.settings.side, page.theme()),
        key="sigboard.nulls",
        theme=None,
        alt=figure.alt_text(result, now.settings.side),
        config=pair_picker.CHART,
    )
    captions.compare_caption(result)
    st.subheader("All tests, two-sided and one-sided", anchor=False)
    rows = downloads.tables.compare_rows(result, now.alpha)
    downloads.table(rows, result.setup)
    name = downloads.file_name("sigboard", visit.collection.name, "compare", system, baseline, now.metric)
    with st.container(horizontal=True):
        downloads.csv("Tests (CSV)", rows, name)
        downloads.csv("Histograms (CSV)", downloads.histogram_rows(result), f"{name}_nulls")
        downloads.as_json("Everything (JSON)", downloads.compare_json([result], result.notes, now.settings.side), name)
    captions.methods(result.result(now.test, now.settings.side), now.alpha)
