"""Files of programs that a record in programs.toml describes, and votes and folders of programs with their reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigcore.data import assemble
from sigcore.readers import Intake, read, read_ratings
from sigcore.readers.tables import annotation, programs
from tests.made_tables import N, asked, means, of_people, roles, rows, scored, told, value

Record = dict[str, object]


def lines(records: list[Record]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in records).encode()


def files(named: dict[str, object]) -> Intake:
    """What is read of several files, given as texts or as values for JSON."""
    data = {name: one if isinstance(one, bytes | str) else json.dumps(one) for name, one in named.items()}
    return read([(name, one if isinstance(one, bytes) else one.encode()) for name, one in data.items()])


def near(found: dict[str, float], wanted: dict[str, float]) -> None:
    assert found == pytest.approx(wanted)


def mean(i: int, n: int = N) -> float:
    return sum(value(k, i) for k in range(n)) / n


# Records.


def test_a_record_with_an_unknown_key_would_not_load() -> None:
    with pytest.raises(TypeError):
        programs._program({"name": "x", "needs": ["a"], "files": "", "gives": "", "colour": "red"})
    assert all(isinstance(one.needs, tuple) for one in programs.PROGRAMS)


def braintrust(i: int, start: int = 0) -> str:
    head = "id,span_id,root_span_id,input,output,expected,scores.Factuality,metrics.duration,metrics.prompt_tokens"
    body = (
        f"i{i}{k},s{k},r{k},what is question {start + k},an answer of {k},a word,{value(k, i)},{k}.5,{k + 40}"
        for k in range(N)
    )
    return rows(head, *body)


def test_braintrust_is_matched_by_its_input() -> None:
    found = files(
        {
            "one.csv": braintrust(0),
            "two.csv": rows(*braintrust(1).splitlines()[:1], *reversed(braintrust(1).splitlines()[1:])),
        }
    )
    near(means(found), {"one": mean(0), "two": mean(1)})
    loaded = assemble(found.items)
    assert loaded.testset is not None
    assert loaded.testset.n == N


def test_other_questions_are_no_pairs() -> None:
    """Two runs on other questions were paired by place."""
    found = files({"one.csv": braintrust(0), "two.csv": braintrust(1, start=100)})
    errors = [one.what for one in assemble(found.items).findings if one.severity == "error"]
    assert errors == ["two was asked nothing that one was asked."]


def test_questions_with_of_are_no_places_in_documents() -> None:
    """What is the capital of France: the word made all of them segments of documents."""

    def table(i: int, of: str) -> Record:
        rows_ = [[f"What is the city of {of} {k}?", "an answer", 9, value(k, i)] for k in range(N)]
        return {"columns": ["inputs", "outputs", "token_count", "answer_similarity/v1/score"], "data": rows_}

    names = [f"mlruns/1/{run}/artifacts/eval_results_table.json" for run in ("aa", "bb")]
    near(means(files(dict(zip(names, [table(0, "x"), table(1, "x")], strict=True)))), {"aa": mean(0), "bb": mean(1)})
    found = files(dict(zip(names, [table(0, "x"), table(1, "y")], strict=True)))
    assert any("was asked nothing" in one.what for one in assemble(found.items).findings if one.severity == "error")


def test_clips_are_matched_by_the_name_of_their_file() -> None:
    def table(i: int, folder: str) -> str:
        head = "filename,len_in_sec,sr,num_hops,OVRL_raw,SIG_raw,BAK_raw,OVRL,SIG,BAK,P808_MOS"
        body = [
            f"/mnt/{folder}/clip{k}.wav,{k}.5,16000,1,1,1,1,{value(k, i)},{2 + value(k, i + 1)},{3 + value(k, i + 2)},{4 + value(k, i)}"
            for k in range(N)
        ]
        return rows(head, *(body if i else reversed(body)))

    found = files({"a.csv": table(0, "one"), "b.csv": table(1, "two")})
    by = {(one.name, one.measure): one for one in found.items}
    assert {measure for _, measure in by} == {"OVRL", "SIG", "BAK", "P808_MOS"}
    assert {*by["a", "OVRL"].keys} == {f"clip{k}.wav" for k in range(N)} == {*by["b", "OVRL"].keys}
    assert {one.better for one in found.items} == {"higher"}


def test_evaluators_of_azure_are_measures() -> None:
    def run(i: int) -> Record:
        return {
            "rows": [
                {
                    "inputs.query": f"question {k} of all",
                    "inputs.response": "an answer",
                    "outputs.relevance.relevance": value(k, i),
                    "outputs.relevance.gpt_relevance": value(k, i),
                    "outputs.relevance.relevance_result": "pass",
                    "outputs.relevance.relevance_threshold": 3,
                    "outputs.violence.violence": "Low",
                    "outputs.violence.violence_score": (k + i) % 3,
                }
                for k in range(N)
            ],
            "metrics": {"relevance.relevance": 0.5},
        }

    found = files({"a.json": run(0), "b.json": run(1)})
    assert not found.problems, found.problems
    assert {one.measure for one in found.items if one.kind == "scores"} == {"relevance", "violence"}
    near(
        {one.name: sum(map(float, one.segments)) / N for one in found.items if one.measure == "relevance"},
        {"a": mean(0), "b": mean(1)},
    )


def test_lower_is_better_for_some_measures_of_a_program() -> None:
    def model(i: int) -> bytes:
        return lines(
            [
                {
                    "inputRecord": {"prompt": f"ask {k}", "category": "c"},
                    "automatedEvaluationResult": {"scores": [{"metricName": "Accuracy", "result": value(k, i)}, {"metricName": "Robustness", "result": value(k, i + 1)}]},
                    "modelResponses": [{"modelIdentifier": "x"}],
                }
                for k in range(N)
            ]
        )  # fmt: skip

    found = files(
        {
            f"job/1/models/{name}/taskTypes/QA/datasets/Facts/{i}a-b_output.jsonl": model(i)
            for i, name in enumerate(("m.one", "m.two"))
        }
    )
    assert {(one.name, one.measure, one.better) for one in found.items} == {
        (name, measure, better) for name in ("m.one", "m.two") for measure, better in (("Accuracy", "higher"), ("Robustness", "lower"))
    }  # fmt: skip
    assert {one.testset for one in found.items} == {"Facts"}


def test_output_items_are_matched_by_the_item_and_named_by_the_model() -> None:
    def run(i: int) -> Record:
        items = [
            {
                "id": f"outputitem_{i}{k}", "run_id": f"evalrun_{i}", "eval_id": "e", "status": "pass", "datasource_item_id": k,
                "results": [{"name": "match", "passed": True, "score": value(k, i)}],
                "sample": {"model": f"gpt-{i}", "temperature": 1.0, "usage": {"total_tokens": k}},
            }
            for k in range(N)
        ]  # fmt: skip
        return {"object": "list", "data": items if i else items[::-1]}

    near(means(files({"a.json": run(0), "b.json": run(1)})), {"gpt-0": mean(0), "gpt-1": mean(1)})


def test_lists_beside_ids_are_columns() -> None:
    """RewardBench: the subset and the id name a pair, and the model stands beside the lists."""

    def model(i: int) -> Record:
        n = range(2 * N)
        return {
            "chat_template": "t",
            "id": [k % N for k in n],
            "subset": [f"set{k // N}" for k in n],
            "results": [k % (i + 2) > 0 for k in n],
            "model": f"org/m{i}",
        }

    near(means(files({"a.json": model(0), "b.json": model(1)})), {"org/m0": 0.5, "org/m1": 16 / 24})


def test_records_by_id_are_questions() -> None:
    """The names of the records are ids of one kind, and what is below them is not."""

    def judged(i: int) -> Record:
        return {
            f"{k:024x}": {"model": f"m{i}", "response": "x", "judge_response": {"correct": "yes" if k % (i + 2) else "no", "confidence": k}}
            for k in (range(N) if i else reversed(range(N)))
        }  # fmt: skip

    found = files({"a.json": judged(0), "b.json": judged(1)})
    near(means(found), {"m0": 0.5, "m1": 8 / 12})
    assert {one.measure for one in found.items if one.kind == "scores"} == {"accuracy"}


def test_scores_of_traces_of_one_system_each_have_no_partner() -> None:
    head = "id,timestamp,source,name,dataType,value,traceId,traceName"
    body = (
        f"x{k}{j},t,EVAL,{what},NUMERIC,{value(k, j)},trace{k},chat-v{k % 2}"
        for k in range(N)
        for j, what in enumerate(("helpful", "toxic"))
    )
    found = scored(rows(head, *body))
    errors = [one.what for one in assemble(found.items).findings if one.severity == "error"] + [
        str(one) for one in found.problems
    ]
    assert any("share no segment" in one for one in errors)


def test_a_scheme_and_its_options_are_one_system() -> None:
    head = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct"
    schemes = ("J48,'-C 0.25'", "J48,'-U'", "NaiveBayes,''")
    body = (
        f"iris,{r},{f},{one},{80 + value(r, f) + i}"
        for r in range(2)
        for f in range(6)
        for i, one in enumerate(schemes)
    )
    assert set(means(scored(rows(head, *body)))) == {"J48 -C 0.25", "J48 -U", "NaiveBayes"}


def test_a_row_that_was_judged_again_counts_last() -> None:
    def row(k: int, model: str, score: float, when: float) -> Record:
        return {
            "question_id": f"q{k}",
            "task": "t",
            "model": model,
            "score": score,
            "turn": 1,
            "tstamp": when,
            "category": "c",
        }

    first = [row(k, m, value(k, i), 5000.0 + k) for i, m in enumerate("AB") for k in range(N)]
    again = [row(0, "B", 0.875, 9000.5)]
    found = files({"x/live/judgment.jsonl": lines([*again, *first])})
    near(means(found), {"A": mean(0), "B": mean(1) + (0.875 - value(0, 1)) / N})
    assert "1 row of B judged a segment again: the last one counts, by tstamp." in told(found)
    assert {
        one.testset
        for one in files(
            {f"d/{t}/model_judgment/ground_truth_judgment.jsonl": lines(first) for t in ("math", "code")}
        ).items
    } == {"math", "code"}


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("Submission id,Participant id,Status,Age", "list of participants of Prolific"),
        ("op_name,trace_id,summary.weave.latency_ms,output", "calls of W&B Weave"),
    ],
)
def test_files_that_hold_nothing_to_compare_say_what_they_are(head: str, says: str) -> None:
    body = (",".join([*(f"{name[:2]}{k}" for name in head.split(",")[:-1]), str(20 + k % 5)]) for k in range(N))
    (problem,) = scored(rows(head, *body)).problems
    assert says in str(problem)
    assert "Load the answers" in str(problem) or "right answers" in str(problem)


def test_calls_with_a_score_are_not_refused_as_calls() -> None:
    head = "op_name,trace_id,summary.weave.latency_ms,output.correct_score"
    found = scored(rows(head, *(f"op,t{k},{k},{value(k, 0)}" for k in range(N))))
    assert not any("Weave" in str(one) for one in found.problems)


def test_a_load_test_says_so() -> None:
    (problem,) = files(
        {
            "v.json": {
                "model_id": "m",
                "ttfts": [0.1, 0.2],
                "itls": [[0.1], [0.2]],
                "request_throughput": 3.0,
                "errors": ["", ""],
            }
        }
    ).problems
    assert "load test of vLLM" in str(problem)


# A file for each question, below the folder of each system.


def tree(leaf: str, cell: object) -> dict[str, object]:
    return {
        f"run/{m}/{d}/task{k}/{leaf}": cell(k, i, k) if callable(cell) else cell
        for i, m in enumerate(("one", "two"))
        for d in ("os", "web")
        for k in range(5)
    }


def test_one_number_in_the_folder_of_each_question_is_its_score() -> None:
    found = files(tree("result.txt", lambda k, i, _: f"{value(k, i)}\n"))
    near(means(found), {"one": mean(0, 5), "two": mean(1, 5)})
    (first, _) = (one for one in found.items if one.role == "system")
    assert set(first.keys) == {f"{d}/task{k}" for d in ("os", "web") for k in range(5)}
    assert "folders with the same folders below" in told(found)


def test_one_record_in_the_folder_of_each_question_is_its_result() -> None:
    def report(k: int, i: int, _: int) -> Record:
        return {
            f"org__repo-{k}": {
                "patch_exists": True,
                "patch_successfully_applied": True,
                "resolved": (k + i) % 3 == 0,
                "tests_status": {"A": []},
            }
        }

    near(means(files(tree("report.json", report))), {"one": 2 / 5, "two": 1 / 5})


def test_folders_of_questions_need_most_questions_in_common() -> None:
    named = tree("result.txt", lambda k, i, _: f"{value(k, i)}\n")
    apart = {name.replace("task", "other") if "/two/" in name else name: cell for name, cell in named.items()}
    assert "folders with the same folders below" not in told(files(apart))


# Votes.


def votes(found: Intake) -> tuple[int, dict[str, float]]:
    """The number of comparisons, and how many points each system has (a tie is half of one)."""
    assert not found.problems, found.problems
    (one,) = found.preferences
    points = dict.fromkeys(one.systems, 0.0)
    for first, second, outcome in zip(one.first, one.second, one.outcome, strict=True):
        points[str(first)] += float(outcome)
        points[str(second)] += 1 - float(outcome)
    return one.n, points


def test_a_choice_between_two_options_is_a_vote() -> None:
    def task(k: int) -> Record:
        names = ["t5", "gpt"] if k % 2 else ["gpt", "t5"]
        answer = ("accept", "accept", "ignore", "reject")[k % 4]
        return {
            "text": "x", "options": [{"id": one, "text": f"text {k}"} for one in names], "_input_hash": k // 2, "_task_hash": k,
            "accept": ["t5"] if k % 8 < 4 else ["t5", "gpt"], "answer": answer, "_annotator_id": f"a{k % 2}",
        }  # fmt: skip

    found = files({"choice.jsonl": lines([task(k) for k in range(16)])})
    assert votes(found) == (8, {"t5": 6.0, "gpt": 2.0})
    assert "8 rows without a judgment left out" in told(found)


def test_what_was_accepted_is_of_the_system_that_the_mapping_says() -> None:
    def task(k: int) -> Record:
        return {
            "id": k, "input": {"text": "x"}, "accept": {"text": "y"}, "reject": {"text": "z"}, "_session_id": "s",
            "mapping": {"A": "accept", "B": "reject"} if k % 2 else {"A": "reject", "B": "accept"}, "answer": ("accept", "reject", "ignore")[k % 3],
        }  # fmt: skip

    # A: accept where k is odd, reject where it is even
    wins = sum((k % 3 == 0 and k % 2) or (k % 3 == 1 and not k % 2) for k in range(12))
    assert votes(files({"compare.jsonl": lines([task(k) for k in range(12)])})) == (8, {"A": wins, "B": 8 - wins})


def test_responses_of_annotators_are_votes_on_the_models_in_the_metadata() -> None:
    def record(k: int) -> Record:
        said = [{"value": ("response_1", "response_2", "tie")[(k + j) % 3], "user_id": f"u{j}"} for j in range(2)]
        return {
            "id": f"r{k}",
            "fields": {"instruction": "x"},
            "metadata": {"model_1": "M" if k % 2 else "L", "model_2": "L" if k % 2 else "M", "length_1": k},
            "responses": {"preference": said} if k else {},
        }

    found = files({"argilla.json": [record(k) for k in range(N)]})
    n, points = votes(found)
    assert (n, sum(points.values())) == (2 * (N - 1), 2 * (N - 1))
    wins = sum(
        {0: 1.0, 1: 0.0, 2: 0.5}[(k + j) % 3] if k % 2 else {0: 0.0, 1: 1.0, 2: 0.5}[(k + j) % 3]
        for k in range(1, N)
        for j in range(2)
    )
    assert points["M"] == wins


def test_a_pairwise_metric_names_both_sides() -> None:
    body = (
        f"ask {k},one text {k},other text {k},why,{('CANDIDATE', 'BASELINE', 'TIE', 'Error')[k % 4]}" for k in range(N)
    )
    head = "prompt,response,baseline_model_response,pairwise_x/explanation,pairwise_x/pairwise_choice"
    assert votes(scored(rows(head, *body))) == (9, {"CANDIDATE": 4.5, "BASELINE": 4.5})


def test_a_column_called_comparison_may_say_which_side_is_better() -> None:
    def body(cells: tuple[str, ...]) -> list[str]:
        return [f"{k},the first text {k} is here,another text {k} is there,{cells[k % len(cells)]}" for k in range(N)]

    problem = asked(rows("id,answer1,answer2,comparison", *body(("left", "right"))))
    assert roles(problem)["comparison"] == "winner"
    assert "Are answer1 and answer2 two systems?" in problem.why
    other = scored(rows("id,answer1,answer2,comparison", *body(("close", "far"))))
    assert not any("winner" in str(one) for one in other.problems)


# Platforms.


def test_answers_that_do_not_count_are_left_out() -> None:
    head = "_unit_id,_worker_id,_golden,_tainted,system,quality"
    body = [
        f"u{k},w{k % 3},{str(k % 6 == 0).lower()},{str(k % 6 == 1).upper()},{'AB'[k % 2]},{1 + k % 5}"
        for k in range(24)
    ]
    found = read_ratings([("crowd.csv", rows(head, *body).encode())])
    (people,) = found.judgments
    assert people.score.size == 16
    assert "4 answers with _golden true are left out." in told(found)
    assert "4 answers with _tainted TRUE are left out." in told(found)


def test_control_tasks_and_rejected_answers_of_toloka_are_left_out() -> None:
    head = "INPUT:model_left\tINPUT:model_right\tOUTPUT:result\tGOLDEN:result\tASSIGNMENT:task_id\tASSIGNMENT:worker_id\tASSIGNMENT:status"
    body = [
        f"{'AB'[k % 2]}\t{'BA'[k % 2]}\t{('left', 'right')[k % 3 > 0]}\t{'left' if k % 8 == 7 else ''}\tt{k // 2}\tw{k % 2}\t{('APPROVED', 'REJECTED')[k % 8 == 6]}"
        for k in range(24)
    ]
    problem = asked(rows(head, *body), "pool.tsv")
    assert roles(problem)["result"] == "winner"
    said = "\n".join(f"{name}={role}" for name, role in problem.plan.items())
    n, points = votes(scored(rows(head, *body), "pool.tsv", columns=said))
    assert n == 18
    assert sum(points.values()) == 18


def test_rows_of_an_experiment_that_show_no_system_are_no_ratings() -> None:
    head = "success,trial_type,trial_index,time_elapsed,subject,rt,response,task,system,item"
    body = [f",html,{k},{k}00,s{j},null,0,instructions,," for j in range(3) for k in range(2)]
    body += [
        f",slider,{k},{k}00,s{j},50,{10 * value(k, i + j)},rating,{'AB'[i]},i{k}"
        for j in range(3)
        for k in range(N)
        for i in range(2)
    ]
    found = read_ratings([("data.csv", rows(head, *body).encode())])
    (people,) = found.judgments
    assert people.score.size == 6 * N
    assert set(people.judge.tolist()) == {"s0", "s1", "s2"}
    assert "6 answers without system are left out." in told(found)


def test_a_platform_without_other_headings_is_not_named() -> None:
    found = scored(
        rows("HITId,AssignmentStatus,A,B", *(f"h{k},Approved,{value(k, 0)},{value(k, 1)}" for k in range(N)))
    )
    assert "recognised as a file" not in told(found)
    assert all(tool.needs for tool in annotation.TOOLS)


def test_ratings_of_clips_without_headings() -> None:
    body = [
        f"sys{s},sys{s}-utt{s}{k}.wav,{1 + (k + j + i) % 5},,listener{j}"
        for i, s in enumerate("ab")
        for k in range(N)
        for j in range(2)
    ]
    found = read_ratings([("sets/TRAINSET", ("\n".join(body) + "\n").encode())])
    (people,) = found.judgments
    assert people.score.size == 4 * N
    assert set(of_people(people, "MOS")) == {"sysa", "sysb"}
    (problem,) = read_ratings([("sets/TRAINSET", ("\n".join([*body, "sysa,other.wav,x,,y"]) + "\n").encode())]).problems
    assert f"line {len(body) + 1}" in str(problem)


def test_lists_of_marks_below_each_criterion_are_of_nobody_by_name() -> None:
    """FED: `annotations` has a list of five marks for each criterion, some of them N/A."""

    def record(k: int, i: int) -> Record:
        marks: Record = {"Fluent": [1 + (k + j + i) % 3 for j in range(3)], "Overall": [k % 5, "N/A", 3]}
        return {"context": f"User: say {k} of {i}", "response": "x", "system": "AB"[i], "annotations": marks}

    found = read_ratings([("fed.json", json.dumps([record(k, i) for k in range(N) for i in range(2)]).encode())])
    (people,) = found.judgments
    assert set(people.dimension.tolist()) == {"Fluent", "Overall"}
    assert people.score.size == 2 * N * 5
    assert "context names what was rated." in told(found)
    assert (people.absolute, {*people.judge.tolist()}) == (True, {""})  # the third of one record is not that of another


# Tables.


def test_marks_behind_numbers_are_left_out() -> None:
    body = [f"q{k},{value(k, 0)}{'‡' if k == 2 else ''},{value(k, 1)}{' *' if k == 3 else ''}" for k in range(N)]
    found = scored(rows("id,A,B", *body))
    near(means(found), {"A": mean(0), "B": mean(1)})
    assert "Marks behind numbers were left out in A, B" in told(found)
    words = scored(rows("id,A,B", *(f"q{k},{value(k, 0)},{'n*' if k == 3 else value(k, 1)}" for k in range(N))))
    assert "Marks behind numbers" not in told(words)


def test_a_last_row_called_after_a_mean_is_no_task() -> None:
    body = [f"task{k},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    found = scored(rows("id,A,B", *body, "Avg. without task1,0.9,0.9", "Avg. gain over A,-,+2.5%"))
    near(means(found), {"A": mean(0), "B": mean(1)})
    assert "Avg. without task1, Avg. gain over A: by the name no segment" in told(found)
    kept = scored(rows("id,A,B", *body, "Average height of trees in the park today?,0.9,0.9"))
    assert means(kept)["A"] != pytest.approx(mean(0))


def test_a_board_says_its_measure_in_the_heading_of_the_mean() -> None:
    head = "model,Average WER ⬇️,RTFx ⬆️,License," + ",".join(f"Set{k}" for k in "abcdefg")
    body = [",".join([f"org/m{i}", "9", "120.5", "MIT", *(str(5 + value(k, i)) for k in range(7))]) for i in range(3)]
    problem = asked(rows(head, *body), "board.csv")
    assert "rows=system" in str(problem)
    found = scored(rows(head, *body), "board.csv", columns="rows=system")
    near(means(found), {f"org/m{i}": 5 + sum(value(k, i) for k in range(7)) / 7 for i in range(3)})
    assert {one.measure for one in found.items if one.role == "system"} == {"WER"}


def test_ter_of_each_sentence_by_tercom() -> None:
    def table(i: int) -> str:
        body = [
            f"seg:{k} |   1 |   0 |   2 |    1 |    2 |   4.0 |   8.000 |  {20 + 10 * value(k, i):.3f}"
            for k in (range(N) if i else reversed(range(N)))
        ]
        return (
            "\n".join(
                [
                    "Hypothesis File: /x/hyp",
                    "Reference File: /x/ref",
                    "Sent Id | Ins | Del | Sub | Shft | WdSh | NumEr | NumWd | TER",
                    "-" * 40,
                    *body,
                    "-" * 40,
                    "TOTAL | 9 | 9 | 9 | 9 | 9 | 9.0 | 9.0 | 99.0",
                ]
            )
            + "\n"
        )

    found = files({"one.ter.sum": table(0), "two.ter.sum": table(1)})
    near(means(found), {"one": 20 + 10 * mean(0), "two": 20 + 10 * mean(1)})
    assert {one.measure for one in found.items} == {"TER"}
    (problem,) = files(
        {"one.ter.sum": table(0).split("seg:", 1)[0] + "TOTAL | 9 | 9 | 9 | 9 | 9 | 9.0 | 9.0 | 99.0\n"}
    ).problems
    assert "no sentences" in str(problem)


def test_a_report_of_compare_mt_is_no_output() -> None:
    text = "********************** Aggregate Scores ************************\nBLEU:\n Sys1: 22.4\n Sys2: 24.0\n\nRIBES:\n Sys1: 79.6\n"
    (problem,) = files({"report.txt": text}).problems
    assert "a report on a whole run" in str(problem)


def test_failed_outputs_in_the_csv_of_promptfoo_are_counted() -> None:
    body = [f'q{k},"[{"ERROR" if k == 4 else "PASS"}] ({value(k, 0)}) text","[FAIL] (0.25) text"' for k in range(N)]
    found = scored(rows("question,[one] prompt,[two] prompt", *body))
    assert "1 output with [ERROR] counts as they are scored." in told(found) or "1 output with [ERROR]" in told(found)


def test_a_rating_of_a_reward_model_is_offered_beside_other_measures() -> None:
    body = [
        f"{k},{p},the prompt {k} is long,the text of {k} by {p} today,{value(k, i)},{value(k, i + 2)},{k + i}"
        for i, p in enumerate(("sft", "ppo"))
        for k in range(20)
    ]
    problem = asked(rows("prompt_id,policy,prompt,completion,nll,rm_score,n_tokens", *body))
    assert {name for name, role in roles(problem).items() if role == "score"} == {"nll", "rm_score"}


def test_the_command_says_what_is_right_where_words_are_compared_with_it() -> None:
    labels = ("neutral", "entailment", "contradiction")
    body = [
        f"n{k},{labels[k % 3]},{labels[k % 3 if k else 1]},{labels[k // 2 % 3]},{7 * k % 13 + 20}" for k in range(18)
    ]
    problem = asked(rows("id,truth,big-model,small-model,n_tokens", *body))
    assert "truth=reference" in str(problem)
    said = "\n".join(f"{name}={role}" for name, role in problem.plan.items())
    found = scored(rows("id,truth,big-model,small-model,n_tokens", *body), columns=said)
    assert {one.name for one in found.items if one.role == "system"} == {"big-model", "small-model"}
    assert [one.kind for one in found.items if one.role == "reference"] == ["text"]


def test_ages_and_groups_beside_scores_are_no_systems() -> None:
    body = [f"{k},{1 + k % 5},{1 + (k + 1) % 5},{1 + k % 2},{20 + 7 * k % 40},{k % 10}.5" for k in range(N)]
    problem = asked(rows("lfdnr,bew_A,bew_B,gruppe,alter,dauer_min", *body))
    known = roles(problem)
    assert {name for name, role in known.items() if role == "system"} == {"bew_A", "bew_B"}
    assert (known["alter"], known["gruppe"]) == ("ignored", "ignored")


def test_records_are_part_of_what_is_installed() -> None:
    """Every data file stands beside the module that reads it."""
    root = Path(programs.__file__).parents[2]
    assert {path.relative_to(root).as_posix() for path in root.rglob("*.toml")} == {
        "measures.toml", "metrics/metrics.toml", "metrics/options.toml", "readers/options.toml", "tuning/options.toml", "readers/formats.toml", "readers/packed.toml", "readers/patterns.toml", "readers/reports.toml",
        "readers/tables/headings.toml", "readers/tables/programs.toml", "results/family.toml", "results/gain.toml",
        "results/grid.toml", "results/pair.toml", "results/ranks.toml", "results/several.toml", "results/squares.toml",
        "studies/gain.toml", "studies/human/fields.toml", "studies/pairwise/result.toml",
        "studies/reproduce/graham.toml", "studies/runs/result.toml", "studies/scores/fields.toml",
        "studies/segments/fragility.toml", "studies/segments/repeats.toml", "studies/segments/result.toml",
        "studies/segments/slices.toml", "studies/strip/programs.toml", "studies/strip/result.toml",
        "studies/tasks/compute.toml", "studies/tasks/fragile.toml", "studies/tasks/result.toml", "studies/trust/result.toml",
    }  # fmt: skip
