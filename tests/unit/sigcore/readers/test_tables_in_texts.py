"""One of several tables in a text, points with ticks, measures in rows, answers by id, and what a program printed for people."""

from __future__ import annotations

import json

import pytest

from sigcore.readers import Choice, Intake, Item, read, trial
from sigcore.readers.contract import Found
from sigcore.readers.names import guess_role
from sigcore.readers.tables import evident, header, outcomes, versus
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.made_tables import N, asked, means, rows, scored, value

TICKS = {True: "✅", False: "❌"}


def page(*tables: list[list[str]]) -> str:
    """A page of Markdown with these tables, each below a heading."""
    shown = []
    for k, (head, *body) in enumerate(tables):
        rule = ["---"] * len(head)
        shown.append("\n".join([f"## Part {k}", "", *(f"| {' | '.join(row)} |" for row in (head, rule, *body)), ""]))
    return "\n".join(shown)


def passed(k: int, i: int) -> int:
    return (3 * k + i) % 3 % 2


def points(k: int, i: int) -> str:
    """The points of a problem with 3, 4 or 5 tests, and a tick."""
    most = 3 + k % 3
    return f"{most * passed(k, i)}/{most} {TICKS[bool(passed(k, i))]}"


PROBLEMS = [
    ["Problem", "Total", "base", "tuned"],
    *([f"p{k}", str(3 + k % 3), points(k, 0), points(k, 1)] for k in range(N)),
]
SUMS = [["Strategy", "Passed", "Rate"], ["base", "4", "33%"], ["tuned", "8", "66%"], ["other", "7", "60%"]]


def refused(text: str, name: str) -> str:
    (problem,) = scored(text, name).problems
    return f"{problem.what} {getattr(problem, 'fix', '')}"


def test_one_of_several_tables_is_chosen_by_its_line() -> None:
    """The refusal names the lines; a tick behind points says no more, and what can be had in each row is no system."""
    text = page(PROBLEMS, SUMS)
    lines = [k for k, line in enumerate(text.split("\n"), 1) if line.startswith(("| Problem", "| Strategy"))]
    assert f"--table {lines[0]}, --table {lines[1]}." in refused(text, "report.md")
    found = scored(text, "report.md", table=str(lines[0]))
    assert means(found) == pytest.approx(
        {name: sum(passed(k, i) for k in range(N)) / N for i, name in enumerate(("base", "tuned"))}
    )
    assert any("1 other table not used" in one.message for one in found.notices)
    (problem,) = scored(text, "report.md", table="2").problems
    assert problem.what == "No table begins at line 2."
    assert f"begin at {lines[0]}, {lines[1]}." in problem.fix  # type: ignore[attr-defined]


def test_a_table_of_ratings_is_chosen_by_its_line() -> None:
    rated = [
        ["judge", "system", "segment", "score"],
        *([f"j{k % 2}", "AB"[k % 2], f"s{k // 2}", str(k % 5)] for k in range(4 * N)),
    ]
    text = page(rated, SUMS)
    found = read([("rated.md", text.encode())], every=Choice("ratings", {"table": "3"}))
    assert found.problems == ()
    assert len(found.judgments[0].score) == 4 * N


@pytest.mark.parametrize("mark", ["", " ✅"])
def test_points_out_of_one_number_stay_points_without_ticks(mark: str) -> None:
    """Their shares and they rank alike; of other numbers, only shares can be compared."""
    text = rows("item,foo,bar", *(f"q{k},{k % 4}/3{mark},{(k + 1) % 4}/3{mark}" for k in range(N)))
    found = scored(text)
    most = 3 if mark else 1
    assert means(found) == pytest.approx({"foo": 1.5 / most, "bar": 1.5 / most}, abs=1e-9)


