"""Runs the kernels against sacrebleu and other oracles on random corpora: `python -m tests.oracles.fuzz_kernels FIRST LAST`.

It is a program of its own so that it can run with NUMBA_BOUNDSCHECK=1, which must be set before
anything is compiled: an index outside its array is then an error, not a silent write.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import numpy as np

from sigcore.metrics.chrf import ChrfReferences
from sigcore.metrics.nist import NistReferences
from sigcore.metrics.ter import TerReferences
from sigcore.text.bleu import BleuReferences
from sigcore.text.levenshtein import of_characters
from tests.oracles import edit_grid, nist_counts, sacre_rows
from tests.oracles.corpora import corpus

Options = dict[str, Any]
OFFLINE = ("13a", "intl", "zh", "char", "none")


def options(seed: int) -> tuple[Options, Options, Options]:
    """Options of BLEU, chrF and TER, drawn from all there are."""
    random = Random(~seed)
    bleu = {"lowercase": coin(random), "tokenize": random.choice(OFFLINE), "max_order": random.randint(1, 6)}
    words = random.randint(0, 3)
    chrf = {"char_order": random.randint(0 if words else 1, 8), "word_order": words, "beta": random.choice([1, 2, 3])}
    chrf |= {name: coin(random) for name in ("lowercase", "whitespace", "eps_smoothing")}
    ter = {name: coin(random) for name in ("normalized", "no_punct", "asian_support", "case_sensitive")}
    return bleu, chrf, ter


def coin(random: Random) -> bool:
    """True or False, equally often."""
    return random.random() < 0.5


def check(seed: int, longest: int = 30) -> None:
    """Nothing; AssertionError where a row differs from sacrebleu's."""
    system, references = corpus(seed, longest=longest)
    bleu, chrf, ter = options(seed)
    pairs = (
        ("BLEU", bleu, BleuReferences(references, **bleu).rows, sacre_rows.bleu(references, **bleu)),
        ("chrF", chrf, ChrfReferences(references, **chrf).rows, sacre_rows.chrf(references, **chrf)),
        ("TER", ter, TerReferences(references, **ter).rows, sacre_rows.ter(references, **ter)),
    )
    for name, given, ours, theirs in pairs:
        assert np.array_equal(ours(system), theirs(system)), f"{name} differs: seed {seed}, {given}"
    check_others(seed, system, references)


def check_others(seed: int, system: list[str], references: list[list[str]]) -> None:
    """Nothing; AssertionError where a row of NIST or CER differs from the slow one."""
    nist = nist_counts.rows(system, references)
    assert np.allclose(NistReferences(references).rows(system), nist, rtol=1e-12), f"NIST differs: seed {seed}"
    golds = [[text.strip() for text in texts] for texts in zip(*references, strict=True)]
    errors = [edit_grid.row(text.strip(), texts) for text, texts in zip(system, golds, strict=True)]
    assert np.array_equal(of_characters(references, False, True).rows(system), errors), f"CER differs: seed {seed}"


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        check(number, longest=120 if number % 20 == 0 else 25)
    print("equal")
