"""`make cluster-demo`: runs one job on threads and on two Dask workers, and compares times and results."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from demos.loopback import loopback  # noqa: E402
from sigcore import Outputs, SigError, Testset, executors  # noqa: E402
from sigcore.studies import matrix  # noqa: E402
from sigcore.study import Runtime, Study  # noqa: E402

SAMPLE = ROOT / "samples" / "harbour"
ASKED = [("bleu", {}), ("chrf", {})]
TESTS = ("approximate_randomization", "bootstrap_shift")
RESAMPLES = 200_000


def lines(path: Path) -> tuple[str, ...]:
    """The segments of a file."""
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def same(one: matrix.MatrixRun, other: matrix.MatrixRun) -> bool:
    """Whether every count, mean and interval is the same, bit for bit."""
    bits = [
        [grid.tobytes() for grid in run.score_intervals]
        + [tally.counts.tobytes() + tally.means.tobytes() for draws in run.draws for tally in draws.tallies.values()]
        for run in (one, other)
    ]
    return bits[0] == bits[1]


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0 if both ways give the same bits."""
    resamples = int(arguments[0]) if arguments else RESAMPLES
    references = (lines(SAMPLE / "ref.A.en"),)
    testset = Testset("harbour", "text", len(references[0]), references)
    outputs = [Outputs(path.stem, lines(path)) for path in sorted((SAMPLE / "systems").glob("*.en"))]
    cache: dict[str, np.ndarray] = {}

    def timed(name: str, executor: executors.Executor, count: int = resamples) -> matrix.MatrixRun:
        began = time.perf_counter()
        run = matrix.run(
            Study(testset, outputs, ASKED, TESTS, resamples=count), runtime=Runtime(executor=executor, cache=cache)
        )
        if count == resamples:
            print(f"{name:38} {time.perf_counter() - began:6.2f} s", flush=True)
        return run

    print(f"{len(outputs)} systems, {testset.n} segments, BLEU and chrF, {len(TESTS)} tests, R = {resamples:,}")
    local_run = timed("threads of this machine", executors.local(), 1) and timed(
        "threads of this machine", executors.local()
    )
    with loopback(workers=2) as cluster:
        away = executors.get(cluster.address)
        try:
            timed("", away, 1)
            cluster_run = timed(f"two workers at {cluster.address}", away)
        finally:
            away.close()  # type: ignore[attr-defined]
    print("identical results" if same(local_run, cluster_run) else "DIFFERENT RESULTS")
    return 0 if same(local_run, cluster_run) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except SigError as error:
        sys.exit(f"error: {error}")
