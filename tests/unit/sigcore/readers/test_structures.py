"""Readers of trees, word links and bracketings: what they are recognised by, what they give, what they refuse."""

from __future__ import annotations

import pytest

from sigcore import readers
from sigcore.readers import Choice, Intake, Item


def one(file: str, text: str, reader: str = "", **options: object) -> Intake:
    """One file, read by the surest reader or by the one that is named."""
    return readers.read([(file, text.encode())], chosen={file: Choice(reader, options)} if reader else None)


def item(file: str, text: str, reader: str = "", **options: object) -> Item:
    """The only item of a file without problems."""
    intake = one(file, text, reader, **options)
    assert intake.problems == ()
    (found,) = intake.items
    return found


def problem(file: str, text: str, reader: str = "", **options: object) -> str:
    """The only problem of a file."""
    intake = one(file, text, reader, **options)
    assert intake.items == ()
    (found,) = intake.problems
    assert found.fix
    return found.what


def messages(intake: Intake) -> str:
    return " ".join(notice.message for notice in intake.notices)


# ---- trees

CONLLU = """# sent_id = 1
# text = Don't go.
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_
3.1\tthere\t_\t_\t_\t_\t_\t_\t_\t_
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_
"""
TREES = (
    "Do\tAUX\t3\taux\nn't\tPART\t3\tadvmod\ngo\tVERB\t0\troot\n.\tPUNCT\t3\tpunct",
    "Yes\tINTJ\t0\troot",
)


@pytest.mark.parametrize("file", ["sys.conllu", "sys.txt", "sys", "sys.conll.gz"])
def test_conllu_is_known_by_its_content(file):
    """Comments, ranges and empty nodes are left out; the name does not matter."""
    if file.endswith(".gz"):
        file = file[:-3]
    intake = one(file, CONLLU)
    assert intake.problems == ()
    (found,) = intake.items
    assert (found.name, found.kind, found.role, found.reader, found.segments) == (
        "sys",
        "trees",
        "system",
        "conll",
        TREES,
    )
    assert "2 lines with ranges (1-2) or empty nodes" in messages(intake)


def test_line_ends_blank_lines_and_a_missing_last_one_do_not_matter():
    """CRLF, several blank lines and no last line break give the same trees."""
    odd = CONLLU.replace("\n\n", "\n \n\n\n").rstrip("\n").replace("\n", "\r\n")
    assert item("sys.conllu", odd).segments == TREES


@pytest.mark.parametrize("file", ["gold.conllu", "en_pud.gold.conllu", "reference.conll"])
def test_gold_is_known_by_its_name(file):
    """A file called gold is the reference."""
    assert item(file, CONLLU).role == "reference"


def test_tags_of_the_other_column():
    """XPOS can be kept instead of UPOS, and is taken where UPOS is empty."""
    assert item("a.conllu", CONLLU, "conll", tags="xpos").segments[1] == "Yes\tUH\t0\troot"
    intake = one("a.conllu", "1\tYes\t_\t_\tUH\t_\t0\troot\t_\t_\n")
    assert intake.items[0].segments == ("Yes\tUH\t0\troot",)
    assert "Column 4 has no tags; those of column 5 were used." in messages(intake)
    # one word without a tag is no empty column
    partly = one("a.conllu", CONLLU.replace("\tINTJ\tUH", "\t_\tUH"))
    assert partly.items[0].segments == (TREES[0], "Yes\t_\t0\troot")
    assert "has no tags" not in messages(partly)


# FORM LEMMA GPOS PPOS SPLIT_FORM SPLIT_LEMMA PPOSS HEAD DEPREL PRED ARGS
CONLL_2008 = (
    "1\t_\ta\tNN\tNN\ttime\ttime\tNN\t2\tSBJ\t_\tA0\n2\tflies\tb\tVBZ\tVBZ\tflies\tfly\tVBZ\t0\tROOT\tfly.01\t_\n"
)
# FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED
CONLL_2009 = (
    "1\ttime\ta\ta\tNN\tNX\t_\t_\t{0}\t2\t{1}\tSBJ\t_\t_\n2\tflies\tb\tb\tVBZ\tVX\t_\t_\t{2}\t0\t{3}\tROOT\tY\tfly.01\n"
)


