"""Layouts that several programs share: a file for each answer, ids of rows, measures in rows, tags with a probability."""

from __future__ import annotations

import json
from statistics import mean

import pytest

from sigcore import data
from sigcore.readers import Choice, Intake, read, read_ratings
from sigcore.readers.contract import Content
from sigcore.readers.lines import decode, split
from sigcore.readers.tables import ruled
from sigcore.readers.tables.table import Table
from tests.made_tables import N, asked, means, roles, rows, scored, value


def needles(systems: tuple[str, ...] = ("gpt", "claude"), depths: tuple[float, ...] = (0.0, 25.0, 50.0)) -> Intake:
    """A file for each model, length and depth, as LLMTest_NeedleInAHaystack writes them."""
    return read(
        [
            (
                f"results/{s}_len_{n}_depth_{d}.json",
                json.dumps(
                    {"model": s, "context_length": n, "depth_percent": d, "score": 10 * value(k, i), "test_duration_seconds": k / 7}
                ).encode(),
            )
            for i, s in enumerate(systems)
            for k, (n, d) in enumerate((n, d) for n in (1000, 2000) for d in depths)
        ]
    )  # fmt: skip


def test_files_of_one_record_each_are_one_table() -> None:
    """Two numbers name the question together; 25.0 is a level as 25 is."""
    (problem,) = needles().problems
    assert problem.ways[0][1] == "model=system context_length=question depth_percent=question score=score"  # type: ignore[attr-defined]
    assert "12 files has one record, and model names the system in it" in str(needles().notices)


def test_other_files_of_one_record_stay_files() -> None:
    """One model is no table of several, and four files of each are too few."""
    for found in (needles(("gpt",), (0.0, 25.0, 50.0, 75.0, 100.0)), needles(depths=(0.0, 25.0))):
        assert not any("has one record" in one.message for one in found.notices)


def test_ids_of_rows_are_no_questions() -> None:
    """Each trial has an id of its own; the task and the attempt say what was asked."""
    text = rows(
        "id,task,system,attempt,score",
        *(
            f"t{k}-{s}-{r},t{k},{s},{r},{(k + 2 * r + i) % 5}"
            for k in range(6)
            for i, s in enumerate("AB")
            for r in (1, 2)
        ),
    )
    problem = asked(text)
    assert problem.why == "No two systems share an id below id: it names rows, not what was asked."
    assert problem.ways[0][1] == "system=system task=question attempt=run score=score"
    shared = rows("id,system,score", *(f"q{k},{s},{k % 3}" for k in range(N) for s in "AB"))
    assert means(scored(shared)) == pytest.approx({s: mean(k % 3 for k in range(N)) for s in "AB"})


def test_measures_in_rows_are_no_questions_and_no_runs() -> None:
    """ROUGE 2.0 has a row for each type: their mean over types was offered as that over runs."""
    text = rows(
        "ROUGE-Type,Task Name,System Name,Avg_Recall,Avg_F-Score",
        *(
            f"{m}+StopWordRemoval,d{k},{s},{value(k, i)},{value(k, j + 3)}"
            for j, m in enumerate(("ROUGE-1", "ROUGE-2", "ROUGE-L"))
            for k in range(N)
            for i, s in enumerate("AB")
        ),
    )
    problem = asked(text)
    assert [way[1] for way in problem.ways] == [
        "'System Name=system' 'Task Name=question' ROUGE-Type=measure Avg_Recall=score Avg_F-Score=score"
    ]


def test_numbers_whose_direction_changes_from_row_to_row() -> None:
    head = ["id", "score", "is_lower_better"]
    both = Table("t.csv", head, [[f"c{k}", f"{k / 7}", str(k % 2 > 0)] for k in range(9)], range(9))
    assert both.turned == [1]
    one = Table("t.csv", head, [[f"c{k}", f"{k / 7}", "True"] for k in range(9)], range(9))
    assert one.turned == []


CHUNKS = "".join(
    f"# 0.{k}1\nThe\tDT\tB-NP\tB-NP/0.98\nferry\tNN\tI-NP\t{'I-NP' if k % 2 else 'O'}/0.{k}5\n.\t.\tO\tO/0.999999\n\n"
    for k in range(1, 8)
)


