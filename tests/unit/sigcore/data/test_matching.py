"""Segments matched by ids: whose order counts, which files have other segments, what is left out, and what is said."""

from __future__ import annotations

import pytest

from sigcore.data.checks import Finding
from sigcore.data.matching import matched, only
from sigcore.readers import Item
from sigcore.types import Kind, Missing, Role


def item(name: str, keys: str, role: Role = "system", kind: Kind = "text", own: str = "") -> Item:
    """Segments called by letters or numbers: the text of a is NAME-a."""
    ids = tuple(keys.split())
    return Item(name, role, kind, tuple(f"{own or name}-{key}" for key in ids), f"{name}.txt", "", keys=ids)


def put(*items: Item, kind: Kind = "text", missing: Missing = "refuse") -> tuple[dict[str, str], list[str]]:
    """The segments of each item that is kept, and SEVERITY WHAT [WHERE] of each finding."""
    findings: list[Finding] = []
    kept = matched(items, kind, findings, missing)
    return (
        {one.name: " ".join(segment.partition("-")[2] for segment in one.segments) for one in kept},
        [f"{one.severity} {one.what} [{one.where}]" for one in findings],
    )


@pytest.mark.parametrize(
    ("items", "order"),
    [
        ((item("A", "c b a"), item("src", "b c a", "source"), item("ref", "a b c", "reference")), "a b c"),
        ((item("A", "c b a"), item("src", "b c a", "source"), item("B", "a b c")), "b c a"),
        ((item("A", "c b a"), item("B", "a b c"), item("C", "a b c")), "a b c"),  # the most frequent order
    ],
)
def test_whose_order_counts(items: tuple[Item, ...], order: str) -> None:
    """That of the reference, else of the source, else of most files; the others are named once."""
    kept, said = put(*items)
    assert kept == {one.name: order for one in items}
    moved = [one.file for one in items if " ".join(one.keys) != order]
    (note,) = said
    assert note.endswith(f"they were matched by their ids. [{', '.join(moved)}]")
    assert note.startswith("note A.txt has" if len(moved) == 1 else "note 2 files have")


@pytest.mark.parametrize("kind", ["text", "brackets", "alignments", "spans", "statistics"])
def test_only_scores_may_lack_segments(kind: Kind) -> None:
    """An empty tree, or a segment without links, is something that a system can say."""
    kept, said = put(
        item("A", "a b c", kind=kind), item("B", "a b c", kind=kind), item("C", "c a", kind=kind), kind=kind
    )
    assert list(kept) == ["A", "B"]
    assert said == ["error C lacks 1 of 3 segments of A; the first is segment b. [C.txt]"]


def test_files_with_other_segments_are_left_out() -> None:
    """One that is too many, and one that is missing; in scores a missing one is a gap."""
    ref = item("ref", "a b c", "reference")
    kept, said = put(ref, item("A", "a b c"), item("B", "a b c d"), item("C", "a c"))
    assert list(kept) == ["ref", "A"]
    assert said == [
        "error B has 1 segment that ref does not have; the first is segment d. [B.txt]",
        "error C lacks 1 of 3 segments of ref; the first is segment b. [C.txt]",
    ]
    scores, said = put(
        item("A", "a b c", kind="scores"),
        item("B", "a b c", kind="scores"),
        item("C", "c a", kind="scores"),
        kind="scores",
    )
    assert scores["C"] == "a  c"
    (gap,) = (
        one.segments
        for one in matched([item("A", "a b c", kind="scores"), item("C", "c a", kind="scores")], "scores", [])
        if one.name == "C"
    )
    assert gap == ("C-a", "", "C-c")
    assert said == []  # it was not in another order only


def test_segments_that_all_files_have_are_kept_with_drop() -> None:
    """The number of the others is said; a file without ids keeps everything as it is."""
    a, b = item("A", "a b c"), item("B", "b c d")
    assert put(a, b, missing="drop") == (
        {"A": "b c", "B": "b c"},
        ["note 2 segments of 4 are not in every file; they are left out for all systems. []"],
    )
    bare = Item("C", "system", "text", ("x-1", "x-2", "x-3"), "C.txt", "")
    assert put(a, item("B", "c b a"), bare, missing="drop")[0]["C"] == "1 2 3"
    kept, said = put(a, b, bare, missing="drop")
    assert list(kept) == ["A", "C"]
    assert said[0].startswith("error B has 1 segment that A does not have")


