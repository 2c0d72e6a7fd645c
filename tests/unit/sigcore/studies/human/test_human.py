"""People and metrics side by side: names brought together, conclusions compared pair by pair, all cells of the table."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sigcore.errors import OptionError, Undefined
from sigcore.judgments import Judgments, judgments
from sigcore.studies import human, matrix
from sigcore.studies.human import HumanResult, judged_outputs, match, named, people, read
from sigcore.studies.human.result import ranks_against_means
from sigcore.studies.matrix import Settings
from sigcore.study import Study
from sigcore.testset import Outputs
from tests.oracles import judging
from tests.unit.judged import ASKED, GOLD, SYSTEMS, TESTS, TESTSET, made, outputs, ratings, result_of


@pytest.fixture(scope="module")
def result() -> HumanResult:
    """Five systems, two dimensions, two metrics, two tests, three alphas."""
    return result_of(made(("adequacy", ratings()), ("fluency", ratings("fluency"))))


def test_names_come_together():
    """The same name, else one that differs in case, blanks or a number behind a dot, where that is unambiguous."""
    found = match(["Online-W.2", "nemo 1", "B", "HUMAN", "x.1", "x.2"], ["B", "Online-W", "NEMO_1", "Other", "x"])
    assert found.names == {"Online-W.2": "Online-W", "nemo 1": "NEMO_1", "B": "B"}
    assert found.loosely == (("Online-W.2", "Online-W"), ("nemo 1", "NEMO_1"))
    assert found.judged_only == ("HUMAN", "x.1", "x.2")
    assert found.unjudged == ("Other", "x")
    told = " ".join(found.notes)
    assert "Online-W.2 and Online-W, nemo 1 and NEMO_1" in told
    assert "Judged, but without an output of that name: HUMAN, x.1, x.2." in told
    assert "With an output, but without judgments: Other, x." in told
    assert match(["A"], ["A"]).notes == ()


def test_judged_systems_can_be_renamed():
    """Renaming touches the systems only; unknown and colliding names are refused."""
    found = named(made(), {"alpha": "Alpha-2"})
    assert set(found.system.tolist()) == {"Alpha-2", *SYSTEMS[1:]}
    assert found.score.tolist() == made().score.tolist()
    assert found.digest != made().digest
    assert named(found, {"beta": "beta"}) is found
    with pytest.raises(OptionError, match="No rating names 'Online'"):
        named(found, {"Online": "x"})
    with pytest.raises(OptionError, match="Two judged systems would be named 'beta'"):
        named(made(), {"alpha": "beta"})


def test_single_ratings_say_more_than_their_means():
    """Of a campaign in two files the ratings of named judges are used, though the means, which name none, are more."""
    means = [("", system, f"{k}", "ordinary", 50.0) for system in SYSTEMS for k in range(200)]
    found = human.of_outputs([made(("adequacy", means), name="means"), made()], SYSTEMS, {})
    assert found.name == made().name


def test_only_what_both_speak_of_is_compared():
    """Outputs without judgments are left out, and too few in common are an error that names both sides."""
    found = people(made())
    both = judged_outputs(found, outputs(("alpha", "Nobody", "gamma", "delta", "epsilon")))
    assert {item.system for item in both} == {"alpha", "gamma", "delta", "epsilon"}
    assert [item.system for item in both] == [s for s in found.systems if s != "beta"]
    with pytest.raises(Undefined, match="Only one system has both") as told:
        judged_outputs(found, outputs(("alpha", "b", "c", "d", "e")))
    assert "judged: " in told.value.where
    assert "outputs: alpha, b, c, d, e" in told.value.where


@pytest.mark.parametrize("alpha", human.ALPHAS)
@pytest.mark.parametrize("metric", ["bleu", "chrf"])
@pytest.mark.parametrize("test", TESTS)
def test_every_cell_counts_equal_conclusions(result, metric, test, alpha):
    """A cell counts the pairs whose two one-sided p give the conclusion that people's give, of those that have both p, by
    loops."""
    grid = result.grids[metric, test]
    theirs = result.people
    correct = counted = 0
    for a, b in judging.pairs(result.systems):
        i, j = grid.systems.index(a), grid.systems.index(b)
        if math.isnan(grid.p_values[i, j]) or math.isnan(grid.p_values[j, i]):
            continue
        counted += 1
        machine = judging.conclusion([(grid.p_values[i, j], grid.p_values[j, i])], alpha)
        i, j = theirs.systems.index(a), theirs.systems.index(b)
        person = judging.conclusion([(r.p_values[i, j], r.p_values[j, i]) for r in theirs.rated], alpha)
        correct += machine == person
    cell = result.accuracy(metric, test, alpha)
    assert (cell.correct, cell.pairs) == (correct, counted)
    assert counted == (8 if test == "paired_bootstrap" else 10)  # two pairs differ on fewer than ten segments
    low, high = judging.clopper_pearson(correct, counted)
    shares = 100 * correct / counted, 100 * low, 100 * high
    assert (cell.percent, cell.low, cell.high) == pytest.approx(shares, abs=1e-6)
    most = max(c.correct / c.pairs for c in result.accuracies if c.alpha == alpha)
    assert cell.best == (correct / counted == most)


def test_the_grids_are_one_sided_and_uncorrected(result):
    """Whatever the sidebar says of sides and corrections, the paper's conclusions are one-sided at alpha."""
    for grid in result.grids.values():
        assert (grid.setup.side, grid.setup.correction) == ("greater", "none")
    run = human.run(Study(TESTSET, outputs(), ASKED, TESTS, resamples=2000), result.people)
    other = read(result.people, run, settings=Settings("two-sided", correction="holm"))
    assert [c.correct for c in other.accuracies] == [c.correct for c in result.accuracies]


