"""Grids at their bounds: which cells are tests, p from counts, corrections, pairs that go on, and the notes beside them."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sigcore import significance
from sigcore.errors import Undefined
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.significance import LEAST_UNITS, Tally, get
from sigcore.studies import compare, enough, matrix, statistics
from sigcore.studies.matrix import compute, further, notes, result
from sigcore.studies.prepared import PreparedPart, drawn_sets
from sigcore.studies.units import DesignEffect
from sigcore.study import Settings, Study
from sigcore.types import DOCUMENT, SEGMENT, SIDES, Comparisons, read_unit
from tests.made import score_set
from tests.unit import factories

AR, SHIFT, PAIRED = get("approximate_randomization"), get("bootstrap_shift"), get("paired_bootstrap")
TWO = np.array([[0, 1]])


def tally_of(beyond: Any, ties: Any = 0, resamples: int = 99, gain: float = 1.0, **more: Any) -> Tally:
    """One pair with these counts for (two-sided, greater, less)."""
    counts = np.zeros((3, 2, 1), dtype=np.int64)
    counts[:, 0, 0], counts[:, 1, 0] = beyond, ties
    known = {
        "pairs": TWO,
        "gains": np.array([gain]),
        "units": np.ones(1),
        "means": np.zeros(1),
        "undefined": np.zeros(1, dtype=np.int64),
    }
    return Tally(counts=counts, resamples=resamples, **{**known, **more})


# ---- cells and pairs


@pytest.mark.parametrize("side", SIDES)
def test_the_tests_of_a_family(side: str) -> None:
    """Two-sided each pair once; one-sided all pairs in both directions, others in theirs."""
    row, column = compute.cells_of(3, side)  # type: ignore[arg-type]
    both = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    assert list(zip(row.tolist(), column.tolist(), strict=True)) == (
        [pair for pair in both if pair[0] < pair[1]] if side == "two-sided" else both
    )
    row, column = compute.cells_of(3, side, np.array([[2, 0], [1, 2]]))  # type: ignore[arg-type]
    assert list(zip(row.tolist(), column.tolist(), strict=True)) == (
        [(0, 2), (1, 2)] if side == "two-sided" else [(2, 0), (1, 2)]
    )


def test_intervals_are_turned_with_their_pair() -> None:
    """0 on the diagonal, nan for pairs of another family."""
    found = compute.in_both_directions(np.array([[1.0, 3.0]]), 3, np.array([[0, 2]]))
    assert found[0, 2].tolist() == [1.0, 3.0]
    assert found[2, 0].tolist() == [-3.0, -1.0]
    assert found[1, 1].tolist() == [0.0, 0.0]
    assert np.isnan(found[0, 1]).all()
    every = compute.in_both_directions(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), 3)
    assert every[1, 2].tolist() == [5.0, 6.0]


@pytest.mark.parametrize("side", SIDES)
def test_values_of_pairs_become_those_of_tests(side: str) -> None:
    """The place of each pair, and its sign: a row that is the later system has the opposite gain, and so has the side "less"."""
    pairs = np.array([[0, 1], [0, 3], [2, 3]])
    turn = compute.turned(pairs, (np.array([3, 0, 2]), np.array([0, 1, 3])), side)  # type: ignore[arg-type]
    assert turn.places.tolist() == [1, 0, 2]
    if side == "two-sided":
        assert turn.signs is None
    else:
        assert turn.signs is not None
        assert turn.signs.tolist() == [sign * (-1 if side == "less" else 1) for sign in (-1, 1, 1)]


@pytest.mark.parametrize(
    ("family", "pairs"),
    [
        (Comparisons(), [[0, 1], [0, 2], [1, 2]]), (Comparisons("one baseline", "b"), [[0, 1], [1, 2]]), (Comparisons("chosen pairs", pairs=(("c", "a"), ("b", "a"))), [[0, 1], [0, 2]]),
    ],
)  # fmt: skip
def test_pairs_are_in_the_order_of_all_pairs(family: Comparisons, pairs: list[list[int]]) -> None:
    assert compute.pairs_of(family, ("a", "b", "c")).tolist() == pairs


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["holm"], []),
        (["auto"], ["joint"]),
        (["joint", "auto", "joint"], ["joint", "joint"]),
        (["none", "joint"], ["joint"]),
    ],
)
def test_corrections_with_the_joint_null(names: list[str], found: list[str]) -> None:
    assert [one.name for one in compute.jointly(names)] == found


def test_what_was_counted_by_swaps_serves_bootstrap_tests() -> None:
    """Under their own names; another test's stays its own."""
    key = ("joint", "approximate_randomization", "two-sided")
    known: Any = {key: np.ones(1), ("joint", "other", "less"): np.zeros(1)}
    assert list(compute.prepare(known, [AR])) == [key]
    assert list(compute.prepare(known, [SHIFT, PAIRED])) == [
        ("joint", "bootstrap_shift", "two-sided"),
        ("joint", "paired_bootstrap", "two-sided"),
    ]
    assert list(compute.prepare(known, [AR, SHIFT])) == [key, ("joint", "bootstrap_shift", "two-sided")]
    assert compute.prepare({}, [AR, SHIFT]) == {}


