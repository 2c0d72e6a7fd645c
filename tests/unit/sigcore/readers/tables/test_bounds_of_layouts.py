"""Unusual layouts: titles, two lines of headings, systems in rows, labels; one row or column to either side of each bound."""

from __future__ import annotations

import re

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found
from sigcore.readers.tables import boards, layouts, numbered, turned
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, cells_of, headings, item, messages, table

Rows = list[list[str]]


def rows(*lines: str) -> Rows:
    return [line.split(",") for line in lines]


TITLE = rows("Results,,", ",,", "id,A,B", "q1,1,2", "q2,3,4")


@pytest.mark.parametrize(
    ("cells", "place"),
    [
        (TITLE, 2),
        (TITLE[:4], 2),
        (TITLE[:3], 0),  # nothing stands below the headings
        (rows("Results,", "id,A", "q1,1"), 0),  # two columns: a text without a score
        (rows("Results,x,", "id,A,B", "q1,1,2"), 0),  # two cells
        (rows("Results,,", "id,A,A", "q1,1,2"), 0),  # a heading twice
        (rows("Results,,", *[",,"] * 5, "id,A,B", "q1,1,2"), 6),
        (rows("Results,,", *[",,"] * 6, "id,A,B", "q1,1,2"), 0),
        (rows("id,A,B", "q1,1,2"), 0),
    ],
)
def test_headings_stand_below_a_title(cells: Rows, place: int) -> None:
    assert layouts.below_title(cells) == place


def test_a_title_is_the_only_cell_of_three() -> None:
    assert [layouts.is_title(cells) for cells in (["a", "", ""], ["", " a", ""], ["a", "b", ""], ["a", ""], ["", "", ""])] == [
        True, True, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "head"),
    [
        ((",One,,Two,", ",BLEU,chrF,BLEU,chrF", "id,,,,", "q1,1,2,3,4"), "id,One BLEU,One chrF,Two BLEU,Two chrF"),
        (
            (",One,One,Two,Two", ",BLEU,chrF,BLEU,chrF", "id,,,,", "q1,1,2,3,4"),
            "id,One BLEU,One chrF,Two BLEU,Two chrF",
        ),
        (("model,One,Two", "metric,BLEU,BLEU", "id,,", "q1,1,2"), "id,One BLEU,Two BLEU"),
        ((",One,Two", ",BLEU,", "id,,", "q1,1,2"), "id,One BLEU,Two"),
        (("model,One,Two", "metric,BLEU,", "id,,", "q1,1,2"), ""),  # levels with names are full
        ((",One,Two", ",BLEU,BLEU", "id,,"), ""),  # no row
        ((",One", ",BLEU", "id,", "q1,1"), ""),  # one column
        ((",One,Two", ",BLEU,BLEU", "id,,1", "q1,1,2"), ""),
        ((",One,Two", ",BLEU,BLEU", ",,", "q1,1,2"), ""),  # the index has no name
        ((",One,Two", "3,BLEU,BLEU", "id,,", "q1,1,2"), ""),
        ((",One,2", ",BLEU,BLEU", "id,,", "q1,1,2"), ""),
        ((",One,Two", ",BLEU,4", "id,,", "q1,1,2"), ""),
    ],
)
def test_two_lines_of_headings_of_a_data_frame(lines: tuple[str, ...], head: str) -> None:
    """With the name of its index in the third."""
    cells = rows(*lines)
    assert layouts.of_levels(cells) == (rows(head, *lines[3:]) if head else cells)


def counted(head: str, n: int = 11, first: str = "q{}") -> int:
    width = head.count(",") + 1
    return numbered.counted([head.split(","), *([first.format(k), *["x"] * (width - 1)] for k in range(1, n))])


@pytest.mark.parametrize(
    ("head", "n", "found"),
    [
        ("0,1,A", 11, 2),
        ("0,1,2,A_b.c", 11, 3),
        ("0,A,B", 11, 0),  # one number is a name
        ("0,1,2", 11, 0),
        ("0,1,A", 10, 0),  # ten lines with the headings
        ("0,1,A,A", 11, 0),
        ("0,1,A b", 11, 0),  # no word of a program
        ("0,1,x", 11, 0),  # the column has it again
        ("1,2,A", 11, 0),
    ],
)
def test_headings_that_only_count_the_columns(head: str, n: int, found: int) -> None:
    assert counted(head, n) == found


