"""Summaries are read as sentences of tokens: marks, stops, limits, scripts, stop words."""

from __future__ import annotations

import pytest

from sigcore.errors import OptionError
from sigcore.metrics.rouge import words
from sigcore.metrics.rouge.words import Reader, ascii_letters, limited, sentences, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One line.\nAnother .", ["One line.", "Another ."]),
        ("<t> One line. </t> <t> Another . </t>", ["One line.", "Another ."]),
        ("One line.<q>Another .", ["One line.", "Another ."]),
        ("One line. <n> Another .", ["One line.", "Another ."]),
        ("<s>One line.</s>\n<s>Another .</s>", ["One line.", "Another ."]),
        ("One line. [X_SEP] Another .", ["One line.", "Another ."]),
        ("One line. <S_SEP> Another .", ["One line.", "Another ."]),
        ("One <b>line</b> . Another .", ["One <b>line</b> . Another ."]),
        ("\n\n <t> \n", []),
        ("", []),
    ],
)
def test_marks_part_sentences_and_are_no_words(text, expected):
    """Line feeds and the marks that summarizers write part sentences; other tags and stops do not."""
    assert sentences(text, "marked") == expected
    assert sentences(text, "none") == [" ".join(expected)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one line . another one ! a third", ["one line .", "another one !", "a third"]),
        ("One line. Another one! A third", ["One line.", "Another one!", "A third"]),
        ('He said "go." She went.', ['He said "go."', "She went."]),
        (
            "Mr. Smith met J. R. Doe of the U.S. Senate. He left.",
            ["Mr. Smith met J. R. Doe of the U.S. Senate.", "He left."],
        ),
        ("it cost .375 dollars at 4 p.m. on monday", ["it cost .375 dollars at 4 p.m. on monday"]),
        ("she left .he stayed .", ["she left .", "he stayed ."]),
        ("first.<q>second. Third", ["first.", "second.", "Third"]),
        ("他走了。她留下了！真的？", ["他走了。", "她留下了！", "真的？"]),
        ("...", ["..."]),
        ("", []),
    ],
)
def test_stops_part_sentences_where_asked(text, expected):
    """Without marks a sentence seems to end at a stop by itself, or before a capital; not at abbreviations."""
    assert sentences(text, "stops") == expected


@pytest.mark.parametrize(
    ("words", "size", "expected"),
    [
        (0, 0, ["one two", "three four five", "six"]),
        (1, 0, ["one"]),
        (2, 0, ["one two"]),
        (4, 0, ["one two", "three four"]),
        (99, 0, ["one two", "three four five", "six"]),
        (0, 7, ["one two"]),
        (0, 9, ["one two", "th"]),
        (0, 99, ["one two", "three four five", "six"]),
    ],
)
def test_limits_cut_after_words_or_bytes(words, size, expected):
    """A limit counts words between blanks, or bytes, over all sentences; what parts sentences is not counted."""
    assert limited(["one two", "three four five", "six"], words, size) == expected


def test_a_limit_in_bytes_leaves_out_a_character_cut_through():
    """In UTF-8 é has two bytes; half of it is nothing."""
    assert limited(["été"], 0, 4) == ["ét"]
    assert limited(["été"], 0, 5) == ["été"]
    assert limited(["été"], 0, 1) == [""]


def test_two_limits_are_refused():
    """A summary has one limit."""
    with pytest.raises(OptionError, match="both set"):
        Reader(limit_words=100, limit_bytes=665)


@pytest.mark.parametrize(
    ("tokenization", "text", "expected"),
    [
        ("rouge", "The U.S.-led man's $5 naïve_ café", ["the", "u", "s", "led", "man", "s", "5", "na", "ve", "caf"]),
        ("rouge", "\u212aelvin İstanbul", ["elvin", "stanbul"]),  # no letter becomes ASCII by becoming small
        ("rouge", "学习 -- 。", []),
        ("unicode", "The U.S. naïve_ café 学习。हिन्दी", ["the", "u", "s", "naïve", "café", "学习", "हिन्दी"]),
        ("whitespace", "The U.S.  naïve , 学习。", ["the", "u.s.", "naïve", ",", "学习。"]),
        ("char", "Ab, 学习。", ["a", "b", "学", "习"]),
        ("rouge", "", []),
        ("unicode", "", []),
        ("whitespace", " ", []),
        ("char", "", []),
    ],
)
def test_tokens(tokenization, text, expected):
    """What is a word in each way of cutting, always in small letters."""
    assert tokens(text, tokenization) == expected


def test_stop_words_go_before_stems():
    """A stop word is one as it is written, not by its stem; a word of three letters is not stemmed."""
    reader = Reader(stem="porter", stop_words=frozenset({"house", "the"}))
    assert reader.tokens("The houses, the house was his") == ["hous", "was", "his"]


def test_sentences_without_tokens_are_left_out():
    """A line of marks is no sentence."""
    assert Reader().sentences("one two\n---\nthree") == [["one", "two"], ["three"]]


def test_stems_leave_other_scripts_alone():
    """Porter's rules are for English: a word with other letters stays as it is."""
    assert Reader("unicode", "porter").tokens("naïvetés houses") == ["naïvetés", "hous"]


def test_letters_are_counted_without_digits():
    """(kept, all) letters: digits and punctuation say nothing about the script."""
    assert ascii_letters(["ab1 é", "学!"]) == (2, 4)


@pytest.mark.parametrize("following", ["3", '"Yes', "Then", "\u00bfque", "\u4ed6"])
def test_a_sentence_may_begin_with_anything_but_a_small_letter(following: str) -> None:
    assert words.is_end("stop.", following)
    assert not words.is_end("stop.", "and")
