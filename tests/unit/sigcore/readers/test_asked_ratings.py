"""Ratings by people pass the gate of scores, and what is printed about them is read; pairwise judgments are no ratings."""

from __future__ import annotations

import pytest

from sigcore.readers import Intake, Unclear, read_ratings
from tests.made_tables import SYSTEMS, N, of_people, rows


def intake(text: str, **options: str) -> Intake:
    return read_ratings([("people.csv", text.encode())], options or None)


# Columns that are no systems.

BATCH = rows(
    "HITId,MaxAssignments,AutoApprovalDelayInSeconds,WorkTimeInSeconds,Answer.sum1rank,Answer.sum2rank",
    *(f"h{k},3,172800,{20 + k * 7 % 90},{k % 3 + 1},{(k + 1) % 3 + 1}" for k in range(N)),
)


def test_the_columns_of_a_batch_are_no_systems() -> None:
    """The same number in every row, and times, are asked about: they were ranked as systems."""
    found = intake(BATCH)
    assert not found.judgments
    (problem,) = found.problems
    assert isinstance(problem, Unclear)
    roles = {claim.column: claim.role for claim in problem.claims}
    assert roles["MaxAssignments"] == roles["AutoApprovalDelayInSeconds"] == "ignored"


def test_a_column_for_each_system_is_still_read() -> None:
    text = rows("id,A,B", *(f"q{k},{k % 5 + 1},{(k + 2) % 5 + 1}" for k in range(N)))
    (people,) = intake(text).judgments
    assert of_people(people, "rating") == {
        "A": pytest.approx(sum(k % 5 + 1 for k in range(N)) / N),
        "B": pytest.approx(sum((k + 2) % 5 + 1 for k in range(N)) / N),
    }


# What a command says.


def test_words_of_ratings_mean_what_somebody_says() -> None:
    lines = (f"q{k},{s},{'yes' if (k + i) % 3 else 'no'}" for k in range(N) for i, s in enumerate(SYSTEMS))
    text = rows("bbcid,system,is_factual", *lines)
    (people,) = intake(text, columns="bbcid=question\nsystem=system\nis_factual=score", cells="yes=1\nno=0").judgments
    assert of_people(people, "is_factual") == {
        s: pytest.approx(sum((k + i) % 3 > 0 for k in range(N)) / N) for i, s in enumerate(SYSTEMS)
    }


def test_words_of_known_ratings_mean_what_somebody_says() -> None:
    """Every heading is known, so nothing but the words is said."""
    lines = (f"j,{s},q{k},{'good' if (k + i) % 3 else 'bad'}" for k in range(N) for i, s in enumerate(SYSTEMS))
    (people,) = intake(rows("judge,system,segment,score", *lines), cells="good=1\nbad=0").judgments
    assert of_people(people, "quality")["B"] == pytest.approx(sum((k + 1) % 3 > 0 for k in range(N)) / N)


SEVERAL = rows(
    "key,id,correct,plain",
    *(f"{s},q{k},{(k + i) % 5},{(k * 3 + i) % 7}" for k in range(N) for i, s in enumerate(SYSTEMS)),
)
SAID = {"columns": "key=system\nid=question\ncorrect=score\nplain=score"}


def test_several_columns_of_scores_are_as_many_dimensions() -> None:
    (people,) = intake(SEVERAL, **SAID).judgments
    assert set(people.dimensions) == {"correct", "plain"}
    assert of_people(people, "plain")["B"] == pytest.approx(sum((k * 3 + 1) % 7 for k in range(N)) / N)
    assert of_people(people, "correct")["C"] == pytest.approx(sum((k + 2) % 5 for k in range(N)) / N)


@pytest.mark.parametrize(
    ("heading", "more", "dimension"),
    [("simplicity", {}, "simplicity"), ("score", {}, "quality"), ("simplicity", {"dimension": "ease"}, "ease")],
)
def test_what_was_rated_is_the_heading_of_the_scores(heading: str, more: dict[str, str], dimension: str) -> None:
    """A heading that says score says nothing, and an option says it better."""
    text = SEVERAL.replace("correct", heading).replace(",plain", ",plain_words")
    options = {"columns": f"key=system\nid=question\n{heading}=score\nplain_words=ignored", **more}
    (people,) = intake(text, **options).judgments
    assert list(people.dimensions) == [dimension]


def test_a_column_of_dimensions_has_one_column_of_scores() -> None:
    lines = (f"{s},q{k},fluency,{k % 5},{k % 3}" for k in range(N) for s in SYSTEMS)
    both = rows("key,id,criterion,one,other", *lines)
    (refused,) = intake(both, columns="key=system\nid=question\none=score\nother=score").problems
    assert "one, other are scores, and criterion says what was rated." in refused.what


# What is missing.


def test_a_table_without_systems_says_what_it_lacks() -> None:
    text = rows("source,output,rating", *(f"text {k % 4} is here,words {k} there,{k % 5}" for k in range(N)))
    problem = intake(text).problems[0]
    assert isinstance(problem, Unclear)
    assert "no column is known to name the system" in problem.what
    assert problem.fix.startswith("No column can name the systems: add one, headed system")
    assert "system" not in {claim.role for claim in problem.claims}


def test_a_reading_that_a_search_finds_comes_before_what_is_missing() -> None:
    """Raters, items and systems cross, so the column that is left has the ratings."""
    lines = (f"{k},{s},{r},{(k * 3 + i + r) % 5 - 2}" for k in range(N) for i, s in enumerate(SYSTEMS) for r in (1, 2))
    problem = intake(rows("sent_id,sys_name,rater_id,simplicity_of_text", *lines)).problems[0]
    assert isinstance(problem, Unclear)
    assert "If sys_name names the systems, and sent_id the questions: --columns sys_name=system" in problem.fix
    assert "RATING=score" not in problem.fix


@pytest.mark.parametrize(
    ("head", "known"), [("model_a,model_b,winner", True), ("links,rechts,wer gewinnt", False)], ids=["known", "said"]
)
def test_pairwise_judgments_are_no_ratings(head: str, known: bool) -> None:
    """By their headings, or as somebody says; the command for them is named."""
    pairs = [("x", "y"), ("y", "z"), ("z", "x")] * 8
    lines = (f"q{k},{a},{b},{a if k % 4 else b}" for k, (a, b) in enumerate(pairs))
    parts = dict(zip(head.split(","), ("first", "second", "winner"), strict=True))
    said = {} if known else {"columns": "\n".join(f"{name}={part}" for name, part in parts.items())}
    found = intake(rows(f"question_id,{head}", *lines), **said)
    (problem,) = found.problems
    assert problem.what == "It holds pairwise judgments (which of two is better), not ratings."
    assert "sigboard pairwise" in problem.fix
    assert (found.judgments, found.preferences) == ((), ())
