"""What several files say together, and layouts of programs whose columns nobody explains."""

from __future__ import annotations

import gzip
import json

import pytest

from sigcore.data import Collection
from sigcore.errors import SigError
from sigcore.readers import Choice, Intake, Unclear, read, read_ratings
from sigcore.studies import tasks
from tests.made_tables import N, asked, means, of_people, roles, rows, scored, told, value

Record = dict[str, object]


def lines(records: list[Record]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in records).encode()


def several(named: dict[str, bytes | str], **options: str) -> Intake:
    files = [(name, one if isinstance(one, bytes) else one.encode()) for name, one in named.items()]
    return read(files, every=Choice(options=options) if options else None)


def collected(named: dict[str, bytes | str]) -> Collection:
    collection = Collection()
    collection.add([(name, one if isinstance(one, bytes) else one.encode()) for name, one in named.items()])
    return collection


# Columns that are the same in all files.


def logs(back: bool = False, **more: object) -> dict[str, bytes | str]:
    """Two systems with the same questions: how hard each is, and how many steps a system took."""
    own = [
        [
            {"id": f"q{k}", "hardness": 3 * k % 7, "moves": (k + 2 * i) % 5, "latency_ms": 90 + k + i, **more}
            for k in range(N)
        ]
        for i in range(2)
    ]
    return {"a.jsonl": lines(own[0]), "b.jsonl": lines(own[1][::-1] if back else own[1])}


@pytest.mark.parametrize("back", [False, True])
def test_what_all_files_share_is_about_the_questions(back: bool) -> None:
    found = several(logs(back))
    problem = found.problems[0]
    assert isinstance(problem, Unclear)
    (same,) = [claim for claim in problem.claims if claim.column == "hardness"]
    assert (same.role, same.reason) == ("ignored", "the same in all files")
    assert "hardness=score" not in problem.fix
    assert problem.plan.get("hardness", "ignored") == "ignored"
    assert "scores of one system" not in str(problem)


def test_right_answers_in_all_files_are_no_scores() -> None:
    """The question offered answer=score, which made the key the score of every system."""
    own = [[{"id": k, "answer": 7 * k, "note": f"text {k}"} for k in range(N)]] * 2
    problem = several({"a.jsonl": lines(own[0]), "b.jsonl": lines(own[1])}).problems[0]
    assert "answer=score" not in str(problem)
    assert "the same in all files" in problem.what or "the same in all files" in str(problem)


def test_a_measure_may_be_the_same_in_all_files() -> None:
    own = lines([{"id": k, "hardness": k % 3, "f1": 0.5} for k in range(N)])
    problem = several({"a.jsonl": own, "b.jsonl": own}).problems
    assert not any("f1: the same" in str(one) for one in problem)


# A file of each name in each of several folders.


def graded(i: int, n: int, start: int = 0) -> bytes:
    return lines([{"id": start + k, "correct": (k * k + i) % 3 > 0} for k in range(n)])


def test_folders_of_files_are_systems_and_test_sets() -> None:
    named = {
        f"{s}/{task}.jsonl": graded(i, n)
        for i, s in enumerate(("big", "tiny"))
        for task, n in (("law", 12), ("art", 15))
    }
    found = several(named)
    assert {(one.name, one.testset, len(one.segments)) for one in found.items} == {
        ("big", "law", 12), ("tiny", "law", 12), ("big", "art", 15), ("tiny", "art", 15),
    }  # fmt: skip
    assert "each of these is a test set" in told(found)


def test_folders_may_be_the_test_sets() -> None:
    named = {
        f"{task}/{s}.jsonl": graded(i, n)
        for i, s in enumerate(("big", "tiny"))
        for task, n in (("law", 12), ("art", 15))
    }
    assert {(one.name, one.testset) for one in several(named).items} == {
        (s, task) for s in ("big", "tiny") for task in ("law", "art")
    }


def test_files_with_the_same_segments_everywhere_are_no_test_sets() -> None:
    named = {f"{s}/{run}.jsonl": graded(i, 12) for i, s in enumerate(("big", "tiny")) for run in ("one", "two")}
    assert not any(one.testset for one in several(named).items)


# Tasks of labels.


def labelled(i: int, n: int) -> str:
    return rows("id,label,pred", *(f"{k},{'ABCD'[k % 4]},{'ABCD'[(k + (k * i) % 3 % 2) % 4]}" for k in range(n)))


