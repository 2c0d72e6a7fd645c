"""How many segments do I need? Detectable gains, and thresholds against the size of the test set."""

import streamlit as st

from sigboard.figures import size as figure
from sigboard.figures.style import finished
from sigboard.ui import captions, inputs, memory, page, plans, queries
from sigboard.ui.pages import size as part
from sigboard.ui.pages import size_checked as more

with page.question("size") as visit:
    now = queries.chosen()
    captions.context(visit)
    inputs.ready(visit)
    head, waiting = st.container(), st.container()
    wanted, thresholds = st.tabs(["What can be found", "Thresholds by size"], key="sigboard.sizes", on_change="rerun")
    with thresholds:
        plan = part.plan(visit)
    with waiting:
        run = plans.sizes(visit, plan)
    with wanted:
        own = part.planned(visit, run, now)
    with head:
        part.sentence(own)
    checked = more.NOTHING
    if wanted.open:
        with wanted:
            page.chart(
                memory.once(
                    finished,
                    figure.detectable,
                    own.result,
                    own.pair,
                    own.power,
                    own.n,
                    own.gain,
                    own.needed,
                    page.theme(),
                    page.phone(),
                ),
                key="sigboard.detectable",
                alt=figure.detectable_alt(own.result, own.pair, own.power, own.n),
            )
            part.design(own)
            part.detectable(own)
            checked = more.check(visit, run, own, now)
    if thresholds.open:
        with thresholds:
            page.chart(
                memory.once(finished, figure.curve, own.result, page.theme(), page.phone()),
                key="sigboard.curve",
                alt=figure.curve_alt(own.result),
            )
            part.curve(own)
    part.hindsight()
    part.notes(own.result.notes)
    part.save(visit, own, now, checked)
