"""Exports of programs in which people rate, and layouts that were met in files of people's judgments: each is read as it says,
asked about with a command that works, or refused with what to do."""

from __future__ import annotations

import json

import pytest

from sigcore.data.artefacts import artefacts
from sigcore.data.checks import Checked
from sigcore.readers import Intake, Item, Unclear, read, read_ratings
from tests.made_tables import SYSTEMS, N, of_people, rows, scored


def rated(text: str, name: str = "people.csv", **options: str) -> Intake:
    return read_ratings([(name, text.encode())], options or None)


def mark(person: int, item: int, system: int) -> int:
    """A mark from 1 to 5 that differs between systems."""
    return (person + 2 * item + system * (1 + item % 2)) % 5 + 1


def mean(system: int, people: int, items: int) -> float:
    return sum(mark(p, k, system) for p in range(people) for k in range(items)) / (people * items)


# Programs.


@pytest.mark.parametrize("person", ["session_uuid", "email"])
def test_webmushra_names_stimuli_trials_and_people(person: str) -> None:
    lines = [
        f"test,{p},trial{k},{s},{mark(p, k, i)},{3000 + 7 * k},"
        for p in range(3) for k in range(N) for i, s in enumerate(SYSTEMS)
    ]  # fmt: skip
    head = f"session_test_id,{person},trial_id,rating_stimulus,rating_score,rating_time,rating_comment"
    (people,) = rated(rows(head, *lines)).judgments
    assert people.dimensions == ("MUSHRA",)
    assert of_people(people, "MUSHRA") == {s: pytest.approx(mean(i, 3, N)) for i, s in enumerate(SYSTEMS)}
    assert {*people.judge.tolist()} == {"0", "1", "2"}
    assert len({*people.segment.tolist()}) == N
    assert read([("people.csv", rows(head, *lines).encode())]).judgments  # recognised without being told


def test_crowdflower_has_workers_and_units() -> None:
    """A unit is one output, judged several times: its own id numbers it, and that of each judgment does not."""
    lines = [
        f"{100 + 3 * k + i},{k * 9 + i * 3 + p},false,.9,{p},{s},{mark(p, k, i)},{mark(p, k + 1, i)}"
        for k in range(N) for i, s in enumerate(SYSTEMS) for p in range(3)
    ]  # fmt: skip
    (people,) = rated(rows("_unit_id,_id,_golden,_trust,_worker_id,system,naturalness,quality", *lines)).judgments
    assert set(people.dimensions) == {"naturalness", "quality"}
    assert of_people(people, "naturalness") == {s: pytest.approx(mean(i, 3, N)) for i, s in enumerate(SYSTEMS)}
    assert len({*people.segment.tolist()}) == 3 * N


def test_more_of_a_bad_criterion_counts_with_a_minus() -> None:
    """Of toxicity less is better, which is said; beside other criteria it was not used, and nothing said why."""
    found = rated(
        rows("judge,system,id,fluency,toxicity", *(f"p,{s},q{k},{k % 5},{k % 4}" for k in range(N) for s in SYSTEMS))
    )
    (people,) = found.judgments
    assert (people.turned, {*people.dimensions}) == (("toxicity",), {"fluency", "toxicity"})
    assert of_people(people, "toxicity")["A"] == pytest.approx(-sum(k % 4 for k in range(N)) / N)
    assert "Lower is better for toxicity" in " ".join(notice.message for notice in found.notices)


CODES = ["ResponseId", "Status", "Progress", *(f"Q{k}_{i}" for k in range(4) for i in range(3))]
ASKED = ["Response ID", "Response Type", "Progress", *(f"Sentence {k}: how good? - System {s}" for k in range(4) for s in SYSTEMS)]  # fmt: skip
IMPORTED = ["_recordId", "status", "progress", *(f"QID{k}_{i}" for k in range(4) for i in range(3))]


