"""Readings that a search finds where no rule understands a table: each is tried before it is shown."""

from __future__ import annotations

import json

import pytest

from sigcore.readers import Intake, Unclear
from sigcore.readers.tables import proposals
from sigcore.readers.tables.table import Table
from tests.unit.sigcore.readers.test_more_layouts import N, csv, intake, plan, scores


def ways(found: Intake) -> list[str]:
    """The roles that each reading of the one problem says."""
    (problem,) = found.problems
    return [roles for _, roles in problem.ways] if isinstance(problem, Unclear) else []


def chosen(text: str, roles: str, name: str = "t.csv") -> Intake:
    """The file as one of its readings says."""
    columns, _, cells = roles.partition(" --cells ")
    return intake({name: text}, columns=columns.replace(" ", "\n"), cells=cells.replace(" ", "\n"))


def judged() -> str:
    """Two models below `source`, with a score that grows with the question and one more for sft."""
    rows: list[list[object]] = [["prompt_id", "source", "helpfulness", "clarity", "reason"]]
    rows += [
        [f"p{k}", s, k % 5 + (s == "sft"), 3 + k % 2, f"because {k} {s} and so on"]
        for s in ("base", "sft")
        for k in range(N)
    ]
    return csv(rows)


def test_ids_that_come_again_are_crossed_with_names() -> None:
    (roles,) = ways(intake({"t.csv": judged()}))
    # the table of columns says what the command says
    assert plan(intake({"t.csv": judged()})) == {
        "prompt_id": "question", "source": "system", "helpfulness": "score", "clarity": "score", "reason": "ignored",
    }  # fmt: skip
    assert roles == "source=system prompt_id=question helpfulness=score clarity=score"
    found = chosen(judged(), roles)
    assert {item.name for item in found.items if item.role == "system"} == {"base", "sft"}
    first = [item for item in found.items if item.measure == "helpfulness"]
    assert {item.name: [float(cell) for cell in item.segments] for item in first} == {
        "base": [k % 5 for k in range(N)],
        "sft": [k % 5 + 1 for k in range(N)],
    }


def combined(settings: tuple[tuple[str, str], ...]) -> str:
    rows: list[list[object]] = [["strategy", "method", "qid", "query_ms", "hit@1"]]
    rows += [[s, m, f"q{k}", 3.5 + k, int((k + i) % 3 > 0)] for i, (s, m) in enumerate(settings) for k in range(N)]
    return csv(rows)


def test_two_columns_name_a_system_together() -> None:
    """What is tried in three combinations is no system with tasks: both columns together come first."""
    text = combined((("fixed", "dense"), ("fixed", "hybrid"), ("semantic", "dense")))
    first = ways(intake({"t.csv": text}))[0]
    assert first == "strategy=system method=system qid=question hit@1=score"
    found = chosen(text, first)
    assert {*scores(found)} == {"fixed, dense", "fixed, hybrid", "semantic, dense"}
    assert scores(found)["fixed, hybrid"] == [float((k + 1) % 3 > 0) for k in range(N)]
    assert any("strategy, method name the systems together" in one.message for one in found.notices)


def test_yes_and_no_of_several_judges_count_as_1_and_0() -> None:
    rows: list[list[object]] = [["bbcid", "system", "summary", "is_factual", "worker_id"]]
    rows += [
        [f"b{k}", s, f"what {s} wrote of {k}", "yes" if (k + w) % 3 else "no", f"wid_{w}"]
        for k in range(N) for s in ("BERT", "PtGen") for w in range(3)
    ]  # fmt: skip
    (roles,) = ways(intake({"t.csv": csv(rows)}))
    assert roles == "system=system bbcid=question worker_id=run is_factual=score --cells no=0 yes=1"
    found = chosen(csv(rows), roles)
    assert not found.problems
    assert scores(found)["BERT"][:3] == [0.0, 1.0, 1.0]


def test_a_file_of_one_system_may_have_several_measures_below_one_name() -> None:
    """Two of them share a part, so that they looked like systems with one measure; the name above them says what they are."""
    names = ("XCOMET-XL", "GEMBA-ESA-A", "GEMBA-ESA-B")
    records = [
        {
            "document_id": f"d{k}",
            "metric_scores": {name: ((k + i) % 7 + 0.5) * 10.0**i for i, name in enumerate(names, -1)},
        }
        for k in range(N)
    ]
    text = "".join(json.dumps(one) + "\n" for one in records)
    found = intake({"A.jsonl": text})
    assert not found.problems
    assert {(item.name, item.measure) for item in found.items if item.role == "system"} == {
        ("A", f"metric_scores.{name}") for name in names
    }


def table(rows: list[list[object]]) -> Table:
    return Table(
        "t.csv", [str(name) for name in rows[0]], [list(map(str, row)) for row in rows[1:]], range(2, len(rows) + 1)
    )


