"""Layouts of a second exam: three were read wrongly without a word, others were refused although they say all that is needed."""

from __future__ import annotations

import io
import json
import zipfile
from statistics import mean

import pytest

from sigcore.readers import Choice, Unclear, read, read_ratings, workbook
from sigcore.readers.contract import Content
from sigcore.readers.lines import decode, split
from sigcore.readers.tables import cells
from tests.made_tables import SYSTEMS, N, asked, means, of_people, rows, scored, told, value

# Read wrongly.


def right(k: int, i: int, run: int) -> bool:
    return (k + 2 * i + run * (k % 3)) % 4 > 0


@pytest.mark.parametrize("words", [("true", "false"), ("True", "False"), ("1", "0")])
def test_outcomes_of_several_runs_are_averaged(words: tuple[str, str]) -> None:
    """Each system has runs of its own: of true and false those of the first run were taken for all."""
    lines = [
        f"r{i}{run},{s},q{k},{words[not right(k, i, run)]},{['7', 'b'][right(k, i, run)]}"
        for i, s in enumerate(SYSTEMS) for run in range(3) for k in range(N)
    ]  # fmt: skip
    found = scored(rows("run_id,model,example_id,correct,pred", *lines))
    expected = {
        s: pytest.approx(mean(right(k, i, run) for k in range(N) for run in range(3))) for i, s in enumerate(SYSTEMS)
    }
    assert means(found) == expected
    # what the first run said, and numbers among words, are nothing to average
    assert {one.measure for one in found.items if one.role == "system"} == {"correct"}
    assert not [one for one in found.items if one.kind == "text" and one.role == "system"]


@pytest.mark.parametrize("head", ["run_id,seed", "seed,run_id"])
def test_runs_that_all_systems_have_come_first(head: str) -> None:
    """Seeds are the same for all systems, ids of runs are not: whichever stands first, the seeds are inside their question."""
    first = head.startswith("run_id")
    lines = [
        f"{f'r{i}{run},{run}' if first else f'{run},r{i}{run}'},{s},q{k},{right(k, i, run)}"
        for i, s in enumerate(SYSTEMS) for run in range(3) for k in range(N)
    ]  # fmt: skip
    found = scored(rows(f"{head},model,example_id,correct", *lines))
    assert {len(one.segments) for one in found.items if one.role == "system"} == {3 * N}
    assert len({*next(one.segments for one in found.items if one.role == "documents")}) == N
    assert means(found) == {
        s: pytest.approx(mean(right(k, i, run) for k in range(N) for run in range(3))) for i, s in enumerate(SYSTEMS)
    }


def test_what_all_runs_say_alike_stays() -> None:
    lines = [
        f"r{i}{run},{s},q{k},src {k},{k % 3 / 2}" for i, s in enumerate(SYSTEMS) for run in range(3) for k in range(N)
    ]
    found = scored(rows("run_id,model,example_id,source,accuracy", *lines))
    assert [one.segments[0] for one in found.items if one.role == "source"] == ["src 0"]


def board(name: str) -> str:
    tasks = {f"Level 1: {k}_Task_": [{name: s, "torch_speedup": value(k, i), "file": f"f{k}{i}"} for i, s in enumerate(SYSTEMS)]
             for k in range(N)}  # fmt: skip
    return json.dumps({task: sorted(own, key=lambda one: -float(one["torch_speedup"])) for task, own in tasks.items()})


def test_lists_by_task_are_no_systems() -> None:
    """Below each name stands a list with the same names: the places in the sorted lists were segments, and tasks systems."""
    (problem,) = scored(board("display_name"), "data.json").problems
    assert isinstance(problem, Unclear)
    assert problem.plan == {"display_name": "system", "torch_speedup": "score", "file": "ignored"}
    found = scored(
        board("display_name"), "data.json", columns="\n".join(f"{k}={role}" for k, role in problem.plan.items())
    )
    assert means(found) == {s: pytest.approx(mean(value(k, i) for k in range(N))) for i, s in enumerate(SYSTEMS)}


