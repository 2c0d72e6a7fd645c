"""Verdicts, summaries and Methods sentences."""

from __future__ import annotations

import numpy as np
import pytest

from sigboard.render.sentences import methods
from sigcore.errors import Undefined
from sigcore.results import Family, Histogram, gain_summary, matrix_summary, verdict
from sigcore.version import __version__
from tests.unit.factories import compare, gain, matrix, one_test

NAME = "approximate_randomization"


def said(alpha: float = 0.05, kind: str = NAME, pair: dict[str, object] | None = None, **changes: object) -> str:
    """The verdict on one test with the given changes."""
    item = one_test(kind, **changes)
    return verdict(compare(item, **(pair or {})).result(kind, item.setup.side), alpha)


def test_the_whole_sentence() -> None:
    """A significant two-sided result reads as one full sentence."""
    assert said() == (
        "Online-B beats Online-A by 0.62 BLEU; approximate randomization over 1,448 segments: a difference at least this large comes up in 0.4% of "
        "shuffles (p = 0.0039), so at alpha 0.05 it is significant; the 95% interval of the gain is [0.20, 1.00]."
    )


def test_an_interval_that_disagrees_says_why() -> None:
    """It is two-sided, at .05, of this pair alone: a one-sided p, another alpha or a corrected p may decide differently."""
    across = {"interval": (-0.1, 1.3), "p_value": 0.03}
    assert said(side="greater", **across).endswith("interval of the gain is [-0.10, 1.30] (two-sided).")
    assert said(side="greater", **across | {"p_value": 0.06}).endswith("interval of the gain is [-0.10, 1.30].")
    assert said(0.01, p_value=0.03).endswith("interval of the gain is [0.20, 1.00] (at alpha 0.05).")
    item = one_test(p_value=0.03)
    adjusted = Family(28, 28, "holm", "Holm", adjusted=0.3, adjusted_interval=(0.29, 0.31))
    assert verdict(item, 0.05, adjusted).endswith("interval of the gain is [0.20, 1.00] (not corrected).")
    assert verdict(item, 0.05).endswith("interval of the gain is [0.20, 1.00].")


@pytest.mark.parametrize(
    ("kind", "alternative", "cutoffs", "words"),
    [
        (NAME, "greater", (-np.inf, 0.62), "a gain at least this high comes up in 0.4% of shuffles"),
        (NAME, "less", (0.62, np.inf), "a gain at least this low comes up in 0.4% of shuffles"),
        ("bootstrap_shift", "two-sided", (-0.62, 0.62), "bootstrap resamples after shifting them to a mean of zero"),
        ("paired_bootstrap", "greater", (0.0, np.inf), "Online-B does not come out ahead of Online-A in 0.4%"),
        ("paired_bootstrap", "less", (-np.inf, 0.0), "Online-B does not come out behind Online-A in 0.4%"),
        ("two_delta_bootstrap", "greater", (-np.inf, 1.24), "after subtracting the observed gain"),
        ("a_test_of_ones_own", "two-sided", (-0.62, 0.62), "comes up in 0.4% of resamples"),
    ],
)
def test_each_test_says_what_it_counts(kind: str, alternative: str, cutoffs: tuple[float, float], words: str) -> None:
    """The reason in the sentence is what that test counts on that side."""
    assert words in said(kind=kind, side=alternative, cutoffs=cutoffs)


def test_a_doubled_paired_bootstrap_says_so() -> None:
    """Where the two-sided p is twice its tail, the sentence says why."""
    words = said(kind="paired_bootstrap", cutoffs=(0.0, np.inf), p_value=2 * 39 / 10_001)
    assert "in 0.4% of bootstrap resamples, doubled for the two sides (p = 0.0078)" in words


def test_a_gain_that_is_never_lost() -> None:
    """Where the paired bootstrap counts nothing, the sentence says what happened instead of denying it twice."""
    words = said(kind="paired_bootstrap", cutoffs=(0.0, np.inf), tail=0, p_value=2 / 10_001)
    assert "Online-B comes out ahead of Online-A in all of the 10,000 bootstrap resamples, doubled for the two" in words


def test_not_significant_is_not_equal() -> None:
    """Without significance no system "beats" another, and equality is not claimed."""
    words = said(0.001)
    assert "is ahead of" in words
    assert "beats" not in words
    assert "not significant; this does not show that they are equal" in words


def test_a_one_sided_verdict_names_its_side() -> None:
    """A one-sided test shows a direction."""
    assert "it is significant that Online-B is better" in said(side="greater")


def test_undecided_by_monte_carlo_error() -> None:
    """A Monte Carlo interval across alpha is said."""
    words = said(tail=498, p_interval=(0.0455, 0.0542))
    assert "the Monte Carlo interval of p, [0.045, 0.055], includes alpha: more resamples could change the" in words


