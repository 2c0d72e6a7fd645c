"""Layouts of files from the wild: read as their programs mean them, asked about, or refused with what to load instead."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

from sigcore.data import Collection
from sigcore.errors import OptionError, ReadError, SigError
from sigcore.formatting import format_units
from sigcore.metrics import bleu
from sigcore.readers import Choice, Intake, Unclear, read, recipe
from sigcore.readers.tables.numbers import marks
from sigcore.readers.tables.programs import nearly
from sigcore.types import DOCUMENT

N = 24
HITS = [int(k % 3 == 0) for k in range(N)]
WORDS = [
    "river",
    "stone",
    "garden",
    "window",
    "market",
    "paper",
    "silver",
    "morning",
    "bridge",
    "letter",
    "winter",
    "harbour",
]


def text(k: int) -> str:
    return " ".join([f"No {k}", *(WORDS[(k * j + j) % len(WORDS)] for j in range(1, 8))])


def one(name: str, content: object, every: Choice | None = None) -> Intake:
    data = content if isinstance(content, str) else json.dumps(content)
    return read([(name, data.encode())], every=every)


def found(intake: Intake) -> dict[tuple[str, str], tuple[str, ...]]:
    """The scores of an intake by (system, measure)."""
    assert intake.problems == ()
    return {(one.name, one.measure): one.segments for one in intake.items if one.kind == "scores"}


def refused(intake: Intake) -> SigError:
    (problem,) = intake.problems
    assert [item for item in intake.items if item.role == "system"] == []
    return problem


def means(cells: tuple[str, ...]) -> float:
    return sum(map(float, cells)) / len(cells)


# ---- programs


def test_layouts_of_programs_give_their_scores() -> None:
    """Each file gives the score that its program means, and nothing else of its numbers."""
    ifeval = [
        {
            "follow_all_instructions": bool(h),
            "follow_instruction_list": [True],
            "prompt": text(k),
            "response": text(k + 1),
        }
        for k, h in enumerate(HITS)
    ]
    (key,) = got = found(one("A/eval_results_strict.jsonl", "\n".join(map(json.dumps, ifeval))))
    assert (key[1], means(got[key])) == ("follow_all_instructions", sum(HITS) / N)
    tau = [
        {"task_id": k // 2, "reward": float(h), "info": {"user_cost": 0.02}, "traj": [], "trial": k % 2}
        for k, h in enumerate(HITS)
    ]
    intake = one("gpt.json", tau)
    assert means(found(intake)["gpt", "reward"]) == sum(HITS) / N
    assert len({*next(item.segments for item in intake.items if item.role == "documents")}) == N // 2
    rows = [f"{k},what is it,x,y,A,p,A,{h}" for k, h in enumerate(HITS)]
    got = found(one("A_result.csv", "\n".join(["index,question,A,B,answer,category,prediction,hit", *rows])))
    assert [(key[1], means(cells)) for key, cells in got.items()] == [("hit", sum(HITS) / N)]
    hhem = [
        {"timestamp": "2025-06-10", "article_id": k, "hhem_score": k / N, "summary_words": 100 + k} for k in range(N)
    ]
    got = found(one("gpt/judgements.jsonl", "\n".join(map(json.dumps, hhem))))
    assert [*got] == [("gpt", "hhem_score")]


def test_nested_results_are_found() -> None:
    """promptfoo and DeepEval keep their scores in lists inside objects."""
    results = [
        {"promptIdx": p, "testIdx": k, "provider": {"id": name}, "success": bool(h), "score": h, "latencyMs": 100 + k}
        for p, name in enumerate(("gpt-a", "gpt-b")) for k, h in enumerate(HITS[p:] + HITS[:p])
    ]  # fmt: skip
    got = found(one("output.json", {"evalId": "e", "results": {"version": 3, "results": results}, "config": {}}))
    assert {*got} >= {("gpt-a", "success"), ("gpt-b", "success")}
    assert means(got["gpt-a", "success"]) == sum(HITS) / N
    cases = [
        {"name": f"c{k}", "input": text(k), "actualOutput": text(k + 1), "runDuration": 2.1,
         "metricsData": [{"name": "Relevancy", "threshold": 0.5, "score": k / N}, {"name": "Toxicity", "score": 1 - k / N}]}
        for k in range(N)
    ]  # fmt: skip
    got = found(one("run.json", {"testCases": cases, "hyperparameters": {}}))
    assert [*got] == [("run", "Relevancy"), ("run", "Toxicity")]
    assert got["run", "Relevancy"][6] == "0.25"


def test_named_results_in_a_list_are_measures() -> None:
    """Bedrock lists metricName and result; parameters in such lists are none."""
    lines = [
        {"scores": [{"metricName": "Accuracy", "result": k / N}, {"metricName": "Robustness", "result": None if k == 3 else k}],
         "options": [{"name": "top_p", "value": k % 3}], "prompt": text(k)}
        for k in range(N)
    ]  # fmt: skip
    chosen = Choice(options={"columns": "scores.Accuracy.score=score"})
    intake = one("m.jsonl", "\n".join(map(json.dumps, lines)), chosen)
    (item,) = [item for item in intake.items if item.role == "system"]
    assert item.segments == tuple(repr(k / N) for k in range(N))
    headings = {claim.column for claim in intake.claims}
    assert headings == {"scores.Accuracy.score", "scores.Robustness.score", "prompt"}


def test_answers_of_programs_are_text_with_a_reference() -> None:
    """LongBench and OpenCompass write answers and right answers; of two folders each names its system."""
    long = [
        {"pred": text(k), "answers": [text(k), text(k + 1)], "all_classes": None, "length": 3000 + k} for k in range(N)
    ]
    lines = "\n".join(map(json.dumps, long)).encode()
    intake = read([("A/hotpotqa.jsonl", lines), ("B/hotpotqa.jsonl", lines.replace(b"river", b"creek"))])
    assert [item.name for item in intake.items if item.role == "system"] == ["A", "B"]
    assert sum(item.role == "reference" for item in intake.items) == 4
    numbered = {str(k): {"origin_prompt": text(k), "prediction": text(k), "gold": text(k + 1)} for k in range(N)}
    intake = one("A/gsm.json", numbered)
    assert {(item.role, item.kind) for item in intake.items} == {("system", "text"), ("reference", "text")}
    assert refused(one("g.json", {f"term{k}": {"prediction": "a"} for k in range(N)})).what.startswith(
        "It is one object"
    )


def test_a_column_that_says_what_is_correct_is_the_score() -> None:
    """OpenCompass writes letters and whether each is right: the letters are not compared as texts."""
    asked = [
        {"origin_prompt": text(k), "prediction": "AB"[k % 2], "gold": "A", "correct": k % 2 == 0} for k in range(N)
    ]
    intake = one("A.jsonl", "\n".join(map(json.dumps, asked)))
    ((key, cells),) = found(intake).items()
    assert (key, tuple(cells)[:2]) == (("A", "correct"), ("1", "0"))
    assert [item.better for item in intake.items] == ["higher"]


def test_lines_with_the_scores_of_segments() -> None:
    """METEOR's lines and those of sacrebleu before 2.0, which begin with a blank, are scores."""
    meteor = "".join(f"Segment {k} score:\t0.{k:04}\n" for k in range(1, N)) + "\nFinal score: 0.4\n"
    assert len(found(one("A.meteor", meteor))["A", "meteor"]) == N - 1
    old = "".join(f" BLEU|nrefs:1|version:2.3.1 = {k}.5 80.0/60.0 (BP = 1.000)\n" for k in range(N))
    ((key, cells),) = found(one("A.txt", old)).items()
    assert (key, cells[3]) == (("A", "BLEU"), "3.5")
    assert "A" in [item.name for item in one("A.txt", "Segment 1 score: 1\nIt rains.\nIt snows.\n").items]


