"""Columns beside scores: what counts rows, names questions or people, costs, winners, and what comes from the scores."""

from __future__ import annotations

import json

import pytest

from sigcore.data.assembly import assemble
from sigcore.data.select import choices
from sigcore.readers import Choice, Intake, Unclear, read, read_ratings
from sigcore.readers.tables import headings as words
from tests.unit.sigcore.readers.test_more_layouts import csv, intake, scores

N = 12
Row = list[object]


def asked(found: Intake) -> Unclear:
    (problem,) = found.problems
    assert isinstance(problem, Unclear)
    return problem


def roles(problem: Unclear) -> dict[str, str]:
    return {claim.column: claim.role for claim in problem.claims}


def told(content: str, said: str) -> Intake:
    """The same file, read as a printed command says."""
    columns, _, cells = said.partition(" --cells ")
    options = {"columns": columns.replace(" ", "\n"), "cells": cells.replace(" ", "\n")}
    return read([("t.csv", content.encode())], every=Choice(options=options))


def test_what_counts_the_rows_is_no_score_of_the_one_system() -> None:
    """Scenario 1, 2, 3 stood first among four measures, and would have been compared."""
    text = csv(
        [["Scenario", "Tone", "Fact_Recall", "Tone_Score"], *([k + 1, "kind", k % 3 / 3, k % 5 / 5] for k in range(N))]
    )
    problem = asked(intake({"t.csv": text}))
    assert roles(problem)["Scenario"] == "question"
    assert "These are scores of one system: load those of another, too. If that is right" in problem.fix
    wide = csv([["q", "n", "gpt", "llama", "cost"], *([f"q{k}", k, k % 3, k % 2, k / 7] for k in range(N))])
    assert "scores of one system" not in str(intake({"t.csv": wide}).problems)


def test_a_reference_that_comes_again_names_the_questions() -> None:
    rows: list[Row] = [
        [g, f"it says {k} things", f"so {g} {k}", (k + i) % 3 == 0] for i, g in enumerate("AB") for k in range(N)
    ]
    text = csv(
        [
            ["group", "reference", "model_output", "hallucination_label"],
            *([*row[:3], int(bool(row[3]))] for row in rows),
        ]
    )
    problem = asked(intake({"t.csv": text}))
    assert problem.ways[0][1] == "group=system reference=question hallucination_label=score"
    assert scores(told(text, problem.ways[0][1])).keys() == {"A", "B"}


def test_a_variant_is_a_part_of_the_system_and_no_question() -> None:
    """Two models in three variants each were two systems on thirty questions."""
    rows: list[Row] = [
        [f"la frase {k} qui", m, f"v{v}", f"t {m} {v} {k}", 1 + (k + v) % 5]
        for k in range(10)
        for m in ("phi", "qwen")
        for v in range(3)
    ]
    text = csv([["source_sentence", "model", "variant", "translation", "human_rating"], *rows])
    problem = asked(read_ratings([("t.csv", text.encode())]))
    assert problem.ways[0][1] == "model=system variant=system source_sentence=question human_rating=score"


def test_a_file_in_each_row_is_no_part_of_the_id() -> None:
    """The id and its recording were one id together, so two modes of one utterance were never paired."""
    rows: list[Row] = [
        [f"en_{k}", m, f"{m}-{k}.wav", k % 4 / 4 + i / 9] for k in range(N) for i, m in enumerate(("speech", "song"))
    ]
    problem = asked(intake({"t.csv": csv([["utterance_id", "mode", "filename", "WER"], *rows])}))
    assert roles(problem) == {"utterance_id": "question", "mode": "system", "filename": "ignored", "WER": "score"}


def test_costs_are_compared_where_nothing_else_is() -> None:
    rows: list[Row] = [
        [c, t, a, 300 + 7 * t + i, 2.5 + t / 9 - i / 5]
        for c in range(4)
        for t in range(1, 6)
        for i, a in enumerate(("Base", "Split"))
    ]
    text = csv([["conversation", "turn", "agent", "prompt_tokens", "latency"], *rows])
    problem = asked(intake({"t.csv": text}))
    assert problem.ways[0][1] == "agent=system turn=question conversation=document latency=score"
    found = told(text, problem.ways[0][1])
    assert {len(item.segments) for item in found.items if item.kind == "scores"} == {20}
    assert any(item.role == "documents" for item in found.items)


