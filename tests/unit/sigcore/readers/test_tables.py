"""TSV tables and score files: when a file is one, what its columns are, and where a cell is wrong."""

import pytest

from sigcore.data import Collection
from sigcore.readers import Intake, is_number, read
from tests.effort import at_most


def one(name: str, text: str) -> Intake:
    return read([(name, text.encode())])


def kinds(intake: Intake) -> list[tuple[str, str, str]]:
    return [(i.name, i.role, i.kind) for i in intake.items]


def test_a_header_gives_names_and_roles() -> None:
    """Reference, source and id columns are known by their headings, all others are systems."""
    intake = one("all.tsv", "segment\tsource\treference\trefB\tsysA\tv1.2\n1\ts\tr\tq\ta\tb\n2\ts\tr\tq\tc\td\n")
    assert kinds(intake) == [
        ("source", "source", "text"),
        ("reference", "reference", "text"),
        ("refB", "reference", "text"),
        ("sysA", "system", "text"),
        ("v1.2", "system", "text"),
    ]
    assert intake.items[3].segments == ("a", "c")
    assert "header" in intake.notices[0].message


def test_without_a_header_every_line_is_a_segment() -> None:
    """Equal numbers of fields and no known heading: columns are numbered, no line is lost, and it is said."""
    intake = one("outs.tsv", "Hello there\tHi there\nBye\tGood bye\n")
    assert kinds(intake) == [("outs column 1", "system", "text"), ("outs column 2", "system", "text")]
    assert intake.items[0].segments == ("Hello there", "Bye")
    assert "No header" in intake.notices[0].message


def test_names_of_judges_are_no_outputs() -> None:
    """A column of a few short names under a heading for judges is not the output of a system, also beside text."""
    table = "judge,ref,A,B\nAnn,x y,x y,x\nAnn,z,z,z\nEve,v,v w,v\nEve,u,u,t\n"
    intake = one("preferences.csv", table)
    assert [(name, role) for name, role, _ in kinds(intake)] == [
        ("judge", "ignored"),
        ("ref", "reference"),
        ("A", "system"),
        ("B", "system"),
    ]
    assert any("Not used: judge. It holds no outputs" in notice.message for notice in intake.notices)
    prompts = one("chat.csv", "user,ref\nHow are you?,Fine.\nWhere?,Here.\n")
    assert kinds(prompts)[0] == ("user", "system", "text")


def test_columns_of_a_reference_file_are_references() -> None:
    """Without a header the file's name gives the role of all its columns."""
    assert [role for _, role, _ in kinds(one("ref.tsv", "a\tb\nc\td\n"))] == ["reference", "reference"]


def test_quotes_and_na_are_ordinary_text() -> None:
    """A stray quote eats nothing, and words that other programs take for missing values stay."""
    intake = one("t.tsv", 'id\tref\tsys\n1\t"NA\tnull\n2\tNone\t"\n3\t\tN/A\n')
    assert [i.segments for i in intake.items] == [('"NA', "None", ""), ("null", '"', "N/A")]


def test_quotes_around_all_headings_hold_cells_together() -> None:
    """A table with TABs as R writes it: quotes around every heading and every text, which are not part of the cells."""
    intake = one("t.tsv", '"id"\t"ref"\t"sys"\n1\t"a ""b"""\t"c\td"\n2\t"e"\t"f"\n')
    assert [(i.name, i.segments) for i in intake.items] == [("ref", ('a "b"', "e")), ("sys", ("c\td", "f"))]
    spoken = one("t.tsv", '"Stop!"\t"Halt!"\n"Go"\t"Run"\n')
    assert spoken.items[0].segments == ('"Stop!"', '"Go"')


def test_text_with_a_stray_tab_stays_text() -> None:
    """Only equal numbers of TABs on every line make a table; a TAB in one line is text."""
    assert one("sys.en", "a\tb\nc\n").items[0].segments == ("a\tb", "c")
    assert one("sys.en", "a\tb\n").items[0].segments == ("a\tb",)
    assert one("sys.en", "a\tb\nc\td\te\n").items[0].segments == ("a\tb", "c\td\te")


def test_a_ragged_tsv_is_a_problem_with_its_line() -> None:
    """A file named .tsv promises a table, so unequal lines are an error, not text."""
    (problem,) = one("t.tsv", "ref\tsys\na\tb\nc\n").problems
    assert "line 3 has 1 cell, line 1 has 2" in problem.what


