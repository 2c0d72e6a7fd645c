"""Word links as segments: sure and possible ones, and the four counts that AER, precision and recall are made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import ReadError
from sigcore.text.chunks import Done, paced

# No leading zeros, so that equal links are equal texts.
LINK = re.compile(r"(0|[1-9][0-9]*)([-p])(0|[1-9][0-9]*)")
COLUMNS = ("links", "sure", "links_and_sure", "links_and_possible")


def read_links(segment: str, sentence: int) -> tuple[set[str], set[str]]:
    """The links of one segment as "source-target": the sure ones, and all of them (a sure link is possible too).

    Raises: ReadError for what is no link.
    """
    found = segment.split()
    bad = next((link for link in found if LINK.fullmatch(link) is None), None)
    if bad is not None:
        raise ReadError(f"sentence {sentence}: {bad[:40]!r} is no link; expected i-j or ipj.")
    return {link for link in found if "-" in link}, {link.replace("p", "-") for link in found}


def table(segments: Sequence[str]) -> NDArray[np.int64]:
    """All links as (segment, source, target, 1 if sure), one row each, (links, 4)."""
    rows = [
        (number, int(source), int(target), mark == "-")
        for number, segment in enumerate(segments)
        for source, mark, target in LINK.findall(segment)
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def with_possible(sure: str, possible: str) -> str:
    """The links of both, those of `possible` alone as possible."""
    own, more = read_links(sure, 0), read_links(possible, 0)
    marks = dict.fromkeys(own[1] | more[1], "p") | dict.fromkeys(own[0], "-")
    ends = sorted((*map(int, link.split("-")), mark) for link, mark in marks.items())
    return " ".join(f"{i}{mark}{j}" for i, j, mark in ends)


@dataclass(frozen=True, eq=False)
class GoldLinks:
    """The gold links of every segment: (sure, sure or possible)."""

    links: list[tuple[set[str], set[str]]]

    def rows(self, segments: Sequence[str], done: Done | None) -> NDArray[np.float64]:
        """(n, 4): links of the system |A|, sure links |S|, |A and S|, |A and P|; P holds S.

        All links of a system count alike, also those it marks as possible.
        """
        counts = np.zeros((len(segments), len(COLUMNS)))

        def work(start: int, stop: int) -> None:
            for i in range(start, stop):
                own = read_links(segments[i], i + 1)[1]
                sure, possible = self.links[i]
                counts[i] = len(own), len(sure), len(own & sure), len(own & possible)

        paced(len(segments), work, done)
        return counts


def gold_links(segments: Sequence[str]) -> GoldLinks:
    """The gold side (ReadError for what is no link)."""
    return GoldLinks([read_links(segment, i + 1) for i, segment in enumerate(segments)])
