"""The formats beside plain text and TSV: what each is recognised by, what it gives, and what it refuses."""

import io
import json
import zipfile

import pytest

from sigcore import readers
from sigcore.data.assembly import assemble
from sigcore.data.select import choices
from sigcore.readers import Choice, Intake, read


def one(file: str, text: str, **chosen: object) -> Intake:
    return read([(file, text.encode())], **chosen)


def streams(intake: Intake) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [(i.name, i.role, i.measure, i.segments) for i in intake.items]


def readers_of(intake: Intake) -> list[str]:
    return [file.reader for file in intake.detected]


XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="tiny">
 <doc id="d1" origlang="cs" domain="news">
  <src lang="cs"><p><seg id="1">Ahoj &amp; nazdar</seg>
   <seg id="2">
    Ano
   </seg></p></src>
  <ref lang="en" translator="A"><p><seg id="1">Hello &lt;there&gt;</seg><seg id="2">Yes</seg></p></ref>
  <hyp system="One" language="en"><p><seg id="2">Yeah</seg><seg id="1">Hi</seg></p></hyp>
 </doc>
 <doc id="d2" domain="talk">
  <src lang="cs"><seg id="1">Ne</seg></src>
  <ref lang="en" translator="A"><seg id="1">No</seg></ref>
  <hyp system="One"><seg id="1"></seg></hyp>
 </doc>
