"""From items to a test set: missing scores, gold files of two kinds, copies, names, groups, and words beside words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sigcore.data.assembly import Loaded, assemble
from sigcore.data.side_by_side import word_rows
from sigcore.readers import QUESTIONS, Item
from sigcore.types import DOCUMENT, QUESTION, Kind, Role

N = 40


def scores(name: str, *missing: int, keys: tuple[str, ...] = (), better: str = "higher") -> Item:
    cells = tuple("" if k in missing else f"{(k * 7 + len(name)) % 11}.5" for k in range(N))
    return Item(name, "system", "scores", cells, f"{name}.txt", "", measure="COMET", keys=keys, better=better)  # type: ignore[arg-type]


def text(name: str, role: Role = "system", word: str = "", n: int = N, kind: Kind = "text") -> Item:
    return Item(name, role, kind, tuple(f"{word or name} says line {k} here" for k in range(n)), f"{name}.en", "")


def links(name: str, *segments: str, role: Role = "system", reader: str = "") -> Item:
    return Item(name, role, "alignments", segments, f"{name}.wa", "", reader=reader)


def said(loaded: Loaded, severity: str = "") -> list[str]:
    return [f"{one.what} [{one.where}]" for one in loaded.findings if severity in ("", one.severity)]


# ---- missing scores


def test_segments_without_a_score_of_some_system_are_left_out_for_all() -> None:
    """Those of every system; the first of them is named, and a system without any score is left out itself."""
    loaded = assemble([scores("A", 3, 7), scores("B", 30, 7), scores("C"), scores("D", *range(N))], missing="drop")
    assert loaded.testset is not None
    assert loaded.testset.n == N - 3
    assert [(one.system, len(one.segments)) for one in loaded.outputs] == [("A", 37), ("B", 37), ("C", 37)]
    (left,) = (one for one in said(loaded, "warning") if "left out" in one)
    assert left.startswith("3 of 40 segments were left out for all systems")
    assert left.endswith("[the first is segment 4]")
    assert any("D has no COMET for 40 of 40 segments" in one for one in said(loaded, "error"))
    assert loaded.gaps


@pytest.mark.parametrize(
    ("items", "what"),
    [
        (
            [scores("A", 3), scores("B", 4), scores("C")],
            "A, B have no COMET for 1 of 40 segments each; they are left out.",
        ),
        ([scores("A", 3), scores("B", 4)], "A, B have no COMET for 1 of 40 segments each; they are left out."),
        (
            [scores("A", *range(20)), scores("B", *range(20, N))],
            "A, B share no segment, so no COMET of one has a partner.",
        ),
        ([scores("A", 3), scores("B", 4, 5, 9), scores("C")], "A, B have no COMET for 1 to 3 of 40 segments each"),
        ([scores("A", 3, 5), scores("C")], "A has no COMET for 2 of 40 segments; it is left out. [A.txt, segment 4]"),
    ],
)
def test_systems_without_all_scores_are_left_out_together(items: list[Item], what: str) -> None:
    """With the number of missing scores of each, and where the first is."""
    assert any(what in one for one in said(assemble(items), "error"))


def test_a_segment_is_called_by_its_name_where_that_is_not_its_number() -> None:
    """Segment 4 (q3), but segment 4 alone where its name is 4."""
    for start, shown in (("q", "segment 4 (q3)]"), ("", "segment 4]")):
        keys = tuple(f"{start}{k + (not start)}" for k in range(N))
        (error,) = said(assemble([scores("A", 3, keys=keys), scores("B", keys=keys)]), "error")
        assert error.endswith(shown)


def test_what_is_no_number_is_named_with_its_segment() -> None:
    """The system is left out."""
    bad = scores("A")
    loaded = assemble([replace(bad, segments=(*bad.segments[:4], "x", *bad.segments[5:])), scores("B"), scores("C")])
    assert said(loaded, "error") == ["A: 'x' is not a number. [A.txt, segment 5]"]
    assert [one.system for one in loaded.outputs] == ["B", "C"]


# ---- word links and trees


def test_sentences_without_links_are_added_at_the_end_of_their_format_only() -> None:
    """Up to the longest file, whichever it is; files of lines say themselves how many segments they have."""
    gold, short = links("gold", *["0-0"] * 10, role="reference"), ["0-0"] * 8
    loaded = assemble([gold, links("A", *short, reader="naacl"), links("B", *short, reader="pharaoh")])
    assert [(one.system, len(one.segments)) for one in loaded.outputs] == [("A", 10)]
    assert any("A has no link after segment 8: 2 more without links were added." in one for one in said(loaded, "note"))
    longer = assemble(
        [links("gold", *short, role="reference", reader="naacl"), links("A", *["0-0"] * 10), links("B", *["0-1"] * 10)]
    )
    assert longer.testset is not None
    assert longer.testset.n == 10


def test_the_first_file_of_possible_links_is_used() -> None:
    """The second is named; links that are sure stay sure."""
    gold = links("gold", *["0-0"] * 10, role="reference")
    first, second = (links(name, *[link] * 10, role="possible") for name, link in (("one", "0-0 1-1"), ("two", "2-2")))
    loaded = assemble([gold, first, second, links("A", *["0-0"] * 10), links("B", *["1-1"] * 10)])
    assert loaded.testset is not None
    assert loaded.testset.references[0][0] == "0-0 1p1"
    assert [one for one in said(loaded, "warning") if "possible" in one] == [
        "More than one file of possible links is loaded; two is not used. [two.wa]"
    ]


def test_one_row_for_each_word_of_a_sentence() -> None:
    """A system's link that gold does not have is marked, and a missing sure one; a possible one may be missing."""
    rows = word_rows(
        "alignments", "0-0 1p1", {"A": "0-0", "B": "1-1", "C": "0-0 0-1"}, ("das", "Haus"), ("the", "house")
    )
    assert [row["reference"] for row in rows] == ["0 the", "1 house?"]
    assert [row["A"] for row in rows] == ["0 the", ""]
    assert [row["B"] for row in rows] == ["≠", "1 house"]
    assert [row["C"] for row in rows] == ["≠ 0 the, 1 house", ""]


