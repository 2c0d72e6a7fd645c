"""Files without headings, pictures, answers in another order, ids of other data sets: what pairs their rows, and what is no output."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from sigcore.data import Collection
from sigcore.readers import Unclear, read
from sigcore.text.spans import MismatchError, check_text
from tests.unit.sigcore.readers.test_files_together import collected, lines, means, several

N = 24


def errors(collection: Collection) -> str:
    return " ".join(str(one) for one in collection.loaded().findings if one.severity == "error")


def warned(collection: Collection) -> str:
    return " ".join(str(one) for one in collection.loaded().findings if one.severity == "warning")


def bare(cells: Callable[[int, int], Sequence[object]]) -> dict[str, bytes | str]:
    """Two files without headings, of these cells in each row of each file."""
    return {
        f"{name}.txt": "".join("\t".join(map(str, cells(k, i))) + "\n" for k in range(N)) for i, name in enumerate("AB")
    }


# Files without headings.


def test_a_column_that_all_files_have_alike_names_the_questions() -> None:
    """9083 1.0: the column of ids was asked about as a rival, and no command was offered."""
    given = bare(lambda k, i: (9083 + 811 * k % 977, (k + i) % 4 / 4))
    first, _ = several(given).problems
    assert isinstance(first, Unclear)
    assert [said for _, said in first.ways] == ["'column 1=question' 'column 2=score'"]
    assert "does it name the questions?" in str(first)
    assert [one.role for one in first.claims] == ["question", "score"]
    found = several(given, columns="column 1=question\ncolumn 2=score")
    assert len({one.keys for one in found.items}) == 1
    assert [*means(found).values()] == [pytest.approx(sum((k + i) % 4 / 4 for k in range(N)) / N) for i in range(2)]


def test_what_differs_between_files_is_a_score_and_what_names_the_file_is_none() -> None:
    """OPUS-MT: the test set, two measures, the model, and sizes that all systems share."""
    given = bare(lambda k, i: ("eng-deu", f"flores101-{k}", 0.4 + k / 99 + i / 50, 20 + k + i, f"m{i}", 990 + k % 9))
    first = several(given).problems[0]
    assert isinstance(first, Unclear)
    assert [said for _, said in first.ways] == ["'column 2=question' 'column 3=score' 'column 4=score'"]


@pytest.mark.parametrize(
    "cells",
    [
        lambda k, i: (k % 7, k / 9 + i),  # ids that come again
        lambda k, i: (k + 99 * i, k / 9 + i),  # other ids in each file
        lambda k, i: (500 - k, f"word {k} of {i}"),  # no numbers
    ],
)
def test_nothing_else_is_offered_so(cells: Callable[[int, int], Sequence[object]]) -> None:
    problems = several(bare(cells)).problems
    assert not any("does it name the questions?" in str(one) for one in problems)


def test_another_whole_number_in_each_row_is_never_a_score() -> None:
    """The mean of ids, 4435.5, was offered where the last column was said to be right."""
    rows = [
        f"{8004 - 31 * k}\tThe source {k} is here\tDie Quelle {k} ist da\t{'NOT' if k % 3 else 'ERR'}" for k in range(N)
    ]
    (problem,) = several({"t.tsv": "\n".join([*rows, ""])}, columns="column 4=reference").problems
    assert "column 1=score" not in str(problem)
    assert isinstance(problem, Unclear)
    (known,) = [one for one in problem.claims if one.column == "column 1"]
    assert (known.role, known.reason) == ("question", "each row has another number")


# Whole test sets as questions.


def rated(names: Sequence[str]) -> dict[str, bytes | str]:
    rows = [f"{name},{20 + k},{21 + 2 * k}" for k, name in enumerate(names)]
    return {"scores.csv": "\n".join(["segment,One,Two", *rows, ""])}


@pytest.mark.parametrize(
    "names",
    [
        ["newstest2014", "newstest2015", "flores200-devtest", "tatoeba-test-v2021-08-07", "mine"],
        ["IFEval", "BBH", "GPQA", "MUSR", "MMLU-PRO"],
        ["en-de/wmt19", "en-cs/wmt19", "en-fi/wmt20", "de-en/wmt21", "de-en/wmt22"],
    ],
)
def test_names_of_test_sets_are_said(names: Sequence[str]) -> None:
    """27 test sets, some of the same texts, were 27 segments without a word."""
    told = warned(collected(rated(names)))
    assert f"Each segment is a whole test set by its name ({names[0]}, {names[1]}, {names[2]})" in told


@pytest.mark.parametrize(
    "names",
    [[f"newstest2014-{k}" for k in range(5)], ["race", "drop", "c", "d", "e", "f"], [f"drop_{k}" for k in range(9)]],
)
def test_names_of_segments_are_no_test_sets(names: Sequence[str]) -> None:
    assert "whole test set" not in warned(collected(rated(names)))


# Pictures and their captions.


def captioned(who: int, skip: int = -1, back: bool = False) -> bytes:
    """What a system says of each picture, beside five captions by people; one system says the same of all."""
    own = [
        {
            "split": "test",
            "image_name": f"val/{811 * k % 977}.jpg",
            "captions": [f"A person number {k} does thing {j} over there." for j in range(5)],
            "prediction": "A man is riding a board." if who else f"A person number {k} does a thing over there.",
        }
        for k in range(N)
        if k != skip
    ]
    return lines(own[::-1] if back else own)


def test_captions_are_references_and_pictures_pair_them() -> None:
    """The five captions were asked about as systems, and one output for all pictures was hardly an output."""
    found = collected({"one.json": captioned(0, back=True), "two.json": captioned(1)}).loaded()
    assert found.testset is not None
    assert (len(found.testset.references), found.testset.n) == (5, N)
    assert {one.system for one in found.outputs} == {"one", "two"}
    assert found.ids[0] == "0.jpg" or "/" not in found.ids[0]
    short = collected({"one.json": captioned(0, skip=7), "two.json": captioned(1)})
    assert "has 1 segment that references 1 does not have" in errors(short)


def test_pictures_that_come_again_pair_no_rows() -> None:
    """Several questions are about one picture; without a reference nothing says that each row is one question."""
    own = [
        {"image": f"val/{k // 2}.jpg", "captions": [f"A view of {k}."], "prediction": f"A view {k}"} for k in range(N)
    ]
    assert not any(one.keys for one in read([("a.json", lines(own))]).items)
    alone = [{"image": f"val/{k}.jpg", "prediction": f"A view {k}"} for k in range(N)]
    assert not any(one.keys for one in read([("a.json", lines(alone))]).items)


def test_captions_alone_are_no_references() -> None:
    """Without an output of a system nothing says what they are."""
    own = [{"id": f"q{k}", "captions": [f"A view of {k}.", f"A scene of {k}."]} for k in range(N)]
    assert not any(one.role == "reference" for one in read([("c.json", lines(own))]).items)


# Lists of tokens.


def test_ids_of_tokens_are_no_ratings() -> None:
    """Their means, 67665.5, were asked about as scores of a system."""
    own = [
        {
            "id": f"q{k}",
            "gold": str(7 * k),
            "token_ids": [900 + k, 128009],
            "tokens": [str(k), "<|e|>"],
            "correct": k % 3 > 0,
        }
        for k in range(N)
    ]
    found = several(
        {"A/o.jsonl": lines(own), "B/o.jsonl": lines([{**one, "correct": k % 2 > 0} for k, one in enumerate(own)])}
    )
    assert not found.problems
    assert {one.measure for one in found.items if one.role == "system"} == {"correct"}
    alone = [{"id": f"q{k}", "tokens": [f"word{k}", "again"], "note": f"n{k}"} for k in range(N)]
    assert "tokens 1" in str(read([("t.jsonl", lines(alone))]))


# Ids of another data set.


@pytest.mark.parametrize(
    ("one", "other", "refused"),
    [
        ("56be4db0acb8001400a5{:04x}", "5ad39d53604f3c001a3f{:04x}", True),
        ("56be4db0-acb8-0014-00a5-{:012x}", "5ad39d53-604f-3c00-1a3f-{:012x}", False),  # of a run
        ("56be4db0acb8001400a5{:04x}", "q{:d}", False),
    ],
)
def test_codes_of_other_questions_are_not_matched_by_place(one: str, other: str, refused: bool) -> None:
    """Two sets of SQuAD were compared, token F1 100.00 with 0.00, below a warning."""
    given = {
        name: lines([{"id": form.format(37 * k + 11), "score": (k + i) % 4 / 4} for k in range(N)])
        for i, (name, form) in enumerate((("a.jsonl", one), ("b.jsonl", other)))
    }
    found = collected(given)
    assert ("has no segment in common" in errors(found)) is refused
    assert ("matched by place" in warned(found)) is not refused


# Right answers in another order.


def answered(back: bool, ids: bool = True) -> bytes:
    own = [
        {
            "pred": f"It is town {k + back * (k % 3 == 0)}",
            "answers": [f"town {k}"],
            "all_classes": None,
            "length": 3000 + (37 * k) % 97 if ids else 3000,
        }
        for k in range(N)
    ]
    return lines(own[::-1] if back else own)


def test_numbers_pair_answers_that_are_in_another_order() -> None:
    """LongBench: `--id-field answers` was printed, which took the right answers away."""
    found = collected({"one/hotpotqa.jsonl": answered(False), "two/hotpotqa.jsonl": answered(True)}).loaded()
    assert found.testset is not None
    assert not [one for one in found.findings if one.severity == "error"]
    assert len(found.testset.references) == 1
    texts = {one.system: one.segments for one in found.outputs}
    changed = [a != b for a, b in zip(texts["one"], texts["two"], strict=True)]
    assert sum(changed) == N / 3
    without = collected(
        {"one/hotpotqa.jsonl": answered(False, ids=False), "two/hotpotqa.jsonl": answered(True, ids=False)}
    )
    assert "the same right answers in another order" in errors(without)


def test_the_claims_say_what_a_program_writes() -> None:
    """The plan called the right answers of a known program ignored."""
    claims = read([("one/hotpotqa.jsonl", answered(False))]).claims
    assert {(one.column, one.role) for one in claims} >= {("pred", "text"), ("answers", "reference")}
    assert {one.basis for one in claims if one.role in ("text", "reference")} == {"program"}


# Reports and logs in tables.

CLASSES = ["joy,0.62,0.49,0.55,3456", "anger,0.59,0.59,0.59,1891", "fear,0.48,0.19,0.28,1628"]


@pytest.mark.parametrize("last", ["micro avg,0.56,0.42,0.48,6975", "accuracy,,,0.48,6975", "sadness,0.1,0.2,0.13,50"])
def test_a_report_on_classes_in_a_table_is_said(last: str) -> None:
    """It was asked whether support is a system."""
    text = "\n".join([",precision,recall,f1-score,support", *CLASSES, last, ""])
    (problem,) = several({"report.csv": text}).problems
    assert "looks like a report on classes" in str(problem)
    (problem,) = several({"report.csv": text}, columns="f1-score=score").problems
    assert "looks like a report on classes" in str(problem)
    named = several({"report.csv": text}, columns="column 1=question\nf1-score=score")
    assert "report on classes" not in str(named.problems)


def test_judges_that_failed_are_said() -> None:
    """Seven of eight scores were -1, and the judge and its prompt were offered as systems."""
    own = [
        {"question_id": k, "model": "m", "judge": ["gpt-4", "single"], "user_prompt": f"x {k}", "judgment": f"y {k}",
         "score": 9 if k == 3 else -1, "turn": 1, "tstamp": 1718591557.9 + k}
        for k in range(8)
    ]  # fmt: skip
    (problem,) = several({"gpt-4_single.jsonl": lines(own)}).problems
    assert "7 of 8 scores of MT-bench (judgments of single answers) are -1" in str(problem)
    assert "judge 1=system" not in str(problem)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("EPOCH\tTIMESTAMP\tBAD_EPOCHS\tTRAIN_LOSS\n" + "0\t17:02\t0\t16.7\t\t_\n" * 9, "a log of a training"),
        (
            "".join(
                f"{80 + k}\tSource {k}\tZiel {k}\t[0, {k % 2}, 0]\t{'ERR' if k % 2 else 'NOT'}\n" for k in range(9)
            ),
            "right labels for the estimation of quality",
        ),
    ],
)
def test_logs_and_labels_in_tables_are_said(text: str, what: str) -> None:
    """A line of the log has a cell more than its head, and the labels were outputs without a reference."""
    (problem,) = several({"loss.tsv": text}).problems
    assert what in str(problem)


# Which file is the reference.


@pytest.mark.parametrize(
    ("names", "offered"),
    [
        (["set.hyp.A.en", "set.hyp.B.en"], []),
        (["predictions.txt", "predictions_lite.txt"], []),
        (["test.de", "pred.de"], ["test.de"]),
        (["one.txt", "two.txt"], ["one.txt", "two.txt"]),
        (["outputs/one.txt", "outputs/two.txt"], ["outputs/one.txt", "outputs/two.txt"]),
    ],
)
def test_what_is_called_an_output_is_not_offered_as_the_reference(names: list[str], offered: list[str]) -> None:
    """One output was scored against the other by a command that was printed."""
    given: dict[str, bytes | str] = {
        name: "".join(f"The line {k} says {k * (3 + i)} there.\n" for k in range(N)) for i, name in enumerate(names)
    }
    (told,) = (one for one in collected(given).loaded().findings if one.severity == "error")
    assert [name for name in names if name in told.fix] == offered


# Words that a model lacks.


def test_a_word_that_a_model_does_not_know_stands_for_any() -> None:
    check_text("In\t[UNK]\ttoday", "In\tYork\ttoday", 1)
    check_text("<unk>\tYork", "In\tYork", 1)
    for own in ("In\t[UNK]", "In\t[UNK]\ttoday\t[UNK]", "At\t[UNK]\ttoday"):
        with pytest.raises(MismatchError):
            check_text(own, "In\tYork\ttoday", 1)


# What says which answers are right.


def noted(**more: object) -> list[dict[str, object]]:
    return [
        {
            "id": f"q{k}",
            "gold_answer": str(7 * k),
            "gen": {"clean_text": str(9 * k + 1), "extracted_int": str(9 * k + 1), "strict": k % 4 > 0},
            "correct": k % 3 > 0,
            **{name: value(k) if callable(value) else value for name, value in more.items()},
        }
        for k in range(N)
    ]


def test_which_answers_are_right_is_the_score_beside_what_is_right() -> None:
    """Numbers that a model wrote, nearly all wrong, were asked about as scores and as rival systems."""
    found = several({"A/o.jsonl": lines(noted()), "B/o.jsonl": lines(noted(correct=lambda k: k % 2 > 0))})
    assert not found.problems
    systems = [one for one in found.items if one.role == "system" and one.kind == "scores"]
    assert {one.measure for one in systems} == {"correct"}
    assert "gen.strict" in " ".join(map(str, found.notices))


@pytest.mark.parametrize("more", [{"reward": lambda k: k / 7}, {"correct": lambda k: k % 3}])
def test_other_numbers_are_asked_about(more: dict[str, object]) -> None:
    """A fraction may be a score, and 2 says more than right and wrong."""
    assert several({"A/o.jsonl": lines(noted(**more)), "B/o.jsonl": lines(noted(**more)[::-1])}).problems


# Names of pictures alone.


def test_pictures_of_several_systems_are_no_outputs() -> None:
    """The prompts were the output of one system, and a reference for them was asked for."""
    own = [{"prompt": f"A view of {k}", "one": f"a/{k}.png", "two": f"b/{k}.png"} for k in range(N)]
    (problem,) = several({"tasks.json": lines(own)}).problems
    assert "one, two hold names of pictures" in str(problem)
    heard = [
        {"reference": f"It rains {k} times", "audio": f"a/{k}.wav", "asr_output": f"It rains {k} time"}
        for k in range(N)
    ]
    assert not several({"asr.jsonl": lines(heard)}).problems


# Texts that are no outputs.


def unlike(first: Callable[[int], str], second: Callable[[int], str]) -> str:
    """What is asked about four texts without headings: two that are alike, and these."""
    rows = [f"The town {k} is large\tA town {k} is rather large\t{first(k)}\t{second(k)}" for k in range(N)]
    problems = several({"t.tsv": "\n".join([*rows, ""])}).problems
    return " ".join(map(str, problems))


def test_codes_and_texts_without_a_word_in_common_are_asked_about() -> None:
    """Codes, tags and places in a sentence were outputs of systems, and only a reference was asked for."""
    other = "The town {} may be large".format
    assert unlike(other, "One town {} is large now".format) == ""
    assert "column 4: codes, and no texts." in unlike(other, lambda k: f"61b3a65fb96d8ff9{k // 2:04x}")
    assert "column 4: hardly a word in common" in unlike(other, lambda k: f"NOUN VERB X{k} DET ADJ")
    assert "column 4: hardly" in unlike(
        other, lambda k: f"NOUN VERB X{k} DET {'The' if k == 5 else 'ADJ'}"
    )  # by chance
    assert "hardly a word" not in unlike(other, lambda k: f"yes{k} no")  # short answers may all differ
    assert "codes" not in unlike(other, lambda k: f"61b3a65fb96d8ff9{k:04x} is large")
    known = "\n".join(["output\tother", *(f"Die Stadt {k} ist sehr alt\tNOUN VERB DET ADJ P{k}" for k in range(N)), ""])
    assert "output, other: hardly" not in str(several({"t.tsv": known}).problems)


# What these rules leave as it is.


@pytest.mark.parametrize(
    "more",
    [
        {"references": ["A view of it.", "It is seen."]},
        {"reference": "two"},
        {"question": "How many are there?", "answer": "two"},
        {"gpt_score": 1},
        {"caption": "A second text of a system."},
    ],
)
def test_captions_beside_what_is_right_or_scored_are_none(more: dict[str, object]) -> None:
    """Captions of a system's own took the place of what is right: 33.45 for 67.44."""
    own = [
        {"image_id": k, "captions": [f"A view {k}.", f"It {k}."], "prediction": f"A view {k}", **more} for k in range(N)
    ]
    items = read([("a.json", lines(own))]).items
    assert not any(
        cell.startswith(("A view 3.", "It 3.")) for one in items if one.role == "reference" for cell in one.segments
    )