# ---- p from counts


@pytest.mark.parametrize(
    ("side", "turned", "count"),
    [
        ("two-sided", False, 4),
        ("two-sided", True, 4),
        ("greater", False, 9),
        ("greater", True, 19),
        ("less", False, 19),
        ("less", True, 9),
    ],
)
def test_p_of_a_pair_and_of_the_pair_turned(side: str, turned: bool, count: int) -> None:
    """Sides change places; ties count."""
    tally = tally_of([3, 8, 18], 1)
    p, low, high = result.p_of_pairs(tally, AR, Settings(side), turned)  # type: ignore[arg-type]
    assert p.tolist() == [pytest.approx((count + 1) / 100)]
    assert (low[0], high[0]) == pytest.approx(tuple(float(end) for end in clopper_pearson(count, 99)))


@pytest.mark.parametrize(("greater", "less"), [(1, 90), (90, 1), (60, 60), (1, 1), (98, 99)])
def test_a_paired_bootstrap_doubles_the_smaller_side(greater: int, less: int) -> None:
    """With twice its interval; at most 1."""
    p, low, high = result.p_of_pairs(tally_of([0, greater, less]), PAIRED, Settings("two-sided"))
    least = min(greater, less)
    ends = [float(end) for end in clopper_pearson(least, 99)]
    assert p[0] == pytest.approx(min(1.0, 2 * (least + 1) / 100))
    assert (low[0], high[0]) == pytest.approx(tuple(min(1.0, 2 * end) for end in ends))


@pytest.mark.parametrize(
    ("gain", "is_none"), [(0.0, True), (1e-13, True), (-1e-13, True), (1e-6, False), (-1.0, False)]
)
def test_no_gain_has_p_1(gain: float, is_none: bool) -> None:
    """Two-sided, up to rounding; one side counts as it is."""
    for test in (AR, PAIRED):
        p, low, high = result.p_of_pairs(tally_of([3, 3, 3], gain=gain), test, Settings("two-sided"))
        assert bool(p[0] == low[0] == high[0] == 1.0) is is_none
    assert result.p_of_pairs(tally_of([3, 3, 3], gain=gain), AR, Settings("greater"))[0][0] == 0.04


@pytest.mark.parametrize(
    ("more", "settings", "exact", "drawn"),
    [
        ({}, Settings(), False, 99), ({"exact": np.full((3, 1), 0.3)}, Settings(), True, 0), ({"exact": np.full((3, 1), 0.3)}, Settings(ties="strict"), True, 0),
        ({"swaps": np.full((3, 1), 0.3)}, Settings(exact=True), True, 0), ({"swaps": np.full((3, 1), 0.3)}, Settings(ties="strict", exact=True), False, 99), ({"swaps": np.full((3, 1), 0.3)}, Settings(estimator="paper", exact=True), False, 99),
        ({"swaps": np.full((3, 1), 0.3)}, Settings(exact=False), False, 99), ({"swaps": np.full((3, 1), 0.3)}, Settings(correction="joint", exact=True), True, 99), ({"exact": np.full((3, 1), 0.3)}, Settings(correction="joint"), True, 0),
    ],
)  # fmt: skip
def test_where_p_is_exact(more: dict[str, Any], settings: Settings, exact: bool, drawn: int) -> None:
    """Then it has no interval, and no draws unless a correction counts them."""
    tally = tally_of([3, 8, 18], **more)
    assert result.exactly(tally, settings) is exact
    assert result._drawn(tally, settings) == drawn
    p, low, high = result.p_of_pairs(tally, AR, settings)
    assert (p[0] == 0.3) == exact
    assert bool(np.isnan(low).all() and np.isnan(high).all()) is exact


