"""List sizes, policies and options that one plan compares: each gives what it gives alone, and sweeps name them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore.errors import OptionError
from sigcore.kbest.lists import KBest, offsets_of
from sigcore.studies import tuning
from sigcore.studies.tuning import Target, TuningPlan
from sigcore.studies.tuning.finish import choices
from tests.made import text_set
from tests.made_lists import made_lists

FAST = {"epochs": 30}
TE, PRO = ("te_listmle", FAST), ("pro", {})


def study(lists=None, testset=None, methods=(TE, PRO), **plan):
    """A small study on made lists of 4 to 8 hypotheses, half of them held out."""
    made, gold = made_lists(60, 8)
    chosen = TuningPlan(methods=methods, **{"replicates": 2, "resamples": 200, "seed": 3} | plan)
    return tuning.rerank(lists or made, testset or gold, Target.of("bleu"), chosen)


def shortened(lists, size, among):
    """The lists, of which those of the segments `among` have only their first hypotheses; one by one."""
    rows, lengths = [], []
    for i in range(lists.n):
        own = list(range(lists.offsets[i], lists.offsets[i + 1]))[: size if i in among else None]
        rows += own
        lengths.append(len(own))
    return KBest(
        lists.name,
        tuple(lists.texts[j] for j in rows),
        offsets_of(lengths),
        lists.names,
        lists.features[rows],
        lists.scores[rows],
    )


def test_short_lists_are_the_first_hypotheses():
    """Each list keeps its first hypotheses, in order; shorter lists stay."""
    made, _ = made_lists(20, 8)
    short = made.head(3)
    expected = shortened(made, 3, range(20))
    assert short.texts == expected.texts
    np.testing.assert_array_equal(short.offsets, expected.offsets)
    np.testing.assert_array_equal(short.features, expected.features)
    assert made.head(8).texts == made.texts


def test_a_list_size_is_tuning_on_short_lists():
    """Every size gives the weights and held-out scores of a study in which the development lists were cut beforehand; the
    held-out lists are complete, and scores on both parts are of complete lists."""
    made, _ = made_lists(60, 8)
    result = study(sizes=(3, 8))
    assert result.methods == ("te_listmle k:3", "te_listmle k:8", "pro k:3", "pro k:8")
    for size in (3, 8):
        alone = study(shortened(made, size, range(30)))
        for name in ("te_listmle", "pro"):
            for one, other in zip(result.of(f"{name} k:{size}"), alone.of(name), strict=True):
                np.testing.assert_allclose(one.weights, other.weights, rtol=1e-9)
                assert one.outputs.segments == other.outputs.segments
    assert result.of("pro k:3")[0].title == "PRO k:3"
    assert any(line.startswith("List sizes (k)") for line in result.chosen)


def test_sizes_are_a_sweep():
    """Each method has a sweep over the sizes in order; choices without weights have none, and run once."""
    result = study(methods=(TE, ("mbr", {})), sizes=(8, 3, 5))
    (sweep,) = result.sweeps
    assert (sweep.title, sweep.setting) == ("top-rank enhanced ListMLE", "k")
    assert sweep.values == ((3, "te_listmle k:3"), (5, "te_listmle k:5"), (8, "te_listmle k:8"))
    assert len(result.of("mbr")) == 1
    assert study().sweeps == ()


def test_options_are_a_sweep():
    """Several values of n are a sweep; with several sizes, too, there is one for each size, and one for each n."""
    methods = [("top_n", FAST | {"n": n}) for n in (5, 1)]
    (sweep,) = study(methods=methods).sweeps
    assert (sweep.setting, [value for value, _ in sweep.values]) == ("n", [1, 5])
    # labels have what differs, also where it is the default
    assert [label for _, label in sweep.values] == ["top_n n:1", "top_n n:5"]
    both = study(methods=methods, sizes=(3, 8)).sweeps
    assert sorted((one.setting, len(one.values)) for one in both) == [("k", 2), ("k", 2), ("n", 2), ("n", 2)]
    assert len({one.title for one in both}) == 4


def test_sizes_that_no_list_has_are_refused():
    """More than the longest list, less than two, or one size twice are errors."""
    for sizes, message in (((9,), "has 8 hypotheses"), ((1,), "at least 2"), ((3, 3), "selected twice")):
        with pytest.raises(OptionError, match=message):
            study(sizes=sizes)
    with pytest.raises(OptionError, match="neither aggregated nor merged"):
        study(policies=("aggregate", "merge"))


def test_lists_that_are_aggregated_and_merged_are_both_named():
    """Where a plan compares two policies, the choices name both; else nothing is said of merging."""
    said = [
        line
        for policies in (("aggregate", "merge"), ("aggregate",))
        for line in choices(Target.of("bleu"), TuningPlan(methods=(TE,), policies=policies), False, {"te_listmle"})
        if line.startswith("Listwise losses")
    ]
    rest = "; PRO, k-best MIRA and MERT always merge them."
    both = "Listwise losses aggregate the lists of all iterations (aggregate) or merge them (merge)"
    assert said == [both + rest, "Listwise losses aggregate the lists of all iterations" + rest]


def test_compared_policies_and_sizes_of_a_combination_are_those_alone():
    """Aggregated and merged lists, and two list sizes, give the weights that a plan with only one of them gives; methods
    that always merge run once for each size."""
    testset, outputs = text_set(60, (0.25, 0.3, 0.3), seed=2)

    def combined(**plan):
        chosen = TuningPlan(methods=(TE, PRO), **{"replicates": 1, "iterations": 2, "size": 6, "resamples": 200} | plan)
        return tuning.combine(outputs, testset, Target.of("bleu"), chosen)

    result = combined(policies=("aggregate", "merge"), sizes=(4, 6))
    expected = [f"te_listmle k:{k} {policy}" for k in (4, 6) for policy in ("aggregate", "merge")]
    assert list(result.methods) == [*expected, "pro k:4", "pro k:6"]
    for policy in ("aggregate", "merge"):
        (alone,) = combined(policy=policy).of("te_listmle")
        (one,) = result.of(f"te_listmle k:6 {policy}")
        np.testing.assert_array_equal(one.weights, alone.weights)
        assert (one.dev, one.test, one.outputs.segments) == (alone.dev, alone.test, alone.outputs.segments)
    (short,) = combined(size=4).of("pro")
    np.testing.assert_array_equal(result.of("pro k:4")[0].weights, short.weights)
    # held-out segments are decoded with the size of the plan
    assert replace(result.plan, sizes=()).size == 6
    assert {one.setting for one in result.sweeps} == {"k"}
    assert len(result.sweeps) == 3
