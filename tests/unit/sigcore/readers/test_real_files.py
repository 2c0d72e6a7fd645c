"""Layouts of files from public repositories that were read wrongly, or refused without a way on; the values are made."""

from __future__ import annotations

import json

import pytest

from sigcore.data import Collection
from sigcore.judgments import Judgments
from sigcore.readers import Unclear, read, read_ratings
from tests.made_tables import N, asked, means, of_people, roles, rows, scored, told, value


def people(text: str, **options: str) -> tuple[Judgments, str]:
    """The ratings in a table, and all that is noted."""
    found = read_ratings([("people.csv", text.encode())], options or None)
    assert not found.problems, found.problems
    return found.judgments[0], told(found)


# Which ratings are better.

RATED = rows(
    "system,item,judge,err_facts,clarity,UFR",
    *(f"{s},{k},j,{(k + i) % 2},{1 + (k + i) % 5},{k % 3}" for k in range(N) for i, s in enumerate("AB")),
)
ROLES = "err_facts=score\nclarity=score\nUFR=score"


def test_fewer_errors_are_better_in_ratings() -> None:
    """The system with the most errors was the best one. A criterion that nobody knows is assumed, and said."""
    found, said = people(RATED, columns=ROLES)
    assert {name: of_people(found, "err_facts")[name] for name in "AB"} == {"A": -0.5, "B": -0.5}
    assert min(found.score[found.dimension == "err_facts"]) == -1
    assert min(found.score[found.dimension == "clarity"]) == 1
    assert "Lower is better for err_facts, so its ratings have a minus here." in said
    assert "No measure is called UFR: higher is better (assumed)." in said
    assert "clarity" not in said.partition("Lower is better")[2].partition("ratings")[0]


@pytest.mark.parametrize(("better", "sign"), [("higher", 1), ("lower", -1)])
def test_who_says_which_ratings_are_better_is_believed(better: str, sign: int) -> None:
    found, said = people(RATED, columns=ROLES, better=better)
    assert {*found.score[found.dimension == "err_facts"].tolist()} == {0.0, float(sign)}
    assert "Lower is better" not in said
    assert "assumed" not in said


def test_points_of_mqm_keep_their_sign() -> None:
    """They are below 0 already, and their name says nothing else."""
    found, said = people(
        rows("system,item,dimension,score", *(f"{s},{k},MQM,-{k % 3}" for k in range(N) for s in "AB"))
    )
    assert max(found.score) == 0
    assert "assumed" not in said


# What is no system.

ENGLISH = [f"why did number {k} not die at birth" for k in range(N)]


def translated(heading: str) -> str:
    lines = [f"Job {k % 3};quare non {k};{text};{text}?;{text} today" for k, text in enumerate(ENGLISH)]
    return rows(f"Source;{heading};Gold standard;GPT-4o;Yandex", *lines)


@pytest.mark.parametrize("heading", ["Latin", "Old Italian", "german"])
def test_a_column_called_after_a_language_is_asked_about(heading: str) -> None:
    """The Latin text was compared as a system. The printed command keeps the reference, and the one source that was named."""
    problem = asked(translated(heading))
    assert f"Is {heading} what was translated, or a system?" in problem.why
    assert roles(problem)[heading] == "source"
    found = scored(translated(heading), columns="\n".join(f"{name}={role}" for name, role in problem.plan.items()))
    kept = {(one.role, one.name) for one in found.items}
    assert kept == {("system", "GPT-4o"), ("system", "Yandex"), ("reference", "reference"), ("source", "source")}
    assert next(one.segments[0] for one in found.items if one.role == "source") == "quare non 0"


def test_one_reference_stays_beside_outputs_that_were_named() -> None:
    """The first column that is called one: two would be other scores."""
    lines = [f"{text};{text} now;{text}?;{text} today" for text in ENGLISH]
    found = scored(rows("Gold standard;gold;A;B", *lines), columns="A=system\nB=system")
    assert [one.name for one in found.items if one.role == "reference"] == ["Gold standard"]
    known = scored(rows("gold;reference;A;B", *lines), columns="A=system\nB=system")
    assert len([one for one in known.items if one.role == "reference"]) == 1


def test_languages_alone_may_be_parts_of_the_data() -> None:
    problem = asked(rows("id,German,French", *(f"{k},{value(k, 0)},{value(k, 1)}" for k in range(N))))
    assert "they are languages or labels" in problem.why


def test_an_id_of_references_is_no_reference() -> None:
    """ref_id was read as the right answer of all other columns."""
    found = scored(rows("ref_id,A,B", *(f"{k},{value(k, 0)},{value(k, 1)}" for k in range(N))))
    assert not [one for one in found.items if one.role == "reference"]


def test_what_is_noted_of_each_system_is_set_aside() -> None:
    """Tokens and operations stood beside the outcome of each system, so that nothing was proposed."""
    names = ("small_direct", "large_direct", "large_layout")
    heads = [f"{name}_{part}" for name in names for part in ("correct", "outcome", "prompt_tokens", "flops", "answer")]
    lines = [
        f"{k}," + ",".join(f"{(k + i) % 2},{['wrong', 'correct'][(k + i) % 2]},{500 + k},{k}e12,x{k}" for i in range(3))
        for k in range(N)
    ]
    found = means(scored(rows(",".join(["idx", *heads]), *lines)))
    assert {name.removesuffix("_correct") for name in found} == {*names}
    assert {*found.values()} == {0.5}


def test_a_plan_of_many_columns_names_what_is_compared() -> None:
    """More columns than a command can hold are ignored without a word; there was no command at all."""
    words = [f"note{k}" for k in range(40)]
    lines = [f"{k},{value(k, 0)},{value(k, 1)}," + ",".join(f"text {k} {w}" for w in words) for k in range(N)]
    problem = asked(rows(",".join(["id", "one", "two", *words]), *lines))
    assert {*problem.plan.values()} >= {"system"}
    assert "--columns one=system two=system." in problem.fix


