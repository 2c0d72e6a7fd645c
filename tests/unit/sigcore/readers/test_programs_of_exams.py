"""Files as programs write them that were refused, or read in part: each is read whole, or asked about with a command that
works."""

from __future__ import annotations

import io
import json
import zipfile
from statistics import mean, stdev

import pytest

from sigcore.data import Collection, gaps
from sigcore.data.checks import Finding
from sigcore.judgments import Judgments
from sigcore.readers import Unclear, read, read_ratings
from tests.made_tables import SYSTEMS, N, means, of_people, rows, scored, told, value


def rated(text: str, name: str = "people.csv", **options: str) -> Judgments:
    (people,) = read_ratings([(name, text.encode())], options or None).judgments
    return people


# What is no measure, and what is no system.


def test_the_time_of_an_answer_is_no_score() -> None:
    """time.timestamp was the only number, and compared as if it were a measure."""
    records = [{"index": k, "output": {"result": f"r{k}"}, "time": {"timestamp": 1737138742126 + k}} for k in range(N)]
    found = scored("\n".join(map(json.dumps, records)), "runs.jsonl")
    assert not [one for one in found.items if one.kind == "scores"]


@pytest.mark.parametrize("year", ["YEAR", "Year"])
def test_a_year_is_of_a_document(year: str) -> None:
    """Beside it, columns alike are rivals; they were proposed as measures of one system."""
    lines = [f"D{k},{2000 + k % 5}," + ",".join(f"{value(k, i):.2f}" for i in range(3)) + ",Selected" for k in range(N)]
    (problem,) = scored(rows(f"DOCID,{year},A,B,C,filter_$", *lines)).problems
    assert isinstance(problem, Unclear)
    assert {one.column: one.role for one in problem.claims} == {
        "DOCID": "document", year: "ignored", "A": "system", "B": "system", "C": "system", "filter_$": "ignored",
    }  # fmt: skip


ATTEMPTS = [
    {"task_id": k, "prompt": f"write f{k}", "model_output": f"def f{k}(): {j}", "result": "passed" if (k + j) % 3 else "failed",
     "attempt": j}
    for k in range(N) for j in range(3)
]  # fmt: skip


@pytest.mark.parametrize("said", [{}, {"columns": "model_output=ignored\nresult=score", "cells": "failed=0\npassed=1"}])
def test_attempts_are_runs_of_their_task(said: dict[str, str]) -> None:
    """Whole numbers below task_id name it; the printed command counted each attempt as a task."""
    found = scored(json.dumps(ATTEMPTS), "m.json", **said)
    (item,) = (one for one in found.items if one.role == "system" and one.kind == "scores")
    documents = next(one for one in found.items if one.role == "documents")
    assert len(item.segments) == 3 * N
    assert len({*documents.segments}) == N


@pytest.mark.parametrize("names", [("bm25", "dense"), ("bm25", "7")])
def test_names_below_run_id_are_asked_about(names: tuple[str, str]) -> None:
    """Only numbers count runs."""
    lines = [f"{s},q{k},{value(k, i)}" for k in range(N) for i, s in enumerate(names)]
    assert scored(rows("run_id,eval_id,wer", *lines)).problems


def test_answers_are_no_names_of_systems() -> None:
    """A picture has several questions, and a question several pictures: both together name the segment."""
    records = [
        {"query": f"What is {k % 3}?", "label": str(k), "answer": f"I say it is {k % 5} on this chart now", "score": k % 2,
         "imgname": f"chart_{k // 3}.png"}
        for k in range(N)
    ]  # fmt: skip
    found = scored("\n".join(map(json.dumps, records)), "m.jsonl")
    assert means(found) == {"m": mean(k % 2 for k in range(N))}
    assert len({*next(one.keys for one in found.items if one.role == "system" and one.kind == "scores")}) == N


def test_numbers_of_turns_name_no_segment_with_a_document() -> None:
    columns = rows("id,turn_id,answer", *(f"s{k // 6},{k % 6},w{k}" for k in range(N)))
    assert scored(columns).problems


# Programs.


