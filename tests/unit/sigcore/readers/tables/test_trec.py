"""Lines of trec_eval and ir_measures: which are values of a query, which are means and counts, and in which line they are."""

from __future__ import annotations

import pytest

from sigcore.readers import read
from sigcore.readers.contract import Found
from sigcore.readers.tables import trec


def rows(*lines: str) -> list[list[str]]:
    return [line.split("|") for line in lines]


def test_means_and_counts_are_counted_apart_from_the_values() -> None:
    """Three values, and two lines that are none."""
    text = "".join(f"{name:<10}\t{query}\t{value}\n" for name, query, value in
                   [("map", "q1", 0.1), ("num_ret", "q1", 5), ("map", "q2", 0.3), ("map", "q3", 0.2), ("map", "all", 0.2)])  # fmt: skip
    intake = read([("run.eval", text.encode())])
    assert [(one.measure, one.segments, one.keys) for one in intake.items] == [
        ("map", ("0.1", "0.3", "0.2"), ("q1", "q2", "q3"))
    ]
    assert any("; 2 lines of means and counts were not used." in notice.message for notice in intake.notices)


def test_each_value_keeps_its_line() -> None:
    """A line that is left out moves no other."""
    cells = rows("map |q1|0.1", "num_q |all|2", "map |q2|0.3")
    table = trec.table("f", cells, [4, 5, 6], Found())
    assert (list(table.places), [row[2] for row in table.rows]) == ([4, 6], ["0.1", "0.3"])


@pytest.mark.parametrize(
    ("lines", "is_one"),
    [
        (("map |q1|0.1", "map |all|0.1"), True),
        (("map |q1|0.1", "map |q2|0.1"), True),  # a measure of queries, padded
        (("w1|q1|0.1", "w2|all|0.1"), False),  # no blank behind the measure
        (("w1 |q1|0.1", "w2 |q2|0.1"), False),
        (("map |q1|x", "map |all|0.1"), False),
        (("runid |all|mine", "map |all|0.1"), True),
        (("map |q1", "map |all"), False),
        (("map|401|0.1", "map|402|0.3"), True),  # every name is one that trec_eval prints
        (("P_10|401|0.1", "ndcg_cut_10|401|0.3", "iprec_at_recall_0.00|401|1"), True),
        (("map|401|0.1", "map|401|0.3"), False),  # no query twice
        (("map|401|0.1", "colour|401|0.3"), False),
    ],
)
def test_padded_measures_show_it(lines: tuple[str, ...], is_one: bool) -> None:
    """With a line for all queries, or a known measure."""
    assert trec.is_trec(rows(*lines)) is is_one


def test_lines_that_begin_with_the_query_are_turned() -> None:
    """As ir_measures writes them."""
    assert trec.in_order(rows("q1|AP|0.5", "q2|nDCG@10|0.25")) == rows("AP |q1|0.5", "nDCG@10 |q2|0.25")
    other = rows("q1|colour|0.5", "q2|AP|0.25")
    assert trec.in_order(other) == other
