"""Tuning studies: what depends on what, the split, features, targets, and both kinds of lists end to end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr

from sigcore import metrics
from sigcore import tuning as methods
from sigcore.errors import Cancelled, MismatchError, OptionError, Undefined, UnknownMember
from sigcore.executors import Serial, Threads
from sigcore.kbest.instances import Instances
from sigcore.kbest.lists import merged
from sigcore.kbest.network import decode, hand_weights, network
from sigcore.studies import tuning
from sigcore.studies.tuning import Target, TuningPlan, rerank
from sigcore.studies.tuning.compute import sample
from sigcore.studies.tuning.result import oracle, split
from sigcore.studies.tuning.statistics import Rows, instances, named_start, rows, with_built_in
from sigcore.study import Runtime
from sigcore.testset import Outputs, Testset
from sigcore.types import DOCUMENT, SEGMENT
from tests.made import text_set
from tests.made_lists import made_lists

FAST = {"epochs": 100}
ALL_TUNED = [
    (name, {key: value for key, value in (("epochs", 3), ("restarts", 1)) if key in [o.name for o in method.options]})
    for name, method in methods.members().items()
    if method.column is None
]
TE, PRO = ("te_listmle", FAST), ("pro", {})


def study(methods=(TE, PRO), lists=None, target=None, **plan):
    """A small study on made lists."""
    made, testset = made_lists(60, 8) if lists is None else lists
    chosen = TuningPlan(methods=methods, **{"replicates": 2, "resamples": 500, "seed": 3} | plan)
    return rerank(made, testset, target or Target.of("bleu"), chosen)


@pytest.fixture(scope="module")
def done():
    """One study of two methods."""
    return study()


def test_tuning_helps_on_held_out_segments(done):
    """Where a feature counts the slips, every method beats the first of the list on segments that it did not see."""
    assert [item.system for item in done.tests] == ["te_listmle", "pro"]
    for item in done.tests:
        assert item.gain > 5
        assert item.adjusted < 0.05
    assert (done.dev.segments, done.test.segments, done.setup.n) == (30, 30, 30)
    assert done.test.worst < done.test.baseline < done.test.oracle
    assert done.fixed
    assert "gains" in str(done)


def test_scores_are_those_of_the_outputs(done):
    """The held-out score of a replicate is the metric of its outputs, extracted as for any system."""
    metric = metrics.get("bleu")
    extract = metrics.extractor(metric, done.held_out, metric.chosen())
    for item in done.replicates:
        assert extract(item.outputs).corpus_score == pytest.approx(item.test)
    made, testset = made_lists(60, 8)
    first = Outputs("first", made.outputs(made.offsets[30:60]))
    assert extract(first).corpus_score == pytest.approx(done.test.baseline)
    assert done.held_out.references[0] == testset.references[0][30:]


def test_weights_give_the_outputs(done):
    """The weights, for features as they are in the file, choose the outputs."""
    made, _ = made_lists(60, 8)
    for item in done.replicates:
        texts = []
        for i in range(30, 60):
            rows = range(made.offsets[i], made.offsets[i + 1])
            texts.append(made.texts[max(rows, key=lambda j: made.features[j] @ item.weights)])
        assert tuple(texts) == item.outputs.segments


def test_nothing_depends_on_the_executor_or_other_methods(done):
    """The same plan gives the same weights on one thread and on three, and alone or among other methods."""
    made, testset = made_lists(60, 8)
    plan = TuningPlan(methods=(PRO,), replicates=2, resamples=500, seed=3)
    for executor in (Serial(), Threads(3)):
        alone = rerank(made, testset, Target.of("bleu"), plan, runtime=Runtime(executor=executor))
        for one, other in zip(alone.of("pro"), done.of("pro"), strict=True):
            np.testing.assert_array_equal(one.weights, other.weights)
    assert (study(methods=(PRO,), seed=4).of("pro")[0].weights != done.of("pro")[0].weights).any()


def test_replicates_use_resampled_segments():
    """With several replicates each has its own resample of the segments; with one, or on request, all of them."""
    plan = TuningPlan(replicates=3, seed=1)
    drawn = [sample(plan, k, 50) for k in range(3)]
    assert all(len(part) == 50 and len(set(part.tolist())) < 50 for part in drawn)
    assert (drawn[0] != drawn[1]).any()
    np.testing.assert_array_equal(drawn[0], sample(plan, 0, 50))
    for other in (replace(plan, replicates=1), replace(plan, resample=False)):
        np.testing.assert_array_equal(sample(other, 0, 50), np.arange(50))


def test_all_segments_may_be_tuned_on():
    """A split of 1 has no held-out part, no tests, and a note that says so."""
    result = study(split=1.0)
    assert result.test is None
    assert result.tests == ()
    assert np.isnan(result.replicates[0].test)
    assert result.dev.segments == 60
    assert any("too good" in note for note in result.notes)
    assert "nothing was tested" in str(result)


def test_the_headline_is_short_and_names_the_largest_gain():
    """At most 20 words and three numbers; what the gains are averages of is another sentence."""
    result = study()
    top = max(result.tests, key=lambda item: item.gain)
    words = str(result)
    assert words.startswith(f"{top.title} gains {top.gain:+.2f} BLEU on held-out segments, the most of ")
    assert "(corrected p " in words
    assert len(words.split()) <= 20
    assert (
        result.averaged()
        == f"Gains are averages of {len(top.gains)} runs on {result.setup.segments} held-out segments."
    )


def test_one_method_with_several_options():
    """A plan may have one method with several options (a sweep over n); each has its own name, weights and test."""
    sweep = [("top_n", FAST | {"n": n}) for n in (1, 5, 8)]
    result = study(methods=tuple(sweep))
    assert result.methods == ("top_n n:1", "top_n n:5", "top_n n:8")
    assert len(result.methods) == len(result.tests) == 3
    alone = study(methods=(sweep[0],))
    np.testing.assert_array_equal(alone.replicates[0].weights, result.replicates[0].weights)


def test_documents_are_swapped_whole():
    """With the document as unit the test has as many units as there are held-out documents, and the same gain."""
    made, testset = made_lists(60, 8)
    named = replace(testset, documents=tuple(str(i // 5) for i in range(60)))
    by_segment, by_document = (study(methods=(PRO,), lists=(made, named), unit=unit) for unit in (SEGMENT, DOCUMENT))
    assert (by_segment.setup.n, by_document.setup.n, by_document.setup.segments) == (30, 6, 30)
    assert by_document.tests[0].gain == pytest.approx(by_segment.tests[0].gain)
    assert by_document.tests[0].p_value > by_segment.tests[0].p_value
    assert by_document.tests[0].p_value >= 2 / 2**6 - 0.02


def test_split_keeps_documents_whole():
    """The border is the document border nearest to the share; without documents it is the segment."""
    documents = tuple("aaabbbbccc")
    testset = Testset("t", "text", 10, (), (), (), documents)
    dev, test = split(testset, 0.4)
    assert (dev.tolist(), test.tolist()) == ([0, 1, 2], [3, 4, 5, 6, 7, 8, 9])
    assert split(replace(testset, documents=()), 0.4)[0].tolist() == [0, 1, 2, 3]
    with pytest.raises(Undefined, match="no document"):
        split(replace(testset, documents=("a",) * 10), 0.5)
    for share in (0, -1, 1.5):
        with pytest.raises(OptionError):
            split(testset, share)


def test_statistics_are_those_of_systems():
    """The statistics of hypotheses are those the metric extracts for a system with that text."""
    made, testset = made_lists(12, 6)
    for name in ("bleu", "chrf", "ter"):
        target = Target.of(name)
        got = rows(made, testset, target)
        extract = metrics.extractor(target.metric, testset, target.options)
        for rank in range(int(made.lengths.min())):
            values = extract(Outputs("x", made.outputs(made.offsets[:-1] + rank))).values
            np.testing.assert_array_equal(got[made.offsets[:-1] + rank], values)


def test_a_text_is_extracted_once():
    """New lists with old texts need no extraction."""
    made, testset = made_lists(12, 6)
    known = Rows(testset, Target.of("bleu"))
    first, calls = known.of(made), []
    known._extract = lambda outputs: calls.append(outputs)
    np.testing.assert_array_equal(known.of(made), first)
    assert not calls


def test_oracle_is_nearly_the_best_of_all_choices():
    """On three small lists the oracle reaches the best of all choices, and its opposite the worst."""
    made, testset = made_lists(3, 4)
    target = Target.of("bleu")
    every = instances(made, made.features, rows(made, testset, target), target)
    choices = np.stack(np.meshgrid(*(np.arange(a, b) for a, b in zip(made.offsets, made.offsets[1:], strict=False))))
    values = [every.value(chosen) for chosen in choices.reshape(3, -1).T]
    assert every.value(oracle(every)) == pytest.approx(max(values), rel=0.02)
    assert every.value(oracle(every, -1)) <= min(values) + 0.1 * (max(values) - min(values))


def test_oracle_takes_what_is_best_beside_the_other_choices():
    """The metric of all is best where the sum is 5, as of 0 and 5; the best of each list alone are 7 and 5."""
    values = np.array([0.0, 3.0, 7.0, 2.0, 5.0])
    lists = Instances(
        np.zeros((5, 1)), values[:, None], values, np.array([0, 3, 5]), lambda sums: -np.abs(sums[..., 0] - 5)
    )
    assert values[oracle(lists)].sum() == 5


def test_a_column_is_tuned_for():
    """Tuned for a column of the hypotheses, its mean rises, it is no feature, and no reference is needed."""
    made, testset = made_lists(60, 8)
    judged = made.with_features(["judge"], 3 * made.column("slips")[:, None] + 1)
    bare = replace(testset, references=(), digest="")
    for better, sign in (("higher", 1), ("lower", -1)):
        result = study(lists=(judged, bare), target=Target.of(column="judge", better=better))
        assert result.features.names == made.names
        assert result.setup.better == better
        item = result.tests[0]
        assert item.gain > 0
        assert sign * (item.average - result.test.baseline) == pytest.approx(item.gain)


def test_choices_without_weights():
    """Best of n takes the highest column, MBR the hypothesis that agrees most; both run once and have no weights."""
    made, _ = made_lists(60, 8)
    result = study(methods=(("best_of_n", {"by": "slips"}), ("mbr", {}), PRO))
    assert [len(result.of(name)) for name in ("best_of_n", "mbr", "pro")] == [1, 1, 2]
    chosen = [
        int(made.offsets[i] + made.column("slips")[made.offsets[i] : made.offsets[i + 1]].argmax())
        for i in range(30, 60)
    ]
    assert result.of("best_of_n")[0].outputs.segments == made.outputs(np.array(chosen))
    assert result.features.names == made.names  # what MBR needs is no feature
    assert result.tests[1].gain > 0
    assert np.isnan(result.tests[0].s_opt)


def test_consensus_is_the_mean_agreement():
    """The agreement of a hypothesis is its mean chrF with each other different text as the reference."""
    made, _ = made_lists(3, 5)
    lists = with_built_in(made.of([0, 1, 2, 2]), ["consensus_chrf", "words"])
    metric = metrics.get("chrf")
    for i in range(3):
        texts = made.texts[made.offsets[i] : made.offsets[i + 1]]
        for place, own in enumerate(texts):
            scores = []
            for other in dict.fromkeys(text for text in texts if text != own):
                extract = metrics.extractor(metric, Testset("x", "text", 1, ((other,),)), metric.chosen())
                scores.append(extract(Outputs("x", (own,))).corpus_score / 100)
            row = made.offsets[i] + place
            assert lists.column("consensus_chrf")[row] == pytest.approx(np.mean(scores) if scores else 0)
            assert lists.column("words")[row] == len(own.split())


def test_length_ratio_needs_sources():
    """The ratio is the logarithm of characters over characters of the source."""
    made, _ = made_lists(2, 3)
    got = with_built_in(made, ["length_ratio"], ["abcd", "ab"])
    assert got.column("length_ratio")[0] == pytest.approx(np.log(len(made.texts[0]) / 4))
    with pytest.raises(Undefined):
        with_built_in(made, ["length_ratio"])
    with pytest.raises(OptionError):
        with_built_in(made, ["nonsense"])


def test_known_weights_are_the_start():
    """Where scores are a weighted sum of the features, tuning begins with those weights, which rank as the list does."""
    made, testset = made_lists(60, 8)
    scored = replace(made, scores=made.features @ np.array([1.0, 2.0, -0.5, 0.3]) + 7)
    result = study(lists=(scored, testset), split=1.0)
    assert any("begins with the weights" in note for note in result.notes)
    noisy = replace(scored, scores=scored.scores + np.random.default_rng(1).normal(size=made.size))
    assert not any("begins with" in note for note in study(lists=(noisy, testset), split=1.0).notes)


def test_start_weights_that_are_not_used_are_named():
    """All six of six; of eight the first six, and how many more there are."""
    made, _ = made_lists(3, 5)
    for names, told in (
        ("abcde", "a, b, c, d, e"),
        ("abcdef", "a, b, c, d, e, f"),
        ("abcdefgh", "a, b, c, d, e, f and 2 more"),
    ):
        notes = []
        weights = named_start({made.names[0]: 2.0} | dict.fromkeys(names, 1.0), made, notes)
        assert weights.tolist() == [2.0] + [0.0] * (len(made.names) - 1)
        assert notes == [f"{len(names)} start weights not used, as the lists have no such feature: {told}."]


def test_lists_that_teach_nothing_are_counted():
    """Lists of one hypothesis, and lists in which all are equally good, are reported; nothing fails on them."""
    made, testset = made_lists(60, 8)
    same = [made.texts[made.offsets[i]] for i in made.segment_of.tolist()]
    texts = tuple(same[j] if made.segment_of[j] < 7 else text for j, text in enumerate(made.texts))
    result = study(lists=(replace(made, texts=texts), testset))
    assert (
        "In 7 of 30 development lists all hypotheses are equally good, so nothing is learned from them." in result.notes
    )
    single = study(lists=(replace(made, texts=tuple(same)), testset), methods=(*ALL_TUNED,))
    assert {item.gain for item in single.tests} == {0.0}
    assert {item.p_value for item in single.tests} == {1.0}


def test_equal_scores_and_constant_features_decide_nothing():
    """Where all scores of the lists are equal, tuning begins with 0; a feature that never varies gets weight 0; both give
    the results that lists without them give."""
    made, testset = made_lists(60, 8)
    equal = replace(made, scores=np.ones(made.size)).with_features(["constant"], np.full((made.size, 1), 3.0))
    unscored = replace(made, scores=np.full(made.size, np.nan))
    one, other = (study(lists=(lists, testset)) for lists in (equal, unscored))
    assert not any("begins with the weights" in note for note in one.notes)
    assert one.features.varies.tolist() == [True] * 4 + [False]
    for a, b in zip(one.replicates, other.replicates, strict=True):
        np.testing.assert_allclose(a.weights, [*b.weights, 0.0], rtol=1e-9)
        assert a.outputs.segments == b.outputs.segments


def test_loss_and_metric_are_correlated_by_rank(done):
    """The rank correlation over the epochs is scipy's, also with ties; methods without a loss have none."""
    for item in done.of("te_listmle"):
        steps = item.iterations[0].steps
        expected = spearmanr([step.loss for step in steps], [step.value for step in steps]).statistic
        assert item.loss_and_metric == pytest.approx(expected)
        assert item.loss_and_metric < 0  # tuning helps here
    made = study(methods=(("kb_mira", {"epochs": 5}), ("mbr", {})))
    assert all(np.isnan(item.loss_and_metric) for item in made.replicates)


