"""Columns that the user names, and tables that make no sense: an answer that shows the columns, never rival systems."""

import json

import pytest

from sigcore.data.assembly import assemble
from sigcore.readers import Choice, Intake, read

N = 12
Rows = list[dict[str, object]]


def one(file: str, text: str, **options: object) -> Intake:
    return read([(file, text.encode())], every=Choice(options=options) if options else None)


def records(rows: Rows) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def streams(intake: Intake) -> list[tuple[str, str, str]]:
    return [(item.name, item.kind, item.measure) for item in intake.items if item.role == "system"]


def refusal(intake: Intake) -> str:
    """The one problem of an intake without items, which says how to answer."""
    (problem,) = intake.problems
    assert intake.items == ()
    assert "--columns" in problem.fix
    assert "first cells" in problem.what
    return problem.what


def table(*headings: str) -> str:
    """A table in CSV with ids and columns of numbers that differ."""
    rows = [[f"q{i}", *(str((7 * i + 3 * k) % 11 / 10) for k in range(len(headings)))] for i in range(N)]
    return "\n".join([",".join(["who", *headings]), *(",".join(row) for row in rows)]) + "\n"


def test_named_columns_are_the_ids_and_the_scores_and_nothing_else_is() -> None:
    """One file per system: the file names it, the column names the measure; other columns are reported."""
    intake = one("One.csv", table("points", "noise"), id_field="who", score_field="points")
    assert not intake.problems
    assert streams(intake) == [("One", "scores", "points")]
    assert intake.items[0].keys == tuple(f"q{i}" for i in range(N))
    assert any("not used: noise" in notice.message for notice in intake.notices)


def test_one_file_for_all_and_one_column_each() -> None:
    """A column of systems gives a stream for each; several columns of scores without one are a system each."""
    rows: Rows = [{"who": s, "q": f"q{i}", "points": i / N, "noise": 5} for s in ("A", "B") for i in range(N)]
    long = one("all.jsonl", records(rows), system_field="who", id_field="q", score_field="points")
    assert streams(long) == [("A", "scores", "points"), ("B", "scores", "points")]
    wide = one("t.csv", table("A", "B", "noise"), id_field="who", score_field="A, B")
    assert [name for name, _, _ in streams(wide)] == ["A", "B"]
    assert len({measure for _, _, measure in streams(wide)}) == 1


def test_several_scores_beside_a_column_of_systems_are_scores_in_the_plan() -> None:
    """The plan calls them scores; only the column that names the systems is one of systems."""
    rows: Rows = [{"m": s, "q": f"q{i}", "a": i / N, "b": i % 5} for s in ("A", "B") for i in range(N)]
    intake = one("all.jsonl", records(rows), system_field="m", id_field="q", score_field="a,b")
    assert {claim.column: claim.role for claim in intake.claims} == {
        "m": "system",
        "q": "question",
        "a": "score",
        "b": "score",
    }


def test_several_columns_can_name_the_segment_together() -> None:
    """A question with two turns has two rows."""
    rows: Rows = [{"m": s, "q": i, "turn": t, "p": i + t} for s in "AB" for i in range(N) for t in (1, 2)]
    intake = one("j.jsonl", records(rows), system_field="m", id_field="q,turn", score_field="p")
    assert [len(item.segments) for item in intake.items] == [2 * N, 2 * N]
    assert intake.items[0].keys[:2] == ("0 of 1", "0 of 2")


def test_a_named_column_must_exist_and_hold_numbers() -> None:
    """The message shows the columns with their first cells."""
    assert "no column 'score'" in refusal(one("t.csv", table("A", "B"), score_field="score"))
    (problem,) = one("t.csv", table("A"), score_field="who").problems
    assert "'q0' is not a number" in problem.what


def test_names_of_columns_for_files_without_columns_are_a_problem() -> None:
    """Nothing that the user said is dropped silently."""
    (problem,) = one("One.en", "a b\nc d\n", score_field="points").problems
    assert "score_field" in problem.what


