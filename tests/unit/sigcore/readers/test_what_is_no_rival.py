"""Files whose numbers, names or rows look like rivals and are none, and files that say more than one of them was read for."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from sigboard.terminal import main
from sigcore.data import Collection, assemble
from sigcore.readers import Choice, read, read_ratings
from tests.made_tables import N, asked, means, roles, rows, scored, told, value

LONG = "{} is a sentence of several words with the number {}"


def one_problem(text: str, name: str = "t.csv", **options: str) -> str:
    """What is wrong with a file, and how it is mended."""
    (problem,) = scored(text, name, **options).problems
    return f"{problem.what} {problem.fix}"


# Several outputs in one file.

EVALB = """  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
   1   12    0   75.00  60.00     {}      4    5      1     12    11    91.67
   2    7    0  100.00 100.00     2      2    2      0      7     7   100.00
============================================================================
                 83.33  71.43      5      6    7      1
=== Summary ===
Tagging accuracy          =  95.00
"""


def test_outputs_of_evalb_below_each_other_are_of_a_system_each() -> None:
    """Only the first was read, without a word on the others."""
    found = scored(f"Parser A:\n{EVALB.format(3)}\nParser B\n{EVALB.format(1)}", "out.txt")
    first = {item.name: item.segments[0] for item in found.items}
    assert first == {"Parser A": "tp=3 pred=5 gold=4", "Parser B": "tp=1 pred=5 gold=4"}
    assert "2 outputs of EVALB below each other, each of a system: Parser A, Parser B." in told(found)
    alone = scored(f"Parser A:\n{EVALB.format(3)}", "out.txt")
    assert [item.name for item in alone.items] == ["out"]
    for text in (EVALB.format(3) * 2, f"A:\n{EVALB.format(3)}\nA:\n{EVALB.format(1)}"):
        assert "2 outputs of EVALB, not each below a name of its own" in one_problem(text, "out.txt")


def test_notes_beside_a_table_are_no_columns() -> None:
    body = [
        f"q{k},{value(k, 0)},{value(k, 1)},,{'a remark' if k == 2 else ''},{0.44 if k == 5 else ''}" for k in range(N)
    ]
    found = scored(rows("id,A,B,,,", *body))
    assert means(found).keys() == {"A", "B"}
    assert "Not used, 3 columns without headings, in which 2 rows have notes." in told(found)
    empty = scored(rows("id,A,B,,", *(f"q{k},{value(k, 0)},{value(k, 1)},," for k in range(N))))
    assert means(empty).keys() == {"A", "B"}
    assert "without headings" not in told(empty)
    # what nearly each row has is no note
    filled = scored(rows("id,A,B,", *(f"q{k},{value(k, 0)},{value(k, 1)},{k}" for k in range(N))))
    assert "in which" not in told(filled)


def test_headings_that_only_count_stand_above_answers(tmp_path: Path) -> None:
    """MMLU: a question, four answers that may be 1 or 2, the right letter, and whether it was found."""
    files = [
        (
            f"{name}/algebra.csv",
            rows(
                "0,1,2,3,4,5,correct", *(f'"what is {k} now?",{k},1,2,"0,1",B,{(k + i) % 3 > 0}' for k in range(N))
            ).encode(),
        )
        for i, name in enumerate(("small", "large"))
    ]
    found = read(files)
    assert not found.problems
    assert {item.name: sum(map(float, item.segments)) for item in found.items} == {
        name: sum((k + i) % 3 > 0 for k in range(N)) for i, name in enumerate(("small", "large"))
    }


def test_names_that_all_files_share_are_of_questions() -> None:
    """env_0 is no system where both files have it."""

    def of(shift: int, names: range = range(N)) -> bytes:
        return json.dumps(
            [{"name": f"env_{k}", "memory": [], "is_success": (k + shift) % 3 > 0} for k in names]
        ).encode()

    found = read([("base/r.json", of(0)), ("more/r.json", of(1))])
    assert not found.problems
    assert {item.name: len(item.segments) for item in found.items} == {"base": N, "more": N}
    other = read([("base/r.json", of(0)), ("more/r.json", of(1, range(1, N + 1)))])
    assert "Does name name systems?" in other.problems[0].what
    assert "Does name name systems?" in read([("r.json", of(0))]).problems[0].what


# Numbers that are no scores.


def test_a_mean_of_ratings_does_not_compete_with_what_the_sentence_was() -> None:
    body = [f"{k},{k % 2},{LONG.format(k, k)},{1 + value(k, 0) * 3}" for k in range(N)]
    text = rows("ID,translated,sentence,mean-ratings", *body).encode()
    found = read_ratings([("r.csv", text)])
    assert not found.judgments
    (problem,) = found.problems
    assert "mean-ratings are measures, but translated may be systems" in problem.what
    assert "=system" not in problem.fix
    both = rows("ID,A-rating,B-rating", *(f"{k},{1 + k % 5},{1 + (k + 1) % 5}" for k in range(N)))
    assert read_ratings([("r.csv", both.encode())]).judgments


@pytest.mark.parametrize(
    "headings", [("SENT_TOKEN_START", "DOC_TOKEN_START"), ("char_start", "char_end"), ("pi_exit", "agent_exitcode")]
)
def test_places_in_a_text_and_codes_of_programs_are_no_scores(headings: tuple[str, str]) -> None:
    body = [f"q{k},{3 * k % 11},{3 * k % 11 + 1}" for k in range(N)]
    text = one_problem(rows(f"id,{','.join(headings)}", *body))
    assert "fields of a log, not systems" in text
    assert "=system" not in text


def test_the_number_of_a_task_names_it() -> None:
    files = [
        (f"{name}/task-results.csv", rows("task_num,verified", *(f"{k},{(k + i) % 3 // 2}" for k in range(N))).encode())
        for i, name in enumerate("ab")
    ]
    found = read(files, every=Choice(options={"columns": "verified=score"}))
    assert {item.name: item.measure for item in found.items} == {"a": "verified", "b": "verified"}
    assert all(item.keys == tuple(map(str, range(N))) for item in found.items)


def test_labels_are_no_scores() -> None:
    body = [f"arg_{k}\t{k % 2}" for k in range(N)]
    text = one_problem("\n".join(["#id\tcorrectLabelW0orW1", *body]) + "\n", "437684.txt")
    assert "By the heading correctLabelW0orW1 holds labels, no scores: which file has the right ones?" in text


def test_references_that_come_again_have_systems() -> None:
    """Four models on three texts were one system with twelve segments."""
    body = [f"{LONG.format('this', k // 4)},answer {k} of somebody,{value(k, 0)}" for k in range(N)]
    text = one_problem(rows("reference,hypothesis,chrF_score", *body))
    assert "Each reference comes 4 times, and no column says of which system a row is." in text
    assert "Add a column headed system" in text
    odd = scored(rows("reference,hypothesis,chrF_score", *body[:-1]))
    assert "comes" not in " ".join(one.what for one in odd.problems)
    known = scored(
        rows(
            "system,id,reference,chrF_score",
            *(f"{'ABCD'[k % 4]},{k // 4},{LONG.format('x', k // 4)},{value(k, 0)}" for k in range(N)),
        )
    )
    assert means(known).keys() == {*"ABCD"}


# Rows that are no questions.


def test_a_row_for_each_combination_of_settings_is_a_run() -> None:
    every = list(itertools.product(("loose", "tight"), (2, 3), ("cubic", "area", "none")))
    body = [f"{a},{b},{c},{value(k, 0)},{value(k, 1)}" for k, (a, b, c) in enumerate(every)]
    text = one_problem(rows("crop,scale_factor,algo,value_match,full_match", *body))
    assert (
        "Each row is another combination of crop, scale_factor, algo: the result of a run with these settings." in text
    )
    cut = scored(rows("crop,scale_factor,algo,value_match,full_match", *body[:-1])).problems
    assert "combination" not in cut[0].what


def test_the_log_of_a_training_is_said_to_be_one() -> None:
    body = [f"{k // 2},{('train', 'val')[k % 2]},{1 / (k + 1):.4f},{value(k, 0)}" for k in range(2 * N)]
    assert "It is the log of a training: a row for each Epoch and part of the data." in one_problem(
        rows("Epoch,Type,Loss,Bleu1", *body)
    )


def test_a_prompt_that_all_rows_share_makes_no_question_of_a_system() -> None:
    models = ("gpt-4o", "gpt-4o-mini", "claude-3-opus", "llama-3-8b", "qwen-2-7b", "phi-3")
    body = [f"{name},is this a new action?,200,{100 + 7 * k},{0.5 + 0.035 * k}" for k, name in enumerate(models)]
    assert "one row per system" in one_problem(rows("model,prompt,count,n_correct,share_correct", *body))


def test_places_of_a_batch_are_no_systems() -> None:
    slots = [f"Answer.{what}-{k}" for what in ("grammar", "topic") for k in range(4)]
    body = [f"H{k},x {k},{','.join(str(1 + (k + j) % 5) for j in range(8))}" for k in range(N)]
    text = rows(f"HITId,Input.text,{','.join(slots)}", *body)
    (problem,) = read_ratings([("batch.csv", text.encode())]).problems
    assert "Each row rates 4 texts by their places, and no column says which system each is of." in problem.what
    named = read_ratings([("batch.csv", text.replace("Input.text", "Input.system").encode())])
    assert "by their places" not in " ".join(one.what for one in named.problems)


def test_rows_of_measures_are_no_votes() -> None:
    """Winner says which mean is higher."""
    body = ["faithfulness,0.8,0.9,Hybrid", "relevancy,0.9,0.8,Dense", "precision,0.42,0.42,Tie"]
    assert "one row per measure" in one_problem(rows("Metric,Dense,Hybrid,Winner", *body))


# Who is compared.


def test_a_tie_says_that_two_are_compared() -> None:
    body = [f"P{k % 3},fluency,E-{k},{('mt', 'human', 'tie')[k % 3]}" for k in range(2 * N)]
    problem = asked(rows("participant_id,condition,exp_item_number,rating", *body))
    assert "Does each row compare human, mt, and rating say which is better?" in problem.why
    assert roles(problem)["rating"] == "winner"
    other = rows("participant_id,condition,exp_item_number,rating", *(one.replace("tie", "same") for one in body))
    assert "compare human, mt" not in " ".join(one.what for one in scored(other).problems)


def test_prompts_that_cross_the_questions_may_be_systems() -> None:
    body = [
        f"{kind},what is {k} and {k}?,it is {k} by {kind} for {k},3.{k}"
        for kind in ("zero", "few", "chain")
        for k in range(5)
    ]
    problem = asked(rows("prompt_type,question,response,latency_seconds", *body))
    assert "Does prompt_type name systems? Only with prompt_type each question has one row." in problem.why
    told_roles = roles(problem)
    assert [told_roles[name] for name in ("prompt_type", "question", "response")] == ["system", "question", "text"]
    assert "prompt_type=system question=question response=text" in problem.fix


# References and ratings in several files.


def texts(mark: str) -> bytes:
    return json.dumps({f"doc.{k}": LONG.format(mark, k) for k in range(N)}).encode()


def test_a_reference_in_the_middle_of_a_name_is_one() -> None:
    names = {"hyp.A.en.json": "a", "hyp.B.en.json": "b", "ref.B.en.json": "the"}
    found = read([(f"submissions/newstest2021.de-en.{name}", texts(mark)) for name, mark in names.items()])
    assert sorted(item.role for item in found.items) == ["reference", "system", "system"]
    (gold,) = (item for item in found.items if item.role == "reference")
    assert "ref.B" in gold.file
    plain = read([("submissions/preference.en.json", texts("a"))])
    assert [item.role for item in plain.items] == ["system"]


def test_a_text_that_all_files_share_and_outputs_repeat_is_the_reference() -> None:
    def of(mark: str) -> bytes:
        body = (f"test,u{k},{LONG.format('it', k)},,{LONG.format(mark, k)}" for k in range(N))
        return rows("split,ID,transcript_raw,normalised_transcript_raw,hypothesis_raw", *body).encode()

    problems = read([("base.csv", of("at")), ("parakeet.csv", of("that"))]).problems
    assert len(problems) == 2
    assert all("transcript_raw=reference" in one.fix for one in problems)
    unlike = [
        (
            f"{mark}.csv",
            rows(
                "ID,remark_raw,normalised_transcript_raw,hypothesis_raw",
                *(f"u{k},n{k} b{k} c{k},,{LONG.format(mark, k)}" for k in range(N)),
            ).encode(),
        )
        for mark in ("at", "that")
    ]
    assert not any("=reference" in one.fix for one in read(unlike).problems)


def test_runs_with_a_letter_in_place_of_a_zero_need_judgments() -> None:
    lines = "\n".join(f"t{k // 4}\tQO\td{k}\t1\t{75.5 - k}\tSimBa" for k in range(N)) + "\n"
    collection = Collection()
    collection.add([("sbert.tsv", lines.encode())])
    finding = next(one for one in assemble(collection.items).findings if one.severity == "error")
    assert (finding.what, "qrels" in finding.fix) == ("There is no reference to score the runs against.", True)


def test_ratings_in_two_files_of_a_folder_are_of_two_systems(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was said that one file has several sets of ratings."""
    for i, name in enumerate("AB"):
        people = {
            str(k): {f"A{j}WORKER{k % 3}XYZ": {"Fluency": 50 + 10 * i + k + j, "Structure": 40 + k} for j in range(2)}
            for k in range(N)
        }
        (tmp_path / f"eval_{name}.json").write_text(json.dumps(people), encoding="utf-8")
    code = main(["human", str(tmp_path), "--columns", "Fluency=score", "Structure=score"])
    shown = capsys.readouterr().out
    assert code == 0
    first = [line.split()[1:3] for line in shown.splitlines() if line.startswith(("1  eval", "2  eval"))][:2]
    assert first == [["eval_B", "+66.000"], ["eval_A", "+56.000"]]


