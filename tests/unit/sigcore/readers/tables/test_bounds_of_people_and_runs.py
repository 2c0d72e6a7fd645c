"""Ratings by people, runs, tasks, categories and labels: which columns they are, and what becomes of them."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import raters, roles, said, wide_ratings
from sigcore.readers.tables.said import Said
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, cells_of, columns_of, messages, table


def with_basis(of: Table, **more: object) -> Table:
    return Table(of.file, of.headings, of.rows, of.places, **more)  # type: ignore[arg-type]


# People.


@pytest.mark.parametrize(
    ("heads", "cells", "people"),
    [
        ("system id rater1 rater2", lambda k: ("AB"[k % 2], k // 2, k % 5, k % 3), [2, 3]),
        ("system id rater1 x", lambda k: ("AB"[k % 2], k // 2, k % 5, k % 3), []),  # one person
        ("x id rater1 rater2", lambda k: ("AB"[k % 2], k // 2, k % 5, k % 3), []),
        ("system id rater1 rater2", lambda k: (f"s{k}", k // 2, k % 5, k % 3), []),
        ("system id rater1 rater2", lambda k: (k % 2, k // 2, k % 5, k % 3), []),
        ("system id rater1 rater2", lambda k: ("AB"[k % 2], k // 2, k % 5, "x"), []),
        ("system id rater1 rater2", lambda k: ("AB"[k % 2], k // 2, k % 5, k or ""), [2, 3]),
        ("system id rater1 rater2", lambda k: ("AB"[k % 2], k // 2, k % 5, ""), []),
        ("system model rater1 rater2", lambda k: ("AB"[k % 2], "AB"[k % 2], k % 5, k % 3), []),
    ],
)
def test_columns_of_people_beside_one_of_systems(heads: str, cells: Cells, people: list[int]) -> None:
    of = table(heads, cells)
    assert raters.columns(of) == people
    assert raters.columns(with_basis(of, basis="program")) == []
    assert raters.columns(with_basis(of, role="system")) == []


RATED = table("system id rater1 rater2 criterion", lambda k: ("AB"[k % 2], k // 2, k % 5, k % 3 if k else "", "x"), 4)


def test_people_have_a_row_each_or_a_mean() -> None:
    notices: list[Notice] = []
    long = raters.long_form(RATED, notices)
    assert long is not None
    assert long.headings == ["system", "segment", "judge", "dimension", "score"]
    assert cells_of(long)[:3] == [
        ["A", "0", "rater1", "x", "0"],
        ["A", "0", "rater2", "x", ""],
        ["B", "0", "rater1", "x", "1"],
    ]
    assert (list(long.places)[:3], len(long.rows)) == ([2, 2, 3], 8)
    assert notices[0].message == "A column for each judge was read as the ratings of one: rater1, rater2."
    result = Found()
    mean = raters.averaged(RATED, (), result)
    assert columns_of(mean)["rating"] == ["0.0", "1.0", "2.0", "1.5"]
    assert messages(result) == ["rater1, rater2 are people: their ratings of each row were averaged (rating)."]
    assert [one.role for one in result.claims] == ["judge", "judge"]
    rated = table("system id rater1 rater2 rating", lambda k: ("AB"[k % 2], k // 2, k % 5, k % 3, k), 4)
    assert raters.averaged(rated, (), Found()) is rated


def test_judges_that_somebody_named() -> None:
    of = table("model id ann bob", lambda k: ("AB"[k % 2], k // 2, k % 5, k % 3), 4)
    meant = Said(columns=(("ann", "judge"), ("bob", "judge")))
    assert raters.said_by(of, meant) == [2, 3]
    long, rest = raters.said_ratings(of, meant, [])
    assert (len(long.rows), rest) == (8, Said())
    new, rest = raters.named(of, meant, Found())
    assert (new.headings, rest.columns) == (["model", "id", "rating"], (("rating", "score"),))
    names = table("model id who x", lambda k: ("AB"[k % 2], k // 2, "ann", k), 4)
    assert raters.said_ratings(names, Said(columns=(("who", "judge"),)), [])[0].headings == [
        "model",
        "id",
        "judge",
        "x",
    ]
    with pytest.raises(ReadError, match="x hold ratings, but who do not") as error:
        raters.said_by(names, Said(columns=(("who", "judge"), ("x", "judge"))))
    assert error.value.fix == "Give --columns who=ignored, or a column of ratings for each judge."
    nameless = table("thing other ann bob", lambda k: ("AB"[k % 2], k // 2, k % 5, k % 3), 4)
    with pytest.raises(ReadError, match="Ratings need a column of systems and one of segments"):
        raters.said_ratings(nameless, meant, [])
    told = Said(columns=(*meant.columns, ("thing", "system"), ("other", "question")))
    assert len(raters.said_ratings(nameless, told, [])[0].rows) == 8


@pytest.mark.parametrize(
    ("cells", "means"),
    [
        (("[4, 5, 3]", "[4, 4, 4]", "[1, 1, 1]"), ["4.0", "4.0", "1.0"]),
        (("4;5;3", "4;4;4", ""), ["4.0", "4.0", ""]),
        (("4,5,3", "4,4,4", "1,1,1"), ["4.0", "4.0", "1.0"]),
        (("4,5", "4,4", "1,1"), None),  # numbers with decimal commas
        (("4;5", "4;4", "1;1"), ["4.5", "4.0", "1.0"]),
        (("4|5", "4|4", "1|1"), ["4.5", "4.0", "1.0"]),
        (("[4, 5, 3]", "[4, 3, 5]", "[3, 4, 5]"), None),  # ranks
        (("[4, 5, 3]", "[4, 4]", "[1, 1, 1]"), None),  # sets
        (("[4, 5, 3]", "[4, 4, 4]", "x"), None),
    ],
)
def test_marks_of_several_people_in_one_cell(cells: tuple[str, ...], means: list[str] | None) -> None:
    of = Table("t.csv", ["id", "A"], [[str(k), cell] for k, cell in enumerate(cells)], range(2, 5))
    new = raters.out_of_cells(of, Found(), Said())
    assert (None if new is of else columns_of(new)["A"]) == means
    assert raters.out_of_cells(of.kept([0, 1]), Found(), Said()).rows == of.kept([0, 1]).rows


@pytest.mark.parametrize(("marks", "are"), [(21, True), (22, False)])
def test_a_scale_has_up_to_twenty_one_marks(marks: int, are: bool) -> None:
    of = table("id rating", lambda k: (k, f"[{k % marks}, {k % marks}]"), 44)
    assert (raters.out_of_cells(of, Found(), Said()) is not of) is are


def test_lists_of_people_and_of_their_marks() -> None:
    rows = [["q1", "[1, 2]", "[4, 5]"], ["q2", "[1, 3]", "[2, 3]"]]
    notices: list[Notice] = []
    of = raters.of_lists(Table("t.csv", ["id", "annotator_ids", "marks"], rows, [2, 3]), notices)
    assert (of.headings, cells_of(of)[:2], list(of.places)) == (
        ["id", "judge", "marks"],
        [["q1", "1", "4"], ["q1", "2", "5"]],
        [2, 2, 3, 3],
    )
    assert notices[0].message == "Each cell of annotator_ids, marks lists several people, each of whom has a row."
    for heads, last in (
        (["id", "annotator_ids", "marks"], "[2, 3, 4]"),
        (["id", "things", "marks"], "[2, 3]"),
        (["id", "annotator_ids", "worker"], "[2, 3]"),
    ):
        other = Table("t.csv", heads, [rows[0], [*rows[1][:2], last]], [2, 3])
        assert raters.of_lists(other, []) is other


# Ratings in wide form.


def long_form(heads: str, cells: Cells, rows: int = 12) -> tuple[list[list[str]], list[str]]:
    notices: list[Notice] = []
    names = [name.replace("~", " ") for name in heads.split()]
    body = [list(map(str, cells(k))) for k in range(rows)]
    new = wide_ratings.long_form(Table("t.csv", names, body, range(2, rows + 2)), notices)
    return ([] if new is None else cells_of(new)), [one.message for one in notices]


def marks(k: int, i: int = 0) -> int:
    return (k * 7 + i * 3) % 5 + 1


def test_a_column_of_ratings_for_each_system() -> None:
    rows, notes = long_form("id A B", lambda k: (k, marks(k), marks(k, 1)))
    assert rows[:2] == [["A", "0", "", "rating", "1"], ["B", "0", "", "rating", "4"]]
    sides = "By these names they may be sides, shuffled from row to row: then load the key, too."
    assert notes == [f"A column for each system was read as its ratings: A, B. {sides}"]
    assert long_form("id A bart", lambda k: (k, marks(k), marks(k, 1)))[1] == [
        notes[0].removesuffix(f" {sides}").replace("B.", "bart.")
    ]
    judged, _ = long_form("judge id A B", lambda k: (f" j{k % 2}", k // 2, marks(k), marks(k, 1)))
    assert judged[0] == ["A", "0", "j0", "rating", "1"]
    assert long_form("id A", lambda k: (k, marks(k)))[0] == []
    assert long_form("id fluency adequacy", lambda k: (k, marks(k), marks(k, 1)))[0] == []
    assert long_form("id rater1 rater2", lambda k: (k, marks(k), marks(k, 1)))[0] == []
    assert long_form("id A mean", lambda k: (k, marks(k), marks(k, 1)))[0] == []


def test_systems_with_criteria_in_their_headings() -> None:
    def cells(k: int) -> tuple[object, ...]:
        return k, *(marks(k, i) for i in range(4))

    for heads in ("id A:~Fluency A:~Adequacy B:~Fluency B:~Adequacy", "id Fluency/A Adequacy/A Fluency/B Adequacy/B"):
        rows, _ = long_form(heads, cells)
        assert [row[:4] for row in rows[:4]] == [
            ["A", "0", "", "fluency"], ["A", "0", "", "adequacy"], ["B", "0", "", "fluency"], ["B", "0", "", "adequacy"],
        ]  # fmt: skip
    with pytest.raises(Unclear, match="Each of A, B comes with each of x, y"):
        long_form("id A:~x A:~y B:~x B:~y", cells)


@pytest.mark.parametrize(("segments", "are"), [(3, True), (2, False)])
def test_a_form_names_segments_and_systems_in_its_headings(segments: int, are: bool) -> None:
    """Three of them at least, each with each system; who answered is asked by name."""
    both = [(s, m) for s in range(segments) for m in "XY"]
    n = len(both)
    for form in (
        "Sentence~{}~-~System~{}",
        "How~is~{}?~[System~{}]",
        "Sentence~{}~|~System~{}",
    ):
        heads = " ".join(["Your~name", *(form.format(s, m) for s, m in both)])
        rows, _ = long_form(heads, lambda k: (f"ann {k}", *(marks(k, i) for i in range(n))), 4)
        assert bool(rows) is are
        if are:
            assert rows[0][0] == "System X"
            assert rows[0][2:4] == ["ann 0", "rating"]
            assert {row[0] for row in rows} == {"System X", "System Y"}


def test_rankings_of_three_systems_count_with_a_minus() -> None:
    def ranks(k: int) -> tuple[object, ...]:
        return k, *((1, 2, 3), (3, 1, 2), (2, 3, 1))[k % 3]

    rows, notes = long_form("id A B C", ranks)
    assert rows[:3] == [["A", "0", "", "rank", "-1.0"], ["B", "0", "", "rank", "-2.0"], ["C", "0", "", "rank", "-3.0"]]
    assert notes[1].startswith("Each row is a ranking, 1 the best")
    two, _ = long_form("id A B", lambda k: (k, k % 2 + 1, 2 - k % 2))
    assert two[0][3] == "rating"
    other, _ = long_form("id A B C", lambda k: (k, 1, 2, 2 if k else 3))
    assert other[0][3] == "rating"


def test_what_names_the_segments_of_ratings() -> None:
    """An id, a column that counts eleven rows, or names that every judge rated once."""
    assert long_form("task_id A B", lambda k: (f"t{k}", marks(k), marks(k, 1)))[0][0][1] == "t0"
    assert long_form("n A B", lambda k: (k + 1, marks(k), marks(k, 1)), 11)[0][0][1] == "1"
    assert long_form("n A B", lambda k: (k + 1, marks(k), marks(k, 1)), 10)[0] == []
    assert long_form("word judge A B", lambda k: (f"w{k // 2}", f"j{k % 2}", marks(k), marks(k, 1)))[0][0][1] == "w0"
    assert long_form("word judge A B", lambda k: ("w", f"j{k % 2}", marks(k), marks(k, 1)))[0] == []


def test_segments_that_come_again_with_other_names_have_these_as_systems() -> None:
    assert long_form("id colour A B", lambda k: (k // 2, "xy"[k % 2], marks(k), marks(k, 1)))[0] == []
    assert long_form("id colour A B", lambda k: (k // 2, "x", marks(k), marks(k, 1)))[0] != []


def test_measures_that_somebody_named_in_headings_of_ratings() -> None:
    of = table("id judge A_clear B_clear", lambda k: (k, "j", marks(k), marks(k, 1)), 4)
    meant = Said(columns=(("clear", "measure"),))
    new, rest = wide_ratings.of_said(of, meant, [])
    assert (cells_of(new)[:2], rest) == ([["A", "0", "j", "clear", "1"], ["B", "0", "j", "clear", "4"]], Said())
    assert wide_ratings.of_said(of, Said(), [])[0] is of
    nameless = table("x A_clear B_clear", lambda k: ("x", marks(k), marks(k, 1)), 4)
    with pytest.raises(ReadError, match="Ratings need a column of segments beside those of the systems"):
        wide_ratings.of_said(nameless, meant, [])
    assert cells_of(wide_ratings.of_said(nameless, Said(segment=("x",), columns=meant.columns), [])[0])[0][1] == "x"


# Runs.


def runs(heads: str, cells: Cells, rows: int = 12, basis: str = "") -> tuple[Table, list[str]]:
    result = Found()
    of = with_basis(table(heads, cells, rows), basis=basis)
    return roles.with_runs(of, result), messages(result)


def test_each_run_is_a_segment_inside_its_question() -> None:
    of, notes = runs("id run A", lambda k: (f"q{k // 3}", k % 3, k))
    assert of.headings == ["segment", words.QUESTIONS, "A"]
    assert [row[0] for row in of.rows[:2]] == ["run 0 of q0", "run 1 of q0"]
    assert notes == [
        "4 questions with several rows each: run names the run, and a question is drawn with all its runs."
    ]
    system, _ = runs("system id run A", lambda k: ("AB"[k % 2], f"q{k // 4}", k // 2 % 2, k))
    assert (system.headings[0], len(system.rows)) == ("segment", 12)
    for heads, cells in (
        ("id run A", lambda k: (k, 0, k)),
        ("id x A", lambda k: (k // 3, k % 3, k)),
        ("thing run A", lambda k: (k // 3, k % 3, k)),
    ):
        assert runs(heads, cells)[0].headings == heads.split()
    assert runs("system id run A", lambda k: ("AB"[k % 2], k // 2, 0, k))[0].headings == ["system", "id", "run", "A"]


def test_other_runs_of_each_system_are_averaged() -> None:
    """Where fewer than three quarters of all pairs are there."""
    of, notes = runs(
        "system id judge A note", lambda k: ("AB"[k % 2], f"q{k // 4}", f"{'ab'[k % 2]}{k // 2 % 2}", k, f"n{k}")
    )
    assert columns_of(of) == {
        "system": ["A", "B"] * 3,
        "id": ["q0", "q0", "q1", "q1", "q2", "q2"],
        "A": ["1.0", "2.0", "5.0", "6.0", "9.0", "10.0"],
    }
    assert notes == [
        "Each system has other runs or raters of a question, so its 2 rows of each question were averaged."
    ]


def test_tasks_are_test_sets_of_their_own() -> None:
    def read(part: Table, found: Found) -> Found:
        found.items.append(Item("A", "system", "scores", tuple(part.column(0)), "t.csv", ""))
        found.notices.append(Notice("t.csv", "the same"))
        return found

    found = roles.by_task(table("A task", lambda k: (k, f" t{k % 2}"), 4), 1, Found(), read)
    assert [(one.testset, one.segments) for one in found.items] == [("t0", ("0", "2")), ("t1", ("1", "3"))]
    assert messages(found) == ["the same"]
    with pytest.raises(ReadError, match="A row does not name its task"):
        roles.by_task(table("A task", lambda k: (k, ""), 4), 1, Found(), read)


def test_categories_are_subsets_where_nothing_else_is() -> None:
    assert roles.with_categories(table("id category", lambda k: (k, "x"))).headings == ["id", "domain"]
    assert roles.with_categories(table("domain category", lambda k: (k, "x"))).headings == ["domain", "category"]


def test_ids_that_count_the_segments_of_each_part_again() -> None:
    def joint(heads: str, cells: Cells = lambda k: ("ab"[k % 2], k // 2, k)) -> list[str]:
        return roles.with_joint_ids(table(heads, cells), Found()).headings

    assert joint("domain id A") == ["domain", "A", "segment"]
    assert joint("x id A") == ["x", "id", "A"]
    assert joint("domain id system") == ["domain", "id", "system"]
    assert joint("domain id A", lambda k: ("ab"[k % 2], k, k)) == ["domain", "id", "A"]
    assert joint("domain id A", lambda k: ("ab"[k % 2], k // 4, k)) == ["domain", "id", "A"]
    with pytest.raises(Unclear, match="Does every id come again with each prompt") as error:
        joint("prompt id A")
    assert error.value.settled
    asked = ["id=question prompt=run", "id=question prompt=question", "id=question prompt=system A=score"]
    assert [roles for _, roles in error.value.ways] == asked


@pytest.mark.parametrize(("n", "are"), [(1, False), (2, True)])
def test_names_of_measures_in_rows(n: int, are: bool) -> None:
    """Each as often as the others, and fewer fields of a log than measures."""
    names = ("bleu", "ter", "comet")[:n]
    of = table("x score", lambda k: (names[k % n], k))
    assert (roles.with_measures(of, Found()).headings == ["metric", "score"]) is are


def test_bounds_of_names_of_measures() -> None:
    def headings(cells: Cells, heads: str = "x score", rows: int = 12) -> list[str]:
        return roles.with_measures(table(heads, cells, rows), Found()).headings

    names = ("bleu", "ter", "tokens")
    assert headings(lambda k: (names[k % 3], k))[0] == "metric"
    assert len(roles.with_measures(table("x score", lambda k: (names[k % 3], k)), Found()).rows) == 8
    assert headings(lambda k: (names[k % 2 * 2], k))[0] == "x"
    assert headings(lambda k: (names[k % 3 % 2], k))[0] == "x"
    assert headings(lambda k: (("bleu", "colour")[k % 2], k))[0] == "x"
    assert headings(lambda k: (names[k % 2], k), "x A")[0] == "x"
    assert headings(lambda k: (names[k % 2], k, "j"), "x score judge")[0] == "x"


def test_right_labels_beside_predictions_are_the_reference() -> None:
    def gold(heads: str, cells: Cells = lambda k: (f"t {k}", "ab"[k % 2], "ab"[k // 2 % 2])) -> list[str]:
        return roles.with_gold(table(heads, cells), Found()).headings

    assert gold("x label pred") == ["reference", "pred"]
    assert gold("x label other") == ["x", "label", "other"]
    assert gold("id label pred", lambda k: (k, "ab"[k % 2], "ab"[k % 2])) == ["id", "reference", "pred"]
    assert gold("id true_label", lambda k: (k, "ab"[k % 2])) == ["id", "reference"]
    assert gold("id label", lambda k: (k, "ab"[k % 2])) == ["id", "label"]
    assert gold("reference label pred") == ["reference", "label", "pred"]
    assert gold("x label pred", lambda k: (f"t{k % 4}", "ab"[k % 2], "ab"[k % 2])) == ["x", "reference", "pred"]
    assert gold("x label pred", lambda k: (f"t{k % 5}", "ab"[k % 2], "ab"[k % 2])) == ["reference", "pred"]


@pytest.mark.parametrize(
    ("heads", "cells", "headings"),
    [
        ("item A", lambda k: (k, k / 7), ["segment", "A"]),
        ("item A", lambda k: (k // 2, k / 7), ["item", "A"]),
        ("item A", lambda k: (f"x{k}", k / 7), ["item", "A"]),
        ("item system", lambda k: (k, "x"), ["item", "system"]),
        ("doc item A", lambda k: (f"d{k // 3}", k % 3, k), ["document", "segment", "A"]),
        ("dialogue item A", lambda k: (f"d{k // 3}", k % 3, k), ["document", "segment", "A"]),
        ("story item A", lambda k: (f"d {k // 3} is so long", k % 3, k), ["story", "item", "A"]),
        ("article A", lambda k: (f"xsum_{k}", k / 7), ["segment", "A"]),
        ("task_id run A", lambda k: (k // 3, k % 3, k), ["segment", "run", "A"]),
        ("task_id run A", lambda k: (k // 3, "xyz"[k % 3], k), ["task_id", "run", "A"]),
        ("item", lambda k: (k,), ["item"]),
    ],
)
def test_whole_numbers_that_differ_are_ids(heads: str, cells: Cells, headings: list[str]) -> None:
    of = table(heads, cells)
    assert roles.with_ids(of, (), Found()).headings == headings
    assert roles.with_ids(of, of.headings, Found()).headings == of.headings


def test_labels_by_people() -> None:
    heads = f"system id {said.HEADINGS['label'].replace(' ', '~')}"
    result = Found()
    of = roles.labels(table(heads, lambda k: ("AB"[k % 2], k // 2, ("yes", "no", "")[k % 3]), 6), [1], result)
    assert of.headings == ["system", "id"]
    (rated,) = result.judgments
    assert [float(one) for one in rated.score] == [1, 0, 1, 0]
    with pytest.raises(ReadError, match="'x' is no label that counts") as error:
        roles.labels(table(heads, lambda k: ("AB"[k % 2], k // 2, "x" if k == 3 else k), 6), [1], Found())
    assert error.value.line == 5
    with pytest.raises(ReadError, match="Labels by people need a row per system and question"):
        roles.labels(table(heads, lambda k: ("A", k, k), 6), [], Found())
