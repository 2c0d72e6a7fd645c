"""The data checks one by one: each bound, one step to either side, and what each finding names."""

from __future__ import annotations

import pytest

from sigcore.data import checks, nature
from sigcore.data.checks import Check, Checked, writing
from sigcore.readers import Item
from sigcore.testset import Outputs
from sigcore.types import Kind, Role

N = 40


def made(name: str, segments: tuple[str, ...], role: Role = "system", kind: Kind = "text") -> Item:
    return Item(name, role, kind, segments, f"{name}.txt", "")


def found(check: Check, systems: dict[str, tuple[str, ...]], *gold: Item, kind: Kind = "text") -> list[str]:
    """SEVERITY WHAT [WHERE] of each finding."""
    items = [made(name, segments, kind=kind) for name, segments in systems.items()]
    n = len(items[0].segments) if items else len(gold[0].segments)
    outputs = [Outputs(one.name, one.segments) for one in items]
    checked = Checked(kind, n, items, outputs, gold, [*items, *gold])
    return [f"{one.severity} {one.what} [{one.where}]" for one in check(checked)]


def lines(n: int, text: str = "line {} of many") -> tuple[str, ...]:
    return tuple(text.format(k) for k in range(n))


def ref(segments: tuple[str, ...], name: str = "ref") -> Item:
    return made(name, segments, "reference")


# ---- test sets of every kind


@pytest.mark.parametrize(("n", "few"), [(29, True), (30, False), (1, True)])
def test_fewer_than_thirty_segments_are_few(n: int, few: bool) -> None:
    """Said once, and not where there is no system."""
    messages = found(checks.numbers, {"A": lines(n), "B": lines(n)})
    assert any("too few to find any but large differences" in one for one in messages) is few
    assert found(checks.numbers, {}, ref(lines(n))) == ["error There is no system to score. []"]
    assert "warning There is only one system, and nothing to compare it with. []" in found(
        checks.numbers, {"A": lines(n)}
    )


@pytest.mark.parametrize(("systems", "n", "is_error"), [(4, 1, True), (3, 1, False), (4, 2, False)])
def test_many_systems_with_a_segment_each_may_be_documents(systems: int, n: int, is_error: bool) -> None:
    """Sixteen files of two systems on eight documents were sixteen systems. A pair of segments is no such case."""
    messages = found(checks.numbers, {f"s{k}": lines(n) for k in range(systems)})
    one = [m for m in messages if m.startswith(f"error Each of {systems} systems has one segment: no test can tell")]
    assert len(one) == is_error
    assert any("too few" in m for m in messages) is not is_error


@pytest.mark.parametrize(
    ("cells", "is_one"), [(("1.5", "2", "3"), True), (("1", "2.0", "3"), False), (("1.5", "x", "3"), False)]
)
def test_a_reference_of_decimals_is_refused(cells: tuple[str, ...], is_one: bool) -> None:
    """Whole numbers are labels."""
    assert bool(found(nature.predicted_numbers, {"A": cells}, ref(cells))) is is_one


@pytest.mark.parametrize(
    ("own", "is_one"),
    [
        (("true", "false"), True),
        (("True", "0"), False),
        (("yes",), False),  # one word is said elsewhere: the same in every segment
        (tuple(f"text {k}" for k in range(30)), False),
    ],
)
def test_labels_in_other_words_are_refused(own: tuple[str, ...], is_one: bool) -> None:
    """True and False are never equal to 1 and 0: every system had nothing right, and no difference was found."""
    cells, gold = tuple(own[k % len(own)] for k in range(30)), ref(tuple("01"[k % 2] for k in range(30)))
    assert bool(found(nature.other_labels, {"A": cells}, gold)) is is_one
    seldom = ref(tuple(f"{k % 7}" for k in range(30)))  # each less than five times
    assert not found(nature.other_labels, {"A": cells}, seldom)


POLICIES = tuple(("Leave Policy", "Travel Policy", "none of these", "Work Policy")[k % 4] for k in range(24))


def saying(said: str, times: int = 6) -> tuple[str, ...]:
    """The policies, with something else so many times where none is right."""
    places = [k for k, one in enumerate(POLICIES) if one == "none of these"][:times]
    rest = ["other"] * len(POLICIES)
    return tuple(said if k in places else rest[k] if one == "none of these" else one for k, one in enumerate(POLICIES))


