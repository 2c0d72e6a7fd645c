"""Answers with their steps, of which the last number counts (GSM8K)."""

from __future__ import annotations

import json

import pytest

from sigcore.data import finals
from sigcore.data.checks import Finding
from sigcore.readers import Item
from tests.unit.sigcore.readers.test_files_together import collected


def counted(outputs: tuple[str, ...], right: tuple[str, ...]) -> tuple[list[str], list[str], list[Finding]]:
    findings: list[Finding] = []
    systems = [Item("A", "system", "text", outputs, "A.txt", "")]
    gold = [Item("ref", "reference", "text", right, "ref.txt", ""), Item("src", "source", "text", right, "src.txt", "")]
    kept, known = finals.counted(systems, gold, findings)
    assert known[1] == gold[1]
    return list(kept[0].segments), list(known[0].segments), findings


def test_the_last_number_of_an_output_counts() -> None:
    outputs = ("5 and 7 make 12.", "#### 7, no: #### 1,234 as 99 was wrong", "It costs $0.50.", "-3")
    kept, known, findings = counted(outputs, ("steps\n#### 12", "a\n#### 1,234", "b #### 0.5", "c #### -3"))
    assert kept == ["12", "1,234", "$0.50", "-3"]
    assert known == ["12", "1,234", "0.5", "-3"]
    assert [one.severity for one in findings] == ["note"]


def test_an_output_without_a_number_is_kept_and_noted() -> None:
    kept, _, findings = counted(("none", "v2x is no number"), ("#### 1", "#### 2"))
    assert kept == ["none", "v2x is no number"]
    assert "2 outputs have none, and cannot be right." in findings[0].what
    assert findings[0].severity == "warning"


@pytest.mark.parametrize("right", [("#### 1", "2"), ("#### 1", "#### one"), ("#### 1",), ("#### 1", "#### 2", "three")])
def test_other_references_stay(right: tuple[str, ...]) -> None:
    outputs = ("it is 1",) * len(right)
    assert counted(outputs, right) == (list(outputs), list(right), [])


def test_all_references_have_the_number() -> None:
    gold = [
        Item(name, "reference", "text", (f"{mark} 1", f"{mark} 2"), f"{name}.txt", "")
        for name, mark in (("a", "####"), ("b", "is"))
    ]
    systems = [Item("A", "system", "text", ("it is 1", "it is 3"), "A.txt", "")]
    assert finals.counted(systems, gold, []) == (systems, gold)


def test_the_column_with_marks_is_what_is_right_whatever_its_heading() -> None:
    """It was asked what it is, and BLEU of the steps was shown."""
    rows = [{"question": f"q{k}?", "answer": f"{k} and 1\n#### {k + 1}"} for k in range(12)]
    files = {
        f"{s}.jsonl": "".join(
            json.dumps({**row, "model_answer": f"So it is {k + 1 + (k % n == 0)}."}) + "\n"
            for k, row in enumerate(rows)
        )
        for s, n in (("a", 3), ("b", 2))
    }
    loaded = collected(files).loaded()
    assert loaded.texts.kind == "single words"
    assert {
        output.system: sum(map(str.__eq__, output.segments, loaded.testset.references[0])) for output in loaded.outputs
    } == {
        "a": 8,
        "b": 6,
    }
