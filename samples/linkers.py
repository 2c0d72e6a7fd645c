"""Outputs of invented word aligners: links in one direction, in the other, and what both have in common or together."""

from __future__ import annotations

from coins import Coins
from translations import Link, Unit, links


def directed(gold: tuple[set[Link], set[Link]], lengths: Link, coins: Coins, side: int) -> set[Link]:
    """One link at most for each word of a side (0 = English, 1 = the other language), as a directed aligner has."""
    found = set()
    for word in range(lengths[side]):
        sure = sorted(link[1 - side] for link in gold[0] if link[side] == word)
        possible = sorted(link[1 - side] for link in gold[1] if link[side] == word)
        if coins.slips("missed", side, word) or not (sure or possible):
            continue
        if not sure and coins.slips("unlinked", side, word):
            continue
        other = (sure or possible)[0]
        if coins.slips("shift", side, word):
            other += 1 if coins.toss("way", side, word) < 0.5 else -1
        elif coins.slips("far", side, word):
            other = int(coins.toss("place", side, word) * lengths[1 - side])
        if 0 <= other < lengths[1 - side]:
            found.add((word, other) if side == 0 else (other, word))
    return found


def undirected(gold: tuple[set[Link], set[Link]], lengths: Link, coins: Coins) -> set[Link]:
    """Links as a model of both sides has: most of the sure ones, some of the possible ones, and some beside them."""
    found = {link for link in gold[0] if not coins.slips("missed", *link)}
    found |= {link for link in gold[1] if not coins.slips("unlinked", *link)}
    for i, j in sorted(gold[0]):
        if coins.slips("shift", i, j) and j + 1 < lengths[1]:
            found.add((i, j + 1))
        if coins.slips("far", i, j):
            found.add((i, int(coins.toss("place", i, j) * lengths[1])))
    return found


def linked(units: list[Unit], words: int, coins: Coins) -> set[Link]:
    """The links of an aligner in a sentence; how it links is the `way` of its profile."""
    gold, lengths = links(units), (words, len(units))
    way = coins.profile.way
    if way == "both sides":
        return undirected(gold, lengths, coins)
    forward, reverse = (directed(gold, lengths, coins, side) for side in (1, 0))
    return {"forward": forward, "reverse": reverse, "intersection": forward & reverse, "union": forward | reverse}[way]


def line(units: list[Unit], words: int, coins: Coins) -> str:
    """The links as one line."""
    return " ".join(f"{i}-{j}" for i, j in sorted(linked(units, words, coins)))
