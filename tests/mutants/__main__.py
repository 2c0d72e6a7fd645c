"""Makes each change in a copy of the project and runs its tests: `python -m tests.mutants [PART OF A FILE NAME ...]`.

The tests must fail, and they must pass without the change. The exit code is 0 if at least LEAST of the changes fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.changes import CHANGES, Change

ROOT = Path(__file__).resolve().parents[2]
LEAST = 0.85
LIMIT = 1800  # seconds, against a hang only
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "shots")
TESTS_FAILED = 1  # pytest's exit code; others mean that the tests could not be run


def copied(folder: Path) -> Path:
    """A copy of the project without its caches; all changes are made in this one, so kernels are compiled once."""
    shutil.copytree(ROOT, folder / "copy", ignore=LEFT_OUT)
    return folder / "copy"


def environment() -> dict[str, str]:
    """The settings of a run of the tests in a copy: no compiled files, the same examples each time."""
    return os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "CI": "true"}


def run(root: Path, tests: Sequence[str]) -> int:
    """The exit code of these tests, stopped at the first failure."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests]
    return subprocess.run(
        command, cwd=root, env=environment(), capture_output=True, timeout=LIMIT, check=False
    ).returncode


def is_noticed(root: Path, change: Change) -> bool:
    """Whether the tests fail with the change; the copy is as before afterwards.

    Raises: ValueError where the change cannot be made, or the tests cannot be run.
    """
    path = root / change.file
    text = path.read_text(encoding="utf-8")
    if text.count(change.old) != 1:
        raise ValueError(f"{change.file}: {change.old!r} occurs {text.count(change.old)} times.")
    try:
        path.write_text(text.replace(change.old, change.new), encoding="utf-8")
        code = run(root, change.tests)
    finally:
        path.write_text(text, encoding="utf-8")
    if code not in (0, TESTS_FAILED):
        raise ValueError(f"{change.file}: {change.old!r}: pytest ended with {code}.")
    return code == TESTS_FAILED


def survivors(changes: Sequence[Change]) -> list[Change]:
    """The changes that no test notices; each is printed as it is tried."""
    left = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        root = copied(Path(folder))
        tests = list(dict.fromkeys(test for change in changes for test in change.tests))
        if run(root, tests):
            raise ValueError("The tests fail without any change.")
        for change in changes:
            noticed = is_noticed(root, change)
            left += [] if noticed else [change]
            print(f"{'noticed ' if noticed else 'SURVIVED'} {change.file}: {change.old} -> {change.new}", flush=True)
    return left


def main(parts: Sequence[str]) -> int:
    """0 if enough of the changes to files with one of these parts in their names are noticed."""
    chosen = [change for change in CHANGES if not parts or any(part in change.file for part in parts)]
    if not chosen:
        print("No change is in such a file.", file=sys.stderr)
        return 2
    noticed = len(chosen) - len(survivors(chosen))
    print(f"{noticed} of {len(chosen)} changes were noticed ({noticed / len(chosen):.0%}; at least {LEAST:.0%}).")
    return int(noticed < LEAST * len(chosen))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
