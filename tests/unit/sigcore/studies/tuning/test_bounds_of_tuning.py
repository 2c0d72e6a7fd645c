"""Bounds and words of tuning: plans, splits, lists, features, starts and what is said, at each number."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sigcore import tuning as methods
from sigcore.errors import MismatchError, OptionError, Undefined
from sigcore.executors import Serial
from sigcore.kbest.instances import Instances
from sigcore.studies.tuning import (
    Target,
    TuningPlan,
    compute,
    finish,
    rerank,
    result,
)
from sigcore.studies.tuning import statistics as counted
from sigcore.study import Runtime
from sigcore.testset import Outputs, Testset
from sigcore.tuning import Step
from sigcore.types import Setup
from tests.made_lists import lists_of, made_lists

# Plans.


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"replicates": 0}, "replicates = 0"), ({"iterations": 0}, "iterations = 0"), ({"size": 1}, "size = 1"),
     ({"sizes": (2, 1)}, "size = 1"), ({"replicates": 1, "iterations": 1, "size": 2, "sizes": (2,)}, "")],
)  # fmt: skip
def test_the_smallest_numbers_of_a_plan(changes: dict[str, Any], words: str) -> None:
    plan = TuningPlan(methods=(("pro", {}),), **changes)
    if not words:
        assert [task.label for task in compute.tasks(plan)] == ["pro k:2"]
        return
    with pytest.raises(OptionError, match=words):
        compute.tasks(plan)


def test_the_runs_of_a_plan() -> None:
    """Replicates of every method, size and policy; a choice without weights has one, and merging methods no policy."""
    plan = TuningPlan(
        methods=(("pro", {}), ("listnet", {}), ("mbr", {})), replicates=2, sizes=(3, 5), policies=("aggregate", "merge")
    )
    found = compute.tasks(plan)
    labels = list(dict.fromkeys(task.label for task in found))
    assert labels == [
        "pro k:3", "pro k:5",
        *(f"listnet k:{size} {policy}" for size in (3, 5) for policy in ("aggregate", "merge")), "mbr",
    ]  # fmt: skip
    assert [[task.replicate for task in found if task.label == label] for label in labels] == [[0, 1]] * 6 + [[0]]
    with pytest.raises(Undefined, match="No method"):
        compute.tasks(TuningPlan(methods=()))
    with pytest.raises(OptionError, match="pro is selected twice"):
        compute.tasks(TuningPlan(methods=(("pro", {}), ("pro", {}))))


def test_options_that_differ_are_in_the_label() -> None:
    """Where one of several selections has another value, all name theirs."""
    own = {"a": 1, "b": 2}
    assert compute._different(own, [own]) == ""
    assert compute._different(own, [own, {"a": 1, "b": 3}]) == "b:2"
    assert compute._different(own, [own, {"a": 0, "b": 2}, {"a": 1, "b": 3}]) == "a:1|b:2"


def test_random_weights_lie_between_minus_one_and_one() -> None:
    """Uniform: over many their ends, mean and variance are known; each replicate has its own."""
    plan = TuningPlan(seed=4)
    found = compute.random_weights(plan, 4000)
    assert -1 <= found.min() < -0.99
    assert 0.99 < found.max() <= 1
    assert abs(found.mean()) < 4 * math.sqrt(1 / 3 / 4000)
    assert found.var() == pytest.approx(1 / 3, rel=0.05)
    assert found.tolist() == compute.random_weights(plan, 4000, 0).tolist()
    assert not np.array_equal(found, compute.random_weights(plan, 4000, 1))


@pytest.mark.parametrize(("replicates", "resample", "drawn"), [(1, True, False), (2, True, True), (2, False, False)])
def test_several_replicates_draw_their_segments(replicates: int, resample: bool, drawn: bool) -> None:
    found = compute.sample(TuningPlan(replicates=replicates, resample=resample, seed=1), 0, 40)
    assert found.tolist() == sorted(found.tolist())
    assert (len(set(found.tolist())) < 40) == drawn
    assert len(found) == 40


def test_numbers_with_several_values_are_sweeps() -> None:
    """Of one method; runs that differ in one number alone are in one sweep, in order of value."""
    plan = TuningPlan(methods=(("top_n", {"n": 5}), ("top_n", {"n": 1}), ("pro", {})), sizes=(4, 2), replicates=1)
    found = {(one.title, one.setting): one.values for one in compute.sweeps(compute.tasks(plan))}
    top, pro = methods.get("top_n").title, methods.get("pro").title
    assert found[pro, "k"] == ((2.0, "pro k:2"), (4.0, "pro k:4"))
    assert found[f"{top} k:4", "n"] == ((1.0, "top_n n:1 k:4"), (5.0, "top_n n:5 k:4"))
    assert found[f"{top} n:1", "k"] == ((2.0, "top_n n:1 k:2"), (4.0, "top_n n:1 k:4"))
    assert len(found) == 5
    assert compute.sweeps(compute.tasks(replace(plan, methods=(("pro", {}),), sizes=(4,)))) == ()


def test_a_run_that_differs_in_two_settings_is_in_no_sweep() -> None:
    """It has no other run beside it that differs in one alone."""
    chosen = [{"n": 5, "epochs": 10}, {"n": 1, "epochs": 10}, {"n": 3, "epochs": 20}]
    (sweep,) = compute.sweeps(compute.tasks(TuningPlan(methods=tuple(("top_n", own) for own in chosen))))
    assert (sweep.title, sweep.setting) == (methods.get("top_n").title, "n")
    assert sweep.values == ((1.0, "top_n n:1|epochs:10"), (5.0, "top_n n:5|epochs:10"))


# The split, the oracle, and what a run says.


@pytest.mark.parametrize(("share", "dev"), [(0.25, 1), (0.3, 1), (0.4, 2), (0.5, 2), (0.75, 3), (0.8, 3), (1, 4)])
def test_a_split_is_at_the_nearest_segment(share: float, dev: int) -> None:
    testset = Testset("t", "text", 4, (("x",) * 4,))
    own, other = result.split(testset, share)
    assert (own.tolist(), other.tolist()) == (list(range(dev)), list(range(dev, 4)))


@pytest.mark.parametrize("share", [0.0, -0.5, math.nextafter(1, 2)])
def test_a_share_outside_of_0_and_1_is_no_split(share: float) -> None:
    with pytest.raises(OptionError, match="split ="):
        result.split(Testset("t", "text", 4, (("x",) * 4,)), share)


def test_a_split_that_leaves_nothing_is_refused() -> None:
    """A single segment or document; a document that comes again counts where it was first."""
    with pytest.raises(Undefined, match="leaves no segment"):
        result.split(Testset("t", "text", 4, (("x",) * 4,)), 0.99)
    with pytest.raises(Undefined, match="leaves no document"):
        result.split(Testset("t", "text", 2, (("x",) * 2,), documents=("d", "d")), 0.5)
    own, other = result.split(Testset("t", "text", 4, (("x",) * 4,), documents=tuple("abab")), 0.5)
    assert (own.tolist(), other.tolist()) == ([0, 2], [1, 3])
    assert result.split(Testset("t", "text", 4, (("x",) * 4,)), 0.01)[0].tolist() == [0]


def test_the_oracle_and_its_opposite_of_a_mean_are_the_ends() -> None:
    """Of a metric that is a mean the choice of each list alone is the best; of equal ones the first."""
    values = np.array([1.0, 3.0, 3.0, 2.0, -5.0, 0.0, 7.0])
    lists = Instances(np.zeros((7, 1)), values[:, None], values, np.array([0, 3, 5, 7]), lambda sums: sums[..., 0])
    assert result.oracle(lists).tolist() == [1, 3, 6]
    assert result.oracle(lists, -1).tolist() == [0, 4, 5]


def test_the_oracle_passes_a_choice_that_is_not_defined() -> None:
    """A sum of 0 has no score; a later pass takes what an earlier choice made possible."""
    values = np.array([0.0, 1.0, 0.0, 2.0])

    def defined(sums: Any) -> Any:
        return np.where(sums[..., 0] == 0, math.nan, sums[..., 0])

    lists = Instances(np.zeros((4, 1)), values[:, None], -values, np.array([0, 2, 4]), defined)
    assert values[result.oracle(lists)].sum() in (0, 3)
    found = Instances(np.zeros((4, 1)), values[:, None], values, np.array([0, 2, 4]), defined)
    assert values[result.oracle(found)].tolist() == [1, 2]


def course(*pairs: tuple[float, float]) -> result.Replicate:
    """A run with these losses and metrics of its epochs."""
    steps = tuple(Step(k + 1, loss, value) for k, (loss, value) in enumerate(pairs))
    rounds = (result.Iteration(0, 1.0, 5, steps), result.Iteration(1, 1.0, 0, ()))
    return result.Replicate("m", "M", 1, np.ones(2), 1.0, 2.0, rounds)


@pytest.mark.parametrize(
    ("pairs", "rho"),
    [
        ([(1, 1), (2, 2)], math.nan), ([(1, 1), (2, 2), (3, 3)], 1.0), ([(3, 1), (2, 2), (1, 5)], -1.0),
        ([(1, 1), (2, 1), (3, 1)], math.nan), ([(1, 1), (1, 2), (1, 3)], math.nan), ([(1, 1), (2, 2), (2, 1)], 0.5),
        ([(0, 0), (1, 1), (0.5, 0.2)], 1.0), ([(1, 1), (2, math.nan), (3, 3)], math.nan), ([], math.nan),
    ],
)  # fmt: skip
def test_loss_and_metric_need_three_epochs_that_vary(pairs: list[tuple[float, float]], rho: float) -> None:
    """Spearman's correlation, ties with their mean rank; of a range of 1 as of any other."""
    if pairs == [(1, 1), (2, 2), (2, 1)]:
        rho = float(np.corrcoef([1, 2.5, 2.5], [1.5, 3, 1.5])[0, 1])
    assert course(*pairs).loss_and_metric == pytest.approx(rho, nan_ok=True)


