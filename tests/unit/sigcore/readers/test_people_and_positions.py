"""Ratings by people: a column for each of them, outputs in a shuffled order, numbered questions, conditions."""

from __future__ import annotations

import json

import pytest

from sigcore.readers import read_ratings
from tests.unit.sigcore.readers.test_more_layouts import N, confirmed, csv, intake, plan, scores

SYSTEMS = ("bart", "t5")


def rated(people: tuple[str, ...], systems: bool = True) -> str:
    """A row per item and system, with a column for each of some people; the second always gives one point less."""
    rows: list[list[object]] = [["item_id", *(["system"] if systems else []), *people]]
    for k in range(N):
        for s, system in enumerate(SYSTEMS if systems else ("",)):
            rows.append(
                [f"i{k}", *([system] if systems else []), *(2 + (k + p) % 3 + 2 * s - p for p in range(len(people)))]
            )
    return csv(rows)


PEOPLE = [
    ("annotator_1", "annotator_2"),
    ("Rater 1", "Rater 2"),
    ("judge A", "judge B"),
    ("score_expert1", "score_expert2"),
]


@pytest.mark.parametrize("people", PEOPLE)
def test_columns_of_people_beside_a_system_are_averaged_and_are_its_judges(people: tuple[str, ...]) -> None:
    text = rated(people)
    expected = [(2 + k % 3 + 2 + (k + 1) % 3 - 1) / 2 for k in range(N)]
    found = intake({"study.csv": text})
    assert not found.problems
    assert scores(found) == {"bart": expected, "t5": [one + 2 for one in expected]}
    assert {item.measure for item in found.items if item.kind == "scores"} == {"rating"}
    (people_of,) = read_ratings([("study.csv", text.encode())]).judgments
    assert {*people_of.system} == {*SYSTEMS}
    assert {*people_of.judge} == {*people}
    said = intake({"study.csv": text}, columns="\n".join(f"{name}=score" for name in people))
    assert scores(said) == scores(found)


def test_one_of_the_people_is_compared_alone_where_somebody_says_so() -> None:
    found = intake({"study.csv": rated(PEOPLE[0])}, columns="annotator_1=score")
    assert scores(found)["bart"] == [2.0 + k % 3 for k in range(N)]


@pytest.mark.parametrize("columns", [("clarity", "fluency"), ("annotator_1", "fluency")])
def test_columns_of_criteria_beside_a_system_stay_as_they_are(columns: tuple[str, ...]) -> None:
    found = intake({"study.csv": rated(columns)})
    measures = {item.measure for item in found.items}
    assert "rating" not in measures


def test_columns_of_people_are_no_systems_of_ratings() -> None:
    found = read_ratings([("study.csv", rated(PEOPLE[0], systems=False).encode())])
    assert not found.judgments
    assert found.problems
    assert intake({"study.csv": rated(PEOPLE[0], systems=False)}).problems


# Positions.


def shuffled(keys: tuple[str, str], name: str = "model", swap: int = 2) -> dict[str, dict[str, object]]:
    """Documents with two outputs in an order that changes: the score of t5 is always 4, of bart 1 to 3."""
    out: dict[str, dict[str, object]] = {}
    for k in range(N):
        parts = [{"text": "x", "score": 1 + k % 3, name: "bart"}, {"text": "x", "score": 4, name: "t5"}]
        out[f"doc{k}"] = dict(zip(keys, parts if k % swap else parts[::-1], strict=True))
    return out


BART = [1.0 + k % 3 for k in range(N)]
KEYS = [("summary 1", "summary 2"), ("A", "B"), ("output_1", "output_2"), ("left", "right"), ("upper", "lower")]


@pytest.mark.parametrize("keys", KEYS)
def test_the_name_inside_each_object_names_the_system_not_its_position(keys: tuple[str, str]) -> None:
    documents = shuffled(keys)
    found = intake({"study.json": json.dumps(documents)})
    assert not found.problems
    assert scores(found) == {"bart": BART, "t5": [4.0] * N} or scores(found) == {"t5": [4.0] * N, "bart": BART}
    (people,) = read_ratings([("study.json", json.dumps(documents).encode())]).judgments
    assert {*people.system} == {*SYSTEMS}
    records = [{"id": name, "document": "a text", **part} for name, part in documents.items()]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    assert scores(intake({"study.jsonl": lines})) == scores(found)
    beside = {name: {"document": ["a text"], "event": {"type": "attack"}, **part} for name, part in documents.items()}
    assert scores(intake({"study.json": json.dumps(beside)})) == scores(found)


