"""Which of my systems differ? The coloured grid of all pairs, the same as a table, and a link to compare one pair."""

from functools import partial

import streamlit as st

from sigboard.figures import matrix as figure
from sigboard.figures.matrix_cells import cells
from sigboard.figures.style import finished
from sigboard.ui import captions, downloads, inputs, live, memory, page, pair_picker, queries, tried
from sigboard.ui.pages import landing, run_question, runs
from sigboard.ui.pages import matrix as part

with page.question("matrix", landing.head) as visit:
    now = queries.chosen()
    captions.context(visit)
    inputs.ready(visit)
    several = run_question.asked(visit)
    found = None if several is None else runs.result(visit, several)
    result = queries.matrix_result(visit) if found is None else found.grid
    pair_picker.offer([result.systems[i] for i in result.order])
    part.head(result, now.alpha, details=figure.has_details(result) and not page.phone())
    if found is None:
        tried.line(visit, now)
    look = {"theme": page.theme(), "compact": page.phone()}
    if figure.has_details(result):
        opened = pair_picker.opened(partial(live.cell_of, part.CHART), result.systems)
        live.grid(part.CHART, memory.once(cells, result, now.alpha, **look), opened)
    else:
        page.chart(
            memory.once(finished, figure.grid, result, now.alpha, **look),
            key=part.CHART,
            on_select=pair_picker.clicked(figure.clicked, result.systems, part.CHART),
            selection_mode="points",
            alt=figure.alt_text(result, now.alpha),
        )
    st.markdown(page.literal(part.line(result, now.alpha)))
    captions.caption(result)
    part.compare_a_pair()
    captions.notes(result.notes, result, now.alpha)
    if found is not None:
        runs.systems_table(found, result.order)
        runs.rates()
        runs.save(found, downloads.file_name("sigboard", visit.collection.name, "matrix", "runs", now.metric))
        st.stop()

    grid, pairs, scores = st.tabs(["Grid as a table", "All pairs", "Scores"], key="sigboard.tables", on_change="rerun")
    if grid.open:
        with grid:
            downloads.table(downloads.tables.grid_rows(result, now.alpha), result.setup)
    if pairs.open:
        with pairs:
            downloads.table(downloads.tables.matrix_rows(result, now.alpha), result.setup)
    if scores.open:
        with scores:
            downloads.table(downloads.tables.scores_rows(result), result.setup)
    name = downloads.file_name("sigboard", visit.collection.name, "matrix", now.metric, now.test)
    with st.container(horizontal=True):
        downloads.csv("All pairs (CSV)", lambda: downloads.tables.matrix_rows(result, now.alpha), name)
        downloads.csv("Grid (CSV)", lambda: downloads.tables.grid_rows(result, now.alpha), f"{name}_grid")
        downloads.later("Grid (SVG)", lambda: part.picture(result, now.alpha), f"{name}_grid", "svg")
        downloads.csv("Scores (CSV)", lambda: downloads.tables.scores_rows(result), f"{name}_scores")
        said = downloads.warned(visit.collection, result.notes)
        downloads.as_json("Everything (JSON)", lambda: downloads.matrix_json([result], said), name)
    captions.methods(result, now.alpha)