</dataset>
"""


def test_wmt_xml_gives_sources_references_systems_documents_and_domains() -> None:
    """Segments are matched by document and id, whatever their order; entities are read, layout is not text."""
    intake = one("test.cs-en.xml", XML)
    assert readers_of(intake) == ["wmt_xml"]
    assert intake.problems == ()
    assert streams(intake) == [
        ("source", "source", "", ("Ahoj & nazdar", "Ano", "Ne")),
        ("A", "reference", "", ("Hello <there>", "Yes", "No")),
        ("One", "system", "", ("Hi", "Yeah", "")),
        ("documents", "documents", "", ("d1", "d1", "d2")),
        ("domains", "domains", "", ("news", "news", "talk")),
    ]
    assert {item.testset for item in intake.items} == {"cs-en"}


@pytest.mark.parametrize("bare", [' domain="news"', ' domain="talk"'])
def test_domains_are_read_only_where_every_document_has_one(bare: str) -> None:
    """Of a document without a domain nobody knows to which it belongs; the documents themselves stay."""
    intake = one("test.cs-en.xml", XML.replace(bare, ""))
    assert intake.problems == ()
    assert [item.role for item in intake.items] == ["source", "reference", "system", "documents"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('<hyp system="One"><seg id="1"></seg></hyp>', "", "system One lacks 1 of 3 segments"),
        ('<seg id="2">Yes</seg>', '<seg id="1">Yes</seg>', "a second time"),
        ("</doc>\n</dataset>", "", "not well-formed XML"),
        ("<dataset", '<!DOCTYPE d [<!ENTITY a "b">]><dataset', "declares its own entity"),
        ('<seg id="1">No</seg>', "<seg>No</seg>", "has no id"),
    ],
)
def test_faulty_xml_is_named_with_its_line(old: str, new: str, told: str) -> None:
    """A stream that lacks a segment is left out; XML that is none is refused; both with what to do."""
    assert old in XML
    (problem,) = one("test.xml", XML.replace(old, new)).problems
    assert told in str(problem)
    assert problem.fix


@pytest.mark.parametrize("where", ["text", "attribute", "plain"])
def test_undefined_entities_are_refused(where: str) -> None:
    """An entity of a DTD that is not read is an error with its line, in text and in attributes; it never vanishes."""
    doctype = "" if where == "plain" else '<!DOCTYPE dataset SYSTEM "wmt.dtd">'
    name, text = ("caf&eacute;", "x") if where == "attribute" else ("cafe", "caf&eacute; &amp; bar")
    data = (
        f'{doctype}\n<dataset id="d"><doc id="1">\n<src lang="fr"><seg id="1">x</seg></src>\n'
        f'<hyp system="{name}" lang="en"><seg id="1">{text}</seg></hyp></doc></dataset>\n'
    )
    intake = read([("t.xml", data.encode())])
    assert not intake.items
    (problem,) = intake.problems
    assert "line 4" in str(problem)
    assert ("undefined entity" if where == "plain" else "&eacute; is not defined") in str(problem)
    known = read([("t.xml", data.replace("&eacute;", "&#233;").encode())])
    assert not known.problems
    assert "é" in "".join(item.name + item.segments[0] for item in known.items)


def test_sgm_is_read_with_its_entities_and_bare_ampersands() -> None:
    """Source, reference and test sets of the older kind; "&" alone is text."""
    doc = '<doc docid="{0}" genre="news" sysid="{1}"><hl><seg id="1">A &amp; B & C</seg></hl><p><seg id="2"> D </seg></p></doc>'
    text = f'<tstset setid="x" srclang="cs" trglang="en">\n{doc.format("a", "uedin")}\n{doc.format("b", "uedin")}\n</tstset>'
    intake = one("x.sgm", text)
    assert readers_of(intake) == ["wmt_sgm"]
    assert streams(intake)[0] == ("uedin", "system", "", ("A & B & C", "D", "A & B & C", "D"))
    assert streams(intake)[1][1:] == ("documents", "", ("a", "a", "b", "b"))
    assert "not closed" in str(one("x.sgm", text.replace("</seg></p>", "</p>", 1)).problems[0])


SUITE = """<doc id="t" testsuite="pronouns"><src lang="cs"><seg id="1">On</seg></src>
<hyp system="One"><seg id="1">He</seg></hyp></doc>"""


def test_documents_of_test_suites_are_left_out_and_told() -> None:
    """Only what belongs to the test set is read; a file of nothing else says so."""
    intake = one("test.xml", XML.replace("</dataset>", f"{SUITE}</dataset>"))
    assert streams(intake)[2] == ("One", "system", "", ("Hi", "Yeah", ""))
    assert [n.message for n in intake.notices] == [
        "Documents of test suites (pronouns) were left out, with 1 source segments: they are not part of the test set."
    ]
    (problem,) = one("test.xml", f"<dataset>{SUITE}</dataset>").problems
    assert "only documents of test suites (pronouns)" in str(problem)


def test_segments_without_any_reference_are_left_out_for_all_and_told() -> None:
    """Documents that nobody translated do not take the whole reference with them."""
    blind = '<ref lang="en" translator="A"><seg id="1">No</seg></ref>'
    intake = one("test.xml", XML.replace(blind, ""))
    assert intake.problems == ()
    assert [s[3] for s in streams(intake)[:3]] == [("Ahoj & nazdar", "Ano"), ("Hello <there>", "Yes"), ("Hi", "Yeah")]
    assert "No reference of this file has 1 of its 3 segments" in intake.notices[0].message


def test_two_references_of_one_name_are_told_apart_from_a_repeated_id() -> None:
    """The fix speaks of the names."""
    twice = '<ref lang="en" translator="A"><seg id="1">No</seg></ref>'
    (problem,) = one("test.xml", XML.replace(twice, twice * 2)).problems
    assert "reference A has segment 1 of document d2 a second time" in str(problem)
    assert "if it is another reference, give each its own name" in problem.fix


def test_a_source_has_no_name_of_a_system() -> None:
    """A set of sources that names a system is the one source of all."""
    sets = [
        f'<srcset setid="t" srclang="en" sysid="{k}"><doc docid="a"><seg id="1">x</seg></doc></srcset>' for k in "AB"
    ]
    intake = read([(f"{k}.sgm", text.encode()) for k, text in enumerate(sets)])
    assert {item.name for item in intake.items if item.role == "source"}.isdisjoint("AB")


def test_text_about_mark_up_stays_text() -> None:
    """A word in angle brackets makes no test set."""
    for first in ("<refset in words", "<doc> is a tag, as <seg and <src are", "an <srcset> without <segments>"):
        intake = one("sys.txt", f"{first}\nno mark-up here\n")
        assert readers_of(intake) == ["plain"], first


def test_documents_that_several_files_repeat_are_kept_once() -> None:
    """Twenty outputs of one test set do not bring twenty rows of documents, nor notices on their names."""
    doc = '<tstset srclang="CS" trglang="EN" sysid="{0}"><doc docid="a"><seg id="1">x</seg></doc><doc docid="b"><seg id="1">y</seg></doc></tstset>'
    intake = read([(f"{k}.sgm", doc.format(k).encode()) for k in range(20)])
    assert [i.role for i in intake.items].count("documents") == 1
    assert intake.notices == ()
    assert {i.testset for i in intake.items} == {"cs-en"}


def test_a_system_without_a_name_is_called_by_its_file() -> None:
    """Two outputs without sysid do not both become "system"."""
    doc = '<tstset srclang="cs" trglang="en"><doc docid="a"><seg id="1">x</seg></doc></tstset>'
    assert [i.name for i in read([("mine.sgm", doc.encode()), ("yours.sgm", doc.encode())]).items] == ["mine", "yours"]


def test_csv_holds_cells_together_with_quotes() -> None:
    """Commas and line ends inside quotes belong to the cell; NA and None are text in a column of text."""
    intake = one("t.csv", 'id,reference,A,B\n1,"Well, yes","None",NA\n2,"two\nlines","he said ""no""",x\n')
    assert readers_of(intake) == ["csv"]
    assert [s for *_, s in streams(intake)] == [("Well, yes", "two\nlines"), ("None", 'he said "no"'), ("NA", "x")]