# ---- what is asked


def test_names_beside_repeated_questions_may_be_systems() -> None:
    """A column without which the questions repeat is asked about; the printed answer gives both systems."""
    rows = [f"{name},{k},{h}" for name in ("BM25", "monoT5") for k, h in enumerate(HITS)]
    table = "\n".join(["name,qid,value", *rows])
    problem = refused(one("perquery.csv", table))
    assert problem.what.startswith("Does name name systems?")
    assert "--columns name=system value=score." in problem.fix
    options = {"columns": "name=system\nvalue=score"}
    assert {key[0] for key in found(one("perquery.csv", table, Choice(options=options)))} == {"BM25", "monoT5"}


def test_marks_are_scores_once_their_numbers_are_said() -> None:
    """Letters as grades are asked about, with a place for each number; `cells` says what they mean, also in a recipe."""
    grades = "\n".join(json.dumps({"question_id": f"q{k}", "grade": "ABC"[k % 3]}) for k in range(N))
    problem = refused(one("gpt.jsonl", grades))
    command = shlex.split(problem.fix.partition("each NUMBER: ")[2].rstrip("."))
    assert command == ["--columns", "grade=score", "--cells", "A=NUMBER", "B=NUMBER", "C=NUMBER"]
    options = {"columns": command[1], "cells": "A=1\nB=0\nC=0"}
    assert means(found(one("gpt.jsonl", grades, Choice(options=options)))["gpt", "grade"]) == sum(HITS) / N
    kept = recipe.written(problem.claims if isinstance(problem, Unclear) else (), options)
    assert recipe.parse(kept)["cells"] == "A=1\nB=0\nC=0"
    half = Choice(options={"columns": "grade=score", "cells": "A=1"})
    assert "--cells B=NUMBER" in refused(one("gpt.jsonl", grades, half)).fix
    with pytest.raises(OptionError, match="does not say what a word means"):
        raise refused(one("gpt.jsonl", grades, Choice(options={"columns": "grade=score", "cells": "A"})))


