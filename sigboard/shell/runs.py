"""Several runs of each system on the compare and matrix pages: the verdict, and what the runs add."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from sigboard.render import sentences
from sigboard.render.runs import multeval_latex, multeval_table, runs_json
from sigboard.shell import address, captions, downloads, page, queries, session, settings
from sigcore import data, formatting
from sigcore.studies import runs
from sigcore.types import Row

# Whether outputs are runs of one system: the question where names look like it, the guess as a table, and the shuffle.

KEY, NO, JOIN, MOST = "runs", "no", " ; ", 6
PATTERN, SHUFFLE = "sigboard.runs.pattern", "shuffle"
SHUFFLES = {"exact": "exact shuffle", "multeval": "MultEval's shuffle"}
Systems = Mapping[str, Sequence[str]]


# The pages that take runs, and the settings that those have no use for there: p is that of one model, over all pairs.
TAKE_RUNS, UNUSED = ("matrix", "rank", "compare", "report"), ("test", "family")


def used(word: str, names: Sequence[str], uses: Sequence[str]) -> tuple[str, ...]:
    """Which of the settings that the page of a question uses also matter where these outputs are runs of systems."""
    given = patterns() if word in TAKE_RUNS else []
    unused = UNUSED if given and data.fit_runs(names, given) else ()
    return tuple(name for name in uses if name not in unused)


def asked(visit: session.Visit, silent: bool = False, all_pairs: bool = False) -> Systems | None:
    """The names of the runs of every system, if the person has said that they are runs; None otherwise.

    Where names look like runs of one system, the page asks. `silent` draws nothing, as in Present mode. A page of
    `all_pairs` waits for the answer where several systems share runs: its whole table depends on it.
    """
    names = captions.systems(visit)
    said, given = address.text_of(KEY), patterns()
    address.keep(KEY, said)
    if data.fit_runs(names, given):
        systems = data.by_pattern(names, given)
        if not silent:
            _confirmed(names, systems)
        if len(systems) > 1:
            return systems
        if not silent:
            st.info("All outputs are runs of one system, so there is no other system to compare it with.")
        return None
    found = data.like_runs(names)
    waits = all_pairs and said != NO and data.share_runs(names)
    if found and said != NO and (waits or not silent):
        _ask(names, found)
    if waits:
        st.stop()
    return None


def _confirmed(names: Sequence[str], systems: Systems) -> None:
    """What was said, the shuffle, and a button that takes the answer back."""
    with st.container(horizontal=True, vertical_alignment="center"):
        counted = formatting.count(len(names), "output")
        what = f"{counted} as runs of {formatting.count(len(systems), 'system')}; shuffled by"
        st.markdown(f":small[{page.literal(what)}]", width="content")
        equal = len({len(own) for own in systems.values()}) == 1
        settings.choose(
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
    chosen = str(settings.current(SHUFFLE, SHUFFLES, "exact"))
    return chosen if len({len(own) for own in systems.values()}) == 1 else "exact"


def _ask(names: Sequence[str], found: Mapping[str, Sequence[str]]) -> None:
    """The question, with the guess as a pattern that can be changed, and what it makes of the names."""
    guess = JOIN.join(dict.fromkeys(map(data.pattern_of, found)))
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
        systems = data.by_pattern(names, patterns)
        rows: list[Row] = [{"system": name, "count": len(own), "runs": ", ".join(own)} for name, own in systems.items()]
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


QUESTIONS = {
    "mixed model": ("yes", "yes", "normal effects of runs and segments"),
    "shuffle of runs": ("yes", "no", "the outputs of all runs could change places"),
    "swapped as one": ("yes", "no", "the systems with all their runs could change places"),
    runs.NESTED.title: ("yes", "yes", "many runs and segments"),
    "t": ("no", "yes", "normal scores with equal variance"),
}


def places(result: runs.RunsResult, system: str, baseline: str) -> tuple[int, int]:
    """Where the two systems are in the result."""
    return result.systems.index(system), result.systems.index(baseline)


def verdict(result: runs.RunsResult, pair: tuple[int, int], alpha: float) -> None:
    """The pair in one sentence, and the other tests in a line; a warning where they do not agree."""
    grid, setup, (i, j) = result.grid, result.setup, pair
    system, baseline = result.systems[i], result.systems[j]
    gain = formatting.format_gain(float(grid.gains[i, j]), setup.decimals)
    level = int(grid.levels(alpha)[i, j])
    words = {1: "significantly better", 0: "not significantly different", -1: "significantly worse"}
    if setup.no_verdict(alpha) or math.isnan(grid.adjusted[i, j]):
        conclusion = formatting.NO_VERDICT
    else:
        conclusion = f"{words[(level > 0) - (level < 0)]} at alpha {alpha:g}"
    corrected = "" if setup.correction == "none" else f" ({setup.correction_title})"
    captions.sentence(
        f"{system} against {baseline}: {gain} {setup.metric_title} on average of the runs, p {_equals(grid.written_p(i, j))}"
        f"{corrected}: {conclusion}."
    )
    if not setup.by_formula:
        return
    shuffled = float(result.shuffled_p[i, j])
    st.markdown(
        page.literal(
            f"p is from the mixed model, for other runs and other {setup.unit.noun(2)}. With these runs as given (shuffle of "
            f"runs): p {_equals(formatting.format_p(shuffled, result.resamples))}, not corrected."
        )
    )
    if setup.caveat:
        st.warning(page.literal(setup.caveat), icon=":material/warning:")
    if not level and shuffled <= alpha and not setup.no_verdict(alpha):
        st.warning(
            "These runs differ significantly, but the mixed model does not show that the systems do. More runs would show "
            "whether the gain lasts.",
            icon=":material/warning:",
        )


def _equals(p: str) -> str:
    return p if p[:1] in "<≤>" else f"= {p}"


def systems_table(result: runs.RunsResult, chosen: Sequence[int]) -> None:
    """The average, s_sel and s_opt of systems, and the scores of their runs: MultEval's table."""
    number, decimals = st.column_config.NumberColumn, result.setup.decimals
    rows: list[Row] = [
        {
            "system": result.systems[k],
            "average": float(result.average[k]),
            "s_sel": float(result.s_sel[k]),
            "s_opt": float(result.s_opt[k]),
            "runs": "  ".join(formatting.format_score(float(score), decimals) for score in result.scores[k]),
        }
        for k in chosen
    ]
    form = f"%.{decimals}f"
    downloads.table(
        rows,
        result.setup,
        average=number("Average", format=form, help="The mean score of the runs."),
        s_sel=number(
            "s_sel", format=form, help="Standard deviation of a run's score over drawn test sets, on average."
        ),
        s_opt=number("s_opt", format=form, help="Standard deviation of the scores of the runs."),
        runs=st.column_config.Column("Scores of the runs"),
    )


