"""What the benchmarks share: data, timing, ratios with their range, goals, and the files of results."""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore import Outputs, SufficientStatistics, Testset, significance
from sigcore.studies.statistics import measure

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
RESULTS = HERE / "results"
DATA = ROOT.parent / "shared" / "data" / "mt"
SAMPLE = ROOT / "samples" / "harbour"
# What `import numpy` took on the machine for which goals in seconds were set, and how often it is measured in each round.
IMPORT, IMPORTS = 0.1, 5

Systems = tuple[SufficientStatistics, ...]


# ---- clocks


@dataclass(frozen=True)
class Took:
    """CPU seconds of all threads (and of a child process), wall seconds, and the peak memory in MB of a child process."""

    cpu: float
    wall: float
    peak: float = 0.0

    def times(self, factor: float) -> Took:
        """The time for `factor` times the work."""
        return replace(self, cpu=self.cpu * factor, wall=self.wall * factor)


def timed(work: Callable[[], object]) -> Took:
    """The time of one call in this process, after garbage collection."""
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Took(time.process_time() - cpu, time.perf_counter() - wall)


def duel(ours: Callable[[], Took], theirs: Callable[[], Took], repeats: int) -> list[tuple[Took, Took]]:
    """Rounds of (ours, theirs) in alternation, so that a busy machine affects both."""
    return [(ours(), theirs()) for _ in range(repeats)]


def child(command: Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[Took, str]:
    """The time of a new process, and its standard output.

    Raises: RuntimeError with the end of its error messages if it failed.
    """
    with tempfile.TemporaryDirectory(prefix="sigboard-bench-") as folder:
        result = Path(folder) / "took.json"
        launcher = [sys.executable, "-I", "-S", str(HERE / "launch.py"), str(result), *command]
        done = subprocess.run(
            launcher, cwd=ROOT, env={**os.environ, **(environment or {})}, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
        took = json.loads(result.read_text(encoding="utf-8"))
    return Took(took["cpu"], took["wall"], took["peak"] / 1e6), done.stdout


def numpy() -> Took:
    """The usual time of a process that imports numpy, and does nothing else."""
    took = [child([sys.executable, "-c", "import numpy"])[0] for _ in range(IMPORTS)]
    return Took(median(one.cpu for one in took), median(one.wall for one in took))


def compile_all(cache: Path, home: Path) -> None:
    """Compile every kernel, as on a machine that has been used for a while."""
    code = "from sigcore.text import compiled; from sigcore import kernels; [compiled.load(k) for k in kernels.every()]"
    child([sys.executable, "-c", code], {"SIGBOARD_CACHE": str(cache), "HOME": str(home)})


# ---- numbers


@dataclass(frozen=True)
class Spread:
    """The median, minimum and maximum of some repeats."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of values."""
        return cls(median(values), min(values), max(values))

    def text(self) -> str:
        """The median with three digits, and the range in brackets."""
        if self.low == self.high:
            return digits(self.median)
        return f"{digits(self.median)} ({digits(self.low)} to {digits(self.high)})"


def digits(value: float) -> str:
    """A number with three digits; from 100 on, a whole number with separators."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def ratios(rounds: Sequence[tuple[Took, Took]], clock: str, inverse: bool = False) -> Spread:
    """How many times longer the other program takes (or, if `inverse`, we take), round by round, on one clock."""
    pairs = [(getattr(ours, clock), getattr(theirs, clock)) for ours, theirs in rounds]
    return Spread.of([ours / theirs if inverse else theirs / ours for ours, theirs in pairs])


@dataclass(frozen=True)
class Goal:
    """One row of the table of goals: `wanted` is the smallest ratio ("x"), or the largest value in any other unit; None
    where there is no goal.

    `judged` is the measured value that the goal is about; `beside` is the time on another clock, for comparison.
    """

    what: str
    wanted: float | None
    unit: str
    judged: Spread
    beside: str = ""
    note: str = ""

    @property
    def met(self) -> bool:
        """Whether the median reaches the goal."""
        if self.wanted is None:
            return True
        return self.judged.median >= self.wanted if self.unit == "x" else self.judged.median <= self.wanted

    @property
    def goal(self) -> str:
        """The goal as text."""
        if self.wanted is None:
            return "no goal"
        return f"{'at least' if self.unit == 'x' else 'at most'} {digits(self.wanted)} {self.unit}"


def faster(what: str, wanted: float, rounds: Sequence[tuple[Took, Took]], note: str = "") -> Goal:
    """The goal of being `wanted` times faster, by CPU time."""
    return Goal(what, wanted, "x", ratios(rounds, "cpu"), f"wall {ratios(rounds, 'wall').text()} x", note)


def seconds(what: str, wanted: float, took: Sequence[Took], note: str = "") -> Goal:
    """The goal of finishing within `wanted` seconds of wall time."""
    cpu = Spread.of([item.cpu for item in took])
    return Goal(what, wanted, "s", Spread.of([item.wall for item in took]), f"CPU {cpu.text()} s", note)


def imports(what: str, wanted: float, rounds: Sequence[tuple[Took, Took]], note: str = "") -> Goal:
    """The goal of finishing within `wanted` seconds on the machine for which it was set, where numpy was imported in IMPORT
    seconds; the rounds are (ours, that import)."""
    wall, cpu = (Spread.of([getattr(ours, clock) for ours, _ in rounds]).text() for clock in ("wall", "cpu"))
    judged = ratios(rounds, "wall", inverse=True)
    return Goal(what, wanted / IMPORT, "times the import of numpy", judged, f"{wall} s; CPU {cpu} s", note)


def megabytes(what: str, wanted: float, took: Sequence[Took], note: str = "") -> Goal:
    """The goal of staying below a peak of memory, for the whole process."""
    return Goal(what, wanted, "MB", Spread.of([item.peak for item in took]), "", note)


# ---- data


@dataclass(frozen=True, eq=False)
class Corpus:
    """A test set with its outputs, its files, and a note on it."""

    testset: Testset
    outputs: tuple[Outputs, ...]
    reference: Path
    files: tuple[Path, ...]
    note: str = ""

    def title(self) -> str:
        """Name and size in one line."""
        return f"{self.testset.name}, {len(self.outputs)} systems, {self.testset.n:,} segments{self.note}"


def lines(file: Path) -> tuple[str, ...]:
    """The lines of a file."""
    return tuple(file.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def corpus(name: str = "wmt22.cs-en", root: Path = DATA) -> Corpus:
    """The test set of that name with its first reference; the sample, with a note, if that data is missing."""
    folder = root / name
    note = "" if folder.is_dir() else f" (the sample of the project: {name} is not available)"
    folder = SAMPLE if note else folder
    reference, files = min(folder.glob("ref.*")), tuple(sorted((folder / "systems").iterdir()))
    gold = lines(reference)
    outputs = tuple(Outputs(file.stem, lines(file)) for file in files)
    return Corpus(Testset(folder.name, "text", len(gold), (gold,)), outputs, reference, files, note)


def statistics(data: Corpus, metrics: Sequence[str]) -> list[Systems]:
    """The statistics of all systems under each metric."""
    return [item.systems for item in measure(data.testset, data.outputs, [(name, {}) for name in metrics])]


def mixtures(systems: Systems, count: int, seed: int = 1) -> Systems:
    """`count` systems: the real ones, then mixtures that take each segment from one of two real ones."""
    rng, real = np.random.default_rng(seed), systems[:count]
    out = list(real)
    while len(out) < count:
        first, second = rng.choice(len(systems), 2, replace=False)
        take = rng.random(systems[0].n) < rng.uniform(0.2, 0.8)
        values = np.where(take[:, None], systems[first].values, systems[second].values)
        out.append(replace(systems[0], system=f"mixture {len(out) + 1 - len(real)}", values=values))
    return tuple(out)


def segments(systems: Systems, n: int, seed: int = 1) -> Systems:
    """The same systems on n segments drawn with replacement, the same ones for all."""
    chosen = np.random.default_rng(seed).integers(0, systems[0].n, n)
    return tuple(replace(item, values=item.values[chosen]) for item in systems)


def all_pairs(systems: int) -> NDArray[np.intp]:
    """(P, 2): every pair once."""
    return np.column_stack(np.triu_indices(systems, k=1))


def question(statistics: Sequence[Systems], test: str, resamples: int) -> significance.Resampling:
    """All pairs of the systems under one test."""
    pairs = all_pairs(len(statistics[0]))
    return significance.Resampling(tuple(statistics), (significance.get(test),), pairs, resamples, 12345)


# ---- results


def options(description: str | None) -> argparse.ArgumentParser:
    """The options that every benchmark has."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer repeats and smaller sizes")
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="where the WMT22 test sets are")
    return parser