def test_how_sure_a_tagger_is_belongs_to_no_tag() -> None:
    """crf_test -v1 writes B-NP/0.98, and a line with the probability of the sentence."""
    found = read([("crf.txt", CHUNKS.encode())])
    assert not found.problems, found.problems
    (output,) = [item for item in found.items if item.role == "system"]
    assert output.segments[0] != output.segments[1]
    mixed = CHUNKS.replace("B-NP/0.98", "B-NP", 1)
    assert read([("crf.txt", mixed.encode())]).detected[0].reader != "tagged"


def test_a_table_with_dashes_below_lines_of_a_log() -> None:
    table = "File      DER    JER\n------  -----  -----\n" + "".join(
        f"rec_{k}   {10 + k}.5   {20 + k}.5\n" for k in range(6)
    )
    log = "Loading speaker turns...\nWARNING: no map\nScoring...\n"
    assert means(scored(log + table, "a.df.txt", columns="File=question\nDER=score")) == {"a.df": 12.5 + 0.5}
    assert scored(log + table + table, "a.df.txt").detected[0].reader != "csv"


def test_what_answers_cost_is_not_read_as_their_score() -> None:
    """eval_duration_ns of Ollama was the measure of a file without any other number."""
    lines = (
        {
            "id": f"q{k}",
            "model": "A",
            "response": "Perform a test of it first, then wait.",
            "eval_duration_ns": 8434893000 + k,
        }
        for k in range(N)
    )
    found = scored("\n".join(map(json.dumps, lines)), "raw.jsonl")
    assert not any(item.kind == "scores" and item.role == "system" for item in found.items)


def content(name: str, text: str) -> Content:
    return Content(name, text.encode(), decode, split)


BOX = """,-----------------------------------------------.
|                                               |
|  Scoring Summmary of Percent Word Error by Speaker  |
|-----------------------------------------------|
|  Spkr   | out/one.ctm | out/two.ctm |
|---------+-------------+-------------|
{rows}|===============================================|
| Average |    3.9  |  5.0 |
|---------+-------------+-------------|
|  Mean   |    3.9  |  5.0 |
`-----------------------------------------------'
"""


def box(n: int = 8) -> str:
    return BOX.format(
        rows="".join(f"| spk{k} | {k}.5 | {2 * k % 7}.0 |\n|---------+-------------+-------------|\n" for k in range(n))
    )


def test_a_box_with_a_title() -> None:
    """sclite: the title names the measure, the files are the systems, and what is below a double rule sums up."""
    found = scored(box(), "Report.sys", columns="Spkr=question\none=system\ntwo=system")
    assert means(found) == {"one": 4.0, "two": mean(2 * k % 7 for k in range(8))}
    assert {item.measure for item in found.items if item.kind == "scores"} == {"WER"}
    assert ruled.found(content("Report.sys", box())) is not None
    assert ruled.found(content("Report.sys", box(2))) is None
    assert ruled.found(content("Report.sys", box() + "\n" + box())) is None


SPAN = """Performance
===========

+----------+--------+-------+
| Treebank | System | UAS   |
+----------+--------+-------+
{}"""


def test_a_name_beside_several_rows_of_a_box() -> None:
    """reStructuredText: the name may stand in a line of the rule between two rows."""
    block = "|          | A      | {a}  |\n|          +--------+-------+\n| {t}     | B      | {b}  |\n+----------+--------+-------+\n"
    other = "|          | A      | {a}  |\n| {t}     +--------+-------+\n|          | B      | {b}  |\n+----------+--------+-------+\n"
    rows_ = "".join((block, other)[k % 2].format(t=f"t{k}", a=80 + k, b=70 + 2 * k) for k in range(6))
    found = scored(SPAN.format(rows_), "performance.rst")
    assert means(found) == {"A": 82.5, "B": 75.0}
    assert {item.keys for item in found.items if item.role == "system"} == {tuple(f"t{k}" for k in range(6))}


