"""Systems with several runs: MultEval's table as text and LaTeX, the tests beside it, and one JSON shape."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sigboard.render import tables
from sigboard.render.json import matrix_json
from sigboard.render.text import align, matrix_table, printable
from sigcore import Family
from sigcore.formatting import format_gain, format_interval, format_p, format_score
from sigcore.results import as_json
from sigcore.studies import runs
from sigcore.types import Row

OTHERS = (
    "Verdicts come from the mixed model: other runs and other segments. Shuffle of runs: these runs, outputs shuffled one by "
    "one. Swapped as one: these runs, all outputs of a unit swapped together. "
    f"{runs.NESTED.title}: other runs and other segments. t: other runs, these segments. No p here is corrected."
)
SUMMARY = (
    "Average scores of the runs, their standard deviation over drawn test sets (s_sel) and over runs (s_opt), and the "
    "uncorrected p of the shuffle of runs against the baseline, which takes these runs as given."
)
SHUFFLED = "p here comes from the shuffle of runs against the baseline. It takes these runs as given."
HEADER = ("Metric", "System", "Avg", "s_sel", "s_opt", "p")
# What p and the intervals are, in a Methods section: without a second run of any system, and with one.
HOW = {
    False: "p is for the gain in the score of all runs of a system as one output. Intervals of gains come from the "
    "hierarchical bootstrap, which draws runs and then units.",
    True: "p and the intervals of gains come from a mixed model, in which runs, units and what a system is on a unit are "
    "random effects, with Satterthwaite's degrees of freedom.",
}
MATH = {"s\\_sel": r"$\overline{s}_{\mathrm{sel}}$", "s\\_opt": r"$s_{\mathrm{opt}}$", "& p ": "& $p$ "}


def runs_table(results: Sequence[runs.RunsResult], alpha: float) -> str:
    """MultEval's table of all metrics, then for each metric the other tests and the grid."""
    parts = [multeval_table(results), SHUFFLED]
    for result in results:
        parts += [_scores(result), f"{_tests(result)}\n\n{OTHERS}", matrix_table(result.grid, alpha)]
    return "\n\n".join(parts)


def multeval_table(results: Sequence[runs.RunsResult]) -> str:
    """A row for each system and a column for each metric, "18.8 (0.3/0.3/0.00)": average, s_sel, s_opt, and p against the
    baseline (see `baseline_of`)."""
    first = results[0]
    sizes = sorted({len(own) for own in first.scores})
    head = [f"n={'/'.join(map(str, sizes))}", *(f"{item.setup.metric_title} (s_sel/s_opt/p)" for item in results)]
    rows = [[_name(first, k), *(_cell(item, k) for item in results)] for k in range(len(first.systems))]
    return align(head, rows, left=tuple(range(len(head))))


def baseline_of(result: runs.RunsResult) -> int:
    """The place of the system that is called baseline; without one the last, as in MultEval's table."""
    called = [k for k, name in enumerate(result.systems) if name.casefold() == "baseline"]
    return called[0] if called else len(result.systems) - 1


def _name(result: runs.RunsResult, k: int) -> str:
    name = printable(result.systems[k])
    return name + " (baseline)" * (k == baseline_of(result) and name.casefold() != "baseline")


def _cell(result: runs.RunsResult, k: int) -> str:
    average, sel, opt, p = _numbers(result, k)
    return f"{average} ({sel}/{opt}/{p})"


def _numbers(result: runs.RunsResult, k: int) -> tuple[str, str, str, str]:
    """Average, s_sel, s_opt and p against the baseline, as printed."""
    shown, last = result.setup.decimals, baseline_of(result)
    spread = [format_score(float(values[k]), shown) for values in (result.average, result.s_sel, result.s_opt)]
    return (
        spread[0],
        spread[1],
        spread[2],
        "-" if k == last else format_p(float(result.shuffled_p[k, last]), result.resamples),
    )


def multeval_latex(results: Sequence[runs.RunsResult]) -> str:
    """The same as a LaTeX table for booktabs, a row for each metric and system."""
    setup, first = results[0].shuffle, results[0]
    rows = [
        [item.setup.metric_title if k == 0 else "", _name(item, k), *_numbers(item, k)]
        for item in results
        for k in range(len(item.systems))
    ]
    caption = (
        f"Average scores of several runs ({_sizes(first)}), their standard deviation over drawn test sets (s_sel) and over runs "
        f"(s_opt), and uncorrected p against {first.systems[baseline_of(first)]} ({setup.test_title}, {setup.side}, R = {setup.resamples:,})."
    )
    text = tables.latex_table(HEADER, rows, caption, "tab:runs")
    head, rule, rest = text.partition(r"\midrule")
    for plain_text, maths in MATH.items():
        head = head.replace(plain_text, maths)
    return head + rule + rest


