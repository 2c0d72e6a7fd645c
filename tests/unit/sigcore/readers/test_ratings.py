"""Files of ratings: direct assessment in the forms there are, Appraise, means per segment, and MQM."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import readers
from sigcore.errors import ReadError
from sigcore.judgments import Judgments
from sigcore.readers import Choice
from sigcore.readers.formats.mqm import READER as MQM
from sigcore.readers.tables.rated import weight

DA = "worker,hit,system,segment,type,raw,z\n"
APPRAISE = "{user},{system},{item},{kind},ces,eng,{score},doc1#incomplete,{whole},[],1.0,2.0\n"


def read(text: str, file: str = "assessments.csv", **chosen: object) -> readers.Intake:
    options = {file: ("ratings", chosen)} if chosen else None
    return readers.read([(file, text.encode())], chosen=options)


def only(intake: readers.Intake) -> Judgments:
    assert intake.problems == ()
    assert intake.items == ()
    (found,) = intake.judgments
    return found


def notices(intake: readers.Intake) -> str:
    return "\n".join(notice.message for notice in intake.notices)


def test_a_wmt_table_is_read():
    """Judges, systems, segments, kinds, raw scores and z; control rows are told apart and counted in a notice."""
    rows = "M1,9,Online-B,7,SYSTEM,80,0.5\nM1,9,Online-B,7,REPEAT,70,0.1\nM2,9,Online-W,7,REF,99,1.5\nM2,9,Online-W,7,BAD_REF,3,-2\n"
    intake = read(DA + rows)
    found = only(intake)
    assert found.judge.tolist() == ["M1", "M1", "M2", "M2"]
    assert found.kind.tolist() == ["ordinary", "repeat", "reference", "degraded"]
    assert found.score.tolist() == [80, 70, 99, 3]
    assert found.z.tolist() == [0.5, 0.1, 1.5, -2.0]
    assert (found.absolute, found.file, found.dimensions) == (False, "assessments.csv", ("adequacy",))
    assert "4 ratings by 2 judges, 1 system, for adequacy. 2 of them are for quality control" in notices(intake)
    assert intake.detected[0].reader == "ratings"


def test_a_head_of_blanks_over_rows_of_tabs_is_read():
    """The organisers' own form: the head is separated by blanks, the rows by TAB; ad and fl name the dimension."""
    head = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time\n"
    rows = "31\tM1\tcs\ten\tad\t97\tOnline-W.2\t1\tSYSTEM\t11\t0.53\t3\n31\tM1\tcs\ten\tfl\t97\tOnline-W.2\t1\tSYSTEM\t12\t0.1\t3\n"
    found = only(read(head + rows, "ad-csen-good-stnd.csv"))
    assert found.dimension.tolist() == ["adequacy", "fluency"]
    assert found.segment.tolist() == ["11", "12"]
    assert found.system.tolist() == ["Online-W.2"] * 2


def test_means_per_segment_need_no_judges():
    """A table of means with a column z is taken for judgments that need no standardising."""
    found = only(
        read("SYS SID RAW.SCR Z.SCR N \nOnline-W.2 15 56 -0.34 4 \nOnline-B.0 15 60 0.2 2 \n", "ad-seg-scores.csv")
    )
    assert found.absolute
    assert found.score.tolist() == [56, 60]
    assert found.z.tolist() == [-0.34, 0.2]
    assert "without the names of judges" in notices(read("SYS SID RAW.SCR Z.SCR N \nA 1 5 0 1 \n", "ad-seg-scores.csv"))


@pytest.mark.parametrize("width", [9, 11, 12])
def test_appraise_exports_without_a_head_are_read(width):
    """Segment ratings of all three widths; document ratings are left out with a notice, document marks are taken off."""
    row = "u1,{system},7,{kind},ces,eng,{score},"
    tail = {
        9: "1.0,2.0\n",
        11: "doc1#bad,False,1.0,2.0\n",
        12: 'doc1#incomplete,False,"[{{""a"": 1, ""b"": 2}}]",1.0,2.0\n',
    }
    lines = "".join(
        (row + tail[width]).format(system=s, kind=k, score=n)
        for s, k, n in (("A", "TGT", 80), ("generaltest2022.cs-en.hyp.B.en.txt", "BAD", 3), ("A", "CHK", 70))
    )
    intake = read(lines, "240520ESA.scores.csv")
    found = only(intake)
    assert found.system.tolist() == ["A", "B", "A"]
    assert found.kind.tolist() == ["ordinary", "degraded", "repeat"]
    assert set(found.document.tolist()) == ({""} if width == 9 else {"doc1"})
    assert intake.detected[0].reader == "ratings"


