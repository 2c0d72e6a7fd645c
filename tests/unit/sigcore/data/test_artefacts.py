"""What programs leave in outputs: from how many lines on it is told, and where references have the same."""

from __future__ import annotations

import pytest

from sigcore.data.artefacts import artefacts
from sigcore.data.checks import Checked
from sigcore.readers import Item

N = 400


def lines(marked: int, mark: str, n: int = N) -> tuple[str, ...]:
    """So many lines with a mark behind their words."""
    return tuple(f"The ferry {k} leaves{mark if k < marked else ''} now" for k in range(n))


def told(system: tuple[str, ...], *gold: tuple[str, ...], source: tuple[str, ...] = ()) -> list[str]:
    """WHAT [WHERE] of each finding on a system."""
    items = [Item(f"r{k}", "reference", "text", segments, f"r{k}.en", "") for k, segments in enumerate(gold)]
    items += [Item("src", "source", "text", source, "src.de", "")] if source else []
    checked = Checked("text", len(system), [Item("A", "system", "text", system, "A.en", "")], [], items, [])
    return [f"{one.what} [{one.where}]" for one in artefacts(checked)]


@pytest.mark.parametrize(
    ("mark", "lines_of_it", "usual", "is_told"),
    [
        ("&amp;", 3, (0,), True),
        ("&amp;", 2, (0,), False),
        (" <unk>", 3, (0,), False),  # a few unknown words are no mistake: 1 % of the lines
        (" <unk>", 4, (0,), True),
        ("&amp;", 6, (3,), False),  # the references have half of that
        ("&amp;", 7, (3,), True),
        ("&amp;", 7, (0, 4), False),  # the reference with most of them counts
        ("&amp;", 3, (1,), False),  # where references have some, 1 %
    ],
)
def test_marks_are_told_from_some_lines_on(mark: str, lines_of_it: int, usual: tuple[int, ...], is_told: bool) -> None:
    """More than twice the share of the references, and three lines, or 1 % where a few are usual."""
    assert bool(told(lines(lines_of_it, mark), *(lines(one, mark) for one in usual))) is is_told


def test_the_first_marked_line_is_named() -> None:
    """And how many there are."""
    system = (*lines(0, "", 5), *lines(3, " &quot;", 35))
    assert told(system, lines(0, "", 40)) == [
        "A has HTML entities in 3 of 40 segments, the references do not. [A.en, segment 6]"
    ]


@pytest.mark.parametrize(
    ("text", "gold", "what"),
    [
        ("Translation: it rains {}", "it rains {}", "the prefix 'Translation:'"),
        ("Is it rain {}", "it rains {}", ""),  # words alone are no prefix
        ('"it rains {}"', "it rains {}", "quotes around the line"),
        ('"it" rains "{}"', "it rains {}", ""),
        ('"it rains {}"', '"it rains {}"', ""),
    ],
)
def test_one_prefix_and_quotes(text: str, gold: str, what: str) -> None:
    """Around most lines of a system, but not of the references."""
    found = told(tuple(text.format(k) for k in range(40)), tuple(gold.format(k) for k in range(40)))
    assert [what in one for one in found] == [True] * bool(what)


@pytest.mark.parametrize(
    ("capitals", "what"),
    [(0, "A has no capital letters"), (4, "A has no capital letters"), (5, ""), (40, "")],
)
def test_lost_capitals(capitals: int, what: str) -> None:
    """Fewer than a tenth of the lines have one."""
    system = tuple(f"{'The' if k < capitals else 'the'} ferry {k}" for k in range(40))
    found = told(system, tuple(f"The ferry {k}" for k in range(40)))
    assert [one.startswith(what) for one in found] == [True] * bool(what)


def test_only_capitals() -> None:
    """Unless the references are written so."""
    upper, usual = (tuple(f"{word} {k}" for k in range(40)) for word in ("THE FERRY", "The ferry"))
    assert told(upper, usual) == ["A has only capital letters, the references do not. [A.en]"]
    assert told(upper, upper) == []


@pytest.mark.parametrize(("shouted", "is_told"), [(20, False), (21, True)])
def test_an_abbreviation_in_other_letters_is_no_writing_in_capitals(shouted: int, is_told: bool) -> None:
    """In letters without cases only names have some: most segments must have letters of two cases."""
    system = tuple(f"BBC {k}" if k < shouted else f"\u0915\u0939\u093e {k}" for k in range(40))
    found = told(system, tuple(f"The ferry {k}" for k in range(40)))
    assert any("only capital letters" in one for one in found) is is_told


