"""Layouts that programs and people write, each as a small file of our own: what is read, and what is asked."""

from __future__ import annotations

import json
import random

import pytest

from sigcore import metrics
from sigcore.data import Collection
from sigcore.data.nature import Texts
from sigcore.readers import Choice, Intake, Unclear, read, read_ratings

N = 12
VALUES = [k * 7 % 13 for k in range(N)]
CRITERIA = ("helpfulness", "brandvoice")
Files = dict[str, str]


def intake(files: Files, **options: object) -> Intake:
    given = [(name, text.encode()) for name, text in files.items()]
    return read(given, every=Choice(options=options) if options else None)


def csv(rows: list[list[object]]) -> str:
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


def scores(found: Intake) -> dict[str, list[float]]:
    """The scores of each system, by name."""
    return {
        item.name: [float(cell) for cell in item.segments]
        for item in found.items
        if item.kind == "scores" and item.role == "system"
    }


def texts(found: Intake, role: str) -> dict[str, tuple[str, ...]]:
    return {item.name: item.segments for item in found.items if item.role == role and item.kind == "text"}


def plan(found: Intake) -> dict[str, str]:
    """The role of each column of the one table that is asked about."""
    (problem,) = found.problems
    assert isinstance(problem, Unclear)
    return {claim.column: claim.role for claim in problem.claims}


def confirmed(files: Files) -> Intake:
    """The intake after all roles that the plan asks about were confirmed."""
    (problem,) = intake(files).problems
    assert isinstance(problem, Unclear)
    columns = "\n".join(f"{claim.column}={claim.role}" for claim in problem.claims if not claim.sure)
    return intake(files, columns=columns)


# Which columns cross each other.


def exported() -> str:
    """A log of scores as a platform exports it: ids of every row, and systems, questions and criteria in other columns."""
    rows: list[list[object]] = [["id", "value", "name", "itemId", "release"]]
    for k in range(N):
        for s, system in enumerate(("v1", "v2")):
            for c, criterion in enumerate(CRITERIA):
                rows.append([f"r{len(rows)}", k % 5 + s + 10 * c, criterion, f"q{k}", system])
    return csv(rows)


def test_names_that_cross_the_questions_may_be_systems() -> None:
    """The ids of the rows are no questions: each itemId comes with each release, and each name is another criterion."""
    found = intake({"s.csv": exported()})
    assert plan(found) == {
        "id": "ignored", "value": "score", "name": "task", "itemId": "question", "release": "system",
    }  # fmt: skip
    read_as = confirmed({"s.csv": exported()})
    assert {item.testset for item in read_as.items} == {*CRITERIA}
    assert scores(read_as)["v2"] == [k % 5 + 1 + 10 for k in range(N)]


def test_a_category_crosses_nothing() -> None:
    """A question has one category, so the table is about one system."""
    rows: list[list[object]] = [["id", "accuracy", "domainId", "area"]]
    rows += [[f"q{k}", k % 2, f"d{k % 6}", "xy"[k % 2]] for k in range(24)]
    assert list(scores(intake({"one.csv": csv(rows)}))) == ["one"]


def test_systems_in_columns_are_no_question_where_others_cross() -> None:
    """Every speaker says every sentence, and each row has its own id: the columns of numbers are the systems."""
    rows: list[list[object]] = [["id", "speaker", "sentence_id", "A", "B"]]
    rows += [[f"u{k}{s}", s, f"s{k}", k % 5 / 5, k * 3 % 7 / 7] for k in range(N) for s in ("ann", "ben")]
    roles = plan(intake({"t.csv": csv(rows)}))
    assert (roles["speaker"], roles["A"], roles["B"]) == ("ignored", "system", "system")
    assert list(scores(confirmed({"t.csv": csv(rows)}))) == ["A", "B"]


def test_one_model_tried_in_several_ways() -> None:
    """The column of models has one value: another one, which crosses the questions, names what is compared."""
    rows: list[list[object]] = [["model", "condition", "run", "scenario_id", "cs"]]
    rows += [["m", c, r, f"s{k}", k % 7 + (c == "b")] for c in "ab" for r in (1, 2) for k in range(N)]
    roles = plan(intake({"t.csv": csv(rows)}))
    assert (roles["condition"], roles["scenario_id"], roles["model"]) == ("system", "question", "ignored")
    assert list(scores(confirmed({"t.csv": csv(rows)}))) == ["a", "b"]


