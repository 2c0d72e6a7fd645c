"""Headings that name systems and measures: what is a grid, what belongs to it, and what is asked."""

from __future__ import annotations

import pytest

from sigcore.readers.contract import Found
from sigcore.readers.tables import gridded, grids
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, columns_of, messages, table


def numbers(heads: str, rows: int = 12, texts: tuple[str, ...] = ()) -> Table:
    """A table of fractions; `texts` are headings of other texts in each row."""
    names = heads.split()
    return table(
        heads,
        lambda k: tuple(f"t{k}{i}" if one in texts else (k * 7 + i) % 10 / 10 for i, one in enumerate(names)),
        rows,
    )


def asked(heads: str) -> tuple[str, list[str]]:
    grid = gridded.of(numbers(heads))
    return ("", []) if grid is None else (grid.question, [what for what, _ in grid.ways])


@pytest.mark.parametrize(
    ("heads", "question", "ways"),
    [
        (
            "E0_UFR E0_CR E1_UFR E1_CR", "Each of E0, E1 comes with each of UFR, CR: which are systems, and which are measures?",
            ["UFR, CR are measures of E0, E1", "E0, E1 are measures of UFR, CR", "all 4 are systems"],
        ),
        ("UFR_E0 CR_E0 UFR_E1 CR_E1", "", []),  # parts of the names of systems
        ("A_CR B_CR", "Is CR a measure of A, B?", ["CR is a measure of A, B"]),
        ("A_bleu A_ter B_bleu B_ter", "Are bleu, ter measures of A, B?", ["bleu, ter are measures of A, B"]),
        ("A_CR B_CR B_UFR", "", []),
        ("A_small A_large B_small B_large", "", []),
        ("A_CR A_UFR", "", []),
        ("A_score B_score", "", []),
        ("bleu_x ter_x", "", []),
        ("A_CR(1-5) B_CR(1-5)", "Is CR a measure of A, B?", ["CR is a measure of A, B"]),
        (  # s1 is rather a rater of a criterion than a size
            "A-s A-s1 A-n B-s B-s1 B-n", "Each of A, B comes with each of s, s1, n: which are systems, and which are measures?",
            ["s, s1, n are measures of A, B", "A, B are measures of s, s1, n", "all 6 are systems"],
        ),
        (
            "A-sft A-CR B-sft B-CR", "Each of A, B comes with each of sft, CR: which are systems, and which are measures?",
            ["all 4 are systems", "sft, CR are measures of A, B", "A, B are measures of sft, CR"],
        ),
        ("A_CR B_cr", "Is CR a measure of A, B?", ["CR is a measure of A, B"]),
        ("train_CR val_CR epoch", "", []),
    ],
)  # fmt: skip
def test_which_part_of_headings_is_the_measure(heads: str, question: str, ways: list[str]) -> None:
    assert asked(heads) == (question, ways)


def test_ids_and_fields_of_logs_are_no_parts_of_a_grid() -> None:
    heads = "A_CR B_CR"
    assert asked(f"{heads} tokens")[0] == "Is CR a measure of A, B?"
    assert asked(f"{heads} A_tokens")[0] == "Is CR a measure of A, B?"
    assert asked(f"{heads} x")[0] == ""
    of = table("task_id A_CR B_CR", lambda k: (k, k / 7, k / 9))
    assert gridded.of(of) is not None


def test_people_rate_one_system() -> None:
    grid = gridded.of(numbers("rater1_CR rater1_UFR rater2_CR rater2_UFR"))
    assert grid is not None
    assert grid.people == ["rater1", "rater2"]
    other = gridded.of(numbers("E0_UFR E0_CR E1_UFR E1_CR"))
    assert other is not None
    assert other.people == []


def test_all_headings_make_a_grid() -> None:
    """Each part comes with several others, and not all measures are known."""

    def whole(heads: str) -> bool:
        return gridded.whole(heads.split()) is not None

    assert [whole(heads) for heads in ("A_x A_y B_x B_y", "A_x B_x", "A_bleu A_ter B_bleu B_ter", "A_x A_y B_x")] == [
        True, False, False, False,
    ]  # fmt: skip


def test_measures_that_somebody_named_are_parts_of_headings() -> None:
    assert gridded.spread(["A_CR", "B-CR", "x"], ["CR"]) == {"A_CR": ("A", "CR"), "B-CR": ("B", "CR")}
    assert gridded.spread(["CR_A", "cr B", "x"], ["CR"]) == {"CR_A": ("A", "CR"), "cr B": ("B", "CR")}
    assert gridded.spread(["r.A.CR", "r.B.CR"], ["CR"]) == {"r.A.CR": ("A", "CR"), "r.B.CR": ("B", "CR")}
    assert gridded.spread(["r.A.CR", "s.B.CR"], ["CR"]) == {"r.A.CR": ("r.A", "CR"), "s.B.CR": ("s.B", "CR")}
    assert gridded.spread(["r.A.CR", "B.CR"], ["CR"]) == {"r.A.CR": ("r.A", "CR"), "B.CR": ("B", "CR")}
    assert gridded.spread(["CR"], ["CR"]) == {}


