"""A report as one HTML file: no script, no request to any host; a cell of the grid opens the details of its pair."""

from __future__ import annotations

import json
import math
from html import escape

from sigboard.reports import bibtex, paper, picture, tables
from sigboard.reports.html_style import STYLE
from sigboard.reports.report import SYMBOLS, WORDS, Report, report_json
from sigboard.reports.runs import SUMMARY, summary
from sigboard.reports.svg import svg
from sigcore import MatrixResult, __version__
from sigcore.formatting import SYMBOLS as STARS
from sigcore.formatting import format_draws, format_gain, format_p_interval, format_units
from sigcore.rows import matrix_rows
from sigcore.studies import report as study
from sigcore.verdicts import corrected, matrix_summary

# The browser itself refuses every request of the file.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


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


def printable(text: str) -> str:
    """The text without control characters and lone surrogates, which no HTML file can hold."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def _name(name: str) -> str:
    return escape(printable(name))


def _lines(text: str) -> str:
    return "<br>".join(map(_name, text.split("\n")))


def _checks(report: Report) -> str:
    rows = "".join(
        f'<tr class="{check.state}"><td class=state>{SYMBOLS[check.state]} {escape(WORDS[check.state])}</td>'
        f"<td><b>{_name(check.question)}</b> {_name(check.answer)}"
        f"{f'<br><i>{_name(check.fix)}</i>' if check.fix else ''}</td></tr>"
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
    setup, order = result.setup, result.order
    head = "".join(f"<th>{rank}</th>" for rank in range(1, len(order) + 1))
    levels, no_verdict = result.levels(report.alpha), setup.no_verdict(report.alpha)
    rows = [
        f"<tr><th>{rank} {_name(result.systems[i])}</th>"
        + "".join(_cell(result, number, i, j, None if no_verdict else int(levels[i, j])) for j in order)
        + "</tr>"
        for rank, i in enumerate(order, start=1)
    ]
    drawn = format_draws(setup.resamples, setup.seed)
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


def _cell(result: MatrixResult, number: int, i: int, j: int, level: int | None) -> str:
    if i == j:
        return "<td></td>"
    kind = {None: "none", 0: "none"}.get(level) or f"{'better' if (level or 0) > 0 else 'worse'}{abs(level or 0)}"
    star = STARS[level] if level else ""
    p = result.written_p(i, j)
    anchor = f"pair{number}-{i}-{j}" if result.setup.side != "two-sided" else _two_sided(result, number, i, j)
    return f'<td class="{kind}"><a href="#{anchor}">{p}<br>{star}&nbsp;</a></td>'


def _two_sided(result: MatrixResult, number: int, i: int, j: int) -> str:
    """The anchor of a pair, the same for both of its cells."""
    first, second = sorted((i, j), key=result.order.index)
    return f"pair{number}-{first}-{second}"


def _pairs(report: Report, number: int, result: MatrixResult) -> str:
    """The details of every pair; the one that the address names is shown."""
    position = {name: k for k, name in enumerate(result.systems)}
    parts = []
    for row in matrix_rows(result, report.alpha):
        i, j = position[row["system"]], position[row["baseline"]]
        shown = _picture(report, result, i, j)
        interval = (row["gain_low"], row["gain_high"])
        facts = [
            ("gain", format_gain(row["gain"], result.setup.decimals)),
            ("95 % interval", "n/a" if math.isnan(interval[0]) else _interval(interval, result.setup.decimals)),
            ("p", result.written_p(i, j, adjusted=False)),
            ("Monte Carlo interval of p", format_p_interval((row["p_low"], row["p_high"]), result.setup.resamples)),
            (f"adjusted p ({corrected(result.setup)})", result.written_p(i, j)),
            ("verdict", row["verdict"]),
        ]
        lines = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts)
        parts.append(
            f'<section class=pair id="pair{number}-{i}-{j}"><h3>{_name(row["system"])} against {_name(row["baseline"])}</h3>'
            f'{shown}<table>{lines}</table><p><a href="#grid{number}">Close</a></p></section>'
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
    first = f" the first {study.DRAWN:,} of" if result.setup.resamples > shown.setup.resamples else ""
    words = (
        f"{result.setup.metric_title} of {order}:{first} {result.setup.resamples:,} {shown.counted}. Dashed: the cut-offs; "
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
    rows = [row for result in report.results for row in tables.matrix_rows(result, report.alpha)]
    content = json.dumps(report_json(report), ensure_ascii=False, allow_nan=False, indent=1)
    parts = [
        ("Tables as LaTeX (booktabs)", report.latex),
        ("Tables as Markdown", report.markdown),
        ("All pairs as CSV", tables.to_csv(rows).replace("\r\n", "\n")),
        ("BibTeX of what was used", bibtex.of_results(report.results)),
        ("Everything as JSON", content),
    ]
    return "".join(f"<details><summary>{title}</summary>{_block(text)}</details>" for title, text in parts)


def _block(text: str) -> str:
    """Text that one click selects; line feeds stay."""
    return f"<pre>{chr(10).join(map(_name, text.split(chr(10))))}</pre>"
