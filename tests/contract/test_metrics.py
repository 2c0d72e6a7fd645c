"""Every metric: additive, independent of order, in the right direction, with options that are used and a source."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sigcore import metrics
from sigcore.metrics import Metric, extractor
from sigcore.registry import Option
from sigcore.sufficient import oriented
from sigcore.testset import Outputs, Testset
from tests import made_statistics, proofs
from tests.made import sample_of
from tests.made_structures import BAD, STRUCTURES
from tests.proofs import of_metrics

MEMBERS = metrics.members()
# Tokenizers and stems that need packages or downloads which are not part of the project.
NOT_INSTALLED = {"ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "wordnet"}

# Settings without which an option has nothing to do.
NEEDED = {
    "smooth_value": {"smooth": "floor"},
    "asian_support": {"normalized": True},
    "meteor_language": {"formula": "meteor"},
}

# Values of options that are words, other than "zh".
WORDS = {"stop_words": "the, of", "columns": "tp,gold,pred"}

# Segments on which every text option shows: case, punctuation, blanks, CJK, entities, n-grams of all lengths, accents,
# stems, several sentences; and a second reference that has a better recall in one segment, though not a better F.
TELLING = (
    "Anna sees the OLD house , and ( often ) the old house sees Anna .",
    "one two three four five six seven eight nine ten &quot;eleven&quot;",
    "她 看见了 那座老房子。",
    "A river-garden, isn't it?",
    "the house",
    "Yes",
    "the boat!",
    "the painted houses of two naïve teachers",
    "The dog sleeps. Two cats play .\nA boat sinks .",
)
OTHER = ("the old house", *TELLING[1:])
SLIPPED = (
    "anna sees the old house and often the old  house saw Anna",
    "one two three four five six seven nine eight ten eleven",
    "她看见老房子了。",
    "a river garden isn't it",
    "the house",
    "yes",
    "boat",
    "the paint house of two naïve teacher",
    "A boat sinks .\nTwo cats play . The dog sleeps.",
)
ON = {"text": ((TELLING, OTHER), SLIPPED), "scores": ((), ("1", "2"))}
ON |= {kind: ((gold,), own) for kind, (gold, own) in STRUCTURES.items()}
ON["statistics"] = ((), made_statistics.TELLING)
GOOD = {"scores": "90", "statistics": made_statistics.GOOD}


@pytest.fixture(params=sorted(MEMBERS))
def metric(request) -> Metric:
    """Every metric."""
    return MEMBERS[request.param]


def measured(metric: Metric, **given):
    """The statistics of three small systems."""
    testset, outputs = sample_of(metric.kind)
    extract = extractor(metric, testset, metric.chosen(given))
    return testset, outputs, [extract(item) for item in outputs]


def other_values(option: Option) -> list[object]:
    """Values of an option that differ from its default and can be tried here."""
    if option.choices:
        return [c for c in option.choices if c not in (option.default, *NOT_INSTALLED)]
    if option.type is bool:
        return [not option.default]
    if option.type is str:
        return [WORDS.get(option.name, "zh")]
    low, high = (end if given is None else given for end, given in ((-math.inf, option.low), (math.inf, option.high)))
    return [v for v in (0, 1, 2, 0.7) if v != option.default and low <= v <= high][:2]


def test_shape_and_columns(metric):
    """Statistics are finite (n, K), one column for each name, and frozen."""
    testset, _, systems = measured(metric)
    columns = metric.columns_of(metric.chosen(), testset.references)
    for item in systems:
        assert item.columns == columns
        assert item.values.shape == (testset.n, len(columns))
        assert np.isfinite(item.values).all()
        assert not item.values.flags.writeable
        assert len(set(item.columns)) == len(item.columns)


def test_rows_are_those_of_single_segments(metric):
    """A segment has the same statistics alone as in the whole test set: rows add up over any choice."""
    testset, outputs, systems = measured(metric)
    if metric.whole_references:
        return  # the next test asks what remains
    for i in (0, 5, testset.n - 1):
        alone = Testset("one", testset.kind, 1, tuple((stream[i],) for stream in testset.references))
        extract = extractor(metric, alone, metric.chosen())
        row = extract(Outputs("s", (outputs[1].segments[i],))).values[0]
        np.testing.assert_array_equal(row, systems[1].values[i])


def test_rows_do_not_depend_on_other_outputs(metric):
    """Whatever else a system gives, a segment's statistics stay the same."""
    testset, outputs, systems = measured(metric)
    extract = extractor(metric, testset, metric.chosen())
    for others in bad_of(metric.kind, outputs[1].segments):
        for i in (0, 5, testset.n - 1):
            segments = (*others[:i], outputs[1].segments[i], *others[i + 1 :])
            np.testing.assert_array_equal(extract(Outputs("s", segments)).values[i], systems[1].values[i])