def test_features_are_described_list_by_list():
    """Mean, deviation and ends are over all hypotheses; a feature varies in the lists with different values."""
    made, _ = made_lists(20, 6)
    lists = made.with_features(["constant"], np.full((made.size, 1), 2.0))
    for k, item in enumerate(tuning.described(lists)):
        values = lists.features[:, k].tolist()
        parts = [values[a:b] for a, b in zip(lists.offsets, lists.offsets[1:], strict=False)]
        assert (item.name, item.low, item.high) == (lists.names[k], min(values), max(values))
        assert item.mean == pytest.approx(sum(values) / len(values))
        assert item.deviation == pytest.approx(np.std(values))
        assert item.varies == pytest.approx(sum(len(set(part)) > 1 for part in parts) / 20)
    assert tuning.described(lists)[-1].varies == 0


def test_repeated_hypotheses_are_left_out():
    """A hypothesis that appears twice with the same features counts once, with a note; no result changes."""
    made, testset = made_lists(60, 8)
    order = np.argsort(np.r_[made.segment_of, made.segment_of], kind="stable")
    twice = np.r_[np.arange(made.size), np.arange(made.size)][order]
    double = replace(
        made,
        texts=tuple(made.texts[i] for i in twice),
        offsets=2 * made.offsets,
        features=made.features[twice],
        scores=made.scores[twice],
    )
    assert double.size == 2 * made.size
    assert merged(made, made).texts == made.texts
    result, single = study(methods=(PRO,), lists=(double, testset)), study(methods=(PRO,))
    np.testing.assert_array_equal(result.replicates[0].weights, single.replicates[0].weights)
    assert any("repetitions" in note for note in result.notes)


