"""No test depends on how fast or busy a machine is, except where a reason is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.steady import ALLOWED, hurried

ROOT = Path(__file__).resolve().parents[2]


def sources() -> dict[str, str]:
    """All sources of the tests by path."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")
    }


def test_every_sleep_clock_and_deadline_has_a_reason() -> None:
    """Everything that is found is in the list of exceptions, with a reason."""
    faults = [fault for place, faults in hurried(sources()).items() if place not in ALLOWED for fault in faults]
    assert not faults, "\n".join(faults)
    assert all(reason.strip() for reason in ALLOWED.values())


def test_the_list_of_exceptions_is_true() -> None:
    """Every exception is still used."""
    assert sorted(ALLOWED.keys() - hurried(sources()).keys()) == []


@pytest.mark.parametrize(
    "line",
    [
        "time.sleep(0.1)",
        "page.wait_for_timeout(100)",
        "threading.Timer(0.1, go.set).start()",
        "from time import sleep",
        "assert time.perf_counter() - start < 2",
        "start = time.time()",
        "clock.monotonic_ns()",
        "settings(max_examples=5, deadline=3000)",
        "event.wait(5)",
        "Barrier(2, timeout=5)",
        "subprocess.run(command, timeout=59.5)",
        "signal.alarm(10)",
    ],
)
def test_haste_is_caught(line: str) -> None:
    """Each of these alone is a fault that names its file, line and function."""
    ((place, faults),) = hurried({"tests/a.py": f"def f():\n    def g():\n        {line}"}).items()
    assert place == ("tests/a.py", "g")
    assert faults[0].startswith("tests/a.py:3 ")


@pytest.mark.parametrize(
    "line",
    [
        "settings(deadline=None)",
        "event.wait(LIMIT)",
        "event.wait(60)",
        "signal.alarm(0)",
        "process.wait()",
        "run(command, timeout=300)",
        "datetime.time(1)",
        "os.utime(path, (1, 2))",
        "', '.join(words)",
    ],
)
def test_patience_passes(line: str) -> None:
    """Waiting for a state, with a generous bound or none, is not a fault."""
    assert hurried({"tests/a.py": line}) == {}
