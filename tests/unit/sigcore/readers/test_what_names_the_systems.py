"""What one made table in many layouts found: systems in rows, in brackets, in runs or prompts, and what is right beside outputs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from random import Random

import pytest

from sigcore.readers import Choice, Intake, read
from sigcore.readers.tables import header
from sigcore.readers.tables.unclear import Unclear
from tests.made_tables import asked, means, rows, scored, told, value
from tests.unit.sigcore.readers.test_votes_and_rows import said

N = 24
IDS = [f"q{k:02}" for k in range(N)]
NAMES = ("base", "large", "tuned")


def mean(i: int) -> float:
    return sum(value(k, i) for k in range(N)) / N


def files(**texts: str) -> list[tuple[str, bytes]]:
    return [(name.replace("__", "/").replace("_csv", ".csv"), text.encode()) for name, text in texts.items()]


def outputs(found: Intake) -> dict[str, dict[str, str]]:
    """The outputs of each system by the ids of their rows."""
    own = [item for item in found.items if item.role == "system" and item.kind == "text"]
    return {
        item.name: dict(zip(item.keys or map(str, range(len(item.segments))), item.segments, strict=True))
        for item in own
    }


# Systems in rows, questions in columns.


@pytest.mark.parametrize("name", ["doc-{}.txt", "{:08x}a", "#{}"])
@pytest.mark.parametrize("head", ["config", "source", "run", "name"])
def test_more_columns_than_rows_with_ids_for_headings_are_questions(name: str, head: str) -> None:
    """Each id was a system with a score of two segments."""
    lines = [f"{who},{','.join(str(value(k, i)) for k in range(N))}" for i, who in enumerate(NAMES)]
    text = rows(f"{head},{','.join(name.format(k + 1) for k in range(N))}", *lines)
    problem = asked(text)
    assert problem.ways[0][1] == "rows=system"
    assert means(scored(text, columns="rows=system")) == {who: pytest.approx(mean(i)) for i, who in enumerate(NAMES)}


def test_more_rows_than_columns_are_no_systems() -> None:
    text = rows(f"config,{','.join(f'doc-{k}.txt' for k in range(12))}", *(f"s{i},{','.join(str(value(k, i)) for k in range(12))}" for i in range(12)))  # fmt: skip
    assert "Is each of its" not in str(scored(text).problems)


def test_ids_that_come_again_unevenly_are_no_sign_of_systems() -> None:
    lines = [f"i{k // 3 if k % 4 else k},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    assert "a second time" not in str(scored(rows("item,base,large", *lines)).problems)


def test_rows_with_ids_of_their_own_are_questions() -> None:
    """q1 and q2 below question are no systems, however many columns there are."""
    text = rows(f"question,{','.join(f's{k}' for k in range(N))}", *(f"q{i},{','.join(str(value(k, i)) for k in range(N))}" for i in range(12)))  # fmt: skip
    assert len(means(scored(text))) == N


@pytest.mark.parametrize("names", [("1", "2", "3"), ("0.1", "0.5", "1.0")])
def test_numbers_that_name_systems_in_rows(names: Sequence[str]) -> None:
    lines = [f"{who},{','.join(str(value(k, i)) for k in range(N))}" for i, who in enumerate(names)]
    text = rows(f"agent,{','.join(IDS)}", *lines)
    assert asked(text).why.startswith("Is each of its 3 rows a system, and each of 24 columns a question?")
    assert set(means(scored(text, columns="rows=system"))) == {*names}


def test_numbers_in_a_row_are_headings() -> None:
    """They were the scores of a first row of words and numbers, and all columns were texts then."""
    text = rows(f"tool,{','.join(map(str, range(N)))}", *(f"{who},{','.join('TrueFalse'[4 * (k % (i + 2) == 0) :][:5].strip('F') or 'False' for k in range(N))}" for i, who in enumerate(NAMES)))  # fmt: skip
    found = scored(text)
    assert not [item for item in found.items if item.name.startswith("t column")]


@pytest.mark.parametrize("mark", [",", "   "])
def test_numbers_above_ids_that_count_are_names_of_systems(mark: str) -> None:
    lines = [mark.join((str(k + 1), *(str(value(k, i)) for i in range(3)))) for k in range(N)]
    name = "scores.csv" if mark == "," else "scores.txt"
    found = scored("\n".join([mark.join(("example", "0.1", "0.5", "1.0")), *lines]) + "\n", name)
    assert means(found) == {who: pytest.approx(mean(i)) for i, who in enumerate(("0.1", "0.5", "1.0"))}


def test_a_table_of_small_numbers_is_no_list_of_links() -> None:
    lines = [f"{k + 1}   {k % 5}   {k % 3}   {k % 4}" for k in range(N)]
    assert set(means(scored("\n".join(["case   base   large   tuned", *lines]) + "\n", "scores.txt"))) == {*NAMES}


def test_true_and_false_between_blanks_are_scores() -> None:
    lines = [f"{k + 1}   {k % 3 > 0}   {k % 4 > 0}" for k in range(N)]
    found = scored("\n".join(["case   base   large", *lines]) + "\n", "scores.txt")
    assert means(found) == {"base": pytest.approx(16 / 24), "large": pytest.approx(18 / 24)}


# Names in brackets, and a measure behind names.


@pytest.mark.parametrize("form", ["{m} ({s})", "{m} [{s}]", "{s} ({m})", "{s} [{m}]"])
@pytest.mark.parametrize("measures", [("wer", "cer"), ("rouge-l", "bleu"), ("loss", "accuracy")])
def test_names_in_brackets_are_systems_and_measures_keep_their_own(form: str, measures: tuple[str, str]) -> None:
    """rouge-l (base) and rouge-l (large) were two measures of one system, and (wer) was a measure."""
    heads = [form.format(m=measure, s=name) for measure in measures for name in ("base", "large")]
    body = [",".join((one, *(str(value(k, i)) for i in range(4)))) for k, one in enumerate(IDS)]
    found = scored(rows(",".join(["id", *heads]), *body))
    own = {(item.name, item.measure): item.segments for item in found.items if item.role == "system"}
    assert own.keys() == {(name, measure) for measure in measures for name in ("base", "large")}
    assert own["large", measures[0]] == tuple(str(value(k, 1)) for k in range(N))


@pytest.mark.parametrize(
    "heads",
    ["F1 (macro),F1 (micro)", "WER (CER),WER (BLEU)", "base (x),large (x)", "WER (base),BLEU (large)", "WER (base)"],
)
def test_other_words_in_brackets_stay_where_they_are(heads: str) -> None:
    assert header.called(["id", *heads.split(",")]) == ["id", *heads.split(",")]


def test_kinds_of_a_measure_in_brackets_are_none() -> None:
    body = [f"{one},{value(k, 0)},{value(k, 1)}" for k, one in enumerate(IDS)]
    found = scored(rows("id,F1 (macro),F1 (micro)", *body))
    assert not {item.name for item in found.items} & {"macro", "micro"}


@pytest.mark.parametrize(
    ("heads", "is_asked"), [("1_error,2_error", True), ("base_loss,large_loss", True), ("f1,loss", False)]
)
def test_one_measure_behind_other_words_is_of_one_system_only_if_somebody_says_so(heads: str, is_asked: bool) -> None:
    body = [f"{one},{value(k, 0)},{value(k, 1)}" for k, one in enumerate(IDS)]
    found = scored(rows(f"qid,{heads}", *body))
    assert bool(found.problems) is is_asked
    if is_asked:
        command = found.problems[0].fix.partition("--columns ")[2].partition(".")[0]  # type: ignore[attr-defined]
        assert len(means(scored(rows(f"qid,{heads}", *body), columns="\n".join(shlex.split(command))))) == 2


# Runs, prompts, and ids that come again.


def in_rows(head: str, names: Sequence[str] = NAMES, cell: str = "") -> str:
    return rows(
        head, *(f"{one},{name},{value(k, i)}{cell}" for k, one in enumerate(IDS) for i, name in enumerate(names))
    )


@pytest.mark.parametrize("names", [("sys1", "sys2"), ("base", "large"), ("model_1", "model_2")])
def test_runs_with_names_may_be_systems(names: Sequence[str]) -> None:
    """sys1 and sys2 were runs of one system, also beside a column that is the same in all rows."""
    for text in (in_rows("id,run,accuracy", names), in_rows("id,run,accuracy,epoch", names, ",3")):
        problem = asked(text)
        assert problem.why.startswith("Does run name systems?")
        assert set(means(scored(text, columns="run=system"))) == {*names}


@pytest.mark.parametrize("names", [("run1", "run2"), ("seed_1", "seed_2"), ("A", "B"), ("1", "2")])
def test_runs_that_only_count_are_runs(names: Sequence[str]) -> None:
    assert "names the run" in told(scored(in_rows("id,run,accuracy", names)))


def test_prompts_may_be_compared() -> None:
    text = in_rows("item,prompt,accuracy", ("plain", "steps"))
    commands = [command for _, command in asked(text).ways]
    assert commands == ["item=question prompt=run", "item=question prompt=question", "item=question prompt=system accuracy=score"]  # fmt: skip
    assert set(means(scored(text, **said(commands[2])))) == {"plain", "steps"}


def test_outputs_for_each_prompt_may_be_compared() -> None:
    lines = [f"{one},{name},right {k},{'right' if k % (i + 2) else 'wrong'} {k}" for k, one in enumerate(IDS) for i, name in enumerate(("plain", "steps"))]  # fmt: skip
    text = rows("item,prompt,reference,hypothesis", *lines)
    command = asked(text).ways[-1][1]
    assert command == "item=question prompt=system reference=reference hypothesis=text"
    assert set(outputs(scored(text, **said(command)))) == {"plain", "steps"}


@pytest.mark.parametrize("head", ["instance,condition,points", "doc,source,metric,value", "name,source,rouge-l"])
def test_what_comes_again_equally_often_is_no_segment(head: str) -> None:
    """Numbered conditions and their marks were rivals, and each row of a question a segment of its own."""
    named = {"instance": ("1", "2", "3")}.get(head.split(",")[0], NAMES)
    draw = Random(head)
    marks = [str(draw.randint(1, 5)) for _ in range(3 * N)]
    metric = ",perplexity" if "metric" in head else ""
    lines = [f"{one},{name}{metric},{marks[3 * k + i]}" for k, one in enumerate(IDS) for i, name in enumerate(named)]
    problem = asked(rows(head, *lines))
    command = next(command for _, command in problem.ways if f"{head.split(',')[1]}=system" in command)
    assert set(means(scored(rows(head, *lines), **said(command)))) == {*named}


def test_ids_that_each_system_has_are_no_run_of_it() -> None:
    """A time beside each row made whole runs of them."""
    lines = [f"{k},{name},{value(k, i)},{1711496671 + 37 * k + i}" for k in range(N) for i, name in enumerate(NAMES)]
    problem = asked(rows("key,retriever,bleu,timestamp", *lines))
    assert "whole run" not in problem.why
    assert any("retriever=system" in one for one in (problem.fix, *(command for _, command in problem.ways)))


def test_lists_of_runs_by_system_and_question() -> None:
    for numbers in ((0.25, 0.5, 1.0), (True, False, True)):
        own = {
            name: {one: [numbers[(k + i + j) % 3] for j in range(3)] for k, one in enumerate(IDS)}
            for i, name in enumerate(NAMES)
        }
        found = scored(json.dumps(own), "r.json")
        assert means(found) == {name: pytest.approx(sum(map(float, numbers)) / 3) for name in NAMES}
        assert "Lists of ratings were averaged" in told(found)


# What an answer costs, and whether it is right.


@pytest.mark.parametrize("cost", ["latency_ms", "n_errors"])
def test_the_one_cost_of_files_may_be_compared(cost: str) -> None:
    text = rows(f"qid,{cost}", *(f"{one},{100 * value(k, 1) + 5}" for k, one in enumerate(IDS)))
    problem = asked(text)
    assert [command for _, command in problem.ways] == [f"qid=question {cost}=score"]
    graded = rows(
        f"qid,{cost},verdict", *(f"{one},{value(k, 1)},{'good' if k % 2 else 'bad'}" for k, one in enumerate(IDS))
    )
    assert f"{cost}=score" not in asked(graded).fix


def test_logs_that_say_true_or_false() -> None:
    made = {f"{name}.log": "".join(f"INFO example {one}: correct = {k % (i + 2) > 0}\n" for k, one in enumerate(IDS)) for i, name in enumerate(NAMES)}  # fmt: skip
    found = read(
        [(name, text.encode()) for name, text in made.items()], every=Choice(options={"columns": "correct=score"})
    )
    assert means(found) == {
        name: pytest.approx(sum(k % (i + 2) > 0 for k in range(N)) / N) for i, name in enumerate(NAMES)
    }


def test_numbers_that_were_answered_do_not_compete_with_what_is_right() -> None:
    """The answer was the right label, and two ways to read the prediction were systems that predict it."""
    lines = [f"{k},what is {k},{k + 3},{k + 3 + k % 2},{k + 4},{1 - k % 2},{int(k % 3 > 0)}" for k in range(N)]
    found = scored(rows("qid,question,answer,predict,predict_last,is_correct,is_correct_last", *lines))
    own = {item.measure: item.segments for item in found.items if item.role == "system" and item.kind == "scores"}
    assert own.keys() == {"is_correct", "is_correct_last"}
    assert own["is_correct"] == tuple(str(1 - k % 2) for k in range(N))
    timed = [f"{k},{1 - k % 2},{k + 3},{100 + k}" for k in range(N)]
    found = scored(rows("qid,is_correct,predict,response_time", *timed))
    assert "response_time" not in told(found).partition("beside is_correct: ")[2].partition(".")[0]


def test_a_data_set_of_right_and_wrong_answers_has_no_systems() -> None:
    head = "Question,Best Answer,Best Incorrect Answer,Correct Answers,Incorrect Answers"
    lines = [f"What is {k}?,It is {k},It is {k + 1},It is {k}; {k},It is {k + 1}; {k + 2}" for k in range(N)]
    (problem,) = scored(rows(head, *lines)).problems
    assert "It has questions with right and wrong answers" in str(problem)
    more = [f"{line},I say {k}" for k, line in enumerate(lines)]
    assert "right and wrong answers" not in str(scored(rows(f"{head},my_model", *more)).problems)


# Outputs beside what is right.

WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "by",
    "old",
    "door",
    "of",
    "our",
    "house",
    "and",
    "big",
    "dog",
    "ran",
    "down",
    "hill",
    "to",
    "see",
    "light",
]


def texts(seed: str, n: int = N) -> list[str]:
    draw = Random(seed)
    return [" ".join(draw.choice(WORDS) for _ in range(9)) for _ in range(n)]


def heard(right: Sequence[str], seed: str) -> list[str]:
    draw = Random(seed)
    return [" ".join(word if draw.random() < 0.8 else draw.choice(WORDS) for word in one.split()) for one in right]


RIGHT = texts("right")


def test_two_columns_of_labels_without_headings() -> None:
    labels = [("good", "bad", "mixed")[k % 3] for k in range(N)]
    own = {name: rows(*(f"place {k % 7},text {k} of it,{labels[k]},{labels[(k + (k % 4 == i)) % N]},0.{k + 10}" for k in range(N))) for i, name in enumerate(("base", "large"))}  # fmt: skip
    found = read([(f"{name}/out.csv", text.encode()) for name, text in own.items()])
    problem = found.problems[0]
    assert isinstance(problem, Unclear)
    command = problem.ways[0][1]
    assert command.startswith("'column 3=reference' 'column 4=text'")
    again = read(
        [(f"{name}/out.csv", text.encode()) for name, text in own.items()], every=Choice(options=said(command))
    )
    assert {item.name for item in again.items if item.role == "system"} == {"base", "large"}


@pytest.mark.parametrize(("heads", "offered"), [("transcript,prediction", 1), ("answer1,answer2", 0)])
def test_a_text_and_what_is_like_it(heads: str, offered: int) -> None:
    """Of two numbered answers neither is right."""
    made = {f"{name}/r.csv": rows(f"key,{heads}", *map(",".join, zip(map(str, range(N)), RIGHT, heard(RIGHT, name), strict=True))) for name in ("base", "large")}  # fmt: skip
    found = read([(name, text.encode()) for name, text in made.items()])
    assert str(found.problems).count("transcript=reference prediction=text") == 2 * offered
    assert "answer1=reference" not in str(found.problems)
    assert bool(found.problems) is bool(offered)


@pytest.mark.parametrize("head", ["actual", "y_true", "label"])
def test_what_is_right_by_its_heading_and_its_words_does_not_compete(head: str) -> None:
    body = zip(IDS, RIGHT, heard(RIGHT, "base"), heard(RIGHT, "large"), strict=True)
    problem = asked(rows(f"id,{head},base,large", *map(",".join, body)))
    assert problem.why.startswith(f"Is {head} the reference?")


@pytest.mark.parametrize("ids", [IDS, [*map(str, range(N))]])
@pytest.mark.parametrize("key", ["doc", "id", "sample"])
def test_texts_in_another_order_are_matched_by_what_names_the_rows(key: str, ids: Sequence[str]) -> None:
    """Below doc they were paired by their places."""
    draw = Random(key)
    made = {"gold.csv": rows(f"{key},gold", *map(",".join, zip(ids, RIGHT, strict=True)))}
    for name in ("base", "large"):
        lines = list(map(",".join, zip(ids, heard(RIGHT, name), strict=True)))
        made[f"{name}.csv"] = rows(f"{key},prediction", *draw.sample(lines, N))
    found = read([(name, text.encode()) for name, text in made.items()])
    matched = outputs(found) == {name: dict(zip(ids, heard(RIGHT, name), strict=True)) for name in ("base", "large")}
    assert matched or found.problems
    assert matched or key == "sample"


def test_documents_of_several_rows_name_no_segments() -> None:
    lines = [f"d{k // 4},{RIGHT[k]},{heard(RIGHT, 'base')[k]}" for k in range(N)]
    found = scored(rows("doc,gold,prediction", *lines))
    assert not any(item.keys for item in found.items)


@pytest.mark.parametrize(("head", "is_label"), [("response", True), ("accuracy", False)])
def test_whole_numbers_beside_a_file_of_right_labels_are_labels(head: str, is_label: bool) -> None:
    """They were ranked as scores, and the right ones were no use."""
    labels = [str(1 + k * 7 % 5) for k in range(N)]
    made: Mapping[str, str] = {"gold.csv": rows("id,actual", *map(",".join, zip(IDS, labels, strict=True)))}
    made |= {f"{name}.csv": rows(f"id,{head}", *(f"{one},{labels[(k + (k % 3 == i)) % N]}" for k, one in enumerate(IDS))) for i, name in enumerate(("base", "large"))}  # type: ignore[operator]  # fmt: skip
    found = read([(name, text.encode()) for name, text in made.items()])
    kinds = {item.kind for item in found.items if item.role == "system"}
    assert not found.problems
    assert kinds == ({"text"} if is_label else {"scores"})
    if is_label:
        assert [item.segments for item in found.items if item.role == "reference"] == [tuple(labels)]


def test_other_numbers_beside_a_file_of_right_labels_are_none() -> None:
    made = {"gold.csv": rows("id,actual", *(f"{one},{1 + k * 7 % 5}" for k, one in enumerate(IDS)))}
    made |= {f"{name}.csv": rows("id,response", *(f"{one},{(k * 5 + i) % 9}" for k, one in enumerate(IDS))) for i, name in enumerate(("base", "large"))}  # fmt: skip
    found = read([(name, text.encode()) for name, text in made.items()])
    assert not [item for item in found.items if item.role == "system" and item.kind == "text"]


def test_outputs_in_rows_of_systems_with_another_heading() -> None:
    lines = [f"{one},{name},{RIGHT[k]},{heard(RIGHT, name)[k]}" for k, one in enumerate(IDS) for name in NAMES]
    text = rows("idx,tool,target,response", *lines)
    command = next(command for _, command in asked(text).ways if "tool=system" in command)
    assert set(outputs(scored(text, **said(command)))) == {*NAMES}


# Programs.


def test_values_of_trec_eval_below_lines_with_names() -> None:
    """Three systems were one, as the lines with their names were left out."""
    blocks = [f"MODEL: {name}\n" + "".join(f"ndcg_cut_10           \t{100 + k}\t{value(k, i):.4f}\n" for k in range(N)) + "ndcg_cut_10           \tall\t0.5\n" for i, name in enumerate(NAMES)]  # fmt: skip
    found = scored("".join(blocks), "results.txt")
    assert means(found) == {name: pytest.approx(mean(i), abs=1e-4) for i, name in enumerate(NAMES)}
    assert "those of each system below a line with its name: base, large, tuned" in told(found)


def test_topics_before_their_measures() -> None:
    """One measure repeats the name of its topic, and is left out."""
    measures = ("topic_id", "num_docs", "ap", "wss_100", "NCG@10", "r")
    lines = [f"CD{k:06}\t{one}\t{f'CD{k:06}' if one == 'topic_id' else value(k, j)}" for k in range(N) for j, one in enumerate(measures)]  # fmt: skip
    found = scored("\n".join(lines) + "\n", "run.results")
    own = {item.measure for item in found.items if item.role == "system"}
    assert own == {"ap", "wss_100", "NCG@10", "r"}


def test_samples_as_evalplus_wrote_them_before() -> None:
    """The number of files was its score."""
    tasks = {f"HumanEval/{k}": {"nfiles": 1, "base": [["success" if k % 3 else "timed out", [1]]], "plus": [["success" if k % 4 else "failed", []]]} for k in range(N)}  # fmt: skip
    found = scored(json.dumps({"date": "2023", "hash": "f", "eval": tasks}), "base_eval_results.json")
    own = {item.measure: [float(cell) for cell in item.segments] for item in found.items if item.role == "system"}
    assert own == {
        "base_status": [float(k % 3 > 0) for k in range(N)],
        "plus_status": [float(k % 4 > 0) for k in range(N)],
    }


def test_parts_of_rouge_are_no_systems() -> None:
    record, draw = {"hyp": "it rains", "ref": "rain falls"}, Random(3)
    made = {f"{name}/data.json": json.dumps([{**record, "scores": {f"rouge-{n}": {part: round(draw.random(), 4) for part in "fpr"} for n in "12l"}} for k in range(N)]) for i, name in enumerate(NAMES)}  # fmt: skip
    found = read([(name, text.encode()) for name, text in made.items()])
    assert not found.problems
    assert {item.name for item in found.items if item.kind == "scores"} == {*NAMES}
    assert "scores.rouge-1.f" in {item.measure for item in found.items}


def test_entries_of_an_object_can_be_said_to_be_questions() -> None:
    languages = [
        "af",
        "am",
        "ar",
        "az",
        "bn",
        "cy",
        "da",
        "de",
        "el",
        "en",
        "es",
        "fa",
        "fi",
        "fr",
        "he",
        "hi",
        "hu",
        "hy",
        "id",
        "is",
        "it",
        "ja",
        "jv",
        "ka",
    ]
    inside = {one: {"accuracy": value(k, 0), "f1": value(k, 1)} for k, one in enumerate(languages)}
    own = {"dataset_version": None, "mteb_version": "0.0.2", "test": inside}
    problem = asked(json.dumps(own), "r.json")
    (_, command), *_ = problem.ways
    found = scored(json.dumps(own), "r.json", **said(command))
    assert [len(item.segments) for item in found.items if item.measure == "accuracy"] == [N]


def test_errors_of_promptfoo_are_no_results() -> None:
    """Both providers had 0.0, and p was 1, where neither had answered."""

    def results(failed: Sequence[bool]) -> str:
        own = [
            {"testIdx": k // 2, "promptIdx": 0, "provider": {"id": "ab"[k % 2]}, "success": not gone, "score": float(not gone), "failureReason": 2 if gone else 0, "error": "Rate limit" if gone else None}
            for k, gone in enumerate(failed)
        ]  # fmt: skip
        return json.dumps({"results": {"version": 3, "results": own}})

    (problem,) = scored(results([True] * 2 * N), "r.json").problems
    assert f"All {2 * N} results are errors: no model answered" in str(problem)
    found = scored(results([k == 3 for k in range(2 * N)]), "r.json")
    cells = {item.name: item.segments for item in found.items if item.measure == "success"}
    assert [cells["b"][1].strip(), cells["a"][1].strip()] == ["", "1"]


def test_the_first_reports_of_swe_bench() -> None:
    report = {"no_generation": [], "generated": IDS, "with_logs": IDS[:20], "resolved": IDS[::4]}
    found = scored(json.dumps(report), "report.json")
    assert means(found) == {"report": pytest.approx(0.25)}


def test_lists_in_a_file_of_references_are_several_references() -> None:
    """They were one long text, and BLEU was 2.7 in place of 48."""
    right = {
        "language": "en",
        "values": [{"target": [f"it rains {k}", f"rain falls {k}"][: 1 + k % 2]} for k in range(N)],
    }
    made = {"data.refs.json": json.dumps(right)}
    made |= {f"{name}.outs.json": json.dumps({"language": "en", "values": [{"generated": f"it rains {k + i}"} for k in range(N)]}) for i, name in enumerate(("base", "large"))}  # fmt: skip
    found = read([(name, text.encode()) for name, text in made.items()])
    own = [item.segments for item in found.items if item.role == "reference"]
    assert len(own) == 2
    assert own[0] == tuple(f"it rains {k}" for k in range(N))
    assert not any("\n" in cell for part in own for cell in part)


def test_means_of_several_runs_of_trec_eval_are_refused() -> None:
    """The line with the name of the run was the heading, and the measures were segments."""
    block = "runid                 \tall\tmyRun\nnum_q                 \tall\t48\nmap                   \tall\t0.1679\n"
    (problem,) = scored(block * 3, "trec_eval.txt").problems
    assert "for all queries together" in str(problem)


def test_measures_that_begin_with_a_number() -> None:
    lines = [f"{one:15}\t{name}\t{value(k, j)}" for k, name in enumerate([*map(str, range(301, 325)), "all"]) for j, one in enumerate(("num_ret", "map", "11-pt_prec"))]  # fmt: skip
    found = scored("\n".join(lines) + "\n", "out.aq")
    assert {item.measure: len(item.segments) for item in found.items if item.role == "system"} == {
        "map": 24,
        "11-pt_prec": 24,
    }


@pytest.mark.parametrize(("turned", "is_read"), [(False, True), (True, False)])
def test_rows_some_of_which_have_no_prompt_in_another_order(turned: bool, is_read: bool) -> None:
    """They were paired by their places, and p was .84 in place of .30."""
    prompts = [RIGHT[k] if k % 2 else "" for k in range(N)]
    own = {
        name: [f"{prompt},{name} {k},{value(k, i)}" for k, prompt in enumerate(prompts)]
        for i, name in enumerate(("base", "large"))
    }
    made = {
        f"{name}.csv": rows("prompt,answer,rouge1", *(lines[::-1] if turned and name == "large" else lines))
        for name, lines in own.items()
    }
    found = read([(name, text.encode()) for name, text in made.items()])
    assert not found.problems if is_read else "in another order" in str(found.problems[0])


def test_running_totals_of_the_scorer_of_m2_are_no_counts_of_sentences() -> None:
    """They were summed up once more: F0.5 36.01 in place of 42.17."""

    def report(counts: Sequence[tuple[int, int, int]]) -> str:
        block = "SOURCE        : It rain .\nHYPOTHESIS    : It rains .\n# correct     : {}\n# proposed    : {}\n# gold        : {}\n----\n"
        return "".join(block.format(*one) for one in counts)

    draw = Random(5)
    own = [(draw.randint(0, 1), draw.randint(1, 3), draw.randint(0, 3)) for _ in range(N)]
    totals = [tuple(sum(one[j] for one in own[: k + 1]) for j in range(3)) for k in range(N)]
    assert {item.kind for item in scored(report(own), "base.log").items} == {"statistics"}
    for counts in (totals, [*totals[:12], tuple(max(0, one - 1) for one in totals[11]), *totals[12:]]):
        (problem,) = scored(report(counts), "base.log").problems  # type: ignore[arg-type]
        assert "running totals" in str(problem)
