"""The example members of CONTRIBUTING.md, put where the guide says, keep every rule and every contract."""

from __future__ import annotations

import inspect
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sigcore import corrections, metrics, significance
from sigcore.metrics import extractor
from sigcore.testset import Outputs, Testset
from sigcore.types import SIDES
from tests.architecture import rules
from tests.contract import test_corrections as of_corrections
from tests.contract import test_metrics as of_metrics
from tests.contract import test_own_counts as of_own_counts
from tests.guide import ROOT, example

# What `make docs` reads.
NEEDED = ("sigcore", "sigboard", "docs", "benchmarks", "lessons", "samples", "README.md", "CONTRIBUTING.md")


def contract(module: ModuleType, *wanted: tuple[str, ...]) -> list[Callable[..., None]]:
    """The tests of a contract that take these arguments."""
    found = [one for name, one in vars(module).items() if name.startswith("test_")]
    return [one for one in found if tuple(inspect.signature(one).parameters) in wanted]


PAGES = (("metrics", "metrics.md"), ("significance", "tests.md"), ("corrections", "tests.md"))
OF_METRICS = contract(of_metrics, ("metric",))
OF_OWN_COUNTS = contract(of_own_counts, ("test",), ("test", "data"), ("test", "data", "side"))

OF_CORRECTIONS = contract(of_corrections, ("correction",), ("any_correction",), ("correction", "m"))


@pytest.mark.parametrize("family", ["metrics", "significance", "corrections"])
def test_an_example_keeps_the_rules(family: str) -> None:
    """An example imports what a member may import and ends with its record."""
    place, text = example(family)
    assert rules.broken_rows({place: text}) == []
    assert rules.unregistered({place: text}) == []


def test_the_contracts_are_found() -> None:
    """Nearly all tests of the contracts can be called with a member."""
    assert len(OF_METRICS) >= 15
    assert len(OF_OWN_COUNTS) >= 10
    assert len(OF_CORRECTIONS) >= 7


@pytest.mark.parametrize("check", OF_METRICS, ids=lambda check: check.__name__)
def test_the_metric_keeps_its_contract(check: Callable[..., None], add: Callable[..., None]) -> None:
    """The metric of the guide passes each test that every metric passes."""
    add(metrics, "word_accuracy", example("metrics")[1])
    check(metrics.get("word_accuracy"))


@pytest.mark.parametrize("check", OF_OWN_COUNTS, ids=lambda check: check.__name__)
def test_the_exact_test_keeps_its_contract(check: Callable[..., None], add: Callable[..., None]) -> None:
    """The exact test of the guide passes each test that every test with its own counts passes."""
    add(significance, "mcnemar", example("significance")[1])
    test = significance.get("mcnemar")
    data = next(choice for choice in of_own_counts.CHOICES if not of_own_counts.misfit(test.name, choice))
    given: dict[str, Any] = {"test": test, "data": data}
    names = inspect.signature(check).parameters
    for side in SIDES if "side" in names else SIDES[:1]:
        check(**{name: given.get(name, side) for name in names})


@pytest.mark.parametrize("check", OF_CORRECTIONS, ids=lambda check: check.__name__)
def test_the_correction_keeps_its_contract(check: Callable[..., None], add: Callable[..., None]) -> None:
    """The correction of the guide passes each test that every correction passes."""
    add(corrections, "hochberg", example("corrections")[1])
    names = inspect.signature(check).parameters
    for m in (1, 2, 36) if "m" in names else (1,):
        check(**{name: m if name == "m" else corrections.get("hochberg") for name in names})


def test_the_metric_scores(add: Callable[..., None]) -> None:
    """Three of five words in place, ignoring case, are 60 percent."""
    add(metrics, "word_accuracy", example("metrics")[1])
    metric = metrics.get("word_accuracy")
    testset = Testset("two segments", "text", 2, (("a b c", "d e"),))
    extract = extractor(metric, testset, metric.chosen({"lowercase": True}))
    assert extract(Outputs("A", ("A b x", "d"))).corpus_score == pytest.approx(60.0)


def test_make_docs_describes_the_examples(tmp_path: Path) -> None:
    """With the examples in place, `make docs` adds a section for each, and nothing else has to be edited."""
    for name in NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.png"))
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    for family, page in PAGES:
        place, text = example(family)
        (tmp_path / place).write_text(text, encoding="utf-8")
        assert f"(`{Path(place).stem}`)" not in (tmp_path / "docs" / page).read_text(encoding="utf-8")
    made = subprocess.run([sys.executable, "docs/make.py"], cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    for family, page in PAGES:
        assert f"(`{Path(example(family)[0]).stem}`)" in (tmp_path / "docs" / page).read_text(encoding="utf-8")
