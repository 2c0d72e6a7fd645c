"""Equal enough: two one-sided tests against a margin, from the draws of the test itself."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sigcore.errors import OptionError
from sigcore.results import equal_enough
from sigcore.studies import compare
from sigcore.studies.intervals import Possible, tango
from sigcore.study import Study
from tests.drawn import DRAWN
from tests.made import score_set, text_set
from tests.oracles.inverted_intervals import p_at_most
from tests.unit.sigcore.studies.test_gain_intervals import masks_of

OWN = [("own_scores", {})]
AR = "approximate_randomization"


def found(testset, outputs, test, margin, metric="own_scores", **more):
    """The equivalence of a pair under a test."""
    study = Study(testset, outputs, [(metric, {})], [test], **{"resamples": 300} | more)
    return compare.read(compare.run(study), metric, margin=margin).result(test, "two-sided").equivalence


def test_randomization_is_that_of_plain_loops():
    """Both p are those of draw after draw in plain Python; the second test is the first with the systems exchanged."""
    testset, outputs = text_set(14, (0.1, 0.12))
    run = compare.run(Study(testset, outputs, [("bleu", {})], [AR], resamples=300))
    one = compare.read(run, "bleu", margin=20.0).result(AR, "two-sided").equivalence
    pair = run.matrix.summed[0].systems
    sizes = (pair[0].values[:, 1] + pair[1].values[:, 1]).tolist()
    left, right = (item.values.tolist() for item in pair)
    masks = masks_of(300, 14).astype(int).tolist()

    def score(sums):
        return float(pair[0].score(np.array(sums)))

    worse = p_at_most(-20.0, left, right, masks, score, sizes)
    better = p_at_most(-20.0, right, left, masks, score, sizes)
    assert one.p_worse == worse
    assert one.p == max(worse, better)
    assert len({worse, better, 1 / 301}) == 3


@pytest.mark.parametrize("test", ["bootstrap_shift", "two_delta_bootstrap", "paired_bootstrap"])
def test_a_bootstrap_counts_its_own_resamples(test):
    """Skewed scores: the shifted gains that are at least g - delta above their centre, or for the paired one at most delta."""
    rng = np.random.default_rng(4)
    testset, outputs = score_set(rng.exponential(1.0, 40), rng.exponential(0.3, 40))
    run = compare.run(Study(testset, outputs, OWN, [test], resamples=500))
    null, possible = run.nulls[0][test], run.possible[0][test]
    gain = compare.read(run, "own_scores").gain
    for delta in (-0.2, 0.0, 0.4, 0.6, 0.9):
        paired = test == "paired_bootstrap"
        below = null <= delta if paired else null >= gain - delta
        above = null >= delta if paired else null <= gain - delta
        assert possible.at_most(delta) == pytest.approx((1 + below.sum()) / 501)
        assert possible.at_least(delta) == pytest.approx((1 + above.sum()) / 501)


@pytest.mark.parametrize("test", DRAWN)
def test_equal_within_the_interval_of_twice_alpha(test):
    """At alpha the two tests agree with one-sided tests of the same kind: margins just beyond the far end show equality."""
    rng = np.random.default_rng(2)
    left = rng.normal(0, 1, 60)
    testset, outputs = score_set(left, left + rng.normal(0.05, 0.2, 60))
    run = compare.run(Study(testset, outputs, OWN, [test], resamples=2000))
    margins = np.linspace(0.001, 0.4, 150)
    p = [compare.read(run, "own_scores", margin=m).result(test, "two-sided").equivalence.p for m in margins]
    assert (np.diff(p) <= 0).all()
    assert p[0] > 0.05 > p[-1]
    first = margins[next(k for k, value in enumerate(p) if value <= 0.05)]
    gain = compare.read(run, "own_scores").gain
    deviation = float(np.std(left - np.array([float(x) for x in outputs[1].segments]), ddof=1)) / np.sqrt(60)
    assert first == pytest.approx(abs(gain) + 1.671 * deviation, abs=0.012)  # t with 59 degrees of freedom


def test_the_observed_gain_decides_nothing():
    """At the observed gain itself about half of the draws count, on both sides together all."""
    testset, outputs = text_set(40, (0.1, 0.3))
    run = compare.run(Study(testset, outputs, [("bleu", {})], [AR], resamples=999))
    possible = run.possible[0][AR]
    gain = run.matrix.draws[0].tallies[AR].gains[0]
    assert possible.at_most(gain) == pytest.approx(0.5, abs=0.05)
    assert possible.at_most(gain) + possible.at_least(gain + 1e-9) == pytest.approx(1 + 1 / 1000, abs=1e-9)


def test_right_and_wrong_units_use_tangos_test():
    """p is .025 exactly at the ends of Tango's 95% interval, in points of the metric, also where lower is better."""
    for better, sign in (("higher", 1), ("lower", -1)):
        left, right = np.zeros(60), np.zeros(60)
        left[:40], right[:30], right[45:48] = 100, 100, 100
        testset, outputs = score_set(left, right)
        run = compare.run(Study(testset, outputs, [("own_scores", {"better": better})], [AR], resamples=300))
        possible = run.possible[0][AR]
        low, high = sorted(sign * 100 * end for end in tango(10, 3, 60))
        assert possible.at_most(low) == pytest.approx(0.025, abs=1e-6)
        assert possible.at_least(high) == pytest.approx(0.025, abs=1e-6)


