"""Which of my systems differ? The coloured grid of all pairs, the same as a table, and a link to compare one pair."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle

import numpy as np
import streamlit as st

from sigboard.questions.matrix import figure
from sigboard.render import paper
from sigboard.render import sentences as reports
from sigboard.render.grid import CLICK_LIMIT, DRAWN_LIMIT, cells, has_details
from sigboard.render.json import matrix_json, too_large
from sigboard.render.style import finished
from sigboard.render.tables import BINARY, pair_columns
from sigboard.server import cache
from sigboard.shell import captions, downloads, drop, inputs, live, page, pair, queries, seen, session
from sigboard.shell import runs as run_question
from sigboard.shell.settings import Chosen, choose_more
from sigcore import MatrixResult, formatting
from sigcore.results import APART, DIFFERING, METRIC_SCORES, Row, Several, grid_rows, matrix_rows, rows, scores_rows

# Parts of the page Grid: the sentence and the line above the grid, the pair picker below it.

CHART = "sigboard.grid"
SENT = 2_000_000  # cells of a picture of the grid, each of which is sent as a byte: those of 1,414 systems
BLUE = "A blue cell: the system of the row beats the system of the column, by more than chance explains at the level alpha."
SMALL = "Drag over a part to enlarge it. Click a cell to compare the pair, or choose one in the boxes below."
POINT = f"{BLUE} Point at a cell for its numbers; click it to compare the pair."


def head(result: MatrixResult, alpha: float, details: bool) -> None:
    """The result in a sentence; beside it the panel with the details of a cell, where cells have them."""
    words, panel = st.columns([3, 2], gap="medium") if details else (st.container(), None)
    with words:
        captions.grid_verdict(result, alpha)
    if panel is None:
        st.caption(BLUE)
        return
    with panel:
        live.details(CHART, POINT)


def line(result: MatrixResult, alpha: float) -> str:
    """What the sentence leaves out: the smallest significant gain, and whether more resamples could change a verdict."""
    setup = result.setup
    if setup.no_verdict(alpha) or len(result.systems) < 2:
        return formatting.draws_of(setup, seed=False)
    size = formatting.format_size(result.smallest_gain(alpha), setup.decimals)
    gain = f"Smallest significant gain {size} {setup.metric_title}" if size != "n/a" else "No gain is significant"
    if not setup.resamples:
        return f"{gain} · p is {formatting.format_draws(0, by_formula=setup.by_formula)}"
    open_ = result.undecided(alpha)
    borders = result.borderline(alpha)
    parts = [
        (int(np.triu(open_ & ~borders, k=1).sum()), "could need more"),
        (int(np.triu(borders, k=1).sum()), "borderline"),
    ]
    words = " and ".join(f"{formatting.count(number, 'pair')} {what}" for number, what in parts if number)
    hatched = " (hatched)" if len(result.systems) <= DRAWN_LIMIT else ""
    need = f"{words}{hatched}" if words else "no pair needs more"
    least = max(float(result.least_p.max(initial=0.0)), setup.least_by_units)
    where = f" of pairs with {setup.fewest:,}" if setup.fewest else ""
    possible = f" · smallest possible p{where} {formatting.format_p(least, setup.resamples)}" if least else ""
    return f"{gain} · {formatting.draws_of(setup, seed=False)}, {need}{possible}"


def picture(result: MatrixResult, alpha: float) -> str:
    """The grid as a picture for a paper or a talk: an SVG file."""
    from sigboard.render.picture import grid, svg_file

    return svg_file(grid(result, alpha))


def parts_of(systems: int, most: int = SENT) -> dict[str, range]:
    """The ranks, counted from 0, of the pictures in which the grid of so many systems is drawn, by name: first one of all
    ranks, with every so many; then all ranks, some in each. None where one picture has at most so many cells."""
    if systems * systems <= most:
        return {}
    step, starts = -(-systems // DRAWN_LIMIT), range(0, systems, DRAWN_LIMIT)
    parts = [range(start, min(start + DRAWN_LIMIT, systems)) for start in starts]
    every = {f"every {_th(step)} rank": range(0, systems, step)}
    return every | {f"{part.start + 1:,} to {part.stop:,}": part for part in parts}


def _th(number: int) -> str:
    """2nd, 3rd, 10th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def chosen_part(systems: int) -> range | None:
    """The ranks that are drawn of very many systems, as the visitor chose; None for all."""
    parts = parts_of(systems)
    if not parts:
        return None
    return parts[st.selectbox(f"Ranks that are drawn of {systems:,}", parts, key="sigboard.ranks_drawn")]


def chart(result: MatrixResult, alpha: float) -> None:
    """The coloured grid: the browser's own table, or Plotly's where there are too many systems for one."""
    look = {"theme": page.theme(), "compact": page.phone()}
    if has_details(result):
        opened = pair.opened(partial(live.cell_of, CHART), result.systems)
        live.grid(CHART, cache.once(cells, result, alpha, **look), opened)
        return
    ranks = chosen_part(len(result.systems))
    drawn = result.order if ranks is None else result.order[ranks.start : ranks.stop : ranks.step]
    if len(result.systems) > CLICK_LIMIT:
        page.caption(SMALL)
        names = [result.systems[k] for k in drawn]
        live.clicks(CHART, pair.opened(partial(live.cell_of, live.clicks_of(CHART)), names))
    page.chart(
        cache.once(finished, figure.grid, result, alpha, ranks=ranks, **look),
        key=CHART,
        on_select=pair.clicked(figure.clicked, result.systems, CHART),
        selection_mode="points",
        alt=cache.once(figure.alt, result, alpha, ranks),
    )


