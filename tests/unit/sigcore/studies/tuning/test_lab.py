"""The lab: lists of their own, sets of features, a tuned baseline, and every row against every other."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sigcore import corrections
from sigcore.errors import MismatchError, OptionError, Undefined, UnknownMember
from sigcore.formatting import p_text
from sigcore.studies import tuning
from sigcore.studies.runs import mixed
from sigcore.studies.tuning import FeatureSet, LabPlan, ListSet, Target, TuningPlan
from sigcore.studies.tuning import rows as model
from sigcore.studies.tuning.result import part_of
from sigcore.studies.tuning.rows import between
from tests.made_lists import made_lists
from tests.oracles.averaged_model import standard_error

FAST = {"epochs": 20}
METHODS = (("pro", {}), ("te_listmle", FAST))


def sets():
    """Development lists of 40 segments, and two test sets of 20 and 30."""
    lists, testset = made_lists(90, 8)
    ends = {"dev": (0, 40), "one": (40, 60), "two": (60, 90)}
    found = []
    for name, (low, high) in ends.items():
        rows = np.arange(low, high)
        found.append(ListSet(name, lists.of(rows), part_of(testset, rows, name)))
    return found


def study(methods=METHODS, given=None, more=None, **plan):
    """A small lab on made lists."""
    dev, *tests = given or sets()
    own = TuningPlan(methods=methods, **{"replicates": 3, "resamples": 200, "seed": 3} | (more or {}))
    return tuning.lab([dev], tests, Target.of("bleu"), LabPlan(own, **plan))


@pytest.fixture(scope="module")
def done():
    """A lab with two sets of features, the second of which begins with the weights of the first."""
    own = (FeatureSet("basic", ("slips", "words")), FeatureSet("all", ("*",), start="basic:pro"))
    return study(sets=own, baseline="basic:pro", start={"slips": 1.0})


def values(runs, n, seed, spread=0.5):
    """Values of runs on units: units, systems and runs vary."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=n) + spread * rng.normal(size=(runs, 1)) + rng.normal(size=(runs, n))


@pytest.mark.parametrize("runs", [(3, 3), (2, 5), (1, 3), (1, 1)])
@pytest.mark.parametrize("spread", [0.0, 0.5, 5.0])
def test_one_test_set_is_the_mixed_model(runs, spread):
    """For one test set the standard error and its degrees of freedom are those of a study of several runs."""
    a, b = values(runs[0], 30, 1, spread), values(runs[1], 30, 2, spread)
    rows = [np.arange(runs[0]), np.arange(runs[0], sum(runs))]
    error, freedom = mixed.fit(np.concatenate([a, b]), rows, np.array([[0, 1]]))
    assert between([a], [b]) == (pytest.approx(error[0]), pytest.approx(freedom[0]))


@pytest.mark.parametrize("drawn", [(True, True), (True, False), (False, True), (False, False)])
@pytest.mark.parametrize("spread", [0.0, 0.3, 5.0])
def test_several_test_sets_are_those_of_plain_loops(drawn, spread):
    """The average over test sets of different sizes has the standard error of the slow way."""
    runs = tuple(3 + k if own else 1 for k, own in enumerate(drawn))
    first, second = ([values(runs[k], n, 10 * n + k, spread) for n in (12, 40, 7)] for k in (0, 1))
    assert between(first, second, drawn) == pytest.approx(standard_error(first, second, drawn))


def test_equal_rows_have_no_standard_error():
    """Where nothing varies there is none, and nothing divides by zero."""
    same = np.ones((1, 5))
    assert np.isnan(between([same, same], [same, same], (False, False))).all()