@pytest.mark.parametrize("both", [True, False])
def test_adjusted_p_stands_in_the_cells_of_its_tests(both: bool) -> None:
    """1 elsewhere, nan where there is no p; of a pair in both of its cells."""
    p = np.array([[1.0, 0.2, math.nan], [0.2, 1.0, 0.3], [math.nan, 0.3, 1.0]])
    found = result._square(p, (np.array([0]), np.array([1])), np.array([0.4]), both)
    assert np.array_equal(found, [[1, 0.4, math.nan], [0.4 if both else 1, 1, 1], [math.nan, 1, 1]], equal_nan=True)


def test_tests_without_a_p_are_not_corrected() -> None:
    """Bonferroni over those that have one: of three pairs two."""
    p = np.array([[1.0, 0.01, math.nan], [0.01, 1.0, 0.3], [math.nan, 0.3, 1.0]])
    grid = (p, p / 2, p * 1.5)
    adjusted, low, high = result.adjust(
        grid, compute.cells_of(3, "two-sided"), Settings(correction="bonferroni"), None, 99
    )
    assert (adjusted[0, 1], adjusted[1, 2], low[0, 1], high[0, 1]) == pytest.approx((0.02, 0.6, 0.01, 0.03))
    assert np.isnan(adjusted[0, 2])
    none = np.where(np.eye(2) == 1, 1.0, math.nan)
    assert np.isnan(
        result.adjust(
            (none, none, none), compute.cells_of(2, "two-sided"), Settings(correction="bonferroni"), None, 99
        )[0][0, 1]
    )


def run_of(*columns: Any, tests: tuple[str, ...] = ("approximate_randomization",), **more: Any) -> matrix.MatrixRun:
    testset, outputs = score_set(*columns)
    known = {"unit": "segment", "resamples": 199, "settings": Settings(correction="holm")} | more
    return matrix.run(Study(testset, outputs, [("own_scores", {})], tests, **known))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("differ", "side", "correction", "least"),
    [
        (3, "two-sided", "none", 2 / 8),
        (3, "greater", "none", 1 / 8),
        (4, "two-sided", "bonferroni", 6 / 16),
        (2, "two-sided", "bonferroni", 1.0),
        (4, "greater", "bonferroni", 6 / 16),
    ],
)
def test_swaps_of_so_many_units_have_a_smallest_p(differ: int, side: str, correction: str, least: float) -> None:
    """Of the pair that differs most; times the number of tests: of three systems three, or six in both directions."""
    base = np.zeros(12)
    one = base.copy()
    one[:differ] = 0.123456789
    run = run_of(base, one, np.where(np.arange(12) < 1, base + 0.7, base))
    settings = Settings(side, correction=correction)  # type: ignore[arg-type]
    assert result._least_by_units(run, 0, AR, settings) == pytest.approx(least)
    assert result._least_by_units(run, 0, SHIFT, settings) == 0.0


@pytest.mark.parametrize(
    ("test", "side", "resamples", "estimator", "tests", "least"),
    [
        (AR, "two-sided", 99, "valid", 1, 0.01), (AR, "two-sided", 99, "valid", 5, 0.05), (PAIRED, "two-sided", 99, "valid", 5, 0.1), (PAIRED, "greater", 99, "valid", 5, 0.05),
        (AR, "two-sided", 99, "paper", 5, 0.0), (AR, "two-sided", 0, "valid", 5, 0.0), (PAIRED, "two-sided", 3, "valid", 5, 1.0),
    ],
)  # fmt: skip
def test_so_many_draws_have_a_smallest_p(
    test: Any, side: str, resamples: int, estimator: str, tests: int, least: float
) -> None:
    """(1 / (R + 1)) times the number of tests, and twice that where one side is doubled."""
    settings = Settings(side, estimator, correction="bonferroni")  # type: ignore[arg-type]
    assert result._least_p(test, settings, resamples, tests) == pytest.approx(least)


