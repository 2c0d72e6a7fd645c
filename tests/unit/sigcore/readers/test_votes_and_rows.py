"""Votes by place, worse systems, ties and results of a pair; rows that sum up others, parts of the data, and ranks."""

from __future__ import annotations

import random
import shlex

import pytest

from sigcore.readers import Choice, Intake, Unclear, read

N = 24
Rows = list[tuple[object, ...]]


def intake(name: str, text: str, **options: object) -> Intake:
    return read([(name, text.encode())], every=Choice(options=options) if options else None)


def csv(head: str, rows: Rows) -> str:
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"


def said(command: str) -> dict[str, object]:
    """The options that a printed command gives."""
    words = shlex.split(command)
    at = words.index("--cells") if "--cells" in words else len(words)
    cells = "\n".join(words[at + 1 :])
    return {"columns": "\n".join(words[:at])} | ({"cells": cells} if cells else {})


def won(found: Intake) -> dict[str, float]:
    """How many comparisons each system won, a tie as half."""
    (own,) = found.preferences
    points: dict[str, float] = {}
    for a, b, outcome in zip(own.first.tolist(), own.second.tolist(), own.outcome.tolist(), strict=True):
        points[a] = points.get(a, 0.0) + outcome
        points[b] = points.get(b, 0.0) + 1 - outcome
    return points


def asked(found: Intake) -> Unclear:
    (problem,) = found.problems
    assert isinstance(problem, Unclear)
    assert (found.items, found.preferences) == ((), ())
    return problem


def scores(found: Intake) -> dict[str, list[float]]:
    assert not found.problems
    return {item.name: [float(cell) for cell in item.segments] for item in found.items if item.kind == "scores"}


def drawn(seed: int = 1) -> list[tuple[str, bool, str]]:
    """The question, whether gpt stood left, and who won: mostly gpt."""
    draw = random.Random(seed)
    return [(f"q{k}", draw.random() < 0.5, "gpt" if draw.random() < 0.8 else "llama") for k in range(N)]


def truth() -> dict[str, float]:
    return {name: float(sum(who == name for _, _, who in drawn())) for name in ("gpt", "llama")}


def side(left: bool, who: str, words: tuple[str, str]) -> str:
    return words[0] if left == (who == "gpt") else words[1]


@pytest.mark.parametrize(
    ("heads", "told", "words"),
    [
        ("left_model,choice", ("gpt", "llama"), ("left", "right")),
        ("first_shown,winner", ("gpt", "llama"), ("first", "second")),
        ("order,winner", ("AB", "BA"), ("A", "B")),
        ("swapped,winner", (False, True), ("A", "B")),
        ("is_flipped,winner", (0, 1), ("1", "2")),
        ("a_is_left,choice", (1, 0), ("left", "right")),
    ],
)
def test_a_winner_by_place_is_asked_where_a_column_says_who_stood_there(
    heads: str, told: tuple[object, object], words: tuple[str, str]
) -> None:
    """The first command counts by that column, the last one as if model_a always stood first."""
    rows: Rows = [(q, "gpt", "llama", told[not left], side(left, who, words)) for q, left, who in drawn()]
    text = csv(f"question_id,model_a,model_b,{heads}", rows)
    ways = asked(intake("votes.csv", text)).ways
    assert won(intake("votes.csv", text, **said(ways[0][1]))) == truth()
    fixed = sum(row[4] == words[0] for row in rows)
    assert won(intake("votes.csv", text, **said(ways[-1][1]))) == {"gpt": float(fixed), "llama": float(N - fixed)}


def test_both_names_and_the_one_on_the_right_say_who_stood_where() -> None:
    both: Rows = [
        (q, "gpt", "llama", *(("gpt", "llama") if left else ("llama", "gpt")), side(left, who, ("1", "2")))
        for q, left, who in drawn()
    ]
    text = csv("question_id,model_a,model_b,assistant_1,assistant_2,winner", both)
    assert won(intake("votes.csv", text, **said(asked(intake("votes.csv", text)).ways[0][1]))) == truth()
    text = csv("question_id,model_a,model_b,right_model,winner", [(*row[:3], row[4], row[5]) for row in both])
    ways = asked(intake("votes.csv", text)).ways
    assert ways[0][1].startswith("right_model=second")
    assert won(intake("votes.csv", text, **said(ways[0][1]))) == truth()