def test_differences_of_two_columns_are_no_systems() -> None:
    body = [f"b{k},{value(k, 0)},{value(k, 1)},{value(k, 0) - value(k, 1)},{value(k, 2)}" for k in range(N)]
    found = scored(rows("id,teacher,base,scoredrop-base,student", *body))
    assert means(found).keys() == {"teacher", "base", "student"}
    assert "Not used, the difference of two others: scoredrop-base." in told(found)
    other = scored(
        rows("benchmark,teacher,base,scoredrop-base,student", *body[:-1], f"b99,0.5,0.25,0.75,{value(3, 2)}")
    )
    assert "the difference of two others" not in told(other)
    plain = scored(rows("id,teacher,base,large,student", *body))
    assert "the difference of two others" not in told(plain)


@pytest.mark.parametrize(
    ("cells", "asked_for"), [("012", True), ("02", True), ("0123", True), ("01", False), ("12345", False)]
)
def test_a_few_whole_numbers_per_line_may_be_labels(cells: str, asked_for: bool) -> None:
    """Two tasks of one model were two systems, with the mean of their labels."""
    files = [
        (f"{name}.txt", "\n".join(cells[(k + i) % len(cells)] for k in range(2 * N)).encode())
        for i, name in enumerate("xy")
    ]
    problems = read(files).problems
    assert bool(problems) == asked_for
    assert all("nothing says what these are" in one.what and "--better higher" in one.fix for one in problems)
    assert not read(files, every=Choice(options={"better": "higher"})).problems
    assert not read([(f"BLEU.{name}", data) for name, data in files]).problems
    assert not read([*files, ("ref.txt", "\n".join(cells[k % len(cells)] for k in range(2 * N)).encode())]).problems