def test_numbers_below_a_counted_heading_may_count_the_rows() -> None:
    assert counted("0,1,A", first="{}") == 0
    assert counted("0,1,A", first="2{}") == 2


OPENCOMPASS = "dataset,version,metric,mode,A,B"


def test_the_summary_of_opencompass() -> None:
    """Without its averages, and what no model has; a minus is a gap."""
    cells = rows(OPENCOMPASS, "arc,1,accuracy,gen,50,-", "boolq,1,accuracy,gen,-,-", "all,-,naive_average,gen,50,60")
    assert layouts.of_opencompass(cells) == rows("segment,A,B", "arc,50,")
    parts = rows("musr_one,1,accuracy,gen,50,60", "musr_two,1,accuracy,gen,60,70")
    for name in ("musr_average", "musr-average", "musr"):
        summed = [cells[0], *parts, *rows(f"{name},-,naive_average,gen,55,65")]
        assert layouts.of_opencompass(summed) == rows("segment,A,B", "musr_one,50,60", "musr_two,60,70")
    alone = [cells[0], *parts, *rows("mmlu_average,-,naive_average,gen,55,65")]
    assert len(layouts.of_opencompass(alone)) == 4  # its parts are not there
    twice = [*cells, *rows("arc,2,accuracy,gen,1,2")]
    assert layouts.of_opencompass(twice) == twice
    one = rows("dataset,version,metric,mode,A", "arc,1,accuracy,gen,50")
    assert layouts.of_opencompass(one) == one
    other = rows("dataset,version,mode,metric,A,B", "arc,1,gen,accuracy,50,60")
    assert layouts.of_opencompass(other) == other


def test_verdicts_before_the_outputs_of_promptfoo() -> None:
    """The score behind it, or 1 for one that only passed; providers, or headings where one has two prompts."""
    cells = rows("q,[gpt] say {{q}},[llama] say {{q}}", "a,[PASS] (0.75) x,[FAIL] y", "b,[PASS] z,")
    assert layouts.of_promptfoo(cells) == rows("segment,gpt,llama", "1,0.75,0", "2,1,")
    both = rows("q,[gpt] say {{q}},[gpt] tell {{q}}", "a,[PASS] x,[ERROR] y")
    assert layouts.of_promptfoo(both) == rows("segment,[gpt] say {{q}},[gpt] tell {{q}}", "1,1,0")
    for other in ("a,[PASS] x,y", "a,,"):
        cells = rows("q,[gpt] say {{q}},[llama] say {{q}}", other)
        assert layouts.of_promptfoo(cells) == cells
    shown = [["q", '{"raw": "x", "display": "[gpt] say"}', ' {"display": "[llama] say"}'], *rows("a,[PASS] x,[FAIL] y")]
    assert layouts.of_promptfoo(shown) == rows("segment,gpt,llama", "1,1,0")


def test_a_status_and_a_score_behind_each_output_of_promptfoo() -> None:
    part = "{},Status,Score,Named Scores,Grader Reason"
    head = f"q,{part.format('[gpt] say')},{part.format('[llama] say')}"
    cells = rows(head, "a,x,PASS,0.5,,ok,y,FAIL,0,,no", "b,x,PASS,1,,ok,y,FAIL,0.25,,no")
    assert layouts.of_promptfoo(cells) == rows("segment,gpt,llama", "1,0.5,0", "2,1,0.25")
    one = rows(f"q,{part.format('[gpt] say')}", "a,x,PASS,0.5,,ok")
    assert layouts.of_promptfoo(one) == one
    fewer = rows("q,[gpt] say,Status,Score,[llama] say,Status,Score", "a,x,PASS,0.5,y,FAIL,0")
    assert layouts.of_promptfoo(fewer) == fewer
    unequal = rows(f"{head},Score", "a,x,PASS,0.5,,ok,y,FAIL,0,,no,1")
    assert layouts.of_promptfoo(unequal) == unequal
    bare = rows(
        "q,a,Status,Score,Named Scores,Grader Reason,Status,Score,Named Scores,Grader Reason",
        "a,x,PASS,0.5,,ok,FAIL,0,,no",
    )
    assert layouts.of_promptfoo(bare) == bare