def test_csv_with_semicolons_and_ragged_csv() -> None:
    """The mark that makes more headings is taken; a row of another length is named with its line."""
    assert [i.name for i in one("t.csv", "id;ref;A,1\n1;a;b\n2;c;d\n").items] == ["ref", "A,1"]
    (problem,) = one("t.csv", 'ref,A\n"x\ny",b\nc,d,e\n').problems
    assert "line 4 has 3 cells, line 1 has 2" in str(problem)
    assert "From line 2 on it cannot be read as a table" in str(one("t.csv", 'ref,A\n"a"b,c\n').problems[0])


LONG = "system,seg_id,comet,text\nA,2,0.7,two\nA,1,0.5,one\nB,1,0.25,eins\nB,2,,zwei\n"


def test_a_long_table_becomes_streams_per_system_and_measure() -> None:
    """Rows are put in the order of their ids; every column of numbers is a measure, a missing score stays empty."""
    intake = one("t.csv", LONG)
    assert streams(intake) == [
        ("A", "system", "comet", ("0.5", "0.7")),
        ("B", "system", "comet", ("0.25", "")),
        ("A", "system", "", ("one", "two")),
        ("B", "system", "", ("eins", "zwei")),
    ]


def test_a_long_table_with_gaps_or_repeats_says_where() -> None:
    """A system without a row for a segment keeps its scores with a gap, loses its text with a problem; a segment given
    twice is refused."""
    intake = one("t.csv", LONG.replace("B,2,,zwei\n", ""))
    assert "B has no row for 1 of 2 segments; the first is segment 2" in str(intake.problems[0])
    assert ("B", "system", "comet", ("0.25", "")) in streams(intake)
    (problem,) = one("t.csv", LONG + "A,1,0.5,one\n").problems
    assert "row 5: A has segment 1 a second time (first in row 2)" in str(problem)
    assert "no heading says which column names the segment" in str(
        one("t.csv", "system,score\nA,1\nA,2\nB,1\nB,2\n").problems[0]
    )


def test_records_of_summaries_with_references_and_ratings() -> None:
    """One record per system and document: outputs, references and the mean of the experts' ratings by aspect."""
    rows = [
        {"id": d, "model_id": m, "decoded": f"{m} on {d}", "references": [f"r1 {d}", f"r2 {d}"],
         "expert_annotations": [{"coherence": 2, "fluency": 5}, {"coherence": 3, "fluency": 5}]}
        for m in ("M0", "M1") for d in ("dm-a", "dm-b")
    ]  # fmt: skip
    intake = one("model_annotations.aligned.jsonl", "\n".join(map(json.dumps, rows)))
    assert readers_of(intake) == ["jsonl"]
    assert [s[:3] for s in streams(intake)] == [
        ("M0", "system", ""), ("M1", "system", ""),
        ("references 1", "reference", ""), ("references 2", "reference", ""),
        ("M0", "system", "expert_annotations.coherence"), ("M1", "system", "expert_annotations.coherence"),
        ("M0", "system", "expert_annotations.fluency"), ("M1", "system", "expert_annotations.fluency"),
    ]  # fmt: skip
    assert intake.items[0].segments == ("M0 on dm-a", "M0 on dm-b")
    assert set(intake.items[4].segments) == {"2.5"}
    loaded = assemble(intake.items)
    assert (loaded.testset.kind, len(loaded.testset.references), len(loaded.outputs)) == ("text", 2, 2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"id": 1, "A": "x"}\n{"id": 2, "A": }\n', "line 2 is not JSON"),
        ("[1, {}]", "record 1 is not an object"),
        ("[]", "no records"),
        ('{"a": ' * 5000 + "1" + "}" * 5000, "JSON"),
    ],
)
def test_faulty_json_is_named_with_its_line(text: str, told: str) -> None:
    """What is no JSON, or no record, is refused with its place."""
    (problem,) = one("a.jsonl", text).problems
    assert told in str(problem)