SETUP = Setup(metric="bleu", metric_title="BLEU", better="higher", test="t", test_title="T", n=40, resamples=99, seed=1)
PART = result.SplitPart(10, 30, 20.0, 40.0, 5.0)


def tuned(
    *replicates: result.Replicate, tests: tuple[Any, ...] = (), deviations: Any = (1.0, 2.0), **setup: Any
) -> Any:
    """A result with these runs."""
    spread = np.array(deviations, dtype=float)
    features = result.Features(tuple("abcdefgh"[: len(spread)]), spread * 0, spread, spread > 0)
    return result.TuningResult(
        replace(SETUP, **setup), TuningPlan(), "first", features, PART, None, replicates, tests, (), True, ()
    )


def replicate(method: str, weights: Any, dev: float = 1.0) -> result.Replicate:
    return result.Replicate(method, method.upper(), 1, np.array(weights, dtype=float), dev, math.nan)


def test_the_influence_of_features() -> None:
    """Weights times deviations, each run with length 1, averaged; a run of zeros adds none, and a choice has no weights."""
    found = tuned(replicate("a", [3, 2]), replicate("a", [0, 5]), replicate("b", [0, 0]), replicate("c", []))
    assert found.average_weights("a").tolist() == pytest.approx([0.3, (0.8 + 1) / 2])
    assert found.average_weights("b").tolist() == [0, 0]
    assert found.average_weights("c").tolist() == []
    assert found.methods == ("a", "b", "c")


