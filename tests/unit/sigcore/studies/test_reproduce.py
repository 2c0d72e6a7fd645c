"""Claims of papers: printed numbers as in the papers, rules by hand, and the stored results on the samples."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from sigcore import Outputs, ScoreMatrix, SigError, Testset, UnknownMember
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.studies import reproduce
from sigcore.studies.domains import Cell
from sigcore.studies.gain import MIXED_APART, Threshold
from sigcore.studies.reproduce import berg_kirkpatrick, chen, graham, rankel
from sigcore.studies.reproduce.bench import with_a_person
from sigcore.studies.reproduce.record import number, sign, with_unit
from sigcore.studies.size import Size
from tests import some

ROOT = Path(__file__).resolve().parents[4]
STORED = {
    item["claim"]: item
    for item in json.loads((ROOT / "docs" / "reproduced.json").read_text(encoding="utf-8"))["results"]
}
PRINTED = json.loads((ROOT / "tests" / "golden" / "graham2014.tables.json").read_text(encoding="utf-8"))["tables"]
# one of each kind of claim that takes less than a few seconds
QUICK = (
    "graham-fig5", "bk-fig2", "bk-fig4-groups", "bk-fig5", "bk-threshold-fig8-same", "bk-fig9",
    "bk-table1-brown-0.00125-0.0025", "bk-borderline-brown", "rankel-fig1", "rankel-fig5", "rankel-table1-rouge-2-2010",
    "rankel-table2-overall-2010", "rankel-resampling", "rankel-are-normal", "rankel-are-least", "rankel-are-data",
    "bk-fig11", "bk-calibration",
)  # fmt: skip


@pytest.fixture(scope="module")
def bench() -> reproduce.Bench:
    """The samples, as `make reproduce` runs them."""
    return reproduce.Bench()


# ---- the records


def test_every_claim_has_one_name():
    """No id twice; each is of a known paper, needs known data, and says where, by which rule and why."""
    assert [name for name, times in Counter(claim.id for claim in reproduce.CLAIMS).items() if times > 1] == []
    for claim in reproduce.CLAIMS:
        assert claim.paper in reproduce.PAPERS.values()
        assert claim.needs in reproduce.NEEDS
        assert min(map(len, (claim.place, claim.title, claim.origin, claim.rule, claim.why))) > 4
        assert claim.title.endswith(".")
        assert (claim.printed is None) == ("prints no number" in claim.origin or "not in the text" in claim.origin)


@pytest.mark.parametrize("table", PRINTED, ids=lambda table: table["languages"])
def test_cells_of_graham_are_those_of_the_paper(table):
    """All 36 cells of both tables have a claim with the printed accuracy."""
    by_title = {title: name for name, title in graham.NAMES.items()}
    for alpha, metric, test, correct, percent, low, high in table["cells"]:
        claim = reproduce.get(f"graham-table{table['table']}-{by_title[metric]}-{test}-{alpha:g}")
        assert claim.printed == percent
        assert f"{correct} of {table['pairs']}, {percent} [{low}, {high}]" in claim.origin


def test_counts_of_rankel_fit_their_pairs():
    """As many pairs as the paper's systems have; a count is at most that; Table 2 with people is always complete."""
    assert {"2008": math.comb(66, 2), "2009": math.comb(61, 2), "2010": math.comb(51, 2)} == rankel.ALL_PAIRS
    assert rankel.HUMAN_PAIRS == {"2008": 58 * 8, "2009": 53 * 8, "2010": 43 * 8}
    for table, totals in ((rankel.TABLE1, rankel.ALL_PAIRS), (rankel.TABLE2, rankel.HUMAN_PAIRS)):
        assert len(table) == 5
        for rows in table.values():
            assert all(max(counts) <= total for counts, total in zip(rows, totals.values(), strict=True))
    assert reproduce.get("rankel-table1-rouge-2-2010").printed == round(100 * (938 - 812) / 1275, 1)
    assert reproduce.get("rankel-table2-overall-2009").printed == 100


