"""k-best lists made for the tests: text with slips, and features that know more or less about them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sigcore.kbest.instances import Instances
from sigcore.kbest.lists import KBest, offsets_of
from sigcore.kbest.sentence_bleu import background_bleu, bleu_plus_one
from sigcore.testset import Testset
from sigcore.text.bleu import bleu_score
from tests.made import WORDS

NAMES = ("slips", "words", "noise", "other noise")


def made_lists(n: int = 40, k: int = 12, seed: int = 1) -> tuple[KBest, Testset]:
    """n lists of up to k hypotheses with four features, the first of which counts slips, and their test set."""
    rng = np.random.default_rng(seed)
    references, texts, rows, lengths = [], [], [], []
    for _ in range(n):
        words = rng.choice(WORDS, rng.integers(6, 16)).tolist()
        references.append(" ".join(words))
        lengths.append(int(rng.integers(max(1, k // 2), k + 1)))
        for _ in range(lengths[-1]):
            slips = rng.random(len(words)) < rng.uniform(0, 0.6)
            text = [str(rng.choice(WORDS)) if slip else word for word, slip in zip(words, slips, strict=True)]
            text = text[: len(text) - int(rng.integers(0, 3))]
            texts.append(" ".join(text))
            rows.append([-slips.sum() + rng.normal() * 2, len(text), *rng.normal(size=2)])
    features = np.array(rows, dtype=float)
    lists = KBest("made", tuple(texts), offsets_of(lengths), NAMES, features, features[:, 2])
    return lists, Testset("made", "text", n, (tuple(references),))


def made_instances(n: int = 30, k: int = 10, features: int = 5, seed: int = 1) -> Instances:
    """n lists of up to k hypotheses with random features and BLEU statistics that depend on them."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(max(1, k // 2), k + 1, n)
    size = int(lengths.sum())
    values = rng.normal(size=(size, features))
    good = 1 / (1 + np.exp(-(values @ rng.normal(size=features)) - rng.normal(size=size)))
    words = rng.integers(5, 25, size)
    totals = np.stack([np.maximum(words - order, 0) for order in range(4)], axis=1)
    matches = np.floor(totals * good[:, None] ** np.arange(1, 5))
    reference = np.repeat(rng.integers(5, 25, n), lengths)
    statistics = np.column_stack([words, reference, matches, totals]).astype(float)
    return Instances(
        values,
        statistics,
        bleu_plus_one(statistics),
        offsets_of(lengths),
        lambda sums: bleu_score(sums),
        background_bleu,
    )


def lists_of(*texts: list[str], features: Any = None, names: tuple[str, ...] = ("f",), scores: Any = None) -> KBest:
    """Lists of these texts, with one feature that counts them where nothing else is said."""
    flat = tuple(text for own in texts for text in own)
    values = np.arange(len(flat), dtype=float)[:, None] if features is None else np.array(features, dtype=float)
    given = np.full(len(flat), math.nan) if scores is None else np.array(scores, dtype=float)
    return KBest("made", flat, offsets_of([len(own) for own in texts]), names, values, given)
