"""METEOR in Czech, French, German, Russian and Spanish under the Java program, METEOR 1.5, on texts of the project.

The texts and the printed numbers are in tests/golden/data, so this needs no outside data.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from sigcore import metrics
from sigcore.metrics import extractor
from sigcore.metrics.meteor import parameters
from sigcore.metrics.meteor.words import Stems, available, function_words
from sigcore.metrics.own_statistics import whole_chunks
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from tests.conftest import lines
from tests.golden.printed import DATA, printed

METEOR = metrics.get("meteor")
LANGUAGES = ("cs", "de", "es", "fr", "ru")
LISTS = {"english": "default", "own": "own"}
RUNS = [
    (language, stages, words)
    for language, stages, words in product(LANGUAGES, ("exact", "exact+stem"), LISTS)
    if stages == "exact" or available(language)
]


def extracted(texts: str, system: str, **given: object) -> SufficientStatistics:
    """The statistics of a system on the made-up texts of a language, in that language where no other is given."""
    reference, output = (lines(DATA / "languages" / f"{texts}.{name}.txt") for name in ("ref", system))
    testset = Testset(texts, "text", len(reference), (reference,))
    extract = extractor(METEOR, testset, METEOR.chosen({"language": texts} | given))
    return extract(Outputs(system, output))


@pytest.mark.parametrize(("language", "stages", "words"), RUNS)
def test_meteor_is_that_of_the_java_program(language: str, stages: str, words: str) -> None:
    """All 23 columns of every segment, the score of every segment and of the whole, to the last printed digit."""
    results = printed(f"meteor.java15.{language}")["results"][LISTS[words]][stages.replace("+", " ")]
    assert results.keys() == {"gull", "wren"}
    for system, expected in results.items():
        ours = extracted(language, system, stages=stages, function_words=words)
        rows = whole_chunks(np.array(expected["ssOut"], dtype=np.float64))
        np.testing.assert_array_equal(ours.values, rows)
        assert ours.total[20] == expected["chunks"]
        np.testing.assert_array_equal(ours.score(ours.values), 100 * np.array(expected["score"]))
        assert ours.corpus_score == 100 * expected["final"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_by_default_it_is_the_programs_default(language: str) -> None:
    """Without a choice the stages are all that the language has, the list is the English one, and so is the score."""
    stages = "exact stem" if available(language) else "exact"
    for system, expected in printed(f"meteor.java15.{language}")["results"]["default"][stages].items():
        ours = extracted(language, system)
        assert ours.corpus_score == 100 * expected["final"]
        assert "|function:meteor1.5-en-" in ours.signature


@pytest.mark.parametrize("language", LANGUAGES)
def test_parameters_are_those_that_the_program_prints(language: str) -> None:
    """Alpha, beta, gamma, delta and the weights of all stages, as the program says that it uses them by default."""
    ours, theirs = parameters(METEOR.chosen({"language": language})), printed(f"meteor.java15.{language}")["printed"]
    assert [ours.alpha, ours.beta, ours.gamma, ours.delta] == [float(p) for p in theirs["parameters"].split()]
    assert [*ours.weights] == [float(weight) for weight in theirs["weights"].split()]
    assert theirs["task"] == "Ranking"
    assert ("stem" in theirs["modules"].split()) == available(language)


@pytest.mark.parametrize("language", sorted(printed("meteor.java15.words")["function_words"]))
def test_function_words_are_those_that_the_program_counts(language: str) -> None:
    """The list is the one found, it takes as many bytes as the program's file, and no other word asked for is in it."""
    asked = printed("meteor.java15.words")["function_words"][language]
    ours = function_words(language)
    assert sorted(ours) == asked["counted"]
    assert sum(len(word.encode()) + 1 for word in ours) == asked["bytes"]
    assert asked["not_counted"]
    assert ours.isdisjoint(asked["not_counted"])


@pytest.mark.parametrize("language", sorted(printed("meteor.java15.words")["stems"]))
def test_stems_are_equal_where_the_program_says_so(language: str) -> None:
    """Pairs of words that match by stem, and pairs that do not, among them those where today's stemmers differ."""
    pairs, stems = printed("meteor.java15.words")["stems"][language], Stems(language)
    assert [(a, b) for a, b in pairs["match"] if stems[a] != stems[b]] == []
    assert [(a, b) for a, b in pairs["differ"] if stems[a] == stems[b]] == []
    assert pairs["match"]
    assert pairs["differ"]


def test_words_with_the_same_number_are_different_here() -> None:
    """The program takes words, or stems, with the same number (Java's hashCode) for the same word; here they differ."""
    for stage, (language, *pair) in printed("meteor.java15.words")["same_number"].items():
        stems = Stems(language)
        assert stems[pair[0]] != stems[pair[1]]
        first, second = pair if stage == "exact" else (stems[word] for word in pair)
        assert hash_code(first) == hash_code(second)


def hash_code(word: str) -> int:
    """Java's hashCode of a string, as a number without a sign."""
    code = 0
    for letter in word:
        code = (31 * code + ord(letter)) % 2**32
    return code


def test_where_delta_is_half_lists_do_not_matter() -> None:
    """Russian, and languages without parameters of their own: all lists give the same score."""
    for language in ("ru", "other", "it"):
        stages = "exact+stem" if available(language) else "exact"
        scores = {
            extracted("ru", "wren", language=language, stages=stages, function_words=words).corpus_score
            for words in ("english", "own", "none", "в на и")
        }
        assert len({round(score, 10) for score in scores}) == 1
