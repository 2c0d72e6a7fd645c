"""What somebody says of columns: which others stay, which names are of systems, and what is asked or refused."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found
from sigcore.readers.tables import applied, said
from sigcore.readers.tables.said import Said
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Absent
from tests.unit.sigcore.readers.tables.built import Cells, columns_of, messages, table


def made(heads: str, cells: Cells, meant: Said, rows: int = 12, file: str = "t.csv") -> tuple[Table, list[str]]:
    result = Found()
    return applied.to(table(heads, cells, rows, file), meant, result), messages(result)


def roles(**named: str) -> Said:
    return Said(columns=tuple((name.replace("_", " "), part) for name, part in named.items()))  # type: ignore[misc]


def crossed(k: int) -> tuple[object, ...]:
    return "xy"[k % 2], k // 2, k / 7, k


def test_one_column_of_short_names_names_the_system_of_each_row() -> None:
    of, notes = made("A B C D", crossed, roles(A="system", B="question", C="score"))
    assert (of.headings, of.basis) == (["system", "segment", "C"], "said")
    assert columns_of(of)["system"][:2] == ["x", "y"]
    assert notes == ["Columns that are not used: D."]


@pytest.mark.parametrize(("names", "rows", "named"), [(6, 12, True), (7, 12, False)])
def test_names_of_systems_come_twice_each(names: int, rows: int, named: bool) -> None:
    """Else the column holds what a system wrote, beside questions that differ."""
    of, _ = made("A B", lambda k: (f"n{k % names}", k), roles(A="system", B="question"), rows)
    assert (columns_of(of)["system"][:2] == ["n0", "n1"]) is named


def test_numbers_are_names_beside_questions_and_scores() -> None:
    """Whole ones, and settings such as a temperature."""

    def system(heads: str, cells: Cells, **named: str) -> bool:
        return len(set(columns_of(made(heads, cells, roles(**named))[0]).get("system", ()))) > 1

    assert system("A B C", lambda k: (k % 2, k // 2, k / 7), A="system", B="question", C="score")
    assert not system("A B C", lambda k: (k % 2, k, k / 7), A="system", B="question")
    assert system("temperature B C", lambda k: (k % 2 / 2, k, k / 7), temperature="system", B="question")


def test_several_columns_of_names_name_the_systems_together() -> None:
    def cells(k: int) -> tuple[object, ...]:
        return "xy"[k % 2], "pq"[k // 2 % 2], k // 4, k / 7

    of, notes = made("A B C D", cells, roles(A="system", B="system", C="question", D="score"))
    assert columns_of(of)["system"][:4] == ["x, p", "y, p", "x, q", "y, q"]
    assert notes[0] == "A, B name the systems together."
    with pytest.raises(ReadError, match="column A, row 1: 'x' is not a number, so it is not a score"):
        made("A B C D", lambda k: (*cells(k)[:2], k, k / 7), roles(A="system", B="system", C="question"))
    scores, notes = made(
        "A B C D", lambda k: (k / 3, k / 5, *cells(k)[2:]), roles(A="system", B="system", C="question", D="score"), 4
    )
    assert not any("together" in one for one in notes)
    assert "D" in scores.headings


def test_what_stays_beside_scores_that_were_named() -> None:
    """Judges, runs, documents and the like; another system or segment only where none was named."""

    def stay(heads: str, meant: Said) -> set[str]:
        of, _ = made(heads, lambda k: (*crossed(k), *(f"z{k % 3}" for _ in heads.split()[4:])), meant)
        return {*of.headings}

    named = Said(system="A", segment=("B",), scores=("C",))
    assert stay("A B C D judge run document domain", named) == {
        "system",
        "segment",
        "C",
        "judge",
        "run",
        "document",
        "domain",
    }
    assert "reference" in stay("A B C D reference", named)
    assert "id" not in stay("A B C D id", named)
    assert "D" not in stay("A B C D", named)
    assert stay("A B C D", Said(system="A", segment=("B",))) == {"system", "segment", "C", "D"}


def test_scores_of_one_system_are_of_the_file() -> None:
    of, _ = made("B C", lambda k: (k, k / 7), Said(segment=("B",), scores=("C",)), file="Mine.csv")
    assert columns_of(of)["system"] == ["Mine"] * 12
    assert of.numbered is False
    bare, _ = made("B C", lambda k: (f"w{k}", k / 7), Said(scores=("C",)))
    assert (columns_of(bare)["segment"][:2], bare.numbered) == (["1", "2"], True)
    several, _ = made("A B", lambda k: (k / 5, k / 7), Said(scores=("A", "B")))
    assert "system" not in several.headings


def test_headings_that_mean_something_else_become_score() -> None:
    def heads(names: str, *scores: str) -> list[str]:
        of, _ = made(names, lambda k: tuple(k / (i + 5) for i in range(len(names.split()))), Said(scores=scores))
        return [name for name in of.headings if name not in ("segment", "system")]

    assert heads("A reference", "A", "reference") == ["A", "reference score"]
    assert heads("A reference", "reference") == ["score"]
    assert heads("A COMET", "A", "COMET") == ["A", "COMET"]
    assert heads("judge reference", "judge", "reference") == ["judge score", "reference score"]


def test_words_of_a_score_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ReadError, match="'oops'") as error:
        made("B C", lambda k: (k, "oops" if k == 3 else k / 7), Said(segment=("B",), scores=("C",)))
    assert error.value.line == 5
    of, _ = made(
        "B C", lambda k: (k, "oops" if k == 3 else k / 7), Said(segment=("B",), scores=("C",), cells=(("oops", ""),))
    )
    assert columns_of(of)["C"][3] == ""
    truths, _ = made("B C", lambda k: (k, ("yes", "no")[k % 2]), Said(segment=("B",), scores=("C",)))
    assert columns_of(truths)["C"][:2] == ["1", "0"]


def test_several_rows_of_a_system_need_names_of_questions() -> None:
    """The columns that may be asked for are named, up to three."""
    meant = Said(system="A", scores=("C",))

    def asked(heads: str, cells: Cells) -> str:
        try:
            made(heads, cells, meant)
        except ReadError as error:
            return error.fix
        return ""

    assert asked("A B C", lambda k: ("xy"[k % 2], f"w{k // 2}", k / 7)) == "Say it: --id-field B."
    assert asked("A B C D E F", lambda k: ("xy"[k % 2], f"w{k // 2}", k / 7, f"v{k // 2}", k // 2, f"u{k // 2}")) == (
        "Say it: --id-field B or --id-field D or --id-field E."
    )
    assert asked("A B C", lambda k: ("xy"[k % 2], f"w{k}", k / 7)) == ""  # no system shares a word
    assert asked("A B C", lambda k: ("xy"[k % 2], k // 2 / 2, k / 7)) == ""  # fractions
    assert asked("A B C", lambda k: ("x", f"w{k // 2}", k / 7)) == ""  # one system
    whole = asked("A B C", lambda k: (f"x{k}", f"w{k // 2}", k / 7))  # one row for each system
    assert whole == "Load the scores of every segment: tests need them."
    assert asked("A run C", lambda k: ("xy"[k % 2], f"w{k // 2}", k / 7)) == ""


def test_an_unnamed_question_is_found_where_it_tells_the_rows_of_a_system_apart() -> None:
    meant = Said(system="A", scores=("C",))

    def found(heads: str, cells: Cells) -> list[str]:
        return columns_of(made(heads, cells, meant)[0])["segment"][:3]

    assert found("A item C", lambda k: ("xy"[k % 2], f"w{k // 2}", k / 7)) == ["w0", "w0", "w1"]
    assert found("A task_id C", lambda k: ("xy"[k % 2], f"w{k // 2}", k / 7)) == ["w0", "w0", "w1"]
    assert found("A document C", lambda k: ("xy"[k % 2], f"w{k // 2}", k / 7)) == ["w0", "w0", "w1"]


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(Absent) as error:
        made("A B", lambda k: (k, k), Said(scores=("X",)))
    assert error.value.column == "X"
    assert said.place(table("A a", lambda k: (k, k)), "a") == 1
    assert said.place(table("Some_Name a", lambda k: (k, k)), "some name") == 0


def test_columns_are_ignored_and_renamed_as_somebody_says() -> None:
    of, notes = made("A B source", lambda k: (f"t {k} x", f"s {k} y", f"web {k}"), roles(A="text", B="source"))
    assert of.headings == ["output text", "source"]
    assert notes == ["Columns that are not used: source."]
    of, notes = made("A B C", lambda k: (f"t {k} x", f"s {k} y", k), roles(A="text", B="ignored", C="weight"))
    assert (of.headings, notes) == (["output text"], ["Columns that are not used: B, C."])


def test_words_become_numbers_in_columns_that_hold_nothing_else() -> None:
    meant = Said(cells=(("good", "1"), ("bad", "0"), ("none yet", "")))
    of = table("A B C D", lambda k: (("Good", "bad")[k % 2], ("good", "x")[k % 2], k, "none yet"), 4)
    assert columns_of(said.with_cells(of, meant)) == {
        "A": ["1", "0"] * 2, "B": ["good", "x"] * 2, "C": ["0", "1", "2", "3"], "D": ["none yet"] * 4,
    }  # fmt: skip
    assert said.with_cells(of, Said()) is of
    assert columns_of(said.with_words(of, meant, [1]))["B"] == ["1", "x"] * 2
    assert columns_of(said.with_words(of, meant, [1]))["A"] == ["Good", "bad"] * 2


def test_what_options_say() -> None:
    options = {
        "id_field": "a, b",
        "system_field": " c ",
        "score_field": "d,e",
        "run_field": "f",
        "better": "lower",
        "columns": "g=text\nh=question",
    }
    meant = said.said(options)
    assert (meant.segment, meant.system, meant.scores, meant.better) == (("a", "b"), "c", ("d", "e"), "lower")
    assert meant.columns == (("f", "run"), ("g", "text"), ("h", "question"))
    assert said.named(options) == ["g", "h", "a", "b", "d", "e", "c", "f"]
    assert said.segments(options) == ["a", "b", "h"]
    assert said.said({"better": "sideways"}).better == ""
    assert said.without(options, ["a", "e", "c", "g"]) == {
        **options, "id_field": "b", "score_field": "d", "system_field": "", "columns": "h=question",
    }  # fmt: skip
    assert said.without({"run_field": "f"}, ["f"]) == {"run_field": ""}
    assert bool(said.said({})) is False
    assert all(map(bool, (Said(segment=("a",)), Said(system="a"), Said(scores=("a",)), roles(a="text"))))


def test_roles_by_heading() -> None:
    of = table("A B C D", crossed)
    assert Said(system="a", segment=("b",), scores=("c", "d")).roles(of) == {
        "B": "question",
        "A": "system",
        "C": "score",
        "D": "score",
    }
    assert Said(scores=("c", "d")).roles(of) == {"C": "system", "D": "system"}
    assert Said(scores=("c",)).roles(of) == {"C": "score"}


def test_measures_that_are_parts_of_headings() -> None:
    of = table("id A_x A_y B_x B_y", lambda k: (k, k, k, k, k))
    new, meant = said.with_grid(of, roles(x="measure", y="measure"))
    assert new.grid["A_x"] == ("A", "x")
    assert meant.columns == (("A_x", "system"), ("B_x", "system"), ("A_y", "system"), ("B_y", "system"))
    assert said.with_grid(of, roles(id="measure"))[0] is of
    with pytest.raises(ReadError, match=r"It has no column 'z', and no heading of a system and 'z'."):
        said.with_grid(of, roles(z="measure"))
