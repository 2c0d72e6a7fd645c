"""Readings that a search finds, and what a column is likeliest to be: one row, name or heading to either side of each bound."""

from __future__ import annotations

import pytest

from sigcore.readers.contract import Found
from sigcore.readers.tables import guesses, plan, proposals, scored
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, item, table


def ways(heads: str, cells: Cells, rows: int = 24) -> list[str]:
    """The roles of each reading."""
    return [roles for _, roles in proposals.of(table(heads, cells, rows))]


def crossed(k: int, systems: int = 2) -> tuple[object, ...]:
    """A name, a question, and a score that differs from row to row."""
    return f"n{k % systems}", f"q{k // systems}", (k * 7 % 11) / 10


ONE = "colour=system thing=question score=score"


def test_names_that_cross_questions_are_read_as_systems() -> None:
    assert ways("colour thing score", crossed) == [ONE]
    assert (
        proposals.of(table("colour thing score", crossed, 24))[0][0]
        == "colour names the systems, and thing the questions"
    )
    of = table("colour thing score", crossed, 24)
    assert proposals.of(Table(of.file, of.headings, of.rows, of.places, role="system")) == []


@pytest.mark.parametrize(("rows", "found"), [(6, True), (5, False)])
def test_a_search_needs_six_rows(rows: int, found: bool) -> None:
    """Two names with three questions each."""
    assert (ways("colour thing score", crossed, rows) == [ONE]) is found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("x" * 58 + "{}", True),
        ("x" * 60 + "{}", False),
        ("a b c d e {}", True),
        ("a b c d e f {}", False),
        ("{}", False),
    ],
)
def test_names_of_a_reading_are_short(name: str, found: bool) -> None:
    """Sixty characters and six words; numbers are names only where no words are."""
    got = ways(
        "colour thing score", lambda k: (name.format("ab"[k % 2] if name != "{}" else k % 2 * 7), *crossed(k)[1:])
    )
    assert bool(got) is found


@pytest.mark.parametrize(("systems", "found"), [(100, True), (101, False)])
def test_up_to_a_hundred_names_are_systems(systems: int, found: bool) -> None:
    got = ways(
        "colour thing score", lambda k: (f"n{k % systems}x", f"q{k // systems}", (k * 7 % 11) / 10), systems * 103
    )
    assert bool(got) is found


