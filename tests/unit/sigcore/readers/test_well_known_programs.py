"""Layouts of programs that many people use, and which were read as text, refused without advice, or compared by mistake."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import pytest

from sigcore import metrics, readers
from sigcore.data import Collection
from sigcore.readers.tables import boards, campaigns, entries, passages, trec
from sigcore.readers.tables.table import Table
from tests.oracles import of_edits
from tests.unit.sigcore.readers.test_files_together import collected, lines, means, several

N = 24


def refused(name: str, text: str) -> str:
    (problem,) = readers.read([(name, text.encode())]).problems
    return str(problem)


REPORTS = {
    "rouge": "".join(f"1 ROUGE-{k} Average_{x}: 0.4 (95%-conf.int. 0.3 - 0.5)\n" for k in "12L" for x in "RPF"),
    "multi-bleu": "BLEU = 27.30, 58.1/33.0/20.9/13.9 (BP=1.000, ratio=1.01, hyp_len=620, ref_len=610)\n",
    "at the end": "2022-01-01 | INFO | loading\n" * 20 + "x BLEU4 = 27.30, 58.1/33.0/20.9/13.9 (BP=1.0, ratio=1.0)\n",
    "MultEval": "Metric     System     Avg   s_sel  s_Test  p-value\nBLEU ^     baseline   18.5  0.3    0.1     -\n",
    "Spider": "           easy     medium    hard   extra   all\ncount      250      440       174    170     1034\n",
    "Smatch": "Smatch -> P: 0.83, R: 0.81, F: 0.82\nUnlabeled -> P: 0.86, R: 0.84, F: 0.85\n",
    "BLiMP": "TEMPERATURE: 1.00\n\n### AVERAGE ACCURACY\n75.2\n",
    "e2e-metrics": "Running the evaluator...\ntokenization...\n" * 9
    + "SCORES:\n=====\nBLEU: 0.69\nNIST: 8.08\nMETEOR: 0.47\n",
    "two numbers": "chrF2 55.1\nBLEU 30.2\n",
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_no_output_of_a_system(name: str) -> None:
    """It was read as text, and a reference was asked for."""
    told = refused("out.txt", REPORTS[name])
    assert "looks like" in told
    assert "tests need" in told.lower()


@pytest.mark.parametrize(
    "text",
    [
        "It rains.\n" * 20 + "Recall: 3\nAccuracy: 4\n",
        "The score was 3 to 1 in the end.\n" * 5,
        "5 of 7 are 8 and 9\n" * 3,
        "bleu skies\n" * 3,
    ],
)
def test_a_text_with_numbers_or_a_measure_alone_is_no_report(text: str) -> None:
    found = readers.read([("out.txt", text.encode())])
    assert not found.problems
    assert found.items[0].kind == "text"


TRAININGS = {
    "Sockeye": ("metrics", "".join(f"{k}\tbleu-val=0.{k}\tperplexity-val={22 - k}.5\n" for k in range(1, 9))),
    "Joey NMT": (
        "validations.txt",
        "".join(f"Steps: {k}000\tLoss: 9{k}.1\tPPL: 9.{k}\tbleu: 2{k}.5\n" for k in range(1, 9)),
    ),
    "Marian": (
        "valid.log",
        "".join(
            f"[2020-01-01 10:00:0{k}] [valid] Ep. {k} : Up. {k}000 : bleu : 2{k}.5 : new best\n" for k in range(1, 9)
        ),
    ),
    "OpenNMT": ("train.log", "".join(f"Step {k}00/1000; acc: 5{k}.1; ppl: 9{k}.2; xent: 4.{k}\n" for k in range(1, 9))),
}


@pytest.mark.parametrize("name", TRAININGS)
def test_a_log_of_a_training_is_refused_as_one(name: str) -> None:
    """Marian's epochs and scores were offered as two systems."""
    file, text = TRAININGS[name]
    assert "training" in refused(file, text), refused(file, text)


# Programs.


def test_mmlu_has_the_model_in_a_heading_and_the_subject_in_the_name() -> None:
    """The choices of the questions, below 1 to 4, were rivals of the model."""

    def table(model: str, right: Iterable[bool]) -> str:
        head = f",0,1,2,3,4,5,{model}_correct,{model}_choiceA_probs,{model}_choiceB_probs\n"
        return head + "".join(f"{k},Which {k}?,1,{k % 7},3,4,A,{one},0.{k},0.1\n" for k, one in enumerate(right))

    found = several({
        "results_x/anatomy.csv": table("x", [k % 3 > 0 for k in range(N)]),
        "results_y/anatomy_test.csv": table("y", [k % 2 > 0 for k in range(N)]),
    })  # fmt: skip
    assert means(found) == {"x": pytest.approx(2 / 3), "y": pytest.approx(1 / 2)}
    assert {(item.testset, item.measure) for item in found.items} == {("anatomy", "accuracy")}


def test_graded_answers_of_math_are_scores() -> None:
    """It was asked whether the predicted numbers were scores, beside the scores."""

    def rows(right: int) -> bytes:
        return lines([
            {"idx": k, "question": f"q{k}?", "gt_cot": "x", "gt": str(k), "pred": [str(k * k)], "score": [k % right > 0], "code": ["a"]}
            for k in range(N)
        ])  # fmt: skip

    assert means(several({"m1/gsm8k/test.jsonl": rows(2), "m2/gsm8k/test.jsonl": rows(3)})) == {
        "m1": pytest.approx(1 / 2),
        "m2": pytest.approx(2 / 3),
    }