def by_measure(joined: bool) -> str:
    """Rows of three measures for each page, and one row of each for all pages."""
    named = [(f"p{k}", name, k) for k in range(N) for name in ("wer", "cer_pct", "ratio")] + [("__ALL__", "wer", 99)]
    cells = [f"{page}:{name}" if joined else f"{page},{name}" for page, name, _ in named]
    values = [f"{value(k, len(name))},{value(k, len(name) + 1)}" for _, name, k in named]
    return rows(
        f"{'' if joined else 'page,measure'},foo,bar", *(f"{one},{two}" for one, two in zip(cells, values, strict=True))
    )


@pytest.mark.parametrize("joined", [False, True])
def test_measures_in_rows_are_read_each_with_its_own(joined: bool) -> None:
    """Systems stand in columns: no mean over several measures, and none over what sums up."""
    found = scored(by_measure(joined))
    assert found.problems == ()
    own = {(one.name, one.measure): one.segments for one in found.items if one.role == "system"}
    assert {measure for _, measure in own} == {"wer", "cer_pct", "ratio"}
    for i, name in enumerate(("foo", "bar")):
        for measure in ("wer", "cer_pct", "ratio"):
            assert [*map(float, own[name, measure])] == [value(k, len(measure) + i) for k in range(N)]


def test_rows_with_other_names_behind_a_colon_are_no_measures() -> None:
    text = rows(",foo,bar", *(f"p{k}:{part},{value(k, 1)},{value(k, 2)}" for k in range(N) for part in ("en", "de")))
    assert all(one.measure != "en" for one in scored(text).items)


def answers(name: str, shift: int) -> bytes:
    own = {str(k): "ABCD"[(k + shift * (k % 3)) % 4] for k in range(1, 3 * N)}
    return json.dumps({"model": name, "timestamp": "t", "answers": own, "evaluation": {"accuracy": 3.5}}).encode()


def test_answers_by_id_beside_what_is_said_of_the_whole_system() -> None:
    """The file says whose they are; a file whose name ends in Correct_Answers has what is right."""
    gold = {str(k): "ABCD"[k % 4] for k in range(1, 3 * N)}
    files = [
        ("a.json", answers("org/one", 1)),
        ("b.json", answers("two", 0)),
        ("QA_Correct_Answers.json", json.dumps(gold).encode()),
    ]
    found = read(files)
    assert found.problems == ()
    assert {(one.role, one.name) for one in found.items if one.kind == "text"} == {
        ("system", "org/one"),
        ("system", "two"),
        ("reference", "reference"),
    }
    assert guess_role("exam_answer_key.json") == "reference"
    assert guess_role("model_answers.json") == "system"


@pytest.mark.parametrize("beside", [{}, {"summary": {"best": "A"}}])
def test_lists_of_systems_below_one_name(beside: dict[str, object]) -> None:
    own = {
        name: [{"audio_file": f"f{k}.wav", "accuracy": value(k, i)} for k in range(N)]
        for i, name in enumerate(("A", "B"))
    }
    found = scored(json.dumps({"detailed_results": own, **beside}), "r.json")
    assert means(found) == pytest.approx(
        {name: sum(value(k, i) for k in range(N)) / N for i, name in enumerate(("A", "B"))}
    )


def test_what_a_program_printed_is_no_output() -> None:
    log = "\n".join(
        [
            "=" * 60,
            "RUN 1",
            "=" * 60,
            "P1: a question => tool [3 ms]",
            *["=" * 60, "SUMMARY", "=" * 60],
            "Model  P1",
            "a      1",
        ]
    )
    assert "rules between its parts" in refused(log, "run_1.txt")
    two = read([("out.txt", ("a sentence\n" * 5 + "-" * 50 + "\n").encode())])
    assert two.problems == ()


def test_words_with_ids_and_headings_are_no_trees() -> None:
    head = "ID\tDOCULECT\tCONCEPT\tFORM\tTOKENS\tA\tB\tC\tD\tE"
    text = "\n".join(
        [head, *("\t".join([str(k), "x", "y", "z", "w", "1", str(k), "q", "_", "_"]) for k in range(1, 30))]
    )
    found: Intake = scored(text, "words.tsv")
    assert "Number the words" not in " ".join(str(one) for one in found.problems)
    assert asked(text, "words.tsv")


