"""Functions and files stay short enough to be read: complexity, lines of a function, lines of a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.test_imports import project

MOST_PATHS = 14  # McCabe's number, counted as radon does
FUNCTION_LINES, FILE_LINES = 50, 300

# Files that are longer, and why.
LONG_FILES = {
    "sigcore/metrics/ter/kernel.py": "one compiled search: numba compiles what calls each other in one module",
    "sigcore/executors/cluster.py": "one protocol with a remote scheduler: what is sent, lost and sent again",
}
# Functions that are longer, and why.
LONG_FUNCTIONS: dict[str, str] = {}  # none at present

BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case)


def paths(node: ast.AST) -> int:
    """How many paths lead through a function: one, and one more for each branch, loop, condition and handler."""
    count = 1 if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) else 0
    for child in ast.iter_child_nodes(node):
        count += paths(child)
    if isinstance(node, BRANCHES):
        count += 1
    if isinstance(node, ast.BoolOp):
        count += len(node.values) - 1
    if isinstance(node, ast.comprehension):
        count += 1 + len(node.ifs)
    return count


def functions(sources: dict[str, str]) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function by "file name"; a function inside another counts as part of it."""

    def inside(path: str, node: ast.AST) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path} {child.name}", child
            else:
                yield from inside(path, child)

    for path, text in sources.items():
        yield from inside(path, ast.parse(text))


def lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without its docstring."""
    doc = ast.get_docstring(function, clean=False)
    return (function.end_lineno or 0) - function.lineno + 1 - (doc.count("\n") + 1 if doc else 0)


def test_functions_are_simple() -> None:
    """No function has 15 paths or more."""
    tangled = {name: paths(node) for name, node in functions(project()) if paths(node) > MOST_PATHS}
    assert tangled == {}


def test_functions_are_short() -> None:
    """No function has more than 50 lines without a reason, and no reason outlives its function."""
    long = {name for name, node in functions(project()) if lines(node) > FUNCTION_LINES}
    assert long == set(LONG_FUNCTIONS)


def test_files_are_short() -> None:
    """No file has more than 300 lines without a reason, and no reason outlives its file."""
    long = {path for path, text in project().items() if text.count("\n") > FILE_LINES}
    assert long == set(LONG_FILES)


def test_paths_by_hand() -> None:
    """A loop with a condition of two parts, and a comprehension with a filter, make six paths."""
    source = "def f(x):\n    for i in x:\n        if i and x:\n            return [j for j in x if j]\n"
    assert [paths(node) for _, node in functions({"a.py": source})] == [6]
