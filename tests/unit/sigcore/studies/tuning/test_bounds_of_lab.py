"""Bounds and words of the lab: features, rows, comparisons, labels and places, at each number."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sigcore.errors import MismatchError, OptionError, Undefined, UnknownMember
from sigcore.studies.tuning import (
    FeatureSet,
    LabPlan,
    ListSet,
    Target,
    TuningPlan,
    result,
)
from sigcore.studies.tuning import rows as lab_rows
from sigcore.studies.tuning import statistics as counted
from sigcore.studies.tuning.lab import _about, _check_names, aligned, halves, row_labels, together
from sigcore.studies.tuning.lab import lab as tuning_lab
from sigcore.testset import Testset
from sigcore.types import Setup
from tests.made_lists import lists_of, made_lists

SETUP = Setup(metric="bleu", metric_title="BLEU", better="higher", test="t", test_title="T", n=40, resamples=99, seed=1)


@pytest.mark.parametrize(
    ("patterns", "chosen"),
    [((), "abc"), (("a",), "a"), (("!a",), "bc"), (("?",), "abc"), (("a", "b", "!b"), "a"), (("*", "!?"), "")],
)
def test_patterns_choose_features(patterns: tuple[str, ...], chosen: str) -> None:
    one = FeatureSet("s", patterns)
    if chosen:
        assert one.chosen(tuple("abc")) == tuple(chosen)
        return
    with pytest.raises(Undefined, match="No feature fits the set s"):
        one.chosen(tuple("abc"))


@pytest.mark.parametrize("count", [5, 6, 7, 40])
def test_features_are_named_where_none_fits(count: int) -> None:
    """Six of them, and how many more there are: of 40, 34."""
    names = tuple(f"f{k}" for k in range(count))
    with pytest.raises(Undefined) as refused:
        FeatureSet("s", ("z",)).chosen(names)
    shown = ", ".join(names[:6]) + (f" and {count - 6} more" if count > 6 else "")
    assert refused.value.fix == f"The features are {shown}."


def row(label: str, *scores: float, untuned: bool = False) -> lab_rows.LabRow:
    """A row with a run for each of these scores, in one place."""
    none = np.full(1, math.nan)
    return lab_rows.LabRow(
        label, label.upper(), "", untuned, np.array(scores), np.array(scores)[:, None], none, none, (), ()
    )


def compared(gain: float, adjusted: float, system: str = "b", place: str = "t") -> lab_rows.Comparison:
    return lab_rows.Comparison(system, "a", place, gain, (gain - 1, gain + 2), adjusted / 2, adjusted)


def laboratory(*found: lab_rows.Comparison, places: tuple[str, ...] = ("t",)) -> lab_rows.LabResult:
    """A lab whose rows are compared with the row a."""
    rows = (row("a", 1.0), *(row(one.system, 2.0) for one in found if one.place == places[-1]))
    return lab_rows.LabResult(
        SETUP, LabPlan(), "a", places, (("dev", 5), ("t", 9)), {}, ("f",), rows, found, (), (), ()
    )


def test_a_comparison_seen_from_the_other_row() -> None:
    one = compared(0.5, 0.04)
    other = lab_rows.turned(one)
    assert (other.system, other.baseline, other.gain, other.interval) == ("a", "b", -0.5, (-2.5, 0.5))
    assert lab_rows.turned(other) == one
    done = laboratory(one)
    assert (done.against("b", "a", "t"), done.against("a", "b", "t")) == (one, other)
    for words in (("b", "a", "x"), ("b", "c", "t")):
        with pytest.raises(UnknownMember):
            done.against(*words)
    assert [item.significant(0.04) for item in (one, compared(0.5, math.nextafter(0.04, 1)))] == [True, False]


def test_the_words_of_a_lab() -> None:
    """The largest gain and every significant row, better or worse; one place by its name, several as their average."""
    done = laboratory(
        compared(0.5, 0.04), compared(1.5, 0.06, "c"), compared(-1.0, 0.05, "d"), compared(-2.0, 0.01, "e")
    )
    assert done.headline(0.05).startswith("C gains +1.50 BLEU over A: not significant, corrected ")
    assert done.headline(0.06).startswith("C gains +1.50 BLEU over A: significant, corrected ")
    text = done.verdict(0.05)
    assert text.startswith("C gains +1.50 BLEU over A on t, the most of 4 rows. Significantly different: ")
    assert "B is better, D, E are worse." in text
    assert "Holm for all 4 comparisons" in text
    assert "No row differs significantly from it." in done.verdict(0.001)
    both = laboratory(
        *(compared(1.0, 0.04, place=place) for place in ("t", "u", "average")), places=("t", "u", "average")
    )
    assert " on the average of 2 test sets, the most of 1 row." in both.verdict(0.05)
    assert "over A on average: significant" in both.headline(0.05)


def test_spreads_of_runs_and_of_segments() -> None:
    """The deviation of several runs, none of one; of independent test sets the root of the sum of squares over their number."""
    assert lab_rows._s_opt(row("a", 1.0, 3.0)).tolist() == pytest.approx([math.sqrt(2)])
    assert np.isnan(lab_rows._s_opt(row("a", 1.0))).tolist() == [True]
    one, two = np.array([3.0, 4.0]), np.array([4.0, 3.0])
    assert lab_rows._s_sel([one]).tolist() == [3.5]
    assert lab_rows._s_sel([one, two]).tolist() == pytest.approx([3.5, 3.5, 2.5])


@pytest.mark.parametrize(
    ("runs", "drawn", "share", "freedom"),
    [((3, 3), (True, True), 2 / 3 / 4, 4), ((2, 5), (True, True), 0.7 / 5, 5), ((3, 1), (True, False), 1 / 3 / 2, 2),
     ((1, 4), (False, True), 1 / 4 / 3, 3), ((1, 1), (True, True), 0, 0), ((1, 1), (False, False), 0, 0)],
)  # fmt: skip
def test_shares_of_the_variance_of_runs(runs: Any, drawn: Any, share: float, freedom: int) -> None:
    """Runs that are drawn share one variance; others add none."""
    found, df = lab_rows._shares(runs, drawn)
    assert df == freedom
    assert found == pytest.approx((share * drawn[0], share * drawn[1]))


def test_what_varies_in_one_test_set_alone_has_its_freedom() -> None:
    """Of one run each, units alone: the paired t of n - 1; of nothing that varies there is none."""
    one, zero = np.array([[1.0, 2.0, 4.0]]), np.zeros((1, 3))
    error, freedom = lab_rows.between([one], [zero], (False, False))
    assert (error, freedom) == (pytest.approx(np.std([1, 2, 4], ddof=1) / math.sqrt(3)), pytest.approx(2))
    both = lab_rows.between([one, one], [zero, np.zeros((1, 3))], (False, False))
    assert both == (pytest.approx(error / math.sqrt(2)), pytest.approx(4))
    assert np.isnan(lab_rows.between([zero], [zero], (False, False))).all()


@pytest.mark.parametrize(("runs", "words"), [(1, ["One run of each"]), (2, ["Two runs of a"]), (3, [])])
def test_one_and_two_runs_are_noted(runs: int, words: list[str]) -> None:
    found = _about([], LabPlan(TuningPlan(replicates=runs)))
    assert [note[: len(start)] for note, start in zip(found, words, strict=True)] == words


@pytest.mark.parametrize(("n", "few"), [(9, True), (10, False)])
def test_ten_segments_of_a_test_set_are_not_few(n: int, few: bool) -> None:
    testset = Testset("t", "text", n, (("x",) * n,))
    place: Any = SimpleNamespace(
        name="t", lists=SimpleNamespace(n=n), unit_of=None, rows=SimpleNamespace(testset=testset)
    )
    found = _about([place], LabPlan())
    assert found == ([f"t has {n} segments: p assumes normal effects, which so few cannot show."] if few else [])
    documents = place_of(n, 20)
    noted = [note for note in _about([documents], LabPlan(TuningPlan(unit="document"))) if "assumes" in note]
    assert noted == ([f"t has {n} documents: p assumes normal effects, which so few cannot show."] if few else [])


def place_of(documents: int, segments: int) -> Any:
    """A place whose units are so many documents."""
    names = tuple(f"d{min(k, documents - 1)}" for k in range(segments))
    testset = Testset("t", "text", segments, (("x",) * segments,), documents=names)
    of = np.array([min(k, documents - 1) for k in range(segments)])
    return SimpleNamespace(
        name="t", lists=SimpleNamespace(n=segments), unit_of=of, rows=SimpleNamespace(testset=testset)
    )


def test_a_missing_feature_is_0_only_where_lists_are_sparse() -> None:
    made = lists_of(["a", "b"], features=[[1.0, 2], [3, 4]], names=("f", "g"))
    assert aligned(made, ("g", "f"), "other", False).names == ("g", "f")
    with pytest.raises(MismatchError, match="made has no feature h, other has"):
        aligned(made, ("f", "g", "h"), "other", False)
    with pytest.raises(MismatchError, match="made has the feature g, other has not"):
        aligned(made, ("f",), "other", False)
    with pytest.raises(MismatchError, match="made has no feature h"):
        aligned(made, ("f", "h"), "other", False)
    wide = aligned(made, ("h", "g"), "other", True)
    assert wide.names == ("h", "g")
    assert np.asarray(wide.features @ np.array([5.0, 1.0])).tolist() == [2, 4]


def test_halves_need_something_to_test_on() -> None:
    made, testset = made_lists(10, 4)
    dev, test = halves(ListSet("x", made, testset), 0.7)
    assert (dev.lists.n, test.lists.n, dev.testset.n, test.testset.n) == (7, 3, 7, 3)
    assert (dev.name, test.name) == ("tuned on", "held out")
    with pytest.raises(Undefined, match="All segments are tuned on"):
        halves(ListSet("x", made, testset), 1.0)


def test_labels_of_rows() -> None:
    """A set is named where there are several or it has patterns; a choice by a column is one row."""
    plan = LabPlan(TuningPlan(methods=(("pro", {}), ("mbr", {})), replicates=2))
    assert row_labels(plan) == ["first of list", "pro", "mbr"]
    assert row_labels(replace(plan, start={"f": 1.0}))[:2] == ["first of list", "start weights"]
    assert row_labels(replace(plan, sets=(FeatureSet("s", ("f",)),))) == ["first of list", "s:pro", "mbr"]
    two = (FeatureSet("s"), FeatureSet("t", methods=("pro",)))
    assert row_labels(replace(plan, sets=two)) == ["first of list", "s:pro", "mbr", "t:pro"]
    alone = (FeatureSet("s"), FeatureSet("t", methods=("mbr",)))
    assert row_labels(replace(plan, sets=alone)) == ["first of list", "s:pro", "mbr"]
    with pytest.raises(OptionError, match="Two lists are named 'a'"):
        _check_names("lists", ["a", "b", "a"])
    _check_names("lists", ["a", "b"])


CHOICE = (("best_of_n", {"by": "slips"}),)  # needs no tuning


def lab_sets(n: int = 30, documents: int = 0) -> list[ListSet]:
    """Development lists and two test sets of a third of the segments each."""
    made, testset = made_lists(n, 4)
    names = tuple(f"d{k // documents}" for k in range(n)) if documents else ()
    whole = replace(testset, documents=names, digest="")
    parts = [np.arange(k * n // 3, (k + 1) * n // 3) for k in range(3)]
    return [
        ListSet(name, made.of(own), result.part_of(whole, own, name))
        for name, own in zip(("dev", "one", "two"), parts, strict=True)
    ]


def small_lab(given: list[ListSet], tests: int = 2, plan: dict[str, Any] | None = None, **more: Any) -> Any:
    own = TuningPlan(
        **{"methods": (("pro", {}), ("mbr", {})), "replicates": 2, "resamples": 20, "seed": 3, **(plan or {})}
    )
    return tuning_lab([given[0]], given[1 : 1 + tests], Target.of("chrf"), LabPlan(own, **more))


@pytest.mark.parametrize(("unit", "units"), [("segment", 20), ("document", 10)])
def test_the_setup_of_a_lab_counts_the_units_of_all_test_sets(unit: str, units: int) -> None:
    found = small_lab(lab_sets(documents=2), plan={"unit": unit, "methods": (*CHOICE, ("mbr", {}))})
    assert (found.setup.n, found.setup.segments, str(found.setup.unit)) == (units, 20, unit)
    assert (found.setup.resamples, found.setup.by_formula, found.setup.correction) == (0, True, "holm")
    assert f"comparisons:{len(found.comparisons)}" in found.setup.signature
    assert len(found.comparisons) == 3 * 3  # of three rows every two, in two test sets and on their average


def test_the_rows_and_places_of_a_lab() -> None:
    """One test set has no average; first hypotheses and choices by a column are not tuned."""
    sets = lab_sets()
    both, one = small_lab(sets), small_lab(sets, tests=1)
    assert (both.places, one.places) == (("one", "two", "average"), ("one",))
    assert [(row.label, row.untuned, len(row.dev)) for row in both.rows] == [
        ("first of list", True, 1), ("pro", False, 2), ("mbr", True, 1),
    ]  # fmt: skip
    target, made = Target.of("chrf"), sets[1]
    first = counted.rows(made.lists, made.testset, target)[made.lists.offsets[:-1]]
    assert both.row("first of list").scores[0, 0] == pytest.approx(target.score(first.sum(axis=0)))
    for row in both.rows:
        assert row.scores[:, 2].tolist() == pytest.approx(row.scores[:, :2].mean(axis=1).tolist())
        assert len(row.outputs) == 2
    assert one.rows[1].scores.shape == (2, 1)
    assert one.baseline == "first of list"
    assert {c.place for c in one.comparisons} == {"one"}


def test_start_weights_choose_and_are_kept_by_name() -> None:
    """A feature that is not named weighs 0."""
    found = small_lab(lab_sets(), start={"slips": 1.0, "noise": -0.5})
    row = found.row("start weights")
    assert (row.untuned, row.replicates[0].number) == (True, 1)
    names = found.names_of(row)
    assert dict(zip(names, row.replicates[0].weights.tolist(), strict=True)) == {
        "slips": 1.0, "words": 0.0, "noise": -0.5, "other noise": 0.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"tests": 0}, Undefined, "There are no test sets"), ({"plan": {"policies": ("merge",)}}, OptionError, "neither aggregated"),
        ({"baseline": "none"}, UnknownMember, "none"), ({"sets": (FeatureSet("a"), FeatureSet("a"))}, OptionError, "are named 'a'"),
        ({"sets": (FeatureSet("a", start="a:pro"),)}, OptionError, "begins with 'a:pro'"),
        ({"sets": (FeatureSet("a"), FeatureSet("b", start="mbr"))}, OptionError, "begins with 'mbr'"),
    ],
)  # fmt: skip
def test_labs_that_cannot_be_run(change: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        small_lab(lab_sets(), **change)
    with pytest.raises(Undefined, match="There are no development lists"):
        tuning_lab([], lab_sets()[1:], Target.of("chrf"), LabPlan())


def test_joined_development_lists_have_as_many_references() -> None:
    """Segments, sources and documents of both, the latter apart; sources only where all have them."""
    one, two = lab_sets(documents=2)[1:]
    lists, whole = together([one, two], False)
    assert (lists.n, whole.n, whole.name) == (20, 20, "one + two")
    assert whole.references[0] == one.testset.references[0] + two.testset.references[0]
    assert {name.split(":")[0] for name in whole.documents} == {one.testset.name, two.testset.name}
    assert (whole.sources, together([one], False)[1]) == ((), one.testset)
    more = replace(two, testset=replace(two.testset, references=two.testset.references * 2, digest=""))
    with pytest.raises(MismatchError, match="have 1, 2 references"):
        together([one, more], False)
    bare = replace(two, testset=replace(two.testset, documents=(), digest=""))
    assert together([one, bare], False)[1].documents == ()
