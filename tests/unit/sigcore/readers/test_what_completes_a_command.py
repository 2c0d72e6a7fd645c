"""What completes roles that somebody named, or a table about which a rule has no command: tried before it is printed."""

from __future__ import annotations

import itertools
import shlex
from statistics import mean

import pytest

from sigcore.readers import Choice, read
from sigcore.readers.contract import PARTS_OF_TABLES
from sigcore.readers.tables import said
from tests.made_tables import N, asked, means, roles, rows, scored, value

SYSTEMS = ("base", "large")
NOISE, SPLIT, ITEMS = ("clean", "typo", "upper"), ("test", "val"), tuple(f"q{k}" for k in range(N))


def crossed(heading: str, *factors: tuple[str, ...]) -> str:
    """A row for each system and combination of factors, whose score is 1 for every second one of `large`."""
    own = [
        f"{name},{','.join(both)},{i % 2 if name == 'large' else 0}"
        for name in SYSTEMS
        for i, both in enumerate(itertools.product(*factors))
    ]
    return rows(heading, *own)


def led(text: str, way: int = 0, **options: str) -> dict[str, float]:
    """The means after one of the commands that complete what was said."""
    command, _, cells = asked(text, **options).ways[way][1].partition(" --cells ")
    return means(scored(text, columns="\n".join(shlex.split(command)), cells="\n".join(shlex.split(cells))))


def test_columns_that_only_together_name_the_questions_are_found() -> None:
    """A heading with the word of a measure (noise_type) above words holds no scores, and a language may be part of a name."""
    text = crossed("model,noise_type,split,language,acc", NOISE, SPLIT, ("de", "en"))
    ((why, command),) = asked(text, columns="model=system").ways
    assert why == "noise_type, split, language name the questions"
    assert command.split() == [
        "model=system", "noise_type=question", "split=question", "language=question", "acc=score"
    ]  # fmt: skip
    found = scored(text, columns="\n".join(command.split()))
    assert means(found) == {"base": 0, "large": 0.5}
    assert {len(one.segments) for one in found.items} == {12}


def test_a_column_that_repeats_another_names_no_question() -> None:
    own = [f"{name},{name}-v1,{a},{a[0]},{b},{i}" for name in SYSTEMS for i, (a, b) in enumerate(itertools.product(NOISE, ("x", "y", "z")))]  # fmt: skip
    text = rows("model,backend,kind,letter,part,acc", *own)
    ways = asked(text, columns="model=system").ways
    assert {way.split()[1] for _, way in ways} <= {"kind=question", "part=question"}
    assert not any("backend" in way or "letter" in way for _, way in ways)


def test_what_was_said_is_in_the_command_once() -> None:
    text = crossed("model,noise_type,split,acc", NOISE, ("a", "b", "c"))
    ways = asked(text, columns="model=system\nsplit=question").ways
    assert [way.split() for _, way in ways] == [
        ["model=system", "split=question", "noise_type=task", "acc=score"],
        ["model=system", "split=question", "noise_type=question", "acc=score"],
    ]
    assert led(text, 1, columns="model=system\nsplit=question") == {"base": 0, "large": pytest.approx(0.5, abs=0.1)}


def test_a_few_words_tell_rows_of_an_id_apart_or_are_part_of_the_question() -> None:
    text = crossed("arm,variant,item_id,helpful", ("x", "y"), ITEMS)
    first, second = (way.split() for _, way in asked(text, columns="arm=system").ways)
    assert first == ["arm=system", "item_id=question", "variant=task", "helpful=score"]
    assert second == ["arm=system", "item_id=question", "variant=question", "helpful=score"]


def test_scores_that_were_said_stay_the_only_ones() -> None:
    own = [
        f"{m},{a},{b},{i % 2},{i}"
        for m in SYSTEMS
        for i, (a, b) in enumerate(itertools.product(NOISE, ("x", "y", "z")))
    ]
    text = rows("model,kind,part,acc,f1", *own)
    for _, command in asked(text, columns="model=system\nf1=score").ways:
        assert "acc=score" not in command
        assert command.count("f1=score") == 1


@pytest.mark.parametrize("said", ["a=system\nb=system", "text=text", "judge=judge"])
def test_nothing_is_completed_where_other_things_are_said(said: str) -> None:
    """Systems in columns, texts and judges are no names that cross questions."""
    own = [f"q{k % 9},{value(k, 0)},{value(k, 1)},t{k},j{k % 2}" for k in range(18)]
    problems = scored(rows("id,a,b,text,judge", *own), columns=said).problems
    assert not any("name the questions" in one.fix for one in problems)