def test_rivals_beside_correct_are_asked_about() -> None:
    """Two models were dropped, and two test sets compared as systems."""
    text = "\n".join(
        [
            "id,gold,gpt4,claude,is_correct",
            *(f"{k},{('no', 'yes')[k % 2]},{k % 3 % 2},{k % 2},{k % 5 % 2}" for k in range(N)),
            "",
        ]
    )
    assert several({"qa_en.csv": text, "qa_de.csv": text.replace("yes", "ja")}).problems


def test_what_was_retrieved_names_no_rows() -> None:
    """Only rows in which both systems retrieved the same picture were left."""
    given: dict[str, bytes | str] = {
        f"{name}.csv": "reference,prediction,retrieved\n"
        + "".join(f"It rains {k} times,It rains {k + k * i % 3} time,{(k * (1 + 4 * i)) % 97}.jpg\n" for k in range(N))
        for i, name in enumerate("AB")
    }
    assert not any(one.keys for one in several(given).items)


def test_ids_of_a_run_beside_the_same_right_answers_are_passed_over() -> None:
    """They were said to be of other questions."""
    given = {
        f"{name}.jsonl": lines(
            [
                {
                    "id": f"{word}{37 * k + 11:04x}",
                    "reference": f"town {k} it is",
                    "prediction": f"town {k + k * i % 3} it is",
                }
                for k in range(N)
            ]
        )
        for i, (name, word) in enumerate((("a", "56be4db0acb8001400a5"), ("b", "5ad39d53604f3c001a3f")))
    }
    assert not errors(collected(given))
    assert "matched by place" in warned(collected(given))


@pytest.mark.parametrize(
    "form", ["flores_{}", "iwslt{:03d}", "multi30k_test_{:04d}", "newstest2014_{:03d}", "truthfulqa_{}"]
)
def test_numbered_segments_are_no_test_sets(form: str) -> None:
    assert "whole test set" not in warned(collected(rated([form.format(k) for k in range(12)])))


def test_scores_of_documents_are_no_report_on_classes() -> None:
    rows = [f"doc_{k},0.{k + 10},0.{k + 20},0.{k + 15},{k % 5 + 3}" for k in range(N)]
    text = "\n".join(["document,precision,recall,f1,support", *rows, ""])
    assert "report on classes" not in str(several({"d.csv": text}).problems)


def test_many_words_that_a_model_lacks_stand_for_none() -> None:
    """Sentences of unknown words alone were of any sentence of their length."""
    with pytest.raises(MismatchError):
        check_text("[UNK]\t[UNK]\ttoday", "In\tYork\ttoday", 1)
