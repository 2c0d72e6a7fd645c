"""The order of systems where their statistics are known already."""

from __future__ import annotations

from sigcore import Outputs, Testset, best_first
from sigcore.studies import matrix
from sigcore.study import Runtime, Study

REFERENCE = ("a small red boat in the harbour of the town", "another one , two and three of them") * 4
TESTSET = Testset("small", "text", len(REFERENCE), (REFERENCE,))
WORST = Outputs("worst", ("nothing of the sort is said here at all",) * len(REFERENCE))
BEST = Outputs("best", REFERENCE)
MIDDLE = Outputs("middle", tuple(text.replace("red", "blue") for text in REFERENCE))
SYSTEMS = (WORST, BEST, MIDDLE)


def test_nothing_is_extracted_for_the_order() -> None:
    """While any system's statistics are missing there is no order, and the cache stays as it is."""
    cache: dict = {}
    assert best_first(TESTSET, SYSTEMS, "bleu", {}, cache) is None
    matrix.run(Study(TESTSET, SYSTEMS[:2], (("bleu", {}),), resamples=10), runtime=Runtime(cache=cache))
    assert best_first(TESTSET, SYSTEMS, "bleu", {}, cache) is None
    assert len(cache) == 2


def test_the_best_comes_first_whichever_way_is_better() -> None:
    """Known systems stand from best to worst, for TER too; another setting of the metric is not known by this one."""
    cache: dict = {}
    for name in ("bleu", "ter"):
        matrix.run(Study(TESTSET, SYSTEMS, ((name, {}),), resamples=10), runtime=Runtime(cache=cache))
        found = best_first(TESTSET, SYSTEMS, name, {}, cache)
        assert [outputs.system for outputs in found or ()] == ["best", "middle", "worst"]
    assert best_first(TESTSET, SYSTEMS, "bleu", {"tokenize": "char"}, cache) is None
