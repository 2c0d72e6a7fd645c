"""Tables as programs and spreadsheets leave them: judges, COMET and MetricX, pandas, Excel with decimal commas."""

import json
import random

import pytest

from sigcore.data.assembly import assemble
from sigcore.data.select import choices
from sigcore.readers import Choice, Intake, read

N = 40


def one(file: str, text: str) -> Intake:
    return read([(file, text.encode())])


def streams(intake: Intake) -> list[tuple[str, str, str, str]]:
    return [(i.name, i.role, i.kind, i.measure) for i in intake.items]


def records(system: str) -> list[dict[str, object]]:
    return [{"src": f"s {i}", "mt": f"{system} {i}", "ref": f"r {i}", "COMET": i / N} for i in range(N)]


OF_TWO = [
    ("src", "source", "text", ""),
    ("A", "system", "text", ""),
    ("B", "system", "text", ""),
    ("ref", "reference", "text", ""),
    ("A", "system", "scores", "COMET"),
    ("B", "system", "scores", "COMET"),
]


def test_the_records_of_comet_are_streams_of_the_systems_they_are_filed_under() -> None:
    """An object of files, each with its records, is a system per file, not one segment with means."""
    intake = one("comet.json", json.dumps({f"out/{s}.en": records(s) for s in "AB"}, indent=4))
    assert intake.problems == ()
    assert streams(intake) == OF_TWO
    assert intake.items[1].segments[:2] == ("A 0", "A 1")
    assert len(assemble(intake.items).outputs) == 2


def test_files_of_one_name_in_several_folders_keep_their_folders() -> None:
    """Two runs with outputs of one name are two systems."""
    intake = one("comet.json", json.dumps({"run1/out.en": records("A"), "run2/out.en": records("B")}))
    assert [i.name for i in intake.items if i.kind == "scores"] == ["run1/out.en", "run2/out.en"]


def test_records_under_a_word_that_is_no_file_are_the_records() -> None:
    """{"data": [...]} only wraps them; what has one output per record is called after the file."""
    intake = one("mine.json", json.dumps({"data": records("A")}))
    assert streams(intake) == [
        ("src", "source", "text", ""), ("mine", "system", "text", ""), ("ref", "reference", "text", ""),
        ("mine", "system", "scores", "COMET"),
    ]  # fmt: skip


def test_a_file_of_records_per_system_gives_systems_of_one_measure() -> None:
    """MetricX writes a file per system; the scores of all are one measure, and the references are one."""

    def lines(system: str) -> str:
        rows = (
            {"source": f"s {i}", "hypothesis": f"{system} {i}", "reference": f"r {i}", "prediction": i / 8}
            for i in range(N)
        )
        return "".join(json.dumps(row) + "\n" for row in rows)

    intake = read([(f"{s}.metricx.jsonl", lines(s).encode()) for s in "AB"])
    assert choices(intake.items, kind="scores").measures == ("MetricX",)
    assert [o.system for o in assemble(intake.items, kind="scores").outputs] == ["A", "B"]
    loaded = assemble(intake.items, kind="text")
    assert [o.system for o in loaded.outputs] == ["A", "B"]
    assert len(loaded.testset.references) == 1


