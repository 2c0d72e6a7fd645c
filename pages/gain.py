"""How large a gain is usually real? Confidence against gain for all pairs, thresholds of their classes, and mixtures."""

import streamlit as st

from sigboard.figures import gain as figure
from sigboard.figures import gain_classes
from sigboard.figures.style import finished
from sigboard.ui import captions, downloads, inputs, memory, page, pair_picker, plans, queries, tried
from sigboard.ui.pages import gain as part

with page.question("gain") as visit:
    now = queries.chosen()
    captions.context(visit)
    inputs.ready(visit)
    grid, result = queries.gain_grid(visit), plans.points(visit)
    pair_picker.offer(captions.systems(visit))
    head = st.container()
    tried.look(visit, now)
    shown = part.controls(visit, result, figure.SCALES, figure.reach(result, now.alpha) is not None)
    scatter = memory.once(part.read, result, shown.mixed, tuple(grid.notes), now.alpha)
    with head:
        part.head(scatter, now.alpha)
    page.chart(
        memory.once(
            finished,
            gain_classes.drawn,
            result,
            now.alpha,
            page.theme(),
            shown.scale,
            shown.whole,
            page.phone(),
            shown.mixed,
            scatter.thresholds,
            shown.over,
            shown.named,
        ),
        key="sigboard.gain",
        on_select=pair_picker.clicked_names(lambda points: figure.clicked(points, result), "sigboard.gain"),
        selection_mode="points",
        alt=figure.alt_text(result, now.alpha),
    )
    captions.gain_caption(result, figure.border_words(result, now.alpha))
    part.thresholds(scatter, shown)
    mine = part.my_gain(result, now.alpha)
    with st.expander("Groups of systems: a colour for each class of pairs", icon=":material/palette:"):
        part.groups(visit)

    rows = downloads.tables.gain_rows(result)
    st.subheader("All pairs", anchor=False)
    downloads.table(rows, result.setup)
    part.save(visit, scatter, mine, now)
