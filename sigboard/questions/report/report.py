"""What is handed in: the results with their checks, sentences and command, as JSON; HTML is made from the same record."""

from __future__ import annotations

import io
import json
import math
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import combinations

from sigboard.render import bibtex, paper, picture, sentences, tables
from sigboard.render.document import POLICY, STYLE, printable
from sigboard.render.json import matrix_json
from sigboard.render.picture import svg
from sigboard.render.runs import SUMMARY, multeval_latex, runs_json, runs_sentence, summary, summary_markdown
from sigcore import MatrixResult, OptionError, TestResult, __version__
from sigcore.formatting import SYMBOLS as STARS
from sigcore.formatting import draws_of, format_gain, format_p_interval, format_units, listed
from sigcore.results import Cell, Grid, Several, corrected, in_order, matrix_rows, matrix_summary
from sigcore.studies import report as study
from sigcore.studies import runs as several
from sigcore.types import Json, Row

# How a state is shown besides its colour.
SYMBOLS = {"green": "✓", "amber": "!", "unknown": "?", "red": "✗"}
WORDS = {"green": "OK", "amber": "fix or disclose", "unknown": "your call", "red": "fix"}


@dataclass(frozen=True, eq=False)
class Report:
    """All that a report shows. `runs` are the results with several runs of each system, whose grids are `results`; () where
    every output is a system. `pictures` are the pairs with a histogram; `command` reproduces the numbers, "" where no
    command does; `baseline` is the system that daggers refer to ("" for none); `recipes` say what the columns of a file hold, where somebody said it."""

    title: str
    results: tuple[MatrixResult, ...]
    checks: tuple[study.Check, ...]
    alpha: float
    command: str = ""
    baseline: str = ""
    warnings: tuple[str, ...] = ()
    pictures: Mapping[study.Of, TestResult] = field(default_factory=dict)
    runs: tuple[several.RunsResult, ...] = ()
    recipes: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        systems = self.results[0].systems
        if self.baseline and self.baseline not in systems:
            fix = f"Choose one of the systems: {listed(systems)}."
            raise OptionError(f"There is no system named {self.baseline!r}.", "baseline", fix)

    def picture_of(self, result: MatrixResult, first: str, second: str) -> TestResult | None:
        """The pair with its histogram, in the order in which it was drawn; None without one."""
        metric, test = result.setup.metric, result.setup.test
        of = (study.Of(metric, test, *names) for names in ((first, second), (second, first)))
        return next((self.pictures[one] for one in of if one in self.pictures), None)

    @property
    def verdict(self) -> str:
        """The verdict of each result, and whether several metrics agree."""
        return "\n".join([*(matrix_summary(r, self.alpha) for r in self.results), *filter(None, [self.agreement])])

    @property
    def agreement(self) -> str:
        """Whether the metrics agree, where there are several."""
        several = Several.of(self.results, self.alpha, self.baseline)
        return "" if several is None else str(several)

    @property
    def methods(self) -> str:
        """The sentences for a Methods section, a paragraph for each result."""
        own = [runs_sentence(self.runs[0])] if self.runs else []
        return "\n".join([*(sentences.methods(result, self.alpha) for result in self.results), *own])

    @property
    def latex(self) -> str:
        """All tables as LaTeX."""
        own = [multeval_latex(self.runs)] if self.runs else []
        return "\n".join([paper.latex(self.results, self.alpha, self.baseline), *own])

    @property
    def markdown(self) -> str:
        """All tables as Markdown."""
        own = [summary_markdown(self.runs)] if self.runs else []
        return "\n".join([paper.as_markdown(self.results, self.alpha, self.baseline), *own])


def report_json(report: Report) -> Row:
    """The shape of `matrix_json` (with runs: of `runs_json`) with `checks`, `sentences` ({verdict, methods}), `command` and `recipes` (file: text).

    A check is {name, state, question, answer, fix, setting}; `setting` is {name, value}, or null if its fix is words.
    """
    return {
        **(
            runs_json(report.runs, report.warnings)
            if report.runs
            else matrix_json(report.results, report.warnings, report.alpha, report.baseline)
        ),
        "checks": [check_json(check) for check in report.checks],
        "sentences": {"verdict": report.verdict, "methods": report.methods},
        "command": report.command,
        "recipes": dict(report.recipes),
    }


def check_json(check: study.Check) -> Row:
    """One check as JSON."""
    setting = None if check.setting is None else {"name": check.setting[0], "value": check.setting[1]}
    return {
        "name": check.name,
        "state": check.state,
        "question": check.question,
        "answer": check.answer,
        "fix": check.fix,
        "setting": setting,
        "acknowledged": check.reason or None,
    }