def helm(split: bool) -> str:
    """Runs of HELM, whose measures and counts may stand in records of their own."""

    def stat(name: str, number: float) -> object:
        return {"name": {"name": name, "split": "test"}, "count": 1, "mean": number}

    out = [
        {"instance_id": f"id{k}", "train_trial_index": 0, "stats": [stat("exact_match", float(k % 3 > 0))]}
        for k in range(N)
    ]
    out += [
        {"instance_id": f"id{k}", "train_trial_index": 0, "stats": [stat("num_prompt_tokens", 300.0 + k)]}
        for k in range(N)
    ]
    if not split:
        out = [{**out[k], "stats": [*out[k]["stats"], *out[N + k]["stats"]]} for k in range(N)]  # type: ignore[misc]
    return json.dumps(out)


@pytest.mark.parametrize("split", [True, False])
def test_measures_and_counts_of_helm_may_be_apart(split: bool) -> None:
    name = "legal:model=acme_b/per_instance_stats.json"
    assert means(scored(helm(split), name)) == {"acme_b": pytest.approx(mean(k % 3 > 0 for k in range(N)))}


def test_columns_of_promptfoo_may_be_objects() -> None:
    head = ['"' + json.dumps({"raw": "x", "display": f"[{s}] p"}).replace('"', '""') + '"' for s in SYSTEMS]
    lines = [
        ",".join(f"[{'PASS' if (k + i) % 3 else 'FAIL'}] ({float((k + i) % 3 > 0):.2f}) text" for i in range(3))
        + f",v{k}"
        for k in range(N)
    ]
    found = scored(rows(",".join([*head, "message"]), *lines))
    assert means(found) == {s: pytest.approx(mean((k + i) % 3 > 0 for k in range(N))) for i, s in enumerate(SYSTEMS)}


def test_mmlu_pro_compares_letters() -> None:
    """What could not be read from an answer (null) is no letter, so it is wrong; options and answers in full are left out."""
    records = [
        {"question_id": k, "question": f"What {k}?", "options": [f"o{k}", f"p{k}"], "answer": "AB"[k % 2],
         "answer_index": k % 2, "category": "history", "pred": None if k % 4 == 0 else "A", "response": f"It is {k} here."}
        for k in range(N)
    ]  # fmt: skip
    found = scored(json.dumps(records), "m/history_result.json")
    (system,) = (one for one in found.items if one.role == "system")
    assert system.segments == tuple("" if k % 4 == 0 else "A" for k in range(N))
    assert {one.role for one in found.items} == {"system", "reference", "domains", "ignored"}


def failures(failed: list[int], total: int = N, **more: object) -> str:
    head = {"accuracy": 1 - len(failed) / total, "correct_count": total - len(failed), "total_count": total}
    rest = [{"id": f"simple_{k}", "model_name": "m1", "valid": False, "error": "x", **more} for k in failed]
    return "\n".join(map(json.dumps, [head, *rest])) + "\n"


def test_bfcl_lists_failures_alone() -> None:
    found = scored(failures([2, 5, 7]), "m1/BFCL_score.json")
    assert means(found) == {"m1": pytest.approx((N - 3) / N)}
    (item,) = (one for one in found.items if one.role == "system")
    assert [k for k, one in enumerate(item.segments) if float(one) == 0] == [2, 5, 7]


@pytest.mark.parametrize("text", [
    failures([2, 5, N]),
    failures([2, 5]).replace('"correct_count": 10', '"correct_count": 9'),
    failures([2, 5], valid=True),
    failures([2, 5], 10**12),
    failures([2, 5]).replace("simple_5", "other_5"),
    failures([2, 5]).replace('"model_name": "m1"', '"model_name": "m2"', 1),
])  # fmt: skip
def test_failures_that_do_not_fit_their_count_are_no_scores(text: str) -> None:
    """An id beyond the count, another number of failures, and another stem or model say that some are missing."""
    found = scored(text, "m1/BFCL_score.json")
    assert not [one for one in found.items if len(one.segments) == N]