def survey(*status: str) -> str:
    imported = ",".join(f'"{{""ImportId"":""{one}""}}"' for one in IMPORTED)
    marks = (",".join(str(mark(p, k, i)) for k in range(4) for i in range(3)) for p in range(len(status)))
    answers = (f"R_{p},{one},100,{own}" for p, (one, own) in enumerate(zip(status, marks, strict=True)))
    return rows(",".join(CODES), ",".join(ASKED), imported, *answers)


def test_qualtrics_asks_in_its_second_line() -> None:
    (people,) = rated(survey(*["IP Address"] * 4)).judgments
    assert of_people(people, "rating") == {f"System {s}": pytest.approx(mean(i, 4, 4)) for i, s in enumerate(SYSTEMS)}
    assert {*people.judge.tolist()} == {f"R_{p}" for p in range(4)}
    assert len({*people.segment.tolist()}) == 4


def test_the_preview_of_a_survey_is_left_out() -> None:
    found = rated(survey(*["IP Address"] * 4, "Survey Preview"))
    (people,) = found.judgments
    assert of_people(people, "rating")["System B"] == pytest.approx(mean(1, 4, 4))
    assert any("1 response of a preview" in one.message for one in found.notices)


def test_a_third_line_that_is_no_json_is_no_survey() -> None:
    text = survey(*["IP Address"] * 4).replace('""QID0_0""', '""QID0_0"" x')
    found = rated(text)
    assert not found.judgments
    assert found.problems


def test_votes_of_pandalm_are_of_its_key() -> None:
    votes = [(k % 3, (k + 1) % 3, 1) for k in range(N)]
    records = [
        {"idx": k, "instruction": f"do {k}", "response1": f"one {k}", "response2": f"other {k}",
         "annotator1": a, "annotator2": b, "annotator3": c, "cmp_key": "llama-7b_opt-7b"}
        for k, (a, b, c) in enumerate(votes)
    ]  # fmt: skip
    (pairs,) = scored(json.dumps(records), "votes.json").preferences
    assert pairs.systems == ("llama-7b", "opt-7b")
    given = [vote for row in votes for vote in row]
    expected = sum({0: 0.5, 1: 1.0, 2: 0.0}[vote] for vote in given)
    assert len(pairs.outcome) == len(given)
    assert sum(pairs.outcome.tolist()) == expected


@pytest.mark.parametrize("key", ["llama", "llama_opt_7b"])
def test_a_key_that_joins_no_two_names_is_asked_about(key: str) -> None:
    records = [{"idx": k, "response1": f"a {k}", "response2": f"b {k}", "annotator1": k % 3, "annotator2": 1, "cmp_key": key}
               for k in range(N)]  # fmt: skip
    found = scored(json.dumps(records), "votes.json")
    assert not found.preferences
    assert found.problems


# Layouts.


def file_of(person: str, shift: int) -> tuple[str, bytes]:
    marks = [
        {"doc_id": f"d{k}", "system": s, "rating": mark(shift, k, i)} for k in range(N) for i, s in enumerate(SYSTEMS)
    ]
    return f"{person}.json", json.dumps({"annotator": person, "annotations": marks}).encode()


def test_a_person_beside_all_records_is_their_judge() -> None:
    found = read_ratings([file_of("anna", 0), file_of("ben", 1)])
    assert [{*part.judge.tolist()} for part in found.judgments] == [{"anna"}, {"ben"}]
    assert of_people(found.judgments[1], "quality")["C"] == pytest.approx(sum(mark(1, k, 2) for k in range(N)) / N)
    assert len({*found.judgments[0].segment.tolist()}) == N


def test_a_judge_in_each_record_comes_before_one_beside_them() -> None:
    marks = [{"id": f"d{k}", "system": s, "judge": f"j{k % 2}", "rating": k % 5} for k in range(N) for s in SYSTEMS]
    text = json.dumps({"annotator": "team", "annotations": marks})
    (people,) = rated(text, "x.json").judgments
    assert {*people.judge.tolist()} == {"j0", "j1"}