def test_rows_of_a_system_and_an_id_that_nothing_tells_apart_may_be_runs() -> None:
    own = [f"{m},{i},{(i + j) % 2},{i * 7 % 5}" for j, m in enumerate("abcc") for i in range(N)]
    text = rows("arm,item_id,is_correct,tokens", *own)
    ((_, command),) = asked(text, columns="arm=system").ways
    assert command == "arm=system item_id=question is_correct=score rows=run"
    assert led(text, columns="arm=system")["c"] == pytest.approx(0.5)


def test_another_system_is_offered_next_to_a_plan_of_one() -> None:
    own = [
        f"{name},report-{k},{13 + k},{value(k, i)},{value(k, i + 2)}"
        for i, name in enumerate(SYSTEMS)
        for k in range(N)
    ]
    problem = asked(rows("model,report,truth_count,recall,hallucination_rate", *own))
    assert "truth_count=question" in problem.fix.partition(" Or, if ")[0]
    other = problem.fix.partition(" Or, if ")[2]
    said = "model names the systems, and report the questions (2 systems on 12 segments)"
    assert other.startswith(f"{said}: --columns model=system report=question")


def test_two_outcomes_name_no_systems_next_to_names() -> None:
    own = [f"v{k},{arm},{k * 3 % 7},{k % 2 == i},True" for i, arm in enumerate("AB") for k in range(N)]
    assert "caught=system" not in asked(rows("variant_id,arm,queries_failed,caught,logged", *own)).fix


# Gold labels next to predictions.

LABELS = ["NN", "VB", "JJ", "NN", "VB", "NN", "JJ", "VB", "NN", "VB"]


def test_two_pairs_of_right_and_predicted_columns_are_tasks() -> None:
    """A gold column of another task was a rival: True_B stood in a table of predictions of True_A."""
    own = [f"{k % 5},{(k + k % 2) % 5},{k % 2},{k // 2 % 2}" for k in range(40)]
    for heading in (
        "True_Rating,Predicted_Rating,True_Mood,Predicted_Mood",
        "rating_true,rating_pred,mood_true,mood_pred",
        "gold rating,pred rating,gold mood,pred mood",
    ):
        text = rows(heading, *own)
        problem = asked(text)
        assert len(problem.ways) == 2
        assert "2 tasks" in problem.why
        found = scored(text, columns="\n".join(shlex.split(problem.ways[0][1])))
        assert len([one for one in found.items if one.role == "system"]) == 1


def test_one_pair_is_no_question() -> None:
    own = [f"{k % 5},{(k + k % 2) % 5}" for k in range(40)]
    assert not scored(rows("True_Rating,Predicted_Rating", *own)).problems


def test_labels_without_a_known_heading_are_found_by_their_words() -> None:
    """Next to a gold column; what was asked, and whether an answer was right, share no word with it."""
    own = [
        f"s{k % 7},w{k},{gold},{LABELS[k - 1]},{gold if k % 3 else 'RB'},{gold == LABELS[k - 1]}"
        for k, gold in enumerate(LABELS)
    ]
    text = rows("sentence,word,gold,pos_rules,pos_crf,rules_correct", *own)
    problem = asked(text)
    assert [name for name, role in roles(problem).items() if role == "system"] == ["pos_rules", "pos_crf"]
    found = scored(text, columns="\n".join(f"{one.column}={one.role}" for one in problem.claims))
    assert {one.name for one in found.items if one.role == "system"} == {"pos_rules", "pos_crf"}


def test_what_predictions_are_of_is_asked() -> None:
    """`pred` is no measure of zero_shot and few_shot: their labels had a mean, and the most toxic one was the best."""
    own = [f"t{k},{k % 2},{k // 2 % 2},{k // 3 % 2}" for k in range(N)]
    text = rows("text,is_toxic,zero_shot_pred,few_shot_pred", *own)
    problem = asked(text)
    assert [way for _, way in problem.ways] == ["is_toxic=reference zero_shot_pred=system few_shot_pred=system"]
    assert "=measure" not in problem.fix
    found = scored(text, columns="\n".join(problem.ways[0][1].split()))
    assert {one.kind for one in found.items if one.role == "system"} == {"text"}


@pytest.mark.parametrize("name", ["all_predictions.csv", "preds.csv", "model-pred.csv"])
def test_whole_numbers_in_a_file_of_predictions_are_classes(name: str) -> None:
    own = [f"{k},{k % 5},{k * 3 % 5},{k * 2 % 5},{k * 4 % 5}" for k in range(N)]
    text = rows("id,Abstract_LR,Abstract_SVM,Title_LR,Title_SVM", *own)
    assert "predictions that need gold labels" in asked(text, name).why
    assert "predictions that need gold labels" not in asked(text, "scores.csv").why


