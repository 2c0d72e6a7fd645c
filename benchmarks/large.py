"""A million resamples of 31 and of 150 systems on 2034 segments, all pairs, BLEU: seconds and peak memory of a new process.

31 systems are the size of Berg-Kirkpatrick et al. (2012), 150 that of a scatter of synthetic systems. The systems are those of WMT22 uk-en and mixtures of them (each
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
from sigcore.formatting import listed
from sigcore.testset import Outputs

SEGMENTS, RESAMPLES = 2034, 1_000_000
TWO_DELTA = "two_delta_bootstrap"
# (test, systems): (seconds, MB)
GOALS = {
    (resampling.BOOTSTRAP, 31): (20.0, 500.0),
    (resampling.RANDOMIZATION, 31): (40.0, 500.0),
    (TWO_DELTA, 150): (60.0, 1_000.0),
}
PHASES_AT = 20_000
RATIO, RATIO_AT = 1.5, 100_000  # the most times a plain product, measured at this many resamples


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
    systems = sorted({count for _, count in GOALS})
    data = f"{corpus.testset.name} and mixtures of it{corpus.note}: {listed(map(str, systems))} systems, {SEGMENTS:,} segments"
    print(f"{data}, R = {size:,}, BLEU")
    (real,) = common.statistics(corpus, ["bleu"])
    made = {count: common.segments(common.mixtures(real, count), SEGMENTS) for count in systems}
    goals: list[Goal] = []
    shares = {}
    with tempfile.TemporaryDirectory(prefix="sigboard-bench-") as folder:
        files = {count: Path(folder) / f"{count}.npy" for count in systems}
        for count, file in files.items():
            save(made[count], file)
        for (test, count), (limit, memory) in GOALS.items():
            runs = [measure(files[count], test, size) for _ in range(1 if args.quick else 3)]
            pairs = count * (count - 1) // 2
            name = f"{test.replace('_', ' ')}, {count} systems, {SEGMENTS:,} segments, {pairs:,} pairs, R = {size:,}"
            note = f"the whole process: {common.Spread.of([whole.wall for _, whole in runs]).text()} s"
            goals.append(common.seconds(name, limit * size / RESAMPLES, [inner for inner, _ in runs], note))
            goals.append(common.megabytes(f"{name}: peak memory", memory, [whole for _, whole in runs]))
            title = f"Phases: {test}, {count} systems, BLEU, one thread"
            measured = resampling.phases([made[count]], test, PHASES_AT)
            shares[f"{test}, {count} systems"] = resampling.show_phases(title, measured)
    goals += [resampling.against_product(f"{count} systems, BLEU", [made[count]], TWO_DELTA, 3, RATIO, RATIO_AT)]
    common.write("large", args, data, goals, phases=shares)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(*sys.argv[2:])
    else:
        main()