def test_table_1_of_berg_kirkpatrick_is_whole():
    """Eighteen cells of six bins and three domains, and three shares of the text."""
    cells = [claim for claim in reproduce.CLAIMS if claim.id.startswith("bk-table1-")]
    assert len(cells) == 18
    assert [claim.printed for claim in cells if "brown" in claim.id] == [73, 60, 56, 54, 51, 48]
    assert [claim.printed for claim in cells if "section22" in claim.id] == [97, 92, 92, 88, 87, 83]
    assert [claim.printed for claim in cells if "section24" in claim.id] == [95, 92, 85, 92, 78, 74]
    assert [reproduce.get(f"bk-borderline-{name}").printed for name in ("section22", "section24", "brown")] == [
        83,
        71,
        48,
    ]


def test_words_choose_claims():
    """An id is one claim, the beginning of ids is all of them, and another word is refused with the nearest."""
    assert [claim.id for claim in reproduce.chosen(["graham-table1"])] == ["graham-table1"]
    assert len(reproduce.chosen(["bk-table1"])) == 18
    assert reproduce.chosen(["all"]) == reproduce.CLAIMS
    assert len(reproduce.chosen(["bk", "bk-fig2"])) == len(reproduce.chosen(["bk"]))
    with pytest.raises(UnknownMember, match="graham-fig5"):
        reproduce.chosen(["graham-figure5"])


# ---- rules by hand


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [(1, 0.5, 2, True), (-1, -2, -0.5, False), (1, -1, 3, None), (1, 0, 3, None), (math.nan, 0, 0, None), (1, math.nan, 2, None)],
)  # fmt: skip
def test_a_sign_needs_an_interval_without_zero(value, low, high, expected):
    """Above 0, below 0, or not to tell."""
    assert sign(value, low, high) is expected


def test_a_coin_is_told_by_the_whole_interval():
    """Above 50, below 50, or not to tell; the sign elsewhere has a zone up to 60 that is no better than a coin."""
    assert [graham.above_coin(*ends) for ends in ((50.1, 70), (30, 49.9), (40, 60))] == [True, False, None]
    assert [berg_kirkpatrick.informs(*ends) for ends in ((50.1, 70), (45, 59), (45, 61))] == [True, False, None]


def test_numbers_are_written_as_people_read_them():
    """Three digits, no exponent but for tiny ones, and a percent sign without a blank."""
    assert [number(value) for value in (0, 0.12345, 12.3456, 1234.56, 2e-7, math.nan)] == [
        "0", "0.123", "12.3", "1,234.6", "2.0e-07", "none",
    ]  # fmt: skip
    assert [with_unit(80.3, "%"), with_unit(1.1, "ROUGE"), with_unit(0.95, "")] == ["80.3%", "1.1 ROUGE", "0.95"]


def test_slope_of_a_power():
    """Limits that fall with the square root have the slope -0.5 exactly, and others an interval by the t distribution."""
    slope, low, high = berg_kirkpatrick.fitted([100, 400, 1600], [3.0, 1.5, 0.75])
    assert slope == pytest.approx(-0.5)
    assert low == pytest.approx(-0.5)
    assert high == pytest.approx(-0.5)
    x, y = np.log([50, 100, 200, 400]), np.log([6.0, 4.5, 3.1, 2.0])
    slope, low, high = berg_kirkpatrick.fitted([50, 100, 200, 400], [6.0, 4.5, 3.1, 2.0])
    expected = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    rest = y - y.mean() - expected * (x - x.mean())
    error = math.sqrt((rest**2).sum() / 2 / ((x - x.mean()) ** 2).sum())
    assert slope == pytest.approx(expected)
    assert high - slope == pytest.approx(4.302652729749464 * error)  # t of two degrees, .975
    assert slope - low == pytest.approx(high - slope)


@pytest.mark.parametrize(
    ("limits", "positive", "same"),
    [((6.0, 3.0, 3.0, 2.5), True, None), ((8.0, 4.0, 2.0, 1.0), False, False), ((4.0, 2.8, 2.1, 1.4), False, True)],
)
def test_a_slope_whose_interval_contains_zero_cannot_tell(limits, positive, same):
    """Also where it ends little above 0; below 0 it confirms the paper if it contains -0.5."""
    sizes = (100, 200, 400, 800)
    curve = tuple(
        Size(Threshold(MIXED_APART, limit, 20, limit, limit, 0.1, 99, synthetic=True), segments, float(segments), 800)
        for segments, limit in zip(sizes, limits, strict=True)
    )
    result = SimpleNamespace(setup=SimpleNamespace(metric_title="BLEU"), curve=curve)
    bench = SimpleNamespace(sizes=lambda *_: result)
    found = berg_kirkpatrick.slope_of_sizes(bench, SimpleNamespace(part=("bleu",), needs="text"))
    assert found.value == pytest.approx(stats.linregress(np.log(sizes), np.log(limits)).slope)
    assert (found.high >= 0) is positive
    assert found.high < 1
    assert found.same is same
    assert ("cannot tell" in found.reason) is (same is None)


