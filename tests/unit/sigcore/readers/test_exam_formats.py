"""Files of an exam by an outsider: formats and layouts that were misread, each in small files of our own."""

from __future__ import annotations

import json

import pytest

from sigcore.data.direction import agreed_direction
from sigcore.errors import ReadError
from sigcore.readers import Choice, Intake, Unclear, read

N = 12
Files = dict[str, str]


def intake(files: Files, **options: object) -> Intake:
    given = [(name, text.encode()) for name, text in files.items()]
    return read(given, every=Choice(options=options) if options else None)


def table(head: str, *rows: str) -> str:
    return "\n".join([head, *rows]) + "\n"


def scores(found: Intake) -> dict[str, list[float]]:
    """The scores of each system by its name; all are of one measure."""
    assert not found.problems, found.problems
    items = [item for item in found.items if item.kind == "scores" and item.role == "system"]
    assert len({item.measure for item in items}) == 1
    return {item.name: [float(cell) for cell in item.segments] for item in items}


# Rows of several systems are never pooled: a column that crosses the ids may name the systems.

BACKENDS = ("north", "south", "west")


@pytest.mark.parametrize("head", ["backend_id,eval_id", "engine_id,utt_id", "run_id,eval_id"])
def test_an_id_that_crosses_the_questions_is_asked_about(head: str) -> None:
    rows = [f"{name},q{k},{k * (i + 2) % 7 / 10}" for i, name in enumerate(BACKENDS) for k in range(N)]
    (problem,) = intake({"all.csv": table(f"{head},wer", *rows)}).problems
    assert isinstance(problem, Unclear)
    assert f"Does {head.split(',')[0]} name systems?" in problem.why
    system, question = head.split(",")
    found = intake({"all.csv": table(f"{head},wer", *rows)}, columns=f"{system}=system\n{question}=question\nwer=score")
    assert set(scores(found)) == set(BACKENDS)


def test_an_empty_or_timed_column_of_a_log_is_no_grid_of_systems() -> None:
    """error_category and error_message are empty, model_seconds and audio_seconds times: the ids are kept."""
    head = "backend_id,eval_id,wer,error_category,error_message,model_seconds,audio_seconds"
    rows = [f"{b},q{k},0.{k % 7 + i},,,{k}.5,{k + i}.25" for i, b in enumerate(BACKENDS) for k in range(N)]
    (problem,) = intake({"all.csv": table(head, *rows)}).problems
    assert "Does backend_id name systems?" in str(problem)


# Ranks: 1 is the best.

RANKS = [(1, 2, 3), (2, 1, 3), (1, 3, 2), (1, 2, 3)] * 3


def is_lower(found: Intake) -> bool:
    direction = agreed_direction([item for item in found.items if item.kind == "scores"], [])
    return direction.better == "lower" and direction.why != "assumed"


@pytest.mark.parametrize("word", ["rank", "ranking", "place", "position"])
def test_columns_of_ranks_are_lower_is_better(word: str) -> None:
    rows = [f"{k},{a},{b},{c}" for k, (a, b, c) in enumerate(RANKS)]
    found = intake({"judged.csv": table(f"item,{word}_A,{word}_B,{word}_C", *rows)})
    assert len(scores(found)) == 3
    assert is_lower(found)
    assert any("these are ranks: lower is better" in notice.message for notice in found.notices)


def test_a_column_of_ranks_beside_systems_is_lower_is_better() -> None:
    rows = [f"{k},{name},{rank}" for k, ranks in enumerate(RANKS) for name, rank in zip("ABC", ranks, strict=True)]
    found = intake({"judged.csv": table("item,system,rank", *rows)})
    assert scores(found)["A"] == [float(row[0]) for row in RANKS]
    assert is_lower(found)


@pytest.mark.parametrize(
    ("row", "known"),
    [((1, 1, 3), True), ((1, 1, 2), True), ((1, 2, 2), True), ((2, 2, 3), False), ((0, 1, 2), False)],
)
def test_equal_systems_may_share_a_rank(row: tuple[int, ...], known: bool) -> None:
    rows = [f"{k},{','.join(map(str, row if k == 5 else ranks))}" for k, ranks in enumerate(RANKS)]
    found = intake({"judged.csv": table("item,rank_A,rank_B,rank_C", *rows)})
    assert is_lower(found) is known


# What programs leave beside outputs stops nothing.

SAID = [f"the boat number {k} leaves the port" for k in range(N)]


def spoken(changed: int) -> str:
    """A log of a simultaneous translator: outputs with the times of their words."""
    rows = [
        {"index": k, "prediction": f"{line} now" if k % changed else line, "reference": line,
         "delays": [100.0 * k, 200.0 * k], "elapsed": [110.5, 220.5 + k], "prediction_length": 7}
        for k, line in enumerate(SAID)
    ]  # fmt: skip
    return "".join(json.dumps(row) + "\n" for row in rows)


ASIDE = {
    "config.yaml": "source: speech\n",
    "scores.tsv": "BLEU\tLAAL\tAL\n47.6\t1802.1\t1620.4\n",
    "README": "Two runs.\n",
}


def test_files_beside_outputs_are_set_aside_with_a_note() -> None:
    logs = {f"{name}/instances.log": spoken(k) for k, name in enumerate(("near", "far"), 2)}
    found = intake({**logs, **{f"{folder}/{file}": text for folder in ("near", "far") for file, text in ASIDE.items()}})
    assert not found.problems, found.problems
    outputs = {item.name for item in found.items if item.role == "system"}
    assert outputs == {"near", "far"}
    assert {item.kind for item in found.items if item.role == "system"} == {"text"}
    told = {notice.file for notice in found.notices if "was set aside" in notice.message}
    assert {"near/config.yaml", "far/scores.tsv"} <= told


def test_files_without_outputs_beside_them_are_refused() -> None:
    found = intake({"near/config.yaml": ASIDE["config.yaml"], "far/instances.log": spoken(2)})
    assert [problem.file for problem in found.problems if isinstance(problem, ReadError)] == ["near/config.yaml"]


# A heading above a column of scores.


@pytest.mark.parametrize("suffix", ["txt", "csv", "tsv", "scores"])
@pytest.mark.parametrize("heading", ["BLEURT-20", "COMET", "chrF", '"BLEU"'])
def test_a_measure_above_a_column_of_scores_is_its_heading(suffix: str, heading: str) -> None:
    files = {
        f"{name}.{suffix}": table(heading, *(f"0.{k * i % 10}" for k in range(N))) for name, i in (("A", 3), ("B", 7))
    }
    found = intake(files)
    assert scores(found) == {name: [k * i % 10 / 10 for k in range(N)] for name, i in (("A", 3), ("B", 7))}
    assert {item.measure for item in found.items} == {heading.strip('"')}


def test_another_word_above_numbers_is_refused() -> None:
    """It may be the output of a segment, or the name of a system."""
    (problem,) = intake({"A.txt": table("seven", *(f"0.{k % 10}" for k in range(N)))}).problems
    assert "'seven' is not a number" in str(problem)
