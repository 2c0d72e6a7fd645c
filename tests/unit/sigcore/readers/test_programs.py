"""Files of known programs, laid out after their documentation: the id, the system, the score and its direction are known.

No file here was written by the program itself.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from sigcore.data.assembly import assemble
from sigcore.readers import Choice, Intake, Item, read
from sigcore.readers.tables.programs import PROGRAMS, recognised

N = 8
Row = dict[str, Any]


def lines(rows: Iterable[Row]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def whole(value: object) -> bytes:
    return json.dumps(value).encode()


def hit(k: int, system: str = "A") -> int:
    return int((7 * k + len(system) + ord(system[0])) % 3 == 0)


def lm_eval(system: str) -> bytes:
    return lines(
        {"doc_id": k, "doc": {"question": f"q{k}", "level": k}, "target": str(k), "arguments": {"gen": {"arg_0": "x"}},
         "resps": [[[-1.5, False]]], "filtered_resps": [[-1.5, False]], "filter": name, "metrics": ["exact_match"],
         "doc_hash": f"h{k}", "prompt_hash": "p", "target_hash": "t", "exact_match": float(hit(k + len(name), system))}
        for name in ("strict", "flexible") for k in range(N)
    )  # fmt: skip


def helm(system: str) -> bytes:
    def stat(name: str, mean: float) -> Row:
        return {"name": {"name": name, "split": "test"}, "count": 1, "sum": mean, "mean": mean}

    return whole([
        {"instance_id": f"id{k}", "train_trial_index": 0,
         "stats": [stat("num_references", 4), stat("exact_match", hit(k, system)), stat("inference_runtime", 1 + k)]}
        for k in range(N)
    ])  # fmt: skip


def inspect_samples(system: str) -> list[Row]:
    return [
        {"id": k, "epoch": e, "input": f"q{k}", "target": "x", "messages": [{"role": "user", "content": "q"}],
         "attachments": {f"{k}.{e}.{j}": "x" for j in range(90)},
         "scores": {"match": {"value": "CI"[1 - hit(k + e, system)], "answer": "x", "metadata": {}},
                    "judge": {"value": {"tone": k / N}}}}
        for k in range(N) for e in (1, 2)
    ]  # fmt: skip


def inspect_json(system: str) -> bytes:
    beside = {
        "version": 2,
        "status": "success",
        "eval": {"task": "t", "model": f"mockllm/{system}"},
        "plan": {"steps": []},
    }
    return whole(beside | {"samples": inspect_samples(system), "reductions": [{"scorer": "match", "samples": []}]})


def inspect_eval(system: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {"task": "t", "model": f"mockllm/{system}"}}))
        archive.writestr("summaries.json", json.dumps([{"id": 1, "epoch": 1}]))
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": {"task": "t"}}))
        for row in inspect_samples(system):
            archive.writestr(f"samples/{row['id']}_epoch_{row['epoch']}.json", json.dumps(row))
    return buffer.getvalue()


def openai(system: str) -> bytes:
    rows: list[Row] = [{"spec": {"completion_fns": [system], "eval_name": "e", "run_id": "r"}}]
    for k in range(N):
        event = {"run_id": "r", "event_id": 2 * k, "sample_id": f"e.dev.{k}", "created_by": "", "created_at": "now"}
        rows.append(event | {"type": "sampling", "data": {"prompt": "q", "sampled": ["x"]}})
        match = {"correct": bool(hit(k, system)), "expected": "x", "picked": "y", "sampled": "y"}
        rows.append(event | {"event_id": 2 * k + 1, "type": "match", "data": match})
    return lines([*rows, {"final_report": {"accuracy": 0.5}}])


def human_eval(system: str) -> bytes:
    return lines(
        {"task_id": f"HumanEval/{k}", "completion": "x", "result": "passed", "passed": bool(hit(k + s, system))}
        for k in range(N) for s in range(2)
    )  # fmt: skip


def eval_plus(system: str) -> bytes:
    def sample(k: int) -> Row:
        return {"task_id": f"HumanEval/{k}", "solution": "x", "base_status": "pass",
                "plus_status": "pass" if hit(k, system) else "fail", "base_fail_tests": []}  # fmt: skip

    return whole({"date": "now", "hash": "h", "eval": {f"HumanEval/{k}": [sample(k)] for k in range(N)}})


def mateo(system: str) -> bytes:
    rows = [f"{m},s{k},r{k},{k} a,0.{k + 1},{k} b,0.{9 - k}" for m in ("bleu", "comet") for k in range(N)]
    return ("\n".join(["metric,src,ref,A,A_score,B,B_score", *rows]) + "\n").encode()


def mt_bench(system: str) -> bytes:
    return lines(
        {"question_id": 81 + k, "model": name, "judge": ["gpt-4", "single-v1"], "user_prompt": "u", "judgment": "good",
         "score": 1 + hit(k + turn, name), "turn": turn, "tstamp": 1.5 + k}
        for name in ("A", "B") for k in range(N) for turn in (1, 2)
    )  # fmt: skip


def alpaca(system: str) -> bytes:
    return whole([
        {"instruction": f"do {k}", "output_1": "a", "generator_1": "base", "output_2": "b", "generator_2": system,
         "dataset": "helpful", "annotator": "judge", "preference": 1.0 + hit(k, system), "price_per_example": 0.01}
        for k in range(N)
    ])  # fmt: skip


def ragas(system: str) -> bytes:
    rows = [f"q{k},\"['c']\",a{k},r{k},{hit(k, system)},0.{k + 1}" for k in range(N)]
    head = "user_input,retrieved_contexts,response,reference,faithfulness,context_recall"
    return ("\n".join([head, *rows]) + "\n").encode()


def metricx(system: str) -> bytes:
    return lines(
        {"source": f"s{k}", "hypothesis": f"{system}{k}", "reference": f"r{k}", "prediction": 1 + hit(k, system) / 2}
        for k in range(N)
    )


def comet(system: str) -> bytes:
    return whole({"scores": [hit(k, system) / 2 for k in range(N)], "system_score": 0.3})


def bertscore(system: str) -> bytes:
    part = {name: [0.5 + hit(k + len(name), system) / 4 for k in range(N)] for name in ("precision", "recall", "f1")}
    return whole(part | {"hashcode": "roberta-large_L17"})


CASES: dict[str, tuple[Mapping[str, bytes], set[tuple[str, str, int, str]]]] = {
    "lm-eval": (
        {f"out/{s}/samples_gsm8k_2026-01-01T00-00-00.123.jsonl": lm_eval(s) for s in "AB"},
        {(s, f"{f} exact_match", N, "higher") for s in "AB" for f in ("strict", "flexible")},
    ),
    "helm": (
        {f"runs/mmlu:subject=x,model=org_{s},n=1/per_instance_stats.json": helm(s) for s in "AB"},
        {(f"org_{s}", "exact_match", N, "higher") for s in "AB"},
    ),
    "inspect": (
        {f"{s}.json": inspect_json(s) for s in "AB"},
        {(f"mockllm/{s}", m, 2 * N, "higher") for s in "AB" for m in ("match", "judge.value.tone")},
    ),
    "inspect .eval": (
        {f"logs/{s}.eval": inspect_eval(s) for s in "AB"},
        {(f"mockllm/{s}", m, 2 * N, "higher") for s in "AB" for m in ("match", "judge.value.tone")},
    ),
    "openai": ({f"{s}.jsonl": openai(s) for s in "AB"}, {(s, "accuracy", N, "higher") for s in "AB"}),
    "human-eval": ({f"{s}.jsonl": human_eval(s) for s in "AB"}, {(s, "passed", 2 * N, "higher") for s in "AB"}),
    "evalplus": (
        {f"{s}.json": eval_plus(s) for s in "AB"},
        {(s, m, N, "higher") for s in "AB" for m in ("base_status", "plus_status")},
    ),
    "mt-bench": ({"gpt-4_single.jsonl": mt_bench("")}, {(s, "score", 2 * N, "higher") for s in "AB"}),
    "alpaca": (
        {f"{s}/annotations.json": alpaca(s) for s in "AB"},
        {(s, "preference", N, "higher") for s in "AB"},
    ),
    "ragas": (
        {f"{s}.csv": ragas(s) for s in "AB"},
        {(s, m, N, "higher") for s in "AB" for m in ("faithfulness", "context_recall")},
    ),
    "metricx": ({f"{s}.jsonl": metricx(s) for s in "AB"}, {(s, "MetricX", N, "lower") for s in "AB"}),
    "comet": ({f"{s}.json": comet(s) for s in "AB"}, {(s, "COMET", N, "higher") for s in "AB"}),
    "bertscore": (
        {f"{s}.json": bertscore(s) for s in "AB"},
        {(s, m, N, "higher") for s in "AB" for m in ("precision", "recall", "f1")},
    ),
}  # fmt: skip


def scores(intake: Intake) -> list[Item]:
    return [item for item in intake.items if item.role == "system" and item.kind == "scores"]


@pytest.mark.parametrize("name", CASES)
def test_a_program_is_recognised_and_read(name: str) -> None:
    """Each system has its scores per measure, and no other field is a system; the notice names the program."""
    files, expected = CASES[name]
    intake = read(files.items())
    assert intake.problems == ()
    known = {i.measure: assemble(intake.items, kind="scores", measure=i.measure).direction for i in scores(intake)}
    assert {(i.name, i.measure, len(i.segments), known[i.measure].better) for i in scores(intake)} == expected
    # a scorer of one's own has a name that no program knows
    assert {measure for measure, direction in known.items() if direction.why == "assumed"} <= {"judge.value.tone"}
    assert any("recognised as a file of" in notice.message for notice in intake.notices)
    for measure in {item.measure for item in scores(intake)}:
        loaded = assemble(intake.items, kind="scores", measure=measure)
        assert not loaded.of("error")
        assert len(loaded.outputs) == 2
        assert loaded.better == ("lower" if measure == "MetricX" else "higher")


def test_the_table_of_mateo_is_split_by_metric() -> None:
    """Each metric has its scores under the names of the outputs, which are there once."""
    intake = read([("sentences.csv", mateo(""))])
    assert intake.problems == ()
    assert [(i.name, i.measure, len(i.segments)) for i in scores(intake)] == [
        (s, m, N) for m in ("bleu", "comet") for s in "AB"
    ]
    assert [i.name for i in intake.items if i.kind == "text"] == ["src", "ref", "A", "B"]
    sheet = b"\n".join(line.partition(b",")[2] for line in mateo("").splitlines()[: N + 1])
    one = read([("comet.csv", sheet)])
    assert one.problems == ()
    assert [(i.name, i.measure) for i in scores(one)] == [("A", "comet"), ("B", "comet")]


def test_the_numbers_are_those_of_the_file() -> None:
    """Letters and truths become numbers; samples of a question are in one document."""
    files, _ = CASES["inspect"]
    loaded = assemble(read(files.items()).items, kind="scores")
    assert loaded.testset is not None
    assert len(set(loaded.testset.documents)) == N
    assert [float(x) for x in loaded.outputs[0].segments] == [hit(k + e, "A") for k in range(N) for e in (1, 2)]
    openai_loaded = assemble(read(CASES["openai"][0].items()).items)
    assert [int(x) for x in openai_loaded.outputs[1].segments] == [hit(k, "B") for k in range(N)]


def test_preferences_of_alpaca_are_shares() -> None:
    """The program's board shows the mean preference less 1; a tie, which the file writes as 0, is a half."""
    rows = json.loads(alpaca("A"))
    rows[0]["preference"] = 0
    intake = read([("A/annotations.json", json.dumps(rows).encode())])
    scores = next(item for item in intake.items if item.kind == "scores")
    assert [float(cell) for cell in scores.segments] == [0.5, *(float(hit(k, "A")) for k in range(1, N))]


