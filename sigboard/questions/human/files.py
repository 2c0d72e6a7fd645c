"""People and metrics compared, as aligned tables for a terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from sigboard.questions.human import report
from sigboard.questions.human.report import alpha_name, correct_pairs, distinguished, gold_note, interval, summary
from sigboard.render.tables import NEEDS, latex_escape
from sigboard.render.text import align, printable
from sigcore import Floats
from sigcore.formatting import count, format_p, format_score, format_units
from sigcore.results import plain
from sigcore.studies import human
from sigcore.types import Bools, Ints

# People and metrics side by side as one JSON shape.


def human_json(result: human.HumanResult, warnings: Sequence[str] = ()) -> dict[str, Any]:
    """Everything as one JSON shape, ready for `json.dumps(..., allow_nan=False)`.

    Grids are nested lists, row against column, in the order of `systems` (all judged systems, best first); null where
    people, or a metric, have no conclusion. `compared` are the systems that also have outputs: the accuracy is over their
    pairs, without those on which the metric has no conclusion.
    """
    content = {
        **_of_people(result),
        "accuracy": [_accuracy(cell) for cell in result.accuracies],
        **_of_differences(result),
        **report.as_json(result),
        "conclusions": [
            {
                "metric": m,
                "test": t,
                "alpha": a,
                "conclusions": _known(result.conclusions(m, t, a), result.known(m, t, a)),
            }
            for a in result.alphas
            for m, t in result.grids
        ],
        "judges": [vars(judge) for judge in result.people.judges],
        "dropped": [judge.name for judge in result.people.dropped],
        "alphas": result.alphas,
        **_of_setup(result),
        "warnings": [*warnings, *(note for note in result.notes if note not in warnings)],
        "notes": [gold_note(result.people, max(result.alphas)), report.why_too_narrow()],
        "signature": result.signature,
    }
    return dict(plain(content))


def _of_people(result: human.HumanResult) -> dict[str, Any]:
    """What people say, by dimension and by alpha."""
    people = result.people
    by = {rated.dimension: rated for rated in people.rated}
    return {
        "systems": people.systems,
        "compared": result.systems,
        "judged_only": result.matched.judged_only,
        "unjudged": result.matched.unjudged,
        "names": result.matched.names,
        "dimensions": people.dimensions,
        "standardise": people.standard,
        "z_scores": {name: rated.scores for name, rated in by.items()},
        "raw_scores": {name: rated.raw for name, rated in by.items()},
        "segments": {name: rated.segments for name, rated in by.items()},
        "ratings": {name: rated.ratings for name, rated in by.items()},
        "rank_sum": {name: rated.p_values for name, rated in by.items()},
        "gold": {alpha_name(a): _gold(people.decided(a)) for a in result.alphas},
        "decided_by": {alpha_name(a): _deciding(people, a) for a in result.alphas},
    }


def _of_differences(result: human.HumanResult) -> dict[str, Any]:
    """Whether metrics, and tests, differ in how often they agree with people, as in the paper."""
    return {
        "chi_square": [_difference(d) | {"chi_square": d.chi_square, "p": d.chi_p} for d in result.differences],
        "cochran_q": [
            _difference(d) | {"q": d.q, "p": d.q_p, "mcnemar": [vars(pair) for pair in d.mcnemar]}
            for d in result.differences
        ],
    }


def _of_setup(result: human.HumanResult) -> dict[str, Any]:
    """What all grids of the metrics share."""
    setup = next(iter(result.grids.values())).setup
    return {
        "n": setup.n,
        "unit": str(setup.unit),
        "resamples": setup.resamples,
        "seed": setup.seed,
        "estimator": setup.estimator,
    }


def _gold(decided: human.Decided) -> list[list[int | None]]:
    return _known(decided.conclusions, decided.known)


def _known(conclusions: Ints, known: Bools) -> list[list[int | None]]:
    """Conclusions (S, S), null where there is none."""
    grid = conclusions.astype(object)
    grid[~known & ~np.eye(len(grid), dtype=bool)] = None
    found: list[list[int | None]] = grid.tolist()
    return found


def _deciding(people: human.People, alpha: float) -> list[list[str | None]]:
    return [
        [people.dimensions[place] if place >= 0 else None for place in row] for row in people.decided(alpha).by.tolist()
    ]


def _accuracy(cell: human.Accuracy) -> dict[str, Any]:
    fields = ("metric", "test", "alpha", "correct", "pairs", "percent", "low", "high", "system_low", "system_high")
    row = {field: getattr(cell, field) for field in (*fields, "best")}
    return row | {"system_interval": [cell.system_low, cell.system_high]}


def _difference(found: human.Difference) -> dict[str, Any]:
    return {
        "between": found.between,
        "metric" if found.between == "tests" else "test": found.held,
        "names": found.names,
        "alpha": found.alpha,
        "pairs": found.pairs,
        "df": found.df,
    }


# The accuracy table and the grids for a paper, as LaTeX that needs only booktabs and tikz.

# darkest last: .05, .01, .001
COLOURS = {"Better": ("BBDCEF", "5DA9D6", "0072B2"), "Worse": ("F8D6BE", "EA9A62", "D55E00")}
LETTERS = "abc"
UNIT = 0.32  # centimetres of a cell


def accuracy_table(result: human.HumanResult) -> str:
    """Correct conclusions of every metric and test at every alpha, with intervals over systems, the best in bold."""
    tests = list(result.tests)
    heads = " & ".join(rf"\multicolumn{{2}}{{c}}{{{latex_escape(result.tests[test])}}}" for test in tests)
    rules = " ".join(rf"\cmidrule(lr){{{3 + 2 * k}-{4 + 2 * k}}}" for k in range(len(tests)))
    lines = [
        NEEDS,
        r"\begin{table}",
        r"\centering",
        r"\begin{tabular}{ll" + "rl" * len(tests) + "}",
        r"\toprule",
        rf" & & {heads} \\",
        rules,
        r"$\alpha$ & Metric & " + " & ".join([r"Conc. & \% [95\,\% interval]"] * len(tests)) + r" \\",
    ]
    for alpha in result.alphas:
        lines.append(r"\midrule")
        for k, (metric, title) in enumerate(result.metrics.items()):
            cells = [_cell(result, result.accuracy(metric, test, alpha)) for test in tests]
            lines.append(f"{f'{alpha:g}' if k == 0 else ''} & {latex_escape(title)} & {' & '.join(cells)} " + r"\\")
    lines += [
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{_caption(result)}}}",
        r"\label{tab:human}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _cell(result: human.HumanResult, cell: human.Accuracy) -> str:
    if not cell.pairs:
        return "n/a & n/a"
    correct, share = correct_pairs(result, cell), f"{cell.percent:.1f}"
    if cell.best:
        correct, share = rf"\textbf{{{correct}}}", rf"\textbf{{{share}}}"
    return f"{correct} & {share} {interval(cell.system_low, cell.system_high)}"


def _caption(result: human.HumanResult) -> str:
    grid = next(iter(result.grids.values()))
    fewer = any(cell.pairs < len(result.pairs) for cell in result.accuracies)
    without = " k/n: k of the n pairs on which there is a conclusion; n/a: none." if fewer else ""
    return (
        f"Conclusions (better, worse, no difference) that agree with people, out of {count(len(result.pairs), 'pair')} of "
        f"{count(len(result.systems), 'system')} ({latex_escape(result.people.name)}); 95\\,\\% intervals from leaving out one system at a time; "
        f"one-sided tests, {count(grid.setup.resamples, 'resample')}, {format_units(grid.setup.n, grid.setup.unit, grid.setup.segments)}. Bold: the largest share of correct conclusions at each level.{without}"
    )


def figure(result: human.HumanResult, alpha: float) -> str:
    """The grids of people (each dimension, then the combined conclusion), and below them one grid per metric and test."""
    people = result.people
    grids = [(latex_escape(name), people.levels(alpha, k)) for k, name in enumerate(people.dimensions)]
    if len(grids) > 1:
        grids.append(("combined", people.levels(alpha)))
    lines = [r"% needs \usepackage{tikz}", r"\begin{figure}", r"\centering", *_colours()]
    lines += [_picture(title, levels, people.systems if not k else ()) for k, (title, levels) in enumerate(grids)]
    lines.append(r"\par\medskip")
    for (metric, test), grid in result.grids.items():
        levels = result.levels(metric, test, alpha)
        lines.append(
            _picture(f"{latex_escape(grid.setup.metric_title)}, {latex_escape(grid.setup.test_title)}", levels, (), 0.5)
        )
    caption = (
        f"Top: conclusions of people on {count(len(people.systems), 'system')}, best first; {distinguished(result, alpha)} of "
        f"{count(len(result.pairs), 'pair')} with outputs differ at $\\alpha = {alpha:g}$. Bottom: conclusions of every metric and "
        f"test on the {count(len(result.systems), 'system')} with outputs. Blue: the row is better; orange: worse; darker: "
        "$p \\leq .01$, $p \\leq .001$; grey: no significant difference; empty: no conclusion."
    )
    return "\n".join([*lines, rf"\caption{{{caption}}}", r"\label{fig:human}", r"\end{figure}"]) + "\n"


def _colours() -> list[str]:
    lines = [r"\definecolor{sigNone}{HTML}{ECEAE6}"]
    for name, shades in COLOURS.items():
        lines += [rf"\definecolor{{sig{name}{LETTERS[k]}}}{{HTML}}{{{shade}}}" for k, shade in enumerate(shades)]
    return lines


def _picture(title: str, levels: Floats, names: Sequence[str], scale: float = 1.0) -> str:
    """One grid: a filled square per pair, the first row at the top."""
    size = UNIT * scale
    lines = [rf"\begin{{tikzpicture}}[x={size:.2f}cm, y=-{size:.2f}cm, font=\tiny]"]
    count = len(levels)
    lines.append(rf"\node[anchor=south] at ({count / 2:g}, -0.2) {{{title}}};")
    for i, row in enumerate(levels.tolist()):
        lines += [
            rf"\fill[{_shade(value)}] ({j}.04, {i}.04) rectangle ({j}.96, {i}.96);"
            for j, value in enumerate(row)
            if value == value
        ]
    lines += [rf"\node[anchor=east] at (0, {i}.5) {{{latex_escape(name)}}};" for i, name in enumerate(names)]
    return "\n".join([*lines, r"\end{tikzpicture}"])


def _shade(value: float) -> str:
    if value == 0:
        return "sigNone"
    return f"sig{'Better' if value > 0 else 'Worse'}{LETTERS[int(abs(value)) - 1]}"


EXACT = 0  # resamples behind a p that is computed


def human_table(result: human.HumanResult) -> str:
    """The human ranking, accuracies, differences between metrics, and the tables and tests of the paper, as text."""
    parts = [summary(result, result.alphas[0]), "", _ranking(result.people), ""]
    for alpha in result.alphas:
        found = _human_text_known(result, alpha)
        star = f" (* best of {found})" if found > 1 else ""
        head = f"Accuracy of conclusions at alpha {alpha:g}{star}"
        if found:
            parts += [f"{head}, 95 % interval over systems", _accuracies(result, alpha, _over_systems), ""]
        else:
            parts += [f"{head}: none, because no metric has a conclusion.", ""]
    parts += [report.text(result, result.alphas[0]), f"As in the paper ({report.PAPER})"]
    for alpha in filter(partial(_human_text_known, result), result.alphas):
        star = " (* best)" if _human_text_known(result, alpha) > 1 else ""
        head = f"Correct conclusions at alpha {alpha:g}{star}, exact 95 % interval"
        parts += [head, _accuracies(result, alpha, _exact), ""]
    parts += [_differences(result), "", report.why_too_narrow(), gold_note(result.people, result.alphas[0])]
    return "\n".join([*parts, *(f"note: {printable(note, 0)}" for note in result.notes)])


def _human_text_known(result: human.HumanResult, alpha: float) -> int:
    """How many accuracies there are at alpha: those of metrics and tests with conclusions."""
    return sum(cell.alpha == alpha and cell.pairs > 0 for cell in result.accuracies)


def _ranking(people: human.People) -> str:
    header = ["", "judged system"]
    for name in people.dimensions:
        header += [f"{name} {people.scale}", "segments"]
    rows = []
    for k, system in enumerate(people.systems):
        row = [str(k + 1), printable(system)]
        for rated in people.rated:
            was_rated = bool(rated.segments[k])
            row += [f"{rated.scores[k]:+.3f}" if was_rated else "n/a", str(int(rated.segments[k]))]
        rows.append(row)
    return align(header, rows, left=(1,))


def _accuracies(result: human.HumanResult, alpha: float, interval: Callable[[human.Accuracy], str]) -> str:
    rows = []
    for metric, title in result.metrics.items():
        row = [title]
        for test in result.tests:
            cell = result.accuracy(metric, test, alpha)
            star = "*" if cell.best and _human_text_known(result, alpha) > 1 else " "
            row.append(
                f"{cell.correct}/{cell.pairs} {cell.percent:.1f} {interval(cell)}{star}" if cell.pairs else "n/a "
            )
        rows.append(row)
    return align(["metric", *result.tests.values()], rows, left=(0,))


def _over_systems(cell: human.Accuracy) -> str:
    return report.interval(cell.system_low, cell.system_high)


def _exact(cell: human.Accuracy) -> str:
    return report.interval(cell.low, cell.high)


def _differences(result: human.HumanResult) -> str:
    header = ["between", "under", "alpha", "pairs", "chi-square", "df", "p", "Cochran's Q", "p", "smallest McNemar p"]
    rows = [
        [
            d.between,
            d.held_title,
            f"{d.alpha:g}",
            str(d.pairs),
            _number(d.chi_square),
            str(d.df),
            _p(d.chi_p),
            _number(d.q),
            _p(d.q_p),
            _p(d.smallest.p_value),
        ]
        for d in result.differences
    ]
    return align(header, rows, left=(0, 1)) if rows else "One metric and one test: nothing to compare."


def _number(value: float) -> str:
    return "n/a" if math.isnan(value) else format_score(value)


def _p(value: float) -> str:
    return format_p(value, EXACT)
