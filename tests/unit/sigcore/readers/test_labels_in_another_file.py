"""Predicted labels in one file and what is right in another; and that rows of a table that is asked about may be means."""

from __future__ import annotations

import shlex
from collections.abc import Callable

import pytest

from sigcore.readers import Choice, Intake, Unclear, read
from sigcore.readers.tables.unclear import MEANS
from tests.made_tables import rows

N = 30
WORDS, MARKS = ("up", "down"), ("1", "0")


def right(k: int, labels: tuple[str, str] = WORDS) -> str:
    return labels[k % 3 == 0]


def made(k: int, every: int, labels: tuple[str, str] = WORDS) -> str:
    """The label of a system that is wrong in each row of `every`."""
    return labels[(k % 3 == 0) != (k % every == 0)]


def wide(labels: tuple[str, str]) -> str:
    return rows("id,A,B", *(f"q{k},{made(k, 5, labels)},{made(k, 2, labels)}" for k in range(N)))


def long(labels: tuple[str, str]) -> str:
    own = ((name, k, made(k, every, labels)) for name, every in (("A", 5), ("B", 2)) for k in range(N))
    return rows("id,model,prediction", *(f"q{k},{name},{label}" for name, k, label in own))


def gold(labels: tuple[str, str], back: bool = False, extra: str = "") -> str:
    order = reversed(range(N)) if back else range(N)
    return rows("id,date,label", *(f"q{k},2025-01-01,{right(k, labels)}" for k in order)) + extra


def both(outputs: str, labels: str, roles: tuple[tuple[str, str], ...] = (), **options: str) -> Intake:
    files = [("outputs.csv", outputs.encode()), ("labels.csv", labels.encode())]
    return read(files, every=Choice(options=options) if options else None, roles=roles)


def asked(found: Intake) -> Unclear:
    (problem,) = found.problems
    assert isinstance(problem, Unclear)
    return problem


def accuracy(found: Intake) -> dict[str, float]:
    """The share of right labels of each system, question by question: a slow, obvious count."""
    assert not found.problems, found.problems
    (reference,) = [one for one in found.items if one.role == "reference"]
    known = dict(zip(reference.keys, reference.segments, strict=True))
    systems = [one for one in found.items if one.role == "system"]
    assert {one.kind for one in (reference, *systems)} == {"text"}
    return {
        one.name: sum(label == known[key] for key, label in zip(one.keys, one.segments, strict=True)) / N
        for one in systems
    }


SHARES = {"A": 0.8, "B": 0.5}


@pytest.mark.parametrize("labels", [WORDS, MARKS])
@pytest.mark.parametrize("outputs", [wide, long])
@pytest.mark.parametrize("back", [False, True])
def test_two_files_are_joined_by_their_ids(
    outputs: Callable[[tuple[str, str]], str], labels: tuple[str, str], back: bool
) -> None:
    (problem,) = both(outputs(labels), gold(labels, back)).problems
    columns = "\n".join(shlex.split(problem.fix.partition("--columns ")[2].rstrip(".")))
    assert accuracy(both(outputs(labels), gold(labels, back), columns=columns)) == SHARES


@pytest.mark.parametrize("labels", [WORDS, MARKS])
def test_a_file_that_is_given_as_reference_is_joined_too(labels: tuple[str, str]) -> None:
    """0 and 1 were scores of the systems, and the reference was set aside with a note."""
    problem = asked(both(wide(labels), gold(labels), roles=(("labels.csv", "reference"),)))
    ((_, command),) = problem.ways
    assert {"A=text", "B=text", "label=reference", "date=ignored"} <= {*shlex.split(command)}


@pytest.mark.parametrize(("labels", "may_be_scores"), [(WORDS, False), (MARKS, True), (("2", "1"), False)])
def test_marks_may_be_scores(labels: tuple[str, str], may_be_scores: bool) -> None:
    problem = asked(both(wide(labels), gold(labels)))
    assert ("If 1 is right and 0 is wrong, leave labels.csv out." in problem.why) == may_be_scores


def test_a_file_called_predictions_is_joined_too() -> None:
    """Its 0 and 1 were asked about alone, and both answers compared their means."""
    files = [("preds.csv", wide(MARKS).encode()), ("gold.csv", gold(MARKS).encode())]
    (problem,) = read(files).problems
    assert isinstance(problem, Unclear)
    columns = "\n".join(shlex.split(problem.ways[0][1]))
    assert accuracy(read(files, every=Choice(options={"columns": columns}))) == SHARES


def test_each_column_that_may_be_right_is_offered() -> None:
    labels = rows("id,label_a,label_b", *(f"q{k},{right(k)},{made(k, 7)}" for k in range(N)))
    ways = asked(both(wide(WORDS), labels)).ways
    assert [what for what, _ in ways] == ["label_a is what is right for A, B", "label_b is what is right for A, B"]
    assert "label_b=ignored" in ways[0][1]
    assert "label_a=ignored" in ways[1][1]


@pytest.mark.parametrize("labels", [WORDS, MARKS])
@pytest.mark.parametrize("role", ["system", "text"])
def test_what_somebody_says_joins_them(role: str, labels: tuple[str, str]) -> None:
    """A date and a second label beside what is right were rivals of the systems."""
    second = rows(
        "id,date,label,label_2", *(f"q{k},2025-01-01,{right(k, labels)},{right(k, labels)}" for k in range(N))
    )
    found = both(wide(labels), second, columns=f"id=question\nA={role}\nB={role}\nlabel=reference")
    assert accuracy(found) == SHARES


