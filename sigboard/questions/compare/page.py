"""Is A really better than B? The null of the chosen test as a large histogram, the other tests as small ones, the verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from sigboard.questions.compare import figure, report
from sigboard.questions.compare import strip as strips
from sigboard.render import sentences as reports
from sigboard.render import style
from sigboard.render.json import compare_json
from sigboard.render.style import finished
from sigboard.server import cache
from sigboard.shell import captions, downloads, inputs, page, pair, queries, runs, seen, session
from sigboard.shell.pair import Source
from sigboard.shell.settings import Chosen
from sigcore import CompareResult, Family, TestResult, formatting, results, significance
from sigcore.results import Families, Row, compare_rows
from sigcore.studies import enough, pairwise
from sigcore.studies import strip as strip_study

# Parts of the page Pair: the family of the pair, the verdict in it, the other tests, and what is downloaded.

PREFERRED = "approximate_randomization"  # holds its level with any number of units
ALL = 0
MARGIN, STAGE = "sigboard.margin", "sigboard.nulls"
TIE = 1e-9  # of a cut-off: a resample on it counts
STRIP = "Would another test, unit or program say the same?"
STEPS = " The first resamples alone can be shown for up to 100,000; of more, single ones are not stored."
_ONLY = " Only the verdict of the chosen row is, by the correction that marks it."
COLUMNS = {"counted": "Counted", "counts_if": "Counts if gain is", "on_cutoff": "On cut-off"}


def choose_pair(visit: session.Visit) -> tuple[str, str, Source]:
    """The system, the baseline, and the family of their pair, chosen in one row, which Present mode hides."""
    with st.container(key=page.HIDDEN):
        boxes, family = st.columns([3, 2], gap="medium")
        with boxes:
            system, baseline = pair.pair(horizontal=True)
        with family:
            return system, baseline, pair.choose(len(captions.systems(visit)), queries.family_of(system, baseline))


def computed(visit: session.Visit, system: str, baseline: str, source: Source) -> CompareResult:
    """The pair under every test; as one of many, with as many resamples as it has in the grid, or as Gain."""
    margin = st.session_state.get(MARGIN)
    if source == "gain":
        return queries.compare_result(visit, system, baseline, enough.fixed(queries.chosen().resamples), margin)
    if source == "planned":
        return queries.compare_result(visit, system, baseline, None, margin, planned=True)
    run = queries.matrix_run(visit, whole=True, family=queries.family_of(system, baseline))
    drawn, exact = run.drawn_of(system, baseline) or enough.START, queries.matrix_read(run).setup.exact
    return queries.compare_result(visit, system, baseline, drawn, margin, exact)


def equality(result: CompareResult, now: Chosen) -> None:
    """A box for the smallest gain that matters, and whether the two systems are equal within it."""
    with st.expander("Equal enough? Test whether the difference is too small to matter"):
        st.number_input(
            f"Smallest gain that matters ({result.setup.metric_title})",
            min_value=10.0**-result.setup.decimals,
            value=None,
            step=10.0 ** (1 - result.setup.decimals),
            format=f"%.{result.setup.decimals}f",
            placeholder="for example 1",
            key=MARGIN,
            help="Two one-sided tests: is the true gain above minus this, and below this? Choose it before you see the scores.",
        )
        if words := results.equal_enough(chosen(result, now), now.alpha):
            st.markdown(page.literal(words))


def families_of(visit: session.Visit, result: CompareResult, source: Source) -> Families:
    """The family of each test: the grid of the page Grid with its correction, all pairs uncorrected, or this pair alone."""
    if source == "planned":
        planned = pair.planned()
        return lambda _: planned
    if source == "gain":
        systems = len(captions.systems(visit))
        shown = results.uncorrected(systems * (systems - 1) // 2, result.setup.side)
        return lambda _: shown
    family = queries.family_of(result.system, result.baseline)
    return results.InGrids((queries.matrix_result(visit, whole=True, family=family),))


def verdict(result: CompareResult, now: Chosen, families: Families) -> None:
    """The verdict of the chosen test in its family, as a sentence, and the numbers behind it in a line."""
    one = chosen(result, now)
    captions.sentence(reports.headline(one, now.alpha, families(one)))
    page.caption(line(result, now, families(one)))
    if one.setup.instead:
        page.caption(one.setup.instead)


def reasons(result: CompareResult, now: Chosen, families: Families) -> None:
    """The verdict with all that it rests on, and that of the preferable test where there are few units."""
    one = chosen(result, now)
    st.markdown(page.literal(results.verdict(one, now.alpha, families(one))))
    few = one.setup.n < significance.FEW_UNITS or math.isnan(one.p_value)
    if few and significance.get(now.test).draws == "bootstrap":
        other = result.result(PREFERRED, now.settings.side)
        instead = results.verdict(other, now.alpha, families(other))
        st.markdown(page.literal(f"Preferable with few units: {instead}"))


def line(result: CompareResult, now: Chosen, family: Family) -> str:
    """Both scores with their intervals, the Monte Carlo interval of p, and p before the correction where there is one."""
    setup, raw = result.setup, chosen(result, now)
    one = family.decides(raw)
    scores = [
        f"{name} {formatting.format_score(score, setup.decimals)} {formatting.format_interval(ends, setup.decimals)}"
        for name, score, ends in zip(
            (result.system, result.baseline), result.scores, result.score_intervals, strict=True
        )
    ]
    p = "p" if one is raw else f"p adjusted ({family.correction_title})"
    interval = formatting.format_p_interval(one.p_interval, one.setup.resamples)
    parts = [f"{setup.metric_title}, {formatting.format_level(setup.level)} intervals: {', '.join(scores)}"]
    parts.append(f"{p} {interval}" if interval in ("exact", "n/a") else f"Monte Carlo interval of {p}: {interval}")
    if one.undecided(now.alpha):
        parts.append("borderline" if one.borderline(now.alpha) else "more resamples could change the verdict")
    return " · ".join(parts)


def chosen(result: CompareResult, now: Chosen) -> TestResult:
    """The result of the test and side of the sidebar."""
    return result.result(now.test, now.settings.side)


def choose_steps(test: TestResult) -> int | None:
    """How many of the first resamples are drawn, None for all; a choice only where the single resamples were kept."""
    if test.null is None:
        return None
    noun = "shuffle" if test.counted == "shuffles" else "resample"
    words = {1: f"one {noun}", 10: "ten", 100: "a hundred", ALL: f"all {test.drawn:,}"}
    shown = st.segmented_control(
        "shown",
        [first for first in words if first < len(test.null)],
        format_func=lambda first: words[first],
        default=ALL,
        required=True,
        key="sigboard.steps",
        label_visibility="collapsed",
    )
    return None if shown in (None, ALL) else int(shown)


def choose_test(name: str) -> None:
    """Make it the test of the sidebar."""
    st.session_state[queries.chosen().test_key] = name


def stage_caption(result: CompareResult, test: TestResult) -> None:
    """What the histograms show."""
    kept = "" if test.null is not None or not test.setup.resamples else STEPS
    if test.exact and test.drawn:
        kept = f" p is exact, from all ways to swap; {formatting.count(test.drawn, 'shuffle')} of them are shown."
    captions.caption(
        result,
        "Click a bar to open the segments behind it. Blue: resamples that count towards p. Solid line: the observed gain. Dashed lines: the other cut-offs. The tests "
        f"below have the same axis of gains; click one to choose it.{kept}",
    )


def table(result: CompareResult, now: Chosen, families: Families) -> list[Row]:
    """All tests and sides, the chosen one marked, and what choosing among them would be; returns the rows, whole."""
    mine = chosen(result, now)
    family = families(mine)
    st.subheader("All tests, two-sided and one-sided", anchor=False)
    st.caption(page.literal(f"No p-value in this table is corrected.{_ONLY if family.adjusted is not None else ''}"))
    rows = compare_rows(result, now.alpha, families)
    rows = [{"chosen": "chosen" if item is mine else "", **row} for item, row in zip(result.results, rows, strict=True)]
    correction = "" if family.adjusted is None else family.correction_title
    shown = [_shown(row, result.setup.decimals, correction) for row in rows]
    downloads.table(shown, result.setup, **{name: st.column_config.Column(label) for name, label in COLUMNS.items()})
    return rows


def _shown(row: Mapping[str, Any], decimals: int, correction: str) -> Row:  # Any: a row that is read
    """The columns that differ between the tests; the others are in the line above the table and in the files.

    The mark of the chosen row names the correction of its verdict, so that all columns fit a laptop screen.
    """
    verdict = row["verdict"].partition(", ")[0]
    row = {**row, "verdict": verdict, "chosen": correction if row["chosen"] and correction else row["chosen"]}
    ends = [("≤", row["cutoff_low"]), ("≥", row["cutoff_high"])]
    cuts = [f"{sign} {formatting.format_score(end, decimals)}" for sign, end in ends if math.isfinite(end)]
    first, second = ("chosen", "test", "alternative", "p_value"), ("verdict", "p_low", "p_high")
    return {name: row[name] for name in (*first, *second)} | {
        "counted": _counted(row),
        "counts_if": " or ".join(cuts).replace("-", "\u2212") or "n/a",
        "on_cutoff": "n/a" if row["ties"] is None else f"{row['ties']:,}",
    }


def _counted(row: Row) -> str:
    """How many resamples count, twice for a p that is doubled; "n/a" where p is undefined."""
    if not row["resamples"]:
        return "exact"
    twice = "2 \u00d7 " if row["doubled"] else ""
    return "n/a" if row["tail"] is None else f"{twice}{row['tail']:,} of {row['resamples']:,}"


def methods(result: CompareResult, now: Chosen, families: Families) -> None:
    """The sentences for a paper: the test, and its family."""
    test = chosen(result, now)
    captions.methods(test, now.alpha, reports.family_methods(families(test), test))


def with_runs(visit: session.Visit, several: runs.Systems, presenting: bool) -> None:
    """Two systems with several runs each; in Present mode the figure alone."""
    now, theme = queries.chosen(), page.theme()
    with st.container(key=page.HIDDEN):
        pair.offer(list(several))
        names = pair.pair(horizontal=True)
    if names[0] == names[1]:
        st.info("Choose two different systems.", icon=":material/info:")
        return
    found = runs.result(visit, several)
    both = runs.places(found, *names)
    if not presenting:
        runs.verdict(found, both, now.alpha)
    with st.container(key=page.FIGURE):
        drawn = cache.once(finished, figure.spread, found, both, theme, page.phone())
        page.chart(
            style.enlarged(drawn, page.FACTOR, page.HEIGHT) if presenting else drawn,
            key="sigboard.spread",
            height="stretch" if presenting else "content",
            alt=figure.spread_alt(found, both),
        )
    with st.container(key=page.STEPS, horizontal=True, horizontal_alignment="right"):
        page.button()
    if presenting:
        return
    runs.spread_caption(found)
    runs.systems_table(found, both)
    runs.tests_table(found, both)
    own = {name: several[name] for name in names}
    shuffle, number = runs.shuffle_of(several), found.resamples
    page.fold("sigboard.strip.fold", STRIP, lambda: draw_strip(queries.strip_of_runs(visit, own, shuffle, number)))
    captions.notes(found.grid.notes)
    name = downloads.file_name("sigboard", session.file_title(visit.collection), "runs", *names, now.metric)
    runs.save(visit, several, found, name)


def strip(visit: session.Visit, result: CompareResult, source: Source) -> None:
    """Every test over every unit as one coloured row, and what other programs print; computed once it is opened."""
    drawn = max((item.drawn for item in result.results), default=0) or enough.START
    planned = source == "planned"
    exact = planned or result.setup.exact
    draw_strip(queries.strip_result(visit, result.system, result.baseline, drawn, exact, planned))


def draw_strip(found: strip_study.StripResult | None) -> None:
    """The sentence, the tiles, the table and the notes of a strip; nothing while it is computed."""
    if found is None:
        return
    st.markdown(page.literal(found.sentence))
    drawing = cache.once(finished, strips.tiles, found, page.theme(), page.phone())
    page.chart(drawing, key="sigboard.strip", alt=strips.alt_text(found), bar=False)
    page.caption(strips.KEY)
    st.markdown("\n".join(f"- {page.literal(line)}" for line in report.programs(found)))
    downloads.small(report.strip_rows(found))
    captions.notes(found.notes)


def stage(result: CompareResult, test: TestResult, first: int | None, presenting: bool) -> None:
    """The null of the chosen test; in Present mode it fills the screen."""
    drawn = cache.once(finished, figure.stage, result, test, page.theme(), first, page.phone())
    page.chart(
        style.enlarged(drawn, page.FACTOR, page.HEIGHT) if presenting else drawn,
        key=STAGE,
        height="stretch" if presenting else "content",
        alt=figure.alt_text(result, test, first),
        on_select="ignore" if presenting else pair.opens_bar(figure.clicked, STAGE, of_bar(result, test)),
        selection_mode="points",
    )


def of_bar(result: CompareResult, test: TestResult) -> tuple[str, str, str, str]:
    """What a bar is one of."""
    return result.system, result.baseline, result.setup.metric, test.setup.test


def texts(result: CompareResult, test: TestResult) -> None:
    """Buttons that open the segments: of the pair, and of the resamples that are at least as far on the side of the gain."""
    with st.container(horizontal=True):
        pair.show_segments(result.system, result.baseline, "sigboard.compare.segments")
        side = 0 if result.gain < 0 else 1
        cutoff = test.cutoffs[side]
        if test.null is None or not math.isfinite(cutoff):
            return
        edge = cutoff - TIE * max(1.0, abs(cutoff)) * (1 if side else -1)
        if bool(((test.null >= edge) if side else (test.null <= edge)).any()):
            ends = (edge, math.inf) if side else (-math.inf, edge)
            filters = pair.filters_of(of_bar(result, test), ends)
            pair.show_segments(key="sigboard.compare.tail", label="Segments behind the tail", **filters)


def small_figures(result: CompareResult, now: Chosen) -> None:
    """The nulls of the other tests; a click chooses one."""
    shown = [item for item in result.results if item.setup.side == now.settings.side and item.setup.test != now.test]
    for place, other in zip(st.columns(max(1, len(shown))), shown, strict=False):
        with place:
            name = other.setup.test
            st.button(
                other.setup.test_title,
                on_click=choose_test,
                args=(name,),
                key=f"sigboard.choose.{name}",
                type="tertiary",
                wrap=True,
            )
            page.chart(
                cache.once(finished, figure.small, result, other, page.theme()),
                key=f"sigboard.small.{other.setup.test}",
                on_select=partial(choose_test, other.setup.test),
                selection_mode="points",
                alt=figure.alt_text(result, other),
                bar=False,
            )


def more(visit: session.Visit, result: CompareResult, now: Chosen, families: Families) -> None:
    """What the first look leaves out: the whole verdict, how to read the figures, and the notes."""
    reasons(result, now, families)
    stage_caption(result, chosen(result, now))
    st.caption(page.literal(reports.OTHER_TESTS))
    loaded = inputs.sound(visit, 2)
    of = {outputs.system: outputs for outputs in loaded.outputs}
    found = pairwise.mcnemar(loaded.testset, of[result.system], of[result.baseline])
    if found is not None:
        st.caption(page.literal(str(found)))
    captions.notes(result.notes)


def show() -> None:
    """The page."""
    with page.question("compare") as visit:
        now, presenting = queries.chosen(), page.active()
        if not presenting:
            captions.context(visit)
        inputs.ready(visit)
        several = runs.asked(visit, silent=presenting)
        if several is not None:
            with_runs(visit, several, presenting)
            st.stop()
        pair.offer(captions.systems(visit), queries.best_first(visit))
        system, baseline, source = choose_pair(visit)
        result = computed(visit, system, baseline, source)
        families, test = families_of(visit, result, source), chosen(result, now)
        if not presenting:
            verdict(result, now, families)
        chart, steps = st.container(key=page.FIGURE), st.container(key=page.STEPS)
        with steps, st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            first = choose_steps(test)
            page.button()
        with chart:
            stage(result, test, first, presenting)
        if presenting:
            st.stop()

        page.details("compare", partial(more, visit, result, now, families), len(result.notes))
        texts(result, test)
        small_figures(result, now)
        equality(result, now)
        page.fold("sigboard.strip.fold", STRIP, lambda: strip(visit, result, source))
        seen.line(visit, now)
        rows = table(result, now, families)
        name = downloads.file_name(
            "sigboard", session.file_title(visit.collection), "compare", system, baseline, now.metric
        )
        with st.container(horizontal=True):
            downloads.csv("Tests (CSV)", lambda: rows, name)
            downloads.csv("Histograms (CSV)", lambda: downloads.histogram_rows(result), f"{name}_nulls")
            said = downloads.warned(visit.collection, result.notes)
            downloads.as_json(
                "Everything (JSON)", lambda: compare_json([result], said, now.settings.side, families, now.alpha), name
            )
        methods(result, now, families)
