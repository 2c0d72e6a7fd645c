"""Tables whose headings and marks are in other languages, and what was read wrongly beside them."""

from __future__ import annotations

import json

import pytest

from sigcore.readers import read, read_ratings
from tests.made_tables import N, asked, means, roles, rows, scored, told, value

SEGMENTS, LABELS = 20, ("pos", "neg", "neu")


@pytest.mark.parametrize(
    "judge", ["Annotateur", "Évaluateur", "Anotador", "Valutatore", "Gutachter", "Эксперт", "评审员"]
)
def test_headings_of_judges_in_other_languages(judge: str) -> None:
    body = (
        f"p{j},{name},{k},{1 + (k + j + len(name)) % 5}" for k in range(N) for j in range(2) for name in ("A", "BB")
    )
    (people,) = read_ratings([("form.csv", rows(f"{judge},system,segment,score", *body).encode())]).judgments
    assert set(people.judge.tolist()) == {"p0", "p1"}
    assert set(people.system.tolist()) == {"A", "BB"}


@pytest.mark.parametrize(
    "heads",
    [
        "Prüferin Schmidt,Prüfer Adler,Prüferin Keil",
        "Juge 1,Juge 2,Juge 3",
        "Evaluador A,Evaluador B,Evaluadora C",
        "L01,L02,L03",
        "эксперт 1,эксперт 2,эксперт 3",
        "rater_A,rater_B,rater_C",
    ],
)
def test_columns_of_people_in_other_languages_are_no_systems(heads: str) -> None:
    body = (f"{k},{1 + k % 5},{1 + (k + 1) % 5},{1 + k // 2 % 5}" for k in range(N))
    found = scored(rows(f"Nr,{heads}", *body))
    assert found.problems
    assert not any(item.role == "system" for item in found.items)


def test_lower_letters_with_two_digits_are_no_people() -> None:
    """l01 may be a layer, and x01 a run."""
    found = scored(rows("id,l01,l02", *(f"q{k},{value(k, 0)},{value(k, 1)}" for k in range(N))))
    assert set(means(found)) == {"l01", "l02"}


@pytest.mark.parametrize("heading", ["referência", "référence", "эталон", "参考译文"])
def test_headings_of_references_and_sources_in_other_languages(heading: str) -> None:
    body = (f"quelle satz {k},wort {k} gut heute,wort {k} gut morgen,das wort {k} gut" for k in range(N))
    found = scored(rows(f"Quelle,{heading},A,B", *body))
    assert not found.problems, found.problems
    by_role = {
        role: [item.name for item in found.items if item.role == role] for role in ("source", "reference", "system")
    }
    assert [len(by_role[role]) for role in ("source", "reference")] == [1, 1]
    assert by_role["system"] == ["A", "B"]


@pytest.mark.parametrize("word", ["k. a.", "k.A.", "n.d.", "s/d", "н/д"])
def test_words_for_a_missing_score(word: str) -> None:
    found = scored(rows("id,A,B", *(f"q{k},{value(k, 0)},{value(k, 1) if k else word}" for k in range(N))))
    assert not found.problems, found.problems
    by_name = {item.name: item for item in found.items}
    assert by_name["B"].kind == "scores"
    assert by_name["B"].segments[1:] == tuple(str(value(k, 1)) for k in range(1, N))


@pytest.mark.parametrize("head", ["Seconds", "minutes", "edad", "âge", "年龄"])
def test_times_and_ages_are_no_systems(head: str) -> None:
    found = scored(rows(f"id,A,B,{head}", *(f"q{k},{value(k, 0)},{value(k, 1)},{k % 7 / 10}" for k in range(N))))
    assert set(means(found)) == {"A", "B"} if not found.problems else True
    assert not any(item.name == head for item in found.items)