def test_repeated_rows_may_be_runs() -> None:
    """The way on was to give a judge, of which there was none; rows=run alone is enough where headings say the rest."""
    body = [f"{k},{name},{value(k, i)}" for i, name in enumerate("ab") for k in range(N)]
    text = rows("item_id,model_name,is_correct", *body, *(f"{k},b,{value(k, 2)}" for k in range(N)))
    assert "If these rows are runs of one question: --columns rows=run." in one_problem(text)
    found = scored(text, columns="rows=run")
    assert not found.problems
    assert {item.name for item in found.items} == {"a", "b"}
    assert "Rows of one system and question were read as its runs" in told(found)
    assert "No column is known to name the systems or the questions" in one_problem(
        "x,y\n1,2\n3,4\n", columns="rows=run"
    )


def test_a_mean_of_all_rows_in_other_languages_is_left_out() -> None:
    own = [f"c{k},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    for word in ("平均ASR", "平均值", "평균", "平均"):
        mean = [sum(value(k, i) for k in range(N)) / N for i in range(2)]
        found = scored(rows("id,A,B", *own, f"{word},{mean[0]:.3f},{mean[1]:.3f}"))
        assert means(found) == pytest.approx({"A": mean[0], "B": mean[1]})


def test_columns_that_somebody_calls_systems_are_systems_beside_one_name() -> None:
    """What was said was passed over: the one model was the system, and both columns were measures of it."""
    body = [f"tiny,q{k},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    text = rows("model,qid,baseline_correct,L1_correct", *body)
    found = scored(text, columns="baseline_correct=system\nL1_correct=system")
    assert means(found).keys() == {"baseline_correct", "L1_correct"}
    assert "Not used, the same in all rows: model." in told(found)
    said = scored(text, columns="model=ignored\nbaseline_correct=system\nL1_correct=system")
    assert means(said) == means(found)


def test_the_provider_in_a_heading_of_promptfoo_names_the_system() -> None:
    """Older versions write it beside the prompt, which several providers share."""

    def head(name: str) -> str:
        return json.dumps({"raw": "x", "display": "chat_prompt", "provider": name}).replace('"', '""')

    body = [f'm{k},"[{("PASS", "FAIL")[k % 2]}] ({1 - k % 2}.00)\n\nhello","[PASS] (1.00)\n\nhi"' for k in range(N)]
    found = scored(rows(f'message,"{head("gpt")}","{head("llama")}"', *body), "output.csv")
    assert means(found) == {"gpt": 0.5, "llama": 1.0}


def test_numbered_labels_predicted_in_two_ways_are_compared_with_the_true_ones() -> None:
    """Two thresholds of one model: the printed way left out what is right, and how sure it was would have been a score."""
    body = [f"t{k} u,{k % 2},{value(k, 0)},{k % 2 if k % 3 else 0},{(k + 1) % 2}" for k in range(2 * N)]
    found = scored(rows("text,true_label,confidence_hate,predicted_label_05,predicted_label_08", *body))
    assert not found.problems
    kinds = {(item.name, item.role, item.kind) for item in found.items}
    assert {("05", "system", "text"), ("08", "system", "text")} < kinds
    assert [role for _, role, _ in kinds].count("reference") == 1
    assert "how sure the systems were: confidence_hate" in told(found)
    plain = scored(rows("id,true_label,confidence_hate,predicted_05,predicted_08", *body))
    assert "was read as the reference" not in told(plain)


@pytest.mark.parametrize("heading", ["token", "Word", "слово"])
def test_words_that_are_tagged_are_no_tagger(heading: str) -> None:
    """One word in each row beside its tags: it was the last of the taggers, with no tag right."""
    tags = ("NOUN", "VERB", "ADP")
    body = [
        f"{k},w{k},{tags[k % 3]},{tags[(k + (k % 7 == 0)) % 3]},{tags[(k + (k % 5 == 0)) % 3]}" for k in range(3 * N)
    ]
    found = scored(rows(f",{heading},gold,pymorphy,spacy", *body))
    assert not found.problems
    assert {item.name for item in found.items if item.role == "system"} == {"pymorphy", "spacy"}
    assert f"what was labelled: {heading}." in told(found)
    other = scored(
        rows(
            ",terse,gold,pymorphy,spacy",
            *(one.replace(f",w{k},", f",{tags[k % 3].lower()},") for k, one in enumerate(body)),
        )
    )
    assert "what was labelled" not in told(other)
