"""Times, spreads, counts and means beside scores; runs in headings; rows that sum up; criteria on one scale; lists of two systems."""

from __future__ import annotations

import json
import shlex

import pytest

from sigcore.readers import Choice, read
from tests.made_tables import N, asked, means, roles, rows, scored, told, value
from tests.unit.sigcore.readers.test_roles_that_are_said import one_problem
from tests.unit.sigcore.readers.test_votes_and_rows import said

PAIR = ("gpt", "llama")


def long(head: str, *cells: object) -> str:
    """A row for each question and system, with a score of its own and then these cells."""
    lines = (f"q{k},{name},{value(k, i)},{','.join(map(str, cells))}" for k in range(N) for i, name in enumerate(PAIR))
    return rows(f"item,model,{head}", *lines)


@pytest.mark.parametrize("scored_by", ["mean", "median", "total", "hit"])
@pytest.mark.parametrize("beside", ["sd", "n", "ms", "size"])
def test_what_stands_beside_a_mean_is_not_compared(scored_by: str, beside: str) -> None:
    """A spread, a number of runs or a time was the score, and the mean was not used."""
    text = long(f"{scored_by},{beside}", 3)
    problem = asked(text)
    assert roles(problem)[scored_by] == "score"
    assert roles(problem)[beside] == "ignored"
    wanted = {name: pytest.approx(sum(value(k, i) for k in range(N)) / N) for i, name in enumerate(PAIR)}
    assert means(scored(text, columns=f"{scored_by}=score")) == wanted


def test_an_unknown_score_beside_a_time_is_the_score() -> None:
    assert {one.measure for one in scored(long("ok,ms", 30)).items} == {"ok"}
    alone = rows("item,model,ms", *(f"{k},{name},{k + i}" for k in range(N) for i, name in enumerate(PAIR)))
    assert {one.measure for one in scored(alone).items} == {"ms"}


def test_a_time_beside_a_known_score_is_a_measure_of_its_own() -> None:
    """It is only asked about where nothing else may be a score."""
    assert {one.measure for one in scored(long("score,ms", 30)).items if one.role == "system"} == {"score", "ms"}


def test_a_rank_beside_a_time_is_asked_about() -> None:
    """Nothing else may be a score: the time was one."""
    assert "Is ms what you want to compare?" in asked(long("rank,ms", 30)).why


@pytest.mark.parametrize("field", ["duration", "Time (s)", "cost"])
def test_a_time_makes_the_columns_beside_it_no_measures(field: str) -> None:
    """No command was left."""
    text = rows(f"utt,whisper,wav2vec,{field}", *(f"u{k},{value(k, 0)},{value(k, 1)},{k + 0.5}" for k in range(N)))
    (problem,) = scored(text).problems
    quoted = shlex.quote(f"{field}=ignored")
    assert f"--columns utt=question whisper=system wav2vec=system {quoted}" in problem.fix


def test_a_system_with_a_time_of_its_own_is_one() -> None:
    head = "id,gpt,gpt_time,llama,llama_time"
    text = rows(head, *(f"{k},{value(k, 0)},{k / 7},{value(k, 1)},{k / 9}" for k in range(N)))
    assert "--columns gpt=system gpt_time=ignored llama=system llama_time=ignored" in asked(text).fix


@pytest.mark.parametrize("mark", ["±", "+/-"])
def test_columns_of_spreads_are_no_systems(mark: str) -> None:
    head = f"id,bert,{mark},roberta,bert {mark}"
    text = rows(head, *(f"{k},{value(k, 0)},0.0{k},{value(k, 1)},0.1{k}" for k in range(N)))
    (problem,) = scored(text).problems
    assert "bert=system" in problem.fix
    assert shlex.quote(f"{mark}=system") not in problem.fix


@pytest.mark.parametrize("run", ["seed", "run", "fold_"])
def test_runs_in_headings_are_runs_of_their_systems(run: str) -> None:
    """They were asked about as measures, and each command compared the runs."""
    head = ",".join(f"{name}_{run}{r}" for name in ("bert", "roberta") for r in (1, 2, 3))
    text = rows(f"id,{head}", *(",".join([str(k), *(str(value(k, i)) for i in range(6))]) for k in range(N)))
    ((what, command),) = asked(text).ways
    assert what == f"{run}1, {run}2, {run}3 are runs of bert, roberta"
    assert command.endswith(f"--runs-from-names '{{system}}_{run}{{run}}'")
    assert (
        len([one for one in scored(text, **said(command.partition(" --runs")[0])).items if one.role == "system"]) == 6
    )


def test_points_and_their_maximum_are_no_people() -> None:
    text = rows("item,model,points,max_points", *(f"{k},{name},{(3 * k + i) % 9},10" for k in range(N) for i, name in enumerate(PAIR)))  # fmt: skip
    assert not any("judge" in command for _, command in asked(text).ways)


@pytest.mark.parametrize(
    "last",
    ["Variance,0.1,0.2", "Wins,7,5", "p-value,0.03,0.03", "Mean easy,0.4,0.5", "max,1.0,1.0"],
)
def test_rows_that_sum_up_in_other_words_are_named(last: str) -> None:
    """They were one question more."""
    body = [f"q{k},{value(k, 0)},{value(k, 1)}" for k in range(2 * N)]
    name = last.partition(",")[0]
    for lines in ([*body, last], [*body[:N], last, *body[N:]]):
        assert f"A row is called {name!r}: it sums up the others" in one_problem(scored(rows("id,A,B", *lines)))
    left = scored(rows("id,A,B", *body, last), cells=f"{name}=missing")
    assert {len(item.segments) for item in left.items} == {2 * N}


