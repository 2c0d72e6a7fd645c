"""Runs and judgments of retrieval: what they are recognised by, their order, and what is refused."""

from __future__ import annotations

import pytest

from sigcore.readers import Choice, Item, read
from tests.unit.sigcore.readers.test_structures import messages, one, problem

RUN = "q1 Q0 d3 1 2.5 bm25\nq1 Q0 d1 2 1.5 bm25\nq2 Q0 d2 1 0.5 bm25\n"
QRELS = "q1 0 d1 2\nq1 0 d9 0\nq1 0 d7 3\nq2 0 d2 1\nq2 0 d4 -1\n"


def only(file: str, text: str) -> Item:
    """The only stream of a file without problems."""
    intake = one(file, text)
    assert intake.problems == ()
    (found,) = intake.items
    return found


@pytest.mark.parametrize("file", ["bm25.run", "bm25.txt", "bm25.trec", "bm25"])
@pytest.mark.parametrize("mark", [" ", "\t", "   "])
def test_a_run_is_known_by_its_columns(file: str, mark: str) -> None:
    """The system has the name of the file; its segments are the questions, with their documents from the best on."""
    found = only(file, RUN.replace(" ", mark))
    assert (found.role, found.kind, found.name) == ("system", "rankings", "bm25")
    assert found.keys == ("q1", "q2")
    assert found.segments == ("d3\nd1", "d2")


@pytest.mark.parametrize("file", ["qrels.txt", "test.qrels", "judged"])
def test_judgments_are_the_reference_whatever_their_name(file: str) -> None:
    """The most relevant document comes first; negative judgments are kept."""
    found = only(file, QRELS)
    assert (found.role, found.kind) == ("reference", "rankings")
    assert found.segments == ("d7\t3\nd1\t2\nd9\t0", "d2\t1\nd4\t-1")


def test_judgments_with_headings() -> None:
    """Without the second column, as BEIR has them."""
    found = only("test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t2\n")
    assert (found.keys, found.segments) == (("q1", "q2"), ("d1\t1", "d2\t2"))


def test_the_scores_order_documents_and_ties_go_by_name() -> None:
    """The column of ranks is not used; equal scores, also those that differ less than a float of C, go by name downward."""
    intake = one("A.run", "q Q0 a 1 1.00000001 x\nq Q0 b 2 1.0 x\nq Q0 Z 3 1.0 x\nq Q0 c 4 2.0 x\nq Q0 e 5 -1 x\n")
    assert intake.items[0].segments == ("c\nb\na\nZ\ne",)
    assert "Ranks and scores order the documents of 1 question of A, such as q differently." in messages(intake)


def test_each_tag_of_a_file_is_a_system() -> None:
    """Two runs in one file keep their own names."""
    intake = one("all.run", RUN + RUN.replace("bm25", "dense"))
    assert [(item.name, item.segments) for item in intake.items] == [
        ("bm25", ("d3\nd1", "d2")),
        ("dense", ("d3\nd1", "d2")),
    ]


def test_a_run_by_ranks_alone() -> None:
    """MS MARCO: question, document and rank; systems that people ranked look alike, and are no documents."""
    found = only("bm25.tsv", "7\tp9\t1\n7\tp3\t2\n8\tp1\t1\n8\tp2\t2\n")
    assert (found.keys, found.segments) == (("7", "8"), ("p9\np3", "p1\np2"))
    text = "".join(f"{k}\tp{k}\t1\n{k}\tr{k}\t2\n" for k in range(150))
    assert problem("bm25.tsv", f"{text}9\tx\t2\n") == "line 301: '9 x 2' is not the next rank of its question."
    ranked = "".join(f"{k}\tsystem{s}\t{s}\n" for k in range(9) for s in (1, 2))
    assert {item.kind for item in read([("people.tsv", ranked.encode())]).items} <= {"scores", "text"}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (RUN + "q2 Q0 d2 2 0.4 bm25\n", "line 4: question q2 has the document d2 twice."),
        (RUN * 80 + "q9 Q0 d2\n", "line 241: 'q9 Q0 d2' is no line of a run."),
        ("q1 Q0 a 1 0 x\nq1 Q0 b 2 0 x\n", "All documents of a question have the same score in A, as for question q1."),
        (
            "q1 Q0 a 1 0.1 x\nq1 Q0 b 2 0.9 x\nq2 Q0 a 1 0.2 x\nq2 Q0 b 2 0.3 x\n",
            "In A the scores rise with the rank, as for question q1: are they distances?",
        ),
    ],
)
def test_runs_that_mean_something_else_are_refused(text: str, what: str) -> None:
    """Documents that repeat, other lines, scores without an order, and distances."""
    text = text if "line 241" not in what else "".join(f"q{k} Q0 d 1 1 x\n" for k in range(240)) + "q9 Q0 d2\n"
    assert problem("A.run", text) == what


def test_judgments_that_repeat_or_break_are_refused() -> None:
    """A document has one judgment, a whole number."""
    text = "".join(f"q{k} 0 d 1\n" for k in range(240))
    assert problem("qrels", text + "q3 0 d 0\n") == "line 241: question q3 has the document d twice."
    (once,) = (found := read([("qrels", (text + "q3 0 d 1\n").encode())])).items
    assert len(once.segments) == 240
    assert [one.message for one in found.notices] == ["1 judgment repeated word for word: each counts once."]
    assert problem("qrels", text + "q3 0 e high\n") == "line 241: 'q3 0 e high' is no judgment."


def test_a_matrix_of_numbers_is_no_judgment() -> None:
    """Four columns of which the second is all 0 are scores, unless each pair of question and document is another."""
    text = "".join(f"{k % 2}\t0\t{k % 3}\t1\n" for k in range(40))
    assert {item.kind for item in read([("s.tsv", text.encode())]).items} <= {"scores", "text"}
    chosen = {"s.tsv": Choice("trec")}
    assert read([("s.tsv", text.encode())], chosen=chosen).problems
