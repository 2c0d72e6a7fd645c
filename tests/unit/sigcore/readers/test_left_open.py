"""Tables that were refused without a way on: ratings below a title, totals beside criteria, published pairs."""

from __future__ import annotations

import json

import pytest

from sigcore.data import Collection, choices
from sigcore.readers import Choice, Intake, read, read_ratings

N = 12


def one(lines: list[str]) -> Intake:
    return read([("table.csv", "\n".join(lines).encode())])


def rated(title: str) -> Collection:
    """Ratings of two systems on texts, below a line."""
    rows = [f"text number {k} here,{s},{1 + (k * len(s)) % 3}" for s in ("plain", "tuned") for k in range(N)]
    found = Collection()
    found.add([("human.csv", "\n".join([title, "source_sentence,model,human_rating", *rows]).encode())], ratings=True)
    return found


def test_ratings_may_stand_below_a_title() -> None:
    """The headings are found, and what is asked about them has a command that is read."""
    (problem,) = rated("a template of ratings,,").problems
    assert "--columns model=system source_sentence=question human_rating=score" in problem.fix
    (other,) = rated("a template,of ratings,").problems  # two cells are no title
    assert "source_sentence=question" not in other.fix


def criteria(total: str, *names: str) -> list[str]:
    heads = ["query_id", "model", *names, total]
    rows = [[f"q{k}", m, *(str((k + i) % 2) for i in range(len(names))), str(k % 5)] for m in "ab" for k in range(N)]
    return [",".join(line) for line in (heads, *rows)]


@pytest.mark.parametrize("total", ["judge_total", "total_50", "Overall score"])
def test_the_total_comes_before_its_criteria(total: str) -> None:
    intake = read([("t.csv", "\n".join(criteria(total, "fluency", "relevance")).encode())])
    measures = choices([item for item in intake.items if item.role == "system"]).measures
    assert measures[0] == total
    assert {*measures[1:]} == {"fluency", "relevance"}


def test_a_score_of_anything_comes_after_known_measures() -> None:
    """A known measure, and the score of a judge, keep their places; top1_score is a similarity, and no measure."""
    intake = one(criteria("ndcg@10", "best_score", "judge_score", "top1_score"))
    assert choices(intake.items).measures == ("judge_score", "ndcg@10", "best_score")


@pytest.mark.parametrize("told", ["p_value", "cer_ci_low", "McNemar p"])
@pytest.mark.parametrize("names", [("strategy_a", "strategy_b"), ("model_a", "model_b")])
def test_results_of_pairs_are_no_judgments(names: tuple[str, str], told: str) -> None:
    """A pair in each row, with a p-value or an interval: nothing is left to test, and the error says so."""
    pairs = [("x", "y"), ("x", "z"), ("y", "z"), ("x", "w"), ("y", "w"), ("z", "w")]
    rows = [f"batch,{a},{b},40,{k},.0{k}" for k, (a, b) in enumerate(pairs, 1)]
    (problem,) = one([f"mode,{','.join(names)},n,wins,{told}", *rows]).problems
    assert "Each row is a published result" in str(problem)
    (other,) = one([f"mode,{','.join(names)},n,wins,margin", *rows]).problems
    assert "published" not in str(other)


def test_the_first_of_several_people_is_one_of_them() -> None:
    """Sheets of three people are asked about together, which says nothing against reading the first of them."""
    sheets = {
        who: [f"{k},{s},{1 + (k * w) % 5}" for k in range(N) for s in ("GPT", "Ours")]
        for w, who in enumerate(("Anna", "Ben", "Chloe"), 1)
    }
    files = [
        (f"ratings.xlsx/{who}.csv", "\n".join(["Item,System,Fluency (1-5)", *rows]).encode())
        for who, rows in sheets.items()
    ]
    assert [part.name for part in read_ratings(files).judgments] == ["Anna", "Ben", "Chloe"]


def test_averages_and_sizes_are_no_questions_of_turned_rows() -> None:
    """A leaderboard whose rows are systems: its average would count as one more test set."""
    rows = [f"m{i},{i},{100 * i},{','.join(str((i * k) % 7) for k in range(6))},3.5" for i in range(1, 5)]
    head = f"model,Model size (B),RTFx,{','.join(f'set{k}' for k in range(6))},Avg"
    found = read([("board.csv", "\n".join([head, *rows]).encode())], every=Choice(options={"columns": "rows=system"}))
    assert {item.name: len(item.segments) for item in found.items} == {f"m{i}": 6 for i in range(1, 5)}
    assert any("Columns that are not used: Model size (B), RTFx, Avg." in one.message for one in found.notices)


def test_most_columns_may_be_questions_where_few_are_called_as_measures() -> None:
    """kid_voice is a domain, whatever KID measures; among many such columns turning them is offered."""
    domains = ["audio_books", "biography", "interview", "lecture", "kid_voice", "medicine", "sports"]
    rows = [f"m{i},{','.join(f'.{(i * k) % 9}1' for k in range(len(domains)))}" for i in range(1, 9)]
    (problem,) = one([f"model,{','.join(domains)}", *rows]).problems
    assert "--columns rows=system" in problem.fix


def test_both_systems_may_be_known_where_the_winner_is_not() -> None:
    """model_a and model_b are always the same two; a column with their names says who won."""
    rows = [f"u{k % 5},gbaf,mlp,{('gbaf', 'mlp', 'gbaf')[k % 3]},{k}" for k in range(N)]
    (problem,) = one(["user,model_a,model_b,effective_result,rank_a", *rows]).problems
    assert "--columns model_a=first model_b=second effective_result=winner" in problem.fix
    (part,) = one(["user,model_a,model_b,effective_preference,rank_a", *rows]).preferences
    assert {*part.first} == {"gbaf"}
    assert {*part.second} == {"mlp"}


def test_nested_costs_are_no_rivals() -> None:
    rows = [{"id": f"q{k}", "cost": {"full_input_tokens": 100 + k, "full_output_tokens": 50 + k}} for k in range(N)]
    (problem,) = read([("log.jsonl", "\n".join(map(json.dumps, rows)).encode())]).problems
    assert "full_input_tokens=system" not in problem.fix
