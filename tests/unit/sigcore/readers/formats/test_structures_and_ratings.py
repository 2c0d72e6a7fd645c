"""Trees, links, counts, ratings and test sets of campaigns: which part of a file gives what, in which order and direction."""

from __future__ import annotations

import pytest

from sigcore.readers import Choice, Intake, read

Rating = tuple[str, str, str, float, str]  # system, segment, judge, score, what was rated


def loaded(file: str, text: str, reader: str = "", **options: object) -> Intake:
    return read([(file, text.encode())], every=Choice(reader, options) if reader or options else None)


def texts(file: str, text: str, reader: str = "", **options: object) -> list[tuple[str, ...]]:
    intake = loaded(file, text, reader, **options)
    assert not intake.problems, intake.problems
    return [item.segments for item in intake.items]


def notes(file: str, text: str, reader: str = "", **options: object) -> str:
    return " ".join(notice.message for notice in loaded(file, text, reader, **options).notices)


def rated(file: str, text: str, reader: str = "ratings", **options: object) -> list[Rating]:
    (part,) = loaded(file, text, reader, **options).judgments
    columns = (part.system, part.segment, part.judge, part.score, part.dimension)
    return list(zip(*(column.tolist() for column in columns), strict=True))


# ---- trees in brackets


TREE = "(S (NP (NN rain)) (VP (VBZ falls)))"


@pytest.mark.parametrize(
    ("text", "trees"),
    [
        (f"{TREE}\n\n{TREE}\n\n{TREE}\n", (TREE,) * 3),  # every second line is empty: they separate
        (f"{TREE}\n\n{TREE}\n", (TREE, "", TREE)),  # of two trees one may be missing
        (f"{TREE}\n(S (NP))\n{TREE}\n", (TREE, "", TREE)),  # no words
        ("(S (NP (NN rain))\n  (VP (VBZ falls)))\n(S (VP (VBZ stop)))\n", (TREE, "(S (VP (VBZ stop)))")),  # indented
        ("(S (NP (NN rain))\n   (VP\n   (VBZ falls)))\n", (TREE,)),
    ],
)
def test_trees_and_missing_trees(text: str, trees: tuple[str, ...]) -> None:
    """One per line, or over several."""
    assert texts("One.txt", text, "brackets") == [trees]


def test_two_trees_in_one_line_are_told() -> None:
    """The first such line."""
    assert "1 line contains more than one tree, the first is line 2" in notes(
        "One.txt", f"{TREE}\n{TREE} {TREE}\n{TREE}\n", "brackets"
    )


# ---- dependency trees


def word(*cells: str, width: int = 10) -> str:
    """number form tag xpos head label, with _ for all others."""
    number, form, tag, other, head, label = cells
    row = [number, form, "_", tag, other, "_", head, label, "_", "_", *["_"] * (width - 10)]
    return "\t".join(row)


def conll(*rows: str) -> str:
    return "\n".join([*rows, ""]) + "\n"


def test_ranges_and_empty_nodes_are_left_out() -> None:
    """They are counted; a head may be the last word, and not beyond it."""
    rows = [word("1-2", "zum", "_", "_", "_", "_"), word("1", "zu", "P", "a", "2", "case"), word("2", "Haus", "N", "b", "0", "root"),
            word("2.1", "x", "_", "_", "_", "_")]  # fmt: skip
    assert texts("One.conllu", conll(*rows)) == [("zu\tP\t2\tcase\nHaus\tN\t0\troot",)]
    assert "2 lines with ranges (1-2) or empty nodes (1.1) were left out" in notes("One.conllu", conll(*rows))
    (problem,) = loaded(
        "One.conllu", conll(word("1", "a", "P", "a", "3", "x"), word("2", "b", "N", "b", "0", "root"))
    ).problems
    assert "line 1: HEAD 3 points beyond the 2 words" in problem.what


def test_a_sentence_needs_one_root() -> None:
    """None, or two, are told with the first such sentence."""
    one = conll(word("1", "a", "P", "a", "0", "root"))
    two = conll(word("1", "a", "P", "a", "0", "root"), word("2", "b", "P", "a", "0", "root"))
    assert "1 sentence has not exactly one root (HEAD 0), the first is sentence 2." in notes("One.conllu", one + two)


