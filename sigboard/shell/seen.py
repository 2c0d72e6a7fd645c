"""How many metrics and tests a visit has shown: a result chosen among several is not corrected for that."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sigboard.shell import session
from sigboard.shell.settings import Chosen
from sigcore.formatting import count

LOOKS = "sigboard.tried"

# metric with its options, test with its side
Look = tuple[str, str]

HELP = (
    "Counted: every combination of a metric with its options and a test with its side that the sidebar had on Grid, "
    "Rank, Pair or Gain, with the files that are loaded. Other options of a metric count as another metric, another side "
    "as another test. Not counted: alpha, correction, unit, ties, estimator, resamples, seed, pairs, and the table of "
    "other tests on Pair. Other files, and a reload of the page, begin a new count."
)


def look(visit: session.Visit, now: Chosen) -> set[Look]:
    """Add the combination of the sidebar, and return all that were shown for the files that are loaded."""
    loaded = visit.collection.loaded()
    gold = "" if loaded.testset is None else loaded.testset.digest
    files = (gold, tuple(sorted(outputs.digest for outputs in loaded.outputs)))
    counted: dict[Any, set[Look]] = st.session_state.setdefault(LOOKS, {})
    looks = counted.setdefault(files, set())
    looks.add((f"{now.metric} {sorted(now.options.items())}", f"{now.test} {now.settings.side}"))
    return looks


def line(visit: session.Visit, now: Chosen) -> None:
    """Count what the page shows, and report the count from the second combination on."""
    words = sentence(look(visit, now))
    if words:
        st.caption(words, help=HELP)


def sentence(looks: set[Look]) -> str:
    """ "In this visit: 2 metrics x 3 tests on these files. ..."; "" for a single combination."""
    if len(looks) < 2:
        return ""
    metrics, tests = ({look[part] for look in looks} for part in (0, 1))
    all_of = len(metrics) * len(tests)
    seen = "" if len(looks) == all_of else f" ({len(looks)} of the {all_of} combinations)"
    return (
        f"In this visit: {count(len(metrics), 'metric')} × {count(len(tests), 'test')} on these files{seen}. "
        "A result chosen among several is not corrected for the choice."
    )