def test_an_id_and_a_type_name_the_question_of_two_systems() -> None:
    """WER_a and WER_b are systems with one measure: this reading is printed first, and the pairs are of one utterance."""
    rows: list[list[object]] = [["id", "label_type", "WER_a", "WER_b"]]
    rows += [[f"u{k}", t, (k * 3 % 11 + s) / 12, (k % 5 + 2 * s) / 9] for k in range(N) for s, t in enumerate("xy")]
    text = csv(rows)
    problem = intake({"t.csv": text}).problems[0]
    assert isinstance(problem, Unclear)
    assert [what for what, _ in problem.ways] == ["WER_a, WER_b are the systems", "label_type names the systems"]
    found = intake({"t.csv": text}, columns="id=document\nlabel_type=question\nWER_a=system\nWER_b=system")
    assert scores(found)["WER_a"] == [row[2] for row in rows[1:]]
    assert [item.segments for item in found.items if item.role == "documents"] == [
        tuple(str(row[0]) for row in rows[1:])
    ]
    # precision and recall beside each other are measures: only one reading is offered
    alone = intake({"t.csv": text.replace("WER_a", "precision").replace("WER_b", "recall")}).problems[0]
    assert isinstance(alone, Unclear)
    assert not alone.ways


def test_a_text_of_each_system_is_no_reference() -> None:
    """Answers differ between the systems of a question, so the plan does not take them for what is right."""
    rows: list[list[object]] = [["question_id", "arm", "answer", "ndcg_at_10"]]
    rows += [[f"q{k}", p, f"answer {p} {k}", (k % 4) / 4] for k in range(N) for p in ("naive", "graph")]
    assert plan(intake({"t.csv": csv(rows)}))["answer"] != "reference"


def test_a_sentence_like_the_outputs_may_be_the_reference() -> None:
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    draw = random.Random(1)
    gold = [" ".join(draw.choices(words, k=7)) for _ in range(N)]
    rows: list[list[object]] = [["path", "sentence", "prediction_a", "prediction_b"]]
    rows += [[f"c{k}.jpg", line, line.replace("one", "x"), line.replace("two", "x")] for k, line in enumerate(gold)]
    found = intake({"cv.csv": csv(rows)})
    assert plan(found)["sentence"] == "reference"
    assert "sentence" in found.problems[0].what
    unlike = [[*row[:1], f"what is asked {k}", *row[2:]] if k else row for k, row in enumerate(rows)]
    assert not any("sentence" in problem.what for problem in intake({"cv.csv": csv(unlike)}).problems)


# Measures and counts in headings.


def test_counts_of_words_are_no_system() -> None:
    rows: list[list[object]] = [["document", "words", "errors_a", "errors_b"]]
    rows += [[f"d{k}", 100 + k, k % 5, (k + 1) % 4] for k in range(N)]
    found = intake({"counts.csv": csv(rows)})
    assert not found.problems
    assert list(scores(found)) == ["errors_a", "errors_b"]
    assert {item.measure for item in found.items if item.kind == "scores"} == {"errors"}


def test_systems_with_each_criterion_are_said_to_be_systems() -> None:
    """What stands beside criteria may be judges, so it is asked; then each criterion has its scores."""
    rows: list[list[object]] = [["prompt", "base_clarity", "base_accuracy", "ft_clarity", "ft_accuracy"]]
    rows += [[f"asked {k}", k % 5, k % 4, value, k % 3] for k, value in enumerate(VALUES)]
    assert {*plan(intake({"t.csv": csv(rows)})).values()} == {"question", "system"}
    found = confirmed({"t.csv": csv(rows)})
    assert {(item.name, item.measure) for item in found.items if item.kind == "scores"} == {
        (s, m) for s in ("base", "ft") for m in ("clarity", "accuracy")
    }


def test_sizes_of_documents_are_no_log() -> None:
    """How many words a document has, and its weight, say nothing of a program: the other columns may be systems."""
    rows: list[list[object]] = [["doc_id", "words", "weight", "Ada", "Ben"]]
    rows += [[f"d{k}", 50 + k, 0.1, value / 2, value / 3] for k, value in enumerate(VALUES)]
    total = sum(VALUES)
    rows.append(["Average", "", "", total / 2 / N, total / 3 / N])
    rows.append(
        ["Weighted average", "", "", sum((50 + k) * v / 2 for k, v in enumerate(VALUES)) / sum(range(50, 50 + N)), 9]
    )
    roles = plan(intake({"t.csv": csv(rows)}))
    assert roles == {"doc_id": "document", "words": "ignored", "weight": "ignored", "Ada": "system", "Ben": "system"}
    assert scores(confirmed({"t.csv": csv(rows)}))["Ada"] == [value / 2 for value in VALUES]