@pytest.mark.parametrize(
    "criteria", [("Adéquation", "Fluidité"), ("Adäquatheit", "Flüssigkeit"), ("adequacy", "fluency")]
)
def test_two_lines_of_headings_are_joined(criteria: tuple[str, str]) -> None:
    """The systems stand above, and the criteria below, in the language of those who rated."""
    lines = [f"{k + 1},{mark(0, k, 0)},{mark(1, k, 0)},{mark(0, k, 1)},{mark(1, k, 1)}" for k in range(N)]
    text = rows("Phrase,System A,,System B,", ",".join(["", *criteria, *criteria]), *lines)
    (people,) = rated(text).judgments
    first, second = (one.lower() for one in criteria)
    assert of_people(people, first)["System B"] == pytest.approx(sum(mark(0, k, 1) for k in range(N)) / N)
    assert of_people(people, second)["System A"] == pytest.approx(sum(mark(1, k, 0) for k in range(N)) / N)


GLUED = [
    f"{s}_{14783100 + k},{mark(0, k, i)},{mark(1, k, i)}"
    for k in range(N)
    for i, s in enumerate(("bert_x", "pgn", "t5"))
]


def test_ids_that_join_a_system_and_a_segment_are_told_of() -> None:
    """No column names the systems, but every name comes with the same segments."""
    text = rows("id,coherence,fluency", *GLUED)
    (problem,) = rated(text).problems
    assert "The ids below id seem to join a system (bert_x, pgn, t5) and a segment." in str(problem)
    assert "one system" not in str(problem)
    assert any("seem to join a system (bert_x, pgn, t5)" in one.message for one in scored(text).notices)


@pytest.mark.parametrize("ids", [
    [f"q{k}" for k in range(N)],
    [f"news_{k}" for k in range(N)],
    [f"{k}_{j}" for k in range(3) for j in range(4)],
    [f"news_{k}" for k in range(N - 1)] + ["talk_1"],
    [f"{'news' if k < N // 2 else 'talk'}_{k}" for k in range(N)],
])  # fmt: skip
def test_other_ids_join_nothing(ids: list[str]) -> None:
    """One name, numbers in place of names, and names with other segments, or with other ones each."""
    text = rows("id,coherence,fluency", *(f"{one},{k % 4},{k % 3}" for k, one in enumerate(ids)))
    assert not any("seem to join" in one.message for one in scored(text).notices)


def test_a_setting_of_yes_and_no_is_a_part_of_the_system() -> None:
    values = {(s, b): [(i * 7 + j * 3 + k) % 11 / 11 for k in range(N)] for i, s in enumerate(("bm25", "dense")) for j, b in enumerate(("true", "false"))}  # fmt: skip
    lines = [f"q{k},{s},{b},{values[s, b][k]}" for k in range(N) for s, b in values]
    text = rows("query_id,retriever,rerank,ndcg", *lines)
    (problem,) = scored(text).problems
    assert isinstance(problem, Unclear)
    said = "retriever=system rerank=system query_id=question ndcg=score"
    assert problem.ways == (("retriever, rerank name the systems, and query_id the questions", said),)
    found = scored(text, columns=said.replace(" ", "\n"))
    means = {one.name: sum(map(float, one.segments)) / N for one in found.items if one.role == "system"}
    assert means == {f"{s}, {b}": pytest.approx(sum(own) / N) for (s, b), own in values.items()}


def test_an_outcome_is_no_setting() -> None:
    """true and false below `passed` are what is compared."""
    lines = [f"q{k},{s},{'true' if (k + i) % 3 else 'false'}" for k in range(N) for i, s in enumerate(SYSTEMS)]
    found = scored(rows("query_id,model,passed", *lines))
    assert {one.name for one in found.items if one.role == "system"} == {*SYSTEMS}


def test_percentages_beside_fractions_are_fractions() -> None:
    text = rows("id,gpt,claude", *(f"{k},{30 + 3 * k}%,0.{40 + k}" for k in range(1, N)))
    found = scored(text)
    own = {one.name: [*map(float, one.segments)] for one in found.items if one.role == "system"}
    assert own["gpt"] == pytest.approx([(30 + 3 * k) / 100 for k in range(1, N)])
    assert own["claude"] == pytest.approx([(40 + k) / 100 for k in range(1, N)])
    assert any("percentages of gpt" in one.message for one in found.notices)


