"""Variants of files of programs: outputs behind verdicts, averages in a column, pieces of words, runs behind names."""

from __future__ import annotations

import json
from itertools import product

from sigcore.data.nature import Texts
from sigcore.readers import Choice, Unclear, read, read_ratings
from sigcore.readers.tables import sides
from sigcore.readers.tables.table import Table
from tests.unit.sigcore.readers.test_binary import book, row, sheet
from tests.unit.sigcore.readers.test_more_layouts import N, collected, csv, intake, plan, scores, texts


def test_promptfoo_writes_scores_before_outputs() -> None:
    head = ["question", "must_mention", "[openai:a] Answer: {{question}}", "[ollama:b] Answer: {{question}}"]
    rows = [[f"q {k}?", "help", f"[PASS] (1.00) so {k}", f"[FAIL] (0.{k % 9}) or {k}"] for k in range(N)]
    found = intake({"output.csv": csv([head, *rows])})
    assert not found.problems
    assert scores(found) == {"openai:a": [1.0] * N, "ollama:b": [float(f"0.{k % 9}") for k in range(N)]}


def test_promptfoo_writes_verdicts_without_scores_before_outputs() -> None:
    """[PASS] is 1, [FAIL] and [ERROR] are 0."""
    head = ["question", "[openai:a] Answer: {{question}}", "[ollama:b] Answer: {{question}}"]
    marks = ["[PASS]", "[FAIL]", "[ERROR]"]
    rows = [[f"q {k}?", f"[PASS] so {k}", f"{marks[k % 3]} or {k}"] for k in range(N)]
    found = intake({"output.csv": csv([head, *rows])})
    assert not found.problems
    assert scores(found) == {"openai:a": [1.0] * N, "ollama:b": [float(k % 3 == 0) for k in range(N)]}


def test_the_summary_of_opencompass_has_no_average() -> None:
    head = ["dataset", "version", "metric", "mode", "qwen-hf", "llama-hf"]
    rows: list[list[object]] = [[f"ceval-{k}", f"{k}ab", "accuracy", "gen", 40 + k, 50 - k] for k in range(N)]
    rows += [
        ["ceval", "-", "naive_average", "gen", 40 + (N - 1) / 2, 50 - (N - 1) / 2],
        ["mmlu", "-", "-", "-", "-", "-"],
    ]
    found = intake({"summary.csv": csv([head, *rows])})
    assert scores(found) == {"qwen-hf": [40.0 + k for k in range(N)], "llama-hf": [50.0 - k for k in range(N)]}
    assert {item.measure for item in found.items} == {"accuracy"}


def test_pieces_of_words_in_a_log_of_fairseq_are_joined() -> None:
    lines = [
        f"S-{k}\tro@@ bert {k}\nT-{k}\tro@@ bert gu@@\nH-{k}\t-0.1\tro@@ ber@@ t {k}\nD-{k}\t-0.1\tro@@ ber@@ t {k}"
        for k in range(3)
    ]
    found = read([("A.out", ("\n".join(lines) + "\n").encode())])
    assert texts(found, "system")["A"] == tuple(f"robert {k}" for k in range(3))
    assert texts(found, "reference")["A.ref"] == ("robert gu",) * 3
    assert any("Word pieces (@@) were joined" in one.message for one in found.notices)


def test_runs_behind_the_names_of_both_systems_are_no_systems() -> None:
    """gpt-r1 and gpt-r2 are one system; without a column of runs, r1 belongs to its name."""
    rows = [[f"c{k}", 1 + k % 2, f"gpt-r{1 + k % 2}", f"llama-r{1 + k % 2}", "AB"[k % 3 == 0]] for k in range(N)]
    found = intake({"p.csv": csv([["case_id", "repeat", "model_a", "model_b", "winner"], *rows])})
    (part,) = found.preferences
    assert {*part.first, *part.second} == {"gpt", "llama"}
    other = intake({"p.csv": csv([["case_id", "topic", "model_a", "model_b", "winner"], *rows])})
    assert {*other.preferences[0].first} == {"gpt-r1", "gpt-r2"}


def test_numbers_of_people_are_judges_and_no_systems() -> None:
    """1 and 2 below annotator1 say which answer is better; nothing compares the annotators, and no key names the systems."""
    rows = [[k, "a_b_c", f"so {k}", f"or {k}", 1 + k % 2, 1 + k % 3 % 2] for k in range(N)]
    found = intake({"t.csv": csv([["idx", "cmp_key", "response1", "response2", "annotator1", "annotator2"], *rows])})
    assert {plan(found)[name] for name in ("annotator1", "annotator2")} == {"judge"}
    assert "=system" not in found.problems[0].fix