def test_the_direction_that_was_said_stays_with_the_scores() -> None:
    """Lower is better where the user says so, in tables and in files of one score per line."""
    assert [item.better for item in one("A.txt", "0.5\n0.25\n", better="lower").items] == ["lower"]
    assert {item.better for item in one("t.csv", table("A", "B"), better="lower", score_field="A,B").items} == {"lower"}


@pytest.mark.parametrize(
    ("headings", "cells", "why"),
    [
        (("A", "B", "C"), lambda i: (i / N, 1 - i / N, 1), "the same number in every row"),
        (("A", "B", "C"), lambda i: (i / N, 1 - i / N, 100 + i % 7), "very different scales"),
        (("A", "B", "C"), lambda i: (i / N, 1 - i / N, -1 - i % 5), "very different scales"),
        (("prompt_hash", "target", "zork"), lambda i: (f"x{i}", f"y{i}", i % 2), "the output of one system"),
        (("reference", "A", "n"), lambda i: (f"r {i}", f"a {i}", i % 5), "which are systems"),
        (("A", "B", "latency_ms"), lambda i: (i / N, 1 - i / N, 0.5 + i % 3), "fields of a log"),
        (("A", "B", "C"), lambda i: (i % 5, 1 - i % 2, i), "count the rows"),
        (("A", "accuracy"), lambda i: (i % 5, 1 - i % 2), "may be systems: which is it"),
        (("reference", "A", "target"), lambda i: (f"r {i}", f"a {i}", f"r {i}"), "same as the reference"),
        (("reference", "A", "split"), lambda i: (f"r {i}", f"a {i}", "test"), "the same text in every row"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_with_the_columns(headings, cells, why) -> None:  # type: ignore[no-untyped-def]
    """A field of a log does not become a rival system."""
    rows: Rows = [{"id": i} | dict(zip(headings, cells(i), strict=True)) for i in range(N)]
    message = refusal(one("log.jsonl", records(rows)))
    assert why in message
    assert headings[0] in message


def test_a_perfect_system_of_zeros_and_ones_is_no_nonsense() -> None:
    """The scale of rivals is compared by the largest and the usual size, so a weak system stays."""
    rows: Rows = [{"id": i, "A": float(i % 10 == 0), "B": float(i % 10 != 5)} for i in range(40)]
    assert [name for name, _, _ in streams(one("t.jsonl", records(rows)))] == ["A", "B"]


def test_files_on_different_scales_are_an_error() -> None:
    """Between files it is found when they are compared."""
    files = [
        ("A.txt", "".join(f"0.{i}\n" for i in range(1, 40))),
        ("B.txt", "".join(f"{i + 40}\n" for i in range(1, 40))),
    ]
    loaded = assemble(read([(name, text.encode()) for name, text in files]).items)
    (fault,) = loaded.of("error")
    assert "A (0.1 to 0.9) and B (41 to 79)" in fault.what


@pytest.mark.parametrize(
    ("value", "n"),
    [
        ({"scores": [i / 20 for i in range(20)], "system_score": 0.5}, 20),
        ([i / 20 for i in range(20)], 20),
        ({"One": [i / 20 for i in range(20)], "Two": [0.9 - i / 25 for i in range(20)]}, 20),
        ({"results": [{"id": i, "score": i / 20} for i in range(20)], "date": "today"}, 20),
    ],
)
def test_lists_are_segments(value: object, n: int) -> None:
    """A list of numbers is n scores, not one mean."""
    intake = one("A.json", json.dumps(value))
    assert not intake.problems
    assert {len(item.segments) for item in intake.items} == {n}


@pytest.mark.parametrize(
    "value",
    [
        {"accuracy": 0.7, "f1": 0.6},
        {"results": {"gsm8k": {"exact_match": 0.4}}, "config": {"model": "x"}},
        {"One": [0.1, 0.2, 0.3], "Two": [0.1, 0.2]},
        {"samples_a": [{"x": 1}], "samples_b": [{"x": 2}], "n": 2},
    ],
)
def test_summaries_are_refused(value: object) -> None:
    """Scores of whole systems, and lists that do not fit, are not segments."""
    intake = one("A.json", json.dumps(value))
    assert intake.items == ()
    assert len(intake.problems) == 1


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("A.jsonl", records([{"id": i, "correct": i % 3 == 0} for i in range(N)])),
        ("A.csv", "id,correct\n" + "".join(f"{i},{i % 3 == 0!s}\n" for i in range(N))),
        ("A.txt", "".join(f"{'true' if i % 3 == 0 else 'false'}\n" for i in range(N))),
    ],
)
def test_true_and_false_are_one_and_zero(file: str, text: str) -> None:
    """Outcomes are scores, with a notice."""
    intake = one(file, text)
    (item,) = intake.items
    assert (item.kind, item.segments) == ("scores", tuple(str(int(i % 3 == 0)) for i in range(N)))
    assert any("read as 1 and 0" in notice.message for notice in intake.notices)


def test_true_and_false_beside_a_reference_are_labels() -> None:
    """An answer is compared with the gold answer."""
    rows: Rows = [{"id": i, "reference": i % 2 == 0, "One": i % 3 == 0} for i in range(N)]
    assert {item.kind for item in one("t.jsonl", records(rows)).items} == {"text"}


def crossed(what: str, times: str, names: str) -> str:
    """Six numbered things, measured once under each name."""
    rows = [f"{i},{name},{(3 * i + 5 * k) % 7}" for k, name in enumerate(names) for i in range(1, 7)]
    return "\n".join([f"{what},{times},points", *rows]) + "\n"


def test_numbers_measured_again_are_ids_and_not_scores() -> None:
    """The numbers of the subjects were called scores, and the printed command tested them."""
    text = crossed("subject", "day", "abc")
    problem = refusal(one("t.csv", text))
    assert "Does day name systems?" in problem
    intake = one("t.csv", text, columns="subject=question\nday=system\npoints=score")
    assert streams(intake) == [(name, "scores", "points") for name in "abc"]
    assert intake.items[0].keys == tuple("123456")


def test_what_every_judge_rated_once_are_the_systems() -> None:
    """Numbered wines were scores beside the points that they got, also where somebody said that they are systems."""
    text = crossed("wine", "judge", "abc")
    assert "does wine name what each of them rated?" in refusal(one("t.csv", text))
    intake = one("t.csv", text, columns="wine=system\njudge=question\npoints=score")
    assert streams(intake) == [(str(k), "scores", "points") for k in range(1, 7)]
    assert intake.items[0].keys == tuple("abc")


def test_numbers_that_repeat_unequally_or_in_two_values_are_no_ids() -> None:
    """Two days of right and wrong answers are scores, by whatever chance they are spread."""
    two = "\n".join(["day,A", *(f"{day},{score}" for day in "xy" for score in (0, 1))]) + "\n"
    assert "name systems" not in str(one("t.csv", two).problems)


def test_names_of_pictures_are_no_outputs() -> None:
    """What a caption is about stood beside the captions as a system with BLEU 0."""
    rows: Rows = [
        {"candidates": f"a cat {i} sat on the mat", "image_files": f"{i}.jpeg", "references": f"a cat {i} lay on a mat"}
        for i in range(N)
    ]
    intake = one("one.json", records(rows))
    assert [name for name, kind, _ in streams(intake) if kind == "text"] == ["candidates"]
    assert any("Names of files" in notice.message for notice in intake.notices)


def test_values_below_one_name_are_scores_of_one_system() -> None:
    """Nested values of a metric were rivals, and the printed command tested them against each other."""
    rows: Rows = [{"nub": {"score_of": i % 3, "logic": i % 5, "feat": {"same": i % 7}}} for i in range(N)]
    (problem,) = one("m.json", records(rows)).problems
    assert "rival systems?" in problem.what
    assert "nub.logic=system" not in problem.fix


def test_a_context_is_what_was_read_and_no_output() -> None:
    rows: Rows = [
        {"context": f"{i} long text. " * 40, "question": f"what {i}?", "answer": f"it is {i}"} for i in range(N)
    ]
    (problem,) = one("c.json", records(rows)).problems
    assert "context=text" not in problem.fix


def test_numbers_about_people_are_not_offered_as_scores() -> None:
    """A table of passengers has several numbers, and no measure: no command is printed that would average them."""
    rows = [f"{i % 2},{1 + i % 3},{20 + i % 9},{i % 2},{7.25 + i % 4}" for i in range(N)]
    text = "\n".join(["survived,class,age,sex,fare", *rows]) + "\n"
    assert "confirm it" not in one("p.csv", text).problems[0].fix


def test_two_columns_that_name_a_segment_together_are_offered() -> None:
    """Only the style and the group of a test set tell the rows of a model apart."""
    rows = [
        f"{style},{group},{model},{k}.5"
        for k, (style, group) in enumerate(("ax", "ay", "bx", "by", "cx"))
        for model in "MN"
    ]
    text = "\n".join(["Style,Group,Model,WER", *rows]) + "\n"
    (problem,) = one("t.csv", text).problems
    assert "--columns Model=system Style=question Group=question WER=score" in problem.fix
    assert streams(one("t.csv", text, id_field="Style,Group")) == [("M", "scores", "WER"), ("N", "scores", "WER")]


def test_several_scores_beside_a_column_of_systems_stay_scores() -> None:
    """The report calls them what was said; only without a column of systems is each a system."""
    rows: Rows = [{"m": s, "q": f"q{i}", "p": i / N, "f": (i % 3) / 3} for s in ("A", "B") for i in range(N)]
    long = one("a.jsonl", records(rows), system_field="m", id_field="q", score_field="p,f")
    said = {claim.column: claim.role for claim in long.claims}
    assert said == {"m": "system", "q": "question", "p": "score", "f": "score"}
    wide = one("t.csv", table("A", "B"), id_field="who", score_field="A,B")
    assert {claim.column: claim.role for claim in wide.claims} == {"who": "question", "A": "system", "B": "system"}


def test_a_comparison_needs_one_of_the_names_of_its_question() -> None:
    """Of two columns that name the question together one may be empty, and not both."""
    rows = [f"q{k},{k % 2 or ''},A,B,model_{'ab'[k % 3 == 0]}" for k in range(N)]
    text = "\n".join(["q,turn,model_a,model_b,winner", *rows])
    intake = one("p.csv", text + "\n", id_field="q,turn")
    assert intake.problems == ()
    assert len(set(intake.preferences[0].question)) == N
    (problem,) = one("p.csv", f"{text}\n,,A,B,model_a\n", id_field="q,turn").problems
    assert "names no question" in problem.what


def test_segments_of_two_ids_are_called_by_the_inner_one_first() -> None:
    """Segment 3 of document d1 is "3 of d1"."""
    rows = [f"d{k // 4},{k % 4},{s},{(k * 7 + len(s)) % 10}" for s in ("one", "other") for k in range(N)]
    intake = one("t.csv", "\n".join(["doc_id,seg_id,system,score", *rows]) + "\n")
    assert intake.problems == ()
    assert "3 of d1" in next(item for item in intake.items if item.role == "system").keys


def test_a_preference_of_zero_is_a_tie() -> None:
    """AlpacaEval grades from 1 (the first) to 2 (the second), and writes 0 as well as 1.5 for neither."""
    grades = ("1", "2", "0", "1.5", "1.25")
    rows = [f"q{k},A,B,{grade}" for k, grade in enumerate(grades)]
    intake = one("a.csv", "\n".join(["instruction,generator_1,generator_2,preference", *rows]) + "\n")
    assert intake.preferences[0].outcome.tolist() == [1.0, 0.0, 0.5, 0.5, 0.75]
