"""The parts of the human page that tell: cards, grids' captions, the accuracy table, tables behind it, downloads."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from sigboard.reports import human as reports_human
from sigboard.reports import human_differ, human_latex, human_words
from sigboard.ui import captions, downloads, page, queries, session
from sigcore import formatting
from sigcore.studies import human

GRIDS = 3  # grids in a row
FINE = 10**7  # people's p-values are no shares of resamples


def _table(rows: Sequence[Mapping[str, Any]], p_values: Sequence[str] = (), form: str = "%.3f") -> None:
    """Rows with p-values as they are written ("< 0.0001") and other fractions in few decimals; the CSV has them all."""
    told = {name: {k: _p(row[name]) for k, row in enumerate(rows)} for name in p_values}
    shown = [{**row, **{name: told[name][k] for name in p_values}} for k, row in enumerate(rows)]
    fractions = [name for name in rows[0] if any(isinstance(row[name], float) for row in shown)]
    columns: dict[str, Any] = {
        name: st.column_config.NumberColumn(name, format="%g" if name == "alpha" else form) for name in fractions
    }
    downloads.table(shown, **columns)


def _p(value: float) -> str:
    return "none" if math.isnan(value) else formatting.format_p(value, FINE)


def cards(people: human.People, alpha: float) -> None:
    """Judges and ratings, systems, and what people tell apart."""
    judges = {judge.name for judge in people.judges if judge.name}
    kept = judges - {judge.name for judge in people.dropped}
    levels = people.levels(alpha)
    pairs = int((levels == levels).sum()) // 2
    page.cards(
        [
            ("Judges", f"{len(kept)} of {len(judges)}" if judges else "not named", "Kept; the others are named below."),
            (
                "Ratings",
                f"{people.ratings:,}",
                f"{people.controls:,} of them are quality control and count for no system.",
            ),
            ("Judged systems", str(len(people.systems)), "All of them stand in the grids, also those without outputs."),
            ("Pairs people tell apart", f"{int((levels > 0).sum())} of {pairs}", f"At alpha {alpha:g}."),
        ]
    )


def grids_caption(people: human.People, alpha: float) -> None:
    """How to read people's grids, and what the combined one is not."""
    st.caption(
        "Row against column, best first. Blue +: the row is better; orange −: worse; stronger: p ≤ 0.01, p ≤ 0.001; grey: "
        f"no significant difference; ?: nobody rated both. {page.literal(human_words.gold_note(people, alpha))}"
    )


def accuracy(result: human.HumanResult) -> None:
    """The accuracy table in the form of the paper's Tables 1 and 2."""
    rows = []
    for alpha in result.alphas:
        for metric, title in result.metrics.items():
            row = {"alpha": f"{alpha:g}", "metric": page.literal(title)}
            for test, name in result.tests.items():
                row[name] = _cell(result.accuracy(metric, test, alpha))
            rows.append(row)
    st.table(pd.DataFrame(rows).set_index(["alpha", "metric"]))
    st.caption(
        f"Conclusions that agree with people's, of {len(result.pairs)} pairs: number, percent, [95 % interval over systems, "
        "from leaving out one system at a time]. Bold: the most at that alpha."
    )


def _cell(cell: human.Accuracy) -> str:
    share = f"{cell.correct} · {cell.percent:.1f}"
    by_system = "[none]" if math.isnan(cell.system_low) else human_differ.interval(cell.system_low, cell.system_high)
    # on a narrow screen a cell breaks between its parts, not inside them
    parts = [part.replace(" ", "\u00a0") for part in (share, by_system)]
    return " ".join([f"**{parts[0]}**" if cell.best else parts[0], *parts[1:]])


def metrics_caption() -> None:
    """How to read the small grids."""
    st.caption(
        "One small grid per metric, in people's order: what its one-sided test concludes in either direction, uncorrected "
        "as in the paper (the sidebar's sides and correction do not count here). A cross marks a pair of which people "
        "conclude otherwise."
    )


def tables(result: human.HumanResult, alpha: float) -> None:
    """Everything behind the figures, as tables."""
    people = result.people
    pairs, systems, judges = st.tabs(["Pairs", "Systems", "Judges"])
    with pairs:
        each = [name for dimension in people.dimensions for name in (f"{dimension} p", f"{dimension} p other way")]
        _table(reports_human.pair_rows(result, alpha), each)
    with systems:
        system_table(people)
    with judges:
        _table(reports_human.judge_rows(people), ("p degraded lower",), "%.1f")
        st.caption(
            "mean and sd are what the ratings were put on one scale with; p degraded lower is small where a judge rates "
            "texts made worse on purpose lower than outputs."
        )


def system_table(people: human.People) -> None:
    """People's scores of every judged system."""
    _table(reports_human.system_rows(people))


def verdict(result: human.HumanResult, alpha: float) -> None:
    """The sentence this page is about."""
    captions.sentence(human_words.summary(result, alpha))


def hand_out(result: human.HumanResult, alpha: float, name: str) -> None:
    """Everything to take away: the paper's table and figure, rows, JSON."""
    with st.container(horizontal=True):
        downloads.as_text("Table (LaTeX)", human_latex.accuracy_table(result), f"{name}_table.tex")
        downloads.as_text("Figure (LaTeX)", human_latex.figure(result, alpha), f"{name}_figure.tex")
        downloads.csv("Accuracy (CSV)", reports_human.accuracy_rows(result), f"{name}_accuracy")
        downloads.csv("Pairs (CSV)", reports_human.pair_rows(result, alpha), f"{name}_pairs")
        downloads.csv("Differences (CSV)", human_differ.metric_rows(result), f"{name}_differences")
        downloads.csv("McNemar (CSV)", reports_human.mcnemar_rows(result), f"{name}_mcnemar")
        downloads.csv("Segment scores (CSV)", lambda: reports_human.segment_rows(result.people), f"{name}_segments")
        downloads.as_json("Everything (JSON)", reports_human.human_json(result), name)
    with st.expander("For your paper: methods sentence and signature"):
        st.code(human_words.methods(result), language=None, wrap_lines=True)


def against_something(visit: session.Visit, asked: queries.HumanAsked, people: human.People) -> bool:
    """Whether there are outputs, metrics and tests to set against people; where not, what is missing is told."""
    loaded = visit.collection.loaded()
    both = set(people.systems) & {outputs.system for outputs in loaded.outputs}
    if not asked.metrics or not asked.tests:
        what = "Choose at least one metric and one test above."
    elif not loaded.outputs:
        what = "Only the ratings are loaded. Load a reference and the outputs of the judged systems on the data page."
    elif len(both) < 2:
        what = "Fewer than two systems have both an output and ratings under the same name; the names can be matched above."
    else:
        return True
    st.info(what, icon=":material/info:")
    return False


def own_notes(result: human.HumanResult, asked: queries.HumanAsked, people: human.People) -> None:
    """What is worth knowing about the metrics' side; people's was told above."""
    told = {*asked.matched.notes, *people.notes}
    captions.notes([note for note in result.notes if note not in told])