def mteval(again: bool = False, whole: bool = False) -> str:
    one = '  BLEU score using 4-grams = {:.4f} for system "{}" on segment {} of document "{}" (20 words)'
    head = ["MT evaluation scorer began on 2014 Jun 3", 'NIST score = 5.1  BLEU score = 0.31 for system "A"']
    body = [
        one.format(value(3 * d + k, i), s, 1 if again else k + 1, f"d{d}")
        for i, s in enumerate("AB") for d in range(4) for k in range(3)
    ]  # fmt: skip
    return rows(*head, *([] if whole else body))


def test_mteval_scores_segments_of_documents() -> None:
    found = scored(mteval(), "scores.txt")
    assert means(found) == {s: pytest.approx(mean(round(value(k, i), 4) for k in range(N))) for i, s in enumerate("AB")}
    documents = next(one for one in found.items if one.role == "documents")
    assert documents.segments == tuple(f"d{k // 3}" for k in range(N))
    assert {one.measure for one in found.items if one.kind == "scores"} == {"BLEU"}


@pytest.mark.parametrize(("text", "why"), [
    (mteval(again=True), "has segment 1 of d0 a second time"),
    (mteval(whole=True), "scores of whole systems alone"),
    (mteval().replace('"B" on segment 2 of document "d3"', '"B" on segment 9 of document "d3"'), "systems have other segments"),
])  # fmt: skip
def test_mteval_in_parts_is_refused(text: str, why: str) -> None:
    (problem,) = scored(text, "scores.txt").problems
    assert why in str(problem)


SPOKEN = "\n".join([
    "%WER 20.00 [ 2 / 10, 1 ins, 0 del, 1 sub ]", "=" * 20,
    *("\n".join([f"utt-{k}, %WER 10.00 [ 1 / 10, 0 ins, 0 del, 1 sub ]", " THE  ; OLD ; <eps> ; TRAM", "  =   ;  S  ;   I   ;  =",
                 f" THE  ; NEW ;   ON  ; TRAM{k}", "=" * 20]) for k in range(3)),
])  # fmt: skip


def test_speechbrain_prints_words_with_semicolons() -> None:
    found = scored(SPOKEN, "wer_test.txt")
    gold, output = (next(one for one in found.items if one.role == role) for role in ("reference", "system"))
    assert gold.segments == ("THE OLD TRAM",) * 3
    assert output.segments == tuple(f"THE NEW ON TRAM{k}" for k in range(3))
    assert output.keys == ("utt-0", "utt-1", "utt-2")
    assert "SpeechBrain" in told(found)


WEKA = "=== Predictions on test data ===\n\n inst#     actual  predicted error prediction\n"


def test_weka_prints_actual_and_predicted_classes() -> None:
    text = WEKA + "".join(f"  {k}  1:pos  {'1:pos' if k % 3 else '2:neg  +'}  0.8\n" for k in range(1, N))
    found = scored(text, "J48.txt")
    gold, output = (next(one for one in found.items if one.role == role) for role in ("reference", "system"))
    assert gold.segments == ("pos",) * (N - 1)
    assert output.segments == tuple("pos" if k % 3 else "neg" for k in range(1, N))
    assert output.name == "J48"


@pytest.mark.parametrize("line", ["  1  1:pos  2:neg  0.8", "  1  1:pos  1:pos  +  0.8", "  1  4.5  4.1  -0.4"])
def test_lines_of_weka_that_contradict_themselves_are_refused(line: str) -> None:
    """A mark of an error where both classes are the same, none where they differ, and numbers in place of classes."""
    (problem,) = scored(f"{WEKA}{line}\n", "J48.txt").problems
    assert "line 4" in str(problem)


def test_manifests_of_nemo_are_transcripts() -> None:
    """Whatever the recordings are called, the usual metric is the word error rate."""
    records = [
        {"audio_filepath": f"sample_{k}", "duration": 2.5, "text": f"so it is {k}", "pred_text": f"so is {k}"}
        for k in range(N)
    ]
    collection = Collection()
    for name in ("a.jsonl", "b.jsonl"):
        collection.add([(name, "\n".join(map(json.dumps, records)).encode())])
    assert all(one.note.endswith("of recordings") for one in collection.items if one.role == "system")