def test_lists_by_task_with_systems_are_read() -> None:
    assert means(scored(board("model"), "data.json")) == {
        s: pytest.approx(mean(value(k, i) for k in range(N))) for i, s in enumerate(SYSTEMS)
    }


@pytest.mark.parametrize("more", [{}, {"flavour": "sweet"}])
def test_lists_by_system_stay_systems(more: dict[str, str]) -> None:
    """The same ids below each name are those of questions, and a word that comes again names no system."""
    text = json.dumps({s: [{"question_id": f"q{k}", "accuracy": k % 2, **({"flavour": ["sweet", "sour"][k % 2]} if more else {})}
                           for k in range(N)] for s in SYSTEMS})  # fmt: skip
    assert set(means(scored(text, "x.json"))) == {*SYSTEMS}


COMPARED = {
    "model": "wmt20-comet-da",
    "statistical_results": [{"x_name": "a", "y_name": "b", "bootstrap": {"x-mean": 0.3}}],
    "source": [f"Satz {k}" for k in range(N)],
    "translations": [{"name": f"out/{s}", "mt": [f"text {k} {s}" for k in range(N)], "scores": [value(k, i) for k in range(N)]}
                     for i, s in enumerate(SYSTEMS)],
    "reference": [f"text {k}" for k in range(N)],
}  # fmt: skip


def test_comet_compare_has_scores_of_each_system() -> None:
    """It was one segment of one system, with BLEU."""
    found = scored(json.dumps(COMPARED), "c.json")
    assert means(found) == {
        f"out/{s}": pytest.approx(mean(value(k, i) for k in range(N))) for i, s in enumerate(SYSTEMS)
    }
    assert {one.measure for one in found.items if one.kind == "scores"} == {"wmt20-comet-da"}


@pytest.mark.parametrize("gone", ["model", "source"])
def test_one_record_with_lists_of_others_is_refused(gone: str) -> None:
    text = json.dumps({name: part for name, part in COMPARED.items() if name != gone})
    (problem,) = scored(text, "c.json").problems
    assert "in a list inside it" in str(problem) or "several lists of records" in str(problem)


def test_scores_of_another_length_are_no_comparison() -> None:
    given = {**COMPARED, "translations": [{"name": s, "mt": ["x"], "scores": [0.5]} for s in SYSTEMS]}
    assert scored(json.dumps(given), "c.json").problems


def test_counts_of_runs_are_no_systems() -> None:
    """outcome, passedRuns and failedRuns are alike, 0 and 1, and of one system."""
    cases = [
        {"id": f"c{k}", "outcome": ["PASSED", "FAILED"][k % 2], "passedRuns": 1 - k % 2, "failedRuns": k % 2}
        for k in range(N)
    ]
    text = json.dumps(
        {
            "name": "suite",
            "evaluators": [{"evaluator": "x", "passed": 9}, {"evaluator": "y", "passed": 3}],
            "cases": cases,
        }
    )
    (problem,) = scored(text, "agent.json").problems
    assert isinstance(problem, Unclear)
    roles = {one.column: one.role for one in problem.claims}
    assert roles["passedRuns"] == roles["failedRuns"] == "ignored"
    assert roles["outcome"] == "score"


def test_verdicts_on_each_system_are_its_scores() -> None:
    """judge_A stands beside answer_A; what is improper has no verdict, and is no system. FID is a name here."""
    names = ("fid", "gpt35", "chatgpt")
    records = [
        {"question": f"what {k}?", "golden_answer": f"a{k}", "improper": k % 6 == 5,
         **{f"answer_{s}": f"The answer is {k % 3}" for s in names},
         **{f"judge_{s}": None if k % 6 == 5 else (k + i) % 3 > 0 for i, s in enumerate(names)}}
        for k in range(2 * N)
    ]  # fmt: skip
    found = scored(json.dumps(records), "NQ.json")
    judged = [k for k in range(2 * N) if k % 6 < 5]
    assert means(found) == {s: pytest.approx(mean((k + i) % 3 > 0 for k in judged)) for i, s in enumerate(names)}
    assert "improper" in told(found)


