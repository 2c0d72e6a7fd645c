"""Values among the words of a log: lines of one shape that come again."""

from __future__ import annotations

import random

import pytest

from sigcore import readers
from sigcore.readers import messages
from sigcore.readers.contract import Intake
from sigcore.readers.tables.unclear import Unclear

SCORES = {"One": (0.51, 0.63, 0.7, 0.44, 0.58, 0.2), "Two": (0.42, 0.55, 0.58, 0.4, 0.61, 0.3)}
MTEVAL = ["  MT evaluation scorer began on 2010 Feb 16 at 14:02:11", ""]
for _name, _values in SCORES.items():
    for _k, _value in enumerate(_values):
        _place = f'segment {_k % 3 + 1} of document "d{_k // 3}" ({20 + _k} words)'
        MTEVAL.append(f'  BLEU score using 4-grams = {_value:.4f} for system "{_name}" on {_place}')
        MTEVAL.append(f'  NIST score using 5-grams = {2 * _value:.4f} for system "{_name}" on {_place}')
    MTEVAL.append(f'  BLEU score using 4-grams = 0.5 for system "{_name}" on document "d0" (3 segments, 63 words)')
PPL = "".join(
    f"it rained {'again ' * k}\n1 sentences, {k + 2} words, {k % 2} OOVs\n0 zeroprobs, logprob= -{k}.5 ppl= {100 + k}.25 ppl1= {200 + k}\n\n"
    for k in range(6)
)
TOTAL = "file test.txt: 6 sentences, 27 words, 3 OOVs\n0 zeroprobs, logprob= -18 ppl= 102 ppl1= 203\n"


def read(text: str, name: str = "One.log") -> Intake:
    return readers.read([(name, text.encode())])


def made(text: str) -> messages.Table:
    found = messages.table(text.split("\n"))
    assert found is not None
    return found


def test_values_are_called_by_the_words_before_them() -> None:
    found = made("\n".join(MTEVAL))
    assert found.headings == ["BLEU", "system", "segment", "document", "words", "NIST"]
    assert found.rows[1] == ["0.6300", "One", "2", "d0", "21", "1.2600"]
    assert found.places[1] == 5
    assert len(found.rows) == 12
    assert found.left_out == 3  # the first line, and those of documents, which are too few to be a shape


def test_a_log_of_mteval_is_read_at_once() -> None:
    found = read("\n".join(MTEVAL))
    assert not found.problems, found.problems
    bleu = {item.name: item.segments for item in found.items if item.measure == "BLEU"}
    assert bleu == {name: tuple(f"{value:.4f}" for value in values) for name, values in SCORES.items()}
    assert any("Its lines give BLEU, system" in one.message for one in found.notices)


def test_lines_of_sums_are_left_out_and_counted() -> None:
    more = [f'BLEU score using 4-grams = 0.5 for system "S{k}" on all' for k in range(5)]
    found = made("\n".join([*MTEVAL, *more]))
    assert (len(found.rows), found.left_out) == (12, 8)
    notice = read("\n".join([*MTEVAL, *more])).notices[0].message
    assert "8 other lines were left out" in notice


def test_a_last_block_that_lacks_a_line_sums_the_others_up() -> None:
    found = made(PPL + TOTAL)
    assert found.headings == ["sentences", "words", "OOVs", "zeroprobs", "logprob", "ppl", "ppl1"]
    assert found.rows[-1] == ["1", "7", "1", "0", "-5.5", "105.25", "205"]
    assert (len(found.rows), found.left_out) == (6, 8)


def test_what_is_not_known_is_asked() -> None:
    (problem,) = read(PPL + TOTAL).problems
    assert isinstance(problem, Unclear)
    assert {claim.column: claim.role for claim in problem.claims}["ppl"] == "score"


def test_lines_of_one_item_are_joined_by_its_id() -> None:
    by_item = "\n".join(f"{k:04} {name}= {k / 10}" for k in range(6) for name in ("AP", "RR"))
    by_measure = "\n".join(f"{k:04} {name}= {k / 10}" for name in ("AP", "RR") for k in range(6))
    assert made(by_item).headings == made(by_measure).headings == ["id", "AP", "RR"]
    assert made(by_item).rows == made(by_measure).rows
    assert made(by_item).rows[3] == ["0003", "0.3", "0.3"]


def test_the_time_of_a_message_is_no_value() -> None:
    lines = [
        f"2026-01-0{k + 1} 10:00:0{k},123 - INFO - Question q{k}: score = {k / 8}, correct: {k % 2 == 0}"
        for k in range(6)
    ]
    found = made("\n".join(lines))
    assert found.headings == ["Question", "score", "correct"]
    assert found.rows[2] == ["q2", "0.25", "True"]