def test_a_decimal_comma_and_a_gap_stay_what_they_are() -> None:
    found = scored(rows("id;gpt;claude", *(f"{k};{30 + k},5 %;0,{40 + k}" for k in range(1, N)), "99;;0,5"))
    own = {one.name: one.segments for one in found.items if one.role == "system"}
    assert [*map(float, own["gpt"][:2])] == pytest.approx([0.315, 0.325])
    assert not own["gpt"][-1]


@pytest.mark.parametrize("other", ["40", "1.5", "0", "-0.5"])
def test_percentages_beside_other_numbers_stay(other: str) -> None:
    """Numbers beyond 1 or below 0, and whole ones, are no fractions."""
    found = scored(rows("id,gpt,claude", *(f"{k},{30 + 3 * k}%,{other}{k % 2}" for k in range(1, N))))
    asked = {one.column: one.cells[0] for problem in found.problems for one in getattr(problem, "claims", ())}
    known = {one.name: one.segments[0] for one in found.items} | asked
    assert known["gpt"] in ("33%", "33")


def told(gold: list[str], *systems: list[str]) -> list[str]:
    """What is wrong with these outputs."""
    items = [Item("ref", "reference", "text", tuple(gold), "ref.txt", "")]
    own = [Item(f"s{k}", "system", "text", tuple(one), f"s{k}.txt", "") for k, one in enumerate(systems)]
    found = artefacts(Checked("text", N, own, [], items, []))
    return [f"{one.where}: {one.what}" for one in found if one.severity == "error"]


LETTERS = ["ABCD"[k % 4] for k in range(N)]
SENTENCES = [f"I think that it is {'ABC'[k % 3]}" for k in range(N)]


def test_letters_are_not_looked_for_in_sentences() -> None:
    """BLEU of a letter and a sentence would be a number without meaning."""
    (what,) = told(LETTERS, SENTENCES, LETTERS[::-1])
    assert what.startswith("s0.txt: The right answers are letters (A, B, C, D), and s0 answers in sentences")