def test_marks_with_a_reason_behind_them() -> None:
    rows: list[list[object]] = [
        ["qid", "Ada", "Ben"],
        *([f"q{k}", "○", "× wrong unit" if k % 3 else "○"] for k in range(N)),
    ]
    assert scores(intake({"t.csv": csv(rows)}))["Ben"] == [float(not k % 3) for k in range(N)]


def test_systems_by_variants_of_rouge() -> None:
    rows: list[list[object]] = [["id", *(f"{s}_{m}" for s in ("lead", "tail") for m in ("r1", "r2", "rL"))]]
    rows += [[f"q{k}", *((k * j % 11 + j) / 20 for j in range(2, 8))] for k in range(N)]
    found = intake({"t.csv": csv(rows)})
    assert {(item.name, item.measure) for item in found.items if item.kind == "scores"} == {
        (s, m) for s in ("lead", "tail") for m in ("r1", "r2", "rL")
    }


def test_percent_signs_show_a_header() -> None:
    rows: list[list[object]] = [
        ["Question", "Base RAG", "Graph RAG"],
        *([f"Q{k}", f"{k * 7 % 13}.5%", f"{k * 5 % 11}.25%"] for k in range(N)),
    ]
    assert scores(intake({"t.csv": csv(rows)}))["Base RAG"] == [k * 7 % 13 + 0.5 for k in range(N)]


def test_a_measure_that_never_changes_is_still_one() -> None:
    one = {f"{k}": {"map": k / N, "recip_rank": 1.0, "ndcg_cut_10": k / 20} for k in range(1, N + 1)}
    found = intake({"a.json": json.dumps(one)})
    assert {item.measure for item in found.items if item.kind == "scores"} == {"map", "recip_rank", "ndcg_cut_10"}


def test_systems_by_segment_in_any_order() -> None:
    names = [f"s{k}" for k in range(N)]
    value = {
        "A": {name: VALUES[k] for k, name in enumerate(names)},
        "B": {name: 2 * VALUES[names.index(name)] for name in names[::-1]},
    }
    found = intake({"a.json": json.dumps(value)})
    assert scores(found) == {"A": VALUES, "B": [2 * value for value in VALUES]}


# Rows that sum up others.


def summed(last: list[object]) -> str:
    rows: list[list[object]] = [["id", "A", "B"], *([f"s{k}", value, 2 * value] for k, value in enumerate(VALUES))]
    return csv([*rows, last])


def test_a_last_row_of_means_or_sums_is_left_out() -> None:
    total = sum(VALUES)
    for last in (["Average", total / N, total / 6], ["total", total, 2 * total], ["mean", round(total / N, 2), 99]):
        found = intake({"t.csv": summed(last)})
        assert scores(found)["A"] == VALUES
        assert any("sums up the others" in notice.message for notice in found.notices)
    (problem,) = intake({"t.csv": summed(["Average", total / N + 1, 9])}).problems
    assert "A row is called 'Average'" in problem.what


def test_means_of_parts_are_left_out_and_parts_count_again() -> None:
    """Each language has its segments 1, 2, 3; the rows of means are recognised by their numbers."""
    rows: list[list[object]] = [["Language", "Sentence", "A", "B"]]
    for j, language in enumerate(("de", "sw")):
        rows += [[language, k, k + j, 3 * k] for k in range(1, 6)]
        rows.append([f"{language} avg", "", 3 + j, 9])
    rows.append(["ALL avg", "", 3.5, 9])
    found = intake({"t.csv": csv(rows)})
    assert scores(found)["A"] == [1, 2, 3, 4, 5, 2, 3, 4, 5, 6]
    assert found.items[0].keys[5] == "1 of sw"
    wrong = [[*row[:2], 17, *row[3:]] if row[0] == "sw avg" and row[3] else row for row in rows]
    wrong = [[*row[:3], 17] if row[0] == "sw avg" else row for row in wrong]
    assert not any("sum up others" in notice.message for notice in intake({"t.csv": csv(wrong)}).notices)


def test_headings_below_a_title_and_in_two_lines() -> None:
    below = csv(
        [
            ["Test of May", "", ""],
            ["", "", ""],
            ["id", "A", "B"],
            *([f"s{k}", k % 5, value] for k, value in enumerate(VALUES)),
        ]
    )
    assert scores(intake({"t.csv": below}))["B"] == VALUES
    merged = [["", "one", "", "two", ""], ["", "chrF", "TER", "chrF", "TER"], ["segment", "", "", "", ""]]
    merged += [[f"s{k}", k % 5, value, k % 7, value + 1] for k, value in enumerate(VALUES)]
    assert {(i.name, i.measure) for i in intake({"t.csv": csv(merged)}).items if i.kind == "scores"} == {
        (s, m) for s in ("one", "two") for m in ("chrF", "TER")
    }
    frame = [["", "der", "correct", "correct"], ["", "%", "", "%"], ["item", "", "", ""]]
    frame += [[f"c{k}", 20 + k % 7, 3 * k % 5, value] for k, value in enumerate(VALUES)]
    found = intake({"t.csv": csv(frame)})
    read_as = found if found.items else confirmed({"t.csv": csv(frame)})
    own = [item for item in read_as.items if item.measure == "correct %"]
    assert [[float(cell) for cell in item.segments] for item in own] == [VALUES]


