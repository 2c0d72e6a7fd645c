"""Finished runs of one question as a file: the statistics and every count, so that nothing has to be drawn again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

import numpy as np

from sigcore import metrics
from sigcore.errors import MismatchError, SigError
from sigcore.resampling.blocks import BLOCK
from sigcore.significance import Draws, Tally
from sigcore.storage import archive
from sigcore.storage.archive import Array
from sigcore.studies import statistics
from sigcore.studies.matrix.compute import MatrixRun, begin
from sigcore.studies.statistics import Asked
from sigcore.study import Runtime, Study
from sigcore.testset import Outputs, Testset, digest
from sigcore.types import AUTO, Floats, Unit

FORMAT = 1  # increase it when the file changes
QUESTION, RUNS = "question", "resamples"  # the name of the mark, and of the numbers of resamples


def save(runs: Sequence[MatrixRun]) -> bytes:
    """Runs of one question, of fewer and more resamples, as the bytes of a file.

    Raises: MismatchError for runs of different questions, or with a joint null, which is not written.
    """
    first = runs[0]
    if len({_mark(run) for run in runs}) > 1 or any(run.prepared and any(run.prepared) for run in runs):
        raise MismatchError("Only runs of one question without a joint null can be saved together.")
    arrays: dict[str, Array] = {
        QUESTION: np.array(_mark(first)),
        RUNS: np.array([run.resamples for run in runs], dtype=np.int64),
    }
    for m, measured in enumerate(first.measured):
        arrays[f"statistics.{m}"] = np.array([system.values for system in measured.systems])
        arrays[f"signature.{m}"] = np.array(measured.systems[0].signature)
    for run in runs:
        arrays |= _counts(run)
    return archive.write(arrays)


def _counts(run: MatrixRun) -> dict[str, Array]:
    """The counts and the intervals of one run, by names that begin with its number of resamples."""
    arrays: dict[str, Array] = {}
    for m, draws in enumerate(run.draws):
        head = f"{run.resamples}.{m}"
        arrays |= {f"{head}.scores": run.score_intervals[m], f"{head}.gains": run.gain_intervals[m]}
        for test, tally in draws.tallies.items():
            values = {field.name: getattr(tally, field.name) for field in fields(Tally)}
            arrays |= {f"{head}.{test}.{k}": v for k, v in values.items() if isinstance(v, np.ndarray)}
    return arrays


def load(
    content: bytes,
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    tests: Sequence[str],
    unit: str | Unit = AUTO,
    seed: int = 12345,
) -> dict[int, MatrixRun]:
    """The saved runs by their number of resamples; none if they answer another question, or other files were loaded.

    Raises: SigError for a damaged file; what `matrix.run` raises before it draws.
    """
    try:
        return _load(archive.read(content), testset, outputs, asked, tests, unit, seed)
    except (KeyError, ValueError, TypeError) as error:
        raise SigError("The finished runs are damaged.", "", "Save them again, or draw them again.") from error


def _load(
    arrays: Mapping[str, Array],
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    tests: Sequence[str],
    unit: str | Unit,
    seed: int,
) -> dict[int, MatrixRun]:
    cache: dict[str, Floats] = {}
    for m, (name, given) in enumerate(asked):
        metric = metrics.get(name)
        signature = metric.signature(testset.references, metric.chosen(given))
        rows = np.asarray(arrays.get(f"statistics.{m}", ()), dtype=np.float64)
        if len(rows) != len(outputs) or str(arrays[f"signature.{m}"]) != signature:
            return {}
        cache |= {statistics.key(testset, item, signature): row for item, row in zip(outputs, rows, strict=True)}
    start, _ = begin(Study(testset, outputs, asked, tests, unit, seed=seed), Runtime(cache=cache))
    if str(arrays[QUESTION]) != _mark(start):
        return {}
    return {int(done): _run(start, arrays, int(done)) for done in arrays[RUNS]}


def _run(start: MatrixRun, arrays: Mapping[str, Array], done: int) -> MatrixRun:
    """The run of that many resamples."""
    every = range(len(start.measured))
    return replace(
        start,
        draws=tuple(
            Draws({test.name: _tally(arrays, f"{done}.{m}.{test.name}.", done) for test in start.tests}) for m in every
        ),
        score_intervals=tuple(np.asarray(arrays[f"{done}.{m}.scores"], dtype=np.float64) for m in every),
        gain_intervals=tuple(np.asarray(arrays[f"{done}.{m}.gains"], dtype=np.float64) for m in every),
        resamples=done,
    )


def _tally(arrays: Mapping[str, Array], head: str, done: int) -> Tally:
    kept = {field.name: arrays[head + field.name] for field in fields(Tally) if head + field.name in arrays}
    return Tally(**kept, resamples=done)  # type: ignore[arg-type]


def _mark(run: MatrixRun) -> str:
    """What the counts depend on besides R, and the versions of how they are written and drawn."""
    asked = [f"{item.metric.name} {sorted(item.options.items())}" for item in run.measured]
    tests = [test.name for test in run.tests]
    parts = [run.data, *run.systems, *asked, *tests, str(run.unit), str(run.seed)]
    versions = [str(version) for version in (FORMAT, BLOCK, statistics.EXTRACTION)]
    return digest([*parts, *versions])
