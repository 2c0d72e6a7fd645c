"""The architecture as data, and the checks that read sources with `ast`: each fault names file and rule."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

Sources = Mapping[str, str]  # path from the root, as "sigcore/metrics/bleu.py" -> source
parsed = cache(ast.parse)  # several checks read every file; none changes what it reads

BASE = ("sigcore.errors", "sigcore.types", "sigcore.formatting", "sigcore.measures", "sigcore.proof")
NUMBERS = ("numpy",)


@dataclass(frozen=True)
class Row:
    """What the modules of a package may import: patterns of ours, of others, and of others inside a function only."""

    room: str
    ours: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()
    lazy: tuple[str, ...] = ()


FACES = ("sigcore.metrics", "sigcore.significance", "sigcore.corrections", "sigcore.tuning", "sigcore.readers")
TYPES = ("sigcore.sufficient", "sigcore.results")
# What the product may import of the core.
PUBLIC = ("sigcore", *(f"sigcore.{name}" for name in ("formatting", "project", "results", "studies", "types")))
HELD = (
    "sigcore.testset",
    "sigcore.judgments",
    "sigcore.preferences",
    "sigcore.score_matrix",
    "sigcore.kbest.lists",
    "sigcore.kbest.sparse",
)
GROUND = (*BASE, "sigcore.registry", *HELD, *TYPES)


def family(name: str, contract: tuple[str, ...], member: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[Row, ...]:
    """The rows of a plugin family: its public API, its contract, and its members, which know the contract and no
    sibling."""
    package = f"sigcore.{name}"
    return (
        Row(package, (*GROUND, f"{package}.contract"), NUMBERS),
        Row(f"{package}.contract", (*GROUND, *contract), NUMBERS),
        Row(f"{package}.*", (*BASE, "sigcore.registry", f"{package}.contract", *member), (*NUMBERS, *theirs)),
    )


# The first row whose package fits a module is its row. "*" matches any text, dots too.
TABLE: tuple[Row, ...] = (
    Row("sigcore", ("sigcore.*",)),
    Row(
        "sigcore.api",
        (
            *BASE,
            *(
                f"sigcore.{name}"
                for name in ("corrections", "metrics", "readers", "data", "results", "studies*", "study")
            ),
        ),
    ),
    Row(
        "sigcore.project",
        (*BASE, *HELD, "sigcore.data", "sigcore.readers", "sigcore.storage.archive", "sigcore.version"),
        NUMBERS,
    ),
    Row("sigcore.errors"),
    Row("sigcore.types", ("sigcore.errors",), NUMBERS),
    Row("sigcore.formatting", ("sigcore.types",)),
    Row("sigcore.measures", ("sigcore.types",)),
    Row("sigcore.proof", ("sigcore.types",)),
    Row("sigcore.version"),
    Row("sigcore.storage.location", BASE),
    Row("sigcore.storage.database", (*BASE, "sigcore.storage.location"), ("sqlalchemy",)),
    Row("sigcore.storage*", (*BASE, "sigcore.storage*"), NUMBERS),
    Row("sigcore.results*", (*BASE, "sigcore.results.*"), NUMBERS, ("pandas",)),
    Row("sigcore.text.sacre", (*BASE, "sigcore.text*"), (*NUMBERS, "sacrebleu")),
    Row(
        "sigcore.text*",
        (*BASE, "sigcore.storage.location", "sigcore.text*"),
        (*NUMBERS, "scipy.special", "scipy.stats"),
        ("numba", "rapidfuzz"),
    ),
    Row("sigcore.resampling.scatter", (*BASE, "sigcore.text.compiled"), NUMBERS),
    Row("sigcore.resampling.pair_counts", (*BASE, "sigcore.text.compiled"), NUMBERS),
    Row("sigcore.resampling*", (*BASE, "sigcore.resampling*"), (*NUMBERS, "scipy.special", "scipy.stats")),
    Row("sigcore.kernels", ("sigcore.metrics", "sigcore.resampling.*", "sigcore.text.compiled")),
    Row("sigcore.testset", BASE, NUMBERS),
    Row("sigcore.judgments", (*BASE, "sigcore.testset"), NUMBERS),
    Row("sigcore.preferences", (*BASE, "sigcore.testset"), NUMBERS),
    Row("sigcore.score_matrix", (*BASE, "sigcore.testset"), NUMBERS),
    Row("sigcore.sufficient", BASE, NUMBERS),
    Row("sigcore.kbest*", (*BASE, "sigcore.testset", "sigcore.kbest*"), NUMBERS, ("scipy",)),
    Row("sigcore.registry", BASE),
    Row(
        "sigcore.executors",
        (*BASE, "sigcore.version"),
        (*NUMBERS, "threadpoolctl"),
        ("dask", "distributed", "cloudpickle"),
    ),
    Row(
        "sigcore.metrics.meteor*",
        (*BASE, "sigcore.registry", "sigcore.metrics.contract", "sigcore.text*"),
        (*NUMBERS, "snowballstemmer"),
    ),
    *family("metrics", ("sigcore.text.bounds", "sigcore.text.compiled"), ("sigcore.text*",), ()),
    Row(
        "sigcore.significance",
        (*GROUND, "sigcore.significance.contract", "sigcore.significance.engine"),
        NUMBERS,
        ("scipy",),
    ),
    Row(
        "sigcore.significance.engine",
        (*GROUND, "sigcore.resampling*", "sigcore.corrections.contract", "sigcore.significance.contract"),
        NUMBERS,
    ),
    *family(
        "significance",
        ("sigcore.resampling*", "sigcore.corrections.contract"),
        ("sigcore.resampling*", *TYPES),
        ("scipy",),
    ),
    Row("sigcore.corrections.contract", GROUND, NUMBERS, ("statsmodels",)),
    *family("corrections", (), ("sigcore.resampling.pvalues", "sigcore.resampling.pair_counts"), ("statsmodels",)),
    Row("sigcore.tuning", (*GROUND, "sigcore.kbest*", "sigcore.tuning.contract"), NUMBERS),
    *family("tuning", ("sigcore.kbest*",), ("sigcore.kbest*",), ("scipy",)),
    Row(
        "sigcore.readers.formats.*",
        (
            *BASE,
            "sigcore.registry",
            *HELD,
            "sigcore.readers.contract",
            *(
                f"sigcore.readers.{part}"
                for part in ("lines", "names", "reports", "tables*", "messages", "marked", "links", "tags", "trees")
            ),
        ),
    ),
    Row(
        "sigcore.readers.known",
        (*BASE, "sigcore.readers.contract", "sigcore.readers.lines"),
        (),
        ("sacrebleu.dataset",),
    ),
    Row(
        "sigcore.readers.archives",
        (*BASE, *(f"sigcore.readers.{part}" for part in ("contract", "names", "packed", "parquet", "workbook"))),
        NUMBERS,
        ("pyarrow",),
    ),
    Row("sigcore.readers.parquet", (*BASE, "sigcore.readers.contract", "sigcore.readers.packed"), (), ("pyarrow",)),
    Row("sigcore.readers.packed", BASE, (), ("numpy", "pyarrow")),
    Row("sigcore.readers*", (*BASE, *HELD, "sigcore.registry", "sigcore.readers*"), NUMBERS),
    Row(
        # what the checks look at is written as in the canonical segments, which sigcore.text reads
        "sigcore.data*",
        (
            *GROUND,
            "sigcore.readers",
            "sigcore.readers.contract",
            "sigcore.readers.folders",
            "sigcore.readers.names",
            "sigcore.data*",
            "sigcore.text*",
        ),
        NUMBERS,
    ),
    Row("sigcore.study", (*GROUND, *FACES, "sigcore.executors"), NUMBERS),
    Row(
        "sigcore.studies*",
        (
            *GROUND,
            *FACES,
            "sigcore.data",
            "sigcore.kbest*",
            "sigcore.version",
            "sigcore.results",
            "sigcore.formatting",
            "sigcore.resampling*",
            "sigcore.executors",
            "sigcore.storage.archive",
            "sigcore.studies*",
            "sigcore.study",
        ),
        (*NUMBERS, "scipy", "regex"),
    ),
    Row("sigboard"),
    Row("sigboard.terms"),
    Row(
        "sigboard.render*",
        (*PUBLIC, "sigcore.storage.archive", "sigboard.render*"),
        (*NUMBERS, "plotly"),
        ("PIL", "pyarrow", "xlsxwriter"),
    ),
    # a question: its own parts, and what all questions share
    Row("sigboard.catalogue", PUBLIC),
    *(
        Row(
            f"sigboard.questions.{page}",
            (*PUBLIC, "sigboard.terms", "sigboard.render*", "sigboard.server*", "sigboard.shell*"),
            (*NUMBERS, "pandas", "streamlit"),
        )
        for page in ("*.page", "tuning.choices", "tuning.lab_page", "human.choices")
    ),
    Row("sigboard.questions.*.command", (*PUBLIC, "sigboard.render*", "sigboard.terminal*")),
    Row(
        "sigboard.questions.*.*",
        (*PUBLIC, "sigboard.terms", "sigboard.render*"),
        (*NUMBERS, "plotly"),
    ),
    Row("sigboard.server.worker", (*PUBLIC, "sigcore.studies.statistics")),
    Row("sigboard.server.health", (), ("streamlit", "websockets")),
    Row("sigboard.server*", (*PUBLIC, "sigboard.server*"), ("streamlit",)),
    Row(
        "sigboard.shell*",
        (
            *PUBLIC,
            "sigboard.catalogue",
            "sigboard.terms",
            *(f"sigboard.{part}*" for part in ("render", "server", "shell")),
        ),
        (*NUMBERS, "pandas", "streamlit"),
        ("segno",),
    ),
    Row("sigboard.terminal.app", (), (), ("streamlit",)),
    Row("sigboard.terminal.start", ("sigboard.terminal",)),
    Row("sigboard.terminal*", (*PUBLIC, "sigboard.catalogue", "sigboard.render*", "sigboard.terminal*")),
    Row("pages.*", ("sigboard.questions.*.page",)),
    Row("app", ("sigboard.catalogue", "sigboard.server*", "sigboard.shell*"), ("streamlit",)),
    Row("serve", (), ("starlette", "streamlit")),
    Row("cli", ("sigboard.terminal.start",)),
)
ROOTS = ("sigcore", "sigboard", "pages", "app", "serve", "cli")
RECORDS = {
    "metrics": "METRIC",
    "significance": "TEST",
    "corrections": "CORRECTION",
    "tuning": "METHOD",
    "readers/formats": "READER",
}
NOT_MEMBERS = ("contract.py", "engine.py", "__init__.py")
SHOWS_ERRORS = ("sigboard/shell/page.py", "sigboard/server/worker.py", "sigboard/terminal/__init__.py")
CATCHES_ALL = ("sigboard/shell/page.py", "sigboard/server/jobs.py")
# Imports that the table does not allow, and groups of modules that import each other. None may be added; what is gone
# leaves the list.
KNOWN_BREAKS: frozenset[tuple[str, str]] = frozenset()
KNOWN_CIRCLES: tuple[tuple[str, ...], ...] = ()
STANDARD: frozenset[str] = frozenset(__import__("sys").stdlib_module_names)


@dataclass(frozen=True)
class Import:
    """One import: who, on which line, of what; `lazy` = inside a function, `typing` = for type checkers only."""

    file: str
    line: int
    importer: str
    target: str
    lazy: bool
    typing: bool


def module_of(path: str) -> str:
    """The dotted name of a file."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_ours(path: str) -> bool:
    """Whether the table covers this file."""
    return module_of(path).split(".")[0] in ROOTS