def test_identical_systems() -> None:
    """Two systems without any difference are no test result."""
    point = Histogram(np.array([0.0, 0.0]), np.array([10_000]))
    words = said(gain=0.0, interval=(0, 0), histogram=point, tail=10_000, scores=(42.0, 42.0))
    assert words == (
        "Online-B and Online-A have the same score on every resample (42.00 BLEU): there is no difference to test."
    )


def test_equal_scores_of_different_systems_are_tested() -> None:
    """A gain of zero between different outputs still has its test and interval."""
    words = said(gain=0.0, interval=(-0.5, 0.5), tail=10_000, scores=(42.0, 42.0), p_value=1.0)
    assert words.startswith("Online-B and Online-A have the same BLEU score; ")
    assert "all of the 10,000 shuffles (p = 1.0)" in words


def test_a_negative_gain_under_ter() -> None:
    """A worse system is called worse, and TER says that lower is better."""
    pair = {"gain": -0.3, "better": "lower", "metric_title": "TER", "scores": (50.3, 50.0), "interval": (-0.5, -0.1)}
    words = said(pair=pair)
    assert words.startswith("Online-B is worse than Online-A by 0.30 TER (50.30 against 50.00; lower is better); ")
    assert "[-0.50, -0.10]" in words
    assert "Online-B is behind Online-A by 0.30 TER" in said(0.001, pair=pair)


def test_no_resample_reached_the_gain() -> None:
    """A tail of nothing reads as none, and p as the number that it is."""
    assert "in none of the 10,000 shuffles (p = 0.00010)" in said(tail=0)


def test_the_unit_and_what_makes_p_too_small() -> None:
    """The sentence names the units; a caveat follows where p is called significant, and only there."""
    changes = {"unit": "document", "n": 26, "segments": 300, "caveat": "Documents were few."}
    assert "; approximate randomization over 26 documents: a difference at least" in said(**changes)
    assert said(**changes).endswith("[0.20, 1.00]. However, documents were few.")
    assert "However" not in said(0.001, **changes)


@pytest.mark.parametrize(("alpha", "words"), [(0.01, "at least 199 are"), (0.05, ""), (0.001, "at least 1,999 are")])
def test_too_few_resamples_for_a_verdict(alpha: float, words: str) -> None:
    """Where R cannot show a difference at alpha, the sentence says how many can, and gives no verdict."""
    sentence = said(alpha, resamples=99, least_p=0.02, p_value=0.02)
    assert words in sentence
    assert ("significant" in sentence) == (not words)


def test_exact_and_undefined_p() -> None:
    """An exact p speaks of no shuffles, an undefined one of no verdict."""
    assert "gives p = 0.020 (exact), so" in said(exact=True, p_value=0.02, p_interval=(np.nan, np.nan))
    words = said(p_value=np.nan, p_interval=(np.nan, np.nan), interval=(np.nan, np.nan))
    assert words == "Online-B is ahead of Online-A by 0.62 BLEU; Approximate randomization gives no p-value here."


def test_a_test_that_was_not_run() -> None:
    """Asking for a side that was not run is refused, with the tests that were run."""
    with pytest.raises(Undefined, match="Computed: Approximate randomization"):
        verdict(compare().result(NAME, "less"), 0.05)


P = np.array([[1, 0.0005, 0.03], [0.0005, 1, 0.02], [0.03, 0.02, 1]])


def test_summary_names_a_leader() -> None:
    """A system that beats all others is named."""
    assert matrix_summary(matrix([40.0, 42.0, 41.5], p=P), 0.05) == (
        "sys1 has a significantly higher BLEU than each of the other 2 systems (approximate randomization, Holm, all 3 "
        "pairs, alpha 0.05). 3 of 3 pairs differ significantly."
    )


def test_summary_without_a_leader() -> None:
    """The best score without significance is not called better."""
    assert matrix_summary(matrix([40.0, 42.0, 41.5], p=P, correction="none"), 0.01) == (
        "sys1 has the best BLEU, but is not significantly better than sys2 (approximate randomization, uncorrected, all 3 "
        "pairs, alpha 0.01). 1 of 3 pairs differ significantly."
    )


def test_summary_of_few_systems() -> None:
    """One and two systems read naturally."""
    assert matrix_summary(matrix([1.0]), 0.05) == "There is one system: no pair to compare."
    two = matrix_summary(matrix([10.0, 20.0]), 0.05)
    assert two == "sys1 has a significantly higher BLEU than sys0 (approximate randomization, 1 pair, alpha 0.05)."