def test_all_questions_on_differences_are_asked(result):
    """Metrics under each test and tests under each metric, at each alpha, with one McNemar test per pair of columns."""
    asked = {(d.between, d.held, d.alpha) for d in result.differences}
    assert asked == {
        (b, h, a) for a in human.ALPHAS for b, held in (("metrics", TESTS), ("tests", ("bleu", "chrf"))) for h in held
    }
    for found in result.differences:
        cells = [(name, found.held) if found.between == "metrics" else (found.held, name) for name in found.names]
        common = np.all([result.counted(*cell, found.alpha) for cell in cells], axis=0)
        assert found.pairs == common.sum()
        rows = [result.right(*cell, found.alpha)[common].tolist() for cell in cells]
        assert len(found.mcnemar) == 1
        assert found.mcnemar[0].p_value == pytest.approx(judging.mcnemar(*rows))
        if not math.isnan(found.q):
            assert found.q == pytest.approx(judging.cochran_q(rows))
        if not math.isnan(found.chi_square):
            assert found.chi_square == pytest.approx(judging.chi_square([sum(r) for r in rows], found.pairs))


def test_one_metric_and_one_test_ask_nothing(result):
    """With a single column there is no difference to ask about."""
    run = human.run(Study(TESTSET, outputs(), ASKED[:1], TESTS[:1], resamples=200), result.people)
    assert read(result.people, run).differences == ()


def test_a_judged_system_without_output_stays_in_people_only():
    """People's grids keep it; the accuracy is over the others, and a note says so."""
    found = people(made())
    run = human.run(Study(TESTSET, outputs()[:4], ASKED[:1], TESTS[:1], resamples=200), found)
    part = read(found, run)
    assert "epsilon" in part.people.systems
    assert "epsilon" not in part.systems
    assert len(part.pairs) == 6
    assert "Judged, but without an output of that name: epsilon." in part.notes


def test_pairs_that_nobody_can_compare_are_left_out_and_told():
    """Where two systems share no dimension, their pair is no part of the accuracy."""
    rows = [
        ("j", s, str(k), float(10 * n + k), d)
        for d, part in (("adequacy", "AB"), ("fluency", "BC"))
        for n, s in enumerate(part)
        for k in range(12)
    ]
    columns = ("judge", "system", "segment", "score", "dimension")
    found = people(judgments("x", dict(zip(columns, zip(*rows, strict=True), strict=True))))
    three = [Outputs(name, item.segments) for name, item in zip("ABC", outputs(), strict=False)]
    part = read(found, human.run(Study(TESTSET, three, ASKED[:1], TESTS[:1], resamples=200), found))
    assert len(part.pairs) == 2
    assert any("1 pair is not counted in the accuracy" in note for note in part.notes)
    only = [item for item in three if item.system in "AC"]
    with pytest.raises(Undefined, match="No pair of these systems was judged"):
        read(found, human.run(Study(TESTSET, only, ASKED[:1], TESTS[:1], resamples=200), found))


def test_too_few_resamples_for_an_alpha_are_told(result):
    """With 200 resamples no p can reach .001: there is no conclusion then, and no accuracy, and a note says why."""
    run = human.run(Study(TESTSET, outputs(), ASKED[:1], TESTS[:1], resamples=200), result.people)
    part = read(result.people, run)
    assert any("at alpha 0.001 no metric has a conclusion, and there is no accuracy" in note for note in part.notes)
    cell = part.accuracy("bleu", "paired_bootstrap", 0.001)
    assert (cell.correct, cell.pairs, cell.best) == (0, 0, False)
    assert math.isnan(cell.percent)
    assert not part.known("bleu", "paired_bootstrap", 0.001).any()
    assert part.accuracy("bleu", "paired_bootstrap", 0.05).pairs == 8


def test_a_pair_without_a_p_is_no_tie(result):
    """A pair whose outputs differ on too few segments has no conclusion: it is neither right nor wrong."""
    bootstrap = result.levels("bleu", "paired_bootstrap", 0.05)
    exact = result.levels("bleu", "approximate_randomization", 0.05)
    unknown = np.isnan(bootstrap) & ~np.eye(5, dtype=bool)
    assert unknown.sum() == 4
    assert not np.isnan(exact[unknown]).any()
    assert not result.right("bleu", "paired_bootstrap", 0.05)[~result.counted("bleu", "paired_bootstrap", 0.05)].any()
    assert any("Not counted in the accuracy: 2 of 10 pairs under BLEU, chrF, because Paired" in n for n in result.notes)