def check_lines(checks: Sequence[study.Check]) -> list[str]:
    """The checks as text, a line for each, with the fix where there is one."""
    return [f"{check.state.upper():8} {check.question} {check.answer}{_answered(check)}" for check in checks]


def _answered(check: study.Check) -> str:
    """What the author says of it, else what is to be done."""
    if check.reason:
        return f" -> acknowledged: {check.reason}"
    return f" -> {check.fix}" if check.fix else ""


# The style sheet of an HTML report: the palettes of the figures, light and dark by the browser, and a form for paper.


# A report as one HTML file: no script, no request to any host; a cell of the grid opens the details of its pair.


def report_html(report: Report) -> str:
    """The whole file. All names are escaped; the table of p-values is that of the JSON, which is part of the file."""
    title = escape(printable(report.title))
    parts = [
        f"<h1>{title}</h1>",
        f"<p class=lead>{_lines(report.verdict)}</p>",
        _checks(report),
        "<h2>Scores</h2>",
        _scores(paper.scores(report.results, report.alpha, report.baseline)),
        _runs(report),
        *(_grid(report, number, result) for number, result in enumerate(report.results)),
        _sentences(report),
        _files(report),
        f"<footer>Made with Sigboard {escape(__version__)}. This file requests nothing from any host.</footer>",
    ]
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
        f"<title>{title}</title><style>{STYLE}</style>"
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _name(name: str) -> str:
    return escape(printable(name))


def _lines(text: str) -> str:
    return "<br>".join(map(_name, text.split("\n")))


def _checks(report: Report) -> str:
    rows = "".join(
        f'<tr class="{check.state}"><td class=state>{SYMBOLS[check.state]} {escape(WORDS[check.state])}</td>'
        f"<td><b>{_name(check.question)}</b> {_name(check.answer)}"
        f"{f'<br><i>{_name(check.fix)}</i>' if check.fix and not check.reason else ''}"
        f"{f'<br><b>Acknowledged:</b> {_name(check.reason)}' if check.reason else ''}</td></tr>"
        for check in report.checks
    )
    return f"<h2>Check before submission</h2><table class=checks>{rows}</table>"


def _scores(table: paper.Scores) -> str:
    head = "".join(f"<th>{_name(metric)}</th>" for metric in ("", *table.metrics))
    rows = []
    for k, (name, cells) in enumerate(zip(table.systems, table.cells, strict=True)):
        texts = "".join(f"<td>{f'<b>{c.text}</b>' if c.best else c.text}<sup>{c.mark}</sup></td>" for c in cells)
        rows.append(f"<tr{' class=cluster' if k in table.clusters else ''}><th>{_name(name)}</th>{texts}</tr>")
    return (
        f"<div class=wide><table class=scores><tr>{head}</tr>{''.join(rows)}</table></div><p>{_name(table.caption)}</p>"
    )


def _runs(report: Report) -> str:
    """The table of several runs, where systems have them."""
    if not report.runs:
        return ""
    head, *rows = summary(report.runs)
    lines = ["".join(f"<td>{_name(cell)}</td>" for cell in row) for row in rows]
    table = "".join(f"<tr>{line}</tr>" for line in ("".join(f"<th>{_name(cell)}</th>" for cell in head), *lines))
    return f"<h2>Runs</h2><div class=wide><table class=scores>{table}</table></div><p>{_name(SUMMARY)}</p>"


def _grid(report: Report, number: int, result: MatrixResult) -> str:
    """The grid of one metric and test, and the details of its pairs, which are hidden until a cell is chosen."""
    setup, shown = result.setup, Grid.of(result, report.alpha)
    head = "".join(f"<th>{rank}</th>" for rank in range(1, len(shown.cells) + 1))
    rows = [
        f"<tr><th>{rank} {_name(name)}</th>{''.join(_cell(cell, number) for cell in cells)}</tr>"
        for rank, (name, cells) in enumerate(zip(shown.names, shown.cells, strict=True), start=1)
    ]
    drawn = draws_of(setup)
    units = format_units(setup.n, setup.unit, setup.segments)
    key = (
        f"Row against column: p ({corrected(setup)}). {setup.test_title}, {setup.side}, n = {units}, {drawn}. Blue: the row "
        "is significantly better than the column; orange: worse; grey: no significant difference. Choose a cell for its "
        "numbers."
    )
    notes = "".join(f"<li>{_name(note)}</li>" for note in result.notes)
    return (
        f"<h2>{_name(setup.metric_title)}: {_name(setup.test_title)}</h2><p>{_name(matrix_summary(result, report.alpha))}</p>"
        f'<div class=wide><table class=grid id="grid{number}"><tr><th></th>{head}</tr>{"".join(rows)}</table></div>'
        f"<p class=small>{_name(key)}</p>{_pairs(report, number, result)}"
        f"{f'<details><summary>Notes</summary><ul>{notes}</ul></details>' if notes else ''}"
    )