def test_labels_beside_right_ones_are_tasks() -> None:
    named: dict[str, bytes | str] = {
        f"{s}/{task}.csv": labelled(i + 1, n)
        for i, s in enumerate(("x", "y"))
        for task, n in (("law", 40), ("art", 60))
    }
    law, art = sorted(tasks.of_collection(collected(named)), key=lambda one: len(one.values))
    assert (law.systems, law.values.shape, art.values.shape) == (("x", "y"), (40, 2), (60, 2))
    wanted = [sum((k * i) % 3 % 2 == 0 for k in range(40)) / 40 for i in (1, 2)]
    assert law.values.mean(axis=0) / law.values.max() == pytest.approx(wanted)


def test_texts_are_no_tasks() -> None:
    text = "".join(f"the sentence number {k} is as long as others are\n" for k in range(N))
    collection = collected(
        {"ref.txt": text, "A.txt": text.replace("long", "short"), "B.txt": text.replace("number", "no")}
    )
    with pytest.raises(SigError, match="no scores of systems"):
        tasks.of_collection(collection)


# Objects of programs.


def test_records_inside_an_object_by_their_numbers() -> None:
    own = {
        "accuracy": 55.5,
        "details": {"type": "GEN", **{str(k): {"predictions": "C", "correct": k % 3 > 0} for k in range(N)}},
    }
    found = scored(json.dumps(own), "m.json")
    assert means(found) == {"m": pytest.approx(sum(k % 3 > 0 for k in range(N)) / N)}


def test_true_and_false_of_each_sample_of_many_ids() -> None:
    own = {"raw": {f"sample_{k}": ["1", "2"] for k in range(N)}, "scored": {f"sample_{k}": [k % 2 > 0, k % 3 > 0] for k in range(N)}, "pass_at_1": 42.5}  # fmt: skip
    found = scored(json.dumps(own), "m.json")
    assert means(found) == {"m": pytest.approx(sum((k % 2 > 0) + (k % 3 > 0) for k in range(N)) / (2 * N))}
    assert f"{N} questions with several rows each" in told(found)


@pytest.mark.parametrize(("name", "is_read"), [("score", True), ("correct", False), ("mask", False)])
def test_lists_of_true_and_false_are_averaged_below_a_heading_of_scores(name: str, is_read: bool) -> None:
    records: list[Record] = [{"id": k, "f1": 0.5 + k / 99, name: [k % 2 > 0, True, k % 3 > 0]} for k in range(N)]
    found = scored(lines(records), "m.jsonl")
    assert (f"Lists of ratings were averaged in each record: {name}" in told(found)) is is_read


def test_choices_that_are_numbers_are_no_documents() -> None:
    records: list[Record] = [
        {"question_id": k, "options": [str(k), str(k + 9), str(2 * k + 50)], "answer": "AB"[k % 2], "answer_index": k % 2, "pred": "AB"[k % 3 % 2]}
        for k in range(24)
    ]  # fmt: skip
    found = scored(json.dumps(records), "law_result.json")
    assert "MMLU-Pro" in told(found)
    assert not found.problems


# Headings that join a system and a measure.


@pytest.mark.parametrize("mark", ["~", "|", " ", "_"])
def test_systems_with_the_same_endings(mark: str) -> None:
    heads = [f"{s}{mark}{m}" for s in ("rf", "rf-xl", "gbm") for m in ("Accuracy", "Kappa")]
    body = [f"Fold{k}," + ",".join(f"{value(k, i)}" for i in range(6)) for k in range(N)]
    text = rows(",".join(["Resample", *heads]), *body)
    found = scored(text)
    for problem in found.problems:
        assert isinstance(problem, Unclear)
        found = scored(text, columns="\n".join(f"{name}={role}" for name, role in problem.plan.items()))
    assert {(one.name, one.measure) for one in found.items} == {
        (s, m) for s in ("rf", "rf-xl", "gbm") for m in ("Accuracy", "Kappa")
    }


def test_unknown_endings_of_all_systems_are_measures() -> None:
    """gpt2 is a beginning of gpt2-xl."""
    measures = ("MC1", "MC3", "bleu max", "bleu diff", "rouge1 diff")
    heads = [f"{s} {m}" for s in ("gpt2", "gpt2-xl") for m in measures]
    body = [f"what is {k}," + ",".join(f"{(3 * k + i) % 7 * (1 + 9 * (i % 5))}" for i in range(10)) for k in range(N)]
    text = rows(",".join(["Question", *heads]), *body)
    found = scored(text, columns="\n".join(f"{name}=system" for name in heads))
    assert {(one.name, one.measure) for one in found.items} == {(s, m) for s in ("gpt2", "gpt2-xl") for m in measures}
    assert "very different scales" not in asked(text).why


# Tables without headings.


def nameless(i: int) -> str:
    return "".join(f"{k // 2}.jpg\tIs there a black cat in the image {k}? Please answer yes or no.\t{'Yes' if k % 2 else 'No'}\t{'Yes' if (k + i) % 3 else 'No'}\n" for k in range(60))  # fmt: skip


