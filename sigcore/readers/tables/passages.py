"""Retrieved passages of each question that say whether they have the answer (DPR, FiD, Contriever, FlashRAG)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sigcore.readers.tables.documents import Record

PASSAGES, HELD, ASKED = "ctxs", "has_answer", "question"
DEPTHS = (1, 5, 20, 100)
ANSWERED = re.compile(
    r".*(?:pred|output|generat|response|completion|hypothes).*", re.IGNORECASE
)  # then the answers count


def found(records: Sequence[object]) -> list[Record]:
    """A record for each question: whether one of its first passages has the answer, at each usual depth that all questions reach, and
    the reciprocal rank of the first that does; [] for other files."""
    own = [one for one in records if isinstance(one, dict)]
    held = [_held(one) for one in own]
    if not held or len(own) < len(records) or not all(held):
        return []
    least = min(map(len, held))
    return [
        {
            "question": one[ASKED],
            **{f"hit@{k}": int(any(flags[:k])) for k in DEPTHS if k <= least},
            "MRR": _first(flags),
        }
        for one, flags in zip(own, held, strict=True)
    ]


def _held(record: Record) -> list[bool]:
    """Whether each passage of a question has the answer; [] where one does not say so."""
    passages = record.get(PASSAGES)
    if ASKED not in record or not isinstance(passages, list) or any(map(ANSWERED.fullmatch, record)):
        return []
    flags = [one.get(HELD) if isinstance(one, dict) else None for one in passages]
    told = [one if isinstance(one, bool) else str(one).lower() == "true" for one in flags if one is not None]
    return told if len(told) == len(flags) else []


def _first(flags: Sequence[bool]) -> float:
    """The reciprocal rank of the first passage that has the answer; 0 without one."""
    return 1 / (flags.index(True) + 1) if True in flags else 0.0
