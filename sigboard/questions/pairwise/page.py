"""Which system wins more often? Wins, ties and losses of all pairs, the sign test, and a ranking of judged systems."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from sigboard.questions.pairwise import figure
from sigboard.questions.pairwise import report as written
from sigboard.shell import captions, downloads, page, queries, session
from sigcore import Runtime, Settings, formatting, gathered_preferences
from sigcore.results import as_json, rows
from sigcore.studies import pairwise, scores

SHOWN_PAIRS = 60


def computed(visit: session.Visit) -> pairwise.PairwiseResult:
    """The judged comparisons, or else wins by the scores of what is loaded, under the settings of the sidebar."""
    if visit.collection.preferences:
        compared = gathered_preferences(visit.collection.preferences)
        return queries.counted(
            "pairwise", compared, lambda runtime: pairwise.of_preferences(compared), pairwise.run, pairwise.read
        )
    asked = replace(queries.study(visit), tests=(), settings=Settings(), alpha=0.05, resamples=1)

    def build(runtime: Runtime) -> pairwise.Battles:
        return pairwise.of_scores(scores.build(asked.testset, asked.outputs, asked.metrics, asked.unit, runtime))

    return queries.counted("pairwise scores", asked, build, pairwise.run, pairwise.read)


def draw_pairs(found: pairwise.PairwiseResult) -> None:
    """The outcomes of all pairs, and how to read them."""
    noun, more = found.run.battles.noun, len(found.pairs) - SHOWN_PAIRS
    page.plot(
        "sigboard.pairwise.pairs",
        figure.outcomes,
        figure.outcomes_alt,
        *(found.pairs, noun, found.alpha),
        compact=page.phone(),
    )
    st.caption(
        "Blue: the first system of the pair is better. Orange: the second is. p is exact, two-sided and corrected over all "
        "pairs; bold: at most alpha."
        + (f" The first {SHOWN_PAIRS} pairs are drawn; {more:,} more are in the table." if more > 0 else "")
    )


def draw_ranking(found: pairwise.PairwiseResult) -> None:
    """The strengths, and how to read them."""
    page.plot("sigboard.pairwise.ranking", figure.ranking, figure.ranking_alt, found, compact=page.phone())
    level = formatting.format_level(1 - found.alpha)
    st.caption(
        f"Bradley-Terry strengths; 400 points more: odds of 10 to 1 of being preferred. Lines: {level} intervals from drawn "
        f"{found.run.battles.noun}s. Overlapping intervals do not show that two systems are equal."
    )


def draw_tables(found: pairwise.PairwiseResult) -> None:
    """All pairs with every p, the ranking, and the pairs in words."""
    if found.ranking:
        st.subheader("Ranking", anchor=False)
        elo, strength = ("elo", "elo_low", "elo_high"), ("strength", "strength_low", "strength_high")
        downloads.records(pairwise.RANKING, found.ranking, **_short("%.0f", elo), **_short("%.2f", strength))
    st.subheader("Pairs", anchor=False)
    downloads.records(pairwise.PAIRS, found.pairs, **_short("%.3f", ["share"]), ties=st.column_config.Column("ties"))
    st.caption(
        "wins, ties, losses: questions. share: share of single comparisons won, ties as half. p_mid: the mid-p, less "
        "conservative, and not guaranteed to keep alpha."
    )
    with st.expander("For your paper: the pairs in words"):
        words = "\n".join(written.sentence(found, pair) for pair in found.pairs[:SHOWN_PAIRS])
        st.code(words, language=None, wrap_lines=True)


def _short(form: str, names: Iterable[str]) -> dict[str, ColumnConfig]:
    """These columns in a short form; the files have all digits."""
    return {name: st.column_config.NumberColumn(name, format=form) for name in names}


def save(found: pairwise.PairwiseResult, visit: session.Visit) -> None:
    """The notes, and everything on the page as files."""
    name = downloads.file_name("sigboard", session.file_title(visit.collection), "pairwise")
    warnings = downloads.warned(visit.collection)
    with st.container(horizontal=True):
        downloads.csv("Pairs (CSV)", lambda: rows(pairwise.PAIRS, found.pairs), f"{name}_pairs")
        if found.ranking:
            downloads.csv("Ranking (CSV)", lambda: rows(pairwise.RANKING, found.ranking), f"{name}_ranking")
        downloads.later("Tables (LaTeX)", lambda: written.latex(found), name, "tex")
        downloads.as_json("Everything (JSON)", lambda: as_json(written.PAIRWISE, found, warnings=warnings), name)


def explained(visit: session.Visit, found: pairwise.PairwiseResult, line: str) -> None:
    """What the first look leaves out: what was compared, how the page Grid decides, and the notes."""
    st.caption(line)
    decided = {(pair.system, pair.baseline): pair.adjusted <= found.alpha for pair in found.pairs}
    captions.bridge(visit, "Wins are counted here, however large each is.", decided)
    captions.notes(found.notes())


def show() -> None:
    """The page."""
    with page.question("pairwise") as visit:
        captions.context(visit)
        result = computed(visit)
        first, _, rest = written.summary(result).partition(". ")
        captions.sentence(f"{first.removesuffix('.')}.")
        st.markdown(page.literal(rest))
        battles, run = result.run.battles, result.run
        what = "judged comparisons" if battles.judged else f"{battles.name}: the better score wins"
        drawn = f"{formatting.count(run.resamples, 'draw')} of {battles.noun}s, seed {run.seed}"
        compared = formatting.count(battles.questions, battles.noun)
        line = f"{page.literal(what)}, {compared}; intervals from {drawn}."
        parts = {"Pairs": lambda: draw_pairs(result)}
        parts |= {"Ranking": lambda: draw_ranking(result)} if result.ranking else {}
        page.tabs("sigboard.pairwise", parts | {"Tables": lambda: draw_tables(result)})
        page.details("pairwise", partial(explained, visit, result, line), len(result.notes()))
        save(result, visit)
