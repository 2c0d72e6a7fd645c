"""Predictions beside what is right: numbers and labels, how many, how alike, and what stands beside them."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found
from sigcore.readers.tables import predicted
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, columns_of, messages, table


def read(heads: str, cells: Cells, rows: int = 12, basis: str = "") -> tuple[Table, list[str]]:
    result = Found()
    of = table(heads, cells, rows)
    of = Table(of.file, of.headings, of.rows, of.places, basis=basis)  # type: ignore[arg-type]
    return predicted.compared(of, result), messages(result)


def heads(names: str, cells: Cells, rows: int = 12) -> list[str]:
    return read(names, cells, rows)[0].headings


def refused(names: str, cells: Cells, rows: int = 12) -> str:
    with pytest.raises(ReadError) as error:
        read(names, cells, rows)
    return error.value.what


# Numbers.


def near(k: int) -> tuple[object, ...]:
    return k, k + 0.5, k + 0.25, k + 1


def test_predicted_numbers_become_their_errors() -> None:
    of, notes = read("id actual A B", near)
    assert (of.headings, of.basis, of.measured) == (["id", "A", "B"], "said", "absolute error")
    assert columns_of(of)["A"][:2] == ["0.25", "0.25"]
    assert columns_of(of)["B"][:2] == ["0.5", "0.5"]
    assert notes[0].startswith("actual holds the right numbers, which A, B predict.")
    one, _ = read("id actual A", lambda k: near(k)[:3])
    assert (one.headings, one.basis) == (["id", "absolute error"], "")


def test_errors_are_exact_and_missing_where_a_number_is() -> None:
    of, _ = read("id actual A", lambda k: (k, "" if k == 1 else "0.3", "" if k == 2 else f"0,{k + 1}"))
    assert columns_of(of)["absolute error"][:4] == ["0.2", "", "", "0.1"]


@pytest.mark.parametrize(
    ("right", "are"),
    [
        ("y_true", True), ("actual", True), ("observed", True), ("ground truth", True), ("gold_score", True), ("target", True),
        ("reference", False), ("source", False), ("x", False), ("label", False),
    ],
)  # fmt: skip
def test_headings_of_what_is_right(right: str, are: bool) -> None:
    found = heads(f"id {right.replace(' ', '~')} A B", near)
    assert (found == ["id", "A", "B"]) is are


def test_labels_with_decimals_beside_predictions_are_right_numbers() -> None:
    assert heads("id label pred_A pred_B", near) == ["id", "pred_A", "pred_B"]
    assert heads("id label A B", near) == ["id", "label", "A", "B"]
    whole = heads("id label pred_A pred_B", lambda k: (k, k % 3, k % 3, k % 2))
    assert whole == ["id", "label", "pred_A", "pred_B"]


def test_which_columns_predict() -> None:
    """Those that say so; without them all that name no measure and nothing known."""
    assert heads("id actual pred_A B", near) == ["id", "absolute error"]
    assert heads("id actual A bleu", near) == ["id", "absolute error"]
    assert heads("id actual A tokens", near) == ["id", "absolute error"]
    assert heads("id actual A confidence", near) == ["id", "absolute error"]
    assert heads("id actual bleu ter", near) == ["id", "actual", "bleu", "ter"]
    assert heads("system actual A B", near) == ["system", "actual", "A", "B"]
    assert heads("system actual pred_A B", near) == ["system", "absolute error"]
    assert heads("id actual truth A", near) == ["id", "actual", "truth", "A"]


def test_numbers_that_do_not_predict_the_right_ones() -> None:
    assert "It is on another scale than some of the others: A, B." in refused(
        "id actual A B", lambda k: (k, k + 0.5, 100 * k + 0.5, k)
    )
    assert "It holds 0 and 1, but the others other numbers: A, B." in refused(
        "id actual A B", lambda k: (k, k % 2, k + 0.5, k)
    )
    assert "the others hold whole numbers: values to come near, or answers: A, B." in refused(
        "id actual A B", lambda k: (k, k, k + 1, k)
    )
    outcomes = heads("id actual A B", lambda k: (k, k % 3 + 0.5, k % 2, (k + 1) % 2))
    assert outcomes == ["id", "actual", "A", "B"]


@pytest.mark.parametrize(
    ("values", "rows", "few"), [(20, 40, True), (20, 39, False), (21, 63, False), (3, 6, True), (3, 5, False)]
)
def test_a_few_whole_numbers_are_labels(values: int, rows: int, few: bool) -> None:
    """Up to twenty, with two rows each."""

    def cells(k: int) -> tuple[object, ...]:
        return k, k % values + 2, (k + 1) % values + 2, k % values + 2

    if few:
        assert heads("id actual A B", cells, rows) == ["id", "reference", "A", "B"]
    else:
        assert "whole numbers" in refused("id actual A B", cells, rows)


def test_columns_that_say_which_answers_were_right_are_compared() -> None:
    """Two of them; and not the answers beside them."""

    def cells(k: int) -> tuple[object, ...]:
        return k, k + 0.5, k + 0.25, k % 2, (k + 1) % 2

    assert heads("id actual A majority_correct oracle_correct", cells) == [
        "id",
        "actual",
        "A",
        "majority_correct",
        "oracle_correct",
    ]
    assert heads("id actual A majority_correct x", cells) == ["id", "A", "x"]


def test_predictions_that_somebody_named() -> None:
    """Any scale will do; and only where a reference and outputs were named."""
    of = table("id reference A B", lambda k: (k, k + 0.5, 100 * k + 0.25, k))
    of = Table(of.file, of.headings, of.rows, of.places, basis="said")
    assert predicted.with_said(of, ("reference", "system"), Found()).headings == ["id", "A", "B"]
    assert predicted.with_said(of, ("reference", "text"), Found()).headings == ["id", "A", "B"]
    for parts in (("system",), ("reference",), ("reference", "system", "score")):
        assert predicted.with_said(of, parts, Found()) is of  # type: ignore[arg-type]


# Labels.


def labels(k: int) -> tuple[object, ...]:
    return k, "pos" if k % 2 else "neg", "pos" if k % 2 else "neg", "pos" if k % 3 else "neg"


@pytest.mark.parametrize(
    ("names", "headings"),
    [
        ("id gold_label bert_label t5_pred", ["id", "reference", "bert", "t5"]),
        ("id label bert_label t5_pred", ["id", "reference", "bert", "t5"]),
        ("id label bert_label x", ["id", "label", "bert_label", "x"]),  # `label` alone may be predicted
        ("id gold_label model_label x", ["id", "gold_label", "model_label", "x"]),
        ("id gold_label bert_label bert_pred", ["id", "gold_label", "bert_label", "bert_pred"]),
        ("system gold_label bert_label t5_pred", ["system", "gold_label", "bert_label", "t5_pred"]),
        ("id gold_label true_label t5_pred", ["id", "gold_label", "true_label", "t5_pred"]),
    ],
)
def test_labels_of_several_systems_beside_the_right_ones(names: str, headings: list[str]) -> None:
    assert heads(names, labels) == headings


@pytest.mark.parametrize(("same", "are"), [(18, True), (17, False)])
def test_nine_of_ten_predicted_labels_are_among_the_right_ones(same: int, are: bool) -> None:
    found = heads("id gold_label bert_label", lambda k: (*labels(k)[:2], "pos" if k < same else f"x{k}"), 20)
    assert (found == ["id", "reference", "bert"]) is are


@pytest.mark.parametrize(("n", "are"), [(20, True), (21, False)])
def test_up_to_twenty_labels_are_compared(n: int, are: bool) -> None:
    found = heads("id gold_label bert_label", lambda k: (k, f"l{k % n}", f"l{(k + k % 2) % n}"), 63)
    assert (found == ["id", "reference", "bert"]) is are


def test_how_sure_the_systems_were_is_left_out() -> None:
    of, notes = read("id gold_label bert_label bert_prob score x", lambda k: (*labels(k)[:3], k / 12, k / 13, f"t{k}"))
    assert of.headings == ["id", "reference", "bert"]
    assert notes == [
        "gold_label was read as the reference of bert_label.",
        "Not used, how sure the systems were: bert_prob, score.",
        "Not used, beside labels: x.",
    ]
    of, notes = read("id gold_label bert_label other_prob", lambda k: (*labels(k)[:3], k / 12))
    assert notes[-1] == "Not used, beside labels: other_prob."


def test_one_prediction_beside_the_right_labels() -> None:
    """Without how sure it was, what sorts the rows, and one text for all."""

    def cells(k: int) -> tuple[object, ...]:
        return f"w{k}", "pos" if k % 2 else "neg", "pos" if k % 3 else "neg", k / 12, k % 4, "run 5"

    of, notes = read("word gold_label prediction confidence error_class note2", cells)
    assert of.headings == ["segment", "gold_label", "prediction"]
    told = "prediction is compared with gold_label"
    assert f"Not used, {told}: error_class, note2." in notes
    assert "Not used, how sure it was of a label: confidence." in notes


@pytest.mark.parametrize(
    ("names", "rows", "asked"),
    [
        (2, 12, True), (1, 12, False), (4, 12, True), (5, 24, False), (4, 8, False), (4, 9, True), (3, 6, False), (3, 7, True),
    ],
)  # fmt: skip
def test_a_few_other_names_beside_one_prediction_are_asked_about(names: int, rows: int, asked: bool) -> None:
    """Up to twice as many as labels, each in more than two rows."""

    def cells(k: int) -> tuple[object, ...]:
        return "pos" if k % 2 else "neg", "pos" if k % 3 else "neg", f"n{k % names}"

    if asked:
        with pytest.raises(Unclear, match="Does colour name systems"):
            read("gold_label prediction colour", cells, rows)
    else:
        read("gold_label prediction colour", cells, rows)


@pytest.mark.parametrize(
    ("heading", "word", "asked"),
    [
        ("colour", "a b {}", False), ("colour", "b {}", True), ("comment", "n{}", False), ("tokens", "n{}", False), ("domain", "n{}", False),
    ],
)  # fmt: skip
def test_names_of_systems_have_two_words_and_no_known_heading(heading: str, word: str, asked: bool) -> None:
    def cells(k: int) -> tuple[object, ...]:
        return "pos" if k % 2 else "neg", "pos" if k % 3 else "neg", word.format(k % 2)

    if asked:
        with pytest.raises(Unclear) as error:
            read(f"gold_label prediction {heading}", cells)
        said = f"{heading}=ignored gold_label=reference prediction=text"
        assert error.value.fix.endswith(f"--columns {said}.")
        assert [(one.column, one.role, one.basis) for one in error.value.claims][2] == (heading, "system", "guess")
    else:
        read(f"gold_label prediction {heading}", cells)


def test_labels_and_outcomes_are_no_names() -> None:
    """Beside one prediction."""

    def cells(k: int) -> tuple[object, ...]:
        return "pos" if k % 2 else "neg", "pos" if k % 3 else "neg"

    read("gold_label prediction colour", lambda k: (*cells(k), ("pos", "x")[k % 2]))
    read("gold_label prediction colour", lambda k: (*cells(k), ("yes", "no")[k % 2]))
    read("gold_label prediction colour", lambda k: (*cells(k), k % 2))


def test_a_prediction_of_other_words_is_not_compared() -> None:
    """Nothing is left out beside it."""

    def cells(k: int) -> tuple[object, ...]:
        return f"w{k}", "pos" if k % 2 else "neg", f"a text {k}", k / 12

    _, notes = read("word gold_label prediction confidence", cells)
    assert not any("is compared with" in one for one in notes)


def test_a_relation_of_two_sentences_is_labelled() -> None:
    """Premise and hypothesis are no outputs; one of both is."""

    def cells(k: int) -> tuple[object, ...]:
        return f"p {k} x", f"h {k} x", "pos" if k % 2 else "neg", "pos" if k % 3 else "neg"

    _, notes = read("premise hypothesis gold_label prediction", cells)
    assert "Not used, prediction is compared with gold_label: premise, hypothesis." in notes
