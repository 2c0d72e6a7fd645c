"""A look inside trees and word links: every word with what gold and systems say of it."""

from __future__ import annotations

from sigcore import data, readers


def test_trees_are_shown_by_label_and_head() -> None:
    """The head stands with its word; another head or label is marked, another subtype is not."""
    gold = "time\tNOUN\t2\tnsubj\nflies\tVERB\t0\troot"
    systems = {"A": gold.replace("nsubj", "nsubj:pass"), "B": gold.replace("2\tnsubj", "0\troot"), "C": "time\tN\t9\tx"}
    assert data.word_rows("trees", gold, systems) == [
        {
            "word": "1 time",
            "reference": "nsubj of 2 flies",
            "A": "nsubj:pass of 2 flies",
            "B": "≠ root",
            "C": "≠ x of 9",
        },
        {"word": "2 flies", "reference": "root", "A": "root", "B": "root", "C": ""},
    ]


def test_links_are_shown_by_source_word() -> None:
    """A possible link may be there or not; a missing sure link and one that gold does not have are marked."""
    systems = {"A": "0-0 1-1", "B": "0-1", "C": "0-0 1-2 2-0"}
    found = data.word_rows("alignments", "0-0 1p1 1-2", systems, ("the", "house"), ("das", "Haus"))
    assert found == [
        {"word": "0 the", "reference": "0 das", "A": "0 das", "B": "≠ 1 Haus", "C": "0 das"},
        {"word": "1 house", "reference": "1 Haus?, 2", "A": "≠ 1 Haus", "B": "≠", "C": "2"},
        {"word": "2", "reference": "", "A": "", "B": "", "C": "≠ 0 das"},
    ]
    assert data.word_rows("alignments", "", {"A": ""}) == []


def test_the_text_beside_links_gives_the_words() -> None:
    """Source by its role, target by its name; of another length, or none, there are no words."""
    items = readers.read([("src.en", b"a b\nc\n"), ("tgt.fr", b"d\ne f\n")]).items
    assert data.words_of(items, "source", 2, 0) == ("a", "b")
    assert data.words_of(items, "target", 2, 1) == ("e", "f")
    assert data.words_of(items, "source", 3, 0) == ()
    assert data.words_of((), "target", 2, 0) == ()


def test_the_least_judgment_of_a_relevant_document_is_1() -> None:
    """A document that was judged 1 is not marked; 0, a negative judgment and none are."""
    rows = data.word_rows("rankings", "a\t1\nb\t0\nc\t-1", {"A": "a\nb\nc\nd"})
    assert [row["A"] for row in rows] == ["a (1)", "≠ b (0)", "≠ c (-1)", "≠ d (-)"]