def test_the_best_of_an_n_best_list_is_the_output() -> None:
    """The first hypothesis of each segment is taken, with or without a blank before the first mark."""
    intake = one("run1.nbest", "0||| one  ||| f= 1 ||| -1\n0||| two ||| f= 1 ||| -2\n1||| three ||| f= 0 ||| -3\n")
    assert readers_of(intake) == ["nbest"]
    assert intake.items[0].segments == ("one", "three")
    assert "3 for 2 segments" in intake.notices[0].message
    (problem,) = one("a.nbest", "0 ||| a ||| f ||| 1\n2 ||| b ||| f ||| 1\n").problems
    assert "segment 2 follows segment 0" in str(problem)


def test_marks_inside_a_hypothesis_are_text() -> None:
    """Where a line has more marks than the others, the text keeps them, and it is told."""
    lines = "".join(
        f"{i} ||| {'a ||| b' if i == 2 else 'c'} ||| f= 1 ||| -1\n{i} ||| d ||| f= 1 ||| -2\n" for i in range(4)
    )
    intake = one("a.nbest", lines)
    assert intake.items[0].segments == ("c", "c", "a ||| b", "c")
    assert [(n.message, n.line) for n in intake.notices[1:]] == [
        ("1 of 4 outputs contain |||; it was kept as text.", 5)
    ]