def test_few_short_words_are_marks() -> None:
    """Marks repeat; texts, names of many kinds, and one word alone are no marks."""
    assert marks(["B", "A"] * 6) == ["A", "B"]
    assert marks(["A"] * 12) == []
    assert marks(["A", "B"] * 4) == []
    assert marks([f"w{k}" for k in range(7)] * 9) == []
    assert marks([text(k % 2) for k in range(N)]) == []


def test_measures_beside_other_numbers_are_scores_of_one_system() -> None:
    """The plan of a log names its measures as scores, and never a time or a cost as a rival; what it prints works."""
    rows = [f"x{k},{h},{100 + 7 * k % 31},{k * k % 7}.5" for k, h in enumerate(HITS)]
    table = "\n".join(["id,correctness,latency_ms,novelty_x", *rows])
    problem = refused(one("gpt.csv", table))
    assert isinstance(problem, Unclear)
    roles = {claim.column: claim.role for claim in problem.claims}
    assert roles == {"id": "question", "correctness": "score", "latency_ms": "ignored", "novelty_x": "score"}
    two = {"columns": "correctness=score\nnovelty_x=score\nlatency_ms=ignored"}
    assert {*found(one("gpt.csv", table, Choice(options=two)))} == {("gpt", "correctness"), ("gpt", "novelty_x")}
    steps = "\n".join(["epoch,val_acc,val_loss", *(f"{k},0.{50 + k},{90 - k}.5" for k in range(N))])
    assert refused(one("log.csv", steps)).fix.startswith("No column is known to hold outputs or scores")


