"""Two systems in each row and a number, or a win, that says how one did against the other: asked with a command for each side."""

from __future__ import annotations

import itertools

import pytest

from sigcore.readers.tables import facing
from tests.made_tables import asked, roles, rows, scored, told
from tests.unit.sigcore.readers.test_votes_and_rows import said

NAMES = ("bart", "pegasus", "t5")
PAIRS = list(itertools.permutations(NAMES, 2))


def table(head: str, codes: tuple[str, ...], pairs: list[tuple[str, str]] = PAIRS) -> str:
    """A row for each pair of each of six questions, and the codes in turn."""
    every = [(k, *pair) for k in range(6) for pair in pairs]
    return rows(head, *(f"q{k},{one},{other},{codes[i % len(codes)]}" for i, (k, one, other) in enumerate(every)))


@pytest.mark.parametrize(
    ("head", "codes", "first"),
    [
        ("question_id,system1,system2,preference", ("-1", "0", "1", "1"), {"-1": 0.0, "0": 0.5, "1": 1.0}),
        ("question_id,model_a,model_b,score", ("-1", "0", "1", "1"), {"-1": 0.0, "0": 0.5, "1": 1.0}),
        ("question_id,answer1_id,answer2_id,score", ("0", "1", "1"), {"0": 0.0, "1": 1.0}),
        ("question_id,candidate,opponent,outcome", ("0", "0.5", "1", "1"), {"0": 0.0, "0.5": 0.5, "1": 1.0}),
        ("question_id,model_1,model_2,rating", ("1", "2", "3", "5", "4"), {"1": 0.0, "2": 0.0, "3": 0.5, "4": 1.0, "5": 1.0}),
        ("question_id,model,baseline,win", ("1", "0", "1"), {"0": 0.0, "1": 1.0}),
        ("question_id,model,opponent,result", ("win", "loss", "tie", "win"), {"loss": 0.0, "tie": 0.5, "win": 1.0}),
    ],
)  # fmt: skip
def test_both_sides_are_offered_and_each_command_counts_for_its_own(
    head: str, codes: tuple[str, ...], first: dict[str, float]
) -> None:
    """A score next to two systems was one of a system, and its command made rows of the other runs."""
    problem = asked(table(head, codes))
    one, other = head.split(",")[1:3]
    assert [roles(problem)[name] for name in ("question_id", one, other)] == ["question", "first", "second"]
    assert [one in what and other not in what for what, _ in problem.ways] == [True, False]
    wanted = [(f"q{k}", *pair, first[codes[i % len(codes)]]) for i, (k, pair) in enumerate((k, pair) for k in range(6) for pair in PAIRS)]  # fmt: skip
    for (_, command), turned in zip(problem.ways, (False, True), strict=True):
        (part,) = scored(table(head, codes), **said(command)).preferences
        names = {True: (part.second, part.first), False: (part.first, part.second)}
        as_written = names["opponent" in head and "result" in head and turned]
        found = zip(part.question.tolist(), *(side.tolist() for side in as_written), part.outcome.tolist(), strict=True)
        own = [(q, a, b, 1 - x if turned and as_written[0] is part.first else x) for q, a, b, x in found]
        assert sorted(own) == sorted(wanted)


def test_one_that_all_others_are_compared_with_is_named_by_its_heading() -> None:
    text = rows("id,model,baseline,result", *(f"q{k},{name},gpt,{('win', 'loss')[(k + i) % 2]}" for k in range(8) for i, name in enumerate(NAMES)))  # fmt: skip
    (_, command), _ = asked(text).ways
    assert "model=first baseline=second result=winner" in command
    (part,) = scored(text, **said(command)).preferences
    assert {*part.second.tolist()} == {"gpt"}


def test_a_judge_is_no_side() -> None:
    """Each model judges the others: the score is of the one that is judged."""
    text = table("question_id,model,judge,score", ("1", "0", "1"))
    assert not any("=second" in command for command in [str(found) for found in scored(text).problems])


@pytest.mark.parametrize(
    ("cells", "meant"),
    [
        (["-2", "1", "2"], ["second", "first", "first"]),
        (["-1", "1"], ["second", "first"]),
        (["0.25", "0", "1", "0.5"], ["second", "second", "first", "tie"]),
        (["1", "4", "7"], ["second", "tie", "first"]),
        (["1", "2", "3"], []),  # may be codes: the first, the second, a tie
        (["1", "2"], []),
        (["-2", "1"], []),  # no middle
        (["0", "1", "2"], []),
        (["1", "2.5", "5"], []),
        (["1"], []),
        (["0", "1", "x"], []),
        ([f"{k / 10}" for k in range(11)], []),  # no few steps
    ],
)
def test_what_the_numbers_of_a_scale_say_of_the_first(cells: list[str], meant: list[str]) -> None:
    """The middle is a tie."""
    assert facing.leaning(cells) == dict(zip(cells, meant, strict=False))


def test_not_available_is_no_right_label_where_nobody_answers_so() -> None:
    """8 of 32 rows would be wrong for every system."""
    own, other = ("pos", "neg", "N/A", "neu"), ("pos", "neg", "neu", "pos")
    text = rows("id,label,a,b", *(f"q{k},{own[k % 4]},{other[k % 4]},{other[(k + k % 3) % 4]}" for k in range(32)))
    found = scored(text)
    assert "Left out, without a right label: 8 rows." in told(found)
    assert {len(one.segments) for one in found.items} == {24}
    answered = scored(text.replace("q2,N/A,neu", "q2,N/A,N/A"))
    assert {len(one.segments) for one in answered.items} == {32}


def test_parts_of_the_data_next_to_labels_lead_to_a_table() -> None:
    """A role that was said alone asked what the labels mean as scores."""
    own, n = ("pos", "neg"), 30
    lines = (f"q{k},{('dev', 'test')[k > 11]},{own[k % 2]},{own[k % 3 % 2]},{own[k % 5 % 2]}" for k in range(n))
    text = rows("id,split,gold,a,b", *lines)
    parts, whole = asked(text).ways
    assert {one.testset for one in scored(text, **said(parts[1])).items if one.role == "system"} == {"dev", "test"}
    assert {(one.kind, len(one.segments)) for one in scored(text, **said(whole[1])).items} == {("text", n)}