# Lines without a system, gaps, sheets and rows that sum up others.


def blocks(*, lost: int | None = None) -> str:
    lines = []
    for i, s in enumerate(SYSTEMS):
        own = [f"{s}\t{value(k, i):.2f}" if k % 4 else "\tNone" for k in range(N)]
        lines += own if i or lost is None else own[:lost] + own[lost + 1 :]
    return "\n".join(lines) + "\n"


def test_lines_without_a_score_may_name_no_system() -> None:
    """Each stands in the block of its system, so the others keep their places."""
    found = scored(blocks(), "en-de.ESA.seg.score")
    own = {one.name: one.segments for one in found.items if one.role == "system"}
    assert own == {s: tuple(f"{value(k, i):.2f}" if k % 4 else "" for k in range(N)) for i, s in enumerate(SYSTEMS)}


@pytest.mark.parametrize("text", [blocks(lost=1), blocks() + "C\t0.5\n", blocks().replace("B\t", "A\t", 1)])
def test_nameless_lines_in_blocks_of_other_lengths_are_refused(text: str) -> None:
    assert scored(text, "en-de.ESA.seg.score").problems


def findings(text: str) -> tuple[int, list[str]]:
    """The number of segments that are compared, and what is said of the scores in a file."""
    loaded = read([("t.seg.score", text.encode())])
    found = list[Finding]()
    systems = [one for one in loaded.items if one.role == "system"]
    kept, _, n = gaps.numeric(systems, [], N, "refuse", found)
    return n if kept else 0, [f"{one.severity}: {one.what}" for one in found]


def test_segments_that_nobody_scored_are_left_out() -> None:
    """All systems lack the same ones, so nobody chose them; a gap of one system is still asked about."""
    n, (what,) = findings(blocks())
    assert n == N - 3
    assert what == "warning: 3 of 12 segments were left out for all systems, because no system has a score there."
    n, (what,) = findings(
        blocks().partition("B\t")[0].rpartition("\n")[0] + "\n"
    )  # one system alone has gaps of its own
    assert n == 0
    assert what.startswith("error: ")
    n, (what,) = findings(blocks().replace("A\t0.30", "A\tNone", 1))
    assert n == 0
    assert what.startswith("error: ")


def workbook(**sheets: list[list[str]]) -> bytes:
    """A workbook with these sheets, all cells as texts."""
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    link = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    page = io.BytesIO()
    with zipfile.ZipFile(page, "w") as book:
        named = "".join(f'<sheet name="{name}" sheetId="{k}" r:id="r{k}"/>' for k, name in enumerate(sheets, 1))
        book.writestr("xl/workbook.xml", f"<workbook {space} {link}><sheets>{named}</sheets></workbook>")
        targets = "".join(f'<Relationship Id="r{k}" Target="worksheets/s{k}.xml"/>' for k, _ in enumerate(sheets, 1))
        book.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{targets}</Relationships>")
        for k, table in enumerate(sheets.values(), 1):
            cells = "".join(
                "<row>" + "".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in row) + "</row>"
                for row in table
            )
            book.writestr(f"xl/worksheets/s{k}.xml", f"<worksheet {space}><sheetData>{cells}</sheetData></worksheet>")
    return page.getvalue()


def test_a_cover_is_no_output() -> None:
    """What is asked about the sheet of scores is not hidden behind a sheet that says what it holds."""
    body = [
        ["Segment", "Source words", "A", "B"],
        *([str(k), str(9 + k % 5), f"{value(k, 0):.2f}", f"{value(k, 1):.2f}"] for k in range(N)),
    ]
    cover = [["MT evaluation", "Lab 3"], ["date", "2025-02-11"], ["metric", "chrF"], ["segments", "12"]]
    found = scored(workbook(Info=cover, chrF=body), "r.xlsx")
    (problem,) = found.problems
    assert isinstance(problem, Unclear)
    assert {one.column: one.role for one in problem.claims}["A"] == "system"
    assert not found.items


