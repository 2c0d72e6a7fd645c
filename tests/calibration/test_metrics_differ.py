"""Metrics that agree equally well with people are called different as often as alpha says; tests that take pairs of
systems for independent call them different far too often."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t as student

from sigcore import corrections
from sigcore.studies.human import metrics_differ, result
from sigcore.studies.human.metrics_differ import mean_over_pairs
from tests.calibration.exchangeable import World, cells, world
from tests.calibration.nulls import band
from tests.stored import stored

LEVELS = (0.05, 0.01)
METRICS = 5
HOLM = corrections.get("holm").adjust


def worlds(seed: int, replications: int, systems: int, noise: float, alpha: float = 0.05) -> list[World]:
    return [
        world(np.random.default_rng(child), systems, noise, METRICS, alpha)
        for child in np.random.SeedSequence(seed).spawn(replications)
    ]


def of_pair(found: World, a: int, b: int) -> float:
    """p of the difference in accuracy between two metrics."""
    return mean_over_pairs(found.right[a].astype(float) - found.right[b], found.pairs).p_value


def rate(p: list[float], alpha: float) -> float:
    """The share of p-values at most alpha; an undefined p rejects nothing."""
    return float((np.nan_to_num(np.array(p), nan=1.0) <= alpha).mean())


def hold_the_level(seed: int, replications: int, systems: int, noise: float, alpha: float) -> None:
    """The t of two of the metrics inside the band; Holm's over all ten pairs not above it at .05.

    At .01 Holm looks at p near .001, where a t with estimated degrees of freedom is only good to a factor of two.
    """
    made = worlds(seed, replications, systems, noise, alpha)
    first = [of_pair(found, 0, 1) for found in made]
    whole = [
        float(HOLM(np.nan_to_num([of_pair(w, a, b) for a in range(METRICS) for b in range(a)], nan=1.0)).min())
        for w in made
    ]
    for level in LEVELS:
        low, high = band(replications, level)
        assert low <= rate(first, level) <= high, (systems, noise, alpha, level, rate(first, level))
        most = high if level >= 0.05 else max(high, 2 * level)
        assert rate(whole, level) <= most, (systems, noise, alpha, level, rate(whole, level))


@pytest.mark.parametrize("systems", [11, 20])
def test_the_t_of_accuracies_holds_its_level_quick(systems: int) -> None:
    """Inside the exact binomial 99.9% band of 400 campaigns at .05 and .01."""
    hold_the_level(systems, 400, systems, 0.5, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.05, 0.001])
@pytest.mark.parametrize("noise", [0.3, 0.6, 1.2])
@pytest.mark.parametrize("systems", [11, 20])
def test_the_t_of_accuracies_holds_its_level(systems: int, noise: float, alpha: float) -> None:
    """The same on 3000 campaigns, for metrics that agree well and badly."""
    hold_the_level(7, 3000, systems, noise, alpha)


@pytest.mark.slow
@pytest.mark.parametrize("systems", [5, 6, 8, 40])
def test_the_t_of_accuracies_with_few_and_many_systems(systems: int) -> None:
    """With fewer systems it may be careful, never too bold; with many it is inside the band."""
    p = [of_pair(found, 0, 1) for found in worlds(8, 3000, systems, 0.5)]
    for level in LEVELS:
        low, high = band(3000, level)
        assert rate(p, level) <= high
        assert systems < 11 or rate(p, level) >= low


def plain_jackknife(found: World) -> float:
    """p of the difference in accuracy of two metrics by the jackknife variance as it is, with S - 1 degrees of freedom."""
    values = found.right[0].astype(float) - found.right[1]
    systems = np.unique(found.pairs)
    without = np.array([values[(found.pairs != s).all(axis=1)].mean() for s in systems])
    error = np.sqrt((len(systems) - 1) / len(systems) * ((without - without.mean()) ** 2).sum())
    return float(2 * student.sf(abs(values.mean()) / error, len(systems) - 1))


@pytest.mark.parametrize("systems", [11, 20])
def test_the_plain_jackknife_is_too_careful_quick(systems: int) -> None:
    """It rejects in 1 to 3% of all cases (less their Monte Carlo error) at 0.05."""
    found = rate([plain_jackknife(w) for w in worlds(14, 400, systems, 0.5)], 0.05)
    assert 0.002 < found < 0.045


@pytest.mark.slow
@pytest.mark.parametrize("systems", [11, 20])
@pytest.mark.parametrize("noise", [0.3, 0.6])
def test_the_plain_jackknife_is_too_careful(systems: int, noise: float) -> None:
    """The rates that docs/human.md gives, to the printed digit, on 3000 campaigns, below the band."""
    found = rate([plain_jackknife(w) for w in worlds(15, 3000, systems, noise)], 0.05)
    lowest, highest = stored("human.jackknife.low") - 0.005, stored("human.jackknife.high") + 0.005
    assert lowest < found < highest < band(3000)[0]


def papers(seed: int, replications: int, systems: int) -> dict[str, float]:
    """How often tests that take pairs of systems for independent reject at .05."""
    made = worlds(seed, replications, systems, 0.5)
    couples = [(a, b) for a in range(METRICS) for b in range(a)]
    p = {
        "cochran": [result.cochran_q(w.right)[2] for w in made],
        "mcnemar": [min(result.mcnemar(w.right[a], w.right[b])[2] for a, b in couples) for w in made],
        "chi_square": [result.chi_square(w.right.sum(axis=1), len(w.pairs))[2] for w in made],
    }
    return {name: rate(values, 0.05) for name, values in p.items()}


def test_cochrans_q_rejects_too_often_quick() -> None:
    """Five equal metrics on 11 systems: Cochran's Q rejects in more than a fifth of all campaigns instead of 5%, some
    McNemar test (uncorrected) in more than two fifths, chi-square too above its band; on 20 systems Q in two fifths."""
    few, many = papers(1, 400, 11), papers(2, 200, 20)
    assert few["cochran"] > 0.2 > band(400)[1]
    assert few["mcnemar"] > 0.4
    assert few["chi_square"] > band(400)[1]
    assert many["cochran"] > 0.4


@pytest.mark.slow
def test_cochrans_q_rejects_too_often() -> None:
    """The rates that docs/human.md gives, within 3 points on 4000 campaigns."""
    few, many = papers(3, 4000, 11), papers(4, 4000, 20)
    (_, *of_q), (_, of_mcnemar, _), (_, of_chi_square, _) = stored("human.papers_tests")
    assert [few["cochran"], many["cochran"]] == pytest.approx(of_q, abs=0.03)
    assert few["mcnemar"] == pytest.approx(of_mcnemar, abs=0.03)
    assert few["chi_square"] == pytest.approx(of_chi_square, abs=0.03)


# ---- intervals of one accuracy, and of a difference


def coverage(seed: int, replications: int, systems: int) -> tuple[float, float]:
    """How often the exact interval and that by systems hold the expected accuracy."""
    made = [world(np.random.default_rng((seed, k)), systems, 0.5, 1) for k in range(replications)]
    truth = 100 * np.mean([w.right.mean() for w in made])
    exact, by_system = [], []
    for found in made:
        right = found.right[0]
        _, low, high = result.percent(int(right.sum()), len(right))
        exact.append(low <= truth <= high)
        low, high = result.leave_one_out(right, found.pairs)
        by_system.append(low <= truth <= high)
    return float(np.mean(exact)), float(np.mean(by_system))


def test_intervals_by_systems_hold_the_accuracy_quick() -> None:
    """The exact interval holds the expected accuracy in less than 90% of 400 campaigns, the one by systems in at least
    95% less the Monte Carlo error."""
    exact, by_system = coverage(5, 400, 11)
    assert exact < 0.9 < 1 - band(400)[1] <= by_system


@pytest.mark.slow
def test_intervals_by_systems_hold_the_accuracy() -> None:
    """The rates that docs/human.md gives, within 2 points on 4000 campaigns."""
    exact, by_system = coverage(6, 4000, 11)
    assert exact == pytest.approx(stored("human.interval.exact"), abs=0.03)
    assert by_system == pytest.approx(stored("human.interval.by_systems"), abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("systems", [11, 20])
def test_intervals_of_differences_hold_the_difference(systems: int) -> None:
    """Where one metric is better, the 95% interval of the difference holds it in 95% of 3000 campaigns (99.9 % band)."""
    made = [world(np.random.default_rng((9, k)), systems, (0.3, 0.8), 2) for k in range(3000)]
    differences = [found.right[0].astype(float) - found.right[1] for found in made]
    truth = np.mean([d.mean() for d in differences])
    assert truth > 0.05
    means = [mean_over_pairs(d, found.pairs) for d, found in zip(differences, made, strict=True)]
    missed = np.mean([not mean.low <= truth <= mean.high for mean in means])
    low, high = band(3000)
    assert low <= missed <= high


# ---- swaps


def of_swaps(seed: int, replications: int, systems: int, noise: float) -> dict[str, list[float]]:
    """p of every measure for two equal metrics by swapping the scores of systems."""
    p: dict[str, list[float]] = {}
    for found in worlds(seed, replications, systems, noise):
        values = metrics_differ.swap_tests(found.scores[:2, :, None], found.target, "systems", seed)[:, 0]
        for (measure, _), value in zip(found.target.asked, values, strict=True):
            p.setdefault(measure, []).append(float(value))
    return p


def swaps_hold_the_level(seed: int, replications: int, systems: int, noise: float) -> None:
    """Pearson's r inside the band; accuracies and tau, which have few values, not above it, and not idle."""
    for measure, p in of_swaps(seed, replications, systems, noise).items():
        for level in LEVELS:
            low, high = band(replications, level)
            assert rate(p, level) <= high, (measure, systems, noise, level, rate(p, level))
            if measure == "pearson":
                assert rate(p, level) >= low, (measure, systems, noise, level, rate(p, level))
        assert rate(p, 0.05) > 0.01