def machine() -> dict[str, Any]:
    """What the numbers depend on: processor, cores, load, versions; no names of hosts or people."""
    from threadpoolctl import threadpool_info

    blas = [f"{i['internal_api']} {i['version']} {i.get('architecture', '')}" for i in threadpool_info()]
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "system": platform.system(),
        "python": platform.python_version(),
        "blas": ", ".join(dict.fromkeys(item.strip() for item in blas)),
        **{name: version(name) for name in ("numpy", "scipy", "sacrebleu", "numba")},
    }


def _processor() -> str:
    file = Path("/proc/cpuinfo")
    names = (
        [line.partition(":")[2].strip() for line in file.read_text().split("\n") if line.startswith("model name")]
        if file.exists()
        else []
    )
    return names[0] if names else platform.processor() or platform.machine()


def show(title: str, rows: Sequence[Sequence[str]]) -> None:
    """Print rows under a title in aligned columns; the first column is text, the others are numbers."""
    print(f"\n{title}")
    widths = [max(len(row[k]) for row in rows if k < len(row)) for k in range(max(map(len, rows)))]
    for row in rows:
        first, *rest = row
        print("  " + first.ljust(widths[0]), *(cell.rjust(widths[k + 1]) for k, cell in enumerate(rest)), sep="  ")


def show_goals(goals: Sequence[Goal]) -> None:
    """Print the goals with the measured values."""
    head = ("goal", "wanted", "measured, median (range)", "", "")
    rows = [(g.what, g.goal, f"{g.judged.text()} {g.unit}", g.beside, "" if g.met else "MISSED") for g in goals]
    show("Goals", [head, *rows])


def write(name: str, args: argparse.Namespace, data: str, goals: Sequence[Goal], **more: Any) -> None:
    """Print the goals and write results/NAME.json (results/quick/NAME.json for a quick run)."""
    if goals:
        show_goals(goals)
    listed = [{**asdict(goal), "met": goal.met, "goal": goal.goal} for goal in goals]
    content = {"data": data, "quick": args.quick, "machine": machine(), "goals": listed, **more}
    folder = RESULTS / "quick" if args.quick else RESULTS
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