def test_a_judge_of_mt_bench_that_failed_gives_no_score() -> None:
    """The program writes -1 where it found no rating in what the judge said."""
    first, *rest = map(json.loads, mt_bench("").decode().splitlines())
    one, _ = scores(read([("gpt-4_single.jsonl", lines([first | {"score": -1}, *rest]))]))
    assert one.segments[:2] == ("", str(rest[0]["score"]))


def test_samples_of_a_problem_are_numbered_for_each_model() -> None:
    """Of models in one file, the first samples are a pair, and so are the second ones."""
    rows = [json.loads(line) | {"model": s} for s in "AB" for line in human_eval(s).decode().splitlines()]
    one, other = scores(read([("all.jsonl", lines(rows))]))
    assert (len(one.segments), all(one.segments), all(other.segments)) == (2 * N, True, True)
    assert one.keys[:2] == ("sample 1 of HumanEval/0", "sample 2 of HumanEval/0")


def test_graded_preferences_are_shares_of_a_win() -> None:
    """1 is a win of the first, 2 one of the second, and 0 a tie; what is between counts in part."""
    graded = {1: 1.0, 2: 0.0, 0: 0.5, 1.25: 0.75}
    rows = [f"one,two,q{k},{grade}" for k, grade in enumerate([*graded, 1, 2])]
    text = "\n".join(["generator_1,generator_2,instruction,preference", *rows]) + "\n"
    (found,) = read([("judged.csv", text.encode())]).preferences
    assert found.outcome.tolist() == [*graded.values(), 1.0, 0.0]