def test_captions_have_a_measure_for_each_metric() -> None:
    """The parts of SPICE were asked about as rivals."""
    own = [
        {"image_id": k, "Bleu_4": k / 50, "CIDEr": k / 9, "SPICE": {"All": {"f": k / 99, "pr": 0.1, "re": 0.3}}}
        for k in range(N)
    ]
    found = several({f"{s}_evalImgs.json": json.dumps(own) for s in "ab"})
    assert not found.problems
    assert {item.measure for item in found.items} == {"Bleu_4", "CIDEr", "SPICE.All.f"}


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ({"instance_id": "a-{k}", "model_patch": "diff {k}", "model_name_or_path": "m"}, "patches of SWE-bench"),
        ({"task_id": "HumanEval/{k}", "completion": "  return {k}"}, "HumanEval"),
    ],
)
def test_outputs_that_nobody_ran_are_refused_by_name(record: dict[str, str], told: str) -> None:
    text = "".join(json.dumps({key: one.format(k=k) for key, one in record.items()}) + "\n" for k in range(N))
    assert told in refused("a.jsonl", text)


def test_programs_without_results_are_no_records() -> None:
    assert "nothing says how good they are" in refused(
        "generations.json", json.dumps([[f"return {k}"] for k in range(N)])
    )


def test_marked_parts_of_pictures_are_no_labels_of_a_system() -> None:
    """Label Studio: one annotator's rectangles were the output of a system without a reference."""

    def task(k: int, kind: str) -> dict[str, object]:
        result = [{"from_name": "label", "type": kind, "value": {kind: ["open"], "x": 1.0}}]
        return {"id": k, "annotations": [{"completed_by": 1, "result": result}], "data": {"image": f"{k}.jpg"}}

    assert "marked" in refused("a.json", json.dumps([task(k, "rectanglelabels") for k in range(N)]))
    mixed = [task(k, "rectanglelabels" if k else "choices") for k in range(N)]
    assert not any("marked" in str(one) for one in readers.read([("a.json", json.dumps(mixed).encode())]).problems)


def test_marked_pictures_beside_other_records_are_no_export() -> None:
    task = {"id": 1, "annotations": [{"result": [{"type": "rectanglelabels"}]}], "data": {}}
    assert campaigns.marks_regions([task])
    assert not campaigns.marks_regions([task, {"id": 2}])
    assert not campaigns.marks_regions([])


@pytest.mark.parametrize("head", ["split,Overall,math,art", "split,aAcc,fAcc,qAcc"])
def test_accuracies_of_one_model_are_no_rivals(head: str) -> None:
    """VLMEvalKit: the three accuracies were offered as systems."""
    assert "VLMEvalKit" in refused(
        "m_score.csv", head + "\n" + "".join(f"s{k},0.{k}1,0.{k}2,0.{k}3\n" for k in range(1, 9))
    )


def test_ways_of_decoding_are_no_segments() -> None:
    """Two recognisers were compared over the settings of their beams, with exit code 0."""
    text = "settings\tWER\n" + "".join(f"beam_{k}\t{2 + k / 10}\n" for k in range(N))
    assert "icefall" in refused("wer-summary-test.txt", text)


def test_programs_of_a_problem_pass_as_a_share() -> None:
    """MultiPL-E writes a file for each problem, with all programs of it: these fields were asked about."""

    def problem(k: int, codes: Sequence[int]) -> str:
        runs = [{"program": "p", "timestamp": 1, "exit_code": code, "status": "OK"} for code in codes]
        return json.dumps({"name": f"HumanEval_{k}", "language": "lua", "prompt": "x", "tests": "y", "results": runs})

    files = {
        f"{s}/HumanEval_{k}.results.json": problem(k, (k % n, 0, 1, 1))
        for s, n in (("a", 2), ("b", 3))
        for k in range(12)
    }
    expected = {s: sum((2 if k % n == 0 else 1) / 4 for k in range(12)) / 12 for s, n in (("a", 2), ("b", 3))}
    assert means(several(files)) == {s: pytest.approx(one) for s, one in expected.items()}


def test_ranks_may_have_scores_behind_them() -> None:
    """ColBERT: the ids of the documents were offered as a system."""
    runs = {
        f"{s}.tsv": "".join(f"{q}\td{q * 9 + (k + i) % 5}\t{k + 1}\t{30 - k / 2}\n" for q in range(9) for k in range(5))
        for i, s in enumerate("ab")
    }
    qrels = "".join(f"{q} 0 d{q * 9 + 1} 1\n" for q in range(9))
    found = several({**runs, "qrels.txt": qrels})
    assert not found.problems
    own = {item.name: item.segments[0].split("\n")[:2] for item in found.items if item.role == "system"}
    assert own == {"a": ["d0", "d1"], "b": ["d1", "d2"]}


@pytest.mark.parametrize(
    ("line", "runs"),
    [("1\t7\t2\t0.5\n", False), ("1\t7\t1\tx\n", False), ("1\t7\t1\t0.5\t1\n", False), ("1\t7\t1\t-0.5\n", True)],
)
def test_the_next_rank_follows_the_last(line: str, runs: bool) -> None:
    rest = "".join(f"2\t{k}\t{k}\t-{k}.5\n" for k in range(1, 9))
    kinds = {item.kind for item in readers.read([("a.tsv", (line + rest).encode())]).items}
    assert (kinds == {"rankings"}) == runs