def test_no_place_is_asked_where_the_columns_or_the_winners_say_it() -> None:
    """The pairs stand in both orders, the winner is a name, or the heading of its column; a verdict of another judge is none."""
    shown: Rows = [
        (q, *(("gpt", "llama") if left else ("llama", "gpt")), "gpt", side(left, who, ("A", "B")))
        for q, left, who in drawn()
    ]
    assert won(intake("votes.csv", csv("question_id,model_a,model_b,candidate,winner", shown))) == truth()
    for words in (("gpt", "llama"), ("model_a", "model_b")):
        rows: Rows = [(q, "gpt", "llama", not left, words[0] if who == "gpt" else words[1]) for q, left, who in drawn()]
        assert won(intake("votes.csv", csv("question_id,model_a,model_b,swapped,winner", rows))) == truth()
    rows = [(q, "gpt", "llama", "gpt" if left else "llama", "A" if who == "gpt" else "B") for q, left, who in drawn()]
    assert won(intake("votes.csv", csv("question_id,model_a,model_b,gpt_verdict,winner", rows))) == truth()


@pytest.mark.parametrize("heading", ["worse", "loser", "rejected", "least_preferred", "disliked", "inferior"])
@pytest.mark.parametrize("words", [("A", "B"), ("gpt", "llama"), ("system_a", "system_b")])
def test_a_worse_system_is_no_winner(heading: str, words: tuple[str, str]) -> None:
    """The first command turns the winners; the second reads them as they are."""
    rows: Rows = [(q, "gpt", "llama", words[1] if who == "gpt" else words[0]) for q, _, who in drawn()]
    text = csv(f"question_id,system_a,system_b,{heading}", rows)
    first, second = asked(intake("votes.csv", text)).ways
    assert won(intake("votes.csv", text, **said(first[1]))) == truth()
    assert won(intake("votes.csv", text, **said(second[1]))) == {"gpt": truth()["llama"], "llama": truth()["gpt"]}


def test_names_of_worse_systems_in_changing_places_are_turned_by_the_first_command() -> None:
    rows: Rows = [
        (q, *(("gpt", "llama") if left else ("llama", "gpt")), "llama" if who == "gpt" else "gpt")
        for q, left, who in drawn()
    ]
    text = csv("question_id,model_a,model_b,loser", rows)
    first, second = asked(intake("votes.csv", text)).ways
    assert [what for what, _ in (first, second)] == ["loser names the worse one", "loser names the better one"]
    assert won(intake("votes.csv", text, **said(first[1]))) == truth()
    assert won(intake("votes.csv", text, **said(second[1]))) == {"gpt": truth()["llama"], "llama": truth()["gpt"]}
    better = csv(
        "question_id,model_a,model_b,better", [(*row[:3], "gpt" if row[3] == "llama" else "llama") for row in rows]
    )
    assert won(intake("votes.csv", better)) == truth()


def test_ties_in_a_column_of_their_own_are_no_wins() -> None:
    tied = {k for k in range(N) if k % 5 == 0}
    rows: Rows = [(q, who, "llama" if who == "gpt" else "gpt", int(k in tied)) for k, (q, _, who) in enumerate(drawn())]
    expected = {"gpt": len(tied) / 2, "llama": len(tied) / 2}
    for k, row in enumerate(rows):
        expected[str(row[1])] += k not in tied
    found = intake("votes.csv", csv("q,better,worse,tie", rows))
    assert won(found) == expected
    assert any(f"{len(tied)} rows are ties" in notice.message for notice in found.notices)
    # numbers below tie are no marks of it
    found = intake("votes.csv", csv("q,better,worse,tie", [(*row[:3], k % 4) for k, row in enumerate(rows)]))
    assert won(found) == truth()


