"""The test set of k-best lists: their references, checked with the first hypotheses."""

from __future__ import annotations

from sigcore import readers
from sigcore.data import Collection
from sigcore.kbest.lists import KBest
from sigcore.testset import Testset

ALONE = "only one system"


def with_references(lists: KBest, references: Collection, file: str) -> tuple[Testset, list[str]]:
    """The test set of the references (with the sources and documents beside them), and warnings about it.

    The first hypotheses of the lists, from this `file`, become its only system.

    Raises: SigError for everything that is wrong in the files, such as another number of segments.
    """
    first = lists.outputs(lists.offsets[:-1])
    item = readers.Item(lists.name, "system", "text", first, file, "the first hypotheses")
    references.add_intake(readers.Intake((item,)))
    references.select(kind="text")
    loaded = references.sound()
    assert loaded.testset is not None
    findings = [finding for severity in ("warning", "note") for finding in loaded.of(severity)]
    # the first hypotheses are the only system here, and what they are compared with is made from the lists
    return loaded.testset, [str(finding) for finding in findings if ALONE not in finding.what]
