"""Files of known programs: marks, shares, systems and samples as their layout has them, and rows that are not used."""

from __future__ import annotations

import json

import pytest

from sigcore.readers import Intake, read
from sigcore.readers.tables import programs

Stream = tuple[str, str, tuple[str, ...]]  # name, measure, segments


def loaded(file: str, value: object, lines: bool = False) -> Intake:
    text = "".join(json.dumps(one) + "\n" for one in value) if lines and isinstance(value, list) else json.dumps(value)
    return read([(file, text.encode())])


def scores(intake: Intake) -> list[Stream]:
    assert not intake.problems, intake.problems
    return [(one.name, one.measure, one.segments) for one in intake.items if one.kind == "scores"]


def test_marks_of_inspect() -> None:
    """Correct, partial, incorrect and no answer; the model and the task stand beside the samples."""
    samples = [{"id": k, "epoch": 1, "scores": {"match": {"value": mark}}} for k, mark in enumerate("CPIN")]
    intake = loaded("log.json", {"eval": {"model": "m", "task": "sums", "dataset": {"name": "d"}}, "samples": samples})
    assert scores(intake) == [("m", "match", ("1", "0.5", "0", "0"))]
    assert {one.testset for one in intake.items if one.kind == "scores"} == {"sums"}


@pytest.mark.parametrize("tie", [0, 0.0])
def test_preferences_of_alpaca(tie: float) -> None:
    """From 1, the baseline, to 2, the model, become 0 to 1; 0 is a tie, as it is written in both ways."""
    said = [1, 2, 1.25, tie, 1.5]
    records = [
        {"instruction": f"i{k}", "generator_1": "base", "generator_2": "mine", "preference": one}
        for k, one in enumerate(said)
    ]
    (found,) = scores(loaded("annotations.json", records))
    assert (found[0], [float(cell) for cell in found[2]]) == ("mine", [0.0, 1.0, 0.25, 0.5, 0.5])


@pytest.mark.parametrize(("models", "name"), [(["m"], "m"), (["m", "other"], "run")])
def test_the_one_system_that_a_log_names(models: list[str], name: str) -> None:
    """Where it names two, the file does; events of another type are counted."""
    head = [{"spec": {"completion_fns": [name]}} for name in models]
    events = [{"run_id": "r", "sample_id": f"s{k}", "type": "match", "data": {"correct": k == 0}} for k in range(3)]
    other = [{"run_id": "r", "sample_id": "s0", "type": "sampling", "data": {"correct": None}}] * 2
    intake = loaded("run.jsonl", [*head, *events, *other], lines=True)
    assert scores(intake) == [(name, "accuracy", ("1", "0", "0"))]
    assert any(f"{2 + len(models)} rows without type = 'match' were not used." in one.message for one in intake.notices)


def promptfoo(label: str, provider: str, prompt: str, test: int, right: bool) -> dict[str, object]:
    return {
        "testIdx": test,
        "promptIdx": 0,
        "success": right,
        "score": float(right),
        "provider": {"id": provider, "label": label},
        "prompt": {"label": prompt},
    }


@pytest.mark.parametrize(
    ("runs", "systems"),
    [
        ((("x", "a", "p"), ("y", "b", "p")), ["x", "y"]),  # by the label
        ((("", "a", "p"), ("", "b", "p")), ["a", "b"]),
        ((("x", "a", "p"), ("x", "b", "p")), ["a", "b"]),  # the label is the same for both
        ((("", "a", "p"), ("", "a", "q")), ["p", "q"]),
        ((("", "a", "p"), ("", "a", "q"), ("", "b", "p"), ("", "b", "q")), ["a / p", "a / q", "b / p", "b / q"]),
    ],
)
def test_what_tells_rows_of_one_test_apart_is_the_system(
    runs: tuple[tuple[str, str, str], ...], systems: list[str]
) -> None:
    """The first name that does, or else two together."""
    records = [promptfoo(*run, test, (test + k) % 2 == 0) for test in range(3) for k, run in enumerate(runs)]
    intake = loaded("out.json", {"results": {"results": records}})
    assert sorted({name for name, measure, _ in scores(intake) if measure == "success"}) == systems


def test_samples_of_each_problem_are_numbered() -> None:
    """From 1 in each of them."""
    records = [{"task_id": f"t{k // 2}", "passed": k % 3 == 0} for k in range(4)]
    (item,) = (one for one in loaded("m_results.jsonl", records, lines=True).items if one.kind == "scores")
    assert item.keys == ("sample 1 of t0", "sample 2 of t0", "sample 1 of t1", "sample 2 of t1")
    single = [{"task_id": f"t{k}", "passed": True} for k in range(4)]
    (item,) = (one for one in loaded("m_results.jsonl", single, lines=True).items if one.kind == "scores")
    assert item.keys == ("t0", "t1", "t2", "t3")


@pytest.mark.parametrize(
    ("filters", "measures"), [(("none",), {"acc"}), (("none", "strict"), {"none acc", "strict acc"})]
)
def test_filters_are_measures_unless_there_is_none(filters: tuple[str, ...], measures: set[str]) -> None:
    """The names that a log lists are those of its scores."""
    records = [
        {"doc_id": k, "doc": {"q": "x"}, "target": "y", "filter": name, "metrics": ["acc"], "acc": k % 2, "f1": 0.5}
        for name in filters
        for k in range(3)
    ]
    found = scores(loaded("m/samples_sums_2026-01-01T10.jsonl", records, lines=True))
    assert {measure for _, measure, _ in found} == measures
    assert {name for name, *_ in found} == {"m"}


def test_the_layout_with_most_headings_is_the_one() -> None:
    """Predictions that were judged are scores, and others outputs."""
    plain, judged = ["origin_prompt", "prediction", "gold"], ["origin_prompt", "prediction", "gold", "correct"]
    found = [programs.recognised(heads) for heads in (plain, judged, ["prediction", "gold"])]
    assert [one.name if one else None for one in found] == [
        "OpenCompass (predictions)",
        "OpenCompass (judged predictions)",
        None,
    ]


@pytest.mark.parametrize(
    ("heads", "named"),
    [
        (["base_status", "plus_status"], "EvalPlus (eval_results.json), but has no column task_id."),
        (["task_id"], ""),
        (["id", "scores.a.value"], ""),
    ],
)
def test_what_is_nearly_a_known_file_is_named(heads: list[str], named: str) -> None:
    """One heading is missing, and two of its own are there."""
    assert programs.nearly(heads).endswith(named)
    assert bool(programs.nearly(heads)) is bool(named)
