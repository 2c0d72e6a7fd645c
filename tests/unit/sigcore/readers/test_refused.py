"""What is refused says why, and what it prints works or is no dead end."""

from __future__ import annotations

import json
import shlex

import pytest

from sigcore.errors import SigError
from sigcore.readers import Choice, Intake, Unclear, read, read_ratings

N = 24
Columns = dict[str, list[object]]


def table(columns: Columns) -> bytes:
    rows = zip(*columns.values(), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]).encode()


def one(name: str, content: bytes, **options: object) -> Intake:
    return read([(name, content)], every=Choice(options=options) if options else None)


def refused(intake: Intake) -> SigError:
    (problem,) = intake.problems
    return problem


def printed(problem: SigError) -> str:
    """The roles that a refusal prints, as the option takes them."""
    assert isinstance(problem, Unclear)
    words = shlex.split(problem.fix.partition("confirm it: ")[2].partition(". ")[0].rstrip("."))
    return "\n".join(word for word in words if "=" in word)


def judged(**more: list[object]) -> Columns:
    return {
        "WorkerId": [f"w{k % 2}" for k in range(N)], "sentence_type": ["one" if k < N // 2 else "two" for k in range(N)],
        "sentence_nr_id": [k % (N // 2) // 2 for k in range(N)], **more, "rating": [40 + k * 7 % 31 for k in range(N)],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        ({"model": ["a", "b", "c"], "win_rate": [50, 32, 28], "tier": ["x", "x", "y"], "rank": [1, 2, 3]}, "one row per system"),
        ({"rank": [1], "model": ["gpt"], "live_acc": [62.3], "parallel_acc": [12.3]}, "one row per system"),
        ({"name": ["BLEU", "chrF2"], "score": [34.8, 60.7], "case": ["mixed", ""], "signature": ["x:1", "y:1"]}, "one row per measure"),
    ],
    ids=["board", "a row", "report"],
)  # fmt: skip
def test_scores_of_whole_systems_are_no_question(columns: Columns, what: str) -> None:
    """A row for each model, or for each measure of one run, cannot be confirmed into scores of segments."""
    problem = refused(one("t.csv", table(columns)))
    assert what in problem.what
    assert "score of every segment" in problem.fix.replace("scores", "score")


def test_texts_of_questions_are_no_rows_of_systems() -> None:
    """Below "system" stand outputs where the column is text and other columns name what was asked."""
    columns: Columns = {
        "id": [f"q{k}" for k in range(N)],
        "system": [f"the boat {k} sails home over the calm sea" for k in range(N)],
        "score": [k % 5 for k in range(N)],
    }
    assert not any("whole systems" in str(problem) for problem in one("t.csv", table(columns)).problems)


def test_a_board_without_a_heading_is_asked_about_its_rows() -> None:
    """The row names of a data frame may be systems: that is asked before what its fields are."""
    columns: Columns = {"": ["a", "b", "c"], "win_rate": [50, 32, 28], "n_wins": [4, 3, 2], "length": [9, 7, 8]}
    assert "scores of whole systems" in str(refused(one("t.csv", table(columns))))


def test_ids_that_come_again_may_name_documents() -> None:
    """Stories with numbered turns: the plan that is printed reads them."""
    columns: Columns = {"id": [f"s{k // 6}" for k in range(N)], "turn_id": [k % 6 for k in range(N)], "answer": [f"w{k}" for k in range(N)]}  # fmt: skip
    problem = refused(one("A.csv", table(columns)))
    assert "Does it name documents" in str(problem)
    roles = printed(problem)
    assert roles.split("\n") == ["id=document", "turn_id=question"]
    intake = one("A.csv", table(columns), columns=f"{roles}\nanswer=text")
    assert intake.problems == ()
    assert next(item for item in intake.items if item.role == "documents").segments[5:7] == ("s0", "s1")


def test_ratings_without_a_heading_for_systems_are_confirmed() -> None:
    """The plan names the column of a few names as the systems; what it prints makes ratings of each."""
    content = table(judged())
    problem = refused(read_ratings([("r.csv", content)]))
    assert "WorkerId names judges" in str(problem)
    roles = printed(problem)
    assert roles.split("\n") == ["sentence_type=system", "sentence_nr_id=question", "rating=score"]
    intake = read_ratings([("r.csv", content)], {"columns": roles})
    assert intake.problems == ()
    (people,) = intake.judgments
    assert (people.n, set(people.system.tolist()), set(people.judge.tolist())) == (N, {"one", "two"}, {"w0", "w1"})


def test_answers_of_a_form_are_what_it_asks() -> None:
    """Input.system and Answer.fluency of a crowd's form are the system and what was rated."""
    columns: Columns = {
        "WorkerId": [f"w{k % 2}" for k in range(N)], "Input.system": ["ab"[k // 2 % 2] for k in range(N)],
        "Input.segment": [k // 4 for k in range(N)], "Answer.fluency": [k % 5 for k in range(N)],
    }  # fmt: skip
    (people,) = read_ratings([("batch.csv", table(columns))]).judgments
    assert people.dimensions == ("fluency",)


def test_many_words_for_outcomes_are_no_scores() -> None:
    """The plan offers no column of five names as scores, which would need a number for each."""
    columns: Columns = {"id": [*range(N)], "best": [f"m{k % 5}" for k in range(N)], "worst": [f"m{k * 3 % 5}" for k in range(N)]}  # fmt: skip
    problem = refused(one("t.csv", table(columns)))
    assert "NUMBER" not in problem.fix


def test_answers_beside_other_objects_of_the_same_ids_are_read() -> None:
    """The answers of a multi-hop test set lie beside the sentences that support them; ids that differ are refused."""
    ids = [f"5a8b{k:04x}" for k in range(N)]
    value = {"answer": {name: f"w{name}" for name in ids}, "sp": {name: [["Title", 0]] for name in ids}}
    intake = one("A.json", json.dumps(value).encode())
    assert intake.problems == ()
    (item,) = intake.items
    assert (item.name, item.kind, item.keys[:2], item.segments[0]) == ("A", "text", tuple(ids[:2]), f"w{ids[0]}")
    value["sp"].pop(ids[0])  # nothing supports this answer
    assert one("A.json", json.dumps(value).encode()).problems == ()
    value["sp"]["other"] = [["Title", 0]]
    assert "one object, not one record per segment" in refused(one("A.json", json.dumps(value).encode())).what


def test_lists_that_are_no_table_say_what_to_do() -> None:
    """A list of solved questions does not say what was asked; of several lists, the longest is named with its command."""
    solved = {"no_logs": ["a"], "resolved": ["b", "c", "d"]}
    assert "a record for every question" in refused(one("r.json", json.dumps(solved).encode())).fix
    lists = {"info": 1, "images": [{"id": 1}], "annotations": [{"id": k, "caption": "x"} for k in range(3)]}
    assert "jq .annotations FILE" in refused(one("c.json", json.dumps(lists).encode())).fix


def test_words_for_outcomes_are_the_score_of_the_plan() -> None:
    """Problem, right answer, response and grade: each has its role, and only the word that nobody knows needs a number."""
    grades = ["CORRECT" if k % 3 else "INCORRECT" if k % 2 else "NOT_ATTEMPTED" for k in range(N)]
    columns: Columns = {
        "problem": [f"what is the river number {k} called" for k in range(N)], "target": [f"w{k}" for k in range(N)],
        "response": [f"w{k % 7}" for k in range(N)], "grade": [*grades],
    }  # fmt: skip
    problem = refused(one("A.csv", table(columns)))
    assert "confirm it: --columns response=text grade=score" in problem.fix
    assert problem.fix.endswith("Write a number for each NUMBER.")
    assert "--cells CORRECT=1 INCORRECT=0 NOT_ATTEMPTED=NUMBER" in problem.fix
    said = {
        "columns": "target=reference\nresponse=ignored\ngrade=score",
        "cells": "CORRECT=1\nINCORRECT=0\nNOT_ATTEMPTED=0",
    }
    (item,) = (i for i in one("A.csv", table(columns), **said).items if i.role == "system")
    assert [*map(float, item.segments)] == [float(grade == "CORRECT") for grade in grades]


def test_one_prompt_for_all_is_no_question() -> None:
    """Comparisons whose prompt never changes are a question each, not all one question."""
    columns: Columns = {
        "model_a": ["one"] * N, "model_b": ["two"] * N, "winner": ["model_a" if k % 3 else "model_b" for k in range(N)],
    }  # fmt: skip
    (judged_pairs,) = one("p.csv", table({**columns, "prompt": ["x"] * N})).preferences
    assert len(set(judged_pairs.question.tolist())) == N
    (by_session,) = one("p.csv", table({**columns, "session_id": [f"s{k // 2}" for k in range(N)], "prompt": ["x"] * N})).preferences  # fmt: skip
    assert len(set(by_session.question.tolist())) == N // 2


def test_the_step_of_a_log_is_no_score() -> None:
    """The only other column of numbers counts the tries of each problem: nothing is compared by it."""
    columns: Columns = {
        "problem": [f"p{k // 4}" for k in range(N)] * 2, "iteration": [k % 4 for k in range(N)] * 2,
        "input_tokens": [400 + k % 7 for k in range(2 * N)], "model_name": ["a"] * N + ["b"] * N,
        "run_id": [f"r{k}" for k in range(2 * N)],
    }  # fmt: skip
    intake = one("log.csv", table(columns))
    assert not any(item.role == "system" for item in intake.items)


@pytest.mark.parametrize("marks", ["○×", "✓✗", "✔✘", "✅❌", "👍👎"])
@pytest.mark.parametrize("long", [False, True])
def test_marks_of_right_and_wrong_are_scores(marks: str, long: bool) -> None:
    """Marks are 1 and 0, in a column for each system and in long form, and a note says so."""
    cells = {name: [marks[k * step % 5 > 2] for k in range(N)] for name, step in (("A", 1), ("B", 2))}
    questions = [f"q{k}" for k in range(N)]
    if long:
        rows = [(questions[k], name, cells[name][k]) for k in range(N) for name in cells]
        text = table(dict(zip(("question", "model", "result"), map(list, zip(*rows, strict=True)), strict=True)))
    else:
        text = table({"question": questions, **cells})
    intake = one("t.csv", text)
    read = {item.name: (item.better, [*map(float, item.segments)]) for item in intake.items if item.role == "system"}
    assert read == {name: ("higher", [float(cell == marks[0]) for cell in own]) for name, own in cells.items()}
    assert any(f"{marks[0]} and {marks[1]} were read as 1 and 0" in notice.message for notice in intake.notices)


def test_marks_beside_gold_marks_are_labels() -> None:
    """Where the gold column has the same marks, they are labels to compare with it."""
    text = table(
        {
            "id": [*range(5, N + 5)],
            "gold": ["○", "×"] * (N // 2),
            "A": ["○", "×", "×", "○"] * (N // 4),
            "B": ["×", "×", "○"] * (N // 3),
        }
    )
    assert {item.kind for item in one("t.csv", text).items if item.role == "system"} == {"text"}


LABELS = ("sports", "politics", "tech")


@pytest.mark.parametrize("right", ["label", "labels", "target"])
@pytest.mark.parametrize("names", [("bert", "roberta"), ("model_a", "model_b")])
@pytest.mark.parametrize("beside", ["id", "text", "input"])
def test_class_names_are_compared_by_the_printed_roles(right: str, names: tuple[str, str], beside: str) -> None:
    """Right labels beside those of models: the printed command makes a reference and two systems, no scores or judgments."""
    gold = [LABELS[k * k % 3] for k in range(2 * N)]
    made = [[gold[k] if k % step else LABELS[k % 3] for k in range(2 * N)] for step in (3, 4)]
    about = [k + 5 if beside == "id" else f"the text number {k}" for k in range(2 * N)]
    text = table({beside: about, right: gold, names[0]: made[0], names[1]: made[1]})
    problem = refused(one("t.csv", text))
    assert f"{right}=reference {names[0]}=system {names[1]}=system" in problem.fix
    assert "--cells" not in problem.fix
    items = one("t.csv", text, columns=printed(problem)).items
    assert [(item.name, item.segments) for item in items if item.role == "reference"] == [("reference", tuple(gold))]
    systems = [(item.name, item.kind, item.segments) for item in items if item.role == "system"]
    assert systems == [(name, "text", tuple(own)) for name, own in zip(names, made, strict=True)]


def test_words_for_two_answers_have_numbers_in_the_printed_command() -> None:
    """Y and N may be answers: what makes them scores of the two systems is printed, and works."""
    text = table({"question": [f"q{k}" for k in range(N)], "A": ["Y", "N"] * (N // 2), "B": ["N", "N", "Y"] * (N // 3)})
    problem = refused(one("t.csv", text))
    assert "confirm it: --columns A=system B=system --cells N=0 Y=1." in problem.fix
    items = one("t.csv", text, columns="A=system\nB=system", cells="N=0\nY=1").items
    assert [item.segments[:3] for item in items if item.role == "system"] == [("1", "0", "1"), ("0", "0", "1")]


@pytest.mark.parametrize("first", ["model", "", "system"])
@pytest.mark.parametrize("cells", [("1", "0"), ("pass", "fail"), ("0.25", "0.5")])
def test_rows_of_systems_are_refused_and_turned_where_it_is_said(first: str, cells: tuple[str, str]) -> None:
    """Recordings in columns: the refusal prints what reads each row as a system, and that gives the turned table."""
    asked = ["meeting", "call", "podcast", "hall"]
    rows = {f"s-{i}": [cells[(i + k) % 2] for k in range(4)] for i in range(3)}
    text = "\n".join([",".join([first, *asked]), *(",".join([name, *own]) for name, own in rows.items())]).encode()
    problem = refused(one("t.csv", text))
    assert "--columns rows=system" in str(problem.what) + problem.fix
    intake = one("t.csv", text, columns="rows=system")
    numbers = {"pass": 1.0, "fail": 0.0}
    assert {item.name: [*map(float, item.segments)] for item in intake.items} == {
        name: [numbers.get(cell, 0.0) if cell in numbers else float(cell) for cell in own] for name, own in rows.items()
    }
    assert intake.items[0].keys == tuple(asked)
    assert any("4 questions (meeting to hall)" in notice.message for notice in intake.notices)


def test_a_board_of_measures_is_not_offered_to_be_turned() -> None:
    """Measures of whole systems are no questions; without names of rows nothing can be turned."""
    assert "rows=system" not in refused(one("t.csv", b"model,BLEU,chrF\na,1.5,2.5\nb,2.5,3.5\n")).fix
    assert "no column of different names" in refused(one("t.csv", b"q,w\n1,2\n2,2\n", columns="rows=system")).what


@pytest.mark.parametrize("mark", [",", ";"])
def test_a_table_called_tsv_may_have_other_marks(mark: str) -> None:
    """Commas or semicolons in a file called .tsv are noted and read; text with commas stays text."""
    text = "\n".join(
        mark.join(row) for row in [("id", "A", "B"), *((f"{k * k}", f".{k + 1}", f".{k + 2}") for k in range(N))]
    )
    intake = one("t.tsv", text.encode())
    assert {item.name: item.segments[:2] for item in intake.items} == {"A": (".1", ".2"), "B": (".2", ".3")}
    assert any(f"separated by {mark!r}" in notice.message for notice in intake.notices)
    prose = "\n".join(f"a line{mark} with a mark {k}" for k in range(N)).encode()
    assert [item.kind for item in one("t.tsv", prose).items] == ["text"]


def runs(heads: str, first: str = "0.5", n: int = 12) -> bytes:
    """A row for each of `n` values below the first heading, with shares below the others."""
    cells = ["0.25"] * heads.count(",")
    return "\n".join(
        [heads, *(",".join([str(k), first if k == 0 else cells[0], *cells[1:]]) for k in range(n))]
    ).encode()


@pytest.mark.parametrize(
    "heads",
    ["seed,accuracy", "fold,F1,accuracy", "checkpoint,BLEU,chrF", "run,accuracy", "temperature,seed,WER", "lr,BLEU"],
)
def test_a_row_for_each_run_is_no_question(heads: str) -> None:
    """No command is printed that pairs the means of runs by their places."""
    found = read([("A.csv", runs(heads)), ("B.csv", runs(heads, "0.75"))])
    assert not [item for item in found.items if item.role == "system"]
    assert len(found.problems) == 2
    for problem in found.problems:
        assert "Each row is a whole run, by its " in problem.what
        assert "Load the scores of every segment in each run" in problem.fix
        assert "--columns" not in problem.fix


@pytest.mark.parametrize("heads", ["id,seed,accuracy", "question,accuracy", "clip,WER"])
def test_a_row_for_each_question_is_no_run(heads: str) -> None:
    found = read([("A.csv", runs(heads)), ("B.csv", runs(heads, "0.75"))])
    assert not any("Each row is a whole run" in problem.what for problem in found.problems)


@pytest.mark.parametrize(
    ("heads", "row"),
    [
        ("id,seed,accuracy", "{k},{k},0.{k}5"),
        ("seed,accuracy", "{half},0.{k}5"),  # several rows of each seed
        ("seed,input,accuracy", "{k},it rains {k} times,0.{k}5"),
    ],
)
def test_seeds_beside_what_may_be_a_question_are_no_runs(heads: str, row: str) -> None:
    text = "\n".join([heads, *(row.format(k=k, half=k // 2) for k in range(12))]).encode()
    found = read([("A.csv", text), ("B.csv", text.replace(b"5\n", b"6\n"))])
    assert not any("Each row is a whole run, by its " in problem.what for problem in found.problems)


def test_right_or_wrong_by_seed_is_no_mean() -> None:
    text = "\n".join(["seed,accuracy", *(f"{k},{k % 2}" for k in range(12))]).encode()
    found = read([("A.csv", text), ("B.csv", text[:-1] + b"0")])
    assert not any("Each row is a whole run" in problem.what for problem in found.problems)
