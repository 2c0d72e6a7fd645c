"""Files that ended in a refusal without a way on: what is said of them now, and where it leads."""

from __future__ import annotations

import json

import pytest

from sigcore.data import assemble
from tests.made_tables import N, asked, means, roles, rows, scored, value


def deep(questions: int = 5) -> str:
    """One object of summaries, with the scores of each prompt two levels below."""
    prompts = [
        {"id": f"p-{k}", "scores": {"one": value(k, 0), "two": value(k, 1), "three": value(k, 2)}}
        for k in range(questions)
    ]
    whole = {"one": {"avg": 0.5, "best": 0.9}, "two": {"avg": 0.4, "best": 0.8}}
    pairs = [{"left": "one", "right": "two", "wins": 3}] * 2
    return json.dumps({"meta": {"date": "today"}, "quality": whole, "headToHead": {"prompts": prompts, "pairs": pairs}})


def test_a_list_deep_in_an_object_is_offered_and_read() -> None:
    """The offer names the list with points between the levels; lists of fewer than three are none."""
    (problem,) = scored(deep(), "all.json").problems
    assert (
        "Is each entry below headToHead.prompts a row? Then read them so: --explode headToHead.prompts." in problem.fix
    )
    assert "pairs" not in problem.fix
    found = means(scored(deep(), "all.json", explode="headToHead.prompts"))
    assert found == pytest.approx(
        {f"scores.{n}": sum(value(k, i) for k in range(5)) / 5 for i, n in enumerate(("one", "two", "three"))}
    )
    (few,) = scored(deep(2), "all.json").problems
    assert "--explode" not in few.fix


def test_another_list_is_none_of_the_object() -> None:
    """A name that leads nowhere is refused as before, and a list of words has no rows."""
    (problem,) = scored(deep(), "all.json", explode="headToHead.nothing").problems
    assert "It is one object" in problem.what
    words = json.dumps({"meta": {"a": 1, "b": {"c": 2}}, "below": {"list": ["x", "y", "z"], "more": {"n": 3}}})
    (problem,) = scored(words, "all.json").problems
    assert "--explode" not in problem.fix


def test_a_list_of_runs_inside_an_object_is_not_offered() -> None:
    """Its columns are what one system did in each run: nothing would be compared."""
    runs = [{"bleu": 18 + k / 7, "sys_len": 67_000 + k, "ref_len": 66_000} for k in range(6)]
    (problem,) = scored(
        json.dumps({"baseline": {"runs": runs, "seed": 1}, "about": {"date": "today"}}), "r.json"
    ).problems
    assert "--explode" not in problem.fix
    one = [{"id": f"q{k}", "model": "A", "acc": k % 2} for k in range(6)]
    (problem,) = scored(json.dumps({"part": {"rows": one, "seed": 1}, "about": {"date": "today"}}), "r.json").problems
    assert "--explode" not in problem.fix
    two = [{"id": f"q{k}", "model": name, "acc": k % (i + 2)} for i, name in enumerate("AB") for k in range(6)]
    (problem,) = scored(json.dumps({"part": {"rows": two, "seed": 1}, "about": {"date": "today"}}), "r.json").problems
    assert "--explode part.rows" in problem.fix


def test_lists_are_looked_for_five_levels_down() -> None:
    prompts = json.loads(deep())["headToHead"]["prompts"]

    def below(levels: int) -> str:
        value: object = prompts
        for k in range(levels):
            value = {f"l{k}": value, "n": {"x": 1}}
        return json.dumps(value)

    assert "--explode l4.l3.l2.l1.l0." in scored(below(5), "a.json").problems[0].fix
    assert "--explode" not in scored(below(6), "a.json").problems[0].fix


RUNS = ("ict-bert", "tua-1")
TABLE = rows(
    "runid,topic,compat", *(f"{name},{100 + k},{value(k, i)}" for i, name in enumerate(RUNS) for k in range(N))
)


@pytest.mark.parametrize("name", ["runs.compat", "runs.txt", "runs", "runs.csv"])
def test_a_table_is_one_under_any_ending(name: str) -> None:
    """None of its headings says what it is, but a column of numbers below a name in as many cells as there are."""
    problem = asked(TABLE, name)
    assert problem.what.startswith("Does runid name systems?")
    found = scored(TABLE, name, columns="runid=system")
    assert means(found) == pytest.approx({n: sum(value(k, i) for k in range(N)) / N for i, n in enumerate(RUNS)})


