"""JSON whose names hold lists of records or of numbers: which record belongs to which, and which name is the system."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from statistics import mean

import pytest

from sigcore.readers.tables import nested
from tests.made_tables import N, asked, means, roles, scored, value
from tests.unit.sigcore.readers.test_votes_and_rows import said

ONE, OTHER = "bart", "pegasus"
ORDERS = {ONE: [*range(N)], OTHER: random.Random(1).sample(range(N), N)}


def shuffled(heading: str, what: str = "q{}") -> str:
    """The scores of two systems, the second .02 above the first on each item, and in another order."""
    cell = {
        name: [{heading: what.format(k), "f1": round(value(k, 0) + 0.02 * i, 2)} for k in ORDERS[name]]
        for i, name in enumerate((ONE, OTHER))
    }
    return json.dumps(cell)


def gains(text: str) -> set[float]:
    """The differences of the two systems, segment by segment as they are paired."""
    found = scored(text, "t.json")
    assert not found.problems, found.problems
    own = {one.name: dict(zip(one.keys, map(float, one.segments), strict=True)) for one in found.items if one.kind == "scores"}  # fmt: skip
    assert own[ONE].keys() == own[OTHER].keys()
    return {round(own[OTHER][key] - own[ONE][key], 3) for key in own[ONE]}


@pytest.mark.parametrize(
    ("heading", "what"),
    [
        ("id", "q{}"),
        ("qid", "{}"),
        ("question", "q{}"),
        ("item", "q{}"),
        ("prompt", "what is it that the number {} shows"),
        ("input", "a sentence with several words, the last of which is the number that counts, " * 2 + "{}"),
    ],
)
def test_records_are_paired_by_what_names_them(heading: str, what: str) -> None:
    """They were paired by their places, and 12 equal gains were 12 others."""
    assert gains(shuffled(heading, what)) == {0.02}


def test_records_without_names_are_paired_by_their_places() -> None:
    """Also beside texts in the same order, and scores that happen to be the same numbers."""
    plain = {name: [{"f1": value(k, i), "label": k % 3} for k in range(N)] for i, name in enumerate((ONE, OTHER))}
    assert means(scored(json.dumps(plain), "t.json")).keys() == {ONE, OTHER}
    permuted = {name: [{"f1": 1.5 + k} for k in ORDERS[name]] for name in (ONE, OTHER)}
    assert gains(json.dumps(permuted)) == {float(ORDERS[OTHER][k] - k) for k in range(N)}
    same = {name: [{"em": (k + i) % 2, "note": "x"} for k in range(N)] for i, name in enumerate((ONE, OTHER))}
    assert gains(json.dumps(same)) == {-1.0, 1.0}


@pytest.mark.parametrize("heading", ["id", "item"])
def test_a_record_that_one_system_lacks_is_the_one_that_is_missing(heading: str) -> None:
    """It was the last one, and leaving that out compared each record with the next."""
    cell = json.loads(shuffled(heading))
    del cell[ONE][3]
    found = scored(json.dumps(cell), "t.json")
    own = {one.name: dict(zip(one.keys, one.segments, strict=True)) for one in found.items if one.kind == "scores"}
    both = [key for key in own[ONE] if own[ONE][key] and own[OTHER].get(key)]
    assert len(both) == N - 1
    assert {round(float(own[OTHER][key]) - float(own[ONE][key]), 3) for key in both} == {0.02}


def test_lists_of_other_lengths_without_names_are_refused() -> None:
    cell = {name: [{"f1": value(k, i)} for k in range(N - i)] for i, name in enumerate((ONE, OTHER))}
    (problem,) = scored(json.dumps(cell), "t.json").problems
    assert "bart: 12, pegasus: 11" in problem.what
    assert "the id of its question" in problem.fix


def test_runs_of_a_question_are_drawn_with_it() -> None:
    """30 questions with 2 runs were 60 segments."""
    cell = {name: [{"id": f"q{k}", "run": r, "f1": value(k + r, i)} for k in range(N) for r in (1, 2)] for i, name in enumerate((ONE, OTHER))}  # fmt: skip
    found = scored(json.dumps(cell), "t.json")
    assert "a question is drawn with all its runs" in " ".join(one.message for one in found.notices)
    assert len({*next(one.keys for one in found.items if one.kind == "scores")}) == 2 * N


@pytest.mark.parametrize("heading", ["seed", "epoch", "run"])
def test_whole_runs_are_no_segments(heading: str) -> None:
    cell = {name: [{heading: 7 * k + 11, "acc": value(k, i)} for k in range(N)] for i, name in enumerate((ONE, OTHER))}
    assert "Each row is a whole run of a system" in asked(json.dumps(cell), "t.json").why


def test_people_who_rate_each_item_are_no_segments() -> None:
    """Three ratings of an item were three items."""
    cell = {name: [{"item": f"q{k}", "judge": r, "acc": 1 + (k + i) % 5} for k in range(N) for r in "abc"] for i, name in enumerate((ONE, OTHER))}  # fmt: skip
    found = scored(json.dumps(cell), "t.json")
    assert not any(set(one.keys) == {*map(str, range(3 * N))} for one in found.items)


@pytest.mark.parametrize(("n", "counts"), [(3, True), (2, False)])
def test_numbers_that_count_the_records_are_asked_about(n: int, counts: bool) -> None:
    """Folds may be no questions; two of them are not noticed."""
    cell = {name: [{"fold": k + 1, "f1": value(k, i)} for k in range(n)] for i, name in enumerate((ONE, OTHER))}
    found = scored(json.dumps(cell), "t.json")
    assert bool(found.problems) is counts
    if counts:
        assert roles(asked(json.dumps(cell), "t.json"))["fold"] == "question"


def test_other_numbers_in_the_same_order_are_no_names() -> None:
    """What each record has in common with its like, such as a length, does not name it."""
    cell = {name: [{"chars": 7 * k + 3, "f1": value(k, i)} for k in range(N)] for i, name in enumerate((ONE, OTHER))}
    keys = {one.keys for one in scored(json.dumps(cell), "t.json").items if one.name in (ONE, OTHER)}
    assert keys == {tuple(map(str, range(N)))}


def cube(outer: tuple[str, ...], inner: tuple[str, ...], keyed: bool = False) -> dict[str, dict[str, object]]:
    """A list of scores below each two names, or the scores by question."""

    def cell(i: int, j: int) -> object:
        own = [value(k + 2 * i, j) for k in range(N)]
        return {f"q{k}": one for k, one in enumerate(own)} if keyed else own

    return {one: {other: cell(i, j) for j, other in enumerate(inner)} for i, one in enumerate(outer)}


def mean_of(part: object) -> float:
    return mean(part.values() if isinstance(part, dict) else part)  # type: ignore[arg-type]


def led_to(cell: Mapping[str, object], command: str) -> dict[tuple[str, str], float]:
    """The mean of each system in each test set, or of each measure, to which a command leads."""
    found = scored(json.dumps(cell), "t.json", **said(command))
    assert not found.problems, found.problems
    own = [one for one in found.items if one.kind == "scores" and one.role == "system"]
    return {(one.name, one.measure if "measure" in command else one.testset): mean(map(float, one.segments)) for one in own}  # fmt: skip


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("inner", [("ours", "base"), ("gpt-4", "llama-3")])
def test_either_name_above_a_list_may_be_the_system(keyed: bool, inner: tuple[str, ...]) -> None:
    """The outer one was the system, whatever it was; the commands said that the inner ones are people or measures."""
    outer = ("rte", "boolq", "copa")
    cell = cube(outer, inner, keyed)
    ways = dict(asked(json.dumps(cell), "t.json").ways)
    swapped = {(other, one): mean_of(cell[one][other]) for one in outer for other in inner}
    straight = {(one, other): mean for (other, one), mean in swapped.items()}
    shown = "rte, boolq, copa", ", ".join(inner)
    assert ways.keys() == {
        f"{one} are systems, and {other} {part}"
        for one, other in (shown, shown[::-1])
        for part in ("tasks", "measures")
    }
    for what, command in ways.items():
        wanted = straight if what.startswith("rte") else swapped
        assert led_to(cell, command) == pytest.approx(wanted)
    assert next(iter(ways)).startswith("gpt-4" if "gpt-4" in inner else "rte")  # models come first


@pytest.mark.parametrize(
    ("outer", "role", "words"),
    [
        (("en", "de"), "task", "tasks"),
        (("dev", "test"), "task", "tasks"),
        (("rater1", "rater2"), "judge", "people"),
        (("seed_1", "seed_2"), "run", "runs"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_names_that_say_what_they_are_leave_one_reading(
    outer: tuple[str, ...], role: str, words: str, turned: bool
) -> None:
    names = (ONE, OTHER)
    cell = cube(names, outer) if turned else cube(outer, names)
    problem = asked(json.dumps(cell), "t.json")
    assert problem.why == f"Are {ONE}, {OTHER} systems, and {', '.join(outer)} {words}?"
    ((_, command),) = problem.ways
    assert f"{'inner' if turned else 'outer'}={role}" in command
    own = {name: [mean_of(cell[name][one] if turned else cell[one][name]) for one in outer] for name in names}
    found = scored(json.dumps(cell), "t.json", **said(command))
    if role == "task":
        assert led_to(cell, command) == pytest.approx({(name, one): own[name][i] for i, one in enumerate(outer) for name in names})  # fmt: skip
    else:
        assert means(found) == pytest.approx({name: mean(every) for name, every in own.items()})


def test_numbers_may_be_runs_people_tasks_or_systems() -> None:
    ratings = {ONE: {"1": [1, 4, 2] * 4, "2": [3, 5, 1] * 4}, OTHER: {"1": [2, 2, 2] * 4, "2": [5, 4, 3] * 4}}
    commands = [command for _, command in asked(json.dumps(ratings), "t.json").ways]
    assert [command.split(" segment")[0] for command in commands[:3]] == [f"outer=system inner={part}" for part in ("run", "judge", "task")]  # fmt: skip
    for command in commands[:2]:
        found = scored(json.dumps(ratings), "t.json", **said(command))
        assert means(found) == pytest.approx({ONE: 16 / 6, OTHER: 3.0})
    binary = {name: {run: [k % 2 for k in range(N)] for run in "12"} for name in (ONE, OTHER)}
    assert not any("judge" in command for _, command in asked(json.dumps(binary), "t.json").ways)


@pytest.mark.parametrize("keyed", [False, True])
def test_measures_above_systems_are_read_as_measures(keyed: bool) -> None:
    """wer and cer were the systems, and the question was which of the systems is the score."""
    cell = cube(("wer", "cer"), (ONE, OTHER), keyed)
    found = scored(json.dumps(cell), "t.json")
    assert not found.problems, found.problems
    own = {(one.measure, one.name): mean(map(float, one.segments)) for one in found.items if one.kind == "scores"}
    assert own == pytest.approx({(what, name): mean_of(cell[what][name]) for what in cell for name in cell[what]})


def test_tasks_with_other_questions_are_no_systems() -> None:
    """Of one system there is one reading; lists that nothing makes equally long are refused as before."""
    cell = cube(("rte", "boolq"), (ONE, OTHER))
    cell["rte"] = {name: [*own, 1.0] for name, own in cell["rte"].items()}  # type: ignore[misc]
    ((_, command),) = asked(json.dumps(cell), "t.json").ways
    assert command.startswith("inner=system outer=task")
    assert led_to(cell, command) == pytest.approx({(name, one): mean_of(cell[one][name]) for one in cell for name in cell[one]})  # fmt: skip
    cell["boolq"][ONE] = [1.0] * 5
    assert "one object" in scored(json.dumps(cell), "t.json").problems[0].what


def of_ids() -> dict[str, list[dict[str, object]]]:
    return json.loads(shuffled("id"))  # type: ignore[no-any-return]


@pytest.mark.parametrize("around", ["results", "predictions"])
def test_records_inside_the_part_of_each_system(around: str) -> None:
    parts = {name: {"version": 1, around: own} for name, own in of_ids().items()}
    assert gains(json.dumps(parts)) == {0.02}
    turns = {name: {"turns": own} for name, own in of_ids().items()}
    assert gains(json.dumps(turns)) == {0.02}  # the same questions
    others = {name: {"turns": [{**one, "id": f"{name}{one['id']}"} for one in own]} for name, own in of_ids().items()}
    assert scored(json.dumps(others), "t.json").problems


@pytest.mark.parametrize("beside", [{}, {"model": "judge", "n": 12}])
def test_one_list_in_each_part_beside_single_values(beside: dict[str, object]) -> None:
    """Whatever the list is called; other lists, or parts without one, are another layout."""
    parts = {name: {"correct": 3, "verdicts": own} for name, own in of_ids().items()}
    assert gains(json.dumps({**beside, **parts})) == {0.02}
    assert scored(json.dumps({**beside, **parts, "summary": {"n": 3}}), "t.json").problems
    assert not scored(json.dumps({}), "t.json").items


def test_columns_inside_the_part_of_each_system() -> None:
    """Whole numbers as ids were a measure, and paired by their places."""
    parts = {name: {what: [one[what] for one in own] for what in ("id", "f1")} for name, own in of_ids().items()}
    assert gains(json.dumps(parts)) == {0.02}
    whole = {name: {**part, "id": [int(str(one)[1:]) for one in part["id"]]} for name, part in parts.items()}
    assert gains(json.dumps(whole)) == {0.02}


@pytest.mark.parametrize(("n", "known"), [(11, True), (10, False)])
def test_one_list_of_numbers_beside_single_values(n: int, known: bool) -> None:
    """More of them than runs are of questions."""
    parts = {name: {"accuracy": 0.5, "per_example": [value(k, i) for k in range(n)]} for i, name in enumerate((ONE, OTHER))}  # fmt: skip
    found = scored(json.dumps(parts), "t.json")
    assert bool(found.problems) is not known
    if known:
        assert means(found) == pytest.approx({name: mean_of(part["per_example"]) for name, part in parts.items()})
    runs = {name: {"accuracy": 0.5, "seeds": [value(k, i) for k in range(n)]} for i, name in enumerate((ONE, OTHER))}
    assert scored(json.dumps(runs), "t.json").problems


@pytest.mark.parametrize("by_row", [True, False])
def test_rows_of_numbers_beside_the_names_of_their_columns(by_row: bool) -> None:
    grid = [[value(k, i) for i in range(2)] for k in range(N)]
    cell = {"models": [ONE, OTHER], "scores": grid if by_row else [*zip(*grid, strict=True)]}
    assert means(scored(json.dumps(cell), "t.json")) == pytest.approx({name: mean(row[i] for row in grid) for i, name in enumerate((ONE, OTHER))})  # fmt: skip
    assert nested.below_names({**cell, "scores": grid[:2]}) == {}  # which are the systems?
    assert nested.below_names({**cell, "models": [ONE, ONE]}) == {}


@pytest.mark.parametrize("measure", ["wer", "f1"])
def test_a_list_of_scores_in_the_record_of_each_system(measure: str) -> None:
    """It was averaged, and the file refused as one row for each system."""
    rows = [{"system": name, "scores": [value(k, i) for k in range(N)]} for i, name in enumerate((ONE, OTHER))]
    wanted = {str(row["system"]): mean_of(row["scores"]) for row in rows}
    found = scored(json.dumps({"metric": measure, "results": rows}), "t.json")
    assert means(found) == pytest.approx(wanted)
    assert {one.measure for one in found.items} == {measure}
    tasks = [{"task": task, **row, "scores": row["scores"] + [1.0] * i} for i, task in enumerate(("rte", "boolq")) for row in rows]  # type: ignore[operator]  # fmt: skip
    found = scored(json.dumps(tasks), "t.json")
    assert {(one.name, one.testset, len(one.segments)) for one in found.items} == {(name, task, N + i) for i, task in enumerate(("rte", "boolq")) for name in (ONE, OTHER)}  # fmt: skip
    assert "one row per system" in scored(json.dumps([{**row, "scores": [1, 2, 3, 4]} for row in rows]), "t.json").problems[0].what  # fmt: skip
    uneven = [{**row, "scores": [0.5] * (N + i)} for i, row in enumerate(rows)]
    assert "one row per system" in scored(json.dumps(uneven), "t.json").problems[0].what


def test_one_field_below_each_name_may_be_of_systems() -> None:
    """The one command made measures of one system of them."""
    lines = [
        {
            "id": k,
            **{name: {"answer": f"{name} {k % 3}", "score": 1 + (k + i) % 5} for i, name in enumerate((ONE, OTHER))},
        }
        for k in range(N)
    ]
    text = "\n".join(map(json.dumps, lines))
    problem = asked(text, "t.jsonl")
    (what, command), (other, one) = problem.ways
    assert (what, other) == (f"{ONE}.score, {OTHER}.score are systems", "each is a measure of one system")
    wanted = {f"{name}.score": mean(line[name]["score"] for line in lines) for name in (ONE, OTHER)}
    assert means(scored(text, "t.jsonl", **said(command))) == pytest.approx(wanted)
    assert len({item.name for item in scored(text, "t.jsonl", **said(one)).items if item.kind == "scores"}) == 1
    parts = text.replace(f'"{ONE}"', '"dev"').replace(f'"{OTHER}"', '"test"')
    assert not any("dev.score=system" in command for _, command in asked(parts, "t.jsonl").ways)


@pytest.mark.parametrize("documents", [1, 4])
def test_a_row_for_each_system_on_one_document_is_refused(documents: int) -> None:
    """Counts of what is right and of what was predicted were labels."""
    counts = {f"tables_{kind}": 5 for kind in ("unmatched_expected", "unmatched_pred")}
    lines = [
        {"system": f"s{k % 6}", "document": f"d{k // 6}", "passes": {way: {"grits_con": value(k, i), "match": value(k, i + 2), **counts} for i, way in enumerate(("raw", "text"))}, "digit_cer": value(k, 3), "version": "0.4", "status": "api", "coverage": value(k, 5)}
        for k in range(6 * documents)
    ]  # fmt: skip
    (problem,) = scored("\n".join(map(json.dumps, lines)), "t.jsonl").problems
    assert ("one row per system" in problem.what) is (documents == 1)
    assert ("hold what is right" in problem.what) is (documents > 1)


def test_names_below_numbers_are_asked_about_as_systems() -> None:
    """The numbers were the names, and what stands below each of them was the question of one system."""
    marks = {str(q): {name: {"response": f"{name} on {q}", "overall": {"overall-rating": 10 * value(q, i) + 1, "overall-ranking": 1 + (q + i) % 2}} for i, name in enumerate((ONE, OTHER))} for q in range(6)}  # fmt: skip
    text = json.dumps({"passage-id": "7", "questions": marks})
    problem = asked(text, "t.json")
    assert {name: roles(problem)[name] for name in ("id", "key", "overall.overall-ranking")} == {"id": "question", "key": "system", "overall.overall-ranking": "ignored"}  # fmt: skip
    command = next(command for _, command in problem.ways if "key=system" in command) if problem.ways else "key=system id=question overall.overall-rating=score"  # fmt: skip
    wanted = {name: mean(10 * value(q, i) + 1 for q in range(6)) for i, name in enumerate((ONE, OTHER))}
    assert means(scored(text, "t.json", **said(command))) == pytest.approx(wanted)
