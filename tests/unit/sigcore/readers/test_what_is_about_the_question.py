"""What says something of the question and nothing of a system; files named after the system; several right answers."""

from __future__ import annotations

import itertools
import json

import pytest

from sigcore.data import Collection, assemble
from sigcore.readers import Choice, Intake, read
from tests.made_tables import N, asked, means, rows, scored, told, value

# Facts of the question beside scores.


def of_depth(**more: object) -> str:
    """Two systems in long form, with a depth that belongs to the question, and a score."""
    own = (f"q{k},{s},{7 * k}.5,{value(k, i)}" for k in range(N) for i, s in enumerate("AB"))
    return rows("question,model,coverage,score", *own)


def test_what_all_systems_of_a_file_have_alike_is_no_score() -> None:
    """The numbers below coverage go with the question: only the score differs."""
    found = scored(of_depth())
    assert means(found) == pytest.approx({s: sum(value(k, i) for k in range(N)) / N for i, s in enumerate("AB")})
    assert "the same numbers in all 2 systems, so they are about the segments: coverage" in told(found)


def test_what_is_asked_for_is_never_left_out() -> None:
    """Somebody who names it as the score has it, whatever it says."""
    found = scored(of_depth(), score_field="coverage")
    assert {item.measure for item in found.items} == {"coverage"}


def test_two_measures_that_are_both_alike_both_stay() -> None:
    """Then nothing else is compared: two copies of one system are said to be identical later."""
    own = (f"q{k},{s},{7 * k}.5,{value(k, 0)}" for k in range(N) for s in "AB")
    found = scored(rows("question,model,coverage,score", *own))
    assert {item.measure for item in found.items} == {"coverage", "score"}


@pytest.mark.parametrize("heading", ["f1", "bleu"])
def test_a_known_metric_may_be_the_same_for_two_systems(heading: str) -> None:
    """It is a result, unlike a criterion of the question."""
    own = (f"q{k},{s},{k / 10},{value(k, i)}" for k in range(N) for i, s in enumerate("AB"))
    found = scored(rows(f"question,model,{heading},accuracy", *own))
    assert {item.measure for item in found.items} == {heading, "accuracy"}


# A file for each question, called after the system and the question.


def needles(end: str = "_results", share: int = N) -> list[tuple[str, bytes]]:
    """A folder for each model, and in it a file for each length and depth of a needle."""
    return [
        (
            f"{model}/{model}_len_{k}_depth_{10 * k}{end}.json",
            json.dumps({"model": model, "context_length": k, "coverage": 10.0 * k, "score": (3 * k + i) % 10}).encode(),
        )
        for i, model in enumerate(("alpha", "beta_2"))
        for k in (range(N) if i == 0 else range(N - share, 2 * N - share))
    ]


@pytest.mark.parametrize("end", ["_results", ""])
def test_files_that_begin_with_their_system(end: str) -> None:
    """What all names of a folder begin and end with says nothing of the question."""
    found = read(needles(end))
    assert means(found) == pytest.approx(
        {m: sum((3 * k + i) % 10 for k in range(N)) / N for i, m in enumerate(("alpha", "beta_2"))}
    )
    assert f"folders with the same {N} files" in told(found)