def zipped(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def test_a_campaign_in_a_zip_is_one_test_set_per_language_pair() -> None:
    """mt-metrics-eval's folders: outputs, references, sources, documents, human and metric scores of each pair."""
    files = {
        "wmt/system-outputs/cs-en/One.txt": "a\nb\n",
        "wmt/system-outputs/cs-en/Two.txt": "c\nd\n",
        "wmt/system-outputs/de-en/One.txt": "e\nf\ng\n",
        "wmt/references/cs-en.refA.txt": "a\nd\n",
        "wmt/references/de-en.refA.txt": "e\nf\ng\n",
        "wmt/sources/cs-en.txt": "x\ny\n",
        "wmt/documents/cs-en.docs": "news d1\nnews d2\n",
        "wmt/human-scores/cs-en.mqm.seg.score": "One\t-1.0\nOne\tNone\nTwo\t-5\nTwo\t0\n",
        "wmt/human-scores/cs-en.mqm.sys.score": "One\t-1.0\nTwo\t-2\n",
        "wmt/metric-scores/cs-en/COMET-refA.seg.score": "One\t0.1\nOne\t0.2\nTwo\t0.3\nTwo\t0.4\n",
    }
    intake = read([("wmt.zip", zipped(files))])
    assert intake.problems == ()
    assert choices(intake.items).testsets == ("cs-en", "de-en")
    assert choices(intake.items, "cs-en").kinds == ("text", "scores")
    assert choices(intake.items, "cs-en", "scores").measures == ("mqm", "COMET-refA")
    loaded = assemble(intake.items, testset="cs-en")
    assert [o.system for o in loaded.outputs] == ["One", "Two"]
    assert (loaded.testset.sources, loaded.testset.documents) == (("x", "y"), ("d1", "d2"))
    assert [o.system for o in assemble(intake.items, testset="de-en").outputs] == ["One"]
    scores = assemble(intake.items, testset="cs-en", kind="scores", measure="mqm", missing="drop")
    assert [o.segments for o in scores.outputs] == [("-1.0",), ("-5",)]


def test_a_file_can_be_taken_for_something_else() -> None:
    """The reader a person chose takes the file; what each was taken for, and its bytes, come back."""
    table = "a\tb\nc\td\n"
    assert readers_of(one("x.txt", table)) == ["tsv"]
    again = one("x.txt", table, chosen={"x.txt": Choice("plain")})
    assert readers_of(again) == ["plain"]
    assert again.items[0].segments == ("a\tb", "c\td")
    assert again.detected[0].data == table.encode()
    assert "not JSON" in str(one("x.txt", table, chosen={"x.txt": Choice("jsonl")}).problems[0])


def test_every_reader_says_what_it_is() -> None:
    """Title, help and kinds are there for the page to show."""
    for name, reader in readers.members().items():
        assert reader.name == name
        assert reader.title
        assert reader.help
        assert set(reader.kinds) <= {*readers.KINDS, "judgments", "preferences"}


def test_a_folder_per_summarizer_with_a_file_per_document() -> None:
    """Files of the same names in several folders are summaries: a segment per document, a line per sentence."""
    files = {
        f"s/{folder}/doc.{k}.txt": f"{folder} {k}\n" * (1 + (k + (folder == "bart")) % 2)
        for folder in ("models", "lead", "bart")
        for k in range(12)
    }
    intake = read([("s.zip", zipped(files))])
    assert [(i.name, i.role, len(i.segments)) for i in intake.items] == [
        ("models", "reference", 12), ("lead", "system", 12), ("bart", "system", 12), ("documents", "documents", 12)
    ]  # fmt: skip
    assert intake.items[3].segments[:3] == ("doc.0.txt", "doc.1.txt", "doc.2.txt")
    assert intake.items[1].segments[1] == "lead 1\nlead 1"
    assert "3 folders of 12 files" in intake.notices[-1].message


def test_folders_of_outputs_of_equal_length_are_no_summaries() -> None:
    """Runs of several systems on one test set have the same names and the same number of lines."""
    files = {f"run{r}/sys{k}.txt": "a b\nc d\n" for r in range(2) for k in range(6)}
    assert len(read([("r.zip", zipped(files))]).detected) == 12


def test_summaries_named_as_in_tac() -> None:
    """The number at the end is the summarizer; letters are people, whose summaries are the references."""
    peers = {f"peers/D080{d}-A.M.100.C.{p}": f"peer {p} on {d}\n" for d in (1, 2, 3) for p in (1, 17)}
    models = {
        f"models/D080{d}-A.M.100.C.{p}": f"{p} on {d}\n" for d, ps in ((1, "AB"), (2, "BC"), (3, "CD")) for p in ps
    }
    items = {i.name: i for i in read([("t.zip", zipped(peers | models))]).items}
    assert list(items) == ["1", "17", "reference 1", "reference 2", "documents"]
    assert items["17"].segments == ("peer 17 on 1", "peer 17 on 2", "peer 17 on 3")
    assert items["reference 2"].segments == ("B on 1", "C on 2", "D on 3")


@pytest.mark.parametrize(
    ("file", "line", "text"),
    [
        (
            "a.sgm",
            3,
            '<tstset sysid="A" srclang="cs" trglang="en">\n<doc docid="d">\n{}\n<seg id="1">x</seg></doc></tstset>\n',
        ),
        ("a.sgm", 3, '<tstset sysid="A">\n<doc docid="d"><seg id="1">x</seg></doc></tstset>\n{}'),
        ("a.xml", 2, '<dataset><doc id="d">\n{}<hyp system="A"><seg id="1">x</seg></hyp></doc></dataset>'),
        (
            "a.xml",
            2,
            '<dataset><doc id="d">\n<seg id="7">{}</seg><hyp system="A"><seg id="1">x</seg></hyp></doc></dataset>',
        ),
    ],
)
def test_text_outside_of_segments_is_reported(file: str, line: int, text: str) -> None:
    """What is in no segment of a set is left out with a notice that names its line; without it there is none."""
    intake = read([(file, text.format("lost words").encode())])
    assert [item.segments for item in intake.items] == [("x",)]
    assert [(notice.message, notice.line) for notice in intake.notices] == [
        ("Text outside of the segments was left out, on 1 line.", line)
    ]
    if 'id="7"' not in text:
        assert read([(file, text.format("").encode())]).notices == ()


def test_a_list_is_named_without_what_its_decoder_adds() -> None:
    """Moses calls its lists run2.best100.out; the system is run2."""
    text = "0 ||| one ||| f= 1 ||| -1\n1 ||| two ||| f= 1 ||| -2\n"
    for file in ("run2.best100.out", "run2.nbest", "run2.n-best10"):
        assert [item.name for item in one(file, text).items] == ["run2"]


def test_the_source_of_a_test_set_has_no_system() -> None:
    """Files of the organisers name a system in the documents of the source, too."""
    text = '<srcset setid="x" srclang="any"><doc docid="d" sysid="cs-src"><seg id="1">Ahoj.</seg></doc></srcset>'
    (item,) = one("x.src.sgm", text).items
    assert (item.role, item.segments) == ("source", ("Ahoj.",))
    assert "cs-src" not in item.name


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_folders_of_summaries_of_one_line_are_summaries(end: str) -> None:
    """Each file is a document of one line, with or without an end of line: a segment of the system in whose folder it is."""
    documents = ("alpha", "beta", "gamma", "delta", "epsilon")
    files = [
        (f"out/{system}/{name}.txt", f"{system} says {name}{end}".encode()) for system in "AB" for name in documents
    ]
    found = {item.name: item for item in readers.read(files).items}
    assert set(found) == {"A", "B", "documents"}
    assert found["B"].segments == tuple(f"B says {name}" for name in sorted(documents))