def test_no_filter_is_no_part_of_a_measure() -> None:
    """lm-evaluation-harness names a filter none where none is used."""
    rows = [row for row in map(json.loads, lm_eval("A").decode().split("\n")[:-1]) if row["filter"] == "strict"]
    text = "".join(json.dumps(row | {"filter": "none"}) + "\n" for row in rows)
    intake = read([("A/samples_gsm8k_2026-01-01T00-00-00.123.jsonl", text.encode())])
    assert {item.measure for item in intake.items} == {"exact_match"}


def test_a_run_that_ended_with_an_error_says_so() -> None:
    """A log of Inspect whose samples have no scores is refused as such."""
    samples = [{**row, "scores": {}} for row in inspect_samples("A")]
    intake = read([("A.json", whole({"version": 2, "status": "error", "eval": {"model": "x"}, "samples": samples}))])
    assert intake.items == ()
    assert "none of its samples has a score" in intake.problems[0].what


def test_tasks_are_test_sets() -> None:
    """The files of several tasks are kept apart by the task in their names."""
    files = {f"out/{s}/samples_{t}_2026-01-01T00-00-00.1.jsonl": lm_eval(s) for s in "AB" for t in ("one", "two")}
    assert {item.testset for item in read(files.items()).items} == {"one", "two"}