@pytest.mark.parametrize(
    ("own", "number"),
    [
        (saying("Declined"), 1),
        (saying("Declined", 5), 1),  # 5 of 6 are most
        (saying("Declined", 4), 0),
        (saying("Work Policy"), 0),  # a wrong answer that is right elsewhere
        ((*saying("Declined")[:-2], "none of these", "Work Policy"), 0),  # said once
    ],
)
def test_an_answer_in_other_words_is_noted(own: tuple[str, ...], number: int) -> None:
    said = found(nature.other_words, {"A": own}, ref(POLICIES))
    assert len(said) == number
    if said:
        assert "A never says 'none of these', but 'Declined' in" in said[0]
        assert said[0].startswith("warning")


def test_free_text_says_nothing_in_other_words() -> None:
    """Lines that come again are translated in one way again and again."""
    gold = tuple("are you there?" if k % 4 == 0 else f"it rains {k} times" for k in range(24))
    own = tuple("still there?" if k % 4 == 0 else f"it rained {k} times" for k in range(24))
    assert not found(nature.other_words, {"A": own}, ref(gold))


def test_labels_of_which_no_system_has_one_right_are_refused() -> None:
    numbered = tuple(f"{one} {k % 5}" for k, one in enumerate(POLICIES))
    (said,) = found(nature.other_words, {"A": numbered, "B": numbered[1:] + numbered[:1]}, ref(POLICIES))
    assert said.startswith(
        "error No system has a single label of the reference, such as 'Leave Policy' where A says 'Leave Policy 0'."
    )
    one_right = (POLICIES[0], *numbered[1:])
    assert not any(
        one.startswith("error") for one in found(nature.other_words, {"A": numbered, "B": one_right}, ref(POLICIES))
    )
    few = ref(POLICIES[:19])
    assert not any(one.startswith("error") for one in found(nature.other_words, {"A": numbered[:19]}, few))
    texts = ref(tuple(f"it rains {k}" for k in range(24)))
    assert not found(nature.other_words, {"A": numbered}, texts)


@pytest.mark.parametrize(
    ("names", "different"),
    [
        (("A\u00e9x", "Ae\u0301x"), "U+00E9 and U+0065 U+0301"),
        (("A", "\uff21"), "U+0041 and U+FF21"),  # a wide letter
        (("aa", "aa\u00a0"), "nothing and U+00A0"),
        (("a b", "a  b"), "nothing and U+0020"),
        (("A", "a"), ""),
    ],
)
def test_names_that_look_alike_differ_in_what_is_shown(names: tuple[str, str], different: str) -> None:
    """The letters in which they differ, without common ends."""
    messages = found(checks.names, dict.fromkeys(names, lines(3)))
    assert (f"but are different: {different}." in messages[0]) if different else not messages


# ---- word links


def linked(shift: int, n: int = 12) -> tuple[str, ...]:
    return tuple(f"{k % 3 + shift}-{k % 3 + shift} {k % 2 + 3 + shift}-{k % 2 + 4 + shift}" for k in range(n))


@pytest.mark.parametrize(("n", "told"), [(12, True), (10, True), (9, False)])
def test_words_counted_from_another_number(n: int, told: bool) -> None:
    """Ten segments with links are enough to say that one side never has an index 0."""
    gold = made("gold", linked(0, n), "reference", "alignments")
    messages = found(checks.examine_links, {"A": linked(1, n), "B": linked(0, n)}, gold, kind="alignments")
    assert any("The gold links have an index 0, but those of A never do" in one for one in messages) is told
    (better,) = (one for one in messages if "fits the gold links far better" in one)
    assert "with 1 subtracted from every index" in better
    assert better.endswith("the AER of A falls from 100.0 to 0.0. [A.txt]")


def test_all_systems_that_fit_better_accuse_the_gold_file() -> None:
    """One system alone does not."""
    gold = made("gold", linked(0), "reference", "alignments")
    items = [made(name, linked(1), kind="alignments") for name in "AB"]
    for some, accused in ((items, True), (items[:1], False)):
        checked = Checked("alignments", 12, some, [], [gold], [])
        fixes = [one.fix for one in checks.examine_links(checked) if "far better" in one.what]
        assert [fix.startswith("This is true of all systems") for fix in fixes] == [accused]


