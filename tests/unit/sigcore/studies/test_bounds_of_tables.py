"""What is found of the tables and figures of Graham, Rankel and Chen, from small made-up results, and records in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sigcore import ScoreMatrix
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.studies.reproduce import chen, graham, rankel
from sigcore.studies.reproduce.record import Claim, Found, Outcome, number
from tests.made import score_set
from tests.unit import factories
from tests.unit.sigcore.studies.test_bounds_of_claims import claim_of

# ---- Graham et al. 2014


def grid_of(gains: Sequence[float], p: Sequence[float]) -> Any:
    """A bench whose first system is ahead of each other one by such a gain."""
    size = len(gains) + 1
    both = np.zeros((size, size)), np.full((size, size), math.nan)
    both[0][0, 1:], both[0][1:, 0], both[1][0, 1:], both[1][1:, 0] = gains, [-x for x in gains], p, p
    grid = SimpleNamespace(gains=both[0], p_values=both[1])
    return SimpleNamespace(grid=lambda *_: SimpleNamespace(testset="made up"), read=lambda *_: grid)


@pytest.mark.parametrize(
    ("gains", "p", "significant", "chosen"),
    [
        ([3.0, 2.0, 1.0], [0.01, 0.01, 0.0101], True, 2), ([3.0, 2.0, 1.0], [0.001, 0.009, 0.01], True, 3),
        ([3.0, 2.0, 1.0], [0.1, 0.1001, 0.9], False, 2), ([3.0, 2.0, 1.0], [0.2, 0.5, 0.9], False, 1),
        ([3.0, 2.0, 1.0], [0.05, 0.02, 0.9], True, 2), ([3.0, 2.0, 1.0], [0.02, 0.09, 0.001], False, 2),
        ([3.0, 2.0, 1.0], [math.nan, 0.2, 0.001], False, 2),
    ],
)  # fmt: skip
def test_the_chosen_pair_is_the_nearest_on_the_right_side(
    gains: list[float], p: list[float], significant: bool, chosen: int
) -> None:
    """p up to .01 is clear, above .1 open; without such a pair it is the one whose p is the nearest to that bound."""
    assert graham.chosen_pair(grid_of(gains, p), "bleu", significant) == (0, chosen)


@pytest.mark.parametrize(
    ("low", "high", "above"), [(50.01, 80, True), (50, 80, None), (20, 49.99, False), (20, 50, None)]
)
def test_a_coin_is_inside_or_not(low: float, high: float, above: bool | None) -> None:
    assert graham.above_coin(low, high) is above


def people_of(right: dict[str, Sequence[int]], levels: Any = None) -> Any:
    """Conclusions of four metrics under one test on six pairs of four systems: 1 is right, 0 wrong, -1 not counted."""
    pairs = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
    known = {metric: np.array(values) for metric, values in right.items()}
    held = SimpleNamespace(between="metrics", held=graham.GRAHAM_TESTS[-1], alpha=0.05, q=math.nan, q_p=0.4)
    return SimpleNamespace(
        pairs=pairs, systems=("a", "b", "c", "d"), counted=lambda metric, *_: known[metric] >= 0, right=lambda metric, *_: known[metric] == 1,
        differences=[replace_held(held, alpha=0.01), replace_held(held, between="tests"), held],
    )  # fmt: skip


def replace_held(held: Any, **changes: Any) -> Any:
    return SimpleNamespace(**{**vars(held), **changes})


def chi_square(right: Sequence[int], n: int) -> float:
    """p of chi-square of so many right of n, by scipy."""
    return float(stats.chi2_contingency([list(right), [n - x for x in right]], correction=False).pvalue)


def test_metrics_are_compared_on_the_pairs_that_all_count() -> None:
    """p of chi-square with all systems, and its range where each one is left out."""
    right = {
        "bleu": [1, 1, 1, 0, 1, 0],
        "nist": [1, 0, 1, 0, 0, 1],
        "meteor": [0, 1, 1, 1, 0, 1],
        "ter": [1, 1, 0, 0, -1, 1],
    }
    found = graham.no_better_metric(SimpleNamespace(people=lambda: people_of(right)), claim_of())
    table = np.array([right[name] for name in graham.GRAHAM_METRICS])
    counted = (table >= 0).all(axis=0)
    assert found.value == pytest.approx(chi_square(table[:, counted].sum(axis=1), 5))
    assert found.same is (found.value > 0.05)
    ends = [found.value]
    for place in range(4):
        kept = counted & (people_of(right).pairs != place).all(axis=1)
        with np.errstate(all="ignore"):
            rows = table[:, kept]
        if 0 < rows.sum() < rows.size:
            ends.append(chi_square(rows.sum(axis=1), int(kept.sum())))
    assert (found.low, found.high) == pytest.approx((min(ends), max(ends)))
    assert found.rows[0]["p"] == found.value
    assert (found.rows[1]["statistic"], found.rows[1]["p"]) == (None, 0.4)
    perfect = graham.no_better_metric(
        SimpleNamespace(people=lambda: people_of(dict.fromkeys(right, [1] * 6))), claim_of()
    )
    assert math.isnan(perfect.value)
    assert (perfect.same, perfect.rows[0]["p"]) == (None, None)
    assert "undefined" in perfect.reason


def accuracy(metric: str, test: str, correct: int, pairs: int, alpha: float = 0.05) -> Any:
    low, high = (100 * float(end) for end in clopper_pearson(correct, pairs))
    percent = 100 * correct / pairs if pairs else math.nan
    return SimpleNamespace(
        metric=metric, test=test, alpha=alpha, correct=correct, pairs=pairs, percent=percent, low=low, high=high, metric_title=metric, test_title=test
    )  # fmt: skip


def judged(corrects: dict[str, int], pairs: int = 40) -> Any:
    """A bench with the accuracy of each metric, the same under each test."""

    def of(metric: str, test: str, alpha: float) -> Any:
        return accuracy(metric, test, corrects.get(metric, pairs // 2), pairs, alpha)

    every = [
        of(metric, test, alpha)
        for metric in graham.GRAHAM_METRICS
        for test in graham.GRAHAM_TESTS
        for alpha in (0.05, 0.01)
    ]
    if pairs:
        every.append(accuracy("bleu", "none", 0, 0))
    result = SimpleNamespace(accuracy=of, accuracies=every, pairs=np.zeros((6, 2)), systems=("a", "b"))
    return SimpleNamespace(people=lambda: result)


@pytest.mark.parametrize(
    ("table", "correct", "same"),
    [("1", 38, True), ("1", 20, None), ("1", 2, False), ("2", 38, False), ("2", 20, True), ("2", 2, True)],
)
def test_a_cell_says_the_same_where_it_is_on_the_papers_side_of_a_coin(
    table: str, correct: int, same: bool | None
) -> None:
    """Table 1 is above it, Table 2 is not shown to be."""
    found = graham.cell(judged({"bleu": correct}), claim_of(table, "bleu", graham.GRAHAM_TESTS[0], "0.05"))
    assert (found.value, found.same) == (100 * correct / 40, same)
    assert len(found.rows) == 3
    assert ("cannot tell" in found.reason) is (same is None)
    none = graham.cell(judged({}, 0), claim_of(table, "bleu", graham.GRAHAM_TESTS[0], "0.05"))
    assert none.same is None
    assert none.reason.startswith("No pair has a conclusion")
    assert {row["here"] for row in none.rows} == {None}


@pytest.mark.parametrize(("correct", "below", "same"), [(38, 9, False), (26, 12, True), (27, 9, False)])
def test_a_coin_is_beaten_by_the_best_cell(correct: int, below: int, same: bool) -> None:
    """By its lower limit."""
    found = graham.coin_toss(judged({"ter": correct}), claim_of())
    assert (found.value, found.same) == (100 * correct / 40, same)
    assert f"below 50% in {below} of 12 cells" in found.said
    assert graham.coin_toss(judged({}, 0), claim_of()).reason == "No pair has a conclusion."


@pytest.mark.parametrize(
    ("corrects", "p", "same"),
    [
        ({"nist": 30}, 0.5, True),
        ({"nist": 30}, 0.01, True),
        ({"ter": 30}, 0.0501, None),
        ({"ter": 30}, 0.05, False),
        ({"nist": 30, "ter": 30}, 0.01, True),
    ],
)
def test_the_best_metric_is_the_papers_or_may_be(
    corrects: dict[str, int], p: float, same: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where metrics differ significantly, another best one is another conclusion."""
    monkeypatch.setattr(graham, "no_better_metric", lambda *_: SimpleNamespace(value=p))
    found = graham.best_metric(judged(corrects), claim_of("1", "nist"))
    assert (found.value, found.same, len(found.rows)) == (75.0, same, 36)
    assert bool(found.reason) is (same is None)
    monkeypatch.undo()
    assert graham.best_metric(judged({}, 0), claim_of("1", "nist")).reason == "No pair has a conclusion."


