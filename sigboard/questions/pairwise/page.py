"""Which system is preferred? Wins, ties and losses of all pairs, the sign test, and a ranking of judged systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from sigboard.questions.pairwise import figure
from sigboard.questions.pairwise import report as written
from sigboard.render.style import finished
from sigboard.server import cache as memory
from sigboard.server import jobs, limits
from sigboard.shell import captions, downloads, page, queries, session
from sigcore import Settings, formatting, gathered_preferences
from sigcore.results import as_json, rows
from sigcore.studies import enough, pairwise, scores
from sigcore.types import AUTO

# The parts of the pairwise page: its question, its result, captions, tables and downloads.

SHOWN_PAIRS = 60
LEGEND = (
    "Blue: the first system of the pair is better. Orange: the second is. p is exact, two-sided and corrected over all pairs; bold: "
    "at most alpha."
)


def computed(visit: session.Visit) -> pairwise.PairwiseResult:
    """The judged comparisons, or else the scores of what is loaded, under the settings of the sidebar."""
    now = queries.chosen()
    run = _judged(visit) if visit.collection.preferences else _scored(visit)
    correction = "holm" if now.settings.correction == AUTO else now.settings.correction
    return memory.once(pairwise.read, run, now.alpha, correction)


def _judged(visit: session.Visit) -> pairwise.PairwiseRun:
    compared = gathered_preferences(visit.collection.preferences)
    return _drawn("pairwise", compared, lambda job: pairwise.of_preferences(compared))


def _scored(visit: session.Visit) -> pairwise.PairwiseRun:
    """Wins on the units of the sidebar, by the scores that are loaded or by the metric."""
    asked, runtime = queries.study(visit), queries.running()
    asked = replace(asked, tests=(), settings=Settings(), alpha=0.05, resamples=1)

    def build(job: jobs.Job) -> pairwise.Battles:
        matrix = scores.build(asked.testset, asked.outputs, asked.metrics, asked.unit, runtime(job))
        return pairwise.of_scores(matrix)

    return _drawn("pairwise scores", asked, build)


def _drawn(kind: str, of: object, build: Callable[[jobs.Job], pairwise.Battles]) -> pairwise.PairwiseRun:
    now, runtime = queries.chosen(), queries.running()
    plan = queries.Draws(enough.fixed(now.resamples), now.seed)
    limits.RESAMPLES.check(plan.resamples)

    def work(job: jobs.Job) -> pairwise.PairwiseRun:
        return pairwise.run(build(job), resamples=plan.resamples, seed=plan.seed, runtime=runtime(job))

    run: pairwise.PairwiseRun = jobs.result(queries.key_of(kind, of, plan), work)
    return run


def summary(found: pairwise.PairwiseResult) -> str:
    """The page in one sentence."""
    return written.summary(found)


def source(found: pairwise.PairwiseResult) -> None:
    """What was compared, in one line."""
    battles = found.run.battles
    what = "judged comparisons" if battles.judged else f"{battles.name}: the better score wins"
    drawn = f"{formatting.count(found.run.resamples, 'draw')} of {battles.noun}s, seed {found.run.seed}"
    st.caption(f"{page.literal(what)}, {formatting.count(battles.questions, battles.noun)}; intervals from {drawn}.")


def tabs(found: pairwise.PairwiseResult) -> list[str]:
    """The names of the tabs."""
    return ["Pairs", "Ranking", "Tables"] if found.ranking else ["Pairs", "Tables"]


def pairs_caption(found: pairwise.PairwiseResult) -> None:
    """How to read the bars."""
    more = len(found.pairs) - SHOWN_PAIRS
    st.caption(
        LEGEND + (f" The first {SHOWN_PAIRS} pairs are drawn; {more:,} more are in the table." if more > 0 else "")
    )


def ranking_caption(found: pairwise.PairwiseResult) -> None:
    """How to read the strengths."""
    level = formatting.format_level(1 - found.alpha)
    st.caption(
        f"Bradley-Terry strengths; 400 points more: odds of 10 to 1 of being preferred. Lines: {level} intervals from drawn "
        f"{found.run.battles.noun}s. Overlapping intervals do not show that two systems are equal."
    )


def draw_tables(found: pairwise.PairwiseResult) -> None:
    """All pairs with every p, the ranking, and the pairs in words."""
    if found.ranking:
        st.subheader("Ranking", anchor=False)
        ranking = rows(pairwise.RANKING, found.ranking)
        downloads.table(ranking, **_shown(ranking[0], "%.0f", "elo"), **_shown(ranking[0], "%.2f", "strength"))
    st.subheader("Pairs", anchor=False)
    pairs = rows(pairwise.PAIRS, found.pairs)
    shown = [
        {**row, **{p: formatting.format_p(row[p], written.EXACT) for p in ("p_value", "p_mid", "p_adjusted")}}
        for row in pairs
    ]
    downloads.table(shown, **_shown(pairs[0], "%.3f", "share"), ties=st.column_config.Column("ties"))
    st.caption(
        "wins, ties, losses: questions. share: share of single comparisons won, ties as half. p_mid: the mid-p, less "
        "conservative, and not guaranteed to keep alpha."
    )
    with st.expander("For your paper: the pairs in words"):
        st.code(
            "\n".join(written.sentence(found, pair) for pair in found.pairs[:SHOWN_PAIRS]),
            language=None,
            wrap_lines=True,
        )


def _shown(row: Mapping[str, Any], form: str, start: str) -> dict[str, Any]:
    """The columns with these names in a short form; the files have all digits."""
    return {name: st.column_config.NumberColumn(name, format=form) for name in row if name.startswith(start)}


def save(found: pairwise.PairwiseResult, visit: session.Visit) -> None:
    """Everything on the page as files."""
    name = downloads.file_name("sigboard", visit.collection.name or found.run.battles.name, "pairwise")
    warnings = downloads.warned(visit.collection)
    captions.notes(found.notes())
    with st.container(horizontal=True):
        downloads.csv("Pairs (CSV)", lambda: rows(pairwise.PAIRS, found.pairs), f"{name}_pairs")
        if found.ranking:
            downloads.csv("Ranking (CSV)", lambda: rows(pairwise.RANKING, found.ranking), f"{name}_ranking")
        downloads.later("Tables (LaTeX)", lambda: written.latex(found), name, "tex")
        downloads.as_json("Everything (JSON)", lambda: as_json(written.PAIRWISE, found, warnings=warnings), name)


def show() -> None:
    """The page."""
    with page.question("pairwise") as visit:
        captions.context(visit)
        result = computed(visit)
        theme, phone, noun = page.theme(), page.phone(), result.run.battles.noun
        captions.sentence(summary(result))
        found = {(pair.system, pair.baseline): pair.adjusted <= result.alpha for pair in result.pairs}
        captions.bridge(visit, "Wins are counted here, however large each is.", found)
        source(result)

        pairs, *ranking, tables = st.tabs(tabs(result), key="sigboard.pairwise", on_change="rerun")
        if pairs.open:
            with pairs:
                page.chart(
                    memory.once(finished, figure.outcomes, result.pairs, noun, result.alpha, theme, compact=phone),
                    key="sigboard.pairwise.pairs",
                    alt=figure.outcomes_alt(result.pairs, result.alpha),
                )
                pairs_caption(result)
        for tab in ranking:
            if tab.open:
                with tab:
                    page.chart(
                        memory.once(finished, figure.ranking, result, theme, compact=phone),
                        key="sigboard.pairwise.ranking",
                        alt=figure.ranking_alt(result),
                    )
                    ranking_caption(result)
        if tables.open:
            with tables:
                draw_tables(result)
        save(result, visit)