def test_conll_2008_and_2009_are_known_by_their_columns():
    """Form, head and label stand in other columns there; PHEAD is taken where HEAD is blank, or where asked for."""
    intake = one("a.conll", CONLL_2008)
    assert intake.items[0].segments == ("time\tNN\t2\tSBJ\nflies\tVBZ\t0\tROOT",)
    assert "read as CoNLL-2008" in messages(intake)
    gold = CONLL_2009.format(0, "OBJ", 1, "X")
    intake = one("a.conll", gold)
    assert intake.items[0].segments == ("time\tNN\t0\tOBJ\nflies\tVBZ\t1\tX",)
    assert "choose 'predicted'" in messages(intake)
    predicted = ("time\tNX\t2\tSBJ\nflies\tVX\t0\tROOT",)
    assert item("a.conll", gold, "conll", columns="predicted").segments == predicted
    blank = CONLL_2009.format("_", "_", "_", "_")
    assert item("a.conll", blank).segments == predicted
    # whoever asks for the gold trees does not get others
    (refused,) = readers.read(
        [("a.conll", blank.encode())], chosen={"a.conll": Choice("conll", {"columns": "gold"})}
    ).problems
    assert "HEAD is '_': the word has no head." in refused.what


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("\t3\tpunct\t_\t_", "\t3\tpunct\t_", "line 8: 9 columns, expected 10."),
        (
            "1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_",
            "1 Yes yes INTJ UH _ 0 root _ _",
            "line 10: 1 column, expected 10 (tabs turned into spaces?).",
        ),
        ("\t3\tpunct", "\t_\tpunct", "line 8: HEAD is '_': the word has no head."),
        ("\t3\tpunct", "\tthree\tpunct", "line 8: HEAD 'three' is not a number."),
        ("\t3\tpunct", "\t-1\tpunct", "line 8: HEAD '-1' is not a number."),
        ("\t3\tpunct", "\t5\tpunct", "line 8: HEAD 5 points beyond the 4 words of its sentence."),
        ("4\t.\t", "5\t.\t", "line 8: '5' is where word 4 of the sentence should be."),
        ("3\tgo\t", "x\tgo\t", "line 6: 'x' is where word 3 of the sentence should be."),
        ("3\tgo\t", "3\t\t", "line 6: the word has no form."),
    ],
)
def test_faults_of_conll_name_their_line(old, new, words):
    """What is wrong, and where."""
    assert problem("sys.conllu", CONLLU.replace(old, new, 1)) == words


def test_blanks_instead_of_tabs_are_known_without_the_name():
    """A file of trees whose tabs became blanks is no text."""
    assert "tabs turned into spaces?" in problem("sys.txt", CONLLU.replace("\t", "  "))


def test_a_conll_file_of_another_kind_is_refused():
    """A .conll file that has no trees is not read as text."""
    assert (
        problem("a.conll", "Anna B-PER\nsees O\n", "conll")
        == "line 1: a word and its tag (names, chunks), not a dependency tree."
    )
    assert problem("b.conll", "Anna\n") == "line 1: 1 column, expected 10."
    assert problem("a.conllu", "# only a comment\n") == "It contains no words."


def test_sentences_without_one_root_are_told():
    """A tree with two roots, or none, is read, and counted in a notice."""
    for old, new in (("\t3\tpunct", "\t0\tpunct"), ("VB\t_\t0\troot", "VB\t_\t1\troot")):
        intake = one("a.conllu", CONLLU.replace(old, new))
        assert "1 sentence has not exactly one root (HEAD 0), the first is sentence 1." in messages(intake)


@pytest.mark.parametrize(
    ("heads", "circle"),
    [
        ("0", False),
        ("2 0", False),
        ("1", True),
        ("2 1", True),
        ("0 3 4 2", True),
        ("0 1 2 3", False),
        ("2 3 0 0", False),
    ],
)
def test_circles_of_heads_are_told(heads, circle):
    """Words whose heads lead back to themselves are no tree; they are read, and counted in a notice."""
    rows = [f"{k}\tw{k}\t_\tX\t_\t_\t{head}\tdep\t_\t_" for k, head in enumerate(heads.split(), 1)]
    said = "1 sentence has words that lead in a circle, not to a root, the first is sentence 1."
    assert (said in messages(one("a.conllu", "\n".join(rows) + "\n\n"))) == circle


# ---- word links

ZERO = "0-0 1-2 1-1\n\n2p3 0-0\n"


