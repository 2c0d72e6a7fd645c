"""What do I hand in? The check before submission, the sentences for the paper, and one file with everything."""

import streamlit as st

from sigboard.ui import captions, downloads, inputs, page, queries
from sigboard.ui.pages import kept
from sigboard.ui.pages import report as part

with page.question("report") as visit:
    now = queries.chosen()
    captions.context(visit)
    inputs.ready(visit)
    run = queries.matrix_run(visit, whole=True)
    result = queries.matrix_read(run)
    name = downloads.file_name("sigboard", visit.collection.name, "report", now.metric, now.test)
    report = part.made(visit, result, now, name)
    captions.sentence(captions.matrix_summary(result, now.alpha))
    part.summary(report.checks)
    check, words, table = st.tabs(["Check", "Sentences", "Scores"], key="sigboard.report", on_change="rerun")
    if check.open:
        with check:
            part.checks(report.checks)
    if words.open:
        with words:
            part.sentences(report)
    if table.open:
        with table:
            part.baseline([result.systems[i] for i in result.order])
            part.scores(report)
    st.subheader("Files", anchor=False)
    part.files(visit, run, report, name)
    kept.share("report")