def test_numbered_repeats_of_a_task_are_its_runs() -> None:
    """source joins the model and the repeat; task_id names the questions, though no word of the vocabulary is its heading."""
    rows: list[Row] = [
        [f"{m}-r{r}", m, r, f"20{r}-{m}", f"CODE-{k}", "x" if k else "", (k + r) % 3 / 3, (k + len(m)) % 4 / 4]
        for m in ("luna", "gpt") for r in (1, 2) for k in range(N)
    ]  # fmt: skip
    rows = [[*row[:6], row[6] if k % 3 == 0 else "", row[7]] for k, row in enumerate(rows)]
    text = csv([["source", "model", "repeat", "run_id", "task_id", "status", "style_score", "capability_score"], *rows])
    found = intake({"t.csv": text})
    assert not found.problems
    named = {item.name: len(item.segments) for item in found.items if item.kind == "scores"}
    assert named == {"luna": 2 * N, "gpt": 2 * N}
    # a measure of a third of the tasks is not the first that is shown
    assert choices(found.items).measures[0] == "capability_score"
    assert assemble(found.items).outputs


@pytest.mark.parametrize(
    ("head", "cells", "plan"),
    [
        (["id", "winner"], ("Model A", "Model B", "Tie"), {"id": "question", "winner": "winner"}),
        (["id", "majority_overall_pref", "majority_rule_pref"], ("guided", "default", "tie"), {"id": "question", "majority_overall_pref": "winner"}),
    ],
)  # fmt: skip
def test_winners_of_two_names_are_asked_about(head: list[str], cells: tuple[str, ...], plan: dict[str, str]) -> None:
    rows: list[Row] = [[f"q{k}", *(cells[(k + i) % 3] for i in range(len(head) - 1))] for k in range(N)]
    text = csv([list(head), *rows])
    problem = asked(intake({"t.csv": text}))
    offered = (
        [" ".join(f"{name}={role}" for name, role in problem.plan.items())]
        if problem.plan
        else [command for _, command in problem.ways]
    )
    alone = {**plan, **dict.fromkeys(head[2:], "ignored")}
    assert offered[0] == " ".join(f"{name}={role}" for name, role in alone.items())
    assert len(offered) == (1 if len(head) == 2 else 3)
    assert ("These may be places" in problem.why) == (cells[0] == "Model A")
    parts = [told(text, command).preferences[0] for command in offered]
    assert all({*part.first, *part.second} == {*cells[:2]} for part in parts)
    assert [len(part.outcome) for part in parts] == [N, N, 2 * N][: len(parts)]
    (refused,) = read_ratings([("t.csv", text.encode())]).problems
    assert "sigboard pairwise" in refused.fix


def test_a_winner_by_people_says_which_model_is_better() -> None:
    """Verdicts of other models stand below their names: they judge, and do not compete."""
    rows: list[Row] = [["gpt" if k % 2 else "gemini", "claude", "ab"[k % 3 == 0], "ba"[k % 2]] for k in range(N)]
    (part,) = intake({"t.csv": csv([["model_a", "model_b", "human_winner", "gpt-5"], *rows])}).preferences
    assert {*part.first, *part.second} == {"gpt", "gemini", "claude"}


def test_percent_is_a_unit_and_no_measure() -> None:
    """A row for each seed, arm and split is a whole run; pct was taken for the measure of seven systems."""
    rows: list[Row] = [
        [s, a, seed, 5 + seed / 9, 90 - seed / 9]
        for s in ("dev", "eval")
        for a in ("Hard", "Soft")
        for seed in range(3)
    ]
    problem = asked(intake({"t.csv": csv([["split", "arm", "seed", "frame_eer_pct", "frame_f1_pct"], *rows])}))
    assert problem.why == "Each row is a whole run: 3 seeds of each arm, and no scores of segments."
    named = {name: role for name, role in roles(problem).items() if role == "score"}
    assert {*named} == {"frame_eer_pct", "frame_f1_pct"}