def between(n: int = 6) -> str:
    rule, rows_ = "-" * 40, "".join(f"ES200{k}   {k}.5   1{k}.0 4/4   477.0\n" for k in range(n))
    return f"swift run diarization\n...\n{rule}\nMeeting    DER %   JER %   Speakers   RTFx\n{rule}\n{rows_}{rule}\nAVERAGE  3.0 12.5 - 392.4\n{'=' * 40}\n"


def test_headings_between_two_rules() -> None:
    found = scored(between(), "run.txt", columns="Meeting=question\nDER %=score")
    assert means(found) == {"run": 3.0}
    assert [item.keys[0] for item in found.items if item.role == "system"] == ["ES2000"]
    assert scored(between(2), "run.txt").detected[0].reader != "csv"


def test_a_folder_of_each_system_with_test_sets() -> None:
    """MMLU-Pro writes a file for each subject: their questions are others, and no error."""
    made = {
        f"{m}/{s}_result.json": json.dumps(
            [
                {"question_id": k + 100 * j, "question": f"What is {s} {k}?", "options": ["a", "b"], "answer": "A", "answer_index": 0,
                 "category": s, "src": f"src {s} {k}", "cot_content": "", "pred": "AB"[(k + i) % 2], "model_outputs": "x"}
                for k in range(N)
            ]
        )
        for i, m in enumerate(("one", "two"))
        for j, s in enumerate(("law", "math"))
    }  # fmt: skip
    found = read([(name, text.encode()) for name, text in made.items()])
    assert not any("ask other questions" in str(one) for one in found.problems), found.problems


def test_a_table_of_one_system_whose_questions_are_texts() -> None:
    """Two factors of the questions (a database and a category) were offered as systems and questions."""
    pairs = [
        (d, c)
        for d in ("broker", "scholar", "yelp", "atis", "imdb")
        for c in ("where", "order", "join", "ratio", "date")
    ]
    text = rows(
        "db,kind,question,correct,latency_seconds",
        *(f"{d},{c},what is the {k} of it,{k % 3 > 0:d},{k}" for k, (d, c) in enumerate(pairs)),
    )
    found = scored(text)
    assert "=system" not in str(found.problems)
    assert {item.name for item in found.items if item.role == "system"} <= {"t"}


def test_several_columns_of_names_are_one_system_where_somebody_says_so() -> None:
    """The columns of numbers that nobody named were the systems instead."""
    text = rows("model,quant,prompt_id,repetition,latency", *(f"tiny,fp16,p{k},0,{k % 4}.5" for k in range(N)))
    said = "model=system\nquant=system\nprompt_id=question\nlatency=score"
    assert means(scored(text, columns=said)) == {"tiny, fp16": mean(k % 4 + 0.5 for k in range(N))}
    alone = "".join(f"{k}.4\thttps://models.org/m{k}.zip\n" for k in range(N))
    (problem,) = scored(alone, "bleu-scores.txt", columns="column 2=system\ncolumn 1=score").problems
    assert "column 2 has another name in each row" in problem.what


def test_tests_of_programs_by_problem() -> None:
    """APPS: -1 and -2 are failures, and no numbers; all tests of one problem are one program's."""
    tests = [[True, True], [True, False, -1], [-2], [True], [False, True, True, True]]
    found = scored(json.dumps({f"{3000 + k}": [own] for k, own in enumerate(tests)}), "all_results.json")
    by_measure = {item.measure: item.segments for item in found.items if item.kind == "scores"}
    assert [*map(float, by_measure["accuracy"])] == [1, 0, 0, 1, 0]
    assert [*map(float, by_measure["pass_rate"])] == pytest.approx([1, 1 / 3, 0, 1, 3 / 4])
    several = scored(json.dumps({f"{k}": [[k % 2 > 0], [True]] for k in range(6)}), "all_results.json")
    assert not several.problems
    for other in ({f"{k}": [[3, 4]] for k in range(6)}, {f"{k}": [[]] for k in range(6)}):
        assert scored(json.dumps(other), "a.json").problems