@pytest.mark.parametrize(
    ("name", "text"), [("t.tsv", "id\tseg\na\t1\n"), ("t.csv", "id,seg\na,1\n"), ("t.json", '{"id": "a"}')]
)
def test_ids_alone_are_a_problem(name: str, text: str) -> None:
    """A table of nothing but ids says so, instead of giving nothing."""
    assert "nothing except the numbers of segments" in str(one(name, text).problems[0])


def test_a_header_alone_is_a_problem() -> None:
    """A table without rows is refused with a fix."""
    assert "no rows" in str(one("t.tsv", "ref\tsys\n").problems[0])


def test_a_system_called_system_is_a_column_like_others() -> None:
    """A heading "system" over text is that system's output, not a table in long form."""
    intake = one("t.tsv", "reference\tsystem\nGood day\tHello\nBye\tSo long\nYes\tIndeed\n")
    assert kinds(intake) == [("reference", "reference", "text"), ("system", "system", "text")]
    assert "The column system names systems, but no column" in str(one("t.tsv", "id\tsystem\n1\tA\n2\tA\n").problems[0])


def test_shuffled_ids_are_sorted_and_repeated_ids_are_refused() -> None:
    """Distinct numbers out of order are put in order with a notice; ids that start again name no segments."""
    shuffled = one("t.tsv", "id\tOne\n1\ta\n3\tb\n2\tc\n")
    assert [item.segments for item in shuffled.items] == [("a", "c", "b")]
    assert any("sorted by id" in notice.message for notice in shuffled.notices)
    (problem,) = one("t.tsv", "id\tOne\n1\ta\n2\tb\n1\tc\n").problems
    assert "Row 3 has id 1 a second time (first in row 1)." in problem.what
    assert "id ('1', '2', '1'): question, by its heading; One ('a', 'b', 'c'): system" in problem.what
    assert "--columns" in problem.fix


def test_millions_of_columns_are_refused_at_once() -> None:
    """Lines of TABs do not become millions of systems."""
    (problem,) = one("t.txt", ("\t" * 1_000_000 + "\n") * 2).problems
    assert "1,000,001 columns" in problem.what


def test_a_file_of_numbers_is_scores() -> None:
    """One number per line in any decimal writing makes a score file, kept as text."""
    intake = one("run1.A.txt", "0.8132\n-1\n1e-3\n.5\n 7. \n")
    assert kinds(intake) == [("run1.A", "system", "scores")]
    assert intake.items[0].segments == ("0.8132", "-1", "1e-3", ".5", " 7. ")
    assert intake.items[0].note == "scores, 5 segments"


def test_a_score_table_needs_no_known_heading() -> None:
    """A word over a column of numbers is a heading."""
    intake = one("x.txt", "sysA\tsysB\n0.5\t1\n0.6\t2\n")
    assert kinds(intake) == [("sysA", "system", "scores"), ("sysB", "system", "scores")]
    assert kinds(one("x.tsv", "0.5\t1\n0.6\t2\n"))[0] == ("x column 1", "system", "scores")


def test_a_cell_that_is_no_number_is_named_by_column_row_and_line() -> None:
    """One bad cell spoils its column only, and the problem says where it stands."""
    rows = "".join(f"{i}\t0.{i}\t{'n.a.' if i == 12 else i}\n" for i in range(1, 21))
    intake = one("s.tsv", "segment\tsysA\tsysB\n" + rows)
    assert kinds(intake) == [("sysA", "system", "scores")]
    (problem,) = intake.problems
    assert problem.what == "column sysB, row 12: 'n.a.' is not a number."
    assert problem.where == "s.tsv, line 13"


@pytest.mark.parametrize("cell", ["inf", "-Infinity", "1e999", "0,5", "3 %", "٣"])
def test_what_is_no_finite_number_is_a_problem_in_scores(cell: str) -> None:
    """Among numbers, anything that is no finite number is a problem with its line."""
    (problem,) = one("a.scores", "0.5\n" * 12 + f"{cell}\n" + "0.1\n" * 8).problems
    assert f"line 13: {cell!r} is not a number" in problem.what


@pytest.mark.parametrize("cell", ["nan", "", "None", "NA", "-"])
def test_a_missing_score_stays_missing(cell: str) -> None:
    """Cells that say that there is no score are left for the test set to judge, in their place."""
    intake = one("a.scores", "0.5\n" * 12 + f"{cell}\n" + "0.1\n" * 8)
    assert intake.problems == ()
    assert kinds(intake)[0][2] == "scores"
    assert intake.items[0].segments[12] == cell


