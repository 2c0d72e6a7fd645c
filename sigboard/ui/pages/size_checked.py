"""Parts of the size page beside the formula: the power by simulation, and what differences between runs add."""

from __future__ import annotations

import math

import streamlit as st

from sigboard.reports.size import Checked, between_rows
from sigboard.ui import downloads, page, plans, session
from sigboard.ui.pages import run_question
from sigboard.ui.pages.size import Planned
from sigboard.ui.sidebar import Chosen
from sigcore import formatting
from sigcore.studies import size

NOTHING = Checked()
FEWEST, MOST = 10, 20_000  # segments of a drawn test set
CHECK = (
    "Draws test sets from these segments and tests the pair on each, two-sided, by approximate randomization. The gain of the "
    "pair on all segments is the true one there."
)


def check(visit: session.Visit, run: size.SizeRun, own: Planned, now: Chosen) -> Checked:
    """What is known beside the formula; the simulation runs where the user wants it, when all sizes are drawn."""
    return Checked(tuple(_simulated(visit, run, own, now)), tuple(_between(visit, run, own)))


def _simulated(visit: session.Visit, run: size.SizeRun, own: Planned, now: Chosen) -> list[size.Simulated]:
    """The power of the chosen pair by simulation, as a sentence, where the user wants it."""
    if not own.pair[0]:
        return []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = st.toggle("check the formula by simulation", key="check", bind="query-params", help=CHECK)
        if not wanted:
            return []
        usual = _usual(run, own)
        segments = st.number_input(
            "segments of a test set", FEWEST, MOST, usual, key="check_size", bind="query-params", width=190
        )
    if len({item.segments for item in run.found}) < len(set(run.plan.sizes)):
        return []  # one job of a visit runs at a time
    found = plans.simulated(visit, run, own.pair, int(segments), now.alpha)
    if found is None:
        return []
    st.markdown(page.literal(str(found)))
    return [found]


def _usual(run: size.SizeRun, own: Planned) -> int:
    """The segments on which the formula finds the gain of the pair with the chosen power."""
    names = [item.system for item in run.prepared.measured.systems]
    places = {names.index(name) for name in own.pair}
    for k, pair in enumerate(run.varied.pairs.tolist()):
        if set(pair) == places:
            scores = run.prepared.measured.scores
            gain = abs(float(scores[pair[0]] - scores[pair[1]]))
            deviation = float(run.varied.deviation[k])
            if gain > 0 and math.isfinite(deviation):
                needed = size.needed_segments(deviation, gain, own.power, own.result.alpha)
                return int(min(max(needed, FEWEST), MOST))
    return min(max(own.n, FEWEST), MOST)


def _between(visit: session.Visit, run: size.SizeRun, own: Planned) -> tuple[size.BetweenRuns, ...]:
    """What differences between runs add, as a table, where outputs are runs."""
    systems = run_question.asked(visit)
    if systems is None or min(map(len, systems.values())) < 2:
        return ()
    found = size.between_runs(run, systems)
    st.subheader("Differences between runs", anchor=False)
    downloads.small(between_rows(own.result, found, own.n))
    st.caption(
        page.literal(
            "One run of each system is compared. More segments reduce only the variation that segments cause, so with any number "
            f"of segments a test still needs the gain of the last column to find it with a power of {formatting.format_level(size.POWERS[0])}. "
            "The design effect between runs is the variance of the gain divided by its variance for fixed runs. The other numbers "
            "of this page are for fixed runs, and count every run as a system."
        )
    )
    return found