def test_a_known_program_without_known_scores_asks() -> None:
    """The fields of a log do not become systems if its metric is unknown: the columns are shown."""
    rows = [json.loads(line) | {"metrics": ["odd"], "odd": "x"} for line in lm_eval("A").decode().splitlines()]
    for row in rows:
        del row["exact_match"]
    intake = read([("samples.jsonl", lines(rows))])
    assert intake.items == ()
    (problem,) = intake.problems
    assert "lm-evaluation-harness" in problem.what
    assert "--columns" in problem.fix


def test_what_the_user_names_comes_before_what_is_known() -> None:
    """A preset never stands in the way of --score-field."""
    intake = read(
        [("A.jsonl", human_eval("A"))], every=Choice(options={"score_field": "passed", "id_field": "completion"})
    )
    assert not any("recognised" in notice.message for notice in intake.notices)


def test_no_program_is_hidden_by_another() -> None:
    """The headings that a program needs are recognised as that program, and its row is complete."""
    for program in PROGRAMS:
        needed = [need.replace("*", "") for need in program.needs if not need.startswith("^")]
        header = [need[1:] for need in program.needs if need.startswith("^")]
        found = recognised(needed, header)
        assert found is not None
        assert found.name == program.name
        assert program.files
        assert program.gives
        assert bool(program.texts) != bool(program.scores)
