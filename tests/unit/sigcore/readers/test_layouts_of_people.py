"""Tables as people and their programs leave them: raters of each output, labels, pairs, folders; right in one step or two."""

from __future__ import annotations

import json
import pickle
import random
from itertools import permutations
from statistics import fmean

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sigcore.data import Collection
from sigcore.readers import Choice, Intake, read
from sigcore.readers.tables import facing
from sigcore.readers.tables.headings import normalised
from tests.effort import at_most

N = 40
LABELS = ("yes", "no", "maybe")


def one(name: str, content: str | bytes, **options: object) -> Intake:
    data = content if isinstance(content, bytes) else content.encode()
    return read([(name, data)], every=Choice(options=options) if options else None)


def lines(*rows: str) -> str:
    return "\n".join(rows) + "\n"


def listened(raters: int = 5, pool: int = 30) -> tuple[str, dict[tuple[str, str], list[int]]]:
    """A listening test in which each output has its own listeners, and the ratings by system and utterance."""
    draw, rows, given = random.Random(3), list[str](), dict[tuple[str, str], list[int]]()
    for system in ("GT", "VITS"):
        for k in range(N):
            for listener in draw.sample(range(pool), raters):
                mos = draw.randint(1, 4) + (system == "GT")
                rows.append(f"L{listener},{system}/u{k}.wav,{system},u{k},{mos}")
                given.setdefault((system, f"u{k}"), []).append(mos)
    draw.shuffle(rows)
    return lines("listener,wav,system,utterance,mos", *rows), given


def test_listeners_of_each_output_are_averaged_in_its_question() -> None:
    """No two systems have the same listeners, so the question is the unit, and its score the mean of its ratings."""
    content, given = listened()
    intake = one("mos.csv", content)
    assert intake.problems == ()
    assert intake.items == one("mos.csv", content, run_field="listener").items
    found = {item.name: dict(zip(item.keys, map(float, item.segments), strict=True)) for item in intake.items}
    assert found.keys() == {"GT", "VITS"}
    assert found == {
        system: {u: fmean(ratings) for (who, u), ratings in given.items() if who == system} for system in found
    }
    assert any("5 rows of each question were averaged" in notice.message for notice in intake.notices)


def test_the_note_on_averaged_rows_says_how_many_at_least_and_at_most() -> None:
    """An output whose last rating is missing has one fewer: it has their mean, and the note names both numbers."""
    content, _ = listened()
    rest, _, last = content.rstrip().rpartition("\n")
    intake = one("mos.csv", f"{rest}\n", run_field="listener")
    assert any("its 4 to 5 rows of each question were averaged" in notice.message for notice in intake.notices)
    blank = one("mos.csv", f"{rest}\n{last.rpartition(',')[0]},\n", run_field="listener")
    assert [item.segments for item in blank.items] == [item.segments for item in intake.items]


def test_the_same_raters_of_every_system_stay_runs_of_a_question() -> None:
    """Where every system has all raters, nothing is averaged: a question is drawn with its ratings."""
    rows = [f"r{r},{s},q{k},{(k + r + len(s)) % 5}" for s in ("A", "BB") for k in range(N) for r in range(3)]
    intake = one("t.csv", lines("rater,model,question,mos", *rows), run_field="rater")
    assert intake.problems == ()
    assert {len(item.segments) for item in intake.items} == {3 * N}
    gaps = one("t.csv", lines("rater,model,question,mos", *rows[:-2]), run_field="rater")
    assert {len(item.segments) for item in gaps.items} == {3 * N}  # two missing ratings are missing, not averaged away


def test_ratings_of_documents_need_no_other_segments() -> None:
    """A batch of a platform for raters: what is rated is named by its document, and the output is not a source."""
    rows = [
        f"id{k},w{(k * 7 + s) % 11},{80 + k},doc-{k % N},{('one', 'two')[s]},text {k} of {s},{1 + (k + s) % 5}"
        for s in range(2)
        for k in range(3 * N)
    ]
    content = lines(
        "AssignmentId,WorkerId,WorkTimeInSeconds,Input.doc_id,Input.system,Input.summary,Answer.coherence", *rows
    )
    intake = one("batch.csv", content, run_field="WorkerId")
    assert intake.problems == ()
    scores = [item for item in intake.items if item.kind == "scores"]
    assert {(item.name, item.measure, len(item.segments)) for item in scores} == {
        (name, "Answer.coherence", N) for name in ("one", "two")
    }