def test_rows(done):
    """There is a row for the first hypotheses, the start weights, and every method on every set, with all runs."""
    labels = ["first of list", "start weights", "basic:pro", "basic:te_listmle", "all:pro", "all:te_listmle"]
    assert [row.label for row in done.rows] == labels
    assert [len(row.dev) for row in done.rows] == [1, 1, 3, 3, 3, 3]
    assert done.places == ("one", "two", "average")
    assert done.sizes == (("dev", 40), ("one", 20), ("two", 30))
    assert {name: len(names) for name, names in done.features.items()} == {"basic": 2, "all": 4}
    for row in done.rows:
        np.testing.assert_allclose(row.scores[:, 2], row.scores[:, :2].mean(axis=1))
        assert row.untuned == np.isnan(row.s_opt).all()
        assert row.s_sel[2] < row.s_sel[:2].mean()
    assert done.row("basic:pro").averages[2] > done.row("first of list").averages[2]
    assert any("Tuning begins with the weights of basic:pro" in note for note in done.notes)


def test_scores_are_those_of_the_outputs(done):
    """Every score is that of the row's output, scored again, and every output is chosen by the row's weights."""
    target = Target.of("bleu")
    for row in done.rows:
        for k, one in enumerate(sets()[1:]):
            rows = tuning.statistics.Rows(one.testset, target)
            for run, output in enumerate(row.outputs[k]):
                score = target.score(rows.extracted(output.segments).sum(axis=0))
                assert row.scores[run, k] == pytest.approx(score)
                if row.replicates:
                    under = one.lists.under(done.names_of(row))
                    best = np.array(
                        [
                            a + (under.features[a:b] @ row.replicates[run].weights).argmax()
                            for a, b in zip(under.offsets, under.offsets[1:], strict=False)
                        ]
                    )
                    assert output.segments == one.lists.outputs(best)


def test_every_row_against_every_other(done):
    """Gains, p and Holm's correction are those of all pairs in all places, by the jackknife of the outputs' scores."""
    assert len(done.comparisons) == 15 * 3
    target, one = Target.of("bleu"), sets()[1]
    rows = tuning.statistics.Rows(one.testset, target)

    def parts(label):
        out = []
        for output in done.row(label).outputs[0]:
            own = rows.extracted(output.segments)
            without = np.array([target.score(own.sum(axis=0) - own[i]) for i in range(len(own))])
            whole, n = target.score(own.sum(axis=0)), len(own)
            out.append(whole + (n - 1) * (without.mean() - without))
        return np.array(out)

    found = done.against("all:pro", "basic:te_listmle", "one")
    a, b = parts("all:pro"), parts("basic:te_listmle")
    error, freedom = mixed.fit(np.concatenate([a, b]), [np.arange(3), np.arange(3, 6)], np.array([[0, 1]]))
    gain = done.row("all:pro").averages[0] - done.row("basic:te_listmle").averages[0]
    assert found.gain == pytest.approx(gain)
    assert found.p_value == pytest.approx(mixed.p_of(np.array([gain]), error, freedom, "two-sided")[0])
    np.testing.assert_allclose(found.interval, mixed.intervals(np.array([gain]), error, freedom, 0.95)[0])
    p = np.array([item.p_value for item in done.comparisons])
    np.testing.assert_allclose([item.adjusted for item in done.comparisons], corrections.get("holm").adjust(p))
    back = done.against("basic:te_listmle", "all:pro", "one")
    assert (back.gain, back.interval) == (-found.gain, (-found.interval[1], -found.interval[0]))
    assert (done.baseline, done.setup.test, done.setup.resamples) == ("basic:pro", mixed.NAME, 0)
    assert all((item.interval[0] > 0 or item.interval[1] < 0) == (item.p_value < 0.05) for item in done.comparisons)


def test_p_is_that_of_t_and_not_of_resamples(done):
    """Nothing is counted over resamples, so a tiny p is not written as a number."""
    assert (done.setup.resamples, done.setup.by_formula) == (0, True)
    assert p_text(1e-12, done.setup.resamples) == "p < 0.000001"


def test_the_spread_of_an_average_is_that_of_independent_test_sets(done):
    """The variance of the mean of two test sets, which are drawn apart, is a quarter of the sum of theirs."""
    for row in done.rows:
        if row.untuned:  # one run: no averaging over runs comes between
            one, two, both = row.s_sel
            assert both == pytest.approx(math.hypot(one, two) / 2)


