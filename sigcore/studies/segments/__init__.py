"""Where does the difference come from? What each segment adds to the gain of a pair, its texts, and its fragility."""

from __future__ import annotations

from sigcore.studies.segments.compute import fragile, run, table, texts_of
from sigcore.studies.segments.fragility import FRAGILITY, Fragility, fragility
from sigcore.studies.segments.influence import Influences, influences
from sigcore.studies.segments.result import (
    RESULT,
    SEGMENT,
    Segment,
    SegmentsResult,
    Shown,
    concentration,
    flat,
    score_of,
    sentences,
    summary,
    with_fragility,
    written,
)
from sigcore.studies.segments.select import NO_END, SORTS, Filter, Sort, read_lengths, selected
from sigcore.studies.segments.texts import EDITS, Edit, Texts, ratings_of
from sigcore.studies.segments.words import (
    KINDS,
    MARKS,
    Compared,
    Kind,
    Matches,
    Piece,
    differences,
    marked,
    matches,
    words,
)

__all__ = [
    "EDITS",
    "FRAGILITY",
    "KINDS",
    "MARKS",
    "NO_END",
    "RESULT",
    "SEGMENT",
    "SORTS",
    "Compared",
    "Edit",
    "Filter",
    "Fragility",
    "Influences",
    "Kind",
    "Matches",
    "Piece",
    "Segment",
    "SegmentsResult",
    "Shown",
    "Sort",
    "Texts",
    "concentration",
    "differences",
    "flat",
    "fragile",
    "fragility",
    "influences",
    "marked",
    "matches",
    "ratings_of",
    "read_lengths",
    "run",
    "score_of",
    "selected",
    "sentences",
    "summary",
    "table",
    "texts_of",
    "with_fragility",
    "words",
    "written",
]
