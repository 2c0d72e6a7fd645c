"""A report as a workbook: scores, all pairs as numbers, the checks, and how everything was made."""

from __future__ import annotations

import datetime
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

from sigboard.reports import paper
from sigboard.reports.report import Report
from sigboard.reports.runs import summary
from sigcore import MatrixResult, __version__
from sigcore.rows import matrix_rows
from sigcore.studies import report as study

MOST_LETTERS = 32_000  # a cell holds at most 32,767
# the same report gives the same bytes on any day
WRITTEN = datetime.datetime(1980, 1, 1)


def report_xlsx(report: Report) -> bytes:
    """The workbook. Names are always texts, never formulas or links; undefined numbers are empty cells."""
    import xlsxwriter

    file = io.BytesIO()
    choices = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(file, choices)
    book.set_properties({"created": WRITTEN, "comments": f"Sigboard {__version__}"})
    bold = book.add_format({"bold": True})
    _sheet(book, bold, "Scores", _scores(report))
    several = len(report.results) > 1
    for number, result in enumerate(report.results, start=1):
        _sheet(book, bold, f"Pairs {number}" if several else "Pairs", _pairs(result, report.alpha))
    if report.runs:
        head, *rows = summary(report.runs)
        _sheet(book, bold, "Runs", [dict(zip(head, row, strict=True)) for row in rows])
    _sheet(book, bold, "Checks", [_check(check) for check in report.checks])
    _sheet(book, bold, "About", _about(report))
    book.close()
    return file.getvalue()


def _sheet(book: Any, bold: Any, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """A sheet with a bold header that stays when the sheet is scrolled."""
    sheet = book.add_worksheet(name)
    header = list(rows[0]) if rows else []
    for column, title in enumerate(header):
        sheet.write_string(0, column, _text(title), bold)
        longest = max((len(str(row[title])) for row in rows if isinstance(row[title], str)), default=0)
        sheet.set_column(column, column, min(max(len(title), longest, 8) + 2, 60))
    for k, row in enumerate(rows, start=1):
        for column, value in enumerate(row.values()):
            if isinstance(value, str):
                sheet.write_string(k, column, _text(value))
            elif value is not None and math.isfinite(value):
                sheet.write_number(k, column, value)
    sheet.freeze_panes(1, 1)


def _text(text: str) -> str:
    # XML holds neither lone surrogates nor the other characters that nobody sees
    return "".join(letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in text)[:MOST_LETTERS]


def _scores(report: Report) -> list[dict[str, Any]]:
    """The systems, best first: the score under each metric, and its dagger against the baseline."""
    table = paper.scores(report.results, report.alpha, report.baseline)
    of = {result.setup.metric_title: result for result in reversed(report.results)}
    rows = []
    for name, cells in zip(table.systems, table.cells, strict=True):
        row: dict[str, Any] = {"system": name}
        for title, cell in zip(table.metrics, cells, strict=True):
            row[title] = float(of[title].scores[of[title].systems.index(name)])
            if report.baseline:
                row[f"{title} against {report.baseline}"] = cell.mark
        rows.append(row)
    return rows


def _pairs(result: MatrixResult, alpha: float) -> list[dict[str, Any]]:
    """All pairs of one result as numbers, with its metric and test."""
    first = {"metric": result.setup.metric, "test": result.setup.test}
    return [first | row for row in matrix_rows(result, alpha)]


def _check(check: study.Check) -> dict[str, str]:
    return {"state": check.state, "question": check.question, "answer": check.answer, "fix": check.fix}


def _about(report: Report) -> list[dict[str, Any]]:
    """What the tables do not say."""
    parts = [("title", report.title), ("verdict", report.verdict), ("methods", report.methods), ("alpha", report.alpha)]
    parts += [("command", report.command), ("version", __version__)]
    parts += [("note", note) for note in report.warnings]
    return [{"what": name, "value": value} for name, value in parts]