def test_what_says_who_is_right_is_compared_and_not_the_answers() -> None:
    """Numbers beside the right answer were read as its predictions, and their errors as scores."""
    head = ["question_id", "gold", "majority_answer", "majority_correct", "oracle_correct", "min_steps"]
    rows = [[f"q{k}", 3 * k, 3 * k + k % 2, 1 - k % 2, int(k % 3 > 0), 5 + k % 4 + 0.5] for k in range(N)]
    found = intake({"t.csv": csv([head, *rows])})
    assert plan(found)["majority_answer"] == "ignored"
    assert {name for name, role in plan(found).items() if role == "system"} == {"majority_correct", "oracle_correct"}
    assert not any("absolute error" in one.message for one in found.notices)


def test_a_transcription_beside_one_of_a_system_may_be_the_reference() -> None:
    rows = [[f"THE WIND BLOWS {k} TIMES", f"the wind blew {k} times."] for k in range(N)]
    found = intake({"w.csv": csv([["transcription", "transcription_whisper"], *rows])})
    (problem,) = found.problems
    assert isinstance(problem, Unclear)
    assert problem.plan == {"transcription": "reference", "transcription_whisper": "text"}


def test_alignments_of_words_are_transcripts() -> None:
    """What Kaldi and sclite print beside each other was heard, so its usual metric is WER."""
    lines = [f"REF: the wind blows {k} times\nHYP: the wind blew {k} times\n" for k in range(N)]
    assert collected({"a.txt": "\n".join(lines)}).loaded().texts == Texts("speech")


def test_a_summary_of_opencompass_may_have_headings_and_several_metrics() -> None:
    """Lines that only separate are no datasets, and what a model lacks is missing."""
    head = ["dataset", "version", "metric", "mode", "qwen", "llama"]
    rows: list[list[object]] = [["--- Exam ---", "-", "-", "-", "-", "-"]]
    rows += [
        [f"d{k}", f"{k}ab", "accuracy" if k % 2 else "score", "gen", 40 + k, 50 - k if k else "-"] for k in range(N)
    ]
    found = intake({"summary.csv": csv([head, *rows])})
    assert {item.measure for item in found.items} == {"score"}
    assert {item.name: item.segments[:2] for item in found.items} == {"qwen": ("40", "41"), "llama": ("", "49")}


def test_means_and_spreads_are_no_systems_of_ratings() -> None:
    """correctness_mean beside correctness_std: one system, which `human` ranked as two."""
    rows = [[f"f{k}", 3 + k % 2, 0.5, 4 - k % 3, 0.25] for k in range(N)]
    text = csv([["id", "correctness_mean", "correctness_std", "fluency_mean", "fluency_std"], *rows])
    assert not read_ratings([("human_ratings.csv", text.encode())]).judgments
    models = text.replace("_mean", "_bart").replace("_std", "_t5")
    (people,) = read_ratings([("human_ratings.csv", models.encode())]).judgments
    assert {*people.system} == {"bart", "t5"}


def test_who_won_is_said_by_the_column_that_knows_ties() -> None:
    """Where the winner is empty, another column says that it is a tie: these votes were left out."""
    rows = [
        [f"q{k}", "heygen" if k % 2 else "omni", "omni" if k % 2 else "heygen", "tie" if k % 4 == 0 else "ab"[k % 2]]
        for k in range(24)
    ]
    rows = [[*row, {"a": row[1], "b": row[2]}.get(row[3], ""), 100 + k * 7 % 50] for k, row in enumerate(rows)]
    head = ["pair_id", "shown_a", "shown_b", "pick", "winner", "ms"]
    problem = sides.proposed(Table("v.csv", head, [list(map(str, row)) for row in rows], range(2, 26)))
    assert problem is not None
    assert problem.plan == {"shown_a": "first", "shown_b": "second", "pick": "winner"}
    found = intake({"v.csv": csv([head, *rows])}, columns="shown_a=first\nshown_b=second\npick=winner")
    assert sum(one == 0.5 for one in found.preferences[0].outcome) == 6


def test_comments_below_each_system_of_a_sheet_are_no_scores() -> None:
    """Systems are merged cells above a score and a comment each; # numbers the rows."""
    rows = [[k + 1, f"p{k}", 1 + k % 5, "fine", 1 + k % 3, "so so"] for k in range(N)]
    upper, lower = (
        ["", "", "GPT-4o", "", "Llama 3.1", ""],
        ["#", "Prompt", "Score (1-5)", "Comments", "Score (1-5)", "Comments"],
    )
    found = intake({"sheet.csv": csv([upper, lower, *rows])})
    assert not found.problems
    assert scores(found) == {"GPT-4o": [1.0 + k % 5 for k in range(N)], "Llama 3.1": [1.0 + k % 3 for k in range(N)]}


def test_texts_below_one_system_of_a_sheet_leave_its_headings_unread() -> None:
    """The second column of each group must be of one kind: comments of one system beside numbers of another are no group."""
    rows = [[k + 1, 1 + k % 5, "fine", 1 + k % 3, k] for k in range(N)]
    found = intake({"sheet.csv": csv([["", "A", "", "B", ""], ["no", "Score", "Rank", "Score", "Rank"], *rows])})
    assert found.problems or not scores(found)