def test_keys_are_systems_where_the_name_inside_never_changes() -> None:
    """The first is always of bart, and a judge's name is the same everywhere."""
    documents = {name: {"gpt": {"score": k % 3, "model": "judge-7b"}, "llama": {"score": 3, "model": "judge-7b"}} for k, name in enumerate(shuffled(KEYS[0]))}  # fmt: skip
    assert {*scores(intake({"study.json": json.dumps(documents)}))} == {"gpt", "llama"}


def test_keys_that_name_systems_are_not_overruled_by_another_name_inside() -> None:
    """Which model judged changes from item to item, but the keys are no numbers, and one judge may judge both."""
    documents = {
        f"doc{k}": {
            one: {"score": k % 3 + s, "model": ("j1", "j2")[(k + s * (k % 4 > 1)) % 2]}
            for s, one in enumerate(("gpt", "llama"))
        }
        for k in range(N)
    }
    assert {*scores(intake({"study.json": json.dumps(documents)}))} == {"gpt", "llama"}


# Numbered questions.


def asked(parent: str, names: tuple[str, ...] = ("bart", "human"), first: int = 0) -> str:
    records = [
        {"passage-id": 100 + k, parent: {str(first + q): {one: {"overall": {"overall-rating": 10 * s + k + q}} for s, one in enumerate(names)} for q in range(2)}}
        for k in range(N)
    ]  # fmt: skip
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.parametrize("first", [0, 1])
def test_numbers_below_questions_are_questions(first: int) -> None:
    files = {"log.jsonl": asked("questions", first=first)}
    assert plan(intake(files)) == {
        "document": "document",
        "id": "question",
        "key": "system",
        "overall.overall-rating": "score",
    }
    found = scores(confirmed(files))
    assert {*found} == {"bart", "human"}
    assert found["bart"] == [k + q for k in range(N) for q in range(2)]
    ratings = read_ratings([("log.jsonl", files["log.jsonl"].encode())])
    assert not ratings.judgments
    assert ratings.problems


@pytest.mark.parametrize(("parent", "names"), [("annotations", ("bart", "human")), ("questions", ("w1", "w2")), ("questions", ("fluency", "adequacy"))])  # fmt: skip
def test_numbers_that_may_be_people_are_not_read_as_questions(parent: str, names: tuple[str, ...]) -> None:
    text = asked(parent, names)
    found = intake({"log.jsonl": text})
    assert found.problems
    assert "are its questions" not in str(found.notices)
    assert not read_ratings([("log.jsonl", text.encode())]).judgments


# Conditions.


def conditions(*measures: str, crossed: bool = True) -> str:
    rows: list[list[object]] = [["triplet_id", "condition", "noise_level", "support_killed", *measures]]
    for c, condition in enumerate(("baseline", "filtered")):
        for k in range(N):
            name = f"t{k if crossed else N * c + k}"
            own = [round((k * (3 + m) % 10 + c) / 11, 2) for m in range(len(measures))]
            rows.append([name, condition, k % 3 / 10, str(k % 2 == 0), *own])
    return csv(rows)


RAG = ("faithfulness", "context_relevance", "answer_relevance")


@pytest.mark.parametrize("measures", [RAG[:1], RAG[:2], RAG])
def test_conditions_that_cross_the_questions_are_asked_about_with_any_number_of_measures(
    measures: tuple[str, ...],
) -> None:
    files = {"judged.csv": conditions(*measures)}
    expected = {"triplet_id": "question", "condition": "system", "noise_level": "ignored", "support_killed": "ignored"}
    assert plan(intake(files)) == expected | dict.fromkeys(measures, "score")
    found = confirmed(files)
    assert {*scores(found)} == {"baseline", "filtered"}
    assert {len(item.segments) for item in found.items if item.kind == "scores"} == {N}


def test_conditions_of_other_questions_each_are_no_systems() -> None:
    found = intake({"judged.csv": conditions(*RAG, crossed=False)})
    assert "Does condition name systems" not in str(found.problems)


@pytest.mark.parametrize(
    ("times", "heading", "told"), [(2, "triplet_id", True), (1, "triplet_id", False), (2, "user_id", False)]
)
def test_an_id_that_comes_twice_is_not_counted_twice_silently(times: int, heading: str, told: bool) -> None:
    rows: list[list[object]] = [[heading, *RAG]]
    rows += [[f"t{k}", k / 40, k / 50, (k + i) / 60] for k in range(2 * N) for i in range(times)]
    found = intake({"judged.csv": csv(rows)})
    assert ("was counted as a segment of its own" in str(found.notices)) is told