def test_draws_that_count_for_every_gain_count_on_both_sides():
    """Two of them beside eight others raise both p."""
    possible = Possible(np.arange(8.0), 2)
    assert possible.at_most(-1.0) == 3 / 11
    assert possible.at_least(8.0) == 3 / 11
    assert possible.at_most(3.0) == 7 / 11
    assert possible.at_least(3.0) == 8 / 11


@pytest.mark.parametrize("margin", [0.0, -1.0, float("nan"), float("inf")])
def test_a_margin_must_be_above_zero(margin):
    """Others are refused with what to give."""
    testset, outputs = score_set(np.arange(12.0), np.arange(12.0)[::-1])
    with pytest.raises(OptionError, match="margin"):
        found(testset, outputs, AR, margin)


def test_too_few_units_show_nothing():
    """Below ten units p is undefined, and the sentence says why."""
    testset, outputs = score_set(np.arange(8.0), np.arange(8.0)[::-1])
    run = compare.run(Study(testset, outputs, OWN, [AR], resamples=300))
    result = compare.read(run, "own_scores", margin=1.0).result(AR, "two-sided")
    assert result.equivalence.verdict(0.05) == "undefined"
    assert "too few units" in equal_enough(result)


@pytest.mark.parametrize(
    ("shift", "margin", "verdict", "words"),
    [
        (0.0, 1.0, "equivalent", "are equal within 1.0000"),
        (1.0, 0.5, "not worse", "is not worse than"),
        (0.0, 0.01, "not shown", "It is not shown"),
        (-1.0, 0.5, "not shown", "It is not shown"),
    ],
)
def test_verdicts(shift, margin, verdict, words):
    """Within the margin on both sides, on one, or not."""
    rng = np.random.default_rng(5)
    right = rng.normal(0, 1, 80)
    testset, outputs = score_set(right + rng.normal(shift, 0.3, 80), right)
    run = compare.run(Study(testset, outputs, OWN, [AR], resamples=999))
    result = compare.read(run, "own_scores", margin=margin).result(AR, "two-sided")
    assert result.equivalence.verdict(0.05) == verdict
    assert words in equal_enough(result)
    assert equal_enough(compare.read(run, "own_scores").results[0]) == ""


def test_the_command_writes_it(tmp_path, capsys):
    """`compare --margin` prints the sentence, and the JSON has margin, p and verdict at alpha."""
    from sigboard.terminal import main

    testset, outputs = text_set(60, (0.1, 0.12))
    files = []
    for name, lines in (("ref", testset.references[0]), ("A", outputs[0].segments), ("B", outputs[1].segments)):
        files.append(tmp_path / f"{name}.txt")
        files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = tmp_path / "out.json"
    words = ["compare", "--reference", str(files[0]), "--systems", *map(str, files[1:]), "--margin", "15"]
    assert main([*words, "--resamples", "500", "--json", str(out)]) == 0
    (one,) = json.loads(out.read_text(encoding="utf-8"))["results"]
    assert set(one["equivalence"]) == {"margin", "p", "p_worse", "verdict"}
    assert one["equivalence"]["verdict"] == ("equivalent" if one["equivalence"]["p"] <= 0.05 else "not shown")
    assert main([*words, "--resamples", "500"]) == 0
    assert "equal within 15.00 BLEU" in capsys.readouterr().out
    assert main([*words[:-2], "--resamples", "500", "--json", str(out)]) == 0
    assert "equivalence" not in json.loads(out.read_text(encoding="utf-8"))["results"][0]
    assert main([*words[:-1], "0", "--resamples", "500"]) == 2
