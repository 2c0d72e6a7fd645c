"""Is A really better than B? The verdict, the nulls of all tests on one axis, and all tests on all sides."""

import streamlit as st

from sigboard.figures import compare as figure
from sigboard.ui import captions, downloads, memory, page, pair_picker, queries, tried
from sigboard.ui.pages import compare as parts

with page.question("compare") as visit:
    now = queries.chosen()
    captions.context(visit)
    queries.ready(visit)
    pair_picker.offer(captions.systems(visit))
    pair_picker.suggest(lambda: queries.best_first(visit))
    system, baseline = pair_picker.pair(horizontal=True)
    source = parts.choose_family(visit)
    result = parts.result(visit, system, baseline, source)
    family = parts.family(visit, result, source)
    captions.compare_cards(result, now, family.of)
    parts.verdict(result, now, family)
    tried.line(visit, now)
    captions.notes(result.notes)

    st.plotly_chart(
        memory.once(figure.nulls, result, now.settings.side, page.theme()),
        key="sigboard.nulls",
        theme=None,
        alt=figure.alt_text(result, now.settings.side),
        config=pair_picker.CHART,
    )
    captions.compare_caption(result)
    rows = parts.table(result, now, family)
    name = downloads.file_name("sigboard", visit.collection.name, "compare", system, baseline, now.metric)
    with st.container(horizontal=True):
        downloads.csv("Tests (CSV)", rows, name)
        downloads.csv("Histograms (CSV)", lambda: downloads.histogram_rows(result), f"{name}_nulls")
        downloads.as_json("Everything (JSON)", lambda: parts.content(result, now, family), name)
    parts.methods(result, now, family)
