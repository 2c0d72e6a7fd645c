"""Trees, word links and bracketings from files to a test set: merged, filled, compared, and examined."""

from __future__ import annotations

import pytest

from sigcore import readers
from sigcore.data import Collection
from sigcore.data.assembly import Loaded, assemble
from sigcore.data.plan import claims
from sigcore.readers import Item

SURE = "0-0 1-1\n0-1\n" * 10
POSSIBLE = "0-0 1-1 1-2\n0-0 0-1\n" * 10


def loaded(*files: tuple[str, str], **chosen: tuple[str, dict[str, object]]) -> Loaded:
    """What the files make."""
    intake = readers.read([(name, text.encode()) for name, text in files], chosen=chosen)
    assert intake.problems == ()
    return assemble(intake.items)


def whats(found: Loaded, severity: str) -> list[str]:
    return [finding.what for finding in found.of(severity)]


SYSTEMS = (("A.txt", SURE), ("B.txt", POSSIBLE))


def test_possible_links_are_references_in_the_plan():
    """Sure and possible links are both what the outputs are compared with, never a source."""
    collection = Collection()
    collection.add([(name, text.encode()) for name, text in (("gold.sure.txt", SURE), ("gold.possible.txt", POSSIBLE))])
    assert {claim.role for claim in claims(collection)} == {"reference"}


def test_two_gold_files_become_one():
    """Sure links from the reference, possible ones from the file whose name says so."""
    found = loaded(("gold.sure.txt", SURE), ("gold.possible.txt", POSSIBLE), *SYSTEMS)
    assert found.testset is not None
    assert found.testset.references == (("0-0 1-1 1p2", "0p0 0-1") * 10,)
    assert [item.system for item in found.outputs] == ["A", "B"]
    assert "Gold links: sure from gold.sure, possible from gold.possible." in whats(found, "note")


def test_gold_files_that_do_not_fit_are_told():
    """Possible links without sure ones, of another length, or twice; a role that only word links have."""
    found = loaded(("gold.possible.txt", POSSIBLE), *SYSTEMS)
    assert "gold.possible has possible links, but there is no file of sure ones." in whats(found, "error")
    assert found.testset is None
    found = loaded(("gold.sure.txt", SURE), ("gold.possible.txt", POSSIBLE + "0-0\n"), *SYSTEMS)
    assert "gold.possible has 21 segments, gold.sure has 20." in whats(found, "error")
    found = loaded(("gold.txt", SURE), ("gold.possible.txt", POSSIBLE), ("gold.poss.txt", SURE), *SYSTEMS)
    assert "More than one file of possible links is loaded; gold.poss is not used." in whats(found, "warning")
    text = [
        Item(n, r, "text", ("a b", "c d"), n, "") for n, r in (("x", "reference"), ("y", "system"), ("z", "possible"))
    ]
    found = assemble(text)
    assert "Only word links can have a file in the role possible; z is not used." in whats(found, "warning")
    assert found.ready


def test_references_that_say_the_same_are_one():
    """The same links in two formats are one reference; others are two."""
    naacl = "".join(
        f"{k + 1} {line.replace('-', ' ')}\n"
        for k in range(20)
        for line in (("1-1", "2-2") if k % 2 == 0 else ("1-2",))
    )
    found = loaded(("gold.a.txt", SURE), ("gold.naacl", naacl), *SYSTEMS)
    assert found.testset is not None
    assert len(found.testset.references) == 1
    assert "gold is identical to gold.a; it is used once." in whats(found, "note")
    found = loaded(("gold.a.txt", SURE), ("gold.b.txt", POSSIBLE), *SYSTEMS)
    assert found.testset is not None
    assert len(found.testset.references) == 2


def test_sentences_that_naacl_leaves_out_are_added():
    """A system whose last sentences have no link is as long as the others."""
    found = loaded(("gold.txt", SURE), ("A.txt", SURE), ("B.naacl", "1 1 1 S\n3 2 2 S\n"))
    assert found.outputs[1].segments == ("0-0", "", "1-1", *[""] * 17)
    assert "B has no link after segment 3: 17 more without links were added." in whats(found, "note")


def shifted(text: str, by: int) -> str:
    """The links with that number added to each end."""
    lines = [[link.split("-") for link in line.split()] for line in text.splitlines()]
    return "\n".join(" ".join(f"{int(i) + by}-{int(j) + by}" for i, j in line) for line in lines) + "\n"


def turned(text: str) -> str:
    """The links with their ends exchanged."""
    return (
        "\n".join(" ".join("-".join(link.split("-")[::-1]) for link in line.split()) for line in text.splitlines())
        + "\n"
    )


SKEW = "0-1 1-2 2-0 3-5\n1-0 2-4 4-1\n" * 10


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (shifted(SKEW, 1), "A fits the gold links far better with 1 subtracted from every index"),
        (turned(SKEW), "A fits the gold links far better with source and target swapped (the wrong direction)"),
        (turned(shifted(SKEW, 1)), "A fits the gold links far better with source and target swapped and 1 subtracted"),
    ],
)
def test_links_read_in_the_wrong_way_are_told(own, words):
    """A system counted from the wrong number, or turned round; the right one beside it is not named."""
    found = loaded(("gold.txt", SKEW), ("A.txt", own), ("B.txt", SKEW), **{"A.txt": ("pharaoh", {})})
    (what,) = [what for what in whats(found, "warning") if "far better" in what]
    assert what.startswith(words)
    assert what.endswith(" to 0.0.")
    zero = "The gold links have an index 0, but those of A never do: do both count words from 0?"
    assert (zero in whats(found, "warning")) == ("1 subtracted" in words)