@pytest.mark.parametrize(
    "text",
    [
        ZERO,
        "1-1 0-0 1-2 0-0\n\n0-0 2?3\n",
        "0-0:0.9 1-2:1 1-1:1e-05\n\n0-0 2-3P\n",
        "0-0S 1-2 1-1\n\n0-0:S 2-3:P:0.5\n",
    ],
)
def test_pharaoh_in_all_its_spellings(text):
    """Possible links by p, ?, P or :P; scores are dropped, repeated links are one, and the order is always the same."""
    found = item("sys.txt", text)
    assert (found.kind, found.reader) == ("alignments", "pharaoh")
    assert found.segments == ("0-0 1-1 1-2", "", "0-0 2p3")


def test_sure_wins_over_possible():
    """A link that is given as both is sure."""
    assert item("a.txt", "0p0 0-0 1p1\n").segments == ("0-0 1p1",)


def test_options_of_pharaoh():
    """Words may count from 1, and links name the target first."""
    assert item("a.txt", "1-2 2p3\n", "pharaoh", base=1).segments == ("0-1 1p2",)
    assert item("a.txt", "0-2 1p0\n", "pharaoh", reverse=True).segments == ("0p1 2-0",)
    assert problem("a.txt", "1-1 0-2\n", "pharaoh", base=1) == "line 1: '0-2' has a 0, but words count from 1."


def test_talp_is_known_by_a_number_that_never_is_0():
    """Many segments without any 0 count from 1; with few it is Pharaoh, and a notice; the suffix decides, too."""
    many = one("a.txt", "1-1 2p2\n" * 20)
    assert many.items[0].segments == ("0-0 1p1",) * 20
    assert "counted from 1" in messages(many)
    few = one("a.txt", "1-1 2p2\n" * 19)
    assert few.items[0].segments == ("1-1 2p2",) * 19
    assert "read it as Talp" in messages(few)
    assert item("a.talp", "1-1\n").segments == ("0-0",)
    assert item("a.txt", "1-1 2p2\n", "talp", reverse=True).segments == ("0-0 1p1",)


def test_faults_of_links_name_their_line():
    """What is wrong, and where; one slip does not make it text."""
    assert (
        problem("a.txt", "0-0 1-1 2-2\n\n0-0 5_6\n1-1 0-0\n") == "line 3: '5_6' is not a link; expected i-j, ipj, i?j."
    )


def test_naacl():
    """Sentences without a line have no link, 0 is the empty word, P is possible, S is usual; numbers may be padded."""
    text = "0001 1 1 S 0.5\n0001 2 3 P\n0001 0 4 S\n0003 2 1\n"
    found = item("a.txt", text)
    assert (found.reader, found.segments) == ("naacl", ("0-0 1p2", "", "1-0"))
    assert item("a.txt", text, "naacl", sentences=5, reverse=True).segments == ("0-0 2p1", "", "0-1", "", "")
    assert item("a.txt", text.replace(" ", "\t")).reader == "naacl"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "1 1 1 S\n1 1 x\n1 1 1\n1 1 1\n1 2 2\n",
            "line 2: '1 1 x' is not a link; expected sentence source target, and optionally S or P and a confidence.",
        ),
        ("1 1 1\n999999999 1 1\n", "line 2: sentence 999999999; sentences are numbered from 1 to at most 1,000,000."),
        ("0 1 1\n1 1 1\n", "line 1: sentence 0; sentences are numbered from 1 to at most 1,000,000."),
    ],
)
def test_faults_of_naacl_name_their_line(text, words):
    """What is wrong, and where."""
    assert problem("a.naacl", text) == words


def test_too_few_sentences_asked_for():
    """Links behind the last sentence are a fault."""
    assert (
        problem("a.naacl", "3 1 1\n", "naacl", sentences=2)
        == "It has links of sentence 3, but the option sentences says that the test set has 2."
    )


def test_numbers_that_are_no_links_stay_what_they_are():
    """A table of three whole numbers, a column of scores and sports results in prose are no links."""
    assert {i.kind for i in one("a.tsv", "1\t2\t3\n4\t5\t6\n3\t5\t6\n").items} == {"scores"}
    assert item("a.txt", "0.5\n1\n").kind == "scores"
    assert item("a.txt", "They won 3-1 at home .\nThen 0-0 .\n").kind == "text"


@pytest.mark.parametrize(
    ("file", "role"),
    [
        ("gold.sure+possible.pharaoh", "possible"),
        ("gold.sure.pharaoh", "reference"),
        ("ref.poss.txt", "possible"),
        ("possible-system.txt", "system"),
    ],
)
def test_a_second_gold_file_is_known_by_its_name(file, role):
    """The file with the possible links has a role of its own, unless it marks them itself."""
    assert item(file, ZERO.replace("p", "-")).role == role
    assert item(file, ZERO).role == role.replace("possible", "reference")