def labelled(header: str = "premise,hypothesis,y_true,y_pred_a,y_pred_b") -> str:
    draw = random.Random(1)
    rows = []
    for k in range(N):
        gold = draw.choice(LABELS)
        guesses = [gold if draw.random() < share else draw.choice(LABELS) for share in (0.9, 0.5)]
        rows.append(f"a premise number {k},a hypothesis about {k},{gold},{','.join(guesses)}")
    return lines(header, *rows)


def test_predicted_labels_beside_the_right_ones_are_systems() -> None:
    """What was labelled is no output, although its heading is hypothesis, and the labels make accuracy the usual metric."""
    collection = Collection()
    collection.add([("nli.csv", labelled().encode())])
    ready = collection.sound()
    assert [outputs.system for outputs in ready.outputs] == ["y_pred_a", "y_pred_b"]
    assert len(ready.testset.references) == 1
    assert ready.texts.kind == "labels"
    assert any("Not used next to labels" in notice.message for notice in collection.notices)


@pytest.mark.parametrize("wrong", [0, 3, 30])
def test_labels_are_few_and_known(wrong: int) -> None:
    """Outputs with many strings that are no label are texts, and so are references of many words where one output has others."""
    gold = [LABELS[k % 3] for k in range(N)]
    own = [f"text {k}" if k < wrong else gold[k] for k in range(N)]
    collection = Collection()
    files = [("ref.txt", "\n".join(gold)), ("a.txt", "\n".join(own)), ("b.txt", "\n".join(gold[::-1]))]
    collection.add([(name, f"{text}\n".encode()) for name, text in files])
    assert (collection.loaded().texts.kind == "labels") == (wrong < 30)
    longer = Collection()
    longer.add([(name, text.replace("yes", "yes it is so").encode() + b"\n") for name, text in files])
    assert (longer.loaded().texts.kind == "labels") == (wrong == 0)


def test_systems_of_a_pair_may_be_named_in_the_middle_of_a_heading() -> None:
    """response_A_model against response_B_model; the order of the columns does not matter."""
    rows = [
        f"p{k // 2},j{k % 2},{('x', 'y')[k % 3 > 0]},{('y', 'x')[k % 3 > 0]},{('A', 'B', 'tie')[k % 3]}"
        for k in range(N)
    ]
    heads = ("response_A_model", "response_B_model")
    won = [("x", "y", 1.0), ("y", "x", 0.0), ("y", "x", 0.5)]
    for first, second in (heads, heads[::-1]):
        intake = one("p.csv", lines(f"prompt_id,annotator,{first},{second},preference", *rows))
        assert intake.problems == ()
        (found,) = intake.preferences
        swapped = first != heads[0]
        systems = list(zip(found.first.tolist(), found.second.tolist(), found.outcome.tolist(), strict=True))
        expected = [won[k % 3] if not swapped else (won[k % 3][1], won[k % 3][0], won[k % 3][2]) for k in range(N)]
        assert sorted(systems) == sorted(expected)


def test_the_folder_that_tells_files_apart_names_their_systems() -> None:
    """Kaldi writes the same folders below each experiment: the first folder that differs is the name."""
    files = {
        f"exp/{name}/decode/scoring/10.txt": "".join(f"u{k} word {(k + len(name)) % 3}\n" for k in range(12))
        for name in ("tri3b", "tdnn", "lstm1")
    }
    intake = read([(file, text.encode()) for file, text in files.items()])
    assert {item.name for item in intake.items} == {"tri3b", "tdnn", "lstm1"}
    assert not any("Another system" in notice.message for notice in intake.notices)


