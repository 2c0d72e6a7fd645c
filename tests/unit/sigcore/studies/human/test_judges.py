"""Judges on one scale, and the mean of every segment: against loops, and where judges cannot be standardised."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from sigcore.errors import OptionError, Undefined
from sigcore.judgments import Judgments, judgments
from sigcore.studies import human
from sigcore.studies.human.judges import (
    DECIMALS,
    default_standard,
    rank_sum,
    rank_sums,
    recomputed,
    segments,
    standardise,
    standards,
)
from tests.oracles import judging
from tests.unit.judged import made, ratings


@pytest.mark.parametrize("standard", ["all", "ordinary"])
def test_z_is_that_of_the_slow_way(standard):
    """Every z equals (score - mean of the judge) / SD of the judge, by loops over the ratings."""
    found = standardise(made(), standard)
    assert found.z.tolist() == pytest.approx(judging.z_scores(ratings(), standard), abs=1e-12)
    assert found.dropped == ()


def test_segment_means_are_those_of_the_slow_way():
    """The mean z of a segment is that over all ratings of its output, repeats too, controls not."""
    found = segments(standardise(made(), "all"), "adequacy")
    slow = judging.segment_means(ratings(), judging.z_scores(ratings(), "all"))
    cells = zip(found.system.tolist(), found.segment.tolist(), found.z.tolist(), strict=True)
    assert {(s, g): z for s, g, z in cells} == pytest.approx(
        {(s, g): z for s, part in slow.items() for g, z in part.items()}, abs=10**-DECIMALS
    )
    counted = sum(kind in judging.COUNTED for _, _, _, kind, _ in ratings())
    assert found.ratings.sum() == counted


def test_dimensions_are_standardised_apart():
    """The mean of a judge in fluency does not depend on the same judge's ratings of adequacy."""
    both = standardise(made(("adequacy", ratings()), ("fluency", ratings("fluency"))), "all")
    alone = standardise(made(("fluency", ratings("fluency"))), "all")
    assert both.z[both.judgments.dimension == "fluency"].tolist() == alone.z.tolist()
    assert len(both.judges) == 2 * len(alone.judges)
    known = np.isfinite(both.z)
    np.testing.assert_array_equal(recomputed(both.judgments)[known], both.z[known])


def few() -> Judgments:
    """A judge of three ratings, one with one, one with three that are the same, one whose only output was rated once."""
    rows = [
        ("good", "A", "1", "ordinary", 10.0),
        ("good", "B", "1", "ordinary", 20.0),
        ("good", "B", "2", "degraded", 60.0),
        ("once", "A", "1", "ordinary", 50.0),
        *(("flat", "A", str(k), "ordinary", 0.1) for k in range(3)),
        ("lone", "B", "3", "ordinary", 5.0),
        ("lone", "B", "3", "reference", 9.0),
    ]
    columns = ("judge", "system", "segment", "kind", "score")
    return judgments("few", dict(zip(columns, zip(*rows, strict=True), strict=True)))


def test_judges_without_a_scale_are_dropped_and_named():
    """One rating, or ratings that are all the same, give no SD; their z is nan and the reason is told."""
    found = standardise(few(), "all")
    assert {judge.name: judge.dropped for judge in found.judges} == {
        "good": "",
        "once": "1 rating",
        "flat": "all ratings are the same",
        "lone": "",
    }
    assert np.isnan(found.z).tolist() == [False] * 3 + [True] * 4 + [False] * 2
    ordinary = {judge.name: judge.dropped for judge in standardise(few(), "ordinary").judges}
    assert ordinary["lone"] == "1 rating"
    assert standardise(few(), "none").dropped == ()


def test_the_choice_of_rows_moves_the_mean():
    """By all ratings the degraded text is part of the mean, by ordinary ones it is not."""
    means = [standardise(few(), standard).judges[0].mean for standard in ("all", "ordinary")]
    assert means == [30.0, 15.0]


def test_a_judge_who_does_not_look_can_be_left_out():
    """With a level for the control, judges who do not rate degraded texts lower are dropped; others stay."""
    rows = []
    for judge, low in (("looks", 0.0), ("sleeps", 50.0)):
        rows += [(judge, "A", str(k), "ordinary", 40.0 + k) for k in range(12)]
        rows += [(judge, "A", str(k), "degraded", low + k) for k in range(8)]
    rows += [("alone", "A", str(k), "ordinary", float(k)) for k in range(4)]
    columns = ("judge", "system", "segment", "kind", "score")
    found = judgments("control", dict(zip(columns, zip(*rows, strict=True), strict=True)))
    kept = standardise(found, "all")
    assert kept.dropped == ()
    assert math.isnan(next(judge.trust for judge in kept.judges if judge.name == "alone"))
    dropped = standardise(found, "all", control=0.05).dropped
    assert [judge.name for judge in dropped] == ["sleeps"]
    assert "does not rate degraded texts lower" in dropped[0].dropped


