"""Macro-F1: the mean F1 of the classes, for class labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigcore.errors import SigError
from sigcore.metrics.contract import Done, Metric, Options, References
from sigcore.registry import Option
from sigcore.types import Floats

# Three statistics for each class and segment: more classes than this would be text, and a great deal of memory.
MOST = 200
COUNTS = ("match", "output", "reference")


@dataclass(frozen=True)
class Labels:
    """The classes of a test set, each with its number, and the labels of every segment's references."""

    numbers: dict[str, int]
    golds: list[tuple[str, ...]]


def _label(segment: str, options: Options) -> str:
    segment = segment.strip()
    return segment.lower() if options["lowercase"] else segment


def classes(references: References, options: Options) -> list[str]:
    """The different labels of all references, sorted.

    Raises: SigError for so many that they are no classes.
    """
    found = sorted({_label(text, options) for stream in references for text in stream})
    if len(found) > MOST:
        what = f"The references have {len(found)} different labels, and macro-F1 takes at most {MOST} classes."
        raise SigError(what, "", "For text that is no label choose another metric, accuracy for example.")
    return found


def prepare(references: References, options: Options) -> Labels:
    """The classes and the labels of the references."""
    numbers = {name: k for k, name in enumerate(classes(references, options))}
    golds = [tuple(_label(text, options) for text in texts) for texts in zip(*references, strict=True)]
    return Labels(numbers, golds)


def statistics(segments: Sequence[str], prepared: Labels, options: Options, done: Done | None) -> Floats:
    """(n, 3 * classes): for each class 1 where the label is right, where the output has it, where the reference has it.

    A segment's reference is the one that the output equals, else the first.
    """
    rows = np.zeros((len(prepared.golds), len(COUNTS) * len(prepared.numbers)))
    for row, segment, golds in zip(rows, segments, prepared.golds, strict=True):
        output = _label(segment, options)
        gold = output if output in golds else golds[0]
        row[3 * prepared.numbers[gold] + 2] = 1
        if output in prepared.numbers:  # else it is no class: wrong, and in nobody's way
            row[3 * prepared.numbers[output] + 1] = 1
            row[3 * prepared.numbers[output]] = output == gold
    return rows


def columns_from(references: References, options: Options) -> tuple[str, ...]:
    """The names of the statistics, three for each class."""
    return tuple(f"{count}_{name}" for name in classes(references, options) for count in COUNTS)


def score(sums: Floats, options: Options) -> Floats:
    """Macro-F1 in percent of sums (..., 3 * classes): the mean F1 of the classes that either side has; nan without any.

    Source: Yang and Liu 1999. (Another macro-F1 is made of the mean precision and recall: Opitz and Burst 2019.)
    """
    total, used = np.zeros(sums.shape[:-1]), np.zeros(sums.shape[:-1])
    for k in range(0, sums.shape[-1], 3):
        labels = sums[..., k + 1] + sums[..., k + 2]
        total += 2.0 * sums[..., k] / np.where(labels > 0, labels, 1.0)
        used += labels > 0
    return np.where(used > 0, 100.0 * total / np.maximum(used, 1.0), np.nan)


METRIC = Metric(
    name="macro_f1",
    title="macro-F1",
    kind="text",
    better="higher",
    columns=tuple(f"{count}_<class>" for count in COUNTS),
    columns_from=columns_from,
    prepare=prepare,
    statistics=statistics,
    score=score,
    whole_references=True,
    options=(Option("lowercase", False, help="Ignore case."),),
    help="Mean over the classes of each class's F1, for class labels.",
    notes=f"The classes are the labels of the references, at most {MOST}. An output with another label is wrong for its "
    "reference's class and counts for no other. A class that a resample has on neither side is left out of its mean. "
    "Where there are several references, the one that the output equals counts, else the first.",
    source="Yang and Liu 1999",
)