def test_measures_behind_each_system_are_called_after_it() -> None:
    """The same two headings behind each text: word_error_rate is that of four systems, not of one file."""
    systems = ("deep", "azure")
    head = "file,actual," + ",".join(f"{name}_transcript_en,wer,ser" for name in systems)
    lines = [f"f{k}.wav,a b c,{','.join(f'a b d,{value(k, i)},{value(k, i + 2)}' for i in range(2))}" for k in range(N)]
    problem = asked(rows(head, *lines))
    assert problem.ways == (("wer, ser are measures of deep, azure", "wer=measure ser=measure"),)
    found = scored(rows(head, *lines), columns="wer=measure\nser=measure")
    own = {(one.name, one.measure): [*map(float, one.segments)] for one in found.items if one.kind == "scores"}
    assert own["azure", "ser"] == [value(k, 3) for k in range(N)]
    assert own["deep", "wer"] == [value(k, 0) for k in range(N)]


def test_headings_that_come_again_behind_other_ones_stay() -> None:
    """Without a measure, or not behind each."""
    text = rows("item,a,note,b,note", *(f"q{k},{value(k, 1)},x y,{value(k, 2)},y z" for k in range(N)))
    assert all("note" not in one.name for one in scored(text).items if one.role == "system")


def test_a_column_that_files_without_headings_share_is_what_is_right() -> None:
    """It is like the outputs; the prompts are not, and differ from file to file."""
    words = ["the", "cat", "sat", "on", "a", "mat", "by", "the", "old", "door", "of", "our", "house"]

    def line(k: int, i: int) -> str:
        right = " ".join(words[(k + j) % 12] for j in range(8))
        wrong = " ".join(words[(k + j + (j == 3) * (k % 2 + i + 1)) % 12] for j in range(8))
        return f"{'x y z ' * 40}{k} {i} = English:\t{right} {k}\t{wrong} {k}"

    files = [(f"{name}.tsv", "\n".join(line(k, i) for k in range(3 * N)).encode()) for i, name in enumerate("ab")]
    problem = read(files).problems[0]
    assert "'column 1=ignored' 'column 2=reference' 'column 3=system'" in problem.fix  # type: ignore[attr-defined]
    assert "It would compare" not in problem.fix  # type: ignore[attr-defined]
    found = read(files, every=Choice(options={"columns": "column 1=ignored\ncolumn 2=reference\ncolumn 3=system"}))
    assert {(one.role, one.kind) for one in found.items} == {("reference", "text"), ("system", "text")}


def test_all_that_is_said_of_columns_without_headings_names_them_alike() -> None:
    """Commands that were tried, and what each reading would compare, kept the name of the file: pages left it out."""
    table = Table("t.txt", ["t column 1", "t column 2"], [["a", "1"], ["b", "2"]], [2, 3])
    ways = [(f"t column {k} names the systems", f"'t column {k}=system'") for k in (1, 2)]
    problem = Unclear(table, "Is t column 1 a name?", evident.claims(table, "open"), ways).with_ways(
        ways, {ways[0][1]: "2 systems on 2 segments"}
    )
    problem.spare = ways[1:]
    problem.called_plainly()
    assert [problem.in_words(way) for way in problem.ways] == [
        "column 1 names the systems (2 systems on 2 segments)", "column 2 names the systems",
    ]  # fmt: skip
    assert [*problem.spare] == [("column 2 names the systems", "'column 2=system'")]
    assert [claim.column for claim in problem.claims] == ["column 1", "column 2"]
    assert "t column" not in str(problem)


def test_a_number_says_who_is_better_where_one_system_stays_on_its_side() -> None:
    lines = [f"fable,{('opus', 'gemini')[k % 2]},{k},{(0, 0.5, 1)[k % 3]},{k % 3}" for k in range(2 * N)]
    problem = asked(rows("llm_left,llm_right,story_idx,outcome_left,n_judges", *lines))
    assert "It names two (llm_left, llm_right)" in problem.why
    assert any("outcome_left=winner" in roles and "0.5=tie" in roles for _, roles in problem.ways)