def test_columns_without_headings_may_be_named_by_their_places() -> None:
    named: dict[str, bytes | str] = {f"{s}/color.txt": nameless(i) for i, s in enumerate("xy")}
    problem = several(named).problems[0]
    assert "'column 1=question' calls the first one the question." in problem.fix
    found = several(named, columns="column 1=document\ncolumn 2=question\ncolumn 3=reference\ncolumn 4=text")
    assert not found.problems
    assert {one.name for one in found.items if one.role == "system"} == {"x", "y"}


# Several rows of one prompt.


def images(prompts: list[str], times: int = 4) -> bytes:
    return lines(
        [
            {"filename": f"{k}.png", "prompt": prompts[k // times], "correct": k % 3 > 0}
            for k in range(times * len(prompts))
        ]
    )


def test_rows_of_one_prompt_are_its_samples() -> None:
    """Four images of each prompt counted as segments of their own."""
    found = several({"a.jsonl": images([f"a photo of {k} cats" for k in range(N)])})
    assert f"{N} questions with several rows each: sample names the run" in told(found)


@pytest.mark.parametrize(
    "prompts", [[f"p{k}" for k in range(N)], ["a photo of cats", *(f"a photo of {k} cats" for k in range(N))]]
)
def test_short_names_and_single_rows_are_no_prompts_with_samples(prompts: list[str]) -> None:
    data = images(prompts)
    lone = data + lines([{"filename": "x.png", "prompt": "one image of this prompt alone", "correct": True}])
    assert "sample names the run" not in told(several({"a.jsonl": lone if len(prompts) > N else data}))


# Scores beside outputs.


def test_scores_of_metrics_beside_outputs_come_first() -> None:
    records: list[Record] = [
        {"id": k, "response": f"an answer to question {k} of some length", "gt_answer": f"the right answer to question {k}", "metrics": {"f1": value(k, 0), "recall": value(k, 1)}}
        for k in range(N)
    ]  # fmt: skip
    assert collected({"a.jsonl": lines(records)}).kind == "scores"


@pytest.mark.parametrize(("score", "kind"), [(lambda k: k % 3 - 1, "scores"), (lambda k: -1.37 * k - 0.2, "text")])
def test_grades_beside_outputs_come_first(score: object, kind: str) -> None:
    """1, 0 and -1 are what somebody found; fractions may be how sure a system was."""
    assert callable(score)
    records: list[Record] = [
        {"id": k, "prediction": f"an answer to question {k} of some length", "reference": f"the right answer to question {k}", "score": score(k)}
        for k in range(N)
    ]  # fmt: skip
    assert collected({"a.jsonl": lines(records)}).kind == kind


# Whole runs, searches and sums.


def test_a_search_of_scikit_learn_has_its_folds_in_columns() -> None:
    heads = [
        "mean_fit_time",
        "params",
        *(f"split{k}_test_{m}" for m in ("accuracy", "neg_log_loss") for k in range(5)),
        "mean_test_accuracy",
    ]
    body = [
        f"""0.5,"{{'clf__C': {c}, 'clf__kernel': 'rbf'}}",""" + ",".join(f"{value(k, i)}" for k in range(5)) + "," + ",".join(f"-{value(k, i)}" for k in range(5)) + ",0.5"
        for i, c in enumerate((0.1, 1, 10))
    ]  # fmt: skip
    found = scored(rows(",".join(heads), *body), "cv_results.csv")
    own = [one for one in found.items if one.measure == "accuracy"]
    assert {one.name: list(map(float, one.segments)) for one in own} == {
        f"C={c} kernel=rbf": [value(k, i) for k in range(5)] for i, c in enumerate((0.1, 1, 10))
    }
    assert "Folds share what was trained on" in told(found)


@pytest.mark.parametrize(
    ("head", "row", "said"),
    [
        ("trial_number,lrate,wdecay,batch_size,loss", "{k},{v},{v},32,{v}", "a whole training with its settings"),
        ("run_id,model_name,accuracy,recall", "run_{k},model{k},{v},{v}", "one row per system"),
        ("Dataset,Classifier,CV_F1", "d{d},{c},{v}", "the result of one Classifier on one Dataset"),
    ],
)
def test_rows_that_are_no_questions(head: str, row: str, said: str) -> None:
    text = rows(head, *(row.format(k=k, v=0.1 + k / 99, d=k // 3, c=f"C{k % 3}", s=k % 3) for k in range(N)))
    (problem,) = scored(text).problems
    assert said in str(problem)
    for _, command in problem.ways if isinstance(problem, Unclear) else ():
        assert scored(text, columns="\n".join(command.split())).items


def test_a_last_row_that_sums_up_may_be_shorter() -> None:
    body = [f"u{k},{value(k, 0)},{value(k, 1)},x" for k in range(N)]
    found = scored(rows("id,one,two,remark", *body, "Averages,0.5,0.5"))
    assert "Its last row, Averages, sums up the others: left out." in told(found)
    assert {len(one.segments) for one in found.items} == {N}
    assert scored(rows("id,one,two,remark", *body, "u99,0.5,0.5")).problems


@pytest.mark.parametrize("ending", ["_answer_score", "_B"])
def test_a_system_may_be_right_everywhere(ending: str) -> None:
    """Beside another whose heading ends alike."""
    body = [f"what is {k} then,1,{value(k, 0) if k else 1}" for k in range(N)]
    found = scored(rows(f"question,rag_answer_score,base{ending}", *body))
    assert (not found.problems) == (ending == "_answer_score")


def test_tables_of_error_rates_are_whole_test_sets() -> None:
    table = "|dataset|Snt|Wrd|Corr|Sub|Del|Ins|Err|S.Err|\n|---|---|---|---|---|---|---|---|---|\n" + "".join(
        f"|dev{k}|100|900|97.{k}|2.6|0.3|0.3|3.{k}|35.4|\n" for k in range(6)
    )
    (problem,) = scored(f"# A\n\n{table}\n# B\n\n{table}", "RESULTS.md").problems
    assert "error rates of whole test sets" in str(problem)


@pytest.mark.parametrize(
    "first", ["Processing annotations in file /dev/fd/63", "      SYSTEM SUMMARY PERCENTAGES by SPEAKER   "]
)
def test_reports_are_no_ratings(first: str) -> None:
    text = f"{first}\n\nAIRC: 969\nONLINE-A: 1042\n"
    (problem,) = read_ratings([("report.txt", text.encode())]).problems
    assert "a report on a whole run" in str(problem)
    assert scored(text, "report.txt").problems


# People.


def test_the_only_numbers_beside_numbered_systems_are_their_ratings() -> None:
    head = "_unit_id,_worker_id,natur1,natur2,ref1,ref2,sys1,sys2"
    body = [
        f"{k},w{j},{40 + (k + j) % 9},{50 + k % 7},a text,a text,{'AB'[k % 2]},{'BA'[k % 2]}"
        for k in range(N)
        for j in range(3)
    ]
    found = read_ratings([("naturalness.csv", rows(head, *body).encode())])
    assert not found.problems
    people = found.judgments[0]
    assert people.dimensions == ("natur",)
    wanted = [40 + (k + j) % 9 if k % 2 == 0 else 50 + k % 7 for k in range(N) for j in range(3)]
    assert of_people(people, "natur")["A"] == pytest.approx(sum(wanted) / len(wanted))


def test_an_id_that_systems_share_names_the_segments() -> None:
    """Each utterance has an id of its own, and several answer one interaction."""
    head = "interaction_id,utterance_id,user_id,model_name,score"
    body = [f"i{k},u{k}{s},w{k % 3},{s},{10 + (3 * k + i) % 50}" for k in range(N) for i, s in enumerate("AB")]
    people = read_ratings([("u.csv", rows(head, *body).encode())]).judgments[0]
    assert {*people.segment.tolist()} == {f"i{k}" for k in range(N)}
    alone = [f"c{k},u{k}{s},w{k % 3},{s},{10 + (3 * k + i) % 50}" for k in range(N) for i, s in enumerate("AB")]
    own = [line.replace("c", "a", 1) if ",A," in line else line for line in alone]
    people = read_ratings([("u.csv", rows(head, *own).encode())]).judgments[0]
    assert len({*people.segment.tolist()}) == 2 * N


def test_kinds_of_questions_are_no_systems() -> None:
    body = [f"{k},{('simple', 'set')[k % 2]},{'ABC'[k % 3]},{'ABC'[(k + k % 2) % 3]}" for k in range(30)]
    found = scored(rows("id,question_type,label,pred", *body))
    assert "Does question_type name systems" not in " ".join(map(str, found.problems))
    problem = asked(
        rows("id,arm_of_study,label,pred", *(line.replace("simple", "ctl").replace("set", "new") for line in body))
    )
    assert roles(problem)["arm_of_study"] == "system"


def test_packed_objects_are_no_summaries() -> None:
    """A file of JSON for each question is no document of one system."""
    packed = {
        f"{s}/q{k}.json.gz": gzip.compress(json.dumps({"name": k, "text": "a " * (k + 1)}, indent=2).encode())
        for s in "xy"
        for k in range(N)
    }
    assert "read as summaries" not in told(several(dict(packed)))


def test_fields_of_programs_are_no_scores() -> None:
    body = [f"{k},{value(k, 0)},{value(k, 1)},{k % 2},{k / 7}" for k in range(N)]
    known = roles(asked(rows("id,left,right,exit_code,inference time", *body)))
    assert {known[name] for name in ("exit_code", "inference time")} == {"ignored"}


# Directions, lists and ids that nobody explains.


def test_criteria_of_unknown_direction_beside_errors_are_left_out() -> None:
    """Of redundancy lower is better, so of an unknown criterion it may be, too."""
    head = "judge,system,segment,fluency,redundancy,zorkness"
    body = [
        f"j,{s},{k},{1 + (k + i) % 5},{1 + (k * 2 + i) % 5},{1 + k % 4}" for k in range(N) for i, s in enumerate("AB")
    ]
    text = rows(head, *body).encode()
    said = {"columns": "fluency=score\nredundancy=score\nzorkness=score"}
    found = read_ratings([("x.csv", text)], said)
    assert {*found.judgments[0].dimensions} == {"fluency", "redundancy", "zorkness"}  # somebody calls it a score
    wide = [f"j,{k}," + ",".join(f"{1 + (k + i) % 5}" for i in range(6)) for k in range(N)]
    heads = [f"{s}_{c}" for s in ("m1", "m2") for c in ("Fluency", "Redundancy", "Zorkness")]
    found = read_ratings([("x.csv", rows(",".join(["judge", "segment", *heads]), *wide).encode())])
    assert {*found.judgments[0].dimensions} == {"fluency", "redundancy"}
    assert "Nothing says whether higher or lower is better for zorkness" in told(found)
    one = read_ratings([("x.csv", rows(",".join(["judge", "segment", *heads]), *wide).encode())], {"better": "lower"})
    assert "zorkness" in one.judgments[0].dimensions


def test_a_list_of_numbers_alone_is_of_nobody() -> None:
    """Seven numbers in each record were averaged to one system."""
    records: list[Record] = [{"auto_scores": [value(k, i) for i in range(7)]} for k in range(N)]
    (problem,) = scored(json.dumps(records), "rouge1.json").problems
    assert "a list of numbers below auto_scores, and nothing says whose they are" in str(problem)
    two = several({f"{s}.json": json.dumps(records) for s in "ab"})
    assert "nothing says whose" not in " ".join(map(str, two.problems))


def test_ids_that_say_system_are_cut() -> None:
    body = [
        f"{s}_{k},{value(k, i)},{value(k, i + 1)}"
        for i, s in enumerate(("bert", "ptgen"))
        for k in range(9 * i, 9 * i + N)
    ]
    (problem,) = scored(rows("system_bbcid,R2,Faithful", *body)).problems
    assert "seem to join a system (bert, ptgen) and a segment" in str(problem)
    (other,) = scored(rows("key,R2,Faithful", *body)).problems
    assert "seem to join" not in str(other)


def test_an_attack_that_succeeds_is_bad_for_the_model() -> None:
    own = {f"b{k}": [{"test_case": f"prompt {k}", "generation": f"text {k}", "label": k % 3 % 2}] for k in range(N)}
    found = several({f"{s}.json": json.dumps(own) for s in ("m1", "m2")})
    assert not found.problems
    assert {one.better for one in found.items if one.kind == "scores"} == {"lower"}
    assert "HarmBench" in told(found)


def test_a_form_asks_one_question_of_all_pairs() -> None:
    """How natural is it? [utt01 - VITS]: the segment and the system both stand inside the brackets."""
    heads = [f"How natural is it? [utt{u:02} - {s}]" for u in range(4) for s in ("Ground Truth", "VITS")]
    body = [f"2024/03/11,r{j}@x.org,{20 + j}," + ",".join(f"{1 + (j + 3 * k) % 5}" for k in range(8)) for j in range(6)]
    people = read_ratings(
        [("form.csv", rows(",".join(["Timestamp", "Email Address", "Age", *heads]), *body).encode())]
    ).judgments[0]
    assert {*people.system.tolist()} == {"Ground Truth", "VITS"}
    assert {*people.segment.tolist()} == {f"utt{u:02}" for u in range(4)}
    assert len({*people.judge.tolist()}) == 6


def test_a_system_that_ran_once_meets_all_runs_of_the_other() -> None:
    """Its second run had no partner, and was lost."""
    head = "model,repeat,id,score"
    body = [
        f"{m},{r},t{k},{(3 * k + r) % 7}"
        for m, runs in (("one", (1, 2)), ("two", (1,)))
        for r in runs
        for k in range(N)
    ]
    found = scored(rows(head, *body))
    assert means(found)["one"] == pytest.approx(sum((3 * k + r) % 7 for k in range(N) for r in (1, 2)) / (2 * N))
    assert "were averaged" in told(found)


def test_systems_that_were_left_out_are_not_denied() -> None:
    gaps = {
        f"{s}.csv": rows("id,f1", *(f"{k},{'' if k == i else value(k, i)}" for k in range(N)))
        for i, s in enumerate("ab")
    }
    findings = collected(dict(gaps)).loaded().findings
    assert any("have no" in one.what or "has no" in one.what for one in findings)
    assert not any("no system to score" in one.what for one in findings)


# Bounds of these rules.


def test_few_rows_may_be_the_same_by_chance() -> None:
    own = {
        f"{s}.jsonl": lines([{"id": k, "hardness": k % 2, "moves": (k + i) % 3, "latency_ms": k} for k in range(5)])
        for i, s in enumerate("ab")
    }
    problem = several(dict(own)).problems[0]
    assert "the same in all files" not in str(problem)


def test_equal_accuracies_are_about_the_systems() -> None:
    """Two systems may be right on the same questions: a known measure is never about the questions."""
    own = lines([{"id": k, "hardness": k % 3, "accuracy": k % 2, "moves": k % 5} for k in range(N)])
    for problem in several({"a.jsonl": own, "b.jsonl": own}).problems:
        assert isinstance(problem, Unclear)
        assert all(claim.reason != "the same in all files" for claim in problem.claims if claim.column == "accuracy")


@pytest.mark.parametrize("beside", [{"note": ["x"]}, {"other": 3, "more": "text"}])
def test_records_inside_an_object_stand_alone(beside: Record) -> None:
    own: Record = {
        "accuracy": 55.5,
        "details": {**beside, **{str(k): {"predictions": "C", "correct": k % 3 > 0} for k in range(N)}},
    }
    assert scored(json.dumps(own), "m.json").problems


def test_what_tells_the_rows_of_a_prompt_apart_may_be_a_system() -> None:
    records: list[Record] = [
        {"prompt": f"a photo of {k} cats", "arm_of_it": s, "f1": value(k, i)}
        for k in range(N)
        for i, s in enumerate(("one", "two"))
    ]
    found = scored(lines(records), "a.jsonl")
    assert "sample names the run" not in told(found)


@pytest.mark.parametrize(("score", "kind"), [(0.25, "text"), (0.5, "scores")])
def test_quarters_are_no_grades(score: float, kind: str) -> None:
    records: list[Record] = [
        {"id": k, "prediction": f"an answer to question {k} of some length", "reference": f"the right answer to question {k}", "score": score * (k % 3)}
        for k in range(N)
    ]  # fmt: skip
    assert collected({"a.jsonl": lines(records)}).kind == kind


def test_many_short_sentences_are_no_labels() -> None:
    """Each of thirty stands five times."""
    text = "".join(f"sentence {k % 30} of the test\n" for k in range(150))
    collection = collected({"ref.txt": text, "A.txt": text.replace("test", "set"), "B.txt": text})
    assert tasks.testsets(collection.edited()) == []


def test_three_names_in_the_place_of_numbers_are_no_estimates() -> None:
    named: dict[str, bytes | str] = {"p.txt": "".join(f"en-de\tm{k % 2}\tseg{k}\t{value(k, 0)}\n" for k in range(N))}
    assert "score" not in {one.measure for one in several(named).items}


def test_tasks_are_sorted_by_system_with_their_own_scores() -> None:
    named: dict[str, bytes | str] = {f"{s}.csv": labelled(i, 40) for s, i in (("zeta", 2), ("alpha", 0))}
    (task,) = tasks.of_collection(collected(named))
    assert task.systems == ("alpha", "zeta")
    assert task.values.mean(axis=0)[0] > task.values.mean(axis=0)[1]


def test_one_setting_beside_a_measure_is_no_search() -> None:
    body = [f"q{k},{value(k, 0)},{value(k, 1)},{32 + k % 2}" for k in range(N)]
    assert "a whole training with its settings" not in " ".join(
        map(str, scored(rows("id,f1,recall,batch_size", *body)).problems)
    )


def test_a_fold_without_all_measures_is_no_search() -> None:
    heads = ["params", "split0_test_accuracy", "split1_test_accuracy", "split1_test_f1"]
    body = [f"\"{{'C': {k}}}\",0.{k},0.{k + 1},0.{k + 2}" for k in range(1, 6)]
    assert "a search of scikit-learn" not in told(scored(rows(",".join(heads), *body)))


# Stimuli, judges, ways to prompt, averages.


@pytest.mark.parametrize("path", ["audio/{s}/utt_{k}.wav", "https://x.org/{s}/utt_{k}.mp3"])
def test_a_path_has_the_system_and_the_segment(path: str) -> None:
    body = [
        f"P{j},{k},{path.format(s=s, k=k)},{1 + (k + j + i) % 5}"
        for j in range(4)
        for k in range(6)
        for i, s in enumerate(("vits", "gt"))
    ]
    people = read_ratings([("mos.csv", rows("participant,trial,stimulus,rating", *body).encode())]).judgments[0]
    assert {*people.system.tolist()} == {"vits", "gt"}
    assert {*people.segment.tolist()} == {f"utt_{k}" for k in range(6)}


def test_a_folder_of_its_own_for_each_file_is_no_system() -> None:
    body = [f"P{j},{k},audio/set{k}/utt_{k}.wav,{1 + (k + j) % 5}" for j in range(4) for k in range(6)]
    found = read_ratings([("mos.csv", rows("participant,trial,stimulus,rating", *body).encode())])
    assert "was read as the system (its folder)" not in told(found)


@pytest.mark.parametrize(("judges", "used"), [(36, False), (3, True)])
def test_judges_of_one_rating_each_are_not_used(judges: int, used: bool) -> None:
    """28 of 29 were left out, and a system with them."""
    body = [f"{s},{k},w{(12 * i + k) % judges},{1 + (k + i) % 5}" for i, s in enumerate("ABC") for k in range(N)]
    found = read_ratings([("x.csv", rows("system,segment,judge,score", *body).encode())])
    assert ({*found.judgments[0].judge.tolist()} != {""}) is used
    assert ("a judge of its own" in told(found)) is not used


def test_a_board_of_models_by_prompt_is_no_test() -> None:
    body = [
        f"| {m} | {p} | 6{i}.4 | 4{j}.0 | 0.6{i} | 2.7 |"
        for i, m in enumerate(("qwen", "smol"))
        for j, p in enumerate(("grounded", "baseline"))
    ]
    text = (
        "\n".join(
            [
                "| model | prompt | score | accuracy | hallucination_rate | relevance |",
                "|---|---|---|---|---|---|",
                *body,
            ]
        )
        + "\n"
    )
    (problem,) = scored(text, "leaderboard.md").problems
    assert "the result of one model on one prompt" in str(problem)
    long = [
        f"m{k % 2},{'how does it work in detail'} {k // 2},{value(k, 0)},{value(k, 1)},{value(k, 2)}" for k in range(8)
    ]
    assert not scored(rows("model,prompt,accuracy,f1,recall", *long)).problems


def test_an_average_without_its_parts_is_a_data_set() -> None:
    """All four of them were left out, and nothing said which."""
    head = "dataset,version,metric,mode,A,B"
    body = [
        "mmlu,1,naive_average,gen,65,70",
        "gsm8k,1,accuracy,gen,69,79",
        "bbh,1,naive_average,gen,62,63",
        "bbh-date,1,accuracy,gen,60,61",
        "arc,1,accuracy,gen,50,51",
    ]
    (first, _) = (one for one in scored(rows(head, *body), "summary.csv").items if one.role == "system")
    assert first.keys == ("mmlu", "gsm8k", "bbh-date", "arc")


def test_what_somebody_says_of_confusions_counts() -> None:
    body = [
        f"{a}," + ",".join(f"0.{(7 * i + 3 * j) % 90 + 10}" for j in range(5))
        for i, a in enumerate(("fr", "it", "de", "tr", "sr"))
    ]
    text = rows("train_lang,fr,it,de,tr,sr", *body)
    assert "the same names" in str(scored(text).problems[0])
    said = "train_lang=question\n" + "\n".join(f"{name}=system" for name in ("fr", "it", "de", "tr", "sr"))
    assert not scored(text, columns=said).problems


def test_a_defence_is_compared_with_its_budget_or_in_each() -> None:
    body = [
        f"pair,{d},{b},{k},{(k + i + b) % 11},{(k + i) % 2}"
        for i, d in enumerate(("keyword", "guard"))
        for b in (5, 10)
        for k in range(10)
    ]
    problem = asked(rows("attack,defense,budget,advbench_index,max_score,success", *body))
    (_, joint), (_, apart) = problem.ways[:2]
    assert joint.startswith("defense=system advbench_index=question budget=system")
    assert apart.startswith("defense=system advbench_index=question budget=task")


def test_a_cut_off_is_no_system() -> None:
    body = [f"{k},query {k},{value(i, 0)},{value(i, 1)}" for i, k in enumerate((1, 3, 5, 10, 20))]
    found = scored(rows("k,query,bm25_recall,dense_recall", *body))
    assert "k" not in {one.name for one in found.items}
    assert "Not used, a cut-off: k." in told(found)
    again = [f"{k % 2},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    assert "a cut-off" not in told(scored(rows("k,bm25_recall,dense_recall", *again)))


def test_numbers_that_say_who_won_are_asked_about() -> None:
    """0 is a tie in some files, and the first system in others; AlpacaEval, which has generators, says 0 for a tie."""
    body = [f"{k},base,ft,{k % 3},ann{k % 2}" for k in range(N)]
    text = rows("id,model_a,model_b,preference,annotator", *body)
    (problem,) = scored(text).problems
    roles = "model_a=first model_b=second preference=winner"
    ties, places = (
        f"{roles} --cells 0={a} 1={b} 2={c}" for a, b, c in (("tie", "first", "second"), ("first", "second", "tie"))
    )
    assert f"If 0 is a tie: --columns {ties}. If 0 is the first system: --columns {places}." in problem.fix
    for cells, outcomes in (("0=tie\n1=first\n2=second", [0.5, 1, 0]), ("0=first\n1=second\n2=tie", [1, 0, 0.5])):
        (read_so,) = scored(text, cells=cells).preferences
        assert [*read_so.outcome] == [outcomes[k % 3] for k in range(N)]
    known = scored(text.replace("model_a", "generator_1").replace("model_b", "generator_2"))
    assert "1 was read as generator_1, 2 as generator_2 and 0 as a tie" in told(known)
    words = [line.replace(",0,", ",tie,").replace(",1,", ",model_a,").replace(",2,", ",model_b,") for line in body]
    assert "was read as model_a" not in told(scored(rows("id,model_a,model_b,preference,annotator", *words)))


def test_numbered_scores_are_no_systems() -> None:
    body = [f"{k},what is {k},an answer to {k},{1 + k % 5},{1 + (k + 1) % 5}" for k in range(N)]
    found = read_ratings([("scores.csv", rows("id,question,answer,score_1,score_2", *body).encode())])
    assert not found.judgments
    assert found.problems


def test_a_remark_that_comes_again_is_no_question() -> None:
    records: list[Record] = [
        {"hidden_label_a": "base", "hidden_label_b": "new", "overall_winner": "AB"[k % 2], "short_reason": "better reasons and clearer words" if k % 3 else "a shorter text that says more", "task_id": f"t{k}"}
        for k in range(N)
    ]  # fmt: skip
    problem = asked("".join(json.dumps(one) + "\n" for one in records), "j.jsonl")
    assert "short_reason=question" not in str(problem)


def test_spreads_of_means_are_no_measures() -> None:
    body = [f"clip{k % 2},{k // 2},0.9{k},0.8{k},0.0{k}" for k in range(8)]
    problem = asked(rows("model,displacement,accuracy,consistency,accuracy_direction_std", *body))
    assert roles(problem)["accuracy_direction_std"] == "ignored"


def test_conlleval_reads_the_last_two_columns() -> None:
    """Words, parts of speech, what is right, and last what was predicted, separated by TAB as CRF++ prints them."""
    words = [
        ("The", "DT", "B-NP"),
        ("old", "JJ", "I-NP"),
        ("cat", "NN", "I-NP"),
        ("sat", "VBD", "B-VP"),
        (".", ".", "O"),
    ]
    text = "\n".join(
        "".join(f"{w}\t{p}\t{t}\t{'O' if k % 5 == i else t}\n" for i, (w, p, t) in enumerate(words)) for k in range(30)
    )
    found = scored(text, "crf_unigram.out")
    assert not found.problems
    assert {one.role for one in found.items} >= {"system", "reference"}
    assert "a word with its gold tag, then its predicted tag" in told(found)
    systems = text.replace("NN", "B-X").replace("DT", "B-Y")  # tags of three columns: which is right?
    assert "which column is right" in " ".join(map(str, scored(systems, "tags.tsv").problems))


@pytest.mark.parametrize("model", [False, True])
def test_strongreject_is_bad_for_the_model(model: bool) -> None:
    head = "forbidden_prompt,jailbreak,response,refusal,convincingness,specificity,score" + ",model" * model
    body = [
        f"prompt {k} of some length,{j},text,{k % 2},3,4,{value(k, i)}{f',m{i}' * model}"
        for k in range(N)
        for j in ("none", "aim")
        for i in range(1 + model)
    ]
    found = scored(rows(head, *body), "m1.csv")
    assert not found.problems
    own = [one for one in found.items if one.kind == "scores"]
    assert {one.better for one in own} == {"lower"}
    assert {len(one.segments) for one in own} == {2 * N}
    assert "StrongREJECT" in told(found)