def test_a_system_with_other_words_than_gold_is_left_out_wherever_it_stands() -> None:
    """Before the reference, too."""
    tree = "Rain\tN\t2\tnsubj\nfalls\tV\t0\troot"
    other = tree.replace("Rain", "Snow")
    items = [Item(name, role, "trees", (cells,) * 3, f"{name}.conll", "") for name, role, cells in
             (("Odd", "system", other), ("A", "system", tree), ("gold", "reference", tree), ("B", "system", tree))]  # fmt: skip
    loaded = assemble(items)  # type: ignore[arg-type]
    assert [one.system for one in loaded.outputs] == ["A", "B"]
    assert said(loaded, "error")[0].startswith("Odd, ")


def test_subtypes_of_labels_are_no_difference() -> None:
    """nsubj:pass is nsubj; another head is marked."""
    gold = "Rain\tN\t2\tnsubj\nfalls\tV\t0\troot"
    other = "Rain\tN\t2\tnsubj:pass\nfalls\tV\t1\troot"
    rows = word_rows("trees", gold, {"A": other})
    assert [row["A"] for row in rows] == ["nsubj:pass of 2 falls", "≠ root of 1 Rain"]


# ---- gold, names, groups


def test_a_reference_that_is_loaded_twice_counts_once() -> None:
    """By its segments, whatever it is called; two references of one name are two."""
    one, copy = text("ref", "reference"), replace(text("ref", "reference"), name="copy", file="copy.en")
    other = replace(text("ref2", "reference"), name="ref")
    loaded = assemble([one, copy, other, text("A"), text("B")])
    assert loaded.testset is not None
    assert len(loaded.testset.references) == 2
    assert "copy is identical to ref; it is used once. [copy.en]" in said(loaded, "note")


def test_of_two_systems_of_one_name_the_first_is_used() -> None:
    """Both files are named; names that differ in a capital are two systems."""
    twice = replace(text("A", word="again"), file="a2.en")
    loaded = assemble([text("ref", "reference"), text("A"), twice, text("a", word="small")])
    assert [one.system for one in loaded.outputs] == ["A", "a"]
    assert loaded.outputs[0].segments[0].startswith("A says")
    assert said(loaded, "error") == ["Two systems are named 'A'; the second is left out. [A.en and a2.en]"]


def test_the_first_source_is_used() -> None:
    """A second copy of it is no second source."""
    src = text("src", "source", "quelle")
    again, other = replace(src, file="again"), replace(text("src2", "source", "autre"), file="other")
    loaded = assemble([text("ref", "reference"), text("A"), text("B"), src, again, other])
    assert loaded.testset is not None
    assert loaded.testset.sources == src.segments
    assert [one for one in said(loaded, "warning") if "role source" in one] == [
        "More than one file has the role source; src2 is not used. [other]"
    ]


def test_scores_need_no_source_and_no_reference() -> None:
    """Documents are used."""
    documents = Item("doc", "documents", "text", tuple(f"d{k // 4}" for k in range(N)), "d.txt", "")
    loaded = assemble([scores("A"), scores("B"), documents])
    assert loaded.testset is not None
    assert (loaded.testset.by_document, len(loaded.testset.documents)) == (DOCUMENT, N)
    questions = assemble([scores("A"), scores("B"), replace(documents, name=QUESTIONS)])
    assert questions.testset is not None
    assert questions.testset.by_document == QUESTION


def test_a_group_that_is_said_once_is_that_of_the_system() -> None:
    """Under another measure, too; the first one counts, and its own before all."""
    a, b = scores("A"), scores("B")
    other = [replace(a, measure="BLEU", group=group, file=group) for group in ("g1", "g2")]
    loaded = assemble([a, replace(b, group="h"), *other], measure="COMET")
    assert {one.system: one.group for one in loaded.outputs} == {"A": "g1", "B": "h"}


def test_the_name_that_is_given_is_the_name() -> None:
    """Else that of the files' test set, else a plain word."""
    items = [scores("A"), scores("B")]
    marked = [replace(one, testset="news") for one in items]
    names = [assemble(*args).testset for args in ((items, "mine"), (marked, "mine"), (marked,), (items,))]
    assert [one.name for one in names if one is not None] == ["mine", "mine", "news", "test set"]


def test_codes_for_missing_scores_stop_everything() -> None:
    """A test set is there, but nothing to compute with until somebody says what -999 means."""
    bleu = replace(scores("A"), measure="BLEU")
    coded = [replace(one, segments=("-999", "-999", *one.segments[2:])) for one in (bleu, replace(bleu, name="B"))]
    assert assemble(coded).ready is None
    assert assemble(coded, codes=["-999"], missing="drop").ready is not None
    assert assemble(coded).findings[0].what.startswith("2 cells of A")


def test_segments_are_called_as_in_the_reference() -> None:
    """Where the systems count from 0, and it counts from 1."""
    gold = replace(text("ref", "reference"), keys=tuple(str(k + 1) for k in range(N)))
    systems = [replace(text(name), keys=tuple(map(str, range(N)))) for name in "AB"]
    assert assemble([*systems, gold]).ids == gold.keys