def refused(*lines: str) -> str:
    try:
        layouts.refuse("t.csv", rows(*lines))
    except ReadError as error:
        return error.what
    return ""


def test_two_lines_of_headings_are_refused() -> None:
    """Above ten lines, with words above numbers that do not tell the columns apart."""
    body = [f"q{k},1,2" for k in range(8)]
    assert "It has two lines of headings." in refused("id,One,One", ",BLEU,chrF", *body)
    assert "It has two lines of headings." in refused("id,One,", ",BLEU,chrF", *body)
    assert refused("id,One,One", ",BLEU,chrF", *body[1:]) == ""
    assert refused("id,One,Two", ",BLEU,chrF", *body) == ""
    assert refused("id,One,One", ",BLEU,", *body) == ""
    assert refused("id,One,One", ",1,2", *body) == ""
    assert refused("id,One", ",BLEU", *(row[:-2] for row in body)) == ""
    assert refused("id,One,One", ",BLEU,chrF", *(f"{row[:-1]}x" for row in body)) == ""


def test_means_with_a_deviation_are_refused() -> None:
    for cell in ("0.5 ± 0.1", "0.5±0.1", "50% +/- 2%", "0.5 \\pm 0.1"):
        assert f"{cell!r} is a mean with its deviation" in refused("id,A", f"q1,{cell}")
        assert f"{cell!r} is a mean with its deviation" in refused("id,A", "q1,5", f"q2,{cell}")
        assert refused("id,A", "q1,5", "q2,5", f"q3,{cell}") == ""


def asked(n: int, name: str = "q{}") -> str:
    return " ".join(["system", *(name.format(k) for k in range(n))])


def of_systems(heads: str, cells: Cells, n: int = 2, **more: object) -> Table | None:
    of = table(heads, cells, n)
    of = Table(of.file, of.headings, of.rows, of.places, **more)  # type: ignore[arg-type]
    new = turned.turned(of, (), Found())
    return None if new is of else new


def test_ten_questions_in_columns_and_a_row_for_each_system() -> None:
    of = of_systems(asked(10), lambda k: ("AB"[k], *[k] * 10))
    assert of is not None
    assert (of.headings, cells_of(of)[0], list(of.places)) == (["segment", "A", "B"], ["q0", "0", "1"], [1] * 10)
    assert of_systems(asked(9), lambda k: ("AB"[k], *[k] * 9)) is None
    assert of_systems(asked(10), lambda k: ("A", *[k] * 10), 1) is None
    assert of_systems(asked(10), lambda k: ("A", *[k] * 10)) is None  # a name twice
    with pytest.raises(
        Unclear, match="Is each of its 2 rows a system"
    ):  # numbers are names only where somebody says so
        of_systems(asked(10), lambda k: (k, *[k] * 10))
    assert of_systems(asked(10, "task{}"), lambda k: ("AB"[k], *[k] * 10)) is None
    assert of_systems(asked(10).replace("system", "document"), lambda k: ("AB"[k], *[k] * 10)) is None
    assert of_systems(asked(10).replace("system", "x"), lambda k: ("AB"[k], *[k] * 10)) is not None
    assert of_systems(asked(10), lambda k: ("AB"[k], *["x"] * 10)) is None
    assert of_systems(asked(10), lambda k: ("AB"[k], *[("pass", "fail")[k]] * 10)) is not None
    assert of_systems(asked(10), lambda k: ("AB"[k], *[k] * 10), role="system") is None
    assert of_systems(asked(10), lambda k: ("AB"[k], *[k] * 10), basis="said") is None


@pytest.mark.parametrize(("n", "are"), [(20_000, True), (20_001, False)])
def test_at_most_twenty_thousand_rows_are_systems(n: int, are: bool) -> None:
    assert (of_systems(asked(10), lambda k: (f"s{k}", *"1234567890"), n) is not None) is are