@pytest.mark.parametrize(
    ("most", "places"), [(1, (2,)), (2, (0, 2)), (3, (0, 2, 3)), (4, (0, 1, 2, 3)), (5, (0, 1, 2, 3))]
)
def test_the_most_influential_features_keep_their_order(most: int, places: tuple[int, ...]) -> None:
    """Under any method, in either direction."""
    found = tuned(replicate("a", [0.5, 0, -3, 0.2]), replicate("b", [-1, 0.1, 0, 0.3]), deviations=[1, 1, 1, 1])
    assert found.most_influential(most) == places
    assert tuned(replicate("c", []), deviations=[1, 1, 1]).most_influential(2) == (0, 1, 2)


def test_a_result_without_a_test_in_words() -> None:
    """The best run on the segments tuned on, whichever scores are better."""
    runs = (replicate("a", [1, 1], 3.0), replicate("b", [1, 1], 1.0))
    assert str(tuned(*runs)) == "A has 3.00 BLEU on the segments tuned on; nothing was tested."
    assert str(tuned(*runs, better="lower")).startswith("B has 1.00 BLEU")


def test_a_result_with_tests_in_words() -> None:
    """The largest gain, of how many methods, and of how many runs gains are averages."""
    one, other = (
        SimpleNamespace(title=title, gain=gain, adjusted=0.2, gains=np.zeros(runs)) for title, gain, runs in
        (("A", 0.5, 1), ("B", 1.25, 3))
    )  # fmt: skip
    alone, both = tuned(tests=(one,)), tuned(tests=(one, other), segments=50)
    assert str(alone).startswith("A gains +0.50 BLEU on held-out segments (p ")
    assert str(both).startswith("B gains +1.25 BLEU on held-out segments, the most of 2 methods (corrected p ")
    assert alone.averaged() == "Gains are of one run on 40 held-out segments."
    assert both.averaged() == "Gains are averages of 3 runs on 50 held-out segments."