def test_summary_counts_undefined() -> None:
    """Missing p-values are counted, each pair once."""
    p = P.copy()
    p[0, 2] = p[2, 0] = np.nan
    assert matrix_summary(matrix([40.0, 42.0, 41.5], p=p), 0.05).endswith("; 1 p-value is undefined.")


def test_summary_under_ter() -> None:
    """Under TER the leader has the lowest score."""
    words = "sys0 has a significantly lower (better) BLEU than sys1"
    assert matrix_summary(matrix([40.0, 50.0], better="lower"), 0.05).startswith(words)


@pytest.mark.parametrize("result", [matrix(), compare(), gain(), one_test()], ids=["matrix", "compare", "gain", "test"])
def test_methods_end_in_the_signature(result: object) -> None:
    """Methods sentences name resamples, seed and size, and end in the signature."""
    words = methods(result, 0.05)  # type: ignore[arg-type]
    assert all(part in words for part in ("10,000 resamples", "seed 12345", "1,448 segments", "Signature: BLEU|"))


def test_methods_of_an_exact_test() -> None:
    """An exact test drew no resamples."""
    assert "(two-sided, exact) on 1,448 segments" in methods(one_test(exact=True, resamples=0), 0.05)


@pytest.mark.parametrize(
    ("kind", "rule", "cutoffs", "words"),
    [
        (NAME, "strict", (-0.62, 0.62), ": a larger difference comes up in 0.4%"),
        (NAME, "half", (-0.62, 0.62), "in 0.4% of shuffles (ties with half their number)"),
        ("paired_bootstrap", "strict", (0.0, np.inf), "Online-B comes out behind Online-A in 0.4%"),
        ("paired_bootstrap", "counted", (0.0, np.inf), "Online-B does not come out ahead of Online-A in 0.4%"),
    ],
)
def test_the_tie_rule_is_in_the_words(kind: str, rule: str, cutoffs: tuple[float, float], words: str) -> None:
    """The sentence says what was counted: ties, no ties, or half of them."""
    assert words in said(kind=kind, tie_rule=rule, cutoffs=cutoffs)


def test_without_a_gain_the_doubled_test_claims_no_count() -> None:
    """Equal scores of unlike outputs: p is 1, and no share of resamples is given as its reason."""
    words = said(kind="paired_bootstrap", gain=0.0, tail=4800, p_value=1.0, cutoffs=(0.0, np.inf))
    assert "gives p = 1.0" in words
    assert "%" not in words.split(";")[1]


@pytest.mark.parametrize(("side", "cutoffs"), [("greater", (-np.inf, 0.0)), ("less", (0.0, np.inf))])
def test_without_a_gain_one_sided_words_keep_their_direction(side: str, cutoffs: tuple[float, float]) -> None:
    """A cut-off at zero that belongs to a null is not read as that of the paired bootstrap."""
    words = said(gain=0.0, side=side, cutoffs=cutoffs)
    assert f"a gain at least this {'high' if side == 'greater' else 'low'}" in words


def test_a_p_as_printed_elsewhere_is_no_verdict() -> None:
    """Under strict or half ties, or c / R, the sentence gives both p and claims nothing."""
    words = said(tie_rule="strict", p_value=0.0001, counted_p=1.0)
    assert words == (
        "Online-B is ahead of Online-A by 0.62 BLEU; approximate randomization over 1,448 segments: a larger difference comes up in 0.4% of shuffles "
        "(p = 0.00010); as in some papers and tools, ties are not counted against the gain, so this p is not a verdict; with all ties "
        "counted and (c + 1) / (R + 1), p = 1.0; the 95% interval of the gain is [0.20, 1.00]."
    )
    for changes in ({"tie_rule": "half"}, {"estimator": "paper", "p_value": 0.0}):
        words = said(counted_p=0.2, **changes)
        assert "significant" not in words
        assert "beats" not in words
        assert "not a verdict" in words
    assert "(p < 0.0046); as in" in words


def test_rules_do_not_change_an_exact_p() -> None:
    """Where nothing was drawn there are no ties and no R, so the verdict remains."""
    words = said(exact=True, resamples=0, tie_rule="strict", p_value=0.02, p_interval=(np.nan, np.nan))
    assert "so at alpha 0.05 it is significant" in words


def test_summaries_of_p_as_printed_elsewhere() -> None:
    """A grid and a scatter of such p count no differences."""
    for words in (matrix_summary(matrix(tie_rule="strict")), gain_summary(gain(estimator="paper"))):
        assert words.startswith("No verdict on any pair: ")
        assert "significant" not in words
        assert "differ" not in words