@pytest.mark.parametrize(
    ("one", "other", "kept", "severity"),
    [
        ("0 1 2", "1 2 3", True, "warning"),  # one counts from 0, the other from 1, or lacks a segment
        ("0 1 2", "1 2 3 4", False, "error"),
        ("2 3 4", "1 2 3", False, "error"),  # 1 may be missing
        ("0 1 2", "1 2 4", False, "error"),
        ("1 of d1 2 of d1".replace(" of ", "~"), "1 2", True, "warning"),
        ("q0 q1 q2", "q500 q501 q502", True, "error"),  # ids of one kind, none in common
        ("x0 x1 x2", "q0 q1 q2", True, "warning"),
        ("5 6 7", "1 2 3", True, "warning"),  # the others only count
    ],
)
def test_ids_that_cannot_be_compared(one: str, other: str, kept: bool, severity: str) -> None:
    """Matched by place where both say the place, with a warning where they do not."""
    files, said = put(item("A", other), item("B", one))
    assert (len(files) == 2) is kept
    assert [message.split()[0] for message in said] == ([severity] if severity else [])


def test_documents_and_plain_numbers_say_the_same_place() -> None:
    """Neither is strange."""
    documents = Item("A", "system", "text", ("x-1", "x-2"), "A.txt", "", keys=("1 of d1", "2 of d1"))
    assert put(documents, item("B", "1 2")) == ({"A": "1 2", "B": "1 2"}, [])


@pytest.mark.parametrize(("same", "told"), [(False, True), (True, False)])
def test_references_and_systems_that_share_their_names_are_several_test_sets(same: bool, told: bool) -> None:
    """Unless the references are copies of each other."""
    gold = [Item("de", "reference", "text", ("a",), f"refs/{name}.txt", "") for name in ("de", "fr")]
    if not same:
        gold[1] = Item("fr", "reference", "text", ("b",), "refs/fr.txt", "")
    systems = [Item(name, "system", "text", ("c",), f"nllb/{name}.txt", "") for name in ("de", "fr")]
    said = put(*gold, *systems)[1]
    assert any("look like 2 test sets" in message for message in said) is told


def test_items_without_ids_are_called_by_their_numbers() -> None:
    """From 1."""
    bare = Item("C", "system", "text", ("x", "y", "z"), "C.txt", "")
    assert (only(bare, [0, 2]).segments, only(bare, [0, 2]).keys) == (("x", "z"), ("1", "3"))


def source(name: str, texts: str, keys: str) -> Item:
    return Item("source", "source", "text", tuple(texts.split()), f"{name}.txt", "", keys=tuple(keys.split()))


@pytest.mark.parametrize(
    ("keys", "texts", "order", "by_source"),
    [
        ("x y z", "s3 s1 s2", "y z x", True),  # ids of its own: the sources say it
        ("c a b", "s1 s2 s3", "a b c", False),  # the ids of the model count, whatever the sources
        ("x y z", "s3 s1 s9", "x y z", False),  # other sources: by place
        ("x y z", "s3 s3 s1", "x y z", False),  # a source that comes twice says nothing
    ],
)
def test_files_with_ids_of_their_own_are_matched_by_their_sources(
    keys: str, texts: str, order: str, by_source: bool
) -> None:
    """Where the sources are the same, and each is another text."""
    a, b = item("A", "a b c"), item("B", keys)
    findings: list[Finding] = []
    kept = matched([a, b], "text", findings, "refuse", [source("A", "s1 s2 s3", "a b c"), source("B", texts, keys)])
    assert [segment.partition("-")[2] for segment in kept[1].segments] == order.split()
    assert any("matched by their source" in one.what for one in findings) is by_source


@pytest.mark.parametrize(
    ("a", "b", "bare"),
    [
        ("x/1 x/2 x/3", "y/3 y/1 y/2", True),
        ("x/1 x/2 x/3", "y/3 x/1 y/2", False),  # one path is in both: the others are other files
        ("x/1 z/1 x/2", "y/1 y/2 w/2", False),  # one name comes twice
        ("x/1 x/2 x/3", "y/3 y/1 y/4", False),  # other names
        ("x/1 x/2 3", "y/3 y/1 y/2", False),  # not all in folders
    ],
)
def test_paths_in_folders_of_their_own_are_matched_by_the_names(a: str, b: str, bare: bool) -> None:
    findings: list[Finding] = []
    kept = matched([item("A", a), item("B", b)], "text", findings, "drop")
    keys = [key for one in kept for key in one.keys]
    assert any("/" in key for key in keys) is not bare
    assert not bare or [one.keys for one in kept] == [("1", "2", "3")] * 2
