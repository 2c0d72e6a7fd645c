"""Tokens, and what is said where a tokenizer is not there."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from sigcore.errors import OptionError, UnknownMember
from sigcore.metrics.chrf import WordMarks
from sigcore.text import sacre
from sigcore.text.sacre import check_extras, tokenizer_names
from sigcore.text.symbols import UNKNOWN, Vocabulary
from sigcore.text.tokens import Tokenizer
from sigcore.text.word_numbers import WordVocabulary


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


def test_every_word_of_two_characters_is_cut_as_sacrebleu_cuts_it() -> None:
    """Most words take a way of our own; all pairs of ASCII characters, and those between two letters, give the same."""
    ours, theirs = Tokenizer("13a"), sacre.tokenizer_function("13a")
    signs = [chr(code) for code in range(33, 127)] + ["é", "…", "５"]
    pairs = [first + second for first in signs for second in signs]
    for word in [*signs, *pairs, *(f"a{pair}1" for pair in pairs)]:
        assert ours.tokens(word) == theirs(word).split(), word


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("name", ["13a", "intl", "char"])
def test_words_get_the_numbers_of_their_tokens(name: str, lowercase: bool) -> None:
    """Word by word or line by line: the same numbers, known words or not, with a line break inside a line too."""
    known, lines = ["The cat, it sat.", "exam-\nple", ""], ["the cat.It", "", "exam-\nple! (The)", "1-2 cat,", "İt"]
    tokenizer = Tokenizer(name, lowercase)
    fast, plain = WordVocabulary(tokenizer), Vocabulary(tokenizer.tokens)
    for vocabulary in (fast, plain):
        vocabulary.learn(known)
    for text in (lines, [], known):
        got, expected = fast.read(text), plain.read(text)
        assert got.numbers.tolist() == expected.numbers.tolist()
        assert got.starts.tolist() == expected.starts.tolist()


def test_a_word_learned_later_is_known_from_then_on() -> None:
    """What was read before a second reference was learned does not stay unknown."""
    words = WordVocabulary(Tokenizer("13a"))
    words.learn(["a"])
    assert words.read(["b"]).numbers.tolist() == [UNKNOWN]
    assert words.learn(["b"]).numbers.tolist() == words.read(["b"]).numbers.tolist()


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