def test_the_table_beside_the_papers() -> None:
    """Printed and own shares with exact intervals, and both in the panel at .05 alone."""
    rows = list(graham._cells(judged({"bleu": 30}).people(), 1))
    low, high = clopper_pearson(53, 66)
    assert (rows[0]["paper"], rows[0]["paper low"], rows[0]["paper high"]) == pytest.approx(
        (100 * 53 / 66, 100 * low, 100 * high)
    )
    assert (rows[0]["here"], rows[0]["correct"], rows[0]["pairs"]) == (75.0, 30, 40)
    panel = graham.accuracies(judged({"bleu": 30}).people(), 1)
    assert [len(one.y) for one in panel.series] == [12, 12]
    assert panel.lines == ((50.0, "coin"),)


@pytest.mark.parametrize(("agreeing", "same"), [(24, True), (19, False), (0, False)])
def test_tests_agree_on_95_percent_of_pairs(agreeing: int, same: bool) -> None:
    """Six pairs under each of four metrics; where a test has no conclusion a pair does not count."""
    left = iter(range(24))
    apart = {(metric, pair): next(left) >= agreeing for metric in graham.GRAHAM_METRICS for pair in range(6)}
    pairs = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])

    def conclusions(metric: str, test: str, _: float) -> np.ndarray:
        grid = np.zeros((4, 4))
        for pair, (i, j) in enumerate(pairs):
            grid[i, j] = float(apart[metric, pair] and test == graham.GRAHAM_TESTS[1])
        return grid

    result = SimpleNamespace(
        pairs=pairs,
        systems=tuple("abcd"),
        known=lambda *_: np.ones((4, 4), dtype=bool),
        conclusions=conclusions,
        levels=lambda *_: None,
    )
    found = graham.agreeing_tests(SimpleNamespace(people=lambda: result), claim_of())
    assert (found.value, found.same) == (pytest.approx(100 * agreeing / 24), same)
    assert [row["pairs"] for row in found.rows] == [6] * 4
    assert sum(int(str(row["same conclusion"])) for row in found.rows) == agreeing
    assert (found.low, found.high) == pytest.approx([100 * float(end) for end in clopper_pearson(agreeing, 24)])
    result.known = lambda *_: np.zeros((4, 4), dtype=bool)
    none = graham.agreeing_tests(SimpleNamespace(people=lambda: result), claim_of())
    assert math.isnan(none.value)
    assert (none.same, none.reason) == (None, "No test has a conclusion on these pairs.")


