"""The matrix of scores: its checks, its reader, and how it is made of a test set or of a metric."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigcore.errors import MismatchError, OptionError, SigError, UnknownMember
from sigcore.readers.tables import numbers
from sigcore.readers.tables.columns import Column
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies import scores
from sigcore.studies.statistics import measure
from sigcore.testset import Outputs, Testset
from sigcore.types import Direction
from tests.made import matrix_of, text_set
from tests.oracles.segment_scores import score_of_segment, scorer

HOLED = "doc,A,B,human C\nd1,1,2.5,\nd2,0,1e-1,3\nd3,NA,-4,nan\n"


def made(**changes: object) -> ScoreMatrix:
    settings: dict[str, object] = {
        "name": "made",
        "documents": ("d1", "d2"),
        "systems": ("A", "B", "C"),
        "values": [[1.0, 2.0, np.nan], [3.0, 4.0, 5.0]],
    }
    return ScoreMatrix(**(settings | changes))  # type: ignore[arg-type]


def test_a_matrix_knows_its_gaps_means_and_humans() -> None:
    """Means are over what is there; marking humans changes no score and no digest."""
    matrix = made()
    assert (matrix.n, matrix.missing) == (2, 1)
    assert matrix.means.tolist() == [2, 3, 5]
    marked = matrix.marked(["C"])
    assert marked.human.tolist() == [False, False, True]
    assert marked.digest == matrix.digest
    assert made(better="lower").digest != matrix.digest
    with pytest.raises(ValueError, match="read-only"):
        matrix.values[0, 0] = 9


def test_a_system_without_scores_has_no_mean() -> None:
    """Its mean is undefined, not zero."""
    matrix = made(values=[[1.0, np.nan, 2.0], [1.0, np.nan, 2.0]])
    assert np.isnan(matrix.means[1])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"values": [[1.0, 2.0]]}, "2 documents and 3 systems"),
        ({"systems": ("A", "B", "A")}, "'A' appears twice"),
        ({"documents": ("d", "d")}, "'d' appears twice"),
        ({"better": "more"}, "neither"),
        ({"sets": ("x",)}, "document sets has 1 line"),
        ({"values": [[1.0, 2.0, np.inf], [3.0, 4.0, 5.0]]}, r"infinite.*document d1, system C"),
    ],
)
def test_a_wrong_matrix_is_refused(changes: dict[str, object], words: str) -> None:
    """Shapes, names and numbers must fit."""
    with pytest.raises(SigError, match=words):
        made(**changes)


def test_an_unknown_human_is_refused_with_the_nearest_name() -> None:
    """A human must be one of the systems."""
    with pytest.raises(UnknownMember, match="system named 'human'"):
        made().marked(["human"])


@pytest.mark.parametrize("file", ["m.csv", "m.tsv"])
def test_empty_and_na_are_missing(file: str) -> None:
    """A file is cut at commas or TABs; what says that there is no score gives a missing one."""
    text = HOLED if file.endswith("csv") else HOLED.replace(",", "\t")
    matrix = matrix_of(file, text.encode(), ["human C"])
    assert (matrix.title, matrix.systems, matrix.humans) == ("m", ("A", "B", "human C"), ("human C",))
    assert matrix.documents == ("d1", "d2", "d3")
    np.testing.assert_array_equal(matrix.values, [[1, 2.5, np.nan], [0, 0.1, 3], [np.nan, -4, np.nan]])


@pytest.mark.parametrize("heading", ["set", "docset", "document_set", "Set"])
def test_a_column_of_sets_groups_the_documents(heading: str) -> None:
    """A column headed set is no system."""
    matrix = matrix_of("m.csv", f"doc,{heading},A,B\nd1,x,1,2\nd2,x,1,2\nd3,y,3,4\n".encode())
    assert matrix.systems == ("A", "B")
    assert matrix.sets == ("x", "x", "y")
    assert scores.document_sets(matrix)[0] == ("x", "y")
    assert scores.document_sets(scores.with_rows(matrix, own_sets=True))[0] == matrix.documents


def test_every_bad_cell_is_told_with_row_and_column() -> None:
    """All problems come at once, each with its line, its row and its column."""
    rows = [f"d{k},{k / 7:.2f},{k / 9:.2f}" for k in range(40)]
    rows[1], rows[30] = "d1,1,x1", "d30,1_000,2"
    with pytest.raises(SigError) as caught:
        matrix_of("m.csv", "\n".join(["doc,A,B", *rows]).encode())
    told = str(caught.value)
    assert "column B, row 2: 'x1' is not a number. [m.csv, line 3]" in told
    assert "column A, row 31: '1_000' is not a number. [m.csv, line 32]" in told


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("doc,A,B\n", "has a header but no rows"),
        ("doc\nd1\n", "No text is loaded"),
        ("doc,A,B\nd1,1\n", "line 2 has 2 cells, line 1 has 3"),
        ("d1,1,2\nd2,1,2\n", "which are systems"),
        ("doc,A,\nd1,1,2\nd2,3,4\n", "which are systems"),
        ('doc,A,B\nd1,"1,2\n', "cannot be read"),
        ("model,task a,task b\n2,1.5,2.5\n3,2.5,1.5\n", "one row per system"),
    ],
)
def test_what_is_no_matrix_is_refused(text: str, words: str) -> None:
    """The message says what is wrong and where."""
    with pytest.raises(SigError, match=words):
        matrix_of("m.csv", text.encode())


def test_scores_below_the_heading_system_stay_scores() -> None:
    """Only whole numbers that are all different may be names."""
    cells = "".join(f"d{k},{k / 7:.3f},{k / 9:.3f}\n" for k in range(30))
    assert matrix_of("m.csv", f"doc,baseline,system\n{cells}".encode()).systems == ("baseline", "system")


def test_columns_with_one_name_are_told_apart() -> None:
    """Two systems of one name stay two."""
    assert matrix_of("m.csv", b"doc,A,A\nd1,1,2\nd2,2,3\n").systems == ("A", "A (2)")


def test_a_test_set_of_scores_is_a_matrix() -> None:
    """Outputs are columns, a blank segment is missing, distinct documents name the rows."""
    test = Testset("t", "scores", 2, documents=("x", "y"), domains=("news", "news"))
    matrix = scores.from_scores(
        test, [Outputs("A", ("1", "2")), Outputs("B", ("", "4"))], Direction("lower", "stated"), "MQM"
    )
    assert matrix.documents == ("x", "y")
    assert matrix.sets == ("news", "news")
    assert (matrix.better, matrix.title) == ("lower", "MQM")
    np.testing.assert_array_equal(matrix.values, [[1, np.nan], [2, 4]])


def test_repeated_documents_are_the_sets() -> None:
    """Where a document has several rows, the rows are numbered and the documents are the sets."""
    test = Testset("t", "scores", 3, documents=("x", "x", "y"))
    matrix = scores.from_scores(test, [Outputs("A", ("1", "2", "3"))])
    assert matrix.documents == ("1", "2", "3")
    assert matrix.sets == ("x", "x", "y")


@pytest.mark.parametrize("metric", ["bleu", "ter", "chrf"])
def test_a_metric_scores_each_segment_alone(metric: str) -> None:
    """A row is what the metric's own score says of that segment."""
    test, outputs = text_set(8)
    found = scores.build(test, outputs, [(metric, {})])
    measured = measure(test, outputs, [(metric, {})])[0]
    for k, system in enumerate(measured.systems):
        for row in range(8):
            assert found.values[row, k] == pytest.approx(float(system.score(system.values[row])), nan_ok=True)
    assert found.better == ("lower" if metric == "ter" else "higher")