def test_outputs_stay_beside_a_sheet_that_is_asked_about() -> None:
    """With a reference they can be compared."""
    texts = [["id", "reference", "A", "B"], *([f"q{k}", f"the text {k}", f"a text {k}", f"text {k}"] for k in range(N))]
    body = [
        ["Segment", "Source words", "A", "B"],
        *([str(k), str(9 + k % 5), f"{value(k, 0):.2f}", f"{value(k, 1):.2f}"] for k in range(N)),
    ]
    found = scored(workbook(Texts=texts, chrF=body), "r.xlsx")
    assert {one.name for one in found.items if one.kind == "text" and one.role == "system"} == {"A", "B"}
    assert not found.problems


GERMAN = [
    f"D{k:02d};" + ";".join(f"{value(k, i):.3f}".replace(".", ",") for i in range(2)) + f";{300 + k}" for k in range(N)
]


def summed(spread: str) -> str:
    own = [[value(k, i) for k in range(N)] for i in range(2)]
    last = ["Mittelwert;" + ";".join(f"{mean(one):.2f}".replace(".", ",") for one in own) + ";"]
    given = [f"{stdev(one):.2f}" if spread == "true" else "0,90" for one in own]
    last += ["Stabw.;" + ";".join(one.replace(".", ",") for one in given) + ";"]
    return rows("sep=;", "Dokument;Basis;Neu;Länge (Wörter)", *GERMAN, *last)


@pytest.mark.parametrize("spread", ["true", "rounded"])
def test_german_sheets_have_means_below_their_rows(spread: str) -> None:
    """A deviation beside a mean need not be that of the column: nobody calls a document so."""
    said = "Basis=system\nNeu=system\nLänge (Wörter)=ignored"
    found = scored(summed(spread), "t.csv", columns=said)
    assert means(found) == {
        s: pytest.approx(mean(round(value(k, i), 3) for k in range(N))) for i, s in enumerate(("Basis", "Neu"))
    }
    (problem,) = scored(summed(spread)).problems
    assert isinstance(problem, Unclear)
    assert {one.column: one.role for one in problem.claims}["Länge (Wörter)"] == "ignored"


def test_a_row_that_is_called_a_mean_and_is_none_stays() -> None:
    text = rows("id;A;B", *(f"{k};0,{k % 7};0,{k % 5}" for k in range(N)), "Mittelwert;9,99;8,88")
    assert scored(text, "t.csv").problems  # a row of a mean in a table of segments


POLARS = """shape: ({n}, 3)
┌────────┬──────┬──────┐
│ seg_id ┆ opus ┆ nllb │
│ ---    ┆ ---  ┆ ---  │
│ i64    ┆ f64  ┆ f64  │
╞════════╪══════╪══════╡
{body}
└────────┴──────┴──────┘
"""


def test_a_frame_that_polars_printed_is_read() -> None:
    body = "\n".join(f"│ {k}      ┆ {value(k, 0)}  ┆ {value(k, 1)}  │" for k in range(N))
    found = scored(POLARS.format(n=N, body=body), "t.txt")
    assert means(found) == {
        s: pytest.approx(mean(value(k, i) for k in range(N))) for i, s in enumerate(("opus", "nllb"))
    }


def test_a_part_of_a_frame_is_refused() -> None:
    body = [f"│ {k}      ┆ 0.5  ┆ 0.25 │" for k in range(6)]
    text = POLARS.format(n=240, body="\n".join([*body[:3], "│ …      ┆ …    ┆ …    │", *body[3:]]))
    (problem,) = scored(text, "t.txt").problems
    assert "without some of its rows" in str(problem)


# People.