def test_runs_and_judgments_may_be_objects() -> None:
    """BEIR, pytrec_eval and ranx: each was one object, and no record."""
    runs = {
        f"{s}.json": json.dumps({f"q{q}": {f"d{q * 9 + (k * n) % 7}": 9.5 - k for k in range(5)} for q in range(9)})
        for s, n in (("a", 1), ("b", 3))
    }
    qrels = json.dumps({f"q{q}": {f"d{q * 9 + k}": k % 3 for k in range(4)} for q in range(9)})
    found = several({**runs, "qrels.json": qrels})
    assert not found.problems
    own = {(item.name, item.role): item.segments[0].split("\n")[:2] for item in found.items}
    assert own == {
        ("a", "system"): ["d0", "d1"],
        ("b", "system"): ["d0", "d3"],
        ("qrels", "reference"): ["d2\t2", "d1\t1"],
    }


@pytest.mark.parametrize(
    "value",
    [
        {f"q{k}": {"map": k / 9, "ndcg": k / 7} for k in range(9)},
        {s: {f"q{k}": k / 9 for k in range(9)} for s in "ab"},
        {f"q{k}": {f"d{k}": "1"} for k in range(9)},
        {f"q{k}": {f"d{k}": 1.5, f"e{k}": True} for k in range(9)},
        {"q": {"d1": 1.5}},
        {f"q{k}": {f"d{k}": 1.5} if k else {} for k in range(9)},
    ],
)
def test_measures_of_queries_and_scores_of_systems_are_no_runs(value: dict[str, object]) -> None:
    assert not trec.in_json(json.dumps(value))


def test_translations_of_speech_are_no_transcripts() -> None:
    """SimulEval names the recording of each sentence: WER was shown."""

    def rows(n: int) -> bytes:
        return lines([
            {"index": k, "prediction": f"It is {k + (k % n == 0)} today, he said.", "reference": f"It is {k} today, he said.",
             "source": f"{k}.wav", "delays": [1, 2], "prediction_length": 6, "source_length": 3000}
            for k in range(N)
        ])  # fmt: skip

    loaded = collected({"a/instances.log": rows(2), "b/instances.log": rows(3)}).loaded()
    assert metrics.usual("text", loaded.texts.kind) == "bleu"


@pytest.mark.parametrize("said", ["So the answer is {}.", "It is not True.\nThe answer is: {}", "{}"])
def test_a_label_may_stand_behind_the_answer_is(said: str) -> None:
    """BIG-Bench Hard: no answer was a label."""
    own = {
        f"{s}.jsonl": lines([
            {"input": f"q{k}?", "target": str(k % 2 == 0), "output": said.format(k % 2 == 0 or k % n == 0)} for k in range(N)
        ])
        for s, n in (("a", 3), ("b", 5))
    }  # fmt: skip
    loaded = collected(own).loaded()
    gold = loaded.testset.references[0] if loaded.testset else ()
    right = {one.system: sum(map(str.__eq__, one.segments, gold)) for one in loaded.outputs}
    assert right == {s: sum(k % 2 == 0 or k % n > 0 for k in range(N)) for s, n in (("a", 3), ("b", 5))}


@pytest.mark.parametrize(
    ("made", "right"),
    [
        (("x/pred.txt", "y/pred.txt"), "tgt-test.txt"),
        (("pred-a.tgt", "pred-b.tgt"), "test.tgt"),
        (("x/generated.txt", "y/generated.txt"), "target.txt"),
        (("x/en-ud-test.pred.conllu", "y/en-ud-test.pred.conllu"), "en-ud-test.conllu"),
    ],
)
def test_the_target_is_named_as_the_reference(made: Sequence[str], right: str) -> None:
    """The one that has least in common with the others came first."""

    def text(n: int) -> str:
        if right.endswith("conllu"):
            return "".join(f"1\tw{k}\t_\tX\t_\t_\t0\troot\t_\t_\n\n" for k in range(9))
        return "".join(f"the old house {k * n} stood there\n" for k in range(9))

    collection = collected({**{name: text(n) for n, name in enumerate(made)}, right: text(7)})
    errors = [one for one in collection.loaded().findings if one.severity == "error"]
    assert errors[0].fix.endswith(f"--reference {right}.")


def test_estimates_of_quality_are_asked_about() -> None:
    """The mean of what a method estimates was compared as a score of the method."""
    named: dict[str, bytes | str] = {
        f"{s}/predictions.txt": "".join(f"en-de\t{s}\t{k}\t{k / 9 - 0.5}\n" for k in range(N)) for s in ("one", "two")
    }
    (problem, _) = several(named).problems
    assert "says nothing of the method" in str(problem)
    found = several(named, columns="column 2=system\ncolumn 3=question\ncolumn 4=score")
    assert not found.problems
    assert {item.name for item in found.items} == {"one", "two"}


FORM = "Timestamp,Your name," + ",".join(f'"{k}. How fluent? [{{}} {x}]"' for k in range(1, 5) for x in "AB") + "\n"


def form(word: str, time: str = "Timestamp") -> bytes:
    rows = "".join(
        f"2023/05/01 10:0{p},p{p}," + ",".join(str(1 + (p + k * n) % 5) for k in range(4) for n in (1, 2)) + "\n"
        for p in range(6)
    )
    return (FORM.format(*[word] * 8).replace("Timestamp", time) + rows).encode()