def test_further_bad_cells_are_counted() -> None:
    """The first bad cell is shown, the others are counted."""
    (problem,) = one("a.scores", "0.5\n" * 30 + "1e999\ninf\n").problems
    assert problem.what == "line 31: '1e999' is not a number. (2 such cells.)"


def test_a_heading_over_scores_is_told_as_one() -> None:
    """A first line that is a word gets the fix to take it out."""
    (problem,) = one("a.scores", "hello\n" + "0.5\n" * 20).problems
    assert "heading" in problem.fix


def test_text_with_some_numbers_is_text() -> None:
    """Up to nine numbers in ten do not make a score file."""
    assert kinds(one("a.en", "5\n" * 9 + "five\n"))[0][2] == "text"
    assert kinds(one("a.en", "nan\nbread\n"))[0][2] == "text"


@pytest.mark.parametrize(
    ("cell", "is_one"),
    [
        ("1", True),
        ("+1.5e3", True),
        ("1_000", False),
        ("nan", False),
        ("1e400", False),
        ("0x1", False),
        ("", False),
        ("0.\x1c", False),
    ],
)
def test_is_number(cell: str, is_one: bool) -> None:
    """Stricter than float(): finite, decimal, ASCII."""
    assert is_number(cell) is is_one


def test_millions_of_digits_take_no_time() -> None:
    """A row of digits too large for a number is a problem, with a letter behind it text; both are found at once."""
    one("first.en", "what is imported or kept on the first call\n")
    with at_most(lines=20_000):
        number, text = (one("a.en", "1" * 5_000_000 + end) for end in ("\n", "x\n"))
    assert "is not a number" in str(number.problems[0])
    assert kinds(text)[0][2] == "text"


def test_documents_domains_and_groups() -> None:
    """Their tables give items in those roles, and the groups of the systems they name."""
    collection = Collection()
    collection.add(
        [
            ("systems/A.en", b"x\ny\n"),
            ("documents.tsv", b"segment\tdocument\tdomain\n1\td1\tnews\n2\td1\tsocial\n"),
            ("groups.tsv", b"system\tgroup\nA\tbig\nGhost\tsmall\n"),
        ]
    )
    assert [(i.role, i.segments, i.group) for i in collection.items] == [
        ("system", ("x", "y"), "big"),
        ("documents", ("d1", "d1"), ""),
        ("domains", ("news", "social"), ""),
    ]
    assert any("Ghost" in notice.message for notice in collection.notices)


@pytest.mark.parametrize("heading", ["question_id", "prompt_id", "Example ID", "qid"])
def test_a_long_table_of_questions_is_read(heading: str) -> None:
    """What judges are asked about is a segment, and a number of its own for every row is not."""
    rows = [f"{3 * i + k},q{i},{name},{i + k}" for i in range(4) for k, name in enumerate("XYZ")]
    intake = one("judge.csv", "\n".join([f"uid,{heading},model,judge_score", *rows]))
    assert [i.name for i in intake.items if i.kind == "scores"] == ["X", "Y", "Z"]
    assert intake.items[1].segments == ("1", "2", "3", "4")


def test_a_long_header_is_told_in_short_and_documents_need_no_other_name() -> None:
    """Six headings and the number of the others; two tables may both have a column of documents."""
    head = ",".join(["doc_id", *(f"s{k}" for k in range(9))])
    text = "\n".join([head, *(",".join([f"d{i}", *["0.5"] * 9]) for i in range(4))]).encode()
    intake = read([("scores.a.csv", text), ("scores.b.csv", text)])
    told = [notice.message for notice in intake.notices]
    assert told == ["Its first line was read as a header: doc_id, s0, s1, s2, s3, s4 and 4 more."] * 2


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_records_nested_too_deeply_are_not_json(name):
    """Brackets beyond what a parser can follow are a problem of the file, not a traceback."""
    data = b'{"score": 1}\n{"score": ' + b"[" * 200_000 + b"]" * 200_000 + b"}\n"
    intake = read([(name, data)])
    assert not intake.items
    assert "not JSON" in str(intake.problems[0])