def test_words_without_right_ones_may_be_labels() -> None:
    own = [f"{k},{'pos' if k % 2 else 'neg'},{'pos' if k % 3 else 'neg'},{'pos' if k % 5 else 'neu'}" for k in range(N)]
    assert "--reference FILE" in asked(rows("index,A,B,C", *own)).why


# Criteria, outcomes and what is right.


def test_a_dimension_is_a_measure() -> None:
    own = [f"t{k},{m},{d},{(k + i + j) % 5}" for k in range(N) for i, m in enumerate(SYSTEMS) for j, d in enumerate(("clear", "short"))]  # fmt: skip
    problem = asked(rows("task_id,model,dimension,judge_score", *own))
    assert roles(problem)["dimension"] == "measure"


def test_true_and_false_are_scores_next_to_a_measure() -> None:
    own = [
        f"v{k},{arm},{r},{k * 3 % 7},{k % 2 == i},True" for i, arm in enumerate("AB") for r in "xy" for k in range(N)
    ]
    problem = asked(rows("variant_id,arm,part,queries_failed,caught,logged", *own), columns="arm=system")
    assert all("caught=score" in command for _, command in problem.ways)
    assert "logged=score" not in problem.fix


def test_columns_of_what_is_right_name_neither_systems_nor_questions() -> None:
    own = [f"G{k},{'ab'[k % 2]},{'ab'[k // 2 % 2]},{'xyz'[k % 3]},{k % 4},{k % 5}" for k in range(18)]
    text = rows("example_id,ground_truth_handling,decision,predicted_intent,human_score,quality_score", *own)
    commands = " ".join(one.fix for one in scored(text).problems)
    assert "ground_truth_handling=system" not in commands
    assert "predicted_intent=question" not in commands


def test_runs_of_systems_in_each_task_are_what_is_paired() -> None:
    """A count that happens to tell the rows apart names no question."""
    own = [f"{task},{seed},{h},{(seed + i) % 2},{seed + i},{seed * 3 + i}" for task in ("sort", "range") for seed in range(N) for i, h in enumerate(("basic", "full"))]  # fmt: skip
    text = rows("task,seed,harness,success,turns,edits", *own)
    commands = " ".join(one.fix for one in scored(text).problems)
    assert "edits=question" not in commands
    assert "harness=system seed=question" in commands


# What unseen files were asked wrongly.


def test_a_setting_of_whole_numbers_is_a_part_of_the_system() -> None:
    """The printed command ended in an error, and its first measure was a time."""
    own = [f"f{k},{m},{b},{k},{value(k, i + b)}" for k in range(N) for i, m in enumerate(SYSTEMS) for b in (1, 3)]
    text = rows("file,model_name,beam_size,asr_time,wer", *own)
    (problem,) = scored(text).problems
    command = "model_name=system beam_size=system file=question wer=score"
    assert f"--columns {command}." in problem.fix
    assert {*means(scored(text, columns="\n".join(command.split())))} == {"base, 1", "base, 3", "large, 1", "large, 3"}


def test_the_constant_name_of_another_metric_gives_no_direction() -> None:
    """MetricX stood in every row, so its correlation was better the lower it was."""
    own = [f"d{k},{m},MetricX,{value(k, i)}" for k in range(N) for i, m in enumerate(SYSTEMS)]
    said = "dataset=question\nmethod=system\nprr_score=score"
    found = scored(rows("dataset,method,metric,prr_score", *own), columns=said)
    assert {one.measure for one in found.items if one.role == "system"} == {"prr_score"}
    plain = scored(rows("dataset,method,metric,score", *own), columns=said.replace("prr_score", "score"))
    assert all("MetricX" in one.measure for one in plain.items if one.role == "system")


def test_what_each_of_several_systems_answered_right_is_no_measure_of_one() -> None:
    own = [f"q{k},{'a long answer of many words ' * (k % 4)},no,{k % 2 == 0},{k % 3 == 0}" for k in range(N)]
    text = rows("question_id,plain_answer,tuned_answer,plain_correct,tuned_correct", *own)
    ways = [way for problem in scored(text).problems for _, way in asked(text).ways if problem]
    assert not any("plain_correct=score" in way for way in ways)