def test_a_form_with_each_question_on_each_system_holds_ratings() -> None:
    """The questions were offered as measures, and the people as segments."""
    found = several({"answers.csv": form("System")})
    assert not found.problems
    (judged,) = found.judgments
    assert (set(judged.system), len(set(judged.segment))) == ({"System A", "System B"}, 4)


def test_two_questions_may_be_criteria() -> None:
    head = "Timestamp," + ",".join(f"{q} [System {x}]" for q in ("Fluency?", "Meaning?") for x in "AB")
    text = head + "\n" + "".join(f"10:0{p},{1 + p % 5},2,3,{1 + p % 4}\n" for p in range(6))
    assert not several({"answers.csv": text}).judgments


@pytest.mark.parametrize(("word", "time"), [("Trait", "Timestamp"), ("System", "Name")])
def test_rows_of_a_form_that_are_no_systems_are_asked_about(word: str, time: str) -> None:
    found = several({"answers.csv": form(word, time)})
    assert found.problems
    assert not found.judgments


# Passages.


def passage(k: int, flags: Sequence[object]) -> dict[str, object]:
    return {
        "question": f"q{k}",
        "answers": ["x"],
        "ctxs": [{"id": "1", "text": "t", "has_answer": one} for one in flags],
    }


def test_passages_count_by_their_first_with_the_answer() -> None:
    own: list[object] = [
        passage(0, [False, True, False, False, False, True]),
        passage(1, [True] * 5),
        passage(2, ["false"] * 7),
    ]
    assert passages.found(own) == [
        {"question": "q0", "hit@1": 0, "hit@5": 1, "MRR": 0.5},
        {"question": "q1", "hit@1": 1, "hit@5": 1, "MRR": 1.0},
        {"question": "q2", "hit@1": 0, "hit@5": 0, "MRR": 0.0},
    ]


@pytest.mark.parametrize(
    "record",
    [
        {"ctxs": []},
        {**passage(1, [True]), "prediction": "x"},
        {"question": "q", "ctxs": [{"id": 1}]},
        {"question": "q", "ctxs": [{"has_answer": True}, {"id": 1}]},
        3,
        {"question": "q", "ctxs": [1]},
    ],
)
def test_other_records_are_no_passages(record: object) -> None:
    assert passages.found([passage(0, [True]), record]) == []


# Corrections of grammar.


SENTENCES = ["He go home .", "I has dogs .", "All is well .", "They was late ."]
GOLD = [[(1, 2, "goes")], [(1, 2, "have")], [], [(1, 2, "were"), (2, 3, "late today")]]
MADE = {
    "a": [[(1, 2, "goes")], [], [(1, 2, "was")], [(1, 2, "were")]],
    "b": [[(1, 2, "went")], [(1, 2, "have")], [], []],
}
Edit = tuple[int, int, str]


def m2(edits: Sequence[Sequence[Edit]], second: Sequence[Sequence[Edit]] | None = None) -> str:
    def block(k: int) -> str:
        text = f"S {SENTENCES[k]}\n"
        for who, own in enumerate((edits, second) if second is not None else (edits,)):
            text += "".join(f"A {a} {b}|||R:X|||{word}|||REQUIRED|||-NONE-|||{who}\n" for a, b, word in own[k])
            text += "" if own[k] else f"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{who}\n"
        return text

    return "\n".join(map(block, range(len(SENTENCES))))


def counts(collection: Collection) -> dict[str, list[tuple[int, ...]]]:
    own = [item for item in collection.edited() if item.role == "system"]
    return {
        item.name: [tuple(int(part.partition("=")[2]) for part in text.split()) for text in item.segments]
        for item in own
    }


def test_edits_are_counted_for_each_sentence() -> None:
    files = {"gold.m2": m2(GOLD), **{f"{s}.m2": m2(own) for s, own in MADE.items()}}
    expected = {
        s: [of_edits.counts(one, [gold]) for one, gold in zip(own, GOLD, strict=True)] for s, own in MADE.items()
    }
    assert counts(collected(files)) == expected


def test_of_several_annotators_the_nearest_counts() -> None:
    other: list[list[Edit]] = [[], [], [(1, 2, "was")], [(1, 2, "were")]]
    files = {"gold.m2": m2(GOLD, other), **{f"{s}.m2": m2(own) for s, own in MADE.items()}}
    expected = {
        s: [of_edits.counts(one, gold) for one, *gold in zip(own, GOLD, other, strict=True)] for s, own in MADE.items()
    }
    assert counts(collected(files)) == expected


def test_precision_counts_twice_where_annotators_differ() -> None:
    """By F1 the other annotator would be nearer."""
    many: list[list[Edit]] = [[(k, k + 1, f"w{k}") for k in range(6)], [], [], []]
    one: list[list[Edit]] = [[(0, 1, "w0")], [], [], []]
    own: list[list[Edit]] = [[(0, 1, "w0"), (1, 2, "w1")], [], [], []]
    found = counts(collected({"gold.m2": m2(many, one), "a.m2": m2(own), "b.m2": m2(one)}))
    assert found["a"][0] == (2, 2, 6) == of_edits.counts(own[0], [many[0], one[0]])


def test_somebody_says_which_edits_are_right() -> None:
    files = [(f"{s}.m2", m2(own).encode()) for s, own in {**MADE, "c": GOLD}.items()]
    found = readers.read(files, roles=(("c.m2", "reference"),))
    assert not found.problems
    assert [item.name for item in found.items if item.role == "system"] == ["a", "b"]


