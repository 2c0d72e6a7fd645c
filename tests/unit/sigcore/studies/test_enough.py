"""The automatic number of resamples: the same run as that number requested, and when drawing goes on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from sigcore.errors import OptionError
from sigcore.executors import Serial
from sigcore.results import MatrixResult
from sigcore.studies import compare, enough, matrix
from sigcore.studies.matrix import MatrixRun, Settings
from sigcore.study import Runtime, Study
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO
from tests.made import score_set
from tests.unit import factories

OWN = [("own_scores", {})]
AR = "approximate_randomization"


@dataclass(frozen=True)
class Drawn:
    """A run of which only the numbers count."""

    resamples: int
    products: int = 1


def of(adjusted: float, low: float, high: float, resamples: int, **changes: object) -> MatrixResult:
    """A grid of two systems with that adjusted p and interval."""
    tables = {
        name: np.array([[1.0, p], [p, 1.0]])
        for name, p in (("adjusted", adjusted), ("adjusted_low", low), ("adjusted_high", high))
    }
    return factories.matrix((40.0, 42.0), resamples=resamples, **tables, **changes)


@pytest.mark.parametrize(
    ("p", "alpha", "least", "resamples", "expected"),
    [
        ((0.2, 0.19, 0.21), 0.05, 1e-4, 10_000, 0),  # settled: far above
        ((0.001, 0.0005, 0.002), 0.05, 1e-4, 10_000, 0),  # settled: far below
        ((0.048, 0.044, 0.052), 0.05, 1e-4, 10_000, 50_000),  # alpha in the interval
        ((0.045, 0.041, 0.049), 0.05, 1e-4, 10_000, 50_000),  # alpha just outside it
        ((0.045, 0.043, 0.047), 0.05, 1e-4, 50_000, 0),  # alpha far enough outside it
        ((0.055, 0.051, 0.059), 0.05, 1e-4, 10_000, 50_000),  # alpha just below it
        ((0.057, 0.055, 0.059), 0.05, 1e-4, 10_000, 0),  # alpha far enough below it
        ((0.048, 0.044, 0.052), 0.05, 1e-5, 500_000, 1_000_000),
        ((0.048, 0.044, 0.052), 0.05, 1e-6, 1_000_000, 0),  # the bound
        ((0.0055, 0.0, 0.02), 0.05, 0.0055, 10_000, 0),  # the level .001 is out of reach, and nobody asked for it
        ((0.0055, 0.0, 0.02), 0.0001, 0.0055, 10_000, 1_000_000),  # held up by R: alpha is out of reach
        ((0.0055, 0.0, 0.02), 0.01, 0.0055, 10_000, 50_000),  # no resample reaches it: both ends fall as 1 / R
        ((1.0, 0.0, 1.0), 1e-5, 1.0, 10_000, 0),  # no number that is drawn can show a difference
        ((0.0055, 0.002, 0.02), 0.05, 0.0055, 10_000, 0),  # reached by some resamples: more cannot lower it for certain
        ((0.2, 0.19, 0.21), 0.05, 0.06, 100, 0),  # R is too small to reject, but this p is large anyway
    ],
)
def test_when_more_are_drawn(
    p: tuple[float, float, float], alpha: float, least: float, resamples: int, expected: int
) -> None:
    """Drawing goes on while alpha is near p, or while R alone keeps a p from alpha, up to a bound."""
    assert enough.wanted(Drawn(resamples), [of(*p, resamples, least_p=least)], alpha) == expected


def test_an_expensive_run_ends_early() -> None:
    """Where a resample costs much, the bound is lower, but never below what is drawn first."""
    near = (0.048, 0.044, 0.052)
    dear = enough.PRODUCTS // 30_000
    assert enough.wanted(Drawn(10_000, dear), [of(*near, 10_000)], 0.05) == 30_000
    assert enough.wanted(Drawn(30_000, dear), [of(*near, 30_000)], 0.05) == 0
    assert enough.wanted(Drawn(10_000, enough.PRODUCTS), [of(*near, 10_000)], 0.05) == 0
    # two digits and zeros: a number that a person can read, and no second run for a few more
    assert enough.wanted(Drawn(10_000, enough.PRODUCTS // 34_567), [of(*near, 10_000)], 0.05) == 34_000
    assert enough.wanted(Drawn(10_000, enough.PRODUCTS // 20_100), [of(*near, 10_000)], 0.05) == 20_000
    assert enough.wanted(Drawn(10_000, enough.PRODUCTS // 19_900), [of(*near, 10_000)], 0.05) == 0


def test_the_pairs_of_a_large_grid_are_work_too() -> None:
    """Of 300 systems on 20 questions the pairs cost most: under max-T, too, the bound counts them."""
    testset = Testset("t", "scores", 20)
    rng = np.random.default_rng(4)
    outputs = [Outputs(f"s{k}", tuple(map(str, rng.integers(0, 2, 20)))) for k in range(300)]
    study = Study(testset, tuple(outputs), (("own_scores", {}),), ("approximate_randomization",), resamples=100)
    done = matrix.run(study)
    assert done.products == 20 * 300 * 2 + enough.PRODUCTS_OF_SCORE * 300 * 299 // 2
    assert enough.wanted(replace(done, resamples=10_000), [of(0.048, 0.044, 0.052, 10_000)], 0.05) == 0


def test_the_neediest_result_decides() -> None:
    """Of several results the one that needs most is asked for; exact ones, without resamples, need none."""
    far, near, exact = of(0.2, 0.19, 0.21, 10_000), of(0.048, 0.044, 0.052, 10_000), of(0.05, 0.05, 0.05, 0)
    assert enough.wanted(Drawn(10_000), [far, exact], 0.05) == 0
    assert enough.wanted(Drawn(10_000), [far, near, exact], 0.05) == 50_000
    assert enough.wanted(Drawn(10_000), [], 0.05) == 0


def test_an_undefined_p_needs_no_more() -> None:
    """More resamples do not define a p."""
    nan = float("nan")
    assert enough.wanted(Drawn(10_000), [of(nan, nan, nan, 10_000)], 0.05) == 0


@pytest.mark.parametrize("resamples", ["many", "1e4"])
def test_only_one_word_is_known(resamples: str) -> None:
    """Any other word than auto is refused."""
    with pytest.raises(OptionError, match="auto"):
        Study(*score_set([1.0], [2.0]), resamples=resamples)


def test_a_requested_number_is_drawn_as_it_is() -> None:
    """A number is drawn once, however unsure the verdict is."""
    near = of(0.048, 0.044, 0.052, 300)
    study = Study(*score_set([1.0], [2.0]), resamples=300)
    assert enough.draw(study, lambda one: Drawn(one.resamples), lambda run: [near]) == Drawn(300)


def test_automatic_resamples_give_the_run_of_that_number() -> None:
    """A pair near alpha is drawn until it is settled; the counts are those of a run of that many, bit for bit."""
    rng = np.random.default_rng(3)
    base = rng.normal(size=150)
    testset, outputs = score_set(base + rng.normal(0.165, 1, 150), base, base + rng.normal(1, 1, 150))
    systems = outputs[:2]
    settings = Settings("two-sided", correction="none")

    def work(study: Study) -> MatrixRun:
        return matrix.run(study, Runtime(executor=Serial()))

    def read(run: MatrixRun) -> list[MatrixResult]:
        return [matrix.read(run, "own_scores", AR, settings)]

    study = Study(testset, systems, OWN, [AR])
    first = read(work(study))[0]
    alpha = float(first.p_values[0, 1]) + 0.001  # near enough that 10,000 do not settle it
    found = enough.draw(replace(study, alpha=alpha, resamples="auto"), work, read)
    assert found.resamples > enough.START
    result, same = read(found)[0], read(work(replace(study, resamples=found.resamples)))[0]
    assert (result.p_values == same.p_values).all()
    assert not result.undecided(alpha).any()
    pair = compare.run(
        Study(testset, systems, OWN, [AR], resamples=found.resamples), runtime=Runtime(executor=Serial())
    )
    assert compare.read(pair, "own_scores", settings).results[0].p_value == result.p_values[0, 1]


@pytest.mark.parametrize(
    ("pairs", "metrics", "first"),
    [
        (1, 1, 10_000),
        (44_850, 1, 10_000),  # 300 systems
        (44_850, 3, 3_700),
        (124_750, 1, 4_000),  # 500 systems
        (499_500, 1, 1_000),
        (4_498_500, 2, 1_000),  # never fewer: 1 / 1,001 is below each level of the colours
    ],
)
def test_the_first_resamples_of_a_large_joint_null_fit_into_the_bound_of_work(
    pairs: int, metrics: int, first: int
) -> None:
    """Every shuffle costs a score of each pair, so a thousand systems begin with 1,000 and end there."""
    assert enough.opening(pairs, metrics) == first
    work = pairs * metrics * enough.PRODUCTS_OF_SCORE
    assert enough.wanted(Drawn(first, work), [of(0.048, 0.044, 0.052, first)], 0.05) in (0, 50_000)
    if pairs > 100_000:
        assert enough.wanted(Drawn(first, work), [of(0.048, 0.044, 0.052, first)], 0.05) == 0


def test_only_a_joint_null_begins_with_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under max-T the grid has as many as the bound allows, under Holm pairs go on alone, and one pair has no joint null."""
    monkeypatch.setattr(enough, "PRODUCTS", 15 * enough.PRODUCTS_OF_SCORE * 2_345)
    systems = [Outputs(f"s{k}", tuple(f"{(i * (k + 3)) % 7}.5" for i in range(40))) for k in range(6)]
    asked = Study(Testset("t", "scores", 40), systems, [("own_scores", {})], settings=Settings(correction="joint"))
    asked = replace(asked, resamples=AUTO)
    assert enough.first(asked) == 2_300
    drawn: list[int | str] = []

    def work(one: Study) -> Drawn:
        drawn.append(one.resamples)
        return Drawn(int(one.resamples))

    for study in (asked, replace(asked, settings=Settings(correction="holm")), asked.of_pair(*systems[:2])):
        enough.draw(study, work, lambda run: [])
    assert drawn == [2_300, 10_000, 10_000]