@pytest.mark.parametrize(("gold", "answers"), [
    (LETTERS, [f"({one})" for one in LETTERS]),
    (LETTERS, [*SENTENCES[: N // 2], *LETTERS[N // 2 :]]),
    (["A"] * N, SENTENCES),
    ([*LETTERS[:-1], "Anna"], SENTENCES),
])  # fmt: skip
def test_other_answers_are_compared(gold: list[str], answers: list[str]) -> None:
    """Bare letters, half of them in sentences, a reference that is a word in each line, and one with a name."""
    assert not told(gold, answers)


def test_labels_that_grade_answers_are_asked_for_their_numbers() -> None:
    words = ("1_full_compliance", "2_full_refusal")
    lines = [f"v{k},How {k}?,text of {k},{words[k % 2]}" for k in range(N)]
    (problem,) = scored(rows("id,prompt,model_completion,final_label", *lines)).problems
    assert isinstance(problem, Unclear)
    assert problem.cells == tuple(f"{word}=NUMBER" for word in words)
    assert {one.column: one.role for one in problem.claims}["final_label"] == "score"


def test_a_label_beside_a_column_for_each_class_is_no_choice() -> None:
    """Classes, and how likely each of them is."""
    lines = [f"{k},0.{k % 7 + 1},0.{k % 5 + 1},0.{k % 3 + 1},{'ABC'[k % 3]}" for k in range(N)]
    found = scored(rows("id,A,B,C,label", *lines))
    assert not any("compares three" in str(one) for one in found.problems)


def test_the_best_of_three_is_refused_with_what_to_do() -> None:
    """Names that stand anywhere: no heading is a system."""
    text = rows("item,system_1,system_2,system_3,best", *(f"{k},m1,m2,m3,m{k % 3 + 1}" for k in range(N)))
    (problem,) = scored(text).problems
    assert "compares three systems or more" in str(problem)
    assert "a row for each pair" in str(problem)


def test_other_questions_of_a_survey_and_unfinished_responses_are_named() -> None:
    """The age stands among the ratings; each of 37 columns was a system of one segment."""
    text = survey(*["IP Address"] * 4)
    added = [f"{one},{more}" for one, more in zip(text.splitlines(), ("Q9,Finished", "How old are you?,Finished", '"{""ImportId"":""QID9_TEXT""}","{""ImportId"":""finished""}"', *(f"{25 + p},{p != 1}" for p in range(4))), strict=True)]  # fmt: skip
    found = rated("\n".join([*added, ""]))
    (people,) = found.judgments
    assert {*people.system.tolist()} == {f"System {s}" for s in SYSTEMS}
    assert people.n == 4 * 3 * 4
    said = " ".join(one.message for one in found.notices)
    assert "Not used, as they name no system: How old are you?." in said
    assert "1 response is not finished and counts, too." in said
    assert len(scored("\n".join([*added, ""])).judgments) == 1  # as scores, too


def dialogues(start: float) -> str:
    acts = [
        [
            {"text": f"hi {k}", "eval_labels": [f"yes {k}"]},
            {"text": f"no {k}", "metrics": {"f1": k / 30 + start, "loss": 2.5}},
        ]
        for k in range(12)
    ]
    return "".join(json.dumps({"dialog": [own]}) + "\n" for own in acts)


def test_turns_of_parlai_are_segments() -> None:
    found = scored(dialogues(0.1), "one.jsonl")
    assert not found.problems
    by_measure = {item.measure: item for item in found.items if item.kind == "scores"}
    assert {*by_measure} == {"f1", "loss"}
    assert len(by_measure["f1"].segments) == 12
    text = [item for item in found.items if item.kind == "text" and item.role == "system"]
    assert text[0].segments[3] == "no 3"
    (problem,) = scored('{"dialog": []}\n{"dialog": [[{"text": "hi"}]]}\n', "none.jsonl").problems[:1]
    assert problem.what


def test_ratings_of_pearmut_are_those_of_its_annotation() -> None:
    """What its log of actions holds are no scores."""
    items = [{"item_id": f"s{k}", "src": "x", "tgt": {"A": "a", "B": "b"}} for k in range(4)]
    marks = [{"A": {"score": 70 + k, "error_spans": []}, "B": {"score": 90 - k, "error_spans": [{}]}} for k in range(4)]
    record = {"annotation": marks, "actions": [{"score": 12}], "item": items, "user_id": "u1"}
    found = scored(json.dumps(record) + "\n", "p.jsonl")
    scores = {item.name: item.segments for item in found.items if item.kind == "scores"}
    assert scores == {"A": ("70", "71", "72", "73"), "B": ("90", "89", "88", "87")}
    (people,) = rated(json.dumps(record) + "\n", "p.jsonl").judgments
    assert {*people.judge.tolist()} == {"u1"}


def test_many_other_questions_are_no_form_of_systems() -> None:
    """Half of the columns of numbers name no system: nothing says which of them rate one."""
    text = survey(*["IP Address"] * 4).splitlines()
    more = [",".join(f"Q{20 + k}_1" for k in range(12)), ",".join(f"How much do you like number {k}?" for k in range(12)),
            ",".join(f'"{{""ImportId"":""QID{20 + k}_1""}}"' for k in range(12)), *(",".join(str((p + k) % 5) for k in range(12)) for p in range(4))]  # fmt: skip
    found = rated("\n".join([*(f"{one},{other}" for one, other in zip(text, more, strict=True)), ""]))
    systems = {name for one in found.judgments for name in one.system.tolist()}
    assert systems != {f"System {s}" for s in SYSTEMS}


def test_dialogues_are_read_only_where_all_records_are_such() -> None:
    found = scored(dialogues(0.1) + '{"id": "x", "score": 0.5}\n', "one.jsonl")
    assert "f1" not in {item.measure for item in found.items}