def test_untuned_rows_have_no_other_runs(monkeypatch):
    """The first hypotheses and choices by a column add no variance of runs to a comparison; tuned rows do."""
    seen = []
    monkeypatch.setattr(model, "between", lambda *words: seen.append(words) or between(*words))
    result = study((("pro", {}), ("mbr", {})))
    assert [row.untuned for row in result.rows] == [True, False, True]
    by_runs = {(len(a[0]), len(b[0])): drawn for a, b, drawn in seen}
    assert by_runs == {(3, 1): (True, False), (1, 3): (False, True), (1, 1): (False, False)}


def test_verdict_is_that_of_corrected_p(done):
    """The sentence names exactly the rows whose corrected p is at most alpha."""
    place = done.places[-1]
    others = [row for row in done.rows if row.label != done.baseline]
    for alpha in (1e-9, 0.05, 0.9):
        text = done.verdict(alpha)
        significant = [row for row in others if done.against(row.label, done.baseline, place).adjusted <= alpha]
        assert ("No row differs significantly" in text) == (not significant)
        told = text.partition("Significantly different:")[2].partition(" p is ")[0]
        assert all((row.title in told) == (row in significant) for row in others if row.title != "PRO")
        assert f"all {len(done.comparisons)} comparisons" in text


def test_headline_is_that_of_corrected_p(done):
    """In at most 20 words it names the largest gain and its corrected p, which alone calls it significant."""
    done = replace(done, baseline="first of list")
    top = max(done.others(), key=lambda one: one.gain)
    assert top.p_value < top.adjusted
    for alpha in (top.adjusted, (top.p_value + top.adjusted) / 2):
        text, known = done.headline(alpha), top.adjusted <= alpha
        assert (" not significant, " in text, ": significant, " in text) == (not known, known)
        assert text.startswith(f"{done.row(top.system).title} gains {top.gain:+.2f} BLEU over first of list on average")
        assert f"corrected {p_text(top.adjusted, 0)}." in text
        assert len(text.split()) <= 20
    assert not any(
        one.significant((one.p_value + one.adjusted) / 2) for one in done.comparisons if one.p_value < one.adjusted
    )


def test_sets_begin_with_earlier_rows(done):
    """Each replicate begins with the weights of that replicate: after one step they are still near them."""
    own = (FeatureSet("basic", ("slips", "words")), FeatureSet("all", ("*",), start="basic:pro"))
    few = (("pro", {}), ("te_listmle", {"epochs": 1, "batch": 1000}))
    chained = study(few, sets=own).row("all:te_listmle")
    for run, one in enumerate(chained.replicates):
        before = study(few, sets=own).row("basic:pro").replicates[run].weights
        assert before[0] != 0
        assert abs(one.weights[0] - before[0]) < 0.05 * abs(before[0])  # one step of AdaDelta is short


def test_rows_do_not_depend_on_others(done):
    """A row has the same weights whatever else is tuned, and a lab of one set those of a study of the same lists."""
    alone = study((("te_listmle", FAST),), start={"slips": 1.0}, sets=(FeatureSet("basic", ("slips", "words")),))
    for one, two in zip(alone.row("basic:te_listmle").replicates, done.row("basic:te_listmle").replicates, strict=True):
        np.testing.assert_array_equal(one.weights, two.weights)


def test_development_lists_are_joined():
    """Two development lists are tuned on as one, also where one of them lacks a sparse feature."""
    dev, one, two = sets()
    rows = np.arange(20)
    parts = [
        ListSet(name, dev.lists.of(own), part_of(dev.testset, own, name))
        for name, own in (("a", rows), ("b", rows + 20))
    ]
    plan = LabPlan(TuningPlan(methods=METHODS, replicates=2, resamples=200, seed=3))
    joined = tuning.lab(parts, [one, two], Target.of("bleu"), plan)
    whole = tuning.lab([dev], [one, two], Target.of("bleu"), plan)
    for first, second in zip(joined.rows, whole.rows, strict=True):
        np.testing.assert_array_equal(first.scores, second.scores)
        np.testing.assert_allclose(first.dev, second.dev)
    less = replace(parts[1], lists=parts[1].lists.under(("slips", "words")))
    with pytest.raises(MismatchError, match="has no feature noise") as caught:
        tuning.lab([parts[0], less], [one], Target.of("bleu"), plan)
    assert "--sparse" in caught.value.fix
    sparse = tuning.lab([parts[0], less], [one], Target.of("bleu"), replace(plan, sparse=True))
    assert sparse.places == ("one",)