def test_a_small_fall_of_the_error_rate_says_nothing() -> None:
    """From 25 to 12.5: enough as a share, and not enough in points."""
    gold = made("gold", tuple("0-0 1-1 2-2 3-3" for _ in range(12)), "reference", "alignments")
    near = tuple("0-0 1-1 2-2 4-4" if k % 2 else "0-0 1-1 2-2 3-3" for k in range(12))
    assert not [one for one in found(checks.examine_links, {"A": near}, gold, kind="alignments") if "far better" in one]
    # from 100 to 80: enough in points, and not enough as a share
    gold = made("gold", ("0-0 10-10 20-20 30-30 40-40",) * 12, "reference", "alignments")
    far = ("1-1 12-12 22-22 32-32 42-42",) * 12
    assert not [one for one in found(checks.examine_links, {"A": far}, gold, kind="alignments") if "far better" in one]


def test_links_to_words_that_a_text_does_not_have() -> None:
    """The first word too many is the one after the last; its segment, index and number of words are named."""
    gold = made("gold", ("0-0", "0-0", "1-1"), "reference", "alignments")
    source = made("src", ("a", "a b", "a b"), "source")
    assert not found(checks.examine_links, {"A": ("0-0", "1-0", "1-1")}, gold, source, kind="alignments")[1:]
    messages = found(checks.examine_links, {"A": ("0-0", "2-0", "1-1")}, gold, source, kind="alignments")
    assert "[A.txt, segment 2: index 2 of 2 words]" in messages[-1]


def test_the_text_of_the_target_side() -> None:
    """The reference, else a text that is called so."""
    named, gold = made("A.trg", ("x",)), made("gold", ("y",), "reference")
    assert checks.text_of([named, gold], "target") is gold
    assert checks.text_of([named, made("B", ("z",))], "target") is named
    assert checks.text_of([made("B", ("z",))], "target") is None
    assert checks.text_of([named, made("s", ("z",), "source")], "source") is not None


def test_all_segments_are_looked_at_for_another_reading() -> None:
    """Not the first ones only."""
    gold = made("gold", linked(0, 40), "reference", "alignments")
    late = (*linked(0, 6), *linked(1, 40)[6:])
    assert any("far better" in one for one in found(checks.examine_links, {"A": late}, gold, kind="alignments"))


# ---- trees, scores


@pytest.mark.parametrize(
    ("gold", "other", "told"),
    [("(S (A a))", "(TOP (A a))", True), ("(S (A a))", "(NP (A a))", False), ("(TOP (A a))", "( (A a))", True)],
)
def test_outer_brackets(gold: str, other: str, told: bool) -> None:
    """Only brackets that some files wrap around a tree count as another habit."""
    assert bool(found(checks.outer, {"A": (other,) * 3}, made("g", (gold,) * 3, "reference"), kind="brackets")) is told


@pytest.mark.parametrize(
    ("one", "other", "severity"),
    [
        ((0.01, 0.02, 0.03), (0.5, 0.6, 0.9), "warning"),  # shares: a bad and a good system
        ((0.01, 0.02, 0.03), (0.5, 0.6, 1.5), "error"),
        ((0.1, 0.2, 0.3), (2.0, 3.0, 5.0), ""),
    ],
)
def test_scores_on_different_scales(one: tuple[float, ...], other: tuple[float, ...], severity: str) -> None:
    """An error, and a warning where both lie between 0 and 1."""
    messages = found(checks.scales, {"A": tuple(map(str, one)), "B": tuple(map(str, other))}, kind="scores")
    assert [message.split()[0] for message in messages] == ([severity] if severity else [])


def test_the_same_score_everywhere() -> None:
    """In three segments or more."""
    for n, told in ((3, True), (2, False)):
        cells = {"A": ("1",) * n, "B": tuple(map(str, range(1, n + 1)))}
        assert any("All scores of A are the same" in one for one in found(checks.scales, cells, kind="scores")) is told


# ---- text


@pytest.mark.parametrize(
    ("n", "text", "severity"),
    [(30, "line {} of many", "error"), (29, "line {} of many", "warning"), (30, "line {} of", "warning")],
)
def test_a_copy_of_the_reference(n: int, text: str, severity: str) -> None:
    """An error for thirty segments of more than three words; labels may all be right."""
    (message,) = found(checks.copied_segments, {"A": lines(n, text)}, ref(lines(n, text)))
    assert message == f"{severity} A is identical to the reference ref. [A.txt and ref.txt]"