@pytest.mark.parametrize(("columns", "offered"), [(3, False), (4, True)])
def test_rows_are_offered_as_systems_if_enough_columns_may_be_questions(columns: int, offered: bool) -> None:
    rows: list[Row] = [[f"it is {k} words", *((k + i) % 4 / 4 for i in range(columns))] for k in range(5)]
    problem = asked(intake({"t.csv": csv([["kind of it", *(f"w{chr(97 + i)}" for i in range(columns))], *rows])}))
    assert ("--columns rows=system" in problem.why) == offered


def test_what_comes_from_the_scores_is_no_system() -> None:
    """The best of all and a difference stand beside two measures of three systems each."""
    grid = [f"{m}_{s}" for s in ("bm25", "dense", "hybrid") for m in ("rr", "recall10")]
    rows: list[Row] = [[f"q{k}", "tipo x", *((k + i) % 5 / 5 for i in range(6)), 1.0, -0.5 + k / 99] for k in range(N)]
    text = csv([["query_id", "tipo", *grid, "mejor", "hibrido_vs_otro"], *rows])
    problem = asked(intake({"t.csv": text}))
    assert problem.ways == (("rr, recall10 are measures of bm25, dense, hybrid", "rr=measure recall10=measure"),)
    found = told(text, problem.ways[0][1])
    assert {(item.name, item.measure) for item in found.items if item.kind == "scores"} == {
        (s, m) for s in ("bm25", "dense", "hybrid") for m in ("rr", "recall10")
    }


def flagged(words: tuple[str, str], labels: tuple[object, object] = (0, 1)) -> str:
    rows: list[Row] = [
        [m, k, labels[k % 2], words[(k + (k % 5 == i)) % 2], k + i]
        for i, m in enumerate(("regex", "bert"))
        for k in range(2 * N)
    ]
    return csv([["method", "row_id", "label", "flagged", "latency_ms"], *rows])


def test_what_several_methods_predict_is_compared_with_the_labels() -> None:
    """flagged is True or False, and the label 1 or 0: without the numbers no answer would be right."""
    problem = asked(intake({"t.csv": flagged(("False", "True"))}))
    said = problem.ways[0][1]
    assert said == "method=system row_id=question label=reference flagged=text --cells false=0 true=1"
    texts = {
        item.name: item.segments
        for item in told(flagged(("False", "True")), said).items
        if item.role == "system" and item.kind == "text"
    }
    assert {*texts} == {"regex", "bert"}
    assert {*texts["regex"]} == {"0", "1"}
    other = intake({"t.csv": flagged(("safe", "unsafe"))}).problems
    assert "flagged=text" not in str(other)


def test_means_of_trec_eval_are_refused() -> None:
    lines = [
        "runid \tall\tEXP",
        *(f"{name:22}\tall\t{k / 9:.4f}" for k, name in enumerate(("num_q", "map", "11pt_avg", "P_5", "ndcg"))),
    ]
    (problem,) = intake({"trec_eval.txt": "\n".join(lines) + "\n"}).problems
    assert "output of trec_eval for all queries together" in str(problem)


def test_bars_separate_cells() -> None:
    text = "".join(f"q{k}|{k % 3 / 3}|{k % 4 / 4}\n" for k in range(N))
    assert scores(intake({"t.csv": f"id|gpt|llama\n{text}"})) == {
        "gpt": [k % 3 / 3 for k in range(N)],
        "llama": [k % 4 / 4 for k in range(N)],
    }
    comma = "".join(f"q|{k},{k % 3 / 3},{k % 4 / 4}\n" for k in range(N))
    assert scores(intake({"t.csv": f"id,gpt,llama\n{comma}"})).keys() == {"gpt", "llama"}