def test_bootstrap_tests_of_pairs_that_differ_on_few_units_are_none() -> None:
    """They are not counted among those that are corrected; at least one is."""
    base = np.arange(20.0)
    near = base.copy()
    near[: LEAST_UNITS - 1] += 0.5
    run = run_of(base, near, base[::-1], tests=("bootstrap_shift", "approximate_randomization"))
    settings = Settings(correction="bonferroni")
    assert result._tests(run, 0, SHIFT, settings) == 2
    assert result._tests(run, 0, AR, settings) == 3
    two = run_of(base, near, tests=("bootstrap_shift",))
    assert result._tests(two, 0, SHIFT, settings) == 1
    p = result.p_of(run, 0, SHIFT, settings)[0]
    assert np.isnan(p).tolist() == [[False, True, False], [True, False, False], [False, False, False]]
    assert not np.isnan(result.p_of(run, 0, AR, settings)[0]).any()


def test_a_grid_of_one_baseline_has_no_p_for_other_pairs() -> None:
    """One-sided only from the system to the baseline."""
    rng = np.random.default_rng(1)
    columns = rng.normal(size=(3, 20))
    run = run_of(*columns, family=Comparisons("one baseline", "sys0"))
    two, one = (
        matrix.read(run, "own_scores", "approximate_randomization", Settings(side, correction="none"))
        for side in ("two-sided", "greater")
    )
    assert np.isnan(two.p_values).tolist() == [[False, False, False], [False, False, True], [False, True, False]]
    assert np.isnan(one.p_values).tolist() == [[False, True, True], [False, False, True], [False, True, False]]


@pytest.mark.parametrize(("columns", "correction"), [(2, "none"), (3, "holm")])
def test_one_test_is_not_corrected(columns: int, correction: str) -> None:
    run = run_of(*np.random.default_rng(1).normal(size=(columns, 20)))
    assert (
        matrix.read(run, "own_scores", "approximate_randomization", Settings(correction="holm")).setup.correction
        == correction
    )
    with pytest.raises(Undefined, match="Computed: approximate_randomization"):
        matrix.read(run, "own_scores", "bootstrap_shift")
    with pytest.raises(Undefined, match="Computed: own_scores"):
        matrix.read(run, "bleu", "approximate_randomization")


def test_the_work_of_a_resample() -> None:
    """Each unit and statistic, and a thousand for each pair and metric."""
    run = run_of(*np.random.default_rng(1).normal(size=(3, 20)))
    columns = len(run.summed[0].systems[0].columns)
    assert run.products == 20 * 3 * columns + 1_000 * 3
    assert further.cost(run, np.array([[0, 1]])) == 20 * 2 * columns + 1_000
    assert further.cost(run, np.array([[0, 1], [0, 2]])) == 20 * 3 * columns + 2_000
    assert run.drawn.tolist() == [199] * 3
    assert run.drawn_of("sys2", "sys0") == 199
    assert run.drawn_of("sys0", "sys0") == 0


# ---- pairs that go on


def open_grid(adjusted: Any, half: float, resamples: int) -> Any:
    """A grid of three systems with p, of pairs (0, 1), (0, 2) and (1, 2), plus and minus so much."""

    def square(values: Any) -> np.ndarray:
        out = np.ones((3, 3))
        for (i, j), value in zip(((0, 1), (0, 2), (1, 2)), values, strict=True):
            out[i, j] = out[j, i] = value
        return out

    p = np.array(adjusted, dtype=float)
    low = np.where(p < 0.003, 0.0, p - half)
    return factories.matrix(
        (1.0, 2.0, 3.0),
        resamples=resamples,
        adjusted=square(p),
        adjusted_low=square(low),
        adjusted_high=square(p + half),
        least_p=1 / (resamples + 1),
    )


