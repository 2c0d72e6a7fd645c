"""Files as people lay them out: folders of runs, comments above a header, decimal percents, results beside samples."""

from __future__ import annotations

import json

import pytest

from sigcore import readers


def test_folders_of_seeds_are_named_after_the_model_above_them() -> None:
    record = b'{"id": 1, "label": "yes", "prediction": "no"}\n{"id": 2, "label": "no", "prediction": "no"}\n'
    files = [(f"{model}/seed{k}/predictions.jsonl", record) for model in ("small", "large") for k in (1, 2)]
    intake = readers.read(files)
    systems = [item.name for item in intake.items if item.role == "system"]
    assert systems == ["small.seed1", "small.seed2", "large.seed1", "large.seed2"]
    assert not [notice for notice in intake.notices if "Another system" in notice.message]


def test_seeds_that_all_differ_still_have_their_models_name() -> None:
    files = [(f"{path}/out.txt", b"a\nb\n") for path in ("runs/a/seed1", "runs/b/seed2", "runs/b/seed3")]
    assert [item.name for item in readers.read(files).items] == ["a.seed1", "b.seed2", "b.seed3"]
    assert [item.name for item in readers.read(files[1:]).items] == ["seed2", "seed3"]
    assert [item.name for item in readers.read(files[:2]).items] == ["a", "b"]


def test_several_systems_of_each_folder_keep_their_own_names() -> None:
    table = b"id,reference,One,Two\n1,It rains.,It is raining.,Rain falls.\n2,It snows.,Snow.,Snow falls.\n"
    items = readers.read([("x/out.csv", table), ("y/out.csv", table)]).items
    assert [item.name for item in items if item.role == "system"] == ["x.One", "x.Two", "y.One", "y.Two"]


def test_comment_lines_above_a_header_are_left_out_with_a_note() -> None:
    body = b"id,A,B\n" + b"".join(b"q%d,0.%d,0.%d\n" % (k, k, k + 1) for k in range(1, 8))
    for above in (b"# made by eval.py, twice\n\n# N/A: none\n", b"// x\n", b"% x, y, z\n", b"# F1, of, seeds\n"):
        intake = readers.read([("bleu.csv", above + body)])
        assert [item.name for item in intake.items] == ["A", "B"]
        assert intake.items[0].segments[0] == "0.1"
        assert any("above its header" in notice.message for notice in intake.notices)
        assert not intake.problems
    tabs = readers.read([("bleu.tsv", b"# by eval\n" + body.replace(b",", b"\t"))])
    assert [item.name for item in tabs.items] == ["A", "B"]
    assert any(notice.line == 2 and "header" in notice.message for notice in tabs.notices)
    assert readers.columns("bleu.csv", b"# x\n" + body)["A"][0] == "0.1"


def test_a_header_that_begins_with_a_hash_is_no_comment() -> None:
    rows = b"".join(b"q%d,0.%d,0.%d\n" % (k, k, k + 1) for k in range(1, 8))
    intake = readers.read([("bleu.csv", b"#id,A,B\n" + rows)])
    assert [item.name for item in intake.items if item.role == "system"] == ["A", "B"]
    quoted = readers.read([("bleu.csv", b'#id,"A,1",B\n' + rows)])
    assert [item.name for item in quoted.items if item.role == "system"] == ["A,1", "B"]
    # without commas it may be a header separated by something else: the file is refused
    assert readers.read([("bleu.csv", b"#id A B\n" + rows)]).problems


def test_percents_with_decimal_commas_are_numbers() -> None:
    for sign in ("%", " %", "\u00a0%"):
        rows = "".join(f"q{k};7{k},5{sign};8{k},0{sign}\n" for k in range(1, 8))
        items = readers.read([("bleu.csv", f"id;A;B\n{rows}".encode())]).items
        assert [(item.kind, item.segments[0].strip()) for item in items] == [("scores", "71.5"), ("scores", "81.0")]
    thousands = "".join(f"q{k};1,50{k}%;2,60{k}%\n" for k in range(1, 8))
    assert readers.read([("bleu.csv", f"id;A;B\n{thousands}".encode())]).problems


def test_means_of_tasks_beside_samples_are_set_aside() -> None:
    samples = "".join(
        json.dumps({"doc_id": k, "doc": {"q": f"Q{k}"}, "target": "a", "arguments": [], "acc": k % 2}) + "\n"
        for k in range(6)
    )
    means = {"results": {"sums": {"alias": "sums", "acc,none": 0.5, "acc_stderr,none": 0.1}}, "config": {"model": "hf"}}
    files = [("results/A/samples_sums_2025-01-01T10-15-20.123456.jsonl", samples.encode())]
    files += [("results/A/results_2025-01-01T10-15-20.123456.json", json.dumps(means).encode())]
    intake = readers.read(files)
    assert not intake.problems
    assert {item.role for item in intake.items if item.file == files[1][0]} == {"ignored"}
    assert any("whole tasks" in notice.message and notice.file == files[1][0] for notice in intake.notices)
    # scores of questions below the same word are no means of tasks
    other = {"results": {f"q{k}": {"acc": k % 2} for k in range(6)}}
    assert readers.read([("a.json", json.dumps(other).encode())]).detected[0].reader != "harness_summary"


