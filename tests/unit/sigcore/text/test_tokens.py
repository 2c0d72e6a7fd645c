"""Tokens, and what is said where a tokenizer is not there."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from sigcore.errors import OptionError, UnknownMember
from sigcore.metrics.chrf.words import WordMarks
from sigcore.text.sacre import check_extras, tokenizer_names
from sigcore.text.tokens import Tokenizer


def test_13a_cuts_off_punctuation() -> None:
    """A comma between digits stays, an entity becomes its character, odd whitespace separates."""
    assert Tokenizer("13a").tokens("He said:\u00a0&quot;1,000.50!&quot;") == [
        "He",
        "said",
        ":",
        '"',
        "1,000.50",
        "!",
        '"',
    ]


def test_13a_joins_a_word_broken_at_a_line_break() -> None:
    """The one rule that reaches over whitespace, so that the line cannot be cut into words first."""
    assert Tokenizer("13a").tokens("exam-\nple a") == ["example", "a"]


def test_lowercase_comes_first() -> None:
    """Lower-casing sees the whole line, since a final sigma depends on its neighbours."""
    assert Tokenizer("13a", lowercase=True).tokens("ΟΔΟΣ A") == ["οδος", "a"]


def test_words_are_remembered() -> None:
    """A word met before gives the very same tokens, without being tokenised again."""
    tokenizer = Tokenizer("13a")
    first, second = tokenizer.tokens("(a)"), tokenizer.tokens("(a)")
    assert first == second == ["(", "a", ")"]
    assert first[0] is second[0]


@pytest.mark.parametrize(
    ("word", "parts"),
    [("(hi)", ("(hi", ")")), ("(hi", ("(", "hi")), (".", (".",)), ("a", ("a",)), ("...", ("..", ".")), ("«a", ("«a",))],
)
def test_chrf_cuts_one_mark_off_a_word(word: str, parts: tuple[str, ...]) -> None:
    """One mark at the end, or else one at the beginning, and only ASCII ones."""
    assert WordMarks()[word] == parts


def test_an_unknown_tokenizer_is_answered_with_near_names() -> None:
    """A slip of the pen is answered with the name that was meant."""
    with pytest.raises(UnknownMember, match="13a"):
        Tokenizer("13")


@pytest.mark.parametrize(
    ("name", "module"), [("ja-mecab", "MeCab"), ("ko-mecab", "mecab_ko"), ("flores200", "sentencepiece")]
)
def test_a_missing_package_is_named(name: str, module: str) -> None:
    """A tokenizer that needs a package says which one and how to install it, and starts no download."""
    if find_spec(module):
        pytest.skip(f"{module} is installed")
    with pytest.raises(OptionError, match=module) as error:
        Tokenizer(name)
    assert "pip install" in error.value.fix


def test_a_missing_vocabulary_is_not_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """Where only the file is missing, the error says where to get it and where to put it."""
    monkeypatch.setattr("sigcore.text.sacre.find_spec", lambda name: object())
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(tmp_path))
    with pytest.raises(OptionError, match="vocabulary") as error:
        check_extras("flores200")
    assert error.value.where.startswith(str(tmp_path))


def test_every_tokenizer_of_sacrebleu_is_either_plain_or_explained() -> None:
    """A tokenizer that a later sacrebleu adds does not slip in unexamined."""
    plain = {"none", "zh", "13a", "intl", "char"}
    explained = {"ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K"}
    assert set(tokenizer_names()) == plain | explained
