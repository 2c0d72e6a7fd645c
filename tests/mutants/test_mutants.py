"""The tests bite: single-line changes of the code make them fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants import __main__ as mutants
from tests.mutants.changes import CHANGES, Change


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change.file}: {change.old}")
def test_each_change_can_be_made(change: Change) -> None:
    """The line is still there, once, the change changes it, and the tests exist."""
    assert (mutants.ROOT / change.file).read_text(encoding="utf-8").count(change.old) == 1
    assert change.old != change.new
    assert "\n" not in change.old + change.new
    assert all((mutants.ROOT / test).exists() for test in change.tests)


def test_the_list_is_over_every_package() -> None:
    """Readers, data, text, metrics, resampling, corrections, studies, storage and the terminal have changes each."""
    packages = {"/".join(Path(change.file).parts[:2]) for change in CHANGES}
    wanted = {
        f"sigcore/{name}" for name in ("readers", "data", "text", "metrics", "resampling", "corrections", "studies")
    }
    assert packages >= wanted | {
        "sigcore/storage",
        "sigcore/formatting.py",
        "sigboard/terminal",
    }


@pytest.mark.slow
def test_enough_changes_are_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    """At least 85 % of the changes make a test fail."""
    with capsys.disabled():
        code = mutants.main([])
    assert code == 0
