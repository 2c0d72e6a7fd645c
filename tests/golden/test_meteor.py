"""METEOR's rows and scores against those of the Java program, METEOR 1.5, on WMT22 cs-en.

What is compared how: the default English function words are held to be those that the program's own counts determine
(two of the 23 columns, reference B; see tests/oracles/counted_words.py). With them all 23 columns of every printed row, the
sums of all systems, and the scores to their last printed digit must come out, for one reference and for two. What does
not depend on function words must come out without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from sigcore import metrics
from sigcore.metrics import extractor
from sigcore.metrics.meteor.words import function_words as words_of
from sigcore.metrics.own_statistics import whole_chunks
from sigcore.text.meteor_score import METEOR_PARAMETERS, meteor_score
from sigcore.text.tokens import Tokenizer
from tests.oracles.counted_words import COMMON, counted_words
from tests.routes import ROUTES, route
from tests.stored import stored

pytestmark = pytest.mark.data

METEOR = metrics.get("meteor")


@pytest.fixture(scope="module")
def java(golden) -> Callable[[str], Any]:
    """The program's numbers by reference letters."""
    return lambda references: golden(f"meteor.java15.cs-en.ref{references}.json")


class Counted(NamedTuple):
    """The function words that the counts give, and how often each word of all outputs occurs."""

    words: set[str]
    everything: Counter[str]


@pytest.fixture(scope="module")
def counted(java, cs_en) -> Counted:
    """The program's function words, found from its counts on reference B."""
    counts, texts = [], []
    printed, tokens = java("B"), Tokenizer("13a", lowercase=True).tokens
    testset, outputs = cs_en("B")
    reference = [tokens(line) for line in testset.references[0]]
    lines = {item.system: [tokens(line) for line in item.segments] for item in outputs}
    for system, found in printed["corpus"]["exact"].items():
        texts.append([word for line in lines[system] for word in line])
        counts.append(found["ssOut_column_sums"][2])
    for system, found in printed["segment"]["exact stem"].items():
        for segment, row in zip(printed["segments"], found["ssOut"], strict=True):
            texts += [lines[system][segment - 1], reference[segment - 1]]
            counts += row[2:4]
    everything = [word for text in texts[: len(outputs)] for word in text]
    return Counted(counted_words(texts, counts, everything), Counter(everything))


@pytest.fixture(scope="module")
def rows_of(cs_en) -> Callable[..., dict[str, np.ndarray]]:
    """Our rows (n, 23) by system, for reference letters, stages and function words, found once and by the compiled route."""

    @cache
    def found(references: str, stages: str, words: str) -> dict[str, np.ndarray]:
        testset, outputs = cs_en(references)
        with route(ROUTES[0]):
            extract = extractor(METEOR, testset, METEOR.chosen({"stages": stages, "function_words": words}))
            return {item.system: extract(item).values for item in outputs}

    return lambda references, stages, words="english": found(references, stages, words)


def without_function_words(rows: np.ndarray) -> np.ndarray:
    """What does not depend on function words: lengths, matches of each stage on both sides, chunks, all matches."""
    stages = rows[..., 4:20].reshape(*rows.shape[:-1], 4, 2, 2).sum(axis=-2)
    return np.concatenate([rows[..., :2], stages.reshape(*rows.shape[:-1], 8), rows[..., 20:]], axis=-1)


def sums(found: dict[str, Any]) -> np.ndarray:
    """The program's sums (23,) of a system; it prints one chunk for whole segments, and adds none."""
    return np.array([*found["ssOut_column_sums"][:20], found["chunks"], *found["ssOut_column_sums"][21:]])


def printed_rows(found: dict[str, Any]) -> np.ndarray:
    """The program's rows (60, 23) of a system."""
    return whole_chunks(np.array(found["ssOut"], dtype=np.float64))


def test_without_function_words_everything_is_the_same(stages, rows_of, java):
    """Whatever the list, words, matches of every stage and chunks are the program's, in sum for all 11 systems and in
    each of the printed rows."""
    printed, ours = java("B"), rows_of("B", stages)
    name, segments = stages.replace("+", " "), np.array(printed["segments"]) - 1
    assert len(ours) == 11
    for system, rows in ours.items():
        theirs = sums(printed["corpus"][name][system])
        np.testing.assert_array_equal(without_function_words(rows.sum(axis=0)), without_function_words(theirs))
    for system, found in printed["segment"].get(name, {}).items():
        got = without_function_words(ours[system][segments])
        np.testing.assert_array_equal(got, without_function_words(printed_rows(found)))


@pytest.mark.parametrize("references", ["B", "BC"])
def test_rows_and_scores_are_the_programs(references, stages, rows_of, java):
    """By default all 23 columns are equal, in each printed row and in sum, and so are the scores of 11 systems and of the
    segments, to all printed digits; with two references each segment takes the same one."""
    printed, ours = java(references), rows_of(references, stages)
    options = METEOR.chosen({"stages": stages})
    name, segments = stages.replace("+", " "), np.array(printed["segments"]) - 1
    for system, found in printed["corpus"][name].items():
        total = ours[system].sum(axis=0)
        np.testing.assert_array_equal(total, sums(found))
        assert float(METEOR.score(total, options)) == 100 * found["final"]
    for system, found in printed["segment"].get(name, {}).items():
        rows = ours[system][segments]
        np.testing.assert_array_equal(rows, printed_rows(found))
        np.testing.assert_array_equal(METEOR.score(rows, options), 100 * np.array(found["score"]))


def test_default_function_words_are_those_of_the_counts(counted):
    """What the counts of this test set determine (all words but a few rare marks) is the English list."""
    ours, seen = words_of("en"), counted.everything
    assert counted.words == {
        word for word in ours if seen[word] >= COMMON * seen.total() or (len(word) == 1 and word in seen)
    }


@pytest.mark.parametrize("references", ["B", "BC"])
def test_formula_on_the_programs_rows(references, java):
    """The formula on printed rows and sums gives the printed scores, digit by digit."""
    p = METEOR_PARAMETERS["en"]
    chosen = (p.alpha, p.beta, p.gamma, p.delta, p.weights)
    printed = java(references)
    for systems in printed["corpus"].values():
        for found in systems.values():
            assert float(meteor_score(sums(found), *chosen)) == found["final"]
    for systems in printed["segment"].values():
        for found in systems.values():
            np.testing.assert_array_equal(meteor_score(printed_rows(found), *chosen), found["score"])


@pytest.mark.slow
def test_without_a_list_scores_are_higher(rows_of):
    """Without function words, scores rise by as many points as docs/meteor.md says."""
    rises = []
    for references, stages in product(("B", "BC"), ("exact", "exact+stem")):
        totals = {}
        for words in ("english", "none"):
            options = METEOR.chosen({"stages": stages, "function_words": words})
            rows = rows_of(references, stages, words).values()
            totals[words] = np.array([float(METEOR.score(r.sum(axis=0), options)) for r in rows])
        rises += list(totals["none"] - totals["english"])
    printed = stored("meteor.no_list.low"), stored("meteor.no_list.high")
    assert (min(rises), max(rises)) == pytest.approx(printed, abs=0.05)
