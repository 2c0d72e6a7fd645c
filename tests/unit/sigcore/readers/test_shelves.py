"""Folders of objects of JSON: a file for each question, and what programs leave beside outputs."""

from __future__ import annotations

import json

import pytest

from sigcore.readers import Intake, Unclear, read

N = 12
TASKS = [f"Task{chr(65 + k)}" for k in range(N)]
RECORDS = "".join(
    json.dumps({"id": k, "prediction": f"text {k}", "reference": f"text {k * 3 % 7}"}) + "\n" for k in range(N)
)


def intake(files: dict[str, object]) -> Intake:
    return read([(name, (one if isinstance(one, str) else json.dumps(one)).encode()) for name, one in files.items()])


def scores(found: Intake, measure: str) -> dict[str, dict[str, str]]:
    return {
        item.name: dict(zip(item.keys, item.segments, strict=True))
        for item in found.items
        if item.role == "system" and item.measure == measure
    }


def of_task(k: int, model: int) -> dict[str, object]:
    """The results of one task, with the scores in a list of one."""
    value = (k * 7 + model) % 10 / 10
    one = {"ndcg_at_10": value / 2, "main_score": value, "hf_subset": "default"}
    return {"task_name": TASKS[k], "mteb_version": "1.0", "scores": {"test": [one]}, "evaluation_time": 3.5 + k}


def folders(*models: str) -> dict[str, object]:
    return {f"results/{name}/{TASKS[k]}.json": of_task(k, m) for m, name in enumerate(models) for k in range(N)}


@pytest.mark.parametrize("version", ["", "/0a1b2c3d4e5f", "/v1"])
def test_a_file_for_each_task_is_one_question(version: str) -> None:
    """The same files below each model, perhaps in a folder that says its version: each is one question."""
    found = intake(
        {
            **folders(f"small{version}", f"large{version}"),
            f"results/small{version}/model_meta.json": {"name": "s", "n": 3},
        }
    )
    assert not found.problems
    read_as = scores(found, "main_score")
    assert read_as == {
        name: {TASKS[k]: str((k * 7 + m) % 10 / 10) for k in range(N)} for m, name in enumerate(("small", "large"))
    }
    assert found.items[0].measure == "main_score"


def test_answers_in_a_file_each() -> None:
    """A recogniser writes an object for each recording, with all that the service said."""
    files = {
        f"out/{name}/clip{k:02}.json": {
            "clip_id": f"clip{k:02}",
            "model": name,
            "transcript": f"words {k}",
            "raw_response": {"x": k},
        }
        for name in ("one", "two")
        for k in range(N)
    }
    found = intake(files)
    systems = [item for item in found.items if item.role == "system"]
    assert {(item.name, item.kind, len(item.segments)) for item in systems} == {("one", "text", N), ("two", "text", N)}


def test_one_folder_is_no_comparison() -> None:
    """Without a second folder of the same files nothing is joined, and the objects are refused in one sentence each."""
    assert len(intake(folders("small")).problems) == N


def test_files_of_records_are_no_questions() -> None:
    """Each file has the records of a whole task: these are test sets."""
    files: dict[str, object] = {f"out/{name}/task{k}.jsonl": RECORDS for name in ("one", "two") for k in range(N)}
    assert not any("each is one question" in notice.message for notice in intake(files).notices)


# Ratings below each question, by person.


def ratings(people: list[list[str]]) -> dict[str, object]:
    """The object of a system: each person rated Fluency and Ease, and some wrote a remark."""
    return {
        f"{k}": {
            name: {"Fluency": 60 + k + i, "Ease": 50 + k, **({"note": "ok"} if k % 2 else {})}
            for i, name in enumerate(people[k % len(people)])
        }
        for k in range(N)
    }


