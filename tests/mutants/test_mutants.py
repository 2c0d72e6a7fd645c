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


def test_the_copy_holds_what_the_tests_import(tmp_path: Path) -> None:
    """Every package, whatever its name: a folder that is left out makes all tests fail without any change."""
    root = mutants.copied(tmp_path)
    modules = [
        path.relative_to(mutants.ROOT)
        for name in ("sigcore", "sigboard")
        for path in (mutants.ROOT / name).rglob("*.py")
    ]
    assert [str(path) for path in modules if not (root / path).exists()] == []


@pytest.mark.slow
def test_enough_changes_are_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    """At least 85% of the changes make a test fail."""
    with capsys.disabled():
        code = mutants.main([])
    assert code == 0