@pytest.mark.parametrize(("later", "same"), [(0, False), (1, True), (2, True)])
def test_ties_are_broken_by_a_later_dimension(later: int, same: bool) -> None:
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    by = np.full((3, 3), -1)
    by[0, 1], by[0, 2], by[1, 2] = 0, (1 if later > 0 else -1), (2 if later > 1 else 0)
    people = SimpleNamespace(
        systems=("b", "a", "c"),
        dimensions=("first", "second"),
        levels=lambda _, k: np.arange(9.0).reshape(3, 3) + (k or 0),
    )
    result = SimpleNamespace(
        pairs=pairs, systems=("a", "b", "c"), people=people, decided=lambda _: SimpleNamespace(by=by)
    )
    found = graham.broken_ties(SimpleNamespace(people=lambda: result), claim_of())
    assert (found.value, found.same) == (later, same)
    assert (found.low, found.high) == pytest.approx([3 * float(end) for end in clopper_pearson(later, 3)])
    assert [(panel.title, panel.row, panel.column) for panel in found.panels] == [
        ("first", 0, 0),
        ("second", 0, 1),
        ("combined", 0, 2),
    ]
    assert found.panels[1].cells is not None
    assert found.panels[1].cells[0].tolist() == [5.0, 4.0, 6.0]  # of system a, as a, b, c
    people.dimensions = ("only",)
    alone = graham.broken_ties(SimpleNamespace(people=lambda: result), claim_of())
    assert (alone.same, math.isnan(alone.value)) == (None, True)


def test_pseudo_statistics_are_in_the_middle_of_their_bins() -> None:
    """One panel below the other; Koehn's bootstrap is cut at 0, the others at the gain."""
    edges, counts = np.array([0.0, 1.0, 2.0, 4.0]), np.array([5, 7, 9])
    made = [
        factories.one_test(kind, histogram=SimpleNamespace(edges=edges, counts=counts))
        for kind in ("paired_bootstrap", "bootstrap_shift")
    ]
    panels = list(graham.pseudo_statistics(SimpleNamespace(setup=made[0].setup, results=made)))  # type: ignore[arg-type]
    assert [(panel.row, panel.column, panel.title) for panel in panels] == [
        (0, 0, "Paired bootstrap"),
        (1, 0, "Bootstrap"),
    ]
    assert [panel.lines for panel in panels] == [((0.0, "0"),), ((0.62, "gain"),)]
    for panel in panels:
        assert np.asarray(panel.series[0].x).tolist() == [0.5, 1.5, 3.0]
        assert np.asarray(panel.series[0].y).tolist() == [5.0, 7.0, 9.0]


