"""What makes a test depend on how fast or how busy a machine is, found with `ast`, and the exceptions with their reasons."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

SLEEPS = ("sleep", "wait_for_timeout", "Timer")
CLOCKS = ("monotonic", "perf_counter", "process_time", "thread_time", "default_timer")
LEAST = 60  # seconds: a bound that only keeps a fault from hanging the run

# (file, function) -> why it may. Anything else waits with `until` of tests/waiting.py, or for an event, and counts
# work with `at_most` of tests/effort.py.
ALLOWED: Mapping[tuple[str, str], str] = {
    ("tests/fuzz/__main__.py", "failures"): "the seconds in the progress that is printed",
    ("tests/soak/__main__.py", "soak"): "a measurement; its test asks for a number of visits",
    ("tests/soak/visitor.py", "settle"): "a pause between two looks at a page, as the page itself makes it",
    ("tests/soak/visitor.py", "_click"): "a measurement, and the pause of a person, which the test sets to 0",
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