def test_sources_beside_a_winner_are_the_systems_of_the_row() -> None:
    rows = "".join(f"c{k},One,Two,{'A' if k % 3 else 'TIE'}\n" for k in range(12))
    for headings in ("a_source,b_source", "source_a,source_b"):
        (found,) = readers.read([("wins.csv", f"case_id,{headings},winner\n{rows}".encode())]).preferences
        assert set(found.systems) == {"One", "Two"}
    texts = "".join(f"c{k},It rains {k}.,It snows {k}.,A\n" for k in range(12))
    assert not readers.read([("wins.csv", f"case_id,a_source,b_source,winner\n{texts}".encode())]).preferences
    words = rows.replace("TIE", "seldom")
    assert not readers.read([("wins.csv", f"case_id,a_source,b_source,winner\n{words}".encode())]).preferences


def test_several_judges_of_each_packet_do_not_hide_its_id() -> None:
    rows = "".join(f"{judge},{model},p{k},{k % 7}\n" for k in range(9) for judge in "gc" for model in "ab")
    (problem,) = readers.read([("packets.csv", f"judge_id,model_id,packet_id,score\n{rows}".encode())]).problems
    assert "has segment p0 a second time" in str(problem)
    assert "model_id=system packet_id=question judge_id=run score=score" in problem.fix
    choice = readers.Choice(options={"id_field": "packet_id", "run_field": "judge_id"})
    intake = readers.read([("packets.csv", f"judge_id,model_id,packet_id,score\n{rows}".encode())], every=choice)
    assert not intake.problems


def test_naming_a_score_keeps_the_column_of_systems() -> None:
    rows = "".join(f"{name},q{k},0.{k},{k % 2}\n" for name in ("tfidf", "bm25") for k in range(1, 9))
    file = ("runs.csv", f"method,question_id,answer_f1,recall_at_1\n{rows}".encode())
    for score in ("answer_f1", "recall_at_1"):
        intake = readers.read([file], every=readers.Choice(options={"score_field": score}))
        assert not intake.problems
        assert [item.name for item in intake.items if item.role == "system"] == ["tfidf", "bm25"]


def test_a_list_in_each_record_is_offered_as_rows_where_these_can_be_read() -> None:
    def board(**more: object) -> tuple[str, bytes]:
        tasks = [[{"task_id": f"t{k}", "score": (k * of) % 7 / 7} for k in range(8)] for of in (3, 5)]
        records = [{"model": name, "results": own, **more} for name, own in zip("AB", tasks, strict=True)]
        return "board.jsonl", "".join(json.dumps(record) + "\n" for record in records).encode()

    (problem,) = readers.read([board()]).problems
    assert problem.fix.startswith("Is each entry below results a row? Then read them so: --explode results.")
    found = readers.read([board()], every=readers.Choice(options={"explode": "results"}))
    assert [(item.name, item.segments[1]) for item in found.items] == [("A", repr(3 / 7)), ("B", repr(5 / 7))]
    # nothing is offered that would be refused, and nothing twice
    (text,) = readers.read(
        [("board.jsonl", board()[1].replace(b'"score"', b'"link"').replace(b": 0.", b": 'x'"))]
    ).problems
    assert "--explode" not in text.fix
    words = [{"model": name, "results": [{"note": "a"}, {"note": "b"}]} for name in "AB"]
    assert not any(
        "--explode" in one.fix for one in readers.read([("board.json", json.dumps(words).encode())]).problems
    )


@pytest.mark.parametrize(
    "heading", ["test_id", "testID", "task_id", "record_id", "item", "utt", "nr", "conversation_id"]
)
def test_ids_under_any_usual_heading_pair_the_rows(heading: str) -> None:
    """Two files of the same ids in other orders: paired by place, each would be compared with other questions."""
    rows = [(f"t{k}", k * 7 % 11 / 11) for k in range(20)]
    one, two = (
        f"{heading},quality\n" + "".join(f"{name},{score}\n" for name, score in own)
        for own in (rows, [(name, score + 0.01) for name, score in reversed(rows)])
    )
    intake = readers.read([("x.csv", one.encode()), ("y.csv", two.encode())])
    first, second = (dict(zip(item.keys, item.segments, strict=True)) for item in intake.items)
    assert first == {name: str(score) for name, score in rows}
    assert all(float(second[name]) - float(first[name]) == pytest.approx(0.01) for name in first)


def test_ids_of_what_one_system_did_pair_nothing() -> None:
    """A request has an id of its own in every file, and a number below another heading may be a count."""
    for heading in ("request_id", "length"):
        text = f"{heading},quality\n" + "".join(f"{k + 100},{k / 9}\n" for k in range(9))
        assert not any(item.keys for item in readers.read([("x.csv", text.encode())]).items)