def test_systems_with_other_words_are_not_compared_with_what_is_right() -> None:
    """Scores beside a reference of words stay scores."""
    text = rows("id,A,B", *(f"q{k},0.{k % 7},0.{k % 5}" for k in range(N)))
    found = both(text, gold(WORDS), columns="id=question\nA=system\nB=system\nlabel=reference")
    assert {one.kind for one in found.items if one.role == "system"} == {"scores"}


@pytest.mark.parametrize(
    "labels",
    [
        rows("id,label", *(f"r{k},{right(k)}" for k in range(N))),  # other questions
        rows("id,label", *(f"q{k % 5},{right(k)}" for k in range(N))),  # ids that come again
        rows("id,label", *(f"q{k},{('left', 'out')[k % 2]}" for k in range(N))),  # other labels
        rows("id,label", *(f"q{k},label {k}" for k in range(N))),  # another one for each question
        rows("id,group", *(f"q{k},{right(k)}" for k in range(N))),  # nothing says that it is right
    ],
)
def test_files_that_do_not_belong_together_are_not_joined(labels: str) -> None:
    assert not any("what is right in" in str(problem) for problem in both(wide(WORDS), labels).problems)


def test_files_with_labels_of_their_own_are_not_joined() -> None:
    own = rows("id,label,predicted", *(f"q{k},{right(k)},{made(k, 5)}" for k in range(N)))
    assert not any("what is right in" in str(problem) for problem in both(own, own).problems)


def test_texts_side_by_side_are_called_by_their_headings() -> None:
    found = both(wide(WORDS), gold(WORDS), columns="id=question\nA=text\nB=text\nlabel=reference\ndate=ignored")
    assert sorted(one.name for one in found.items if one.role == "system") == ["A", "B"]


# Rows that may be means.


MEAN = rows("setting,mode,accuracy", *(f"s{k % 3},m{k % 4},0.{k + 10}" for k in range(12)))


def test_rows_may_be_means() -> None:
    (problem,) = read([("t.csv", MEAN.encode())]).problems
    assert isinstance(problem, Unclear)
    assert problem.means == MEANS
    assert str(problem).count(MEANS) == 1


@pytest.mark.parametrize(
    "text",
    [
        MEAN.replace("mode", "question"),  # each row names a question
        rows("setting,mode,accuracy", *(f"s{k % 3},m{k % 4},{k % 2}" for k in range(12))),  # no fractions
        rows("setting,mode,thing", *(f"s{k % 3},m{k % 4},0.{k + 10}" for k in range(12))),  # no measure
        rows("setting,mode,accuracy", *(f"s{k % 3},m{k % 40},0.{k + 100}" for k in range(120))),  # many rows
    ],
)
def test_others_are_hardly_means(text: str) -> None:
    assert not any(MEANS in str(problem) for problem in read([("t.csv", text.encode())]).problems)


# Choices and their key, files of a system each.


def choices(every: int) -> str:
    """The number of the answer that a system chose, and how sure it was."""
    return rows("id,prediction,score", *(f"q{k},{(k % 4 + (k % every == 0)) % 4},0.{k % 9}" for k in range(N)))


@pytest.mark.parametrize("said", [{}, {"columns": "id=question\nprediction=text\nanswer=reference"}])
def test_each_file_of_a_system_is_compared_with_the_key(said: dict[str, str]) -> None:
    """How sure a system was of its choice was its score, and the numbers of choices were averaged."""
    key = rows("id,question,answer", *(f"q{k},what is {k}?,{k % 4}" for k in range(N)))
    files = [(name, text.encode()) for name, text in (("A.csv", choices(5)), ("B.csv", choices(2)), ("key.csv", key))]
    found = read(files, every=Choice(options=said) if said else None)
    if not said:
        assert [problem.fix for problem in found.problems] == [found.problems[0].fix] * 2
        columns = "\n".join(shlex.split(found.problems[0].fix.partition("--columns ")[2].rstrip(".")))
        assert {"prediction=text", "answer=reference", "score=ignored"} <= {*columns.split("\n")}
        found = read(files, every=Choice(options={"columns": columns}))
    assert accuracy(found) == SHARES


def test_ids_join_the_files_and_no_numbers_of_rows() -> None:
    """Each file counts its own rows, which was taken for the question."""
    order = [7 * k % N for k in range(N)]
    outputs = rows("row,id,A,B", *(f"{i},q{k},{made(k, 5)},{made(k, 2)}" for i, k in enumerate(order)))
    labels = rows("row,id,label", *(f"{k},q{k},{right(k)}" for k in range(N)))
    (problem,) = both(outputs, labels).problems
    columns = "\n".join(shlex.split(problem.fix.partition("--columns ")[2].rstrip(".")))
    assert {"id=question", "row=ignored"} <= {*columns.split("\n")}
    assert accuracy(both(outputs, labels, columns=columns)) == SHARES


def test_an_id_may_be_called_key() -> None:
    """It was taken for the key of the answers, so that neither file had predictions alone."""
    outputs, labels = (text.replace("id,", "key,", 1) for text in (wide(WORDS), gold(WORDS)))
    (problem,) = both(outputs, labels).problems
    columns = "\n".join(shlex.split(problem.fix.partition("--columns ")[2].rstrip(".")))
    assert "key=question" in columns.split("\n")
    assert accuracy(both(outputs, labels, columns=columns)) == SHARES
