"""Small files in layouts that programs and people write: read as they mean, asked about with a good plan, or refused."""

from __future__ import annotations

import json
import random
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigcore.data import Collection
from sigcore.readers import Choice, Intake, Unclear, lines, read, recipe
from sigcore.readers.contract import Content
from sigcore.readers.tables import columns, shapes
from sigcore.readers.trial import offers
from tests.made import matrix_of

N = 40
HITS = {
    name: [int(random.Random(f"{name}{k}").random() < rate) for k in range(N)]
    for name, rate in (("A", 0.7), ("B", 0.6))
}
WORDS = ["river", "stone", "market", "garden", "window", "letter", "doctor", "winter", "summer", "bridge"]
Columns = dict[str, list[object]]


def text(k: int, seed: int = 0) -> str:
    draw = random.Random(k * 100 + seed)
    return " ".join(draw.choice(WORDS) for _ in range(7))


def one(name: str, content: object, **options: object) -> Intake:
    data = content if isinstance(content, str) else json.dumps(content)
    return read([(name, data.encode())], every=Choice(options=options) if options else None)


def table(columns: Columns, mark: str = ",") -> str:
    rows = zip(*columns.values(), strict=True)
    return "\n".join([mark.join(columns), *(mark.join(map(str, row)) for row in rows)]) + "\n"


def rows(cells: dict[str, list[object]]) -> Columns:
    """A row per system and question, with a column of values per name: the values of A, then those of B."""
    return {"model": [name for name in "AB" for _ in range(N)], **cells}


def both() -> list[int]:
    return [*HITS["A"], *HITS["B"]]


def scores(intake: Intake) -> dict[tuple[str, str], list[float]]:
    assert intake.problems == ()
    return {
        (i.name, i.measure): [*map(float, i.segments)]
        for i in intake.items
        if i.kind == "scores" and i.role == "system"
    }


def streams(intake: Intake) -> dict[str, tuple[str, str]]:
    assert intake.problems == ()
    return {item.name: (item.role, item.kind) for item in intake.items}


def asked(intake: Intake) -> Unclear:
    (problem,) = intake.problems
    assert isinstance(problem, Unclear)
    return problem


def confirmed(name: str, content: str) -> Intake:
    """The file read again with the options that its refusal prints."""
    words = shlex.split(asked(one(name, content)).fix.partition("confirm it: ")[2].partition(". ")[0].rstrip("."))
    flags: dict[str, list[str]] = {}
    for word in words:
        flags.setdefault(word, []) if word.startswith("--") else flags[[*flags][-1]].append(word)
    return one(name, content, **{flag.removeprefix("--"): "\n".join(said) for flag, said in flags.items()})


HITS_OF = {("A", "t"): [*map(float, HITS["A"])], ("B", "t"): [*map(float, HITS["B"])]}
AS_COLUMNS = {"id": {str(k): k for k in range(N)}, **{s: {str(k): h for k, h in enumerate(HITS[s])} for s in "AB"}}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.json", {s: {f"q{k}": h for k, h in enumerate(HITS[s])} for s in "AB"}),
        ("t.json", {f"q{k}": {s: HITS[s][k] for s in "AB"} for k in range(N)}),
        ("t.json", AS_COLUMNS),
        ("t.json", {"columns": ["id", "A", "B"], "index": [*range(N)], "data": [[k, HITS["A"][k], HITS["B"][k]] for k in range(N)]}),
        ("t.csv", table({"model": ["A", "B"], **{f"q{k}": [HITS["A"][k], HITS["B"][k]] for k in range(N)}})),
        ("t.md", "| Item | A | B |\n|---|:-:|--:|\n" + "".join(f"| q{k} | {HITS['A'][k]} | {HITS['B'][k]} |\n" for k in range(N))),
        ("t.csv", table({"id": [*range(N)], **{s: [f"{h}/1" for h in HITS[s]] for s in "AB"}})),
        ("t.csv", table({"test_case": [f"t{k}" for k in range(N)], **{s: ["right" if h else "wrong" for h in HITS[s]] for s in "AB"}})),
        ("t.csv", table({"text_id": [f"t{k}" for k in range(N)], **{s: [*HITS[s]] for s in "AB"}})),
        ("t.csv", table({"image_path": [f"{k}.png" for k in range(N)], **{s: [*HITS[s]] for s in "AB"}})),
    ],
    ids=["by system", "by question", "data frame", "split frame", "systems in rows", "markdown", "of most", "words", "text_id", "image"],
)  # fmt: skip
def test_one_table_of_answers_in_many_layouts(name: str, content: object) -> None:
    """All of them are the same scores of the same systems."""
    assert scores(one(name, content)) == HITS_OF


