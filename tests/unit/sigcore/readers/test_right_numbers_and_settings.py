"""What is right beside what was predicted, lists in records, settings of systems, and names of files that say what they hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

import pytest

from sigcore.data.assembly import assemble
from sigcore.data.checks import Finding
from sigcore.data.letters import counted
from sigcore.measures import better_of
from sigcore.readers import Choice, Intake, Unclear, read, read_ratings, shared
from sigcore.readers.contract import Item
from sigcore.readers.names import guess_role
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import sums
from sigcore.readers.tables.choices import letter_of
from sigcore.readers.tables.plan import claim
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import of_one_system
from sigcore.readers.trial import parts
from tests.made_tables import N, asked, roles, rows, scored, told, value

Files = Sequence[tuple[str, bytes]]


def records(make: Callable[[int, int], Mapping[str, object]], n: int = N, names: Sequence[str] = ("A", "B")) -> Files:
    """A file of records for each system."""
    return [
        (f"{name}.jsonl", "\n".join(json.dumps(make(k, i)) for k in range(n)).encode()) for i, name in enumerate(names)
    ]


def confirmed(given: Files, said: str) -> Intake:
    columns, cells = parts(said)
    found = read(given, every=Choice(options={"columns": "\n".join(columns), "cells": "\n".join(cells)}))
    assert not found.problems, found.problems
    return found


def questions(given: Files) -> list[Unclear]:
    return [one for one in read(given).problems if isinstance(one, Unclear)]


def answered(k: int, i: int) -> dict[str, object]:
    """A number that a system answered, and the right one."""
    return {
        "idx": k,
        "gt": str(7 * k + 3),
        "code": f"print({k}) # by {i}",
        "pred": [str(7 * k + 3 if (k + i) % 3 else 7 * k + 90)],
    }


def test_the_number_that_all_files_have_alike_is_right() -> None:
    """ToRA: nothing was offered but the mean of the answers."""
    given = records(answered)
    first = questions(given)[0]
    assert first.ways[0] == ("gt is right, and pred predicts it", "gt=reference code=ignored pred=text")
    assert "pred=score" not in str(first)
    found = confirmed(given, first.ways[0][1])
    assert {(one.role, one.kind) for one in found.items} == {("system", "text"), ("reference", "text")}
    assert [one.segments[:2] for one in found.items if one.role == "reference"] == [("3", "10")] * 2


def similar(far: float) -> Callable[[int, int], str]:
    """Words, how alike people find them, and what a system says, so far from it."""
    return lambda k, i: f"w{k},v{k},{value(k, 0) + k / 1000},{value(k, 0) + k / 1000 + far * (1 + i) * (-1) ** k}"


def tables(head: str, cells: Callable[[int, int], str]) -> Files:
    return [(f"{name}.csv", rows(head, *(cells(k, i) for k in range(24))).encode()) for i, name in enumerate("AB")]


@pytest.mark.parametrize(("far", "offered"), [(0.05, True), (2.0, False)])
def test_numbers_near_those_that_all_files_have_are_predictions(far: float, offered: bool) -> None:
    """Word similarity: the only command took the mean of the predictions for a score, higher for better."""
    given = tables("word1,word2,hj,sim", similar(far))
    first = questions(given)[0]
    assert [what for what, _ in first.ways] == ["hj is right, and sim predicts it", "sim is a score"] * offered
    if offered:
        found = confirmed(given, first.ways[0][1])
        assert {(one.name, one.measure) for one in found.items if one.role == "system"} == {
            ("A", "absolute error"),
            ("B", "absolute error"),
        }


def test_columns_that_all_files_have_alike_are_in_their_order() -> None:
    """A set of names had another order in each process."""
    facts = ("zeta", "beta", "gamma", "alpha", "omega", "delta")
    problem = asked(rows(",".join(facts), *(",".join(str(1000**n * (k + n)) for n in range(6)) for k in range(N))))
    columns = {name: [str(k) for k in range(N)] for name in facts}
    alike = shared._alike(problem, {"t.csv": columns, "other.csv": dict(columns)})
    assert len(alike) > 3
    assert alike == [name for name in facts if name in alike]


def test_a_count_that_all_files_have_is_not_right() -> None:
    """The number of its tokens says nothing of an answer."""
    given = tables("word1,word2,num_tokens,sim", lambda k, i: f"w{k},v{k},{k + 3},{k + 3 + (k + i) % 2 / 9}")
    assert not any("num_tokens is right" in what for one in questions(given) for what, _ in one.ways)


def labelled(k: int, i: int) -> dict[str, object]:
    """A label, what a system said, and its words."""
    right = ("yes", "no", "maybe")[k % 3]
    said = right if (k + i) % 4 else "no"
    return {
        "qid": f"q{k}",
        "gold": right,
        "pred": said,
        "raw": f"{said.title()}. The study number {k} of {i} says so, with many words.",
    }


def test_a_command_keeps_what_its_heading_calls_right() -> None:
    """The command that was printed left gold out: there was no reference."""
    given = records(labelled, 24)
    first = questions(given)[0]
    found = confirmed(given, " ".join(f"{name}={role}" for name, role in first.plan.items()))
    assert {one.role for one in found.items} == {"system", "reference"}
    assert [one.segments[0] for one in found.items if one.role == "reference"] == ["yes", "yes"]


def test_a_reference_is_right_and_no_label_beside_it() -> None:
    text = rows("id,gold,reference,pred", *(f"q{k},g{k % 3},r{k % 3},r{k % 2}" for k in range(24)))
    right = [one for one in scored(text, columns="pred=text").items if one.role == "reference"]
    assert [one.segments[0] for one in right] == ["r0"]


@pytest.mark.parametrize("beside", [True, False])
def test_a_list_of_targets_beside_an_answer_has_all_that_is_right(beside: bool) -> None:
    """MixEval: accepted answers were one reference of several lines. Alone a list is an output in sentences."""

    def made(k: int, i: int) -> dict[str, object]:
        own = {"response": f"answer {k}" if (k + i) % 2 else "none"} if beside else {}
        return {"id": f"q{k}", "target": [f"answer {k}", f"other {k}"][: 1 + k % 2], **own}

    found = read(records(made))
    right = [one for one in found.items if one.role == "reference"]
    assert len(right) == (4 if beside else 0)
    assert {one.segments[1] for one in right} <= {"answer 1", "other 1"}
    if not beside:
        assert {one.segments[1] for one in found.items} == {"answer 1\nother 1"}


def test_targets_in_sentences_are_one_text() -> None:
    """Of a summary; one record with a sentence decides for the file."""

    def made(k: int, i: int) -> dict[str, object]:
        parts_ = [f"The story number {k} ends here.", f"So it is in {k}."] if k == 7 else ["Nothing more", f"of {k}"]
        return {"id": f"q{k}", "target": parts_, "response": f"The story number {k} of {i} ends here and now."}

    right = [one for one in read(records(made)).items if one.role == "reference"]
    assert {one.segments[7] for one in right} == {"The story number 7 ends here.\nSo it is in 7."}
    assert not any(one.name.startswith("references 2") for one in right)


def test_what_sets_a_system_is_no_score() -> None:
    """ZeroEval: repetition_penalty of all answers was compared, beside the answers."""

    def made(k: int, i: int) -> dict[str, object]:
        return {
            "session_id": f"s{k}",
            "chat_history": [f"## Question: {k} and many words of a prompt"],
            "output": f"so the answer of {i} is {k + (k + i) % 2} in all",
            "configs": {"repetition_penalty": 1.0, "temperature": 0.5},
            "answer": f"# {k}",
        }

    given = records(made, 20)
    assert not read(given).items
    first = questions(given)[0]
    assert roles(first) | {"session_id": "question"} == {
        "session_id": "question", "chat_history": "source", "output": "text", "configs.repetition_penalty": "ignored",
        "configs.temperature": "ignored", "answer": "reference",
    }  # fmt: skip
    found = confirmed(given, " ".join(f"{name}={role}" for name, role in first.plan.items()))
    assert {(one.name, one.kind) for one in found.items if one.role == "system"} == {("A", "text"), ("B", "text")}


@pytest.mark.parametrize(
    ("heading", "measure", "field"),
    [
        ("configs.repetition_penalty", False, True),
        ("generation_config.accuracy", False, True),
        ("params.f1", False, True),
        ("penalty", True, False),
        ("results.f1", True, False),
    ],
)
def test_headings_of_settings(heading: str, measure: bool, field: bool) -> None:
    assert (words.has_measure(heading), words.is_field(heading)) == (measure, field)


def reviewed(k: int) -> dict[str, object]:
    return {
        "review_id": k,
        "reviewer_id": "gpt",
        "question_id": k,
        "metadata": {"question": f"what is {k}?", "model_ids": ["chimera", "vicuna"]},
        "text": f"Assistant 1 is better in {k}.",
        "order": [[1, 2], [2, 1], [1, 1]][k % 3],
    }


def test_ranks_of_two_answers_say_who_won() -> None:
    """LLMZoo: the mean of the ranks was read, in which each win is a tie, and each tie a win."""
    text = "\n".join(json.dumps(reviewed(k)) for k in range(9))
    (judged,) = scored(text, "review.jsonl").preferences
    assert [*judged.outcome[:3]] == [1.0, 0.0, 0.5]
    assert ({*judged.first}, {*judged.second}, {*judged.judge}) == ({"chimera"}, {"vicuna"}, {"gpt"})


def test_ranks_are_no_ratings_of_several_people() -> None:
    text = "\n".join(json.dumps({"id": k, "A": k % 3, "ranks": [k % 2 + 1, 2 - k % 2, 3]}) for k in range(9))
    assert "were averaged" not in told(scored(text, "t.jsonl")) + str(scored(text, "t.jsonl").problems)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("test.8turkers.tok.norm", "source"),
        ("test.8turkers.tok.turk.0", "reference"),
        ("test.8turkers.tok.simp", "system"),
        ("mine.norm", "system"),
    ],
)
def test_files_of_turkcorpus(name: str, role: str) -> None:
    """The normal sentences were the best system."""
    assert guess_role(name) == role


def test_a_file_of_words_without_sentences_says_so() -> None:
    lines = [f"w{k} {'B-PER' if k % 5 == 0 else 'O'} {'B-PER' if k % 7 == 0 else 'O'}" for k in range(101)]
    assert "No empty line ends a sentence of its 101 words" in told(scored("\n".join(lines), "A.txt"))
    assert "No empty line" not in told(scored("\n".join(lines[:100]), "A.txt"))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("exp/decode_test/wer_10_0.0:%WER 44.12 [ 15 / 34, 4 ins, 0 del, 11 sub ]", "a report on a whole run"),
        ("ndcg_cut_10    0.4177", "means over all queries, as trec_eval prints them"),
        ("P_10           all     0.5488", "means over all queries, as trec_eval prints them"),
        ("              precision    recall  f1-score   support", "a report on classes"),
    ],
)
def test_reports_say_what_they_are(line: str, says: str) -> None:
    (problem,) = scored(f"DAAT BM25\n\n{line}\n\nmore words\n", "out.txt").problems
    assert f"It looks like {says}" in problem.what


def test_values_of_queries_may_have_any_known_measure() -> None:
    """An evaluator of a course writes NDCG@75 and F1@25 where trec_eval writes ndcg_cut_75."""

    def lines(i: int) -> str:
        measures = ("NDCG@75", "RR", "P@15", "F1@25", "AP")
        return "".join(f"{name} {300 + k} {value(k + n, i)}\n" for k in range(N) for n, name in enumerate(measures))

    found = read([(f"{name}.eval", lines(i).encode()) for i, name in enumerate(("bm25", "ql"))])
    assert {(one.name, one.measure) for one in found.items} >= {("bm25", "NDCG@75"), ("ql", "F1@25")}
    assert all(len(one.segments) == N for one in found.items)
    assert "not used" not in told(found)
    again = read([("a.eval", (lines(0) + lines(1)).encode())])
    assert "a value per measure and query" not in told(again)


def test_a_summary_beside_results_of_another_word_is_set_aside() -> None:
    """MMLU-Pro: psychology_summary.json beside psychology_result.json."""
    made = [{"question_id": f"q{k}", "accuracy": k % 2} for k in range(N)]
    files = [(f"out/{name}/psychology_result.json", json.dumps(made).encode()) for name in "AB"]
    whole = {"psychology": {"acc": 0.5, "n": 3}, "total": {"acc": 0.5, "n": 3}}
    found = read([*files, ("out/A/psychology_summary.json", json.dumps(whole).encode())])
    assert not found.problems
    assert "set aside: out/A has outputs" in told(found)


@pytest.mark.parametrize("measure", ["LER", "letter error rate", "fwppl"])
def test_errors_and_perplexities_are_better_lower(measure: str) -> None:
    assert better_of(measure) == "lower"


def test_errors_say_what_they_count() -> None:
    """MQM: nothing named the weights."""
    errors = "\n".join(f"A\td{k}\td{k}\t{k}\tr1\tsrc\ttgt\tAccuracy/Omission\tmajor" for k in range(3))
    people = read_ratings(
        [("mqm.tsv", f"system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n{errors}\n".encode())]
    )
    assert "as error points (major 5.0, minor 1.0, punctuation 0.1, non translation 25.0, critical 10.0)" in told(
        people
    )


@pytest.mark.parametrize("heading", ["team", "note"])
def test_a_column_of_systems_is_another_case_than_the_command_below(heading: str) -> None:
    """Before, "if that is right" might have meant either."""
    table = Table("t.csv", [heading, "bleu"], [["AB"[k % 2], f"{k}.5"] for k in range(N)], range(2, N + 2))
    claims = [
        claim(table, 0, "ignored", "text beside numbers", "guess"),
        claim(table, 1, "score", "a measure", "heading"),
    ]
    alone = "These are scores of one system: load those of another, too. "
    other = "If team names systems, say so: --system-field team. Otherwise: " if heading == "team" else ""
    assert of_one_system(table, claims) == f"{other}{alone}"


def test_who_rated_names_no_question_beside_an_id() -> None:
    """Each of the people judged one answer alone."""
    text = rows("case_id,evaluator_id,usefulness,day", *(f"c{k // 3},p{k},{k * k % 5 + 1},d" for k in range(36)))
    assert "evaluator_id=question" not in str(asked(text))


def test_the_file_that_stands_apart_is_named_first_as_the_reference() -> None:
    """Systems translate alike; which file is right is asked, and a command says it."""
    texts = {
        "a.txt": [f"the cat number {k} sat on a mat" for k in range(N)],
        "b.txt": [f"one cat of {k} had been upon this rug" for k in range(N)],
        "c.txt": [f"the cat number {k} sat on the mat" for k in range(N)],
    }
    items = list(read([(name, "\n".join(own).encode()) for name, own in texts.items()]).items)
    (found,) = [one for one in assemble(items).findings if "no reference" in one.what]
    assert found.fix.endswith("--reference b.txt (or a.txt, c.txt in place of it).")
    many = [(f"s{k}.txt", "\n".join(f"the cat {i} {k}" for i in range(N)).encode()) for k in range(7)]
    (found,) = [one for one in assemble(list(read(many).items)).findings if "no reference" in one.what]
    assert found.fix.endswith("--reference FILE.")


@pytest.mark.parametrize(
    ("head", "known"),
    [
        ("English,Actual Nepali,Predicted Nepali", True),
        ("English,Expected output,Generated output", True),
        ("English,Actual Nepali,Predicted Hindi", False),
        ("English,Nepali,Hindi", False),
    ],
)
def test_two_headings_of_the_same_make_a_first_line_one_of_headings(head: str, known: bool) -> None:
    lines = [f"the word {k} is said,sabda {k} bhanya ho,sabda {k} bhannu ho" for k in range(N)]
    found = scored("\n".join([head, *lines]) + "\n")
    assert (
        any(
            claim.column == "English"
            for problem in found.problems
            if isinstance(problem, Unclear)
            for claim in problem.claims
        )
        == known
    )


@pytest.mark.parametrize(
    ("name", "summed"), [("Ave_complex", True), ("ave", True), ("Avenue", False), ("avenger", False)]
)
def test_ave_is_an_average(name: str, summed: bool) -> None:
    assert sums.is_sum(name) == summed


def test_settings_with_decimal_commas_are_no_lists() -> None:
    """Thresholds 0, 0,1 to 0,4 named several systems each."""
    lines = [
        f"0{f',{i}' if i else ''};q{k};{10 * value(k, i):.2f}".replace(".", ",") for i in range(5) for k in range(N)
    ]
    found = scored(rows("threshold;type;precision", *lines), columns="threshold=system\ntype=question\nprecision=score")
    assert {one.name for one in found.items} == {"0", "0,1", "0,2", "0,3", "0,4"}


def test_the_same_measures_below_several_names_have_a_command_each() -> None:
    """ROSE: 22 pairs of a system and a measure were systems. One of the systems lacks a measure."""

    def made(k: int) -> dict[str, object]:
        own = {
            s: {m: value(k + n, i) for n, m in enumerate(("prior", "acu", "f1"))}
            for i, s in enumerate(("gpt3", "t0", "bart"))
        }
        del own["bart"]["acu"]
        return {"example_id": f"e{k}", "annotations": own}

    text = "\n".join(json.dumps(made(k)) for k in range(N))
    found = dict(asked(text, "t.jsonl").ways)
    assert list(found) == [
        "gpt3, t0, bart are systems, and f1 is compared",
        "gpt3, t0, bart are systems, and prior is compared",
        "gpt3, t0 are systems, and acu is compared",
    ]
    said = found["gpt3, t0 are systems, and acu is compared"]
    assert said == "annotations.gpt3.acu=system annotations.t0.acu=system"


@pytest.mark.parametrize("names", [("train", "test"), ("bleu", "ter"), ("de", "fr")])
def test_parts_of_data_and_measures_below_a_name_are_no_systems(names: tuple[str, str]) -> None:
    made = [
        {"id": f"e{k}", "of": {s: {"x": value(k, i), "y": value(k + 1, i)} for i, s in enumerate(names)}}
        for k in range(N)
    ]
    shown = " ".join(map(str, scored("\n".join(map(json.dumps, made)), "t.jsonl").problems))
    assert f"{', '.join(names)} are systems" not in shown


def test_a_report_in_markdown_is_read_by_its_lines() -> None:
    """Scores of each sample between texts; a README is none, and texts without such lines are no data."""

    def report(i: int) -> bytes:
        parts_ = [
            f" Sample {k}: BLEU1={value(k, i)} ROUGE1={value(k + 1, i)}\n\n**Question:** what is it?\n\nsome\nmore\ntext\n"
            for k in range(N)
        ]
        return ("# Evaluation\n\n- Average: **0.3**\n\n" + "\n".join(parts_)).encode()

    found = read([(f"{name}_results.md", report(i)) for i, name in enumerate("ab")])
    assert {(one.name, one.measure, len(one.segments)) for one in found.items} == {
        (f"{name}_results", measure, N) for name in "ab" for measure in ("BLEU1", "ROUGE1")
    }  # fmt: skip
    assert not [one for one in read([("README.md", report(0))]).items if one.kind == "scores"]


@pytest.mark.parametrize(
    ("heading", "label"), [("Gold Recall", False), ("gold_f1", False), ("gold", True), ("gold_label", True)]
)
def test_a_measure_of_gold_is_no_label(heading: str, label: bool) -> None:
    assert words.is_label(heading) == label


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("B\n------\nContext: more", "B"),
        (" A\n\nQuestion: C", "A"),
        ("A man walks\nB", ""),
        ("C", "C"),
        ("I think so\n", ""),
    ],
)
def test_the_letter_of_a_first_line_is_the_answer(text: str, letter: str) -> None:
    assert letter_of(text) == letter


@pytest.mark.parametrize(("without", "compared"), [(0, True), (9, True), (10, False)])
def test_letters_count_where_some_outputs_have_none(without: int, compared: bool) -> None:
    """Of 12 outputs of the second system so many have no letter: they are wrong, and counted."""
    gold = Item("gold", "reference", "text", tuple("ABC"[k % 3] for k in range(N)), "g", "text")
    one = Item("one", "system", "text", tuple(f"{'ABC'[k % 3]}. word {k}" for k in range(N)), "1", "text")
    two = Item(
        "two", "system", "text", tuple("some words" if k < without else "A. word" for k in range(N)), "2", "text"
    )
    findings = list[Finding]()
    kept, _ = counted([one, two], [gold], findings)
    assert {*kept[0].segments} == ({"A", "B", "C"} if compared else {*one.segments})
    lost = [finding.what for finding in findings if "No letter" in finding.what]
    assert lost == (
        [f"No letter was found in {without} outputs, which count as wrong."] if compared and without else []
    )


LABELS = (
    "account_security",
    "app_or_feature_issue",
    "device_performance",
    "information_request",
    "software_update",
    "unclear",
)


def predictions(turned: bool) -> list[tuple[str, bytes]]:
    """Labels of tweets by two systems, with ids that the right ones lack beside reasons in words."""
    ids = [2600000 + k * 7919 % 99991 for k in range(36)]
    right = [LABELS[(k * 7 + k // 3) % 6] for k in range(36)]
    made = {
        "rules": [f"{ids[k]},{'unclear' if k % 3 == 0 or one == LABELS[3] else one}" for k, one in enumerate(right)],
        "llm": [f"{ids[k]},{LABELS[k % 6] if k % 4 == 0 else one}" for k, one in enumerate(right)],
    }
    made["rules"] = made["rules"][::-1] if turned else made["rules"]
    gold = [f"{one},{k % 2 == 0},Because of reason {k}.,The note {k} of somebody." for k, one in enumerate(right)]
    files = {f"results/{name}.csv": ["customer_tweet_id,predicted_intent", *own] for name, own in made.items()}
    files["data/gold_labels.csv"] = ["gold_intent,gold_escalate,gold_reason,annotation_notes", *gold]
    return [(name, ("\n".join(own) + "\n").encode()) for name, own in files.items()]


def test_labels_of_several_systems_are_compared_with_right_ones_at_their_places() -> None:
    """What stands beside the right labels was two systems more."""
    found = read(predictions(turned=False), roles=(("data/gold_labels.csv", "reference"),))
    assert not found.problems
    assert [one.role for one in found.items].count("reference") == 1
    assert len([one for one in found.items if one.role == "system"]) == 2
    assert "gold_escalate, gold_reason, annotation_notes" in told(found)


def test_ids_in_another_order_than_the_labels_are_no_places() -> None:
    """Whole numbers as ids: 10 % were right in place of 52."""
    found = read(predictions(turned=True), roles=(("data/gold_labels.csv", "reference"),))
    shown = " ".join(map(str, found.problems))
    assert "have the ids of customer_tweet_id in another order. A place is not the same question." in shown
    assert "data/gold_labels.csv has no column customer_tweet_id" in shown
