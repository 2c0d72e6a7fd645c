"""Will it hold elsewhere? Signs on other domains, the calibration on drawn test sets, and replicability."""

import streamlit as st

from sigboard.figures import domains as figure
from sigboard.figures import domains_curves as curves_figure
from sigboard.figures.style import finished
from sigboard.ui import captions, inputs, memory, page, plans, queries
from sigboard.ui.pages import domains as part

with page.question("domains") as visit:
    now = queries.chosen()
    captions.context(visit)
    inputs.ready(visit)
    head = st.container()
    plan = part.plan(visit, now)
    result = plans.over_domains(visit, plan)
    with head:
        part.head(result)
    theme, phone = page.theme(), page.phone()
    names = ["Other domains", "Drawn test sets", "Thresholds", "Replicability"]
    others, drawn, curves, counts = st.tabs(names, key="sigboard.elsewhere", on_change="rerun")
    if others.open:
        with others:
            for mixed, held in enumerate(filter(None, (result.real, result.mixed))):
                if mixed:
                    st.subheader("Mixtures (synthetic systems)", anchor=False)
                page.chart(
                    memory.once(finished, figure.signs, result, bool(mixed), theme, phone),
                    key=f"sigboard.signs.{mixed}",
                    alt=figure.signs_alt(result, bool(mixed)),
                )
                part.signs(result, held)
    if drawn.open:
        with drawn:
            page.chart(
                memory.once(finished, figure.calibration, result, theme, phone),
                key="sigboard.calibration",
                alt=figure.calibration_alt(result),
            )
            part.calibration_caption(result)
            for held in filter(None, (result.real, result.mixed)):
                part.calibration(held)
    if curves.open:
        with curves:
            page.chart(
                memory.once(finished, curves_figure.curves, result, now.alpha, theme, phone),
                key="sigboard.curves",
                alt=curves_figure.curves_alt(result),
            )
            part.by_domain(result)
    if counts.open:
        with counts:
            part.replicability(result)
    captions.notes(result.notes)
    part.save(visit, result, now)
