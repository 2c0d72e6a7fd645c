"""Irregular forms are read from the person's WordNet, and what was read is told."""

from __future__ import annotations

import pytest

from sigcore import metrics
from sigcore.errors import OptionError
from sigcore.metrics import extractor
from sigcore.metrics.rouge.words import LISTS, irregular
from sigcore.testset import Outputs, Testset
from sigcore.text.wordnet import VARIABLE

FORMS = {
    "adj.exc": "better good well\nbest good\n",
    "adv.exc": "best well\n",
    "noun.exc": "children child\naurar eyir\naurar eyrir\n",
    "verb.exc": "went go\n\n",
}


@pytest.fixture
def wordnet(tmp_path, monkeypatch):
    """A folder with four little lists, named by SIGBOARD_WORDNET."""
    for name, text in FORMS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def test_first_base_form_of_the_last_line(wordnet):
    """Of several base forms the first counts, of several lines the last, adjectives after adverbs."""
    assert irregular().forms == {"better": "good", "best": "good", "children": "child", "aurar": "eyrir", "went": "go"}


def test_stems_take_irregular_forms_first(wordnet):
    """ "children" and "child", "went" and "go" are the same word; a form of three letters stays as it is."""
    metric = metrics.get("rouge_1")
    testset = Testset("t", "text", 1, (("Children went",),))
    for stem, recall in (("none", 0), ("porter", 0), ("wordnet", 100)):
        options = metric.chosen({"stem": stem, "score": "recall"})
        item = extractor(metric, testset, options)(Outputs("s", ("child go",)))
        assert item.corpus_score == recall


def test_signature_tells_the_lists(wordnet, tmp_path_factory, monkeypatch):
    """Other lists give other stems, so their digest is in the signature: kept statistics cannot be mixed up."""
    metric = metrics.get("rouge_l")
    options = metric.chosen({"stem": "wordnet"})
    first = metric.signature((("a",),), options)
    other = tmp_path_factory.mktemp("other")
    for name in LISTS:
        (other / name).write_text("men man\n", encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(other))
    assert first != metric.signature((("a",),), options)
    assert irregular().digest[:12] in metric.signature((("a",),), options)


def test_what_is_not_there_is_named(wordnet):
    """Where a list is missing, the message names it, the variable, and the way without."""
    (wordnet / "noun.exc").unlink()
    metric = metrics.get("rouge_1")
    with pytest.raises(OptionError) as caught:
        metric.signature((("a",),), metric.chosen({"stem": "wordnet"}))
    assert caught.value.where.endswith("noun.exc")
    assert VARIABLE in caught.value.fix
    assert "porter" in caught.value.fix


def test_no_other_stem_looks_at_it(monkeypatch, tmp_path):
    """What is installed can change nothing that does not say so in its signature."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "nowhere"))
    metric = metrics.get("rouge_1")
    for stem in ("none", "porter"):
        assert "wordnet" not in metric.signature((("a",),), metric.chosen({"stem": stem}))


def test_off_is_not_a_folder(tmp_path, monkeypatch):
    """SIGBOARD_WORDNET=off means no WordNet, even where a folder is called off; ./off is that folder."""
    (tmp_path / "off").mkdir()
    for name, text in FORMS.items():
        (tmp_path / "off" / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for value in ("off", "OFF", " off "):
        monkeypatch.setenv(VARIABLE, value)
        with pytest.raises(OptionError, match="lists of irregular forms"):
            irregular()
    monkeypatch.setenv(VARIABLE, "./off")
    assert irregular().forms["children"] == "child"