def test_people_below_each_question_are_averaged() -> None:
    """Other people rated each question, so they are no systems: the files are."""
    found = intake({f"rated_{name}.json": ratings([["p1", "p2"], ["p3"], ["p1", "p4"]]) for name in ("x", "y")})
    assert all(isinstance(problem, Unclear) for problem in found.problems)
    claims = [claim for problem in found.problems if isinstance(problem, Unclear) for claim in problem.claims]
    assert {claim.column: claim.cells[0] for claim in claims if claim.file == "rated_x.json"} == {
        "id": "0",
        "Fluency": "60.5",
        "Ease": "50.0",
    }


def test_one_person_is_no_system() -> None:
    found = intake({f"rated_{name}.json": {f"{k}": {"w1": {"fluency": k}} for k in range(N)} for name in ("x", "y")})
    assert {item.name for item in found.items} == {"rated_x", "rated_y"}
    assert {item.measure for item in found.items} == {"fluency"}


@pytest.mark.parametrize("names", [["one", "two"], ["one"], ["a", "b", "c", "d", "e", "f"]])
def test_other_names_below_the_questions_are_no_people(names: list[str]) -> None:
    """Some systems lack some questions, or two of many answered each: nothing is averaged over them."""
    value = {f"q{k}": {names[(k + i) % len(names)]: {"bleu": k} for i in range(1 + k % 2)} for k in range(N)}
    assert not any("averaged" in notice.message for notice in intake({"all.json": value}).notices)


def test_the_same_names_below_each_question_may_be_systems() -> None:
    """Every question has the same two names: these were compared."""
    value = {f"q{k}": {name: {"bleu": k, "chrf": 2 * k} for name in ("one", "two")} for k in range(N)}
    assert {item.name for item in intake({"all.json": value}).items if item.role == "system"} == {"one", "two"}


def test_the_same_people_below_each_question_are_averaged() -> None:
    value = {f"q{k}": {f"rater_{i}": {"fluency": k + i} for i in range(3)} for k in range(N)}
    (item,) = intake({"sys.json": value}).items
    assert (item.name, item.segments[:2]) == ("sys", ("1.0", "2.0"))


# What programs leave beside outputs.


@pytest.mark.parametrize(
    "beside",
    [
        {"run/a/translate_info.json": {"num": 3, "device": "x"}},
        {"run/a/config.json": {"model": "x", "temperature": 0.1}},
        {"run/config.json": {"lr": 0.1, "steps": 4}},
        {"run/a/train.log": "step 1\nstep 2\n", "run/a/args.txt": "lr=1\nbs=2\n"},
        {
            "run/a/notes.md": "# Runs\n\n| Setting | A | B |\n|---|---|---|\n| x | 0.1 | 0.2 |\n| y | 0.3 | 0.1 |\n| z | 0.4 | 0.2 |\n"
        },
        {"run/a/numbers.json": {"n": 3, "loss": 0.1}, "run/b/numbers.json": {"n": 3, "loss": 0.2}},
    ],
)
def test_notes_on_a_run_are_set_aside(beside: dict[str, object]) -> None:
    found = intake({"run/a/out.jsonl": RECORDS, "run/b/out.jsonl": RECORDS.replace("text 1", "text 2"), **beside})
    assert not found.problems
    assert {item.file for item in found.items}.isdisjoint(beside)
    assert {notice.file for notice in found.notices if "set aside" in notice.message} == {*beside}


@pytest.mark.parametrize(
    "files",
    [
        {"run/a/out.jsonl": RECORDS, "run/b/results.json": {"n": 3, "loss": 0.1}},  # all that b has
        {
            "run/a_results.jsonl": RECORDS,
            "run/a_results.json": RECORDS.replace("\n", "\n"),
            "run/b_results.json": {"n": 3, "bleu": 0.1},
        },
        {"run/a/out.jsonl": RECORDS, "run/a/other.json": {"n": 3, "loss": 0.1}},  # nothing says what it is
        {"out.jsonl": RECORDS, "info.json": {"n": 3, "loss": 0.1}},  # both were named
    ],
)
def test_what_may_be_a_system_stays_refused(files: dict[str, object]) -> None:
    assert intake(files).problems