def test_gold_in_the_wrong_way_is_told_from_systems():
    """Where every system fits better in another way, the advice is to look at gold."""
    gold = shifted(SKEW, 1)
    found = loaded(("gold.txt", gold), ("A.txt", SKEW), ("B.txt", SKEW), **{"gold.txt": ("pharaoh", {})})
    (finding,) = [f for f in found.of("warning") if "far better" in f.what]
    assert finding.what.startswith("A, B fit the gold links far better with 1 added to every index")
    assert finding.fix.startswith("This is true of all systems, so the gold file is probably the cause.")
    zero = "The gold links never have an index 0, but those of A, B do: do both count words from 0?"
    assert zero in whats(found, "warning")


def test_nothing_is_said_of_sound_links_nor_of_few():
    """Good and bad systems that count alike give no warning; nor do a handful of segments without a 0."""
    bad = "0-4 3-1 2-2\n0-3 1-1 3-3\n" * 10
    found = loaded(("gold.txt", SKEW), ("A.txt", SKEW.replace("3-5", "3-4")), ("B.txt", bad))
    assert [what for what in whats(found, "warning") if "segments: too few" not in what] == []
    found = loaded(("gold.txt", "0-0 1-1\n2-2\n"), ("A.txt", "1-1\n2-2\n"), **{"A.txt": ("pharaoh", {})})
    assert not any("index 0" in what for what in whats(found, "warning"))


def test_links_beyond_the_text_are_told():
    """An index that the loaded sentence does not have is named with its segment, on either side."""
    source, target = "a b c\na b c d e\n" * 10, "a b c d e f\na b c d\n" * 10
    found = loaded(("gold.txt", SKEW), ("A.txt", SKEW), ("src.en", source), ("tgt.fr", target))
    what = [f for f in found.of("warning") if "has links to words" in f.what]
    assert {f.what for f in what} == {
        f"{name} has links to words that {text} does not have, in 10 segments."
        for name, text in (("gold", "src"), ("A", "src"), ("gold", "tgt"), ("A", "tgt"))
    }
    assert {f.where for f in what if f.what.startswith("A has links to words that src")} == {
        "A.txt, segment 1: index 3 of 3 words"
    }


WORDS = "1\t{0}\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"


def test_a_system_with_other_words_is_left_out():
    """The first word that differs is named, and the counts where they differ too; the others go on."""
    gold = WORDS.format("a") * 40
    wrong = WORDS.format("a") * 11 + WORDS.format("don't") + WORDS.format("a") * 28
    short = WORDS.format("x") * 3
    found = loaded(("gold.conllu", gold), ("A.conllu", gold), ("B.conllu", wrong), ("C.conllu", short))
    assert [item.system for item in found.outputs] == ["A"]
    assert whats(found, "error") == [
        "B, sentence 12, token 1: system 'don't', gold 'a'.",
        "C, sentence 1, token 1: system 'x', gold 'a'. It has 3 sentences, gold has 40.",
    ]


def test_outer_brackets_that_count_in_one_file_only_are_told():
    """ROOT counts and TOP does not: systems with another outer bracket than gold lose or win a bracket a sentence."""
    inner = "(S (NP (NN time)) (VP (VBZ flies)))"
    found = loaded(
        ("gold.txt", f"(ROOT {inner})\n" * 40), ("A.txt", f"(TOP {inner})\n" * 40), ("B.txt", f"(ROOT {inner})\n" * 40)
    )
    (what,) = [what for what in whats(found, "warning") if "start with" in what]
    assert (
        what
        == "Gold trees start with '(ROOT', those of A with '(TOP'. Every outer bracket except TOP counts, as in evalb."
    )


def test_gold_links_that_are_all_sure_are_told():
    """A forgotten file of possible links changes every AER; with it nothing is said."""
    told = "All links of gold are sure, so AER is 1 - F1."
    assert told in whats(loaded(("gold.txt", SURE), *SYSTEMS), "note")
    both = loaded(("gold.txt", SURE), ("gold.possible.txt", POSSIBLE), *SYSTEMS)
    assert not any("are sure" in what for what in whats(both, "note"))


def test_text_next_to_links_is_not_another_test_set():
    """Source and target next to links are a note; text with a reference is its own test set."""
    text = ("src.en", "a b\n" * 20), ("tgt.fr", "c d e\n" * 20)
    found = loaded(("gold.txt", SURE), *SYSTEMS, *text)
    assert not any("test sets" in what for what in whats(found, "warning"))
    assert any(what.startswith("Text next to links") for what in whats(found, "note"))
    more = loaded(("gold.txt", SURE), *SYSTEMS, *text, ("ref.fr", "c d e f\n" * 20))
    assert any("are separate test sets" in what for what in whats(more, "warning"))


def test_possible_links_are_gold_in_the_plan() -> None:
    """The report calls both files of links references."""
    collection = Collection()
    collection.add(
        [("gold.sure.txt", SURE.encode()), ("gold.possible.txt", POSSIBLE.encode()), ("A.txt", SURE.encode())]
    )
    roles = {claim.file: claim.role for claim in claims(collection)}
    assert roles == {"gold.sure.txt": "reference", "gold.possible.txt": "reference", "A.txt": "system"}
