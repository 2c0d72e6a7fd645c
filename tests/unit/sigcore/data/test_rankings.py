"""Runs and judgments from files to a test set: the judged questions, and what is 0, left out, or refused."""

from __future__ import annotations

import pytest

from sigcore import metrics
from sigcore.data import Collection, word_rows
from sigcore.data.assembly import Loaded
from sigcore.errors import SigError
from sigcore.metrics import extractor
from sigcore.types import Missing

QUESTIONS = [f"q{k}" for k in range(40)]
QRELS = "".join(f"{q} 0 d1 1\n{q} 0 d2 0\n{q} 0 d3 2\n" for q in QUESTIONS)


def run(order: str, questions: list[str] = QUESTIONS) -> str:
    """A run that orders the documents so for all questions."""
    return "".join(f"{q} Q0 {d} {k} {9 - k} tag\n" for q in questions for k, d in enumerate(order.split(), 1))


A, B = run("d3 d1 d2"), run("d2 d1 d3")


def loaded(*files: tuple[str, str], missing: Missing = "refuse") -> Loaded:
    """What the files make."""
    collection = Collection()
    collection.add([(name, text.encode()) for name, text in files])
    assert collection.problems == ()
    return collection.loaded(missing)


def told(found: Loaded, severity: str) -> list[str]:
    return [finding.what for finding in found.of(severity)]  # type: ignore[arg-type]


def mean(found: Loaded, system: int, metric: str = "ndcg") -> float:
    """The score of a system."""
    assert found.testset is not None
    member = metrics.get(metric)
    return extractor(member, found.testset, member.chosen())(found.outputs[system]).corpus_score


def test_runs_and_judgments_make_a_test_set() -> None:
    """Nothing is asked; the usual metric is nDCG@10."""
    found = loaded(("A.run", A), ("qrels.txt", QRELS), ("B.run", B))
    assert told(found, "error") == told(found, "warning") == []
    assert found.testset is not None
    assert (found.testset.kind, found.testset.n, found.ids) == ("rankings", 40, tuple(QUESTIONS))
    assert metrics.usual("rankings") == "ndcg"
    assert mean(found, 0) == pytest.approx(1)
    assert mean(found, 1, "reciprocal_rank") == 0.5


def test_questions_in_another_order_are_matched_and_others_left_out() -> None:
    """Ids match them. A question without judgments is left out, and that is said."""
    turned = run("d3 d1 d2", ["x1", *QUESTIONS[::-1]])
    found = loaded(("A.run", turned), ("qrels.txt", QRELS), ("B.run", B))
    assert told(found, "error") == []
    assert found.testset is not None
    assert found.testset.n == 40
    assert mean(found, 0) == pytest.approx(1)
    assert "1 question of A without judgments was left out, as in trec_eval." in told(found, "note")


def test_questions_that_a_run_lacks_are_0_or_left_out_for_all() -> None:
    """As with trec_eval -c, and said; with "drop" the others are compared."""
    files = ("A.run", run("d3 d1 d2", QUESTIONS[:30])), ("qrels.txt", QRELS), ("B.run", B)
    found = loaded(*files)
    assert mean(found, 0) == pytest.approx(0.75)
    assert "A lacks 10 of 40 judged questions, which count as 0 (trec_eval -c)." in told(found, "warning")
    assert found.gaps
    found = loaded(*files, missing="drop")
    assert found.testset is not None
    assert found.testset.n == 30
    assert mean(found, 0) == pytest.approx(1)
    assert "10 of 40 judged questions are not in every run; they are left out for all systems." in told(found, "note")
    assert found.gaps


def test_questions_that_no_run_has_are_said() -> None:
    """Judgments of more questions than were asked lower every score."""
    some = QUESTIONS[:32]
    found = loaded(("A.run", run("d3 d1 d2", some)), ("qrels.txt", QRELS), ("B.run", run("d2 d1 d3", some)))
    (what,) = told(found, "warning")
    assert what == "8 judged questions are in no run, and 0 for all (trec_eval -c): scores are lower."


def test_a_question_without_relevant_documents_is_0_for_all() -> None:
    """As in trec_eval, and said."""
    found = loaded(
        ("A.run", A), ("qrels.txt", QRELS.replace("q3 0 d1 1\nq3 0 d2 0\nq3 0 d3 2", "q3 0 d1 0")), ("B.run", B)
    )
    assert "1 question has no relevant document, and 0 for all, as in trec_eval." in told(found, "note")
    assert mean(found, 0) == pytest.approx(39 / 40)


def test_a_run_of_other_questions_or_documents_is_refused() -> None:
    """No shared question, or no judged document, is another collection; the others are compared."""
    other = run("d3 d1 d2", [f"t{k}" for k in range(40)])
    found = loaded(("A.run", A), ("qrels.txt", QRELS), ("B.run", B), ("C.run", other))
    assert told(found, "error") == ["C has no question of qrels: it has t0, the judgments have q0."]
    assert [item.system for item in found.outputs] == ["A", "B"]
    with pytest.raises(SigError, match="no question of qrels"):
        found.sound()
    found = loaded(("A.run", A), ("qrels.txt", QRELS), ("B.run", B), ("C.run", run("x1 x2")))
    assert told(found, "error") == ["No document of C is judged: it has x1, the judgments have d3."]


def test_judgments_are_needed_and_only_one_file_of_them() -> None:
    """Runs alone cannot be scored; a second file of judgments must be ignored by a person."""
    assert told(loaded(("A.run", A), ("B.run", B)), "error") == ["There is no reference to score the runs against."]
    found = loaded(("A.run", A), ("qrels.txt", QRELS), ("B.run", B), ("old.qrels", QRELS.replace("d3 2", "d3 1")))
    assert told(found, "error") == ["Two files of judgments are loaded; old is not used."]
    same = loaded(("A.run", A), ("qrels.txt", QRELS), ("B.run", B), ("old.qrels", QRELS))
    assert told(same, "error") == []


def test_documents_that_nobody_judged_are_said() -> None:
    """A system with other documents than were judged looks worse than it is."""
    found = loaded(("A.run", A), ("qrels.txt", QRELS), ("B.run", run("x1 d1 d3")))
    assert "Documents among the first 10 without a judgment count as not relevant: A 0%, B 33%." in told(
        found, "warning"
    )


def test_one_document_without_a_judgment_is_all_of_them() -> None:
    """Where only one question is in every run, and a run has a single document for it."""
    few = run("d1", ["q0"]) + run("x1", ["q1"])
    found = loaded(("A.run", few), ("qrels.txt", QRELS), ("B.run", run("d1", ["q1"])), missing="drop")
    assert "Documents among the first 10 without a judgment count as not relevant: A 100%, B 0%." in told(
        found, "warning"
    )


def test_one_row_for_each_rank() -> None:
    """Documents with their judgments; what is not relevant is marked."""
    rows = word_rows("rankings", "a\t2\nb\t0", {"A": "a\nc", "B": "b"})
    assert rows == [
        {"word": "1", "reference": "a (2)", "A": "a (2)", "B": "≠ b (0)"},
        {"word": "2", "reference": "b (0)", "A": "≠ c (-)", "B": ""},
    ]