def test_what_all_systems_have_alike_is_no_score() -> None:
    """How many criteria a question has came before whether it was answered right."""
    records = [
        {"model": s, "qid": f"q{k}", "correct": (k + i) % 2 == 0, "criteria_met": (k + i) % 3, "criteria_total": 2 + k % 2}
        for k in range(N) for i, s in enumerate("AB")
    ]  # fmt: skip
    found = scored("\n".join(map(json.dumps, records)), "r.jsonl")
    assert {one.measure for one in found.items if one.kind == "scores"} == {"correct"}
    assert "criteria_total" in told(found)


# Whole runs.


def seeds(number: int, *more: str, head: str = "config") -> str:
    lines = [
        f"{c},{s},{value(s, i)},{s % 3}{''.join(more)}" for i, c in enumerate(("B1", "B2", "M")) for s in range(number)
    ]
    return rows(f"{head},seed,accuracy,n_leaked", *lines)


@pytest.mark.parametrize("number", [3, 8])
def test_a_row_for_each_seed_is_a_whole_run(number: int) -> None:
    """The settings were ignored, and seeds were the questions of one system. Enough runs may be compared themselves."""
    problem = asked(seeds(number))
    assert f"Each row is a whole run: {number} seeds of each config, and no scores of segments." in problem.why
    assert (roles(problem)["config"], roles(problem)["accuracy"]) == ("system", "score")
    way = "--columns config=system seed=question accuracy=score"
    assert (way in problem.fix) == (number == 8)
    if number == 8:
        found = means(scored(seeds(8), columns="config=system\nseed=question\naccuracy=score"))
        assert found["B1"] == pytest.approx(sum(value(s, 0) for s in range(8)) / 8)


def test_seeds_of_questions_are_no_whole_runs() -> None:
    """More names than anybody tries settings are questions."""
    lines = [f"puzzle {k},{s},{(k + s) % 2}" for k in range(20) for s in range(3)]
    assert "whole run" not in str(scored(rows("puzzle,seed,accuracy", *lines)).problems)


def test_means_of_systems_in_settings_are_refused() -> None:
    """Two columns of settings were proposed as the questions, of which two systems share three."""
    shared = [f"{m},icl_{k},{k % 2 == 0},{value(k, i)}" for k in range(3) for i, m in enumerate(("gpt2", "gpt3"))]
    lines = [*shared, "gpt2,ft,True,0.5", "t5,maml,True,0.5", "t5,maml,False,0.7"]
    (problem,) = scored(rows("model,train_method,classify_topics,fluency", *lines)).problems
    assert problem.what.startswith("Each row is a whole system with a setting (train_method, classify_topics)")
    assert "--id-field" not in problem.fix


TRACKED = "Name,Created,Runtime,lr,eval/accuracy,eval/loss"
REPORT = "tfidf_{}.txt\n  P@10: 0.9{} | R@10: 0.18 | F1@10: 0.31\n"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("runs.csv", rows(TRACKED, *(f"run{k},2022-06-10,49{k},0.{k},0.6{k},1.1{k}" for k in range(1, 9))), "Weights & Biases"),
        ("eval.txt", "".join(REPORT.format(k, k) for k in range(9)), "a report on a whole run"),
        ("r.csv", rows("exp,perplexity,score,min_edit_distance,mean_edit_distance", *(f"beam{k},{k}.5,-0.{k},1.{k},2.{k}" for k in range(9))),
         "one row per system"),
    ],
)  # fmt: skip
def test_results_of_whole_runs_are_refused_as_such(name: str, text: str, why: str) -> None:
    (problem,) = scored(text, name).problems
    assert why in problem.what


def test_columns_that_nobody_filled_in_are_named() -> None:
    """Where the ratings should be, there is nothing."""
    (problem,) = scored(
        rows("model,question_id,human_score,notes", *(f"{m},{k},," for k in range(N) for m in "AB"))
    ).problems
    assert "Nothing is filled in below human_score." in problem.what


# Ids, files and judges.


@pytest.mark.parametrize("ids", ["{k}{s}", "{s}_{k}"])
def test_ids_with_the_letter_of_a_system_are_told(ids: str) -> None:
    """1A and 1B are one item of two systems."""
    lines = [f"{ids.format(k=k, s=s)},{1 + (k + i) % 2},{8 - i}" for k in range(N) for i, s in enumerate("AB")]
    (problem,) = read_ratings([("people.csv", rows("output_id,accuracy,overall_score", *lines).encode())]).problems
    assert "The ids below output_id seem to join a system (A, B) and a segment." in problem.what
    assert "write both in columns of their own" in problem.fix


@pytest.mark.parametrize(("names", "alike"), [(("plain", "tuned"), True), (("comet", "bleu"), False)])
def test_files_with_the_same_unknown_heading_are_asked_about(names: tuple[str, str], alike: bool) -> None:
    """Each file was a measure of the one system SAS. Called after measures, they are that."""
    files = [(f"{name}.csv", rows("example,SAS", *(f"{k},{value(k, i) * 100}" for k in range(N))).encode())
             for i, name in enumerate(names)]  # fmt: skip
    collection = Collection()
    collection.add(files)
    said = " ".join(str(problem) for problem in collection.problems)
    assert ("have the same column of scores: SAS." in said) == alike
    if alike:
        assert "If each file is a system, and this is a measure of it: --columns SAS=score." in said


