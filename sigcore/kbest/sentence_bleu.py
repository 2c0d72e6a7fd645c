"""BLEU of single hypotheses: add-one smoothing in two variants, and BLEU on a background of other segments."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from sigcore.types import Floats

# Which orders get one more match and one more n-gram: those above 1 (Lin & Och 2004), or all of them, as in the PRO and
# the sentence BLEU of Moses.
Variant = Literal["lin_och", "all_orders"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)


def bleu_plus_one(rows: Floats, variant: Variant = "lin_och") -> Floats:
    """Sentence BLEU, 0 to 1, of statistics (..., 2 + 2 order): both lengths, matches and n-grams of each order.

    The brevity penalty is not smoothed. A hypothesis without words, or without a matching word under `lin_och`, has 0.
    Source: Lin & Och 2004; Moses.
    """
    order = (rows.shape[-1] - 2) // 2
    add = np.ones(order)
    if variant == "lin_och":
        add[0] = 0.0
    matches, totals = rows[..., 2 : 2 + order] + add, rows[..., 2 + order :] + add
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(matches) - np.log(totals)  # no words at all: 0 / 0
    mean = np.where(np.isnan(logs).any(axis=-1), -np.inf, logs.sum(axis=-1) / order)
    return np.asarray(np.exp(mean + _brevity(rows)) * (rows[..., 0] > 0))


def background_bleu(rows: Floats) -> Floats:
    """BLEU, 0 to 1, times the reference length, of statistics (..., 2 + 2 order) that already hold a background.

    Source: Chiang et al. 2008; Cherry & Foster 2012; Moses' kbmira.
    """
    order = (rows.shape[-1] - 2) // 2
    logs = np.log(rows[..., 2 : 2 + order]) - np.log(rows[..., 2 + order :])
    return np.asarray(np.exp(logs.sum(axis=-1) / order + _brevity(rows)) * rows[..., 1])


def _brevity(rows: Floats) -> Floats:
    """The logarithm of the brevity penalty."""
    return np.minimum(0.0, 1.0 - rows[..., 1] / np.maximum(rows[..., 0], 1e-9))
