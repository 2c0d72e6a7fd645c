"""The verdict strip: tests over units are those of compare, rules are those of plain loops and of sacreBLEU itself."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from sacrebleu import significance as sacre
from sacrebleu.metrics import BLEU, CHRF

import sigcore
from sigcore import significance
from sigcore.results import as_json
from sigcore.studies import compare, strip
from sigcore.studies.statistics import measure
from sigcore.studies.strip import programs
from sigcore.study import Settings, Study
from sigcore.testset import Outputs
from tests.made import score_set, text_set

OWN = [("own_scores", {})]


def program(name, option=""):
    """A program by its name, and its option where it has two."""
    (found,) = [one for one in strip.PROGRAMS if one.name == name and one.option.startswith(option)]
    return found


def statistics(testset, outputs, metric="bleu"):
    """The statistics of the outputs under a metric."""
    return measure(testset, outputs, [(metric, {})])[0].systems


def of_sacrebleu(testset, outputs, kind, scorer):
    """The p that the installed sacreBLEU gives, by its own function with its default seed."""
    first, second = (list(item.segments) for item in outputs)
    references = [list(stream) for stream in testset.references]
    rows = scorer._extract_corpus_statistics(second, references)
    base = {"metric": (rows, sacre.Result(scorer._aggregate_and_compute(rows).score))}
    test, samples = (sacre._paired_bs_test, 1000) if kind == "bs" else (sacre._paired_ar_test, 10_000)
    _, found = test(base, "system", first, references, {"metric": scorer}, samples, -1, 12345)
    return found["metric"].p_value


@pytest.mark.parametrize(("metric", "scorer"), [("bleu", BLEU), ("chrf", CHRF)])
@pytest.mark.parametrize("kind", ["bs", "ar"])
@pytest.mark.parametrize("rates", [(0.1, 0.13), (0.12, 0.1), (0.05, 0.4)])
def test_sacrebleus_own_function_gives_the_p(metric, scorer, kind, rates):
    """A pair of either sign, near and far: what the installed package counts with its own draws, to the last bit."""
    testset, outputs = text_set(70, rates, seed=5)
    found = program("sacreBLEU", f"--paired-{kind}").rule(strip.Pair(*statistics(testset, outputs, metric), seed=1))
    assert found.p == of_sacrebleu(testset, outputs, kind, scorer())


@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_sacrebleu_finds_a_copy_different(kind):
    """Identical outputs get its smallest p, since no difference is larger than 0; so does a pair that differs in one segment."""
    testset, (first, _) = text_set(60)
    changed = ("something else entirely .", *first.segments[1:])
    for other in (Outputs("copy", first.segments), Outputs("one", changed)):
        pair = [other, first]
        found = program("sacreBLEU", f"--paired-{kind}").rule(strip.Pair(*statistics(testset, pair), seed=1))
        assert found.p == of_sacrebleu(testset, pair, kind, BLEU())
        if other.system == "copy" or kind == "ar":
            assert found.p == 1 / (found.resamples + 1)


def test_draws_do_not_depend_on_how_many_are_made_at_once(monkeypatch):
    """Coins and segments in small pieces are those of one call of numpy's generator."""
    monkeypatch.setattr(programs, "AT_ONCE", 100)
    for n in (3, 7, 33, 50):
        coins = np.concatenate(list(programs.coins(9, 101, n)))
        assert (coins == np.random.default_rng(9).integers(2, size=(101, n), dtype=bool)).all()
        index = np.concatenate(list(programs.drawn(9, 101, n)))
        assert (index == np.random.default_rng(9).choice(n, size=(101, n), replace=True)).all()
    assert len(list(programs.coins(9, 101, 3))) > 1


def strict_share(gains):
    """The share of all ways to swap the outputs of units whose gain is strictly larger than the observed one."""
    n, observed = len(gains), abs(gains.mean())
    sums = [abs(float(np.dot(signs, gains))) / n for signs in product((1, -1), repeat=n)]
    return sum(round(one, 9) > round(observed, 9) for one in sums) / 2**n


