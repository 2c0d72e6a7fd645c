"""The single resamples of the lessons are those of the engine, and their scores those of the strings."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics import BLEU as Reference

from sigcore import Outputs, Testset
from sigcore.studies import learn, matrix
from sigcore.study import Study
from tests.oracles import resample_strings as strings

WORDS = ["red", "blue", "green", "small", "big", "old"]
REFERENCE = tuple(f"the {WORDS[i % 6]} boat number {i} sails home again" for i in range(40))
FIRST = tuple(
    line.replace("red", "rouge").replace("again", "now" if i % 3 else "again") for i, line in enumerate(REFERENCE)
)
SECOND = tuple(
    line.replace("blue", "bleu").replace("home", "away" if i % 2 else "home") for i, line in enumerate(REFERENCE)
)
TESTSET = Testset("boats", "text", 40, (REFERENCE,))
OUTPUTS = (Outputs("A", FIRST), Outputs("B", SECOND))
BLEU = [("bleu", {})]


@pytest.fixture(scope="module")
def numbers() -> learn.Steps:
    return learn.steps(Study(TESTSET, OUTPUTS, BLEU, seed=7))


def test_shown_resamples_are_the_engines(numbers: learn.Steps) -> None:
    """The weights of resample k are row k of all that the engine draws."""
    for shown, kind in ((numbers.swaps, "swap"), (numbers.draws, "bootstrap")):
        every = strings.drawn(7, kind, learn.DRAWN, 40)
        assert np.array_equal(shown.weights, every[shown.places - 1])


def test_scores_are_those_of_the_strings(numbers: learn.Steps) -> None:
    """Swapping or repeating the strings and scoring them with sacrebleu gives the scores of both pseudo-systems."""

    for k in (0, 3, 20):
        left, right = strings.swapped(FIRST, SECOND, numbers.swaps.weights[k])
        expected = [strings.corpus_score(Reference(), side, [REFERENCE]) for side in (left, right)]
        assert numbers.swaps.scores[k] == pytest.approx(expected)
        counts = numbers.draws.weights[k]
        gold = strings.repeated(REFERENCE, counts)
        expected = [strings.corpus_score(Reference(), strings.repeated(o, counts), [gold]) for o in (FIRST, SECOND)]
        assert numbers.draws.scores[k] == pytest.approx(expected)


def test_gains_of_shown_resamples_are_in_the_null(numbers: learn.Steps) -> None:
    """The difference of the two scores of shuffle k is number k of the null."""
    null = numbers.compared.result("approximate_randomization", "two-sided").null
    assert null is not None
    gains = numbers.swaps.scores[:, 0] - numbers.swaps.scores[:, 1]
    assert gains == pytest.approx(null[numbers.swaps.places - 1])


def test_p_is_that_of_the_matrix(numbers: learn.Steps) -> None:
    """p of the lesson is p of a grid of as many resamples, and (c + 1) / (R + 1)."""
    grid = matrix.read(matrix.run(Study(TESTSET, OUTPUTS, BLEU, resamples=learn.DRAWN, seed=7)), "bleu", learn.TESTS[0])
    test = numbers.compared.result(learn.TESTS[0], "two-sided")
    assert test.p_value == grid.p_values[0, 1] == (test.tail + 1) / (learn.DRAWN + 1)


def test_usual_pair_is_the_borderline_one() -> None:
    """Of three systems, the pair with a gain of about two standard errors is chosen, the better one first."""
    scores = {
        "same": [str(0.5 + 0.01 * (-1) ** i) for i in range(50)],
        "near": [str(0.5 + 0.3 * (i % 7) / 7) for i in range(50)],
        "far": [str(0.1 + 0.001 * i) for i in range(50)],
        "edge": [str(0.503 + 0.01 * (-1) ** (i // 2)) for i in range(50)],
    }
    outputs = [Outputs(name, tuple(values)) for name, values in scores.items()]
    testset = Testset("numbers", "scores", 50, ())
    # by hand: the difference of edge and same is 0.003 on average, with a standard error of 0.002
    assert learn.usual_pair(learn.data(testset, outputs, [("own_scores", {})])) == ("edge", "same")