def test_order_of_segments_does_not_matter(metric):
    """The test set in reverse order has its rows in reverse order and the same score."""
    testset, outputs, systems = measured(metric)
    turned = Testset("t", testset.kind, testset.n, tuple(stream[::-1] for stream in testset.references))
    again = extractor(metric, turned, metric.chosen())(Outputs("s", outputs[1].segments[::-1]))
    np.testing.assert_array_equal(again.values[::-1], systems[1].values)
    assert again.corpus_score == pytest.approx(systems[1].corpus_score, rel=1e-14)


@pytest.mark.parametrize("shape", [(1,), (7,), (40, 30), (3, 4, 5)])
def test_vectorised_is_one_by_one(metric, shape):
    """The score of many sums is that of each alone, whatever their arrangement."""
    _, _, systems = measured(metric)
    rng = np.random.default_rng(0)
    weights = rng.multinomial(12, np.full(12, 1 / 12), size=int(np.prod(shape))).astype(float)
    sums = (weights @ systems[1].values).reshape(*shape, -1)
    got = systems[1].score(sums)
    assert got.shape == shape
    alone = [float(systems[1].score(row)) for row in sums.reshape(-1, sums.shape[-1])]
    np.testing.assert_allclose(got.ravel(), alone, rtol=1e-13)


def test_zero_sums_are_a_score_or_nan(metric):
    """The score of nothing is a number or nan, without a warning."""
    _, _, systems = measured(metric)
    assert np.shape(systems[0].score(np.zeros((2, systems[0].values.shape[1])))) == (2,)


