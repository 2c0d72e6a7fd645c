"""Is A really better than B? The verdict, the nulls of all tests on one axis, and every test on every side."""

import streamlit as st

from figures import compare as figure
from ui import ask, downloads, frame, pick, words

with frame.page("compare", "Is one really better than the other?") as visit:
    now = ask.chosen()
    words.context(visit)
    ask.ready(visit)
    pick.offer(words.systems(visit))
    pick.suggest(lambda: ask.best_first(visit))
    system, baseline = pick.pair(horizontal=True)
    result = ask.compare_result(visit, system, baseline)
    words.compare_cards(result, now)
    words.sentence(words.verdict(result, now))
    words.notes(result.notes)

    st.plotly_chart(
        figure.nulls(result, now.settings.alternative, frame.theme()),
        key="sigboard.nulls",
        theme=None,
        alt=figure.alt_text(result, now.settings.alternative),
        config=pick.CHART,
    )
    words.compare_caption(result)
    st.subheader("Every test, every side", anchor=False)
    rows = downloads.tables.compare_rows(result, now.alpha)
    downloads.table(rows, result.decimals)
    name = downloads.file_name("sigboard", visit.name, "compare", system, baseline, now.metric)
    with st.container(horizontal=True):
        downloads.csv("Tests (CSV)", rows, name)
        downloads.csv("Nulls in bins (CSV)", downloads.histogram_rows(result), f"{name}_nulls")
        downloads.as_json(
            "Everything (JSON)", downloads.compare_json([result], result.notes, now.settings.alternative), name
        )
    words.methods(result.result(now.test, now.settings.alternative))
