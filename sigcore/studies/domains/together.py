"""Several test sets with the same systems as one, each of them a domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sigcore.errors import MismatchError, Undefined
from sigcore.formatting import listed
from sigcore.studies.statistics import Asked, Cache, Measured, Progress, measure
from sigcore.testset import Outputs, Testset, digest

OneSet = tuple[Testset, Sequence[Outputs]]


@dataclass(frozen=True, eq=False)
class Together:
    """Test sets, one after the other, as one: its `testset` has them as domains, and no references; `outputs` are those of
    the systems that all of them have, `sets` the parts."""

    testset: Testset
    outputs: tuple[Outputs, ...]
    sets: tuple[OneSet, ...]
    notes: tuple[str, ...]

    def measure(self, asked: Asked, cache: Cache | None = None, progress: Progress | None = None) -> Measured:
        """The statistics of the systems under the first metric of `asked`: those of each test set, with its own references.

        Raises: as `statistics.measure`; MismatchError for statistics of different columns.
        """
        parts = [measure(testset, outputs, asked[:1], cache, progress)[0] for testset, outputs in self.sets]
        if len({part.systems[0].columns for part in parts}) > 1:
            raise MismatchError("The test sets have statistics with different columns.", "", "Compare them one by one.")
        signature = " + ".join(dict.fromkeys(part.systems[0].signature for part in parts))
        systems = tuple(
            replace(own[0], values=np.concatenate([item.values for item in own]), signature=signature)
            for own in zip(*(part.systems for part in parts), strict=True)
        )
        return replace(parts[0], systems=systems)


def together(sets: Sequence[OneSet]) -> Together:
    """The test sets as one; documents are kept if every one has them, and the same name in two is two documents.

    Raises: Undefined for fewer than two test sets, or fewer than two systems that all of them have.
    """
    if len(sets) < 2:
        raise Undefined("There is only one test set.", "", "Load another one with the same systems.")
    named = [{item.system: item for item in outputs} for _, outputs in sets]
    common = [name for name in named[0] if all(name in own for own in named)]
    names = [testset.name for testset, _ in sets]
    if len(common) < 2:
        what = f"Fewer than two systems are in all of the test sets {listed(names)}."
        raise Undefined(what, "", "Load test sets with the same systems, under the same names.")
    kept = tuple((testset, tuple(own[name] for name in common)) for (testset, _), own in zip(sets, named, strict=True))
    left_out = [name for name in dict.fromkeys(name for own in named for name in own) if name not in common]
    outputs = tuple(
        Outputs(
            name,
            tuple(segment for _, own in kept for segment in own[k].segments),
            group=next((own[k].group for _, own in kept if own[k].group), ""),
        )
        for k, name in enumerate(common)
    )
    notes = [f"The test sets {listed(names)} are the domains."]
    if left_out:
        verb = "is" if len(left_out) == 1 else "are"
        notes.append(f"{listed(left_out)} {verb} left out: not every test set has an output of it.")
    if len({len(testset.references) for testset, _ in kept}) > 1:
        notes.append("The test sets have different numbers of references, so their scores differ in level.")
    return Together(_joined([testset for testset, _ in kept]), outputs, kept, tuple(notes))


def _joined(sets: Sequence[Testset]) -> Testset:
    """The test sets as one, without references: their statistics are extracted one by one."""
    documents = tuple(f"{one.name}: {name}" if name.strip() else "" for one in sets for name in one.documents)
    return Testset(
        name=" + ".join(one.name for one in sets),
        kind=sets[0].kind,
        n=sum(one.n for one in sets),
        domains=tuple(one.name for one in sets for _ in range(one.n)),
        documents=documents if all(one.documents for one in sets) else (),
        digest=digest([one.digest for one in sets]),
    )