def test_counts_of_edits_are_summed_up() -> None:
    block = "SOURCE        : It rain .\nHYPOTHESIS    : It rains .\n# correct     : {}\n# proposed    : {}\n# gold        : 2\nf_0.5         : 0.5\n{}\n"
    text = (
        "".join(block.format(k % 2, 1 + k % 3, "-" * 43) for k in range(6)) + "Precision   : 0.54\nF_0.5       : 0.5\n"
    )
    found = read(text, "m2_One.log")
    assert not found.problems, found.problems
    (item,) = found.items
    assert (item.name, item.kind) == ("m2_One", "statistics")
    assert item.segments[:2] == ("tp=0 pred=1 gold=2", "tp=1 pred=2 gold=2")
    assert "own_statistics.beta=0.5" in found.notices[0].message


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"The temperature in room {k} was {20 + k} degrees .\n" for k in range(20)),
        "".join(f"A line {'of words ' * k}: {k}\n" for k in range(20)),
        "".join(f"BLEU = 0.{k} for system\n" for k in range(4)),  # too few
        "".join(f"BLEU = 0.5 for system {k}\n" for k in range(9)),  # always the same
        "".join(f"line {'x' * k} of a text\n" * 3 + f"p = 0.{k}\n" for k in range(9)),  # most lines have none
    ],
    ids=["text", "other words", "few", "constant", "rare"],
)
def test_what_is_no_log_of_values(text: str) -> None:
    assert messages.table(text.split("\n")) is None


def test_a_log_of_a_training_is_refused() -> None:
    text = "".join(f"Steps: {k}000 Loss: {9 - k}.5 PPL: {90 - k}.25 bleu: {k}.1\n" for k in range(8))
    (problem,) = read(text, "validations.txt").problems
    assert "log of a training" in str(problem)


SAMPLES = "".join(
    f"|T|: it rains\n[sample: 12-{k:04}, WER: {k * 5}%, TER: {k * 2}%, total WER: {k * 3}%, progress (thread {k % 2}): {k}.5%]\n"
    for k in range(6)
)


def test_running_totals_and_threads_are_about_no_item() -> None:
    found = made(SAMPLES)
    assert found.headings == ["sample", "WER", "TER"]
    assert found.rows[2] == ["12-0002", "10%", "4%"]
    read_ = read(SAMPLES)
    assert not read_.problems, read_.problems
    systems = [item for item in read_.items if item.role == "system"]
    assert {item.measure: item.segments[2] for item in systems} == {"WER": "10", "TER": "4"}
    assert {item.name for item in systems} == {"One"}  # without .log


def test_a_total_of_what_no_other_value_is_called_is_a_value() -> None:
    found = made("".join(f"doc d{k}, total WER: 0.{k + 1}, thread count: {k}\n" for k in range(6)))
    assert found.headings == ["doc", "total WER", "thread count"]


def test_a_score_may_be_said_in_words() -> None:
    found = made("".join(f"sent {k} score is 0.{k + 1}\n" for k in range(6)) + "total score is 0.35\n")
    assert found.headings == ["sent", "score"]
    assert found.rows[1] == ["1", "0.2"]
    assert found.left_out == 1


def test_one_line_that_is_left_out_was_one() -> None:
    assert (
        "1 other line was left out"
        in read("BEER\n" + "".join(f"sent {k}: BLEU = 0.{k}\n" for k in range(6))).notices[0].message
    )


def rates(again: int = -1) -> str:
    """Rates of three prompts in each block; a line of the block `again` stands twice."""
    named = ("Original", "Spell", "Grammar")
    blocks = ["".join(f"{name}: {50 + 3 * k + 5 * j % 7}.00%\n" for j, name in enumerate(named)) for k in range(6)]
    return "".join(f"task t{'x' * k}\n{block}" + "Grammar: 0.00%\n" * (k == again) for k, block in enumerate(blocks))


def test_the_words_before_values_are_asked_about_before_they_compete() -> None:
    (problem,) = read(rates()).problems
    assert isinstance(problem, Unclear)
    assert problem.plan == {"Original": "system", "Spell": "system", "Grammar": "system"}
    assert "other texts in each row" not in f"{problem.what} {problem.fix} {problem.means}"  # 50.00% is a number
    said = readers.read(
        [("One.log", rates().encode())],
        every=readers.Choice(options={"columns": "Original=system\nSpell=system\nGrammar=system"}),
    )
    assert not said.problems, said.problems
    assert {item.name: item.segments[1] for item in said.items} == {
        "Original": "53.00",
        "Spell": "58.00",
        "Grammar": "56.00",
    }


def test_a_line_that_stands_twice_in_a_block_joins_no_blocks() -> None:
    """The rest of its block would be a row with the start of the next one."""
    assert messages.table(rates().split("\n")) is not None
    assert messages.table(rates(again=3).split("\n")) is None