def test_only_degraded_texts_are_the_control_of_a_judge():
    """References, which a judge rates higher than outputs, and texts of other kinds are on neither side of the rank-sum test."""
    ordinary, repeat, degraded = [40.0, 44, 52, 47, 61], [43.0, 55], [30.0, 45, 28, 39]
    rows = [(kind, score) for kind, scores in (("ordinary", ordinary), ("repeat", repeat), ("degraded", degraded),
            ("reference", [90.0, 95, 99]), ("other", [80.0, 1.0])) for score in scores]  # fmt: skip
    columns = {"system": ["A"] * len(rows), "segment": [str(k) for k in range(len(rows))], "judge": ["J"] * len(rows),
               "kind": [kind for kind, _ in rows], "score": [score for _, score in rows]}  # fmt: skip
    (judge,) = standardise(judgments("control", columns), "all").judges
    wanted = mannwhitneyu(ordinary + repeat, degraded, alternative="greater", method="asymptotic").pvalue
    assert judge.trust == pytest.approx(wanted, rel=1e-9)
    assert (judge.ordinary, judge.degraded) == (pytest.approx(np.mean(ordinary + repeat)), np.mean(degraded))


def test_z_of_the_file_is_kept_to_fifteen_digits():
    """Means of given z are correctly rounded sums of fifteen digits, whatever the order of the ratings."""
    z = [0.1, 0.2, 0.3, 1e-17]
    columns = {"system": ["A"] * 4, "segment": ["1"] * 4, "score": [1, 2, 3, 4]}
    one, other = (judgments("z", {**columns, "z": part}) for part in (z, z[::-1]))
    means = [segments(standardise(found, "given"), "adequacy").z.tolist() for found in (one, other)]
    assert means[0] == means[1] == [0.15]


def test_what_suits_a_file_is_chosen():
    """z where the file has it for all that counts, points as they are, else by all ratings; others are refused."""
    plain = {"system": ["A", "B"], "segment": ["1", "1"], "score": [3, 4]}
    nobody = judgments("a", plain, absolute=True)
    assert default_standard(nobody) == "none"
    assert default_standard(judgments("a", {**plain, "z": [0.1, 0.2]}, absolute=True)) == "given"
    assert default_standard(made()) == "all"
    assert standards(made()) == ("all", "ordinary", "none")
    assert standards(nobody) == ("none",)
    with pytest.raises(OptionError, match="name no judge"):
        standardise(nobody, "all")
    with pytest.raises(OptionError, match="no column z"):
        standardise(nobody, "given")
    with pytest.raises(OptionError, match="Choose from"):
        standardise(nobody, "somehow")


@pytest.mark.parametrize(
    ("more", "standard", "why"),
    [
        ({"judge": ["x"]}, "all", r"the judges are left out, x \(1 rating\)"),
        ({"judge": ["x"], "kind": ["degraded"]}, "none", "none is of a system, all are quality control"),
    ],
)
def test_a_dimension_without_a_rating_that_counts_is_undefined(more, standard, why):
    """Where no rating counts there is nothing to average, and the reason is told."""
    found = standardise(judgments("one", {"system": ["A"], "segment": ["1"], "score": [3], **more}), standard)
    with pytest.raises(Undefined, match=f"No rating for adequacy counts: {why}"):
        segments(found, "adequacy")


@pytest.mark.parametrize("size", [(5, 7), (30, 30), (40, 12)])
@pytest.mark.parametrize("levels", [3, 1000])
def test_rank_sum_is_that_of_its_definition(size, levels):
    """The p of counted wins, the variance of tied ranks, the correction for continuity, the normal tail."""
    rng = np.random.default_rng((size[0], levels))
    a, b = (rng.integers(0, levels, n).astype(float) for n in size)
    assert rank_sum(a, b) == pytest.approx(judging.rank_sum(a.tolist(), b.tolist()), rel=1e-10)
    assert rank_sums(a, b) == (rank_sum(a, b), rank_sum(b, a))


def test_ties_everywhere_give_p_one():
    """Where all values are the same, nobody is better."""
    assert rank_sum(np.full(9, 2.0), np.full(7, 2.0)) == 1.0