def test_document_ratings_of_appraise_are_left_out():
    """A rating of a whole document is none of a segment."""
    rows = [
        APPRAISE.format(user="u1", system="A", item=k, kind="TGT", score=50, whole=w)
        for k, w in ((1, "False"), (2, "True"))
    ]
    intake = read("".join(rows), "x.csv")
    assert only(intake).n == 1
    assert "1 score of whole documents are left out" in notices(intake)


def test_quotes_around_cells_are_not_part_of_names():
    """Ratings as R writes them, with TABs or commas and all texts in quotes, are those without quotes."""
    for mark in "\t,":
        rows = [("system", "segment", "type", "score"), ("One", "s1", "SYSTEM", "80"), ("Two", "s1", "SYSTEM", "20")]
        text = "".join(mark.join(f'"{cell}"' for cell in row) + "\n" for row in rows)
        judgments = only(read(text, "table.tsv" if mark == "\t" else "table.csv"))
        assert judgments.system.tolist() == ["One", "Two"]
        assert judgments.kind.tolist() == ["ordinary", "ordinary"]


def test_a_column_without_a_heading_is_named_by_its_place():
    """What was not used is named also where it has no heading, as the row numbers that pandas writes."""
    intake = read(",judge,system,segment,score\n0,P,One,1,80\n1,P,Two,1,20\n")
    assert "not used: column 1." in notices(intake)


def test_language_pairs_are_kept_apart():
    """A file with several pairs of languages gives ratings for each, named after it."""
    rows = "u1,A,1,TGT,eng,ces,50,1,2\nu1,A,1,TGT,eng,jpn,60,1,2\nu1,B,1,TGT,eng,ces,70,1,2\n"
    intake = read(rows, "wave.csv")
    assert [(part.name, part.n) for part in intake.judgments] == [("wave eng-ces", 2), ("wave eng-jpn", 1)]


def test_several_dimensions_may_stand_in_one_row():
    """Columns headed by what was rated give one rating each."""
    found = only(read("judge;system;segment;adequacy;fluency\np;A;1;80;60\n", "ratings.csv"))
    assert list(zip(found.dimension.tolist(), found.score.tolist(), strict=True)) == [("adequacy", 80), ("fluency", 60)]


def test_missing_scores_are_told_and_bad_ones_are_problems():
    """None is left out with a notice, a word with a problem that names the line; the rest is read."""
    intake = read("judge,system,segment,score\np,A,1,None\np,A,2,80\np,A,3,good\np,A,4,fine\n")
    assert intake.judgments[0].segment.tolist() == ["2"]
    assert "1 of 4 ratings has no score" in notices(intake)
    (problem,) = intake.problems
    assert isinstance(problem, ReadError)
    assert (problem.line, "'good' is not a number" in problem.what, "2 such" in problem.what) == (4, True, True)


def test_unknown_types_count_for_no_system():
    """A type that is not known is told, and does not count."""
    intake = read("judge,system,segment,type,score\np,A,1,SYSTEM,80\np,A,2,UNUSUAL,10\n")
    assert only(intake).kind.tolist() == ["ordinary", "other"]
    assert "Ratings of unknown type (UNUSUAL) are not counted" in notices(intake)


def test_options_name_the_dimension_and_turn_the_scale():
    """Of scores that are better when lower, the sign is turned, and that of their z; a dimension can be named."""
    found = only(read("judge,system,segment,score,z\np,A,1,3,0.5\n", dimension="errors", better="lower"))
    assert (found.dimensions, found.score.tolist(), found.z.tolist()) == (("errors",), [-3.0], [-0.5])


@pytest.mark.parametrize(
    ("file", "dimension"),
    [
        ("fluency.tsv", "fluency"),
        ("wave2-esa.csv", "ESA"),
        ("mqm_avg.csv", "MQM"),
        ("wmt-ad.csv", "adequacy"),
        ("fluencylike.csv", "quality"),
    ],
)
def test_the_file_name_says_what_was_rated(file, dimension):
    """Where no column says so, a word in the name of the file may."""
    text = "judge,system,segment,score\np,A,1,3\n"
    assert only(read(text.replace(",", "\t") if file.endswith("tsv") else text, file)).dimensions == (dimension,)


def test_a_ragged_or_unfinished_table_is_refused():
    """Rows of unequal length and quotes without a partner are problems with their line."""
    ragged = read("judge,system,segment,score\np,A,1\n")
    assert "line 2 has 3 cells, line 1 has 4" in str(ragged.problems[0])
    quoted = read('judge,system,segment,score\np,"A,1,3\n')
    assert "cannot be read as a table" in str(quoted.problems[0])


