"""Functions and files stay short enough to be read: complexity, lines of a function, lines of a file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.architecture.rules import importers, parsed
from tests.architecture.test_imports import project

MOST_PATHS = 14  # McCabe's number, counted as radon does
FUNCTION_LINES, FILE_LINES = 50, 500
# What the product has at most (sigcore, sigboard, pages, app.py, cli.py). A change may lower a bound;
# one that raises it says here why. Lines: 105,500 before every printed command said what it would compare and 80 more files from the
# wild were read: one of several tables, measures in rows, systems in rows with the words of their answers. Three files more: the
# question about a table left the module of the table, and turned tables that of layouts. Two more: questions that several tasks
# share, and files that are tasks or measures; and 150 lines for lists inside an object, tables without bars, what counts the rows, a
# button for each advice, and notebooks. Five more, and 1,000 lines: what
# runners of tests print, names that share runs, cover EM, blocks, rankings in XML, dialogues, and what 80 more files of programs needed.
# Four more, and 1,000 lines: logs of any program, by lines of one shape, in place of a reader for each; entries deep inside an
# object; tables in boxes and between rules. 250 lines more: rows in another order are matched in tables of any layout. One more, and
# 600 lines: one made table in nineteen layouts is read right or asked about, texts of which no heading says which is right, judges of
# one system, EvalPlus of 2023, and values of trec_eval below names. One more, and 500 lines: files of a system each that no rule
# understands, classes in a report, numbers that predict others, transcripts without spaces, and votes of several people in a row.
# Three more, and 700 lines: edits of grammar (M2), answers that end with #### and a number, and retrieved passages. 400 lines more: what
# pairs the rows of files without headings, of pictures and of answers in another order, facts of a model, and zeros that are none.
MOST = {
    "files": 557,
    "lines": 111_400,
    "modules with one importer": 129,
    "functions that return Any": 3,
    "dict[str, Any]": 4,
}
# What is longer or has more paths at present. None may be added; what is gone leaves the list.
LONG: set[str] = set()
TANGLED: set[str] = set()

ANY, REASON = re.compile(r"-> Any\b|(dict|Mapping)\[str, Any\]"), re.compile(r"# Any: \S")
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
        yield from inside(path, parsed(text))


def lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without its docstring."""
    doc = ast.get_docstring(function, clean=False)
    return (function.end_lineno or 0) - function.lineno + 1 - (doc.count("\n") + 1 if doc else 0)


def test_functions_are_simple() -> None:
    """No function has 15 paths or more, but those that are known."""
    assert {name for name, node in functions(project()) if paths(node) > MOST_PATHS} == TANGLED


def test_functions_and_files_are_short() -> None:
    """No function has more than 50 lines and no file more than 500, but those that are known."""
    long = {name for name, node in functions(project()) if lines(node) > FUNCTION_LINES}
    assert long | {path for path, text in project().items() if text.count("\n") > FILE_LINES} == LONG


def counted(sources: dict[str, str]) -> dict[str, int]:
    """What MOST bounds."""
    text = "\n".join(sources.values())
    return {
        "files": len(sources),
        "lines": sum(source.count("\n") for source in sources.values()),
        "modules with one importer": sum(len(names) == 1 for names in importers(sources).values()),
        "functions that return Any": len(re.findall(r"-> Any\b", text)),
        "dict[str, Any]": text.count("dict[str, Any]"),
    }


def test_the_product_does_not_grow() -> None:
    """Each number is at most its bound."""
    assert {name: number for name, number in counted(project()).items() if number > MOST[name]} == {}


def unexplained(sources: dict[str, str]) -> list[str]:
    """The lines with a dict or mapping of Any, or with a function that returns it, without a reason beside them."""
    lines = ((path, line) for path, text in sources.items() for line in text.splitlines())
    return [f"{path}: {line.strip()}" for path, line in lines if ANY.search(line) and not REASON.search(line)]


def test_each_any_has_a_reason() -> None:
    """Where a true type is not possible, the line ends with `# Any: reason`."""
    assert unexplained(project()) == []


def test_reasons_by_hand() -> None:
    """A reason of a word or more is enough; an empty comment, or another one, is none."""
    told = "def f() -> Any:  # Any: as stored"
    untold = ("def f() -> Any:", "x: dict[str, Any] = {}  # Any:", "def g(x: dict[str, Any]): ...  # any dict")
    assert unexplained({"a.py": told}) == []
    assert [unexplained({"a.py": line}) for line in untold] == [[f"a.py: {line}"] for line in untold]


def test_counts_by_hand() -> None:
    """Three modules, one of which another one imports, with a function of each kind."""
    sources = {
        "sigcore/a.py": "def f() -> Any:\n    pass\n",
        "sigcore/b.py": "from sigcore import a\n",
        "sigcore/c.py": "def g(x: dict[str, Any]) -> Anything: ...\n",
    }
    assert list(counted(sources).values()) == [3, 4, 1, 1, 1]


def test_paths_by_hand() -> None:
    """A loop with a condition of two parts, and a comprehension with a filter, make six paths."""
    source = "def f(x):\n    for i in x:\n        if i and x:\n            return [j for j in x if j]\n"
    assert [paths(node) for _, node in functions({"a.py": source})] == [6]