def test_the_only_single_words_name_the_rows_of_several_files() -> None:
    """Two games in other orders were paired line by line."""
    secrets = [chr(97 + k) * 5 for k in range(N)]
    files = {
        f"{engine}.jsonl": "".join(json.dumps({"engine": engine, "secret": s, "solved": (ord(s[0]) + i) % 3 > 0, "attempts": ord(s[0]) % 4}) + "\n" for s in order)
        for i, (engine, order) in enumerate((("a", secrets), ("b", secrets[::-1])))
    }  # fmt: skip
    found = intake(files)
    first = found.problems[0]
    assert isinstance(first, Unclear)
    assert roles(first)["secret"] == "question"
    said = "\n".join(f"{name}={role}" for name, role in first.plan.items())
    again = read([(name, text.encode()) for name, text in files.items()], every=Choice(options={"columns": said}))
    assert {tuple(item.keys) for item in again.items if item.kind == "scores"} == {tuple(secrets), tuple(secrets[::-1])}


def test_judged_criteria_are_asked_about_before_counts() -> None:
    rows: list[Row] = [
        [f"t{k}", m, 4 + k, 9 + k + i, 1 + (k + i) % 5, 1 + k % 5] for k in range(N) for i, m in enumerate(("a", "b"))
    ]
    problem = asked(
        intake(
            {
                "t.csv": csv(
                    [["text_id", "model_id", "lix_before", "lix_after", "judge_simplicity", "judge_tone"], *rows]
                )
            }
        )
    )
    assert problem.plan == {"judge_simplicity": "score", "judge_tone": "score"}


def test_a_column_of_annotators_is_one_of_people() -> None:
    """0, 1, 2 below Annotator were scores beside those of their criteria."""
    rows: list[Row] = [[k % 3, f"it is {k // 3} here", "EP", k % 5, k % 4, 1 + k % 3] for k in range(3 * N)]
    problem = asked(intake({"t.csv": csv([["Annotator", "Text", "Set", "Coherence", "Other", "Fluent"], *rows])}))
    assert roles(problem)["Annotator"] == "judge"


def test_beside_numbers_of_rows_without_a_heading_stand_headings() -> None:
    """,actual,predicted was a first segment of two systems."""
    rows: list[Row] = [[k, f"they are {k} here", f"we were {k} there"] for k in range(N)]
    problem = asked(intake({"t.csv": csv([["", "actual", "predicted"], *rows])}))
    assert problem.plan == {"actual": "reference", "predicted": "text"}


def test_a_ranking_of_models_is_no_test_set() -> None:
    """A model comes again with other settings, so its name tells no rows apart."""
    rows: list[Row] = [[k + 1, f"org/m{k % 5}", "int8" if k % 2 else "base", 0.1 + k / 99, 9 - k / 9] for k in range(N)]
    (problem,) = intake({"t.csv": csv([["rank", "model", "configuration", "standard_cer", "seconds"], *rows])}).problems
    assert "one row per system" in str(problem)
    unordered = csv([["rank", "model", "item", "cer"], *([1 + k % 3, f"m{k % 2}", k // 2, k / 9] for k in range(N))])
    assert "one row per system" not in str(intake({"t.csv": unordered}).problems)


def test_an_empty_heading_is_no_number_sign() -> None:
    """# numbers the rows; the index of R has no heading, and names nothing."""
    assert [words.meaning(one) for one in ("#", " # ", "", '""')] == ["perhaps segment", "perhaps segment", None, None]
    rows: list[Row] = [[f'"{k + 1}"', k // 6, k // 2 % 3, ("A", "B")[k % 2], k % 5] for k in range(6 * N)]
    text = csv([['""', "participant", "item", "condition", "rating"], *rows])
    found = read_ratings([("r.csv", text.encode())], {"columns": "condition=system\nrating=score"})
    assert {*found.judgments[0].segment} == {"0", "1", "2"}


def test_a_form_may_ask_the_same_again() -> None:
    """Two columns with one heading had no headings at all, and the questions were the first answers."""
    rows: list[Row] = [[f"1/6/2026 21:{k + 10}", 1 + k % 5, 1 + k % 3, f"so it was {k}"] for k in range(N)]
    problem = asked(intake({"t.csv": csv([["Timestamp", "How good is A?", "How good is A?", "Why so?"], *rows])}))
    assert {"How good is A?", "How good is A? (2)"} <= roles(problem).keys()
