"""Words with tags: columns, schemes and documents, what they give, and what is refused instead of guessed."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.readers import Choice, Intake, Item, read, tags
from tests.oracles import entities
from tests.unit.sigcore.readers.test_structures import messages, one, problem

GOLD_AND_OWN = "EU B-ORG B-ORG\nrejects O O\nGerman B-MISC O\ncalls O O\n\nPeter B-PER B-PER\nBlackburn I-PER O\n"
WORDS = ("EU\trejects\tGerman\tcalls", "Peter\tBlackburn")
GOLD = (f"{WORDS[0]}\n0-1\tORG\n2-3\tMISC", f"{WORDS[1]}\n0-2\tPER")
OWN = (f"{WORDS[0]}\n0-1\tORG", f"{WORDS[1]}\n0-1\tPER")


def streams(intake: Intake) -> dict[str, Item]:
    """The streams of a file without problems, by role."""
    assert intake.problems == ()
    return {item.role: item for item in intake.items}


@pytest.mark.parametrize("mark", [" ", "\t", "  "])
@pytest.mark.parametrize("more", ["", "NN ", "NN x "])
@pytest.mark.parametrize("file", ["A.conll", "A.txt", "A.tsv", "A"])
def test_gold_and_predicted_tags_are_a_reference_and_a_system(mark: str, more: str, file: str) -> None:
    """The last two columns, with any number of others before them, separated by blanks or TAB; the name does not matter."""
    lines = (line.replace(" ", f" {more}", 1).replace(" ", mark) for line in GOLD_AND_OWN.split("\n"))
    found = streams(one(file, "\n".join(lines)))
    assert found["reference"].segments == GOLD
    assert found["system"].segments == OWN
    assert (found["system"].name, found["reference"].name) == ("A", "A.gold")


@pytest.mark.parametrize(("file", "role"), [("gold.bio", "reference"), ("One.bio", "system")])
def test_one_column_of_tags_has_the_role_of_its_name(file: str, role: str) -> None:
    """A gold file and an output look the same."""
    text = "\n".join(line.rpartition(" ")[0] for line in GOLD_AND_OWN.split("\n"))
    assert streams(one(file, text))[role].segments == GOLD


def test_headings_say_which_column_is_gold() -> None:
    """Predicted tags may come first, where a line of headings says so."""
    cells = [line.split() for line in GOLD_AND_OWN.split("\n")]
    text = "\n".join(["token pred gold", *(" ".join([*row[:1], *row[:0:-1]]) for row in cells)])
    found = streams(one("A.txt", text))
    assert (found["reference"].segments, found["system"].segments) == (GOLD, OWN)


def test_names_after_chunks_are_one_column() -> None:
    """CoNLL-2003: a word, its part of speech, its chunk and its entity; the chunks are no gold entities."""
    text = "U.N. NNP I-NP I-ORG\nofficial NN I-NP O\nEkeus NNP I-NP I-PER\nheads VBZ I-VP O\n"
    found = streams(one("gold.txt", text))
    assert found["reference"].segments == ("U.N.\tofficial\tEkeus\theads\n0-1\tORG\n2-3\tPER",)


def test_numbers_of_words_are_no_words() -> None:
    """GermEval and others number the words of a sentence in the first column."""
    text = "# source\n1\tEU\tB-ORG\n2\trejects\tO\n\n# other\n1\tPeter\tB-PER\n"
    intake = one("gold.tsv", text)
    assert streams(intake)["reference"].segments == ("EU\trejects\n0-1\tORG", "Peter\n0-1\tPER")
    assert "2 lines begin with # and no tag at the end, left out as comments." in messages(intake)


def test_docstart_separates_documents() -> None:
    """The lines are no sentences; they give each sentence its document, as the unit of resampling."""
    text = "-DOCSTART- -X- -X- O\n\nEU NNP I-NP B-ORG\n\nIt PRP I-NP O\n\n-DOCSTART- -X- -X- O\n\nOslo NNP I-NP B-LOC\n"
    found = streams(one("gold.conll", text))
    assert found["reference"].segments == ("EU\n0-1\tORG", "It", "Oslo\n0-1\tLOC")
    assert found["documents"].segments == ("1", "1", "2")
    alone = one("gold.conll", "-DOCSTART- O\n\nEU B-ORG\n\nIt O\n")
    assert "documents" not in streams(alone)


def test_a_system_that_finds_nothing_is_read() -> None:
    """Tags that are all O are an output without entities."""
    assert streams(one("A.bio", "EU O\nrejects O\n\nPeter O\n"))["system"].segments == ("EU\trejects", "Peter")


@pytest.mark.parametrize("after", ["0.97", "1", "✓", "❌"])
def test_a_number_or_a_mark_after_the_tags_is_no_tag(after: str) -> None:
    """Flair writes how sure it is, or whether the tag is right, in the last column."""
    text = "\n".join(f"{line} {after}" if line else "" for line in GOLD_AND_OWN.split("\n"))
    intake = one("A.txt", text)
    found = streams(intake)
    assert (found["reference"].segments, found["system"].segments) == (GOLD, OWN)
    assert "The last column has numbers or marks, and was not used." in messages(intake)


# ---- schemes


SCHEMES = {
    "BIO (IOB2)": "B-PER I-PER B-PER O B-LOC",
    "IOB1": "I-PER I-PER B-PER O I-LOC",
    "BIOES": "B-PER E-PER S-PER O S-LOC",
    "BILOU": "B-PER L-PER U-PER O U-LOC",
    "BMES": "B-PER E-PER M-PER O S-LOC",
    "BMEWO": "B-PER E-PER W-PER O W-LOC",
    "IOE": "I-PER E-PER E-PER O E-LOC",
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_scheme_is_recognised_and_said(scheme: str) -> None:
    """The same entities in seven schemes; the notice names the scheme."""
    words = ["Anna", "Bell", "Carl", "sees", "Oslo"]
    text = "\n".join(map(" ".join, zip(words, SCHEMES[scheme].split(), strict=True))) + "\n"
    intake = one("gold.bio", text)
    assert streams(intake)["reference"].segments == ("\t".join(words) + "\n0-2\tPER\n2-3\tPER\n4-5\tLOC",)
    assert f"Scheme of the tags: {scheme}." in messages(intake)


def test_tags_without_types_and_with_an_underscore() -> None:
    """B alone has the type _, and B_PER is B-PER."""
    assert streams(one("gold.bio", "a B\nb I\nc O\n"))["reference"].segments == ("a\tb\tc\n0-2\t_",)
    assert streams(one("gold.bio", "a B_PER\nb I_PER\nc O\n"))["reference"].segments == ("a\tb\tc\n0-2\tPER",)


def test_entities_that_begin_without_a_mark_are_counted_and_said() -> None:
    """I- after O begins an entity, as in conlleval and seqeval; the number of such entities is in a notice."""
    intake = one("A.bio", "a B-PER\nb O\nc I-PER\nd I-LOC\n")
    assert streams(intake)["system"].segments == ("a\tb\tc\td\n0-1\tPER\n2-3\tPER\n3-4\tLOC",)
    assert "2 entities without B- or its like at the beginning" in messages(intake)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("marks", ["BI", "IE", "BIES", "BILU", "BMES", "BMEW"])
def test_tags_are_read_as_the_slow_twin_reads_them(marks: str, seed: int) -> None:
    """Random tags, also those that no scheme allows."""
    rng = np.random.default_rng(seed)
    known = ["O", *(f"{mark}-{kind}" for mark in marks for kind in ("PER", "B-LOC")), marks[0]]
    for _ in range(200):
        own = list(map(str, rng.choice(known, size=rng.integers(1, 9))))
        assert tags.spans_of(own) == entities.in_tags(own)


# ---- what is refused


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a B-PER\nb L-PER\nc B-LOC\nd E-LOC\n", "The last tags mix schemes: B- 2, E- 1, L- 1 times."),
        ("a B-PER\nb PER\nc O\nd O\n" + "e O\n" * 40, "line 2: 'PER' is not a tag of BIO, IOE, BIOES, BILOU or BMES."),
        ("a B-PER\nb\nc O\nd O\n" + "e O\n" * 40, "line 2: 'b' stands alone, without a tag."),
        ("a x B-PER\nb O\nc x O\n", "line 2: 2 columns, but line 1 has 3."),
        ("B-PER B-PER\nO O\nO B-PER\n", "It has tags, but no words: its first column holds tags, too."),
        ("a\tB-PER\n\tO\n" + "e\tO\n" * 40, "line 2: the word is empty."),
    ],
)
def test_broken_files_are_refused_with_the_line(text: str, what: str) -> None:
    """Mixed schemes, other tags, and lines with other columns."""
    assert problem("A.bio", text) == what


@pytest.mark.parametrize(
    "text",
    [
        "1\tEU\tB-ORG\tO\n2\tof\tI-ORG\tO\n3\tOslo\tI-ORG\tB-LOC\n4\tx\tO\tB-ORG\n",  # entities inside of entities
        "EU B-ORG O\nsees O O\n",  # a system without entities, or another annotation
        "EU B-ORG B-OTHER\nsees O O\n",
    ],
)
def test_two_columns_that_share_nothing_are_asked_about(text: str) -> None:
    """Nothing shows that they are gold and predicted tags; the option says it, either way."""
    text = text if "\t" not in text else "\n".join([text] * 6)
    intake = one("A.tsv", text)
    (asked,) = intake.problems
    assert "without an entity in common" in asked.what
    assert "tag_columns=both" in asked.fix
    both = read([("A.tsv", text.encode())], every=Choice(options={"tag_columns": "both"}))
    assert {item.role for item in both.items} == {"reference", "system"}
    last = read([("A.tsv", text.encode())], every=Choice(options={"tag_columns": "one"}))
    assert {item.role for item in last.items} == {"system"}


def test_text_is_not_taken_for_tags() -> None:
    """Lines that end with O, or with a word that looks like a mark, are text."""
    for text in ("he got an O\nshe is B\nand so on\n", "E B\nC I\nx y\n", "a b\nc d\n"):
        (found,) = one("A.txt", text).items
        assert found.kind == "text"


@pytest.mark.parametrize("tag", ["NN", "PER-B", "(ORG*", "ORG"])
def test_words_with_other_annotations_are_no_text(tag: str) -> None:
    """Read as text, each word would be a segment; the error says which tags can be read, and how others are compared."""
    text = "".join(f"word{k}\t{tag}\n" + "\n" * (k % 5 == 4) for k in range(40))
    intake = one("A.txt", text)
    (refused,) = intake.problems
    assert refused.what == "It looks like words with annotations, one word per line in 2 columns."
    (read_as_text,) = one("A.txt", text, "plain", holds="text").items
    assert read_as_text.kind == "text"
