"""Pairwise judgments under headings that nobody knows: what is asked, and what is read as somebody says."""

from __future__ import annotations

import random

import pytest

from sigcore.preferences import Preferences
from sigcore.readers import Choice, Intake, Unclear, read

N, DRAW = 30, random.Random(2)
SYSTEMS = ("small", "large", "tuned")
PAIRS = [tuple(DRAW.sample(SYSTEMS, 2)) for _ in range(N)]
WON = [DRAW.choice([0, 1, 2]) for _ in range(N)]  # the first, the second, a tie


def csv(heads: str, rows: list[list[object]]) -> str:
    return "\n".join([heads, *(",".join(map(str, row)) for row in rows)]) + "\n"


def intake(text: str, **options: object) -> Intake:
    return read([("judged.csv", text.encode())], every=Choice(options=options) if options else None)


def asked(text: str) -> Unclear:
    (problem,) = intake(text).problems
    assert isinstance(problem, Unclear)
    return problem


def command(problem: Unclear) -> dict[str, str]:
    """The roles that the printed command confirms."""
    return {claim.column: claim.role for claim in problem.claims if not claim.sure}


def wins(found: Intake) -> dict[tuple[str, str], float]:
    """How often the first name of each pair was better, ties as halves."""
    assert not found.problems
    (judged,) = found.preferences
    return points(judged)


def points(judged: Preferences) -> dict[tuple[str, str], float]:
    out: dict[tuple[str, str], float] = {}
    for first, second, outcome in zip(judged.first, judged.second, judged.outcome, strict=True):
        pair = (str(first), str(second))
        out[min(pair), max(pair)] = out.get((min(pair), max(pair)), 0) + (
            outcome if pair == (min(pair), max(pair)) else 1 - outcome
        )
    return out


def expected() -> dict[tuple[str, str], float]:
    out: dict[tuple[str, str], float] = {}
    for (a, b), won in zip(PAIRS, WON, strict=True):
        first = (1.0, 0.0, 0.5)[won]
        key = (min(a, b), max(a, b))
        out[key] = out.get(key, 0) + (first if (a, b) == key else 1 - first)
    return out


# How the winners are written, and what --cells says where nobody can know it.
WRITTEN = {
    "names": (lambda a, b: (a, b, "tie"), ""),
    "places": (lambda a, b: ("1", "2", "="), ""),
    "numbers": (lambda a, b: ("1", "2", "0"), "0=tie\n1=first\n2=second"),
    "marks": (lambda a, b: (">", "<", "="), ""),
    "headings": (lambda a, b: ("links", "rechts", "gleich"), "gleich=tie"),
}