def test_headings_that_share_a_measure_say_which_scores_are_better() -> None:
    """base_wer and lora_wer are scores of wer, which is lower for better systems."""
    rows = [f"u{k},0.{30 + k},0.{10 + k}" for k in range(N)]
    for file in ("results.csv", "scores.csv", "17.csv", "asr.csv"):
        assert set(found(one(file, "\n".join(["id,base_wer,lora_wer", *rows])))) == {
            ("base_wer", "wer"), ("lora_wer", "wer"),
        }  # fmt: skip
    assert {key[1] for key in found(one("comet.csv", "\n".join(["id,base_wer,lora_wer", *rows])))} == {"comet"}


def test_a_table_of_passes_and_failures_has_a_header() -> None:
    """PASS and FAIL below names of systems are 1 and 0 of each, and the case names the question."""
    rows = [f"c{k},{'PASS' if h else 'FAIL'},{'PASS' if k % 2 else 'FAIL'}" for k, h in enumerate(HITS)]
    got = found(one("eval.csv", "\n".join(["case,gpt,llama", *rows])))
    assert {key[0]: means(cells) for key, cells in got.items()} == {"gpt": sum(HITS) / N, "llama": 0.5}
    for words, better in (("passfail", "higher"), ("truefalse", "")):  # whether true is good, nobody has said
        cells = [f"{k},{words[:4]},{words[4:]}" for k in range(N)]
        found_there = one("eval.csv", "\n".join(["case,gpt,llama", *cells])).items
        assert {item.better for item in found_there if item.kind == "scores"} == {better}


