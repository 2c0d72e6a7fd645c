"""The table of scores in the form that papers print: daggers against a baseline, the best in bold, rank clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sigboard.render import tables
from sigcore import MatrixResult
from sigcore.formatting import count, format_draws, format_score, resamples_of
from sigcore.results import PAIRS, Grid, corrected, in_order

BETTER, WORSE = "†", "‡"
IN_LATEX = {BETTER: r"$^{\dagger}$", WORSE: r"$^{\ddagger}$", "": ""}


@dataclass(frozen=True)
class Score:
    """One cell: the score as it is printed, whether it is the best, and its dagger against the baseline."""

    text: str
    best: bool = False
    mark: str = ""


@dataclass(frozen=True)
class Scores:
    """The systems, best first under the first metric, with a score for each metric; `clusters` are the ranks, counted
    from 0, that are the last of a cluster under the first metric."""

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    cells: tuple[tuple[Score, ...], ...]
    clusters: tuple[int, ...]
    caption: str


def scores(results: Sequence[MatrixResult], alpha: float, baseline: str = "") -> Scores:
    """The table of one test: the first result of every metric. Without a baseline it has no daggers."""
    of = {result.setup.metric: result for result in reversed(results)}
    grids = [of[name] for name in dict.fromkeys(result.setup.metric for result in results)]
    first = grids[0]
    systems = tuple(first.systems[i] for i in first.order)
    cells = tuple(tuple(_score(grid, name, alpha, baseline) for grid in grids) for name in systems)
    titles = tuple(grid.setup.metric_title for grid in grids)
    found = clusters(first, alpha)
    return Scores(titles, systems, cells, found, _caption(grids, alpha, baseline, bool(found)))


def _score(result: MatrixResult, name: str, alpha: float, baseline: str) -> Score:
    k = result.systems.index(name)
    text = format_score(float(result.scores[k]), result.setup.decimals)
    best = format_score(float(result.scores[result.order[0]]), result.setup.decimals)
    mark = ""
    if baseline and name != baseline and not result.setup.no_verdict(alpha):
        level = int(result.levels(alpha)[k, result.systems.index(baseline)])
        mark = BETTER if level > 0 else WORSE if level < 0 else ""
    return Score(text, text == best and not math.isnan(result.scores[k]), mark)


def clusters(result: MatrixResult, alpha: float) -> tuple[int, ...]:
    """The ranks, counted from 0, after which a new cluster begins: where the grid has a line. No rank where there are no
    verdicts.

    Source: the rank clusters of the WMT findings (Bojar et al. 2013), here of significant differences.
    """
    shown = Grid.of(result, alpha)
    return () if shown.no_verdict else tuple(rank - 1 for rank in shown.lines)


def _caption(grids: Sequence[MatrixResult], alpha: float, baseline: str, lines: bool) -> str:
    setup = grids[0].setup
    words = f"Scores on {count(setup.segments or setup.n, 'segment')}; the best of each metric in bold."
    if baseline and not setup.no_verdict(alpha):
        words += f" {BETTER}: significantly better than {baseline}; {WORSE}: significantly worse"
        words += f" ({setup.test_title}, {setup.side}, p {corrected(setup)}, alpha {alpha:g})."
    if lines:
        words += f" Clusters in {setup.metric_title}: every system is significantly better than every system of the clusters below."
    return words


def scores_latex(table: Scores) -> str:
    """The table of scores as LaTeX for booktabs."""
    rows = [
        [name, *(tables.Finished(_in_latex(cell)) for cell in cells)]
        for name, cells in zip(table.systems, table.cells, strict=True)
    ]
    text = tables.latex_table(["system", *table.metrics], rows, table.caption, "tab:scores", rules=table.clusters)
    return text.replace(BETTER, r"$\dagger$").replace(WORSE, r"$\ddagger$")


def _in_latex(cell: Score) -> str:
    text = tables.latex_escape(cell.text)
    return (rf"\textbf{{{text}}}" if cell.best else text) + IN_LATEX[cell.mark]


def scores_markdown(table: Scores) -> str:
    """The table of scores as Markdown, with its caption; clusters are in a column of their numbers."""
    rank, rows = 1, []
    for k, (name, cells) in enumerate(zip(table.systems, table.cells, strict=True)):
        texts = [f"**{cell.text}**{cell.mark}" if cell.best else f"{cell.text}{cell.mark}" for cell in cells]
        rows.append([tables.markdown_escape(name), *texts, *([str(rank)] if table.clusters else [])])
        rank += k in table.clusters
    header = ["system", *map(tables.markdown_escape, table.metrics), *(["cluster"] if table.clusters else [])]
    return f"{tables.markdown_table(header, rows)}\n{tables.markdown_escape(table.caption)}\n"


def pairs_latex(result: MatrixResult, alpha: float) -> str:
    """All pairs as LaTeX for booktabs."""
    label = f"tab:pairs-{result.setup.metric}"
    return tables.as_latex(PAIRS, in_order(result, alpha), pairs_caption(result, alpha), label)


def pairs_markdown(result: MatrixResult, alpha: float) -> str:
    """All pairs as Markdown, with a caption."""
    table = tables.as_markdown(PAIRS, in_order(result, alpha))
    return f"{table}\n{tables.markdown_escape(pairs_caption(result, alpha))}\n"


def pairs_caption(result: MatrixResult, alpha: float) -> str:
    """What the table of pairs shows."""
    setup = result.setup
    drawn = resamples_of(setup) if setup.resamples else format_draws(0, by_formula=setup.by_formula)
    return (
        f"All pairs in {setup.metric_title}: {setup.test_title}, {setup.side}, {drawn}; adjusted p: {corrected(setup)}; "
        f"alpha {alpha:g}."
    )


def every(
    results: Sequence[MatrixResult],
    alpha: float,
    baseline: str,
    table: Callable[[Scores], str],
    grid: Callable[[MatrixResult, float], str],
) -> str:
    """The table of scores and the tables of pairs, in one format, one below the other."""
    return "\n".join([table(scores(results, alpha, baseline)), *(grid(result, alpha) for result in results)])


def latex(results: Sequence[MatrixResult], alpha: float, baseline: str = "") -> str:
    """All tables as LaTeX."""
    return every(results, alpha, baseline, scores_latex, pairs_latex)


def as_markdown(results: Sequence[MatrixResult], alpha: float, baseline: str = "") -> str:
    """All tables as Markdown."""
    return every(results, alpha, baseline, scores_markdown, pairs_markdown)