@pytest.mark.parametrize(
    "text",
    [
        "one,two\n1,2\n3,4\n",  # two names
        "one,two,one\n1,2,3\n3,4,3\n",  # a name again
        "one,two,3\n1,2,3\n3,4,3\n",  # a number
        "one,two,a b\n1,2,3\n3,4,3\n",  # words
        "one,two,six\n1,2,3\n",  # one row
        "one,two,six\nx,y,z\nu,v,w\n",  # no numbers
        "one,two,six\nx,y,1\nu,v,w\n",
        "one,two,six\nx,y,1\nu,v\n",
    ],
)
def test_text_with_commas_is_no_table(text: str) -> None:
    found = scored(text, "a.hyp")
    assert ([one.reader for one in found.items], found.problems) == (["plain"], ())


def test_headings_that_come_again_are_not_in_the_way() -> None:
    parts = [
        rows("runid,topic,compat", *(f"{n},{100 + k},{value(k, i)}" for k in range(N))) for i, n in enumerate(RUNS)
    ]
    found = scored("".join(parts), "runs.compat", columns="runid=system")
    assert means(found) == pytest.approx({n: sum(value(k, i) for k in range(N)) / N for i, n in enumerate(RUNS)})


def by_provider(*lines: str) -> str:
    return rows("provider,model_display,prompt_id,score_fit", *lines)


def test_another_word_for_the_system_is_no_task() -> None:
    """Each provider has one model: the model is the system, and the command leads to both."""
    models = {"acme": "Large 2", "zeta": "Z-mini"}
    text = by_provider(*(f"{p},{m},p-{k},{value(k, i)}" for i, (p, m) in enumerate(models.items()) for k in range(N)))
    problem = asked(text)
    assert (roles(problem)["provider"], roles(problem)["model_display"]) == ("ignored", "system")
    found = scored(text, columns="\n".join(f"{name}={role}" for name, role in problem.plan.items()))
    assert means(found) == pytest.approx(
        {m: sum(value(k, i) for k in range(N)) / N for i, m in enumerate(models.values())}
    )
    # a provider with two models tells runs or tasks of one system apart, as before
    several = by_provider(
        *(
            f"folder{j},{m},p-{k},{value(k, i + j)}"
            for i, m in enumerate(("Large", "Mini"))
            for j in range(2 * i, 2 * i + 2)
            for k in range(N)
        )
    )
    assert roles(asked(several))["provider"] in ("run", "task")


@pytest.mark.parametrize(("counts", "told"), [((5, 4, 5), "4 to 5 rows"), ((4, 4, 4), "4 rows")])
def test_ids_that_may_be_systems_say_what_is_missing(counts: tuple[int, ...], told: str) -> None:
    """No heading names the questions, and the rows of a system are its answers in some order."""
    text = rows(
        "index,answer,cos_score",
        *(f"m-{'abc'[i]},Well done {i}{k},{value(k, i)}" for i, n in enumerate(counts) for k in range(n)),
    )
    problem = asked(text)
    assert (
        f"If these are systems, they have {told} each, and no column names the questions: add one with their ids."
        in problem.what
    )


def test_a_few_rows_of_an_id_are_no_systems() -> None:
    text = rows(
        "index,answer,cos_score", *(f"m-{i},Well done {i}{k},{value(k, i)}" for i in range(4) for k in range(3))
    )
    assert "If these are systems" not in asked(text).what
    numbered = rows(
        "index,answer,cos_score", *(f"{i},Well done {i}{k},{value(k, i)}" for i in range(4) for k in range(5))
    )
    assert "If these are systems" not in asked(numbered).what
    named = rows(
        "index,turn_id,cos_score", *(f"m-{'abc'[i]},t{i}{k},{value(k, i)}" for i in range(3) for k in range(5))
    )
    assert "If these are systems" not in asked(named).what


def test_a_table_in_html_is_named() -> None:
    """It is not read, and to copy it to a Markdown file would lead nowhere."""
    page = (
        "# Results\n\nSome words.\n\n<table>\n<tr><th>id</th><th>A</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n"
    )
    (error,) = assemble(scored(page, "README.md").items).of("error")
    assert "line 5 begins a table in HTML, which is not read)." in error.fix
    assert "save it as CSV, with a row for each question and a column for each system." in error.fix
    assert "scores.md" not in error.fix