def test_marks_of_several_people_in_a_cell_are_theirs() -> None:
    lines = [
        f'v{k},{s},"[{4 + i}.0, {k % 5}.0, {(k + i) % 5}.0]","[{k}, {k + 1}, {k + 2}]",f{k}{s}.wav'
        for k in range(N)
        for i, s in enumerate(SYSTEMS)
    ]
    text = rows("signal,condition,ratings,participant_ids,file", *lines)
    (problem,) = read_ratings([("p.csv", text.encode())]).problems
    assert isinstance(problem, Unclear)
    assert problem.plan == {"signal": "question", "condition": "system", "ratings": "score"} | problem.plan
    people = rated(text, columns="\n".join(f"{name}={role}" for name, role in problem.plan.items()))
    assert {*people.judge.tolist()} == {str(k) for k in range(N + 2)}
    assert of_people(people, "quality")["B"] == pytest.approx(mean([5 + k % 5 + (k + 1) % 5 for k in range(N)]) / 3)


@pytest.mark.parametrize("ids", ['"[1, 2]"', '"x"'])
def test_lists_of_other_lengths_are_no_people(ids: str) -> None:
    lines = [f'v{k},{s},"[4.0, {k % 5}.0, 1.0]",{ids}' for k in range(N) for s in SYSTEMS]
    found = read_ratings([("p.csv", rows("signal,system,ratings,participant_ids", *lines).encode())])
    assert not found.judgments


def test_answers_of_a_batch_are_criteria() -> None:
    """Answer.simplicity was not among the criteria."""
    lines = [
        f"w{j},{k},{s},{k % 5},{(k + i + j) % 5 - 2}" for k in range(N) for i, s in enumerate(SYSTEMS) for j in range(2)
    ]
    people = rated(rows("WorkerId,Input.id,Input.system,Answer.fluency,Answer.simplicity", *lines))
    assert set(people.dimensions) == {"fluency", "simplicity"} or set(people.dimensions) == {
        "fluency",
        "answer.simplicity",
    }


def test_systems_of_a_row_are_named_by_place() -> None:
    """CrowdFlower: sys1 names the system of quality1; which is where differs from row to row."""
    lines = []
    for k in range(N):
        order = [(k + i) % 3 for i in range(3)]
        marks = ",".join(str(10 * i + k) for i in order)
        lines.append(f"{900 + k},w{k % 4},{marks},{','.join('r' for _ in order)},{','.join(SYSTEMS[i] for i in order)}")
    head = "_unit_id,_worker_id,quality1,quality2,quality3,ref1,ref2,ref3,sys1,sys2,sys3"
    people = rated(rows(head, *lines))
    assert of_people(people, "quality") == {
        s: pytest.approx(mean(10 * i + k for k in range(N))) for i, s in enumerate(SYSTEMS)
    }


def test_numbered_columns_without_names_are_no_places() -> None:
    """Numbers below sys1 and sys2 name nothing."""
    lines = [f"{900 + k},w{k % 4},{k % 5},{k % 3},{k % 2},{1 - k % 2}" for k in range(N)]
    found = read_ratings([("p.csv", rows("_unit_id,_worker_id,quality1,quality2,sys1,sys2", *lines).encode())])
    assert not [one for one in found.judgments if "by place" in str(one)]
    assert not any("names the system of" in one.message for one in found.notices)


def test_the_mark_that_was_chosen_has_a_column_in_potato() -> None:
    lines = ["\t".join([f"u{j}", f"{s}_d{k}", *("true" if m == (k + i + j) % 5 + 1 else "" for m in range(1, 6))])
             for k in range(N) for i, s in enumerate(SYSTEMS) for j in range(2)]  # fmt: skip
    text = rows("\t".join(["user", "instance_id", *(f"fluency:::{m}" for m in range(1, 6))]), *lines)
    (problem,) = read_ratings([("a.tsv", text.encode())]).problems
    assert "seem to join a system (A, B, C) and a segment" in str(problem)
    assert {one.column: one.role for one in problem.claims}["fluency"] == "score"  # type: ignore[attr-defined]
    told = (
        text.replace("\tA_d", "\tA\td")
        .replace("\tB_d", "\tB\td")
        .replace("\tC_d", "\tC\td")
        .replace("instance_id", "system\tinstance_id")
    )
    people = rated(told, "a.tsv")
    assert of_people(people, "fluency")["B"] == pytest.approx(
        mean((k + 1 + j) % 5 + 1 for k in range(N) for j in range(2))
    )