def test_swaps_of_systems_hold_their_level_quick() -> None:
    """Swapping the standardised scores of 11 systems between two equal metrics, 200 campaigns."""
    swaps_hold_the_level(10, 200, 11, 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("systems", "noise", "replications"), [(8, 0.5, 2000), (11, 0.3, 2000), (11, 0.6, 2000), (20, 0.6, 600)]
)
def test_swaps_of_systems_hold_their_level(systems: int, noise: float, replications: int) -> None:
    """The same on more campaigns, with 20 systems by a sample of all swaps."""
    swaps_hold_the_level(11, replications, systems, noise)


@pytest.mark.parametrize("swapped", ["inputs", "both"])
def test_swaps_of_inputs_hold_their_level_on_their_null_quick(
    swapped: metrics_differ.Swapped, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where single scores could change places, swapping inputs or single scores holds the level: Pearson's r inside the
    band of 400 campaigns, the others not above it."""
    monkeypatch.setattr(metrics_differ, "DRAWS", 199)
    p = []
    for child in np.random.SeedSequence(12).spawn(400):
        scores, target = cells(np.random.default_rng(child), 8, 60)
        p.append(metrics_differ.swap_tests(scores, target, swapped, int(child.generate_state(1)[0]))[:, 0])
    for k, (measure, _) in enumerate(target.asked):
        for level in LEVELS:
            low, high = band(400, level)
            found = rate([float(values[k]) for values in p], level)
            assert found <= high, (measure, level, found)
            assert measure != "pearson" or found >= low


@pytest.mark.parametrize("swapped", ["inputs", "both"])
def test_swaps_of_inputs_say_nothing_about_other_systems_quick(
    swapped: metrics_differ.Swapped, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where metrics are equal but like systems of their own, swaps of inputs or single scores reject several times too
    often: they ask about other inputs for the same systems."""
    monkeypatch.setattr(metrics_differ, "DRAWS", 199)
    p = []
    for child in np.random.SeedSequence(13).spawn(200):
        rng = np.random.default_rng(child)
        found = world(rng, 11, 0.5, 2)
        scores = found.scores[..., None] + rng.normal(0, 1, (2, 11, 60))
        values = metrics_differ.swap_tests(scores, found.target, swapped, int(rng.integers(2**31)))
        p.append(float(values[2, 0]))
    assert rate(p, 0.05) > 3 * 0.05 > band(200)[1]