def test_error_spans_are_no_ratings() -> None:
    """Lists of records with words in them are told and not averaged; lists of nothing but numbers are ratings."""
    spans = [{"text": "x", "start": 0, "end": 1}]
    rows = [{"id": i, "system": s, "COMET": i / N, "errors": spans if i % 2 else []} for s in "AB" for i in range(N)]
    intake = one("x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert {i.measure for i in intake.items} == {"COMET"}
    assert "not used: errors." in intake.notices[0].message
    judges = [{"tone": 4, "depth": 2}, {"tone": 2}]  # one of them did not rate the depth
    (problem,) = one("x.jsonl", "".join(json.dumps({"id": i, "A": judges}) + "\n" for i in range(N))).problems
    assert "A.tone ('3.0', '3.0', '3.0')" in problem.what
    assert "A.depth ('2.0', '2.0', '2.0')" in problem.what


def test_lists_of_references_of_several_lengths_are_one_column_each() -> None:
    """A record with one reference has the first of them, as the others do."""
    rows = [{"id": i, "references": [f"a {i}", f"b {i}"][: 1 + i % 2], "hyp": f"h {i}"} for i in range(N)]
    intake = one("x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert [i.name for i in intake.items] == ["references 1", "x", "references 2"]
    assert all(intake.items[0].segments)


def test_a_heading_that_ends_in_a_bracket_was_not_averaged() -> None:
    """Only what was averaged is said to have been; a heading stays as it is."""
    intake = one(
        "x.jsonl", "".join(json.dumps({"id": i, "A (0-100)": i % 30, "B (0-100)": N - i}) + "\n" for i in range(N))
    )
    assert [i.name for i in intake.items] == ["A (0-100)", "B (0-100)"]
    assert not [n for n in intake.notices if "averaged" in n.message]


def test_a_number_beyond_all_bounds_is_named() -> None:
    """A rating of 400 digits is no finite number, and says so."""
    rows = [{"id": i, "sysA": [1, 10**400 if i == 3 else 2]} for i in range(N)]
    (problem,) = one("x.jsonl", "".join(json.dumps(row) + "\n" for row in rows)).problems
    assert "column sysA, row 4: 'inf' is not a number" in str(problem)
    assert problem.where == "x.jsonl, line 4"


def test_records_with_names_of_their_own_are_refused_before_they_fill_the_memory() -> None:
    """A record per line with a name that no other has is no table."""
    (problem,) = one("x.jsonl", "".join(json.dumps({f"k{i}": 1}) + "\n" for i in range(20_001))).problems
    assert "20,001 columns" in str(problem)


def test_what_comet_score_prints_is_read() -> None:
    """The segments of several files stand between one another; totals and a log count for nothing."""
    text = "INFO: loading\n" + "".join(f"out/{s}.en\tSegment {i}\tscore: 0.{i:04d}\n" for i in range(N) for s in "AB")
    intake = one("out.txt", text + "out/A.en\tscore: 0.5\nout/B.en\tscore: 0.6\n")
    assert streams(intake) == [("A", "system", "scores", "COMET"), ("B", "system", "scores", "COMET")]
    assert intake.items[0].segments[:2] == ("0.0000", "0.0001")
    assert [n.message for n in intake.notices] == ["Lines that are not scores were left out: 1."]
    twice = text.replace("Segment 3", "Segment 2")
    assert "has segment 2 a second time" in str(one("out.txt", twice).problems[0])


def test_comments_of_a_judge_are_no_outputs() -> None:
    """Beside scores, columns of comments are set aside and told; without scores they are texts like others."""
    rows = "".join(f'{i},{i % 5},"good, ""ok""",{i % 3},bad\n' for i in range(N))
    intake = one("j.csv", "id,score A,comment A,score B,comment B\n" + rows)
    assert [i.role for i in intake.items] == ["system", "ignored", "system", "ignored"]
    assert "remarks, not outputs; not used: comment A, comment B." in intake.notices[-1].message
    assert choices(intake.items).kinds == ("scores",)
    text = one("t.csv", "id,reference,feedback,other\n" + "".join(f"{i},r {i},a {i},b {i}\n" for i in range(N)))
    assert [i.role for i in text.items] == ["reference", "system", "system"]


def test_a_table_of_judges_is_no_table_of_people() -> None:
    """Scores of a program in judge.csv are scores of segments."""
    rows = "".join(f"{s},{i},{i % 5}\n" for s in "AB" for i in range(N))
    intake = one("judge.csv", "system,segment_id,score\n" + rows)
    assert streams(intake) == [("A", "system", "scores", "score"), ("B", "system", "scores", "score")]


def test_the_row_numbers_of_a_data_frame_are_no_column() -> None:
    """A first column without a heading that counts the rows goes; the table is long or wide as it would be without."""
    rows = [f"{s},{i},{i / N}" for s in "AB" for i in range(N)]
    long = one("s.csv", ",system,seg_id,COMET\n" + "".join(f"{k},{row}\n" for k, row in enumerate(rows)))
    assert streams(long) == [("A", "system", "scores", "COMET"), ("B", "system", "scores", "COMET")]
    assert "only counts the rows" in long.notices[0].message
    wide = one("s.csv", ",sysA,sysB\n" + "".join(f"{k},0.{k},0.{k % 7}\n" for k in range(N)))
    assert [i.name for i in wide.items] == ["sysA", "sysB"]


def test_numbered_lines_without_a_header_are_text() -> None:
    """A number and a TAB before every line number the segments; the text is the file's."""
    intake = one("mine.tsv", "".join(f"{i}\tsegment {i}\n" for i in range(N)))
    assert streams(intake) == [("mine", "system", "text", "")]
    assert len(intake.items[0].segments) == N


def test_decimal_commas_are_read_as_points_and_told() -> None:
    """What a spreadsheet writes in half of Europe, in long and wide form and one per line."""
    long = "\ufeffSystem;Segment;COMET\r\n" + "".join(f"{s};{i};0,{100 + i}\r\n" for s in "AB" for i in range(N))
    wide = "Segment;A;B\n" + "".join(f"{i};0,{100 + i};{i % 2}\n" for i in range(N))
    for file, text in (("l.csv", long), ("w.csv", wide), ("A.txt", "".join(f"-0,{100 + i}\n" for i in range(N)))):
        intake = one(file, text)
        assert intake.items[0].kind == "scores", file
        assert intake.items[0].segments[0] in ("0.100", "-0.100")
        assert any("decimal commas" in notice.message for notice in intake.notices)


def test_a_comma_that_may_part_thousands_is_asked_about() -> None:
    """1,234 may be 1.234 or 1234; nobody guesses."""
    (problem,) = one("w.csv", "Segment;A\n" + "".join(f"{i};{1 + i % 9},{100 + i}\n" for i in range(N))).problems
    assert "column A, row 1: '1,100' may have a decimal comma, or a thousands separator" in str(problem)


def test_text_with_commas_between_digits_stays_text() -> None:
    """A score of a match in every line, but words as well, is text."""
    assert one("A.txt", "".join(f"{i},5 metres\n" for i in range(N))).items[0].kind == "text"


def test_what_a_spreadsheet_leaves_behind_a_table_goes() -> None:
    """Empty columns and rows at the end are cut, the rows with a notice; an empty segment in the middle stays."""
    text = "id;ref;A;;\n1;a;b;;\n2;c;;;\n3;d;e;;\n;;;;\n;;;;\n"
    intake = one("t.csv", text)
    assert [(i.name, i.segments) for i in intake.items] == [("ref", ("a", "c", "d")), ("A", ("b", "", "e"))]
    assert "2 rows of empty cells at its end were left out." in [n.message for n in intake.notices]


def test_a_missing_first_score_makes_no_header_of_its_row() -> None:
    """A table of scores without a header keeps its first row, whatever stands in it."""
    intake = one("s.tsv", "0.5\tnan\n" + "".join(f"0.25\t0.{i + 1}\n" for i in range(N)))
    assert [i.segments[0] for i in intake.items] == ["0.5", "nan"]


def test_two_columns_of_one_name_have_a_header_all_the_same() -> None:
    """A known heading tells the header; the second of two systems of one name gets a number."""
    intake = one("t.tsv", "reference\tA\tA\n" + "".join(f"x{i}\ty{i}\tz{i}\n" for i in range(N)))
    assert [(i.name, len(i.segments)) for i in intake.items] == [("reference", N), ("A", N), ("A (2)", N)]


def test_outputs_under_the_heading_system_are_no_names() -> None:
    """A column of long texts called system is an output, also beside ids and a score."""
    rows = "".join(f"{i}\tthe reference number {i} is here\tand a long output number {i}\t{i % 5}\n" for i in range(N))
    intake = one("t.tsv", "id\treference\tsystem\tscore\n" + rows)
    assert [(i.role, i.kind) for i in intake.items] == [("reference", "text"), ("system", "text"), ("system", "scores")]


def test_scores_of_whole_systems_are_told_as_such() -> None:
    """One row per system has no segments to test."""
    (problem,) = one("t.csv", "system,score\nA,0.5\nB,0.6\nC,0.7\n").problems
    assert "one row per system: scores of whole systems, not of segments" in str(problem)

    (problem,) = one("t.csv", "system,sentences,UAS,LAS\nA,890,0.9,0.8\nB,890,0.8,0.7\n").problems
    assert "one row per system" in str(problem)


def test_a_row_per_system_segment_and_measure() -> None:
    """Tidy tables name the measure in a column; each is one of its own, and what all repeat is there once."""
    rows = "".join(
        f"{s},{i},s {i},{m},{i / (2 if m == 'COMET' else 3)}\n"
        for m in ("COMET", "chrF")
        for s in "AB"
        for i in range(N)
    )
    intake = one("t.csv", "system,segment,source,metric,score\n" + rows)
    assert intake.problems == ()
    assert streams(intake) == [
        ("source", "source", "text", ""),
        ("A", "system", "scores", "COMET"), ("B", "system", "scores", "COMET"),
        ("A", "system", "scores", "chrF"), ("B", "system", "scores", "chrF"),
    ]  # fmt: skip
    whole = "".join(f"{s},{m},0.5\n" for s in "AB" for m in ("COMET", "chrF"))
    table = f"system,metric,score\n{whole}"
    assert [item.role for item in one("t.csv", table).items] == ["ignored"]  # published results, as far as one can see
    named = read([("t.csv", table.encode())], roles=[("t.csv", "system")])
    assert "one row per system" in str(named.problems[0])


def test_a_bad_cell_is_named_by_the_line_it_stands_at() -> None:
    """Line ends inside quotes and rows in another order do not shift the line."""
    rows = [(s, i) for i in range(N) for s in "AB"]
    random.Random(1).shuffle(rows)
    lines = [f'{s},{i},{"x" if (s, i) == ("B", 7) else i / N},"two\nlines"' for s, i in rows]
    place = 2 + 2 * rows.index(("B", 7))
    (problem,) = one("t.csv", "system,id,COMET,comment\n" + "\n".join(lines) + "\n").problems
    assert problem.where == f"t.csv, line {place}"


def test_tables_of_two_files_are_matched_by_their_ids() -> None:
    """Scores of the same number of segments, but not of the same segments, are not compared by their place."""
    one_file = "system,id,COMET\n" + "".join(f"A,{i},{i / N}\n" for i in range(N) if i != 3)
    other = "system,id,COMET\n" + "".join(f"B,{i},{i / N}\n" for i in range(N) if i != 5)
    loaded = assemble(read([("a.csv", one_file.encode()), ("b.csv", other.encode())]).items)
    assert [o.system for o in loaded.outputs] == ["A"]
    assert [f.what for f in loaded.of("error")] == ["B has 1 segment that A does not have; the first is segment 3."]


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (("A.bleurt", "B.bleurt"), [("A", "bleurt"), ("B", "bleurt")]),
        (("comet/A.txt", "bleurt/A.txt"), [("A", "comet"), ("A", "bleurt")]),
        (("A.COMET-refA.txt",), [("A", "COMET-refA")]),
        (("bleu_bestmbr.txt", "A.scores"), [("bleu_bestmbr", ""), ("A", "")]),
    ],
)
def test_files_of_one_score_per_line_say_what_they_measure(
    files: tuple[str, ...], found: list[tuple[str, str]]
) -> None:
    """A usual measure in the name, or as the folder, is the measure; the rest is the system."""
    intake = read([(file, "".join(f"0.{i}\n" for i in range(N)).encode()) for file in files])
    assert [(i.name, i.measure) for i in intake.items] == found
    assert {i.role for i in intake.items} == {"system"}