def test_facts_of_each_answer_are_one_share() -> None:
    """FActScore: the facts of each topic by its place; null where the system abstained."""
    facts = [
        None if k % 4 == 3 else [{"atom": f"a{i}", "is_supported": (i + k) % 3 > 0} for i in range(3 + k % 2)]
        for k in range(8)
    ]
    found = scored(json.dumps({"score": 0.3, "decisions": facts}), "A.json", columns="supported_rate=score")
    (item,) = [item for item in found.items if item.kind == "scores"]
    assert [cell == "" for cell in item.segments] == [k % 4 == 3 for k in range(8)]
    assert float(item.segments[1]) == pytest.approx(sum((i + 1) % 3 > 0 for i in range(4)) / 4)


def test_lists_below_several_names_are_one_table() -> None:
    """Each name above a list may be a system, a judge or a part of the data: it is asked."""
    made = {
        j: {
            d: [{"query_id": k, "score": (k * 7 + len(j) + 3 * len(d)) % 10} for k in range(N)]
            for d in ("one", "three")
        }
        for j in ("Claude", "GPT")
    }
    problem = asked(json.dumps({"judge_scores": made}), "r.json")
    assert {claim.column for claim in problem.claims} == {"key_1", "key_2", "query_id", "score"}
    assert any("key_1=system" in way[1] or "key_2=system" in way[1] for way in problem.ways)


TAGS = "".join(f"ADP\tADP\nDET\t{('DET', 'PRON')[k % 2]}\nNOUN\tNOUN\n.\t.\n\n" for k in range(8))


def test_two_tags_in_each_line_and_no_word() -> None:
    """crfsuite tag -r: the accuracy is the same, whichever is right."""
    (item,) = scored(TAGS, "lbfgs.out").items
    assert (item.kind, item.segments[:2]) == ("statistics", ("tp=4 pred=4 gold=4", "tp=3 pred=4 gold=4"))
    for other in (
        TAGS.replace("ADP\tADP", "The\tADP"),
        TAGS.replace("\n\n", "\n"),
        TAGS.replace("NOUN\tNOUN", "B-NP\tB-NP"),
    ):
        assert scored(other, "lbfgs.out").detected[0].reader != "tag_columns"


def test_capitals_that_mark_errors_are_no_other_words() -> None:
    """asr-evaluation writes wrong words in capitals, in both lines: the references of two systems differed."""
    right, wrong = "REF: it rains today\nHYP: it rains today\n", "REF: it RAINS today\nHYP: it RAINED today\n"
    found = read([("a.txt", (right + wrong + right).encode()), ("b.txt", (right * 3).encode())])
    assert {item.segments for item in found.items if item.role == "reference"} == {("it rains today",) * 3}
    names = "REF: Anna rains\nHYP: Anna rains\n" + wrong
    (gold,) = [item for item in read([("a.txt", names.encode())]).items if item.role == "reference"]
    assert gold.segments == ("Anna rains", "it RAINS today")


def test_a_file_named_after_its_system_beside_a_column_of_it() -> None:
    """P.808: the rows of a clip were whole systems, and no form paired the clips of two models."""
    text = rows(
        "short_file_name,model,n,MOS,std",
        *(
            f"fan_{k:03}_{m}.wav,{m},8,{(k + i) % 4 + 1}.5,1.0{k}"
            for i, m in enumerate(("dccrn", "noisy"))
            for k in range(N)
        ),
    )
    problem = asked(text)
    assert problem.ways[0][1] == "short_file_name=joined MOS=score"
    assert means(scored(text, columns="short_file_name=joined\nMOS=score")) == {
        m: mean((k + i) % 4 + 1.5 for k in range(N)) for i, m in enumerate(("dccrn", "noisy"))
    }


def test_what_people_heard_may_join_system_and_text() -> None:
    """Praat: the words of the scale need numbers."""
    text = "subject\tstimulus\tresponse\n" + "".join(
        f"HB\t{s}_sent{k:02}\t{('good', 'excellent', 'fair')[(k + i) % 3]}\n"
        for i, s in enumerate(("hts", "natural"))
        for k in range(N)
    )
    (problem,) = scored(text, "MFC.Table").problems
    assert "The ids below stimulus seem to join a system (hts, natural) and a segment." in str(problem)