def _cell(cell: Cell, number: int) -> str:
    if cell.row == cell.column or not cell.asked:
        return "<td></td>"
    level = cell.level or 0
    kind = f"{'better' if level > 0 else 'worse'}{abs(level)}" if level else "none"
    star = STARS[level] if level else ""
    return f'<td class="{kind}"><a href="#{_anchor(cell, number)}">{cell.adjusted}<br>{star}&nbsp;</a></td>'


def _anchor(cell: Cell, number: int) -> str:
    """The anchor of a pair, two-sided the same for both of its cells."""
    first, second = cell.row, cell.column
    if cell.setup.side == "two-sided":
        first, second = sorted((first, second), key=cell.result.order.index)
    return f"pair{number}-{first}-{second}"


def _pairs(report: Report, number: int, result: MatrixResult) -> str:
    """The details of every pair; the one that the address names is shown."""
    parts = []
    for cell in in_order(result, report.alpha):
        ends = float(cell.of(result.p_low)), float(cell.of(result.p_high))
        facts = [
            ("gain", cell.gain),
            (
                "95% interval",
                "n/a" if math.isnan(cell.interval[0]) else _interval(cell.interval, result.setup.decimals),
            ),
            ("p", cell.p),
            ("Monte Carlo interval of p", format_p_interval(ends, result.setup.resamples)),
            (f"adjusted p ({corrected(result.setup)})", cell.adjusted),
            ("verdict", cell.word),
        ]
        lines = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts)
        parts.append(
            f'<section class=pair id="{_anchor(cell, number)}"><h3>{_name(cell.system)} against {_name(cell.baseline)}</h3>'
            f'{_picture(report, result, cell.row, cell.column)}<table>{lines}</table><p><a href="#grid{number}">Close</a></p></section>'
        )
    return "".join(parts)


def _interval(ends: tuple[float, float], decimals: int) -> str:
    return f"[{format_gain(ends[0], decimals)}, {format_gain(ends[1], decimals)}]"


def _picture(report: Report, result: MatrixResult, i: int, j: int) -> str:
    """The histogram of the pair, in the order in which it was drawn; "" without one."""
    shown = report.picture_of(result, result.systems[i], result.systems[j])
    null = None if shown is None else picture.histogram(shown)
    if shown is None or null is None:
        return ""
    order = f"{shown.system} minus {shown.baseline}"
    drawn = int(result.resamples[i, j])
    first = f" the first {study.DRAWN:,} of" if drawn > shown.setup.resamples else ""
    words = (
        f"{result.setup.metric_title} of {order}:{first} {drawn:,} {shown.counted}. Dashed: the cut-offs; "
        "coloured bars are counted."
    )
    return f"<figure>{svg(null)}<figcaption>{_name(words)}</figcaption></figure>"


def _sentences(report: Report) -> str:
    parts = [
        ("Verdict", report.verdict),
        ("Methods", report.methods),
        ("Command that gives the same numbers", report.command),
    ]
    blocks = "".join(f"<h3>{title}</h3>{_block(text)}" for title, text in parts if text)
    return f"<h2>For your paper</h2><p class=small>A click selects a whole block.</p>{blocks}"


def _files(report: Report) -> str:
    rows = pair_rows(report)
    content = json.dumps(report_json(report), ensure_ascii=False, allow_nan=False, indent=1)
    parts = [
        ("Tables as LaTeX (booktabs)", report.latex),
        ("Tables as Markdown", report.markdown),
        ("All pairs as CSV", tables.to_csv(rows).replace("\r\n", "\n")),
        ("BibTeX of what was used", bibtex.of_results(report.results)),
        ("Everything as JSON", content),
    ]
    said = [(f"Recipe: what the columns of {file} hold", text) for file, text in report.recipes.items()]
    return "".join(
        f"<details><summary>{_name(title)}</summary>{_block(text)}</details>" for title, text in [*said, *parts]
    )


