"""The parts of the human page on differences between metrics: a sentence, the pairs of metrics, the tests of the paper."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from sigboard.reports import human as reports_human
from sigboard.reports import human_differ, human_words
from sigboard.ui import captions, downloads, page
from sigcore.studies import human

LABELS = {
    "chi_square": "chi-square",
    "chi_square_p": "p of chi-square",
    "cochran_q": "Cochran's Q",
    "cochran_q_p": "p of Cochran's Q",
    "smallest_mcnemar_p": "smallest McNemar p",
    "of": "for",
}


def metrics(result: human.HumanResult, alpha: float) -> None:
    """Whether the metrics differ: in their conclusions, and in their scores of systems."""
    st.subheader("Do the metrics differ?", anchor=False)
    best = human_words.top(result, alpha)
    test = best.test if best else ""
    rows = human_differ.shown_rows(result, test, alpha)
    if rows:  # of several metrics with conclusions
        captions.sentence(human_words.differences(result, test, alpha))
        downloads.table(rows)
        st.caption(
            f"Accuracy of conclusions under {page.literal(result.tests[test])} at alpha {alpha:g}: first metric − second, in "
            f"percentage points. Adjusted: Holm over {len(rows)} pairs of metrics. The CSV has every test and alpha."
        )
    if result.system_level:
        _scores(result)
    _paper(result)


def _scores(result: human.HumanResult) -> None:
    """Pairwise accuracy and correlations of system scores."""
    first = result.system_level[0]
    title = "System scores compared with those of people: pairwise accuracy, Kendall, Pearson"
    whole = st.expander(title, key="sigboard.human.scores", on_change="rerun")
    if not whole.open:
        return
    with whole:
        sentence = human_differ.about_scores(result)
        if sentence:
            st.markdown(page.literal(sentence))
        downloads.table(human_differ.system_level_rows(result), **_decimals(human_differ.system_level_rows(result)))
        st.caption(
            f"On {first.pairs} pairs of {first.systems} systems. Pairwise accuracy: the share of pairs in the same order "
            "as by the scores of people. With calibrated ties: two systems are equal for the metric if their scores differ by "
            "at most epsilon, chosen for the best agreement with the conclusions of people at that alpha."
        )
        rows = human_differ.shown_score_rows(result)
        if rows:
            downloads.table(rows)


def _decimals(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """One decimal for accuracies, three for the others."""
    names = [name for name in rows[0] if name != "metric"]
    accuracies = {name for name in names if "accuracy" in name or name.startswith("with")}
    return {
        name: st.column_config.NumberColumn(name, format="%.1f" if name in accuracies else "%.3f") for name in names
    }


def _paper(result: human.HumanResult) -> None:
    """The exact intervals, chi-square, Cochran's Q and McNemar's test, as in the paper."""
    title = "As in the paper: exact intervals, chi-square, Cochran's Q, McNemar"
    whole = st.expander(title, key="sigboard.human.paper", on_change="rerun")
    if not whole.open:
        return
    with whole:
        st.caption(human_differ.why_too_narrow())
        rows = [
            {
                "alpha": f"{cell.alpha:g}",
                "metric": cell.metric_title,
                "test": cell.test_title,
                "correct": f"{cell.correct} of {cell.pairs}",
                "percent": f"{cell.percent:.1f}",
                "exact 95 % interval (too narrow)": human_differ.interval(cell.low, cell.high),
            }
            for cell in result.accuracies
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")
        differences = reports_human.difference_rows(result)
        if differences:
            p_values = ("chi_square_p", "cochran_q_p", "smallest_mcnemar_p")
            shown = [row | {name: human_differ.shown_p(row[name]) for name in p_values} for row in differences]
            headings: dict[str, Any] = {name: st.column_config.Column(label) for name, label in LABELS.items()}
            for name in ("chi_square", "cochran_q"):
                headings[name] = st.column_config.NumberColumn(LABELS[name], format="%.3f")
            downloads.table(shown, alpha=st.column_config.NumberColumn("alpha", format="%g"), **headings)
            st.caption("None: the columns do not differ on any pair, so the statistic would be 0 / 0.")
