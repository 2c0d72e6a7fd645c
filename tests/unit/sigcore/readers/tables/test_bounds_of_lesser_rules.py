"""Rules for a few tables: places of rows, columns beside labels and numbers, and shares of rows."""

from __future__ import annotations

import pytest

from sigcore.readers.contract import Found
from sigcore.readers.tables import cells, doubts, grids, guesses, layouts, proposals, rated
from sigcore.readers.tables.columns import Grid
from tests.unit.sigcore.readers.tables.built import Cells, content, item, table


def test_a_plain_table_is_kept_as_columns() -> None:
    """Its rows are numbered from 1; one with quotes is read line by line."""
    plain, quoted = (cells.rows(content(text), ",") for text in ("a,b\n1,2\n", 'a,"b"\n1,2\n'))
    assert (isinstance(plain.cells, Grid), isinstance(quoted.cells, Grid)) == (True, False)
    assert (list(plain.lines), list(quoted.lines)) == ([1, 2], [1, 2])
    assert [list(row) for row in plain.cells] == [list(row) for row in quoted.cells] == [["a", "b"], ["1", "2"]]


@pytest.mark.parametrize(("different", "told"), [((12, 12), True), ((12, 6), True), ((6, 6), False)])
def test_a_text_that_differs_in_every_row_may_name_whole_systems(different: tuple[int, int], told: bool) -> None:
    """One such column is enough."""
    of = table("A B C", lambda k: (k / 7, f"b text {k % different[0]}", f"c text {k % different[1]}"))
    rivals = {k: item(name, of.column(k), "scores" if k == 0 else "text") for k, name in enumerate("ABC")}
    (found,) = [why for why in doubts.about(of, rivals, []) if why.startswith("It has columns of text")]
    assert ("If each row is a system" in found) is told


def test_numbers_beside_their_references_are_no_outputs() -> None:
    """One column of numbers among those of the stems is enough."""

    def stem(k: int, letter: str) -> str:
        return " ".join(f"{letter}{k}{i}" for i in range(4))

    of = table("id A_ref A_pred B_ref B_pred", lambda k: (k, stem(k, "r"), stem(k, "p"), stem(k, "r"), k))
    assert grids.paired(of, Found()) is of
    gold = table("id A_ref A_pred gold", lambda k: (k, stem(k, "r"), stem(k, "p"), stem(k, "g")))
    assert grids.paired(gold, Found()) is gold


def test_labels_beside_texts_that_may_be_outputs() -> None:
    """A text of no known meaning, or one alone whose heading is known."""

    def role(heads: str, cells_of: Cells) -> str:
        of = table(heads, cells_of)
        return guesses.likeliest(of, 0, item(of.headings[0], of.column(0), "scores" if of.numeric(0) else "text"))[1]

    told = "by its heading what is right"
    assert role("label B", lambda k: ("ab"[k % 2] + " x", f"t {k}")) == told
    assert role("label id", lambda k: ("ab"[k % 2] + " x", k)) != told
    assert role("label source", lambda k: ("ab"[k % 2] + " x", f"t {k}")) != told
    assert role("label B", lambda k: ("ab"[k % 2] + " x", k / 7)) != told
    assert role("label B", lambda k: (k / 7, f"t {k}")) != told


def test_numbers_in_the_first_line_of_two_are_no_headings() -> None:
    """Beside the index, which may be headed with anything."""
    body = [["id", "", ""], ["q1", "1", "2"]]
    upper, lower = ["", "One", "Two"], ["", "BLEU", "chrF"]
    assert layouts.of_levels([upper, lower, *body])[0] == ["id", "One BLEU", "Two chrF"]
    for one, two in (
        (["", "7", "Two"], lower),
        (upper, ["", "7", "chrF"]),
        (["", "One", "7"], lower),
        (upper, ["", "BLEU", "7"]),
    ):
        assert layouts.of_levels([one, two, *body]) == [one, two, *body]


@pytest.mark.parametrize(("others", "found"), [(6, True), (7, False)])
def test_three_quarters_of_the_rows_are_of_systems_with_most_questions(others: int, found: bool) -> None:
    """Two systems with nine questions each, beside others with one."""
    rows = [(f"n{k % 2}", f"q{k // 2}") for k in range(18)]
    rows += [(f"m{k // 2}", f"q{k}") for k in range(others)]
    got = proposals.of(table("colour thing score", lambda k: (*rows[k], (k * 7 % 11) / 10), len(rows)))
    assert any(roles.startswith("colour=system thing=question") for _, roles in got) is found


def test_the_first_rows_below_a_title_and_of_a_short_file() -> None:
    assert rated.first_rows(content("Results,,\nsystem,segment,x\n")) == (["system", "segment", "x"], [""])
    assert rated.first_rows(content("system,segment\n")) == (["system", "segment"], [""])
    of = rated.pairs_table(content("A 1\nB 2\n"))
    assert list(of.places) == [1, 2]