# Lists and their features.


def test_the_quality_of_a_column_lies_between_its_ends() -> None:
    """0 at the least value and 1 at the largest; turned where lower is better; 0 where all are the same."""
    lists = lists_of(["a", "b", "c"], features=[[2.0], [6.0], [3.0]])
    target = Target.of(column="f", better="higher").fitted(lists)
    rows = np.array([[2.0, 1], [6, 1], [3, 1]])
    assert target.bounds == (2, 6)
    assert target.quality(rows).tolist() == [0, 1, 0.25]
    lower = Target.of(column="f", better="lower").fitted(lists)
    assert lower.quality(rows).tolist() == [0, -1, -0.25]
    assert replace(target, bounds=(2.0, 2.0)).quality(rows).tolist() == [0, 0, 0]
    assert Target.of("chrf").fitted(lists).bounds == (0.0, 1.0)


def test_the_quality_of_a_percentage_is_a_share() -> None:
    """That of chrF is divided by 100; that of an error rate is turned."""
    testset = Testset("t", "text", 1, (("the old boat",),))
    for name, sign in (("chrf", 1), ("ter", -1)):
        target = Target.of(name)
        rows = counted.rows(lists_of(["the old boat", "the boat"]), testset, target)
        wanted = [
            sign * target.score(row) / (100 if target.metric.decimals_of(target.options) == 2 else 1) for row in rows
        ]
        assert target.quality(rows).tolist() == pytest.approx(wanted)


def test_lists_that_count_from_1_may_lack_one_segment() -> None:
    """Only then, and only one, the message says where to look."""
    made = lists_of(["a"], ["b"])
    for start, n, known in ((1, 3, True), (1, 4, False), (0, 3, False), (1, 1, False)):
        error = counted.uneven(replace(made, start=start), n)
        assert error.what.startswith("made has lists for 2 segments, the reference has ")
        assert ("counts from 1" in error.fix) == known


def test_words_and_lengths_are_counted() -> None:
    """An empty text or source counts as one character."""
    found = counted.with_built_in(lists_of(["a bc", ""], ["abc"]), ["words", "length_ratio"], ["ab", ""])
    assert found.column("words").tolist() == [2, 0, 1]
    assert found.column("length_ratio").tolist() == pytest.approx([math.log(4 / 2), math.log(1 / 2), math.log(3)])
    again = counted.with_built_in(found, ["words", "words"])
    assert again.names == found.names


