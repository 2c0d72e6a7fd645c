"""The files of a report: workbook, figures as SVG and PNG, and LaTeX that a compiler takes."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import openpyxl
import pytest
from PIL import Image

from sigboard.questions.report import report as files
from sigboard.questions.report.report import report_xlsx
from sigboard.render import paper, picture
from sigboard.render.picture import SCALE, png_file, svg_file
from sigcore.results import matrix_rows
from tests.unit import factories
from tests.unit.sigboard.reports.test_report import HOSTILE, made

SVG = "{http://www.w3.org/2000/svg}"


def test_the_workbook_has_the_numbers_of_the_result() -> None:
    """Scores and pairs are numbers, equal to those of the result; undefined ones are empty; the checks are texts."""
    report = made(baseline=HOSTILE[0])
    book = openpyxl.load_workbook(io.BytesIO(report_xlsx(report)))
    assert book.sheetnames == ["Scores", "Pairs", "Checks", "About"]
    header, *rows = book["Pairs"].iter_rows(values_only=True)
    expected = matrix_rows(report.results[0], 0.05)
    assert list(header) == ["metric", "test", *expected[0]]
    for row, wanted in zip(rows, expected, strict=True):
        for value, number in zip(row[2:], wanted.values(), strict=True):
            if number != number:
                assert value is None
            else:  # a workbook holds sixteen digits
                assert value == (number if isinstance(number, str) else pytest.approx(number, rel=1e-15))
    (_, first, *_), *scores = book["Scores"].iter_rows(values_only=True)
    assert first == "BLEU"
    assert [row[1] for row in scores] == sorted(report.results[0].scores.tolist(), reverse=True)
    assert [row[0] for row in book["Checks"].iter_rows(values_only=True)] == ["state", "green", "red"]
    assert report.methods in [row[1] for row in book["About"].iter_rows(values_only=True)]


def test_no_name_is_a_formula_or_a_link() -> None:
    """Names that a spreadsheet would run, open, or cannot hold are texts."""
    names = ("=1+1", "http://evil.example", "\ud800\x00\x1b[2J", "+12")
    result = factories.matrix((40.0, 42.0, 41.0, 43.0), systems=names)
    content = report_xlsx(made(results=(result,), pictures={}, title="x" * 40_000))
    book = openpyxl.load_workbook(io.BytesIO(content))
    cells = {cell.value: cell for row in book["Scores"].iter_rows() for cell in row}
    assert {"=1+1", "http://evil.example", "+12"} <= cells.keys()
    assert {cells[name].data_type for name in ("=1+1", "http://evil.example", "+12")} == {"s"}
    assert all(cell.hyperlink is None for cell in cells.values())
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert not any("http://evil" in archive.read(n).decode() for n in archive.namelist() if n.endswith(".rels"))


def test_the_same_report_gives_the_same_bytes() -> None:
    """No file has the time of day in it."""
    for write in (*files.WRITERS.values(), files.figures_zip):
        assert write(made()) == write(made())


def test_figures_are_a_grid_and_the_pairs_that_were_drawn() -> None:
    """One grid, one pair with a histogram, each as SVG and PNG; names are plain letters."""
    found = files.figures(made())
    assert sorted({name.partition("-")[0] for name in found}) == ["grid", "pair"]
    assert len(found) == 4
    assert all(re.fullmatch(r"[A-Za-z0-9.-]+\.(svg|png)", name) for name in found)
    with zipfile.ZipFile(io.BytesIO(files.figures_zip(made()))) as archive:
        assert archive.namelist() == list(found)


def test_the_svg_of_a_grid_has_every_p_and_requests_nothing() -> None:
    """It is XML with a box and a p for each ordered pair; hostile names are texts; every class has a colour."""
    result = made().results[0]
    text = svg_file(picture.grid(result, 0.05))
    root = ElementTree.fromstring(text.encode())
    texts = ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]
    p = [result.written_p(i, j) for i in result.order for j in result.order if i != j]
    assert sorted(one for one in texts if one in p) == sorted(p)
    assert all(any(name in one for one in texts) for name in HOSTILE)
    assert not re.search(r"<script|href|url\(|@import", text)
    style = root.findtext(f"{SVG}style") or ""
    assert all(f".{one.get('class')}{{" in style for one in root.iter() if one.get("class"))


def test_the_png_shows_what_the_svg_shows() -> None:
    """Three times as large, with the colour of each box in its middle."""
    result = factories.matrix((40.0, 42.0, 41.0), p=[[1, 0.0001, 0.2], [0.0001, 1, 0.03], [0.2, 0.03, 1]])
    shown = picture.grid(result, 0.05)
    image = Image.open(io.BytesIO(png_file(shown)))
    assert image.size == (round(SCALE * shown.width), round(SCALE * shown.height))
    from sigboard.render.picture import colours

    for box in (one for one in shown.shapes if isinstance(one, picture.Box)):
        corner = (round(SCALE * (box.x + 3)), round(SCALE * (box.y + 3)))
        assert "#{:02X}{:02X}{:02X}".format(*image.getpixel(corner)) == colours()[box.kind].upper()


def test_bars_of_a_histogram_are_its_counts() -> None:
    """Heights are in proportion to the counts, and the bars that count are coloured."""
    one = factories.one_test()
    shown = picture.histogram(one)
    assert shown is not None
    bars = [shape for shape in shown.shapes if isinstance(shape, picture.Box)]
    counts = [int(count) for count in one.histogram.counts if count]
    assert sum(box.height for box in bars) / max(box.height for box in bars) >= sum(counts) / max(counts) - 1
    assert {box.kind for box in bars} <= {"bar", "tail"}
    assert ElementTree.fromstring(svg_file(shown).encode()) is not None


def test_latex_compiles(tmp_path: Path) -> None:
    """A real compiler makes a page of the tables, with names that mean something to LaTeX."""
    program = shutil.which("tectonic") or shutil.which("pdflatex")
    if program is None:
        pytest.skip("neither tectonic nor pdflatex is installed")
    if "pdflatex" in program and subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True).returncode:
        pytest.skip("pdflatex is installed without booktabs")
    names = (*HOSTILE, "[4mm]", "*", r"\end{table}", "50% & more #1", "naïve Ünïcode")
    result = factories.matrix([40.0 + k for k in range(len(names))], systems=names)
    tables = paper.latex([result], 0.05, names[0])
    head = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs}\n\\begin{document}\n"
    (tmp_path / "t.tex").write_text(f"{head}{tables}\\end{{document}}\n", encoding="utf-8")
    strict = [] if "tectonic" in program else ["-interaction=nonstopmode", "-halt-on-error"]
    ended = subprocess.run([program, *strict, "t.tex"], cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert ended.returncode == 0, ended.stdout[-2000:]
    assert (tmp_path / "t.pdf").read_bytes().startswith(b"%PDF")