def test_difference_of_thresholds_by_hand():
    """Zou and Donner: each end takes the far ends of both intervals."""
    more, less = (
        Threshold("x", value, 20, low, high, 0.1, 99) for value, low, high in ((5.0, 4.0, 7.0), (3.0, 2.5, 3.3))
    )
    value, low, high = berg_kirkpatrick.difference(more, less)
    assert value == 2.0
    assert low == pytest.approx(2 - math.hypot(1.0, 0.3))
    assert high == pytest.approx(2 + math.hypot(2.0, 0.5))


def test_places_of_domains_are_the_same_for_all_bins():
    """The domain with most equal signs over all bins is the near one, with fewest the far one."""
    cells = [Cell(low, low * 2, name, 10, same) for low, name, same in (
        (0.01, "a", 9), (0.01, "b", 5), (0.01, "c", 6), (0.02, "a", 4), (0.02, "b", 5), (0.02, "c", 6),
    )]  # fmt: skip
    assert [berg_kirkpatrick.in_place_of(cells, which) for which in ("near", "middle", "far")] == ["a", "c", "b"]


def test_variance_between_rows_by_hand():
    """Rows of equal scores explain everything, equal rows nothing, and missing scores are left out."""
    assert rankel.between(np.array([[1.0, 1.0], [3.0, 3.0]])) == pytest.approx(1.0)
    assert rankel.between(np.array([[1.0, 3.0], [1.0, 3.0]])) == pytest.approx(0.0)
    assert rankel.between(np.array([[1.0, 3.0], [5.0, np.nan]])) == pytest.approx(6.0 / 8.0)
    assert math.isnan(rankel.between(np.array([[2.0, 2.0]])))


def test_interval_over_systems_by_hand():
    """The jackknife leaves out all pairs of a system at a time."""
    pairs = np.array([[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]])
    below = np.array([[True, False, False, True, False, False], [True, True, False, True, False, False]])
    low, high = rankel.leave_one_out(below, pairs)
    values = []
    for system in range(4):
        kept = [k for k, pair in enumerate(pairs) if system not in pair]
        values.append(np.mean([int(below[1][k]) - int(below[0][k]) for k in kept]))
    error = math.sqrt(3 / 4 * sum((value - np.mean(values)) ** 2 for value in values))
    assert (low + high) / 2 == pytest.approx(100 / 6)
    assert (high - low) / 2 == pytest.approx(100 * 3.182446305284263 * error)  # t of three degrees, .975


def test_the_pair_of_figure_5_is_clear_and_that_of_figure_6_open():
    """By p: of the clear pairs the one with the smallest gain, of the open ones the one with the largest."""
    gains = np.array([[0.0, 1.0, 3.0], [-1.0, 0.0, 2.0], [-3.0, -2.0, 0.0]])
    p = np.array([[np.nan, 0.5, 0.2], [0.5, np.nan, 0.01], [0.2, 0.01, np.nan]])
    grid = SimpleNamespace(gains=gains, p_values=p)
    bench = SimpleNamespace(grid=lambda *_: SimpleNamespace(testset="made up"), read=lambda *_: grid)
    assert graham.chosen_pair(bench, "bleu", significant=True) == (1, 2)
    assert graham.chosen_pair(bench, "bleu", significant=False) == (0, 2)


def test_each_test_is_confirmed_by_its_own_draws():
    """Paired T and W disagree: draws that say the same of each confirm all verdicts, and others none."""
    theory, other = np.array([[0.5, 0.5], [0.01, 0.3], [0.2, 0.04]]), np.array([[0.01] * 2, [0.3, 0.01], [0.04, 0.2]])
    matrix = ScoreMatrix("own", ("d1", "d2"), ("a", "b", "c"), np.zeros((2, 3)))
    for drawn, share in ((theory, 100.0), (other, 0.0)):
        result = SimpleNamespace(p_values=np.array([theory, drawn, drawn]), matrix=matrix)
        bench = SimpleNamespace(scored=lambda _, result=result: result)
        found = rankel.theory_confirmed(bench, SimpleNamespace(part=("rouge-2",)))
        assert found.value == share
        assert [(row["same verdict"], row["verdicts"]) for row in found.rows] == [(4 * share / 100, 4)] * 2