@pytest.mark.parametrize(
    ("heading", "word"),
    [("display", "practice"), ("task", "catch"), ("trial_type", "Attention check"), ("system", "practice 1")],
)
def test_rows_of_practice_do_not_count(heading: str, word: str) -> None:
    """Gorilla and jsPsych: they were ratings and comparisons as the others, 400 for 384."""
    head = ["judge", "item", "score", *dict.fromkeys(["system", heading])]
    lines = [
        ["j", f"t{k}", str(1 + (k + i) % 5), *dict.fromkeys([s, s if heading == "system" else "trial"])]
        for i, s in enumerate("AB")
        for k in range(N)
    ]
    tried = [["j", f"p{k}", "1", *([word] if heading == "system" else ["A", word])] for k in range(3)]
    text = "\n".join(map(",".join, [head, *lines, *tried])) + "\n"
    found = read_ratings([("r.csv", text.encode())])
    (judged,) = found.judgments
    assert len(judged.score) == 2 * N
    assert f"3 answers with {heading} {word} are left out." in " ".join(one.message for one in found.notices)


def test_practice_elsewhere_is_a_word() -> None:
    """A subject called so is no phase; where all rows are practice, they are all there is."""
    text = rows("item,subject,A,B", *(f"t{k},{('practice', 'law')[k % 2]},{k % 3},{k % 4}" for k in range(N)))
    assert "left out" not in str(scored(text).notices)
    alone = rows("item,phase,A,B", *(f"t{k},practice,{k % 3},{k % 4}" for k in range(N)))
    assert "left out" not in str(scored(alone).notices)


def test_words_with_tags_below_comments_are_no_text() -> None:
    """TnT: each word and its tag was a segment, and the word a right token of token F1."""
    tagged = "%% TnT -- Statistical Part-of-Speech Tagging\n%% model: negra\n" + "".join(
        f"Die\t\t\tART\nStadt\t\t\tNN\nbaut\t\t\tVVFIN\n{'Haus' * (k % 3 + 1)}\t\tNN\n.\t\t\t$.\n\n" for k in range(6)
    )
    (problem,) = read([("negra.bigram.tts", tagged.encode())]).problems
    assert "words with annotations, one word per line in 2 columns" in problem.what


def of_classes(k: int) -> dict[str, dict[str, float]]:
    """The rates of classes: spaCy calls them p, r and f."""
    return {
        name * 3: {"p": (i + k) / 40, "r": (i + k) / 41, "f": (i + k) / 42} for i, name in enumerate("abcdefghijkl")
    }


def test_rates_of_classes_are_asked_about() -> None:
    """spaCy: 12 labels of a parser are 12 questions only if somebody says so; F comes first, and its direction is known."""
    files = {f"{name}.json": {"tag_acc": 0.9, "dep_las_per_type": of_classes(k)} for k, name in enumerate(("sm", "md"))}
    both = [(name, json.dumps(made).encode()) for name, made in files.items()]
    first = asked(both[0][1].decode(), both[0][0])
    assert first.why.startswith(
        "It is a report on 12 classes (aaa, bbb, ccc ...). Is each of them a question? Better load"
    )
    ((_, said),) = first.ways
    assert said == "id=question f1=score precision=score recall=score"
    intake = read(both, every=Choice(options={"columns": said.replace(" ", "\n")}))
    measures = {
        (item.name, item.measure): [*map(float, item.segments)] for item in intake.items if item.role == "system"
    }
    assert measures["md", "f1"] == [one["f"] for one in of_classes(1).values()]
    assert {measure for _, measure in measures} == {"f1", "precision", "recall"}


@pytest.mark.parametrize("average", ["macro avg", "weighted avg", "micro avg", "samples avg"])
def test_averages_beside_classes_are_none(average: str) -> None:
    """Rasa and scikit-learn write them into the same object, beside the accuracy; counts of each class are no rates."""
    rates = {
        name: {"precision": k / 9, "recall": k / 8, "f1-score": k / 7, "support": k} for k, name in enumerate("abcdefg")
    }
    rates["c"]["confused_with"] = {"a": 1}  # type: ignore[assignment]
    problem = asked(json.dumps({**rates, "accuracy": 0.9, average: rates["b"]}), "intent_report.json")
    assert "It is a report on 7 classes (a, b, c ...)." in problem.why
    assert [claim.column for claim in problem.claims] == ["id", "f1-score", "precision", "recall"]


