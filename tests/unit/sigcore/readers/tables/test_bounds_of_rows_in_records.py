"""Records of JSON that hold several rows: games, reviews, answers by system, numbered questions, positions."""

from __future__ import annotations

import pytest

from sigcore.readers.tables import documents, games, numbered, parts

Record = dict[str, object]
Numbered = list[tuple[int, Record]]


def lines(*records: Record) -> Numbered:
    return list(enumerate(records, 1))


def game(*scores: str | None, **more: object) -> Record:
    return {"uid": "q1", "baseline": "gpt", "model": "bart", "games": [{"score": one} for one in scores], **more}


@pytest.mark.parametrize(
    ("score", "winner"),
    [
        ("A>B", "model_a"), ("A>>B", "model_a"), ("B<A", "model_a"), ("B<<A", "model_a"),
        ("A<B", "model_b"), ("A<<B", "model_b"), ("B>A", "model_b"), ("B>>A", "model_b"),
        ("A=B", "tie"), ("B=A", "tie"), (" A > B ", "model_a"),
    ],
)  # fmt: skip
def test_who_won_a_game(score: str, winner: str) -> None:
    """The baseline is A in the first game, and B in the second."""
    rows, notices = games.judged("f", lines(game(score, score)))
    wanted = {"question_id": "q1", "winner": winner}
    assert rows == [
        (1, {**wanted, "model_a": "gpt", "model_b": "bart"}), (1, {**wanted, "model_a": "bart", "model_b": "gpt"}),
    ]  # fmt: skip
    assert len(notices) == 1


def test_games_without_a_verdict_are_counted() -> None:
    rows, notices = games.judged("f", lines(game("A>B", None), game(None, None, judge="j")))
    assert rows == [(1, {"question_id": "q1", "model_a": "gpt", "model_b": "bart", "winner": "model_a"})]
    assert notices[1].message == "3 games of 4 without a verdict left out."
    assert games.judged("f", lines(game(None))) == ([], [])


@pytest.mark.parametrize(
    "record",
    [
        game(), game("A>B", "A>B", "A>B"), game("A>A"), game("A"), game("A>C"), game("A>B", model=3),
        {**game("A>B"), "games": [{"x": 1}]}, {**game("A>B"), "games": "A>B"}, {"games": [{"score": "A>B"}], "model": "bart"},
    ],
)  # fmt: skip
def test_other_records_are_no_games(record: Record) -> None:
    assert games.judged("f", lines(record)) == ([], [])
    assert games.judged("f", []) == ([], [])


def test_older_files_do_not_name_the_baseline() -> None:
    """But the judge; a question may have another name, or none."""
    old: Record = {"question_id": 7, "judge": "gpt", "model": "bart", "games": [{"score": "A>B"}]}
    assert games.judged("f", lines(old))[0] == [
        (1, {"question_id": 7, "judge": "gpt", "model_a": "baseline", "model_b": "bart", "winner": "model_a"})
    ]
    del old["question_id"]
    assert games.judged("f", lines(old))[0][0][1] == {
        "judge": "gpt",
        "model_a": "baseline",
        "model_b": "bart",
        "winner": "model_a",
    }


def review(*scores: object, **more: object) -> Record:
    return {"question_id": 1, "answer1_id": "x", "answer2_id": "y", "score": list(scores), **more}


def test_a_review_scores_two_answers() -> None:
    rows, notices = games.reviewed("review_alpaca_vicuna.jsonl", lines(review(7, 8.5, category="math"), review(-1, -1)))
    assert rows == [
        (1, {"question_id": 1, "category": "math", "system": "alpaca", "score": 7}),
        (1, {"question_id": 1, "category": "math", "system": "vicuna", "score": 8.5}),
    ]
    assert [one.message for one in notices] == [
        "Each review scores two answers: the first is of alpaca, the second of vicuna.",
        "1 review of 2 without scores (-1) left out for both.",
    ]
    rows, notices = games.reviewed("mine.jsonl", lines(review(7, 8)))
    assert [row["system"] for _, row in rows] == ["mine answer 1", "mine answer 2"]
    assert len(notices) == 1
    llava: Record = {"question_id": 1, "answer1_id": "x", "answer2_id": "y", "tuple": [1, 2]}
    assert len(games.reviewed("f", lines(llava))[0]) == 2


