"""Levenshtein distance by the whole grid and by bits, and error rates of strings made with the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def distance(first: Sequence[object], second: Sequence[object]) -> int:
    """The fewest insertions, deletions and substitutions."""
    grid = [[i + j for j in range(len(second) + 1)] for i in range(len(first) + 1)]
    for i, a in enumerate(first, start=1):
        for j, b in enumerate(second, start=1):
            grid[i][j] = min(grid[i - 1][j] + 1, grid[i][j - 1] + 1, grid[i - 1][j - 1] + (a != b))
    return grid[-1][-1]


def bit_distance(text: Iterable[int], gold: Sequence[int]) -> int:
    """The edits that turn the text into the gold, a whole row of the grid in one number of gold's length in bits.

    Neighbours in a column of the grid differ by -1, 0 or +1; `up` and `down` have a bit where they rise and fall.
    Source: Myers 1999, in the form of Hyyrö 2003.
    """
    places: dict[int, int] = {}
    for j, symbol in enumerate(gold):
        places[symbol] = places.get(symbol, 0) | 1 << j
    full, last = (1 << len(gold)) - 1, 1 << len(gold) >> 1
    up, down, edits = full, 0, len(gold)
    for symbol in text:
        same = places.get(symbol, 0)
        level = ((((same & up) + up) ^ up) | same | down) & full  # where the diagonal does not rise
        right_up, right_down = (down | ~(level | up)) & full, level & up
        edits += bool(right_up & last) - bool(right_down & last) if last else 1
        right_up = right_up << 1 | 1
        up = (right_down << 1 | ~(level | right_up)) & full
        down = right_up & level
    return edits


def row(output: Sequence[object], references: Sequence[Sequence[object]]) -> tuple[int, int]:
    """(edits, length) of the closest reference: fewest edits first, then the longest."""
    edits, shorter = min((distance(output, gold), -len(gold)) for gold in references)
    return edits, -shorter


def words(line: str) -> list[str]:
    """The words between whitespace."""
    return line.split()


def characters(line: str) -> list[str]:
    """The characters, without whitespace at the ends."""
    return list(line.strip())