def test_scores_of_metrics_are_not_taken_for_ratings():
    """A long table without judges, and one with a column metric, belong to the readers of scores."""
    plain = "system,segment,score\nA,1,0.5\nA,2,0.6\nB,1,0.1\nB,2,0.2\n"
    assert read(plain, "comet.csv").judgments == ()
    assert read("system,segment,metric,score,z\nA,1,COMET,0.5,1\n", "x.csv").judgments == ()
    assert readers.read_ratings([("comet.csv", plain.encode())]).judgments[0].n == 4
    assert read(plain, "human_scores.csv").judgments[0].n == 4


def test_read_ratings_tells_what_is_no_rating():
    """A file of text that was given as ratings is a problem, and one that cannot be read is told once."""
    found = readers.read_ratings([("a.txt", b"hello\nworld\n"), ("b.txt", b"\xff")])
    assert found.judgments == ()
    assert [problem.file for problem in found.problems if isinstance(problem, ReadError)] == ["a.txt", "b.txt"]


# ---- MQM

HEAD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def mqm(*rows: tuple[str, str, str, str, str]) -> str:
    """Rows of (system, segment, rater, category, severity)."""
    return HEAD + "".join(f'{s}\tnews\t1\t{g}\t{r}\ta "b\tc\t{c}\t{v}\n' for s, g, r, c, v in rows)


def test_errors_of_a_rater_are_summed():
    """Points of error per rater and segment, with the sign turned; a segment without error has none."""
    text = mqm(
        ("A", "1", "r1", "Accuracy/Mistranslation", "Major"),
        ("A", "1", "r1", "Fluency/Punctuation", "Minor"),
        ("A", "1", "r2", "No-error", "no-error"),
        ("A", "2", "r1", "Non-translation!", "Major"),
        ("B", "1", "r1", "Style/Awkward", "Minor"),
        ("B", "1", "r1", "Fluency/Grammar", "Neutral"),
    )
    intake = readers.read([("mqm.tsv", text.encode())])
    (found,) = intake.judgments
    rows = zip(found.system.tolist(), found.segment.tolist(), found.judge.tolist(), found.score.tolist(), strict=True)
    assert list(rows) == [
        ("A", "1", "r1", -5.1),
        ("A", "1", "r2", 0.0),
        ("A", "2", "r1", -25.0),
        ("B", "1", "r1", -1.0),
    ]
    assert found.absolute
    assert found.dimensions == ("MQM",)
    assert set(found.document.tolist()) == {"news"}
    assert intake.detected[0].reader == "mqm"


@pytest.mark.parametrize(
    ("file", "text", "where"),
    [
        (
            "dir/mqm.tsv",
            mqm(("A", "1", "r", "Other", "Major"), (" ", "2", "r", "Other", "Major")),
            "dir/mqm.tsv, line 3",
        ),
        ("da.csv", "judge,system,segment,score\nr,A,1,\nr,A,1,5\nr,,1,6\n", "da.csv, line 4"),
    ],
)
def test_a_rating_without_a_name_says_where(file, text, where):
    """The error names the file and the line, not what the ratings are called."""
    intake = readers.read([(file, text.encode())])
    assert [(problem.what, problem.where) for problem in intake.problems] == [("A rating names no system.", where)]
    assert intake.judgments == ()


def test_ratings_without_a_segment_are_not_summed():
    """Ratings of unknown segments would be those of one."""
    intake = read("judge,system,segment,score\nr,A,1,5\nr,A,,6\nr,A,,7\n", "da.csv")
    assert [str(problem.where) for problem in intake.problems] == ["da.csv, line 3"]


@pytest.mark.parametrize(
    ("category", "severity", "points"),
    [
        ("Accuracy/Omission", "Major", 5),
        ("Accuracy/Omission", "major", 5),
        ("Fluency/Punctuation", "Major", 5),
        ("Fluency/Punctuation", "Minor", 0.1),
        ("Style/Awkward", "Minor", 1),
        ("Non-translation!", "Major", 25),
        ("Non-translation!", "Neutral", 25),
        ("Source error", "Neutral", 0),
        ("no-error", "no-error", 0),
        ("Other", "HOTW-test", None),
    ],
)
def test_points_of_an_error(category, severity, points):
    """Major 5, minor 1, minor punctuation 0.1, non-translation 25, as the WMT organisers weigh them."""
    assert weight(category, severity, MQM.chosen()) == points


def test_other_weights_may_be_chosen_and_odd_severities_are_told():
    """The weights are options; severities that are none are left out with a notice."""
    text = mqm(("A", "1", "r1", "Accuracy", "Major"), ("A", "1", "r1", "Other", "HOTW-test"))
    intake = readers.read([("m.tsv", text.encode())], chosen={"m.tsv": Choice("mqm", {"major": 10})})
    assert intake.judgments[0].score.tolist() == [-10.0]
    assert "1 line with the unknown severity 'HOTW-test'" in notices(intake)


