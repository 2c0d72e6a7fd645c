"""Which items are selected: the length that most files have, test sets, kinds, measures, and names that look like runs."""

from __future__ import annotations

import pytest

from sigcore.data import select
from sigcore.data.checks import Finding
from sigcore.errors import OptionError, UnknownMember
from sigcore.readers import Item
from sigcore.types import Kind, Role


def item(
    name: str,
    n: int = 4,
    role: Role = "system",
    kind: Kind = "text",
    testset: str = "",
    measure: str = "",
    reader: str = "",
    end: str = "z",
) -> Item:
    segments = (*(f"{name} {k}" for k in range(n - 1)), end)
    return Item(name, role, kind, segments, f"{name}.txt", "", testset=testset, measure=measure, reader=reader)


# ---- lengths


@pytest.mark.parametrize(
    ("files", "blank_end", "n", "by"),
    [
        ((item("A", 4), item("B", 4), item("ref", 5, "reference")), True, 4, "A"),  # most files
        ((item("A", 4), item("ref", 5, "reference")), True, 5, "ref"),  # the reference
        ((item("A", 5), item("ref", 4, "reference")), True, 4, "ref"),
        ((item("A", 4), item("B", 5)), True, 5, "B"),  # the longer one: files are cut rather than added to
        ((item("A", 5, end=""), item("B", 4), item("C", 4)), True, 4, "A"),  # without its empty last line
        ((item("A", 5, end=""), item("B", 5, end="")), True, 5, "A"),  # a last segment may be blank
        ((item("A", 5, end=""), item("B", 5, end="")), False, 4, "A"),  # but no score is
        (
            (item("A", 5, end="", reader="csv"), item("B", 5, end="", reader="csv")),
            False,
            5,
            "A",
        ),  # a row is no accident
        ((item("A", 5, end="", reader="csv"), item("B", 4), item("C", 4)), True, 4, "B"),
        ((item("A", 4), item("doc", 9, "documents"), item("dom", 9, "domains")), True, 4, "A"),
        ((item("doc", 9, "documents"),), True, 0, ""),
    ],
)
def test_the_length_that_files_agree_on(files: tuple[Item, ...], blank_end: bool, n: int, by: str) -> None:
    """Most files; then the fewest dropped lines, the reference, the longer one. The file with it is named."""
    assert select.agreed_length(files, blank_end) == (n, by)


def test_one_empty_last_line_is_dropped_and_said() -> None:
    """Of a file of lines; other lengths are reported with both counts."""
    findings: list[Finding] = []
    files = [item("A", 4), item("B", 5, end=""), item("C", 5), item("D", 5, end="", reader="csv"), item("E", 3)]
    kept = select.of_length(files, 4, "A", findings)
    assert [(one.name, len(one.segments)) for one in kept] == [("A", 4), ("B", 4)]
    assert [one.severity for one in findings] == ["note", "error", "error", "error"]
    assert findings[0].where == "B.txt, line 5"
    assert "C has 5 lines, A has 4." in findings[1].what


# ---- test sets, kinds, measures


def test_the_largest_test_set_comes_first() -> None:
    """By its systems, then by name; documents alone make none."""
    items = [
        item("A", testset="b"),
        item("B", testset="c"),
        item("C", testset="c"),
        item("r", role="reference", testset="b"),
    ]
    items += [item("D", testset="a"), item("doc", role="documents", testset="zz")]
    assert select.choices(items).testsets == ("c", "a", "b")


@pytest.mark.parametrize(
    ("items", "kinds"),
    [
        ([item("A"), item("B", kind="scores"), item("C", kind="scores")], ("scores", "text")),
        ([item("A"), item("r", role="reference"), item("B", kind="scores"), item("C", kind="scores")], ("text", "scores")),
        ([item("A"), item("B"), item("C", kind="scores")], ("scores", "text")),  # text needs a reference
        ([item("A", kind="trees"), item("B"), item("C"), item("r", role="reference", kind="brackets")], ("text", "trees")),
        ([item("A", kind="trees"), item("B", kind="trees"), item("C"), item("r", role="reference", kind="brackets")], ("trees", "text")),
        ([item("A", kind="scores", measure="COMET"), Item("A", "system", "text", ("x",) * 4, "A.txt", ""), item("r", role="reference")],
         ("scores", "text")),  # the file was written for its scores
    ],
)  # fmt: skip
def test_the_kind_that_was_meant_comes_first(items: list[Item], kinds: tuple[str, ...]) -> None:
    """One with a reference, else scores, else the most frequent."""
    assert select.choices(items).kinds == kinds