def test_rows_of_one_question_are_its_answers() -> None:
    """Runs inside questions are called questions and answers, documents stay documents with segments."""
    rows = [f"{name},q{k // 2},{k % 2},{h}" for name in ("One", "Two") for k, h in enumerate(HITS)]
    found_units = []
    for header in ("system,question,seed,accuracy", "system,document,segment,accuracy"):
        collection = Collection()
        collection.add([("t.csv", "\n".join([header, *rows]).encode())])
        unit = collection.sound().testset.by_document
        assert (unit, str(unit)) == (DOCUMENT, "document")
        found_units.append(format_units(N // 2, unit, N))
    assert found_units == ["12 questions (24 answers)", "12 documents (24 segments)"]


def test_a_program_without_one_of_its_columns_is_named() -> None:
    """A table that lacks one heading of a known layout says which; usual headings alone are nobody's layout."""
    assert nearly(["instruction", "generator_1", "generator_2", "x"]) == (
        "It looks like a file of AlpacaEval (annotations), but has no column preference."
    )
    assert nearly(["task_id", "base_status", "x"]).startswith("It looks like a file of EvalPlus")
    assert nearly(["question", "answer"]) == nearly(["id", "A", "B"]) == nearly(["hypothesis", "x"]) == ""
    rows = [f"{k},1,0.{k}5,2{k}" for k in range(N)]
    problem = refused(one("t.csv", "\n".join(["task_id,base_status,other,latency", *rows])))
    assert "EvalPlus (eval_results.json), but has no column plus_status" in problem.what


def test_systems_without_all_scores_are_one_error() -> None:
    """Three half-judged systems are named together, with how much each lacks and the way out."""
    rows = [
        ",".join([str(k), f"0.{k + 10}", f"0.{k + 20}" if k % 2 else "", f"0.{90 - k}" * (k > 5), f"0.{70 - k}"])
        for k in range(N)
    ]
    collection = Collection()
    collection.add([("t.csv", "\n".join(["id,One,Two,Three,Four", *rows]).encode())])
    with pytest.raises(
        SigError, match=r"^Two, Three have no score for 6 to 12 of 24 segments each; they are"
    ) as caught:
        collection.sound()
    assert "--missing drop" in caught.value.fix


# ---- what is refused


@pytest.mark.parametrize(
    ("name", "lines", "what"),
    [
        ("A.pred.txt", [f"w{k % 5} O B-LOC" if k % 4 else "" for k in range(N)], "without an entity in common"),
        ("rank.txt", ["Results: LAS", *(f"{k}. Team{k} (City) \t90.{k}" for k in range(1, N))], "a ranking of systems"),
        ("ud.txt", ["Metrics | F1", *(f"Metric{k} |  9{k % 9}.5 |  88.{k}" for k in range(N))], "a report on a whole run"),
        ("report.txt", ["all:", "  accuracy: 0.9", "  support: 900", "rare:", "  accuracy: 0.4"], "a report on a whole run"),
        ("old.res", ["Queryid (Num):\t1", "Retrieved: 400", "Relevant: 3"], "an old trec_eval"),
        ("config.yaml", ["name: x", "model: y"], "settings or a report"),
    ],
)  # fmt: skip
def test_what_is_no_text_says_what_it_is(name: str, lines: list[str], what: str) -> None:
    """A report, a ranking or a list of another program is named, with what to load instead; texts are never refused."""
    problem = refused(one(name, "\n".join(lines) + "\n"))
    assert what in problem.what
    assert problem.fix
    if not name.endswith(("yaml", "res")):
        assert one(name, "\n".join(lines) + "\n", Choice("plain", {"holds": "text"})).problems == ()


def test_text_is_still_text() -> None:
    """Short texts with colons and numbers, and one line of a million marks, are read at once."""
    kinds = [text(1), "Total: 12", "3. It rains at 7", "He said: go", text(2), text(3), "O B-LOC", text(4)]
    assert one("A.txt", "\n".join(kinds) + "\n").problems == ()
    # a pattern that tries all ends would take hours
    assert one("A.txt", ("a.b-c " * 200_000 + "\n") * 5).problems == ()


def test_results_of_whole_runs_are_no_system() -> None:
    """A summary that somebody calls a system is an error, not a text to score."""
    summary = {"results": {"boolq": {"acc,none": 0.8}}, "configs": {}, "versions": {"boolq": 2}}
    file = ("results_2025.json", json.dumps(summary, indent=1).encode())
    intake = read([file], roles=[("results_2025.json", "system")])
    assert "results of whole tasks" in refused(intake).what
    assert [item.role for item in intake.items] == ["ignored"]


@pytest.mark.parametrize(
    ("header", "page"), [("system,judge,segment,score", "human"), ("model_a,model_b,winner", "pairwise")]
)
def test_people_alone_need_another_page(header: str, page: str) -> None:
    """Where only ratings or judgments are loaded, the error names their page and command."""
    row = "One,j{k},{k},{h}" if page == "human" else "One,Two,model_a"
    rows = [row.format(k=k, h=50 + k) for k in range(N)]
    collection = Collection()
    collection.add([("t.csv", "\n".join([header, *rows]).encode())])
    with pytest.raises(SigError, match=f"the command {page}"):
        collection.sound()


def test_bleu_says_where_it_says_little() -> None:
    """Outputs without a common 4-gram are named, also where smoothing gives them a score."""
    values, options = np.zeros((3, 10)), bleu.METRIC.chosen({})
    assert bleu.remarks({"A": values}, options)[0].startswith("BLEU says little about A: no output shares 4 words")
    values[1, 5] = 1  # a match of four words, after the two lengths and the shorter ones
    assert bleu.remarks({"A": values}, options) == []


def test_read_errors_stay_read_errors() -> None:
    """What is refused here names its file."""
    problem = refused(one("bm25.run", "".join(f"q{k // 4} Q0 d{k} {k} 12.{k} bm25\n" for k in range(N))))
    assert isinstance(problem, ReadError)
    assert problem.file == "bm25.run"


def test_a_file_names_what_it_measures_if_its_name_can_be_a_measure() -> None:
    """Not a number, and no word for any table: "A has the best 300" says nothing."""
    table = "\n".join(["id,A,B", *(f"u{k},0.{30 + k},0.{10 + k}" for k in range(N))])
    named = {file: {key[1] for key in found(one(file, table))} for file in ("300.csv", "Results.csv", "fluency.csv")}
    assert named == {"300.csv": {"score"}, "Results.csv": {"score"}, "fluency.csv": {"fluency"}}
