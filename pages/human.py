"""Do the metrics and tests agree with people? Grids of people and of metrics, and the accuracy table."""

import streamlit as st

from sigboard.figures import human as figure
from sigboard.figures.style import finished
from sigboard.ui import captions, downloads, memory, page, queries
from sigboard.ui.pages import human as people
from sigboard.ui.pages import human_differ, human_ratings

with page.question("human") as visit:
    now = queries.chosen()
    captions.context(visit)
    asked = human_ratings.asked(visit)
    judged = queries.people(asked)
    people.cards(judged, now.alpha)
    head = st.container()

    st.header("Conclusions of people", anchor=False)
    places = [*range(len(judged.dimensions)), *([None] if len(judged.dimensions) > 1 else [])]
    for start in range(0, len(places), people.GRIDS):
        columns = st.columns(people.GRIDS) if len(places) > 1 else st.columns([1, 2])
        for column, place in zip(columns, places[start : start + people.GRIDS], strict=False):
            with column:
                page.chart(
                    memory.once(finished, figure.grid, judged, now.alpha, place, page.theme()),
                    key=f"sigboard.people.{place}",
                    alt=figure.grid_alt(judged, now.alpha, place),
                )
    if len(places) == 1:
        with columns[1]:
            people.system_table(judged)
    people.grids_caption(judged, now.alpha)
    captions.notes([*asked.matched.notes, *judged.notes])

    st.header("Conclusions of metrics", anchor=False)
    if not people.can_compare(visit, asked, judged):
        people.system_table(judged)
        st.stop()
    result = queries.human_result(visit, asked, judged)
    with head:
        people.verdict(result, now.alpha)
    people.accuracy(result)
    for start in range(0, len(result.tests), people.GRIDS):
        tests = list(result.tests)[start : start + people.GRIDS]
        for column, test in zip(st.columns(people.GRIDS), tests, strict=False):
            with column:
                page.chart(
                    memory.once(finished, figure.metrics, result, test, now.alpha, page.theme()),
                    key=f"sigboard.metrics.{test}",
                    alt=figure.metrics_alt(result, test, now.alpha),
                )
    people.metrics_caption()
    human_differ.metrics(result, now.alpha)
    people.metric_notes(result, asked, judged)
    people.tables(result, now.alpha)
    name = downloads.file_name("sigboard", visit.collection.name, "human")
    people.download_buttons(result, now.alpha, name, downloads.warned(visit.collection))
