"""The accuracy table and the grids for a paper, as LaTeX that needs only booktabs and tikz."""

from __future__ import annotations

from collections.abc import Sequence

from sigboard.reports.booktabs import NEEDS, escape
from sigboard.reports.human_differ import interval
from sigboard.reports.human_words import correct_pairs, distinguished
from sigcore import Floats
from sigcore.formatting import format_units
from sigcore.studies import human

# darkest last: .05, .01, .001
COLOURS = {"Better": ("BBDCEF", "5DA9D6", "0072B2"), "Worse": ("F8D6BE", "EA9A62", "D55E00")}
LETTERS = "abc"
UNIT = 0.32  # centimetres of a cell


def accuracy_table(result: human.HumanResult) -> str:
    """Correct conclusions of every metric and test at every alpha, with intervals over systems, the best in bold."""
    tests = list(result.tests)
    heads = " & ".join(rf"\multicolumn{{2}}{{c}}{{{escape(result.tests[test])}}}" for test in tests)
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
            lines.append(f"{f'{alpha:g}' if k == 0 else ''} & {escape(title)} & {' & '.join(cells)} " + r"\\")
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
        f"Conclusions (better, worse, no difference) that agree with people, out of {len(result.pairs)} pairs of "
        f"{len(result.systems)} systems ({escape(result.people.name)}); 95\\,\\% intervals from leaving out one system at a time; "
        f"one-sided tests, {grid.setup.resamples:,} resamples, {format_units(grid.setup.n, grid.setup.unit, grid.setup.segments)}. Bold: the largest share of correct conclusions at each level.{without}"
    )


def figure(result: human.HumanResult, alpha: float) -> str:
    """The grids of people (each dimension, then the combined conclusion), and below them one grid per metric and test."""
    people = result.people
    grids = [(escape(name), people.levels(alpha, k)) for k, name in enumerate(people.dimensions)]
    if len(grids) > 1:
        grids.append(("combined", people.levels(alpha)))
    lines = [r"% needs \usepackage{tikz}", r"\begin{figure}", r"\centering", *_colours()]
    lines += [_picture(title, levels, people.systems if not k else ()) for k, (title, levels) in enumerate(grids)]
    lines.append(r"\par\medskip")
    for (metric, test), grid in result.grids.items():
        levels = result.levels(metric, test, alpha)
        lines.append(_picture(f"{escape(grid.setup.metric_title)}, {escape(grid.setup.test_title)}", levels, (), 0.5))
    caption = (
        f"Top: conclusions of people on {len(people.systems)} systems, best first; {distinguished(result, alpha)} of "
        f"{len(result.pairs)} pairs with outputs differ at $\\alpha = {alpha:g}$. Bottom: conclusions of every metric and "
        f"test on the {len(result.systems)} systems with outputs. Blue: the row is better; orange: worse; darker: "
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
    lines += [rf"\node[anchor=east] at (0, {i}.5) {{{escape(name)}}};" for i, name in enumerate(names)]
    return "\n".join([*lines, r"\end{tikzpicture}"])


def _shade(value: float) -> str:
    if value == 0:
        return "sigNone"
    return f"sig{'Better' if value > 0 else 'Worse'}{LETTERS[int(abs(value)) - 1]}"
