"""What sentences and the axis of a histogram say at their edges: no verdict, one interval, a tail without space."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sigboard.render.bars import bars, clear_gain, lines, p_label, span
from sigboard.render.sentences import family_words, headline, methods
from sigcore.results import Family, Histogram
from tests.unit.factories import compare, matrix, one_test

ONE = Family(1, 1, kind="one planned pair")
NAN = math.nan


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"p_value": NAN, "p_interval": (NAN, NAN)}, "p is undefined here"),
        ({"estimator": "paper"}, "these settings allow none"),
        ({"tie_rule": "strict"}, "these settings allow none"),
    ],
)
def test_why_there_is_no_verdict(settings: dict[str, object], why: str) -> None:
    """Although one of the two leads."""
    found = headline(one_test(**settings), 0.05, ONE)
    assert found == f"Online-B leads Online-A by 0.62 BLEU. No verdict: {why}."


def test_nobody_trails_by_a_difference_that_is_undefined() -> None:
    found = headline(one_test(gain=NAN, p_value=NAN, p_interval=(NAN, NAN)), 0.05, ONE)
    assert found == "The difference between Online-B and Online-A is undefined here. No verdict."


def test_p_at_alpha_is_significant() -> None:
    def beats(p: float) -> bool:
        return " beats " in headline(one_test(p_value=p, p_interval=(p, p)), 0.05, ONE)

    assert beats(0.05)
    assert not beats(0.0501)


@pytest.mark.parametrize(
    ("family", "words"),
    [
        (Family(2, 2, adjusted=0.1), "all 2 pairs"),
        (Family(1, 1, kind="one planned pair", late=True), "a planned pair, "),
        (Family(6, 6, adjusted=0.1, late=True), "all 6 pairs, chosen late"),
    ],
)
def test_few_words_for_a_family(family: Family, words: str) -> None:
    """Two pairs are already all of several."""
    assert family_words(family).startswith(words)


def with_intervals(systems: int, *pairs: tuple[int, int]) -> np.ndarray:
    """Intervals of these pairs; zeros on the diagonal, and else undefined."""
    found = np.full((systems, systems, 2), np.nan)
    found[np.arange(systems), np.arange(systems)] = 0.0
    for i, j in pairs:
        found[i, j], found[j, i] = (0.1, 0.9), (-0.9, -0.1)
    return found


def test_intervals_are_explained_where_there_is_one() -> None:
    """Of scores and of gains, also where most have none; the zeros of the diagonal are no intervals."""
    scores = np.array([40.0, 42.0, 41.0, 39.0, 38.0])
    none, some = np.full((5, 2), np.nan), np.full((5, 2), np.nan)
    some[0] = 39.0, 41.0
    assert "intervals of scores" not in methods(matrix(scores, score_intervals=none), 0.05)
    assert "The 95% intervals of scores are jackknife t" in methods(matrix(scores, score_intervals=some), 0.05)
    assert "Those of gains" not in methods(matrix(scores, gain_intervals=with_intervals(5)), 0.05)
    one = matrix(scores, gain_intervals=with_intervals(5, (0, 1)))
    assert "Those of gains hold the gains" in methods(one, 0.05)


def test_intervals_of_gains_are_not_corrected() -> None:
    """Which is said where p is."""
    given = with_intervals(3, (0, 1), (0, 2), (1, 2))
    alone = "They are of single pairs, not corrected."
    assert alone in methods(matrix(gain_intervals=given), 0.05)
    assert alone not in methods(matrix(gain_intervals=given, correction="none"), 0.05)


def test_an_interval_of_which_an_end_is_missing_is_not_explained() -> None:
    assert "The 95% interval of the gain holds" in methods(one_test(), 0.05)
    for ends in ((NAN, NAN), (0.2, NAN), (NAN, 1.0)):
        assert "interval of the gain" not in methods(one_test(interval=ends), 0.05)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"resamples": 10_000}, "(two-sided; 10,000 resamples of segments, seed 12345; p = (c + 1) / (R + 1), "),
        (
            {"resamples": 20_000, "fewest": 10_000},
            "(two-sided; 10,000 to 20,000 resamples of segments, as many as each pair needs, seed 12345; ",
        ),
        ({"resamples": 0}, "(two-sided, exact) on 1,448 segments"),
        ({"resamples": 0, "by_formula": True}, "(two-sided, by formula) on 1,448 segments"),
        ({"estimator": "paper", "tie_rule": "half"}, "p = c / R, half of the ties counted against the gain) on"),
    ],
)
def test_how_p_was_counted(settings: dict[str, object], words: str) -> None:
    assert words in methods(matrix(**settings), 0.05)


def test_without_any_p_no_formula_is_given() -> None:
    """One pair with a p has one."""
    none = np.full((3, 3), np.nan)
    assert "; no p-value) on" in methods(matrix(p=none), 0.05)
    some = none.copy()
    some[0, 1] = some[1, 0] = 0.03
    assert "p = (c + 1) / (R + 1)" in methods(matrix(p=some), 0.05)
    assert "p = (c + 1) / (R + 1)" in methods(matrix([40.0]), 0.05)
    assert "; no p-value) on" in methods(one_test(p_value=NAN), 0.05)


# ---- the axis of a histogram


@pytest.mark.parametrize(("decimals", "half"), [(2, 0.02), (4, 0.0002), (1, 0.2)])
def test_a_null_of_zero_is_as_wide_as_its_metric_asks(decimals: int, half: float) -> None:
    """A gain of 1 of BLEU is as clear as one of 0.01 of COMET; unless the metric says so, there are two decimals."""
    null = Histogram(np.array([0.0, 0.0]), np.array([5]))
    point = bars(null, (-9.0, 9.0), decimals)
    assert (point.left[0], point.right[0]) == pytest.approx((-half, half))
    assert clear_gain(decimals) == pytest.approx(50 * half)
    assert bars(null, (-9.0, 9.0)).right[0] == pytest.approx(0.02)


@pytest.mark.parametrize(("place", "half"), [(50.0, 1.0), (-50.0, 1.0), (0.5, 0.02), (-0.5, 0.02)])
def test_a_null_far_from_zero_is_wider(place: float, half: float) -> None:
    """To either side of zero."""
    point = bars(Histogram(np.array([place, place]), np.array([5])), (-99.0, 99.0))
    assert (point.left[0], point.right[0]) == pytest.approx((place - half, place + half))


def test_a_bar_of_two_colours_is_split_at_the_cut_off() -> None:
    """A cut-off at an edge or beyond the bars splits none; both parts have the height of the whole."""
    null = Histogram(np.array([0.0, 1.0, 2.0]), np.array([4, 6]))
    cut = bars(null, (-math.inf, 1.25))
    assert (cut.left.tolist(), cut.right.tolist()) == ([0.0, 1.0, 1.25], [1.0, 1.25, 2.0])
    assert (cut.heights.tolist(), cut.tail.tolist()) == ([4.0, 6.0, 6.0], [False, False, True])
    assert cut.split.tolist() == [False, True, True]
    for beside in ((0.0, 2.0), (-1.0, 3.0), (1.0, math.inf)):
        assert bars(null, beside).split.tolist() == [False, False]


def test_the_axis_has_a_margin_around_bars_lines_and_zero() -> None:
    """Of a twenty-fifth of its width."""
    low, high = span([one_test()], compare(one_test()))
    assert (low, high) == pytest.approx((-1.08, 1.08))
    wide = one_test(gain=3.0, cutoffs=(-math.inf, 3.0), tail=0)
    assert span([wide], compare(wide)) == pytest.approx((-1.16, 3.16))
    lost = one_test(gain=-4.0, cutoffs=(-math.inf, math.inf), tail=0)
    assert span([lost], compare(lost)) == pytest.approx((-4.2, 1.2))


def test_bars_of_no_resamples_take_no_space() -> None:
    null = Histogram(np.array([-9.0, -1.0, 1.0, 9.0]), np.array([0, 5, 0]))
    test = one_test(histogram=null, tail=0, cutoffs=(-0.62, 0.62))
    assert span([test], compare(test)) == pytest.approx((-1.08, 1.08))


def test_equal_systems_have_an_axis() -> None:
    """Of a clear gain to both sides."""
    null = Histogram(np.array([0.0, 0.0]), np.array([10_000]))
    test = one_test(gain=0.0, cutoffs=(0.0, 0.0), histogram=null)
    low, high = span([test], compare(test))
    assert (low, high) == pytest.approx((-1.02, 1.02))


@pytest.mark.parametrize("cutoffs", [(-0.95, 0.95), (-0.95, math.inf), (-math.inf, 0.95)])
def test_beyond_a_cut_off_is_space_for_a_small_tail(cutoffs: tuple[float, float]) -> None:
    """Where the tail is magnified; none where it is large, or where a side has no cut-off."""
    small, large = one_test(gain=0.95, cutoffs=cutoffs, tail=500), one_test(gain=0.95, cutoffs=cutoffs, tail=501)
    low, high = span([small], compare(small))
    shares = [(cutoffs[0] - low) / (high - low), (high - cutoffs[1]) / (high - low)]
    for share, end, cut in zip(shares, (low, high), cutoffs, strict=True):
        if math.isfinite(cut):
            assert share == pytest.approx(0.175, abs=1e-4)
        else:
            assert abs(end) == pytest.approx(1.08)
    assert span([large], compare(large)) == pytest.approx((-1.08, 1.08))


@pytest.mark.parametrize(
    ("settings", "label"),
    [
        ({"p_value": NAN}, "p is undefined"),
        ({"ties": 3}, "p = 0.0039, 38 of 10,000 resamples, 3 on the cut-off"),
        ({"exact": True, "ties": 2}, "p = 0.0039, exact, 2 on the cut-off"),
        ({"resamples": 0}, "p = 0.0039"),
        ({"tail": 1, "resamples": 1, "p_value": 1.0}, "p = 1.0, 1 of 1 resample"),
    ],
)
def test_the_label_of_p(settings: dict[str, object], label: str) -> None:
    """How many resamples count, unless p is exact or none were drawn."""
    assert p_label(one_test(**settings)) == label


@pytest.mark.parametrize(
    ("gain", "cutoffs", "said"),
    [
        (-0.62, (-0.62, 0.62), ["gain -0.62", "mirror +0.62"]),
        (0.62, (-math.inf, 0.62), ["gain +0.62"]),
        (0.62, (-1.24, 1.24), ["cut-off -1.24", "gain +0.62", "2 × gain"]),
        (-0.62, (-1.24, 0.0), ["2 × gain", "gain -0.62", "cut-off 0"]),
        (0.0, (0.0, 0.0), ["gain 0.00"]),
        (0.62, (0.3, 0.3), ["cut-off +0.30", "gain +0.62"]),
        (5e6, (-5e6 + 1, 5e6 + 1), ["mirror -5000000.00", "gain +5000000.00"]),  # as near as rounding
        (5e6, (-math.inf, 1e7 + 8), ["gain +5000000.00", "2 × gain"]),
    ],
)
def test_what_the_lines_of_a_panel_are(gain: float, cutoffs: tuple[float, float], said: list[str]) -> None:
    """From left to right, each once, the observed gain alone solid."""
    found = lines(one_test(gain=gain, cutoffs=cutoffs))
    assert [words.replace("\u2212", "-") for _, words, _ in found] == said
    assert [words for _, words, solid in found if solid] == [words for _, words, _ in found if words[:4] == "gain"]
