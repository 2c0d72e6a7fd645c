"""The reader of WordNet databases, on the handful of words in tests/wordnet."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from sigcore.errors import OptionError, SigError
from sigcore.text import wordnet
from sigcore.text.wordnet import WordNet

FOLDER = Path(__file__).resolve().parents[3] / "wordnet"


@pytest.fixture(scope="module")
def words() -> WordNet:
    """The database of the tests."""
    return WordNet(FOLDER)


def synonyms(words: WordNet, a: str, b: str) -> bool:
    """Whether two words share a set."""
    return not {*words.sets(a)}.isdisjoint(words.sets(b))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("house", "home", True),
        ("house", "firm", True),
        ("home", "firm", False),
        ("boat", "ship", True),
        ("see", "home", False),  # their sets begin at the same place, of different files
        ("boats", "ships", True),  # an ending taken off
        ("children", "kid", True),  # an irregular form
        ("saw", "spotted", False),  # "spotted" has two letters t: no ending gives "spot"
        ("saw", "views", True),
        ("viewing", "sees", True),  # a form that is a lemma itself still has its other lemma
        ("found", "discovered", True),
        ("littler", "small", True),
        ("often", "frequently", True),
        ("us", "u", False),  # one letter is no stem
        ("her", "he", False),
        ("nothing", "nothing", False),
    ],
)
def test_synonyms(words, a, b, expected):
    """Words are synonyms where they, or their lemmas, share a set of one part of speech."""
    assert synonyms(words, a, b) == expected
    assert synonyms(words, b, a) == expected


def test_lemmas(words):
    """Exceptions come before endings, and the first ending that gives a lemma counts."""
    assert words.lemmas("kiddies") == ("kid",)
    assert words.lemmas("houses") == ("house",)
    assert words.lemmas("housing") == ("house",)
    assert words.lemmas("house") == ()
    assert words.lemmas("he") == ()


def test_sets_are_in_rising_order(words):
    """Each set once, as the compiled search needs it."""
    for word in ("house", "vehicle", "spot", "views"):
        assert list(words.sets(word)) == sorted({*words.sets(word)})


def test_the_place_is_told_by_a_variable(monkeypatch, tmp_path):
    """SIGBOARD_WORDNET names the folder; a folder without a database, or "off", means that there is none."""
    monkeypatch.setenv(wordnet.VARIABLE, str(FOLDER))
    assert wordnet.find().digest == WordNet(FOLDER).digest
    for value in ("off", " OFF ", str(tmp_path), str(tmp_path / "missing")):
        monkeypatch.setenv(wordnet.VARIABLE, value)
        assert not wordnet.available()
        with pytest.raises(OptionError, match="need a WordNet database"):
            wordnet.find()


def test_off_is_not_a_folder(monkeypatch, tmp_path):
    """ "off" means no database even where a folder has this name; ./off is that folder."""
    shutil.copytree(FOLDER, tmp_path / "off")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(wordnet.VARIABLE, "off")
    assert not wordnet.available()
    monkeypatch.setenv(wordnet.VARIABLE, "./off")
    assert wordnet.available()


def test_without_the_variable_debians_folder_is_looked_at(monkeypatch):
    """The usual place is taken where nothing is said, and only there."""
    monkeypatch.delenv(wordnet.VARIABLE)
    monkeypatch.setattr(wordnet, "USUAL", FOLDER)
    assert wordnet.folder() == FOLDER
    monkeypatch.setattr(wordnet, "USUAL", FOLDER / "missing")
    assert not wordnet.available()


def test_another_database_has_another_digest(monkeypatch, tmp_path):
    """A changed file is read again and changes the digest, which is part of METEOR's signature."""
    copy = tmp_path / "copy"
    shutil.copytree(FOLDER, copy)
    monkeypatch.setenv(wordnet.VARIABLE, str(copy))
    before = wordnet.find()
    with (copy / "index.adv").open("a", encoding="utf-8") as file:
        file.write("seldom r 1 0 1 0 00000200  \n")
    os.utime(copy / "index.adv", (0, 0))
    assert wordnet.find().digest != before.digest
    assert wordnet.find().sets("seldom")


@pytest.mark.parametrize("row", ["boat", "boat n many", "boat n 1 0 1 0 here"])
def test_a_damaged_index_is_told(row, tmp_path):
    """A line that is none of an index is named with its file and number."""
    for part in wordnet.PARTS:
        (tmp_path / f"index.{part}").write_text("  1 licence\n" + row + "\n", encoding="utf-8")
    with pytest.raises(SigError, match="not a WordNet index") as error:
        WordNet(tmp_path)
    assert error.value.where == "index.noun, line 2"
