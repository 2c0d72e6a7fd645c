"""Fixtures that all tests share: the real data where it is there, and statistics made once for the session."""

from __future__ import annotations

import csv
import gc
import json
import os
import shutil
from collections.abc import Callable, Generator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from sigcore.testset import Outputs, Testset
from tests import found

# No test is about time, so a slow machine fails none: neither an example nor the making of examples has a deadline.
# The examples are the same ones each time, for everyone, and not many; SIGBOARD_SEEDS=random looks for new ones, and
# SIGBOARD_EXAMPLES=100 for more, as at night. Those new ones at which a test fails are stored in tests/found.
RANDOM = os.environ.get("SIGBOARD_SEEDS") == "random"
settings.register_profile(
    "sigboard",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not RANDOM,
    max_examples=int(os.environ.get("SIGBOARD_EXAMPLES") or 20),
)
settings.load_profile("sigboard")

# what a person has set for the app must not decide what the tests find
for name in [name for name in os.environ if name.startswith(("SIGBOARD_", "STREAMLIT_", "COLUMNS"))]:
    if name not in ("SIGBOARD_CHROMIUM", "SIGBOARD_EXAMPLES", "SIGBOARD_SEEDS", "SIGBOARD_ORDER"):
        del os.environ[name]

# whether this process is one of several that share the tests
WORKER = "PYTEST_XDIST_WORKER" in os.environ

# kernels are kept from one run of the tests to the next; statistics are not, so that old ones hide no fault
KEPT = Path(__file__).resolve().parents[1] / ".pytest_cache" / "sigboard"
os.environ["SIGBOARD_CACHE"] = str(KEPT)
if not WORKER:  # once: the workers of a run share the folder
    shutil.rmtree(KEPT / "statistics", ignore_errors=True)

# analyses are kept by the tests that say so
os.environ["SIGBOARD_STORE"] = "off"

# a handful of words of our own: no test but those that say so depends on what is installed
os.environ["SIGBOARD_WORDNET"] = str(Path(__file__).parent / "wordnet")

# Folders whose files are fast, the fastest first; those that are not named come between them and the folder of the browser.
FAST, SLOWEST = ("unit", "architecture", "fuzz", "mutants"), "browser"
MOST_WORKERS = 4


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """How many workers share the tests by default: one for each core, but not more than there are files where files are named;
    0, that is this process alone, where there would be one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    named = {argument.partition("::")[0] for argument in config.args}
    files = len(named) if all(name.endswith(".py") for name in named) else cores
    workers = min(cores, files, MOST_WORKERS)
    return workers if workers > 1 else 0


def _place(item: pytest.Item) -> int:
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    return FAST.index(folder) if folder in FAST else len(FAST) + (folder == SLOWEST)


def shuffled(items: list[pytest.Item], seed: str) -> None:
    """Put the files in a random order, and the tests of each; what a file prepares is still prepared once."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    order = Random(seed)
    groups = sorted(files.items())
    order.shuffle(groups)
    for _, group in groups:
        order.shuffle(group)
    items[:] = [item for _, group in groups for item in group]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Fast folders come first: a fault shows early. Several workers begin with the slow ones instead, so that none has a long
    file left at the end; they take whole files (--dist loadfile), so that what a file prepares is prepared once.
    SIGBOARD_ORDER is the seed of another order. Tests of Hypothesis try the examples first at which they once failed."""
    if seed := os.environ.get("SIGBOARD_ORDER"):
        shuffled(items, seed)
    else:
        items.sort(key=_place, reverse=WORKER)
    examples = found.stored()
    for name, function in {found.name_of(item): getattr(item, "function", None) for item in items}.items():
        if function is not None:
            found.attach(name, function, examples)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where new examples are looked for, store those at which a test fails."""
    if call.excinfo is not None and RANDOM:
        found.keep(item, call.excinfo.value)
    return (yield)


def pytest_collection_finish() -> None:
    """What was loaded and collected is never garbage: the search for garbage passes it by in all tests, and is made less often
    than Python would by itself."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data beside the project; the test is skipped where it is missing."""
    if not DATA.is_dir():
        pytest.skip(f"the real data is not there: {DATA}")
    return DATA


@pytest.fixture(scope="session")
def statistics_cache() -> dict[str, np.ndarray]:
    """Statistics made once for the whole session, by contents and signature."""
    return {}


@cache
def lines(path: Path) -> tuple[str, ...]:
    """The lines of a file, cut at line feeds only."""
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def wmt(folder: Path, references: str, language: str) -> tuple[Testset, list[Outputs]]:
    """A WMT test set with the references of those letters, and all its systems by name."""
    streams = tuple(lines(folder / f"ref.{letter}.{language}") for letter in references)
    systems = [Outputs(p.stem, lines(p)) for p in sorted((folder / "systems").glob(f"*.{language}"))]
    return Testset(f"{folder.name}.{references}", "text", len(streams[0]), streams), systems


Loader = Callable[[str], tuple[Testset, list[Outputs]]]


@pytest.fixture(scope="session")
def cs_en(data: Path) -> Loader:
    """WMT22 cs-en by reference letters ("B", "C", "BC")."""
    return lambda references: wmt(data / "mt/wmt22.cs-en", references, "en")


@pytest.fixture(scope="session")
def en_zh(data: Path) -> Loader:
    """WMT22 en-zh by reference letters ("A", "B")."""
    return lambda references: wmt(data / "mt/wmt22.en-zh", references, "zh")


@pytest.fixture(scope="session")
def golden(data: Path) -> Callable[[str], Any]:
    """A file of other programs' figures by name."""
    return lambda name: json.loads((data / "golden" / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def published(data: Path) -> Callable[[str], dict[tuple[str, str], float]]:
    """The organisers' automatic scores of a test set, by (system, metric)."""

    def read(name: str) -> dict[tuple[str, str], float]:
        with (data / "mt" / name / "published/automatic-scores.tsv").open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            return {(row["system"], row["metric"]): float(row["score"]) for row in rows if row["score"]}

    return read