def test_tags_come_from_the_other_column_where_one_is_empty() -> None:
    """And that is said."""
    rows = conll(word("1", "a", "_", "X", "0", "root"))
    assert texts("One.conllu", rows) == [("a\tX\t0\troot",)]
    assert "Column 4 has no tags; those of column 5 were used." in notes("One.conllu", rows)
    both = conll(word("1", "a", "P", "X", "0", "root"))
    assert texts("One.conllu", both, "conll", tags="xpos") == [("a\tX\t0\troot",)]


def row2009(head: str, predicted: str) -> str:
    return "\t".join(
        ["1", "a", "_", "_", "G", "P", "_", "_", head, predicted, "gold" if head != "_" else "_", "pred", "_", "_"]
    )


@pytest.mark.parametrize(
    ("head", "predicted", "options", "tree"),
    [
        ("0", "0", {}, "a\tG\t0\tgold"),
        ("_", "0", {}, "a\tP\t0\tpred"),  # a system's file
        ("0", "0", {"columns": "predicted"}, "a\tP\t0\tpred"),
        ("0", "_", {}, "a\tG\t0\tgold"),
    ],
)
def test_columns_of_conll_2009(head: str, predicted: str, options: dict[str, object], tree: str) -> None:
    """The gold ones if they are filled in and nobody says otherwise."""
    assert texts("One.conll", row2009(head, predicted) + "\n", "conll", **options) == [(tree,)]


def test_another_predicted_tree_is_told() -> None:
    """An empty one, or the same, is none."""
    for predicted, told in (("1", True), ("0", False), ("_", False)):
        assert ("contain other trees" in notes("One.conll", row2009("0", predicted) + "\n", "conll")) is told


# ---- word links


def test_links_of_naacl_count_from_one() -> None:
    """The number of sentences may be said, and is at least that of the last link."""
    text = "1 1 1 S\n1 2 3 P\n3 1 1 S\n"
    assert texts("One.wa", text, "naacl") == [("0-0 1p2", "", "0-0")]
    assert texts("One.wa", text, "naacl", sentences=3) == [("0-0 1p2", "", "0-0")]
    assert texts("One.wa", text, "naacl", sentences=5) == [("0-0 1p2", "", "0-0", "", "")]
    (problem,) = loaded("One.wa", text, "naacl", sentences=2).problems
    assert "links of sentence 3, but the option sentences says that the test set has 2" in problem.what


@pytest.mark.parametrize(("n", "reader"), [(20, "talp"), (19, "pharaoh")])
def test_twenty_segments_without_an_index_zero_count_from_one(n: int, reader: str) -> None:
    """Fewer may have none by chance, and the note says how to read them."""
    text = "1-1 2-2\n" * n
    assert texts("One.wa", text)[0][0] == ("0-0 1-1" if reader == "talp" else "1-1 2-2")
    assert ("read it as Pharaoh" if reader == "talp" else "read it as Talp") in notes("One.wa", text)
    assert "read it as Talp" not in notes("One.wa", text, "pharaoh", base=1)


# ---- counts


@pytest.mark.parametrize(
    ("heads", "kind"),
    [
        ("tp,pred,gold", "statistics"),
        ("id,tp,pred", "statistics"),
        ("tp,A", ""),
        ("a,s", ""),
        ("a,s,tp,gold", "statistics"),
    ],
)
def test_two_headings_of_counts_make_counts(heads: str, kind: str) -> None:
    """And no other heading; a and s alone may be systems."""
    cells = ",".join("123456"[: heads.count(",") + 1])
    found = {item.kind for item in loaded("One.csv", f"{heads}\n{cells}\n{cells[::-1]}\n").items}
    assert ("statistics" in found) is bool(kind)


def test_pairs_of_names_and_numbers_have_the_same_names_in_every_line() -> None:
    """Else they are text."""
    assert {item.kind for item in loaded("One.txt", "tp=1 gold=2\ntp=0 gold=1\n").items} == {"statistics"}
    assert {item.kind for item in loaded("One.txt", "tp=1 gold=2\ntp=0\n").items} == {"text"}


