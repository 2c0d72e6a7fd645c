"""A million resamples of 31 systems on 2034 segments, all 465 pairs, BLEU: seconds and peak memory of a new process.

This is the size of Berg-Kirkpatrick et al. (2012). The systems are those of WMT22 uk-en and mixtures of them (each
segment from one of two); the segments are drawn with replacement. The process starts with the statistics on disk; its
memory includes everything that it loads. `--quick` uses a tenth of the resamples and a tenth of the time as the goal.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks import common, resampling
from benchmarks.common import Goal, Systems, Took
from sigcore import metrics
from sigcore.testset import Outputs

SYSTEMS, SEGMENTS, RESAMPLES = 31, 2034, 1_000_000
GOALS = {resampling.BOOTSTRAP: 20.0, resampling.RANDOMIZATION: 40.0}
MEMORY = 500.0
PHASES_AT = 20_000


def save(systems: Systems, file: Path) -> None:
    """Write the statistics of all systems as one array (S, n, K)."""
    np.save(file, np.stack([item.values for item in systems]).astype(np.float32))


def load(file: Path) -> Systems:
    """The systems of a file, scored as BLEU."""
    metric = metrics.get("bleu")
    return tuple(
        metrics.from_values(metric, metric.chosen(), Outputs(f"system {k + 1}", ()), values.astype(np.float64), "")
        for k, values in enumerate(np.load(file))
    )


def work(file: str, test: str, resamples: str) -> None:
    """Compute all pairs in the child process, and print the time of this alone."""
    statistics = [load(Path(file))]
    run = resampling.shuffles if test == resampling.RANDOMIZATION else partial(resampling.ours, test=test)
    took = run(statistics, resamples=int(resamples))
    print(json.dumps({"cpu": took.cpu, "wall": took.wall}))


def measure(file: Path, test: str, resamples: int) -> tuple[Took, Took]:
    """The times of one new process: (the computation, with the peak memory of the process; the whole process)."""
    whole, output = common.child([sys.executable, "-m", "benchmarks.large", "--work", str(file), test, str(resamples)])
    return replace(Took(**json.loads(output)), peak=whole.peak), whole


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table and write results/large.json."""
    args = common.options(__doc__).parse_args(arguments)
    corpus = common.corpus("wmt22.uk-en", args.data)
    size = RESAMPLES // 10 if args.quick else RESAMPLES
    data = f"{corpus.testset.name} and mixtures of it{corpus.note}: {SYSTEMS} systems, {SEGMENTS:,} segments"
    print(f"{data}, R = {size:,}, BLEU")
    (real,) = common.statistics(corpus, ["bleu"])
    systems = common.segments(common.mixtures(real, SYSTEMS), SEGMENTS)
    goals: list[Goal] = []
    shares = {}
    with tempfile.TemporaryDirectory(prefix="sigboard-bench-") as folder:
        file = Path(folder) / "statistics.npy"
        save(systems, file)
        for test, limit in GOALS.items():
            runs = [measure(file, test, size) for _ in range(1 if args.quick else 3)]
            name = f"{test.replace('_', ' ')}, {SYSTEMS} systems, {SEGMENTS:,} segments, 465 pairs, R = {size:,}"
            note = f"the whole process: {common.Spread.of([whole.wall for _, whole in runs]).text()} s"
            goals.append(common.seconds(name, limit * size / RESAMPLES, [inner for inner, _ in runs], note))
            goals.append(common.megabytes(f"{name}: peak memory", MEMORY, [whole for _, whole in runs]))
            title = f"Phases: {test}, {SYSTEMS} systems, BLEU, one thread"
            shares[test] = resampling.show_phases(title, resampling.phases([systems], test, PHASES_AT))
    common.write("large", args, data, goals, phases=shares)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(*sys.argv[2:])
    else:
        main()