def _block(text: str) -> str:
    """Text that one click selects; line feeds stay."""
    return f"<pre>{chr(10).join(map(_name, text.split(chr(10))))}</pre>"


# A report as a workbook: scores, all pairs as numbers, the checks, and how everything was made.


def report_xlsx(report: Report) -> bytes:
    """The workbook."""
    sheets: dict[str, Sequence[Mapping[str, Json]]] = {"Scores": _sheet_scores(report)}
    several = len(report.results) > 1
    for number, result in enumerate(report.results, start=1):
        sheets[f"Pairs {number}" if several else "Pairs"] = _sheet_pairs(result, report.alpha)
    if report.runs:
        head, *rows = summary(report.runs)
        sheets["Runs"] = [dict(zip(head, row, strict=True)) for row in rows]
    return tables.workbook(sheets | {"Checks": [_check(check) for check in report.checks], "About": _about(report)})


def _sheet_scores(report: Report) -> list[Row]:
    """The systems, best first: the score under each metric, and its dagger against the baseline."""
    table = paper.scores(report.results, report.alpha, report.baseline)
    of = {result.setup.metric_title: result for result in reversed(report.results)}
    rows = []
    for name, cells in zip(table.systems, table.cells, strict=True):
        row: Row = {"system": name}
        for title, cell in zip(table.metrics, cells, strict=True):
            row[title] = float(of[title].scores[of[title].systems.index(name)])
            if report.baseline:
                row[f"{title} against {report.baseline}"] = cell.mark
        rows.append(row)
    return rows


def _sheet_pairs(result: MatrixResult, alpha: float) -> list[Row]:
    """All pairs of one result as numbers, with its metric and test."""
    first = {"metric": result.setup.metric, "test": result.setup.test}
    return [first | row for row in matrix_rows(result, alpha)]


def _check(check: study.Check) -> dict[str, str]:
    return {
        "state": check.state,
        "question": check.question,
        "answer": check.answer,
        "fix": check.fix,
        "acknowledged": check.reason,
    }


def _about(report: Report) -> list[Row]:
    """What the tables do not say."""
    parts: list[tuple[str, Json]] = [("title", report.title), ("verdict", report.verdict), ("methods", report.methods)]
    parts += [("alpha", report.alpha), ("command", report.command), ("version", __version__)]
    parts += [("note", note) for note in report.warnings]
    return [{"what": name, "value": value} for name, value in parts]


# The files of a report: what each suffix holds, and the figures as SVG and PNG.

FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the same figures give the same bytes on any day


def _html(report: Report) -> str:
    pass  # it imports the figures, which take a second

    return report_html(report)


def pair_rows(report: Report) -> list[Row]:
    """All pairs of every result, each with its metric and test."""
    return [row for result in report.results for row in _sheet_pairs(result, report.alpha)]


# What a file with that suffix holds.
WRITERS: Mapping[str, Callable[[Report], str | bytes]] = {
    ".html": _html,
    ".xlsx": report_xlsx,
    ".tex": lambda report: report.latex,
    ".md": lambda report: report.markdown,
    ".csv": lambda report: tables.to_csv(pair_rows(report)),
    ".bib": lambda report: bibtex.of_results(report.results),
}


def figures(report: Report) -> dict[str, str | bytes]:
    """Every grid, and the histogram of every pair that was drawn, as an SVG and a PNG file by name."""
    from sigboard.render.picture import Picture, grid, histogram, png_file, svg_file

    out: dict[str, str | bytes] = {}
    for result in report.results:
        head = _plain(f"{result.setup.metric}-{result.setup.test}")
        pictures: dict[str, Picture | None] = {f"grid-{head}": grid(result, report.alpha)}
        ranked = [result.systems[i] for i in result.order]
        for number, (first, second) in enumerate(combinations(ranked, 2), start=1):
            shown = report.picture_of(result, first, second)
            name = f"pair-{head}-{number:03d}-{_plain(first)}-{_plain(second)}"
            pictures[name] = None if shown is None else histogram(shown)
        for name, drawn in pictures.items():
            if drawn is not None:
                out |= {f"{name}.svg": svg_file(drawn), f"{name}.png": png_file(drawn)}
    return out


def figures_zip(report: Report) -> bytes:
    """The figures as one zip."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in figures(report).items():
            data = content.encode("utf-8") if isinstance(content, str) else content
            archive.writestr(zipfile.ZipInfo(name, FIRST_DAY), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _plain(name: str) -> str:
    """The name with letters, digits, points and hyphens only, and not too long for a file."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[:40]