@pytest.mark.parametrize(("less", "found"), [(0, True), (6, True), (7, False)])
def test_three_quarters_of_all_pairs_are_there(less: int, found: bool) -> None:
    """Of twelve questions with two names; where one has too few, and nobody else has most of them."""
    rows = [k for k in range(24) if k % 2 == 0 or k // 2 >= less]
    got = ways("colour thing score", lambda k: crossed(rows[k]), len(rows))
    assert (got == [ONE]) is found


def test_a_system_with_few_questions_does_not_hide_two_with_most() -> None:
    rows = [k for k in range(36) if k % 3 < 2 or k // 3 < 2]
    assert ways("colour thing score", lambda k: crossed(rows[k], 3), len(rows)) == [ONE]


@pytest.mark.parametrize(
    ("heads", "role"),
    [
        ("colour thing comment", ""), ("colour thing age", ""), ("judge_x thing score", ""), ("colour thing tokens", ""),
        ("colour label score", "colour=system label=question score=score"), ("colour prediction score", "colour=system prediction=question score=score"), ("model thing score", "model=system thing=question score=score"),
        ("source thing score", "source=system thing=question score=score"), ("colour thing overall", "colour=system thing=question overall=score"),
        ("position thing score", ""), ("dimension thing score", ""),
    ],
)  # fmt: skip
def test_headings_that_name_no_system_no_question_and_no_score(heads: str, role: str) -> None:
    found = ways(heads, crossed)
    assert found == ([role] if role else [])


def test_what_tells_the_rows_of_a_question_apart() -> None:
    """A run, a judge or tasks; these may name the questions with others, too."""

    def three(k: int) -> tuple[object, ...]:
        return f"n{k % 2}", f"q{k // 4}", ("x", "y")[k // 2 % 2], (k * 7 % 11) / 10

    assert ways("colour thing run score", three, 48) == [
        "colour=system thing=question run=run score=score",
    ]  # a run is no system
    assert ways("colour thing judge score", three, 48) == ["colour=system thing=question judge=run score=score"]
    assert ways("colour thing side score", three, 48) == [
        "colour=system thing=question side=task score=score", "colour=system thing=question side=system score=score",
        "colour=system thing=question side=question score=score",
    ]  # fmt: skip
    named = ways("colour thing side score", lambda k: (*three(k)[:2], ("bleu", "ter")[k // 2 % 2], three(k)[3]), 48)
    assert named == ["colour=system thing=question side=measure score=score"]
    runs = ways("colour thing side score", lambda k: (*three(k)[:2], ("p1", "p2")[k // 2 % 2], three(k)[3]), 48)
    assert runs == ["colour=system thing=question side=run score=score"]


def test_scores_of_a_reading() -> None:
    """Those whose headings say so, the overall one first; else all that differ within systems and questions."""

    def more(*columns: Cells) -> Cells:
        return lambda k: (*crossed(k)[:2], *(one(k)[0] for one in columns))

    def wave(step: int) -> Cells:
        return lambda k: ((k * step % 13) / 10,)

    assert ways("colour thing bleu x", more(wave(5), wave(7))) == ["colour=system thing=question bleu=score"]
    for overall in ("overall", "final"):
        (found,) = ways(f"colour thing bleu {overall}", more(wave(5), wave(7)))
        assert found == f"colour=system thing=question {overall}=score bleu=score"
    assert ways("colour thing x w", more(wave(5), wave(7))) == ["colour=system thing=question x=score w=score"]
    fact = ways("colour thing x y", more(wave(5), lambda k: (k // 2,)))
    assert fact == ["colour=system thing=question x=score"]
    setting = ways("colour thing x y", more(wave(5), lambda k: (k % 2 + 0.5,)))
    assert setting == ["colour=system thing=question x=score"]
    words = ways("colour thing verdict", more(lambda k: (("Pass", "fail", "")[k % 3 * (k % 5 > 0)],)))
    assert words == ["colour=system thing=question verdict=score --cells fail=0 pass=1"]
    three, four = (more(lambda k, n=n: (("pass", "fail", "correct", "wrong")[k * 7 % 11 % n],)) for n in (3, 4))
    assert ways("colour thing verdict", three) == [
        "colour=system thing=question verdict=score --cells correct=1 fail=0 pass=1"
    ]
    asked = "colour=system thing=question verdict=score --cells"  # of a few words somebody says what they mean
    assert ways("colour thing verdict", four) == [f"{asked} correct=1 fail=0 pass=1 wrong=0"]
    odd = more(lambda k: (("good", "odd")[k * 7 % 11 % 2],))
    assert ways("colour thing verdict", odd) == [f"{asked} good=NUMBER odd=NUMBER"]
    assert ways("colour thing other", odd) == []
    empty = ways("colour thing bleu ter", more(wave(5), lambda k: ("" if k % 2 else k,)))
    assert empty == ["colour=system thing=question bleu=score"]


@pytest.mark.parametrize(("n", "shown"), [(12, 12), (13, 12)])
def test_a_command_names_up_to_twelve_scores(n: int, shown: int) -> None:
    heads = " ".join(["colour thing", *(f"x{i}y" for i in range(n))])
    (found,) = ways(heads, lambda k: (*crossed(k)[:2], *((k * (i + 2) % 17) / 10 for i in range(n))))
    assert found.count("=score") == shown


def test_a_file_of_one_system_has_an_id_and_scores() -> None:
    assert ways("task_id bleu x", one_system) == ["task_id=question bleu=score"]
    assert ways("task_id x y", one_system) == []
    assert ways("thing bleu x", one_system) == []


def one_system(k: int) -> tuple[object, ...]:
    return f"t{k}", (k * 7 % 11) / 10, (k * 5 % 13) / 10


def test_columns_that_name_the_same_are_asked_once() -> None:
    """An id and its text."""
    found = ways("colour task_id text2 score", lambda k: (f"n{k % 2}", f"t{k // 2}", f"w{k // 2}", (k * 7 % 11) / 10))
    assert found[0] == "colour=system task_id=question score=score"
    assert not any("text2=question" in one for one in found)


def test_numbers_from_nought_or_one_may_name_systems() -> None:
    """Each of them equally often, and more than once, where nothing else is a name; below the heading of a system, others, too."""

    def found(first: int, n: int = 2, last: object = None) -> bool:
        return bool(
            ways(
                "arm thing score",
                lambda k: (first + k % n if k or last is None else last, f"q{k // n}", (k * 7 % 11) / 10),
                24,
            )
        )

    assert [found(0), found(1), found(2), found(0, 2, 7)] == [True, True, True, False]


# What a column is likeliest to be.


def likeliest(
    heads: str, cells: Cells, k: int, kind: str = "", rows: int = 12, nested: bool = False
) -> tuple[str, str]:
    of = table(heads, cells, rows)
    of = Table(of.file, of.headings, of.rows, of.places, nested=nested)
    own = kind or ("scores" if of.numeric(k) else "text")
    return guesses.likeliest(of, k, item(of.headings[k], of.column(k), own))  # type: ignore[arg-type]


def number(k: int) -> tuple[object, ...]:
    return k / 7, (k * 7 % 5) / 3, k * 5 % 7 + 0.5


@pytest.mark.parametrize(
    ("heads", "role", "reason"),
    [
        ("A B C", "system", "only a guess"),
        ("bleu B C", "score", "by its heading a measure"),
        ("A bleu C", "score", "beside measures"),
        ("A_bleu B_bleu C", "system", "a system with the measure of the others"),
        ("A_bleu A_ter B_bleu", "ignored", "its heading names bleu"),
        ("tokens B C", "ignored", "by its heading no score"),
        ("A step C", "ignored", "in a log of steps"),
        ("item B C", "question", "by its heading"),
        ("judge_1 B C", "judge", "by its heading a person"),
        ("final_answer B C", "reference", "the right answers?"),
        ("human_translation B C", "reference", "by its heading written by people"),
        ("option_a B C", "ignored", "one of the choices"),
        ("context B C", "source", "by its heading what was read"),
        ("prediction B C", "ignored", "predictions, no scores"),
        ("prediction gold_x C", "system", "predictions of what is right"),
        ("A temperature seed", "score", "beside fields of a log"),
        ("observed_x prediction C", "reference", "it may be what is right"),
    ],
)
def test_numbers_by_their_headings(heads: str, role: str, reason: str) -> None:
    assert likeliest(heads, number, 0) == (role, reason)


def text(k: int) -> tuple[object, ...]:
    return f"a text {k}", f"b text {k}", f"c text {k}"


@pytest.mark.parametrize(
    ("heads", "role", "reason"),
    [
        ("A B C", "system", "only a guess"),
        ("comment B C", "ignored", "by its heading remarks"),
        ("German B C", "source", "by its heading a text in this language"),
        ("label B C", "reference", "by its heading what is right"),
        ("label prediction C", "reference", "labels to compare with"),
        ("text label C", "source", "what was labelled"),
        ("A bleu C", "question", "it names the rows"),
        ("A bleu id", "ignored", "beside measures"),
    ],
)
def test_texts_by_their_headings(heads: str, role: str, reason: str) -> None:
    assert likeliest(heads, text, 0) == (role, reason)


def test_texts_beside_numbers() -> None:
    """The first names the rows, if these differ."""
    assert likeliest("A B", lambda k: (f"t {k}", k / 7), 0) == ("question", "it names the rows")
    assert likeliest("A B", lambda k: (f"t {k // 2}", k / 7), 0) == ("ignored", "text beside numbers")
    assert likeliest("B A", lambda k: (k / 7, f"t {k}"), 1) == ("ignored", "text beside numbers")
    assert likeliest("A B", lambda k: (f"t {k}", "0,5" if k else "1"), 0)[1] == "it names the rows"
    assert likeliest("A B id", lambda k: (f"t {k}", k / 7, k), 0) == ("ignored", "text beside numbers")
    assert likeliest("task_id A", lambda k: (f"t{k}", k / 7), 0) == ("question", "each row has another one")


@pytest.mark.parametrize(
    ("cells", "rows", "role", "reason"),
    [
        (lambda k: (k, 1.5), 12, "question", "it counts the rows"),
        (lambda k: (0.5, k / 7), 10, "ignored", "the same in every row"),
        (lambda k: (0.5, k / 7), 9, "system", "only a guess"),
        (lambda k: (("pass", "fail")[k % 2], k / 7), 12, "score", "outcomes in words"),
        (lambda k: (("pass", "fail")[k % 2], ("pass", "fail")[k // 2 % 2]), 12, "system", "outcomes in words"),
        (lambda k: ("abcd"[k % 4], "x"), 24, "ignored", "words, no scores"),
        (lambda k: ("abc"[k % 3], "x"), 24, "system", "only a guess"),
    ],
)
def test_columns_by_their_cells(cells: Cells, rows: int, role: str, reason: str) -> None:
    assert likeliest("A B", cells, 0, rows=rows) == (role, reason)


def test_a_measure_in_one_of_several_objects_is_of_this_system() -> None:
    """Objects with three names in common; below one that is a measure it is a part of it."""
    heads = "a.correct a.x a.y b.correct b.x b.y"

    def six(k: int) -> tuple[object, ...]:
        return tuple((k * (i + 3) % 7) / 5 for i in range(6))

    assert likeliest(heads, six, 0, nested=True) == ("system", "a system with the measure of the others")
    assert likeliest(heads.replace("b.y", "b.z"), six, 0, nested=True) == ("score", "by its heading a measure")


def test_what_was_labelled_is_not_used() -> None:
    """Other texts beside a few right labels and predictions that repeat them."""

    def cells(n: int) -> Cells:
        return lambda k: (f"t {k % n}", "ab"[k % 2], "ab"[k // 2 % 2])

    assert likeliest("thing label other", cells(21), 0, rows=42) == ("ignored", "what was labelled")
    assert likeliest("thing label other", cells(20), 0, rows=42) != ("ignored", "what was labelled")
    assert likeliest("thing label other", lambda k: (f"t {k}", "ab"[k % 2], f"u {k}"), 0, rows=42) != (
        "ignored",
        "what was labelled",
    )


# The plan of a table in long form.


def long_form(
    heads: str, cells: Cells = lambda k: ("AB"[k % 2], k // 2, k / 7, (k * 7 % 5) / 3), **more: object
) -> tuple[list[str], list[str]]:
    """The scores, and the role of each column; the question where it is asked."""
    of = table(heads, cells)
    of = Table(of.file, of.headings, of.rows, of.places, **more)  # type: ignore[arg-type]
    result, values = Found(), [k for k in range(2, len(of.headings)) if of.numeric(k)]
    try:
        scores = of.named(scored.columns(of, 0, [1], values, result))
    except Unclear as problem:
        return [problem.why], [one.role for one in problem.claims]
    return scores, [one.role for one in result.claims]


@pytest.mark.parametrize(
    ("heads", "scores", "roles"),
    [
        ("system id bleu x", ["bleu"], ["system", "question", "score", "ignored"]),
        ("system id x tokens", ["x"], ["system", "question", "score", "ignored"]),
        ("system id x y", ["Which of these are scores: x, y?"], ["system", "question", "score", "score"]),
        ("system id score y", ["score"], ["system", "question", "score", "ignored"]),
        ("system id fluency_rating y", ["fluency_rating"], ["system", "question", "score", "ignored"]),
        ("system id is_correct confidence", ["is_correct"], ["system", "question", "score", "ignored"]),
        ("system id x step", ["x"], ["system", "question", "score", "ignored"]),
    ],
)
def test_the_scores_of_a_table_in_long_form(heads: str, scores: list[str], roles: list[str]) -> None:
    assert long_form(heads) == (scores, roles)


def test_how_large_something_is_is_no_score_of_its_part() -> None:
    """The same for all systems: criteria_total beside criteria_met."""

    def cells(k: int) -> tuple[object, ...]:
        return "AB"[k % 2], k // 2, k % 5, k // 2 % 3 + 5

    heads = "system id score_met score_total"
    assert long_form(heads, cells) == (["score_met"], ["system", "question", "score", "ignored"])
    assert long_form(heads, lambda k: (*cells(k)[:3], k))[0] == ["score_met", "score_total"]
    assert long_form("system id x y", basis="said")[0] == ["x", "y"]


# The plan of a table that is asked about.


def asked(heads: str, cells: Cells, rows: int = 12, texts: tuple[int, ...] = ()) -> dict[str, str]:
    """The role of each column in the question about a table of one system."""
    of = table(heads, cells, rows)
    streams = [
        (k, item(name, of.column(k), "text" if k in texts else "scores"))
        for k, name in enumerate(of.headings)
        if name != "id" and (of.numeric(k) or k in texts)
    ]
    with pytest.raises(Unclear) as error:
        plan.wide(of, streams, True, Found())
    return {one.column: one.role for one in error.value.claims}


def test_the_scores_of_names_that_cross_questions() -> None:
    """Measures, rather than what an answer costs; lengths of texts are none."""

    def cells(k: int) -> tuple[object, ...]:
        return "xy"[k % 2], k // 2, k / 7, (k * 7 % 5) / 3

    assert asked("colour id bleu tokens", cells) == {
        "colour": "system",
        "id": "question",
        "bleu": "score",
        "tokens": "ignored",
    }
    assert asked("colour id A tokens", cells) == {
        "colour": "system",
        "id": "question",
        "A": "score",
        "tokens": "ignored",
    }
    assert asked("colour id latency tokens", cells) == {
        "colour": "system",
        "id": "question",
        "latency": "score",
        "tokens": "score",
    }
    assert asked("colour id A my_score", cells) == {
        "colour": "system",
        "id": "question",
        "A": "ignored",
        "my_score": "score",
    }
    assert asked("colour id A bleu", cells) == {"colour": "system", "id": "question", "A": "ignored", "bleu": "score"}


def test_what_judges_rated_once_each_are_the_systems() -> None:
    """And the judges what they are compared on; else a column of a few names."""

    def cells(k: int) -> tuple[object, ...]:
        return "jkl"[k // 4], k % 4 + 1, (k * 7 % 5) / 3

    assert asked("judge thing A", cells) == {"judge": "question", "thing": "system", "A": "score"}
    named = asked("judge colour A", lambda k: (cells(k)[0], "xyzu"[k % 4], cells(k)[2]))
    assert named["colour"] == "system"