# ---- ratings


MQM = "system\tdoc\tseg_id\trater\tcategory\tseverity\n"


def test_errors_of_a_rater_in_a_segment_are_summed() -> None:
    """Points count with a minus; unknown severities are counted."""
    rows = [
        "A\td\t1\tr1\tStyle\tMajor",
        "A\td\t1\tr1\tStyle\tMinor",
        "A\td\t1\tr2\tStyle\tMinor",
        "A\td\t2\tr1\tx\thuge",
        "A\td\t2\tr1\tx\thuge",
    ]
    text = MQM + "\n".join(rows) + "\n"
    assert [(segment, judge, score) for _, segment, judge, score, _ in rated("m.tsv", text, "")] == [
        ("1", "r1", -6.0),
        ("1", "r2", -1.0),
    ]
    assert "Left out: 2 lines with the unknown severity 'huge'." in notes("m.tsv", text)


def test_a_rating_without_a_system_is_named_with_the_first_of_its_lines() -> None:
    """The errors of one rating stand in several lines."""
    (problem,) = loaded("m.tsv", MQM + "A\td\t1\tr\tx\tMajor\n\td\t2\tr\tx\tMajor\n\td\t2\tr\tx\tMinor\n").problems
    assert ("names no system" in problem.what, getattr(problem, "line", None)) == (True, 3)


@pytest.mark.parametrize(
    ("file", "dimension"),
    [
        ("x.csv", "quality"),
        ("x-fluency.csv", "fluency"),
        ("x.esa.csv", "ESA"),
        ("mqm.csv", "MQM"),
        ("mesa.csv", "quality"),
    ],
)
def test_the_file_names_what_was_rated(file: str, dimension: str) -> None:
    """Unless a row or somebody does."""
    text = "judge,system,segment,score\nAnn,A,1,80\nEve,A,2,60\n"
    assert {one[4] for one in rated(file, text)} == {dimension}
    assert {one[4] for one in rated(file, text, dimension="tone")} == {"tone"}
    named = "judge,system,segment,aspect,score\nAnn,A,1,fl,80\nEve,A,2,,60\n"
    assert [one[4] for one in rated(file, named)] == ["fluency", dimension]


def test_lower_ratings_may_be_better() -> None:
    """The sign of the scores and of the z scores turns."""
    text = "judge,system,segment,score,z\nAnn,A,1,80,1.5\nEve,A,2,60,-0.5\n"
    (part,) = loaded("x.csv", text, "ratings", better="lower").judgments
    assert (part.score.tolist(), part.z.tolist()) == ([-80.0, -60.0], [-1.5, 0.5])
    (part,) = loaded("x.csv", text, "ratings").judgments
    assert (part.score.tolist(), part.z.tolist()) == ([80.0, 60.0], [1.5, -0.5])


@pytest.mark.parametrize(
    ("heads", "row", "absolute"),
    [
        ("judge,system,segment,score", "Ann,A,{},80", False),
        ("system,segment,score", "A,{},80", True),
        ("judge,system,segment,z", "Ann,A,{},0.5", True),
    ],
)
def test_ratings_that_cannot_or_need_not_be_standardised(heads: str, row: str, absolute: bool) -> None:
    """Without judges, or standardised already."""
    (part,) = loaded("x.csv", f"{heads}\n{row.format(1)}\n{row.format(2)}\n", "ratings").judgments
    assert part.absolute is absolute


def test_ratings_for_quality_control_count_for_no_system() -> None:
    """Nor do those of an unknown type; the note counts the systems that are rated."""
    text = "judge,system,segment,type,score\nAnn,A,1,SYSTEM,80\nAnn,B,1,BAD_REF,20\nAnn,C,2,odd,30\nEve,A,2,tgt,70\n,A,3,TGT,10\n"
    said = notes("x.csv", text)
    assert "5 ratings by 2 judges, 1 system, for adequacy. 2 of them are for quality control" in said
    assert "Ratings of unknown type (odd) are not counted" in said


# ---- test sets of campaigns


