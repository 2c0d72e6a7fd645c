"""The parts of the human page: cards, captions of the grids, the accuracy table, further tables, downloads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from sigboard.reports import human as reports_human
from sigboard.reports import human_differ, human_json, human_latex, human_words
from sigboard.ui import captions, downloads, memory, page, queries, session
from sigcore import formatting
from sigcore.studies import human

GRIDS = 3  # grids in a row


def _table(rows: Sequence[Mapping[str, Any]], p_values: Sequence[str] = (), form: str = "%.3f") -> None:
    """Show rows with formatted p-values and other fractions in few decimals; the CSV has all decimals."""
    shown = [{**row, **{name: formatting.format_p(row[name], 0) for name in p_values}} for row in rows]
    fractions = [name for name in rows[0] if any(isinstance(row[name], float) for row in shown)]
    columns: dict[str, Any] = {
        name: st.column_config.NumberColumn(name, format="%g" if name == "alpha" else form) for name in fractions
    }
    downloads.table(shown, **columns)


def cards(people: human.People, alpha: float) -> None:
    """Judges, ratings, judged systems, and pairs that people distinguish."""
    judges = {judge.name for judge in people.judges if judge.name}
    kept = judges - {judge.name for judge in people.dropped}
    levels = people.levels(alpha)
    pairs = int((levels == levels).sum()) // 2
    page.cards(
        [
            (
                "Judges",
                f"{len(kept)} of {len(judges)}" if judges else "not named",
                "Judges whose ratings are used; the others are named below.",
            ),
            (
                "Ratings",
                f"{people.ratings:,}",
                f"{people.controls:,} of them are for quality control and do not count for any system.",
            ),
            (
                "Judged systems",
                str(len(people.systems)),
                "All of them are in the grids, including those without outputs.",
            ),
            (
                "Pairs that differ",
                f"{int((levels > 0).sum())} of {pairs}",
                f"Pairs that people distinguish at alpha {alpha:g}.",
            ),
        ]
    )


def grids_caption(people: human.People, alpha: float) -> None:
    """How to read the grids of people, and why the combined value is not a p-value."""
    st.caption(
        "Row against column, best first. Blue +: the row is better. Orange −: the row is worse. Stronger colours: p ≤ 0.01, "
        f"p ≤ 0.001. Grey: no significant difference. ?: one of the two was not rated. {page.literal(human_words.gold_note(people, alpha))}"
    )


def accuracy(result: human.HumanResult) -> None:
    """The accuracy table in the form of the paper's Tables 1 and 2."""
    rows = []
    for alpha in result.alphas:
        for metric, title in result.metrics.items():
            row = {"alpha": f"{alpha:g}", "metric": page.literal(title)}
            for test, name in result.tests.items():
                row[name] = _cell(result, result.accuracy(metric, test, alpha))
            rows.append(row)
    st.table(pd.DataFrame(rows).set_index(["alpha", "metric"]))
    st.caption(
        f"Conclusions that agree with people, out of {len(result.pairs)} pairs: number · percent, [95 % interval over "
        "systems, from leaving out one system at a time]. Bold: the largest share at that alpha. 11/25: of 25 pairs with a conclusion; n/a: none."
    )


def _cell(result: human.HumanResult, cell: human.Accuracy) -> str:
    correct = human_words.correct_pairs(result, cell)
    if not cell.pairs:
        return correct
    share = f"{correct} · {cell.percent:.1f}"
    by_system = human_differ.interval(cell.system_low, cell.system_high)
    # on a narrow screen a cell breaks between its parts, not inside them
    parts = [part.replace(" ", "\u00a0") for part in (share, by_system)]
    return " ".join([f"**{parts[0]}**" if cell.best else parts[0], *parts[1:]])


def metrics_caption() -> None:
    """How to read the small grids."""
    st.caption(
        "One small grid per metric, with the systems in the order of the human ranking. Tests are one-sided in each "
        "direction and uncorrected, as in the paper; sides and correction of the sidebar are not used here. A cross marks a "
        "pair on which people reach another conclusion. An empty cell: no conclusion, because p is undefined or R is too small."
    )


def tables(result: human.HumanResult, alpha: float) -> None:
    """Everything behind the figures, as tables, of which the open one is made."""
    people = result.people
    pairs, systems, judges = st.tabs(["Pairs", "Systems", "Judges"], key="sigboard.human.tables", on_change="rerun")
    if pairs.open:
        with pairs:
            each = [name for dimension in people.dimensions for name in (f"{dimension} p", f"{dimension} p other way")]
            _table(memory.once(reports_human.pair_rows, result, alpha), each)
    if systems.open:
        with systems:
            system_table(people)
    if judges.open:
        with judges:
            _table(reports_human.judge_rows(people), ("p degraded lower",), "%.1f")
            st.caption(
                "mean and sd: used to standardise the ratings. p degraded lower: small if the judge rates deliberately "
                "degraded texts lower than outputs."
            )


def system_table(people: human.People) -> None:
    """The human scores of every judged system."""
    _table(reports_human.system_rows(people))


def verdict(result: human.HumanResult, alpha: float) -> None:
    """The main sentence of this page."""
    captions.sentence(human_words.summary(result, alpha))


def download_buttons(result: human.HumanResult, alpha: float, name: str, warnings: Sequence[str]) -> None:
    """The download buttons: the table and the figure of the paper, rows, JSON with the warnings on the files."""
    with st.container(horizontal=True):
        downloads.as_text("Table (LaTeX)", lambda: human_latex.accuracy_table(result), f"{name}_table.tex")
        downloads.as_text("Figure (LaTeX)", lambda: human_latex.figure(result, alpha), f"{name}_figure.tex")
        downloads.csv("Accuracy (CSV)", lambda: reports_human.accuracy_rows(result), f"{name}_accuracy")
        downloads.csv("Pairs (CSV)", lambda: reports_human.pair_rows(result, alpha), f"{name}_pairs")
        downloads.csv("Differences (CSV)", lambda: human_differ.metric_rows(result), f"{name}_differences")
        downloads.csv("McNemar (CSV)", lambda: reports_human.mcnemar_rows(result), f"{name}_mcnemar")
        downloads.csv("Segment scores (CSV)", lambda: reports_human.segment_rows(result.people), f"{name}_segments")
        downloads.as_json("Everything (JSON)", lambda: human_json.human_json(result, warnings), name)
    paper = st.expander("For your paper: methods sentence and signature", key="sigboard.human.words", on_change="rerun")
    if paper.open:
        paper.code(human_words.methods(result), language=None, wrap_lines=True)


def can_compare(visit: session.Visit, asked: queries.HumanAsked, people: human.People) -> bool:
    """Whether there are outputs, metrics and tests to compare with people; if not, a message says what is missing."""
    loaded = visit.collection.loaded()
    both = set(people.systems) & {outputs.system for outputs in loaded.outputs}
    if not asked.metrics or not asked.tests:
        missing = "Choose at least one metric and one test above."
    elif not loaded.outputs:
        missing = (
            "Only the ratings are loaded. Load a reference and the outputs of the judged systems on the data page."
        )
    elif len(both) < 2:
        missing = "Fewer than two systems have both an output and ratings under the same name. Match the names in the settings above."
    else:
        return True
    st.info(missing, icon=":material/info:")
    return False


def metric_notes(result: human.HumanResult, asked: queries.HumanAsked, people: human.People) -> None:
    """The notes on the metrics; those on the human judgments are above."""
    shown = {*asked.matched.notes, *people.notes}
    captions.notes([note for note in result.notes if note not in shown])
