"""What stands beside the conclusions: those without each judge, and the texts of a pair on which a metric and people disagree."""

from __future__ import annotations

import streamlit as st

from sigboard.questions.human import report
from sigboard.server import cache
from sigboard.shell import downloads, page, pair, queries
from sigcore.studies import human

MOST_JUDGES = 100  # who are left out one after the other


def each_judge(asked: queries.HumanAsked, alpha: float) -> None:
    """People's conclusions without each of the judges with the most ratings."""
    how = (asked.standard, asked.dimensions, asked.control)
    found = cache.once(human.without_each, asked.judgments, alpha, *how, MOST_JUDGES)
    st.markdown(page.literal(human.on_one_judge(found, alpha)))
    if found:
        downloads.records(human.fields.WITHOUT_JUDGE, found)
        page.caption(
            f"At most {MOST_JUDGES} judges, those with the most ratings. Changed: pairs decided otherwise without them."
        )


def disagreements(result: human.HumanResult, alpha: float) -> None:
    """A box of the pairs on which a metric and people disagree, and a button that opens their texts."""
    pairs = report.disagreements(result, alpha)
    if not pairs:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = {f"{a} against {b} ({why})": (a, b) for a, b, why in pairs}
        chosen = st.selectbox("texts of a disagreement", names, key="sigboard.human.texts", width=420)
        pair.show_segments(*names[str(chosen)], "sigboard.human.segments")