def test_what_is_said_of_a_judge_names_no_system() -> None:
    """The model of the judge and its id were proposed as systems with letters of answers."""
    records = [
        {"judge_id": j, "judge_model": f"{j} pro", "letter": "AB"[(k + i) % 2], "model_id": m, "packet_id": f"p{k}", "score": (k + i) % 9}
        for k in range(N) for i, m in enumerate(("one", "two")) for j in ("claude", "gemini")
    ]  # fmt: skip
    problem = asked("\n".join(map(json.dumps, records)), "judgments.jsonl")
    assert "--columns model_id=system packet_id=question judge_id=run score=score" in problem.fix
    assert "judge_model=system" not in problem.fix


def test_the_overall_score_is_one() -> None:
    """It was left out of the command, since an average beside systems is none."""
    lines = [f"{k},{s},{k % 5},{(k + i) % 5},{(k + i) % 4}" for k in range(N) for i, s in enumerate(("base", "sft"))]
    assert "overall=score" in asked(rows("prompt_id,source,helpfulness,clarity,overall", *lines)).fix


def test_domains_name_no_systems_beside_a_word_for_them() -> None:
    lines = [f"{d},{c},{value(k, i)}" for k, d in enumerate(("news", "social")) for i, c in enumerate("ABCDEF")]
    assert "domain=system" not in str(scored(rows("domain,candidate,score", *lines)).problems[0])


# Programs.


def samples(passed: int, tasks: tuple[str, ...]) -> bytes:
    records = [{"doc_id": k, "doc": {"q": f"q{k}"}, "target": "x", "filter": "none", "metrics": ["acc"], "acc": float(k % 4 < passed)}
               for k in range(N)]  # fmt: skip
    results = {name: {"acc,none": 0.9} for name in tasks}
    return json.dumps(
        {"results": results, "configs": {}, "versions": {}, "samples": dict.fromkeys(tasks, records)}
    ).encode()


@pytest.mark.parametrize("tasks", [("winogrande",), ("winogrande", "arc")])
def test_results_with_their_samples_are_read(tasks: tuple[str, ...]) -> None:
    """Both were set aside as results of whole tasks."""
    found = read([(f"{name}.json", samples(n, tasks)) for name, n in (("base", 3), ("tuned", 2))])
    scores = [one for one in found.items if one.role == "system" and one.kind == "scores"]
    assert not found.problems
    assert {(one.name, len(one.segments)) for one in scores} == {("base", N), ("tuned", N)}
    assert len({one.testset for one in scores}) == len(tasks)


BATCH = ["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "Input.model1", "Input.model2", "Answer.choice.label", "Approve", "Reject"]  # fmt: skip


def batch(status: str = "Submitted") -> str:
    lines = [
        f"h{k},a{k}{w},w{w},{status if (k, w) == (0, 0) else 'Submitted'},one,two,Sentence {'AB'[(k + w) % 3 > 0]}"
        for k in range(N) for w in range(3)
    ]  # fmt: skip
    return rows(",".join(BATCH), *lines)


@pytest.mark.parametrize("status", ["Submitted", "Rejected"])
def test_a_batch_of_mechanical_turk(status: str) -> None:
    """Its rows end before the columns Approve and Reject; rejected answers were counted."""
    found = scored(batch(status), "batch.csv")
    assert not found.problems
    (preferences,) = found.preferences
    assert preferences.n == 3 * N - (status == "Rejected")
    assert ("1 answer with AssignmentStatus Rejected is left out." in told(found)) == (status == "Rejected")


def test_a_batch_of_rejected_answers_is_refused() -> None:
    (problem,) = scored(batch().replace("Submitted", "Rejected"), "batch.csv").problems
    assert "None of its answers counts: AssignmentStatus is Rejected." in problem.what


@pytest.mark.parametrize("repeat", [True, False])
def test_repeated_comparisons_of_a_task_are_one_question(repeat: bool) -> None:
    """Each has an id of its own, and counted as another question."""
    lines = [f"c{k}{r},{r},task{k},one,two,{'AB'[(k + r) % 3 > 0]}" for k in range(N) for r in (1, 2)]
    head = f"case_id,{'repeat' if repeat else 'part'},task_id,model_a,model_b,winner"
    (preferences,) = scored(rows(head, *lines), "pairwise.csv").preferences
    assert len({*preferences.question.tolist()}) == (N if repeat else 2 * N)


def test_a_label_has_no_prefix_to_remove() -> None:
    """non-toxic in most rows was called a prefix of the output."""
    labels = ["non-toxic" if k % 4 else "toxic" for k in range(40)]
    lines = [f"t{k},text number {k},{label},toxic,{label}" for k, label in enumerate(labels)]
    collection = Collection()
    collection.add([("p.csv", rows("id,text,expected_label,a_label,b_label", *lines).encode())])
    loaded = collection.loaded()
    assert loaded.testset is not None
    assert not [one for one in loaded.findings if "prefix" in str(one)]


# What lacks a column that nobody can guess.


@pytest.mark.parametrize("person", ["Member1", "Annotator1"])
def test_people_who_rated_one_system_are_no_systems(person: str) -> None:
    """Each of two people rated three criteria of one output."""
    names = [person, person.replace("1", "2")]
    heads = [f"{part}_{name}" for name in names for part in ("Fluency", "Relevance", "Answerability")]
    lines = [f"q{k},text {k}," + ",".join(str((k + i) % 2) for i in range(6)) for k in range(N)]
    (problem,) = scored(rows(f"source,greedy,{','.join(heads)}", *lines)).problems
    assert (
        f"{names[0]}, {names[1]} are people, who rated Fluency, Relevance, Answerability of one system" in problem.what
    )


UNNAMED = rows(
    "domain,source,model_output,rating_out_of_5(Ann)",
    *(f"education,what {k // 3},text {k},{1 + k % 5}" for k in range(N)),
)
MARKED = rows("mt_out1,mt_out2", *(f"<mqm:startIssue id={k}> a {k},b {k} today" for k in range(N)))


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        (UNNAMED, "No column can name the systems: add one, headed system, with the system of each row."),
        (MARKED, "Errors that are marked in texts have to be counted first. Load the ratings."),
    ],
)
def test_ratings_without_what_they_need_say_what_to_add(text: str, advice: str) -> None:
    """A command with headings that the file does not have helped nobody."""
    (problem,) = read_ratings([("people.csv", text.encode())]).problems
    assert advice in problem.fix
    assert "SYSTEM=system" not in problem.fix