def test_what_does_not_fit_is_refused():
    """Another number of segments, unknown or repeated methods, bad numbers and metrics of other kinds are refused."""
    made, testset = made_lists(60, 8)
    with pytest.raises(MismatchError, match="60 segments"):
        study(lists=(made.of(range(59)), testset))
    with pytest.raises(UnknownMember):
        study(methods=(("te_listmel", {}),))
    with pytest.raises(OptionError, match="twice"):
        study(methods=(TE, TE))
    with pytest.raises(Undefined, match="No method"):
        study(methods=())
    with pytest.raises(OptionError):
        study(replicates=0)
    with pytest.raises(OptionError):
        study(methods=(("listnet", {"kapa": 1}),))
    with pytest.raises(OptionError, match="Hypotheses are text"):
        Target.of("aer")
    with pytest.raises(Undefined, match="no features"):
        study(lists=(replace(made, names=(), features=np.zeros((made.size, 0))), testset))
    with pytest.raises(UnknownMember):
        study(target=Target.of(column="judge"))
    unscored = replace(made, scores=np.full(made.size, np.nan))
    with pytest.raises(Undefined, match="no score"):
        study(methods=(("best_of_n", {}),), lists=(unscored, testset))


def test_a_report_may_cancel():
    """Every epoch is reported with its method and replicate, and Cancelled leaves the study."""
    made, testset = made_lists(20, 5)
    plan, seen = TuningPlan(methods=(TE,), replicates=2, resamples=100), []
    rerank(made, testset, Target.of("bleu"), plan, report=lambda *step: seen.append(step[:3]))
    assert {step[:2] for step in seen} == {("te_listmle", 1), ("te_listmle", 2)}
    assert len(seen) == 2 * 100

    def cancel(*step):
        raise Cancelled

    with pytest.raises(Cancelled):
        rerank(made, testset, Target.of("bleu"), plan, report=cancel)