def test_judges_without_answers_are_people() -> None:
    records = [{"id": f"q{k}", "judge_a": k % 2 > 0, "judge_b": k % 3 > 0} for k in range(N)]
    assert scored(json.dumps(records), "x.json").problems


# Refused.


WENET = (
    "".join(
        f"\nutt: utt{k}\nWER: 12.50 % N=4 C=3 S=1 D=0 I=0\nlab: 今 天 天 气{k}\nrec: 今 天 气{k}\n" for k in range(3)
    )
    + "\n===========\nOverall -> 12.50 % N=12 C=9 S=3 D=0 I=0\n"
)


def test_wenet_prints_labels_and_what_was_recognised() -> None:
    found = scored(WENET, "wer")
    gold, output = (next(one for one in found.items if one.role == role) for role in ("reference", "system"))
    assert gold.segments == tuple(f"今 天 天 气{k}" for k in range(3))
    assert output.segments == tuple(f"今 天 气{k}" for k in range(3))
    assert output.keys == ("utt0", "utt1", "utt2")
    assert "WeNet" in told(found)


def test_files_below_each_other_repeat_their_headings() -> None:
    parts = [rows("runid,topic,ndcg@20", *(f"{s},{k},{value(k, i)}" for k in range(N))) for i, s in enumerate(SYSTEMS)]
    found = scored("".join(parts), "all.csv", columns="runid=system\ntopic=question\nndcg@20=score")
    assert means(found) == {s: pytest.approx(mean(value(k, i) for k in range(N))) for i, s in enumerate(SYSTEMS)}
    assert "2 rows repeat its headings" in told(found)


def test_a_segment_with_the_name_of_its_heading_is_one() -> None:
    text = rows("id,A,B", *(f"q{k},{value(k, 0)},{value(k, 1)}" for k in range(N)), "id,0.5,0.6")
    assert {len(one.segments) for one in scored(text).items if one.role == "system"} == {N + 1}


def test_ranklib_separates_by_blanks() -> None:
    text = (
        "".join(f"NDCG@10   {100 + k}   {value(k, 1)}\n" for k in range(N))
        + f"NDCG@10   all   {mean(value(k, 1) for k in range(N))}\n\n"
    )
    found = scored(text, "f1.MART.txt")
    assert means(found) == {"f1.MART": pytest.approx(mean(value(k, 1) for k in range(N)))}
    assert {one.measure for one in found.items if one.role == "system"} == {"NDCG@10"}


@pytest.mark.parametrize("text", ["one   two   three\nfour   five   six\n", "NDCG@10 12 0.5\nNDCG@10 13 0.5\n"])
def test_other_lines_with_blanks_are_no_queries(text: str) -> None:
    found = scored(text, "x.txt")
    assert not [one for one in found.items if one.measure == "NDCG@10"]


def test_blank_lines_between_the_rows_of_a_table_are_none() -> None:
    text = "id\tA\tB\n" + "".join(f"q{k}\t{value(k, 0)}\t{value(k, 1)}\n" + "\n" * (k % 3 == 2) for k in range(N))
    assert means(scored(text, "t.tsv")) == {
        s: pytest.approx(mean(value(k, i) for k in range(N))) for i, s in enumerate("AB")
    }


def test_blank_lines_of_one_column_stay_segments() -> None:
    found = scored("one\n\nthree\n", "t.tsv")
    assert not [one for one in found.items if len(one.segments) == 2]


def test_a_comment_may_name_the_columns() -> None:
    """It has as many commas as the header below it, and was taken for the header."""
    lines = [f"LoL,{s},{k},{value(k, i)}" for k in range(N) for i, s in enumerate(SYSTEMS)]
    text = "\ufeff# results\n# source=real\n# columns: dataset,method,seed,accuracy\n" + rows(
        "dataset,method,seed,accuracy", *lines
    )
    (problem,) = scored(text).problems
    assert isinstance(problem, Unclear)
    assert [one.column for one in problem.claims] == ["dataset", "method", "seed", "accuracy"]
    assert {one.column: one.role for one in problem.claims}["dataset"] != "system"