def test_a_broken_mqm_file_is_refused():
    """A line with too few fields, and a file without errors, are problems that say how to fix them."""
    short = readers.read([("m.tsv", (HEAD + "A\tnews\t1\n").encode())])
    assert "line 2 has 3 cells, line 1 has 9" in str(short.problems[0])
    empty = readers.read([("m.tsv", HEAD.encode())])
    assert "no ratings" in str(empty.problems[0])


def test_nan_is_never_a_z():
    """A z that is no number is nan, which the study counts and tells."""
    found = only(read(DA + "M1,9,A,7,SYSTEM,80,\n"))
    assert np.isnan(found.z).all()


def test_a_head_without_ratings_is_a_problem():
    """A table of which only the first line is there is not passed over in silence."""
    (problem,) = read("judge,system,segment,score\n").problems
    assert "has a header but no ratings" in str(problem)


def marked(rows):
    """Rows of Appraise in its campaigns of ESA and MQM: (user, system, item, type, score, document, spans)."""
    quoted = [(*row[:6], row[6].replace('"', '""')) for row in rows]
    return "".join('{},{},{},{},eng,deu,{},{},False,"{}",1.0,2.0\n'.format(*row) for row in quoted)


MAJOR = '{"start_i": 0, "end_i": 4, "severity": "major", "error_type": "Accuracy / Mistranslation"}'
COMMA = '{"start_i": 5, "end_i": 6, "severity": "minor", "error_type": "Fluency / Punctuation"}'


def test_errors_marked_in_appraise_are_scored_from_their_spans():
    """An MQM export has the score 0 everywhere: the points come from the spans, by the options."""
    spans = ("[]", f"[{MAJOR}]", f"[{MAJOR}, {COMMA}]", "None")
    text = marked([("u1", "A", k, "TGT", 0, "doc#A", cell) for k, cell in enumerate(spans)])
    intake = read(text, "campaignMQM.scores.csv")
    found = only(intake)
    assert found.score.tolist() == [0, -5, -5.1]
    assert found.absolute
    assert found.dimensions == ("MQM",)
    assert "scored as MQM" in notices(intake)
    assert "1 of 4 ratings has no score" in notices(intake)
    again = readers.read([("m.csv", text.encode())], chosen={"m.csv": Choice("ratings", {"major": 10})})
    assert only(again).score.tolist() == [0, -10, -10.1]


@pytest.mark.parametrize("cell", ["[]", "x", '[{"start_i": 1}]'])
def test_ratings_that_are_all_zero_are_refused(cell):
    """Without errors to count, nothing was rated."""
    intake = read(marked([("u1", "A", k, "TGT", 0, "doc#A", cell) for k in range(3)]), "x.scores.csv")
    assert intake.judgments == ()
    assert len(intake.problems) == 1


def test_esa_scores_stay_beside_their_spans():
    """Where people gave scores, these are the ratings."""
    rows = [("u1", "A", k, "TGT", 50 + k, "doc#A", f"[{MAJOR}]") for k in range(3)]
    assert only(read(marked(rows), "x.scores.csv")).score.tolist() == [50, 51, 52]


def test_ratings_with_a_header_have_the_same_rules():
    """The tutorial is left out, is_bad says which are for quality control, and ratings that are all equal are refused."""
    head = "annotator,system,itemID,is_bad,score,documentID\n"
    rows = "u1,A,1,TGT,50,d\nu1,A,2,BAD,5,d\nu1,cs-en-tutorial1,3,TGT,9,t\n"
    found = only(read(head + rows, "esa.csv"))
    assert list(zip(found.system.tolist(), found.kind.tolist(), strict=True)) == [("A", "ordinary"), ("A", "degraded")]
    same = head + "".join(f"u1,A,{k},TGT,0,d\n" for k in range(40))
    assert "All 40 ratings are 0." in read(same, "esa.csv").problems[0].what


def test_the_tutorial_of_appraise_is_left_out():
    """Its rows name no system, and would enter the mean and SD of the judge."""
    rows = [("u1", "A", k, "TGT", 50 + k, "doc#A", "[]") for k in range(3)]
    rows += [("u1", "en-de-tutorial1", 100, "TGT", 5, "en-de-tutorial1", "[]")]
    rows += [("u1", "x", 101, "TGT", 5, "tutorial#en-de", "[]")]
    intake = read(marked(rows), "x.scores.csv")
    assert only(intake).score.tolist() == [50, 51, 52]
    assert "2 scores of the tutorial are left out" in notices(intake)