# Programs.


def test_a_report_of_swebench() -> None:
    ids = [f"p{k:02}" for k in range(N)]
    report = {"total_instances": N, "submitted_ids": ids[:10], "resolved_ids": ids[:4], "incomplete_ids": ids[10:]}
    assert scores(intake({"a.json": json.dumps(report)}))["a"] == [1] * 4 + [0] * 8


def test_captions_of_coco_are_references() -> None:
    """Images with fewer captions have their first one again."""
    rows = [{"image_id": k, "id": 10 * k + j, "caption": f"text {k} {j}"} for k in range(N) for j in range(1 + k % 2)]
    found = intake({"captions.json": json.dumps({"images": [{"id": k} for k in range(N)], "annotations": rows})})
    first, second = texts(found, "reference").values()
    assert first == tuple(f"text {k} 0" for k in range(N))
    assert second == tuple(f"text {k} {k % 2}" for k in range(N))


def test_preferences_and_ratings_of_label_studio() -> None:
    def task(k: int, kind: str, value: dict[str, object], data: dict[str, str]) -> dict[str, object]:
        result = [{"from_name": "control", "type": kind, "value": value}]
        return {"id": k, "data": data, "annotations": [{"completed_by": {"email": "a@x"}, "result": result}]}

    pair = {"model1": "old", "model2": "new"}
    tasks = [task(k, "pairwise", {"selected": "right" if k % 3 else "left"}, pair) for k in range(N)]
    (found,) = intake({"p.json": json.dumps(tasks)}).preferences
    assert found.outcome.tolist() == [float(not k % 3) for k in range(N)]
    rated = [task(2 * k + s, "rating", {"rating": k % 3 + s}, {"system": "ab"[s], "item": f"i{k}"}) for k in range(N) for s in (0, 1)]  # fmt: skip
    (judged,) = read_ratings([("r.json", json.dumps(rated).encode())]).judgments
    assert judged.score.tolist() == [k % 3 + s for k in range(N) for s in (0, 1)]
    assert judged.segment.tolist()[:3] == ["i0", "i0", "i1"]


def test_rankings_are_comparisons_of_their_pairs() -> None:
    head = ["srclang", "trglang", "srcIndex", "judgeId", "system1Id", "system2Id", "system3Id", "system1rank", "system2rank", "system3rank"]  # fmt: skip
    rows: list[list[object]] = [head, *(["cs", "en", k, "j", "A", "B", "C", 1, 2, 2] for k in range(N))]
    rows += [["cs", "en", N, "j", "A", "B", "C", 2, 1, -1]]
    (found,) = intake({"r.csv": csv(rows)}).preferences
    kept = list(zip(found.first.tolist(), found.second.tolist(), found.outcome.tolist(), strict=True))
    assert kept[:3] == [("A", "B", 1.0), ("A", "C", 1.0), ("B", "C", 0.5)]
    assert kept[3 * N :] == [("A", "B", 0.0)]
    assert found.question.tolist()[:4] == ["0", "0", "0", "1"]


def test_each_annotator_has_a_column_of_winners() -> None:
    rows: list[list[object]] = [["question_id", "model_1", "model_2", "winner1", "winner2"]]
    rows += [[k, "A", "B", "model_1", "tie" if k % 2 else "model_2"] for k in range(N)]
    (found,) = intake({"h.csv": csv(rows)}).preferences
    assert found.outcome.tolist() == [o for k in range(N) for o in (1.0, 0.5 if k % 2 else 0.0)]
    assert found.judge.tolist()[:2] == ["winner1", "winner2"]


def test_published_p_values_are_no_scores() -> None:
    rows: list[list[object]] = [["system_a", "system_b", "delta", "p_value"], ["A", "B", 1, 0.1], ["A", "C", 2, 0.02]]
    (problem,) = intake({"p.csv": csv(rows)}).problems
    assert "published result" in problem.what


