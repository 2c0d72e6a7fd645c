"""Drawings of trees and links: every pixel of small ones by hand, what is too large for one, and the parts at their ends."""

from __future__ import annotations

import re

import pytest

from sigcore.studies.segments import structures
from sigcore.studies.segments.structures import Drawing


def drawn(kind: str, own: str, gold: str | None = None, other: str | None = None) -> Drawing:
    gold = own if gold is None else gold
    found = structures.drawing(kind, own, own if other is None else other, gold)  # type: ignore[arg-type]
    assert found is not None
    return found


def texts_of(drawing: Drawing) -> list[tuple[str, int, int]]:
    return [(shape.text, shape.x, shape.y) for shape in drawing.shapes if shape.name == "text"]


def paths_of(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if shape.name == "path"]


def pieces(kind: str, own: str, gold: str, other: str | None = None) -> list[tuple[str, str]]:
    found = structures.compared(kind, (own, own if other is None else other), gold)  # type: ignore[arg-type]
    return [(piece.kind, piece.text) for piece in found.system]


def words(*heads: int, label: str = "x") -> str:
    """A dependency tree of words "w" with these heads."""
    return "\n".join(f"w\tX\t{head}\t{label}" for head in heads)


# ---- dependency trees


def test_a_dependency_tree_by_hand() -> None:
    """A word is as wide as the longer of form and label, seven pixels a letter, and 18 more; arcs of one step are 15 high."""
    drawing = drawn("trees", "a\tX\t2\tdet\ndog\tX\t3\tnsubj\nruns\tX\t0\troot")
    wide = [7 * 3 + 18, 7 * 5 + 18, 7 * 4 + 18]
    first, second, third = wide[0] // 2, wide[0] + wide[1] // 2, wide[0] + wide[1] + wide[2] // 2
    line, foot = 15 + 15 + 14, 15 + 15  # two steps and a line of text; where arcs end
    assert (drawing.width, drawing.height) == (sum(wide), line + 7)
    assert paths_of(drawing) == [
        f"M{second - 4} {foot}V15H{first}V{foot}",
        f"M{third - 4} {foot}V15H{second}V{foot}",
        f"M{third} 15V{foot}",
    ]
    assert texts_of(drawing) == [
        ("det", (second - 4 + first) // 2, 12), ("a", first, line), ("nsubj", (third - 4 + second) // 2, 12), ("dog", second, line),
        ("root", third, 12), ("runs", third, line),
    ]  # fmt: skip


def test_an_arc_to_the_right_begins_right_of_its_head() -> None:
    """Short words are 14 wide; letters of Chinese count twice."""
    drawing = drawn("trees", words(0, 1))
    assert paths_of(drawing)[1] == f"M{16 + 4} 30V15H{32 + 16}V30"
    assert drawing.width == 2 * 32
    assert drawn("trees", "\u6c34\u6c34\tX\t0\tx").width == 7 * 4 + 18
    assert drawn("trees", "ab\tX\t0\tx").width == 7 * 2 + 18
    assert drawn("trees", "abc\tX\t0\tx").width == 7 * 3 + 18


@pytest.mark.parametrize(("distance", "steps"), [(1, 1), (2, 2), (13, 13), (14, 14), (15, 14), (30, 14)])
def test_an_arc_is_as_high_as_its_words_are_apart(distance: int, steps: int) -> None:
    """Up to fourteen steps, in both directions."""
    for heads in ((0, *[1] * (distance - 1), 1), (distance + 1, *[distance + 1] * (distance - 1), 0)):
        drawing = drawn("trees", words(*heads))
        assert drawing.height == 15 * (steps + 1) + 14 + 7


@pytest.mark.parametrize(("head", "is_arc"), [(0, False), (1, True), (3, True), (4, False)])
def test_an_arc_needs_a_head_among_the_words(head: int, is_arc: bool) -> None:
    """A head beyond the last word has a line as the root has; the piece then names its number."""
    tree = words(2, head, 2)
    assert ("H" in paths_of(drawn("trees", tree))[1]) is is_arc
    name = {0: "root", 4: "4"}.get(head, "w")
    assert pieces("trees", tree, tree)[1] == ("match", f" w(x: {name})")


@pytest.mark.parametrize(("number", "is_drawn"), [(0, False), (1, True), (80, True), (81, False)])
def test_trees_of_up_to_eighty_words_are_drawn(number: int, is_drawn: bool) -> None:
    tree = words(*[0] * number)
    assert (structures.drawing("trees", tree, tree, tree) is not None) is is_drawn
    leaves = " ".join(["(D w)"] * number)
    brackets = f"(S {leaves})"
    assert (structures.drawing("brackets", brackets, brackets, brackets) is not None) is is_drawn


def test_words_beyond_the_gold_ones_are_wrong() -> None:
    """And those beyond the other output are right in this one alone."""
    assert [kind for kind, _ in pieces("trees", words(0, 1, 1), words(0, 1))] == ["match", "match", "insertion"]
    assert [kind for kind, _ in pieces("trees", words(0, 1), words(0, 1), words(0))] == ["match", "own"]


def test_a_label_is_compared_without_its_subtype() -> None:
    """A head that is no number is none."""
    assert pieces("trees", "a\tX\t0\tobj:x", "a\tX\t0\tobj:y") == [("match", "a(obj:x: root)")]
    assert pieces("trees", "a\tX\t0\tobj:x", "a\tX\t0\tx:x") == [("insertion", "a(obj:x: root)")]
    assert pieces("trees", "a\tX\t_\tx", "a\tX\t1\tx") == [("insertion", "a(x: root)")]


# ---- links


def test_links_by_hand() -> None:
    """Cells of sixteen pixels with one at each side: a column for each word of the target, a row for each of the source."""
    drawing = drawn("alignments", "0-0 2-1", "0-0 1-1")
    assert (drawing.width, drawing.height) == (16 * 3, 16 * 4)
    assert texts_of(drawing) == [("0", 24, 14), ("1", 40, 14), ("0", 8, 28), ("1", 8, 44), ("2", 8, 60)]
    cells = [shape for shape in drawing.shapes if shape.name == "rect"]
    assert [(cell.kind, cell.x, cell.y) for cell in cells] == [
        ("match", 17, 17),
        ("deletion", 33, 33),
        ("insertion", 33, 49),
    ]
    assert {(cell.width, cell.height) for cell in cells} == {(14, 14)}


@pytest.mark.parametrize(
    ("link", "is_drawn"),
    [("0-0", True), ("59-0", True), ("0-59", True), ("59-59", True), ("60-0", False), ("0-60", False)],
)
def test_links_of_up_to_sixty_words_are_drawn(link: str, is_drawn: bool) -> None:
    assert (structures.drawing("alignments", link, link, link) is not None) is is_drawn


def test_links_are_in_the_order_of_their_words() -> None:
    """By number, not by letters; possible links are right, and none is missing."""
    assert pieces("alignments", "10-2 2-10 2-9", "0p0 2p9 10-2 11-0") == [
        ("match", "2-9"), ("insertion", " 2-10"), ("match", " 10-2"), ("deletion", " 11-0"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("own", "gold", "is_drawn"), [("", "", False), ("", "0p0", False), ("", "0-0", True), ("0-0", "", True)]
)
def test_without_any_link_there_is_no_drawing(own: str, gold: str, is_drawn: bool) -> None:
    assert (structures.drawing("alignments", own, own, gold) is not None) is is_drawn


# ---- constituents


def test_constituents_by_hand() -> None:
    """A level is 28 pixels; a word is as wide as the longest of it and the labels that begin with it."""
    drawing = drawn("brackets", "(S (NP (D a) (NN bb)) (V c))")
    # brackets before a word are counted as they are written: "(NP" is as wide as three letters
    wide = [max(7 * 3, 14) + 18, max(7 * 3, 14) + 18, max(7 * 2, 14) + 18]
    first, second, third = wide[0] // 2, wide[0] + wide[1] // 2, wide[0] + wide[1] + wide[2] // 2
    line = 14 + 28 * 3
    phrase = (first + second) // 2
    places = {text: (x, y) for text, x, y in texts_of(drawing)}
    assert places == {
        "a": (first, line), "bb": (second, line), "c": (third, line), "D": (first, line - 28), "NN": (second, line - 28),
        "V": (third, line - 28), "NP": (phrase, line - 56), "S": ((phrase + third) // 2, line - 84),
    }  # fmt: skip
    top = (phrase + third) // 2
    assert set(paths_of(drawing)) == {
        f"M{top} {line - 84 + 3}V{line - 84 + 7}H{phrase}V{line - 56 - 14 + 2}",
        f"M{top} {line - 84 + 3}V{line - 84 + 7}H{third}V{line - 28 - 14 + 2}",
        f"M{phrase} {line - 56 + 3}V{line - 56 + 7}H{first}V{line - 28 - 14 + 2}",
        f"M{phrase} {line - 56 + 3}V{line - 56 + 7}H{second}V{line - 28 - 14 + 2}",
        f"M{first} {line - 28 + 3}V{line - 28 + 7}H{first}V{line - 14 + 2}",
        f"M{second} {line - 28 + 3}V{line - 28 + 7}H{second}V{line - 14 + 2}",
        f"M{third} {line - 28 + 3}V{line - 28 + 7}H{third}V{line - 14 + 2}",
    }
    assert (drawing.width, drawing.height) == (sum(wide), line + 7)


def test_missing_constituents_are_lines_below_their_words() -> None:
    """One below the other, from the first to the last word of each, without the blank around them."""
    drawing = drawn("brackets", "(S (D a) (N b) (V c))", "(S (NP (D a) (N b)) (VP (V c)))")
    line = 14 + 28 * 2
    edges = [0, 32, 64, 96]
    marks = [shape for shape in drawing.shapes if shape.kind == "deletion"]
    assert [shape.text for shape in marks] == [
        f"M{edges[0] + 9} {line + 14 - 14 + 6}H{edges[2] - 9}", "NP", f"M{edges[2] + 9} {line + 28 - 14 + 6}H{edges[3] - 9}", "VP",
    ]  # fmt: skip
    assert [(shape.x, shape.y) for shape in marks if shape.name == "text"] == [
        ((edges[0] + edges[2]) // 2, line + 14 + 2),
        ((edges[2] + edges[3]) // 2, line + 28 + 2),
    ]
    assert drawing.height == line + 2 * 14 + 7


def test_missing_constituents_beyond_the_words_end_at_the_last() -> None:
    """An output with fewer words than the gold tree."""
    drawing = drawn("brackets", "(S (D a))", "(S (D a) (VP (V b) (N c)))")
    paths = [shape.text for shape in drawing.shapes if shape.kind == "deletion" and shape.name == "path"]
    assert paths
    assert all([int(number) for number in re.findall(r"\d+", path)][::2] == [9, 32 - 9] for path in paths)


@pytest.mark.parametrize(("levels", "is_drawn"), [(2, True), (30, True), (31, False)])
def test_trees_of_up_to_thirty_levels_are_drawn(levels: int, is_drawn: bool) -> None:
    tree = "(A " * (levels - 1) + "(D a)" + ")" * (levels - 1)
    found = structures.drawing("brackets", tree, tree, tree)
    assert (found is not None) is is_drawn
    if found is not None:
        assert found.height == 14 + 28 * levels + 7


@pytest.mark.parametrize(
    ("own", "gold", "wrong"),
    [
        ("(S (NP-SBJ (D a)))", "(S (NP=2 (D a)))", 0),
        ("(S (NP (D a)))", "(S (VP (D a)))", 1),
        ("(S (PRT (D a)))", "(S (ADVP (D a)))", 0),
        ("(TOP (S (D a)))", "(S (D a))", 0),
        ("(S (X (, ,)) (D a))", "(S (D a) (. .))", 0),
        ("(S (X (-NONE- *)) (D a))", "(S (D a))", 0),
        ("(S (X) (D a))", "(S (D a))", 0),
        ("(S (D a) (X (N b)))", "(S (D a) (N b) (X (V c)))", 2),
        ("(S (X (D a)) (X (D a)))", "(S (X (D a)) (D a))", 1),
    ],
)
def test_constituents_are_the_same_by_label_and_words(own: str, gold: str, wrong: int) -> None:
    """Functions, punctuation, traces and TOP do not count, PRT is ADVP, and one gold constituent makes one right."""
    assert sum(kind == "insertion" for kind, _ in pieces("brackets", own, gold)) == wrong


def test_a_tree_is_written_as_it_is_with_what_is_missing_at_its_end() -> None:
    """Words and constituents in order; a bracket that closes none is kept, and draws nothing."""
    tree = "(S (D a) (N b) (V c))"
    found = pieces("brackets", tree, "(S (NP (D a) (N b)) (V c))")
    assert "".join(text for _, text in found) == f"{tree} (NP 1-2)"
    assert found[-1] == ("deletion", " (NP 1-2)")
    beside = pieces("brackets", tree, tree, "(X (D a) (N b) (V c))")
    assert [kind for kind, _ in beside] == ["own", *["match"] * (len(beside) - 1)]
    assert len(drawn("brackets", f"){tree})").shapes) == len(drawn("brackets", tree).shapes)


@pytest.mark.parametrize("trees", ["(S (NP (D a))) (X b)", "(X b) (S (NP (D a)))"])
def test_the_highest_of_several_trees_decides(trees: str) -> None:
    assert drawn("brackets", trees).height == 14 + 28 * 3 + 7
    assert structures.drawing("brackets", "a b", "a b", "a b") == structures.drawing("brackets", "a b", "a b", "(S)")


@pytest.mark.parametrize(("inner", "gold"), [("", "(S (D a))"), ("w", "(S (D a) (Y b))")])
def test_a_bracket_with_one_word_is_no_constituent(inner: str, gold: str) -> None:
    """Nor an empty one: only a bracket around a bracket is."""
    assert {kind for kind, _ in pieces("brackets", f"(S (D a) (X {inner}))", gold)} == {"match"}
    assert "insertion" in {kind for kind, _ in pieces("brackets", "(S (D a) (X (X b)))", "(S (D a) (Y b))")}


# ---- rankings and entities


@pytest.mark.parametrize("number", [9, 10, 11])
def test_ten_documents_of_a_ranking_are_shown(number: int) -> None:
    """And at most as many relevant ones that are missing; one that is judged 0 is neither right nor missing."""
    own = "\n".join(f"a{k}" for k in range(number))
    gold = "\n".join([*(f"a{k}\t1" for k in range(number)), *(f"b{k}\t2" for k in range(number)), "c\t0"])
    found = pieces("rankings", own, gold)
    shown = min(number, 10)
    assert [kind for kind, _ in found] == ["match"] * shown + ["deletion"] * min(number - shown + number, 10)
    assert pieces("rankings", "c", "c\t\nd\t1\ne\t0") == [("insertion", "c (0)"), ("deletion", " d (1)")]
    assert pieces("rankings", "x", "c\t0") == [("insertion", "x (-)")]
    assert pieces("rankings", "c\nd", "c\t0\nd\t1") == [("insertion", "c (0)"), ("match", " d (1)")]
    beside = pieces("rankings", own, own.replace("\n", "\t1\n") + "\t1", f"z\n{own}")
    assert beside[shown - 1] == ("match" if number < 10 else "own", f" a{shown - 1} (1)")


def test_entities_are_in_the_order_of_their_places() -> None:
    """Of those with one place by the whole line; words from the first up to the last, or letters."""
    letters = "abc def\n4:7\tX\n0:3\tX"
    assert [text for _, text in pieces("spans", letters, letters)] == ["abc def", " [abc: X]", " [def: X]"]
    text = "\t".join("abcdefghijkl")
    own, gold = f"{text}\n10-11\tX\n2-4\tY\n2-3\tZ", f"{text}\n2-3\tA\n2-4\tY"
    assert pieces("spans", own, gold) == [
        ("match", "a b c d e f g h i j k l"), ("deletion", " [c: A]"), ("insertion", " [c: Z]"), ("match", " [c d: Y]"),
        ("insertion", " [k: X]"),
    ]  # fmt: skip