def test_folders_of_other_questions_are_not_joined() -> None:
    """Only one in three questions is in both."""
    assert "folders with the same" not in told(read(needles(share=N // 3)))


def test_one_note_of_a_program_is_no_question() -> None:
    """A file that alone is called results sums up its folder; where all are called so, the word says nothing."""
    files = needles("")
    found = read(
        [*files, ("alpha/alpha_results.json", b'{"score": 4}'), ("beta_2/beta_2_results.json", b'{"score": 5}')]
    )
    assert f"folders with the same {N} files" in told(found)


# Names of systems before several headings.


PAIRED = "id,flat_rag_answer,graph_answer,flat_rag_score,graph_score,max_score,flat_rag_chunks,graph_triples"


def test_scores_of_the_names_that_stand_before_answers() -> None:
    """The best that could be had is no third system, and what only one of them has is no score."""
    own = [f"e{k},so {k},or {k},{k % 5},{(k + 2) % 5},5,{k % 7},{2 * k % 9}" for k in range(N)]
    found = scored(rows(PAIRED, *own))
    assert means(found) == pytest.approx({"flat_rag_score": sum(k % 5 for k in range(N)) / N, "graph_score": sum((k + 2) % 5 for k in range(N)) / N})  # fmt: skip


# Rows of one system, some column of which may name several.


def test_names_whose_rows_other_columns_tell_apart() -> None:
    """The attack and the channel name the question together: one of them alone does not. Trials are runs."""
    head = "attack,attack_success,channel,citation_rate,flagged,llm_risk,mode,trial"
    own = [
        f"{attack},,{channel},{value(trial, i) + j / 100},{bool(trial % 2)},0,{mode},{trial}"
        for i, mode in enumerate(("baseline", "defended"))
        for j, (attack, channel) in enumerate(itertools.product(("swap", "leak"), ("web", "file")))
        for trial in range(3)
    ]
    problem = asked(rows(head, *own))
    first, second = problem.ways
    assert first == (
        "mode names the systems, and flagged says which answers are right (true is 1)",
        "mode=system attack=question channel=question citation_rate=score flagged=score",
    )
    assert second[0] == "all rows are of one system, and flagged says which answers are right (true is 1)"
    found = scored(rows(head, *own), columns=first[1].replace(" ", "\n"))
    assert {item.name for item in found.items if item.role == "system"} == {"baseline", "defended"}
    assert {len(item.segments) for item in found.items} == {12}  # of three runs


# Reports of programs.


def test_the_short_report_of_tercom() -> None:
    """Edits, words and TER of each sentence, below the names of both files."""
    text = "Hypothesis File: a.trans\nReference File: r.trans\n" + "".join(
        f"s:{k} {k}.0 20.0 {k / 20}\n" for k in range(N)
    )
    found = read([("nmt.ter", text.encode()), ("smt.ter", text.replace(" 20.0 ", " 10.0 ").encode())])
    assert not found.problems
    assert {(item.name, item.measure) for item in found.items} == {("nmt", "TER"), ("smt", "TER")}
    assert [float(cell) for cell in found.items[0].segments] == pytest.approx([k / 20 for k in range(N)])
    assert found.items[0].keys[:2] == ("s:0", "s:1")


def test_a_log_of_fairseq_is_no_text() -> None:
    """Each line has a loss without a colon."""
    log = "".join(f"2022-05-10 | INFO | train | epoch 00{k} | loss {8 - k / 10} | ppl 20\n" for k in range(9))
    (problem,) = read([("train.log", log.encode())]).problems
    assert problem.what == "It looks like a log of a training."


WHISPER = {"id": 0, "seek": 0, "start": 0.0, "end": 4.2, "text": "so", "temperature": 0.0, "avg_logprob": -0.4, "compression_ratio": 1.5, "no_speech_prob": 0.1}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("talk.json", json.dumps({"text": "so so", "segments": [{**WHISPER, "id": k, "avg_logprob": -k / 9} for k in range(N)]}), "transcript of Whisper"),
        ("trials.csv", rows("number,value,datetime_start,datetime_complete,params_a,params_b", *(f"{k},0.{k},2026-01-01,2026-01-02,{k},{k}" for k in range(N))), "Optuna"),
        ("leaderboard.csv", rows(",win_rate,standard_error,n_wins,n_total,avg_length", *(f"m{k},{50 + k},1,{k},805,900" for k in range(N))), "AlpacaEval"),
    ],
)  # fmt: skip
def test_what_holds_no_scores_of_questions(name: str, text: str, words: str) -> None:
    (problem,) = read([(name, text.encode())]).problems
    assert words in problem.what


# What is missing, and what is there twice.


def summary(task: str) -> bytes:
    return json.dumps({"results": {task: {"acc,none": 0.5}}, "configs": {task: {"task": task}}, "versions": {task: 1}}).encode()  # fmt: skip


def collected(*files: tuple[str, bytes]) -> Collection:
    collection = Collection()
    collection.add(files)
    return collection


def test_results_of_whole_tasks_say_what_to_load() -> None:
    """On the page of the matrix as on that of tasks."""
    loaded = assemble(collected(("results_1.json", summary("sums")), ("results_2.json", summary("sums"))).edited())
    (error,) = loaded.of("error")
    assert (
        error.fix
        == "results_1.json has the mean of each task alone. Load the samples, too: lm_eval --log_samples writes them, lighteval --save-details."
    )


def test_what_was_not_used_is_named_where_nothing_is() -> None:
    (error,) = assemble(collected(("README.md", b"# Results\n\nThey are good.\n")).edited()).of("error")
    assert "Not used: README.md (text, 3 segments; not data, judging by its name)." in error.fix


def of_gold(second: str) -> Intake:
    own = (
        f"q{k},gold {k},{second if k % 2 else 'gold'} {k},gold {k + (k % 5 == 1)},gold {k + k % 2}" for k in range(N)
    )
    return read([("qa.csv", rows("id,gold_answer,gold_answer_v2,A,B", *own).encode())], every=Choice())


def test_two_columns_of_right_answers_are_said_to_be_both_used() -> None:
    """Answers count by any of them; equal columns say nothing more."""
    assert "gold_answer, gold_answer_v2 are references: each output is scored against all of them" in told(
        of_gold("or")
    )
    assert "are references" not in told(of_gold("gold"))
