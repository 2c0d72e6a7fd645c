"""Rows, JSON, words, the terminal's table and LaTeX of people and metrics."""

from __future__ import annotations

import json
import math
import re
from functools import cache

import pytest

from sigboard.reports import human as reports
from sigboard.reports import human_json, human_latex, human_words
from sigboard.reports.tables import to_csv
from sigcore.judgments import judgments
from sigcore.studies import human
from tests.unit.factories import HOSTILE
from tests.unit.judged import SYSTEMS, made, ratings, result_of


@cache
def result() -> human.HumanResult:
    return result_of(made(("adequacy", ratings()), ("fluency", ratings("fluency"))))


@cache
def hostile() -> human.HumanResult:
    return result_of(human.named(made(name="a_b & c"), dict(zip(SYSTEMS, HOSTILE, strict=True))), HOSTILE, 100)


def test_the_json_has_every_field_and_no_nan():
    """What the terminal promises is there, grids are S x S, and undefined numbers are null."""
    got = json.loads(json.dumps(human_json.human_json(result(), ["a warning"]), allow_nan=False))
    assert got["systems"] == list(result().people.systems)
    assert set(got["rank_sum"]) == set(got["z_scores"]) == {"adequacy", "fluency"}
    assert [len(row) for row in got["rank_sum"]["fluency"]] == [5] * 5
    assert set(got["gold"]) == {"0.05", "0.01", "0.001"}
    flat = [cell for grid in got["gold"].values() for row in grid for cell in row]
    assert set(flat) <= {-1, 0, 1}
    fields = {"metric", "test", "alpha", "correct", "pairs", "percent", "low", "high"}
    assert len(got["accuracy"]) == 12
    assert all(fields <= set(cell) for cell in got["accuracy"])
    assert {"chi_square", "df", "p", "between", "alpha"} <= set(got["chi_square"][0])
    assert {"q", "df", "p", "mcnemar"} <= set(got["cochran_q"][0])
    assert got["warnings"][0] == "a warning"
    assert got["decided_by"]["0.05"][0][0] is None


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
    got = human_json.human_json(result_of(found, resamples=100))
    place = {name: k for k, name in enumerate(got["systems"])}
    assert got["gold"]["0.05"][place["alpha"]][place["delta"]] is None
    assert got["gold"]["0.05"][place["alpha"]][place["alpha"]] == 0
    assert got["rank_sum"]["fluency"][place["alpha"]][place["gamma"]] is None
    assert got["z_scores"]["fluency"][place["alpha"]] is None
    json.dumps(got, allow_nan=False)


def test_rows_hold_everything():
    """Accuracy, differences, McNemar, systems, judges, segments and pairs as rows of raw numbers."""
    found = result()
    assert len(reports.accuracy_rows(found)) == 12
    assert len(reports.difference_rows(found)) == len(found.differences) == 12
    assert len(reports.mcnemar_rows(found)) == 12
    assert [row["system"] for row in reports.system_rows(found.people)] == list(found.people.systems)
    assert len(reports.judge_rows(found.people)) == 16
    assert len(reports.segment_rows(found.people)) == 2 * 5 * 24
    pairs = reports.pair_rows(found, 0.05)
    assert len(pairs) == 10
    for row in pairs:
        assert row["people"] in ("better", "worse", "no difference")
        assert (row["decided by"] == "") == (row["people"] == "no difference")
    for rows in (reports.accuracy_rows(found), pairs, reports.segment_rows(found.people)):
        assert to_csv(rows).count("\r\n") == len(rows) + 1


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
    """Alpha, people's pairs, the best metrics with the exact interval, and Cochran's Q or nothing where it is 0 / 0."""
    found = result()
    shown = human_words.summary(found, 0.05)
    best = next(cell for cell in found.accuracies if cell.best and cell.alpha == 0.05)
    assert shown.startswith(
        f"At alpha 0.05, people distinguish {human_words.distinguished(found, 0.05)} of 10 pairs of systems;"
    )
    assert (
        f"{best.correct} of 10 pairs ({best.percent:.1f} %, exact interval {best.low:.1f} to {best.high:.1f} %)"
        in shown
    )
    q = next(d for d in found.differences if (d.between, d.held, d.alpha) == ("metrics", best.test, 0.05)).q_p
    assert ("Cochran's Q" in shown) == (not math.isnan(q))
    assert "nan" not in shown


def test_the_combined_value_is_not_called_a_p_value():
    """With two dimensions the note says why, with the chance of a false conclusion; with one it gives that chance."""
    both = human_words.gold_note(result().people, 0.05)
    assert "not a p-value" in both
    assert "up to 19 % at alpha 0.05 per side, compared with 10 % for one dimension" in both
    alone = human_words.gold_note(hostile().people, 0.01)
    assert "based on adequacy alone" in alone
    assert "a probability of 2 %" in alone
    assert "same pairs" in human_words.why_not_chi_square()


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
    shown = human_words.methods(got).partition(" Signature")[0]
    assert scale in shown
    assert "one-sided Wilcoxon rank-sum tests" in shown
    assert "BLEU, chrF by Paired bootstrap, Approximate randomization" in shown
    assert "on 10 pairs of 5 systems at alpha 0.05, 0.01, 0.001" in shown
    assert got.people.standard == standard
    header = next(line for line in reports.human_table(got).splitlines() if "judged system" in line)
    assert ("adequacy z" in header) == (standard != "none")


def test_the_terminal_table_has_the_form_of_the_paper():
    """Ranking, one table per alpha with the best starred, differences and notes; no nan."""
    shown = reports.human_table(result())
    assert shown.count("Correct conclusions at alpha") == 3
    for cell in result().accuracies:
        text = f"{cell.correct}/10 {cell.percent:.1f} [{cell.low:.1f}, {cell.high:.1f}]{'*' if cell.best else ''}"
        assert text in shown
    assert "nan" not in shown
    assert "\x1b" not in reports.human_table(hostile())


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
    text = human_latex.accuracy_table(result())
    assert balanced(text)
    rows = [line for line in text.split("\n") if re.search(r"& (BLEU|chrF) &", line)]
    assert len(rows) == 6
    assert all(line.count("&") == 5 and line.endswith(r"\\") for line in rows)
    assert text.count(r"\textbf") == 2 * sum(cell.best for cell in result().accuracies)
    best = next(cell for cell in result().accuracies if cell.best)
    assert rf"\textbf{{{best.correct}}} & \textbf{{{best.percent:.1f}}} [{best.low:.1f}, {best.high:.1f}]" in text


def test_the_latex_figure_draws_every_grid():
    """People's grids of each dimension and combined, then one per metric and test; a square per pair."""
    text = human_latex.figure(result(), 0.05)
    assert balanced(text)
    assert text.count(r"\begin{tikzpicture}") == text.count(r"\end{tikzpicture}") == 3 + 4
    assert text.count(r"\fill[") == 20 * 7
    colours = set(re.findall(r"\\fill\[(\w+)\]", text))
    assert colours <= set(re.findall(r"\\definecolor\{(\w+)\}", text))


def test_names_are_letters_in_latex():
    """Whatever a system or a file is called, LaTeX prints it and runs none of it."""
    for text in (human_latex.accuracy_table(hostile()), human_latex.figure(hostile(), 0.05)):
        assert balanced(text)
        assert "a_b & c" not in text
    assert r"sys\_a\_b*c*" in human_latex.figure(hostile(), 0.05)
