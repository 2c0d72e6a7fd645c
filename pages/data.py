"""What have I loaded, and is it sound? The drop zone, the table of files, and everything that is wrong with them."""

import streamlit as st

from sigboard.ui import page
from sigboard.ui.pages import data as files

with page.question("data", "What have I loaded, and is it sound?") as visit:
    files.status(visit)
    left, right = st.columns([3, 2], gap="large")
    with left:
        files.drop_zone(visit)
    with right:
        files.samples(visit)
        files.name(visit)
        files.known(visit)
    files.problems(visit)
    files.table(visit)
    files.judgments(visit)
    files.taken(visit)
    files.findings(visit)
    files.preview(visit)
    files.headings()