def save(visit: session.Visit, result: MatrixResult, now: Chosen) -> None:
    """The grid as tables, of which the open one is made, and as files."""
    tables: dict[str, Callable[[], list[Row]]] = {
        "Grid as a table": lambda: grid_rows(result, now.alpha),
        "All pairs": lambda: matrix_rows(result, now.alpha),
        "Scores": lambda: scores_rows(result),
    }
    large, as_text = len(result.systems) > DRAWN_LIMIT, too_large(len(result.systems)) is None
    listed = {title: make for title, make in tables.items() if not large or title == "Scores"}
    tabs = st.tabs(list(listed), key="sigboard.tables", on_change="rerun")
    for tab, make in zip(tabs, listed.values(), strict=True):
        if tab.open:
            with tab:
                downloads.table(make(), result.setup)
    name = downloads.file_name("sigboard", session.file_title(visit.collection), "matrix", now.metric, now.test)
    with st.container(horizontal=True):
        if as_text:
            downloads.csv("All pairs (CSV)", tables["All pairs"], name)
            downloads.csv("Grid (CSV)", tables["Grid as a table"], f"{name}_grid")
            downloads.later("Grid (SVG)", lambda: picture(result, now.alpha), f"{name}_grid", "svg")
        downloads.csv("Scores (CSV)", tables["Scores"], f"{name}_scores")
        if as_text:
            said = reports.of_grids(downloads.warned(visit.collection), [result], now.settings.correction)
            downloads.as_json("Everything (JSON)", lambda: matrix_json([result], said, now.alpha), name)
        for suffix, title in (("parquet", "Parquet"), ("npz", "NumPy")):
            downloads.later(f"All pairs ({title})", partial(columns_as, suffix, result, now.alpha), name, suffix)


def columns_as(suffix: str, result: MatrixResult, alpha: float) -> bytes:
    """All pairs as a file of columns."""
    return BINARY[suffix](pair_columns([result], alpha))


def more(visit: session.Visit, result: MatrixResult, now: Chosen) -> None:
    """Further metrics: where they agree, the systems under each, and their grids side by side."""
    st.subheader("Further metrics", anchor=False)
    choose_more(visit.collection.kind, now)
    several = Several.of([result, *queries.more_grids(visit)], now.alpha, now.family.baseline)
    if several is None:
        return
    st.markdown(f"**{page.literal(several.sentence)}** {APART}")
    table = paper.scores(several.grids, now.alpha, now.family.baseline)
    st.markdown(paper.scores_markdown(table))
    if several.differing:
        st.markdown("Pairs on which not all metrics have the same verdict:")
        downloads.table(rows(DIFFERING, several.differing))
    for place, grid in zip(cycle(st.columns(1 if page.phone() else 2)), several.grids[1:], strict=False):
        with place:
            st.markdown(f"**{page.literal(grid.setup.metric_title)}**")
            key = f"{CHART}.{grid.setup.metric}"
            live.grid(key, cache.once(cells, grid, now.alpha, theme=page.theme(), compact=True), _under(key, grid))
    said = reports.of_grids(downloads.warned(visit.collection), several.grids, now.settings.correction)
    names = [grid.setup.metric for grid in several.grids]
    name = downloads.file_name("sigboard", session.file_title(visit.collection), "matrix", *names, now.test)
    with st.container(horizontal=True):
        downloads.csv("All metrics (CSV)", lambda: rows(METRIC_SCORES, several.scores), name)
        downloads.later("All metrics (LaTeX)", lambda: paper.scores_latex(table), name, "tex")
        downloads.as_json(
            "All metrics (JSON)", lambda: matrix_json(several.grids, said, now.alpha, now.family.baseline), name
        )


def _under(key: str, grid: MatrixResult) -> Callable[[], None]:
    """What a click on the grid of a further metric does: its pair opens under that metric."""
    opened = pair.opened(partial(live.cell_of, key), grid.systems)

    def under() -> None:
        st.session_state["metric"] = grid.setup.metric
        opened()

    return under


def explained(result: MatrixResult, alpha: float) -> None:
    """What the first look leaves out: the smallest gains and p, the draws, the colours and the notes."""
    st.markdown(page.literal(line(result, alpha)))
    captions.caption(result)
    captions.notes(result.notes, result, alpha)


def show() -> None:
    """The page."""
    with page.question("matrix", drop.head) as visit:
        now = queries.chosen()
        captions.context(visit)
        inputs.ready(visit)
        several = run_question.asked(visit, all_pairs=True)
        found = None if several is None else run_question.result(visit, several)
        result = queries.matrix_result(visit) if found is None else found.grid
        if found is None:
            session.show_grid(visit, result, now.alpha)
        pair.offer([result.systems[i] for i in result.order])
        head(result, now.alpha, details=has_details(result) and not page.phone())
        if found is None:
            seen.line(visit, now)
        chart(result, now.alpha)
        page.details("matrix", partial(explained, result, now.alpha), len(result.notes))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            system, baseline = pair.pair()
            pair.go()
            pair.show_segments(system, baseline, "sigboard.matrix.segments")
        if found is not None:
            run_question.systems_table(found, result.order)
            run_question.rates()
            name = downloads.file_name("sigboard", session.file_title(visit.collection), "matrix", "runs", now.metric)
            run_question.save(visit, several or {}, found, name)
            st.stop()

        save(visit, result, now)
        captions.methods(result, now.alpha)
        more(visit, result, now)
