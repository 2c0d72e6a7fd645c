"""Predictions beside what is right: numbers become absolute errors, labels are compared with the gold ones."""

from __future__ import annotations

import random

import pytest

from sigcore.readers.contract import Notice
from tests.unit.sigcore.readers.test_exam_layouts import csv, every_format, intake, scores, texts, usual

N = 24
DRAWN = random.Random(5)
RIGHT = [round(DRAWN.uniform(20, 90), 2) for _ in range(N)]
NEAR = [round(one + DRAWN.gauss(0, 4), 2) for one in RIGHT]
FAR = [round(one + DRAWN.gauss(0, 9), 2) for one in RIGHT]
GOLD = ["abc"[k % 3] for k in range(N)]
ONE = [label if k % 5 else "a" for k, label in enumerate(GOLD)]
OTHER = [label if k % 4 else "b" for k, label in enumerate(GOLD)]


def rows(**columns: list[object] | list[float] | list[str]) -> list[dict[str, object]]:
    return [{"id": k, **{name: cells[k] for name, cells in columns.items()}} for k in range(N)]


def errors(predicted: list[float]) -> list[float]:
    return [abs(one - gold) for one, gold in zip(predicted, RIGHT, strict=True)]


def said(found: list[Notice] | tuple[Notice, ...]) -> str:
    return " ".join(notice.message for notice in found)


# Numbers.


@every_format
@pytest.mark.parametrize(
    "heading", ["Actual", "y_true", "true", "target", "gold", "observed", "ground_truth", "Y True"]
)
def test_numbers_beside_the_right_ones_are_errors(heading, suffix, written):
    """The right numbers are no system; each score is the distance to them, and lower is better."""
    found = intake({f"t.{suffix}": written(rows(**{heading: RIGHT, "linear": NEAR, "forest": FAR}))})
    got = scores(found)
    assert set(got) == {"linear", "forest"}
    assert got["linear"] == pytest.approx(errors(NEAR))
    assert got["forest"] == pytest.approx(errors(FAR))
    assert {item.measure for item in found.items} == {"absolute error"}


def test_a_constant_baseline_is_a_system():
    """The mean of the training data, in every row."""
    found = intake({"t.csv": csv(rows(Actual=RIGHT, **{"Mean baseline": [53.5] * N}, forest=FAR))})
    assert scores(found)["Mean baseline"] == pytest.approx(errors([53.5] * N))


def test_one_prediction_is_that_of_the_file():
    """A file for each system, also beside other numbers."""
    files = {
        "near.csv": csv(rows(age=[*range(N)], y_true=RIGHT, y_pred=NEAR)),
        "far.csv": csv(rows(age=[*range(N)], y_true=RIGHT, y_pred=FAR)),
    }
    got = scores(intake(files))
    assert got["near"] == pytest.approx(errors(NEAR))
    assert got["far"] == pytest.approx(errors(FAR))


def test_a_row_for_each_system_and_number():
    """In long form."""
    lines = [
        {"model": name, "id": k, "y_true": RIGHT[k], "y_pred": own[k]}
        for name, own in (("near", NEAR), ("far", FAR))
        for k in range(N)
    ]
    got = scores(intake({"t.csv": csv(lines)}))
    assert got["near"] == pytest.approx(errors(NEAR))
    assert got["far"] == pytest.approx(errors(FAR))


def test_what_somebody_says_is_predicted():
    """A reference and systems of numbers, whatever their headings; as scores they stay what they are."""
    text = csv(rows(reference=RIGHT, A=NEAR, B=FAR))
    got = scores(intake({"t.csv": text}, columns="reference=reference\nA=system\nB=system"))
    assert got["A"] == pytest.approx(errors(NEAR))
    kept = scores(intake({"t.csv": text}, columns="reference=reference\nA=score\nB=score"))
    assert NEAR in kept.values()