@pytest.mark.parametrize("files", [("a.m2", "b.m2"), ("gold.m2", "reference.m2"), ("gold.m2",)])
def test_edits_without_one_right_file_are_refused(files: Sequence[str]) -> None:
    found = several({name: m2(GOLD) for name in files})
    assert "right edits" in str(found.problems[0])
    assert not found.items


def test_edits_of_other_sentences_are_not_compared() -> None:
    found = several({"gold.m2": m2(GOLD), "a.m2": m2(GOLD).replace("He go", "She go")})
    assert len(found.problems) == 2
    assert not found.items


def test_the_texts_of_doccano_may_be_data() -> None:
    """Spans of one annotator were an output of a system, as text."""
    own = [{"id": k, "data": f"Ann met Bob {k}.", "label": [[0, 3, "PER"], [8, 11, "PER"]]} for k in range(12)]
    (item,) = readers.read([("admin.jsonl", lines(own))]).items
    assert item.kind == "spans"


def test_one_system_with_judgments_of_pairs_is_sent_to_these() -> None:
    """AlpacaEval names a baseline in each record, and a baseline was asked for."""
    rows = [
        {
            "instruction": f"q{k}",
            "output_1": "a",
            "generator_1": "base",
            "output_2": "b",
            "generator_2": "new",
            "preference": 1 + k % 2,
        }
        for k in range(N)
    ]
    (fix,) = (
        one.fix
        for one in collected({"annotations.json": json.dumps(rows)}).loaded().findings
        if "one system" in one.what
    )
    assert "sigboard pairwise" in fix
    (alone,) = (
        one.fix
        for one in collected({"s.csv": "id,A\n" + "".join(f"q{k},0.{k}5\n" for k in range(9))}).loaded().findings
        if "one system" in one.what
    )
    assert alone == "Load a baseline."


# Rows that no column tells apart.


def test_a_batch_of_mechanical_turk_without_systems_is_refused() -> None:
    """ApprovalTime was offered as the systems."""
    head = "HITId,AssignmentId,WorkerId,WorkTimeInSeconds,ApprovalTime,Input.text,Answer.emotion.label\n"
    rows = [
        f"h{k // 2},a{k},w{k % 3},{30 + k},t{k % 4},tweet {k // 2},{'Anger' if k % 3 else 'Fear'}\n" for k in range(N)
    ]
    assert "Mechanical Turk" in refused("batch.csv", head + "".join(rows))
    named = several({"batch.csv": head.replace("Input.text", "Input.model") + "".join(rows)})
    assert not any("No column says" in str(one) for one in named.problems)


def test_one_score_for_each_file_of_a_model_is_no_segment() -> None:
    text = "".join(f"{44 - k / 10:.1f}\thttps://example.org/opus-{k}.zip\n" for k in range(9))
    assert "scores of whole systems" in refused("bleu-scores.txt", text)


def test_a_ranking_may_have_headings() -> None:
    """Documents were offered as questions."""
    text = "Query\tDocument_ID\tRank\tSimilarity\n" + "".join(
        f"q{q}\t00{q}{k}\t{k + 1}\t{22.5 - k}\n" for q in range(5) for k in range(9)
    )
    (item,) = readers.read([("ranking.tsv", text.encode())]).items
    assert (item.kind, len(item.segments)) == ("rankings", 5)


def test_prompts_with_other_examples_are_paired_by_their_last_question() -> None:
    """BIG-Bench Hard: the systems seemed to have been asked other questions."""

    def rows(examples: str, end: str, n: int) -> bytes:
        return lines([
            {"input": f"{examples}\n\nQ: is {k} even\nA:{end}", "prediction": str(k % 2 == 0 or k % n == 0), "target": str(k % 2 == 0)}
            for k in (range(N) if n == 3 else reversed(range(N)))
        ])  # fmt: skip

    files = {"a/t.jsonl": rows("Q: x\nA: True", "", 3), "b/t.jsonl": rows("Q: y\nA: z", " Let's think.", 5)}
    loaded = collected(files).loaded()
    assert not loaded.of("error")
    assert any("last question" in one.what for one in loaded.findings)
    gold = loaded.testset.references[0] if loaded.testset else ()
    right = {one.system: sum(map(str.__eq__, one.segments, gold)) for one in loaded.outputs}
    assert right == {s: sum(k % 2 == 0 or k % n > 0 for k in range(N)) for s, n in (("a", 3), ("b", 5))}


def test_prompts_with_other_questions_are_still_refused() -> None:
    def rows(word: str) -> bytes:
        return lines(
            [{"input": f"Do it.\n\nQ: is the {word} {k}\nA:", "prediction": "True", "target": "True"} for k in range(N)]
        )

    assert collected({"a/t.jsonl": rows("house"), "b/t.jsonl": rows("tree")}).loaded().of("error")


def test_outputs_of_a_source_without_a_system_are_refused() -> None:
    """Sixteen outputs of each source were segments of one system."""
    rows = [f"The old source sentence {k // 8},the right one {k // 8},output {k} of it,{1 + k % 5}" for k in range(N)]
    told = refused("sheet.csv", "\n".join(["source,reference,model_output,rating", *rows, ""]))
    assert "A source has up to 8 outputs" in told


