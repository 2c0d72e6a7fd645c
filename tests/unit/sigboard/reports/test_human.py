"""Rows, JSON, words, the terminal's table and LaTeX of people and metrics."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from functools import cache

import pytest

from sigboard.questions.human import files
from sigboard.questions.human import report as reports
from sigboard.render.tables import to_csv
from sigcore import results
from sigcore.judgments import judgments
from sigcore.studies import human
from tests.unit.factories import HOSTILE
from tests.unit.judged import SYSTEMS, made, ratings, result_of

BOOT = "paired_bootstrap"


@cache
def result() -> human.HumanResult:
    return result_of(made(("adequacy", ratings()), ("fluency", ratings("fluency"))))


@cache
def hostile() -> human.HumanResult:
    return result_of(human.named(made(name="a_b & c"), dict(zip(SYSTEMS, HOSTILE, strict=True))), HOSTILE, 100)


def test_the_json_has_every_field_and_no_nan():
    """What the terminal promises is there, grids are S x S, and undefined numbers are null."""
    got = json.loads(json.dumps(files.human_json(result(), ["a warning"]), allow_nan=False))
    assert got["systems"] == list(result().people.systems)
    assert set(got["rank_sum"]) == set(got["z_scores"]) == {"adequacy", "fluency"}
    assert [len(row) for row in got["rank_sum"]["fluency"]] == [5] * 5
    assert set(got["gold"]) == {"0.05", "0.01", "0.001"}
    flat = [cell for grid in got["gold"].values() for row in grid for cell in row]
    assert set(flat) <= {-1, 0, 1}
    fields = {"metric", "test", "alpha", "correct", "pairs", "percent", "low", "high"}
    assert len(got["accuracy"]) == 12
    assert all(fields <= set(cell) for cell in got["accuracy"])
    assert all(cell["system_interval"] == [cell["system_low"], cell["system_high"]] for cell in got["accuracy"])
    columns = (
        "metric_a",
        "metric_b",
        "measure",
        "test",
        "alpha",
        "difference",
        "low",
        "high",
        "p",
        "adjusted",
        "method",
    )
    assert all(tuple(row) == columns for row in got["differences"])
    assert len(got["differences"]) == 2 * 3 + 3 * 6
    assert {row["method"] for row in got["differences"]} == set(human.DIFFERENCE_METHODS)
    assert [row["metric"] for row in got["system_level"]] == ["bleu", "chrf"]
    assert [row["alpha"] for row in got["system_level"][0]["tie_calibrated"]] == list(human.ALPHAS)
    assert {"chi_square", "df", "p", "between", "alpha"} <= set(got["chi_square"][0])
    assert {"q", "df", "p", "mcnemar"} <= set(got["cochran_q"][0])
    assert got["warnings"][0] == "a warning"
    deciding = got["decided_by"]["0.05"]
    assert deciding[0][0] is None
    people = result().people
    places = people.decided(0.05).by.tolist()
    assert deciding == [[None if place < 0 else people.dimensions[place] for place in row] for row in places]
    assert {people.dimensions[0], None} <= {one for row in deciding for one in row}


def test_unknown_pairs_are_null_in_the_json():
    """Gold is null for unknown pairs and 0 on the diagonal."""
    rows = [
        ("j", s, str(k), float(10 * n + k), d)
        for d, part in (("adequacy", ["alpha", "beta", "gamma"]), ("fluency", ["gamma", "delta"]))
        for n, s in enumerate(part)
        for k in range(12)
    ]
    columns = ("judge", "system", "segment", "score", "dimension")
    found = judgments("x", dict(zip(columns, zip(*rows, strict=True), strict=True)))
    got = files.human_json(result_of(found, resamples=100))
    place = {name: k for k, name in enumerate(got["systems"])}
    assert got["gold"]["0.05"][place["alpha"]][place["delta"]] is None
    assert got["gold"]["0.05"][place["alpha"]][place["alpha"]] == 0
    assert got["rank_sum"]["fluency"][place["alpha"]][place["gamma"]] is None
    assert got["z_scores"]["fluency"][place["alpha"]] is None
    json.dumps(got, allow_nan=False)


def test_rows_hold_everything():
    """Accuracy, differences, McNemar, systems, judges, segments and pairs as rows of raw numbers."""
    found = result()
    assert len(results.rows(human.fields.ACCURACIES, found.accuracies)) == 12
    assert len(results.rows(human.fields.DIFFERENCES, found.differences)) == len(found.differences) == 12
    assert len(reports.mcnemar_rows(found)) == 12
    assert [row["system"] for row in reports.system_rows(found.people)] == list(found.people.systems)
    assert len(results.rows(human.fields.JUDGES, found.people.judges)) == 16
    assert len(reports.segment_rows(found.people)) == 2 * 5 * 24
    pairs = reports.pair_rows(found, 0.05)
    assert len(pairs) == 10
    for row in pairs:
        assert row["people"] in ("better", "worse", "no difference")
        assert (row["decided by"] == "") == (row["people"] == "no difference")
    for rows in (results.rows(human.fields.ACCURACIES, found.accuracies), pairs, reports.segment_rows(found.people)):
        assert to_csv(rows).count("\r\n") == len(rows) + 1


def apart(*adjusted: float) -> human.HumanResult:
    """The result with these adjusted p of a first metric that is better than the others."""
    items = [
        human.MetricDifference(
            "bleu", "chrf", "three_way", "paired_bootstrap", 0.05, 20.0, 5.0, 35.0, p, p, "jackknife_t"
        )
        for p in adjusted
    ]
    scores = [
        human.MetricDifference("bleu", "chrf", "pearson", "", math.nan, 0.1, *[math.nan] * 2, p, p, "perm_systems")
        for p in adjusted
    ]
    return replace(result(), metric_differences=(*items, *scores))


def test_differences_are_named_where_there_are_any() -> None:
    """Which metric agrees more than which, with the adjusted p; how often nothing can be tested is said too."""
    told = reports.differ(apart(0.004, 0.3), "paired_bootstrap", 0.05)
    assert told.startswith("1 of 2 pairs of metrics differ in this under Paired bootstrap: BLEU agrees more than chrF")
    assert "(adjusted p = 0.0040)" in told
    assert "Pearson's r: BLEU agrees more than chrF (adjusted p = 0.0040)" in reports.about_scores(apart(0.004, 0.3))
    assert "cannot be tested on 5 systems" in reports.differ(apart(math.nan), "paired_bootstrap", 0.05)
    assert reports.about_scores(apart(math.nan)) == ""
    assert reports.shown_rows(apart(math.nan), "paired_bootstrap", 0.05)[0]["p"] == "n/a"
    assert reports.differences(apart(), "paired_bootstrap", 0.05) == ""


def test_differences_are_rows() -> None:
    """One row per pair, measure, test, alpha and method, as numbers; names of metrics as they are printed."""
    rows = reports.metric_rows(result())
    assert len(rows) == len(result().metric_differences)
    assert {row["by"] for row in rows} == set(human.DIFFERENCE_METHODS.values())
    assert {(row["metric"], row["other metric"]) for row in rows} == {("BLEU", "chrF")}
    assert to_csv(rows).count("\r\n") == len(rows) + 1
    assert "nan" not in str(reports.shown_score_rows(result()))


def test_names_cannot_become_formulas():
    """System, judge, segment and document are names: a leading = is defused in CSV."""
    for rows in (
        reports.system_rows(hostile().people),
        reports.pair_rows(hostile(), 0.05),
        reports.segment_rows(hostile().people),
    ):
        assert not re.search(r"(?m)(^|,)=1\+1", to_csv(rows))
    assert "'=j" in to_csv([{"judge": "=j", "document": "+d", "segment": "@s"}])


def test_the_sentence_says_who_agrees_and_whether_that_is_more():
    """Alpha, people's pairs, the best metrics, of how many, with the interval over systems, and whether metrics differ."""
    found = result()
    shown = reports.summary(found, 0.05)
    best = next(cell for cell in found.accuracies if cell.best and cell.alpha == 0.05)
    assert shown.startswith(
        f"At alpha 0.05, people distinguish {reports.distinguished(found, 0.05)} of 10 pairs of systems;"
    )
    over = f"95% interval over systems {best.system_low:.1f} to {best.system_high:.1f}%"
    of = "the best of 4: 2 metrics under 2 tests"
    assert f"{best.correct} of {best.pairs} pairs ({of}, {best.percent:.1f}%, {over})" in shown
    assert "; no two metrics are shown to differ in this under" in shown
    assert "t-test over systems, Holm over 1 pair of metrics" in shown
    assert "nan" not in shown