def test_whose_predictions_are_asked_with_what_was_labelled() -> None:
    """Each text has a row of each prompt; without them the labels are still compared."""
    lines = [
        f"{prompt},text {k},{'ab'[k % 2]},{'ab'[(k + i) % 2]}"
        for i, prompt in enumerate(("short", "long"))
        for k in range(N)
    ]
    problem = asked(rows("prompt_template,text,true_label,predicted_label", *lines))
    assert "--columns prompt_template=system text=question true_label=reference predicted_label=text." in problem.fix
    assert "--columns prompt_template=ignored true_label=reference predicted_label=text text=ignored." in problem.fix
    found = scored(
        rows("prompt_template,text,true_label,predicted_label", *lines),
        columns="prompt_template=ignored\ntrue_label=reference\npredicted_label=text\ntext=ignored",
    )
    assert [one.role for one in found.items if one.kind == "text" and one.role != "ignored"] == ["reference", "system"]


@pytest.mark.parametrize(("n", "offered"), [(4, True), (3, False)])
def test_four_questions_with_named_systems_can_be_confirmed(n: int, offered: bool) -> None:
    lines = [f"c{k},{name},{value(k, i)}" for k in range(n) for i, name in enumerate(("deep", "whisper"))]
    problem = asked(rows("call,engine,wer", *lines))
    assert ("confirm it" in problem.fix) is offered


def test_answers_that_end_with_a_letter_are_those_of_a_system() -> None:
    """The list of choices begins with A in each row, and is none."""
    gold = ["ABCD"[k % 4] for k in range(3 * N)]
    cot = [f"{one} is a thing. So a word or two. The answer: {one}." for one in gold]
    records = [
        {
            "question": f"what is {k}?",
            "choices": "A) x\nB) y",
            "gold": gold[k],
            "zero": "ABCD"[k % 3],
            "cot": cot[k],
            "few": "ABCD"[k % 2],
        }
        for k in range(3 * N)
    ]
    problem = asked(json.dumps({"config": {"k": 3}, "results": records}), "r.json")
    assert "choices=ignored zero=system cot=system few=system gold=reference" in problem.fix


@pytest.mark.parametrize("said", ["total_ms=score", "total_ms=score\nnote=ignored"])
def test_which_columns_are_scores_says_nothing_of_the_systems(said: str) -> None:
    """The column that names them is found as without it."""
    lines = [f"q{k},{name},x{k},{100 * value(k, i) + 1}" for k in range(N) for i, name in enumerate(("rag", "long"))]
    found = scored(rows("question_id,system_variant,note,total_ms", *lines), columns=said)
    assert means(found).keys() == {"rag", "long"}


def test_what_answers_of_each_system_cost_may_be_compared() -> None:
    """Where each has an output of its own; the phases of one system have none."""
    lines = [f"{k},what is {k},an answer {k},{value(k, 1)},another {k},{value(k, 2)}" for k in range(N)]
    problem = asked(rows("id,question,base_answer,base_time,lora_answer,lora_time", *lines))
    assert problem.ways == (("base_time, lora_time are compared", "id=question base_time=system lora_time=system"),)
    phases = [f"{k},what is {k},an answer {k},{value(k, 1)},{value(k, 2)}" for k in range(N)]
    assert "search_time=system" not in refused(rows("id,question,answer,search_time,rerank_time", *phases), "t.csv")


def test_three_columns_name_a_system_where_two_do_not() -> None:
    lines = [
        f"what is {k},{one},{two},{three},{value(k, len(one + two + three))}"
        for k in range(N)
        for one, two, three in (
            ("rag", "bge", "none"),
            ("rag", "bge", "cross"),
            ("rag", "minilm", "none"),
            ("llm", "bge", "none"),
            ("llm", "minilm", "cross"),
        )
    ]
    problem = asked(rows("query,pipeline,embedder,reranker,points", *lines))
    named = [roles for _, roles in (*problem.ways, *problem.others)]
    assert any(roles.count("=system") == 3 and "query=question" in roles for roles in named)