@pytest.mark.parametrize(
    "record",
    [review(7), review(7, 8, 9), review(7, "8"), review(-1, -1), {"question_id": 1, "score": [7, 8]}, {"answer1_id": "x", "answer2_id": "y", "score": [7, 8]}],
)  # fmt: skip
def test_other_records_are_no_reviews(record: Record) -> None:
    assert games.reviewed("f", lines(record)) == ([], [])


def answers(*named: Record, name: str = "answers", **more: object) -> Record:
    return {"id": 1, name: list(named), **more}


TWO: tuple[Record, ...] = ({"model": "A", "text": "p"}, {"model": "B", "text": "q"})


def test_each_answer_names_its_system() -> None:
    """What both the record and the answer have keeps the name of the list before it."""
    rows, (notice,) = parts.of_systems("f", lines(answers(*TWO), answers(*TWO)))
    assert rows[:2] == [(1, {"id": 1, "system": "A", "text": "p"}), (1, {"id": 1, "system": "B", "text": "q"})]
    assert notice.message.startswith("Each of the answers below answers became a row: model names its system.")
    rows, _ = parts.of_systems("f", lines(answers(*TWO, text="asked")))
    assert rows[0] == (1, {"id": 1, "text": "asked", "system": "A", "answers.text": "p"})
    by_name = answers({"name": "A", "text": "p"}, {"name": "B", "text": "q"}, name="models")
    assert parts.of_systems("f", lines(by_name))[0][0] == (1, {"id": 1, "system": "A", "text": "p"})


@pytest.mark.parametrize(
    "record",
    [
        answers(*TWO, system="x"),  # the record names it
        answers(*TWO[:1], TWO[0]),  # a system twice
        answers(*TWO, {"text": "r"}),  # an answer without it
        answers({"model": "A"}, {"model": "B"}),  # nothing beside it
        answers({"model": "bleu", "x": 1}, {"model": "ter", "x": 1}),  # measures
        answers({"model": "A", "llm": "x", "y": 1}, {"model": "B", "llm": "x", "y": 1}),  # two names
        answers({"name": "A", "x": 1}, {"name": "B", "x": 1}, name="votes"),
        answers(*TWO, other=list(TWO)),  # two lists
        answers({"model": " ", "x": 1}, {"model": "B", "x": 1}),
        {"id": 1, "answers": [*TWO, "text"]},
        {"id": 1, "answers": "text"},
    ],
)
def test_other_lists_are_no_answers(record: Record) -> None:
    assert parts.of_systems("f", lines(record)) == ([], [])


def test_answers_in_an_object_by_system() -> None:
    """Two at least, with the same names, below a word for answers."""

    def found(value: object, name: str = "outputs") -> int:
        return len(parts.of_systems("f", lines({"id": 1, name: value}))[0])

    whole = {"A": {"text": "p", "n": 1}, "B": {"text": "q", "n": 2}}
    assert found(whole) == 2
    assert parts.of_systems("f", lines({"id": 1, "outputs": whole}))[0][0] == (
        1,
        {"id": 1, "system": "A", "text": "p", "n": 1},
    )
    assert found(whole, " Outputs ") == 2
    assert found(whole, "people") == 0
    assert found({"A": whole["A"]}) == 0
    assert found({**whole, "C": {"text": "r"}}) == 0
    assert found({**whole, "C": "r"}) == 0
    assert found({"A": {"model": "x", "n": 1}, "B": {"model": "y", "n": 1}}) == 0


def questions(first: int = 0, names: tuple[str, ...] = ("bart", "t5"), **more: object) -> Record:
    asked = {str(first + k): {name: {"rating": k} for name in names} for k in range(2)}
    return {"id": "d1", "questions": asked, **more}