def test_two_marks_of_one_criterion_are_none() -> None:
    """Somebody who chose two marks said neither."""
    head = "\t".join(["user", "system", "instance_id", *(f"fluency:::{m}" for m in range(1, 6))])
    lines = ["\t".join([f"u{j}", s, f"d{k}", *("true" if m == k % 5 + 1 or (k == 3 and m == 5) else "" for m in range(1, 6))])
             for k in range(N) for s in SYSTEMS for j in range(2)]  # fmt: skip
    people = rated(rows(head, *lines), "a.tsv")
    assert len(people.score) == 2 * 3 * (N - 1)


def test_marks_of_some_places_are_none_of_all() -> None:
    lines = [f"{900 + k},w{k % 4},{k % 5},{k % 3},A,B,C" for k in range(N)]
    found = read_ratings([("p.csv", rows("_unit_id,_worker_id,quality1,quality2,sys1,sys2,sys3", *lines).encode())])
    assert not any("names the system of" in one.message for one in found.notices)
    assert not found.judgments


def test_a_score_of_people_is_theirs() -> None:
    """Beside its parts, human_score is the rating."""
    lines = [f"{s},{k},{k % 5},{-0.5 * (k % 2)},{(k + i) % 5 + 0.5}" for k in range(N) for i, s in enumerate(SYSTEMS)]
    people = rated(rows("SYS,seg_id,P,Fl,human_score", *lines))
    assert of_people(people, "quality")["C"] == pytest.approx(mean((k + 2) % 5 + 0.5 for k in range(N)))


def test_two_scores_of_people_are_asked_about() -> None:
    lines = [f"{s},{k},{k % 5 + 0.5},{(k + i) % 5 + 0.5}" for k in range(N) for i, s in enumerate(SYSTEMS)]
    assert read_ratings([("p.csv", rows("SYS,seg_id,human_score,expert_score", *lines).encode())]).problems


def nested(sets: int) -> str:
    own = {
        s: {f"-{k}9": {"question": f"q{k}?", "utility_score": (k + i) % 5 + 1} for k in range(N)}
        for i, s in enumerate(SYSTEMS)
    }
    return json.dumps({f"set{j}": own for j in range(sets)})


def test_records_below_two_names_are_asked_about() -> None:
    (problem,) = read_ratings([("p.json", nested(1).encode())]).problems
    assert isinstance(problem, Unclear)
    assert {one.column: one.role for one in problem.claims}["key"] == "system"
    people = rated(nested(1), "p.json", columns="key=system\nquestion=ignored\nutility_score=score")
    assert of_people(people, "utility_score")["B"] == pytest.approx(mean((k + 1) % 5 + 1 for k in range(N)))


def test_several_sets_of_nested_records_are_tasks() -> None:
    found = scored(nested(2), "p.json", columns="key=system\nquestion=ignored\nutility_score=score")
    assert {one.testset for one in found.items} == {"set0", "set1"}


def test_records_in_named_batches_are_one_table() -> None:
    batches = [{f"HIT{k}": [{"worker_id": f"w{j}", "system": s, "sample_id": str(k), "rating": (k + i + j) % 5} for j in range(2)]}
               for k in range(N) for i, s in enumerate(SYSTEMS)]  # fmt: skip
    text = json.dumps([{f"{name}{i}": part for name, part in one.items()} for i, one in enumerate(batches)])
    people = rated(text, "r.json")
    assert len(people.score) == 2 * 3 * N
    assert of_people(people, "quality")["B"] == pytest.approx(mean((k + 1 + j) % 5 for k in range(N) for j in range(2)))


CODES = [f"S{k:02d}_{s}" for k in range(1, 5) for s in ("BART", "LEAD3", "PEG")]