def test_a_question_in_both_orders_is_known_by_its_rows() -> None:
    """Each q has one row in each order; a column that has two rows of one order names nothing."""
    draw = random.Random(4)
    rows: Rows = []
    for k in range(N):
        rows += [(k, a, b, draw.choice(["model_a", "model_b"])) for a, b in (("gpt", "llama"), ("llama", "gpt"))]
    (own,) = intake("votes.csv", csv("pair,model_a,model_b,winner", rows)).preferences
    assert own.question.tolist() == [str(row[0]) for row in rows]
    moved = [(0 if k == 2 else row[0], *row[1:]) for k, row in enumerate(rows)]
    (own,) = intake("votes.csv", csv("pair,model_a,model_b,winner", moved)).preferences
    assert len({*own.question.tolist()}) == 2 * N
    # two rows of each cell, but for two cells in one order
    twice = [(0 if k < 4 and k % 2 else 1 if k < 4 else row[0], *row[1:]) for k, row in enumerate(rows)]
    (own,) = intake("votes.csv", csv("pair,model_a,model_b,winner", twice)).preferences
    assert len({*own.question.tolist()}) == 2 * N


def test_win_and_loss_are_results_and_no_systems() -> None:
    """Both commands are offered, that of the candidate first; x_vs_y names no systems in its rows."""
    rows: Rows = [
        (q, *(("llama", "gpt") if left else ("gpt", "llama")), "win" if (who == "gpt") == left else "loss")
        for q, left, who in drawn()
    ]
    text = csv("q,baseline,candidate,result", rows)
    first, second = asked(intake("votes.csv", text)).ways
    assert won(intake("votes.csv", text, **said(first[1]))) == truth()
    assert won(intake("votes.csv", text, **said(second[1]))) == {"gpt": truth()["llama"], "llama": truth()["gpt"]}
    (problem,) = intake("votes.csv", csv("q,gpt_vs_llama", [(row[0], row[3]) for row in rows])).problems
    assert "no column names both systems" in str(problem)
    assert "=" not in str(problem).partition("]")[2]


def test_how_often_one_was_preferred_is_no_score_of_a_third_system() -> None:
    draw = random.Random(5)
    rows: Rows = [
        (q, *(("gpt", "llama") if left else ("llama", "gpt")), draw.choice([0.2, 0.5, 0.8])) for q, left, _ in drawn()
    ]
    (problem,) = intake("votes.csv", csv("q,model_a,model_b,pref_for_a", rows)).problems
    assert "in a column winner" in str(problem)


# Rows that are no questions.


def points(k: int = 2, seed: int = 3) -> list[list[int]]:
    draw = random.Random(seed)
    return [[int(draw.random() < p) for p in (0.8, 0.5, 0.4)[:k]] for _ in range(N)]


@pytest.mark.parametrize("name", ["Σ", "Total correct", "Final", "macro", "Result", "%"])
@pytest.mark.parametrize("kind", ["sum", "mean", "percent", "count"])
def test_a_last_row_of_sums_is_no_question(name: str, kind: str) -> None:
    rows = points()
    sums = [sum(own) for own in zip(*rows, strict=True)]
    last = {"sum": sums, "mean": [x / N for x in sums], "percent": [100 * x / N for x in sums], "count": [N, N]}[kind]
    text = csv("id,A,B", [*((f"q{k}", *row) for k, row in enumerate(rows)), (name, *last)])
    assert scores(intake("x.csv", text)) == {"A": [row[0] for row in rows], "B": [row[1] for row in rows]}
    bare = csv("A,B", [*map(tuple, rows), tuple(last)])  # the same without names
    assert scores(intake("x.csv", bare)) == {"A": [row[0] for row in rows], "B": [row[1] for row in rows]}


def test_a_last_row_that_may_be_a_question_stays() -> None:
    """Its id is like the others, and its numbers are such as theirs; or only one of them is a mean."""
    rows = [[3, 4], [1, 2], [5, 4], [4, 5], [2, 5], [3, 4]]  # the last is the mean of the others
    text = csv("id,A,B", [(f"q{k}", *row) for k, row in enumerate(rows)])
    assert scores(intake("x.csv", text)) == {"A": [row[0] for row in rows], "B": [row[1] for row in rows]}
    own = points()
    text = csv("id,A,B", [*((f"q{k}", *row) for k, row in enumerate(own)), ("last", sum(r[0] for r in own) / N, 0)])
    assert len(scores(intake("x.csv", text))["A"]) == N + 1


