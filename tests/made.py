"""Small test sets made for the tests: text with slips of a known rate, scores, and those of other kinds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sigcore.data import Collection, option_of
from sigcore.readers import Choice
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies import scores
from sigcore.testset import Outputs, Testset
from tests.made_statistics import statistics_set
from tests.made_structures import MAKERS, structure_set

WORDS = [
    "the",
    "a",
    "one",
    "this",
    "small",
    "old",
    "red",
    "long",
    "river",
    "house",
    "garden",
    "letter",
    "road",
    "winter",
    "bridge",
    "teacher",
    "dog",
    "boat",
    "sees",
    "finds",
    "keeps",
    "opens",
    "near",
    "under",
    "behind",
    "with",
    "of",
    "and",
    "slowly",
    "often",
    "never",
    "today",
    "again",
    "Anna",
    "Jan",
    "cold",
    "warm",
    "quiet",
    "two",
    "three",
    "12",
    "1990",
]


def sentences(n: int, seed: int = 0) -> tuple[str, ...]:
    """n made-up segments of 3 to 14 words."""
    rng = np.random.default_rng(seed)
    return tuple(" ".join(rng.choice(WORDS, size=rng.integers(3, 15))) + " ." for _ in range(n))


def with_slips(segments: tuple[str, ...], rate: float, seed: int) -> tuple[str, ...]:
    """The segments, with a word replaced, dropped or moved at that rate."""
    rng = np.random.default_rng(seed)
    out = []
    for segment in segments:
        words = segment.split()
        for k in range(len(words) - 1, -1, -1):
            chance = rng.random() / rate if rate else 1.0
            if chance < 0.5:
                words[k] = str(rng.choice(WORDS))
            elif chance < 0.8:
                del words[k]
            elif chance < 1.0:
                words.append(words.pop(k))
        out.append(" ".join(words))
    return tuple(out)


def text_set(n: int, rates: tuple[float, ...] = (0.1, 0.25), seed: int = 0) -> tuple[Testset, list[Outputs]]:
    """A test set of text with one reference, and a system for each rate of slips: sys0, sys1, ..."""
    reference = sentences(n, seed)
    systems = [Outputs(f"sys{k}", with_slips(reference, rate, seed + 1 + k)) for k, rate in enumerate(rates)]
    return Testset("made", "text", n, (reference,)), systems


def score_set(*columns: object) -> tuple[Testset, list[Outputs]]:
    """A test set of scores, and a system for each column of numbers: sys0, sys1, ..."""
    texts = [tuple(repr(float(x)) for x in np.asarray(column, dtype=float)) for column in columns]
    return Testset("scores", "scores", len(texts[0])), [Outputs(f"sys{k}", t) for k, t in enumerate(texts)]


def sample_of(kind: str, n: int = 12, seed: int = 0) -> tuple[Testset, list[Outputs]]:
    """A small test set of that kind with three systems, the first better than the second in every segment's mean."""
    if kind == "text":
        return text_set(n, (0.05, 0.3, 0.3), seed)
    if kind in MAKERS:
        return structure_set(kind, n, seed=seed)
    if kind == "statistics":
        return statistics_set(n, seed=seed)
    rng = np.random.default_rng(seed)
    base = rng.integers(-20, 60, size=n)
    return score_set(base + 8, base - rng.integers(0, 9, size=n), base)


def matrix_of(file: str, text: bytes, people: Sequence[str] = (), columns: str = "") -> ScoreMatrix:
    """The matrix in a file of scores, read as any file is; `columns` says roles of columns (NAME=ROLE in lines).

    Raises: the problem of the file, or SigError with all of them.
    """
    collection = Collection()
    options = {"columns": columns} if columns else {}
    collection.add([(file, text)], [(file, "system")], every=Choice(options=options) if options else None)
    if len(collection.problems) == 1:
        raise collection.problems[0]
    ready = collection.sound("keep")
    label = {"label": ready.measure, "better": option_of(ready.direction, ready.measure)}
    return scores.build(ready.testset, ready.outputs, [("own_scores", label)]).marked(people)