def test_settings_beside_a_file_that_is_asked_about_are_set_aside() -> None:
    records = [{"id": f"q{k}", "a": value(k, 0), "b": 100 * value(k, 1)} for k in range(N)]
    found = read([("run/data.json", json.dumps(records).encode()), ("run/config.yaml", b"model: x\nlr: 0.1\n")])
    assert [type(one).__name__ for one in found.problems] == ["Unclear"]


@pytest.mark.parametrize("name", ["run/results.csv", "run/metrics.csv", "scores.csv"])
def test_what_is_asked_about_is_not_set_aside_itself(name: str) -> None:
    text = rows("id,a,b", *(f"q{k},{value(k, 0)},{100 * value(k, 1)}" for k in range(N)))
    assert [type(one).__name__ for one in scored(text, name).problems] == ["Unclear"]


def test_words_in_quotes_above_numbers_are_a_header() -> None:
    """Whatever the file is called."""
    text = rows('"case","A","B"', *(f"{k},{value(k, 0)},{value(k, 1)}" for k in range(N)))
    found = scored(text, "wer.out")
    assert not [one for one in found.items if one.kind == "text"]
    assert {"A", "B"} <= {one.name for one in found.items} | {
        one.column for p in found.problems for one in getattr(p, "claims", ())
    }


def test_workflows_of_tidymodels_are_systems() -> None:
    """Two workflows share a model."""
    lines = [
        f"w{i},P,recipe,{'mm'[i % 2]},Fold{k:02d},mn_log_loss,multiclass,{value(k, i)}"
        for i in range(3)
        for k in range(N)
    ]
    found = scored(rows("wflow_id,.config,preproc,model,id,.metric,.estimator,.estimate", *lines))
    assert means(found) == {f"w{i}": pytest.approx(mean(value(k, i) for k in range(N))) for i in range(3)}


def test_schemes_of_weka_are_systems() -> None:
    lines = [
        f"d{d},{r},{f},weka.{s},-x,{1.0 + i},{60 + f},{value(r + f + d, i)},{40 + i}"
        for d in range(2)
        for r in (1, 2)
        for f in range(5)
        for i, s in enumerate(SYSTEMS)
    ]
    found = scored(
        rows(
            "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Number_correct,Number_of_testing_instances,Percent_correct,Kappa_statistic",
            *lines,
        )
    )
    own = {one.name: one.segments for one in found.items if one.measure == "Percent_correct"}
    assert {name: len(cells) for name, cells in own.items()} == {f"weka.{s}": 20 for s in SYSTEMS}
    assert mean(map(float, own["weka.B"])) == pytest.approx(
        mean(value(r + f + d, 1) for d in range(2) for r in (1, 2) for f in range(5))
    )


def test_a_form_names_the_system_in_brackets() -> None:
    asked = [f"Question {k}: How good is it? [{s}]" for k in range(4) for s in SYSTEMS]
    head = ",".join(["Timestamp", "Native speaker?", *asked, "Any comments?"])
    lines = [
        f"2024/05/{p + 1:02d} 1:54 PM,{['Yes', 'No'][p % 2]},"
        + ",".join(str((p + k + i) % 5 + 1) for k in range(4) for i in range(3))
        + ","
        for p in range(6)
    ]
    (people,) = read_ratings([("Form Responses 1.csv", rows(head, *lines).encode())]).judgments
    assert of_people(people, "rating") == {
        s: pytest.approx(mean((p + k + i) % 5 + 1 for p in range(6) for k in range(4))) for i, s in enumerate(SYSTEMS)
    }
    assert len({*people.segment.tolist()}) == 4


def test_judges_that_a_command_calls_runs_stay_judges() -> None:
    lines = [
        f"{k},{s},{['no', 'yes'][(k + i + j) % 2]},w{j}"
        for k in range(N)
        for i, s in enumerate(SYSTEMS)
        for j in range(3)
    ]
    said = {"columns": "bbcid=question\nsystem=system\nworker_id=run\nis_factual=score", "cells": "yes=1\nno=0"}
    (people,) = read_ratings([("f.csv", rows("bbcid,system,is_factual,worker_id", *lines).encode())], said).judgments
    assert {*people.judge.tolist()} == {"w0", "w1", "w2"}