@pytest.mark.parametrize("first", [0, 1])
def test_numbered_questions_are_rows(first: int) -> None:
    """From 0 or from 1 on; the record is called after its id, or its number."""
    rows, (notice,) = numbered.by_question("f", lines(questions(first, kind="x")))
    assert rows[0] == (1, {"document": "d1", "id": f"d1.{first}", "kind": "x", "key": "bart", "rating": 0})
    assert (len(rows), rows[-1][1]["id"]) == (4, f"d1.{first + 1}")
    assert notice.message == "The numbers below questions are its questions, so each became a row for each of bart, t5."
    bare = questions(first)
    del bare["id"]
    assert numbered.by_question("f", lines(bare))[0][0][1]["id"] == f"1.{first}"
    twice = lines(questions(first), questions(first))
    assert [row["document"] for _, row in numbered.by_question("f", twice)[0]] == ["1"] * 4 + ["2"] * 4
    blank = lines({**questions(first), "id": "d1"}, {**questions(first), "id": " "})
    assert [row["document"] for _, row in numbered.by_question("f", blank)[0]] == ["1"] * 4 + ["2"] * 4
    own = numbered.by_question("f", lines(questions(first, rating=5)))[0][0][1]
    assert (own["rating"], own["own rating"]) == (5, 0)


@pytest.mark.parametrize(
    "record",
    [
        questions(2),
        questions(names=("bart",)),
        questions(names=("rater_1", "rater_2")),  # people
        questions(names=("bleu", "t5")),  # a measure
        questions(names=("source", "t5")),
        {"id": 1, "annotations": questions()["questions"]},
        {**questions(), "items": questions()["questions"]},
        {"id": 1, "questions": {"0": {"bart": 1, "t5": 2}}},
        {"id": 1, "questions": {"0": {"bart": {"x": 1}, "t5": {"x": 1}}, "1": {"bart": {"x": 1}, "b": {"x": 1}}}},
        {"id": 1, "questions": {}},
        {"id": 1, "questions": [1]},
    ],
)
def test_other_objects_have_no_numbered_questions(record: Record) -> None:
    assert numbered.by_question("f", lines(record)) == ([], [])


def placed(one: str, other: str, names: tuple[str, str] = ("summary 1", "summary 2"), **more: object) -> Record:
    return {
        "id": 1,
        **{
            name: {"system": system, "score": k}
            for k, (name, system) in enumerate(zip(names, (one, other), strict=True))
        },
        **more,
    }


def test_positions_hold_the_name_of_a_system() -> None:
    rows, (notice,) = documents.by_position("f", lines(placed("A", "B"), placed("B", "A", score=3)))
    assert rows == [
        (1, {"id": 1, "system": "A", "score": 0}), (1, {"id": 1, "system": "B", "score": 1}),
        (2, {"id": 1, "score": 3, "system": "B", "own score": 0}), (2, {"id": 1, "score": 3, "system": "A", "own score": 1}),
    ]  # fmt: skip
    assert (
        notice.message
        == "summary 1, summary 2 are positions: system in each of them names its system, so each became a row."
    )


@pytest.mark.parametrize(
    ("records", "found"),
    [
        ([placed("A", "B"), placed("B", "A")], True),
        ([placed("A", "B")], False),  # one record
        ([placed("A", "B"), placed("A", "B")], False),  # always in one order
        ([placed("A", "B"), placed("A", "C")], True),  # one of them changes
        ([placed("A", ""), placed("B", "A")], False),  # a name is missing in one of two
        ([placed("A", "B", ("best", "worst")), placed("B", "A", ("best", "worst"))], True),  # shuffled
        ([placed("A", "B", ("best", "worst")), placed("A", "C", ("best", "worst"))], False),
        ([placed("A", "B", ("best", "worst")), placed("B", "B", ("best", "worst"))], False),
        ([placed("A", "B", ("left", "right")), placed("C", "B", ("left", "right"))], True),
        ([placed("A", "B", ("text a", "text b")), placed("C", "B", ("text a", "text b"))], True),
        ([{"1": {"system": "A"}}, {"1": {"system": "B"}}], False),  # one position
        ([{"1": {"x": "A"}, "2": {"x": "B"}}, {"1": {"x": "B"}, "2": {"x": "A"}}], False),
    ],
)
def test_bounds_of_positions(records: list[Record], found: bool) -> None:
    assert bool(documents.placed_keys(records)) is found
    assert bool(documents.by_position("f", lines(*records))[0]) is found