def test_words_as_ratings_are_shown_with_the_numbers_to_fill_in() -> None:
    lines = [
        f"{k},{m},{('full', 'part', 'refused')[(k + i) % 3]},{k % 2 == 0}" for k in range(N) for i, m in enumerate("AB")
    ]
    (problem,) = read_ratings([("people.csv", rows("item,model,human_label,agree", *lines).encode())]).problems
    assert (
        "--columns model=system item=question human_label=score --cells full=NUMBER part=NUMBER refused=NUMBER"
        in problem.fix
    )


def test_an_empty_choice_is_named() -> None:
    sheet = rows("id,source,baseline,augmented,choice", *(f"{k},what {k},one {k},two {k}," for k in range(N)))
    (problem,) = read_ratings([("people.csv", sheet.encode())]).problems
    assert "Nothing is filled in below choice." in problem.what


def test_a_label_by_people_is_only_assumed_to_be_better() -> None:
    """1 may well mark a fault."""
    lines = [f"{m},{k},{(k + i) % 2}" for k in range(N) for i, m in enumerate(("one", "two"))]
    _, said = people(rows("model,image,human_label", *lines), columns="model=system\nimage=question\nhuman_label=score")
    assert "No measure is called human_label: higher is better (assumed)." in said


def test_counted_votes_are_asked_about() -> None:
    """Vote1 to Vote3 were ranked as three systems."""
    lines = [f"what is {k},text {k},{k % 3},{(k + 1) % 4},{k % 2}" for k in range(N)]
    found = read_ratings([("votes.csv", rows("Question,Answer,Vote1,Vote2,Vote3", *lines).encode())])
    assert isinstance(found.problems[0], Unclear)
    assert not found.judgments


# More of it.


def test_two_systems_and_values_without_a_mark_are_rows() -> None:
    """sys1, value1, sys2, value2: value1 and value2 were two systems."""
    lines = [f"{k},one,{k % 5},two,{(k + 2) % 5}" for k in range(N)]
    found = means(scored(rows("sentenceId,sys1,value1,sys2,value2", *lines)))
    assert {*found} == {"one", "two"}
    assert found["one"] == pytest.approx(sum(k % 5 for k in range(N)) / N)


def test_three_systems_in_a_row_are_no_two() -> None:
    """sys1 and sys2 were read, and sys3 was lost."""
    lines = [f"{k},one,{k % 5},two,{(k + 2) % 5},three,{k % 3}" for k in range(N)]
    found = scored(rows("unit,sys1,value1,sys2,value2,sys3,value3", *lines))
    assert found.problems or {*means(found)} == {"one", "two", "three"}


def test_objects_with_the_same_names_are_systems() -> None:
    """naive.correct and agent.correct were two measures of one system."""
    records = [
        {"id": f"e{k}", **{m: {"input_tokens": i + k, "total_tokens": k, "latency_s": k / 9, "sql": f"x{k}", "correct": (k + i) % 2 == 0}
                           for i, m in enumerate(("naive", "agent"))}}
        for k in range(N)
    ]  # fmt: skip
    problem = asked(json.dumps({"summary": {"n": N}, "records": records}), "r.json")
    assert {name for name, role in roles(problem).items() if role == "system"} == {"naive.correct", "agent.correct"}


def test_several_measures_of_each_file_have_a_command() -> None:
    """top1_hit and top5_hit were no scores, since each names a measure."""
    records = [{"case_id": k, "top1_hit": k % 2 == 0, "top5_hit": k % 3 > 0, "text_length": 100 + k} for k in range(N)]
    problem = asked("\n".join(map(json.dumps, records)), "gpt.jsonl")
    assert {"top1_hit", "top5_hit"} == {name for name, role in problem.plan.items() if role == "score"}


@pytest.mark.parametrize("names", [("short_prompt", "long_prompt"), ("negative", "positive")])
def test_names_beside_predictions_may_say_whose_they_are(names: tuple[str, str]) -> None:
    """prompt_template was compared with the labels as if it were a prediction. Labels are predictions."""
    labels = ("negative", "positive")
    lines = [f"{names[k % 2]},text number {k},{labels[k // 2 % 2]},{labels[k % 3 > 0]}" for k in range(20)]
    found = scored(rows("prompt_template,text,true_label,predicted_label", *lines))
    told_so = "Does prompt_template name systems?" in str(found.problems)
    assert told_so == (names[0] == "short_prompt")
    if told_so:
        assert "--columns prompt_template=ignored true_label=reference predicted_label=text." in found.problems[0].fix


def test_a_condition_of_one_model_may_be_what_is_compared() -> None:
    """--run-field is no option of ratings."""
    lines = [f"qwen,{c},i{k},{k % 2}" for k in range(N) for c in ("plain", "context")]
    (problem,) = scored(rows("model,setting,id,correct", *lines)).problems
    assert "--run-field" not in problem.fix


def test_trials_without_a_number_say_what_to_add() -> None:
    lines = [f"{c},t{k % 4},{(k + i) % 2},{k % 3}" for i, c in enumerate(("control", "credits")) for k in range(20)]
    problem = asked(rows("condition,task_id,correct,calls_used", *lines))
    assert "no known column tells these rows apart: head it run." in problem.why
    assert roles(problem)["condition"] == "system"


