"""Tables of preferences: the columns of both systems and the winner, every way to write it, and what is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found
from sigcore.readers.tables import preferred, votes
from sigcore.readers.tables.table import Table
from tests.made_tables import asked, scored
from tests.unit.sigcore.readers.tables.built import Cells, columns_of, messages, table

PAIR = "model_a model_b winner"


def rows(heads: str, *cells: str) -> Table:
    """A table with these lines, cut at commas."""
    lines = [line.split(",") for line in cells]
    return Table("t.csv", heads.split(), lines, range(2, len(lines) + 2))


def read(of: Table, ids: tuple[int, ...] = ()) -> Found:
    result, what = Found(), preferred.columns(of.headings)
    assert what is not None
    preferred.read(of, what, result, ids)
    return result


def outcomes(of: Table) -> list[float]:
    (judged,) = read(of).preferences
    return [float(one) for one in judged.outcome]


@pytest.mark.parametrize(
    ("heads", "places"),
    [
        ("model_a model_b winner", (0, 1, (2,))),
        ("system_1 system_2 preference", (0, 1, (2,))),
        ("Candidate left|candidate right|Vote", (0, 1, (2,))),
        ("winner model_b model_a", (2, 1, (0,))),
        ("model_a model_b g1_winner g2_winner", (0, 1, (2, 3))),
        ("model_a model_b winner_model_a winner_model_b winner_tie", (0, 1, (2, 3, 4))),
        ("model_a model_b winner better", (0, 1, (2,))),
        ("response_A_model response_B_model label", (0, 1, (2,))),
        ("model_a model_b model_a winner", (0, 1, (3,))),
        ("model_a model_b", None),
        ("model_a model_2 winner", None),
        ("text_a text_b winner", None),
        ("model_a model_b g1_winner", None),
    ],
)
def test_the_columns_of_preferences(heads: str, places: tuple[int, int, tuple[int, ...]] | None) -> None:
    """Of two alike the first."""
    found = preferred.columns(heads.split("|") if "|" in heads else heads.split())
    assert (None if found is None else (found.first, found.second, found.outcome)) == places


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (("model_a", "model_b", "tie"), [1, 0, 0.5]),
        (("A", "b", "neither"), [1, 0, 0.5]),
        (("1", "2", "1"), [1, 0, 1]),
        (("1.25", "2", "1.5"), [0.75, 0, 0.5]),
        (("left", "right", "Tie (both bad)"), [1, 0, 0.5]),
        (("[[A]]", "[[B]]", "[[C]]"), [1, 0, 0.5]),
        (("A>B", "B>A", "A=B"), [1, 0, 0.5]),
        ((">", "<", "="), [1, 0, 0.5]),
        (("x", "y", "no preference"), [1, 0, 0.5]),
        (("x", "y", "inconsistent"), [1, 0, 0.5]),
        (("first", "response b", "same"), [1, 0, 0.5]),
    ],
)
def test_every_way_to_write_a_winner(cells: tuple[str, ...], read: list[float]) -> None:
    assert outcomes(rows(PAIR, *(f"x,y,{cell}" for cell in cells))) == read


def test_rows_without_a_judgment_or_with_one_system_are_left_out() -> None:
    of = rows(PAIR, "x,y,A", "x,y,", "x,y,error", "x,x,A", "x,y,inconsistent")
    result = read(of)
    assert [float(one) for one in result.preferences[0].outcome] == [1, 0.5]
    assert messages(result) == [
        "It has pairwise judgments: model_a against model_b, decided by winner; questions: each row is one.",
        "A winner inconsistent (another one in the other order) was read as a tie.",
        "2 rows without a judgment left out.",
        "1 row with a system against itself left out.",
    ]


def test_answers_in_both_orders_have_to_agree() -> None:
    heads = "model_a model_b g1_winner g2_winner"
    assert outcomes(rows(heads, "x,y,model_a,model_a", "x,y,model_a,model_b", "x,y,model_b,model_b")) == [1, 0.5, 0]
    result = read(rows(heads, "x,y,model_a,", "x,y,model_b,model_b"))
    assert len(result.preferences[0].outcome) == 1


def test_a_column_of_noughts_and_ones_for_each_outcome() -> None:
    heads = "model_a model_b winner_model_a winner_model_b winner_tie"
    assert outcomes(rows(heads, "x,y,1,0,0", "x,y,0,1.0,0", "x,y,0,0,True", "x,y,1,1,0", "x,y,0,0,0")) == [1, 0, 0.5]


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (("x,y,A", "x,y,hm"), "winner does not say which of two systems is better: A, hm."),
        (
            ("a,b,b", "b,a,b"),
            "winner may hold the name of the better system, or say whether the first or the second is better.",
        ),
        (("x,y,", "x,y,none"), "No row has a winner or a tie."),
        (("x,,A",), "A comparison names only one system."),
        (("x,y,0", "x,y,1"), ""),
    ],
)
def test_winners_that_are_not_understood_are_refused(lines: tuple[str, ...], what: str) -> None:
    """0 and 1 alone may say which is better in two ways."""
    with pytest.raises(ReadError) as error:
        read(rows(PAIR, *lines))
    assert what in error.value.what


def test_the_question_of_each_row() -> None:
    """Ids first, then what was asked; what is the same in every row names none."""

    def asked(heads: str, cells: Cells, n: int = 4) -> list[int]:
        return preferred.question(table(heads, cells, n))

    assert asked("id prompt", lambda k: (k, f"p{k}")) == [0]
    assert asked("prompt id", lambda k: (f"p{k}", k)) == [1]
    assert asked("x prompt", lambda k: (k, f"p{k}")) == [1]
    assert asked("item prompt", lambda k: (k, f"p{k}")) == [1]
    assert asked("item prompt", lambda k: (k, "which is better?")) == [0]
    assert asked("x prompt", lambda k: (k, "p"), 1) == [1]
    assert asked("x y", lambda k: (k, k)) == []
    assert asked("id task_id run", lambda k: (k, k // 2, k % 2)) == [1]  # runs of one question are not independent
    assert asked("id task_id x", lambda k: (k, k // 2, k % 2)) == [0]
    assert asked("id task_id run", lambda k: (k, k // 2, k // 2)) == [0]


def test_a_row_names_its_question_where_others_do() -> None:
    of = rows("id model_a model_b winner", "q1,x,y,A", ",x,y,A")
    with pytest.raises(ReadError, match="A comparison names no question") as error:
        read(of)
    assert error.value.line == 3
    assert "questions: id." in messages(read(of.kept([0])))[0]
    assert "questions: winner." in messages(read(of.kept([0]), (3,)))[0]


def test_who_judged() -> None:
    of = rows("judge model_a model_b winner", " ann ,x,y,A", "bob,x,y,B")
    assert list(read(of).preferences[0].judge) == ["ann", "bob"]


def test_several_aspects_of_one_question_are_noted() -> None:
    def told(n: int, questions: int = 2) -> bool:
        of = table("id dimension model_a model_b winner", lambda k: (k % questions, f"d{k % n}", "x", "y", "A"), 2 * n)
        return any("aspect" in one for one in messages(read(of)))

    assert [told(1), told(2), told(20), told(21), told(2, 9)] == [False, True, True, False, False]


def test_runs_behind_the_names_of_systems_are_no_systems() -> None:
    def names(heads: str, *lines: str) -> set[str]:
        (judged,) = read(rows(heads, *lines)).preferences
        return {*map(str, judged.first), *map(str, judged.second)}

    heads = "model_a model_b winner run"
    assert names(heads, "x-r1,y-r1,A,1", "x_run2,y 2,B,2") == {"x", "y"}
    assert names(heads, "x-r1,y-r1,A,1", "x,y,B,2") == {"x-r1", "y-r1", "x", "y"}
    assert names(heads, "x-r1,x-1,A,1") == {"x-r1", "x-1"}
    assert names("model_a model_b winner thing", "x-r1,y-r1,A,1") == {"x-r1", "y-r1"}


@pytest.mark.parametrize(("same", "are"), [(1, True), (2, False)])
def test_models_that_give_the_same_label_do_not_compete(same: int, are: bool) -> None:
    """In a tenth of the rows they may."""
    of = table("model_a model_b label", lambda k: ("x", "x" if k < same else "y", "z"), 10)
    assert (preferred.of(of) is not None) is are
    other = table("model_a model_b winner", lambda k: ("x", "x", "A"), 10)
    assert preferred.of(other) is not None


def test_winners_of_each_person_are_rows() -> None:
    """By place, or by the names of the systems."""

    def each(heads: str, cells: Cells) -> Table:
        return votes.per_annotator(table(heads, cells, 3), Found())

    two = each("model_a model_b winner1 winner2", lambda k: ("x", "y", "A", "B"))
    assert (two.headings, len(two.rows)) == (["model_a", "model_b", preferred.ROW, "judge", "winner"], 6)
    assert columns_of(two)["judge"][:2] == ["winner1", "winner2"]
    assert len(each("model_a model_b winner1", lambda k: ("x", "y", "A")).rows) == 3
    assert len(each("model_a model_b winner1 winner2 judge", lambda k: ("x", "y", "A", "B", "j")).rows) == 3
    people = each("model_a model_b annotator_1 annotator_2", lambda k: ("x", "y", "A", "tie"))
    assert columns_of(people)["winner"][:2] == ["A", "tie"]
    named = each("model_a model_b annotator_1 annotator_2", lambda k: ("x", "y", "x", "tie"))
    assert columns_of(named)["winner"][:2] == ["x", "tie"]
    assert len(each("model_a model_b annotator_1 annotator_2", lambda k: ("x", "y", "A", "hm")).rows) == 3
    assert len(each("text_a text_b annotator_1 annotator_2", lambda k: ("x", "y", "A", "tie")).rows) == 3


def test_three_systems_in_a_row_are_refused() -> None:
    def refused(heads: str, cells: Cells) -> bool:
        try:
            votes.refuse_three(table(heads, cells, 6))
        except ReadError as error:
            return error.what.startswith("Each row compares three systems or more")
        return False

    assert refused("model_a model_b model_c winner", lambda k: ("x", "y", "z", "A"))
    assert not refused("model_a model_b model_d winner", lambda k: ("x", "y", "z", "A"))
    assert not refused("model_a model_b model_c x", lambda k: ("x", "y", "z", "A"))
    assert refused("A B C best", lambda k: ("x", "y", "z", "ABC"[k % 3]))
    assert not refused("A B C best", lambda k: ("x", "y", "z", "AB"[k % 2]))
    assert not refused("A B C best", lambda k: ("x", "y", "z", "ABD"[k % 3]))
    assert not refused("A B C label", lambda k: ("x", "y", "z", "ABC"[k % 3]))


def test_a_pair_of_whole_systems_with_its_p_is_a_result() -> None:
    def refused(heads: str, cells: Cells) -> bool:
        try:
            preferred.refuse_published(table(heads, cells, 6))
        except ReadError as error:
            return error.what.startswith("Each row is a published result")
        return False

    def apart(k: int) -> tuple[object, ...]:
        return "x", f"y{k}", 0.5

    assert refused("model_a model_b p_value", apart)
    assert refused("model_a model_b delta_ci_low", apart)
    assert not refused("model_a model_b score", apart)
    assert not refused("model_a model_b p_value", lambda k: ("x", "y", 0.5))
    assert refused("strategy_a strategy_b p", lambda k: (f"x{k}", f"x{k + 1}", 0.5))
    assert not refused("strategy_a strategy_b p", lambda k: (f"x{k}", f"y{k}", 0.5))
    assert not refused("strategy_a strategy_c p", lambda k: (f"x{k}", f"x{k + 1}", 0.5))
    assert not refused("strategy_a strategy_b p", lambda k: (k, k + 1, 0.5))
    assert refused("model_a model_b p_value task", lambda k: ("x", "y", 0.5, f"t{k}"))


def test_a_batch_of_mechanical_turk_that_compares_two_systems() -> None:
    heads = "HITId WorkerId Input.system1 Input.system2 Answer.better Answer.why"
    named = ["h1,w1,x,y,x,good", "h2,w2,x,y,tie,bad"]
    of = preferred.of_crowd(rows(heads, *named), Found())
    assert columns_of(of) == {
        "question_id": ["h1", "h2"], "system_1": ["x", "x"], "system_2": ["y", "y"], "winner": ["x", "tie"], "judge": ["w1", "w2"],
    }  # fmt: skip
    worse = preferred.of_crowd(rows(heads.replace("better", "worse"), *named), Found())
    assert worse.headings == heads.replace("better", "worse").split()
    both = preferred.of_crowd(rows(heads, *(line.replace("good", "x").replace("bad", "y") for line in named)), Found())
    assert both.headings == heads.split()


def test_votes_of_pandalm() -> None:
    """Its key joins both systems."""
    heads = "cmp_key response1 response2 annotator1 annotator2"
    of = preferred.of_key(rows(heads, "x_y,p,q,0,1", "x_z,p,q,2,"), Found())
    assert columns_of(of)["annotator1"] == ["tie", "second"]
    assert columns_of(of)["annotator2"] == ["first", ""]
    assert (columns_of(of)["system_1"], columns_of(of)["system_2"]) == (["x", "x"], ["y", "z"])
    for line in ("x_y_z,p,q,0,1", "x_y,p,q,3,1"):
        same = rows(heads, line)
        assert preferred.of_key(same, Found()) is same


VOTED = "item,A_origin,B_origin,fluency_rater1,fluency_rater2,adequacy_rater1,text"


def pairs_of_names(k: int) -> list[str]:
    """Two of three systems, each vote for one of them or none, and a text that comes once."""
    one, other = [("h", "m"), ("m", "h"), ("s", "h")][k % 3]
    votes_ = (one, other, "tie")
    return [f"i{k}", one, other, votes_[k // 3 % 3], votes_[(k + 1) % 3], votes_[(k // 2) % 3], f"text {k}"]


def test_who_won_is_found_by_the_names_of_both_systems() -> None:
    """Human translations in changing places: numbers beside them were systems, or the votes of people were."""
    own = [pairs_of_names(k) for k in range(12)]
    problem = asked("\n".join([VOTED, *map(",".join, own)]) + "\n")
    assert problem.why.startswith("Does fluency_rater1 say which of A_origin, B_origin is better in each row?")
    said = [command for _, command in problem.ways]
    votes_of = "item=question A_origin=first B_origin=second"
    assert said == [
        f"{votes_of} fluency_rater1=winner fluency_rater2=winner adequacy_rater1=ignored",
        f"{votes_of} fluency_rater1=ignored fluency_rater2=ignored adequacy_rater1=winner",
    ]
    text = "\n".join([VOTED, *map(",".join, own)]) + "\n"
    (judged,) = scored(text, columns=said[0].replace(" ", "\n")).preferences
    assert len(judged.outcome) == 24
    assert len({*judged.question}) == 12  # each row is the question of both its votes


@pytest.mark.parametrize(
    "change",
    [
        lambda k, row: [*row[:3], *row[:1] * 3, row[6]],  # no name of a system
        lambda k, row: [row[0], row[1], row[1], *[row[1]] * 3, row[6]],  # a system against itself
        lambda k, row: [row[0], f"a{k}", f"b{k}", *["ab"[k % 2] + str(k)] * 3, row[6]],  # texts
        lambda k, row: [*row[:3], *[row[1]] * 3, row[6]],  # always the first
    ],
)
def test_other_names_are_no_votes(change: Callable[[int, list[str]], list[str]]) -> None:
    text = "\n".join([VOTED, *(",".join(change(k, pairs_of_names(k))) for k in range(12))]) + "\n"
    assert "say which of A_origin, B_origin" not in " ".join(map(str, scored(text).problems))


def test_several_votes_of_a_row_are_on_one_question() -> None:
    """Without a column that names it: 24 votes were 24 questions."""
    two = votes.per_annotator(
        table("model_a model_b winner1 winner2", lambda k: ("x", "y", "A", "AB"[k % 2]), 12), Found()
    )
    (judged,) = read(two).preferences
    assert (len(judged.outcome), len({*judged.question})) == (24, 12)


def test_the_one_that_never_won_is_among_three() -> None:
    """It stands next to those that did, and no cell names it."""
    long = "a rather long answer of some system to"
    lines = [f"p{k},{long} {k} base,{long} {k} sft,{long} {k} dpo,{('SFT', 'DPO')[k % 2]}" for k in range(12)]
    ((_, said),) = asked("\n".join(["prompt,Base,SFT,DPO,winner", *lines]) + "\n").ways
    assert said == "prompt=question Base=system SFT=system DPO=system winner=winner"


def test_columns_that_name_the_pair_of_each_row_say_nothing_of_who_won() -> None:
    """An arena in French sorts both names into two columns more."""

    def line(k: int) -> str:
        one, other = [("h", "m"), ("m", "h"), ("s", "h"), ("m", "s")][k % 4]
        return ",".join([f"q{k}", one, other, *sorted((one, other)), (one, other, "")[k % 3], f"text {k}"])

    head = "id,model_a_name,model_b_name,pair 1,pair 2,chosen_name,opening"
    problem = asked("\n".join([head, *map(line, range(24))]) + "\n")
    assert problem.why == "Does chosen_name say which of model_a_name, model_b_name is better in each row?"


def test_sides_below_a_measure_are_no_votes() -> None:
    """Left and right may as well say where something was."""
    lines = [f"i{k},{'hm'[k % 2]},{'mh'[k % 2]},{('left', 'right')[k // 2 % 2]},text {k}" for k in range(12)]
    text = "\n".join(["item,A_origin,B_origin,fluency,text", *lines]) + "\n"
    assert "fluency=winner" not in " ".join(map(str, scored(text).problems))