@pytest.mark.parametrize(
    "content",
    [
        {s: dict.fromkeys(("mmlu", "arc", "gsm8k"), 0.5) for s in "AB"},
        {s: {f"mmlu_{name}": 0.5 for name in WORDS} for s in "AB"},
    ],
    ids=["tasks", "subjects"],
)
def test_objects_without_questions_are_refused(content: object) -> None:
    """Scores of whole systems by task are no scores of segments."""
    intake = one("t.json", content)
    assert not intake.items
    assert "not one record per segment" in intake.problems[0].what


@pytest.mark.parametrize("heading", ["run{}", "seed_{}", "fold{}", "mmlu{}", "epoch {}"])
def test_rows_of_systems_are_turned_only_under_questions(heading: str) -> None:
    """Runs and tasks in the columns are scores of whole systems."""
    intake = one("t.csv", table({"model": ["A", "B", "C"], **{heading.format(k): [0.1, 0.2, k / N] for k in range(N)}}))
    assert not intake.items


def test_a_heading_may_name_a_system_and_a_measure() -> None:
    """Every system with every measure: one set of scores per measure, each with its systems."""
    columns: Columns = {"id": [*range(N)]}
    for system in "AB":
        columns |= {f"{system}_bleu": [k + len(system) for k in range(N)], f"{system}_ter": [N - k for k in range(N)]}
    assert set(scores(one("t.csv", table(columns)))) == {(s, m) for s in "AB" for m in ("bleu", "ter")}
    del columns["B_ter"]
    problem = asked(one("t.csv", table(columns)))
    assert "=system" not in problem.fix
    beside = {"image": [f"{k}.png" for k in range(N)], "ground_truth": [text(k) for k in range(N)]}
    beside |= {s: [text(k, 1) for k in range(N)] for s in ("tess", "easy")} | {
        f"{s}_cer": [k / N for k in range(N)] for s in ("tess", "easy")
    }
    assert set(scores(one("o.csv", table(beside)))) == {("tess", "cer"), ("easy", "cer")}


def test_outcomes_in_words_are_scores_beside_answers() -> None:
    """Correct and wrong say themselves what is better, and are preferred to comparing letters."""
    content = table(rows({
        "question_id": [f"q{k}" for k in range(N)] * 2, "predicted": ["ABCD"[k % 4] for k in range(2 * N)], "gold": ["ABCD"[k % 4] for k in range(N)] * 2,
        "result": ["correct" if hit else "wrong" for hit in both()],
    }))  # fmt: skip
    intake = one("t.csv", content)
    assert scores(intake)["A", "result"] == HITS["A"]
    assert {item.better for item in intake.items if item.kind == "scores"} == {"higher"}
    collection = Collection()
    collection.add([("t.csv", content.encode())])
    assert collection.choices.kinds[0] == "scores"


def test_an_empty_column_beside_scores_is_not_used() -> None:
    """Nobody wrote a remark: the column is no output, and no reason to ask."""
    content = table({"id": [*range(N)], **{s: [*HITS[s]] for s in "AB"}, "Bemerkung": [""] * N})
    assert scores(one("t.csv", content)) == HITS_OF


def test_a_text_that_all_systems_share_is_no_output() -> None:
    """The sentence that was classified stands in the rows of all systems."""
    content = table(rows({"idx": [*range(N)] * 2, "text": [text(k) for k in range(N)] * 2, "correct": both()}))
    assert streams(one("t.csv", content)) == {
        "text": ("source", "text"),
        "A": ("system", "scores"),
        "B": ("system", "scores"),
    }


