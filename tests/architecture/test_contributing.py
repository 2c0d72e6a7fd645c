"""The example metric of CONTRIBUTING.md, put into a copy of the project as the guide says, is a good member."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sigcore.metrics import extractor
from sigcore.testset import Outputs, Testset
from tests.architecture import rules

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "CONTRIBUTING.md"
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "shots", "build", "dist", "*.egg-info")


def example() -> str:
    """The first Python block of the guide."""
    block = re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    return block[1]


def place() -> str:
    """Where the guide puts it."""
    named = re.search(r"Then add one file, for example `(sigcore/metrics/\w+\.py)`", GUIDE.read_text(encoding="utf-8"))
    assert named is not None
    return named[1]


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
    sources = {place(): example()}
    assert rules.broken_rows(sources) == []
    assert rules.unregistered(sources) == []


def run(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command of Python in a copy of the project."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([sys.executable, *command], cwd=project, env=environment, capture_output=True, text=True)


def test_one_file_and_make_docs_are_enough(tmp_path: Path) -> None:
    """The example in place and the docs generated again: the contract tests of the new metric and the checks of the
    docs pass, and nothing else was edited."""
    project = tmp_path / "project"
    shutil.copytree(ROOT, project, ignore=LEFT_OUT)
    (project / place()).write_text(example(), encoding="utf-8")
    made = run(project, "docs/make.py")
    assert made.returncode == 0, made.stderr
    assert "(`word_accuracy`)" in (project / "docs" / "metrics.md").read_text(encoding="utf-8")
    contract = run(project, "-m", "pytest", "tests/contract/test_metrics.py", "-k", "word_accuracy")
    assert contract.returncode == 0, contract.stdout + contract.stderr
    passed = re.search(r"(\d+) passed", contract.stdout)
    assert passed is not None
    assert int(passed[1]) >= 20
    plan = run(project, "-m", "pytest", "tests/architecture/test_docs.py", "tests/architecture/test_imports.py")
    assert plan.returncode == 0, plan.stdout + plan.stderr