def measured(heads: str, texts: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
    result = Found()
    return grids.measured(numbers(heads, texts=texts), result).headings, messages(result)


def test_what_a_system_has_beside_its_measure_is_left_out() -> None:
    told = "Not used, beside a measure of each system: {}."
    assert measured("item A_bleu B_bleu A_output B_output", ("item", "A_output", "B_output")) == (
        ["item", "A_bleu", "B_bleu"], [told.format("A_output, B_output")],
    )  # fmt: skip
    assert measured("item A_bleu B_bleu A_latency tokens", ("item",)) == (
        ["item", "A_bleu", "B_bleu"], [told.format("A_latency, tokens")],
    )  # fmt: skip
    assert measured("item A_bleu B_bleu C_output", ("item", "C_output")) == (
        ["item", "A_bleu", "B_bleu", "C_output"],
        [],
    )
    assert measured("item bleu_A bleu_B output_A", ("item", "output_A")) == (
        ["item", "bleu_A", "bleu_B"],
        [told.format("output_A")],
    )
    assert measured("item A_bleu A_output", ("item", "A_output")) == (["item", "A_bleu", "A_output"], [])
    assert measured("item A_bleu B_bleu A_ter", ("item",)) == (["item", "A_bleu", "B_bleu", "A_ter"], [])
    assert measured("item run1_bleu run2_bleu run1_output", ("item", "run1_output"))[1] == []


def test_the_first_column_names_the_rows_beside_a_grid() -> None:
    """Where nothing else does, and each row has another."""

    def first(heading: str, cells: str = "w{}", more: str = "") -> str:
        heads = f"{heading} A_bleu B_bleu {more}".strip()
        of = table(heads, lambda k: (cells.format(k), k / 7, k / 9, *([k] if more else [])))
        return grids.measured(of, Found()).headings[0]

    assert first("word") == "segment"
    assert first("word", "w") == "word"
    assert first("word", "{}") == "word"
    assert first("word", more="id") == "word"
    assert first("method") == "method"
    assert first("word_A") == "word_A"


def test_verdicts_on_what_each_system_answered() -> None:
    """A row for each system."""

    def cells(k: int) -> tuple[object, ...]:
        return k, f"a{k}", f"b{k}", ("pass", "fail")[k % 2], ("fail", "pass")[k % 2], f"{k % 2 == 0}"

    result = Found()
    of = grids.measured(table("id answer_A answer_B judge_A judge_B flag", cells), result)
    assert (of.headings, len(of.rows)) == (["id", "system", "is_correct"], 24)
    assert [list(row) for row in of.rows[:2]] == [["0", "A", "pass"], ["0", "B", "fail"]]
    assert messages(result) == [
        "Not used, beside a verdict on each system: answer_A, answer_B, flag.",
        "judge_A, judge_B are verdicts on A, B, so each row was read as one of each.",
    ]
    for heads in (
        "id answer_A answer_B judge_A x flag",
        "id answer_A answer_C judge_A judge_B flag",
        "id text_x y judge_A judge_B flag",
    ):
        assert grids.measured(table(heads, cells), Found()).headings == heads.split()


def test_a_verdict_on_one_system_makes_no_rows() -> None:
    """There is nothing beside it."""
    of = table("id answer_A judge_A flag", lambda k: (k, f"a{k}", ("pass", "fail")[k % 2], f"{k % 2 == 0}"))
    assert grids.measured(of, Found()) is of


def test_criteria_are_no_systems() -> None:
    """correctness_score and relevance_score: the first column may be what was asked."""
    of = table("prompt correctness_score fluency_score", lambda k: (f"p{k}", k / 7, k / 9))
    assert "correctness_score" in grids.measured(of, Found()).headings


def named(heads: str, cells: Cells, rows: int = 12) -> list[str]:
    return grids.named(table(heads, cells, rows), Found()).headings


@pytest.mark.parametrize(
    ("systems", "questions", "less", "are"),
    [(2, 6, 0, True), (1, 6, 0, False), (6, 6, 0, False), (5, 6, 0, True), (2, 6, 1, False)],
)
def test_the_only_column_that_says_what_is_compared(systems: int, questions: int, less: int, are: bool) -> None:
    """Each question has one row of each, and there are more questions."""
    found = named("method id bleu", lambda k: (f"m{k % systems}", k // systems, k / 7), systems * questions - less)
    assert found[0] == ("system" if are else "method")


def test_other_columns_that_say_what_is_compared() -> None:
    def cells(k: int) -> tuple[object, ...]:
        return f"m{k % 2}", k // 2, k / 7, "x"

    assert named("retriever_name id bleu x", cells)[0] == "system"
    assert named("colour id bleu x", cells)[0] == "colour"
    assert named("method id A x", cells)[0] == "method"  # no measure
    assert named("method id bleu judge", cells)[0] == "method"
    assert named("method id bleu approach", cells)[0] == "method"
    assert named("method thing bleu x", cells)[0] == "method"
    assert named("method id bleu x", lambda k: (f"{'m' * 60}{k % 2}", *cells(k)[1:]))[0] == "method"
    assert named("method id bleu x", lambda k: (f"{'m' * 59}{k % 2}", *cells(k)[1:]))[0] == "system"


def test_fractions_below_references_are_scores_with_each() -> None:
    """Of the measure that the file names; else it is asked."""

    def read(heads: str, file: str = "A.bleu.csv", step: float = 7) -> list[str]:
        of = table(heads, lambda k: tuple([k, k / step, k / (step + 2)][: len(heads.split())]), file=file)
        return grids.by_reference(of, Found()).headings

    assert read("id refA refB") == ["id", "bleu refA", "bleu refB"]
    assert read("id ref_a reference-2") == ["id", "bleu refA", "bleu ref2"]
    assert read("id refA x") == ["id", "refA", "x"]
    assert read("x refA refB") == ["x", "refA", "refB"]
    assert read("bleu refA refB") == ["bleu", "bleu refA", "bleu refB"]
    with pytest.raises(Unclear) as error:
        read("id refA refB", "t.csv")
    assert error.value.why == "Are refA, refB scores of one system, with a reference each?"
    assert [one.role for one in error.value.claims] == ["question", "score", "score"]
    assert grids.by_reference(table("id refA refB", lambda k: (k, k, k), file="A.bleu.csv"), Found()).headings == [
        "id",
        "refA",
        "refB",
    ]


def test_the_one_id_beside_numbers_names_the_rows() -> None:
    def first(heads: str, cells: Cells = lambda k: (f"t{k}", k / 7, k / 9)) -> str:
        return grids.identified(table(heads, cells), Found()).headings[0]

    assert first("task_id A B") == "segment"
    assert first("thing A B") == "thing"
    assert first("task_id A B", lambda k: (f"t{k}", k / 7, f"u{k}")) == "task_id"
    assert first("task_id A system", lambda k: (f"t{k}", k / 7, k / 9)) == "task_id"
    assert first("task_id A case_id", lambda k: (f"t{k}", k / 7, f"u{k}")) == "task_id"
    assert grids.identified(table("task_id", lambda k: (f"t{k}",)), Found()).headings == ["task_id"]


def stem(k: int, letter: str, n: int = 5) -> str:
    return " ".join(f"{letter}{k}{i}" for i in range(n))


def paired(heads: str, cells: Cells) -> tuple[list[str], list[str]]:
    result = Found()
    return grids.paired(table(heads, cells), result).headings, messages(result)


def test_what_is_right_beside_what_was_said() -> None:
    """X_ref and X_pred are a reference and an output; of several stems with one reference each is a system."""

    def one(k: int) -> tuple[object, ...]:
        return k, stem(k, "r"), stem(k, "p"), stem(k, "x")

    assert paired("id de_ref de_pred", lambda k: one(k)[:3]) == (
        ["id", "reference", "prediction"], ["de_ref was read as the reference of de_pred."],
    )  # fmt: skip
    assert paired("id de_ref de_pred en", one)[0] == ["id", "reference", "prediction", "source"]
    assert paired("id x_ref x_pred other", one)[0] == ["id", "reference", "prediction"]
    assert paired("id de_ref en_pred", lambda k: one(k)[:3])[0] == ["id", "de_ref", "en_pred"]
    assert paired("system de_ref de_pred", lambda k: one(k)[:3])[0] == ["system", "de_ref", "de_pred"]
    assert paired("bleu de_ref de_pred", lambda k: one(k)[:3])[0] == ["bleu", "de_ref", "de_pred"]

    def two(k: int) -> tuple[object, ...]:
        return k, stem(k, "r"), stem(k, "p"), stem(k, "r"), stem(k, "q")

    of = grids.paired(table("id A_ref A_pred B_ref B_pred", two), Found())
    assert (of.headings, of.basis) == (["id", "reference", "A", "B"], "said")
    assert columns_of(of)["B"][0] == stem(0, "q")


def test_references_of_several_stems_are_parts() -> None:
    def two(k: int) -> tuple[object, ...]:
        return k, stem(k, "r"), stem(k, "p"), stem(k, "s"), stem(k, "q")

    of = table("id de_ref de_pred en_ref en_pred", two)
    assert grids.paired(of, Found()) is of
    assert [(name, part.headings) for name, part in grids.parts(of)] == [
        ("de", ["id", "de_ref", "de_pred"]), ("en", ["id", "en_ref", "en_pred"]),
    ]  # fmt: skip
    assert list(grids.parts(table("id de_ref de_pred", lambda k: two(k)[:3]))) == []


@pytest.mark.parametrize(("different", "are"), [(18, True), (17, False)])
def test_nine_of_ten_references_differ(different: int, are: bool) -> None:
    of = table("id x_ref x_pred", lambda k: (k, stem(min(k, different - 1), "r"), stem(k, "p")), 20)
    assert (grids.paired(of, Found()).headings[1] == "reference") is are
