"""Tables of ratings as people write them: whatever the columns are called, the judges, systems and segments are right."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigcore import readers
from sigcore.readers import Choice, Intake, read
from sigcore.readers.tables import headings

Rating = tuple[str, str, str, float, str]  # judge, system, segment, score, what was rated

RATINGS: list[Rating] = [
    (judge, system, segment, 10.0 * k + 5 * (system == "B") + (judge == "Eve"), "quality")
    for k, segment in enumerate(("s1", "s2", "s3"))
    for system in ("A", "B")
    for judge in ("Ann", "Eve")
]


@dataclass(frozen=True)
class Form:
    """One way to write the ratings: the file, what separates the cells, the headings, and the cells of a rating."""

    file: str
    mark: str
    headings: str
    cells: str = "{judge}|{system}|{segment}|{score:g}"

    def text(self, ratings: list[Rating]) -> str:
        """The file."""
        rows = [
            self.cells.format(judge=j, system=s, segment=g, score=x, dimension=d).split("|")
            for j, s, g, x, d in ratings
        ]
        return "".join(self.mark.join(row) + "\n" for row in [self.headings.split("|"), *rows])


FORMS = [
    Form("one.csv", ",", "judge|model|segment|score"),
    Form("two.csv", ";", "annotator|system|sent_id|rating"),
    Form("three.tsv", "\t", "rater|model_id|item|value"),
    Form("four.csv", ",", "worker_id|sys|seg_id|raw_score"),
    Form("five.csv", ",", "user|system_name|example_id|judgment"),
    Form(
        "six.csv",
        ",",
        "evaluator|model|question|score|criterion",
        "{judge}|{system}|{segment}|{score:g}|{dimension}",
    ),
    Form("seven.txt", " ", "assessor|Sys-Name|Sentence_ID|score"),
    Form("eight.txt", "\t", "Input.judge|Input.model|Input.prompt_id|Input.score"),
    Form("participants.csv", ";", "Participant ID|system|segment|score"),
    Form("nine.csv", ",", "segment|score|judge name|MODEL", "{segment}|{score:g}|{judge}|{system}"),
    Form(
        "ten.csv",
        ",",
        "id|user_id|Model Name|Question ID|Question|Rating|Comment",
        '7{judge}{system}{segment}|{judge}|{system}|{segment}|"What, then, is the answer to {segment}?"|{score:g}|none',
    ),
]


def rated(intake: Intake) -> list[Rating]:
    """The ratings that were read, none lost: there are no items of scores, and no problems."""
    assert intake.problems == ()
    assert intake.items == ()
    (part,) = intake.judgments
    columns = (part.judge, part.system, part.segment, part.score, part.dimension)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def one(file: str, text: str) -> Intake:
    return read([(file, text.encode())])


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.headings)
def test_ratings_of_several_judges_load_whatever_the_columns_are_called(form: Form) -> None:
    """Judges, systems, segments and scores come back, and the notice says what each column was read as."""
    intake = one(form.file, form.text(RATINGS))
    assert rated(intake) == RATINGS
    (notice,) = (n.message for n in intake.notices if n.message.startswith("Its columns were read as: "))
    for part in ("judge", "system", "segment", "score"):
        assert f" = {part}" in notice


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.headings)
def test_ratings_of_one_judge_are_ratings_too(form: Form) -> None:
    """A table with a judge is never scores of systems, be there one judge or many."""
    ratings = [rating for rating in RATINGS if rating[0] == "Eve"]
    assert rated(one(form.file, form.text(ratings))) == ratings
    alone = [rating for rating in ratings if rating[1] == "A"]
    assert rated(one(form.file, form.text(alone))) == alone


def test_columns_may_be_named_after_what_was_rated() -> None:
    """Adequacy and fluency in one row are two ratings."""
    rows = "".join(f"{j},{s},{g},{x:g},{x + 1:g}\n" for j, s, g, x, _ in RATINGS)
    ratings = rated(one("x.csv", "Annotator ID,System,Segment ID,Adequacy,Fluency\n" + rows))
    assert ratings[::2] == [(*one, "adequacy") for *one, _ in RATINGS]
    assert ratings[1::2] == [(j, s, g, x + 1, "fluency") for j, s, g, x, _ in RATINGS]


@pytest.mark.parametrize("whole", [True, False], ids=["list", "lines"])
def test_records_with_the_same_names_are_ratings(whole: bool) -> None:
    """JSON with a judge, a model, a segment and a score: a record per line, a list, or an object around the list."""
    records = [{"judge": j, "model": s, "segment": g, "score": x} for j, s, g, x, _ in RATINGS]
    if not whole:
        assert rated(one("x.jsonl", "".join(json.dumps(r) + "\n" for r in records))) == RATINGS
        return
    assert rated(one("x.json", json.dumps(records, indent=2))) == RATINGS
    assert rated(one("x.json", json.dumps({"data": records}))) == RATINGS


def test_records_can_be_read_again_as_scores() -> None:
    """What the surest reader makes of records is open to correction."""
    records = [{"judge": j, "model": s, "segment": g, "score": x} for j, s, g, x, _ in RATINGS if j == "Ann"]
    text = "".join(json.dumps(r) + "\n" for r in records).encode()
    intake = read([("x.jsonl", text)], chosen={"x.jsonl": Choice("jsonl")})
    assert [(i.name, i.kind, i.measure) for i in intake.items] == [("A", "scores", "score"), ("B", "scores", "score")]


@pytest.mark.parametrize(
    "form",
    [
        Form("m.tsv", "\t", "system|doc|seg_id|rater|category|severity"),
        Form("m.csv", ",", "Model|Document|Sentence ID|Annotator|Category|Severity"),
        Form("m.txt", "\t", "model_id|topic|item|worker_id|category|severity"),
    ],
    ids=lambda form: form.headings,
)
def test_errors_marked_by_people_have_the_same_headings(form: Form) -> None:
    """MQM knows all names of judges, systems and segments that ratings know."""
    rows = [("A", "d", "1", "Ann", "Accuracy", "Major"), ("A", "d", "1", "Ann", "Style", "Minor")]
    rows += [("B", "d", "2", "Eve", "No-error", "no-error")]
    text = "".join(form.mark.join(row) + "\n" for row in [form.headings.split("|"), *rows])
    assert rated(one(form.file, text)) == [("Ann", "A", "1", -6.0, "MQM"), ("Eve", "B", "2", 0.0, "MQM")]


SEGMENTS = [word for entry in headings.VOCABULARY if "segment" in entry.meaning for word in entry.words]
SYSTEMS = [word for entry in headings.VOCABULARY if entry.meaning == "system" for word in entry.words]
JUDGES = [word for entry in headings.VOCABULARY if entry.meaning == "judge" for word in entry.words]


@pytest.mark.parametrize("segment", SEGMENTS)
def test_a_heading_of_segments_works_everywhere(segment: str) -> None:
    """In tables of scores in long form, of ratings and of counts."""
    scores = "".join(f"{s},{g},{x:g}\n" for j, s, g, x, _ in RATINGS if j == "Ann")
    intake = one("scores.csv", f"model,{segment},COMET\n{scores}")
    assert [(i.name, i.keys) for i in intake.items] == [("A", ("s1", "s2", "s3")), ("B", ("s1", "s2", "s3"))]
    ratings = "".join(f"{j},{s},{g},{x:g}\n" for j, s, g, x, _ in RATINGS)
    assert rated(one("x.csv", f"judge,model,{segment},score\n{ratings}")) == RATINGS
    (item,) = one("one.csv", f"{segment},tp,pred,gold\n1,1,2,3\n2,0,1,1\n").items
    assert (item.kind, item.segments[0]) == ("statistics", "tp=1 pred=2 gold=3")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_heading_of_systems_works_for_scores_and_ratings(system: str) -> None:
    """However it is written."""
    for heading in (system, system.upper(), system.replace("_", " ").title(), system.replace("_", "-")):
        scores = "".join(f"{s},{g},{x:g}\n" for j, s, g, x, _ in RATINGS if j == "Ann")
        assert [i.name for i in one("scores.csv", f"{heading},seg_id,COMET\n{scores}").items] == ["A", "B"]
        ratings = "".join(f"{j},{s},{g},{x:g}\n" for j, s, g, x, _ in RATINGS)
        assert rated(one("x.csv", f"judge,{heading},segment,score\n{ratings}")) == RATINGS


@pytest.mark.parametrize("judge", JUDGES)
def test_a_heading_of_judges_makes_ratings(judge: str) -> None:
    """Every word for a judge that the vocabulary has."""
    ratings = "".join(f"{j},{s},{g},{x:g}\n" for j, s, g, x, _ in RATINGS)
    assert rated(one("x.csv", f"{judge},system,segment,score\n{ratings}")) == RATINGS


# ---- which is which


@pytest.mark.parametrize(
    ("file", "heads", "ratings"),
    [
        ("x.csv", "judge,system,segment,score", True),
        ("x.csv", "judge,system,segment,metric,score", True),
        ("x.csv", "system,segment,score", False),
        ("x.csv", "system,segment,metric,z", False),
        ("x.csv", "system,segment,z", True),
        ("human.csv", "system,segment,output,score", False),
        ("x.csv", "judge,system,segment,output,score", True),
        ("ratings.csv", "system,segment,score", True),
        ("human-da.csv", "sys,seg_id,adequacy", True),
        ("judge.csv", "system,segment,score", False),
        ("x.csv", "judge,segment,score", False),
        ("x.csv", "judge,system,score", False),
    ],
)
def test_one_rule_separates_ratings_from_scores(file: str, heads: str, ratings: bool) -> None:
    """A judge makes ratings; else measures or outputs make scores; else z or the name of the file makes ratings."""
    from sigcore.readers.tables.rated import are_ratings

    assert are_ratings(file, heads.split(",")) is ratings


def test_a_type_of_rating_makes_ratings() -> None:
    """SYSTEM, REF and the like in the first row; other words below such a heading are not types of ratings."""
    rows = "A,1,{0},5\nB,1,{0},6\nA,2,{0},7\nB,2,{0},8\n"
    assert one("x.csv", "system,segment,type,score\n" + rows.format("SYSTEM")).judgments
    intake = one("x.csv", "system,segment,type,score\n" + rows.format("news"))
    assert [i.name for i in intake.items if i.kind == "scores"] == ["A", "B"]


def test_item_beside_a_segment_is_what_was_rated() -> None:
    """Alone it is the segment; a question that only repeats the segment is not used."""
    text = "judge,system,segment,item,score\n" + "".join(f"Ann,A,{g},{d},5\n" for g in "12" for d in ("ad", "fl"))
    assert [(g, d) for _, _, g, _, d in rated(one("x.csv", text))] == [
        ("1", "adequacy"),
        ("1", "fluency"),
        ("2", "adequacy"),
        ("2", "fluency"),
    ]
    asked = "".join(f'Ann,A,{g},"How good is {d}, would you say?",5\n' for g in "12" for d in ("x", "y"))
    assert len({d for *_, d in rated(one("x.csv", "judge,system,segment,question,score\n" + asked))}) == 2
    own = "".join(f'Ann,A,{g},"What is the capital of {g}?",5\n' for g in "12")
    intake = one("x.csv", "judge,system,segment,question,score\n" + own)
    assert {d for *_, d in rated(intake)} == {"quality"}
    assert any("not used: question." in notice.message for notice in intake.notices)


def test_src_is_a_language_where_it_holds_codes() -> None:
    """Texts below src are not pairs of languages."""
    codes = "judge,system,segment,score,src,trg\nAnn,A,1,5,cs,en\nAnn,A,1,6,de,en\n"
    assert [part.name for part in one("x.csv", codes).judgments] == ["x cs-en", "x de-en"]
    texts = "judge,system,segment,score,src\nAnn,A,1,5,It rains.\nAnn,A,2,6,It pours.\n"
    assert len(rated(one("x.csv", texts))) == 2


def test_decimal_commas_in_ratings_are_read_as_points() -> None:
    """As in tables of scores, with a notice."""
    intake = one("x.csv", "judge;system;segment;score\nAnn;A;1;3,5\nAnn;A;2;4\n;;;\n")
    assert [x for *_, x, _ in rated(intake)] == [3.5, 4.0]
    assert any("decimal commas" in notice.message for notice in intake.notices)


@pytest.mark.parametrize(
    "text",
    [
        "the user asked the model a question of value\nand so on\n",
        "judge system segment score\nno numbers are here\n",
        "judge system segment score\n1 2 3 4\nbut this line is longer\n",
    ],
)
def test_words_between_blanks_are_not_headings(text: str) -> None:
    """A text whose first line has all the words stays a text."""
    (item,) = one("A.txt", text).items
    assert (item.kind, item.segments) == ("text", tuple(text.splitlines()))


def test_judges_beside_a_column_per_system_are_set_aside() -> None:
    """Without a column of systems the numbers are scores, and the notice says what ratings need."""
    intake = one("x.csv", "segment,judge,A,B\n" + "".join(f"{k},Ann,{k},{k + 1}\n" for k in range(1, 5)))
    assert [(i.name, i.role) for i in intake.items] == [("judge", "ignored"), ("A", "system"), ("B", "system")]
    assert any("ratings by people need" in notice.message for notice in intake.notices)


# ---- the order of columns, and columns of no meaning


@given(st.permutations(range(4)), st.integers(0, 4), st.sampled_from(FORMS[:5]))
def test_the_order_of_columns_and_an_unknown_one_change_no_rating(order: list[int], at: int, form: Form) -> None:
    """Ratings are read by the headings."""
    wanted = sorted(rated(one(form.file, form.text(RATINGS))))
    rows = [[row.split(form.mark)[k] for k in order] for row in form.text(RATINGS).splitlines()]
    for i, row in enumerate(rows):
        row.insert(at, "favourite colour" if i == 0 else f"blue {i}")
    assert sorted(rated(one(form.file, "".join(form.mark.join(row) + "\n" for row in rows)))) == wanted


@given(st.permutations(range(4)), st.integers(0, 4))
def test_the_order_of_columns_and_an_unknown_one_change_no_score_in_long_form(order: list[int], at: int) -> None:
    """A column of words is not used.

    In WIDE form every unknown column is a system of its own, which is what the form means; only the order is tested.
    """
    rows = [["system", "segment", "COMET", "BLEURT"]]
    rows += [[s, g, f"{x:g}", f"{x + 1:g}"] for j, s, g, x, _ in RATINGS if j == "Ann"]
    text = "".join(",".join(row) + "\n" for row in rows)

    def streams(text: str) -> set[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
        return {(i.name, i.measure, i.segments, i.keys) for i in one("x.csv", text).items if i.kind == "scores"}

    mixed = [[row[k] for k in order] for row in rows]
    for i, row in enumerate(mixed):
        row.insert(at, "favourite colour" if i == 0 else f"blue {i}")
    assert streams("".join(",".join(row) + "\n" for row in mixed)) == streams(text)


@given(st.permutations(range(4)))
def test_the_order_of_columns_changes_no_score_in_wide_form(order: list[int]) -> None:
    """Streams are the same, whichever column comes first."""
    rows = [
        ["segment", "reference", "A", "B"],
        ["7", "two", "0.5", "1"],
        ["8", "six", "0.25", "2"],
        ["9", "one", "0", "3"],
    ]
    text = "".join(",".join(row[k] for k in order) + "\n" for row in rows)
    assert {(i.name, i.role, i.kind, i.segments, i.keys) for i in one("x.csv", text).items} == {
        ("reference", "reference", "text", ("two", "six", "one"), ("7", "8", "9")),
        ("A", "system", "scores", ("0.5", "0.25", "0"), ("7", "8", "9")),
        ("B", "system", "scores", ("1", "2", "3"), ("7", "8", "9")),
    }


def test_the_vocabulary_has_every_word_once() -> None:
    """A heading means one thing, and the rows for the documents have all of them."""
    words = [headings.normalised(word) for entry in headings.VOCABULARY for word in entry.words]
    assert len(words) == len(set(words))
    assert len(headings.rows()) == len(headings.VOCABULARY)
    assert all(effect.endswith(".") for _, _, effect in headings.rows())


def test_read_ratings_takes_records_of_a_table_without_judges() -> None:
    """Given as ratings, scores without judges are ratings."""
    text = b"system,segment,score\nA,1,0.5\nA,2,0.6\nB,1,0.1\nB,2,0.2\n"
    assert readers.read_ratings([("scores.csv", text)]).judgments[0].n == 4
