"""Who is first, and who is tied? Scores with ranges of ranks, under one metric or several, and the table for a board."""

from __future__ import annotations

from functools import partial

import streamlit as st

from sigboard.questions.rank import figure, report
from sigboard.render import sentences
from sigboard.shell import captions, downloads, inputs, page, queries, seen, session
from sigboard.shell import runs as run_question
from sigboard.shell.settings import Chosen, choose_more
from sigcore import MatrixResult, rank
from sigcore.results import APART, RANKS, Ranked, Rankings, Ranks, Row, rows

CHART = "sigboard.ranks"
WAITING = "The further metrics are computed."
RULE = "Ranks follow from Grid's verdicts on pairs."
MEANING = """
- **Ranks**: at best, one place below all systems that are significantly better. At worst, one place above all systems
  that are significantly worse.
- **Tied**: no system is significantly better. The best system is among these.
- **Line**: every system above it is significantly better than every system below it. Two systems between lines may still
  differ.
- **Segments to separate**: with how many segments the gain over the next system would be significant, if it and its
  standard error for a segment stayed as they are. Half of such test sets would then show it.
- **Together**: the confidence is for all ranges at once, if the correction bounds the chance of any false verdict.
"""


def head(first: Ranks, further: bool) -> st.delta_generator.DeltaGenerator:
    """Who is first, and how sure the ranks are; the line below has a place for what the `further` metrics say."""
    captions.sentence(str(first))
    line = st.empty()
    line.markdown(page.literal(f"{first.assurance} {first.separation} {WAITING if further else ''}".strip()))
    return line


def systems(ranks: Ranks) -> None:
    """The systems under one metric as a table that can be sorted."""
    size = f"%.{ranks.result.setup.decimals}f"
    number = st.column_config.NumberColumn
    shown = [row | {"adjusted_to_next": RANKS["adjusted_to_next"].cell(one)} for row, one in _rows(ranks)]
    downloads.table(
        shown,
        ranks.result.setup,
        low=number("Interval from", format=size),
        high=number("Interval to", format=size),
        rank_low=number("Best rank"),
        rank_high=number("Worst rank"),
        tied_with_best=st.column_config.CheckboxColumn("Tied with best"),
        gain_to_next=number("Gain to next", format=f"%+.{ranks.result.setup.decimals}f"),
        adjusted_to_next=st.column_config.Column("Adjusted p to next"),
        segments_to_separate=number("Segments to separate", format="localized"),
    )


def _rows(ranks: Ranks) -> list[tuple[Row, Ranked]]:
    """The row of each system, with the system."""
    found = ranks.systems
    return list(zip(rows(RANKS, found), found, strict=True))


def save(visit: session.Visit, rankings: Rankings, now: Chosen) -> None:
    """The table of the ranks, or of all metrics side by side, and its files."""
    first = rankings.ranks[0]
    if len(rankings.ranks) > 1:
        st.markdown(report.board(rankings))
        page.caption(APART)
    else:
        systems(first)
    results = [ranks.result for ranks in rankings.ranks]
    said = sentences.of_grids(downloads.warned(visit.collection), results, now.settings.correction)
    metrics = [result.setup.metric for result in results]
    name = downloads.file_name("sigboard", session.file_title(visit.collection), "rank", *metrics, now.test)
    with st.container(horizontal=True):
        downloads.later("Markdown", lambda: report.markdown(rankings), name, "md")
        downloads.later("LaTeX", lambda: report.latex(rankings), name, "tex")
        downloads.csv("CSV", lambda: report.rank_rows(rankings), name)
        downloads.later("XLSX", lambda: report.workbook(rankings), name, "xlsx")
        downloads.as_json("JSON", lambda: report.rank_json(rankings, said), name)


def explained(visit: session.Visit, result: MatrixResult, bridged: bool) -> None:
    """What the first look leaves out: what the ranks mean, whose verdicts they are made of, and the notes."""
    st.markdown(MEANING)
    if bridged:
        captions.bridge(visit, RULE)
    captions.notes(result.notes)


def show() -> None:
    """The page."""
    with page.question("rank") as visit:
        now = queries.chosen()
        captions.context(visit)
        inputs.ready(visit)
        several = run_question.asked(visit, all_pairs=True)
        found = None if several is None else run_question.result(visit, several)
        result = queries.matrix_result(visit) if found is None else found.grid
        if found is None:
            session.show_grid(visit, result, now.alpha)
        line = head(rank(result, now.alpha), further=found is None and bool(now.also))
        page.plot(CHART, figure.ranks, figure.alt, result, now.alpha, compact=page.phone())
        others: list[MatrixResult] = []
        page.details("rank", partial(explained, visit, result, found is None), len(result.notes))
        if found is None:
            seen.line(visit, now)
            choose_more(visit.collection.kind, now)
            others = queries.more_grids(visit)
        rankings = report.ranked([result, *others], now.alpha)
        if others:
            line.markdown(page.literal(f"{rankings.ranks[0].assurance} {rankings.ranks[0].separation} {rankings}"))
        save(visit, rankings, now)
        captions.methods(result, now.alpha)
