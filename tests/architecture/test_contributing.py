"""The example of CONTRIBUTING.md is a working metric."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sigcore.metrics import extractor
from sigcore.testset import Outputs, Testset
from tests.architecture import rules

GUIDE = Path(__file__).resolve().parents[2] / "CONTRIBUTING.md"


def example() -> str:
    """The first Python block of the guide."""
    block = re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    return block[1]


def test_example_scores() -> None:
    """Three of five words in place, ignoring case, are 60 percent."""
    module: dict[str, Any] = {}
    exec(compile(example(), "word_accuracy.py", "exec"), module)
    metric = module["METRIC"]
    testset = Testset("two segments", "text", 2, (("a b c", "d e"),))
    extract = extractor(metric, testset, metric.chosen({"lowercase": True}))
    assert extract(Outputs("A", ("A b x", "d"))).corpus_score == pytest.approx(60.0)


def test_example_keeps_the_rules() -> None:
    """The example imports what a metric may import and ends with its record."""
    sources = {"sigcore/metrics/word_accuracy.py": example()}
    assert rules.broken_rows(sources) == []
    assert rules.unregistered(sources) == []