@pytest.mark.parametrize(("filled", "offered"), [(2 * N, True), (N, False)])
def test_a_verdict_that_few_rows_have_says_not_who_won(filled: int, offered: bool) -> None:
    lines = [
        f"what is {k // 2},{('a', 'b')[k % 2]},{('alpha', 'beta')[k % 3 % 2] if k < filled else ''},{k}"
        for k in range(2 * N)
    ]
    problem = scored(rows("query,arm,verdict,total_tokens", *lines)).problems
    assert any("verdict=winner" in str(one) for one in problem) is offered


def test_a_group_of_questions_is_no_question() -> None:
    """Its heading was that of a reader for the questions of several rows: 2 questions in place of 12."""
    lines = [
        f"q{k},{name},{('symptoms', 'treatment')[k % 2]},{value(k, i)}"
        for k in range(N)
        for i, name in enumerate(("gpt", "claude"))
    ]
    found = scored(rows("question_id,model,question_group,score", *lines))
    assert not any(one.role == "documents" for one in found.items)


def test_differences_with_verdicts_are_finished_tests() -> None:
    lines = [f"a,b{k},{value(k, 1)},{value(k, 2)},{bool(k % 2)}" for k in range(N)]
    assert "Each row is a finished test with its result (sig_naive)" in refused(
        rows("a,b,mean_diff,se_naive,sig_naive", *lines), "p.csv"
    )


@pytest.mark.parametrize(("n", "offered"), [(6, False), (4, True)])
def test_many_texts_without_a_heading_that_says_so_are_no_systems(n: int, offered: bool) -> None:
    """Nothing says that systems wrote them, and none is right."""
    columns = [f"part{k}" for k in range(n)]
    lines = [
        f"q{k},{('art', 'holidays', 'rooms')[k % 3]},{','.join(f'word{k} and some more {c} of these' for c in columns)}"
        for k in range(N)
    ]
    problem = asked(rows(f"id,Sets,{','.join(columns)}", *lines))
    assert ("confirm it" in problem.fix) is offered
    assert ("Nothing says which columns hold outputs" in problem.fix) is not offered


def test_an_id_of_variants_numbers_no_systems_next_to_conditions() -> None:
    """Each row has another one, and the conditions come again."""
    lines = [f"v-{k},gpt-4o,{('direct', 'checked')[k % 2]},{1 + k % 4},{value(k, 1)}" for k in range(3 * N)]
    found = scored(rows("Variant_ID,Model,Condition,R1,Mean", *lines))
    assert all("one row per system" not in str(one) for one in found.problems)


def test_a_reading_that_shares_no_segment_gives_way_to_one_that_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def scores_of(name: str, cells: str) -> Item:
        return Item(name, "system", "scores", tuple(cell.strip("-") for cell in cells), "t", "", measure="acc")

    led = {
        "x=system": [scores_of("a", "1-1-"), scores_of("b", "-1-1")],
        "y=system": [scores_of("a", "11--"), scores_of("b", "11-1")],
    }
    monkeypatch.setattr(trial, "_led", lambda *of: (Found(items=led[of[3]]), ""))
    problem = asked(
        rows("item,foo,bar,qux,baz", *(f"q{k},{value(k, 1)},{value(k, 3)},{value(k, 5)},{900 - k}" for k in range(N)))
    )
    for said, kept in ((["x=system", "y=system"], ["y=system"]), (["x=system"], ["x=system"])):
        problem.ways = tuple((one, one) for one in said)
        assert [way[1] for way in trial._with_possible(None, None, {}, problem).ways] == kept  # type: ignore[arg-type]


def test_a_column_of_remarks_with_a_word_for_right_is_no_question() -> None:
    lines = [
        f"{name},{','.join('correct' if (k + i) % 2 else 'incorrect' for k in range(5))},{note}"
        for i, (name, note) in enumerate((("a", "correct"), ("b", "a long remark"), ("c", "another one of these")))
    ]
    found = scored(rows("Model,boludo,che,copado,laburo,pete,notes", *lines))
    assert {len(one.segments) for one in found.items if one.role == "system"} == {5}