def test_efficiency_is_that_of_theory():
    """The integral gives 3 / pi for the normal density and 108 / 125 for the parabola."""
    assert rankel.by_integral("normal")[0] == pytest.approx(3 / math.pi, abs=1e-12)
    assert rankel.by_integral("smallest possible")[0] == pytest.approx(108 / 125, abs=1e-12)


# ---- data


def test_a_reference_becomes_a_person_only_where_nobody_is_one():
    """The last of two references is scored against the other; with one reference, or with people, nothing changes."""
    outputs = (Outputs("A", ("a", "b")), Outputs("B", ("a", "c")))
    two = reproduce.Material("x", Testset("x", "text", 2, (("a", "b"), ("a", "d"))), outputs)
    person = with_a_person(two)
    assert person.testset.references == (("a", "b"),)
    assert person.outputs[-1].segments == ("a", "d")
    assert person.humans == (person.outputs[-1].system,)
    one = reproduce.Material("x", Testset("x", "text", 2, (("a", "b"),)), outputs)
    assert with_a_person(one) is one
    named = reproduce.Material("x", two.testset, outputs, humans=("A",))
    assert with_a_person(named) is named


def test_data_that_lack_something_are_refused():
    """Ratings, domains, a kind of data: the message says what the claim needs, and what is there."""
    outputs = (Outputs("A", ("a", "b")), Outputs("B", ("a", "c")))
    bench = reproduce.Bench(reproduce.Material("mine", Testset("mine", "text", 2, (("a", "b"),)), outputs))
    for name, words in (("graham-fig8", "ratings"), ("bk-fig11", "domains"), ("bk-fig3-groups", "trees")):
        with pytest.raises(SigError, match=words):
            reproduce.run(name, bench)


def test_a_matrix_of_ones_own_is_used():
    """The counts of Table 1 are those of the matrix, and Table 2 counts the pairs of a person and a machine."""
    rng = np.random.default_rng(5)
    hard = rng.normal(0, 3, 30)
    values = hard[:, None] + rng.normal(0, 0.5, (30, 4)) + np.array([0.0, 0.6, 1.2, 2.4])
    systems = ("m1", "m2", "m3", "h1")
    matrix = ScoreMatrix("own", tuple(f"d{k}" for k in range(30)), systems, values)
    material = reproduce.Material("own", Testset("own", "scores", 30), (), matrix=matrix, humans=("h1",))
    bench = reproduce.Bench(material)
    from scipy.stats import ttest_ind, ttest_rel, wilcoxon

    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    for name, chosen in (
        ("rankel-table1-rouge-2-2010", pairs),
        ("rankel-table2-rouge-2-2010", [p for p in pairs if 3 in p]),
    ):
        outcome = reproduce.run(name, bench)
        tests = (ttest_ind, ttest_rel, wilcoxon)
        expected = [sum(test(values[:, i], values[:, j]).pvalue < 0.05 for i, j in chosen) for test in tests]
        assert [row["here"] for row in outcome.found.rows] == expected
        assert outcome.found.value == pytest.approx(100 * (expected[1] - expected[0]) / len(chosen))
        assert outcome.data == "own"
    with pytest.raises(SigError, match="only a matrix"):
        reproduce.run("bk-fig6", bench)


# ---- results


def test_all_claims_are_stored():
    """docs/reproduced.json has every claim, in order, with its printed number."""
    assert list(STORED) == [claim.id for claim in reproduce.CLAIMS]
    for claim in reproduce.CLAIMS:
        assert STORED[claim.id]["paper_value"] == claim.printed


@pytest.mark.parametrize("name", some.first(QUICK, len(QUICK) - 2))
def test_a_quick_claim_gives_the_stored_result(name, bench):
    """The value, its interval and the conclusion are those of docs/reproduced.json, on any machine."""
    found, stored = reproduce.run(name, bench).as_dict(), STORED[name]
    for key in ("value", "low", "high"):
        assert found[key] == (None if stored[key] is None else pytest.approx(stored[key], rel=1e-9, abs=1e-12)), key
    assert found["same_conclusion"] is stored["same_conclusion"]
    assert found["why"] == stored["why"]