def ods(*tables: tuple[str, list[str]], kind: str = "spreadsheet") -> bytes:
    """A spreadsheet of LibreOffice with these tables, each with the XML of its rows."""
    spaces = 'xmlns:office="o" xmlns:table="t" xmlns:text="x"'
    named = "".join(f'<table:table table:name="{name}">{"".join(body)}</table:table>' for name, body in tables)
    page = io.BytesIO()
    with zipfile.ZipFile(page, "w") as book:
        book.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        book.writestr("META-INF/manifest.xml", "<manifest/>")
        book.writestr("content.xml", f"<office:document {spaces}><office:body>{named}</office:body></office:document>")
    return page.getvalue()


def row(*cells: str | float, times: int = 1) -> str:
    """A row whose neighbours that are alike are written once."""
    out, k = "", 0
    while k < len(cells):
        n = next((j for j in range(k, len(cells)) if cells[j] != cells[k]), len(cells)) - k
        many = f' table:number-columns-repeated="{n}"' if n > 1 else ""
        one = cells[k]
        if isinstance(one, str):
            out += (
                f'<table:table-cell{many} office:value-type="string"><text:p>{one}</text:p></table:table-cell>'
                if one
                else f"<table:table-cell{many}/>"
            )
        else:
            out += f'<table:table-cell{many} office:value-type="float" office:value="{one}"><text:p>{str(one).replace(".", ",")}</text:p></table:table-cell>'
        k += n
    again = f' table:number-rows-repeated="{times}"' if times > 1 else ""
    return f'<table:table-row{again}>{out}<table:table-cell table:number-columns-repeated="1020"/></table:table-row>'


def test_a_sheet_of_libreoffice_is_read() -> None:
    """Equal neighbours are written once, and the rest of a million rows, too."""
    body = [row("id", *SYSTEMS), *(row(f"q{k}", value(k, 0), value(k, 0), value(k, 2)) for k in range(N)),
            row("", times=2), row("Mittelwert", *(mean(value(k, i) for k in range(N)) for i in (0, 0, 2))), row("", times=1_048_000)]  # fmt: skip
    found = scored(ods(("Info", [row("chrF per sentence")]), ("chrF", body)), "t.ods")
    expected = [pytest.approx(mean(value(k, i) for k in range(N))) for i in (0, 0, 2)]
    assert means(found) == dict(zip(SYSTEMS, expected, strict=True))
    assert "Its sheets: Info, chrF." in told(found)


def test_empty_rows_between_others_are_kept() -> None:
    """The lines that a message names are those of the sheet."""
    with zipfile.ZipFile(io.BytesIO(ods(("S", [row("a", "b"), row("", times=2), row("c", 0.5)])))) as book:
        ((_, content),), _ = workbook.open_sheets("t.ods", book.read)
    assert content == b"a,b\n,\n,\nc,0.5\n"


def test_repeated_rows_are_rows() -> None:
    body = [
        row("system", "A", "B"),
        *(row("x", value(k, 0), value(k, 1)) for k in range(6)),
        row("x", 0.75, 0.35, times=6),
    ]
    found = scored(ods(("S", body)), "t.ods", columns="system=ignored\nA=system\nB=system")
    assert [one.segments[-6:] for one in found.items if one.name == "A"] == [("0.75",) * 6]


@pytest.mark.parametrize(("data", "why"), [
    (ods(("S", [row("a", "b")]), kind="text"), "no spreadsheet"),
    (ods(("S", [row("")])), "without cells"),
    (ods(("S", [row("a", times=1_048_600), row("b")])), "more than"),
    (ods(("S", ['<table:table-row><table:table-cell table:number-columns-repeated="2000"><text:p>x</text:p></table:table-cell></table:table-row>'])), "columns"),
])  # fmt: skip
def test_other_documents_of_libreoffice_are_refused(data: bytes, why: str) -> None:
    (problem,) = scored(data, "t.ods").problems
    assert why in str(problem)


def test_a_tsv_of_blank_lines_is_no_crash() -> None:
    found = read([("a.tsv", b"\n \n\n")])
    assert not found.items or found.items[0].role == "system"


