"""Files of an exam by an outsider: formats and layouts that were misread, each in small files of our own."""

from __future__ import annotations

import json

import pytest

from sigcore.data.direction import agreed_direction
from sigcore.errors import ReadError
from sigcore.readers import Choice, Intake, Unclear, read

N = 12
Files = dict[str, str]


def intake(files: Files, **options: object) -> Intake:
    given = [(name, text.encode()) for name, text in files.items()]
    return read(given, every=Choice(options=options) if options else None)


def table(head: str, *rows: str) -> str:
    return "\n".join([head, *rows]) + "\n"


def scores(found: Intake) -> dict[str, list[float]]:
    """The scores of each system by its name; all are of one measure."""
    assert not found.problems, found.problems
    items = [item for item in found.items if item.kind == "scores" and item.role == "system"]
    assert len({item.measure for item in items}) == 1
    return {item.name: [float(cell) for cell in item.segments] for item in items}


# Rows of several systems are never pooled: a column that crosses the ids may name the systems.

BACKENDS = ("north", "south", "west")


@pytest.mark.parametrize("head", ["backend_id,eval_id", "engine_id,utt_id", "run_id,eval_id"])
def test_an_id_that_crosses_the_questions_is_asked_about(head: str) -> None:
    rows = [f"{name},q{k},{k * (i + 2) % 7 / 10}" for i, name in enumerate(BACKENDS) for k in range(N)]
    (problem,) = intake({"all.csv": table(f"{head},wer", *rows)}).problems
    assert isinstance(problem, Unclear)
    assert f"Does {head.split(',')[0]} name systems?" in problem.why
    system, question = head.split(",")
    found = intake({"all.csv": table(f"{head},wer", *rows)}, columns=f"{system}=system\n{question}=question\nwer=score")
    assert set(scores(found)) == set(BACKENDS)


def test_an_empty_or_timed_column_of_a_log_is_no_grid_of_systems() -> None:
    """error_category and error_message are empty, model_seconds and audio_seconds times: the ids are kept."""
    head = "backend_id,eval_id,wer,error_category,error_message,model_seconds,audio_seconds"
    rows = [f"{b},q{k},0.{k % 7 + i},,,{k}.5,{k + i}.25" for i, b in enumerate(BACKENDS) for k in range(N)]
    (problem,) = intake({"all.csv": table(head, *rows)}).problems
    assert "Does backend_id name systems?" in str(problem)


# Ranks: 1 is the best.

RANKS = [(1, 2, 3), (2, 1, 3), (1, 3, 2), (1, 2, 3)] * 3


def is_lower(found: Intake) -> bool:
    direction = agreed_direction([item for item in found.items if item.kind == "scores"], [])
    return direction.better == "lower" and direction.why != "assumed"


@pytest.mark.parametrize("word", ["rank", "ranking", "place", "position"])
def test_columns_of_ranks_are_lower_is_better(word: str) -> None:
    rows = [f"{k},{a},{b},{c}" for k, (a, b, c) in enumerate(RANKS)]
    found = intake({"judged.csv": table(f"item,{word}_A,{word}_B,{word}_C", *rows)})
    assert len(scores(found)) == 3
    assert is_lower(found)
    assert any("these are ranks: lower is better" in notice.message for notice in found.notices)


def test_a_column_of_ranks_beside_systems_is_lower_is_better() -> None:
    rows = [f"{k},{name},{rank}" for k, ranks in enumerate(RANKS) for name, rank in zip("ABC", ranks, strict=True)]
    found = intake({"judged.csv": table("item,system,rank", *rows)})
    assert scores(found)["A"] == [float(row[0]) for row in RANKS]
    assert is_lower(found)


@pytest.mark.parametrize(
    ("row", "known"),
    [((1, 1, 3), True), ((1, 1, 2), True), ((1, 2, 2), True), ((2, 2, 3), True), ((0, 1, 2), False)],
)
def test_equal_systems_may_share_a_rank(row: tuple[int, ...], known: bool) -> None:
    """A row without 1 has places, which others may have, too; 0 is none."""
    rows = [f"{k},{','.join(map(str, row if k == 5 else ranks))}" for k, ranks in enumerate(RANKS)]
    found = intake({"judged.csv": table("item,rank_A,rank_B,rank_C", *rows)})
    assert is_lower(found) is known


# What programs leave beside outputs stops nothing.

