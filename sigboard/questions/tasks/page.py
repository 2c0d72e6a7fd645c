"""Which system is better on several tasks? The gain of a pair on each task and on average, and all scores."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from sigboard.questions.tasks import figure
from sigboard.questions.tasks import report as written
from sigboard.server import cache
from sigboard.shell import captions, downloads, inputs, page, queries, session
from sigcore import data, formatting
from sigcore.results import as_json, rows
from sigcore.studies import tasks

MOST_ROWS = 30  # that are named
SAMPLE = "harbour-quiz"
ANSWERS = ("tasks", "measures of one task")


def computed(visit: session.Visit) -> tasks.TasksResult:
    """Every task of what is loaded, under the settings of the sidebar."""
    collection = visit.collection
    items = collection.edited()
    if not collection.items and (collection.problems or collection.preferences):
        inputs.ready(visit)
    names = tasks.testsets(items)
    if not names:
        needs = "This page needs scores per question, or labels beside the right ones, of two or more systems on several tasks."
        inputs.invite(visit, needs, samples=(SAMPLE,))
    found = tasks.layout(items, names)
    own = found.names if _are_tasks(found) else ()
    measures = [] if own else _measures([data.choices(items, name, "scores").measures for name in names])
    now = queries.chosen()
    chosen, exact = tasks.of_collection(collection, own, measures, collection.missing, now.unit), now.settings.exact
    run = partial(tasks.run, exact=exact)
    usual = tasks.enough(chosen, now.alpha)
    return queries.counted("tasks", (chosen, exact), lambda runtime: chosen, run, tasks.read, usual)


def _are_tasks(found: tasks.Layout) -> bool:
    """Whether each file is a task; where nothing in the files says so, the page asks, and waits for the answer."""
    if found.files != "unclear":
        return found.files == "tasks"
    key = f"sigboard.tasks.files.{'|'.join(found.names)}"  # other files are another question
    if st.session_state.get(key) is None:
        st.info(page.literal(found.question), icon=":material/help:")
    answer = st.segmented_control("The files are", ANSWERS, key=key)
    if answer is None:
        st.stop()
    return answer == ANSWERS[0]


def _measures(known: list[tuple[str, ...]]) -> list[str]:
    """The measure of each task; a box for those of tasks that have several."""
    several = list(dict.fromkeys(name for own in known if len(own) > 1 for name in own))
    if not several:
        return []
    with st.sidebar:
        first = st.selectbox("measure", several, key="sigboard.tasks.measure", help="Used on each task that has it.")
    return [str(first), *several]


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


def draw_hanging(found: tasks.TasksResult) -> None:
    """The fewest questions of each task whose removal changes the verdict between its two best systems."""
    for one in cache.once(tasks.hanging, found.run, found.alpha):
        st.markdown(page.literal(str(one)))
        removed = ", ".join(str(number + 1) for number in one.fragility.removed.tolist()[:MOST_ROWS])
        if removed:
            page.caption(f"Rows of the file: {removed}{', ...' if len(one.fragility.removed) > MOST_ROWS else ''}.")


def save(found: tasks.TasksResult, visit: session.Visit) -> None:
    """The notes, and everything on the page as files."""
    name = downloads.file_name("sigboard", session.file_title(visit.collection), "tasks")
    warnings = downloads.warned(visit.collection)
    with st.container(horizontal=True):
        downloads.csv("Gains (CSV)", lambda: rows(tasks.GAINS, found.gains), f"{name}_gains")
        downloads.csv("Scores (CSV)", lambda: rows(tasks.SCORES, found.scores), f"{name}_scores")
        downloads.later("Tables (LaTeX)", lambda: written.latex(found), name, "tex")
        downloads.as_json("Everything (JSON)", lambda: as_json(written.TASKS, found, warnings=warnings), name)


def explained(found: tasks.TasksResult, drawn: str) -> None:
    """What the first look leaves out: the tasks, the draws and the notes."""
    page.caption(drawn)
    captions.notes(found.notes())


def show() -> None:
    """The page."""
    with page.question("tasks") as visit:
        captions.context(visit)
        result = computed(visit)
        captions.sentence(written.headline(result))
        each = [
            f"{task.name} ({task.measure or 'score'}, {task.direction}, {formatting.count(task.units, task.noun)})"
            for task in result.run.tasks
        ]
        st.markdown(page.literal(written.summary(result)))

        one, tables = st.tabs(["One pair", "Tables"], key="sigboard.tasks", on_change="rerun")
        with one:
            gains = pair(result)
            if one.open:
                page.chart(
                    figure.gains(gains, 1 - result.alpha, page.theme(), compact=page.phone()),
                    key="sigboard.tasks.gains",
                    alt=figure.gains_alt(gains),
                )
                st.caption(
                    "Blue: the gain with the interval of the test. Grey: the interval by formula (Miller 2024). Where they differ clearly, "
                    "trust the resampled one."
                )
        if tables.open:
            with tables:
                st.subheader("Gains", anchor=False)
                downloads.records(tasks.GAINS, result.gains)
                st.subheader("Scores", anchor=False)
                downloads.records(tasks.SCORES, result.scores)
        page.fold("sigboard.tasks.fragile", "How few questions carry the verdict", lambda: draw_hanging(result))
        drawn = f"{formatting.listed(each)}; R = {result.run.resamples:,}, seed {result.run.seed}."
        page.details("tasks", partial(explained, result, drawn), len(result.notes()))
        save(result, visit)
