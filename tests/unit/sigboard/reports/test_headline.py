"""The headline of a pair: one short sentence, true for every side, direction and family."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from sigboard.render.sentences import headline
from sigcore import Family
from tests.unit.factories import one_test

ALONE = Family(1, 1, "none", "none", kind="one planned pair")


def said(alpha: float = 0.05, family: Family = ALONE, **changes: Any) -> str:
    return headline(one_test(system="A", baseline="B", **changes), alpha, family)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"gain": 2.0, "p_value": 0.01}, "A has a significantly higher BLEU than B (p = 0.010)."),
        ({"gain": -2.0, "p_value": 0.01}, "B has a significantly higher BLEU than A (p = 0.010)."),
        ({"gain": 2.0, "p_value": 0.3}, "A is not shown to be better than B in BLEU (p = 0.30)."),
        ({"gain": -2.0, "p_value": 0.3}, "B is not shown to be better than A in BLEU (p = 0.30)."),
        ({"gain": 0.0, "p_value": 1.0}, "A and B are not shown to differ in BLEU (p = 1.0)."),
        ({"gain": -2.0, "p_value": 0.3, "side": "greater"}, "A is not shown to be better than B in BLEU (p = 0.30)."),
        ({"gain": 2.0, "p_value": 0.3, "side": "less"}, "A is not shown to be worse than B in BLEU (p = 0.30)."),
        ({"gain": -2.0, "p_value": 0.01, "side": "less"}, "B has a significantly higher BLEU than A (p = 0.010)."),
        (
            {"gain": 2.0, "p_value": 0.01, "better": "lower"},
            "A has a significantly lower (better) BLEU than B (p = 0.010).",
        ),
        ({"gain": 2.0, "p_value": math.nan}, "Approximate randomization gives no p-value for A and B."),
        (
            {"gain": 2.0, "p_value": 0.01, "estimator": "paper"},
            "No verdict on A and B: p is as some papers and tools print it.",
        ),
        ({"gain": 2.0, "p_value": 0.2, "least_p": 0.2}, "No verdict on A and B: no p can be as small as alpha here."),
    ],
)
def test_the_sentence_says_who_in_what_and_p(changes: dict[str, Any], words: str) -> None:
    """Who is better, or what is not shown, with p; at most 20 words and three numbers."""
    shown = said(**changes)
    assert shown == words
    assert len(shown.split()) <= 20
    assert len(re.findall(r"\d[\d.]*", shown)) <= 3


def test_the_verdict_is_that_of_the_family() -> None:
    """One of many pairs is judged by its adjusted p, which is named; a caveat is announced."""
    family = Family(28, 28, "holm", "Holm", adjusted=0.3, adjusted_interval=(0.29, 0.31))
    assert (
        said(family=family, gain=2.0, p_value=0.01) == "A is not shown to be better than B in BLEU (adjusted p = 0.30)."
    )
    assert said(gain=2.0, p_value=0.01, caveat="Documents were ignored.").endswith(
        "However, p is too small, as said below."
    )
    assert said(alpha=0.001, gain=2.0, p_value=0.01).startswith("A is not shown")
