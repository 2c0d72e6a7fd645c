"""The adapter over sacrebleu: the rows it promises, the same as the compiled ones, and its own refusals."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import Outputs, Testset, metrics
from sigcore.errors import OptionError
from sigcore.text import sacre
from tests.routes import ROUTES, route

REFERENCES = (("the cat sat on the mat .", "", "one two three"), ("a cat sat on a mat", "nothing", "one two"))
SEGMENTS = ("the the cat sat mat", "", "three two one two")


def values(name: str, options: dict[str, object]) -> np.ndarray:
    """The statistics of a small system."""
    metric = metrics.get(name)
    testset = Testset("t", "text", 3, REFERENCES)
    return metrics.extractor(metric, testset, metric.chosen(options))(Outputs("s", SEGMENTS)).values


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
def test_the_rows_are_the_same_by_either_route(name: str) -> None:
    """Where no kernel is loaded, numpy or sacrebleu itself gives the rows, and they are the same."""
    found = []
    for way in ROUTES:
        with route(way):
            found.append(values(name, {}))
    assert np.array_equal(found[0], found[-1])


def test_layout_of_bleu_rows() -> None:
    """sacrebleu's private rows are [length, reference length, matches, totals], as the columns say."""
    scorer = sacre.make_bleu("13a")
    row = sacre.prepare(scorer, [("a b c d e",)]).rows(["a b c x"])[0]
    assert row.tolist() == [4, 5, 3, 2, 1, 0, 4, 3, 2, 1]


def test_progress_is_reported() -> None:
    """`done` is called while a long system is read."""
    calls: list[int] = []
    sacre.prepare(sacre.make_ter(), [("a b",) * 60]).rows(["a"] * 60, calls.append)
    assert calls == [25, 50]


def test_no_reference_is_refused() -> None:
    """A metric of text without a reference is refused with a fix."""
    with pytest.raises(OptionError, match="needs a reference"):
        sacre.prepare(sacre.make_chrf(), [])


@pytest.mark.parametrize(
    ("language", "tokenizer"),
    [
        ("zh", "zh"),
        ("en-zh", "zh"),
        ("zh-CN", "zh"),
        ("zho_Hans", "zh"),
        ("en-ja-JP", "ja-mecab"),
        ("zh-en", "13a"),
        ("ja", "ja-mecab"),
        ("de", "13a"),
        (None, "13a"),
    ],
)
def test_tokenizer_of_a_language(language: str | None, tokenizer: str) -> None:
    """The target language chooses the tokenizer, unless one is named."""
    assert sacre.tokenizer(None, language) == tokenizer
    assert sacre.tokenizer("char", language) == "char"