@pytest.mark.parametrize("codes", [CODES, [f"{one.split('_')[1]}.{one.split('_')[0]}" for one in CODES]])
def test_codes_of_a_survey_may_name_systems(codes: list[str]) -> None:
    imported = ",".join(f'"{{""ImportId"":""{one}""}}"' for one in ["_recordId", *(f"QID{k}" for k in range(12))])
    texts = ",".join(["Response ID", *(f"How fluent is summary {k}?" for k in range(12))])
    lines = [f"R_{p}," + ",".join(str((p + 2 * k + k // 3) % 7 + 1) for k in range(12)) for p in range(4)]
    people = rated(rows(",".join(["ResponseId", *codes]), texts, imported, *lines))
    assert {*people.system.tolist()} == {"BART", "LEAD3", "PEG"}
    expected = mean((p + 2 * k + k // 3) % 7 + 1 for p in range(4) for k in range(12) if k % 3 == 1)
    assert of_people(people, "rating")["LEAD3"] == pytest.approx(expected)


def test_a_seed_in_a_nested_heading_is_a_run() -> None:
    lines = [
        f"t{k},{s},{seed},{value(k + seed, i)}"
        for k in range(N)
        for i, s in enumerate(("lite", "max"))
        for seed in (7, 20, 33)
    ]
    (problem,) = scored(rows("env.task_name,agent.agent_name,env.task_seed,cum_reward", *lines)).problems
    assert isinstance(problem, Unclear)
    assert problem.ways[0][1] == "agent.agent_name=system env.task_name=question env.task_seed=run cum_reward=score"


# A measure with parts is no system, and a number may name one.


def summarised(k: int, i: int) -> dict[str, object]:
    parts = {part: value(k, i) + place for place, part in enumerate(("recall", "precision", "f1"))}
    metrics = {"rouge-1": parts, "rouge-2": {part: one / 2 for part, one in parts.items()}}
    return {"instance_id": f"d{k}-A", "summarizer_id": str(i + 1), "summarizer_type": "peer", "metrics": metrics}


def test_rouge_with_its_parts_is_no_system() -> None:
    """The six values were proposed as six systems; the number of the summarizer names them."""
    records = [summarised(k, i) for k in range(N) for i in range(4)]
    text = "\n".join(map(json.dumps, records))
    (problem,) = scored(text, "scores.jsonl").problems
    assert isinstance(problem, Unclear)
    roles = {one.column: one.role for one in problem.claims}
    assert (roles["summarizer_id"], roles["instance_id"]) == ("system", "question")
    assert {role for name, role in roles.items() if name.startswith("metrics.")} == {"score"}
    assert "--columns summarizer_id=system instance_id=question metrics.rouge-1.recall=score" in problem.fix


def test_numbers_are_systems_only_below_a_word_for_them() -> None:
    """A block of documents is no summarizer."""
    records = [summarised(k, i) for k in range(N) for i in range(4)]
    blocks = [{"block" if name == "summarizer_id" else name: one for name, one in record.items()} for record in records]
    (problem,) = scored("\n".join(map(json.dumps, blocks)), "scores.jsonl").problems
    assert "block=system" not in problem.fix


def trials(passed: int, name: str, times: int = 1) -> bytes:
    results = [
        {"id": f"{k}-{j}", "trial_name": f"task-{k}.{j}-of-{times}.{name}", "task_id": f"task-{k}", "instruction": "Do it.",
         "is_resolved": (k + j) % 4 < passed, "failure_mode": "unset", "parser_results": {"test_a": "passed"}, "total_input_tokens": 100 + k}
        for k in range(N) for j in range(times)
    ]  # fmt: skip
    return json.dumps({"id": "run", "results": results, "accuracy": 0.5, "resolved_ids": ["task-1"]}).encode()


@pytest.mark.parametrize("times", [1, 3])
def test_terminal_bench(times: int) -> None:
    """The folder is the system; several trials of a task are one document."""
    found = read([(f"runs/{name}/results.json", trials(n, name, times)) for name, n in (("one", 3), ("two", 2))])
    assert not found.problems
    scores = {item.name: item for item in found.items if item.role == "system"}
    assert {(name, one.measure) for name, one in scores.items()} == {("one", "is_resolved"), ("two", "is_resolved")}
    assert [len(one.segments) for one in scores.values()] == [times * N] * 2
    documents = [{*one.segments} for one in found.items if one.role == "documents"]
    assert [len(names) for names in documents] == ([N] if times > 1 else [])