def test_a_table_of_usual_measures_is_one_of_one_system() -> None:
    """Columns COMET and BLEURT are measures of what the file is called after, not two systems."""
    intake = read(
        [(f"{s}.csv", ("id,COMET,BLEURT-20\n" + "".join(f"{i},0.{i},0.5\n" for i in range(N))).encode()) for s in "AB"]
    )
    assert [(i.name, i.measure) for i in intake.items] == [("A", "COMET"), ("A", "BLEURT-20"), ("B", "COMET"), ("B", "BLEURT-20")]  # fmt: skip
    mixed = one(
        "c.csv", "id,bleu_bestmbr,comet_bestmbr,beam\n" + "".join(f"{i},0.{i},0.{i % 7},{i % 2}\n" for i in range(N))
    )
    assert not mixed.items
    assert "bleu_bestmbr, comet_bestmbr name a measure" in str(mixed.problems[0])


def test_numbers_can_be_read_as_text() -> None:
    """A file of numbers is scores by itself, and text where the person says so."""
    data = "".join(f"{i % 2}\n" for i in range(N)).encode()
    assert read([("A.txt", data)]).items[0].kind == "scores"
    assert read([("A.txt", data)], chosen={"A.txt": Choice("plain", {"holds": "text"})}).items[0].kind == "text"