def test_others_are_named_with_the_option_that_selects_them() -> None:
    """The first measure is used where none is said; files of another kind are set aside."""
    findings: list[Finding] = []
    items = [item(name, kind="scores", measure=measure) for measure in ("COMET", "my BLEU") for name in "AB"]
    found = select.selected([*items, item("T")], "scores", "", "", findings)
    assert {one.measure for one in found.items} == {"COMET"}
    aside, measures = findings
    assert aside.what == "Scores and text are separate test sets; 1 file of text set aside."
    assert measures.what == "The scores are of 2 measures; this is COMET."
    assert measures.fix == "Select another to see it: --measure 'my BLEU' in the terminal."
    other = select.selected(items, "scores", "", "my BLEU", [])
    assert {one.measure for one in other.items} == {"my BLEU"}


def test_a_name_may_be_the_last_part_of_one_that_is_known() -> None:
    """Of one only; nothing is used in the place of another name."""
    assert select.known("measure", "f1", ["metrics.f1", "metrics.acc"]) == "metrics.f1"
    assert select.known("measure", "f1", ["f1", "metrics.f1"]) == "f1"
    assert select.known("measure", "", ["f1"]) == ""
    for names in (["metrics.f1", "other.f1"], ["metrics.f10"], ["xf1"]):
        with pytest.raises(UnknownMember):
            select.known("measure", "f1", names)


# ---- runs


@pytest.mark.parametrize(
    ("names", "pattern", "general"),
    [
        (["A.seed1", "A.seed2", "B.seed1"], "A.seed{run}", "{system}.seed{run}"),
        (["A-run1.detok", "A-run2.detok"], "A-run{run}.detok", "{system}-run{run}.detok"),
        (["seed1-A", "seed2-A"], "seed{run}-A", "seed{run}-{system}"),
        (["A_s1", "A_s2"], "A_s{run}", "{system}_s{run}"),
        (["seed1-A.run7", "seed2-A.run7"], "seed{run}-A.run7", "seed{run}-{system}"),
    ],
)
def test_names_that_look_like_runs(names: list[str], pattern: str, general: str) -> None:
    """Two or more of one system; the pattern of it gives that of all."""
    assert [*select.like_runs(names)] == [pattern]
    assert select.pattern_of(pattern) == general


def test_other_names_are_no_runs() -> None:
    """One name alone, versions, and words that end so."""
    assert select.like_runs(["A.seed1", "B.seed2", "A.v1", "A.v2", "steps1", "steps2"]) == {}


def test_the_first_pattern_that_fits_a_name_counts() -> None:
    """A name that fits none is a system with one run; a pattern that no name fits is refused."""
    names = ["A.seed1", "A.seed2", "B.r1", "C"]
    patterns = ["{system}.seed{run}", "{system}.{run}"]
    assert select.by_pattern(names, patterns) == {"A": ["A.seed1", "A.seed2"], "B": ["B.r1"], "C": ["C"]}
    assert select.by_pattern(names[:2], "{system}seed{run}") == {"A.": ["A.seed1", "A.seed2"]}
    ordered = ["A.x.1", "A.x.2"]
    assert [*select.by_pattern(ordered, ["{system}.x.{run}"])] == ["A"]
    with pytest.raises(OptionError, match="No name of a system fits"):
        select.by_pattern(names, [*patterns, "{system}-{run}"])
    with pytest.raises(OptionError, match="is not a pattern for runs"):
        select.by_pattern(names, "{system}.seed")


def test_without_a_choice_the_kind_that_was_meant_is_selected() -> None:
    """Not that of the first file."""
    items = [item("T", kind="trees"), item("A"), item("B"), item("r", role="reference")]
    assert select.selected(items, "", "", "", []).kind == "text"
    assert select.selected([item("r", role="reference", kind="trees")], "", "", "", []).kind == "trees"


@pytest.mark.parametrize(
    ("names", "shared"),
    [
        (["A_s13", "A_s21", "B_s13", "B_s21"], True),
        (["seed1-A", "seed2-A", "seed1-B", "seed2-B", "C"], True),
        (["A.run1.txt", "A.run2.txt", "B.run2.txt", "B.run1.txt"], True),
        (["A.seed1", "A.seed2", "A.seed3", "B.seed0", "B.seed1", "B.seed2"], True),  # two of them are enough
        (["A_s13", "A_s21", "B_s13", "B_s22"], False),  # the same run twice says no more than a version
        (["A_s13", "A_s21", "B"], False),
        (["A_1", "A_2", "B_1", "B_2"], False),  # bare numbers may be sizes
        (["A-7b", "A-13b", "B-7b", "B-13b"], False),
        ([], False),
    ],
)
def test_systems_that_share_runs(names: list[str], shared: bool) -> None:
    """Two systems with the same two runs or more are no rivals; versions of one, and numbers without a word, may be."""
    assert select.share_runs(names) is shared
