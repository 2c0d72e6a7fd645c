"""Several test sets with the same systems as one, each of them a domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    common = _common(named, [testset.name for testset, _ in sets])
    kept = tuple((testset, tuple(own[name] for name in common)) for (testset, _), own in zip(sets, named, strict=True))
    left_out = [name for name in dict.fromkeys(name for own in named for name in own) if name not in common]
    outputs = tuple(_one_after_the_other([own[k] for _, own in kept]) for k in range(len(common)))
    whole = [testset for testset, _ in kept]
    return Together(_joined(whole), outputs, kept, tuple(_notes(whole, left_out)))


def _common(named: Sequence[Mapping[str, Outputs]], sets: Sequence[str]) -> list[str]:
    """The systems that all of these test sets have, as in the first."""
    common = [name for name in named[0] if all(name in own for own in named)]
    if len(common) < 2:
        what = f"Fewer than two systems are in all of the test sets {listed(sets)}."
        raise Undefined(what, "", "Load test sets with the same systems, under the same names.")
    return common


def _one_after_the_other(parts: Sequence[Outputs]) -> Outputs:
    """The outputs of one system on all test sets; its group is the first that is given."""
    segments = tuple(segment for part in parts for segment in part.segments)
    return Outputs(parts[0].system, segments, group=next((part.group for part in parts if part.group), ""))


def _notes(sets: Sequence[Testset], left_out: Sequence[str]) -> Iterator[str]:
    yield f"The test sets {listed([one.name for one in sets])} are the domains."
    if left_out:
        verb = "is" if len(left_out) == 1 else "are"
        yield f"{listed(left_out)} {verb} left out: not every test set has an output of it."
    if len({len(one.references) for one in sets}) > 1:
        yield "The test sets have different numbers of references, so their scores differ in level."


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