def test_overall_scores_come_first_and_settings_are_none() -> None:
    """A setting is the same for a system, and a length for a question: neither is a score. What is left counts where no heading
    says score."""
    rows: list[list[object]] = [
        ["case_id", "prompt_version", "setting", "size_x", "style_score", "overall_score", "novelty"]
    ]
    rows += [
        [f"c{k}", v, 0.5 + i, 10 * k, (k + i) % 4, (k * 3 + i) % 5, (k + 2 * i) % 7]
        for k in range(N) for i, v in enumerate(("plain", "careful", "short"))
    ]  # fmt: skip
    ((words, roles),) = proposals.of(table(rows))
    assert words == "prompt_version names the systems, and case_id the questions"
    assert roles == "prompt_version=system case_id=question overall_score=score style_score=score"
    ((_, other),) = proposals.of(table([[*row[:4], row[6]] for row in rows]))
    assert other == "prompt_version=system case_id=question novelty=score"


@pytest.mark.parametrize(
    "rows",
    [
        [["run_idx", "config", "avg_x"], *([k % 3, f"c{k // 3}", k * 7 % 5 / 5] for k in range(N))],  # three runs, no questions
        [["epoch", "val_acc", "val_loss"], *([k, 0.5 + k / 100, 2 - k / 50] for k in range(N))],  # a log of training
        [["prompt_id", "source", "x"], *([f"p{k}", "ab"[k >= N // 2], k / 7] for k in range(N))],  # nothing in common
    ],
)  # fmt: skip
def test_what_crosses_nothing_has_no_reading_with_systems(rows: list[list[object]]) -> None:
    assert not any(
        "=system" in roles
        for problem in intake({"t.csv": csv(rows)}).problems
        for _, roles in getattr(problem, "ways", ())
    )


def test_the_question_of_a_table_whose_score_is_named_is_asked() -> None:
    """Rows of two systems are no segments of their own; columns that name what both were asked are offered."""
    rows: list[list[object]] = [["system", "mr", "sys_ref", "quality"]]
    rows += [[s, f"inform({k})", f"{s} wrote {k}", k % 5 + 0.5] for s in ("Dusek", "LOLS") for k in range(N)]
    (problem,) = intake({"t.csv": csv(rows)}, score_field="quality").problems
    assert problem.fix == "Say it: --id-field mr."
    assert {*scores(intake({"t.csv": csv(rows)}, score_field="quality", id_field="mr"))} == {"Dusek", "LOLS"}


def partly(few: int) -> str:
    """Two systems with every question, and one with few of them."""
    rows: list[list[object]] = [["prompt_id", "source", "helpfulness"]]
    rows += [[f"p{k}", s, k % 5 + len(s)] for s, n in (("base", N), ("sft", N - 1), ("dpo", few)) for k in range(n)]
    return csv(rows)


def test_a_system_with_few_questions_does_not_hide_the_others() -> None:
    assert ways(intake({"t.csv": partly(1)})) == ["source=system prompt_id=question helpfulness=score"]
    # of three systems with half of the questions each, none has most of them
    halves = [[f"p{k}", "abc"[j], k % 5] for j in range(3) for k in range(N) if k % 3 != j or k % 2]
    assert proposals.of(table([["prompt_id", "source", "helpfulness"], *halves]))
    halves = [[f"p{k}", "abc"[j], k % 5] for j in range(3) for k in range(N) if (k + j) % 2]
    assert not proposals.of(table([["prompt_id", "source", "helpfulness"], *halves]))


def crossed_numbers(n: int, systems: int) -> str:
    """The score of each of some systems on each of n paragraphs, both by their numbers."""
    rows: list[list[object]] = [["Paragraph", "Summary", "BERTScore"]]
    rows += [[k, s, (7 * k + 3 * s) % 11 / 10] for k in range(1, n + 1) for s in range(1, systems + 1)]
    return csv(rows)


def test_numbers_name_systems_where_nothing_else_does() -> None:
    """Numbers from 1 on, equally often, are names where a table has no others: the fewer are the systems."""
    assert ways(intake({"t.csv": crossed_numbers(10, 6)}))[0] == "Summary=system Paragraph=question BERTScore=score"
    found = chosen(crossed_numbers(10, 6), "Summary=system Paragraph=question BERTScore=score")
    assert {*scores(found)} == {*"123456"}
    assert scores(found)["2"] == [(7 * k + 6) % 11 / 10 for k in range(1, 11)]
    # more summaries than paragraphs are still the outputs
    assert ways(intake({"t.csv": crossed_numbers(10, 11)}))[0] == "Summary=system Paragraph=question BERTScore=score"
    marks = crossed_numbers(10, 6).replace("\n10,6,", "\n10,5,")  # not equally often: these may be marks
    assert not any("Summary=system" in roles for roles in ways(intake({"t.csv": marks})))


def test_what_tells_rows_apart_may_name_the_questions_with_others() -> None:
    """Styles of groups are tasks, or name the questions with them: each way is shown."""
    rows = [
        [style, group, m, (3 * k + len(m)) % 7 / 7]
        for style in ("Rd", "HMI")
        for k, group in enumerate("cdefg")
        for m in ("a", "bb", "ccc")
    ]
    text = csv([["Style", "Group", "Model", "WER"], *rows])
    first, second, third = ways(intake({"t.csv": text}))
    assert (first, second, third) == (
        "Model=system Group=question Style=task WER=score",
        "Model=system Group=question Style=system WER=score",
        "Model=system Group=question Style=question WER=score",
    )
    assert {name: len(own) for name, own in scores(chosen(text, third)).items()} == {"a": 10, "bb": 10, "ccc": 10}
    assert {len(own) for own in scores(chosen(text, second)).values()} == {5}


def test_runs_by_their_heading_and_ids_of_each_system() -> None:
    """A known column of runs comes before others that tell rows apart, counts are no questions, and a document that is
    another one for each system is left out."""
    rows = [
        [f"s{k}", a, r, f"s{k}__{a}__{r}", (k + r) % 4, f"n{(k * r) % 3}", (k + r + len(a)) % 5 / 5]
        for k in range(N) for a in ("base", "fsm") for r in (1, 2)
    ]  # fmt: skip
    text = csv([["scenario_id", "agent", "repetition", "dialogue_id", "n_claims", "note", "fact_f1"], *rows])
    (first, *_) = ways(intake({"t.csv": text}))
    assert first == "agent=system scenario_id=question repetition=run fact_f1=score dialogue_id=ignored"
    found = chosen(text, first)
    assert not found.problems
    assert {name: len(own) for name, own in scores(found).items()} == {"base": 2 * N, "fsm": 2 * N}


def test_one_column_of_systems_comes_before_two() -> None:
    """Where each flavour was tried in each shade, one of both names the systems, and the other a part of the data."""
    pairs = [(flavour, shade) for flavour in ("sweet", "sour") for shade in ("dark", "pale")]
    cells = [[*pair, f"q{k}", (3 * k + 5 * i) % 11 / 10] for k in range(N) for i, pair in enumerate(pairs)]
    (_, roles), *_ = proposals.of(table([["flavour", "shade", "item_id", "quality"], *cells]))
    assert roles == "flavour=system item_id=question shade=task quality=score"


def test_two_columns_name_the_question_together() -> None:
    """Models that guess who wrote a text: each text is a prompt and its author, and a slot is only its place."""
    models = ["gpt-4o", "claude-3", "gemini-pro"]
    rows: list[list[object]] = [["session_id", "prompt_id", "guesser", "slot", "true_author", "correct", "reason"]]
    rows += [
        [f"{p}__{j}", p, j, "ABC"[(i + n) % 3], one, int((i + n) % 3 == 0), f"it reads like {one}"]
        for p in ("E1", "E2")
        for n, j in enumerate(models)
        for i, one in enumerate(models)
    ]
    first = ways(intake({"t.csv": csv(rows)}))[0]
    assert first == "guesser=system prompt_id=question true_author=question correct=score"
    found = chosen(csv(rows), first)
    assert {name: len(own) for name, own in scores(found).items()} == dict.fromkeys(models, 6)
    assert scores(found)["gpt-4o"] == [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    # judges who are right or wrong may be what is compared, and so may be what they judged
    assert ways(intake({"t.csv": csv(rows).replace("guesser", "judge")})) == [
        "judge=system prompt_id=question true_author=question correct=score",
        "true_author=system prompt_id=question judge=question correct=score",
    ]


def test_who_rated_is_the_question_where_everybody_rated_everything_once() -> None:
    """There may be more stimuli than people; a rating of each by each pairs the stimuli by person."""
    rows: list[list[object]] = [["participant", "stimulus", "rating"]]
    rows += [[f"P{p}", f"h{s}-w", (p + s) % 7 + 1] for p in range(5) for s in range(6)]
    (roles,) = ways(intake({"t.csv": csv(rows)}))
    assert roles == "stimulus=system participant=question rating=score"
    found = scores(chosen(csv(rows), roles))
    assert found == {f"h{s}-w": [float((p + s) % 7 + 1) for p in range(5)] for s in range(6)}
    # one who rated no more than a part pairs nothing
    few = csv([row for k, row in enumerate(rows) if k == 0 or k * k % 7 in (1, 2)])
    assert not any("participant=question" in roles for roles in ways(intake({"t.csv": few})))