@pytest.mark.parametrize("name", ["all", "corpus", "-1", "999"])
@pytest.mark.parametrize("apart", [True, False])
def test_means_of_each_system_are_no_question(name: str, apart: bool) -> None:
    """In long form, below the rows of each system or below all rows."""
    draw = random.Random(6)
    own = {system: [round(draw.random(), 3) for _ in range(N)] for system in ("bm25", "dense")}
    means = [(system, name, round(sum(values) / N, 4)) for system, values in own.items()]
    rows: Rows = []
    for (system, values), mean in zip(own.items(), means, strict=True):
        rows += [(system, k + 1, value) for k, value in enumerate(values)] + ([mean] if apart else [])
    rows += [] if apart else means
    assert scores(intake("x.csv", csv("system,query_id,ndcg", rows))) == own
    other = [(s, q, 0.9137 if q == name else value) for s, q, value in rows]
    assert {len(values) for values in scores(intake("x.csv", csv("system,query_id,ndcg", other))).values()} == {N + 1}


def test_headings_that_are_numbers_are_not_looked_for_in_rows() -> None:
    rows = points()
    found = scores(intake("x.csv", csv(",0,1", [(k, *row) for k, row in enumerate(rows)])))
    assert found == {"0": [row[0] for row in rows], "1": [row[1] for row in rows]}
    words = csv("A,B", [*map(tuple, rows), ("A", "B"), *map(tuple, rows)])
    assert len(scores(intake("x.csv", words))["A"]) == 2 * N


def test_parts_of_the_data_are_asked() -> None:
    """Each may be a test set of its own; one part, or names of other things, are as they were."""
    draw = random.Random(7)
    own = [(m, s, f"{s}{k}", draw.randint(0, 1)) for m in ("gpt", "llama") for s in ("train", "test") for k in range(N)]
    text = csv("model,split,question_id,correct", list(own))
    apart, together = asked(intake("x.csv", text)).ways
    found = intake("x.csv", text, **said(apart[1]))
    assert {(item.name, item.testset): [float(cell) for cell in item.segments] for item in found.items} == {
        (m, s): [float(row[3]) for row in own if row[:2] == (m, s)] for m in ("gpt", "llama") for s in ("train", "test")
    }
    found = intake("x.csv", text, **said(together[1]))
    assert scores(found) == {m: [float(row[3]) for row in own if row[0] == m] for m in ("gpt", "llama")}
    one = csv("model,split,question_id,correct", [row for row in own if row[1] == "test"])
    assert {len(values) for values in scores(intake("x.csv", one)).values()} == {N}


@pytest.mark.parametrize("heading", ["domain", "category", "topic"])
def test_a_row_for_each_group_may_be_a_mean(heading: str) -> None:
    rows = points()
    names = [f"{word} {end}" for word in ("law", "news", "sport", "art") for end in "abcdef"]
    text = csv(f"{heading},A,B", [(name, *row) for name, row in zip(names, rows, strict=True)])
    assert f"Each row has another {heading}" in str(asked(intake("x.csv", text)))
    found = scores(intake("x.csv", text, columns=f"{heading}=question"))
    assert found == {"A": [row[0] for row in rows], "B": [row[1] for row in rows]}
    beside = csv(f"id,{heading},A,B", [(k, name, *row) for k, (name, row) in enumerate(zip(names, rows, strict=True))])
    assert scores(intake("x.csv", beside)) == found


def test_places_below_headings_that_say_rank_are_of_the_mean_rank() -> None:
    draw = random.Random(8)
    rows: Rows = [(k, draw.randint(10, 50), draw.randint(1, 9)) for k in range(N)]
    found = intake("x.csv", csv("query_id,bm25_rank,dense_rank", rows))
    assert {item.measure for item in found.items} == {"mean rank"}
    shares = [(k, draw.random(), draw.random()) for k in range(N)]  # scores of a ranker
    found = intake("x.csv", csv("query_id,rank_bm25,rank_dense", shares))
    assert "mean rank" not in {item.measure for item in found.items}


@pytest.mark.parametrize(("yes", "no"), [("yes", "no"), ("1", ""), ("x", ""), ("True", "False")])
def test_words_for_ties_are_ties(yes: str, no: str) -> None:
    """Ties in words, or in the only cells that are filled in, counted as wins of one side."""
    own = [(f"q{k}", "gpt", "llama", "model_a" if k % 3 else "model_b", yes if k % 4 == 0 else no) for k in range(N)]
    found = won(intake("votes.csv", csv("id,model_a,model_b,winner,tie", list(own))))
    ties = sum(k % 4 == 0 for k in range(N))
    first = sum(k % 3 > 0 and k % 4 > 0 for k in range(N))
    assert found == {"gpt": first + ties / 2, "llama": N - first - ties / 2}