def test_a_sheet_of_guidelines_beside_ratings_is_set_aside() -> None:
    head = row(1, ["Item", "Rater", "System", "Fluency", "Meaning"])
    rated = [
        row(2 + i, [f"i{k}", f"R{r}", s, 1 + (k + r) % 5, 1 + k % 4])
        for i, (k, r, s) in enumerate(product(range(12), range(2), "AB"))
    ]
    lines = ["Rate each sentence from 1 to 5.", "1 is the worst of all."]
    told = [row(k, [line]) for k, line in enumerate(lines, 1)]
    found = read_ratings([("r.xlsx", book({"Ratings": sheet([head, *rated]), "Guidelines": sheet(told)}))])
    assert not found.problems
    (part,) = found.judgments
    assert {*part.dimension} == {"fluency", "meaning"}
    assert any("set aside" in one.message and one.file.endswith("Guidelines.csv") for one in found.notices)
    alone = read_ratings([("r.xlsx", book({"Guidelines": sheet(told)}))])
    assert alone.problems
    assert not alone.judgments


AGREE = ("Strongly disagree", "Disagree", "Neither", "Agree", "Strongly agree")


def survey(words: tuple[str, ...], first: str = "Respondent ID") -> str:
    """An export of SurveyMonkey: 12 people, 3 dialogues, two systems each, and a comment."""
    head: list[object] = [first, "Collector ID", "Age"]
    below: list[object] = ["", "", "Response"]
    for k in range(3):
        head, below = [*head, f"Dialogue {k + 1}: helpful", ""], [*below, "A", "B"]
    rows = [[f"11{i}", "9", 30 + i, *(words[(i * j + j) % 5] for j in range(6))] for i in range(12)]
    return csv([[*head, "Remarks"], [*below, "Open-Ended Response"], *([*one, "fine so"] for one in rows)])


def test_the_second_line_of_surveymonkey_names_what_is_rated() -> None:
    found = read_ratings([("s.csv", survey(("1", "2", "3", "4", "5")).encode())])
    assert not found.problems
    (part,) = found.judgments
    assert ({*part.system}, len({*part.segment}), len({*part.judge})) == ({"A", "B"}, 3, 12)
    assert list(part.score) == [1 + (i * j + j) % 5 for i in range(12) for j in range(6)]
    assert any("SurveyMonkey" in one.message for one in found.notices)


def test_words_of_a_survey_are_ratings_when_somebody_says_so() -> None:
    found = read_ratings([("s.csv", survey(AGREE).encode())])
    fix = found.problems[0].fix
    assert (
        "--cells Agree=NUMBER Disagree=NUMBER Neither=NUMBER 'Strongly agree=NUMBER' 'Strongly disagree=NUMBER'" in fix
    )
    said = "\n".join(f"{word}={k}" for k, word in enumerate(AGREE, 1))
    told = read_ratings([("s.csv", survey(AGREE).encode())], {"cells": said})
    assert not told.problems
    assert list(told.judgments[0].score) == [1 + (i * j + j) % 5 for i in range(12) for j in range(6)]


def test_headings_in_two_lines_are_no_survey_without_who_answered() -> None:
    found = read_ratings([("s.csv", survey(("1", "2", "3", "4", "5"), "Person").encode())])
    assert not any("SurveyMonkey" in one.message for one in found.notices)


def test_a_setting_that_is_called_the_system_names_its_rows() -> None:
    """Temperatures are no scores, so 0.2 and 0.8 are names; the samples of each stay runs."""
    rows = [
        {"model": "m", "temperature": t, "question_id": k, "sample": i, "correct": (k + i) % (2 + s) == 0}
        for s, t in enumerate((0.2, 0.8))
        for k in range(N)
        for i in range(2)
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    found = read([("s.jsonl", text.encode())], every=Choice(options={"columns": "temperature=system"}))
    assert not found.problems
    assert {item.name for item in found.items if item.kind == "scores"} == {"0.2", "0.8"}


def test_criteria_below_one_name_are_called_by_their_last_part() -> None:
    """scores.coherence of a judge's record is coherence; where two would have one name both keep the whole of it."""
    rows = [
        {"question_id": k, "model": m, "judge": "gpt", "scores": {"coherence": 1 + k % 5, "depth": 1 + k % 3}}
        for k in range(N)
        for m in "AB"
    ]
    (part,) = read([("j.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())]).judgments
    assert {*part.dimension} == {"coherence", "depth"}
    twice = [{**row, "style": {"depth": 2}} for row in rows]
    (part,) = read([("j.jsonl", "".join(json.dumps(row) + "\n" for row in twice).encode())]).judgments
    assert len({*part.dimension}) == 3
