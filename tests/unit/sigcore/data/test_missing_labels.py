"""Right labels that are missing: a system without an answer is not right there."""

from __future__ import annotations

import pytest

from sigcore.data.assembly import Loaded, assemble
from sigcore.readers import Choice, Item, read
from tests.made_tables import rows

N = 24


def gold(k: int, none: str) -> str:
    return none if k % 6 == 0 else str(k % 2)


def table(none: str) -> str:
    """A says nothing where nothing is known to be right, and is else wrong in every fifth row; B is wrong in every fourth."""
    own = (
        (gold(k, none), gold(k, none) if k % 5 or k % 6 == 0 else str(1 - k % 2), str(k % 2 if k % 4 else 1 - k % 2))
        for k in range(N)
    )
    return rows("id,gold,A,B", *(f"{k},{right},{a},{b}" for k, (right, a, b) in enumerate(own)))


def loaded(none: str, **options: str) -> tuple[Item, ...]:
    said = {"columns": "gold=reference\nA=system\nB=system", **options}
    found = read([("t.csv", table(none).encode())], every=Choice(options=said))
    assert not found.problems
    return found.items


def shares(made: Loaded) -> dict[str, float]:
    """The share of right labels of each system, row by row."""
    assert made.testset is not None
    (reference,) = made.testset.references
    return {one.system: sum(map(str.__eq__, one.segments, reference)) / len(reference) for one in made.outputs}


def right() -> dict[str, float]:
    """What is right of the rows with a right label."""
    known = [line.split(",") for line in table("").splitlines()[1:]]
    known = [row for row in known if row[1]]
    return {name: sum(row[1] == row[k] for row in known) / len(known) for k, name in ((2, "A"), (3, "B"))}


@pytest.mark.parametrize(
    ("none", "codes", "options"),
    [("", (), {}), ("-1", ("-1",), {}), ("unk", (), {"cells": "unk=missing"})],
)
def test_rows_without_a_right_label_are_left_out(none: str, codes: tuple[str, ...], options: dict[str, str]) -> None:
    """A was right where it said nothing, and nothing was known to be right."""
    made = assemble(loaded(none, **options), missing="drop", codes=codes)
    assert shares(made) == pytest.approx(right())
    assert "4 of 24 segments have no right label, and left out for all systems." in [one.what for one in made.findings]


def test_rows_without_a_right_label_are_an_error() -> None:
    found = [one for one in assemble(loaded("")).findings if one.severity == "error"]
    assert [one.what for one in found] == ["4 of 24 segments have no right label."]
    assert "--missing drop" in found[0].fix


def test_labels_may_have_several_words() -> None:
    text = table("").replace(",1", ",very offensive").replace(",0", ",not offensive")
    found = read([("t.csv", text.encode())], every=Choice(options={"columns": "gold=reference\nA=system\nB=system"}))
    assert shares(assemble(found.items, missing="drop")) == pytest.approx(right())


def test_nothing_beside_one_label_is_the_other_label() -> None:
    text = rows("id,gold,A,B", *(f"{k},{'ironic' * (k % 3 == 0)},{'ironic' * (k % 4 == 0)},ironic" for k in range(N)))
    found = read([("t.csv", text.encode())], every=Choice(options={"columns": "gold=reference\nA=system\nB=system"}))
    assert not [one for one in assemble(found.items).findings if "right label" in one.what]


@pytest.mark.parametrize("none", ["", "nothing"])
def test_texts_stay_as_they_are(none: str) -> None:
    """The translation of an empty line is empty."""
    items = [
        Item(name, role, "text", tuple(none if k == 3 else f"{k} words of {name}" for k in range(N)), f"{name}.txt", "")
        for name, role in (("ref", "reference"), ("A", "system"), ("B", "system"))
    ]  # fmt: skip
    made = assemble(items, missing="drop")
    assert made.testset is not None
    assert made.testset.n == N
    assert not any("right label" in one.what for one in made.findings)
