"""Judgments of people as a type: what is filled in, what is refused, and how files are put together."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.errors import MismatchError, SigError
from sigcore.judgments import Judgments, gathered, judgments
from tests.unit.judged import made, ratings

ONE = {"system": ["A", "B"], "segment": ["1", "1"], "score": [80, 20]}


def test_what_is_not_given_is_filled_in():
    """Without judges, kinds, dimensions and z: nobody, ordinary, adequacy and nan; every rating counts."""
    found = judgments("two", ONE)
    assert found.judge.tolist() == ["", ""]
    assert found.kind.tolist() == ["ordinary"] * 2
    assert found.dimensions == ("adequacy",)
    assert np.isnan(found.z).all()
    assert found.counted.all()
    assert (found.n, found.absolute) == (2, False)


def test_adequacy_and_fluency_come_first():
    """Dimensions stand in the order in which they decide, others after them as they come."""
    columns = {"system": ["A"] * 4, "segment": ["1"] * 4, "score": [1, 2, 3, 4]}
    found = judgments("four", {**columns, "dimension": ["style", "fluency", "tone", "adequacy"]})
    assert found.dimensions == ("adequacy", "fluency", "style", "tone")


@pytest.mark.parametrize(
    ("changes", "error", "told"),
    [
        ({"system": [], "segment": [], "score": []}, SigError, "no ratings"),
        ({"score": [80]}, MismatchError, "1 scores, but 2 entries in system"),
        ({"score": [80, float("nan")]}, SigError, "not a finite number"),
        ({"score": [80, -1e300]}, SigError, "too large"),
        ({"system": ["A", ""]}, SigError, "names no system"),
        ({"kind": ["ordinary", "odd"]}, SigError, "'odd'"),
        ({"z": [0.1]}, MismatchError, "entries in z"),
    ],
)
def test_ratings_that_do_not_fit_are_refused(changes, error, told):
    """Lengths, numbers, names and kinds are checked when the object is made."""
    with pytest.raises(error, match=told):
        judgments("bad", {**ONE, **changes})


def test_arrays_cannot_be_changed_and_contents_have_a_mark():
    """The arrays are read-only, and the digest depends on every column but not on the name of the file."""
    found = made()
    with pytest.raises(ValueError, match="read-only"):
        found.score[0] = 1.0
    assert judgments("another name", ONE).digest == judgments("two", ONE).digest
    assert judgments("two", {**ONE, "judge": ["x", "y"]}).digest != judgments("two", ONE).digest
    assert judgments("two", {**ONE, "z": [0.5, 0.1]}).digest != judgments("two", ONE).digest


def test_files_are_put_together():
    """Two files give the ratings of both; points and ratings of judges cannot be mixed, and one file stays itself."""
    adequacy, fluency = made(), made(("fluency", ratings("fluency")), name="fluency")
    both = gathered((adequacy, fluency))
    assert both.n == adequacy.n + fluency.n
    assert both.dimensions == ("adequacy", "fluency")
    assert both.name == "made up, fluency"
    assert gathered((adequacy,)) is adequacy
    with pytest.raises(SigError, match="need no standardising"):
        gathered((adequacy, judgments("points", ONE, absolute=True)))
    with pytest.raises(SigError, match="no ratings"):
        gathered(())


def test_the_type_is_made_of_arrays():
    """It can be made from arrays directly, too."""
    found = Judgments("a", np.array(["A"]), np.array(["1"]), np.array([3.0]))
    assert found.score.tolist() == [3.0]