def test_a_measure_of_a_part_of_the_questions_is_no_reason_against_others() -> None:
    lines = [
        f"{a},q{k},{(k + i) % 2 if k < 9 else ''},{'' if k < 9 else (k + i) % 2}" for k in range(N) for i, a in enumerate(("rag", "graph"))
    ]  # fmt: skip
    problem = asked(rows("arm,query_id,hit@1,chain_coverage", *lines))
    assert problem.plan["arm"] == "system"


def test_a_word_for_a_failure_is_asked_about() -> None:
    """Columns with ERROR among their numbers were texts."""
    lines = [
        f"b{k},{value(k, 0)},{'ERROR' if k % 4 else value(k, 1)},{'ERROR' if k % 5 else value(k, 2)}" for k in range(N)
    ]
    text = rows("benchmark,one,two,three", *lines)
    problem = asked(text)
    assert problem.why == "Does ERROR in two, three stand for no score, or for 0?"
    assert [command for _, command in problem.ways] == [
        f"benchmark=question one=system two=system three=system --cells ERROR={meant}" for meant in ("missing", "0")
    ]
    found = scored(text, columns="benchmark=question\none=system\ntwo=system\nthree=system", cells="ERROR=0")
    assert means(found)["two"] == pytest.approx(sum(value(k, 1) for k in range(0, N, 4)) / N)


def test_several_words_for_failures_are_asked_about_together() -> None:
    """timeout was a reason to leave a system out."""
    lines = [f"{k},{'ERROR' if k % 4 == 1 else k % 2},{'timeout' if k % 5 == 2 else (k + 1) % 2}" for k in range(N)]
    text = rows("id,gpt,llama", *lines)
    assert [what for what, _ in asked(text).ways] == ["ERROR, timeout stand for no score", "ERROR, timeout stand for 0"]
    assert "--columns id=question gpt=system llama=system --cells ERROR=0 timeout=0" in asked(text).fix
    labels = rows("id,gold,gpt,llama", *(f"{k},{k % 2},{'ERROR' if k % 4 == 1 else k % 2},{k % 2}" for k in range(N)))
    assert not any("ERROR=0" in str(one) for one in scored(labels).problems)


def test_lengths_beside_texts_are_no_scores() -> None:
    """With a reference there, what the systems wrote is compared."""
    lines = [f"{k},{p},it is {k} here,it was {k} {p},{k},{k + 2}" for k in range(N) for p in ("tldr", "bullets")]
    heads = "id,prompt_name,reference_summary,generated_summary,source_length_chars,generated_length_words"
    assert roles(asked(rows(heads, *lines)))["generated_length_words"] == "ignored"


def test_headings_may_say_in_which_language() -> None:
    """Reference Bangla is a reference; a note beside two outputs is none of them."""
    lines = [f"here {k} is,there {k} was,there {k} is,a {k} was,better {k}" for k in range(N)]
    found = scored(
        rows("Source English,Reference Bangla,Baseline Prediction,Improved Prediction,Better / Worse note", *lines)
    )
    assert [(one.role, one.name) for one in found.items if one.role != "ignored"] == [
        ("source", "Source English"), ("reference", "Reference Bangla"),
        ("system", "Baseline Prediction"), ("system", "Improved Prediction"),
    ]  # fmt: skip


def test_what_a_text_was_made_of_is_a_source() -> None:
    found = scored(rows("MR,output", *(f"name[{k}],it is {k}" for k in range(N))), "tgen.csv")
    assert [one.role for one in found.items] == ["source", "system"]


def test_what_was_rated_names_no_systems() -> None:
    """Five criteria of one text were five systems."""
    lines = [
        f"i{k},{'AB'[k % 2]}_terse,g{j},{d},{(k + j) % 4}"
        for k in range(8)
        for j in range(2)
        for d in ("D1_a", "D2_b", "D3_c")
    ]
    problem = asked(rows("item_id,gen_condition,rater,dimension,score", *lines))
    assert roles(problem)["dimension"] != "system"
    assert "dimension=system" not in problem.fix


def test_scores_that_one_system_lacks_are_not_offered() -> None:
    """A plan took the score that only one of two filters gave, and left the other one out; what they flagged is no score."""
    lines = [
        f"{m},{k},{k % 2},{k % 3 > 0},{value(k, 1) if i else ''}"
        for i, m in enumerate(("rules", "model"))
        for k in range(N)
    ]
    problem = asked(rows("method,row_id,label,flagged,score", *lines))
    assert "score=score" not in problem.fix
    assert "flagged=score" not in problem.fix
    full = [f"{m},{k},{k % 2},{value(k, i)}" for i, m in enumerate(("rules", "model")) for k in range(N)]
    assert "method=system row_id=question score=score" in asked(rows("method,row_id,label,score", *full)).fix


def test_the_place_of_a_text_names_no_systems() -> None:
    """Five models guess who wrote a text: neither the guess, nor the place, nor the reason is a system."""
    models = ("ana", "bo", "cy", "di")
    lines = [
        f"E{k}__{judge},E{k},{judge},{'ABCD'[j]},{one},{models[(j + k) % 4]},{(j * k) % 3 % 2},Clean and typical of {one}."
        for k in range(3)
        for judge in models
        for j, one in enumerate(models)
    ]
    problem = asked(rows("session_id,prompt_id,judge,slot,true_author,guessed_model,correct,reason", *lines))
    for name in ("slot", "guessed_model", "reason"):
        assert roles(problem)[name] == "ignored"
        assert f"{name}=system" not in problem.fix
    assert roles(problem)["true_author"] == "question"