def imports(sources: Sources) -> list[Import]:
    """Every import of every file; `from a import b` counts as a.b where that is a module of ours within one
    package (from outside, `from sigcore import x` and `from sigcore.studies import x` are the public API, whatever x is)."""
    modules = frozenset(module_of(path) for path in sources)
    return [item for path, text in sources.items() for item in _imports(path, text, modules)]


@cache
def _imports(path: str, text: str, modules: frozenset[str]) -> tuple[Import, ...]:
    name, tree = module_of(path), parsed(text)
    inside = {
        id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef) for n in ast.walk(f)
    }
    tests = [n for n in ast.walk(tree) if isinstance(n, ast.If)] if "TYPE_CHECKING" in text else []
    guards = [n for n in tests if "TYPE_CHECKING" in ast.unparse(n.test)]
    typed = {id(n) for guard in guards for part in guard.body for n in ast.walk(part)}
    return tuple(
        Import(path, node.lineno, name, target, id(node) in inside, id(node) in typed)
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for target in _targets(node, path, modules)
    )


def _targets(node: ast.Import | ast.ImportFrom, path: str, modules: frozenset[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = node.module or ""
    if node.level:
        package = path.split("/")[:-1]
        base = ".".join([*package[: len(package) - node.level + 1], *([base] if base else [])])
    same_house = module_of(path).split(".")[0] == base.split(".")[0]
    public = base in ("sigcore", "sigcore.studies") and not same_house
    return [f"{base}.{a.name}" if f"{base}.{a.name}" in modules and not public else base for a in node.names]


def broken_rows(sources: Sources) -> list[str]:
    """One sentence for every import the table does not allow, and for every file that is not in the table."""
    ours = {path: text for path, text in sources.items() if is_ours(path)}
    faults = [f"{path} has no room: add a row to the table" for path in ours if _row(module_of(path)) is None]
    for item in imports(ours):
        row = _row(item.importer)
        if row is not None and not _allowed(item, row) and (item.importer, item.target) not in KNOWN_BREAKS:
            allowed = ", ".join((*row.ours, *row.theirs)) or "nothing but the standard library"
            allowed += f" (inside a function: {', '.join(row.lazy)})" if row.lazy else ""
            faults.append(f"{item.file}:{item.line} imports {item.target}; {row.room} may import {allowed}")
    return faults


def _row(module: str) -> Row | None:
    return next((row for row in TABLE if fnmatchcase(module, row.room)), None)


def _allowed(item: Import, row: Row) -> bool:
    top = item.target.split(".")[0]
    if top in STANDARD or _own_part(item):
        return True
    if top in ROOTS:
        return any(fnmatchcase(item.target, pattern) for pattern in row.ours)
    others = (*row.theirs, *(row.lazy if item.lazy or item.typing else ()))
    return any(item.target == name or item.target.startswith(f"{name}.") for name in others)


def _own_part(item: Import) -> bool:
    """Whether a member that is a folder, such as sigcore.metrics.meteor, or a question imports one of its own parts."""
    room = item.importer.split(".")[:3]
    has_parts = len(room) == 3 and (
        (room[0] == "sigcore" and room[1] in RECORDS) or room[:2] == ["sigboard", "questions"]
    )
    return has_parts and item.target.startswith(".".join(room) + ".")


def circles(sources: Sources) -> list[tuple[str, ...]]:
    """Every group of modules that import each other, directly or through others; imports for type checkers count, too."""
    modules = {module_of(path) for path in sources}
    graph: dict[str, set[str]] = {name: set() for name in modules}
    for item in imports(sources):
        if item.target in modules and item.target != item.importer:
            graph[item.importer].add(item.target)
    reached = {name: _reached(graph, name) for name in graph}
    groups = {tuple(sorted(m for m in reached[name] if name in reached[m])) for name in graph if name in reached[name]}
    return sorted(groups)


def _reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """All modules that a module imports, directly or through others."""
    found, waiting = set[str](), [start]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def importers(sources: Sources) -> dict[str, set[str]]:
    """The modules that import a module, by module."""
    found: dict[str, set[str]] = {module_of(path): set() for path in sources}
    for item in imports(sources):
        if item.target in found and item.target != item.importer:
            found[item.target].add(item.importer)
    return found


def unregistered(sources: Sources) -> list[str]:
    """Member files, and the __init__ of members that are folders, that do not end with exactly one record."""
    faults = []
    for path, text in sources.items():
        family, is_folder = _family_of(path)
        if family:
            record, body = RECORDS[family], parsed(text).body
            names = (record, f"{record}S") if is_folder else (record,)
            assigned = [_assigned(node) for node in body]
            if sum(name in names for name in assigned) != 1 or assigned[-1] not in names:
                faults.append(f"{path} must end with exactly one {' or '.join(names)} = ...")
    return faults


def _family_of(path: str) -> tuple[str, bool]:
    """(family of the member that this file is, whether the member is a folder); ("", False) for any other file."""
    folder, _, name = path.removeprefix("sigcore/").rpartition("/")
    if path.startswith("sigcore/") and folder in RECORDS and name not in NOT_MEMBERS:
        return folder, False
    parent = folder.rpartition("/")[0]
    is_member = path.startswith("sigcore/") and parent in RECORDS and name == "__init__.py" and folder not in RECORDS
    return (parent, True) if is_member else ("", False)


def _assigned(node: ast.stmt) -> str:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""


def swallowed(sources: Sources) -> list[str]:
    """Handlers of everything outside ui/page.py and ui/board.py; handlers of SigError outside ui/page.py and commands/,
    unless they raise again or, in sigcore, keep the problem to hand it on with others."""
    faults = []
    for path, text in sources.items():
        for node in ast.walk(parsed(text)) if is_ours(path) else ():
            if isinstance(node, ast.ExceptHandler):
                caught = _caught(node)
                if caught & {"", "Exception", "BaseException"} and path not in CATCHES_ALL:
                    faults.append(f"{path}:{node.lineno} catches every exception; only {', '.join(CATCHES_ALL)} may")
                if "SigError" in caught and path not in (*SHOWS_ERRORS, *CATCHES_ALL) and not _hands_on(node, path):
                    faults.append(f"{path}:{node.lineno} catches SigError; only {', '.join(SHOWS_ERRORS)} may")
    return faults


def _hands_on(handler: ast.ExceptHandler, path: str) -> bool:
    parts = [part for statement in handler.body for part in ast.walk(statement)]
    kept = any(isinstance(part, ast.Name) and part.id == handler.name for part in parts)
    return any(isinstance(part, ast.Raise) for part in parts) or (kept and path.startswith("sigcore/"))


def _caught(handler: ast.ExceptHandler) -> set[str]:
    if handler.type is None:
        return {""}
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {ast.unparse(kind).split(".")[-1] for kind in types}


def split_lines(sources: Sources) -> list[str]:
    """Readers that use splitlines(), which also breaks at U+2028, U+0085, form feeds and more."""
    return [
        f"{path}:{node.lineno} uses splitlines(), which breaks inside segments; split at line feeds"
        for path, text in sources.items()
        if path.startswith("sigcore/readers/")
        for node in ast.walk(parsed(text))
        if isinstance(node, ast.Attribute) and node.attr == "splitlines"
    ]
