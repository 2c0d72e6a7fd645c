"""Tables that were refused without a way on: ratings below a title, totals beside criteria, published pairs."""

from __future__ import annotations

import pytest

from sigcore.data import Collection, choices
from sigcore.readers import Intake, read

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
    """top1_score may be a similarity; a known measure, and the score of a judge, keep their places."""
    intake = one(criteria("ndcg@10", "top1_score", "judge_score"))
    assert choices(intake.items).measures == ("judge_score", "ndcg@10", "top1_score")


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
