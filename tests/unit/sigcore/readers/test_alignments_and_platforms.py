"""Alignments of recognisers that write no lines REF: and HYP:, lines below their numbers, and platforms of ratings."""

from __future__ import annotations

import json

import pytest

from sigcore import measures
from sigcore.judgments import Judgments
from sigcore.readers import Item, read, read_ratings
from sigcore.readers.tables import headings as vocabulary
from tests.made_tables import N, asked, of_people, rows, scored, told, value


def texts(items: list[Item]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The lines of the reference and of the output, and the names of the segments."""
    gold, output = (next(one for one in items if one.role == role) for role in ("reference", "system"))
    return gold.segments, output.segments, output.keys


def rated(name: str, text: str, **options: str) -> Judgments:
    """The only judgments of a file."""
    found = read_ratings([(name, text.encode())], options or None)
    assert not found.problems, found.problems
    (one,) = found.judgments
    return one


SGML = """<SYSTEM title="a.ctm" ref_fname="b.stm" hyp_fname="a.ctm">
<SPEAKER id="sw1">
<PATH id="(sw1-0)" word_cnt="4" labels="&lt;O&gt;" file="sw1">
C,"the","the",1.2+1.5,0.5:S,"rain","near",1.6+1.8,0.5:D,"fell",,,:I,,"now",2.2+2.4,0.6
</PATH>
<PATH id="(sw1-1)" word_cnt="2" labels="&lt;O&gt;" file="sw1">
C,"it's","it's",1.2+1.5,0.5:C,"here","here",1.6+1.8,0.5
</PATH>
</SPEAKER>
</SYSTEM>
"""


def test_sclite_writes_words_and_times_in_sgml() -> None:
    found = scored(SGML, "a.ctm.filt.sgml")
    assert texts(found.items) == (("the rain fell", "it's here"), ("the near now", "it's here"), ("sw1-0", "sw1-1"))
    assert "sclite" in told(found)


ICEFALL = """%WER = 33.33
Errors: 1 insertions, 1 deletions, 1 substitutions, over 9 reference words (7 correct)
Search below for sections starting with PER-UTT DETAILS:, SUBSTITUTIONS:, DELETIONS:

PER-UTT DETAILS: corr or (ref->hyp)  
u-1:\tTHE (RAIN->NEAR) FELL (*->NOW) HERE
u-2:\tA (SEVERE->*) STORM CAME TODAY

SUBSTITUTIONS: count ref -> hyp
1   RAIN -> NEAR
"""


def test_icefall_writes_the_errors_in_the_line() -> None:
    found = scored(ICEFALL, "errs-test.txt")
    gold, output, keys = texts(found.items)
    assert [" ".join(line.split()) for line in gold] == ["THE RAIN FELL HERE", "A SEVERE STORM CAME TODAY"]
    assert [" ".join(line.split()) for line in output] == ["THE NEAR FELL NOW HERE", "A STORM CAME TODAY"]
    assert keys == ("u-1", "u-2")
    assert "icefall" in told(found)


@pytest.mark.parametrize("first", [0, 1])
def test_numbers_above_lines_are_no_text(first: int) -> None:
    said = [f"sentence {k} of the test set" for k in range(N)]
    found = scored("".join(f"{k + first}\n{line}\n" for k, line in enumerate(said)), "hyp.txt")
    assert [one.segments for one in found.items] == [tuple(said)]
    assert f"{N} lines stands its number" in told(found)


def test_numbers_that_are_part_of_the_text_stay() -> None:
    lines = [line for k in range(N) for line in (str(k + (k == 5)), f"sentence {k} of the test set")]
    found = scored("\n".join(lines) + "\n", "hyp.txt")
    assert [one.segments for one in found.items] == [tuple(lines)]


def test_folders_that_are_numbers_name_no_systems() -> None:
    def board(i: int) -> bytes:
        return "".join(json.dumps({"id": k, "score": value(k, i)}) + "\n" for k in range(N)).encode()

    where = [("large", "7775"), ("large", "8821"), ("small", "7776"), ("small", "8822")]
    found = read([(f"out/{size}/{seed}/scores.jsonl", board(i)) for i, (size, seed) in enumerate(where)])
    assert {one.name for one in found.items} == {"large.7775", "large.8821", "small.7776", "small.8822"}


def test_one_level_of_names_above_seeds_is_enough() -> None:
    made = [(f"{name}/{seed}/hyp.txt", f"one {name}\ntwo\n".encode()) for name, seed in (("big", "11"), ("tiny", "12"))]
    assert {one.name for one in read(made).items} == {"big", "tiny"}


def test_what_a_person_submitted_in_argilla_counts() -> None:
    def record(k: int, i: int) -> dict[str, object]:
        given = {"values": {"quality": {"value": 1 + (k + i) % 5}}, "status": "submitted"}
        taken_back = {"values": {"quality": {"value": 1}}, "status": "discarded"}
        return {
            "fields": {"instruction": f"task {k}", "response": f"text {k} of {i}"},
            "metadata": {"model": f"m{i}", "prompt_id": f"p{k}"},
            "responses": [{"user_id": "anna", **given}, {"user_id": "bert", **taken_back}],
        }

    people = rated("x.json", json.dumps([record(k, i) for k in range(N) for i in range(2)]))
    wanted = {f"m{i}": sum(1 + (k + i) % 5 for k in range(N)) / N for i in range(2)}
    assert of_people(people, people.dimension[0]) == pytest.approx(wanted)
    assert {*people.judge.tolist()} == {"anna"}


def test_gorilla_rates_in_zones_of_three_kinds() -> None:
    head = "Event Index,Participant Private ID,Trial Number,Zone Type,Reaction Time,Response,audio,voice"
    body = [
        f"{k},{7 + k % 3},{k % N},{zone},{900 + k},{score},{k % N}.wav,{voice}"
        for k in range(2 * N)
        for voice in [f"v{k // N}"]
        for zone, score in (
            ("content_audio", "AUDIO PLAYED"),
            ("response_slider_endvalue", 40 + (3 * k) % 11),
            ("response_slider_dwell", 9),
        )
    ]
    people = rated("data_exp.csv", rows(head, *body), columns="voice=system\naudio=question\nscore=score")
    wanted = {f"v{i}": sum(40 + (3 * k) % 11 for k in range(N * i, N * i + N)) / N for i in range(2)}
    assert of_people(people, people.dimension[0]) == pytest.approx(wanted)


def test_a_benchmark_of_commands_is_not_compared() -> None:
    head = "command,mean,stddev,median,user,system,min,max"
    found = scored(rows(head, *(f"decode {k},{k}.5,.1,{k}.4,{k}.2,.1,{k}.1,{k}.9" for k in range(1, 4))), "bench.csv")
    assert "hyperfine" in str(found.problems[0])


def test_measures_of_trec_have_their_cut_after_a_line() -> None:
    assert measures.better_of("P_10") == measures.better_of("map_cut_100") == "higher"
    assert measures.better_of("chrf2plus") == "higher"


def test_the_time_of_an_answer_is_no_score() -> None:
    for name in ("reaction_time", "Reaction Time", "response time", "lead-time", "time taken"):
        assert vocabulary.FIELD.fullmatch(name.lower()), name
    body = [f"{k},{value(k, 0)},{value(k, 1)},{k}.5" for k in range(N)]
    problem = asked(rows("id,left,right,Response Time", *body))
    assert {one.column: one.role for one in problem.claims}["Response Time"] == "ignored"
