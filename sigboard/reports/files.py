"""The files of a report: what each suffix holds, and the figures as SVG and PNG."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from itertools import combinations

from sigboard.reports import bibtex, tables
from sigboard.reports.report import Report
from sigboard.reports.xlsx import report_xlsx

FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the same figures give the same bytes on any day


def _html(report: Report) -> str:
    from sigboard.reports.html import report_html  # it imports the figures, which take a second

    return report_html(report)


def _csv(report: Report) -> str:
    return tables.to_csv([row for result in report.results for row in tables.matrix_rows(result, report.alpha)])


# What a file with that suffix holds.
WRITERS: Mapping[str, Callable[[Report], str | bytes]] = {
    ".html": _html,
    ".xlsx": report_xlsx,
    ".tex": lambda report: report.latex,
    ".md": lambda report: report.markdown,
    ".csv": _csv,
    ".bib": lambda report: bibtex.of_results(report.results),
}


def figures(report: Report) -> dict[str, str | bytes]:
    """Every grid, and the histogram of every pair that was drawn, as an SVG and a PNG file by name."""
    from sigboard.reports.picture import Picture, grid, histogram
    from sigboard.reports.png import png_file
    from sigboard.reports.svg import svg_file

    out: dict[str, str | bytes] = {}
    for result in report.results:
        head = _plain(f"{result.setup.metric}-{result.setup.test}")
        pictures: dict[str, Picture | None] = {f"grid-{head}": grid(result, report.alpha)}
        ranked = [result.systems[i] for i in result.order]
        for number, (first, second) in enumerate(combinations(ranked, 2), start=1):
            shown = report.picture_of(result, first, second)
            name = f"pair-{head}-{number:03d}-{_plain(first)}-{_plain(second)}"
            pictures[name] = None if shown is None else histogram(shown)
        for name, picture in pictures.items():
            if picture is not None:
                out |= {f"{name}.svg": svg_file(picture), f"{name}.png": png_file(picture)}
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