def test_right_and_wrong_answers_come_before_bleu_of_the_answers() -> None:
    """A table with the answer, the gold answer and whether it is right was made for the last of these."""
    rows = [f"{m},q{k},{k * 3},{k * 3 + (k % w == 0)},{k % w != 0}" for m, w in (("A", 3), ("B", 5)) for k in range(N)]
    collection = Collection()
    collection.add([("g.csv", lines("model,question_id,gold,answer,is_correct", *rows).encode())])
    assert (collection.kind, collection.measure) == ("scores", "is_correct")


def test_a_reference_makes_the_translation_of_a_log_the_output() -> None:
    """The score that a decoder writes beside its translation is not what a person with a reference asks for."""
    logs = {
        f"out.{name}.json": "".join(
            f'{{"sentence_id": {k}, "translation": "the {name} line {k}", "score": {k / 7}}}\n' for k in range(N)
        )
        for name in ("rnn", "base")
    }
    gold = "".join(f"the line {k}\n" for k in range(N))
    collection = Collection()
    collection.add([*((name, text.encode()) for name, text in logs.items()), ("ref.txt", gold.encode())])
    assert collection.kind == "text"
    assert [outputs.system for outputs in collection.sound().outputs] == ["out.rnn", "out.base"]
    alone = Collection()
    alone.add([(name, text.encode()) for name, text in logs.items()])
    assert alone.kind == "scores"


def test_lengths_beside_systems_are_left_out_by_the_plan() -> None:
    """The command that is printed does not make the length of a prompt a rival."""
    rows = [f"r{k},{40 + k % 9},{300 + k / 3},{280 + k / 7}" for k in range(N)]
    (problem,) = one("latency.csv", lines("request,prompt_chars,vllm,tgi", *rows)).problems
    assert "prompt_chars=ignored vllm=system tgi=system" in problem.fix


@pytest.mark.parametrize("protocol", range(2, 6))
def test_a_pickle_is_named_and_never_opened(protocol: int) -> None:
    """Every protocol since the second begins with its number."""
    (problem,) = one("scores.pkl", pickle.dumps({"a": [1.0]}, protocol)).problems
    assert "a pickle of Python" in problem.what
    assert "pandas.read_pickle" in problem.fix


def test_a_question_may_be_named_by_one_of_two_columns() -> None:
    """A comparison without its turn still has a question; one with neither has none."""
    rows = [f"q{k},{k % 2 or ''},x,y,{('A', 'B')[k % 2]}" for k in range(N)]
    head = "topic,turn,model_a,model_b,winner"
    text = lines(head, *(row.replace(",A", ",model_a").replace(",B", ",model_b") for row in rows))
    intake = one("p.csv", text, id_field="topic,turn")
    assert intake.problems == ()
    assert len(set(intake.preferences[0].question.tolist())) == N
    (problem,) = one("p.csv", text.replace("q0,", ",", 1), id_field="topic,turn").problems
    assert "names no question" in problem.what


def loaded(**files: str) -> Collection:
    collection = Collection()
    collection.add([(name.replace("__", "/"), text.encode()) for name, text in files.items()])
    return collection


def errors(collection: Collection) -> str:
    return " ".join(f"{one.what} {one.fix}" for one in collection.loaded().of("error"))


def test_ids_of_every_run_anew_are_matched_by_what_was_asked() -> None:
    """The answers of a run are in another order, under ids that only this run has: the sources pair them."""
    own = {"one": list(range(N)), "two": list(range(N))[::-1]}
    files = {
        f"{name}.jsonl": "".join(
            f'{{"id": "{name}{k * 7919:x}z", "input": "question {k}", "expected": "x", "output": "y", "scores": {{"Factuality": {k / N}}}}}\n'
            for k in order
        )
        for name, order in own.items()
    }
    collection = Collection()
    collection.add([(name, text.encode()) for name, text in files.items()])
    ready = collection.sound()
    assert collection.measure == "scores.Factuality"
    assert ready.outputs[0].segments == ready.outputs[1].segments
    assert any("matched by their source" in one.what for one in ready.findings)