@pytest.mark.parametrize(
    ("drawn", "p", "pairs", "resamples"),
    [
        ([10_000] * 3, [0.5, 0.5, 0.5], None, None), ([10_000] * 3, [0.05, 0.5, 0.5], [[0, 1]], 50_000), ([10_000] * 3, [0.05, 0.5, 0.049], [[0, 1], [1, 2]], 50_000),
        ([50_000, 10_000, 10_000], [0.05, 0.5, 0.049], [[1, 2]], 50_000), ([50_000, 10_000, 10_000], [0.05, 0.5, 0.5], None, None),
    ],
)  # fmt: skip
def test_open_pairs_with_the_fewest_resamples_go_on(
    drawn: list[int], p: list[float], pairs: Any, resamples: int | None
) -> None:
    """Four times as many, rounded up to 1, 2 or 5. One that already has what it needs is settled."""
    known = np.array(drawn)
    run = SimpleNamespace(pairs=np.array([[0, 1], [0, 2], [1, 2]]), drawn=known, n=20, summed=())
    each = open_grid(p, 0.002, int(known.max()))
    square = np.zeros((3, 3), dtype=np.int64)
    for (i, j), value in zip(((0, 1), (0, 2), (1, 2)), drawn, strict=True):
        square[i, j] = square[j, i] = value
    each = replace(each, drawn=square) if drawn != [10_000] * 3 else each
    step = further.next_step(run, [each], 0.05)  # type: ignore[arg-type]
    if drawn == [50_000, 10_000, 10_000] and p == [0.05, 0.5, 0.5]:
        assert step is not None  # the first pair goes on from where it is
        assert (step.pairs.tolist(), step.begun, step.resamples) == ([[0, 1]], 50_000, 200_000)
    elif pairs is None:
        assert step is None
    else:
        assert step is not None
        assert (step.pairs.tolist(), step.begun, step.resamples) == (pairs, 10_000, resamples)


@pytest.mark.parametrize(("most", "is_there"), [(10_000, False), (10_001, True), (40_000, True)])
def test_a_bound_of_resamples_ends_it(most: int, is_there: bool) -> None:
    run = SimpleNamespace(pairs=np.array([[0, 1], [0, 2], [1, 2]]), drawn=np.full(3, 10_000), n=20, summed=())
    step = further.next_step(run, [open_grid([0.05, 0.5, 0.5], 0.002, 10_000)], 0.05, most)  # type: ignore[arg-type]
    assert (step is not None) is is_there
    assert step is None or step.resamples == min(most, 50_000)


def test_unreached_pairs_need_a_number_that_is_known() -> None:
    """The upper end falls as 1 / R: to the next thousand. Before them the others wait."""
    run = SimpleNamespace(pairs=np.array([[0, 1], [0, 2], [1, 2]]), drawn=np.full(3, 10_000), n=20, summed=())
    grid = open_grid([0.05, 0.002, 0.5], 0.04, 10_000)
    step = further.next_step(run, [grid], 0.05)  # type: ignore[arg-type]
    need = 10_000 * (0.002 + 1.7 * 0.04) / 0.05
    assert step is not None
    assert (step.pairs.tolist(), step.resamples) == ([[0, 2]], math.ceil(need / 1_000) * 1_000)
    assert enough.needs(grid, 0.05)[0, 2] == pytest.approx(need)


# ---- notes


def effect(unit: Any, value: float, n: int = 30) -> DesignEffect:
    return DesignEffect(unit, n, np.array([[math.nan, value], [value, math.nan]]), np.ones(2))


def noted(design: DesignEffect | None, unit: Any, **more: Any) -> Any:
    counts = np.array([[0, 80], [80, 0]])
    known = {"design": (design,), "unit": unit, "why": "", "n": 100, "differing": np.array([counts])}
    return SimpleNamespace(**{**known, **more})


