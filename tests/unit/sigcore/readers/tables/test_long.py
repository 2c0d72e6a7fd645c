"""Tables with a row per system and segment: what names the segments, their order, gaps, and what repeated rows are."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sigcore.readers import Choice, Intake, read
from sigcore.readers.tables import long

Stream = tuple[str, str, tuple[str, ...], tuple[str, ...]]  # name, measure, segments, keys


def loaded(heads: str, rows: Iterable[str], file: str = "t.csv") -> Intake:
    return read([(file, "\n".join([heads, *rows]).encode())])


def streams(heads: str, rows: Iterable[str], file: str = "t.csv") -> list[Stream]:
    intake = loaded(heads, rows, file)
    assert not intake.problems
    return [(item.name, item.measure, item.segments, item.keys) for item in intake.items]


@pytest.mark.parametrize(
    ("heads", "ids", "keys", "order"),
    [
        ("seg", ("10", "9", "2"), ("2", "9", "10"), (2, 1, 0)),  # numbers by their size
        ("seg", ("x10", "x9", "x2"), ("x10", "x9", "x2"), (0, 1, 2)),  # names as they come
        ("doc,seg", ("d1,2", "d1,1", "d2,7"), ("1", "2", "7"), (1, 0, 2)),  # the segment is enough
        ("doc,seg", ("d1,2", "d1,1", "d2,2"), ("2 of d1", "1 of d1", "2 of d2"), (0, 1, 2)),  # with its document
        ("doc", ("d2", "d1", "d3"), ("d2", "d1", "d3"), (0, 1, 2)),
    ],
)
def test_segments_and_their_order(
    heads: str, ids: tuple[str, ...], keys: tuple[str, ...], order: tuple[int, ...]
) -> None:
    """The scores of each system stand below the segments they belong to."""
    rows = [f"{system},{one},0.{k}{'AB'.index(system)}" for system in "AB" for k, one in enumerate(ids)]
    scores = [one for one in streams(f"system,{heads},score", rows) if one[0] in ("A", "B")]
    wanted = [tuple(f"0.{k}{s}" for k in order) for s in (0, 1)]
    assert scores == [("A", "score", wanted[0], keys), ("B", "score", wanted[1], keys)]


def test_a_missing_row_is_a_gap_in_scores_and_a_problem_in_texts() -> None:
    """A score is missing, and not 0; an output would have to be written."""
    assert streams("system,seg,score,BLEU", ["A,1,0.5,3", "A,2,0.75,4", "B,1,0.25,5"], "x.comet.csv") == [
        ("A", "comet", ("0.5", "0.75"), ("1", "2")),
        ("B", "comet", ("0.25", ""), ("1", "2")),
        ("A", "BLEU", ("3", "4"), ("1", "2")),
        ("B", "BLEU", ("5", ""), ("1", "2")),
    ]
    intake = loaded("system,seg,text", ["A,1,x", "A,2,y", "B,1,z"])
    assert [item.name for item in intake.items] == ["A"]
    assert [problem.what for problem in intake.problems] == [
        "B has no row for 1 of 2 segments; the first is segment 2."
    ]


def test_each_measure_has_its_scores() -> None:
    """A column of measures; where several columns have scores, the measure is named with each. Texts come once."""
    rows = [f"{s},{k},{m},{k},r{k}" for s in "AB" for k in (1, 2) for m in ("bleu", "ter")]
    found = loaded("system,seg,metric,score,reference", rows)
    scores = [(name, measure) for measure in ("bleu", "ter") for name in "AB"]
    assert sorted((item.name, item.measure) for item in found.items) == [*sorted(scores), ("reference", "")]
    two = loaded("system,seg,metric,COMET,score,reference", [row.replace(",r", ",5,r") for row in rows])
    assert {item.measure for item in two.items if item.kind == "scores"} == {"bleu COMET", "ter COMET", "bleu", "ter"}


@pytest.mark.parametrize(
    ("heads", "own", "fix"),
    [
        ("seed2", ("1", "2"), "If seed2 names the runs of a question, say so: --columns seed2=run."),
        ("p,r", ("1,1", "2,2"), "If these rows are runs of one question"),  # either of two may be it
        (
            "p",
            ("w{k}1", "w{k}2"),
            "--columns system=system p=question score=score.",
        ),  # a word of each row of both systems
        ("p", ("{s}{k}1", "{s}{k}2"), "If these rows are runs of one question"),  # other words in every row
    ],
)
def test_a_repeated_segment_says_what_may_tell_the_rows_apart(heads: str, own: tuple[str, str], fix: str) -> None:
    """Both rows are named, and the option that helps."""
    rows = [f"{s},{k},{one.format(k=k, s=s)},{k}" for s in "AB" for k in range(1, 5) for one in own]
    (problem,) = read([("t.csv", "\n".join([f"system,seg,{heads},score", *rows]).encode())]).problems
    assert "row 2: A has segment 1 a second time (first in row 1)." in problem.what
    assert fix in problem.fix


def test_questions_that_are_numbered_anew_in_each_domain_have_two_names() -> None:
    """Beside trials, which are runs: a domain is none."""
    rows = [f"{s},{d},{k},{t},{(k + t) % 2}" for s in "AB" for d in ("air", "retail") for k in range(8) for t in (0, 1)]
    text = "\n".join(["model,domain,task_id,trial,reward", *rows]).encode()
    (problem,) = read([("t.csv", text)]).problems
    assert "both columns name them: --id-field domain,ID" in problem.fix
    found = read([("t.csv", text)], every=Choice(options={"id_field": "domain,task_id"}))
    assert not found.problems
    assert len({key for item in found.items if item.role == "system" for key in item.keys}) == 32


@pytest.mark.parametrize("other", ["two", "one "])
def test_gold_that_changes_from_system_to_system_is_refused(other: str) -> None:
    """Also by a blank; the line, the system and the segment are named."""
    (problem,) = loaded("system,seg,reference,text", ["A,1,one,a", "A,2,six,a", f"B,1,{other},b", "B,2,six,b"]).problems
    assert "column reference: B has another reference for segment 1 than earlier systems." in problem.what
    assert getattr(problem, "line", None) == 4


@pytest.mark.parametrize(("segments", "source"), [(30, True), (29, False)])
def test_a_text_that_all_systems_share_is_no_output(segments: int, source: bool) -> None:
    """In thirty segments; in fewer it may be chance. One system shares its texts with nobody."""
    rows = [f"{s},{k},the same {k},{k % 7}" for s in "AB" for k in range(segments)]
    found = loaded("system,seg,text,score", rows)
    assert ("source" in [item.role for item in found.items]) is source
    alone = loaded("system,seg,text,score", rows[:segments])
    assert "source" not in [item.role for item in alone.items]


def test_words_say_what_is_better() -> None:
    """Pass and fail are 1 and 0, and higher is better; numbers do not say it."""
    words = loaded("system,seg,score", [f"{s},{k},{('pass', 'fail')[k % 2]}" for s in "AB" for k in range(4)])
    assert [(item.segments, item.better) for item in words.items] == [(("1", "0", "1", "0"), "higher")] * 2
    numbers = loaded("system,seg,score", [f"{s},{k},{k % 2}" for s in "AB" for k in range(4)])
    assert {item.better for item in numbers.items} == {""}


@pytest.mark.parametrize(
    ("name", "is_name"), [("a b c d", True), ("a b c d e", False), ("x" * 80, True), ("x" * 81, False)]
)
def test_short_cells_are_names_of_systems(name: str, is_name: bool) -> None:
    """Four words and eighty characters; longer ones are the outputs of a system that is called system."""
    found = loaded("system,seg,score", [f"{name},1,0.5", f"{name[:-1]}y,1,0.25"])
    assert next(item.name for item in found.items) == (name if is_name else "system")


def test_systems_that_come_again_need_no_short_name() -> None:
    """Exactly two rows for each."""
    name = "a system with a very long name"
    rows = [f"{name} {s},{k},0.{k}" for s in "AB" for k in (1, 2)]
    assert [one[0] for one in streams("system,seg,score", rows)] == [f"{name} A", f"{name} B"]


@pytest.mark.parametrize(("segments", "refused"), [(5, False), (6, True)])
def test_systems_times_segments_are_bounded(segments: int, refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both numbers are named."""
    monkeypatch.setattr(long, "MOST_CELLS", 10)
    found = loaded("system,seg,score", [f"{s},{k},0.{k}" for s in "AB" for k in range(segments)])
    assert [one.what for one in found.problems] == (["t.csv would have 2 systems with 6 segments."] if refused else [])


@pytest.mark.parametrize("end", ["_score", "_scores", " score"])
def test_scores_beside_the_output_of_a_system(end: str) -> None:
    """They are of that system."""
    rows = [f"{k},r w{k},a w{k},0.{k},b w{k},0.{k + 1}" for k in range(8)]
    found = loaded(f"id,reference,A,A{end},B,B{end}", rows)
    assert sorted((item.name, item.kind) for item in found.items if item.role == "system") == [
        ("A", "scores"),
        ("A", "text"),
        ("B", "scores"),
        ("B", "text"),
    ]


def test_scores_of_whole_runs_are_no_segments() -> None:
    """A row for each seed of a system, on each task: no column could name the segments, and the error says why."""
    rows = [f"{name},{task},{seed},.{seed + 5}" for name in "ab" for task in ("x", "y") for seed in (1, 2, 3)]
    (problem,) = loaded("model,task,seed,accuracy", rows).problems
    assert "Each row is a whole run of a system: 3 runs by seed, and no scores of segments." in str(problem)
    # rows of a run that nothing tells apart are another problem
    (again,) = loaded("model,seed,accuracy", [f"{'ab'[k % 2]},{k // 4},.{k}" for k in range(1, 9)]).problems
    assert "whole run" not in str(again)