# Votes.

FORMS = [
    ([f"{q}. Which response do you prefer?" for q in range(1, 7)], ("Response A", "Response B")),
    ([f"Q{q}" for q in range(1, 5)], ("A", "B", "Tie")),
    (["Which is better? [1]", "Which is better? [2]", "Which is better? [3]"], ("Left", "Right", "Both are good")),
]


def form(headings: list[str], words: tuple[str, ...]) -> str:
    rows: list[list[object]] = [["Timestamp", *headings]]
    rows += [[f"2025-01-{k + 1:02}", *(words[(k + q) % len(words)] for q in range(len(headings)))] for k in range(8)]
    return csv(rows)


@pytest.mark.parametrize(("headings", "words"), FORMS)
def test_votes_below_questions_are_named_as_such(headings: list[str], words: tuple[str, ...]) -> None:
    (problem,) = intake({"form.csv": form(headings, words)}).problems
    assert f"Its cells are votes ({', '.join(sorted(words))}) on {len(headings)} questions" in str(problem)
    assert "model_a, model_b, winner" in str(problem)


@pytest.mark.parametrize("words", [("1", "2"), ("yes", "no"), ("A", "B", "C"), ("Response A",)])
def test_other_words_below_questions_are_no_votes(words: tuple[str, ...]) -> None:
    found = intake({"form.csv": form([f"Q{q}" for q in range(1, 5)], words)})
    assert "votes" not in str(found.problems)


def test_answers_of_systems_beside_the_right_ones_are_no_votes() -> None:
    found = intake({"mc.csv": form(["gold", "bart", "t5"], ("A", "B"))})
    assert "votes" not in str(found.problems)


# Files and sheets of people.


def of_one(person: int, start: int = 0) -> str:
    rows: list[list[object]] = [["ID", "bart", "t5"]]
    return csv(rows + [[f"q{k}", 1 + (k + person) % 4, 2 + (k * person) % 3] for k in range(start, start + N)])


def test_sheets_called_after_people_are_asked_about() -> None:
    (problem,) = intake({"study/Anna.csv": of_one(1), "study/Ben.csv": of_one(2)}).problems
    assert "Are Anna, Ben people?" in str(problem)
    assert "--people Anna Ben." in str(problem)


def test_sheets_that_somebody_calls_people_are_averaged() -> None:
    found = intake({"study/Anna.csv": of_one(1), "study/Ben.csv": of_one(2)}, people="Anna,Ben")
    assert not found.problems
    assert scores(found)["bart"] == [(1 + (k + 1) % 4 + 1 + (k + 2) % 4) / 2 for k in range(N)]
    (first, _) = intake({"study/Anna.csv": of_one(1), "study/Ben.csv": of_one(2)}, people="Anna,Carla").problems
    assert "No file or sheet is called 'Carla'. [Carla] There are: Anna, Ben." in str(first)


@pytest.mark.parametrize("names", [("Anna score", "Ben score"), ("Fluency", "Adequacy"), ("Ter", "Comet")])
def test_sheets_called_after_measures_are_not_asked_about(names: tuple[str, str]) -> None:
    found = intake({f"study/{name}.csv": of_one(k) for k, name in enumerate(names, 1)})
    assert "people?" not in str(found.problems)


def test_sheets_of_other_segments_are_not_people_who_rated_the_same() -> None:
    found = intake({"study/Anna.csv": of_one(1), "study/Ben.csv": of_one(2, N)})
    assert "people?" not in str(found.problems)


def test_a_sheet_of_each_person_is_averaged_and_has_its_judge() -> None:
    files = {f"study/annotator_{k}.csv": of_one(k) for k in (1, 2)}
    both = [(1 + (k + 1) % 4 + 1 + (k + 2) % 4) / 2 for k in range(N)]
    assert scores(intake(files))["bart"] == both
    (people,) = read_ratings([(name, text.encode()) for name, text in files.items()]).judgments
    assert {*people.judge} == {"annotator_1", "annotator_2"}
    assert people.n == 4 * N
    other = {"study/day 1.csv": of_one(1), "study/day 2.csv": of_one(2)}
    assert len(read_ratings([(name, text.encode()) for name, text in other.items()]).judgments) == 2


def test_files_with_systems_in_rows_offer_no_columns_that_they_lack() -> None:
    files = {f"a{k}_data.json": json.dumps(shuffled(KEYS[0], swap=k + 1)) for k in (1, 2)}
    (problem,) = intake(files).problems
    assert "--columns" not in str(problem)
    assert "--people a1_data a2_data" in str(problem)