def test_conclusions_without_each_judge_are_those_of_the_others() -> None:
    """One judge alone sees a difference: without them it is gone, and without others it stays."""
    rng = np.random.default_rng(3)
    rows: dict[str, list[object]] = {name: [] for name in ("judge", "system", "segment", "score")}
    for judge, gain in (("loud", 60.0), ("calm", 0.0), ("even", 0.0)):
        for segment in range(40 if judge == "loud" else 12):
            for system in ("A", "B"):
                rows["judge"].append(judge)
                rows["system"].append(system)
                rows["segment"].append(f"{judge} {segment}")
                rows["score"].append(float(rng.normal(50, 5) + gain * (system == "A")))
    ratings = judgments("r", rows)
    found = human.without_each(ratings, 0.05, "none")
    assert {one.judge: (one.ratings, one.changed) for one in found} == {
        "loud": (80, 1),
        "calm": (24, 0),
        "even": (24, 0),
    }
    assert found[0].pairs == ("A and B",)
    for one in found:
        others = {
            name: [v for v, j in zip(values, rows["judge"], strict=True) if j != one.judge]
            for name, values in rows.items()
        }
        alone = human.people(judgments("o", others), "none").decided(0.05)
        whole = human.people(ratings, "none").decided(0.05)
        assert (np.abs(alone.conclusions).max() != np.abs(whole.conclusions).max()) == bool(one.changed)
    assert human.on_one_judge(found, 0.05).startswith(
        "Without loud, 1 conclusion at alpha 0.05 would be another: A and B."
    )
    calm = human.without_each(judgments("c", {name: v[80:] for name, v in rows.items()}), 0.05, "none")
    assert "all conclusions at alpha 0.05 stay" in human.on_one_judge(calm, 0.05)
    assert len(human.without_each(ratings, 0.05, "none", most=1)) == 1
    alone = judgments("a", {name: v[:80] for name, v in rows.items()})
    assert human.without_each(alone, 0.05, "none") == []
    assert "fewer than two judges" in human.on_one_judge([], 0.05)


def test_a_conclusion_that_needs_the_only_judge_of_a_system_hangs_on_them() -> None:
    """Without the one judge who rated C there is no conclusion about it, so those with C change; the others stay."""
    rng = np.random.default_rng(5)
    rows: dict[str, list[object]] = {name: [] for name in ("judge", "system", "segment", "score")}
    for judge, of in (("one", "AB"), ("two", "AB"), ("lone", "C")):
        for segment in range(30):
            for system in of:
                for name, value in (("judge", judge), ("system", system), ("segment", f"{judge} {segment}")):
                    rows[name].append(value)
                rows["score"].append(float(rng.normal(50, 3) + 30 * (system == "A") - 30 * (system == "C")))
    found = {one.judge: one for one in human.without_each(judgments("r", rows), 0.05, "none")}
    assert set(found["lone"].pairs) == {"A and C", "B and C"}
    assert found["one"].changed == found["two"].changed == 0


def nested(judges: int = 4) -> Judgments:
    """Each judge rated one of two systems, which differ by one point."""
    own = [(f"j{k}", "ab"[k % 2], f"s{i}", 3.0 + k % 2 + i % 3) for k in range(judges) for i in range(6)]
    judge, system, segment, score = map(np.array, zip(*own, strict=True))
    return Judgments("nested", system, segment, score, judge=judge)


def test_judges_of_one_system_each_are_not_standardised():
    """Standardised by judge both systems had the mean 0, and nothing said so."""
    made_ = nested()
    assert default_standard(made_) == "none"
    for standard, kept in (("", "are not standardised"), ("all", "are all 0 on average")):
        notes = human.people(made_, standard).notes
        assert any("Each judge rated one system only" in note and kept in note for note in notes)
    assert standardise(made_, "all").z.mean() == pytest.approx(0)
    controls = Judgments("controls", np.append(made_.system, "b"), np.append(made_.segment, "s9"), np.append(made_.score, 1.0), judge=np.append(made_.judge, "j0"), kind=np.append(made_.kind, "degraded"))  # fmt: skip
    assert default_standard(controls) == "none"  # what is counted for no system says nothing of it
    unnamed = Judgments(
        "unnamed", made_.system, made_.segment, made_.score, judge=np.where(made_.judge == "j0", "", made_.judge)
    )
    assert default_standard(unnamed) == "none"
    assert default_standard(made()) == "all"


def test_judges_of_two_systems_are_standardised():
    """One judge of both is enough, and so is one system alone."""
    whole = nested()
    both = np.where(whole.judge == "j0", np.where(whole.segment == "s0", "b", whole.system), whole.system)
    mixed = Judgments("mixed", both, whole.segment, whole.score, judge=whole.judge)
    alone = Judgments("alone", np.full_like(whole.system, "a"), whole.segment, whole.score, judge=whole.judge)
    assert default_standard(mixed) == default_standard(alone) == "all"
    single = Judgments("single", whole.system[::6], whole.segment[::6], whole.score[::6], judge=whole.judge[::6])
    assert default_standard(single) == "all"  # and each is left out, which is said
