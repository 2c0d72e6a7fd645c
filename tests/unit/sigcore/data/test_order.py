"""Outputs whose lines are in another order than the reference, and what programs leave in outputs."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigboard.shell import inputs
from sigcore.data import Collection, order
from sigcore.errors import SigError
from tests import some
from tests.conftest import lines

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


@pytest.mark.parametrize("way", some.first(WAYS, 4))
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


@pytest.mark.parametrize(
    ("campaign", "reference"), [("wmt22.cs-en", "B"), ("wmt22.cs-en", "C"), ("wmt22.en-zh", "A"), ("wmt22.uk-en", "A")]
)
def test_systems_of_campaigns_are_in_order_and_shuffled_ones_are_not(campaign: str, reference: str, data: Path) -> None:
    """No system of a campaign reaches the first bound; each is refused once its first 1,000 lines are shuffled."""
    (gold,) = (data / "mt" / campaign).glob(f"ref.{reference}.*")
    index = order.index([[*lines(gold)]])
    systems = sorted((data / "mt" / campaign / "systems").iterdir())
    assert len(systems) > 5
    for seed, path in enumerate(systems):
        sound = order.examine([*lines(path)], index)
        assert sound.share < order.WARN
        assert not sound.unrelated
        moved = shuffled([*lines(path)][:N], random.Random(seed)) + [*lines(path)][N:]
        assert order.examine(moved, index).share > order.REFUSE


def test_the_stretch_is_named_from_line_to_line() -> None:
    """The range is that of the shifted lines, not of a stray one."""
    draw = random.Random(4)
    gold = reference(draw)
    found = order.examine(late(output(gold, draw, 0.1), draw), order.index([gold]))
    first, last = map(int, re.findall(r"from line (\d+) to (\d+)", found.described)[0])
    assert 2 < first < 8
    assert 295 < last <= 301


def test_of_equally_good_lines_the_nearest_is_meant() -> None:
    """Each line is in the reference three times: one line late, its lines are said to be one line late."""
    draw = random.Random(4)
    gold = reference(draw, 100) * 3
    found = order.examine([gold[-1], *gold[:-1]], order.index([gold]))
    assert {there - here for here, there in found.misplaced if here} == {-1}


@pytest.mark.parametrize("n", [10, 16, 45])
def test_of_few_lines_most_must_say_it(n: int) -> None:
    """Below 50 lines with rare words only an order that half of them contradict counts; below eight nothing does."""
    draw = random.Random(5)
    gold = reference(draw, n)
    rare = order.index([gold])
    assert order.examine(gold[::-1], rare).share > 0.9
    assert order.examine([*gold[1:4], gold[0], *gold[4:]], rare).share == 0  # four of them
    assert order.examine(gold, rare).share == 0
    assert order.examine(gold[:7][::-1], order.index([gold[:7]])).share == 0


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
        (lambda text: f"{text} |0-7|", "places of phrases"),
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


# What fits other lines only by chance is no other order; references and other scripts are looked at too.


def free(gold: Sequence[str], draw: random.Random, said: float) -> list[str]:
    """Long answers that keep this share of the reference's words, among the words of many other lines."""
    others = [word for line in gold for word in line.split()]
    return [
        " ".join([word for word in line.split() if draw.random() < said] + draw.choices(others, k=60)) for line in gold
    ]


@given(st.integers(0, 2**32), st.floats(0, 0.5))
def test_free_text_is_never_out_of_order(seed: int, said: float) -> None:
    """Long texts with few words of the reference fit other lines by chance, and are never refused for it."""
    draw = random.Random(seed)
    gold = reference(draw, 400)
    assert order.examine(free(gold, draw, said), order.index([gold])).share == 0


def test_the_output_for_another_test_set_is_doubted() -> None:
    """A warning names the system whose lines fit no line of the reference; it can still be scored."""
    draw = random.Random(11)
    gold = reference(draw, 400)
    found = loaded({"A": output(gold, draw), "B": free(gold, draw, 0)}, gold).loaded()
    assert [one.system for one in found.outputs] == ["A", "B"]
    (doubt,) = [one for one in found.of("warning") if "another test set" in one.what]
    assert doubt.what.startswith("B has almost no rare word")


