"""NIST: n-gram precision in which a rare n-gram counts for more, as NIST's own mteval computes it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sigcore.metrics.contract import Done, Metric, Options, References
from sigcore.metrics.nist.information import ORDER, NistReferences
from sigcore.registry import Option
from sigcore.text.ngrams import KERNELS
from sigcore.text.tokens import MTEVAL, TOKENIZERS
from sigcore.types import Floats

# The penalty is 1/2 for an output whose length is 2/3 of the references' length.
BETA = math.log(0.5) / math.log(1.5) ** 2

NOTES = """The information of an n-gram is computed once, from all references of the test set, and not again in each
resample. Approximate randomization leaves the references as they are, so for it both are the same. For the bootstrap
they differ: a segment that is drawn twice makes its own n-grams look common, so scores with recomputed information are
too low. mteval also scores documents and segments with the information of the whole test set. So a part of a test set has
another NIST score if it is loaded as a separate test set.

With `tokenize=intl`, punctuation after a digit at the end of a segment stays with the word ("at 18:40."), as in mteval for
`<seg>text</seg>`. A file with a blank before `</seg>` makes mteval split it, and its NIST is then higher: by .006 to .008
for systems of WMT 2022 cs-en."""


def prepare(references: References, options: Options) -> NistReferences:
    """The references' words and the information of their n-grams."""
    return NistReferences(references, str(options["tokenize"]), bool(options["case"]))


def statistics(segments: Sequence[str], prepared: NistReferences, options: Options, done: Done | None) -> Floats:
    """(n, 11): information of the matches and number of n-grams for each order, mean reference length."""
    return prepared.rows(segments, done)


def penalty(length: Floats, reference_length: Floats) -> Floats:
    """1 for an output as long as the references or longer; falls to 0 as it gets shorter.

    Source: Doddington 2002, section 4; the lengths' ratio is taken over the whole sum.
    """
    ratio = np.minimum(1.0, length / np.where(reference_length > 0, reference_length, 1.0))
    with np.errstate(divide="ignore"):  # no output at all: log 0, and exp(-inf) = 0
        return np.asarray(np.exp(BETA * np.log(ratio) ** 2))


def score(sums: Floats, options: Options) -> Floats:
    """NIST, 0 to about 15, of sums (..., 11); nan where the references have no words."""
    reference_length = sums[..., 2 * ORDER]
    total = np.zeros(sums.shape[:-1])
    for k in range(ORDER):  # order by order: the same bits for one sum and for a block
        total = total + sums[..., k] / np.maximum(sums[..., ORDER + k], 1.0)
    return np.where(reference_length > 0, total * penalty(sums[..., ORDER], reference_length), np.nan)


def describe(references: References, options: Options) -> str:
    """References, case, tokenizer, and where the information comes from."""
    case = "mixed" if options["case"] else "ascii-lc" if options["tokenize"] == MTEVAL else "lc"
    return f"nist|nrefs:{len(references)}|case:{case}|tok:{options['tokenize']}|info:all-references"


METRIC = Metric(
    name="nist",
    title="NIST",
    kind="text",
    better="higher",
    columns=(
        *(f"information{k}" for k in range(1, ORDER + 1)),
        *(f"total{k}" for k in range(1, ORDER + 1)),
        "reference_length",
    ),
    prepare=prepare,
    kernels=replace(KERNELS, saves=1.5e-4),
    statistics=statistics,
    score=score,
    describe=describe,
    whole_references=True,
    decimals=4,
    options=(
        Option(
            "tokenize",
            "13a",
            choices=TOKENIZERS,
            help="The tokenizer: 13a as in mteval, intl as with its --international-tokenization.",
        ),
        Option(
            "case",
            False,
            help="Keep case (mteval -c). Otherwise 13a lowers ASCII letters, the other tokenizers all letters.",
        ),
    ),
    help="N-gram matches weighted by how rare they are in the references, with a mild penalty for short output.",
    notes=NOTES,
    source="Doddington 2002; mteval-v14 (NIST)",
)
