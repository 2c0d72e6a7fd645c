"""Multiple choice: where letters are right, the letter of an output counts."""

from __future__ import annotations

import pytest

from sigcore.data.assembly import Loaded, assemble
from sigcore.readers import Item, read

N = 24
NAMES = ("Oslo", "Rome", "Kiev", "Bern")


def item(name: str, role: str, cells: list[str]) -> Item:
    return Item(name, role, "text", tuple(cells), f"{name}.txt", "")  # type: ignore[arg-type]


def right(k: int) -> str:
    return "ABCD"[7 * k % 4]


def chosen(k: int, every: int) -> str:
    return "ABCD"[(7 * k + (k % every == 0)) % 4]


def shares(made: Loaded) -> dict[str, float]:
    assert made.testset is not None
    (reference,) = made.testset.references
    return {one.system: sum(map(str.__eq__, one.segments, reference)) / N for one in made.outputs}


FORMS = ("{0}", "{0}.", "({0})", "{0}. {1}", "{0}) {1}", "{0}: {1}", "{0} - {1}")


@pytest.mark.parametrize("form", FORMS)
def test_the_letter_counts(form: str) -> None:
    """C. Rome was not C, and A alone was an article."""
    outputs = [form.format(chosen(k, 4), NAMES[k % 4]) for k in range(N)]
    plain = [chosen(k, 3) for k in range(N)]
    made = assemble(
        [
            item("gold", "reference", list(map(right, range(N)))),
            item("x", "system", outputs),
            item("y", "system", plain),
        ]
    )
    assert shares(made) == {
        name: sum(chosen(k, every) == right(k) for k in range(N)) / N for name, every in (("x", 4), ("y", 3))
    }
    assert any("Letters are right" in one.what for one in made.findings) == (form != "{0}")


def test_an_answer_in_words_is_the_letter() -> None:
    gold = [
        item("letters", "reference", list(map(right, range(N)))),
        item("words", "reference", [f"place {k}" for k in range(N)]),
    ]
    outputs = [f"place {k}" if k % 6 == 0 else f"{chosen(k, 4)}." for k in range(N)]
    made = assemble([*gold, item("x", "system", outputs), item("y", "system", list(map(right, range(N))))])
    expected = sum(k % 6 == 0 or chosen(k, 4) == right(k) for k in range(N)) / N
    assert shares(made) == {"x": expected, "y": 1.0}


@pytest.mark.parametrize(
    ("gold", "outputs"),
    [
        ([right(k) for k in range(N)], [f"A man sees {k} of them" for k in range(N)]),  # sentences
        ([f"{right(k)}{k}" for k in range(N)], [f"{right(k)}." for k in range(N)]),  # no letters
        (["A"] * N, [f"{right(k)}." for k in range(N)]),  # one answer
    ],
)
def test_other_texts_stay(gold: list[str], outputs: list[str]) -> None:
    made = assemble([item("gold", "reference", gold), item("x", "system", outputs), item("y", "system", outputs[::-1])])
    assert outputs in [list(one.segments) for one in made.outputs]


def test_names_that_come_again_are_no_reference() -> None:
    """A query and its database: the name was a second reference of each query."""
    lines = "".join(f"SELECT {k} FROM places WHERE size > {3 * k}\t{('shops', 'cards')[k % 2]}\n" for k in range(N))
    found = read([("gold.sql", lines.encode())])
    assert [one.segments[0] for one in found.items if one.role == "reference"] == [
        "SELECT 0 FROM places WHERE size > 0"
    ]
    assert any("A few names come again there" in notice.message for notice in found.notices)
