"""What is asked before columns are compared: each question, and what is just not asked any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from sigcore.readers.contract import Item
from sigcore.readers.tables import doubts
from sigcore.readers.tables.crossing import Crossing
from sigcore.readers.tables.table import Table
from tests.unit.sigcore.readers.tables.built import Cells, item, table

Column = Sequence[object]


def rivals(of: Table, scores: Sequence[int] = (), texts: Sequence[int] = ()) -> dict[int, Item]:
    kinds = {**dict.fromkeys(scores, "scores"), **dict.fromkeys(texts, "text")}
    return {k: item(of.headings[k], of.column(k), kinds[k]) for k in sorted(kinds)}  # type: ignore[arg-type]


def scored(columns: dict[str, Column], gold: Sequence[Item] = ()) -> list[str]:
    """What is asked about columns of numbers."""
    heads, cells = list(columns), list(zip(*columns.values(), strict=True))
    of = Table("t.csv", heads, [list(map(str, row)) for row in cells], range(2, len(cells) + 2))
    return list(doubts.about(of, rivals(of, scores=range(len(heads))), gold))


def written(columns: dict[str, Column], gold: Sequence[Item] = ()) -> list[str]:
    """What is asked about columns of texts."""
    heads, cells = list(columns), list(zip(*columns.values(), strict=True))
    of = Table("t.csv", heads, [list(map(str, row)) for row in cells], range(2, len(cells) + 2))
    return list(doubts.about(of, rivals(of, texts=range(len(heads))), gold))


def wave(n: int = 12, step: float = 0.1, start: float = 0.0) -> list[float]:
    """Numbers that go up and down."""
    return [round(start + step * (k * 7 % 5), 6) for k in range(n)]


def test_two_columns_of_one_kind_are_asked_nothing() -> None:
    assert scored({"A": wave(), "B": wave(start=0.05)}) == []
    assert written({"A": [f"this is text {k}" for k in range(12)], "B": [f"that is text {k}" for k in range(12)]}) == []


@pytest.mark.parametrize(
    ("names", "asked"),
    [
        ("A prediction", "Are the numbers in prediction scores, or predictions that need gold labels to compare with? Scores: --columns prediction=score. Predictions: give the right ones, too, with --reference."),
        ("A tokens", "By their headings these columns are fields of a log, not systems: tokens."),
        ("A bleu", "By their headings bleu are measures, but A may be systems: which is it?"),
        ("run1 run2", "Are run1, run2 systems, or people, runs, parts or labels of one system?"),
        ("run1 B", ""),
        ("de en", "Are de, en systems? By their names they are languages or labels."),
        ("de B", ""),
        ("A_bleu B_ter", "Are A_bleu, B_ter rivals? Their headings name 2 measures: bleu, ter."),
        ("A_bleu B_bleu", ""),
    ],
)  # fmt: skip
def test_headings_that_name_something_else(names: str, asked: str) -> None:
    one, other = names.split()
    found = scored({one: wave(), other: wave(start=0.05)})
    if asked:
        assert asked in found
    else:
        assert not [why for why in found if why.startswith(("By their", "Are "))]


@pytest.mark.parametrize(("rows", "asked"), [(10, True), (9, False)])
def test_ten_numbers_that_go_up_by_one_count_the_rows(rows: int, asked: bool) -> None:
    told = "These columns count the rows, so they are hardly scores: n."
    numbers = [k + 0.5 for k in range(rows)]
    assert (told in scored({"n": range(3, rows + 3), "A": numbers[::-1]})) is asked
    assert told not in scored({"n": [*range(rows), rows + 1], "A": [*numbers, 0.5]})
    assert told not in scored({"n": range(rows), "m": range(rows)})  # nothing else is compared


@pytest.mark.parametrize(("rows", "asked"), [(3, True), (2, False)])
def test_one_fraction_in_every_row_is_hardly_a_score(rows: int, asked: bool) -> None:
    """Beside others with fractions; a system may be right everywhere."""
    told = "These columns have the same number in every row, so they are hardly scores: A."
    assert (told in scored({"A": [0.5] * rows, "B": wave(rows)})) is asked
    assert told not in scored({"A": [1] * 12, "B": [k % 2 for k in range(12)]})
    assert told not in scored({"A": [0.5] * 12, "B": [0.25] * 12})


SHARES = "A, B add up to a whole in every row: are they shares or labels, not rivals?"


@pytest.mark.parametrize(
    ("whole", "off", "rows", "asked"),
    [
        (1, 0, 10, True), (1, 0, 9, False), (100, 0, 10, True), (1, 0.0099, 10, True), (1, 0.011, 10, False),
        (100, 1, 10, True), (100, 1.1, 10, False), (2, 0, 10, False),
    ],
)  # fmt: skip
def test_numbers_that_add_up_to_a_whole_in_ten_rows_are_shares(
    whole: float, off: float, rows: int, asked: bool
) -> None:
    """One row may be off by half a digit for each column."""
    one = [whole * (0.1 + 0.2 * (k * 7 % 5)) for k in range(rows)]
    other = [whole - value for value in one]
    other[-1] += off
    assert (SHARES in scored({"A": one, "B": other})) is asked


def test_shares_vary() -> None:
    """Scores near half of a whole add up to it by chance."""
    for spread, asked in ((0.05, True), (0.03, False)):
        one = [0.5 + (spread if k % 2 else 0) for k in range(12)]
        assert (SHARES in scored({"A": one, "B": [1 - value for value in one]})) is asked


@pytest.mark.parametrize(
    ("one", "other", "asked"),
    [
        ([k % 3 for k in range(10)], wave(10, 0.3), "A are whole numbers, but B are fractions: are they rivals?"),
        ([k % 3 for k in range(9)], wave(9, 0.3), ""),
        (
            [k % 2 for k in range(10)],
            [k % 3 for k in range(10)],
            "A hold 0 and 1, but B other numbers: are they rivals?",
        ),
        ([k % 2 for k in range(10)], [k % 2 for k in range(10)], ""),
        ([k % 3 for k in range(10)], [k % 4 for k in range(10)], ""),
        ([k % 3 for k in range(10)], [*range(5), *wave(5, 0.3, 0.1)], ""),  # half of them are whole
    ],
)
def test_numbers_of_other_types(one: Column, other: Column, asked: str) -> None:
    found = [why for why in scored({"A": one, "B": other}) if "are they rivals" in why]
    assert found == ([asked] if asked else [])


def test_right_and_wrong_answers_beside_fractions_of_one_system() -> None:
    """Below headings that begin alike."""
    answers, fractions = [k % 2 for k in range(12)], [round(0.05 + 0.1 * (k * 7 % 9), 3) for k in range(12)]
    told = "m_x hold 0 and 1, but m_y fractions: are they rivals?"
    assert told in scored({"m_x": answers, "m_y": fractions})
    assert not any("fractions" in why for why in scored({"m_x": answers, "n_y": fractions}))


def test_scores_on_very_different_scales() -> None:
    found = scored({"A": wave(start=0.1), "B": wave(step=10, start=30)})
    assert "Are A and B scores of rival systems? Their numbers are on very different scales." in found
    # of two measures each has its own
    assert (
        list(
            doubts.about(
                table("A B", lambda k: (k, k), 3),
                {0: item("A", wave(), measure="x"), 1: item("B", wave(step=10, start=30), measure="y")},
                [],
            )
        )
        == []
    )


def test_numbers_beside_those_of_a_reference_may_predict_them() -> None:
    gold = [item("right", [k % 5 for k in range(12)], role="reference")]
    columns: dict[str, Column] = {"A": [k % 4 for k in range(12)], "B": [k % 3 for k in range(12)]}
    assert "Are the numbers in A, B scores, or do they predict those in right?" in scored(columns, gold)
    assert not any("predict those" in why for why in scored({"A": [0, 1] * 6, "B": [1, 0] * 6}, gold))
    assert not any("predict those" in why for why in scored({"A_bleu": wave(), "B_bleu": wave()}, gold))
    texts = [item("right", ["t"] * 12, "text", "reference")]
    assert not any("predict those" in why for why in scored(columns, texts))


def text(k: int, words: int = 5) -> str:
    return " ".join(f"w{k}{i}" for i in range(words))


def test_texts_that_are_hardly_outputs() -> None:
    texts = [text(k) for k in range(12)]
    others = [text(k + 20) for k in range(12)]
    assert "These columns have the same text in every row, so they are hardly outputs: A." in written(
        {"A": ["x"] * 12, "B": texts}
    )
    assert "Nothing is filled in below A." in written({"A": [" "] * 12, "B": texts})
    gold = [item("gold", texts, "text", "reference")]
    assert "A is the same as the reference gold, so it is hardly an output." in written({"A": texts, "B": others}, gold)
    assert not any("the same as" in why for why in written({"B": others, "C": others}, gold))
    assert "Is German what was translated, or a system? Its heading names a language." in written(
        {"German": texts, "B": others}
    )
    assert not any("translated" in why for why in written({"German": texts, "French": others}))


def test_yes_and_no_may_be_scores_or_answers() -> None:
    asked = "Are the words in A, B scores (1 and 0), or answers?"
    words = [("yes", "no")[k % 2] for k in range(12)]
    assert asked in written({"A": words, "B": words[::-1]})
    assert asked in written({"A": [*words[:-1], ""], "B": words})
    assert asked not in written({"A": [*words[:-1], "perhaps"], "B": words})
    assert asked not in written({"A": words, "B": words}, [item("gold", words, "text", "reference")])


def test_a_few_words_again_and_again_may_be_scores() -> None:
    words = [("low", "high")[k % 2] for k in range(12)]
    why = "Are high, low in A, B scores? Then say which number each means. Predicted labels need the right ones: --reference FILE."
    assert why in written({"A": words, "B": words[::-1]})
    assert not any("which number" in why for why in written({"output": words, "B": words[::-1]}))
    assert not any(
        "which number" in why for why in written({"A": words, "B": words}, [item("g", words, "text", "reference")])
    )


@pytest.mark.parametrize(("own", "asked"), [(59, False), (60, True), (4, False), (3, True)])
def test_outputs_are_up_to_four_times_as_long_as_the_reference(own: int, asked: bool) -> None:
    """With one character more each: 15 and 60, or 20 and 5."""
    length = 14 if own > 20 else 19
    gold = [item("gold", [f"{k:0{length}d}" for k in range(12)], "text", "reference")]
    alike = [f"a{k:0{length - 1}d}" for k in range(12)]
    other = [f"{k % 10:0{own}d}"[-own:] if own < 5 else f"{k:0{own}d}" for k in range(12)]
    found = written({"A": alike, "B": other}, gold)
    assert ("B: much shorter or longer than the other texts, or a few words again and again." in found) is asked


@pytest.mark.parametrize(("different", "asked"), [(3, False), (2, True)])
def test_outputs_have_a_quarter_of_the_different_texts(different: int, asked: bool) -> None:
    gold = [item("gold", [f"g{k:02d}" for k in range(12)], "text", "reference")]
    found = written({"A": [f"a{k:02d}" for k in range(12)], "B": [f"b{k % different:02d}" for k in range(12)]}, gold)
    assert any(why.startswith("B: much shorter") for why in found) is asked


def test_texts_beside_an_output_or_numbers() -> None:
    texts = [text(k) for k in range(12)]
    assert "By its heading output is the output of one system: what are B?" in written(
        {"output": texts, "B": texts[::-1]}
    )
    of = table("A B", lambda k: (k / 7, text(k)))
    found = list(doubts.about(of, rivals(of, scores=[0], texts=[1]), []))
    told = "It has columns of text (B) and columns of numbers (A): which are systems? If each row is a system"
    assert any(why.startswith(told) for why in found)
    again = table("A B", lambda k: (k / 7, text(k // 2)))
    assert "It has columns of text (B) and columns of numbers (A): which are systems?" in list(
        doubts.about(again, rivals(again, scores=[0], texts=[1]), [])
    )


# Columns that may name systems.


def about_one(heads: str, cells: Cells, scores: Sequence[int], rows: int = 12) -> list[str]:
    of = table(heads, cells, rows)
    return list(doubts.about_one(of, rivals(of, scores=scores)))


@pytest.mark.parametrize(
    ("names", "rows", "asked"), [(2, 4, True), (2, 3, False), (10, 20, True), (11, 22, False), (1, 4, False)]
)
def test_two_to_ten_names_below_a_heading_of_systems(names: int, rows: int, asked: bool) -> None:
    """Each in two rows at least."""
    of = table("arm score", lambda k: (f"n{k % names}", k / 7), rows)
    assert doubts.named(of, rivals(of, scores=[1])) == (0 if asked else None)


def test_names_beside_systems_or_without_scores_are_none() -> None:
    def named(heads: str, cells: Cells, scores: Sequence[int] = (1,)) -> int | None:
        of = table(heads, cells)
        return doubts.named(of, rivals(of, scores=scores))

    def both(k: int) -> tuple[object, ...]:
        return ("ab"[k % 2], k / 7, "xy"[k % 2])

    assert named("arm score thing", both) == 0
    assert named("arm score system", both) is None
    assert named("arm score thing", both, ()) is None
    assert named("colour score thing", both) is None
    assert named("arm score thing", lambda k: (k % 2, k / 7, "x")) is None


def test_what_is_asked_about_the_names_of_one_system() -> None:
    """Whether they come with the same questions."""
    shared = about_one("arm id score", lambda k: ("ab"[k % 2], k // 4, k / 7), [2])
    assert f"Does arm name systems? {doubts.AGAIN}" in shared
    own = about_one("arm id score", lambda k: ("ab"[k % 2], k, k / 7), [2])
    assert "Does arm name systems? As far as the ids say, no two of them answered one question: nothing pairs." in own


def test_rows_that_nothing_tells_apart() -> None:
    def untold(heads: str, cells: Cells, rows: int = 12) -> int | None:
        of = table(heads, cells, rows)
        return doubts.untold(of, rivals(of, scores=[2]))

    def twice(k: int) -> tuple[object, ...]:
        return ("ab"[k % 2], f"t{k // 4}", k / 7, f"x{k // 2 % 2}")

    assert untold("arm task_id score", lambda k: twice(k)[:3]) == 0
    assert untold("arm task_id score side", twice) is None  # a column tells them apart
    assert untold("arm task_id score run", twice) is None
    assert untold("arm task_id score", lambda k: ("ab"[k % 2], f"t{k // 2}", k / 7)) is None
    assert untold("arm thing score", lambda k: twice(k)[:3]) is None


def apart(heads: str, cells: Cells, scores: Sequence[int] = (2,), rows: int = 12) -> Crossing | None:
    of = table(heads, cells, rows)
    return doubts.apart(of, rivals(of, scores=scores))


def test_a_column_without_which_questions_come_again() -> None:
    def cells(k: int) -> tuple[object, ...]:
        return ("ab"[k % 2], k // 2, k / 7)

    assert apart("colour id score", cells) == Crossing(0, 1)
    assert apart("system id score", cells) is None
    assert apart("colour id score", cells, ()) is None
    assert apart("judge id score", cells) is None
    for heading in ("position", "true_label", "output", "comment", "context"):
        assert apart(f"{heading} id score", cells) is None
    assert apart("colour id score run", lambda k: (*cells(k), k % 2)) is None
    told = about_one("colour id score", cells, [2])
    assert "Does colour name systems? Only with colour each question has one row." in told


@pytest.mark.parametrize(("words", "may"), [(6, True), (7, False)])
def test_names_have_up_to_six_words(words: int, may: bool) -> None:
    found = apart("colour id score", lambda k: (" ".join([*["x"] * (words - 1), "ab"[k % 2]]), k // 2, k / 7))
    assert found == (Crossing(0, 1) if may else None)


def test_judges_without_a_system_are_asked_about() -> None:
    def judged(k: int) -> tuple[object, ...]:
        return ("ab"[k % 2], k / 7)

    told = "judge names judges, but no column names the system that each row rates."
    assert told in about_one("judge score", judged, [1])
    assert told not in about_one("judge score", lambda k: ("a", k / 7), [1])
    assert told not in about_one("judge score system", lambda k: (*judged(k), "x"), [1])


@pytest.mark.parametrize(("n", "times", "ids"), [(3, 2, True), (2, 2, False), (3, 1, False)])
def test_whole_numbers_that_come_once_with_each_name_are_ids(n: int, times: int, ids: bool) -> None:
    of = table("word A", lambda k: ("ab"[k // n % 2] if times > 1 else f"w{k}", k % n + 1), n * times)
    assert doubts.crossed(of, rivals(of, scores=[1])) == ([1] if ids else [])


def test_numbers_with_a_measure_or_gaps_are_no_ids() -> None:
    def crossed(heads: str, cells: Callable[[int], object]) -> list[int]:
        of = table(heads, lambda k: ("ab"[k // 6], cells(k)))
        return doubts.crossed(of, rivals(of, scores=[1]))

    assert crossed("word A", lambda k: k % 6) == [1]
    assert crossed("word bleu", lambda k: k % 6) == []
    assert crossed("word A", lambda k: k % 6 / 2) == []
    assert crossed("word A", lambda k: k % 5) == []


def test_names_of_whole_systems() -> None:
    """Another in every row, where nothing names segments."""
    told = "Does method name systems? Then these are scores of whole systems, and tests need scores of every segment."
    assert told in about_one("method bleu", lambda k: (f"m{k}", k / 7), [1])
    assert told not in about_one("method bleu", lambda k: (f"m{k // 2}", k / 7), [1])
    assert told not in about_one("method bleu id", lambda k: (f"m{k}", k / 7, k), [1])
    assert told not in about_one("method bleu", lambda k: (k, k / 7), [1])


def test_numbers_of_one_system_that_may_be_no_scores() -> None:
    assert doubts.about_fields(["tokens"]) in about_one("tokens", lambda k: (k * 9,), [0])
    assert "Which of these are scores: A, B?" in about_one("A B", lambda k: (k / 7, k / 9), [0, 1])
    assert not any("Which of" in why for why in about_one("A bleu", lambda k: (k / 7, k / 9), [0, 1]))
    assert "Which of these are scores: A?" in about_one("A", lambda k: (0.5,), [0], 3)
    assert not any("Which of" in why for why in about_one("A", lambda k: (0.5,), [0], 2))


def test_values_below_a_name_that_says_nothing_of_systems() -> None:
    def about(*names: str, nested: bool = True) -> list[str]:
        cells = [[str(value) for value in row] for row in zip(*[wave()] * len(names), strict=True)]
        of = Table("t.jsonl", list(names), cells, range(12), nested=nested)
        return [why for why in doubts.about(of, rivals(of, scores=range(len(names))), []) if "below" in why]

    assert about("x.A", "x.B") == ["Are the 2 values below x rival systems?"]
    assert about("x.A", "y.B") == ["Are the 2 values below x, y rival systems?"]
    assert about("x.A", "B") == []
    assert about("scores.A", "scores.B") == []
    assert about("x.A", "x.B", nested=False) == []
    assert about("v1.2", "v1.3") == []