SAID = [f"the boat number {k} leaves the port" for k in range(N)]


def spoken(changed: int) -> str:
    """A log of a simultaneous translator: outputs with the times of their words."""
    rows = [
        {"index": k, "prediction": f"{line} now" if k % changed else line, "reference": line,
         "delays": [100.0 * k, 200.0 * k], "elapsed": [110.5, 220.5 + k], "prediction_length": 7}
        for k, line in enumerate(SAID)
    ]  # fmt: skip
    return "".join(json.dumps(row) + "\n" for row in rows)


ASIDE = {
    "config.yaml": "source: speech\n",
    "scores.tsv": "BLEU\tLAAL\tAL\n47.6\t1802.1\t1620.4\n",
    "README": "Two runs.\n",
}


def test_files_beside_outputs_are_set_aside_with_a_note() -> None:
    logs = {f"{name}/instances.log": spoken(k) for k, name in enumerate(("near", "far"), 2)}
    found = intake({**logs, **{f"{folder}/{file}": text for folder in ("near", "far") for file, text in ASIDE.items()}})
    assert not found.problems, found.problems
    outputs = {item.name for item in found.items if item.role == "system"}
    assert outputs == {"near", "far"}
    assert {item.kind for item in found.items if item.role == "system"} == {"text"}
    told = {notice.file for notice in found.notices if "was set aside" in notice.message}
    assert {"near/config.yaml", "far/scores.tsv"} <= told


def test_files_without_outputs_beside_them_are_refused() -> None:
    found = intake({"near/config.yaml": ASIDE["config.yaml"], "far/instances.log": spoken(2)})
    assert [problem.file for problem in found.problems if isinstance(problem, ReadError)] == ["near/config.yaml"]


# A heading above a column of scores.


@pytest.mark.parametrize("suffix", ["txt", "csv", "tsv", "scores"])
@pytest.mark.parametrize("heading", ["BLEURT-20", "COMET", "chrF", '"BLEU"'])
def test_a_measure_above_a_column_of_scores_is_its_heading(suffix: str, heading: str) -> None:
    files = {
        f"{name}.{suffix}": table(heading, *(f"0.{k * i % 10}" for k in range(N))) for name, i in (("A", 3), ("B", 7))
    }
    found = intake(files)
    assert scores(found) == {name: [k * i % 10 / 10 for k in range(N)] for name, i in (("A", 3), ("B", 7))}
    assert {item.measure for item in found.items} == {heading.strip('"')}


def test_another_word_above_numbers_is_refused() -> None:
    """It may be the output of a segment, or the name of a system."""
    (problem,) = intake({"A.txt": table("seven", *(f"0.{k % 10}" for k in range(N)))}).problems
    assert "'seven' is not a number" in str(problem)


# Outputs of the classical scorers.

EVALB_HEAD = (
    "  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
    " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n" + "=" * 76 + "\n"
)


def evalb(rows: list[tuple[int, int, int, int]]) -> str:
    """An output of EVALB: status, matching, gold and proposed brackets of each sentence."""
    body = [
        f"{k:4}   12    {status}   {100 * tp / gold:6.2f} {100 * tp / test:6.2f}  {tp:4}   {gold:4} {test:4}      0     12    12   100.00\n"
        for k, (status, tp, gold, test) in enumerate(rows, 1)
    ]
    tail = "=" * 76 + "\n  90.00  90.00  9 10 10\n=== Summary ===\n\n-- All --\nNumber of sentence        =     2\n"
    return EVALB_HEAD + "".join(body) + tail


def test_evalb_gives_the_counts_of_every_sentence() -> None:
    found = intake(
        {"near.evalb": evalb([(0, 3, 4, 5), (0, 2, 2, 2)]), "far.evalb": evalb([(0, 1, 4, 4), (1, 2, 2, 2)])}
    )
    assert not found.problems, found.problems
    assert {item.name: item.segments for item in found.items} == {
        "near": ("tp=3 pred=5 gold=4", "tp=2 pred=2 gold=2"),
        "far": ("tp=1 pred=4 gold=4", "tp=0 pred=0 gold=0"),  # EVALB leaves out a sentence with a status
    }
    assert any("left out 1 of 2 sentences" in notice.message for notice in found.notices)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (evalb([(0, 5, 4, 6)]), "5 brackets match"),
        (evalb([]), "no sentences, only sums"),
        (EVALB_HEAD + "   1   12\n", "is no sentence of EVALB"),
    ],
)
def test_odd_outputs_of_evalb_are_refused(text: str, words: str) -> None:
    (problem,) = intake({"near.evalb": text}).problems
    assert words in str(problem)


