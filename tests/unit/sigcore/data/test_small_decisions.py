"""Texts by their nature, references in blocks, mean ratings, codes, directions, additions, plans and paths: each decision."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from sigcore.data import Collection, blocks, direction, mean_ratings, order, plan, sentinels
from sigcore.data.additions import refiled, without_known
from sigcore.data.assembly import assemble
from sigcore.data.checks import Finding
from sigcore.data.nature import are_labels, texts_of
from sigcore.data.paths import files_at
from sigcore.errors import OptionError, SigError
from sigcore.judgments import judgments
from sigcore.readers import Claim, Detected, Intake, Item, Notice
from sigcore.readers.contract import Limits
from sigcore.testset import Outputs, Testset
from sigcore.types import Direction, Role


def item(name: str, *segments: str, role: Role = "system", file: str = "", **more: object) -> Item:
    return Item(name, role, "text", segments, file or f"{name}.txt", "", **more)  # type: ignore[arg-type]


# ---- the nature of texts


@pytest.mark.parametrize(
    ("labels", "per_label", "odd", "are"),
    [(2, 5, 0, True), (2, 4, 0, False), (20, 5, 0, True), (21, 5, 0, False), (2, 10, 2, True), (2, 10, 3, False)],
)
def test_classes_come_again_and_outputs_are_among_them(labels: int, per_label: int, odd: int, are: bool) -> None:
    """Up to twenty, five segments for each, and nine tenths of every output."""
    gold = tuple(f"class {k}" for k in range(labels)) * per_label
    testset = Testset("t", "text", len(gold), (gold,))
    outputs = [Outputs("A", gold), Outputs("B", ("other",) * odd + gold[odd:])]
    assert are_labels(testset, outputs) is are


@pytest.mark.parametrize(("segments", "are"), [(99, False), (100, True)])
def test_twenty_classes_need_a_hundred_segments(segments: int, are: bool) -> None:
    """Five for each on average, although one of them may have fewer."""
    gold = tuple(f"class {k % 20}" for k in range(segments))
    testset = Testset("t", "text", segments, (gold,))
    assert are_labels(testset, [Outputs("A", gold)]) is are


@pytest.mark.parametrize(("words", "odd", "are"), [(12, 0, True), (13, 0, False), (12, 1, False), (3, 1, True)])
def test_described_classes_are_the_only_outputs(words: int, odd: int, are: bool) -> None:
    """BLEU of three described classes put one system before another with as many right ones; an output of other words is text."""
    gold = tuple(f"class {k % 3}" + " more" * (words - 2) for k in range(24))
    testset = Testset("t", "text", 24, (gold,))
    assert are_labels(testset, [Outputs("A", gold[::-1]), Outputs("B", ("other",) * odd + gold[odd:])]) is are


def nature(segments: tuple[str, ...], *systems: Item) -> tuple[str, str]:
    testset = Testset("t", "text", len(segments), (segments,))
    found = texts_of(testset, [Outputs(one.name, one.segments) for one in systems], systems)
    return found.kind, found.language


def test_short_answers_transcripts_and_languages() -> None:
    """The median answer has fewer than four words; all files are transcripts; Chinese has no blanks to count words by."""
    three = tuple(f"one two {k}" for k in range(9))
    four = tuple(f"one two three {k}" for k in range(9))
    a, b = item("A", *four), item("B", *four)
    assert nature(three, a, b) == ("answers", "")
    assert nature(four, a, b) == ("", "")
    assert nature((*three[:5], *four[5:]), a, b) == ("answers", "")
    trn = [replace(one, file=f"{one.name}.trn") for one in (a, b)]
    assert nature(four, *trn) == ("speech", "")
    assert nature(four, trn[0], b) == ("", "")
    kaldi = [replace(one, reader="utterances", keys=tuple(f"u{k}" for k in range(9))) for one in (a, b)]
    assert nature(four, *kaldi) == ("speech", "")
    assert nature(tuple(f"{one}." for one in four), *kaldi) == ("", "")  # a translation of speech
    assert nature(four, kaldi[0], b) == ("", "")
    assert nature(tuple(f"這是書{k}" for k in range(9)), a, b) == ("", "zh")


# ---- references in blocks


def test_a_block_of_lines_has_the_references_of_a_segment() -> None:
    """As many blocks as the outputs have lines; a shorter block has its first line again, and ids are gone."""
    gold = item("ref", "a", "b", "", "c", "", "", "d", "e", role="reference", keys=tuple("12345678"))
    findings: list[Finding] = []
    found = blocks.apart([gold, item("A", "x", "y", "z")], findings)
    assert [(one.name, one.segments, one.keys) for one in found[:2]] == [
        ("ref 1", ("a", "c", "d"), ()),
        ("ref 2", ("b", "c", "e"), ()),
    ]
    assert "ref has 3 blocks of up to 2 lines" in findings[0].what
    assert blocks.apart([gold, item("A", "x", "y")], []) == [gold, item("A", "x", "y")]
    both = [gold, item("A", "x", "y", "z"), item("B", "x", "y")]
    assert blocks.apart(both, []) == both


# ---- ratings as scores


def test_the_mean_rating_of_each_segment() -> None:
    """Without those for quality control; a segment without a rating has none, and each dimension is a measure."""
    columns = {
        "system": ["A", "A", "A", "B", "A"],
        "segment": ["1", "1", "2", "2", "1"],
        "score": [1.0, 2.0, 5.0, 7.0, 100.0],
        "kind": ["ordinary", "ordinary", "ordinary", "ordinary", "degraded"],
        "document": ["d", "d", "", "", "d"],
    }
    found = mean_ratings.as_scores([judgments("x", columns, absolute=False, file="x.csv")])
    assert [(one.name, one.measure, one.segments, one.keys) for one in found.items] == [
        ("A", "rating", ("1.5", "5.0"), ("1 of d", "2")),
        ("B", "rating", ("", "7.0"), ("1 of d", "2")),
    ]
    assert found.notices[0].message.startswith("4 ratings")
    two = mean_ratings.as_scores(
        [judgments("x", columns | {"dimension": ["tone"] * 4 + ["style"]}, absolute=False, file="x.csv")]
    )
    assert {one.measure for one in two.items} == {"tone"}
    assert {one.better for one in two.items} == {"higher"}


def test_a_segment_that_only_controls_have_is_none() -> None:
    """One system with controls lacked the ratings of eight segments, and was not said to be the only one."""
    columns = {
        "system": ["A", "A", "A"],
        "segment": ["0", "1", "2"],
        "score": [100.0, 2.0, 5.0],
        "kind": ["degraded", "ordinary", "ordinary"],
    }
    found = mean_ratings.as_scores([judgments("x", columns, absolute=False, file="x.csv")])
    assert [(one.segments, one.keys) for one in found.items] == [(("2.0", "5.0"), ("1", "2"))]


def test_ratings_of_different_segments_have_a_test_of_their_own() -> None:
    """The error said that there is none."""
    columns = {"system": ["A", "A", "B", "B"], "segment": ["1", "2", "3", "4"], "score": [1.0, 2.0, 5.0, 7.0]}
    own = mean_ratings.as_scores([judgments("x", columns, absolute=False, file="x.csv")]).items
    (told,) = (one for one in assemble(own).findings if one.severity == "error")
    assert "`sigboard human`" in told.fix
    (told,) = (one for one in assemble([replace(one, reader="t") for one in own]).findings if one.severity == "error")
    assert "independent samples" in told.fix


def test_systems_that_are_all_mean_ratings_are_people() -> None:
    """One output of a program among them is none, a reference beside them changes nothing."""
    columns = {"system": ["A", "B"], "segment": ["1", "1"], "score": [1.0, 2.0]}
    rated = mean_ratings.as_scores([judgments("x", columns, absolute=False, file="x.csv")]).items
    assert mean_ratings.are_all([*rated, item("ref", "a", role="reference")])
    assert not mean_ratings.are_all([*rated, item("C", "a")])
    assert not mean_ratings.are_all([item("C", "a")])


# ---- codes and directions


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ({0.5: 9, 11.0: 1, 99.0: 2}, ("99",)),  # nine times as large
        ({0.5: 9, 11.1: 1, 99.0: 2}, ()),
        ({0.5: 9, 99.0: 1}, ()),  # once
        ({0.0: 5, 1.0: 5, -1.0: 3}, ("-1",)),
        ({0.0: 5, 1.0: 4, -1.0: 3}, ("-1",)),  # a quarter
        ({0.0: 4, 1.0: 4, -1.0: 3}, ()),  # more are a third outcome
        ({1.0: 8, -1.0: 2}, ()),  # wrong and right
        ({0.5: 8, -1.0: 2, -0.5: 1}, ()),
    ],
)
def test_numbers_that_look_like_codes(values: dict[float, int], codes: tuple[str, ...]) -> None:
    """Twice or more, outside of all other scores, and no third outcome."""
    found = sentinels.suspect("BLEU", {"A": Counter(values)})
    assert (found.codes if found else ()) == codes
    if found:
        assert (found.low, found.high) == (min(v for v in values if v >= 0), max(v for v in values if v < 99))


def test_the_cells_of_a_system_with_two_files_are_added() -> None:
    """The systems are named with their numbers of cells."""
    cells = ("-999", "-999", "0.5", "0.25")
    files = [Item("A", "system", "scores", cells, f"{k}.txt", "", measure="BLEU") for k in range(2)]
    found = sentinels.asked(files, "scores", (), [])[1]
    assert found is not None
    assert found.cells == {"A": 4}
    with pytest.raises(OptionError, match="none was given with others"):
        sentinels.read_codes(["none", "-1"])


def test_a_code_is_the_first_finding() -> None:
    """Whatever was found before; with codes that are given there is none."""
    cells = ("-999", "-999", "0.5", "0.25")
    items = [Item("A", "system", "scores", cells, "a.txt", "", measure="BLEU")]
    findings = [Finding("note", "before")]
    assert sentinels.asked(items, "scores", (), findings)[1] is not None
    assert [one.severity for one in findings] == ["error", "note"]
    kept, suspect = sentinels.asked(items, "scores", ("-999",), [])
    assert (kept[0].segments, suspect) == (("", "", "0.5", "0.25"), None)


def test_ratings_without_their_codes() -> None:
    """Those that are left; nothing else is left out, and somebody has to say what looks like a code."""
    columns = {"system": ["A"] * 4 + ["B"] * 2, "segment": [*"123412"], "score": [1.0, 2.0, -1.0, -1.0, 3.0, 3.0]}
    people = judgments("x", columns, absolute=False)
    assert sentinels.rated(people, ["-1"]).score.tolist() == [1.0, 2.0, 3.0, 3.0]
    assert sentinels.rated(people, ["none"]) is people
    with pytest.raises(SigError, match="2 cells of A hold -1"):
        sentinels.rated(people, [])


@pytest.mark.parametrize(
    ("measure", "values", "better", "why", "severity"),
    [
        ("TER", (1.0, 2.0), "lower", "known", "note"),
        ("TER", (-1.0, -2.0, 0.0), "higher", "known", "warning"),  # stored negated
        ("TER", (1.0, -2.0), "lower", "known", "error"),
        ("BLEU", (1.0, -2.0), "higher", "known", ""),
        ("alpha", (1.0,), "higher", "assumed", "warning"),
    ],
)
def test_the_direction_by_name_and_sign(
    measure: str, values: tuple[float, ...], better: str, why: str, severity: str
) -> None:
    """Errors that are all negative are better when they are higher."""
    found, finding = direction.of_numbers(measure, values)
    assert (found.better, found.why, finding.severity if finding else "") == (better, why, severity)


def test_the_option_for_a_direction() -> None:
    """Automatic where the name says it; negated where the numbers turn it."""
    options = [direction.option_of(Direction(*one), measure) for one, measure in (
        (("lower", "known"), "TER"), (("higher", "known"), "TER"), (("higher", "stated"), "TER"), (("lower", "stated"), "BLEU"),
    )]  # fmt: skip
    assert options == ["automatic", "negated", "higher", "lower"]


def test_two_directions_are_an_error() -> None:
    """Both sides are named."""
    items = [
        Item(name, "system", "scores", ("1", "2"), f"{name}.txt", "", better=better)
        for name, better in (("A", "lower"), ("B", "higher"))
    ]  # type: ignore[arg-type]
    findings: list[Finding] = []
    assert direction.agreed_direction(items, findings) == Direction("higher", "stated")
    assert findings[0].what == "Of A lower scores are better, but of B higher ones."


# ---- additions, plans, paths


def test_files_of_a_known_name_get_a_number() -> None:
    """From 2 on, the next that is free; all that was read of them has the new name."""
    intake = Intake(
        items=(item("A", "x", file="a.txt"), item("B", "y", file="a (3).txt")),
        notices=(Notice("a.txt", "said"),),
        detected=(Detected("a.txt", "plain", {}, b"", ""),),
        claims=(Claim("a.txt", "A", "system", "why", "heading"),),
    )
    found = refiled(intake, ["a.txt"], ["a.txt"])
    number = found.items[0].file
    assert number != "a.txt"
    assert "2" in number
    assert {one[0].file for one in (found.notices, found.detected, found.claims)} == {number}
    taken = refiled(intake, ["a.txt", number], ["a.txt"])
    assert "4" in taken.items[0].file or "3" in taken.items[0].file
    assert taken.items[0].file not in ("a.txt", number, "a (3).txt")


def test_a_copy_under_another_name_is_a_file_of_its_own() -> None:
    """The same file again is none."""
    known = [item("A", "x", file="a.txt")]
    again = without_known(Intake(items=(item("A", "x", file="a.txt"), item("A", "x", file="b.txt"))), known)
    assert [one.file for one in again.items] == ["b.txt"]


def test_what_a_file_is_taken_for() -> None:
    """A reference of numbers is none of the scores; only scores and systems have a direction."""
    files = {"One.ter.txt": "1.5\n2.5\n", "ref.txt": "3\n4\n"}
    collection = Collection()
    collection.add([(name, text.encode()) for name, text in files.items()])
    roles = {claim.file: (claim.role, claim.basis) for claim in plan.claims(collection)}
    assert roles == {"One.ter.txt": ("score", "layout"), "ref.txt": ("reference", "layout")}
    given = Collection()
    given.add([("One.ter.txt", b"1.5\n2.5\n")], roles=[("One.ter.txt", "system")])
    assert [(claim.basis, claim.reason) for claim in plan.claims(given)] == [("said", "as you said")]


def test_hidden_files_of_a_folder_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to the limit of files, which itself is allowed."""
    for name in ("a.txt", "b.txt", ".hidden"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    assert [name for name, _ in files_at(str(tmp_path), "in")] == ["in/a.txt", "in/b.txt"]
    monkeypatch.setattr(Limits, "members", 2)
    assert len(files_at(str(tmp_path), "in")) == 2
    monkeypatch.setattr(Limits, "members", 1)
    with pytest.raises(SigError, match="contains 2 files; the limit is 1"):
        files_at(str(tmp_path), "in")


# ---- the order of lines


@pytest.mark.parametrize(
    ("known", "misplaced", "n", "fit", "share"),
    [
        (50, 5, 1000, 1.0, 0.1),
        (49, 5, 1000, 1.0, 0.0),  # too few say anything
        (8, 4, 16, 1.0, 0.5),  # of few lines half, of which half fit another
        (8, 3, 16, 1.0, 0.0),
        (8, 4, 17, 1.0, 0.0),
        (7, 7, 8, 1.0, 0.0),
        (50, 5, 1000, 0.3, 0.0),  # free text meets other lines by chance
    ],
)
def test_how_many_lines_must_say_where_they_belong(
    known: int, misplaced: int, n: int, fit: float, share: float
) -> None:
    """Fifty, or half of all where there are few."""
    found = order.Order(known, tuple((k, k + 1) for k in range(misplaced)), n, fit)
    assert found.share == share


@pytest.mark.parametrize(
    ("able", "right", "fit", "unrelated"),
    [(16, 1, 0.2, True), (15, 1, 0.2, False), (20, 2, 0.2, False), (16, 1, 0.4, False)],
)
def test_another_test_set(able: int, right: int, fit: float, unrelated: bool) -> None:
    """Sixteen lines with rare words, fewer than a tenth of which fit their own reference."""
    assert order.Order(right, (), 40, fit, able).unrelated is unrelated


@pytest.mark.parametrize(
    ("misplaced", "described"),
    [
        ([(k, k - 1) for k in range(10, 20)], "from line 11 to 20 they are 1 line late"),
        ([(k, k + 2) for k in range(10, 20)], "from line 11 to 20 they are 2 lines early"),
        ([(k, 99 - k) for k in range(100)], "they are in reverse order"),
        ([(k, (k * 37) % 100) for k in range(5, 95)], "they are in another order"),
        ([(k, (k * 37) % 100) for k in range(5, 94)], "from line 6 to 94 they are in another order"),
        ([(k, k - 1) for k in (1, 2, 52, 53, 54)], "from line 2 to 55 they are 1 line late"),
        ([(k, k - 1) for k in (1, 2, 53, 54, 55)], "from line 54 to 56 they are 1 line late"),
    ],
)
def test_the_other_order_in_words(misplaced: list[tuple[int, int]], described: str) -> None:
    """One shift of most lines; a stretch of nine tenths of all is called all, and fifty lines in order end one."""
    assert order.Order(100, tuple(misplaced), 100).described == described


@pytest.mark.parametrize(("n", "most"), [(4, 1), (20, 4), (50, 10), (100, 10)])
def test_rare_words_are_in_few_lines(n: int, most: int) -> None:
    """Ten at most, and no more than a fifth of all; in a very short text in one."""
    lines = [f"{'ferry' if k < most else ''} {'river' if k <= most else ''} line{k:04d}" for k in range(n)]
    found = order.index([lines])
    assert found["ferry"] == list(range(most))
    assert "river" not in found


def test_three_systems_are_named_and_the_others_counted() -> None:
    """In the sentence on a code."""
    found = sentinels.Sentinel(("-1",), dict.fromkeys("ABCDE", 2), 0.0, 1.0)
    assert found.what.startswith("2 cells of A, 2 cells of B, 2 cells of C, 2 more systems hold -1.")
    assert sentinels.Sentinel(("-1",), {"A": 1}, 0.0, 1.0).what.startswith("1 cell of A holds -1.")