def test_other_words_below_tie_are_refused() -> None:
    own = [(f"q{k}", "gpt", "llama", "model_a", ("much", "some", "none")[k % 3]) for k in range(N)]
    (problem,) = intake("votes.csv", csv("id,model_a,model_b,winner,tie", list(own))).problems
    assert problem.what == "tie does not say which rows are ties."


@pytest.mark.parametrize(("head", "turned"), [("left", False), ("right", True)])
def test_a_column_may_say_which_side_stood_there(head: str, turned: bool) -> None:
    """A and B below `left` were not looked at."""
    own = [(q, "gpt", "llama", "AB"[left == turned], side(left, who, ("left", "right"))) for q, left, who in drawn()]
    problem = asked(intake("votes.csv", csv(f"id,system_a,system_b,{head},preferred", list(own))))
    assert (
        won(intake("votes.csv", csv(f"id,system_a,system_b,{head},preferred", list(own)), **said(problem.ways[0][1])))
        == truth()
    )


def test_means_with_one_digit_are_no_segment() -> None:
    """Below 5.3 and 4.9 the last row has the means of scores with one digit."""
    own: Rows = [(f"d{k}", (3 * k % 17 + 11) / 10, (5 * k % 19 + 2) / 10) for k in range(N)]
    means = [round(sum(float(str(row[j])) for row in own) / N, 1) for j in (1, 2)]
    found = scores(intake("t.csv", csv("doc,A,B", [*own, ("All docs", *means)])))
    assert {len(cells) for cells in found.values()} == {N}


@pytest.mark.parametrize("head", ["run", "run_id", "Run"])
def test_runs_with_names_may_be_systems(head: str) -> None:
    """Each run of TREC is a system: all were averaged as runs of one."""
    names = ("BM25", "BM25+RM3", "monoT5")
    own: Rows = [(name, f"q{k}", (3 * k + 5 * i) % 11 / 10) for k in range(N) for i, name in enumerate(names)]
    text = csv(f"{head},query_id,ndcg", own)
    problem = asked(intake("t.csv", text))
    assert problem.why == f"Does {head} name systems? No other column does."
    found = scores(intake("t.csv", text, **said(problem.ways[0][1])))
    assert {name: sum(cells) / N for name, cells in found.items()} == pytest.approx(
        {name: sum(value for one, _, value in own if one == name) / N for name in names}  # type: ignore[misc]
    )
    assert len(scores(intake("t.csv", text, **said(problem.ways[1][1])))) == 1


@pytest.mark.parametrize("names", [("seed1", "seed2", "seed3"), ("1", "2", "3"), ("a", "b", "c")])
def test_runs_that_are_counted_are_runs(names: tuple[str, ...]) -> None:
    own: Rows = [(name, f"q{k}", (3 * k + 5 * i) % 11 / 10) for k in range(N) for i, name in enumerate(names)]
    assert len(scores(intake("t.csv", csv("run,query_id,ndcg", own)))) == 1


@pytest.mark.parametrize(("head", "gold"), [("response", "answer"), ("output", "target")])
def test_labels_in_rows_are_compared_with_those_of_their_question(head: str, gold: str) -> None:
    """The labels of each system were averaged, and what is right was not used."""
    own: Rows = [(name, k, (k + (k % every == 0)) % 2, k % 2) for name, every in (("A", 6), ("B", 3)) for k in range(N)]
    text = csv(f"model,id,{head},{gold}", own)
    found = intake("t.csv", text)
    if head == "response":  # an answer may be that of the system; beside an output a target is what is right
        (way, *_) = asked(found).ways
        assert way == (f"{gold} is right, and {head} predicts it", f"{gold}=reference {head}=text")
        found = intake("t.csv", text, **said(way[1]))
    assert not found.problems
    (reference,) = [item for item in found.items if item.role == "reference"]
    right = {
        item.name: sum(map(str.__eq__, item.segments, reference.segments))
        for item in found.items
        if item.role == "system"
    }
    assert right == {"A": N - len(range(0, N, 6)), "B": N - len(range(0, N, 3))}