@pytest.mark.parametrize("name", ["consensus_chrf", "consensus_bleu"])
@pytest.mark.parametrize("evidence", [1, 2, 20])
def test_agreement_is_with_the_first_other_texts(name: str, evidence: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean score with at most so many of the different texts as the reference, never itself; 0 without another."""
    monkeypatch.setattr(counted, "EVIDENCE", evidence)
    texts = ["the old boat sails home", "the old boat", "an old boat sails home", "the old boat"]
    lists = lists_of(texts, ["alone", "alone"])
    found = counted.with_built_in(lists, [name]).column(name)
    kind = name.removeprefix("consensus_")
    target, different = Target.of(kind), list(dict.fromkeys(texts))
    wanted = []
    for own in texts:
        scores = []
        for other in [text for text in different[:evidence] if text != own]:
            rows = counted.rows(lists_of([own]), Testset("t", "text", 1, ((other,),)), target)
            scores.append(float(target.quality(rows)[0]))
        wanted.append(np.mean(scores) if scores else 0.0)
    assert found.tolist() == pytest.approx([*wanted, 0, 0])


@pytest.mark.parametrize("name", ["bleu", "chrf"])
def test_only_bleu_has_a_cost_with_a_background(name: str) -> None:
    """And a quality of its own: BLEU+1 of one hypothesis, which is 1 for the reference itself."""
    lists, target = lists_of(["the old red boat sails", "the boat"]), Target.of(name)
    testset = Testset("t", "text", 1, (("the old red boat sails",),))
    found = counted.instances(lists, lists.features, counted.rows(lists, testset, target), target)
    assert (found.cost is not None) == (name == "bleu") == target.is_bleu
    assert found.quality[0] == pytest.approx(1.0)
    assert 0 <= found.quality[1] < 1
    assert found.offsets.tolist() == [0, 2]


def test_progress_counts_the_texts_of_the_longest_list() -> None:
    """From the first to the last of the different ones, for statistics and for agreement."""
    seen: list[tuple[str, int, int]] = []
    lists = lists_of(["a b", "b c", "c d", "a b"], ["a"])
    testset = Testset("t", "text", 2, (("a b", "a"),))
    counted.rows(lists, testset, Target.of("chrf"), lambda *words: seen.append(words))
    assert seen == [("statistics for chrF", k, 3) for k in (1, 2, 3)]
    seen.clear()
    counted.with_built_in(lists, ["consensus_chrf"], (), lambda *words: seen.append(words))
    assert seen == [("agreement by chrf", k, 3) for k in (1, 2, 3)]


def test_start_weights_by_name() -> None:
    """Those of no feature are named up to five; where none names a feature, they are refused."""
    names = tuple("abcdefgh")
    lists = lists_of(["x", "y"], features=np.arange(16).reshape(2, 8), names=names)
    notes: list[str] = []
    assert counted.named_start({"b": 2.0, "z": 1.0}, lists, notes).tolist() == [0, 2] + [0] * 6
    assert notes == ["1 start weight not used, as the lists have no such feature: z."]
    assert counted.named_start({"a": 1.0}, lists, notes).tolist() == [1] + [0] * 7
    assert len(notes) == 1
    with pytest.raises(Undefined) as refused:
        counted.named_start({"z": 1.0}, lists, [])
    assert refused.value.fix == "The features are a, b, c, d, e, f and 2 more."


@pytest.mark.parametrize(("off", "exact"), [(0.0, True), (0.9e-3, True), (1.1e-3, False)])
def test_weights_that_nearly_give_the_scores_are_the_start(off: float, exact: bool) -> None:
    """They may miss a score by a thousandth of the deviation of all."""
    features = np.array([[1.0, 0], [-1, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [0, 1], [0, -1]])
    miss = np.array([1.0, 1, -1, -1, 0, 0, 0, 0])  # at right angles to both features
    scores = features @ np.array([2.0, -1.0]) + 7
    scores += off * scores.std() * miss
    notes: list[str] = []
    found = counted.start_of(lists_of(list("abcdefgh"), features=features, names=("f", "g"), scores=scores), notes)
    assert found.tolist() == pytest.approx([2.0, -1.0] if exact else [0.0, 0.0], abs=1e-9)
    assert len(notes) == exact


def test_scores_that_do_not_vary_or_are_missing_give_no_start() -> None:
    for scores in ([1.0, 1, 1], [1.0, math.nan, 2]):
        notes: list[str] = []
        assert counted.start_of(lists_of(["a", "b", "c"], scores=scores), notes).tolist() == [0]
        assert notes == []


def test_one_column_or_the_score_of_the_list_chooses() -> None:
    """The highest value, of equal ones the first; a missing score is refused."""
    made = lists_of(["a", "b", "c"], ["d", "e"], features=[[1.0], [3], [3], [5], [2]], scores=[3.0, 1, 2, 0, 9])
    testset = Testset("t", "text", 2, (("b", "d"),))
    side = finish._side(made, testset, Target.of("chrf"), None)
    assert compute._highest("f", side)[2] == ("b", "d")
    assert compute._highest("", side)[2] == ("a", "e")
    missing = replace(side, first=replace(made, scores=np.array([1.0, math.nan, 1, 1, 1])))
    with pytest.raises(Undefined, match="no score to choose by"):
        compute._highest("", missing)


# What is said of lists, methods and sizes.


@pytest.mark.parametrize(("segments", "few"), [(299, True), (300, False)])
def test_three_hundred_segments_are_not_few(segments: int, few: bool) -> None:
    made = lists_of(*([f"a{k}", f"b{k} x"] for k in range(segments)))
    testset = Testset("t", "text", segments, (tuple(f"a{k} y" for k in range(segments)),))
    notes = finish.about_lists(finish._side(made, testset, Target.of("chrf"), None))
    assert notes == (
        [f"{segments} development segments are few: other segments would give other weights."] if few else []
    )


@pytest.mark.parametrize(("features", "slow"), [(30, False), (31, True)])
def test_mert_is_for_thirty_features(features: int, slow: bool) -> None:
    found = finish.about_methods([methods.get("mert"), methods.get("pro"), methods.get("mert")], features)
    assert found == (
        [f"{methods.get('mert').title} is slow and unreliable with more than 30 features; there are 31."]
        if slow
        else []
    )


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_lists_are_cut_to_at_most_the_longest(size: int) -> None:
    lists = finish.Fixed(lists_of(["a", "b", "c"], ["d"]))
    if size > 3:
        with pytest.raises(OptionError, match="the longest list to tune on has 3 hypotheses"):
            lists.sized(size)
        return
    assert lists.sized(size).lists.lengths.tolist() == [min(size, 3), 1]


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [("a b", "c d", True), ("a b c", "d", True), ("a b", "c", False), ("a", "b c d", True)],
)
def test_combined_outputs_need_two_words_a_segment(first: str, second: str, words: bool) -> None:
    """On average over all systems and segments."""
    testset = Testset("t", "text", 1, (("x y",),))
    outputs = [Outputs("A", (first,)), Outputs("B", (second,))]
    plan = TuningPlan(methods=(("pro", {}),))
    if words:
        finish._check(outputs, testset, Target.of("bleu"), plan)
        with pytest.raises(Undefined, match="at least two systems"):
            finish._check(outputs[:1], testset, Target.of("bleu"), plan)
        return
    with pytest.raises(Undefined, match="no words"):
        finish._check(outputs, testset, Target.of("bleu"), plan)


def test_what_was_chosen_in_words() -> None:
    """The quality of a hypothesis under each kind of target, and what holds for fixed lists or for decoded ones."""

    def said(target: Target, fixed: bool = True, names: set[str] | None = None, **plan: Any) -> str:
        return " ".join(finish.choices(target, TuningPlan(**plan), fixed, names or {"pro"}))

    bleu, chrf = Target.of("bleu"), Target.of("chrf")
    assert "sentence BLEU from 0 to 1, add-one for orders above 1 (Lin & Och 2004)" in said(bleu)
    assert "add-one for all orders (Moses)" in said(Target.of("bleu", variant="all_orders"))
    assert "Quality of one hypothesis: the metric of the segment alone, divided by 100" in said(chrf)
    assert "the column f, from 2 (0) to 6 (1) on" in said(replace(Target.of(column="f"), bounds=(2.0, 6.0)))
    assert ("MIRA: the cost" in said(chrf, names={"kb_mira"}), "MIRA: the cost" in said(bleu, names={"kb_mira"})) == (
        True,
        False,
    )
    assert ("PRO: logistic" in said(bleu), "MERT: random" in said(bleu)) == (True, False)
    assert ("The lists are fixed" in said(bleu), "The lists are fixed" in said(bleu, False)) == (True, False)
    assert "Listwise losses aggregate" not in said(bleu)
    assert "lists of all iterations; PRO" in said(bleu, False)
    assert "Listwise losses" not in said(bleu, False, policy="merge")
    assert "lists of all iterations; PRO" in said(bleu, False, policy="merge", policies=("aggregate",))
    assert "(aggregate) or merge them (merge)" in said(bleu, False, policies=("aggregate", "merge"))
    assert "the lists are complete." in said(bleu, sizes=(3,))
    assert "the lists are decoded with lists of 7." in said(bleu, False, sizes=(3,), size=7)
    assert "List sizes" not in said(bleu)


def test_repetitions_that_are_left_out_are_counted() -> None:
    made, notes = lists_of(["a", "a", "b"], ["c"], features=[[1.0], [1], [1], [1]]), list[str]()
    testset = Testset("t", "text", 2, (("a", "c"),))
    finish.prepared(made, testset, Target.of("chrf"), TuningPlan(methods=(("pro", {}),)), (), notes, finish.LOCAL)
    assert notes == ["1 of 4 hypotheses left out: repetitions of another one."]
    notes.clear()
    finish.prepared(
        made.distinct(), testset, Target.of("chrf"), TuningPlan(methods=(("pro", {}),)), (), notes, finish.LOCAL
    )
    assert notes == []


def test_start_weights_of_another_number_are_refused() -> None:
    made, testset = made_lists(12, 4)
    plan = TuningPlan(methods=(("mbr", {}),), replicates=1, resamples=20)
    for count in (3, 5):
        with pytest.raises(MismatchError, match=f"{count} start weights for 4 features"):
            rerank(made, testset, Target.of("chrf"), plan, start=np.zeros(count))
    found = rerank(made, testset, Target.of("chrf"), plan, start=np.zeros(4))
    assert (found.dev.segments, found.setup.n) == (6, 6)


# Small studies from end to end.

CHOICE = (("best_of_n", {"by": "slips"}),)  # needs no tuning


def small(documents: int = 0, n: int = 24, runtime: Any = finish.LOCAL, report: Any = None, **plan: Any) -> Any:
    """PRO on made lists, half of them held out."""
    made, testset = made_lists(n, 4)
    names = tuple(f"d{k // documents}" for k in range(n)) if documents else ()
    asked = TuningPlan(**{"methods": (("pro", {}),), "replicates": 2, "resamples": 20, "seed": 3, **plan})
    whole = replace(testset, documents=names, digest="")
    return rerank(made, whole, Target.of("chrf"), asked, runtime=runtime, report=report)


@pytest.mark.parametrize(("unit", "n"), [("segment", 12), ("document", 6)])
def test_the_setup_counts_the_units_of_the_held_out_part(unit: str, n: int) -> None:
    """Segments as units of a test set with documents are noted."""
    found = small(documents=2, unit=unit, methods=CHOICE)
    assert (found.setup.n, found.setup.segments, str(found.setup.unit)) == (n, 12, unit)
    assert any("The test set has documents, but segments are" in note for note in found.notes) == (unit == "segment")
    assert not any("has documents" in note for note in small(unit="segment", methods=CHOICE).notes)
    assert len(found.setup.signature.split("|data:")[1].split("|")[0]) == 12


@pytest.mark.parametrize(
    ("replicates", "resample", "drawn"), [(1, True, False), (2, True, True), (2, False, False), (3, True, True)]
)
def test_the_signature_says_whether_segments_were_drawn(replicates: int, resample: bool, drawn: bool) -> None:
    signature = small(replicates=replicates, resample=resample, methods=CHOICE).setup.signature
    words = {True: "resampled_dev:True", False: "resampled_dev:False"}
    assert words[drawn] in signature
    assert f"replicates:{replicates}|" in signature


def test_runs_are_numbered_from_1_and_report_what_they_do() -> None:
    """Every run is reported when it is finished; steps say their method and their run."""
    stages: list[tuple[str, int, int]] = []
    steps: list[tuple[str, int, int]] = []
    found = small(
        n=12,
        runtime=Runtime(executor=Serial(), progress=lambda *words: stages.append(words)),
        report=lambda label, run, iteration, step: steps.append((label, run, iteration)),
    )
    finished = list(dict.fromkeys(done for stage, done, total in stages if stage == "tuning" and total == 2))
    assert finished == [0, 1, 2]
    assert set(steps) == {("pro", 1, 0), ("pro", 2, 0)}
    assert [one.number for one in found.replicates] == [1, 2]
    assert [one.outputs.run for one in found.replicates] == ["1", "2"]
    assert [(one.number, one.lists) for one in found.replicates[0].iterations] == [(0, 6), (1, 0)]


def test_a_study_without_a_held_out_part() -> None:
    """No test, no output and no score there; the setup is of the segments tuned on."""
    found = small(split=1.0, methods=CHOICE)
    assert (found.test, found.tests, found.held_out, found.baseline_output) == (None, (), None, None)
    assert all(one.outputs is None and math.isnan(one.test) for one in found.replicates)
    assert found.setup.n == 24
    held = small(methods=CHOICE)
    assert held.test is not None
    assert (held.held_out.n, len(held.baseline_output.segments), len(held.tests)) == (12, 12, 1)
    assert held.tests[0].gain == pytest.approx(np.mean([one.test for one in held.replicates]) - held.test.baseline)


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_parts_are_scored_by_their_outputs(share: float) -> None:
    """The score of a run is the metric of what its weights choose; the oracle is at least the best of all runs."""
    made, testset = made_lists(24, 4)
    found = small(split=share)
    target, border = Target.of("chrf"), int(24 * share)
    statistics = counted.rows(made, testset, target)
    for one in found.replicates:
        chosen = [
            a + int((made.features[a:b] @ one.weights).argmax())
            for a, b in zip(made.offsets[:border], made.offsets[1 : border + 1], strict=True)
        ]
        assert one.dev == pytest.approx(target.score(statistics[chosen].sum(axis=0)))
        assert found.dev.worst <= one.dev <= found.dev.oracle
    first = statistics[made.offsets[:border]].sum(axis=0)
    assert found.dev.baseline == pytest.approx(target.score(first))
    assert (found.dev.segments, found.dev.hypotheses) == (border, int(made.offsets[border]))


def test_random_starts_are_those_of_z_scores() -> None:
    """Each replicate of fixed lists begins with its own, turned into weights of the features as they are."""
    plan = TuningPlan(methods=(("pro", {}),), random_start=True, seed=5)
    problem: Any = SimpleNamespace(
        decoder=SimpleNamespace(fixed=True), start=np.zeros(3), scale=SimpleNamespace(weights=lambda z: 2 * z)
    )
    for k in (0, 1):
        assert compute._start_of(problem, plan, k).tolist() == (2 * compute.random_weights(plan, 3, k)).tolist()
    decoded: Any = SimpleNamespace(decoder=SimpleNamespace(fixed=False), start=np.ones(3))
    assert compute._start_of(decoded, plan, 1).tolist() == [1, 1, 1]
    assert compute._start_of(problem, replace(plan, random_start=False), 1).tolist() == [0, 0, 0]


@pytest.mark.parametrize("better_first", [True, False])
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_a_small_combination(share: float, better_first: bool) -> None:
    """The baseline is the better system of the part tuned on; the systems are kept on the held-out part, if there is one."""
    gold = ("the old red boat", "a dog finds the road", "two letters for Anna", "the garden is cold")
    given = [("good", gold), ("bad", tuple(" ".join(text.split()[::-1]) for text in gold))]
    outputs = [Outputs(*one) for one in (given if better_first else given[::-1])]
    plan = TuningPlan(methods=(("pro", {}),), split=share, replicates=1, iterations=1, size=3, resamples=20)
    found = finish.combine(outputs, Testset("t", "text", 4, (gold,)), Target.of("chrf"), plan)
    held = int(4 * (1 - share))
    assert [(one.system, one.segments) for one in found.systems] == (
        [(one.system, one.segments[2:]) for one in outputs] if held else []
    )
    assert (found.baseline, found.fixed, found.dev.segments) == ("good", False, 4 - held)
    assert found.dev.baseline == pytest.approx(100)
    assert (found.test is None) == (not held)
    begun = next(note for note in found.notes if note.startswith("Tuning begins with weights set by hand"))
    assert begun.endswith(f"on {'the held-out' if held else 'these'} segments.")
    assert [(one.number, one.lists > 0) for one in found.replicates[0].iterations] == [(0, True), (1, False)]
