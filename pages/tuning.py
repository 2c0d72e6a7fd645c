"""Did tuning help? Methods by replicates on k-best lists or combined systems, tested on held-out segments."""

import streamlit as st

from sigboard.figures import tuning as figure
from sigboard.figures import tuning_course as course
from sigboard.figures import tuning_sweep as sweeps
from sigboard.figures.style import finished
from sigboard.ui import captions, downloads, memory, page, queries, tuning_queries
from sigboard.ui.pages import tuning as part
from sigboard.ui.pages import tuning_results as parts

with page.question("tuning") as visit:
    now, theme, phone = queries.chosen(), page.theme(), page.phone()
    asked = part.asked(visit)
    result = tuning_queries.result(asked)
    if isinstance(result, tuning_queries.Courses):
        page.chart(
            course.live(result.steps, asked.metric, asked.better, theme, phone),
            key="sigboard.tuning.live",
            alt=course.live_alt(result.steps, asked.metric),
        )
        st.stop()
    parts.verdict(result, now.alpha)
    page.chart(
        memory.once(finished, figure.scores, result, theme, phone),
        key="sigboard.tuning.scores",
        alt=figure.scores_alt(result),
    )
    parts.scores_caption(result)

    tests, scores, compared, curve, weights, choices = st.tabs(
        parts.TABS, key="sigboard.tuning.parts", on_change="rerun"
    )
    if tests.open:
        with tests:
            parts.tests(result, now.alpha)
    if scores.open:
        with scores:
            parts.scores(result)
    with compared:
        setting = parts.sweep_box(sweeps.settings(result), sweeps.title)
        if setting is not None and compared.open:
            page.chart(
                memory.once(finished, sweeps.sweep, result, setting, theme, phone),
                key="sigboard.tuning.sweeps",
                alt=sweeps.sweep_alt(result, setting),
            )
            parts.sweep_caption(result, setting)
    with curve:
        method = parts.course_box(result, course.has_course(result))
        if method is not None and curve.open:
            page.chart(
                memory.once(finished, course.course, result, method, theme, phone),
                key="sigboard.tuning.curve",
                alt=course.course_alt(result, method),
            )
            parts.course_caption(result, method, course.has_loss(result, method))
    if weights.open:
        with weights:
            parts.weights(result)
    if choices.open:
        with choices:
            parts.choices(result)
    captions.notes(result.notes)
    parts.save(result, downloads.file_name("sigboard", asked.testset.name, "tuning"))