@pytest.mark.parametrize(
    ("head", "called"),
    [
        ("a_x wer b_x wer", "a_x a_wer b_x b_wer"),
        ("a_x wer b_x wer cer", "a_x a_wer b_x b_wer cer"),
        ("a_x note b_x note", "a_x note b_x note"),  # no measure
        ("a_x wer ser b_x ser wer", "a_x wer ser b_x ser wer"),  # in another order
        ("wer wer a b", "wer wer a b"),  # of nothing
        ("wer a wer b", "wer a wer b"),
    ],
)
def test_headings_of_blocks_need_a_measure_and_the_same_behind_each(head: str, called: str) -> None:
    assert header.called(head.split()) == called.split()


def test_what_can_be_had_in_all_rows_alike_may_be_a_system() -> None:
    assert outcomes._says_most(["3", "4"], [{3.0}, {4.0}])
    assert not outcomes._says_most(["3", "3"], [{3.0}, {3.0}])
    assert not outcomes._says_most(["3", "5"], [{3.0}, {4.0}])


def test_only_words_for_people_name_them_in_headings() -> None:
    text = rows(
        "item,anna_gpt,bob_gpt,anna_llama,bob_llama",
        *(f"q{k},{1 + k % 5},{1 + k % 4},{1 + k % 3},{2 + k % 2}" for k in range(N)),
    )
    assert "It has no column 'anna'" in str(asked(text, columns="anna=judge\nbob=judge"))


def test_two_columns_that_all_files_share_are_no_one_reference() -> None:
    words = ["the", "cat", "sat", "on", "a", "mat", "by", "the", "old", "door", "of", "our", "house"]
    right = [" ".join(words[(k + j) % 12] for j in range(8)) + f" {k}" for k in range(3 * N)]
    files = [
        (
            f"{name}.tsv",
            "\n".join(
                f"{'x y z ' * 40}{k} {i}\t{one}\t{one} indeed\t{one} {name}" for k, one in enumerate(right)
            ).encode(),
        )
        for i, name in enumerate("ab")
    ]
    assert all("=reference" not in str(one) for one in read(files).problems)


def test_sides_with_one_name_in_both_are_not_apart() -> None:
    def sides(second: list[str]) -> bool:
        of = Table("t", ["llm_left", "llm_right"], [["a", one] for one in second], range(2, 2 + len(second)))
        return versus.are_apart(of, 0, 1)

    assert sides([*"bcbcbcbd"])
    assert not sides([*"bcbcbcba"])
    assert not sides(["1", "2", "1", "2"])


def test_rows_of_categories_are_means() -> None:
    """Also below headings of places (win_a, win_b), and next to their difference; two tables may follow each other without a line
    between them."""
    first = [["Outcome", "Count"], ["A", "5"], ["B", "6"], ["tie", "7"]]
    second = [["prompt_category", "win_a", "win_b", "Net Win Rate (B-A)"]]
    second += [[f"kind {k}", str(20.5 + k), str(30.5 - k), str(10.0 - 2 * k)] for k in range(9)]
    text = page(first, second).replace("\n\n## Part 1\n\n", "\n")
    assert "It has 2 tables" in refused(text, "report.md")
    line = 1 + text.split("\n").index("| prompt_category | win_a | win_b | Net Win Rate (B-A) |")
    (problem,) = scored(text, "report.md", table=str(line)).problems
    assert "Each row has another prompt_category" in problem.what


def test_costs_of_systems_with_several_numbers_each() -> None:
    lines = [f"q{k},{value(k, 1)},{40 + k},{value(k, 2)},{50 + k},{k}" for k in range(N)]
    problem = asked(rows("query_id,full_seconds,full_tokens,top_seconds,top_tokens,full_hits_time", *lines))
    assert problem.ways[0] == (
        "full_seconds, top_seconds are compared",
        "query_id=question full_seconds=system top_seconds=system",
    )