def test_rows_that_are_said_to_be_systems() -> None:
    """Without means, sizes and other columns, which are named; each row needs a name."""
    found = Found()
    of = turned.by_rows(table("model arc note boolq mean", lambda k: ("AB"[k], k, f"x{k}", k + 1, k), 2), found)
    assert (of.headings, cells_of(of), of.basis) == (["segment", "A", "B"], rows("arc,0,1", "boolq,1,2"), "said")
    assert messages(found) == [
        "Columns that are not used: note, mean.", "Its rows are systems and its columns are 2 questions (arc to boolq).",
    ]  # fmt: skip
    none = "no column of different names beside columns of scores"
    for heads, first, why in (
        ("model arc", "A", "Two rows are named A"),
        ("name arc", "A", none),
        ("arc boolq", "1", none),
    ):
        of = Table("t.csv", heads.split(), [[first, "1"], [first, "2"]], range(2, 4))
        with pytest.raises(ReadError, match=why):
            turned.by_rows(of, Found())


def test_columns_of_a_board_that_sum_up_others_are_no_questions() -> None:
    """A sum shares a word with what it sums up, or with other sums; any other name with such a word is a question."""
    heads = headings("model arc_de arc_fr arc_aggregate mmlu_de mmlu_fr aggregate_de language_aggregate mean_reversal")
    of = Table("t.csv", heads, [["A", *"12345678"], ["B", *"23456789"]], range(2, 4))
    sums = [name for k, name in enumerate(heads) if boards.is_board_sum(of, k)]
    assert sums == ["arc_aggregate", "aggregate_de", "language_aggregate"]
    by = turned.by_rows(of, Found())
    assert [row[0] for row in by.rows] == ["arc_de", "arc_fr", "mmlu_de", "mmlu_fr", "mean_reversal"]


def test_of_several_measures_of_each_task_one_is_meant() -> None:
    """SADA WER and SADA CER are no two questions; the measure says which scores are better."""
    heads = ["Model", *(f"{task} {m}" for task in ("SADA", "MGB-2", "Average") for m in ("WER", "CER"))]
    of = Table("t.csv", heads, [["A", *"123456"], ["B", *"234567"]], range(2, 4))
    with pytest.raises(Unclear, match="several measures: WER, CER") as asked:
        turned.by_rows(of, Found())
    assert [roles for _, roles in asked.value.ways] == ["rows=system WER=measure", "rows=system CER=measure"]
    cer = turned.by_rows(of, Found(), ["cer"])
    assert ([[*row] for row in cer.rows], cer.measured) == ([["SADA CER", "2", "3"], ["MGB-2 CER", "4", "5"]], "cer")
    with pytest.raises(ReadError, match="No column is of BLEU"):
        turned.by_rows(of, Found(), ["BLEU"])
    one = Table("t.csv", heads[:2] + heads[3:4], [["A", *"12"], ["B", *"23"]], range(2, 4))
    assert turned.by_rows(one, Found()).measured == "WER"
    # measures of other tasks are those of their tasks
    other = Table("t.csv", ["Model", "arc acc", "squad f1"], [["A", *"12"], ["B", *"23"]], range(2, 4))
    assert len(turned.by_rows(other, Found()).rows) == 2


def test_two_languages_below_translation() -> None:
    def named(heads: str, role: object = None) -> list[str]:
        of = table(heads, lambda k: tuple("x" for _ in heads.split()), 2)
        return layouts.translations(Table(of.file, of.headings, of.rows, of.places, role=role), Found()).headings  # type: ignore[arg-type]

    assert named("translation.de translation.en A") == ["source", "reference", "A"]
    assert named("translation.de A") == ["translation.de", "A"]
    assert named("translation.de translation.en translation.fr") == [
        "translation.de",
        "translation.en",
        "translation.fr",
    ]
    assert named("translation.de translation.en", "system") == ["translation.de", "translation.en"]
    assert named("translation.de translation.en", "reference") == ["source", "reference"]


def test_one_table_of_markdown() -> None:
    lines = ["| id | **A** |", "|----|:--:|", "| q1 | `1` |"]
    assert layouts.piped(lines) == rows("id,A", "q1,1")
    assert layouts.piped(["", *lines, ""]) == rows("id,A", "q1,1")
    assert layouts.piped(lines[:2]) == []
    assert layouts.piped([lines[0], lines[2], lines[2]]) == []
    assert layouts.piped([*lines, "text"]) == []
    assert layouts.piped([*lines, "| q2 |"]) == []
    assert [layouts.plain(cell) for cell in (" ***a*** ", "__a__", "~~a~~", "**a", "**a** b", "a")] == [
        "a",
        "a",
        "a",
        "**a",
        "**a** b",
        "a",
    ]


