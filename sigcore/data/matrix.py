"""A matrix of scores with its direction, and ratings by people: both without the codes of missing scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sigcore.data import direction, sentinels
from sigcore.data.checks import Finding
from sigcore.errors import SigError
from sigcore.judgments import NUMERIC, Judgments, judgments
from sigcore.score_matrix import ScoreMatrix
from sigcore.types import Better


def directed(matrix: ScoreMatrix, stated: Better | None, codes: Sequence[str]) -> tuple[ScoreMatrix, Finding | None]:
    """The matrix whose scores are better as stated, or by the name of its scores, or as assumed, and what to report.

    `codes` are numbers that mean a missing score (see `sentinels.read_codes`).
    Raises: SigError for numbers that look like codes where none are given, and for errors of which some are negative.
    """
    numbers = [float(code) for code in codes if code != sentinels.NONE]
    values = np.where(np.isin(matrix.values, numbers), np.nan, matrix.values)
    if not codes:
        columns = zip(matrix.systems, values.T, strict=True)
        found = {name: Counter(own[~np.isnan(own)].tolist()) for name, own in columns}
        suspect = sentinels.suspect(matrix.title, found)
        if suspect is not None:
            raise SigError(suspect.what, matrix.name, suspect.fix)
    if stated:
        return replace(matrix, values=values, better=stated, why="stated", digest=""), None
    known, finding = direction.of_numbers(matrix.title, values[~np.isnan(values)].tolist())
    if finding is not None and finding.severity == "error":
        raise SigError(finding.what, matrix.name, finding.fix)
    return replace(matrix, values=values, better=known.better, why=known.why, digest=""), finding


NAMES = ("system", "segment", "judge", "document", "dimension", "kind")


def rated(people: Judgments, codes: Sequence[str]) -> Judgments:
    """The ratings whose scores are none of these codes (see `sentinels.read_codes`).

    Raises: SigError for scores that look like codes where none are given, and where no rating is left.
    """
    numbers = [float(code) for code in codes if code != sentinels.NONE]
    if not codes:
        found = {
            name: Counter(people.score[people.system == name].tolist()) for name in sorted(set(people.system.tolist()))
        }
        suspect = sentinels.suspect("", found)
        if suspect is not None:
            raise SigError(suspect.what, people.name, suspect.fix)
    kept = ~np.isin(people.score, numbers)
    if kept.all():
        return people
    columns = {column: getattr(people, column)[kept] for column in (*NAMES, *NUMERIC)}
    return judgments(people.name, columns, people.absolute, people.file)