def test_a_lone_cr_in_a_comment_above_a_table_ends_no_line() -> None:
    text = "# scores\tof A\rand B\n# item\tA\nitem\tA\tB\n" + "".join(
        f"{k}\t{k / 7:.2f}\t{k / 9:.2f}\n" for k in range(9)
    )
    assert means(scored(text.encode(), "a.tsv")).keys() == {"A", "B"}


STANFORD = [
    ("Germany", "LOCATION", "LOCATION"),
    ("'s", "O", "O"),
    ("Werner", "PERSON", "LOCATION"),
    ("spoke", "O", "O"),
    ("there", "O", "O"),
]
TOTALS = "         Entity\tP\tR\tF1\tTP\tFP\tFN\n       LOCATION\t0.5\t1.0\t0.67\t1\t1\t0\n"


def test_types_without_marks_among_the_lines_of_a_log() -> None:
    """Stanford NER prints its settings before the words and a table of totals behind them."""
    words = "".join("\t".join(row) + "\n" for row in STANFORD)
    text = f"Invoked on Tue with arguments: -testFile\nLoading classifier ... done\n{words}\n{words}\n{words}\n{words}{TOTALS}"
    found = read([("crf.out", text.encode())])
    assert not found.problems
    gold, own = found.items
    assert (gold.role, own.role, len(own.segments)) == ("reference", "system", 4)
    assert gold.segments[0].split("\n")[1:] == ["0-1\tLOCATION", "2-3\tPERSON"]
    assert own.segments[0].split("\n")[1:] == ["0-1\tLOCATION", "2-3\tLOCATION"]
    assert any("4 lines have no cells, such as Invoked on Tue" in one.message for one in found.notices)


def test_words_in_capitals_are_no_types() -> None:
    """Tags of words (NOUN) have no O, or hardly any."""
    rows = "".join(f"word{k}\t{('NOUN', 'VERB', 'O')[k % 3]}\t{('NOUN', 'VERB', 'O')[k % 3]}\n" for k in range(30))
    assert all(one.reader != "tagged" for one in read([("pos.tsv", rows.encode())]).detected)


def agreement(start: int) -> str:
    rows = "".join(
        f"{(k + start) % 4 > 0}\t{k % 2}\tgoes\t{k / 7 - start}\tgo\t{k / 9}\tso {k} goes it\n" for k in range(20)
    )
    return f"Better speed can be achieved with apex.\n{rows}skipping is/are\n"


def test_rows_among_the_lines_of_a_log_without_headings() -> None:
    files = [(f"results/{name}.txt", agreement(k).encode()) for k, name in enumerate(("base", "large"))]
    asked_ = read(files)
    assert "If column 1 says which answers are right: --columns 'column 1=score'." in asked_.problems[0].fix
    found = read(files, every=Choice(options={"columns": "column 1=score"}))
    assert means(found) == {"base": 0.75, "large": 0.75}
    assert {item.measure for item in found.items if item.kind == "scores"} == {"column 1"}
    assert any("2 lines have no cells, such as Better speed" in one.message for one in found.notices)


def test_a_file_with_many_lines_without_cells_keeps_them() -> None:
    """A fifth of the lines are too many for a log: something else is wrong."""

    def left(n: int) -> bool:
        text = agreement(0) + "skipping more\n" * n
        content = Content("base.txt", text.encode(), decode, split)
        return bool(cells.without_log(content)[1])

    assert [left(n) for n in (0, 3, 4, 5)] == [True, True, False, False]
    commented = Content("base.txt", agreement(0).replace("skipping", "# skipping").encode(), decode, split)
    assert not cells.without_log(commented)[1]


RANKINGS = """<?xml version="1.0" encoding="UTF-8"?>
<appraise-results>
<error-correction-ranking-result source-language="err" target-language="cor">
  <ranking-item src-id="12" id="1" user="ann"><translation system="A" rank="1" /><translation system="B C" rank="2" /></ranking-item>
  <ranking-item src-id="13" id="2" user="ann"><translation system="C,B" rank="1" /><translation system="A" rank="-1" /></ranking-item>
</error-correction-ranking-result></appraise-results>
"""


