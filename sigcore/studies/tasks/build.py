"""Tasks from test sets of scores: their values by system, and what is resampled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sigcore.data import Collection, assemble, choices
from sigcore.errors import MismatchError, SigError, UnknownMember
from sigcore.readers import Item
from sigcore.studies.tasks.compute import Task
from sigcore.studies.units import chosen, groups
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, DOCUMENT, Better, Missing, Unit


def task(
    testset: Testset,
    outputs: Sequence[Outputs],
    better: Better = "higher",
    measure: str = "",
    unit: str | Unit = AUTO,
    name: str = "",
) -> Task:
    """The task of a test set of kind "scores", its systems sorted by name.

    The unit is the document (the question, where several samples of it are its segments) if the files name documents and a
    document has several segments; else the segment.
    Raises: MismatchError for another kind of test set; what `units.groups` raises.
    """
    if testset.kind != "scores":
        raise MismatchError(f"{testset.name} has no scores.", "", "Load scores of systems, one per question.")
    if unit == AUTO:
        unit = DOCUMENT if 1 < len(set(testset.documents)) < testset.n else AUTO
    resampled, _ = chosen(testset, unit)
    of_unit = groups(testset, resampled)
    ordered = sorted(outputs, key=lambda one: one.system)
    values = np.array([[float(cell) for cell in one.segments] for one in ordered], dtype=np.float64)
    return Task(
        name=name or testset.name,
        measure=measure,
        better=better,
        systems=tuple(one.system for one in ordered),
        values=values.reshape(len(ordered), testset.n).T,
        unit_of=np.arange(testset.n, dtype=np.int64) if of_unit is None else of_unit.astype(np.int64),
        noun=resampled.kind,
    )


def of_collection(
    collection: Collection,
    names: Sequence[str] = (),
    measures: Sequence[str] = (),
    missing: Missing = "refuse",
    unit: str | Unit = AUTO,
) -> list[Task]:
    """The tasks of a collection: its test sets of scores, or those of these `names`, each under the first of `measures` that
    it has.

    Raises: UnknownMember for a task that is not there; SigError if there are none, for a task with several measures where
    none is said, and for everything that is wrong with the files of a task.
    """
    items = collection.edited()
    known = [name for name in choices(items).testsets or ("",) if "scores" in choices(items, name).kinds]
    if not known:
        raise SigError("There are no scores of systems.", "", "Load scores per question, or the logs of evaluations.")
    for name in names:
        if name not in known:
            raise UnknownMember("task", name, known)
    return [_of_testset(collection, items, name, measures, missing, unit) for name in (names or sorted(known))]


def _of_testset(
    collection: Collection,
    items: Sequence[Item],
    name: str,
    measures: Sequence[str],
    missing: Missing,
    unit: str | Unit,
) -> Task:
    measure = _measure(name or "The task", choices(items, name, "scores").measures or ("",), measures)
    loaded = assemble(items, collection.name, "scores", name, measure, missing)
    errors = [SigError(finding.what, finding.where, finding.fix) for finding in loaded.of("error")]
    if errors:
        raise errors[0] if len(errors) == 1 else SigError("\n".join(map(str, errors)))
    assert loaded.testset is not None
    return task(loaded.testset, loaded.outputs, loaded.better, loaded.measure, unit, name or loaded.measure or "scores")


def _measure(task: str, available: Sequence[str], wanted: Sequence[str]) -> str:
    """The first of the measures that a task has; its only one where none is said."""
    measure = next((one for one in wanted if one in available), None)
    if measure is not None:
        return measure
    if len(available) > 1:
        fix = f"Choose one with --measure, or on the page: {', '.join(available)}."
        raise SigError(f"{task} has {len(available)} measures.", "", fix)
    if wanted:
        raise SigError(f"{task} does not have the measure {wanted[0]!r}.", "", f"It has {available[0] or '(no name)'}.")
    return available[0]