@pytest.mark.parametrize("first", [True, False])
def test_a_reference_in_another_order_is_left_out_not_the_systems(first: bool) -> None:
    """Of two references the one that no system fits is wrong, wherever it is."""
    draw = random.Random(12)
    gold = reference(draw, 300)
    wrong = output(gold, draw, 0.2)[::-1]
    both = [("a-ref.txt", wrong), ("b-ref.txt", gold)] if first else [("a-ref.txt", gold), ("b-ref.txt", wrong)]
    files = [*both, *((f"{name}.txt", output(gold, draw)) for name in ("X", "Y"))]
    collection = Collection()
    content = [(name, ("\n".join(lines) + "\n").encode()) for name, lines in files]
    collection.add(content, roles=[("a-ref.txt", "reference"), ("b-ref.txt", "reference")])
    found = collection.loaded()
    assert [one.system for one in found.outputs] == ["X", "Y"]
    assert found.testset is not None
    assert found.testset.references == (tuple(gold),)
    assert [one.where for one in found.of("error")] == ["a-ref.txt" if first else "b-ref.txt"]
    collection.select(accept_order=True)
    assert len(collection.sound().testset.references) == 2


def test_vowel_signs_do_not_split_words() -> None:
    """In Hindi a word of four signs counts, although its vowel signs are no letters for a regular expression."""
    draw = random.Random(13)
    signs = [a + b for a in "\u0915\u0916\u0917\u0918\u091a\u091c\u091f" for b in "\u093e\u093f\u0940\u0947\u094b"]
    known = ["".join(draw.choices(signs, k=3)) for _ in range(2_000)]
    gold = [" ".join(draw.choices(known, k=12)) for _ in range(200)]
    rare = order.index([gold])
    assert order.examine(gold, rare).known > 190
    assert order.examine(gold, rare).share == 0
    assert order.examine(gold[::-1], rare).share > 0.99


def test_a_part_in_another_order_is_named_from_line_to_line() -> None:
    """Where half of the lines are shuffled, the message says which half."""
    draw = random.Random(14)
    gold = reference(draw)
    said = order.examine(half(output(gold, draw, 0.1), draw), order.index([gold])).described
    first, last = map(int, re.findall(r"from line (\d+) to (\d+) they are in another order", said)[0])
    assert first < 10
    assert 480 < last < 560


def test_a_page_says_why_only_one_system_is_left() -> None:
    """Of two systems, one of which is out of order, the page shows the error and not a lack of systems."""
    draw = random.Random(15)
    gold = reference(draw, 200)
    collection = loaded({"A": output(gold, draw), "B": output(gold, draw)[::-1]}, gold)
    with pytest.raises(SigError, match=r"B: 100% of .* reverse order"):
        inputs.sound(SimpleNamespace(collection=collection), 2)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda text: f"**Answer:** {text}", "the prefix '**Answer:**'"),
        (lambda text: f"Sure, this is it: {text}", "the prefix 'Sure, this is it:'"),
        (lambda text: f"- {text}", "the prefix '-'"),
        (lambda text: f"\u7ffb\u8bd1\uff1a{text}", "the prefix '\u7ffb\u8bd1\uff1a'"),
        (lambda text: f"\u201e{text}\u201c", "quotes around the line"),
        (lambda text: f"[CLS] {text} [SEP]", "marks of sentences"),
        (lambda text: text.replace(" ", " \u0120"), "pieces of words"),
        (lambda text: text.upper(), "only capital letters"),
    ],
)
def test_more_of_what_programs_leave(change, what) -> None:  # type: ignore[no-untyped-def]
    """Prefixes with a sign of any form, marks of encoders, byte-level pieces, capitals; nothing about the system without them."""
    draw = random.Random(16)
    gold = reference(draw, 60)
    plain = output(gold, draw, 0.1)
    found = loaded({"A": plain, "B": [*map(change, plain)]}, gold).loaded()
    messages = [str(one) for one in found.of("warning")]
    assert [message for message in messages if what in message and message.startswith("B has ")]
    assert not [message for message in messages if message.startswith("A has ")]


