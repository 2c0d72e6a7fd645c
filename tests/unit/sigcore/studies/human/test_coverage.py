"""Ratings of segments that the test set does not have are counted and named; if all are, they are refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore.errors import Undefined
from sigcore.judgments import gathered, judgments
from sigcore.studies import human
from sigcore.testset import Testset

N = 6
NUMBERED = tuple(str(k + 1) for k in range(N))


def people(*segments: str, documents: tuple[str, ...] = ()) -> human.People:
    """Two systems, each rated once on each of these segments, without judges."""
    columns = {
        "system": ["a", "b"] * len(segments),
        "segment": [segment for segment in segments for _ in "ab"],
        "score": list(range(2 * len(segments))),
        "document": [name for name in documents for _ in "ab"],
    }
    return human.people(judgments("rated", columns, absolute=True))


def the_set(documents: tuple[str, ...] = ()) -> Testset:
    return Testset("t", "text", N, (("x",) * N,), documents=documents)


def added(rated: human.People, ids: tuple[str, ...] = (), documents: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The notes that the comparison with the test set adds."""
    return human.within(rated, the_set(documents), ids).notes[len(rated.notes) :]


@pytest.mark.parametrize(
    ("segments", "ids"),
    [
        (NUMBERED, ()),
        (("0", "3", "5"), ()),  # counted from 0
        (("1.0", "6.0"), ()),
        (("n2", "n4"), ("n1", "n2", "n3", "n4", "n5", "n6")),
        (("1", "6"), ("n1", "n2", "n3", "n4", "n5", "n6")),  # places, where names have nothing in common
        (("1", "6"), ("0", "1", "2", "3", "4", "5")),
        (("40",), ("10", "20", "30", "40", "50", "60")),
    ],
)
def test_segments_of_the_test_set_are_no_note(segments, ids):
    """By number, from 0 or 1, or by name."""
    assert added(people(*segments), ids) == ()


@pytest.mark.parametrize(
    ("segments", "ids", "said"),
    [
        (("1", "900"), (), "2 of 4 ratings are of 1 segment that the test set does not have (it has 6): segment 900."),
        (("0", "6", "5"), (), "segment 0."),
        (("1", "7", "8", "9", "10"), (), "segment 7, segment 8, segment 9 and 1 more."),
        (("n2", "n7"), ("n1", "n2", "n3", "n4", "n5", "n6"), "segment n7."),
        (("10", "11"), ("10", "20", "30", "40", "50", "60"), "segment 11."),
        (("1", "3"), ("1", "2", "4", "5", "6", "7"), "segment 3."),  # segment 3 was left out of the scores
    ],
)
def test_other_segments_are_counted_and_named(segments, ids, said):
    """The ratings and their segments, with the first ones; no number of people changes."""
    before = people(*segments)
    (note,) = added(before, ids)
    assert said in note
    after = human.within(before, the_set(), ids)
    assert np.array_equal(after.rated[0].scores, before.rated[0].scores)


def test_a_document_that_the_test_set_lacks_is_named():
    """Segments of documents are found by their document where the names of documents agree."""
    documents = ("d1",) * 3 + ("d2",) * 3
    rated = people("1", "2", "1", documents=("d1", "d2", "d9"))
    (note,) = added(rated, documents=documents)
    assert "2 of 6 ratings are of 1 segment" in note
    assert "segment 1 of document d9" in note
    assert added(rated, documents=("e1",) * N) == ()  # documents with other names say nothing
    named = tuple(f"{k % 3 + 1} of {document}" for k, document in enumerate(documents))
    assert added(rated, ids=named) == (note,)


def test_names_that_cannot_be_compared_are_a_note():
    """Names in the ratings, numbers in the test set: it is not known, and said."""
    (note,) = added(people("s-1", "s-2"))
    assert note.startswith("It is not known whether")
    assert "segment s-1" in note


@pytest.mark.parametrize("segments", [("900",), ("7", "8"), ("0007",), ("9" * 40,)])
def test_ratings_of_another_test_set_are_refused(segments):
    """None of the rated segments is there."""
    with pytest.raises(Undefined, match=r"No rated segment is in the test set\. It has 6 segments"):
        human.within(people(*segments), the_set())


def test_two_names_of_one_segment_are_a_note():
    """01 and 1 count as two segments, as in the file; it is said."""
    (note,) = added(people("1", "2", "02"))
    assert note == "The ratings name segments in two ways, 2 and 02: these count as different segments."
    assert added(people("1", "01", documents=("d1", "d2"))) == ()


def test_copies_of_ratings_are_a_note():
    """The same judge, system, segment and score twice, as when a file is loaded twice; a repeat on purpose is none."""
    rows = {"judge": ["J"] * 6, "system": ["a", "b"] * 3, "segment": list("112233"), "score": [1, 2, 3, 4, 5, 6]}
    once = judgments("rated", rows)
    (note,) = (note for note in human.people(gathered([once, once])).notes if "repeat" in note)
    assert note.startswith("6 ratings repeat another one")
    assert not any("repeat another" in note for note in human.people(once).notes)
    again = replace(once, kind=np.array(["repeat"] * 6), digest="")
    assert not any("repeat another" in note for note in human.people(gathered([once, again])).notes)


def test_ratings_that_do_not_count_are_not_counted():
    """A rating of a degraded text is not a rating of an output."""
    columns = {"system": ["a", "b", "a"], "segment": ["1", "1", "900"], "score": [1, 2, 3]}
    rated = replace(judgments("rated", columns, absolute=True), kind=np.array(["ordinary", "ordinary", "degraded"]))
    assert added(human.people(rated)) == ()


def test_one_segment_of_several_documents_is_no_copy():
    """Segment 1 of each document with the same score is another segment; in one document it is a repeat."""
    rows = {"judge": ["J"] * 4, "system": ["a", "b"] * 2, "segment": list("1111"), "score": [5.0, 4.0, 5.0, 4.0]}
    apart = judgments("rated", rows | {"document": ["d1", "d1", "d2", "d2"]})
    assert not any("repeat another" in note for note in human.people(apart).notes)
    same = judgments("rated", rows | {"document": ["d1"] * 4})
    assert any(note.startswith("2 ratings repeat another one") for note in human.people(same).notes)