def test_multeval_counts_the_larger_shuffles():
    """Within Monte Carlo error of all 2^12 shuffles, ties left out; another seed gives another p, two decimals are printed."""
    rng = np.random.default_rng(3)
    gains = rng.integers(-2, 4, 12).astype(float)
    testset, outputs = score_set(gains, np.zeros(12))
    one, other = statistics(testset, outputs, "own_scores")
    of = program("MultEval")
    found = [of.rule(strip.Pair(one, other, seed)) for seed in (1, 2)]
    share = strict_share(gains)
    assert 0.05 < share < 0.9
    for each in found:
        assert abs(each.p - share) < 4 * math.sqrt(share * (1 - share) / 10_000)
        assert each.p == (each.count + 1) / 10_001
    assert found[0].p != found[1].p
    assert of.printed(found[0].p) == f"{found[0].p:.2f}"


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_compare_mt_is_a_plain_loop(better):
    """1 - the larger share of wins on half of the segments; nobody wins a tie, and nothing is added to the counts."""
    rng = np.random.default_rng(8)
    left, right = rng.integers(0, 4, 31), rng.integers(0, 4, 31)
    testset, outputs = score_set(left, right)
    pair = measure(testset, outputs, [("own_scores", {"better": better})])[0].systems
    found = program("compare-mt").rule(strip.Pair(*pair, seed=77))
    np.random.seed(77)
    wins = [0, 0]
    for _ in range(1000):
        ids = np.random.choice(list(range(31)), size=15, replace=True)
        first, second = left[ids].sum(), right[ids].sum()
        wins[0] += first > second
        wins[1] += first < second
    assert 1000 - sum(wins) > 0
    assert found.p == pytest.approx(1 - max(wins) / 1000, abs=1e-12)
    in_order = wins if better == "higher" else wins[::-1]
    assert found.wins == pytest.approx([one / 1000 for one in in_order])


def test_comet_compare_is_scipys_t_test_of_the_segments():
    """p is that of ttest_rel on single precision; wins of less than .001 are ties; a copy has no p."""
    from scipy import stats

    rng = np.random.default_rng(6)
    left = rng.normal(0.8, 0.1, 60)
    right = left + rng.normal(0.001, 0.01, 60)
    testset, outputs = score_set(left, right, left)
    one, other, copy = statistics(testset, outputs, "own_scores")
    of = program("comet-compare")
    found = of.rule(strip.Pair(one, other, 5))
    assert found.p == pytest.approx(stats.ttest_rel(left.astype("f4"), right.astype("f4")).pvalue, rel=1e-4)
    np.random.seed(1)
    ids = np.random.choice(60, size=(24, 300), replace=True)
    gain = left[ids].mean(axis=0) - right[ids].mean(axis=0)
    assert found.wins == pytest.approx(((gain >= 0.001).mean(), (gain <= -0.001).mean()), abs=1 / 300)
    assert sum(found.wins) < 0.99
    same = of.rule(strip.Pair(one, copy, 5))
    assert math.isnan(same.p)
    assert same.wins == (0, 0)
    assert of.printed(same.p) == "nan"


def documents_of(n, size):
    """A document for each `size` segments."""
    return tuple(f"d{k // size}" for k in range(n))


def made(n=60, rates=(0.1, 0.2), size=5):
    """A pair of outputs, with documents."""
    testset, outputs = text_set(n, rates)
    return replace(testset, documents=documents_of(n, size)), outputs


