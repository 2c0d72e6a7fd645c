"""What have I loaded, and is it sound? The drop zone, the table of files, and what is wrong with them."""

import streamlit as st

from sigboard.ui import page
from sigboard.ui.pages import data as files
from sigboard.ui.pages import data_files as listed
from sigboard.ui.pages import data_load as load
from sigboard.ui.pages import kept

with page.question("data") as visit:
    files.status(visit.collection)
    left, right = st.columns([3, 2], gap="large")
    with left:
        load.drop_zone(visit.collection)
    with right:
        load.samples(visit.collection)
        load.name(visit.collection)
        load.known(visit.collection)
    kept.analyses()
    load.problems(visit.collection)
    listed.files(visit.collection)
    files.judgments(visit.collection)
    files.preferences(visit.collection)
    files.detected(visit.collection)
    files.findings(visit.collection)
    files.preview(visit.collection)
    files.headings()
