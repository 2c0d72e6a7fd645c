"""Scores that programs print in a block for each item: the old trec_eval, smatch --ms, the scorer of CoNLL-2012."""

from __future__ import annotations

import pytest

from sigcore import readers
from sigcore.readers.contract import Intake

VALUES = [
    ("0.7647", "0.8125", "0.7879"),
    ("1.0", "0.8", "0.9"),
    ("0.5", "0.6", "0.55"),
    ("0", "0", "0"),
    ("1", "1", "1"),
]
SMATCH = "".join(f"Precision: {p}\nRecall: {r}\nF-score: {f}\n" for p, r, f in VALUES)


def query(name: str, value: float) -> str:
    return (
        f"\nQueryid (Num):\t{name}\nTotal number of documents over all queries\n    Retrieved:      423\n    Relevant:         7\n"
        "Interpolated Recall - Precision Averages:\n    at 0.00       1.0000 \n"
        "Average precision (non-interpolated) for all rel docs(averaged over queries)\n"
        f"                  {value:.4f} \nPrecision:\n  At    5 docs:   {value / 2:.4f}\n  At   10 docs:   {value / 4:.4f}\n"
        "R-Precision (precision after R (= num_rel for a query) docs retrieved):\n"
        f"    Exact:        {value / 5:.4f}\n"
    )


EACH = "".join(query(f"{k}", k / 8) for k in range(1, 7))
TREC = EACH + query("6", 0.4375)  # of all six


def part(k: int, right: int, precise: int) -> str:
    return (
        f"====> (bc/cctv_{k:04}); part 000:\nFile (bc/cctv_{k:04}); part 000:\nTotal key mentions: 59\n"
        f"Recall: ({right} / 20) {5 * right}%\tPrecision: ({precise} / 25) {4 * precise}%\tF1: {4.5 * right}%\n{'-' * 74}\n\n"
    )


def coreference(*others: int) -> str:
    parts = "".join(part(k, 10 + k, 10 + k + other) for k, other in enumerate(others))
    return (
        f"version: 8.01 CorScorer.pm\n\nMETRIC muc:\n\n{parts}====== TOTALS =======\n"
        "Identification of Mentions: Recall: (904 / 1225) 73.8%\tPrecision: (904 / 1154) 78.34%\tF1: 76%\n"
        "Coreference: Recall: (573 / 869) 65.94%\tPrecision: (573 / 799) 71.71%\tF1: 68.71%\n"
    )


def read(text: str, name: str = "One.txt") -> Intake:
    return readers.read([(name, text.encode())])


def measures(found: Intake) -> dict[str, tuple[str, ...]]:
    assert not found.problems, found.problems
    return {item.measure: tuple(item.segments) for item in found.items}


def test_lines_that_come_again_are_a_segment_each_time() -> None:
    found = measures(read(SMATCH))
    assert list(found) == ["F-score", "Precision", "Recall"]  # F first: it is shown first
    for k, name in enumerate(("Precision", "Recall", "F-score")):
        assert found[name] == tuple(one[k] for one in VALUES)


@pytest.mark.parametrize(
    "text",
    [
        "".join(SMATCH.splitlines(keepends=True)[:12]),  # four items may be a report of systems
        SMATCH + "Precision: 0.5\n",
        SMATCH.replace("Recall: 0.6", "Coverage: 0.6"),
        SMATCH + "done\n",
        "".join(f"F-score: {value}\n" for _, _, value in VALUES),
        "Precision: 0.5\nRecall: 0.6\nF-score: 0.55\n",
    ],
)
def test_other_lines_of_names_and_numbers_are_no_segments(text: str) -> None:
    assert all(one.reader != "blocks" for one in read(text).detected)


def test_each_query_of_an_old_trec_eval() -> None:
    found = read(TREC)
    scored = measures(found)
    assert list(scored) == ["map", "P_5", "P_10", "Rprec"]
    assert scored["map"] == tuple(f"{k / 8:.4f}" for k in range(1, 7))  # not that of all queries
    assert scored["P_10"] == tuple(f"{k / 32:.4f}" for k in range(1, 7))
    assert scored["Rprec"][0] == "0.0250"
    assert found.items[0].keys == ("1", "2", "3", "4", "5", "6")
    assert measures(read(EACH)) == measures(read(EACH + query("All", 0.4375))) == scored
    from_0 = "".join(query(f"{k}", (k + 1) / 8) for k in range(6))
    assert measures(read(from_0))["map"] == scored["map"]  # the last is not the mean of the five before
    (problem,) = read(EACH + query("6", 0.5)).problems
    assert "query 6 comes twice" in str(problem)
    (problem,) = read(TREC.replace("Exact:        0.0250", "Exact:")).problems
    assert "It is the output of an old trec_eval, but item 1 has no Rprec." in str(problem)


def test_counts_of_coreference_are_summed() -> None:
    found = read(coreference(0, 0, 0), "berkeley.muc.scorer.log")
    (item,) = found.items
    assert (item.name, item.kind) == ("berkeley.muc", "statistics")
    assert item.segments == ("tp=10 pred=25 gold=20", "tp=11 pred=25 gold=20", "tp=12 pred=25 gold=20")
    assert item.keys[1] == "(bc/cctv_0001); part 000"
    assert "counts of muc" in found.notices[0].message


def test_other_numerators_of_recall_and_precision_give_the_f1_of_each_part() -> None:
    found = read(coreference(0, 1, 0))
    assert measures(found) == {"muc F1": ("45.0", "49.5", "54.0")}
    assert "not that of all parts together" in found.notices[0].message


def test_sentences_of_chrf_are_told_from_times_and_sums() -> None:
    """They were questions, too: the time of the start was the highest score."""
    text = (
        "start_time:\t1652707092\n"
        + "".join(f"{k}::c6+w2-F2\t4{k}.5\n" for k in range(1, 7))
        + "c6+w2-F2\t61.5\nc6+w2-avgF2\t60.4\nend_time:\t1652707309\n"
    )
    (item,) = read(text, "chrF.base.sent").items
    assert (item.name, item.measure, item.better, item.keys) == ("base", "chrF++", "higher", tuple("123456"))
    assert item.segments[0] == "41.5"
    assert "4 lines of times" in str(read(text).notices)
    assert read(text.replace("w2", "w0")).items[0].measure == "chrF"
    assert "a sentence twice" in str(read(text + "6::c6+w2-F2\t1.0\n").problems[0])