def test_without_any_p_there_is_no_accuracy():
    """Five blocks are too few for a bootstrap: no accuracy is the best, and no difference is tested."""
    found = people(made())
    four = outputs()[:4]  # the fifth equals the fourth on every block
    run = human.run(Study(TESTSET, four, ASKED, ("paired_bootstrap",), resamples=200, unit="block:8"), found)
    part = read(found, run, (0.05,))
    assert [(c.correct, c.pairs, c.best) for c in part.accuracies] == 2 * [(0, 0, False)]
    assert [(d.pairs, math.isnan(d.q), math.isnan(d.smallest.p_value)) for d in part.differences] == [(0, True, True)]
    assert all(math.isnan(d.difference) for d in part.metric_differences if d.measure == "three_way")


@pytest.mark.parametrize("alphas", [(), (0.6,), (0.05, 0.0)])
def test_levels_that_make_no_sense_are_refused(result, alphas):
    """An alpha of one half or more would let both directions win."""
    run = matrix.run(Study(TESTSET, outputs(), ASKED[:1], TESTS[:1], resamples=50))
    with pytest.raises(OptionError, match="It must be between 0 and"):
        read(result.people, run, alphas)


def test_identical_outputs_are_a_tie(result):
    """Two systems with the same text have p = 1 both ways, and the metric calls them equal."""
    twins = [Outputs(name, GOLD) for name in SYSTEMS]
    part = read(result.people, human.run(Study(TESTSET, twins, ASKED, TESTS, resamples=300), result.people))
    for metric, test in part.grids:
        assert not part.conclusions(metric, test, 0.05).any()
    assert all(math.isnan(d.q) for d in part.differences)


def test_one_judged_system_is_too_few():
    """A single judged system has no pair."""
    alone = people(judgments("x", {"system": ["A"] * 3, "segment": ["1", "2", "3"], "score": [1, 2, 3]}, absolute=True))
    with pytest.raises(Undefined, match="Fewer than two systems were rated"):
        read(alone, matrix.run(Study(TESTSET, outputs(), ASKED[:1], TESTS[:1], resamples=50)))


def test_unknown_cells_are_key_errors(result):
    """What was not asked for is not there."""
    with pytest.raises(KeyError):
        result.accuracy("ter", "paired_bootstrap", 0.05)
    with pytest.raises(KeyError):
        result.decided(0.2)


def test_judgments_say_what_they_are(result):
    """The signature names the ratings, how judges were put on one scale and every metric's own."""
    assert result.signature.startswith("ratings:")
    assert "standardise:all" in result.signature
    assert result.signature.count("nrefs:1") >= 2
    assert isinstance(made(), Judgments)
    assert np.array_equal(result.gold[0].conclusions, result.decided(0.05).conclusions)


def test_a_comparison_at_some_of_its_alphas_is_that_of_these_alphas():
    """What was read at many alphas, taken at some of them, is what is read at these alone."""
    said = people(made(("adequacy", ratings()), ("fluency", ratings("fluency"))))
    run = human.run(Study(TESTSET, outputs(), ASKED, TESTS, resamples=500), said)
    few, many = (0.05, 0.01), (0.1, 0.05, 0.01, 0.001)
    alone, taken = read(said, run, few), read(said, run, many).at(few)
    assert taken.alphas == alone.alphas
    assert taken.notes == alone.notes
    assert taken.signature == alone.signature
    for name in ("accuracies", "differences", "system_level", "metric_differences"):
        assert repr(getattr(taken, name)) == repr(getattr(alone, name))  # nan is not equal to nan
    for one, other in zip(taken.gold, alone.gold, strict=True):
        assert np.array_equal(one.conclusions, other.conclusions)
    with pytest.raises(KeyError):
        alone.at((0.001,))


def test_a_conclusion_against_the_means_is_said():
    """A is rated above B on 36 of 40 segments and far below it on four: the rank test is for A, the mean for B."""
    rows = [("j", "A", str(k), 60.0 + k / 10 if k < 36 else -400.0, "adequacy") for k in range(40)]
    rows += [("j", "B", str(k), 50.0 + k / 10, "adequacy") for k in range(40)]
    columns = ("judge", "system", "segment", "score", "dimension")
    rated = people(judgments("small", dict(zip(columns, zip(*rows, strict=True), strict=True))))
    assert rated.systems == ("B", "A")
    (note,) = ranks_against_means(rated, 0.05)
    assert note.startswith("The rank test decides for the system with the lower mean: A over B. It counts how often")
    fair = [("j", s, str(k), 60.0 + k / 10 - 9 * (s == "B"), "adequacy") for s in "AB" for k in range(40)]
    agreed = people(judgments("small", dict(zip(columns, zip(*fair, strict=True), strict=True))))
    assert agreed.decided(0.05).conclusions.any()
    assert not list(ranks_against_means(agreed, 0.05))
