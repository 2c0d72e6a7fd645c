"""What a result says in words, tables and bars: each decision with the case on its other side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigboard.render import bibtex, tables, text
from sigboard.render.bars import bars, lines, p_label, small_tail
from sigboard.render.sentences import family_words, headline, methods, of_choices, of_runs, within_grids
from sigcore.results import Family, Histogram
from sigcore.testset import Outputs
from sigcore.types import Comparisons
from tests.unit.factories import compare, matrix, one_test

ONE = Family(1, 1, kind="one planned pair")


# ---- sentences


@pytest.mark.parametrize(
    ("gain", "p", "family", "said"),
    [
        (0.62, 0.004, ONE, "Online-B beats Online-A by 0.62 BLEU (p = 0.0040, a single planned comparison)."),
        (-0.62, 0.004, ONE, "Online-B loses to Online-A by 0.62 BLEU (p = 0.0040, a single planned comparison)."),
        (
            0.62,
            0.3,
            ONE,
            "Online-B leads Online-A by 0.62 BLEU, not significantly (p = 0.30, a single planned comparison).",
        ),
        (
            -0.62,
            0.3,
            ONE,
            "Online-B trails Online-A by 0.62 BLEU, not significantly (p = 0.30, a single planned comparison).",
        ),
        (0.62, 0.004, Family(28, 28), "(p = 0.0040, uncorrected, 28 pairs)."),
        (0.0, 0.3, ONE, "Online-B and Online-A have the same score: there is no difference to test."),
        (0.62, np.nan, ONE, "Online-B leads Online-A by 0.62 BLEU. No verdict: p is undefined here."),
    ],
)
def test_the_headline(gain: float, p: float, family: Family, said: str) -> None:
    """Who leads, by how much, and among how many tests."""
    found = headline(one_test(gain=gain, p_value=p, p_interval=(p, p)), 0.05, family)
    assert found.endswith(said), found


def test_an_adjusted_p_is_called_so() -> None:
    """And decides: the p of the pair alone is not in the headline."""
    family = Family(28, 28, "holm", "Holm", adjusted=0.2, adjusted_interval=(0.19, 0.21))
    found = headline(one_test(gain=0.62, p_value=0.004), 0.05, family)
    assert found == "Online-B leads Online-A by 0.62 BLEU, not significantly (adjusted p = 0.20, all 28 pairs)."


@pytest.mark.parametrize(
    ("family", "words"),
    [
        (ONE, "a single planned comparison"),
        (Family(2, 1), "uncorrected, 1 pair"),
        (Family(6, 3), "uncorrected, 3 pairs"),  # pairs, not tests in both directions
        (Family(6, 3, adjusted=0.1), "all 3 pairs"),
        (Family(1, 1, adjusted=0.1), "1 pair"),
        (Family(4, 4, adjusted=0.1, kind="one baseline", baseline="A"), "all against A"),
        (Family(2, 2, adjusted=0.1, kind="chosen pairs"), "2 chosen pairs"),
        (Family(2, 2, adjusted=0.1, kind="chosen pairs", late=True), "2 chosen pairs, chosen late"),
    ],
)
def test_the_family_in_few_words(family: Family, words: str) -> None:
    """Pairs are counted, and a late choice is named."""
    assert family_words(family) == words


def test_systems_against_a_baseline_are_counted_without_it() -> None:
    """Three systems: two comparisons. One pair alone is one test."""
    pairwise = methods(matrix(correction="none"), 0.05)
    assert pairwise.startswith("3 systems were compared pairwise in BLEU with")
    assert "p-values were not corrected for multiple comparisons." in pairwise
    assert "It is one test, not corrected." in methods(matrix([2.0, 1.0], correction="none"), 0.05)
    assert "p-values were corrected over 3 tests (Holm)." in methods(matrix(), 0.05)
    # one-sided, a pair is two tests
    both_ways = methods(matrix([2.0, 1.0], correction="none", side="greater"), 0.05)
    assert "p-values were not corrected for multiple comparisons." in both_ways
    against = methods(matrix(family=Comparisons("one baseline", "sys0")), 0.05)
    assert against.startswith("2 systems were compared with sys0 in BLEU with")
    alone = methods(matrix([2.0, 1.0], family=Comparisons("one baseline", "sys0")), 0.05)
    assert alone.startswith("1 system was compared with sys0 in BLEU with")


def test_a_doubled_p_has_its_formula() -> None:
    """Twice the tail, and at most 1."""
    plain = methods(one_test(), 0.05)
    doubled = methods(one_test(doubled=True), 0.05)
    assert "p = (c + 1) / (R + 1), ties counted against the gain" in plain
    assert "p = 2 (c + 1) / (R + 1), doubled for the two sides and at most 1, ties counted against the gain" in doubled


@pytest.mark.parametrize(
    ("metrics", "tests", "words"),
    [
        (["bleu"], ["ar"], ""),
        (["bleu", "bleu"], ["ar", "ar"], ""),  # the same twice is no choice
        (["bleu", "ter"], ["ar", "ar"], "over the 2 metrics."),
        (["bleu"], ["ar", "pb"], "over the 2 tests."),
        (["bleu", "ter"], ["ar", "pb"], "over the 2 metrics and 2 tests."),
    ],
)
def test_choices_are_not_corrected(metrics: list[str], tests: list[str], words: str) -> None:
    """Different metrics, and different tests."""
    found = of_choices(metrics, tests, "p is corrected within, not")
    assert [words in one for one in found] == [True] * bool(words)


def test_what_is_corrected_in_grids() -> None:
    """Nothing, or within each."""
    assert within_grids("none") == "p-values are not corrected, neither within a grid nor"
    assert within_grids("holm") == "p-values are corrected within each grid, not"


def test_copies_among_runs() -> None:
    """A finding on equal files is not so for systems; how many runs are different is."""
    run = Outputs("A", ("x", "y"))
    systems = {"A": [run, replace(run, run="2"), Outputs("A", ("x", "z"), run="3")], "B": [run]}
    notes = of_runs(["A and B are identical: their difference is zero.", "other"], systems, [], "none")
    assert notes == ["other", "3 runs of A have only 2 different outputs: a copy is not another run."]


# ---- tables


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd", "'+cmd"),
        ("@x", "'@x"),
        ("-0.5", "-0.5"),
        ("+3", "+3"),
        ("1e-5", "1e-5"),
        ("-.5%", "-.5%"),
        ("+++", "+++"),  # a verdict
        ("---", "---"),
        ("-1-1", "'-1-1"),
        (float("nan"), ""),
        (float("-inf"), ""),
        (-0.5, "-0.5"),
    ],
)
def test_a_spreadsheet_runs_no_cell(cell: object, written: str) -> None:
    """Numbers and verdicts stay as they are; undefined and infinite ones are empty."""
    assert tables.to_csv([{"x": "a", "y": cell}]).split("\r\n")[1] == f"a,{written}"  # type: ignore[dict-item]


def test_a_table_of_latex() -> None:
    """One column to the left and the others to the right; a rule follows a row that is named from 0."""
    found = tables.latex_table(["a", "b_c", "d"], [["1", "<", ">"], ["2", "~", "^"]], "50% & more", "tab:x", rules=[0])
    table = found.split("\n")
    assert r"\begin{tabular}{lrr}" in table
    assert table[table.index(r"1 & \textless{} & \textgreater{} \\") + 1] == r"\midrule"
    assert table[table.index(r"2 & \textasciitilde{} & \textasciicircum{} \\") + 1] == r"\bottomrule"
    assert r"\caption{50\% \& more}" in table
    assert r"a & b\_c & d \\" in table


def test_heads_that_span_columns_have_a_rule() -> None:
    """Below the columns that they span, counted from 1."""
    assert (
        tables.spanning([("", 1), ("x", 3), ("y", 2)]).split("\n")[-1].strip()
        == r"\cmidrule(lr){2-4} \cmidrule(lr){5-6}"
    )


def test_rows_as_a_table() -> None:
    """Four digits; what is undefined is n/a."""
    found = tables.rows_table([{"a": 1.23456, "b": None, "c": float("nan"), "d": 7}], "c")
    assert r"1.235 & n/a & n/a & 7 \\" in found


# ---- text


def test_a_pair_as_text() -> None:
    """The gain has its sign; only the tests on the side of the result have verdicts."""
    two, greater = one_test(gain=-0.62), one_test(gain=-0.62, side="greater")
    found = text.compare_table(compare(two, greater, gain=-0.62), 0.05)
    assert any(line.split()[:2] == ["gain", "-0.62"] for line in found.split("\n"))
    assert found.count("Online-B was compared with Online-A") == 1
    assert text.OTHER_TESTS in found
    alone = text.compare_table(compare(two, gain=-0.62), 0.05)
    assert text.OTHER_TESTS not in alone


@pytest.mark.parametrize(("word", "columns"), [("abc", 3), ("翻訳", 4), ("ＡＢ", 4), ("e\u0301", 1), ("ｱ", 1)])
def test_columns_of_a_terminal(word: str, columns: int) -> None:
    """Wide and full-width letters take two, accents none."""
    assert text.width(word) == columns


def test_symbols_stand_in_parts_that_fit() -> None:
    """No line is wider than the terminal; every system has its number."""
    grid = matrix(list(np.linspace(30, 50, 30)), systems=tuple(f"s{k}" for k in range(30)))
    for columns in (80, 100):
        found = text.matrix_table(grid, 0.05, said=False, columns=columns)
        assert max(map(text.width, found.split("\n"))) <= columns
        heads = [line.split() for line in found.split("\n") if line.split()[:1] == ["system"]]
        numbers = [word for line in heads for word in line if word.isdigit()]
        assert numbers == [str(k + 1) for k in range(30)]


def test_a_grid_numbers_its_rows_and_shows_p_where_there_is_no_verdict() -> None:
    """From 1, the best first; p as printed elsewhere has no symbols."""
    rows = text.matrix_table(matrix(), 0.05, said=False).split("\n")
    assert [row.split()[:2] for row in rows[3:6]] == [["1", "sys1"], ["2", "sys2"], ["3", "sys0"]]
    p = np.array([[1, 0.25], [0.25, 1]])
    printed = text.matrix_table(matrix([2.0, 1.0], p=p, tie_rule="strict"), 0.05, said=False)
    assert printed.split("\n")[3].split()[-1] == "0.25"


@pytest.mark.parametrize(("most", "whole"), [(45, True), (44, False)])
def test_symbols_of_so_many_bytes_are_printed(most: int, whole: bool) -> None:
    """Three systems take 3 x 3 x 5 bytes; else a sentence says how to get the pairs."""
    found = text.matrix_table(matrix(), 0.05, said=False, most=most)
    assert ("are not printed" not in found) is whole
    assert ("+++ p <=" in found) is whole


# ---- bars


@pytest.mark.parametrize(("tail", "is_small"), [(0, False), (1, True), (500, True), (501, False)])
def test_a_small_tail_is_magnified(tail: int, is_small: bool) -> None:
    """Up to a twentieth of the resamples, and not where there is nothing to see."""
    assert small_tail(one_test(tail=tail)) is is_small


def test_a_bar_on_the_cut_off_counts() -> None:
    """On both sides."""
    point = Histogram(np.array([0.5, 0.5]), np.array([10]))
    assert bars(point, (0.5, np.inf)).tail.tolist() == [True]
    assert bars(point, (-np.inf, 0.5)).tail.tolist() == [True]
    assert bars(point, (0.4, 0.6)).tail.tolist() == [False]


def test_the_area_of_a_bar_is_its_share() -> None:
    """A bin of half the width is twice as high."""
    unequal = Histogram(np.array([0.0, 1.0, 2.0, 2.5]), np.array([10, 20, 10]))
    assert bars(unequal, (-np.inf, np.inf)).heights.tolist() == [10, 20, 20]


def test_lines_of_a_panel() -> None:
    """From left to right: the mirror of the gain with its own sign, zero, the gain and twice the gain."""
    found = lines(one_test(gain=0.62, cutoffs=(-0.62, 0.62)))
    assert [(round(place, 2), words.replace("\u2212", "-"), solid) for place, words, solid in found] == [
        (-0.62, "mirror -0.62", False),
        (0.62, "gain +0.62", True),
    ]
    assert [words for _, words, _ in lines(one_test(gain=0.62, cutoffs=(0.0, 1.24)))] == [
        "cut-off 0",
        "gain +0.62",
        "2 × gain",
    ]


def test_p_and_what_it_counts() -> None:
    """Twice only where it is doubled."""
    assert p_label(one_test(tail=39)) == "p = 0.0040, 39 of 10,000 resamples"
    assert p_label(one_test(tail=39, doubled=True)).endswith("39 of 10,000 resamples, doubled for the two sides")


# ---- the papers, and the command line


@pytest.mark.parametrize(
    ("source", "key", "cited"),
    [
        ("Popović 2015, 2017; sacrebleu (Post 2018)", "popovic2015", True),
        ("Popović 2015, 2017; sacrebleu (Post 2018)", "popovic2017", True),
        ("Popović 2015, 2017; sacrebleu (Post 2018)", "popovic2018", False),  # of another author
        ("Popović 2015, 2017; sacrebleu (Post 2018)", "post2018", True),
        ("Berg-Kirkpatrick et al. 2012", "bergkirkpatrick2012", True),
        ("Poster 2018", "post2018", False),
    ],
)
def test_a_paper_is_cited_by_its_author_and_year(source: str, key: str, cited: bool) -> None:
    """Both in one part of the source."""
    assert bibtex.cites(source, key) is cited


def test_the_command_line_gives_the_same_again() -> None:
    """Defaults that may change are written out, also empty ones; a value that looks like a flag is one word with it."""
    given = {
        "command": "matrix", "files": ["a b.csv"], "metric": ["bleu"], "resamples": 10000, "alpha": 0.05, "unit": "", "better": "lower",
        "option": ["bleu.x=1", "-y=2"], "missing_code": ["-1"], "pair": [["A", "-B"]], "quiet": False, "workers": 4, "gain": 0.12345678,
        "differing": True, "seed": 7,
    }  # fmt: skip
    assert bibtex.command_line(given) == (
        "sigboard matrix 'a b.csv' --metric bleu --resamples 10000 --alpha 0.05 --unit '' --lower-is-better --option bleu.x=1 "
        "--option=-y=2 --missing-code=-1 --pair A -B --gain 0.12345678 --differing --seed 7"
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"draws": 0}, "sigboard report --draws 0"),
        ({"draws": None, "quiet": False, "systems": [], "name": ""}, "sigboard report"),
        ({"control": 0.0}, "sigboard report --control 0"),
        ({"yes": True}, "sigboard report --yes"),
    ],
)
def test_a_number_of_0_is_a_part_of_the_command(given: dict[str, object], words: str) -> None:
    """Only what was not given is left out: without --draws 0 the same command would draw."""
    assert bibtex.command_line({"command": "report"} | given) == words