@pytest.mark.parametrize(("value", "is_clear"), [(1.0, False), (5.0, True)])
def test_documents_that_are_ignored_are_told_where_it_is_clear(value: float, is_clear: bool) -> None:
    """With the way out where they are enough to be drawn."""
    for n in (LEAST_UNITS - 1, LEAST_UNITS, 30):
        run = noted(effect(DOCUMENT, value if not is_clear else 9.0, n), SEGMENT)
        found = compute.of_design(run, 0, ())
        assert bool(found) is is_clear
        assert not found or found[0].endswith(notes.INSTEAD) is (n >= LEAST_UNITS)
        assert bool(compute.caveat(run, 0, AR)) is is_clear
    drawn = noted(effect(DOCUMENT, value), DOCUMENT)
    assert compute.ignored_documents(drawn, 0) == ""
    assert len(compute.of_design(drawn, 0, (1.0,))) == 1
    assert compute.of_design(drawn, 0, ()) == ()
    assert compute.of_design(noted(None, SEGMENT), 0, (1.0,)) == ()
    assert compute.of_design(noted(effect(DOCUMENT, math.nan), SEGMENT), 0, (1.0,)) == ()


@pytest.mark.parametrize(
    ("value", "why", "words"),
    [
        (1.2, "Few.", "Few. The design effect of documents is 1.20 ["),
        (9.0, "Few.", "Few."),
        (1.2, "", ""),
        (math.nan, "Few.", "Few."),
    ],
)
def test_why_segments_were_drawn_instead(value: float, why: str, words: str) -> None:
    """With the effect, unless it is clear; the number of pairs is told where there are several."""
    found = compute.instead(noted(effect(DOCUMENT, value), SEGMENT, why=why), 0)
    assert found.startswith(words)
    assert ("cannot tell" in found) is (value == 1.2 and bool(why))
    assert "the median of" not in found
    three = np.full((3, 3), math.nan)
    three[np.triu_indices(3, k=1)] = [1.0, 1.2, 1.3]
    several = DesignEffect(DOCUMENT, 30, three, np.ones(3))
    assert "(the median of 3 pairs)" in compute.instead(noted(several, SEGMENT, why="Few."), 0)


def test_an_effect_is_left_aside_where_another_unit_is_drawn() -> None:
    one = effect(DOCUMENT, 1.2)
    assert compute.left_aside(one, SEGMENT) == one.interval
    assert (
        compute.left_aside(one, DOCUMENT)
        == compute.left_aside(None, SEGMENT)
        == compute.left_aside(effect(DOCUMENT, math.nan), SEGMENT)
        == ()
    )


@pytest.mark.parametrize(
    ("n", "differ", "test", "is_told"),
    [
        (LEAST_UNITS - 1, 80, SHIFT, False),
        (LEAST_UNITS, 80, SHIFT, True),
        (100, 80, SHIFT, False),
        (100, 20, SHIFT, True),
        (100, 20, AR, False),
        (20, 20, AR, False),
    ],
)
def test_a_bootstrap_p_of_few_units_has_a_caveat(n: int, differ: int, test: Any, is_told: bool) -> None:
    counts = np.array([[0, differ], [differ, 0]])
    assert bool(compute.caveat(noted(None, SEGMENT, n=n, differing=np.array([counts])), 0, test)) is is_told


@pytest.mark.parametrize(
    ("settings", "number"),
    [
        (Settings(), 0),
        (Settings(ties="strict"), 1),
        (Settings(ties="half"), 1),
        (Settings(estimator="paper"), 1),
        (Settings(ties="half", estimator="paper"), 2),
    ],
)
def test_p_as_printed_is_no_verdict(settings: Settings, number: int) -> None:
    found = compute.as_printed(settings)
    assert len(found) == number
    assert all("is not a verdict" in one for one in found)