# ---- combination


@pytest.fixture(scope="module")
def systems():
    """Four systems with different slips in the same text."""
    return text_set(80, (0.25, 0.3, 0.3, 0.35), seed=2)


def combined(systems, methods=(TE,), **plan):
    """A small combination."""
    testset, outputs = systems
    chosen = TuningPlan(methods=methods, **{"replicates": 1, "iterations": 3, "size": 6, "resamples": 500} | plan)
    return tuning.combine(outputs, testset, Target.of("bleu"), chosen)


def test_combination_beats_the_best_system(systems):
    """Where systems err independently, their combination beats the best of them on held-out segments."""
    result = combined(systems)
    assert result.tests[0].gain > 3
    assert result.tests[0].p_value < 0.05
    assert not result.fixed
    assert result.baseline == systems[1][0].system
    assert result.features.names[:4] == tuple(f"votes {item.system}" for item in systems[1])


def test_lists_are_aggregated_or_merged(systems):
    """Aggregated, every iteration adds one list for each segment; merged, there is always one; PRO always merges."""
    counts = {
        policy: [item.lists for item in combined(systems, policy=policy).replicates[0].iterations]
        for policy in ("aggregate", "merge")
    }
    assert counts == {"aggregate": [40, 80, 120, 0], "merge": [40, 40, 40, 0]}
    assert [item.lists for item in combined(systems, methods=(PRO,)).replicates[0].iterations] == [40, 40, 40, 0]