def test_rankings_of_appraise_in_xml() -> None:
    """Systems that are named together are tied; a rank of -1 is none."""
    found = read([("judged.xml", RANKINGS.encode())])
    assert not found.problems
    (one,) = found.preferences
    compared = [*zip(one.first.tolist(), one.second.tolist(), one.outcome.tolist(), one.question.tolist(), strict=True)]
    assert compared == [("A", "B", 1.0, "12"), ("A", "C", 1.0, "12"), ("B", "C", 0.5, "12"), ("C", "B", 0.5, "13")]
    assert set(one.judge.tolist()) == {"ann"}
    assert "they share its rank, 2 times" in found.notices[0].message


@pytest.mark.parametrize(
    ("text", "said_so"),
    [
        (RANKINGS.replace('rank="1"', 'rank="first"'), "'first' is no rank."),
        (RANKINGS.replace('system="A"', 'system=""'), "names no system"),
        (RANKINGS.replace("</ranking-item>", ""), "not well-formed XML"),
        (RANKINGS.replace('rank="2"', 'rank="-1"').replace('rank="1"', 'rank="-1"'), "No item ranks two systems."),
        (
            RANKINGS.replace("<appraise-results>", '<!DOCTYPE a [<!ENTITY b "c">]><appraise-results>', 1),
            "entities of its own",
        ),
    ],
)
def test_rankings_that_cannot_be_read(text: str, said_so: str) -> None:
    (problem,) = read([("judged.xml", text.encode())]).problems
    assert said_so in problem.what


@pytest.mark.parametrize(
    ("cell", "listed"), [("smt,cnn", True), ("smt|cnn", True), ("smt, cnn", False), ("smt+cnn", False)]
)
def test_cells_that_list_several_systems_are_refused(cell: str, listed: bool) -> None:
    """A row of the output that two systems share; each of them has rows of its own, too."""
    lines = [f"q{k},{('smt', 'cnn')[i]},{(k + i) % 5}" for k in range(20) for i in range(2)]
    lines += [f'q2{k},"{cell}",{k % 5}' for k in range(6)] + [
        f'q3{k},"{cell.replace("cnn", "rnn")}",{k % 5}' for k in range(6)
    ]
    lines += [f"q2{k},rnn,{k % 4}" for k in range(6)]
    found = scored(rows("question,system,score", *lines))
    assert any("lists several systems" in problem.what for problem in found.problems) is listed


def test_questions_that_are_numbered_anew_in_each_suite() -> None:
    """Suites with more and fewer items are no runs: both name the question, or each is a test set."""
    sizes = {"fgd": 12, "number": 9, "reflexive": 10}
    lines = [f"{m},{s},{k},{(k + i) % 3 > 0}" for i, m in enumerate("AB") for s, n in sizes.items() for k in range(n)]
    (problem,) = scored(rows("model,suite,item,correct", *lines)).problems
    assert problem.fix.startswith(
        "If questions are numbered anew in each suite, both columns name them: --id-field suite,item. "
        "If each suite is a test set of its own: --columns suite=task."
    )
    found = scored(rows("model,suite,item,correct", *lines), id_field="suite,item")
    assert {len(one.segments) for one in found.items if one.role == "system"} == {31}
    same = [f"{m},{s},{k},{(k + i) % 3 > 0}" for i, m in enumerate("AB") for s in sizes for k in range(9)]
    (problem,) = scored(rows("model,suite,item,correct", *same)).problems
    assert "suite=run" in problem.fix  # as many in each: they may be runs


def test_a_tab_alone_is_no_record() -> None:
    (problem,) = read([("a.jsonl", b"\t")], chosen={"a.jsonl": Choice("jsonl")}).problems
    assert problem.what


def test_the_last_run_of_deepeval_is_found_in_its_folder() -> None:
    cases = [
        {"input": f"q{k}", "actualOutput": "x", "metricsData": [{"name": "Toxicity", "score": k / 20}]}
        for k in range(9)
    ]
    text = json.dumps({"testRunData": {"testCases": cases}, "link": ""})
    found = scored(text, "hybrid/.deepeval/.latest_test_run.json")
    assert not found.problems
    (item,) = [one for one in found.items if one.kind == "scores"]
    assert (item.measure, item.segments[2]) == ("Toxicity", "0.1")


