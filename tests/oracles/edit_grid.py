"""Levenshtein distance by the whole grid, and error rates of strings made with it."""

from __future__ import annotations

from collections.abc import Sequence


def distance(first: Sequence[object], second: Sequence[object]) -> int:
    """The fewest insertions, deletions and substitutions."""
    grid = [[i + j for j in range(len(second) + 1)] for i in range(len(first) + 1)]
    for i, a in enumerate(first, start=1):
        for j, b in enumerate(second, start=1):
            grid[i][j] = min(grid[i - 1][j] + 1, grid[i][j - 1] + 1, grid[i - 1][j - 1] + (a != b))
    return grid[-1][-1]


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
