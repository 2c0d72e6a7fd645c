"""METEOR on segments small enough to check by hand: stages, function words, languages, references, imported rows."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import metrics
from sigcore.errors import MismatchError, OptionError
from sigcore.metrics import extractor
from sigcore.metrics.meteor import words as stems
from sigcore.metrics.meteor.words import LISTS, Stems, function_words, languages
from sigcore.metrics.own_statistics import whole_chunks
from sigcore.testset import Outputs, Testset
from sigcore.text import wordnet
from sigcore.text.meteor_score import METEOR_COLUMNS, METEOR_PARAMETERS, meteor_score
from tests.routes import ROUTES, route

METEOR = metrics.get("meteor")
STAGES = ("exact", "exact+stem", "exact+stem+synonym")
WHOLE = " ".join(map(str, [3, 3, 1, 1, 2, 2, 1, 1, *[0] * 12, 1, 3, 3]))


def row(output: str, *references: str, **given: object) -> dict[str, float]:
    """The counts of one segment that are not 0, by name."""
    testset = Testset("one", "text", 1, tuple((reference,) for reference in references))
    values = extractor(METEOR, testset, METEOR.chosen(given))(Outputs("s", (output,))).values[0]
    return {name: float(value) for name, value in zip(METEOR_COLUMNS, values, strict=True) if value}


def score(output: str, *references: str, **given: object) -> float:
    """The score of one segment."""
    testset = Testset("one", "text", 1, tuple((reference,) for reference in references))
    return extractor(METEOR, testset, METEOR.chosen(given))(Outputs("s", (output,))).corpus_score


def test_score_by_hand():
    """All six words matched in three chunks: fragmentation 1/2, so 100 (1 - 0.6 * 0.5 ** 0.2)."""
    counts = row("the cat sat on the mat", "on the mat sat the cat", stages="exact")
    assert (counts["chunks"], counts["output_matched"]) == (3, 6)
    expected = 100 * (1 - 0.6 * 0.5**0.2)
    assert score("the cat sat on the mat", "on the mat sat the cat", stages="exact") == pytest.approx(expected)


def test_precision_and_recall_by_hand():
    """Two of three content words found, of four in the reference: P 2/3, R 1/2, one chunk of two words."""
    given = {"stages": "exact", "function_words": "none"}
    mean = 1 / (0.15 / (2 / 3) + 0.85 / (1 / 2))
    expected = 100 * mean * (1 - 0.6 * (1 / 2) ** 0.2)
    assert score("red boat sails", "small red boat sinks", **given) == pytest.approx(expected)


def test_function_words_weigh_less():
    """With delta 0.75 a missing function word costs a third of a missing content word."""
    sums = np.zeros((2, 23))
    sums[:, :2] = 4
    sums[:, 2:4] = 2
    sums[0, 4:8] = 2, 2, 1, 1  # a function word is missing
    sums[1, 4:8] = 1, 1, 2, 2  # a content word is missing
    sums[:, 21:] = 3
    got = meteor_score(sums, 0.85, 0.2, 0.0, 0.75, (1.0,))
    np.testing.assert_allclose(1 - got, [0.25 / 2, 0.75 / 2])


def test_each_stage_adds_its_matches():
    """'houses' matches 'house' by stem only, 'boats' matches 'ship' as a synonym only, and equal words exactly."""
    segments = ("old houses , boats", "old house , ship")
    exact, stem, synonym = (row(*segments, stages=s)["output_matched"] for s in STAGES)
    assert (exact, stem, synonym) == (2, 3, 4)
    counts = row(*segments)
    assert (counts["m1_output_content"], counts["m1_output_function"]) == (1, 1)
    assert counts["m2_output_content"] == counts["m3_output_content"] == 1


def test_a_match_in_two_stages_is_left_out_where_it_costs_a_chunk():
    """'houses' and 'house' match by stem and as synonyms, so that they are not certain; then, as in the Java program,
    they are matched only where this adds no chunk. By stem alone they are certain."""
    apart, together = ("houses u boat", "house boat"), ("houses boat u", "house boat")
    counts = {stages: [row(*s, stages=stages)["output_matched"] for s in (apart, together)] for stages in STAGES[1:]}
    assert counts == {"exact+stem": [2, 2], "exact+stem+synonym": [1, 2]}


@pytest.mark.parametrize(
    ("segment", "chunks"), [("a b c d", 0), ("a b", 1), ("d a b c", 2), ("d c b a", 4), ("x", 0), ("", 0)]
)
def test_chunks(segment, chunks):
    """Runs of matches are counted; a segment matched whole in one piece counts none."""
    assert row(segment, "a b c d", stages="exact", function_words="none").get("chunks", 0) == chunks


def test_a_whole_segment_scores_100():
    """Equal segments score 100, whatever their length; so does a sum of such segments."""
    for segment in ("boat", "the small boat in the harbour ."):
        assert score(segment, segment) == pytest.approx(100.0)


def test_the_best_reference_counts():
    """A segment's row is that of the reference with which it scores best, the first among equals."""
    assert row("a b c", "x y z w", "a b c d") == row("a b c", "a b c d")
    assert row("a b", "x y", "z") == row("a b", "x y")


