"""The selected items that could not be used."""

from __future__ import annotations

from collections.abc import Sequence

from sigcore.data.assembly import Loaded
from sigcore.data.testsets import settled
from sigcore.readers import SHARED, Item
from sigcore.types import Kind


def left_out(items: Sequence[Item], loaded: Loaded, kind: Kind, testset: str, measure: str) -> list[Item]:
    """The items that could not be used, because of their length or content, and those that never can be."""
    testsets = [item.testset for item in settled(items)[0]]

    def is_out(item: Item, own: str) -> bool:
        # an item that is alone in an unselected test set can never be scored
        return _is_unused(item, loaded, kind, measure) if own in ("", testset) else testsets.count(own) == 1

    return [item for item, own in zip(items, testsets, strict=True) if is_out(item, own)]


def _is_unused(item: Item, loaded: Loaded, kind: Kind, measure: str) -> bool:
    """Whether an item of the selected test set is not part of what was loaded."""
    if item.role in (*SHARED, "source"):
        n = loaded.testset.n if loaded.testset else 0
        return n not in (0, len(item.segments))
    if item.kind != kind and (item.kind, kind) != ("scores", "text"):
        return False
    if item.role == "reference":
        references = loaded.testset.references if loaded.testset else ()
        return bool(references) and item.segments not in references
    systems = {outputs.system for outputs in loaded.outputs}
    return item.role == "system" and item.measure == measure and item.name not in systems
