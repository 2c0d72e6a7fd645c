"""Runs in columns and beside tasks, keys of blind ratings, best and worst of several, codes among ratings, and labels of which
some or none are said to be right: each is read as the same content written plainly, or asked about."""

from __future__ import annotations

import json
from collections.abc import Callable
from statistics import mean

import pytest

from sigcore.readers import Intake, Unclear, read, read_ratings
from tests.made_tables import SYSTEMS, N, asked, means, of_people, roles, rows, scored, told, value

PAIR = SYSTEMS[:2]
WORDS = ("yes", "no")


def label(k: int, i: int) -> str:
    """A label of item k by annotator or system i."""
    return WORDS[(k * (i + 2) + k // 3) % 2]


def both(*files: tuple[str, str]) -> Intake:
    """What is read of several files."""
    return read([(name, text.encode()) for name, text in files])


def ratings(found: Intake, dimension: str) -> dict[str, float]:
    """The mean rating of each system."""
    assert not found.problems, found.problems
    (people,) = found.judgments
    return of_people(people, dimension)


# Runs.


def test_runs_in_columns_are_runs_of_one_system_in_each_row() -> None:
    """As if each run had a row of its own: the scores of a question and a system are those of all its runs."""
    lines = [f"q{k},{name},{value(k, i)},{value(k + 5, i)}" for k in range(N) for i, name in enumerate(PAIR)]
    said = {"columns": "id=question\nmodel=system\nseed1=run\nseed2=run"}
    wide = scored(rows("id,model,seed1,seed2", *lines), **said)
    plain = [
        f"q{k},{name},seed{run + 1},{value(k + 5 * run, i)}"
        for k in range(N)
        for i, name in enumerate(PAIR)
        for run in range(2)
    ]
    tall = scored(rows("id,model,run,score", *plain))
    assert not wide.problems
    assert not tall.problems
    read_ = [[(one.name, one.segments) for one in found.items] for found in (wide, tall)]
    assert read_[0] == read_[1]
    assert {name for name, _ in read_[0]} == {"A", "B", "question with its runs"}
    assert "seed1, seed2 are runs, each of which has a row." in told(wide)


@pytest.mark.parametrize("times", [1, 2])
def test_tasks_that_are_tried_in_several_runs_are_asked(times: int) -> None:
    """A task of an agent may be a question: which one it is, is asked, and the command names the runs."""
    lines = [
        f"{name},task_{k},{run},{value(k + run, i) > 0.5:d}"
        for i, name in enumerate(PAIR)
        for k in range(6)
        for run in range(times)
    ]
    found = scored(rows("agent,task,run,success", *lines))
    assert found.problems
    assert isinstance(found.problems[0], Unclear)
    assert "agent=system" in found.problems[0].fix
    if times > 1:
        assert "task=question run=run success=score" in found.problems[0].fix


@pytest.mark.parametrize("heading", ["p_value", "p_holm", "p-val", "adj_p_value"])
def test_finished_tests_are_no_scores(heading: str) -> None:
    """A row with a p-value is a result, whatever else it holds, and no reading of it is offered."""
    lines = [f"m{k},bleu,{value(k, 0)},{value(k, 1) / 10}" for k in range(N)]
    problem = asked(rows(f"pair,metric,delta,{heading}", *lines))
    assert f"finished test with its result ({heading})" in problem.what
    assert not problem.ways
    assert {*roles(problem).values()} == {"ignored"}


# People.


@pytest.mark.parametrize("people", [("R1", "R2"), ("rater 1", "rater 2"), ("Annotator A", "Annotator B")])
def test_people_below_systems_are_averaged(people: tuple[str, str]) -> None:
    """A head of two lines names a system above its raters: each row has the mean of these."""
    lines = [f"q{k}," + ",".join(str(k * (i + 1) % 5 + j) for i in range(2) for j in range(2)) for k in range(N)]
    found = scored(rows("id,A,,B,", ",".join(["", *people, *people]), *lines))
    expected = {name: mean(k * (i + 1) % 5 + 0.5 for k in range(N)) for i, name in enumerate(PAIR)}
    assert means(found) == pytest.approx(expected)
    assert "A, B stand above the people who rated them" in told(found)


def test_fractions_below_r1_and_r2_are_rouge() -> None:
    lines = [f"q{k}," + ",".join(str(value(k, 2 * i + j)) for i in range(2) for j in range(2)) for k in range(N)]
    found = scored(rows("id,A,,B,", ",R1,R2,R1,R2", *lines))
    assert {(one.name, one.measure) for one in found.items} == {(name, what) for name in PAIR for what in ("R1", "R2")}


def test_minus_one_among_ratings_of_people_is_asked() -> None:
    """A mean of people would hide it; said to be missing, it counts for nobody."""
    marks = [(k % 5 + 1, -1 if k == 3 else k % 4 + 1) for k in range(2 * N)]
    text = rows("id,system,rater1,rater2", *(f"q{k // 2},{PAIR[k % 2]},{a},{b}" for k, (a, b) in enumerate(marks)))
    problem = asked(text)
    assert "1 rating of rater1, rater2 is -1, below all others." in problem.what
    roles = "rater1=judge rater2=judge"
    meant = {"missing": "-1 says that there is no rating", "-1": "-1 is a rating"}
    assert problem.ways == tuple((what, f"{roles} --cells -1={means_}") for means_, what in meant.items())
    own = {name: [mean(one for one in marks[k] if one > 0) for k in range(i, 2 * N, 2)] for i, name in enumerate(PAIR)}
    assert means(scored(text, cells="-1=missing")) == pytest.approx({name: mean(cells) for name, cells in own.items()})
    whole = {name: mean(one for k in range(i, 2 * N, 2) for one in marks[k]) for i, name in enumerate(PAIR)}
    read_ = scored(text, columns="\n".join(roles.split()), cells="-1=-1")
    assert means(read_) == pytest.approx(whole)


def test_best_and_worst_of_several_systems_are_scores() -> None:
    """1 for the best of those shown in a row, -1 for the worst, 0 for the others, by a count over the rows."""
    order = [[SYSTEMS[(k + i * (1 + k % 2)) % 3] for i in range(3)] for k in range(N)]
    lines = [f"q{k},{','.join(own)},{own[k % 2]},{own[2]}" for k, own in enumerate(order)]
    found = scored(rows("id,first,second,third,best,worst", *lines))
    expected = {name: mean((own[k % 2] == name) - (own[2] == name) for k, own in enumerate(order)) for name in SYSTEMS}
    assert means(found) == pytest.approx(expected)
    assert "which is best (1) and worst (-1); the others are 0" in told(found)


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_key_names_the_systems_of_blind_ratings(kind: str) -> None:
    """The sides change from row to row: with the key, the means are those of the systems."""
    swap = [k % 3 == 0 for k in range(N)]
    marks = [[k % 5 + 1, (k * 2) % 5 + 1] for k in range(N)]  # of base, and of tuned
    sheet = rows(
        "item,score_A,score_B",
        *(f"i{k},{','.join(map(str, own[:: -1 if swap[k] else 1]))}" for k, own in enumerate(marks)),
    )
    sides = [("tuned", "base") if turned else ("base", "tuned") for turned in swap]
    key = (
        rows("item,A,B", *(f"i{k},{a},{b}" for k, (a, b) in enumerate(sides)))
        if kind == "csv"
        else json.dumps({f"i{k}": {"A": a, "B": b} for k, (a, b) in enumerate(sides)})
    )
    found = both(("ratings.csv", sheet), (f"key.{kind}", key))
    expected = {name: mean(own[i] for own in marks) for i, name in enumerate(("base", "tuned"))}
    assert ratings(found, "quality") == pytest.approx(expected)


# Directions of ratings.


def mqm(sign: int) -> dict[str, float]:
    lines = [f"q{k},{name},j{k % 2},{sign * (k * (i + 1) % 4)}" for k in range(N) for i, name in enumerate(PAIR)]
    return ratings(scored(rows("seg_id,system,rater,mqm", *lines), "mqm.csv"), "MQM")


def test_points_of_mqm_are_the_same_with_and_without_a_minus() -> None:
    """Whether a file has penalties or counts points: fewer errors are better in both."""
    assert mqm(1) == mqm(-1)
    assert max(mqm(1).values()) <= 0


@pytest.mark.parametrize("turned", [True, False])
def test_a_criterion_that_goes_up_with_a_good_one_is_asked(turned: bool) -> None:
    """5 for hallucination may say that there is none: the ratings tell, where those of what is good go up with them."""
    good = [k % 5 + 1 for k in range(2 * N)]
    bad = [x if turned else 6 - x for x in good]
    lines = [
        f"q{k // 2},{PAIR[k % 2]},j{k % 3},{name},{cells[k]}"
        for k in range(2 * N)
        for name, cells in (("factuality", good), ("hallucination", bad))
    ]
    found = scored(rows("item,system,annotator,criterion,rating", *lines))
    assert bool(found.problems) == turned
    if turned:
        assert "Is a high number in hallucination good?" in found.problems[0].what
        assert "--better higher" in found.problems[0].fix
    else:
        assert "Lower is better for hallucination" in told(found)


# Labels.


@pytest.mark.parametrize("none", ["", "-"])
def test_rows_without_a_right_label_are_left_out(none: str) -> None:
    """Nothing is right or wrong where people did not agree: such rows are gone for all systems, and counted."""
    gone = (2, 7)
    lines = [f"q{k},{none if k in gone else label(k, 0)},{label(k, 1)},{label(k, 2)}" for k in range(N)]
    found = scored(rows("id,gold_label,pred_A,pred_B", *lines))
    assert not found.problems, found.problems
    assert {len(one.segments) for one in found.items} == {N - len(gone)}
    assert "Left out, without a right label: 2 rows." in told(found)


def test_each_of_a_few_columns_of_labels_may_be_right() -> None:
    """No heading says which: each of them is offered, and none is taken."""
    lines = [f"q{k},{label(k, 0)},{label(k, 1)},{label(k, 2)}" for k in range(N)]
    problem = asked(rows("id,first_label,second_label,third_label", *lines))
    assert [said.count("=reference") for _, said in problem.ways] == [1, 1, 1]
    assert len({said for _, said in problem.ways}) == 3


def test_files_of_predictions_are_asked_about_together_with_the_right_labels() -> None:
    """One question for three files, and its command reads them all."""
    gold = rows("id,label,text", *(f"{k},{label(k, 0)},words of {k} here" for k in range(N)))
    given = [rows("id,prediction", *(f"{k},{label(k, i)}" for k in range(N))) for i in (1, 2)]
    files = [("gold.csv", gold), ("A.csv", given[0]), ("B.csv", given[1])]
    found = both(*files)
    assert len(found.problems) == 1
    assert "A.csv, B.csv seem to hold predicted labels, and gold.csv the right ones." in found.problems[0].what
    assert "id=question" in found.problems[0].fix
    assert "label=reference prediction=text" in found.problems[0].fix


def test_numbers_with_a_code_below_0_may_be_labels() -> None:
    """Classes -1, 0 and 1 are compared by whether they are right, and not by the words they share."""
    own = [[(k * (i + 2) + k // 3) % 3 - 1 for i in range(3)] for k in range(N)]
    found = scored(
        rows("id,gold_label,pred_A,pred_B", *(f"q{k},{','.join(map(str, one))}" for k, one in enumerate(own)))
    )
    assert not found.problems, found.problems
    assert {one.role for one in found.items} >= {"system", "reference"}
    (gold,) = [one for one in found.items if one.role == "reference"]
    assert [*gold.segments] == [str(one[0]) for one in own]


# Lists and objects.


def test_systems_in_a_list_of_objects_have_the_records_inside() -> None:
    """{"runs": [{"model": ..., "results": [...]}]}: what stands beside a list of records belongs to each of them."""
    runs = [
        {"model": name, "results": [{"id": f"q{k}", "score": value(k, i)} for k in range(N)]}
        for i, name in enumerate(PAIR)
    ]
    found = scored(json.dumps({"created": "today", "runs": runs}), "t.json")
    assert means(found) == pytest.approx({name: mean(value(k, i) for k in range(N)) for i, name in enumerate(PAIR)})


def test_lists_of_several_measures_by_system() -> None:
    """{"A": {"mrr": [...], "ndcg": [...]}}: each list is a measure of the system above it."""
    found = scored(
        json.dumps(
            {
                name: {what: [value(k + j, i) for k in range(N)] for j, what in enumerate(("mrr", "ndcg"))}
                for i, name in enumerate(PAIR)
            }
        ),
        "t.json",
    )
    assert not found.problems, found.problems
    read_ = {(one.name, one.measure): mean(map(float, one.segments)) for one in found.items if one.kind == "scores"}
    assert read_ == pytest.approx(
        {
            (name, what): mean(value(k + j, i) for k in range(N))
            for i, name in enumerate(PAIR)
            for j, what in enumerate(("mrr", "ndcg"))
        }
    )


def test_measures_of_other_questions_have_documents_of_their_own() -> None:
    """Two measures, each over questions in other documents: the documents of the first are not those of the second."""
    lines = [
        f"{what}{k},{what}{k // 3},{name},{what},{value(k, i)}"
        for what in ("f1", "bleu")
        for k in range(N if what == "f1" else N + 3)
        for i, name in enumerate(PAIR)
    ]
    found = scored(rows("id,doc_id,system,metric,score", *lines))
    assert not found.problems, found.problems
    own = {one.measure: one.segments for one in found.items if one.role == "documents"}
    assert {name: len(cells) for name, cells in own.items()} == {"f1": N, "bleu": N + 3}
    assert {*own["f1"]} == {f"f1{k}" for k in range(N // 3)}


def test_images_of_one_question_are_questions_of_their_own() -> None:
    """The same is asked about several images: two answers to it are about other images, and do not go together."""
    asked_ = ("What is it?", "Where is it?", "Who is in it?", "How many are in it?")
    lines = [f"pic{k % 3}.png,{asked_[k // 3]},{'AB'[k % 2]},A,B" for k in range(N)]
    found = scored(rows("image,question,winner,model_a,model_b", *lines))
    (votes,) = found.preferences
    assert len({*votes.question.tolist()}) == N
    assert "questions: question, image" in told(found)


def test_rows_that_all_stand_twice_count_once() -> None:
    """A file that was stored twice has no more questions than once; one row that comes again may be a question of its own."""
    lines = [f"q{k},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    once, twice = (scored(rows("id,A,B", *own)) for own in (lines, [one for one in lines for _ in range(2)]))
    assert once.items == twice.items
    assert "Each of 12 rows stands 2 times: the copies are left out." in told(twice)
    again = [f"{k % 3 / 4},{k % 4 / 5}" for k in range(4 * N)]
    assert {len(one.segments) for one in scored(rows("A,B", *again)).items} == {4 * N}


def test_ratings_that_all_stand_twice_count_once() -> None:
    lines = [f"q{k},{name},j{k % 2},{k * (i + 1) % 5}" for k in range(N) for i, name in enumerate(PAIR)]
    (once,), (twice,) = (scored(rows("item,system,judge,rating", *own)).judgments for own in (lines, [*lines, *lines]))
    assert (once.n, once.score.tolist()) == (twice.n, twice.score.tolist())


@pytest.mark.parametrize(("low", "turned"), [(0, True), (-1, False)])
def test_only_points_of_mqm_that_begin_at_0_are_turned(low: int, turned: bool) -> None:
    """A number below 0 says that errors have a minus already, or that it is no count of them."""
    lines = [f"q{k},{name},j{k % 2},{low + k * (i + 1) % 4}" for k in range(N) for i, name in enumerate(PAIR)]
    found = scored(rows("seg_id,system,rater,mqm", *lines), "mqm.csv")
    assert ("Lower is better for MQM" in told(found)) is turned
    assert ratings(found, "MQM")["A"] == pytest.approx(mean(low + k % 4 for k in range(N)) * (-1 if turned else 1))


def test_an_id_that_each_context_has_once_may_number_the_systems() -> None:
    """It comes again with each context, so it names no question: whether it numbers the systems is asked."""
    lines = [
        f"{i},Context {k} is here,words {i} of {k},{k % 5 + 1},{(k + i) % 4 + 1}" for k in range(N) for i in range(4)
    ]
    problem = asked(rows("id,context,response,engaging,relevant", *lines))
    assert "id=system context=question engaging=score relevant=score" in problem.fix
    holes = asked(rows("id,context,response,engaging,relevant", *lines[1:]))
    assert "id=system" not in holes.fix


# What a hostile reader of these rules wrote.


def files(key: str, votes: str) -> list[tuple[str, bytes]]:
    """A key and a file of votes."""
    return [("key.csv", key.encode()), ("votes.csv", votes.encode())]


KEY = rows("id,A,B", *(f"{k},{'t5,bart' if k % 3 else 'bart,t5'}" for k in range(1, N + 1)))


def test_a_key_is_joined_by_its_own_id() -> None:
    """The numbers of the annotators are among the ids, and come first."""
    marks = [f"{who},{k},{who if k % 3 else 5},{5 if k % 3 else who}" for who in (1, 2, 3) for k in range(1, N + 1)]
    found = both(("key.csv", KEY), ("ratings.csv", rows("annotator,id,A,B", *marks)))
    assert ratings(found, "quality") == {"bart": 5.0, "t5": 2.0}


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("ranks.csv", lambda k: "1,2" if k % 3 else "2,1"),
        ("key.csv", lambda k: "1,2" if k % 3 else "2,1"),
        ("key.csv", lambda k: "bart,bart" if k == 4 else "t5,bart" if k % 3 else "bart,t5"),
        ("outputs.csv", lambda k: "yes,no" if k % 3 else "no,yes"),
    ],
)
def test_only_a_key_is_a_key(name: str, cells: Callable[[int], str]) -> None:
    """Ranks are numbers, two outputs may agree, and labels are in a file that is not called a key."""
    sheet = rows("id,A,B", *(f"{k},{k % 5 / 7},{k % 4 / 9}" for k in range(1, N + 1)))
    found = both((name, rows("id,A,B", *(f"{k},{cells(k)}" for k in range(1, N + 1)))), ("scores.csv", sheet))
    assert "It says which systems" not in told(found)


def test_a_key_names_winners_or_ratings_and_not_both() -> None:
    votes = rows("id,preferred,fluency_A,fluency_B", *(f"{k},A,{k % 3},{k % 4}" for k in range(1, N + 1)))
    for found in (both(("key.csv", KEY), ("votes.csv", votes)), read_ratings(files(KEY, votes))):
        (problem,) = found.problems
        assert "winners and ratings of each side (fluency_A)" in problem.what
        assert (found.items, found.judgments, found.preferences) == ((), (), ())


def test_numbered_raters_are_no_sides() -> None:
    key = KEY.replace("id,A,B", "id,system_1,system_2")
    votes = rows("id,rater_1,rater_2", *(f"{k},{k % 2 + 1},{k % 3 % 2 + 1}" for k in range(1, N + 1)))
    assert "It says which systems" not in told(both(("key.csv", key), ("votes.csv", votes)))


@pytest.mark.parametrize(
    ("people", "marks", "are"),
    [
        (("R1", "R5"), (1, 2, 3), False),
        (("R1", "R2"), (0, 1), False),
        (("R1", "R2"), (34, 12, 43), False),
        (("R1", "R2"), (1, 2, 10), True),
        (("R1", "R2"), (1, 2, 11), False),
    ],
)
def test_r_and_a_number_may_be_recall_or_rouge(people: tuple[str, str], marks: tuple[int, ...], are: bool) -> None:
    lines = [f"q{k}," + ",".join(str(marks[(k * (i + 2) + i) % len(marks)]) for i in range(4)) for k in range(N)]
    text = rows("id,A,,B,", ",".join(["", *people, *people]), *lines)
    found = scored(text)
    assert ("stand above the people who rated them" in told(found)) is are


def test_texts_of_both_sides_beside_winners_keep_their_key() -> None:
    votes = rows(
        "id,response_A,response_B,winner",
        *(f"{k},words {k},other {k},{'B' if k % 3 else 'A'}" for k in range(1, N + 1)),
    )
    (own,) = both(("key.csv", KEY), ("votes.csv", votes)).preferences
    assert {*own.systems} == {"bart", "t5"}


@pytest.mark.parametrize(("least", "asks"), [(0.004, False), (0.1, False), (0.11, True)])
def test_the_least_points_of_mqm(least: float, asks: bool) -> None:
    """A mean of several people is seldom 0."""
    lines = [f"q{k},{name},{least + k * (i + 1) % 4}" for k in range(N) for i, name in enumerate(PAIR)]
    assert bool(scored(rows("segment,system,MQM", *lines), "mqm.csv").problems) is asks


@pytest.mark.parametrize("marks", [(0.5, 0.9, 1), (0, 0.5, 1), (2, 4, 6)])
def test_mqm_that_may_say_how_good_it_is_is_asked(marks: tuple[float, ...]) -> None:
    lines = [f"q{k},{name},{marks[(k * (i + 1)) % 3]}" for k in range(N) for i, name in enumerate(PAIR)]
    text = rows("segment,system,MQM", *lines)
    (problem,) = scored(text, "mqm.csv").problems
    assert "points of errors, or how good it is?" in problem.what
    assert not scored(text, "mqm.csv", better="lower").problems


def test_criteria_are_compared_where_both_have_a_rating() -> None:
    """One missing rating does not end the question."""
    lines = [
        f"q{k // 2},{PAIR[k % 2]},j{k % 3},{name},{k % 5 + 1}"
        for name in ("fluency", "hallucination")
        for k in range(2 * N)
        if (name, k) != ("fluency", 3)
    ]
    found = scored(rows("item,system,annotator,criterion,rating", *lines))
    assert "Is a high number in hallucination good?" in found.problems[0].what


def test_a_mark_that_systems_answer_too_is_a_label() -> None:
    """- says that nothing is offensive, and both systems say so."""
    cells = ("-", "hate", "offensive")
    lines = [f"q{k},{cells[k % 3]},{cells[k % 2]},{cells[k * k % 3]}" for k in range(N)]
    found = scored(rows("id,gold_label,pred_A,pred_B", *lines))
    assert "Left out" not in told(found)


def test_the_best_and_the_worst_of_all_scores_are_no_systems() -> None:
    own = [[value(k, i) for i in range(3)] for k in range(N)]
    lines = [f"q{k},{','.join(map(str, cells))},{max(cells)},{min(cells)}" for k, cells in enumerate(own)]
    found = scored(rows("id,A,B,C,best,worst", *lines))
    assert {*means(found)} == {"A", "B", "C"}
    assert "Not used, the best or the worst of others: best, worst." in told(found)
    high = scored(
        rows("id,A,B,C,best", *(f"q{k},{','.join(map(str, cells))},{value(k, 4)}" for k, cells in enumerate(own)))
    )
    assert "best" in means(high)


def test_a_picture_of_each_vote_is_no_question() -> None:
    lines = [f"what does it mean {k % 6},shot{k}.png,A,B,{'AB'[k % 6 == 0]}" for k in range(2 * N)]
    (votes,) = scored(rows("question,document,model_a,model_b,winner", *lines)).preferences
    assert len({*votes.question.tolist()}) == 6


@pytest.mark.parametrize("inside", [True, False])
def test_systems_and_questions_may_both_have_a_name(inside: bool) -> None:
    """The name beside a list of records is of the system, also where each record has one; a number beside it is of all."""
    own: list[dict[str, object]] = [
        {"name": name, "mean": 0.5, "results": [{"name": f"q{k}", "score": value(k, i)} for k in range(N)]}
        for i, name in enumerate(PAIR)
    ]
    problem = asked(json.dumps({"systems": own} if inside else own), "t.json")
    assert roles(problem) == {"system": "system", "name": "question", "score": "score"}


def test_turns_of_dialogues_are_no_questions_of_systems() -> None:
    """Both have an id, and nothing says that a dialogue is a system."""
    own = [{"id": f"d{i}", "turns": [{"id": k, "score": value(k, i)} for k in range(N)]} for i in range(3)]
    found = scored(json.dumps(own), "t.json")
    assert not {"d0", "d1", "d2"} & {one.name for one in found.items}
    assert not any("system" in roles(one) for one in found.problems if isinstance(one, Unclear))


def test_settings_that_each_question_has_are_asked() -> None:
    """Each row would count as a question of its own, of one system."""
    sizes = (128, 256, 512)
    lines = [f"q{k},{size},{value(k, i)}" for k in range(N) for i, size in enumerate(sizes)]
    problem = scored(rows("question_id,chunk_size,accuracy", *lines)).problems[0]
    assert "chunk_size=system" in problem.fix
    alone = scored(rows("question_id,chunk_size,accuracy", *lines[:: len(sizes)]))
    assert not any("each question_id has" in str(one.what) for one in alone.problems)


def test_what_a_log_counted_beside_outputs_is_no_system() -> None:
    """Both translations are outputs, and need a reference; their tokens and the time are no scores."""
    lines = [f"q{k},line {k} of it,Zeile {k} so,Zeile {k} da,{k % 4 + 3},{k % 5 + 2}" for k in range(N)]
    said = roles(asked(rows("id,source,translated_by_google,translated_by_deepl,tokens,latency_ms", *lines)))
    assert {name for name, role in said.items() if role == "system"} == {"translated_by_google", "translated_by_deepl"}
