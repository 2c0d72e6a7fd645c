"""The code follows the plan: who imports whom, no circle, members registered, errors shown in one place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.architecture import rules

ROOT = Path(__file__).resolve().parents[2]
Check = Callable[[rules.Sources], list[str]]
CHECKS: tuple[Check, ...] = (
    rules.broken_rows,
    rules.unregistered,
    rules.swallowed,
    rules.split_lines,
)


def project() -> dict[str, str]:
    """All sources of the project by path."""
    paths = [path for root in rules.ROOTS for path in (ROOT / root).rglob("*.py")]
    paths += [ROOT / f"{root}.py" for root in rules.ROOTS if (ROOT / f"{root}.py").exists()]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_project_keeps_the_rule(check: Check) -> None:
    """No file of the project breaks the rule."""
    faults = check(project())
    assert not faults, "\n".join(faults)


# (file, source): each breaks one row of the table.
BREAKS = (
    ("sigcore/errors.py", "import numpy"),
    ("sigcore/results/pair.py", "from sigcore.registry import Option"),
    ("sigcore/results/pair.py", "import pandas as pd"),
    ("sigcore/text/tokens.py", "import sacrebleu"),
    ("sigcore/testset.py", "from sigcore.readers import lines"),
    ("sigcore/registry.py", "import sigcore.metrics"),
    ("sigcore/executors.py", "from dask.distributed import Client"),
    ("sigcore/readers/lines.py", "from sigcore.metrics import get"),
    ("sigcore/metrics/bleu.py", "from sigcore.metrics import ter"),
    ("sigcore/metrics/bleu.py", "from . import ter"),
    ("sigcore/metrics/bleu.py", "from .ter import score"),
    ("sigcore/metrics/__init__.py", "from sigcore.metrics.bleu import METRIC"),
    ("sigcore/metrics/nist.py", "from sigcore.metrics.ter import METRIC"),
    ("sigcore/significance/sign.py", "def f():\n    from sigcore.metrics import get"),
    ("sigcore/tuning/mert.py", "from sigcore.tuning.pro import METHOD"),
    ("sigcore/studies/gain.py", "from sigcore.metrics.bleu import METRIC"),
    ("sigcore/studies/gain.py", "import plotly.graph_objects as go"),
    ("sigcore/project.py", "import streamlit"),
    ("sigcore/store.py", "import sqlalchemy"),
    ("sigcore/newroom/thing.py", "import math"),
    ("sigboard/questions/gain/figure.py", "from sigcore.sufficient import oriented"),
    ("sigboard/questions/gain/figure.py", "import streamlit as st"),
    ("sigboard/questions/gain/figure.py", "from sigboard.questions.size.figure import small"),
    ("sigboard/questions/gain/figure.py", "from sigboard.shell import page"),
    ("sigboard/questions/gain/page.py", "from sigcore.metrics.bleu import METRIC"),
    ("sigboard/questions/gain/page.py", "from sigboard.terminal.output import give"),
    ("sigboard/questions/gain/command.py", "from sigboard.shell.queries import matrix_run"),
    ("sigboard/render/tables.py", "import streamlit as st"),
    ("sigboard/shell/page.py", "from sigboard.questions.gain.figure import drawn"),
    ("sigboard/server/store.py", "import sqlalchemy"),
    ("pages/gain.py", "from sigcore import Testset"),
    ("pages/gain.py", "import pandas"),
    ("app.py", "import cli"),
    ("app.py", "from pages import gain"),
    ("cli.py", "from sigboard.shell import state"),
)
STANDINS = {
    f"sigcore/{name}.py": "" for name in ("metrics/__init__", "metrics/ter", "significance/__init__", "readers/lines")
} | {"sigcore/__init__.py": "", "sigcore/readers/__init__.py": "", "pages/size.py": ""}


@pytest.mark.parametrize(("path", "source"), BREAKS)
def test_broken_row_is_caught(path: str, source: str) -> None:
    """A made-up file that breaks one row gives one fault, which names the file."""
    faults = rules.broken_rows(STANDINS | {path: source})
    assert len(faults) == 1
    assert faults[0].startswith(path)


# (file, source): what the table allows on purpose.
ALLOWED = (
    ("sigcore/executors.py", "def f():\n    from dask.distributed import Client"),
    ("sigcore/metrics/meteor/__init__.py", "from sigcore.metrics.meteor.align import path"),
    ("sigcore/text/sacre.py", "import sacrebleu"),
    ("sigcore/metrics/bleu.py", "from sigcore.metrics.contract import Metric\nfrom sigcore.text import sacre"),
    ("sigcore/significance/sign.py", "from sigcore.resampling.pvalues import plus_one\nfrom scipy.stats import binom"),
    ("sigcore/studies/gain.py", "from sigcore import metrics\nfrom sigcore.studies.matrix import matrix"),
    ("sigboard/questions/gain/figure.py", "import plotly.graph_objects as go\nfrom sigcore import metrics"),
    ("sigboard/questions/gain/page.py", "import streamlit as st\nfrom sigboard.questions.gain.figure import drawn"),
    ("sigboard/questions/gain/command.py", "import argparse\nimport sigcore\nfrom sigboard.render import tables"),
    ("pages/gain.py", "from sigboard.questions.gain.page import show"),
)


@pytest.mark.parametrize(("path", "source"), ALLOWED)
def test_allowed_import_passes(path: str, source: str) -> None:
    """What the plan allows is not a fault."""
    assert rules.broken_rows(STANDINS | {path: source}) == []


def test_known_breaks_are_there() -> None:
    """Every import that the table does not allow, and that is known, is still there."""
    found = {(item.importer, item.target) for item in rules.imports(project())}
    assert sorted(rules.KNOWN_BREAKS - found) == []


def test_no_circle_is_new() -> None:
    """The modules that import each other are those of the list, imports for type checkers included."""
    assert rules.circles(project()) == sorted(rules.KNOWN_CIRCLES)


def test_circle_is_caught() -> None:
    """A circle over three modules is found once, also where an import is for type checkers only or inside a function."""
    chain = {"sigboard/shell/d.py": "from sigboard.shell import a"}
    chain |= {f"sigboard/shell/{a}.py": f"def f():\n    from sigboard.shell.{b} import x" for a, b in ("ab", "bc")}
    assert rules.circles(chain | {"sigboard/shell/c.py": ""}) == []
    typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from sigboard.shell import a"
    assert rules.circles(chain | {"sigboard/shell/c.py": typed}) == [
        ("sigboard.shell.a", "sigboard.shell.b", "sigboard.shell.c")
    ]


@pytest.mark.parametrize("source", ["X = 1", "METRIC = 1\nX = 2", "METRIC = 1\nMETRIC = 2", "TEST = 1"])
def test_unregistered_member_is_caught(source: str) -> None:
    """A member file without its record, with two, or with something after it, is a fault."""
    assert len(rules.unregistered({"sigcore/metrics/new.py": source})) == 1
    assert len(rules.unregistered({"sigcore/metrics/new/__init__.py": source})) == 1


def test_registered_members_pass() -> None:
    """A record at the end is enough, and the contract and the public API need none."""
    paths = ("sigcore/metrics/contract.py", "sigcore/metrics/__init__.py", "sigcore/text/tokens.py")
    sources = {"sigcore/corrections/holm.py": "X = 1\nCORRECTION: object = X"} | dict.fromkeys(paths, "X = 1")
    sources |= {"sigcore/metrics/new/__init__.py": "METRICS = (1, 2)", "sigcore/metrics/new/part.py": "X = 1"}
    assert rules.unregistered(sources) == []


@pytest.mark.parametrize(
    "caught", ["", "Exception", "BaseException as e", "(ValueError, Exception)", "errors.SigError"]
)
def test_swallowed_error_is_caught(caught: str) -> None:
    """Only the page frame (and the jobs, which raise it again) catches everything or shows a SigError."""
    source = f"try:\n    f()\nexcept {caught}:\n    pass"
    assert len(rules.swallowed({"sigcore/studies/gain.py": source})) == 1
    assert rules.swallowed({"sigboard/shell/page.py": source}) == []


def test_specific_raised_or_kept_passes() -> None:
    """A child of SigError may be caught; SigError too where it is raised again or, in sigcore, kept in a list."""
    raised = "try:\n    f()\nexcept ReadError:\n    pass\nexcept SigError as e:\n    e.where = 'x'\n    raise"
    kept = "try:\n    f()\nexcept SigError as problem:\n    problems.append(problem)"
    assert rules.swallowed({"sigcore/metrics/contract.py": raised, "sigcore/readers/lines.py": kept}) == []
    assert len(rules.swallowed({"pages/data.py": kept})) == 1


def test_split_lines_is_caught() -> None:
    """splitlines() in a reader is a fault, but not elsewhere."""
    source = "lines = text.splitlines()"
    assert len(rules.split_lines({"sigcore/readers/lines.py": source, "sigboard/reports/tex.py": source})) == 1