def test_ones_and_zeros_may_be_labels() -> None:
    own = [f"God,{k},{k % 2},{k // 2 % 2},{k // 3 % 2}" for k in range(N)]
    problem = asked(rows("smell,element,designite,gpt,qwen", *own))
    assert "If 1 and 0 are labels, one column is what is right: --columns NAME=reference." in problem.fix


def test_the_help_lists_all_roles_of_columns() -> None:
    (shown,) = (option.help for option in said.FIELDS if option.name == "columns")
    assert f"Roles: {', '.join(PARTS_OF_TABLES)}." in shown


def test_a_command_says_what_it_would_compare() -> None:
    """A plan names its systems, a reading counts them; both count the segments, those with the scores of all, and their rows."""
    lines = [f"q{k},{'' if k % 3 == 0 else value(k, 1)},{value(k, 3)},{value(k, 5)},{900 - k}" for k in range(N)]
    problem = asked(rows("item,foo,bar,qux,baz", *lines))
    assert problem.outcome == "It would compare foo, bar, qux on 12 segments, 8 with all scores."
    assert f"{problem.outcome} If that is right, confirm it: --columns" in problem.fix
    runs = [f"{name},q{k},{run},{value(k, run)},x" for name in SYSTEMS for k in range(N) for run in range(2)]
    (way,) = (problem := asked(rows("prompt,item,seed,points,kind", *runs))).ways
    assert problem.outcomes[way[1]] == "2 systems on 12 segments in 24 rows"
    assert f"the questions (2 systems on 12 segments in 24 rows): --columns {way[1]}." in problem.fix


def test_a_command_for_one_system_does_not_say_that_it_compares() -> None:
    problem = asked(
        rows("id,Tone,Fact_Recall,length", *(f"q{k},{'ab'[k % 2]},{value(k, 1)},{30 + k}" for k in range(N)))
    )
    assert not problem.outcome


def test_a_reading_without_a_segment_of_all_systems_gives_way() -> None:
    """The stages of a system tried other settings, so that both together share none; the systems alone share some."""
    tried = [("pilot", "ab", ("one", "two")), ("curve", "abcd", ("main", "last"))]
    lines = [
        f"{stage},{name},{n},{seed},{tag},{value(seed + n, i)},{value(seed, n + i)}"
        for stage, named, tags in tried
        for i, name in enumerate(named)
        for tag in tags
        for n in (100, 300)
        for seed in range(3)
    ]
    problem = asked(rows("stage,model,n,seed,tag,dev_acc,test_acc", *lines))
    assert problem.ways
    assert all("stage=system" not in roles for _, roles in problem.ways)
    assert all(", 0 with all scores" not in problem.in_words(way) for way in problem.ways)


@pytest.mark.parametrize("kinds", [("clarity_rating", "depth_rating"), ("first_score", "second_score")])
def test_marks_of_several_kinds_next_to_names_are_no_systems(kinds: tuple[str, str]) -> None:
    lines = [f"{k},{name},{value(k, i)},{value(k, i + 2)}" for k in range(N) for i, name in enumerate(SYSTEMS)]
    problem = asked(rows(f"id,key,{','.join(kinds)}", *lines))
    assert "key=system" in problem.fix
    assert f"{kinds[0]}=system" not in problem.fix


def test_a_verdict_that_repeats_what_was_expected_names_no_system() -> None:
    """PASS, FAIL and UNKNOWN below actual come again below expected: they are answers."""
    lines = [
        f"{name},t{k},{('PASS', 'FAIL')[k % 2]},{('PASS', 'FAIL', 'UNKNOWN')[(k + i) % 3]},{(k + i) % 2}"
        for i, name in enumerate(SYSTEMS)
        for k in range(N)
    ]
    problem = asked(rows("arm,test_case,Expected,Actual,Correct", *lines))
    assert "arm=system" in problem.fix
    assert "Actual=system" not in problem.fix


@pytest.mark.parametrize("worker", [3, 38202325])
def test_people_who_are_numbers_are_no_measure(worker: int) -> None:
    """Where somebody says that they judged, next to scores, or their numbers have more digits than a mark."""
    lines = [f"q{k},{worker + k % 2},{value(k, 1)},{value(k, 2)}" for k in range(2 * N)]
    for head, person in (("item,who,fluency,adequacy", "\nwho=judge"), ("item,worker_id,fluency,adequacy", "")):
        columns = f"item=question{person}\nfluency=score\nadequacy=score"
        found = scored(rows(head, *lines), columns=columns)
        assert {one.measure for one in found.items if one.role == "system"} == {"fluency", "adequacy"}