def test_the_best_iteration_counts(systems):
    """The weights are those of the iteration with the best metric on the development segments."""
    result = combined(systems, methods=(PRO,), resample=False)
    (replicate,) = result.replicates
    assert replicate.dev == pytest.approx(max(item.dev for item in replicate.iterations))


@pytest.mark.parametrize("stage", ["aligning", "decoding", "tuning"])
def test_progress_may_cancel_inside_a_stage(systems, stage):
    """A callback that raises ends networks, the first lists and the search of later lists before they are finished."""
    testset, outputs = systems
    seen = []

    def progress(name, done, total):
        seen.append((name, done, total))
        if name == stage and len([one for one in seen if one[0] == stage]) == 5:
            raise Cancelled

    plan = TuningPlan(methods=(TE,), replicates=1, iterations=3, size=10, resamples=200)
    with pytest.raises(Cancelled):
        tuning.combine(outputs, testset, Target.of("bleu"), plan, runtime=Runtime(executor=Serial(), progress=progress))
    name, done, total = seen[-1]
    assert name == stage
    assert done < total


def test_decoding_reports_every_segment():
    """The function is called once before each segment, and what it raises ends the search at once."""
    networks = [network([["a", "b"], ["a", "c"]], 0) for _ in range(4)]
    seen = []
    decode(networks, ["x", "y"], hand_weights(2), 3, "made", lambda done, total: seen.append((done, total)))
    assert seen == [(0, 4), (1, 4), (2, 4), (3, 4)]


