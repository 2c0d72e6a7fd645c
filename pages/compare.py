"""Is A really better than B? The null of the chosen test as a large histogram, the other tests as small ones, the verdict."""

from functools import partial

import streamlit as st

from sigboard.figures import compare as figure
from sigboard.figures import compare_runs as runs_figure
from sigboard.figures import style
from sigboard.figures.style import finished
from sigboard.ui import captions, downloads, inputs, memory, page, pair_picker, present, queries, session, tried
from sigboard.ui.pages import compare as parts
from sigboard.ui.pages import run_question, runs


def with_runs(visit: session.Visit, several: runs.Systems, presenting: bool) -> None:
    """Two systems with several runs each; in Present mode the figure alone."""
    now, theme = queries.chosen(), page.theme()
    with st.container(key=present.HIDDEN):
        pair_picker.offer(list(several))
        names = pair_picker.pair(horizontal=True)
    if names[0] == names[1]:
        st.info("Choose two different systems.", icon=":material/info:")
        return
    found = runs.result(visit, several)
    both = runs.places(found, *names)
    if not presenting:
        runs.verdict(found, both, now.alpha)
    with st.container(key=present.FIGURE):
        drawn = memory.once(finished, runs_figure.spread, found, both, theme, page.phone())
        page.chart(
            style.enlarged(drawn, present.FACTOR, present.HEIGHT) if presenting else drawn,
            key="sigboard.spread",
            height="stretch" if presenting else "content",
            alt=runs_figure.spread_alt(found, both),
        )
    with st.container(key=present.STEPS, horizontal=True, horizontal_alignment="right"):
        present.button()
    if presenting:
        return
    runs.spread_caption(found)
    runs.systems_table(found, both)
    runs.tests_table(found, both)
    captions.notes(found.grid.notes)
    runs.save(found, downloads.file_name("sigboard", visit.collection.name, "runs", *names, now.metric))


with page.question("compare") as visit:
    now, presenting, theme = queries.chosen(), present.active(), page.theme()
    if not presenting:
        captions.context(visit)
    inputs.ready(visit)
    several = run_question.asked(visit, silent=presenting)
    if several is not None:
        with_runs(visit, several, presenting)
        st.stop()
    pair_picker.offer(captions.systems(visit), queries.best_first(visit))
    system, baseline, source = parts.choose_pair(visit)
    result = parts.result(visit, system, baseline, source)
    family, test = parts.family(visit, result, source), parts.chosen(result, now)
    chart, steps = st.container(key=present.FIGURE), st.container(key=present.STEPS)
    with steps, st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        first = parts.choose_steps(test)
        present.button()
    drawn = memory.once(finished, figure.stage, result, test, theme, first, page.phone())
    with chart:
        page.chart(
            style.enlarged(drawn, present.FACTOR, present.HEIGHT) if presenting else drawn,
            key="sigboard.nulls",
            height="stretch" if presenting else "content",
            alt=figure.alt_text(result, test, first),
        )
    if presenting:
        st.stop()

    parts.verdict(result, now, family)
    parts.stage_caption(result, test)
    for place, other in zip(
        st.columns(max(1, len(parts.others(result, now)))), parts.others(result, now), strict=False
    ):
        with place:
            parts.other_test(other)
            page.chart(
                memory.once(finished, figure.small, result, other, theme),
                key=f"sigboard.small.{other.setup.test}",
                on_select=partial(parts.choose_test, other.setup.test),
                selection_mode="points",
                alt=figure.alt_text(result, other),
                bar=False,
            )
    tried.line(visit, now)
    parts.mcnemar(visit, system, baseline)
    captions.notes(result.notes)
    rows = parts.table(result, now, family)
    name = downloads.file_name("sigboard", visit.collection.name, "compare", system, baseline, now.metric)
    with st.container(horizontal=True):
        downloads.csv("Tests (CSV)", rows, name)
        downloads.csv("Histograms (CSV)", lambda: downloads.histogram_rows(result), f"{name}_nulls")
        said = downloads.warned(visit.collection, result.notes)
        downloads.as_json("Everything (JSON)", lambda: parts.content(result, now, family, said), name)
    parts.methods(result, now, family)