def test_a_mean_below_each_part_is_no_question() -> None:
    body = [
        f"{part},q{k + N * i},{value(k, i)},{value(k, 2)}" for i, part in enumerate(("easy", "hard")) for k in range(N)
    ]
    lines = [*body[:N], "easy,avg,0.5,0.5", *body[N:], "hard,avg,0.5,0.4"]
    assert "A row is called 'avg'" in one_problem(scored(rows("category,id,A,B", *lines)))


def test_last_rows_without_an_id_are_no_questions() -> None:
    body = [f"q{k},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    (problem,) = scored(rows("id,A,B", *body, ",0.5,0.4", ",0.2,0.1")).problems
    assert "Only the last 2 rows of 14 have no id: do they sum up the others?" in problem.what
    sums = [f"{sum(value(k, i) for k in range(N)) / N:.4f}" for i in (0, 1)]
    found = scored(rows("id,A,B", *body, f",{sums[0]},{sums[1]}"))
    assert {len(item.segments) for item in found.items} == {N}
    assert "without a name" in told(found)


@pytest.mark.parametrize("scale", ["", " (1-5)", " [1-5]"])
@pytest.mark.parametrize("other", ["overall", "quality"])
def test_criteria_on_one_scale_are_rated_together(scale: str, other: str) -> None:
    """The main one was not used."""
    lines = (f"{k},{who},{name},{(k + i) % 5 + 1},{(k + 2 * i) % 5 + 1}" for k in range(N) for who in ("an", "bo") for i, name in enumerate("XY"))  # fmt: skip
    found = scored(rows(f"item,rater,system,{other}{scale},fluency{scale}", *lines))
    (people,) = found.judgments
    assert {*people.dimensions} == {other, "fluency"}


def test_a_topic_is_no_document_beside_ids() -> None:
    text = rows("id,topic,A,B", *(f"{k},t{k % 4},{value(k, 0)},{value(k, 1)}" for k in range(4 * N)))
    assert "documents" not in {one.role for one in scored(text).items}


def details(shift: int) -> list[dict[str, object]]:
    return [{"question": f"what is {k}?", "scores": {"accuracy": (k + shift) % 5}} for k in range(N)]


def test_lists_of_the_same_questions_are_asked_about_as_systems() -> None:
    """They had to be saved as two files."""
    text = json.dumps({"judge": "x", "base_details": details(0), "ft_details": details(2)[::-1]})
    command = "list=system question=question scores.accuracy=score"
    assert f"--columns {command}" in asked(text, "j.json").fix
    found = scored(text, "j.json", columns=command.replace(" ", "\n"))
    assert {name: round(mean, 4) for name, mean in means(found).items()} == {
        "base_details": round(sum(k % 5 for k in range(N)) / N, 4),
        "ft_details": round(sum((k + 2) % 5 for k in range(N)) / N, 4),
    }
    keys = {one.keys for one in found.items if one.role == "system"}
    assert len(keys) == 1 or {frozenset(one) for one in keys} == {frozenset(f"what is {k}?" for k in range(N))}
    other = json.dumps({"a": details(0), "b": [{"question": f"and {k}?", "scores": {"accuracy": 1}} for k in range(N)]})
    assert not any("list=system" in str(one) for one in scored(other, "j.json").problems)


@pytest.mark.parametrize("mark", ["", "\n", " "])
@pytest.mark.parametrize("indent", [None, 2])
def test_objects_one_behind_another_are_records(mark: str, indent: int | None) -> None:
    """Programs append them without a line of their own."""
    text = mark.join(
        json.dumps({"id": k, "model": name, "score": value(k, i)}, indent=indent)
        for k in range(N)
        for i, name in enumerate(PAIR)
    )
    assert means(scored(text, "x.jsonl")).keys() == {*PAIR}
    assert scored(text + "]", "x.jsonl").problems


def test_a_column_that_lists_systems_is_refused_whatever_is_said() -> None:
    """It was dropped, and all rows were of one system."""
    text = rows("ref_id,sys_id,candidate,human", *(f"{k // 3},{k % 3} {k % 3 + 1},text {k},{k % 7}" for k in range(3 * N)))  # fmt: skip
    assert "lists several systems" in one_problem(scored(text))
    assert "lists several systems" in one_problem(scored(text, columns="sys_id=system\nref_id=question\nhuman=score"))
    numbers_out = rows("id,reference,A,B", *(f"{k},1 2,{k % 3} {k % 3 + 1},{k % 2} 2" for k in range(N)))
    assert not any("lists several" in str(one) for one in scored(numbers_out, columns="A=system\nB=system").problems)


def test_an_archive_of_one_reader_is_as_before() -> None:
    """A choice of another reader stays possible for objects in a row."""
    text = "".join(json.dumps({"id": k, "score": value(k, 0)}) for k in range(N)).encode()
    (item,) = read([("x.jsonl", text)], chosen={"x.jsonl": Choice("jsonl")}).items
    assert len(item.segments) == N
