"""The known formulas: the columns each needs, the names they have in files, and the score of their sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sigcore.text.bleu_score import bleu_score
from sigcore.text.meteor_score import METEOR_COLUMNS, METEOR_PARAMETERS, meteor_score
from sigcore.types import Better, Floats

FormulaName = Literal["mean", "ratio", "f_beta", "precision", "recall", "bleu", "meteor", "aer"]
Settings = Mapping[str, object]
Rows = Callable[[Floats], Floats]


def as_they_are(given: Floats) -> Floats:
    """The numbers, unchanged."""
    return given


def with_the_first(given: Floats) -> Floats:
    """(n, K): the first column, and its sum with each of the others: hits and errors become hits and totals."""
    return np.column_stack([given[:, :1], given[:, 1:] + given[:, :1]])


def weighted(given: Floats) -> Floats:
    """(n, 2): score times weight, and the weight; 1 where there is none."""
    weight = given[:, 1] if given.shape[1] > 1 else np.ones(len(given))
    return np.column_stack([given[:, 0] * weight, weight])


def whole_chunks(given: Floats) -> Floats:
    """Rows of METEOR in which a segment that is one chunk as a whole counts no chunk.

    The Java program prints one chunk for it, but counts none.
    """
    out = given.copy()
    whole = (given[:, 20] == 1) & (given[:, 0] == given[:, 21]) & (given[:, 1] == given[:, 22])
    out[whole, 20] = 0.0
    return out


@dataclass(frozen=True)
class Layout:
    """Names that the numbers of a formula have in files, and how its columns are computed from them."""

    names: tuple[str, ...]
    rows: Rows = as_they_are


@dataclass(frozen=True)
class Formula:
    """A score of sums (..., K) of `columns`, nan where it is not defined.

    A perfect score is `gives` as computed and `scale` as it is usually written (for a mean: in the unit of the numbers).
    `layouts` are the names its columns have in files; the first one is the order in which users name columns.
    `not_above`: pairs of columns of which the first can never be larger. The columns from `counts` on cannot be
    negative.
    """

    title: str
    columns: tuple[str, ...]
    layouts: tuple[Layout, ...]
    score: Callable[[Floats, Settings], Floats]
    better: Better = "higher"
    gives: float = 1.0
    scale: float = 100.0
    not_above: tuple[tuple[int, int], ...] = ()
    counts: int = 0
    source: str = ""


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole; nan where the whole is 0."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan)


def _ratio(sums: Floats, settings: Settings) -> Floats:
    return share(sums[..., 0], sums[..., 1])


def f_beta(sums: Floats, beta: float) -> Floats:
    """F of sums (..., 3) of true positives, predicted and gold: (1 + b^2) tp / (predicted + b^2 gold).

    Equal to the weighted harmonic mean of precision and recall wherever both are defined, and 0 where only one is.
    Source: van Rijsbergen 1979, Chapter 7.
    """
    square = beta * beta
    return share((1.0 + square) * sums[..., 0], sums[..., 1] + square * sums[..., 2])


def _f_beta(sums: Floats, settings: Settings) -> Floats:
    return f_beta(sums, float(str(settings["beta"])))


def _bleu(sums: Floats, settings: Settings) -> Floats:
    return bleu_score(sums)


def _meteor(sums: Floats, settings: Settings) -> Floats:
    language = str(settings["meteor_language"])
    chosen = METEOR_PARAMETERS.get(language, METEOR_PARAMETERS["other"])
    return meteor_score(sums, chosen.alpha, chosen.beta, chosen.gamma, chosen.delta, chosen.weights)


def _aer(sums: Floats, settings: Settings) -> Floats:
    links, sure, right_sure, right_possible = (sums[..., k] for k in range(4))
    return 1.0 - share(right_sure + right_possible, links + sure)


def _layouts(*names: str, rows: Rows = as_they_are) -> tuple[Layout, ...]:
    return tuple(Layout(tuple(text.split()), rows) for text in names)


def _bleu_names(length: str, reference: str, match: str, total: str) -> str:
    orders = range(1, 5)
    return " ".join([length, reference, *(f"{match}{k}" for k in orders), *(f"{total}{k}" for k in orders)])


_METEOR_SHORT = " ".join(
    ["hyp_len", "ref_len", "hyp_function", "ref_function"]
    + [f"m{k}_{side}_{kind}" for k in range(1, 5) for kind in ("content", "function") for side in ("hyp", "ref")]
    + ["chunks", "hyp_matches", "ref_matches"]
)

FORMULAS: dict[FormulaName, Formula] = {
    "mean": Formula(
        "mean",
        ("weighted_score", "weight"),
        _layouts("score weight", "value weight", "score", "value", rows=weighted),
        _ratio,
        scale=1.0,
        counts=1,
        source="the mean, or the mean weighted by weight",
    ),
    "ratio": Formula(
        "ratio",
        ("numerator", "denominator"),
        _layouts("num den", "numerator denominator", "correct total", "hits total", "errors words", "edits words"),
        _ratio,
        counts=1,
        source="sum of numerators / sum of denominators",
    ),
    "f_beta": Formula(
        "F",
        ("tp", "predicted", "gold"),
        (
            *_layouts("tp pred gold", "tp predicted gold", "correct predicted gold", "match test gold"),
            *_layouts("tp fp fn", rows=with_the_first),
        ),
        _f_beta,
        not_above=((0, 1), (0, 2)),
        source="van Rijsbergen 1979",
    ),
    "precision": Formula(
        "precision",
        ("tp", "predicted"),
        (*_layouts("tp pred", "tp predicted", "correct predicted"), *_layouts("tp fp", rows=with_the_first)),
        _ratio,
        not_above=((0, 1),),
        source="true positives / predicted",
    ),
    "recall": Formula(
        "recall",
        ("tp", "gold"),
        (*_layouts("tp gold", "correct gold"), *_layouts("tp fn", rows=with_the_first)),
        _ratio,
        not_above=((0, 1),),
        source="true positives / gold",
    ),
    "bleu": Formula(
        "BLEU",
        tuple(_bleu_names("length", "reference_length", "match", "total").split()),
        _layouts(
            _bleu_names("sys_len", "ref_len", "correct", "total"),
            _bleu_names("sys_len", "ref_len", "counts", "totals"),
            _bleu_names("length", "reference_length", "match", "total"),
        ),
        _bleu,
        gives=100.0,
        not_above=((2, 6), (3, 7), (4, 8), (5, 9)),
        source="Papineni et al. 2002; sacrebleu (Post 2018)",
    ),
    "meteor": Formula(
        "METEOR",
        METEOR_COLUMNS,
        _layouts(" ".join(METEOR_COLUMNS), _METEOR_SHORT, rows=whole_chunks),
        _meteor,
        not_above=((2, 0), (3, 1), (21, 0), (22, 1), (20, 21), (20, 22)),
        source="Denkowski and Lavie 2014",
    ),
    "aer": Formula(
        "AER",
        ("links", "sure", "links_and_sure", "links_and_possible"),
        _layouts("links sure links_and_sure links_and_possible", "A S A_and_S A_and_P", "A S AS AP"),
        _aer,
        better="lower",
        not_above=((2, 0), (2, 1), (3, 0), (2, 3)),
        source="Och & Ney 2003",
    ),
}


def fitting(formula: Formula, names: Sequence[str]) -> list[Layout]:
    """The layouts whose names are all present, ignoring case; a layout that is part of another is left out."""
    present = {name.lower() for name in names}
    layouts = [layout for layout in formula.layouts if {name.lower() for name in layout.names} <= present]
    return [one for one in layouts if not any(set(one.names) < set(other.names) for other in layouts)]
