"""Word links as segments: sure and possible ones, and the four counts behind AER, precision and recall."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigcore.errors import ReadError
from sigcore.text.chunks import Done, in_chunks
from sigcore.types import Floats, Ints

# No leading zeros, so that equal links are equal texts.
LINK = re.compile(r"(0|[1-9][0-9]*)([-p])(0|[1-9][0-9]*)")
COLUMNS = ("links", "sure", "links_and_sure", "links_and_possible")


def read_links(segment: str, sentence: int) -> tuple[set[str], set[str]]:
    """The links of one segment as "source-target": the sure ones, and all of them (a sure link is also possible).

    Raises: ReadError for anything else.
    """
    links = segment.split()
    bad = next((link for link in links if LINK.fullmatch(link) is None), None)
    if bad is not None:
        raise ReadError(f"sentence {sentence}: {bad[:40]!r} is not a link; expected i-j or ipj.")
    return {link for link in links if "-" in link}, {link.replace("p", "-") for link in links}


def table(segments: Sequence[str]) -> Ints:
    """All links as (segment, source, target, 1 if sure), one row each, (links, 4)."""
    rows = [
        (number, int(source), int(target), mark == "-")
        for number, segment in enumerate(segments)
        for source, mark, target in LINK.findall(segment)
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def with_possible(sure: str, possible: str) -> str:
    """The links of both as one segment; a link that is only in `possible` is possible."""
    own, more = read_links(sure, 0), read_links(possible, 0)
    marks = dict.fromkeys(own[1] | more[1], "p") | dict.fromkeys(own[0], "-")
    ends = sorted((*map(int, link.split("-")), mark) for link, mark in marks.items())
    return " ".join(f"{i}{mark}{j}" for i, j, mark in ends)


@dataclass(frozen=True, eq=False)
class GoldLinks:
    """The gold links of every segment: (sure, sure or possible)."""

    links: list[tuple[set[str], set[str]]]

    def rows(self, segments: Sequence[str], done: Done | None) -> Floats:
        """(n, 4): links of the system |A|, sure links |S|, |A and S|, |A and P|; P includes S.

        All links of a system count the same, also those it marks as possible.
        """
        counts = np.zeros((len(segments), len(COLUMNS)))

        def work(start: int, stop: int) -> None:
            for i in range(start, stop):
                own = read_links(segments[i], i + 1)[1]
                sure, possible = self.links[i]
                counts[i] = len(own), len(sure), len(own & sure), len(own & possible)

        in_chunks(len(segments), work, done)
        return counts


def gold_links(segments: Sequence[str]) -> GoldLinks:
    """The gold links of all segments.

    Raises: ReadError for anything that is not a link.
    """
    return GoldLinks([read_links(segment, i + 1) for i, segment in enumerate(segments)])
