"""METEOR's alignment: compiled = plain whatever the words, and on short segments the best of all alignments."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sigcore.metrics.meteor import MeteorReferences, search
from sigcore.metrics.meteor.words import Words
from sigcore.text.compiled import available
from sigcore.text.meteor_score import METEOR_PARAMETERS, meteor_score
from tests.oracles import meteor_by_hand
from tests.routes import route

# Of 12 words some share a stem, some a set of synonyms, some both.
STEMS = {word: word[0] for word in ("a1", "a2", "a3", "b1", "b2", "c1", "c2", "d1", "e1", "f1", "g1", "h1")}
SETS = {"a1": (1, 5), "a2": (5,), "b1": (1,), "c1": (2, 3, 9), "d1": (3,), "e1": (9,), "f1": (4, 7), "g1": (7, 8)}
ENGLISH = METEOR_PARAMETERS["en"]


def words(stages: int) -> Words:
    """The first stages over those words."""
    sets = (lambda word: SETS.get(word, ())) if stages > 2 else None
    return Words(str.split, STEMS if stages > 1 else None, sets, {"a1", "b1", "c2"})


def score(rows: np.ndarray) -> np.ndarray:
    """The score of rows with English parameters."""
    p = ENGLISH
    return meteor_score(rows, p.alpha, p.beta, p.gamma, p.delta, p.weights)


def both_rows(streams: list[list[str]], segments: list[str], stages: int) -> list[np.ndarray]:
    """The rows by the compiled kernel and by the plain twin."""
    found = []
    for plain in (False, True):
        with route("plain" if plain else "compiled"):
            found.append(MeteorReferences(streams, words(stages), score).rows(segments))
    return found


def sentence(random: Random, length: int, most: int) -> str:
    """A segment of up to so many words, out of the first `most` of them."""
    return " ".join(random.choices([*STEMS][:most], k=random.randint(0, length)))


@pytest.mark.skipif(not available(), reason="numba is not installed")
@given(st.integers(0, 2**32), st.sampled_from([3, 8, 30, 75]), st.sampled_from([2, 6, 12]), st.sampled_from([1, 2, 3]))
@example(121, 75, 2, 3)  # was over a bound that only the plain twin had
@settings(max_examples=80, deadline=None)
def test_compiled_rows_are_the_plain_ones(seed, length, most, stages):
    """Rows are equal for one to three references, where the beam bites and where a word's bit is in a second word of
    bits."""
    random = Random(seed)
    streams = [[sentence(random, length, most) for _ in range(4)] for _ in range(random.randint(1, 3))]
    segments = [sentence(random, length, most) for _ in range(3)] + [streams[0][3]]
    compiled, plain = both_rows(streams, segments, stages)
    np.testing.assert_array_equal(compiled, plain)


@pytest.mark.skipif(not available(), reason="numba is not installed")
def test_compiled_rows_are_the_plain_ones_on_long_segments():
    """Hundreds of words, most of them many times, are no exception."""
    random = Random(1)
    segments = [" ".join(random.choices([*STEMS], k=n)) for n in (63, 64, 65, 200)]
    compiled, plain = both_rows([segments[::-1]], segments, 3)
    np.testing.assert_array_equal(compiled, plain)


@pytest.mark.parametrize("stages", [1, 2, 3])
def test_short_segments_are_aligned_best(stages):
    """Of all alignments that keep the matches without a rival, none has more equal words, or as many and fewer
    chunks."""
    same = [
        lambda a, b: a == b,
        lambda a, b: STEMS[a] == STEMS[b],
        lambda a, b: not {*SETS.get(a, ())}.isdisjoint(SETS.get(b, ())),
    ]
    random = Random(stages)
    some = ["a1", "a2", "b1", "c1"]
    segments = [words for n in range(5) for words in product(some, repeat=n)]
    known = words(stages)
    for _ in range(2000):
        output, reference = random.choice(segments), random.choice(segments)
        text, table = known.read([" ".join(output), " ".join(reference)])
        numbers = text.numbers.tolist()
        chunks, matches = search.align(numbers[: len(output)], numbers[len(output) :], stages, table)
        got = (sum(match.stage == 0 for match in matches), chunks)
        assert got == meteor_by_hand.best(output, reference, same[:stages]), (output, reference)
        assert meteor_by_hand.chunks({match[:2] for match in matches}) == chunks


@pytest.mark.parametrize(
    ("output", "reference", "found", "otherwise"),
    [
        # what is kept of the Java program's search, and what another choice would give
        ("b1 b1 a1", "b1 a2 a2", (1, 2), "(1, 1) where a match's distance counts for the path that takes it"),
        ("a1 a1 a2", "a2 a2", (1, 1), "(1, 2) where distance does not count"),
        ("b1 a1 a1", "a2 a2", (0, 0), "(1, 2) where matches by stem count among the paths"),
        ("a1 b1", "a2 b1 b1", (1, 2), "(1, 1) where matches without a rival are not fixed"),
        ("a2 b1 a1 b1 a2", "a1 a2 a1 a1 b1 a1", (2, 3), "(2, 4) where the beam is 39 paths wide"),
        ("a2 b1 b1 a1 a2 a2", "a1 b1 b1 a2 b1 b1", (3, 4), "(2, 4) where the beam is 41 paths wide"),
    ],
)
def test_what_the_search_keeps_of_the_program(output, reference, found, otherwise):
    """(chunks, matches) of segments that another ranking or beam would align otherwise, by both twins."""
    for row in both_rows([[reference]], [output], 2):
        assert (row[0, 20], row[0, 21]) == found, otherwise


@given(st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_rows_count_what_there_is(seed):
    """Matches of the stages add up to the matched words, no side has more of them than words, chunks are fewer."""
    random = Random(seed)
    streams, segments = ([sentence(random, 20, 12) for _ in range(6)] for _ in range(2))
    rows = MeteorReferences([streams], words(3), score).rows(segments)
    for side in (0, 1):
        np.testing.assert_array_equal(rows[:, 4 + side : 20 : 2].sum(axis=1), rows[:, 21 + side])
        assert (rows[:, 21 + side] <= rows[:, side]).all()
        assert (rows[:, 2 + side] <= rows[:, side]).all()
    assert (rows[:, 20] <= rows[:, 21]).all()
    assert (rows[:, 21] == rows[:, 22]).all()


@given(st.lists(st.integers(0, 2**32), min_size=1, max_size=5), st.sampled_from(sorted(METEOR_PARAMETERS)))
@settings(max_examples=60, deadline=None)
def test_score_of_a_sum_is_the_definitions(seeds, language):
    """The vectorised score of summed rows is that of the formula written out count by count."""
    rows = np.array([possible_row(Random(seed)) for seed in seeds], dtype=float)
    p = METEOR_PARAMETERS[language]
    chosen = (p.alpha, p.beta, p.gamma, p.delta, p.weights)
    expected = meteor_by_hand.score(rows.tolist(), *chosen)
    assert meteor_score(rows.sum(axis=0), *chosen) == pytest.approx(expected, rel=1e-12)
    again = meteor_score(np.broadcast_to(rows.sum(axis=0), (3, 2, 23)), *chosen)
    np.testing.assert_allclose(again, expected, rtol=1e-12)


def possible_row(random: Random) -> list[int]:
    """Counts that a segment may have, paraphrases (which match unequal numbers of words) among them."""
    row = [0] * 23
    for side in (0, 1):
        for stage in range(4):
            row[4 + 4 * stage + side], row[6 + 4 * stage + side] = random.randint(0, 4), random.randint(0, 4)
        function = sum(row[6 + side : 20 : 4])
        row[21 + side] = sum(row[4 + side : 20 : 2])
        row[2 + side] = function + random.randint(0, 3)
        row[side] = row[21 + side] + random.randint(0, 3) + row[2 + side] - function
    row[20] = random.randint(0, min(row[21], row[22]))
    return row