@pytest.mark.parametrize(
    "columns",
    [
        {"id": [*range(N)], "gold": [k % 5 for k in range(N)], "A": [k % 4 for k in range(N)], "B": [k % 3 for k in range(N)]},
        {"id": [*range(N)], "label": [k % 5 for k in range(N)], "pred_A": [k % 4 for k in range(N)], "pred_B": [k % 3 for k in range(N)]},
        rows({"id": [*range(N)] * 2, "gold": [k % 5 for k in range(N)] * 2, "prediction": [k % 3 for k in range(2 * N)]}),
        rows({"id": [*range(N)] * 2, "label": [k % 5 for k in range(N)] * 2, "pred": [k % 4 for k in range(2 * N)]}),
    ],
    ids=["gold", "label", "gold in rows", "label in rows"],
)  # fmt: skip
def test_numbers_of_classes_are_compared_and_never_averaged(columns: Columns) -> None:
    """Labels are text: the mean of class numbers says nothing."""
    kinds = {
        (item.role, item.kind) for item in one("t.csv", table(columns)).items if item.role in ("system", "reference")
    }
    assert kinds == {("system", "text"), ("reference", "text")}


def test_outcomes_beside_gold_numbers_stay_scores() -> None:
    """0 and 1 beside answers such as 417 say whether these were found."""
    content = table({"id": [*range(N)], "gold": [3 * k + 2 for k in range(N)], **{s: [*HITS[s]] for s in "AB"}})
    assert set(scores(one("t.csv", content))) == {("A", "t"), ("B", "t")}