def test_the_combined_value_is_not_called_a_p_value():
    """With two dimensions the note says why, with the chance of a false conclusion; with one it gives that chance."""
    both = reports.gold_note(result().people, 0.05)
    assert "not a p-value" in both
    assert "about 19% at alpha 0.05 per side if the dimensions are independent, and never more than 20%" in both
    assert "compared with 10% for one dimension" in both
    alone = reports.gold_note(hostile().people, 0.01)
    assert "based on adequacy alone" in alone
    assert "a probability of 2%" in alone
    assert "pairs share systems" in reports.why_too_narrow()


@pytest.mark.parametrize(
    ("standard", "scale"),
    [
        ("given", "standardised scores as published"),
        ("all", "of all ratings of each judge"),
        ("ordinary", "of each judge's ratings of system outputs"),
        ("none", "scores as given"),
    ],
)
def test_methods_name_every_choice(standard, scale):
    """Ratings, scale, tests, alphas and counts are in the sentence for the paper."""
    z = [0.1] * len(ratings())
    columns = dict(zip(("judge", "system", "segment", "kind", "score"), zip(*ratings(), strict=True), strict=True))
    found = judgments("m", {**columns, "z": z})
    got = result_of(found, resamples=100, standard=standard)
    shown = reports.methods(got).partition(" Signature")[0]
    assert scale in shown
    assert "one-sided Wilcoxon rank-sum tests" in shown
    assert "BLEU, chrF by Paired bootstrap, Approximate randomization" in shown
    assert "on 10 pairs of 5 systems at alpha 0.05, 0.01, 0.001" in shown
    assert got.people.standard == standard
    header = next(line for line in files.human_table(got).splitlines() if "judged system" in line)
    assert ("adequacy z" in header) == (standard != "none")


