"""No test depends on how fast or how busy a machine is, except where a reason is given."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SLEEPS = ("sleep", "wait_for_timeout", "Timer")
CLOCKS = ("monotonic", "perf_counter", "process_time", "thread_time", "default_timer")
LEAST = 60  # seconds: a bound that only keeps a fault from hanging the run

# (file, function) -> why it may. Anything else waits with `until` of tests/waiting.py, or for an event, and counts
# work with `at_most` of tests/effort.py.
ALLOWED: Mapping[tuple[str, str], str] = {
    ("tests/fuzz/__main__.py", "failures"): "the seconds in the progress that is printed",
    ("tests/soak/__main__.py", "soak"): "a measurement; its test asks for a number of visits",
    ("tests/soak/site.py", "__init__"): "the seconds at which a fault came, as they are printed",
    ("tests/soak/site.py", "_note"): "the seconds at which a fault came, as they are printed",
    ("tests/soak/site.py", "befall"): "the faults of a soak come at shares of its time; no test waits for them",
    ("tests/soak/visitor.py", "_look"): "a pause between two looks at a part of a page, as a browser makes it",
    ("tests/soak/visitor.py", "_click"): "a measurement",
    ("tests/soak/visitor.py", "_think"): "the pause of a person, which the test sets to 0",
    ("tests/soak/visitor.py", "_await"): "a measurement",
    ("tests/soak/visitor.py", "drop"): "a measurement",
    ("tests/waiting.py", "nap"): "between two looks at a condition, and nothing depends on how long it takes",
    ("tests/waiting.py", "until"): "its clock only ends what would never end",
    ("tests/browser/actions.py", "until"): "between two looks at a condition; the page goes on meanwhile",
    ("tests/browser/pictures.py", "faded_in"): "no test: a picture is taken once the figure has faded in",
}


def hurried(sources: Mapping[str, str]) -> dict[tuple[str, str], list[str]]:
    """By (file, function), a sentence for every sleep, clock, deadline and short bound of the tests."""
    found: dict[tuple[str, str], list[str]] = {}
    for path, text in sources.items():
        for function, node in _placed(ast.parse(text), ""):
            if why := _fault(node):
                found.setdefault((path, function), []).append(f"{path}:{node.lineno} {why}")
    return found


def _placed(node: ast.AST, function: str) -> Iterator[tuple[str, ast.Call | ast.ImportFrom]]:
    """Every call and `from` import below the node, with the name of its function."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call | ast.ImportFrom):
            yield function, child
        inside = child.name if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else function
        yield from _placed(child, inside)


def _fault(node: ast.Call | ast.ImportFrom) -> str:
    if isinstance(node, ast.ImportFrom):
        return "imports from time: a clock must be seen where it is read" if node.module == "time" else ""
    called = ast.unparse(node.func).split(".")
    name = called[-1]
    if name in SLEEPS:
        return f"calls {name}: wait for the state, not for a while"
    if name.removesuffix("_ns") in CLOCKS or called[-2:] in (["time", "time"], ["time", "time_ns"]):
        return f"reads a clock ({name}): no result of a test may depend on it"
    given = {word.arg: word.value for word in node.keywords}
    if "deadline" in given and ast.unparse(given["deadline"]) != "None":
        return "has a deadline: a slow machine would miss it"
    bounds = [given["timeout"]] if "timeout" in given else node.args[:1] if name in ("wait", "join", "alarm") else []
    if any(0 < _number(bound) < LEAST for bound in bounds):  # 0 only looks
        return f"waits for less than {LEAST} s: take LIMIT of tests/waiting.py"
    return ""


def _number(node: ast.expr) -> float:
    known = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    return float(node.value) if known else float("inf")  # type: ignore[attr-defined]


def sources() -> dict[str, str]:
    """All sources of the tests by path."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")
    }


def test_every_sleep_clock_and_deadline_has_a_reason() -> None:
    """What is found is in the list of exceptions, each exception is still used, and has a reason."""
    found = hurried(sources())
    faults = [fault for place, faults in found.items() if place not in ALLOWED for fault in faults]
    assert not faults, "\n".join(faults)
    assert sorted(ALLOWED.keys() - found.keys()) == []
    assert all(reason.strip() for reason in ALLOWED.values())


HASTY = """time.sleep(0.1)
page.wait_for_timeout(100)
threading.Timer(0.1, go.set).start()
from time import sleep
assert time.perf_counter() - start < 2
start = time.time()
clock.monotonic_ns()
settings(max_examples=5, deadline=3000)
event.wait(5)
Barrier(2, timeout=5)
subprocess.run(command, timeout=59.5)
signal.alarm(10)"""
PATIENT = """settings(deadline=None)
event.wait(LIMIT)
event.wait(60)
signal.alarm(0)
process.wait()
run(command, timeout=300)
datetime.time(1)
os.utime(path, (1, 2))
', '.join(words)"""


@pytest.mark.parametrize("line", HASTY.split("\n"))
def test_haste_is_caught(line: str) -> None:
    """Each of these alone is a fault that names its file, line and function."""
    ((place, faults),) = hurried({"tests/a.py": f"def f():\n    def g():\n        {line}"}).items()
    assert place == ("tests/a.py", "g")
    assert faults[0].startswith("tests/a.py:3 ")


@pytest.mark.parametrize("line", PATIENT.split("\n"))
def test_patience_passes(line: str) -> None:
    """Waiting for a state, with a generous bound or none, is not a fault."""
    assert hurried({"tests/a.py": line}) == {}