def test_a_class_without_a_rate_is_one_of_the_classes() -> None:
    """A slot that nobody predicted has no precision."""
    rates: dict[str, object] = {name: {"precision": k / 9, "recall": k / 8, "tp": k} for k, name in enumerate("abcdef")}
    rates["b"] = {"recall": 0.0, "tp": 0}
    assert "It is a report on 6 classes" in asked(json.dumps({"time": 3.0, "slots": rates}), "one.json").why


def test_classes_of_two_kinds_are_test_sets() -> None:
    """spaCy: labels of the parser and entities; what the model was made of is no answer."""
    made = {
        "name": "sm",
        "sources": [{"name": "news", "url": "x.org", "license": "free"}],
        "accuracy": {"las": 90.0, "las_per_type": of_classes(0), "ents_per_type": of_classes(3)},
    }
    ((_, said),) = asked(json.dumps(made), "sm.json").ways
    assert said == "key_1=task id=question f1=score precision=score recall=score"


def test_main_scores_of_parts_of_a_test_set_are_asked_about() -> None:
    """MTEB has one for each language, beside measures of which it is one."""
    parts = [
        {"hf_subset": name, "main_score": k / 9, "cosine_pearson": 0.1}
        for k, name in enumerate(("ar", "de", "en", "es", "fr"))
    ]
    problem = asked(json.dumps({"mteb_version": "1.12", "task_name": "STS22", "scores": {"test": parts}}), "STS22.json")
    assert problem.ways == (("each is a question", "id=question main_score=score"),)


def test_entries_below_two_names_and_a_sum() -> None:
    """ALCE: the systems stand above their questions, one of them beside a sum of its own."""
    made = {
        "asqa": {
            s: {
                **({"overall_results": {"mean": 3}} if not i else {}),
                **{
                    f"{70 + k}": {"id": f"{70 + k}", "question": f"who {k}", "utility": (k * 7 + i) % 5 + 1}
                    for k in range(N)
                },
            }
            for i, s in enumerate(("one.json", "two.json"))
        }
    }
    problem = asked(json.dumps(made), "human.json")
    assert problem.plan["key_1"] == "system"
    assert {claim.column for claim in problem.claims} == {"key_1", "id", "question", "utility"}
    models = {
        f"p{k}": {
            m: {"average_score": (k + i) % 4}
            for i, m in enumerate(("gpt-4o", "llama-3-8b", "qwen-2-7b", "gemma-2b", "mistral-7b"))
        }
        for k in range(6)
    }
    assert roles(asked(json.dumps(models), "s.json"))["model"] == "system"


def test_files_in_folders_of_each_system_are_matched_by_their_names() -> None:
    """Each system has a folder of its own: nothing was common, and the places were another order."""
    made = {
        s: rows("path,score", *(f"/data/{s}/w{k:02}.wav,{(k * 7 + i) % 5}" for k in order))
        for i, (s, order) in enumerate((("a", range(N)), ("b", range(N - 1, -1, -1))))
    }
    collection = data.Collection()
    collection.add(
        [(f"{s}.csv", text.encode()) for s, text in made.items()],
        every=Choice(options={"columns": "path=question\nscore=score"}),
    )
    loaded = collection.loaded()
    assert loaded.ids[:2] == ("w00.wav", "w01.wav")
    assert [one.segments[0] for one in loaded.outputs] == ["0", "1"]


def test_answers_of_several_letters_are_counted_and_told() -> None:
    text = rows(
        "id,answer,A,B",
        *(
            f"q{k},{'ABCD'[k % 4]},{'ABCD'[(k + (k % 3 == 0)) % 4]},{'A;B' if k % 6 == 0 else 'ABCD'[k % 4]}"
            for k in range(24)
        ),
    )
    collection = data.Collection()
    collection.add([("t.csv", text.encode())], every=Choice(options={"columns": "answer=reference\nA=text\nB=text"}))
    assert "4 outputs name several letters, and count as wrong." in [one.what for one in collection.loaded().findings]