def test_features_that_only_tests_have_are_told():
    """A feature of test lists without a weight is left out, with a note."""
    dev, one, _ = sets()
    less = replace(dev, lists=dev.lists.under(("slips", "words")))
    result = study(given=[less, one], sparse=True)
    assert any(note == "one: 2 features not in the development lists, so without a weight." for note in result.notes)


def test_start_weights_that_choose_the_first_have_no_row():
    """A second row of the same outputs would only make the correction stricter."""
    by_score = study((("pro", {}),), start={"noise": -1.0, "other noise": 0.0})
    assert "start weights" in [row.label for row in by_score.rows]
    dev, *tests = sets()
    own = [replace(one, lists=_sorted(one.lists, "slips")) for one in (dev, *tests)]
    same = study((("pro", {}),), given=own, start={"slips": 1.0})
    assert [row.label for row in same.rows] == ["first of list", "pro"]
    kept = study((("pro", {}),), given=own, start={"slips": 1.0}, baseline="start")
    assert kept.baseline == "start weights"
    assert kept.against("first of list", "start weights", "one").p_value == 1.0


def _sorted(lists, name):
    """The lists with the hypotheses in the order of a feature, the largest first."""
    order = np.lexsort([-lists.column(name), lists.segment_of])
    return lists._at(order, lists.lengths)


def test_choices_without_weights_are_one_row():
    """Best of n and minimum Bayes risk are chosen once, whatever the sets of features."""
    own = (FeatureSet("basic", ("slips",)), FeatureSet("all"))
    result = study((("pro", {}), ("mbr", {})), sets=own)
    assert [row.label for row in result.rows] == ["first of list", "basic:pro", "mbr", "all:pro"]
    assert result.row("mbr").untuned


@pytest.mark.parametrize(
    ("plan", "error", "words"),
    [
        ({"baseline": "mert"}, UnknownMember, "mert"),
        ({"baseline": "start"}, UnknownMember, "start"),
        ({"sets": (FeatureSet("x", ("lm*",)),)}, Undefined, "No feature fits the set x"),
        ({"sets": (FeatureSet("x"), FeatureSet("x"))}, OptionError, "named 'x'"),
        ({"sets": (FeatureSet("x", start="y:pro"), FeatureSet("y"))}, OptionError, "not tuned before it"),
        ({"start": {"lm": 1.0}}, Undefined, "No start weight names a feature"),
        ({"more": {"policies": ("aggregate", "merge")}}, OptionError, "neither aggregated nor merged"),
    ],
)
def test_refused(plan, error, words):
    """Names that do not exist, and what fixed lists cannot do, are refused before anything is tuned."""
    with pytest.raises(error, match=words):
        study(**plan)


def test_lists_that_do_not_fit_are_refused():
    """Other lengths, the same name twice, and no test set are refused."""
    dev, one, two = sets()
    with pytest.raises(MismatchError, match="20 segments"):
        study(given=[dev, replace(one, testset=two.testset)])
    with pytest.raises(OptionError, match="named 'dev'"):
        study(given=[dev, replace(one, name="dev")])
    with pytest.raises(Undefined, match="no test sets"):
        study(given=[dev])


def test_one_run_is_told():
    """With one run p is about other segments alone, which a note says."""
    result = study(more={"replicates": 1})
    assert any("One run of each method" in note for note in result.notes)
    assert all(np.isnan(row.s_opt).all() for row in result.rows)