def test_the_csv_of_promptfoo_has_a_score_of_each_provider() -> None:
    parts = ["Status", "Score", "Named Scores", "Grader Reason", "Comment"]
    rows: list[list[object]] = [["x", "[a] ask", *parts, "[b] ask", *parts]]
    rows += [
        [k, "out", "PASS", 1.0, "", "", "", "out", "FAIL", value / 20, "", "", ""] for k, value in enumerate(VALUES)
    ]
    rows[1][3] = 0.0
    assert scores(intake({"p.csv": csv(rows)})) == {"a": [0.0] + [1.0] * (N - 1), "b": [value / 20 for value in VALUES]}
    two = [[cell.replace("[b] ask", "[a] tell") if isinstance(cell, str) else cell for cell in row] for row in rows]
    assert list(scores(intake({"p.csv": csv(two)}))) == ["[a] ask", "[a] tell"]


def test_the_label_of_a_provider_names_the_system() -> None:
    def one(k: int, label: str, prompt: int) -> dict[str, object]:
        provider, own = {"id": "f.js", "label": label}, {"label": f"p{prompt}"}
        return {"testIdx": k, "promptIdx": prompt, "provider": provider, "prompt": own, "success": True, "score": k / N}

    lines = "\n".join(json.dumps(one(k, label, j)) for k in range(N) for j, label in enumerate(("big", "small")))
    assert list(scores(intake({"o.jsonl": lines}))) == ["big", "small"]
    same = "\n".join(json.dumps(one(k, "big", j)) for k in range(N) for j in (0, 1))
    assert list(scores(intake({"o.jsonl": same}))) == ["p0", "p1"]
    both = "\n".join(json.dumps(one(k, label, j)) for k in range(N) for label in ("big", "small") for j in (0, 1))
    assert list(scores(intake({"o.jsonl": both}))) == ["big / p0", "big / p1", "small / p0", "small / p1"]


def test_translations_of_two_languages_are_source_and_reference() -> None:
    lines = "\n".join(json.dumps({"translation": {"de": f"Satz {k}", "en": f"line {k}"}}) for k in range(N))
    found = intake({"test.json": lines})
    assert list(texts(found, "source").values()) == [tuple(f"Satz {k}" for k in range(N))]
    assert list(texts(found, "reference").values()) == [tuple(f"line {k}" for k in range(N))]