@pytest.mark.parametrize("written", WRITTEN)
def test_columns_of_names_and_a_winner_are_proposed(written: str) -> None:
    """Two columns with the same names, and one that says which is better, under headings that nobody knows."""
    words, cells = WRITTEN[written]
    rows = [[k // 3, a, b, words(a, b)[won]] for k, ((a, b), won) in enumerate(zip(PAIRS, WON, strict=True))]
    text = csv("item,links,rechts,which is better", rows)
    problem = asked(text)
    roles = command(problem)
    assert roles == {"item": "question", "links": "first", "rechts": "second", "which is better": "winner"}
    assert all(f"{line.partition('=')[0]}=WHO" in problem.fix for line in cells.split())
    assert ("WHO" in problem.fix) == bool(cells)
    columns = "\n".join(f"{name}={role}" for name, role in roles.items())
    found = intake(text, columns=columns, **({"cells": cells} if cells else {}))
    assert wins(found) == expected()


def test_a_preference_in_another_language_is_asked_about() -> None:
    """Places that are known, and one word that is not; what both systems wrote is not what was asked."""
    words = ("1", "2", "Empate")
    rows = [
        [k, f"texto {k % 5} que es largo", f"otro {k % 4} que es largo", f"frase {k % 7} de la lista", a, b, words[won]]
        for k, ((a, b), won) in enumerate(zip(PAIRS, WON, strict=True))
    ]
    text = csv("numero,Texto 1,Texto 2,Frase,Sistema 1,Sistema 2,Preferencia", rows)
    problem = asked(text)
    roles = command(problem)
    assert {name: roles.get(name) for name in ("Sistema 1", "Sistema 2", "Preferencia", "Texto 1")} == {
        "Sistema 1": "first",
        "Sistema 2": "second",
        "Preferencia": "winner",
        "Texto 1": None,
    }
    assert "Empate=WHO" in problem.fix
    columns = "\n".join(f"{name}={role}" for name, role in roles.items())
    assert wins(intake(text, columns=columns, cells="Empate=tie")) == expected()


def test_outputs_by_place_are_two_systems() -> None:
    """Two columns of outputs, and winners that are their headings: the sides are the systems, with a notice."""
    rows = [
        [k, f"one says {k} here", f"two says {k} there", ("text x", "text y", "tie")[won]] for k, won in enumerate(WON)
    ]
    text = csv("item,text x,text y,best", rows)
    assert command(asked(text))["text x"] == "first"
    found = intake(text, columns="text x=first\ntext y=second\nbest=winner")
    assert wins(found) == {("text x", "text y"): WON.count(0) + WON.count(2) / 2}
    assert any("drawn anew" in notice.message for notice in found.notices)


def test_judges_who_agree_are_no_pairs() -> None:
    """Two people gave labels, often the same ones, and a third decided: nobody is compared with anybody."""
    labels = ("toxic", "hate", "fine")
    rows = [[k, labels[k % 3], labels[k % 3 if k % 2 else (k + 1) % 3], labels[k % 3]] for k in range(N)]
    assert "winner" not in {claim.role for claim in asked(csv("id,one,two,final", rows)).claims}


def test_all_three_have_to_be_said() -> None:
    rows = [[a, b, a] for a, b in PAIRS]
    found = intake(csv("x,y,z", rows), columns="x=first\nz=winner")
    assert "LEFT=first RIGHT=second BEST=winner" in found.problems[0].fix


def test_words_that_nobody_knows_are_asked_for() -> None:
    rows = [[a, b, ("eins", "zwei", "beide")[won]] for (a, b), won in zip(PAIRS, WON, strict=True)]
    text = csv("x,y,Sieger", rows)
    said = {"columns": "x=first\ny=second\nSieger=winner"}
    assert "--cells" in intake(text, **said).problems[0].fix
    assert wins(intake(text, **said, cells="eins=first\nzwei=second\nbeide=tie")) == expected()


# Layouts that say themselves what they are.


def layouts() -> dict[str, tuple[str, list[list[object]]]]:
    """Headings and rows of the same judgments; a tie has a word of its own."""
    rows = [(k, a, b, won) for k, ((a, b), won) in enumerate(zip(PAIRS, WON, strict=True))]
    sides, votes = ("left", "right", "tie"), ("1", "2", "tie")
    return {
        "sides with names": ("id,left system,right system,winner side", [[k, a, b, sides[w]] for k, a, b, w in rows]),
        "a vote of each person": (
            "id,response_1,response_2,model_1,model_2,annotator_1,annotator_2",
            [[k, f"text {k} x", f"text {k} y", a, b, votes[w], votes[w]] for k, a, b, w in rows],
        ),
    }


@pytest.mark.parametrize("layout", ["sides with names", "a vote of each person"])
def test_pairs_with_names_are_read(layout: str) -> None:
    """Names in the cells are the systems, not the headings above them, nor the texts beside them."""
    heads, rows = layouts()[layout]
    times = 2 if "each person" in layout else 1
    assert wins(intake(csv(heads, rows))) == {pair: times * share for pair, share in expected().items()}


def test_winners_and_losers() -> None:
    """Each row names who won and who lost."""
    rows = [[k, *((a, b) if won == 0 else (b, a))] for k, ((a, b), won) in enumerate(zip(PAIRS, WON, strict=True))]
    found = wins(intake(csv("prompt_id,chosen_model,rejected_model", rows)))
    told = [(a, b) if won == 0 else (b, a) for (a, b), won in zip(PAIRS, WON, strict=True)]
    assert found == {
        tuple(sorted(pair)): float(sum(one == tuple(sorted(pair)) for one in told))
        for pair in {tuple(sorted(p)) for p in told}
    }


def test_chosen_texts_are_no_names() -> None:
    """Texts of which one was chosen do not say which system wrote them."""
    rows = [[k, f"a good text {k}", f"another text {k}"] for k in range(N)]
    assert not intake(csv("id,chosen,rejected", rows)).preferences


def test_systems_behind_the_word_for_their_text() -> None:
    rows = [[f"q{k}", f"words {k} a", f"words {k} b", ("gpt", "llama", "tie")[won]] for k, won in enumerate(WON)]
    found = wins(intake(csv("id,answer_gpt,answer_llama,preferred", rows)))
    assert found == {("gpt", "llama"): WON.count(0) + WON.count(2) / 2}


def test_labels_of_numbered_people_are_no_votes() -> None:
    """Two models and labels of two people that name neither a place nor a model."""
    rows = [[k, a, b, "fluent", "odd"] for k, (a, b) in enumerate(PAIRS)]
    assert not intake(csv("id,model_1,model_2,annotator_1,annotator_2", rows)).preferences


def of_two(words: tuple[str, ...]) -> str:
    """A question twice, and only the winner: one of the same two, or a word."""
    return csv(
        "id,judge,order,winner", [[f"q{k // 2}", "xy"[k % 2], "AB"[k % 2], words[k % len(words)]] for k in range(N)]
    )


def test_the_winners_are_the_systems_where_only_two_ever_win() -> None:
    """A column of winners is asked about, and is enough: each row compares the two names in it."""
    text = of_two(("plain", "variant", "variant", "tie", ""))
    problem = asked(text)
    assert command(problem) == {"id": "question", "winner": "winner"}
    assert "Does each row compare plain, variant" in problem.what
    found = intake(text, columns="id=question\nwinner=winner")
    assert wins(found) == {("plain", "variant"): N / 5 * 1.5}
    (judged,) = found.preferences
    assert len({*judged.question.tolist()}) == N // 2


@pytest.mark.parametrize("words", [("plain", "variant", "third"), ("A", "B", "tie"), ("left", "right"), ("won", "tie")])
def test_other_winners_need_both_systems(words: tuple[str, ...]) -> None:
    """Three names, places, and one name with ties do not say who was compared."""
    (problem,) = intake(of_two(words), columns="id=question\nwinner=winner").problems
    assert "both systems and the winner have to be known" in problem.what
