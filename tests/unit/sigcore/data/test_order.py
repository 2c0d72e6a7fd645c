"""Outputs whose lines are in another order than the reference, and what programs leave in outputs."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigcore.data import Collection, order
from sigcore.errors import SigError

N = 1_000
SYLLABLES = [a + b for a in "bcdfgklmnprstv" for b in "aeiou"]


def words(draw: random.Random, rare: int = 400, common: int = 60) -> list[str]:
    """A vocabulary of invented words: common ones first."""
    return ["".join(draw.choice(SYLLABLES) for _ in range(draw.randint(2, 4))) for _ in range(common + rare)]


def reference(draw: random.Random, n: int = N) -> list[str]:
    """Lines of common and rare words."""
    known = words(draw, rare=2 * n)
    return [" ".join(draw.choices(known[:60], k=6) + draw.choices(known[60:], k=4)) + "." for _ in range(n)]


def output(lines: Sequence[str], draw: random.Random, lost: float = 0.3) -> list[str]:
    """A translation of the same: some words are others."""
    changed = [" ".join("other" if draw.random() < lost else word for word in line.split()) for line in lines]
    return [line if line.strip() else "other" for line in changed]


def shuffled(lines: list[str], draw: random.Random) -> list[str]:
    return draw.sample(lines, len(lines))


def half(lines: list[str], draw: random.Random) -> list[str]:
    middle = len(lines) // 2
    return [*draw.sample(lines[:middle], middle), *lines[middle:]]


def late(lines: list[str], draw: random.Random) -> list[str]:
    """300 lines one line late, as after a line that was lost and one that was repeated."""
    return [lines[0], lines[300], *lines[1:300], *lines[301:]]


WAYS = {
    "shuffled": (shuffled, "they are in another order"),
    "half shuffled": (half, "they are in another order"),
    "reversed": (lambda lines, _: lines[::-1], "they are in reverse order"),
    "sorted": (lambda lines, _: sorted(lines), "they are in another order"),
    "one line late": (lambda lines, _: [lines[-1], *lines[:-1]], "1 line late"),
    "two lines early": (lambda lines, _: [*lines[2:], *lines[:2]], "2 lines early"),
    "300 lines late": (late, "1 line late"),
}


@pytest.mark.parametrize("way", WAYS)
@given(st.integers(0, 2**32))
def test_another_order_is_noticed_and_named(way: str, seed: int) -> None:
    """Whatever the text, 1,000 lines in another order are above the bound."""
    draw = random.Random(seed)
    gold = reference(draw)
    change, said = WAYS[way]
    found = order.examine(change(output(gold, draw), draw), order.index([gold]))
    assert found.share > order.REFUSE
    assert said in found.described


@given(st.integers(0, 2**32), st.floats(0, 0.6))
def test_lines_in_order_are_never_refused(seed: int, lost: float) -> None:
    """An output of any quality, with the lines in order, is below the first bound; so is half of each line."""
    draw = random.Random(seed)
    gold = reference(draw, 400)
    rare = order.index([gold])
    made = output(gold, draw, lost)
    cut = [" ".join(line.split()[: len(line.split()) // 2]) for line in made]
    assert order.examine(made, rare).share < order.WARN
    assert order.examine(cut, rare).share < order.WARN


def test_the_stretch_is_named_from_line_to_line() -> None:
    """The range is that of the shifted lines, not of a stray one."""
    draw = random.Random(4)
    gold = reference(draw)
    found = order.examine(late(output(gold, draw, 0.1), draw), order.index([gold]))
    first, last = map(int, re.findall(r"from line (\d+) to (\d+)", found.described)[0])
    assert 2 < first < 8
    assert 295 < last <= 301


def test_few_lines_say_nothing() -> None:
    """Fewer than 50 lines with rare words: nothing is said."""
    draw = random.Random(5)
    gold = reference(draw, 45)
    assert order.examine(gold[::-1], order.index([gold])).share == 0


def test_scripts_without_blanks_are_compared_by_pieces() -> None:
    """Four characters each, in Chinese."""
    draw = random.Random(6)
    signs = [chr(0x4E00 + k) for k in range(800)]
    gold = ["".join(draw.choices(signs, k=20)) for _ in range(200)]
    rare = order.index([gold])
    assert order.examine(gold, rare).share == 0
    assert order.examine(gold[::-1], rare).share == 1


def loaded(systems: dict[str, list[str]], gold: list[str]) -> Collection:
    files = [("ref.txt", gold), *((f"{name}.txt", lines) for name, lines in systems.items())]
    collection = Collection()
    collection.add([(name, ("\n".join(lines) + "\n").encode()) for name, lines in files])
    return collection


def test_a_system_out_of_order_is_left_out_until_somebody_accepts_it() -> None:
    """The others can be compared; the command line refuses; accepted, a warning goes with every result."""
    draw = random.Random(7)
    gold = reference(draw)
    collection = loaded({"A": output(gold, draw), "B": output(gold, draw), "C": output(gold, draw)[::-1]}, gold)
    found = collection.loaded()
    assert [one.system for one in found.outputs] == ["A", "B"]
    (error,) = found.of("error")
    assert error.what.startswith("C: 100% of")
    assert error.answer == "accept_order"
    with pytest.raises(SigError, match="--accept-order"):
        collection.sound()
    assert [item.name for item in collection.left_out()] == ["C"]
    collection.select(accept_order=True)
    assert len(collection.sound().outputs) == 3
    assert any("they are in reverse order" in finding.what for finding in collection.loaded().of("warning"))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda text: f"{text} </s>", "marks of sentences"),
        (lambda text: text.replace("a", "&apos;"), "HTML entities"),
        (lambda text: text.replace(" ", "@@ "), "pieces of words"),
        (lambda text: f"Translation: {text}", "the prefix 'Translation:'"),
        (lambda text: f'"{text}"', "quotes around the line"),
    ],
)
def test_what_programs_leave_is_told_with_the_first_line(change, what) -> None:  # type: ignore[no-untyped-def]
    """A warning names the system, how many segments, and what to do; the same in the reference is nothing."""
    draw = random.Random(8)
    gold = [f"Then {line}" for line in reference(draw, 60)]
    plain = output(gold, draw, 0.1)
    messages = [str(one) for one in loaded({"A": plain, "B": [*map(change, plain)]}, gold).loaded().of("warning")]
    assert any(message.startswith("B has ") and what in message and "segment 1" in message for message in messages)
    assert not any(message.startswith("A has ") for message in messages)
    both = loaded({"A": [*map(change, plain)], "B": [*map(change, plain)][::1]}, [*map(change, gold)]).loaded()
    assert not any(what in str(one) for one in both.findings)


def test_lost_capitals_are_told_once() -> None:
    """Systems in lower case beside a reference with capitals."""
    draw = random.Random(9)
    gold = [f"Then {line}" for line in reference(draw, 60)]
    lower = [line.lower() for line in gold]
    found = loaded({"A": output(gold, draw, 0.1), "B": lower, "C": [*lower[:-1], "other"]}, gold).loaded()
    assert [one.what for one in found.of("warning") if "capital" in one.what] == [
        "B, C have no capital letters, the references have them."
    ]
