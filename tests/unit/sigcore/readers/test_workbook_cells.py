"""The cells of a workbook stand where the program that wrote it put them, also where it wrote no places."""

from __future__ import annotations

import pytest

from sigcore.readers import workbook

SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINKS = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'


def csv_of(*rows: str, state: str = "visible") -> list[str]:
    """The lines of the one sheet with these rows, and of one beside it that has a word."""
    hidden = f'<sheet name="Other" sheetId="2" state="{state}" r:id="b"/>'
    relation = "<Relationship Id='{}' Target='{}'/>"
    members = {
        workbook.BOOK: f'<workbook {SPACE} {LINKS}><sheets><sheet name="S" sheetId="1" r:id="a"/>{hidden}</sheets></workbook>',
        workbook.RELATIONS: f"<Relationships>{relation.format('a', 'one.xml')}{relation.format('b', 'two.xml')}</Relationships>",
        "xl/one.xml": f"<worksheet {SPACE}><sheetData>{''.join(rows)}</sheetData></worksheet>",
        "xl/two.xml": f"<worksheet {SPACE}><sheetData><row><c><v>9</v></c></row></sheetData></worksheet>",
    }
    found, _ = workbook.sheets("f.xlsx", lambda name: members.get(name, "").encode())
    return [content.decode().replace("\r", "") for _, content in found]


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ('<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>3</v></c></row>', "1,,3\n"),
        ("<row><c><v>1</v></c><c/><c><v>3</v></c></row>", "1,,3\n"),  # the empty one has a place, too
        ('<row><c r="B1"><v>2</v></c><c><v>3</v></c></row>', "2,3\n"),  # empty columns before all others are left out
        ('<row><c t="b"><v>1</v></c><c t="e"><v>#DIV/0!</v></c><c><v>3</v></c></row>', "true,,3\n"),
        ('<row><c r="A1"><v>1</v></c><c r="AA1"><v>7</v></c></row>', f"1{',' * 26}7\n"),
    ],
)
def test_where_a_cell_stands(row: str, line: str) -> None:
    """By its place, or behind the cell before it."""
    assert csv_of(row, state="hidden") == [line]


def test_empty_rows_between_others_stay() -> None:
    """A row is a line."""
    rows = ('<row r="1"><c r="A1"><v>1</v></c></row>', '<row r="3"><c r="A3"><v>3</v></c></row>')
    (lines,) = csv_of(*rows, state="hidden")
    assert [line.strip('"') for line in lines.split("\n")] == ["1", "", "3", ""]


@pytest.mark.parametrize(("state", "sheets"), [("visible", 2), ("hidden", 1), ("veryHidden", 1)])
def test_hidden_sheets_are_not_read(state: str, sheets: int) -> None:
    """Of both kinds."""
    assert len(csv_of("<row><c><v>1</v></c></row>", state=state)) == sheets