def _sizes(result: runs.RunsResult) -> str:
    return ", ".join(f"{name}: {len(own)}" for name, own in zip(result.systems, result.scores, strict=True))


def summary(results: Sequence[runs.RunsResult]) -> list[list[str]]:
    """MultEval's table with a row for each metric and system, after its header: the same cells in every format."""
    head = [
        "metric",
        "system",
        "runs",
        "average",
        "s_sel",
        "s_opt",
        f"p against {results[0].systems[baseline_of(results[0])]}",
    ]
    rows = [
        [item.setup.metric_title, item.systems[k], str(len(item.scores[k])), *_numbers(item, k)]
        for item in results
        for k in range(len(item.systems))
    ]
    return [head, *rows]


def summary_markdown(results: Sequence[runs.RunsResult]) -> str:
    """The same as Markdown, with a caption."""
    head, *rows = ([tables.markdown_escape(cell) for cell in row] for row in summary(results))
    return f"{tables.markdown_table(head, rows)}\n{tables.markdown_escape(SUMMARY)}\n"


def runs_sentence(result: runs.RunsResult) -> str:
    """What a Methods section must say about runs."""
    return f"Every system has several runs ({_sizes(result)}), and its score is their average. {HOW[result.setup.by_formula]}"


def _scores(result: runs.RunsResult) -> str:
    """The scores of the runs, and what makes an average uncertain: runs, segments, documents."""
    shown = result.setup.decimals
    rows = [
        [
            printable(name),
            " ".join(format_score(float(score), shown) for score in result.scores[k]),
            *(
                format_score(float(values[k]), shown)
                for values in (result.s_opt, result.over_segments, result.over_documents)
            ),
        ]
        for k, name in enumerate(result.systems)
    ]
    head = [f"{result.setup.metric_title}", "runs", "SD over runs", "over segments", "over documents"]
    return align(head, rows, left=(0, 1))


def _tests(result: runs.RunsResult) -> str:
    """Every pair under every test, uncorrected."""
    setup, rows = result.setup, []
    for i, first in enumerate(result.systems):
        for j in range(i + 1, len(result.systems)):
            t = float(result.run_t[i, j])
            rows.append(
                [
                    f"{printable(first)} - {printable(result.systems[j])}",
                    format_gain(float(result.grid.gains[i, j]), setup.decimals),
                    _interval(result, i, j),
                    format_p(float(result.mixed_p[i, j]), 0),
                    format_p(float(result.shuffled_p[i, j]), result.resamples),
                    format_p(float(result.swapped_p[i, j]), result.resamples),
                    format_p(float(result.nested_p[i, j]), result.resamples),
                    "n/a" if math.isnan(t) else f"{t:.2f} ({result.run_df[i, j]:.0f})",
                    format_p(float(result.run_p[i, j]), 0),
                ]
            )
    return align(
        ["pair", "gain", "interval", "mixed model", "shuffle", "swapped as one", runs.NESTED.title, "t (df)", "p of t"],
        rows,
        left=(0,),
    )


def _interval(result: runs.RunsResult, i: int, j: int) -> str:
    between = result.grid.gain_intervals
    return "n/a" if between is None else format_interval(tuple(between[i, j].tolist()), result.setup.decimals)


def runs_json(results: Sequence[runs.RunsResult], warnings: Sequence[str] = (), family: Family | None = None) -> Row:
    """The shape of `matrix_json`, and in each result what the runs add.

    By system: `runs` (the scores), `average`, `s_sel`, `s_opt`, `over_segments`, `over_documents`, `together`. By pair
    (S x S, row minus column, null where undefined): `swapped_as_one`, `alike`, `hierarchical` {"p_values", "gain_intervals"},
    `mixed` {"p_values", "df", "gain_intervals"}, `shuffled` {"test", "resamples", "p_values", "p_low", "p_high"} and `run_t` {"t", "df", "p_values"}, uncorrected. For two systems also the numbers of the pair, first minus second: `gain`,
    `interval`, `p_value`, and `p_value`, `t`, `df` and `interval` inside `hierarchical`, `mixed`, `shuffled` and `run_t`. With one metric the
    top level has all of these numbers, too. `family` is that of a pair that was requested alone.
    """
    grids = [item.grid for item in results]
    content: Mapping[str, Any] = matrix_json(grids, warnings)  # Any: JSON that is read again
    added = [as_json(runs.RUNS, item) for item in results]
    planned = {} if family is None else {"family": family.to_dict()}
    whole = [{**of_grid, **more, **planned} for of_grid, more in zip(content["results"], added, strict=True)]
    return {**content, "results": whole, **(added[0] if len(results) == 1 else {})}
