"""Tables that have no question with two systems, or sum up others, and lists without names: asked about or refused, with a
way on; marks of several people in one cell are averaged."""

from __future__ import annotations

import json

import pytest

from sigcore.data import Collection
from sigcore.readers import Choice, Intake, Unclear, read

N = 12
PAGE = "a role for each column on the page Files"


def intake(text: str, name: str = "t.csv", **options: str) -> Intake:
    return read([(name, text.encode())], every=Choice(options=options) if options else None)


def runs(same: bool = False) -> str:
    rows = [f"{arm},{'r' if same else arm[0]}{k},{k % 2}" for arm in ("control", "treated") for k in range(N)]
    return "\n".join(["arm,run,accuracy", *rows]) + "\n"


def test_runs_of_two_arms_are_no_one_system() -> None:
    """Nothing pairs, so only the reading as one system is offered; it is not what is read without a word."""
    found = intake(runs())
    problem = found.problems[0]
    assert isinstance(problem, Unclear)
    assert not found.items
    assert "Does arm name systems?" in problem.what
    assert "nothing pairs" in problem.what
    assert problem.ways == (("all rows are of one system", "arm=ignored run=question accuracy=score"),)
    alone = intake(runs(), columns="arm=ignored\nrun=question\naccuracy=score")
    assert [len(item.segments) for item in alone.items if item.role == "system"] == [2 * N]


def test_runs_with_the_same_names_pair() -> None:
    problem = intake(runs(same=True)).problems[0]
    assert isinstance(problem, Unclear)
    assert "arm=system" in problem.fix


@pytest.mark.parametrize("word", ["arm", "topic"])
@pytest.mark.parametrize("names", [("x", "y"), ("x", "x")])
def test_only_names_of_systems_that_come_again_are_asked_about(word: str, names: tuple[str, str]) -> None:
    rows = [f"q{k},{names[k % 2]},{k % 3 / 2}" for k in range(2 * N)]
    found = intake("\n".join([f"id,{word},accuracy", *rows]) + "\n")
    assert bool(found.problems) == (word == "arm" and names == ("x", "y"))


# What data says of systems that do not pair.


def collected(text: str, **options: str) -> Collection:
    collection = Collection()
    collection.add([("t.csv", text.encode())], every=Choice(options=options))
    return collection


@pytest.mark.parametrize("missing", ["refuse", "drop"])
def test_systems_without_a_common_segment_are_told_so(missing: str) -> None:
    told = collected(runs(), columns="arm=system\nrun=question\naccuracy=score").loaded(missing)
    errors = [one for one in told.findings if one.severity == "error"]
    assert "control, treated share no segment, so no accuracy of one has a partner." in [one.what for one in errors]
    assert "--missing drop" not in errors[0].fix


def test_no_segment_left_names_how_many_each_has() -> None:
    """Each two share some segments, and all three none."""
    rows = [f"q{k},{name},{k % 3}" for k in range(N) for s, name in enumerate("ABC") if k % 3 != s]
    text = "\n".join(["id,system,score", *rows]) + "\n"
    told = collected(text).loaded("drop")
    error = next(one for one in told.findings if one.severity == "error")
    assert error.what == "No segment has the scores of all of 3 systems, so none is left."
    assert error.fix.endswith("A has 8, B has 8, C has 8.")


# Results that sum up others.


@pytest.mark.parametrize("heads", [("ci_lo", "ci_hi"), ("lower_bound", "upper_bound"), ("ci95_min", "ci95_max")])
@pytest.mark.parametrize("first", [("dataset", "condition"), ("suite", "setup")])
def test_means_with_intervals_are_no_scores(heads: tuple[str, str], first: tuple[str, str]) -> None:
    """Two names together say what each row sums up, so no column differs in every row."""
    rows = [f"d{k},{c},200,.{k}{i},.{k}1,.{k}9" for k in range(5) for i, c in enumerate("xyz")]
    problem = intake("\n".join([",".join([*first, "n", "accuracy", *heads]), *rows]) + "\n").problems[0]
    assert "Each row sums up others" in problem.what
    assert problem.fix.startswith("Load the scores of every segment")
    assert PAGE in problem.fix


# Arms with several rows of a question.


def test_arms_that_answered_the_same_questions_are_not_said_to_share_none() -> None:
    rows = [
        f"q{k},{arm},{setting},{(k + len(arm)) % 2}" for k in range(N) for arm in ("bm", "dense") for setting in (1, 2)
    ]
    problem = intake("\n".join(["id,arm,chunks,accuracy", *rows]) + "\n").problems[0]
    assert "nothing pairs" not in problem.what


