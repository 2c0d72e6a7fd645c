"""Changes made by rule instead of by hand: `python -m tests.mutants.generated [PACKAGE ...]`.

Each change swaps one operator, constant, condition or call of a package. They are drawn by a seed from all that can be made.
A traced run of the tests says which tests reach which line, and these tests run on the change: the nearest first. Its notes are kept, so that a second
seed of the same code traces only the test files that are new or changed. The exit code is 0 if every package has at least its share of noticed changes
(LEAST). What a seed lets survive is printed, as work for the next test.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import NamedTuple

from tests.mutants.__main__ import ROOT, TESTS_FAILED, copied, environment

# the packages, each with the least share of its changes that tests must notice
LEAST: Mapping[str, float] = {
    "sigcore/significance": 0.85,
    "sigcore/corrections": 0.85,
    "sigcore/studies": 0.85,
    "sigcore/data": 0.85,
    "sigcore/readers/tables": 0.85,
    "sigboard/server": 0.85,
    "sigboard/render": 0.85,
}
TESTS = ("tests/unit", "tests/contract", "tests/property")
KEPT = ROOT / ".pytest_cache" / "reached"  # what traced runs noted, for the next ones
FIRST_TESTS, MOST_TESTS = 40, 400  # that run on one change at first, and where these notice nothing
LARGE = 20  # numbers above are bounds and sizes, of which one more or less is the same
NO_TESTS = 5  # pytest's exit code where all tests of the files are slow ones
LIMIT = 300  # seconds, against a hang only: a change that makes a test hang is noticed; forty tests take a third of it

COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
JOINED: Mapping[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.FloorDiv: "*",
    ast.Mod: "*",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.MatMult: "*",
}
CALLED: Mapping[str, str] = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "minimum": "maximum",
    "maximum": "minimum",
    "floor": "ceil",
    "ceil": "floor",
    "argmin": "argmax",
    "argmax": "argmin",
    "zeros": "ones",
    "sorted": "list",
    "abs": "float",
}
# what is only read by people, or says how something is declared
SKIPPED = (
    "field",
    "SigError",
    "ReadError",
    "MismatchError",
    "OptionError",
    "Undefined",
    "Option",
    "Field",
    "TypeVar",
    "Proof",
)


class Made(NamedTuple):
    """One change: in a file, the bytes from `start` to `end` become `new`; `line` is theirs, `first` that of their statement."""

    file: str
    line: int
    first: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.old} -> {self.new}"


class _Changes(ast.NodeVisitor):
    """All changes that can be made in one file."""

    def __init__(self, file: str, text: str) -> None:
        self.found: list[Made] = []
        self._file, self._text = file, text
        self._first = 1
        self._starts = [0]
        for line in text.encode().split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def _at(self, node: ast.expr, end: bool = False) -> int:
        line, column = (node.end_lineno, node.end_col_offset) if end else (node.lineno, node.col_offset)
        assert line is not None
        assert column is not None
        return self._starts[line - 1] + column

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt):
            self._first = node.lineno
        super().visit(node)

    def _replace(self, node: ast.expr, new: str) -> None:
        self._span(node.lineno, self._at(node), self._at(node, end=True), new)

    def _span(self, line: int, start: int, end: int, new: str) -> None:
        old = self._text.encode()[start:end].decode()
        if old != new:
            self.found.append(Made(self._file, line, self._first, start, end, old, new))

    def _between(self, left: ast.expr, right: ast.expr, new: str) -> None:
        """Replace the operator between two operands; not where a bracket or a line end is there too."""
        start, end = self._at(left, end=True), self._at(right)
        gap = self._text.encode()[start:end].decode()
        if gap == f" {gap.strip()} ":
            self._span(left.end_lineno or left.lineno, start, end, f" {new} ")

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            self._between(left, right, COMPARED[type(operator)])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = (ast.JoinedStr, ast.Constant)
        is_text = any(isinstance(side, texts) and not _is_number(side) for side in (node.left, node.right))
        if type(node.op) in JOINED and not is_text:
            self._between(node.left, node.right, JOINED[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        new = "or" if isinstance(node.op, ast.And) else "and"
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        signs = {ast.Not: "not ", ast.USub: "-"}
        if type(node.op) in signs:
            start = self._at(node)
            self._span(node.lineno, start, start + len(signs[type(node.op)]), "")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self._replace(node.test, "False")
            self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._replace(node.test, "True")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._replace(node, str(not node.value))
        elif _is_number(node) and abs(node.value) <= LARGE:
            self._replace(node, repr(node.value + 1))

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in SKIPPED:
            return
        if name in CALLED:
            end = self._at(node.func, end=True)
            self._span(node.lineno, end - len(name), end, CALLED[name])
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        compiled = any("jit" in ast.unparse(each) or "kernel" in ast.unparse(each) for each in node.decorator_list)
        if not compiled:  # a traced run does not see what is compiled, and each change would be compiled again
            for default in [*node.args.defaults, *node.args.kw_defaults]:
                if default is not None:
                    self.visit(default)
            for part in node.body:
                self.visit(part)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """No change inside of a text for people."""


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)


def changes_of(file: str, text: str) -> list[Made]:
    """All changes that can be made in the text of a file, in their order there."""
    found = _Changes(file, text)
    found.visit(ast.parse(text))
    return sorted(set(found.found))


def candidates(package: str, root: Path = ROOT) -> list[Made]:
    """All changes of a package."""
    files = sorted((root / package).rglob("*.py"))
    return [made for file in files for made in changes_of(str(file.relative_to(root)), file.read_text("utf-8"))]


def changed(text: str, made: Made) -> str:
    """The text of the file with the change."""
    old = text.encode()
    return (old[: made.start] + made.new.encode() + old[made.end :]).decode()


IMPORTED = re.compile(r"^from (tests[\w.]*) import (\([^)]*\)|.*)$", re.MULTILINE)  # what a test uses of other tests


def _imported(root: Path, file: Path, known: set[Path]) -> set[Path]:
    """The files below tests that a file uses, itself among them, without those that are `known`."""
    named = ((module, re.findall(r"\w+", parts)) for module, parts in IMPORTED.findall(file.read_text("utf-8")))
    places = [
        root / one.replace(".", "/") for module, parts in named for one in (module, *(f"{module}.{k}" for k in parts))
    ]
    found = {path for place in places if (path := place.with_suffix(".py")).exists()} - known - {file}
    for path in sorted(found):
        found |= _imported(root, path, {*known, *found, file})
    return {file, *found}


def _digests(root: Path, folders: Sequence[str]) -> tuple[dict[str, str], str]:
    """A digest of each test file, with those that it uses, and one of all the code that they run."""

    def digest(files: Iterable[Path]) -> str:
        return hashlib.sha256(
            b"".join(str(one.relative_to(root)).encode() + one.read_bytes() for one in files)
        ).hexdigest()

    tests = [file for folder in folders for file in (root / folder).rglob("test_*.py")]
    code = [
        *(root / "sigcore").rglob("*.py"),
        *(root / "sigboard").rglob("*.py"),
        *(root / "tests").rglob("conftest.py"),
    ]
    return {str(one.relative_to(root)): digest(sorted(_imported(root, one, set()))) for one in tests}, digest(
        sorted(code)
    )


def _trace(root: Path, notes: Path, tests: Sequence[str], settings: Path) -> None:
    """Run the tests with coverage's tracer, and add to the notes which test reached which line."""
    settings.write_text(
        "[run]\ndynamic_context = test_function\nsource = sigcore, sigboard\nrelative_files = True\n"
        f"data_file = {notes}\ncore = ctrace\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "coverage", "run", "--append", f"--rcfile={settings}", "-m", "pytest"]
    run = subprocess.run(
        [*command, "-q", "-p", "no:cacheprovider", "-m", "not slow and not cluster", *tests],
        cwd=root,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode not in (0, NO_TESTS):
        raise ValueError(f"The tests fail without any change:\n{run.stdout[-2000:]}")


def traced(root: Path, tests: Sequence[str], kept: Path) -> Path:
    """The notes of a traced run of these tests on this code: those kept of an earlier run, and only what is new traced."""
    digests, code = _digests(root, tests)
    folder = kept / code[:16]
    notes, known = folder / "notes", folder / "tests.json"
    old: dict[str, str] = json.loads(known.read_text("utf-8")) if known.exists() and notes.exists() else {}
    if not old or not old.keys() <= digests.keys():
        old = {}
        shutil.rmtree(kept, ignore_errors=True)  # of other code: never read again
        folder.mkdir(parents=True)
    if new := sorted(file for file, digest in digests.items() if old.get(file) != digest):
        try:
            _trace(root, notes, new if old else tests, root / ".coveragerc")
        except ValueError:
            known.unlink(missing_ok=True)  # half of a run is none
            raise
        known.write_text(json.dumps(old | digests), encoding="utf-8")
    return notes


def compiled(root: Path) -> None:
    """Compile all modules once: the runs on the changes write no compiled files, and one is used only for the very text that
    it was made of, so never for a changed one."""
    command = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash"]
    subprocess.run([*command, "sigcore", "sigboard", "tests"], cwd=root, check=True)


class Reach:
    """Which tests reach which line: a run of the tests with coverage's tracer, which notes the test for each line."""

    def __init__(self, root: Path, tests: Sequence[str], kept: Path | None = None) -> None:
        from coverage import CoverageData

        data = CoverageData(str(traced(root, tests, kept or root / ".reached")))
        data.read()
        self._root = root
        self._lines = defaultdict(dict, {file: data.contexts_by_lineno(file) for file in data.measured_files()})
        self._breadth = Counter(each for lines in self._lines.values() for line in lines.values() for each in line)
        self._nodes: dict[str, str] = {}
        if lost := [each for each in self._breadth if each.startswith("test_") and not self._file(each).exists()]:
            raise ValueError(f"No file is known for {lost[0]}: its folder needs an __init__.py.")

    def tests(self, made: Made) -> list[str]:
        """At most MOST_TESTS tests that run the statement, or any of the file if it runs at the import only: those of test
        files named like the file first, then those that run the fewest lines, which look the closest at each."""
        by_line = self._lines[made.file]
        reached = {each for line in range(made.first, made.line + 1) for each in by_line.get(line, [])}
        if reached == {""}:
            reached = {each for line in by_line.values() for each in line}
        nodes = {node: self._breadth[each] for each in reached if (node := self._node(each))}
        stem = Path(made.file).stem if Path(made.file).stem != "__init__" else Path(made.file).parent.name
        order = sorted(nodes, key=lambda node: (stem not in Path(node.split("::")[0]).stem, nodes[node], node))
        return order[:MOST_TESTS]

    def _file(self, context: str) -> Path:
        return self._root / f"{context.rpartition('.')[0].replace('.', '/')}.py"

    def _node(self, context: str) -> str:
        """The name that pytest has for a test: tests.unit.test_x.test_y -> tests/unit/test_x.py::test_y; "" if none, as for
        a fixture called test or a test that is gone: pytest would refuse it, which looks like a change that was noticed."""
        if context not in self._nodes:
            name, file = context.rpartition(".")[2], self._file(context)
            there = name.startswith("test_") and file.exists() and f"def {name}(" in file.read_text("utf-8")
            self._nodes[context] = f"{file.relative_to(self._root).as_posix()}::{name}" if there else ""
        return self._nodes[context]


def is_noticed(root: Path, made: Made, tests: Sequence[str]) -> bool:
    """Whether one of the tests fails, or hangs, with the change; the copy is as before afterwards."""
    path = root / made.file
    text = path.read_text(encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests]
    try:
        path.write_text(changed(text, made), encoding="utf-8")
        run = subprocess.run(command, cwd=root, env=environment(), capture_output=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(text, encoding="utf-8")
    # a module that can no longer be imported ends pytest with another code
    return run.returncode >= TESTS_FAILED


def survivors(chosen: Sequence[Made], tests: Sequence[str] = TESTS) -> Iterator[Made]:
    """The changes that no test notices, as they are found; every change is printed when it was tried."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        root = copied(Path(folder))
        compiled(root)
        reach = Reach(root, tests, KEPT)
        for made in chosen:
            reached = reach.tests(made)
            rounds = filter(None, (reached[:FIRST_TESTS], reached[FIRST_TESTS:]))
            noticed = any(is_noticed(root, made, some) for some in rounds)
            print(f"{'noticed ' if noticed else 'SURVIVED' if reached else 'UNTESTED'} {made}", flush=True)
            if not noticed:
                yield made


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if enough of the changes drawn from each package are noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.generated", description=__doc__)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"{', '.join(LEAST)} (default: all)")
    parser.add_argument("--count", type=int, default=60, help="changes of each package (default: 60)")
    parser.add_argument("--seed", type=int, help="which changes are drawn (default: a random one, which is printed)")
    args = parser.parse_args(arguments)
    packages = args.packages or list(LEAST)
    if unknown := [package for package in packages if package not in LEAST]:
        parser.error(f"unknown: {', '.join(unknown)}; choose from {', '.join(LEAST)}")
    seed = SystemRandom().randrange(10**6) if args.seed is None else args.seed
    print(f"Seed {seed}.", flush=True)
    chosen = {package: drawn(candidates(package), args.count, Random(seed)) for package in packages}
    left: dict[str, int] = defaultdict(int)
    for made in survivors([each for some in chosen.values() for each in some]):
        left[next(package for package in packages if made in chosen[package])] += 1
    for package, some in chosen.items():
        share = 1 - left[package] / len(some)
        print(
            f"{package}: {len(some) - left[package]} of {len(some)} noticed ({share:.0%}; at least {LEAST[package]:.0%})"
        )
    return int(any(left[package] > (1 - LEAST[package]) * len(some) for package, some in chosen.items()))


def drawn(all_of: Sequence[Made], count: int, chance: Random) -> list[Made]:
    """So many of the changes, by chance, in their order."""
    return sorted(chance.sample(all_of, min(count, len(all_of))))


if __name__ == "__main__":
    sys.exit(main())
