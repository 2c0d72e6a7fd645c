"""Which system is preferred? Wins, ties and losses of all pairs, the sign test, and a ranking of judged systems."""

import streamlit as st

from sigboard.figures import pairwise as figure
from sigboard.figures.style import finished
from sigboard.ui import captions, memory, page
from sigboard.ui.pages import pairwise as part

with page.question("pairwise") as visit:
    captions.context(visit)
    result = part.result(visit)
    theme, phone, noun = page.theme(), page.phone(), result.run.battles.noun
    captions.sentence(part.summary(result))
    part.source(result)

    pairs, *ranking, tables = st.tabs(part.tabs(result), key="sigboard.pairwise", on_change="rerun")
    if pairs.open:
        with pairs:
            page.chart(
                memory.once(finished, figure.outcomes, result.pairs, noun, result.alpha, theme, compact=phone),
                key="sigboard.pairwise.pairs",
                alt=figure.outcomes_alt(result.pairs, result.alpha),
            )
            part.pairs_caption(result)
    for tab in ranking:
        if tab.open:
            with tab:
                page.chart(
                    memory.once(finished, figure.ranking, result, theme, compact=phone),
                    key="sigboard.pairwise.ranking",
                    alt=figure.ranking_alt(result),
                )
                part.ranking_caption(result)
    if tables.open:
        with tables:
            part.tables(result)
    part.save(result, visit)
