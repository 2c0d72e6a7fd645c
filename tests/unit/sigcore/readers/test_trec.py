"""Output of trec_eval is read by query and measure, without its means and counts."""

from __future__ import annotations

from sigcore.readers import Intake, read

QUERIES = ("q1", "q2", "q10")


def lines(shift: float, queries: tuple[str, ...] = QUERIES) -> str:
    cells = [("num_ret", query, 7) for query in queries]
    cells += [("map", query, round(shift + 0.1 * k, 4)) for k, query in enumerate(queries)]
    cells += [("P_5", query, round(0.2 * k, 4)) for k, query in enumerate(queries)]
    cells += [("runid", "all", "mine"), ("num_q", "all", len(queries)), ("map", "all", 0.9)]
    return "".join(f"{name:<22}\t{query}\t{value}\n" for name, query, value in cells)


def loaded(**files: str) -> Intake:
    return read([(f"{name}.eval", text.encode()) for name, text in files.items()])


def test_each_measure_has_the_value_of_each_query() -> None:
    """Queries are the segments of each measure; lines for all queries and counts are left out, and that is said."""
    intake = loaded(dense=lines(0.25))
    assert not intake.problems
    found = [(item.measure, item.keys, tuple(map(float, item.segments))) for item in intake.items]
    assert found == [("map", QUERIES, (0.25, 0.35, 0.45)), ("P_5", QUERIES, (0.0, 0.2, 0.4))]
    assert any("6 lines of means and counts" in notice.message for notice in intake.notices)


def test_means_alone_are_refused_with_the_option_that_helps() -> None:
    """Without -q there is nothing to test, and the error says what to run."""
    (problem,) = loaded(dense=lines(0.25, ())).problems
    assert "-q" in problem.fix


def test_other_tables_of_three_columns_are_no_trec_eval() -> None:
    """Only padded measures with lines for all queries are recognised."""
    rows = "".join(f"w{k}\tall\t{k}.5\n" for k in range(4))
    assert not any("trec_eval" in notice.message for notice in loaded(other=rows).notices)