# ---- bracketings

TIME = "(TOP (S (NP (NN time)) (VP (VBZ flies))))"


@pytest.mark.parametrize(
    "text",
    [
        f"{TIME}\n{TIME}\n",
        "(TOP(S(NP(NN time))(VP(VBZ flies))))\n  (TOP (S ( NP (NN  time) ) (VP (VBZ flies) ) ) )  \n",
    ],
)
def test_one_tree_per_line(text):
    """Blanks do not matter."""
    found = item("sys.txt", text)
    assert (found.kind, found.reader, found.segments) == ("brackets", "brackets", (TIME, TIME))


def test_trees_over_several_lines():
    """Indented trees are gathered up to their last bracket; empty lines between them mean nothing."""
    text = "( (S\n    (NP (NN time))\n    (VP (VBZ flies))))\n\n( (S (NP (NN tide))\n     (VP (VBZ waits)\n)))\n"
    intake = one("wsj_0001.mrg", text)
    assert intake.items[0].segments == (
        "( (S (NP (NN time)) (VP (VBZ flies))))",
        "( (S (NP (NN tide)) (VP (VBZ waits))))",
    )
    assert intake.items[0].name == "wsj_0001"
    assert "several lines" in messages(intake)


@pytest.mark.parametrize("none", ["", "()", "(())", "( )", "(TOP )"])
def test_no_parse_is_an_empty_segment(none):
    """An empty line, or a tree without words, is a sentence without a parse, and told."""
    intake = one("sys.txt", f"{TIME}\n{TIME}\n{none}\n{TIME}\n")
    assert intake.items[0].segments == (TIME, TIME, "", TIME)
    assert "1 of 4 segments has no parse, the first is line 3." in messages(intake)
    assert ("labels are not used: (TOP ) (the first is line 3)" in messages(intake)) == ("TOP" in none)


def test_empty_lines_between_all_trees_part_them():
    """Where every second line is empty, none of them is a missing parse."""
    intake = one("sys.txt", f"{TIME}\n\n{TIME}\n\n{TIME}\n")
    assert intake.items[0].segments == (TIME,) * 3
    assert "Every second line is empty" in messages(intake)


def test_two_trees_on_a_line_are_read_as_one():
    """As evalb does, with a notice."""
    intake = one("sys.txt", f"{TIME}\n{TIME} (X (NN y))\n{TIME}\n")
    assert intake.items[0].segments[1] == f"{TIME} (X (NN y))"
    assert "1 line contains more than one tree, the first is line 2" in messages(intake)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{TIME}\n{TIME[:-2]}\n{TIME}\n", "line 2: 2 unclosed '('."),
        (f"{TIME}\n{TIME})\n{TIME}\n", "line 2: an extra ')'."),
        (f"{TIME}\n{TIME} x\n{TIME}\n", "line 2: 'x' is outside the brackets."),
        (f"{TIME}\n(S (NN New York))\n{TIME}\n", "line 2: the word 'New' is not alone in '(NN New York)'."),
        (
            f"{TIME}\n(S (NP (NN time) flies))\n{TIME}\n",
            "line 2: the word 'flies' is not alone in '(NP (...) flies)'.",
        ),
        ("(S\n  (NN a)\n(S\n  (NN b))\n", "line 1: 1 unclosed '('."),
        ("(S\n  (NN a))\n(S\n  (NN b)\n", "line 3: 1 unclosed '('."),
    ],
)
def test_faults_of_trees_name_their_line(text, words):
    """What is wrong, and on which line it starts."""
    assert problem("sys.txt", text) == words


def test_a_file_without_any_tree_is_refused():
    """Nothing but missing parses is no output."""
    assert problem("sys.mrg", "(())\n(())\n") == "It contains no trees."


def test_prose_in_brackets_stays_text():
    """Lines that happen to start with a bracket are no trees."""
    assert item("a.txt", "(Applause.)\n(see above)\n(he said so)\n").kind == "text"


@pytest.mark.parametrize("suffix", ["pharaoh", "talp"])
@pytest.mark.parametrize("text", ["1-1 2-2\n1-x 1_1 ??\n", "0:0 1:1\n0:0\n"])
def test_a_file_called_after_links_is_not_a_text(suffix, text):
    """Wrong links are refused with their line; as a text the file would be set aside beside the others."""
    assert "is not a link" in problem(f"sys.{suffix}", text)
    assert item("sys.en", text).kind == "text"