def test_three_marks_are_enough_but_a_few_unknown_words_are_not() -> None:
    """Of 600 lines, 3 with </s> are told, and 3 with <unk> are not."""
    draw = random.Random(17)
    gold = reference(draw, 600)
    plain = output(gold, draw, 0.1)
    for mark, told in (("</s>", True), ("<unk>", False)):
        odd = [*plain[:5], *(f"{text} {mark}" for text in plain[5:8]), *plain[8:]]
        found = loaded({"A": plain, "B": odd}, gold).loaded()
        messages = [f"{one.what} {one.where}" for one in found.of("warning")]
        assert any("B has marks" in one and "in 3 of 600" in one and "segment 6" in one for one in messages) == told


def test_lines_left_in_the_language_of_the_source_are_told() -> None:
    """Copied lines of a source in another language are told; nothing is said about extracts of a text in the same one."""
    draw = random.Random(18)
    gold = reference(draw, 200)
    source = [" ".join(f"q{word[::-1]}" for word in line.split()) for line in reference(draw, 200)]
    copied = [source[i] if i % 10 == 3 else line for i, line in enumerate(output(gold, draw, 0.1))]
    items = [("src.txt", source), ("ref.txt", gold), ("A.txt", output(gold, draw, 0.1)), ("B.txt", copied)]
    mixed = [f"{line} {more}" for line, more in zip(gold, source, strict=True)]  # as the document of a summary
    for first, told in ((source, True), (mixed, False)):
        items[0] = ("src.txt", first)
        collection = Collection()
        content = [(name, ("\n".join(lines) + "\n").encode()) for name, lines in items]
        collection.add(content, roles=[("src.txt", "source"), ("ref.txt", "reference")])
        messages = [str(one) for one in collection.loaded().of("warning")]
        assert any("B repeats the source in 20 of 200 segments. [B.txt, segment 4]" in one for one in messages) == told
        assert not any("A repeats the source" in one for one in messages)


SAID = reference(random.Random(4), 60)


@pytest.mark.parametrize(
    ("segments", "said"),
    [
        (SAID[:23] + SAID[24:], "from line 24 on its lines fit the reference 1 line later, so 1 line was lost at line 24"),
        (SAID[:3] + SAID[4:], "from line 4 on its lines fit the reference 1 line later, so 1 line was lost at line 4"),  # three before it are enough
        (SAID[:2] + SAID[3:], ""),  # two are not
        (SAID[:10] + SAID[13:], "from line 11 on its lines fit the reference 3 lines later, so 3 lines were lost at line 11"),
        ([*SAID[:30], "nothing of it", *SAID[30:]], "from line 32 on its lines fit the reference 1 line earlier, so 1 line was added between lines 30 and 32"),
        (SAID[:59], "all its lines fit their own of the reference, so 1 line was lost at the end"),
        (SAID[1:], "all its lines fit the reference 1 line later, so 1 line was lost at the start"),
        (["nothing of it", "nor this", *SAID], "all its lines fit the reference 2 lines earlier, so 2 lines were added at the start"),
        ([*SAID, "nothing of it"], "all its lines fit their own of the reference, so 1 line was added at the end"),
        (SAID[:59][::-1], ""),
        (["free text about other things"] * 59, ""),
    ],
)  # fmt: skip
def test_a_lost_line_is_found(segments: list[str], said: str) -> None:
    """Up to there lines fit their own of the reference, and behind it those that are as far away as the lengths differ."""
    assert order.lost(segments, [SAID]) == said


