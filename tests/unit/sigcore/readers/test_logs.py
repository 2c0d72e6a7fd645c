"""Files that platforms and programs write about answers: fields of logs are no scores, reports are no texts."""

from __future__ import annotations

import json

import pytest

from sigcore.data import Collection
from sigcore.errors import ReadError
from sigcore.readers import read
from tests.made import matrix_of
from tests.unit.sigcore.readers.test_trial import HITS, N, asked, both, confirmed, one, rows, scores, table, text

ASKED = [text(k) for k in range(N)]
OUTPUTS = [text(k, 1) for k in range(N)]
RIGHT = [*map(float, HITS["A"])]
SECONDS = [round(1 + k / 7, 2) for k in range(N)]


def records(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_what_an_answer_costs_is_not_its_quality() -> None:
    """A cost alone is asked about, with the role; beside a score it is not used, in rows of systems as for one system."""
    cost = [0.01 * k for k in range(N)]
    by_row = rows({"testcase": [f"t{k}" for k in range(N)] * 2, "cost": cost * 2})
    problem = asked(one("t.csv", table(by_row)))
    assert problem.why.startswith("Is cost what you want to compare?")
    assert {system for system, _ in scores(confirmed("t.csv", table(by_row)))} == {"A", "B"}
    assert [*scores(one("t.csv", table({**by_row, "accuracy": both()})))] == [("A", "accuracy"), ("B", "accuracy")]
    assert asked(one("A.csv", table({"id": [*range(N)], "latency": SECONDS}))).why.startswith("Is latency what")


def test_outcomes_are_no_names_of_measures() -> None:
    """A column metric or label with an outcome for each question does not split the table."""
    label = ["correct" if hit else "incorrect" for hit in HITS["A"]]
    found = one("A.csv", table({"span_id": [f"s{k}" for k in range(N)], "label": label, "score": [*HITS["A"]]}))
    assert {measure for _, measure in scores(found)} == {"score"}
    split = one("A.csv", table({"question_id": [f"s{k}" for k in range(N)], "metric": label, "answer_score": RIGHT}))
    assert "metric are measures" in asked(split).why


def test_a_list_of_questions_is_read_beside_totals() -> None:
    """The questions of a run stand in a list; the numbers beside it are about all of them."""
    results = [{"task_id": f"t{k}", "id": f"u{k}", "is_resolved": bool(h)} for k, h in enumerate(HITS["A"])]
    whole = {"id": "run-1", "results": results, "accuracy": sum(RIGHT) / N}
    assert [*scores(one("A.json", whole)).values()] == [RIGHT]


def test_lists_by_question_are_no_systems() -> None:
    """{QUESTION: [record]} has a record for each question, and not a system for each name."""
    lists = {f"behav_{k}": [{"generation": text(k), "correct": h}] for k, h in enumerate(HITS["A"])}
    assert scores(one("A.json", lists)) == {("A", "correct"): RIGHT}


@pytest.mark.parametrize("hit", ["Correct", "correct"])
def test_judgments_by_id_are_scores_of_the_file(hit: str) -> None:
    """{ID: Correct or Wrong} is a file of one system, which its folder names where the files have one name."""
    data = {f"v_{k}": hit if h else "Wrong" for k, h in enumerate(HITS["A"])}
    files = [(f"{s}/verdicts.json", json.dumps(data | {"v_0": v}).encode()) for s, v in (("m", hit), ("n", "Wrong"))]
    assert {item.name for item in read(files).items} == {"m", "n"}


def test_predicted_labels_are_never_averaged() -> None:
    """Predicted classes are asked about. As a text they stay text, so nothing is compared without gold labels."""
    content = table({"index": [*range(N)], "prediction": [*HITS["A"]]})
    (item,) = confirmed("A.csv", content).items
    assert item.kind == "text"
    many = {"idx": [*range(N)], "pred": [12 + h for h in HITS["A"]], "score": RIGHT, "latency_ms": SECONDS}
    assert "pred=score" not in asked(one("A.csv", table(many))).fix


def test_words_get_no_number_by_chance() -> None:
    """The plan says what true and yes mean; a place is left for the number of any other word."""
    outcome = ["false" if h else "true" for h in HITS["A"]]
    state = table({"id": [*range(N)], "exists": ["true"] * N, "resolved": outcome})
    problem = one("A.csv", state).problems
    assert not problem or "false=1" not in problem[0].fix
    grades = table({"id": [*range(N)], "grade": ["good" if h else "bad" for h in HITS["A"]]})
    assert [command for _, command in asked(one("A.csv", grades)).ways] == [
        "grade=score --cells bad=1 good=0", "grade=score --cells good=1 bad=0",
    ]  # fmt: skip


def test_traces_of_platforms_are_about_one_system() -> None:
    """Questions, answers and measures in groups (inputs., outputs., feedback.): measures of the file's system."""
    trace: list[dict[str, object]] = [
        {
            "inputs.question": ASKED[k], "outputs.answer": OUTPUTS[k], "feedback.correctness": HITS["A"][k],
            "feedback.conciseness": k % 2, "execution_time": SECONDS[k], "total_tokens": 90 + k,
        }
        for k in range(N)
    ]  # fmt: skip
    intake = one("A.jsonl", records(trace))
    assert {key: values for key, values in scores(intake).items() if "correct" in key[1]} == {
        ("A", "feedback.correctness"): RIGHT
    }
    assert {measure for _, measure in scores(intake)} == {"feedback.correctness", "feedback.conciseness"}
    prefixed = [{**row, "outputs.gpt_groundedness": 3 + k % 3, "line_number": k} for k, row in enumerate(trace)]
    assert "line_number" not in {measure for _, measure in scores(one("A.jsonl", records(prefixed)))}


def test_the_end_of_a_nested_measure_is_enough() -> None:
    """f1 selects metrics.f1, and a measure selects the scores beside texts."""
    trace: list[dict[str, object]] = [
        {"id": k, "response": OUTPUTS[k], "reference": ASKED[k], "metrics.f1": k / N, "metrics.recall": 1 - k / N}
        for k in range(N)
    ]
    collection = Collection()
    collection.add([("A.jsonl", records(trace).encode())])
    assert collection.kind == "scores"  # whoever wrote them beside the texts scored these
    collection.select(kind="text")
    collection.select(measure="f1")
    assert (collection.kind, collection.measure) == ("scores", "metrics.f1")


def test_a_prompt_that_comes_again_tells_the_systems() -> None:
    """Versions of one program in rows: what was asked comes again, so the column of versions is asked about."""
    content = table(
        {
            "version": [name for name in ("base", "new") for _ in range(N)],
            "input": ASKED * 2,
            "output": [text(k, 2) for k in range(2 * N)],
            "groundedness": [h / 2 for h in both()],
            "latency": SECONDS * 2,
        }
    )
    assert asked(one("t.csv", content)).why == "Does version name systems? Only with version each question has one row."
    assert [*scores(confirmed("t.csv", content))] == [("base", "groundedness"), ("new", "groundedness")]


def test_rows_with_names_of_their_own_are_matched_by_what_was_asked() -> None:
    """An id that differs in every row, also between systems, names no question; the input does."""
    columns = rows({"id": [f"r{k}" for k in range(2 * N)], "input": ASKED * 2, "scores.Factuality": both()})
    found = scores(one("t.csv", table(columns)))
    assert found["A", "scores.Factuality"] == RIGHT
    assert len(found["B", "scores.Factuality"]) == N


def test_a_column_without_heading_for_questions_is_asked() -> None:
    """Rows of a system without a known id: the column that tells them apart is asked about."""
    columns = rows({"deg": [f"f{k}.wav" for k in range(N)] * 2, "mos_pred": [1 + h for h in both()]})
    problem = asked(one("t.csv", table(columns)))
    assert problem.why.startswith("Does deg name the questions?")
    assert [*scores(confirmed("t.csv", table(columns)))] == [("A", "mos_pred"), ("B", "mos_pred")]


def test_values_beside_a_log_are_measures_and_no_rivals() -> None:
    """Where a program wrote about one file per row, unknown numbers may be scores of one system; or systems, which is asked."""
    values = {f"Q{k}": [(7 * k + i) % 11 / 3 for i in range(N)] for k in range(3)}
    content = table({"filename": [f"{i}.wav" for i in range(N)], "num_hops": [1] * N, "rate_hz": [16000] * N, **values})
    ways = dict(asked(one("A.csv", content)).ways)
    as_scores = one("A.csv", content, columns=ways["Q0, Q1, Q2 are scores of one system"].replace(" ", "\n"))
    assert {name for name, _ in scores(as_scores)} == {"A"}
    as_systems = one("A.csv", content, columns=ways["Q0, Q1, Q2 are systems"].replace(" ", "\n"))
    assert {name for name, _ in scores(as_systems)} == {"Q0", "Q1", "Q2"}


def test_names_of_measures_may_be_what_is_compared() -> None:
    """One number for each metric and language pair is a comparison of metrics, or one of one system: which is asked."""
    made = [(pair, metric) for pair in ("de-en", "cs-en", "fi-en", "en-de") for metric in ("bleu", "chrf", "comet")]
    values = [(5 * k + 3) % 12 / 12 for k in range(len(made))]
    parts = dict(zip(("lp", "metric"), map(list, zip(*made, strict=True)), strict=True))
    content = table({**parts, "pairwise_accuracy": values, "n_pairs": [100 + k for k in range(len(made))]})
    ways = dict(asked(one("t.csv", content)).ways)
    assert [*ways] == ["metric names what is compared", "pairwise_accuracy is of one system"]
    as_systems = one("t.csv", content, columns=ways["metric names what is compared"].replace(" ", "\n"))
    found = scores(as_systems)
    assert {name for name, _ in found} == {"bleu", "chrf", "comet"}
    assert found["chrf", "pairwise_accuracy"] == values[1::3]
    assert [*dict(asked(one("t.csv", content.replace("de-en", "cs-en"))).ways)] == []  # two rows of one pair


def test_a_sheet_may_begin_below_its_first_row() -> None:
    """Empty rows above the headings are left out."""
    content = ",,\n" + table({"id": [*range(N)], "A": [*HITS["A"]], "B": [*HITS["B"]]})
    assert [system for system, _ in scores(one("t.csv", content))] == ["A", "B"]


REPORTS = {
    "der.rttm": "SPEAKER r1 1 0.00 1.20 <NA> <NA> ann <NA> <NA>\n" * 6,
    "out.m2": "S it rain today .\nA 1 2|||R:VERB|||rains|||REQUIRED|||-NONE-|||0\n\n" * 4,
    "judged.txt": "T1   00  D1   1\nT1   00  D2   0\nT2   00  D1   1\n",
    "trials.txt": "E_1 A07 spoof -3.25\nE_2 A08 spoof 1.5\nE_3 - bonafide 2.5\n",
    "answer.txt": "s1-u1.wav,3.25\ns1-u2.wav,2.5\ns2-u1.wav,4.0\n",
    "train.log": "[2021-03-01 10:00:00] [valid] Ep. 1 : Up. 5000 : ce 3.0\n" * 4,
    "eval.txt": "processed 464 tokens with 56 phrases; found: 56 phrases; correct: 51.\naccuracy:  98%; FB1:  90.72\n",
    "wer_14": "%WER 4.18 [ 21 / 525, 2 ins, 2 del, 17 sub ]\n%SER 41.37 [ 10 / 26 ]\nScored 26 sentences.\n",
    "result.txt": ",----.\n| SPKR   | # Snt  # Wrd  | Corr  |\n| s1 | 38 951 | 98.4 |\n`----'\n",
    "classes.txt": "              precision    recall  f1-score   support\n\n   0   0.91   0.88   0.90   12\n",
    "ud.txt": "Metric     | Precision |    Recall |\n-----------+-----------+\nUPOS       |     95.43 |     95.36 |\n",
}


@pytest.mark.parametrize("name", REPORTS)
def test_reports_and_logs_are_no_text_of_a_system(name: str) -> None:
    """Each says what it looks like, and what to load instead."""
    intake = read([(name, REPORTS[name].encode())])
    assert not intake.items
    (problem,) = intake.problems
    assert "looks like" in problem.what
    assert problem.fix


@pytest.mark.parametrize(
    "line",
    ["u{k} ref {gold}\nu{k} hyp {own}\nu{k} op C C C S\nu{k} #csid 3 1 0 0\n", "u{k}:\tref={gold_list}\nu{k}:\thyp={own_list}\n"],
    ids=["per_utt", "recogs"],
)  # fmt: skip
def test_alignments_with_names_of_utterances(line: str) -> None:
    """Kaldi and icefall name the utterance in each line: reference and output, matched by it."""
    parts = [
        line.format(k=k, gold=ASKED[k], own=OUTPUTS[k], gold_list=ASKED[k].split(), own_list=OUTPUTS[k].split())
        for k in range(N)
    ]
    gold, own = read([("A.txt", "".join(parts).encode())]).items
    assert (gold.role, gold.segments, own.segments) == ("reference", tuple(ASKED), tuple(OUTPUTS))
    assert own.keys == tuple(f"u{k}" for k in range(N))


def test_left_and_right_are_the_first_and_the_second_system() -> None:
    """Preferences between a left and a right system."""
    content = table(
        {
            "item": [f"i{k}" for k in range(N)],
            "system_left": ["a"] * N,
            "system_right": ["b"] * N,
            "preferred": ["left" if k % 3 else "no preference" for k in range(N)],
        }
    )
    (found,) = one("t.csv", content).preferences
    assert found.systems == ("a", "b")


def test_a_list_of_texts_is_the_output_of_its_file() -> None:
    """{"values": [text, ...]}: the list has the name of the file, not its own."""
    (item,) = one("bart.json", {"values": OUTPUTS, "language": "en"}).items
    assert (item.name, item.segments) == ("bart", tuple(OUTPUTS))


@pytest.mark.parametrize("first", ["model", "step"])
def test_totals_of_systems_are_not_offered_as_rivals(first: str) -> None:
    """Tasks in the columns of a leaderboard, and curves by step: the plan of a matrix has no command that confirms them. Who
    has questions in the columns may turn the table."""
    columns = {first: [f"{k + 2}" for k in range(4)], **{f"task {name}": [k / 7 for k in range(4)] for name in "ab"}}
    with pytest.raises(ReadError) as problem:
        matrix_of("t.csv", table(columns).encode())
    assert "=system" not in problem.value.fix.replace("--columns rows=system", "")
