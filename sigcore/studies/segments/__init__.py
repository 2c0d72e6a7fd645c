"""Where does the difference come from? What each segment adds to the gain of a pair, its texts, and its fragility."""

from __future__ import annotations

from sigcore.studies.segments.compute import Fragile, behind_bar, fragile, run, sliced, table, texts_of
from sigcore.studies.segments.fragility import FRAGILITY, Fragility, fragility
from sigcore.studies.segments.influence import Behind, Influences, behind, influences
from sigcore.studies.segments.repeats import Repeats, repeated
from sigcore.studies.segments.result import (
    CONCENTRATION,
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
from sigcore.studies.segments.slices import DECLARED, SLICE, Slice, columns_of, loaded_columns, read_columns
from sigcore.studies.segments.slices import sentence as about_slices
from sigcore.studies.segments.structures import Drawing, Shape
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
    "CONCENTRATION",
    "DECLARED",
    "EDITS",
    "FRAGILITY",
    "KINDS",
    "MARKS",
    "NO_END",
    "RESULT",
    "SEGMENT",
    "SLICE",
    "SORTS",
    "Behind",
    "Compared",
    "Drawing",
    "Edit",
    "Filter",
    "Fragile",
    "Fragility",
    "Influences",
    "Kind",
    "Matches",
    "Piece",
    "Repeats",
    "Segment",
    "SegmentsResult",
    "Shape",
    "Shown",
    "Slice",
    "Sort",
    "Texts",
    "about_slices",
    "behind",
    "behind_bar",
    "columns_of",
    "concentration",
    "differences",
    "flat",
    "fragile",
    "fragility",
    "influences",
    "loaded_columns",
    "marked",
    "matches",
    "ratings_of",
    "read_columns",
    "read_lengths",
    "repeated",
    "run",
    "score_of",
    "selected",
    "sentences",
    "sliced",
    "summary",
    "table",
    "texts_of",
    "with_fragility",
    "words",
    "written",
]
