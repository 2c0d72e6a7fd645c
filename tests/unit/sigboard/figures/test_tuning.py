"""The figures of the tuning page: what they draw is what the result says."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sigboard.questions.tuning import figure
from sigcore import Testset
from sigcore.studies import tuning

PLAN = tuning.TuningPlan(methods=(("te_listmle", {"epochs": 4}), ("mbr", {})), replicates=2, resamples=200)


def made(split: float = 0.5, metric: str = "bleu", **more: Any) -> tuning.TuningResult:
    """Two methods on made lists of 40 segments, of which the second hypothesis is the best."""
    words = ["red", "blue", "green", "small"] * 10
    texts = [text for word in words for text in (f"a {word} boat sail", f"the {word} boat sails home", f"{word} ship")]
    features = np.array([[k == 1, (i * 7 + k) % 5] for i in range(len(words)) for k in range(3)], dtype=float)
    lists = tuning.KBest(
        "made",
        tuple(texts),
        np.arange(0, 3 * len(words) + 1, 3),
        ("Good", "Noise"),
        features,
        np.full(len(texts), np.nan),
    )
    gold = tuple(f"the {word} boat sails home" for word in words)
    plan = replace(PLAN, split=split, **more)
    return tuning.rerank(lists, Testset("made", "text", len(words), (gold,)), tuning.Target.of(metric), plan)


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_every_run_is_its_gain_over_the_baseline_of_the_same_segments(metric: str) -> None:
    """Circles are gains over the baseline of their own part, positive where better, so both parts fit one axis."""
    result = made(metric=metric)
    result = replace(result, dev=replace(result.dev, baseline=result.dev.baseline - 7))  # as of other segments
    drawn = figure.scores(result, "light")
    sign = 1 if metric == "bleu" else -1
    assert result.test is not None
    for name, side, part in (("held out", "test", result.test), ("tuned on", "dev", result.dev)):
        circles = next(trace for trace in drawn.data if trace.name == name)
        assert list(circles.x) == [sign * (getattr(item, side) - part.baseline) for item in result.replicates]
        assert [round(y) for y in circles.y] == [0, 0, 1]
        assert f"{part.baseline:.2f} {name}" in drawn.layout.annotations[0].text
    assert drawn.layout.shapes[0].x0 == 0


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_intervals_are_those_of_the_gain(metric: str) -> None:
    """The ends and the middle are those of the tests."""
    result = made(metric=metric)
    bars = next(trace for trace in figure.scores(result, "dark").data if "interval" in trace.name)
    known = [item for item in result.tests if not math.isnan(item.interval[0])]
    assert len(known) == len(bars.x) > 0
    for item, average, up, down in zip(known, bars.x, bars.error_x.array, bars.error_x.arrayminus, strict=True):
        assert average == item.gain
        assert (average - down, average + up) == pytest.approx(item.interval)


def test_without_held_out_segments_there_is_one_kind_of_circle() -> None:
    """Tuning on all segments shows gains over their baseline, and no interval."""
    result = made(split=1.0)
    drawn = figure.scores(result, "light")
    assert [trace.name for trace in drawn.data] == ["tuned on"]
    assert list(drawn.data[0].x) == [item.dev - result.dev.baseline for item in result.replicates]
    assert "segments tuned on" in figure.scores_alt(result)


def test_courses_of_several_methods_lie_over_each_other() -> None:
    """Each method has one colour, the metric of every run, and its loss as a share of its range."""
    methods = (("te_listmle", {"epochs": 6}), ("top_n", {"epochs": 6}), ("pro", {}))
    result = made(methods=methods, random_start=True)
    drawn = figure.overlay(result, ["te_listmle", "top_n", "pro"], "light")
    metric = [trace for trace in drawn.data if trace.yaxis in (None, "y")]
    loss = [trace for trace in drawn.data if trace.yaxis == "y2"]
    runs = [run for name in ("te_listmle", "top_n", "pro") for run in result.of(name)]
    assert [list(trace.y) for trace in metric] == [[step.value for step in run.iterations[0].steps] for run in runs]
    assert len({trace.line.color for trace in metric}) == 3
    assert [trace.showlegend for trace in metric] == [True, False] * 3
    for run, trace in zip([run for run in runs if not math.isnan(run.iterations[0].steps[0].loss)], loss, strict=True):
        own = [step.loss for step in run.iterations[0].steps]
        assert list(trace.customdata) == own
        assert (min(trace.y), max(trace.y)) == (0, 1)
        assert list(np.argsort(trace.y)) == list(np.argsort(own))
    assert "best" in figure.overlay_alt(result, ["te_listmle"])


def test_policies_are_drawn_side_by_side() -> None:
    """A combination under both policies has a row for each listwise method, with the average of its runs; PRO has none."""
    from tests.made import text_set

    testset, outputs = text_set(60, (0.25, 0.3, 0.3))
    methods = (("te_listmle", {"epochs": 3}), ("pro", {}), ("listnet", {"epochs": 3}))
    plan = replace(PLAN, methods=methods, iterations=2, size=4, policies=tuning.POLICIES)
    result = tuning.combine(outputs, testset, tuning.Target.of("bleu"), plan)
    assert figure.settings(result) == ["policy"]
    drawn = figure.policies(result, "light")
    assert list(drawn.layout.yaxis.ticktext) == ["top-rank enhanced ListMLE", "ListNet"]
    assert result.test is not None
    assert drawn.layout.shapes[0].x0 == result.test.baseline
    for policy, name in (("aggregate", "aggregated lists"), ("merge", "merged lists")):
        (trace,) = [trace for trace in drawn.data if trace.name == name]
        for method, average in zip(("te_listmle", "listnet"), trace.x, strict=True):
            assert average == pytest.approx(np.mean([run.test for run in result.of(f"{method} {policy}")]))
    assert "ListNet aggregate" in figure.policies_alt(result)
    assert figure.settings(made()) == []


def test_the_course_has_the_loss_and_the_metric_of_every_epoch() -> None:
    """Both panels have one line for each replicate, with the steps that it reported."""
    result = made()
    drawn = figure.course(result, "te_listmle", "light")
    metric = [trace for trace in drawn.data if trace.yaxis in (None, "y")]
    loss = [trace for trace in drawn.data if trace.yaxis == "y2"]
    assert len(metric) == len(loss) == 2
    for run, above, below in zip(result.of("te_listmle"), metric, loss, strict=True):
        assert list(above.y) == [step.value for step in run.iterations[0].steps]
        assert list(below.y) == [step.loss for step in run.iterations[0].steps]


def test_a_choice_without_weights_has_no_course() -> None:
    """Only methods that report steps are offered."""
    assert figure.has_course(made()) == ["te_listmle"]


def test_the_live_figure_turns_scores_where_lower_is_better() -> None:
    """Steps hold the oriented metric; the axis has the metric as people know it, and each method one entry."""
    steps = (tuning.Step(1, 0.5, -40.0), tuning.Step(2, 0.4, -30.0))
    drawn = figure.live({("pro", 1): steps, ("pro", 2): steps, ("top_n n:2", 1): steps}, "TER", "lower", "light")
    assert [list(trace.y) for trace in drawn.data] == [[40.0, 30.0]] * 3
    assert [trace.name for trace in drawn.data if trace.showlegend] == ["PRO", "top-n ListMLE n:2"]


@pytest.mark.parametrize("split", [0.5, 1.0])
def test_a_sweep_has_every_run_and_their_averages(split: float) -> None:
    """A line for each method with the average score under every value, in order, and a circle for each run; the dashed
    line is the baseline of the same part."""
    methods = (("top_n", {"epochs": 4, "n": 2}), ("top_n", {"epochs": 4, "n": 1}), ("te_listmle", {"epochs": 4}))
    result = made(split, methods=methods, sizes=(2, 3))
    assert figure.settings(result) == ["n", "k"]
    for setting, lines, ticks in (("n", 2, ["1", "2"]), ("k", 3, ["2", "3"])):
        drawn = figure.sweep(result, setting, "light")
        assert list(drawn.layout.xaxis.ticktext) == ticks
        averages, circles = drawn.data[::2], drawn.data[1::2]
        assert len(averages) == len(circles) == lines
        for item, line, runs in zip((s for s in result.sweeps if s.setting == setting), averages, circles, strict=True):
            scores = [[one.test if split < 1 else one.dev for one in result.of(name)] for _, name in item.values]
            assert list(line.y) == pytest.approx([np.mean(own) for own in scores])
            assert list(runs.y) == [score for own in scores for score in own]
            assert list(runs.x) == [0, 0, 1, 1]
            assert f"{item.title} " in figure.sweep_alt(result, setting)
        part = result.dev if result.test is None else result.test
        assert drawn.layout.shapes[0].y0 == part.baseline


def test_values_of_a_sweep_are_evenly_spaced() -> None:
    """A method without one of the values has no point there."""
    methods = tuple(("top_n", {"epochs": 2, "n": n}) for n in (1, 2, 10))
    drawn = figure.sweep(made(methods=methods), "n", "dark")
    assert list(drawn.data[0].x) == [0, 1, 2]
    assert list(drawn.layout.xaxis.ticktext) == ["1", "2", "10"]
    assert not drawn.layout.showlegend
