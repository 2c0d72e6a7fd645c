"""Test sets and outputs: who must agree with whom, and what is said where they do not."""

from __future__ import annotations

import pytest

from sigcore.errors import MismatchError, SigError
from sigcore.readers.tables.columns import Column
from sigcore.testset import Outputs, Testset, check_agreement, digest, identical, renamed


def made(n: int = 3) -> Testset:
    """A test set of n segments with one reference."""
    return Testset("news", "text", n, (tuple("abcdefgh"[:n]),))


def faults(*segments: str) -> str:
    """What is said about a system with these segments on a test set of 3."""
    found = check_agreement(made(), [Outputs("sysA", segments)])
    return str(found[0])


def test_both_counts_are_named():
    """A wrong length is told with both counts and both names."""
    assert "sysA has 2 lines, news has 3." in faults("a", "b")


def test_first_blank_line_is_named():
    """The first blank line is the first suspect."""
    assert "first blank line in sysA: 2" in faults("a", " ", "", "d")


@pytest.mark.parametrize("mark", ["\u2028", "\u0085", "\r", "\x0c", "\x0b"])
def test_inner_line_break_is_named(mark):
    """A line that holds a character which other programs take for a line break is suspect."""
    assert "line 2 of sysA contains a character" in faults("a", f"b{mark}c")


def test_without_a_suspect_no_line_is_named():
    """Where nothing is suspicious, nothing says which line was lost."""
    for lines in (("a", "b"), ("a", "b", "c", "d")):
        assert "so lines were probably cut off or added]" in faults(*lines)


def test_mending_is_said():
    """A fault says how to fix it."""
    assert "one line per segment" in faults("a")


def test_names_given_twice():
    """Two systems of one name and run are a fault; two runs of one system are none."""
    twice = check_agreement(made(1), [Outputs("sysA", ("a",)), Outputs("sysA", ("b",))])
    assert ["sysA" in str(fault) for fault in twice] == [True]
    assert not check_agreement(made(1), [Outputs("s", ("a",), run="1"), Outputs("s", ("b",), run="2")])


@pytest.mark.parametrize("field", ["sources", "domains", "documents"])
def test_side_streams_are_empty_or_full(field):
    """Sources, domains and documents hold nothing or one entry for each segment."""
    Testset("t", "text", 2, (("a", "b"),), **{field: ("x", "y")})
    with pytest.raises(MismatchError, match=f"{field} has 1 line, t has 2"):
        Testset("t", "text", 2, (("a", "b"),), **{field: ("x",)})


def test_every_reference_has_all_segments():
    """A reference of another length is refused by its number, an empty one too."""
    for stream in ((), ("a",)):
        with pytest.raises(MismatchError, match="reference 2"):
            Testset("t", "text", 2, (("a", "b"), stream))


def test_unknown_kind_and_no_name():
    """A kind that is not known and a system without a name are refused."""
    with pytest.raises(SigError, match="kind 'audio'"):
        Testset("t", "audio", 0)
    with pytest.raises(SigError, match="no name"):
        Outputs("", ("a",))


def test_digest_tells_contents_apart():
    """The digest depends on every segment and on where it ends, on nothing else."""
    assert digest(["a", "b"]) == digest(("a", "b"))
    different = [digest(["a", "b"]), digest(["ab"]), digest(["a"], ["b"]), digest(["b", "a"]), digest(["a", "b", ""])]
    assert len(set(different)) == 5
    assert digest(["\ud800"]) != digest(["\ud801"])


def test_test_sets_of_other_references_differ():
    """The test set's digest moves with its references and its length."""
    others = [made(2), made(3), Testset("x", "text", 3), Testset("x", "scores", 3)]
    assert len({item.digest for item in others}) == 4
    assert Testset("another name", "text", 3, made().references).digest == made().digest


def test_identical_systems_are_found():
    """Systems with the same segments are grouped; all others are left out."""
    found = identical([Outputs("a", ("x",)), Outputs("b", ("y",)), Outputs("c", ("x",))])
    assert found == [("a", "c")]


def test_renamed_keeps_the_rest():
    """Another name and group, the same segments and digest."""
    first = Outputs("a", ("x",), run="2")
    second = renamed(first, "b", "g")
    assert (second.system, second.group, second.run, second.digest) == ("b", "g", "2", first.digest)


def test_a_column_of_a_table_is_not_copied() -> None:
    """3,000 systems with 10,000 answers are 240 MB of places, once."""
    column = Column(["1", "0"])
    assert Outputs("a", column).segments is column
    assert Outputs("a", ["1", "0"]).segments == ("1", "0")
    assert Outputs("a", column).digest == Outputs("a", ["1", "0"]).digest