def test_segment_scores_are_those_of_the_reference_program() -> None:
    """BLEU of single segments equals what sacrebleu says of corpora of one segment."""
    test, outputs = text_set(6)
    found = scores.build(test, outputs, [("bleu", {})])
    made = scorer("bleu", {})
    for k, item in enumerate(outputs):
        for row, segment in enumerate(item.segments):
            assert found.values[row, k] == pytest.approx(score_of_segment(made, segment, [test.references[0][row]]))


def test_a_document_is_scored_from_the_sum_of_its_segments() -> None:
    """Its score is the corpus score of its segments alone; its domain is its set."""
    test, outputs = text_set(9)
    documents = ("a", "b", "a", "a", "b", "c", "c", "c", "c")
    domains = tuple({"a": "x", "b": "y", "c": "x"}[d] for d in documents)
    test = Testset("t", "text", 9, test.references, documents=documents, domains=domains)
    found = scores.build(test, outputs, [("bleu", {})], "document")
    assert found.documents == ("a", "b", "c")
    assert found.sets == ("x", "y", "x")
    chosen = [k for k, d in enumerate(documents) if d == "a"]
    part = Testset("a", "text", 3, (tuple(test.references[0][k] for k in chosen),))
    alone = measure(part, [Outputs("s", tuple(outputs[0].segments[k] for k in chosen))], [("bleu", {})])[0]
    assert found.values[0, 0] == pytest.approx(alone.scores[0])


def test_a_unit_of_scores_is_their_mean() -> None:
    """Blocks and documents of scores are averaged over what is there; blocks are named after their segments."""
    test = Testset("t", "scores", 5, documents=("x", "y", "x", "y", "z"))
    outputs = [Outputs("A", ("1", "2", "3", "", "")), Outputs("B", ("4", "4", "4", "4", "4"))]
    blocks = scores.from_scores(test, outputs, unit="block:2")
    assert blocks.documents == ("1-2", "3-4", "5-5")
    np.testing.assert_array_equal(blocks.values, [[1.5, 4], [3, 4], [np.nan, 4]])
    documents = scores.from_scores(test, outputs, unit="document")
    assert documents.documents == ("x", "y", "z")
    np.testing.assert_array_equal(documents.values, [[2, 4], [2, 4], [np.nan, 4]])


def test_units_must_be_there() -> None:
    """Documents need names, and only segments, documents and blocks can be rows."""
    test, outputs = text_set(6)
    with pytest.raises(MismatchError, match="does not assign segments"):
        scores.build(test, outputs, [("bleu", {})], "document")
    with pytest.raises(OptionError, match="block:N"):
        scores.build(test, outputs, [("bleu", {})], "words")


def test_humans_are_known_by_name_or_group() -> None:
    """The group human, or a name that starts so, marks a person."""
    outputs = [Outputs("Human-A", ("1",)), Outputs("B", ("1",), group="human"), Outputs("C", ("1",), group="humane")]
    assert scores.humans_among(outputs) == ("Human-A", "B")


@given(st.lists(st.sampled_from(["1", "1.0", "-2", "NA", "", "1e400", "inf", "x", ".5", "1_000", "٣"]), max_size=12))
def test_the_numbers_of_a_column_are_those_of_its_cells(cells: list[str]) -> None:
    """Found once for a column, or each time for other cells, they are those that is_number finds one by one."""
    alone = {cell: float(cell) for cell in cells if numbers.is_number(cell)}
    column = Column(cells)
    for _ in range(2):
        assert numbers.parsed(column) == numbers.parsed(cells) == alone
    assert numbers.times(column) == Counter(float(cell) for cell in cells if cell in alone)
    assert numbers.numbers_in(column) == [float(cell) for cell in cells if cell in alone]