def test_sgml_names_the_system_of_each_document() -> None:
    """Before that of the set; the genre is the domain, and entities are characters."""
    text = (
        '<tstset setid="x" srclang="cs" trglang="en" sysid="One">\n<doc docid="d" sysid="Two" genre="news">\n'
        '<seg id="1">a &amp;lt; b</seg>\n</doc>\n<doc docid="e" sysid="Two" genre="talk">\n<seg id="1">c</seg>\n</doc>\n</tstset>\n'
    )
    found = loaded("x.sgm", text)
    systems = {item.name: item.segments for item in found.items if item.role == "system"}
    assert systems == {"Two": ("a &lt; b", "c")}
    assert {item.keys for item in found.items if item.role == "system"} == {("1 of d", "1 of e")}
    (domains,) = (item.segments for item in found.items if item.role == "domains")
    assert domains == ("news", "talk")


def test_xml_names_the_reference_by_its_translator() -> None:
    """Before its id; the domain before the genre; segments of test suites are counted once, by their source."""
    text = (
        '<dataset id="x"><doc id="d" domain="news" genre="g">\n<src lang="cs"><seg id="1">a</seg></src>\n'
        '<ref lang="en" id="R" translator="T"><seg id="1">b</seg></ref>\n<hyp system="S" lang="en"><seg id="1">c</seg></hyp></doc>\n'
        '<doc id="f" domain="talk" genre="g">\n<src lang="cs"><seg id="1">a</seg></src>\n'
        '<ref lang="en" id="R" translator="T"><seg id="1">b</seg></ref>\n<hyp system="S" lang="en"><seg id="1">c</seg></hyp></doc>\n'
        '<doc id="e" testsuite="suite"><src lang="cs"><seg id="1">x</seg><seg id="2">y</seg></src>\n'
        '<hyp system="S" lang="en"><seg id="1">x</seg><seg id="2">y</seg></hyp></doc></dataset>\n'
    )
    found = loaded("x.xml", text)
    assert [(item.name, item.role) for item in found.items if item.role in ("reference", "system")] == [
        ("T", "reference"),
        ("S", "system"),
    ]
    assert [item.segments for item in found.items if item.role == "domains"] == [("news", "talk")]
    assert "(suite) were left out, with 2 source segments" in notes("x.xml", text)


def test_submissions_to_a_metrics_task() -> None:
    """A test set is named by its pair alone where there is one; several references are several measures."""
    line = "chrF\tcs-en\t{}\t{}One\t{}\t0.{}\n"
    one = "".join(line.format("news", "", k, k) for k in (1, 2))
    assert {(item.testset, item.measure) for item in loaded("m.seg.scr", one).items} == {("cs-en", "chrF")}
    two = one + "".join(line.format("talk", "", k, k) for k in (1, 2))
    assert {item.testset for item in loaded("m.seg.scr", two).items} == {"cs-en.news", "cs-en.talk"}
    for references, measures in (("A", {"chrF"}), ("AB", {"chrF refA", "chrF refB"})):
        text = "".join(line.format("news", f"ref{ref}\t", k, k) for ref in references for k in (1, 2))
        assert {item.measure for item in loaded("m.seg.scr", text).items} == measures


def test_outputs_in_pieces_are_joined() -> None:
    """Where nine tenths of the lines have the mark of a word; else it is a part of the text."""
    nine, ten = ("\u2581a b \u2581c\n" * n + "plain\n" for n in (8, 9))
    assert texts("One.txt", ten)[0][0] == "ab c"
    assert texts("One.txt", nine)[0][0] == "\u2581a b \u2581c"


def test_a_domain_comes_before_its_document() -> None:
    """Separated by a blank, or by a TAB where names have blanks."""
    for text in ("news d1\ntalk d2\n", "news\td1\ntalk\td2\n"):
        assert [(item.role, item.segments) for item in loaded("cs-en.docs", text).items] == [
            ("domains", ("news", "talk")),
            ("documents", ("d1", "d2")),
        ]
    (problem,) = loaded("cs-en.docs", "news d1\nd2\n").problems
    assert "line 2" in problem.what


