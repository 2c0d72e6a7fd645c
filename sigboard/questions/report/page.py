"""What do I hand in? The check before submission, the sentences for the paper, and one file with everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st

from sigboard.questions.report import report as reports
from sigboard.questions.report.report import SYMBOLS, WORDS, Report, report_json
from sigboard.render import bibtex, paper
from sigboard.render import sentences as sentences_of
from sigboard.render.bibtex import command_line
from sigboard.server import jobs, limits
from sigboard.shell import address, captions, downloads, inputs, links, page, queries, seen, session, trusted, uploads
from sigboard.shell import runs as several
from sigboard.shell.queries import key_of, running, study
from sigboard.shell.settings import ALSO, TEST, Chosen, choose
from sigcore import MatrixResult, TestResult, data
from sigcore.formatting import count
from sigcore.studies import matrix, report
from sigcore.studies import runs as counted
from sigcore.types import AUTO, NO_RUNS

# What the report page asks beyond the grid.


def pictures(visit: session.Visit, resamples: int) -> Mapping[report.Of, TestResult] | None:
    """The histograms of all pairs under the chosen metric and test; None while they are drawn. Only one job of a visit
    runs at a time, so call it when the grid is final."""
    asked, runtime = replace(study(visit), family=queries.chosen().family), running()
    asked = replace(asked, unit=asked.drawn[0], alpha=0.05, resamples=max(1, resamples))

    def work(job: jobs.Job) -> Mapping[report.Of, TestResult]:
        return report.pictures(asked, runtime(job))

    drawn: Mapping[report.Of, TestResult] | None = jobs.result(key_of("pictures", asked), work, ends=False)
    return drawn


# Parts of the report page: the checks with their fixes, the sentences, the files to download.

COLOURS = {"green": "green", "amber": "orange", "unknown": "gray", "red": "red"}
UNSEEN, BASELINE = "unseen", "daggers"
NUMBERS = ("resamples",)  # settings whose values are numbers


@dataclass(frozen=True, eq=False)
class Found:
    """What the sidebar asks, and all warnings; with several runs of each system what the runs are, and their results."""

    grids: tuple[MatrixResult, ...]
    warnings: tuple[str, ...]
    systems: several.Systems = field(default_factory=dict)
    runs: tuple[counted.RunsResult, ...] = ()


def found(visit: session.Visit, now: Chosen, grid: MatrixResult, systems: several.Systems | None) -> Found:
    """The `grid` of the sidebar and those of further metrics, or those of runs where the person has said that outputs are
    runs of these `systems`."""
    if systems is None:
        grids = (grid, *queries.more_grids(visit))
        warnings = sentences_of.of_grids(downloads.warned(visit.collection), grids, now.settings.correction)
        return Found(grids, tuple(warnings))
    results = tuple(several.result(visit, systems, metric) for metric in ("", *now.also))
    grids = tuple(item.grid for item in results)
    return Found(grids, tuple(several.warned(visit, systems, results)), systems, results)


def made(visit: session.Visit, of: Found, now: Chosen, name: str) -> Report:
    """The report of what was found, without histograms; `name` is that of its files."""
    loaded, grids = inputs.sound(visit, 2), of.grids
    looks, result = seen.look(visit, now), grids[0]
    case = report.Case(
        loaded.testset,
        loaded.outputs,
        grids,
        now.alpha,
        metrics=max(len({metric for metric, _ in looks}), len(grids)),
        tests=len({test for _, test in looks}),
        where="this visit",
        unseen=address.text_of(UNSEEN) == "1",
        findings=loaded.findings,
        tried_metrics=sorted({metric.partition(" ")[0] for metric, _ in looks}),
        reasons={name: reason for name in report.NAMES if (reason := address.text_of(f"{address.REASON}{name}"))},
        people=queries.usual_people(visit),
        runs=of.systems,
        unstable=list(dict.fromkeys(system for item in of.runs for system in item.unstable)),
    )
    chosen, checked = now.family.baseline or address.text_of(BASELINE) or "", report.check(case)
    return Report(
        session.title(visit.collection),
        grids,
        checked,
        now.alpha,
        _command(visit, of, now, name, checked),
        baseline=chosen if chosen in result.systems else "",
        warnings=of.warnings,
        runs=of.runs,
        recipes=data.recipes(visit.collection),
    )


def _command(visit: session.Visit, of: Found, now: Chosen, name: str, checked: Sequence[report.Check]) -> str:
    """The command that gives the same numbers from the project file."""
    collection, setup = visit.collection, of.grids[0].setup
    given: dict[str, object] = {
        "command": "report",
        "project": f"{name}.sigboard",
        "testset": collection.testset,
        "measure": collection.measure,
        "missing": "refuse" if collection.missing == "keep" else collection.missing,
        "name": session.title(collection),
        "option": [f"{now.metric}.{option}={value}" for option, value in now.options.items()],
        "unit": now.unit,
        "metric": [now.metric, *now.also],
        "test": [now.test],
        "alternative": setup.side,
        "alpha": now.alpha,
        "correction": now.settings.correction,
        "resamples": (of.runs[0].resamples if of.runs else 0 if setup.fewest else setup.resamples) or AUTO,
        "ties": setup.ties,
        "seed": setup.seed,
        "estimator": setup.estimator,
        "json": f"{name}.json",
        "out": [f"{name}.html"],
        "baseline": now.family.baseline or address.text_of(BASELINE) or "",
        "family": "baseline" if now.family.baseline else "",
        "pair": list(now.family.pairs),
        "late": now.family.late,
        "unseen": address.text_of(UNSEEN) == "1",
        "acknowledge": [f"{one.name}={one.reason}" for one in checked if one.reason],
    }
    if of.runs:  # their test is the shuffle, over all pairs
        given |= {"test": [TEST], "family": "", "pair": [], "late": False}
        given["correction"] = queries.without_joint(now.settings).correction
        given |= {"runs_from_names": several.patterns(), "shuffle": several.shuffle_of(of.systems)}
    elif several.denied():
        given |= {"runs_from_names": [NO_RUNS]}
    return command_line(given)


def summary(checks: Sequence[report.Check]) -> None:
    """How many checks are in each state, in one line."""
    parts = []
    for state in (one for one in reversed(report.STATES) if one != "green"):
        number = sum(check.state == state and not check.reason for check in checks)
        if number:
            parts.append(f":{COLOURS[state]}-badge[{SYMBOLS[state]} {number} {WORDS[state]}]")
    said = sum(bool(check.reason) for check in checks)
    parts += [f":blue-badge[{said} acknowledged]"] if said else []
    st.markdown(" ".join(parts))


def checks(of: Sequence[report.Check]) -> None:
    """Every check that is open, the most serious first; the others are one click away."""
    ordered = sorted(of, key=lambda one: -report.STATES.index(one.state))
    for check in (one for one in ordered if one.open):
        with st.container(border=True):
            _check(check, short=True)
            if check.name == "tuning":
                _unseen()
            _act(check)
    closed = [one for one in ordered if not one.open]
    if closed:
        page.fold("sigboard.report.closed", f"{count(len(closed), 'check')} done", partial(_closed, closed))


def _closed(checks: Sequence[report.Check]) -> None:
    for check in checks:
        _check(check)
        if check.name == "tuning":
            _unseen()
        if check.state != "green":
            _act(check)


PROJECT = "Drop a project file on the page Files to open it again, here or elsewhere."


def _check(check: report.Check, short: bool = False) -> None:
    """A check: its state in a word and a symbol, and its answer; a short one has the rest of it behind "?"."""
    badge = f":{COLOURS[check.state]}-badge[{SYMBOLS[check.state]} {WORDS[check.state]}]"
    badge += " :blue-badge[acknowledged]" if check.reason else ""
    first, stop, rest = check.answer.partition(". ") if short else (check.answer, "", "")
    if short and check.state == "unknown":  # the question says it
        first, stop, rest = "", "", check.answer
    more = page.literal(f"{rest} {check.fix}".strip()) if short else ""
    said = f"{badge} **{page.literal(check.question)}** {page.literal(first + stop.strip())}"
    st.markdown(said, help=more or None)


def _act(check: report.Check) -> None:
    """The button or the link that helps, and the box in which the author gives a reason instead."""
    setting = check.setting if check.setting and _allowed(*check.setting) else None
    with st.container(horizontal=True, vertical_alignment="center"):
        if setting is not None:
            st.button(check.fix, key=f"fix.{check.name}", on_click=_set, args=setting, icon=":material/build:")
        elif check.page:
            st.page_link(f"pages/{check.page}.py", label="Files", icon=":material/upload_file:", width="content")
        with st.popover("Acknowledge" if not check.reason else "Reason", icon=":material/edit_note:"):
            key = f"sigboard.{address.REASON}{check.name}"
            st.session_state[key] = check.reason  # the address is the only state
            st.text_input(
                "What you say of it in the paper",
                key=key,
                on_change=lambda: address.keep(f"{address.REASON}{check.name}", st.session_state[key].strip() or None),
                help="The check is then acknowledged, and the report gives your reason next to it.",
            )
    if check.reason:
        st.markdown(f"Reason: {page.literal(check.reason)}")


def _allowed(name: str, value: str) -> bool:
    """Whether this server allows the value."""
    return name not in NUMBERS or value == AUTO or int(value) <= limits.RESAMPLES.most


def _unseen() -> None:
    """The box in which the author says what the files cannot show."""
    st.session_state["sigboard.unseen"] = address.text_of(UNSEEN) == "1"  # the address is the only state
    st.checkbox(
        "The test set was not used to build, tune or select a system",
        key="sigboard.unseen",
        on_change=lambda: address.keep(UNSEEN, "1" if st.session_state["sigboard.unseen"] else None),
    )


def _set(name: str, value: str) -> None:
    """Set a setting of the sidebar, before it is drawn."""
    if name in (ALSO, several.KEY):  # without a box of their own
        address.keep(name, value)
        return
    st.session_state[name] = int(value) if name in NUMBERS and value.isdigit() else value


def scores(of: Report) -> None:
    """The table of scores as papers print it."""
    table = paper.scores(of.results, of.alpha, of.baseline)
    st.markdown(paper.scores_markdown(table))


def files(visit: session.Visit, run: matrix.MatrixRun, of: Report, name: str) -> None:
    """The downloads; the HTML file when its histograms are drawn."""
    result = of.results[0]
    pairs = len(result.systems) * (len(result.systems) - 1) // 2
    # while more resamples are drawn, or after that was cancelled, the file has no histograms; nor with several runs
    drawn = pictures(visit, result.setup.resamples) if not of.runs and queries.is_final(run) else {}
    if pairs > report.MOST_PAIRS:
        st.caption(f"{count(pairs, 'pair')} are too many for histograms in the HTML file; it has their numbers.")
    with st.container(horizontal=True):
        _html(of, drawn, name)
        downloads.later("Tables (LaTeX)", lambda: of.latex, name, "tex")
        downloads.later("Tables (Markdown)", lambda: of.markdown, name, "md")
        downloads.later("Tables (XLSX)", lambda: reports.WRITERS[".xlsx"](of), name, "xlsx")
        downloads.csv("All pairs (CSV)", lambda: reports.pair_rows(of), name)
        downloads.later("References (BibTeX)", lambda: bibtex.of_results(of.results), name, "bib")
        downloads.as_json("Everything (JSON)", lambda: report_json(of), name)
        downloads.later("Project (data, settings, results)", uploads.maker(visit, run), name, "sigboard")


def _html(of: Report, drawn: Mapping[report.Of, TestResult] | None, name: str) -> None:
    """The buttons of the HTML file and of the figures."""
    if drawn is None:
        st.button("Report (HTML): drawing histograms", disabled=True, icon=":material/hourglass_empty:")
        return
    whole = replace(of, pictures=drawn)
    downloads.later("Report (HTML)", lambda: reports.WRITERS[".html"](whole), name, "html")
    downloads.later("Figures (SVG and PNG)", lambda: reports.figures_zip(whole), name, "zip")


def show() -> None:
    """The page."""
    with page.question("report") as visit:
        now = queries.chosen()
        captions.context(visit)
        inputs.ready(visit)
        # before anything is computed, and while it is: the answer decides what is shown
        systems = several.asked(visit, silent=not several.patterns(), all_pairs=True)
        run = queries.matrix_run(visit, whole=True)
        results = found(visit, now, queries.matrix_read(run), systems)
        metrics, test = (grid.setup.metric for grid in results.grids), "runs" if results.runs else now.test
        name = downloads.file_name("sigboard", session.file_title(visit.collection), "report", *metrics, test)
        report = made(visit, results, now, name)
        result = results.grids[0]
        captions.grid_verdict(result, now.alpha)
        if said := trusted.sentence(visit):
            page.caption(said)
        check, words, table = st.tabs(["Check", "Sentences", "Scores"], key="sigboard.report", on_change="rerun")
        if check.open:
            with check:
                summary(report.checks)
                checks(report.checks)
        if words.open:
            with words:
                for title, text in (
                    ("Verdict", report.verdict),
                    ("Methods", report.methods),
                    ("Command", report.command),
                ):
                    st.markdown(f"**{title}**")
                    st.code(text, language=None, wrap_lines=True)
                st.caption("The command gives the same numbers, in the folder of the project file that is saved below.")
        if table.open:
            with table:
                ordered = {result.systems[i]: result.systems[i] for i in result.order}
                choose(BASELINE, {"": "none", **ordered}, "", label="baseline of the daggers")
                scores(report)
        st.subheader("Files", anchor=False, help=PROJECT)
        files(visit, run, report, name)
        links.share("report")