def test_what_was_said_to_be_a_measure_is_no_text() -> None:
    """PASS and FAIL were scored against the right programs."""
    lines = [
        f"{k},{'PASS' if k % 3 else 'FAIL'},{'PASS' if k % 2 else 'FAIL'},def f(n): return n + {k}" for k in range(N)
    ]
    text = rows("sample,base_pass,lora_pass,ground_truth", *lines)
    assert "--columns pass=measure" in asked(text).fix
    assert means(scored(text, columns="pass=measure")) == {"base": pytest.approx(8 / N), "lora": 0.5}


def test_ratings_below_the_names_of_systems_and_of_what_was_rated() -> None:
    """The command that was printed was refused by the reader of ratings."""
    lines = [f"user: number {k},{1 + k % 5},{1 + k % 7},{2 + k % 3},{3 + k % 5}" for k in range(N)]
    heads = "dialogue history,m1.general liking,m1.sense of it,m2.general liking,m2.sense of it"
    said = {"columns": "general liking=measure\nsense of it=measure\ndialogue history=question"}
    found, _ = people(rows(heads, *lines), **said)
    assert of_people(found, "general liking") == {"m1": pytest.approx(33 / N), "m2": pytest.approx(36 / N)}
    assert of_people(found, "sense of it") == {"m1": pytest.approx(43 / N), "m2": pytest.approx(57 / N)}
    assert set(found.segment.tolist()) == {f"user: number {k}" for k in range(N)}
    refused = read_ratings([("people.csv", rows(heads, *lines).encode())], {"columns": "general joy=measure"})
    assert "no heading of a system and 'general joy'" in str(refused.problems[0])


def test_the_judge_of_ratings_whose_measures_are_said() -> None:
    lines = [f"i{k},{who},{1 + (k + j) % 5},{2 + k % 3}" for k in range(N) for j, who in enumerate(("Ann", "Ben"))]
    found, _ = people(
        rows("text_id,who,m1_liking,m2_liking", *lines), columns="liking=measure\nwho=judge\ntext_id=question"
    )
    assert set(found.judge.tolist()) == {"Ann", "Ben"}
    assert len(found.score) == 4 * N


def test_winners_beside_the_scores_they_come_from() -> None:
    """Both ways are offered: a column of winners is no judgment where it was made of the scores."""
    lines = [f"{k},{value(k, 0)},{value(k, 1)},{'Direct' if k % 3 else 'Noisy'}" for k in range(N)]
    text = rows("source,direct_bleu,noisy_bleu,winner", *lines)
    problem = asked(text)
    assert [roles for _, roles in problem.ways][:1] == ["bleu=measure winner=ignored"]
    assert problem.ways[-1][1].startswith("winner=winner")
    assert set(means(scored(text, columns="bleu=measure\nwinner=ignored"))) == {"direct", "noisy"}
    alone = asked(rows("source,winner", *(f"text {k},{'Direct' if k % 3 else 'Noisy'}" for k in range(N))))
    assert not alone.ways


@pytest.mark.parametrize("blank", [False, True])
def test_segments_without_a_document_have_their_own_name(blank: bool) -> None:
    """They were called `1 of `, and ratings of them were said to be of segments that the test set does not have."""
    own = [("d1", 1), ("d1", 2), ("d2", 1), ("" if blank else "d3", 1)]
    found = scored(
        rows("system,document,segment,score", *(f"{s},{d},{k},{i}" for i, s in enumerate("AB") for d, k in own))
    )
    ids = next(one.keys for one in found.items if one.role == "system")
    assert ids == ("1 of d1", "2 of d1", "1 of d2", "1" if blank else "1 of d3")


# What stands beside systems, and what names test sets.


def test_the_toxicity_of_the_prompt_is_no_system() -> None:
    """It was the best of four systems. A prompt beside one other score may be one."""
    lines = [f"{k},{value(k, 0)},{value(k, 1)},{value(k, 2)}" for k in range(N)]
    found = scored(rows("prompt_id,prompt_toxicity,gpt2_toxicity,ours_toxicity", *lines))
    assert set(means(found)) == {"gpt2_toxicity", "ours_toxicity"}
    assert "Not used: prompt_toxicity. By the heading it is a score of what the systems were given." in told(found)
    two = scored(
        rows("prompt_id,prompt_toxicity,gpt2_toxicity", *(f"{k},{value(k, 0)},{value(k, 1)}" for k in range(N)))
    )
    assert "prompt_toxicity" not in told(two).partition("Not used")[2]