@pytest.mark.parametrize(
    ("kind", "p", "ends", "value", "same"),
    [
        ("significant", (0.01, 0.05, 0.02), (0.03, 0.0501), 0.05, None), ("significant", (0.01, 0.05, 0.02), (0.03, 0.05), 0.05, True), ("significant", (0.01, 0.07, 0.02), (0.06, 0.08), 0.07, False),
        ("open", (0.2, 0.07, 0.9), (0.06, 0.08), 0.07, True), ("open", (0.2, 0.04, 0.9), (0.03, 0.0499), 0.04, False), ("open", (0.2, 0.05, 0.9), (0.05, 0.06), 0.05, None),
        ("open", (0.2, 0.07, 0.9), (0.0501, 0.08), 0.07, True),
    ],
)  # fmt: skip
def test_the_test_that_decides_is_the_one_furthest_from_the_claim(
    kind: str,
    p: tuple[float, ...],
    ends: tuple[float, float],
    value: float,
    same: bool | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The largest p of a significant pair, the smallest of an open one; it cannot tell where alpha is in its interval."""
    monkeypatch.setattr(graham, "chosen_pair", lambda *_: (1, 0))
    monkeypatch.setattr(graham, "pseudo_statistics", lambda _: iter(()))
    tests = [factories.one_test(p_value=one, p_interval=ends if one == value else (0.0, 1.0)) for one in p]
    monkeypatch.setattr(graham.compare, "read", lambda *_: SimpleNamespace(results=tests, setup=tests[0].setup))
    testset, outputs = score_set([1.0, 2.0], [2.0, 1.0])
    bench = SimpleNamespace(
        material=lambda _: SimpleNamespace(testset=testset, outputs=outputs), grid=lambda *_: SimpleNamespace(systems=tuple(one.system for one in outputs)),
        asked=lambda *_: [("own_scores", {})], once=lambda *_: None, resamples=99, seed=1, runtime=None,
    )  # fmt: skip
    found = graham.one_pair(bench, claim_of("bleu", kind))  # type: ignore[arg-type]
    assert (found.value, found.low, found.high, found.same) == (value, *ends, same)
    assert found.said.startswith(f"{outputs[1].system} against {outputs[0].system}")
    assert ("clear" in found.reason) is (same is None)
    assert [row["p"] for row in found.rows] == list(p)


# ---- Rankel et al. 2011


def scored(matrix: np.ndarray | None = None, **known: Any) -> Any:
    matrix = np.zeros((2, 3)) if matrix is None else matrix
    own = ScoreMatrix("own", tuple(f"d{k}" for k in range(len(matrix))), tuple("abcdefgh"[: matrix.shape[1]]), matrix)
    result = SimpleNamespace(matrix=own, **known)
    return SimpleNamespace(scored=lambda _: result, seed=5)


@pytest.mark.parametrize(
    ("sets", "apart", "share"), [(2, 1, None), (3, 1, 50.0), (3, 2, 100.0), (5, 1, 25.0), (3, 0, 0.0)]
)
def test_sets_that_differ_are_a_share_of_the_others(sets: int, apart: int, share: float | None) -> None:
    """Three sets are needed; the one with the most differences, those that differ from it and the others are series of their own."""
    names = tuple("abcde"[:sets])
    differing = np.zeros((sets, sets), dtype=bool)
    differing[1, [k for k in range(sets) if k != 1][:apart]] = True
    ranks = SimpleNamespace(
        names=names,
        means=np.arange(float(sets)),
        differing=lambda k, _: differing[k],
        ends=lambda _: (np.arange(sets) - 0.5, np.arange(sets) + 0.5),
    )
    bench = scored(run=SimpleNamespace(ranks=lambda _: ranks, test=lambda *_: SimpleNamespace(p_value=0.01)))
    found = rankel.different_sets(bench, claim_of("x"))
    if share is None:
        assert (found.same, found.reason) == (None, "Fewer than three document sets have scores.")
        return
    assert (found.value, found.same) == (share, True if apart else None)
    assert (found.low, found.high) == pytest.approx([100 * float(end) for end in clopper_pearson(apart, sets - 1)])
    assert found.rows[0]["p"] == 0.01
    assert bool(found.reason) is (apart == 0)
    chosen = 1 if apart else 0
    others = [k for k in range(sets) if k != chosen]
    wanted = [(names[chosen], [chosen]), ("differs from it", others[:apart]), ("does not", others[apart:])]
    assert [(one.name, np.asarray(one.x).tolist()) for one in found.panels[0].series] == [
        (name, [float(k) for k in of]) for name, of in wanted if of
    ]
    for one in found.panels[0].series:
        assert list(one.y) == [names[int(x)] for x in one.x]  # type: ignore[call-overload]
        assert (
            (np.asarray(one.low) + 0.5).tolist() == (np.asarray(one.high) - 0.5).tolist() == np.asarray(one.x).tolist()
        )
    none = scored(run=SimpleNamespace(ranks=lambda _: None))
    assert rankel.different_sets(none, claim_of("x")).same is None


@pytest.mark.parametrize(("p", "same"), [(0.05, True), (0.0501, None), (math.nan, None), (None, None)])
def test_documents_are_shown_to_differ_at_alpha(p: float | None, same: bool | None) -> None:
    """The share of variance between them, and the scores from least to most as shades."""
    values = np.array([[1.0, 2.0], [3.0, 5.0], [2.0, 4.0]])
    test = None if p is None else SimpleNamespace(p_value=p)
    found = rankel.dark_rows(scored(values, run=SimpleNamespace(test=lambda *_: test)), claim_of("x"))
    middle = values.mean()
    share = 2 * ((values.mean(axis=1) - middle) ** 2).sum() / ((values - middle) ** 2).sum()
    assert found.value == pytest.approx(100 * share)
    assert found.low <= found.value <= found.high
    assert found.same is same
    assert bool(found.reason) is (same is None)
    (panel,) = found.panels
    assert panel.cells is not None
    assert panel.cells == pytest.approx((values - 1) / 4)
    assert panel.shades
    flat = rankel.dark_rows(scored(np.ones((2, 2)), run=None), claim_of("x"))
    assert (flat.same, flat.reason) == (None, "The scores do not vary.")


def pairs_of(systems: int) -> np.ndarray:
    return np.column_stack(np.triu_indices(systems, k=1))


def test_pairing_finds_more_by_the_difference_of_two_shares() -> None:
    """p below .05 counts, .05 does not; pairs without p are left out, and W stands beside both."""
    pairs = pairs_of(4)
    p = np.full((3, 3, 6), 0.5)
    p[0, 0] = [0.05, 0.5, 0.5, 0.01, 0.5, math.nan]
    p[0, 1] = [0.0499, 0.01, 0.5, 0.01, 0.04, 0.01]
    p[0, 2] = [0.05, 0.01, 0.04, 0.5, 0.5, 0.01]
    bench = scored(
        run=SimpleNamespace(pairs=pairs), p_values=p, mixed=np.array([True, False, False, False, True, False])
    )
    found = rankel.more_by_pairing(bench, claim_of("all", "x", "1275", "812", "938", "939"))
    below = np.array([[0, 0, 0, 1, 0], [1, 1, 0, 1, 1]], dtype=bool)
    assert found.value == pytest.approx(100 * (4 / 5 - 1 / 5))
    assert (found.low, found.high) == pytest.approx(rankel.leave_one_out(below, pairs[:5]))
    assert [(row["paper"], row["paper pairs"], row["here"], row["pairs"]) for row in found.rows] == [
        (812, 1275, 1, 5), (938, 1275, 4, 5), (939, 1275, 2, 5),
    ]  # fmt: skip
    few = rankel.more_by_pairing(bench, claim_of("human_machine", "x", "464", "464", "464", "464"))
    assert (few.value, few.same) == (0.0, False)
    assert (few.low, few.high) == pytest.approx([100 * float(end) for end in clopper_pearson(0, 2)])
    series = few.panels[0].series
    assert [(one.name, one.x) for one in series] == [("paper", [100.0] * 3), ("here", [0.0, 100.0, 0.0])]
    for one, of in zip(series, ((464, 464), (0, 2)), strict=True):
        assert (one.low[0], one.high[0]) == pytest.approx([100 * float(end) for end in clopper_pearson(*of)])
    p[0, :, [0, 4]] = 0.01
    assert rankel.more_by_pairing(bench, claim_of("human_machine", "x", "464", "464", "464", "464")).same is True
    none = scored(run=SimpleNamespace(pairs=pairs), p_values=p * math.nan, mixed=np.zeros(6, dtype=bool))
    part = ("x", "464", "464", "464", "464")
    assert (
        rankel.more_by_pairing(none, claim_of("human_machine", *part)).reason
        == "No system is named as a person (--human)."
    )
    assert rankel.more_by_pairing(none, claim_of("all", *part)).reason == "No pair has six documents in common."


@pytest.mark.parametrize(("systems", "is_there"), [(2, False), (3, True), (4, True)])
def test_an_interval_over_systems_needs_three_of_them(systems: int, is_there: bool) -> None:
    """Each leaves some pair when it is left out."""
    pairs = pairs_of(systems)
    below = np.zeros((2, len(pairs)), dtype=bool)
    below[1, 0] = True
    assert math.isnan(rankel.leave_one_out(below, pairs)[0]) is not is_there


@pytest.mark.parametrize(("agree", "same"), [(18, True), (17, False), (20, True)])
def test_draws_confirm_theory_from_90_percent_on(agree: int, same: bool) -> None:
    """p of .05 is significant on both sides; five pairs under two statistics and two methods."""
    theory = np.full((3, 5), 0.05)
    drawn = np.full((2, 3, 5), 0.0501)
    places = [(m, s, k) for m in range(2) for s in (1, 2) for k in range(5)]
    for place in places[:agree]:
        drawn[place] = 0.05
    found = rankel.theory_confirmed(scored(p_values=np.array([theory, *drawn])), claim_of("x"))
    assert (found.value, found.same) == (100 * agree / 20, same)
    assert sum(int(str(row["same verdict"])) for row in found.rows) == agree
    assert (found.low, found.high) == pytest.approx([100 * float(end) for end in clopper_pearson(agree, 20)])
    none = rankel.theory_confirmed(scored(p_values=np.full((3, 3, 5), math.nan)), claim_of("x"))
    assert (none.same, none.reason) == (None, "No pair has a p.")


@pytest.mark.parametrize(
    ("values", "same"), [([0.9] * 5, True), ([0.86] * 5, False), ([0.864] * 5, True), ([0.9] * 4, None)]
)
def test_the_efficiency_is_compared_with_the_smallest_possible(values: list[float], same: bool | None) -> None:
    """108 / 125; five estimates are needed."""
    run = SimpleNamespace(efficiency=np.array([*values, math.nan]))
    found = rankel.estimated_efficiency(scored(run=run), claim_of("x"))
    assert found.same is same
    if same is None:
        assert found.reason == "4 pairs with an estimate; five are needed."
        return
    assert found.value == found.low == found.high == values[0]
    assert f"{sum(value < 0.864 for value in values)} estimates are below 0.864" in found.said
    (bars,) = found.panels[0].series
    assert sum(bars.y) == len(values)  # type: ignore[arg-type]
    assert len(bars.x) == 20


def test_the_interval_of_a_median_of_five_goes_from_the_least_to_the_largest() -> None:
    """A median of five draws is the least of five with a chance of .058, as 3, 4 or 5 of them are: more than .025."""
    values = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    assert stats.binom.sf(2, 5, 0.2) > 0.025
    found = rankel.estimated_efficiency(scored(run=SimpleNamespace(efficiency=values)), claim_of("x"))
    assert (found.low, found.value, found.high, found.same) == (0.1, 0.3, 0.5, False)
    assert "5 estimates are below 0.864" in found.said


@pytest.mark.parametrize(
    ("exact", "digits", "same"),
    [(0.956, "2", False), (0.954, "3", False), (0.946, "2", True), (0.954, "2", True), (0.95, "4", True)],
)
def test_an_efficiency_is_the_printed_one_after_rounding(
    exact: float, digits: str, same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the error of the integral to both sides."""
    monkeypatch.setattr(rankel, "by_integral", lambda _: (exact, 0.001))
    found = rankel.known_efficiency(None, claim_of("normal", digits, printed=0.95))  # type: ignore[arg-type]
    assert (found.value, found.low, found.high) == (exact, exact - 0.001, exact + 0.001)
    assert found.same is same


def test_bars_of_efficiencies_are_in_the_middle_of_their_bins() -> None:
    (bars,) = rankel._histogram(np.array([0.0, 1.0, 20.0]))
    assert np.asarray(bars.x) == pytest.approx(np.arange(20) + 0.5)
    assert [int(k) for k in np.nonzero(np.asarray(bars.y, dtype=float))[0]] == [0, 1, 19]


# ---- Chen et al. 2017


def runs_of(p: float, interval: tuple[float, float], gain: float = 0.5) -> Any:
    gains = np.array([[0.0, gain], [-gain, 0.0]])
    grid = SimpleNamespace(gains=gains, adjusted=np.array([[1.0, p], [p, 1.0]]))
    intervals = np.array([[(0.0, 0.0), interval], [(-interval[1], -interval[0]), (0.0, 0.0)]])
    return SimpleNamespace(
        systems=("x", "y"), grid=grid, mixed_intervals=intervals, mixed_df=np.full((2, 2), 20.0), average=np.array([30.0, 29.5]),
        scores=[np.array([29.0, 31.0]), np.array([29.5])],
    )  # fmt: skip


def tuned() -> Any:
    made = [SimpleNamespace(method=name, title=name.upper()) for name in ("x", "x", "y")]
    return SimpleNamespace(
        replicates=made,
        of=lambda name: [one for one in made if one.method == name],
        setup=SimpleNamespace(segments=40, metric_title="BLEU"),
    )


@pytest.mark.parametrize(
    ("p", "interval", "gain", "same"),
    [
        (0.05, (0.1, 0.9), 0.5, True), (0.0501, (0.1, 0.9), 0.5, None), (0.05, (-0.1, 1.1), 0.5, None), (0.04, (-0.9, -0.1), -0.5, False),
        (math.nan, (0.1, 0.9), 0.5, None),
    ],
)  # fmt: skip
def test_a_method_is_better_where_p_and_interval_say_so(
    p: float, interval: tuple[float, float], gain: float, same: bool | None
) -> None:
    found = chen.outcome(tuned(), runs_of(p, interval, gain), "x", "y", 0.1)
    assert (found.value, found.low, found.high, found.same) == (gain, *interval, same)
    assert found.rows == (
        {"method": "X", "mean score": 30.0, "runs": 2},
        {"method": "Y", "mean score": 29.5, "runs": 1},
    )
    assert "X less Y, 2 runs each" in found.said
    assert ("The paper's 0.1" in found.reason) is (same is None)
    own = chen.outcome(tuned(), runs_of(0.5, (-0.4, 0.6), 0.1), "x", "y")
    assert "One as large as this one" in own.reason
    turned = chen.outcome(tuned(), runs_of(p, interval, gain), "y", "x")
    assert (turned.value, turned.low, turned.high) == (-gain, -interval[1], -interval[0])
    runs, means = found.panels[0].series
    assert (np.asarray(runs.x).tolist(), list(runs.y)) == ([29.0, 31.0, 29.5], ["X", "X", "Y"])
    assert np.asarray(means.x).tolist() == [30.0, 29.5]


@pytest.mark.parametrize(
    ("least", "wanted", "words"),
    [
        (1.0, 1.0, "is larger."),
        (1.1, 1.0, "needs about 1.2 times as many"),
        (0.0, 1.0, "is larger."),
        (1.0, 0.0, "cannot tell."),
        (math.nan, 1.0, "cannot tell."),
    ],
)
def test_what_a_blind_study_needs(least: float, wanted: float, words: str) -> None:
    assert words in chen.blind(least, wanted, False)


@pytest.mark.parametrize(
    ("values", "same", "reason"),
    [([-0.6, -0.6], True, ""), ([-0.5, -0.5], False, ""), ([-0.4, -0.4], False, ""), ([-0.6], None, "Fewer than two runs"), ([-0.6, math.nan], None, "Fewer than two runs")],
)  # fmt: skip
def test_a_correlation_is_that_of_two_runs_or_more(
    values: list[float], same: bool | None, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [SimpleNamespace(title="one", loss_and_metric=value) for value in values]
    monkeypatch.setattr(chen, "course", lambda tuned, name, place: (name, place))
    found = chen.loss_and_score(
        SimpleNamespace(tuned=lambda: SimpleNamespace(of=lambda _: runs)), claim_of("x", "-0.5")
    )
    assert found.same is same
    assert reason in found.reason
    assert bool(reason) is bool(found.reason)
    assert found.panels == (("te_listmle", 0), ("top_n", 1))


def test_runs_that_could_tell_grow_with_the_square_of_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interval of t is cut at -1 and 1."""
    values = np.array([-0.9, -0.4, -0.5])
    runs = [SimpleNamespace(title="one", loss_and_metric=value) for value in values]
    bench = SimpleNamespace(tuned=lambda: SimpleNamespace(of=lambda _: runs))
    monkeypatch.setattr(chen, "course", lambda *_: None)
    found = chen.loss_and_score(bench, claim_of("x", "-0.5"))
    half = 4.302652729749464 * values.std(ddof=1) / math.sqrt(3)
    assert (found.value, found.low, found.high) == pytest.approx((-0.6, -1.0, -0.6 + half))
    assert f"About {3 * (half / 0.1) ** 2:.2g} such runs could." in found.reason


def test_a_course_goes_from_least_to_most() -> None:
    """Of the last iteration with steps; one that does not change stays at 0."""
    steps = [SimpleNamespace(epoch=k, loss=loss, value=7.0) for k, loss in enumerate((4.0, 1.0, 2.0))]
    early = [SimpleNamespace(epoch=9, loss=1.0, value=1.0)]
    run = SimpleNamespace(title="T", iterations=[SimpleNamespace(steps=one) for one in (early, steps, ())])
    made = SimpleNamespace(of=lambda _: [run], setup=SimpleNamespace(metric_title="BLEU"))
    panel = chen.course(made, "x", 1)
    assert [(one.name, one.x) for one in panel.series] == [("loss", [0.0, 1.0, 2.0]), ("BLEU", [0.0, 1.0, 2.0])]
    assert panel.series[0].y == pytest.approx([1.0, 0.0, 1 / 3])
    assert panel.series[1].y == [0.0, 0.0, 0.0]
    assert (panel.row, panel.column) == (0, 1)
    run.iterations = []
    assert [one.y for one in chen.course(made, "x", 0).series] == [[], []]


def methods_of(*names: str) -> tuple[Any, Any]:
    """The runs of these methods, two of each, the first method the best by one point a place."""
    size = len(names)
    scores = [np.array([30.0 - k, 31.0 - k]) for k in range(size)]
    apart = np.subtract.outer(-np.arange(float(size)), -np.arange(float(size)))
    grid = SimpleNamespace(gains=apart, adjusted=np.full((size, size), 0.01))
    result = SimpleNamespace(
        systems=names, grid=grid, mixed_intervals=np.stack([apart - 0.5, apart + 0.5], axis=-1), mixed_df=np.full((size, size), 20.0),
        average=np.array([one.mean() for one in scores]), scores=scores,
    )  # fmt: skip
    made = [SimpleNamespace(method=name, title=name.upper()) for name in names for _ in range(2)]
    found = SimpleNamespace(
        replicates=made,
        methods=names,
        of=lambda name: [one for one in made if one.method == name],
        setup=SimpleNamespace(segments=40, metric_title="BLEU"),
    )
    return found, result


def test_the_best_of_several_n_is_the_fifth() -> None:
    """Against plain ListMLE; the panel has the mean of each n with its least and largest run, and the plain one as a line."""
    names = [f"top_n n={n}" for n in chen.TOP_N]
    found, result = methods_of("listmle", *names)
    asked: list[dict[str, Any]] = []
    bench = SimpleNamespace(tuned=lambda **of: asked.append(of) or found, methods=lambda _: result)
    claim = chen.best_of_top_n(bench, claim_of())  # type: ignore[arg-type]
    place = 1 + list(chen.TOP_N).index(5)
    assert asked == [{"top_n": True}]
    assert (claim.value, claim.same) == (-float(place), False)
    own, plain = claim.panels[0].series
    assert list(own.x) == list(chen.TOP_N)
    assert list(own.y) == [30.5 - 1 - k for k in range(len(names))]
    assert list(own.low) == [29.0 - k for k in range(len(names))]
    assert list(own.high) == [30.0 - k for k in range(len(names))]
    assert (list(plain.x), list(plain.y)) == ([chen.TOP_N[0], chen.TOP_N[-1]], [30.5, 30.5])


def test_lists_are_aggregated_or_merged() -> None:
    """Of the method of the claim; and one method against its baseline with lists of so many."""
    names = ("listnet merge", "listnet aggregate", "listmle merge", "listmle aggregate")
    found, result = methods_of(*names)
    asked: list[dict[str, Any]] = []
    bench = SimpleNamespace(tuned=lambda **of: asked.append(of) or found, methods=lambda _: result)
    assert chen.aggregated(bench, claim_of("listmle")).said.startswith("LISTMLE AGGREGATE less LISTMLE MERGE")  # type: ignore[arg-type]
    assert chen.aggregated(bench, claim_of("listnet")).value == -1.0  # type: ignore[arg-type]
    against = chen.against(bench, claim_of("listnet merge", "listmle merge", "100", printed=0.5))  # type: ignore[arg-type]
    assert (against.value, against.same) == (2.0, True)
    assert asked == [{"policies": True}, {"policies": True}, {"length": 100}]


# ---- records


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0"), (math.nan, "none"), (0.0001, "0.0001"), (0.00009999, "1.0e-04"), (-0.00005, "-5.0e-05"), (99.94, "99.9"), (99.999, "100"),
        (100.0, "100.0"), (-100.0, "-100.0"), (1234.56, "1,234.6"), (1.0, "1"),
    ],
)  # fmt: skip
def test_a_number_has_three_digits(value: float, words: str) -> None:
    assert number(value) == words


@pytest.mark.parametrize(
    ("found", "printed", "words"),
    [
        (Found(2.0, 1.0, 3.0, True, ""), 1.5, "The same conclusion on d. Paper: 1.5 BLEU; here: 2 BLEU, 95% interval [1, 3]."),
        (Found(2.0, math.nan, math.nan, False, ""), None, "Another conclusion on d. Paper: no number is printed; here: 2 BLEU."),
        (Found(2.0, 1.0, 3.0, None, "", interval="I"), 0.0, "Too few data to tell on d. Paper: 0 BLEU; here: 2 BLEU, I [1, 3]."),
        (Found(math.nan, math.nan, math.nan, None, "", "No."), 1.5, "Too few data to tell on d: No."),
    ],
)  # fmt: skip
def test_an_outcome_in_words(found: Found, printed: float | None, words: str) -> None:
    claim = Claim("bk-x", "p", "t", "text", "BLEU", printed, "o", "r", "w", lambda: found)
    one = Outcome(claim, found, "d", 99, 1)
    assert str(one) == words
    row = one.as_dict()
    assert row["value"] == (None if math.isnan(found.value) else 2.0)
    assert (row["low"], row["high"]) == ((None, None) if math.isnan(found.low) else (1.0, 3.0))