def test_a_missing_prediction_is_a_missing_score():
    """An empty cell has no error."""
    holed = [*NEAR[:3], "", *NEAR[4:]]
    found = intake({"t.csv": csv(rows(Actual=RIGHT, A=holed, B=FAR))})
    (cells,) = (item.segments for item in found.items if item.name == "A")
    assert [k for k, cell in enumerate(cells) if not cell] == [3]


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"Actual": RIGHT, "A": [one / 100 for one in NEAR], "B": FAR}, "another scale"),
        ({"y_true": [k % 2 for k in range(N)], "A": [one / 100 for one in NEAR], "B": [one / 120 for one in FAR]}, "0 and 1"),
        ({"Actual": [3 * k for k in range(N)], "A": [3 * k + 1 for k in range(N)], "B": [2 * k for k in range(N)]}, "whole"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(columns, why):
    """The right numbers never become a system; the error says what to write."""
    (problem,) = intake({"t.csv": csv(rows(**columns))}).problems
    assert why in str(problem)
    assert "--better lower" in str(problem)


def test_numbers_of_classes_are_labels():
    """Few whole numbers are compared as they are."""
    columns = {name: ["abc".index(one) for one in own] for name, own in (("Actual", GOLD), ("A", ONE), ("B", OTHER))}
    found = intake({"t.csv": csv(rows(**columns))})
    assert set(texts(found, "system")) == {"A", "B"}
    assert len(texts(found, "reference")) == 1


def test_measures_beside_a_target_stay_scores():
    """What a heading calls a measure predicts nothing."""
    found = intake({"t.csv": csv(rows(target=RIGHT, bleu=[one / 100 for one in NEAR], chrf=[one / 99 for one in FAR]))})
    assert "absolute error" not in said(found.notices)


# Labels.


@every_format
@pytest.mark.parametrize("gold", ["expected_label", "gold", "true_label", "label", "y_true", "actual_label"])
@pytest.mark.parametrize("end", ["label", "pred"])
def test_labels_of_several_systems_are_compared_with_the_gold_ones(gold, end, suffix, written):
    """NAME_label is the system NAME; how sure it was is no score, and what was labelled is no system."""
    columns = {"text": [f"sentence number {k}" for k in range(N)], gold: GOLD}
    columns |= {f"bert_{end}": ONE, "bert_score": [one / 100 for one in NEAR]}
    columns |= {f"roberta_{end}": OTHER, "roberta_score": [one / 100 for one in FAR]}
    found = intake({f"t.{suffix}": written(rows(**columns))})
    assert texts(found, "system") == {"bert": tuple(ONE), "roberta": tuple(OTHER)}
    assert list(texts(found, "reference").values()) == [tuple(GOLD)]
    assert scores(found) == {}
    assert usual(found).kind == "labels"


def test_a_system_may_always_give_the_same_label():
    """It is bad, but no reason to ask."""
    found = intake({"t.csv": csv(rows(expected_label=GOLD, bert_label=["a"] * N, roberta_label=OTHER))})
    assert set(texts(found, "system")) == {"bert", "roberta"}


@pytest.mark.parametrize("sure", [("prob_0", "prob_1"), ("confidence",), ("prob_a", "prob_b", "prob_c"), ("score",)])
def test_probabilities_beside_label_and_pred_are_no_scores(sure):
    """A file for each classifier."""
    more = {name: [one / 100 for one in NEAR] for name in sure}
    files = {f"{name}.csv": csv(rows(label=GOLD, pred=own, **more)) for name, own in (("one", ONE), ("two", OTHER))}
    found = intake(files)
    assert scores(found) == {}
    assert sorted(texts(found, "system").values()) == sorted([tuple(ONE), tuple(OTHER)])


# Facts beside answers, other headings, measures.


@pytest.mark.parametrize("fact", ["company", "sector", "analyst"])
@pytest.mark.parametrize("end", ["answer", "response", "output"])
def test_a_short_fact_beside_answers_is_no_system(fact, end):
    """Only the headings with the common end are systems."""
    answers = {
        f"{name}_{end}": [f"{name} says that {k} of them are sold here" for k in range(N)] for name in ("A", "B")
    }
    told = {fact: ["3M", "Nike", "CVS Health", "Pfizer"] * (N // 4)}
    gold = {"gold_answer": [f"there are {k} of them that are sold" for k in range(N)]}
    found = intake({"t.csv": csv(rows(**told, **gold, **answers))})
    assert set(texts(found, "system")) == {*answers}


def test_the_packets_that_judges_rated_are_the_questions():
    """Only with the packet each judge has one row of a system."""
    lines = [
        {"judge_id": judge, "model_id": model, "packet_id": f"p{k}", "score": (k * 7 + len(judge)) % 9}
        for k in range(N)
        for model in "ab"
        for judge in ("g", "claude")
    ]
    (problem,) = intake({"t.csv": csv(lines)}).problems
    assert "model_id=system packet_id=question judge_id=run score=score" in problem.fix


def test_times_and_prices_are_no_scores_beside_checks():
    """What an answer costs, and how many checks there were."""
    lines = [
        {
            "model": model,
            "question_id": k,
            "ttft_s": 0.5 + k / 9,
            "cost_usd": k / 999,
            "checks_passed": k % 3,
            "checks_total": 3,
        }
        for model in "ab"
        for k in range(N)
    ]
    assert {item.measure for item in intake({"t.csv": csv(lines)}).items if item.kind == "scores"} != {"ttft_s"}
    assert set(scores(intake({"t.csv": csv(lines)}))) == {"a", "b"}


def test_the_quality_of_answers_is_a_measure():
    """Beside how faithful they are."""
    lines = [
        {
            "model": model,
            "question": f"What is {k}?",
            "answer_quality": k / 30,
            "faithfulness": (k * 7 % 30) / 30,
            "latency": k,
        }
        for model in "ab"
        for k in range(N)
    ]
    found = intake({"t.csv": csv(lines)})
    assert {item.measure for item in found.items if item.kind == "scores"} == {"answer_quality", "faithfulness"}


def test_a_word_without_a_known_number_is_asked():
    """No wrong answer is offered as 1."""
    columns = {"A": ["○", "×bad"] * (N // 2), "B": ["○", "unclear"] * (N // 2)}
    (problem,) = intake({"t.csv": csv(rows(**columns))}, columns="A=system\nB=score").problems
    assert "unclear=NUMBER" in problem.fix


def test_the_label_of_a_judge_beside_another_label_is_no_gold():
    """`label` alone may be what a judge gave."""
    found = intake({"t.csv": csv(rows(judge=["g"] * N, orig_label=GOLD, label=ONE))})
    assert "reference of orig_label" not in said(found.notices)


def test_numbers_of_classes_that_somebody_names_are_compared():
    """A reference and the output in numbers."""
    gold, own = (["abc".index(one) for one in column] for column in (GOLD, ONE))
    found = intake({"t.csv": csv(rows(label=gold, pred=own))}, columns="label=reference\npred=text")
    assert texts(found, "reference") == {"reference": tuple(map(str, gold))}
    assert list(texts(found, "system").values()) == [tuple(map(str, own))]


def test_ids_stay_beside_labels():
    """The labels of each segment keep its name, and each column that is left out is named once."""
    columns = {"gold_label": GOLD, "bert_label": ONE, "note": ["fine"] * N, "bert_prob": [one / 100 for one in NEAR]}
    found = intake({"t.csv": csv(rows(**columns))})
    assert {item.keys for item in found.items} == {tuple(map(str, range(N)))}
    assert "Not used, how sure the systems were: bert_prob." in said(found.notices)
    assert "Not used, beside labels: note." in said(found.notices)