@pytest.mark.parametrize("shared", [True, False])
def test_files_without_a_question_in_common_are_no_test_set(shared: bool) -> None:
    """q0 to q39 and q500 to q539 are other questions, not the same ones by place."""
    tables = {
        name: "id,accuracy\n" + "".join(f"q{first + k},{k % 2}\n" for k in range(N))
        for name, first in (("a", 0), ("b", 0 if shared else 500))
    }
    collection = Collection()
    collection.add([(f"{name}.csv", text.encode()) for name, text in tables.items()])
    assert ("no segment in common" in errors(collection)) != shared


def test_references_with_systems_of_their_own_names_are_several_test_sets() -> None:
    """refs/de.txt and nllb/de.txt belong together: three languages are not three references of six systems."""
    names = ("de", "es", "fr")
    text = {name: "".join(f"line {k} in {name}\n" for k in range(N)) for name in names}
    files = [(f"{folder}/{name}.txt", text[name].encode()) for folder in ("refs", "nllb", "m2m") for name in names]
    collection = Collection()
    collection.add(files)
    assert collection.choices.testsets == names
    assert {item.name for item in collection.items if item.role == "system"} == {"nllb", "m2m"}
    collection = Collection()
    collection.add([(file, data) for file, data in files if file.endswith("de.txt")])
    assert "test sets" not in errors(collection)


def test_turns_are_segments_of_their_dialogue() -> None:
    """Turn 3 of one dialogue is not turn 3 of another, and the dialogue is the document."""
    rows = [f"d{d},{t},{m},{(d + t + len(m)) % 5}" for m in ("A", "BB") for d in range(8) for t in range(1, 6)]
    ready = loaded(**{"t.csv": lines("dialog_id,turn,model,coherence", *rows)}).sound()
    assert ready.testset.n == 40
    assert len(set(ready.testset.documents)) == 8


def test_folds_are_offered_as_questions_and_runs_are_no_scores() -> None:
    """A row per model and fold: the plan asks about the fold, and its number is not one of the scores."""
    rows = [f"{m},{k},{k / 7 + len(m)}" for m in ("nb", "knn") for k in range(10)]
    (problem,) = one("cv.csv", lines("model,fold,test_accuracy", *rows)).problems
    assert "fold=question" in problem.fix
    seeds = [f"{m},q{k},7,{k / 50}" for m in ("A", "B") for k in range(N)]
    intake = one("r.csv", lines("model,question_id,epoch,score", *seeds))
    assert intake.problems == ()
    assert "epoch" not in {item.measure for item in intake.items}


def test_gold_labels_alone_are_the_reference_of_submissions() -> None:
    """index and gold_label; a column that is only called label may hold predictions."""
    labels = [LABELS[k % 3] for k in range(N)]
    gold = lines("index\tgold_label", *(f"{k}\t{label}" for k, label in enumerate(labels)))
    (item,) = one("MNLI-m.tsv", gold).items
    assert item.role == "reference"
    assert one("MNLI-m.tsv", gold.replace("gold_label", "label")).items[0].role == "system"


def test_objects_by_system_and_document_are_a_row_each() -> None:
    """{system: {document: {measure: number}}} names both, whichever is outside; records by key ask what the key names."""
    content = {name: {f"doc{k}": {"rouge1": k / N, "rouge2": k / 99} for k in range(N)} for name in ("lead", "brio")}
    turned = {f"doc{k}": {name: content[name][f"doc{k}"] for name in content} for k in range(N)}
    found = [one("s.json", json.dumps(each)).items for each in (content, turned)]
    for items in found:
        assert {(item.name, item.measure, len(item.segments)) for item in items} == {
            (name, measure, N) for name in content for measure in ("rouge1", "rouge2")
        }
    (problem,) = one(
        "k.json", json.dumps({f"ES{k}a": {"error_rate": k / N, "extra": {"a": k, "b": k % 7}} for k in range(N)})
    ).problems
    assert "key=" in problem.fix


