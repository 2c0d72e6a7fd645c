"""The selected items that could not be used."""

from __future__ import annotations

from collections.abc import Sequence

from sigcore.data.assembly import Loaded
from sigcore.data.testsets import settled
from sigcore.readers import SHARED, Item
from sigcore.types import Kind


def left_out(items: Sequence[Item], loaded: Loaded, kind: Kind, testset: str, measure: str) -> list[Item]:
    """The items that could not be used because of their length or content, and those that never can be."""
    used = {outputs.system for outputs in loaded.outputs}
    gold = loaded.testset.references if loaded.testset else ()
    n = loaded.testset.n if loaded.testset else 0
    testsets = [item.testset for item in settled(items)[0]]

    def unused(item: Item) -> bool:
        if item.role in (*SHARED, "source"):
            return bool(n) and len(item.segments) != n
        if item.kind != kind and not (item.kind == "scores" and kind == "text"):
            return False
        if item.role == "reference":
            return bool(gold) and item.segments not in gold
        return item.role == "system" and item.measure == measure and item.name not in used

    def is_out(item: Item, assigned: str) -> bool:
        # an item that is alone in an unselected test set can never be scored
        return unused(item) if assigned in ("", testset) else testsets.count(assigned) == 1

    return [item for item, assigned in zip(items, testsets, strict=True) if is_out(item, assigned)]