def test_the_error_of_another_length_says_where_it_begins() -> None:
    """Where the words of the lines say it, the error names the lost line, and not the last one."""
    collection = Collection()
    texts = {"ref.txt": SAID, "One.txt": output(SAID, random.Random(1)), "Two.txt": SAID[:23] + SAID[24:]}
    collection.add([(name, "".join(f"{line}\n" for line in of).encode()) for name, of in texts.items()])
    loaded = collection.loaded()
    (error,) = loaded.of("error")
    assert error.what == "Two has 59 lines, ref has 60."
    assert "so 1 line was lost at line 24" in error.where
    assert "line 60" not in error.where


def test_a_reference_that_is_longer_than_all_outputs_is_told_where() -> None:
    """Two outputs agree, and the reference has a heading above: it is compared with them."""
    collection = Collection()
    texts = {"ref.txt": ["a heading", *SAID], "One.txt": output(SAID, random.Random(1)), "Two.txt": SAID}
    collection.add([(name, "".join(f"{line}\n" for line in of).encode()) for name, of in texts.items()])
    where = [one.where for one in collection.loaded().of("error") if one.what == "ref has 61 lines, One has 60."]
    assert "all its lines fit the outputs 1 line earlier, so 1 line was added at the start" in where[0]


@pytest.mark.parametrize(("wrong", "plain", "by_id"), [(0.08, "", ""), (0.13, "warning", ""), (0.5, "error", "error")])
def test_lines_with_ids_are_doubted_only_where_the_ids_are_wrong(wrong: float, plain: str, by_id: str) -> None:
    """A tenth of the lines that fit another one better is worth a word where lines are matched by place; matched by ids, only
    a share that says that the ids are not those of the reference."""
    draw = random.Random(5)
    gold = reference(draw, 400)
    moved = round(wrong * len(gold))
    system = output(gold, draw, 0.1)
    system[:moved] = system[1:moved] + system[:1]
    streams = {"ref": gold, "A": system, "B": output(gold, draw, 0.2)}
    for ids, severity in ((False, plain), (True, by_id)):
        texts = {}
        for name, texts_of in streams.items():
            head = "reference" if name == "ref" else "text"
            keys = [{"id": f"q{k}"} if ids else {} for k in range(len(texts_of))]
            rows = [json.dumps(key | {head: line}) for key, line in zip(keys, texts_of, strict=True)]
            texts[f"{name}.jsonl"] = "\n".join(rows) + "\n"
        collection = Collection("t")
        collection.add([(name, text.encode()) for name, text in texts.items()])
        loaded = collection.loaded()
        assert loaded.testset is not None
        assert bool(loaded.ids) is ids
        found = [one for one in loaded.findings if "fit another line" in one.what]
        assert [one.severity for one in found] == ([severity] if severity else [])


@pytest.mark.parametrize(("n", "wrong", "severity"), [(30, 1.0, ""), (400, 0.5, "error")])
def test_rows_of_one_table_are_doubted_only_where_many_say_so(n: int, wrong: float, severity: str) -> None:
    """An output beside its reference: a few free answers have words of each other, and a column that was sorted has not."""
    draw = random.Random(6)
    gold = reference(draw, n)
    moved = round(wrong * n)
    system = output(gold, draw, 0.1)
    system[:moved] = system[1:moved] + system[:1]
    rows = [json.dumps({"reference": right, "text": said}) for right, said in zip(gold, system, strict=True)]
    collection = Collection("t")  # each file has the reference, which is used once
    collection.add([(f"{name}.jsonl", ("\n".join(rows) + "\n").encode()) for name in "AB"])
    found = [one for one in collection.loaded().findings if "fit another line" in one.what]
    assert [one.severity for one in found] == ([severity] * 2 if severity else [])


def test_labels_say_nothing_of_the_order() -> None:
    """Words of a reference that many lines have are those of a class, though a tenth of the lines have each."""
    draw = random.Random(7)
    assert order.index([[f"class{'abcdefghijkl'[k % 12]}" for k in range(60)]]) == {}
    assert (
        order.index([[f"class{'abcdefghijklmnopqrst'[k % 20]}" for k in range(60)]]) != {}
    )  # three times may be chance
    assert order.index([reference(draw, 20)]) != {}