def test_combination_is_reproducible(systems):
    """Two runs of one plan give the same weights, whatever the threads."""
    testset, outputs = systems
    plan = TuningPlan(methods=(TE, PRO), replicates=2, iterations=2, size=5, resamples=100)
    first, second = (
        tuning.combine(outputs, testset, Target.of("bleu"), plan, runtime=Runtime(executor=Threads(k))) for k in (1, 3)
    )
    for one, other in zip(first.replicates, second.replicates, strict=True):
        np.testing.assert_array_equal(one.weights, other.weights)
        assert one.test == other.test


def test_what_cannot_be_combined_is_refused(systems):
    """One system, outputs without words, columns and choices from fixed lists are refused."""
    testset, outputs = systems
    plan, target = TuningPlan(methods=(TE,)), Target.of("bleu")
    with pytest.raises(Undefined, match="two systems"):
        tuning.combine(outputs[:1], testset, target, plan)
    joined = [Outputs(item.system, tuple(text.replace(" ", "") for text in item.segments)) for item in outputs]
    with pytest.raises(Undefined, match="no words"):
        tuning.combine(joined, testset, target, plan)
    with pytest.raises(OptionError, match="fixed lists"):
        tuning.combine(outputs, testset, target, TuningPlan(methods=(("mbr", {}),)))
    with pytest.raises(OptionError, match="no column"):
        tuning.combine(outputs, testset, Target.of(column="judge"), plan)
    with pytest.raises(MismatchError):
        tuning.combine([*outputs, Outputs("short", outputs[0].segments[1:])], testset, target, plan)


def test_random_starts():
    """Each replicate begins with weights of its own, the same for all methods; the lists' own weights are not used."""
    short = tuple((name, {"epochs": 1, "batch": 1000}) for name in ("te_listmle", "listmle", "top_n"))
    drawn = study(short, random_start=True, replicates=3)
    usual = study(short, replicates=3)
    assert any("random weights" in note for note in drawn.notes)
    assert not any("reproduce the scores" in note for note in drawn.notes)
    begins = [[run.iterations[0].dev for run in drawn.of(name)] for name in drawn.methods]
    assert begins[0] == begins[1] == begins[2]
    assert begins[0] != [run.iterations[0].dev for run in usual.of("te_listmle")]
    # one step of AdaDelta is short, so the weights are still near those that they began with
    weights = [run.weights * drawn.features.deviations for run in drawn.of("te_listmle")]
    assert all(np.abs(own).max() < 1.1 for own in weights)
    assert len({own.round(1).tobytes() for own in weights}) == 3


def test_random_starts_of_a_combination():
    """The first lists of a combination are decoded under the random weights, the same for all runs."""
    testset, outputs = text_set(60, (0.25, 0.3, 0.3))
    plan = TuningPlan(((TE[0], {"epochs": 2}), PRO), replicates=1, resamples=100, iterations=1, size=4, seed=3)
    usual, drawn = (
        tuning.combine(outputs, testset, Target.of(), replace(plan, random_start=own)) for own in (False, True)
    )
    first = [[run.iterations[0].dev for run in result.replicates] for result in (usual, drawn)]
    assert first[1][0] == first[1][1]
    assert first[0][0] != first[1][0]
    assert any("begins with random weights, which give" in note for note in drawn.notes)