# Files of programs.


def test_one_object_in_many_lines_is_read_whatever_its_suffix() -> None:
    """json.dump with an indent into a .jsonl: answers by whether they are right."""
    records = [{"question_id": f"q{k}", "pred": "AB"[k % 2]} for k in range(N)]
    text = json.dumps({"correct": records[:8], "incorrect": records[8:]}, indent=1)
    (item,) = [one for one in intake(text, "m.jsonl").items if one.kind == "scores"]
    assert (item.measure, item.keys) == ("correct", tuple(f"q{k}" for k in range(N)))
    assert item.segments == ("1",) * 8 + ("0",) * 4
    other = json.dumps({"correct": records[:8], "skipped": records[8:]}, indent=1)
    assert all(one.measure != "correct" for one in intake(other, "m.jsonl").items)


def test_a_table_of_r_has_quotes_and_blanks() -> None:
    """The names of the rows have no heading; a text may hold blanks and quotes."""
    rows = [f'"{k}" "q{k % N}" "{"a" if k < N else "b c"}" {k % 5}' for k in range(2 * N)]
    found = intake("\n".join(['"item" "model" "rating"', *rows]) + "\n", "t.txt")
    assert {item.name: item.segments for item in found.items} == {
        "a": tuple(str(k % 5) for k in range(N)),
        "b c": tuple(str(k % 5) for k in range(N, 2 * N)),
    }
    for last in ('"1" "q"', '"q99" "b c" 3'):  # a row is cut, or has no name
        uneven = "\n".join(['"item" "model" "rating"', *rows[:-1], last]) + "\n"
        assert not any("write.table" in notice.message for notice in intake(uneven, "t.txt").notices)


@pytest.mark.parametrize("cost", ["latency_ms", "recall@10"])
def test_a_measure_in_front_of_names_with_marks(cost: str) -> None:
    """What answers cost differs a hundredfold between systems, and is no reason to refuse, nor the first measure."""
    systems, scale = ("bm25", "dense-e5", "hybrid-rerank"), {"latency_ms": 100, "recall@10": 1}[cost]
    heads = [f"{measure} {system}" for measure in (cost, "ndcg@10") for system in systems]
    rows = [
        [
            str(1000 + 7 * k),
            *(f"{(k % 5 + 1) / 10 * scale**i:.3f}" for i in range(3)),
            *(f"{(k % 7 + i) / 9:.3f}" for i in range(3)),
        ]
        for k in range(N)
    ]
    text = "\n".join(map(",".join, [["query_id", *heads], *rows])) + "\n"
    found = collected(text)
    if cost == "latency_ms":
        (problem,) = found.problems
        assert isinstance(problem, Unclear)
        assert problem.plan == dict.fromkeys(heads, "system")
        found = collected(text, columns="\n".join(f"{name}=system" for name in heads))
    assert found.choices.measures == (("ndcg@10", cost) if cost == "latency_ms" else (cost, "ndcg@10"))
    assert {item.name for item in found.items if item.role == "system"} == {*systems}


@pytest.mark.parametrize(("numbers", "scores"), [([1, 2, 3, 4], 4), ([1, 2, 4, 3], 0), ([1, 2], 0)])
def test_scores_of_meteor_stand_below_what_it_says_of_itself(numbers: list[int], scores: int) -> None:
    lines = ["Meteor version: 1.5", "", "Language:       English", *(f"Segment {k} score:\t0.{k}" for k in numbers)]
    found = intake("\n".join([*lines, "", "Final score:            0.3"]) + "\n", "A.meteor")
    assert [len(item.segments) for item in found.items if item.kind == "scores"] == [scores] * bool(scores)
    assert bool(found.problems) == (scores == 0)


# Recordings, and the same references in another order.


def heard(order: list[int], wrong: str, recordings: bool = True) -> str:
    name = "Audio Path" if recordings else "Speaker Text"
    rows = [f"clip_{k}.mp3,the words number {k} of list {k % 7},the words number {k} of {wrong} {k % 7}" for k in order]
    return "\n".join([f"{name},Reference,Prediction", *rows]) + "\n"


def test_recordings_name_the_rows() -> None:
    """Files in other orders, each with its own references, are one test set."""
    collection = Collection()
    files = {"one.csv": heard([*range(N)], "lists"), "two.csv": heard([*range(N)][::-1], "lots")}
    collection.add((name, text.encode()) for name, text in files.items())
    told = collection.loaded()
    assert [one.what for one in told.findings if one.severity == "error"] == []
    assert [(one.system, one.segments[0]) for one in told.outputs] == [
        ("one", "the words number 0 of lists 0"),
        ("two", "the words number 0 of lots 0"),
    ]


