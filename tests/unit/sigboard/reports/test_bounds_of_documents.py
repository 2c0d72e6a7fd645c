"""What tables and JSON of several results share and keep apart: which is the best, who is marked, what must be the same."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sigboard.render import bibtex, json, paper, tables, text
from sigboard.render.document import printable as in_html
from sigboard.render.paper import BETTER, WORSE
from sigcore import MismatchError, Undefined
from sigcore.results import RANKS, Family, Ranks
from sigcore.types import Comparisons
from tests.unit.factories import compare, matrix, one_test

NAN = float("nan")


# ---- tables of the terminal


def test_symbols_stand_in_as_few_parts_as_fit() -> None:
    """Each takes its three columns and a space of two; no part could hold one more."""
    systems = tuple(f"s{k:02d}" for k in range(12))
    result = matrix(np.arange(12.0) * 10, systems=systems)
    beside = len("12") + 2 + len("system")
    for columns in range(beside + 5, 75):
        shown = text.matrix_table(result, 0.05, said=False, columns=columns).split("\n\n")
        parts = [part for part in shown if part.split("\n")[0].split()[:2] == ["system", "1"]] + [
            part
            for part in shown
            if part.startswith("    system") and part.split("\n")[0].split()[1] not in ("1", "BLEU")
        ]
        most = (columns - beside) // 5
        heads = [len(part.split("\n")[0].split()) - 1 for part in parts]
        assert heads == [most] * (12 // most) + [12 % most] * bool(12 % most), columns


def test_a_million_bytes_of_symbols_are_printed() -> None:
    """Those of 447 systems, each of five bytes; of 448 they are left out."""
    assert 5 * 447**2 < text.MOST == 10**6 < 5 * 448**2
    result = matrix(np.arange(448.0), p=np.full((448, 448), 0.5))
    assert "their symbols take more than 1,000,000 bytes" in text.matrix_table(result, 0.05, said=False)


def test_texts_stand_to_the_left_and_numbers_to_the_right() -> None:
    """In the table of several metrics, in that of a grid and in that of a pair."""
    systems = ("a", "long name")
    several = [matrix((9.0, 10.0), systems=systems), matrix((9.0, 10.0), systems=systems, metric="ter")]
    (table,) = text.several_tables(several, 0.05)
    assert table.split("\n\n")[0].split("\n")[1:] == ["long name  10.00  10.00", "a           9.00   9.00"]
    grid = text.matrix_table(several[0], 0.05, said=False).split("\n\n")[1].split("\n")
    assert [line[: len("1  long name  10.00")] for line in grid[1:]] == ["1  long name  10.00", "2  a           9.00"]
    pair = text.compare_table(compare(one_test(system="a", baseline="long name", scores=(9.0, 10.0))), 0.05)
    assert [line.split("[")[0] for line in pair.split("\n")[1:3]] == ["a           9.00  ", "long name  10.00  "]


def test_long_names_are_cut_in_tables_and_whole_in_sentences() -> None:
    """Texts of other columns are whole."""
    name = "n" * 40
    pair = compare(one_test(system=name, test_title="t" * 40))
    shown = text.compare_table(pair, 0.05)
    assert not any(line.startswith(name) for line in shown.split("\n")[:4])
    assert any(line.startswith(name) for line in shown.split("\n")[4:])
    assert any(("t" * 40) in line for line in shown.split("\n")[:9])
    ranks = Ranks(matrix((1.0, 2.0), systems=(name, "b")), 0.05)
    assert name not in text.as_text(RANKS, ranks.systems, metric="BLEU", level="95%")
    assert name in text.wrapped([f"{name} is long"], 0)[0]


@pytest.mark.parametrize(
    ("columns", "lines"), [(0, ["one two three"]), (7, ["one two", "three"]), (6, ["one", "two", "three"])]
)
def test_sentences_are_as_wide_as_the_terminal(columns: int, lines: list[str]) -> None:
    assert text.wrapped(["one two three"], columns) == lines


def test_the_sentences_on_a_grid_follow_it_unless_they_are_not_wanted() -> None:
    result = matrix()
    with_, without = text.matrix_table(result, 0.05), text.matrix_table(result, 0.05, said=False)
    assert with_.startswith(f"{without}\n\n3 systems were compared pairwise")


# ---- the table of scores of a paper


def scored(*scores: float, p: Any = None, **more: Any) -> Any:
    return matrix(scores, p=p, **more)


@pytest.mark.parametrize(
    ("scores", "better", "best"),
    [
        ((40.0, 42.0, 41.0), "higher", ["42.00"]),
        ((40.0, 42.0, 41.0), "lower", ["40.00"]),
        ((42.0, 42.001, 41.0), "higher", ["42.00", "42.00"]),
        ((40.0, 42.01, 42.0), "higher", ["42.01"]),
        ((40.0, NAN, 41.0), "higher", ["41.00"]),
        ((NAN, NAN), "higher", []),
    ],
)
def test_what_is_printed_as_the_best_is_bold(scores: tuple[float, ...], better: str, best: list[str]) -> None:
    """All that read the same; what is undefined is not the best."""
    table = paper.scores([scored(*scores, better=better)], 0.05)
    assert [cell.text for (cell,) in table.cells if cell.best] == best
    assert paper.scores_markdown(table).count("**") == 2 * len(best)
    assert paper.scores_latex(table).count(r"\textbf{") == len(best)


def test_marks_are_against_the_baseline() -> None:
    """At alpha, by the verdict of each metric; the baseline has none, nor a pair without a verdict."""
    p = np.array([[1, 0.01, 0.01, 0.2], [0.01, 1, 0.01, 0.01], [0.01, 0.01, 1, 0.01], [0.2, 0.01, 0.01, 1]])
    first = scored(41.0, 42.0, 40.0, 41.5, p=p)
    second = replace(
        scored(41.0, 40.0, 42.0, NAN, p=np.where(p == 0.2, NAN, p)), setup=replace(first.setup, metric="ter")
    )

    def marks(alpha: float, baseline: str) -> dict[str, list[str]]:
        table = paper.scores([first, second], alpha, baseline)
        return {name: [cell.mark for cell in cells] for name, cells in zip(table.systems, table.cells, strict=True)}

    none = ["", ""]
    assert marks(0.05, "sys0") == {"sys1": [BETTER, WORSE], "sys3": none, "sys0": none, "sys2": [WORSE, BETTER]}
    assert marks(0.005, "sys0") == marks(0.05, "") == dict.fromkeys(("sys1", "sys3", "sys0", "sys2"), none)
    printed = replace(first, setup=replace(first.setup, estimator="paper"))
    table = paper.scores([printed], 0.05, "sys0")
    assert {cell.mark for (cell,) in table.cells} == {""}
    assert BETTER not in table.caption
    assert table.clusters == ()


def clustered() -> Any:
    """Five systems in clusters of one, two and two."""
    p = np.full((5, 5), 0.001)
    for i, j in ((1, 2), (3, 4)):
        p[i, j] = p[j, i] = 0.5
    return scored(45.0, 44.0, 43.0, 42.0, 41.0, p=p)


def test_clusters_are_numbered_from_1() -> None:
    """In Markdown by a column, in LaTeX by a rule, and the caption says what they are."""
    table = paper.scores([clustered()], 0.05)
    assert table.clusters == (0, 2)
    rows = [line.strip("| ").split(" | ") for line in paper.scores_markdown(table).split("\n")]
    assert rows[0] == ["system", "BLEU", "cluster"]
    assert [row[-1] for row in rows[2:7]] == ["1", "2", "2", "3", "3"]
    lines = paper.scores_latex(table).split("\n")
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    assert [k for k, line in enumerate(body) if line == r"\midrule"] == [1, 4]
    assert table.caption.endswith("every system is significantly better than every system of the clusters below.")
    plain = paper.scores([scored(42.0, 41.9, p=np.full((2, 2), 0.5))], 0.05)
    assert "cluster" not in paper.scores_markdown(plain).casefold()
    assert plain.clusters == ()


def test_a_table_of_scores_has_a_column_for_each_metric() -> None:
    """The first test of each; systems in the order of the first metric."""
    bleu, ter = scored(40.0, 42.0), scored(9.0, 7.0, metric="ter", metric_title="TER", better="lower")
    other = replace(bleu, setup=replace(bleu.setup, test="paired_bootstrap", metric_title="not shown"))
    table = paper.scores([bleu, ter, other], 0.05)
    assert (table.metrics, table.systems) == (("BLEU", "TER"), ("sys1", "sys0"))
    assert [[cell.text for cell in cells] for cells in table.cells] == [["42.00", "7.00"], ["40.00", "9.00"]]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"segments": 3000}, "Scores on 3,000 segments;"),
        ({"segments": 0}, "Scores on 1,448 segments;"),
        ({"segments": 1}, "Scores on 1 segment;"),
    ],
)
def test_a_caption_counts_segments(settings: dict[str, Any], said: str) -> None:
    """Of documents, those that they have; else the units."""
    assert paper.scores([matrix(**settings)], 0.05).caption.startswith(said)


def test_a_table_of_pairs_says_how_p_was_made() -> None:
    """By so many resamples, exactly, or by a formula."""
    assert "two-sided, 10,000 resamples; adjusted p: Holm; alpha 0.05." in paper.pairs_caption(matrix(), 0.05)
    assert "two-sided, exact;" in paper.pairs_caption(matrix(resamples=0), 0.05)
    assert "two-sided, by formula;" in paper.pairs_caption(matrix(resamples=0, by_formula=True), 0.05)


def test_all_tables_stand_below_each_other() -> None:
    """That of scores, then one of pairs for each result."""
    results = [matrix(), matrix(metric="ter")]
    latex, markdown = paper.latex(results, 0.05, "sys0"), paper.as_markdown(results, 0.05, "sys0")
    assert [line for line in latex.split("\n") if line.startswith(r"\label")] == [
        r"\label{tab:scores}", r"\label{tab:pairs-bleu}", r"\label{tab:pairs-ter}",
    ]  # fmt: skip
    assert latex.count(r"$^{\dagger}$") == sum(line.count(BETTER) for line in markdown.split("\n")[2:5])
    assert markdown.count("\n| ---") == 3
    assert BETTER not in paper.as_markdown(results, 0.05)


# ---- JSON of several results


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("systems", {"systems": ("a", "b", "c")}),
        ("n", {"n": 9}),
        ("unit", {"unit": "document"}),
        ("segments", {"segments": 9}),
        ("resamples", {"resamples": 9}),
        ("seed", {"seed": 9}),
        ("alternative", {"side": "less"}),
    ],
)
def test_what_results_of_one_document_share(name: str, changes: dict[str, Any]) -> None:
    """Each of them is named where it differs, whichever comes first; metrics and tests differ freely."""
    same, other = matrix(), matrix(**changes)
    for results in ([same, other], [other, same], [same, same, other]):
        with pytest.raises(MismatchError, match=f"Two results differ in {name}: "):
            json.matrix_json(results)
    found = json.matrix_json([same, matrix(metric="ter", test="mcnemar", correction="none")])
    assert [one["metric"] for one in found["results"]] == ["bleu", "ter"]


def test_results_that_draw_nothing_are_beside_those_that_do() -> None:
    """The document has the number of those that do."""
    exact, drawn = matrix(resamples=0, metric="ter"), matrix(resamples=500)
    for results, count in (([exact, drawn], 500), ([drawn, exact], 500), ([exact, exact], 0)):
        assert json.matrix_json(results)["resamples"] == count
    with pytest.raises(MismatchError, match="resamples"):
        json.matrix_json([exact, drawn, matrix(resamples=400)])


def test_a_document_has_its_warnings_and_results_in_order() -> None:
    found = json.matrix_json([matrix(notes=("of one",)), matrix(metric="ter")], ["first", "second"])
    assert (found["warnings"], [one["notes"] for one in found["results"]]) == (["first", "second"], [["of one"], []])
    for nothing in (lambda: json.matrix_json([]), lambda: json.compare_json([])):
        with pytest.raises(Undefined, match="There is no result to write"):
            nothing()


def test_the_side_of_a_pair_is_that_of_its_first_test() -> None:
    """Unless another is asked for; a side without a test has no result."""
    two, less = one_test(), one_test("paired_bootstrap", side="less")
    pair = compare(two, less)
    assert json.compare_json([pair])["alternative"] == "two-sided"
    assert json.compare_json([compare(less, two)])["alternative"] == "less"
    found = json.compare_json([pair], side="less")
    assert (found["alternative"], [one["test"] for one in found["results"]]) == ("less", ["paired_bootstrap"])
    with pytest.raises(Undefined):
        json.compare_json([pair], side="greater")


def test_a_pair_has_the_most_resamples_of_its_tests() -> None:
    """An exact test beside a drawn one, whichever comes first."""
    drawn, exact = one_test(), one_test("mcnemar", resamples=0, exact=True)
    for pair in (compare(drawn, exact), compare(exact, drawn)):
        found = json.compare_json([pair])
        assert found["resamples"] == 10_000
        assert {one["test"]: one["p_exact"] for one in found["results"]} == {"mcnemar": True, drawn.setup.test: False}


def test_a_pair_is_a_table_of_two_systems() -> None:
    """Its gain has the other sign on the way back, and so have the ends of its interval, in their order."""
    pair = compare(one_test(gain=-0.5, interval=(-0.9, 0.2)))
    (found,) = json.compare_json([pair])["results"]
    assert found["gains"] == [[0.0, -0.5], [0.5, 0.0]]
    assert found["gain_intervals"] == [[[0.0, 0.0], [-0.9, 0.2]], [[-0.2, 0.9], [0.0, 0.0]]]
    assert found["interval"] == [-0.9, 0.2]


def test_a_pair_of_a_grid_has_its_corrected_p() -> None:
    """With its ends; alone it is as it was."""
    pair = compare(one_test(p_value=0.01, p_interval=(0.008, 0.012)))
    holm = Family(3, 3, "holm", "Holm", adjusted=0.03, adjusted_interval=(0.024, 0.036))
    (found,) = json.compare_json([pair], in_family=lambda _: holm)["results"]
    assert found["p_values"] == [[1.0, 0.01], [0.01, 1.0]]
    assert found["adjusted"] == [[1.0, 0.03], [0.03, 1.0]]
    assert found["adjusted_low"] == [[1.0, 0.024], [0.024, 1.0]]
    assert found["adjusted_high"] == [[1.0, 0.036], [0.036, 1.0]]
    assert (found["correction"], found["family"]["tests"], found["family"]["planned"]) == ("holm", 3, False)
    (alone,) = json.compare_json([pair])["results"]
    assert (alone["adjusted"], alone["adjusted_low"]) == ([[1.0, 0.01], [0.01, 1.0]], [[1.0, 0.008], [0.008, 1.0]])


def test_a_document_says_where_it_was_made() -> None:
    """The versions of this process, and the settings in one line."""
    assert f"numpy {np.__version__}" in json.environment()
    assert (
        json.design(matrix().setup)
        == "Approximate randomization, two-sided, n = 1,448 segments, R = 10,000, seed 12345"
    )
    assert json.design(matrix(resamples=0).setup).endswith("n = 1,448 segments, exact")


# ---- LaTeX, Markdown and HTML


def test_columns_of_latex_are_as_they_are_asked() -> None:
    """Else the first to the left and all others to the right; a line may stand above the header."""
    rows = [["x", "1"], [tables.Finished(r"\textbf{y}"), "2"]]
    plain = tables.latex_table(["a", "b"], rows, "c", "l").split("\n")
    made = tables.latex_table(["a", "b"], rows, "c", "l", above=r"above \\", columns="rl").split("\n")
    assert r"\begin{tabular}{lr}" in plain
    assert r"\begin{tabular}{rl}" in made
    assert made[made.index(r"\toprule") + 1] == r"above \\"
    assert r"\textbf{y} & 2 \\" in made
    assert set(made) - set(plain) == {r"\begin{tabular}{rl}", r"above \\"}
    assert plain.index(r"\midrule") == plain.index(r"a & b \\") + 1


@pytest.mark.parametrize(
    ("value", "cell"), [(12345.678, "1.235e+04"), (0.5, "0.5"), (math.inf, "n/a"), (None, "n/a"), (0, "0"), (12345, "12345")]
)  # fmt: skip
def test_numbers_of_a_table_of_rows(value: object, cell: str) -> None:
    """Whole ones are whole, others have four digits."""
    assert rf"x & {cell} \\" in tables.rows_table([{"a_b": "x", "n": value}], "c")  # type: ignore[dict-item]
    assert r"a b & n \\" in tables.rows_table([{"a_b": "x", "n": value}], "c")  # type: ignore[dict-item]


def test_the_first_column_of_markdown_is_to_the_left() -> None:
    assert tables.markdown_table(["a", "b", "c"], [["1", "2", "3"]]).split("\n")[1] == "| --- | ---: | ---: |"
    assert tables.markdown_table(["a"], []) == "| a |\n| --- |\n"


def test_letters_that_no_file_can_hold_are_replaced() -> None:
    """Tabs and ends of lines stay in HTML."""
    assert in_html("a\tb\nc\x00d\ud800e") == "a\tb\nc\ufffdd\ufffde"


# ---- BibTeX and commands


@pytest.mark.parametrize("key", sorted(bibtex.papers()))
def test_each_paper_has_an_author_and_a_year(key: str) -> None:
    """The last four letters of its key; another year, or another author, is another paper."""
    author, year = key[:-4], key[-4:]
    assert 1900 < int(year) < 2100
    assert bibtex.cites(f"{author.title()} et al. {year}", key)
    assert bibtex.cites(f"Nobody 1900; see {author.title()} {year}", key)
    assert not bibtex.cites(f"{author.title()} {int(year) + 1}", key)
    assert not bibtex.cites(f"{author.title()}x {year}", key)
    assert not bibtex.cites(f"{author.title()} 1900; Nobody {year}", key)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"better": "higher"}, "--higher-is-better"),
        ({"option": ["a=1", "b=2"]}, "--option a=1 --option b=2"),
        ({"systems": ["a", "b c"]}, "--systems a 'b c'"),
        ({"pair": [("a", "b"), ("c", "d")]}, "--pair a b --pair c d"),
        ({"alpha": 0.1}, "--alpha 0.1"),
        ({"margin": 1 / 3}, f"--margin {1 / 3!r}"),
        ({"margin": 2.0}, "--margin 2"),
        ({"name": "-x"}, "--name=-x"),
        ({"alpha": None}, "--alpha None"),
        ({"workers": 3, "executor": "dask", "run": print}, ""),
    ],
)
def test_the_words_of_a_command(given: dict[str, Any], words: str) -> None:
    """Each kind of argument as it is read again; where it is computed is left out."""
    assert bibtex.command_line({"command": "grid", **given}) == f"sigboard grid {words}".rstrip()


def test_a_pair_that_nobody_asked_for_has_no_question_mark() -> None:
    """Only one that was asked for and has no p."""
    p = np.array([[1, 0.001, NAN], [0.001, 1, NAN], [NAN, NAN, 1]])
    result = matrix((40.0, 42.0, 41.5), p=p, family=Comparisons("one baseline", "sys0"))
    shown = text.matrix_table(result, 0.05, said=False).split("\n\n")[1].split("\n")[1:]
    assert [line.split()[1] for line in shown] == ["sys1", "sys2", "sys0"]
    assert ["?" in line.split() for line in shown] == [False, True, True]
    assert [line.split().count("?") for line in shown] == [0, 1, 1]
