"""The example members of CONTRIBUTING.md, put into a copy of the project as the guide says, are good members."""

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
from tests.guide import ROOT, example

# The page that lists the members of a family, their contract tests, and how many of these a new member passes at least.
CONTRACTS = {
    "metrics": ("metrics.md", "tests/contract/test_metrics.py", 23),
    "significance": ("tests.md", "tests/contract/test_own_counts.py", 19),
    "corrections": ("tests.md", "tests/contract/test_corrections.py", 11),
}
CHECKS, EXAMPLES = ("test_docs", "test_imports"), "test_python_of_the_readme_runs"  # which no new member changes
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "shots", "build", "dist", "*.egg-info")


def test_example_scores() -> None:
    """Three of five words in place, ignoring case, are 60 percent."""
    module: dict[str, Any] = {}
    exec(compile(example("metrics")[1], "word_accuracy.py", "exec"), module)
    metric = module["METRIC"]
    testset = Testset("two segments", "text", 2, (("a b c", "d e"),))
    extract = extractor(metric, testset, metric.chosen({"lowercase": True}))
    assert extract(Outputs("A", ("A b x", "d"))).corpus_score == pytest.approx(60.0)


@pytest.mark.parametrize("family", CONTRACTS)
def test_example_keeps_the_rules(family: str) -> None:
    """An example imports what a member may import and ends with its record."""
    place, text = example(family)
    assert rules.broken_rows({place: text}) == []
    assert rules.unregistered({place: text}) == []


def run(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command of Python in a copy of the project."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([sys.executable, *command], cwd=project, env=environment, capture_output=True, text=True)


def test_one_file_and_make_docs_are_enough(tmp_path: Path) -> None:
    """The examples in place, one file each, and the docs generated again: the contract tests of the new members and the checks
    of the docs pass, and nothing else was edited."""
    project = tmp_path / "project"
    shutil.copytree(ROOT, project, ignore=LEFT_OUT)
    names = {}
    for family in CONTRACTS:
        place, text = example(family)
        (project / place).write_text(text, encoding="utf-8")
        names[family] = Path(place).stem
    made = run(project, "docs/make.py")
    assert made.returncode == 0, made.stderr
    files = [contract for _, contract, _ in CONTRACTS.values()]
    chosen = f"({' or '.join([*names.values(), *CHECKS])}) and not {EXAMPLES}"
    checks = [f"tests/architecture/{name}.py" for name in CHECKS]
    tried = run(project, "-m", "pytest", "-vv", *files, *checks, "-k", chosen)
    assert tried.returncode == 0, tried.stdout + tried.stderr
    for family, (page, contract, fewest) in CONTRACTS.items():
        assert f"(`{names[family]}`)" in (project / "docs" / page).read_text(encoding="utf-8")
        passed = re.findall(rf"^{re.escape(contract)}::.*{names[family]}.* PASSED", tried.stdout, re.MULTILINE)
        assert len(passed) >= fewest
    for check in checks:
        assert f"{check}::" in tried.stdout
