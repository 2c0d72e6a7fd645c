"""The pages without a browser, for trees, word links, bracketings and entities."""

from __future__ import annotations

import pytest

from tests.browser import test_pages
from tests.browser.test_pages import dropped, page, said, sound

a_server_that_knows_its_pages = test_pages.a_server_that_knows_its_pages

TIME, TIDE = "(TOP (S (NP (NN time)) (VP (VBZ flies))))", "(TOP (S (X (NN time)) (VP (VBZ flies))))"
WORDS = "1\ttime\t_\tNOUN\t_\t_\t{0}\tnsubj\t_\t_\n2\tflies\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
KINDS = {
    "brackets": (f"{TIME}\n" * 40, f"{TIDE}\n" * 30 + "\n" * 10, f"{TIDE}\n" * 38 + f"{TIME}\n(())\n"),
    "trees": (WORDS.format(2) * 40, WORDS.format(0) * 40, WORDS.format(2) * 20 + WORDS.format(0) * 20),
    "alignments": ("0-0 1p1\n" * 40, "0-0\n" * 40, "0-0 0-1\n" * 40),
    "spans": ("Anna B-PER\nsleeps O\n\n" * 40, "Anna O\nsleeps O\n\n" * 40, "Anna B-PER\nsleeps B-LOC\n\n" * 40),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_goes_from_the_drop_to_the_verdict(kind) -> None:
    """Gold and two systems are recognised, and the grid and the pair have their numbers."""
    gold, one, two = KINDS[kind]
    app = dropped({"gold.txt": gold, "One.txt": one, "Two.txt": two})
    assert "Systems: 2" in said(app)
    assert "Segments: 40" in said(app)
    for name in ("matrix", "compare"):
        output = said(sound(page(app, name)))
        assert ("skips sentences without a parse" in output) == (kind == "brackets")
        if kind == "brackets":
            # Compare begins with the better system
            assert ("One 10, Two 1." if name == "matrix" else "Two 1, One 10.") in output


def test_the_text_of_word_links_is_not_what_is_looked_at() -> None:
    """Source and target beside the links leave the links in front, though the sample before was text."""
    gold, one, two = KINDS["alignments"]
    text = "a b\n" * 40
    app = dropped({"gold.txt": gold, "One.txt": one, "Two.txt": two, "src.en": text, "tgt.fr": text})
    assert "Systems: 2" in said(app)
    assert "AER" in said(sound(page(app, "matrix")))
    app = page(app, "data")
    shown = app.dataframe[-1].value
    assert list(shown.columns) == ["word", "reference", "One", "Two"]
    assert list(shown["word"]) == ["0 a", "1 b"]


def test_entities_are_shown_side_by_side() -> None:
    """The preview has a row for each place with an entity; the page Segments opens."""
    gold, one, two = KINDS["spans"]
    app = page(dropped({"gold.txt": gold, "One.txt": one, "Two.txt": two}), "data")
    shown = app.dataframe[-1].value
    assert list(shown["word"]) == ["0-1 Anna", "1-2 sleeps"]
    assert list(shown["One"]) == ["≠", ""]
    assert list(shown["Two"]) == ["PER", "≠ LOC"]
    sound(page(app, "segments"))


def test_runs_go_from_the_drop_to_the_verdict() -> None:
    """Judgments and two runs are recognised by their lines; a question that one run lacks can be left out."""
    questions = [f"q{k}" for k in range(40)]
    qrels = "".join(f"{q} 0 d1 1\n{q} 0 d2 0\n" for q in questions)
    one, two = (
        "".join(f"{q} Q0 {d} {k} {-k} x\n" for q in asked for k, d in enumerate(order.split(), 1))
        for order, asked in (("d1 d2", questions), ("d2 d1", questions[1:]))
    )
    app = dropped({"qrels.txt": qrels, "One.run": one, "Two.run": two})
    assert "Systems: 2" in said(app)
    assert "nDCG@10" in said(sound(page(app, "matrix")))
    app = page(app, "data")
    assert "Two lacks 1 of 40 judged questions, which count as 0 (trec_eval -c)." in said(app)
    shown = app.dataframe[-1].value
    assert list(shown["Two"]) == ["", ""]
    (box,) = [box for box in app.selectbox if box.label == "missing questions"]
    assert "Segments: 39" in said(sound(box.select("drop").run()))
