"""The pure helpers of the benchmarks: ratios, goals, mixtures, and where a curve's labels go."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from benchmarks import common, draw, resampling, speed
from benchmarks.common import Goal, Spread, Took
from sigcore import SufficientStatistics


def statistics_of(values: np.ndarray, name: str) -> SufficientStatistics:
    """Statistics whose score is the sum of the first column."""
    columns = tuple(f"c{k}" for k in range(values.shape[1]))
    return SufficientStatistics(name, columns, values, lambda sums: sums[..., 0], "higher", "")


def test_ratios_pair_the_rounds() -> None:
    """A ratio belongs to one round: it is their time over ours, or the other way round."""
    rounds = [(Took(1, 2), Took(4, 4)), (Took(2, 2), Took(4, 20)), (Took(1, 1), Took(3, 3))]
    assert common.ratios(rounds, "cpu") == Spread(3, 2, 4)
    assert common.ratios(rounds, "wall") == Spread(3, 2, 10)
    assert common.ratios(rounds[:1], "cpu", inverse=True) == Spread(0.25, 0.25, 0.25)


@pytest.mark.parametrize(("unit", "met"), [("x", True), ("s", False), ("MB", False)])
def test_goal_knows_its_direction(unit: str, met: bool) -> None:
    """A ratio must be at least what is wanted, everything else at most."""
    assert Goal("what", 10, unit, Spread(12, 9, 13)).met is met
    free = Goal("what", None, unit, Spread(12, 9, 13))
    assert free.met
    assert free.goal == "no goal"


def test_shuffles_alone_run() -> None:
    """The benchmark of shuffles without intervals calls the engine as it is today."""
    first, second = (statistics_of(np.random.default_rng(k).random((20, 1)), f"s{k}") for k in range(2))
    assert resampling.shuffles([(first, second)], 50).wall > 0


def test_mixtures_take_whole_segments() -> None:
    """Every segment of a mixture is that of a real system, and the real ones come first."""
    systems = tuple(statistics_of(np.arange(80.0).reshape(40, 2) + 100 * k, f"s{k}") for k in range(3))
    mixed = common.mixtures(systems, 6)
    assert mixed[:3] == systems
    assert len({item.system for item in mixed}) == 6
    for item in mixed[3:]:
        sources = (item.values - systems[0].values) / 100
        assert np.isin(sources, [0, 1, 2]).all()
        assert (sources[:, 0] == sources[:, 1]).all()
        assert len(np.unique(sources)) == 2


def test_segments_are_the_same_for_all() -> None:
    """Drawn segments are the same ones for every system."""
    systems = tuple(statistics_of(np.arange(20.0).reshape(20, 1) + 100 * k, f"s{k}") for k in range(2))
    first, second = common.segments(systems, 50)
    assert first.n == 50
    assert np.array_equal(second.values - first.values, np.full((50, 1), 100.0))


def test_a_child_is_measured() -> None:
    """A child's peak is its own, not that of the process which starts it; its output is handed on."""
    ballast = np.ones(30_000_000)  # 240 MB
    took, said = common.child([sys.executable, "-S", "-c", "print(sum(range(10**7)))"])  # seen by the coarsest clock
    assert said == "49999995000000\n"
    assert 1 < took.peak < 100
    assert took.cpu > 0
    assert ballast.nbytes == 240_000_000


def test_a_failed_child_is_reported() -> None:
    """A child that fails is not timed: its message is raised."""
    with pytest.raises(RuntimeError, match="no such thing"):
        common.child([sys.executable, "-c", "raise SystemExit('no such thing')"])


def test_labels_keep_apart() -> None:
    """Labels lie at least so far apart, in the order of what they name, and stay where there is room."""
    assert draw.spread([100.0, 10.0, 104.0], 20) == [92.0, 10.0, 112.0]
    places = draw.spread([50.0, 50.0, 60.0, 62.0], 15)
    assert np.diff(sorted(places)).min() >= 15 - 1e-9
    assert sorted(range(4), key=lambda k: places[k]) == [0, 1, 2, 3]


def test_chart_is_sound_and_literal() -> None:
    """The SVG is sound XML, on a logarithmic scale, and shows names letter by letter."""
    line = draw.Line("<b> & c", ((10.0, 0.01), (100.0, 0.1), (1000.0, 1.0)), 0)
    text = draw.chart("a < b", "a note", "R", [line])
    root = ElementTree.fromstring(text)
    found = [item.text for item in root.iter() if item.tag.endswith("text")]
    assert {"<b> & c", "a < b", "a note", "0.01 s", "1,000"} <= set(found)
    (curve,) = (item for item in root.iter() if item.tag.endswith("polyline"))
    xs = [float(point.split(",")[0]) for point in curve.attrib["points"].split()]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.2)


def test_a_goal_in_imports_is_free_of_the_machine() -> None:
    """Seconds of the machine for which a goal was set become times of importing numpy, there .1 s."""
    slow = [(Took(3, 2), Took(0.3, 0.2)), (Took(3, 4), Took(0.3, 0.2)), (Took(3, 6), Took(0.3, 0.4))]
    goal = common.imports("what", 1.5, slow)
    assert goal.wanted == pytest.approx(15)
    assert goal.judged == Spread(pytest.approx(15), pytest.approx(10), pytest.approx(20))
    assert goal.met
    assert goal.beside == "4 (2 to 6) s; CPU 3 s"


def made(*goals: Goal) -> dict[str, Any]:
    """Results of a benchmark with these goals."""
    return {"tuning": {"goals": [{**asdict(goal), "met": goal.met, "goal": goal.goal} for goal in goals]}}


def test_every_missed_goal_has_its_reason() -> None:
    """The page says of each goal that is missed, and of no other, why; and of those that this project missed, a reason."""
    met, late = (Goal("sigboard list", 3.5, "times", Spread(k, k, k)) for k in (3, 4))
    assert speed.missed(made(met)) == ""
    assert (
        speed.missed(made(met, late))
        == f"## Why goals are missed\n\n- sigboard list: {speed.REASONS['sigboard list']}\n"
    )
    assert speed.missed(made(Goal("new", 1, "s", Spread(2, 2, 2)))).endswith("- new: not looked into yet.\n")
    results = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in common.RESULTS.glob("*.json")}
    assert results
    assert "not looked into yet" not in speed.missed(results)
