"""N-grams counted by sorting: the same as counting them one by one, for any alphabet, order and number of references."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from sigcore.text import ngrams as sorted_ngrams
from sigcore.text.symbols import UNKNOWN, Symbols, joined, starts_of


def symbols(lines: list[list[int]]) -> Symbols:
    """The lines in one row."""
    return Symbols(np.array([number for line in lines for number in line], dtype=np.int32), starts_of(map(len, lines)))


def grams(line: list[int], order: int) -> Counter[tuple[int, ...]]:
    """The n-grams of a line, without those with an unknown word."""
    found = (tuple(line[at : at + order]) for at in range(len(line) - order + 1))
    return Counter(gram for gram in found if UNKNOWN not in gram)


def counted(text: list[list[int]], references: list[list[list[int]]], order: int) -> list[list[int]]:
    """The clipped matches of each line, counted one by one."""
    rows = []
    for i, line in enumerate(text):
        row = []
        for n in range(1, order + 1):
            most: Counter[tuple[int, ...]] = Counter()
            for reference in references:
                most |= grams(reference[i], n)
            row.append((grams(line, n) & most).total())
        rows.append(row)
    return rows


@pytest.mark.parametrize("seed", range(200))
def test_matches_are_those_counted_one_by_one(seed: int) -> None:
    """Small and large alphabets, empty lines, one to three references, orders that do not fit into one key."""
    rng = np.random.default_rng(seed)
    n, order, most = int(rng.integers(0, 6)), int(rng.integers(1, 11)), int(rng.choice([2, 5, 60, 10**6]))
    longest = int(rng.choice([1, 4, 30]))

    def lines(least: int) -> list[list[int]]:
        return [rng.integers(least, most, size=rng.integers(0, longest + 1)).tolist() for _ in range(n)]

    text, references = lines(UNKNOWN), [lines(0) for _ in range(int(rng.integers(1, 4)))]
    first = int(rng.integers(0, n + 1))
    totals = np.zeros((n - first, order), dtype=np.int64)
    gold = joined([symbols(reference) for reference in references])
    sorted_ngrams.sorted_matches(symbols(text[first:]), gold, first, totals)
    assert totals.tolist() == counted(text[first:], [reference[first:] for reference in references], order)


def test_a_long_line_of_large_numbers_needs_several_keys() -> None:
    """Where a key holds only few symbols, names take the place of the first ones."""
    line = [int(number) for number in np.random.default_rng(1).permutation(2000)]
    twice = [line + line[:700]]
    totals = np.zeros((1, 10), dtype=np.int64)
    sorted_ngrams.sorted_matches(symbols(twice), joined([symbols([line])]), 0, totals)
    assert totals.tolist() == counted(twice, [[line]], 10)


@pytest.mark.parametrize("seed", range(20))
def test_long_segments_are_sorted_beside_the_kernel(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the table of a segment would be too large, sorting takes its place, with the same counts; only there."""
    rng, sizes = np.random.default_rng(seed), list[int]()
    n, order, first = 7, 4, 2
    text, *references = ([rng.integers(0, 9, size=rng.integers(0, 30)).tolist() for _ in range(n)] for _ in range(3))
    sort = sorted_ngrams.sorted_matches

    def counting(part: Symbols, *more: Any) -> None:
        sizes.extend(part.lengths.tolist())
        sort(part, *more)

    monkeypatch.setattr(sorted_ngrams, "LONG", 120)
    monkeypatch.setattr(sorted_ngrams, "usable", lambda kernels: True)
    monkeypatch.setattr(sorted_ngrams, "sorted_matches", counting)
    found = sorted_ngrams.shared(symbols(text[first:]), joined([symbols(each) for each in references]), first, order)
    assert found.tolist() == counted(text[first:], [each[first:] for each in references], order)
    long = [i for i in range(first, n) if order * sum(len(each[i]) for each in references) > 120]
    assert sizes == [len(text[i]) for i in long]


def test_a_table_in_memory_has_a_bound() -> None:
    """A line of half a million different words would take 1.6 GB in the kernel's table; at the bound it takes 67 MB."""
    slots = 2 ** math.ceil(math.log2(4 * sorted_ngrams.LONG))
    assert slots * (8 + 4 + 4) < 70e6
    line = Symbols(np.zeros(3_000_000, dtype=np.int32), np.array([0, 3_000_000]))
    assert sorted_ngrams._too_long(joined([line]), 0, 1, 6) == [0]
