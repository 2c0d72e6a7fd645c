"""Levenshtein distance of numbers: the fewest insertions, deletions and substitutions, row by row."""

from __future__ import annotations

import numpy as np

from sigcore.text.compiled import kernel, part
from sigcore.text.symbols import Numbers
from sigcore.types import Ints


@part
def same_ends(text: Numbers, gold: Numbers) -> tuple[int, int]:
    """(equal symbols at the beginning, equal symbols at the end of the rest): they need no edits."""
    most = min(text.size, gold.size)
    ahead = 0
    while ahead < most and text[ahead] == gold[ahead]:
        ahead += 1
    behind = 0
    while behind < most - ahead and text[text.size - 1 - behind] == gold[gold.size - 1 - behind]:
        behind += 1
    return ahead, behind


@part
def distance(text: Numbers, gold: Numbers, row: Ints) -> int:
    """The edits that turn the text into the gold; `row` has at least gold.size + 1 places.

    Before the step with text[i], row[j] is the distance of the first i symbols of the text to the first j of the gold.
    """
    ahead, behind = same_ends(text, gold)
    words, rest = text[ahead : text.size - behind], gold[ahead : gold.size - behind]
    for j in range(rest.size + 1):
        row[j] = j
    for i in range(words.size):
        word = words[i]
        diagonal = row[0]
        left = row[0] = i + 1
        for j in range(rest.size):
            above = row[j + 1]
            left = min(min(left, above) + 1, diagonal + (word != rest[j]))
            row[j + 1] = left
            diagonal = above
    return row[rest.size]


@kernel
def distances(text: Numbers, text_starts: Ints, references: Numbers, starts: Ints, first: int, edits: Ints) -> None:
    """Fill edits (segments, streams) with distances; segment i belongs to segment first + i of each reference."""
    segments, streams = edits.shape
    longest = 0
    for stream in range(streams):
        for i in range(segments):
            longest = max(longest, starts[stream, first + i + 1] - starts[stream, first + i])
    row = np.empty(longest + 1, np.int64)
    for i in range(segments):
        words = text[text_starts[i] : text_starts[i + 1]]
        for stream in range(streams):
            gold = references[starts[stream, first + i] : starts[stream, first + i + 1]]
            edits[i, stream] = distance(words, gold, row)