def test_tiles_are_the_tests_of_compare():
    """Every test over segments and documents: p, its one-sided twin and the verdict are those of compare with the unit."""
    testset, outputs = made()
    study = Study(testset, outputs, resamples=400)
    result = strip.run(study)
    assert result.units == ("segment", "document")
    assert [tile.test for tile in result.over("document")] == list(significance.members())
    for unit in result.units:
        (own,) = compare.results(replace(study, unit=unit, tests=None))
        for tile in result.over(unit):
            wanted = own.result(tile.test, "two-sided")
            assert tile.p_value == wanted.p_value
            assert tile.p_one_sided == own.result(tile.test, "greater").p_value
            assert tile.significant == (wanted.p_value <= 0.05)
    assert [(tile.unit, tile.test) for tile in result.tiles if tile.chosen] == [
        ("document", "approximate_randomization")
    ]
    assert result.gain > 0


def test_automatic_resamples_are_those_of_the_chosen_test():
    """The marked tile has the p of compare with automatic resamples; the others draw as many."""
    testset, outputs = made(rates=(0.1, 0.14))
    (own,) = compare.results(Study(testset, outputs, resamples="auto"), sides=["two-sided"])
    result = strip.run(Study(testset, outputs, resamples="auto"))
    (tile,) = [tile for tile in result.tiles if tile.chosen]
    assert tile.p_value == own.chief.p_value
    assert {tile.resamples for tile in result.tiles} == {0, own.chief.drawn}  # 12 documents: p of swaps is exact


def test_units_are_those_of_the_data():
    """Segments alone without documents, or where each segment is its own document; a block of the study comes last."""
    testset, outputs = text_set(40)
    assert strip.units_of(testset, sigcore.read_unit("segment")) == (sigcore.read_unit("segment"),)
    alone = replace(testset, documents=documents_of(40, 1))
    assert len(strip.units_of(alone, sigcore.read_unit("segment"))) == 1
    blocks = strip.run(Study(replace(testset, documents=documents_of(40, 4)), outputs, unit="block:4", resamples=50))
    assert blocks.units == ("segment", "document", "block:4")
    assert [tile.unit for tile in blocks.tiles if tile.chosen] == ["block:4"]


def test_one_side_of_the_study_is_that_of_all_tests():
    """With `greater` all tiles are one-sided; the p of other programs do not change."""
    testset, outputs = made(rates=(0.2, 0.1))
    both = strip.run(Study(testset, outputs, resamples=200))
    less = strip.run(Study(testset, outputs, resamples=200, settings=Settings("greater")))
    assert {tile.side for tile in less.tiles} == {"greater"}
    assert [one.p_value for one in less.shown] == [one.p_value for one in both.shown]
    # the gain is negative, so the one-sided p in its direction is not that of "greater"
    assert both.gain < 0
    pairs = zip(both.tiles, less.tiles, strict=True)
    assert all(one.p_one_sided == other.p_one_sided < other.p_value for one, other in pairs)


@pytest.mark.parametrize(("rates", "level"), [((0.05, 0.5), 1), ((0.5, 0.05), -1), ((0.2, 0.2), 0)])
def test_a_level_says_which_way_a_significant_gain_goes(rates, level):
    """1 for the better system, -1 for the worse one, 0 where no difference is found: here and elsewhere."""
    testset, outputs = made(rates=rates)
    result = strip.run(
        Study(testset, outputs if level else [outputs[0], replace(outputs[0], system="copy")], resamples=400)
    )
    assert [tile.level for tile in result.tiles] == [level] * 10
    assert {one.level for one in result.shown} == {level}
    assert result.agree is bool(level)


def test_a_copy_is_said_to_be_one():
    """The same outputs: no test here finds a difference, three programs print a p below alpha, and the strip says why not."""
    testset, (first, _) = text_set(40)
    result = strip.run(Study(testset, [Outputs("copy", first.segments), first], resamples=200))
    assert result.same
    assert not any(tile.significant for tile in result.tiles)
    assert [one.program.title for one in result.shown if one.significant] == [
        "sacreBLEU --paired-bs",
        "sacreBLEU --paired-ar",
        "MultEval",
    ]
    assert all(one.level == 0 for one in result.elsewhere)
    assert result.sentence.endswith("have the same statistics on every segment, so there is nothing to find.")


