"""Whether outputs are runs of one system: the question where names look like it, the guess as a table, and the shuffle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from sigboard.ui import address, captions, controls, downloads, page, session
from sigcore import data, formatting
from sigcore.studies import runs

KEY, NO, JOIN, MOST = "runs", "no", " ; ", 6
PATTERN, SHUFFLE = "sigboard.runs.pattern", "shuffle"
SHUFFLES = {"exact": "exact shuffle", "multeval": "MultEval's shuffle"}
Systems = Mapping[str, Sequence[str]]


def asked(visit: session.Visit, silent: bool = False) -> Systems | None:
    """The names of the runs of every system, if the person has said that they are runs; None otherwise.

    Where names look like runs of one system, the page asks. `silent` draws nothing, as in Present mode.
    """
    names = captions.systems(visit)
    said = address.text_of(KEY)
    address.keep(KEY, said)
    patterns = said.split(JOIN) if said and said != NO else []
    if data.run_names.fit(names, patterns):
        systems = data.run_names.by_pattern(names, patterns)
        if not silent:
            _confirmed(names, systems)
        if len(systems) > 1:
            return systems
        if not silent:
            st.info("All outputs are runs of one system, so there is no other system to compare it with.")
        return None
    found = data.run_names.like_runs(names)
    if found and said != NO and not silent:
        _ask(names, found)
    return None


def _confirmed(names: Sequence[str], systems: Systems) -> None:
    """What was said, the shuffle, and a button that takes the answer back."""
    with st.container(horizontal=True, vertical_alignment="center"):
        counted = formatting.count(len(names), "output")
        what = f"{counted} as runs of {formatting.count(len(systems), 'system')}; p by"
        st.markdown(f":small[{page.literal(what)}]", width="content")
        equal = len({len(own) for own in systems.values()}) == 1
        controls.choose(
            SHUFFLE,
            SHUFFLES,
            label="shuffle of runs",
            label_visibility="collapsed",
            width=190,
            disabled=not equal,
            help=f"Exact: {runs.SHUFFLES['exact'].help}\n\nMultEval: {runs.SHUFFLES['multeval'].help} It needs the same number of "
            "runs of each system.",
        )
        _answer("Compare them as different systems", NO, "tertiary", names, ":material/undo:")


def shuffle_of(systems: Systems) -> str:
    """The chosen shuffle; systems with different numbers of runs have only the exact one."""
    chosen = str(controls.current(SHUFFLE, SHUFFLES, "exact"))
    return chosen if len({len(own) for own in systems.values()}) == 1 else "exact"


def _ask(names: Sequence[str], found: Mapping[str, Sequence[str]]) -> None:
    """The question, with the guess as a pattern that can be changed, and what it makes of the names."""
    guess = JOIN.join(dict.fromkeys(map(data.run_names.pattern_of, found)))
    alike = next(iter(found.values()))
    more = f"; and of {formatting.count(len(found) - 1, 'other system')}" if len(found) > 1 else ""
    shown = ", ".join(alike[:MOST]) + (", ..." if len(alike) > MOST else "") + more
    with st.container(border=True):
        st.markdown(
            f"**These look like runs of one system: {page.literal(shown)}. Treat them as runs?** Runs are repetitions of "
            "training or tuning, with other seeds. Checkpoints of one training are more alike than trainings: they do not show "
            "how much another training would differ."
        )
        key = f"{PATTERN}.{guess}"
        text = st.text_input(
            "Pattern of the names",
            guess,
            key=key,
            help=f"{{system}} and {{run}} are where the names of systems and runs are; everything else is literal. Several "
            f'patterns are separated by "{JOIN.strip()}". Outputs that fit none are systems with one run.',
        )
        patterns = [part.strip() for part in str(text).split(JOIN.strip()) if part.strip()]
        systems = data.run_names.by_pattern(names, patterns)
        rows = [{"system": name, "count": len(own), "runs": ", ".join(own)} for name, own in systems.items()]
        column = st.column_config.Column
        downloads.table(
            rows, None, system=column("System"), count=column("Runs"), runs=column("Outputs", width="large")
        )
        with st.container(horizontal=True):
            _answer("Yes, they are runs", JOIN.join(patterns), "primary")
            _answer("No, different systems", NO, "secondary")


def _answer(label: str, value: str, kind: Any, names: Sequence[str] = (), icon: str | None = None) -> None:
    """A button that stores the answer; the first two of the `names` become the pair, as the chosen one is gone."""
    st.button(label, on_click=_store, args=(value, names), type=kind, key=f"sigboard.runs.{kind}", icon=icon)


def _store(value: str, names: Sequence[str]) -> None:
    address.keep(KEY, value)
    st.session_state.update(zip(("system", "baseline"), names, strict=False))