def test_texts_that_need_a_reference_say_so_before_the_command() -> None:
    problem = asked("".join(f"https://a.b/{k},w{k} one two three four,w{k}\n" for k in range(N)))
    assert problem.outcome.endswith(f"on {N} segments, whose texts need a reference.")


def test_names_next_to_numbers_are_not_their_rivals() -> None:
    """The column that may name systems is no system beside the columns of marks."""
    lines = [f"v|{k % 6}|1,{who},{value(k, 1)},{value(k, 2)},0.01,{k}" for who in ("gpt", "gemini") for k in range(N)]
    problem = asked(rows("key,judge,V1,V2,cost_usd,latency_ms", *lines))
    assert "key=system V1=system" not in problem.fix


@pytest.mark.parametrize(
    "head", ["item,{0}_rater1,{0}_rater2,{1}_rater1,{1}_rater2", "item,rater1_{0},rater2_{0},rater1_{1},rater2_{1}"]
)
def test_people_in_headings_of_systems_are_offered_as_people(head: str) -> None:
    """Their ratings are averaged for tests of systems, and are those of two judges for people."""
    marks = [[1 + (3 * k + 2 * i) % 5 for i in range(4)] for k in range(N)]
    text = rows(head.format(*SYSTEMS), *(f"q{k},{','.join(map(str, own))}" for k, own in enumerate(marks)))
    what, command = asked(text).ways[0]
    assert what == "rater1, rater2 are people who rated base, large"
    said = "\n".join(shlex.split(command))
    expected = {name: mean(sum(own[2 * i : 2 * i + 2]) / 2 for own in marks) for i, name in enumerate(SYSTEMS)}
    assert means(scored(text, columns=said)) == pytest.approx(expected)
    (people,) = read([("t.csv", text.encode())], every=Choice("ratings", {"columns": said})).judgments
    assert {*people.judge.tolist()} == {"rater1", "rater2"}
    for i, name in enumerate(SYSTEMS):
        assert people.score[people.system == name].sum() == sum(sum(own[2 * i : 2 * i + 2]) for own in marks)


ANSWERS = ("correct", "incorrect", "no-response")


def of_answers(last: str) -> str:
    """Systems in rows and the words of answers in columns; the last of both systems to the last question is this word."""
    lines = [
        ",".join([name, *(ANSWERS[(k + i) % 2] for k in range(6)), last if i else "correct", "4", "57.1%"])
        for i, name in enumerate("ab")
    ]
    return rows("Model,boludo,che,copado,laburo,pete,pibe,mina,total_correct,accuracy", *lines)


def test_words_for_right_and_wrong_in_columns_are_answers_to_questions() -> None:
    """They are no means of test sets, and what counts them is no question; another word is asked about."""
    assert means(scored(of_answers("correct"))) == pytest.approx({"a": 4 / 7, "b": 4 / 7})
    assert means(scored(of_answers("incorrect"))) == pytest.approx({"a": 4 / 7, "b": 3 / 7})
    problem = asked(of_answers("no-response"))
    assert "7 columns say who was right. What do no-response stand for?" in problem.why
    for (_, command), expected in zip(problem.ways, (3 / 6, 3 / 7), strict=True):
        columns, _, cells = command.partition(" --cells ")
        found = scored(of_answers("no-response"), columns=columns, cells=cells)
        assert means(found) == pytest.approx({"a": 4 / 7, "b": expected})
    assert means(scored(of_answers("no-response"), cells="no-response=0")) == pytest.approx({"a": 4 / 7, "b": 3 / 7})


@pytest.mark.parametrize(
    ("numbers", "measures"),
    [(range(1, 13), {"MRR@10", "NDCG@10"}), ([*range(1, 12), 3], {"metric", "MRR@10", "NDCG@10"})],
)
def test_numbers_that_go_up_beside_measures_are_those_of_questions(numbers: list[int], measures: set[str]) -> None:
    """Whatever their heading: a table that was turned has metric above the queries."""
    found = scored(rows("metric,MRR@10,NDCG@10", *(f"{k},{value(k, 1)},{value(k, 2)}" for k in numbers)))
    assert {one.measure for one in found.items if one.role == "system"} == measures


def test_other_numbers_of_questions_are_the_same_in_all_files() -> None:
    files = [
        (
            f"{name}.csv",
            rows(
                "metric,MRR@10,NDCG@10", *(f"{7 * k % 13},{value(k, i)},{value(k, i + 1)}" for k in range(N))
            ).encode(),
        )
        for i, name in enumerate(SYSTEMS)
    ]
    assert {one.measure for one in read(files).items if one.role == "system"} == {"MRR@10", "NDCG@10"}