def test_nothing_and_nothing_is_undefined():
    """Without words on either side there is no score; without output, or without a match, it is 0."""
    assert np.isnan(score("", ""))
    assert score("", "a b") == 0.0
    assert score("a b", "") == 0.0
    assert score("x", "y") == 0.0
    assert row("a", "", "b") == row("a", "")


def test_case_is_kept_on_demand():
    """With lowercase off only equal case matches exactly; lists and dictionaries know no case."""
    given = {"stages": "exact", "lowercase": False}
    assert row("The Boat", "the Boat", **given)["output_matched"] == 1
    assert row("The Boat", "the Boat", **given)["output_function"] == 1
    assert row("Boat", "Ship", lowercase=False)["output_matched"] == 1


def test_function_words_by_choice():
    """The English list unless another is asked for: the language's own, none, or one's own words in any case."""
    german = "und die Boote and ."
    counted = {
        words: row(german, german, language="de", function_words=words).get("output_function", 0)
        for words in ("english", "own", "none", "", "BOOTE nichts")
    }
    assert counted == {"english": 2, "own": 3, "none": 0, "": 0, "BOOTE nichts": 1}
    assert row(german, german, language="de")["output_function"] == counted["english"]


def test_languages_choose_stemmer_and_parameters():
    """German words match by German stems; Czech has no stemmer; the score takes the language's parameters."""
    assert row("aufeinanderfolgende", "aufeinanderfolgenden", language="de")["m2_output_content"] == 1
    assert METEOR.title_of(METEOR.chosen({"language": "cs"})) == "METEOR exact (cs)"
    p = METEOR_PARAMETERS["fr"]
    expected = 100 * (1 - p.gamma * 0.5**p.beta)
    assert score("b a c c", "a b c c", language="fr", function_words="none") != pytest.approx(expected)
    assert score("a b x y", "x y a b", language="fr", function_words="none") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"language": "cs", "stages": "exact+stem"}, "no stemmer for the language 'cs'"),
        ({"language": "de", "stages": "exact+stem+synonym"}, "Synonyms are available for English only"),
        ({"language": "de", "task": "adequacy"}, "adequacy are for English only"),
    ],
)
def test_what_there_is_not_is_said(given, message):
    """A stage or parameters that a language does not have are refused, in the statistics and in the signature."""
    with pytest.raises(OptionError, match=message):
        row("a", "a", **given)
    with pytest.raises(OptionError, match=message):
        METEOR.signature((("a",),), METEOR.chosen(given))