def test_degrees_of_each_disturbance_are_no_segments() -> None:
    """The severity was the measure that was shown."""
    rows = [
        f"{kind},{degree},{20 + degree / 7:.2f},{30 + len(kind) + degree / 9:.2f}"
        for kind in ("cut", "noise", "swap")
        for degree in (10, 20, 30, 40)
    ]
    text = "\n".join(["type,severity,bleu4,meteor", "clean,0,29.06,51.95", *rows, ""])
    assert "another combination of type, severity" in refused("scores.csv", text)
    known = text.replace("type,", "question,", 1)
    assert "another combination" not in "".join(map(str, readers.read([("scores.csv", known.encode())]).problems))


def test_few_entries_beside_many_alike_are_kept() -> None:
    """Twelve of thirty-three test sets were lost without a word, those of pairs with fewer than five."""
    board = {
        pair: {f"set{k}": {"one": 20.5 + k, "two": 21.5 + k * len(pair)} for k in range(n)}
        for pair, n in (("cs-en", 9), ("en-af", 2), ("tr", 6))
    }
    own = entries.in_levels([*entries.inside(board)])
    assert {(one["key_1"], one["id"]) for one in own} == {(pair, name) for pair, part in board.items() for name in part}
    assert own == entries.in_levels([*entries.inside({**board, "about": {"x": {"date": 3, "host": 4}}})])


def test_a_row_of_averages_is_left_out_as_its_message_says() -> None:
    """The option only silenced the error, where the heading of the first column is no known one."""
    rows = [f"{k},title {k},0.2{k},0.3{k},0.4{k},0.5{k}" for k in range(1, 10)]
    text = "\n".join(
        ["Article_ID,Article_Title,One_R1,One_R2,Two_R1,Two_R2", *rows, "AVG_50_ARTICLES,Mean,0.9,0.9,0.9,0.9", ""]
    )
    assert "AVG_50_ARTICLES=missing" in str(several({"rouge.csv": text}).problems[0])
    found = several({"rouge.csv": text}, cells="AVG_50_ARTICLES=missing")
    assert not found.problems
    assert {len(item.segments) for item in found.items} == {9}


def leaderboard(raw: bool = True) -> str:
    """A row for each of eight models: facts in yes and no, a mean, and five tasks in percent, perhaps again from 0 to 1."""
    tasks, facts = ("IFEval", "BBH", "GPQA", "MUSR", "MMLU-PRO"), ("Hub", "MoE", "Flagged", "Merged", "Official")
    heads = [
        "Model",
        "Average",
        *facts,
        *(part for task in tasks for part in ([f"{task} Raw"] if raw else []) + [task]),
    ]
    rows = []
    for k in range(8):
        own = [20 + 3.25 * k + 1.5 * place * (-1) ** (k + place) for place in range(len(tasks))]
        cells = [part for one in own for part in ([f"{one / 90:.4f}"] if raw else []) + [f"{one:.2f}"]]
        rows.append([f"model-{k}", f"{sum(own) / 5:.3f}", *(str((k + i) % 3 == 0) for i in range(5)), *cells])
    return "\n".join(map(",".join, [heads, *rows, []]))


@pytest.mark.parametrize("raw", [True, False])
def test_facts_of_a_model_are_no_questions_of_a_leaderboard(raw: bool) -> None:
    """The command that was printed took five columns of True and False for the questions, and left out the tasks."""
    told = refused("board.csv", leaderboard(raw))
    assert "Do Hub, MoE, Flagged, Merged, Official say who was right?" in told
    assert "IFEval, BBH, GPQA, MUSR, MMLU-PRO are scores" in told
    found = several({"board.csv": leaderboard(raw)}, columns="rows=system")
    own = {item.name: [float(cell) for cell in item.segments] for item in found.items}
    assert own["model-3"] == [29.75 + 1.5 * k * (-1) ** (3 + k) for k in range(5)]
    assert not any("from 0 to 1" in str(one) for one in found.notices)


def test_words_for_right_and_wrong_of_each_system_may_be_facts() -> None:
    """A table of what each model can do was read as right and wrong answers, with exit code 0."""
    rows = [f"model-{k},{','.join(str((k * i) % 3 == 0) for i in range(1, 7))}" for k in range(6)]
    text = "\n".join(["Model,Open,Vision,Tools,Streaming,Merged,JSON", *rows, ""])
    assert "They may be facts of each Model" in refused("models.csv", text)
    assert len(several({"models.csv": text}, columns="rows=system").items) == 6
    named = text.replace("True", "pass").replace("False", "fail")
    assert len(several({"models.csv": named}).items) == 6
    numbered = "\n".join(["Model,q1,q2,q3,q4,q5,q6", *rows, ""])
    assert len(several({"models.csv": numbered}).items) == 6


def test_facts_are_asked_about_beside_one_number_or_words_for_right_and_wrong() -> None:
    """One fraction (7.5 billion parameters) is no board, and pass beside the scores of five tasks says nothing of these."""
    rows = [f"model-{k},{1.5 * k + 0.25},{','.join(str((k * i) % 3 == 0) for i in range(1, 7))}" for k in range(6)]
    text = "\n".join(["Model,Size,Open,Vision,Tools,Streaming,Merged,JSON", *rows, ""])
    found = several({"models.csv": text}, columns="rows=system")
    assert {len(item.segments) for item in found.items} == {6}
    board = leaderboard(raw=False).replace("True", "pass").replace("False", "fail")
    assert "say who was right? They may be facts" in refused("board.csv", board)