def test_a_shorter_list_of_right_answers_is_completed() -> None:
    lines = "\n".join(json.dumps({"qid": f"q{k}", "gold_answers": ["a", "b"][: 1 + k % 2], "model_answer": "a"}) for k in range(N))  # fmt: skip
    first, second = texts(intake({"m.jsonl": lines}), "reference").values()
    assert (first, second) == (("a",) * N, ("a", "b") * (N // 2))


# Folders and files of text.


def test_a_transcript_for_each_recording() -> None:
    value = {
        f"{s}/clip_{k}.json": json.dumps({"text": f" words {k} {s}", "segments": []}) for s in "ab" for k in range(N)
    }
    found = intake(value)
    assert texts(found, "system") == {s: tuple(f"words {k} {s}" for k in range(N)) for s in "ab"}
    assert found.items[0].keys[10] == "clip_10"


@pytest.mark.parametrize("stem", ["doc", "sys"])
def test_numbered_documents_of_folders(stem: str) -> None:
    """Lines of a document are segments where every folder has as many; other files are systems of test sets."""
    names = [f"{stem}{k:02}.txt" for k in range(11, 17)]
    files = {f"{s}/{name}": "".join(f"{s} {name} {i}\n" for i in range(3)) for s in ("ref", "A", "B") for name in names}
    found = intake(files)
    if stem != "doc":
        assert sum(item.role == "system" for item in found.items) == 12
        return
    assert len(texts(found, "system")["A"]) == 18
    assert [item.segments[2:4] for item in found.items if item.role == "documents"] == [("doc11", "doc12")]
    fewer = intake(files | {"B/doc12.txt": "one\ntwo\n"})
    assert len(texts(fewer, "system")["A"]) == 6  # summaries, a line per sentence


def test_pieces_of_words_are_joined() -> None:
    found = intake({"a.txt": "\u2581The \u2581ca t\n\u2581is \u2581he re .\n", "b.txt": "The cat\nis here.\n"})
    assert texts(found, "system") == {"a": ("The cat", "is here."), "b": ("The cat", "is here.")}
    assert [notice.file for notice in found.notices if "SentencePiece" in notice.message] == ["a.txt"]
    assert texts(intake({"a.txt": "no mark\nthe \u2581 sign\n"}), "system")["a"][1] == "the \u2581 sign"


def collected(files: Files) -> Collection:
    collection = Collection()
    collection.add([(name, text.encode()) for name, text in files.items()])
    return collection


def test_references_in_blocks() -> None:
    """As many blocks as outputs have lines, or the file stays as it is."""
    gold = "one a\none b\n\ntwo a\n\nthree a\nthree b\nthree c\n"
    outputs = dict.fromkeys(("A.txt", "B.txt"), "one x\ntwo y\nthree z\n")
    loaded = collected({"ref.txt": gold, **outputs}).loaded()
    assert loaded.testset is not None
    assert loaded.testset.references[2] == ("one a", "two a", "three c")
    assert any("blocks" in finding.what for finding in loaded.findings)
    four = {name: text + "four\n" for name, text in outputs.items()}
    assert not any("blocks" in finding.what for finding in collected({"ref.txt": gold, **four}).loaded().findings)


def test_what_texts_are_decides_the_usual_metric() -> None:
    """Classes, answers of fewer words than BLEU counts, and Chinese."""

    def texts_of(lines: list[str]) -> Texts:
        text = "\n".join(lines) + "\n"
        return collected({"ref.txt": text, "A.txt": text.replace("e", "o"), "B.txt": text}).loaded().texts

    draw = random.Random(3)
    long = ["the answer number " + " ".join(draw.sample("abcdefgh", 5)) + f" {k}" for k in range(30)]
    assert texts_of(long) == Texts()
    assert texts_of([f"the answer {k}" for k in range(30)]) == Texts("answers")
    assert texts_of([f"the {k}" for k in range(16)] + long[:14]) == Texts("answers")
    heard = {f"{s}.jsonl": "\n".join(json.dumps({"audio_filepath": f"c{k}.wav", "text": f"so {k}", "pred_text": f"so {k} {s}"}) for k in range(N)) for s in "ab"}  # fmt: skip
    assert collected(heard).loaded().texts == Texts("speech")
    assert texts_of(["".join(map(chr, range(0x4E00 + k, 0x4E0C + k))) for k in range(30)]) == Texts("", "zh")


@pytest.mark.parametrize(
    ("start", "mark", "kind", "metric"),
    [
        (0x4E00, "", "unspaced speech", "cer"),
        (0x3041, "", "unspaced speech", "cer"),
        (0x4E00, " ", "speech", "wer"),  # somebody parted the words
        (0xAC00, "", "speech", "wer"),  # Korean has spaces
        (0x61, "", "speech", "wer"),  # commands of one word
    ],
)
def test_transcripts_without_spaces_are_compared_by_characters(start: int, mark: str, kind: str, metric: str) -> None:
    """AISHELL: each line was one word, right or wrong, and its share was called WER."""

    def said(k: int, other: int) -> str:
        return mark.join(chr(start + (k + i + other * (i == 3)) % 20) for i in range(9))

    files = {
        f"{s}.jsonl": "\n".join(
            json.dumps({"audio_filepath": f"c{k}.wav", "text": said(k, 0), "pred_text": said(k, (k + n) % 2)})
            for k in range(30)
        )
        for n, s in enumerate("ab")
    }
    texts = collected(files).loaded().texts
    assert texts.kind == kind
    assert metrics.usual("text", texts.kind) == metric


def test_words_of_a_ctm_belong_to_the_times_of_the_stm() -> None:
    """By their middle; a word between two times is of the nearer one, and a word of another recording leaves all as it is."""
    stm = "t1 1 s 0 4 one two\nt1 1 s 5 9 three four\nt2 1 s 0 3 five\n"
    said = [("t1", 0.1, "one"), ("t1", 4.2, "too"), ("t1", 8.8, "four"), ("t1", 5.5, "three"), ("t2", 1.0, "five")]
    ctm = "".join(f"{rec} 1 {start} 0.4 {word} 0.9\n" for rec, start, word in said)
    found = intake({"ref.stm": stm, "hyp.ctm": ctm})
    (hyp,) = [item for item in found.items if item.role == "system"]
    assert dict(zip(hyp.keys, hyp.segments, strict=True)) == {
        "t1 1 0": "one too", "t1 1 5": "three four", "t2 1 0": "five",
    }  # fmt: skip
    other = intake({"ref.stm": stm, "hyp.ctm": ctm + "t3 1 0.5 0.2 six\n"})
    assert [len(item.segments) for item in other.items if item.role == "system"] == [3]


def test_errors_that_sclite_puts_in_capitals() -> None:
    """Two outputs mark other words, and their references are the same."""

    def dump(words: str, said: str) -> str:
        parts = [
            f"id: (s1-{k:03})\nScores: (#C #S #D #I) 2 1 0 0\nREF:  {words}\nHYP:  {said}\nEval: \n\n" for k in range(4)
        ]
        return "\t\tDUMP OF SYSTEM ALIGNMENT STRUCTURE\n\n" + "".join(parts)

    files = {"a.pra": dump("the CAT sat", "the BAT sat"), "b.pra": dump("the cat SAT", "the cat ***")}
    loaded = collected(files).loaded()
    assert loaded.testset is not None
    assert loaded.testset.references == (("the cat sat",) * 4,)
    assert loaded.texts == Texts("speech")
    assert {o.system: o.segments[0] for o in loaded.outputs} == {"a": "the bat sat", "b": "the cat"}


def test_a_report_of_sclite_by_sentence() -> None:
    """Its counts of words (`Ref. words = 3`) are no words of the sentence, and errors in capitals are the same words."""

    def report(words: str, said: str) -> str:
        counts = "Errors                =   33.3%    1   (  1)\n\nRef. words            =           3   (  3)\nHyp. words            =           3   (  3)\n"
        part = f"id: (s1-{{}})\nScores: (#C #S #D #I) 2 1 0 0\nREF:  {words}\nHYP:  {said}\nEval: \n\n{counts}\n"
        title = "=" * 40 + "\n\n            SENTENCE LEVEL REPORT FOR THE SYSTEM:\n    Name: x.txt\n\n\nSPEAKER s1\n"
        return title + "".join(part.format(k) for k in range(4))

    files = {"a.snt": report("the CAT sat", "the BAT sat"), "b.snt": report("the cat SAT", "the cat ***")}
    loaded = collected(files).loaded()
    assert loaded.testset is not None
    assert loaded.testset.references == (("the cat sat",) * 4,)
    assert {o.system: o.segments for o in loaded.outputs} == {
        "a.snt": ("the bat sat",) * 4,
        "b.snt": ("the cat",) * 4,
    }


# Ratings in wide form.


def rated(text: str) -> Intake:
    return read_ratings([("ratings.csv", text.encode())])


def test_a_column_for_each_system_and_criterion() -> None:
    rows: list[list[object]] = [["ID", "Annotator", "A: Adequacy", "A: Fluency", "B: Adequacy", "B: Fluency"]]
    rows += [[k, j, k % 5, 1, k % 3, 2] for k in range(N) for j in ("x", "y")]
    (found,) = rated(csv(rows)).judgments
    own = (found.system == "B") & (found.dimension == "adequacy") & (found.judge == "y")
    assert found.score[own].tolist() == [k % 3 for k in range(N)]
    assert found.dimensions == ("adequacy", "fluency")


def test_criteria_of_one_system_are_no_systems() -> None:
    rows: list[list[object]] = [["Evaluator", "Prompt", "Safety (1-5)", "Clarity (1-5)"]]
    rows += [[f"e{k}", f"asked {k}", k % 5, k % 3] for k in range(N)]
    found = rated(csv(rows))
    assert found.judgments == ()
    assert found.problems


def test_criteria_before_systems_and_ids_by_their_form() -> None:
    """correct is no known criterion, but stands beside one with each system."""
    rows: list[list[object]] = [["eval_id", "fluency_A", "correct_A", "fluency_B", "correct_B"]]
    rows += [[f"E{k}", k % 5, 1, k % 3, 2] for k in range(N)]
    (found,) = rated(csv(rows)).judgments
    assert found.dimensions == ("fluency", "correct")
    own = (found.system == "B") & (found.dimension == "fluency")
    assert found.score[own].tolist() == [k % 3 for k in range(N)]


def test_ranks_count_with_a_minus() -> None:
    rows: list[list[object]] = [["annotator", "item_id", "A", "B", "C"], *(["w", k, 1, 3, 2] for k in range(N))]
    found = rated(csv(rows))
    assert dict(zip(found.judgments[0].system.tolist(), found.judgments[0].score.tolist(), strict=False)) == {
        "A": -1.0, "B": -3.0, "C": -2.0,
    }  # fmt: skip
    assert any("1 the best" in notice.message for notice in found.notices)
    ties = csv([*rows[:-1], ["w", N, 1, 1, 2]])
    assert rated(ties).judgments[0].score.max() == 3


def test_a_form_has_a_column_for_each_sentence_and_system() -> None:
    cells = [(f"Sentence {k}", f"System {s}") for k in range(1, 5) for s in "XY"]
    rows: list[list[object]] = [["Timestamp", "Your name", *(f"{a} - {b} [How good is it?]" for a, b in cells)]]
    rows += [["2024", f"rater{j}", *range(j, j + 8)] for j in range(3)]
    (found,) = rated(csv(rows)).judgments
    assert {*found.system.tolist()} == {"System X", "System Y"}
    own = (found.system == "System Y") & (found.segment == "Sentence 2")
    assert found.score[own].tolist() == [3, 4, 5]


def test_a_scale_in_a_heading_changes_nothing() -> None:
    rows: list[list[object]] = [["Rater", "Item", "System", "Adequacy (1-5)"]]
    rows += [["r", k, s, 3] for k in range(N) for s in "AB"]
    (found,) = rated(csv(rows)).judgments
    assert found.dimensions == ("adequacy",)


@pytest.mark.parametrize(("questions", "kind"), [(True, "answers"), (False, "")])
def test_answers_to_the_questions_of_paragraphs_are_answers_of_any_length(questions: bool, kind: str) -> None:
    """A test set in the layout of SQuAD has answers, also of many words; references in plain records may be translations."""
    draw = random.Random(4)
    right = [" ".join(draw.sample("abcdefghijkl", 6)) + f" w{k}" for k in range(N)]
    asked = [
        {"id": f"q{k}", "question": "?", "answers": [{"text": text, "answer_start": 0}]} for k, text in enumerate(right)
    ]
    gold = {"data": [{"title": "T", "paragraphs": [{"context": "c", "qas": asked}]}]}
    plain = [{"id": f"q{k}", "reference": text} for k, text in enumerate(right)]
    files = {
        f"{name}.json": json.dumps({f"q{k}": text[cut:] for k, text in enumerate(right)})
        for name, cut in (("a", 2), ("b", 4))
    }
    loaded = collected({"gold.json": json.dumps(gold if questions else plain), **files}).loaded()
    assert [outputs.system for outputs in loaded.outputs] == ["a", "b"]
    assert loaded.texts.kind == kind


HEADED = ("question_id", "id", "prompt_id", "doc", "doc_id", "docid", "doc_name", "document")


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("heading", HEADED)
def test_runs_are_drawn_with_their_question_under_any_heading(heading: str, wide: bool) -> None:
    """The same answers five times are no more evidence than once, also where a heading says that the questions are documents."""
    draw = random.Random(2)
    right = {system: [draw.randint(0, 1) for _ in range(N)] for system in "AB"}
    if wide:
        rows = [
            f"{heading},seed,A,B",
            *(f"q{k},{run},{right['A'][k]},{right['B'][k]}" for run in range(5) for k in range(N)),
        ]
    else:
        cells = (f"{s},q{k},{run},{right[s][k]}" for run in range(5) for s in "AB" for k in range(N))
        rows = [f"model,{heading},rep,correct", *cells]
    loaded = collected({"runs.csv": "\n".join(rows) + "\n"}).loaded()
    assert loaded.testset is not None
    assert loaded.testset.n == 5 * N
    assert len(set(loaded.testset.documents)) == N
    assert len(set(zip(loaded.testset.documents, loaded.ids, strict=True))) == 5 * N


def test_runs_of_questions_in_documents_are_drawn_with_their_document() -> None:
    """Where another column names documents, these are drawn, with all questions and runs in them."""
    rows = [f"{s},q{k},d{k // 3},{run},{(k * run) % 5}" for s in "AB" for k in range(N) for run in range(3)]
    loaded = collected({"runs.csv": "model,question_id,doc_id,run,score\n" + "\n".join(rows) + "\n"}).loaded()
    assert loaded.testset is not None
    assert set(loaded.testset.documents) == {f"d{k // 3}" for k in range(N)}


@pytest.mark.parametrize(
    ("head", "read"),
    [
        ("item,7,13,70", ("7", "13", "70")),
        ("question,2019,2020,2021", ("2019", "2020", "2021")),
        ("item,1,0,1", None),  # answers
        ("item,0,13,70", None),  # one of them may be an answer
        ("item,7,7,70", None),
        ("q0,7,13,70", None),  # nothing says that the first row has headings
    ],
)
def test_numbers_beyond_all_below_are_headings(head: str, read: tuple[str, ...] | None) -> None:
    """Sizes and years above right and wrong answers are names of systems, below a word that names the rows."""
    draw = random.Random(1)
    rows = [f"q{k + 1},{','.join(str(draw.randint(0, 1)) for _ in range(3))}" for k in range(N)]
    found = [item for item in collected({"sizes.csv": "\n".join([head, *rows]) + "\n"}).items if item.role == "system"]
    named = tuple(item.name for item in found)
    assert (named == read) if read else not {"7", "13", "70"} & {*named}
    assert {len(item.segments) for item in found} <= {N if read else N + 1}