def test_an_error_in_a_tree_does_not_join_it_to_the_next() -> None:
    """A line that is indented more than the first goes on; one that is not begins anew."""
    indented = "(S (NP (NN rain))\n  (VP (VBZ falls)))\n(S (VP (VBZ stop)))\n(S (VP (VBZ go)))\n(S (VP (VBZ go)))\n"
    assert len(texts("One.txt", indented, "brackets")[0]) == 4
    (problem,) = loaded(
        "One.txt",
        "(S (NP (NN rain))\n(VP (VBZ falls)))\n(S (VP (VBZ stop)))\n(S (VP (VBZ go)))\n(S (VP (VBZ go)))\n",
        "brackets",
    ).problems
    assert "line 1" in problem.what


def test_the_split_form_of_2008_is_used_where_the_form_is_empty() -> None:
    """Parts of a word have it in the sixth column."""
    rows = [
        "\t".join(["1", "_", "_", "P", "_", "zu", "_", "_", "2", "case", "_", "_"]),
        "\t".join(["2", "Haus", "_", "N", "_", "haus", "_", "_", "0", "root", "_", "_"]),
    ]
    assert texts("One.conll08", conll(*rows), "conll") == [("zu\tP\t2\tcase\nHaus\tN\t0\troot",)]


def test_errors_belong_to_the_id_of_their_segment() -> None:
    """Also where an item stands beside it."""
    text = "system\titem\tseg_id\trater\tcategory\tseverity\nA\tx\t1\tr\tStyle\tMajor\nA\tx\t2\tr\tStyle\tMinor\n"
    assert [(segment, score) for _, segment, _, score, _ in rated("m.tsv", text, "")] == [("1", -5.0), ("2", -1.0)]


def appraise(score: str, spans: str, item: int = 1, *, whole: str = "False", system: str = "A") -> str:
    quoted = spans.replace('"', '""')
    return f'ann,{system},{item},TGT,ces,eng,{score},doc#bad,{whole},"{quoted}",1.0,2.0\n'


def test_errors_of_appraise_are_points() -> None:
    """Where all scores are 0; they mean the same for every judge, and whole documents are left out."""
    major, minor = '[{"severity": "major"}]', '[{"severity": "minor"}, {"severity": "minor"}]'
    text = (
        appraise("0", major) + appraise("0", minor, 2) + appraise("0", "[]", 3) + appraise("0", "[]", 4, whole="True")
    )
    (part,) = loaded("x.csv", text).judgments
    assert part.score.tolist() == [-5.0, -2.0, 0.0]
    assert (set(part.dimension.tolist()), part.absolute, set(part.document.tolist())) == ({"MQM"}, True, {"doc"})
    (scored,) = loaded("x.csv", text.replace(",0,doc", ",70,doc", 1)).judgments
    assert (scored.score.tolist(), scored.absolute) == ([70.0, 0.0, 0.0], False)


def test_one_rating_of_zero_is_a_rating() -> None:
    """Of one row nothing says that the errors count."""
    (part,) = loaded("x.csv", appraise("0", '[{"severity": "major"}]')).judgments
    assert part.score.tolist() == [0.0]


def test_the_tutorial_counts_for_nobody() -> None:
    """By the system or by the document."""
    (part,) = loaded("x.csv", appraise("50", "[]") + appraise("60", "[]", system="tutorial-1")).judgments
    assert part.system.tolist() == ["A"]
    table = "judge,system,segment,doc,score\nann,A,1,d,5\nann,A,2,tutorial,6\nann,tutorial,3,d,7\n"
    (part,) = loaded("x.csv", table).judgments
    assert part.segment.tolist() == ["1"]


@pytest.mark.parametrize("number", ["3", "1", "02"])
def test_words_are_numbered_one_after_the_other(number: str) -> None:
    """A number that is missing, comes again or is written in another way is named with its line."""
    rows = conll(word("1", "a", "P", "a", "0", "root"), word(number, "b", "P", "a", "1", "x"))
    (problem,) = loaded("One.conllu", rows).problems
    assert f"line 2: {number!r} is where word 2 of the sentence should be." in problem.what