def tests_table(result: runs.RunsResult, pair: tuple[int, int]) -> None:
    """Every test of the pair, and which question it answers."""
    (i, j), resamples = pair, result.resamples
    t = float(result.run_t[i, j])
    p = {
        "mixed model": formatting.format_p(float(result.mixed_p[i, j]), 0),
        "shuffle of runs": formatting.format_p(float(result.shuffled_p[i, j]), resamples),
        "swapped as one": formatting.format_p(float(result.swapped_p[i, j]), resamples),
        runs.NESTED.title: formatting.format_p(float(result.nested_p[i, j]), resamples),
        "t": formatting.format_p(float(result.run_p[i, j]), 0),
    }
    names = {"t": "t" if math.isnan(t) else f"t = {t:.2f}"}
    rows = [
        {"name": names.get(name, name), "value": p[name], "segments": segments, "runs": other, "assumes": assumed}
        for name, (segments, other, assumed) in QUESTIONS.items()
    ]
    column = st.column_config.Column
    downloads.table(
        rows,
        None,
        name=column("Test"),
        value=column("p"),
        segments=column("About other segments"),
        runs=column("About other runs"),
        assumes=column("Assumes under the null hypothesis", width="large"),
    )
    st.caption(f"Not corrected for the number of pairs. The shuffle of runs: {result.shuffle.test_title}.")
    rates()


def rates() -> None:
    """How often each test rejects where the systems are equally good, as measured."""
    with st.expander("How often each test finds a difference that is not there", icon=":material/fact_check:"):
        rows = [
            {"made": made} | {name: f"{100 * rate:g}%" for name, rate in zip(runs.TESTS, values, strict=True)}
            for made, values in runs.RATES.items()
        ]
        downloads.table(rows, None, made=st.column_config.Column("Made so that"))
        st.caption(
            "Share of 1,000 made test sets on which the test called two equally good systems different at alpha 0.05; 5% is "
            "right. 3 runs each, 100 segments. The shuffles assume the first row. Tests that take the runs as given, or see "
            "one run of each, reject too often where runs differ on all segments."
        )
        flaw = runs.SHUFFLES["multeval"].help
        st.caption(f"MultEval's shuffle: {flaw[:1].lower()}{flaw[1:]}")


def spread_caption(result: runs.RunsResult) -> None:
    """How to read the figure, and how the numbers were made."""
    setup = result.setup
    units = formatting.format_units(setup.n, setup.unit, setup.segments)
    page.caption(
        "What makes the score of a run uncertain, as standard deviations: over runs (s_opt); over segments and documents, "
        "jackknife standard errors averaged over the runs. They are not parts of one sum: documents consist of "
        f"segments. n = {units}. Tests that draw: {formatting.format_draws(result.resamples, setup.seed)}."
    )


def save(visit: session.Visit, systems: Systems, result: runs.RunsResult, name: str) -> None:
    """Everything as JSON, and MultEval's table as LaTeX."""
    said = warned(visit, systems, [result])
    with st.container(horizontal=True):
        downloads.as_json("Everything (JSON)", lambda: runs_json([result], said), name)
        downloads.later("Table (text)", lambda: f"{multeval_table([result])}\n", name, "txt")
        downloads.later("Table (LaTeX)", lambda: multeval_latex([result]), name, "tex")


def warned(visit: session.Visit, systems: Systems, found: Sequence[runs.RunsResult]) -> list[str]:
    """All warnings of these results, as the terminal gives them."""
    by_name = {item.system: item for item in visit.collection.loaded().outputs}
    own = {system: [by_name[one] for one in names] for system, names in systems.items()}
    grids, correction = [item.grid for item in found], queries.chosen().settings.correction
    return sentences.of_runs(downloads.warned(visit.collection), own, grids, correction)


def patterns() -> list[str]:
    """The patterns of the names of runs, once the person has said that they are runs."""
    said = address.text_of(KEY)
    return said.split(JOIN) if said and said != NO else []


def denied() -> bool:
    """Whether the person has said that outputs are different systems, whatever their names look like."""
    return address.text_of(KEY) == NO


def result(visit: session.Visit, systems: Systems, metric: str = "") -> runs.RunsResult:
    """All pairs of systems with their runs, under the settings of the sidebar and the chosen shuffle; `metric` is another
    one than that of the sidebar."""
    return queries.runs_result(visit, systems, shuffle_of(systems), metric)