@pytest.mark.parametrize(
    ("side", "correction", "is_told"),
    [("two-sided", "none", False), ("greater", "none", True), ("less", "none", True), ("greater", "holm", False)],
)
def test_both_directions_without_a_correction_are_twice_alpha(side: str, correction: str, is_told: bool) -> None:
    assert bool(compute.of_both_sides(Settings(side, correction=correction))) is is_told  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("undefined", "words"),
    [
        ([], ""),
        ([0, 0], ""),
        ([0, 3], "X is not defined for a system on up to 3 of 99 resamples."),
        ([5, 3], "X is not defined for a system on up to 5 of 99"),
    ],
)
def test_undefined_resamples_are_counted(undefined: list[int], words: str) -> None:
    """Of the test with the most."""
    tallies = [tally_of([0, 0, 0], undefined=np.array([number])) for number in undefined]
    found = compute.of_undefined(tallies, "X")
    assert bool(found) is bool(words)
    assert not found or found[0].startswith(words)


@pytest.mark.parametrize("n", [10, 20, 40, 59])
def test_measured_rates_are_from_the_least_to_the_largest(n: int) -> None:
    """Of several tests, at each level that was measured."""
    for tests in ((SHIFT,), (SHIFT, PAIRED, get("two_delta_bootstrap"))):
        said = notes._measured_rates(n, "Here", tests)
        for alpha in (0.1, 0.05, 0.01):
            rates = [rate for test in tests if (rate := significance.rejection_rate(test.name, n, alpha)) is not None]
            if rates:
                ends = list(dict.fromkeys(f"{100 * rate:.2g}" for rate in (min(rates), max(rates))))
                assert f"{' to '.join(ends)}% at alpha {alpha:g}" in said
        assert ("it rejected" in said) is (len(tests) == 1)
        assert ("they rejected" in said) is (len(tests) > 1)
        assert f"{SHIFT.title} tends" in said or "bootstrap p-values tend" in said


@pytest.mark.parametrize(
    ("unit", "n", "is_told"),
    [
        ("document", 19, True),
        ("document", 20, True),
        ("document", 21, False),
        ("segment", 12, False),
        ("block:2", 12, True),
        ("document", 1, True),
    ],
)
def test_few_units_can_be_swapped_in_few_ways(unit: str, n: int, is_told: bool) -> None:
    """A two-sided p of a millionth is small enough."""
    found = [one for one in notes.of_few_units(read_unit(unit), n, [AR]) if "can be swapped" in one]
    assert bool(found) is is_told
    if found:
        assert f"in only {2**n:,} ways" in found[0]
    assert not [one for one in notes.of_few_units(read_unit(unit), n, [SHIFT]) if "can be swapped" in one]


# ---- histograms of a pair, and drawn test sets


def edges_of(nulls: Any, gain: float, unit: float = 1.0) -> np.ndarray:
    """The edges for nulls of tests that draw, of a pair with this gain."""
    names = [f"t{k}" for k in range(len(nulls))]
    tests = [SimpleNamespace(name=name, draws="swap") for name in names]
    tally = {name: tally_of([0, 0, 0], gain=gain, units=np.array([unit])) for name in names}
    every = iter(nulls)
    draws = SimpleNamespace(tallies=tally)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(compare, "_null", lambda *_: iter([np.asarray(next(every), dtype=float)]))
        return compare._edges(draws, tests)  # type: ignore[arg-type]


@pytest.mark.parametrize("gain", [0.5, -0.5, 2.0, 0.03, 0.0])
@pytest.mark.parametrize("spread", [1.0, 10.0])
def test_bins_have_edges_at_zero_and_at_the_gain(gain: float, spread: float) -> None:
    """Equal bins, about sixty of them and at most four hundred, beyond every number; a tie is on the side where it counts."""
    edges = edges_of([np.linspace(-spread, spread, 101)], gain)
    widths = np.diff(edges)
    assert widths.max() - widths.min() < 1e-9 * spread
    assert edges[0] < -max(spread, abs(gain))
    assert edges[-1] > max(spread, abs(gain))
    high, low = 2 * max(spread, abs(gain)), 2 * spread
    wanted = max(min(high / 60, low / 30), high / 400)
    assert widths.mean() == pytest.approx(wanted, rel=0.5)
    assert np.abs(edges).min() < 1e-9
    if abs(gain) > wanted:
        near = edges[np.argmin(np.abs(edges - abs(gain)))], edges[np.argmin(np.abs(edges + abs(gain)))]
        assert abs(gain) - 1e-9 < near[0] < abs(gain)
        assert -abs(gain) < near[1] < -abs(gain) + 1e-9
    zero = edges[np.argmin(np.abs(edges))]
    assert bool(zero < 0) is (gain < 0)


