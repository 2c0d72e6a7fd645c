"""Which of the items that are looked at could not be used."""

from __future__ import annotations

from collections.abc import Sequence

from sigcore.data.assembly import Loaded
from sigcore.data.testsets import settled
from sigcore.readers import SHARED, Item
from sigcore.types import Kind


def left_out(items: Sequence[Item], loaded: Loaded, kind: Kind, testset: str, measure: str) -> list[Item]:
    """The items that could not be used, for their length or for what is in them, and those that never can be."""
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

    def is_out(item: Item, own: str) -> bool:
        # alone in a test set that is not looked at, an item can never be scored
        return unused(item) if own in ("", testset) else testsets.count(own) == 1

    return [item for item, own in zip(items, testsets, strict=True) if is_out(item, own)]