def labelled(head: str, cells: int = 3) -> str:
    """Texts with their right label, and those of two systems: the first has one of three as another."""
    body = []
    for k in range(SEGMENTS):
        right = LABELS[k % 3]
        wrong = LABELS[(k + 1) % 3]
        body.append(f"t{k},{right},{wrong if k % 4 == 0 else right},0.{k + 10},{wrong if k % 2 else right},0.{k + 11}")
    return rows(head, *body)


@pytest.mark.parametrize("right", ["gold_label", "etichetta_vera", "etiqueta_correcta"])
@pytest.mark.parametrize("of", ["pred_{},conf_{}", "{}_pred,{}_conf", "predicted_{},prob_{}"])
def test_predictions_before_or_behind_a_name(right: str, of: str) -> None:
    heads = ",".join(of.format(name, name) for name in ("svm", "bert"))
    found = scored(labelled(f"id_tweet,{right},{heads}"))
    assert not found.problems, found.problems
    systems = {item.name: item.segments for item in found.items if item.role == "system"}
    assert set(systems) == {"svm", "bert"}
    (gold,) = (item for item in found.items if item.role == "reference")
    same = {name: sum(map(str.__eq__, own, gold.segments)) for name, own in systems.items()}
    assert same == {"svm": SEGMENTS - 5, "bert": SEGMENTS // 2}
    assert "Not used, beside labels" in told(found)


def test_a_skipped_vote_is_no_vote() -> None:
    body = (f"q{k},A,B,{('left', 'right', 'tie', 'skip')[k % 4]}" for k in range(N))
    (found,) = scored(rows("id,left_system,right_system,vote", *body)).preferences
    assert found.n == N * 3 // 4


def test_a_problem_that_ran_out_of_time_is_not_solved() -> None:
    """EvalPlus writes timeout beside pass and fail."""

    def of(wrong: int) -> bytes:
        status = {f"HumanEval/{k}": "pass" if k % wrong else ("timeout" if k % 4 else "fail") for k in range(SEGMENTS)}
        return json.dumps(
            {"date": "2024-05-01", "hash": "x", "eval": {k: [{"task_id": k, "solution": "s", "base_status": one, "plus_status": one}] for k, one in status.items()}}
        ).encode()  # fmt: skip

    found = read([("A_eval_results.json", of(2)), ("B_eval_results.json", of(5))])
    assert not found.problems, found.problems
    base = [item for item in found.items if "base" in item.measure]
    assert {item.name.split("_")[0]: sum(map(float, item.segments)) for item in base} == {"A": 10, "B": 16}


def test_what_sums_up_numbered_questions_is_no_question() -> None:
    head = ",".join(f"q{k + 1}" for k in range(N))
    body = [",".join([name, *(str(value(k, i)) for k in range(N)), "0.5"]) for i, name in enumerate(("A", "B"))]
    found = scored(rows(f"model,{head},mean", *body))
    assert {name: round(one, 6) for name, one in means(found).items()} == {
        name: round(sum(value(k, i) for k in range(N)) / N, 6) for i, name in enumerate(("A", "B"))
    }


@pytest.mark.parametrize("ids", ["dialogue", "lfd", "dialogue,annotator"])
def test_criteria_of_two_systems_are_asked_about_as_a_grid(ids: str) -> None:
    """bot_coherent and bot_engaging: the systems are bot and human, and the ids are none."""
    heads = [f"{name}_{what}" for name in ("bot", "human") for what in ("coherent", "engaging")]
    judges = [",a0", ",a1"] if "," in ids else [""]
    body = [
        f"{k}{judge},{1 + (k + n) % 5},{1 + k % 4},{1 + k % 3},{1 + k // 3}"
        for k in range(N)
        for n, judge in enumerate(judges)
    ]
    problem = asked(rows(",".join([ids, *heads]), *body))
    assert "Are coherent, engaging measures of bot, human?" in problem.why
    assert "coherent=measure engaging=measure" in str(problem)
    assert roles(problem)[ids.split(",")[0]] != "system"