def test_the_terminal_table_has_the_form_of_the_paper():
    """Ranking, one table per alpha with the best starred, differences and notes; no nan."""
    shown = files.human_table(result())
    assert shown.count("Correct conclusions at alpha") == 3
    for cell in result().accuracies:
        for low, high in ((cell.low, cell.high), (cell.system_low, cell.system_high)):
            interval = reports.interval(low, high)
            assert f"{cell.correct}/{cell.pairs} {cell.percent:.1f} {interval}{'*' if cell.best else ''}" in shown
    assert shown.index("95% interval over systems") < shown.index("As in the paper (too narrow")
    assert "nan" not in shown
    assert "\x1b" not in files.human_table(hostile())


# ---- LaTeX


def balanced(text: str) -> bool:
    """Whether every brace that is not a character of the text is closed."""
    depth = 0
    for found in re.finditer(r"\\.|[{}]", text):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth < 0:
            return False
    return depth == 0


def test_the_latex_table_has_all_cells_with_the_best_in_bold():
    """One row per alpha and metric, two columns per test, braces balanced."""
    text = files.accuracy_table(result())
    assert balanced(text)
    rows = [line for line in text.split("\n") if re.search(r"& (BLEU|chrF) &", line)]
    assert len(rows) == 6
    assert all(line.count("&") == 5 and line.endswith(r"\\") for line in rows)
    assert text.count(r"\textbf") == 2 * sum(cell.best for cell in result().accuracies)
    best = next(cell for cell in result().accuracies if cell.best)
    assert (
        rf"\textbf{{{reports.correct_pairs(result(), best)}}} & \textbf{{{best.percent:.1f}}} [{best.system_low:.1f}, {best.system_high:.1f}]"
        in text
    )
    assert "intervals from leaving out one system at a time" in text
    assert best.pairs == 8
    assert "k/n: k of the n pairs on which there is a conclusion" in text