def test_without_a_database_there_are_no_synonyms(monkeypatch):
    """Without WordNet the stages are exact and stem, the title says so, and asking for synonyms says what to do
    without naming a folder."""
    monkeypatch.setenv(wordnet.VARIABLE, "/nowhere/at/all")
    assert row("boat", "ship") == {"output_words": 1, "reference_words": 1}
    assert METEOR.title_of(METEOR.chosen()) == "METEOR exact+stem"
    assert "wordnet" not in METEOR.signature((("a",),), METEOR.chosen())
    with pytest.raises(OptionError, match=r"wordnet-base.*SIGBOARD_WORDNET") as error:
        row("boat", "ship", stages="exact+stem+synonym")
    assert "nowhere" not in str(error.value)


def test_without_the_stemmers_only_equal_words_match(monkeypatch):
    """Without the package of stemmers METEOR is exact, and says so."""
    monkeypatch.setattr(stems, "find_spec", lambda name: None)
    assert METEOR.title_of(METEOR.chosen()) == "METEOR exact"
    with pytest.raises(OptionError, match="snowballstemmer is not installed"):
        row("a", "a", stages="exact+stem")


def test_signature_says_everything():
    """References, language, stages with their sources, function words, tokens, parameters; which rules made the stems."""
    signature = METEOR.signature((("a",), ("b",)), METEOR.chosen({"function_words": "of The"}))
    for part in (
        *("meteor-1.5|refs:2|lang:en|stages:exact+stem+synonym|stemmer:snowball-2.2.0|wordnet:", "|case:lc|tok:13a-"),
        *("|function:given(of the)|", "|params:0.85,0.2,0.6,0.75|weights:1,0.6,0.8"),
    ):
        assert part in signature
    for language, stemmer in (("de", "snowball-2.2.0-meteor1.5"), ("es", "snowball-2.2.0")):
        assert f"|stemmer:{stemmer}|" in METEOR.signature((("a",),), METEOR.chosen({"language": language}))


def test_plain_where_no_kernel_is_loaded():
    """The rows are the same without the kernel."""
    segments = ("the old houses by the road", "a house on the old street by the road")
    found = []
    for name in ROUTES:
        with route(name):
            found.append(row(*segments))
    assert found[0] == found[-1]


def test_lengths_must_agree():
    """A system or a reference with another number of segments is refused."""
    testset = Testset("two", "text", 2, (("a", "b"),))
    prepared = METEOR.prepare(testset.references, METEOR.chosen())
    with pytest.raises(MismatchError):
        prepared.rows(["a"])


def test_a_printed_row_that_is_whole_has_no_chunk():
    """A segment matched whole in one piece loses the chunk that -ssOut prints for it; any other row stays."""
    printed, parted = np.array([WHOLE.split(), WHOLE.replace("3 3 1 1", "4 3 1 1").split()], dtype=float)
    statistics = whole_chunks(np.stack([printed, parted]))
    assert statistics[0].tolist() == [*map(float, WHOLE.split()[:20]), 0.0, 3.0, 3.0]
    assert statistics[1, 20] == 1.0
    p = METEOR_PARAMETERS["en"]
    assert meteor_score(statistics[0], p.alpha, p.beta, p.gamma, p.delta, p.weights) == pytest.approx(1.0)
    np.testing.assert_array_equal(whole_chunks(statistics), statistics)


def test_stems_are_snowballs():
    """Stems as Snowball gives them, by its older rules in German, French and Russian; no stemmer where there is none."""
    english = Stems("en")
    assert [english[word] for word in ("houses", "running", "happily", "generously")] == [
        *("hous", "run", "happili", "generous")
    ]
    assert Stems("de")["aufeinanderfolgenden"] == "aufeinanderfolg"
    assert [Stems("de")[word] for word in ("ereignisse", "ereignis")] == ["ereigniss", "ereignis"]
    assert [Stems("fr")[word] for word in ("naïfs", "aiguë", "ambiguë")] == ["naïf", "aiguë", "ambigu"]
    assert [Stems("ru")[word] for word in ("трёх", "трех")] == ["трёх", "трех"]
    with pytest.raises(OptionError, match="no stemmer for the language 'zh'"):
        Stems("zh")


