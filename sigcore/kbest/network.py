"""Confusion networks: the outputs of several systems for one segment, aligned word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sigcore.kbest import language_model
from sigcore.kbest.language_model import BigramModel
from sigcore.types import Floats, Ints

EMPTY = 0  # the number of the empty word; begin and end of a segment are 1 and 2
BEGIN, END = 1, 2
RESERVED = ("", language_model.BEGIN, language_model.END)
# the cost of an edit, and that of two equal words, which decides between alignments with as many edits
EDIT, EQUAL = 1_000_000, -1


@dataclass(frozen=True, eq=False)
class Slot:
    """One place of a network: its different words (A,), by number, and which of M systems voted for each (A, M)."""

    words: Ints
    votes: Floats


@dataclass(frozen=True, eq=False)
class Network:
    """The slots of one segment, its vocabulary, and the share of the systems that have each pair of words (V, V).

    `model` (V, V) are log probabilities of the second word after the first; None without a language model.
    """

    slots: tuple[Slot, ...]
    vocabulary: tuple[str, ...]
    support: Floats
    model: Floats | None = None


def network(outputs: Sequence[Sequence[str]], skeleton: int, model: BigramModel | None = None) -> Network:
    """The network of the words of M systems, aligned to those of the skeleton by the fewest edits, and of such alignments
    by one with the most equal words; case is ignored.

    Words that the skeleton does not have get slots between its own; a system without a word at a slot votes for the
    empty word. Source: Bangalore et al. 2001; Rosti et al. 2007.
    """
    base = outputs[skeleton]
    aligned = [_against(base, words) for words in outputs]
    numbers: dict[str, int] = {word: k for k, word in enumerate(RESERVED)}
    columns: list[list[str]] = []
    for place in range(len(base) + 1):
        extra = [gaps[place] for _, gaps in aligned]
        for k in range(max(map(len, extra))):
            columns.append([own[k] if k < len(own) else "" for own in extra])
        if place < len(base):
            columns.append([own[place] for own, _ in aligned])
    slots = tuple(_slot(column, numbers) for column in columns)
    known = None if model is None else model.between(tuple(numbers))
    return Network(slots, tuple(numbers), _support(outputs, numbers), known)


def _slot(column: Sequence[str], numbers: dict[str, int]) -> Slot:
    voters: dict[int, list[int]] = {}
    for system, word in enumerate(column):
        voters.setdefault(numbers.setdefault(word, len(numbers)), []).append(system)
    votes = np.zeros((len(voters), len(column)))
    for row, systems in enumerate(voters.values()):
        votes[row, systems] = 1.0
    return Slot(np.array(list(voters), dtype=np.int64), votes)


def _support(outputs: Sequence[Sequence[str]], numbers: dict[str, int]) -> Floats:
    support = np.zeros((len(numbers), len(numbers)))
    for words in outputs:
        path = [BEGIN, *(numbers[word] for word in words), END]
        for pair in dict.fromkeys(pairwise(path)):
            support[pair] += 1 / len(outputs)
    return support


def _against(base: Sequence[str], words: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """The word (or "") at every place of the base, and the words in each of the gaps before, between and behind."""
    gold, own = [word.lower() for word in base], [word.lower() for word in words]
    grid = _grid(gold, own)
    places, gaps = [""] * len(gold), [list[str]() for _ in range(len(gold) + 1)]
    i, j = len(gold), len(own)
    while i or j:
        # where several ways are equally short, words share a slot
        if i and j and grid[i][j] == grid[i - 1][j - 1] + (EQUAL if gold[i - 1] == own[j - 1] else EDIT):
            i, j = i - 1, j - 1
            places[i] = words[j]
        elif i and grid[i][j] == grid[i - 1][j] + EDIT:
            i -= 1
        else:
            j -= 1
            gaps[i].insert(0, words[j])
    return places, gaps


def _grid(gold: Sequence[str], own: Sequence[str]) -> list[list[int]]:
    """The least cost of aligning the first i words of the one with the first j words of the other."""
    grid = [[EDIT * j for j in range(len(own) + 1)]]
    for i, word in enumerate(gold, start=1):
        above, row = grid[-1], [EDIT * i]
        for j, other in enumerate(own):
            row.append(min(above[j] + (EQUAL if word == other else EDIT), above[j + 1] + EDIT, row[j] + EDIT))
        grid.append(row)
    return grid