@pytest.mark.parametrize(("ids", "used"), [(("a", "b", "c"), True), (("a", "", "c"), False), (("", "", ""), False)])
def test_ids_that_are_not_complete_are_not_used_and_said(ids, used):
    """Two files are matched by their ids, or by place with a notice that the ids of one are not used."""
    lines = [f'{{"id": "{key}", "reference": "It rains {key or number}."}}' for number, key in enumerate(ids)]
    intake = one("ref.jsonl", "\n".join(lines))
    assert intake.items[0].keys == (ids if used else ())
    said = "Column id: row 2 has no id, so its ids are not used: segments are matched by place."
    assert [(n.message, n.line) for n in intake.notices] == ([(said, 2)] if ids[0] and not used else [])


@pytest.mark.parametrize(
    ("file", "text", "where"),
    [
        ("a.jsonl", '{"id": 1, "score": 0.5}\n{"id": 2, "score": 0.9, "score": 0.1}\n', "a.jsonl, line 2"),
        ("a.json", '[{"id": 1, "score": 0.5},\n{"id": 2, "score": 0.9, "score": 0.1}]\n', "a.json"),
        ("a.json", '{"q1": "yes", "q2": "no", "q1": "no"}', "a.json"),
    ],
)
def test_a_name_twice_in_a_record_is_refused(file, text, where):
    """A parser keeps the last of the values without a word: nobody could say which score was meant."""
    intake = one(file, text)
    (problem,) = intake.problems
    assert (problem.where, intake.items) == (where, ())
    assert "an object has the name" in problem.what
    assert "twice" in problem.what


@pytest.mark.parametrize(
    ("row", "what"),
    [("2,A,,A", "A comparison names only one system."), (",A,B,tie", "A comparison names no question.")],
)
def test_a_comparison_without_a_name_says_where(row: str, what: str) -> None:
    """Comparisons of unknown questions would be those of one; the error names the file and the line."""
    intake = one("pairs.csv", f"question,model_a,model_b,winner\n1,A,B,A\n{row}\n")
    assert [(problem.what, problem.where) for problem in intake.problems] == [(what, "pairs.csv, line 3")]
    assert intake.preferences == ()


def test_ids_that_repeat_in_a_table_with_a_column_system_are_said() -> None:
    """A table that is not read in long form: its columns are no rivals, and the answer shows them."""
    intake = one("t.csv", "system,segment,comet\nOne,1,0.81\nOne,2,x.64\nTwo;,1,0.79\nTwo,2,0.70\n")
    (problem,) = intake.problems
    assert intake.items == ()
    assert "what are comet?" in problem.what
    assert "comet ('0.81', 'x.64', '0.79')" in problem.what


@pytest.mark.parametrize(
    ("row", "lacking", "heading"), [("A,2,,0.5", "measure", "metric"), (" ,2,COMET,0.5", "system", "system")]
)
def test_a_row_without_a_name_says_where(row: str, lacking: str, heading: str) -> None:
    """One empty cell does not become a measure or a system of its own, which would be compared in place of the others."""
    rows = [f"{s},{i},{m},0.{i}" for s in "AB" for i in range(5) for m in ("COMET", "BLEURT")]
    intake = one("t.csv", "\n".join(["system,segment,metric,score", row, *rows]))
    problems = [(f"A row does not name its {lacking}: {heading} is empty.", "t.csv, line 2")]
    assert [(p.what, p.where) for p in intake.problems] == problems
    assert intake.items == ()


@pytest.mark.parametrize(
    ("row", "said"),
    [("A\ty\tsystem", "x and y"), ("A\tx\tcombination", "system and combination"), ("A\tx\tsystem", "")],
)
def test_a_system_has_one_group(row: str, said: str) -> None:
    """Two different ones are refused with the line of the second; the same row twice is no contradiction."""
    intake = one("groups.tsv", f"system\tgroup\tkind\nA\tx\tsystem\n{row}\n")
    assert [(p.what, p.where) for p in intake.problems] == (
        [(f"A is in two groups or of two kinds: {said}.", "groups.tsv, line 3")] if said else []
    )
    assert intake.groups == ({} if said else {"A": "x"})


def test_a_segment_of_a_document_is_called_by_its_number_first() -> None:
    """As everywhere: 3 of d1, not d1 of 3."""
    rows = [
        f"{name},d{1 + k // 4},{k % 4 + 1},{(k * 3 + len(name)) % 7 / 10}" for name in ("A", "BB") for k in range(8)
    ]
    text = "\n".join(["system,document,segment,score", *rows]) + "\n"
    keys = read([("t.csv", text.encode())]).items[0].keys
    assert keys == tuple(f"{k % 4 + 1} of d{1 + k // 4}" for k in range(8))