@pytest.mark.parametrize("language", sorted(stems.SNOWBALL))
def test_every_stemmer_is_there(language):
    """Each language that is offered has its stemmer."""
    assert isinstance(Stems(language)["automobile"], str)


WORDS_AND_MARKS = {"cs": 68, "de": 92, "en": 93, "es": 66, "fr": 85, "ru": 62}


@pytest.mark.parametrize("language", languages())
def test_lists_of_function_words(language):
    """A list is in lower case, names no word twice, and has as many words and marks as the docs say; the signature says
    whose list it is."""
    words = (LISTS / f"{language}.txt").read_text(encoding="utf-8").split()
    assert len(words) == len({*words}) == WORDS_AND_MARKS[language]
    assert [word for word in words if word != word.lower()] == []
    assert function_words(language) == {*words}
    for asked, listed in (("own", language), ("english", "en")):
        options = METEOR.chosen({"language": language, "function_words": asked})
        assert f"|function:meteor1.5-{listed}-" in METEOR.signature((("a",),), options)


def test_english_function_words_have_no_marks_but_the_programs():
    """The program counts some marks as function words, and not others."""
    marks = {*".,;:!?'\"()[]$%&-–—“”’", "...", "--"}
    assert marks & function_words("en") == {*".,:?'\"()$-—“”’", "--"}


def test_languages_with_parameters_have_a_list():
    """Every language that METEOR was tuned to has function words; another has none."""
    assert {*METEOR_PARAMETERS} - {"other"} == {*languages()}
    assert function_words("xx") == frozenset()
    assert "|function:none|" in METEOR.signature((("a",),), METEOR.chosen({"language": "it", "function_words": "own"}))


# Denkowski and Lavie 2011 and 2014, as in METEOR 1.5: alpha, beta, gamma, delta, and the weights of the stages.
PUBLISHED_PARAMETERS = {
    "en": (0.85, 0.2, 0.6, 0.75, (1, 0.6, 0.8, 0.6)),
    "cs": (0.95, 0.2, 0.6, 0.8, (1, 0.4)),
    "de": (0.95, 1.0, 0.55, 0.55, (1, 0.8, 0.2)),
    "es": (0.65, 1.3, 0.5, 0.8, (1, 0.8, 0.6)),
    "fr": (0.9, 1.4, 0.6, 0.65, (1, 0.2, 0.4)),
    "ru": (0.75, 1.4, 0.7, 0.5, (1, 0.5, 0.5)),
    "other": (0.75, 1.4, 0.7, 0.5, (1, 0.5, 0.5)),
}


@pytest.mark.parametrize("language", PUBLISHED_PARAMETERS)
def test_each_language_is_scored_with_its_own_parameters(language):
    """The score of one row by the printed formula with the language's numbers, content and function words apart."""
    alpha, beta, gamma, delta, weights = PUBLISHED_PARAMETERS[language]
    # 7 and 8 words, 3 and 2 of them function words; 2 content and 1 function word match exactly, 1 content word by stem
    row = np.zeros(len(METEOR_COLUMNS))
    row[:4], row[4:8], row[8:12], row[20:] = (7, 8, 3, 2), (2, 2, 1, 1), (1, 1, 0, 0), (3, 4, 4)
    stem = weights[1]
    precision = (delta * (2 + stem) + (1 - delta) * 1) / (delta * 4 + (1 - delta) * 3)
    recall = (delta * (2 + stem) + (1 - delta) * 1) / (delta * 6 + (1 - delta) * 2)
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    expected = 100 * mean * (1 - gamma * (3 / 4) ** beta)
    metric = metrics.get("meteor")
    stages = "exact+stem" if language in ("en", "de", "es", "fr", "ru") else "exact"
    options = metric.chosen({"language": language, "stages": stages})
    assert metric.score(row, options) == pytest.approx(expected, rel=1e-12)
    assert METEOR_PARAMETERS[language].weights == weights