# Lists without names.


@pytest.mark.parametrize("below", [None, "scores"])
def test_lists_of_numbers_need_names(below: str | None) -> None:
    lists = [[(k * 7 + s) % 5 / 4 for k in range(20)] for s in range(3)]
    text = json.dumps(lists if below is None else {below: lists})
    problem = intake(text, "t.json").problems[0]
    assert (
        problem.what
        == f"It has 3 lists of 20 numbers{f' below {below}' if below else ''}, without names: which is which system?"
    )
    named = intake(json.dumps(dict(zip("ABC", lists, strict=True))), "t.json")
    assert [item.name for item in named.items if item.role == "system"] == ["A", "B", "C"]


def test_short_lists_below_one_name_are_ratings() -> None:
    """Twenty texts, each rated by three people: their means are the scores."""
    found = intake(json.dumps({"scores": [[k % 5, 3, 4] for k in range(20)]}), "t.json")
    assert not found.problems


# Marks of several people in a cell.

MARKS = [[k % 5 + 1, (k * 3) % 5 + 1, 4] for k in range(N)]


def in_cells(write: str, marks: list[list[int]] = MARKS, head: str = "id\tsystem\tratings") -> str:
    joined = {
        "list": str,
        "semicolon": lambda own: ";".join(map(str, own)),
        "comma": lambda own: ",".join(map(str, own)),
    }
    rows = [f"q{k}\t{s}\t{joined[write](own if s == 'A' else own[::-1])}" for k, own in enumerate(marks) for s in "AB"]
    return "\n".join([head, *rows]) + "\n"


@pytest.mark.parametrize("write", ["list", "semicolon", "comma"])
def test_marks_of_several_people_in_a_cell_are_averaged(write: str) -> None:
    found = intake(in_cells(write), "t.tsv")
    for item in (item for item in found.items if item.role == "system"):
        assert list(map(float, item.segments)) == pytest.approx([sum(own) / 3 for own in MARKS])
    assert sum(item.role == "system" for item in found.items) == 2
    assert any("marks of several people" in notice.message for notice in found.notices)


@pytest.mark.parametrize(
    ("marks", "head"),
    [
        ([[1, 2, 3][k % 3 :] + [1, 2, 3][: k % 3] for k in range(N)], "id\tsystem\tratings"),  # ranks
        ([[1] * (k % 3 + 3) for k in range(N)], "id\tsystem\tratings"),  # sets of labels
        ([[k, k, 50 + 3 * k] for k in range(N)], "id\tsystem\tratings"),  # more numbers than a scale has
        (MARKS, "id\tsystem\treference"),  # what is right
    ],
)
def test_other_numbers_in_a_cell_are_not_averaged(marks: list[list[int]], head: str) -> None:
    found = intake(in_cells("list", marks, head), "t.tsv")
    assert not any("marks of several people" in notice.message for notice in found.notices)


# Scores with each of several references.


def with_references(rest: str = "") -> str:
    rows = [f"{k},{k * 7 % 11 / 11:.3f},{k * 3 % 7 / 7:.3f}{',' + rest if rest else ''}" for k in range(N)]
    return "\n".join([f"seg,ref_a,ref_b{',' + 'pred' if rest else ''}", *rows]) + "\n"


def test_scores_below_references_are_those_of_the_measure_in_the_name() -> None:
    found = intake(with_references(), "alpha.bleu.csv")
    assert {(item.name, item.measure, item.role) for item in found.items} == {
        ("alpha", "bleu refA", "system"),
        ("alpha", "bleu refB", "system"),
    }
    assert found.items[0].segments == tuple(f"{k * 7 % 11 / 11:.3f}" for k in range(N))


def test_scores_below_references_are_asked_about_where_no_name_says_it() -> None:
    problem = intake(with_references(), "alpha.csv").problems[0]
    assert isinstance(problem, Unclear)
    assert problem.ways == (("so it is", "ref_a=score ref_b=score"),)
    found = intake(with_references(), "alpha.csv", columns="ref_a=score\nref_b=score")
    assert [item.role for item in found.items] == ["system", "system"]


def test_whole_numbers_below_references_are_labels() -> None:
    rows = [f"{k},{k % 2},{k % 3}" for k in range(N)]
    found = intake("\n".join(["seg,ref_a,ref_b", *rows]) + "\n", "alpha.bleu.csv")
    assert {item.role for item in found.items} == {"reference"}


def test_predictions_beside_references_are_compared_with_them() -> None:
    assert not any("with each reference" in one.message for one in intake(with_references("0.5"), "a.bleu.csv").notices)
