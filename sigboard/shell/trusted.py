"""The calibration of a test on the loaded systems: it runs as a job once its button was pressed, and is remembered."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from sigboard.server import jobs
from sigboard.shell import queries, session
from sigcore import Study
from sigcore.studies import trust
from sigcore.types import PLANNED_PAIR

STARTED = "sigboard.trust.started"  # the keys of what this visit has started
FINISHED = "sigboard.trust.finished"  # by key, the sentence of what has finished
INSIDE = 10_000  # resamples of the study, which a calibration does not use


def asked(visit: session.Visit, pair: tuple[str, str] | None = None) -> Study:
    """What is calibrated: the settings of the sidebar on all systems, or on one pair; alpha and resamples are the calibration's."""
    if pair:
        whole = queries.of_pair(visit, *pair)
    else:
        whole = replace(queries.study(visit), family=queries.chosen().family)
        whole = replace(whole, family=PLANNED_PAIR) if len(whole.outputs) == trust.PAIR else whole
    # the unit is that of the verdicts, whatever alpha and side the calibration has
    settings = replace(whole.settings, exact=False)
    return replace(whole, unit=whole.drawn[0], alpha=0.05, resamples=INSIDE, settings=settings)


def key_of(study: Study, plan: trust.TrustPlan) -> str:
    """The key of the job."""
    return queries.key_of("trust", study, plan)


def start(key: str) -> None:
    """Note that this calibration was asked for."""
    st.session_state.setdefault(STARTED, set()).add(key)


def started(key: str) -> bool:
    """Whether this visit has asked for it, or it is known already."""
    return key in st.session_state.get(STARTED, set()) or jobs.jobs().has(key)


def result(study: Study, plan: trust.TrustPlan) -> trust.TrustResult:
    """The calibration, or what it has shown so far."""
    runtime = queries.running(publishes=True)
    found: trust.TrustResult = jobs.result(key_of(study, plan), lambda job: trust.run(study, plan, runtime(job)))
    if found.done == found.repetitions and plan.null == "auto" and not plan.rule:
        st.session_state.setdefault(FINISHED, {})[queries.key_of("trust", study)] = found.sentence
    return found


def sentence(visit: session.Visit) -> str:
    """The sentence of the last calibration of all systems under the settings of the sidebar; "" where none was run."""
    known: dict[str, str] = st.session_state.get(FINISHED, {})
    return known.get(queries.key_of("trust", asked(visit)), "") if known else ""
