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