@pytest.mark.parametrize(
    "line",
    [
        "[{k}/30] {name}.wav: WER={wer}%, CER={cer}%",
        "{k} {name} WER = {wer} CER = {cer}",
        "2026-11-30 10:00:00 INFO {name} WER: {wer} CER: {cer}",
        "File: {name}\n  WER = {wer}\n  CER = {cer}\n",
    ],
)
def test_items_are_matched_by_their_names_and_not_by_their_turn(line: str) -> None:
    """B has one error more than A on every recording; a number that counts the lines is no name of one."""
    names = [f"utt{k * 37 % 101}_{k:03}" for k in range(30)]
    texts = [
        "\n".join(line.format(k=k, name=names[j], wer=j + more, cer=j / 4) for k, j in enumerate(order))
        for more, order in ((0.5, range(30)), (1.5, random.Random(5).sample(range(30), 30)))
    ]
    found = readers.read([("A.log", texts[0].encode()), ("B.log", texts[1].encode())])
    assert not found.problems, found.problems
    a, b = (
        dict(zip(item.keys, map(float, item.segments), strict=True)) for item in found.items if item.measure == "WER"
    )
    assert {b[key] - a[key] for key in a} == {1.0}


def test_format_plain_reads_the_lines_as_text() -> None:
    found = readers.read([("One.log", PPL.encode())], every=readers.Choice("plain"))
    assert not found.problems, found.problems
    assert found.items[0].kind == "text"


def test_a_number_that_comes_again_belongs_to_the_name_behind_it() -> None:
    """Lucene: Precision At 1 ... 3 of each query were values of one name, and the query was lost. Large numbers have commas."""
    text = "".join(
        f"{301 + k}  -  body:a\n\n{301 + k} Stats:\n  Num Points:   1,00{k}.000\n  MRR:   0.{k}00\n"
        + "".join(f"  Precision At {n}:   0.{n}{k}0\n" for n in (1, 2, 3))
        for k in range(6)
    )
    found = made(
        text
        + "SUMMARY\n  Num Points:  1,000.000\n  MRR:  0.25\n  Precision At 1:  0.1\n  Precision At 2:  0.2\n  Precision At 3:  0.3\n"
    )
    assert found.headings == ["id", "Num Points", "MRR", "Precision At 1", "Precision At 2", "Precision At 3"]
    assert found.rows[2] == ["303", "1,002.000", "0.200", "0.120", "0.220", "0.320"]
    assert len(found.rows) == 6
    numbered = made("".join(f"Question {k}: 0.{k}\n" for k in range(9)))
    assert numbered.headings[0] == "Question"


def test_the_least_share_of_lines_with_values() -> None:
    """Three of ten lines are enough, one of four is not."""
    for other, fits in ((2, True), (3, False)):
        text = "".join(
            f"a line {'x' * k}\n" + f"some {'y' * k} words\n" * (other - 1) + f"p = 0.{k} r = 0.{9 - k}\n"
            for k in range(1, 9)
        )
        assert (messages.table(text.split("\n")) is not None) is fits


def test_one_value_in_each_line_is_no_table() -> None:
    assert messages.table([f"BLEU = 0.{k}" for k in range(9)]) is None


def test_items_that_come_again_are_told_apart_by_their_place() -> None:
    found = made("\n".join(f"q{k % 3} {name}= {k / 10}" for k in range(6) for name in ("AP", "RR")))
    assert [row[1] for row in found.rows] == [str(k / 10) for k in range(6)]


def test_a_block_that_lacks_most_of_its_lines_is_no_item() -> None:
    """Left out without a word it would be a question less."""
    blocks = [f"A: 0.{k}\nB: 0.{k}\nC: 0.{k}\n\n" for k in range(1, 9)]
    assert len(made("".join(blocks)).rows) == 8
    assert messages.table("".join([*blocks[:3], "A: 0.5\n\n", *blocks[3:]]).split("\n")) is None


def test_values_of_single_lines_among_blocks_are_kept_where_nothing_else_has_them() -> None:
    """A mean of documents has the name of the scores; a line that also says something new is no sum."""
    lines = [f"A = 0.{k} for x{k}" for k in range(1, 8)]
    more = [f"A = 0.{k} B = 0.{k} for y" for k in range(1, 6)]
    assert messages.table([*lines, *more]) is None or "B" in messages.table([*lines, *more]).headings  # type: ignore[union-attr]


def test_numbers_that_come_again_unevenly_are_no_part_of_a_name() -> None:
    """They are items with several lines each."""
    lines = [f"Question {q}: 0.{k} of {k}" for k, q in enumerate([1] * 6 + [2] * 5)]
    assert made("\n".join(lines)).headings[0] == "Question"
    assert (
        made("\n".join(f"Question {k % 2}: 0.{k} of {k}" for k in range(8))).headings[0] == "Question"
    )  # four times each


def test_counts_with_other_words_are_no_statistics() -> None:
    text = "".join(
        f"# correct     : {'n/a' if k == 2 else k}\n# proposed    : {1 + k % 3}\n# gold        : {2 + k % 2}\n--\n"
        for k in range(6)
    )
    assert not any(item.kind == "statistics" for item in read(text, "m2_One.log").items)