def test_words_that_may_grade_answers_are_named() -> None:
    """A label beside an answer and the right one was passed over: how to compare it is said."""
    graded = ("Correct Answer", "Incorrect Answer", "Refusal")
    lines = [
        f"{m},q{k},it is {k} here,{k} it is,{graded[(k + i) % 3]},a{k}" for i, m in enumerate("AB") for k in range(12)
    ]
    found = scored(rows("model,id,model_answer,gold_answer,label,note", *lines))
    said_so = [one.message for one in found.notices if "Column label" in one.message]
    assert said_so == [
        "Column label was not used: it is neither text nor scores. If its words grade the answers: --columns label=score."
    ]


def test_the_final_label_is_asked_about() -> None:
    """Labels of two people led to it."""
    labels = ("full", "refusal", "part")
    lines = [f"v{k},what is {k}?,it is {k},{labels[k % 3]},{labels[(k + 1) % 3]},{labels[k % 3]}" for k in range(30)]
    (problem,) = scored(rows("id,prompt,completion,annotation_label,second_label,final_label", *lines)).problems
    assert problem.why.startswith("final_label grades each answer in words (full, part, refusal)")


def test_answers_in_words_stand_below_headings_of_words() -> None:
    """No heading is known but the first: two columns agree in most rows, and no heading is an answer."""
    names = ("Leave Policy", "Travel Policy", "Work Policy", "Gift Policy", "Sick Policy", "Media Policy")
    lines = [
        f"Question {k}?,{names[k % 6]},{names[(k + (k % 7 == 0)) % 6]},{names[(k + (k % 5 == 0)) % 6]}"
        for k in range(18)
    ]
    found = scored(rows("Question,Expected policy,Rules,With vectors", *lines))
    assert not found.problems
    assert {item.name: item.role for item in found.items if item.role != "ignored"} == {
        "Expected policy": "reference",
        "Rules": "system",
        "With vectors": "system",
    }
    own = [f"Question {k}?,{names[(k + 3) % 6]},{names[k % 6]},{names[(k + (k % 5 == 0)) % 6]}" for k in range(18)]
    other = scored(rows("Question,Expected policy,Rules,With vectors", *own))
    assert not any(item.role == "reference" for item in other.items)  # no system has its words


@pytest.mark.parametrize("name", ["*** OVERALL ***", "== Total ==", "--- all ---"])
def test_a_row_of_all_between_marks_is_no_recording(name: str) -> None:
    lines = [f"rec_{'abcdefgh'[k]}e,{10 + 3 * k / 7:.2f}" for k in range(8)]
    found = scored(rows("File,DER", *lines, f"{name},11.02"))
    own = [item for item in found.items if item.kind == "scores"]
    assert found.problems or [len(item.segments) for item in own] == [8]


def test_expected_reciprocal_rank_is_no_error() -> None:
    from sigcore.measures import better_of

    for name in ("ERR-IA@20", "nERR-IA@5", "err@20", "ERR-IA"):
        assert better_of(name) == "higher", name
    assert better_of("err") == better_of("word err") == "lower"


def test_what_was_chosen_stands_below_its_own_name() -> None:
    """Potato writes {"scale_4": "4"} for a mark: each mark was a column of its own. Ids with __ join a text and a system."""
    made = (
        {
            "id": f"x-{k}__{s}",
            "label": {"fluency": {f"scale_{1 + (k + i) % 5}": str(1 + (k + i) % 5)}, "ok": {"yes": "yes"}},
        }
        for i, s in enumerate(("a", "b"))
        for k in range(6)
    )
    problem = asked("\n".join(map(json.dumps, made)), "annotated.jsonl")
    assert problem.why == "The ids below id seem to join a system (a, b) and a segment."
    assert {claim.column for claim in problem.claims} == {"id", "label.fluency", "label.ok"}
    assert problem.ways[0][1] == "id=joined label.fluency=score"