@pytest.mark.parametrize(
    "lines",
    [
        ["Output, Text", "no comma here", "nor here, but here, and here"],
        [f"Page {i}" for i in range(N)],
        [f"{'abc'[i * i % 3]} {i % 10}" for i in range(N)],
        ["I None"] * N,
        ['{"he said": no', "and then", "bye }"],
        ["[laughs] and so on ]"] * N,
        ["{ a }"] * N,
        [f"{i}, {i} and {i}" for i in range(N)],
    ],
)
def test_text_that_begins_like_a_table_or_records_stays_text(lines: list[str]) -> None:
    """Commas, braces and words before numbers make no table of a text."""
    intake = one("A.txt", "\n".join(lines) + "\n")
    assert [(i.kind, i.segments) for i in intake.items] == [("text", tuple(lines))]


def test_scores_of_systems_in_blocks_need_no_name() -> None:
    """SYSTEM SCORE, the same number of lines for each, is known by its look; ratings with spans are told and not used."""
    text = "".join(f"{s} {i / N}\n" for s in ("A", "B") for i in range(N))
    assert [i.name for i in one("x.txt", text).items] == ["A", "B"]
    intake = one("en-de.mqm.merged.seg.rating", 'A\t{"errors": []}\tr1\n')
    assert intake.items == ()
    assert "not used" in intake.notices[0].message


def test_the_names_of_documents_may_hold_blanks_behind_a_tab() -> None:
    """A domain, a TAB and a name."""
    intake = one("en-de.docs", "news\tA long day\nnews\tIt rains\n")
    assert [(i.name, i.segments) for i in intake.items] == [("domains", ("news", "news")), ("documents", ("A long day", "It rains"))]  # fmt: skip
