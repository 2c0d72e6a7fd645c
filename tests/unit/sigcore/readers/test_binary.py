"""Parquet files, workbooks of Excel and arrays of NumPy: the same as the table they hold, and bounded."""

from __future__ import annotations

import io
import json
import random
import zipfile
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sigcore.readers import Intake, Limits, read
from sigcore.readers import parquet as unpacking

N = 30
TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
NAMES = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINKS = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'


def parquet(columns: dict[str, Any], **how: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **how)
    return out.getvalue()


def npy(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def sheet(rows: list[str]) -> str:
    return f'<?xml version="1.0"?><worksheet {NAMES}><sheetData>{"".join(rows)}</sheetData></worksheet>'


def row(number: int, cells: list[object]) -> str:
    """A row as Excel writes it: texts inline, numbers as they are, nothing where a cell is None."""
    parts = []
    for k, cell in enumerate(cells):
        place = f'r="{chr(65 + k)}{number}"'
        if isinstance(cell, str):
            parts.append(f'<c {place} t="inlineStr"><is><t>{cell}</t></is></c>')
        elif cell is not None:
            parts.append(f"<c {place}><v>{cell}</v></c>")
    return f'<row r="{number}">{"".join(parts)}</row>'


def book(sheets: dict[str, str], shared: str = "", hidden: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        named = [
            f'<sheet name="{name}" sheetId="{k}" r:id="rId{k}"{" state=" + chr(34) + "hidden" + chr(34) if name == hidden else ""}/>'
            for k, name in enumerate(sheets, 1)
        ]
        archive.writestr("xl/workbook.xml", f"<workbook {NAMES} {LINKS}><sheets>{''.join(named)}</sheets></workbook>")
        targets = [f'<Relationship Id="rId{k}" Target="worksheets/s{k}.xml"/>' for k in range(1, len(sheets) + 1)]
        archive.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{''.join(targets)}</Relationships>")
        if shared:
            archive.writestr("xl/sharedStrings.xml", f"<sst {NAMES}>{shared}</sst>")
        for k, content in enumerate(sheets.values(), 1):
            archive.writestr(f"xl/worksheets/s{k}.xml", content)
    return out.getvalue()


def table(first: float = 0.5) -> str:
    rows = [row(k + 2, [k, first + k / 100, 1 - k / 100]) for k in range(N)]
    return sheet([row(1, ["segment", "A", "B"]), *rows])


def streams(intake: Intake) -> list[tuple[str, str, int]]:
    return [(item.name, item.measure, len(item.segments)) for item in intake.items]


def test_a_parquet_file_is_its_table() -> None:
    """Scores and columns are those of the same table as CSV; lists are named and not used, the index of pandas is neither."""
    scores = {"system": ["A"] * N + ["B"] * N, "id": [*range(N)] * 2, "COMET": [k / 7 for k in range(2 * N)]}
    more = {"refs": [["x"]] * 2 * N, "__index_level_0__": [*range(2 * N)]}
    intake = read([("s.parquet", parquet(scores | more))])
    rows = zip(*scores.values(), strict=True)
    same = read([("s.csv", ("system,id,COMET\n" + "".join(f"{s},{i},{c!r}\n" for s, i, c in rows)).encode())])
    assert intake.problems == ()
    assert [(i.name, i.measure, i.segments) for i in intake.items] == [
        (i.name, i.measure, i.segments) for i in same.items
    ]
    assert [claim.column for claim in intake.claims] == [claim.column for claim in same.claims]
    assert any("refs" in notice.message for notice in intake.notices)


def test_decimals_are_written_as_json_writes_them() -> None:
    """Every float keeps its digits; a missing one, nan and an infinity are null."""
    values = [0.1, 1e-300, 1e22, -0.0, 100.0, None, float("nan"), float("inf"), -float("inf"), 1 / 3]
    finite = [one if one is not None and np.isfinite(one) else None for one in values]
    assert unpacking._encoded(values) == [json.dumps(one) for one in finite]
    assert unpacking._encoded([0.5, "a", None, True]) == ["0.5", '"a"', "null", "true"]


def test_the_size_of_a_parquet_file_is_counted_before_it_is_unpacked() -> None:
    """One long text, repeated, takes a few bytes in the file and much in memory."""
    data = parquet({"id": [str(k) for k in range(1000)], "text": ["x" * 100_000] * 1000}, compression="zstd")
    assert len(data) < 1_000_000
    (problem,) = read([("s.parquet", data)], limits=Limits(total_bytes=50_000_000)).problems
    assert "unpacks to too much" in problem.what


def test_an_array_is_one_score_per_segment() -> None:
    """Numbers of any width, truths, a single column; missing ones stay missing."""
    intake = read([("A.npy", npy(np.linspace(0, 1, N))), ("B.npy", npy(np.ones((N, 1), dtype="f4")))])
    assert streams(intake) == [("A", "", N), ("B", "", N)]
    assert [float(cell) for cell in intake.items[0].segments] == np.linspace(0, 1, N).tolist()
    assert read([("A.npy", npy(np.array([True, False] * N)))]).items[0].segments[:2] == ("1", "0")


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", ">f8", np.longdouble, "i8", "u1"])
def test_numbers_of_any_width_are_pythons_own(kind: str) -> None:
    """Each cell is the number as Python writes it, also where numpy's type has more than 64 bits."""
    values = np.array([0.5, 1.25, 3] * 20).astype(kind)
    (item,) = read([("A.npy", npy(values))]).items
    assert item.kind == "scores"
    assert [float(cell) for cell in item.segments] == [float(value) for value in values]


@pytest.mark.parametrize("array", [np.zeros((3, 2)), np.array(["a"]), np.array([1j]), np.array(1.0)])
def test_other_arrays_are_refused(array: np.ndarray) -> None:
    """What is not a column of numbers is named, with its shape."""
    (problem,) = read([("A.npy", npy(array))]).problems
    assert "not one column of numbers" in problem.what
    pickled = io.BytesIO()
    np.save(pickled, np.array([{}], dtype=object), allow_pickle=True)
    assert "not one column" in read([("A.npy", pickled.getvalue())]).problems[0].what


def test_a_workbook_with_one_sheet_is_a_table() -> None:
    """Values below their headings; the sheet has the name of the file."""
    intake = read([("comet.xlsx", book({"Sheet1": table()}))])
    assert intake.problems == ()
    assert streams(intake) == [("A", "comet", N), ("B", "comet", N)]
    assert float(intake.items[0].segments[3]) == 0.53


def test_sheets_are_files_and_hidden_ones_are_left_out() -> None:
    """A sheet per measure, as MATEO writes it; texts that all sheets repeat are there once."""
    head = row(1, ["src", "ref", "A", "A_score", "B", "B_score"])
    rows = [row(k + 2, [f"s {k}", f"r {k}", f"a {k}", k / 50, f"b {k}", 1 - k / 60]) for k in range(N)]
    one = sheet([head, *rows])
    intake = read([("mateo.xlsx", book({"comet": one, "bleu": one, "old": table()}, hidden="old"))])
    assert [(i.name, i.kind, i.measure) for i in intake.items] == [
        ("src", "text", ""), ("ref", "text", ""), ("A", "text", ""), ("A", "scores", "comet"), ("B", "text", ""),
        ("B", "scores", "comet"), ("A", "scores", "bleu"), ("B", "scores", "bleu"),
    ]  # fmt: skip
    assert any("hidden" in notice.message for notice in intake.notices)


def test_workbooks_of_several_systems() -> None:
    """Sheets of one name are named after their workbooks; a sheet of means beside the scores is set aside with a notice."""
    rows = [row(k + 2, [f"q{k}", k / 50]) for k in range(N)]
    means = sheet([row(1, ["what", "mean", "weight"]), row(2, ["x", 0.5, 1]), row(3, ["y", 0.25, 2])])
    files = [
        (f"{name}.xlsx", book({"results": sheet([row(1, ["qid", "accuracy"]), *rows]), "sum": means}))
        for name in "ABCDE"
    ]
    intake = read(files)
    assert [item.name for item in intake.items] == list("ABCDE")
    assert intake.problems == ()
    assert sum("set aside" in notice.message for notice in intake.notices) == len(files)


def test_shared_texts_truths_and_errors() -> None:
    """Texts by number, in runs; true and false; an error is a missing cell; rows and cells may be left out."""
    shared = "<si><t>system</t></si><si><t>id</t></si><si><r><t>acc</t></r><r><t>uracy</t></r><rPh><t>x</t></rPh></si><si><t>A</t></si>"
    head = '<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="D2" t="s"><v>2</v></c></row>'
    cells = ['t="b"><v>1', 't="b"><v>0', 't="e"><v>#DIV/0!']
    rows = [
        f'<row r="{k + 3}"><c r="B{k + 3}" t="s"><v>3</v></c><c r="C{k + 3}"><v>{k}</v></c><c r="D{k + 3}" {cell}</v></c></row>'
        for k, cell in enumerate(cells)
    ]
    (item,) = read([("t.xlsx", book({"s": sheet([head, *rows])}, shared=shared))]).items
    assert (item.name, item.measure, item.segments) == ("A", "accuracy", ("1", "0", ""))


@pytest.mark.parametrize(
    "content",
    [
        '<!DOCTYPE x [<!ENTITY a "b">]>' + table()[21:],
        sheet([row(1, ["a"]), '<row r="9999999999"/>']),
        sheet(['<row r="5"/>', '<row r="2"/>']),
        sheet(['<row r="1"><c r="ZZZ1"><v>1</v></c></row>']),
        "<worksheet>",
        sheet([]),
    ],
)
def test_damaged_and_huge_workbooks_are_refused(content: str) -> None:
    """Entities, rows out of order or beyond the last one, columns beyond the limit, broken XML, nothing."""
    intake = read([("t.xlsx", book({"s": content}))])
    assert intake.items == ()
    assert len(intake.problems) == 1


def test_the_rows_of_a_parquet_file_are_counted_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Millions of equal rows take no space in the file, and would take minutes."""
    monkeypatch.setattr(unpacking, "_records", lambda *given: pytest.fail("rows were made"))
    for limits in (Limits(lines=199), Limits(parts=2_399)):  # {"a": null, "b": null} and its line end: 12 parts
        (problem,) = read([("s.parquet", parquet({"a": ["x"] * 200, "b": ["y"] * 200}))], limits=limits).problems
        assert "s.parquet has 200 rows of 2 columns: more than are read together." in str(problem)


@pytest.mark.parametrize("kind", ["parquet", "npy", "xlsx"])
def test_damage_gives_streams_or_a_problem(kind: str) -> None:
    """Changed and cut bytes never end in anything but an intake."""
    whole = {
        "parquet": parquet({"id": [str(k) for k in range(N)], "A": [0.5] * N, "B": ["0.1", "0.2"] * (N // 2)}),
        "npy": npy(np.linspace(0, 1, N)),
        "xlsx": book({"Sheet1": table()}),
    }[kind]
    chance = random.Random(1)
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        cut = bytes(data[: chance.randint(1, len(data))] if chance.random() < 0.3 else data)
        intake = read([(f"x.{kind}", cut)], limits=Limits(total_bytes=20_000_000))
        assert intake.items or intake.problems or intake.notices


def test_digits_of_many_arrays_count_little():
    """Arrays of single digits are read as the same text as before, and many of them fit where other numbers do not."""
    values = np.arange(N) % 10
    assert read([("A.npy", npy(values.astype(np.int8)))]).items[0].segments == tuple(map(str, values.tolist()))
    files = [(f"s{k}.npy", npy(values.astype(np.uint8))) for k in range(20)]
    intake = read(files, limits=Limits(lines=20 * N // 4))
    assert len(intake.items) == 20
    assert not intake.problems
    others = [(f"s{k}.npy", npy(values + 10)) for k in range(20)]
    assert "lines" in str(read(others, limits=Limits(lines=20 * N // 4)).problems[0].what)