@pytest.mark.parametrize(
    ("columns", "why", "role"),
    [
        ({"id": [*range(N)], "reference": [k / 7 for k in range(N)], "A": [k / 8 for k in range(N)], "B": [k / 9 for k in range(N)]}, "do they predict", ""),
        ({"id": [*range(N)], "answer": [k * 7 for k in range(N)], "A": [k * 5 for k in range(N)], "B": [k * 6 for k in range(N)]}, "need gold labels", "answer=reference"),
        (rows({"id": [*range(N)] * 2, "prediction": [k % 4 for k in range(2 * N)]}), "need gold labels", ""),
        ({"id": [*range(N)], "height": [150 + k for k in range(0, 2 * N, 2)], **{s: [*HITS[s]] for s in "AB"}}, "very different scales", "height=ignored"),
        ({"Nr": [*range(1, N + 1)], "Aussage": [text(k) for k in range(N)], "A": [k / 10 for k in range(N)], "B": [(k * 7 % 10) / 10 for k in range(N)]}, "columns of text", "Aussage=ignored"),
        ({"filename": [f"{k}.png" for k in range(N)] * 2, "engine": ["a"] * N + ["b"] * N, "cer": [k / 99 for k in range(2 * N)], "time_sec": [1.5] * 2 * N}, "Does engine name systems", "engine=system"),
        ({"Method": ["a"] * N + ["b"] * N, "Example": [*range(N)] * 2, "F1": [k / 99 for k in range(2 * N)]}, "Does Method name systems", "Example=question"),
        ({"item": [k // 2 for k in range(2 * N)], "preferred": ["A", "B"] * N}, "which are systems", ""),
    ],
    ids=["regression", "answers", "predictions", "height", "German", "engine", "method", "preferred"],
)  # fmt: skip
def test_the_plan_offers_no_guess_as_a_system(columns: Columns, why: str, role: str) -> None:
    """What is asked says why, and the option that confirms it makes no text, id or odd column a system."""
    problem = asked(one("t.csv", table(columns)))
    assert why in problem.why
    assert role in problem.fix
    odd = (
        "gold",
        "answer",
        "height",
        "Nr",
        "Frage",
        "filename",
        "cer",
        "time_sec",
        "Example",
        "F1",
        "item",
        "preferred",
    )
    assert not any(f"{name}=system" in problem.fix for name in odd)


def test_a_confirmed_plan_reads_the_systems_in_the_rows() -> None:
    """The printed option alone makes two systems of a table whose rows are those of two engines."""
    content = table(
        {
            "filename": [f"{k}.png" for k in range(N)] * 2,
            "engine": ["a"] * N + ["b"] * N,
            "cer": [k / 99 for k in range(2 * N)],
        }
    )
    assert set(scores(confirmed("t.csv", content))) == {("a", "cer"), ("b", "cer")}


def test_labels_below_a_text_are_compared_with_the_gold_ones() -> None:
    """The usual table of a classification: what was classified, the right label, and one of each system."""
    labels = ("positive", "negative")
    columns: Columns = {"text": [text(k) for k in range(N)], "gold": [labels[k % 2] for k in range(N)]}
    columns |= {name: [labels[hit] for hit in HITS[name]] for name in "AB"}
    assert streams(one("t.csv", table(columns))) == {
        "text": ("source", "text"), "gold": ("reference", "text"), "A": ("system", "text"), "B": ("system", "text"),
    }  # fmt: skip


def test_names_of_measures_in_the_rows_are_measures() -> None:
    """Accuracy and toxicity below one another are never one score."""
    columns: Columns = {
        "id": [f"s{k}" for k in range(2 * N)],
        "name": ["accuracy", "toxicity"] * N,
        "value": [k / 99 for k in range(2 * N)],
    }
    assert {measure for _, measure in scores(one("A.csv", table(columns)))} == {"accuracy", "toxicity"}


def test_lines_of_ir_measures_are_scores_of_queries() -> None:
    """Query, measure, value: the reverse of trec_eval; the means for all queries are not used."""
    lines = [f"q{k}\t{name}\t{(k + len(name)) / 99}" for k in range(N) for name in ("nDCG@10", "AP")]
    found = scores(one("A.tsv", "\n".join([*lines, "all\tnDCG@10\t0.5", "all\tAP\t0.4"]) + "\n"))
    assert {measure: len(cells) for (_, measure), cells in found.items()} == {"nDCG@10": N, "AP": N}


def test_alignments_for_people_are_texts() -> None:
    """REF and HYP of jiwer and sclite, whose * stand for words that are not there."""
    content = "".join(f"sentence {k}\nREF: {text(k)} *** end\nHYP: {text(k)}  the ***\n    I  S\n\n" for k in range(N))
    intake = one("A.txt", content)
    assert [(item.name, item.role, item.segments[0]) for item in intake.items] == [
        ("A.ref", "reference", f"{text(0)} end"), ("A", "system", f"{text(0)} the"),
    ]  # fmt: skip
    cut = one("A.txt", content + "REF: a\n")
    assert "another number of lines HYP" in cut.problems[0].what
    # jiwer cuts long sentences
    long = one("A.txt", content + "REF: a b\nHYP: ** b\n")
    assert [item.keys[:3] for item in long.items] == [("0", "1", "2")] * 2
    assert [item.segments[-1] for item in long.items] == [f"{text(N - 1)} end a b", f"{text(N - 1)} the b"]


def test_sentences_with_errors_alone_are_no_test_set() -> None:
    """jiwer leaves out the right ones by default, and so gave an error rate that is too high; numbers or a count say so."""
    pairs = [f"sentence {k}\nREF: {text(k)} end\nHYP: {text(k)} ***\n\n" for k in range(1, N + 1)]
    right = f"sentence {N}\nREF: {text(N)}\nHYP: {text(N)}\n\n"
    for content, whole in (
        ("".join(pairs), True),
        ("".join(pairs[:-1]) + right, True),
        ("".join(pairs[3:]), False),  # their numbers go further than they are many
        ("".join(pairs[:-1]) + f"number of sentences: {N}\n", False),
        ("".join(pairs) + f"number of sentences: {N}\n", True),
        ("".join(pairs[3:-1]) + right, True),  # somebody cut it, but a right sentence is there
    ):
        found = one("A.txt", content)
        assert (not found.problems) == whole
        assert whole or f"{len(found.problems) and content.count('REF')} of at least {N}" in found.problems[0].what


def test_words_with_times_are_joined_to_transcripts() -> None:
    """A ctm and an stm of the same recordings fit each other; times say the order, and are no words, nor are labels."""
    timed = [f"rec{k} 1 {j * 0.5:.2f} 0.4 {word} 0.9\n" for k in range(N) for j, word in enumerate(text(k).split())]
    ctm = "".join(reversed(timed))
    stm = ";; made by hand\n" + "".join(f"rec{k} 1 spk{k} 0.00 9.50 <o,f0,male> {text(k)}\n" for k in range(N))
    intake = read([("A.ctm", ctm.encode()), ("ref.stm", stm.encode())])
    assert intake.problems == ()
    hyp, gold = intake.items
    assert (hyp.role, gold.role) == ("system", "reference")
    assert hyp.segments == gold.segments == tuple(text(k) for k in sorted(range(N), key=lambda k: f"rec{k}"))
    assert hyp.keys == gold.keys
    twice = one("ref.stm", stm + "rec0 1 spk 10 11 more words\n")
    assert twice.items[0].keys[:2] == ("rec0 1 0", "rec0 1 10")
    assert "line 2 is no line of ctm" in one("A.ctm", "rec 1 0.0 0.4 word\nrec 1 now\n").problems[0].what


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("Model,GPT,,Llama,\nMetric,BLEU,ROUGE,BLEU,ROUGE\n" + "".join(f"{k},1.5,2.5,3.5,{k}.5\n" for k in range(N)), "two lines of headings"),
        (table({"dataset": [f"d{k}" for k in range(N)], **{s: [f"0.{k + 10} ± 0.02" for k in range(N)] for s in "AB"}}), "a mean with its deviation"),
    ],
    ids=["headings", "deviation"],
)  # fmt: skip
def test_what_cannot_be_tested_says_what_it_is(content: str, what: str) -> None:
    """Two lines of headings, and means with deviations."""
    intake = one("t.csv", content)
    assert not intake.items
    assert what in intake.problems[0].what


def test_words_for_no_score_are_said_once() -> None:
    """ERROR in a few cells: the message names the option, which makes these cells missing ones."""
    cells = ["ERROR" if k == 7 else str(k % 5) for k in range(N)]
    content = table({"id": [*range(N)], "A": [*cells], "B": [k % 5 for k in range(N)]})
    assert "--cells ERROR=missing" in one("t.csv", content).problems[0].fix
    intake = one("t.csv", content, cells="ERROR=missing")
    assert intake.problems == ()
    assert intake.items[0].segments[6:9] == ("1", "", "3")
    many = table({"id": [*range(N)], **{s: ["ERROR" if k % 3 else str(k % 2) for k in range(N)] for s in "AB"}})
    assert "--cells ERROR=missing" in asked(one("t.csv", many)).fix


@pytest.mark.parametrize("word", ["Skipped", "skipped ", "SKIPPED"])
def test_words_in_a_named_column_are_read_in_any_case(word: str) -> None:
    """A word that was said to be no score is one in any case, also beside pass and fail."""
    cells = [word if k == 7 else "pass" if k % 3 else "fail" for k in range(N)]
    content = table({"id": [*range(N)], "points": [*cells]})
    intake = one("A.csv", content, score_field="points", id_field="id", cells="Skipped=missing")
    assert intake.problems == ()
    assert intake.items[0].segments == tuple("" if k == 7 else str(int(k % 3 > 0)) for k in range(N))


def test_what_every_system_repeats_must_be_the_same() -> None:
    """A document, category or reference of a question that differs between two systems is a problem that names both."""
    for heading, what in (("document", "document"), ("domain", "category"), ("reference", "reference")):
        cells: list[object] = [f"name {k // 4}" for k in range(N)] * 2
        content = {"id": [*range(N)] * 2, heading: cells, "score": [*both()]}
        assert one("t.csv", table(rows(content))).problems == ()
        cells[N + 5] = "another"
        intake = one("t.csv", table(rows(content)))
        assert f"B has another {what} for segment 5" in intake.problems[0].what


def test_tasks_that_differ_only_in_blanks_are_one() -> None:
    """A blank behind a name, or a letter in two code points, makes no second task."""
    names = ["caf\u00e9", "cafe\u0301 ", " caf\u00e9", "other"]
    cells = {"task": [names[k % 4] for k in range(N)], "id": [*range(N)], "A": [*HITS["A"]], "B": [*HITS["B"]]}
    found = {(item.testset, item.name): len(item.segments) for item in one("t.csv", table(cells)).items}
    assert found == {("caf\u00e9", s): 3 * N // 4 for s in "AB"} | {("other", s): N // 4 for s in "AB"}


def test_times_beside_a_score_in_long_form_are_not_asked_about() -> None:
    """Accuracy is the score of each row; the latency beside it, which alone would be asked about, is not used."""
    content = {"id": [*range(N)] * 2, "accuracy": [*both()], "latency": [k / 7 for k in range(2 * N)]}
    assert {*scores(one("t.csv", table(rows(content))))} == {("A", "accuracy"), ("B", "accuracy")}


def test_repeated_rows_name_the_column_of_runs() -> None:
    """An index of repetitions is a run; an unknown column that tells the rows apart is named in the advice."""
    judged = rows(
        {"item_id": [k // 4 for k in range(N)] * 2, "repeat_idx": [k % 4 for k in range(N)] * 2, "score": both()}
    )
    assert set(scores(one("t.csv", table(judged)))) == {("A", "score"), ("B", "score")}
    judged["temper"] = judged.pop("repeat_idx")
    assert "--columns temper=run" in one("t.csv", table(judged)).problems[0].fix


def test_turns_become_rows_of_their_question() -> None:
    """The scores of the turns of a question are its runs; lists side by side are taken apart together."""
    records = [
        {"question_id": k // 2, "model": "AB"[k % 2], "score": [k, k + 1], "note": ["x", "y"]} for k in range(2 * N)
    ]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    intake = one("t.jsonl", lines, explode="score,note")
    assert scores(intake)["A", "score"][:4] == [0, 1, 2, 3]
    assert next(item for item in intake.items if item.role == "documents").segments[:4] == ("0", "0", "1", "1")
    assert "no lists of one length below none" in one("t.jsonl", lines, explode="none").problems[0].what
    nested = [{"id": k // 2, "system": "AB"[k % 2], "turns": [{"score": k}, {"score": 2}]} for k in range(N)]
    assert scores(one("t.json", nested, explode="turns"))["B", "score"][:2] == [1, 2]


def test_a_recipe_holds_lists_and_words_of_judgments() -> None:
    """What a recipe says is what the options say; a word for who won is one of its lines."""
    said = recipe.parse(
        "# of a judge\nexplode: turns\ncells: both=tie 'no one'=tie A=first\nbetter: lower\nscore = score\n"
    )
    assert said == {
        "explode": "turns",
        "cells": "both=tie\nno one=tie\nA=first",
        "better": "lower",
        "columns": "score=score",
    }
    pairs = table({"model_a": ["X"] * N, "model_b": ["Y"] * N, "winner": ["A-good", "nobody"] * (N // 2)})
    assert "--cells A-good=WHO nobody=WHO" in one("p.csv", pairs).problems[0].fix
    intake = one("p.csv", pairs, cells="A-good=first\nnobody=tie")
    assert intake.problems == ()
    assert sorted(set(intake.preferences[0].outcome.tolist())) == [0.5, 1.0]


def test_a_matrix_of_scores_is_read_as_any_table() -> None:
    """Percent signs, decimal commas and outcomes are numbers there too."""
    cells = {"A": ["85.3%", "1.0%", "2.5%"], "B": ["5%", "6%", "7%"]}
    assert matrix_of("m.csv", table({"doc": ["x", "y", "z"], **cells}).encode()).values.tolist() == [
        [85.3, 5],
        [1, 6],
        [2.5, 7],
    ]
    passed = {"A": ["pass", "fail"], "B": ["correct", "wrong"]}
    assert matrix_of("m.csv", table({"doc": ["x", "y"], **passed}).encode()).values.tolist() == [[1, 1], [0, 0]]


def test_plain_records_are_read_as_nested_ones() -> None:
    """Records with the same names are columns at once; one that has a list more takes the other way, with the same cells."""
    records: list[dict[str, object]] = [
        {"id": k, "A": k % 2 == 0, "B": None if k == 5 else k / 3, "ref": f"No {k}"} for k in range(N)
    ]
    fast, slow = (shapes.read(shape([*records[:-1], records[-1] | more])) for more in ({}, {"more": []}))
    assert fast[0].headings == slow[0].headings
    assert [*map(list, fast[0].rows)] == [*map(list, slow[0].rows)]
    assert fast[0].places == slow[0].places


def shape(records: list[dict[str, object]]) -> Content:
    return Content("t.json", json.dumps(records).encode(), lines.decode, lines.split)


CELL = st.text("ab01.- x", max_size=4)


@given(
    st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=30),
    st.sampled_from([",", "\t", ";"]),
    st.booleans(),
)
def test_columns_of_a_text_are_those_of_its_rows(cells: list[list[str]], mark: str, ended: bool) -> None:
    """Cut into columns at once, or row by row: the same cells; lines of another width are not cut."""
    text = "\n".join(map(mark.join, cells)) + ("\n" if ended else "")
    whole = columns.grid(text, mark)
    assert whole is not None
    assert (
        [*map(list, whole)] == [line.split(mark) for line in text.removesuffix("\n").split("\n")] == [*map(list, cells)]
    )
    assert [list(whole[i]) for i in range(len(whole))] == [*map(list, whole[:])]
    assert columns.grid(f"{text}\nx{mark}y\n" if not ended else f"{text}x{mark}y\n", mark) is None
    assert columns.grid(f'"{text}', mark) is None


def test_long_tables_are_cut_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are cut in several parts are the rows of the text."""
    monkeypatch.setattr(columns, "LINES_AT_ONCE", 7)
    lines = [f"q{k},{k % 2},{'long word' if k % 3 else 'x'}" for k in range(50)]
    whole = columns.grid("\n".join(lines), ",")
    assert whole is not None
    assert [",".join(row) for row in whole] == lines


UNKNOWN = st.lists(st.sampled_from(["x", "y", "Ann", "blue", ""]), min_size=N, max_size=N) | st.lists(
    st.integers(-5, 10_000), min_size=N, max_size=N
)


@given(UNKNOWN, st.integers(0, 3), st.sampled_from(["hue", "shelf mark", "Kolumne", "zz"]))
def test_a_column_without_a_role_changes_no_result(cells: list[object], at: int, heading: str) -> None:
    """The scores of A and B stay what they were, or the table is asked about: the new column is never a reason to
    drop or change one of them."""
    columns: Columns = {"id": [f"q{k}" for k in range(N)], **{s: [*HITS[s]] for s in "AB"}}
    names = [*columns]
    names.insert(at, heading)
    intake = one("t.csv", table({name: columns.get(name, cells) for name in names}))
    if not intake.problems:
        found = scores(intake)
        # a column of 0 and 1 is like those of A and B
        assert {key: found[key] for key in HITS_OF} == HITS_OF
        assert set(found) == set(HITS_OF) or set(map(str, cells)) <= {"0", "1"}
    else:
        asked(intake)


@pytest.mark.parametrize(
    ("fix", "offered"),
    [
        ("Leave the row out: --cells average=missing. If it is a segment, name it.", [("Leave the row out", {"cells": "average=missing"})]),
        (
            "Is each entry below head.list a row? Then read them so: --explode head.list. Write one record.",
            [("Is each entry below head.list a row? Yes", {"explode": "head.list"})],
        ),
        ("Choose one: --table 18, --table 28. Totals cannot be tested.", [("Choose one: --table 18", {"table": "18"}), ("Choose one: --table 28", {"table": "28"})]),
        ("If rows are runs: --columns rows=run 'my id=question' --cells 'a b=1' c=0.", [("If rows are runs", {"columns": "rows=run\nmy id=question", "cells": "a b=1\nc=0"})]),
        ("Say both: --system-field NAME --id-field NAME, with your headings.", []),
        ("Add a way: --columns SYSTEM=system x=score. And: --columns x=NAME.", []),
        ("Match them: --id-field x. Missing ones: --missing drop. A quote: --columns 'a=score.", []),
        ("Nothing: here. Or --columns a=score", []),
        ("Empty: --columns. Other: columns a=score.", []),
    ],
)  # fmt: skip
def test_what_an_advice_offers(fix: str, offered: list[tuple[str, dict[str, str]]]) -> None:
    """Commands that need no more words, each with the sentence that says when it is right; the others are left out."""
    assert offers(fix) == offered