@pytest.mark.parametrize(
    ("copied", "words", "gold", "is_told"),
    [
        (3, 4, "it rains on number {}", True),
        (2, 4, "it rains on number {}", False),
        (3, 3, "it rains on number {}", False),  # three words may be a name
        (3, 4, "wort{}a wort{}b rains now", False),  # half of its words are those of the reference
    ],
)
def test_lines_in_the_language_of_the_source(copied: int, words: int, gold: str, is_told: bool) -> None:
    """Three lines of four words or more, which the reference does not have."""
    source = tuple(" ".join(f"wort{k}{letter}" for letter in "abcd"[:words]) for k in range(40))
    reference = tuple(gold.format(k, k) if k < 3 else f"it rains on number {k}" for k in range(40))
    system = tuple(source[k] if k < copied else f"rain falls on number {k}" for k in range(40))
    found = told(system, reference, source=source)
    assert [one.startswith(f"A repeats the source in {copied} of 40 segments. [A.en, segment 1]") for one in found] == [
        True
    ] * is_told


def test_a_source_in_the_language_of_the_references_says_nothing() -> None:
    """Two of its seven words are theirs."""
    source = tuple(" ".join(f"wort{k}{letter}" for letter in "abcde") + " it rains" for k in range(40))
    gold = tuple(f"it rains on number {k}" for k in range(40))
    system = tuple(source[k] if k < 3 else gold[k] for k in range(40))
    assert told(system, gold, source=source) == []


def test_single_words_of_the_source_in_the_references_do_not_hide_its_language() -> None:
    """Names are the same in both languages: one of five words of the source is in its reference."""
    source = tuple(" ".join(f"wort{k}{letter}" for letter in "abcd") + " Oslo" for k in range(40))
    gold = tuple(f"it rains in Oslo on number {k}" for k in range(40))
    system = tuple(source[k] if k < 3 else gold[k] for k in range(40))
    (found,) = told(system, gold, source=source)
    assert found.startswith("A repeats the source in 3 of 40 segments.")


@pytest.mark.parametrize(
    ("letters", "answer", "is_told"),
    [("AB", "It is A", True), ("A", "It is A", False), ("AB", "answer A", False), ("AK", "It is A", False)],
)
def test_answers_in_sentences_beside_right_answers_that_are_letters(letters: str, answer: str, is_told: bool) -> None:
    """Two different letters of choices are enough, and three words are a sentence."""
    found = told((answer,) * 40, tuple(letters[k % len(letters)] for k in range(40)))
    assert any("The right answers are letters (A, B), and A answers in sentences" in one for one in found) is is_told


@pytest.mark.parametrize(
    ("mark", "lines_of_it", "is_told"),
    [("<q>", 4, True), ("<n>", 400, True), (" </t>", 4, True), (" ##SENT## ", 4, True), ("<q>", 3, False), ("<b>", 400, False)],
)  # fmt: skip
def test_marks_between_sentences_are_told_of_references_too(mark: str, lines_of_it: int, is_told: bool) -> None:
    """From 1 % of the lines on, for each file that has them: metrics take them for words."""
    both = lines(lines_of_it, mark)
    of = f"has marks between sentences ({mark.strip()}) in {lines_of_it} of 400 segments: each is scored as a word."
    expected = [f"{name} {of} [{name}.en, segment 1]" for name in ("r0", "A")]
    assert told(both, both) == (expected if is_told else [])


def test_capitals_of_all_references_alone_count_small_letters_as_wrong() -> None:
    """Transcripts: the reference is in capitals, one output is too, and the other is not."""
    usual = tuple(f"The ferry {k}" for k in range(40))
    upper = tuple(text.upper() for text in usual)
    (only,) = told(usual, upper)
    assert only.startswith(
        "The references have only capital letters, but A has others: a word in other letters counts as wrong."
    )
    assert told(upper, upper) == []
    assert told(tuple(str(k) for k in range(40)), upper) == []


@pytest.mark.parametrize(
    ("marked", "mark", "gold", "is_told"),
    [(40, ".", "", True), (21, "?", "", True), (20, ".", "", False), (40, ".", ".", False), (40, " .", "", False)],
)
def test_full_stops_that_references_do_not_have_are_told(marked: int, mark: str, gold: str, is_told: bool) -> None:
    """Above half of the segments, where hardly a reference has one; between blanks it is a word that others talk about."""
    system = tuple(f"the ferry {k}{mark if k < marked else ''}" for k in range(40))
    found = [one for one in told(system, tuple(f"the ferry {k}{gold}" for k in range(40))) if "full stop" in one]
    assert bool(found) is is_told