def test_a_narrow_null_has_bins_of_its_own_width() -> None:
    """Half as many as sixty over the narrowest, but never more than four hundred in all."""
    wide, narrow = np.linspace(-10, 10, 101), np.linspace(-1, 1, 101)
    assert np.diff(edges_of([wide, narrow], 0.0)).mean() == pytest.approx(2 / 30)
    assert np.diff(edges_of([wide, narrow / 100], 0.0)).mean() == pytest.approx(20 / 400)


def test_numbers_that_are_all_the_same_have_one_bin() -> None:
    edges = edges_of([np.zeros(5)], 0.0)
    assert edges.tolist() == [-1.0, 1.0]


@pytest.mark.parametrize(
    ("names", "tests", "words"),
    [
        ((("a", ""), ("a", "")), None, "a is compared with itself"), ((("a", "1"), ("a", "1")), None, "a is compared with itself"), ((("a", "1"), ("a", "2")), None, ""),
        ((("a", ""), ("b", "")), None, ""), ((("a", ""), ("b", "")), (), "No test was selected"), ((("a", ""), ("b", "")), ("approximate_randomization",), ""),
    ],
)  # fmt: skip
def test_a_pair_is_two_systems_or_two_runs_of_one(names: Any, tests: Any, words: str) -> None:
    """With all tests that can be run where none is named."""
    testset, made = score_set(*np.random.default_rng(1).normal(size=(2, 20)))
    outputs = [replace(item, system=system, run=run) for item, (system, run) in zip(made, names, strict=True)]
    study = Study(testset, outputs, [("own_scores", {})], tests, unit="segment", resamples=99)
    if words:
        with pytest.raises(Undefined, match=words):
            compare.run(study)
        return
    found = compare.read(compare.run(study), "own_scores", sides=("two-sided",))
    assert len({one.setup.test for one in found.results}) == (1 if tests else len(found.results))
    assert (len(found.results) > 3) is (tests is None)
    for one in found.results:
        if not get(one.setup.test).draws:
            assert one.cutoffs == (-math.inf, math.inf)


def prepared(n: int, unit_of: Any = None) -> Any:
    return SimpleNamespace(n=n, unit_of=None if unit_of is None else np.array(unit_of))


def test_test_sets_are_drawn_from_segments_or_whole_units() -> None:
    """Until they have as many segments; a unit that is drawn twice is two units."""
    for part in drawn_sets(prepared(5), 7, 3, 1):
        assert (part.n, part.unit_of) == (7, None)
        assert set(part.segments.tolist()) <= set(range(5))
    unit_of = [0, 1, 1, 2, 2, 2]
    sizes = {0: 1, 1: 2, 2: 3}
    seen = set()
    for part in drawn_sets(prepared(6, unit_of), 5, 30, 1):
        assert part.unit_of is not None
        numbers = part.unit_of.tolist()
        assert numbers == sorted(numbers)
        for k in range(numbers[-1] + 1):
            own = part.segments[part.unit_of == k].tolist()
            assert own == [s for s in range(6) if unit_of[s] == unit_of[own[0]]]
        last = sizes[unit_of[part.segments[-1]]]
        assert part.n >= 5 > part.n - last
        seen |= set(part.segments.tolist())
    assert seen == set(range(6))


def test_a_part_has_a_row_for_each_of_its_units() -> None:
    testset, outputs = score_set([1.0, 2.0, 4.0, 8.0], np.zeros(4))
    (measured,) = statistics.measure(testset, outputs, [("own_scores", {})])
    (one, _) = measured.systems
    plain = PreparedPart(np.array([3, 3, 0]), None).of((one,))[0]
    assert plain.values.tolist() == one.values[[3, 3, 0]].tolist()
    summed = PreparedPart(np.array([3, 1, 0]), np.array([7, 2, 7])).of((one,))[0]
    assert summed.values.tolist() == [one.values[1].tolist(), (one.values[3] + one.values[0]).tolist()]