def rouge(system: str, measure: str, values: list[float]) -> str:
    rows = [
        f"{system} {measure} Eval {k}.{system} R:0.40000 P:0.30000 F:{value:.5f}\n" for k, value in enumerate(values, 1)
    ]
    return f"{'-' * 45}\n{system} {measure} Average_F: 0.4 (95%-conf.int. 0.3 - 0.5)\n{'.' * 45}\n" + "".join(rows)


def test_rouge_155_gives_the_scores_of_every_summary() -> None:
    files = {f"{name}.rouge.txt": rouge("1", "ROUGE-1", own) + rouge("1", "ROUGE-L", own) for name, own in (("A", [0.5, 0.25]), ("B", [0.125, 0.75]))}  # fmt: skip
    found = intake(files)
    assert not found.problems, found.problems
    first = {item.name: item.segments for item in found.items if item.measure == "ROUGE-1 F"}
    assert first == {"A": ("0.50000", "0.25000"), "B": ("0.12500", "0.75000")}
    assert {item.measure for item in found.items} == {f"ROUGE-{n} {value}" for n in "1L" for value in "FRP"}


def test_rouge_155_may_hold_several_systems() -> None:
    found = intake({"out.txt": rouge("A", "ROUGE-2", [0.5, 0.25]) + rouge("B", "ROUGE-2", [0.75, 0.5])})
    assert {item.name for item in found.items} == {"A", "B"}
    assert {item.keys for item in found.items} == {("1", "2")}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (rouge("A", "ROUGE-2", [0.5, 0.25]) + rouge("B", "ROUGE-2", [0.75]), "B has no ROUGE-2 of 1 of 2 summaries"),
        (rouge("A", "ROUGE-2", [0.5]) * 2, "a second time"),
    ],
)
def test_odd_outputs_of_rouge_are_refused(text: str, words: str) -> None:
    (problem,) = intake({"out.txt": text}).problems
    assert words in str(problem)


# Tags: a sentence on each line, and a word per line with the tags of several systems.

GOLD_LINES = ["O B-PER I-PER", "B-LOC O", "O O O O", "O B-PER"]


def test_tags_of_a_sentence_on_each_line_are_entities() -> None:
    files = {"labels.txt": table(*GOLD_LINES), "A/predictions.txt": table("O B-PER O", *GOLD_LINES[1:]), "B/predictions.txt": table(*["O O O", "O O", "O O O O", "O O"])}  # fmt: skip
    found = intake(files)
    assert not found.problems, found.problems
    assert {(item.role, item.kind) for item in found.items} == {("reference", "spans"), ("system", "spans")}
    by_name = {item.name: item.segments for item in found.items if item.role == "system"}
    assert by_name["A"][:2] == ("1\t2\t3\n1-2\tPER", "1\t2\n0-1\tLOC")
    assert by_name["B"] == ("1\t2\t3", "1\t2", "1\t2\t3\t4", "1\t2")


def test_other_tags_on_lines_are_read_where_somebody_says_so() -> None:
    files = {"gold.txt": "DET NOUN VERB\nPRON VERB\n", "A.txt": "DET NOUN NOUN\nPRON VERB\n"}
    found = read([(name, text.encode()) for name, text in files.items()], every=Choice("tag_lines"))
    assert {item.name: item.segments for item in found.items}["A"][0] == "1\t2\t3\n0-1\tDET\n1-2\tNOUN\n2-3\tNOUN"
    assert any("is the accuracy of the words" in notice.message for notice in found.notices)
    assert all(item.kind == "text" for item in intake(files).items)  # it may be text


WORDS = [("the", "DET"), ("cat", "NOUN"), ("sat", "VERB"), ("", ""), ("it", "PRON"), ("slept", "VERB")] * 8


def tagged(head: str, wrong: int, mark: str = "") -> str:
    """Words with the right tags, and those of two systems; the first has one of `wrong` as X."""
    body = ["\t".join((word, mark + tag, mark + ("X" if k % wrong == 0 else tag), mark + tag)) if word else "" for k, (word, tag) in enumerate(WORDS)]  # fmt: skip
    return table(*filter(None, [head]), *body)


