"""A score matrix as sentences, rows, JSON, LaTeX and text: never nan, names letter by letter, one shape."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sigboard.questions.scores import report as written
from sigboard.questions.scores.report import scores_json
from sigboard.render import tables
from sigboard.render.tables import to_csv
from sigcore.executors import Serial
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies import scores
from sigcore.study import Runtime
from tests.unit.factories import HOSTILE
from tests.unit.sigcore.studies.scores.test_study import RUN, matrix, odd

RESULT = scores.read(RUN)
ODD = scores.read(scores.run(odd(), resamples=100, runtime=Runtime(executor=Serial())))


def strict(document: object) -> Any:
    """The document after a trip through strict JSON."""
    return json.loads(json.dumps(document, allow_nan=False))


@pytest.mark.parametrize("result", [RESULT, ODD], ids=["sound", "odd"])
def test_json_has_the_agreed_fields(result: scores.ScoresResult) -> None:
    """pairs, counts, kruskal and tukey are there; each pair has its statistics, p and draws; nothing is nan."""
    found = strict(scores_json(result, 0.05))
    assert {"pairs", "counts", "kruskal", "friedman", "tukey", "signature", "notes"} <= set(found)
    for pair in found["pairs"]:
        assert {"system", "baseline", "n", "t", "paired_t", "wilcoxon", "mc", "hb"} <= set(pair)
        for part in (pair, pair["mc"], pair["hb"]):
            for statistic in scores.STATISTICS:
                assert {"statistic", "p", "cutoff"} <= set(part[statistic])
    assert set(found["kruskal"]) >= {"statistic", "df", "p"}
    assert len(found["tukey"]["groups"]) == len(found["tukey"]["p_values"]) == result.run.matrix.n


def test_json_holds_the_numbers_of_the_run() -> None:
    """Statistics, p and counts are those of the result."""
    found = strict(scores_json(RESULT, 0.05))
    for k, pair in enumerate(found["pairs"]):
        if not RUN.few[k]:
            assert pair["paired_t"]["statistic"] == RUN.statistics[1, k]
            assert pair["wilcoxon"]["p"] == RUN.p_theory[2, k]
            assert pair["hb"]["t"]["p"] == RESULT.p_values[2, 0, k]
            assert pair["wilcoxon"]["w_plus"] - pair["wilcoxon"]["w_minus"] == RUN.statistics[2, k]
    for family in ("all", "human_machine"):
        assert found["counts"][family]["wilcoxon"] == RESULT.count(family, "theory", "wilcoxon", 0.05).raw
        assert found["counts"][family]["mc"]["t"] == RESULT.count(family, "mc", "t", 0.05).raw
        assert found["counts"][family]["corrected"]["t"] == RESULT.count(family, "theory", "t", 0.05).corrected
    assert strict(scores_json(scores.read(RUN, humans=()), 0.05))["counts"]["human_machine"] is None


def test_the_summary_says_what_was_found() -> None:
    """One sentence with the counts of each statistic, and whether documents differ."""
    output = written.summary(RESULT, 0.05)
    paired = RESULT.count("all", "theory", "paired_t", 0.05).corrected
    assert output.startswith(f"Of 20 pairs that can be tested (of 21), paired T finds {paired}, Wilcoxon's W")
    assert "significantly different at alpha 0.05 (Holm); " in output
    assert "the document sets differ in difficulty (Kruskal-Wallis p <" in output
    flat = scores.read(scores.run(matrix(n=1), resamples=10, runtime=Runtime(executor=Serial())))
    assert written.summary(flat, 0.05).startswith("None of 21 pairs can be tested: no two systems share 6 documents;")


def test_the_summary_reports_pairs_that_cannot_be_tested() -> None:
    """A pair without common documents is not one that does not differ; one pair is not one pairs."""
    tested = int((~ODD.run.few).sum())
    assert written.summary(ODD, 0.05).startswith(f"Of {tested} pairs that can be tested (of 15), paired T finds")
    two = scores.read(scores.run(matrix(n=2, machines=2, humans=0), resamples=10, runtime=Runtime(executor=Serial())))
    assert written.summary(two, 0.05).startswith("The only pair cannot be tested: no two systems share 6")
    assert "with 1 degree of freedom" in "".join(written.omnibus_sentence(item) for item in two.run.omnibus)


def test_a_test_of_ranks_in_words() -> None:
    """Its statistic and p, or why there is none, and what was left out."""
    output = [written.omnibus_sentence(item) for item in RUN.omnibus]
    assert any("only the 5 of 7 systems that have every document" in words for words in output)
    one = scores.run(matrix(n=1), resamples=10, runtime=Runtime(executor=Serial()))
    assert all("not defined. At least" in written.omnibus_sentence(t) for t in one.omnibus if t.factor == "documents")


def test_every_undefined_p_is_explained() -> None:
    """Few documents, one system twice, a constant gain, two flat systems: each pair has its reason."""
    said = {
        frozenset(pair): written.why_not(ODD, ODD.place(*pair)[0])
        for pair in (("x", "again"), ("x", "more"), ("x", "nothing"), ("flat", "level"), ("x", "flat"))
    }
    assert "same score on every document" in said[frozenset(("x", "again"))]
    assert "same amount on every document" in said[frozenset(("x", "more"))]
    assert "share 0 documents" in said[frozenset(("x", "nothing"))]
    assert "same amount" in said[frozenset(("flat", "level"))]
    assert said[frozenset(("x", "flat"))] == ""


def test_few_differences_are_reported() -> None:
    """Where two systems differ on a handful of many documents, the normal approximation of W is called rough."""
    values = np.zeros((60, 2))
    values[:9, 0] = np.arange(1, 10)
    names = tuple(f"d{k}" for k in range(60))
    result = scores.read(
        scores.run(ScoreMatrix("rare", names, ("A", "B"), values), resamples=50, runtime=Runtime(executor=Serial()))
    )
    assert "differ on only 9 documents" in written.why_not(result, 0)


def test_count_rows_are_the_tables_of_the_paper() -> None:
    """A row per family and method for p, raw and corrected counts side by side."""
    rows = written.count_rows(RESULT, 0.05)
    assert [(row["pairs"], row["of"], row["p by"]) for row in rows][:2] == [
        ("all pairs", 21, "theory"),
        ("all pairs", 21, "MC: swap"),
    ]
    assert len(rows) == 6
    assert rows[3]["of"] == 10
    assert rows[0]["paired T"] == RESULT.count("all", "theory", "paired_t", 0.05).raw


def test_detail_turns_with_the_pair() -> None:
    """The statistics of the other direction have the other sign, p is the same, and no cell is nan."""
    place, turn = RESULT.place("m0", "m4")
    there, back = (written.detail_rows(RESULT, place, 0.05, sign) for sign in (turn, -turn))
    assert len(there) == 9
    for one, other in zip(there, back, strict=True):
        assert one["p"] == other["p"]
        assert one["value"].lstrip("+-") == other["value"].lstrip("+-")
        assert one["value"][0] != other["value"][0]
    shifted, _ = ODD.place("x", "more")
    cells = [str(cell) for row in written.detail_rows(ODD, shifted, 0.05) for cell in row.values()]
    assert not any("nan" in cell or "inf" in cell for cell in cells)
    assert "undefined" in cells
    assert "unbounded" in cells


def test_a_verdict_says_whether_the_correction_took_it_away() -> None:
    """Significant, significant but for the correction, or not."""
    words = {row["at alpha 0.05"] for k in range(21) for row in written.detail_rows(RESULT, k, 0.05)}
    assert words == {"different", "different, but not after the correction", "not shown to differ", "undefined"}


def test_rows_are_plain_tables() -> None:
    """Pairs, scores and mean ranks come as rows; an undefined number is an empty cell of the CSV."""
    assert len(written.pair_rows(ODD, 0.05)) == 15
    assert "nan" not in to_csv(written.pair_rows(ODD, 0.05))
    assert "nan" not in to_csv(written.matrix_rows(RUN.matrix))
    ranks = RUN.ranks("documents")
    assert ranks is not None
    rows = written.rank_rows(ranks, 0.05)
    assert [row["mean rank"] for row in rows] == sorted((row["mean rank"] for row in rows), reverse=True)
    assert all(row["low"] < row["mean rank"] < row["high"] for row in rows)


def test_efficiency_rows_hold_theory_and_the_estimate() -> None:
    """The shapes of theory, this pair, and the median of all; ties everywhere leave it undefined."""
    rows = written.efficiency_rows(RESULT, int(np.argmax(~RUN.few)))
    assert [row["efficiency of W"] for row in rows][:5] == ["0.955", "1.097", "1.500", "1.000", "0.864"]
    assert len(rows) == 7
    assert "too many ties" in written.efficiency_rows(ODD, ODD.place("x", "again")[0])[-2]["efficiency of W"]


def test_latex_counts_have_the_form_of_the_paper() -> None:
    """A column per statistic and family, a row per way to p, corrected counts in brackets."""
    page = written.counts_latex(RESULT, 0.05)
    assert r"\multicolumn{3}{c}{all 21 pairs} & \multicolumn{3}{c}{human against machine: 5 x 2 = 10 pairs}" in page
    assert "Unpair-T & Pair-T & Wilc. & Unpair-T & Pair-T & Wilc." in page
    count = RESULT.count("all", "theory", "t", 0.05)
    assert f"theory & {count.raw} ({count.corrected}) &" in page
    assert page.count(r"\\") == 5
    assert written.counts_latex(scores.read(RUN, humans=()), 0.05).count("multicolumn") == 1


def test_latex_shows_names_letter_by_letter() -> None:
    """What LaTeX would take for commands is escaped, controls become blanks."""
    assert tables.latex_escape("a_b&50%#{x}$~^\\\n<|>") == (
        r"a\_b\&50\%\#\{x\}\$\textasciitilde{}\textasciicircum{}\textbackslash{} \textless{}\textbar{}\textgreater{}"
    )
    page = tables.latex_table(["", *HOSTILE], [["x", *HOSTILE]], HOSTILE[2], "tab:x")
    assert "sys_a_b" not in page


def test_a_latex_row_does_not_begin_with_a_bracket() -> None:
    """A bracket or a star at the start of a row would belong to the end of the row before it."""
    page = tables.latex_table(["", "n"], [["[x]", "1"], ["*", "2"], ["y", "[3]"]], "c", "tab:x")
    assert "\n{}[x] & 1" in page
    assert "\n{}* & 2" in page
    assert "\ny & [3]" in page


def test_the_terminal_table_reports_everything() -> None:
    """Counts, tests, the sentence and the notes, and no control character of a name."""
    page = written.scores_table(RESULT, 0.05)
    for words in ("all pairs, 21", "human against machine, 10", "Kruskal-Wallis over document sets", "note: "):
        assert words in page
    assert "nan" not in page


def test_the_terminal_names_the_systems_with_their_means() -> None:
    """The best first, by the direction of the scores; a system that nobody scored has no mean."""
    values = np.array([[0.2, 0.5, np.nan], [0.4, np.nan, np.nan], [0.6, 0.7, np.nan]])
    matrix = ScoreMatrix("t", ("d1", "d2", "d3"), ("A", "B", "C"), values, title="ROUGE-2")
    assert written.means(matrix) == "mean ROUGE-2 of the documents, best first: B 0.6000, A 0.4000"
    errors = replace(matrix, values=10 * values, better="lower", title="TER", digest="")
    assert written.means(errors) == "mean TER of the documents, best first: A 4.00, B 6.00"
    assert written.means(RESULT.run.matrix) in written.scores_table(RESULT, 0.05)


def test_numbers_in_words() -> None:
    """No statistic is nan or inf on the screen."""
    assert [written.number(x) for x in (1.23456, -250.04, math.nan, math.inf)] == [
        "+1.235",
        "-250.0",
        "undefined",
        "unbounded",
    ]


def test_counts_that_the_draws_keep_at_zero_are_shown_nowhere() -> None:
    """At 0.01 the draws are too few for Holm: n/a in table and LaTeX, null in JSON, empty in CSV, no verdict in words."""
    counts = [RESULT.count("all", "mc", s, 0.01) for s in scores.STATISTICS]
    assert not any(count.corrected_possible for count in counts)
    for text in (written.scores_table(RESULT, 0.01), written.counts_latex(RESULT, 0.01)):
        assert f"{counts[0].raw} (n/a)" in text
    row = next(row for row in written.count_rows(RESULT, 0.01) if row["p by"] == scores.METHOD_TITLES["mc"])
    assert [row[f"{scores.TITLES[s]}, corrected"] for s in scores.STATISTICS] == [None, None, None]
    assert [row[scores.TITLES[c.statistic]] for c in counts] == [c.raw for c in counts]
    # at 0.0001 not even a raw p of the draws can be small enough: 0 would say that nothing was found
    fewer = next(row for row in written.count_rows(RESULT, 0.0001) if row["p by"] == scores.METHOD_TITLES["mc"])
    assert [fewer[scores.TITLES[s]] for s in scores.STATISTICS] == [None, None, None]
    content = strict(scores_json(RESULT, 0.01))["counts"]["all"]
    assert set(content["corrected"]["mc"].values()) == {None}
    assert None not in content["mc"].values()
    place = int(np.nanargmin(RESULT.p_values[1, 0]))
    said = [row["at alpha 0.01"] for row in written.detail_rows(RESULT, place, 0.01)]
    assert "different; no verdict after the correction" in said
    assert "different, but not after the correction" not in said[1:3]
