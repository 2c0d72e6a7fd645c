"""Rankings of several systems in a row: each row compares all pairs of the systems that it ranks."""

from __future__ import annotations

from sigcore.readers import Intake, read

Comparison = tuple[str, str, float, str, str]  # first, second, outcome, question, judge


def loaded(text: str) -> Intake:
    return read([("ranks.csv", text.encode())])


def compared(text: str) -> dict[str, list[Comparison]]:
    """The comparisons of each set by its name."""
    return {
        part.name: list(
            zip(*(c.tolist() for c in (part.first, part.second, part.outcome, part.question, part.judge)), strict=True)
        )
        for part in loaded(text).preferences
    }


def test_a_row_compares_all_its_pairs() -> None:
    """The smaller rank wins, equal ranks are a tie, ranks below 1 and empty ones are missing, and no system meets itself."""
    head = "srclang,trglang,srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank,system3Id,system3rank\n"
    rows = [
        "ces,eng,7,J1,A,1,B,2,C,2",
        "ces,eng,7,J2,C,1,A,1,A,3",
        "ces,eng,9,J1,B,-1,A,1,C,0",
        "deu,eng,3,J2,A,2,B,1,C,",
    ]
    assert compared(head + "\n".join(rows) + "\n") == {
        "ranks ces-eng": [
            ("A", "B", 1.0, "7", "J1"),
            ("A", "C", 1.0, "7", "J1"),
            ("B", "C", 0.5, "7", "J1"),
            ("C", "A", 0.5, "7", "J2"),
            ("C", "A", 1.0, "7", "J2"),
        ],
        "ranks deu-eng": [("A", "B", 0.0, "3", "J2")],
    }


def test_two_systems_are_enough_and_each_row_is_a_question_where_none_is_named() -> None:
    """Without a column of questions and judges, and with one language pair, whose name is not added to that of the file."""
    text = "system1Id,system1rank,system2Id,system2rank\nA,1,B,2\nB,3,A,3\nB,1,A,2\n"
    assert compared(text) == {"ranks": [("A", "B", 1.0, "0", ""), ("B", "A", 0.5, "1", ""), ("B", "A", 1.0, "2", "")]}
    message = loaded(text).notices[-1].message
    assert "rankings of 2 systems" in message
    assert message.endswith("questions: each row is one.")


def test_what_is_no_rank_is_refused_with_its_line() -> None:
    """A word in the second row, and rows none of which ranks two systems."""
    head = "system1Id,system1rank,system2Id,system2rank\n"
    (problem,) = loaded(f"{head}A,1,B,2\nA,first,B,2\n").problems
    assert (getattr(problem, "line", None), "'first' is no rank" in problem.what) == (3, True)
    (problem,) = loaded(f"{head}A,1,B,\nA,0,B,2\n").problems
    assert "No row ranks two systems" in problem.what


def test_ranks_belong_to_the_system_of_their_number() -> None:
    """Whatever the order of the columns; a rank without its system is none."""
    text = "system1Id,system2Id,rank2,rank1,rank3\nA,B,1,2,1\nA,B,2,1,3\n"
    assert compared(text) == {"ranks": [("A", "B", 0.0, "0", ""), ("A", "B", 1.0, "1", "")]}