def bad_of(kind: str, gold: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Outputs, or numbers, that are clearly bad."""
    if kind == "text":
        return [("",) * len(gold), ("zzz qqq",) * len(gold)]
    if kind == "statistics":
        return [(made_statistics.BAD,) * len(gold)]
    return [tuple(map(BAD[kind], gold))] if kind in BAD else [("10",) * 12]


def test_perfect_output_beats_bad_output(metric):
    """The gain of a perfect output over an empty or a wrong one is positive; likewise for better numbers."""
    testset, _ = sample_of(metric.kind)
    good = testset.references[0] if testset.references else (GOOD[metric.kind],) * 12
    extract = extractor(metric, testset, metric.chosen())
    best = extract(Outputs("s", good))
    for bad in bad_of(metric.kind, good):
        worst = extract(Outputs("s", bad))
        upward = oriented(np.array([best.corpus_score, worst.corpus_score]), best.better)
        assert upward[0] > upward[1]


def test_perfect_output_has_the_perfect_score(metric):
    """A score from 0 to 100 is 100 for the reference itself, and an error rate 0: a wrong denominator misses it."""
    testset, _ = sample_of(metric.kind)
    options = metric.chosen()
    if not testset.references or metric.decimals_of(options) != 2:
        return
    best = extractor(metric, testset, options)(Outputs("s", testset.references[0]))
    perfect = 100 if metric.better_of(options) == "higher" else 0
    assert best.corpus_score == pytest.approx(perfect, abs=1e-9)


def test_declared_direction_can_be_turned(metric):
    """Where the direction is an option, the gain changes its sign with it."""
    if isinstance(metric.better, str):
        assert metric.better in ("higher", "lower")
        return
    assert {metric.better_of(metric.chosen({"better": b})) for b in ("higher", "lower")} == {"higher", "lower"}


def everything(metric: Metric, references: tuple[tuple[str, ...], ...], segments: tuple[str, ...], **given):
    """All that an option can change: rows, score, direction, title and signature."""
    options = metric.chosen(given)
    item = extractor(metric, Testset("t", metric.kind, len(segments), references), options)(Outputs("s", segments))
    scores = [item.corpus_score, *item.score(item.values)]
    return item.values.tolist(), scores, item.better, metric.title_of(options), item.signature


def test_every_option_is_used(metric):
    """Another value of any option changes the rows, the score, the direction or the title."""
    references, segments = ON[metric.kind]
    for option in metric.options:
        given = NEEDED.get(option.name, {})
        base = everything(metric, references, segments, **given)
        changed = [everything(metric, references, segments, **{**given, option.name: v}) for v in other_values(option)]
        assert changed, f"no other value of {option.name} to try"
        assert any(other[:4] != base[:4] for other in changed), f"{option.name} changes nothing"


def test_every_choice_is_read_as_itself(metric):
    """What an option offers can be chosen, also as text."""
    for option in metric.options:
        for choice in option.choices:
            assert option.read(choice) == choice
            assert option.read(str(choice)) == choice


BY_NAME = ("automatic", "negated")  # of own scores, these are higher or lower by the name (test_direction.py)


def test_choices_differ_from_each_other(metric):
    """On segments that show every option no two choices of an option that are installed here give the same rows and scores."""
    references, segments = ON[metric.kind]
    for option in metric.options:
        choices = [c for c in option.choices if c not in (*NOT_INSTALLED, *BY_NAME)]
        found = [str(everything(metric, references, segments, **{option.name: c})[:4]) for c in choices]
        assert len(set(found)) == len(choices), f"{option.name}: {choices}"


def test_signature_tells_settings_apart(metric):
    """Settings that give other rows, scores or directions have other signatures: statistics are cached under them."""
    references, segments = ON[metric.kind]
    seen: dict[str, str] = {}
    for option in metric.options:
        for value in [option.default, *other_values(option)]:
            for more in ({}, NEEDED.get(option.name, {})):
                found = everything(metric, references, segments, **{**more, option.name: value})
                rows = str(found[:3])  # as text: nan is not equal to itself
                assert seen.setdefault(found[4], rows) == rows, f"{option.name}={value} hides behind {found[4]}"


def test_number_of_references_is_in_the_signature(metric):
    """Two references have another signature than one."""
    if metric.kind != "text":
        return
    options = metric.chosen()
    assert metric.signature((TELLING,), options) != metric.signature((TELLING, SLIPPED), options)


def test_more_references_do_not_hurt(metric):
    """A second reference equal to the output makes a segment perfect, for every metric of text.

    Where all references set the weights, a perfect score is another number: then the score is at least as good as without.
    A metric that can count all references together (as ROUGE does by default) is run with the best of them.
    """
    if metric.kind != "text":
        return
    given = {"multi": "B"} if "multi" in metric.chosen() else {}
    both, other, same = (
        everything(metric, references, SLIPPED, **given) for references in ((TELLING, SLIPPED), (TELLING,), (SLIPPED,))
    )
    if metric.whole_references:
        assert oriented(np.array(both[1][0]), both[2]) >= oriented(np.array(other[1][0]), other[2])
    else:
        assert both[1][0] == pytest.approx(same[1][0])


def test_help_and_source(metric):
    """A metric and each of its options have a description, and the metric has a source."""
    assert len(metric.help) > 20
    assert metric.help.endswith(".")
    assert metric.source
    assert all(option.help.endswith(".") for option in metric.options)
    assert metric.title_of(metric.chosen())


def test_progress_is_reported(metric):
    """`done` is called with growing numbers of finished segments, never above n."""
    testset, outputs = sample_of(metric.kind, n=60)
    reports: list[int] = []
    extractor(metric, testset, metric.chosen())(outputs[0], reports.append)
    assert reports == sorted(reports)
    assert all(0 < k <= 60 for k in reports)


def test_scores_are_finite_on_any_resample(metric):
    """No bootstrap resample of a hard little test set gives nan or infinity."""
    _, _, systems = measured(metric)
    weights = np.random.default_rng(3).multinomial(12, np.full(12, 1 / 12), size=300).astype(float)
    assert all(math.isfinite(x) for item in systems for x in item.score(weights @ item.values))


def test_it_has_a_proof(metric):
    """A metric names worked examples with their origin, or an oracle that does not use what it checks."""
    assert not (found := proofs.unfounded(metric)), "\n".join(found)


def test_its_proof_holds(metric):
    """Every worked example and the oracle give the score of the sum of the statistics."""
    assert not (found := [*of_metrics.faults(metric)]), "\n".join(found)


def test_its_proof_notices_breaks(metric):
    """A metric that counts one too many, swaps its sides, or has another denominator contradicts its own proof.

    A name below is a break that the proof does not see: add an example on which it shows, with several segments of different
    length, words that only the output has, and words that only the reference has.
    """
    assert not (found := of_metrics.unnoticed(metric)), "\n".join(found)
