"""Ranges of ranks and clusters, counted pair by pair from a square of verdicts."""

from __future__ import annotations

from collections.abc import Sequence


def ranges(beats: Sequence[Sequence[bool]]) -> list[tuple[int, int]]:
    """For each system, 1 + the number that beat it, and the number of systems that it does not beat."""
    found = []
    for one in range(len(beats)):
        low, high = 1, len(beats)
        for other in range(len(beats)):
            low += 1 if beats[other][one] else 0
            high -= 1 if beats[one][other] else 0
        found.append((low, high))
    return found


def clusters(names: Sequence[str], beats: Sequence[Sequence[bool]]) -> list[list[str]]:
    """The names in their order; a new cluster begins where everything above beats everything from there on."""
    found: list[list[str]] = []
    for place, name in enumerate(names):
        cut = all(beats[above][below] for above in range(place) for below in range(place, len(names)))
        if cut:
            found.append([])
        found[-1].append(name)
    return found
