"""Comparisons of two systems whose winner is said in another way: by numbers, words, several people, ranks or lost ones."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sigcore.readers import Intake, Unclear
from sigcore.readers.tables import facing
from tests.made_tables import asked, means, roles, rows, scored, told
from tests.unit.sigcore.readers.test_votes_and_rows import said, won

N = 24
NAMES = ("gpt", "llama", "bart")
TRUE = [("gpt", "llama", "tie")[(5 * k + k // 3) % 3] for k in range(N)]  # who is better in each question
FIRST = [k % 7 in (0, 2, 3) for k in range(N)]  # whether gpt stands first


def pairs(k: int) -> tuple[str, str]:
    return ("gpt", "llama") if FIRST[k] else ("llama", "gpt")


def place(k: int, words: Sequence[str] = ("A", "B", "tie")) -> str:
    """The winner of a question as its place."""
    return words[2] if TRUE[k] == "tie" else words[pairs(k).index(TRUE[k])]


def truth(turned: bool = False) -> dict[str, float]:
    own = {name: TRUE.count(name) + TRUE.count("tie") / 2 for name in ("gpt", "llama")}
    return {"gpt": own["llama"], "llama": own["gpt"]} if turned else own


def asks(text: str, name: str = "t.csv") -> list[tuple[str, str]]:
    """Each reading that is offered."""
    return list(asked(text, name).ways)


def as_pairs(found: Intake) -> set[tuple[str, str]]:
    (part,) = found.preferences
    return {*zip(part.first.tolist(), part.second.tolist(), strict=True)}


# Numbers, where names of systems are expected.

OWN = [(2 + 3 * k % 7, 1 + 5 * k % 9) for k in range(N)]  # the scores of both


def by_score(words: Sequence[str]) -> list[str]:
    return [words[2] if a == b else words[a < b] for a, b in OWN]


@pytest.mark.parametrize("heads", [("model_a", "model_b"), ("gpt", "llama"), ("sys 1", "sys 2")])
@pytest.mark.parametrize("words", [(), ("A", "B", "tie")])
def test_numbers_below_both_sides_are_scores_and_no_names(heads: tuple[str, str], words: tuple[str, ...]) -> None:
    """Systems were called 10, 7 and 5, with exit 0."""
    winners = by_score(words or (*heads, "tie"))
    text = rows(f"id,{heads[0]},{heads[1]},winner", *(f"q{k},{a},{b},{winners[k]}" for k, (a, b) in enumerate(OWN)))
    if words and heads[0] == "gpt":
        return  # A is no place of gpt
    problem = asked(text)
    scores, other = problem.ways
    found = scored(text, **said(scores[1]))
    assert means(found) == {head: pytest.approx(sum(own) / N) for head, own in zip(heads, zip(*OWN, strict=True), strict=True)}  # fmt: skip
    assert not found.preferences
    found = scored(text, **said(other[1]))
    if heads[0] == "gpt":
        wins = {"gpt": sum(a > b for a, b in OWN), "llama": sum(a < b for a, b in OWN)}
        tied = (N - sum(wins.values())) / 2
        assert won(found) == {name: number + tied for name, number in wins.items()}
    else:
        assert "names of systems" in other[0]
        assert as_pairs(found) == {(str(a), str(b)) for a, b in OWN if a != b}


def test_fractions_are_never_names() -> None:
    text = rows("id,model_a,model_b,winner", *(f"q{k},{a / 8},{b / 8},{by_score(('A', 'B', 'tie'))[k]}" for k, (a, b) in enumerate(OWN)))  # fmt: skip
    ((_, command),) = asks(text)
    assert means(scored(text, **said(command))) == {"model_a": pytest.approx(sum(a for a, _ in OWN) / 8 / N), "model_b": pytest.approx(sum(b for _, b in OWN) / 8 / N)}  # fmt: skip
    assert as_pairs(scored(text, columns="model_a=first\nmodel_b=second\nwinner=winner")) == {("model_a", "model_b")}


def test_numbered_systems_that_the_winners_name_are_read_at_once() -> None:
    text = rows(
        "id,model_a,model_b,winner", *(f"q{k},{11 + k % 3},{11 + (k + 1) % 3},{11 + (k + k % 2) % 3}" for k in range(N))
    )
    assert as_pairs(scored(text)) == {("11", "12"), ("12", "13"), ("13", "11")}


# Roles that somebody gave count.


@pytest.mark.parametrize("heading", ["best", "winner"])
@pytest.mark.parametrize("said_more", [True, False])
def test_three_systems_that_somebody_names_are_three(heading: str, said_more: bool) -> None:
    """ModelC was lost: two headings looked like those of comparisons."""
    cells = [(k % 5, (3 * k) % 5, (2 * k + 1) % 5) for k in range(N)]
    text = rows(f"id,ModelA,ModelB,ModelC,{heading}", *(f"q{k},{a},{b},{c},{'ABC'[k % 3]}" for k, (a, b, c) in enumerate(cells)))  # fmt: skip
    aside = f"\n{heading}=ignored" if said_more else ""
    columns = f"id=question\nModelA=system\nModelB=system\nModelC=system{aside}"
    found = scored(text, columns=columns)
    assert not found.preferences
    assert means(found) == {f"Model{name}": pytest.approx(sum(own) / N) for name, own in zip("ABC", zip(*cells, strict=True), strict=True)}  # fmt: skip


def test_an_ignored_column_is_no_winner_and_no_question() -> None:
    lines = (f"q{k % 8},{','.join(pairs(k))},{'BA'[k % 2]},{place(k)}" for k in range(N))
    text = rows("id,model_a,model_b,winner,vote", *lines)
    found = scored(text, columns="winner=ignored")
    assert won(found) == truth()
    assert "decided by vote" in told(found)
    (part,) = scored(text, columns="winner=ignored\nid=ignored").preferences
    assert len({*part.question.tolist()}) == N


# Places that were drawn anew.


def test_pairs_in_both_orders_do_not_hide_that_places_were_swapped() -> None:
    """Written in a random order, and shown in another one: the winners of half of the rows were turned, with exit 0."""
    swapped = [k % 3 == 1 for k in range(N)]
    shown = [place(k, ("B", "A", "tie") if swapped[k] else ("A", "B", "tie")) for k in range(N)]
    text = rows("id,model_a,model_b,swapped,winner", *(f"q{k},{','.join(pairs(k))},{swapped[k]},{shown[k]}" for k in range(N)))  # fmt: skip
    where, other, always = asks(text)
    assert won(scored(text, **said(where[1]))) == truth()
    assert won(scored(text, **said(other[1]))) == truth(turned=True)
    kept = won(scored(text, **said(always[1])))
    assert kept not in (truth(), truth(turned=True))


def test_a_column_that_repeats_the_order_of_the_names_is_not_asked_about() -> None:
    """Each pair was judged in both orders, and swapped says in which."""
    lines = (f"q{k},{','.join(pairs(k))},{not FIRST[k]},{place(k)}" for k in range(N))
    assert won(scored(rows("id,model_a,model_b,swapped,winner", *lines))) == truth()


@pytest.mark.parametrize("order", [[True] * N, [k == 5 or FIRST[k] for k in range(N)]])
def test_one_row_that_differs_is_enough_to_ask(order: list[bool]) -> None:
    assert not FIRST[5]
    lines = (f"q{k},{','.join(pairs(k))},{not order[k]},{place(k)}" for k in range(N))
    text = rows("id,model_a,model_b,swapped,winner", *lines)
    if len({*order}) == 1:
        assert won(scored(text)) == truth()
    else:
        assert "swapped may say who stood there" in asked(text).why


# Several people, and ties.


def people(k: int) -> list[str]:
    """Three votes on a question."""
    return [("gpt", "llama", "tie")[(k * (i + 2) + i) % 3] for i in range(3)]


EVERY = [vote for k in range(N) for vote in people(k)]
ALL = {name: EVERY.count(name) + EVERY.count("tie") / 2 for name in ("gpt", "llama")}


def test_the_votes_of_several_people_count_each() -> None:
    """Only the first of them could be said."""
    text = rows("id,annotator1,annotator2,annotator3", *(f"q{k},{','.join(people(k))}" for k in range(N)))
    every, alone = asks(text)
    found = scored(text, **said(every[1]))
    assert won(found) == ALL
    assert "The votes of 3 people count (annotator1, annotator2, annotator3), each as a comparison." in told(found)
    (part,) = found.preferences
    assert {*part.judge.tolist()} == {"annotator1", "annotator2", "annotator3"}
    assert len({*part.question.tolist()}) == N
    first = [people(k)[0] for k in range(N)]
    assert won(scored(text, **said(alone[1])))["gpt"] == first.count("gpt") + first.count("tie") / 2


def test_a_person_who_never_votes_for_one_of_both_is_one_of_them() -> None:
    votes = [[*people(k)[:2], "gpt" if k % 2 else "tie"] for k in range(N)]
    every, _ = asks(
        rows("id,annotator1,annotator2,annotator3", *(f"q{k},{','.join(own)}" for k, own in enumerate(votes)))
    )
    assert every[1].count("=winner") == 3


@pytest.mark.parametrize("head", ["winner1,winner2,winner3", "annotator_1,annotator_2,annotator_3"])
def test_columns_of_people_beside_both_systems_are_said_in_words(head: str) -> None:
    """winner by winner, it said."""
    text = rows(f"id,model_1,model_2,{head}", *(f"q{k},gpt,llama,{','.join(people(k))}" for k in range(N)))
    found = scored(text)
    assert won(found) == ALL
    shown = head.replace(",", ", ")
    assert f"The votes of 3 people count ({shown}), each as a comparison. In the test a question counts once" in told(
        found
    )
    assert "winner by winner" not in told(found)


def test_of_several_winners_each_may_count_alone_or_all() -> None:
    """A judge saw both orders: only the first column could be said."""
    both = [("ABC"[k % 3], "ABC"[(k + k // 3) % 3]) for k in range(N)]
    text = rows("id,model_a,model_b,winner_ab,winner_ba", *(f"q{k},{','.join(pairs(k))},{one},{other}" for k, (one, other) in enumerate(both)))  # fmt: skip
    ways = asks(text)
    assert [what for what, _ in ways] == ["winner_ab alone says who won", "winner_ba alone says who won", "winner_ab, winner_ba are votes that all count"]  # fmt: skip
    points = []
    for k in (0, 1):
        own = [{"A": pairs(i)[0], "B": pairs(i)[1], "C": "tie"}[row[k]] for i, row in enumerate(both)]
        points.append({name: own.count(name) + own.count("tie") / 2 for name in ("gpt", "llama")})
    assert [won(scored(text, **said(command))) for _, command in ways] == [*points, {name: points[0][name] + points[1][name] for name in points[0]}]  # fmt: skip


def test_a_column_that_only_repeats_the_winner_is_no_vote() -> None:
    lines = (f"q{k},{','.join(pairs(k))},{place(k, ('A', 'B', ''))},{place(k)}" for k in range(N))
    problem = asked(rows("id,shown_a,shown_b,final_winner,pick", *lines))
    assert len(problem.ways) <= 1


@pytest.mark.parametrize(
    ("head", "most"),
    [("votes_gpt,votes_llama,votes_tie", 3), ("prefer_gpt,prefer_llama,no_preference", 3), ("gpt,llama,both_bad", 1), ("gpt,llama,neither", 1), ("gpt,llama,tie_votes", 0)],
)  # fmt: skip
def test_a_column_of_ties_is_no_system(head: str, most: int) -> None:
    """Votes for a tie competed with both systems."""
    counts = [((k * 5) % (most + 1), 0) if most else (k % 4, k % 3) for k in range(N)]
    counts = [(a, (k % 2) * (most - a)) if most else (a, b) for k, (a, b) in enumerate(counts)]
    text = rows(f"id,{head}", *(f"q{k},{a},{b},{most - a - b if most else k % 2}" for k, (a, b) in enumerate(counts)))
    problem = asked(text)
    one, other, tie = head.split(",")
    assert [roles(problem)[name] for name in ("id", one, other, tie)] == ["question", "system", "system", "ignored"]
    ((_, command),) = problem.ways
    assert means(scored(text, **said(command))) == {one: pytest.approx(sum(a for a, _ in counts) / N), other: pytest.approx(sum(b for _, b in counts) / N)}  # fmt: skip
    assert "NAME=reference" not in problem.fix
    assert str(problem).count("=system") == 2


# Words, letters and numbers of a result.


def told_by(head: str, words: dict[str, str], fixed: bool = False) -> str:
    """A table in which each of these words stands for a side: first, second, tie."""
    by_side = {side: [word for word, own in words.items() if own == side] for side in ("first", "second", "tie")}
    lines = []
    for k in range(N):
        pair = ("gpt", "llama") if fixed else pairs(k)
        side = (
            "tie"
            if TRUE[k] == "tie" and by_side["tie"]
            else ("first", "second")[pair.index("gpt" if TRUE[k] == "tie" else TRUE[k])]
        )
        lines.append(f"q{k},{','.join(pair)},{by_side[side][k % len(by_side[side])]}")
    return rows(head, *lines)


def counted(ties: bool, turned: bool = False) -> dict[str, float]:
    own = truth() if ties else {"gpt": N - TRUE.count("llama"), "llama": float(TRUE.count("llama"))}
    return {"gpt": own["llama"], "llama": own["gpt"]} if turned else own


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("id,model,opponent,win", {"True": "first", "False": "second"}),
        ("id,system,opponent,outcome", {"W": "first", "L": "second", "D": "tie"}),
        ("id,system,opponent,outcome", {"W": "first", "L": "second", "T": "tie"}),
        ("id,model_a,model_b,win_prob", {"0.9": "first", "0.8": "first", "0.2": "second", "0.5": "tie"}),
        ("id,model_a,model_b,p_a", {"0.9": "first", "0.3": "second"}),
        ("id,model_a,model_b,margin", {"2": "first", "-3": "second", "0": "tie"}),
        ("id,model_a,model_b,score_diff", {"1.5": "first", "-4": "second", "-2.5": "second"}),
    ],
)
def test_both_readings_of_a_result_are_offered(head: str, words: dict[str, str]) -> None:
    """They were scores of models that share no question, or fields of a log."""
    text = told_by(head, words)
    one, other = asks(text)
    ties = "tie" in words.values()
    assert won(scored(text, **said(one[1]))) == counted(ties)
    assert won(scored(text, **said(other[1]))) == counted(ties, turned=True)


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("id,model_a,model_b,judgement", {"[[A]]": "first", "[[B]]": "second", "[[C]]": "tie"}),
        ("id,model_a,model_b,rating", {"A much better": "first", "A is slightly better": "first", "B better": "second", "Strongly prefer B": "second", "about equal": "tie"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("fixed", [True, False])
def test_words_for_a_side_below_any_heading_are_confirmed(head: str, words: dict[str, str], fixed: bool) -> None:
    """Names that are the same in every row were hardly outputs, and nothing else was said."""
    text = told_by(head, words, fixed)
    problem = asked(text)
    assert list(problem.plan.values()) == ["question", "first", "second", "winner"]
    found = scored(text, columns="\n".join(f"{name}={part}" for name, part in problem.plan.items()))
    assert won(found) == truth()
    assert ("however much better" in told(found)) == ("rating" in head)


@pytest.mark.parametrize(
    ("word", "side"),
    [("amuchbetter", "a"), ("bbetter", "b"), ("systemaisslightlybetter", "systema"), ("preferb", "b"), ("awins", "a"), ("aboutequal", "aboutequal"), ("better", "better"), ("a", "a")],
)  # fmt: skip
def test_the_side_of_a_word_that_says_how_much(word: str, side: str) -> None:
    assert facing.graded(word) == side


@pytest.mark.parametrize("heading", ["a_better", "model_a_wins", "is_a_better", "b_better"])
@pytest.mark.parametrize("ties", [True, False])
def test_yes_below_a_side_is_a_win_of_that_side(heading: str, ties: bool) -> None:
    """The names of both systems were to be numbers."""
    yes, no = ("second", "first") if heading == "b_better" else ("first", "second")
    words = {"yes": yes, "no": no} | ({"tie": "tie"} if ties else {})
    text = told_by(f"id,model_a,model_b,{heading}", words)
    ways = asks(text)
    assert len(ways) == 2 - ties
    assert won(scored(text, **said(ways[0][1]))) == counted(ties)
    if not ties:  # no may also be a tie
        (part,) = scored(text, **said(ways[1][1])).preferences
        assert {*part.outcome.tolist()} == {0.5, 1.0 if yes == "first" else 0.0}


def test_numbers_without_few_steps_are_not_turned_into_words() -> None:
    lines = (f"q{k},{','.join(pairs(k))},{k / N}" for k in range(N))
    (problem,) = scored(rows("id,model_a,model_b,win_prob", *lines)).problems
    assert not isinstance(problem, Unclear)
    assert "says by a number which of model_a, model_b is better" in problem.what


@pytest.mark.parametrize(
    ("cells", "heading", "meant"),
    [
        (["-3", "0", "2"], "margin", ["second", "tie", "first"]),
        (["-3", "0", "2"], "score", []),
        (["2", "3"], "margin", []),
        (["0.2", "0.9"], "win_prob", ["second", "first"]),
        (["0.2", "0.9"], "score", []),
        (["0.6", "0.9"], "win_prob", []),
        (["0.2", "1.5"], "win_prob", []),
    ],
)
def test_a_heading_says_where_the_middle_is(cells: list[str], heading: str, meant: list[str]) -> None:
    assert facing.leaning(cells, heading) == dict(zip(cells, meant, strict=False))


@pytest.mark.parametrize("order", [("AB", "BA"), ("gpt-llama", "llama-gpt"), ("gpt, llama", "llama, gpt")])
def test_an_order_of_both_names_says_who_stood_where(order: tuple[str, str]) -> None:
    """Which system first is was said by no other column."""
    one, other = ("A", "B") if order[0] == "AB" else ("gpt", "llama")
    lines = (f'q{k},"{order[not FIRST[k]]}",{place(k, ("first", "second", "tie"))}' for k in range(N))
    text = rows("item,order,preference", *lines)
    ((_, command),) = asks(text)
    assert won(scored(text, **said(command))) == {one: truth()["gpt"], other: truth()["llama"]}


# Two of several systems, the best of several, and rankings by name.


def scores_of(k: int) -> list[int]:
    return [(3 * k + 5 * i) % 7 for i in range(3)]


@pytest.mark.parametrize(
    ("head", "first"),
    [("question_id,model_1,model_2,score_1,score_2", "model_1"), ("question_id,model_1,model_2,score_1,score_2", "model_2"), ("question_id,sys A,sys B,wer A,wer B", "sys A")],
)  # fmt: skip
def test_two_of_three_systems_are_compared_by_their_scores(head: str, first: str) -> None:
    """No question has all of them, so --missing drop left nothing."""
    met = [(k % 3, (k + 1 + k // 3 % 2) % 3) for k in range(N)]
    text = rows(head, *(f"q{k},{NAMES[i]},{NAMES[j]},{scores_of(k)[i]},{scores_of(k)[j]}" for k, (i, j) in enumerate(met)))  # fmt: skip
    found = scored(text)
    assert {len(one.segments) for one in found.items} == {N}
    command = told(found).partition("pairwise --columns ")[2].partition(". It was")[0].rstrip(".")
    assert command
    one, other = head.split(",")[1:3]
    if first == other:  # the scores are those of the place, whatever is first
        command = command.replace(f"{one}=first", f"{one}=second").replace(f"{other}=second", f"{other}=first")
    expected = dict.fromkeys(NAMES, 0.0)
    for k, (i, j) in enumerate(met):
        a, b = scores_of(k)[i], scores_of(k)[j]
        a, b = (-a, -b) if "wer" in head else (a, b)
        expected[NAMES[i]] += (a > b) + (a == b) / 2
        expected[NAMES[j]] += (b > a) + (a == b) / 2
    read = scored(text, **said(command))
    assert won(read) == expected
    assert ("the lower one wins" in told(read)) == ("wer" in head)
    turned = scored(text, **said(command), better="higher" if "wer" in head else "lower")
    assert won(turned) == {name: 2 * sum(name in (NAMES[i], NAMES[j]) for i, j in met) / 2 - number for name, number in expected.items()}  # fmt: skip


def test_a_row_without_both_scores_is_no_comparison() -> None:
    text = rows("id,model_a,model_b,score_a,score_b", *(f"q{k},gpt,llama,{'' if k % 4 == 1 else k % 5},{k % 3}" for k in range(N)))  # fmt: skip
    found = scored(text, columns="id=question\nmodel_a=first\nmodel_b=second\nscore_a=score\nscore_b=score")
    assert len(found.preferences[0].outcome) == N - N // 4
    assert "6 rows without a judgment left out" in told(found)


@pytest.mark.parametrize("several", [True, False])
def test_where_some_question_has_all_systems_nothing_else_is_offered(several: bool) -> None:
    met = [("gpt", "llama"), ("bart", "t5")]
    both = [met[k % 2] if k // 2 % 2 else met[k % 2][::-1] for k in range(2 * N)]
    lines = (f"q{k // 2 if several else k},{one},{other},{k % 5},{k % 4}" for k, (one, other) in enumerate(both))
    found = scored(rows("question_id,model_1,model_2,score_1,score_2", *lines))
    assert ("pairwise --columns" in told(found)) is not several
    assert {len(one.segments) for one in found.items} == {N if several else 2 * N}


BEST = [(k * k + k // 4) % 3 for k in range(N)]


@pytest.mark.parametrize(
    ("head", "names", "cells"),
    [
        ("id,gpt,llama,bart,winner", ("gpt", "llama", "bart"), ("gpt", "llama", "bart")),
        ("id,ModelA,ModelB,ModelC,best", ("ModelA", "ModelB", "ModelC"), ("A", "B", "C")),
        ("id,ModelA,ModelB,ModelC,winner", ("ModelA", "ModelB", "ModelC"), ("ModelA", "ModelB", "ModelC")),
        ("id,gpt,llama,bart,best,texts", ("gpt", "llama", "bart"), ("gpt", "llama", "bart")),
    ],
)
def test_the_best_of_three_wins_against_both_others_or_its_scores_count(
    head: str, names: tuple[str, ...], cells: tuple[str, ...]
) -> None:
    """It was refused without a command."""
    texts = head.endswith(",texts")
    own = [[f"the text {k} of {i}" if texts else str(one) for i, one in enumerate(scores_of(k))] for k in range(N)]
    text = rows(head.removesuffix(",texts"), *(f"q{k},{','.join(own[k])},{'tie' if k == 7 else cells[BEST[k]]}" for k in range(N)))  # fmt: skip
    *scores, judged = asks(text)
    assert bool(scores) is not texts
    for _, command in scores:
        assert means(scored(text, **said(command))) == {name: pytest.approx(sum(scores_of(k)[i] for k in range(N)) / N) for i, name in enumerate(names)}  # fmt: skip
    found = scored(text, **said(judged[1]))
    assert won(found) == {name: 2.0 * sum(best == i and k != 7 for k, best in enumerate(BEST)) for i, name in enumerate(names)}  # fmt: skip
    assert len(found.preferences[0].outcome) == 2 * (N - 1)
    assert "1 row without a judgment left out" in told(found)


def test_a_best_one_that_is_none_of_them_is_refused() -> None:
    text = rows("id,gpt,llama,bart,best", *(f"q{k},1,2,3,{('gpt', 'C', 'bart')[k % 3]}" for k in range(N)))
    (problem,) = scored(text, columns="id=question\ngpt=system\nllama=system\nbart=system\nbest=winner").problems
    assert "best names none of gpt, llama, bart: 'C'" in str(problem)


ORDERS = [sorted(range(3), key=lambda i, k=k: scores_of(k)[i]) for k in range(N)]  # the best one first


def ahead() -> dict[str, float]:
    """How many of the others each system beats, in all rows."""
    return {name: float(sum(2 - order.index(i) for order in ORDERS)) for i, name in enumerate(NAMES)}


@pytest.mark.parametrize(
    "head",
    ["id,rank1,rank2,rank3", "id,1st,2nd,3rd", "id,first,second,third", "id,rank 1,rank 2,rank 3", "id,1st_place,2nd_place,3rd_place"],
)  # fmt: skip
def test_columns_of_ranks_with_names_compare_all_pairs(head: str) -> None:
    """Each name was to be a number."""
    lines = (f"q{k},{','.join(NAMES[i] for i in order)}" for k, order in enumerate(ORDERS))
    found = scored(rows(head, *lines))
    assert won(found) == ahead()
    (part,) = found.preferences
    assert len(part.outcome) == 3 * N
    assert len({*part.question.tolist()}) == N
    assert f"rankings by name, from {head.split(',')[1]}, the best" in told(found)


@pytest.mark.parametrize(("head", "mark"), [("ranking", " > "), ("ranking", ">"), ("answer", " > "), ("answer", ">>")])
def test_a_cell_with_names_and_marks_between_them_is_a_ranking(head: str, mark: str) -> None:
    lines = (f"q{k},p{k % 2},{mark.join(NAMES[i] for i in order)}" for k, order in enumerate(ORDERS))
    found = scored(rows(f"id,annotator,{head}", *lines))
    assert won(found) == ahead()
    assert {*found.preferences[0].judge.tolist()} == {"p0", "p1"}


def test_a_list_of_names_below_ranking_is_one() -> None:
    lines = ('{"id": %d, "ranking": [%s]}' % (k, ", ".join(f'"{NAMES[i]}"' for i in order)) for k, order in enumerate(ORDERS))  # fmt: skip  # noqa: UP031
    assert won(scored("\n".join(lines) + "\n", "t.jsonl")) == ahead()


def test_equal_ones_in_a_ranking_are_ties() -> None:
    text = rows("id,ranking", *(f"q{k},{('gpt > llama = bart', 'bart > gpt = llama')[k % 2]}" for k in range(N)))
    found = scored(text)
    (part,) = found.preferences
    assert sorted(part.outcome.tolist()) == [0.5] * N + [1.0] * (2 * N)
    assert won(found) == {"gpt": N / 2 * 2 + N / 4, "llama": N / 2, "bart": N + N / 4}


@pytest.mark.parametrize(
    "text",
    [
        rows("id,category,score", *(f"q{k},home > music > {('rock', 'jazz', 'pop')[k % 3]},{k % 4}" for k in range(N))),
        rows("id,category", *(f"q{k},home > music > {('rock', 'jazz', 'pop')[k % 3]}" for k in range(N))),
        rows("id,gpt,llama,bart,ranking", *(f"q{k},{','.join(map(str, scores_of(k)))},{' > '.join(NAMES[i] for i in ORDERS[k])}" for k in range(N))),
        rows("id,label,rank1,rank2,rank3", *(f"q{k},{NAMES[k % 3]},{','.join(NAMES[i] for i in ORDERS[k])}" for k in range(N))),
        rows("id,rank1,rank2", *(f"q{k},{','.join(NAMES[i] for i in ORDERS[k][:2])}" for k in range(N))),
        rows("id,rank1,rank2,rank3", *(f"q{k},{','.join(map(str, ORDERS[k]))}" for k in range(N))),
    ],
)  # fmt: skip
def test_paths_labels_and_scores_are_no_rankings_by_name(text: str) -> None:
    assert not scored(text).preferences


def test_other_names_in_each_row_are_refused_with_what_to_do() -> None:
    """Three of four: they may be documents, or labels that are predicted."""
    four = ("gpt", "llama", "bart", "t5")
    lines = (f"q{k},{','.join(four[(k + i * (1 + k % 2 * 2)) % 4] for i in range(3))}" for k in range(N))
    (problem,) = scored(rows("id,rank1,rank2,rank3", *lines)).problems
    assert "other ones in each row" in str(problem)
    assert "a row for each pair" in str(problem)
    assert "NUMBER" not in str(problem)


def test_the_best_one_wins_against_the_worst_one() -> None:
    lines = (f"q{k},{NAMES[order[0]]},{NAMES[order[2]]}" for k, order in enumerate(ORDERS))
    found = scored(rows("id,best,worst", *lines))
    assert won(found) == {name: float(sum(order[0] == i for order in ORDERS)) for i, name in enumerate(NAMES) if any(i in (order[0], order[2]) for order in ORDERS)}  # fmt: skip
    assert "Others of a row are not named, so they do not count." in told(found)


def test_one_that_is_best_and_worst_is_no_system() -> None:
    lines = (f"q{k},{NAMES[k % 3]},{NAMES[2 * k % 3]}" for k in range(N))
    assert not scored(rows("id,best,worst", *lines)).preferences
