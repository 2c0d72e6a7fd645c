"""Swap tests: would the agreement of two metrics with people differ as much if their scores had changed places?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Literal

import numpy as np

from sigcore.resampling.weights import swap_masks
from sigcore.studies.human.system_level import Target, agreement
from sigcore.types import Floats

# What changes places between two metrics: all scores of a system, all scores of an input, or single scores.
Swapped = Literal["systems", "inputs", "both"]
SWAPPED: tuple[Swapped, ...] = ("systems", "inputs", "both")
ALL_UP_TO = 13  # systems up to which all swaps are tried; half of them mirror the other half
DRAWS = 1999
AT_ONCE = 4_000_000  # numbers held in memory
ROUNDING = 1e-9  # differences of measures that are closer than this are the same


def swap_tests(scores: Floats, target: Target, swapped: Swapped, seed: int) -> Floats:
    """Two-sided p of every measure for every pair of metrics, (M measures, pairs of metrics); nan where it is undefined.

    `scores` (metrics, S, n) are scores of S systems on n inputs, more is better, a system's score being their mean; they
    are standardised here. The p of Pearson's r compares Fisher's z, so that standardised scores keep the level. The
    observed difference counts as one of the swaps, so p is never 0. Swaps of up to ALL_UP_TO systems are all tried; otherwise
    DRAWS are drawn, and all pairs of metrics share them. Cost: O(swaps S (n + S log S)) for each pair.

    Source: Deutsch, Dror & Roth 2021, A Statistical Analysis of Summarization Evaluation Metrics using Resampling
    Methods, Section 4: PERM-SYSTEMS, PERM-INPUTS and PERM-BOTH.
    """
    scores = standardised(scores, swapped)
    means = scores.mean(axis=-1)  # (metrics, S)
    places = list(combinations(range(len(scores)), 2))
    observed = [_difference(means[a], means[b], target) for a, b in places]
    reached, tried = np.zeros((len(places), len(target.asked))), 0
    for moved in _moved(scores, swapped, seed):  # (metrics, R, S): the part of every score that changes places
        for k, (a, b) in enumerate(places):
            change = moved[b] - moved[a]
            drawn = _difference(means[a] + change, means[b] - change, target)
            reached[k] += (~(drawn < observed[k][:, None] - ROUNDING)).sum(axis=-1)
        tried += moved.shape[1]
    if not all_tried(scores.shape[1], swapped):
        reached, tried = reached + 1, tried + 1  # what was observed is not among the draws
    return np.where(np.isnan(np.array(observed)), np.nan, reached / tried).T


def all_tried(systems: int, swapped: Swapped) -> bool:
    """Whether all swaps are tried, so that p has no Monte Carlo error."""
    return swapped == "systems" and systems <= ALL_UP_TO


def standardised(scores: Floats, swapped: Swapped) -> Floats:
    """Scores (metrics, S, n) with mean 0 and SD 1 for each metric: of system scores where systems change places,
    otherwise of all scores."""
    if swapped == "systems":
        scores = scores.mean(axis=-1, keepdims=True)
    middle, spread = (part(scores, axis=(1, 2), keepdims=True) for part in (np.mean, np.std))
    return np.asarray((scores - middle) / np.where(spread > 0, spread, 1.0))


def _difference(first: Floats, second: Floats, target: Target) -> Floats:
    """How far two metrics differ in every measure, (M, ...), for system scores (..., S)."""
    parts = []
    for scores in (first, second):
        measures = agreement(scores, target)
        pearson = [name for name, _ in target.asked].index("pearson")
        measures[pearson] = np.arctanh(np.clip(measures[pearson], -1 + 1e-15, 1 - 1e-15))
        parts.append(measures)
    return np.abs(parts[0] - parts[1])


def _moved(scores: Floats, swapped: Swapped, seed: int) -> Iterator[Floats]:
    """Of every metric and system the part of the score that changes places, (metrics, R, S), some swaps at a time."""
    systems, n = scores.shape[1:]
    if all_tried(systems, swapped):
        bits = np.arange(2 ** (systems - 1))[:, None] >> np.arange(systems) & 1
        yield scores[:, None, :, 0] * bits
        return
    generator = np.random.default_rng([seed, SWAPPED.index(swapped)])
    rows = max(1, AT_ONCE // max(n, systems**2))
    for start in range(0, DRAWS, rows):
        size = min(rows, DRAWS - start)
        if swapped == "systems":
            yield scores[:, None, :, 0] * swap_masks(generator, size, systems)
        elif swapped == "inputs":
            mask = swap_masks(generator, size, n).astype(np.float64)
            yield np.moveaxis(scores @ mask.T, -1, 1) / n  # (metrics, S, n) @ (n, R) -> (metrics, R, S)
        else:
            masks = (swap_masks(generator, size, n).astype(np.float64) for _ in range(systems))
            yield np.stack([scores[:, s] @ mask.T for s, mask in enumerate(masks)], axis=-1) / n