def test_empty_segments_are_named() -> None:
    """How many, and the first."""
    cells = ("a", " ", "b", "")
    assert found(checks.empties, {"A": cells}) == ["warning 2 of 4 segments of A are empty. [A.txt, segment 2]"]


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ((10, 20), []),
        ((10, 21), ["B has 2.10 times"]),
        ((10, 5), []),
        ((10, 4), ["B has 0.40 times"]),
        ((10, 21, 22), ["The references are much shorter than 2 of 3 systems"]),
        ((10, 10, 21, 22), ["C has 2.10 times", "D has 2.20 times"]),  # half of them is not most
        ((21,), ["A has 2.10 times"]),
        ((22, 21, 4), ["The references are much shorter than 2 of 3 systems", "C has 0.40 times"]),
    ],
)
def test_lengths_beside_the_references(sizes: tuple[int, ...], told: list[str]) -> None:
    """From half to twice the characters, of the mean of two references; where most are longer the references are named once."""
    systems = {name: ("x" * size,) * 3 for name, size in zip("ABCD", sizes, strict=False)}
    messages = found(checks.lengths, systems, ref(("r" * 8,) * 3), ref(("r" * 12,) * 3, "ref2"))
    assert [any(one.startswith(f"warning {start}") for one in messages) for start in told] == [True] * len(told)
    assert len(messages) == len(told)


@pytest.mark.parametrize(
    ("systems", "gold", "severity"),
    [
        (("ends here .", "ends here ."), "ends here .", "note"),
        (("ends here .", "ends here ."), "ends here.", "warning"),
        (("ends here .", "ends here."), "ends here.", "warning"),
        (("a , b", "ends here."), "ends here.", "warning"),
        (("ends here.", "a,b"), "ends here.", ""),
    ],
)
def test_tokenised_files(systems: tuple[str, str], gold: str, severity: str) -> None:
    """A blank before a full stop or a comma; a note where all files have it."""
    messages = found(
        checks.tokenised, {name: (text,) * 4 for name, text in zip("AB", systems, strict=True)}, ref((gold,) * 4)
    )
    assert [message.split()[0] for message in messages] == ([severity] if severity else [])


@pytest.mark.parametrize(("marked", "told"), [(2, False), (3, True)])
def test_more_than_half_of_the_lines_look_tokenised(marked: int, told: bool) -> None:
    """Of four."""
    lines_of = ("ends here .",) * marked + ("ends here.",) * (4 - marked)
    assert bool(found(checks.tokenised, {"A": lines_of}, ref(("ends here.",) * 4))) is told


@pytest.mark.parametrize(
    ("text", "language", "tokenizer"),
    [
        ("これは本です", "Japanese", "ja-mecab (or char)"),
        ("이것은 책", "Korean", "ko-mecab (or char)"),
        ("這是書", "Chinese", "zh"),
        ("a book and a 書", "", ""),
        ("a book 書書", "Chinese", "zh"),
    ],
)
def test_writings_without_blanks(text: str, language: str, tokenizer: str) -> None:
    """More than a tenth of all characters; Japanese has Chinese characters, too."""
    assert writing((text,)) == (language, tokenizer)


GERMAN = "Die Fähre legt um neun Uhr ab und fährt über den See nach Norden"
ENGLISH = "The ferry leaves at nine and crosses the lake on its way to the north"


def test_one_system_alone_in_another_language_is_named() -> None:
    """All of several accuse the references."""
    gold = ref(lines(60, ENGLISH + " {}"))
    german = lines(60, GERMAN + " {}")
    (one,) = found(checks.foreign, {"A": german}, gold)
    assert one == "warning A looks as if it were in a different language from the references. [A.txt]"
    (both,) = found(checks.foreign, {"A": german, "B": german}, gold)
    assert both.startswith("warning The systems look as if they were in a different language")
    (odd,) = found(checks.foreign, {"A": german, "B": lines(60, ENGLISH + " {} too")}, gold)
    assert odd.startswith("warning A looks")
    assert not found(checks.foreign, {"A": german[:29]}, ref(gold.segments[:29]))
