"""Which system is better on several tasks? The gain of a pair on each task and on average, and all scores."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from sigboard.questions.tasks import figure
from sigboard.questions.tasks import report as written
from sigboard.server import cache, jobs, limits
from sigboard.shell import captions, downloads, inputs, page, queries, session
from sigcore import data, formatting
from sigcore.results import as_json, rows
from sigcore.studies import enough, tasks
from sigcore.types import AUTO

# The parts of the tasks page: its measures, its result, the pair that is drawn, tables and downloads.

FORMULA = (
    "Blue: the gain with its bootstrap interval. Grey: the interval by formula (Miller 2024). Where they differ clearly, trust the "
    "resampled one."
)


def computed(visit: session.Visit) -> tasks.TasksResult:
    """Every task of what is loaded, under the settings of the sidebar."""
    now, collection = queries.chosen(), visit.collection
    if not collection.items or not _has_scores(visit):
        _invite(visit)
    measures = _measures(collection)
    chosen = tasks.of_collection(collection, (), measures, collection.missing, now.unit)
    plan, runtime = queries.Draws(enough.fixed(now.resamples), now.seed), queries.running()
    limits.RESAMPLES.check(plan.resamples)

    def work(job: jobs.Job) -> tasks.TasksRun:
        return tasks.run(chosen, resamples=plan.resamples, seed=plan.seed, runtime=runtime(job))

    run: tasks.TasksRun = jobs.result(queries.key_of("tasks", chosen, plan), work)
    correction = "holm" if now.settings.correction == AUTO else now.settings.correction
    return cache.once(tasks.read, run, now.alpha, correction)


def _has_scores(visit: session.Visit) -> bool:
    items = visit.collection.edited()
    return any("scores" in data.choices(items, name).kinds for name in data.choices(items).testsets or ("",))


def _invite(visit: session.Visit) -> None:
    """What this page needs."""
    if not visit.collection.items:
        inputs.ready(visit)
    inputs.invite(
        "This page needs scores per question of two or more systems, such as the logs of an evaluation with several tasks."
    )


def _measures(collection: data.Collection) -> list[str]:
    """The measure of each task; a box for those of tasks that have several."""
    items = collection.edited()
    several: dict[str, None] = {}
    for name in data.choices(items).testsets or ("",):
        known = data.choices(items, name, "scores").measures
        several |= dict.fromkeys(known if len(known) > 1 else ())
    if not several:
        return []
    with st.sidebar:
        first = st.selectbox(
            "measure", list(several), key="sigboard.tasks.measure", help="Used on each task that has it."
        )
    return [str(first), *several]


def summary(found: tasks.TasksResult) -> str:
    """The page in one sentence."""
    return written.summary(found)


def source(found: tasks.TasksResult) -> None:
    """The tasks in one line."""
    each = [
        f"{task.name} ({task.measure or 'score'}, {formatting.count(task.units, task.noun)})"
        for task in found.run.tasks
    ]
    st.caption(page.literal(f"{formatting.listed(each)}; R = {found.run.resamples:,}, seed {found.run.seed}."))


def pair(found: tasks.TasksResult) -> list[tasks.Gain]:
    """The gains of the chosen pair on all tasks, the system that is better on the last row first."""
    last = found.of(found.gains[-1].task)
    names = [f"{one.system} \u2013 {one.baseline}" for one in last]
    place = 0
    if len(names) > 1:
        place = names.index(str(st.selectbox("pair", names, key="sigboard.tasks.pair", width=420)))
    chosen = last[place]
    pairs = [one for one in found.gains if {one.system, one.baseline} == {chosen.system, chosen.baseline}]
    return [one if one.system == chosen.system else _turned(one) for one in pairs]


def _turned(one: tasks.Gain) -> tasks.Gain:
    low, high = one.interval
    return replace(one, system=one.baseline, baseline=one.system, gain=-one.gain, interval=(-high, -low))


def caption() -> None:
    """How to read the figure."""
    st.caption(FORMULA)


def draw_tables(found: tasks.TasksResult) -> None:
    """All gains and scores."""
    resamples = found.run.resamples
    gains = rows(tasks.GAINS, found.gains)
    drawn = ("p_value", "p_adjusted")
    shown = [
        {
            **row,
            "p_formula": formatting.format_p(row["p_formula"], 0),
            **{p: formatting.format_p(row[p], resamples) for p in drawn},
        }
        for row in gains
    ]
    st.subheader("Gains", anchor=False)
    downloads.table(shown)
    st.subheader("Scores", anchor=False)
    downloads.table(rows(tasks.SCORES, found.scores))


def save(found: tasks.TasksResult, visit: session.Visit) -> None:
    """The notes, and everything on the page as files."""
    name = downloads.file_name("sigboard", visit.collection.name, "tasks")
    warnings = downloads.warned(visit.collection)
    captions.notes(found.notes())
    with st.container(horizontal=True):
        downloads.csv("Gains (CSV)", lambda: rows(tasks.GAINS, found.gains), f"{name}_gains")
        downloads.csv("Scores (CSV)", lambda: rows(tasks.SCORES, found.scores), f"{name}_scores")
        downloads.later("Tables (LaTeX)", lambda: written.latex(found), name, "tex")
        downloads.as_json("Everything (JSON)", lambda: as_json(written.TASKS, found, warnings=warnings), name)


def show() -> None:
    """The page."""
    with page.question("tasks") as visit:
        captions.context(visit)
        result = computed(visit)
        captions.sentence(summary(result))
        source(result)

        one, tables = st.tabs(["One pair", "Tables"], key="sigboard.tasks", on_change="rerun")
        with one:
            gains = pair(result)
            if one.open:
                level = 1 - result.alpha
                page.chart(
                    figure.gains(gains, result.run.resamples, level, page.theme(), compact=page.phone()),
                    key="sigboard.tasks.gains",
                    alt=figure.gains_alt(gains),
                )
                caption()
        if tables.open:
            with tables:
                draw_tables(result)
        save(result, visit)