@pytest.mark.parametrize("suffix", ["tsv", "conll", "txt"])
def test_columns_of_tags_are_compared_by_accuracy(suffix: str) -> None:
    found = intake({f"pos.{suffix}": tagged("token\tgold\tA\tB", 6)})
    assert not found.problems, found.problems
    assert {item.name: item.segments[:2] for item in found.items} == {
        "A": ("tp=2 pred=3 gold=3", "tp=4 pred=5 gold=5"),
        "B": ("tp=3 pred=3 gold=3", "tp=5 pred=5 gold=5"),
    }  # fmt: skip


@pytest.mark.parametrize("suffix", ["tsv", "conll", "txt"])
def test_columns_of_tags_without_headings_say_what_to_add(suffix: str) -> None:
    (problem,) = intake({f"pos.{suffix}": tagged("", 6)}).problems
    assert "nothing says which column is right" in str(problem)
    assert "headings token and gold" in str(problem)


def test_columns_of_entity_tags_are_entities() -> None:
    rows = ["Ann\tB-PER\tB-PER\tO", "runs\tO\tO\tO", "", "Oslo\tB-LOC\tB-LOC\tB-PER", "is\tO\tO\tO"]
    found = intake({"ner.tsv": table("token\tgold\tA\tB", *rows)})
    assert not found.problems, found.problems
    assert {(item.name, item.role, item.kind) for item in found.items} == {("gold", "reference", "spans"), ("A", "system", "spans"), ("B", "system", "spans")}  # fmt: skip
    assert next(item for item in found.items if item.name == "B").segments == ("Ann\truns", "Oslo\tis\n0-1\tPER")


def test_a_word_without_a_tag_is_refused_with_its_line() -> None:
    (problem,) = intake({"pos.tsv": "token\tgold\tA\nthe\tDET\tDET\n\ncat\tNOUN\t\n"}).problems
    assert "line 4" in str(problem)


# Commands that cannot work, and rows of whole systems.


def crowd(head: str, *, names: bool = False) -> str:
    """A batch of comparisons by three workers: the better one, and the worse one."""
    rows = []
    for k in range(N):
        first, second = ("one", "two") if k % 2 else ("two", "one")
        better, worse = ("A", "B") if k % 3 else ("B", "A")
        better = {"A": first, "B": second}[better] if names else better
        rows += [f"hit{k},w{i},3600,{first},{second},{better},{worse},yes" for i in range(3)]
    return table(head, *rows)


BATCH = "HITId,WorkerId,LifetimeInSeconds,Input.system1,Input.system2,Answer.best_fluency,Answer.worst_fluency,Answer.native"


@pytest.mark.parametrize("names", [False, True])
def test_a_batch_of_comparisons_by_a_crowd_is_read(names: bool) -> None:
    found = intake({"batch.csv": crowd(BATCH, names=names)})
    assert not found.problems, found.problems
    (judged,) = found.preferences
    assert set(judged.systems) == {"one", "two"}
    assert judged.n == 3 * N
    assert any("Answer.best_fluency says which of Input.system1 and Input.system2" in n.message for n in found.notices)


def test_two_columns_that_may_say_which_is_better_are_not_chosen_between() -> None:
    head = BATCH.replace("worst_fluency", "best_meaning")
    assert not intake({"batch.csv": crowd(head)}).preferences


def test_a_judge_under_an_unknown_heading_tells_rows_apart() -> None:
    rows = [
        f"{k};{judge};{name};{(k + i) % 5},{j}" for k in range(N) for j, judge in enumerate(("AB", "CD")) for i, name in enumerate(("one", "two"))
    ]  # fmt: skip
    text = table("Satz_ID;Wertung durch;System;Grammatik", *rows)
    (problem,) = intake({"bewertung.csv": text}).problems
    assert isinstance(problem, Unclear)
    assert dict(problem.plan) == {"Satz_ID": "question", "Wertung durch": "run", "Grammatik": "score"}
    assert "NUMBER" not in str(problem)
    said = "\n".join(f"{name}={role}" for name, role in problem.plan.items())
    assert set(scores(intake({"bewertung.csv": text}, columns=said))) == {"one", "two"}


def test_one_row_of_scores_is_of_whole_systems() -> None:
    (problem,) = intake({"bleu.tsv": "Near\tFar\tHigh\n0.43\t0.41\t0.40\n"}).problems
    assert "scores of whole systems" in str(problem)
