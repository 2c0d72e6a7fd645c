"""Names and roles guessed from file names."""

import unicodedata

import pytest

from sigcore.formatting import unique
from sigcore.readers import names
from tests.effort import at_most


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("sys1.opt0.en", "sys1.opt0"),
        ("Online-W.en", "Online-W"),
        ("systems/Online-W.en.gz", "Online-W"),
        ("OUT.TXT.GZ", "OUT"),
        ("a.Gz", "a"),
        ("ref.B.en", "ref.B"),
        ("v1.2", "v1.2"),
        ("v1.2.txt", "v1.2"),
        ("a.zh-TW", "a"),
        ("a.pt_br", "a"),
        ("a.no-dropout", "a.no-dropout"),
        ("a.zh-Hant", "a"),
        ("a.tar", "a.tar"),
        (".en", ".en"),
        ("newstest2022.cs-en.hyp.Online-W.en", "Online-W"),
        ("generaltest2022.de-en.ref.refA.en", "refA"),
        ("newstest2019.NEU.6801.de-en", "NEU.6801"),
        ("my.cs-en.hyp.run.7.en", "my.cs-en.hyp.run.7"),
        ("<img src=x>", "<img src=x>"),
        ("sys_a_b*c*", "sys_a_b*c*"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\windows\\sys.en", "sys"),
        ("a/![x](http:)", "![x](http:)"),
        ("\u202egnp.exe", "gnp.exe"),
        ("a\x00\x1b[31m\u200b.en", "a[31m"),
        ("", "unnamed"),
        ("../..", "unnamed"),
        ("\u202e", "unnamed"),
    ],
)
def test_display_name(file: str, name: str) -> None:
    """Folders, control characters, .gz and one known suffix go; everything else stays as it is."""
    assert names.display_name(file) == name


@pytest.mark.parametrize(
    ("file", "role"),
    [
        ("ref.en", "reference"),
        ("STS.gs.images.txt", "reference"),
        ("ground_truth.json", "reference"),
        ("labels.csv", "reference"),
        ("y_test.npy", "reference"),
        ("bert-labels.txt", "system"),
        ("answers-gpt4.jsonl", "system"),
        ("A.labels.txt", "system"),
        ("ref.B.en", "reference"),
        ("refA.en", "reference"),
        ("ref0", "reference"),
        ("Reference.txt", "reference"),
        ("references.en.gz", "reference"),
        ("wmt.ref", "reference"),
        ("newstest2020-deen-ref.en.txt", "reference"),
        ("newstest2022.cs-en.ref.refB.en", "reference"),
        ("generaltest2022.de-en.ref.refA.en", "reference"),
        ("references/de-en.refA.txt", "reference"),
        ("references/de-en.txt", "reference"),
        ("src.cs", "source"),
        ("source.txt", "source"),
        ("newstest2020-deen-src.de.txt", "source"),
        ("sources/de-en.txt", "source"),
        ("Online-W.en", "system"),
        ("refined.en", "system"),
        ("sourcery.en", "system"),
        ("systems/ref-net.en", "system"),
        ("newstest2022.cs-en.hyp.ref-free.en", "system"),
        ("ref-human.en", "reference"),
        ("ref_A.txt", "reference"),
        ("ref-newstest2019.en", "reference"),
        ("sys_ref.txt", "reference"),
        ("gold-standard.txt", "reference"),
        ("references/cs-en/A.txt", "reference"),
        ("ref/A.txt", "reference"),
        ("system-outputs/cs-en/refA.txt", "reference"),
        ("system-outputs/cs-en/ref-free.txt", "system"),
        ("ref-net.txt", "system"),
        ("reference-free.txt", "system"),
        ("sys.ref-guided.en", "system"),
        ("src-aug.en", "system"),
        ("source-aware.txt", "system"),
        ("nmt.src-dropout.en", "system"),
        ("multi-source.en", "system"),
        ("README.md", "ignored"),
        ("LICENSE", "ignored"),
    ],
)
def test_guess_role(file: str, role: str) -> None:
    """Roles follow the usual ways of naming; a word that only begins like one is no role."""
    assert names.guess_role(file) == role


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("ref", "reference"),
        ("Reference 2", "reference"),
        ("refB", "reference"),
        ("src", "source"),
        ("big", "system"),
        ("source sentence", "source"),
        ("reference-free", "system"),
        ("src_aug", "system"),
    ],
)
def test_column_role(heading: str, role: str) -> None:
    """A heading tells its column's role."""
    assert names.column_role(heading) == role


def test_unique_numbers_repeated_names() -> None:
    """Repeated names get a number, and never one that is already somebody's name."""
    assert unique(["a", "a", "b", "a", "a (2)"]) == ["a", "a (3)", "b", "a (4)", "a (2)"]


def test_files_of_one_name_get_their_number_before_the_suffix() -> None:
    """What a number is put to keeps its suffix, packed or not."""
    assert unique(["A.en", "A.en", "A (2).en"], names.numbered_file) == ["A.en", "A (3).en", "A (2).en"]
    assert names.numbered_file("A.en.gz", 2) == "A (2).en.gz"
    assert names.numbered_file("x.d/A", 2) == "x.d/A (2)"


def test_unique_is_quick_for_thousands_of_one_name() -> None:
    """Ten thousand files of one name get as many names, and each name costs the same few steps."""
    with at_most(lines=10 * 10_000):
        found = unique(["a"] * 10_000)
    assert len(set(found)) == 10_000


def test_no_control_character_survives_in_a_name() -> None:
    """Whatever category of control or format character a name holds, none is shown."""
    bad = "".join(c for c in map(chr, range(0x11000)) if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp"))
    assert names.display_name(f"x{bad}y") == "xy"


def test_the_last_word_of_a_file_of_scores_may_be_any_known_measure() -> None:
    """Known measures beside those of translation count as the last word only: inside they may be a system's."""
    assert names.measure_in_name("A.hallucination.txt") == ("hallucination", "A")
    assert names.measure_in_name("A.toxicity.v2.txt") == ("", "A.toxicity.v2")
    assert names.measure_in_name("hallucination.txt") == ("", "hallucination")


@pytest.mark.parametrize(
    ("file", "gold"), [("STS.gs.txt", True), ("labels.txt", True), ("refA.txt", False), ("A.txt", False)]
)
def test_names_of_right_answers(file: str, gold: bool) -> None:
    """A reference by people may be a system of a campaign; a file of right answers is none."""
    assert names.names_gold(file) == gold
