"""Do the metrics and tests agree with people? People's grids, the metrics' beside them, and the accuracy table."""

import streamlit as st

from figures import human as figure
from ui import ask, downloads, frame, people, pick, ratings, words

with frame.page("human", "Do the metrics and tests agree with people?") as visit:
    now = ask.chosen()
    words.context(visit)
    asked = ratings.asked(visit)
    judged = ask.people(asked)
    people.cards(judged, now.alpha)
    head = st.container()

    st.subheader("What people say", anchor=False)
    places = [*range(len(judged.dimensions)), *([None] if len(judged.dimensions) > 1 else [])]
    for start in range(0, len(places), people.GRIDS):
        columns = st.columns(people.GRIDS) if len(places) > 1 else st.columns([1, 2])
        for column, place in zip(columns, places[start : start + people.GRIDS], strict=False):
            with column:
                st.plotly_chart(
                    figure.grid(judged, now.alpha, place, frame.theme()),
                    key=f"sigboard.people.{place}",
                    theme=None,
                    alt=figure.grid_alt(judged, now.alpha, place),
                    config=pick.CHART,
                )
    if len(places) == 1:
        with columns[1]:
            people.system_table(judged)
    people.grids_caption(judged, now.alpha)
    words.notes([*asked.matched.notes, *judged.notes])

    st.subheader("What the metrics say", anchor=False)
    if not people.against_something(visit, asked, judged):
        people.system_table(judged)
        st.stop()
    result = ask.human_result(visit, asked, judged)
    with head:
        people.verdict(result, now.alpha)
    people.accuracy(result)
    for start in range(0, len(result.tests), people.GRIDS):
        tests = list(result.tests)[start : start + people.GRIDS]
        for column, test in zip(st.columns(people.GRIDS), tests, strict=False):
            with column:
                st.plotly_chart(
                    figure.metrics(result, test, now.alpha, frame.theme()),
                    key=f"sigboard.metrics.{test}",
                    theme=None,
                    alt=figure.metrics_alt(result, test, now.alpha),
                    config=pick.CHART,
                )
    people.metrics_caption()
    people.own_notes(result, asked, judged)
    people.tables(result, now.alpha)
    people.hand_out(result, now.alpha, downloads.file_name("sigboard", visit.name, "human"))