def test_texts_of_other_names_are_outputs() -> None:
    """A file of lines with the name of a system stays one, beside records of another."""
    found = intake({"run/a/out.jsonl": RECORDS, "run/a/prefix.txt": "text\n" * N})
    assert "run/a/prefix.txt" in {item.file for item in found.items if item.role == "system"}


def test_scores_by_system_and_id_beside_settings() -> None:
    """The one object that has scores for many ids is the table; what is beside it says how they were made."""
    value = {
        "results": {m: {f"q{k}": (k + i) % 5 for k in range(N)} for i, m in enumerate(("A", "B"))},
        "config": {"k": 5},
    }
    assert {item.name: len(item.segments) for item in intake({"all.json": value}).items} == {"A": N, "B": N}
    two = {"dev": value["results"], "test": value["results"]}
    assert intake({"all.json": two}).problems


# The names of systems that only folders tell apart.


@pytest.mark.parametrize("runs", [("seed_1", "seed_2"), ("math", "code")])
def test_several_files_of_each_folder_keep_their_names(runs: tuple[str, str]) -> None:
    """small/seed_1 and small/seed_2 are no two systems called small."""
    files: dict[str, object] = {
        f"out/{model}/{run}.csv": "id,f1\n" + "".join(f"{k},{(k + m + r) % 7 / 7}\n" for k in range(N))
        for m, model in enumerate(("small", "large"))
        for r, run in enumerate(runs)
    }
    found = intake(files)
    assert {item.name for item in found.items} == {f"{model}.{run}" for model in ("small", "large") for run in runs}


def test_measures_of_each_folder_name_the_folder_alone() -> None:
    files: dict[str, object] = {
        f"out/{model}/{measure}.txt": "".join(f"{(k + m) % 7 / 7}\n" for k in range(N))
        for m, model in enumerate(("small", "large"))
        for measure in ("rouge_l", "bleu")
    }
    found = intake(files)
    assert {(item.name, item.measure) for item in found.items} == {
        (m, s) for m in ("small", "large") for s in ("rouge_l", "bleu")
    }


def of_question(k: int, models: tuple[str, ...] = ("large", "small")) -> dict[str, object]:
    """What each model made of one question, in an order of its own."""
    rows = [{"model": name, "score": (k * 7 + len(name)) % 10 / 10} for name in models]
    return {"question_id": f"q{k}", "question": f"How many {k}?", "tags": {"a": 1}, "answers": rows[:: 1 - 2 * (k % 2)]}


@pytest.mark.parametrize("folder", ["runs/", ""])
def test_a_file_for_each_question_with_all_systems(folder: str) -> None:
    """Files that have a question each, with a row for each of the same systems, are one table."""
    found = intake({f"{folder}{k}.json": of_question(k) for k in range(N)})
    assert not found.problems
    assert scores(found, "score") == {
        name: {f"q{k}": str((k * 7 + len(name)) % 10 / 10) for k in range(N)} for name in ("large", "small")
    }
    assert "Each of 12 files has the rows of one question, and model names the same in all" in found.notices[0].message


def test_files_that_are_no_questions_stay_apart() -> None:
    """Nothing is joined of few files, of other systems, of systems that come twice, and of a file for each system."""

    def noted(values: list[dict[str, object]]) -> bool:
        found = intake({f"{k}.json": value for k, value in enumerate(values)})
        return any("rows of one question" in one.message for one in found.notices)

    questions = [of_question(k) for k in range(5)]
    assert noted(questions)
    assert not noted(questions[:4])
    assert not noted([*questions[:4], of_question(4, ("large", "tiny"))])
    assert not noted([*questions[:4], of_question(4, ("large", "small", "small"))])
    assert not noted([{name: one[name] for name in ("tags", "answers")} for one in questions])
    assert not noted([{**one, "more": [{"x": 1}, {"x": 2}]} for one in questions])
    of_systems = [
        {"model": f"m{k}", "answers": [{"id": f"q{i}", "score": (i + k) % 3} for i in range(N)]} for k in range(N)
    ]
    assert not noted(of_systems)