@pytest.mark.parametrize("heading", ["language", "lang", "dataset", "lp", "Target language"])
def test_a_row_for_each_language_is_a_whole_test_set(heading: str) -> None:
    """Accuracies of fifteen languages were fifteen segments."""
    lines = [f"{name},{60 + k}.2,{61 + k}.4" for k, name in enumerate(("ar", "bg", "de", "el", "en", "es", "fr", "hi"))]
    problem = asked(rows(f"{heading},mBERT,XLM-R", *lines))
    assert problem.why == f"Each row has another {heading}: scores of whole test sets, not of segments."
    assert f"{heading}=question" in problem.fix
    several = [f"{('de', 'fr')[k % 2]},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    assert set(means(scored(rows(f"{heading},A,B", *several)))) == {"A", "B"}


def test_rows_of_an_ablation_are_whole_systems() -> None:
    """The printed plan made its tasks the systems. Beside a mean of the tasks nothing else can be meant."""
    lines = [
        f"{name},9{k}.2,8{k}.1,7{k}.3,8{k}.2" for k, name in enumerate(("full model", "- loss", "- adapter", "encoder"))
    ]
    (problem,) = scored(rows("variant,SST-2,MRPC,RTE,avg", *lines)).problems
    assert "has one row per system" in problem.what
    assert "rows=system" not in problem.fix


def test_the_mean_in_brackets_of_all_rows_is_no_question() -> None:
    lines = [f"q{k},text of {k},{value(k, 0):.4f},{value(k, 1):.4f}" for k in range(N)]
    mean = [f"{sum(value(k, i) for k in range(N)) / N:.4f}" for i in range(2)]
    found = scored(rows("qid,query,BM25,DPR", *lines, f"all,(mean),{mean[0]},{mean[1]}"))
    assert {len(one.segments) for one in found.items if one.role == "system"} == {N}
    other = scored(rows("qid,query,BM25,DPR", *lines, f"all,(mean),{mean[0]},9.5"))
    assert {len(one.segments) for one in other.items if one.role == "system"} == {N}
    wrong = scored(rows("qid,query,BM25,DPR", *lines, "all,(mean),9.25,9.5"))
    assert not wrong.problems
    assert {len(one.segments) for one in wrong.items if one.role == "system"} == {N + 1}


def test_items_that_come_again_with_each_prompt_are_asked_about() -> None:
    """24 items with three prompts were 72 independent ones."""
    lines = [f"i{k},{prompt},{value(k, 0)},{value(k, 1)}" for k in range(N) for prompt in ("plain", "cot", "few")]
    text = rows("item,prompt,A,B", *lines)
    problem = asked(text)
    assert problem.why.startswith("Does every item come again with each prompt?")
    assert [said for _, said in problem.ways] == ["item=question prompt=run", "item=question prompt=question"]
    assert list(roles(problem).values()) == ["question", "run", "system", "system"]
    again = scored(text, columns="item=question\nprompt=run")
    assert set(means(again)) == {"A", "B"}
    assert f"{N} questions with several rows each" in told(again)
    anew = scored(text, columns="item=question\nprompt=question")
    assert {len(set(one.keys)) for one in anew.items if one.role == "system"} == {3 * N}
    apart = [
        f"i{k},{prompt},{value(k, 0)},{value(k, 1)}" for p, prompt in enumerate(("plain", "cot")) for k in range(p, N)
    ]
    assert not scored(rows("item,prompt,A,B", *apart)).problems


def test_melted_measures_are_no_runs() -> None:
    """The printed command averaged ROUGE, BERTScore and the length of an answer."""
    lines = [
        f"d{k},{s},{name},{value(k, i) if name != 'length' else 40 + k}"
        for k in range(N)
        for i, s in enumerate("AB")
        for name in ("rouge1", "rougeL", "length")
    ]
    found = scored(rows("doc_id,model,variable,value", *lines))
    assert not found.problems
    assert {one.measure for one in found.items if one.role == "system"} == {"rouge1", "rougeL"}
    assert "rouge1, rougeL; not used: length" in told(found)


def test_two_sentences_whose_relation_is_labelled_are_no_outputs() -> None:
    """A hypothesis of NLI was taken for what the system wrote; the ids of pairs match the files."""
    labels = ("entailment", "neutral", "contradiction")
    lines = [f"p{k}r{k},Some people sit.,Nobody {k} sits.,{labels[k % 3]},{labels[k % 2]},0.{k}1" for k in range(9)]
    found = scored(rows("pairID,premise,hypothesis,gold_label,pred_label,prob_neutral", *lines))
    assert not found.problems
    used = [one for one in found.items if one.role in ("system", "reference")]
    assert [one.role for one in used] == ["reference", "system"]
    assert used[1].segments == tuple(labels[k % 2] for k in range(9))
    assert used[1].keys == tuple(f"p{k}r{k}" for k in range(9))


def test_how_sure_classifiers_were_is_no_score_beside_their_labels() -> None:
    """The printed plan compared the largest probabilities."""
    labels = ("positive", "negative", "neutral")
    lines = [
        f"{(7 * k) % 50},a text number {k},{labels[k % 3]},{labels[k % 2]},{labels[k * k % 3]},0.{k + 10},0.{k + 30}"
        for k in range(24)
    ]
    found = scored(rows(",text,label,logreg,svm,logreg_proba_max,svm_proba_max", *lines))
    assert not found.problems
    assert [(one.role, one.name) for one in found.items if one.role in ("system", "reference")] == [
        ("reference", "reference"), ("system", "logreg"), ("system", "svm"),
    ]  # fmt: skip


def test_numbers_beside_fields_of_a_log_may_be_systems_or_scores_of_one() -> None:
    """The only command that was printed made three recognisers scores of one system. `dauer` is a duration."""
    lines = [f"u{k},s{k % 3},{k}.5,{value(k, 0)},{value(k, 1)}" for k in range(N)]
    problem = asked(rows("utt_id,speaker,dauer_s,whisper-small,conformer-ctc", *lines))
    assert roles(problem)["dauer_s"] == "ignored"
    (systems, one) = problem.ways
    assert "whisper-small=system conformer-ctc=system" in systems[1]
    assert "whisper-small=score conformer-ctc=score" in one[1]


def test_predictions_beside_what_a_person_gave_are_compared_with_it() -> None:
    """The human score was offered as the score of a system."""
    lines = [f"e{k},{100 + k},{k % 5 + 4},{k % 3 + 5},{k % 4 + 4}" for k in range(N)]
    problem = asked(rows("essay_id,word_count,human_score,bert_pred,gpt_pred", *lines))
    assert problem.plan["human_score"] == "reference"
    assert [name for name, role in problem.plan.items() if role == "system"] == ["bert_pred", "gpt_pred"]
    assert "--columns bert_pred=system gpt_pred=system." in problem.why


def test_names_of_articles_are_ids() -> None:
    """xsum_5 below article was a text, so the numbers beside it could not be used."""
    found = scored(rows("article,A,B", *(f"xsum_{3 * k},{value(k, 0)},{value(k, 1)}" for k in range(N))))
    assert set(means(found)) == {"A", "B"}
    assert next(one.keys for one in found.items if one.role == "system")[1] == "xsum_3"


def test_a_choice_between_left_and_right_is_asked_about() -> None:
    """The seconds of three annotators were scores. A dialogue is one question, however many judge it."""
    lines = [
        f"d{k},ann{j},{'AB'[k % 2]},{'BA'[k % 2]},{('left', 'right', 'tie')[(k + j) % 3]},{20 + (k * j) % 7}"
        for k in range(8)
        for j in range(3)
    ]
    problem = asked(rows("dialogue_id,annotator,left,right,choice,seconds", *lines))
    assert problem.plan == {
        "dialogue_id": "question", "left": "first", "right": "second", "choice": "winner",
    }  # fmt: skip


def test_ratings_that_r_wrote_are_read_as_it_is_said() -> None:
    """The names of its rows have no heading; the printed command was refused for that."""
    lines = [f'"{k + 1}" "{s}" {k // 2} {60 + k % 7} {20 + k}' for k in range(2 * N) for s in ["AB"[k % 2]]]
    text = "\n".join(['"submission" "sample" "fluency" "worktime"', *lines]) + "\n"
    found = read_ratings([("r.txt", text.encode())], {"columns": "submission=system\nsample=question\nfluency=score"})
    assert not found.problems
    assert set(found.judgments[0].system.tolist()) == {"A", "B"}
    assert len(found.judgments[0].score) == 2 * N


def test_a_question_beside_a_reference_is_no_system() -> None:
    """A file of prompts and right answers made the prompt a rival of the outputs."""
    lines = [f"what is {k} and {k},it is {2 * k}" for k in range(N)]
    found = scored(rows("prompt,reference", *lines), "gold.csv")
    assert [one.role for one in found.items if one.role in ("system", "reference")] == ["reference"]
    assert "Not used: prompt. By the heading it is not an output." in told(found)


def test_a_text_is_not_like_itself() -> None:
    """The only text was asked about as the reference of itself."""
    found = scored(rows("id,sentence", *(f"{k},it is {k} here" for k in range(N))), "out.csv")
    assert "Is sentence the reference?" not in str(found.problems)


def test_another_output_like_one_of_two_references_belongs_to_it() -> None:
    """A baseline beside German and French made both languages one test set, with two references."""
    lines = [
        f"{k},der Hund Nummer {k} bellt,der Hund {k} bellt,le chien {k} aboie,un chien {k} aboie,der Hund Nummer {k}"
        for k in range(N)
    ]
    found = scored(rows("id,de_ref,de_pred,fr_ref,fr_pred,baseline", *lines))
    parts = {}
    for one in found.items:
        parts.setdefault(one.testset, []).append(one.role)
    assert all(roles.count("reference") == 1 for name, roles in parts.items() if "system" in roles)


def test_a_last_row_of_percentages_may_be_their_mean() -> None:
    lines = [f"cnn-{k:03},{100 * value(k, 0):.1f}%,{100 * value(k, 1):.1f}%" for k in range(N)]
    one, other = (100 * sum(value(k, i) for k in range(N)) / N for i in range(2))
    found = scored(rows("article,lead3,bart", *lines, f"AVG,{one:.1f}%,{other:.1f}%"))
    assert {len(one.segments) for one in found.items if one.role == "system"} == {N}
    assert "Its last row, AVG, sums up the others" in told(found)


@pytest.mark.parametrize("heading", ["lp", "language", "src_lang"])
def test_languages_are_no_runs(heading: str) -> None:
    """Segments numbered anew in each pair of languages were offered as three runs of the same question."""
    lines = [f"{lp},{k},{s},{value(k, i)}" for lp in ("en-de", "en-cs") for k in range(N) for i, s in enumerate("AB")]
    (problem,) = scored(rows(f"{heading},seg_id,system,comet", *lines)).problems
    assert f"{heading}=run" not in problem.fix


def test_words_that_may_be_scores_are_shown_with_what_to_fill_in() -> None:
    """pass, fail and timeout were neither text nor scores, and nothing said what to do."""
    lines = [
        f"t{k},{s},{('pass', 'fail', 'timeout')[(k + i) % 3]},{100 + k}" for k in range(N) for i, s in enumerate("AB")
    ]
    text = rows("task_id,model,status,runtime_ms", *lines)
    (problem,) = scored(text).problems
    assert problem.fix.endswith("--columns status=score --cells fail=0 pass=1 timeout=NUMBER.")
    assert means(scored(text, columns="status=score", cells="fail=0\npass=1\ntimeout=0")) == pytest.approx(
        {"A": 1 / 3, "B": 1 / 3}
    )
    twice = rows(
        "task_id,model,status,place",
        *(f"{line.rpartition(',')[0]},{('here', 'there')[len(line) % 2]}" for line in lines),
    )
    assert "NUMBER" not in str(scored(twice).problems)


def test_ranks_by_several_people_name_the_stories() -> None:
    """Each story was judged by two people, so no column named the rows; the plan made the story a system."""
    orders = ("1,2,3", "2,1,3", "3,1,2")
    lines = [f"story{k},e{j},{orders[(k + j) % 3]}" for k in range(9) for j in range(2)]
    found, said = people(rows("story,evaluator,rank_sysA,rank_sysB,rank_sysC", *lines))
    assert set(found.segment.tolist()) == {f"story{k}" for k in range(9)}
    assert "1 the best: ranks count with a minus" in said


def test_a_column_without_a_heading_is_in_no_command() -> None:
    """`=score` is no role."""
    lines = [f"{k},{k % 2},{k // 2},{'AB'[k % 2]},{value(k, k % 2)}" for k in range(2 * N)]
    found = read_ratings([("r.csv", rows(",participant,item,condition,rating", *lines).encode())])
    assert " =score" not in str(found.problems)
    assert "does not say what a column holds" not in str(found.problems)
