"""Plans that were confirmed: for the next file with the same headings, and for who opens the project elsewhere."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from sigboard.shell import plan
from sigcore import Collection, project
from sigcore.project import Project
from sigcore.readers import Choice, Unclear

N = 12


def log(shift: int) -> bytes:
    """Two unknown columns of numbers, which nothing says are systems."""
    return "\n".join(["idx_,hum,blurb", *(f"a{k},{(k + shift) % 5},{200 + k}" for k in range(N))]).encode()


def test_a_confirmed_plan_travels_with_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a new visit that opens the project, a file with the same headings is read as the first one was."""
    monkeypatch.setattr(plan, "st", SimpleNamespace(session_state={}))
    collection = Collection()
    collection.add([("one.csv", log(0))])
    (problem,) = collection.problems
    assert isinstance(problem, Unclear)
    plan._confirm(collection, problem, ["question", "score", "ignored"])
    assert [(item.name, item.measure) for item in collection.items if item.role == "system"] == [("one", "hum")]

    monkeypatch.setattr(plan, "st", SimpleNamespace(session_state={}))  # another visit
    opened = project.load(project.save(Project(collection))).collection
    opened.add([("two.csv", log(1))])
    assert any(isinstance(one, Unclear) for one in opened.problems)
    plan.apply(opened)
    assert opened.problems == ()
    assert {item.name for item in opened.items if item.role == "system"} == {"one", "two"}
    opened.add([("other.csv", log(1).replace(b"hum", b"ham"))])
    plan.apply(opened)
    assert [problem.file for problem in opened.problems if isinstance(problem, Unclear)] == ["other.csv"]


def test_what_was_said_of_some_columns_serves_the_next_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The printed command confirms only doubtful columns: a project with such a file reads the next one the same way."""
    monkeypatch.setattr(plan, "st", SimpleNamespace(session_state={}))
    collection = Collection()
    collection.add([("one.csv", log(0))], every=Choice(options={"columns": "hum=score\nblurb=ignored"}))
    assert collection.problems == ()
    collection.add([("two.csv", log(1))])
    plan.apply(collection)
    assert collection.problems == ()
    assert {item.name for item in collection.items if item.role == "system"} == {"one", "two"}


def test_the_reading_that_the_table_shows_has_one_button() -> None:
    """What the roles in the table say is not offered a second time below it; other readings are."""
    collection = Collection()
    names = [("ann", "bo")[k % 2] for k in range(2 * N)]
    rows = [f"{name},{k // 2},{k // 2 % 3}{k % 2},x{k % 4},{(3 * k) % 7}" for k, name in enumerate(names)]
    collection.add([("t.csv", "\n".join(["arm,case_id,length,kind,quality points", *rows]).encode())])
    (problem,) = collection.problems
    assert isinstance(problem, Unclear)
    shown = {f"{claim.column}={claim.role}" for claim in problem.claims}
    first = " ".join(f'"{one}"' for one in sorted(shown) if one.endswith(("=system", "=question", "=score")))
    problem.ways = (("as it is shown", first), ("otherwise", "kind=system case_id=question"))
    assert plan._of_roles(problem) == [("otherwise", ["kind=system", "case_id=question"], [])]


def test_a_reading_that_says_what_words_mean_has_a_button() -> None:
    """Votes 0, 1 and 2: the table cannot say what they mean, so each reading has its button, which is read at once."""
    collection = Collection()
    votes = [f"q{k},one,two,{k % 3}" for k in range(3 * N)]
    collection.add([("votes.csv", "\n".join(["id,model_a,model_b,label", *votes]).encode())])
    (problem,) = collection.problems
    assert isinstance(problem, Unclear)
    found = plan._of_roles(problem)
    assert [what for what, _, _ in found] == ["0 is a tie", "0 is the first system"]
    for (_, roles, cells), outcomes in zip(found, ([0.5, 1, 0], [1, 0, 0.5]), strict=True):
        plan._say(collection, problem, "\n".join(roles), cells="\n".join(cells))
        assert not collection.problems
        assert [*collection.preferences[0].outcome] == [outcomes[k % 3] for k in range(3 * N)]