def test_columns_on_two_scales_are_not_offered_as_questions() -> None:
    """`rows=system` averaged a judge's 7.01 and an accuracy of 0.587."""
    rows = [f"model-{k},{6 + k / 7:.2f},{0.5 + k / 30:.3f}" for k in range(9)]
    text = "\n".join(["Model,MT-bench (score),MMLU", *rows, ""])
    assert "rows=system" not in refused("board.csv", text)
    (told,) = (one for one in several({"board.csv": text}, columns="rows=system").notices if "from 0 to 1" in str(one))
    assert "a mean of both says nothing" in str(told)
    assert "rows=system" in refused("board.csv", text.replace(",0.", ",5."))
    wide = leaderboard(raw=False).replace("IFEval", "Raw", 1)
    assert "rows=system" in refused("board.csv", wide)  # no other column is called so


def test_scores_on_one_scale_are_offered_as_questions() -> None:
    """Tasks from 0 to 1, and whole numbers beside right and wrong, are on no two scales."""
    tasks = ("IFEval", "BBH", "GPQA", "MUSR", "MMLU-PRO")
    rows = [f"model-{k}," + ",".join(f"{(k + i) / 20:.3f}" for i in range(5)) for k in range(8)]
    text = "\n".join([",".join(["Model", *tasks]), *rows, ""])
    assert "rows=system" in refused("board.csv", text)
    assert not any("from 0 to 1" in str(one) for one in several({"board.csv": text}, columns="rows=system").notices)
    whole = Table("t.csv", ["a", "b"], [[str(k % 2), str(5 + k)] for k in range(9)], [*range(9)])
    assert not boards.on_two_scales(whole, [0, 1])
    halves = Table("t.csv", ["a", "b"], [[str(k / 9), str(5 + k)] for k in range(9)], [*range(9)])
    assert boards.on_two_scales(halves, [0, 1])


# Answers by their ids.


def hotpot(back: bool, **more: object) -> bytes:
    answers = {f"5ae143ed55429920d52{k:05x}": f" Town {k + (k % 3 == 0) * back}. \n" for k in range(N)}
    return json.dumps({"answer": answers, "sp": {name: [["Title", 1]] for name in answers}, **more}).encode()


def test_answers_of_hotpotqa_are_read() -> None:
    """One object, not one record per segment, was said, and the questions alone were asked about."""
    gold = [
        {"_id": f"5ae143ed55429920d52{k:05x}", "answer": f"Town {k}", "question": f"Where is number {k}?", "type": "bridge",
         "level": "hard", "supporting_facts": [["Title", 1]], "context": [["Title", ["A sentence."]]]}
        for k in reversed(range(N))
    ]  # fmt: skip
    found = collected(
        {"a.json": hotpot(False), "b.json": hotpot(True), "gold.json": json.dumps(gold).encode()}
    ).loaded()
    assert found.testset is not None
    assert (found.testset.n, {one.system for one in found.outputs}) == (N, {"a", "b"})
    texts = {one.system: one.segments for one in found.outputs}
    assert sum(f"Town {N - 1 - k}" in cell for k, cell in enumerate(texts["a"])) == N
    assert sum(a != b for a, b in zip(texts["a"], texts["b"], strict=True)) == N / 3


def test_other_objects_are_no_answers_by_ids() -> None:
    answers: dict[str, object] = {f"q{k}": f"a{k}" for k in range(10)}
    assert len(entries.of_answers({"answer": answers, "sp": {}})) == 10
    assert entries.of_answers({"answer": answers, "notes": {}}) == []
    assert entries.of_answers({"answer": {**answers, "q0": 3}}) == []
    assert entries.of_answers({"answer": {f"q{k}": "a" for k in range(9)}}) == []
    assert entries.of_answers({"answer": answers, "sp": 3}) == []
    assert entries.of_answers({"answer": answers, "sp": {"other": []}}) == []
    assert entries.of_answers({"answer": "x"}) == []


def test_how_late_words_come_is_better_lower() -> None:
    """SimulEval: three of the four were asked about as systems, and a higher delay was better."""
    given = {
        f"{name}/metrics.tsv": "LAAL\tAL\tAP\tDAL\n"
        + "".join(f"{900 + 7 * k + 50 * i}\t{900 + k}\t0.4{k}\t{800 + k * i}\n" for k in range(9))
        for i, name in enumerate(("one", "two"))
    }
    found = collected(given).loaded()
    assert (found.measure, found.direction.better) == ("LAAL", "lower")
    assert {one.system for one in found.outputs} == {"one", "two"}


@pytest.mark.parametrize(
    ("form", "told"), [("SELECT count(*) FROM town WHERE size > {}", True), ("It is town {}", False)]
)
def test_queries_are_told(form: str, told: bool) -> None:
    """BLEU of queries was shown without a word on what they return."""
    lines_ = {"ref.txt": form, "a.txt": form + " and more", "b.txt": form + " or less"}
    given = {name: "".join(one.format(k) + "\n" for k in range(N)) for name, one in lines_.items()}
    assert any("are queries (SQL)" in str(one) for one in collected(given).loaded().findings) is told
    few = {name: "SELECT it FROM there\n" * 3 + "".join(f"It is {k}\n" for k in range(N)) for name in given}
    assert not any("are queries (SQL)" in str(one) for one in collected(dict(few)).loaded().findings)


# Summaries of OpenCompass.