def test_a_board_by_key_is_asked_about() -> None:
    """{model: {bleu: number, chrf: number}} of many models may look like records by id: nothing is computed unasked."""
    board = {f"model-{name}": {"bleu": 20 + k / 3, "chrf": 50 + k / 7} for k, name in enumerate("abcdefghijkl")}
    (problem,) = one("board.json", json.dumps(board)).problems
    assert "Does key name systems?" in problem.what


def test_letters_of_inspect_are_offered_as_numbers() -> None:
    """C and I below score_NAME are right and wrong, and what an answer costs is no score beside them."""
    rows = [f"{e},s{k},1,{'CI'[(k + len(e)) % 2]},{k / 3}" for e in ("x", "yy") for k in range(N)]
    (problem,) = one("samples.csv", lines("eval_id,id,epoch,score_includes,total_time", *rows)).problems
    assert "score_includes=score" in problem.fix
    assert "total_time=ignored" in problem.fix
    assert "--cells C=1 I=0" in problem.fix


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("a.xlf", '<?xml version="1.0"?>\n<xliff version="1.2">\n<trans-unit id="1"/>\n</xliff>\n', "marked-up"),
        ("a.jsonl", "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 3\n", "git lfs pull"),
        ("gold.conll", "#begin document (nw/1); part 000\nnw/1 0 0 a -\n#end document\n", "coreference"),
        ("a.log", "".join(f"SENT {k}: ['a']\nPRED {k}: b\nPRED SCORE: -1.2\n" for k in range(9)), "OpenNMT"),
        ("r.txt", "╒═══╕\n│ System │  BLEU (μ ± 95% CI)  │\n│ A │ 42.3 (42.1 ± 5.3) │\n", "report on a whole run"),
        (
            "p.csv",
            "x,[a] p,Status,Score,Named Scores,Grader Reason,Status,Score\n" + "1,2,PASS,1,{},ok,FAIL,0\n" * 3,
            "promptfoo",
        ),
    ],
)
def test_what_is_no_output_is_named(file: str, content: str, said: str) -> None:
    """Each of these was scored as text, or refused with another file in mind."""
    intake = one(file, content)
    assert intake.items == ()
    assert any(said in f"{one.what} {one.fix}" for one in intake.problems)


def test_queries_of_ir_measures_come_first() -> None:
    """Query, measure, value without a heading, with parameters in brackets; the means at the end are not used."""
    rows = [f"{q}\t{m}\t{q / 99}" for q in [*range(N), 50] for m in ("AP", "nDCG@10", "P(rel=2)@10")]
    rows = [row.replace("50\t", "all\t", 1) if row.startswith("50\t") else row for row in rows]
    assert {(item.measure, len(item.segments)) for item in one("bm25.txt", lines(*rows)).items} == {
        ("AP", N),
        ("nDCG@10", N),
        ("P(rel=2)@10", N),
    }


def _compared(headings: list[str]) -> tuple[str, str] | None:
    """Each heading with each: the slow way to two headings of systems that differ in a place alone."""
    cut = [(facing.PARTS.findall(one.lower()), normalised(one)) for one in headings]
    cut = [(parts, name) for parts, name in cut if set(facing.BEFORE) & set(parts)]
    for (one, first), (other, second) in permutations(cut, 2):
        apart = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
        if len(one) == len(other) and len(apart) == 1 and apart[0] in facing.PLACES:
            return first, second
    return None


@given(st.lists(st.lists(st.sampled_from(("model", "a", "b", "1", "2", "left", "right", "x")), max_size=4), max_size=7))
@example([["model", "a", "1"], ["model", "a", "2"], ["model", "b", "1"]])
def test_two_places_are_found_as_by_comparing_each_heading_with_each(headings: list[list[str]]) -> None:
    """The same pair, and the first one where there are several."""
    named = ["_".join(parts) for parts in headings]
    assert facing._by_words(named) == _compared(named)


def test_thousands_of_headings_are_not_compared_with_each_other() -> None:
    """3,000 systems have nine million pairs of headings."""
    headings = [f"system-{k:04d}" for k in range(3_000)]
    with at_most(200_000):
        assert facing._by_words(headings) is None