@pytest.mark.parametrize(
    ("gold", "own", "text"),
    [
        (("1", "2", "3"), ("1", "2", "2"), True),
        (("1", "2", "3"), ("1", "0", "1"), False),  # which answers are right
        (("1", "0", "1"), ("1", "0", "0"), True),
        (("1", "2", "3"), ("1.5", "2", "2"), False),
        (("1", "2", "3.5"), ("1", "2", "2"), False),
        (("1", "2", "3"), ("7", "8", "9"), False),  # no number in common
    ],
)
def test_numbers_of_a_reference_are_labels(gold: tuple[str, ...], own: tuple[str, ...], text: bool) -> None:
    found, of = Found(), table("gold A", lambda k: (k, k), 3)
    kinds = [one.kind for one in layouts.labels(of, [item("gold", gold, role="reference"), item("A", own)], found)]
    assert kinds == (["text", "text"] if text else ["scores", "scores"])
    assert messages(found) == (["gold holds numbers, so those of A are labels to compare with it."] if text else [])


def test_a_measure_holds_no_labels() -> None:
    of = table("gold bleu", lambda k: (k, k), 3)
    for name, role in (("bleu", "system"), ("A", "source")):
        items = [item("gold", ("1", "2"), role="reference"), item(name, ("1", "2"), role=role)]
        assert layouts.labels(of, items, Found()) == items


def test_each_system_with_each_measure() -> None:
    def parts(*names: str, basis: str = "") -> list[tuple[str, str]]:
        of = table("x", lambda k: (k,), 3)
        of = Table(of.file, of.headings, of.rows, of.places, basis=basis)  # type: ignore[arg-type]
        items = [item(name, ("1", "2")) for name in names]
        return [(one.name, one.measure) for one in layouts.of_several_measures(items, of)]

    assert parts("A_bleu", "A_ter", "B_bleu", "B_ter") == [("A", "bleu"), ("A", "ter"), ("B", "bleu"), ("B", "ter")]
    assert parts("A_bleu", "A_ter", "B_bleu") == [("A_bleu", ""), ("A_ter", ""), ("B_bleu", "")]
    assert parts("A_bleu", "B_bleu") == [("A_bleu", ""), ("B_bleu", "")]
    assert parts("A_bleu", "A_ter") == [("A_bleu", ""), ("A_ter", "")]


@pytest.mark.parametrize(
    ("about", "other", "gold", "source"),
    [
        ("t{k}", "{ab}", "{ab}", True),
        ("t{k}", "x{k}", "{ab}", False),  # no words of the reference
        ("{ab}", "{ab}", "{ab}", False),  # an output itself
        ("t{k}", "{ab}", "g{k}", False),  # no few words
    ],
)
def test_text_beside_labels_is_what_they_are_about(about: str, other: str, gold: str, source: bool) -> None:
    def cells(form: str) -> tuple[str, ...]:
        return tuple(form.format(k=k, ab="ab"[k % 2]) for k in range(12))

    of = table("text A gold", lambda k: (k, k, k), 3)
    items = [item("text", cells(about), "text", "system"), item("A", cells(other), "text", "system")]
    found = layouts.with_input(of, [*items, item("gold", cells(gold), "text", "reference")])
    assert found[0].role == ("source" if source else "system")
    assert layouts.with_input(of, [*items[:1], item("gold", cells(gold), "text", "reference")])[0].role == "system"


def test_names_of_pictures_are_no_outputs() -> None:
    found = Found(items=[item("A", ("a.png", "b.JPG"), "text", "system"), item("B", ("a.png", "b"), "text", "system")])
    layouts.without_files(table("A B", lambda k: (k, k), 2), found)
    assert [one.role for one in found.items] == ["ignored", "system"]
    assert messages(found) == ["Names of files, not outputs; not used: A."]
    assert re.fullmatch(layouts.FILE_NAME, "x y.png") is None