def test_the_latex_figure_draws_every_grid():
    """People's grids of each dimension and combined, then one per metric and test; a square per pair."""
    text = files.figure(result(), 0.05)
    assert balanced(text)
    assert text.count(r"\begin{tikzpicture}") == text.count(r"\end{tikzpicture}") == 3 + 4
    unknown = 2 * 4  # two pairs, both ways, have no p of the bootstrap under two metrics
    assert text.count(r"\fill[") == 20 * 7 - unknown
    colours = set(re.findall(r"\\fill\[(\w+)\]", text))
    assert colours <= set(re.findall(r"\\definecolor\{(\w+)\}", text))


def test_names_are_letters_in_latex():
    """Whatever a system or a file is called, LaTeX prints it and runs none of it."""
    for text in (files.accuracy_table(hostile()), files.figure(hostile(), 0.05)):
        assert balanced(text)
        assert "a_b & c" not in text
    assert r"sys\_a\_b*c*" in files.figure(hostile(), 0.05)


# ---- without a conclusion


def test_a_pair_without_a_p_has_no_conclusion_in_rows_and_json():
    """Two pairs have no p of the paired bootstrap: no conclusion in words, null in JSON, and fewer pairs in the cells."""
    found = result()
    columns = [f"{metric}, Paired bootstrap" for metric in found.metrics.values()]
    said = [row[column] for row in reports.pair_rows(found, 0.05) for column in columns]
    assert said.count("no conclusion") == 4
    content = files.human_json(found)
    grids = [item["conclusions"] for item in content["conclusions"] if (item["test"], item["alpha"]) == (BOOT, 0.05)]
    assert [sum(value is None for row in grid for value in row) for grid in grids] == [4, 4]
    cells = [item for item in content["accuracy"] if item["alpha"] == 0.05]
    assert {(item["test"], item["pairs"]) for item in cells} == {(BOOT, 8), ("approximate_randomization", 10)}
    assert {item["pairs"] for item in content["cochran_q"] if item["between"] == "tests"} == {8}
    assert "pairs on which a metric has no conclusion are not counted for it" in reports.methods(found)


def test_without_enough_resamples_nothing_is_called_best():
    """At an alpha that R cannot reach, every form says that there is no conclusion, and why."""
    found = result_of(made(("adequacy", ratings()), ("fluency", ratings("fluency"))), resamples=200)
    assert reports.top(found, 0.001) is None
    assert reports.summary(found, 0.001).endswith(
        "; no metric has a conclusion, because 200 resamples cannot show a difference at alpha 0.001: the smallest p they "
        "can give is 0.0050; at least 999 are needed."
    )
    shown = files.human_table(found)
    assert "nan" not in shown
    assert "Accuracy of conclusions at alpha 0.001: none, because no metric has a conclusion.\n" in shown
    assert "Correct conclusions at alpha 0.001" not in shown
    table = files.accuracy_table(found)
    assert table.count("n/a & n/a & n/a & n/a") == 2
    assert [row["percent"] for row in files.human_json(found)["accuracy"] if row["alpha"] == 0.001] == 4 * [None]
    assert {
        row["correct"] for row in results.rows(human.fields.ACCURACIES, found.accuracies) if row["alpha"] == 0.001
    } == {0}