def summary(models: Sequence[str], metric: str = "accuracy", other: str = "") -> str:
    rows = [f"mmlu-{k},9e23{k % 10},{other if other and k % 2 else metric},gen," for k in range(12)]
    cells = [",".join(f"{30 + k + 3 * i + (k % 3) * i}" for i in range(len(models))) for k in range(12)]
    means = f"mmlu,-,naive_average,gen,{','.join('90' for _ in models)}"
    return "\n".join(
        [
            ",".join(["dataset,version,metric,mode", *models]),
            *(a + b for a, b in zip(rows, cells, strict=True)),
            means,
            "",
        ]
    )


def test_each_model_of_a_summary_is_a_system_where_data_sets_are_questions() -> None:
    """The command that was printed asked again, about the mode, and then took each file for another measure."""
    given: dict[str, bytes | str] = {
        f"{name}/summary_20240325.csv": summary([f"opencompass.models.huggingface.HuggingFace_{name}-v0.2"])
        for name in ("a", "b")
    }
    assert all("dataset=question" in str(one) for one in several(given).problems)
    found = several(given, columns="dataset=question")
    assert not found.problems
    assert {(one.name, one.measure) for one in found.items} == {
        (f"HuggingFace_{name}-v0.2", "accuracy") for name in "ab"
    }
    assert {len(one.segments) for one in found.items} == {12}
    assert "1 row with averages of others was not used" in " ".join(map(str, found.notices))


def test_a_summary_of_several_models_and_metrics() -> None:
    found = several({"summary.csv": summary(["glm-4.1", "qwen"], other="em")}, columns="dataset=question")
    own = {one.name: one for one in found.items}
    assert {*own} == {"glm-4.1", "qwen"}
    assert {one.measure for one in found.items} == {"score"}
    assert own["qwen"].segments[:3] == ("33", "35", "37")
    more = several({"summary.csv": summary(["glm-4.1", "qwen"])}, columns="dataset=question\nqwen=ignored")
    assert "as stated: its" not in " ".join(map(str, more.notices))


def test_the_programs_of_livecodebench_are_known() -> None:
    """Which fields are scores had to be confirmed."""
    own = [
        {"question_title": f"{k}. Sort", "question_content": f"Sort {k} cards.", "platform": "codeforces",
         "question_id": f"18{k}_A", "contest_id": 1873, "contest_date": "2023-08-21T00:00:00", "difficulty": "easy",
         "output_list": [f"x {k}"], "code_list": [f"y {k}"], "graded_list": [k % 3 > 0], "pass@1": float(k % 3 > 0)}
        for k in range(N)
    ]  # fmt: skip
    other = [{**one, "pass@1": float(k % 2)} for k, one in enumerate(own)]
    found = several({f"{name}/eval_all.json": json.dumps(records) for name, records in (("a", own), ("b", other))})
    assert not found.problems
    assert means(found) == {"a": pytest.approx(2 / 3), "b": 0.5}


def test_each_instruction_that_was_followed_counts() -> None:
    """IFEval: lists of one were averaged, and others dropped, so half of the prompts were missing by this measure."""
    own = [
        {"prompt": f"Write {k}", "response": f"text {k}", "instruction_id_list": ["a:b"] * (1 + k % 3),
         "follow_all_instructions": k % 4 == 0, "follow_instruction_list": [k % 4 == 0] + [True] * (k % 3)}
        for k in range(N)
    ]  # fmt: skip
    found = read_two(own)
    shares = [float(cell) for cell in found["follow_instruction_list"]]
    assert shares == [pytest.approx(((k % 4 == 0) + k % 3) / (1 + k % 3)) for k in range(N)]


def read_two(records: list[dict[str, object]]) -> dict[str, tuple[str, ...]]:
    """The scores of the first of two systems by measure."""
    given = {f"{name}/eval_results_strict.jsonl": lines(records) for name in ("a", "b")}
    found = several(given, columns="prompt=question\nfollow_all_instructions=score\nfollow_instruction_list=score")
    return {one.measure: one.segments for one in found.items if one.name == "a"}


def test_many_answers_in_true_and_false_are_read_beside_other_numbers() -> None:
    """They were called facts beside a few shares or costs, and the command took these for the scores: 0.8368 for 0.9000."""
    heads = ["model", *(f"task_{word}" for word in "abcdefghijkl"), "easy", "medium", "hard", "python", "java"]
    rows = [
        [f"m{k}", *(str((i * k) % 3 > 0) for i in range(1, 13)), *(f"0.{k + i + 3}" for i in range(5))]
        for k in range(4)
    ]
    text = "\n".join(map(",".join, [heads, *rows, []]))
    assert {len(item.segments) for item in several({"t.csv": text}).items} == {12}
    assert {len(item.segments) for item in several({"t.csv": text}, columns="rows=system").items} == {12}
    asked = "\n".join(
        [
            "model,Is it so?,Was it?,Who was it?,Did it rain?,Is it far?",
            *(f"m{k},True,False,{k % 2 > 0},True,False" for k in range(4)),
            "",
        ]
    )
    assert {len(item.segments) for item in several({"t.csv": asked}).items} == {5}


def test_raw_recordings_are_no_twins() -> None:
    """Half of the recordings were left out, though their scores are others."""
    rows = [
        f"m{k}," + ",".join(f"0.{(7 * k + 3 * i) % 9 + 1},0.{(5 * k + 4 * i) % 9 + 1}" for i in range(5))
        for k in range(4)
    ]
    heads = "system," + ",".join(f"{place},{place} raw" for place in ("street", "cafe", "car", "bus", "home"))
    found = several({"t.csv": "\n".join([heads, *rows, ""])}, columns="rows=system")
    assert {len(item.segments) for item in found.items} == {10}