def test_accuracies_are_those_of_the_study_of_people(bench):
    """Cells, best metric and coin toss agree with each other, and their intervals are Clopper and Pearson's."""
    result = bench.people()
    best = reproduce.run("graham-coin-toss", bench).found
    cells = [reproduce.run(f"graham-table2-{m}-{t}-0.05", bench).found for m in graham.NAMES for t in result.tests]
    assert best.low == max(cell.low for cell in cells)
    for cell in cells:
        correct, _, pairs = cell.said.partition(" conclusions")[0].split()
        low, high = clopper_pearson(int(correct), int(pairs))
        assert (cell.value, cell.low, cell.high) == pytest.approx(
            (100 * int(correct) / int(pairs), 100 * low, 100 * high)
        )
        assert cell.same == (cell.low <= 50)
    whole = reproduce.run("graham-table2", bench).found
    assert len(whole.rows) == 36
    assert whole.value == max(cell.value for cell in cells)


def test_a_rejecting_pair_and_an_open_one(bench):
    """The pair of Figure 5 is significant under every test, that of Figure 6 under none, by the p in their tables."""
    for name, most in (("graham-fig5", True), ("graham-fig6", False)):
        found = reproduce.run(name, bench).found
        p = [row["p"] for row in found.rows]
        assert len(p) == 3
        assert found.value == (max(p) if most else min(p))
        assert found.same is True
        assert all((value <= 0.05) == most for value in p)
        assert [panel.row for panel in found.panels] == [0, 1, 2]


def test_figure_8_has_twelve_panels_in_the_order_of_the_paper(bench):
    """Metrics are the rows, tests the columns."""
    panels = reproduce.run("graham-fig8", bench).found.panels
    assert [(panel.row, panel.column) for panel in panels] == [(row, column) for row in range(4) for column in range(3)]
    assert panels[0].title == "BLEU, paired bootstrap"
    assert panels[11].title == "TER, randomization"


@pytest.mark.parametrize("pairs", [1, 3, 28])
def test_what_a_study_could_have_seen(pairs):
    """A difference of that size has a p below the strictest step of Holm's correction in 80% of drawn studies."""
    systems = {1: "ab", 3: "abc", 28: "abcdefgh"}[pairs]
    error, freedom, size = 0.4, 25, len(systems)
    reach = stats.t.ppf(0.975, freedom) * error
    result = SimpleNamespace(
        systems=tuple(systems),
        mixed_intervals=np.tile([0.1 - reach, 0.1 + reach], (size, size, 1)),
        mixed_df=np.full((size, size), float(freedom)),
    )
    least = chen.seen(result, 0, 1)
    drawn = stats.nct.rvs(freedom, least / error, size=40_000, random_state=1)
    assert np.mean(2 * stats.t.sf(np.abs(drawn), freedom) <= 0.05 / pairs) == pytest.approx(0.8, abs=0.02)


def test_a_blind_study_says_how_much_is_needed():
    """Standard errors fall with the root of numbers: four times as many see half of it; what could be seen needs no more."""
    assert "1.2 BLEU in 80% of studies. The paper's 0.6 needs about 4 times as many" in chen.blind(1.2, 0.6, False)
    assert "One as large as this one needs about 16 times" in chen.blind(1.2, -0.3, True)
    assert chen.blind(1.2, 2.4, False).endswith("The paper's 2.4 is larger.")
    assert "studies" not in chen.blind(float("nan"), 0.3, True)


@pytest.mark.parametrize(("middle", "same"), [(-0.9, True), (0.8, False), (-0.5, None)])
def test_loss_and_score_fall_together_below_the_bound_alone(monkeypatch, middle, same):
    """The claim holds for correlations clearly below its bound, fails for those above, and is open around it."""
    runs = [SimpleNamespace(title="one", loss_and_metric=middle + x) for x in (-0.01, 0.0, 0.01)]
    monkeypatch.setattr(chen, "course", lambda *_: None)
    bench = SimpleNamespace(tuned=lambda: SimpleNamespace(of=lambda _: runs))
    found = chen.loss_and_score(bench, SimpleNamespace(part=("top_n", "-0.5")))
    assert found.same is same
    assert found.value == pytest.approx(middle)