def test_methods_of_a_grid_in_full() -> None:
    """Sides in words, draws, formula, ties, unit, correction, intervals, alpha, caveat, version, signature."""
    words = methods(matrix(side="greater", unit="document", n=12, segments=90, caveat="A caveat."), 0.01)
    assert words == (
        "3 systems were compared pairwise in BLEU with Approximate randomization (one-sided: is the system better?; 10,000 "
        "resamples of documents, seed 12345; p = (c + 1) / (R + 1), ties counted against the gain) on 12 documents (90 "
        "segments). p-values were corrected over 6 tests (Holm). The 95% intervals of scores are jackknife t "
        f"intervals. The significance level was 0.01. A caveat. Computed with Sigboard {__version__}. "
        "Signature: BLEU|approximate_randomization|R:10000|seed:12345"
    )


def test_methods_claim_no_correction_and_no_interval_where_there_is_none() -> None:
    """One pair, few units, and p as printed elsewhere are said as they are."""
    few = np.full((2, 2), np.nan)
    words = methods(matrix([1.0, 2.0], correction="none", score_intervals=few), 0.05)
    assert "It is one test, not corrected." in words
    assert "intervals" not in words
    words = methods(one_test(tie_rule="half", side="less"), 0.05)
    assert "one-sided: is the system worse?" in words
    assert "half of the ties counted against the gain" in words
    assert "significance level" not in words
    assert "Without a verdict" in words


def test_methods_have_the_formula_of_the_printed_p() -> None:
    """Where p is doubled, the formula is too: c = 38 of 10,000 gives 2 (38 + 1) / 10,001 = 0.0078."""
    item = one_test("paired_bootstrap", p_value=2 * 39 / 10_001)
    twice = "p = 2 (c + 1) / (R + 1), doubled for the two sides and at most 1, ties counted"
    for result in (item, compare(item), matrix(doubled=True), gain(doubled=True)):
        assert twice in methods(result, 0.05)
    printed = methods(one_test("paired_bootstrap", estimator="paper"), 0.05)
    assert "p = 2 c / R, doubled for the two sides and at most 1, ties counted" in printed
    one_sided = methods(one_test("paired_bootstrap", side="greater"), 0.05)
    assert "; p = (c + 1) / (R + 1), ties counted" in one_sided


def test_methods_have_no_formula_without_a_p() -> None:
    """Where no p is defined, the sentence says so instead of how p follows from a count."""
    p = np.full((3, 3), np.nan)
    for result in (one_test(p_value=np.nan), matrix(p=p), gain(3, p_values=np.full(3, np.nan))):
        words = methods(result, 0.05)
        assert "seed 12345; no p-value) on" in words
        assert "(R + 1)" not in words
    p[0, 1] = p[1, 0] = 0.2
    assert "(c + 1) / (R + 1)" in methods(matrix(p=p), 0.05)


def test_gains_without_a_p_are_not_called_insignificant() -> None:
    """Undefined p are counted as undefined, and the largest gain that is not significant is one with a p."""
    nothing = gain(3, p_values=np.full(3, np.nan), gains=np.array([31.0, 2.0, 1.0]))
    assert gain_summary(nothing) == ("0 of 3 pairs significant at alpha 0.05 (uncorrected); 3 p-values are undefined.")
    some = gain(3, p_values=np.array([np.nan, 0.01, 0.3]), gains=np.array([31.0, 2.0, 1.0]))
    assert gain_summary(some).startswith(
        "1 of 3 pairs significant at alpha 0.05 (uncorrected); the smallest significant gain is 2.00 BLEU; the largest "
        "gain that is not significant is 1.00 BLEU; 1 p-value is undefined."
    )


@pytest.mark.parametrize(("alpha", "least"), [(0.001, 0.0099), (0.0001, 0.0002)])
def test_gains_have_no_verdict_where_r_cannot_show_a_difference(alpha: float, least: float) -> None:
    """As on a grid: the sentence says how many resamples are needed, and calls no gain insignificant."""
    words = gain_summary(gain(least_p=least, resamples=100), alpha)
    assert words.startswith(f"100 resamples cannot show a difference at alpha {alpha:g}")
    assert "significant" not in words


def test_only_intervals_that_there_are_are_described() -> None:
    """The diagonal alone, whose gains are zero, is no interval of a gain; one pair is."""
    ends = np.full((3, 3, 2), np.nan)
    ends[np.arange(3), np.arange(3)] = 0.0
    words = " Those of gains "
    assert words not in methods(matrix(gain_intervals=ends), 0.05)
    ends = ends.copy()
    ends[0, 1], ends[1, 0] = (-3.0, -1.0), (1.0, 3.0)
    assert words in methods(matrix(gain_intervals=ends), 0.05)