def test_sentences_say_who_finds_a_difference():
    """Counts over each unit, then the programs below alpha and those that are not; without programs nothing is said of them."""
    testset, outputs = made(rates=(0.05, 0.5))
    result = strip.run(Study(testset, outputs, resamples=400))
    assert result.sentence == (
        "At alpha 0.05, a difference is found by 5 of 5 tests over segments and 5 of 5 tests over documents. Other programs: p is "
        "below alpha in sacreBLEU --paired-bs, sacreBLEU --paired-ar, MultEval and compare-mt."
    )
    assert result.agree
    scores, columns = score_set(np.arange(20.0), np.arange(20.0) + 1)
    own = strip.run(Study(scores, columns, OWN, resamples=200))
    assert "Other programs: p is below alpha in comet-compare." not in own.sentence  # t is not defined: no variance
    assert [one.why for one in own.elsewhere if one.counted is None] == [
        one.otherwise for one in strip.PROGRAMS if one.name != "comet-compare"
    ]


def test_what_gives_no_p_is_said():
    """Nine units that differ: bootstrap tests have no p, are not counted, and a note says why."""
    testset, outputs = score_set([1.0] * 9 + [0.0] * 30, [0.0] * 39)
    result = strip.run(Study(testset, outputs, OWN, resamples=200))
    assert "1 of 1 test over segments" in result.sentence
    assert [math.isnan(tile.p_value) for tile in result.tiles] == [False, True, True, True, True]
    assert any("fewer than 10 units" in note for note in result.notes)


def test_a_single_segment_has_no_programs():
    """compare-mt would draw half of one segment; the reason is a sentence, not an error."""
    testset, outputs = text_set(1)
    result = strip.run(Study(testset, outputs, resamples=20))
    assert result.shown == ()
    assert "It is not shown for 1 segment." in [one.why for one in result.elsewhere]


def test_every_program_has_short_sentences():
    """9 to 16 words, which end with a stop."""
    for one in strip.PROGRAMS:
        assert 9 <= len(one.why.split()) <= 16, one.why
        assert one.why.endswith(".")
        assert one.otherwise.endswith(".")


def test_the_json_and_the_rows():
    """What can be written, with null for nan; a row for each tile and each program that prints something."""
    testset, outputs = made()
    result = strip.run(Study(testset, outputs, resamples=200))
    content = json.loads(json.dumps(as_json(strip.STRIP, result), allow_nan=False))
    assert len(content["tests"]) == 10
    assert [one["program"] for one in content["programs"]] == [one.name for one in strip.PROGRAMS]
    assert content["programs"][-1]["p_value"] is None
    multeval = content["programs"][2]
    assert multeval["p_low"] < multeval["p_value"] < multeval["p_high"]
    assert content["programs"][0]["p_low"] is None  # its own draws: no other run of it differs
    assert len(result.rows()) == 14


def test_in_python():
    """`sigcore.strip` takes what `compare` takes, and prints the sentence."""
    testset, outputs = text_set(30)
    first, second = (list(item.segments) for item in outputs)
    result = sigcore.strip(first, second, [list(testset.references[0])], resamples=200, alpha=0.01)
    assert str(result).startswith("At alpha 0.01, ")
    assert result.system == "system"


@pytest.mark.parametrize("z", [0.0, 0.55, 1.0, 2.0, 3.0])
def test_sacrebleus_bootstrap_counts_at_most_one_tail(z):
    """With normal gains p is .35 to .5 of the two-sided p, as docs/programs.md says: centring |d*| leaves one tail or less."""
    from scipy.stats import norm

    gains = z + norm.ppf((np.arange(200_000) + 0.5) / 200_000)  # drawn gains, in standard errors
    share = float((np.abs(gains) - np.abs(gains).mean() > z).mean()) / (2 * norm.sf(z))
    assert 0.345 < share < 0.501
